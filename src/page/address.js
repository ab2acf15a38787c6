/** The position in the address of the page, `#russian/W:W21:BK1`, so that a link leads to it. */

/** The game and the FEN in the address; `null` if there is none. */
export function readAddress() {
  const [variant, fen = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
  return variant ? { variant, fen } : null;
}

/** Puts a position into the address, the start position of international draughts without a word. */
export function writeAddress(study) {
  const { variant, node, start, position } = study;
  const isStart = !node.parent && !start;
  const isUsual = isStart && variant === "international";
  const hash = isUsual ? "" : isStart ? `#${variant}` : `#${variant}/${position.fen}`;
  history.replaceState(null, "", hash || location.pathname + location.search);
}
