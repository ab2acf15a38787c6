/** What is on the table: a game, and the position of it that is shown. */

import { childOf, lineOf, newRoot, pathTo, promote, remove, treeOf } from "./tree.js";

/**
 * Says `game` when there is another game, `moves` when its moves have changed, and `position` when
 * another position is shown.
 */
export class Study extends EventTarget {
  #desk;
  variant = "international";
  /** A FEN, empty for the start position. */
  start = "";
  /** Names and values. */
  tags = [];
  result = "*";
  root = newRoot();
  /** The position that is shown is the one after this move. */
  node = this.root;
  /** Whether the position came about by one move from the one shown before. */
  isStep = false;

  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    super();
    this.#desk = desk;
  }

  /** What the desk says about the position that is shown. */
  get position() {
    return this.node.position;
  }

  /** A node as questions to the desk name it. */
  place(node = this.node) {
    return { variant: this.variant, start: this.start, moves: pathTo(node).map(({ hub }) => hub) };
  }

  /** A value of the game's record. */
  tag(name) {
    const value = this.tags.find(([known]) => known === name)?.[1] ?? "";
    return value === "?" ? "" : value;
  }

  /** A new game without moves. Fails with the desk's words if the start is no position. */
  async begin(variant, start = "", tags = []) {
    await this.#take({ variant, start, tags, result: "*", root: newRoot() });
  }

  /** A game as the desk reads it. */
  async load({ variant, start, tags, result, line }) {
    await this.#take({ variant, start, tags, result, root: treeOf(line) });
  }

  async #take(game) {
    const { variant, start, root } = game;
    // What is no position must not be taken.
    root.position = await this.#desk.ask("position", { variant, start, moves: [] });
    Object.assign(this, game, { node: root, isStep: false });
    this.#say("game", "moves", "position");
  }

  /** Shows a position. */
  async go(node) {
    const from = this.node;
    this.node = node;
    node.position ??= await this.#desk.ask("position", this.place(node));
    // Meanwhile another one may have been chosen.
    if (this.node !== node) return;
    this.isStep = node.parent === from;
    this.#say("position");
  }

  /** Plays a legal move of the position that is shown. */
  async play(move) {
    const count = this.node.children.length;
    const child = childOf(this.node, move, this.position.number);
    if (this.node.children.length > count) this.#say("moves");
    await this.go(child);
  }

  /** Makes the line of the shown position the main line. */
  promote() {
    promote(this.node);
    this.#say("moves", "position");
  }

  /** Takes back the move to the shown position and all that follow. */
  async remove() {
    if (!this.node.parent) return;
    const before = remove(this.node);
    this.#say("moves");
    await this.go(before);
  }

  /** The game has ended. */
  finish(result) {
    this.result = result;
    this.#say("moves");
  }

  /** Something about the moves has changed. */
  annotate() {
    this.#say("moves", "position");
  }

  /** The game as PDN. */
  async pdn() {
    const { variant, start, tags, result, root } = this;
    const game = { variant, start, tags, result, line: lineOf(root) };
    return (await this.#desk.ask("write", game)).text;
  }

  #say(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}
