/** The review of a game: searches every position and marks the moves. */

import { byId, element } from "./dom.js";
import { rankOf } from "./engine-client.js";
import { number, text } from "./texts.js";
import { lineThrough } from "./tree.js";

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
/** Seconds per position. */
const POSITION_TIME = 0.3;

export class Review {
  #state;
  #hub;
  #api;
  #analysis;
  #isOn = false;

  constructor({ state, hub, api, analysis }) {
    this.#state = state;
    this.#hub = hub;
    this.#api = api;
    this.#analysis = analysis;
    byId("review").addEventListener("click", () => (this.#isOn ? this.#stop() : this.#run()));
    state.addEventListener("game", () => {
      this.#stop();
      byId("players").hidden = true;
    });
  }

  #stop() {
    if (this.#isOn) this.#hub.stop();
    this.#isOn = false;
  }

  async #run() {
    const { root, node } = this.#state;
    const nodes = [root, ...lineThrough(node)];
    this.#analysis.toggle(false);
    this.#showProgress(true);
    const searches = await this.#searchAll(nodes);
    this.#showProgress(false);
    if (!searches) return;
    const fields = this.#state.fields(nodes.at(-1));
    const names = ["White", "Black"].map((side) => this.#state.tag(side) || "?");
    const game = await this.#api.request("review", { ...fields, names, searches });
    root.chances = game.chances;
    game.plies.forEach((ply, index) => annotate(nodes[index + 1], ply));
    this.#showPlayers(game.players);
    this.#state.refresh();
  }

  #showProgress(isOn) {
    this.#isOn = isOn;
    byId("progress").hidden = !isOn;
    byId("review").textContent = text(isOn ? "cancel" : "review");
  }

  /** The last `info` line of each rank about each position; `null` if the review was stopped. */
  async #searchAll(nodes) {
    const searches = [];
    const progress = byId("progress");
    progress.max = nodes.length;
    for (const node of nodes) {
      progress.value = searches.length;
      const fields = this.#state.fields(node);
      node.position ??= await this.#api.request("position", fields);
      const lines = new Map();
      const done = node.position.end ? "" : await this.#search(node, lines);
      if (done === null || !this.#isOn) return null;
      searches.push([...lines.values()]);
    }
    return searches;
  }

  #search({ position }, lines) {
    return this.#hub.search({
      position: position.hub,
      params: { variant: this.#state.variant, level: 10, multipv: 2 },
      level: `move-time=${POSITION_TIME}`,
      mode: "analyze",
      onInfo: (line) => lines.set(rankOf(line), line),
    });
  }

  /** Shows accuracy and errors of the players. */
  #showPlayers(players) {
    const row = (kind, cells) => element("tr", {}, ...cells.map((cell) => element(kind, {}, cell)));
    const faults = (kind) => players.map((player) => String(player.faults[kind]));
    const accuracy = players.map((player) =>
      player.accuracy === null ? "–" : `${number(player.accuracy, ONE_DIGIT)} %`,
    );
    const table = byId("players");
    table.replaceChildren(
      row("th", [text("player"), text("white"), text("black")]),
      row("td", [text("accuracy"), ...accuracy]),
      row("td", [text("inaccuracies"), ...faults(0)]),
      row("td", [text("mistakes"), ...faults(1)]),
      row("td", [text("blunders"), ...faults(2)]),
    );
    table.hidden = false;
  }
}

/** Adds the verdict of the review to a node. */
function annotate(node, ply) {
  node.chances = ply.chances;
  node.score = ply.score;
  node.verdict = {
    mark: ply.mark,
    loss: ply.loss,
    better: ply.better?.[0],
    notes: ply.notes ?? [],
  };
}
