"use strict";

/*
 * A worker that speaks Hub: `postMessage` takes a line, `onmessage` gives one, or several in the
 * order in which they were said. Lines that arrive before the engine is ready wait.
 */

importScripts("engine.js");

const ready = WebAssembly.compileStreaming(fetch("manoury.wasm")).then((module) =>
  startEngine(module, (line) => postMessage(line)),
);

onmessage = async (event) => {
  const receive = await ready;
  receive(event.data);
};
