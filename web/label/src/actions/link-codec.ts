// Label and settings in a URL fragment: compressed where the browser can, and bounded when read back.
import { readSettings, type RenderSettings } from "../model/settings";

export interface SharedWork {
  zpl: string;
  name: string;
  settings: RenderSettings;
}

/** A link may inflate to no more than this: what it holds comes from strangers. */
export const MAX_SHARED_BYTES = 8 * 1024 * 1024;

const COMPRESSED = "z";
const PLAIN = "u";

export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("not base64url");
  return fromBase64(text);
}

/** Of either alphabet. By a loop: Uint8Array.from takes thirty times as long, which of megabytes is noticed. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      void reader.cancel();
      throw new Error("the link holds too much");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream();
}

function hasCompression(): boolean {
  // Some browsers have the streams without this form of them.
  try {
    return Boolean(new CompressionStream("deflate-raw")) && Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
}

/** The fragment without its "#". */
export async function encodeLink(work: SharedWork, compress = hasCompression()): Promise<string> {
  const { widthMm, heightMm, dpmm, rotation, quality, profile, printerModel, unit, verify } = work.settings;
  const body = { v: 1, n: work.name, s: { widthMm, heightMm, dpmm, rotation, quality, profile, printerModel, unit, verify }, z: work.zpl };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  if (!compress) return `${PLAIN}=${toBase64Url(bytes)}`;
  const packed = await collect(streamOf(bytes).pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  return `${COMPRESSED}=${toBase64Url(packed)}`;
}

/** Undefined: this fragment is not one of ours. Throws when it is, but cannot be read. */
export async function decodeLink(fragment: string): Promise<SharedWork | undefined> {
  const match = /^#?([zu])=(.*)$/s.exec(fragment);
  if (!match) return undefined;
  let bytes: Uint8Array = fromBase64Url(match[2] as string);
  if (match[1] === COMPRESSED) {
    if (!hasCompression()) throw new Error("this browser cannot unpack the link");
    bytes = await collect(
      streamOf(bytes as Uint8Array<ArrayBuffer>).pipeThrough(new DecompressionStream("deflate-raw")),
      MAX_SHARED_BYTES,
    );
  }
  if (bytes.length > MAX_SHARED_BYTES) throw new Error("the link holds too much");
  const body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Record<string, unknown> | null;
  if (typeof body !== "object" || body === null || typeof body["z"] !== "string") throw new Error("the link holds no label");
  return {
    zpl: body["z"],
    name: typeof body["n"] === "string" ? body["n"].slice(0, 200) : "",
    settings: readSettings(body["s"]),
  };
}
