// The engine in this thread, as a worker starts it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { runInThisContext } from "node:vm";

export const folder = process.argv[2];

const module = await WebAssembly.compile(await readFile(`${folder}/manoury.wasm`));

const script = await readFile(`${folder}/engine.js`, "utf8");
const startEngine = runInThisContext(`${script}; startEngine`);

/** An engine that says its lines to a function. */
export const start = (say) => startEngine(module, say, file);

/** A file of the engine. */
function file(name) {
  const path = `${folder}/files/${name}`;
  return existsSync(path) ? readFileSync(path) : null;
}

/** How long a client waits for a line, in milliseconds. */
const PATIENCE = 20_000;

/** A client of a session. */
export class Client {
  #heard = [];
  #wake = () => {};

  static async start() {
    const client = new Client();
    const say = (line) => {
      client.#heard.push(line);
      client.#wake();
    };
    client.send = (await start(say)).receive;
    return client;
  }

  /** The lines until one that begins with a word, that one included. */
  async until(word) {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const place = this.#heard.findIndex((line) => line.split(" ")[0] === word);
      if (place >= 0) return this.#heard.splice(0, place + 1);
      const left = end - performance.now();
      assert(left > 0, `no ${word}: ${JSON.stringify(this.#heard)}`);
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, left);
      });
    }
  }

  /** Sends a line and waits for the answer that begins with a word. */
  async ask(line, word) {
    this.send(line);
    return (await this.until(word)).at(-1);
  }
}

/** Waits. */
export const milliseconds = (time) => new Promise((resolve) => setTimeout(resolve, time));
