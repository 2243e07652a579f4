// What callers give, checked before anything is done with it: a wrong argument is told as `invalid`, and never as a fault of a label.
import { PlatenError } from "./errors.js";
import type { Settings } from "./instance.js";
import type { Font, Format, LabelOptions, Limits, Zpl } from "./types.js";

const encoder = new TextEncoder();
/** The years 1 to 9999, as the service has it. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;
const RULE_SETS = ["none", "default", "gs1-retail", "gs1-logistics", "healthcare", "ups", "usps", "fedex", "dhl"] as const;
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

/** A time such as the service takes, in seconds since 1970. */
function secondsOf(time: string | number | undefined): number | undefined {
  if (time === undefined) return undefined;
  let seconds = Number.NaN;
  if (typeof time === "number") seconds = Math.floor(time);
  else if (typeof time === "string") {
    const parts = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2}))?)?[Zz]?$/.exec(time);
    const written = parts ? `${parts[1]}T${parts[2] ?? "00:00"}:${parts[3] ?? "00"}` : "";
    const date = new Date(`${written}Z`);
    // 31 February would be carried over to March.
    if (Number.isFinite(date.getTime()) && date.toISOString().startsWith(written)) seconds = date.getTime() / 1000;
  }
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) throw invalid("time must be such as 2026-11-15T09:30:00, or seconds since 1970.");
  return seconds;
}

export function oneOf<Value>(name: string, value: Value | undefined, allowed: readonly Value[]): Value | undefined {
  if (value !== undefined && !allowed.includes(value)) throw invalid(`${name} must be one of ${allowed.join(", ")}.`);
  return value;
}

/** 0: it was not given. */
export function numberOf(name: string, value: number | undefined): number {
  if (value === undefined) return 0;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) throw invalid(`${name} must be a number above 0.`);
  return value;
}

/** 0: it was not given. */
export function jpegQualityOf(value: number | undefined): number {
  if (value === undefined) return 0;
  if (!Number.isInteger(value) || value < 1 || value > 100) throw invalid("jpegQuality must be a whole number from 1 to 100.");
  return value;
}

export function pageOf(value: number | undefined): number {
  const page = value ?? 0;
  if (!Number.isInteger(page) || page < 0) throw invalid("page must be a whole number from 0.");
  return Math.min(page, 2 ** 31 - 1); // there are never so many
}

/** As the service does: elements are made and checked for json, and for who asks for it. */
export function settingsOf(options: LabelOptions, format: Format, milliseconds: number): Settings {
  const rules = oneOf("rules", options.rules, RULE_SETS);
  const verify = oneOf("verify", options.verify, [true, false]) === true;
  const checks = format === "json" || verify || rules !== undefined;
  oneOf("size", options.size, ["auto"] as const);
  return {
    widthMm: numberOf("widthMm", options.widthMm),
    heightMm: numberOf("heightMm", options.heightMm),
    dpmm: numberOf("dpmm", options.dpmm),
    grayscale: oneOf("quality", options.quality, ["bitonal", "grayscale"] as const) === "grayscale",
    printer: oneOf("profile", options.profile, ["reference", "printer"] as const) === "printer",
    rotation: oneOf("rotation", options.rotation, [0, 90, 180, 270] as const) ?? 0,
    fitSize: options.size === "auto",
    collapse: oneOf("copies", options.copies, ["expand", "collapse"] as const) === "collapse",
    time: secondsOf(options.time),
    elements: checks || format === "pdf" || options.minModuleMm !== undefined,
    verify,
    minModuleMm: numberOf("minModuleMm", options.minModuleMm),
    milliseconds,
    rules: checks ? rules : "none",
  };
}
