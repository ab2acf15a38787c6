/** The texts of the page: a file for each language, found through `language/index.json`. */

const DEFAULT = "en";
const KEPT = "manoury.language";

let texts = {};

const load = async (name) => (await fetch(`language/${name}.json`)).json();

/** A text by its name, with values in the places that it has for them. */
export const text = (name, values = {}) =>
  (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** The languages by code, and the one to begin with: the one chosen last, or the browser's. */
export async function languages() {
  const names = await load("index");
  const wanted = [
    localStorage.getItem(KEPT),
    ...navigator.languages.map((code) => code.slice(0, 2)),
  ];
  return { names, first: wanted.find((code) => code in names) ?? DEFAULT };
}

/** Takes the texts of a language, and those that it lacks in English. */
export async function useLanguage(code) {
  const [common, own] = await Promise.all([load(DEFAULT), load(code)]);
  texts = { ...common, ...own };
  document.documentElement.lang = code;
  fillTexts();
}

/** Keeps a choice for the next visit. */
export const keepLanguage = (code) => localStorage.setItem(KEPT, code);

/** Puts texts into the elements that name them. */
function fillTexts() {
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
    if (element instanceof HTMLButtonElement) element.title = text(element.dataset.label);
  }
}
