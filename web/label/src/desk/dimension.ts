// A line with its length beside it, as on a drawing.
import type { Palette } from "../preview/palette";
import type { Point, ViewTransform } from "../preview/transform";
import { threeUnits } from "./lengths";

function device(point: Point, view: ViewTransform): Point {
  const factor = view.scale * view.pixelRatio;
  return { x: Math.round(view.offset.x * view.pixelRatio + point.x * factor), y: Math.round(view.offset.y * view.pixelRatio + point.y * factor) };
}

/** `line` in dots of the label as it is shown. */
export function paintDistance(context: CanvasRenderingContext2D, view: ViewTransform, palette: Palette, line: readonly [Point, Point], dots: number, dpmm: number): void {
  const ratio = Math.max(1, Math.round(view.pixelRatio));
  const [a, b] = [device(line[0], view), device(line[1], view)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  context.save();
  context.strokeStyle = palette.error;
  context.lineWidth = ratio;
  context.beginPath();
  context.moveTo(a.x + 0.5, a.y + 0.5);
  context.lineTo(b.x + 0.5, b.y + 0.5);
  // Short strokes across both ends.
  const [nx, ny] = length === 0 ? [0, 1] : [-(b.y - a.y) / length, (b.x - a.x) / length];
  for (const end of [a, b]) {
    context.moveTo(end.x + 0.5 - nx * 5 * ratio, end.y + 0.5 - ny * 5 * ratio);
    context.lineTo(end.x + 0.5 + nx * 5 * ratio, end.y + 0.5 + ny * 5 * ratio);
  }
  context.stroke();
  const text = threeUnits(dots, dpmm);
  context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  const width = context.measureText(text).width + 10 * ratio;
  const height = 18 * ratio;
  const { canvas } = context;
  const x = Math.max(2, Math.min((a.x + b.x) / 2 + 8 * ratio, canvas.width - width - 2));
  const y = Math.max(2, Math.min((a.y + b.y) / 2 - height - 4 * ratio, canvas.height - height - 2));
  context.fillStyle = palette.desk;
  context.fillRect(x, y, width, height);
  context.strokeRect(x, y, width, height);
  context.fillStyle = palette.error;
  context.fillText(text, x + 5 * ratio, y + height / 2);
  context.restore();
}
