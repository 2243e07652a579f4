// What there is in label code, in its order: labels, their fields, stored formats and graphics; in other languages the commands.
import type { Text } from "@codemirror/state";
import type { CommandTable } from "../zpl/commands";
import { DEFAULT_PREFIXES } from "../zpl/lexer";
import { splitCommands, type CommandText } from "../zpl/split";
import { say } from "../ui/language";

export interface OutlineEntry {
  text: string;
  /** The command that it is by. */
  command: string;
  from: number;
  isLabel: boolean;
}

/** More than anybody looks through; splitting more would be felt. */
const MOST_CHARACTERS = 2_000_000;
const LONGEST = 80;

const short = (text: string): string => text.replace(/\\&|\s+/g, " ").trim().slice(0, LONGEST);

/** What a command adds to the outline. */
function entryOf(command: CommandText, label: () => number): OutlineEntry | undefined {
  const { name, from, parameters } = command;
  const first = parameters[0]?.text ?? "";
  const entry = (text: string, isLabel = false): OutlineEntry => ({ text: short(text), command: name, from, isLabel });
  switch (name) {
    case "^XA":
      return entry(say("Label {number}", { number: String(label()) }), true);
    case "^FD":
    case "^FV":
    case "^DF":
    case "^XF":
    case "^XG":
    case "^FN":
    case "~DG":
    case "~DY":
    case "^FX":
      return first.trim() === "" ? undefined : entry(first);
    case "^GF":
    case "^GB":
      return entry(parameters.slice(0, 3).map(({ text }) => text).join(", "));
    default:
      return undefined;
  }
}

export function outlineOf(doc: Text, table: CommandTable): OutlineEntry[] {
  if (table.isByLine) {
    const entries: OutlineEntry[] = [];
    for (let number = 1; number <= Math.min(doc.lines, 10_000); number++) {
      const { text, from } = doc.line(number);
      const command = table.beginning(text.trimStart());
      if (command !== "") entries.push({ text: short(text.trim().slice(command.length, 400)), command, from, isLabel: false });
    }
    return entries;
  }
  let labels = 0;
  return splitCommands(doc.sliceString(0, MOST_CHARACTERS), 0, DEFAULT_PREFIXES).flatMap((command) => entryOf(command, () => ++labels) ?? []);
}
