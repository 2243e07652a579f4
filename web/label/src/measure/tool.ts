// The measuring tool: drag between two points, or move the second one with the arrow keys; both catch at the edges of elements.
import { paintDistance } from "../desk/dimension";
import { inUnits, threeUnits } from "../desk/lengths";
import { snapLines, snapPoint } from "../desk/snap";
import type { ActiveTool, DeskTools } from "../desk/tools";
import type { Grip } from "../preview/gestures";
import { turnPoint, unturnPoint } from "../preview/geometry";
import type { OverlayLayer } from "../preview/painter";
import type { Point } from "../preview/transform";
import { el } from "../ui/dom";
import { GuideBar } from "./guide-bar";
import { say } from "../ui/language";

/** Pixels within which a point catches. */
const REACH = 8;

export class MeasureTool implements ActiveTool {
  readonly bar: HTMLElement;
  private readonly reading = el("output", { id: "measured", class: "reading" });
  /** In dots of the unturned label, as rulers and code count. */
  private line: [Point, Point] | undefined;
  private readonly guideBar: GuideBar;
  private readonly unsubscribe: () => void;

  constructor(private readonly tools: DeskTools) {
    this.guideBar = new GuideBar(tools);
    this.bar = el("div", { class: "tool-row", role: "group", "aria-label": say("Measure") }, this.reading, this.guideBar.element);
    tools.app.preview.layers.add(this.paint);
    // What was measured lies on the label before.
    this.unsubscribe = tools.app.documents.shown.subscribe(() => this.put(undefined));
    this.say();
  }

  grab(at: Point, event: PointerEvent): Grip | undefined {
    const from = this.catchPoint(at, event.altKey);
    const before = this.shownLine;
    return {
      move: (now, moved) => {
        const to = this.catchPoint(now, moved.altKey);
        if (moved.shiftKey) {
          if (Math.abs(to.x - from.x) >= Math.abs(to.y - from.y)) to.y = from.y;
          else to.x = from.x;
        }
        this.put([from, to]);
      },
      drop: (moved) => {
        if (!moved) this.put(before);
      },
    };
  }

  click(at: Point, event: PointerEvent): boolean {
    return this.tools.chooser.click(at, event);
  }

  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = event.shiftKey ? 10 : 1;
    const moves: Record<string, Point> = {
      ArrowLeft: { x: -step, y: 0 },
      ArrowRight: { x: step, y: 0 },
      ArrowUp: { x: 0, y: -step },
      ArrowDown: { x: 0, y: step },
    };
    const move = moves[event.key];
    if (move) {
      const [from, to] = this.shownLine ?? [this.start(), this.start()];
      const { width, height } = this.tools.app.preview.view.label;
      this.put([from, { x: Math.min(Math.max(to.x + move.x, 0), width), y: Math.min(Math.max(to.y + move.y, 0), height) }]);
      return true;
    }
    if (event.key === " " && this.shownLine) {
      const [, to] = this.shownLine;
      this.put([to, to]);
      return true;
    }
    if (event.key === "Escape" && this.line) {
      this.put(undefined);
      return true;
    }
    return false;
  }

  end(): void {
    this.tools.app.preview.layers.delete(this.paint);
    this.guideBar.end();
    this.unsubscribe();
  }

  /** Where the keyboard begins: at the corner of the chosen element, or of the label. */
  private start(): Point {
    const { app, selection } = this.tools;
    const box = app.preview.shownBoxes[selection.elements[0] ?? -1];
    return box ? { x: box.x, y: box.y } : { x: 0, y: 0 };
  }

  private catchPoint(at: Point, free: boolean): Point {
    const { preview } = this.tools.app;
    const dots = preview.view.toDots(at);
    const reach = free ? 0 : REACH / preview.view.scale;
    return snapPoint(dots, snapLines(preview.shownBoxes, preview.view.label, this.tools.guides.shown, false), reach);
  }

  private get shownLine(): [Point, Point] | undefined {
    const { labelSize, rotation } = this.tools.app.preview;
    return this.line && [turnPoint(this.line[0], labelSize, rotation), turnPoint(this.line[1], labelSize, rotation)];
  }

  /** `line`: of the label as it is shown. */
  private put(line: [Point, Point] | undefined): void {
    const { labelSize, rotation } = this.tools.app.preview;
    this.line = line && [unturnPoint(line[0], labelSize, rotation), unturnPoint(line[1], labelSize, rotation)];
    this.say();
    this.tools.app.preview.repaint();
  }

  private say(): void {
    const { dpmm } = this.tools.app;
    if (!this.line) {
      this.reading.textContent = say("Drag from point to point; edges catch, Alt does not. Keys: arrows, Space sets the start.");
      return;
    }
    const [from, to] = this.line;
    const [across, down] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    const start = inUnits(from.x, dpmm);
    const startY = inUnits(from.y, dpmm);
    const length = threeUnits(Math.hypot(across, down), dpmm);
    const values = { length, across: threeUnits(across, dpmm), down: threeUnits(down, dpmm), x: start.dots, y: startY.dots, xMm: start.mm, yMm: startY.mm };
    this.reading.textContent = say("{length} (x {across}; y {down}; from {x}, {y} dots, {xMm}, {yMm} mm)", values);
  }

  private readonly paint: OverlayLayer = (context, view, palette) => {
    if (!this.shownLine) return;
    const [from, to] = this.shownLine;
    paintDistance(context, view, palette, [from, to], Math.hypot(to.x - from.x, to.y - from.y), this.tools.app.dpmm);
  };
}
