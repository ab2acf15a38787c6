/** The page: a board to play and analyse on, connected to the engine. */

import { Analysis } from "./analysis.js";
import { Annotation } from "./annotation.js";
import { Board } from "./board.js";
import { ChancesChart } from "./chances-chart.js";
import { Collection } from "./collection.js";
import { all, byId, element, showNote, unbroken, usesKey } from "./dom.js";
import { Connection, HubClient, PageApi, isServed } from "./engine-client.js";
import { Explorer } from "./explorer.js";
import { Files } from "./files.js";
import { GameList } from "./game-list.js";
import { GameState } from "./game-state.js";
import { fillIcons } from "./icons.js";
import { Images } from "./images.js";
import { Learning } from "./mistakes.js";
import { MoveList, remarks } from "./move-list.js";
import { Mover } from "./mover.js";
import { Opponent } from "./opponent.js";
import { Players } from "./players.js";
import { Review } from "./review.js";
import { gameFrom, hashOf, save, saveView, savedGame, savedView } from "./saved-game.js";
import { settings } from "./settings.js";
import { Setup } from "./setup.js";
import { playSound } from "./sounds.js";
import { Tabs } from "./tabs.js";
import { errorText, languages, saveLanguage, text, useLanguage } from "./texts.js";
import { Trainer } from "./trainer.js";
import { SHARED, lastMove } from "./tree.js";
import { walkByWheel, walkingKeys } from "./walking.js";

/** How long the notice that the engine is connected again is shown, in milliseconds. */
const NOTICE_TIME = 4000;

fillIcons();
settings.start();

/** Resolves once the texts are loaded. */
const textsLoaded = loadTexts();
const connection = new Connection({
  onOpen: greet,
  onLine: (line) => api.receive(line) || hub.receive(line),
  onLost: (reason, details) => {
    opponent.clock.pause();
    showTrouble(reason, { details });
  },
});
const send = (line) => connection.send(line);
const api = new PageApi(send);
const hub = new HubClient(send, showError);
const state = new GameState(api);
const board = new Board({
  onChoose: (square) => (setup.isOn ? setup : mover).choose(square),
  onPress: (square) => !setup.isOn && mover.choose(square),
  onDraw: (from, to) => !setup.isOn && mover.draw(from, to),
  onRelease: (from, to) => {
    if (setup.isOn) setup.release(from, to);
    else if (to && to !== from) mover.choose(to);
  },
});
const tabs = new Tabs();
const parts = { state, hub, api, board, tabs };
const setup = new Setup(parts);
const analysis = new Analysis(parts);
const opponent = new Opponent(parts);
const mover = new Mover({ ...parts, opponent });
const collection = new Collection(api);
const files = new Files({ ...parts, collection });
const review = new Review({ ...parts, analysis });
const trainer = new Trainer({ ...parts, analysis, opponent });
const gameList = new GameList({ ...parts, collection, trainer, review });
new Explorer({ state, collection });
new Images(parts);
new Learning({ ...parts, trainer });
new MoveList(state);
new Annotation(state);
const players = new Players({ ...parts, clock: opponent.clock });
const chart = new ChancesChart(state);

/** The boards by variant, as the engine describes them. */
const boards = new Map();

/** Tells a new engine everything that it needs to know. */
function greet() {
  hub.restart();
  api.restart();
  collection.restart();
  opponent.clock.resume();
  if (byId("trouble").hidden) return;
  state.refresh();
  showTrouble("engine_again");
  setTimeout(() => {
    if (byId("trouble").dataset.reason === "engine_again") byId("trouble").hidden = true;
  }, NOTICE_TIME);
}

/** Shows what is wrong with the engine at the top of the page. `reason` is the key of a text. */
async function showTrouble(reason, values = {}) {
  await textsLoaded;
  const trouble = byId("trouble");
  const sentence = text(reason, values);
  trouble.hidden = false;
  trouble.dataset.reason = reason;
  // A screen reader announces the text each time it is set.
  if (trouble.textContent !== sentence) trouble.textContent = sentence;
}

/** Reports an error of the engine, for example that a variant's files were never downloaded. */
function showError(line) {
  console.error(line);
  const [, name] = /cannot load files\/(\w+)\.weights: status 0/.exec(line) ?? [];
  if (name) showTrouble("not_downloaded", { game: text(`game_${name}`) });
}

async function showPosition() {
  const { position, node, isStep } = state;
  byId("status").replaceChildren(...unbroken(statusOf(node, position)));
  showComment(node);
  byId("previous").disabled = byId("first").disabled = !node.parent;
  byId("next").disabled = byId("last").disabled = node.children.length === 0;
  byId("promote").disabled = byId("delete").disabled = !node.parent;
  mover.start();
  const move = isStep ? lastMove(node) : undefined;
  if (move) playSound(position.end ? "end" : move.captured.length > 0 ? "capture" : "move");
  await board.show(position.pieces, move);
}

/** The last move, and the side to move or the result. */
function statusOf(node, { side, end }) {
  const lastMoveText = node.parent ? `${node.number} ${node.text}. ` : "";
  if (!end) return lastMoveText + text(side === "white" ? "white_moves" : "black_moves");
  const results = { "2-0": "white_wins", "0-2": "black_wins", "1-1": "a_draw" };
  return `${lastMoveText}${text(results[end.result])}: ${text(end.reason)}`;
}

/** @param {import("./tree.js").Node} node */
function showComment(node) {
  const parts = remarks(node);
  const { better, line } = node.verdict ?? {};
  if (better) parts.push(text("better"), " ", betterLine(node, better, line));
  byId("comment").replaceChildren(...parts);
}

/**
 * The better line, which a click adds as a side line. A review by an older version has only its
 * text.
 */
function betterLine(node, better, line) {
  if (!line) return element("span", {}, ...unbroken(better));
  const play = async () => {
    await state.go(node.parent);
    await state.playLine(line);
  };
  return element(
    "button",
    { type: "button", class: "move better", onclick: play },
    ...unbroken(better),
  );
}

async function showGame() {
  const { variant } = state;
  if (!boards.has(variant)) boards.set(variant, await api.request("board", { variant }));
  byId("variant").value = variant;
  board.set(variant, boards.get(variant));
  mover.captures = boards.get(variant).captures;
  if (setup.isOn) setup.start();
  else if (state.position) await showPosition();
}

/** The number of changes, and how many of them were saved, with the link to the game after these. */
let [changes, savedChanges, link] = [0, 0, ""];

/** Saves the game in the browser, and sets the address of the page to the link to the game. */
async function saveGame() {
  const change = ++changes;
  const data = state.data();
  // The game is saved even without a link: some browsers cannot compress.
  const hash = await hashOf(state).catch(() => "");
  if (change !== changes) return;
  [savedChanges, link] = [change, hash];
  save(hash, data, state.isFromLink);
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch {
    // Safari limits how often the address can change; the next change sets it.
  }
}

/**
 * Saves, when the page is left, how the game is shown, the last change, whose link may not be ready,
 * and the clocks of a game in progress.
 */
function saveAtEnd() {
  saveView({ isFlipped: board.isFlipped, tab: setup.isOn ? "analyse" : tabs.now });
  if (opponent.side) opponent.clock.settle();
  if (opponent.side || changes > savedChanges) save(link, state.data(), state.isFromLink);
}

/** Shows a saved game as it was shown, or in a new tab from the player's side. */
function showView(game) {
  const { side } = game.opponent ?? {};
  const usual = { isFlipped: side === "white", tab: side ? "play" : "analyse" };
  const { isFlipped, tab } = savedView() ?? usual;
  flip(isFlipped);
  tabs.select(tab);
}

function showNames() {
  const [white, black] = ["White", "Black"].map((name) => state.tag(name));
  const result = state.result === "*" ? "" : state.result;
  byId("undo").disabled = !state.canUndo;
  const event = ["Event", "Date"].map((name) => state.tag(name)).filter((value) => value);
  const opponents = white || black ? [`${white || "?"} – ${black || "?"} ${result}`.trim()] : [];
  byId("names").textContent = [...opponents, ...event].join(", ");
}

const shortcuts = {
  "?": () => byId("key-list").showModal(),
  ...walkingKeys(state),
  f: () => flip(!board.isFlipped),
  a: () => analysis.toggle(!analysis.isOn),
  t: () => analysis.toggleThreat(),
  " ": () => analysis.playBest(),
  n: () => gameList.step(1),
  p: () => gameList.step(-1),
};

/** Undoes the last change or, in a game against the engine, takes back the last move. */
const undo = () => (opponent.side ? opponent.takeBack() : state.undo());

function flip(isFlipped) {
  board.flip(isFlipped);
  players.show();
  analysis.showChances();
}

/** Starts a game of the chosen variant; asks first if moves would be lost. */
async function changeGame() {
  const variant = byId("variant").value;
  const hasMoves = state.root.children.length > 0;
  if (hasMoves && !confirm(text("drop_moves"))) byId("variant").value = state.variant;
  else await state.startGame(variant);
}

function addListeners() {
  state.addEventListener("game", showGame);
  state.addEventListener("moves", showNames);
  state.addEventListener("position", () => {
    if (boards.has(state.variant) && !setup.isOn) showPosition();
  });
  for (const name of ["moves", "position"]) state.addEventListener(name, saveGame);
  state.addEventListener("replaced", () => {
    if (!byId("notes").textContent) showNote(text("undo_restores"));
  });
  state.addEventListener("chances", () => chart.draw());
  state.addEventListener("side", (/** @type {CustomEvent} */ event) => {
    analysis.toggle(false);
    flip(event.detail === "black");
  });
  state.addEventListener("setup", () => analysis.toggle(false));
  const on = (id, action) => byId(id).addEventListener("click", action);
  const walk = (id, key) => on(id, () => !setup.isOn && shortcuts[key]());
  walk("first", "Home");
  walk("previous", "ArrowLeft");
  walk("next", "ArrowRight");
  walk("last", "End");
  on("flip", shortcuts.f);
  on("promote", () => state.promote());
  on("delete", () => (opponent.side ? opponent.takeBack(state.node) : state.remove()));
  on("undo", undo);
  on("play-review", () => {
    tabs.select("analyse");
    review.run();
  });
  on("keys", shortcuts["?"]);
  // After a mouse click, the space bar should play the best move, not press the button again.
  for (const id of ["analyse", "threat"])
    on(id, (/** @type {MouseEvent} */ { detail }) => detail > 0 && byId(id).blur());
  for (const closing of all("[data-close]"))
    closing.addEventListener("click", () => closing.closest("dialog").close());
  walkByWheel(byId("board"), walkingKeys(state), () => setup.isOn);
  byId("variant").addEventListener("change", changeGame);
  byId("language").addEventListener("change", async () => {
    saveLanguage(byId("language").value);
    await useLanguage(byId("language").value);
    showTexts();
    gameList.showTexts();
    state.refresh();
  });
  addEventListener("keydown", (/** @type {any} */ event) => {
    if (usesKey(event.target, event.key) || event.altKey || document.querySelector("dialog[open]"))
      return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" && !setup.isOn) undo();
      return;
    }
    if (event.shiftKey && event.key.length > 1) return;
    const action = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    if (setup.isOn && !["f", "?"].includes(event.key)) return;
    // The space bar presses the button that has the focus.
    if (event.key === " " && event.target.closest("button")) return;
    event.preventDefault();
    action();
  });
  addEventListener("pagehide", saveAtEnd);
  // Load what could not be loaded without a network.
  addEventListener("online", () => byId("trouble").hidden || connection.open());
  // The address itself may be that of the last change again, which is saved with a delay.
  addEventListener("hashchange", async ({ newURL }) => {
    if (!(await followLink(new URL(newURL).hash))) await saveGame();
  });
}

/** Shows the game of a link. A damaged link changes nothing. Returns whether it was followed. */
async function followLink(hash) {
  try {
    const game = (await gameFrom(hash)) ?? { variant: "international" };
    const { variant, start } = game;
    // An invalid position must not replace the game.
    await api.request("position", { variant, start, moves: [] });
    await state.restore({ ...game, isFromLink: true }, SHARED);
    return true;
  } catch (error) {
    showNote(`${text("broken_link")} ${errorText(error.message)}`);
    return false;
  }
}

/**
 * Shows the saved game of the last visit, which contains more than its link. If the address links
 * to a different game, shows that one, and the saved one comes back by an undo.
 */
async function startFromAddress() {
  const saved = savedGame();
  if (saved) state.remember({ ...saved.data, isFromLink: saved.isFromLink });
  const isLink = location.hash && location.hash !== saved?.hash;
  if (isLink && (await followLink(location.hash))) {
    if (saved?.data.nodes.length > 1) showNote(text("undo_restores"));
    return;
  }
  // Fails if the saved game is damaged.
  const restored = state.undo().catch(console.error);
  if (saved) showView(saved.data);
  await restored;
  if (!state.position) await state.startGame("international");
}

/** Shows the texts to which no attribute of the page refers, in the chosen language. */
function showTexts() {
  opponent.showLevel();
  for (const option of byId("variant").options) option.textContent = text(`game_${option.value}`);
}

/** Loads the texts in the visitor's language, and lists the other languages. */
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
  connection.open();
  await textsLoaded;
  addListeners();
  const restored = startFromAddress();
  const { program, games, pieces, ...limits } = await api.request("games");
  byId("variant").append(...games.map(({ name }) => element("option", { value: name })));
  showTexts();
  byId("variant").value = state.variant;
  byId("made-by").textContent = program;
  state.gameTags = new Map(games.map(({ name, tag }) => [name, tag]));
  [files.maxText, files.maxFile] = [limits.max_text, limits.max_file];
  review.shallowDepth = limits.shallow_depth;
  Board.addDrawings(pieces);
  await restored;
}

/** Caches the page for visits without a network, unless it is served by `manoury serve`. */
function cachePage() {
  if ("serviceWorker" in navigator && !isServed())
    // Where site data are blocked, so is this; then the page needs the network.
    navigator.serviceWorker.register("service-worker.js").catch(console.warn);
}

start().finally(cachePage);
