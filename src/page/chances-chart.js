/** A chart of White's chances through a game. */

import { byId, drawn } from "./dom.js";
import { lineThrough } from "./tree.js";

const [WIDTH, HEIGHT] = [600, 120];

export class ChancesChart {
  #state;

  /** @param {import("./tree.js").ShownGame} state */
  constructor(state) {
    this.#state = state;
    for (const name of ["moves", "position"]) state.addEventListener(name, () => this.draw());
    byId("curve").addEventListener("click", (event) => this.#click(event));
  }

  #nodes() {
    return [this.#state.root, ...lineThrough(this.#state.node)];
  }

  /** Draws the chances that are known. */
  draw() {
    const nodes = this.#nodes();
    const x = (ply) => (WIDTH * ply) / Math.max(nodes.length - 1, 1);
    const known = nodes
      .map(({ chances }, ply) => [ply, chances])
      .filter(([, chances]) => chances !== undefined);
    const points = known.map(
      ([ply, chances]) => `${x(ply).toFixed(1)},${(HEIGHT * (1 - chances)).toFixed(1)}`,
    );
    const now = x(nodes.indexOf(this.#state.node));
    const parts = [
      drawn("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    ];
    if (points.length > 1) {
      const ends = [known[0][0], known.at(-1)[0]].map((ply) => `${x(ply).toFixed(1)},${HEIGHT}`);
      parts.push(
        drawn("polygon", { class: "area", points: [ends[0], ...points, ends[1]].join(" ") }),
        drawn("polyline", { class: "path", points: points.join(" ") }),
      );
    }
    parts.push(drawn("line", { class: "now", x1: now, x2: now, y1: 0, y2: HEIGHT }));
    byId("curve").toggleAttribute("hidden", points.length < 2);
    byId("curve").replaceChildren(...parts);
  }

  #click(event) {
    const { left, width } = byId("curve").getBoundingClientRect();
    const nodes = this.#nodes();
    const ply = Math.round(((nodes.length - 1) * (event.clientX - left)) / width);
    this.#state.go(nodes[Math.min(Math.max(ply, 0), nodes.length - 1)]);
  }
}
