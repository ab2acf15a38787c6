/** The editor of a game's annotations: comments and move marks, players, event and result. */

import { button, byId, element } from "./dom.js";
import { text } from "./texts.js";
import { markOf } from "./tree.js";

/** The marks of moves; the empty string stands for no mark. */
const MARKS = ["", "!!", "!", "!?", "?!", "?", "??"];
const TAGS = ["White", "Black", "Event", "Site", "Round", "Date"];
const RESULTS = ["*", "2-0", "1-1", "0-2"];
/** Commands in comments, such as `[%eval 0.35]`, which other programs read. */
const COMMANDS = /\[%[^\]]*\]/g;

export class Annotation {
  #state;
  /** The node whose comment and mark are edited. */
  #node = null;
  #mark = "";

  /** @param {import("./game-state.js").GameState} state */
  constructor(state) {
    this.#state = state;
    byId("annotate").addEventListener("click", () => this.#openMove());
    byId("details").addEventListener("click", () => this.#openGame());
    byId("move-form").addEventListener("submit", () => this.#saveMove());
    byId("game-form").addEventListener("submit", () => this.#saveGame());
    for (const id of ["move-dialog", "game-dialog"])
      byId(`${id}-cancel`).addEventListener("click", () => byId(id).close());
  }

  #openMove() {
    const node = this.#state.node;
    this.#node = node;
    const isMove = Boolean(node.parent);
    byId("move-title").textContent = isMove ? `${node.number} ${node.text}` : text("first");
    byId("move-marks").hidden = byId("move-nags-field").hidden = !isMove;
    this.#showMarks(markOf(node));
    byId("move-nags").value = node.nags.map((nag) => `$${nag}`).join(" ");
    byId("move-comment").value = node.comments
      .map((comment) => comment.replace(COMMANDS, "").trim())
      .filter((comment) => comment)
      .join("\n");
    byId("move-dialog").showModal();
    byId("move-comment").focus();
  }

  #showMarks(chosen) {
    this.#mark = chosen;
    const buttons = MARKS.map((mark) =>
      button(mark || "–", () => this.#showMarks(mark), {
        "aria-pressed": String(mark === chosen),
        "aria-label": mark || text("no_mark"),
      }),
    );
    byId("move-marks").replaceChildren(...buttons);
  }

  #saveMove() {
    const node = this.#node;
    const commands = node.comments.flatMap((comment) => comment.match(COMMANDS) ?? []);
    const comment = [...commands, byId("move-comment").value.trim()].filter((part) => part);
    const nags = byId("move-nags").value.match(/\d+/g) ?? [];
    this.#state.annotate(node, {
      ...this.#chosenMark(node),
      nags: nags.map(Number).filter((nag) => nag < 256),
      comments: comment.length > 0 ? [comment.join(" ")] : [],
    });
  }

  /** The chosen mark, which takes the place of that of a review; nothing if it is as before. */
  #chosenMark(node) {
    if (this.#mark === markOf(node)) return {};
    const { verdict } = node;
    return { strength: this.#mark, verdict: verdict && { ...verdict, mark: "" } };
  }

  #openGame() {
    const { tags, result } = this.#state;
    const known = new Map(tags);
    const fields = TAGS.flatMap((tag) => {
      const id = `tag-${tag}`;
      const label = element("label", { for: id }, text(`tag_${tag.toLowerCase()}`));
      return [label, element("input", { id, value: known.get(tag) ?? "", autocomplete: "off" })];
    });
    byId("game-fields").replaceChildren(...fields);
    const results = [...new Set([...RESULTS, result])];
    byId("game-result").replaceChildren(...results.map((value) => element("option", {}, value)));
    byId("game-result").value = result;
    byId("game-dialog").showModal();
  }

  #saveGame() {
    const known = new Map(this.#state.tags);
    const changed = TAGS.map((tag) => [tag, byId(`tag-${tag}`).value.trim()]);
    // Leave out empty tags, except those that the game already had.
    const tags = changed.filter(([tag, value]) => value || known.has(tag));
    this.#state.describe(Object.fromEntries(tags), byId("game-result").value);
  }
}
