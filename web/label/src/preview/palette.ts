// Colours of the style sheet for drawing on canvases; read again when the theme changes.

const NAMES = [
  "accent",
  "desk",
  "line",
  "ruler",
  "ruler-text",
  "ruler-line",
  "text-quiet",
  "error",
  "warning",
  "label-edge",
  "label-shadow",
] as const;

export type PaletteName = (typeof NAMES)[number];
export type Palette = Record<PaletteName, string>;

/** A variable may hold light-dark(): only a real property has the colour that is meant now. */
export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement("span");
  probe.hidden = true;
  // Where the system forces its colours, every text has the same one; the style sheet says which of them each name means.
  probe.style.setProperty("forced-color-adjust", "none");
  host.append(probe);
  const palette = {} as Palette;
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    palette[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return palette;
}
