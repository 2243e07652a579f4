// The texts of the open labels: one in the editor, the others put away with their histories. What takes time changes the label that it
// was begun for, whichever is shown when it is done.
import type { EditorState } from "@codemirror/state";
import type { CodeEditor, TextChange } from "../editor/editor";
import type { Documents, OpenDocument } from "./documents";

export class Texts {
  private readonly parked = new Map<string, EditorState>();

  constructor(
    private readonly editor: CodeEditor,
    private readonly documents: Documents,
  ) {}

  /** Before a long text is opened. */
  prepare(text: string): Promise<void> {
    return this.editor.prepare(text);
  }

  /** The text of a label that will be shown. */
  take(document: OpenDocument): EditorState {
    const text = this.parked.get(document.id) ?? this.editor.fresh(document.zpl);
    this.parked.delete(document.id);
    return text;
  }

  /** One that is closed is not kept. */
  putAway(document: OpenDocument, text: EditorState): void {
    if (this.isOpen(document)) this.parked.set(document.id, text);
  }

  forget(document: OpenDocument): void {
    this.parked.delete(document.id);
  }

  private isOpen(document: OpenDocument): boolean {
    return this.documents.all.get().includes(document);
  }

  /** As if the user had pasted it into this label. */
  paste(document: OpenDocument, text: string): boolean {
    if (document === this.documents.shown.get()) this.editor.paste(text);
    else return this.changeParked(document, (state) => this.editor.pasted(state, text));
    return true;
  }

  /** Changes a label as one step to undo. False: it is closed, or `changesOf` its text as it is now has none. */
  change(document: OpenDocument, changesOf: (text: string) => readonly TextChange[] | undefined): boolean {
    if (document !== this.documents.shown.get()) {
      return this.changeParked(document, (state) => {
        const changes = changesOf(state.doc.toString());
        return changes && this.editor.changed(state, changes);
      });
    }
    const changes = changesOf(this.editor.text);
    if (changes) this.editor.change(changes);
    return changes !== undefined;
  }

  private changeParked(document: OpenDocument, change: (state: EditorState) => EditorState | undefined): boolean {
    if (!this.isOpen(document)) return false;
    const changed = change(this.parked.get(document.id) ?? this.editor.fresh(document.zpl));
    if (!changed) return false;
    this.parked.set(document.id, changed);
    document.zpl = changed.doc.toString();
    return true;
  }
}
