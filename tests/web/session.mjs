// A client like lidraughts' analysis board: analyses that it stops, moves, several lines, games.

import assert from "node:assert/strict";
import board from "./analysis-board.cjs";
import { Client, milliseconds, start } from "./engine.mjs";

/** The longest time until an answer to `ping` or `stop` during a search, in milliseconds. */
const PROMPT = 50;

const client = await Client.start();
const declared = await (client.send("hub"), client.until("wait"));
assert(declared[0].startsWith("id name=Manoury"), declared[0]);
client.send("set-param name=tt-size value=18");
client.send("set-param name=book value=false");
await client.ask("init", "ready");

/** How long it takes until the answer, in milliseconds; what it answers must fit. */
async function time(line, word) {
  const began = performance.now();
  await client.ask(line, word);
  return performance.now() - began;
}

const pings = [];
const stops = [];
for (let round = 0; round < 20; round++) {
  client.send('pos start moves="32-28 18-23"');
  client.send("level infinite");
  client.send("go analyze");
  await client.until("info");
  await milliseconds(30);
  pings.push(await time("ping", "pong"));
  stops.push(await time("stop", "done"));
}
// One late answer may be due to a busy machine.
const late = (times) => times.filter((time) => time > PROMPT).length;
assert(late(pings) <= 1 && late(stops) <= 1, `pings ${pings}, stops ${stops}`);
console.log("ping", Math.max(...pings), "stop", Math.max(...stops));

// A move time is kept, several lines come, and a new position waits for the end of the search.
client.send("set-param name=multipv value=3");
client.send("level move-time=0.3");
const began = performance.now();
client.send("go analyze");
const lines = await client.until("done");
const lasted = performance.now() - began;
assert(lasted > 250 && lasted < 1000, `${lasted} ms`);
for (const rank of [1, 2, 3]) {
  assert(
    lines.some((line) => line.includes(`multipv=${rank}`)),
    lines.join("\n"),
  );
}
client.send("set-param name=multipv value=1");

// Whole games of several variants, each against itself.
for (const variant of ["normal", "frisian", "russian", "turkish"]) {
  client.send(`set-param name=variant value=${variant}`);
  await client.ask("init", "ready");
  const moves = [];
  for (;;) {
    client.send(`pos start moves="${moves.join(" ")}"`);
    client.send("level nodes=500");
    const done = await client.ask("go think", "done");
    const move = /move=(\S+)/.exec(done)?.[1];
    if (!move || moves.length === 300) break;
    moves.push(move);
  }
  console.log(variant, moves.length, "plies");
  assert(moves.length > 20, variant);
}
client.send("quit");

// An engine that starts in its own time, as a worker does: lines wait.
const boot = (hear) => {
  const engine = start((line) => setTimeout(hear, 0, line));
  return (line) => engine.then(({ receive }) => receive(line));
};
board.check(assert, await board.walk(boot));
process.exit(0);
