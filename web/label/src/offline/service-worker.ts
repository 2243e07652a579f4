// The page's files for visits without a net. One cache for each version of the page: a new version is fetched whole and checked, or not at all.
// The version before stays for pages that are still open; older ones go.

/** Set by web/build.mjs: a digest of all files; their names, each with its own digest ("" for pages). */
declare const PLATEN_VERSION: string;
declare const PLATEN_FILES: Readonly<Record<string, string>>;

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

/** A net that does not answer is none. */
const PATIENCE_MS = 4000;

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  try {
    // A file that is cut off, or of another version than this script, fails here.
    await cache.addAll(Object.entries(PLATEN_FILES).map(([name, integrity]) => new Request(new URL(name, registration.scope), { cache: "no-cache", integrity })));
    const page = await (await cache.match(registration.scope))?.text();
    if (!page?.includes(`?v=${PLATEN_VERSION}"`)) throw new Error("the page is of another version than its service worker");
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
  await skipWaiting();
}

async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
}

/** A page from the net is the newest; where the net gives none, the kept one serves. */
async function answerPage(request: Request): Promise<Response> {
  const kept = await (await caches.open(NAME)).match(registration.scope);
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  const fresh = fetch(request).then(
    (response) => (response.status >= 500 ? kept : response),
    () => kept,
  );
  return Promise.race([fresh, late]);
}

/** Files of the version that is asked for: kept, or from the net. */
async function answer(request: Request): Promise<Response> {
  const version = new URL(request.url).searchParams.get("v") ?? PLATEN_VERSION;
  const name = PREFIX + version;
  const kept = (await caches.has(name)) ? await (await caches.open(name)).match(request, { ignoreSearch: true }) : undefined;
  return kept ?? fetch(request);
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
  else if (name === "") respondWith.call(event, answerPage(request));
  else if (Object.hasOwn(PLATEN_FILES, name)) respondWith.call(event, answer(request));
});
