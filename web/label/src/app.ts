// The page as a whole: holds what is shown and lets editor, preview, panels and service know of each other.
import type { EditorState } from "@codemirror/state";
import type { LabelSize, ServiceAccess } from "./api";
import { keptLabels, Memory } from "./actions/memory";
import { preferences } from "./actions/preferences";
import { Documents, firstWork, freshSettings, isDisposable, newId, type OpenDocument, type Work } from "./documents/documents";
import { Keeping } from "./documents/keeping";
import { Opener } from "./documents/opener";
import { Texts } from "./documents/texts";
import { ShownTitle } from "./documents/shown-title";
import { Asker, type Question } from "./draw/asking";
import { CodeEditor } from "./editor/editor";
import { showChips } from "./editor/chips";
import type { Steps } from "./editor/extras";
import { SettingsSteps } from "./editor/settings-steps";
import { startDrawing } from "./draw/start";
import { elementsAt, markElement, rangeOf, showElements } from "./editor/linking";
import { LiveRenderer, type LiveState } from "./live";
import type { RenderResult } from "./model/result";
import type { RenderSettings } from "./model/settings";
import { Value } from "./model/value";
import { showCommandHelp } from "./panels/command-help";
import { Findings } from "./panels/findings";
import { Inspector } from "./panels/inspector";
import { Notes, noteMissing } from "./panels/notes";
import { tellNotKept } from "./panels/not-kept";
import { Notice } from "./panels/notice";
import { Progress } from "./panels/progress";
import { KeyGroup } from "./panels/service";
import { ProblemList } from "./panels/problems";
import { SettingsForm } from "./panels/settings";
import { isClose, saysItsSize, SizeOffer } from "./panels/size-offer";
import { StatusBar } from "./panels/statusbar";
import { UprightOffer } from "./panels/upright";
import { PreviewTools } from "./panels/tools";
import { placeDiagnostics, placeElements, type Answer } from "./placing";
import { Preview } from "./preview/preview";
import { spokenName } from "./preview/spoken-name";
import { Takeaway } from "./takeaway";
import { need } from "./ui/dom";
import { announce, toast } from "./ui/messages";
import { CommandTable, loadCommands, loadUntilDone } from "./zpl/commands";
import { say } from "./ui/language";

export class App {
  readonly access: ServiceAccess = { base: document.baseURI.replace(/[#?].*$/, ""), apiKey: preferences.get("apiKey") ?? "" };
  readonly drawing = startDrawing(this.access, (drawer) => this.status.showDrawer(drawer));
  readonly commands = new CommandTable();
  readonly memory: Memory;
  readonly keeping: Keeping;
  readonly editor: CodeEditor;
  readonly preview: Preview;
  readonly inspector: Inspector;
  readonly settingsForm: SettingsForm;
  readonly keyGroup = new KeyGroup(this.access.apiKey, (key) => this.setApiKey(key));
  readonly tools: PreviewTools;
  readonly takeaway: Takeaway;
  private readonly findings: Findings;
  private readonly asker = new Asker(this.drawing, (dots) => this.preview.showDots(dots));
  private readonly status: StatusBar;
  private readonly notice: Notice;
  private readonly live: LiveRenderer<Answer>;
  /** Told when another element is chosen, another label or unit shown. */
  readonly watchers = new Set<() => void>();
  /** Told of each answer when its elements have their places; of undefined when the answer no longer counts. */
  readonly answerWatchers = new Set<(answer: Answer | undefined) => void>();
  private readonly notes = new Notes(need("notes"));
  private readonly progress = new Progress(need("desk"), (busy) => this.status.showBusy(busy));
  private readonly sizeOffer: SizeOffer;
  private readonly upright: UprightOffer;
  readonly documents: Documents;
  /** Of the label that is shown. */
  readonly settings: Value<RenderSettings>;
  readonly texts: Texts;
  readonly steps: SettingsSteps;
  private readonly shownTitle: ShownTitle;
  /** A link was opened: on phones the label comes first. */
  linkOpened: () => void = () => undefined;
  /** Brings the code into sight where a phone shows another pane; true: it was out of sight. */
  codeWanted: () => boolean = () => false;
  readonly opener = new Opener(this);
  private result: RenderResult | undefined;
  private selected = -1;
  /** The last answer, as long as its places can be followed: until the next request is sent. */
  placed: Answer | undefined;
  private helpFrame = 0;
  /** Told when there is more or less to undo. */
  historyChanged: (steps: Steps) => void = () => undefined;
  /** Set while a size is taken over that the picture has already. */
  private takesSize = false;

  constructor() {
    this.memory = new Memory(
      () => ({ documents: [...this.documents.all.get()], shown: this.current }),
      tellNotKept,
    );
    this.keeping = new Keeping(this.memory, () => this.current);
    const kept = keptLabels();
    const start = kept?.shown ?? { ...firstWork(), id: newId() };
    this.documents = new Documents(kept?.documents ?? [start], start);
    this.settings = new Value(start.settings);

    this.status = new StatusBar(need("status"), () => problems.toggle(this.codeWanted() || undefined));
    this.notice = new Notice(need("notice"), need("desk"));
    this.inspector = new Inspector(
      (index) => this.choose(index, "list"),
      (index) => this.hover(index),
    );
    this.settingsForm = new SettingsForm(this.settings);
    this.tools = new PreviewTools(need("preview-tools"), {
      previous: () => this.showLabel(this.preview.index - 1),
      next: () => this.showLabel(this.preview.index + 1),
      goTo: (index) => this.showLabel(index),
      boxes: (shown) => this.preview.setBoxes(shown),
      zoomIn: () => this.preview.zoomStep(1),
      zoomOut: () => this.preview.zoomStep(-1),
      actual: () => this.preview.zoomTo(1),
      fit: () => this.preview.fit(),
    });
    this.preview = new Preview(
      {
        desk: need("desk"),
        label: need<HTMLCanvasElement>("label"),
        overlay: need<HTMLCanvasElement>("overlay"),
        rulerTop: need<HTMLCanvasElement>("ruler-top"),
        rulerLeft: need<HTMLCanvasElement>("ruler-left"),
        card: need("card"),
        strip: need("strip"),
      },
      this.settings,
      {
        hovered: (element) => markElement(this.editor.view, "hovered", this.refOf(element)),
        chosen: (element) => {
          this.choose(element, "picture");
          // The settings pane says the same, and does not cover the label.
          if (this.inspector.details.offsetParent) this.preview.dismissCard();
        },
        labelChosen: (index) => this.showLabel(index),
        pointed: (mm) => this.status.showPlace(mm, this.settings.get().unit),
        zoomed: (percent) => this.tools.showZoom(percent),
        undrawable: () => toast(say("This browser could not show the picture. It tries again when the label is shown again.")),
      },
    );
    this.editor = new CodeEditor(need("editor"), this.commands, start.zpl, {
      changing: (next) => this.asker.showAtOnce(next, this.question),
      changed: (replaced, pasted) => this.textChanged(replaced, pasted),
      cursorMoved: (byUser) => {
        this.showHelp();
        if (byUser) this.followCursor(true);
      },
      settingsStepped: ({ after }) => this.steps.without(() => this.settings.set(after)),
      historyChanged: (steps) => this.historyChanged(steps),
      chipMade: () => setTimeout(() => showChips(this.editor, this.preview, this.result)), // it is not in its place yet
      pastedPacked: (text) => void this.opener.paste(text),
    });
    this.texts = new Texts(this.editor, this.documents);
    this.shownTitle = new ShownTitle(this.editor, this.documents);
    this.steps = new SettingsSteps(this.editor, this.settings, this.settingsForm);
    const problems = new ProblemList(
      need("problems"),
      (position) => this.editor.lineOf(position),
      (problem) => this.editor.jumpTo(problem.from, true),
      (open) => this.status.setProblemsOpen(open),
      (problem) => this.editor.applyFix(problem),
    );
    this.findings = new Findings(this.editor, problems, this.status);
    this.takeaway = new Takeaway(
      () => ({ ...this.work, page: this.preview.index, result: this.result }),
      this.access,
      this.drawing,
    );
    this.live = new LiveRenderer<Answer>({
      isLocal: () => this.drawing.isLocal,
      request: (signal) => this.request(signal),
      // What an answer changes around the picture must not hold back the frame with the picture.
      hasTime: () => this.asker.painted,
      answered: (answer, milliseconds) => this.answered(answer, milliseconds),
      changed: (state) => this.stateChanged(state),
    });
    this.upright = new UprightOffer(this.notes, this.settings);
    this.sizeOffer = new SizeOffer(this.notes, this.drawing, {
      use: (size) => this.settings.set({ ...this.settings.get(), ...size }),
      printArea: (size) => this.preview.setPrintArea(size),
    });
    this.settings.subscribe((settings, before) => {
      this.steps.add(before, settings);
      this.applySettings(settings);
    });
    this.shownTitle.show();
    this.status.showSize(start.settings);
    this.status.showPlace(undefined, start.settings.unit);
    this.status.showLabels(0, 0, 1);
    need("ruler-corner").textContent = start.settings.unit;
  }

  /** Draws what there is, and opens the link that the page was called with. */
  start(): void {
    this.update(true);
    void loadUntilDone(async () => {
      if (!(await loadCommands(this.drawing, this.commands))) return false;
      this.showHelp();
      return true;
    });
    void loadUntilDone(async () => this.settingsForm.printerModel.fill(await this.drawing.printerModels()));
    void this.opener.openLink();
    window.addEventListener("hashchange", () => void this.opener.openLink());
  }

  /** The label that is shown, as it is now. */
  get current(): OpenDocument {
    const shown = this.documents.shown.get();
    shown.zpl = this.editor.text;
    return shown;
  }

  get work(): Work {
    const { zpl, name, settings } = this.current;
    return { zpl, name, settings };
  }

  get chosen(): number {
    return this.selected;
  }

  get dpmm(): number {
    return this.result?.dpmm ?? this.settings.get().dpmm;
  }

  get shownResult(): RenderResult | undefined {
    return this.result;
  }

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }

  /** Opens a label beside the others, or in the place of one that nobody misses. The toast offers the way back. */
  open(work: Work, message: string, wantsSize = false): void {
    const before = this.current;
    const inItsPlace = isDisposable(before);
    const opened = this.documents.add(work, inItsPlace);
    opened.wantsSize = wantsSize;
    this.turnTo(opened);
    void this.keeping.version(true);
    toast(message, inItsPlace ? undefined : { text: say("Undo"), run: () => this.close(opened, before) });
  }

  /** Shows another one of the open labels. */
  turnTo(next: OpenDocument): void {
    const before = this.current;
    if (next === before) return;
    this.keeping.now();
    const text = this.texts.take(next);
    this.documents.shown.set(next);
    this.texts.putAway(before, this.showText(next, text));
  }

  close(document: OpenDocument, next?: OpenDocument): void {
    const shown = this.documents.remove(document, () => ({ zpl: "", name: "", settings: freshSettings(this.settings.get()) }));
    this.texts.forget(document);
    this.turnTo(next && this.documents.all.get().includes(next) ? next : shown);
    this.keeping.soon();
  }

  rename(document: OpenDocument, name: string): void {
    document.name = name.trim().slice(0, 200);
    this.documents.touched();
    this.shownTitle.show();
    this.keeping.soon();
  }

  touched(document: OpenDocument): void {
    this.keeping.soon();
    if (document === this.documents.shown.get()) this.update(true);
  }

  openEmpty(): void {
    this.turnTo(this.documents.add({ zpl: "", name: "", settings: freshSettings(this.settings.get()) }));
    this.focusCode();
  }

  private setApiKey(key: string): void {
    this.access.apiKey = key;
    preferences.set("apiKey", key === "" ? null : key);
    this.update(true);
  }

  showLabel(index: number): void {
    const count = this.result?.labels.length ?? 0;
    if (index < 0 || index >= count || index === this.preview.index) return;
    void this.preview.showLabel(index).then(() => {
      this.selected = -1;
      this.labelShown();
      announce(say("Label {number} of {count}", { number: index + 1, count }));
    });
  }

  stepLabel(step: 1 | -1 | "first" | "last"): void {
    const last = (this.result?.labels.length ?? 1) - 1;
    this.showLabel(step === "first" ? 0 : step === "last" ? last : this.preview.index + step);
  }

  stepElement(step: 1 | -1): void {
    const count = this.preview.elements.length;
    if (count === 0) return;
    const from = this.selected < 0 && step < 0 ? 0 : this.selected;
    this.choose((from + step + count) % count, "list");
    const element = this.preview.elements[this.selected];
    if (element) announce([element.command, element.data].filter(Boolean).join(": "));
  }

  /** Chooses an element: its box, its facts and its place in the code. */
  choose(index: number, from: "picture" | "list" | "code"): void {
    this.selected = index;
    this.inspector.select(index);
    this.preview.select(index, from !== "picture");
    const ref = this.refOf(index);
    markElement(this.editor.view, "selected", ref);
    const range = ref && from !== "code" ? rangeOf(this.editor.view, ref) : undefined;
    if (range) this.editor.jumpTo(range.from, false);
    this.tell();
  }

  focusCode(): void {
    this.editor.view.focus();
  }

  hover(index: number): void {
    this.preview.showHover(index);
    markElement(this.editor.view, "hovered", this.refOf(index));
  }

  /** Puts a text with its settings in the place of what is shown; nothing of the label before stays on the screen. */
  private showText(document: OpenDocument, text: EditorState): EditorState {
    const before = this.editor.exchange(text);
    this.showHelp();
    this.forgetAnswer();
    this.steps.without(() => this.settings.set(document.settings));
    this.preview.fit();
    this.shownTitle.show();
    this.keeping.soon();
    this.update(true);
    return before;
  }

  private forgetAnswer(): void {
    this.result = undefined;
    this.placed = undefined;
    for (const watcher of this.answerWatchers) watcher(undefined);
    this.selected = -1;
    this.preview.clear();
    this.labelShown();
    this.sizeOffer.reset();
    this.notes.clear();
    this.findings.forget();
  }

  private refOf(element: number): { label: number; element: number } | undefined {
    return element < 0 ? undefined : { label: this.preview.index, element };
  }

  private applySettings(settings: RenderSettings): void {
    this.documents.shown.get().settings = settings;
    this.status.showSize(settings);
    this.status.showPlace(undefined, settings.unit);
    need("ruler-corner").textContent = settings.unit;
    this.inspector.show(this.preview.elements, this.result?.dpmm ?? settings.dpmm, settings.unit);
    this.tell();
    this.keeping.soon();
    if (!this.takesSize) this.update(false);
  }

  private textChanged(replaced: boolean, pasted: boolean): void {
    // What is written instead of the old text is another label.
    const shown = this.documents.shown.get();
    if (shown.name !== "" && (replaced || this.editor.isBlank)) this.rename(this.current, ""); // its tab is called by the new text
    if (replaced && pasted && saysItsSize(this.editor.beginning)) shown.wantsSize = true;
    this.keeping.soon();
    this.update(false);
  }

  /** Asks for a fresh picture, unless there is nothing to draw. */
  update(now: boolean): void {
    if (!this.editor.isBlank) {
      if (now) this.live.now();
      else this.live.schedule();
      return;
    }
    this.forgetAnswer();
    this.shownTitle.follow();
    this.findings.show([]);
    this.live.rest();
  }

  /** The command at the cursor, with the next frame. */
  private showHelp(): void {
    if (this.helpFrame !== 0) return;
    this.helpFrame = requestAnimationFrame(() => {
      this.helpFrame = 0;
      showCommandHelp(need("command-help"), this.editor, this.commands);
    });
  }

  /** The element whose commands the cursor is in, on whichever label it is. */
  private followCursor(mayTurnPage: boolean): void {
    const found = elementsAt(this.editor.view, this.editor.cursor);
    const here = found.find((ref) => ref.label === this.preview.index);
    const other = found[0];
    if (here) {
      if (here.element !== this.selected) this.choose(here.element, "code");
    } else if (other && mayTurnPage) {
      void this.preview.showLabel(other.label).then(() => {
        this.labelShown();
        this.choose(other.element, "code");
      });
    } else if (this.selected >= 0) this.choose(-1, "code");
  }

  private request(signal: AbortSignal): Promise<Answer> {
    const text = this.editor.takeForRequest();
    this.placed = undefined;
    return this.asker.ask({ ...this.question, text }, signal);
  }

  /** What is asked, whatever the text is. */
  private get question(): Omit<Question, "text"> {
    const findSize = this.documents.shown.get().wantsSize === true;
    return { settings: this.settings.get(), findSize, shown: this.preview.index, isQuick: this.live.isQuick };
  }

  /** The size that a new label turned out to have: it is drawn in it already. */
  private takeSize(size: LabelSize): void {
    this.documents.shown.get().wantsSize = false;
    this.takesSize = true;
    const before = this.settings.get();
    this.steps.without(() => this.settings.set({ ...before, ...size }));
    this.takesSize = false;
    // Of a label in the place of another one: undo goes back to that one's size, too.
    if (this.editor.canUndo && !isClose(before, size)) this.editor.addSettingsStep({ before, after: this.settings.get() });
  }

  private answered(answer: Answer, milliseconds: number): void {
    this.result = answer.result;
    this.placed = answer;
    this.shownTitle.follow();
    void this.takeLanguage(answer.result.language);
    if (answer.size) this.takeSize(answer.size);
    noteMissing(this.notes, answer.result.labels.length, answer.outOf);
    this.upright.consider(this.documents.shown.get(), this.editor.beginning);
    this.sizeOffer.consider(this.editor.text, this.settings.get(), answer.result);
    this.findings.show(placeDiagnostics(answer, this.editor));
    showElements(this.editor.view, placeElements(answer, this.editor));
    for (const watcher of this.answerWatchers) watcher(answer);
    void this.preview.show(answer.result, answer.dots).then(() => {
      if (this.placed !== answer) return; // another label has been opened meanwhile
      this.status.showTime(milliseconds); // of a label that can be seen
      this.labelShown();
      showChips(this.editor, this.preview, this.result);
      // After the first picture, so that it waits for nothing.
      this.drawing.prepare();
      this.editor.loadExtras().catch(() => undefined);
      this.opener.prepare();
      this.takeaway.prepare();
      // The cursor may stand in an element that has moved in the list, or whose command is gone.
      const before = this.selected;
      this.selected = -1;
      this.followCursor(false);
      if (before >= 0 && this.selected < 0) this.choose(-1, "code");
    });
  }

  /** Help and colours are those of the language that the code was read as. */
  private async takeLanguage(language: string): Promise<void> {
    this.status.showLanguage(language);
    if (language !== this.commands.language && !this.commands.use(language)) {
      await loadCommands(this.drawing, this.commands, language);
      if (this.commands.language !== language) return;
    }
    this.editor.showMode();
    this.showHelp();
  }

  private labelShown(): void {
    const count = this.result?.labels.length ?? 0;
    const { label, index } = this.preview;
    this.tools.showLabels(index, count);
    this.status.showLabels(index, count, label?.copies ?? 1);
    const settings = this.settings.get();
    this.inspector.show(this.preview.elements, this.result?.dpmm ?? settings.dpmm, settings.unit);
    need("overlay").setAttribute("aria-label", spokenName(settings, index, count, this.preview.elements.length));
    this.tell();
  }

  private stateChanged(state: LiveState): void {
    this.status.showState(state);
    this.progress.show(state);
    this.notice.show(state, this.result !== undefined, this.editor.isBlank);
    if (state.failure?.kind === "key") this.keyGroup.ask();
    if (state.failure?.kind === "nothing") this.findings.showNothing();
  }
}
