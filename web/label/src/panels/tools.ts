// The preview's own bar: which label, boxes, zoom.
import { button } from "../ui/controls";
import { el } from "../ui/dom";
import { say, withDecimalSign } from "../ui/language";

export interface ToolActions {
  previous(): void;
  next(): void;
  goTo(index: number): void;
  boxes(shown: boolean): void;
  zoomIn(): void;
  zoomOut(): void;
  actual(): void;
  fit(): void;
}

export class PreviewTools {
  private readonly pager: HTMLElement;
  private readonly count: HTMLButtonElement;
  private readonly wanted = el("input", { class: "input", id: "go-to-label", type: "number", min: 1, "aria-label": say("Go to label"), hidden: true });
  private readonly back: HTMLButtonElement;
  private readonly forth: HTMLButtonElement;
  private readonly boxes: HTMLButtonElement;
  private readonly zoom: HTMLButtonElement;
  private current = 0;

  constructor(host: HTMLElement, private readonly actions: ToolActions) {
    this.back = button({ id: "previous-label", icon: "previous", label: say("Previous label (Page Up)"), onClick: () => actions.previous() });
    this.forth = button({ id: "next-label", icon: "next", label: say("Next label (Page Down)"), onClick: () => actions.next() });
    this.count = button({ id: "label-count", kind: "count", label: say("Go to a label by its number"), onClick: () => this.askLabel() });
    this.count.classList.remove("icon-only");
    this.count.removeAttribute("aria-label");
    this.wanted.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.leaveLabel();
      else if (event.key === "Enter") {
        const index = Math.min(Math.max(Math.trunc(Number(this.wanted.value)) || 1, 1), Number(this.wanted.max)) - 1;
        this.leaveLabel();
        actions.goTo(index);
      } else return;
      event.preventDefault();
    });
    this.wanted.addEventListener("blur", () => this.leaveLabel());
    this.pager = el("div", { class: "pager", hidden: true }, this.back, this.count, this.wanted, this.forth);
    this.boxes = button({ id: "boxes", icon: "boxes", text: say("Boxes"), label: say("Show boxes, quiet zones and overlaps (B)"), onClick: () => this.toggleBoxes() });
    this.boxes.setAttribute("aria-pressed", "false");
    this.zoom = button({ id: "zoom", text: "100 %", label: say("Show every dot, 100 % (1)"), kind: "zoom", onClick: () => actions.actual() });
    this.zoom.removeAttribute("aria-label");
    host.append(
      this.pager,
      el("span", { class: "spacer" }),
      this.boxes,
      button({ id: "zoom-out", icon: "minus", label: say("Zoom out (−)"), onClick: () => actions.zoomOut() }),
      this.zoom,
      button({ id: "zoom-in", icon: "plus", label: say("Zoom in (+)"), onClick: () => actions.zoomIn() }),
      button({ id: "fit", icon: "fit", label: say("Fit to window (0)"), onClick: () => actions.fit() }),
    );
  }

  private askLabel(): void {
    this.wanted.value = String(this.current + 1);
    this.count.hidden = true;
    this.wanted.hidden = false;
    this.wanted.focus();
    this.wanted.select();
  }

  private leaveLabel(): void {
    if (this.wanted.hidden) return;
    const hadFocus = document.activeElement === this.wanted;
    this.wanted.hidden = true;
    this.count.hidden = false;
    if (hadFocus) this.count.focus();
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
    (this.zoom.firstElementChild as HTMLElement).textContent = withDecimalSign(`${text} %`);
  }

  showLabels(current: number, count: number): void {
    this.pager.hidden = count < 2;
    this.current = current;
    this.count.textContent = say("{number} of {count}", { number: current + 1, count });
    this.wanted.max = String(count);
    this.back.disabled = current <= 0;
    this.forth.disabled = current >= count - 1;
  }
}
