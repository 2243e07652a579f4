// What a drag will do, drawn while it goes on: the elements at their new places, and the lines they caught at.
import type { Box } from "../model/result";
import { deviceBox } from "../preview/painter";
import type { Palette } from "../preview/palette";
import type { Picture } from "../preview/pictures";
import type { ViewTransform } from "../preview/transform";

export interface Shift {
  from: Box;
  to: Box;
}

export function paintGhost(
  context: CanvasRenderingContext2D,
  view: ViewTransform,
  palette: Palette,
  shifts: readonly Shift[],
  lines: { x: number | undefined; y: number | undefined },
  picture: Picture | undefined,
): void {
  const ratio = Math.max(1, Math.round(view.pixelRatio));
  context.save();
  for (const { from, to } of shifts) {
    const old = deviceBox(from, view);
    const place = deviceBox(to, view);
    context.globalAlpha = 0.6;
    context.fillStyle = "#fff";
    context.fillRect(old.x, old.y, old.width, old.height);
    if (picture && from.width > 0 && from.height > 0) context.drawImage(picture, from.x, from.y, from.width, from.height, place.x, place.y, place.width, place.height);
    context.globalAlpha = 1;
    context.strokeStyle = palette.accent;
    context.lineWidth = 2 * ratio;
    context.strokeRect(place.x - ratio, place.y - ratio, place.width + 2 * ratio, place.height + 2 * ratio);
  }
  context.fillStyle = palette.error;
  const line = deviceBox({ x: lines.x ?? 0, y: lines.y ?? 0, width: 0, height: 0 }, view);
  if (lines.x !== undefined) context.fillRect(line.x, 0, ratio, context.canvas.height);
  if (lines.y !== undefined) context.fillRect(0, line.y, context.canvas.width, ratio);
  context.restore();
}
