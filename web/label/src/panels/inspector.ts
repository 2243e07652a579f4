// The list of a label's elements and the facts about the chosen one: the keyboard's way to every element.
import type { LabelElement } from "../model/result";
import type { LengthUnit } from "../model/units";
import { checkList, elementHeading, elementSummary, elementTitle, factsOf } from "../preview/card";
import { hasTrouble } from "../preview/geometry";
import { el, replaceChildren } from "../ui/dom";
import { icon } from "../ui/icons";
import { say } from "../ui/language";

/** More rows than this help nobody and cost time. */
const MOST_ROWS = 500;

let revealing = 0;

/**
 * Scrolls the list to the chosen element, in the next frame: the panels around it have their final sizes then, and a page that is laid
 * out in the middle of a key press shows the key later.
 */
export function revealChosenRow(): void {
  cancelAnimationFrame(revealing);
  revealing = requestAnimationFrame(() => document.querySelector("#elements [aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
}

export class Inspector {
  readonly details: HTMLElement;
  readonly list: HTMLElement;
  private readonly rows: HTMLElement;
  private readonly count: HTMLElement;
  private elements: readonly LabelElement[] = [];
  private selected = -1;
  private dpmm = 8;
  private unit: LengthUnit = "mm";

  constructor(
    private readonly chosen: (index: number) => void,
    private readonly hovered: (index: number) => void,
  ) {
    this.details = el("section", { class: "group inspector", "aria-label": say("Chosen element") });
    this.rows = el("div", { class: "elements", role: "listbox", tabindex: 0, "aria-labelledby": "elements-heading", id: "elements" });
    this.count = el("h2", { id: "elements-heading" }, say("Elements"));
    this.list = el("section", { class: "group elements-group", "aria-labelledby": "elements-heading" }, this.count, this.rows);
    this.rows.addEventListener("keydown", (event) => this.onKey(event));
    this.rows.addEventListener("pointerleave", () => this.hovered(-1));
    this.showDetails();
  }

  show(elements: readonly LabelElement[], dpmm: number, unit: LengthUnit): void {
    if (elements.length !== this.elements.length) this.rows.scrollTop = 0;
    this.elements = elements;
    this.dpmm = dpmm;
    this.unit = unit;
    if (this.selected >= elements.length) this.selected = -1;
    this.count.textContent = elements.length === 0 ? say("Elements") : say("Elements ({count})", { count: elements.length });
    replaceChildren(
      this.rows,
      ...elements.slice(0, MOST_ROWS).map((element, index) => this.row(element, index)),
      elements.length === 0 ? el("p", {}, say("None yet.")) : null,
    );
    if (elements.length === 0) this.rows.removeAttribute("role");
    else this.rows.setAttribute("role", "listbox");
    this.select(this.selected);
  }

  select(index: number): void {
    this.rows.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    this.selected = index;
    const row = document.getElementById(`element-${index}`);
    row?.setAttribute("aria-selected", "true");
    if (row) this.rows.setAttribute("aria-activedescendant", row.id);
    else this.rows.removeAttribute("aria-activedescendant");
    this.showDetails();
    revealChosenRow();
  }

  private row(element: LabelElement, index: number): HTMLElement {
    const summary = elementSummary(element);
    const title = elementTitle(element);
    const row = el(
      "div",
      { role: "option", id: `element-${index}`, "aria-selected": "false" },
      el("code", {}, element.command),
      el("span", { class: "what" }, summary || el("small", {}, title)),
      hasTrouble(element) ? icon("warning") : null,
      el("span", { class: "unseen" }, [summary ? title : "", hasTrouble(element) ? say("has a problem") : ""].filter(Boolean).join(", ")),
    );
    row.addEventListener("click", () => this.chosen(index));
    row.addEventListener("pointerenter", () => this.hovered(index));
    return row;
  }

  private onKey(event: KeyboardEvent): void {
    const last = Math.min(this.elements.length, MOST_ROWS) - 1;
    const moves: Record<string, number> = {
      ArrowDown: this.selected + 1,
      ArrowUp: this.selected - 1,
      Home: 0,
      End: last,
      Escape: -1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.chosen(event.key === "Escape" ? -1 : Math.min(Math.max(to, 0), last));
  }

  private showDetails(): void {
    const element = this.elements[this.selected];
    if (!element) {
      replaceChildren(
        this.details,
        el("h2", {}, say("Element")),
        el("p", {}, say("Point at the label, or put the cursor in a command, to see what is there.")),
      );
      return;
    }
    const data = element.data || element.text;
    replaceChildren(
      this.details,
      el("h2", { class: "card-title" }, ...elementHeading(element)),
      data ? el("div", { class: "data", tabindex: 0, role: "group", "aria-label": say("Data") }, data) : null,
      el("dl", { class: "facts" }, ...factsOf(element, this.dpmm, this.unit).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
      checkList(element),
    );
  }
}
