// The form of the chosen element: every parameter of its field's commands, with its meaning in words. A change is written into the code at once.
import type { DeskTools } from "../desk/tools";
import { el, replaceChildren, type Child } from "../ui/dom";
import { describeParameter, type CommandParameter } from "../zpl/commands";
import { writeParameter, type CommandText, type TextChange } from "../zpl/split";
import { say } from "../ui/language";
import { dataProblem } from "./data";

/** Commands that end a field or change how it is read have nothing to fill in here. */
const LEFT_OUT = new Set(["^FS", "^XA", "^XZ", "^CC", "^CD", "^CT", "~CC", "~CD", "~CT"]);

export class PropertyForm {
  private readonly render = (): void => this.show();
  /** What the form was made of. */
  private shown = "";

  constructor(
    private readonly tools: DeskTools,
    private readonly host: HTMLElement,
  ) {
    tools.selection.watchers.add(this.render);
    this.show();
  }

  end(): void {
    this.tools.selection.watchers.delete(this.render);
  }

  private show(): void {
    const { selection, tracker } = this.tools;
    // What is being written in the form stays under the fingers of its writer.
    const focused = this.host.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
    const [index] = selection.elements;
    const code = index === undefined || selection.elements.length > 1 ? undefined : tracker.codeOf(index);
    if (index === undefined || !code) {
      const why = selection.elements.length > 1 ? say("Choose one element alone.") : index === undefined ? say("Choose an element.") : say("Its code is not in the editor.");
      replaceChildren(this.host, el("p", { class: "hint" }, why));
      this.shown = "";
      return;
    }
    const uses = tracker.usesOf(index);
    // An answer of the renderer changes nothing here, and must not take away what is written and not yet taken, nor what is said of it.
    const shown = JSON.stringify([index, uses, code.commands, code.commands.map(({ name }) => Boolean(this.tools.app.commands.find(name)))]);
    if (shown === this.shown) return;
    this.shown = shown;
    replaceChildren(
      this.host,
      uses > 1 ? el("p", { class: "hint" }, say("The field is drawn on {count} labels; a change shows on all of them.", { count: uses })) : null,
      ...code.commands.map((command, at) => this.commandPart(command, at)),
    );
    if (focused !== "") document.getElementById(focused)?.focus();
  }

  private commandPart(command: CommandText, at: number): HTMLElement | null {
    const info = this.tools.app.commands.find(command.name);
    if (!info || LEFT_OUT.has(command.name) || info.parameters.length === 0) return null;
    const rows: Child[] = [];
    if (command.name === "^A") rows.push(this.fontRow(command, at));
    info.parameters.forEach((parameter, index) => {
      if (parameter.type === "data" && command.name !== "^FD" && command.name !== "^FV") return;
      rows.push(this.row(command, at, parameter, index));
    });
    return el("fieldset", {}, el("legend", {}, el("code", {}, command.name + command.font), " ", el("span", { lang: "en" }, info.summary)), ...rows);
  }

  private field(id: string, name: string, hint: string, control: HTMLElement, error: HTMLElement): HTMLElement {
    control.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
    return el("div", { class: "field" }, el("label", { for: id }, name), control, el("p", { class: "hint", id: `${id}-hint` }, hint), error);
  }

  private fontRow(command: CommandText, at: number): HTMLElement {
    const id = `parameter-${at}-font`;
    const input = el("input", { class: "input", id, maxlength: 1, autocomplete: "off" });
    input.value = command.font;
    const error = errorOf(id);
    input.addEventListener("change", () => {
      const value = input.value.toUpperCase();
      if (!/^[A-Z0-9]$/.test(value)) return complain(input, error, say("One letter or digit, please."));
      this.write({ from: command.nameEnd - command.font.length, to: command.nameEnd, insert: value });
    });
    return this.field(id, say("font"), say("letter or digit of the font; 0: scalable"), input, error);
  }

  private row(command: CommandText, at: number, parameter: CommandParameter, index: number): HTMLElement {
    const id = `parameter-${at}-${index}`;
    const value = command.parameters[index]?.text ?? "";
    const error = errorOf(id);
    const write = (text: string): void => this.write(writeParameter(command, index, text));
    let control: HTMLElement;
    let hint = describeParameter(parameter);
    if (parameter.meanings.size > 0) {
      control = this.choice(id, parameter, value, write);
      hint = parameter.description;
    } else if (parameter.type === "data") {
      control = this.data(id, command, value, error, write);
      hint = parameter.description;
    } else control = this.input(id, command, parameter, value, error, write);
    const field = this.field(id, parameter.name, hint, control, error);
    field.lang = "en"; // of the command table
    return field;
  }

  private choice(id: string, parameter: CommandParameter, value: string, write: (text: string) => void): HTMLElement {
    const now = value.slice(0, 1).toUpperCase();
    const select = el("select", { class: "select", id });
    select.append(el("option", { value: "" }, parameter.default === "" ? say("not given") : say("not given: {value}", { value: parameter.default })));
    for (const [character, words] of parameter.meanings) select.append(el("option", { value: character }, words === "" ? character : `${character}: ${words}`));
    if (now !== "" && !parameter.meanings.has(now)) select.append(el("option", { value }, say("{value}: not allowed", { value })));
    select.value = parameter.meanings.has(now) ? now : value;
    select.addEventListener("change", () => write(select.value));
    return select;
  }

  private input(id: string, command: CommandText, parameter: CommandParameter, value: string, error: HTMLElement, write: (text: string) => void): HTMLElement {
    const isNumber = parameter.min !== undefined && parameter.max !== undefined;
    const input = el("input", { class: "input", id, autocomplete: "off", spellcheck: "false", ...(isNumber ? { inputmode: "decimal" } : {}) });
    input.value = value;
    input.addEventListener("change", () => {
      const text = input.value.trim();
      const problem = text === "" ? "" : isNumber ? numberProblem(text, parameter, this.unitDots()) : this.textProblem(text, command);
      if (problem !== "") complain(input, error, problem);
      else write(text);
    });
    return input;
  }

  private data(id: string, command: CommandText, value: string, error: HTMLElement, write: (text: string) => void): HTMLElement {
    const area = el("textarea", { class: "input", id, spellcheck: "false" });
    area.value = value;
    area.addEventListener("change", () => {
      const problem = this.textProblem(area.value, undefined, command);
      if (problem !== "") complain(area, error, problem);
      else write(area.value);
    });
    return area;
  }

  private unitDots(): number {
    const { app, selection } = this.tools;
    return app.preview.elements[selection.elements[0] ?? -1]?.place?.unitDots ?? 1;
  }

  /** Prefixes would end the data, a delimiter the parameter. */
  private textProblem(text: string, parameterOf: CommandText | undefined, dataOf?: CommandText): string {
    const command = parameterOf ?? dataOf;
    const prefix = command ? this.tools.app.editor.view.state.doc.sliceString(command.from, command.from + 1) : "^";
    const problem = dataProblem(text, prefix);
    if (problem !== "") return problem;
    if (parameterOf && text.includes(parameterOf.delimiter)) return say("{delimiter} parts parameters and cannot stand in one.", { delimiter: parameterOf.delimiter });
    return "";
  }

  private write(change: TextChange): void {
    const { doc } = this.tools.app.editor.view.state;
    if (doc.sliceString(change.from, change.to) !== change.insert) this.tools.app.editor.change([change]);
    this.show();
  }
}

function errorOf(id: string): HTMLElement {
  return el("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
}

function complain(control: HTMLElement, error: HTMLElement, text: string): void {
  control.setAttribute("aria-invalid", "true");
  error.textContent = text;
  error.hidden = false;
}

function numberProblem(text: string, { min, max, type }: CommandParameter, unitDots: number): string {
  const value = Number(text.replace(",", "."));
  if (!/^-?\d*\.?\d+$/.test(text)) return say("A number, please.");
  const scale = type === "dots" ? unitDots : 1;
  if (min !== undefined && value * scale < min) return say("At least {least}, please.", { least: String(min) });
  if (max !== undefined && value * scale > max) return say("At most {most}, please.", { most: String(max) });
  return "";
}
