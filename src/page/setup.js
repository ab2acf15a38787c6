/** The editor of positions. */

import { byId, drawn, element } from "./dom.js";
import { showFenError } from "./files.js";
import { errorText, text } from "./texts.js";

/** The pieces to place; a dot removes one. */
const PALETTE = ["w", "W", "b", "B", "."];
const NAMES = { w: "white_man", W: "white_king", b: "black_man", B: "black_king", ".": "empty" };

export class Setup {
  #state;
  #api;
  #board;
  #tabs;
  #pieces = "";
  #fenRequests = 0;
  #piece = "w";
  /** The unfinished position when another tab was chosen, and the node shown then. */
  #draft = null;
  isOn = false;

  constructor({ state, api, board, tabs }) {
    this.#state = state;
    this.#api = api;
    this.#board = board;
    this.#tabs = tabs;
    tabs.addEventListener("tab", () => {
      if (tabs.now === "setup") this.start();
      else if (this.isOn) this.#end();
    });
    byId("setup-cancel").addEventListener("click", () => this.#cancel());
    byId("setup-side").addEventListener("change", () => this.#showFen());
    byId("setup-done").addEventListener("click", () => this.#apply());
    byId("setup-clear").addEventListener("click", () =>
      this.#show(".".repeat(this.#pieces.length)),
    );
    byId("setup-start").addEventListener("click", () => this.#showStart());
    byId("palette").addEventListener("keydown", (event) => this.#key(event));
  }

  /** Places the chosen piece on a square, or removes it if it is already there. */
  choose(square) {
    if (!square) return;
    this.#put(square, this.#pieces[square - 1] === this.#piece ? "." : this.#piece);
  }

  /** Moves a piece to another square, or off the board; a click places the chosen piece. */
  release(from, to) {
    if (from === to) return this.choose(from);
    const piece = this.#pieces[from - 1];
    if (piece === ".") return;
    this.#put(from, ".");
    if (to) this.#put(to, piece);
  }

  #put(square, piece) {
    this.#show(this.#pieces.slice(0, square - 1) + piece + this.#pieces.slice(square));
  }

  #toggle(isOn) {
    this.isOn = isOn;
    byId("setup-error").textContent = "";
    this.#draft = null;
  }

  #cancel() {
    this.#tabs.select("analyse");
    this.#draft = null;
  }

  #end() {
    this.#toggle(false);
    this.#draft = {
      node: this.#state.node,
      pieces: this.#pieces,
      side: byId("setup-side").value,
    };
    this.#state.refresh();
  }

  /**
   * Starts editing the shown position, or goes on with the unfinished one. Also called when a
   * different game is loaded meanwhile.
   */
  start() {
    const { node, position } = this.#state;
    if (!position) return;
    const { pieces, side } = this.#draft?.node === node ? this.#draft : position;
    this.#toggle(true);
    this.#state.dispatchEvent(new Event("setup"));
    byId("setup-side").value = side;
    this.#drawPalette();
    this.#show(pieces);
  }

  #show(pieces) {
    this.#pieces = pieces;
    showFenError("");
    this.#board.mark({});
    this.#board.showArrows([]);
    this.#board.showShapes([]);
    this.#board.show(pieces);
    this.#showFen();
  }

  /**
   * Shows the position as FEN if it is valid, unless the position has changed again or the FEN has
   * been edited in the meantime. While the field has the focus it waits: a change would undo a
   * selection that is about to be replaced.
   */
  async #showFen() {
    const request = ++this.#fenRequests;
    const field = byId("fen");
    const typed = field.value;
    const { fen } = await this.#request().catch(() => ({ fen: "" }));
    const show = () => {
      const isCurrent = this.isOn && request === this.#fenRequests && typed === field.value;
      if (isCurrent && fen) field.value = fen;
    };
    if (document.activeElement === field) field.addEventListener("blur", show, { once: true });
    else show();
  }

  #request() {
    const { variant } = this.#state;
    const side = byId("setup-side").value;
    return this.#api.request("setup", { variant, side, pieces: this.#pieces });
  }

  async #showStart() {
    const { pieces, side } = await this.#api.request("position", { variant: this.#state.variant });
    byId("setup-side").value = side;
    this.#show(pieces);
  }

  async #apply() {
    if (byId("fen").getAttribute("aria-invalid") === "true") return byId("fen").focus();
    try {
      const { fen } = await this.#request();
      this.#toggle(false);
      await this.#state.startGame(this.#state.variant, fen);
      this.#tabs.select("analyse");
    } catch (error) {
      byId("setup-error").textContent = errorText(error.message);
    }
  }

  #drawPalette() {
    byId("palette").replaceChildren(...PALETTE.map((piece) => this.#paletteButton(piece)));
  }

  #paletteButton(piece) {
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
    const index = PALETTE.indexOf(this.#piece) + step + PALETTE.length;
    this.#pick(PALETTE[index % PALETTE.length]);
  }
}
