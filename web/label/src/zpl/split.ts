// A stretch of label code as commands with the places of their parameters, by the prefixes in force where it begins.
import { commandNameAt, type Prefixes } from "./lexer";

export interface ParameterPlace {
  /** Of the text without the blanks around it; both are the same where nothing is written. */
  from: number;
  to: number;
  text: string;
}

export interface CommandText {
  /** As the command table spells it: "^FO", whatever the prefixes are; "^A" for all fonts. */
  name: string;
  from: number;
  nameEnd: number;
  /** Where the next command starts. */
  to: number;
  /** At least one; field data and comments are one whatever they hold. */
  parameters: ParameterPlace[];
  /** ^A: the font's letter or digit. */
  font: string;
  delimiter: string;
}

/** One parameter, however many delimiters there are in it. */
const WHOLE = new Set(["^FD", "^FV", "^FX", "^CC", "^CD", "^CT", "~CC", "~CD", "~CT"]);
/** From this parameter on all is data. */
const PAYLOAD_FROM: Readonly<Record<string, number>> = { "^GF": 4, "~DG": 3, "~DY": 5, "~DB": 8, "~DE": 2, "~DT": 2, "~DU": 2 };

function place(text: string, base: number, from: number, to: number, trim: boolean): ParameterPlace {
  let [start, end] = [from, to];
  if (trim) {
    while (start < end && /\s/.test(text[start] as string)) start++;
    while (end > start && /\s/.test(text[end - 1] as string)) end--;
    // Nothing written: right behind the delimiter, not behind a line end that follows.
    if (start === end) start = end = from;
  }
  return { from: base + start, to: base + end, text: text.slice(start, end) };
}

function parametersOf(text: string, base: number, name: string, from: number, to: number, delimiter: string): ParameterPlace[] {
  if (WHOLE.has(name)) {
    let end = to;
    while (end > from && /[\r\n]/.test(text[end - 1] as string)) end--;
    return [place(text, base, from, end, false)];
  }
  const payload = PAYLOAD_FROM[name] ?? Infinity;
  const found: ParameterPlace[] = [];
  let start = from;
  for (let at = from; at < to && found.length < payload; at++) {
    if (text[at] !== delimiter) continue;
    found.push(place(text, base, start, at, true));
    start = at + 1;
  }
  found.push(place(text, base, start, to, true));
  return found;
}

/** `base`: position of the text in the editor. */
export function splitCommands(text: string, base: number, given: Prefixes): CommandText[] {
  const prefixes = { ...given };
  const commands: CommandText[] = [];
  const starts = (at: number): boolean => text[at] === prefixes.format || text[at] === prefixes.control;
  let at = 0;
  while (at < text.length) {
    if (!starts(at)) {
      at++;
      continue;
    }
    const isFormat = text[at] === prefixes.format;
    const short = commandNameAt(text, at, prefixes);
    if (short === "") {
      at++;
      continue;
    }
    const font = short === "A" && /[A-Za-z0-9]/.test(text[at + 2] ?? "") ? (text[at + 2] as string) : "";
    const nameEnd = at + 1 + short.length + font.length;
    const name = (isFormat ? "^" : "~") + short;
    let to = nameEnd;
    if (short === "CC" || short === "CD" || short === "CT") {
      const character = text[nameEnd] ?? "";
      to = Math.min(nameEnd + 1, text.length);
      if (character > " ") prefixes[short === "CC" ? "format" : short === "CD" ? "delimiter" : "control"] = character;
    } else {
      while (to < text.length && !(starts(to) && (text[to] === prefixes.format || !WHOLE.has(name) || commandNameAt(text, to, prefixes) !== ""))) to++;
    }
    commands.push({
      name,
      from: base + at,
      nameEnd: base + nameEnd,
      to: base + to,
      parameters: parametersOf(text, base, name, nameEnd, to, prefixes.delimiter),
      font,
      delimiter: prefixes.delimiter,
    });
    at = to;
  }
  return commands;
}

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** Writes a parameter: in the place of what is there, or behind the last one with the delimiters that are missing. */
export function writeParameter(command: CommandText, index: number, value: string): TextChange {
  const there = command.parameters[index];
  if (there) return { from: there.from, to: there.to, insert: value };
  const count = command.parameters.length;
  const end = (command.parameters[count - 1] as ParameterPlace).to;
  return { from: end, to: end, insert: command.delimiter.repeat(index - count + 1) + value };
}
