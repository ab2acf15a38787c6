// The bench of every game: as many nodes as natively, and how fast. The evaluation's kernel, which the
// nodes depend on, is made of vector instructions.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { start } from "./engine.mjs";

// i16x8.add and i32x4.dot_i16x8_s, which plain code hardly contains: 16 rows of eight vectors on 10x10.
const module = await readFile(`${process.argv[2]}/manoury.wasm`);
const count = (code) => module.toString("latin1").split(String.fromCharCode(...code)).length - 1;
assert(count([0xfd, 0x8e, 0x01]) >= 100, "rows are added with vectors");
assert(count([0xfd, 0xba, 0x01]) >= 4, "the output layer is a product of vectors");

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
