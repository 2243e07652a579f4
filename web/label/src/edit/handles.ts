// The squares by which an element is resized: they sit on the edges that move when its size changes and its ^FO or ^FT stays.
import { nearest, type SnapLines } from "../desk/snap";
import type { ElementCode } from "../desk/tracker";
import { turnMove } from "../desk/turning";
import type { Box } from "../model/result";
import type { Rotation } from "../model/settings";
import type { Palette } from "../preview/palette";
import type { Point, ViewTransform } from "../preview/transform";
import type { NewSize } from "./sizing";

/** A place on the shown box, and the direction in which each side grows there: -1, 1, or 0 where it does not. */
export interface Handle {
  at: Point;
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

/** Which way the element grows on the unturned label. Undefined: it cannot be said. */
function growth({ element, place }: ElementCode): Point | undefined {
  const source = element.place;
  if (!source || !place || source.stepX === 0 || source.stepY === 0) return undefined;
  const [right, down] = [Math.sign(source.stepX), Math.sign(source.stepY)];
  const justified = place.parameters[2]?.text === "1" ? -1 : 1;
  if (source.command === "^FO") return { x: right * justified, y: down };
  // ^FT stands on the baseline: the top moves. Turned fields grow from other corners.
  const upright = element.rotation === (down < 0 ? 180 : 0);
  const isShape = element.type !== "text" && element.type !== "barcode";
  return upright || isShape ? { x: right * justified, y: -down } : undefined;
}

export function handlesOf(code: ElementCode, box: Box, rotation: Rotation): Handle[] {
  const grows = growth(code);
  if (!grows) return [];
  const { x, y } = turnMove(grows, rotation);
  const edgeX = x > 0 ? box.x + box.width : box.x;
  const edgeY = y > 0 ? box.y + box.height : box.y;
  const [sideX, sideY] = [Math.sign(x) as -1 | 1, Math.sign(y) as -1 | 1];
  return [
    { at: { x: edgeX, y: box.y + box.height / 2 }, x: sideX, y: 0 },
    { at: { x: box.x + box.width / 2, y: edgeY }, x: 0, y: sideY },
    { at: { x: edgeX, y: edgeY }, x: sideX, y: sideY },
  ];
}

function pixel(point: Point, view: ViewTransform): Point {
  return { x: point.x * view.scale + view.offset.x, y: point.y * view.scale + view.offset.y };
}

export function handleAt(handles: readonly Handle[], at: Point, view: ViewTransform, reach: number): Handle | undefined {
  // The corner comes last and counts first.
  return [...handles].reverse().find((handle) => {
    const { x, y } = pixel(handle.at, view);
    return Math.abs(x - at.x) <= reach && Math.abs(y - at.y) <= reach;
  });
}

/** The box with its handle moved; sizes stay above nothing. */
export function stretch(box: Box, handle: Handle, by: Point, lines: SnapLines, reach: number): Box {
  const side = (start: number, size: number, way: number, move: number, candidates: readonly number[]): [number, number] => {
    if (way === 0) return [start, size];
    const edge = (way > 0 ? start + size : start) + move;
    const caught = Math.round(nearest(edge, candidates, reach) ?? edge);
    return way > 0 ? [start, Math.max(1, caught - start)] : [Math.min(caught, start + size - 1), Math.max(1, start + size - caught)];
  };
  const [x, width] = side(box.x, box.width, handle.x, by.x, lines.x);
  const [y, height] = side(box.y, box.height, handle.y, by.y, lines.y);
  return { x, y, width, height };
}

/** The new size on the unturned label; sides that the handle does not move are left out. */
export function sizeAfter(handle: Handle, box: Box, rotation: Rotation): NewSize {
  const width = handle.x === 0 ? undefined : box.width;
  const height = handle.y === 0 ? undefined : box.height;
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

export function paintHandles(context: CanvasRenderingContext2D, view: ViewTransform, palette: Palette, handles: readonly Handle[]): void {
  const ratio = view.pixelRatio;
  const size = Math.round(8 * ratio);
  context.lineWidth = Math.max(1, Math.round(ratio));
  for (const handle of handles) {
    const { x, y } = pixel(handle.at, view);
    const [left, top] = [Math.round(x * ratio - size / 2), Math.round(y * ratio - size / 2)];
    context.fillStyle = palette.desk;
    context.fillRect(left, top, size, size);
    context.strokeStyle = palette.accent;
    context.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
  }
}
