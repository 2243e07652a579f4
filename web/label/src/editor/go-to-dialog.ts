// The outline of the code with a search: a row goes to its place.
import type { CodeEditor } from "./editor";
import type { CommandTable } from "../zpl/commands";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren } from "../ui/dom";
import { say } from "../ui/language";
import { outlineOf } from "./outline";

const MOST_ROWS = 300;

export function openGoTo(editor: CodeEditor, table: CommandTable): void {
  const entries = outlineOf(editor.view.state.doc, table);
  const search = el("input", { class: "input", id: "go-to-search", type: "search", autocomplete: "off", spellcheck: "false", "aria-label": say("Search the outline") });
  const list = el("ul", { class: "outline", id: "outline" });
  const show = (): void => {
    const words = search.value.trim().toLowerCase();
    const found = entries.filter(({ text, command }) => `${command} ${text}`.toLowerCase().includes(words));
    const rows = found.slice(0, MOST_ROWS).map(({ text, command, from, isLabel }) => {
      const go = (): void => {
        dialog.close();
        editor.jumpTo(from, true);
      };
      return el("li", { class: isLabel ? "label" : "" }, el("button", { type: "button", onclick: go }, el("code", {}, command), el("span", {}, text), el("small", {}, String(editor.lineOf(from).line))));
    });
    replaceChildren(list, ...rows, found.length === 0 ? el("li", {}, say("Nothing was found.")) : null, found.length > MOST_ROWS ? el("li", {}, say("and {count} more", { count: found.length - MOST_ROWS })) : null);
  };
  search.addEventListener("input", show);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const first = list.querySelector<HTMLElement>("button");
    if (event.key === "Enter") first?.click();
    else first?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const rows = [...list.querySelectorAll<HTMLElement>("button")];
    const to = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    (rows[rows.indexOf(document.activeElement as HTMLElement) + to] ?? search).focus();
  });
  const dialog = openDialog(say("Go to"), "reading", search, list);
  show();
  search.focus();
}
