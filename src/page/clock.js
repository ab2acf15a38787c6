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
 */

/** Emits `tick` while it runs, and `flag` when a side runs out of time. */
export class Clock extends EventTarget {
  /** @type {Times | null} */
  #times = null;
  /** @type {"white" | "black" | null} */
  #side = null;
  #began = 0;
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
    const used = side === this.#side ? (performance.now() - this.#began) / 1000 : 0;
    return Math.max(0, this.#times[side] - used);
  }

  get increment() {
    return this.#times?.increment ?? 0;
  }

  /**
   * Starts a side's clock. If the other side's clock was running, it stops and gets the increment.
   */
  start(side) {
    if (!this.#times || side === this.#side) return;
    const moved = this.#side;
    this.stop();
    if (moved) this.#times[moved] += this.#times.increment;
    this.#side = side;
    this.#began = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  stop() {
    clearInterval(this.#timer);
    if (this.#side) this.#times[this.#side] = this.left(this.#side);
    this.#side = null;
    this.dispatchEvent(new Event("tick"));
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
