/** A game against the engine. */

import { byId } from "./dom.js";
import { text } from "./texts.js";

/** Seconds for a move at full strength; lower levels need less. */
const SECONDS = 1;

export class Opponent {
  #study;
  #hub;
  #desk;
  /** The side that the engine plays, `null` while there is no game. */
  side = null;
  #level = 1;

  constructor({ study, hub }) {
    this.#study = study;
    this.#hub = hub;
    study.addEventListener("position", () => this.#reply());
    byId("play-new").addEventListener("click", () => this.#begin(true));
    byId("play-here").addEventListener("click", () => this.#begin(false));
    byId("play-end").addEventListener("click", () => this.end());
  }

  async #begin(isNew) {
    const person = byId("side").value;
    this.#level = Number(byId("level").value);
    this.side = person === "white" ? "black" : "white";
    byId("play-end").hidden = false;
    const names = { [person]: text("you"), [this.side]: text("engine_at", { level: this.#level }) };
    const tags = [
      ["White", names.white],
      ["Black", names.black],
      ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
    ];
    this.#study.dispatchEvent(new CustomEvent("seat", { detail: person }));
    if (isNew) await this.#study.begin(this.#study.variant, "", tags);
    else this.#reply();
  }

  /** Ends the game; it can go on by hand. */
  end() {
    if (!this.side) return;
    this.side = null;
    this.#hub.stop();
    byId("play-end").hidden = true;
  }

  /** Moves if it is the engine's turn at the end of a line: people may look back. */
  async #reply() {
    const { node, position, variant } = this.#study;
    if (!this.side || !position) return;
    if (position.end) return this.#finish(position.end);
    if (position.side !== this.side || node.children.length > 0) return;
    const wanted = await this.#hub.search({
      position: position.hub,
      params: { variant, level: this.#level, multipv: 1 },
      level: `move-time=${SECONDS}`,
      mode: "think",
    });
    const move = position.moves.find(({ hub }) => hub === wanted);
    if (move && this.#study.node === node && this.side === position.side)
      await this.#study.play(move);
  }

  #finish({ result }) {
    this.end();
    this.#study.finish(result);
  }
}
