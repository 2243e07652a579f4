// The palette: elements that are inserted at the end of the shown label, in the prefixes and the unit that hold there.
import type { DeskTools } from "../desk/tools";
import { isPicture } from "../actions/picture";
import { pictureField } from "../actions/picture-field";
import { HAS_SERVICE } from "../has-service";
import type { MenuEntry } from "../ui/controls";
import { el, need } from "../ui/dom";
import { announce, toast } from "../ui/messages";
import { DEFAULT_PREFIXES, type Prefixes } from "../zpl/lexer";
import { prefixesAt } from "../zpl/locate";
import { splitCommands } from "../zpl/split";
import { intersection } from "../preview/geometry";
import type { Box, LabelElement } from "../model/result";
import type { Point, Size } from "../preview/transform";
import { writeNumber } from "./moving";
import { say } from "../ui/language";

interface Kind {
  id: string;
  text: string;
  detail: string;
  /** Of the field behind its ^FO: lengths in dots are written as {20}. */
  zpl: string;
  /** About as large as it is drawn, in dots. */
  size: Size;
}

const KINDS: readonly Kind[] = [
  { id: "text", text: say("Text"), detail: "^A0", zpl: "^A0N,{40},{40}^FDText^FS", size: { width: 80, height: 40 } },
  { id: "block", text: say("Text block"), detail: "^FB", zpl: "^A0N,{30},{30}^FB{400},3,0,L^FDText that breaks into lines^FS", size: { width: 400, height: 90 } },
  { id: "code128", text: "Code 128", detail: "^BC", zpl: "^BCN,{80},Y,N,N,A^FD12345678^FS", size: { width: 200, height: 110 } },
  { id: "qr", text: "QR Code", detail: "^BQ", zpl: "^BQN,2,5^FDMA,https://example.com^FS", size: { width: 150, height: 150 } },
  { id: "datamatrix", text: "Data Matrix", detail: "^BX", zpl: "^BXN,{6},200^FDData Matrix^FS", size: { width: 110, height: 110 } },
  { id: "ean13", text: "EAN-13", detail: "^BE", zpl: "^BEN,{80},Y,N^FD400638133393^FS", size: { width: 220, height: 110 } },
  { id: "box", text: say("Box"), detail: "^GB", zpl: "^GB{200},{100},{3}^FS", size: { width: 200, height: 100 } },
  { id: "line", text: say("Line"), detail: "^GB", zpl: "^GB{400},{3},{3}^FS", size: { width: 400, height: 3 } },
  { id: "circle", text: say("Circle"), detail: "^GC", zpl: "^GC{100},{3}^FS", size: { width: 100, height: 100 } },
];

/** The end of the shown label's fields, where the next field belongs; undefined: there is no label to insert into. */
export function endOfLabel(tools: DeskTools): { at: number; prefixes: Prefixes } | undefined {
  const { doc } = tools.app.editor.view.state;
  const text = doc.toString();
  const from = tools.tracker.endOf(tools.app.preview.index) ?? 0;
  const prefixes = prefixesAt(text.slice(0, from), from);
  const commands = splitCommands(text.slice(from), from, prefixes);
  const last = commands.findIndex(({ name }) => name === "^XZ");
  // What sets the unit back for the labels that follow is not for the fields of this one.
  const end = commands[commands[last - 1]?.name === "^MU" ? last - 1 : last];
  if (!end) return undefined;
  return { at: end.from, prefixes: prefixesAt(text.slice(0, end.from), end.from) };
}

/** Puts the field before ^XZ: on a line of its own where ^XZ has one. Returns where. */
export function place(tools: DeskTools, field: string, what: string): number | undefined {
  const end = endOfLabel(tools);
  if (!end) {
    toast(say("There is no label to insert into: write ^XA and ^XZ first."));
    return undefined;
  }
  const { app } = tools;
  const before = app.editor.view.state.doc.sliceString(Math.max(0, end.at - 1), end.at);
  app.editor.change([{ from: end.at, to: end.at, insert: before === "\n" ? `${field}\n` : field }], { cursor: end.at + 1 });
  announce(say("{what} inserted", { what }));
  need("overlay").focus();
  return end.at;
}

function written(zpl: string, prefixes: Prefixes, unitDots: number): string {
  const data = zpl.indexOf("^FD");
  const [head, tail] = data < 0 ? [zpl, ""] : [zpl.slice(0, data), zpl.slice(data)];
  const numbers = head.replace(/\{(\d+)\}/g, (_, dots: string) => writeNumber(Number(dots), unitDots)).replaceAll(",", prefixes.delimiter);
  return (numbers + tail).replaceAll("^", prefixes.format);
}

/** Where the first one goes, and how far apart places are that are tried, in dots. */
const FIRST = 50;
const STEP = 30;

/**
 * A place on which nothing lies: where the label was last clicked or else the nearest one, without a click the first one, line by line. A frame
 * around most of the label does not count. Without such a place: beside those that are at the first places.
 */
function freePlace(elements: readonly LabelElement[], label: Size, size: Size, clicked: Point | undefined): Point {
  const isFrame = ({ type, x, y, width, height }: LabelElement, box: Box): boolean =>
    type !== "text" && type !== "barcode" && width * height > (label.width * label.height) / 2 && x < box.x && y < box.y && x + width > box.x + box.width && y + height > box.y + box.height;
  const isFree = ({ x, y }: Point): boolean => {
    const box = { x, y, ...size };
    return x + size.width <= label.width && y + size.height <= label.height && !elements.some((element) => intersection(element, box) && !isFrame(element, box));
  };
  // Numbers that count from another corner say nothing about boxes.
  const isPlain = elements.every(({ place: at }) => !at || (at.stepX >= 0 && at.stepY >= 0));
  const places: Point[] = [];
  for (let y = FIRST; isPlain && y < label.height; y += STEP) for (let x = FIRST; x < label.width; x += STEP) places.push({ x, y });
  if (isPlain && clicked) {
    const far = ({ x, y }: Point): number => Math.hypot(x - clicked.x, y - clicked.y);
    places.sort((a, b) => far(a) - far(b)).unshift({ x: Math.round(clicked.x), y: Math.round(clicked.y) });
  }
  const free = places.find(isFree);
  if (free) return free;
  const taken = elements.filter(({ place: at }) => at && at.x === at.y && at.x >= FIRST && (at.x - FIRST) % STEP === 0).length;
  return { x: FIRST + STEP * taken, y: FIRST + STEP * taken };
}

function insertKind(tools: DeskTools, kind: Kind, clicked: Point | undefined): void {
  const end = endOfLabel(tools);
  const { elements } = tools.app.preview;
  const unitDots = elements.find((element) => element.place)?.place?.unitDots ?? 1;
  const { x, y } = freePlace(elements, tools.app.preview.labelSize, kind.size, clicked);
  place(tools, written(`^FO{${x}},{${y}}${kind.zpl}`, end?.prefixes ?? DEFAULT_PREFIXES, unitDots), kind.text);
}

function insertPicture(tools: DeskTools): void {
  const input = el("input", { type: "file", accept: "image/*" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void putPicture(tools, file);
  });
  input.click();
}

async function putPicture(tools: DeskTools, file: File): Promise<void> {
  const { app } = tools;
  const document = app.current;
  const { index } = app.preview;
  const end = endOfLabel(tools);
  if (end && (end.prefixes.format !== "^" || end.prefixes.delimiter !== ",")) {
    toast(say("The label has other prefixes, in which a picture cannot be written."));
    return;
  }
  try {
    if (!isPicture(file)) throw new Error(say("{file} is not a picture that can be converted.", { file: file.name }));
    const field = (await pictureField(file, app.access)).trim();
    if (app.documents.shown.get() !== document || app.preview.index !== index) throw new Error(say("{file} was not inserted: another label is shown now.", { file: file.name }));
    place(tools, field, say("Picture"));
  } catch (error) {
    toast(error instanceof Error ? error.message : say("The picture could not be converted."));
  }
}

/** `clicked`: where the label was last clicked, in its own dots. */
export function insertEntries(tools: DeskTools, clicked: Point | undefined): MenuEntry[] {
  return [
    ...KINDS.map((kind): MenuEntry => ({ kind: "item", text: kind.text, detail: kind.detail, id: `insert-${kind.id}`, action: () => insertKind(tools, kind, clicked) })),
    ...(HAS_SERVICE ? [{ kind: "item", text: say("Picture …"), detail: "^GF", id: "insert-picture", action: () => insertPicture(tools) } as const] : []),
  ];
}
