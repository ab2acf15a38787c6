/**
 * A game as a tree of moves. The first child of a node continues its line; others start variations.
 */

import { takeShapes } from "./shapes.js";

/**
 * @typedef {object} Node
 * @property {Node | null} parent `null` at the start of the game
 * @property {Node[]} children
 * @property {string} hub the move in Hub notation
 * @property {string} text the move in PDN
 * @property {string} number `12.` or `12...`
 * @property {string} strength
 * @property {number[]} nags
 * @property {string[]} comments after the move
 * @property {string[]} before comments before it, if it starts a variation
 * @property {object} [position] the position after it, as the engine describes it
 * @property {number} [chances] White's chances there, 0 to 1
 * @property {string} [score]
 * @property {object} [verdict] the verdict on the move in a review
 * @property {object[]} [players] at the start of a reviewed game: how White and Black have played
 * @property {import("./shapes.js").Shape[]} shapes arrows and circles of the user
 */

/**
 * A game with a current position. Emits `moves` and `position` when these change.
 *
 * @typedef {EventTarget & {root: Node, node: Node, go: (node: Node) => any}} ShownGame
 */

/** @returns {Node} */
function newNode(
  parent,
  { hub = "", text = "", number = "", strength = "", nags = [], comments = [] },
) {
  const before = [];
  const { comments: others, shapes } = takeShapes(comments);
  return {
    parent,
    children: [],
    hub,
    text,
    number,
    strength,
    nags,
    comments: others,
    before,
    shapes,
  };
}

/** The start of a game. */
export const newRoot = () => newNode(null, {});

/** The node after a move, created if it is missing. */
export function childOf(node, move, number) {
  const known = node.children.find(({ hub }) => hub === move.hub);
  if (known) return known;
  const child = newNode(node, { ...move, number });
  node.children.push(child);
  return child;
}

/** The nodes from the start to a node, without the start. */
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** The line through a node: the moves to it and its main continuation. */
export function lineThrough(node) {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The move to a node, as the engine describes it; `undefined` at the start of the game. */
export function lastMove({ parent, hub }) {
  return parent?.position?.moves.find((move) => move.hub === hub);
}

/** The end of the line that a node is on. */
export const endOf = (node) => lineThrough(node).at(-1) ?? node;

/**
 * Makes the line of a node the main line: each of its nodes becomes the first among its siblings.
 */
export function promote(node) {
  for (const { parent } of pathTo(node)) {
    const child = pathTo(node).find((at) => at.parent === parent);
    parent.children = [child, ...parent.children.filter((other) => other !== child)];
  }
}

/** Removes a node and the moves after it. Returns the node before it. */
export function remove(node) {
  node.parent.children = node.parent.children.filter((other) => other !== node);
  return node.parent;
}

/** The tree of a line in the engine's format. */
export function treeOf(line) {
  const root = newNode(null, { comments: line.comments });
  addLine(root, line.moves);
  return root;
}

function addLine(parent, moves) {
  let at = parent;
  for (const move of moves) {
    const child = newNode(at, move);
    const { score, chances } = move;
    if (score !== undefined) Object.assign(child, { score, chances });
    at.children.push(child);
    for (const line of move.lines) {
      const count = at.children.length;
      addLine(at, line.moves);
      if (at.children[count]) at.children[count].before = line.comments;
    }
    at = child;
  }
}

/**
 * A line as text, with move numbers.
 *
 * @param {import("./game-view.js").Step[]} steps
 */
export const lineText = (steps) =>
  steps
    .map(({ number, move }, index) =>
      index > 0 && number.endsWith("...") ? move.text : `${number} ${move.text}`,
    )
    .join(" ");

/**
 * The mark of a move in the game's record, or else in the review.
 *
 * @param {Pick<Node, "strength" | "verdict">} node
 */
export const markOf = ({ strength, verdict }) => strength || verdict?.mark || "";

/** The score after a move, from a search or from a comment; empty if unknown. */
export function scoreOf({ score, comments }) {
  const [, sign = "", men] = /\[%eval ([+-]?)(\d+\.?\d*)\]/.exec(comments.join()) ?? [];
  return score ?? (men ? (sign || (Number(men) ? "+" : "")) + men : "");
}

/** The marks for the first numeric annotations of PDN. */
const NAG_MARKS = ["", "!", "?", "!!", "??", "!?", "?!"];

/** The numeric annotations of a move; the first few become marks. */
export const nagTexts = ({ nags }) => nags.map((nag) => NAG_MARKS[nag] || `$${nag}`);

/** The fields of a node that are shared. The engine can provide the others again. */
export const SHARED = ["hub", "text", "number", "strength", "nags", "comments", "before", "shapes"];
/** The fields of a node that are saved. */
export const SAVED = [...SHARED, "chances", "score", "verdict", "players"];

/** All nodes, each after its parent. */
export function nodesOf(root) {
  const nodes = [root];
  for (const node of nodes) nodes.push(...node.children);
  return nodes;
}

/**
 * A tree as a list of nodes: the index of the parent, and the given fields. The list is flat,
 * because the tree of a long game is nested too deeply for JSON.
 */
export function dataOf(root, names = SAVED) {
  const nodes = nodesOf(root);
  const indices = new Map(nodes.map((node, index) => [node, index]));
  const isUsed = (value) => value !== undefined && value?.length !== 0;
  return nodes.map((node) => [
    indices.get(node.parent) ?? -1,
    Object.fromEntries(
      names.map((name) => [name, node[name]]).filter(([, value]) => isUsed(value)),
    ),
  ]);
}

/** The nodes of a tree from data, the root first. Fails if the data are not a tree. */
export function nodesFrom(data, names = SAVED) {
  const nodes = [];
  for (const [parent, saved] of data) {
    const known = names.filter((name) => saved[name] !== undefined);
    const node = newNode(nodes[parent] ?? null, {});
    for (const name of known) {
      const [value, usual] = [saved[name], node[name]];
      if (
        usual !== undefined &&
        (typeof value !== typeof usual || Array.isArray(value) !== Array.isArray(usual))
      )
        throw new TypeError(name);
      node[name] = value;
    }
    if (nodes.length > 0) nodes[parent].children.push(node);
    nodes.push(node);
  }
  return nodes;
}
