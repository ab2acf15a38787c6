/** A client of the Hub protocol. */

/**
 * @typedef {object} Search
 * @property {string} position the line `pos`
 * @property {Record<string, string | number>} params the parameters of the engine
 * @property {string} level the arguments of `level`
 * @property {"think" | "analyze"} mode
 * @property {(line: string) => void} [hear] takes the `info` lines
 */

export class Hub {
  #send;
  /** Resolves at the line that begins with a word: `{ word, resolve }`. */
  #awaited = null;
  #search = null;
  #params = new Map();
  /** Ends when the engine is free. */
  #free;
  /** The number of the search that was asked for last: earlier ones give way. */
  #latest = 0;

  /** @param {(line: string) => void} send sends a line to the engine */
  constructor(send) {
    this.#send = send;
    this.#free = this.#ask("hub", "wait");
  }

  /** Takes a line from the engine. */
  hear(line) {
    const word = line.split(" ", 1)[0];
    if (word === "info") this.#search?.hear?.(line);
    else if (word === this.#awaited?.word) this.#awaited.resolve(line);
    else if (word === "error") console.error(line);
  }

  /**
   * Searches. One that still runs or waits gives way.
   *
   * @param {Search} search
   * @returns {Promise<string | null>} the move, empty if there is none; `null` if it had to give way
   */
  search(search) {
    this.stop();
    const turn = ++this.#latest;
    const isWanted = () => turn === this.#latest;
    const result = this.#free.then(() => this.#run(search, isWanted));
    this.#free = result.catch(() => {});
    return result;
  }

  /** Stops what runs, and what waits for it. */
  stop() {
    this.#latest++;
    if (this.#search) this.#send("stop");
  }

  async #run(search, isWanted) {
    if (isWanted()) await this.#set(search.params);
    if (!isWanted()) return null;
    this.#search = search;
    this.#send(search.position);
    this.#send(`level ${search.level}`);
    const done = await this.#ask(`go ${search.mode}`, "done");
    this.#search = null;
    return isWanted() ? (/ move=(\S+)/.exec(done)?.[1] ?? "") : null;
  }

  /** Sets parameters that have changed. */
  async #set(params) {
    const changed = Object.entries(params).filter(
      ([name, value]) => this.#params.get(name) !== value,
    );
    for (const [name, value] of changed) {
      this.#params.set(name, value);
      this.#send(`set-param name=${name} value=${value}`);
    }
    if (changed.length > 0) await this.#ask("init", "ready");
  }

  /** Sends a line and waits for the one that begins with a word. */
  #ask(line, word) {
    return new Promise((resolve) => {
      this.#awaited = { word, resolve };
      this.#send(line);
    });
  }
}
