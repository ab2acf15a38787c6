/** The list of moves, with variations and comments. */

import { button, byId, element } from "./dom.js";
import { number, text } from "./texts.js";
import { markOf, nagTexts } from "./tree.js";

const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

export class MoveList {
  #state;
  /** The buttons by node. */
  #buttons = new Map();

  /** @param {import("./tree.js").ShownGame} state */
  constructor(state) {
    this.#state = state;
    state.addEventListener("moves", () => this.#render());
    state.addEventListener("position", () => this.#highlight());
  }

  #render() {
    this.#buttons.clear();
    const { root } = this.#state;
    const parts = wide(commentElements(root.comments));
    let isRowOpen = false;
    for (let at = root; at.children.length > 0; at = at.children[0]) {
      const [move, ...others] = at.children;
      const isSecond = move.number.endsWith("...");
      if (!isSecond || !isRowOpen) parts.push(...numberCells(move));
      parts.push(this.#button(move, false));
      const below = [
        ...wide(commentElements(move.comments)),
        ...others.map((other) => this.#variation(other)),
      ];
      // What follows a move of the first column is below its row.
      if (below.length > 0 && !isSecond) parts.push(gap());
      parts.push(...below);
      isRowOpen = !isSecond && below.length === 0;
    }
    byId("moves").replaceChildren(...parts);
    this.#highlight();
  }

  /** The moves after a node in a variation; each of its own variations follows the move that it replaces. */
  #line(node, isNumbered) {
    const parts = [];
    let needsNumber = isNumbered;
    for (let at = node; at.children.length > 0; at = at.children[0]) {
      const [move, ...others] = at.children;
      const isNumbered = needsNumber || !move.number.endsWith("...");
      parts.push(this.#button(move, isNumbered), " ", ...commentElements(move.comments));
      for (const other of others) parts.push(this.#variation(other));
      needsNumber = others.length > 0 || move.comments.length > 0;
    }
    return parts;
  }

  #variation(node) {
    return element(
      "div",
      { class: "side-line wide" },
      ...commentElements(node.before),
      this.#button(node, true),
      " ",
      ...commentElements(node.comments),
      ...this.#line(node, node.comments.length > 0),
    );
  }

  /** The button of a move, in a variation with its number where it needs one. */
  #button(node, isNumbered) {
    const parts = isNumbered ? [element("span", { class: "number" }, `${node.number} `)] : [];
    const moveButton = button("", () => this.#state.go(node), { class: "move" });
    moveButton.append(...parts, node.text);
    const marks = [markOf(node), ...nagTexts(node)].filter((mark) => mark);
    moveButton.append(...marks.map((mark) => element("span", { class: markClass(mark) }, mark)));
    this.#buttons.set(node, moveButton);
    return moveButton;
  }

  #highlight() {
    for (const [node, moveButton] of this.#buttons) {
      const isShown = node === this.#state.node;
      moveButton.classList.toggle("now", isShown);
      if (isShown) moveButton.setAttribute("aria-current", "true");
      else moveButton.removeAttribute("aria-current");
      if (isShown) scrollTo(moveButton, byId("moves"));
    }
  }
}

/**
 * What is said of a move: its comments, and the verdict of a review without the better line.
 *
 * @param {import("./tree.js").Node} node
 */
export function remarks({ comments, verdict }) {
  const parts = [...commentElements(comments)];
  if (verdict?.loss !== undefined)
    parts.push(`${text("loses", { points: number(verdict.loss, TWO_DIGITS) })}. `);
  for (const note of verdict?.notes ?? []) parts.push(`${text(`note_${note}`)}. `);
  return parts;
}

/** Scrolls a list until an element of it can be seen; what scrolls with its surroundings only if it must. */
function scrollTo(element, list) {
  if (getComputedStyle(list).overflowY === "visible")
    return element.scrollIntoView({ block: "nearest" });
  const [inner, outer] = [element, list].map((one) => one.getBoundingClientRect());
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

export const markClass = (mark) => ({ "!": "good", "?": "fault" })[mark[0]] ?? "faint";

/** The number of a move that begins a row, with a gap in the first column if it is in the second. */
function numberCells({ number }) {
  const cell = element("span", { class: "number" }, number.replace("...", "."));
  return number.endsWith("...") ? [cell, gap()] : [cell];
}

const gap = () => element("span", { class: "gap", "aria-hidden": "true" }, "…");

/** Elements in a row of their own. */
const wide = (parts) => (parts.length > 0 ? [element("div", { class: "wide" }, ...parts)] : []);

/** Comments as elements, without commands such as `[%eval 0.35]`. */
export const commentElements = (list) =>
  list
    .map((comment) => comment.replace(/\[%[^\]]*\]/g, "").trim())
    .filter((comment) => comment)
    .map((comment) => element("span", { class: "comment" }, `${comment} `));
