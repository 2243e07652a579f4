// What is known about one element: as the card beside the pointer and as the inspector's content.
import type { LabelElement, Reading } from "../model/result";
import { dotsToMm, mmToUnit, type LengthUnit } from "../model/units";
import { el, type Child } from "../ui/dom";
import { icon } from "../ui/icons";
import { say, sayCount } from "../ui/language";
import { shownNumber } from "../ui/numbers";

const NAMES: Readonly<Record<string, string>> = {
  text: say("Text"),
  barcode: say("Barcode"),
  shape: say("Shape"),
  box: say("Box"),
  ellipse: say("Ellipse"),
  circle: say("Circle"),
  diagonal: say("Diagonal line"),
  line: say("Line"),
  image: say("Image"),
};

const SYMBOLOGIES: Readonly<Record<string, string>> = {
  aztec: "Aztec",
  codabar: "Codabar",
  codablock: "CODABLOCK",
  codablocka: "CODABLOCK A",
  codablocke: "CODABLOCK E",
  codablockf: "CODABLOCK F",
  code11: "Code 11",
  code128: "Code 128",
  code39: "Code 39",
  code49: "Code 49",
  code93: "Code 93",
  databar: "GS1 DataBar",
  databarexpanded: "GS1 DataBar Expanded",
  databarlimited: "GS1 DataBar Limited",
  databarstacked: "GS1 DataBar Stacked",
  databarstackedomni: "GS1 DataBar Stacked Omnidirectional",
  databartruncated: "GS1 DataBar Truncated",
  datamatrix: "Data Matrix",
  datamatrixlegacy: say("Data Matrix, ECC 000 to 140"),
  ean13: "EAN-13",
  ean8: "EAN-8",
  gs1128: "GS1-128",
  gs1datamatrix: "GS1 Data Matrix",
  industrial2of5: "Industrial 2 of 5",
  intelligentmail: "Intelligent Mail",
  interleaved2of5: "Interleaved 2 of 5",
  logmars: "LOGMARS",
  maxicode: "MaxiCode",
  micropdf417: "MicroPDF417",
  msi: "MSI",
  pdf417: "PDF417",
  planet: "PLANET",
  plessey: "Plessey",
  postal: say("Postal code"),
  postnet: "POSTNET",
  qr: "QR Code",
  standard2of5: "Standard 2 of 5",
  tlc39: "TLC39",
  upca: "UPC-A",
  upce: "UPC-E",
  upceanextension: say("UPC/EAN extension"),
};

/** "Text", "Box": a kind of element in words. */
export function typeName(type: string): string {
  return NAMES[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
}

export function elementTitle(element: LabelElement): string {
  if (element.type === "barcode" && element.symbology !== "") {
    const key = element.symbology.toLowerCase().replace(/[^a-z0-9]/g, "");
    return SYMBOLOGIES[key] ?? element.symbology;
  }
  return typeName(element.type);
}

/** What the element says, without line ends and cut to a length that fits a row. */
export function elementSummary(element: LabelElement, longest = 80): string {
  const text = (element.data || element.text).replace(/\s+/g, " ");
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

export interface Check {
  /** Undefined: it could not be checked. */
  ok: boolean | undefined;
  text: string;
}

function readingCheck(reading: Reading): Check {
  if (reading.decoded === null) return { ok: undefined, text: say("Not read back: {reason}", { reason: reading.reason === "time" ? say("there was no time for it") : reading.reason }) };
  if (!reading.decoded) return { ok: false, text: say("Cannot be read back") };
  if (reading.matches === false) return { ok: false, text: say("Reads back as other data") };
  return { ok: true, text: reading.matches ? say("Reads back as its data") : say("Reads back; not comparable with the field") };
}

export function checksOf(element: LabelElement): Check[] {
  const checks: Check[] = [];
  if (element.insideLabel !== undefined) {
    checks.push({ ok: element.insideLabel, text: element.insideLabel ? say("Inside the label") : say("Runs out of the label") });
  }
  if (element.quietZoneOk !== undefined) {
    checks.push({ ok: element.quietZoneOk, text: element.quietZoneOk ? say("Quiet zone free") : say("Quiet zone not free") });
  }
  if (element.reading) checks.push(readingCheck(element.reading));
  if (element.clipped) checks.push({ ok: false, text: say("Text does not fit its block") });
  if (element.type === "barcode" || element.type === "text" || element.overlaps.length > 0) {
    const count = element.overlaps.length;
    checks.push({
      ok: count === 0,
      text: count === 0 ? say("Overlaps nothing") : sayCount("Overlaps {count} other element", "Overlaps {count} other elements", count),
    });
  }
  return checks;
}

function length(dots: number, dpmm: number, unit: LengthUnit): string {
  return shownNumber(mmToUnit(dotsToMm(dots, dpmm), unit), unit === "mm" ? 1 : 3);
}

/** Rows of facts: position, size, module, turn. */
export function factsOf(element: LabelElement, dpmm: number, unit: LengthUnit): [string, string][] {
  const facts: [string, string][] = [
    [say("Position"), say("{x}, {y} dots ({xLength}, {yLength} {unit})", { x: String(element.x), y: String(element.y), xLength: length(element.x, dpmm, unit), yLength: length(element.y, dpmm, unit), unit })],
    [say("Size"), say("{width} × {height} dots ({widthLength} × {heightLength} {unit})", { width: String(element.width), height: String(element.height), widthLength: length(element.width, dpmm, unit), heightLength: length(element.height, dpmm, unit), unit })],
  ];
  if (element.moduleDots !== undefined && element.moduleDots > 0) {
    const mm = element.moduleMm ?? dotsToMm(element.moduleDots, dpmm);
    facts.push([say("Module"), sayCount("{count} dot ({mm} mm)", "{count} dots ({mm} mm)", element.moduleDots, { mm: shownNumber(mm, 3) })]);
  }
  if (element.rotation !== 0) facts.push([say("Turned"), `${element.rotation}°`]);
  if (element.text !== "" && element.text !== element.data) facts.push([say("Text line"), element.text]);
  if (element.reading?.data && element.reading.matches !== true) facts.push([say("Read as"), element.reading.data]);
  if (element.reading?.margin) facts.push([say("Margin"), element.reading.margin]);
  return facts;
}

export function checkList(element: LabelElement): HTMLElement {
  return el(
    "ul",
    { class: "checks" },
    ...checksOf(element).map((check) =>
      check.ok === undefined
        ? el("li", {}, icon("info"), check.text)
        : el("li", { class: check.ok ? "ok" : "bad" }, icon(check.ok ? "check" : "warning"), check.text),
    ),
  );
}

export function elementHeading(element: LabelElement): Child[] {
  return [el("strong", {}, elementTitle(element)), element.command ? el("code", {}, element.command) : null];
}

/** Too long for the card. */
const LONG_FACTS = [say("Text line"), say("Read as"), say("Margin")];

/** The small card beside the pointer. */
export function elementCard(element: LabelElement, dpmm: number, unit: LengthUnit): HTMLElement[] {
  const summary = elementSummary(element, 120);
  const size = factsOf(element, dpmm, unit);
  return [
    el("div", { class: "card-title" }, ...elementHeading(element)),
    ...(summary ? [el("div", { class: "card-data" }, summary)] : []),
    el(
      "dl",
      { class: "facts" },
      ...size.filter(([name]) => !LONG_FACTS.includes(name)).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
    ),
    checkList(element),
  ];
}
