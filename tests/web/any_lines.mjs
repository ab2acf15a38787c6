// 10,000 lines, some of them nonsense: the engine goes on, and its next search is right.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { Client } from "./engine.mjs";

const seeds = [];
for (const folder of process.argv.slice(3)) {
  for (const file of await readdir(folder)) {
    seeds.push(...(await readFile(`${folder}/${file}`, "latin1")).split("\n"));
  }
}
assert(seeds.length > 50, `${seeds.length} seeds`);

// A small generator of random numbers, so that each run is the same.
let state = 1;
const random = (most) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};
const any = (list) => list[random(list.length)];

/** A seed, or one with a part removed, doubled or taken from another. */
function mutated() {
  const [seed, other] = [any(seeds), any(seeds)];
  const [from, to] = [random(seed.length + 1), random(seed.length + 1)].sort((a, b) => a - b);
  return any([
    seed,
    seed.slice(0, from) + seed.slice(to),
    seed.slice(0, to) + seed.slice(from),
    seed.slice(0, from) + other.slice(random(other.length + 1)),
    seed.slice(0, from) + String.fromCharCode(random(256)) + seed.slice(to),
  ]);
}

const client = await Client.start();
for (let sent = 0; sent < 10_000; sent++) {
  const line = mutated();
  // The session would end, or search for as long as it is told to, or use all memory.
  if (/^\s*quit|tt-size|bb-dir|weights/.test(line)) continue;
  client.send(line);
  if (sent % 50 === 0) await client.ask("ping", "pong");
  if (sent % 10 === 0) client.send("stop");
}
client.send("x".repeat(3_000_000));
client.send("stop");
client.send("set-param name=variant value=normal");
client.send("set-param name=multipv value=1");
client.send("set-param name=level value=10");
client.send("set-param name=book value=false");
client.send("new-game");
// A combination: no other line has this position, so no late answer to one is taken for ours.
client.send("pos pos=Weeebbeebeeeeebebbbeeeeeeebwwweeeweeeweeweeweeewewe");
client.send("level depth=9");
client.send("go think");
let answer = "";
while (!answer.startsWith("done move=27-21 ")) {
  answer = (await client.until("done")).at(-1);
}
process.exit(0);
