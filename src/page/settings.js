/** The settings of the page, remembered in the browser. */

import { all, byId, remember, remembered } from "./dom.js";

const STORAGE_KEY = "manoury.settings";

/**
 * The settings and their initial values. The style sheet reads some from attributes of the page.
 */
const INITIAL = {
  theme: "auto",
  board: "wood",
  size: "large",
  numbers: "all",
  animation: "normal",
  sound: "off",
  reviewTime: "0.2",
  // On a telephone, the space of the other two lines is used for the moves.
  lines: matchMedia("(max-width: 39.99rem)").matches ? "1" : "3",
};

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

/** Emits `change` with the name of the setting. */
class Settings extends EventTarget {
  #values = { ...INITIAL, ...saved() };

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    remember(STORAGE_KEY, JSON.stringify(this.#values));
    this.#apply();
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  /** Whether the page is dark, either by choice or because the system is. */
  get isDark() {
    const theme = this.get("theme");
    return theme === "dark" || (theme === "auto" && darkSystem.matches);
  }

  /** Connects the elements that change a setting, and shows the settings. */
  start() {
    for (const field of all("[data-setting]"))
      field.addEventListener("change", () => this.set(field.dataset.setting, field.value));
    byId("theme").addEventListener("click", () =>
      this.set("theme", this.isDark ? "light" : "dark"),
    );
    byId("settings").addEventListener("click", () => byId("settings-dialog").showModal());
    this.follow();
  }

  /** Applies the settings to the page, now and when the colour scheme of the system changes. */
  follow() {
    darkSystem.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  #apply() {
    const { dataset } = document.documentElement;
    for (const name of ["board", "size", "numbers"]) dataset[name] = this.get(name);
    dataset.theme = this.isDark ? "dark" : "light";
    for (const field of all("[data-setting]")) field.value = this.get(field.dataset.setting);
  }
}

function saved() {
  try {
    const values = JSON.parse(remembered(STORAGE_KEY)) ?? {};
    return Object.fromEntries(Object.entries(values).filter(([name]) => name in INITIAL));
  } catch {
    return {};
  }
}

export const settings = new Settings();
