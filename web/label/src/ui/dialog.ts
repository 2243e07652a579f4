// Modal dialogs on the browser's own element: focus stays inside, Escape and a click beside it close.
import { button } from "./controls";
import { el, type Child } from "./dom";
import { say } from "./language";

export function openDialog(title: string, kind: "wide" | "reading" | "small", ...content: Child[]): HTMLDialogElement {
  const heading = el("h2", { id: "dialog-title" }, title);
  const dialog = el(
    "dialog",
    { class: kind, "aria-labelledby": "dialog-title" },
    el("header", {}, heading, button({ icon: "close", label: say("Close"), onClick: () => dialog.close() })),
    el("div", { class: "content", tabindex: 0, role: "group", "aria-label": title }, ...content),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
