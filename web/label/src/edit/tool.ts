// Editing on the label: drag, nudge, resize and align elements. Every gesture is one change of the code, or a word why not.
import { snapLines, snapMove, type SnapLines, type SnappedMove } from "../desk/snap";
import type { ActiveTool, DeskTools } from "../desk/tools";
import type { ElementCode } from "../desk/tracker";
import { unturnMove } from "../desk/turning";
import type { OpenDocument } from "../documents/documents";
import type { Box } from "../model/result";
import { elementTitle } from "../preview/card";
import type { Grip } from "../preview/gestures";
import { intersection, unturnPoint } from "../preview/geometry";
import { deviceBox, type OverlayLayer } from "../preview/painter";
import type { Point } from "../preview/transform";
import { button, menuButton, type MenuEntry } from "../ui/controls";
import { el, need } from "../ui/dom";
import { announce, toast } from "../ui/messages";
import { alignBoxes, type Alignment } from "./aligning";
import { handleAt, handlesOf, paintHandles, sizeAfter, stretch, type Handle } from "./handles";
import { endOfLabel, insertEntries, place } from "./insert";
import { besideOthers, copyFields, COPY_STEP, duplicateFields, removeFields } from "./fields";
import { editTextInPlace } from "./text-in-place";
import { isRefusal, moveElements, type Edit, type Refusal, type Task } from "./moving";
import { paintGhost } from "./ghost";
import { resizeElement } from "./sizing";
import { DEFAULT_PREFIXES, type Prefixes } from "../zpl/lexer";
import { prefixesAt } from "../zpl/locate";
import type { CommandText } from "../zpl/split";
import { say, sayCount } from "../ui/language";

/** Pixels within which a moving edge catches. */
const REACH = 6;
/** Nudges that follow each other faster than this are one step to undo. */
const NUDGE_PAUSE_MS = 500;

const ALIGNMENTS: readonly { how: Alignment; text: string }[] = [
  { how: "left", text: say("Left edges") },
  { how: "centre", text: say("Centres, across") },
  { how: "right", text: say("Right edges") },
  { how: "top", text: say("Top edges") },
  { how: "middle", text: say("Middles, down") },
  { how: "bottom", text: say("Bottom edges") },
  { how: "spread-across", text: say("Equal gaps across") },
  { how: "spread-down", text: say("Equal gaps down") },
];

/** What was copied last, and how its label is written. From elsewhere: the usual way. */
let copied: { zpl: string; prefixes: Prefixes; unitDots: number } | undefined;

/** Fields, and not a whole label. */
function holdsFields(zpl: string): boolean {
  return /\bF[OT]\s*\d/i.test(zpl) && /FS\s*$/i.test(zpl) && !/[^\w\s]XA/i.test(zpl);
}

interface Ghost {
  boxes: { from: Box; to: Box }[];
  lines: Pick<SnappedMove, "x" | "y">;
}

export class EditTool implements ActiveTool {
  readonly bar: HTMLElement;
  private readonly snap: HTMLButtonElement;
  private ghost: Ghost | undefined;
  private lastNudge = 0;
  /** A rectangle that is drawn to choose what lies in it, as it is shown. */
  private band: Box | undefined;
  /** Where fields begin that were just made: they are chosen once they are drawn. */
  private awaited: ReadonlySet<number> | undefined;
  /** Where which label was last clicked, in its own dots. */
  private clicked: { at: Point; document: OpenDocument; label: number } | undefined;
  private readonly listeners = new AbortController();
  private readonly chooseAwaited = (): void => {
    const found = this.awaited ? this.tools.tracker.startingAt(this.awaited) : [];
    if (!this.awaited || found.length < this.awaited.size || found.some((index) => !this.tools.app.preview.elements[index])) return;
    this.awaited = undefined;
    this.tools.selection.setAll(found);
  };

  constructor(private readonly tools: DeskTools) {
    this.snap = button({ id: "snap", text: say("Snap"), label: say("Snap: moving edges catch at other edges and guides (hold Alt to move freely)"), kind: "outlined", onClick: () => this.toggleSnap() });
    this.snap.setAttribute("aria-pressed", "true");
    this.bar = el(
      "div",
      { class: "tool-row", role: "group", "aria-label": say("Edit") },
      menuButton({ id: "insert", text: say("Insert"), label: say("Insert an element"), kind: "outlined" }, () => insertEntries(tools, this.clickedPlace())),
      menuButton({ id: "align", text: say("Align"), label: say("Align the chosen elements, or the chosen one with the label"), kind: "outlined" }, () => this.alignEntries()),
      button({ id: "duplicate", icon: "copy", label: say("Duplicate (Ctrl D)"), kind: "outlined", onClick: () => this.duplicate() }),
      button({ id: "delete", icon: "trash", label: say("Delete (Delete key)"), kind: "outlined", onClick: () => this.remove() }),
      this.snap,
      el("span", { class: "reading" }, say("Drag, or use the arrow keys (Shift: 10 dots). Double-click edits text. Shift chooses several.")),
    );
    tools.app.preview.layers.add(this.paint);
    tools.selection.watchers.add(this.chooseAwaited);
    const { signal } = this.listeners;
    document.addEventListener("copy", (event) => this.copy(event, false), { capture: true, signal });
    document.addEventListener("cut", (event) => this.copy(event, true), { capture: true, signal });
    document.addEventListener("paste", (event) => this.paste(event), { capture: true, signal });
  }

  end(): void {
    this.tools.app.preview.layers.delete(this.paint);
    this.tools.selection.watchers.delete(this.chooseAwaited);
    this.listeners.abort();
    need("overlay").style.cursor = "";
  }

  click(at: Point, event: PointerEvent): boolean {
    const { documents, preview } = this.tools.app;
    this.clicked = { at: unturnPoint(preview.view.toDots(at), preview.labelSize, preview.rotation), document: documents.shown.get(), label: preview.index };
    return this.tools.chooser.click(at, event);
  }

  /** Undefined: not on the label that is shown now. */
  private clickedPlace(): Point | undefined {
    const { documents, preview } = this.tools.app;
    const { width, height } = preview.labelSize;
    const { at, document, label } = this.clicked ?? {};
    if (!at || document !== documents.shown.get() || label !== preview.index) return undefined;
    return at.x >= 0 && at.y >= 0 && at.x < width && at.y < height ? at : undefined;
  }

  grab(at: Point, event: PointerEvent): Grip | undefined {
    if (event.shiftKey) return this.bandGrip(at);
    const handle = this.handleUnder(at, event.pointerType === "touch");
    if (handle) return this.stretchGrip(handle, at);
    const under = this.tools.app.preview.elementAt(at);
    if (under < 0) return undefined;
    // A finger that wants to move the label must not move what lies under it by accident.
    if (event.pointerType === "touch" && !this.tools.selection.has(under)) return undefined;
    return this.moveGrip(under, at);
  }

  key(event: KeyboardEvent): boolean {
    const [first] = this.tools.selection.elements;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "d") {
      this.duplicate();
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Delete" || event.key === "Backspace") {
      this.remove();
      return true;
    }
    if (event.key === "F2" && first !== undefined) {
      this.editText(first);
      return true;
    }
    if (event.key === "Escape" && this.ghost) {
      this.setGhost(undefined);
      return true;
    }
    const step = event.shiftKey ? 10 : 1;
    const moves: Record<string, Point> = { ArrowLeft: { x: -step, y: 0 }, ArrowRight: { x: step, y: 0 }, ArrowUp: { x: 0, y: -step }, ArrowDown: { x: 0, y: step } };
    const move = moves[event.key];
    if (!move || this.tools.selection.elements.length === 0) return false;
    const joins = event.timeStamp - this.lastNudge < NUDGE_PAUSE_MS;
    this.lastNudge = event.timeStamp;
    this.carryOut(this.moveAll(() => move), joins);
    return true;
  }

  editText(element: number): void {
    if (!editTextInPlace(this.tools.app, element)) toast(say("This element has no text to edit here. Change its numbers in the code or under Parameters."));
  }

  private chosenCodes(): (ElementCode | undefined)[] {
    return this.tools.selection.elements.map((index) => this.tools.tracker.codeOf(index));
  }

  /** False: nothing is chosen, and the user knows. */
  private hasChoice(): boolean {
    const has = this.tools.selection.elements.length > 0;
    if (!has) toast(say("Choose an element first; several with Shift."));
    return has;
  }

  private remove(): void {
    if (!this.hasChoice()) return;
    const { app, selection } = this.tools;
    const count = selection.elements.length;
    const outcome = removeFields(app.editor.text, this.chosenCodes(), (by) => this.othersUse(by));
    if (isRefusal(outcome)) return toast(outcome.refusal);
    selection.set(-1);
    app.editor.change(outcome.changes);
    announce(sayCount("{count} element deleted", "{count} elements deleted", count));
    need("overlay").focus();
  }

  private duplicate(): void {
    if (!this.hasChoice()) return;
    const { app } = this.tools;
    const outcome = duplicateFields(app.editor.text, this.chosenCodes(), unturnMove({ x: COPY_STEP, y: COPY_STEP }, app.preview.rotation));
    if (isRefusal(outcome)) return toast(outcome.refusal);
    const starts = outcome.copies.map(({ from }) => from);
    app.editor.change(outcome.changes, { cursor: (starts[0] ?? 0) + 1 });
    this.awaited = new Set(starts);
    announce(sayCount("{count} element duplicated", "{count} elements duplicated", starts.length));
    need("overlay").focus();
  }

  /** Only where the label has the focus: elsewhere people copy text. */
  private get isOnLabel(): boolean {
    return document.activeElement === need("overlay");
  }

  private copy(event: ClipboardEvent, cuts: boolean): void {
    const { app, selection, tracker } = this.tools;
    const [first] = selection.elements;
    if (!this.isOnLabel || first === undefined) return;
    event.preventDefault();
    const outcome = copyFields(app.editor.text, this.chosenCodes());
    if (isRefusal(outcome)) return toast(outcome.refusal);
    const at = tracker.codeOf(first)?.commands[0]?.from ?? 0;
    copied = { zpl: outcome.zpl, prefixes: prefixesAt(app.editor.view.state.doc.sliceString(0, at), at), unitDots: this.unitDots() };
    event.clipboardData?.setData("text/plain", outcome.zpl);
    if (cuts) this.remove();
    else announce(sayCount("{count} element copied", "{count} elements copied", selection.elements.length));
  }

  /** Fields go into the shown label; whole labels and other texts are opened, as without this tool. */
  private paste(event: ClipboardEvent): void {
    const zpl = event.clipboardData?.getData("text/plain") ?? "";
    const own = copied?.zpl === zpl ? copied : undefined;
    if (!this.isOnLabel || (!own && !holdsFields(zpl))) return;
    event.preventDefault();
    event.stopPropagation();
    const prefixes = own?.prefixes ?? DEFAULT_PREFIXES;
    const there = endOfLabel(this.tools)?.prefixes ?? prefixes;
    const isSameKind = there.format === prefixes.format && there.delimiter === prefixes.delimiter && this.unitDots() === (own?.unitDots ?? this.unitDots());
    if (!isSameKind) return toast(say("The label has other prefixes or another unit than what was copied."));
    const taken = new Set(this.tools.app.preview.elements.flatMap((element) => (element.place ? [`${element.place.x},${element.place.y}`] : [])));
    const pasted = besideOthers(zpl.trim(), prefixes, this.unitDots(), taken);
    const at = place(this.tools, pasted.zpl, say("Copy"));
    if (at !== undefined) this.awaited = new Set(pasted.starts.map((start) => at + start));
  }

  private unitDots(): number {
    return this.tools.app.preview.elements.find((element) => element.place)?.place?.unitDots ?? 1;
  }

  private toggleSnap(): void {
    this.snap.setAttribute("aria-pressed", String(this.snap.getAttribute("aria-pressed") !== "true"));
  }

  private reach(free: boolean): number {
    const snaps = this.snap.getAttribute("aria-pressed") === "true" && !free;
    return snaps ? REACH / this.tools.app.preview.view.scale : -1;
  }

  private linesWithout(moving: readonly number[]): SnapLines {
    const { preview } = this.tools.app;
    const others = preview.shownBoxes.filter((_, index) => !moving.includes(index));
    return snapLines(others, preview.view.label, this.tools.guides.shown, true);
  }

  private moveGrip(under: number, start: Point): Grip {
    const { app, selection } = this.tools;
    const { view } = app.preview;
    let moved: SnappedMove | undefined;
    let moving: readonly number[] = [];
    let lines: SnapLines = { x: [], y: [] };
    return {
      move: (now, event) => {
        if (moving.length === 0) {
          if (!selection.has(under)) selection.set(under);
          moving = selection.elements;
          lines = this.linesWithout(moving);
        }
        const boxes = moving.map((index) => app.preview.shownBoxes[index]).filter((box) => box !== undefined);
        const main = app.preview.shownBoxes[under];
        if (!main) return;
        let [dx, dy] = [(now.x - start.x) / view.scale, (now.y - start.y) / view.scale];
        if (event.shiftKey) [dx, dy] = Math.abs(dx) >= Math.abs(dy) ? [dx, 0] : [0, dy];
        moved = snapMove(main, dx, dy, lines, this.reach(event.altKey));
        const { dx: x, dy: y } = moved;
        this.setGhost({ boxes: boxes.map((from) => ({ from, to: { ...from, x: from.x + x, y: from.y + y } })), lines: moved });
      },
      drop: (dropped) => {
        // Escape took the ghost away, and the move with it.
        const cancelled = !this.ghost;
        this.setGhost(undefined);
        const by = moved;
        if (dropped && !cancelled && by) this.carryOut(this.moveAll(() => ({ x: by.dx, y: by.dy })));
      },
    };
  }

  /** Chooses what the rectangle meets. */
  private bandGrip(start: Point): Grip {
    const { app, selection } = this.tools;
    const from = app.preview.view.toDots(start);
    return {
      move: (at) => {
        const to = app.preview.view.toDots(at);
        this.band = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
        app.preview.repaint();
      },
      drop: (moved) => {
        const { band } = this;
        this.band = undefined;
        app.preview.repaint();
        if (!moved || !band) return;
        selection.setAll(app.preview.shownBoxes.flatMap((box, index) => (intersection(box, band) ? [index] : [])));
        announce(sayCount("{count} element chosen", "{count} elements chosen", selection.elements.length));
      },
    };
  }

  /** The handles of a single element that is chosen. */
  private handles(): Handle[] {
    const { app, selection, tracker } = this.tools;
    const [index] = selection.elements;
    if (index === undefined || selection.elements.length !== 1) return [];
    const box = app.preview.shownBoxes[index];
    const code = tracker.codeOf(index);
    return box && code ? handlesOf(code, box, app.preview.rotation) : [];
  }

  private handleUnder(at: Point, isTouch: boolean): Handle | undefined {
    return handleAt(this.handles(), at, this.tools.app.preview.view, isTouch ? 18 : 9);
  }

  private stretchGrip(handle: Handle, start: Point): Grip {
    const { app, selection, tracker } = this.tools;
    const { view, rotation } = app.preview;
    const index = selection.elements[0] as number;
    const lines = this.linesWithout([index]);
    let to: Box | undefined;
    return {
      move: (now, event) => {
        const from = app.preview.shownBoxes[index];
        if (!from) return;
        const by = { x: (now.x - start.x) / view.scale, y: (now.y - start.y) / view.scale };
        to = stretch(from, handle, by, lines, this.reach(event.altKey));
        this.setGhost({ boxes: [{ from, to }], lines: { x: undefined, y: undefined } });
      },
      drop: (dropped) => {
        const cancelled = !this.ghost;
        this.setGhost(undefined);
        if (!dropped || cancelled || !to) return;
        const size = sizeAfter(handle, to, rotation);
        this.carryOut(resizeElement(tracker.codeOf(index), size, app.commands, (by) => this.othersUse(by)));
      },
    };
  }

  /** Whether barcodes behind a ^BY, up to the next one, take their module width from it. */
  private othersUse(by: CommandText): boolean {
    const { app, tracker, selection } = this.tools;
    return (app.shownResult?.labels ?? []).some((label, labelIndex) =>
      label.elements.some((element, index) => {
        if (element.type !== "barcode" || (labelIndex === app.preview.index && index === selection.elements[0])) return false;
        return tracker.takesFrom(labelIndex, index, by);
      }),
    );
  }

  /** `by`: a move of what is shown, for each chosen element. */
  private moveAll(by: (index: number) => Point): Edit | Refusal {
    const { app, selection, tracker } = this.tools;
    const tasks: Task[] = selection.elements.map((index, at) => {
      const element = app.preview.elements[index];
      return { code: tracker.codeOf(index), name: element ? elementTitle(element) : say("Element"), by: unturnMove(by(at), app.preview.rotation) };
    });
    return moveElements(tasks);
  }

  private carryOut(outcome: Edit | Refusal, joins = false): void {
    if (isRefusal(outcome)) {
      toast(outcome.refusal);
      return;
    }
    if (outcome.changes.length === 0) return;
    this.tools.app.editor.change(outcome.changes, { joins });
    this.sayPlace();
  }

  private sayPlace(): void {
    const { selection, tracker } = this.tools;
    const [first] = selection.elements;
    if (first === undefined) return;
    const place = tracker.codeOf(first)?.place;
    if (place) announce(`${place.name} ${place.parameters[0]?.text ?? ""}, ${place.parameters[1]?.text ?? ""}`);
    const uses = tracker.usesOf(first);
    if (uses > 1) announce(say("The field is drawn on {count} labels; it changed on all of them.", { count: uses }));
  }

  private alignEntries(): MenuEntry[] {
    return ALIGNMENTS.map(({ how, text }) => ({ kind: "item", text, id: `align-${how}`, action: () => this.align(how) }));
  }

  private align(how: Alignment): void {
    const { app, selection } = this.tools;
    const boxes = selection.elements.map((index) => app.preview.shownBoxes[index]).filter((box) => box !== undefined);
    if (boxes.length === 0) {
      toast(say("Choose an element first; several with Shift."));
      return;
    }
    const moves = alignBoxes(boxes, how, app.preview.view.label);
    if (moves.length === 0) {
      toast(say("Equal gaps need three elements or more."));
      return;
    }
    this.carryOut(this.moveAll((at) => moves[at] ?? { x: 0, y: 0 }));
    need("overlay").focus();
  }

  private setGhost(ghost: Ghost | undefined): void {
    this.ghost = ghost;
    this.tools.app.preview.repaint();
  }

  private readonly paint: OverlayLayer = (context, view, palette) => {
    if (this.band) {
      const { x, y, width, height } = deviceBox(this.band, view);
      context.strokeStyle = palette.accent;
      context.lineWidth = Math.max(1, Math.round(view.pixelRatio));
      context.strokeRect(x + 0.5, y + 0.5, width, height);
    }
    if (this.ghost) paintGhost(context, view, palette, this.ghost.boxes, this.ghost.lines, this.tools.app.preview.shownPicture);
    else paintHandles(context, view, palette, this.handles());
  };
}
