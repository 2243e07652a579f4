// Graphics that are folded in the code show what they are.
import type { RenderResult } from "../model/result";
import type { Preview } from "../preview/preview";
import type { CodeEditor } from "./editor";

export function showChips(editor: CodeEditor, preview: Preview, result: RenderResult | undefined): void {
  if (!result || !editor.view.contentDOM.querySelector(".zpl-chip canvas")) return;
  void import("./chip-pictures").then(
    ({ drawChips }) =>
      drawChips(editor.view, async (ref) => {
        const label = result.labels[ref.label];
        const box = label?.elements[ref.element];
        const picture = label && (await preview.pictures.get(label, 0).catch(() => undefined));
        return box && picture ? { picture, box } : undefined;
      }),
    () => undefined,
  );
}
