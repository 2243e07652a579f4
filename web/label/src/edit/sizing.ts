// A new size of an element as a change of the numbers that its command has for it, or the reason why there is none.
import type { ElementCode } from "../desk/tracker";
import type { CommandTable } from "../zpl/commands";
import { writeParameter, type CommandText, type TextChange } from "../zpl/split";
import { isRefusal, joinChanges, writeNumber, type Edit, type Refusal } from "./moving";
import { say } from "../ui/language";

/**
 * How a number follows the size: "set" is the size itself, "add" grows by as many dots, "scale" in proportion, in whole steps.
 * The last two need the number that is there.
 */
interface SizeNumber {
  command: CommandText;
  index: number;
  follows: "set" | "add" | "scale";
  /** Where nothing is written. */
  otherwise: number | undefined;
  least: number;
  most: number;
}

interface Sides {
  across: SizeNumber | Refusal;
  down: SizeNumber | Refusal;
}

function find(commands: readonly CommandText[], name: string): CommandText | undefined {
  return [...commands].reverse().find((command) => command.name === name);
}

function numberOf(command: CommandText, index: number): number | undefined {
  const text = command.parameters[index]?.text ?? "";
  return /^\d+(\.\d*)?$/.test(text) ? Number(text) : undefined;
}

function refuse(refusal: string): Sides {
  return { across: { refusal }, down: { refusal } };
}

function shapeSides(command: CommandText): Sides {
  const least = command.name === "^GB" || command.name === "^GD" ? 1 : 3;
  const side = (index: number): SizeNumber => ({ command, index, follows: "set", otherwise: undefined, least, most: least === 1 ? 32000 : 4095 });
  return { across: side(0), down: side(command.name === "^GC" ? 0 : 1) };
}

function textSides(commands: readonly CommandText[], main: string): Sides {
  const box = find(commands, "^TB");
  if (box) {
    const side = (index: number): SizeNumber => ({ command: box, index, follows: "add", otherwise: undefined, least: 1, most: 32000 });
    return { across: side(1), down: side(2) };
  }
  const font = find(commands, main) ?? find(commands, "^A") ?? find(commands, "^A@");
  const height = font ? numberOf(font, 1) : undefined;
  const width = font ? numberOf(font, 2) : undefined;
  const given = height || width;
  const missing = { refusal: say("Its size comes from ^CF. Write an ^A with a height into the field to change it alone.") };
  const letter = (index: number): SizeNumber | Refusal =>
    font && given ? { command: font, index, follows: "scale", otherwise: given, least: 1, most: 32000 } : missing;
  const block = find(commands, "^FB");
  return {
    across: block ? { command: block, index: 0, follows: "add", otherwise: undefined, least: 1, most: 32000 } : letter(2),
    down: letter(1),
  };
}

function barcodeSides(commands: readonly CommandText[], command: CommandText, table: CommandTable, othersUseBy: (by: CommandText) => boolean): Sides {
  const parameters = table.find(command.name)?.parameters ?? [];
  const indexOf = (name: string): number => parameters.findIndex((parameter) => parameter.name === name);
  const square = Math.max(indexOf("magnification"), indexOf("module size"));
  if (square >= 0 && command.name !== "^BR") {
    const side: SizeNumber = { command, index: square, follows: "scale", otherwise: undefined, least: 1, most: parameters[square]?.max ?? 100 };
    return { across: side, down: side };
  }
  const by = find(commands, "^BY");
  let across: SizeNumber | Refusal;
  if (command.name === "^BR") across = { command, index: square, follows: "scale", otherwise: undefined, least: 1, most: 10 };
  else if (command.name === "^BD") across = { refusal: say("MaxiCode has one size.") };
  else if (!by) across = { refusal: say("Its module width comes from a ^BY outside of the field. Write a ^BY into the field to change it alone.") };
  else if (othersUseBy(by)) across = { refusal: say("Its ^BY also sets barcodes behind it. Give those a ^BY of their own first, or change the number in the code.") };
  else across = { command: by, index: 0, follows: "scale", otherwise: 2, least: 1, most: 100 };
  const height = indexOf("height");
  const row = indexOf("row height");
  const down: SizeNumber | Refusal =
    height >= 0
      ? { command, index: height, follows: "add", otherwise: by ? numberOf(by, 2) : undefined, least: 1, most: 32000 }
      : row >= 0
        ? { command, index: row, follows: "scale", otherwise: undefined, least: 1, most: 32000 }
        : { refusal: command.name === "^BD" ? say("MaxiCode has one size.") : say("{command} has no height.", { command: command.name }) };
  return { across, down };
}

function sidesOf(code: ElementCode, table: CommandTable, othersUseBy: (by: CommandText) => boolean): Sides {
  const { element, commands } = code;
  const name = /^\^A./.test(element.command) && element.command !== "^A@" ? "^A" : element.command;
  const main = find(commands, name);
  switch (element.type) {
    case "text":
      return textSides(commands, name);
    case "barcode":
      return main ? barcodeSides(commands, main, table, othersUseBy) : refuse(say("Its command could not be found in the code."));
    case "image": {
      if (name !== "^XG" || !main) return refuse(say("A picture has the size of its data."));
      const side = (index: number): SizeNumber => ({ command: main, index, follows: "scale", otherwise: 1, least: 1, most: 10 });
      return { across: side(1), down: side(2) };
    }
    default:
      return main && /^\^G[BCDE]$/.test(main.name) ? shapeSides(main) : refuse(say("Its command has no size."));
  }
}

function changeSide(side: SizeNumber | Refusal, before: number, after: number, unitDots: number, dotSize: number): TextChange | Refusal {
  if (isRefusal(side)) return side;
  const { command, index, follows, otherwise, least, most } = side;
  const written = numberOf(command, index);
  const text = command.parameters[index]?.text ?? "";
  if (text !== "" && written === undefined) return { refusal: say('The number in its {command} is "{text}", which is not a plain number.', { command: command.name, text }) };
  const old = written || otherwise;
  if (follows !== "set" && old === undefined) return { refusal: say("Its {command} has no number for this size. Write one in the form.", { command: command.name }) };
  const isLength = command.name !== "^BQ" && command.name !== "^BO" && command.name !== "^B0" && command.name !== "^BR" && command.name !== "^XG";
  const unit = isLength ? unitDots : 1;
  const oldDots = Math.round((old ?? 0) * unit);
  const wanted = follows === "set" ? after / dotSize : follows === "add" ? oldDots + (after - before) / dotSize : (oldDots * after) / Math.max(before, 1);
  const dots = Math.min(Math.max(Math.round(wanted), least), most);
  if (dots === oldDots && written !== undefined) return { refusal: say("The next size is further away: this number goes in whole steps.") };
  return writeParameter(command, index, writeNumber(dots, unit));
}

export interface NewSize {
  /** Of the ink on the unturned label, in dots; undefined: stays. */
  width: number | undefined;
  height: number | undefined;
}

export function resizeElement(code: ElementCode | undefined, size: NewSize, table: CommandTable, othersUseBy: (by: CommandText) => boolean): Edit | Refusal {
  if (!code) return { refusal: say("Its code is not in the editor: it comes from the printer's memory, or the label has not been drawn since.") };
  const { element } = code;
  const sides = sidesOf(code, table, othersUseBy);
  const isTurned = element.rotation % 180 !== 0 && (element.type === "text" || element.type === "barcode");
  const unitDots = element.place?.unitDots ?? 1;
  const dotSize = Math.abs(element.place?.stepX || element.place?.stepY || unitDots) / unitDots;
  const found: TextChange[] = [];
  const written = new Set<string>();
  for (const [wanted, before, side] of [
    [size.width, element.width, isTurned ? sides.down : sides.across],
    [size.height, element.height, isTurned ? sides.across : sides.down],
  ] as const) {
    if (wanted === undefined || wanted === before) continue;
    const change = changeSide(side, before, wanted, unitDots, dotSize);
    if (isRefusal(change)) return change;
    // One number for both sides: the first counts.
    const key = isRefusal(side) ? "" : `${side.command.from} ${side.index}`;
    if (!written.has(key)) found.push(change);
    written.add(key);
  }
  return { changes: joinChanges(found) };
}
