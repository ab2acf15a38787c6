/** Games saved outside the page: in the browser at each change, and in links. */

import { SHARED } from "./tree.js";

const STORAGE_KEY = "manoury.game";
const VIEW_KEY = "manoury.view";
/** Maximum size of the game in a link, in characters. A larger one is treated as an attack. */
const MAX_SIZE = 8 * 2 ** 20;
/** The start of a link to a game, before the compressed game. */
const GAME = "#game/";

/**
 * The link to a game. Without moves and arrows, it is the FEN, as in `#russian/W:W21:BK1`; it is
 * empty for the start position of international draughts.
 */
export async function hashOf(state) {
  const { variant, root, start } = state;
  if (root.children.length > 0 || root.shapes.length > 0)
    return GAME + (await compressed(JSON.stringify(state.data(SHARED))));
  if (start) return `#${variant}/${root.position?.fen ?? start}`;
  return variant === "international" ? "" : `#${variant}`;
}

/** The game in a link, as data; `null` if there is none. Fails if it is damaged. */
export async function gameFrom(hash) {
  if (hash.startsWith(GAME)) return JSON.parse(await decompressed(hash.slice(GAME.length)));
  const [variant, start = ""] = decodeURIComponent(hash.slice(1)).split("/");
  return variant ? { variant, start } : null;
}

/**
 * Saves a game with its link for this tab and, unless it was opened from a link, for the next
 * visit: the link must not replace the visitor's own game.
 */
export function save(hash, data, isFromLink) {
  const text = JSON.stringify({ hash, data, isFromLink });
  for (const storage of isFromLink ? ["sessionStorage"] : ["sessionStorage", "localStorage"]) {
    try {
      window[storage].setItem(STORAGE_KEY, text);
    } catch {
      // The storage is full or not allowed, but the game is also in the address.
    }
  }
}

/** The game last shown in this tab, or else in any tab; `null` if there is none. */
export function savedGame() {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Saves how the game is shown, for a reload of this tab.
 *
 * @param {{isFlipped: boolean, tab: string}} view
 */
export function saveView(view) {
  try {
    sessionStorage.setItem(VIEW_KEY, JSON.stringify(view));
  } catch {
    // Without storage, the reloaded page shows the game in the usual way.
  }
}

/** How the game was shown in this tab; `null` if the tab is new. */
export function savedView() {
  try {
    return JSON.parse(sessionStorage.getItem(VIEW_KEY));
  } catch {
    return null;
  }
}

/** Compresses a text, using only characters that an address may contain. */
async function compressed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function decompressed(letters) {
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_SIZE) throw new RangeError("too large");
  }
  return text + decoder.decode();
}
