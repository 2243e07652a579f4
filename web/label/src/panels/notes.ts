// The strip between the preview's bar and the desk: what is worth knowing about this label, with a button where one click helps.
import { button } from "../ui/controls";
import { el, replaceChildren } from "../ui/dom";
import { icon } from "../ui/icons";
import { say } from "../ui/language";

export interface Note {
  text: string;
  action?: { id: string; text: string; run: () => void };
  /** It can be put away. */
  dismissed?: () => void;
}

/** Says that only the first labels are drawn; `outOf` is undefined where all are. */
export function noteMissing(notes: Notes, shown: number, outOf: number | undefined): void {
  notes.set("labels", outOf === undefined ? undefined : { text: say("The first {shown} of {count} labels are shown: more are not drawn at once.", { shown, count: outOf }) });
}

export class Notes {
  private readonly notes = new Map<string, Note>();

  constructor(private readonly host: HTMLElement) {}

  /** One note for each subject; undefined takes it away. */
  set(subject: string, note: Note | undefined): void {
    if (note) this.notes.set(subject, note);
    else if (!this.notes.delete(subject)) return;
    this.host.hidden = this.notes.size === 0;
    replaceChildren(this.host, ...[...this.notes].map(([key, shown]) => this.row(key, shown)));
  }

  clear(): void {
    for (const subject of [...this.notes.keys()]) this.set(subject, undefined);
  }

  private row(subject: string, note: Note): HTMLElement {
    return el(
      "div",
      { class: "note", "data-note": subject },
      icon("info"),
      el("span", {}, note.text),
      note.action ? button({ id: note.action.id, text: note.action.text, kind: "outlined", onClick: note.action.run }) : null,
      note.dismissed ? button({ icon: "close", label: say("Dismiss this note"), onClick: note.dismissed }) : null,
    );
  }
}
