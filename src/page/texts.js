/** The texts of the page: a file for each language, found through `language/index.json`. */

const DEFAULT = "en";
const STORAGE_KEY = "manoury.language";

let texts = {};

const load = async (name) => (await fetch(`language/${name}.json`)).json();

/** A text by its key, with its placeholders replaced by values. */
export const text = (name, values = {}) =>
  (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** The languages by code, and the initial one: the last choice, or the browser's. */
export async function languages() {
  const names = await load("index");
  const preferred = [
    localStorage.getItem(STORAGE_KEY),
    ...navigator.languages.map((code) => code.slice(0, 2)),
  ];
  return { names, first: preferred.find((code) => code in names) ?? DEFAULT };
}

/** Loads a language; missing texts are English. */
export async function useLanguage(code) {
  const [common, own] = await Promise.all([load(DEFAULT), load(code)]);
  texts = { ...common, ...own };
  document.documentElement.lang = code;
  fillTexts();
}

/** Saves a choice for the next visit. */
export const saveLanguage = (code) => localStorage.setItem(STORAGE_KEY, code);

/** Puts texts into the elements that refer to them. */
function fillTexts() {
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
    if (element instanceof HTMLButtonElement) element.title = text(element.dataset.label);
  }
}
