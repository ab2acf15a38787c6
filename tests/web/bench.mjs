// The bench of every game: as many nodes as natively, and how fast.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { start } from "./engine.mjs";

const { bench } = await start(() => {});
const lines = (await readFile(process.argv[3], "utf8")).trim().split("\n");
assert.equal(lines.length, 16);
for (const [game, line] of lines.entries()) {
  const [name, depth, nodes] = line.split(" ");
  const began = performance.now();
  assert.equal(bench(game, Number(depth)), Number(nodes), name);
  const seconds = (performance.now() - began) / 1000;
  console.log(`${name}: ${nodes} nodes, ${Math.round(nodes / seconds)} a second`);
}
assert.equal(bench(lines.length, 1), -1);
process.exit(0);
