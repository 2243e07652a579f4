// Talks to a started `platen lsp` without a library.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export const BUILD = process.env.BUILD || 'build';
export const URI = 'file:///labels/a.zpl';

export function frame(text) {
  return Buffer.concat([Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n`), Buffer.from(text)]);
}

export class Session {
  number = 0;
  pending = new Map();
  published = new Map(); // the last diagnostics of each document
  strays = []; // answers that nobody waits for
  waiting = [];
  bytes = Buffer.alloc(0);
  chunks = [];
  have = 0;
  wanted = 0;

  constructor(args = []) {
    this.connect(args);
  }
  connect(args) {
    this.child = spawn(`${BUILD}/platen`, ['lsp', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.stdin.on('error', () => {}); // it may end while we write
    this.child.stdout.on('data', (bytes) => this.take(bytes));
    this.exit = once(this.child, 'exit').then(([code, signal]) => {
      for (const { reject } of this.pending.values()) reject(new Error(`the program ended: ${code ?? signal}`));
      for (const wake of this.waiting.splice(0)) wake();
      return code ?? signal;
    });
  }
  take(bytes) {
    this.chunks.push(bytes);
    this.have += bytes.length;
    if (this.have < this.wanted) return; // of a long answer
    this.bytes = Buffer.concat(this.chunks);
    for (;;) {
      this.chunks = [this.bytes];
      this.have = this.bytes.length;
      this.wanted = 0;
      const head = this.bytes.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/^Content-Length: (\d+)$/.exec(this.bytes.toString('latin1', 0, head))[1]);
      this.wanted = head + 4 + length;
      if (this.bytes.length < this.wanted) return;
      const message = JSON.parse(this.bytes.toString('utf8', head + 4, head + 4 + length));
      this.bytes = this.bytes.subarray(head + 4 + length);
      this.hear(message);
    }
  }
  hear(message) {
    if (message.method === 'textDocument/publishDiagnostics') {
      this.published.set(message.params.uri, message.params);
    } else if (this.pending.has(message.id)) {
      const { resolve, reject } = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.error) reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
      else resolve(message.result);
    } else {
      this.strays.push(message);
    }
    for (const wake of this.waiting.splice(0)) wake();
  }
  /** Until something holds; looked at after each message. */
  async until(holds) {
    while (!holds()) await new Promise((resolve) => this.waiting.push(resolve));
  }
  send(message) {
    this.child.stdin.write(frame(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }
  notify(method, params) {
    this.send({ method, ...(params && { params }) });
  }
  request(method, params, id = ++this.number) {
    this.send({ id, method, ...(params && { params }) });
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }
  async start(capabilities = {}, initializationOptions) {
    const result = await this.request('initialize', { processId: null, rootUri: null, capabilities, initializationOptions });
    this.notify('initialized', {});
    return result;
  }
  open(text, uri = URI, languageId = 'zpl') {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }
  /** The diagnostics when all labels are checked. */
  async checked(uri = URI) {
    await this.request('workspace/executeCommand', { command: 'platen.check', arguments: [{ uri }] });
    return this.published.get(uri).diagnostics;
  }
  at(method, line, character, more = {}, uri = URI) {
    return this.request(`textDocument/${method}`, { textDocument: { uri }, position: { line, character }, ...more });
  }
  of(method, more = {}, uri = URI) {
    return this.request(`textDocument/${method}`, { textDocument: { uri }, ...more });
  }
  async stop() {
    await this.request('shutdown');
    this.notify('exit');
    return this.exit;
  }
}

/** A text with edits of one document applied, as an editor does it. */
export function applyEdits(text, edits) {
  const lines = [0];
  for (const m of text.matchAll(/\r\n|\n|\r/g)) lines.push(m.index + m[0].length);
  const offset = ({ line, character }) => lines[line] + character;
  const sorted = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  for (const e of sorted) text = text.slice(0, offset(e.range.start)) + e.newText + text.slice(offset(e.range.end));
  return text;
}
