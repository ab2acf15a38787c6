/** Moves by squares: which moves are meant by those that somebody has chosen so far. */

/**
 * A move in the making.
 *
 * @typedef {object} Meant
 * @property {number} from the piece's square, 0 if none is chosen
 * @property {number[]} steps the squares chosen after it
 * @property {object[]} moves the moves that this may become
 */

/** Nothing chosen. */
export const NONE = { from: 0, steps: [], moves: [] };

/**
 * What somebody means who chooses one square more.
 *
 * @param {object[]} moves the legal moves
 * @param {Meant} meant
 * @param {number} square
 * @returns {Meant & {move?: object}} with the move, once only one is meant
 */
export function choose(moves, meant, square) {
  if (meant.from) {
    const steps = [...meant.steps, square];
    const fitting = meant.moves.filter(({ way }) => visits(way, steps));
    if (fitting.length > 0) return decide({ from: meant.from, steps, moves: fitting }, square);
    if (square === meant.from) return NONE;
  }
  const own = moves.filter(({ from }) => from === square);
  return own.length > 0 ? { from: square, steps: [], moves: own } : NONE;
}

/** The only move that is meant, or the only one that ends here. */
function decide(meant, square) {
  const ending = meant.moves.filter(({ way }) => way.at(-1) === square);
  const [move] = meant.moves.length === 1 ? meant.moves : ending;
  const isDecided = meant.moves.length === 1 || (ending.length === 1 && !goesOn(meant, square));
  return isDecided ? { ...NONE, move } : meant;
}

/** Whether a move that is meant goes on from a square where another one ends. */
const goesOn = ({ moves }, square) =>
  moves.some(({ way }) => way.includes(square) && way.at(-1) !== square);

/** Whether a way visits squares in this order. */
function visits(way, squares) {
  let from = 0;
  return squares.every((square) => {
    const place = way.indexOf(square, from);
    from = place + 1;
    return place >= 0;
  });
}

/** The squares that can be chosen next. */
export function targets({ moves, steps }) {
  const next = moves.flatMap(({ way }) => way.slice(way.indexOf(steps.at(-1)) + 1));
  return [...new Set(next)].filter((square) => !steps.includes(square));
}
