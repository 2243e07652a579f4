// The menu of the code: what is done with the label that is shown and with those beside it.
import type { App } from "../app";
import type { MenuEntry } from "../ui/controls";
import { onDemand } from "../ui/on-demand";

export function codeEntries(app: App, chooseFolder: () => void): MenuEntry[] {
  const item = (text: string, id: string, action: () => void, detail = ""): MenuEntry => ({ kind: "item", text, id, action, detail });
  return [
    item("Open folder…", "open-folder", chooseFolder),
    item("Rename…", "rename-document", onDemand(async () => (await import("../documents/rename")).askName(app.current.name, (name) => app.rename(app.current, name))), "F2"),
    item("Close", "close-document", () => app.close(app.current)),
  ];
}
