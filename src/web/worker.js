"use strict";

/*
 * A worker that speaks Hub: `postMessage` takes a line, `onmessage` gives one. Lines that arrive
 * before the engine is ready wait.
 */

importScripts("engine.js");

/** A file of the engine, which plays without it if need be. There is nothing else to do meanwhile. */
function file(name) {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", `files/${name}`, false);
    request.responseType = "arraybuffer";
    request.send();
  } catch {
    // The status tells.
  }
  if (request.status === 200) return new Uint8Array(request.response);
  postMessage(`error message="files/${name} cannot be loaded: status ${request.status}"`);
  return null;
}

const ready = WebAssembly.compileStreaming(fetch("manoury.wasm")).then((module) =>
  startEngine(module, (line) => postMessage(line), file),
);

onmessage = async (event) => {
  const { receive } = await ready;
  receive(event.data);
};
