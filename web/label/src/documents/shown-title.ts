// The name of the label that is shown, in the page's head and in the browser's title. Without a name it is the first text of the code.
import type { CodeEditor } from "../editor/editor";
import { need } from "../ui/dom";
import { say } from "../ui/language";
import type { Documents } from "./documents";
import { nameOrText } from "./title";

export class ShownTitle {
  /** As it is shown. */
  private title = "";

  constructor(
    private readonly editor: CodeEditor,
    private readonly documents: Documents,
  ) {}

  private get wanted(): string {
    return nameOrText({ name: this.documents.shown.get().name, zpl: this.editor.beginning });
  }

  show(): void {
    this.title = this.wanted;
    need("doc-name").textContent = this.title;
    document.title = this.title ? `${this.title}, Platen` : say("Platen: ZPL label preview");
  }

  /** The first text of a label without a name may have changed. */
  follow(): void {
    if (this.wanted === this.title) return;
    this.documents.shown.get().zpl = this.editor.text;
    this.documents.touched();
    this.show();
  }
}
