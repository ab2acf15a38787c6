"use strict";

/*
 * Caches the page and the files it has loaded, for visits without a network. With a network, the
 * cache is not used, so that all parts of the page are of the same version.
 */

const CACHE = "manoury";
/** The files of the default variant. The files of the page are listed in `files.json`. */
const GAME_FILES = ["international.weights", "international.book", "international.bitbases"];

async function install() {
  const page = await (await fetch("files.json")).json();
  const cache = await caches.open(CACHE);
  await cache.addAll(["./", ...page, ...GAME_FILES.map((name) => `files/${name}`)]);
}

/** The response of the network or, without one, of the cache. */
async function answer(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    // A copy is kept while the page reads the response. It does without one where there is no room.
    if (response.ok) event.waitUntil(keep(request, response.clone()).catch(console.warn));
    return response;
  } catch (error) {
    const cache = await caches.open(CACHE);
    const cached = await cache.match(request, { ignoreSearch: true });
    if (cached) return cached;
    throw error;
  }
}

async function keep(request, response) {
  const cache = await caches.open(CACHE);
  await cache.put(request, response);
}

addEventListener("install", (event) => event.waitUntil(install().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const isOwn = new URL(event.request.url).origin === location.origin;
  if (isOwn && event.request.method === "GET") event.respondWith(answer(event));
});
