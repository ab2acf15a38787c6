/** The review of a game: searches every position and marks the moves. */

import { accuracyRows } from "./accuracy.js";
import { byId } from "./dom.js";
import { Connection, HubClient, depthOf, isServed, rankOf } from "./engine-client.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";
import { lineText, lineThrough } from "./tree.js";

/** The maximum number of engines that search. */
const MAX_WORKERS = 4;
/**
 * The share of the time for the first search of each position; the rest is for confirming marks.
 */
const FIRST_SHARE = 0.5;

export class Review {
  #state;
  #hub;
  #api;
  #analysis;
  #isOn = false;
  /** The clients of all engines that search. */
  #hubs = [];
  /**
   * The depth of a shallow search, which finds only obvious moves, in plies, as reported by the
   * engine.
   */
  shallowDepth = 0;

  constructor({ state, hub, api, analysis }) {
    this.#state = state;
    this.#hub = hub;
    this.#api = api;
    this.#analysis = analysis;
    byId("review-time").value = settings.get("reviewTime");
    byId("review-time").addEventListener("change", () =>
      settings.set("reviewTime", byId("review-time").value),
    );
    byId("review").addEventListener("click", () => (this.#isOn ? this.stop() : this.run()));
    state.addEventListener("game", () => this.stop());
    state.addEventListener("moves", () => this.#showPlayers());
  }

  /** Stops the review. */
  stop() {
    if (this.#isOn) for (const hub of this.#hubs) hub.stop();
    this.#isOn = false;
  }

  /**
   * Reviews the line of the game through the shown position. Returns whether the review was
   * finished.
   */
  async run() {
    const { root, node } = this.#state;
    const nodes = [root, ...lineThrough(node)];
    this.#analysis.toggle(false);
    this.#showProgress(true);
    const helpers = await Promise.all(helperEngines());
    this.#hubs = [this.#hub, ...helpers.map(({ hub }) => hub)];
    const searches = await this.#searchGame(nodes);
    for (const { connection } of helpers) connection.close();
    this.#showProgress(false);
    if (!searches) return false;
    const fields = this.#state.fields(nodes.at(-1));
    const names = ["White", "Black"].map((side) => this.#state.tag(side) || "?");
    const game = await this.#api.request("review", { ...fields, names, searches });
    Object.assign(root, { chances: game.chances, players: game.players });
    game.plies.forEach((ply, index) => annotate(nodes[index + 1], ply));
    this.#state.refresh();
    return true;
  }

  #showProgress(isOn) {
    this.#isOn = isOn;
    byId("progress").hidden = !isOn;
    byId("review-time").hidden = isOn;
    byId("review").querySelector("[data-text]").textContent = text(isOn ? "cancel" : "review");
  }

  /**
   * Searches the positions of a game. Positions on which marks depend are searched again for
   * longer, as requested by the engine. Uses at most the chosen time per position on average.
   * Returns the last `info` lines for each position; `null` if the review was stopped.
   */
  async #searchGame(nodes) {
    const time = Number(byId("review-time").value);
    const first = time * FIRST_SHARE;
    const progress = byId("progress");
    [progress.value, progress.max] = [0, nodes.length * time];
    const searches = nodes.map(() => []);
    const rounds = nodes.map(() => 0);
    let due = { round: 0, plies: [...nodes.keys()], factor: 1 };
    let left = nodes.length * time;
    while (due) {
      const { plies, factor } = due;
      const seconds = Math.min(first * factor, left / plies.length);
      if (seconds < first) break;
      left -= seconds * plies.length;
      const isFresh = due.round > 0;
      if (!(await this.#searchAll(nodes, plies, searches, { seconds, isFresh }))) return null;
      for (const ply of plies) rounds[ply] = due.round;
      const fields = this.#state.fields(nodes.at(-1));
      due = await this.#api.request("confirm", { ...fields, searches, rounds });
    }
    return searches;
  }

  /**
   * Searches the positions at some plies. Each engine takes the next position as soon as it is
   * free. Returns `false` if the review was stopped before all were searched.
   */
  async #searchAll(nodes, plies, searches, effort) {
    const waiting = [...plies];
    const searchWith = async (hub) => {
      while (waiting.length > 0 && this.#isOn) {
        const index = waiting.shift();
        const lines = await this.#search(hub, nodes[index], effort);
        if (lines) {
          searches[index] = lines;
          byId("progress").value += effort.seconds;
        } else if (hub === this.#hub) this.#isOn = false;
        // A helper that has stopped leaves its position to the others.
        else return waiting.unshift(index);
      }
    };
    await Promise.all(this.#hubs.map(searchWith));
    await searchWith(this.#hub);
    return this.#isOn;
  }

  /** The last `info` line of each rank for a position; `null` if the search was superseded. */
  async #search(hub, node, { seconds, isFresh }) {
    node.position ??= await this.#api.request("position", this.#state.fields(node));
    const { end, moves, hub: position } = node.position;
    const isForced = moves.length === 1 && node.children.length > 0;
    if (end || isForced) return [];
    const lines = new Map();
    const move = await hub.search({
      position,
      params: { variant: this.#state.variant, multipv: 2 },
      // An engine with several threads needs a fraction of the time.
      level: `move-time=${seconds / hub.threads}`,
      mode: "analyze",
      isFresh,
      onInfo: (line) => {
        // Keep the best line at shallow depth: a move that it already finds counts as obvious.
        if (rankOf(line) === 1 && depthOf(line) <= this.shallowDepth) lines.set("shallow", line);
        lines.set(rankOf(line), line);
      },
    });
    return move === null ? null : [...lines.values()];
  }

  /** Shows the accuracy and the errors of the players, if the game is reviewed. */
  #showPlayers() {
    const { players } = this.#state.root;
    byId("players").replaceChildren(...(players ? accuracyRows(players) : []));
    byId("players").hidden = !players;
  }
}

/**
 * Starts helper engines, one for each processor beyond the first, because a worker uses only one.
 * If a program serves the page, its engine uses all processors, and no helpers are needed.
 */
function helperEngines() {
  const count = isServed() ? 0 : Math.min(navigator.hardwareConcurrency ?? 1, MAX_WORKERS) - 1;
  return Array.from({ length: count }, helperEngine);
}

/** Starts a helper engine. Resolves once it can be used. */
function helperEngine() {
  return new Promise((resolve) => {
    const connection = new Connection({
      onOpen: () => {
        hub.restart();
        resolve({ connection, hub });
      },
      onLine: (line) => hub.receive(line),
      onLost: () => hub.restart(),
    });
    const hub = new HubClient((line) => connection.send(line), console.error);
    connection.open();
  });
}

/** Adds the verdict of the review to a node. */
function annotate(node, ply) {
  node.chances = ply.chances;
  node.score = ply.score;
  node.verdict = {
    mark: ply.mark,
    loss: ply.loss,
    better: ply.better && lineText(ply.better),
    line: ply.better?.map(({ move }) => move.hub),
    notes: ply.notes ?? [],
  };
}
