// Keeps the page for use without a network. VERSION is the checksum of its files, set when the page is built.
const CACHE = "tempo-playground-VERSION", FILES = [/* FILES */];
addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((names) =>
  Promise.all(names.filter((name) => name.startsWith("tempo-playground-") && name !== CACHE).map((name) => caches.delete(name)))).then(() => clients.claim())));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((found) => found ?? fetch(event.request)));
});
