// The line under the editor: the command at the cursor, its syntax and the parameter being written.
import { describeParameter, type CommandTable } from "../zpl/commands";
import { commandAt, prefixesAt } from "../zpl/locate";
import { el, replaceChildren } from "../ui/dom";
import type { CodeEditor } from "../editor/editor";

/** The syntax with the active parameter marked: "^FOx,y,z" splits after the name, then at each comma. */
function syntaxParts(syntax: string, name: string, active: number): (string | HTMLElement)[] {
  const start = syntax.startsWith(name) ? name.length : syntax.length;
  const parts: (string | HTMLElement)[] = [syntax.slice(0, start)];
  if (start === syntax.length) return parts;
  syntax
    .slice(start)
    .split(",")
    .forEach((text, index) => {
      if (index > 0) parts.push(",");
      parts.push(index === active ? el("b", {}, text) : text);
    });
  return parts;
}

export function showCommandHelp(host: HTMLElement, editor: CodeEditor, table: CommandTable): void {
  const { doc } = editor.view.state;
  const position = editor.cursor;
  const from = Math.max(0, position - 4096);
  const prefixes = prefixesAt(doc.sliceString(0, position), position);
  const place = commandAt(doc.sliceString(from, Math.min(doc.length, position + 4096)), position - from, prefixes);
  const info = place ? table.find(place.name) : undefined;
  host.hidden = table.size === 0;
  if (!place || !info) {
    replaceChildren(host, el("span", {}, place ? `${place.name} is not a command that Platen knows.` : "Type ^ for the list of commands."));
    return;
  }
  const active = info.parameters[Math.max(place.parameter, 0)];
  const summary =
    place.parameter >= 0 && active
      ? `${active.name}: ${describeParameter(active)}`
      : info.summary;
  replaceChildren(host, el("code", {}, ...syntaxParts(info.syntax, info.name, place.parameter)), el("span", { title: summary }, summary));
}
