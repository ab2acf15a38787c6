/** A game against the engine: levels, clock, takeback, hint, draw and resignation. */

import { Clock } from "./clock.js";
import { byId, element, showNote } from "./dom.js";
import { text } from "./texts.js";
import { lineThrough, pathTo } from "./tree.js";

/** The number of levels; the last is full strength. */
const LEVELS = 14;
/** The choice in the list of levels that asks for a strength in Elo. */
const BY_ELO = "elo";
/** Seconds per move at full strength without a clock; lower levels need less. */
const MOVE_TIME = 1;
/** Seconds that the engine thinks about a hint or an offer of a draw. */
const ADVICE_TIME = 0.7;
/**
 * The largest lead, in men, with which the engine agrees to a draw, and the minimum length of the
 * game in plies.
 */
const [DRAW_LEAD, DRAW_PLIES] = [0.1, 30];

const OTHER = { white: "black", black: "white" };
/** The result when a side loses. */
const LOSSES = { white: "0-2", black: "2-0" };

export class Opponent {
  #state;
  #hub;
  #api;
  #board;
  #tabs;
  /** The turn in which the engine is thinking, `{ node }`; `null` while it is not thinking. */
  #turn = null;
  clock = new Clock();

  constructor({ state, hub, api, board, tabs }) {
    this.#state = state;
    this.#hub = hub;
    this.#api = api;
    this.#board = board;
    this.#tabs = tabs;
    byId("level").append(
      ...Array.from({ length: LEVELS }, (_, index) => element("option", {}, index + 1)),
      element("option", { value: BY_ELO }, "Elo"),
    );
    byId("level").value = "3";
    state.addEventListener("game", () => {
      this.#stop();
      this.clock.use(state.opponent?.times);
      this.#showButtons();
    });
    state.addEventListener("position", () => {
      if (state.position) this.#continueAt(state.node);
    });
    // The game goes on even if the player looks back before the new position is shown.
    state.addEventListener("played", (/** @type {CustomEvent} */ { detail }) =>
      this.#continueAt(detail),
    );
    this.clock.addEventListener("flag", (/** @type {CustomEvent} */ { detail }) =>
      this.#lose(detail, "out_of_time"),
    );
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("play-new", () => this.#startGame(true));
    on("play-here", () => this.#startGame(false));
    on("play-end", () => this.end());
    on("play-back", () => this.takeBack());
    on("play-hint", () => this.#hint());
    on("play-draw", () => this.#offerDraw());
    on("play-resign", () => this.#lose(OTHER[this.side], "resigned"));
    byId("level").addEventListener("change", () => this.showLevel());
    byId("clock").addEventListener("change", () => this.#showClockFields());
    this.#showClockFields();
  }

  /** The side that the engine plays, `null` while there is no game. */
  get side() {
    return this.#state.opponent?.side ?? null;
  }

  /** Shows the strength of the chosen level, or asks for a strength in Elo. */
  showLevel() {
    const level = byId("level").value;
    byId("elo").hidden = level !== BY_ELO;
    const { min: low, max: high } = byId("elo");
    byId("level-text").textContent = text(`level_${level}`, { low, high });
  }

  #showClockFields() {
    byId("clock-fields").hidden = byId("clock").value === "off";
  }

  async #startGame(isNew) {
    const choice = byId("side-choice").value;
    const player = choice === "any" ? (Math.random() < 0.5 ? "white" : "black") : choice;
    const side = OTHER[player];
    const strength = chosenStrength();
    const name = text(strength.elo ? "engine_elo" : "engine_at", strength);
    const names = { [player]: text("you"), [side]: name };
    // Sweden writes dates in the order of PDN.
    const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
    const times = chosenTimes();
    const control = times ? { TimeControl: `${times.white}+${times.increment}` } : {};
    const tags = Object.entries({
      White: names.white,
      Black: names.black,
      Date: date,
      Result: "*",
      ...control,
    });
    const state = this.#state;
    const opponent = { side, ...strength, times };
    state.dispatchEvent(new CustomEvent("side", { detail: player }));
    // The panel is scrolled to its top, where the buttons of the game are.
    this.#tabs.select("play");
    if (isNew) return state.startGame(state.variant, "", { tags, opponent });
    state.playOn(tags, opponent);
    await this.#goOn(state.node);
  }

  /** Ends the game against the engine, by default without a result. It can be continued by hand. */
  end(result = "*") {
    if (!this.side) return;
    this.clock.stop();
    this.#state.endPlay(result);
    this.#showButtons();
  }

  /** Takes back the last move of the player, or the last one up to a node. */
  async takeBack(node = lineThrough(this.#state.node).at(-1)) {
    const isPlayers = ({ parent }) => parent.position && parent.position.side !== this.side;
    const last = node && pathTo(node).findLast(isPlayers);
    if (!last) return;
    this.#stop();
    await this.#state.remove(last);
  }

  #showButtons() {
    const isOn = Boolean(this.side);
    if (!isOn) this.#stop();
    byId("play-form").hidden = isOn;
    byId("play-game").hidden = !isOn;
    byId("play-over").hidden = isOn || this.#state.result === "*";
  }

  #stop() {
    if (this.#turn) this.#hub.stop();
    this.#turn = null;
  }

  /** Goes on with the game at the end of a line; before it, people may be browsing. */
  async #continueAt(node) {
    if (this.side && node.children.length === 0) await this.#goOn(node);
  }

  /** Ends the game if it is over at a node, or plays the engine's move if it is its turn. */
  async #goOn(node) {
    const state = this.#state;
    const { opponent } = state;
    node.position ??= await this.#api.request("position", state.fields(node));
    if (state.opponent !== opponent) return;
    const { end, side, moves } = node.position;
    if (end) return this.end(end.result);
    this.clock.start(side, pathTo(node).length);
    if (side !== opponent.side || this.#turn?.node === node) return;
    const best = await this.#think(node);
    const move = moves.find(({ hub }) => hub === best);
    if (move) await state.play(move, node);
  }

  /**
   * The engine's move at a node; `null` if the game does not go on there. The search starts again
   * if another one supersedes it, for example that of the analysis.
   */
  async #think(node) {
    const turn = { node };
    const { opponent, variant } = this.#state;
    const { hub: position, side } = node.position;
    let best = null;
    this.#turn = turn;
    while (best === null && this.#turn === turn)
      best = await this.#hub.search({
        position,
        params: { variant, level: opponent.level, elo: opponent.elo ?? 0, multipv: 1 },
        level: this.#limit(side),
        mode: "think",
      });
    if (this.#turn !== turn) return null;
    this.#turn = null;
    return best;
  }

  /** The limit of the engine's search. Hub adds the increment before a move, this clock after it. */
  #limit(side) {
    const left = this.clock.left(side);
    if (left === null) return `move-time=${MOVE_TIME}`;
    const { increment } = this.clock;
    return `time=${(left - increment).toFixed(2)} inc=${increment}`;
  }

  /** The engine's line in the shown position, at full strength; `null` if there is none. */
  async #advice() {
    const { position, variant } = this.#state;
    if (!position || position.end || this.#turn) return null;
    let info = null;
    const move = await this.#hub.search({
      position: position.hub,
      params: { variant, multipv: 1 },
      level: `move-time=${ADVICE_TIME}`,
      mode: "analyze",
      onInfo: (line) => (info = line),
    });
    if (move === null || !info) return null;
    const [line] = await this.#api.request("lines", { ...this.#state.fields(), infos: [info] });
    return position === this.#state.position ? line : null;
  }

  /** Shows a good move as an arrow. */
  async #hint() {
    const line = await this.#advice();
    if (line?.from) this.#board.showArrows([{ from: line.from, to: line.to, kind: "best" }]);
  }

  async #offerDraw() {
    const { opponent, node } = this.#state;
    const line = await this.#advice();
    if (!line || this.#state.opponent !== opponent) return;
    const lead = Number(line.score.replace("#", "")) * (opponent.side === "white" ? 1 : -1);
    const agrees = !line.score.includes("#") && lead <= DRAW_LEAD;
    if (!agrees || pathTo(node).length < DRAW_PLIES) return showNote(text("draw_declined"));
    showNote(text("draw_agreed"));
    this.end("1-1");
  }

  /** Ends the game with a loss, on time or by resignation. */
  #lose(side, reason) {
    if (!this.side) return;
    showNote(text(`${reason}_${side}`));
    this.end(LOSSES[side]);
  }
}

/**
 * The strength chosen in the form: a level, and a strength in Elo, which is 0 if a level is chosen.
 */
function chosenStrength() {
  const level = byId("level").value;
  if (level !== BY_ELO) return { level: Number(level), elo: 0 };
  const { min, max, valueAsNumber } = byId("elo");
  const elo = Math.round(valueAsNumber || Number(min));
  return { level: LEVELS, elo: Math.min(Math.max(elo, Number(min)), Number(max)) };
}

/** The times chosen in the form; `undefined` without a clock. */
function chosenTimes() {
  if (byId("clock").value === "off") return undefined;
  const [minutes, increment] = ["minutes", "increment"].map((id) => byId(id).valueAsNumber || 0);
  const seconds = 60 * Math.max(minutes, 0) || 60;
  return { increment: Math.max(increment, 0), white: seconds, black: seconds };
}
