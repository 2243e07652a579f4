// Finding commands of the table by name, by what they do and by their parameters; and what was meant when nothing fits.
import type { CommandInfo } from "../zpl/commands";

function textOf(command: CommandInfo): string {
  return [command.summary, command.note, ...command.parameters.map((parameter) => `${parameter.name} ${parameter.description}`)].join(" ").toLowerCase();
}

/** 0: does not fit; more is better. */
function fit(command: CommandInfo, query: string, words: readonly string[]): number {
  const name = command.name.toLowerCase();
  const bare = name.slice(1);
  const plain = query.replace(/^[\^~]/, "");
  if (name === query || bare === plain || (bare === "a" && /^a[0-9a-z]$/.test(plain))) return 100;
  if (plain.length <= 2 && (name.startsWith(query) || bare.startsWith(plain))) return 60;
  const summary = command.summary.toLowerCase();
  const all = textOf(command);
  if (!words.every((word) => all.includes(word))) return 0;
  const inSummary = words.filter((word) => summary.includes(word)).length;
  const begins = words.filter((word) => new RegExp(`\\b${word.replace(/[^a-z0-9]/g, "\\$&")}`).test(summary)).length;
  return 10 + inSummary * 5 + begins * 3 + (command.support === "none" ? -6 : 0);
}

export function searchCommands(commands: Iterable<CommandInfo>, text: string): CommandInfo[] {
  const query = text.trim().toLowerCase();
  const all = [...commands];
  if (query === "") return all;
  const words = query.split(/\s+/);
  return all
    .map((command) => ({ command, score: fit(command, query, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command);
}

/** Commands whose name is one letter away or has its letters swapped, best supported first. */
export function nearCommands(commands: Iterable<CommandInfo>, text: string): CommandInfo[] {
  const wanted = text.trim().toUpperCase().replace(/^[\^~]/, "");
  if (!/^[A-Z0-9@]{2}$/.test(wanted)) return [];
  const rank = (command: CommandInfo): number => {
    const name = command.name.slice(1);
    if (name === `${wanted[1]}${wanted[0]}`) return 3;
    if (name.length !== 2) return 0;
    const same = Number(name[0] === wanted[0]) + Number(name[1] === wanted[1]);
    return same === 1 ? (command.support === "none" ? 1 : 2) : 0;
  };
  return [...commands]
    .map((command) => ({ command, score: rank(command) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 6)
    .map(({ command }) => command);
}
