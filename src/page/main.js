/** The page: a board to play and analyse on, connected to the engine. */

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { ChancesChart } from "./chances-chart.js";
import { button, byId, element, isInput } from "./dom.js";
import { HubClient, PageApi, isServed, openChannel } from "./engine-client.js";
import { Files } from "./files.js";
import { GameState, readAddress, writeAddress } from "./game-state.js";
import { NO_INPUT, addSquare, targets } from "./move-input.js";
import { MoveList, commentElements } from "./move-list.js";
import { Opponent } from "./opponent.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { languages, saveLanguage, text, useLanguage } from "./texts.js";
import { endOf } from "./tree.js";

const LEVELS = 10;
const THEMES = ["auto", "light", "dark"];
const THEME_KEY = "manoury.theme";

/** Resolves once the texts are loaded. */
const textsLoaded = loadTexts();
const send = openChannel(
  (line) => api.receive(line) || hub.receive(line),
  async (reason) => {
    await textsLoaded;
    byId("trouble").hidden = false;
    byId("trouble").textContent = `${text("engine_lost")} ${reason}`;
  },
);
const api = new PageApi(send);
const hub = new HubClient(send);
const state = new GameState(api);
const board = new Board(chooseSquare);
const parts = { state, hub, api, board };
const setup = new Setup(parts);
const analysis = new Analysis(parts);
const opponent = new Opponent(parts);
const files = new Files(parts);
new Review({ ...parts, analysis });
new MoveList(state);
const chart = new ChancesChart(state);

/** The move in the making. */
let input = NO_INPUT;
/** The boards by game, as the engine describes them. */
const boards = new Map();

/** Handles a click on a square; 0 for none. */
function chooseSquare(square) {
  if (setup.isOn) return setup.choose(square);
  const { position } = state;
  if (
    !position ||
    (opponent.side && position.side === opponent.side && !state.node.children.length)
  )
    return;
  const next = square ? addSquare(position.moves, input, square) : NO_INPUT;
  input = next.move ? NO_INPUT : next;
  showMarks();
  if (next.move) state.play(next.move);
}

/** Highlights the last move, the pieces that can move, and the move in the making. */
function showMarks() {
  const { position } = state;
  const last = lastMove();
  const movable = input.from ? [] : position.moves.map(({ from }) => from);
  board.mark({
    last: last ? [last.from, last.way.at(-1)] : [],
    movable: [...new Set(movable)],
    selected: input.from ? [input.from, ...input.steps] : [],
    target: targets(input),
  });
  showChoices();
}

/** The move to the shown position, as the engine describes it. */
function lastMove() {
  const { parent, hub: moved } = state.node;
  return parent?.position?.moves.find((move) => move.hub === moved);
}

/** Offers the captures by name if the chosen squares do not distinguish them. */
function showChoices() {
  const isOpen = input.steps.length > 0;
  const items = isOpen ? input.moves : [];
  const label = ({ from, way }) => [from, ...way].map((square) => board.squareName(square)).join("×");
  const choice = (move) => {
    input = NO_INPUT;
    state.play(move);
  };
  byId("choices").hidden = !isOpen;
  byId("choices").replaceChildren(
    ...(isOpen ? [`${text("choose_way")} `] : []),
    ...items.map((move) => button(label(move), () => choice(move))),
  );
}

async function showPosition() {
  const { position, node, isStep } = state;
  input = NO_INPUT;
  byId("status").textContent = statusOf(node, position);
  showComment(node);
  writeAddress(state);
  byId("previous").disabled = byId("first").disabled = !node.parent;
  byId("next").disabled = byId("last").disabled = node.children.length === 0;
  byId("promote").disabled = byId("delete").disabled = !node.parent;
  showMarks();
  await board.show(position.pieces, isStep ? lastMove() : undefined);
}

/** The last move, and the side to move or the result. */
function statusOf(node, { side, end }) {
  const lastMoveText = node.parent ? `${node.number} ${node.text}. ` : "";
  if (!end) return lastMoveText + text(side === "white" ? "white_moves" : "black_moves");
  const results = { "2-0": "white_wins", "0-2": "black_wins", "1-1": "a_draw" };
  return `${lastMoveText}${text(results[end.result])}: ${text(end.reason)}`;
}

function showComment({ comments, verdict }) {
  const parts = [...commentElements(comments)];
  if (verdict?.loss !== undefined)
    parts.push(`${text("loses", { points: verdict.loss.toFixed(2) })}. `);
  for (const note of verdict?.notes ?? []) parts.push(`${text(`note_${note}`)}. `);
  if (verdict?.better) parts.push(`${text("better")} ${verdict.better}`);
  byId("comment").replaceChildren(...parts);
}

async function showGame() {
  const { variant } = state;
  if (!boards.has(variant)) boards.set(variant, await api.request("board", { variant }));
  byId("variant").value = variant;
  board.set(variant, boards.get(variant));
  if (state.position) await showPosition();
}

function showNames() {
  const [white, black] = ["White", "Black"].map((name) => state.tag(name));
  const result = state.result === "*" ? "" : state.result;
  byId("names").textContent = white || black ? `${white || "?"} – ${black || "?"} ${result}` : "";
}

const shortcuts = {
  ArrowLeft: () => state.node.parent && state.go(state.node.parent),
  ArrowRight: () => state.node.children[0] && state.go(state.node.children[0]),
  Home: () => state.go(state.root),
  End: () => state.go(endOf(state.node)),
  f: () => flip(!board.isFlipped),
  a: () => analysis.toggle(!analysis.isOn),
};

function flip(isFlipped) {
  board.flip(isFlipped);
  state.refresh();
}

function addListeners() {
  state.addEventListener("game", showGame);
  state.addEventListener("moves", showNames);
  state.addEventListener("position", () => boards.has(state.variant) && showPosition());
  state.addEventListener("chances", () => chart.draw());
  state.addEventListener("side", (event) => flip(event.detail === "black"));
  state.addEventListener("setup", () => {
    analysis.toggle(false);
    opponent.end();
  });
  const on = (id, action) => byId(id).addEventListener("click", action);
  on("first", shortcuts.Home);
  on("previous", shortcuts.ArrowLeft);
  on("next", shortcuts.ArrowRight);
  on("last", shortcuts.End);
  on("flip", shortcuts.f);
  on("promote", () => state.promote());
  on("delete", () => state.remove());
  on("theme", () => useTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]));
  byId("variant").addEventListener("change", () => {
    opponent.end();
    state.startGame(byId("variant").value);
  });
  byId("language").addEventListener("change", async () => {
    saveLanguage(byId("language").value);
    await useLanguage(byId("language").value);
    labelGames();
    state.refresh();
  });
  addEventListener("keydown", (event) => {
    if (isInput(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || byId("chooser").open || setup.isOn) return;
    event.preventDefault();
    action();
  });
  addEventListener("hashchange", startFromAddress);
}

const theme = () => localStorage.getItem(THEME_KEY) ?? "auto";

function useTheme(name) {
  localStorage.setItem(THEME_KEY, name);
  document.documentElement.dataset.theme = name;
}

/** Shows the game and position of the address, or the start position if there is none. */
async function startFromAddress() {
  const { variant = "international", fen = "" } = readAddress() ?? {};
  try {
    await state.startGame(variant, fen);
  } catch (error) {
    byId("notes").textContent = error.message;
    await state.startGame("international");
  }
}

function labelGames() {
  for (const option of byId("variant").options) option.textContent = text(`game_${option.value}`);
}

/** Loads the texts in the language of the visitor, and lists the others. */
async function loadTexts() {
  const { names, first } = await languages();
  await useLanguage(first);
  byId("language").append(
    ...Object.entries(names).map(([code, name]) =>
      element("option", { value: code, lang: code }, name),
    ),
  );
  byId("language").value = first;
}

async function start() {
  useTheme(theme());
  const [{ program, games, pieces }] = await Promise.all([api.request("games"), textsLoaded]);
  byId("variant").append(...games.map(({ name }) => element("option", { value: name })));
  labelGames();
  byId("level").append(
    ...Array.from({ length: LEVELS }, (_, index) => element("option", {}, index + 1)),
  );
  byId("level").value = "3";
  byId("made-by").textContent = program;
  Board.addDrawings(pieces);
  addListeners();
  await startFromAddress();
}

/** Caches the page for visits without a network, unless a program serves it. */
function cachePage() {
  if ("serviceWorker" in navigator && !isServed())
    navigator.serviceWorker.register("service-worker.js");
}

start().finally(cachePage);
