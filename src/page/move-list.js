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
      // Comments and variations go below the row. After a move in the first column, fill the
      // second.
      if (below.length > 0 && !isSecond) parts.push(gap());
      parts.push(...below);
      isRowOpen = !isSecond && below.length === 0;
    }
    byId("moves").replaceChildren(...parts);
    this.#highlight();
  }

  /**
   * The moves after a node in a variation. Nested variations follow the moves that they replace.
   */
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

  /** The button of a move. In a variation, it includes the number of the move where needed. */
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
 * The remarks on a move: its comments, and the verdict of a review without the better line.
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

/**
 * Scrolls a list so that an element is visible. If the list itself does not scroll, scrolls the
 * page if necessary, but not while a game is played: its buttons stay in view.
 */
function scrollTo(element, list) {
  if (getComputedStyle(list).overflowY === "visible") {
    if (document.body.dataset.tab !== "play") element.scrollIntoView({ block: "nearest" });
    return;
  }
  const [inner, outer] = [element, list].map((one) => one.getBoundingClientRect());
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

export const markClass = (mark) => ({ "!": "good", "?": "fault" })[mark[0]] ?? "faint";

/** The number at the start of a row, followed by a gap if the first move of the row is Black's. */
function numberCells({ number }) {
  const cell = element("span", { class: "number" }, number.replace("...", "."));
  return number.endsWith("...") ? [cell, gap()] : [cell];
}

const gap = () => element("span", { class: "gap", "aria-hidden": "true" }, "…");

/** Elements that fill a whole row. */
const wide = (parts) => (parts.length > 0 ? [element("div", { class: "wide" }, ...parts)] : []);

/** Comments as elements, without commands such as `[%eval 0.35]`. */
export const commentElements = (list) =>
  list
    .map((comment) => comment.replace(/\[%[^\]]*\]/g, "").trim())
    .filter((comment) => comment)
    .map((comment) => element("span", { class: "comment" }, `${comment} `));
