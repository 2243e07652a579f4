// A move of an element as a change of the numbers of its ^FO or ^FT, or the reason why it cannot be moved.
import type { ElementCode } from "../desk/tracker";
import type { Axis } from "../desk/turning";
import { trimNumber } from "../model/units";
import type { Point } from "../preview/transform";
import { writeParameter, type CommandText, type TextChange } from "../zpl/split";
import { say } from "../ui/language";

export interface Refusal {
  refusal: string;
}

export interface Edit {
  changes: TextChange[];
}

export interface Move extends Edit {
  /** On the unturned label, in dots: less than asked for where a number cannot go further. */
  moved: Point;
}

/** Largest coordinate that ZPL allows, in dots. */
const MOST = 32000;

export function isRefusal(outcome: object): outcome is Refusal {
  return "refusal" in outcome;
}

/** A number in the unit of the label: whole where the unit is dots. */
export function writeNumber(dots: number, unitDots: number): string {
  return unitDots === 1 ? String(Math.round(dots)) : trimNumber(dots / unitDots, 4);
}

interface NumberMove {
  change: TextChange | undefined;
  moved: number;
}

function moveNumber(command: CommandText, axis: Axis, step: number, unitDots: number, by: number): NumberMove | Refusal {
  if (by === 0) return { change: undefined, moved: 0 };
  if (step === 0) return { refusal: say("Its {command} has no {axis}, so it follows the text before it. Write a number there to move it.", { command: command.name, axis }) };
  const index = axis === "x" ? 0 : 1;
  const text = command.parameters[index]?.text ?? "";
  if (text !== "" && !/^\d+(\.\d*)?$/.test(text)) return { refusal: say('The {axis} of its {command} is "{text}", which is not a plain number.', { axis, command: command.name, text }) };
  // Dots of the format; a dot of it may be two of the page, and the other way round.
  const page = step / unitDots;
  const before = Math.round(Number(text) * unitDots);
  const after = Math.min(Math.max(before + Math.round(by / page), 0), MOST);
  if (after === before) return { change: undefined, moved: 0 };
  return { change: writeParameter(command, index, writeNumber(after, unitDots)), moved: (after - before) * page };
}

/** Both numbers that are not written stand behind the name: they are one change. */
export function joinChanges(changes: readonly TextChange[]): TextChange[] {
  const [x, y] = changes;
  if (x && y && x.from === y.from) return [{ from: x.from, to: Math.max(x.to, y.to), insert: x.insert + y.insert }];
  return [...changes];
}

/** `by`: on the unturned label, in dots. */
export function moveElement(code: ElementCode | undefined, by: Point): Move | Refusal {
  if (!code) return { refusal: say("Its code is not in the editor: it comes from the printer's memory, or the label has not been drawn since.") };
  const { element, commands, place } = code;
  if (commands.some(({ name }) => name === "^FM")) return { refusal: say("Its ^FM places several symbols. Change the numbers there.") };
  if (!element.place) return { refusal: say("It has no ^FO or ^FT of its own. Write one before it to move it.") };
  if (!place) return { refusal: say("Its ^FO or ^FT could not be found in the code. Wait until the label is drawn.") };
  const { stepX, stepY, unitDots } = element.place;
  const x = moveNumber(place, "x", stepX, unitDots, by.x);
  if (isRefusal(x)) return x;
  const y = moveNumber(place, "y", stepY, unitDots, by.y);
  if (isRefusal(y)) return y;
  const changes = joinChanges([x.change, y.change].filter((change) => change !== undefined));
  if (changes.length === 0) return { refusal: say("Its {command} cannot go further that way: the numbers run from 0 to {most}, counted from ^LH.", { command: place.name, most: String(MOST) }) };
  return { changes, moved: { x: x.moved, y: y.moved } };
}

export interface Task {
  code: ElementCode | undefined;
  name: string;
  by: Point;
}

/** Moves several at once: all or none. Elements of one field move together. */
export function moveElements(tasks: readonly Task[]): Edit | Refusal {
  const changes: TextChange[] = [];
  const done = new Set<number>();
  for (const { code, name, by } of tasks) {
    if (Math.round(by.x) === 0 && Math.round(by.y) === 0) continue;
    const at = code?.place?.from;
    if (at !== undefined && done.has(at)) continue;
    const outcome = moveElement(code, by);
    if (isRefusal(outcome)) return { refusal: `${name}: ${outcome.refusal}` };
    if (at !== undefined) done.add(at);
    changes.push(...outcome.changes);
  }
  return { changes };
}
