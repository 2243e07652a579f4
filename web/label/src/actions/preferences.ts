// Small choices that this browser keeps.

/** Undefined where nothing is kept, what is kept makes no sense, or the browser does not allow a look at it. */
export function orNothing<Type>(read: () => Type | undefined): Type | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Small choices of this browser: theme, language, pane widths, API key. */
export const preferences = {
  get(name: string): string | null {
    return orNothing(() => localStorage.getItem(`platen.label.${name}`)) ?? null;
  },
  set(name: string, value: string | null): void {
    // A choice that cannot be kept holds until the page is closed.
    orNothing(() => {
      if (value === null) localStorage.removeItem(`platen.label.${name}`);
      else localStorage.setItem(`platen.label.${name}`, value);
    });
  },
  clearAll(): void {
    orNothing(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("platen.label.")) localStorage.removeItem(key);
    });
  },
};
