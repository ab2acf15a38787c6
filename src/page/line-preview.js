/** A small board that shows the position after a move of a line, while the move is pointed at. */

import { element } from "./dom.js";

/** The distance of the board from the move, in pixels. */
const GAP = 8;

export class LinePreview {
  #api;
  #board;
  #popup = element("div", { class: "preview", "aria-hidden": "true", hidden: "hidden" });
  /** The element that is pointed at. */
  #target = null;

  constructor({ api, board }) {
    this.#api = api;
    this.#board = board;
    document.body.append(this.#popup);
  }

  /** Shows the position after moves while an element is pointed at or has the focus. */
  attach(target, fields, moves) {
    const show = () => this.#show(target, fields, moves);
    for (const name of ["pointerenter", "focus"]) target.addEventListener(name, show);
    for (const name of ["pointerleave", "blur"]) target.addEventListener(name, () => this.hide());
  }

  hide() {
    this.#target = null;
    this.#popup.hidden = true;
  }

  async #show(target, fields, moves) {
    this.#target = target;
    const request = (played) => ({ ...fields, moves: [...fields.moves, ...played] });
    const [before, after] = await Promise.all([
      this.#api.request("position", request(moves.slice(0, -1))),
      this.#api.request("position", request(moves)),
    ]);
    if (this.#target !== target || !target.isConnected) return;
    const { from, way } = before.moves.find(({ hub }) => hub === moves.at(-1)) ?? {};
    const squares = from ? [from, way.at(-1)] : [];
    this.#popup.replaceChildren(this.#board.small(after.pieces, squares));
    this.#popup.hidden = false;
    this.#place(target.getBoundingClientRect());
  }

  /** Puts the board below the move, or above it if there is no space below. */
  #place({ left, top, bottom }) {
    const { offsetWidth: width, offsetHeight: height } = this.#popup;
    const fits = bottom + GAP + height < innerHeight;
    this.#popup.style.left = `${Math.max(0, Math.min(left, innerWidth - width - GAP))}px`;
    this.#popup.style.top = `${fits ? bottom + GAP : Math.max(0, top - GAP - height)}px`;
  }
}
