// Keeps the work in this browser while it changes: the open labels, and after a pause a version in the history.
import type { Memory } from "../actions/memory";
import { isDisposable, type OpenDocument } from "./documents";

/** So long after the last key a label becomes a version in the history. */
const VERSION_PAUSE_MS = 5000;

export class Keeping {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Set while work is replaced from outside, so that it is not kept as the user's own at once. */
  private isHeld = false;

  constructor(
    private readonly memory: Memory,
    private readonly current: () => OpenDocument,
  ) {}

  /** The label has changed. */
  soon(): void {
    if (this.isHeld) return;
    this.memory.keepSoon();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.version(), VERSION_PAUSE_MS);
  }

  /** Another label will be shown in its place. */
  now(): void {
    if (this.isHeld) return;
    this.memory.keepNow();
    void this.version();
  }

  /** The label as it is now becomes a version in the history. */
  async version(isOpening = false): Promise<void> {
    const { id, zpl, name, settings } = this.current();
    if (isDisposable({ zpl, name, settings })) return;
    const { keepVersion } = await import("./history");
    await keepVersion({ id, zpl, name, settings }, isOpening);
  }

  /** Nothing that this changes is kept. */
  without(change: () => void): void {
    this.isHeld = true;
    change();
    this.isHeld = false;
  }

  /** Returns the way back: it restores the history. The labels are the caller's. */
  forget(): () => void {
    this.memory.clear();
    clearTimeout(this.timer);
    const history = import("./history");
    const forgotten = history.then(({ forgetVersions }) => forgetVersions());
    return () => void Promise.all([history, forgotten]).then(([{ restoreVersions }, versions]) => restoreVersions(versions));
  }
}
