// What the page's side and the worker's side of a worker engine say to each other.
import type { PlatenErrorCode } from "./errors.js";
import type { DescribeOptions, Font, Limits, RenderOptions, Zpl } from "./types.js";

export interface StartMessage {
  kind: "start";
  /** The module, or where it is: then the worker compiles it, and a page's policy need not allow that. */
  module: WebAssembly.Module | string;
  limits: Limits;
  fonts: Font[];
  /** Folder of the font files that are loaded when a label needs them. */
  fontFolder: string | undefined;
  /** Which build the page's side is of. */
  build: string;
}

/** Set by a bundle whose two sides may come from different versions of a site; "" elsewhere. */
declare const PLATEN_BUILD: string;
export const BUILD = typeof PLATEN_BUILD === "string" ? PLATEN_BUILD : "";

/** The worker waits for fonts so long, then draws without them. */
export const FONT_MILLISECONDS = 20_000;

export type Call =
  | { name: "render"; zpl: Zpl; options: RenderOptions }
  | { name: "renderAll"; zpl: Zpl; options: RenderOptions }
  | { name: "describe"; zpl: Zpl; options: DescribeOptions }
  | { name: "commands" }
  | { name: "printerModels" }
  | { name: "addFonts"; fonts: Font[] };

export interface CallMessage {
  kind: "call";
  id: number;
  call: Call;
}

export type Answer =
  | { kind: "started"; module: WebAssembly.Module }
  | { kind: "failed"; code: PlatenErrorCode; message: string }
  /** Fonts are on their way; the time limit is not for them. */
  | { kind: "loading"; id: number }
  | { kind: "drawing"; id: number }
  | { kind: "answer"; id: number; value: unknown }
  | { kind: "error"; id: number; code: PlatenErrorCode; message: string };
