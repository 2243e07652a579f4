// Undo and redo of a label: changes of its settings are steps of the same history as those of its code.
import type { SettingsForm } from "../panels/settings";
import type { RenderSettings } from "../model/settings";
import type { Value } from "../model/value";
import { say } from "../ui/language";
import { announce } from "../ui/messages";
import type { CodeEditor } from "./editor";

export class SettingsSteps {
  /** Set while settings change that are no step of the user. */
  private isNoStep = false;
  /** Settings before a size that is being typed: its letters are one step. */
  private beforeTyping: RenderSettings | undefined;

  constructor(
    private readonly editor: CodeEditor,
    private readonly settings: Value<RenderSettings>,
    private readonly form: SettingsForm,
  ) {
    form.sizeTyped = () => this.endTyping();
  }

  without(change: () => void): void {
    this.isNoStep = true;
    change();
    this.isNoStep = false;
  }

  add(before: RenderSettings, after: RenderSettings): void {
    if (this.isNoStep) return;
    if (this.form.isTyping) this.beforeTyping ??= before;
    else this.editor.addSettingsStep({ before, after });
  }

  private endTyping(): void {
    const before = this.beforeTyping;
    this.beforeTyping = undefined;
    if (before) this.editor.addSettingsStep({ before, after: this.settings.get() });
  }

  /** Another text with other settings in the place of the shown label's, as one step. */
  changeAll(zpl: string, after: RenderSettings): void {
    const before = this.settings.get();
    this.editor.change([{ from: 0, to: this.editor.view.state.doc.length, insert: zpl }], { settings: { before, after } });
    this.without(() => this.settings.set(after));
  }

  /** Takes back the last change of the code, a gesture or the settings. */
  undo(): void {
    this.endTyping();
    announce(this.editor.undo() ? say("Undone") : say("There is nothing to undo."));
  }

  redo(): void {
    announce(this.editor.redo() ? say("Redone") : say("There is nothing to redo."));
  }
}
