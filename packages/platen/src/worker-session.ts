// One worker, from its start to its end. What a worker says that was given up is not heard any more.
import { PlatenError } from "./errors.js";
import type { Answer, CallMessage, StartMessage } from "./protocol.js";
import { startWorker, type HostWorker } from "./worker-host.js";

export type CallAnswer = Exclude<Answer, { kind: "started" | "failed" }>;

export interface SessionEvents {
  answered(answer: CallAnswer): void;
  /** It broke after it was ready. */
  broke(reason: string): void;
}

const START_MILLISECONDS = 60_000;

export class WorkerSession {
  /** The module as the worker has compiled it. */
  readonly ready: Promise<WebAssembly.Module>;
  private host: HostWorker | undefined;
  private phase: "starting" | "ready" | "over" = "starting";
  private resolve!: (module: WebAssembly.Module) => void;
  private reject!: (error: PlatenError) => void;
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(
    make: (() => Worker) | undefined,
    start: StartMessage,
    private readonly events: SessionEvents,
  ) {
    this.ready = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => this.failed("it did not answer"), START_MILLISECONDS);
    startWorker(make, { message: (data) => this.receive(data as Answer), failed: (reason) => this.failed(reason) })
      .then((host) => {
        this.host = host;
        if (this.phase === "over") host.end();
        else host.post(start);
      })
      .catch((error: unknown) => this.failed(error instanceof Error ? error.message : String(error)));
  }

  /** Throws where the call holds what cannot be sent. */
  post(message: CallMessage): void {
    this.host!.post(message);
  }

  /** A program waits for a worker that is busy, not for one that is idle. */
  hold(busy: boolean): void {
    this.host?.hold(busy);
  }

  end(): void {
    this.close(new PlatenError("cancelled", "The worker was ended."));
  }

  private close(error: PlatenError): void {
    if (this.phase === "over") return;
    this.phase = "over";
    clearTimeout(this.timer);
    this.host?.end();
    this.reject(error); // nothing, if it was ready
  }

  private failed(reason: string): void {
    const wasReady = this.phase === "ready";
    if (this.phase === "over") return;
    this.close(new PlatenError("load", `The worker could not be started: ${reason}.`));
    if (wasReady) this.events.broke(reason);
  }

  private receive(answer: Answer): void {
    if (this.phase === "over") return;
    if (answer.kind === "started") {
      this.phase = "ready";
      clearTimeout(this.timer);
      this.resolve(answer.module);
    } else if (answer.kind === "failed") this.close(new PlatenError(answer.code, answer.message));
    else this.events.answered(answer);
  }
}
