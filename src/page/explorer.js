/**
 * The explorer: the moves that were played in the shown position in the games of the opened file.
 * The score of a move comes from the game on the board, or else from the file, or from the book.
 */

import { byId, element } from "./dom.js";
import { number, scoreText, text } from "./texts.js";
import { scoreOf } from "./tree.js";

const PERCENT = { style: "percent", maximumFractionDigits: 0 };

export class Explorer {
  #state;
  #collection;
  /** The number of the latest request, which supersedes earlier ones. */
  #latest = 0;

  constructor({ state, collection }) {
    this.#state = state;
    this.#collection = collection;
    state.addEventListener("position", () => this.#update());
    collection.addEventListener("open", () => this.#update());
  }

  async #update() {
    const latest = ++this.#latest;
    const { isOpen, progress } = this.#collection;
    if (!isOpen || progress < 1 || !this.#state.position) return this.#show(null);
    const explored = await this.#collection.explore(this.#state.fields()).catch(() => null);
    if (latest === this.#latest) this.#show(explored);
  }

  #show(explored) {
    byId("explorer").hidden = !explored;
    if (!explored) return;
    const { games, moves } = explored;
    byId("explorer-title").textContent = text("explorer_games", {
      name: this.#collection.name,
      count: number(games),
    });
    byId("explorer-moves").replaceChildren(...moves.map((move) => this.#row(move, games)));
  }

  #row({ hub, text: words, games, white, draws, black, score: elsewhere }, all) {
    const play = () => this.#state.playLine([hub]);
    const played = this.#state.node.children.find((child) => child.hub === hub);
    const score = (played && scoreOf(played)) || elsewhere;
    const known = white + draws + black;
    const share = (count) => number(count / known, PERCENT);
    const part = (kind, count) => {
      const made = element("span", { class: kind }, count / known >= 0.15 ? share(count) : "");
      made.style.flexGrow = String(count);
      return made;
    };
    const label = known
      ? text("explorer_results", { white: share(white), draws: share(draws), black: share(black) })
      : "";
    const results = element(
      "div",
      { class: "results", role: "img", "aria-label": label, title: label },
      ...(known ? [part("white", white), part("draws", draws), part("black", black)] : []),
    );
    return element(
      "tr",
      {},
      element("td", {}, element("button", { type: "button", onclick: play }, words)),
      element("td", {}, number(games)),
      element("td", { class: "faint" }, number(games / all, PERCENT)),
      element("td", {}, results),
      element("td", {}, score ? scoreText(score) : ""),
    );
  }
}
