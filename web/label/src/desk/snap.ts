// Lines that moving things catch at: edges and middles of elements, of the label, and guides.
import type { Box } from "../model/result";
import type { Point, Size } from "../preview/transform";
import type { Line } from "./turning";

export interface SnapLines {
  x: number[];
  y: number[];
}

export function snapLines(boxes: readonly Box[], label: Size, guides: readonly Line[], middles: boolean): SnapLines {
  const x = [0, label.width];
  const y = [0, label.height];
  if (middles) {
    x.push(label.width / 2);
    y.push(label.height / 2);
  }
  for (const box of boxes) {
    x.push(box.x, box.x + box.width);
    y.push(box.y, box.y + box.height);
    if (middles) {
      x.push(box.x + box.width / 2);
      y.push(box.y + box.height / 2);
    }
  }
  for (const { axis, at } of guides) (axis === "x" ? x : y).push(at);
  return { x, y };
}

/** The nearest line within reach; undefined: there is none. */
export function nearest(value: number, lines: readonly number[], reach: number): number | undefined {
  let best: number | undefined;
  for (const line of lines) {
    const far = Math.abs(line - value);
    if (far <= reach && (best === undefined || far < Math.abs(best - value))) best = line;
  }
  return best;
}

export function snapPoint(point: Point, lines: SnapLines, reach: number): Point {
  return { x: nearest(point.x, lines.x, reach) ?? Math.round(point.x), y: nearest(point.y, lines.y, reach) ?? Math.round(point.y) };
}

export interface SnappedMove {
  dx: number;
  dy: number;
  /** Lines that an edge or the middle of the box then lies on. */
  x: number | undefined;
  y: number | undefined;
}

/** Moves a box so that one of its edges or its middle meets a line, where one is near. */
export function snapMove(box: Box, dx: number, dy: number, lines: SnapLines, reach: number): SnappedMove {
  const pull = (start: number, size: number, by: number, candidates: readonly number[]): { by: number; line: number | undefined } => {
    let best = { by: Math.round(by), line: undefined as number | undefined };
    let least = reach;
    for (const part of [0, size / 2, size]) {
      const line = nearest(start + part + by, candidates, reach);
      if (line === undefined) continue;
      const far = Math.abs(line - (start + part + by));
      // Middles of odd sizes lie between dots; elements do not.
      const to = Math.round(line - part - start);
      if (far <= least) {
        least = far;
        best = { by: to, line };
      }
    }
    return best;
  };
  const across = pull(box.x, box.width, dx, lines.x);
  const down = pull(box.y, box.height, dy, lines.y);
  return { dx: across.by, dy: down.by, x: across.line, y: down.line };
}
