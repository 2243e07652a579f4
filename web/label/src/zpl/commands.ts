// The command table of the service: fetched once, read defensively, looked up by name.
import type * as Answered from "../model/answers";
import type { Unchecked } from "../model/answers";
import { say } from "../ui/language";

export interface CommandParameter {
  name: string;
  description: string;
  default: string;
  range: string;
  type: string;
  min: number | undefined;
  max: number | undefined;
  /** Of a choice: what each of its characters means; empty where it is no choice. */
  meanings: ReadonlyMap<string, string>;
}

export interface CommandInfo {
  name: string;
  summary: string;
  syntax: string;
  support: Answered.Command["support"];
  note: string;
  parameters: CommandParameter[];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function readParameter(value: unknown): CommandParameter {
  const given = (value ?? {}) as Unchecked<Answered.CommandParameter>;
  return {
    name: text(given.name),
    description: text(given.description),
    default: text(given.default),
    range: text(given.range),
    type: text(given.type),
    min: typeof given.min === "number" ? given.min : undefined,
    max: typeof given.max === "number" ? given.max : undefined,
    meanings: readMeanings(text(given.values), given.meanings),
  };
}

function readMeanings(values: string, given: unknown): Map<string, string> {
  const words = (given ?? {}) as Record<string, unknown>;
  return new Map([...values].map((value) => [value, text(words[value])]));
}

export function readCommands(value: unknown): CommandInfo[] {
  if (!Array.isArray(value)) return [];
  const commands: CommandInfo[] = [];
  for (const entry of value as unknown[]) {
    const given = (entry ?? {}) as Unchecked<Answered.Command>;
    const name = text(given.name);
    if (!/^[\^~][A-Z0-9@]{1,2}$/.test(name)) continue;
    const support = given.support;
    commands.push({
      name,
      summary: text(given.summary),
      syntax: text(given.syntax) || name,
      support: support === "partial" || support === "none" ? support : "full",
      note: text(given.note),
      parameters: Array.isArray(given.parameters) ? given.parameters.map(readParameter) : [],
    });
  }
  return commands;
}

/** "bar height, 1 to 32000, default from ^BY": what the table knows of a parameter, in one line. */
export function describeParameter(parameter: CommandParameter): string {
  return [parameter.description, parameter.range, parameter.default ? say("default {value}", { value: parameter.default }) : ""].filter((part) => part !== "").join(", ");
}

export class CommandTable {
  private readonly byName = new Map<string, CommandInfo>();

  get all(): Iterable<CommandInfo> {
    return this.byName.values();
  }

  get size(): number {
    return this.byName.size;
  }

  fill(commands: CommandInfo[]): void {
    this.byName.clear();
    for (const command of commands) this.byName.set(command.name, command);
  }

  find(name: string): CommandInfo | undefined {
    return this.byName.get(name);
  }
}

/** Without the table the page works, only without help on commands; it is asked for again later. */
export async function loadCommands(from: { commands(): Promise<unknown> }, table: CommandTable): Promise<boolean> {
  try {
    table.fill(readCommands(await from.commands()));
    return table.size > 0;
  } catch {
    return false;
  }
}
