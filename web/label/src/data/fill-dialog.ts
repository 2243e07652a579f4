// Values for the fields of a label: written into a form, or rows of a CSV file with a preview of each.
import { RenderFailure, type ServiceAccess } from "../api";
import { decodeText, LARGEST_FILE, stemOf } from "../actions/files";
import { saveBlob } from "../actions/save";
import type { Renderer } from "../draw/renderer";
import type { Work } from "../documents/documents";
import type { RenderResult } from "../model/result";
import { formatBytes } from "../ui/numbers";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { toast } from "../ui/messages";
import { batch, fill } from "./rewrite";
import { fieldNames, parseCsv, type Row } from "./rows";
import { say } from "../ui/language";

const PAUSE_MS = 250;
/** More rows than this are work for the command line: platen render --rows. */
const MOST_ROWS = 2000;
const AT_ONCE = 4;
/** So many rows are drawn in one request when they are printed. */
const ROWS_AT_ONCE = 50;

export class FillDialog {
  private rows: Row[] = [{}];
  private at = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private request: AbortController | undefined;
  /** Ends what is under way when the window is closed. */
  private readonly closing = new AbortController();
  private pressed: HTMLButtonElement | undefined;
  /** What is done with all rows. */
  private readonly makers = [
    button({ id: "fill-print", text: say("Print…"), kind: "outlined", onClick: () => void this.print() }),
    button({ id: "fill-send", text: say("Send to a printer…"), kind: "outlined", onClick: () => void this.send() }),
    button({ id: "fill-zpl", text: "ZPL", kind: "outlined", onClick: () => void this.downloadZpl() }),
    button({ id: "fill-pdf", text: "PDF", kind: "outlined", onClick: () => void this.download("pdf") }),
    button({ id: "fill-zip", text: say("ZIP of PNGs"), kind: "outlined", onClick: () => void this.download("zip") }),
  ];
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly picture = el("img", { class: "fill-picture", id: "fill-picture", alt: "" });
  private readonly status = el("p", { role: "status", id: "fill-status" });
  private readonly number = el("input", { class: "input", id: "fill-row", type: "number", min: 1, value: 1, "aria-label": say("Row") });
  private readonly count = el("span", { id: "fill-count" });
  private readonly csv = el("textarea", { class: "input", id: "fill-csv", rows: 4, spellcheck: "false", placeholder: "name,city\nAnn,Bath" });
  private readonly names: string[];
  private readonly dialog: HTMLDialogElement;

  constructor(
    private readonly work: Work,
    private readonly renderer: Renderer,
    private readonly access: ServiceAccess,
    private readonly opened: (zpl: string, name: string) => void,
  ) {
    this.names = fieldNames(work.zpl);
    const file = el("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", accept: ".csv,.tsv,.txt,text/csv", id: "fill-file" });
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      if (chosen) void this.readCsv(chosen);
    });
    this.csv.addEventListener("input", () => this.takeCsv(this.csv.value));
    this.number.addEventListener("input", () => this.showRow(Number(this.number.value) - 1));
    this.dialog = openDialog(
      say("Fill in"),
      "wide",
      el(
        "div",
        { class: "fill" },
        el(
          "div",
          {},
          this.names.length === 0
            ? el("p", {}, say("This label asks for nothing. Write {{name}} into a field, or use ^FN1\"name\", and it is asked for here."))
            : el("div", { class: "fill-fields" }, ...this.names.map((name) => this.field(name))),
          el("div", { class: "fill-rows" }, button({ icon: "previous", label: say("Row before"), onClick: () => this.showRow(this.at - 1) }), this.number, this.count, button({ icon: "next", label: say("Next row"), onClick: () => this.showRow(this.at + 1) })),
          el("div", { class: "field" }, el("label", { for: "fill-csv" }, say("Rows: CSV with a line of names")), this.csv),
          file,
          button({ id: "fill-choose", icon: "open", text: say("CSV file…"), kind: "outlined", onClick: () => file.click() }),
        ),
        el("div", {}, this.picture, this.status),
      ),
      el(
        "div",
        { class: "buttons" },
        button({ id: "fill-open", text: say("Open this label"), kind: "primary", onClick: () => void this.openFilled() }),
        el("span", { class: "fill-all", role: "group", "aria-labelledby": "fill-all-name" }, el("span", { id: "fill-all-name" }, say("All rows:")), ...this.makers),
      ),
    );
    this.dialog.addEventListener("close", () => {
      clearTimeout(this.timer);
      this.request?.abort();
      this.closing.abort();
    });
    this.showRow(0);
  }

  private field(name: string): HTMLElement {
    const id = `fill-field-${this.inputs.size}`;
    const input = el("input", { class: "input", id, autocomplete: "off", "data-field": name });
    input.addEventListener("input", () => {
      this.rows[this.at] = { ...this.rows[this.at], [name]: input.value };
      this.previewSoon();
    });
    this.inputs.set(name, input);
    return el("div", { class: "field" }, el("label", { for: id }, name), input);
  }

  private async readCsv(file: File): Promise<void> {
    try {
      if (file.size > LARGEST_FILE) throw new Error(say("{file} is too large to edit here.", { file: file.name }));
      const { text, remark } = decodeText(new Uint8Array(await file.arrayBuffer()));
      if (text.includes("\0")) throw new Error(say("{file} is not a CSV file. Save the table as CSV first.", { file: file.name }));
      this.takeCsv((this.csv.value = text), remark);
    } catch (error) {
      this.status.textContent = error instanceof Error && !(error instanceof DOMException) ? error.message : say("{file} could not be read.", { file: file.name });
    }
  }

  private takeCsv(text: string, remark = ""): void {
    const { names, rows, wrongRow, twice } = parseCsv(text);
    // Values in wrong columns would be wrong labels: nothing is taken.
    const isWrong = wrongRow > 0 || twice !== undefined;
    this.rows = rows.length > 0 && !isWrong ? rows.slice(0, MOST_ROWS) : [{}];
    this.showRow(0);
    if (isWrong) {
      this.status.textContent =
        wrongRow > 0
          ? say("Row {number} has more or fewer values than the first line has names. A value with the separator or a quotation mark needs quotation marks.", { number: wrongRow })
          : say("Two columns are called {name}.", { name: twice ?? "" });
      return;
    }
    const missing = this.names.filter((name) => !names.includes(name));
    const remarks = [
      remark,
      rows.length > MOST_ROWS ? say("Only the first {most} of {count} rows are used here; platen render takes any number.", { most: MOST_ROWS, count: rows.length }) : "",
      rows.length > 0 && missing.length > 0 ? say("No column for {names}.", { names: missing.join(", ") }) : "",
    ];
    this.status.textContent = remarks.filter(Boolean).join(" ");
  }

  private showRow(at: number): void {
    this.at = Math.min(Math.max(Number.isFinite(at) ? Math.trunc(at) : 0, 0), this.rows.length - 1);
    this.number.max = String(this.rows.length);
    if (document.activeElement !== this.number) this.number.value = String(this.at + 1);
    this.count.textContent = say("of {count}", { count: this.rows.length });
    for (const [name, input] of this.inputs) input.value = this.rows[this.at]?.[name] ?? "";
    this.previewSoon();
  }

  private previewSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.preview(), PAUSE_MS);
  }

  private filled(row: Row, signal?: AbortSignal): Promise<string> {
    return fill(this.work.zpl, [Object.fromEntries(this.names.map((name) => [name, row[name] ?? ""]))], this.access, signal);
  }

  private async preview(): Promise<void> {
    this.request?.abort();
    const { signal } = (this.request = new AbortController());
    const at = this.at;
    // Before the first value there may be nothing to draw.
    if (this.names.length > 0 && this.names.every((name) => !this.rows[at]?.[name])) {
      this.picture.removeAttribute("src");
      delete this.picture.dataset["row"];
      return;
    }
    try {
      const zpl = await this.filled(this.rows[at] ?? {}, signal);
      const { labels } = await this.renderer.preview(new TextEncoder().encode(zpl), { ...this.work.settings, verify: false }, signal);
      if (signal.aborted || !labels[0]) return;
      this.picture.src = `data:image/png;base64,${labels[0].data}`;
      this.picture.alt = say("Label of row {number}", { number: at + 1 });
      this.picture.dataset["row"] = String(at + 1);
    } catch (error) {
      if (!signal.aborted) this.status.textContent = error instanceof RenderFailure ? error.message : say("The label could not be drawn.");
    }
  }

  private async openFilled(): Promise<void> {
    try {
      const zpl = await this.filled(this.rows[this.at] ?? {}, this.closing.signal);
      if (this.closing.signal.aborted) return;
      this.dialog.close();
      this.opened(zpl, `${stemOf(this.work.name)} ${this.rows.length > 1 ? this.at + 1 : say("filled")}`);
    } catch (error) {
      this.status.textContent = error instanceof RenderFailure ? error.message : say("The values could not be filled in.");
    }
  }

  /** Each row's label code. */
  private async codes(signal: AbortSignal): Promise<string[]> {
    const { rows } = this;
    const codes: string[] = new Array<string>(rows.length);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < rows.length && !signal.aborted) {
        const at = next++;
        codes[at] = await this.filled(rows[at] as Row, signal);
        this.status.textContent = say("Row {number} of {count}…", { number: at + 1, count: rows.length });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return codes;
  }

  /** Fills in all rows, then does something with their code; what it returns is said. */
  private async withCodes(use: (codes: string[], signal: AbortSignal) => Promise<string>): Promise<void> {
    const { signal } = this.closing;
    this.setMaking(true);
    try {
      const codes = await this.codes(signal);
      const said = signal.aborted ? "" : await use(codes, signal);
      if (!signal.aborted) this.status.textContent = said;
    } catch (error) {
      this.status.textContent = error instanceof RenderFailure ? error.message : say("The file could not be made.");
    } finally {
      this.setMaking(false);
    }
  }

  private download(answer: "zip" | "pdf"): Promise<void> {
    return this.withCodes(async (codes, signal) => {
      const seen = new Set<string>();
      const documents = codes.map((zpl, at) => {
        const wish = stemOf(this.rows[at]?.["id"] || String(at + 1).padStart(String(codes.length).length, "0"));
        const id = seen.has(wish) ? `${wish}-${at + 1}` : wish;
        seen.add(id);
        return { id, zpl };
      });
      const blob = await batch(documents, answer, this.work.settings, this.access, signal);
      return signal.aborted ? "" : this.save(blob, answer);
    });
  }

  private save(blob: Blob, extension: string): string {
    const name = `${stemOf(this.work.name)}.${extension}`;
    saveBlob(blob, name);
    toast(say("{file} downloaded.", { file: name }));
    return say("{file} downloaded, {size}.", { file: name, size: formatBytes(blob.size) });
  }

  private downloadZpl(): Promise<void> {
    return this.withCodes(async (codes) => this.save(new Blob([codes.join("\n")], { type: "text/plain;charset=utf-8" }), "zpl"));
  }

  private send(): Promise<void> {
    return this.withCodes(async (codes) => {
      const { openPrinters } = await import("../out/printers-dialog");
      void openPrinters(codes.join("\n"), this.access);
      return "";
    });
  }

  private print(): Promise<void> {
    return this.withCodes(async (codes, signal) => {
      const results: RenderResult[] = [];
      for (let at = 0; at < codes.length; at += ROWS_AT_ONCE) {
        const zpl = new TextEncoder().encode(codes.slice(at, at + ROWS_AT_ONCE).join("\n"));
        results.push(await this.renderer.preview(zpl, { ...this.work.settings, verify: false }, signal));
      }
      const [first] = results;
      if (first && !signal.aborted) await (await import("../actions/print")).printLabels({ ...first, labels: results.flatMap(({ labels }) => labels) }, this.work.settings.rotation);
      return "";
    });
  }

  /** One file at a time; the status says how far it is. */
  private setMaking(isMaking: boolean): void {
    const { activeElement } = document;
    for (const maker of this.makers) maker.disabled = isMaking;
    // A button that is disabled loses the focus.
    if (isMaking) this.pressed = this.makers.find((maker) => maker === activeElement);
    else if (activeElement === document.body) this.pressed?.focus();
  }
}
