// How the value is computed: equation, constants, source, both ratings, range, and how much it changes around the point.
import { html } from "./dom";
import { dryFromWet, humidity, moistureWet, type Catalog, type ConstantSet, type Lang, type Result, type Unit } from "./model";
import type { Strings } from "./strings";

export interface HowInput {
  catalog: Catalog;
  set: ConstantSet;
  result: Result;
  unit: Unit;
  lang: Lang;
  words: Strings;
}

function signed(change: number, decimal: string): string {
  const rounded = Math.round(change * 100) / 100;
  return `${rounded < 0 ? "−" : "+"}${Math.abs(rounded).toFixed(2).replace(".", decimal)}`;
}

/** Two decimals with the language's mark. The scores come from the server with two decimals: nothing is rounded here. */
function twoDecimals(value: number, decimal: string): string {
  return value.toFixed(2).replace(".", decimal);
}

/** A constant as one writes it: 1.9677, or 6.6612 × 10⁻⁵ when it is very small. */
function constant(value: number, decimal: string): string {
  if (Math.abs(value) >= 1e-4) return String(value).replace(".", decimal);
  const [mantissa, exponent] = value.toExponential().split("e-");
  const raised = [...exponent!].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${mantissa!.replace(".", decimal)} × 10⁻${raised}`;
}

export function buildHow({ catalog, set, result, unit, lang, words }: HowInput): HTMLElement {
  const equation = catalog.equations.find((e) => e.id === set.equation)!;
  const rows: [string, (Node | string)[]][] = [
    [words.equation, [html("span", {}, equation.name[lang]), html("code", {}, result.find === "ur" ? equation.humidity : equation.moisture), html("small", {}, words.symbols)]],
    [words.constants, [html("code", {}, ...Object.entries(set.constants).map(([name, value]) => html("span", {}, `${name} = ${constant(value, words.decimal)}`)))]],
    [words.curve, [catalog.curves[set.curve]![lang]]],
    [words.source, [set.source[lang]]],
    [words.traced, [html("b", { class: "grade" }, set.confidence), ` ${catalog.confidences[set.confidence]![lang]}`]],
    [words.agrees, [catalog.agreements[set.agreement]![lang] + (set.published.mean === undefined ? "" : words.distance(twoDecimals(set.published.mean, words.decimal), set.published.points))]],
    [words.range, [words.rangeOf(set.range, set.rangeFrom)]],
  ];
  if (result.known) {
    const degree = unit === "F" ? 5 / 9 : 1;
    const inverse = result.find === "ur";
    const value = (taC: number, given: number): number =>
      inverse ? 100 * humidity(set, taC, dryFromWet(given)) : moistureWet(set, taC, given);
    const given = inverse ? result.moisture : result.ur;
    const change = value(result.taC, given + 0.5) - value(result.taC, given - 0.5);
    const warmth = value(result.taC + degree / 2, given) - value(result.taC - degree / 2, given);
    const perGiven = inverse ? words.perMoisture(signed(change, words.decimal)) : words.perHumidity(change, signed(change, words.decimal));
    if (Number.isFinite(change) && Number.isFinite(warmth))
      rows.push([words.sensitivity, [html("span", {}, perGiven), html("span", {}, words.perDegree(result.find, warmth, signed(warmth, words.decimal), unit))]]);
  }
  return html("dl", {}, ...rows.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, ...value))));
}
