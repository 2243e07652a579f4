// The two kinds of workers, browsers' and node's, behind one face.

export interface HostWorker {
  post(message: unknown): void;
  /** Does it keep the program alive? Only node asks. */
  hold(busy: boolean): void;
  end(): void;
}

export interface HostEvents {
  message(data: unknown): void;
  failed(reason: string): void;
}

interface NodeWorker {
  postMessage(message: unknown): void;
  terminate(): Promise<number>;
  on(event: string, listener: (value: never) => void): void;
  ref(): void;
  unref(): void;
}

function ofBrowser(worker: Worker, events: HostEvents): HostWorker {
  worker.addEventListener("message", (event) => events.message(event.data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    events.failed(event.message || "the script could not be loaded");
  });
  return { post: (message) => worker.postMessage(message), hold: () => undefined, end: () => worker.terminate() };
}

async function inNode(url: URL, events: HostEvents): Promise<HostWorker> {
  const name = "node:worker_threads"; // a variable, so that bundlers for the browser do not look for it
  const threads = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { Worker: new (url: URL, options: { execArgv: string[] }) => NodeWorker };
  const worker = new threads.Worker(url, { execArgv: [] }); // those of the program, such as --input-type, may be none for a worker
  let ended = false;
  worker.on("message", (data: never) => events.message(data));
  worker.on("error", (error: never) => events.failed(String((error as Error).message)));
  worker.on("exit", () => {
    if (!ended) events.failed("it ended by itself");
  });
  worker.unref(); // an idle engine does not keep a program alive
  return {
    post: (message) => worker.postMessage(message),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    end: () => {
      ended = true;
      void worker.terminate();
    },
  };
}

export async function startWorker(given: (() => Worker) | undefined, events: HostEvents): Promise<HostWorker> {
  if (given) return ofBrowser(given(), events);
  if (typeof Worker === "function") return ofBrowser(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }), events);
  return inNode(new URL("./worker.js", import.meta.url), events);
}
