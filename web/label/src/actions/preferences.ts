// Small choices that this browser keeps.

/** Undefined where nothing is kept, what is kept makes no sense, or the browser does not allow a look at it. */
export function orNothing<Type>(read: () => Type | undefined): Type | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const PREFIX = "platen.label.";

/** Small choices of this browser: theme, language, pane widths, API key. */
export const preferences = {
  get(name: string): string | null {
    return orNothing(() => localStorage.getItem(PREFIX + name)) ?? null;
  },
  set(name: string, value: string | null): void {
    // A choice that cannot be kept holds until the page is closed.
    orNothing(() => {
      if (value === null) localStorage.removeItem(PREFIX + name);
      else localStorage.setItem(PREFIX + name, value);
    });
  },
  /** Returns what was there, for `restore`. */
  clearAll(): ReadonlyMap<string, string> {
    const removed = new Map<string, string>();
    orNothing(() => {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
        removed.set(key.slice(PREFIX.length), localStorage.getItem(key) ?? "");
        localStorage.removeItem(key);
      }
    });
    return removed;
  },
  /** What was chosen since then stays. */
  restore(removed: ReadonlyMap<string, string>): void {
    for (const [name, value] of removed) if (this.get(name) === null) this.set(name, value);
  },
};
