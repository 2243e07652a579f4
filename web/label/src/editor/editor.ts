// The code editor: CodeMirror set up for ZPL, inside a shadow root so that its styles need no inline style element.
import { lintGutter, setDiagnostics, type Diagnostic as EditorDiagnostic } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type ChangeDesc, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  type ViewUpdate,
} from "@codemirror/view";
import { mayBePacked } from "../data/packing";
import type { Diagnostic } from "../model/result";
import type { CommandTable } from "../zpl/commands";
import type { EditorExtras, Steps } from "./extras";
import { dataFolding } from "./folding";
import { elementLinking } from "./linking";
import { linesOf, WholeText } from "./long-text";
import { settingsStep, type SettingsStep } from "./steps";
import { editorTheme } from "./theme";
import { say } from "../ui/language";
import { LONG_TEXT } from "../ui/pause";

export interface EditorEvents {
  /** The text becomes this one by a small change, such as a key makes; said before the editor lays it out. `changed` follows. */
  changing(next: Text): void;
  /** `replaced`: the user put something else in the place of the whole text; `pasted`: out of the clipboard. */
  changed(replaced: boolean, pasted: boolean): void;
  cursorMoved(byUser: boolean): void;
  /** Undo or redo has changed the settings. */
  settingsStepped(step: SettingsStep): void;
  historyChanged(steps: Steps): void;
  /** The chip of a graphic came into sight. */
  chipMade(): void;
  /** What was pasted may hold label code in something else; `paste` puts in what is in it. */
  pastedPacked(text: string): void;
}

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** By so many characters a small change makes a text longer or shorter. */
const SMALL_CHANGE = 100;

/** Marks changes that the page makes, such as jumping to an element, so that they do not echo back. */
const fromPage = Annotation.define<boolean>();

export interface PlacedDiagnostic extends Diagnostic {
  from: number;
  to: number;
  /** Its edits. */
  changes: TextChange[];
  /** What they are called. */
  fix?: string | undefined;
}

/** Did the user, and not the page, an undo or a redo, put a text in the place of all there was? */
function replacesAll(update: ViewUpdate): boolean {
  const whole = update.startState.doc.length;
  if (whole === 0 || !update.transactions.some((transaction) => transaction.isUserEvent("input") || transaction.isUserEvent("move"))) return false;
  if (update.transactions.some((transaction) => transaction.annotation(fromPage))) return false;
  let all = false;
  update.changes.iterChangedRanges((from, to) => {
    all ||= from === 0 && to === whole;
  });
  return all;
}

/**
 * Typing over a selection: where the browser does it, it joins lines and writes inline styles into what is left, which the page's policy
 * forbids. Input methods that compose a text need the browser.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  if (event.isComposing || view.state.readOnly || view.state.selection.ranges.every(({ empty }) => empty)) return false;
  const isDeletion = event.inputType.startsWith("deleteContent");
  if (!isDeletion && (event.inputType !== "insertText" || event.data === null)) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(isDeletion ? "" : (event.data ?? "")), { userEvent: isDeletion ? "delete.selection" : "input.type", scrollIntoView: true });
  return true;
}

export class CodeEditor {
  readonly view: EditorView;
  /** Changes since the last request was sent: its answer speaks of the text before them. */
  private sinceSent: ChangeDesc | undefined;
  /** The same since findings were shown: their fixes speak of the text before them. */
  private sinceShown: ChangeDesc | undefined;
  /** A long text that will be shown. */
  private prepared: { text: string; lines: Text } | undefined;
  private readonly whole = new WholeText();
  /** Told of every change of the text that is shown. */
  readonly changeWatchers = new Set<(changes: ChangeDesc) => void>();

  private readonly extensions: Extension;
  private readonly slot = new Compartment();
  private extras: EditorExtras | undefined;
  private loading: Promise<EditorExtras> | undefined;
  private steps: Steps = { back: 0, forth: 0 };

  constructor(host: HTMLElement, private readonly table: CommandTable, text: string, private readonly events: EditorEvents) {
    const root = host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    this.extensions = [
      lineNumbers(),
      lintGutter({ hoverTime: 200 }),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      drawSelection(),
      elementLinking(),
      dataFolding(() => events.chipMade()),
      editorTheme,
      EditorView.lineWrapping,
      placeholder(say("^XA … ^XZ: type or paste ZPL, drop a file here, or pick a sample above")),
      EditorView.contentAttributes.of({
        "aria-label": say("ZPL code"),
        spellcheck: "false",
        tabindex: "0", // said, since not everything takes what can be edited for reachable by the keyboard
        autocorrect: "off",
        autocapitalize: "off",
      }),
      EditorView.domEventHandlers({
        paste: (event) => {
          const text = event.clipboardData?.getData("text/plain") ?? "";
          if (!mayBePacked(text)) return false;
          event.preventDefault();
          events.pastedPacked(text);
          return true;
        },
        beforeinput: (event, view) => replaceSelected(event, view),
      }),
      keymap.of([{ key: "Mod-f", run: () => this.searchWhenLoaded() }]),
      EditorView.updateListener.of((update) => {
        this.tellSteps();
        for (const transaction of update.transactions) {
          if (!transaction.isUserEvent("undo") && !transaction.isUserEvent("redo")) continue;
          for (const effect of transaction.effects) if (effect.is(settingsStep)) events.settingsStepped(effect.value);
        }
        if (update.docChanged) {
          this.sinceSent = this.sinceSent?.composeDesc(update.changes.desc);
          this.sinceShown = this.sinceShown?.composeDesc(update.changes.desc);
          for (const watcher of this.changeWatchers) watcher(update.changes.desc);
          events.changed(replacesAll(update), update.transactions.some((transaction) => transaction.isUserEvent("input.paste")));
        }
        if (update.selectionSet || update.docChanged) {
          events.cursorMoved(!update.transactions.some((transaction) => transaction.annotation(fromPage)));
        }
      }),
    ];
    this.view = new EditorView({
      root,
      parent,
      state: this.fresh(text),
      dispatchTransactions: (transactions, view) => {
        const next = transactions.some(({ docChanged }) => docChanged) ? transactions.at(-1)?.newDoc : undefined;
        if (next && Math.abs(next.length - view.state.doc.length) <= SMALL_CHANGE) events.changing(next);
        view.update(transactions);
      },
    });
    this.view.contentDOM.addEventListener("focus", () => void this.loadExtras().catch(() => undefined));
  }

  /** Colours, undo, keys, completion and search: the first picture does not wait for them. */
  loadExtras(): Promise<EditorExtras> {
    this.loading ??= import("./extras").then(({ editorExtras }) => {
      this.extras = editorExtras(this.table);
      this.view.dispatch({ effects: this.slot.reconfigure(this.extras.extension) });
      this.showMode();
      this.extras.resume(this.view);
      this.tellSteps();
      return this.extras;
    });
    this.loading.catch(() => (this.loading = undefined));
    return this.loading;
  }

  /** Colours by the language of the command table. */
  showMode(): void {
    this.extras?.showMode(this.view);
  }

  private searchWhenLoaded(): boolean {
    if (this.extras) return false;
    this.loadExtras().then(
      (extras) => extras.openSearch(this.view),
      () => undefined,
    );
    return true;
  }

  /** Makes the lines of a long text, so that `fresh` need not do it at once. */
  async prepare(text: string): Promise<void> {
    if (text.length > LONG_TEXT) this.prepared = { text, lines: await linesOf(text) };
  }

  /** Another text, with a history of its own. */
  fresh(text: string): EditorState {
    const { prepared } = this;
    this.prepared = undefined;
    return EditorState.create({ doc: prepared?.text === text ? prepared.lines : text, extensions: [this.slot.of(this.extras?.extension ?? []), this.extensions] });
  }

  /** Shows another text with its history; gives the one that was shown. */
  exchange(state: EditorState): EditorState {
    const before = this.view.state;
    this.sinceSent = this.sinceShown = undefined;
    this.view.setState(state);
    // One that was put away before they were loaded does not have them yet.
    const extension = this.extras?.extension ?? [];
    if (this.slot.get(state) !== extension) this.view.dispatch({ effects: this.slot.reconfigure(extension) });
    this.tellSteps();
    return before;
  }

  get text(): string {
    return this.whole.of(this.view.state.doc);
  }

  /** Enough to see what it is, without building the whole text. */
  get beginning(): string {
    return this.view.state.sliceDoc(0, 20_000);
  }

  /** Without building the whole text: this is asked at every key. */
  get isBlank(): boolean {
    const { doc } = this.view.state;
    return doc.length < 1000 && doc.toString().trim() === "";
  }

  get cursor(): number {
    return this.view.state.selection.main.head;
  }

  /** As if the text had been pasted as it is. */
  paste(text: string): void {
    this.view.dispatch(this.view.state.replaceSelection(text), { scrollIntoView: true, userEvent: "input.paste" });
  }

  /** The same for a text that is not shown. */
  pasted(state: EditorState, text: string): EditorState {
    return state.update(state.replaceSelection(text), { userEvent: "input.paste" }).state;
  }

  /** Both from 1. */
  lineOf(position: number): { line: number; column: number } {
    const { doc } = this.view.state;
    const line = doc.lineAt(Math.min(position, doc.length));
    return { line: line.number, column: position - line.from + 1 };
  }

  get canUndo(): boolean {
    return this.steps.back > 0;
  }

  /** False: there is nothing to undo. */
  undo(): boolean {
    return this.extras?.undo(this.view) ?? false;
  }

  redo(): boolean {
    return this.extras?.redo(this.view) ?? false;
  }

  /** A change of the settings becomes a step of the history. */
  addSettingsStep(step: SettingsStep): void {
    this.view.dispatch({ effects: settingsStep.of(step), annotations: fromPage.of(true) });
  }

  private tellSteps(): void {
    const steps = this.extras?.steps(this.view.state) ?? { back: 0, forth: 0 };
    if (steps.back === this.steps.back && steps.forth === this.steps.forth) return;
    this.steps = steps;
    this.events.historyChanged(steps);
  }

  /** Changes that the page makes for the user, as one step to undo; `joins`: as part of the step before. `cursor`: where it goes. */
  change(changes: readonly TextChange[], options: { joins?: boolean; cursor?: number; settings?: SettingsStep } = {}): void {
    this.view.dispatch({
      ...this.pageChange(changes, options.joins),
      ...(options.settings ? { effects: settingsStep.of(options.settings) } : {}),
      ...(options.cursor === undefined ? {} : { selection: { anchor: options.cursor }, scrollIntoView: true }),
    });
    this.extras?.closeCompletion(this.view);
  }

  /** The same for a text that is not shown. */
  changed(state: EditorState, changes: readonly TextChange[]): EditorState {
    return state.update(this.pageChange(changes)).state;
  }

  private pageChange(changes: readonly TextChange[], joins = false): { changes: TextChange[]; annotations: Annotation<unknown>[] } {
    return { changes: [...changes], annotations: joins || !this.extras ? [fromPage.of(true)] : [fromPage.of(true), this.extras.ownStep] };
  }

  /** Text of the moment, for a request; later changes are followed until its answer is placed. */
  takeForRequest(): string {
    this.sinceSent = this.view.state.changes([]).desc;
    return this.text;
  }

  /** Moves a position of the text that was sent to where it stands now. */
  placeNow(position: number, side: -1 | 1): number {
    return this.sinceSent && !this.sinceSent.empty ? this.sinceSent.mapPos(position, side) : position;
  }

  showDiagnostics(diagnostics: readonly PlacedDiagnostic[]): void {
    const length = this.view.state.doc.length;
    const shown: EditorDiagnostic[] = diagnostics.map((diagnostic) => {
      const from = Math.min(diagnostic.from, length);
      return {
        from,
        to: Math.min(Math.max(diagnostic.to, from), length),
        severity: diagnostic.severity,
        message: diagnostic.message,
        source: diagnostic.command || undefined,
        actions: diagnostic.fix ? [{ name: diagnostic.fix, apply: () => this.applyFix(diagnostic) }] : [],
      } as EditorDiagnostic;
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
    this.sinceShown = this.view.state.changes([]).desc;
  }

  /** Carries a finding's fix out, as one step to undo; nothing where the text is no longer what it was. */
  applyFix(diagnostic: PlacedDiagnostic): void {
    const since = this.sinceShown;
    const { changes } = diagnostic;
    // One that ends before it begins was to insert where something was typed since.
    if (!since || [diagnostic, ...changes].some(({ from, to }) => from > to || since.touchesRange(from, to))) return;
    this.change(changes.map(({ from, to, insert }) => ({ from: since.mapPos(from), to: since.mapPos(to), insert })));
  }

  /** Puts the cursor at a place and shows it. */
  jumpTo(from: number, focus: boolean): void {
    const length = this.view.state.doc.length;
    const anchor = Math.min(from, length);
    this.view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "nearest", yMargin: 60 }),
      annotations: fromPage.of(true),
    });
    if (focus) this.view.focus();
  }

  reveal(position: number): void {
    this.view.dispatch({
      effects: EditorView.scrollIntoView(Math.min(position, this.view.state.doc.length), { y: "nearest", yMargin: 60 }),
      annotations: fromPage.of(true),
    });
  }
}
