/** The analysis of the shown position: lines, arrows, chances, threat, book and bitbases. */

import { button, byId, element } from "./dom.js";
import { rankOf } from "./engine-client.js";
import { LinePreview } from "./line-preview.js";
import { settings } from "./settings.js";
import { movesText, number, scoreText, text } from "./texts.js";

/** Milliseconds between updates of the lines. */
const UPDATE_INTERVAL = 120;

/** The minimum search time, in seconds, for showing the speed. */
const LEAST_TIME = 0.05;

/** White's chances in a finished game, by its result. */
const RESULT_CHANCES = { "2-0": 1, "1-1": 0.5, "0-2": 0 };

/** The maximum number of book moves shown. */
const MAX_BOOK = 8;

/** Whether a word of a line is a move number. */
const isNumber = (word) => /^\d+\.+$/.test(word);

export class Analysis {
  #state;
  #hub;
  #api;
  #board;
  #preview;
  #isOn = false;
  #isThreat = false;
  /** The last `info` line of each rank. */
  #infos = [];
  /** The lines that are shown. */
  #lines = [];
  /**
   * The request fields of the searched position, which for the threat is the position after a pass.
   */
  #fields = {};
  #timer = 0;
  /** Whether the lines of the engine are shown, or will be when a request is answered. */
  #isUpdated = true;

  constructor({ state, hub, api, board }) {
    this.#state = state;
    this.#hub = hub;
    this.#api = api;
    this.#board = board;
    this.#preview = new LinePreview({ api, board });
    byId("line-count").value = settings.get("lines");
    state.addEventListener("position", () => {
      this.#isThreat = false;
      this.#restart();
    });
    byId("analyse").addEventListener("click", () => this.toggle(!this.#isOn));
    byId("threat").addEventListener("click", () => this.toggleThreat());
    byId("line-count").addEventListener("change", () => {
      settings.set("lines", byId("line-count").value);
      this.#restart();
    });
  }

  get isOn() {
    return this.#isOn;
  }

  /** Turns the analysis on or off. */
  toggle(isOn) {
    if (this.#isOn && !isOn) this.#hub.stop();
    this.#isOn = isOn;
    this.#isThreat &&= isOn;
    this.#restart();
  }

  /** Switches between the analysis and the threat, i.e. what the opponent would play now. */
  toggleThreat() {
    this.#isThreat = !this.#isThreat;
    this.#isOn ||= this.#isThreat;
    this.#restart();
  }

  /** Plays the best move found so far; starts the analysis if there is none. */
  playBest() {
    const [best] = this.#isThreat ? [] : this.#lines;
    if (best) return this.#state.playLine(best.moves.slice(0, 1));
    if (!this.#isOn) this.toggle(true);
  }

  /** Analyses the shown position. */
  async #restart() {
    this.#clear();
    this.showChances();
    this.#showPositionInfo();
    const { node, position, variant } = this.#state;
    if (!this.#isOn || !position) return;
    if (position.end) return this.#hub.stop();
    const isThreat = this.#isThreat;
    // The running search must send no more lines while the threat waits for its position.
    if (isThreat) this.#hub.stop();
    this.#fields = isThreat
      ? { variant, start: passed(position.fen), moves: [] }
      : this.#state.fields();
    const searched = isThreat ? await this.#passedPosition() : position;
    if (node !== this.#state.node || isThreat !== this.#isThreat) return;
    if (!searched || searched.end) return this.#hub.stop();
    this.#hub.search({
      position: searched.hub,
      params: {
        variant,
        multipv: isThreat ? 1 : Number(byId("line-count").value),
      },
      level: "infinite",
      mode: "analyze",
      onInfo: (line) => this.#receive(line),
    });
  }

  /** The position with the other side to move; `null` if it is invalid. */
  #passedPosition() {
    return this.#api.request("position", this.#fields).catch(() => null);
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#infos = [];
    this.#lines = [];
    this.#preview.hide();
    byId("analyse").setAttribute("aria-pressed", String(this.#isOn));
    byId("threat").setAttribute("aria-pressed", String(this.#isThreat));
    byId("lines").style.setProperty("--rows", byId("line-count").value);
    for (const id of ["lines", "effort", "score", "best-line"]) this.#empty(byId(id));
    this.#board.showArrows([]);
  }

  #empty(place) {
    place.replaceChildren();
    delete place.dataset.content;
  }

  #receive(line) {
    this.#infos[rankOf(line)] = line;
    this.#isUpdated = false;
    this.#timer ||= setTimeout(() => this.#update(), UPDATE_INTERVAL);
  }

  async #update() {
    const infos = this.#infos;
    this.#isUpdated = true;
    const fields = { ...this.#fields, infos: Object.values(infos) };
    // After a refused request, the lines that follow are requested as usual.
    const lines = await this.#api.request("lines", fields).catch(() => []);
    // A different position may have become current; it has its own timer.
    if (infos !== this.#infos) return;
    // No other line may follow those that arrived during the request.
    this.#timer = this.#isUpdated ? 0 : setTimeout(() => this.#update(), UPDATE_INTERVAL);
    this.#show(lines);
  }

  #show(lines) {
    const [best] = lines;
    if (!best) return;
    this.#lines = lines;
    const score = scoreText(best.score);
    byId("score").textContent = score;
    // On a narrow screen, the best line is shown directly below the board.
    this.#fillRow(byId("best-line"), best);
    byId("effort").textContent = this.#isThreat ? text("threat") : effortText(best);
    const list = byId("lines");
    lines.forEach((line, index) => {
      this.#fillRow(list.children[index] ?? list.appendChild(element("li")), line);
    });
    while (list.children.length > lines.length) list.lastElementChild.remove();
    const kind = (rank) => (this.#isThreat ? "threat" : rank === 1 ? "best" : "other");
    const arrows = lines.filter(({ from }) => from).reverse();
    this.#board.showArrows(arrows.map(({ from, to, rank }) => ({ from, to, kind: kind(rank) })));
    if (this.#isThreat) return;
    Object.assign(this.#state.node, { chances: best.chances, score: best.score });
    this.showChances();
    this.#state.dispatchEvent(new Event("chances"));
  }

  /** Shows a line in a row, unless the row already shows it or is pointed at. */
  #fillRow(row, line) {
    const content = `${line.score} ${line.text}`;
    if (row.dataset.content === content || (row.dataset.content && isPointedAt(row))) return;
    row.dataset.content = content;
    row.replaceChildren(...this.#rowParts(line));
  }

  #rowParts({ score, text: words, moves }) {
    const shown = scoreText(score);
    const label = text("play_line", { score: shown });
    const attributes = { class: "line-score", "aria-label": label };
    const parts = [button(shown, () => this.#play(moves.slice(0, 1)), attributes)];
    let count = 0;
    for (const word of words.split(/\s+/)) {
      if (isNumber(word)) parts.push(element("span", { class: "faint" }, ` ${word}`));
      else parts.push(this.#moveButton(word, moves.slice(0, ++count)));
    }
    return parts;
  }

  /**
   * The button of a move: a click plays the line up to the move, pointing at it shows the position.
   */
  #moveButton(word, moves) {
    const made = button(word, () => this.#play(moves), { class: "unbroken" });
    this.#preview.attach(made, this.#fields, moves);
    return made;
  }

  #play(moves) {
    if (!this.#isThreat) this.#state.playLine(moves);
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

  /** Shows what the book and the bitbases say about the position. */
  async #showPositionInfo() {
    const { node } = this.#state;
    const { bitbases, book } = await this.#api.request("words", this.#state.fields());
    if (node !== this.#state.node) return;
    const parts = [];
    if (bitbases) {
      const { winner, moves } = bitbases;
      const result = text(winner === "draw" ? "drawn" : `won_${winner}`);
      parts.push(moves ? `${result}, ${movesText(moves)} ` : `${result} `);
    }
    if (book.length > 0) parts.push(`${text("book")} `);
    for (const known of book.slice(0, MAX_BOOK)) {
      const play = () => this.#state.playLine([known.hub]);
      const label = [known.text, " ", element("span", { class: "faint" }, scoreText(known.score))];
      parts.push(element("button", { type: "button", onclick: play }, ...label));
    }
    byId("position-info").replaceChildren(...parts);
  }
}

/** The depth and speed of a search; empty if the result is known without one. */
function effortText({ depth, nodes, time, score }) {
  if (nodes === 0 || score.includes("#")) return "";
  const count = (value) => number(value, { notation: "compact", maximumFractionDigits: 1 });
  // The first lines come too early for a meaningful speed.
  return text(time >= LEAST_TIME ? "effort" : "effort_at_first", {
    depth,
    nodes: count(nodes),
    speed: count(nodes / time),
  });
}

/** A position with the other side to move, as FEN. */
const passed = (fen) => (fen.startsWith("W") ? "B" : "W") + fen.slice(1);

/**
 * Whether the mouse or the keyboard focus is on a row. Without a mouse, `:hover` is ignored,
 * because it outlasts the touch.
 */
const isPointedAt = (row) =>
  row.querySelector(":focus-visible") ||
  (matchMedia("(hover: hover)").matches && row.matches(":hover"));
