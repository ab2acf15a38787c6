"use strict";

/*
 * A worker that speaks Hub. Each message, in either direction, is a line. Lines that arrive before
 * the engine is ready are queued.
 */

importScripts("engine.js");

/**
 * Loads a file for the engine; `null` if that fails, because the engine can play without it. The
 * request may block, because nothing else runs in this worker.
 */
function readFile(name) {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", `files/${name}`, false);
    request.responseType = "arraybuffer";
    request.send();
  } catch {
    // The status is checked below.
  }
  if (request.status === 200) return new Uint8Array(request.response);
  postMessage(`error message="cannot load files/${name}: status ${request.status}"`);
  return null;
}

const ready = WebAssembly.compileStreaming(fetch("manoury.wasm")).then((module) =>
  startEngine(module, (line) => postMessage(line), readFile),
);

/** Throws an error outside of promises, because a page does not see what a worker's promises reject. */
function fail(error) {
  setTimeout(() => {
    throw error;
  });
}

onmessage = ({ data }) => ready.then(({ receive }) => receive(data)).catch(fail);
