// How the page of the printers asks the service: with the API key that the label editor of this browser uses, where one is set.
import { preferences } from "../../src/actions/preferences";

/** The service wants an API key, or another one. */
export class KeyNeeded extends Error {}

let apiKey = preferences.get("apiKey") ?? "";

export function useKey(key: string): void {
  apiKey = key;
  preferences.set("apiKey", key === "" ? null : key);
}

export async function ask(url: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  if (apiKey !== "") headers.set("X-API-Key", apiKey);
  const response = await fetch(url, { ...options, headers, credentials: "same-origin", cache: "no-store" });
  if (response.ok) return response;
  const text = ((await response.json().catch(() => ({}))) as { error?: string }).error ?? response.statusText;
  throw response.status === 401 ? new KeyNeeded(text) : new Error(text);
}

export const getJson = async <T>(url: string, options?: RequestInit): Promise<T> => (await (await ask(url, options)).json()) as T;

/** Without a key the browser fetches pictures itself, when they come into sight. With one it cannot. */
const inSight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inSight.unobserve(target);
    void fetchPicture(target as HTMLImageElement);
  }
}, { rootMargin: "400px" });

async function fetchPicture(image: HTMLImageElement): Promise<void> {
  const url = image.dataset["from"];
  const blob = url === undefined ? undefined : await ask(url).then((response) => response.blob()).catch(() => undefined);
  if (!blob) return;
  const local = URL.createObjectURL(blob);
  image.addEventListener("load", () => URL.revokeObjectURL(local), { once: true });
  image.src = local;
}

export function setPicture(image: HTMLImageElement, url: string): void {
  if (apiKey === "") {
    image.src = url;
    return;
  }
  image.dataset["from"] = url;
  inSight.observe(image);
}

/** A link that saves a file of the service. */
export function setDownload(link: HTMLAnchorElement, url: string, name: string, failed: (error: Error) => void): void {
  link.href = url;
  link.download = name;
  link.addEventListener("click", (event) => {
    if (apiKey === "" || link.href.startsWith("blob:")) return;
    event.preventDefault();
    ask(url).then((response) => response.blob()).then((blob) => {
      const local = make(blob, name);
      local.click();
      setTimeout(() => URL.revokeObjectURL(local.href), 60_000); // some browsers read it later
    }).catch(failed);
  });
}

function make(blob: Blob, name: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  return link;
}

export interface Listener {
  opened(): void;
  event(name: string, data: string): void;
  failed(error: Error): void;
}

const AGAIN_MS = 2000;
let connection = 0;

/** Server-sent events. EventSource sends no key; this does, and comes again as that would. Ends what listened before. */
export async function listen(url: string, to: Listener): Promise<void> {
  const own = ++connection;
  while (own === connection) {
    try {
      const response = await ask(url, { headers: { Accept: "text/event-stream" } });
      if (own !== connection) return void response.body?.cancel();
      to.opened();
      await read(response, (name, data) => { if (own === connection) to.event(name, data); });
      throw new Error("The service does not answer; trying again …");
    } catch (error) {
      if (own !== connection) return;
      to.failed(error as Error);
      if (error instanceof KeyNeeded) return; // until there is another key
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function read(response: Response, each: (name: string, data: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    const events = (rest + piece.value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const lines = event.split("\n");
      const field = (name: string) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, "")).join("\n");
      if (field("data") !== "") each(field("event") || "message", field("data"));
    }
  }
}
