/** Walking through a game with the keyboard and the mouse wheel. */

import { endOf } from "./tree.js";

/** How far the wheel turns for one move, in pixels. */
const WHEEL_STEP = 60;

/**
 * The actions of the keys that walk through a game.
 *
 * @param {import("./tree.js").ShownGame} state
 */
export function walkingKeys(state) {
  return {
    ArrowLeft: () => state.node.parent && state.go(state.node.parent),
    ArrowRight: () => state.node.children[0] && state.go(state.node.children[0]),
    Home: () => state.go(state.root),
    End: () => state.go(endOf(state.node)),
    ArrowUp: () => goToSibling(state, -1),
    ArrowDown: () => goToSibling(state, 1),
  };
}

/** Goes to the previous or next alternative to the shown move, in a cycle. */
function goToSibling(state, step) {
  const siblings = state.node.parent?.children ?? [];
  const index = siblings.indexOf(state.node) + step + siblings.length;
  if (siblings.length > 1) state.go(siblings[index % siblings.length]);
}

/**
 * Walks through a game when the wheel turns over an element, unless `isOff` returns true.
 *
 * @param {HTMLElement} target
 * @param {{ArrowLeft: () => any, ArrowRight: () => any}} keys
 */
export function walkByWheel(target, keys, isOff = () => false) {
  let turned = 0;
  const turn = (event) => {
    if (event.ctrlKey || isOff()) return;
    event.preventDefault();
    // Some browsers measure in lines instead of pixels; then only the direction counts.
    turned +=
      event.deltaMode === WheelEvent.DOM_DELTA_PIXEL
        ? event.deltaY
        : WHEEL_STEP * Math.sign(event.deltaY);
    if (Math.abs(turned) < WHEEL_STEP) return;
    keys[turned > 0 ? "ArrowRight" : "ArrowLeft"]();
    turned = 0;
  };
  target.addEventListener("wheel", turn, { passive: false });
}
