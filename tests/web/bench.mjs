// The bench of every game: as many nodes as natively, and how fast.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { module } from "./engine.mjs";

const host = { now: () => performance.now(), random() {}, say() {}, fail() {} };
const { exports } = await WebAssembly.instantiate(module, { host });
const lines = (await readFile(process.argv[3], "utf8")).trim().split("\n");
assert.equal(lines.length, 16);
for (const [game, line] of lines.entries()) {
  const [name, depth, nodes] = line.split(" ");
  const began = performance.now();
  assert.equal(exports.bench_nodes(game, Number(depth)), Number(nodes), name);
  const seconds = (performance.now() - began) / 1000;
  console.log(`${name}: ${nodes} nodes, ${Math.round(nodes / seconds)} a second`);
}
assert.equal(exports.bench_nodes(lines.length, 1), -1);
process.exit(0);
