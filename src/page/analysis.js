/** The analysis of the position that is shown: lines, arrows, chances, and what is known for certain. */

import { button, byId, element } from "./dom.js";
import { text } from "./texts.js";

/** Milliseconds between two looks at what the engine has found. */
const REST = 120;

/** White's chances in a game that is over, by its result. */
const SHARES = { "2-0": 1, "1-1": 0.5, "0-2": 0 };

export class Analysis {
  #study;
  #hub;
  #desk;
  #board;
  #isOn = false;
  /** The last `info` line of each rank. */
  #infos = [];
  #timer = 0;

  constructor({ study, hub, desk, board }) {
    this.#study = study;
    this.#hub = hub;
    this.#desk = desk;
    this.#board = board;
    study.addEventListener("position", () => this.#begin());
    byId("analyse").addEventListener("click", () => this.turn(!this.#isOn));
    byId("line-count").addEventListener("change", () => this.#begin());
  }

  get isOn() {
    return this.#isOn;
  }

  /** Turns the analysis on or off. */
  turn(isOn) {
    if (this.#isOn && !isOn) this.#hub.stop();
    this.#isOn = isOn;
    byId("analyse").setAttribute("aria-pressed", String(isOn));
    this.#begin();
  }

  /** Another position is shown. */
  #begin() {
    this.#forget();
    this.#showChances();
    this.#askWords();
    if (!this.#isOn || !this.#study.position) return;
    const { hub: position, end } = this.#study.position;
    if (end) return this.#hub.stop();
    this.#hub.search({
      position,
      params: {
        variant: this.#study.variant,
        level: 10,
        multipv: Number(byId("line-count").value),
      },
      level: "infinite",
      mode: "analyze",
      hear: (line) => this.#hear(line),
    });
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#infos = [];
    byId("lines").replaceChildren();
    byId("effort").textContent = "";
    this.#board.point([]);
  }

  #hear(line) {
    this.#infos[Number(/ multipv=(\d+)/.exec(line)?.[1] ?? 1)] = line;
    this.#timer ||= setTimeout(() => this.#look(), REST);
  }

  async #look() {
    const { node } = this.#study;
    const infos = Object.values(this.#infos);
    const lines = await this.#desk.ask("lines", { ...this.#study.place(), infos });
    // Another position may have been chosen meanwhile; that one has its own timer.
    if (node !== this.#study.node || !this.#timer) return;
    this.#timer = 0;
    this.#show(lines);
  }

  #show(lines) {
    const [best] = lines;
    if (!best) return;
    Object.assign(this.#study.node, { chances: best.chances, score: best.score });
    byId("effort").textContent = text("effort", {
      depth: best.depth,
      nodes: (best.nodes / 1e6).toFixed(1),
      speed: best.time > 0 ? (best.nodes / best.time / 1e6).toFixed(1) : "–",
    });
    byId("lines").replaceChildren(...lines.map((line) => this.#item(line)));
    const arrows = lines.filter(({ from }) => from);
    this.#board.point(
      arrows
        .reverse()
        .map(({ from, to, rank }) => ({ from, to, kind: rank === 1 ? "best" : "other" })),
    );
    this.#showChances();
    this.#study.dispatchEvent(new Event("chances"));
  }

  #item({ score, text: moves, moves: [first] }) {
    const play = () => {
      const move = this.#study.position.moves.find(({ hub }) => hub === first);
      if (move) this.#study.play(move);
    };
    return element(
      "li",
      {},
      button(score, play, { "aria-label": text("play_line", { score }) }),
      " ",
      moves,
    );
  }

  /** White's chances as a bar. */
  #showChances() {
    const { chances, score } = this.#study.node;
    const bar = byId("bar");
    const share = chances ?? SHARES[this.#study.position?.end?.result] ?? 0.5;
    bar.firstElementChild.style.height = `${100 * share}%`;
    bar.classList.toggle("flipped", this.#board.isFlipped);
    bar.setAttribute(
      "aria-label",
      text("bar", { score: score ?? "–", percent: Math.round(100 * share) }),
    );
  }

  /** What the book and the bitbases say. */
  async #askWords() {
    const { node } = this.#study;
    const { bitbases, book } = await this.#desk.ask("words", this.#study.place());
    if (node !== this.#study.node) return;
    const parts = [];
    if (bitbases) {
      const { winner, plies } = bitbases;
      const words = text(winner === "draw" ? "drawn" : `won_${winner}`);
      parts.push(plies ? `${words}, ${text("in_plies", { plies })}` : words);
    }
    if (book.length > 0) {
      const moves = book.slice(0, 5).map((known) => `${known.text} ${known.score}`);
      parts.push(text("book", { moves: moves.join(", ") }));
    }
    byId("words").textContent = parts.join(". ");
  }
}
