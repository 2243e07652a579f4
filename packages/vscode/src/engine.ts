// The language server as WebAssembly: calls of apps/wasm/lsp_bridge.c. Messages are JavaScript objects on this side.
const PAGE_BYTES = 65536;
const FIRST_PAGES = 128;
const MOST_PAGES = 16384; // 1 GiB
/** After a key the labels are drawn when no other key has come for so long. */
const PAUSE_MS = 20;
const INTERNAL_ERROR = -32603; // of JSON-RPC

type Calls = Record<string, (...values: number[]) => number>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class Engine {
  private readonly memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  private readonly calls: Calls;

  constructor(module: WebAssembly.Module) {
    const instance = new WebAssembly.Instance(module, {
      env: { memory: this.memory },
      host: { milliseconds: () => performance.now(), seconds: () => Math.floor(Date.now() / 1000) },
    });
    this.calls = instance.exports as unknown as Calls;
    this.call("__wasm_call_ctors");
    if (this.call("lsp_start") !== 0) throw new Error("There is no memory for the language server.");
  }

  private call(name: string, ...values: number[]): number {
    return this.calls[name]!(...values) >>> 0;
  }

  message(message: unknown): object[] {
    const json = encoder.encode(JSON.stringify(message));
    const place = this.call("lsp_reserve", json.length);
    if (place === 0) throw new Error("There is no memory for the message.");
    new Uint8Array(this.memory.buffer).set(json, place);
    this.call("lsp_message", place, json.length);
    this.call("lsp_release", place);
    return this.taken();
  }

  /** undefined: nothing waits. */
  step(): object[] | undefined {
    return this.call("lsp_step") === 0 ? undefined : this.taken();
  }

  private taken(): object[] {
    const from = this.call("lsp_output");
    const bytes = new Uint8Array(this.memory.buffer, from, this.call("lsp_output_size")).slice();
    this.call("lsp_output_taken");
    const messages: object[] = [];
    for (let at = 0; at < bytes.length; ) {
      const head = bytes.indexOf(10, bytes.indexOf(10, at) + 1) + 1;
      const length = Number(/\d+/.exec(decoder.decode(bytes.subarray(at, head)))![0]);
      messages.push(JSON.parse(decoder.decode(bytes.subarray(head, head + length))) as object);
      at = head + length;
    }
    return messages;
  }
}

/** The other end of a worker's messages. The first one that comes is the module's bytes. */
export interface Port {
  send(message: object): void;
  listen(heard: (message: unknown) => void): void;
}

interface Message {
  id?: number | string;
  method?: string;
}

/** Without an engine each request is refused: who asks would wait for ever. Only the end needs none. */
function refused({ id, method }: Message, reason: string): object[] {
  if (id === undefined || method === undefined) return [];
  const answer = method === "shutdown" ? { result: null } : { error: { code: INTERNAL_ERROR, message: `The language server has ended: ${reason}` } };
  return [{ jsonrpc: "2.0", id, ...answer }];
}

export function serve(port: Port): void {
  let engine: Engine | undefined;
  let reason = "it was not started";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (messages: object[]) => messages.forEach((message) => port.send(message));
  // A trap leaves the memory as it was in the middle of a call. The client starts another server.
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      engine = undefined;
      reason = String(error);
      clearTimeout(timer);
      port.send({ jsonrpc: "2.0", method: "platen/ended", params: { message: reason } });
    }
  };
  const step = () => attempt(() => {
    const messages = engine?.step();
    if (!messages) return;
    send(messages);
    timer = setTimeout(step, 0); // messages that came meanwhile are first
  });
  const take = (running: Engine, message: Message) => {
    send(running.message(message));
    clearTimeout(timer);
    timer = setTimeout(step, "id" in message ? 0 : PAUSE_MS);
  };
  port.listen((heard) => {
    if (heard instanceof Uint8Array) return attempt(() => (engine = new Engine(new WebAssembly.Module(heard as BufferSource))));
    const message = heard as Message;
    const running = engine;
    if (running) attempt(() => take(running, message));
    if (!engine) send(refused(message, reason)); // also the one that ended it
  });
}
