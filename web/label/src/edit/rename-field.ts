// Another number or name for a field that values are filled into: every ^FN of it changes, in one step.
import type { CodeEditor, TextChange } from "../editor/editor";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { announce, toast } from "../ui/messages";
import { say, sayCount } from "../ui/language";
import { DEFAULT_PREFIXES } from "../zpl/lexer";
import { splitCommands } from "../zpl/split";

interface FieldPlace {
  from: number;
  to: number;
  number: number;
  /** With its quotes; empty: it has none. */
  prompt: string;
  commandFrom: number;
  commandTo: number;
}

function fieldsOf(text: string): FieldPlace[] {
  return splitCommands(text, 0, DEFAULT_PREFIXES).flatMap(({ name, from, to, parameters }) => {
    const [place] = parameters;
    const found = name === "^FN" && place ? /^(\d+)\s*("[^"]*")?/.exec(place.text) : null;
    return found && place ? [{ from: place.from, to: place.from + found[0].length, number: Number(found[1]), prompt: found[2] ?? "", commandFrom: from, commandTo: to }] : [];
  });
}

/** What renaming changes; a refusal where another field has the number. */
export function renameField(text: string, old: number, number: number, name: string): readonly TextChange[] | string {
  const fields = fieldsOf(text);
  if (number !== old && fields.some((field) => field.number === number)) return say("Another field has the number {number}.", { number: String(number) });
  const own = fields.filter((field) => field.number === old);
  // A name is written where one stands, else once: where the field is first.
  const named = own.filter(({ prompt }) => prompt !== "");
  const namers = named.length > 0 ? named : own.slice(0, 1);
  return own.map((field) => ({ from: field.from, to: field.to, insert: `${number}${namers.includes(field) && name !== "" ? `"${name}"` : ""}` }));
}

/** For the ^FN at the cursor. */
export function askFieldName(editor: CodeEditor): void {
  const { text, cursor } = editor;
  const fields = fieldsOf(text);
  const field = fields.find(({ commandFrom, commandTo }) => commandFrom <= cursor && cursor <= commandTo);
  if (!field) return toast(say("Put the cursor on a ^FN to rename its field."));
  const all = fields.filter(({ number }) => number === field.number);
  const number = el("input", { class: "input", id: "field-number", type: "number", min: 0, max: 9999, step: 1, value: field.number });
  const name = el("input", { class: "input", id: "field-name", autocomplete: "off", maxlength: 100, value: (all.find(({ prompt }) => prompt !== "")?.prompt ?? "").slice(1, -1) });
  const refusal = el("p", { role: "alert", class: "tone-error" });
  const form = el(
    "form",
    { class: "rows" },
    el("div", { class: "field" }, el("label", { for: "field-number" }, say("Number")), number),
    el("div", { class: "field" }, el("label", { for: "field-name" }, say("Name")), name),
    el("p", {}, sayCount("{count} place changes.", "{count} places change.", all.length)),
    refusal,
    el("div", { class: "buttons" }, button({ text: say("Rename"), kind: "primary", submits: true })),
  );
  const dialog = openDialog(say("Rename the field"), "small", form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const changes = renameField(editor.text, field.number, Math.trunc(Number(number.value)), name.value.replace(/["^~]/g, "").trim());
    if (typeof changes === "string") {
      refusal.textContent = changes;
      return;
    }
    dialog.close();
    editor.change(changes);
    announce(sayCount("{count} place changed", "{count} places changed", changes.length));
    editor.view.focus();
  });
  number.focus();
  number.select();
}
