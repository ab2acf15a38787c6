/** The tabs beside the board, one of which is shown at a time. */

import { byId } from "./dom.js";

/** @typedef {"analyse" | "play" | "games" | "setup"} TabName */

/** @type {TabName[]} */
const NAMES = ["analyse", "play", "games", "setup"];

/** Emits `tab` when a different tab is chosen. */
export class Tabs extends EventTarget {
  /** @type {TabName} */
  #now = "analyse";

  constructor() {
    super();
    for (const name of NAMES)
      byId(`tab-${name}`).addEventListener("click", () => this.select(name));
    byId("tabs").addEventListener("keydown", (event) => this.#key(event));
    this.#show();
  }

  /** The tab that is shown. */
  get now() {
    return this.#now;
  }

  /**
   * Shows a panel, scrolled to its top.
   *
   * @param {TabName} name
   */
  select(name) {
    byId("side").scrollTop = 0;
    if (name === this.#now) return;
    this.#now = name;
    this.#show();
    this.dispatchEvent(new Event("tab"));
  }

  #show() {
    document.body.dataset.tab = this.#now;
    for (const name of NAMES) {
      const isShown = name === this.#now;
      byId(`panel-${name}`).hidden = !isShown;
      byId(`tab-${name}`).setAttribute("aria-selected", String(isShown));
      byId(`tab-${name}`).tabIndex = isShown ? 0 : -1;
    }
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const index = (NAMES.indexOf(this.#now) + step + NAMES.length) % NAMES.length;
    this.select(NAMES[index]);
    byId(`tab-${NAMES[index]}`).focus();
  }
}
