/** The analysis of the shown position: lines, arrows, chances, book and bitbases. */

import { button, byId, element, unbroken } from "./dom.js";
import { rankOf } from "./engine-client.js";
import { movesText, number, scoreText, text } from "./texts.js";

/** Milliseconds between updates of the lines. */
const UPDATE_INTERVAL = 120;

/** Seconds of a search after which its speed is shown. */
const LEAST_TIME = 0.05;

/** White's chances in a finished game, by its result. */
const RESULT_CHANCES = { "2-0": 1, "1-1": 0.5, "0-2": 0 };

export class Analysis {
  #state;
  #hub;
  #api;
  #board;
  #isOn = false;
  /** The last `info` line of each rank. */
  #infos = [];
  #timer = 0;

  constructor({ state, hub, api, board }) {
    this.#state = state;
    this.#hub = hub;
    this.#api = api;
    this.#board = board;
    state.addEventListener("position", () => this.#restart());
    byId("analyse").addEventListener("click", () => this.toggle(!this.#isOn));
    byId("line-count").addEventListener("change", () => this.#restart());
  }

  get isOn() {
    return this.#isOn;
  }

  /** Turns the analysis on or off. */
  toggle(isOn) {
    if (this.#isOn && !isOn) this.#hub.stop();
    this.#isOn = isOn;
    byId("analyse").setAttribute("aria-pressed", String(isOn));
    this.#restart();
  }

  /** Analyses the shown position. */
  #restart() {
    this.#clear();
    this.showChances();
    this.#showPositionInfo();
    if (!this.#isOn || !this.#state.position) return;
    const { hub: position, end } = this.#state.position;
    if (end) return this.#hub.stop();
    this.#hub.search({
      position,
      params: {
        variant: this.#state.variant,
        level: 10,
        multipv: Number(byId("line-count").value),
      },
      level: "infinite",
      mode: "analyze",
      onInfo: (line) => this.#receive(line),
    });
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#infos = [];
    byId("lines").replaceChildren();
    byId("effort").textContent = "";
    this.#board.showArrows([]);
  }

  #receive(line) {
    this.#infos[rankOf(line)] = line;
    this.#timer ||= setTimeout(() => this.#update(), UPDATE_INTERVAL);
  }

  async #update() {
    const { node } = this.#state;
    const infos = Object.values(this.#infos);
    const lines = await this.#api.request("lines", { ...this.#state.fields(), infos });
    // Another position may be shown by now; it has its own timer.
    if (node !== this.#state.node || !this.#timer) return;
    this.#timer = 0;
    this.#show(lines);
  }

  #show(lines) {
    const [best] = lines;
    if (!best) return;
    Object.assign(this.#state.node, { chances: best.chances, score: best.score });
    const count = (nodes) => number(nodes, { notation: "compact", maximumFractionDigits: 1 });
    // The first lines come too soon to tell a speed.
    byId("effort").textContent = text(best.time >= LEAST_TIME ? "effort" : "effort_at_first", {
      depth: best.depth,
      nodes: count(best.nodes),
      speed: count(best.nodes / best.time),
    });
    byId("lines").replaceChildren(...lines.map((line) => this.#item(line)));
    const arrows = lines.filter(({ from }) => from);
    this.#board.showArrows(
      arrows
        .reverse()
        .map(({ from, to, rank }) => ({ from, to, kind: rank === 1 ? "best" : "other" })),
    );
    this.showChances();
    this.#state.dispatchEvent(new Event("chances"));
  }

  #item({ score, text: moves, moves: [first] }) {
    const play = () => {
      const move = this.#state.position.moves.find(({ hub }) => hub === first);
      if (move) this.#state.play(move);
    };
    const shown = scoreText(score);
    const label = text("play_line", { score: shown });
    return element("li", {}, button(shown, play, { "aria-label": label }), " ", ...unbroken(moves));
  }

  /** Shows White's chances as a bar. */
  showChances() {
    const { chances, score } = this.#state.node;
    const bar = byId("bar");
    const share = chances ?? RESULT_CHANCES[this.#state.position?.end?.result] ?? 0.5;
    bar.firstElementChild.style.height = `${100 * share}%`;
    bar.classList.toggle("flipped", this.#board.isFlipped);
    bar.setAttribute(
      "aria-label",
      text("bar", { score: score ? scoreText(score) : "–", percent: Math.round(100 * share) }),
    );
  }

  /** Shows what book and bitbases know. */
  async #showPositionInfo() {
    const { node } = this.#state;
    const { bitbases, book } = await this.#api.request("words", this.#state.fields());
    if (node !== this.#state.node) return;
    const parts = [];
    if (bitbases) {
      const { winner, moves } = bitbases;
      const result = text(winner === "draw" ? "drawn" : `won_${winner}`);
      parts.push(moves ? `${result}, ${movesText(moves)}` : result);
    }
    if (book.length > 0) {
      const moves = book.slice(0, 5).map((known) => `${known.text} ${scoreText(known.score)}`);
      parts.push(text("book", { moves: moves.join(", ") }));
    }
    byId("position-info").replaceChildren(...unbroken(parts.join(". ")));
  }
}
