// The renderer in a worker: the same calls as promises. A call that is cancelled, late or broken ends the worker, and a new one goes on.
import { codeBytes, fontsOf, limitsOf, optionsOf } from "./arguments.js";
import { PlatenError } from "./errors.js";
import { loadModule } from "./load.js";
import { BUILD, FONT_MILLISECONDS, type Call, type StartMessage } from "./protocol.js";
import type { Command, DescribeOptions, Description, EngineOptions, Font, Limits, PrinterModelInfo, Rendered, RenderOptions, Zpl } from "./types.js";
import { WorkerSession, type CallAnswer } from "./worker-session.js";

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
/** The instance looks at the clock itself; a library inside it may not. */
const GRACE_MILLISECONDS = 2_000;
/** A timer that is set to more ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export class WorkerEngine {
  private session: WorkerSession | undefined;
  private readonly waiting: Pending[] = [];
  private running: Pending | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextId = 1;
  private disposed = false;
  private fonts: Font[];
  private readonly limits: Limits;

  /** Use `createWorkerEngine`. */
  constructor(
    private module: WebAssembly.Module | string,
    private readonly options: WorkerEngineOptions,
  ) {
    this.fonts = fontsOf(options.fonts ?? []);
    this.limits = limitsOf(options.limits ?? {});
  }

  render(zpl: Zpl, options?: RenderOptions & CallOptions): Promise<Rendered> {
    return this.askFor("render", zpl, options) as Promise<Rendered>;
  }

  renderAll(zpl: Zpl, options?: RenderOptions & CallOptions): Promise<Rendered[]> {
    return this.askFor("renderAll", zpl, options) as Promise<Rendered[]>;
  }

  describe(zpl: Zpl, options?: DescribeOptions & CallOptions): Promise<Description> {
    return this.askFor("describe", zpl, options) as Promise<Description>;
  }

  commands(): Promise<Command[]> {
    return this.ask({ name: "commands" }, undefined, 0) as Promise<Command[]>;
  }

  printerModels(): Promise<PrinterModelInfo[]> {
    return this.ask({ name: "printerModels" }, undefined, 0) as Promise<PrinterModelInfo[]>;
  }

  /** Fonts for other scripts, from now on; see `Engine.addFonts`. */
  async addFonts(given: readonly Font[]): Promise<string[]> {
    const fonts = fontsOf(given);
    const refused = (await this.ask({ name: "addFonts", fonts }, undefined, 0)) as string[];
    const taken = fonts.filter((font) => !refused.includes(font.name));
    const names = new Set(taken.map((font) => font.name));
    this.fonts = [...this.fonts.filter((font) => !names.has(font.name)), ...taken]; // for the next worker
    return refused;
  }

  /** The module as the worker compiled it: `createEngine({ wasm })` makes a renderer of it in this thread, too. */
  get compiled(): WebAssembly.Module | undefined {
    return this.module instanceof WebAssembly.Module ? this.module : undefined;
  }

  /** Ends the worker. Calls under way fail with `disposed`. */
  dispose(): void {
    this.disposed = true;
    this.endWorker();
    const ended = [...(this.running ? [this.running] : []), ...this.waiting.splice(0)];
    this.running = undefined;
    for (const pending of ended) this.settle(pending, () => pending.reject(disposedError()));
  }

  /** The worker is there and its instance is made. */
  async start(): Promise<void> {
    if (this.disposed) throw disposedError();
    await this.host();
  }

  private async askFor(name: "render" | "renderAll" | "describe", zpl: Zpl, given: (RenderOptions & DescribeOptions & CallOptions) | undefined): Promise<unknown> {
    const { signal, patience, ...options } = optionsOf(given);
    // A copy, since the call may wait, and its caller may use the bytes again.
    return this.ask({ name, zpl: typeof zpl === "string" ? zpl : codeBytes(zpl).slice(), options }, signal, patience ?? 0);
  }

  private ask(call: Call, signal: AbortSignal | null | undefined, patience: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.disposed) return reject(disposedError());
      if (signal && typeof signal.addEventListener !== "function") return reject(new PlatenError("invalid", "signal must be an AbortSignal."));
      if (!(patience >= 0)) return reject(new PlatenError("invalid", "patience must be a number from 0."));
      if (signal?.aborted) return reject(new PlatenError("cancelled", "The call was cancelled."));
      const pending: Pending = { id: this.nextId++, call, resolve, reject, signal: signal ?? undefined, patience, aborted: () => this.cancel(pending) };
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
    try {
      const session = await this.host();
      if (this.running !== pending) return; // cancelled meanwhile
      session.post({ kind: "call", id: pending.id, call: pending.call });
      session.hold(true);
      this.watchTime(0);
    } catch (error) {
      if (this.running !== pending) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.finish(pending, () => pending.reject(error instanceof PlatenError ? error : new PlatenError("invalid", `This cannot be sent to a worker: ${reason}.`)));
    }
  }

  /** The call under way may take the time of the limit, and `more`. */
  private watchTime(more: number): void {
    clearTimeout(this.timer);
    const milliseconds = (this.limits.milliseconds ?? DEFAULT_MILLISECONDS) + more + GRACE_MILLISECONDS;
    if (this.limits.milliseconds === 0 || milliseconds > LONGEST_TIMER) return;
    this.timer = setTimeout(() => this.breakOff(new PlatenError("deadline", "Rendering took longer than the time limit.")), milliseconds);
  }

  private finish(pending: Pending, how: () => void): void {
    clearTimeout(this.timer);
    this.session?.hold(false);
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
      if (pending.patience > 0) setTimeout(() => this.running === pending && this.breakOff(error), Math.min(pending.patience, LONGEST_TIMER));
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
    this.session?.end();
    this.session = undefined;
  }

  private async host(): Promise<WorkerSession> {
    this.session ??= this.newSession();
    const session = this.session;
    try {
      this.module = await session.ready; // the next worker need not compile it
    } catch (error) {
      if (this.session === session) this.session = undefined; // the next call tries again
      throw error;
    }
    return session;
  }

  private newSession(): WorkerSession {
    const { fontFolder, worker } = this.options;
    const start: StartMessage = {
      kind: "start",
      module: this.module,
      limits: this.limits,
      fonts: this.fonts,
      fontFolder: fontFolder === undefined ? undefined : addressOf(fontFolder),
      build: BUILD,
    };
    const session: WorkerSession = new WorkerSession(worker, start, {
      answered: (answer) => this.answered(answer),
      broke: (reason) => {
        if (this.session === session) this.breakOff(new PlatenError("trap", `The label broke the worker (${reason}). A new one takes its place.`));
      },
    });
    return session;
  }

  private answered(answer: CallAnswer): void {
    const pending = this.running;
    if (!pending || pending.id !== answer.id) return; // of a call that was cancelled
    switch (answer.kind) {
      case "loading":
        return this.watchTime(FONT_MILLISECONDS);
      case "drawing":
        return this.watchTime(0);
      case "answer":
        return this.finish(pending, () => pending.resolve(answer.value));
      case "error":
        return this.finish(pending, () => pending.reject(new PlatenError(answer.code, answer.message)));
    }
  }
}

function disposedError(): PlatenError {
  return new PlatenError("disposed", "This engine was disposed of.");
}

/** Relative addresses are those of the page. */
function addressOf(given: URL | string): string {
  return new URL(given, typeof location === "object" ? location.href : import.meta.url).href;
}

/** The renderer in a worker of its own, ready when the promise is. */
export async function createWorkerEngine(given?: WorkerEngineOptions): Promise<WorkerEngine> {
  const options = optionsOf(given);
  const source = await (options.wasm ?? new URL("./platen.wasm", import.meta.url));
  const module = source instanceof URL || typeof source === "string" ? addressOf(source) : await loadModule(source);
  const engine = new WorkerEngine(module, options);
  await engine.start();
  return engine;
}
