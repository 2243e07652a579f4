// The render API against the contract: every content type, control, precedence, header, status and limit.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { PNG } from 'pngjs';
import jpeg from 'jpeg-js';
import { hostileLabels } from '../hostile/labels.mjs';
import { processorSeconds } from './lib/processor.js';
import { until } from './lib/until.js';
import { startService } from './service.js';

const LABEL = '^XA^FO50,50^A0N,60,60^FDHello^FS^FO50,150^BY2^BCN,100,Y,N,N^FD123456^FS^XZ';
const TWO = `${LABEL}^XA^FO10,10^GB200,100,5^FS^XZ`;
const COPIES = '^XA^FO10,10^GB100,50,3^FS^PQ4^XZ';

let service;
let base;
before(async () => {
  service = await startService('platen');
  base = service.url;
});
after(() => service.stop());

function post(path, body, headers = {}) {
  return fetch(base + path, { method: 'POST', body, headers });
}
const plain = { 'Content-Type': 'text/plain' };
const json = { 'Content-Type': 'application/json' };
const bytes = async (response) => Buffer.from(await response.arrayBuffer());

async function assertProblem(response, status, code, pattern = /./) {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get('content-type'), /^application\/json/);
  const body = JSON.parse(text);
  assert.equal(body.ok, false);
  assert.equal(typeof body.error, 'string');
  assert.equal(body.code, code, text);
  assert.match(body.error, pattern);
  return body;
}

// Rows of a 1-bit or 8-bit grey PNG as dots: true is ink.
async function dots(response) {
  assert.equal(response.status, 200, response.status === 200 ? '' : await response.text());
  const png = PNG.sync.read(await bytes(response));
  return { width: png.width, height: png.height, at: (x, y) => png.data[(y * png.width + x) * 4] < 128 };
}

describe('request bodies', () => {
  let reference;
  before(async () => {
    reference = await bytes(await post('/api/render/png', LABEL, plain));
  });
  const same = async (response) => {
    const got = await bytes(response);
    assert.equal(response.status, 200, got.toString());
    assert.ok(got.equals(reference));
  };

  for (const type of ['text/plain', 'text/plain; charset=utf-8', 'application/zpl', 'application/x-zpl',
    'application/octet-stream', 'application/x-www-form-urlencoded']) {
    test(`${type} is raw ZPL`, async () => same(await post('/api/render', LABEL, { 'Content-Type': type })));
  }
  test('no Content-Type at all is raw ZPL', async () =>
    same(await post('/api/render', new Blob([LABEL]), {})));
  test('JSON carries zpl', async () => same(await post('/api/render', JSON.stringify({ zpl: LABEL }), json)));
  test('JSON with escapes is the same label', async () => {
    const escaped = JSON.stringify({ zpl: LABEL }).replace(/\^/g, '\\u005e');
    await same(await post('/api/render', escaped, json));
  });
  test('multipart part file', async () => {
    const form = new FormData();
    form.set('file', new Blob([LABEL]), 'label.zpl');
    await same(await post('/api/render', form));
  });
  test('multipart part zpl with controls in other parts', async () => {
    const form = new FormData();
    form.set('zpl', LABEL);
    form.set('dpmm', '12');
    const got = await dots(await post('/api/render/png', form));
    assert.equal(got.width, 1216);
  });
  test('multipart without a label is 400', async () => {
    const form = new FormData();
    form.set('dpmm', '8');
    await assertProblem(await post('/api/render', form), 400, 'missing_zpl');
  });
  test('urlencoded bodies are never decoded', async () => {
    const got = await (await post('/api/render/json', '^XA^FO10,10^A0N,30,30^FDa+b%20c&d=e^FS^XZ',
      { 'Content-Type': 'application/x-www-form-urlencoded' })).json();
    assert.equal(got.labels[0].elements[0].data, 'a+b%20c&d=e');
  });
  test('gzip request bodies', async () =>
    same(await post('/api/render', gzipSync(LABEL), { ...plain, 'Content-Encoding': 'gzip' })));
  test('another Content-Encoding is 415', async () => {
    const response = await post('/api/render', LABEL, { ...plain, 'Content-Encoding': 'br' });
    assert.equal(response.status, 415);
  });
  test('another Content-Type is 415', async () =>
    assertProblem(await post('/api/render', '<a/>', { 'Content-Type': 'application/xml' }), 415, 'unsupported_media_type'));
  test('an empty body is 400', async () => assertProblem(await post('/api/render', '', plain), 400, 'missing_zpl'));
  test('raw bytes reach the label as they are (CP850)', async () => {
    const body = Buffer.concat([Buffer.from('^XA^CI13^FO10,10^A0N,30,30^FD'), Buffer.from([0x82]), Buffer.from('^FS^XZ')]);
    const got = await (await post('/api/render/json', body, { 'Content-Type': 'application/octet-stream' })).json();
    assert.equal(got.labels[0].elements[0].text, 'é');
  });
});

describe('bad JSON', () => {
  const cases = {
    'not JSON': ['{zpl:1}', 'invalid_json'],
    'an array': ['[]', 'invalid_json'],
    'a string': ['"^XA^XZ"', 'invalid_json'],
    'trailing bytes': [`${JSON.stringify({ zpl: LABEL })} x`, 'invalid_json'],
    'a key twice': ['{"zpl":"^XA^XZ","zpl":"^XA^XZ"}', 'invalid_json'],
    'no zpl': ['{"dpmm":8}', 'missing_zpl'],
    'zpl of another type': ['{"zpl":5}', 'invalid_parameter'],
    'bad UTF-8': [Buffer.from([0x7b, 0x22, 0x7a, 0x70, 0x6c, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 'invalid_json'],
    'half a surrogate': ['{"zpl":"\\ud800"}', 'invalid_json'],
    'nested too deeply': [`{"zpl":"x","y":${'['.repeat(100)}${']'.repeat(100)}}`, 'invalid_json'],
  };
  for (const [name, [body, code]] of Object.entries(cases)) {
    test(name, async () => assertProblem(await post('/api/render', body, json), 400, code));
  }
  test('a string where a number belongs is called a string', async () =>
    assertProblem(await post('/api/render', JSON.stringify({ zpl: LABEL, page: '0' }), json), 400, 'invalid_parameter', /^'page' must be .* it is the string "0"\.$/));
  test('what came in JSON is named as JSON has it', async () => {
    for (const [value, said] of [[[1], 'an array'], [{}, 'an object'], [true, 'true'], [-5, '-5'], ['x', 'the string "x"']]) {
      const response = await post('/api/render', JSON.stringify({ zpl: LABEL, widthMm: value }), json);
      assert.equal((await response.json()).error, `'widthMm' must be a number above 0; it is ${said}.`);
    }
  });
  test('a field of the wrong type is named', async () => {
    for (const [field, value] of [['widthMm', '"100"'], ['dpmm', 'true'], ['page', '1.5'], ['page', '-1'], ['download', '"yes"'],
      ['strict', '1'], ['format', '3'], ['rotation', '45'], ['quality', '"best"'], ['profile', '"zebra"'], ['widthMm', '[]'], ['jpegQuality', '0']]) {
      const body = `{"zpl":${JSON.stringify(LABEL)},"${field}":${value}}`;
      await assertProblem(await post('/api/render', body, json), 400, field === 'format' ? 'unknown_format' : 'invalid_parameter',
        new RegExp(`'${field}'`));
    }
  });
  test('null is as if the field were not there', async () => {
    const response = await post('/api/render', JSON.stringify({ zpl: LABEL, dpmm: null, format: null }), json);
    assert.equal(response.status, 200);
  });
  test('unknown fields are ignored and reported', async () => {
    const got = await (await post('/api/render', JSON.stringify({ zpl: LABEL, widhtMm: 50, heightMm: 50, format: 'json' }), json)).json();
    assert.equal(got.warnings.length, 1);
    assert.equal(got.warnings[0].code, 'unknown_field');
    assert.match(got.warnings[0].message, /widhtMm/);
  });
});

describe('controls', () => {
  const size = async (query) => {
    const got = await dots(await post(`/api/render/png?${query}`, LABEL, plain));
    return [got.width, got.height];
  };
  test('the default label is 812 x 1218 dots', async () => assert.deepEqual(await size(''), [812, 1218]));
  test('nominal densities are 152, 203, 304 and 609 dpi', async () => {
    assert.deepEqual(await size('dpmm=6'), [608, 912]);
    assert.deepEqual(await size('dpmm=12'), [1216, 1824]);
    assert.deepEqual(await size('dpmm=24'), [2436, 3654]);
  });
  test('any other density is mm times dpmm', async () => assert.deepEqual(await size('dpmm=10'), [1016, 1524]));
  test('a density that is no whole number', async () => {
    assert.deepEqual(await size('dpmm=11.81'), [1200, 1800]);
    assert.deepEqual(await size('dpmm=7.5dpmm'), [762, 1143]);
    const got = await (await post('/api/render/json', JSON.stringify({ zpl: '^XA^MUM^FO10,10^GB20,10,1^FS^XZ', dpmm: 11.8, widthMm: 50 }), json)).json();
    assert.deepEqual([got.dpmm, got.widthPx], [11.8, 590]);
    assert.deepEqual([got.labels[0].elements[0].x, got.labels[0].elements[0].width], [118, 236], '^MU counts in the same millimetres');
    assert.equal(Buffer.from(got.labels[0].data, 'base64').readUInt32BE(41), 11800);
  });
  test('the suffix of a density', async () => assert.deepEqual(await size('dpmm=12dpmm'), [1216, 1824]));
  test('width and height with their aliases', async () => {
    assert.deepEqual(await size('widthMm=50.8&heightMm=25.4'), [406, 203]);
    assert.deepEqual(await size('width=50.8&height=25.4'), [406, 203]);
    assert.deepEqual(await size('width_mm=50.8&height_mm=25.4'), [406, 203]);
  });
  test('^PW and ^LL do not change the size', async () => {
    const got = await dots(await post('/api/render/png', '^XA^PW400^LL300^FO10,10^GB50,50,50^FS^XZ', plain));
    assert.deepEqual([got.width, got.height], [812, 1218]);
  });
  test('an alias with another value than its name is 400', async () =>
    assertProblem(await post('/api/render?width=50&widthMm=60', LABEL, plain), 400, 'conflicting_parameter', /widthMm/));
  test('an alias with the same value is fine', async () => assert.deepEqual(await size('width=50.8&widthMm=50.80&height=25.4'), [406, 203]));
  test('page and its alias index', async () => {
    const first = await bytes(await post('/api/render/png?page=0', TWO, plain));
    const second = await bytes(await post('/api/render/png?page=1', TWO, plain));
    assert.ok(!first.equals(second));
    assert.ok((await bytes(await post('/api/render/png?index=1', TWO, plain))).equals(second));
  });
  test('page beyond the last label names both numbers', async () =>
    assertProblem(await post('/api/render/png?page=2', TWO, plain), 400, 'page_out_of_range', /2.*2/));
  test('page far beyond the last label is out of range too', async () =>
    assertProblem(await post('/api/render/png?page=99999999999', TWO, plain), 400, 'page_out_of_range', /99999999999.*2/));
  test('rotation turns the finished label', async () => {
    const up = await dots(await post('/api/render/png', LABEL, plain));
    const turned = await dots(await post('/api/render/png?rotation=90', LABEL, plain));
    assert.deepEqual([turned.width, turned.height], [1218, 812]);
    for (let y = 0; y < 300; y += 7) {
      for (let x = 0; x < 300; x += 7) assert.equal(turned.at(1217 - y, x), up.at(x, y));
    }
  });
  test('profile=printer draws the printer\'s circle', async () => {
    const circle = '^XA^FO20,20^GC60,3^FS^XZ';
    const [plainly, reference, printer] = await Promise.all(['', '?profile=reference', '?profile=printer'].map(async (query) =>
      bytes(await post(`/api/render/png${query}`, circle, plain))));
    assert.deepEqual(plainly, reference);
    assert.notDeepEqual(printer, reference);
  });

  test('grayscale is 8-bit and smooth', async () => {
    const got = PNG.sync.read(await bytes(await post('/api/render/png?quality=grayscale', LABEL, plain)));
    const levels = new Set();
    for (let i = 0; i < got.data.length; i += 4) levels.add(got.data[i]);
    assert.ok(levels.size > 4);
  });
  test('jpegQuality changes the size of the file', async () => {
    const low = await bytes(await post('/api/render/jpeg?jpegQuality=10', LABEL, plain));
    const high = await bytes(await post('/api/render/jpeg?jpegQuality=95', LABEL, plain));
    assert.ok(low.length < high.length);
  });
  test('time fixes the clock', async () => {
    const zpl = '^XA^FO10,10^A0N,30,30^FC%^FD%Y-%m-%d %H:%M^FS^XZ';
    const got = await (await post('/api/render/json?time=2031-02-03T04:05:06', zpl, plain)).json();
    assert.equal(got.labels[0].elements[0].text, '2031-02-03 04:05');
  });
  test('bad numbers, enums and booleans are 400 and named', async () => {
    for (const [query, name] of [['widthMm=0', 'widthMm'], ['widthMm=-5', 'widthMm'], ['width=nan', 'width'], ['widthMm=1e999', 'widthMm'],
      ['widthMm=0x10', 'widthMm'], ['widthMm=10,5', 'widthMm'], ['heightMm=10mm', 'heightMm'], ['dpmm=0', 'dpmm'], ['dpmm=49', 'dpmm'],
      ['dpmm=0.9', 'dpmm'], ['dpmm=48.5', 'dpmm'], ['dpmm=8 dpmm', 'dpmm'], ['page=-1', 'page'], ['page=x', 'page'], ['rotation=91', 'rotation'], ['quality=nice', 'quality'],
      ['download=maybe', 'download'], ['strict=2', 'strict'], ['jpegQuality=101', 'jpegQuality'], ['copies=all', 'copies'],
      ['time=yesterday', 'time'], ['time=2026-13-01', 'time'], ['time=2026-02-30', 'time'], ['minModuleMm=0', 'minModuleMm']]) {
      await assertProblem(await post(`/api/render/png?${query}`, LABEL, plain), 400, 'invalid_parameter', new RegExp(`'${name}'`));
    }
  });
  test('an unknown format lists the six', async () => {
    for (const response of [await post('/api/render/gif', LABEL, plain), await post('/api/render?format=gif', LABEL, plain)]) {
      await assertProblem(response, 400, 'unknown_format', /png, jpeg, webp, pdf, json, base64/);
    }
  });
  test('a size over the pixel limit is 400', async () => {
    const response = await post('/api/render/png?widthMm=100000&heightMm=100000', LABEL, plain);
    assert.equal(response.status, 400);
    assert.match((await response.json()).error, /^A label of 799\d+ x 799\d+ dots is over the limit of 100000000 dots\.$/);
    await assertProblem(await post('/api/render/png?widthMm=0.05', LABEL, plain), 400, 'invalid_parameter', /^'widthMm' is less than one dot\.$/);
  });
});

describe('which value wins', () => {
  test('query over body', async () => {
    const got = await (await post('/api/render/json?dpmm=12', JSON.stringify({ zpl: LABEL, dpmm: 6, widthMm: 50.8 }), json)).json();
    assert.equal(got.dpmm, 12);
    assert.equal(got.widthMm, 50.8);
  });
  test('format: path, then query, then body, then Accept, then png', async () => {
    const type = async (path, body, accept) =>
      (await post(path, JSON.stringify({ zpl: LABEL, ...body }), { ...json, ...(accept ? { Accept: accept } : {}) })).headers.get('content-type');
    assert.equal(await type('/api/render/webp?format=pdf', { format: 'jpeg' }, 'image/png'), 'image/webp');
    assert.equal(await type('/api/render?format=pdf', { format: 'jpeg' }, 'image/png'), 'application/pdf');
    assert.equal(await type('/api/render', { format: 'jpeg' }, 'image/png'), 'image/jpeg');
    assert.equal(await type('/api/render', {}, 'application/pdf'), 'application/pdf');
    assert.equal(await type('/api/render', {}, 'image/webp'), 'image/webp');
    assert.equal(await type('/api/render', {}, 'text/html,application/xhtml+xml,image/webp,*/*;q=0.8'), 'image/png');
    assert.equal(await type('/api/render', {}, '*/*'), 'image/png');
    assert.equal(await type('/api/render', {}), 'image/png');
  });
  test('Accept: the weight counts, then the order, and names have no case', async () => {
    const type = async (accept) => (await post('/api/render', LABEL, { ...plain, Accept: accept })).headers.get('content-type');
    for (const [accept, wanted] of [['application/pdf;q=0.2, image/webp;q=0.9', 'image/webp'], ['image/webp, image/jpeg', 'image/webp'],
      ['image/jpeg, image/png', 'image/jpeg'], ['text/html, IMAGE/JPEG ; Q=0.1', 'image/jpeg'], ['application/pdf;q=0', 'image/png'],
      ['application/pdf;q=nan, image/jpeg;q=2', 'image/png'], ['application/pdf, */*;q=0', 'application/pdf'], [',,;q=1,application/json', 'application/json'],
      ['image/*', 'image/png'], ['application/json, text/plain, */*', 'image/png']]) {
      assert.equal(await type(accept), wanted, accept);
    }
  });
  test('jpg is jpeg', async () => {
    assert.equal((await post('/api/render/jpg', LABEL, plain)).headers.get('content-type'), 'image/jpeg');
  });
});

describe('labels and pages', () => {
  test('^PQ gives as many pages, collapse gives one with its number', async () => {
    const expanded = await (await post('/api/render/json', COPIES, plain)).json();
    assert.equal(expanded.count, 4);
    assert.deepEqual(expanded.labels.map((l) => l.index), [0, 1, 2, 3]);
    assert.equal(expanded.labels[0].data, expanded.labels[3].data);
    const collapsed = await (await post('/api/render/json?copies=collapse', COPIES, plain)).json();
    assert.equal(collapsed.count, 1);
    assert.equal(collapsed.labels[0].copies, 4);
  });
  test('serial numbers make distinct labels', async () => {
    const got = await (await post('/api/render/json', '^XA^FO10,10^A0N,30,30^SN001,1,Y^FS^PQ3^XZ', plain)).json();
    assert.deepEqual(got.labels.map((l) => l.elements[0].text), ['001', '002', '003']);
  });
  test('copies beyond the limit are cut with a warning', async () => {
    const got = await (await post('/api/render/base64', '^XA^FO10,10^GB10,10,10^FS^PQ100000^XZ', plain)).json();
    assert.equal(got.count, 500);
    assert.ok(got.warnings.some((w) => w.code === 'copies_cut'));
  });
  test('copies make room for the labels after them', async () => {
    const got = await (await post('/api/render/json?widthMm=4&heightMm=4', '^XA^FO1,1^GB9,9,9^FS^PQ500^XZ^XA^FO1,1^GB9,9,1^FS^XZ', plain)).json();
    assert.equal(got.count, 500);
    assert.notEqual(got.labels[499].data, got.labels[498].data);
    assert.deepEqual(got.warnings.map((w) => [w.code, w.label]), [['copies_cut', 0]]);
  });
  test('findings stand at their own label, also behind serial numbers', async () => {
    const got = await (await post('/api/render/json', '^XA^FO10,10^SN001,1,Y^FS^PQ3^XZ^XA^QZ^FO10,10^FDx^FS^XZ', plain)).json();
    assert.deepEqual(got.labels.map((l) => l.warnings.filter((w) => w.severity !== 'info').map((w) => w.code)), [[], [], [], ['unknown_command']]);
  });
  test('distinct labels beyond the limit are 413', async () => {
    const response = await post('/api/render/base64', '^XA^FO10,10^GB10,10,10^FS^XZ'.repeat(501), plain);
    assert.equal(response.status, 413);
  });
  test('nothing printable is 400', async () => {
    for (const zpl of ['hello', '^XA^XZ', '^XA^DFR:A.ZPL^FO1,1^GB9,9,9^FS^XZ', '^XA^PW400^XZ']) {
      await assertProblem(await post('/api/render/png', zpl, plain), 400, 'no_labels');
    }
  });
  test('settings and stored formats count no label', async () => {
    const got = await (await post('/api/render/json',
      '^XA^CF0,30^XZ^XA^DFR:T.ZPL^FO20,20^A0N,30,30^FN1^FS^XZ^XA^XFR:T.ZPL^FN1^FDone^FS^XZ^XA^XFR:T.ZPL^FN1^FDtwo^FS^XZ', plain)).json();
    assert.deepEqual(got.labels.map((l) => l.elements[0].text), ['one', 'two']);
  });
});

describe('answers', () => {
  test('headers of a success', async () => {
    const response = await post('/api/render/png', TWO, { ...plain, 'X-Request-Id': 'abc-123', Origin: new URL(base).origin });
    const body = await bytes(response);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('content-length'), String(body.length));
    assert.equal(response.headers.get('content-disposition'), 'inline; filename="label.png"');
    assert.equal(response.headers.get('x-total-count'), '2');
    assert.equal(response.headers.get('x-request-id'), 'abc-123');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    assert.equal(response.headers.get('x-warnings'), null);
  });
  test('with --cors pages of that origin read the headers too', async () => {
    const open = await startService('platen', ['--cors', 'https://shop.example']);
    try {
      const response = await fetch(`${open.url}/api/render/png`, { method: 'POST', body: TWO, headers: { ...plain, Origin: 'https://shop.example' } });
      await response.arrayBuffer();
      assert.equal(response.headers.get('access-control-allow-origin'), 'https://shop.example');
      assert.match(response.headers.get('access-control-expose-headers'), /X-Total-Count/i);
      assert.match(response.headers.get('vary'), /Origin/);
    } finally {
      await open.stop();
    }
  });
  test('X-Warnings in Labelary\'s form', async () => {
    const response = await post('/api/render/png', '^XA^QQ1^FO10,10^GB50,50,5^FS^XZ', plain);
    assert.match(response.headers.get('x-warnings'), /^3\|\d+\|\^QQ\|\|[\x20-\x7e]+$/);
    assert.equal(response.headers.get('x-warning-count'), '1');
  });
  test('X-Warnings holds at most twenty, and the count them all', async () => {
    const response = await post('/api/render/png', `^XA${'^QQ'.repeat(50)}^FO10,10^GB50,50,5^FS^XZ`, plain);
    assert.equal(response.headers.get('x-warnings').split('|').length, 100);
    assert.equal(response.headers.get('x-warning-count'), '50');
  });
  test('X-Warnings has five fields for each, also where the input has the separator', async () => {
    for (const format of ['png', 'pdf', 'json']) {
      const response = await post(`/api/render/${format}?a%7Cb=1`, '^XA^||^FO10,10^GBa|b,50,5^FS^XZ^XA^|Q^FO10,10^GB50,50,5^FS^XZ', plain);
      await response.arrayBuffer();
      const fields = response.headers.get('x-warnings').split('|');
      assert.equal(fields.length, 5 * Number(response.headers.get('x-warning-count')), format);
      assert.deepEqual(fields.filter((_, i) => i % 5 === 2), ['', '^//', '^GB', '^/Q'], format);
    }
  });
  test('X-Warnings names what drawing finds, in every format', async () => {
    const zpl = '^XA^FO50,50^BEN,100^FDABC^FS^XZ^XA^QQ^FO50,50^BEN,100^FDDEF^FS^XZ';
    for (const [format, commands] of Object.entries({ png: '^QQ ^BE', jpeg: '^QQ ^BE', webp: '^QQ ^BE', pdf: '^BE ^QQ ^BE', json: '^BE ^QQ ^BE', base64: '^BE ^QQ ^BE' })) {
      const response = await post(`/api/render/${format}`, zpl, plain);
      await response.arrayBuffer();
      const fields = response.headers.get('x-warnings').split('|');
      assert.equal(fields.filter((_, i) => i % 5 === 2).join(' '), commands, format);
      assert.equal(response.headers.get('x-warning-count'), String(commands.split(' ').length), format);
    }
  });
  test('X-Warnings of a batch holds the first twenty of all labels', async () => {
    const zpl = Array.from({ length: 30 }, (_, i) => `^XA${i < 2 ? '^QQ'.repeat(9) : ''}^FO50,50^BEN,100^FDABC^FS^XZ`).join('');
    for (const format of ['pdf', 'json', 'base64']) {
      const response = await post(`/api/render/${format}`, zpl, plain);
      await response.arrayBuffer();
      const commands = response.headers.get('x-warnings').split('|').filter((_, i) => i % 5 === 2);
      assert.deepEqual(commands, [...Array(9).fill('^QQ'), '^BE', ...Array(9).fill('^QQ'), '^BE']);
      assert.equal(response.headers.get('x-warning-count'), '48');
    }
  });
  test('X-Warnings and X-Warning-Count count what was not kept', async () => {
    const response = await post('/api/render/pdf', `^XA${'^QQ'.repeat(1500)}^FO10,10^GB50,50,5^FS^XZ`, plain);
    await response.arrayBuffer();
    assert.equal(response.headers.get('x-warning-count'), '1500');
  });
  test('X-Warnings tells of modules below minModuleMm, in every format', async () => {
    for (const format of ['png', 'pdf', 'json', 'base64']) {
      const response = await post(`/api/render/${format}?minModuleMm=0.3`, LABEL, plain);
      await response.arrayBuffer();
      assert.match(response.headers.get('x-warnings') ?? 'none', /^\d+\|\d+\|\^BC\|\|The barcode's module is 0.250 mm wide/, format);
    }
  });
  test('download and filename', async () => {
    const disposition = async (query) => (await post(`/api/render/png?${query}`, LABEL, plain)).headers.get('content-disposition');
    assert.equal(await disposition('download=1'), 'attachment; filename="label.png"');
    assert.equal(await disposition('download'), 'attachment; filename="label.png"');
    assert.equal(await disposition('download=off'), 'inline; filename="label.png"');
    assert.equal(await disposition('filename=ship'), 'inline; filename="ship.png"');
    assert.equal(await disposition(`filename=${encodeURIComponent('../../etc/passwd')}`), 'inline; filename="passwd.png"');
    assert.equal(await disposition(`filename=${encodeURIComponent('a"b\r\nX: y.png')}`), 'inline; filename="abX y.png"');
    assert.equal(await disposition(`filename=${encodeURIComponent('  x.png  ')}`), 'inline; filename="x.png"');
    assert.equal(await disposition(`filename=${encodeURIComponent('No. 5 of 6')}`), 'inline; filename="No. 5 of 6.png"');
    assert.equal(await disposition(`filename=${encodeURIComponent('größe.png')}`),
      "inline; filename=\"gr__e.png\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.png");
    assert.equal((await post('/api/render/pdf', LABEL, plain)).headers.get('content-disposition'), 'inline; filename="labels.pdf"');
  });
  test('png is 1-bit grey with pHYs', async () => {
    const png = await bytes(await post('/api/render/png', LABEL, plain));
    assert.equal(png.readUInt8(24), 1);
    assert.equal(png.readUInt8(25), 0);
    const at = png.indexOf('pHYs');
    assert.ok(at > 0);
    assert.ok(Math.abs(png.readUInt32BE(at + 4) - 7992) <= 8);
    assert.equal(png.readUInt8(at + 12), 1);
  });
  test('the same request gives the same bytes', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'pdf', 'json', 'base64']) {
      const path = `/api/render/${format}?time=2026-01-01`;
      assert.ok((await bytes(await post(path, TWO, plain))).equals(await bytes(await post(path, TWO, plain))), format);
    }
  });
  test('jpeg shows the same picture', async () => {
    const png = await dots(await post('/api/render/png', LABEL, plain));
    const got = jpeg.decode(await bytes(await post('/api/render/jpeg', LABEL, plain)), { useTArray: true });
    assert.deepEqual([got.width, got.height], [812, 1218]);
    let wrong = 0;
    for (let y = 0; y < 1218; y += 1) {
      for (let x = 0; x < 812; x += 1) wrong += (got.data[(y * 812 + x) * 4] < 128) !== png.at(x, y);
    }
    assert.ok(wrong < 50, `${wrong} dots differ`);
  });
  test('webp shows the same picture dot for dot', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'platen-'));
    try {
      for (const quality of ['bitonal', 'grayscale']) {
        writeFileSync(join(dir, 'a.webp'), await bytes(await post(`/api/render/webp?quality=${quality}`, LABEL, plain)));
        execFileSync('dwebp', ['-quiet', join(dir, 'a.webp'), '-o', join(dir, 'a.png')]);
        const ours = PNG.sync.read(await bytes(await post(`/api/render/png?quality=${quality}`, LABEL, plain)));
        const theirs = PNG.sync.read(readFileSync(join(dir, 'a.png')));
        assert.deepEqual([theirs.width, theirs.height], [ours.width, ours.height]);
        assert.ok(theirs.data.equals(ours.data), quality);
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
  test('pdf: one page per label, the picture equal to the PNG, texts found', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'platen-'));
    try {
      const file = join(dir, 'a.pdf');
      writeFileSync(file, await bytes(await post('/api/render/pdf', TWO, plain)));
      execFileSync('qpdf', ['--check', file]);
      const info = execFileSync('pdfinfo', [file]).toString();
      assert.match(info, /Pages: +2/);
      assert.match(info, /Page size: +288 x 432 pts/);
      execFileSync('pdftoppm', ['-r', '203', '-gray', '-png', file, join(dir, 'p')]);
      for (const page of [0, 1]) {
        const want = await dots(await post(`/api/render/png?page=${page}`, TWO, plain));
        const got = PNG.sync.read(readFileSync(join(dir, `p-${page + 1}.png`)));
        assert.deepEqual([got.width, got.height], [want.width, want.height]);
        let wrong = 0;
        for (let y = 0; y < got.height; y += 1) {
          for (let x = 0; x < got.width; x += 1) wrong += (got.data[(y * got.width + x) * 4] < 128) !== want.at(x, y);
        }
        assert.equal(wrong, 0);
      }
      const text = execFileSync('pdftotext', [file, '-']).toString();
      assert.match(text, /Hello/);
      assert.match(text, /123456/);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
  test('pdf: copies share one picture', async () => {
    const one = await bytes(await post('/api/render/pdf?copies=collapse', COPIES, plain));
    const four = await bytes(await post('/api/render/pdf', COPIES, plain));
    assert.ok(four.length - one.length < 1000);
    assert.equal(four.toString('latin1').match(/\/Subtype\/Image/g).length, 1);
  });
  test('json: metadata, elements, checks', async () => {
    const got = await (await post('/api/render/json', LABEL, plain)).json();
    assert.equal(got.ok, true);
    assert.equal(got.format, 'json');
    assert.deepEqual([got.widthPx, got.heightPx, got.count], [812, 1218, 1]);
    const label = got.labels[0];
    assert.deepEqual([label.index, label.copies, label.mimeType, label.encoding], [0, 1, 'image/png', 'base64']);
    const png = Buffer.from(label.data, 'base64');
    assert.equal(png.length, label.sizeBytes);
    assert.ok(png.equals(await bytes(await post('/api/render/png', LABEL, plain))));
    const [text, barcode] = label.elements;
    assert.equal(text.type, 'text');
    assert.equal(text.data, 'Hello');
    assert.equal(barcode.type, 'barcode');
    assert.equal(barcode.symbology, 'code128');
    assert.equal(barcode.command, '^BC');
    assert.equal(barcode.data, '123456');
    assert.equal(barcode.x, 50);
    assert.equal(barcode.y, 150);
    assert.equal(barcode.moduleDots, 2);
    assert.equal(barcode.moduleMm, 0.25);
    assert.equal(barcode.quietZoneOk, true);
    assert.equal(barcode.insideLabel, true);
    assert.deepEqual(barcode.overlaps, []);
    assert.equal(LABEL.slice(barcode.offset, barcode.offset + barcode.length).startsWith('^FO50,150'), true);
  });
  test('json: a field filled through a stored format says where its data came from', async () => {
    const zpl = '^XA^DFR:T.ZPL^FS^FO50,50^A0N,30^FN1^FS^FO50,100^A0N,30^FDfixed^FS^XZ^XA^XFR:T.ZPL^FS^FN1^FDhello^FS^XZ';
    const [filled, fixed] = (await (await post('/api/render/json', zpl, plain)).json()).labels[0].elements;
    assert.equal(zpl.slice(filled.offset, filled.offset + filled.length), '^FO50,50^A0N,30^FN1^FS');
    assert.equal(zpl.slice(filled.dataOffset, filled.dataOffset + filled.dataLength), '^FN1^FDhello^FS');
    assert.equal('dataOffset' in fixed, false);
  });
  test('json: place says where the numbers of ^FO and ^FT stand, and by how much a step of them moves the ink', async () => {
    const labels = [
      '^XA^FO50,60^A0N,30^FDplain^FS^XZ',
      '^XA^LH30,20^LS5^LT7^FT 50 , 260 ^A0R,30^FDé, spaces^FS^XZ',
      '^XA^POI^FO50,60^BCN,40^FDturned^FS^XZ',
      '^XA^PMY^FO50,60^GB40,30,2^FS^XZ',
      '^XA^PMY^POI^FT50,160^GB40,30,2^FS^XZ',
      '^XA^JMB^FO50,60^GB40,30,2^FS^XZ',
      '^XA^MUM^FO10.5,12^A0N,4^FDmillimetres^FS^XZ',
      '^XA^MUI^FO1,1^A0N,.2^FDinches^FS^XZ',
      '^XA^FWR^FO250,60,1^A0,30^FDright^FS^XZ',
      '^XA^CC$$CD;$FO50;60$A0N;30$FDprefixes$FS$XZ',
      '^XA^DFR:P.ZPL^FS^FO50,50^A0N,30^FN1^FS^XZ^XA^XFR:P.ZPL^FS^FN1^FDstored^FS^XZ',
    ];
    const describe = async (zpl) => (await (await post('/api/render/json', zpl, plain)).json()).labels[0].elements[0];
    for (const zpl of labels) {
      const input = Buffer.from(zpl);
      const before = await describe(zpl);
      const { place } = before;
      const cut = (offset, length) => input.subarray(offset, offset + length).toString();
      assert.match(cut(place.offset, place.length), /^[$^]F[OT]/, zpl);
      for (const [axis, offset, length, step] of [['x', place.xOffset, place.xLength, place.stepX], ['y', place.yOffset, place.yLength, place.stepY]]) {
        const value = Number(cut(offset, length));
        assert.equal(Math.round(value * place.unitDots), place[axis], zpl);
        const moved = Buffer.concat([input.subarray(0, offset), Buffer.from(String(value + 2)), input.subarray(offset + length)]);
        const after = await describe(moved.toString());
        const dots = Math.round((value + 2) * place.unitDots) - place[axis];
        assert.equal(after[axis] - before[axis], Math.round((dots * step) / place.unitDots), `${axis} of ${zpl}`);
        assert.deepEqual([after.width, after.height], [before.width, before.height], zpl);
      }
    }
    const follows = (await (await post('/api/render/json', '^XA^FT50,60^A0N,30^FDone^FS^FT^A0N,30^FDtwo^FS^FO9^GB9,9,9^FS^FDnowhere^FS^XZ', plain)).json()).labels[0].elements;
    assert.deepEqual(follows.map(({ place }) => place && [place.command, place.xLength, place.yLength, place.stepX, place.stepY]), [
      ['^FT', 2, 2, 1, 1],
      ['^FT', 0, 0, 0, 0],
      ['^FO', 1, 0, 1, 1],
      undefined,
    ]);
  });
  test('json: what is wrong with data points to the data, what is wrong with its field to the field', async () => {
    const zpl = '^XA^DFR:T.ZPL^FS^FO5,50^BEN,50^FN1^FS^FO50,150^A0N,30^FN2^FS^XZ^XA^XFR:T.ZPL^FS^FN1^FD12AB^FS^FN2^FH^FDab_0Acd^FS^XZ';
    const got = await (await post('/api/render/json', zpl, plain)).json();
    const all = [...got.warnings, ...got.labels.flatMap((label) => label.warnings)];
    const place = (code) => [...new Set(all.filter((one) => one.code === code).map(({ offset, length }) => zpl.slice(offset, offset + length)))];
    assert.deepEqual(place('barcode_data'), ['^FN1^FD12AB^FS']);
    assert.deepEqual(place('data_dropped'), ['^FN2^FH^FDab_0Acd^FS']);
    assert.deepEqual(place('outside_label'), ['^FO5,50^BEN,50^FN1^FS']);
  });
  test('json: text that does not fit its block is a finding, and strict refuses it', async () => {
    const clipped = async (zpl) => {
      const [label] = (await (await post('/api/render/json', `^XA^FO20,20^A0N,30,30${zpl}^FDThe quick brown fox jumps^FS^XZ`, plain)).json()).labels;
      assert.equal(label.elements[0].clipped, label.warnings.some((w) => w.code === 'text_clipped'), zpl);
      return label.elements[0].clipped;
    };
    assert.equal(await clipped('^FB200,1'), true);
    assert.equal(await clipped('^FB200,3'), false);
    assert.equal(await clipped('^TBN,200,60'), true); // the third line begins below
    assert.equal(await clipped('^TBN,200,100'), true); // the third line is cut through
    assert.equal(await clipped('^TBN,200,120'), false);
    assert.equal(await clipped('^TBN,1,120'), true); // nothing is left
    await assertProblem(await post('/api/render/png?strict=1', '^XA^FO20,20^A0N,30,30^FB100,1^FDone two three four^FS^XZ', plain), 400, 'warnings');
  });
  test('json: a text block beyond the label is outside', async () => {
    const [label] = (await (await post('/api/render/json?widthMm=50', '^XA^FO20,20^A0N,30,30^TBN,1000,50^FDThe quick brown fox jumps and jumps^FS^XZ', plain)).json()).labels;
    assert.equal(label.elements[0].insideLabel, false);
    assert.deepEqual(label.warnings.map((w) => w.code), ['outside_label']);
  });
  test('json: overlaps, quiet zones, outside', async () => {
    const got = await (await post('/api/render/json',
      '^XA^FO100,100^BY2^BCN,80,N,N,N^FD12345678^FS^FO90,90^GB20,20,20^FS^FO790,50^GB100,20,20^FS^XZ', plain)).json();
    const [barcode, box, outside] = got.labels[0].elements;
    assert.deepEqual(barcode.overlaps, [1]);
    assert.deepEqual(box.overlaps, [0]);
    assert.equal(barcode.quietZoneOk, false);
    assert.equal(outside.insideLabel, false);
  });
  test('json: the digits of an EAN-13 beside its guard bars are no ink in its quiet zone', async () => {
    const got = await (await post('/api/render/json', '^XA^FO100,100^BY3^BEN,120,Y,N^FD501234567890^FS^XZ', plain)).json();
    const [ean] = got.labels[0].elements;
    assert.equal(ean.quietZoneOk, true);
    // Eleven modules of white on the left, seven on the right, beside the bars.
    assert.deepEqual(ean.quietZone, { x: 100 - 33, y: 100, width: 33 + 285 + 21, height: 120 });
  });
  test('minModuleMm marks narrow barcodes', async () => {
    const got = await (await post('/api/render/json?minModuleMm=0.3', LABEL, plain)).json();
    assert.equal(got.labels[0].elements[1].moduleOk, false);
    assert.ok(got.warnings.some((w) => w.code === 'module_below_minimum' && w.line === 1));
  });
  test('a narrow barcode of a recalled format has the line of its own place, before and after others', async () => {
    const zpl = `^XA^DFR:A.ZPL\n\n^FO10,10^BY1^BCN,20,N^FD1^FS^XZ${'\n'.repeat(3000)}^XA${'^XFR:A.ZPL^FS\n^FO9,9^BY1^BCN,20,N^FD2^FS'.repeat(20)}^XZ`;
    const got = await (await post('/api/render/json?minModuleMm=1', zpl, plain)).json();
    const narrow = got.warnings.filter((w) => w.code === 'module_below_minimum');
    assert.equal(narrow.length, 40);
    for (const { offset, line, column } of narrow) {
      const before = zpl.slice(0, offset);
      assert.deepEqual([line, column], [before.split('\n').length, offset - before.lastIndexOf('\n')]);
    }
    assert.ok(new Set(narrow.map((w) => w.line)).size === 21);
  });
  test('millions of lines are counted once for all narrow barcodes of a label', async () => {
    const { zpl } = hostileLabels.find(({ name }) => name === 'line-numbers');
    const began = processorSeconds(service.pid);
    const response = await post('/api/render/json?minModuleMm=1', zpl, plain);
    assert.equal((await response.json()).warnings.filter((w) => w.code === 'module_below_minimum').length, 3000);
    assert.ok(processorSeconds(service.pid) - began < (process.env.BUILD ? 30 : 5));
  });
  test('verify reads barcodes back in the confined renderer, and says what is wrong with them', async (t) => {
    const zpl = '^XA^FO50,50^BY2^BCN,80,N^FD12345^FS^FO50,300^BY2^BCN,80,N^FD12345^FS^FO70,290^GB60,100,60^FS^FO50,500^BXN,6,80^FD123456^FS^XZ';
    const got = await (await post('/api/render/json?verify=true', zpl, plain)).json(), [read, spoiled, , none] = got.labels[0].elements;
    if (read.reason) return t.skip('built without zxing-cpp');
    assert.deepEqual([read.decoded, read.decodedData, read.matches], [true, '12345', true]);
    assert.match(read.margin, /ink/);
    assert.equal(spoiled.decoded, false);
    assert.deepEqual([none.decoded, none.reason], [null, 'There is no reader for Data Matrix before ECC 200.']);
    assert.ok(got.warnings.some((w) => w.code === 'symbol_unreadable' && w.severity === 'error' && w.element === 1));
    const without = await (await post('/api/render/json', zpl, plain)).json();
    assert.equal(without.labels[0].elements[0].decoded, undefined);
  });
  test('strict sees blocked quiet zones and rules in every format; pictures alone are not checked', async () => {
    const zpl = '^XA^FO50,50^BY2^BEN,80^FD590123412345^FS^FO40,50^GB2,80,2^FS^XZ';
    assert.equal((await post('/api/render/png', zpl, plain)).status, 200);
    assert.equal((await post('/api/render/png', zpl, plain)).headers.get('x-warning-count'), null);
    const refused = await post('/api/render/png?strict=true', zpl, plain);
    assert.equal(refused.status, 400);
    assert.deepEqual((await refused.json()).warnings.map((w) => w.code), ['quiet_zone_blocked']);
    assert.equal((await post('/api/render/png?strict=true&rules=none', zpl, plain)).status, 200);
    const retail = await (await post('/api/render/json?rules=gs1-retail', zpl, plain)).json();
    assert.deepEqual(retail.warnings.map((w) => w.code), ['quiet_zone_blocked', 'bars_too_low']);
    assert.ok(retail.warnings.every((w) => w.element === 0 && w.missingMm > 0));
  });
  test('base64 has no elements', async () => {
    const got = await (await post('/api/render/base64', TWO, plain)).json();
    assert.equal(got.format, 'base64');
    assert.equal(got.labels.length, 2);
    assert.equal(got.labels[0].elements, undefined);
    assert.equal(typeof got.labels[1].data, 'string');
  });
  test('warnings have code, severity, place and sentence', async () => {
    const got = await (await post('/api/render/json?widthMm=20&heightMm=20', '^XA\n^FO10,10^GB50,50,5^FS\n  ^QQ^XZ', plain)).json();
    assert.equal(got.warnings.length, 1);
    const warning = got.warnings[0];
    assert.deepEqual([warning.code, warning.severity, warning.command, warning.line, warning.column, warning.label],
      ['unknown_command', 'warning', '^QQ', 3, 3, 0]);
    assert.deepEqual(got.labels[0].warnings, [warning]);
  });
  test('strict refuses warnings and lists them', async () => {
    for (const format of ['png', 'pdf', 'json']) {
      const body = await assertProblem(await post(`/api/render/${format}?strict=true`, '^XA^QQ^FO1,1^GB9,9,9^FS^XZ', plain), 400, 'warnings');
      assert.equal(body.warnings[0].code, 'unknown_command');
      const good = await post(`/api/render/${format}?strict=true`, LABEL, plain);
      assert.equal(good.status, 200);
      await good.arrayBuffer();
    }
  });
  test('strict looks at the whole input, also for a picture of one label', async () => {
    const zpl = `${LABEL}^XA^QQ^FO1,1^GB9,9,9^FS^XZ`;
    for (const format of ['png', 'webp', 'jpeg']) {
      const body = await assertProblem(await post(`/api/render/${format}?strict&page=0`, zpl, plain), 400, 'warnings', /there is 1 warning/);
      assert.deepEqual(body.warnings.filter((w) => w.severity !== 'info').map((w) => [w.code, w.label]), [['unknown_command', 1]]);
    }
  });
  test('a batch keeps its order', async () => {
    const zpl = Array.from({ length: 60 }, (_, i) => `^XA^FO10,10^A0N,40,40^FDlabel ${i}^FS^XZ`).join('');
    const got = await (await post('/api/render/json', zpl, plain)).json();
    assert.deepEqual(got.labels.map((l) => l.elements[0].text), Array.from({ length: 60 }, (_, i) => `label ${i}`));
  });
  test('many clients at once each get their own label', async () => {
    const requests = Array.from({ length: 100 }, async (_, i) => {
      const got = await (await post('/api/render/json', `^XA^FO10,10^A0N,40,40^FDclient ${i}^FS^XZ`, plain)).json();
      assert.equal(got.labels[0].elements[0].text, `client ${i}`);
    });
    await Promise.all(requests);
  });
  test('a zlib bomb stops at the size that it states, and beyond the limit it is not begun', async (t) => {
    const bomb = deflateSync(Buffer.alloc(200 << 20)).toString('base64');
    // A service of its own, since its memory tells what was unpacked.
    const own = await startService('platen');
    t.after(() => own.stop());
    const peakMiB = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${own.pid}/status`, 'utf8'))[1]) / 1024;
    const before = peakMiB();
    for (const [stated, found] of [[1000, ['crc_mismatch', 'graphic_data']], [99999999, ['limit_reached']]]) {
      const response = await fetch(`${own.url}/api/render/json`, { method: 'POST', headers: plain, body: `^XA^FO0,0^GFA,${stated},${stated},10,:Z64:${bomb}:0000^FS^FO5,5^GB9,9,9^FS^XZ` });
      assert.equal(response.status, 200);
      assert.deepEqual((await response.json()).warnings.filter((w) => w.severity !== 'info').map((w) => w.code), found, `${stated}`);
    }
    assert.ok(peakMiB() - before < 60, `${before} MiB, then ${peakMiB()}`);
  });
});

describe('the Labelary door', () => {
  const door = (path, options) => fetch(`${base}/v1/printers/${path}`, options);
  test('POST, as Labelary\'s own curl example sends it', async () => {
    const response = await door('8dpmm/labels/4x6/0/', {
      method: 'POST', body: '^xa^cfa,50^fo100,100^fdHello World^fs^xz', headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('x-total-count'), '1');
    const png = PNG.sync.read(await bytes(response));
    assert.deepEqual([png.width, png.height], [812, 1218]);
  });
  test('without the last slash, and with a form file', async () => {
    const form = new FormData();
    form.set('file', new Blob([LABEL]), 'a.zpl');
    assert.equal((await door('12dpmm/labels/4x2/0', { method: 'POST', body: form })).status, 200);
  });
  test('GET with the ZPL in the path', async () => {
    const response = await door(`8dpmm/labels/2x1/0/${encodeURIComponent(LABEL)}`);
    assert.equal(response.status, 200);
    assert.equal(PNG.sync.read(await bytes(response)).width, 406);
  });
  test('GET without an index: a PDF or the fields of all labels, also where the ZPL has slashes', async () => {
    const get = (code, accept) => door(`8dpmm/labels/2x1/${code}`, { headers: { Accept: accept } });
    const zpl = '^XA^FO5,5^FD1/2^FS^PQ2^XZ^XA^FO5,5^FDb^FS^XZ';
    for (const code of [encodeURIComponent(zpl), encodeURI(zpl)]) {
      const pdf = await get(code, 'application/pdf');
      assert.equal(pdf.status, 200);
      assert.equal(Number(/\/Count (\d+)/.exec((await bytes(pdf)).toString('latin1'))[1]), 3);
      const fields = await get(code, 'application/json');
      assert.equal(fields.headers.get('x-total-count'), '3');
      assert.deepEqual((await fields.json()).labels.map((l) => l.fields[0].data), ['1/2', '1/2', 'b']);
      const picture = await get(code, 'image/png');
      assert.equal(picture.status, 400);
      assert.match(await picture.text(), /^ERROR: .*index/);
    }
    for (const code of ['0', '0/']) {
      const none = await get(code, 'image/png');
      assert.equal(none.status, 400);
      assert.match(await none.text(), /^ERROR: .*without label code/);
    }
  });
  test('PDF of all labels without an index, of one with it', async () => {
    const pages = async (path) => {
      const pdf = await bytes(await door(path, { method: 'POST', body: TWO, headers: { ...plain, Accept: 'application/pdf' } }));
      return Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))[1]);
    };
    assert.equal(await pages('8dpmm/labels/4x6/'), 2);
    assert.equal(await pages('8dpmm/labels/4x6/1/'), 1);
  });
  test('JSON gives the fields', async () => {
    const got = await (await door('8dpmm/labels/4x6/0/', { method: 'POST', body: LABEL, headers: { ...plain, Accept: 'application/json' } })).json();
    assert.deepEqual(got.labels[0].fields.map((f) => f.data), ['Hello', '123456']);
  });
  test('X-Rotation, X-Quality, X-Linter', async () => {
    const response = await door('8dpmm/labels/4x6/0/', {
      method: 'POST', body: '^XA^QQ^FO10,10^GB50,50,5^FS^XZ', headers: { ...plain, 'X-Rotation': '90', 'X-Quality': 'Bitonal', 'X-Linter': 'On' },
    });
    const png = await bytes(response);
    assert.equal(png.readUInt8(24), 1);
    assert.equal(PNG.sync.read(png).width, 1218);
    assert.equal(response.headers.get('x-warnings'), '3|3|||Ignored unrecognized content');
    const quiet = await door('8dpmm/labels/4x6/0/', { method: 'POST', body: '^XA^QQ^FO10,10^GB50,50,5^FS^XZ', headers: plain });
    assert.equal(quiet.headers.get('x-warnings'), null);
    assert.equal((await bytes(quiet)).readUInt8(24), 8);
  });
  test('a label that is not there is 404 in plain text', async () => {
    const response = await door('8dpmm/labels/4x6/5/', { method: 'POST', body: LABEL, headers: plain });
    assert.equal(response.status, 404);
    assert.match(response.headers.get('content-type'), /^text\/plain/);
    assert.equal(await response.text(), 'ERROR: Requested 6th label but ZPL generated only 1 label');
    assert.equal((await door('8dpmm/labels/4x6/99999999999/', { method: 'POST', body: LABEL, headers: plain })).status, 404);
  });
  test('code that prints nothing is 404 in the words that clients look for', async () => {
    for (const accept of ['image/png', 'application/pdf', 'application/json']) {
      const response = await door('8dpmm/labels/4x6/0/', { method: 'POST', body: '^XA^XZ', headers: { ...plain, Accept: accept } });
      assert.equal(response.status, 404);
      assert.match(response.headers.get('content-type'), /^text\/plain/);
      assert.equal(await response.text(), 'ERROR: Requested 1st label but ZPL generated no labels');
    }
  });
  test('the recorded answers: places of fields, and the linter', async () => {
    const fields = await door('8dpmm/labels/4x6/0/', {
      method: 'POST', body: '^XA\n^FT50,50^A0,50^FDField 1^FS\n^XZ', headers: { ...plain, Accept: 'application/json' },
    });
    assert.equal(await fields.text(), '{"labels":[{"fields":[{"x":50,"y":50,"data":"Field 1"}]}]}');
    assert.equal(fields.headers.get('x-total-count'), '1');
    const linted = await door('8dpmm/labels/4x6/0/', {
      method: 'POST', body: '^XA^FO50,50^GB0,0,0^FS^XZ', headers: { ...plain, 'X-Linter': 'On' },
    });
    const words = 'Value 0 is less than minimum value 1; used 1 instead';
    assert.equal(linted.headers.get('x-warnings'), `18|1|^GB|3|${words}|14|1|^GB|1|${words}|16|1|^GB|2|${words}`);
    const thick = await door('8dpmm/labels/4x6/0/', {
      method: 'POST', body: '^XA^FO50,50^GB 9 ,1,3,,9^FS^GC2^FS^XZ', headers: { ...plain, 'X-Linter': 'On' },
    });
    assert.equal(thick.headers.get('x-warnings'),
      '18|1|^GB|2|Value 1 is less than minimum value 3; used 3 instead|23|1|^GB|5|Value 9 is greater than maximum value 8; used 0 instead'
      + '|30|1|^GC|1|Value 2 is less than minimum value 3; used 3 instead');
  });
  test('of several types in Accept the first counts', async () => {
    const type = async (accept) => (await door('8dpmm/labels/4x6/0/', { method: 'POST', body: LABEL, headers: { ...plain, Accept: accept } })).headers.get('content-type');
    assert.equal(await type('image/png, application/pdf'), 'image/png');
    assert.equal(await type('image/png;q=0.5, application/pdf, */*'), 'application/pdf');
  });
  test('bad density and size', async () => {
    assert.equal((await door('9dpmm/labels/4x6/0/', { method: 'POST', body: LABEL, headers: plain })).status, 400);
    assert.equal((await door('8dpmm/labels/0x6/0/', { method: 'POST', body: LABEL, headers: plain })).status, 400);
  });
});

describe('other routes', () => {
  test('commands for the page', async () => {
    const got = await (await fetch(`${base}/api/commands`)).json();
    const fo = got.find((c) => c.name === '^FO');
    assert.equal(fo.support, 'full');
    assert.ok(fo.parameters.length >= 2);
    assert.ok(got.length > 150);
  });
  test('printer models for the page are those that printerModel takes', async () => {
    const models = await (await fetch(`${base}/api/printer-models`)).json();
    assert.deepEqual(models.find(({ name }) => name === 'zq610plus-203'), { name: 'zq610plus-203', title: 'Zebra ZQ610 Plus, 203 dpi', dpmm: 8, headDots: 384, headMeasured: true, rfid: false, ribbon: false });
    assert.deepEqual(models.filter(({ longestMm }) => longestMm !== undefined).map(({ name, longestMm }) => [name, longestMm]), [['zt230-203', 991], ['zt230-300', 991], ['zt421-203', 2591]]);
    const document = await (await fetch(`${base}/openapi.json`)).json();
    assert.deepEqual(['none', ...models.map(({ name }) => name)], document.components.parameters.printerModel.schema.enum);
  });
  test('health names service and formats', async () => {
    const got = await (await fetch(`${base}/api/health`)).json();
    assert.equal(got.ok, true);
    assert.equal(got.service, 'platen');
    assert.deepEqual(got.formats, ['png', 'jpeg', 'webp', 'pdf', 'json', 'base64']);
    assert.equal(got.limits.labelsPerRequest, 500);
  });
  test('GET of a render route is 405 with Allow', async () => {
    const response = await fetch(`${base}/api/render/png`);
    assert.equal(response.status, 405);
    assert.match(response.headers.get('allow'), /POST/);
  });
  test('metrics count renders by format', async () => {
    const text = await (await fetch(`${base}/metrics`)).text();
    assert.match(text, /platen_renders_total\{format="png"\} [1-9]/);
  });
  test('no ZPL in the log', async () => {
    const response = await post('/api/render/png', '^XA^FO10,10^A0N,30,30^FDsecretaddress^FS^XZ', plain);
    await response.arrayBuffer();
    await until(() => service.output().includes(response.headers.get('x-request-id')));
    assert.doesNotMatch(service.output(), /secretaddress/);
    assert.match(service.output(), /"labels":1/);
  });
});
