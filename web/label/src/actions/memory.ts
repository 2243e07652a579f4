// The last work, kept in this browser only.
import { readSettings, type RenderSettings } from "../model/settings";

export interface KeptWork {
  zpl: string;
  name: string;
  settings: RenderSettings;
}

const KEY = "platen.label.work";

export class Memory {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** False once the browser refused: too large, or storage switched off. */
  available = true;

  constructor(
    private readonly current: () => KeptWork,
    private readonly refused: () => void,
  ) {
    window.addEventListener("pagehide", () => {
      if (this.timer !== undefined) this.keepNow();
    });
  }

  load(): KeptWork | undefined {
    try {
      const text = localStorage.getItem(KEY);
      if (text === null) return undefined;
      const kept = JSON.parse(text) as Record<string, unknown>;
      if (typeof kept["zpl"] !== "string") return undefined;
      return {
        zpl: kept["zpl"],
        name: typeof kept["name"] === "string" ? kept["name"] : "",
        settings: readSettings(kept["settings"]),
      };
    } catch {
      return undefined;
    }
  }

  keepSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keepNow(), 400);
  }

  keepNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.current()));
      this.available = true;
    } catch {
      if (this.available) this.refused();
      this.available = false;
    }
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Nothing was kept where nothing can be removed.
    }
  }
}

/** Small choices of this browser: theme, pane widths, API key. */
export const preferences = {
  get(name: string): string | null {
    try {
      return localStorage.getItem(`platen.label.${name}`);
    } catch {
      return null;
    }
  },
  set(name: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(`platen.label.${name}`);
      else localStorage.setItem(`platen.label.${name}`, value);
    } catch {
      // A choice that cannot be kept holds until the page is closed.
    }
  },
  clearAll(): void {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith("platen.label.")) localStorage.removeItem(key);
    } catch {
      // As above.
    }
  },
};
