// Laying guides: buttons, a field for the place of each, and dragging out of the rulers.
import type { DeskTools } from "../desk/tools";
import type { Axis } from "../desk/turning";
import { parseSize } from "../model/settings";
import { dotsToMm, mmToDots, mmToUnit, unitToMm } from "../model/units";
import { button } from "../ui/controls";
import { el, need, replaceChildren } from "../ui/dom";
import { announce } from "../ui/messages";
import { say } from "../ui/language";
import { shownNumber } from "../ui/numbers";

const NAMES: Readonly<Record<Axis, string>> = { x: say("Upright guide"), y: say("Level guide") };

export class GuideBar {
  readonly element: HTMLElement;
  private readonly list = el("div", { class: "guides" });
  private readonly render = (): void => this.show();
  private readonly stop = new AbortController();

  constructor(private readonly tools: DeskTools) {
    this.element = el(
      "div",
      { class: "tool-row" },
      button({ id: "guide-x", text: say("Upright guide"), label: say("Lay an upright guide in the middle"), kind: "outlined", onClick: () => this.lay("x") }),
      button({ id: "guide-y", text: say("Level guide"), label: say("Lay a level guide in the middle"), kind: "outlined", onClick: () => this.lay("y") }),
      this.list,
    );
    tools.guides.watchers.add(this.render);
    tools.app.watchers.add(this.render);
    this.pullFrom("ruler-top", "y");
    this.pullFrom("ruler-left", "x");
    this.show();
  }

  end(): void {
    this.tools.guides.watchers.delete(this.render);
    this.tools.app.watchers.delete(this.render);
    this.stop.abort();
  }

  private lay(axis: Axis): void {
    const { label } = this.tools.app.preview.view;
    const index = this.tools.guides.add(axis, (axis === "x" ? label.width : label.height) / 2);
    announce(axis === "x" ? say("Upright guide in the middle") : say("Level guide in the middle"));
    document.getElementById(`guide-${index}`)?.focus();
  }

  /** A press on a ruler pulls a guide out of it; let go on the ruler it is gone again. */
  private pullFrom(rulerId: string, axis: Axis): void {
    const ruler = need(rulerId);
    const { guides, app } = this.tools;
    ruler.addEventListener(
      "pointerdown",
      (event) => {
        ruler.setPointerCapture(event.pointerId);
        const index = guides.add(axis, -1);
        const surface = need("overlay").getBoundingClientRect();
        const inside = (moved: PointerEvent): boolean => (axis === "y" ? moved.clientY >= surface.top : moved.clientX >= surface.left);
        const move = (moved: PointerEvent): void => {
          const dots = app.preview.view.toDots({ x: moved.clientX - surface.left, y: moved.clientY - surface.top });
          guides.moveTo(index, axis === "x" ? dots.x : dots.y);
        };
        const end = (moved: PointerEvent): void => {
          ruler.removeEventListener("pointermove", move);
          if (!inside(moved)) guides.remove(index);
        };
        ruler.addEventListener("pointermove", move);
        ruler.addEventListener("pointerup", end, { once: true });
      },
      { signal: this.stop.signal },
    );
  }

  private show(): void {
    const { guides, app } = this.tools;
    const { unit } = app.settings.get();
    const focused = document.activeElement?.id ?? "";
    replaceChildren(
      this.list,
      ...guides.shown.map(({ axis }, index) => {
        const input = el("input", { class: "input", id: `guide-${index}`, inputmode: "decimal", autocomplete: "off", "aria-label": `${NAMES[axis]}, ${unit}` });
        input.value = shownNumber(mmToUnit(dotsToMm(guides.placeOf(index), app.dpmm), unit), unit === "mm" ? 2 : 3);
        input.addEventListener("change", () => {
          const value = parseSize(input.value);
          if (value === undefined) this.show();
          else guides.placeAt(index, mmToDots(unitToMm(value, unit), app.dpmm));
        });
        return el("span", { class: "guide" }, el("span", { "aria-hidden": "true" }, axis === "x" ? "│" : "─"), input, button({ icon: "close", label: axis === "x" ? say("Remove the upright guide") : say("Remove the level guide"), onClick: () => guides.remove(index) }));
      }),
      guides.count > 1 ? button({ text: say("Remove all"), kind: "outlined", onClick: () => guides.clear() }) : null,
    );
    if (focused.startsWith("guide-")) document.getElementById(focused)?.focus();
  }
}
