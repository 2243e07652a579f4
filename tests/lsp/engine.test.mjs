// The language server as WebAssembly, in a worker of node: it answers what `platen lsp` answers.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { trappingModule } from '../wasm/trapping-module.js';
import { Session, URI } from './session.mjs';

const MODULE = 'build-wasm/platen-lsp.wasm';

/** A session whose messages go to the worker of the extension. */
class WorkerSession extends Session {
  connect([module = fs.readFileSync(MODULE)]) {
    this.worker = new Worker('./packages/vscode/dist/server-node.js');
    this.worker.on('message', (message) => this.hear(message));
    this.worker.postMessage(new Uint8Array(module));
  }
  send(message) {
    this.worker.postMessage({ jsonrpc: '2.0', ...message });
  }
}

const FILES = ['scene', 'cpcl', 'tspl', 'epl'].flatMap((kind) => fs.readdirSync(`tests/golden/${kind}`).filter((name) => /\.(zpl|cpcl|tspl|epl)$/.test(name)).sort().slice(0, kind === 'scene' ? 60 : 10).map((name) => `tests/golden/${kind}/${name}`));
const EVERYWHERE = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
const OPTIONS = [undefined, { dpmm: 12, widthMm: 60, heightMm: 40 }, { format: 'pdf' }, { format: 'webp' }, { nothing: 1 }, { dpmm: 'x' }];

async function answers(session, text, languageId, index) {
  const settled = (promise) => promise.catch(({ code, message }) => ({ code, message }));
  session.open(text, URI, languageId);
  const options = OPTIONS[index % OPTIONS.length];
  const all = {
    findings: await session.checked(),
    symbols: await session.of('documentSymbol'),
    tokens: await session.of('semanticTokens/full'),
    hints: await session.of('inlayHint', { range: EVERYWHERE }),
    fixes: await session.of('codeAction', { range: EVERYWHERE, context: { diagnostics: [] } }),
    hover: await session.at('hover', index % 7, 4),
    completion: await session.at('completion', index % 7, 2),
    layout: await settled(session.of('formatting', { options: {} })),
    picture: await settled(session.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI, ...(index % 2 ? { label: 0 } : { position: { line: index % 7, character: 3 } }), ...(options && { options }) }] })),
  };
  session.notify('textDocument/didClose', { textDocument: { uri: URI } });
  return all;
}

test(`${FILES.length} files have the same answers`, { timeout: 600000 }, async (t) => {
  const native = new Session();
  const inside = new WorkerSession();
  t.after(() => {
    native.child.kill();
    return inside.worker.terminate();
  });
  // The module has readers of its own for some symbologies only.
  const options = { dpmm: 8, verify: false };
  assert.deepEqual(await inside.start({}, options), await native.start({}, options));
  let pictures = 0;
  for (const [index, file] of FILES.entries()) {
    const text = fs.readFileSync(file, 'utf8');
    const languageId = file.replace(/.*\./, '');
    const wanted = await answers(native, text, languageId, index);
    const found = await answers(inside, text, languageId, index);
    if (found.findings.some(({ code }) => code === 'glyph_missing')) continue; // fonts of the system are not inside
    assert.deepEqual(found, wanted, file);
    pictures += wanted.picture.data?.length > 0;
  }
  assert.ok(pictures > FILES.length / 3, `${pictures} pictures`);
  assert.equal(await native.stop(), 0);
});

test('edits in the worker', async (t) => {
  const s = new WorkerSession();
  t.after(() => s.worker.terminate());
  await s.start();
  s.open('^XA^FO1,1^A0N,30,30^FDx^FS^XZ');
  assert.deepEqual(await s.checked(), []);
  const place = { line: 0, character: 3 };
  s.notify('textDocument/didChange', { textDocument: { uri: URI, version: 2 }, contentChanges: [{ range: { start: place, end: place }, text: '^QQ' }] });
  await s.until(() => s.published.get(URI)?.version === 2);
  assert.deepEqual(s.published.get(URI).diagnostics.map((d) => d.code), ['unknown_command']);
  assert.ok(await s.at('hover', 0, 1));
});

test('a request that waits is cancelled, and the one behind it is answered', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-engine-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const outfile = path.join(folder, 'engine.mjs');
  await build({ entryPoints: ['packages/vscode/src/engine.ts'], bundle: true, format: 'esm', outfile });
  const { serve } = await import(outfile);
  /** In this thread: nothing is drawn before the cancellation is heard. */
  class Here extends Session {
    connect() {
      serve({ send: (message) => queueMicrotask(() => this.hear(message)), listen: (heard) => (this.heard = heard) });
      this.heard(new Uint8Array(fs.readFileSync(MODULE)));
    }
    send(message) {
      this.heard({ jsonrpc: '2.0', ...message });
    }
  }
  const s = new Here();
  await s.start();
  const preview = (id) => s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI }] }, id);
  s.open('^XA^FO1,1^A0N,30,30^FDx^FS^XZ');
  const cancelled = assert.rejects(preview('cancelled'), { code: -32800 });
  const kept = preview('kept');
  s.notify('$/cancelRequest', { id: 'cancelled' });
  await cancelled;
  assert.ok((await kept).data);
});

const BROKEN = { 'bytes that are no module': () => Buffer.from('no module'), 'a trap in the first message': () => trappingModule('lsp_message', MODULE), 'a trap between messages': () => trappingModule('lsp_step', MODULE) };
for (const [what, module] of Object.entries(BROKEN)) test(`${what}: the client is told, and no request waits for ever`, { timeout: 300000 }, async (t) => {
  const s = new WorkerSession([module()]);
  t.after(() => s.worker.terminate());
  const refused = { code: -32603, message: /The language server has ended: / };
  const started = s.start();
  if (what === 'a trap between messages') assert.ok((await started).capabilities);
  else await assert.rejects(started, refused);
  const told = () => s.strays.filter(({ method }) => method === 'platen/ended');
  await s.until(() => told().length > 0);
  s.open('^XA^XZ');
  await assert.rejects(s.at('hover', 0, 1), refused);
  assert.equal(await s.request('shutdown'), null); // the client waits for it before it starts another one
  assert.deepEqual(s.strays, told());
  assert.equal(told().length, 1);
});
