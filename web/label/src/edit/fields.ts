// Whole fields: taken out of the code, or copied beside it. What else holds for fields behind them stays where it is.
import type { ElementCode } from "../desk/tracker";
import type { Point } from "../preview/transform";
import { say } from "../ui/language";
import type { Prefixes } from "../zpl/lexer";
import { splitCommands, writeParameter, type CommandText, type TextChange } from "../zpl/split";
import { isRefusal, moveElement, writeNumber, type Edit, type Refusal } from "./moving";

/** Commands that do nothing beyond their field. */
const OF_FIELD = /^\^(F[OTDVSNBPHRCMX]|TB|S[NF]|A@?|B[^Y]|G[BCDEFS]|XG|IM)$/;

/** How far beside the original a copy is put, in dots. */
export const COPY_STEP = 20;

export interface Place {
  from: number;
  to: number;
}

function placeOf({ commands }: ElementCode): Place {
  return { from: commands[0]?.from ?? 0, to: commands.at(-1)?.to ?? 0 };
}

/** Each field once, though several elements may come from it; a refusal where the code of one is not there. */
function fieldsOf(codes: readonly (ElementCode | undefined)[]): ElementCode[] | Refusal {
  const fields = new Map<number, ElementCode>();
  for (const code of codes) {
    if (!code || code.commands.length === 0) return { refusal: say("Its code is not in the editor: it comes from the printer's memory, or the label has not been drawn since.") };
    fields.set(placeOf(code).from, code);
  }
  return [...fields.values()].sort((a, b) => placeOf(a).from - placeOf(b).from);
}

/** Runs of commands that go. */
function runsOf(commands: readonly CommandText[], stays: (command: CommandText) => boolean): Place[] {
  const runs: Place[] = [];
  for (const command of commands) {
    if (stays(command)) continue;
    const last = runs.at(-1);
    if (last?.to === command.from) last.to = command.to;
    else runs.push({ from: command.from, to: command.to });
  }
  return runs;
}

/** A line that would be left empty goes, too. */
function withLine(text: string, { from, to }: Place): Place {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = text.indexOf("\n", to);
  const isAlone = text.slice(start, from).trim() === "" && text.slice(to, end < 0 ? text.length : end).trim() === "";
  if (!isAlone) return { from, to };
  return end < 0 ? { from: Math.max(0, start - 1), to: text.length } : { from: start, to: end + 1 };
}

/** `isUsed`: whether barcodes behind a ^BY take their module width from it. */
export function removeFields(text: string, codes: readonly (ElementCode | undefined)[], isUsed: (by: CommandText) => boolean): Edit | Refusal {
  const fields = fieldsOf(codes);
  if (isRefusal(fields)) return fields;
  const stays = (command: CommandText): boolean => (command.name === "^BY" ? isUsed(command) : !OF_FIELD.test(command.name));
  return {
    changes: fields.flatMap((field) => runsOf(field.commands, stays)).map((run) => ({ ...withLine(text, run), insert: "" })),
  };
}

/** The fields as text, in the order of the code. */
export function copyFields(text: string, codes: readonly (ElementCode | undefined)[]): { zpl: string } | Refusal {
  const fields = fieldsOf(codes);
  if (isRefusal(fields)) return fields;
  return { zpl: fields.map(placeOf).map(({ from, to }) => text.slice(from, to)).join("\n") };
}

function changed(text: string, base: number, changes: readonly TextChange[]): string {
  let result = text;
  for (const { from, to, insert } of [...changes].sort((a, b) => b.from - a.from)) result = result.slice(0, from - base) + insert + result.slice(to - base);
  return result;
}

/** A copy behind each field, moved by `by` on the unturned label. `copies`: where they are in the text after the change. */
export function duplicateFields(text: string, codes: readonly (ElementCode | undefined)[], by: Point): (Edit & { copies: Place[] }) | Refusal {
  const fields = fieldsOf(codes);
  if (isRefusal(fields)) return fields;
  const changes: TextChange[] = [];
  const copies: Place[] = [];
  let grown = 0;
  for (const field of fields) {
    const moved = moveElement(field, by);
    if (isRefusal(moved)) return moved;
    const { from, to } = placeOf(field);
    const copy = changed(text.slice(from, to), from, moved.changes);
    const line = text[to] === "\n" || text[to] === "\r" ? "\n" : "";
    changes.push({ from: to, to, insert: line + copy });
    copies.push({ from: to + grown + line.length, to: to + grown + line.length + copy.length });
    grown += line.length + copy.length;
  }
  return { changes, copies };
}

/** Moves pasted fields aside, all by the same, until none lies where one of the label is. `taken`: "x,y" of ^FO and ^FT, in dots. */
export function besideOthers(zpl: string, prefixes: Prefixes, unitDots: number, taken: ReadonlySet<string>): { zpl: string; starts: number[] } {
  const places = splitCommands(zpl, 0, prefixes).filter(({ name }) => name === "^FO" || name === "^FT");
  const numberOf = (command: CommandText, index: number): number => Number(command.parameters[index]?.text || 0) * unitDots;
  const isTaken = (by: number): boolean => places.some((place) => taken.has(`${Math.round(numberOf(place, 0) + by)},${Math.round(numberOf(place, 1) + by)}`));
  let by = 0;
  while (by < 1000 && isTaken(by)) by += COPY_STEP;
  const moves = by === 0 ? [] : places.filter((place) => place.parameters.length > 1).flatMap((place) => [0, 1].map((index) => writeParameter(place, index, writeNumber(numberOf(place, index) + by, unitDots))));
  const moved = changed(zpl, 0, moves);
  return { zpl: moved, starts: splitCommands(moved, 0, prefixes).filter(({ name }) => name === "^FO" || name === "^FT").map(({ from }) => from) };
}
