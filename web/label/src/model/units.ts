// Millimetres, inches and dots: the arithmetic that the service uses, so that the page shows the same sizes.

export type LengthUnit = "mm" | "in";

export const MM_PER_INCH = 25.4;

/** Nominal print heads: what is sold as 8 dots per millimetre has 203 dots per inch. */
const HEAD_DPI: Readonly<Record<number, number>> = { 6: 152, 8: 203, 12: 304, 24: 609 };

export function dotsPerMm(dpmm: number): number {
  const dpi = HEAD_DPI[dpmm];
  return dpi === undefined ? dpmm : dpi / MM_PER_INCH;
}

export function dotsPerInch(dpmm: number): number {
  return HEAD_DPI[dpmm] ?? Math.round(dpmm * MM_PER_INCH);
}

/** Whole dots of a length, rounded as the service rounds. */
export function mmToDots(mm: number, dpmm: number): number {
  const dpi = HEAD_DPI[dpmm];
  return dpi === undefined ? Math.round(mm * dpmm) : Math.floor((mm / MM_PER_INCH) * dpi + 0.001);
}

export function dotsToMm(dots: number, dpmm: number): number {
  return dots / dotsPerMm(dpmm);
}

export function mmToUnit(mm: number, unit: LengthUnit): number {
  return unit === "mm" ? mm : mm / MM_PER_INCH;
}

export function unitToMm(value: number, unit: LengthUnit): number {
  return unit === "mm" ? value : value * MM_PER_INCH;
}

/** A number without trailing zeros: 101.6, 4, 0.25. */
export function trimNumber(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
