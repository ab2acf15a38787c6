/** The players above and below the board, with their clocks and the side to move. */

import { clockText } from "./clock.js";
import { all, byId, element } from "./dom.js";
import { text } from "./texts.js";

export class Players {
  #state;
  #board;
  #clock;

  constructor({ state, board, clock }) {
    this.#state = state;
    this.#board = board;
    this.#clock = clock;
    clock.addEventListener("tick", () => this.#showTimes());
    for (const name of ["game", "moves", "position"])
      state.addEventListener(name, () => this.show());
  }

  /** Shows the players, for example after the board was turned. */
  show() {
    const sides = this.#board.isFlipped ? ["white", "black"] : ["black", "white"];
    this.#showPlayer("player-top", sides[0]);
    this.#showPlayer("player-bottom", sides[1]);
  }

  #showPlayer(id, side) {
    const { position } = this.#state;
    const name = this.#state.tag(side === "white" ? "White" : "Black") || text(side);
    byId(id).classList.toggle(
      "moves",
      Boolean(position && !position.end) && position.side === side,
    );
    byId(id).replaceChildren(
      element("span", { class: `disc ${side}` }),
      element("span", { class: "name" }, name),
      element("span", { class: "clock", "data-side": side }),
    );
    this.#showTimes();
  }

  #showTimes() {
    for (const place of all(".player .clock")) {
      const left = this.#clock.left(place.dataset.side);
      const shown = left === null ? "" : clockText(left);
      if (place.textContent !== shown) place.textContent = shown;
    }
  }
}
