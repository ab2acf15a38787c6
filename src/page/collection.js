/**
 * The games of an opened file. The file stays in the browser and is sent in parts to the engine,
 * which indexes and searches it. If the engine is replaced, the file is sent again.
 */

/** The size of the parts, in bytes. */
const PART = 2 ** 20;
/** The maximum number of unanswered parts: one is read while another is indexed. */
const MAX_SENT = 2;
/** The number of bytes from which the encoding of a file is detected. */
const SAMPLE = 100_000;

/**
 * @typedef {object} GameRow
 * @property {number} index the place of the game in the file
 * @property {string} variant
 * @property {string} white
 * @property {string} black
 * @property {string} event
 * @property {string} date
 * @property {string} result
 * @property {string} start the FEN of the start position; empty if it is the usual one
 * @property {number} plies
 * @property {number} [ply] the ply at which the searched position occurs
 * @property {boolean} is_broken
 */

/**
 * @typedef {object} Query the conditions of a search; an empty text is no condition
 * @property {string} [player]
 * @property {string} [event]
 * @property {string} [result] `white`, `draw`, `black` or `unknown`
 * @property {string} [since]
 * @property {string} [until]
 */

/** Emits `progress` while a file is read, and `open` when it has been read or closed. */
export class Collection extends EventTarget {
  #api;
  /** @type {Blob | null} */
  #file = null;
  #variant = "";
  /** The number of the latest attempt to read a file, which supersedes earlier ones. */
  #latest = 0;
  name = "";
  count = 0;
  /** The share of the file that has been indexed, 0 to 1. */
  progress = 0;
  /**
   * The games changed since the file was opened, by index: their PDN before and now, and their
   * data.
   *
   * @type {Map<number, {before: string, text: string, data: object}>}
   */
  changed = new Map();
  /** The PDN of the changed games that were saved, by index. */
  #saved = new Map();

  /** @param {{request: (kind: string, fields?: object) => Promise<any>}} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  /** The open file; `null` if there is none. */
  get file() {
    return this.#file;
  }

  /** Whether there are changes that were not saved. */
  get isUnsaved() {
    return [...this.changed].some(([index, { text }]) => this.#saved.get(index) !== text);
  }

  /** Whether a file is open. */
  get isOpen() {
    return this.#file !== null;
  }

  /**
   * Opens a file of games. Fails with the engine's message if it is too large.
   *
   * @param {string} name
   * @param {Blob} file
   * @param {string} variant the variant to assume where the file does not name one
   * @returns {Promise<boolean>} whether the file was read to its end; `false` if a different one
   *   was opened meanwhile
   */
  async open(name, file, variant) {
    [this.#file, this.#variant, this.name] = [file, variant, name];
    this.#forgetChanges();
    try {
      return await this.#send();
    } catch (error) {
      if (this.#file === file) this.close();
      throw error;
    }
  }

  /** Forgets the file. */
  close() {
    this.#latest++;
    [this.#file, this.name, this.count, this.progress] = [null, "", 0, 0];
    this.#forgetChanges();
    this.#emit("open");
  }

  #forgetChanges() {
    this.changed.clear();
    this.#saved.clear();
  }

  /** Sends the file to a new engine. */
  async restart() {
    // If the file can no longer be read, requests about it are answered with an error.
    if (this.#file) await this.#send().catch(() => {});
  }

  async #send() {
    const [latest, file] = [++this.#latest, this.#file];
    const isLatest = () => latest === this.#latest;
    [this.count, this.progress] = [0, 0];
    this.#emit("progress");
    const decoder = new TextDecoder(await this.#encoding(file));
    if (!isLatest()) return false;
    const answers = [this.#api.request("open", { variant: this.#variant })];
    for (let start = 0; start === 0 || start < file.size; start += PART) {
      const end = Math.min(start + PART, file.size);
      const bytes = await file.slice(start, end).arrayBuffer();
      const last = end === file.size;
      if (answers.length > MAX_SENT) await answers.shift();
      if (!isLatest()) return false;
      const text = decoder.decode(bytes, { stream: !last });
      const answer = this.#api.request("add", { text, last }).then(({ games }) => {
        if (!isLatest()) return;
        [this.count, this.progress] = [games, file.size ? end / file.size : 1];
        this.#emit("progress");
      });
      // An error is reported where the answer is awaited.
      answer.catch(() => {});
      answers.push(answer);
    }
    await Promise.all(answers);
    if (!isLatest()) return false;
    this.#emit("open");
    return true;
  }

  /** The name of a file's encoding. */
  async #encoding(file) {
    const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer());
    let letters = "";
    for (const byte of bytes) letters += String.fromCharCode(byte);
    return this.#api.request("encoding", { bytes: letters });
  }

  /**
   * Finds the games that match a query.
   *
   * @param {Query} query
   * @param {object | null} position the fields of a position that the games contain
   * @param {number} offset
   * @param {number} limit
   * @returns {Promise<{count: number, games: GameRow[]}>} the total number, and the games from
   *   `offset` on
   */
  find(query, position, offset, limit) {
    return this.#api.request("find", { query, position, offset, limit });
  }

  /** A game of the file as read by the engine, with notes on what the engine had to guess. */
  async game(index) {
    const { games, notes } = await this.#api.request("game", { index });
    return { game: games[0], notes };
  }

  /** The moves played in a position, with the results of their games. */
  explore(fields) {
    return this.#api.request("explore", fields);
  }

  /** The PDN of the games that match a query, including changes, in parts. */
  async export(query, position) {
    const texts = [];
    for (let offset = 0; offset !== null;) {
      const { games, next } = await this.#api.request("export", { query, position, offset });
      for (const [index, before] of games) {
        const changed = this.changed.get(index)?.text;
        if (changed) this.#saved.set(index, changed);
        texts.push(`${(changed ?? before).trim()}\n\n`);
      }
      offset = next;
    }
    return texts;
  }

  #emit(name) {
    this.dispatchEvent(new Event(name));
  }
}
