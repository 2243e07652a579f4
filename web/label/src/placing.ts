// Where the answer's diagnostics and elements stand in the text as it is now, which may have changed since it was sent.
import type { LabelSize } from "./api";
import type { CodeEditor, PlacedDiagnostic } from "./editor/editor";
import type { ElementRange } from "./editor/linking";
import type { Dots } from "./draw/renderer";
import type { OffsetMap } from "./model/offsets";
import type { RenderResult } from "./model/result";

export interface Answer {
  result: RenderResult;
  /** Of the text that was sent. */
  offsets: OffsetMap;
  /** Of one label, where they were shown before the rest was known. */
  dots: Dots | undefined;
  /** Labels of the text, where only the first of them were drawn. */
  outOf: number | undefined;
  /** Found from the code, where it was asked for. */
  size: LabelSize | undefined;
}

function rangeNow(editor: CodeEditor, offsets: OffsetMap, offset: number, length: number): { from: number; to: number } {
  return {
    from: editor.placeNow(offsets.toPosition(offset), 1),
    to: editor.placeNow(offsets.toPosition(offset + length), -1),
  };
}

export function placeDiagnostics({ result, offsets }: Answer, editor: CodeEditor): PlacedDiagnostic[] {
  return result.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...rangeNow(editor, offsets, diagnostic.offset, diagnostic.length),
    changes: diagnostic.edits.map(({ offset, length, text }) => ({ ...rangeNow(editor, offsets, offset, length), insert: text })),
  }));
}

/** Where each element stands; one that was filled by ^FN also where its data stands. */
export function placeElements({ result, offsets }: Answer, editor: CodeEditor): ElementRange[] {
  return result.labels.flatMap(({ elements }, label) =>
    elements.flatMap(({ offset, length, dataOffset, dataLength }, element) =>
      [
        { offset: dataOffset, length: dataLength, data: true },
        { offset, length, data: false },
      ]
        .filter((place) => place.length > 0)
        .map((place) => ({ label, element, data: place.data, ...rangeNow(editor, offsets, place.offset, place.length) })),
    ),
  );
}
