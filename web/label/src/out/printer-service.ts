// How pages ask the service about its virtual printers: lists, changes, and what happens as it happens.
import { preferences } from "../actions/preferences";
import { say } from "../ui/language";

/** The service wants an API key, or another one. */
export class KeyNeeded extends Error {}

let apiKey = preferences.get("apiKey") ?? "";

export function useKey(key: string): void {
  apiKey = key;
}

export function hasKey(): boolean {
  return apiKey !== "";
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

/** What a printer says of itself, in words. */
const STATES: Readonly<Record<string, string>> = {
  ready: say("ready"),
  printing: say("printing"),
  "head-open": say("head open"),
  "paper-out": say("paper out"),
  "ribbon-out": say("ribbon out"),
  paused: say("paused"),
  "buffer-full": say("buffer full"),
};

export interface PrinterState {
  name: string;
  state: string;
  labelsWaiting: number;
  printed: number;
}

export function isStopped({ state }: Pick<PrinterState, "state">): boolean {
  return !["ready", "printing"].includes(state);
}

export function stateWord({ state }: Pick<PrinterState, "state">): string {
  return STATES[state] ?? state;
}

/** "paper out · 2 waiting · 5 printed". */
export function stateInWords(printer: PrinterState): string {
  return [stateWord(printer), say("{count} waiting", { count: printer.labelsWaiting }), say("{count} printed", { count: printer.printed })].join(" · ");
}

export interface Listener {
  opened(): void;
  event(name: string, data: string): void;
  failed(error: Error): void;
}

const AGAIN_MS = 2000;

/** Server-sent events. EventSource sends no key; this does, and comes again as that would, until it is aborted. */
export async function listen(url: string, to: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await ask(url, { headers: { Accept: "text/event-stream" }, signal });
      to.opened();
      await read(response, (name, data) => { if (!signal.aborted) to.event(name, data); });
      throw new TypeError("the stream ended");
    } catch (error) {
      if (signal.aborted) return;
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
