// Light or dark: as the system has it, until the user chooses.
import { preferences } from "../actions/preferences";

export type Theme = "system" | "light" | "dark";

export class ThemeSwitch {
  private chosen: Theme;

  constructor(private readonly changed: (theme: Theme) => void) {
    const kept = preferences.get("theme");
    this.chosen = kept === "light" || kept === "dark" ? kept : "system";
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.apply());
    this.apply();
  }

  get theme(): Theme {
    return this.chosen;
  }

  get dark(): boolean {
    return this.chosen === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : this.chosen === "dark";
  }

  choose(theme: Theme): void {
    this.chosen = theme;
    preferences.set("theme", theme === "system" ? null : theme);
    this.apply();
  }

  private apply(): void {
    if (this.chosen === "system") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset["theme"] = this.chosen;
    this.changed(this.chosen);
  }
}
