/** A game against the engine. */

import { byId } from "./dom.js";
import { text } from "./texts.js";

/** Seconds per move at full strength; lower levels need less. */
const MOVE_TIME = 1;

export class Opponent {
  #state;
  #hub;
  /** The side that the engine plays, `null` while there is no game. */
  side = null;
  #level = 1;

  constructor({ state, hub }) {
    this.#state = state;
    this.#hub = hub;
    state.addEventListener("position", () => this.#reply());
    byId("play-new").addEventListener("click", () => this.#startGame(true));
    byId("play-here").addEventListener("click", () => this.#startGame(false));
    byId("play-end").addEventListener("click", () => this.end());
  }

  async #startGame(isNew) {
    const player = byId("side").value;
    this.#level = Number(byId("level").value);
    this.side = player === "white" ? "black" : "white";
    byId("play-end").hidden = false;
    const names = { [player]: text("you"), [this.side]: text("engine_at", { level: this.#level }) };
    const tags = [
      ["White", names.white],
      ["Black", names.black],
      ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
    ];
    this.#state.dispatchEvent(new CustomEvent("side", { detail: player }));
    if (isNew) await this.#state.startGame(this.#state.variant, "", tags);
    else this.#reply();
  }

  /** Ends the game, which may be continued by hand. */
  end() {
    if (!this.side) return;
    this.side = null;
    this.#hub.stop();
    byId("play-end").hidden = true;
  }

  /** Moves if it is the engine's turn at the end of a line: people may browse earlier moves. */
  async #reply() {
    const { node, position, variant } = this.#state;
    if (!this.side || !position) return;
    if (position.end) return this.#finish(position.end);
    if (position.side !== this.side || node.children.length > 0) return;
    const best = await this.#hub.search({
      position: position.hub,
      params: { variant, level: this.#level, multipv: 1 },
      level: `move-time=${MOVE_TIME}`,
      mode: "think",
    });
    const move = position.moves.find(({ hub }) => hub === best);
    if (move && this.#state.node === node && this.side === position.side)
      await this.#state.play(move);
  }

  #finish({ result }) {
    this.end();
    this.#state.finish(result);
  }
}
