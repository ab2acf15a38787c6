/**
 * The icons of the buttons: paths in a box of 24 by 24, drawn as lines in the colour of the text.
 */

import { all, drawn } from "./dom.js";

const PATHS = {
  analyse: "M4 20V10M10 20V4M16 20v-8M21 20H3",
  close: "M6 6l12 12M18 6L6 18",
  clear: "M8 4h8v3H8zM5 7h14M7 7l1 13h8l1-13",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  delete: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  draw: "M5 9h14M5 15h14",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  film: "M4 4h16v16H4zM8 4v16M16 4v16M4 9h4M4 15h4M16 9h4M16 15h4",
  first: "M6 5v14M19 5l-9 7l9 7z",
  flip: "M8 4v15M4 15l4 4l4-4M16 20V5M12 9l4-4l4 4",
  games: "M5 4h14v16H5zM8 8h8M8 12h8M8 16h5",
  hint: "M9 18h6M10 21h4M8 15c-5-5-1-12 4-12s9 7 4 12z",
  image: "M4 4h16v16H4zM4 17l5-6l4 4l3-3l4 5M15 8h.1",
  keys: "M3 6h18v12H3zM7 10h.1M12 10h.1M17 10h.1M7 14h10",
  last: "M18 5v14M5 5l9 7l-9 7z",
  link: "M10 14l4-4M8 11l-3 3a3.5 3.5 0 0 0 5 5l3-3M16 13l3-3a3.5 3.5 0 0 0-5-5l-3 3",
  next: "M8 5l9 7l-9 7z",
  open: "M3 19V5h6l2 3h9v11zM3 11h17",
  play: "M12 3a9 9 0 1 0 .1 0zM12 8a4 4 0 1 0 .1 0z",
  power: "M12 3v8M7 6a8 8 0 1 0 10 0",
  previous: "M16 5l-9 7l9 7z",
  print: "M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z",
  promote: "M12 20V5M6 11l6-6l6 6",
  resign: "M6 21V4h12l-3 4l3 4H6",
  review: "M10 4a6 6 0 1 0 .1 0zM15 15l6 6M8 10l2 2l3-4",
  save: "M12 4v11M7 10l5 5l5-5M4 20h16",
  settings:
    "M12 9a3 3 0 1 0 .1 0zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1",
  setup: "M4 4h16v16H4zM4 12h16M12 4v16",
  takeback: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  theme: "M12 3a9 9 0 1 0 .1 0zM12 3v18M12 7h4M12 12h8M12 17h4",
  threat: "M12 4a8 8 0 1 0 .1 0zM12 1v6M12 17v6M1 12h6M17 12h6",
  undo: "M8 4L3 9l5 5M3 9h11a6 6 0 0 1 0 12H8",
};

/** A new icon. */
export function icon(name) {
  const picture = drawn("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  picture.append(drawn("path", { d: PATHS[name] }));
  return picture;
}

/** Puts the icons into the elements that name one, before their text. */
export function fillIcons() {
  for (const element of all("[data-icon]")) {
    element.prepend(icon(element.dataset.icon));
    // A change of the text must not replace the icon.
    const { text } = element.dataset;
    if (!text) continue;
    const words = document.createElement("span");
    words.dataset.text = text;
    element.removeAttribute("data-text");
    element.append(words);
  }
}
