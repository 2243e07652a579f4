// Label languages beside ZPL over HTTP: recognised or named, with positions in their own source.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import { startService } from './service.js';

let service;
before(async () => { service = await startService('platen'); });
after(() => service.stop());

const EPL = 'N\nq400\nQ200,24\nA20,20,0,4,1,1,N,"Hello"\nB20,60,0,1,2,4,80,N,"EPL2"\nnonsense\nP2\n';
const ZPL = '^XA^FO20,20^A0N,30,30^FDHello^FS^XZ';
const post = (path, body, type = 'text/plain') =>
  fetch(service.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'Content-Type': type } });

test('EPL2 is recognised and described with positions in its source', async () => {
  const response = await post('/api/render/json?size=auto&verify=true', EPL);
  assert.equal(response.status, 200);
  const got = await response.json();
  assert.equal(got.language, 'epl');
  assert.deepEqual([got.widthPx, got.heightPx, got.count], [400, 200, 2]);
  const [text, code] = got.labels[0].elements;
  assert.equal(EPL.slice(text.offset, text.offset + text.length), 'A20,20,0,4,1,1,N,"Hello"');
  assert.equal(code.symbology, 'code128');
  assert.equal(code.decodedData, 'EPL2');
  const unknown = got.warnings.find((w) => w.code === 'unknown_command');
  assert.deepEqual([unknown.line, unknown.column, EPL.slice(unknown.offset, unknown.offset + unknown.length)], [6, 1, 'nonsense']);
});

test('a label has the size that its code states, unless the request gives one', async () => {
  const tspl = 'SIZE 100 mm,50 mm\nCLS\nTEXT 50,50,"3",0,1,1,"Hello"\nPRINT 1\n';
  for (const [query, code, size, header] of [
    ['', EPL, [400, 200], '50.05'], ['', tspl, [799, 400], '99.97'], ['?widthMm=101.6', EPL, [812, 200], '101.6'], ['?heightMm=152.4', EPL, [400, 1218], '50.05'],
    ['?widthMm=101.6&heightMm=152.4', tspl, [812, 1218], '101.6'], ['', 'N\nA20,20,0,4,1,1,N,"Hello"\nP1\n', [812, 1218], '101.6'], ['', '^XA^PW400^LL200^FO9,9^GB9,9,9^FS^XZ', [812, 1218], null],
  ]) {
    const answer = await post(`/api/render/png${query}`, code);
    const { width, height } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    assert.deepEqual([width, height], size, `${query} ${code}`);
    assert.equal(answer.headers.get('x-label-width-mm')?.slice(0, 5) ?? null, header, `${query} ${code}`);
    const { widthPx, heightPx, widthMm } = await (await post(`/api/render/json${query}`, code)).json();
    assert.deepEqual([widthPx, heightPx], size, `${query} ${code}`);
    assert.equal(String(widthMm).slice(0, 5), header ?? '101.6', `${query} ${code}`);
  }
  const pdf = Buffer.from(await (await post('/api/render/pdf', tspl)).arrayBuffer()).toString('latin1');
  assert.match(pdf, /MediaBox ?\[ ?0 0 283\.\d+ 141\.\d+/);
});

test('CPCL is recognised, described with positions in its source, and has its table of commands', async () => {
  const code = '! 0 200 200 240 2\r\nPAGE-WIDTH 480\r\nTEXT 4 0 20 20 Hello\r\nB QR 300 40 M 2 U 5\r\nMA,https://example.com\r\nENDQR\r\nNOWORD\r\nPRINT\r\n';
  const got = await (await post('/api/render/json?verify=true', code)).json();
  assert.deepEqual([got.language, got.widthPx, got.heightPx, got.count], ['cpcl', 480, 240, 2]);
  const [text, qr] = got.labels[0].elements;
  assert.equal(code.slice(text.offset, text.offset + text.length), 'TEXT 4 0 20 20 Hello');
  assert.deepEqual([qr.symbology, qr.decodedData], ['qr', 'https://example.com']);
  const unknown = got.warnings.find((w) => w.code === 'unknown_command');
  assert.deepEqual([unknown.line, unknown.column, unknown.command], [7, 1, 'NOWORD']);
  assert.equal((await (await post('/api/render/json?language=cpcl', 'a line')).json()).language, 'cpcl');
  const rows = await (await fetch(service.url + '/api/commands/cpcl')).json();
  assert.ok(rows.length > 80);
  const barcode = rows.find((row) => row.name === 'BARCODE'), ratio = barcode.parameters.find((p) => p.name === 'ratio');
  assert.deepEqual([barcode.support, barcode.syntax, ratio.range], ['full', 'BARCODE type narrow ratio height x y data', '0 to 30']);
});

test('ZPL stays ZPL', async () => {
  assert.equal((await (await post('/api/render/json', ZPL)).json()).language, 'zpl');
  const named = await post('/api/render/json?language=zpl', EPL); // nothing of it is ZPL
  assert.deepEqual([named.status, (await named.json()).code], [400, 'no_labels']);
});

test('a language can be named in the query and in JSON', async () => {
  const short = 'A1,1,0,1,1,1,N,V00\nLO1,1,9,9\n'; // recognised by its second line, or named
  for (const answer of [await post('/api/render/json?language=epl', short), await post('/api/render/json', { zpl: short, language: 'epl' }, 'application/json')])
    assert.equal((await answer.json()).language, 'epl');
  const refused = await post('/api/render/png?language=german', EPL);
  assert.equal(refused.status, 400);
  assert.match((await refused.json()).error, /language/);
});

test('messages name the language of the label code, and how its labels begin', async () => {
  const NEEDS = {
    zpl: ['^XA^XZ', ZPL, 'ZPL', 'needs ^XA, a field that prints, and ^XZ'],
    epl: ['N\n', 'N\nLO1,1,9,9\nP1\n', 'EPL2', 'needs N, a command that draws, and P'],
    tspl: ['CLS\n', 'SIZE 50 mm,25 mm\nCLS\nBAR 1,1,9,9\nPRINT 1\n', 'TSPL', 'needs CLS, a command that draws, and PRINT'],
    cpcl: ['\n', '! 0 200 200 99 1\nBOX 1 1 9 9 1\nPRINT\n', 'CPCL', 'needs !, a command that draws, and PRINT'],
  };
  for (const [language, [empty, one, word, needs]] of Object.entries(NEEDS)) {
    const query = `language=${language}`;
    const { code, error } = await (await post(`/api/render/png?${query}`, empty)).json();
    assert.equal(code, 'no_labels');
    assert.ok(error === `The ${word} prints no label: it ${needs}.` || error.startsWith(`The ${word} prints no label. First finding, line 1: `), error);
    const page = await (await post(`/api/render/png?page=7&${query}`, one)).json();
    assert.deepEqual([page.code, page.error], ['page_out_of_range', `'page' is 7, but the ${word} has 1 label: the last page is 0.`]);
    const compared = await (await post(`/api/compare?${query}`, { a: empty, b: one }, 'application/json')).json();
    assert.deepEqual([compared.code, compared.error], ['no_labels', `The ${word} of 'a' prints no label: it ${needs}.`]);
  }
});

test('a picture has the dots of a raster', async () => {
  const rows = 16, bytes = 4, ink = Buffer.from(Array.from({ length: rows * bytes }, (_, i) => (i * 37 + (i >> 2) * 11) & 255));
  const body = Buffer.concat([Buffer.from(`N\nGW8,16,${bytes},${rows},`), Buffer.from(ink.map((b) => ~b & 255)), Buffer.from('\nP1\n')]);
  const response = await fetch(`${service.url}/api/render/png`, { method: 'POST', body, headers: { 'Content-Type': 'application/octet-stream' } });
  assert.equal(response.status, 200);
  const picture = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < bytes * 8; x++)
      assert.equal(picture.data[((y + 16) * picture.width + x + 8) * 4] === 0, (ink[y * bytes + (x >> 3)] >> (7 - (x & 7)) & 1) === 1, `${x},${y}`);
});

test('commands of each language', async () => {
  const got = await (await fetch(`${service.url}/api/commands/epl`)).json();
  assert.ok(got.length >= 70);
  assert.equal(got.find((c) => c.name === 'GW').support, 'full');
  const tspl = await (await fetch(`${service.url}/api/commands/tspl`)).json(), zpl = await (await fetch(`${service.url}/api/commands`)).json();
  const typed = (table, name) => table.find((c) => c.name === name).syntax;
  assert.deepEqual([typed(tspl, 'SIZE'), typed(tspl, 'CLS'), typed(zpl, '^FO')], ['SIZE width,height', 'CLS', '^FOx,y,justification']);
});

test('two labels of EPL2 are compared', async () => {
  const got = await (await post('/api/compare', { a: EPL, b: EPL.replace('A20,20', 'A28,20') }, 'application/json')).json();
  assert.equal(got.same, false);
  assert.equal(got.labels[0].changes.length, 1);
});

test('rewriting says that it is for ZPL', async () => {
  const response = await post('/api/zpl', EPL);
  assert.equal(response.status, 400);
  assert.match((await response.json()).error, /EPL2; only ZPL II can be rewritten\. To convert it first, set 'toLanguage=zpl'\.$/);
  assert.match(await (await post('/api/zpl?action=explain', EPL)).text(), /^A {4}Text: x 20 dots \(2\.50 mm\), y 20 dots/m);
});
