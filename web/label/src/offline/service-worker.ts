// The page's files for visits without a net. One cache for each version of the page: a new version is fetched whole, then the old one goes.

/** Set by web/build.mjs: a digest of all files, and their names. */
declare const PLATEN_VERSION: string;
declare const PLATEN_FILES: readonly string[];

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LifeEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
declare const registration: { scope: string };
declare function skipWaiting(): Promise<void>;
declare const clients: { claim(): Promise<void> };

const PREFIX = "platen-page-";
const NAME = PREFIX + PLATEN_VERSION;

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(PLATEN_FILES.map((name) => new Request(new URL(name, registration.scope), { cache: "no-cache" })));
  await skipWaiting();
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

/** A page from the net is the newest; without a net, and for the files of the page, the kept ones serve. */
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  if (request.mode === "navigate") {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await cache.match(registration.scope);
      if (kept) return kept;
      throw error;
    }
  }
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

/** Fonts are kept once a label has needed them. */
async function answerFont(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

addEventListener("install", (event) => (event as LifeEvent).waitUntil(install()));
addEventListener("activate", (event) => (event as LifeEvent).waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  const name = new URL(request.url).pathname.slice(new URL(registration.scope).pathname.length);
  // Answers of the service are never kept.
  if (name.startsWith("fonts/")) respondWith.call(event, answerFont(request));
  else if (name === "" || PLATEN_FILES.includes(name)) respondWith.call(event, answer(request));
});
