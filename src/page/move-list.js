/** The list of moves, with variations and comments. */

import { button, byId, element } from "./dom.js";
import { markOf } from "./tree.js";

export class MoveList {
  #state;
  /** The buttons by node. */
  #buttons = new Map();

  /** @param {import("./game-state.js").GameState} state */
  constructor(state) {
    this.#state = state;
    state.addEventListener("moves", () => this.#render());
    state.addEventListener("position", () => this.#highlight());
  }

  #render() {
    this.#buttons.clear();
    const { root } = this.#state;
    byId("moves").replaceChildren(...commentElements(root.comments), ...this.#line(root, true));
    this.#highlight();
  }

  /** The moves after a node; each variation follows the move that it replaces. */
  #line(node, isNumbered) {
    const parts = [];
    let needsNumber = isNumbered;
    for (let at = node; at.children.length > 0; at = at.children[0]) {
      const [move, ...others] = at.children;
      parts.push(this.#button(move, needsNumber), " ", ...commentElements(move.comments));
      for (const other of others) parts.push(this.#variation(other));
      needsNumber = others.length > 0 || move.comments.length > 0;
    }
    return parts;
  }

  #variation(node) {
    const first = this.#button(node, true);
    const line = this.#line(node, node.comments.length > 0);
    const before = commentElements(node.before);
    return element(
      "span",
      { class: "side-line" },
      "( ",
      ...before,
      first,
      " ",
      ...commentElements(node.comments),
      ...line,
      ") ",
    );
  }

  #button(node, needsNumber) {
    const isNumbered = needsNumber || !node.number.endsWith("...");
    const parts = isNumbered ? [element("span", { class: "faint" }, `${node.number} `)] : [];
    const moveButton = button("", () => this.#state.go(node), { class: "move" });
    moveButton.append(...parts, node.text);
    const mark = markOf(node);
    if (mark)
      moveButton.append(element("span", { class: mark.startsWith("!") ? "good" : "fault" }, mark));
    this.#buttons.set(node, moveButton);
    return moveButton;
  }

  #highlight() {
    for (const [node, moveButton] of this.#buttons) {
      const isShown = node === this.#state.node;
      moveButton.classList.toggle("now", isShown);
      if (isShown) moveButton.setAttribute("aria-current", "true");
      else moveButton.removeAttribute("aria-current");
      if (isShown) scrollTo(moveButton);
    }
  }
}

/** Scrolls the list, not the page, to an item. */
function scrollTo(item) {
  const list = byId("moves");
  const [top, bottom] = [
    item.offsetTop - list.offsetTop,
    item.offsetTop - list.offsetTop + item.offsetHeight,
  ];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Comments as elements, without commands such as `[%eval 0.35]`. */
export const commentElements = (list) =>
  list
    .map((comment) => comment.replace(/\[%[^\]]*\]/g, "").trim())
    .filter((comment) => comment)
    .map((comment) => element("span", { class: "comment" }, `${comment} `));
