// A divider between panes: dragged, or moved with the arrow keys; a double click puts it back.
import { preferences } from "../actions/preferences";

export interface SplitterOptions {
  divider: HTMLElement;
  container: HTMLElement;
  /** Style variable that holds the pane's width. */
  variable: string;
  /** The pane whose width is set, and on which side of the divider it lies. */
  pane: HTMLElement;
  side: "before" | "after";
  label: string;
  least: number;
  /** Room that the other panes need. */
  reserve: number;
}

const STEP = 24;

export function attachSplitter(options: SplitterOptions): void {
  const { divider, container, variable, pane, side } = options;
  const root = document.documentElement;
  divider.tabIndex = 0;
  divider.setAttribute("role", "separator");
  divider.setAttribute("aria-orientation", "vertical");
  divider.setAttribute("aria-label", options.label);
  divider.setAttribute("aria-controls", pane.id);

  const describe = (): void => {
    const total = container.clientWidth || 1;
    divider.setAttribute("aria-valuemin", "0");
    divider.setAttribute("aria-valuemax", "100");
    divider.setAttribute("aria-valuenow", String(Math.round((pane.offsetWidth / total) * 100)));
  };

  const set = (pixels: number): void => {
    const most = Math.max(options.least, container.clientWidth - options.reserve);
    const width = Math.round(Math.min(Math.max(pixels, options.least), most));
    root.style.setProperty(variable, `${width}px`);
    preferences.set(`width${variable}`, String(width));
    describe();
  };

  const reset = (): void => {
    root.style.removeProperty(variable);
    preferences.set(`width${variable}`, null);
    describe();
  };

  const kept = Number(preferences.get(`width${variable}`));
  if (kept > 0) root.style.setProperty(variable, `${kept}px`);

  divider.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    divider.setPointerCapture(event.pointerId);
    divider.classList.add("dragging");
    const start = event.clientX;
    const width = pane.offsetWidth;
    const move = (moved: PointerEvent): void => {
      const delta = moved.clientX - start;
      set(side === "before" ? width + delta : width - delta);
    };
    const end = (): void => {
      divider.classList.remove("dragging");
      divider.removeEventListener("pointermove", move);
    };
    divider.addEventListener("pointermove", move);
    divider.addEventListener("pointerup", end, { once: true });
    divider.addEventListener("pointercancel", end, { once: true });
  });
  divider.addEventListener("dblclick", reset);
  divider.addEventListener("keydown", (event) => {
    const towards = side === "before" ? 1 : -1;
    if (event.key === "ArrowRight") set(pane.offsetWidth + towards * STEP);
    else if (event.key === "ArrowLeft") set(pane.offsetWidth - towards * STEP);
    else if (event.key === "Home") set(side === "before" ? options.least : Infinity);
    else if (event.key === "End") set(side === "before" ? Infinity : options.least);
    else if (event.key === "Enter") reset();
    else return;
    event.preventDefault();
  });
  new ResizeObserver(describe).observe(container);
  describe();
}
