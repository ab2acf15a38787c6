/** Setting up a position. */

import { byId, drawn, element } from "./dom.js";
import { text } from "./texts.js";

/** The pieces to put on the board; a dot takes one off. */
const PALETTE = ["w", "W", "b", "B", "."];
const NAMES = { w: "white_man", W: "white_king", b: "black_man", B: "black_king", ".": "empty" };

export class Setup {
  #study;
  #desk;
  #board;
  #pieces = "";
  #piece = "w";
  isOn = false;

  constructor({ study, desk, board }) {
    this.#study = study;
    this.#desk = desk;
    this.#board = board;
    byId("set-up").addEventListener("click", () => this.#turn(true));
    byId("setup-cancel").addEventListener("click", () => this.#turn(false));
    byId("setup-done").addEventListener("click", () => this.#take());
    byId("setup-clear").addEventListener("click", () =>
      this.#show(".".repeat(this.#pieces.length)),
    );
    byId("setup-start").addEventListener("click", () => this.#showStart());
    byId("palette").addEventListener("keydown", (event) => this.#key(event));
  }

  /** Puts the chosen piece on a square, or takes it off again. */
  choose(square) {
    if (!square) return;
    const index = square - 1;
    const piece = this.#pieces[index] === this.#piece ? "." : this.#piece;
    this.#show(this.#pieces.slice(0, index) + piece + this.#pieces.slice(index + 1));
  }

  #turn(isOn) {
    this.isOn = isOn;
    byId("setup").hidden = !isOn;
    byId("panels").classList.toggle("in-setup", isOn);
    byId("setup-error").textContent = "";
    if (!isOn) return this.#study.annotate();
    this.#study.dispatchEvent(new Event("setup"));
    const { pieces, side } = this.#study.position;
    byId("setup-side").value = side;
    this.#drawPalette();
    this.#show(pieces);
    byId("setup").scrollIntoView({ block: "nearest" });
  }

  #show(pieces) {
    this.#pieces = pieces;
    this.#board.mark({});
    this.#board.point([]);
    this.#board.show(pieces);
  }

  async #showStart() {
    const { pieces, side } = await this.#desk.ask("position", { variant: this.#study.variant });
    byId("setup-side").value = side;
    this.#show(pieces);
  }

  async #take() {
    const { variant } = this.#study;
    const side = byId("setup-side").value;
    try {
      const { fen } = await this.#desk.ask("setup", { variant, side, pieces: this.#pieces });
      await this.#study.begin(variant, fen);
      this.#turn(false);
    } catch (error) {
      byId("setup-error").textContent = error.message;
    }
  }

  #drawPalette() {
    byId("palette").replaceChildren(...PALETTE.map((piece) => this.#swatch(piece)));
  }

  #swatch(piece) {
    const isChosen = piece === this.#piece;
    const picture = drawn("svg", { viewBox: "-25 -25 50 50", "aria-hidden": "true" });
    if (piece !== ".") picture.append(drawn("use", { href: `#piece-${piece}` }));
    else picture.append(drawn("path", { class: "erase", d: "M-12 -12L12 12M-12 12L12 -12" }));
    const onclick = () => this.#pick(piece);
    const attributes = {
      type: "button",
      role: "radio",
      "aria-checked": String(isChosen),
      "aria-label": text(NAMES[piece]),
      tabindex: isChosen ? "0" : "-1",
      onclick,
    };
    return element("button", attributes, picture);
  }

  #pick(piece) {
    this.#piece = piece;
    this.#drawPalette();
    byId("palette").querySelector("[aria-checked=true]").focus();
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const place = PALETTE.indexOf(this.#piece) + step + PALETTE.length;
    this.#pick(PALETTE[place % PALETTE.length]);
  }
}
