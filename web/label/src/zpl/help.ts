// Completion, hover help and the line under the editor that follows the cursor, all from the command table.
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { el } from "../ui/dom";
import { describeParameter, type CommandInfo, type CommandTable } from "./commands";
import { commandIn, prefixesAt } from "./locate";
import { say } from "../ui/language";

const SUPPORT_TEXT = { full: "", partial: say("partly rendered"), none: say("read, no effect on the picture") } as const;

/** Rows of parameters with range and default; the active one is marked. */
export function commandHelp(info: CommandInfo, activeParameter = -1): HTMLElement {
  const support = SUPPORT_TEXT[info.support];
  return el(
    "div",
    { class: "zpl-help" },
    el("div", { class: "zpl-help-title" }, el("code", {}, info.name), el("span", { lang: "en" }, info.summary)),
    info.parameters.length === 0
      ? null
      : el(
          "dl",
          { lang: "en" },
          ...info.parameters.map((parameter, index) =>
            el(
              "div",
              { class: index === activeParameter ? "active" : "" },
              el("dt", {}, parameter.name),
              el("dd", {}, describeParameter(parameter)),
            ),
          ),
        ),
    support === "" && info.note === "" ? null : el("p", {}, support, support !== "" && info.note !== "" ? ": " : "", el("span", { lang: "en" }, info.note)),
  );
}

function asOption(info: CommandInfo, label: string): Completion {
  return {
    label,
    detail: info.summary,
    type: "keyword",
    // The summary stands in the list already.
    ...(info.parameters.length > 0 || info.note !== "" || info.support !== "full" ? { info: () => commandHelp(info) } : {}),
    boost: info.support === "none" ? -50 : 0,
  };
}

/** A command stands at the beginning of a line. */
function completeLine(table: CommandTable, before: string, from: number, explicit: boolean): CompletionResult | null {
  const typed = before.trimStart();
  if (!/^[A-Za-z]*$/.test(typed) || (typed.length < 2 && !explicit)) return null;
  return { from: from + before.length - typed.length, options: [...table.all].map((info) => asOption(info, info.name)), validFor: /^[A-Za-z]*$/ };
}

export function completeCommand(table: CommandTable) {
  return (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    if (table.isByLine) return completeLine(table, before, line.from, context.explicit);
    const text = context.state.doc.sliceString(0, context.pos);
    const prefixes = prefixesAt(text, context.pos);
    const at = Math.max(before.lastIndexOf(prefixes.format), before.lastIndexOf(prefixes.control));
    if (at < 0) return null;
    const typed = before.slice(at + 1);
    if (typed.length > 2 || !/^[A-Za-z0-9@]*$/.test(typed)) return null;
    const isFormat = before[at] === prefixes.format;
    const sign = isFormat ? "^" : "~";
    const shown = isFormat ? prefixes.format : prefixes.control;
    const options: Completion[] = [];
    for (const info of table.all) {
      if (info.name[0] !== sign) continue;
      options.push(asOption(info, shown + info.name.slice(1)));
    }
    // A command that is there whole, and that no other begins with, needs no completion.
    const whole = before.slice(at).toUpperCase();
    const fitting = options.filter((option) => option.label.toUpperCase().startsWith(whole));
    if (!context.explicit && fitting.length === 1 && fitting[0]?.label.toUpperCase() === whole) return null;
    return options.length === 0
      ? null
      : { from: line.from + at, options, validFor: (text) => /^.[A-Za-z0-9@]?$/.test(text) };
  };
}

export function zplHelp(table: CommandTable): Extension {
  return [
    autocompletion({
      override: [completeCommand(table)],
      icons: false,
      activateOnTyping: true,
      // Enter keeps its meaning after a command that is typed whole.
      interactionDelay: 50,
      // Some ten are in sight; a hundred take a slow processor longer than a key may.
      maxRenderedOptions: 30,
      tooltipClass: () => "zpl-completion",
    }),
    hoverTooltip(
      (view, position) => {
        const place = commandIn(view.state.doc, position, table);
        if (!place || place.parameter > 0 && place.name === "^FX") return null;
        const info = table.find(place.name);
        if (!info) return null;
        return {
          pos: place.from,
          end: place.nameEnd,
          above: true,
          create: () => ({ dom: commandHelp(info, place.parameter) }),
        };
      },
      { hoverTime: 350 },
    ),
  ];
}
