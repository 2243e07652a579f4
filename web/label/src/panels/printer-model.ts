// The choice of a printer model: what such a printer would not print is among the findings. The list is the renderer's.
import { el } from "../ui/dom";
import { say } from "../ui/language";

interface PrinterModel {
  name: string;
  title: string;
}

/** Whatever is no model is left out. */
function readPrinterModels(value: unknown): PrinterModel[] {
  const isModel = (row: unknown): row is PrinterModel => {
    const { name, title } = (row ?? {}) as Record<string, unknown>;
    return typeof name === "string" && typeof title === "string";
  };
  return Array.isArray(value) ? value.filter(isModel) : [];
}

export class PrinterModelChoice {
  readonly element: HTMLElement;
  private readonly select = el("select", { class: "select", id: "printer-model" }, el("option", { value: "none" }, say("None in particular")));

  constructor(private readonly changed: (model: string) => void) {
    this.select.addEventListener("change", () => changed(this.select.value));
    this.element = el("div", { class: "field" }, el("label", { for: "printer-model" }, say("Printer model")), this.select);
  }

  /** False: there was no list. */
  fill(value: unknown): boolean {
    const models = readPrinterModels(value);
    const { value: shown } = this.select;
    this.select.replaceChildren(this.select.options[0]!, ...models.map(({ name, title }) => el("option", { value: name }, title)));
    // A link or a kept label of another version may name a model that nothing here can be drawn for.
    const isKnown = models.length === 0 || [...this.select.options].some(({ value: name }) => name === shown);
    this.show(isKnown ? shown : "none");
    if (!isKnown) this.changed("none");
    return models.length > 0;
  }

  /** A model that the list does not have (yet) is shown by its name. */
  show(model: string): void {
    if (![...this.select.options].some(({ value }) => value === model)) this.select.append(el("option", { value: model }, model));
    this.select.value = model;
  }
}
