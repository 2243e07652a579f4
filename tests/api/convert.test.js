// Label code to label code, pictures and fonts to label code, values filled in, sheets: what the routes answer, and what they do
// with bad and large input.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { startService } from './service.js';

let service;
before(async () => { service = await startService('platen', ['--max-graphics', '4MiB']); });
after(() => service.stop());

const LABEL = '^XA^FO50,50^BY2^BCN,60^FDA-12^FS^FO10,10^A0N,30^FDHi^FS^XZ';
const plain = { 'Content-Type': 'text/plain' };
const post = (path, body, headers = plain) =>
  fetch(service.url + path, { method: 'POST', headers, body: typeof body === 'object' && body.constructor === Object ? JSON.stringify(body) : body });
const json = { 'Content-Type': 'application/json' };
const form = (parts) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) data.set(name, value instanceof Uint8Array ? new Blob([value]) : value);
  return data;
};
async function refused(response, status, code, pattern) {
  const text = await response.text();
  assert.equal(response.status, status, text.slice(0, 300));
  const problem = JSON.parse(text);
  assert.equal(problem.code, code);
  assert.match(problem.error, pattern);
}

describe('POST /api/zpl', () => {
  test('format, minify and JSON', async () => {
    const response = await post('/api/zpl', LABEL);
    assert.equal(response.headers.get('content-type'), 'application/zpl');
    assert.equal(await response.text(), '^XA\n^FO50,50^BY2^BCN,60^FDA-12^FS\n^FO10,10^A0N,30^FDHi^FS\n^XZ\n');
    const brief = await (await post('/api/zpl?action=minify', `${LABEL}\n^FX nothing\n`, { ...plain, Accept: 'application/json' })).json();
    assert.deepEqual(brief, { ok: true, zpl: LABEL, warnings: [] });
  });
  test('another density says what it could not scale', async () => {
    const response = await post('/api/zpl?targetDpmm=12', '^XA^FO5,5^BY3^BCN,60^FD1^FS^XZ');
    assert.match(await response.text(), /\^FO8,8\^BY4,,15\^BCN,90/);
    assert.match(response.headers.get('x-warnings'), /\^BY\|\|.*4\.50 dots/);
  });
  test('a barcode that no longer reads is in the answer', async () => {
    const code = '^XA^BY1,3,80^FO20,20^BCN^FD12345678^FS^FO150,20^GB400,80,80^FS^XZ';
    const { warnings } = await (await post('/api/zpl?targetDpmm=4', code, { ...plain, Accept: 'application/json' })).json();
    const lost = warnings.find((w) => w.code === 'rewrite_unreadable');
    assert.deepEqual([lost?.severity, lost?.line, lost?.offset], ['error', 1, code.indexOf('^FO')]);
  });
  test('strict refuses what could not be kept, and lists it', async () => {
    const response = await post('/api/zpl?targetDpmm=12&strict=true', '^XA^FO4,4^BY3^BCN,60^FD1^FS^XZ');
    const problem = await response.json();
    assert.deepEqual([response.status, problem.ok, problem.code, problem.warnings.map((w) => w.code)], [400, false, 'warnings', ['rewrite']]);
    assert.match(problem.warnings[0].message, /4\.50 dots/);
    const odd = await post('/api/zpl?bogus=1', { zpl: LABEL, strict: true }, json);
    assert.deepEqual([odd.status, (await odd.json()).warnings[0].code], [400, 'unknown_field']);
    assert.equal(await (await post('/api/zpl?action=minify', { zpl: LABEL, strict: true }, json)).text(), LABEL);
  });
  test('utf8 adds ^CI28 for letters of the code and of values', async () => {
    const code = '^XA^FO9,9^FD{{a}}^FS^XZ', made = async (a) => (await post('/api/zpl', { zpl: code, data: { a }, utf8: true, strict: true, action: 'minify' }, json)).text();
    assert.equal(await made('K\u00F6ln'), '^XA^CI28^FO9,9^FDK\u00F6ln^FS^XZ');
    assert.equal(await made('Bonn'), '^XA^FO9,9^FDBonn^FS^XZ');
  });
  test('the recorded transformation at Labelary\'s address', async () => {
    const response = await post('/v1/printers/8dpmm/labels/4x6/0/', '^XA ^FO  50,   50 ^A 0,  50 ^FD Field 1 ^FS    ^XZ',
      { ...plain, Accept: 'application/zpl', 'X-Formatter': 'On' });
    assert.equal(response.headers.get('content-type'), 'application/zpl');
    assert.equal(response.headers.get('x-total-count'), '1');
    assert.equal(await response.text(), '^XA\n^FO50,50^A0,50^FD Field 1^FS\n^XZ\n');
  });
  test('units writes lengths in millimetres, and back in dots', async () => {
    const mm = await (await post('/api/zpl?units=mm&action=minify', LABEL)).text();
    assert.match(mm, /^\^XA\^MUM/);
    const drawn = async (zpl) => Buffer.from(await (await post('/api/render/png', zpl)).arrayBuffer());
    assert.deepEqual(await drawn(mm), await drawn(LABEL));
    assert.equal(await (await post('/api/zpl', { zpl: mm, units: 'dots', action: 'minify' }, json)).text(), (await (await post('/api/zpl?action=minify', LABEL)).text()).replace('^XA', '^XA^MUD'));
    const open = await (await post('/api/zpl', { zpl: '^XA^FO{{x}},20^GB9,9,9^FS^XZ', units: 'in' }, { ...json, Accept: 'application/json' })).json();
    assert.match(open.warnings[0].message, /open value/);
    await refused(await post('/api/zpl?units=feet', LABEL), 400, 'invalid_parameter', /dots, mm/);
    await refused(await post('/api/zpl?units=mm&toLanguage=tspl', LABEL), 400, 'conflicting_parameter', /a unit/);
  });
  test('toLanguage makes ZPL of EPL2, a graphic of ZPL, and names what it cannot keep', async () => {
    const epl = 'N\nq400\nQ200,24\nA20,20,0,4,1,1,N,"Hi"\nB20,60,0,1,2,4,80,N,"A-12"\nP1\n';
    const zpl = await (await post('/api/zpl?toLanguage=zpl&strict=true', epl)).text();
    assert.match(zpl, /\^PW400\^LL200[^]*\^FDHi\^FS[^]*\^BCN,80,N,N,N,A\^FDA-12\^FS/);
    const slanted = await post('/api/zpl', { zpl: 'N\nq400\nQ200,24\nLS9,9,5,90,80\nP1\n', toLanguage: 'zpl', strict: true }, json);
    assert.deepEqual([slanted.status, (await slanted.json()).warnings.map((w) => [w.code, w.line])], [400, [['rewrite', 4]]]);
    const bytes = await post('/api/zpl?toLanguage=tspl&widthMm=20&heightMm=10', '^XA^FO8,8^GB8,8,8^FS^XZ');
    assert.equal(bytes.headers.get('content-type'), 'application/octet-stream');
    const tspl = Buffer.from(await bytes.arrayBuffer());
    assert.match(tspl.toString('latin1'), /^SIZE 159 dot,79 dot\r\nCLS\r\nBITMAP 0,0,20,79,0,/);
    const { data } = await (await post('/api/zpl?toLanguage=tspl&widthMm=20&heightMm=10', '^XA^FO8,8^GB8,8,8^FS^XZ', { ...plain, Accept: 'application/json' })).json();
    assert.deepEqual(Buffer.from(data, 'base64'), tspl);
    await refused(await post('/api/zpl?toLanguage=zpl&rotation=90', epl), 400, 'conflicting_parameter', /one after the other/);
    await refused(await post('/api/zpl?toLanguage=cpcl&graphics=z64', LABEL), 400, 'conflicting_parameter', /graphics/);
    await refused(await post('/api/zpl?toLanguage=cpcl&action=minify', LABEL), 400, 'conflicting_parameter', /Minified/);
    await refused(await post('/api/zpl?toLanguage=latin', epl), 400, 'invalid_parameter', /zpl/);
  });
  test('explain and extract', async () => {
    assert.match(await (await post('/api/zpl?action=explain', LABEL)).text(), /\^FO {2}Top left corner of the field: x 50 dots \(6\.25 mm\)/);
    const words = await (await post('/api/zpl?action=explain&table=json', LABEL)).json();
    assert.equal(words.commands[1].parameters[0].mm, 6.25);
    const fields = await (await post('/api/zpl?action=extract', LABEL)).json();
    assert.deepEqual(fields.fields.map((f) => [f.type, f.x, f.y, f.data]), [['barcode', 50, 50, 'A-12'], ['text', 10, 10, 'Hi']]);
    const csv = await post('/api/zpl?action=extract', LABEL, { ...plain, Accept: 'text/csv' });
    assert.match(csv.headers.get('content-type'), /^text\/csv/);
    assert.match(await csv.text(), /^label,type,.*\r\n0,barcode,code128,\^BC,50,50,/);
  });
  test('bad requests are 400 and say why', async () => {
    await refused(await post('/api/zpl?action=fold', LABEL), 400, 'invalid_parameter', /one of format, minify/);
    await refused(await post('/api/zpl?targetDpmm=99', LABEL), 400, 'invalid_parameter', /from 1 to 48/);
    await refused(await post('/api/zpl', ''), 400, 'missing_zpl', /the request: it is empty\.$/);
    await refused(await post('/api/zpl', { zpl: '' }, json), 400, 'missing_zpl', /the request: it is empty\.$/);
    await refused(await post('/api/zpl', { data: [] }, json), 400, 'missing_zpl', /the request, no 'zpl'\.$/);
    await refused(await post('/api/zpl', { zpl: 5 }, json), 400, 'invalid_parameter', /string/);
    await refused(await post('/api/zpl?action=extract&table=text', LABEL), 400, 'conflicting_parameter', /json or csv/);
    const unknown = await post('/api/zpl?colour=red', LABEL);
    assert.match(unknown.headers.get('x-warnings'), /no control 'colour'/);
  });
});

// Empty rows printed the template itself, of two rows the last one counted, and names had a case in forms alone.
describe('label code and rows at every door', () => {
  const OPEN = '^XA^FO9,9^A0N,30^FN1"name"^FDSAMPLE^FS^XZ', rows = '[{"name":"Ann"}]';
  const part = (pairs) => pairs.reduce((data, [name, value]) => (data.append(name, value), data), new FormData());
  const ways = (pairs) => [part(pairs), new URLSearchParams(pairs), [JSON.stringify(Object.fromEntries(pairs)), json]];
  const sent = (path, way) => (Array.isArray(way) ? post(path, ...way) : post(path, way, {}));
  for (const path of ['/api/render/json', '/api/zpl']) {
    test(`empty rows are refused: ${path}`, async () => {
      for (const way of ways([['zpl', OPEN], ['data', ''], ['strict', 'true']])) await refused(await sent(path, way), 400, 'invalid_parameter', /'data' must be .*; it is empty/);
      await refused(await post(path, { zpl: OPEN, data: 5 }, json), 400, 'invalid_parameter', /'data' must be .*; it is a number/);
      await refused(await post(path, { zpl: OPEN, data: [] }, json), 400, 'invalid_parameter', /row/);
      assert.equal((await post(path, { zpl: LABEL, data: null }, json)).status, 200);
    });
    test(`rows that are given twice are refused, and names have no case: ${path}`, async () => {
      for (const way of ways([['zpl', OPEN], ['data', rows], ['Data', '[{"name":"Bea"}]']])) await refused(await sent(path, way), 400, 'conflicting_parameter', /'data' is given twice/);
      for (const way of ways([['zpl', OPEN], ['ZPL', OPEN]])) await refused(await sent(path, way), 400, 'conflicting_parameter', /'zpl' is given twice/);
      await refused(await post(path, form({ file: OPEN, zpl: OPEN }), {}), 400, 'conflicting_parameter', /'zpl' is given twice/);
      for (const way of [...ways([['ZPL', OPEN], ['DATA', rows]]), form({ File: OPEN, Data: rows })]) {
        const response = await sent(path, way), text = await response.text();
        assert.equal(response.status, 200, text);
        assert.match(text, /Ann/);
      }
    });
    test(`a form that is not encoded is refused: ${path}`, async () => refused(await post(path, 'zpl=^XA^FO9,9^FD1+1^FS^XZ', { 'Content-Type': 'application/x-www-form-urlencoded' }), 400, 'invalid_form', /encoded/));
  }
  test('other routes', async () => {
    const batch = await post('/api/batch', form({ ZPL: LABEL }), {});
    assert.match(await batch.text(), /"ok":true/);
    assert.equal((await post('/api/check', form({ ZPL: LABEL }), {})).status, 200);
    assert.equal((await post('/api/image', form({ FILE: new TextEncoder().encode('P1 8 1 10101010') }), {})).status, 200);
    const lines = await (await post('/api/batch', '{"id":"a","ID":"b","zpl":"^XA^FDx^FS^XZ"}\n', { 'Content-Type': 'application/x-ndjson' })).text();
    assert.match(lines, /"code":"conflicting_parameter"/);
    await refused(await post('/api/compare', { a: LABEL, b: LABEL, A: OPEN }, json), 400, 'conflicting_parameter', /'a' is given twice/);
    const { same, warnings } = await (await post('/api/compare', { A: LABEL, B: LABEL, TOLERANCEDOTS: 1, Elements: true }, json)).json();
    assert.deepEqual([same, warnings], [true, []]);
  });
});

// "5,700" for x: y was 700 without a word where the labels were drawn at once.
describe('a value that moves the parameters behind it', () => {
  const code = '^XA^FO{{x}},20^A0N,40,40^FDhi^FS^XZ', note = "a value has ',' and so moves the parameters behind it.";
  test('is a warning of its label', async () => {
    const { labels, warnings } = await (await post('/api/render/json', { zpl: code, data: [{ x: '5' }, { x: '5,7' }] }, json)).json();
    assert.deepEqual(labels.map((l) => l.warnings.map((w) => [w.code, w.message])), [[], [['rewrite', `Row 2: ${note}`]]]);
    assert.deepEqual(warnings, labels[1].warnings);
    const [{ offset, length, line, column, label }] = labels[1].warnings;
    assert.deepEqual([length, offset, line, column, label], ['^FO5,7,20'.length, '^XA\n^FO5,20^A0N,40,40^FDhi^FS\n^XZ\n^XA\n'.length, 5, 1, 1]);
    assert.match((await post('/api/render/png', { zpl: code, data: [{ x: '5,7' }] }, json)).headers.get('x-warnings'), /A value has ','/);
  });
  test('is refused by strict', async () => {
    for (const path of ['/api/render/json', '/api/render/png', '/api/render/pdf', '/api/zpl']) {
      const response = await post(path, { zpl: code, data: [{ x: '5' }, { x: '5,7' }], strict: true }, json), problem = await response.json();
      assert.deepEqual([response.status, problem.code, problem.warnings?.map((w) => w.code)], [400, 'warnings', ['rewrite']], path);
      assert.equal((await post(path, { zpl: code, data: [{ x: '5' }], strict: true }, json)).status, 200);
    }
  });
  test('UTF-8 without ^CI28 is told once', async () => {
    const { labels } = await (await post('/api/render/json', { zpl: '^XA^FO9,9^A0N,30^FD{{n}}^FS^XZ', data: [{ n: 'Jos\u00E9' }] }, json)).json();
    assert.deepEqual(labels[0].warnings.map((w) => w.code), ['charset_suspect']);
  });
});

describe('options that do not fit', () => {
  const told = async (path, body = LABEL, headers = plain) => {
    const response = await post(path, body, headers);
    assert.equal(response.status, 200, path);
    return (response.headers.get('x-warnings') ?? '').split('|').filter((text) => text.includes("'")).map((text) => /'(\w+)' (has no effect on this output|is for PDFs); it was ignored/.exec(text)?.[1]);
  };
  test('are named', async () => {
    assert.deepEqual(await told('/api/zpl?action=explain&targetDpmm=12&graphics=hex&rotation=90&data=a%0A1&dpmm=8&table=text&utf8=1&strict=1&units=mm'), ['data', 'rotation', 'strict', 'graphics', 'targetDpmm', 'utf8', 'units']);
    assert.deepEqual(await told('/api/zpl?action=extract&table=csv&targetDpmm=12&quality=grayscale&rotation=90&profile=printer&time=0'), ['quality', 'targetDpmm']);
    assert.deepEqual(await told('/api/zpl?table=json&verify=true&format=pdf&pageSize=A4&widthMm=50&graphics=z64'), ['format', 'verify', 'table', 'pageSize']);
    assert.deepEqual(await told('/api/zpl?action=minify&targetDpmm=8&rotation=180'), []);
    assert.deepEqual(await told('/api/image?pageSize=A4&strict=true&widthMm=9', 'P1 1 1 1'), ['strict', 'pageSize']);
    assert.deepEqual(await told('/api/zpl?size=auto'), ['size']);
    const listed = await (await post('/api/zpl', { zpl: LABEL, action: 'extract', data: [{ a: 1 }], graphics: 'hex' }, json)).json();
    assert.deepEqual(listed.warnings.map((w) => w.message), ["'data' has no effect on this output; it was ignored.", "'graphics' has no effect on this output; it was ignored."]);
  });
});

// "It was ignored" was said of options that changed the answer.
describe('what is said to be ignored', () => {
  const EPL = 'N\nA50,50,0,3,1,1,N,"x"\nB50,80,0,1,2,2,73,N,"12"\nP1\n';
  const CHECKED = '^XA^PW812^LL1218^FO50,50^GB700,3,3^FS^FO60,20^A0N,33,31^FDslanted^FS^FO60,120^BY2^BCR,77^FD1^FS^XZ';
  const ask = async (path, body) => {
    const response = await post(path, body, { ...plain, Accept: 'application/json' });
    const { warnings = [], ...answer } = await response.json(); // none where a control is refused beside another
    return { answer, names: warnings.map((w) => /'(\w+)' has no effect/.exec(w.message)?.[1]).filter(Boolean) };
  };
  const VALUES = { size: 'auto', quality: 'grayscale', profile: 'printer', rotation: '90', widthMm: '40', heightMm: '30', dpmm: '12', time: '5', rules: 'ups', minModuleMm: '1', printerModel: 'zd421-203', verify: 'false', language: 'epl', copies: 'collapse', page: '1', format: 'jpeg', jpegQuality: '5', download: 'true' };
  for (const [path, body] of [['/api/zpl', CHECKED], ['/api/zpl?toLanguage=tspl&language=epl', EPL], ['/api/zpl?action=explain', CHECKED], ['/api/zpl?action=extract', EPL], ['/api/check', CHECKED], ['/api/image', 'P1 2 2 1011']]) {
    test(path, async () => {
      const { answer: before } = await ask(path, body);
      for (const [name, value] of Object.entries(VALUES)) {
        if (path.includes(`${name}=`)) continue;
        const { answer, names } = await ask(`${path}${path.includes('?') ? '&' : '?'}${name}=${value}`, body);
        if (names.length > 0) assert.deepEqual({ names, answer }, { names: [name], answer: before }, name);
      }
    });
  }
  test('size counts for code in another language, and for the places of fields; quality does not', async () => {
    const sized = await post('/api/zpl?toLanguage=tspl&size=auto&strict=true', EPL.slice(0, 23) + 'P1\n');
    assert.equal(sized.status, 200);
    assert.equal(sized.headers.get('x-warnings'), null);
    assert.deepEqual((await ask('/api/zpl?action=extract&size=auto', EPL)).names, []);
    assert.deepEqual((await ask('/api/zpl?action=extract&quality=grayscale', EPL)).names, ['quality']);
    assert.deepEqual((await ask('/api/check?quality=grayscale', CHECKED)).names, ['quality']);
  });
});

describe('values', () => {
  const zpl = '^XA^FO10,10^A0N,30^FN1"name"^FS^FO10,60^A0N,30^FD{{city}}^FS^XZ';
  test('rows of JSON and of CSV give a label each, in every format', async () => {
    const rows = [{ name: 'Ann', city: 'Köln' }, { name: '^XZ~JA', city: '5' }];
    const drawn = await (await post('/api/render/json', { zpl, data: rows }, json)).json();
    assert.deepEqual(drawn.labels.map((l) => l.elements.map((e) => e.data).slice(0, 1)), [['Ann'], ['^XZ~JA']]);
    const pdf = Buffer.from(await (await post('/api/render/pdf', form({ zpl, data: 'name;city\nA;B\nC;D\nE;F\n' }), {})).arrayBuffer());
    assert.equal(/\/Count (\d+)/.exec(pdf.toString('latin1'))[1], '3');
    const code = await (await post('/api/zpl', { zpl, data: rows.slice(1) }, json)).text();
    assert.equal(code, '^XA\n^FO10,10^A0N,30^FH_^FD_5EXZ_7EJA^FS\n^FO10,60^A0N,30^FD5^FS\n^XZ\n');
  });
  test('values that cannot be read are 400, and so are missing ones', async () => {
    await refused(await post('/api/render/png', { zpl, data: '[{' }, json), 400, 'invalid_parameter', /JSON/);
    await refused(await post('/api/render/png', { zpl, data: 7 }, json), 400, 'invalid_parameter', /'data'/);
    await refused(await post('/api/zpl', { zpl, data: {} }, json), 400, 'missing_value', /There is no value for 'name'/);
    await refused(await post('/api/render/png', { zpl, data: [{ name: 'a', city: 'b' }, { city: 'c' }] }, json), 400, 'missing_value', /Row 2 has no value for 'name'/);
    await refused(await post('/api/render/pdf', form({ zpl, data: 'name;city\nA\n' }), {}), 400, 'missing_value', /'city'/);
    await refused(await post('/api/render/png', { zpl, data: 'name,city\na,b,c\n' }, json), 400, 'invalid_parameter', /3 fields/);
    await refused(await post('/api/render/png', { zpl, data: 'name,city,name\na,b,c\n' }, json), 400, 'invalid_parameter', /^Two columns are called 'name'\.$/);
    await refused(await post('/api/zpl', form({ zpl, data: 'name;city;\uD83D\uDE00;\uD83D\uDE00\na;b;c;d\n' }), {}), 400, 'invalid_parameter', /^Two columns are called '\u{1F600}'\.$/u);
  });
});

describe('sheets', () => {
  const pages = async (path, headers = plain) => {
    const response = await post(path, '^XA^FO5,5^GB50,50,5^FS^PQ7^XZ', headers);
    const pdf = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, pdf.toString('latin1').slice(0, 300));
    const text = pdf.toString('latin1');
    return { count: Number(/\/Count (\d+)/.exec(text)[1]), box: /MediaBox\[0 0 ([\d.]+ [\d.]+)\]/.exec(text)[1], text };
  };
  test('as many labels as fit, a grid, a start, an orientation', async () => {
    const small = '/api/render/pdf?widthMm=50&heightMm=30&pageSize=A6';
    assert.deepEqual(await pages(small).then(({ count, box }) => [count, box]), [1, '297.6378 419.5276']);
    assert.equal((await pages(`${small}&pageLayout=2x2`)).count, 2);
    assert.equal((await pages(`${small}&pageLayout=2x2&pageStart=3`)).count, 3);
    assert.equal((await pages(`${small}&pageOrientation=landscape`)).box, '419.5276 297.6378');
    assert.equal((await pages('/api/render/pdf?widthMm=50&heightMm=30&pageLayout=7x1&pageGapMm=2')).box, '1026.1417 85.0394');
  });
  test('what does not fit is refused with the numbers, or shrinks', async () => {
    await refused(await post('/api/render/pdf?pageSize=A4&pageLayout=2x2', LABEL), 400, 'invalid_parameter', /need 203\.2 x 304\.8 mm, and the page of 210\.0 x 297\.0 mm/);
    assert.equal((await pages('/api/render/pdf?pageSize=A4&pageLayout=2x2&fit=shrink')).count, 2);
    await refused(await post('/api/render/pdf?pageSize=A4&pageStart=9', LABEL), 400, 'invalid_parameter', /position 9/);
    await refused(await post('/api/render/pdf?pageSize=A9', LABEL), 400, 'invalid_parameter', /A4, A5, A6/);
    const none = await post('/api/render/pdf?pageSize=1x1&pageMarginMm=2&fit=shrink', '^XA^FO1,1^GB9,9^FS^XZ');
    await refused(none, 400, 'invalid_parameter', /too little to shrink to/);
  });
  test('Labelary\'s headers, as its clients send them', async () => {
    const pdf = { ...plain, Accept: 'application/pdf' };
    const letter = await pages('/v1/printers/8dpmm/labels/4x6/', { ...pdf, 'X-Page-Size': 'Letter', 'X-Page-Orientation': 'Portrait', 'X-Page-Layout': '2x1', 'X-Page-Align': 'Center', 'X-Page-Vertical-Align': 'Top' });
    assert.deepEqual([letter.count, letter.box], [4, '612 792']);
    const a4 = await pages('/v1/printers/8dpmm/labels/4x6/', { ...pdf, 'X-Page-Size': 'A4', 'X-Page-Layout': '2x2', 'X-Page-Align': 'Center', 'X-Page-Vertical-Align': 'Center', 'X-Label-Border': 'None' });
    assert.equal(a4.count, 2);
    const bad = await post('/v1/printers/8dpmm/labels/4x6/', LABEL, { ...pdf, 'X-Page-Size': 'B7' });
    assert.equal(bad.status, 400);
    assert.match(await bad.text(), /^ERROR: 'pageSize' must be A4/);
  });
  test('headers that do not fit the output are named, and switch nothing on', async () => {
    const named = async (headers, body = LABEL) => (await post('/v1/printers/8dpmm/labels/4x6/0/', body, { ...plain, ...headers })).headers.get('x-warnings');
    const told = (...names) => names.map((name) => `0|0|||'${name}' has no effect on this output; it was ignored.`).join('|');
    // The linter has three findings in this label; nobody asked for it.
    assert.equal(await named({ 'X-Page-Size': 'A4', 'X-Label-Border': 'None' }, '^XA^FO50,50^GB0,0,0^FS^XZ'), told('X-Page-Size', 'X-Label-Border'));
    assert.equal(await named({}, '^XA^FO50,50^GB0,0,0^FS^XZ'), null);
    assert.match(await named({ 'X-Linter': 'On' }, '^XA^FO50,50^GB0,0,0^FS^XZ'), /^18\|1\|\^GB\|3\|Value 0 is less/);
    assert.equal(await named({ 'X-Formatter': 'On', 'X-Target-Dpmm': '12' }), told('X-Formatter', 'X-Target-Dpmm'));
    assert.equal(await named({ Accept: 'application/pdf', 'X-Formatter': 'On', 'X-Page-Size': 'A4' }), told('X-Formatter'));
    assert.equal(await named({ Accept: 'application/json', 'X-Quality': 'Bitonal' }), told('X-Quality'));
    assert.equal(await named({ Accept: 'application/zpl', 'X-Page-Layout': '2x2', 'X-Quality': 'Bitonal', 'X-Formatter': 'On' }), told('X-Page-Layout', 'X-Quality'));
    const bad = await post('/v1/printers/8dpmm/labels/4x6/0/', LABEL, { ...plain, 'X-Page-Size': 'B7' });
    assert.equal(bad.status, 400);
  });
  test('PDF/A has metadata, a profile and an identifier; other files have none', async () => {
    const { text } = await pages('/api/render/pdf?pdfa=true');
    assert.match(text, /<pdfaid:part>2<\/pdfaid:part>/);
    assert.match(text, /\/OutputIntents\[/);
    assert.match(text, /\/ID\[</);
    assert.doesNotMatch((await pages('/api/render/pdf')).text, /Metadata|OutputIntents|\/ID\[/);
  });
});

describe('pictures and fonts', () => {
  const png = () => {
    const picture = new PNG({ width: 16, height: 2 });
    for (let i = 0; i < 32; i++) picture.data.set(i % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255], i * 4);
    return PNG.sync.write(picture);
  };
  test('Labelary\'s shape, as text and as JSON', async () => {
    const response = await post('/v1/graphics', form({ file: png() }), {});
    assert.equal(await response.text(), '^XA^FO0,0^GFA,4,4,2,JA:^FS^XZ');
    const parts = await (await post('/v1/graphics', form({ file: png() }), { Accept: 'application/json' })).json();
    assert.deepEqual([parts.totalBytes, parts.rowBytes, parts.data], [4, 2, 'JA:']);
  });
  test('languages of other printers are refused, not answered with a picture', async () => {
    for (const [path, body, written] of [['/v1/graphics', form({ file: png() }), 'application/zpl and application/json'], ['/v1/printers/8dpmm/labels/4x6/0/', '^XA^FO1,1^GB9,9^FS^XZ', 'image/png, application/pdf, application/json and application/zpl']]) {
      const response = await post(path, body, { Accept: 'application/epl' });
      assert.equal(response.status, 406, path);
      assert.equal((await response.text()).trim(), `ERROR: application/epl is not written here; ${written} are.`);
    }
    const both = await post('/v1/printers/8dpmm/labels/4x6/0/', '^XA^FO1,1^GB9,9^FS^XZ', { Accept: 'application/epl;q=0.5, image/png' });
    assert.equal(both.headers.get('content-type'), 'image/png');
  });
  test('options, preview and sizes', async () => {
    const got = await (await post('/api/image?coding=hex&invert=true&form=dg&name=E:A.GRF', png(), { Accept: 'application/json' })).json();
    assert.equal(got.ok, true);
    assert.equal(got.zpl, '~DGE:A.GRF,4,2,55555555\n^XA^FO0,0^XGE:A.GRF,1,1^FS^XZ');
    assert.equal(got.sizes.hex, 8);
    assert.equal(PNG.sync.read(Buffer.from(got.preview, 'base64')).width, 16);
    const large = await (await post('/api/image?widthMm=5', png(), { Accept: 'application/json' })).json();
    assert.equal(large.widthPx, 32); // twice, not 2.5 times
  });
  test('bad pictures are 400, large ones 413, at Labelary\'s address as text', async () => {
    await refused(await post('/api/image', 'hello'), 400, 'invalid_parameter', /cannot be read: it is no PNG/);
    await refused(await post('/api/image', png().subarray(0, 40)), 400, 'invalid_parameter', /cannot be read/);
    await refused(await post('/api/image', 'P4 60000 60000 '), 413, 'limit_exceeded', /60000 x 60000 dots is over the limit/);
    await refused(await post('/api/image?dither=magic', png()), 400, 'invalid_parameter', /floyd-steinberg/);
    const text = await post('/v1/graphics', form({ file: new Uint8Array([1, 2, 3]) }), {});
    assert.equal(text.status, 400);
    assert.match(await text.text(), /^ERROR: The picture cannot be read/);
  });
  test('fonts, whole and in part', async () => {
    const font = readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf');
    const code = await (await post('/v1/fonts', form({ file: font, path: 'E:D.TTF', name: 'I', chars: 'Hi' }), {})).text();
    assert.match(code, /^\^XA~DUE:D\.TTF,\d+,[0-9A-F]+\^CWI,E:D\.TTF\^XZ$/);
    assert.ok(code.length < 20000);
    const drawn = await post('/api/render/json', `${code}^XA^FO5,5^AIN,40^FDHi^FS^XZ`);
    assert.deepEqual((await drawn.json()).warnings, []);
    const file = await (await post('/v1/fonts', form({ file: font, path: 'E:D.TTF', chars: 'Hi', form: 'dy' }), {})).text();
    assert.match(file, /^\^XA~DYE:D,A,T,\d+,,[0-9A-F]+\^XZ$/);
    const oswald = readFileSync(new URL('../../node_modules/@fontsource-variable/oswald/files/oswald-latin-wght-normal.woff2', import.meta.url));
    const asked = '/api/font?bare=1&chars=A%D1%8F', listed = await (await post(`${asked}&instance=Bold`, oswald, { 'Content-Type': 'font/woff2', Accept: 'application/json' })).json();
    assert.deepEqual([listed.ok, listed.warnings.map((w) => [w.code, w.message])], [true, [['font_file', 'The font lacks \u044F (U+044F).']]]);
    const regular = await post(`${asked}&instance=Regular&face=0`, oswald);
    assert.match(regular.headers.get('x-warnings'), /The font lacks \? \(U\+044F\)\.$/);
    assert.notEqual(await regular.text(), listed.zpl);
    await refused(await post('/api/font?instance=Nope', oswald), 400, 'invalid_parameter', /it has ExtraLight, Light/);
    await refused(await post('/api/font?face=1', oswald), 400, 'invalid_parameter', /no font 1 in the file; it has 1/);
    await refused(await post('/api/font?form=dx', font), 400, 'invalid_parameter', /du or dy/);
    await refused(await post('/api/font', 'no font'), 400, 'invalid_parameter', /font cannot be read/);
    await refused(await post('/api/font?path=x', font), 400, 'invalid_parameter', /E:NAME\.TTF/);
  });
});
