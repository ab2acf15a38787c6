/** Games and positions in and out: files, the clipboard, what is dropped or pasted. */

import { button, byId, element, isWriting } from "./dom.js";
import { text } from "./texts.js";

/** The largest file that is read, in bytes. */
const LARGEST = 8 * 2 ** 20;
const FILE_NAME = "game.pdn";

export class Files {
  #study;
  #desk;

  constructor({ study, desk }) {
    this.#study = study;
    this.#desk = desk;
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.#readFile(byId("file").files[0]));
    byId("read").addEventListener("click", () => this.read(byId("paste").value));
    byId("save").addEventListener("click", () => this.#save());
    byId("copy").addEventListener("click", async () => this.#copy(await study.pdn()));
    byId("link").addEventListener("click", () => this.#copy(location.href));
    byId("fen").addEventListener("change", () => this.read(byId("fen").value));
    byId("chooser-cancel").addEventListener("click", () => byId("chooser").close());
    study.addEventListener("position", () => (byId("fen").value = study.position.fen));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.#drop(event));
    addEventListener("paste", (event) => {
      if (!isWriting(event.target)) this.read(event.clipboardData.getData("text"));
    });
  }

  /** Reads games or a position from a text. */
  async read(text) {
    if (!text.trim()) return;
    try {
      const { games, notes, left_off } = await this.#desk.ask("read", {
        variant: this.#study.variant,
        text,
      });
      this.#tell([...notes, ...(left_off > 0 ? [leftOff(left_off)] : [])]);
      if (games.length === 1) await this.#study.load(games[0]);
      else this.#offer(games);
    } catch (error) {
      this.#tell([error.message]);
    }
  }

  async #readFile(file) {
    if (!file) return;
    if (file.size > LARGEST) return this.#tell([text("too_large", { name: file.name })]);
    // Old files are not in UTF-8; their names then come out as well as they can.
    await this.read(await file.text());
    byId("file").value = "";
  }

  #drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) this.#readFile(file);
    else this.read(event.dataTransfer.getData("text"));
  }

  /** Lets people choose one of several games. */
  #offer(games) {
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1] ?? "?";
    const items = games.map((game) => {
      const label = `${tag(game, "White")} – ${tag(game, "Black")} ${game.result}`;
      const take = () => {
        byId("chooser").close();
        this.#study.load(game);
      };
      return element("li", {}, button(label, take));
    });
    byId("chooser-list").replaceChildren(...items);
    byId("chooser").showModal();
  }

  async #save() {
    const address = URL.createObjectURL(
      new Blob([await this.#study.pdn()], { type: "text/plain" }),
    );
    element("a", { href: address, download: FILE_NAME }).click();
    setTimeout(() => URL.revokeObjectURL(address));
  }

  async #copy(copied) {
    try {
      await navigator.clipboard.writeText(copied);
      this.#tell([text("copied")]);
    } catch {
      // Without the right to the clipboard, people can copy it from here.
      byId("paste").value = copied;
      byId("paste").select();
    }
  }

  #tell(notes) {
    byId("notes").textContent = notes.slice(0, 5).join(". ");
  }
}

const leftOff = (count) => text("left_off", { count });
