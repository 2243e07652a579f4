// Field data that a person writes: where it stands in the code, and what cannot be written as it is.
import type { App } from "../app";
import { rangeOf } from "../editor/linking";
import { say } from "../ui/language";
import { prefixesAt } from "../zpl/locate";
import { splitCommands, type CommandText } from "../zpl/split";

/** Prefixes would end the data. Empty: there is no problem. */
export function dataProblem(text: string, prefix: string): string {
  const other = prefix === "^" ? "~" : "";
  if (!text.includes(prefix) && (other === "" || !text.includes(other))) return "";
  return say("{prefix} and ~ begin commands. Put ^FH before the data and write them as _5E and _7E.", { prefix });
}

/** The ^FD or ^FV of an element of the shown label, also where another field gave it its data. */
export function dataCommand(app: App, element: number): CommandText | undefined {
  const range = rangeOf(app.editor.view, { label: app.preview.index, element });
  if (!range) return undefined;
  const { doc } = app.editor.view.state;
  const prefixes = prefixesAt(doc.sliceString(0, range.from), range.from);
  return splitCommands(doc.sliceString(range.from, range.to), range.from, prefixes).findLast(({ name }) => name === "^FD" || name === "^FV");
}
