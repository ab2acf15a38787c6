/** A board with moves, comments and a chart, for walking through games without an engine. */

import { Board } from "./board.js";
import { ChancesChart } from "./chances-chart.js";
import { byId, element, isInput, unbroken } from "./dom.js";
import { GameView, addStep, rootOf } from "./game-view.js";
import { MoveList, markClass, remarks } from "./move-list.js";
import { scoreText, text } from "./texts.js";
import { lastMove, lineText, markOf } from "./tree.js";
import { walkByWheel, walkingKeys } from "./walking.js";

const nothing = () => {};

export class GameViewer {
  /** The game shown and its current position. */
  view = new GameView();
  board = new Board({
    onChoose: nothing,
    onPress: nothing,
    onDraw: nothing,
    onRelease: nothing,
  });
  /** What the keys do. */
  keys = { ...walkingKeys(this.view), f: () => this.flip() };
  /** Called when the board has been turned. */
  onFlip = nothing;

  /** @param {string} pieces SVG definitions of the pieces */
  constructor(pieces) {
    Board.addDrawings(pieces);
    new MoveList(this.view);
    new ChancesChart(this.view);
    this.view.addEventListener("position", () => this.#showPosition());
    const buttons = {
      first: "Home",
      previous: "ArrowLeft",
      next: "ArrowRight",
      last: "End",
      flip: "f",
    };
    for (const [id, key] of Object.entries(buttons))
      byId(id).addEventListener("click", () => this.keys[key]());
    addEventListener("keydown", (event) => this.#key(event));
    walkByWheel(byId("board"), walkingKeys(this.view));
  }

  /** Shows the start of a game on its board, both as the engine describes them. */
  show(game, board) {
    byId("names").textContent = titleOf(game);
    byId("about").textContent = game.about.join(", ");
    this.board.set(game.variant, board);
    this.view.show(treeOf(game));
  }

  /** Shows the position again, after the board has shown something else. */
  refresh() {
    return this.#showPosition();
  }

  flip() {
    this.board.flip(!this.board.isFlipped);
    this.onFlip();
  }

  async #showPosition() {
    const { node, isStep } = this.view;
    const move = lastMove(node);
    byId("comment").replaceChildren(...sentences(node));
    for (const id of ["first", "previous"]) byId(id).disabled = !node.parent;
    for (const id of ["next", "last"]) byId(id).disabled = node.children.length === 0;
    this.board.mark(move ? { last: [move.from, move.way.at(-1)] } : {});
    await this.board.show(node.position.pieces, isStep ? move : undefined);
  }

  #key(event) {
    if (isInput(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.shiftKey) return;
    event.preventDefault();
    action();
  }
}

export const titleOf = ({ names, result }) => `${names[0]} – ${names[1]} ${result}`;

/** The tree of a game: the better line of each fault is a side line. */
export function treeOf(game) {
  const root = rootOf(game.start);
  root.chances = game.chances;
  let at = root;
  for (const ply of game.plies) {
    const node = addStep(at, ply);
    const { mark, loss, better, notes = [], side, clock, chances, score } = ply;
    Object.assign(node, { side, clock, chances, score });
    // In a match, every move has a comment with its depth and time. In the list of moves, these
    // comments would be in the way.
    if (game.players) node.comments = ply.said ? [ply.said] : [];
    else node.said = ply.said;
    node.verdict = { mark, loss, better: better && lineText(better), notes };
    let line = at;
    for (const step of better ?? []) line = addStep(line, step);
    at = node;
  }
  return root;
}

/** The text about a position: the move to it, the score and clock time, and remarks on the move. */
function sentences(node) {
  if (!node.parent) return [text("start_position")];
  const clock = node.clock ? ` (${node.clock})` : "";
  const score = node.score ? ` ${scoreText(node.score)}` : "";
  const said = [...(node.said ? [`${node.said} `] : []), ...remarks(node), ...betterLine(node)];
  return [heading(node), `${score}${clock}${said.length > 0 ? ": " : ""}`, ...said];
}

/** A move with its number and mark. */
export function heading(node) {
  const mark = markOf(node);
  const marked = mark ? [element("span", { class: markClass(mark) }, mark)] : [];
  return element("b", {}, ...unbroken(`${node.number} ${node.text}`), ...marked);
}

/** The better line of a fault. */
export const betterLine = ({ verdict }) =>
  verdict?.better ? unbroken(`${text("better")} ${verdict.better}`) : [];

/** The paragraphs and tables of a match as elements. */
export function partElements(parts) {
  const cells = (kind, values, texts) =>
    element(
      "tr",
      {},
      ...values.map((value, index) =>
        element(kind, texts.includes(index) ? { class: "text" } : {}, value),
      ),
    );
  const lines = (part) => element("p", {}, ...part.flatMap((line) => [line, element("br")]));
  const table = ({ header, rows, texts }) =>
    element("table", {}, cells("th", header, texts), ...rows.map((row) => cells("td", row, texts)));
  return parts.map((part) => (part.lines ? lines(part.lines) : table(part.table)));
}
