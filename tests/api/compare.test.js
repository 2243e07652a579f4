// POST /api/compare and size=auto: what they answer, and what they do with bad and large input.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { startService } from './service.js';

let service;
before(async () => { service = await startService('platen'); });
after(() => service.stop());

const A = '^XA^FO50,50^A0N,60,60^FDHello^FS^XZ';
const MOVED = '^XA^FO58,54^A0N,60,60^FDHello^FS^XZ';
const post = (path, body, type = 'application/json') =>
  fetch(service.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'Content-Type': type } });
async function compare(body, query = '') {
  const response = await post(`/api/compare${query}`, body);
  const text = await response.text();
  assert.equal(response.status, 200, text.slice(0, 300));
  return JSON.parse(text);
}
async function refused(body, status, code, pattern, type) {
  const response = await post('/api/compare', body, type);
  const text = await response.text();
  assert.equal(response.status, status, text.slice(0, 300));
  const problem = JSON.parse(text);
  assert.equal(problem.ok, false);
  assert.equal(problem.code, code);
  assert.match(problem.error, pattern);
}

describe('comparing', () => {
  test('the same label is the same', async () => {
    const result = await compare({ a: A, b: `${A}\n` });
    assert.equal(result.same, true);
    assert.deepEqual(result.labels[0].changes, []);
    assert.deepEqual(result.labels[0].areas, []);
    assert.equal(result.labels[0].picture, undefined);
  });
  test('labels beyond the limit were not compared, and nothing said so', async () => {
    const serial = (n) => `^XA^FO9,9^A0N,30^SN1,1^FS^PQ${n}^XZ`;
    const result = await compare({ a: serial(600), b: serial(700) }, '?widthMm=20&heightMm=10');
    assert.equal(result.same, false);
    assert.match(result.a.cut, /asks for 600 labels/);
    assert.match(result.b.cut, /asks for 700 labels/);
    assert.equal((await compare({ a: A, b: A })).a.cut, undefined);
  });
  test('a field that moved', async () => {
    const result = await compare({ a: A, b: MOVED });
    assert.equal(result.same, false);
    const [label] = result.labels;
    assert.equal(label.a.inkDots - label.onlyA, label.b.inkDots - label.onlyB);
    const [change] = label.changes;
    assert.deepEqual([change.change, change.differs, change.dx, change.dy, change.dxMm, change.dyMm], ['moved', ['place'], 8, 4, 1, 0.5]);
    assert.equal(change.a.data, 'Hello');
    assert.equal(change.b.x - change.a.x, 8);
  });
  test('the picture has the colours and the counts', async () => {
    const { labels: [label] } = await compare({ a: A, b: MOVED, picture: true });
    const png = PNG.sync.read(Buffer.from(label.picture, 'base64'));
    const counts = {};
    for (let i = 0; i < png.data.length; i += 4) {
      const colour = png.data.toString('hex', i, i + 3);
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    assert.equal(counts['d55e00'], label.onlyA);
    assert.equal(counts['0072b2'], label.onlyB);
    assert.equal(counts['000000'], label.a.inkDots - label.onlyA);
    assert.equal(counts.ffffff, png.width * png.height - label.a.inkDots - label.onlyB);
  });
  test('tolerance in dots and in percent', async () => {
    const { labels: [{ onlyA, onlyB, share }] } = await compare({ a: A, b: MOVED });
    assert.equal((await compare({ a: A, b: MOVED, toleranceDots: onlyA + onlyB })).same, true);
    assert.equal((await compare({ a: A, b: MOVED, toleranceDots: onlyA + onlyB - 1 })).same, false);
    assert.equal((await compare({ a: A, b: MOVED, tolerancePercent: share * 100 + 0.01 })).same, true);
    assert.equal((await compare({ a: A, b: MOVED, tolerancePercent: 100, elements: true })).same, false);
  });
  test('a label that only one side has, and copies', async () => {
    const result = await compare({ a: `${A}${A}`, b: A.replace('^XZ', '^PQ3^XZ') });
    assert.equal(result.same, false);
    assert.deepEqual(result.labels.map(({ index, same, copiesA, copiesB }) => [index, same, copiesA, copiesB]), [[0, true, 1, 3], [1, false, 1, 0]]);
    assert.equal((await compare({ a: A, b: A.replace('^XZ', '^PQ3^XZ'), elements: true })).same, false);
  });
  test('one page; the query wins; unknown fields are told', async () => {
    const result = await compare({ a: `${A}${A}`, b: `${MOVED}${A}`, page: 0, nonsense: 1 }, '?page=1&dpmm=12');
    assert.equal(result.same, true);
    assert.equal(result.dpmm, 12);
    assert.deepEqual(result.labels.map(({ index }) => index), [1]);
    assert.equal(result.warnings[0].code, 'unknown_field');
  });
  test('^FC has one clock for both', async () => {
    const clock = '^XA^FO50,50^A0N,60,60^FC%^FD%H:%M:%S^FS^XZ';
    assert.equal((await compare({ a: clock, b: clock })).same, true);
  });
  test('stored formats and fonts of one side are not seen by the other', async () => {
    const stored = '^XA^DFR:F.ZPL^FO50,50^A0N,60,60^FN1^FS^XZ^XA^XFR:F.ZPL^FS^FN1^FDx^FS^XZ';
    const used = '^XA^XFR:F.ZPL^FS^FN1^FDx^FS^FO9,9^GB9,9,9^FS^XZ';
    const { labels } = await compare({ a: stored, b: used });
    assert.deepEqual(labels[0].changes.map(({ change }) => change).sort(), ['added', 'removed']);
  });
});

describe('what is refused', () => {
  test('missing, wrong and empty members', async () => {
    await refused({ a: A }, 400, 'missing_zpl', /'b'/);
    await refused({ b: A }, 400, 'missing_zpl', /'a'/);
    await refused({ a: A, b: 7 }, 400, 'invalid_parameter', /'b' must be a string/);
    await refused({ a: '', b: A }, 400, 'no_labels', /'a'/);
    await refused({ a: A, b: '^XA^XZ' }, 400, 'no_labels', /'b'/);
    await refused({ a: A, b: A, page: 1 }, 400, 'invalid_parameter', /no page 1/);
    await refused({ a: A, b: A, toleranceDots: -1 }, 400, 'invalid_parameter', /toleranceDots/);
    await refused({ a: A, b: A, toleranceDots: '5' }, 400, 'invalid_parameter', /toleranceDots/);
    await refused({ a: A, b: A, tolerancePercent: 101 }, 400, 'invalid_parameter', /tolerancePercent/);
    await refused({ a: A, b: A, picture: 'yes' }, 400, 'invalid_parameter', /picture/);
    await refused({ a: A, b: A, dpmm: 99 }, 400, 'invalid_parameter', /dpmm/);
    await refused({ a: A, b: A, widthMm: 1e6 }, 400, 'invalid_parameter', /limit/);
    await refused('{"a":', 400, 'invalid_json', /JSON/);
    await refused('[]', 400, 'invalid_json', /object/);
    await refused(A, 415, 'unsupported_media_type', /application\/json/, 'text/plain');
  });
  test('more labels than the limit', async () => refused({ a: A.repeat(501), b: A }, 413, 'limit_exceeded', /label/));
  test('it goes on afterwards', async () => assert.equal((await compare({ a: A, b: A })).same, true));
});

describe('large and odd input', () => {
  const many = (count, y) => Array.from({ length: count }, (_, i) => `^XA^FO50,${y}^A0N,60,60^FDLabel ${i}^FS^XZ`).join('');
  test('500 labels with pictures', async () => {
    const result = await compare({ a: many(500, 50), b: many(500, 53), widthMm: 50, heightMm: 30, picture: true });
    assert.equal(result.labels.length, 500);
    assert.ok(result.labels.every((label) => !label.same && label.picture && label.changes.length === 1 && label.changes[0].dy === 3));
  });
  test('thousands of elements that are all alike', async () => {
    const fields = Array.from({ length: 15000 }, (_, i) => `^FO${i % 700},${i % 1100}^GB2,2,2^FS`).join('');
    const result = await compare({ a: `^XA${fields}^XZ`, b: `^XA^LH1,1${fields}^XZ` });
    assert.equal(result.same, false);
  });
  test('bytes that are no text', async () => {
    const noise = Array.from({ length: 5000 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join('');
    const result = await compare({ a: `^XA^FO9,9^A0N,30^FD${noise}^FS^FO9,9^GB9,9,9^FS^XZ`, b: A });
    assert.equal(result.same, false);
  });
  test('pages of the largest size', async () => {
    const result = await compare({ a: A, b: MOVED, widthMm: 1000, heightMm: 1500, picture: true });
    assert.equal(result.labels[0].changes[0].dx, 8);
  });
});

describe('size=auto', () => {
  const render = async (format, zpl, query = '') => {
    const response = await post(`/api/render/${format}?size=auto${query}`, zpl, 'text/plain');
    assert.equal(response.status, 200);
    return response;
  };
  test('a picture has the size in headers', async () => {
    const response = await render('png', '^XA^PW406^LL203^FO9,9^A0N,30^FDx^FS^XZ');
    assert.equal(response.headers.get('x-label-width-mm'), '50.8');
    assert.equal(response.headers.get('x-label-height-mm'), '25.4');
    const png = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual([png.width, png.height], [406, 203]);
  });
  test('json, also strict, of several labels and rotated', async () => {
    for (const query of ['', '&strict=true', '&rotation=90']) {
      const result = await (await render('json', '^XA^FO0,0^GB380,180,9^FS^XZ^XA^FO0,0^GB180,180,9^FS^XZ', query)).json();
      assert.deepEqual([result.widthMm, result.heightMm], [50, 25]);
      assert.deepEqual([result.widthPx, result.heightPx], query.includes('90') ? [199, 399] : [399, 199]);
      for (const label of result.labels) {
        const png = PNG.sync.read(Buffer.from(label.data, 'base64'));
        assert.deepEqual([png.width, png.height], [result.widthPx, result.heightPx]);
      }
    }
  });
  test('a side that is given stays', async () => {
    const result = await (await render('json', '^XA^PW406^LL203^FO9,9^A0N,30^FDx^FS^XZ', '&widthMm=60')).json();
    assert.deepEqual([result.widthMm, result.heightMm], [60, 25.4]);
  });
  test('without it there are no such headers, and other words are refused', async () => {
    const plain = await post('/api/render/png', A, 'text/plain');
    assert.equal(plain.headers.get('x-label-width-mm'), null);
    const bad = await post('/api/render/png?size=4x6', A, 'text/plain');
    assert.equal(bad.status, 400);
    assert.match((await bad.json()).error, /'size' must be auto/);
  });
  test('a size over the limit is cut to it', async () => {
    const response = await render('png', '^XA^PW32000^LL32000^FO9,9^GB9,9,9^FS^XZ');
    const png = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [32000, 3125]);
  });
  test('compare tells both sizes, and different ones are different', async () => {
    const result = await compare({ a: '^XA^PW406^LL203^FO9,9^GB9,9,9^FS^XZ', b: '^XA^PW812^LL203^FO9,9^GB9,9,9^FS^XZ', size: 'auto' });
    assert.deepEqual([result.a.widthMm, result.b.widthMm, result.same], [50.8, 101.6, false]);
  });
  // Both were cut at 500 labels, and the answer was the same.
  test('serial labels beyond the limit are not the same when another number was asked for', async () => {
    const serial = (n) => `^XA^FO9,9^SN1,1^FS^PQ${n}^XZ`;
    const size = { widthMm: 20, heightMm: 10 };
    assert.equal((await compare({ a: serial(600), b: serial(700), ...size })).same, false);
    assert.equal((await compare({ a: serial(600), b: serial(600), ...size })).same, true);
  });
  test('content in a corner is told in json and is no warning', async () => {
    const result = await (await post('/api/render/json?strict=true', '^XA^PW300^FO9,9^GB100,100,9^FS^XZ', 'text/plain')).json();
    assert.deepEqual(result.warnings.map(({ code, severity }) => [code, severity]), [['content_in_corner', 'info']]);
  });
});
