/** A game whose positions are all known, to walk through: it needs no engine. */

import { childOf, newRoot } from "./tree.js";

/**
 * @typedef {object} Step a move and the position after it
 * @property {string} number `12.` or `12...`
 * @property {{hub: string, text: string, from: number, way: number[], captured: number[]}} move
 * @property {string} pieces after the move, a letter or a dot for each square
 */

/** Emits `moves` when there is another game, and `position` when another position is shown. */
export class GameView extends EventTarget {
  root = newRoot();
  node = this.root;
  /** Whether the position was reached by one move from the one shown before. */
  isStep = false;

  /** Shows the start of another game. */
  show(root) {
    [this.root, this.node, this.isStep] = [root, root, false];
    this.dispatchEvent(new Event("moves"));
    this.dispatchEvent(new Event("position"));
  }

  /** Shows the position at a node. */
  go(node) {
    this.isStep = node.parent === this.node;
    this.node = node;
    this.dispatchEvent(new Event("position"));
  }
}

/** The start of a game from pieces, a letter or a dot for each square. */
export function rootOf(pieces) {
  const root = newRoot();
  root.position = { pieces, moves: [] };
  return root;
}

/** Adds a move to a line whose positions are known. Returns its node. */
export function addStep(parent, { number, move, pieces }) {
  const child = childOf(parent, move, number);
  parent.position.moves.push(move);
  child.position ??= { pieces, moves: [] };
  return child;
}
