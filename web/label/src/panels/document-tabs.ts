// The row above the editor: the labels that are open, one tab each, and what can be done with the code.
import type { Documents, OpenDocument } from "../documents/documents";
import { titleOf } from "../documents/title";
import { button, menuButton, type MenuEntry } from "../ui/controls";
import { el, replaceChildren } from "../ui/dom";
import { say } from "../ui/language";

export interface DocumentTabEvents {
  chosen(document: OpenDocument): void;
  closed(document: OpenDocument): void;
  renamed(document: OpenDocument): void;
  added(): void;
  entries(): MenuEntry[];
}

export class DocumentTabs {
  private readonly list = el("div", { class: "document-tabs", role: "tablist", "aria-label": say("Open labels") });

  constructor(
    host: HTMLElement,
    private readonly documents: Documents,
    private readonly events: DocumentTabEvents,
  ) {
    host.append(
      this.list,
      button({ id: "new-document", icon: "plus", label: say("New label"), onClick: () => events.added() }),
      el("span", { class: "spacer" }),
      menuButton({ id: "code-menu", icon: "more", text: say("Code"), label: say("Code: format, fill in, compare, history") }, () => events.entries()),
    );
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    documents.all.subscribe(() => this.render());
    documents.shown.subscribe(() => this.render());
    this.render();
  }

  private render(): void {
    const shown = this.documents.shown.get();
    const hadFocus = this.list.contains(document.activeElement);
    replaceChildren(this.list, ...this.documents.all.get().map((one) => this.tab(one, one === shown)));
    const current = this.list.querySelector<HTMLElement>("[aria-selected=true]");
    if (hadFocus) current?.focus();
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  private tab(one: OpenDocument, isShown: boolean): HTMLElement {
    const tab = el(
      "button",
      { type: "button", role: "tab", "aria-selected": String(isShown), tabindex: isShown ? 0 : -1, "data-document": one.id, title: say("F2 renames, Delete closes") },
      titleOf(one),
    );
    tab.addEventListener("click", () => this.events.chosen(one));
    tab.addEventListener("dblclick", () => this.events.renamed(one));
    tab.addEventListener("auxclick", (event) => {
      if (event.button === 1) this.events.closed(one);
    });
    return tab;
  }

  private onKey(event: KeyboardEvent): void {
    const open = this.documents.all.get();
    const shown = this.documents.shown.get();
    const at = open.indexOf(shown);
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + open.length, Home: 0, End: open.length - 1 };
    const to = moves[event.key];
    if (to !== undefined) this.events.chosen(open[to % open.length] as OpenDocument);
    else if (event.key === "Delete") this.events.closed(shown);
    else if (event.key === "F2") this.events.renamed(shown);
    else return;
    event.preventDefault();
  }
}
