/** The page of a match: games in progress, tables, and every finished game to step through. */

import { clockText } from "../../page/clock.js";
import { byId, drawn, element, unbroken } from "../../page/dom.js";
import { GameViewer, partElements } from "../../page/game-viewer.js";
import { fillIcons } from "../../page/icons.js";
import { settings } from "../../page/settings.js";
import { languages, number, saveLanguage, scoreText, text, useLanguage } from "../../page/texts.js";
import { endOf } from "../../page/tree.js";

/** Interval between requests for the state, in milliseconds. */
const INTERVAL = 1000;
/** Number of finished games in the list at first, and added by each press of its button. */
const PAGE = 100;
const [WIDTH, HEIGHT] = [600, 120];
const SHORT = { notation: "compact", maximumFractionDigits: 1 };

/** The finished games, the earliest first. */
const rows = [];
let rowsShown = PAGE;
/**
 * The selected game: its place, whether it is in progress, its number of known plies, and whether the next
 * game in progress is selected when it ends.
 */
const selected = { place: "", isRunning: false, plies: 0, isFollowed: true };
/** The value of `plies` while the game is not loaded. */
const NOT_LOADED = -1;
/** The number of selections so far; a response to an earlier one is discarded. */
let selections = 0;
/** The response to `setup`. */
let setup;
/** @type {GameViewer} */
let viewer;
/** The last state, to show it again when the language changes. */
let last;

const get = async (path) => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
};

const placeOf = ({ pair, game }) => `${pair}/${game}`;

/** Requests the state at intervals. */
async function follow() {
  try {
    const { state, rows: more } = await get(`state/${rows.length}`);
    // The program was restarted.
    if (state.count < rows.length) rows.length = 0;
    else rows.push(...more);
    byId("trouble").hidden = true;
    await show(state);
    // A long list arrives in parts.
    setTimeout(follow, more.length > 0 && rows.length < state.count ? 0 : INTERVAL);
  } catch (error) {
    console.error(error);
    byId("trouble").hidden = false;
    byId("trouble").textContent = text(last?.is_over ? "live_over" : "live_lost");
    setTimeout(follow, INTERVAL);
  }
}

async function show(state) {
  last = state;
  const { count, planned, is_over: isOver } = state;
  const games = planned
    ? text("live_count", { count: number(count), planned: number(planned) })
    : text("live_games", { count: number(count) });
  byId("count").textContent = isOver ? `${games}. ${text("live_over")}` : games;
  document.title = `${planned ? `${count}/${planned}` : count} ${setup.title}`;
  byId("tables").replaceChildren(...partElements(state.tables));
  showTest(state.test);
  showFinished();
  await followGame(state);
  byId("running").replaceChildren(...state.running.map(card));
}

/** Updates the selected game; at first, selects the first game in progress. */
async function followGame({ running }) {
  const first = running[0] ?? rows.at(-1);
  if (!selected.place && first) return select(placeOf(first), running.length > 0);
  const isAtEnd = depthOf(viewer.view.node) === selected.plies;
  if (!selected.isRunning && selected.isFollowed && isAtEnd && running[0])
    return select(placeOf(running[0]), true);
  const game = running.find((known) => placeOf(known) === selected.place);
  if (selected.isRunning && (!game || game.plies !== selected.plies))
    await select(selected.place, Boolean(game));
}

/** Shows a game. If its last position was shown before, shows the new last position. */
async function select(place, isRunning) {
  const { view } = viewer;
  const ply = depthOf(view.node);
  if (place !== selected.place) selected.plies = NOT_LOADED;
  const isAtEnd = [NOT_LOADED, ply].includes(selected.plies);
  Object.assign(selected, { place, isRunning });
  const count = ++selections;
  const game = await get(`game/${place}`).catch(() => null);
  // Another game may have been selected in the meantime.
  if (!game || count !== selections) return;
  selected.plies = game.plies.length;
  viewer.show(game, setup.board);
  const line = [view.root];
  while (line.at(-1).children[0]) line.push(line.at(-1).children[0]);
  view.go(isAtEnd ? endOf(view.root) : line[Math.min(ply, line.length - 1)]);
}

/** The number of moves to a node. */
function depthOf(node) {
  let depth = 0;
  for (let at = node; at.parent; at = at.parent) depth += 1;
  return depth;
}

/** The card of a game in progress. */
function card(game) {
  const { board } = viewer;
  const [white, black] = game.players.map((_, index) => engine(game, index));
  const [top, bottom] = board.isFlipped ? [white, black] : [black, white];
  const attributes = {
    type: "button",
    class: "game-card",
    "aria-current": String(placeOf(game) === selected.place),
    onclick: async () => {
      selected.isFollowed = true;
      await select(placeOf(game), true);
      show(last);
    },
  };
  const spark = curve(game.chances, (chances) => HEIGHT * (1 - chances), [HEIGHT / 2]);
  spark.setAttribute("class", "spark");
  return element(
    "button",
    attributes,
    ...top,
    board.small(game.pieces, game.last ?? []),
    ...bottom,
    spark,
    element("span", { class: "faint" }, `${game.opening}, ${text("live_plies", game)}`),
  );
}

/** The name and the clock of a player, and the result of its last search. */
function engine({ names, players, side }, index) {
  const { clock, score, depth, speed, line } = players[index];
  const isToMove = (side === "white") === (index === 0);
  const search = [
    score === null ? "" : scoreText(score),
    depth === null ? "" : text("live_depth", { depth }),
    speed === null ? "" : text("live_speed", { speed: number(speed, SHORT) }),
  ];
  return [
    element(
      "span",
      { class: isToMove ? "engine moves" : "engine" },
      element("span", { class: index === 0 ? "disc" : "disc black" }),
      element("span", { class: "name" }, names[index]),
      element("span", {}, clock === null ? "" : clockText(clock)),
    ),
    element("span", { class: "search" }, search.filter((part) => part).join(", ")),
    element("span", { class: "search" }, ...unbroken(line ?? "")),
  ];
}

/** A curve through values, with horizontal lines, each given by its height. */
function curve(values, heightOf, lines) {
  const picture = drawn("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const x = (index) => (WIDTH * index) / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, index) => `${x(index).toFixed(1)},${heightOf(value).toFixed(1)}`,
  );
  picture.append(
    ...lines.map((y) => drawn("line", { x1: 0, x2: WIDTH, y1: y, y2: y })),
    drawn("polyline", { points: points.join(" ") }),
  );
  return picture;
}

/** Draws the log-likelihood ratio of the sequential test, with its bounds. */
function showTest(test) {
  byId("test").toggleAttribute("hidden", !test);
  if (!test) return;
  const { lower, upper, points } = test;
  const [least, most] = [Math.min(lower, ...points), Math.max(upper, ...points)];
  const height = (value) => (HEIGHT * (most - value)) / (most - least);
  const picture = curve(points, height, [lower, 0, upper].map(height));
  byId("test").replaceChildren(...picture.children);
}

function showFinished() {
  const list = byId("game-list");
  const shown = rows.slice(-rowsShown).reverse();
  byId("more").hidden = rows.length <= rowsShown;
  const first = list.firstElementChild?.firstElementChild;
  const isSame = list.childElementCount === shown.length;
  if (isSame && (shown.length === 0 || first.dataset.place === placeOf(shown[0]))) return;
  list.replaceChildren(...shown.map((row, index) => item(row, rows.length - index)));
}

function item(row, place) {
  const { names, result, ending, plies, opening, round } = row;
  const attributes = {
    type: "button",
    class: "game-row",
    "data-place": placeOf(row),
    onclick: () => {
      selected.isFollowed = false;
      select(placeOf(row), false);
    },
  };
  const button = element(
    "button",
    attributes,
    element("span", { class: "faint" }, `${place}.`),
    element("span", {}, `${names[0]} – ${names[1]}`),
    element("b", {}, result),
    element(
      "span",
      { class: "ending faint" },
      [round, ending, text("live_plies", { plies }), opening].filter(Boolean).join(", "),
    ),
  );
  return element("li", {}, button);
}

async function start() {
  fillIcons();
  settings.follow();
  const [{ names, first }, answer] = await Promise.all([languages(), get("setup")]);
  setup = answer;
  await useLanguage(first);
  const language = byId("language");
  language.append(
    ...Object.entries(names).map(([code, name]) =>
      element("option", { value: code, lang: code }, name),
    ),
  );
  language.value = first;
  language.addEventListener("change", async () => {
    saveLanguage(language.value);
    await useLanguage(language.value);
    byId("game-list").replaceChildren();
    if (last) await show(last);
    viewer.refresh();
  });
  byId("title").textContent = setup.title;
  viewer = new GameViewer(setup.pieces);
  viewer.onFlip = () => last && show(last);
  viewer.board.set(setup.variant, setup.board);
  byId("more").addEventListener("click", () => {
    rowsShown += PAGE;
    showFinished();
  });
  await follow();
}

start();
