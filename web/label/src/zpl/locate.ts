// Which command stands at a position of the text, and in which of its parameters the position is.
import type { Text } from "@codemirror/state";
import type { CommandTable } from "./commands";
import { commandNameAt, DEFAULT_PREFIXES, type Prefixes } from "./lexer";

export interface CommandPlace {
  /** As the command table spells it: "^FO", "~DG", whatever the prefixes in use are. */
  name: string;
  from: number;
  nameEnd: number;
  /** End of the command's text: where the next one starts. */
  to: number;
  /** Parameter that the position is in, from 0; -1 on the name itself. */
  parameter: number;
}

/** How far a search goes: a command with its parameters is short, only graphics are long. */
const REACH = 4096;

/** The prefixes in force at a position, after every ^CC, ^CD and ^CT before it. */
export function prefixesAt(text: string, position: number): Prefixes {
  const prefixes = { ...DEFAULT_PREFIXES };
  let at = 0;
  for (;;) {
    // Changes are rare: look for their names, then check that a prefix of the moment stands before.
    const rest = /C[CDT]/gi;
    rest.lastIndex = at;
    const found = rest.exec(text);
    if (!found || found.index >= position) return prefixes;
    at = found.index + 1;
    const before = text[found.index - 1];
    const given = text[found.index + 2];
    if (before !== prefixes.format && before !== prefixes.control) continue;
    if (given === undefined || given <= " ") continue;
    const role = found[0].toUpperCase();
    if (role === "CC" && given !== prefixes.control && given !== prefixes.delimiter) prefixes.format = given;
    if (role === "CT" && given !== prefixes.format && given !== prefixes.delimiter) prefixes.control = given;
    if (role === "CD" && given !== prefixes.format && given !== prefixes.control) prefixes.delimiter = given;
    at = found.index + 3;
  }
}

function isDataCommand(name: string): boolean {
  return name === "FD" || name === "FV" || name === "FX";
}

/** The same in any language, at a position of an editor's text. */
export function commandIn(doc: Text, position: number, table: CommandTable): CommandPlace | undefined {
  if (table.isByLine) return commandOfLine(doc, position, table);
  const from = Math.max(0, position - REACH);
  const place = commandAt(doc.sliceString(from, Math.min(doc.length, position + REACH)), position - from, prefixesAt(doc.sliceString(0, position), position));
  return place && { ...place, from: from + place.from, nameEnd: from + place.nameEnd, to: from + place.to };
}

function commandOfLine(doc: Text, position: number, table: CommandTable): CommandPlace | undefined {
  const line = doc.lineAt(position);
  const start = line.from + (/^\s*/.exec(line.text.slice(0, REACH))?.[0].length ?? 0);
  const name = table.beginning(doc.sliceString(start, Math.min(line.to, start + 20)));
  if (name === "") return undefined;
  const nameEnd = start + name.length;
  const before = doc.sliceString(nameEnd, Math.min(position, nameEnd + REACH)).replace(/"[^"]*"?/g, "");
  return { name, from: start, nameEnd, to: line.to, parameter: position < nameEnd ? -1 : before.split(",").length - 1 };
}

export function commandAt(text: string, position: number, prefixes: Prefixes): CommandPlace | undefined {
  const least = Math.max(0, position - REACH);
  for (let from = position; from >= least; from--) {
    const character = text[from];
    const isFormat = character === prefixes.format;
    if (!isFormat && character !== prefixes.control) continue;
    const short = commandNameAt(text, from, prefixes);
    if (short === "") {
      if (isFormat) return undefined;
      continue;
    }
    // The font of ^A is written into the name, and is no parameter of its own.
    const font = short === "A" && /[A-Za-z0-9]/.test(text[from + 2] ?? "") ? 1 : 0;
    const nameEnd = from + 1 + short.length + font;
    let to = nameEnd;
    const most = Math.min(text.length, from + REACH);
    while (to < most && text[to] !== prefixes.format && text[to] !== prefixes.control) to++;
    if (position > to) return undefined;
    const name = (isFormat ? "^" : "~") + short;
    if (position < nameEnd) return { name, from, nameEnd, to, parameter: -1 };
    let parameter = 0;
    if (!isDataCommand(short)) {
      for (let i = nameEnd; i < position; i++) if (text[i] === prefixes.delimiter) parameter++;
    }
    return { name, from, nameEnd, to, parameter };
  }
  return undefined;
}
