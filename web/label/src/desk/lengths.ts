// A length of the label in all three units, as the page writes it.
import { dotsToMm, MM_PER_INCH, trimNumber } from "../model/units";

export interface LengthInUnits {
  dots: string;
  mm: string;
  inches: string;
}

export function inUnits(dots: number, dpmm: number): LengthInUnits {
  const mm = dotsToMm(dots, dpmm);
  return { dots: trimNumber(dots, 1), mm: trimNumber(mm, 2), inches: trimNumber(mm / MM_PER_INCH, 3) };
}

/** "120 dots, 15.02 mm, 0.591 in" */
export function threeUnits(dots: number, dpmm: number): string {
  const { dots: count, mm, inches } = inUnits(dots, dpmm);
  return `${count} ${count === "1" ? "dot" : "dots"}, ${mm} mm, ${inches} in`;
}
