/** The texts of the page, in one file per language. `language/index.json` lists the languages. */

import { all, remember, remembered } from "./dom.js";

const DEFAULT = "en";
const STORAGE_KEY = "manoury.language";

let texts = {};
/** The English texts, by which errors of the engine are recognised. */
let english = {};

const load = async (name) => (await fetch(`language/${name}.json`)).json();

/** A text by its key, with its placeholders replaced by values. */
export const text = (name, values = {}) =>
  (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** A number, formatted for the language of the page. */
export const number = (value, options = {}) =>
  new Intl.NumberFormat(document.documentElement.lang, options).format(value);

/** A score such as `+0.35` or, for a proven win of White in 12 moves, `+#12`. */
export function scoreText(score) {
  const [, sign, , moves] = /^([+-])(#(\d*))?/.exec(score) ?? [];
  if (score.includes("#")) {
    const result = text(sign === "+" ? "white_wins" : "black_wins");
    return moves ? `${result} ${movesText(Number(moves))}` : result;
  }
  return score.replace(".", number(0.1).charAt(1));
}

/** The distance to the end of a game. */
export const movesText = (moves) => text(moves === 1 ? "in_1_move" : "in_moves", { moves });

/**
 * A message of the engine in the language of the page, or in English if there is no translation.
 */
export function errorText(message) {
  let result = message;
  for (const [name, known] of Object.entries(english)) {
    if (!name.startsWith("error_")) continue;
    const parts = known.split(/\{(\w+)\}/);
    const names = parts.filter((_, index) => index % 2 === 1);
    const pattern = parts.map((part, index) => (index % 2 ? "(.+?)" : literal(part))).join("");
    result = result.replace(
      new RegExp(`(?<![\\p{L}])${pattern}(?=$|[.,;: ])`, "gu"),
      (_, ...values) =>
        text(name, Object.fromEntries(names.map((key, index) => [key, values[index]]))),
    );
  }
  return result;
}

const literal = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The languages by code, and the initial one: the last choice, or else the browser's language. */
export async function languages() {
  const names = await load("index");
  const preferred = [
    remembered(STORAGE_KEY),
    ...navigator.languages.map((code) => code.slice(0, 2)),
  ];
  return { names, first: preferred.find((code) => code in names) ?? DEFAULT };
}

/** Loads a language. Missing texts are in English. */
export async function useLanguage(code) {
  const [common, own] = await Promise.all([load(DEFAULT), load(code)]);
  english = common;
  texts = { ...common, ...own };
  document.documentElement.lang = code;
  fillTexts();
}

/** Uses the given texts, which are in the language of the document. */
export function setTexts(values) {
  texts = values;
  fillTexts();
}

/** Saves a choice for the next visit. */
export const saveLanguage = (code) => remember(STORAGE_KEY, code);

/** Puts texts into the elements that refer to them. */
function fillTexts() {
  for (const element of all("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of all("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
    if (element.matches("button, select")) element.title = text(element.dataset.label);
  }
}
