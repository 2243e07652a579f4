// What this browser keeps: the labels of each tab by themselves, and the last work of any tab for the next new one.
import { newId, type OpenDocument, type Work } from "../documents/documents";
import { readSettings } from "../model/settings";
import { orNothing } from "./preferences";

/** The last work of any tab, in the local storage. */
const LAST = "platen.label.work";
/** The labels of this tab, in the session storage: which there are, and each by itself. */
const TAB = "platen.label.tab";
const DOCUMENT = "platen.label.document.";

export interface KeptTab {
  documents: OpenDocument[];
  shown: OpenDocument;
}

function readWork(text: string | null): Work | undefined {
  if (text === null) return undefined;
  const kept = JSON.parse(text) as Record<string, unknown> | null;
  if (typeof kept !== "object" || kept === null || typeof kept["zpl"] !== "string") return undefined;
  return {
    zpl: kept["zpl"],
    name: typeof kept["name"] === "string" ? kept["name"] : "",
    settings: readSettings(kept["settings"]),
  };
}

function written({ zpl, name, settings }: Work): string {
  return JSON.stringify({ zpl, name, settings });
}

function loadTab(): KeptTab | undefined {
  const { ids, shown } = JSON.parse(sessionStorage.getItem(TAB) ?? "{}") as { ids?: unknown; shown?: unknown };
  const documents = (Array.isArray(ids) ? ids : []).flatMap((id) => {
    const work = orNothing(() => readWork(sessionStorage.getItem(`${DOCUMENT}${String(id)}`)));
    return work ? [{ ...work, id: String(id) }] : [];
  });
  const first = documents.find(({ id }) => id === shown) ?? documents[0];
  return first ? { documents, shown: first } : undefined;
}

export class Memory {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** False once the browser refused: too large, or storage switched off. */
  available = true;

  constructor(
    /** The labels of this tab; the one that is shown as it is at this moment. */
    private readonly current: () => KeptTab,
    private readonly refused: () => void,
  ) {
    window.addEventListener("pagehide", () => {
      if (this.timer !== undefined) this.keepNow();
    });
  }

  static load(): KeptTab | undefined {
    const tab = orNothing(loadTab);
    if (tab) return tab;
    const last = orNothing(() => readWork(localStorage.getItem(LAST)));
    if (!last) return undefined;
    const document = { ...last, id: newId() };
    return { documents: [document], shown: document };
  }

  keepSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keepNow(), 400);
  }

  keepNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { documents, shown } = this.current();
    try {
      for (const key of Object.keys(sessionStorage)) {
        if (key.startsWith(DOCUMENT) && !documents.some(({ id }) => key === DOCUMENT + id)) sessionStorage.removeItem(key);
      }
      for (const document of documents) {
        // The others have not changed since they were last shown.
        if (document === shown || sessionStorage.getItem(DOCUMENT + document.id) === null) sessionStorage.setItem(DOCUMENT + document.id, written(document));
      }
      sessionStorage.setItem(TAB, JSON.stringify({ ids: documents.map(({ id }) => id), shown: shown.id }));
      localStorage.setItem(LAST, written(shown));
      this.available = true;
    } catch {
      if (this.available) this.refused();
      this.available = false;
    }
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    orNothing(() => {
      localStorage.removeItem(LAST);
      for (const key of Object.keys(sessionStorage)) if (key === TAB || key.startsWith(DOCUMENT)) sessionStorage.removeItem(key);
    });
  }
}
