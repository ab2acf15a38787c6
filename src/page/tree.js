/** A game as a tree of moves: the first child of a node continues its line, the others start variations. */

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
 * @property {object} [verdict] the verdict of a review on the move
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

/** The node after a move, which is created if missing. */
export function childOf(node, move, number) {
  const known = node.children.find(({ hub }) => hub === move.hub);
  if (known) return known;
  const child = newNode(node, { ...move, number });
  node.children.push(child);
  return child;
}

/** The nodes from the start, which is excluded, to a node. */
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

/** The end of the line that a node is on. */
export const endOf = (node) => lineThrough(node).at(-1) ?? node;

/** Makes the line of a node the first of its siblings, up to the start of the game. */
export function promote(node) {
  for (const { parent } of pathTo(node)) {
    const child = pathTo(node).find((at) => at.parent === parent);
    parent.children = [child, ...parent.children.filter((other) => other !== child)];
  }
}

/** Removes a node and what follows. Returns the node before it. */
export function remove(node) {
  node.parent.children = node.parent.children.filter((other) => other !== node);
  return node.parent;
}

/** The tree of a line in the format of the engine. */
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

/** The line of a tree in the format of the engine. */
export const lineOf = (root) => ({
  comments: root.comments,
  moves: movesOf(root.children[0], root.children.slice(1)),
});

/** The moves from a node on; its siblings are variations of the first one. */
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

/** The mark of a move in the game's record, or else of the review. */
export const markOf = ({ strength, verdict }) => strength || verdict?.mark || "";

/** The evaluation of a review as a comment that other programs read. */
function evaluation({ score, verdict, comments }) {
  const isKnown = comments.some((comment) => comment.includes("[%eval "));
  return verdict && !isKnown && !score.includes("#") ? [`[%eval ${score.replace("+", "")}]`] : [];
}
