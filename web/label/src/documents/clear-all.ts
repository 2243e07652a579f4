// Forgets everything this browser keeps, and empties the page. The toast offers the way back.
import { preferences } from "../actions/preferences";
import type { App } from "../app";
import { DEFAULT_SETTINGS } from "../model/settings";
import { say } from "../ui/language";
import { toast } from "../ui/messages";
import { newId, type OpenDocument } from "./documents";

export function clearAll(app: App): void {
  const before = app.current;
  const open = app.documents.all.get();
  const empty: OpenDocument = { zpl: "", name: "", settings: DEFAULT_SETTINGS, id: newId() };
  app.keeping.without(() => {
    app.documents.all.set([empty]);
    app.turnTo(empty);
  });
  const choices = preferences.clearAll();
  const { apiKey } = app.access;
  app.access.apiKey = "";
  app.keyGroup.show("");
  const restoreHistory = app.keeping.forget();
  const undo = (): void => {
    void app.current; // takes the text of the one that is shown over
    const since = app.documents.all.get().filter(({ zpl }) => zpl.trim() !== "");
    app.documents.all.set([...open, ...since]);
    preferences.restore(choices);
    if (app.access.apiKey === "") {
      app.access.apiKey = apiKey;
      app.keyGroup.show(apiKey);
    }
    restoreHistory();
    app.turnTo(before);
    app.keeping.soon();
  };
  toast(say("Nothing is kept in this browser any more."), { text: say("Undo"), run: undo });
}
