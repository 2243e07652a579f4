// The service's json answer, read field by field: nothing of it is trusted to have the promised shape.
import type { Diagnostic as Answered, Element, JsonLabel, JsonResult, Place, Unchecked } from "./answers";

/** In dots. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What reading a barcode back gave. */
export interface Reading {
  /** Null: it was not read, or not all of it; `reason` says why. */
  decoded: boolean | null;
  data: string;
  /** Null: it cannot be said. */
  matches: boolean | null;
  reason: string;
  /** What one dot more or less of ink does: a sentence. */
  margin: string;
}

/** The numbers that place an element: where they stand in the text that was sent, in bytes, and what they do. */
export interface PlaceSource {
  command: string;
  offset: number;
  length: number;
  x: number;
  y: number;
  /** Dots that the element moves, on the unturned label, when the number grows by 1; 0: it follows the text before. */
  stepX: number;
  stepY: number;
  /** Dots that a unit of the numbers stands for. */
  unitDots: number;
}

export interface LabelElement {
  type: string;
  symbology: string;
  command: string;
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: number;
  data: string;
  text: string;
  moduleDots: number | undefined;
  moduleMm: number | undefined;
  quietZoneOk: boolean | undefined;
  /** The bars with the white around them that the symbology asks for. */
  quietZone: Box | undefined;
  /** Undefined where it was not asked for. */
  reading: Reading | undefined;
  insideLabel: boolean | undefined;
  /** Text that did not fit its block. */
  clipped: boolean;
  /** Printed as the reverse of what is below: made to overlap. */
  reverse: boolean;
  /** Elements that this one's ink meets and should not. */
  overlaps: number[];
  offset: number;
  length: number;
  /** Of the field that gave its data to this one by ^FN; of length 0 where it has its own. */
  dataOffset: number;
  dataLength: number;
  /** Undefined where nothing in the text places it. */
  place: PlaceSource | undefined;
}

/** So many bytes become the text. */
interface Edit {
  offset: number;
  length: number;
  text: string;
}

export interface Diagnostic {
  code: string;
  severity: Answered["severity"];
  command: string;
  message: string;
  offset: number;
  length: number;
  label: number | undefined;
  /** What puts it right, where there is just one way. */
  edits: Edit[];
}

type Fix = NonNullable<Answered["fix"]>;

export interface Label {
  index: number;
  copies: number;
  data: string;
  sizeBytes: number;
  elements: LabelElement[];
  /** Errors and warnings that the service has about this label alone. */
  problems: number;
  /** Of these, errors. */
  errors: number;
}

export interface RenderResult {
  /** That the code was read as. */
  language: string;
  widthPx: number;
  heightPx: number;
  widthMm: number;
  heightMm: number;
  dpmm: number;
  labels: Label[];
  diagnostics: Diagnostic[];
}

function fieldsOf<Type>(value: unknown): Unchecked<Type> {
  return typeof value === "object" && value !== null ? (value as Unchecked<Type>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown, otherwise = 0): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function optionalBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function readBox(value: unknown): Box | undefined {
  const given = fieldsOf<Box>(value);
  const box = { x: number(given.x), y: number(given.y), width: number(given.width), height: number(given.height) };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

function readReading(given: Unchecked<Element>): Reading | undefined {
  const decoded = given.decoded;
  if (decoded !== null && typeof decoded !== "boolean") return undefined;
  return {
    decoded,
    data: text(given.decodedData),
    matches: optionalBoolean(given.matches) ?? null,
    reason: text(given.reason),
    margin: text(given.margin),
  };
}

function readPlace(value: unknown): PlaceSource | undefined {
  const given = fieldsOf<Place>(value);
  const length = number(given.length);
  if (length <= 0) return undefined;
  return {
    command: text(given.command),
    offset: number(given.offset),
    length,
    x: number(given.x),
    y: number(given.y),
    stepX: number(given.stepX),
    stepY: number(given.stepY),
    unitDots: number(given.unitDots, 1),
  };
}

function readElement(value: unknown): LabelElement {
  const given = fieldsOf<Element>(value);
  return {
    type: text(given.type) || "element",
    symbology: text(given.symbology),
    command: text(given.command),
    x: number(given.x),
    y: number(given.y),
    width: number(given.width),
    height: number(given.height),
    rotation: number(given.rotation),
    data: text(given.data),
    text: text(given.text),
    moduleDots: optionalNumber(given.moduleDots),
    moduleMm: optionalNumber(given.moduleMm),
    quietZoneOk: optionalBoolean(given.quietZoneOk),
    quietZone: readBox(given.quietZone),
    reading: readReading(given),
    insideLabel: optionalBoolean(given.insideLabel),
    clipped: given.clipped === true,
    reverse: given.reverse === true,
    overlaps: list(given.overlaps).filter((n): n is number => typeof n === "number"),
    offset: number(given.offset),
    length: number(given.length),
    dataOffset: number(given.dataOffset),
    dataLength: number(given.dataLength),
    place: readPlace(given.place),
  };
}

function readEdit(value: unknown): Edit {
  const given = fieldsOf<Edit>(value);
  return { offset: number(given.offset), length: number(given.length), text: text(given.text) };
}

function readDiagnostic(value: unknown): Diagnostic {
  const given = fieldsOf<Answered>(value);
  const severity = given.severity;
  return {
    code: text(given.code),
    severity: severity === "error" || severity === "info" ? severity : "warning",
    command: text(given.command),
    message: text(given.message) || text(given.code),
    offset: number(given.offset),
    length: number(given.length),
    label: optionalNumber(given.label),
    edits: list(fieldsOf<Fix>(given.fix).edits).map(readEdit),
  };
}

/** Of one label. The picture has all of them; more than these nobody points at, and reading them would hold up the page. */
const MOST_ELEMENTS = 20_000;

/** Lines may meet lines, and reversed fields lie on something by design; what remains makes text or bars unreadable. */
function keepHarmfulOverlaps(elements: LabelElement[]): LabelElement[] {
  const carriesData = (element: LabelElement): boolean => element.type === "text" || element.type === "barcode";
  for (const element of elements) {
    element.overlaps = element.overlaps.filter((index) => {
      const other = elements[index];
      if (!other || other.reverse || element.reverse) return false;
      return carriesData(element) || carriesData(other);
    });
  }
  return elements;
}

/** The status bar shows the size; that it was guessed matters to pipelines. */
const SHOWN_OTHERWISE = "size_guessed";

/** Diagnostics of the whole input and those of single labels, each once, in the order of the text. */
function readDiagnostics(given: Unchecked<JsonResult>): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const add = (value: unknown): void => {
    const diagnostic = readDiagnostic(value);
    const key = `${diagnostic.offset}:${diagnostic.length}:${diagnostic.code}:${diagnostic.message}`;
    if (diagnostic.code !== SHOWN_OTHERWISE && !found.has(key)) found.set(key, diagnostic);
  };
  list(given.warnings).forEach(add);
  for (const label of list(given.labels)) list(fieldsOf<JsonLabel>(label).warnings).forEach(add);
  return [...found.values()].sort((a, b) => a.offset - b.offset);
}

/** Undefined when the answer is not a rendering at all. */
export function readResult(value: unknown): RenderResult | undefined {
  const given = fieldsOf<JsonResult>(value);
  if (given.ok !== true || !Array.isArray(given.labels)) return undefined;
  const labels: Label[] = [];
  for (const entry of given.labels as unknown[]) {
    const label = fieldsOf<JsonLabel>(entry);
    const data = text(label.data);
    if (data === "") return undefined;
    const severities = list(label.warnings).map((warning) => readDiagnostic(warning).severity);
    labels.push({
      index: number(label.index, labels.length),
      copies: Math.max(1, number(label.copies, 1)),
      data,
      sizeBytes: number(label.sizeBytes),
      elements: keepHarmfulOverlaps(list(label.elements).slice(0, MOST_ELEMENTS).map(readElement)),
      problems: severities.filter((severity) => severity !== "info").length,
      errors: severities.filter((severity) => severity === "error").length,
    });
  }
  const widthPx = number(given.widthPx);
  const heightPx = number(given.heightPx);
  if (labels.length === 0 || widthPx <= 0 || heightPx <= 0) return undefined;
  return {
    widthPx,
    heightPx,
    widthMm: number(given.widthMm),
    heightMm: number(given.heightMm),
    dpmm: number(given.dpmm, 8),
    language: text(given.language) || "zpl",
    labels,
    diagnostics: readDiagnostics(given),
  };
}
