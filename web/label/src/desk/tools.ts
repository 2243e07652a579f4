// What measuring and editing share: the choice of several elements, guides, the place of elements in the text, the panel of positions.
import type { App } from "../app";
import type { PointerTool } from "../preview/preview";
import { deviceBox, type OverlayLayer } from "../preview/painter";
import { announce, toast } from "../ui/messages";
import { el, need } from "../ui/dom";
import { paintDistance } from "./dimension";
import { gapBetween } from "./distance";
import { Guides } from "./guides";
import type { Mode } from "./modes";
import { PositionPanel } from "./positions";
import { Selection } from "./selection";
import type { Point } from "../preview/transform";
import { PlaceTracker } from "./tracker";
import { say, sayCount } from "../ui/language";

/** A tool that is in use: its bar, and what to do when it is put away. */
export interface ActiveTool extends PointerTool {
  readonly bar: HTMLElement;
  /** True: the key was for the tool. */
  key(event: KeyboardEvent): boolean;
  end(): void;
  /** Edits the text of an element on the label. */
  editText?(element: number): void;
}

export class DeskTools {
  readonly selection: Selection;
  readonly guides: Guides;
  readonly tracker: PlaceTracker;
  private active: ActiveTool | undefined;
  private readonly bar = el("div", { id: "tool-bar", class: "tool-bar", hidden: true });

  constructor(readonly app: App) {
    this.tracker = new PlaceTracker(app);
    this.selection = new Selection(app);
    this.guides = new Guides(app);
    app.inspector.details.after(new PositionPanel(app, this.selection).element, this.propertyGroup());
    need("preview-tools").after(this.bar);
    app.preview.layers.add(this.paintChosen);
    app.preview.tool = this.chooser;
    const { desk } = this;
    // Before the preview's own keys.
    desk.addEventListener("keydown", (event) => this.key(event), true);
  }

  /** The form of parameters, loaded and made while it is open. */
  private propertyGroup(): HTMLElement {
    const form = el("div", {});
    const details = el("details", { class: "group properties", id: "properties" }, el("summary", {}, say("Parameters")), form);
    let shown: { end(): void } | undefined;
    details.addEventListener("toggle", () => {
      shown?.end();
      shown = undefined;
      if (!details.open) return;
      void Promise.all([import("../edit/properties"), this.app.editor.loadExtras()]).then(
        ([{ PropertyForm }]) => {
          if (details.open && !shown) shown = new PropertyForm(this, form);
        },
        () => toast(say("The form could not be loaded. Is the service there?")),
      );
    });
    return details;
  }

  private get desk(): HTMLElement {
    return need("overlay");
  }

  async use(mode: Mode | undefined): Promise<void> {
    this.active?.end();
    this.active = undefined;
    this.app.preview.tool = this.chooser;
    this.bar.replaceChildren();
    this.bar.hidden = true;
    if (mode) {
      const active = await this.make(mode);
      this.active = active;
      this.app.preview.tool = active;
      this.bar.append(active.bar);
      this.bar.hidden = false;
      this.app.preview.dismissCard();
    }
    document.body.dataset["tool"] = mode ?? "none";
    this.app.preview.repaint();
  }

  editTextAt(at: Point): void {
    const element = this.app.preview.elementAt(at);
    if (element < 0) return;
    this.selection.set(element);
    this.active?.editText?.(element);
  }

  private async make(mode: Mode): Promise<ActiveTool> {
    if (mode === "measure") return new (await import("../measure/tool")).MeasureTool(this);
    // Every gesture is a step to undo, so it waits for the editor's undo.
    const [{ EditTool }] = await Promise.all([import("../edit/tool"), this.app.editor.loadExtras()]);
    return new EditTool(this);
  }

  /** A click chooses; with Shift it adds an element to the others or takes it away. */
  readonly chooser: PointerTool = {
    grab: () => undefined,
    click: (at, event) => {
      if (!event.shiftKey) {
        if (this.selection.elements.length < 2) return false;
        this.selection.set(this.app.preview.elementAt(at));
        return true;
      }
      this.selection.toggle(this.app.preview.elementAt(at));
      this.sayChoice();
      return true;
    },
  };

  private sayChoice(): void {
    const count = this.selection.elements.length;
    announce(sayCount("{count} element chosen", "{count} elements chosen", count));
  }

  private key(event: KeyboardEvent): void {
    if (this.active?.key(event) || this.choiceKey(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  private choiceKey(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "a") {
      this.selection.all();
      this.sayChoice();
      return true;
    }
    if (!event.shiftKey || event.ctrlKey || event.metaKey || (key !== "n" && key !== "p")) return false;
    const count = this.app.preview.elements.length;
    if (count === 0) return true;
    const chosen = this.selection.elements;
    const last = chosen[chosen.length - 1] ?? (key === "n" ? -1 : 0);
    const next = (last + (key === "n" ? 1 : -1) + count) % count;
    this.selection.toggle(next);
    this.sayChoice();
    return true;
  }

  private readonly paintChosen: OverlayLayer = (context, view, palette) => {
    const chosen = this.selection.elements;
    if (chosen.length < 2) return;
    const { shownBoxes } = this.app.preview;
    const thickness = 2 * Math.max(1, Math.round(view.pixelRatio));
    context.strokeStyle = palette.accent;
    context.lineWidth = thickness;
    for (const index of chosen) {
      const box = shownBoxes[index];
      if (!box) continue;
      const { x, y, width, height } = deviceBox(box, view);
      context.strokeRect(x - thickness, y - thickness, width + 2 * thickness, height + 2 * thickness);
    }
    const [first, second] = chosen.map((index) => shownBoxes[index]);
    if (chosen.length !== 2 || !first || !second) return;
    const gap = gapBetween(first, second);
    if (gap.acrossLine) paintDistance(context, view, palette, gap.acrossLine, gap.across, this.app.dpmm);
    if (gap.downLine) paintDistance(context, view, palette, gap.downLine, gap.down, this.app.dpmm);
  };
}
