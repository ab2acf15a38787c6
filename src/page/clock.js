/** The clocks of a game against the engine. */

/** Milliseconds between checks of the clock. */
const TICK = 100;

/**
 * The times on the clocks of a game, saved with the game.
 *
 * @typedef {object} Times
 * @property {number} increment seconds that a move adds
 * @property {number} white seconds left
 * @property {number} black
 * @property {number} [plies] the plies of the game for which the increment was added
 */

/** Emits `tick` while it runs, and `flag` when a side runs out of time. */
export class Clock extends EventTarget {
  /** @type {Times | null} */
  #times = null;
  /** @type {"white" | "black" | null} */
  #side = null;
  /** When the running clock was last read; `null` while the clocks stand. */
  #began = null;
  #isPaused = false;
  #timer = 0;

  /** Sets the times of a game, if any. The clocks do not run until `start` is called. */
  use(times) {
    this.stop();
    this.#times = times ?? null;
    this.dispatchEvent(new Event("tick"));
  }

  /** The seconds that a side has left; `null` without a clock. */
  left(side) {
    if (!this.#times) return null;
    const isRunning = side === this.#side && this.#began !== null;
    const used = isRunning ? (performance.now() - this.#began) / 1000 : 0;
    return Math.max(0, this.#times[side] - used);
  }

  get increment() {
    return this.#times?.increment ?? 0;
  }

  /**
   * Starts a side's clock after some plies. If the other side's clock was running, it stops and
   * gets the increment, but not again for a move in place of one that was taken back.
   */
  start(side, plies) {
    if (!this.#times || side === this.#side) return;
    const moved = this.#side;
    this.stop();
    if (moved && plies > (this.#times.plies ?? 0)) {
      this.#times[moved] += this.#times.increment;
      this.#times.plies = plies;
    }
    this.#side = side;
    this.#run();
  }

  stop() {
    this.#halt();
    this.#side = null;
    this.dispatchEvent(new Event("tick"));
  }

  /** Lets the clocks stand until `resume` is called, also those that are started meanwhile. */
  pause() {
    this.#isPaused = true;
    this.#halt();
  }

  resume() {
    this.#isPaused = false;
    if (this.#side && this.#began === null) this.#run();
  }

  /** Writes the time used so far into the times of the game, so that it is saved with them. */
  settle() {
    if (this.#began === null) return;
    this.#times[this.#side] = this.left(this.#side);
    this.#began = performance.now();
  }

  #run() {
    if (this.#isPaused) return;
    this.#began = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  #halt() {
    clearInterval(this.#timer);
    this.settle();
    this.#began = null;
  }

  #tick() {
    const side = this.#side;
    this.dispatchEvent(new Event("tick"));
    if (this.left(side) > 0) return;
    this.stop();
    this.dispatchEvent(new CustomEvent("flag", { detail: side }));
  }
}

/** Formats a time as `4:05`, or as `9.3` below ten seconds. */
export function clockText(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
