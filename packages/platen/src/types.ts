// What callers give and get. Names and values are those of the HTTP API (docs/javascript.md).

/**
 * Those of the service, and the dots without the time that a file takes: `rgba` for `new ImageData(new Uint8ClampedArray(data.buffer), widthPx, heightPx)`,
 * `gray` with one byte for each dot, 0 for black to 255 for white, row by row.
 */
export type Format = "png" | "jpeg" | "webp" | "rgba" | "gray" | "pdf" | "json" | "base64";
export type RuleSet = "none" | "default" | "gs1-retail" | "gs1-logistics" | "gs1-logistic-label" | "healthcare" | "ups" | "usps" | "fedex" | "dhl" | "amazon";
export type PrinterModel =
  | "none" | "zd411-203" | "zd411-300" | "zd421-203" | "zd421-300" | "zd621-203" | "zd621-300" | "zt230-203" | "zt230-300" | "zt231-203" | "zt231-300"
  | "zt411-203" | "zt411-300" | "zt411-600" | "zt421-203" | "zt421-300" | "zq610plus-203" | "zq620plus-203" | "zq630plus-203";

export interface LabelOptions {
  /** Width of the label in millimetres; 101.6 (4 inches) by default. */
  widthMm?: number;
  /** Height of the label in millimetres; 152.4 (6 inches) by default. */
  heightMm?: number;
  /** `auto`: the size that the labels were made for. A width or height that is given stays. */
  size?: "auto";
  /** Dots per millimetre, 1 to 48; 8 (203 dpi) by default. */
  dpmm?: number;
  /** Rotates the finished label clockwise, in degrees. */
  rotation?: 0 | 90 | 180 | 270;
  /** `bitonal`: the printer's dots. `grayscale`: smooth edges for screens. */
  quality?: "bitonal" | "grayscale";
  /** `reference` draws as Labelary does, `printer` as a printer of 203 dpi does. */
  profile?: "reference" | "printer";
  /** Language of the label code; by default it is recognised. */
  language?: "auto" | "zpl" | "epl" | "tspl" | "cpcl";
  /** `expand`: `^PQ` gives as many pages as the printer would print. `collapse`: one page with its number. */
  copies?: "expand" | "collapse";
  /** The printer's clock for `^FC`: "2026-11-15T09:30:00", or whole seconds since 1970. Default: now, UTC. */
  time?: string | number;
  /** Rule set for the checks of barcodes. */
  rules?: RuleSet;
  /** Warns about barcodes with narrower modules, in millimetres. */
  minModuleMm?: number;
  /** Reports what a printer of this model would not print: "zd621-203" and others (docs/fidelity.md). */
  printerModel?: PrinterModel;
  /** Reads barcodes back from the finished dots, as far as Platen's own readers can. */
  verify?: boolean;
}

export interface RenderOptions extends LabelOptions {
  /** `png` by default. `pdf`, `json` and `base64` hold all labels. */
  format?: Format;
  /** Which page, from 0: for png, jpeg, webp, rgba and gray. */
  page?: number;
  /** 1 to 100; 90 by default. */
  jpegQuality?: number;
}

export interface DescribeOptions extends LabelOptions {
  /** `false` leaves the PNG of each label out. */
  png?: boolean;
}

export interface Warning {
  code: string;
  severity: "error" | "warning" | "info";
  message: string;
  command?: string;
  offset: number;
  length: number;
  line: number;
  column: number;
  label?: number;
  /** What to change in the code, where there is just one sensible way; places are in bytes. */
  fix?: { title: string; edits: { offset: number; length: number; text: string }[] };
  [more: string]: unknown;
}

export interface Rendered {
  format: Format;
  mimeType: string;
  /** The file. For json and base64 it is UTF-8 text. */
  data: Uint8Array<ArrayBuffer>;
  /** Which page this is, from 0; 0 for formats that hold all. */
  page: number;
  /** How many pages the code has. */
  pages: number;
  /** Size of the page in dots, after rotation. */
  widthPx: number;
  heightPx: number;
  /** Size of the label in millimetres, before rotation: with `size: "auto"` the one that was found. */
  widthMm: number;
  heightMm: number;
  /** How many times this label is printed. */
  copies: number;
  /** What the renderer has to say of the label and of the code around it. */
  warnings: Warning[];
  /** Names of font files that the label needs and the engine does not have. The picture has boxes or other letters instead. */
  missingFonts: string[];
}

export interface DescribedLabel {
  index: number;
  copies: number;
  /** The PNG in base64, unless it was left out. */
  data?: string;
  elements: Record<string, unknown>[];
  warnings: Warning[];
  [more: string]: unknown;
}

/** The object that `POST /api/render/json` of the service gives; its OpenAPI document has every member. */
export interface Description {
  ok: true;
  language: string;
  widthMm: number;
  heightMm: number;
  dpmm: number;
  widthPx: number;
  heightPx: number;
  rotation: number;
  quality: string;
  count: number;
  labels: DescribedLabel[];
  warnings: Warning[];
  missingFonts: string[];
  [more: string]: unknown;
}

export interface Command {
  name: string;
  syntax: string;
  support: "full" | "partial" | "none";
  summary: string;
  note?: string;
  parameters: { name: string; type: string; [more: string]: unknown }[];
}

export interface PrinterModelInfo {
  name: Exclude<PrinterModel, "none">;
  /** "Zebra ZD621, 203 dpi" */
  title: string;
  dpmm: number;
  /** Dots in a row of its head. */
  headDots: number;
  /** Otherwise the nominal print width times the density. */
  headMeasured: boolean;
  /** The longest label in millimetres, where it is known. */
  longestMm?: number;
  /** There are units with an RFID encoder, or with a ribbon. */
  rfid: boolean;
  ribbon: boolean;
}

export interface Font {
  /** Name of the file, without its folder. */
  name: string;
  data: Uint8Array | ArrayBuffer;
}

/** Beyond these there is an error (`limit`, `memory`, `deadline`) or a warning; docs/library.md has the defaults of the first eight. */
export interface Limits {
  inputBytes?: number;
  labels?: number;
  dotsPerLabel?: number;
  decodedGraphics?: number;
  storedBytes?: number;
  arenaBytes?: number;
  elementsPerLabel?: number;
  diagnostics?: number;
  /** Memory of the instance, fonts included; 512 MiB by default. */
  memoryBytes?: number;
  /** An instance that has grown beyond this is replaced after the call, so that memory comes back; 96 MiB by default. */
  keepBytes?: number;
  /** Time of one call; 10,000 by default, 0: none. */
  milliseconds?: number;
}

export type ModuleSource = WebAssembly.Module | BufferSource | Response | URL | string;

export interface EngineOptions {
  /** The module, its bytes, or where it is. Default: `platen.wasm` beside this package's code. */
  wasm?: ModuleSource | Promise<ModuleSource>;
  fonts?: Font[];
  limits?: Limits;
}

/** Label code: text, which is sent as UTF-8, or bytes. */
export type Zpl = string | Uint8Array | ArrayBuffer;
