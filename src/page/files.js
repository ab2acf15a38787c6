/** Games and positions from and to files, the clipboard, and drag and drop. */

import { button, byId, element, isInput, showNote } from "./dom.js";
import { isServed } from "./engine-client.js";
import { hashOf } from "./saved-game.js";
import { errorText, text } from "./texts.js";

const FILE_NAME = "game.pdn";
const MAX_NOTES = 5;
/** A link to a game on this page, wherever the page is. */
const LINK = /^\s*https?:\/\/\S+?(#\S+)\s*$/;

export class Files {
  #state;
  #api;
  #tabs;
  /** Maximum size of a text, in bytes, as the engine says. */
  maxSize = Infinity;

  constructor({ state, api, tabs }) {
    this.#state = state;
    this.#api = api;
    this.#tabs = tabs;
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.#readFile(byId("file").files[0]));
    byId("read").addEventListener("click", () => this.read(byId("paste").value));
    byId("save").addEventListener("click", () => this.#save());
    byId("copy").addEventListener("click", () => this.#copy(state.pdn()));
    byId("link").addEventListener("click", () => this.#copyLink());
    byId("fen").addEventListener("input", () => this.#checkFen());
    byId("fen").addEventListener("change", () => this.#readFen());
    byId("chooser-cancel").addEventListener("click", () => byId("chooser").close());
    state.addEventListener("position", () => {
      byId("fen").value = state.position.fen;
      this.#showFenError("");
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.#drop(event));
    addEventListener("paste", (event) => {
      if (!isInput(event.target)) this.read(event.clipboardData.getData("text"));
    });
  }

  /** Loads games or a position from a text, or the game of a link. */
  async read(input) {
    const link = LINK.exec(input);
    if (link) location.hash = link[1];
    if (link) return this.#tabs.select("analyse");
    if (!input.trim()) return this.#showNotes([text("nothing_to_read")]);
    if (new Blob([input]).size > this.maxSize)
      return this.#showNotes([this.#tooLarge(text("text"))]);
    try {
      const { games, notes, left_off } = await this.#api.request("read", {
        variant: this.#state.variant,
        text: input,
      });
      this.#showNotes([
        ...notes.map(errorText),
        ...(left_off > 0 ? [text("left_off", { count: left_off })] : []),
      ]);
      if (games.length === 1) await this.#load(games[0]);
      else this.#chooseGame(games);
    } catch (error) {
      this.#showNotes([errorText(error.message)]);
    }
  }

  async #load(game) {
    await this.#state.load(game);
    this.#tabs.select("analyse");
  }

  /** Says what is wrong with the position while it is typed. */
  async #checkFen() {
    const start = byId("fen").value;
    let error = "";
    try {
      await this.#api.request("position", { variant: this.#state.variant, start });
    } catch ({ message }) {
      error = message.replace(/^FEN: /, "");
    }
    if (byId("fen").value === start) this.#showFenError(errorText(error));
    return !error;
  }

  async #readFen() {
    if (await this.#checkFen()) await this.read(byId("fen").value);
  }

  #showFenError(error) {
    byId("fen").setAttribute("aria-invalid", String(error !== ""));
    byId("fen-error").textContent = error;
  }

  #tooLarge(name) {
    return text("too_large", { name, limit: Math.floor(this.maxSize / 2 ** 20) });
  }

  async #readFile(file) {
    if (!file) return;
    if (file.size > this.maxSize) return this.#showNotes([this.#tooLarge(file.name)]);
    // Files in older encodings than UTF-8 lose some letters of their names.
    await this.read(await file.text());
    byId("file").value = "";
  }

  #drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) this.#readFile(file);
    else this.read(event.dataTransfer.getData("text"));
  }

  /** Offers a choice of several games. */
  #chooseGame(games) {
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1] ?? "?";
    const items = games.map((game) => {
      const label = `${tag(game, "White")} – ${tag(game, "Black")} ${game.result}`;
      const load = () => {
        byId("chooser").close();
        this.#load(game);
      };
      return element("li", {}, button(label, load));
    });
    byId("chooser-list").replaceChildren(...items);
    byId("chooser").showModal();
  }

  #save() {
    const address = URL.createObjectURL(new Blob([this.#state.pdn()], { type: "text/plain" }));
    element("a", { href: address, download: FILE_NAME }).click();
    setTimeout(() => URL.revokeObjectURL(address));
  }

  async #copyLink() {
    const link = new URL(location.href);
    link.hash = await hashOf(this.#state);
    await this.#copy(link.href, text(isServed() ? "link_copied_here" : "copied"));
  }

  async #copy(copied, note = text("copied")) {
    try {
      await navigator.clipboard.writeText(copied);
      this.#showNotes([note]);
    } catch {
      // Without permission to use the clipboard, people can copy it from here.
      this.#tabs.select("games");
      byId("paste").value = copied;
      byId("paste").select();
    }
  }

  #showNotes(notes) {
    showNote(notes.slice(0, MAX_NOTES).join(". "));
  }
}
