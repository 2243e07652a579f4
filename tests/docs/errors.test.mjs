// Every error code that docs/api.md lists is provoked, and has the status that the page gives. Codes that need a broken part are provoked by the tests
// that their rows name.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startService } from '../api/service.js';
import { until } from '../api/lib/until.js';
import { raw, startPrinters } from '../printer/printer.js';
import { page } from './pages.mjs';
import { statements } from './proofs.mjs';

const LABEL = '^XA^FO9,9^GB9,9,9^FS^XZ';
const KEY = '0123456789abcdef0123456789abcdef';
const OWN = 'tests/docs/errors.test.mjs';
const keys = `${fs.mkdtempSync('/tmp/errors-')}/keys`;

let open, tight, impatient, limited, guarded;
const services = () => [open, tight, impatient, limited, guarded];
before(async () => {
  fs.writeFileSync(keys, `${KEY}\n`);
  [open, tight, impatient, limited, guarded] = await Promise.all([
    startPrinters(['dock'], ['--browser-print', 'on', '--max-labels', '3', '--max-uri', '1KiB', '--max-header', '16KiB', '--print-to', '127.0.0.1:1', '--printer-pages', 'on']),
    startService('platen', ['--log', 'off', '--max-body', '4KiB', '--render-timeout', '1ms']),
    startService('platen', ['--log', 'off', '--header-timeout', '100ms', '--body-timeout', '100ms']),
    startService('platen', ['--log', 'off', '--rate-limit', '1', '--rate-burst', '1']),
    startService('platen', ['--api-key-file', keys]),
  ]);
});
after(async () => {
  await Promise.all(services().map((service) => service?.stop()));
  fs.rmSync(keys.replace(/\/keys$/, ''), { recursive: true });
});

/** An answer to `POST` (or what `options` say) as status and code. */
async function ask(service, path, body = LABEL, type = 'text/plain', options = {}) {
  const response = await fetch(service.url + path, { method: 'POST', body, ...options, headers: { ...(type && { 'Content-Type': type }), ...options.headers } });
  const text = await response.text();
  // Each line of a batch has its own problem; Labelary's errors are a sentence.
  const line = /^\s*\{/.test(text) ? text.split('\n').map((each) => each && JSON.parse(each)).find((each) => each.ok === false) : undefined;
  return { status: line?.status ?? response.status, code: line?.code, text };
}
/** The same for bytes that no client would send. */
async function bytes(service, text, how = { open: true, until: (got) => /"code":"/.test(got) }) {
  const got = (await raw(Number(new URL(service.url).port), text, how)).toString();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(got)?.[1]), code: /"code":"(\w+)"/.exec(got)?.[1], text: got };
}
const json = (service, path, value, options) => ask(service, path, JSON.stringify(value), 'application/json', options);
const head = (line, fields = 'Host: localhost\r\n') => `${line}\r\n${fields}\r\n`;
const get = 'GET /api/health HTTP/1.1';
const form = (...parts) => parts.reduce((data, [name, value]) => (data.append(name, value), data), new FormData());
const many = (count, one) => Array.from({ length: count }, (_, i) => one(i)).join('');
/** Of many at once the first that was refused for their number. */
const refusedOf = async (count, one) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => one(i)));
  return answers.find(({ status }) => status === 429) ?? answers[0];
};

const WAYS = {
  invalid_json: () => ask(open, '/api/render', '[]', 'application/json'),
  invalid_parameter: () => ask(open, '/api/render?dpmm=99'),
  conflicting_parameter: () => ask(open, '/api/render?widthMm=1&widthMm=2'),
  unknown_parameter: () => ask(open, '/api/printers/dock/memory?objct=E:*.*', undefined, '', { method: 'DELETE', body: undefined }),
  unknown_format: [() => ask(open, '/api/render/gif'), async () => {
    await ask(open, '/api/printers/dock/print');
    await open.next();
    return ask(open, '/api/printers/dock/labels/1.gif', undefined, '', { method: 'GET', body: undefined });
  }],
  missing_zpl: () => ask(open, '/api/render', ''),
  missing_parameter: () => ask(open, '/api/print'),
  missing_file: () => ask(open, '/api/image', form(['bare', 'true']), ''),
  no_documents: () => ask(open, '/api/batch', '\n', 'application/x-ndjson'),
  no_data: () => ask(open, '/zpl', 'x=1', 'application/x-www-form-urlencoded'),
  url_not_supported: () => ask({ url: `http://127.0.0.1:${open.ports.dock}` }, '/write', JSON.stringify({ device: { uid: 'dock' }, url: 'http://127.0.0.1/a.zpl' })),
  unknown_device: () => ask({ url: `http://127.0.0.1:${open.ports.dock}` }, '/write', JSON.stringify({ device: { uid: 'none' }, data: '~HS' })),
  no_labels: () => ask(open, '/api/render', 'x'),
  page_out_of_range: () => ask(open, '/api/render?page=1'),
  warnings: () => ask(open, '/api/render?strict=true', '^XA^QQ^FO9,9^GB9,9,9^FS^XZ'),
  missing_value: () => json(open, '/api/render', { zpl: '^XA^FO9,9^A0N,30^FD{{name}}^FS^XZ', data: { other: 'x' } }),
  duplicate_id: () => ask(open, '/api/batch', many(2, () => `${JSON.stringify({ id: 'a', zpl: LABEL })}\n`), 'application/x-ndjson'),
  invalid_utf8: () => ask(open, '/api/render', Buffer.from(`\ufeff${LABEL}`, 'utf16le')),
  not_label_code: () => ask(open, '/api/printers/dock/print', JSON.stringify({ zpl: LABEL })),
  invalid_zip: () => ask(open, '/api/batch', 'x', 'application/zip'),
  invalid_form: () => ask(open, '/api/render', 'zpl=%5', 'application/x-www-form-urlencoded'),
  invalid_multipart: [() => ask(open, '/api/render', 'x', 'multipart/form-data; boundary=b'), () => ask(open, '/api/render', form(...Array.from({ length: 100 }, (_, i) => [`x${i}`, 'y'])), '')],
  bad_gzip: () => ask(open, '/api/render', 'x', 'text/plain', { headers: { 'Content-Encoding': 'gzip' } }),
  bad_chunk: () => bytes(open, head('POST /api/render HTTP/1.1', 'Host: localhost\r\nTransfer-Encoding: chunked\r\n') + 'z\r\n'),
  bad_target: () => bytes(open, head('GET /%zz HTTP/1.1')),
  bad_request_line: () => bytes(open, head('GET')),
  bad_header: () => bytes(open, head(get, 'Host: localhost\r\nno colon\r\n')),
  folded_header: () => bytes(open, head(get, 'Host: localhost\r\nX: a\r\n b\r\n')),
  repeated_header: () => bytes(open, head(get, 'Host: localhost\r\nHost: localhost\r\n')),
  bad_host: () => bytes(open, head(get, 'Host: a b\r\n')),
  missing_host: () => bytes(open, head(get, '')),
  bad_bytes: () => bytes(open, 'GET / HTTP/1.1\nHost: localhost\n\n'),
  bad_content_length: () => bytes(open, head('POST /api/render HTTP/1.1', 'Host: localhost\r\nContent-Length: x\r\n')),
  ambiguous_length: () => bytes(open, head('POST /api/render HTTP/1.1', 'Host: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n')),
  unauthorized: () => ask(guarded, '/api/render'),
  host_not_allowed: [() => bytes(open, head(get, 'Host: labels.example\r\n')), () => ask(open, '/api/print?host=127.0.0.1:2')],
  other_origin: () => ask(open, '/api/render', LABEL, 'text/plain', { headers: { Origin: 'https://shop.example' } }),
  not_found: () => ask(open, '/nothing'),
  no_printer: () => ask(open, '/api/printers/none/print'),
  no_label: () => ask(open, '/api/printers/dock/labels/999.png', undefined, '', { method: 'GET', body: undefined }),
  page_not_found: async () => { // the access log has the code
    const { status, text } = await ask(guarded, '/v1/printers/8dpmm/labels/4x6/7/', LABEL, 'application/x-www-form-urlencoded', { headers: { 'X-API-Key': KEY } });
    assert.match(text, /^ERROR: /);
    await until(() => /"status":404,.*"code"/.test(guarded.output()), 'the line of the access log');
    return { status, text, code: /"status":404,.*"code":"(\w+)"/.exec(guarded.output())[1] };
  },
  refused: [() => ask(open, '/zpl', 'data=%5EXA%5EFDnever', 'application/x-www-form-urlencoded'), async () => {
    const { lastSeq } = await open.printer();
    return ask(open, `/api/printers/dock/labels/${lastSeq}.png`, undefined, '', { method: 'GET', body: undefined });
  }],
  method_not_allowed: () => ask(open, '/api/render', undefined, '', { method: 'PUT', body: undefined }),
  not_acceptable: () => json(open, '/mcp', {}, { headers: { Accept: 'text/html' } }),
  header_timeout: () => bytes(impatient, 'GET /'),
  body_timeout: () => bytes(impatient, head('POST /api/render HTTP/1.1', 'Host: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n')),
  length_required: () => bytes(open, head('POST /api/render HTTP/1.1')),
  body_too_large: () => ask(tight, '/api/render', 'x'.repeat(5000)),
  json_too_large: () => ask(open, '/api/printers/dock/state', `{"a":[${many(200001, () => '1,')}1]}`, 'application/json', { method: 'PUT' }),
  limit_exceeded: () => ask(open, '/api/render', LABEL.repeat(4)),
  uri_too_long: () => ask(open, `/api/render?filename=${'a'.repeat(2000)}`),
  unsupported_media_type: () => ask(open, '/api/render', LABEL, 'text/xml'),
  unsupported_coding: () => ask(open, '/api/render', gzipSync(LABEL), 'text/plain', { headers: { 'Content-Encoding': 'br' } }),
  expectation_failed: () => bytes(open, head(get, 'Host: localhost\r\nExpect: a wonder\r\n')),
  transfer_encoding: () => bytes(open, head('POST /api/render HTTP/1.1', 'Host: localhost\r\nTransfer-Encoding: gzip\r\n')),
  version_not_supported: () => bytes(open, head('GET / HTTP/2.0')),
  rate_limited: () => refusedOf(30, () => ask(limited, '/nothing', 'x')),
  too_many_wrong_keys: () => refusedOf(60, (i) => ask(guarded, '/api/render', LABEL, 'text/plain', { headers: { 'X-API-Key': `${KEY}${i}` } })),
  headers_too_large: () => bytes(open, head(get, `Host: localhost\r\nX: ${'a'.repeat(20000)}\r\n`)),
  too_many_headers: () => bytes(open, head(get, `Host: localhost\r\n${many(300, (i) => `X${i}: a\r\n`)}`)),
  render_timeout: () => ask(tight, '/api/render/pdf?widthMm=300&heightMm=300&dpmm=24&quality=grayscale', '^XA^FO9,9^GC4000,9^FS^FO99,99^GD5000,5000,9^FS^XZ'),
};

const rows = statements(page('docs/api.md').text).filter(({ header }) => header?.[0] === 'status' && header[1] === 'code');
const codesOf = (row) => [...row.cells[1].matchAll(/`(\w+)`/g)].map((m) => m[1]);

test('every way is for a code of the page', () => {
  const listed = new Set(rows.flatMap(codesOf));
  assert.deepEqual(Object.keys(WAYS).filter((code) => !listed.has(code)), []);
});

for (const row of rows) {
  const elsewhere = row.proofs.filter((proof) => !proof.startsWith(OWN)).map((proof) => fs.readFileSync(proof.split(' ')[0], 'utf8'));
  test(`codes in line ${row.line} of docs/api.md: ${codesOf(row).join(', ')}`, async () => {
    const documented = row.cells[0].split(', ').map(Number), seen = new Set();
    let proven = false;
    for (const code of codesOf(row)) {
      if (!WAYS[code]) {
        assert.ok(elsewhere.some((text) => new RegExp(`["'\`]${code}["'\`]`).test(text)), `${code} is neither provoked here nor in the tests that its row names`);
        proven = true; // with its status, there
      }
      for (const way of [WAYS[code] ?? []].flat()) {
        const answer = await way();
        assert.equal(answer.code, code, `${answer.status} ${answer.text?.slice(0, 300)}`);
        assert.ok(documented.includes(answer.status), `${code} comes with ${answer.status}; the page says ${row.cells[0]}`);
        seen.add(answer.status);
      }
    }
    if (!proven) assert.deepEqual(documented.filter((status) => !seen.has(status)), [], `statuses that were not seen with ${codesOf(row)}`);
  });
}
