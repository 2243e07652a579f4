// Limits of docs/limits.md that no option changes, with the numbers that the page has: at the number all is well, beyond it happens what the page says.
// Defaults of options are compared with what --help says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { startService } from '../api/service.js';
import { page } from './pages.mjs';
import { numbersIn, statements } from './proofs.mjs';

const BOX = '^FO1,1^GB9,9,9^FS';
const KEY = '0123456789abcdef0123456789abcdef';
const keys = `${fs.mkdtempSync('/tmp/limits-')}/keys`;
const rows = statements(page('docs/limits.md').text).filter(({ header }) => header?.[1] === 'default' || header?.[1] === 'value');
const limit = (name) => {
  const row = rows.find(({ cells }) => cells[0].startsWith(name));
  assert.ok(row, `docs/limits.md has no row "${name}"`);
  return numbersIn(row.cells[1]);
};

let platen, hygro, guarded;
before(async () => {
  fs.writeFileSync(keys, `${KEY}\n`);
  [platen, hygro, guarded] = await Promise.all([startService('platen', ['--log', 'off']), startService('hygro', ['--log', 'off']), startService('platen', ['--log', 'off', '--api-key-file', keys])]);
});
after(async () => {
  await Promise.all([platen, hygro, guarded].map((service) => service?.stop()));
  fs.rmSync(keys.replace(/\/keys$/, ''), { recursive: true });
});

async function post(service, path, body, type = 'text/plain') {
  const response = await fetch(service.url + path, { method: 'POST', headers: { 'Content-Type': type }, body });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, json: () => JSON.parse(text) };
}
const codes = (answer) => answer.json().warnings.map(({ code }) => code);

test('rows of values in `data`', async () => {
  const [most] = limit('rows of values');
  const ask = (count) => post(platen, '/api/render', JSON.stringify({ zpl: `^XA${BOX}^XZ`, data: Array.from({ length: count }, () => ({ n: 1 })) }), 'application/json');
  const over = await ask(most + 1), within = await ask(most);
  assert.deepEqual([over.status, over.json().code], [413, 'limit_exceeded']);
  assert.match(over.json().error, /rows/);
  assert.doesNotMatch(within.json().error, /rows/, 'so many rows are read; then there are too many labels');
});
test('recall depth', async () => {
  const [deepest] = limit('recall depth');
  const chain = (length) => Array.from({ length }, (_, i) => `^XA^DFR:F${i}.ZPL^FS${i + 1 < length ? `^XFR:F${i + 1}.ZPL^FS` : BOX}^XZ`).join('') + '^XA^XFR:F0.ZPL^FS^XZ';
  assert.ok(!codes(await post(platen, '/api/render/json', chain(deepest))).includes('recall_depth'));
  assert.ok(codes(await post(platen, '/api/render/json', chain(deepest + 1) + `^XA${BOX}^XZ`)).includes('recall_depth'));
});
test('diagnostics kept', async () => {
  const [parsing, drawing] = limit('diagnostics kept');
  const unknown = await post(platen, '/api/render/json', `^XA${'^QQ'.repeat(parsing + 7)}${BOX}^XZ`);
  assert.equal(codes(unknown).length, parsing);
  assert.equal(Number(unknown.headers.get('x-warning-count')), parsing + 7, 'all are counted');
  const outside = await post(platen, '/api/render/json', `^XA${'^FO9999,9^GB9,9,9^FS'.repeat(drawing + 7)}${BOX}^XZ`);
  assert.ok(codes(outside).length >= drawing, `${codes(outside).length}`);
});
for (const [format, name] of [['webp', 'side of a WebP'], ['jpeg', 'side of a JPEG']]) {
  test(name, async () => {
    const [side] = limit(name);
    const ask = (width) => post(platen, `/api/render/${format}?widthMm=${width}&heightMm=1&dpmm=1`, `^XA${BOX}^XZ`);
    assert.equal((await ask(side)).status, 200);
    assert.equal((await ask(side + 1)).status, 400);
  });
}
test('wrong API keys', async () => {
  const [most, again] = limit('wrong API keys'), began = performance.now();
  const answers = await Promise.all(Array.from({ length: most * 3 }, (_, i) => fetch(`${guarded.url}/api/render`, { method: 'POST', body: 'x', headers: { 'X-API-Key': `${KEY}${i}` } }).then((answer) => answer.status)));
  const tried = answers.filter((status) => status === 401).length, earned = (again * (performance.now() - began)) / 1000;
  assert.ok(tried >= most && tried <= most + earned + 1, `${tried} keys were compared, ${earned.toFixed(1)} were earned meanwhile`);
  assert.equal(answers.filter((status) => status === 429).length, most * 3 - tried);
});
test('items of a batch', async () => {
  const [most] = limit('items of a batch');
  const ask = (count) => post(hygro, '/api/calculate', JSON.stringify(Array.from({ length: count }, () => ({ grain: 'corn', ta: 20, ur: 60 }))), 'application/json');
  assert.equal((await ask(most)).status, 200);
  assert.equal((await ask(most + 1)).status, 413);
});
test('rows of a file of hours', async () => {
  const [most] = limit('rows of a file of hours');
  const ask = (count) => post(hygro, '/api/hours?grain=corn', `temperature,humidity\n${'20,60\n'.repeat(count)}`, 'text/csv');
  assert.equal((await ask(most)).status, 200);
  assert.equal((await ask(most + 1)).status, 413);
});
test('bad rows that are listed', async () => {
  const [most] = limit('bad rows');
  const answer = (await post(hygro, '/api/hours?grain=corn', `temperature,humidity\n20,60\n${'20,wet\n'.repeat(most + 5)}`, 'text/csv')).json();
  assert.equal(answer.errorCount, most + 5);
  assert.equal(answer.errors.length, most);
});

test('defaults of options are those of the programs', () => {
  const help = (command) => execFileSync(`${process.env.BUILD || 'build'}/platen`, [command, '--help'], { encoding: 'utf8' });
  const serve = new Map([...help('serve').matchAll(/^ {2}(--[a-z-]+)[^\n]*\n[^\n]*\[default: ([^\]]*)\]/gm)].map(([, flag, value]) => [flag, value]));
  const render = new Map([...help('render').matchAll(/^ {2}(--[a-z-]+) .*\((\w+)\)$/gm)].map(([, flag, value]) => [flag, value]));
  assert.ok(serve.size > 30 && render.size > 5, `${serve.size} and ${render.size} defaults were found`);
  const wrong = rows.flatMap(({ line, header, cells }) => {
    const defaults = header[0] === 'option' ? render : serve;
    const flags = [...cells[0].matchAll(/`(--[a-z-]+)`/g)].map((m) => m[1]), shown = cells[1].split(', ');
    if (!cells[0].startsWith('`--') || !/\d/.test(cells[1])) return [];
    return flags.filter((flag, i) => defaults.get(flag) !== (shown[i] ?? shown[0])).map((flag) => `docs/limits.md:${line}: ${flag} is ${defaults.get(flag)}`);
  });
  assert.deepEqual(wrong, []);
});
