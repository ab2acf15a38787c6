"use strict";

/** Milliseconds of a slice of a search. A line that arrives meanwhile waits as long. */
const SLICE = 20;

/** The most random bytes that one call gives. */
const RANDOM_MOST = 65536;

/**
 * What calls a function after the events that are waiting. A timer of a browser would wait for
 * several milliseconds, so there it is a message to ourselves; Node.js delivers hundreds of those
 * before it looks at anything else, but has a function of its own.
 */
function turnTo(callback) {
  if (typeof setImmediate === "function") return () => setImmediate(callback);
  const turn = new MessageChannel();
  turn.port1.onmessage = callback;
  return () => turn.port2.postMessage(null);
}

/**
 * An engine in this thread: a session of the Hub protocol.
 *
 * @param {WebAssembly.Module} module the engine
 * @param {(line: string) => void} say takes the lines of the engine
 * @param {(name: string) => Uint8Array | null} file gives a file that the engine needs
 * @returns {Promise<{receive: (line: string) => void, bench: (game: number, depth: number) => number}>}
 *   `receive` takes the lines of the client; `bench` gives the nodes of the bench of a game, by its
 *   number in the list of all games, to a depth in plies
 */
async function startEngine(module, say, file) {
  const bytes = (address, length) => new Uint8Array(engine.memory.buffer, address, length);
  const text = (address, length) => new TextDecoder().decode(bytes(address, length));
  let opened = null;
  const host = {
    now: () => performance.now(),
    random: (address, length) => {
      for (let done = 0; done < length; done += RANDOM_MOST) {
        crypto.getRandomValues(bytes(address + done, Math.min(RANDOM_MOST, length - done)));
      }
    },
    say: (address, length) => say(text(address, length)),
    open_file: (address, length) => {
      opened = file(text(address, length));
      return opened ? opened.length : -1;
    },
    read_file: (address) => bytes(address, opened.length).set(opened),
    fail: (address, length) => {
      throw new Error(text(address, length));
    },
  };
  const { exports: engine } = await WebAssembly.instantiate(module, { host });
  const session = engine.begin();

  const goOnSoon = turnTo(goOn);
  let timer = 0;
  let isDue = false;

  function goOn() {
    isDue = false;
    schedule(engine.go_on(session, SLICE));
  }

  /** Goes on after some milliseconds; never if they are negative. */
  function schedule(milliseconds) {
    clearTimeout(timer);
    if (milliseconds > 0) {
      timer = setTimeout(goOn, milliseconds);
    } else if (milliseconds === 0 && !isDue) {
      isDue = true;
      goOnSoon();
    }
  }

  function receive(line) {
    const encoded = new TextEncoder().encode(line);
    const address = engine.line(session, encoded.length);
    bytes(address, encoded.length).set(encoded);
    if (engine.receive(session) !== 0) schedule(0);
  }

  return { receive, bench: engine.bench_nodes };
}
