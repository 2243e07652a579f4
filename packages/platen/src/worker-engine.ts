// The renderer in a worker: the same calls as promises. A call that is cancelled, late or broken ends the worker, and a new one goes on.
import { PlatenError } from "./errors.js";
import { loadModule } from "./load.js";
import type { Answer, Call, StartMessage } from "./protocol.js";
import type { Command, DescribeOptions, Description, EngineOptions, Font, Rendered, RenderOptions, Zpl } from "./types.js";
import { startWorker, type HostWorker } from "./worker-host.js";

export interface WorkerEngineOptions extends EngineOptions {
  /** Makes the worker, where the default `worker.js` beside this package's code cannot be used. */
  worker?: () => Worker;
  /** Folder of font files for other scripts, such as `files/` of the package platen-fonts. Labels that need one are drawn again with it. */
  fontFolder?: URL | string;
}

export interface CallOptions {
  /** Aborting it ends the call, wherever it is. */
  signal?: AbortSignal;
  /** A call that is under way when it is aborted may still take so many milliseconds before the worker is ended; 0 by default. A new worker takes some time. */
  patience?: number;
}

interface Pending {
  id: number;
  call: Call;
  resolve(value: unknown): void;
  reject(error: PlatenError): void;
  signal: AbortSignal | undefined;
  patience: number;
  aborted(): void;
}

const DEFAULT_MILLISECONDS = 10_000;
/** The instance looks at the clock itself; a library inside it may not, and fonts may have to be loaded. */
const GRACE_MILLISECONDS = 2_000;
const START_MILLISECONDS = 60_000;

export class WorkerEngine {
  private worker: HostWorker | undefined;
  private starting: Promise<HostWorker> | undefined;
  private readonly waiting: Pending[] = [];
  private running: Pending | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextId = 1;
  private disposed = false;
  private fonts: Font[];

  /** Use `createWorkerEngine`. */
  constructor(
    private module: WebAssembly.Module | string,
    private readonly options: WorkerEngineOptions,
  ) {
    this.fonts = [...(options.fonts ?? [])];
  }

  render(zpl: Zpl, options: RenderOptions & CallOptions = {}): Promise<Rendered> {
    const { signal, patience, ...rest } = options;
    return this.ask({ name: "render", zpl, options: rest }, signal, patience) as Promise<Rendered>;
  }

  renderAll(zpl: Zpl, options: RenderOptions & CallOptions = {}): Promise<Rendered[]> {
    const { signal, patience, ...rest } = options;
    return this.ask({ name: "renderAll", zpl, options: rest }, signal, patience) as Promise<Rendered[]>;
  }

  describe(zpl: Zpl, options: DescribeOptions & CallOptions = {}): Promise<Description> {
    const { signal, patience, ...rest } = options;
    return this.ask({ name: "describe", zpl, options: rest }, signal, patience) as Promise<Description>;
  }

  commands(): Promise<Command[]> {
    return this.ask({ name: "commands" }, undefined) as Promise<Command[]>;
  }

  async addFonts(fonts: readonly Font[]): Promise<void> {
    const names = new Set(fonts.map((font) => font.name));
    this.fonts = [...this.fonts.filter((font) => !names.has(font.name)), ...fonts];
    await this.ask({ name: "addFonts", fonts: [...fonts] }, undefined);
  }

  /** Ends the worker. Calls under way fail with `disposed`. */
  dispose(): void {
    this.disposed = true;
    this.endWorker();
    const error = new PlatenError("disposed", "This engine was disposed of.");
    for (const pending of [...(this.running ? [this.running] : []), ...this.waiting.splice(0)]) this.settle(pending, () => pending.reject(error));
    this.running = undefined;
  }

  /** The worker is there and its instance is made. */
  async start(): Promise<void> {
    await this.host();
  }

  private ask(call: Call, signal: AbortSignal | undefined, patience = 0): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.disposed) return reject(new PlatenError("disposed", "This engine was disposed of."));
      if (signal?.aborted) return reject(new PlatenError("cancelled", "The call was cancelled."));
      const pending: Pending = { id: this.nextId++, call, resolve, reject, signal, patience, aborted: () => this.cancel(pending) };
      signal?.addEventListener("abort", pending.aborted, { once: true });
      this.waiting.push(pending);
      void this.next();
    });
  }

  private settle(pending: Pending, how: () => void): void {
    pending.signal?.removeEventListener("abort", pending.aborted);
    how();
  }

  private async next(): Promise<void> {
    if (this.running || this.waiting.length === 0) return;
    const pending = (this.running = this.waiting.shift()!);
    let host: HostWorker;
    try {
      host = await this.host();
    } catch (error) {
      if (this.running === pending) this.finish(pending, () => pending.reject(error instanceof PlatenError ? error : new PlatenError("load", String(error))));
      return;
    }
    if (this.running !== pending) return; // cancelled meanwhile
    const limit = this.options.limits?.milliseconds ?? DEFAULT_MILLISECONDS;
    if (limit > 0) this.timer = setTimeout(() => this.breakOff(new PlatenError("deadline", "Rendering took longer than the time limit.")), limit + GRACE_MILLISECONDS);
    host.post({ kind: "call", id: pending.id, call: pending.call });
  }

  private finish(pending: Pending, how: () => void): void {
    clearTimeout(this.timer);
    this.running = undefined;
    this.settle(pending, how);
    void this.next();
  }

  private cancel(pending: Pending): void {
    const error = new PlatenError("cancelled", "The call was cancelled.");
    const place = this.waiting.indexOf(pending);
    if (place >= 0) {
      this.waiting.splice(place, 1);
      this.settle(pending, () => pending.reject(error));
    } else if (this.running === pending) {
      pending.reject(error);
      if (pending.patience > 0) setTimeout(() => this.running === pending && this.breakOff(error), pending.patience);
      else this.breakOff(error);
    }
  }

  /** Only the worker's end stops what it does. The calls that wait get a new one. */
  private breakOff(error: PlatenError): void {
    this.endWorker();
    const pending = this.running;
    if (pending) this.finish(pending, () => pending.reject(error));
  }

  private endWorker(): void {
    clearTimeout(this.timer);
    const starting = this.starting;
    this.starting = undefined;
    if (this.worker) this.worker.end();
    else void starting?.then((host) => host.end(), () => undefined);
    this.worker = undefined;
  }

  private host(): Promise<HostWorker> {
    this.starting ??= this.startHost();
    const mine = this.starting;
    mine.catch(() => {
      if (this.starting === mine) this.starting = undefined; // the next call tries again
    });
    return mine;
  }

  private startHost(): Promise<HostWorker> {
    return new Promise((resolve, reject) => {
      let host: HostWorker | undefined;
      const failed = (reason: string): void => {
        clearTimeout(timer);
        host?.end();
        reject(new PlatenError("load", `The worker could not be started: ${reason}.`));
        if (host !== undefined && this.worker === host) {
          this.worker = undefined;
          this.starting = undefined;
          this.breakOff(new PlatenError("trap", `The label broke the worker (${reason}). A new one takes its place.`));
        }
      };
      const timer = setTimeout(() => failed("it did not answer"), START_MILLISECONDS);
      const message = (data: unknown): void => {
        const answer = data as Answer;
        if (answer.kind === "started") {
          clearTimeout(timer);
          this.module = answer.module; // the next worker need not compile it
          this.worker = host;
          resolve(host!);
        } else if (answer.kind === "failed") {
          clearTimeout(timer);
          host?.end();
          reject(new PlatenError("load", answer.message));
        } else this.answered(answer);
      };
      startWorker(this.options.worker, { message, failed }).then((made) => {
        host = made;
        const folder = this.options.fontFolder;
        const base = typeof location === "object" ? location.href : import.meta.url;
        const start: StartMessage = {
          kind: "start",
          module: this.module,
          limits: this.options.limits ?? {},
          fonts: this.fonts,
          fontFolder: folder === undefined ? undefined : new URL(folder, base).href,
        };
        host.post(start);
      }, (error: unknown) => failed(String(error)));
    });
  }

  private answered(answer: Exclude<Answer, { kind: "started" | "failed" }>): void {
    const pending = this.running;
    if (!pending || pending.id !== answer.id) return; // of a call that was cancelled
    if (answer.kind === "answer") this.finish(pending, () => pending.resolve(answer.value));
    else this.finish(pending, () => pending.reject(new PlatenError(answer.code, answer.message)));
  }
}

/** The renderer in a worker of its own, ready when the promise is. */
export async function createWorkerEngine(options: WorkerEngineOptions = {}): Promise<WorkerEngine> {
  const source = await (options.wasm ?? new URL("./platen.wasm", import.meta.url));
  const base = typeof location === "object" ? location.href : import.meta.url;
  const module = source instanceof URL || typeof source === "string" ? new URL(source, base).href : await loadModule(source);
  const engine = new WorkerEngine(module, options);
  await engine.start();
  return engine;
}
