// Long data folds to a chip: graphics and fonts stay readable code, and no line of megabytes is ever laid out.
import { Facet, StateField, type EditorState, type Extension, type Range, type Text } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { say, sayCount } from "../ui/language";

/** Shorter lines have nothing to fold. */
const LONG_LINE = 3000;
/** Data without a command in it that is longer than this folds. */
const LONG_DATA = 2000;
/** So many characters of a line are laid out at most; behind them one chip stands for the rest. */
const MOST_SHOWN = 8000;
/** Shown at the end of a line, where people add to it. */
const TAIL = 200;
/** The parameters before the data end within so many characters of it. */
const HEAD = 80;

function sizeText(characters: number): string {
  if (characters < 10_000) return sayCount("{count} character", "{count} characters", characters);
  if (characters < 1_000_000) return say("{size} kB", { size: Math.round(characters / 1000) });
  return say("{size} MB", { size: Math.round(characters / 100_000) / 10 });
}

/** Told when the chip of a graphic comes into sight, without its picture. */
const chipMade = Facet.define<() => void>();

class Chip extends WidgetType {
  constructor(
    private readonly kind: "graphic" | "data" | "rest",
    private readonly characters: number,
  ) {
    super();
  }

  override eq(other: Chip): boolean {
    return other.kind === this.kind && other.characters === this.characters;
  }

  override toDOM(view: EditorView): HTMLElement {
    const size = sizeText(this.characters);
    const chip = document.createElement("span");
    chip.className = "zpl-chip";
    chip.dataset["kind"] = this.kind;
    chip.textContent = this.kind === "graphic" ? say("graphic, {size}", { size }) : this.kind === "data" ? say("data, {size}", { size }) : say("rest of the line, {size}", { size });
    if (this.kind === "graphic") {
      const picture = document.createElement("canvas"); // chip-pictures.ts draws on it
      picture.hidden = true;
      picture.setAttribute("aria-hidden", "true");
      chip.prepend(picture);
      for (const made of view.state.facet(chipMade)) made();
    }
    return chip;
  }
}

/** What folds of one line. */
function foldsOfLine(text: string, start: number): Range<Decoration>[] {
  const folds: Range<Decoration>[] = [];
  const fold = (kind: "graphic" | "data" | "rest", from: number, to: number): void => {
    folds.push(Decoration.replace({ widget: new Chip(kind, to - from) }).range(start + from, start + to));
  };
  let shown = 0;
  let at = 0;
  while (at < text.length) {
    const next = /[\^~]/g;
    next.lastIndex = at + 1;
    const end = next.exec(text)?.index ?? text.length;
    if (shown > MOST_SHOWN && text.length - at > 2 * TAIL) {
      fold("rest", at, text.length - TAIL);
      return folds;
    }
    const long = end - at > LONG_DATA;
    if (long) {
      const head = text.slice(at, at + HEAD);
      const from = at + Math.max(head.lastIndexOf(",") + 1, /^.?(FD|FV|FX)/i.test(head) ? 3 + TAIL / 5 : 0, TAIL / 10);
      fold(/^.(GF|DG|DY|DB|DU|DT)/i.test(head) ? "graphic" : "data", from, end);
      shown += from - at;
    } else shown += end - at;
    at = end;
  }
  return folds;
}

function foldsIn(doc: Text, from: number, to: number): Range<Decoration>[] {
  const folds: Range<Decoration>[] = [];
  let at = doc.lineAt(from).from;
  const lines = doc.iterRange(at, doc.lineAt(to).to);
  // A line comes as one piece, a line end as another: no line is looked up by its place, of which there may be half a million.
  for (lines.next(); !lines.done; lines.next()) {
    if (!lines.lineBreak && lines.value.length > LONG_LINE) folds.push(...foldsOfLine(lines.value, at));
    at += lines.lineBreak ? 1 : lines.value.length;
  }
  return folds;
}

const folds = StateField.define<DecorationSet>({
  create: (state: EditorState) => (state.doc.length > LONG_LINE ? Decoration.set(foldsIn(state.doc, 0, state.doc.length)) : Decoration.none),
  update(shown, transaction) {
    if (!transaction.docChanged) return shown;
    const { newDoc: doc } = transaction;
    if (doc.length <= LONG_LINE && shown.size === 0) return shown;
    let next = shown.map(transaction.changes);
    transaction.changes.iterChangedRanges((_from, _to, from, to) => {
      const [start, end] = [doc.lineAt(from).from, doc.lineAt(to).to];
      next = next.update({ filterFrom: start, filterTo: end, filter: () => false, add: foldsIn(doc, start, end) });
    });
    return next;
  },
  provide: (field) => [EditorView.decorations.from(field), EditorView.atomicRanges.of((view) => view.state.field(field))],
});

export function dataFolding(made: () => void): Extension {
  return [folds, chipMade.of(made)];
}
