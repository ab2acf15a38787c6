/**
 * The engine as used by the page: a channel of lines to a worker or, if `manoury serve` serves the
 * page, to that program. The channel carries the Hub protocol and requests about the rules.
 */

import { remember, remembered } from "./dom.js";

/** The first and the longest delay before the channel is opened again, in milliseconds. */
const [FIRST_DELAY, LAST_DELAY] = [500, 8000];

/**
 * The time between signs of life that a served engine is asked for, in milliseconds. It is lost if
 * it does not answer one until the next: a connection can end without notice.
 */
const HEARTBEAT = 10_000;

/** Whether a program serves the page. */
export const isServed = () =>
  document.querySelector("meta[name=engine]").getAttribute("content") === "socket";

/** The channel to the engine, which is opened again whenever it is lost. */
export class Connection {
  #handlers;
  #channel = null;
  #delay = FIRST_DELAY;
  #timer = 0;

  /**
   * @param {object} handlers
   * @param {() => void} handlers.onOpen is called for each new engine, which has no state yet
   * @param {(line: string) => void} handlers.onLine receives the lines of the engine
   * @param {(reason: string, details: string) => void} handlers.onLost receives the key of a text,
   *   and details from the engine, when the engine is lost or cannot be reached
   */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  /** Opens the channel; closes it first if it is open. */
  open() {
    clearTimeout(this.#timer);
    this.#channel?.close();
    const { onOpen, onLine, onLost } = this.#handlers;
    const isNow =
      (handle) =>
      (...values) =>
        this.#channel === channel && handle(...values);
    const channel = (isServed() ? socketChannel : workerChannel)({
      onOpen: isNow(onOpen),
      onLine: isNow((line) => {
        this.#delay = FIRST_DELAY;
        onLine(line);
      }),
      onLost: isNow((reason, details = "") => {
        channel.close();
        this.#channel = null;
        this.#timer = setTimeout(() => this.open(), this.#delay);
        this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
        onLost(reason, details);
      }),
    });
    this.#channel = channel;
  }

  /** Closes the channel for good. */
  close() {
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#channel = null;
  }

  /** Sends a line, if there is an engine. A new engine is sent everything that it needs anyway. */
  send(line) {
    this.#channel?.send(line);
  }
}

function workerChannel({ onOpen, onLine, onLost }) {
  const worker = new Worker("worker.js");
  worker.onmessage = (event) => onLine(event.data);
  worker.onerror = (event) => {
    event.preventDefault();
    onLost("engine_stopped");
  };
  setTimeout(onOpen);
  return { send: (line) => worker.postMessage(line), close: () => worker.terminate() };
}

function socketChannel({ onOpen, onLine, onLost }) {
  const address = new URL("engine", location.href.replace(/^http/, "ws"));
  address.hash = "";
  address.search = String(new URLSearchParams({ token: token() }));
  const socket = new WebSocket(address);
  let wasOpen = false;
  let isSilent = false;
  const heartbeat = setInterval(() => {
    if (isSilent) return onLost("engine_lost");
    isSilent = true;
    send("ping");
  }, HEARTBEAT);
  const send = (line) => socket.readyState === WebSocket.OPEN && socket.send(line);
  socket.onopen = () => {
    wasOpen = true;
    onOpen();
  };
  socket.onmessage = (event) => {
    isSilent = false;
    onLine(event.data);
  };
  socket.onclose = async () => onLost(...(wasOpen ? ["engine_lost"] : await refusal(address)));
  return {
    send,
    close: () => {
      clearInterval(heartbeat);
      socket.close();
    },
  };
}

/**
 * Finds out why the socket was refused. Browsers do not report the reason, but a plain request gets
 * the same answer.
 */
async function refusal({ search }) {
  try {
    const response = await fetch(`engine${search}`);
    const details = await response.text();
    if (response.status === 503) return ["sessions_full"];
    if (response.status === 403)
      return details.includes("token") ? ["token_missing"] : ["refused", details];
  } catch {
    // The server is gone.
  }
  return ["engine_lost"];
}

/**
 * The access token. It is removed from the address of the page, because people share addresses, and
 * stored for all tabs of the browser, including those opened from a link.
 */
function token() {
  const STORAGE_KEY = "manoury.token";
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given) {
    remember(STORAGE_KEY, given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return remembered(STORAGE_KEY) ?? "";
}

/**
 * The maximum number of times a request is sent: once before there is an engine, and to two
 * engines.
 */
const MAX_SENT = 3;

/** Requests about the rules, which the engine answers in JSON. */
export class PageApi {
  #send;
  #lastId = 0;
  /** The unanswered requests by number: their lines, promises, and how often they were sent. */
  #pending = new Map();

  /** @param {(line: string) => void} send sends a line to the engine */
  constructor(send) {
    this.#send = send;
  }

  /** Sends a request. The promise is rejected with the engine's message if there is no answer. */
  request(kind, fields = {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const line = JSON.stringify({ id, ask: kind, ...fields });
      this.#pending.set(id, { line, resolve, reject, sent: 1 });
      this.#send(line);
    });
  }

  /**
   * Sends the unanswered requests to a new engine, except those that may have stopped two engines.
   */
  restart() {
    for (const [id, request] of this.#pending) {
      if (++request.sent <= MAX_SENT) this.#send(request.line);
      else {
        this.#pending.delete(id);
        request.reject(new Error("the engine has stopped"));
      }
    }
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

/** The depth of an `info` line, in plies. */
export const depthOf = (line) => Number(/ depth=(\d+)/.exec(line)?.[1] ?? 0);

/** The rank of the line of moves in an `info` line. */
export const rankOf = (line) => Number(/ multipv=(\d+)/.exec(line)?.[1] ?? 1);

/** The number of threads in a `param` line for `threads`. */
const threadsOf = (line) => {
  const [, count] = /^param name=threads value=(\d+)/.exec(line) ?? [];
  return count && Number(count);
};

/**
 * @typedef {object} Search
 * @property {string} position the `pos` line
 * @property {Record<string, string | number>} params the parameters of the engine
 * @property {string} level the arguments of `level`
 * @property {"think" | "analyze"} mode
 * @property {boolean} [isFresh] whether the engine first forgets the results of earlier searches
 * @property {(line: string) => void} [onInfo] receives the `info` lines until the search is superseded
 */

/** A client of the Hub protocol. */
export class HubClient {
  #send;
  /**
   * The awaited line, as `{ word, resolve }`. `resolve` is called when a line begins with `word`.
   */
  #awaited = null;
  #search = null;
  #params = new Map();
  /** How many threads the engine searches with. */
  threads = 1;
  /** @type {Promise<any>} Resolves when the engine is idle. */
  #idle = Promise.resolve();
  /** The number of the latest search, which supersedes earlier ones. */
  #latest = 0;

  #onError;

  /**
   * @param {(line: string) => void} send sends a line to the engine
   * @param {(line: string) => void} onError receives errors of the engine
   */
  constructor(send, onError) {
    this.#send = send;
    this.#onError = onError;
  }

  /** Starts again with a new engine. Searches of the previous one are superseded. */
  restart() {
    this.#latest++;
    this.#search = null;
    this.#params.clear();
    this.#awaited?.resolve("");
    this.#idle = this.#request("hub", "wait");
  }

  /** Accepts a line from the engine. */
  receive(line) {
    const word = line.split(" ", 1)[0];
    if (word === "info") this.#search?.onInfo(line);
    else if (word === "param") this.threads = threadsOf(line) ?? this.threads;
    else if (word === this.#awaited?.word) this.#awaited.resolve(line);
    else if (word === "error") this.#onError(line);
  }

  /**
   * Searches a position. Supersedes any search that is running or waiting.
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

  /** Stops the running search and those waiting for it. */
  stop() {
    this.#latest++;
    if (this.#search) this.#send("stop");
  }

  async #run(search, isLatest) {
    if (isLatest()) await this.#setParams(search.params);
    if (!isLatest()) return null;
    // A superseded search sends lines until it stops, when its successor already waits for its own.
    const onInfo = (line) => isLatest() && search.onInfo?.(line);
    this.#search = { ...search, onInfo };
    if (search.isFresh) this.#send("new-game");
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

  /** Sends a line and waits for a line that begins with a word. */
  #request(line, word) {
    return new Promise((resolve) => {
      this.#awaited = { word, resolve };
      this.#send(line);
    });
  }
}
