/** A game as a tree of moves: the first child of a node goes on its line, the others begin side lines. */

/**
 * @typedef {object} Node
 * @property {Node | null} parent `null` at the start of the game
 * @property {Node[]} children
 * @property {string} hub the move in Hub notation, as all moves between page and engine
 * @property {string} text the move as in PDN
 * @property {string} number `12.` or `12...`
 * @property {string} strength
 * @property {number[]} nags
 * @property {string[]} comments after the move
 * @property {string[]} before comments before it, if it begins a line
 * @property {object} [position] what the desk says about the position after it
 * @property {number} [chances] White's chances there, 0 to 1
 * @property {string} [score]
 * @property {object} [verdict] what a review says about the move
 */

/** @returns {Node} */
function newNode(
  parent,
  { hub = "", text = "", number = "", strength = "", nags = [], comments = [] },
) {
  return { parent, children: [], hub, text, number, strength, nags, comments, before: [] };
}

/** The start of a game. */
export const newRoot = () => newNode(null, {});

/** The node after a move, a new one if need be. */
export function childOf(node, move, number) {
  const known = node.children.find(({ hub }) => hub === move.hub);
  if (known) return known;
  const child = newNode(node, { ...move, number });
  node.children.push(child);
  return child;
}

/** The nodes from the start to a node, the start excluded. */
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

/** The line through a node: the moves to it and those that go on from it. */
export function lineThrough(node) {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The end of the line that a node is on. */
export const endOf = (node) => lineThrough(node).at(-1) ?? node;

/** Makes the line of a node the first of its siblings, up to the start of the game. */
export function promote(node) {
  for (const { parent } of pathTo(node)) {
    const child = pathTo(node).find((at) => at.parent === parent);
    parent.children = [child, ...parent.children.filter((other) => other !== child)];
  }
}

/** Takes a node and what follows off the tree. Returns the node before it. */
export function remove(node) {
  node.parent.children = node.parent.children.filter((other) => other !== node);
  return node.parent;
}

/** The tree of a line as the desk reads it. */
export function treeOf(line) {
  const root = newRoot();
  root.comments = line.comments;
  addLine(root, line.moves);
  return root;
}

function addLine(parent, moves) {
  let at = parent;
  for (const move of moves) {
    const child = newNode(at, move);
    at.children.push(child);
    for (const line of move.lines) {
      const count = at.children.length;
      addLine(at, line.moves);
      if (at.children[count]) at.children[count].before = line.comments;
    }
    at = child;
  }
}

/** The line of a tree as the desk writes it. */
export const lineOf = (root) => ({
  comments: root.comments,
  moves: movesOf(root.children[0], root.children.slice(1)),
});

/** The moves from a node on; the siblings are side lines to the first of them. */
function movesOf(node, siblings) {
  const moves = [];
  for (let at = node, others = siblings; at; others = at.children.slice(1), at = at.children[0]) {
    const { hub, nags } = at;
    const strength = markOf(at);
    const comments = [...evaluation(at), ...at.comments];
    const lines = others.map((other) => ({ comments: other.before, moves: movesOf(other, []) }));
    moves.push({ hub, strength, nags, comments, lines });
  }
  return moves;
}

/** What a game's record says about the strength of a move, otherwise what a review says. */
export const markOf = ({ strength, verdict }) => strength || verdict?.mark || "";

/** What a review has found, in the words that other programs read. */
function evaluation({ score, verdict, comments }) {
  const isKnown = comments.some((comment) => comment.includes("[%eval "));
  return verdict && !isKnown && !score.includes("#") ? [`[%eval ${score.replace("+", "")}]`] : [];
}
