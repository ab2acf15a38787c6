/** A game against the engine. */

import { byId } from "./dom.js";
import { text } from "./texts.js";
import { lineThrough, pathTo } from "./tree.js";

/** Seconds per move at full strength; lower levels need less. */
const MOVE_TIME = 1;

export class Opponent {
  #state;
  #hub;
  /** The search for the next move; `null` while the engine is not thinking. */
  #search = null;

  constructor({ state, hub }) {
    this.#state = state;
    this.#hub = hub;
    state.addEventListener("game", () => this.#showButtons());
    state.addEventListener("position", () => this.#reply());
    byId("play-new").addEventListener("click", () => this.#startGame(true));
    byId("play-here").addEventListener("click", () => this.#startGame(false));
    byId("play-end").addEventListener("click", () => this.end());
    byId("play-back").addEventListener("click", () => this.takeBack());
  }

  /** The side that the engine plays, `null` while there is no game. */
  get side() {
    return this.#state.opponent?.side ?? null;
  }

  async #startGame(isNew) {
    const player = byId("side").value;
    const side = player === "white" ? "black" : "white";
    const level = Number(byId("level").value);
    const names = { [player]: text("you"), [side]: text("engine_at", { level }) };
    const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    const tags = { White: names.white, Black: names.black, Date: date, Result: "*" };
    const state = this.#state;
    state.dispatchEvent(new CustomEvent("side", { detail: player }));
    if (isNew) {
      const options = { tags: Object.entries(tags), opponent: { side, level } };
      return state.startGame(state.variant, "", options);
    }
    state.opponent = { side, level };
    state.result = "*";
    state.setTags(tags);
    this.#showButtons();
    state.dispatchEvent(new Event("moves"));
    await this.#reply(true);
  }

  /** Ends the game, which may be continued by hand. */
  end() {
    if (!this.side) return;
    this.#state.opponent = null;
    this.#showButtons();
    this.#state.dispatchEvent(new Event("moves"));
  }

  /** Takes back the last move of the player, or the last one up to a node. */
  async takeBack(node = lineThrough(this.#state.node).at(-1)) {
    const isPlayers = ({ parent }) => parent.position && parent.position.side !== this.side;
    const last = node && pathTo(node).findLast(isPlayers);
    if (!last) return;
    this.#stop();
    await this.#state.remove(last);
  }

  #showButtons() {
    if (!this.side) this.#stop();
    byId("play-end").hidden = byId("play-back").hidden = !this.side;
  }

  #stop() {
    if (this.#search) this.#hub.stop();
  }

  /**
   * Moves if it is the engine's turn at the end of a line: people may browse earlier moves. At the start
   * of a game from here, it may have continuations.
   */
  async #reply(isStart = false) {
    const { node, position, opponent } = this.#state;
    if (!opponent || !position) return;
    if (position.end) return this.#finish(position.end);
    if (position.side !== opponent.side || (node.children.length > 0 && !isStart)) return;
    const search = this.#hub.search({
      position: position.hub,
      params: { variant: this.#state.variant, level: opponent.level, multipv: 1 },
      level: `move-time=${MOVE_TIME}`,
      mode: "think",
    });
    this.#search = search;
    const best = await search;
    if (this.#search === search) this.#search = null;
    const move = position.moves.find(({ hub }) => hub === best);
    if (move && this.#state.node === node && this.#state.opponent === opponent)
      await this.#state.play(move);
  }

  #finish({ result }) {
    this.end();
    this.#state.finish(result);
  }
}
