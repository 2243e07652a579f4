// Ties elements of the picture to their places in the text. The places move along while the user types.
import { RangeSet, RangeValue, StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";

/** An element of the picture: which label, and which of its elements. */
export interface ElementRef {
  label: number;
  element: number;
}

export interface ElementRange extends ElementRef {
  from: number;
  to: number;
  /** The place of its data, where another field gave it. */
  data: boolean;
}

function isSame(a: ElementRef, b: ElementRef): boolean {
  return a.label === b.label && a.element === b.element;
}

class ElementValue extends RangeValue {
  constructor(
    readonly ref: ElementRef,
    readonly data: boolean,
  ) {
    super();
  }
  override eq(other: RangeValue): boolean {
    return other instanceof ElementValue && isSame(other.ref, this.ref) && other.data === this.data;
  }
}

const setElements = StateEffect.define<readonly ElementRange[]>();
const setMark = StateEffect.define<{ kind: "hovered" | "selected"; ranges: readonly { from: number; to: number }[] }>();

const elementRanges = StateField.define<RangeSet<ElementValue>>({
  create: () => RangeSet.empty,
  update(ranges, transaction) {
    let next = ranges.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setElements)) continue;
      const built: Range<ElementValue>[] = [];
      for (const { from, to, label, element, data } of effect.value) {
        if (to > from) built.push(new ElementValue({ label, element }, data).range(from, to));
      }
      next = RangeSet.of(built, true);
    }
    return next;
  },
});

function markField(kind: "hovered" | "selected"): StateField<DecorationSet> {
  const decoration = Decoration.mark({ class: `zpl-${kind}` });
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, transaction) {
      let next = marks.map(transaction.changes);
      for (const effect of transaction.effects) {
        if (!effect.is(setMark) || effect.value.kind !== kind) continue;
        const length = transaction.state.doc.length;
        next = Decoration.set(
          effect.value.ranges
            .filter(({ from, to }) => from < to && to <= length)
            .map(({ from, to }) => decoration.range(from, to)),
          true,
        );
      }
      return next;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

export function elementLinking(): Extension {
  return [elementRanges, markField("selected"), markField("hovered")];
}

export function showElements(view: EditorView, ranges: readonly ElementRange[]): void {
  view.dispatch({ effects: setElements.of(ranges) });
}

/** Every element whose commands hold this position; those that only end here come last, the narrowest first. */
export function elementsAt(view: EditorView, position: number): ElementRef[] {
  const found: { ref: ElementRef; ends: boolean; length: number }[] = [];
  view.state.field(elementRanges).between(position, position, (from, to, value) => {
    found.push({ ref: value.ref, ends: to === position, length: to - from });
  });
  return found.sort((a, b) => Number(a.ends) - Number(b.ends) || a.length - b.length).map(({ ref }) => ref);
}

/** The places of an element: that of its data first, where another field gave it. */
function rangesOf(view: EditorView, wanted: ElementRef): { from: number; to: number }[] {
  const found: { from: number; to: number; data: boolean }[] = [];
  view.state.field(elementRanges).between(0, view.state.doc.length, (from, to, value) => {
    if (isSame(value.ref, wanted)) found.push({ from, to, data: value.data });
  });
  return found.sort((a, b) => Number(b.data) - Number(a.data));
}

/** Where to go for an element: to its data rather than to the stored format that shows it. */
export function rangeOf(view: EditorView, wanted: ElementRef): { from: number; to: number } | undefined {
  return rangesOf(view, wanted)[0];
}

export function markElement(view: EditorView, kind: "hovered" | "selected", ref: ElementRef | undefined): void {
  view.dispatch({ effects: setMark.of({ kind, ranges: ref ? rangesOf(view, ref) : [] }) });
}
