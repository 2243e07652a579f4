// Between the label as its code sees it and the label as it is shown, turned clockwise.
import type { Rotation } from "../model/settings";
import type { Point, Size } from "../preview/transform";

export type Axis = "x" | "y";

/** A move of what is shown, as a move on the unturned label. */
export function unturnMove(move: Point, rotation: Rotation): Point {
  switch (rotation) {
    case 90:
      return { x: move.y, y: -move.x };
    case 180:
      return { x: -move.x, y: -move.y };
    case 270:
      return { x: -move.y, y: move.x };
    default:
      return move;
  }
}

export function turnMove(move: Point, rotation: Rotation): Point {
  return unturnMove(move, ((360 - rotation) % 360) as Rotation);
}

export interface Line {
  /** "x": an upright line at this x; "y": a level one at this y. */
  axis: Axis;
  at: number;
}

/** A line across the unturned label where it is shown. `size` is that of the unturned label. */
export function turnLine({ axis, at }: Line, size: Size, rotation: Rotation): Line {
  switch (rotation) {
    case 90:
      return axis === "x" ? { axis: "y", at } : { axis: "x", at: size.height - at };
    case 180:
      return axis === "x" ? { axis, at: size.width - at } : { axis, at: size.height - at };
    case 270:
      return axis === "x" ? { axis: "y", at: size.width - at } : { axis: "x", at };
    default:
      return { axis, at };
  }
}

/** The other way round. `shown` is the size of the label as it is shown. */
export function unturnLine(line: Line, shown: Size, rotation: Rotation): Line {
  return turnLine(line, shown, ((360 - rotation) % 360) as Rotation);
}
