// Keeps the preview up to date: waits for a pause in typing, drops stale answers, retries when waiting can help.
import { RenderFailure } from "./api";
import { say } from "./ui/language";

export interface LiveState {
  phase: "idle" | "waiting" | "rendering" | "failed";
  failure: RenderFailure | undefined;
}

export interface LiveOptions<Answer> {
  /** Is the answer there within a frame? Then there is no pause. */
  isLocal?(): boolean;
  /** Starts one request with what is current now; the signal ends it. */
  request(signal: AbortSignal): Promise<Answer>;
  /** Until the page has time for the answer. */
  hasTime?(): Promise<void>;
  answered(answer: Answer, milliseconds: number): void;
  changed(state: LiveState): void;
}

const PAUSE_MS = 120;
/** A label that takes longer in this browser gets a pause, too. */
const QUICK_MS = 100;
const LONGEST_PAUSE_MS = 1000;
const LONGEST_RETRY_S = 10;

export class LiveRenderer<Answer> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private controller: AbortController | undefined;
  private lastMilliseconds = 0;
  private failures = 0;

  constructor(private readonly options: LiveOptions<Answer>) {
    // A machine that wakes up or comes back to the net need not wait for the next try.
    globalThis.addEventListener?.("online", () => this.retryNow());
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.retryNow();
    });
  }

  private failure: RenderFailure | undefined;

  /** Is the picture there while the user still looks at the key? */
  get isQuick(): boolean {
    return (this.options.isLocal?.() ?? false) && this.lastMilliseconds < QUICK_MS;
  }

  /** Something changed: render at once where that is quick, else after a short pause, longer where a rendering takes long. */
  schedule(): void {
    const pause = this.isQuick ? 0 : Math.min(Math.max(PAUSE_MS, this.lastMilliseconds * 1.5), LONGEST_PAUSE_MS);
    this.failures = 0;
    // A busy service asked for time: typing does not shorten that.
    if (this.failure?.kind === "busy" && this.timer !== undefined) return;
    this.arm(pause);
    this.options.changed({ phase: "waiting", failure: this.failure });
  }

  now(): void {
    this.arm(0);
  }

  /** There is nothing to render: ends what is under way and forgets failures. */
  rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.controller?.abort();
    this.failure = undefined;
    this.failures = 0;
    this.options.changed({ phase: "idle", failure: undefined });
  }

  private retryNow(): void {
    if (this.failure?.retryAfter !== undefined && this.failure.kind !== "busy") this.arm(0);
  }

  private arm(milliseconds: number): void {
    clearTimeout(this.timer);
    const start = (): void => {
      if (this.timer !== timer) return; // armed anew, or at rest
      this.timer = undefined;
      void this.run();
    };
    const timer = setTimeout(start, milliseconds);
    this.timer = timer;
    // A timer may wait for a frame that is made first; what this task still changes is taken along.
    if (milliseconds === 0) queueMicrotask(() => {
      clearTimeout(timer);
      start();
    });
  }

  private async run(): Promise<void> {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.options.changed({ phase: "rendering", failure: this.failure });
    const started = performance.now();
    const wasLocal = this.options.isLocal?.() ?? false;
    try {
      const answer = await this.options.request(controller.signal);
      if (controller.signal.aborted) return;
      const taken = performance.now() - started;
      await this.options.hasTime?.();
      if (controller.signal.aborted) return;
      // Loading the renderer takes its time once, and says nothing of the next label.
      this.lastMilliseconds = !wasLocal && this.options.isLocal?.() ? 0 : taken;
      this.failure = undefined;
      this.failures = 0;
      this.options.answered(answer, taken);
      this.options.changed({ phase: this.timer === undefined ? "idle" : "waiting", failure: undefined });
    } catch (error) {
      if (controller.signal.aborted) return;
      this.failed(error instanceof RenderFailure ? error : new RenderFailure("broken", say("This page had an error: {error}", { error: String(error) }), undefined));
    }
  }

  private failed(failure: RenderFailure): void {
    this.failure = failure;
    this.failures++;
    this.options.changed({ phase: "failed", failure });
    if (failure.retryAfter === undefined || this.timer !== undefined) return;
    const seconds =
      failure.kind === "busy"
        ? failure.retryAfter
        : Math.min(failure.retryAfter * 2 ** Math.min(this.failures - 1, 6), LONGEST_RETRY_S);
    this.arm(seconds * 1000);
  }
}
