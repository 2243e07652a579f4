// What a screen reader says of the picture.
import type { RenderSettings } from "../model/settings";
import { say, sayCount } from "../ui/language";

/** `index` is that of the label that is shown; `labels`: how many there are; `elements`: how many it has. */
export function spokenName({ widthMm, heightMm }: RenderSettings, index: number, labels: number, elements: number): string {
  const size = say("{width} by {height} millimetres", { width: Math.round(widthMm), height: Math.round(heightMm) });
  if (labels === 0) return say("No label yet, {size}", { size });
  return sayCount("Preview of label {number} of {labels}, {size}, {count} element", "Preview of label {number} of {labels}, {size}, {count} elements", elements, { number: index + 1, labels, size });
}
