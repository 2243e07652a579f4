// What `platen lsp` answers: its life, positions, and each feature.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { applyEdits, BUILD, frame, Session, URI } from './session.mjs';

const SNIPPETS = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };
const EVERYWHERE = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };

async function session(t, { args = [], capabilities = {}, options } = {}) {
  const s = new Session(args);
  t.after(async () => {
    if (s.child.exitCode === null) await s.stop();
  });
  await s.start(capabilities, options);
  return s;
}

/** The text that a range covers; characters are units of UTF-16, as JavaScript counts. */
const covered = (text, { start, end }) => {
  assert.equal(start.line, end.line);
  return text.split('\n')[start.line].slice(start.character, end.character);
};

// ---- its life

test('requests before initialize, unknown ones and those after shutdown are refused', async (t) => {
  const s = new Session();
  t.after(() => s.child.kill());
  await assert.rejects(s.of('hover'), { code: -32002 });
  await s.start();
  await assert.rejects(s.request('initialize', { capabilities: {} }), { code: -32600 });
  await assert.rejects(s.request('textDocument/nothing', {}), { code: -32601, message: /textDocument\/nothing/ });
  await assert.rejects(s.request('textDocument/didOpen', {}), { code: -32601 });
  await assert.rejects(s.at('hover', 0, 0), { code: -32602, message: /is not open/ });
  s.notify('$/nothing', {});
  s.notify('textDocument/didChange', { textDocument: { uri: 'x' }, contentChanges: [] });
  s.open('^XA^XZ');
  await assert.rejects(s.of('hover'), { code: -32602, message: /position/ });
  await s.request('shutdown');
  await assert.rejects(s.at('hover', 0, 0), { code: -32600, message: /shut down/ });
  s.notify('exit');
  assert.equal(await s.exit, 0);
});

test('without shutdown, exit and the end of the input are status 1', async () => {
  const a = new Session();
  await a.start();
  a.notify('exit');
  assert.equal(await a.exit, 1);
  const b = new Session();
  await b.start();
  b.child.stdin.end();
  assert.equal(await b.exit, 1);
});

test('what was asked before the input ended is answered', async (t) => {
  const s = await session(t);
  s.open('^XA^FO10,10^A0N,40,40^FDx^FS^FO9,90^FDy^FS^XZ');
  const preview = s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI }] });
  const layout = s.of('formatting', { options: {} });
  const check = s.request('workspace/executeCommand', { command: 'platen.check', arguments: [{ uri: URI }] });
  s.child.stdin.end();
  assert.equal((await preview).mimeType, 'image/png');
  assert.equal((await layout).length, 1);
  assert.equal((await check).labels, 1);
  assert.equal(await s.exit, 1);
});

const SLOW = `^XA${'^FO1,1^A0N,900,900^FDxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx^FS'.repeat(3000)}^XZ`;

test('a request that is in work at exit is answered with an error', async (t) => {
  const s = await session(t);
  s.open(SLOW);
  const preview = s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI }] });
  s.notify('exit');
  await assert.rejects(preview, { code: -32803, message: /ended before the answer/ });
  assert.equal(await s.exit, 1);
});

test('a server that nobody listens to any more ends, also while it draws', async (t) => {
  const s = await session(t);
  s.open(SLOW);
  s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI }] }).catch(() => {});
  s.child.stdin.end();
  s.child.stdout.destroy();
  assert.equal(await s.exit, 1);
});

test('broken heads and bodies are answered, and the next message is read', async (t) => {
  const s = await session(t);
  const broken = ['Content-Length: x\r\n\r\n', 'Content-Type: a\r\n\r\n', frame('{'), frame('7'), frame(''), frame('{"jsonrpc":"1.0","id":5,"method":"x"}'), '{"jsonrpc":"2.0"}', 'Content-Length: 999999999999\r\n\r\n'];
  for (const bytes of broken.slice(0, -1)) {
    const before = s.strays.length;
    s.child.stdin.write(bytes);
    s.open('^XA^XZ', `file:///after-${before}`);
    await s.until(() => s.strays.length > before);
    assert.ok([-32700, -32600].includes(s.strays[before].error.code) && s.strays[before].error.message.length > 10, JSON.stringify(s.strays[before]));
    assert.ok(await s.of('documentSymbol', {}, `file:///after-${before}`));
  }
  // All that follows belongs to the message that is too long.
  s.child.stdin.write(broken.at(-1));
  await s.until(() => s.strays.at(-1).error.message.includes('longer than'));
  s.child.stdin.end();
  assert.equal(await s.exit, 1);
});

test('wrong arguments and settings are refused', async (t) => {
  const child = spawn(`${BUILD}/platen`, ['lsp', 'x'], { stdio: ['ignore', 'ignore', 'ignore'] });
  assert.equal((await once(child, 'exit'))[0], 2);
  const s = new Session();
  t.after(() => s.child.kill());
  await assert.rejects(s.start({}, { dpmm: 'many' }), { code: -32602, message: /dpmm/ });
  await assert.rejects(s.start({}, { nothing: 1 }), { code: -32602, message: /nothing/ });
  await s.start({}, { dpmm: 12, docsUrl: 'http://127.0.0.1:8080/docs' });
  s.open('^XA^FO120,0^QQ^XZ');
  assert.match((await s.at('hover', 0, 7)).contents.value, /`120` = 10\.00 mm/);
  assert.equal((await s.checked()).find((d) => d.code === 'unknown_command').codeDescription.href, 'http://127.0.0.1:8080/docs/findings.html#unknown_command');
});

test('a request that waits can be cancelled', async (t) => {
  const s = await session(t);
  s.open('^XA^XZ');
  // In one piece, so that the server sees the cancellation before it comes to the request.
  const asked = [1, 2, 3].map((n) => new Promise((resolve, reject) => s.pending.set(`r${n}`, { resolve, reject })));
  const message = (m) => frame(JSON.stringify({ jsonrpc: '2.0', ...m }));
  const hover = (id) => message({ id, method: 'textDocument/hover', params: { textDocument: { uri: URI }, position: { line: 0, character: 1 } } });
  s.child.stdin.write(Buffer.concat([hover('r1'), hover('r2'), hover('r3'), message({ method: '$/cancelRequest', params: { id: 'r3' } })]));
  await asked[0];
  await asked[1];
  await assert.rejects(asked[2], { code: -32800 });
});

test('a picture that is being drawn can be cancelled', async (t) => {
  const s = await session(t);
  s.open(SLOW);
  const asked = s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI }] }, 'slow');
  s.notify('$/cancelRequest', { id: 'slow' });
  await assert.rejects(asked, { code: -32800 });
  assert.ok(await s.at('hover', 0, 1));
});

// ---- positions

test('positions are counted in UTF-16 or in UTF-8, behind characters of all sizes', async () => {
  const text = '^XA^CI28\n^FO9,9^A0N,30,30^FDé😀€^FS^FO99999,5^QZ1^FS\n^XZ\n';
  const lines = text.split('\n');
  for (const [encodings, chosen, length] of [[undefined, 'utf-16', (s) => s.length], [['utf-16'], 'utf-16', (s) => s.length], [['utf-32', 'utf-8', 'utf-16'], 'utf-8', (s) => Buffer.byteLength(s)]]) {
    const one = new Session();
    const { capabilities } = await one.start(encodings ? { general: { positionEncodings: encodings } } : {});
    assert.equal(capabilities.positionEncoding, chosen);
    one.open(text);
    const found = await one.checked();
    const before = (what) => length(lines[1].slice(0, lines[1].indexOf(what)));
    const range = (code) => found.find((d) => d.code === code).range;
    assert.deepEqual(range('parameter_range'), { start: { line: 1, character: before('99999') }, end: { line: 1, character: before('99999') + 5 } });
    assert.equal(range('unknown_command').start.character, before('^QZ'));
    // A question behind them means the same place.
    assert.match((await one.at('hover', 1, before('99999'))).contents.value, /\*\*x\*\* `99999`/);
    // An edit, too: the face goes.
    const at = before('😀');
    one.notify('textDocument/didChange', { textDocument: { uri: URI, version: 2 }, contentChanges: [{ range: { start: { line: 1, character: at }, end: { line: 1, character: at + length('😀') } }, text: '' }] });
    const after = (await one.checked()).find((d) => d.code === 'unknown_command').range.start.character;
    assert.equal(after, before('^QZ') - length('😀'));
    assert.equal(await one.stop(), 0);
  }
});

// ---- findings

const BROKEN = '^XA^CI28\n^FO50,50^A0N,30,30^FDText^FS\n^FO790,90^BY2^BCN,100,Y^FD12345678^FS\n^FO1,40000^GB9,9,2^FS\n^QZ\n^XZ\n';

test('findings of the language and of the check have their places, and fixes that work', async (t) => {
  const s = await session(t);
  s.open(BROKEN);
  const found = await s.checked();
  const codes = found.map((d) => d.code);
  assert.ok(codes.includes('unknown_command') && codes.includes('parameter_range') && codes.includes('symbol_unreadable'), codes.join());
  assert.equal(covered(BROKEN, found.find((d) => d.code === 'unknown_command').range), '^QZ');
  assert.equal(covered(BROKEN, found.find((d) => d.code === 'parameter_range').range), '40000');
  assert.equal(found.find((d) => d.code === 'symbol_unreadable').severity, 1);
  const actions = await s.of('codeAction', { range: EVERYWHERE, context: { diagnostics: [], only: ['quickfix'] } });
  const move = actions.find((a) => a.diagnostics[0].code === 'symbol_unreadable');
  assert.equal(move.title, 'Move it into the label');
  // Applied until there is no fix left, nothing is broken any more.
  let text = BROKEN;
  for (let round = 0; round < 5; round++) {
    const [all] = await s.of('codeAction', { range: EVERYWHERE, context: { diagnostics: [], only: ['source.fixAll'] } });
    if (!all) break;
    text = applyEdits(text, all.edit.changes[URI]);
    s.notify('textDocument/didChange', { textDocument: { uri: URI, version: 2 + round }, contentChanges: [{ text }] });
    await s.checked();
  }
  assert.ok(!(await s.checked()).some((d) => ['unknown_command', 'parameter_range', 'symbol_unreadable'].includes(d.code)));
  assert.doesNotMatch(text, /\^QZ|40000/);
  // Nothing is offered elsewhere.
  assert.deepEqual(await s.of('codeAction', { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, context: { diagnostics: [], only: ['quickfix'] } }), []);
});

test('findings follow the keys, and end with the document', async (t) => {
  const s = await session(t);
  s.open('^XA^FO1,1^FDx^FS^XZ');
  assert.deepEqual(await s.checked(), []);
  s.notify('textDocument/didChange', { textDocument: { uri: URI, version: 7 }, contentChanges: [{ range: { start: { line: 0, character: 3 }, end: { line: 0, character: 3 } }, text: '^QQ' }] });
  await s.until(() => s.published.get(URI).version === 7 && s.published.get(URI).diagnostics.length === 1);
  assert.equal(s.published.get(URI).diagnostics[0].code, 'unknown_command');
  s.notify('textDocument/didClose', { textDocument: { uri: URI } });
  await s.until(() => s.published.get(URI).diagnostics.length === 0);
  await assert.rejects(s.at('hover', 0, 1), { code: -32602 });
});

test('the project\'s settings and comments of `platen check` count', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lsp-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'settings.toml');
  fs.writeFileSync(file, '[check]\nseverity = ["unknown_command=error"]\n');
  const s = await session(t, { args: ['--config-file', file] });
  s.open('^XA^QQ^FO1,1^FDx^FS^XZ');
  assert.equal((await s.checked())[0].severity, 1);
  s.open('^XA^FX platen: ignore unknown_command^FS^QQ^FO1,1^FDx^FS^XZ');
  assert.deepEqual(await s.checked(), []);
});

test('--profile is that of `platen check`', async (t) => {
  const moved = '^XA^BY2^FT100,400^BCI,80,N^FDABC123^FS^XZ'; // a printer moves it onto the label
  for (const [profile, unreadable] of [['reference', true], ['printer', false]]) {
    const s = await session(t, { args: ['--profile', profile] });
    s.open(moved);
    assert.equal((await s.checked()).some(({ code }) => code === 'symbol_unreadable'), unreadable, profile);
  }
});

test('a setting that means nothing is refused with all that is allowed and what it was', async (t) => {
  const s = new Session();
  t.after(() => s.child.kill());
  await assert.rejects(s.start({}, { printerModel: 'zd621' }), { message: /'printerModel' must be one of none, zd411-203, .* or zq630plus-203; it is "zd621"\.$/ });
});

// ---- help

test('hover tells each parameter by its meaning and value', async (t) => {
  const s = await session(t);
  s.open('^XA^MUD\n^FO50,80,1^A0R,30,40^BCN,100,Y,N,N,D^FDx^FS^FX note^FS\n^XZ');
  const place = await s.at('hover', 1, 7);
  assert.match(place.contents.value, /\*\*\^FO\*\*.*\n[^]*- x `50` = 6\.25 mm[^\n]*\n- \*\*y\*\* `80` = 10\.00 mm/);
  assert.deepEqual(place.range, { start: { line: 1, character: 6 }, end: { line: 1, character: 8 } });
  assert.match((await s.at('hover', 1, 14)).contents.value, /orientation\*\* `R`: \w+/);
  assert.match(place.contents.value, /justification `1`.* \(one of 0, 1, 2\)/);
  assert.match((await s.at('hover', 1, 22)).contents.value, /\*\*\^BC\*\* Code 128/);
  // On the name no parameter is marked, also where some are not given.
  s.open('^XA^FO5,6^XZ', 'file:///name');
  assert.doesNotMatch((await s.at('hover', 0, 4, {}, 'file:///name')).contents.value, /- \*\*/);
  s.open('text^XA^XZ', 'file:///text');
  assert.equal(await s.at('hover', 0, 2, {}, 'file:///text'), null);
  s.open('^XA^MUM^FO5,5^QQ1^XZ', 'file:///mm');
  assert.doesNotMatch((await s.at('hover', 0, 11, {}, 'file:///mm')).contents.value, / = /);
  assert.match((await s.at('hover', 0, 14, {}, 'file:///mm')).contents.value, /Not a command/);
});

test('completion has commands with snippets, and values of choices', async (t) => {
  const s = await session(t, { capabilities: SNIPPETS });
  s.open('^XA\n^F\n^FO1,1^A0N^FS\n~\n^XZ');
  const items = (await s.at('completion', 1, 2)).items;
  const origin = items.find((i) => i.label === '^FO');
  assert.deepEqual(origin.textEdit, { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 2 } }, newText: '^FO${1:0},${2:0}' });
  assert.equal(origin.insertTextFormat, 2);
  assert.ok(items.every((i) => i.label.startsWith('^F')) && items.length > 10);
  assert.equal(items.find((i) => i.label === '^FD').textEdit.newText, '^FD${1:data}^FS');
  assert.equal((await s.at('completion', 0, 1)).items.find((i) => i.label === '^A').textEdit.newText, '^A${9:0}${1:N},${2:height},${3:width}');
  assert.ok((await s.at('completion', 3, 1)).items.some((i) => i.label === '~DG'));
  const values = (await s.at('completion', 2, 10)).items;
  assert.deepEqual(values.map((i) => i.label), ['N', 'R', 'I', 'B']);
  assert.ok(values.every((i) => i.detail));
  const plain = await session(t);
  plain.open('^XA\n^FO');
  const [one] = (await plain.at('completion', 1, 3)).items;
  assert.equal(one.textEdit.newText, '^FO');
});

test('signature help marks the parameter', async (t) => {
  const s = await session(t);
  s.open('^XA^FO50,^FS\n^BCN,100,Y^XZ');
  const help = await s.at('signatureHelp', 0, 9);
  assert.equal(help.signatures[0].label, '^FO x,y,justification');
  assert.equal(help.activeParameter, 1);
  assert.equal((await s.at('signatureHelp', 0, 7)).activeParameter, 0);
  assert.equal((await s.at('signatureHelp', 1, 10)).activeParameter, 2);
  assert.equal(await s.at('signatureHelp', 0, 1), null);
});

test('inlay hints are millimetres beside dots', async (t) => {
  const s = await session(t, { args: ['--dpmm', '12'] });
  s.open('^XA^FO120,60^BY3^FDx^FS\n^MUM^FO5,5^FS^XZ');
  const hints = await s.of('inlayHint', { range: EVERYWHERE });
  assert.deepEqual(hints.slice(0, 2).map((h) => [h.position.character, h.label]), [[9, '10.00 mm'], [12, '5.00 mm']]);
  assert.ok(hints.every((h) => h.position.line === 0));
  assert.deepEqual(await s.of('inlayHint', { range: { start: { line: 0, character: 10 }, end: { line: 0, character: 12 } } }), hints.slice(1, 2));
});

test('millimetres beside lengths of CPCL count its unit', async (t) => {
  const s = await session(t);
  const hints = async (text) => {
    s.open(text, 'file:///a.cpcl', 'cpcl');
    return (await s.of('inlayHint', { range: EVERYWHERE }, 'file:///a.cpcl')).map((h) => [h.position.line, h.label]);
  };
  assert.deepEqual(await hints('! 0 200 200 240 1\nBOX 8 16 24 32 1\nPRINT\n'), [[0, '30.00 mm'], [1, '1.00 mm'], [1, '2.00 mm'], [1, '3.00 mm'], [1, '4.00 mm'], [1, '0.13 mm']]);
  assert.deepEqual(await hints('! 0 200 200 3 1\nIN-INCHES\nBOX 8 16 24 32 1\nPRINT\n'), []);
  assert.deepEqual(await hints('! 0 200 200 240 1\nBAR-SENSE\nIN-CENTIMETERS\nBOX 8 16 24 32 1\nIN-DOTS\nLINE 8 0 8 0 0\nPRINT\n'), [[0, '30.00 mm'], [5, '1.00 mm'], [5, '1.00 mm']]);
  // Dots of 100 to the inch; the next header begins anew.
  assert.deepEqual(await hints('! 0 100 100 240 1\nLINE 8 0 8 0 0\nPRINT\n! 0 200 200 240 1\nLINE 8 0 8 0 0\nPRINT\n'), [[3, '30.00 mm'], [4, '1.00 mm'], [4, '1.00 mm']]);
});

// ---- structure

const TWO = '^XA^FO1,1^A0N,20^FDHello^FS\n^FO5,5^BCN,50^FD123^FS\n^FO9,9^GFA,8,8,1,\nFF00FF00\nFF00FF00\n^FS\n^XZ\n~DGR:X.GRF,8,1,\nFFFF\nFFFF\n^XA^DFR:F.ZPL^FS^XZ\n';

test('symbols are labels with their fields, and labels and graphics fold', async (t) => {
  const s = await session(t);
  s.open(TWO);
  const symbols = await s.of('documentSymbol');
  assert.deepEqual(symbols.map((l) => [l.name, l.children.map((f) => f.name)]), [['Label 1', ['Hello', '123', '^GF']], ['Format R:F.ZPL', []]]);
  assert.equal(symbols[0].children[1].detail, 'Code 128 and GS1-128');
  assert.deepEqual(symbols[0].range, { start: { line: 0, character: 0 }, end: { line: 6, character: 3 } });
  assert.deepEqual((await s.of('foldingRange')).map((f) => [f.startLine, f.endLine]).sort(), [[0, 6], [2, 4], [7, 9]]);
});

test('a lens above each label that prints draws it', async (t) => {
  const s = await session(t);
  s.open(`${TWO}^XA^FO1,1^GB100,100,100^FS^XZ`);
  const lenses = await s.of('codeLens');
  assert.deepEqual(lenses.map((l) => l.range.start.line), [0, 11]);
  const { command, arguments: args } = lenses[1].command;
  const picture = await s.request('workspace/executeCommand', { command, arguments: args });
  const png = Buffer.from(picture.data, 'base64');
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [picture.width, picture.height]);
  assert.deepEqual([picture.mimeType, picture.label, picture.labels], ['image/png', 1, 2]);
  await assert.rejects(s.request('workspace/executeCommand', { command, arguments: [{ uri: URI, label: 9 }] }), /no such label/);
  const other = await s.request('workspace/executeCommand', { command, arguments: [{ ...args[0], options: { dpmm: 12, widthMm: 50.8, heightMm: 25.4 } }] });
  assert.deepEqual([other.width, other.height, other.label], [608, 304, 1]);
  const pdf = await s.request('workspace/executeCommand', { command, arguments: [{ uri: URI, options: { format: 'pdf' } }] });
  assert.equal(pdf.mimeType, 'application/pdf');
  assert.equal(Buffer.from(pdf.data, 'base64').toString('latin1').match(/\/Type *\/Page\b/g).length, 2);
  await assert.rejects(s.request('workspace/executeCommand', { command, arguments: [{ uri: URI, options: { nothing: 1 } }] }), /no setting 'nothing'/);
  await assert.rejects(s.request('workspace/executeCommand', { command, arguments: [{ uri: URI, options: 7 }] }), { code: -32602 });
  await assert.rejects(s.request('workspace/executeCommand', { command: 'rm', arguments: [] }), { code: -32602 });
});

// They said that the label code has the size; that of ZPL has not.
test('without a size labels have the one that the settings of the extension tell', async (t) => {
  const s = await session(t);
  const { properties } = JSON.parse(fs.readFileSync('packages/vscode/package.json', 'utf8')).contributes.configuration;
  const told = ['widthMm', 'heightMm'].map((name) => Number(/: (\d+\.\d) for ZPL; EPL2, TSPL and CPCL state theirs/.exec(properties[`platen.${name}`].description)[1]));
  const size = async (language, text) => {
    s.open(text, `file:///${language}`, language);
    const { width, height } = await s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: `file:///${language}` }] });
    return [width, height];
  };
  assert.deepEqual(told, [101.6, 152.4]);
  assert.deepEqual(await size('zpl', '^XA^PW400^LL200^FO1,1^A0N,30,30^FDx^FS^XZ'), [812, 1218]); // 4 x 6 inches at 203 dpi
  assert.deepEqual(await size('tspl', 'SIZE 50 mm,30 mm\nCLS\nTEXT 1,1,"3",0,1,1,"x"\nPRINT 1\n'), [400, 240]);
});

test('a preview obeys the controls of its options, and refuses those that it cannot obey', async (t) => {
  const s = await session(t);
  s.open('^XA^PQ3^FO1,1^A0N,30,30^FDone^FS^XZ^XA^FO1,1^A0N,90,90^FDtwo^FS^XZ');
  const preview = (options) => s.request('workspace/executeCommand', { command: 'platen.preview', arguments: [{ uri: URI, options }] });
  const size = async (options) => (await preview({ format: 'jpeg', ...options })).data.length;
  assert.ok((await size({ jpegQuality: 10 })) < (await size({ jpegQuality: 100 })));
  const pages = async (options) => Buffer.from((await preview({ format: 'pdf', ...options })).data, 'base64').toString('latin1').match(/\/Type *\/Page\b/g).length;
  assert.deepEqual([await pages(), await pages({ copies: 'collapse' }), await pages({ pageLayout: '2x1' })], [4, 2, 2]);
  for (const format of ['json', 'base64']) await assert.rejects(preview({ format }), /'format' must be png, jpeg, webp or pdf/);
  for (const [name, value] of Object.entries({ page: 1, strict: true, download: true, filename: 'a.png' })) await assert.rejects(preview({ [name]: value }), new RegExp(`no setting '${name}'`));
});

const NAMES = '^XA^DFR:F.ZPL^FS^FO1,1^FN1^FS^FO2,2^FN2^FS^XZ\n^XA^XFF^FS^FN1^FDa^FS^XZ\n^XA^FN1^FDother^FS^XZ\n~DGE:P.GRF,1,1,F\n^XA^XGE:P.GRF^FS^XGP^FS^CWT,E:T.FNT^ATN,9^A@N,9,9,E:T.FNT^XZ\n';
const at = (what, from = 0) => {
  const lines = NAMES.split('\n');
  const line = lines.findIndex((l, i) => i >= from && l.includes(what));
  return [line, lines[line].indexOf(what)];
};

test('definitions, references and new names of formats, fields, graphics and fonts', async (t) => {
  const s = await session(t);
  s.open(NAMES);
  const spots = (list) => list.map((l) => [l.range.start.line, covered(NAMES, l.range)]);
  const ask = async (method, [line, character], more) => spots(await s.at(method, line, character, more));
  const all = { context: { includeDeclaration: true } };
  assert.deepEqual(await ask('definition', at('^XFF')), [[0, 'R:F.ZPL']]);
  assert.deepEqual(await ask('references', at('R:F.ZPL'), all), [[0, 'R:F.ZPL'], [1, 'F']]);
  assert.deepEqual(await ask('references', at('R:F.ZPL'), { context: { includeDeclaration: false } }), [[1, 'F']]);
  assert.deepEqual(await ask('definition', at('^XGP')), [[3, 'E:P.GRF']]);
  assert.deepEqual(await ask('references', at('E:P.GRF'), all), [[3, 'E:P.GRF'], [4, 'E:P.GRF'], [4, 'P']]);
  assert.deepEqual(await ask('definition', at('^ATN')), [[4, 'T']]);
  assert.deepEqual(await ask('references', at('E:T.FNT'), all), [[4, 'E:T.FNT'], [4, 'E:T.FNT']]);
  // A field's number counts in the format and where it is recalled, and not in another label.
  assert.deepEqual(await ask('references', at('^FN1'), all), [[0, '1'], [1, '1']]);
  assert.deepEqual(await ask('definition', at('^FN1', 1)), [[0, '1']]);
  assert.deepEqual(await ask('references', at('^FN1', 2), all), [[2, '1']]);
  const [line, character] = at('^FN1');
  assert.equal((await s.at('prepareRename', line, character + 3)).placeholder, '1');
  const { changes } = await s.at('rename', line, character, { newName: '17' });
  const renamed = applyEdits(NAMES, changes[URI]);
  assert.equal(renamed, NAMES.replace('^FO1,1^FN1', '^FO1,1^FN17').replace('^XFF^FS^FN1', '^XFF^FS^FN17'));
  await assert.rejects(s.at('rename', line, character, { newName: '2' }), /used already/);
  await assert.rejects(s.at('rename', line, character, { newName: 'x' }), /0 to 9999/);
  await assert.rejects(s.at('rename', 0, 0, { newName: '5' }), /no name/);
  const [l, c] = at('^XGP');
  const graphic = applyEdits(NAMES, (await s.at('rename', l, c, { newName: 'E:LOGO.GRF' })).changes[URI]);
  assert.ok(graphic.includes('~DGE:LOGO.GRF,') && graphic.includes('^XGE:LOGO.GRF^FS^XGE:LOGO.GRF^FS'));
});

test('a new name keeps drive and extension of each place', async (t) => {
  const s = await session(t);
  const text = '^XA^DFE:A.ZPL^FS^XZ\n^XA^XFE:A^FS^XZ\n^XA^XFA.ZPL^FS^XZ\n';
  s.open(text);
  const rename = async (newName) => applyEdits(text, (await s.at('rename', 0, 8, { newName })).changes[URI]);
  assert.equal(await rename('B'), text.replace('E:A.ZPL', 'E:B.ZPL').replace('^XFE:A^', '^XFE:B^').replace('XFA.ZPL', 'XFB.ZPL'));
  assert.equal(await rename('R:B'), text.replace('E:A.ZPL', 'R:B.ZPL').replace('^XFE:A^', '^XFR:B^').replace('XFA.ZPL', 'XFR:B.ZPL'));
  assert.equal(await rename('R:B.ZPL'), text.replace('E:A.ZPL', 'R:B.ZPL').replace('^XFE:A^', '^XFR:B.ZPL^').replace('XFA.ZPL', 'XFR:B.ZPL'));
  await assert.rejects(rename('Z:B'), /drive Z:/);
});

test('fonts of the printer keep their names, and no other font gets one of them', async (t) => {
  const s = await session(t);
  s.open('^XA^CWT,E:T.FNT^ATN,9^A0N,9^A@N,9,9,Z:A.FNT^XZ\n^XA^CWB,E:T.FNT^ABN,9^XZ');
  const rename = (line, character, newName) => s.at('rename', line, character, { newName });
  for (const newName of ['A', 'h', '0', 'V']) await assert.rejects(rename(0, 6, newName), /printer has a font/, newName);
  for (const newName of ['*', 'é', 'XY', '-']) await assert.rejects(rename(0, 6, newName), /one letter or digit/, newName);
  assert.equal((await rename(0, 6, 'X')).changes[URI].length, 2);
  for (const place of [[0, 23], [0, 38]]) {
    await assert.rejects(rename(...place, 'X'), /of the printer/);
    await assert.rejects(s.at('prepareRename', ...place), /of the printer/);
  }
  // ^CW took its letter for another font.
  assert.equal((await rename(1, 6, 'X')).changes[URI].length, 2);
});

function decode(data, text, legend) {
  const lines = text.split('\n');
  const tokens = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i < data.length; i += 5) {
    character = data[i] ? data[i + 1] : character + data[i + 1];
    line += data[i];
    tokens.push([lines[line].slice(character, character + data[i + 2]), legend[data[i + 3]]]);
  }
  return tokens;
}

test('semantic tokens', async (t) => {
  const s = new Session();
  t.after(() => s.stop());
  const legend = (await s.start()).capabilities.semanticTokensProvider.legend.tokenTypes;
  const text = '^XA^FX a\nnote^FS\n^FO5,6^A0N,9^FDé😀 x^FS^XGR:A.GRF^FS\n~JA^XZ';
  s.open(text);
  const { data } = await s.of('semanticTokens/full');
  assert.deepEqual(decode(data, text, legend), [
    ['^XA', 'keyword'], ['^FX', 'keyword'], [' a', 'comment'], ['note', 'comment'], ['^FS', 'keyword'],
    ['^FO', 'keyword'], ['5', 'number'], ['6', 'number'], ['^A0', 'keyword'], ['N', 'enumMember'], ['9', 'number'], ['^FD', 'keyword'], ['é😀 x', 'string'], ['^FS', 'keyword'],
    ['^XG', 'keyword'], ['R:A.GRF', 'variable'], ['^FS', 'keyword'], ['~JA', 'macro'], ['^XZ', 'keyword'],
  ]);
  const part = await s.of('semanticTokens/range', { range: { start: { line: 2, character: 3 }, end: { line: 2, character: 6 } } });
  assert.deepEqual(decode(part.data, text, legend), [['5', 'number'], ['6', 'number']]);
});

// An outline of a megabyte takes as long as a thousand of these, and editors ask for it at the same key.
test('a short question is answered before the lists that were asked for before it', async (t) => {
  const s = await session(t);
  s.open(TWO);
  const ended = [];
  const ask = (name, answer) => answer.then(() => ended.push(name));
  // In one piece, so that all are there before one is answered.
  s.child.stdin.cork();
  const all = [ask('symbols', s.of('documentSymbol')), ask('folding', s.of('foldingRange')), ask('hover', s.at('hover', 0, 1)), ask('lenses', s.of('codeLens')), ask('completion', s.at('completion', 0, 1))];
  s.notify('textDocument/didChange', { textDocument: { uri: URI, version: 2 }, contentChanges: [{ text: TWO }] });
  all.push(ask('hover of the next text', s.at('hover', 0, 1)));
  s.child.stdin.uncork();
  await Promise.all(all);
  assert.deepEqual(ended, ['hover', 'completion', 'symbols', 'folding', 'lenses', 'hover of the next text']);
});

test('the layout is that of `platen fmt`', async (t) => {
  const s = await session(t);
  for (const text of ['^XA^FO1,1^FDé😀^FS^FO2,2^FDb^FS^XZ', '\r\n^XA\r\n^FO1,1^FDa^FS^FO2,2^FDb^FS\r\n^XZ\r\n', TWO, '']) {
    const child = spawn(`${BUILD}/platen`, ['fmt', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(text);
    const chunks = await child.stdout.toArray();
    s.open(text);
    assert.equal(applyEdits(text, await s.of('formatting', { options: {} })), Buffer.concat(chunks).toString());
  }
});

test('the layout goes by the language that the editor names', async (t) => {
  const s = await session(t);
  const layout = (text, languageId) => {
    s.open(text, `file:///${languageId}`, languageId);
    return s.of('formatting', { options: {} }, `file:///${languageId}`);
  };
  // Alone this would be taken for TSPL, and for ZPL.
  const text = 'CLS\nPRINT 1\n^XA^FO1,1^FDa^FS^FO2,2^FDb^FS^XZ';
  assert.ok(applyEdits(text, await layout(text, 'zpl')).includes('\n^FO2,2^FDb^FS\n'));
  await assert.rejects(layout('^XA^FO1,1^FDa^FS^FO2,2^FDb^FS^XZ', 'epl'), { message: /only ZPL II/ });
});

// ---- other languages

test('EPL and TSPL have findings, help and tokens', async (t) => {
  const s = new Session();
  t.after(() => s.stop());
  const legend = (await s.start()).capabilities.semanticTokensProvider.legend.tokenTypes;
  const epl = 'N\nq812\nA50,100,0,3,1,1,N,"Hi"\nP1\n';
  const tspl = 'REM note\nSIZE 100 mm,50 mm\nCLS\nTEXT 10,20,"3",0,1,1,"Hi"\nTXET 1\nPRINT 1\n';
  s.open(epl, 'file:///a.epl', 'epl');
  s.open(tspl, 'file:///a.tspl', 'tspl');
  assert.match((await s.at('hover', 2, 4, {}, 'file:///a.epl')).contents.value, /\*\*A\*\*.*\n[^]*\*\*y\*\* `100` = 12\.50 mm/);
  assert.match((await s.at('hover', 3, 6, {}, 'file:///a.tspl')).contents.value, /\*\*TEXT\*\*.*\n[^]*\*\*x\*\* `10`/);
  assert.equal((await s.checked('file:///a.tspl')).find((d) => d.code === 'unknown_command')?.range.start.line, 4);
  assert.deepEqual(await s.checked('file:///a.epl'), []);
  const tokens = async (uri, text) => decode((await s.of('semanticTokens/full', {}, uri)).data, text, legend);
  assert.ok((await tokens('file:///a.epl', epl)).some(([text, type]) => text === '"Hi"' && type === 'string'));
  const words = await tokens('file:///a.tspl', tspl);
  assert.deepEqual(words.slice(0, 2), [['REM', 'keyword'], ['note', 'comment']]);
  assert.deepEqual(words.find(([text]) => text === 'TEXT'), ['TEXT', 'keyword']);
  assert.deepEqual((await s.of('documentSymbol', {}, 'file:///a.tspl'))[0].children.map((c) => c.name), ['"Hi"']);
  s.open('! U1 getvar "a"\r\n! 0 200 200 240 1\r\nTEXT 4 0 20 20 Hello you\r\nCG 1 2 0 0 ab\r\nPRINT\r\n! 0 200 200 9 1\r\nPRINT\r\n', 'file:///a.cpcl', 'cpcl');
  assert.deepEqual((await s.of('documentSymbol', {}, 'file:///a.cpcl')).map((l) => [l.range.start.line, l.name, l.children.map((c) => c.name)]), [[1, 'Label 1', ['Hello you']], [5, 'Label 2', []]]);
  assert.ok((await s.at('completion', 4, 1, {}, 'file:///a.tspl')).items.some((i) => i.label === 'TEXT'));
  await assert.rejects(s.of('formatting', { options: {} }, 'file:///a.tspl'), { code: -32803, message: /only ZPL II/ });
});

// Where optional parameters are left out, or a code has its own: what stands in the brackets is this parameter.
const TAKEN = [
  ['tspl', 'TEXT 10,20,"3",0,1,1,["Hi"]', 'text', '"Hi"'],
  ['tspl', 'TEXT 10,20,"3",0,1,1,[2],"Hi"', 'alignment', '2'],
  ['tspl', 'TEXT 10,20,"3",0,1,1,2,["Hi"]', 'text', '"Hi"'],
  ['tspl', 'TEXT 10,20,"3",0,1,[1]', 'y multiplier', '1'],
  ['tspl', 'BLOCK 10,20,400,90,"3",0,1,1,["Hi"]', 'text', '"Hi"'],
  ['tspl', 'BLOCK 10,20,400,90,"3",0,1,1,5,[2],"Hi"', 'alignment', '2'],
  ['tspl', 'BARCODE 10,20,"128",50,1,0,2,2,["Hi"]', 'data', '"Hi"'],
  ['tspl', 'BARCODE 10,20,"128",50,1,0,2,2,[3],"Hi"', 'alignment', '3'],
  ['tspl', 'QRCODE 10,20,H,4,A,0,["Hi"]', 'data', '"Hi"'],
  ['tspl', 'QRCODE 10,20,H,4,A,0,M2,[S7],"Hi"', 'options', 'M2` `S7'],
  ['tspl', 'DMATRIX 10,20,400,400,x4,[r90],"Hi"', 'options', 'x4` `r90'],
  ['tspl', 'MAXICODE 10,20,4,["Hi"]', 'data', '"Hi"'],
  ['tspl', 'MAXICODE 10,20,4,[2],Hi', 'length', '2'],
  ['tspl', 'MAXICODE 10,20,2,001,840,06810,[7317],"Hi"', 'postcode', '06810` `7317'],
  ['tspl', 'SHIFT [5]', 'y', '5'],
  ['tspl', 'KILL ["A.BAS"]', 'name', '"A.BAS"'],
  ['cpcl', 'BARCODE QR [10] 100 M 2 U 10', 'x', '10'],
  ['cpcl', 'B QR 10 100 U [10]', 'U', '10'],
  ['cpcl', 'B QR 10 100 [M] 2', 'M', '2'],
  ['cpcl', 'B PDF-417 10 100 XD 3 [S] 4', 'S', '4'],
  ['cpcl', 'B RSS 10 100 2 66 1 [22] 1 123', 'segments', '22'],
  ['cpcl', 'B 128 1 1 50 10 [20] HELLO', 'y', '20'],
  ['epl', 'b10,20,Q,m2,[s5],"Hi"', 'options', 'm2` `s5'],
  ['epl', 'b10,20,P,400,[300],s1,"Hi"', 'height', '300'],
  ['epl', 'b10,20,P,s1,[400],"Hi"', 'width', '400'],
];

test('hover and signature help name a parameter as the interpreter takes it', async (t) => {
  const s = await session(t);
  for (const [i, [language, marked, name, value]] of TAKEN.entries()) {
    const uri = `file:///${i}`;
    const text = marked.replace(/[[\]]/g, '');
    s.open(`${text}\n`, uri, language);
    const hover = (await s.at('hover', 0, marked.indexOf('['), {}, uri)).contents.value;
    assert.ok(hover.includes(`- **${name}** \`${value}\``), `${marked}\n${hover}`);
    const { signatures: [signature], activeParameter } = await s.at('signatureHelp', 0, marked.indexOf(']') - 1, {}, uri);
    assert.equal(signature.parameters[activeParameter].label, name, marked);
  }
});

// An index that is out of range stands for the first parameter.
test('signature help behind a blank names what comes next, and behind the last parameter there is none', async (t) => {
  const s = await session(t);
  for (const [i, [language, text, name]] of [
    ['cpcl', 'BOX ', 'x'], ['cpcl', 'BOX 1 ', 'y'], ['cpcl', 'BOX 1 2 ', 'x of the end'], ['cpcl', '  BOX 1  ', 'y'], ['cpcl', 'TEXT 4 0 1 2 a b ', 'data'],
    ['cpcl', 'B QR 1 2 M ', 'M'], ['cpcl', 'B QR 1 2 M 2 ', 'U'], ['tspl', 'BAR ', 'x'], ['tspl', 'BAR 1, ', 'y'], ['tspl', 'BAR 1 ', 'x'], ['zpl', '^FO1, ', 'y'],
    ['cpcl', 'B QR 1 2 M 2 U 6 Q 4', null], ['tspl', 'BAR 1,2,3,4,5', null], ['epl', 'LO1,2,3,4,5,6', null], ['zpl', '^FO1,2,0,4', null],
    ['cpcl', 'BOX 1\n', null], ['cpcl', 'BOX 1\r\n  ', null],
  ].entries()) {
    const uri = `file:///${i}`;
    s.open(text, uri, language);
    const lines = text.split('\n');
    const help = await s.at('signatureHelp', lines.length - 1, lines.at(-1).length, {}, uri);
    if (name) assert.equal(help.signatures[0].parameters[help.activeParameter]?.label, name, text);
    else assert.equal(help, null, text);
  }
});

test('what the interpreter finds wrong with a parameter is where hover shows that parameter', async (t) => {
  const s = await session(t);
  const wrong = [
    ['tspl', 'SIZE 100 mm,50 mm\nCLS\n', 'TEXT 10,20,"3",0,1,1,[9],"Hi"', '\nPRINT 1\n', 'alignment'],
    ['tspl', 'SIZE 100 mm,50 mm\nCLS\n', 'BARCODE 10,20,"128",50,1,0,2,2,[9],"Hi"', '\nPRINT 1\n', 'alignment'],
    ['tspl', 'SIZE 100 mm,50 mm\nCLS\n', 'QRCODE 10,20,H,4,A,0,[Z9],"Hi"', '\nPRINT 1\n', 'options'],
    ['cpcl', '! 0 200 200 210 1\n', 'B QR [a] 10', '\nMA,1\nENDQR\nPRINT\n', 'x'],
  ];
  for (const [i, [language, before, marked, after, name]] of wrong.entries()) {
    const uri = `file:///${i}`;
    const text = before + marked.replace(/[[\]]/g, '') + after;
    s.open(text, uri, language);
    const found = await s.checked(uri);
    const place = marked.slice(marked.indexOf('[') + 1, marked.indexOf(']'));
    const { range } = found.find((d) => /^parameter_/.test(d.code)) ?? assert.fail(JSON.stringify(found));
    assert.equal(covered(text, range), place);
    assert.match((await s.at('hover', range.start.line, range.start.character, {}, uri)).contents.value, new RegExp(`\\*\\*${name}\\*\\* \`${place}\``));
    if (language === 'cpcl') assert.match(found.find((d) => /^parameter_/.test(d.code)).message, /x is no number/);
  }
});

test('lines of data in CPCL are no commands, and name their field', async (t) => {
  const s = await session(t, { capabilities: SNIPPETS });
  const uri = 'file:///a.cpcl';
  s.open('! 0 200 200 210 1\nB QR 10 100 M 2 U 10\nLINE 1 2 3 4\nENDQR\nML 20\nT 4 0 1 2\nT 4\nsecond\nENDML\nLINE 1 2 3 4 5\nPRINT\n', uri, 'cpcl');
  assert.deepEqual((await s.of('documentSymbol', {}, uri))[0].children.map((c) => [c.range.start.line, c.name]), [[1, 'LINE 1 2 3 4'], [5, 'T 4']]);
  for (const line of [2, 6, 7]) assert.equal(await s.at('hover', line, 1, {}, uri), null, `line ${line}`);
  for (const line of [3, 8, 9]) assert.ok(await s.at('hover', line, 1, {}, uri), `line ${line}`);
  const items = async (line, character) => (await s.at('completion', line, character, {}, uri)).items.map((i) => i.textEdit.newText);
  assert.ok((await items(9, 2)).includes('LINE ${1:x} ${2:y} ${3:x of the end} ${4:y of the end} ${5:thickness}'));
  s.open('IN-\n', uri, 'cpcl');
  assert.ok((await items(0, 3)).includes('IN-DOTS'));
});
