// Where each element's field and its ^FO or ^FT stand in the text as it is now, while the user and the tools change it.
import type { ChangeDesc } from "@codemirror/state";
import type { App } from "../app";
import type { LabelElement } from "../model/result";
import type { Answer } from "../placing";
import { prefixesAt } from "../zpl/locate";
import { splitCommands, type CommandText } from "../zpl/split";

interface Tracked {
  from: number;
  to: number;
  /** Start of the ^FO or ^FT; undefined where nothing in the text places the element. */
  place: number | undefined;
}

export interface ElementCode {
  element: LabelElement;
  commands: CommandText[];
  /** The ^FO or ^FT; undefined: there is none, or it is not where the description says. */
  place: CommandText | undefined;
}

export class PlaceTracker {
  private labels: Tracked[][] = [];

  constructor(private readonly app: App) {
    app.answerWatchers.add((answer) => this.take(answer));
    if (app.placed) this.take(app.placed);
    app.editor.changeWatchers.add((changes) => this.move(changes));
  }

  /** The commands of an element's field; undefined until an answer says where they are. */
  codeOf(index: number): ElementCode | undefined {
    const { preview, editor } = this.app;
    const tracked = this.labels[preview.index]?.[index];
    const element = preview.elements[index];
    if (!tracked || !element || tracked.to <= tracked.from) return undefined;
    const { doc } = editor.view.state;
    const prefixes = prefixesAt(doc.sliceString(0, tracked.from), tracked.from);
    const commands = splitCommands(doc.sliceString(tracked.from, tracked.to), tracked.from, prefixes);
    const place = commands.find((command) => command.from === tracked.place && (command.name === "^FO" || command.name === "^FT"));
    return { element, commands, place };
  }

  /** How many labels show an element that this field makes. */
  usesOf(index: number): number {
    const tracked = this.labels[this.app.preview.index]?.[index];
    if (!tracked) return 0;
    return this.labels.filter((elements) => elements.some((other) => other.from === tracked.from && other.to === tracked.to)).length;
  }

  /** Elements of the shown label whose fields begin at one of these places. */
  startingAt(places: ReadonlySet<number>): number[] {
    return (this.labels[this.app.preview.index] ?? []).flatMap(({ from }, index) => (places.has(from) ? [index] : []));
  }

  /** Where the last field of a label ends; undefined: it has none, or it is not known. */
  endOf(label: number): number | undefined {
    const ends = (this.labels[label] ?? []).map(({ to }) => to);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Whether a ^BY is the last one before the barcode of an element. */
  takesFrom(label: number, index: number, by: CommandText): boolean {
    const tracked = this.labels[label]?.[index];
    if (!tracked || tracked.to <= by.to) return false;
    const { doc } = this.app.editor.view.state;
    const prefixes = prefixesAt(doc.sliceString(0, by.to), by.to);
    return !splitCommands(doc.sliceString(by.to, tracked.to), by.to, prefixes).some(({ name }) => name === "^BY");
  }

  /** Undefined: another text is shown, and nothing is known of it yet. */
  private take(answer: Answer | undefined): void {
    if (!answer) {
      this.labels = [];
      return;
    }
    const { result, offsets } = answer;
    const { editor } = this.app;
    const now = (byte: number, side: -1 | 1): number => editor.placeNow(offsets.toPosition(byte), side);
    this.labels = result.labels.map(({ elements }) =>
      elements.map(({ offset, length, place }) => ({
        from: now(offset, 1),
        to: now(offset + length, -1),
        place: place ? now(place.offset, 1) : undefined,
      })),
    );
  }

  private move(changes: ChangeDesc): void {
    for (const elements of this.labels) {
      for (const tracked of elements) {
        tracked.from = changes.mapPos(tracked.from, 1);
        tracked.to = changes.mapPos(tracked.to, -1);
        if (tracked.place !== undefined) tracked.place = changes.mapPos(tracked.place, 1);
      }
    }
  }
}
