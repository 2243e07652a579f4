// Getting the module: from wherever it is, in a browser, a worker or node.
import { PlatenError } from "./errors.js";
import type { ModuleSource } from "./types.js";

/** Bytes of a file: URL in node, where fetch does not read files. */
async function readFileUrl(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const name = "node:fs/promises"; // a variable, so that bundlers for the browser do not look for it
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return readFile(url);
}

async function fetched(url: URL | string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url, signal ? { signal } : {});
  if (!response.ok) throw new PlatenError("load", `${String(url)} could not be loaded: the answer was ${response.status}.`);
  return response;
}

/** Bytes of what is at an address. */
export async function loadBytes(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return url.protocol === "file:" ? await readFileUrl(url) : new Uint8Array(await (await fetched(url, signal)).arrayBuffer());
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError("load", `${url.href} could not be loaded.`, { cause });
  }
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  // Servers that do not know the type of .wasm are no reason to fail.
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("application/wasm") && typeof WebAssembly.compileStreaming === "function") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

export async function loadModule(given: ModuleSource | Promise<ModuleSource>): Promise<WebAssembly.Module> {
  const source = await given;
  if (source instanceof WebAssembly.Module) return source;
  try {
    if (typeof Response === "function" && source instanceof Response) return await compileResponse(source);
    if (source instanceof URL || typeof source === "string") {
      const base = typeof location === "object" ? location.href : import.meta.url;
      const url = new URL(source, base);
      if (url.protocol === "file:") return await WebAssembly.compile(await readFileUrl(url));
      return await compileResponse(await fetched(url));
    }
    return await WebAssembly.compile(source as BufferSource);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError("load", "The renderer's module could not be loaded.", { cause });
  }
}
