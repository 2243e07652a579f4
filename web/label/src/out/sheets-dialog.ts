// Labels on sheets of paper: a PDF with several labels on each page.
import { askService, RenderFailure, renderParameters, type ServiceAccess } from "../api";
import { stemOf } from "../actions/files";
import { saveBlob } from "../actions/save";
import type { Work } from "../documents/documents";
import { formatBytes, shownNumber } from "../ui/numbers";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { say } from "../ui/language";

/** In millimetres; the names are those of the service. */
const PAPERS: readonly { name: string; width: number; height: number }[] = [
  { name: "A4", width: 210, height: 297 },
  { name: "Letter", width: 215.9, height: 279.4 },
  { name: "Legal", width: 215.9, height: 355.6 },
  { name: "A5", width: 148, height: 210 },
  { name: "A6", width: 105, height: 148 },
];

const MARGIN_MM = 5;

function perPage(count: number): string {
  return say("{count} on each page.", { count });
}

/** As many as fit beside and below each other. */
export function bestGrid(label: { width: number; height: number }, page: { width: number; height: number }, margin: number, gap: number): { columns: number; rows: number } {
  const fits = (room: number, one: number): number => Math.max(1, Math.floor((room - 2 * margin + gap) / (one + gap) + 1e-6));
  return { columns: fits(page.width, label.width), rows: fits(page.height, label.height) };
}

export function openSheets(work: Work, access: ServiceAccess): void {
  const { settings } = work;
  const lying = settings.rotation === 90 || settings.rotation === 270;
  const label = lying ? { width: settings.heightMm, height: settings.widthMm } : { width: settings.widthMm, height: settings.heightMm };

  const input = (id: string, value: number, least: number): HTMLInputElement => el("input", { class: "input", id, type: "number", min: least, step: "any", value });
  const field = (text: string, control: HTMLElement): HTMLElement => el("div", { class: "field" }, el("label", { for: control.id }, text), control);
  const check = (id: string, text: string): [HTMLInputElement, HTMLElement] => {
    const box = el("input", { type: "checkbox", id });
    return [box, el("label", { class: "check" }, box, text)];
  };
  const paper = el("select", { class: "select", id: "sheet-paper" }, ...PAPERS.map(({ name, width, height }) => el("option", { value: name }, `${name}, ${shownNumber(width, 1)} × ${shownNumber(height, 1)} mm`)));
  const orientation = el("select", { class: "select", id: "sheet-orientation" }, el("option", { value: "portrait" }, say("Portrait")), el("option", { value: "landscape" }, say("Landscape")));
  const columns = input("sheet-columns", 1, 1);
  const rows = input("sheet-rows", 1, 1);
  const margin = input("sheet-margin", MARGIN_MM, 0);
  const gap = input("sheet-gap", 0, 0);
  const first = input("sheet-start", 1, 1);
  const [marks, marksLabel] = check("sheet-marks", say("Marks to cut along"));
  const [shrink, shrinkLabel] = check("sheet-shrink", say("Shrink labels that do not fit"));
  const status = el("p", { role: "status", id: "sheet-status" });

  const suggest = (): void => {
    const chosen = PAPERS.find(({ name }) => name === paper.value) ?? (PAPERS[0] as (typeof PAPERS)[number]);
    const page = orientation.value === "landscape" ? { width: chosen.height, height: chosen.width } : chosen;
    const grid = bestGrid(label, page, Number(margin.value) || 0, Number(gap.value) || 0);
    columns.value = String(grid.columns);
    rows.value = String(grid.rows);
    status.textContent = perPage(grid.columns * grid.rows);
  };
  for (const control of [paper, orientation, margin, gap]) control.addEventListener("input", suggest);
  for (const control of [columns, rows]) control.addEventListener("input", () => (status.textContent = perPage((Number(columns.value) || 1) * (Number(rows.value) || 1))));

  const download = async (): Promise<void> => {
    const parameters = renderParameters(settings);
    const wishes: [string, string][] = [
      ["pageSize", paper.value],
      ["pageOrientation", orientation.value],
      ["pageLayout", `${columns.value}x${rows.value}`],
      ["pageMarginMm", margin.value || "0"],
      ["pageGapMm", gap.value || "0"],
      ["pageStart", first.value || "1"],
    ];
    for (const [name, value] of wishes) parameters.set(name, value);
    if (marks.checked) parameters.set("cutMarks", "true");
    if (shrink.checked) parameters.set("fit", "shrink");
    try {
      const response = await askService(`api/render/pdf?${parameters.toString()}`, work.zpl, "text/plain; charset=utf-8", access);
      const blob = await response.blob();
      const name = `${stemOf(work.name)}-sheets.pdf`;
      saveBlob(blob, name);
      status.textContent = say("{file} downloaded, {size}.", { file: name, size: formatBytes(blob.size) });
    } catch (error) {
      status.textContent = error instanceof RenderFailure ? error.message : say("The sheets could not be made.");
    }
  };

  openDialog(
    say("Labels on sheets"),
    "reading",
    el("div", { class: "form-grid" }, field(say("Paper"), paper), field(say("Orientation"), orientation), field(say("Columns"), columns), field(say("Rows"), rows), field(say("Margin (mm)"), margin), field(say("Gap (mm)"), gap), field(say("First place to use"), first)),
    marksLabel,
    shrinkLabel,
    status,
    el("div", { class: "buttons" }, button({ id: "sheet-download", text: say("Download PDF"), kind: "primary", onClick: () => void download() })),
  );
  suggest();
}
