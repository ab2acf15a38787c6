/** Learning from mistakes: the positions of a reviewed game where a player went wrong. */

import { byId, showNote } from "./dom.js";
import { number, text } from "./texts.js";
import { lineThrough } from "./tree.js";

/** The marks of moves to learn from. */
const MISTAKES = ["?!", "?", "??"];
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** The side that moves to a node. */
const sideOf = ({ parent, number: words }) =>
  parent.position?.side ?? (words.endsWith("...") ? "black" : "white");

/**
 * The mistakes of a side.
 *
 * @param {import("./tree.js").Node[]} line the moves of the reviewed game
 * @param {"white" | "black"} side
 */
export const mistakesOf = (line, side) =>
  line.filter(
    (node) => MISTAKES.includes(node.verdict?.mark) && node.verdict.better && sideOf(node) === side,
  );

/**
 * The moves in the text of a line, without move numbers. Older reviews have the line only as text.
 */
const words = (line) => line.split(/\s+/).filter((word) => !/^\d+\.+$/.test(word));

/**
 * The task to find a better move than a mistake in the game.
 *
 * @param {import("./game-state.js").GameState} state
 * @param {import("./tree.js").Node} mistake
 * @returns {import("./trainer.js").Task}
 */
export function mistakeTask(state, mistake) {
  const { better, line, loss } = mistake.verdict;
  const played = `${mistake.number} ${mistake.text}${mistake.verdict.mark}`;
  const values = { move: played, points: number(loss ?? 0, TWO_DIGITS) };
  const best = ({ moves }) =>
    moves.find((move) => (line ? move.hub === line[0] : move.text === words(better)[0]));
  return {
    async show() {
      await state.go(mistake.parent);
      return mistake.parent;
    },
    prompt: () => text(`mistake_${sideOf(mistake)}`, values),
    judge(move) {
      if (move.hub === mistake.hub) return { isRight: false, text: text("mistake_again", values) };
      const isBest = move === best(mistake.parent.position);
      return isBest ? { isRight: true, text: text("training_best", { moves: better }) } : null;
    },
    solution: () => better,
    line: () => [best(mistake.parent.position)?.hub].filter((hub) => hub),
  };
}

/** The button that starts the training, shown once the game is reviewed. */
export class Learning {
  #state;
  #trainer;
  #tabs;

  constructor({ state, board, trainer, tabs }) {
    [this.#state, this.#trainer, this.#tabs] = [state, trainer, tabs];
    byId("learn").addEventListener("click", () => this.#start());
    state.addEventListener("moves", () => this.#show());
    state.addEventListener("game", () => {
      byId("learn-side").value = board.isFlipped ? "black" : "white";
    });
  }

  #show() {
    const line = lineThrough(this.#state.root);
    byId("learning").hidden = !line.some(({ verdict }) => verdict);
  }

  async #start() {
    const mistakes = mistakesOf(lineThrough(this.#state.root), byId("learn-side").value);
    if (mistakes.length === 0) return showNote(text("learn_none"));
    this.#tabs.select("analyse");
    const tasks = mistakes.map((mistake) => mistakeTask(this.#state, mistake));
    await this.#trainer.start(text("learn"), tasks);
  }
}
