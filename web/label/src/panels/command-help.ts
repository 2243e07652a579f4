// The line under the editor: the command at the cursor, its syntax and the parameter being written.
import { describeParameter, type CommandInfo, type CommandTable } from "../zpl/commands";
import { commandIn } from "../zpl/locate";
import { el, replaceChildren } from "../ui/dom";
import type { CodeEditor } from "../editor/editor";
import { say } from "../ui/language";

/** All parameters in order, the active one marked. */
function parameterNames(info: CommandInfo, active: number): (string | HTMLElement)[] {
  return info.parameters.flatMap((parameter, index) => [
    index === 0 ? "" : ", ",
    index === active ? el("b", {}, parameter.name) : parameter.name,
  ]);
}

export function showCommandHelp(host: HTMLElement, editor: CodeEditor, table: CommandTable): void {
  const { doc } = editor.view.state;
  const position = editor.cursor;
  const place = commandIn(doc, position, table);
  const info = place ? table.find(place.name) : undefined;
  host.hidden = table.size === 0;
  if (!place || !info) {
    replaceChildren(host, el("span", {}, place ? say("{command} is not a command that Platen knows.", { command: place.name }) : table.isByLine ? "" : say("Type ^ for the list of commands.")));
    return;
  }
  const active = info.parameters[place.parameter];
  const facts = active ? describeParameter(active) : "";
  const text = active && facts !== "" ? `${active.name}: ${facts}` : info.summary;
  replaceChildren(
    host,
    el("code", {}, info.name),
    el("span", { class: "about", lang: "en" }, text),
    el("span", { class: "names", lang: "en" }, ...parameterNames(info, place.parameter)),
  );
}
