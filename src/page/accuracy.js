/** The table of a review: the accuracy and the errors of each player. */

import { element } from "./dom.js";
import { number, text } from "./texts.js";

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const THREE_DIGITS = { minimumFractionDigits: 3, maximumFractionDigits: 3 };

/** The columns, by the keys of their texts. The style sheet hides `loss` where space is tight. */
const KINDS = ["player", "accuracy", "loss", "inaccuracies", "mistakes", "blunders"];

/**
 * The rows of the table.
 *
 * @param {{accuracy: number | null, loss: number, faults: number[]}[]} players White and Black: the
 *   accuracy in percent, the mean loss in points per move, and the numbers of inaccuracies,
 *   mistakes and blunders
 */
export function accuracyRows(players) {
  const cell = (kind, content, index) =>
    element(kind, { class: KINDS[index] === "loss" ? "loss" : false }, content);
  const row = (kind, cells) =>
    element("tr", {}, ...cells.map((content, index) => cell(kind, content, index)));
  const accuracy = ({ accuracy }) => (accuracy === null ? "–" : `${number(accuracy, ONE_DIGIT)} %`);
  const cells = (player) => [
    accuracy(player),
    number(player.loss, THREE_DIGITS),
    ...player.faults.map(String),
  ];
  return [
    row(
      "th",
      KINDS.map((kind) => text(kind)),
    ),
    row("td", [text("white"), ...cells(players[0])]),
    row("td", [text("black"), ...cells(players[1])]),
  ];
}
