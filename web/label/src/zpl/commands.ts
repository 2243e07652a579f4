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
    if (!/^\S{1,20}$/.test(name)) continue;
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
  /** Of each language that was asked for. */
  private readonly tables = new Map<string, ReadonlyMap<string, CommandInfo>>();
  private byName: ReadonlyMap<string, CommandInfo> = new Map();
  private used = "zpl";

  /** Whose commands these are. */
  get language(): string {
    return this.used;
  }

  /** Other languages have a command a line, and no prefixes. */
  get isByLine(): boolean {
    return this.used !== "zpl";
  }

  get all(): Iterable<CommandInfo> {
    return this.byName.values();
  }

  get size(): number {
    return this.byName.size;
  }

  fill(commands: CommandInfo[], language = "zpl"): void {
    this.tables.set(language, new Map(commands.map((command) => [command.name, command])));
    if (language === this.used) this.use(language);
  }

  /** False: its commands are not known yet. */
  use(language: string): boolean {
    this.used = language;
    const table = this.tables.get(language);
    this.byName = table ?? new Map();
    return table !== undefined;
  }

  /** The longest name that a line begins with. Words may be written in any case; single letters differ by it. */
  beginning(line: string): string {
    const upper = line.slice(0, 20).toUpperCase();
    let best = "";
    for (const name of this.byName.keys()) {
      if (name.length > best.length && (line.startsWith(name) || (name.length > 2 && upper.startsWith(name.toUpperCase())))) best = name;
    }
    return best;
  }

  find(name: string): CommandInfo | undefined {
    return this.byName.get(name);
  }
}

/** Without the table the page works, only without help on commands; it is asked for again later. */
export async function loadCommands(from: { commands(language: string): Promise<unknown> }, table: CommandTable, language = "zpl"): Promise<boolean> {
  try {
    const commands = readCommands(await from.commands(language));
    if (commands.length > 0) table.fill(commands, language);
    return commands.length > 0;
  } catch {
    return false;
  }
}

/** Tries again, later and later, where a table cannot be had. */
export async function loadUntilDone(load: () => Promise<boolean>, attempt = 1): Promise<void> {
  if (await load().catch(() => false)) return;
  setTimeout(() => void loadUntilDone(load, attempt + 1), Math.min(attempt * 5000, 60_000));
}
