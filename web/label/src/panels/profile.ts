// The switch between the reference's picture, the printer's, and both with their differences marked.
import type { Profile } from "../model/settings";
import { segments } from "../ui/controls";
import { el } from "../ui/dom";
import { say } from "../ui/language";

export class ProfileChoice {
  readonly element: HTMLElement;
  private readonly choice: HTMLFieldSetElement;
  private readonly legend: HTMLElement;

  constructor(profile: Profile, changed: (profile: Profile) => void) {
    this.choice = segments(
      say("Drawn like"),
      "profile",
      [
        { value: "reference", text: "Labelary" },
        { value: "printer", text: say("Printer") },
        { value: "compare", text: say("Compare") },
      ],
      profile,
      (value) => changed(value as Profile),
    );
    this.legend = el(
      "p",
      { class: "profile-legend", id: "profile-legend" },
      el("span", { class: "dots-of-printer" }, say("Printer only")),
      el("span", { class: "dots-of-reference" }, say("Labelary only")),
    );
    this.element = el("div", { class: "field" }, el("span", {}, say("Drawn like")), this.choice, this.legend);
    this.show(profile);
  }

  show(profile: Profile): void {
    for (const input of this.choice.querySelectorAll("input")) input.checked = input.value === profile;
    this.legend.hidden = profile !== "compare";
  }
}
