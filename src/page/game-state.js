/** The game on the board, the position of it that is shown, and the page's address of it. */

import { childOf, lineOf, newRoot, pathTo, promote, remove, treeOf } from "./tree.js";

/**
 * Emits `game` when there is another game, `moves` when its moves have changed, and `position` when
 * another position is shown.
 */
export class GameState extends EventTarget {
  #api;
  variant = "international";
  /** A FEN, empty for the start position. */
  start = "";
  /** PDN tags: names and values. */
  tags = [];
  result = "*";
  root = newRoot();
  /** The position after this move is shown. */
  node = this.root;
  /** Whether the position was reached by one move from the one shown before. */
  isStep = false;

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

  /** Starts a game without moves. Fails with the engine's message if the FEN is invalid. */
  async startGame(variant, start = "", tags = []) {
    await this.#set({ variant, start, tags, result: "*", root: newRoot() });
  }

  /** Loads a game as the engine has read it. */
  async load({ variant, start, tags, result, line }) {
    await this.#set({ variant, start, tags, result, root: treeOf(line) });
  }

  async #set(game) {
    const { variant, start, root } = game;
    // An invalid position must not replace the game.
    root.position = await this.#api.request("position", { variant, start, moves: [] });
    Object.assign(this, game, { node: root, isStep: false });
    this.#emit("game", "moves", "position");
  }

  /** Shows the position at a node. */
  async go(node) {
    const from = this.node;
    this.node = node;
    node.position ??= await this.#api.request("position", this.fields(node));
    // Another one may have been chosen meanwhile.
    if (this.node !== node) return;
    this.isStep = node.parent === from;
    this.#emit("position");
  }

  /** Plays a legal move of the position that is shown. */
  async play(move) {
    const count = this.node.children.length;
    const child = childOf(this.node, move, this.position.number);
    if (this.node.children.length > count) this.#emit("moves");
    await this.go(child);
  }

  /** Makes the line of the shown position the main line. */
  promote() {
    promote(this.node);
    this.refresh();
  }

  /** Removes the move to the shown position and all that follow. */
  async remove() {
    if (!this.node.parent) return;
    const before = remove(this.node);
    this.#emit("moves");
    await this.go(before);
  }

  /** Sets the result of a finished game. */
  finish(result) {
    this.result = result;
    this.#emit("moves");
  }

  /** Shows moves and position again, after a change of their annotations or of the view. */
  refresh() {
    this.#emit("moves", "position");
  }

  /** The game as PDN. */
  async pdn() {
    const { variant, start, tags, result, root } = this;
    const game = { variant, start, tags, result, line: lineOf(root) };
    return (await this.#api.request("write", game)).text;
  }

  #emit(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}

/** The game and FEN in the page's address, as in `#russian/W:W21:BK1`; `null` if there is none. */
export function readAddress() {
  const [variant, fen = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
  return variant ? { variant, fen } : null;
}

/** Puts the shown position into the address; nothing for the start of international draughts. */
export function writeAddress(state) {
  const { variant, node, start, position } = state;
  const isStart = !node.parent && !start;
  const isDefault = isStart && variant === "international";
  const hash = isDefault ? "" : isStart ? `#${variant}` : `#${variant}/${position.fen}`;
  history.replaceState(null, "", hash || location.pathname + location.search);
}
