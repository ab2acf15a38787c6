/**
 * The user's moves, entered with the pointer or the keyboard, and the arrows that the user draws.
 */

import { button, byId, showBriefly } from "./dom.js";
import { NO_INPUT, addSquare, targets } from "./move-input.js";
import { text } from "./texts.js";
import { lastMove } from "./tree.js";

/** How long the reason why a piece cannot move is shown, in milliseconds. */
const WHY_TIME = 4000;

export class Mover {
  #state;
  #board;
  #opponent;
  /** The move in the making. */
  #input = NO_INPUT;
  /** The key of the text that says which captures are compulsory. */
  captures = "captures_any";

  constructor({ state, board, opponent }) {
    this.#state = state;
    this.#board = board;
    this.#opponent = opponent;
  }

  /** Resets the input for the position shown. */
  start() {
    this.#input = NO_INPUT;
    this.#showMarks();
    this.#showShapes();
    showBriefly("why", "");
  }

  /** Handles the choice of a square; 0 for none. */
  choose(square) {
    const { position, node } = this.#state;
    if (!position) return;
    showBriefly("why", "");
    const isEnginesTurn = this.#opponent.side === position.side && !node.children.length;
    const input = this.#input;
    const next = square && !isEnginesTurn ? addSquare(position.moves, input, square) : NO_INPUT;
    const isRefused = square && !input.from && !next.from && !next.move;
    if (isRefused) showBriefly("why", this.#whyNot(square, isEnginesTurn), WHY_TIME);
    // A click that moves nothing removes the arrows and circles.
    if (isRefused && node.shapes.length > 0) this.#setShapes([]);
    this.#input = next.move ? NO_INPUT : next;
    this.#showMarks();
    if (next.move) this.#state.play(next.move);
  }

  /**
   * Draws an arrow, or a circle if both squares are the same. Removes it if it is already there.
   */
  draw(from, to) {
    const { shapes } = this.#state.node;
    const others = shapes.filter((shape) => shape.from !== from || shape.to !== to);
    this.#setShapes(others.length < shapes.length ? others : [...shapes, { from, to }]);
  }

  #setShapes(shapes) {
    this.#state.setShapes(shapes);
    this.#showShapes();
  }

  #showShapes() {
    this.#board.showShapes(this.#state.node.shapes);
  }

  /** The reason why the piece on a square cannot move; empty if there is no piece. */
  #whyNot(square, isEnginesTurn) {
    const { pieces, side, moves, end } = this.#state.position;
    const piece = pieces[square - 1];
    if (piece === "." || end) return "";
    if (isEnginesTurn) return text("why_engine");
    if ((piece.toLowerCase() === "w") !== (side === "white")) return text(`why_${side}`);
    return text(mustCapture(moves) ? this.captures : "why_blocked");
  }

  /** Highlights the last move, the pieces that can move, and the squares chosen so far. */
  #showMarks() {
    const { position, node } = this.#state;
    const input = this.#input;
    const last = lastMove(node);
    const movable = input.from ? [] : [...new Set(position.moves.map(({ from }) => from))];
    this.#board.mark({
      last: last ? [last.from, last.way.at(-1)] : [],
      must: mustCapture(position.moves) ? movable : [],
      movable,
      selected: input.from ? [input.from, ...input.steps] : [],
      target: targets(input),
    });
    this.#showChoices();
  }

  /** Offers the captures as buttons if the chosen squares do not distinguish them. */
  #showChoices() {
    const isOpen = this.#input.steps.length > 0;
    const items = isOpen ? this.#input.moves : [];
    const label = ({ from, way }) =>
      [from, ...way].map((square) => this.#board.squareName(square)).join("×");
    const choice = (move) => {
      this.#input = NO_INPUT;
      this.#state.play(move);
    };
    byId("choices").hidden = !isOpen;
    byId("choices").replaceChildren(
      ...(isOpen ? [`${text("choose_way")} `] : []),
      ...items.map((move) => button(label(move), () => choice(move))),
    );
  }
}

const mustCapture = (moves) => moves.some(({ captured }) => captured.length > 0);
