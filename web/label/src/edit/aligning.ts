// Where elements have to go to stand in line with each other, or with the label if there is only one.
import type { Box } from "../model/result";
import type { Point, Size } from "../preview/transform";

export type Alignment = "left" | "centre" | "right" | "top" | "middle" | "bottom" | "spread-across" | "spread-down";

function spread(boxes: readonly Box[], axis: "x" | "y"): Point[] {
  const size = axis === "x" ? "width" : "height";
  const order = boxes.map((_, index) => index).sort((a, b) => (boxes[a] as Box)[axis] - (boxes[b] as Box)[axis]);
  const first = boxes[order[0] as number] as Box;
  const last = boxes[order[order.length - 1] as number] as Box;
  const inner = boxes.reduce((sum, box) => sum + box[size], 0);
  const gap = (last[axis] + last[size] - first[axis] - inner) / (boxes.length - 1);
  const moves: Point[] = boxes.map(() => ({ x: 0, y: 0 }));
  let at = first[axis];
  for (const index of order) {
    const box = boxes[index] as Box;
    (moves[index] as Point)[axis] = Math.round(at - box[axis]);
    at += box[size] + gap;
  }
  return moves;
}

/** A move for each box, in dots of the label as it is shown. */
export function alignBoxes(boxes: readonly Box[], how: Alignment, label: Size): Point[] {
  if (how === "spread-across") return boxes.length < 3 ? [] : spread(boxes, "x");
  if (how === "spread-down") return boxes.length < 3 ? [] : spread(boxes, "y");
  const within = boxes.length === 1 ? [{ x: 0, y: 0, ...label }] : boxes;
  const left = Math.min(...within.map((box) => box.x));
  const top = Math.min(...within.map((box) => box.y));
  const right = Math.max(...within.map((box) => box.x + box.width));
  const bottom = Math.max(...within.map((box) => box.y + box.height));
  return boxes.map((box) => {
    switch (how) {
      case "left":
        return { x: left - box.x, y: 0 };
      case "centre":
        return { x: Math.round((left + right - box.width) / 2 - box.x), y: 0 };
      case "right":
        return { x: right - box.width - box.x, y: 0 };
      case "top":
        return { x: 0, y: top - box.y };
      case "middle":
        return { x: 0, y: Math.round((top + bottom - box.height) / 2 - box.y) };
      default:
        return { x: 0, y: bottom - box.height - box.y };
    }
  });
}
