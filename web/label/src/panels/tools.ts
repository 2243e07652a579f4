// The preview's own bar: which label, boxes, zoom.
import { button } from "../ui/controls";
import { el } from "../ui/dom";

export interface ToolActions {
  previous(): void;
  next(): void;
  boxes(shown: boolean): void;
  zoomIn(): void;
  zoomOut(): void;
  actual(): void;
  fit(): void;
}

export class PreviewTools {
  private readonly pager: HTMLElement;
  private readonly count = el("span", { class: "count", id: "label-count" });
  private readonly back: HTMLButtonElement;
  private readonly forth: HTMLButtonElement;
  private readonly boxes: HTMLButtonElement;
  private readonly zoom: HTMLButtonElement;

  constructor(host: HTMLElement, private readonly actions: ToolActions) {
    this.back = button({ id: "previous-label", icon: "previous", label: "Previous label (Page Up)", onClick: () => actions.previous() });
    this.forth = button({ id: "next-label", icon: "next", label: "Next label (Page Down)", onClick: () => actions.next() });
    this.pager = el("div", { class: "pager", hidden: true }, this.back, this.count, this.forth);
    this.boxes = button({ id: "boxes", icon: "boxes", text: "Boxes", label: "Show boxes, quiet zones and overlaps (B)", onClick: () => this.toggleBoxes() });
    this.boxes.setAttribute("aria-pressed", "false");
    this.zoom = button({ id: "zoom", text: "100 %", label: "Show every dot, 100 % (1)", kind: "zoom", onClick: () => actions.actual() });
    this.zoom.removeAttribute("aria-label");
    host.append(
      this.pager,
      el("span", { class: "spacer" }),
      this.boxes,
      button({ id: "zoom-out", icon: "minus", label: "Zoom out (−)", onClick: () => actions.zoomOut() }),
      this.zoom,
      button({ id: "zoom-in", icon: "plus", label: "Zoom in (+)", onClick: () => actions.zoomIn() }),
      button({ id: "fit", icon: "fit", label: "Fit to window (0)", onClick: () => actions.fit() }),
    );
  }

  get boxesShown(): boolean {
    return this.boxes.getAttribute("aria-pressed") === "true";
  }

  toggleBoxes(): void {
    const shown = !this.boxesShown;
    this.boxes.setAttribute("aria-pressed", String(shown));
    this.actions.boxes(shown);
  }

  showZoom(percent: number): void {
    const text = percent < 10 ? percent.toFixed(1) : percent.toFixed(0);
    (this.zoom.firstElementChild as HTMLElement).textContent = `${text} %`;
  }

  showLabels(current: number, count: number): void {
    this.pager.hidden = count < 2;
    this.count.textContent = `${current + 1} of ${count}`;
    this.back.disabled = current <= 0;
    this.forth.disabled = current >= count - 1;
  }
}
