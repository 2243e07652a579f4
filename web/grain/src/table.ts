// The table of temperature by humidity, with the cell nearest to the current values marked.
import { html } from "./dom";
import { celsius, fixed1, moistureWet, type ConstantSet, type Unit } from "./model";

/** Rows in round degrees of their unit. */
export const ROWS: Record<Unit, number[]> = { C: Array.from({ length: 11 }, (_, i) => i * 5), F: Array.from({ length: 9 }, (_, i) => 40 + i * 10) };
export const COLUMNS = Array.from({ length: 18 }, (_, i) => 10 + i * 5);
/** Number of shades behind the cells (classes h0 to h6). */
const SHADES = 7;

export interface TableInput {
  set: ConstantSet;
  ta: number; // in `unit`
  ur: number;
  unit: Unit;
  decimal: string;
  head: string;
}

function nearest(steps: number[], value: number, half: number): number {
  return steps.findIndex((step) => Math.abs(step - value) <= half);
}

export function shade(value: number): number {
  return Math.max(0, Math.min(SHADES - 1, Math.floor((value - 4) / 3)));
}

export function buildTable(input: TableInput): HTMLTableElement {
  const rows = ROWS[input.unit];
  const row = nearest(rows, input.ta, input.unit === "F" ? 5 : 2.5);
  const column = nearest(COLUMNS, input.ur, 2.5);
  const headRow = html("tr", {}, html("th", { scope: "col" }, input.head));
  COLUMNS.forEach((ur, k) => headRow.append(html("th", { scope: "col", class: k === column ? "on" : null }, String(ur))));
  const body = html("tbody");
  rows.forEach((ta, i) => {
    const taC = input.unit === "F" ? celsius(ta) : ta;
    const line = html("tr", {}, html("th", { scope: "row", class: i === row ? "on" : null }, String(ta)));
    COLUMNS.forEach((ur, k) => {
      const value = moistureWet(input.set, taC, ur);
      const here = i === row && k === column;
      const text = Number.isFinite(value) ? fixed1(value).replace(".", input.decimal) : "–";
      const shading = Number.isFinite(value) ? `h${shade(value)}` : "";
      line.append(html("td", { class: here ? `${shading} here` : shading, "aria-current": here ? "true" : null }, text));
    });
    body.append(line);
  });
  return html("table", { "aria-describedby": "table-units" }, html("thead", {}, headRow), body);
}

/** Brings the marked cell into view sideways when it is not; the page itself does not move. */
export function revealCell(box: HTMLElement): void {
  const cell = box.querySelector<HTMLElement>("td.here");
  const head = box.querySelector<HTMLElement>("tbody th");
  if (cell === null || head === null) return;
  const left = cell.offsetLeft - head.offsetWidth;
  const right = cell.offsetLeft + cell.offsetWidth;
  if (left < box.scrollLeft || right > box.scrollLeft + box.clientWidth)
    box.scrollLeft = (left + right - box.clientWidth) / 2;
  // No column stays half under the one with the temperatures.
  const edge = head.getBoundingClientRect().right;
  const half = [...box.querySelectorAll("thead th")].slice(1).map((th) => th.getBoundingClientRect()).find((place) => place.left < edge - 1 && place.right > edge);
  if (half !== undefined) box.scrollLeft -= Math.ceil(edge - half.left);
}
