// 1,000 hostile messages: each is answered with a clear error, a result or not at all, and the server lives on.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { frame, Session, URI } from './session.mjs';

const COUNT = 1000;

function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const METHODS = ['hover', 'completion', 'signatureHelp', 'documentSymbol', 'foldingRange', 'definition', 'references', 'prepareRename', 'rename', 'semanticTokens/full', 'semanticTokens/range', 'formatting', 'codeAction', 'inlayHint', 'codeLens', 'didOpen', 'didChange', 'didClose', 'nothing'].map((name) => `textDocument/${name}`).concat('workspace/executeCommand', 'initialize', '$/cancelRequest', '');
const CODE = ['^XA', '^FO', '^', '~', ',', '99999999999', '^XZ', '^FD', '^FH', '_', 'é', '😀', '\ud800', '\0', '\r', '\n', '^GFB,9,9,1,', '^GFA,99999999,9,1,:Z64:', '~DGR:A,9,1,', '^DFA', '^XFA', '^FN1', '^CC^', '^CC!', '^PQ99999999', '^CWA,E:B.FNT', '^A@N,1,1,E:B.FNT', 'TEXT 1,1,"3"', 'N\n', 'A1,1,0,1', '! 0 200 200 240 1\r\n', '! U1 ', '! DF A\r\n', 'TEXT 4 0 1 1 x\r\n', 'CG 99999999 9 1 1 ', 'IN-INCHES\r\n', 'ML 9\r\n', 'CONCAT 1 1\r\n', 'PRINT\r\n'];

// What is open when a message comes: its text, its address, its language.
const OPENED = [
  ['^XA^FO1,1^FN1^FDé^FS^XZ', URI, 'zpl'],
  ['! 0 200 200 240 1\r\nIN-CENTIMETERS\r\nTEXT 4 0 1 1 é\r\nCG 1 2 0 0 ab\r\nML 9\r\nT 4 0 1 1\r\na\r\nENDML\r\nPRINT\r\n', URI, 'cpcl'],
  ['N\nq812\nA50,100,0,3,1,1,N,"é"\nGW1,1,1,2,ab\nP1\n', URI, 'epl'],
  ['SIZE 50 mm,30 mm\nCLS\nTEXT 1,1,"3",0,1,1,"é"\nBITMAP 1,1,1,2,0,ab\nPRINT 1\n', URI, 'tspl'],
];

function message(pick) {
  const any = (list) => list[pick(list.length)];
  const code = () => Array.from({ length: pick(30) }, () => any(CODE)).join('');
  const number = () => any([0, 1, 2, 5, 40, -1, 1e9, 1e300, 0.5, 2 ** 31, 2 ** 53, null, 'x', [], pick(60)]);
  const position = () => any([{ line: number(), character: number() }, { line: pick(3), character: pick(40) }, { line: 0 }, null, 7]);
  const range = () => any([{ start: position(), end: position() }, { start: { line: 0, character: pick(9) }, end: { line: 9, character: 9 } }, null]);
  const uri = any([URI, URI, URI, URI, 'file:///b', '', null, 'é'.repeat(500)]);
  const params = {
    textDocument: any([{ uri, version: number(), languageId: any(['zpl', 'epl', 'tspl', 'cpcl', '', 7]), text: any([code(), code(), null]) }, null, 'x']),
    position: position(),
    range: range(),
    contentChanges: any([[{ range: range(), text: code() }], [{ text: code() }], [{}], [7], {}, Array.from({ length: pick(20) }, () => ({ range: range(), text: any(CODE) }))]),
    newName: any(['1', '22222', 'R:B.GRF', '', '^', 'é', null]),
    context: any([{ only: any([['quickfix'], [''], 7]) }, { includeDeclaration: true }, null]),
    command: any(['platen.preview', 'platen.check', 'x', null]),
    arguments: any([[{ uri, label: number(), position: position() }], [], null, [7]]),
    id: number(),
  };
  const whole = { jsonrpc: pick(30) ? '2.0' : any(['1', null]), id: pick(5) ? pick(1e6) : any([null, 'x', 0.5, [], undefined]), method: pick(30) ? any(METHODS) : number(), params: pick(20) ? params : any([null, [], 7]) };
  const text = JSON.stringify(whole);
  switch (pick(10)) {
    case 0: return frame(text.slice(0, pick(text.length)));
    case 1: { // a byte is another one
      const at = pick(text.length);
      return frame(text.slice(0, at) + String.fromCharCode(32 + pick(95)) + text.slice(at + 1));
    }
    case 2: return frame('['.repeat(pick(3000)) + text);
    case 3: return Buffer.concat([Buffer.from(any(['Content-Length: -5\r\n\r\n', 'Content-Length: 1e9\r\n\r\n', '\r\n\r\n', 'X: y\r\n\r\n', `Content-Type: ${'x'.repeat(pick(6000))}\r\n\r\n`, '\n\n', text])), frame(text)]);
    case 4: return frame(Buffer.from(text).subarray(0, pick(200)).toString('latin1'));
    default: return frame(text);
  }
}

test(`${COUNT} hostile messages`, async (t) => {
  const pick = random(Number(process.env.HOSTILE_SEED || 4711));
  const s = new Session();
  t.after(() => s.child.kill());
  await s.start();
  const any = (list) => list[pick(list.length)];
  for (let i = 0; i < COUNT; i++) {
    const sent = message(pick);
    s.notify('textDocument/didClose', { textDocument: { uri: URI } });
    s.open(...any(OPENED));
    s.child.stdin.write(sent);
    // What is no request is not answered: a question behind each shows that it has been read.
    const shown = JSON.stringify(sent.toString('latin1').slice(0, 2000));
    await assert.rejects(s.request('mark', {}, `mark ${i}`), { code: -32601 }, shown);
    for (const answer of s.strays.splice(0)) {
      assert.equal(answer.jsonrpc, '2.0', shown);
      assert.ok('id' in answer, shown);
      if (answer.error) assert.ok(Number.isInteger(answer.error.code) && answer.error.message.length > 10, shown);
      else assert.ok('result' in answer, shown);
    }
  }
  assert.equal(await s.stop(), 0);
});

// Time by the square of what came would be hours.
test('a megabyte of one command, of one line, of changes and of names is answered', { timeout: 120000 }, async (t) => {
  const s = new Session(['--no-verify']);
  t.after(() => s.child.kill());
  await s.start();
  const spent = () => fs.readFileSync(`/proc/${s.child.pid}/task/${s.child.pid}/schedstat`, 'latin1').split(' ')[0] / 1e9;
  for (const piece of ['^XZ', '^XA', '^FN1', '^', '~', ',', '\r', '^XFA^FN1^XZ', '^FDé', '^GFA,1,1,1,F', '"', 'A"\n', '😀']) {
    s.open(piece.repeat((1 << 20) / piece.length));
    const before = spent();
    for (const [line, character] of [[0, 1], [0, 1e6], [9, 9]]) {
      await s.at('hover', line, character);
      await s.at('references', line, character, { context: {} });
      await s.at('completion', line, character);
    }
    await s.of('foldingRange');
    await s.of('documentSymbol');
    await s.of('semanticTokens/full');
    await s.of('codeLens');
    assert.ok(spent() - before < 20, `${JSON.stringify(piece)}: ${spent() - before} s`);
  }
  assert.equal(await s.stop(), 0);
});

// "Replace all" of an editor. Time by the square of the text would be half a minute for each.
test('many changes in one message cost their way through the text', { timeout: 120000 }, async (t) => {
  const s = new Session(['--no-verify']);
  t.after(() => s.child.kill());
  await s.start();
  const spent = () => fs.readFileSync(`/proc/${s.child.pid}/task/${s.child.pid}/schedstat`, 'latin1').split(' ')[0] / 1e9;
  const COUNT = 40000;
  for (const [end, mark] of [['\n', 'x'], ['', 'x'], ['\r\n', 'é'], ['', 'é']]) {
    const unit = `^FO1,1^FD${mark}${'y'.repeat(40)}^FS${end}`;
    const place = (i) => (end ? { line: i, character: 8 } : { line: 0, character: i * unit.length + 8 });
    const changes = Array.from({ length: COUNT }, (_, i) => ({ range: { start: place(i), end: { ...place(i), character: place(i).character + 2 } }, text: `Q${mark}` }));
    for (const contentChanges of [changes, [...changes].reverse()]) {
      s.open(unit.repeat(COUNT));
      const before = spent();
      s.notify('textDocument/didChange', { textDocument: { uri: URI, version: 2 }, contentChanges });
      for (const { line, character } of [place(0), place(COUNT / 2), place(COUNT - 1)]) assert.match((await s.at('hover', line, character - 1)).contents.value, /\^FQ.*Not a command/);
      assert.ok(spent() - before < 5, `${JSON.stringify([end, mark])}: ${spent() - before} s`);
    }
  }
  assert.equal(await s.stop(), 0);
});

// Each finding looked through all of the code.
test('findings of five thousand labels in four megabytes', { timeout: 300000 }, async (t) => {
  const s = new Session(['--no-verify']);
  t.after(() => s.child.kill());
  await s.start();
  const spent = () => fs.readFileSync(`/proc/${s.child.pid}/stat`, 'latin1').replace(/^.*\) /, '').split(' ').slice(11, 13).reduce((sum, ticks) => sum + ticks / 100, 0);
  s.open(`^XA^FX${'x'.repeat(4 << 20)}^FS^XZ${'^XA^FO5000,1^GB9,9,2^FS^XZ'.repeat(5000)}`);
  const before = spent();
  await s.checked();
  const [all] = await s.of('codeAction', { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, context: { diagnostics: [], only: ['source.fixAll'] } });
  assert.ok(all.edit.changes[URI].length > 1000);
  assert.ok(spent() - before < 10, `${spent() - before} s`);
  assert.equal(await s.stop(), 0);
});
