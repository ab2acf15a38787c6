/** Loads and saves games and positions: files, clipboard, and drag and drop. */

import { byId, download, element, isInput, showNote } from "./dom.js";
import { isServed } from "./engine-client.js";
import { mayDrop } from "./game-list.js";
import { hashOf } from "./saved-game.js";
import { errorText, text } from "./texts.js";

const FILE_NAME = "game.pdn";
const MAX_NOTES = 5;
/** A link to a game on this page, whatever the page's address. */
const LINK = /^\s*https?:\/\/\S+?(#\S+)\s*$/;

/** Copies a text. Returns whether the browser allows it. */
async function writeToClipboard(copied) {
  try {
    await navigator.clipboard.writeText(copied);
    return true;
  } catch {
    return copyAsSelection(copied);
  }
}

/**
 * Copies a text as if the user had selected it, which is allowed even where the page has no access
 * to the clipboard, for example at an address that is not encrypted.
 */
function copyAsSelection(copied) {
  const field = element("textarea", {}, copied);
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

/** Shows what is wrong with the FEN in its field; nothing if the error is empty. */
export function showFenError(error) {
  byId("fen").setAttribute("aria-invalid", String(error !== ""));
  byId("fen-error").textContent = error;
}

export class Files {
  #state;
  #api;
  #tabs;
  #collection;
  /** Maximum sizes of a text and of a file, in bytes, as reported by the engine. */
  maxText = Infinity;
  maxFile = Infinity;

  constructor({ state, api, tabs, collection }) {
    this.#state = state;
    this.#api = api;
    this.#tabs = tabs;
    this.#collection = collection;
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.#readFile(byId("file").files[0]));
    byId("read").addEventListener("click", () => this.read(byId("paste").value));
    byId("save").addEventListener("click", () => this.#save());
    byId("copy").addEventListener("click", () => this.#copy(state.pdn()));
    byId("link").addEventListener("click", () => this.#copyLink());
    byId("fen").addEventListener("input", () => this.#checkFen());
    byId("fen").addEventListener("change", () => this.#readFen());
    state.addEventListener("position", () => {
      byId("fen").value = state.position.fen;
      showFenError("");
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.#drop(event));
    addEventListener("paste", (event) => {
      if (!isInput(event.target)) this.read(event.clipboardData.getData("text"));
    });
  }

  /**
   * Loads a game or a position from text, or the game that a link points to. Text with several
   * games is opened like a file.
   */
  async read(input) {
    const link = LINK.exec(input);
    if (link) location.hash = link[1];
    if (link) return this.#tabs.select("analyse");
    if (!input.trim()) return this.#showNotes([text("nothing_to_read")]);
    const blob = new Blob([input]);
    if (blob.size > this.maxText) return this.#openFile(text("pasted_games"), blob);
    try {
      const {
        games,
        notes,
        left_off: others,
      } = await this.#api.request("read", {
        variant: this.#state.variant,
        text: input,
      });
      if (others > 0) return await this.#openFile(text("pasted_games"), blob);
      this.#showNotes(notes.map(errorText));
      await this.#load(games[0]);
    } catch (error) {
      this.#showNotes([errorText(error.message)]);
    }
  }

  /** Opens a file: lists its games, or loads a single game or a position. */
  async #openFile(name, file) {
    if (file.size > this.maxFile) {
      const limit = Math.floor(this.maxFile / 2 ** 20);
      return this.#showNotes([text("too_large", { name, limit })]);
    }
    const collection = this.#collection;
    if (!mayDrop(collection)) return;
    try {
      this.#tabs.select("games");
      if (!(await collection.open(name, file, this.#state.variant)) || collection.count > 1) return;
      const { game, notes } = collection.count === 1 ? await collection.game(0) : {};
      collection.close();
      if (!game) return await this.read(await file.text());
      this.#showNotes(notes.map(errorText));
      await this.#load(game);
    } catch (error) {
      this.#showNotes([errorText(error.message)]);
    }
  }

  async #load(game) {
    await this.#state.load(game);
    this.#tabs.select("analyse");
  }

  /** Shows what is wrong with the position while it is being typed. */
  async #checkFen() {
    const start = byId("fen").value;
    let error = "";
    try {
      await this.#api.request("position", { variant: this.#state.variant, start });
    } catch ({ message }) {
      error = message.replace(/^FEN: /, "");
    }
    if (byId("fen").value === start) showFenError(errorText(error));
    return !error;
  }

  async #readFen() {
    if (await this.#checkFen()) await this.read(byId("fen").value);
  }

  async #readFile(file) {
    if (file) await this.#openFile(file.name, file);
    // Allow the same file to be chosen again.
    byId("file").value = "";
  }

  #drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) this.#readFile(file);
    else this.read(event.dataTransfer.getData("text"));
  }

  #save() {
    download(new Blob([this.#state.pdn()], { type: "text/plain" }), FILE_NAME);
  }

  async #copyLink() {
    const link = new URL(location.href);
    link.hash = await hashOf(this.#state);
    await this.#copy(link.href, text(isServed() ? "link_copied_here" : "copied"));
  }

  async #copy(copied, note = text("copied")) {
    const isCopied = await writeToClipboard(copied);
    this.#showNotes([isCopied ? note : text("copy_failed")]);
  }

  #showNotes(notes) {
    showNote(notes.slice(0, MAX_NOTES).join(". "));
  }
}
