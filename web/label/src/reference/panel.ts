// The command reference beside the editor: a search over the command table, every parameter with its meanings, and snippets to insert.
import type { App } from "../app";
import { button } from "../ui/controls";
import { el, need, replaceChildren, type Child } from "../ui/dom";
import { announce } from "../ui/messages";
import { blankBehindNames } from "../model/languages";
import { describeParameter, type CommandInfo, type CommandParameter } from "../zpl/commands";
import { commandIn, prefixesAt } from "../zpl/locate";
import { nearCommands, searchCommands } from "./search";
import { SNIPPETS, type Snippet } from "./snippets";
import { language, say } from "../ui/language";

/** More rows than this are not read; the search finds the rest. */
const MOST_ROWS = 300;
const SUPPORT = { full: "", partial: say("Partly rendered."), none: say("Read; no effect on the picture.") } as const;

export class ReferencePanel {
  private readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly results = el("div", { class: "results" });
  private readonly count = el("p", { class: "unseen", role: "status" });

  constructor(private readonly app: App) {
    this.search = el("input", { class: "input", id: "reference-search", type: "search", placeholder: say("^BC, barcode height, rotate …"), autocomplete: "off", spellcheck: "false", "aria-label": say("Search commands and snippets") });
    this.search.addEventListener("input", () => this.show());
    this.element = el(
      "section",
      { id: "reference", class: "reference", "aria-label": say("Command reference"), hidden: true },
      el("header", {}, el("h2", {}, say("Command reference")), button({ id: "reference-close", icon: "close", label: say("Close the command reference"), onClick: () => this.close() })),
      language === "en" ? null : el("p", { class: "in-english" }, say("Descriptions and search are in English.")),
      this.search,
      this.count,
      this.results,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    need("command-help").before(this.element);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Opens at a command; without one at the command where the cursor stands. */
  open(name = this.commandAtCursor()): void {
    this.element.hidden = false;
    this.search.value = name;
    this.show();
    this.search.focus();
    this.search.select();
  }

  close(): void {
    this.element.hidden = true;
    this.app.focusCode();
  }

  private commandAtCursor(): string {
    const { editor } = this.app;
    return commandIn(editor.view.state.doc, editor.cursor, this.app.commands)?.name ?? "";
  }

  private show(): void {
    const { commands } = this.app;
    const query = this.search.value;
    const found = searchCommands(commands.all, query);
    const snippets = (commands.isByLine ? [] : SNIPPETS).filter(({ name, about, zpl }) => `${name} ${about} ${zpl}`.toLowerCase().includes(query.trim().toLowerCase()));
    const near = found.length === 0 ? nearCommands(commands.all, query) : [];
    this.count.textContent = say("{commands} commands, {snippets} snippets", { commands: found.length, snippets: snippets.length });
    // A single command, or the one that was named: shown open.
    const named = found.filter(({ name }, index) => found.length === 1 || (index === 0 && this.isNamed(name, query)));
    replaceChildren(
      this.results,
      commands.size === 0 ? el("p", {}, say("The list of commands is not there yet.")) : null,
      near.length === 0 ? null : el("p", {}, say("Nothing has this name. Did you mean: "), ...near.map((command) => this.nearButton(command)), "?"),
      found.length === 0 && near.length === 0 && snippets.length === 0 && commands.size > 0 ? el("p", {}, say("Nothing was found.")) : null,
      ...named.map((command) => this.row(command, true)),
      snippets.length === 0 ? null : this.snippetPart(snippets, query.trim() !== ""),
      ...found.filter((command) => !named.includes(command)).slice(0, MOST_ROWS).map((command) => this.row(command, false)),
    );
  }

  private isNamed(name: string, query: string): boolean {
    const wanted = query.trim().toUpperCase();
    return wanted === name.toUpperCase() || (!this.app.commands.isByLine && wanted === name.slice(1)) || (name === "^A" && /^\^?A[A-Z0-9]$/.test(wanted));
  }

  private nearButton(command: CommandInfo): HTMLElement {
    return button({ text: `${command.name} ${command.summary}`, kind: "outlined", onClick: () => this.open(command.name) });
  }

  private snippetPart(snippets: readonly Snippet[], open: boolean): HTMLElement {
    return el(
      "details",
      { class: "snippets", open: open && snippets.length <= 4 },
      el("summary", {}, say("Snippets ({count})", { count: snippets.length })),
      ...snippets.map((snippet) =>
        el(
          "div",
          { class: "snippet" },
          el("span", {}, el("strong", {}, snippet.name), ` ${snippet.about}`),
          button({ text: say("Insert"), label: say("Insert the snippet {name}", { name: snippet.name }), kind: "outlined", onClick: () => this.insert(snippet.zpl, snippet.name) }),
          el("pre", { tabindex: 0, "aria-label": say("Code of {name}", { name: snippet.name }) }, snippet.zpl.trimEnd()),
        ),
      ),
    );
  }

  private row(command: CommandInfo, open: boolean): HTMLElement {
    const details = el("details", { class: "command", open }, el("summary", {}, el("code", {}, command.name), el("span", { lang: "en" }, command.summary)));
    const fill = (): void => {
      if (details.childElementCount === 1) details.append(...this.facts(command));
    };
    details.addEventListener("toggle", fill);
    if (open) fill();
    return details;
  }

  private facts(command: CommandInfo): HTMLElement[] {
    const support = SUPPORT[command.support];
    const parts: Child[] = [
      el("p", { class: "syntax" }, el("code", {}, command.syntax)),
      support === "" && command.note === "" ? null : el("p", {}, support, " ", el("span", { lang: "en" }, command.note)),
      command.parameters.length === 0 ? null : el("dl", { lang: "en" }, ...command.parameters.flatMap((parameter) => this.parameter(parameter))),
      button({ text: say("Insert"), label: say("Insert {command} at the cursor", { command: command.name }), kind: "outlined", onClick: () => (this.app.commands.isByLine ? this.insertLine(command) : this.insert(command.name === "^A" ? "^A0" : command.name, command.name)) }),
    ];
    return [el("div", { class: "facts-of-command" }, ...parts)];
  }

  private parameter(parameter: CommandParameter): HTMLElement[] {
    const values = [...parameter.meanings].filter(([, words]) => words !== "");
    const facts = values.length > 0 ? [parameter.description, parameter.default === "" ? "" : say("default {value}", { value: parameter.default })].filter(Boolean).join(", ") : describeParameter(parameter);
    return [
      el("dt", {}, parameter.name),
      el("dd", {}, facts, values.length === 0 ? null : el("ul", {}, ...values.map(([value, words]) => el("li", {}, el("code", {}, value), ` ${words}`)))),
    ];
  }

  /** Where a line is a command: on a line of its own, before that of the cursor if it stands at its beginning, else behind it. */
  private insertLine({ name, parameters }: CommandInfo): void {
    const { editor, commands } = this.app;
    const { doc, selection } = editor.view.state;
    const line = doc.lineAt(selection.main.head);
    const text = name + (parameters.length > 0 ? blankBehindNames(commands.language) : "");
    const isBefore = selection.main.head === line.from;
    const change = line.text.trim() === "" ? { from: line.from, to: line.to, insert: text } : isBefore ? { from: line.from, to: line.from, insert: `${text}\n` } : { from: line.to, to: line.to, insert: `\n${text}` };
    editor.change([change], { cursor: change.from + (change.insert.startsWith("\n") ? 1 : 0) + text.length });
    announce(say("{what} inserted", { what: name }));
    editor.view.focus();
  }

  /** At the cursor, in the prefixes that hold there, as one step to undo. */
  private insert(zpl: string, what: string): void {
    const { editor } = this.app;
    const { from, to } = editor.view.state.selection.main;
    const prefixes = prefixesAt(editor.view.state.doc.sliceString(0, from), from);
    const insert = zpl.replace(/[\^~,]/g, (sign) => (sign === "^" ? prefixes.format : sign === "~" ? prefixes.control : prefixes.delimiter));
    editor.change([{ from, to, insert }], { cursor: from + insert.length });
    announce(say("{what} inserted", { what }));
    editor.view.focus();
  }
}
