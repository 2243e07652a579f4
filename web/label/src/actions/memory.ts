// What this browser keeps: the labels of each tab by themselves, and the last work of any tab for the next new one.
import { newId, type OpenDocument, type Work } from "../documents/documents";
import { readSettings } from "../model/settings";
import { orNothing } from "./preferences";

/** The last work of any tab, in the local storage. */
const LAST = "platen.label.work";
/** The other labels of that tab. */
const OTHERS = "platen.label.others";
/** The labels of this tab, in the session storage: which there are, and each by itself. */
const TAB = "platen.label.tab";
const DOCUMENT = "platen.label.document.";

const SMALL = 50_000;
/** No browser has room for more, and to find that out anew takes half a second each time. */
const MOST_CHARACTERS = 5_000_000;

export interface KeptTab {
  documents: OpenDocument[];
  shown: OpenDocument;
}

function readWork(text: string | null): Work | undefined {
  return text === null ? undefined : asWork(JSON.parse(text));
}

function asWork(value: unknown): Work | undefined {
  const kept = value as Record<string, unknown> | null;
  if (typeof kept !== "object" || kept === null || typeof kept["zpl"] !== "string") return undefined;
  return {
    zpl: kept["zpl"],
    name: typeof kept["name"] === "string" ? kept["name"] : "",
    settings: readSettings(kept["settings"]),
  };
}

function asWritten({ zpl, name, settings }: Work): Work {
  return { zpl, name, settings };
}

interface Others {
  /** The one that wrote them and the last work: a tab takes no labels of two tabs. */
  tab: string;
  before: Work[];
  after: Work[];
}

function isDone(write: () => void): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
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

/** The labels that the page opens with. */
export function keptLabels(): KeptTab | undefined {
  const tab = orNothing(loadTab);
  if (tab) return tab;
  const text = orNothing(() => localStorage.getItem(LAST) ?? undefined) ?? null;
  const last = orNothing(() => readWork(text));
  if (!last) return undefined;
  const shown = { ...last, id: newId() };
  const others = orNothing(() => {
    const kept = JSON.parse(localStorage.getItem(OTHERS) ?? "{}") as Partial<Others>;
    return kept.tab === (JSON.parse(text ?? "{}") as Partial<Others>).tab ? kept : undefined;
  });
  const read = (works: unknown): OpenDocument[] => (Array.isArray(works) ? works : []).flatMap((work) => asWork(work) ?? []).map((work) => ({ ...work, id: newId() }));
  return { documents: [...read(others?.before), shown, ...read(others?.after)], shown };
}

/** What was kept of a label, to see whether it has changed since. */
type Kept = Pick<Work, "zpl" | "name" | "settings">;

export class Memory {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly kept = new Map<string, Kept>();
  /** Those that the browser refused the last time: too large, or storage switched off. */
  notKept: readonly OpenDocument[] = [];
  private told = new Set<OpenDocument>();
  private readonly tab = newId();
  /** What OTHERS holds, part by part. */
  private others: readonly unknown[] = [];

  constructor(
    /** The labels of this tab; the one that is shown as it is at this moment. */
    private readonly current: () => KeptTab,
    /** Told of labels that were kept so far, or are new, and are not kept now. */
    private readonly refused: (documents: readonly OpenDocument[]) => void,
  ) {
    window.addEventListener("pagehide", () => {
      if (this.timer !== undefined) this.keepNow();
    });
  }

  keepSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.keepNow();
      this.tell(); // only now: what was said when the label was opened has been read
    }, 400);
  }

  keepNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { documents, shown } = this.current();
    // First what makes room, then the list, which is small; of the labels first the one that is shown.
    this.removeClosed(documents);
    const hasList = isDone(() => sessionStorage.setItem(TAB, JSON.stringify({ ids: documents.map(({ id }) => id), shown: shown.id })));
    this.keepOthers(documents, shown);
    const isLast = shown.zpl.length <= MOST_CHARACTERS && isDone(() => localStorage.setItem(LAST, JSON.stringify({ ...asWritten(shown), tab: this.tab })));
    const order = [...documents].sort((a, b) => Number(b === shown) - Number(a === shown));
    this.notKept = order.filter((document) => !this.keep(document) || !hasList || (document === shown && !isLast));
  }

  /** For the next visit after this tab is closed. Without room for all of them, those that are small. */
  private keepOthers(documents: readonly OpenDocument[], shown: OpenDocument): void {
    const at = documents.indexOf(shown);
    const mark = `{"tab":"${this.tab}"`;
    const works = [at, ...documents.flatMap((one): unknown[] => (one === shown ? [] : [one.zpl, one.name, one.settings]))];
    const isSame = works.length === this.others.length && works.every((part, index) => part === this.others[index]);
    if (isSame && orNothing(() => localStorage.getItem(OTHERS)?.startsWith(mark))) return;
    this.others = works;
    const write = (most: number): boolean => {
      const fitting = (list: readonly OpenDocument[]): Work[] => list.filter(({ zpl }) => zpl.length <= most).map(asWritten);
      const kept: Others = { tab: this.tab, before: fitting(documents.slice(0, at)), after: fitting(documents.slice(at + 1)) };
      return isDone(() => localStorage.setItem(OTHERS, JSON.stringify(kept)));
    };
    if (!write(MOST_CHARACTERS) && !write(SMALL)) orNothing(() => localStorage.removeItem(OTHERS));
  }

  private tell(): void {
    const news = this.notKept.filter((document) => !this.told.has(document));
    this.told = new Set(this.notKept);
    if (news.length > 0) this.refused(news);
  }

  private removeClosed(documents: readonly OpenDocument[]): void {
    const open = new Set(documents.map(({ id }) => id));
    for (const id of this.kept.keys()) if (!open.has(id)) this.kept.delete(id);
    orNothing(() => {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(DOCUMENT) && !open.has(key.slice(DOCUMENT.length))) sessionStorage.removeItem(key);
    });
  }

  /** False: there is no room for it. */
  private keep(document: OpenDocument): boolean {
    const { id, zpl, name, settings } = document;
    const kept = this.kept.get(id);
    if (kept && kept.zpl === zpl && kept.name === name && kept.settings === settings) return true;
    this.kept.delete(id);
    const fits = zpl.length <= MOST_CHARACTERS && isDone(() => sessionStorage.setItem(DOCUMENT + id, JSON.stringify(asWritten(document))));
    if (fits) this.kept.set(id, { zpl, name, settings });
    return fits;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.kept.clear();
    orNothing(() => {
      localStorage.removeItem(LAST);
      localStorage.removeItem(OTHERS);
      for (const key of Object.keys(sessionStorage)) if (key === TAB || key.startsWith(DOCUMENT)) sessionStorage.removeItem(key);
    });
  }
}
