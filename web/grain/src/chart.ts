// The isotherms of one set of constants as an SVG drawing: the current temperature bold, its neighbours lighter.
import { svg } from "./dom";
import { celsius, fixed1, moistureWet, spreadAt, type ConstantSet, type Find, type Grain, type Unit } from "./model";

export interface ChartInput {
  grain: Grain;
  set: ConstantSet;
  ta: number; // in `unit`; not finite: only the neighbours of 25 °C
  unit: Unit;
  ur: number;
  moisture: number; // NaN: no point
  find: Find; // which of the two the point's label tells
  humidityUnit: string;
  decimal: string;
  humidityAxis: string;
  moistureAxis: string;
  label: string;
}

export interface Chart {
  node: SVGSVGElement;
  /** The humidity under a horizontal position in the drawing's pixels. */
  humidityAt(x: number): number;
}

interface Curve {
  ta: number;
  current: boolean;
  points: { ur: number; m: number }[];
}

const LEFT = 40;
const RIGHT = 56;
const TOP = 22;
const BOTTOM = 42;
const LABEL_GAP = 15;

function sample(set: ConstantSet, ta: number, unit: Unit): Curve["points"] {
  const degrees = unit === "F" ? celsius(ta) : ta;
  const points: Curve["points"] = [];
  for (let ur = 2; ur <= 99; ur += 0.5) {
    const m = moistureWet(set, degrees, ur);
    if (Number.isFinite(m)) points.push({ ur, m });
  }
  return points;
}

/** Neighbours are drawn only where the constants hold: near a pole they would dwarf the curve that matters. */
function holds(ta: number, unit: Unit): boolean {
  const degrees = unit === "F" ? celsius(ta) : ta;
  return degrees >= 0 && degrees <= 50;
}

/** Between the lowest and the highest that the trustworthy sets give at the current temperature. */
function bandOf(input: ChartInput, centre: number): { ur: number; low: number; high: number }[] {
  const taC = input.unit === "F" ? celsius(centre) : centre;
  const band: { ur: number; low: number; high: number }[] = [];
  for (let ur = 10; ur <= 95; ur++) {
    const { low, high, sets } = spreadAt(input.grain, input.set, taC, ur, "moisture");
    if (sets > 1 && Number.isFinite(low)) band.push({ ur, low, high });
  }
  return band;
}

function curvesOf(input: ChartInput): Curve[] {
  const step = input.unit === "F" ? 20 : 10;
  const centre = Number.isFinite(input.ta) ? input.ta : input.unit === "F" ? 77 : 25;
  return [-2, -1, 1, 2, 0]
    .map((k) => ({ ta: centre + k * step, current: k === 0, points: sample(input.set, centre + k * step, input.unit) }))
    .filter((curve) => curve.points.length > 2 && (curve.current || holds(curve.ta, input.unit)));
}

/** Moves labels apart so that each keeps LABEL_GAP from the one above. */
function spread(places: number[], low: number, high: number): number[] {
  const order = places.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  for (let i = 0; i < order.length; i++) {
    const before = order[i - 1];
    const here = order[i]!;
    here.y = Math.max(here.y, low, before === undefined ? low : before.y + LABEL_GAP);
  }
  for (let i = order.length - 1; i >= 0; i--) {
    const after = order[i + 1];
    const here = order[i]!;
    here.y = Math.min(here.y, after === undefined ? high : after.y - LABEL_GAP);
  }
  const result: number[] = [];
  for (const { y, index } of order) result[index] = y;
  return result;
}

export function drawChart(input: ChartInput, width: number, height: number): Chart {
  const curves = curvesOf(input);
  const band = bandOf(input, Number.isFinite(input.ta) ? input.ta : input.unit === "F" ? 77 : 25);
  const inRange = curves.flatMap((curve) => curve.points.filter((p) => p.ur <= 95).map((p) => p.m));
  // In very moist air sets lie far apart; there the band is cut, so that it does not dwarf the curves.
  const doubt = band.filter((p) => p.ur <= 85).map((p) => p.high);
  const most = Math.max(10, ...inRange, ...doubt, Number.isFinite(input.moisture) ? Math.min(input.moisture, 60) : 0);
  const tick = most > 30 ? 10 : 5;
  const top = Math.ceil((most + 0.5) / tick) * tick;
  const right = width - RIGHT;
  const bottom = height - BOTTOM;
  const x = (ur: number): number => LEFT + (ur / 100) * (right - LEFT);
  const y = (m: number): number => bottom - (m / top) * (bottom - TOP);
  const mark = (text: string): string => text.replace(".", input.decimal).replace("-", "−");

  const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": input.label });
  const grid = svg("g", { class: "grid" });
  const texts = svg("g", { class: "ticks" });
  for (let m = 0; m <= top; m += tick) {
    grid.append(svg("line", { x1: LEFT, x2: right, y1: y(m), y2: y(m), class: m === 0 ? "axis" : null }));
    texts.append(svg("text", { x: LEFT - 8, y: y(m) + 4, "text-anchor": "end" }, String(m)));
  }
  for (let ur = 0; ur <= 100; ur += width < 420 ? 20 : 10) {
    grid.append(svg("line", { x1: x(ur), x2: x(ur), y1: TOP, y2: bottom }));
    texts.append(svg("text", { x: x(ur), y: bottom + 17, "text-anchor": "middle" }, String(ur)));
  }
  // Below 65 % moulds do not grow, from 70 % they do.
  for (const [ur, kind] of [[65, "watch"], [70, "mould"]] as const) {
    grid.append(svg("line", { x1: x(ur), x2: x(ur), y1: TOP, y2: bottom, class: kind }));
    texts.append(svg("text", { x: x(ur) + (ur === 65 ? -3 : 3), y: bottom - 6, "text-anchor": ur === 65 ? "end" : "start", class: kind }, `${ur} %`));
  }
  texts.append(
    svg("text", { x: (LEFT + right) / 2, y: height - 6, "text-anchor": "middle", class: "title" }, input.humidityAxis),
    svg("text", { x: 4, y: 12, class: "title" }, input.moistureAxis),
  );
  const clip = svg("clipPath", { id: "plot" }, svg("rect", { x: LEFT, y: TOP, width: right - LEFT, height: bottom - TOP }));
  const lines = svg("g", { "clip-path": "url(#plot)", class: "curves" });
  const path = (points: Curve["points"]): string =>
    points.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.ur).toFixed(1)} ${y(p.m).toFixed(1)}`).join("");
  if (band.length > 1) {
    const line = (points: { ur: number; m: number }[]): string => points.map((p) => `${x(p.ur).toFixed(1)} ${y(p.m).toFixed(1)}`).join("L");
    const upper = line(band.map((p) => ({ ur: p.ur, m: p.high })));
    const lower = line(band.map((p) => ({ ur: p.ur, m: p.low })).reverse());
    lines.append(svg("path", { d: `M${upper}L${lower}Z`, class: "band" }));
  }
  for (const curve of curves) {
    const kind = curve.current ? "now" : "near";
    lines.append(svg("path", { d: path(curve.points), class: `${kind} beyond` }));
    const valid = curve.points.filter((p) => p.ur >= input.set.range.ur.min && p.ur <= Math.min(95, input.set.range.ur.max));
    lines.append(svg("path", { d: path(valid), class: kind, "data-ta": curve.ta }));
  }
  node.append(svg("defs", {}, clip), grid, texts, lines);

  const ends = curves.map((curve) => y(curve.points.filter((p) => p.ur <= 95).at(-1)?.m ?? 0));
  const places = spread(ends, TOP + 6, bottom - 6);
  const labels = svg("g", { class: "labels" });
  curves.forEach((curve, i) => {
    const degrees = mark(String(Math.round(curve.ta * 10) / 10));
    labels.append(
      svg("line", { x1: x(95), y1: ends[i]!, x2: right + 3, y2: places[i]!, class: "leader" }),
      svg("text", { x: right + 6, y: places[i]! + 4, class: curve.current ? "now" : "near" }, `${degrees} °${input.unit}`),
    );
  });
  node.append(labels);

  if (Number.isFinite(input.moisture)) {
    const px = x(input.ur);
    const py = Math.max(TOP, y(input.moisture));
    const text = input.find === "ur" ? `${mark(fixed1(input.ur))} ${input.humidityUnit}` : `${mark(fixed1(input.moisture))} %`;
    const leftSide = px > LEFT + (input.find === "ur" ? 104 : 76);
    // Left of the point there is room above the curve, right of it below.
    const above = leftSide && py - 12 > TOP + 14;
    const baseline = above ? py - 12 : Math.min(py + 24, bottom - 6);
    node.append(
      svg(
        "g",
        { class: "point" },
        svg("line", { x1: px, y1: py, x2: px, y2: bottom, class: "guide" }),
        svg("line", { x1: LEFT, y1: py, x2: px, y2: py, class: "guide" }),
        svg("circle", { cx: px, cy: py, r: 7, class: "dot" }),
        svg("text", { x: px + (leftSide ? -12 : 12), y: baseline, "text-anchor": leftSide ? "end" : "start", class: "tag" }, text),
      ),
    );
  }
  return { node, humidityAt: (px) => ((px - LEFT) / (right - LEFT)) * 100 };
}
