// What callers give, checked before anything is done with it: a wrong argument is told as `invalid`, and never as a fault of a label.
import { PlatenError } from "./errors.js";
import type { Font, Format, LabelOptions, Limits, Zpl } from "./types.js";

const encoder = new TextEncoder();
const LIMIT_NAMES: readonly (keyof Limits)[] = [
  "inputBytes", "labels", "dotsPerLabel", "decodedGraphics", "storedBytes", "arenaBytes", "elementsPerLabel", "diagnostics",
  "memoryBytes", "keepBytes", "milliseconds",
];

function invalid(message: string): PlatenError {
  return new PlatenError("invalid", message);
}

/** Bytes of what is an ArrayBuffer or a view of one; undefined for anything else, and for bytes that were transferred to somebody else. */
function viewOf(value: unknown): Uint8Array | undefined {
  try {
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
  } catch {
    return undefined;
  }
}

export function codeBytes(zpl: Zpl): Uint8Array {
  const bytes = typeof zpl === "string" ? encoder.encode(zpl) : viewOf(zpl);
  if (!bytes) throw invalid("The label code must be a string or bytes (Uint8Array).");
  return bytes;
}

/** `null` is what people write who have no options. */
export function optionsOf<Options extends object>(given: Options | null | undefined): Options {
  if (given === undefined || given === null) return {} as Options;
  if (typeof given !== "object") throw invalid("The options must be an object.");
  return given;
}

export function fontsOf(fonts: readonly Font[]): Font[] {
  if (!Array.isArray(fonts)) throw invalid("Fonts must be an array.");
  return fonts.map((font: Partial<Font> | null | undefined) => {
    const data = viewOf(font?.data);
    if (typeof font?.name !== "string" || font.name === "" || !data) throw invalid("A font must have a name and its bytes as data.");
    return { name: font.name, data: data.slice() }; // the engine needs it longer than its owner may keep it
  });
}

export function limitsOf(limits: Limits): Limits {
  const given = optionsOf(limits) as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    if (!(LIMIT_NAMES as readonly string[]).includes(name)) throw invalid(`There is no limit ${name}.`);
    if (value !== undefined && !(typeof value === "number" && value >= 0)) throw invalid(`limits.${name} must be a number from 0; Infinity is one.`);
  }
  return { ...limits };
}

export function oneOf<Value>(name: string, value: Value | undefined, allowed: readonly Value[]): Value | undefined {
  if (value !== undefined && !allowed.includes(value)) throw invalid(`${name} must be one of ${allowed.join(", ")}.`);
  return value;
}

export function pageOf(value: number | undefined): number {
  const page = value ?? 0;
  if (!Number.isInteger(page) || page < 0) throw invalid("page must be a whole number from 0.");
  return Math.min(page, 2 ** 31 - 1); // there are never so many
}

/** Options that are no controls, and those that the engine obeys itself. */
const OWN_OPTIONS = new Set(["format", "page", "png", "signal"]);

/** The controls as JSON: bridge.c reads them by the table that the service has, and refuses with its sentences. */
export function controlsOf(options: LabelOptions, format: Format): string {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || OWN_OPTIONS.has(name)) continue; // absent, as in the service's JSON
    const kind = typeof value;
    if (kind === "number" && !Number.isFinite(value)) throw invalid(`'${name}' must not be ${String(value)}.`);
    if (kind === "bigint" || kind === "function" || kind === "symbol") throw invalid(`'${name}' must not be a ${kind}.`);
    given[name] = kind === "object" ? (Array.isArray(value) ? [] : {}) : value; // of no control: the table says so
  }
  return JSON.stringify({ ...given, format: format === "rgba" || format === "gray" ? "png" : format });
}
