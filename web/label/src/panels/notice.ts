// The message over the preview while it is not up to date: what happened and what comes next.
import type { LiveState } from "../live";
import { el, replaceChildren } from "../ui/dom";
import { icon } from "../ui/icons";
import { announce } from "../ui/messages";
import { say } from "../ui/language";

export class Notice {
  private shown = "";
  /** What is shown is the invitation of an empty page, no failure. */
  private invites = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly desk: HTMLElement,
  ) {}

  show(state: LiveState, hasPicture: boolean, isEmpty: boolean): void {
    const { failure } = state;
    this.desk.classList.toggle("stale", failure !== undefined && hasPicture);
    if (isEmpty) {
      this.say(say("Type or paste ZPL, drop a file, or choose a sample to begin."), "", "info");
      this.invites = true;
      return;
    }
    if (!failure && this.invites) {
      this.invites = false;
      this.shown = "";
      this.host.hidden = true;
      return;
    }
    this.invites = false;
    if (!failure) {
      clearTimeout(this.timer);
      this.timer = undefined;
      if (this.shown !== "" && !this.host.hidden) announce(say("The preview is up to date again."));
      this.shown = "";
      this.host.hidden = true;
      return;
    }
    const still = hasPicture ? say("The picture shows the last label that could be drawn.") : "";
    const text = failure.message;
    // Half-typed labels fail for a moment at every key: only what lasts is worth a message.
    const patience = failure.kind === "nothing" ? 700 : 0;
    if (this.shown === text || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.say(text, still, failure.kind === "nothing" ? "info" : "warning");
    }, patience);
  }

  private say(text: string, detail: string, tone: "info" | "warning"): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.shown === text && !this.host.hidden) return;
    this.shown = text;
    this.host.hidden = false;
    replaceChildren(
      this.host,
      el("span", { class: `tone-${tone}` }, icon(tone)),
      el("div", {}, text, detail ? el("small", {}, detail) : null),
    );
    announce(text);
  }
}
