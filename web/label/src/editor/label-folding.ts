// Labels fold to their first line, by the arrow in the margin and by the usual keys.
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

/** Longer labels do not fold: each line that is shown looks for its label's end. */
const LONGEST = 500_000;

/** From the end of the line with ^XA to the ^XZ behind it. */
const labels = foldService.of((state, from, to) => {
  if (!/\^XA(?!.*\^XZ)/i.test(state.sliceDoc(from, Math.min(to, from + 1000)))) return null;
  const end = /\^XZ/i.exec(state.sliceDoc(to, to + LONGEST));
  return end && end.index > 1 ? { from: to, to: to + end.index } : null;
});

export function labelFolding(): Extension {
  return [labels, codeFolding(), foldGutter(), keymap.of(foldKeymap)];
}
