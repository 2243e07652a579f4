// Asks for the name of a label.
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { say } from "../ui/language";

export function askName(name: string, named: (name: string) => void): void {
  const input = el("input", { class: "input", id: "document-name", autocomplete: "off", maxlength: 200 });
  input.value = name;
  const form = el(
    "form",
    { class: "rows" },
    el("div", { class: "field" }, el("label", { for: "document-name" }, say("Name")), input),
    el("div", { class: "buttons" }, button({ text: say("Rename"), kind: "primary", submits: true })),
  );
  const dialog = openDialog(say("Rename"), "small", form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    named(input.value);
  });
  input.focus();
  input.select();
}
