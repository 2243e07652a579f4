// Says that a label is being drawn, where that takes long enough to be noticed.
import type { LiveState } from "../live";

/** Shorter waits would only flicker. */
const PATIENCE_MS = 350;

export class Progress {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly desk: HTMLElement,
    private readonly say: (busy: boolean) => void,
  ) {}

  show({ phase, failure }: LiveState): void {
    if (phase === "rendering" && !failure) {
      this.timer ??= setTimeout(() => this.set(true), PATIENCE_MS);
      return;
    }
    if (phase === "waiting") return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.set(false);
  }

  private set(busy: boolean): void {
    this.desk.classList.toggle("busy", busy);
    this.desk.setAttribute("aria-busy", String(busy));
    this.say(busy);
  }
}
