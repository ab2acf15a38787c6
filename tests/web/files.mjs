// Opened files without a browser: what goes to the engine, exercises, mistakes, and animated pictures.

import assert from "node:assert/strict";
import { Collection } from "../../src/page/collection.js";
import { SolvedExercises, exerciseTask } from "../../src/page/exercises.js";
import { GifWriter, Palette } from "../../src/page/gif.js";
import { mistakesOf } from "../../src/page/mistakes.js";

const tests = {
  /** A file goes to the engine in order, in its encoding, and again to a new engine. */
  async openedFiles() {
    const letters = "é".repeat(1_500_000);
    const file = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]);
    const asked = [];
    const api = {
      async request(kind, fields) {
        asked.push({ kind, ...fields });
        await new Promise((resolve) => setTimeout(resolve, kind === "add" ? 5 : 0));
        return kind === "encoding" ? "windows-1252" : { games: asked.length };
      },
    };
    const collection = new Collection(api);
    let opened = 0;
    collection.addEventListener("open", () => opened++);
    for (const open of [() => collection.open("a.pdn", file, "frisian"), () => collection.restart()]) {
      asked.length = 0;
      await open();
      assert.deepEqual(asked.map(({ kind }) => kind), ["encoding", "open", "add", "add"]);
      assert.equal(asked.slice(2).map(({ text }) => text).join(""), letters);
      assert.deepEqual(asked.slice(2).map(({ last }) => last), [false, true]);
    }
    assert.deepEqual([opened, collection.progress, collection.name], [2, 1, "a.pdn"]);
    // A later file supersedes one that is still read.
    const first = collection.open("b.pdn", file, "frisian");
    const second = collection.open("c.pdn", new Blob(["1. 32-28"]), "frisian");
    assert.deepEqual(await Promise.all([first, second]), [false, true]);
    assert.equal(collection.name, "c.pdn");
    const failing = new Collection({ request: () => Promise.reject(new Error("too large")) });
    await assert.rejects(failing.open("d.pdn", file, "frisian"), /too large/);
    assert.equal(failing.isOpen, false);
  },

  async exercises() {
    const storage = new Map();
    const store = {
      getItem: (name) => storage.get(name) ?? null,
      setItem: (name, value) => storage.set(name, value),
    };
    const solved = new SolvedExercises(store);
    const move = (hub) => ({ hub, text: hub, number: "1.", lines: [] });
    const line = { comments: [], moves: [move("27-21"), move("16x27"), move("32x21")] };
    const game = { variant: "international", start: "W:W27,32:B16", tags: [], line };
    const state = new EventTarget();
    Object.assign(state, { root: {}, position: { side: "white" }, startGame: async () => {} });
    const task = exerciseTask({ state, solved, load: async () => game });
    assert.equal(await task.show(), state.root);
    assert.equal(task.judge({ hub: "32-28" }), null);
    assert.equal(task.judge({ hub: "27-21" }).reply, "16x27");
    assert.deepEqual(task.line(), ["32x21"]);
    assert.equal(task.judge({ hub: "32x21" }).reply, undefined);
    task.onSolved();
    assert.ok(new SolvedExercises(store).has("international", "W:W27,32:B16"));
    storage.set("manoury.solved", "{");
    assert.ok(!new SolvedExercises(store).has("international", "W:W27,32:B16"));
  },

  mistakes() {
    const node = (number, mark) => ({
      number,
      parent: {},
      verdict: { mark, better: "1. 32-28", loss: 0.3 },
    });
    const line = [node("1.", "??"), node("1...", "?"), node("2.", "!"), node("2...", "?!")];
    assert.deepEqual(mistakesOf(line, "white"), [line[0]]);
    assert.deepEqual(mistakesOf(line, "black"), [line[1], line[3]]);
  },

  /** A decoder gets the pictures back. */
  animatedPictures() {
    const [width, height] = [161, 147];
    const frame = (shift) => {
      const pixels = new Uint8ClampedArray(4 * width * height);
      for (let at = 0; at < width * height; at++) {
        const value = (at * 7 + (at % width > 20 ? shift * (at % 13) : 0)) % 200;
        pixels.set([8 * (value % 16), 8 * (value >> 4), 0, 255], 4 * at);
      }
      return pixels;
    };
    const frames = [frame(0), frame(3), frame(3), frame(5)];
    const palette = new Palette(frames);
    const writer = new GifWriter(width, height, palette);
    for (const pixels of frames) writer.add(pixels, 500);
    const shown = decoded(Buffer.concat(writer.finish()));
    assert.equal(shown.length, frames.length);
    for (const [number, picture] of shown.entries()) {
      for (let at = 0; at < width * height; at++)
        assert.equal(picture[at], palette.index(frames[number], 4 * at), `${number} ${at}`);
    }
  },
};

/** The frames of a GIF file as indices of colours. */
function decoded(bytes) {
  assert.equal(bytes.toString("latin1", 0, 6), "GIF89a");
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  const frames = [];
  let screen = new Uint8Array(width * height);
  for (let at = 13 + 3 * 256; bytes[at] !== 0x3b; ) {
    if (bytes[at] === 0x21) {
      for (at += 2; bytes[at]; at += bytes[at] + 1);
      at++;
      continue;
    }
    assert.equal(bytes[at], 0x2c);
    const [left, top, columns] = [1, 3, 5].map((offset) => bytes.readUInt16LE(at + offset));
    const data = [];
    for (at += 11; bytes[at]; at += bytes[at] + 1) data.push(...bytes.subarray(at + 1, at + 1 + bytes[at]));
    at++;
    screen = screen.slice();
    unpacked(data).forEach((index, place) => {
      const pixel = (top + Math.floor(place / columns)) * width + left + (place % columns);
      if (index !== 255) screen[pixel] = index;
    });
    frames.push(screen);
  }
  return frames;
}

/** The indices of colours in LZW codes. */
function unpacked(data) {
  let [bit, size, table, last] = [0, 9, [], null];
  const indices = [];
  for (;;) {
    let code = 0;
    for (let count = 0; count < size; count++, bit++)
      code |= ((data[bit >> 3] >> (bit & 7)) & 1) << count;
    if (code === 257) return indices;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, index) => [index]);
      [size, last] = [9, null];
      continue;
    }
    const string = table[code] ?? [...last, last[0]];
    indices.push(...string);
    if (last && table.length < 4096) table.push([...last, string[0]]);
    if (table.length === 1 << size && size < 12) size++;
    last = string;
  }
}

for (const [name, test] of Object.entries(tests)) {
  await test();
  console.log(`${name}: passed`);
}
