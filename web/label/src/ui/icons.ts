// The page's icons: a handful of 16 by 16 line drawings, made as SVG nodes.
import { svg } from "./dom";

const PATHS = {
  gallery: "M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z",
  open: "M2 13V3.5h4l1.5 2H14V13zM2 7.5h12",
  link: "M6.5 9.5l3-3M7 4.5l1.3-1.3a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.3 1.3a3 3 0 0 1-4.5-4.5L4.5 7",
  download: "M8 2v8M4.7 7L8 10.3 11.3 7M2.5 13.5h11",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.2 6.3c.1-1 .9-1.6 1.9-1.6 1.1 0 1.9.7 1.9 1.6 0 1.4-2 1.5-2 2.9M8 11.2v.2",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9L13 13M13 3l-1.1 1.1M4.1 11.9L3 13",
  moon: "M13.3 9.7A5.8 5.8 0 0 1 6.3 2.7a5.8 5.8 0 1 0 7 7z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  plus: "M8 3.5v9M3.5 8h9",
  minus: "M3.5 8h9",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  previous: "M10 3L5 8l5 5",
  next: "M6 3l5 5-5 5",
  down: "M4 6.5l4 4 4-4",
  boxes: "M2.5 4.5h7v7h-7zM6.5 2.5h7v7h-2",
  close: "M4 4l8 8M12 4l-8 8",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  check: "M3 8.5l3.2 3.2L13 5",
  warning: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.1",
  error: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.7M8 10.9v.1",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.3V11M8 5v.1",
  undo: "M6 3L2.5 6.5 6 10M2.5 6.5H9a4 4 0 0 1 0 8H6.5",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H7a4 4 0 0 0 0 8h2.5",
  trash: "M3 4.5h10M6.5 4.5V2.5h3v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  turn: "M12.5 8a4.5 4.5 0 1 1-1.4-3.2M12.5 2v3.3H9.2",
  swap: "M4.5 13V3.5M2 6l2.5-2.5L7 6M11.5 3v9.5M9 10l2.5 2.5L14 10",
  code: "M5.5 4L2 8l3.5 4M10.5 4L14 8l-3.5 4",
  label: "M2.5 3h11v10h-11zM5 6v4M7 6v4M9 6v4M11 6v4",
  sliders: "M2 5h6M11 5h3M2 11h3M8 11h6M8 3.5v3M5 9.5v3",
  measure: "M1.5 10.5l9-9 4 4-9 9zM4 8l1.5 1.5M6.5 5.5L8.5 7.5M9 3l1.5 1.5",
  edit: "M3 13l.8-3.2L11 2.6l2.4 2.4-7.2 7.2zM9.5 4.1l2.4 2.4",
  keyboard: "M1.5 4h13v8h-13zM4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 9.3h6",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] }),
  );
}
