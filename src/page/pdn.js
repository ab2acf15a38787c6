/**
 * Writes games as PDN without an engine, so that a game can be saved even if the engine is lost.
 */

import { shapeComments } from "./shapes.js";
import { markOf } from "./tree.js";

/** Maximum length of a line of moves, in characters. */
const MAX_COLUMNS = 80;
/** The words for the verdicts of a review, as `manoury analyze --annotate` writes them. */
const MARK_NAMES = { "!": "only move", "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const NOTES = {
  shot: "a shot",
  missed_shot: "misses a shot",
  book: "leaves the book",
  won_white: "bitbases: won for White",
  won_black: "bitbases: won for Black",
  drawn: "bitbases: drawn",
};

/**
 * A game as PDN.
 *
 * @param {object} game
 * @param {string} game.start a FEN, empty for the start position
 * @param {[string, string][]} game.tags names and values
 * @param {[string, string]} [game.gameTag] the tag that names the game
 * @param {string} game.result
 * @param {import("./tree.js").Node} game.root
 */
export function pdnOf({ start, tags, gameTag, result, root }) {
  const all = new Map(tags);
  if (gameTag && !all.has("GameType")) all.set(...gameTag);
  if (start) all.set("SetUp", "1").set("FEN", start);
  // A result such as 12-8, which is no result of a single game, stays in its tag.
  if (all.has("Result") && result !== "*") all.set("Result", result);
  const lines = [...all].map(([name, value]) => `[${name} "${escaped(value)}"]\n`);
  const words = [...wordsOf(shapeComments(root.shapes), root.comments), ...lineWords(root), result];
  return `${lines.join("")}\n${wrapped(words)}`;
}

const escaped = (value) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');

/** The words of the moves after a node. Variations follow the move that they replace. */
function lineWords(node, isInVariation = false) {
  const words = [];
  let isContinued = isInVariation;
  for (let at = node; at.children.length > 0; at = at.children[0]) {
    const [move, ...others] = at.children;
    words.push(...moveWords(move, isContinued));
    for (const other of others)
      words.push(
        "(",
        ...wordsOf(other.before),
        ...moveWords(other, false),
        ...lineWords(other, true),
        ")",
      );
    const better = betterLine(move);
    words.push(...better);
    isContinued = others.length === 0 && better.length === 0;
  }
  return words;
}

/** The words of a move. The number is left out for a move of Black directly after White's. */
function moveWords(node, isContinued) {
  const number = isContinued && node.number.endsWith("...") ? [] : [node.number];
  const nags = node.nags.map((nag) => `$${nag}`);
  return [
    ...number,
    node.text + markOf(node),
    ...nags,
    ...wordsOf(verdictOf(node), shapeComments(node.shapes), node.comments),
  ];
}

/** The words of comments. */
function wordsOf(...comments) {
  return comments.flat().flatMap((comment) => {
    const words = comment
      .replaceAll("}", ")")
      .split(/\s+/)
      .filter((word) => word);
    return words.length > 0 ? ["{", ...words, "}"] : [];
  });
}

/** The verdict of a review as a comment; the evaluation in it can be read by other programs. */
function verdictOf({ score, strength, verdict, comments }) {
  if (!verdict || comments.some((comment) => comment.includes("[%eval "))) return [];
  const { mark, better, loss = 0, notes = [] } = verdict;
  const parts = [
    ...evaluation(score),
    !strength && MARK_NAMES[mark],
    better && `costs ${loss.toFixed(2)} points`,
    ...notes.map((note) => NOTES[note]),
  ];
  return [parts.filter((part) => part).join(" ")];
}

/** A score as a command in a comment; none for a proven end. */
const evaluation = (score = "#") =>
  score.includes("#") ? [] : [`[%eval ${score.replace("+", "")}]`];

/** The better line of a review as a variation, unless the game has a variation with its move. */
function betterLine({ parent, verdict }) {
  const { better, line } = verdict ?? {};
  if (!line || parent.children.some(({ hub }) => hub === line[0])) return [];
  const [number, first, ...others] = better.split(" ");
  return ["(", number, first, ...wordsOf(evaluation(parent.score)), ...others, ")"];
}

/** Joins words with spaces and line breaks. */
function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1);
    const joined = last ? `${last} ${word}` : word;
    if (last && joined.length > MAX_COLUMNS) lines.push(word);
    else lines[lines.length - 1] = joined;
  }
  return `${lines.join("\n")}\n`;
}
