/** Helpers to make and find elements of the page. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element with an id.
 *
 * @type {(id: string) => any} `any`, because the kind of element is known only to the page
 */
export const byId = (id) => document.getElementById(id);

/**
 * All elements that match a selector.
 *
 * @type {(selector: string) => any[]}
 */
export const all = (selector) => [...document.querySelectorAll(selector)];

/** A new element with attributes and children. The attribute `onclick` is a function. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A button with a text. */
export const button = (label, onclick, attributes = {}) =>
  element("button", { type: "button", ...attributes, onclick }, label);

/** A new SVG element. */
export function drawn(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A text without line breaks at the hyphens of moves or between a move and its number. */
export const unbroken = (words) =>
  words
    .split(/(\d+\.+ \S+|\w+-\w+)/)
    .map((part, index) => (index % 2 ? element("span", { class: "unbroken" }, part) : part));

/** Saves a file as a download. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}

/** The keys that walk through a game even from a list or a box to tick, which do not need them. */
const WALKING = ["ArrowLeft", "ArrowRight", "Home", "End"];

/** Whether an element that has the focus uses a key itself. */
export const usesKey = (target, key) =>
  isInput(target) && !(WALKING.includes(key) && target.matches("select, [type=checkbox]"));

/** Whether an element receives keyboard input itself. */
export const isInput = (target) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

/** What the browser does not store, for example because cookies are blocked. */
const unstored = new Map();

/** Remembers a text for the next visit, or else until the page is closed. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    unstored.set(key, value);
  }
}

/** A text that was remembered; `null` if there is none. */
export function remembered(key) {
  try {
    return unstored.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** How long a note is shown, in milliseconds. */
const NOTE_TIME = 8000;

/** Shows a sentence in an element for a while. Screen readers announce it. */
export function showBriefly(id, sentence, time = NOTE_TIME) {
  const place = byId(id);
  place.textContent = sentence;
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => (place.textContent = ""), time),
  );
}
const timers = new Map();

/** Shows a note about what was done, or about what went wrong. */
export const showNote = (sentence) => showBriefly("notes", sentence);
