/** The buttons that save pictures of the position and of the game. */

import { byId, download, showNote } from "./dom.js";
import { gifFile, pngFile, svgFile } from "./picture.js";
import { text } from "./texts.js";
import { lineThrough } from "./tree.js";

export class Images {
  #state;
  #api;
  #board;
  #isOn = false;

  constructor({ state, api, board }) {
    this.#state = state;
    this.#api = api;
    this.#board = board;
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("image-svg", () => download(svgFile(byId("picture")), "position.svg"));
    on("image-png", async () => download(await pngFile(byId("picture")), "position.png"));
    on("image-gif", () => (this.#isOn ? (this.#isOn = false) : this.#saveGame()));
  }

  /** Saves the line through the shown position as an animated picture. */
  async #saveGame() {
    const { root, node } = this.#state;
    const nodes = [root, ...lineThrough(node)];
    this.#show(true);
    try {
      const pictures = [];
      for (const [index, at] of nodes.entries()) {
        at.position ??= await this.#api.request("position", this.#state.fields(at));
        const move = index > 0 && nodes[index - 1].position.moves.find(({ hub }) => hub === at.hub);
        const marked = move ? [move.from, move.way.at(-1)] : [];
        pictures.push(this.#board.small(at.position.pieces, marked));
      }
      const file = await gifFile(pictures, (share) => {
        byId("image-progress").value = share;
        return this.#isOn;
      });
      if (file) download(file, "game.gif");
    } catch (error) {
      showNote(text("image_failed", { details: error.message }));
    } finally {
      this.#show(false);
    }
  }

  #show(isOn) {
    this.#isOn = isOn;
    byId("image-progress").hidden = !isOn;
    byId("image-progress").value = 0;
  }
}
