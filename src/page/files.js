/** Games and positions from and to files, the clipboard, and drag and drop. */

import { button, byId, element, isInput } from "./dom.js";
import { text } from "./texts.js";

/** Maximum size of a file, in bytes. */
const MAX_FILE_SIZE = 8 * 2 ** 20;
const FILE_NAME = "game.pdn";

export class Files {
  #state;
  #api;

  constructor({ state, api }) {
    this.#state = state;
    this.#api = api;
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.#readFile(byId("file").files[0]));
    byId("read").addEventListener("click", () => this.read(byId("paste").value));
    byId("save").addEventListener("click", () => this.#save());
    byId("copy").addEventListener("click", async () => this.#copy(await state.pdn()));
    byId("link").addEventListener("click", () => this.#copy(location.href));
    byId("fen").addEventListener("change", () => this.read(byId("fen").value));
    byId("chooser-cancel").addEventListener("click", () => byId("chooser").close());
    state.addEventListener("position", () => (byId("fen").value = state.position.fen));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.#drop(event));
    addEventListener("paste", (event) => {
      if (!isInput(event.target)) this.read(event.clipboardData.getData("text"));
    });
  }

  /** Loads games or a position from a text. */
  async read(input) {
    if (!input.trim()) return;
    try {
      const { games, notes, left_off } = await this.#api.request("read", {
        variant: this.#state.variant,
        text: input,
      });
      this.#showNotes([...notes, ...(left_off > 0 ? [text("left_off", { count: left_off })] : [])]);
      if (games.length === 1) await this.#state.load(games[0]);
      else this.#chooseGame(games);
    } catch (error) {
      this.#showNotes([error.message]);
    }
  }

  async #readFile(file) {
    if (!file) return;
    if (file.size > MAX_FILE_SIZE) return this.#showNotes([text("too_large", { name: file.name })]);
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
        this.#state.load(game);
      };
      return element("li", {}, button(label, load));
    });
    byId("chooser-list").replaceChildren(...items);
    byId("chooser").showModal();
  }

  async #save() {
    const address = URL.createObjectURL(
      new Blob([await this.#state.pdn()], { type: "text/plain" }),
    );
    element("a", { href: address, download: FILE_NAME }).click();
    setTimeout(() => URL.revokeObjectURL(address));
  }

  async #copy(copied) {
    try {
      await navigator.clipboard.writeText(copied);
      this.#showNotes([text("copied")]);
    } catch {
      // Without permission to use the clipboard, people can copy it from here.
      byId("paste").value = copied;
      byId("paste").select();
    }
  }

  #showNotes(notes) {
    byId("notes").textContent = notes.slice(0, 5).join(". ");
  }
}
