// The request for the label that is open, as a program in one of several languages, to be copied.
import { CALLS, type CallRequest } from "../actions/calls";
import { preferences } from "../actions/preferences";
import { copyText } from "../actions/save";
import { button, segments } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { toast } from "../ui/messages";
import { say } from "../ui/language";

export function openCalls(request: CallRequest): void {
  const kept = preferences.get("call") ?? "";
  let name = Object.hasOwn(CALLS, kept) ? kept : "curl";
  const code = el("pre", { id: "call-code", tabindex: 0, "aria-label": say("Request as code") });
  const show = (chosen: string): void => {
    name = chosen;
    preferences.set("call", chosen);
    code.textContent = CALLS[chosen]?.(request) ?? "";
  };
  const copy = async (): Promise<void> => {
    toast((await copyText(code.textContent ?? "")) ? say("Copied as {name}.", { name }) : say("The browser did not allow copying."));
  };
  openDialog(
    say("Request as code"),
    "wide",
    el("p", {}, say("This label as PNG, asked of this service by a program of yours."), " ", el("a", { href: "docs/api.html", target: "_blank", rel: "noopener" }, say("All that can be asked for"))),
    segments(say("Language"), "call", Object.keys(CALLS).map((value) => ({ value, text: value })), name, show),
    code,
    el("div", { class: "buttons" }, button({ id: "copy-call", text: say("Copy"), kind: "primary", onClick: () => void copy() })),
  );
  show(name);
}
