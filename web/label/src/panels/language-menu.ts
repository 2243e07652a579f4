// The languages in the help menu. Another one needs the page anew: all that is open is kept for that, or nothing changes.
import { preferences } from "../actions/preferences";
import type { App } from "../app";
import { isDisposable } from "../documents/documents";
import type { MenuEntry } from "../ui/controls";
import { LANGUAGES, language, say, type Language } from "../ui/language";
import { tellNotKept } from "./not-kept";

function change(app: App, chosen: Language): void {
  if (chosen === language) return;
  app.memory.keepNow();
  const lost = app.memory.notKept.filter((work) => !isDisposable(work));
  if (lost.length > 0) {
    tellNotKept(lost);
    return;
  }
  preferences.set("language", chosen);
  const address = new URL(location.href);
  // A browser that keeps nothing has it in the address.
  if (preferences.get("language") === chosen) address.searchParams.delete("lang");
  else address.searchParams.set("lang", chosen);
  history.replaceState(null, "", address);
  location.reload();
}

export function languageEntries(app: App): MenuEntry[] {
  const names = Object.entries(LANGUAGES) as [Language, string][];
  return names.map(([name, text]) => ({ kind: "item", text, lang: name, id: `language-${name}`, detail: name === language ? say("in use") : "", action: () => change(app, name) }));
}
