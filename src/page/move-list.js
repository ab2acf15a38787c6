/** The moves of a game, with its side lines and what is said about them. */

import { button, byId, element } from "./dom.js";
import { markOf } from "./tree.js";

export class MoveList {
  #study;
  /** The buttons by node. */
  #buttons = new Map();

  /** @param {import("./study.js").Study} study */
  constructor(study) {
    this.#study = study;
    study.addEventListener("moves", () => this.#write());
    study.addEventListener("position", () => this.#mark());
  }

  #write() {
    this.#buttons.clear();
    const { root } = this.#study;
    byId("moves").replaceChildren(...comments(root.comments), ...this.#line(root, true));
    this.#mark();
  }

  /** The moves after a node; side lines come after the move that they replace. */
  #line(node, isNumbered) {
    const parts = [];
    let needsNumber = isNumbered;
    for (let at = node; at.children.length > 0; at = at.children[0]) {
      const [move, ...others] = at.children;
      parts.push(this.#button(move, needsNumber), " ", ...comments(move.comments));
      for (const other of others) parts.push(this.#sideLine(other));
      needsNumber = others.length > 0 || move.comments.length > 0;
    }
    return parts;
  }

  #sideLine(node) {
    const first = this.#button(node, true);
    const line = this.#line(node, node.comments.length > 0);
    const before = comments(node.before);
    return element(
      "span",
      { class: "side-line" },
      "( ",
      ...before,
      first,
      " ",
      ...comments(node.comments),
      ...line,
      ") ",
    );
  }

  #button(node, needsNumber) {
    const isNumbered = needsNumber || !node.number.endsWith("...");
    const parts = isNumbered ? [element("span", { class: "faint" }, `${node.number} `)] : [];
    const made = button("", () => this.#study.go(node), { class: "move" });
    made.append(...parts, node.text);
    const mark = markOf(node);
    if (mark)
      made.append(element("span", { class: mark.startsWith("!") ? "good" : "fault" }, mark));
    this.#buttons.set(node, made);
    return made;
  }

  #mark() {
    for (const [node, made] of this.#buttons) {
      const isShown = node === this.#study.node;
      made.classList.toggle("now", isShown);
      if (isShown) made.setAttribute("aria-current", "true");
      else made.removeAttribute("aria-current");
      if (isShown) scrollTo(made);
    }
  }
}

/** Scrolls the list, not the page. */
function scrollTo(made) {
  const list = byId("moves");
  const [top, bottom] = [
    made.offsetTop - list.offsetTop,
    made.offsetTop - list.offsetTop + made.offsetHeight,
  ];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Comments, without what they tell to programs. */
export const comments = (list) =>
  list
    .map((comment) => comment.replace(/\[%[^\]]*\]/g, "").trim())
    .filter((comment) => comment)
    .map((comment) => element("span", { class: "comment" }, `${comment} `));
