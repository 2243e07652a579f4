// ZPL seen line by line: what the editor needs to colour it. Follows ^CC, ^CD and ^CT while reading.

export type TokenKind =
  | "frame" // ^XA ^XZ
  | "command"
  | "fieldEnd" // ^FS
  | "number"
  | "word"
  | "delimiter"
  | "data"
  | "escape"
  | "comment"
  | "payload"
  | "stray";

export interface Prefixes {
  format: string;
  control: string;
  delimiter: string;
}

export const DEFAULT_PREFIXES: Readonly<Prefixes> = { format: "^", control: "~", delimiter: "," };

type Region = "outside" | "parameters" | "data" | "comment" | "payload";

export interface LexState extends Prefixes {
  region: Region;
  /** Delimiters still to come before a long payload begins; 0: this command has none. */
  delimitersToPayload: number;
  /** The ^FH indicator of the open field; empty: no escapes. */
  hexIndicator: string;
  /** ^FH was read just now: its parameter is the indicator. */
  expectsIndicator: boolean;
}

export function startState(): LexState {
  return {
    ...DEFAULT_PREFIXES,
    region: "outside",
    delimitersToPayload: 0,
    hexIndicator: "",
    expectsIndicator: false,
  };
}

/** The part of CodeMirror's StringStream that the lexer uses. */
export interface CharStream {
  peek(): string | undefined;
  next(): string | undefined;
  eol(): boolean;
  pos: number;
  string: string;
}

/** Control commands, as the table of commands has them: inside field data a tilde ends the data only when one of these follows. */
const CONTROL_NAMES = new Set(
  (
    "CC CD CT DB DE DG DL DN DS DT DU DY EF EG HB HD HI HL HM HQ HS HU JA JB JC JD JE JF JG JI JK JL JN JO JP JQ JR JS JX " +
    "KB NC NR NT PH PL PM PP PR PS RO RV SD TA WC WL WQ WR"
  ).split(" "),
);

/** Graphic and font data start after so many delimiters. */
const PAYLOAD_AFTER: Readonly<Record<string, number>> = { GF: 4, DG: 3, DY: 5, DB: 7, DE: 2, DS: 2, DT: 2, DU: 2 };

const NAME = /[A-Za-z0-9@]/;

function isIgnorable(character: string): boolean {
  return character === " " || character === "\t" || character === "\r";
}

function usablePrefix(character: string | undefined): character is string {
  return character !== undefined && character > " " && character !== "\x7f";
}

/** Name of the command whose prefix stands at `at`, upper case; empty when none can be read there. */
export function commandNameAt(line: string, at: number, prefixes: Prefixes): string {
  const first = line[at + 1];
  if (first === undefined || !NAME.test(first)) return "";
  // ^A is the one command with a one-letter name: the next character is its font.
  if ((first === "A" || first === "a") && line[at] === prefixes.format) {
    const font = line[at + 2];
    return font === "@" ? "A@" : "A";
  }
  const second = line[at + 2];
  if (second === undefined || !NAME.test(second)) return "";
  return (first + second).toUpperCase();
}

function startsCommand(line: string, at: number, state: LexState): boolean {
  const character = line[at];
  if (character === state.format) return true;
  if (character !== state.control) return false;
  if (state.region !== "data") return true;
  return CONTROL_NAMES.has(commandNameAt(line, at, state));
}

function enter(name: string, isFormat: boolean, state: LexState): TokenKind {
  state.region = "parameters";
  state.delimitersToPayload = PAYLOAD_AFTER[name] ?? 0;
  state.expectsIndicator = false;
  if (!isFormat) return "command";
  switch (name) {
    case "XA":
    case "XZ":
      state.hexIndicator = "";
      return "frame";
    case "FS":
      state.hexIndicator = "";
      return "fieldEnd";
    case "FD":
    case "FV":
      state.region = "data";
      return "command";
    case "FX":
      state.region = "comment";
      return "comment";
    case "FH":
      state.hexIndicator = "_";
      state.expectsIndicator = true;
      return "command";
    default:
      return "command";
  }
}

function readCommand(stream: CharStream, state: LexState): TokenKind {
  const prefix = stream.next() as string;
  const isFormat = prefix === state.format;
  const name = commandNameAt(stream.string, stream.pos - 1, state);
  if (name === "") {
    // A fragment such as the "~" of "CT~~CD,": the next prefix starts afresh.
    const first = stream.peek();
    if (first !== undefined && NAME.test(first)) stream.next();
    state.region = "parameters";
    state.delimitersToPayload = 0;
    return "stray";
  }
  stream.pos += name.length;
  if (name === "A" && stream.peek() !== undefined && NAME.test(stream.peek() as string)) stream.next();
  if (name === "CC" || name === "CD" || name === "CT") {
    const given = stream.peek();
    if (usablePrefix(given)) {
      stream.next();
      const taken = [state.format, state.control, state.delimiter];
      const role = name === "CC" ? "format" : name === "CD" ? "delimiter" : "control";
      if (!taken.includes(given) || state[role] === given) state[role] = given;
    }
    state.region = "parameters";
    state.delimitersToPayload = 0;
    return "command";
  }
  return enter(name, isFormat, state);
}

function readParameters(stream: CharStream, state: LexState): TokenKind | null {
  const character = stream.next() as string;
  if (state.expectsIndicator) {
    state.expectsIndicator = false;
    if (!isIgnorable(character)) {
      state.hexIndicator = character;
      return "word";
    }
  }
  if (character === state.delimiter) {
    if (state.delimitersToPayload > 0 && --state.delimitersToPayload === 0) state.region = "payload";
    return "delimiter";
  }
  if (isIgnorable(character)) return null;
  const isDigit = /[0-9.+-]/.test(character);
  while (!stream.eol()) {
    const next = stream.peek() as string;
    if (next === state.delimiter || isIgnorable(next) || startsCommand(stream.string, stream.pos, state)) break;
    if (/[0-9.]/.test(next) !== isDigit) break;
    stream.next();
  }
  return isDigit ? "number" : "word";
}

function readHexEscape(stream: CharStream, state: LexState): boolean {
  if (state.hexIndicator === "" || stream.peek() !== state.hexIndicator) return false;
  if (!/^[0-9A-Fa-f]{2}$/.test(stream.string.slice(stream.pos + 1, stream.pos + 3))) return false;
  stream.pos += 3;
  return true;
}

/** Longer data is several tokens, so that a reader of a line can stop between them. */
const LONGEST_TOKEN = 4000;

function readUntilCommand(stream: CharStream, state: LexState): void {
  const end = stream.pos + LONGEST_TOKEN;
  while (!stream.eol() && stream.pos < end) {
    if (startsCommand(stream.string, stream.pos, state)) return;
    if (state.region === "data" && state.hexIndicator !== "" && stream.peek() === state.hexIndicator) {
      if (/^[0-9A-Fa-f]{2}$/.test(stream.string.slice(stream.pos + 1, stream.pos + 3))) return;
    }
    stream.next();
  }
}

/** Reads one token; null stands for text without colour. The stream always moves on. */
export function readToken(stream: CharStream, state: LexState): TokenKind | null {
  if (startsCommand(stream.string, stream.pos, state)) return readCommand(stream, state);
  switch (state.region) {
    case "data":
      if (readHexEscape(stream, state)) return "escape";
      readUntilCommand(stream, state);
      return "data";
    case "comment":
      readUntilCommand(stream, state);
      return "comment";
    case "payload":
      readUntilCommand(stream, state);
      return "payload";
    case "parameters":
      return readParameters(stream, state);
    case "outside":
      readUntilCommand(stream, state);
      return "stray";
  }
}
