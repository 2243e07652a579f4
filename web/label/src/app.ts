// The page as a whole: holds what is shown and lets editor, preview, panels and service know of each other.
import type { ServiceAccess } from "./api";
import { readFile, stemOf } from "./actions/files";
import { isPicture, pictureField, withField } from "./actions/picture";
import { decodeLink } from "./actions/link-codec";
import { Memory, preferences, type KeptWork } from "./actions/memory";
import { CodeEditor, type PlacedDiagnostic } from "./editor/editor";
import { startDrawing } from "./draw/start";
import { elementsAt, markElement, rangeOf, showElements } from "./editor/linking";
import { LiveRenderer, type LiveState } from "./live";
import { OffsetMap } from "./model/offsets";
import type { RenderResult } from "./model/result";
import { DEFAULT_SETTINGS, type RenderSettings } from "./model/settings";
import { showCommandHelp } from "./panels/command-help";
import { Inspector } from "./panels/inspector";
import { Notice } from "./panels/notice";
import { KeyGroup } from "./panels/service";
import { ProblemList } from "./panels/problems";
import { SettingsForm } from "./panels/settings";
import { StatusBar } from "./panels/statusbar";
import { PreviewTools } from "./panels/tools";
import { placeDiagnostics, placeElements, type Answer } from "./placing";
import { markDifferences } from "./preview/differences";
import { Preview } from "./preview/preview";
import { SAMPLES, type Sample } from "./samples/index";
import { Takeaway } from "./takeaway";
import { need } from "./ui/dom";
import { announce, toast } from "./ui/messages";
import { CommandTable, loadCommands } from "./zpl/commands";

const encoder = new TextEncoder();

/** More underlines than this help nobody and cost time. */
const MOST_MARKS = 1000;

export class App {
  readonly access: ServiceAccess = { base: document.baseURI.replace(/[#?].*$/, ""), apiKey: preferences.get("apiKey") ?? "" };
  readonly drawing = startDrawing(this.access, (drawer) => this.status.showDrawer(drawer));
  readonly commands = new CommandTable();
  readonly memory: Memory;
  readonly editor: CodeEditor;
  readonly preview: Preview;
  readonly inspector: Inspector;
  readonly settingsForm: SettingsForm;
  readonly keyGroup = new KeyGroup(this.access.apiKey, (key) => this.setApiKey(key));
  readonly tools: PreviewTools;
  readonly takeaway: Takeaway;
  readonly problems: ProblemList;
  private readonly status: StatusBar;
  private readonly notice: Notice;
  private readonly live: LiveRenderer<Answer>;
  /** Told when another element is chosen, another label or unit shown. */
  readonly watchers = new Set<() => void>();
  /** Told of each answer when its elements have their places. */
  readonly answerWatchers = new Set<(answer: Answer) => void>();
  private settings: RenderSettings;
  private name: string;
  private result: RenderResult | undefined;
  private selected = -1;
  private found: readonly PlacedDiagnostic[] = [];
  private fixFor: (typeof import("./reference/fixes"))["fixFor"] | undefined;
  /** The last answer, as long as its places can be followed: until the next request is sent. */
  placed: Answer | undefined;
  private problemCount = 0;
  private helpFrame = 0;
  /** Set while work is replaced from outside, so that it is not kept as the user's own at once. */
  private holdMemory = false;

  constructor() {
    this.memory = new Memory(
      () => ({ zpl: this.editor.text, name: this.name, settings: this.settings }),
      () => toast("This browser has no room to keep the label. Download the ZPL to keep it."),
    );
    const start = this.memory.load() ?? firstWork();
    this.settings = start.settings;
    this.name = start.name;

    this.status = new StatusBar(need("status"), () => this.problems.toggle());
    this.notice = new Notice(need("notice"), need("desk"));
    this.inspector = new Inspector(
      (index) => this.choose(index, "list"),
      (index) => this.hover(index),
    );
    this.settingsForm = new SettingsForm(this.settings, (settings) => this.applySettings(settings));
    this.tools = new PreviewTools(need("preview-tools"), {
      previous: () => this.showLabel(this.preview.index - 1),
      next: () => this.showLabel(this.preview.index + 1),
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
        pointed: (mm) => this.status.showPlace(mm, this.settings.unit),
        zoomed: (percent) => this.tools.showZoom(percent),
      },
    );
    this.editor = new CodeEditor(need("editor"), this.commands, start.zpl, {
      changed: (replaced) => this.textChanged(replaced),
      cursorMoved: (byUser) => this.cursorMoved(byUser),
    });
    this.problems = new ProblemList(
      need("problems"),
      (position) => this.lineOf(position),
      (problem) => this.editor.jumpTo(problem.from, true),
      (open) => this.status.setProblemsOpen(open),
      (problem) => this.editor.applyFix(problem),
    );
    this.takeaway = new Takeaway(
      () => ({ zpl: this.editor.text, name: this.name, settings: this.settings, page: this.preview.index, result: this.result }),
      this.access,
      this.drawing,
    );
    this.live = new LiveRenderer<Answer>({
      isLocal: () => this.drawing.isLocal,
      request: (signal) => this.request(signal),
      answered: (answer, milliseconds) => this.answered(answer, milliseconds),
      changed: (state) => this.stateChanged(state),
    });
    this.showName();
    this.status.showSize(this.settings);
    this.status.showLabels(0, 0, 1);
    need("ruler-corner").textContent = this.settings.unit;
    this.update(true);
    void this.loadCommandTable(1);
    void this.openFragment();
    window.addEventListener("hashchange", () => void this.openFragment());
  }

  renderNow(): void {
    this.update(true);
  }

  get chosen(): number {
    return this.selected;
  }

  get shownSettings(): RenderSettings {
    return this.settings;
  }

  get dpmm(): number {
    return this.result?.dpmm ?? this.settings.dpmm;
  }

  get shownResult(): RenderResult | undefined {
    return this.result;
  }

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }

  /** Replaces label and settings; the toast offers the way back. */
  load(work: KeptWork, message: string): void {
    const before: KeptWork = { zpl: this.editor.text, name: this.name, settings: this.settings };
    this.put(work);
    const worthKeeping = before.zpl.trim() !== "" && !SAMPLES.some((sample) => sample.zpl === before.zpl) && before.zpl !== work.zpl;
    toast(message, worthKeeping ? { text: "Undo", run: () => this.put(before) } : undefined);
  }

  openSample(sample: Sample): void {
    const { widthMm, heightMm } = sample;
    this.load(
      { zpl: sample.zpl, name: sample.name, settings: { ...this.settings, widthMm, heightMm, dpmm: 8, rotation: 0 } },
      `${sample.name} opened.`,
    );
  }

  openText(zpl: string, name: string): void {
    this.load({ zpl, name, settings: this.settings }, "Opened in the editor.");
  }

  async openFile(file: File): Promise<void> {
    try {
      if (isPicture(file)) {
        const zpl = withField(this.editor.text, await pictureField(file, this.access));
        this.load({ zpl, name: this.name || stemOf(file.name), settings: this.settings }, `${file.name} is now a ^GF field.`);
        return;
      }
      const { name, text, remark } = await readFile(file);
      this.load({ zpl: text, name, settings: this.settings }, `${name} opened. ${remark}`.trim());
    } catch (error) {
      toast(error instanceof Error ? error.message : "The file could not be read.");
    }
  }

  /** Forgets everything this browser keeps, and empties the page. */
  clearAll(): void {
    const before: KeptWork = { zpl: this.editor.text, name: this.name, settings: this.settings };
    this.holdMemory = true;
    this.put({ zpl: "", name: "", settings: DEFAULT_SETTINGS });
    this.holdMemory = false;
    preferences.clearAll();
    this.access.apiKey = "";
    this.keyGroup.clear();
    this.memory.clear();
    toast("Nothing is kept in this browser any more.", before.zpl === "" ? undefined : { text: "Undo", run: () => this.put(before) });
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
      announce(`Label ${index + 1} of ${count}`);
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

  private put(work: KeptWork): void {
    this.name = work.name;
    this.editor.replaceAll(work.zpl);
    this.settingsForm.show(work.settings);
    this.applySettings(work.settings);
    this.preview.fit();
    this.showName();
    this.update(true);
  }

  private showName(): void {
    need("doc-name").textContent = this.name;
    document.title = this.name ? `${this.name}, Platen` : "Platen: ZPL label preview";
  }

  private refOf(element: number): { label: number; element: number } | undefined {
    return element < 0 ? undefined : { label: this.preview.index, element };
  }

  private lineOf(position: number): { line: number; column: number } {
    const { doc } = this.editor.view.state;
    const line = doc.lineAt(Math.min(position, doc.length));
    return { line: line.number, column: position - line.from + 1 };
  }

  private applySettings(settings: RenderSettings): void {
    this.settings = settings;
    this.preview.setSettings(settings);
    this.status.showSize(settings);
    this.status.showPlace(undefined, settings.unit);
    need("ruler-corner").textContent = settings.unit;
    this.inspector.show(this.preview.elements, this.result?.dpmm ?? settings.dpmm, settings.unit);
    this.tell();
    this.keep();
    this.update(false);
  }

  private keep(): void {
    if (!this.holdMemory) this.memory.keepSoon();
  }

  private textChanged(replaced: boolean): void {
    // What is written instead of the old text is another label.
    if (this.name !== "" && (replaced || this.editor.isBlank)) {
      this.name = "";
      this.showName();
    }
    this.keep();
    this.update(false);
  }

  /** Asks for a fresh picture, unless there is nothing to draw. */
  private update(now: boolean): void {
    if (!this.editor.isBlank) {
      if (now) this.live.now();
      else this.live.schedule();
      return;
    }
    this.result = undefined;
    this.selected = -1;
    this.preview.clear();
    this.labelShown();
    this.showProblems([]);
    this.live.rest();
  }

  private cursorMoved(byUser: boolean): void {
    if (this.helpFrame === 0) {
      this.helpFrame = requestAnimationFrame(() => {
        this.helpFrame = 0;
        showCommandHelp(need("command-help"), this.editor, this.commands);
      });
    }
    if (byUser) this.followCursor(true);
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

  private async request(signal: AbortSignal): Promise<Answer> {
    const text = this.editor.takeForRequest();
    this.placed = undefined;
    const bytes = encoder.encode(text);
    const settings = this.settings;
    let result = await this.drawing.preview(bytes, settings, signal);
    if (settings.profile === "compare") {
      const reference = await this.drawing.preview(bytes, { ...settings, profile: "reference", verify: false }, signal);
      result = await markDifferences(result, reference);
    }
    return { result, offsets: new OffsetMap(text, bytes.length) };
  }

  private answered(answer: Answer, milliseconds: number): void {
    this.result = answer.result;
    this.placed = answer;
    this.status.showTime(milliseconds);
    this.showProblems(placeDiagnostics(answer, this.editor));
    showElements(this.editor.view, placeElements(answer, this.editor));
    for (const watcher of this.answerWatchers) watcher(answer);
    void this.preview.show(answer.result).then(() => {
      this.labelShown();
      this.drawing.loadBrowser().catch(() => undefined); // after the first picture, so that it waits for nothing
      // The cursor may stand in an element that has moved in the list.
      this.selected = -1;
      this.followCursor(false);
    });
  }

  private showProblems(found: readonly PlacedDiagnostic[]): void {
    const problems = this.withFixes(found);
    this.editor.showDiagnostics(problems.slice(0, MOST_MARKS));
    this.problems.show(problems);
    const count = (severity: string): number => problems.filter((problem) => problem.severity === severity).length;
    this.status.showProblems(count("error"), count("warning"), count("info"));
    this.status.setProblemsOpen(this.problems.isOpen);
    if (problems.length !== this.problemCount) announce(problems.length === 1 ? "1 problem" : `${problems.length || "No"} problems`);
    this.problemCount = problems.length;
  }

  /** Fixes are loaded with the first finding, which is then shown again. */
  private withFixes(problems: readonly PlacedDiagnostic[]): readonly PlacedDiagnostic[] {
    this.found = problems;
    if (problems.length === 0) return problems;
    if (this.fixFor) {
      const { fixFor } = this;
      const { text } = this.editor;
      return problems.map((problem, index) => (index < MOST_MARKS ? { ...problem, fix: fixFor(problem, text) } : problem));
    }
    void import("./reference/fixes").then(
      (module) => {
        this.fixFor = module.fixFor;
        if (this.found === problems) this.showProblems(problems);
      },
      () => undefined,
    );
    return problems;
  }

  private labelShown(): void {
    const count = this.result?.labels.length ?? 0;
    const { label, index } = this.preview;
    this.tools.showLabels(index, count);
    this.status.showLabels(index, count, label?.copies ?? 1);
    this.inspector.show(this.preview.elements, this.result?.dpmm ?? this.settings.dpmm, this.settings.unit);
    const { widthMm, heightMm } = this.settings;
    const size = `${Math.round(widthMm)} by ${Math.round(heightMm)} millimetres`;
    const name = count === 0 ? `No label yet, ${size}` : `Preview of label ${index + 1} of ${count}, ${size}, ${this.preview.elements.length} elements`;
    need("overlay").setAttribute("aria-label", name);
    this.tell();
  }

  private stateChanged(state: LiveState): void {
    const isEmpty = this.editor.isBlank;
    this.status.showState(state);
    this.notice.show(state, this.result !== undefined, isEmpty);
    if (state.failure?.kind === "key") this.keyGroup.ask();
    // Problems of a text that is gone would only mislead.
    if (state.failure?.kind === "nothing") this.showProblems([]);
  }

  private async loadCommandTable(attempt: number): Promise<void> {
    if (await loadCommands(this.drawing, this.commands)) {
      showCommandHelp(need("command-help"), this.editor, this.commands);
      return;
    }
    setTimeout(() => void this.loadCommandTable(attempt + 1), Math.min(attempt * 5000, 60_000));
  }

  private async openFragment(): Promise<void> {
    const fragment = location.hash;
    try {
      const work = await decodeLink(fragment);
      if (!work) return;
      // Out of the address: a reload shall bring back the work, not undo it.
      history.replaceState(null, "", location.pathname + location.search);
      this.load(work, "Label opened from the link.");
    } catch {
      history.replaceState(null, "", location.pathname + location.search);
      toast("The link is damaged or was cut off, so it could not be opened.");
    }
  }
}

function firstWork(): KeptWork {
  const sample = SAMPLES[0] as Sample;
  const { widthMm, heightMm } = sample;
  return { zpl: sample.zpl, name: sample.name, settings: { ...DEFAULT_SETTINGS, widthMm, heightMm } };
}
