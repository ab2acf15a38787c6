/** Training: positions, shown one after the other, in which the user looks for the best move. */

import { byId, showNote, unbroken } from "./dom.js";
import { rankOf } from "./engine-client.js";
import { scoreText, text } from "./texts.js";

/** The time of a search that judges a move, in seconds. */
const JUDGE_TIME = 0.5;
/** How many expected points a move may lose and still be accepted. */
const TOLERANCE = 0.04;
/**
 * How long the user's move is shown before a reply, and before it is taken back, in milliseconds.
 */
const [REPLY_TIME, WRONG_TIME] = [400, 800];
/** White's expected points in a finished game, by its result. */
const RESULT_CHANCES = { "2-0": 1, "1-1": 0.5, "0-2": 0 };

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * @typedef {object} Task a position in which the user must find a move
 * @property {() => Promise<import("./tree.js").Node | null>} show shows the position; `null` if
 *   there is none
 * @property {() => string} prompt what to do
 * @property {(move: object) => Verdict | null} judge the known verdict on a move; `null` if the
 *   move must be searched
 * @property {() => string} solution
 * @property {() => string[]} [line] the moves of the solution that remain, in Hub notation
 * @property {() => void} [onSolved]
 */

/**
 * @typedef {object} Verdict
 * @property {boolean} isRight
 * @property {string} text
 * @property {string} [reply] the reply to it, in Hub notation; after it, the user moves again
 */

export class Trainer {
  #state;
  #hub;
  #api;
  #analysis;
  #opponent;
  /** @type {Task[]} */
  #tasks = [];
  #index = 0;
  #title = "";
  /** The position in which the user is to move; `null` while there is none. */
  #node = null;
  /** The moves that the game already had in that position. */
  #known = new Set();
  /** Whether the trainer itself is changing the game or the position. */
  #isBusy = false;

  constructor({ state, hub, api, analysis, opponent }) {
    this.#state = state;
    this.#hub = hub;
    this.#api = api;
    this.#analysis = analysis;
    this.#opponent = opponent;
    byId("trainer-solution").addEventListener("click", () => this.#showSolution());
    byId("trainer-next").addEventListener("click", () => this.#go(this.#index + 1));
    byId("trainer-end").addEventListener("click", () => this.end());
    state.addEventListener("position", () => this.#onPosition());
    state.addEventListener("game", () => !this.#isBusy && this.end());
  }

  get isOn() {
    return this.#tasks.length > 0;
  }

  /**
   * Starts with a task.
   *
   * @param {string} title
   * @param {Task[]} tasks
   * @param {number} first the index of the first task
   */
  async start(title, tasks, first = 0) {
    this.#opponent.end();
    this.#analysis.toggle(false);
    [this.#title, this.#tasks] = [title, tasks];
    byId("trainer").hidden = false;
    document.body.classList.add("in-training");
    await this.#go(first);
    byId("trainer").scrollIntoView({ block: "nearest" });
  }

  end() {
    if (!this.isOn) return;
    [this.#tasks, this.#node] = [[], null];
    byId("trainer").hidden = true;
    document.body.classList.remove("in-training");
  }

  async #go(index) {
    if (index >= this.#tasks.length) {
      this.end();
      showNote(text("training_done"));
      return;
    }
    this.#index = index;
    const task = this.#tasks[index];
    const count = this.#tasks.length;
    byId("trainer-title").textContent = text("training_of", {
      title: this.#title,
      index: index + 1,
      count,
    });
    this.#setSolved(false);
    this.#node = null;
    const node = await this.#busy(() => task.show());
    if (this.#task !== task) return;
    if (!node) return this.#say(text("training_broken"));
    this.#expect(node);
    this.#say(task.prompt());
  }

  /** Waits for the user's move in the position at a node. */
  #expect(node) {
    this.#node = node;
    this.#known = new Set(node.children);
  }

  get #task() {
    return this.#tasks[this.#index];
  }

  /** Runs an action on the game that must not be taken for a move of the user. */
  async #busy(action) {
    this.#isBusy = true;
    try {
      return await action();
    } finally {
      this.#isBusy = false;
    }
  }

  #say(sentence) {
    byId("trainer-text").replaceChildren(...unbroken(sentence));
  }

  #setSolved(isSolved) {
    byId("trainer-solution").hidden = isSolved;
    byId("trainer-next").classList.toggle("main", isSolved);
  }

  /** Judges the move that the user has played. */
  async #onPosition() {
    const { node } = this.#state;
    if (this.#isBusy || !this.#node || node.parent !== this.#node) return;
    const [task, before] = [this.#task, this.#node];
    const move = before.position.moves.find(({ hub }) => hub === node.hub);
    const known = task.judge(move);
    if (!known) this.#say(text("training_judging"));
    const verdict = known ?? (await this.#searched(before, node, move));
    if (!verdict || this.#task !== task || this.#node !== before) return;
    this.#say(verdict.text);
    if (!verdict.isRight) return this.#takeBack(node, before);
    if (verdict.reply) await this.#reply(verdict.reply);
    else this.#solved();
  }

  #solved() {
    this.#node = null;
    this.#task.onSolved?.();
    this.#setSolved(true);
    byId("trainer-next").focus();
  }

  /**
   * Shows the position again after a pause, and removes the user's move unless the game already had
   * it.
   */
  async #takeBack(node, before) {
    await pause(WRONG_TIME);
    if (this.#state.node !== node || this.#node !== before) return;
    await this.#busy(() =>
      this.#known.has(node) ? this.#state.go(before) : this.#state.remove(node),
    );
  }

  /** Plays the reply after a pause. */
  async #reply(hub) {
    const [node, task] = [this.#state.node, this.#task];
    await pause(REPLY_TIME);
    if (this.#state.node !== node || this.#task !== task) return;
    await this.#busy(() => this.#state.playLine([hub]));
    this.#expect(this.#state.node);
    if (!this.#task.line().length) this.#solved();
  }

  /** Plays the solution. */
  async #showSolution() {
    const task = this.#task;
    if (!task || !this.#node) return;
    const [node, moves] = [this.#node, task.line?.() ?? []];
    this.#node = null;
    this.#say(text("training_solution", { moves: task.solution() }));
    this.#setSolved(true);
    if (moves.length > 0)
      await this.#busy(async () => {
        await this.#state.go(node);
        await this.#state.playLine(moves);
      });
  }

  /** The verdict of a search on a move that is not the known solution; `null` if superseded. */
  async #searched(before, node, move) {
    const isWhite = before.position.side === "white";
    const [best, played] = [await this.#chances(before), await this.#chances(node)];
    if (!best || !played) return null;
    const loss = (isWhite ? 1 : -1) * (best.chances - played.chances);
    const values = { move: move.text, score: scoreText(played.score) };
    return loss <= TOLERANCE
      ? { isRight: true, text: text("training_good", values) }
      : { isRight: false, text: text("training_wrong", values) };
  }

  /** White's expected points and the score at a node; `null` if the search was superseded. */
  async #chances(node) {
    node.position ??= await this.#api.request("position", this.#state.fields(node));
    const { end, hub } = node.position;
    if (end) return { chances: RESULT_CHANCES[end.result], score: "0.00" };
    if (node.chances !== undefined && node.score) return node;
    const lines = new Map();
    const done = await this.#hub.search({
      position: hub,
      params: { variant: this.#state.variant, multipv: 1 },
      level: `move-time=${JUDGE_TIME}`,
      mode: "analyze",
      onInfo: (line) => lines.set(rankOf(line), line),
    });
    if (done === null) return null;
    const fields = this.#state.fields(node);
    const [best] = await this.#api.request("lines", { ...fields, infos: [...lines.values()] });
    return best ?? null;
  }
}
