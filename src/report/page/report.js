/** A report: games to step through, with the remarks of a review or a match on their moves. */

import { accuracyRows } from "../../page/accuracy.js";
import { byId, element, unbroken } from "../../page/dom.js";
import {
  GameViewer,
  betterLine,
  heading,
  partElements,
  titleOf,
  treeOf,
} from "../../page/game-viewer.js";
import { fillIcons } from "../../page/icons.js";
import { remarks } from "../../page/move-list.js";
import { settings } from "../../page/settings.js";
import { setTexts, text } from "../../page/texts.js";
import { lineThrough, markOf } from "../../page/tree.js";

/** Maximum number of turning points shown for a game. */
const MAX_TURNING_POINTS = 6;

const data = JSON.parse(byId("data").textContent);
/** The current game. */
let shown = data.games[0];

fillIcons();
setTexts(JSON.parse(byId("texts").textContent));
settings.follow();
const viewer = new GameViewer(data.pieces);
const { view, board } = viewer;

/** The moves that cost the most, in the order of the game. */
function turningPoints(root) {
  const faults = lineThrough(root).filter(({ verdict }) => verdict?.better);
  const worst = [...faults].sort((one, two) => two.verdict.loss - one.verdict.loss);
  const chosen = worst.slice(0, MAX_TURNING_POINTS);
  return faults.filter((node) => chosen.includes(node));
}

/** The position before a turning point, with the move played and the better one. */
function moment(node, onclick) {
  const { position } = node.parent;
  const [played, instead] = position.moves;
  const arrow = ({ from, way }, kind) => ({ from, to: way.at(-1), kind });
  const arrows = [arrow(played, "threat"), arrow(instead, "best")];
  const attributes = onclick ? { class: "moment", onclick } : { class: "moment" };
  return element(
    onclick ? "button" : "div",
    attributes,
    board.small(position.pieces, [], arrows),
    element(
      "span",
      {},
      element("span", { class: "to-move faint" }, text(`${node.side}_moves`)),
      heading(node),
      ...remarks(node),
      ...betterLine(node),
    ),
  );
}

function moments(root, onclick) {
  const cards = turningPoints(root).map((node) => moment(node, onclick && (() => onclick(node))));
  return cards.length > 0 ? cards : [text("no_turning_points")];
}

const showMoments = () => byId("moments").replaceChildren(...moments(view.root, goToMoment));

function goToMoment(node) {
  view.go(node);
  byId("player").scrollIntoView({ block: "nearest" });
}

function showGame(game) {
  shown = game;
  byId("players").hidden = byId("moments-section").hidden = !game.players;
  if (game.players) byId("players").replaceChildren(...accuracyRows(game.players));
  viewer.show(game, data.boards[game.variant]);
  showMoments();
}

/** The printed form of a game. */
function sheet(game) {
  const root = treeOf(game);
  board.set(game.variant, data.boards[game.variant]);
  const parts = [element("h2", {}, titleOf(game)), element("p", {}, game.about.join(", "))];
  if (game.players) parts.push(element("table", {}, ...accuracyRows(game.players)));
  parts.push(element("p", {}, ...lineThrough(root).flatMap(printedMove)));
  if (game.players) parts.push(element("div", { class: "moments" }, ...moments(root)));
  return element("section", { class: "sheet" }, ...parts);
}

/** A move in running text, with the remarks on it. */
function printedMove(node, index) {
  const hasNumber = index === 0 || !node.number.endsWith("...");
  const move = `${hasNumber ? `${node.number} ` : ""}${node.text}${markOf(node)}`;
  const said = remarks(node);
  const last = said.at(-1);
  if (typeof last === "string") said[said.length - 1] = last.trimEnd();
  return [...unbroken(move), " ", ...(last ? ["(", ...said, ") "] : [])];
}

/** Adds the printed form of all games. */
function addSheets() {
  byId("sheets").replaceChildren(...data.games.map(sheet));
  board.set(shown.variant, data.boards[shown.variant]);
  viewer.refresh();
}

/** Goes to the next turning point, forward or backward. */
function goToTurningPoint(direction) {
  const line = [view.root, ...lineThrough(view.node)];
  const place = line.indexOf(view.node);
  const points = turningPoints(view.root).filter(
    (node) => (line.indexOf(node) - place) * direction > 0,
  );
  const next = points.at(direction > 0 ? 0 : -1);
  if (next) view.go(next);
}

function goToGame(step) {
  const game = data.games[data.games.indexOf(shown) + step];
  if (!game) return;
  byId("chooser").querySelector("select").value = String(data.games.indexOf(game));
  showGame(game);
}

function showChooser() {
  const chooser = byId("chooser");
  chooser.hidden = data.games.length < 2;
  const select = chooser.querySelector("select");
  select.append(
    ...data.games.map((game, index) =>
      element("option", { value: index }, `${index + 1}. ${titleOf(game)}`),
    ),
  );
  select.addEventListener("change", () => showGame(data.games[Number(select.value)]));
}

function start() {
  document.title = text(data.title);
  byId("title").textContent = text(data.title);
  const limits = data.limits.map(([name, value]) => text(name, { value })).join(", ");
  byId("made-by").textContent = text(data.made_by, { program: data.program, limits });
  byId("parts").append(...partElements(data.parts));
  byId("parts").hidden = data.parts.length === 0;
  showChooser();
  Object.assign(viewer.keys, {
    PageUp: () => goToTurningPoint(-1),
    PageDown: () => goToTurningPoint(1),
    n: () => goToGame(1),
    p: () => goToGame(-1),
  });
  viewer.onFlip = showMoments;
  byId("print").addEventListener("click", () => print());
  addEventListener("beforeprint", addSheets);
  addEventListener("afterprint", () => byId("sheets").replaceChildren());
  if (shown) showGame(shown);
}

start();
