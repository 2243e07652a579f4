// The worker's side of a worker engine: one engine, one call after the other.
import { Engine } from "./engine.js";
import { PlatenError } from "./errors.js";
import { loadBytes, loadModule } from "./load.js";
import { BUILD, FONT_MILLISECONDS, type Answer, type Call, type CallMessage, type StartMessage } from "./protocol.js";
import type { Description, Font, Rendered } from "./types.js";

type Post = (answer: Answer, transfer: ArrayBuffer[]) => void;

let engine: Engine | undefined;
let fontFolder: string | undefined;
/** Files that could not be loaded, and when they are asked for again: the net may be back. */
const unavailable = new Map<string, number>();
const RETRY_MILLISECONDS = 30_000;

function carryOut(made: Engine, call: Call): unknown {
  switch (call.name) {
    case "render":
      return made.render(call.zpl, call.options);
    case "renderAll":
      return made.renderAll(call.zpl, call.options);
    case "describe":
      return made.describe(call.zpl, call.options);
    case "commands":
      return made.commands();
    case "printerModels":
      return made.printerModels();
    case "addFonts":
      return made.addFonts(call.fonts);
  }
}

function missingIn(value: unknown): string[] {
  const answers = Array.isArray(value) ? (value as Rendered[]) : [value as Rendered | Description | undefined];
  return [...new Set(answers.flatMap((answer) => answer?.missingFonts ?? []))].filter((name) => (unavailable.get(name) ?? 0) <= performance.now());
}

async function loadFonts(names: string[], folder: string): Promise<Font[]> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), FONT_MILLISECONDS);
  const loaded = await Promise.all(
    names.map(async (name) => {
      try {
        return { name, data: await loadBytes(new URL(encodeURIComponent(name), folder.endsWith("/") ? folder : `${folder}/`), controller.signal) };
      } catch {
        unavailable.set(name, performance.now() + RETRY_MILLISECONDS);
        return undefined;
      }
    }),
  );
  clearTimeout(timer);
  return loaded.filter((font) => font !== undefined);
}

/** One by one, so that a font for which there is no memory does not keep out the others. False: none was taken. */
function addLoaded(made: Engine, fonts: Font[]): boolean {
  let taken = false;
  for (const font of fonts) {
    try {
      if (made.addFonts([font]).length === 0) taken = true;
      else unavailable.set(font.name, performance.now() + RETRY_MILLISECONDS); // it was something else, such as the page of a proxy
    } catch {
      unavailable.set(font.name, Number.POSITIVE_INFINITY); // no memory: the picture without it is better than none
    }
  }
  return taken;
}

/** Draws again with the fonts that were missing, where there is a folder of them. */
async function answerTo(made: Engine, { id, call }: CallMessage, post: Post): Promise<unknown> {
  const value = carryOut(made, call);
  if (fontFolder === undefined || call.name === "commands" || call.name === "printerModels" || call.name === "addFonts") return value;
  const missing = missingIn(value);
  if (missing.length === 0) return value;
  post({ kind: "loading", id }, []);
  const fonts = await loadFonts(missing, fontFolder);
  if (fonts.length === 0) return value;
  post({ kind: "drawing", id }, []);
  return addLoaded(made, fonts) ? carryOut(made, call) : value;
}

function buffersOf(value: unknown): ArrayBuffer[] {
  const answers = Array.isArray(value) ? (value as Rendered[]) : [value as Rendered | undefined];
  return [...new Set(answers.map((answer) => answer?.data).filter((data) => data instanceof Uint8Array).map((data) => data.buffer))];
}

let queue: Promise<void> = Promise.resolve();

function receive(message: StartMessage | CallMessage, post: Post): void {
  queue = queue.then(async () => {
    if (message.kind === "start") {
      fontFolder = message.fontFolder;
      try {
        if (message.build !== BUILD) throw new PlatenError("load", "The page and its worker are of different versions. Load the page again.");
        const module = await loadModule(message.module);
        engine = new Engine(module, message.limits, message.fonts);
        post({ kind: "started", module }, []);
      } catch (error) {
        post({ kind: "failed", code: error instanceof PlatenError ? error.code : "load", message: error instanceof Error ? error.message : String(error) }, []);
      }
      return;
    }
    try {
      const value = await answerTo(engine!, message, post);
      post({ kind: "answer", id: message.id, value }, buffersOf(value));
    } catch (error) {
      const code = error instanceof PlatenError ? error.code : "bug";
      post({ kind: "error", id: message.id, code, message: error instanceof Error ? error.message : String(error) }, []);
    }
  });
}

interface Port {
  on(event: "message", listener: (data: StartMessage | CallMessage) => void): void;
  postMessage(data: unknown, transfer: ArrayBuffer[]): void;
}

if (typeof self === "object" && typeof self.postMessage === "function") {
  self.addEventListener("message", (event: MessageEvent<StartMessage | CallMessage>) => receive(event.data, (answer, transfer) => self.postMessage(answer, { transfer })));
} else {
  const name = "node:worker_threads";
  // Not awaited: bundlers refuse a worker that waits at its top level, unless they are told otherwise.
  void (import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<{ parentPort: Port }>).then(({ parentPort }) =>
    parentPort.on("message", (data) => receive(data, (answer, transfer) => parentPort.postMessage(answer, transfer))),
  );
}
