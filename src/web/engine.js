"use strict";

/** Milliseconds per slice of a search. Lines that arrive during a slice are handled after it. */
const SLICE = 20;

/** Maximum number of random bytes per call of `getRandomValues`. */
const MAX_RANDOM = 65536;

/**
 * Returns a function that calls `callback` after all pending events. Browser timers wait for
 * several milliseconds, so in browsers the function posts a message to itself. Node.js delivers
 * hundreds of messages before other events, so there the function uses `setImmediate`.
 */
function afterEvents(callback) {
  if (typeof setImmediate === "function") return () => setImmediate(callback);
  const channel = new MessageChannel();
  channel.port1.onmessage = callback;
  return () => channel.port2.postMessage(null);
}

/**
 * Starts an engine in this thread, with a session of the Hub protocol.
 *
 * @param {WebAssembly.Module} module the engine
 * @param {(line: string) => void} onLine receives the lines of the engine
 * @param {(name: string) => Uint8Array | null} readFile returns a file that the engine needs
 * @returns {Promise<{receive: (line: string) => void, bench: (game: number, depth: number) => number}>}
 *   `receive` accepts a line from the client; `bench` returns the node count of `manoury bench` for
 *   a variant, given as its index in the list of all variants, at a depth in plies
 */
async function startEngine(module, onLine, readFile) {
  const bytes = (address, length) => new Uint8Array(engine.memory.buffer, address, length);
  const text = (address, length) => new TextDecoder().decode(bytes(address, length));
  let opened = null;
  const host = {
    now: () => performance.now(),
    fill_random: (address, length) => {
      for (let done = 0; done < length; done += MAX_RANDOM) {
        crypto.getRandomValues(bytes(address + done, Math.min(MAX_RANDOM, length - done)));
      }
    },
    write_line: (address, length) => onLine(text(address, length)),
    open_file: (address, length) => {
      opened = readFile(text(address, length));
      return opened ? opened.length : -1;
    },
    read_file: (address) => bytes(address, opened.length).set(opened),
    report_panic: (address, length) => {
      throw new Error(text(address, length));
    },
  };
  const { exports: engine } = await WebAssembly.instantiate(module, { host });
  const session = engine.new_session();

  const runSliceSoon = afterEvents(runSlice);
  let timer = 0;
  let isDue = false;

  function runSlice() {
    isDue = false;
    schedule(engine.resume(session, SLICE));
  }

  /** Schedules the next slice after this many milliseconds; schedules none if negative. */
  function schedule(milliseconds) {
    clearTimeout(timer);
    if (milliseconds > 0) {
      timer = setTimeout(runSlice, milliseconds);
    } else if (milliseconds === 0 && !isDue) {
      isDue = true;
      runSliceSoon();
    }
  }

  function receive(line) {
    const encoded = new TextEncoder().encode(line);
    const address = engine.line_buffer(session, encoded.length);
    bytes(address, encoded.length).set(encoded);
    if (engine.receive(session) !== 0) schedule(0);
  }

  return { receive, bench: engine.bench_nodes };
}
