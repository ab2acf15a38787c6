"use strict";

/*
 * Keeps the page and what it has loaded, for visits without a network. With a network its answer
 * counts: the parts of the page belong together.
 */

const CACHE = "manoury";
/** What the page needs for the first game; `files.json` lists the page itself. */
const GAME = ["international.weights", "international.book", "international.bitbases"];

async function install() {
  const page = await (await fetch("files.json")).json();
  const cache = await caches.open(CACHE);
  await cache.addAll(["./", ...page, ...GAME.map((name) => `files/${name}`)]);
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(install().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const isOurs = new URL(event.request.url).origin === location.origin;
  if (isOurs && event.request.method === "GET") event.respondWith(answer(event.request));
});
