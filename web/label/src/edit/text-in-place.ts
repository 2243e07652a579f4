// A field's text, edited where it is on the label: Enter takes it over, Escape leaves it as it was.
import type { App } from "../app";
import { deviceBox } from "../preview/painter";
import { el, need } from "../ui/dom";
import { toast } from "../ui/messages";
import { say } from "../ui/language";
import { writeParameter } from "../zpl/split";
import { dataCommand, dataProblem } from "./data";

/** Narrower fields would hide what is written. */
const LEAST_WIDTH = 160;

/** False: the element has no text to edit. */
export function editTextInPlace(app: App, element: number): boolean {
  const command = dataCommand(app, element);
  const box = app.preview.shownBoxes[element];
  const parameter = command?.parameters[0];
  if (!command || !box || !parameter) return false;
  const prefix = app.editor.view.state.doc.sliceString(command.from, command.from + 1);
  const area = el("textarea", { class: "input text-in-place", id: "text-in-place", rows: 1, spellcheck: "false", "aria-label": say("Text of the element") });
  area.value = parameter.text;
  const overlay = need("overlay");
  const stage = overlay.parentElement as HTMLElement;
  const { view } = app.preview;
  const shown = deviceBox(box, view);
  const width = Math.min(Math.max(shown.width / view.pixelRatio + 24, LEAST_WIDTH), stage.clientWidth - 8);
  const left = Math.max(4, Math.min(shown.x / view.pixelRatio - 8, stage.clientWidth - width - 4));
  area.style.width = `${Math.round(width)}px`;
  area.style.left = `${Math.round(left)}px`;
  area.style.top = `${Math.round(Math.max(4, Math.min(shown.y / view.pixelRatio - 6, stage.clientHeight - 40)))}px`;
  let isOpen = true;
  const close = (takesOver: boolean, keepsFocus: boolean): void => {
    if (!isOpen) return;
    const problem = takesOver && area.value !== parameter.text ? dataProblem(area.value, prefix) : "";
    if (problem !== "") {
      area.setAttribute("aria-invalid", "true");
      toast(problem);
      if (keepsFocus) return;
    }
    isOpen = false;
    app.editor.changeWatchers.delete(changed);
    area.remove();
    if (takesOver && problem === "" && area.value !== parameter.text) app.editor.change([writeParameter(command, 0, area.value)]);
    if (keepsFocus) overlay.focus();
  };
  // The code changed under it, as by an undo: its places no longer hold.
  const changed = (): void => close(false, false);
  area.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close(false, true);
    else if (event.key === "Enter" && !event.shiftKey) close(true, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  area.addEventListener("blur", () => close(true, false));
  app.editor.changeWatchers.add(changed);
  stage.append(area);
  area.focus();
  area.select();
  return true;
}
