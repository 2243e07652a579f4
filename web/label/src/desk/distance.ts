// How far two boxes are apart: the gap between their nearest edges, across and down.
import type { Box } from "../model/result";
import type { Point } from "../preview/transform";

export interface Gap {
  /** Negative: they overlap by so much in this direction. */
  across: number;
  down: number;
  /** Ends of the lines that show both gaps; undefined where there is none. */
  acrossLine: [Point, Point] | undefined;
  downLine: [Point, Point] | undefined;
}

/** The middle of what two spans have in common, or of what lies between them. */
function meeting(aFrom: number, aTo: number, bFrom: number, bTo: number): number {
  return (Math.max(aFrom, bFrom) + Math.min(aTo, bTo)) / 2;
}

export function gapBetween(a: Box, b: Box): Gap {
  const [left, right] = a.x + a.width <= b.x + b.width ? [a, b] : [b, a];
  const [upper, lower] = a.y + a.height <= b.y + b.height ? [a, b] : [b, a];
  const across = right.x - (left.x + left.width);
  const down = lower.y - (upper.y + upper.height);
  const middleY = meeting(a.y, a.y + a.height, b.y, b.y + b.height);
  const middleX = meeting(a.x, a.x + a.width, b.x, b.x + b.width);
  return {
    across,
    down,
    acrossLine: across > 0 ? [{ x: left.x + left.width, y: middleY }, { x: right.x, y: middleY }] : undefined,
    downLine: down > 0 ? [{ x: middleX, y: upper.y + upper.height }, { x: middleX, y: lower.y }] : undefined,
  };
}
