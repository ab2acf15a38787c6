"use strict";
const texts = JSON.parse(document.getElementById("texts").textContent);
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const SQUARE = 50;
/** Maximum number of turning points shown. */
const MAX_TURNING_POINTS = 6;

/** The game shown, the number of plies played, and whether Black is at the bottom. */
const state = { game: 0, ply: 0, flipped: false };

const game = () => data.games[state.game];
const boardOf = (game) => data.boards[game.variant];
const text = (name, values = {}) =>
  texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The upper left corner of a square, as the board is shown. */
function corner(board, square, flipped) {
  const [row, column] = board.squares[square - 1];
  const turn = (place) => (flipped ? board.size - 1 - place : place);
  return [turn(column) * SQUARE, turn(row) * SQUARE];
}

/** Draws a board: pieces, marked squares, and arrows, each given as two squares and a colour. */
function drawBoard(svg, game, pieces, marked, arrows, flipped) {
  const board = boardOf(game);
  const side = board.size * SQUARE;
  svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
  svg.replaceChildren(drawn("use", { href: `#board-${game.variant}${flipped ? "-flipped" : ""}` }));
  for (const square of marked) {
    const [x, y] = corner(board, square, flipped);
    svg.append(drawn("rect", { x, y, width: SQUARE, height: SQUARE, fill: "#c9d24a", opacity: 0.45 }));
  }
  [...pieces].forEach((letter, index) => {
    if (letter === ".") return;
    const [x, y] = corner(board, index + 1, flipped);
    svg.append(drawn("use", { href: `#piece-${letter}`, x: x + SQUARE / 2, y: y + SQUARE / 2 }));
  });
  for (const [from, to, colour] of arrows) svg.append(...arrow(board, from, to, colour, flipped));
}

function arrow(board, from, to, colour, flipped) {
  const middle = (square) => corner(board, square, flipped).map((place) => place + SQUARE / 2);
  const [start, end] = [middle(from), middle(to)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  if (length === 0) return [];
  const step = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
  const at = (before, aside) =>
    `${end[0] - before * step[0] - aside * step[1]},${end[1] - before * step[1] + aside * step[0]}`;
  return [
    drawn("path", { d: `M${start} L${at(22, 0)}`, stroke: colour, "stroke-width": 6, opacity: 0.85 }),
    drawn("path", { d: `M${at(24, 10)} L${at(24, -10)} L${at(6, 0)}z`, fill: colour, opacity: 0.85 }),
  ];
}

const BETTER = "#1f8f3a";
const PLAYED = "#c62828";

const piecesAt = (game, ply) => (ply === 0 ? game.start : game.plies[ply - 1].pieces);
const chancesAt = (game, ply) => (ply === 0 ? game.chances : game.plies[ply - 1].chances);

/** The plies of the worst faults, in the order of the game. */
function turningPoints(game) {
  const faults = game.plies.map((ply, index) => [ply, index]).filter(([ply]) => ply.better);
  faults.sort(([one], [two]) => two.loss - one.loss);
  return faults.slice(0, MAX_TURNING_POINTS).map(([, index]) => index).sort((one, two) => one - two);
}

const markClass = (ply) => (ply.mark === "!" ? "good" : "fault");

function moveText(ply) {
  const parts = [ply.text];
  if (ply.mark) parts.push(element("span", { class: markClass(ply) }, ply.mark));
  return parts;
}

/** A line of moves, without line breaks inside moves. */
const moveLine = (moves) => moves.split(" ").flatMap((move) => [element("span", { class: "move" }, move), " "]);

/** The comments on a move. */
function comments(ply) {
  const parts = [];
  if (ply.said) parts.push([ply.said]);
  if (ply.loss !== undefined) parts.push([text("costs", { points: ply.loss.toFixed(2) })]);
  for (const note of ply.notes ?? []) parts.push([text(note)]);
  if (ply.better) parts.push([text("better"), " ", ...moveLine(ply.better[0])]);
  return parts.flatMap((part, index) => (index === 0 ? part : [". ", ...part]));
}

function showPosition() {
  const now = game();
  const ply = now.plies[state.ply - 1];
  drawBoard(byId("board"), now, piecesAt(now, state.ply), ply ? [ply.from, ply.to] : [], [], state.flipped);
  const said = byId("comment");
  if (ply) {
    const clock = ply.clock ? ` (${ply.clock})` : "";
    const more = comments(ply);
    const head = element("b", {}, `${ply.number} `, ...moveText(ply));
    said.replaceChildren(head, ` ${ply.score}${clock}${more.length > 0 ? ": " : ""}`, ...more);
  } else {
    said.replaceChildren(text("start"));
  }
  byId("board").setAttribute("aria-label", said.textContent);
  for (const button of byId("moves").querySelectorAll("button")) {
    const isNow = Number(button.dataset.ply) === state.ply;
    button.classList.toggle("now", isNow);
    if (isNow) button.scrollIntoView({ block: "nearest" });
  }
  showCurve();
}

/** White's chances, move by move. */
function showCurve() {
  const now = game();
  const count = Math.max(now.plies.length, 1);
  const x = (ply) => (600 * ply) / count;
  const points = [...Array(now.plies.length + 1).keys()].map(
    (ply) => `${x(ply).toFixed(1)},${(120 * (1 - chancesAt(now, ply))).toFixed(1)}`,
  );
  const line = (attributes) => drawn("line", attributes);
  const curve = byId("curve");
  curve.replaceChildren(
    drawn("polygon", { class: "area", points: `0,120 ${points.join(" ")} ${x(now.plies.length)},120` }),
    drawn("polyline", { class: "path", points: points.join(" ") }),
    line({ class: "middle", x1: 0, x2: 600, y1: 60, y2: 60 }),
    line({ class: "now", x1: x(state.ply), x2: x(state.ply), y1: 0, y2: 120 }),
  );
}

function showGame() {
  const now = game();
  byId("names").textContent = `${now.names[0]} – ${now.names[1]} ${now.result}`;
  byId("about").textContent = now.about.join(", ");
  showPlayers();
  byId("moves").replaceChildren(...now.plies.map(moveItem));
  showTurningPoints();
  showPosition();
}

/** The table of the players; a game without a review has neither this nor turning points. */
function showPlayers() {
  const { players } = game();
  byId("players").hidden = byId("moments-section").hidden = !players;
  if (!players) return;
  const row = (name, values) =>
    element("tr", {}, element("td", {}, text(name)), ...values.map((value) => element("td", {}, value)));
  const head = element("tr", {}, element("th", {}, text("player")), element("th", {}, text("white")), element("th", {}, text("black")));
  const faults = (kind) => players.map((player) => String(player.faults[kind]));
  byId("players").replaceChildren(
    head,
    row("accuracy", players.map(({ accuracy }) => (accuracy === null ? "–" : `${accuracy.toFixed(1)} %`))),
    row("loss", players.map(({ loss }) => loss.toFixed(3))),
    row("inaccuracies", faults(0)),
    row("mistakes", faults(1)),
    row("blunders", faults(2)),
  );
}

function moveItem(ply, index) {
  const hasNumber = !ply.number.endsWith("...") || index === 0;
  const number = hasNumber ? [element("span", { class: "number" }, `${ply.number} `)] : [];
  const go = () => goTo(index + 1);
  return element("li", {}, element("button", { "data-ply": index + 1, onclick: go }, ...number, ...moveText(ply)));
}

function showTurningPoints() {
  const now = game();
  const cards = turningPoints(now).map((index) => {
    const ply = now.plies[index];
    const picture = drawn("svg", { role: "img" });
    const [, from, to] = ply.better;
    const arrows = [[ply.from, ply.to, PLAYED], [from, to, BETTER]];
    drawBoard(picture, now, piecesAt(now, index), [], arrows, state.flipped);
    const head = element("b", {}, `${ply.number} `, ...moveText(ply));
    return element("button", { class: "moment", onclick: () => goTo(index + 1) }, picture, element("span", {}, head, " ", ...comments(ply)));
  });
  byId("moments").replaceChildren(...(cards.length > 0 ? cards : [text("no_turning_points")]));
}

function goTo(ply) {
  state.ply = Math.min(Math.max(ply, 0), game().plies.length);
  showPosition();
}

/** Goes to the next turning point, forward or backward. */
function goToTurningPoint(direction) {
  const plies = turningPoints(game()).map((index) => index + 1);
  if (direction < 0) plies.reverse();
  const next = plies.find((ply) => (ply - state.ply) * direction > 0);
  if (next !== undefined) goTo(next);
}

function flip() {
  state.flipped = !state.flipped;
  showTurningPoints();
  showPosition();
}

const steps = {
  ArrowLeft: () => goTo(state.ply - 1),
  ArrowRight: () => goTo(state.ply + 1),
  ArrowUp: () => goToTurningPoint(-1),
  ArrowDown: () => goToTurningPoint(1),
  Home: () => goTo(0),
  End: () => goTo(game().plies.length),
  f: flip,
  F: flip,
};

/** The paragraphs and tables above the games. */
function showParts() {
  const cells = (kind, values) => element("tr", {}, ...values.map((value) => element(kind, {}, value)));
  const lines = (part) => element("p", {}, ...part.flatMap((line) => [line, element("br")]));
  const table = ({ header, rows }) =>
    element("table", {}, cells("th", header), ...rows.map((row) => cells("td", row)));
  byId("parts").append(...data.parts.map((part) => (part.lines ? lines(part.lines) : table(part.table))));
}

function begin() {
  showParts();
  document.title = text(data.title);
  byId("title").textContent = text(data.title);
  byId("moves-title").textContent = text("moves");
  byId("moments-title").textContent = text("turning_points");
  byId("keys").textContent = text("keys");
  byId("curve-title").textContent = text("chances");
  const limits = data.limits.map(([name, value]) => text(name, { value })).join(", ");
  byId("made-by").textContent = text(data.made_by, { program: data.program, limits });
  const buttons = [["first", "|◀", steps.Home], ["previous", "◀", steps.ArrowLeft], ["next", "▶", steps.ArrowRight], ["last", "▶|", steps.End], ["flip", "⇅", flip]];
  byId("buttons").append(
    ...buttons.map(([name, sign, onclick]) => element("button", { id: `go-${name}`, title: text(name), "aria-label": text(name), onclick }, sign)),
  );
  const chooser = byId("chooser");
  chooser.hidden = data.games.length < 2;
  chooser.querySelector("span").textContent = text("game");
  const select = chooser.querySelector("select");
  select.append(...data.games.map((game, index) =>
    element("option", { value: index }, `${index + 1}. ${game.names[0]} – ${game.names[1]} ${game.result}`)));
  select.addEventListener("change", () => {
    Object.assign(state, { game: Number(select.value), ply: 0 });
    showGame();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
  });
  byId("curve").addEventListener("click", (event) => {
    const { left, width } = byId("curve").getBoundingClientRect();
    goTo(Math.round((game().plies.length * (event.clientX - left)) / width));
  });
  showGame();
}

begin();
