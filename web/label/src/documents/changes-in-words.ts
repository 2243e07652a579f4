// What changed in a field, in words: "height 120 → 100", by the parameters of its commands; else by the size of its ink.
import type { ElementChange } from "../model/answers";
import { say } from "../ui/language";
import type { CommandTable } from "../zpl/commands";
import { DEFAULT_PREFIXES } from "../zpl/lexer";
import { splitCommands, type CommandText } from "../zpl/split";

/** Longer values would hide what changed. */
const MOST_SHOWN = 40;
/** More at once nobody reads. */
const MOST_CHANGES = 6;

function value(text: string): string {
  if (text === "") return say("not given");
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function commandsOf(code: Uint8Array, { offset, length }: { offset: number; length: number }): CommandText[] {
  return splitCommands(new TextDecoder().decode(code.subarray(offset, offset + length)), 0, DEFAULT_PREFIXES);
}

function parameterName(command: CommandText, index: number, table: CommandTable): string {
  if (command.name === "^FD" || command.name === "^FV") return say("data");
  return table.find(command.name)?.parameters[index]?.name ?? command.name;
}

function commandChanges(a: CommandText, b: CommandText, table: CommandTable): string[] {
  const changes = a.font === b.font ? [] : [`${say("font")} ${a.font} → ${b.font}`];
  for (let index = 0; index < Math.max(a.parameters.length, b.parameters.length); index++) {
    const [before, now] = [a.parameters[index]?.text ?? "", b.parameters[index]?.text ?? ""];
    if (before !== now) changes.push(`${parameterName(b, index, table)} ${value(before)} → ${value(now)}`);
  }
  return changes;
}

/** `codeA`, `codeB`: both inputs in bytes, as the service counts. Empty: nothing can be said. */
export function changesInWords({ change, a, b }: ElementChange, codeA: Uint8Array, codeB: Uint8Array, table: CommandTable): string {
  if (!a || !b) return "";
  const before = commandsOf(codeA, a);
  const changes: string[] = [];
  for (const now of commandsOf(codeB, b)) {
    const at = before.findIndex(({ name }) => name === now.name);
    const [old] = at < 0 ? [undefined] : before.splice(at, 1);
    // A move is said in millimetres.
    const isPlace = now.name === "^FO" || now.name === "^FT";
    if (old && !(change === "moved" && isPlace)) changes.push(...commandChanges(old, now, table));
  }
  if (changes.length === 0 && a.width !== b.width) changes.push(say("width {a} → {b} dots", { a: a.width, b: b.width }));
  if (changes.length === 0 && a.height !== b.height) changes.push(say("height {a} → {b} dots", { a: a.height, b: b.height }));
  return changes.slice(0, MOST_CHANGES).join(", ");
}
