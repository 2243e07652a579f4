// Earlier versions of labels, kept in this browser alone: the newest ones, within bounds, until they are cleared.
import { readSettings } from "../model/settings";
import type { OpenDocument, Work } from "./documents";

export interface Version extends Work {
  readonly key: number;
  /** Of which label. */
  readonly document: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const DATABASE = "platen.label";
const STORE = "versions";
export const MOST_VERSIONS = 100;
const MOST_CHARACTERS = 10_000_000;
/** Versions of one label that are closer together than this are one. */
const TOGETHER_MS = 5 * 60_000;

function done<Type>(request: IDBRequest<Type>): Promise<Type> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's store failed"));
  });
}

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key", autoIncrement: true });
    request.onsuccess = () => {
      // Another tab that clears the store shall not wait for this one.
      request.result.onversionchange = () => {
        request.result.close();
        opening = undefined;
      };
      // The browser closes it by itself when its data is cleared or its disk fails; the next version opens it anew.
      request.result.onclose = () => (opening = undefined);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("no store"));
  });
  opening.catch(() => (opening = undefined));
  return opening;
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await open()).transaction(STORE, mode).objectStore(STORE);
}

function readVersion(value: unknown): Version | undefined {
  const given = value as Record<string, unknown>;
  if (typeof given["zpl"] !== "string" || typeof given["key"] !== "number") return undefined;
  return {
    key: given["key"],
    document: String(given["document"]),
    at: Number(given["at"]) || 0,
    name: String(given["name"] ?? ""),
    zpl: given["zpl"],
    settings: readSettings(given["settings"]),
  };
}

/** Newest first. */
export async function listVersions(): Promise<Version[]> {
  const all = await done((await store("readonly")).getAll());
  return (all as unknown[]).flatMap((value) => readVersion(value) ?? []).reverse();
}

/** The last version of each label, as far as this page has written it. */
const last = new Map<string, { key: number; at: number; zpl: string; isOpening: boolean }>();

/** What is written is written in order: each version knows the one before it, and nothing comes after a clearing that was begun before it. */
let writing: Promise<unknown> = Promise.resolve();

function inOrder(write: () => Promise<void>): Promise<void> {
  const written = writing.then(write);
  writing = written.catch(() => undefined);
  return written;
}

export function clearVersions(): Promise<void> {
  return inOrder(async () => {
    await done((await store("readwrite")).clear());
  });
}

async function trim(): Promise<void> {
  let characters = 0;
  const surplus = (await listVersions()).filter(({ zpl }, at) => (characters += zpl.length) > MOST_CHARACTERS || at >= MOST_VERSIONS);
  const versions = await store("readwrite");
  for (const { key } of surplus) versions.delete(key);
}

async function writeVersion({ id, zpl, name, settings }: OpenDocument, isOpening: boolean): Promise<void> {
  const before = last.get(id);
  if (before?.zpl === zpl) return;
  const at = Date.now();
  const together = before && !before.isOpening && at - before.at < TOGETHER_MS;
  const value = { document: id, zpl, name, settings, at };
  const versions = await store("readwrite");
  const key = Number(await done(together ? versions.put({ ...value, key: before.key }) : versions.add(value)));
  last.set(id, { key, at: together ? before.at : at, zpl, isOpening });
  await trim();
}

/** `isOpening`: what a label was when it was opened stays a version of its own. */
export async function keepVersion(document: OpenDocument, isOpening = false): Promise<void> {
  if (document.zpl.trim() === "" || document.zpl.length > MOST_CHARACTERS) return;
  // A browser without a store, or without room in it, has no history.
  await inOrder(() => writeVersion(document, isOpening)).catch(() => undefined);
}

/** Forgets all versions; returns them, for `restoreVersions`. Without a store there are none. */
export async function forgetVersions(): Promise<readonly Version[]> {
  let versions: readonly Version[] = [];
  await inOrder(async () => {
    versions = await listVersions();
    await done((await store("readwrite")).clear());
  }).catch(() => undefined);
  last.clear();
  return versions;
}

/** Clearing does not reset the store's counter, so the old keys are free. */
export async function restoreVersions(versions: readonly Version[]): Promise<void> {
  await inOrder(async () => {
    const versionStore = await store("readwrite");
    await Promise.all(versions.map((version) => done(versionStore.put(version))));
    await trim();
  }).catch(() => undefined);
}
