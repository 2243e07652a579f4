// What the user can set about a rendering: type, defaults, presets, and reading settings from somewhere untrusted.
import { MM_PER_INCH, type LengthUnit } from "./units";

export type Rotation = 0 | 90 | 180 | 270;
export type Shades = "bitonal" | "grayscale";
/** Whose picture: the reference renderer's, a printer's, or the latter with its differences from the former. */
export type Profile = "reference" | "printer" | "compare";

export interface RenderSettings {
  widthMm: number;
  heightMm: number;
  dpmm: number;
  rotation: Rotation;
  quality: Shades;
  profile: Profile;
  /** What a printer of this model would not print is a finding; "none": of no model in particular. */
  printerModel: string;
  unit: LengthUnit;
  /** Every barcode is read back from the label's dots. */
  verify: boolean;
}

export const DEFAULT_SETTINGS: RenderSettings = {
  widthMm: 101.6,
  heightMm: 152.4,
  dpmm: 8,
  rotation: 0,
  quality: "bitonal",
  profile: "reference",
  printerModel: "none",
  unit: "mm",
  verify: false,
};

export interface SizePreset {
  id: string;
  name: string;
  widthMm: number;
  heightMm: number;
  group: "Inches" | "Millimetres";
}

function inches(width: number, height: number): SizePreset {
  return {
    id: `${width}x${height}in`,
    name: `${width} × ${height} in`,
    widthMm: width * MM_PER_INCH,
    heightMm: height * MM_PER_INCH,
    group: "Inches",
  };
}

function millimetres(width: number, height: number, name = `${width} × ${height} mm`): SizePreset {
  return { id: `${width}x${height}mm`, name, widthMm: width, heightMm: height, group: "Millimetres" };
}

export const SIZE_PRESETS: readonly SizePreset[] = [
  inches(4, 8),
  inches(4, 6),
  inches(4, 4),
  inches(4, 3),
  inches(4, 2),
  inches(3, 2),
  inches(3, 1),
  inches(2.25, 1.25),
  inches(2, 1),
  millimetres(105, 148, "A6, 105 × 148 mm"),
  millimetres(100, 150),
  millimetres(100, 100),
  millimetres(100, 50),
  millimetres(74, 105, "A7, 74 × 105 mm"),
  millimetres(70, 40),
  millimetres(57, 32),
  millimetres(50, 25),
];

export const DENSITIES: readonly { dpmm: number; name: string }[] = [
  { dpmm: 6, name: "6 dpmm (152 dpi)" },
  { dpmm: 8, name: "8 dpmm (203 dpi)" },
  { dpmm: 12, name: "12 dpmm (304 dpi)" },
  { dpmm: 24, name: "24 dpmm (609 dpi)" },
];

export const MIN_SIZE_MM = 1;
export const MAX_SIZE_MM = 2000;

export function matchingPreset(widthMm: number, heightMm: number): SizePreset | undefined {
  return SIZE_PRESETS.find(
    (preset) => Math.abs(preset.widthMm - widthMm) < 0.006 && Math.abs(preset.heightMm - heightMm) < 0.006,
  );
}

/** A size the user typed: decimal point or comma. Undefined when it is not a usable length. */
export function parseSize(text: string): number | undefined {
  const normal = text.trim().replace(",", ".");
  if (!/^\d+(\.\d+)?$|^\.\d+$/.test(normal)) return undefined;
  const value = Number(normal);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

function boundedNumber(value: unknown, least: number, most: number): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= least && value <= most ? value : undefined;
}

/** Settings out of a link or the browser's store: whatever is missing or wrong takes its default. */
export function readSettings(value: unknown): RenderSettings {
  const settings = { ...DEFAULT_SETTINGS };
  if (typeof value !== "object" || value === null) return settings;
  const given = value as Record<string, unknown>;
  settings.widthMm = boundedNumber(given["widthMm"], MIN_SIZE_MM, MAX_SIZE_MM) ?? settings.widthMm;
  settings.heightMm = boundedNumber(given["heightMm"], MIN_SIZE_MM, MAX_SIZE_MM) ?? settings.heightMm;
  settings.dpmm = boundedNumber(given["dpmm"], 1, 48) ?? settings.dpmm;
  const rotation = given["rotation"];
  if (rotation === 0 || rotation === 90 || rotation === 180 || rotation === 270) settings.rotation = rotation;
  if (given["quality"] === "grayscale") settings.quality = "grayscale";
  const profile = given["profile"];
  if (profile === "printer" || profile === "compare") settings.profile = profile;
  const model = given["printerModel"];
  if (typeof model === "string" && /^[a-z0-9-]{1,40}$/.test(model)) settings.printerModel = model;
  if (given["unit"] === "in") settings.unit = "in";
  settings.verify = given["verify"] === true;
  return settings;
}
