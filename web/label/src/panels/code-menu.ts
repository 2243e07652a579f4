// The menu of the code: what is done with the label that is shown and with those beside it.
import type { App } from "../app";
import type { Choice } from "../documents/compare-dialog";
import type { Version } from "../documents/history";
import { titleOf } from "../documents/title";
import { HAS_SERVICE } from "../has-service";
import { languageName } from "../model/languages";
import type { MenuEntry } from "../ui/controls";
import { toast } from "../ui/messages";
import { onDemand } from "../ui/on-demand";
import { say } from "../ui/language";

/** Tells the way where the code is not ZPL, which alone can be rewritten. */
function ifZpl(app: App, action: () => Promise<void>): () => void {
  const act = onDemand(action);
  return () => {
    if (!app.commands.isByLine) return act();
    toast(say("This is {language}, and only ZPL can be rewritten. Choose Convert > To ZPL first.", { language: languageName(app.commands.language) }));
  };
}

/** Every open label, and the versions in the history; the one that is shown comes first. */
async function comparable(app: App): Promise<Choice[]> {
  const [{ listVersions }, { timeOf }] = await Promise.all([import("../documents/history"), import("../documents/history-dialog")]);
  const versions = await listVersions().catch(() => []);
  const shown = app.current;
  const open = [shown, ...app.documents.all.get().filter((document) => document !== shown)];
  return [
    ...open.map((work) => ({ id: work.id, text: work === shown ? say("{name}, shown", { name: titleOf(work) }) : say("{name}, open", { name: titleOf(work) }), work })),
    ...versions.map((work) => ({ id: `version-${work.key}`, text: `${titleOf(work)}, ${timeOf(work)}`, work })),
  ];
}

async function compare(app: App, version?: Version): Promise<void> {
  const [{ CompareDialog }, choices] = await Promise.all([import("../documents/compare-dialog"), comparable(app)]);
  const shown = app.current;
  // By default with what this label was when it was opened, else with whatever else there is.
  const earlier = choices.filter(({ work }) => (work as Version).document === shown.id && work.zpl !== shown.zpl);
  const before = version ? `version-${version.key}` : (earlier.at(-1) ?? choices.find(({ work }) => work !== shown && work.zpl !== shown.zpl) ?? choices[0])?.id;
  new CompareDialog(choices, app.drawing, app.access, app.commands, before ?? shown.id, shown.id);
}

async function rename(app: App): Promise<void> {
  const document = app.current;
  const { askName } = await import("../documents/rename");
  askName(document.name, (name) => app.rename(document, name));
}

function item(text: string, id: string, action: () => void, detail = ""): MenuEntry {
  return { kind: "item", text, id, action, detail };
}

/** What the service does with the code. */
function rewriting(app: App): MenuEntry[] {
  return [
    item(say("Format"), "format", ifZpl(app, async () => (await import("../data/layout")).layOut(app, "format")), say("one field a line")),
    item(say("Minify"), "minify", ifZpl(app, async () => (await import("../data/layout")).layOut(app, "minify")), say("as short as it gets")),
    item(
      say("Fill in…"),
      "fill",
      ifZpl(app, async () => {
        const { FillDialog } = await import("../data/fill-dialog");
        new FillDialog(app.work, app.drawing, app.access, (zpl, name) => app.open({ zpl, name, settings: app.settings.get() }, say("{name} opened.", { name })));
      }),
      say("fields, CSV"),
    ),
    { kind: "rule" },
  ];
}

export function codeEntries(app: App, chooseFolder: () => void): MenuEntry[] {
  return [
    ...(HAS_SERVICE ? rewriting(app) : []),
    item(say("Compare…"), "compare", onDemand(() => compare(app)), say("two versions")),
    item(
      say("History…"),
      "history",
      onDemand(async () => {
        const { openHistory } = await import("../documents/history-dialog");
        await app.keeping.version();
        await openHistory(app.drawing, {
          opened: ({ zpl, name, settings }) => app.open({ zpl, name, settings }, say("The earlier version is open.")),
          compared: (version) => void compare(app, version),
        });
      }),
      say("earlier versions"),
    ),
    { kind: "rule" },
    item(say("Go to…"), "go-to", onDemand(async () => (await import("../editor/go-to-dialog")).openGoTo(app.editor, app.commands)), say("labels and fields")),
    item(say("Rename field…"), "rename-field", onDemand(async () => (await Promise.all([import("../edit/rename-field"), app.editor.loadExtras()]))[0].askFieldName(app.editor)), "^FN"),
    { kind: "rule" },
    item(say("Open folder…"), "open-folder", chooseFolder),
    item(say("Rename…"), "rename-document", onDemand(() => rename(app)), "F2"),
    item(say("Close"), "close-document", () => app.close(app.current)),
  ];
}
