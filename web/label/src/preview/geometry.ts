// Boxes of dots: turning them with the picture, finding the one under a point, overlaps.
import type { Rotation } from "../model/settings";
import type { Box, LabelElement } from "../model/result";
import type { Point, Size } from "./transform";

export function turnSize(size: Size, rotation: Rotation): Size {
  return rotation === 90 || rotation === 270 ? { width: size.height, height: size.width } : size;
}

/** A box of the unturned label where it lies after turning the label clockwise. */
export function turnBox(box: Box, label: Size, rotation: Rotation): Box {
  switch (rotation) {
    case 90:
      return { x: label.height - box.y - box.height, y: box.x, width: box.height, height: box.width };
    case 180:
      return {
        x: label.width - box.x - box.width,
        y: label.height - box.y - box.height,
        width: box.width,
        height: box.height,
      };
    case 270:
      return { x: box.y, y: label.width - box.x - box.width, width: box.height, height: box.width };
    default:
      return { x: box.x, y: box.y, width: box.width, height: box.height };
  }
}

/** A point of the unturned label where it lies after turning the label clockwise. */
export function turnPoint(point: Point, label: Size, rotation: Rotation): Point {
  const { x, y } = turnBox({ ...point, width: 0, height: 0 }, label, rotation);
  return { x, y };
}

/** A point of the turned picture where it lies on the unturned label. */
export function unturnPoint(point: Point, label: Size, rotation: Rotation): Point {
  switch (rotation) {
    case 90:
      return { x: point.y, y: label.height - point.x };
    case 180:
      return { x: label.width - point.x, y: label.height - point.y };
    case 270:
      return { x: label.width - point.y, y: point.x };
    default:
      return point;
  }
}

/** Do positions of the label grow against the direction of the screen, along the top or the left edge of the turned picture? */
export function runsBackwards(rotation: Rotation, across: boolean): boolean {
  return across ? rotation === 90 || rotation === 180 : rotation === 180 || rotation === 270;
}

/** Index of the smallest box around the point; thin lines may be missed by `tolerance` dots. */
export function boxAt(boxes: readonly Box[], point: Point, tolerance: number): number {
  let best = -1;
  let bestArea = Infinity;
  boxes.forEach((box, index) => {
    if (point.x < box.x - tolerance || point.x > box.x + box.width + tolerance) return;
    if (point.y < box.y - tolerance || point.y > box.y + box.height + tolerance) return;
    const area = Math.max(box.width, 1) * Math.max(box.height, 1);
    // Of equal boxes the later one lies on top.
    if (area <= bestArea) {
      best = index;
      bestArea = area;
    }
  });
  return best;
}

export function intersection(a: Box, b: Box): Box | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const right = Math.min(a.x + a.width, b.x + b.width);
  const bottom = Math.min(a.y + a.height, b.y + b.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

export function hasTrouble(element: LabelElement): boolean {
  const unread = element.reading?.decoded === false || element.reading?.matches === false;
  return unread || element.insideLabel === false || element.quietZoneOk === false || element.clipped || element.overlaps.length > 0;
}
