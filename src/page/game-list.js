/** The list of the games in an opened file, with a search. */

import { button, byId, download, element, remember, remembered, showNote } from "./dom.js";
import { SolvedExercises, exerciseTask } from "./exercises.js";
import { errorText, number, text } from "./texts.js";

/** The number of games per request: to extend the list, and to collect all of its games. */
const [ROWS, MAX_ROWS] = [100, 1000];
/** The distance to the end of the list at which more games are requested, in pixels. */
const NEAR_END = 600;
/** How long to wait for further typing before searching, in milliseconds. */
const TYPING_TIME = 150;

const FIELDS = ["player", "event", "result", "since", "until"];

const lengthText = (moves) => (moves === 1 ? text("one_move") : text("in_n_moves", { moves }));

/** Whether the open file may be dropped: asks if changes to its games would be lost. */
export const mayDrop = (collection) => !collection.isUnsaved || confirm(text("drop_changes"));

export class GameList {
  #state;
  #collection;
  #trainer;
  #review;
  #tabs;
  #solved = new SolvedExercises({ getItem: remembered, setItem: remember });
  /** The conditions of the shown games. */
  #query = {};
  #position = null;
  #count = 0;
  /** The shown games. */
  #rows = [];
  /** The number of the latest search, which supersedes earlier ones. */
  #latest = 0;
  #isLoading = false;
  #isSearching = false;
  #timer = 0;
  #isOpening = false;
  #isReviewing = false;

  constructor({ state, collection, trainer, review, tabs }) {
    this.#state = state;
    this.#collection = collection;
    this.#trainer = trainer;
    this.#review = review;
    this.#tabs = tabs;
    collection.addEventListener("progress", () => this.#showProgress());
    collection.addEventListener("open", () => this.#onOpen());
    state.addEventListener("game", () => !this.#isOpening && this.#markAgain());
    state.addEventListener("moves", () => this.#keepChanges());
    state.addEventListener("position", () => this.#onPosition());
    byId("search").addEventListener("input", () => this.#searchSoon());
    byId("search").addEventListener("submit", (event) => event.preventDefault());
    byId("game-list").addEventListener("scroll", () => this.#loadMore());
    byId("game-list").addEventListener("keydown", (event) => this.#key(event));
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("game-previous", () => this.step(-1));
    on("game-next", () => this.step(1));
    on("review-all", () => this.#reviewAll());
    on("save-all", () => this.#saveAll());
    on("exercises", () => this.#exercise());
    on("close-file", () => mayDrop(collection) && collection.close());
    addEventListener("beforeunload", (event) => collection.isUnsaved && event.preventDefault());
  }

  /**
   * The game on the board: its index in the file, its place in the list, and its text before any
   * change; `null` if it is not from the open file.
   */
  get #opened() {
    const { source } = this.#state;
    return source?.file === this.#collection.file ? source : null;
  }

  /** Opens the game that is `places` after the open one. */
  async step(places) {
    if (!this.#collection.isOpen) return;
    const place = this.#opened ? this.#opened.place + places : 0;
    const row = await this.#rowAt(place);
    if (row) await this.open(row, place);
  }

  /** Shows a game of the file on the board. */
  async open(row, place) {
    try {
      const changed = this.#collection.changed.get(row.index);
      const { game, notes } = changed
        ? { game: null, notes: [] }
        : await this.#collection.game(row.index);
      await this.#opening(() =>
        changed ? this.#state.restore({ ...changed.data, place: 0 }) : this.#state.load(game),
      );
      const before = changed?.before ?? this.#state.pdn();
      this.#mark({ file: this.#collection.file, index: row.index, place, before });
      if (row.ply) await this.#goToPly(row.ply);
      if (notes.length > 0) showNote(notes.slice(0, 3).map(errorText).join(". "));
      return true;
    } catch (error) {
      showNote(errorText(error.message));
      return false;
    }
  }

  async #opening(load) {
    this.#isOpening = true;
    try {
      await load();
    } finally {
      this.#isOpening = false;
    }
  }

  async #goToPly(ply) {
    let node = this.#state.root;
    for (let count = 0; count < ply && node.children.length > 0; count++) node = node.children[0];
    await this.#state.go(node);
  }

  /** Keeps the changes to the game on the board; they are saved with the file. */
  #keepChanges() {
    if (!this.#opened || this.#isOpening) return;
    const { index, before } = this.#opened;
    const { changed } = this.#collection;
    const text = this.#state.pdn();
    if (text === before) changed.delete(index);
    else changed.set(index, { before, text, data: this.#state.data() });
    const place = this.#rows.findIndex((row) => row.index === index);
    const item = byId("game-list").children[place];
    item?.replaceWith(this.#item(this.#rows[place], place));
  }

  /** What the list shows of a game, if it was changed. */
  #changedRow(index) {
    const { tags, result } = this.#collection.changed.get(index)?.data ?? {};
    if (!tags) return {};
    const values = new Map(tags);
    const [white, black, event, date] = ["White", "Black", "Event", "Date"].map(
      (name) => values.get(name) ?? "",
    );
    return { white, black, event, date, result };
  }

  /** Marks the game on the board, which may have come back by an undo or have a new place. */
  #markAgain() {
    const opened = this.#opened;
    const place = this.#rows.findIndex(({ index }) => index === opened?.index);
    this.#mark(opened && { ...opened, place });
  }

  /** Remembers which game of the file is on the board, and marks it in the list. */
  #mark(opened) {
    this.#state.source = opened;
    for (const item of byId("game-list").children)
      this.#setCurrent(item.firstElementChild, Number(item.dataset.index));
    const isListed = opened !== null && opened.place >= 0;
    byId("game-of-file").hidden = !opened;
    byId("game-previous").disabled = !isListed || opened.place === 0;
    byId("game-next").disabled = !isListed || opened.place + 1 >= this.#count;
    byId("game-place").textContent = isListed
      ? text("training_of", {
          title: this.#collection.name,
          index: number(opened.place + 1),
          count: number(this.#count),
        })
      : this.#collection.name;
    const current = byId("game-list").querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest" });
  }

  #setCurrent(made, index) {
    if (this.#opened?.index === index) made.setAttribute("aria-current", "true");
    else made.removeAttribute("aria-current");
  }

  #showProgress() {
    const { name, count, progress } = this.#collection;
    byId("collection").hidden = !this.#collection.isOpen;
    byId("collection-name").textContent = text("file_games", { name, count: number(count) });
    byId("collection-progress").hidden = progress === 1;
    byId("collection-progress").value = progress;
    // Show the first games while the others are being read.
    if (count > 0 && this.#rows.length === 0 && !this.#isSearching) this.#search();
  }

  #showFound() {
    byId("found").textContent = text("games_found", { count: number(this.#count) });
  }

  /** Shows the list again, in the language of the page. */
  showTexts() {
    this.#showProgress();
    this.#showFound();
    byId("game-list").replaceChildren(...this.#rows.map((row, place) => this.#item(row, place)));
    this.#mark(this.#opened);
  }

  #onOpen() {
    this.#showProgress();
    byId("collection").hidden = !this.#collection.isOpen;
    this.#markAgain();
    if (this.#collection.isOpen) this.#search();
    else this.#clear();
  }

  #clear() {
    this.#latest++;
    [this.#rows, this.#count] = [[], 0];
    byId("search").reset();
    byId("game-list").replaceChildren();
  }

  #onPosition() {
    if (this.#collection.isOpen && byId("search-position").checked && !this.#isOpening)
      this.#searchSoon();
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), TYPING_TIME);
  }

  /** Lists the games that meet the conditions. */
  async #search() {
    const latest = ++this.#latest;
    const values = FIELDS.map((name) => [name, byId(`search-${name}`).value.trim()]);
    const query = Object.fromEntries(values);
    const position = byId("search-position").checked ? this.#state.fields() : null;
    this.#isSearching = true;
    try {
      const { count, games } = await this.#collection.find(query, position, 0, ROWS);
      if (latest !== this.#latest) return;
      [this.#query, this.#position, this.#count, this.#rows] = [query, position, count, games];
      byId("search-error").textContent = "";
      this.#showFound();
      byId("game-list").replaceChildren(...games.map((row, place) => this.#item(row, place)));
      byId("game-list").scrollTop = 0;
      for (const id of ["review-all", "save-all"]) byId(id).disabled = count === 0;
      this.#markAgain();
      byId("exercises").hidden = !games.some(({ start }) => start);
    } catch (error) {
      if (latest === this.#latest) byId("search-error").textContent = errorText(error.message);
    } finally {
      if (latest === this.#latest) this.#isSearching = false;
    }
  }

  async #loadMore() {
    const list = byId("game-list");
    const isNear = list.scrollTop + list.clientHeight > list.scrollHeight - NEAR_END;
    if (isNear) await this.#load(ROWS);
  }

  /** Adds games to the list. */
  async #load(limit) {
    if (this.#isLoading || this.#rows.length >= this.#count) return;
    this.#isLoading = true;
    const [latest, offset] = [this.#latest, this.#rows.length];
    try {
      const { games } = await this.#collection.find(this.#query, this.#position, offset, limit);
      if (latest !== this.#latest) return;
      this.#rows.push(...games);
      byId("game-list").append(...games.map((row, index) => this.#item(row, offset + index)));
    } finally {
      this.#isLoading = false;
    }
  }

  /** The game at a place of the list, which may not have been requested yet. */
  async #rowAt(place) {
    if (place < 0 || place >= this.#count) return null;
    if (place >= this.#rows.length) await this.#load(ROWS);
    return this.#rows[place] ?? null;
  }

  #item(row, place) {
    const {
      index,
      variant,
      white,
      black,
      result,
      date,
      event,
      plies,
      start,
      is_broken: isBroken,
    } = { ...row, ...this.#changedRow(row.index) };
    const isSolved = start && this.#solved.has(variant, start);
    const about = [date.replace(/\.\?\?/g, ""), event].filter(
      (part) => part && !/^\?+$/.test(part),
    );
    const part = (kind, ...content) => element("span", { class: kind }, ...content);
    const choose = async () => (await this.open(row, place)) && this.#tabs.select("analyse");
    const made = button("", choose, { class: "game-row" });
    made.append(
      part("game-number faint", number(index + 1)),
      part("game-names", `${white || "?"} – ${black || "?"}`),
      part("game-result", isSolved ? text("solved") : result),
      part("game-about faint", about.join(" · ")),
      part("game-length faint", isBroken ? text("with_error") : lengthText(Math.ceil(plies / 2))),
    );
    const item = element("li", {}, made);
    item.dataset.index = index;
    this.#setCurrent(made, index);
    return item;
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const item = event.target.closest("li");
    const next = step > 0 ? item?.nextElementSibling : item?.previousElementSibling;
    next?.firstElementChild.focus();
  }

  /** All games that match the query of the list and the given conditions. */
  async #all(more = {}) {
    const query = { ...this.#query, ...more };
    const rows = [];
    for (;;) {
      const part = await this.#collection.find(query, this.#position, rows.length, MAX_ROWS);
      rows.push(...part.games);
      if (rows.length >= part.count || part.games.length === 0) return rows;
    }
  }

  /** Reviews the games of the list one after the other; their reviews are saved with the file. */
  async #reviewAll() {
    if (this.#isReviewing) return this.#review.stop();
    this.#setReviewing(true);
    try {
      const rows = await this.#all();
      let unread = 0;
      for (const [place, row] of rows.entries()) {
        byId("found").textContent = text("reviewing", { index: place + 1, count: rows.length });
        if (!(await this.open(row, place))) unread++;
        else if (!(await this.#review.run())) break;
      }
      if (unread > 0) showNote(text("not_reviewed", { count: number(unread) }));
    } finally {
      this.#setReviewing(false);
      this.#showFound();
    }
  }

  #setReviewing(isOn) {
    this.#isReviewing = isOn;
    byId("review-all").querySelector("[data-text]").textContent = text(
      isOn ? "cancel" : "review_all",
    );
  }

  /** Saves the games of the list, with all changes, as a file. */
  async #saveAll() {
    try {
      const texts = await this.#collection.export(this.#query, this.#position);
      download(new Blob(texts, { type: "text/plain" }), this.#collection.name || "games.pdn");
    } catch (error) {
      showNote(errorText(error.message));
    }
  }

  /** Poses the positions of the list as exercises, starting with the first unsolved one. */
  async #exercise() {
    const rows = await this.#all({ setup: true });
    const load = (index) => async () => (await this.#collection.game(index)).game;
    const parts = { state: this.#state, solved: this.#solved };
    const tasks = rows.map(({ index }) => exerciseTask({ ...parts, load: load(index) }));
    const first = rows.findIndex(({ variant, start }) => !this.#solved.has(variant, start));
    this.#tabs.select("analyse");
    await this.#trainer.start(text("exercises"), tasks, Math.max(first, 0));
  }
}
