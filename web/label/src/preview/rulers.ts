// Rulers along the top and the left edge of the desk, in millimetres or inches of the label; a turned label turns its rulers, too.
import { dotsPerMm, MM_PER_INCH, type LengthUnit } from "../model/units";
import { withDecimalSign } from "../ui/language";
import type { Palette } from "./palette";
import type { Point, ViewTransform } from "./transform";

export const RULER_SIZE = 22;

interface Scale {
  /** Units between numbers, and parts that each such step is divided into. */
  step: number;
  parts: number;
}

const MM_SCALES: readonly Scale[] = [
  { step: 1, parts: 10 },
  { step: 2, parts: 4 },
  { step: 5, parts: 5 },
  { step: 10, parts: 10 },
  { step: 20, parts: 4 },
  { step: 50, parts: 5 },
  { step: 100, parts: 10 },
  { step: 200, parts: 4 },
  { step: 500, parts: 5 },
];

const INCH_SCALES: readonly Scale[] = [
  { step: 0.25, parts: 4 },
  { step: 0.5, parts: 4 },
  { step: 1, parts: 8 },
  { step: 2, parts: 4 },
  { step: 5, parts: 5 },
  { step: 10, parts: 10 },
  { step: 20, parts: 4 },
];

/** The finest scale whose numbers stand at least `room` pixels apart. */
export function chooseScale(pixelsPerUnit: number, unit: LengthUnit, room = 44): Scale {
  const scales = unit === "mm" ? MM_SCALES : INCH_SCALES;
  return scales.find((scale) => scale.step * pixelsPerUnit >= room) ?? (scales[scales.length - 1] as Scale);
}

export interface RulerInput {
  view: ViewTransform;
  unit: LengthUnit;
  dpmm: number;
  pointer: Point | undefined;
  palette: Palette;
  /** The label is turned: numbers are those of the label, as the code counts them. */
  backwards: boolean;
}

function prepare(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): CanvasRenderingContext2D | null {
  const deviceWidth = Math.max(1, Math.round(width * ratio));
  const deviceHeight = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== deviceWidth || canvas.height !== deviceHeight) {
    canvas.width = deviceWidth;
    canvas.height = deviceHeight;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export function drawRuler(canvas: HTMLCanvasElement, input: RulerInput, across: boolean): void {
  const { view, unit, dpmm, palette } = input;
  const length = across ? view.viewport.width : view.viewport.height;
  const context = prepare(canvas, across ? length : RULER_SIZE, across ? RULER_SIZE : length, view.pixelRatio);
  if (!context) return;
  const origin = across ? view.offset.x : view.offset.y;
  const extent = (across ? view.label.width : view.label.height) * view.scale;
  const perUnit = dotsPerMm(dpmm) * view.scale * (unit === "mm" ? 1 : MM_PER_INCH);
  const { step, parts } = chooseScale(perUnit, unit);
  const hair = 1 / view.pixelRatio;

  const bar = (position: number, thickness: number, from: number, to: number): void => {
    const at = Math.round(position * view.pixelRatio) / view.pixelRatio;
    if (across) context.fillRect(at, from, thickness, to - from);
    else context.fillRect(from, at, to - from, thickness);
  };

  context.fillStyle = palette.ruler;
  context.fillRect(0, 0, across ? length : RULER_SIZE, across ? RULER_SIZE : length);
  // The part that the label covers is a little lighter than the rest, as on a drawing board.
  context.fillStyle = palette["label-shadow"];
  if (across) context.fillRect(origin, RULER_SIZE - 3, extent, 3);
  else context.fillRect(RULER_SIZE - 3, origin, 3, extent);

  context.fillStyle = palette["ruler-line"];
  bar(0, length, RULER_SIZE - hair, RULER_SIZE);
  const tick = step / parts;
  // Where the label's own zero is, and which way its positions grow.
  const zero = input.backwards ? origin + extent : origin;
  const direction = input.backwards ? -1 : 1;
  const ends = [-zero, length - zero].map((distance) => (distance * direction) / perUnit / tick);
  const first = Math.floor(Math.min(...ends));
  const last = Math.ceil(Math.max(...ends));
  context.font = "10px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (let n = first; n <= last; n++) {
    const position = zero + direction * n * tick * perUnit;
    const major = n % parts === 0;
    const middle = parts % 2 === 0 && n % (parts / 2) === 0;
    context.fillStyle = palette["ruler-line"];
    bar(position, hair, major ? RULER_SIZE - 9 : middle ? RULER_SIZE - 6 : RULER_SIZE - 4, RULER_SIZE);
    if (!major) continue;
    const value = withDecimalSign(String(Number((n * tick).toFixed(3))));
    context.fillStyle = palette["ruler-text"];
    if (across) {
      context.textAlign = "left";
      context.fillText(value, position + 3, 8);
    } else {
      context.save();
      context.translate(8, position + 3);
      context.rotate(-Math.PI / 2);
      context.textAlign = "right";
      context.fillText(value, 0, 0);
      context.restore();
    }
  }
  if (input.pointer) {
    context.fillStyle = palette.accent;
    bar(across ? input.pointer.x : input.pointer.y, Math.max(1, hair), 0, RULER_SIZE);
  }
}
