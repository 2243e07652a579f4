// The slim bar below: problems, labels, size, render time, place of the pointer.
import type { LiveState } from "../live";
import type { RenderSettings } from "../model/settings";
import { languageName } from "../model/languages";
import { mmToDots, type LengthUnit } from "../model/units";
import { formatLength } from "../ui/numbers";
import { el, replaceChildren } from "../ui/dom";
import { icon } from "../ui/icons";
import type { Point } from "../preview/transform";
import { say, sayCount, withDecimalSign } from "../ui/language";

export function problemsInWords(count: number): string {
  return count === 0 ? say("No problems") : sayCount("{count} problem", "{count} problems", count);
}

export class StatusBar {
  private readonly problems: HTMLButtonElement;
  private readonly state = el("span", { class: "grow" });
  private readonly labels = el("span", { class: "wide", id: "status-labels" });
  private readonly language = el("span", { class: "wide", id: "status-language" });
  private readonly size = el("span", { class: "wide", id: "status-size" });
  private readonly time = el("span", { id: "status-time" });
  private readonly drawer = el("span", { class: "wide", id: "status-drawer" });
  private readonly place = el("span", { class: "wide", id: "status-place" });

  constructor(host: HTMLElement, onProblems: () => void) {
    this.problems = el("button", { type: "button", id: "status-problems", onclick: onProblems, "aria-expanded": "false" });
    host.append(this.problems, this.state, this.language, this.labels, this.size, this.drawer, this.time, this.place);
    this.showProblems(0, 0, 0);
    this.showPlace(undefined, "mm");
    this.time.textContent = "–";
  }

  showProblems(errors: number, warnings: number, infos: number): void {
    const total = errors + warnings + infos;
    const tone = errors > 0 ? "error" : warnings > 0 ? "warning" : total > 0 ? "info" : "ok";
    this.problems.className = `tone-${tone}`;
    replaceChildren(this.problems, icon(tone === "ok" ? "check" : tone), problemsInWords(total));
  }

  /** There is no label in the code: that it has no problem would be untrue. */
  showNothing(): void {
    this.problems.className = "tone-warning";
    replaceChildren(this.problems, icon("warning"), say("Nothing to print"));
  }

  /** Nothing is known about the label that is shown now. */
  forget(): void {
    this.time.textContent = "–";
    this.problems.className = "";
    replaceChildren(this.problems, say("Checking…"));
  }

  showBusy(busy: boolean): void {
    if (busy) this.state.textContent = say("Rendering…");
    else if (this.state.textContent === say("Rendering…")) this.state.textContent = "";
  }

  setProblemsOpen(open: boolean): void {
    this.problems.setAttribute("aria-expanded", String(open));
  }

  showState(state: LiveState): void {
    // Words only for what takes long enough to be seen; the short waits of typing stay silent.
    if (state.phase === "failed" && state.failure) this.state.textContent = say("Preview not up to date");
    else if (!state.failure && this.state.textContent === say("Preview not up to date")) this.state.textContent = "";
  }

  showLabels(current: number, count: number, copies: number): void {
    const total = count === 0 ? say("No label") : count === 1 ? say("1 label") : say("Label {number} of {count}", { number: current + 1, count });
    this.labels.textContent = copies > 1 ? sayCount("{labels}, {count} copy", "{labels}, {count} copies", copies, { labels: total }) : total;
  }

  showSize(settings: RenderSettings): void {
    const { widthMm, heightMm, dpmm, unit } = settings;
    const dots = say("{width} × {height} dots", { width: String(mmToDots(widthMm, dpmm)), height: String(mmToDots(heightMm, dpmm)) });
    this.size.textContent = `${dots}, ${formatLength(widthMm, unit)} × ${formatLength(heightMm, unit)} ${unit}`;
  }

  showTime(milliseconds: number): void {
    const text = milliseconds < 1000 ? `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
    this.time.textContent = withDecimalSign(text);
    this.time.title = say("From sending the code to having the picture");
  }

  showLanguage(language: string): void {
    this.language.textContent = languageName(language);
    this.language.classList.toggle("wide", language === "zpl"); // a narrow window names what is not expected
    this.language.title = say("The language that the code was read as");
  }

  showDrawer(drawer: "service" | "browser"): void {
    this.drawer.dataset["drawer"] = drawer;
    this.drawer.textContent = drawer === "browser" ? say("Drawn here") : say("Drawn by the service");
    this.drawer.title = drawer === "browser" ? say("This browser draws the label; its code is sent nowhere") : say("The service draws the label");
  }

  showPlace(mm: Point | undefined, unit: LengthUnit): void {
    const decimals = unit === "mm" ? 1 : 2;
    this.place.textContent = mm ? `${formatLength(mm.x, unit, decimals)}, ${formatLength(mm.y, unit, decimals)} ${unit}` : `–, – ${unit}`;
    this.place.title = say("Place of the pointer on the label");
  }
}
