// Guides: lines that the user lays over a label, kept in dots of the unturned label so that they turn with it.
import type { App } from "../app";
import type { OpenDocument } from "../documents/documents";
import { deviceBox, type OverlayLayer } from "../preview/painter";
import { turnSize } from "../preview/geometry";
import { turnLine, unturnLine, type Axis, type Line } from "./turning";

export class Guides {
  /** Every open label has its own. */
  private readonly ofDocument = new WeakMap<OpenDocument, Line[]>();
  readonly watchers = new Set<() => void>();

  constructor(private readonly app: App) {
    app.preview.layers.add(this.paint);
  }

  private get lines(): Line[] {
    const document = this.app.documents.shown.get();
    const lines = this.ofDocument.get(document) ?? [];
    this.ofDocument.set(document, lines);
    return lines;
  }

  /** As they are shown. */
  get shown(): readonly Line[] {
    const { rotation, labelSize } = this.app.preview;
    return this.lines.map((line) => turnLine(line, labelSize, rotation));
  }

  /** Where a guide lies on the unturned label, in dots: as the code and the rulers count. */
  placeOf(index: number): number {
    return this.lines[index]?.at ?? 0;
  }

  /** Moves a guide to a place on the unturned label. */
  placeAt(index: number, at: number): void {
    const line = this.lines[index];
    if (!line) return;
    line.at = Math.round(at);
    this.changed();
  }

  get count(): number {
    return this.lines.length;
  }

  /** Adds a guide at a place of the label as it is shown. */
  add(axis: Axis, at: number): number {
    this.lines.push(this.inner({ axis, at }));
    this.changed();
    return this.lines.length - 1;
  }

  moveTo(index: number, at: number): void {
    const shown = this.shown[index];
    if (!shown) return;
    this.lines[index] = this.inner({ axis: shown.axis, at });
    this.changed();
  }

  remove(index: number): void {
    this.lines.splice(index, 1);
    this.changed();
  }

  clear(): void {
    this.lines.length = 0;
    this.changed();
  }

  private inner(line: Line): Line {
    const { rotation, labelSize } = this.app.preview;
    return unturnLine({ axis: line.axis, at: Math.round(line.at) }, turnSize(labelSize, rotation), rotation);
  }

  private changed(): void {
    this.app.preview.repaint();
    for (const watcher of this.watchers) watcher();
  }

  private readonly paint: OverlayLayer = (context, view, palette) => {
    const thickness = Math.max(1, Math.round(view.pixelRatio));
    context.fillStyle = palette.warning;
    for (const { axis, at } of this.shown) {
      const place = deviceBox({ x: axis === "x" ? at : 0, y: axis === "y" ? at : 0, width: 0, height: 0 }, view);
      if (axis === "x") context.fillRect(place.x, 0, thickness, context.canvas.height);
      else context.fillRect(0, place.y, context.canvas.width, thickness);
    }
  };
}
