// Starts the page: bars, panes, keys, and the application behind them.
import { App } from "./app";
import { attachDrop, attachPaste } from "./drop";
import { DeskModes } from "./desk/modes";
import { clearAll } from "./documents/clear-all";
import { HAS_SERVICE } from "./has-service";
import { attachPageKeys, attachPreviewKeys } from "./keys";
import { codeEntries } from "./panels/code-menu";
import { DocumentTabs } from "./panels/document-tabs";
import { languageEntries } from "./panels/language-menu";
import { keptGroup } from "./panels/service";
import type { ReferencePanel } from "./reference/panel";
import { button, menuButton, openMenu, type MenuEntry } from "./ui/controls";
import { el, need } from "./ui/dom";
import { translateFixedTexts } from "./ui/fixed-texts";
import { icon } from "./ui/icons";
import { onDemand } from "./ui/on-demand";
import { attachSplitter } from "./ui/splitter";
import { PaneTabs, type TabName } from "./ui/tabs";
import { ThemeSwitch, type Theme } from "./ui/theme";
import { say } from "./ui/language";

translateFixedTexts();
const app = new App();
new DeskModes(app);

const file = need<HTMLInputElement>("file");
const openFile = (): void => file.click();
file.addEventListener("change", () => {
  const chosen = [...(file.files ?? [])];
  if (chosen.length > 0) void app.opener.openFiles(chosen);
  // The same file may be opened again after it changed.
  file.value = "";
});
const folder = need<HTMLInputElement>("folder");
folder.addEventListener("change", () => {
  void app.opener.openFolder([...(folder.files ?? [])]);
  folder.value = "";
});

// Windows that are seldom opened come when they are opened.
const help = onDemand(async () => {
  const { openNewcomersHelp } = await import("./help/newcomers");
  openNewcomersHelp((zpl) => void app.opener.openText(zpl, say("Example")));
});
const openShortcuts = onDemand(async () => (await import("./help/shortcuts")).openShortcuts());
let referencePanel: ReferencePanel | undefined;
const reference = onDemand(async () => {
  const [{ ReferencePanel: Panel }] = await Promise.all([import("./reference/panel"), app.editor.loadExtras()]);
  if (narrow.matches) tabs.choose("code");
  referencePanel ??= new Panel(app);
  if (referencePanel.isOpen) referencePanel.close();
  else referencePanel.open();
});
const gallery = onDemand(async () => {
  const { openGallery } = await import("./panels/gallery");
  openGallery(app.drawing, (sample) => app.opener.openSample(sample));
});

const tabs = new PaneTabs(need("tabs"), (name) => {
  // What was chosen in the picture meanwhile lies out of sight.
  if (name === "code") app.editor.reveal(app.editor.cursor);
});
// The tab "Label" exists on phones only; elsewhere the label is always in sight.
const narrow = matchMedia("(max-width: 719px)");
narrow.addEventListener("change", () => {
  placeSteps();
  if (!narrow.matches && tabs.current === "label") tabs.choose("code");
});

const themeButton = menuButton({ id: "theme", icon: "system", smallText: say("Theme"), label: say("Theme") }, themeEntries);
const theme = new ThemeSwitch((chosen) => {
  themeButton.firstElementChild?.replaceWith(icon(chosen === "system" ? "system" : chosen === "dark" ? "moon" : "sun"));
  requestAnimationFrame(() => app.preview.themeChanged());
});

function themeEntries(): MenuEntry[] {
  const entry = (name: Theme, text: string): MenuEntry => ({
    kind: "item",
    text,
    id: `theme-${name}`,
    detail: theme.theme === name ? say("in use") : "",
    action: () => theme.choose(name),
  });
  return [entry("system", say("As the system")), entry("light", say("Light")), entry("dark", say("Dark"))];
}

const back = button({ id: "undo", icon: "undo", label: say("Undo (Ctrl Z)"), onClick: () => app.steps.undo() });
const forth = button({ id: "redo", icon: "redo", label: say("Redo (Ctrl Y)"), onClick: () => app.steps.redo() });
const steps = el("div", { class: "steps", role: "group", "aria-label": say("Undo and redo") }, back, forth);
app.historyChanged = (count) => {
  // A button that is disabled under the fingers would lose the focus.
  back.setAttribute("aria-disabled", String(count.back === 0));
  forth.setAttribute("aria-disabled", String(count.forth === 0));
};
app.historyChanged({ back: 0, forth: 0 });
/** On phones beside the tabs: they are in reach in every view. */
function placeSteps(): void {
  if (narrow.matches) need("tabs").after(steps);
  else need("actions").prepend(steps);
}

need("actions").append(
  button({ id: "samples", icon: "gallery", text: say("Samples"), label: say("Samples"), onClick: gallery }),
  button({ id: "open", icon: "open", text: say("Open"), label: say("Open a file"), onClick: openFile }),
  button({ id: "link", icon: "link", text: say("Copy link"), label: say("Copy link: it holds label and settings"), onClick: () => void app.takeaway.copyLink() }),
  menuButton({ id: "export", icon: "download", text: say("Export"), label: say("Export"), kind: "primary" }, () => app.takeaway.entries()),
  menuButton({ id: "help", icon: "help", smallText: say("Help"), label: say("Help") }, () => [
    { kind: "item", text: say("ZPL in five minutes"), detail: "F1", id: "help-zpl", action: help },
    { kind: "item", text: say("Command reference"), detail: say("Shift F1"), id: "help-commands", action: reference },
    { kind: "item", text: say("Keyboard shortcuts"), detail: "?", id: "help-keys", action: openShortcuts },
    ...(HAS_SERVICE ? [{ kind: "item" as const, text: say("Request as code…"), id: "help-calls", action: app.takeaway.openCalls }] : []),
    { kind: "item", text: say("Documentation"), detail: say("new tab"), id: "help-docs", action: () => void window.open("docs/", "_blank", "noopener") },
    { kind: "rule" },
    { kind: "heading", text: say("Language") },
    ...languageEntries(app),
  ]),
  themeButton,
);

placeSteps();

if (HAS_SERVICE) {
  // Loaded with the press: the menu opens when it is there.
  const convert = button({ id: "convert", text: say("Convert"), label: say("Convert the code to another density, or rotate it"), kind: "outlined", onClick: () => openConvert() });
  convert.setAttribute("aria-haspopup", "menu");
  const openConvert = onDemand(async () => {
    const [{ convertEntries }] = await Promise.all([import("./data/convert"), app.editor.loadExtras()]);
    openMenu(convert, convertEntries(app), say("Convert"));
  });
  app.settingsForm.besideDensity(convert);
}

need("pane-settings").append(
  app.settingsForm.element,
  app.keyGroup.element,
  app.inspector.list,
  app.inspector.details,
  keptGroup(() => clearAll(app)),
);

new DocumentTabs(need("documents"), app.documents, {
  chosen: (document) => app.turnTo(document),
  closed: (document) => app.close(document),
  renamed: (document) => void import("./documents/rename").then(({ askName }) => askName(document.name, (name) => app.rename(document, name))),
  added: () => app.openEmpty(),
  entries: () => codeEntries(app, () => folder.click()),
});

attachSplitter({
  divider: need("divider-code"),
  container: need("panes"),
  variable: "--editor-width",
  pane: need("pane-code"),
  side: "before",
  label: say("Width of the editor"),
  least: 240,
  reserve: 560,
});
attachSplitter({
  divider: need("divider-settings"),
  container: need("panes"),
  variable: "--settings-width",
  pane: need("pane-settings"),
  side: "after",
  label: say("Width of the settings"),
  least: 220,
  reserve: 620,
});

attachDrop(
  need("drop-hint"),
  (dropped) => void app.opener.openFiles(dropped),
  (dropped) => void app.opener.openFolder(dropped),
);
attachPaste(
  (pasted) => void app.opener.openFiles(pasted),
  (text) => void app.opener.openText(text, ""),
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
  renderNow: () => app.update(true),
  help,
  shortcuts: openShortcuts,
  reference,
  undo: () => app.steps.undo(),
  redo: () => app.steps.redo(),
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

// A phone shows one pane: first the label, which is what people come for.
if (narrow.matches && !app.editor.isBlank) tabs.choose("label");
app.codeWanted = () => {
  const isHidden = narrow.matches && tabs.current !== "code";
  if (isHidden) tabs.choose("code");
  return isHidden;
};
app.linkOpened = () => {
  if (narrow.matches) tabs.choose("label");
};
app.start();
