// Tabs over the panes for narrow windows; wide ones show all panes and hide the tabs.
import { el } from "./dom";
import { icon, type IconName } from "./icons";
import { say } from "./language";

export type TabName = "code" | "label" | "settings";

const TABS: readonly { name: TabName; text: string; icon: IconName }[] = [
  { name: "code", text: say("Code"), icon: "code" },
  { name: "label", text: say("Label"), icon: "label" },
  { name: "settings", text: say("Settings"), icon: "sliders" },
];

export class PaneTabs {
  private readonly buttons = new Map<TabName, HTMLButtonElement>();

  constructor(strip: HTMLElement, private readonly chosen: (name: TabName) => void) {
    for (const tab of TABS) {
      const made = el(
        "button",
        { type: "button", role: "tab", id: `tab-${tab.name}`, "aria-controls": `pane-${tab.name}`, "data-for": tab.name },
        icon(tab.icon),
        tab.text,
      );
      made.addEventListener("click", () => this.choose(tab.name));
      this.buttons.set(tab.name, made);
      strip.append(made);
    }
    strip.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      const visible = [...this.buttons.values()].filter((made) => made.offsetParent !== null);
      const at = visible.indexOf(document.activeElement as HTMLButtonElement);
      const next = visible[(at + (event.key === "ArrowRight" ? 1 : -1) + visible.length) % visible.length];
      next?.focus();
      next?.click();
      event.preventDefault();
    });
    this.choose("code");
  }

  get current(): TabName {
    return (document.body.dataset["tab"] as TabName | undefined) ?? "code";
  }

  choose(name: TabName): void {
    document.body.dataset["tab"] = name;
    for (const [key, made] of this.buttons) {
      made.setAttribute("aria-selected", String(key === name));
      made.tabIndex = key === name ? 0 : -1;
    }
    this.chosen(name);
  }
}
