// Two versions of a label side by side: their pictures in three colours with a slider between them, their code line by line, and what
// the service says about their elements.
import { askService, type ServiceAccess } from "../api";
import type { Renderer } from "../draw/renderer";
import { HAS_SERVICE } from "../has-service";
import type { ComparisonAnswer, ElementChange } from "../model/answers";
import type { RenderResult } from "../model/result";
import { typeName } from "../preview/card";
import { dotsOf, OF_A, OF_B } from "../preview/differences";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren } from "../ui/dom";
import type { CommandTable } from "../zpl/commands";
import { changesInWords } from "./changes-in-words";
import type { Work } from "./documents";
import { compareLines, type DiffLine } from "./text-differences";
import { say, sayCount, withDecimalSign } from "../ui/language";

export interface Choice {
  id: string;
  text: string;
  work: Work;
}

/** Lines around a change that are shown with it. */
const AROUND = 3;

function textRows(lines: readonly DiffLine[]): HTMLElement[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind !== "both") for (let i = at - AROUND; i <= at + AROUND; i++) near.add(i);
  });
  const rows: HTMLElement[] = [];
  let left = false;
  lines.forEach(({ kind, text }, at) => {
    if (!near.has(at)) {
      if (!left) rows.push(el("div", { class: "diff-gap" }, "…"));
      left = true;
      return;
    }
    left = false;
    const sign = kind === "a" ? "−" : kind === "b" ? "+" : " ";
    const spoken = kind === "a" ? say("only before: ") : kind === "b" ? say("only now: ") : "";
    rows.push(el("div", { class: `diff-line diff-${kind}` }, el("span", { "aria-hidden": "true" }, sign), spoken ? el("span", { class: "unseen" }, spoken) : null, el("span", {}, text)));
  });
  return rows;
}

/** 0: A alone. 50: both, in three colours. 100: B alone. */
export function blend(a: ImageData | undefined, b: ImageData | undefined, position: number, out: ImageData): void {
  const shareA = Math.min(1, (100 - position) / 50);
  const shareB = Math.min(1, position / 50);
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      const ink = (from: ImageData | undefined): number => (from && x < from.width && y < from.height ? 255 - (from.data[(y * from.width + x) * 4] as number) : 0);
      const inkA = ink(a);
      const inkB = ink(b);
      const common = Math.min(inkA, inkB);
      const colour = inkA > inkB ? OF_A : OF_B;
      const extra = (inkA > inkB ? (inkA - common) * shareA : (inkB - common) * shareB) / 255;
      for (let k = 0; k < 3; k++) {
        const paper = 255 - common;
        out.data[(y * out.width + x) * 4 + k] = Math.round(paper + ((colour[k] as number) - paper) * extra);
      }
      out.data[(y * out.width + x) * 4 + 3] = 255;
    }
  }
}

function changeText(given: ElementChange, words: string): string {
  const { change, a, b, dxMm, dyMm } = given;
  const one = b ?? a;
  const what = [one?.type ? typeName(one.type) : say("Element"), one?.data ? `“${one.data.slice(0, 60)}”` : ""].filter(Boolean).join(" ");
  switch (change) {
    case "moved":
      return [say("{what}: moved by {x}, {y} mm", { what, x: withDecimalSign(dxMm.toFixed(2)), y: withDecimalSign(dyMm.toFixed(2)) }), words].filter(Boolean).join(", ");
    case "added":
      return say("{what}: added", { what });
    case "removed":
      return say("{what}: removed", { what });
    case "changed":
      return words === "" ? say("{what}: changed", { what }) : `${what}: ${words}`;
  }
}

export class CompareDialog {
  private readonly canvas = el("canvas", { class: "compare-picture", role: "img", "aria-label": say("Both versions: black in both, orange only before, blue only now") });
  private readonly slider = el("input", { type: "range", min: 0, max: 100, value: 50, id: "compare-slider", "aria-label": say("From the version before to the version now") });
  private readonly summary = el("p", { role: "status", id: "compare-summary" });
  private readonly changes = el("ul", { class: "compare-changes" });
  private readonly text = el("div", { class: "diff", tabindex: 0, role: "group", "aria-label": say("Differences of the code") });
  private readonly pageSelect = el("select", { class: "select", id: "compare-page", "aria-label": say("Label") });
  private results: [RenderResult, RenderResult] | undefined;
  private dots: [ImageData | undefined, ImageData | undefined] = [undefined, undefined];
  private request: AbortController | undefined;
  /** Of the page that was asked for last: pictures may come in another order. */
  private turn = 0;
  private readonly before: HTMLSelectElement;
  private readonly now: HTMLSelectElement;

  constructor(
    private readonly choices: readonly Choice[],
    private readonly renderer: Renderer,
    private readonly access: ServiceAccess,
    private readonly commands: CommandTable,
    before: string,
    now: string,
  ) {
    const select = (id: string, chosen: string): HTMLSelectElement => {
      const made = el("select", { class: "select", id }, ...choices.map((choice) => el("option", { value: choice.id }, choice.text)));
      made.value = chosen;
      made.addEventListener("change", () => void this.compare());
      return made;
    };
    this.before = select("compare-before", before);
    this.now = select("compare-now", now);
    this.slider.addEventListener("input", () => this.paint());
    this.pageSelect.addEventListener("change", () => void this.showPage().catch(() => (this.summary.textContent = say("The labels could not be drawn."))));
    const dialog = openDialog(
      say("Compare"),
      "wide",
      el(
        "div",
        { class: "compare-choice" },
        el("div", { class: "field" }, el("label", { for: "compare-before", class: "dots-of-reference" }, say("Before")), this.before),
        el("div", { class: "field" }, el("label", { for: "compare-now", class: "dots-of-printer" }, say("Now")), this.now),
      ),
      this.summary,
      el("div", { class: "compare-slider" }, el("span", { "aria-hidden": "true" }, say("Before")), this.slider, el("span", { "aria-hidden": "true" }, say("Now")), this.pageSelect),
      el("div", { class: "compare-frame" }, this.canvas),
      this.changes,
      el("h3", {}, say("Code")),
      this.text,
    );
    dialog.addEventListener("close", () => this.request?.abort());
    void this.compare();
  }

  private work(select: HTMLSelectElement): Work {
    return (this.choices.find(({ id }) => id === select.value) ?? (this.choices[0] as Choice)).work;
  }

  private async compare(): Promise<void> {
    this.request?.abort();
    const { signal } = (this.request = new AbortController());
    this.turn++;
    const [a, b] = [this.work(this.before), this.work(this.now)];
    const lines = compareLines(a.zpl, b.zpl);
    const same = lines.every(({ kind }) => kind === "both");
    replaceChildren(this.text, ...(same ? [el("p", {}, say("The code is the same."))] : textRows(lines)));
    replaceChildren(this.changes);
    this.summary.textContent = say("Drawing both…");
    const draw = ({ zpl, settings }: Work): Promise<RenderResult> => this.renderer.preview(new TextEncoder().encode(zpl), { ...settings, verify: false, profile: settings.profile === "compare" ? "printer" : settings.profile }, signal);
    try {
      const results: [RenderResult, RenderResult] = [await draw(a), await draw(b)];
      if (signal.aborted) return;
      this.results = results;
      const pages = Math.max(...this.results.map(({ labels }) => labels.length));
      replaceChildren(this.pageSelect, ...Array.from({ length: pages }, (_, i) => el("option", { value: i }, say("Label {number} of {count}", { number: i + 1, count: pages }))));
      this.pageSelect.hidden = pages < 2;
      await this.showPage();
    } catch (error) {
      if (!signal.aborted) this.summary.textContent = error instanceof Error ? error.message : say("The labels could not be drawn.");
      return;
    }
    await this.listChanges(a, b, signal);
  }

  private async showPage(): Promise<void> {
    if (!this.results) return;
    const turn = ++this.turn;
    const page = Number(this.pageSelect.value) || 0;
    const [a, b] = await Promise.all(this.results.map(({ labels }) => (labels[page] ? dotsOf(labels[page]) : undefined)));
    if (turn !== this.turn) return;
    this.dots = [a, b];
    this.canvas.width = Math.max(a?.width ?? 1, b?.width ?? 1);
    this.canvas.height = Math.max(a?.height ?? 1, b?.height ?? 1);
    let differing = 0;
    for (let y = 0; y < this.canvas.height; y++) {
      for (let x = 0; x < this.canvas.width; x++) {
        const at = (from: ImageData | undefined): number => (from && x < from.width && y < from.height ? (from.data[(y * from.width + x) * 4] as number) : 255);
        if (at(a) !== at(b)) differing++;
      }
    }
    this.summary.textContent = differing === 0 ? say("Both look the same.") : sayCount("{count} dot differs.", "{count} dots differ.", differing);
    this.paint();
  }

  private paint(): void {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const out = context.createImageData(this.canvas.width, this.canvas.height);
    blend(this.dots[0], this.dots[1], Number(this.slider.value), out);
    context.putImageData(out, 0, 0);
  }

  /** In words, where the service is there to say them. */
  private async listChanges(a: Work, b: Work, signal: AbortSignal): Promise<void> {
    if (!HAS_SERVICE) return;
    const { widthMm, heightMm, dpmm } = b.settings;
    const body = JSON.stringify({ a: a.zpl, b: b.zpl, widthMm, heightMm, dpmm });
    try {
      const response = await askService("api/compare", body, "application/json", this.access, signal);
      const { labels } = (await response.json()) as ComparisonAnswer;
      if (signal.aborted) return;
      const [codeA, codeB] = [a.zpl, b.zpl].map((zpl) => new TextEncoder().encode(zpl)) as [Uint8Array, Uint8Array];
      const rows = labels.flatMap(({ index, changes }) =>
        (changes ?? []).map((change) => {
          const text = changeText(change, changesInWords(change, codeA, codeB, this.commands));
          return labels.length > 1 ? say("Label {number}, {change}", { number: index + 1, change: text }) : text;
        }),
      );
      replaceChildren(this.changes, ...rows.slice(0, 100).map((row) => el("li", {}, row)));
    } catch {
      // The pictures and the code say it, too.
    }
  }
}
