// The calculation as the server does it: the same equations, the same rounding, the same bounds. Tests compare the two.

export type Lang = "en" | "pt" | "es";
/** A text in every language. */
export type Texts = Record<Lang, string>;
export type Unit = "C" | "F";

export function langOf(text: string): Lang {
  return text === "pt" || text === "es" ? text : "en";
}

export interface ConstantSet {
  id: string;
  default: boolean;
  equation: string;
  variant: Texts | null;
  constants: { A: number; B: number; C: number };
  standard: string;
  source: Texts;
  confidence: string;
  agreement: string;
  published: { points: number; sources: number; mean?: number; worst?: number };
  trusted: boolean;
  kind: string | null;
  curve: string;
  range: Range;
  rangeFrom: RangeFrom;
  /** Humidities where it counts in the spread. */
  spreadRange: { min: number; max: number };
  pole: number | null;
}

/** Who says where a set holds: its source, this service, or measured grain. */
export type RangeFrom = "source" | "service" | "measured";

export interface Range {
  ta: { min: number; max: number };
  ur: { min: number; max: number };
}

export interface Grain {
  id: string;
  name: Texts;
  sets: ConstantSet[];
}

export interface Catalog {
  grains: Grain[];
  equations: { id: string; name: Texts; moisture: string; humidity: string }[];
  confidences: Record<string, Texts>;
  curves: Record<string, Texts>;
  agreements: Record<string, Texts>;
}

export const TA_MIN = -30;
export const TA_MAX = 80;
export const POLE_MARGIN = 25;
/** Degrees Fahrenheit are no whole multiples of a double's last bit in Celsius: so near to the pole is at the pole. */
const CONVERSION_ERROR = 1e-9;

export function celsius(fahrenheit: number): number {
  return ((fahrenheit - 32) * 5) / 9;
}

export function fahrenheit(degrees: number): number {
  return (degrees * 9) / 5 + 32;
}

export function wetFromDry(dry: number): number {
  return (100 * dry) / (100 + dry);
}

export function dryFromWet(wet: number): number {
  return (100 * wet) / (100 - wet);
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

/** Relative humidity (0 to 1) from moisture in percent dry basis; NaN when none between 0 and 1 belongs to it. */
export function humidity(set: ConstantSet, ta: number, moisture: number): number {
  if (!(moisture > 0 && Number.isFinite(moisture)) || (set.pole !== null && !(ta > set.pole))) return NaN;
  const { A, B, C } = set.constants;
  let r = NaN;
  switch (set.equation) {
    case "modified-henderson":
      r = -Math.expm1(-A * (ta + C) * Math.pow(moisture, B));
      break;
    case "modified-chung-pfost":
      r = Math.exp((-A / (ta + C)) * Math.exp(-B * moisture));
      break;
    case "modified-halsey":
      r = Math.exp(-Math.exp(A + B * ta) * Math.pow(moisture, -C));
      break;
    case "modified-oswin":
      if (A + B * ta > 0) r = 1 / (Math.pow((A + B * ta) / moisture, C) + 1);
      break;
  }
  return r > 0 && r < 1 ? r : NaN;
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

/** What the trustworthy sets of the same kind of grain answer, the chosen one among them. */
export interface Spread {
  low: number;
  high: number;
  sets: number;
}

/** The highest humidity that one decimal can show. */
const HIGHEST = 99.9;

/** What one set answers: moisture (wet basis) from humidity, or humidity from moisture; NaN: nothing that could be told. */
function valueOf(set: ConstantSet, taC: number, given: number, find: Find): number {
  if (find === "moisture") return moistureWet(set, taC, given);
  const dry = dryFromWet(given);
  const ur = 100 * humidity(set, taC, dry);
  if (ur >= 0.05 && ur < 99.95) return ur;
  // Grain too moist for any humidity that could be told is still the case to be warned of.
  return dry >= moistureDry(set, taC, 0.99) ? HIGHEST : NaN;
}

/** Where measured grain contradicts a set, it says nothing about the others; grain that is too moist for any humidity still counts. */
function isSupported(set: ConstantSet, ur: number): boolean {
  return ur >= HIGHEST || (ur >= set.spreadRange.min && ur <= set.spreadRange.max);
}

export function spreadAt(grain: Grain, set: ConstantSet, taC: number, given: number, find: Find): Spread {
  const own = valueOf(set, taC, given, find);
  const spread: Spread = { low: own, high: own, sets: 1 };
  for (const other of grain.sets) {
    if (other === set || other.kind !== set.kind || other.curve !== set.curve || !other.trusted) continue;
    // Near its pole a set says nothing about the others.
    if (other.pole !== null && taC - other.pole < POLE_MARGIN) continue;
    const value = valueOf(other, taC, given, find);
    if (Number.isNaN(value) || !isSupported(other, find === "ur" ? value : given)) continue;
    spread.low = Math.min(spread.low, value);
    spread.high = Math.max(spread.high, value);
    spread.sets++;
  }
  return spread;
}

export type Problem = "missing" | "number" | "range" | "pole" | "none";
/** What is computed from the other: the moisture of the grain or the humidity of the air. */
export type Find = "moisture" | "ur";

export interface Result {
  find: Find;
  known: boolean;
  ta: number; // as typed
  taC: number;
  ur: number; // percent; as typed, or computed
  moisture: number; // wet basis, percent; as typed, or computed
  dry: number;
  taProblem: Problem | null;
  givenProblem: Problem | null; // of the humidity or the moisture that was typed
  outOfRange: { ta: boolean; ur: boolean };
  nearPole: boolean;
  likeFraction: boolean; // a humidity below 1 %: was 0.7 meant as 70?
  spread: Spread;
}

function problemOf(text: string, value: number, inBounds: boolean): Problem | null {
  if (text.trim() === "") return "missing";
  if (Number.isNaN(value)) return "number";
  return inBounds ? null : "range";
}

/** `given` is the text of the humidity or, to find the humidity, of the moisture. */
export function calculate(grain: Grain, set: ConstantSet, taText: string, given: string, unit: Unit, find: Find): Result {
  const ta = parseNumber(taText);
  const taC = unit === "F" ? celsius(ta) : ta;
  const value = parseNumber(given);
  let taProblem = problemOf(taText, ta, taC >= TA_MIN && taC <= TA_MAX);
  if (taProblem === null && set.pole !== null && !(taC > set.pole + (unit === "F" ? CONVERSION_ERROR : 0))) taProblem = "pole";
  let givenProblem = problemOf(given, value, value > 0 && value < 100);
  let ur = find === "ur" ? NaN : value;
  let dry = find === "ur" ? dryFromWet(value) : NaN;
  if (taProblem === null && givenProblem === null) {
    if (find === "ur") ur = 100 * humidity(set, taC, dry);
    else dry = moistureDry(set, taC, ur / 100);
    // What one decimal shows as 0.0 or 100.0 is no humidity that could be asked for.
    if (find === "ur" ? !(ur >= 0.05 && ur < 99.95) : !Number.isFinite(dry)) givenProblem = "none";
  }
  const known = taProblem === null && givenProblem === null;
  return {
    find,
    known,
    ta,
    taC,
    ur: known || find === "moisture" ? ur : NaN,
    moisture: find === "ur" ? value : known ? wetFromDry(dry) : NaN,
    dry: known ? dry : NaN,
    taProblem,
    givenProblem,
    outOfRange: {
      ta: !(taC >= set.range.ta.min && taC <= set.range.ta.max),
      ur: !(ur >= set.range.ur.min && ur <= set.range.ur.max),
    },
    nearPole: set.pole !== null && taC - set.pole < POLE_MARGIN,
    likeFraction: find === "moisture" && value <= 1,
    spread: known ? spreadAt(grain, set, taC, value, find) : { low: NaN, high: NaN, sets: 0 },
  };
}
