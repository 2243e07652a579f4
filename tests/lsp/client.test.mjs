// The stock library of clients (vscode-languageserver-protocol) talks to `platen lsp`: diagnostics, hover, completion, rename, layout, fixes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { applyEdits, BUILD } from './session.mjs';

const require = createRequire(import.meta.url);
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter, ...lsp } = require('vscode-languageserver-protocol/node');

const URI = 'file:///labels/stock.zpl';
const TEXT = '^XA^CI28\n^FO50,50^A0N,30,30^FDé😀^FS^FO99999,1^QZ\n^FO9,99^FN1^FS^XZ';

test('the stock client', async (t) => {
  const child = spawn(`${BUILD}/platen`, ['lsp', '--docs-url', 'http://127.0.0.1/docs'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const published = [];
  let wake = () => {};
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    wake();
  });
  const until = async (holds) => {
    while (!published.some(holds)) await new Promise((resolve) => (wake = resolve));
    return published.find(holds);
  };
  connection.listen();
  const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null, workspaceFolders: null, capabilities: { general: { positionEncodings: ['utf-16'] }, textDocument: { completion: { completionItem: { snippetSupport: true } } } } });
  assert.equal(capabilities.textDocumentSync.change, lsp.TextDocumentSyncKind.Incremental);
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri: URI, languageId: 'zpl', version: 1, text: TEXT } });
  const textDocument = { uri: URI };

  const found = await until((p) => p.version === 1 && p.diagnostics.some((d) => d.code === 'unknown_command'));
  const unknown = found.diagnostics.find((d) => d.code === 'unknown_command');
  assert.ok(lsp.Diagnostic.is(unknown));
  assert.equal(unknown.codeDescription.href, 'http://127.0.0.1/docs/findings.html#unknown_command');
  assert.equal(unknown.range.start.character, TEXT.split('\n')[1].indexOf('^QZ'));

  const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position: { line: 1, character: 4 } });
  assert.ok(lsp.Hover.is(hover) && hover.contents.value.includes('6.25 mm'));
  const completion = await connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position: { line: 1, character: 2 } });
  assert.ok(completion.items.some((i) => i.label === '^FO'));
  const help = await connection.sendRequest(lsp.SignatureHelpRequest.type, { textDocument, position: { line: 1, character: 5 } });
  assert.equal(help.activeParameter, 0);
  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  assert.ok(symbols.every((s) => lsp.DocumentSymbol.is(s)) && symbols[0].children[0].name === 'é😀');
  const folds = await connection.sendRequest(lsp.FoldingRangeRequest.type, { textDocument });
  assert.ok(folds.every((f) => lsp.FoldingRange.is(f)) && folds.length === 1);
  const places = await connection.sendRequest(lsp.ReferencesRequest.type, { textDocument, position: { line: 2, character: 9 }, context: { includeDeclaration: true } });
  assert.ok(places.every((p) => lsp.Location.is(p)) && places.length === 1);
  const edit = await connection.sendRequest(lsp.RenameRequest.type, { textDocument, position: { line: 2, character: 9 }, newName: '5' });
  assert.ok(lsp.WorkspaceEdit.is(edit));
  assert.ok(applyEdits(TEXT, edit.changes[URI]).endsWith('^FN5^FS^XZ'));
  const layout = await connection.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } });
  assert.ok(layout.every((e) => lsp.TextEdit.is(e)) && applyEdits(TEXT, layout).startsWith('^XA\n^CI28\n'));
  const tokens = await connection.sendRequest(lsp.SemanticTokensRequest.type, { textDocument });
  assert.ok(lsp.SemanticTokens.is(tokens) && tokens.data.length % 5 === 0 && tokens.data.length > 0);
  const range = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
  const hints = await connection.sendRequest(lsp.InlayHintRequest.type, { textDocument, range });
  assert.ok(hints.length > 0 && hints.every((h) => lsp.InlayHint.is(h)));
  const lenses = await connection.sendRequest(lsp.CodeLensRequest.type, { textDocument });
  assert.ok(lenses.every((l) => lsp.CodeLens.is(l)));
  const picture = await connection.sendRequest(lsp.ExecuteCommandRequest.type, lenses[0].command);
  assert.equal(Buffer.from(picture.data, 'base64').toString('latin1', 1, 4), 'PNG');
  const actions = await connection.sendRequest(lsp.CodeActionRequest.type, { textDocument, range: unknown.range, context: { diagnostics: [unknown] } });
  assert.ok(actions.every((a) => lsp.CodeAction.is(a)) && actions.some((a) => a.title.includes('^QZ')));

  // The client's own token of cancellation.
  const source = new lsp.CancellationTokenSource();
  const slow = connection.sendRequest(lsp.ExecuteCommandRequest.type, lenses[0].command, source.token);
  source.cancel();
  await slow.then((answer) => assert.ok(answer.data), (error) => assert.equal(error.code, lsp.LSPErrorCodes.RequestCancelled));

  await connection.sendRequest(lsp.ShutdownRequest.type);
  const exit = once(child, 'exit');
  await connection.sendNotification(lsp.ExitNotification.type);
  assert.equal((await exit)[0], 0);
  connection.dispose();
});
