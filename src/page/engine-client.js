/**
 * The engine as the page uses it: a channel of lines to a worker or, if `manoury serve` serves the
 * page, to that program; over it, the Hub protocol and requests about the rules.
 */

/**
 * Opens the channel.
 *
 * @param {(line: string) => void} onLine receives the lines of the engine
 * @param {(reason: string) => void} onLost is called once the connection is lost; the reason is empty if
 *   unknown
 * @returns {(line: string) => void} sends a line; lines sent before the channel is open wait
 */
export function openChannel(onLine, onLost) {
  return isServed() ? openSocket(onLine, onLost) : openWorker(onLine, onLost);
}

/** Whether a program serves the page. */
export const isServed = () =>
  document.querySelector("meta[name=engine]").content === "socket";

function openWorker(onLine, onLost) {
  const worker = new Worker("worker.js");
  worker.onmessage = (event) => onLine(event.data);
  worker.onerror = () => onLost("");
  return (line) => worker.postMessage(line);
}

function openSocket(onLine, onLost) {
  const address = new URL("engine", location.href.replace(/^http/, "ws"));
  address.hash = "";
  address.search = new URLSearchParams({ token: token() });
  const socket = new WebSocket(address);
  const unsent = [];
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    unsent.splice(0).forEach((line) => socket.send(line));
  };
  socket.onmessage = (event) => onLine(event.data);
  socket.onclose = async () => onLost(wasOpen ? "" : await refusal(address));
  return (line) =>
    socket.readyState === WebSocket.CONNECTING ? unsent.push(line) : socket.send(line);
}

/** Why the socket was refused: browsers do not tell, but a plain request gets the same answer. */
async function refusal({ search }) {
  try {
    const response = await fetch(`engine${search}`);
    return await response.text();
  } catch {
    return "";
  }
}

/** The token, which is removed from the address of the page: people share addresses. */
function token() {
  const STORAGE_KEY = "manoury.token";
  const address = new URL(location);
  const given = address.searchParams.get("token");
  if (given) {
    sessionStorage.setItem(STORAGE_KEY, given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? "";
}

/** Requests about the rules, which the engine answers in JSON. */
export class PageApi {
  #send;
  #lastId = 0;
  /** The promises of unanswered requests, by number. */
  #pending = new Map();

  /** @param {(line: string) => void} send sends a line to the engine */
  constructor(send) {
    this.#send = send;
  }

  /** Sends a request. The promise is rejected with the engine's message if there is no answer. */
  request(kind, fields = {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send(JSON.stringify({ id, ask: kind, ...fields }));
    });
  }

  /** Accepts a line from the engine. Returns whether it was a response. */
  receive(line) {
    if (!line.startsWith("{")) return false;
    const { id, answer, error } = JSON.parse(line);
    const { resolve, reject } = this.#pending.get(id) ?? {};
    this.#pending.delete(id);
    if (error === undefined) resolve?.(answer);
    else reject?.(new Error(error));
    return true;
  }
}

/**
 * @typedef {object} Search
 * @property {string} position the `pos` line
 * @property {Record<string, string | number>} params the parameters of the engine
 * @property {string} level the arguments of `level`
 * @property {"think" | "analyze"} mode
 * @property {(line: string) => void} [onInfo] receives the `info` lines
 */

/** A client of the Hub protocol. */
export class HubClient {
  #send;
  /** Resolves at the line that begins with a word: `{ word, resolve }`. */
  #awaited = null;
  #search = null;
  #params = new Map();
  /** Resolves when the engine is idle. */
  #idle;
  /** The number of the latest search, which supersedes earlier ones. */
  #latest = 0;

  /** @param {(line: string) => void} send sends a line to the engine */
  constructor(send) {
    this.#send = send;
    this.#idle = this.#request("hub", "wait");
  }

  /** Accepts a line from the engine. */
  receive(line) {
    const word = line.split(" ", 1)[0];
    if (word === "info") this.#search?.onInfo?.(line);
    else if (word === this.#awaited?.word) this.#awaited.resolve(line);
    else if (word === "error") console.error(line);
  }

  /**
   * Searches, instead of any search that still runs or waits.
   *
   * @param {Search} search
   * @returns {Promise<string | null>} the move, empty if there is none; `null` if superseded
   */
  search(search) {
    this.stop();
    const number = ++this.#latest;
    const isLatest = () => number === this.#latest;
    const result = this.#idle.then(() => this.#run(search, isLatest));
    this.#idle = result.catch(() => {});
    return result;
  }

  /** Stops the running search, and those that wait for it. */
  stop() {
    this.#latest++;
    if (this.#search) this.#send("stop");
  }

  async #run(search, isLatest) {
    if (isLatest()) await this.#setParams(search.params);
    if (!isLatest()) return null;
    this.#search = search;
    this.#send(search.position);
    this.#send(`level ${search.level}`);
    const done = await this.#request(`go ${search.mode}`, "done");
    this.#search = null;
    return isLatest() ? (/ move=(\S+)/.exec(done)?.[1] ?? "") : null;
  }

  /** Sets the parameters that have changed. */
  async #setParams(params) {
    const changed = Object.entries(params).filter(
      ([name, value]) => this.#params.get(name) !== value,
    );
    for (const [name, value] of changed) {
      this.#params.set(name, value);
      this.#send(`set-param name=${name} value=${value}`);
    }
    if (changed.length > 0) await this.#request("init", "ready");
  }

  /** Sends a line and waits for the one that begins with a word. */
  #request(line, word) {
    return new Promise((resolve) => {
      this.#awaited = { word, resolve };
      this.#send(line);
    });
  }
}
