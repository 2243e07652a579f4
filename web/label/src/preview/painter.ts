// Draws the label, dot for dot, and over it the boxes of its elements.
import type { Box, LabelElement } from "../model/result";
import { hasTrouble, intersection } from "./geometry";
import type { Palette } from "./palette";
import type { ViewTransform } from "./transform";

function prepare(canvas: HTMLCanvasElement, view: ViewTransform): CanvasRenderingContext2D | null {
  const width = Math.max(1, Math.round(view.viewport.width * view.pixelRatio));
  const height = Math.max(1, Math.round(view.viewport.height * view.pixelRatio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

export function deviceBox(box: Box, view: ViewTransform): Box {
  const factor = view.scale * view.pixelRatio;
  const x = Math.round(view.offset.x * view.pixelRatio + box.x * factor);
  const y = Math.round(view.offset.y * view.pixelRatio + box.y * factor);
  return {
    x,
    y,
    width: Math.max(1, Math.round(view.offset.x * view.pixelRatio + (box.x + box.width) * factor) - x),
    height: Math.max(1, Math.round(view.offset.y * view.pixelRatio + (box.y + box.height) * factor) - y),
  };
}

export function paintLabel(
  canvas: HTMLCanvasElement,
  view: ViewTransform,
  picture: CanvasImageSource | undefined,
  palette: Palette,
): void {
  const context = prepare(canvas, view);
  if (!context) return;
  const { x, y, width, height } = deviceBox({ x: 0, y: 0, width: view.label.width, height: view.label.height }, view);
  const ratio = view.pixelRatio;
  context.save();
  context.shadowColor = palette["label-shadow"];
  context.shadowBlur = 18 * ratio;
  context.shadowOffsetY = 4 * ratio;
  context.fillStyle = "#fff";
  context.fillRect(x, y, width, height);
  context.restore();
  const edge = Math.max(1, Math.round(ratio));
  context.fillStyle = palette["label-edge"];
  context.fillRect(x - edge, y - edge, width + 2 * edge, height + 2 * edge);
  paintPicture(canvas, view, picture);
}

/** The label alone: on a canvas where it lies already, its shadow and all around it stay, which cost more than the picture. */
export function paintPicture(canvas: HTMLCanvasElement, view: ViewTransform, picture: CanvasImageSource | undefined): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { x, y, width, height } = deviceBox({ x: 0, y: 0, width: view.label.width, height: view.label.height }, view);
  context.fillStyle = "#fff";
  context.fillRect(x, y, width, height);
  if (!picture) return;
  // Enlarged dots stay square; only when dots must share pixels are they mixed.
  context.imageSmoothingEnabled = view.scale * view.pixelRatio < 1;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, x, y, width, height);
}

export interface OverlayInput {
  elements: readonly LabelElement[];
  boxes: readonly Box[];
  quietZones: readonly (Box | undefined)[];
  hovered: number;
  selected: number;
  showAll: boolean;
  /** Where the printer would print, if that is not the whole label. */
  printArea: Box | undefined;
}

function outline(context: CanvasRenderingContext2D, box: Box, thickness: number, gap: number): void {
  context.lineWidth = thickness;
  const out = gap + thickness / 2;
  context.strokeRect(box.x - out, box.y - out, box.width + 2 * out, box.height + 2 * out);
}

function paintQuietZone(context: CanvasRenderingContext2D, zone: Box, inner: Box, ok: boolean, palette: Palette, ratio: number): void {
  context.save();
  context.beginPath();
  context.rect(zone.x, zone.y, zone.width, zone.height);
  context.rect(inner.x, inner.y, inner.width, inner.height);
  context.clip("evenodd");
  context.strokeStyle = ok ? palette.accent : palette.error;
  context.globalAlpha = ok ? 0.35 : 0.7;
  context.lineWidth = ratio;
  context.beginPath();
  const gap = 6 * ratio;
  for (let d = -zone.height; d < zone.width; d += gap) {
    context.moveTo(zone.x + d, zone.y + zone.height);
    context.lineTo(zone.x + d + zone.height, zone.y);
  }
  context.stroke();
  context.restore();
}

function paintOverlaps(context: CanvasRenderingContext2D, input: OverlayInput, view: ViewTransform, palette: Palette): void {
  context.fillStyle = palette.error;
  context.globalAlpha = 0.22;
  input.elements.forEach((element, index) => {
    for (const other of element.overlaps) {
      const a = input.boxes[index];
      const b = input.boxes[other];
      const common = other > index && a && b ? intersection(a, b) : undefined;
      if (!common) continue;
      const shown = deviceBox(common, view);
      context.fillRect(shown.x, shown.y, shown.width, shown.height);
    }
  });
  context.globalAlpha = 1;
}

/** Something that tools draw over the label, in device pixels. */
export type OverlayLayer = (context: CanvasRenderingContext2D, view: ViewTransform, palette: Palette) => void;

export function paintOverlay(canvas: HTMLCanvasElement, view: ViewTransform, input: OverlayInput, palette: Palette, layers: Iterable<OverlayLayer>): void {
  const context = prepare(canvas, view);
  if (!context) return;
  const ratio = Math.max(1, Math.round(view.pixelRatio));
  if (input.printArea) {
    const area = deviceBox(input.printArea, view);
    context.save();
    context.strokeStyle = palette.accent;
    context.setLineDash([7 * ratio, 5 * ratio]);
    outline(context, area, 2 * ratio, 0);
    context.restore();
  }
  if (input.showAll) {
    input.boxes.forEach((box, index) => {
      const element = input.elements[index];
      if (!element) return;
      const shown = deviceBox(box, view);
      const zone = input.quietZones[index];
      if (zone) paintQuietZone(context, deviceBox(zone, view), shown, element.quietZoneOk !== false, palette, ratio);
      context.strokeStyle = hasTrouble(element) ? palette.error : palette.accent;
      context.globalAlpha = element.type === "text" || element.type === "barcode" ? 0.9 : 0.55;
      outline(context, shown, ratio, 0);
      context.globalAlpha = 1;
    });
    paintOverlaps(context, input, view, palette);
  }
  const mark = (index: number, fill: number, thickness: number): void => {
    const box = input.boxes[index];
    if (!box) return;
    const shown = deviceBox(box, view);
    const zone = input.quietZones[index];
    if (zone && !input.showAll) {
      paintQuietZone(context, deviceBox(zone, view), shown, input.elements[index]?.quietZoneOk !== false, palette, ratio);
    }
    context.strokeStyle = palette.accent;
    outline(context, shown, thickness, ratio);
    if (fill > 0) {
      context.fillStyle = palette.accent;
      context.globalAlpha = fill;
      context.fillRect(shown.x - ratio, shown.y - ratio, shown.width + 2 * ratio, shown.height + 2 * ratio);
      context.globalAlpha = 1;
    }
  };
  if (input.selected >= 0) mark(input.selected, 0, 2 * ratio);
  if (input.hovered >= 0 && input.hovered !== input.selected) mark(input.hovered, 0.12, ratio);
  for (const layer of layers) layer(context, view, palette);
}
