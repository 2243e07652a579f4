// The page's files for visits without a net. One cache for each version of the page: a new version is fetched whole and checked, or not at all.
// The two versions that were in charge before stay for pages that are still open; older ones go.

/** Set by web/build.mjs: a digest of all files; the addresses of those that are kept, each with its own digest ("" for pages); fonts likewise. */
declare const PLATEN_VERSION: string;
declare const PLATEN_FILES: Readonly<Record<string, string>>;
declare const PLATEN_FONTS: Readonly<Record<string, string>>;

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

/** What import() loads; their names hold digests of what they are. */
const PART = /^part-\w+\.js$/;

/** A net that does not answer is none. */
const PATIENCE_MS = 4000;

/** When a version took charge the last time; nobody asks for this address. */
const STAMP = new URL("in-charge-since", registration.scope).href;

async function inChargeSince(cacheName: string): Promise<number> {
  const kept = await caches.match(STAMP, { cacheName }).catch(() => undefined);
  return Number((await kept?.text()) ?? 0);
}

/** Names of the caches, that of this version first, then the one that was in charge last. */
async function versions(): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME).reverse();
  const others = await Promise.all(names.map(async (name) => ({ name, since: await inChargeSince(name) })));
  return [NAME, ...others.sort((a, b) => b.since - a.since).map(({ name }) => name)];
}

/** A store that cannot be read is as one that has nothing: the net may have it. */
async function keptIn(names: readonly string[], request: Request | string): Promise<Response | undefined> {
  for (const cacheName of names) {
    const kept = await caches.match(request, { cacheName, ignoreSearch: true }).catch(() => undefined);
    if (kept) return kept;
  }
  return undefined;
}

async function install(): Promise<void> {
  const isNew = !(await caches.has(NAME)); // after a way back to this version it is there, and pages may use it
  const cache = await caches.open(NAME);
  try {
    // A file that is cut off, or of another version than this script, fails here.
    await cache.addAll(Object.entries(PLATEN_FILES).map(([name, integrity]) => new Request(new URL(name, registration.scope), { cache: "no-cache", integrity })));
    const page = await (await cache.match(registration.scope))?.text();
    if (!page?.includes(`?v=${PLATEN_VERSION}"`)) throw new Error("the page is of another version than its service worker");
  } catch (error) {
    if (isNew) await caches.delete(NAME);
    throw error;
  }
  await skipWaiting();
}

async function activate(): Promise<void> {
  const [, , , ...old] = await versions();
  await Promise.all(old.map((name) => caches.delete(name)));
  await caches.open(NAME).then((cache) => cache.put(STAMP, new Response(String(Date.now())))).catch(() => undefined); // no room: it counts as old
  await clients.claim();
}

/** The page as it is kept. An answer that a host has redirected may not be given for a page. */
async function keptPage(): Promise<Response | undefined> {
  const kept = await keptIn([NAME], registration.scope);
  return kept?.redirected ? new Response(kept.body, { headers: kept.headers }) : kept;
}

/** A page from the net is the newest; where the net gives none, the kept one serves. */
async function answerPage(request: Request): Promise<Response> {
  const kept = await keptPage();
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  const fresh = fetch(request).then(
    (response) => (response.status >= 500 ? kept : response),
    () => kept,
  );
  return Promise.race([fresh, late]);
}

/** Files of the version that is asked for: kept, or from the net. A part has a name that no other version gives to something else, and asks for no version. */
async function answer(request: Request): Promise<Response> {
  const version = new URL(request.url).searchParams.get("v");
  const kept = await keptIn(version === null ? await versions().catch(() => [NAME]) : [PREFIX + version], request);
  return kept ?? fetch(request);
}

async function hasDigest(response: Response, digest: string): Promise<boolean> {
  const found = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(found)))}` === digest;
}

/** Fonts are kept once a label has needed them, by whichever version; what a host gives in the place of one is not. */
async function answerFont(request: Request, digest: string): Promise<Response> {
  const keep = (response: Response): Promise<void> => caches.open(NAME).then((cache) => cache.put(request, response)).catch(() => undefined); // no room: the next visit asks again
  for (const name of await versions().catch(() => [])) {
    const kept = await keptIn([name], request);
    if (!kept || !(await hasDigest(kept, digest))) continue;
    if (name !== NAME) await keep(kept.clone());
    return kept;
  }
  const response = await fetch(request);
  if (response.ok && (await hasDigest(response, digest))) await keep(response.clone());
  return response;
}

addEventListener("install", (event) => (event as LifeEvent).waitUntil(install()));
addEventListener("activate", (event) => (event as LifeEvent).waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  const name = new URL(request.url).pathname.slice(new URL(registration.scope).pathname.length);
  // Answers of the service are never kept.
  if (Object.hasOwn(PLATEN_FONTS, name)) respondWith.call(event, answerFont(request, PLATEN_FONTS[name]!));
  else if (name === "" || name === "index.html") respondWith.call(event, answerPage(request));
  else if (Object.hasOwn(PLATEN_FILES, name) || PART.test(name)) respondWith.call(event, answer(request));
});
