// The settings pane's last group: what this browser keeps, and the API key where the service asks for one.
import { button } from "../ui/controls";
import { el } from "../ui/dom";
import { say } from "../ui/language";

export function keptGroup(clearAll: () => void): HTMLElement {
  return el(
    "section",
    { class: "group kept", "aria-label": say("Kept in this browser") },
    el("p", {}, say("Your work is kept in this browser only.")),
    button({ id: "clear", text: say("Clear"), kind: "outlined danger", onClick: clearAll }),
  );
}

/** Shown once the service has asked for a key, or when one is kept. */
export class KeyGroup {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;

  constructor(apiKey: string, setApiKey: (key: string) => void) {
    this.input = el("input", { class: "input", id: "api-key", type: "password", autocomplete: "off", spellcheck: "false" });
    this.input.value = apiKey;
    this.input.addEventListener("change", () => setApiKey(this.input.value.trim()));
    this.element = el(
      "section",
      { class: "group", "aria-labelledby": "service-heading", hidden: apiKey === "" },
      el("h2", { id: "service-heading" }, say("Service")),
      el("div", { class: "field" }, el("label", { for: "api-key" }, say("API key")), this.input),
    );
  }

  ask(): void {
    this.element.hidden = false;
  }

  show(apiKey: string): void {
    this.input.value = apiKey;
    this.element.hidden = apiKey === "";
  }
}
