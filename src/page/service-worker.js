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

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const cached = await cache.match(request, { ignoreSearch: true });
    if (cached) return cached;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(install().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const isOwn = new URL(event.request.url).origin === location.origin;
  if (isOwn && event.request.method === "GET") event.respondWith(answer(event.request));
});
