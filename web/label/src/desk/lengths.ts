// A length of the label in all three units, as the page writes it.
import { dotsToMm, MM_PER_INCH, trimNumber } from "../model/units";
import { sayCount } from "../ui/language";
import { shownNumber } from "../ui/numbers";

export interface LengthInUnits {
  dots: string;
  mm: string;
  inches: string;
}

export function inUnits(dots: number, dpmm: number): LengthInUnits {
  const mm = dotsToMm(dots, dpmm);
  return { dots: shownNumber(dots, 1), mm: shownNumber(mm, 2), inches: shownNumber(mm / MM_PER_INCH, 3) };
}

/** "120 dots, 15.02 mm, 0.591 in" */
export function threeUnits(dots: number, dpmm: number): string {
  const { dots: count, mm, inches } = inUnits(dots, dpmm);
  return sayCount("{dots} dot, {mm} mm, {inches} in", "{dots} dots, {mm} mm, {inches} in", Number(trimNumber(dots, 1)), { dots: count, mm, inches });
}
