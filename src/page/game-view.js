/** A game to walk through without an engine: all its positions are known. */

import { childOf, newRoot } from "./tree.js";

/**
 * @typedef {object} Step a move and the position after it
 * @property {string} number `12.` or `12...`
 * @property {{hub: string, text: string, from: number, way: number[], captured: number[]}} move
 * @property {string} pieces the pieces after the move, a letter or a dot for each square
 */

/**
 * Emits `moves` when a different game is shown, and `position` when a different position is shown.
 */
export class GameView extends EventTarget {
  root = newRoot();
  node = this.root;
  /** Whether the position was reached by one move from the one shown before. */
  isStep = false;

  /** Shows the start of a different game. */
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

/** The root of a game that starts with the given pieces, a letter or a dot for each square. */
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
