// The panel with the place and size of what is chosen, in dots, millimetres and inches; of two elements, how far they are apart.
import type { App } from "../app";
import { revealChosenRow } from "../panels/inspector";
import { el, replaceChildren } from "../ui/dom";
import { gapBetween } from "./distance";
import { inUnits } from "./lengths";
import type { Selection } from "./selection";
import { say, sayCount } from "../ui/language";

type Row = readonly [name: string, dots: number];

interface Group {
  name: string;
  rows: readonly Row[];
}

export class PositionPanel {
  readonly element = el("section", { class: "group positions", id: "positions", "aria-label": say("Position"), hidden: true });

  constructor(
    private readonly app: App,
    private readonly selection: Selection,
  ) {
    selection.watchers.add(() => this.show());
    this.show();
  }

  private show(): void {
    const { preview, dpmm } = this.app;
    const chosen = this.selection.elements;
    // Of the unturned label: rulers and code count so, however the label is shown.
    const boxes = chosen.map((index) => preview.elements[index]).filter((box) => box !== undefined);
    this.element.hidden = boxes.length === 0;
    const [first, second] = boxes;
    if (!first) return;
    const groups: Group[] = [];
    if (boxes.length === 1) {
      const { place } = first;
      if (place) groups.push({ name: say("{command} in the code", { command: place.command }), rows: [["x", place.x], ["y", place.y]] });
      groups.push({
        name: say("Ink, from the label's own corner"),
        rows: [[say("Left"), first.x], [say("Top"), first.y], [say("Right"), first.x + first.width], [say("Bottom"), first.y + first.height], [say("Width"), first.width], [say("Height"), first.height]],
      });
    } else if (boxes.length === 2 && second) {
      const gap = gapBetween(first, second);
      groups.push({
        name: say("Between the two"),
        rows: [[gap.across < 0 ? say("Overlap in x") : say("Gap in x"), Math.abs(gap.across)], [gap.down < 0 ? say("Overlap in y") : say("Gap in y"), Math.abs(gap.down)]],
      });
    }
    const heading = boxes.length > 1 ? sayCount("Position ({count} element chosen)", "Position ({count} elements chosen)", boxes.length) : say("Position");
    replaceChildren(this.element, el("h2", {}, heading), groups.length === 0 ? null : lengthTable(groups, dpmm));
    revealChosenRow(); // the panel takes room from the list above it
  }
}

function lengthRow([name, dots]: Row, dpmm: number): HTMLElement {
  const { dots: count, mm, inches } = inUnits(dots, dpmm);
  return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, count), el("td", {}, mm), el("td", {}, inches));
}

function lengthTable(groups: readonly Group[], dpmm: number): HTMLElement {
  return el(
    "table",
    { class: "lengths" },
    el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, say("dots")), el("th", { scope: "col" }, "mm"), el("th", { scope: "col" }, "in"))),
    ...groups.map(({ name, rows }) =>
      el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", colspan: 4, class: "name" }, name)), ...rows.map((row) => lengthRow(row, dpmm))),
    ),
  );
}
