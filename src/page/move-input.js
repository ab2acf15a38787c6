/** Moves entered by clicks on squares: the legal moves that match the squares chosen so far. */

/**
 * A partially entered move.
 *
 * @typedef {object} MoveInput
 * @property {number} from the square of the piece, 0 if none is chosen
 * @property {number[]} steps the squares chosen after it
 * @property {object[]} moves the legal moves that match
 */

/** Nothing chosen. */
export const NO_INPUT = { from: 0, steps: [], moves: [] };

/**
 * Adds a square to the input.
 *
 * @param {object[]} moves the legal moves
 * @param {MoveInput} input
 * @param {number} square
 * @returns {MoveInput & {move?: object}} with the move once only one matches
 */
export function addSquare(moves, input, square) {
  if (input.from) {
    const steps = [...input.steps, square];
    const matching = input.moves.filter(({ way }) => visits(way, steps));
    if (matching.length > 0) return decide({ from: input.from, steps, moves: matching }, square);
    if (square === input.from) return NO_INPUT;
  }
  const own = moves.filter(({ from }) => from === square);
  return own.length > 0 ? { from: square, steps: [], moves: own } : NO_INPUT;
}

/**
 * Adds the move if only one matches, or if only one ends on the square and none continues from it.
 */
function decide(input, square) {
  const ending = input.moves.filter(({ way }) => way.at(-1) === square);
  const [move] = input.moves.length === 1 ? input.moves : ending;
  const isDecided =
    input.moves.length === 1 || (ending.length === 1 && !continuesPast(input, square));
  return isDecided ? { ...NO_INPUT, move } : input;
}

/** Whether a matching move passes a square. */
const continuesPast = ({ moves }, square) =>
  moves.some(({ way }) => way.includes(square) && way.at(-1) !== square);

/** Whether a path visits the given squares in their order. */
function visits(path, squares) {
  let from = 0;
  return squares.every((square) => {
    const index = path.indexOf(square, from);
    from = index + 1;
    return index >= 0;
  });
}

/** The squares that can be chosen next. */
export function targets({ moves, steps }) {
  const next = moves.flatMap(({ way }) => way.slice(way.indexOf(steps.at(-1)) + 1));
  return [...new Set(next)].filter((square) => !steps.includes(square));
}
