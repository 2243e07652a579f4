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
import { writeNumber } from "./moving";
import { say } from "../ui/language";

interface Kind {
  id: string;
  text: string;
  detail: string;
  /** Of the field behind its ^FO: lengths in dots are written as {20}. */
  zpl: string;
}

const KINDS: readonly Kind[] = [
  { id: "text", text: say("Text"), detail: "^A0", zpl: "^A0N,{40},{40}^FDText^FS" },
  { id: "block", text: say("Text block"), detail: "^FB", zpl: "^A0N,{30},{30}^FB{400},3,0,L^FDText that breaks into lines^FS" },
  { id: "code128", text: "Code 128", detail: "^BC", zpl: "^BCN,{80},Y,N,N,A^FD12345678^FS" },
  { id: "qr", text: "QR Code", detail: "^BQ", zpl: "^BQN,2,5^FDMA,https://example.com^FS" },
  { id: "datamatrix", text: "Data Matrix", detail: "^BX", zpl: "^BXN,{6},200^FDData Matrix^FS" },
  { id: "ean13", text: "EAN-13", detail: "^BE", zpl: "^BEN,{80},Y,N^FD400638133393^FS" },
  { id: "box", text: say("Box"), detail: "^GB", zpl: "^GB{200},{100},{3}^FS" },
  { id: "line", text: say("Line"), detail: "^GB", zpl: "^GB{400},{3},{3}^FS" },
  { id: "circle", text: say("Circle"), detail: "^GC", zpl: "^GC{100},{3}^FS" },
];

/** The end of the shown label's fields, where the next field belongs; undefined: there is no label to insert into. */
function endOfLabel(tools: DeskTools): { at: number; prefixes: Prefixes } | undefined {
  const { doc } = tools.app.editor.view.state;
  const text = doc.toString();
  const from = tools.tracker.endOf(tools.app.preview.index) ?? 0;
  const prefixes = prefixesAt(text.slice(0, from), from);
  const commands = splitCommands(text.slice(from), from, prefixes);
  const end = commands.find(({ name }) => name === "^XZ") ?? undefined;
  if (!end) return undefined;
  return { at: end.from, prefixes: prefixesAt(text.slice(0, end.from), end.from) };
}

/** Puts the field before ^XZ: on a line of its own where ^XZ has one. */
function place(tools: DeskTools, field: string, what: string): void {
  const end = endOfLabel(tools);
  if (!end) {
    toast(say("There is no label to insert into: write ^XA and ^XZ first."));
    return;
  }
  const { app } = tools;
  const before = app.editor.view.state.doc.sliceString(Math.max(0, end.at - 1), end.at);
  app.editor.change([{ from: end.at, to: end.at, insert: before === "\n" ? `${field}\n` : field }], { cursor: end.at + 1 });
  announce(say("{what} inserted", { what }));
  need("overlay").focus();
}

function written(zpl: string, prefixes: Prefixes, unitDots: number): string {
  const data = zpl.indexOf("^FD");
  const [head, tail] = data < 0 ? [zpl, ""] : [zpl.slice(0, data), zpl.slice(data)];
  const numbers = head.replace(/\{(\d+)\}/g, (_, dots: string) => writeNumber(Number(dots), unitDots)).replaceAll(",", prefixes.delimiter);
  return (numbers + tail).replaceAll("^", prefixes.format);
}

function insertKind(tools: DeskTools, kind: Kind): void {
  const end = endOfLabel(tools);
  const { elements } = tools.app.preview;
  const unitDots = elements.find((element) => element.place)?.place?.unitDots ?? 1;
  // Not onto one that was just inserted.
  const taken = elements.filter((element) => element.place && element.place.x === element.place.y && element.place.x >= 50 && (element.place.x - 50) % 30 === 0).length;
  const at = 50 + 30 * taken;
  place(tools, written(`^FO{${at}},{${at}}${kind.zpl}`, end?.prefixes ?? DEFAULT_PREFIXES, unitDots), kind.text);
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

export function insertEntries(tools: DeskTools): MenuEntry[] {
  return [
    ...KINDS.map((kind): MenuEntry => ({ kind: "item", text: kind.text, detail: kind.detail, id: `insert-${kind.id}`, action: () => insertKind(tools, kind) })),
    ...(HAS_SERVICE ? [{ kind: "item", text: say("Picture …"), detail: "^GF", id: "insert-picture", action: () => insertPicture(tools) } as const] : []),
  ];
}
