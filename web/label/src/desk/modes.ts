// The preview's two tools, measuring and editing: their buttons and keys. The tools themselves are loaded when they are first used.
import type { App } from "../app";
import { languageName } from "../model/languages";
import { button } from "../ui/controls";
import { need } from "../ui/dom";
import { toast } from "../ui/messages";
import type { Point } from "../preview/transform";
import type { DeskTools } from "./tools";
import { say } from "../ui/language";

export type Mode = "measure" | "edit";

export class DeskModes {
  private readonly buttons: Record<Mode, HTMLButtonElement>;
  private loading: Promise<DeskTools> | undefined;
  private mode: Mode | undefined;
  private turning = Promise.resolve();

  constructor(private readonly app: App) {
    this.buttons = {
      measure: this.makeButton("measure", "measure", say("Measure"), say("Measure distances, lay guides (M)")),
      edit: this.makeButton("edit", "edit", say("Edit"), say("Edit on the label: move, size, align, insert (E)")),
    };
    need("boxes").before(this.buttons.measure, this.buttons.edit);
    need("overlay").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "m" || event.key === "M") void this.toggle("measure");
      else if (event.key === "e" || event.key === "E") void this.toggle("edit");
      else return;
      event.preventDefault();
    });
    need("overlay").addEventListener("dblclick", (event) => {
      const area = need("overlay").getBoundingClientRect();
      void this.editText({ x: event.clientX - area.left, y: event.clientY - area.top });
    });
    // What is chosen has a place to show.
    app.watchers.add(() => {
      if (app.chosen >= 0) void this.load().catch(() => undefined);
    });
  }

  /** One after another: what one press loads may come after the next press. */
  toggle(mode: Mode): Promise<void> {
    return (this.turning = this.turning.then(() => this.turn(mode)));
  }

  private async turn(mode: Mode): Promise<void> {
    const wanted = this.mode === mode ? undefined : mode;
    if (wanted === "edit" && this.app.commands.isByLine) {
      toast(say("Editing on the label changes ZPL. This is {language}.", { language: languageName(this.app.commands.language) }));
      return;
    }
    try {
      const tools = await this.load();
      await tools.use(wanted);
    } catch {
      toast(say("The tool could not be loaded. Is the service there?"));
      return;
    }
    this.mode = wanted;
    // What the tool does by keys it does on the label.
    if (wanted === "edit") need("overlay").focus();
    for (const name of ["measure", "edit"] as const) this.buttons[name].setAttribute("aria-pressed", String(name === wanted));
  }

  /** Edits the text under a point; this is editing, so its tool comes with it. */
  private async editText(at: Point): Promise<void> {
    if (this.mode === "measure" || this.app.preview.elementAt(at) < 0) return;
    if (this.mode !== "edit") await this.toggle("edit");
    await this.turning;
    if (this.app.commands.isByLine) return;
    (await this.load()).editTextAt(at);
  }

  private load(): Promise<DeskTools> {
    this.loading ??= import("./tools").then(
      ({ DeskTools: Tools }) => new Tools(this.app),
      (error: unknown) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }

  private makeButton(mode: Mode, icon: "measure" | "edit", text: string, label: string): HTMLButtonElement {
    const made = button({ id: `mode-${mode}`, icon, text, label, onClick: () => void this.toggle(mode) });
    made.setAttribute("aria-pressed", "false");
    return made;
  }
}
