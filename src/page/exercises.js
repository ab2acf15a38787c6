/** Exercises from a file of shots or problems. The browser remembers which were solved. */

import { text } from "./texts.js";
import { treeOf } from "./tree.js";

const STORAGE_KEY = "manoury.solved";
/** The maximum number of solved exercises to remember. */
const MAX_SOLVED = 20_000;

/** The exercises that were solved, by variant and FEN. */
export class SolvedExercises {
  #storage;
  #solved;

  /** @param {Pick<Storage, "getItem" | "setItem">} storage */
  constructor(storage) {
    this.#storage = storage;
    this.#solved = new Set(read(storage));
  }

  has(variant, fen) {
    return this.#solved.has(`${variant} ${fen}`);
  }

  add(variant, fen) {
    this.#solved.add(`${variant} ${fen}`);
    try {
      const latest = [...this.#solved].slice(-MAX_SOLVED);
      this.#storage.setItem(STORAGE_KEY, JSON.stringify(latest));
    } catch {
      // The storage is full or not allowed: solved exercises are remembered only until the page is
      // closed.
    }
  }
}

function read(storage) {
  try {
    const saved = JSON.parse(storage.getItem(STORAGE_KEY)) ?? [];
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}

/**
 * The task to solve a position of a file. If the file has a solution, the user must find the moves
 * of its main line, and the replies are played automatically. Otherwise, the engine judges the
 * first move.
 *
 * @param {object} parts
 * @param {import("./game-state.js").GameState} parts.state
 * @param {() => Promise<object>} parts.load the game as the engine has read it
 * @param {SolvedExercises} parts.solved
 * @returns {import("./trainer.js").Task}
 */
export function exerciseTask({ state, load, solved }) {
  let game = null;
  /** The place in the solution. */
  let at = null;
  return {
    async show() {
      game ??= await load();
      if (!game?.start) return null;
      at = treeOf(game.line);
      await state.startGame(game.variant, game.start, { tags: game.tags });
      state.dispatchEvent(new CustomEvent("side", { detail: state.position.side }));
      return state.root;
    },
    prompt: () => text(state.position.side === "white" ? "exercise_white" : "exercise_black"),
    judge(move) {
      const [expected] = at.children;
      if (expected?.hub !== move.hub) return null;
      const [reply] = expected.children;
      at = reply ?? expected;
      return {
        isRight: true,
        text: text(reply ? "exercise_on" : "exercise_solved", { reply: reply?.text }),
        reply: reply?.hub,
      };
    },
    solution: () =>
      lineAfter(at)
        .map((node) => node.text)
        .join(" ") || "–",
    line: () => lineAfter(at).map(({ hub }) => hub),
    onSolved: () => solved.add(game.variant, game.start),
  };
}

/** The main line after a node. */
function lineAfter(node) {
  const line = [];
  for (let next = node.children[0]; next; next = next.children[0]) line.push(next);
  return line;
}
