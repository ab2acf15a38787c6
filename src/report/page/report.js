/** A report: games to walk through, with what a review or a match says of their moves. */

import { accuracyRows } from "../../page/accuracy.js";
import { Board } from "../../page/board.js";
import { ChancesChart } from "../../page/chances-chart.js";
import { byId, element, isInput, unbroken } from "../../page/dom.js";
import { GameView, addStep, rootOf } from "../../page/game-view.js";
import { fillIcons } from "../../page/icons.js";
import { MoveList, markClass, remarks } from "../../page/move-list.js";
import { settings } from "../../page/settings.js";
import { scoreText, setTexts, text } from "../../page/texts.js";
import { lastMove, lineText, lineThrough, markOf } from "../../page/tree.js";
import { walkByWheel, walkingKeys } from "../../page/walking.js";

/** How many turning points of a game are shown at most. */
const MAX_TURNING_POINTS = 6;

const data = JSON.parse(byId("data").textContent);
/** The game that is shown. */
let shown = data.games[0];

fillIcons();
setTexts(JSON.parse(byId("texts").textContent));
settings.follow();
const view = new GameView();
const nothing = () => {};
const board = new Board({
  onChoose: nothing,
  onPress: nothing,
  onDraw: nothing,
  onRelease: nothing,
});
Board.addDrawings(data.pieces);
new MoveList(view);
new ChancesChart(view);

/** The tree of a game: the better line of each fault is a side line. */
function treeOf(game) {
  const root = rootOf(game.start);
  root.chances = game.chances;
  let at = root;
  for (const ply of game.plies) {
    const node = addStep(at, ply);
    const { mark, loss, better, notes = [] } = ply;
    Object.assign(node, { chances: ply.chances, score: ply.score });
    Object.assign(node, { side: ply.side, clock: ply.clock });
    // In a match each move has a comment: depth and time, which would tear the list of moves apart.
    if (game.players) node.comments = ply.said ? [ply.said] : [];
    else node.said = ply.said;
    node.verdict = { mark, loss, better: better && lineText(better), notes };
    let line = at;
    for (const step of better ?? []) line = addStep(line, step);
    at = node;
  }
  return root;
}

/** What is said of a move: the move, the score and the time after it, and why. */
function sentences(node) {
  if (!node.parent) return [text("start_position")];
  const clock = node.clock ? ` (${node.clock})` : "";
  const score = node.score ? ` ${scoreText(node.score)}` : "";
  const said = [...(node.said ? [`${node.said} `] : []), ...remarks(node), ...better(node)];
  return [heading(node), `${score}${clock}${said.length > 0 ? ": " : ""}`, ...said];
}

/** A move with its number and mark. */
function heading(node) {
  const mark = markOf(node);
  const marked = mark ? [element("span", { class: markClass(mark) }, mark)] : [];
  return element("b", {}, ...unbroken(`${node.number} ${node.text}`), ...marked);
}

const better = ({ verdict }) =>
  verdict?.better ? unbroken(`${text("better")} ${verdict.better}`) : [];

/** The moves that cost most, in the order of the game. */
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
  return element(
    onclick ? "button" : "div",
    { class: "moment", onclick: onclick ?? nothing },
    board.small(position.pieces, [], arrows),
    element(
      "span",
      {},
      element("span", { class: "to-move faint" }, text(`${node.side}_moves`)),
      heading(node),
      ...remarks(node),
      ...better(node),
    ),
  );
}

function moments(root, onclick) {
  const cards = turningPoints(root).map((node) => moment(node, onclick && (() => onclick(node))));
  return cards.length > 0 ? cards : [text("no_turning_points")];
}

async function showPosition() {
  const { node } = view;
  const move = lastMove(node);
  byId("comment").replaceChildren(...sentences(node));
  for (const id of ["first", "previous"]) byId(id).disabled = !node.parent;
  for (const id of ["next", "last"]) byId(id).disabled = node.children.length === 0;
  board.mark(move ? { last: [move.from, move.way.at(-1)] } : {});
  await board.show(node.position.pieces, view.isStep ? move : undefined);
}

const showMoments = () => byId("moments").replaceChildren(...moments(view.root, goToMoment));

function goToMoment(node) {
  view.go(node);
  byId("player").scrollIntoView({ block: "nearest" });
}

const titleOf = ({ names, result }) => `${names[0]} – ${names[1]} ${result}`;

function showGame(game) {
  shown = game;
  byId("names").textContent = titleOf(game);
  byId("about").textContent = game.about.join(", ");
  byId("players").hidden = byId("moments-section").hidden = !game.players;
  if (game.players) byId("players").replaceChildren(...accuracyRows(game.players));
  board.set(game.variant, data.boards[game.variant]);
  view.show(treeOf(game));
  showMoments();
}

/** A game on paper. */
function sheet(game) {
  const root = treeOf(game);
  board.set(game.variant, data.boards[game.variant]);
  const parts = [element("h2", {}, titleOf(game)), element("p", {}, game.about.join(", "))];
  if (game.players) parts.push(element("table", {}, ...accuracyRows(game.players)));
  parts.push(element("p", {}, ...lineThrough(root).flatMap(printedMove)));
  if (game.players) parts.push(element("div", { class: "moments" }, ...moments(root)));
  return element("section", { class: "sheet" }, ...parts);
}

/** A move in running text, with what is said of it. */
function printedMove(node, index) {
  const hasNumber = index === 0 || !node.number.endsWith("...");
  const move = `${hasNumber ? `${node.number} ` : ""}${node.text}${markOf(node)}`;
  const said = remarks(node);
  const last = said.at(-1);
  if (typeof last === "string") said[said.length - 1] = last.trimEnd();
  return [...unbroken(move), " ", ...(last ? ["(", ...said, ") "] : [])];
}

/** Puts all games on paper. */
function addSheets() {
  byId("sheets").replaceChildren(...data.games.map(sheet));
  board.set(shown.variant, data.boards[shown.variant]);
  showPosition();
}

function flip() {
  board.flip(!board.isFlipped);
  showMoments();
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

/** The paragraphs and tables above the games. */
function showParts() {
  const cells = (kind, values) =>
    element("tr", {}, ...values.map((value) => element(kind, {}, value)));
  const lines = (part) =>
    element("p", {}, ...part.flatMap((line) => [line, document.createElement("br")]));
  const table = ({ header, rows }) =>
    element("table", {}, cells("th", header), ...rows.map((row) => cells("td", row)));
  byId("parts").append(
    ...data.parts.map((part) => (part.lines ? lines(part.lines) : table(part.table))),
  );
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

function addListeners() {
  const walking = walkingKeys(view);
  const keys = {
    ...walking,
    PageUp: () => goToTurningPoint(-1),
    PageDown: () => goToTurningPoint(1),
    f: flip,
    n: () => goToGame(1),
    p: () => goToGame(-1),
  };
  const buttons = { first: "Home", previous: "ArrowLeft", next: "ArrowRight", last: "End", flip: "f" };
  for (const [id, key] of Object.entries(buttons)) byId(id).addEventListener("click", keys[key]);
  byId("print").addEventListener("click", () => print());
  addEventListener("beforeprint", addSheets);
  addEventListener("afterprint", () => byId("sheets").replaceChildren());
  addEventListener("keydown", (event) => {
    if (isInput(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.shiftKey) return;
    event.preventDefault();
    action();
  });
  walkByWheel(byId("board"), walking);
  view.addEventListener("position", showPosition);
}

function start() {
  document.title = text(data.title);
  byId("title").textContent = text(data.title);
  const limits = data.limits.map(([name, value]) => text(name, { value })).join(", ");
  byId("made-by").textContent = text(data.made_by, { program: data.program, limits });
  showParts();
  showChooser();
  addListeners();
  if (shown) showGame(shown);
}

start();
