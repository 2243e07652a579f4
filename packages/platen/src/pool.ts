// Several workers for many labels: calls go to the one with the least to do; a batch is read as fast as it is drawn and answered in order.
import { optionsOf } from "./arguments.js";
import { PlatenError } from "./errors.js";
import type { DescribeOptions, Description, Rendered, RenderOptions, Zpl } from "./types.js";
import { createWorkerEngine, type CallOptions, type WorkerEngine, type WorkerEngineOptions } from "./worker-engine.js";

export interface PoolOptions extends WorkerEngineOptions {
  /** How many; by default as many as there are cores. */
  workers?: number;
}

/** Label code, or label code with options of its own. */
export type BatchItem = Zpl | { zpl: Zpl; options?: RenderOptions };

/** What became of one item: its pages, or why there are none. */
export type BatchResult<Item extends BatchItem> = { index: number; item: Item } & ({ pages: Rendered[]; error?: undefined } | { pages?: undefined; error: PlatenError });

/** Labels under way for each worker: one that is drawn, one that waits for it. */
const AHEAD = 2;
const MOST_WORKERS = 256;

interface Place {
  engine: WorkerEngine;
  calls: number;
}

export class Pool {
  private readonly places: Place[];

  /** Use `createPool`. */
  constructor(engines: readonly WorkerEngine[]) {
    this.places = engines.map((engine) => ({ engine, calls: 0 }));
  }

  get workers(): number {
    return this.places.length;
  }

  render(zpl: Zpl, options?: RenderOptions & CallOptions): Promise<Rendered> {
    return this.give((engine) => engine.render(zpl, options));
  }

  renderAll(zpl: Zpl, options?: RenderOptions & CallOptions): Promise<Rendered[]> {
    return this.give((engine) => engine.renderAll(zpl, options));
  }

  describe(zpl: Zpl, options?: DescribeOptions & CallOptions): Promise<Description> {
    return this.give((engine) => engine.describe(zpl, options));
  }

  /**
   * Draws every item of an array, a generator or a stream, in its order. No more is read than the workers can draw soon.
   * An item that fails does not end the others. Leaving the loop, or aborting the signal, cancels what is under way.
   */
  async *renderEach<Item extends BatchItem>(items: Iterable<Item> | AsyncIterable<Item>, given?: RenderOptions & { signal?: AbortSignal }): AsyncGenerator<BatchResult<Item>, void, undefined> {
    const { signal, ...options } = optionsOf(given);
    const ended = new AbortController();
    const end = (): void => ended.abort();
    signal?.addEventListener("abort", end, { once: true });
    const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    const drawn: Promise<BatchResult<Item>>[] = []; // and being drawn, in order
    let next: Promise<IteratorResult<Item>> | undefined;
    let index = 0;
    let more = true;
    try {
      while (more || drawn.length > 0) {
        if (signal?.aborted) throw new PlatenError("cancelled", "The batch was cancelled.");
        if (more && drawn.length < AHEAD * this.workers) next ??= Promise.resolve(source.next());
        // A slow source holds up no answer that is there, and a slow label no reading ahead.
        const came = await Promise.race([...(next ? [next.then((read) => ({ read }))] : []), ...drawn.slice(0, 1).map((first) => first.then((result) => ({ result })))]);
        if ("result" in came) {
          drawn.shift();
          if (!signal?.aborted) yield came.result;
        } else {
          next = undefined;
          more = !came.read.done;
          if (more) drawn.push(this.drawItem(came.read.value as Item, index++, options, ended.signal));
        }
      }
    } finally {
      signal?.removeEventListener("abort", end);
      ended.abort();
      void next?.catch(() => undefined); // nobody is left to hear of it
      if (more) void Promise.resolve(source.return?.()).catch(() => undefined);
    }
  }

  /** Ends all workers. Calls under way fail with `disposed`. */
  dispose(): void {
    for (const { engine } of this.places) engine.dispose();
  }

  private async drawItem<Item extends BatchItem>(item: Item, index: number, options: RenderOptions, signal: AbortSignal): Promise<BatchResult<Item>> {
    try {
      const own = typeof item === "object" && item !== null && "zpl" in item ? (item as { zpl: Zpl; options?: RenderOptions }) : { zpl: item as Zpl };
      return { index, item, pages: await this.renderAll(own.zpl, { ...options, ...own.options, signal }) };
    } catch (error) {
      return { index, item, error: error instanceof PlatenError ? error : new PlatenError("bug", String(error)) };
    }
  }

  private async give<T>(call: (engine: WorkerEngine) => Promise<T>): Promise<T> {
    const place = this.places.reduce((least, other) => (other.calls < least.calls ? other : least));
    place.calls++;
    try {
      return await call(place.engine);
    } finally {
      place.calls--;
    }
  }
}

async function cores(): Promise<number> {
  if (typeof navigator === "object" && navigator.hardwareConcurrency > 0) return navigator.hardwareConcurrency;
  const name = "node:os"; // a variable, so that bundlers for the browser do not look for it
  const os = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { cpus(): unknown[]; availableParallelism?(): number };
  return os.availableParallelism?.() ?? os.cpus().length;
}

/** Several renderers in workers, ready when the promise is. */
export async function createPool(given?: PoolOptions): Promise<Pool> {
  const { workers, ...options } = optionsOf(given);
  const count = workers ?? (await cores());
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS) throw new PlatenError("invalid", `workers must be a whole number from 1 to ${MOST_WORKERS}.`);
  const first = await createWorkerEngine(options);
  const wasm = first.compiled ?? options.wasm; // compiled once
  const others = await Promise.allSettled(Array.from({ length: count - 1 }, () => createWorkerEngine({ ...options, ...(wasm === undefined ? {} : { wasm }) })));
  const engines = [first, ...others.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))];
  const failed = others.find((one) => one.status === "rejected");
  if (!failed) return new Pool(engines);
  for (const engine of engines) engine.dispose();
  throw failed.reason;
}
