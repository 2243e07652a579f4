// The isotherms of one set of constants as an SVG drawing: the current temperature bold, its neighbours lighter.
import { svg } from "./dom";

/** What the service computed for the page, in the attribute data-chart. */
export interface ChartData {
  firstUr: number;
  /** Moisture at firstUr and each percent above it; the last curve is that of the current temperature. */
  curves: { ta: number; text: string; moisture: (number | null)[] }[];
  band: [ur: number, low: number, high: number][];
  /** Humidities where the constants hold. */
  range: [low: number, high: number];
  point?: [ur: number, moisture: number];
  tag?: string;
  label: string;
}

export interface Chart {
  node: SVGSVGElement;
  /** The humidity under a horizontal position in the drawing's pixels. */
  humidityAt(x: number): number;
}

interface Curve {
  ta: number;
  text: string;
  current: boolean;
  points: { ur: number; m: number }[];
}

const LEFT = 40;
const RIGHT = 56;
const TOP = 22;
const BOTTOM = 42;
const LABEL_GAP = 15;
/** Below, a point's label stands right of it: it would not fit on the left. */
const TAG_WIDTH = 9;

/** The moisture on the current curve; NaN: none. */
export function moistureOn(data: ChartData, ur: number): number {
  return data.curves.at(-1)!.moisture[ur - data.firstUr] ?? NaN;
}

function curvesOf(data: ChartData): Curve[] {
  return data.curves
    .map(({ ta, text, moisture }, i) => ({
      ta,
      text: text.replace("-", "−"),
      current: i === data.curves.length - 1,
      points: moisture.flatMap((m, k) => (m === null ? [] : [{ ur: data.firstUr + k, m }])),
    }))
    .filter((curve) => curve.points.length > 2);
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

export function drawChart(data: ChartData, axes: { humidity: string; moisture: string }, width: number, height: number): Chart {
  const curves = curvesOf(data);
  const band = data.band;
  const inRange = curves.flatMap((curve) => curve.points.filter((p) => p.ur <= 95).map((p) => p.m));
  // In very moist air sets lie far apart; there the band is cut, so that it does not dwarf the curves.
  const doubt = band.filter(([ur]) => ur <= 85).map(([, , high]) => high);
  const most = Math.max(10, ...inRange, ...doubt, Math.min(data.point?.[1] ?? 0, 60));
  const tick = most > 30 ? 10 : 5;
  const top = Math.ceil((most + 0.5) / tick) * tick;
  const right = width - RIGHT;
  const bottom = height - BOTTOM;
  const x = (ur: number): number => LEFT + (ur / 100) * (right - LEFT);
  const y = (m: number): number => bottom - (m / top) * (bottom - TOP);

  const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": data.label });
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
  // Below 65 % moulds do not grow, from 70 % they do. Their labels stand where neither the curves are nor what leads down from the point.
  for (const [ur, kind] of [[65, "watch"], [70, "mould"]] as const) {
    grid.append(svg("line", { x1: x(ur), x2: x(ur), y1: TOP, y2: bottom, class: kind }));
    texts.append(svg("text", { x: x(ur) + (ur === 65 ? -3 : 3), y: TOP + 12, "text-anchor": ur === 65 ? "end" : "start", class: kind }, `${ur} %`));
  }
  texts.append(
    svg("text", { x: (LEFT + right) / 2, y: height - 6, "text-anchor": "middle", class: "title" }, axes.humidity),
    svg("text", { x: 4, y: 12, class: "title" }, axes.moisture),
  );
  const clip = svg("clipPath", { id: "plot" }, svg("rect", { x: LEFT, y: TOP, width: right - LEFT, height: bottom - TOP }));
  const lines = svg("g", { "clip-path": "url(#plot)", class: "curves" });
  const path = (points: Curve["points"]): string =>
    points.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.ur).toFixed(1)} ${y(p.m).toFixed(1)}`).join("");
  if (band.length > 1) {
    const upper = path(band.map(([ur, , high]) => ({ ur, m: high })));
    const lower = path(band.map(([ur, low]) => ({ ur, m: low })).reverse());
    lines.append(svg("path", { d: `${upper}L${lower.slice(1)}Z`, class: "band" }));
  }
  for (const curve of curves) {
    const kind = curve.current ? "now" : "near";
    lines.append(svg("path", { d: path(curve.points), class: `${kind} beyond` }));
    const valid = curve.points.filter((p) => p.ur >= data.range[0] && p.ur <= data.range[1]);
    lines.append(svg("path", { d: path(valid), class: kind, "data-ta": curve.ta }));
  }
  node.append(svg("defs", {}, clip), grid, texts, lines);

  const ends = curves.map((curve) => y(curve.points.filter((p) => p.ur <= 95).at(-1)?.m ?? 0));
  const places = spread(ends, TOP + 6, bottom - 6);
  const labels = svg("g", { class: "labels" });
  curves.forEach((curve, i) => {
    labels.append(
      svg("line", { x1: x(95), y1: ends[i]!, x2: right + 3, y2: places[i]!, class: "leader" }),
      svg("text", { x: right + 6, y: places[i]! + 4, class: curve.current ? "now" : "near" }, curve.text),
    );
  });
  node.append(labels);

  if (data.point !== undefined) {
    const px = x(data.point[0]);
    const py = Math.max(TOP, y(data.point[1]));
    const text = data.tag ?? "";
    const leftSide = px > LEFT + 20 + text.length * TAG_WIDTH;
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
