// An input with more labels than are drawn at once: the first of them are shown, and the page says so.
import { RenderFailure } from "../api";
import type { RenderResult } from "../model/result";
import type { RenderSettings } from "../model/settings";
import { LONG_TEXT, pause } from "../ui/pause";
import { prefixesAt } from "../zpl/locate";
import type { Renderer } from "./renderer";

/** Where the text ends that holds the first `most` formats; undefined where it has no more than that. */
export function endOfFormats(text: string, most: number): { end: number; formats: number } | undefined {
  const { format } = prefixesAt(text, text.length);
  const ends = /[^\s\w]XZ/gi;
  let formats = 0;
  let end = 0;
  for (let found = ends.exec(text); found; found = ends.exec(text)) {
    if (found[0][0] !== format && found[0][0] !== "^") continue;
    formats++;
    if (formats === most) end = ends.lastIndex;
  }
  return formats > most ? { end, formats } : undefined;
}

export const encoder = new TextEncoder();

export interface Drawn {
  result: RenderResult;
  /** Bytes that were drawn. */
  byteLength: number;
  /** Formats in the whole text, where only the first of them were drawn. */
  outOf: number | undefined;
}

export async function drawPreview(renderer: Renderer, text: string, settings: RenderSettings, signal: AbortSignal, findSize: boolean): Promise<Drawn> {
  if (text.length > LONG_TEXT) await pause();
  const bytes = encoder.encode(text);
  if (text.length > LONG_TEXT) await pause();
  try {
    return { result: await renderer.preview(bytes, settings, signal, findSize), byteLength: bytes.length, outOf: undefined };
  } catch (error) {
    const limit = error instanceof RenderFailure && error.kind === "too-large" ? /more than (\d+) labels/.exec(error.message) : null;
    const cut = limit ? endOfFormats(text, Number(limit[1])) : undefined;
    if (!cut) throw error;
    const first = encoder.encode(text.slice(0, cut.end));
    return { result: await renderer.preview(first, settings, signal, findSize), byteLength: bytes.length, outOf: cut.formats };
  }
}
