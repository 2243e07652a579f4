// Starts the page: bars, panes, keys, and the application behind them.
import { App } from "./app";
import { attachDrop, attachPaste } from "./drop";
import { DeskModes } from "./desk/modes";
import { openNewcomersHelp } from "./help/newcomers";
import { openShortcuts } from "./help/shortcuts";
import { attachPageKeys, attachPreviewKeys } from "./keys";
import { openGallery } from "./panels/gallery";
import { keptGroup } from "./panels/service";
import type { ReferencePanel } from "./reference/panel";
import { button, menuButton, type MenuEntry } from "./ui/controls";
import { need } from "./ui/dom";
import { icon } from "./ui/icons";
import { toast } from "./ui/messages";
import { attachSplitter } from "./ui/splitter";
import { PaneTabs, type TabName } from "./ui/tabs";
import { ThemeSwitch, type Theme } from "./ui/theme";

const app = new App();
new DeskModes(app);

const file = need<HTMLInputElement>("file");
const openFile = (): void => file.click();
file.addEventListener("change", () => {
  const chosen = file.files?.[0];
  if (chosen) void app.openFile(chosen);
  // The same file may be opened again after it changed.
  file.value = "";
});

let referencePanel: ReferencePanel | undefined;
const reference = (): void => {
  void import("./reference/panel").then(
    ({ ReferencePanel: Panel }) => {
      if (narrow.matches) tabs.choose("code");
      referencePanel ??= new Panel(app);
      if (referencePanel.isOpen) referencePanel.close();
      else referencePanel.open();
    },
    () => toast("The command reference could not be loaded. Is the service there?"),
  );
};
const help = (): void => openNewcomersHelp((zpl) => app.openText(zpl, "Example"));
const gallery = (): void => openGallery(app.drawing, (sample) => app.openSample(sample));

const tabs = new PaneTabs(need("tabs"), (name) => {
  // What was chosen in the picture meanwhile lies out of sight.
  if (name === "code") app.editor.reveal(app.editor.cursor);
});
// The tab "Label" exists on phones only; elsewhere the label is always in sight.
const narrow = matchMedia("(max-width: 719px)");
narrow.addEventListener("change", () => {
  if (!narrow.matches && tabs.current === "label") tabs.choose("code");
});

const themeButton = menuButton({ id: "theme", icon: "system", label: "Theme" }, themeEntries);
const theme = new ThemeSwitch((chosen) => {
  themeButton.firstElementChild?.replaceWith(icon(chosen === "system" ? "system" : chosen === "dark" ? "moon" : "sun"));
  requestAnimationFrame(() => app.preview.themeChanged());
});

function themeEntries(): MenuEntry[] {
  const entry = (name: Theme, text: string): MenuEntry => ({
    kind: "item",
    text,
    id: `theme-${name}`,
    detail: theme.theme === name ? "in use" : "",
    action: () => theme.choose(name),
  });
  return [entry("system", "As the system"), entry("light", "Light"), entry("dark", "Dark")];
}

need("actions").append(
  button({ id: "samples", icon: "gallery", text: "Samples", label: "Samples", onClick: gallery }),
  button({ id: "open", icon: "open", text: "Open", label: "Open a file", onClick: openFile }),
  button({ id: "link", icon: "link", text: "Copy link", label: "Copy link: it holds label and settings", onClick: () => void app.takeaway.copyLink() }),
  menuButton({ id: "export", icon: "download", text: "Export", label: "Export", kind: "primary" }, () => app.takeaway.entries()),
  menuButton({ id: "help", icon: "help", label: "Help" }, () => [
    { kind: "item", text: "ZPL in five minutes", detail: "F1", id: "help-zpl", action: help },
    { kind: "item", text: "Command reference", detail: "Shift F1", id: "help-commands", action: reference },
    { kind: "item", text: "Keyboard shortcuts", detail: "?", id: "help-keys", action: openShortcuts },
  ]),
  themeButton,
);

need("pane-settings").append(
  app.settingsForm.element,
  app.keyGroup.element,
  app.inspector.list,
  app.inspector.details,
  keptGroup(() => app.clearAll()),
);

attachSplitter({
  divider: need("divider-code"),
  container: need("panes"),
  variable: "--editor-width",
  pane: need("pane-code"),
  side: "before",
  label: "Width of the editor",
  least: 240,
  reserve: 560,
});
attachSplitter({
  divider: need("divider-settings"),
  container: need("panes"),
  variable: "--settings-width",
  pane: need("pane-settings"),
  side: "after",
  label: "Width of the settings",
  least: 220,
  reserve: 620,
});

attachDrop(need("drop-hint"), (dropped) => void app.openFile(dropped));
attachPaste(
  (pasted) => void app.openFile(pasted),
  (text) => app.openText(text, "Pasted"),
);

const PANES: readonly { tab: TabName; focus: () => void; holds: () => boolean }[] = [
  { tab: "code", focus: () => app.focusCode(), holds: () => need("pane-code").contains(document.activeElement) },
  { tab: "label", focus: () => need("overlay").focus(), holds: () => need("pane-label").contains(document.activeElement) },
  { tab: "settings", focus: () => need("preset").focus(), holds: () => need("pane-settings").contains(document.activeElement) },
];

attachPageKeys({
  open: openFile,
  saveZpl: () => app.takeaway.downloadZpl(),
  print: () => void app.takeaway.print(),
  renderNow: () => app.renderNow(),
  help,
  shortcuts: openShortcuts,
  reference,
  nextPane: (direction) => {
    const at = PANES.findIndex((pane) => pane.holds());
    const next = PANES[(at + direction + PANES.length + (at < 0 && direction < 0 ? 1 : 0)) % PANES.length];
    if (!next) return;
    if (narrow.matches || next.tab !== "label") tabs.choose(next.tab);
    next.focus();
  },
});

attachPreviewKeys(need("overlay"), {
  zoomStep: (direction) => app.preview.zoomStep(direction),
  zoomTo: (zoom) => app.preview.zoomTo(zoom),
  fit: () => app.preview.fit(),
  pan: (dx, dy) => app.preview.panBy(dx, dy),
  label: (step) => app.stepLabel(step),
  element: (step) => app.stepElement(step),
  goToCode: () => {
    if (narrow.matches) tabs.choose("code");
    app.focusCode();
  },
  boxes: () => app.tools.toggleBoxes(),
  clear: () => app.choose(-1, "list"),
});
