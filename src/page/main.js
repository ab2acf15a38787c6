/** The page: a board to play and analyse on, with the engine behind it. */

import { readAddress, writeAddress } from "./address.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { openChannel } from "./channel.js";
import { Curve } from "./curve.js";
import { Desk } from "./desk.js";
import { button, byId, element, isWriting } from "./dom.js";
import { Files } from "./files.js";
import { Hub } from "./hub.js";
import { MoveList, comments } from "./move-list.js";
import { NONE, choose, targets } from "./moving.js";
import { Opponent } from "./opponent.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { Study } from "./study.js";
import { keepLanguage, languages, text, useLanguage } from "./texts.js";
import { endOf } from "./tree.js";

const LEVELS = 10;
const THEMES = ["auto", "light", "dark"];
const THEME_KEPT = "manoury.theme";

/** Ends once the page has its texts. */
const spoken = speak();
const send = openChannel(
  (line) => desk.hear(line) || hub.hear(line),
  async (why) => {
    await spoken;
    byId("trouble").hidden = false;
    byId("trouble").textContent = `${text("engine_lost")} ${why}`;
  },
);
const desk = new Desk(send);
const hub = new Hub(send);
const study = new Study(desk);
const board = new Board(chooseSquare);
const parts = { study, hub, desk, board };
const setup = new Setup(parts);
const analysis = new Analysis(parts);
const opponent = new Opponent(parts);
const files = new Files(parts);
new Review({ ...parts, analysis });
new MoveList(study);
const curve = new Curve(study);

/** The move that somebody is making. */
let meant = NONE;
/** The boards by game, as the desk describes them. */
const boards = new Map();

/** Somebody has chosen a square; 0 is none. */
function chooseSquare(square) {
  if (setup.isOn) return setup.choose(square);
  const { position } = study;
  if (
    !position ||
    (opponent.side && position.side === opponent.side && !study.node.children.length)
  )
    return;
  const chosen = square ? choose(position.moves, meant, square) : NONE;
  meant = chosen.move ? NONE : chosen;
  showMarks();
  if (chosen.move) study.play(chosen.move);
}

/** Shows the last move, what can move, and the move in the making. */
function showMarks() {
  const { position } = study;
  const last = lastMove();
  const movable = meant.from ? [] : position.moves.map(({ from }) => from);
  board.mark({
    last: last ? [last.from, last.way.at(-1)] : [],
    movable: [...new Set(movable)],
    selected: meant.from ? [meant.from, ...meant.steps] : [],
    target: targets(meant),
  });
  showChoices();
}

/** The move to the shown position as the desk describes it. */
function lastMove() {
  const { parent, hub: moved } = study.node;
  return parent?.position?.moves.find((move) => move.hub === moved);
}

/** Where squares leave several captures, people choose by their names. */
function showChoices() {
  const isOpen = meant.steps.length > 0;
  const items = isOpen ? meant.moves : [];
  const label = ({ from, way }) => [from, ...way].map((square) => board.nameOf(square)).join("×");
  const choice = (move) => {
    meant = NONE;
    study.play(move);
  };
  byId("choices").hidden = !isOpen;
  byId("choices").replaceChildren(
    ...(isOpen ? [`${text("choose_way")} `] : []),
    ...items.map((move) => button(label(move), () => choice(move))),
  );
}

async function showPosition() {
  const { position, node, isStep } = study;
  meant = NONE;
  byId("status").textContent = statusOf(node, position);
  showComment(node);
  writeAddress(study);
  byId("previous").disabled = byId("first").disabled = !node.parent;
  byId("next").disabled = byId("last").disabled = node.children.length === 0;
  byId("promote").disabled = byId("delete").disabled = !node.parent;
  showMarks();
  await board.show(position.pieces, isStep ? lastMove() : undefined);
}

/** The last move, and whose turn it is or how the game has ended. */
function statusOf(node, { side, end }) {
  const moved = node.parent ? `${node.number} ${node.text}. ` : "";
  if (!end) return moved + text(side === "white" ? "white_moves" : "black_moves");
  const results = { "2-0": "white_wins", "0-2": "black_wins", "1-1": "a_draw" };
  return `${moved}${text(results[end.result])}: ${text(end.reason)}`;
}

function showComment({ comments: said, verdict }) {
  const words = [...comments(said)];
  if (verdict?.loss !== undefined)
    words.push(`${text("loses", { points: verdict.loss.toFixed(2) })}. `);
  for (const note of verdict?.notes ?? []) words.push(`${text(`note_${note}`)}. `);
  if (verdict?.better) words.push(`${text("better")} ${verdict.better}`);
  byId("comment").replaceChildren(...words);
}

async function showGame() {
  const { variant } = study;
  if (!boards.has(variant)) boards.set(variant, await desk.ask("board", { variant }));
  byId("variant").value = variant;
  board.set(variant, boards.get(variant));
  if (study.position) await showPosition();
}

function showNames() {
  const [white, black] = ["White", "Black"].map((name) => study.tag(name));
  const result = study.result === "*" ? "" : study.result;
  byId("names").textContent = white || black ? `${white || "?"} – ${black || "?"} ${result}` : "";
}

const steps = {
  ArrowLeft: () => study.node.parent && study.go(study.node.parent),
  ArrowRight: () => study.node.children[0] && study.go(study.node.children[0]),
  Home: () => study.go(study.root),
  End: () => study.go(endOf(study.node)),
  f: () => flip(!board.isFlipped),
  a: () => analysis.turn(!analysis.isOn),
};

function flip(isFlipped) {
  board.turn(isFlipped);
  study.annotate();
}

function listen() {
  study.addEventListener("game", showGame);
  study.addEventListener("moves", showNames);
  study.addEventListener("position", () => boards.has(study.variant) && showPosition());
  study.addEventListener("chances", () => curve.draw());
  study.addEventListener("seat", (event) => flip(event.detail === "black"));
  study.addEventListener("setup", () => {
    analysis.turn(false);
    opponent.end();
  });
  const on = (id, act) => byId(id).addEventListener("click", act);
  on("first", steps.Home);
  on("previous", steps.ArrowLeft);
  on("next", steps.ArrowRight);
  on("last", steps.End);
  on("flip", steps.f);
  on("promote", () => study.promote());
  on("delete", () => study.remove());
  on("theme", () => useTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]));
  byId("variant").addEventListener("change", () => {
    opponent.end();
    study.begin(byId("variant").value);
  });
  byId("language").addEventListener("change", async () => {
    keepLanguage(byId("language").value);
    await useLanguage(byId("language").value);
    nameGames();
    study.annotate();
  });
  addEventListener("keydown", (event) => {
    if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = steps[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || byId("chooser").open || setup.isOn) return;
    event.preventDefault();
    act();
  });
  addEventListener("hashchange", beginFromAddress);
}

const theme = () => localStorage.getItem(THEME_KEPT) ?? "auto";

function useTheme(name) {
  localStorage.setItem(THEME_KEPT, name);
  document.documentElement.dataset.theme = name;
}

/** The game and position of the address, or the start position if there is none. */
async function beginFromAddress() {
  const { variant = "international", fen = "" } = readAddress() ?? {};
  try {
    await study.begin(variant, fen);
  } catch (error) {
    byId("notes").textContent = error.message;
    await study.begin("international");
  }
}

function nameGames() {
  for (const option of byId("variant").options) option.textContent = text(`game_${option.value}`);
}

/** Takes the language of the visitor, and offers the others. */
async function speak() {
  const { names, first } = await languages();
  await useLanguage(first);
  byId("language").append(
    ...Object.entries(names).map(([code, name]) =>
      element("option", { value: code, lang: code }, name),
    ),
  );
  byId("language").value = first;
}

async function begin() {
  useTheme(theme());
  const [{ program, games, pieces }] = await Promise.all([desk.ask("games"), spoken]);
  byId("variant").append(...games.map(({ name }) => element("option", { value: name })));
  nameGames();
  byId("level").append(
    ...Array.from({ length: LEVELS }, (_, index) => element("option", {}, index + 1)),
  );
  byId("level").value = "3";
  byId("made-by").textContent = program;
  Board.takeDrawings(pieces);
  listen();
  await beginFromAddress();
}

/** Keeps the page for visits without a network. A program that serves it is there anyway. */
function keepOffline() {
  const isServed = document.querySelector("meta[name=engine]").content === "socket";
  if ("serviceWorker" in navigator && !isServed)
    navigator.serviceWorker.register("service-worker.js");
}

begin().finally(keepOffline);
