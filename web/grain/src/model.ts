// The calculation as the server does it: the same equations, the same rounding, the same bounds. Tests compare the two.

export type Lang = "en" | "pt";
export type Pair = Record<Lang, string>;
export type Unit = "C" | "F";

export interface ConstantSet {
  id: string;
  default: boolean;
  equation: string;
  variant: Pair | null;
  constants: { A: number; B: number; C: number };
  standard: string;
  source: Pair;
  confidence: string;
  pole: number | null;
}

export interface Grain {
  id: string;
  name: Pair;
  range: { ta: { min: number; max: number }; ur: { min: number; max: number } };
  sets: ConstantSet[];
}

export interface Catalog {
  grains: Grain[];
  equations: { id: string; name: Pair; moisture: string; humidity: string }[];
  confidences: Record<string, Pair>;
}

export const TA_MIN = -30;
export const TA_MAX = 80;
export const POLE_MARGIN = 25;
/** What one decimal shows as 100.0 % wet basis is water. */
export const WET_END = 99.95;

export function celsius(fahrenheit: number): number {
  return ((fahrenheit - 32) * 5) / 9;
}

export function fahrenheit(degrees: number): number {
  return (degrees * 9) / 5 + 32;
}

export function wetFromDry(dry: number): number {
  return (100 * dry) / (100 + dry);
}

/** Moisture in percent dry basis; NaN when there is no finite, positive answer. */
export function moistureDry(set: ConstantSet, ta: number, r: number): number {
  if (!(r > 0 && r < 1) || (set.pole !== null && !(ta > set.pole))) return NaN;
  const { A, B, C } = set.constants;
  let m = NaN;
  switch (set.equation) {
    case "modified-henderson":
      m = Math.pow(-Math.log1p(-r) / (A * (ta + C)), 1 / B);
      break;
    case "modified-chung-pfost":
      m = -Math.log((-(ta + C) * Math.log(r)) / A) / B;
      break;
    case "modified-halsey":
      m = Math.pow(-Math.exp(A + B * ta) / Math.log(r), 1 / C);
      break;
    case "modified-oswin":
      m = (A + B * ta) * Math.pow(r / (1 - r), 1 / C);
      break;
  }
  return Number.isFinite(m) && m > 0 ? m : NaN;
}

/** Moisture in percent wet basis from °C and percent. */
export function moistureWet(set: ConstantSet, ta: number, ur: number): number {
  return wetFromDry(moistureDry(set, ta, ur / 100));
}

/** One decimal, rounded half away from zero; a value within one part in 2^50 of a half counts as the half. */
export function fixed1(value: number): string {
  if (!Number.isFinite(value)) return "";
  const scaled = Math.abs(value) * 10;
  const whole = Math.floor(scaled);
  const units = whole + (scaled - whole + scaled * 2 ** -50 >= 0.5 ? 1 : 0);
  const sign = value < 0 && units !== 0 ? "-" : "";
  return `${sign}${Math.floor(units / 10)}.${units % 10}`;
}

/** The number in a text with a decimal point or comma, or NaN. */
export function parseNumber(text: string): number {
  const trimmed = text.trim();
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed.replace(",", ".")) : NaN;
}

export type Problem = "missing" | "number" | "range" | "pole" | "none";

export interface Result {
  ta: number; // as typed
  taC: number;
  ur: number;
  moisture: number; // wet basis, percent; NaN when something is wrong
  dry: number;
  taProblem: Problem | null;
  urProblem: Problem | null;
  outOfRange: { ta: boolean; ur: boolean };
  nearPole: boolean;
}

export function calculate(grain: Grain, set: ConstantSet, taText: string, urText: string, unit: Unit): Result {
  const ta = parseNumber(taText);
  const taC = unit === "F" ? celsius(ta) : ta;
  const ur = parseNumber(urText);
  let taProblem: Problem | null = null;
  if (taText.trim() === "") taProblem = "missing";
  else if (Number.isNaN(ta)) taProblem = "number";
  else if (!(taC >= TA_MIN && taC <= TA_MAX)) taProblem = "range";
  else if (set.pole !== null && !(taC > set.pole)) taProblem = "pole";
  let urProblem: Problem | null = null;
  if (urText.trim() === "") urProblem = "missing";
  else if (Number.isNaN(ur)) urProblem = "number";
  else if (!(ur > 0 && ur < 100)) urProblem = "range";
  let dry = NaN;
  if (taProblem === null && urProblem === null) {
    dry = moistureDry(set, taC, ur / 100);
    const wet = wetFromDry(dry);
    if (!(wet < WET_END)) {
      urProblem = "none";
      dry = NaN;
    }
  }
  return {
    ta,
    taC,
    ur,
    moisture: wetFromDry(dry),
    dry,
    taProblem,
    urProblem,
    outOfRange: {
      ta: !(taC >= grain.range.ta.min && taC <= grain.range.ta.max),
      ur: !(ur >= grain.range.ur.min && ur <= grain.range.ur.max),
    },
    nearPole: set.pole !== null && taC - set.pole < POLE_MARGIN,
  };
}
