// Numbers, lengths and sizes of files as people read them.
import { mmToUnit, trimNumber, type LengthUnit } from "../model/units";
import { withDecimalSign } from "./language";

/** Without trailing zeros: 101.6, in German 101,6. */
export function shownNumber(value: number, decimals: number): string {
  return withDecimalSign(trimNumber(value, decimals));
}

export function formatLength(mm: number, unit: LengthUnit, decimals = unit === "mm" ? 1 : 2): string {
  return shownNumber(mmToUnit(mm, unit), decimals);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${shownNumber(bytes / 1000, 1)} kB`;
  return `${shownNumber(bytes / 1_000_000, 1)} MB`;
}
