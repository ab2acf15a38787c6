/** The review of a game: every position searched, and the moves marked. */

import { byId, element } from "./dom.js";
import { text } from "./texts.js";
import { lineThrough } from "./tree.js";

/** Seconds for each position. */
const SECONDS = 0.3;

export class Review {
  #study;
  #hub;
  #desk;
  #analysis;
  #isOn = false;

  constructor({ study, hub, desk, analysis }) {
    this.#study = study;
    this.#hub = hub;
    this.#desk = desk;
    this.#analysis = analysis;
    byId("review").addEventListener("click", () => (this.#isOn ? this.#stop() : this.#run()));
    study.addEventListener("game", () => {
      this.#stop();
      byId("players").hidden = true;
    });
  }

  #stop() {
    if (this.#isOn) this.#hub.stop();
    this.#isOn = false;
  }

  async #run() {
    const { root, node } = this.#study;
    const nodes = [root, ...lineThrough(node)];
    this.#analysis.turn(false);
    this.#show(true);
    const searches = await this.#searchAll(nodes);
    this.#show(false);
    if (!searches) return;
    const place = this.#study.place(nodes.at(-1));
    const names = ["White", "Black"].map((side) => this.#study.tag(side) || "?");
    const game = await this.#desk.ask("review", { ...place, names, searches });
    root.chances = game.chances;
    game.plies.forEach((ply, index) => annotate(nodes[index + 1], ply));
    this.#showPlayers(game.players);
    this.#study.annotate();
  }

  #show(isOn) {
    this.#isOn = isOn;
    byId("progress").hidden = !isOn;
    byId("review").textContent = text(isOn ? "cancel" : "review");
  }

  /** The `info` lines about each position; `null` if something else came between. */
  async #searchAll(nodes) {
    const searches = [];
    const progress = byId("progress");
    progress.max = nodes.length;
    for (const node of nodes) {
      progress.value = searches.length;
      const place = this.#study.place(node);
      node.position ??= await this.#desk.ask("position", place);
      const lines = [];
      const done = node.position.end ? "" : await this.#search(node, lines);
      if (done === null || !this.#isOn) return null;
      searches.push(lines);
    }
    return searches;
  }

  #search({ position }, lines) {
    return this.#hub.search({
      position: position.hub,
      params: { variant: this.#study.variant, level: 10, multipv: 2 },
      level: `move-time=${SECONDS}`,
      mode: "analyze",
      hear: (line) => lines.push(line),
    });
  }

  /** How the players did. */
  #showPlayers(players) {
    const row = (kind, cells) => element("tr", {}, ...cells.map((cell) => element(kind, {}, cell)));
    const faults = (kind) => players.map((player) => String(player.faults[kind]));
    const accuracy = players.map((player) =>
      player.accuracy === null ? "–" : `${player.accuracy.toFixed(1)} %`,
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

/** Takes what a review says about a move. */
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
