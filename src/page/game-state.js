/** The game on the board and the position shown. */

import { pdnOf } from "./pdn.js";
import {
  childOf,
  dataOf,
  newRoot,
  nodesFrom,
  nodesOf,
  pathTo,
  promote,
  remove,
  treeOf,
} from "./tree.js";

/** How many changes can be undone. */
const MAX_UNDO = 100;

/**
 * Emits `game` when a different game is loaded, `replaced` as well if the previous game had moves,
 * `moves` when the moves change, and `position` when a different position is shown.
 */
export class GameState extends EventTarget {
  #api;
  variant = "international";
  /** A FEN, empty for the start position. */
  start = "";
  /** PDN tags: names and values. */
  tags = [];
  result = "*";
  /** The engine as a player, `{ side, level, elo }`; `null` while there is no game against it. */
  opponent = null;
  /** Which game of an opened file this is, as the list of games describes it; `null` if none. */
  source = null;
  /** Whether the game was opened from a link. */
  isFromLink = false;
  root = newRoot();
  /** The node of the position shown. */
  node = this.root;
  /** Whether the position was reached by one move from the one shown before. */
  isStep = false;
  /** The game before each change, as data with its source. */
  #undo = [];
  /** The PDN tags that name the variants, by variant. */
  gameTags = new Map();

  /** @param {import("./engine-client.js").PageApi} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  /** The position that is shown, as the engine describes it. */
  get position() {
    return this.node.position;
  }

  /** The fields of requests about the position at a node. */
  fields(node = this.node) {
    return { variant: this.variant, start: this.start, moves: pathTo(node).map(({ hub }) => hub) };
  }

  /** The value of a tag; empty if unknown. */
  tag(name) {
    const value = this.tags.find(([known]) => known === name)?.[1] ?? "";
    return value === "?" ? "" : value;
  }

  /** Sets tags, given as an object. */
  setTags(values) {
    this.tags = [...new Map([...this.tags, ...Object.entries(values)])];
  }

  /** Starts a game without moves. Fails with the engine's message if the FEN is invalid. */
  async startGame(variant, start = "", { tags = [], opponent = null } = {}) {
    await this.#set({ variant, start, tags, opponent, result: "*", root: newRoot() });
  }

  /** Plays on against the engine, in a copy of the game with the given tags. */
  playOn(tags, opponent) {
    this.remember();
    Object.assign(this, { tags, opponent, result: "*", isFromLink: false, source: null });
    this.#emit("game", "moves");
  }

  /** Loads a game as read by the engine. Ends any game against the engine. */
  async load({ variant, start, tags, result, line }) {
    await this.#set({ variant, start, tags, result, opponent: null, root: treeOf(line) });
  }

  async #set(game) {
    const { variant, start, root } = game;
    // An invalid position must not replace the game.
    root.position = await this.#api.request("position", { variant, start, moves: [] });
    const isReplaced = this.root.children.length > 0;
    if (isReplaced) this.remember();
    Object.assign(this, game, { node: root, isStep: false, isFromLink: false, source: null });
    this.#emit("game", "moves", "position");
    if (isReplaced) this.#emit("replaced");
  }

  /** Whether there is a change to undo. */
  get canUndo() {
    return this.#undo.length > 0;
  }

  /** Brings back the game before the last change. */
  async undo() {
    const before = this.#undo.pop();
    if (before) await this.#restore(before);
  }

  /** Keeps a game, as data, for an undo. */
  remember(data = { ...this.data(), isFromLink: this.isFromLink, source: this.source }) {
    this.#undo.push(data);
    if (this.#undo.length > MAX_UNDO) this.#undo.shift();
  }

  /** The game as data, with the given fields of each node. */
  data(names) {
    const { variant, start, tags, result, opponent, root, node } = this;
    const place = nodesOf(root).indexOf(node);
    return { variant, start, tags, result, opponent, place, nodes: dataOf(root, names) };
  }

  /**
   * Restores a game from data. Its moves can be shown and saved before the engine answers. Fails if
   * the data are damaged, or with the engine's message if a move is not legal.
   */
  async restore(data, names) {
    if (this.root.children.length > 0) this.remember();
    await this.#restore(data, names);
  }

  async #restore(
    {
      variant,
      start = "",
      tags = [],
      result = "*",
      opponent = null,
      isFromLink = false,
      source = null,
      place = 0,
      nodes,
    },
    names,
  ) {
    const all = nodesFrom(nodes ?? [[-1, {}]], names);
    const texts = [variant, start, result, ...tags.flat()];
    if (!all[place] || !texts.every((value) => typeof value === "string"))
      throw new TypeError("game");
    Object.assign(this, { variant, start, tags, result, opponent, isFromLink, source });
    this.isStep = false;
    [this.root, this.node] = [all[0], all[place]];
    this.#emit("game", "moves");
    this.root.position = await this.#api.request("position", this.fields(this.root));
    // Meanwhile, the user may have gone to a different position, or a different game may have been
    // restored.
    if (this.node === all[place]) await this.go(all[place]);
  }

  /** Shows the position at a node. */
  async go(node) {
    const from = this.node;
    this.node = node;
    // The move to be animated is part of the parent's position.
    for (const at of [node.parent, node]) {
      if (at) at.position ??= await this.#api.request("position", this.fields(at));
    }
    // Meanwhile, a different position may have been chosen.
    if (this.node !== node) return;
    this.isStep = node.parent === from;
    this.#emit("position");
  }

  /**
   * Plays a legal move, in the shown position or at a node that is not shown. In a game against the
   * engine, it becomes the main line. Sends `played` with the node of the move, even if another
   * position is shown meanwhile, but not if the move is no longer part of the game.
   */
  async play(move, at = this.node) {
    const count = at.children.length;
    if (!at.children.some(({ hub }) => hub === move.hub)) this.remember();
    const child = childOf(at, move, at.position.number);
    if (this.opponent) promote(child);
    if (at === this.node) {
      if (this.opponent || at.children.length > count) this.#emit("moves");
      await this.go(child);
    } else this.refresh();
    if (nodesOf(this.root).includes(child))
      this.dispatchEvent(new CustomEvent("played", { detail: child }));
  }

  /**
   * Plays legal moves in Hub notation, one after the other. Where they differ from the game, they
   * form a side line.
   */
  async playLine(moves) {
    this.remember();
    let at = this.node;
    for (const hub of moves) {
      at.position ??= await this.#api.request("position", this.fields(at));
      const move = at.position.moves.find((legal) => legal.hub === hub);
      if (!move) break;
      at = childOf(at, move, at.position.number);
    }
    this.#emit("moves");
    await this.go(at);
  }

  /** Makes the line of the shown position the main line. */
  promote() {
    this.remember();
    promote(this.node);
    this.refresh();
  }

  /** Removes the move to a node and all moves after it. */
  async remove(node = this.node) {
    if (!node.parent) return;
    this.remember();
    const before = remove(node);
    this.#emit("moves");
    await this.go(before);
  }

  /** Changes comments and marks of a node. */
  annotate(node, values) {
    this.remember();
    Object.assign(node, values);
    this.refresh();
  }

  /** Sets the arrows and circles of the shown position. */
  setShapes(shapes) {
    this.node.shapes = shapes;
    this.#emit("moves");
  }

  /** Changes tags, given as an object, and the result. */
  describe(tags, result) {
    this.remember();
    this.result = result;
    this.setTags({ ...tags, Result: result });
    this.refresh();
  }

  /** Ends the game against the engine. To undo its moves does not start it again. */
  endPlay(result) {
    const { opponent } = this;
    this.result = result;
    this.setTags({ Result: result });
    this.opponent = null;
    const { tags } = this;
    for (const before of this.#undo)
      if (before.opponent === opponent) Object.assign(before, { opponent: null, result, tags });
    this.#emit("moves");
  }

  /** Shows the moves and the position again, after a change of annotations or of the view. */
  refresh() {
    this.#emit("moves");
    if (this.position) this.#emit("position");
  }

  /** The game as PDN. */
  pdn() {
    const gameTag = this.gameTags.get(this.variant);
    return pdnOf({
      ...this,
      start: this.start && (this.root.position?.fen ?? this.start),
      gameTag,
    });
  }

  #emit(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}
