// Platen's discovery documents: they agree with the code, their examples work as printed, and answers conform to the schema.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { startService } from './service.js';

let service;
let openapi;
let validators;
before(async () => {
  service = await startService('platen');
  openapi = await (await fetch(`${service.url}/openapi.json`)).json();
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema({ $id: 'api', ...openapi });
  validators = (name) => ajv.compile({ $ref: `api#/components/schemas/${name}` });
});
after(() => service.stop());

const document = async (path) => (await fetch(service.url + path)).text();
const conforms = (name, value) => {
  const validate = validators(name);
  assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(value).slice(0, 2000)}`);
};

describe('the documents', () => {
  test('OpenAPI is valid for a strict linter', () => {
    const dir = mkdtempSync(join(tmpdir(), 'platen-'));
    try {
      writeFileSync(join(dir, 'openapi.json'), JSON.stringify(openapi));
      execFileSync('node_modules/.bin/redocly', ['lint', join(dir, 'openapi.json')], { stdio: 'pipe', env: { ...process.env, REDOCLY_TELEMETRY: 'off' } });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
  test('OpenAPI has exactly the routes of the code', async () => {
    const listed = [...(await document('/llms-full.txt')).matchAll(/^- `([A-Z]+) (\S+)`/gm)].map((m) => `${m[1]} ${m[2].replace('*}', '}')}`);
    const described = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.keys(item).filter((k) => ['get', 'post', 'put', 'delete'].includes(k)).map((method) => `${method.toUpperCase()} ${path}`));
    assert.deepEqual([...described].sort(), [...new Set(listed)].sort());
  });
  test('every response schema is the one the service keeps: health and errors', async () => {
    conforms('HealthResponse', await (await fetch(`${service.url}/api/health`)).json());
    conforms('ErrorResponse', await (await fetch(`${service.url}/nowhere`)).json());
  });
});

describe('the documentation at /docs/', () => {
  test('/docs leads there, relative so that it works under a sub-path', async () => {
    const answer = await fetch(`${service.url}/docs`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.statusText, answer.headers.get('location')], [308, 'Permanent Redirect', 'docs/']);
  });
  // It said so of Hygro, too, which has none.
  test('README names it for the service that has it, and for no other', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.deepEqual(readme.match(/.{0,30}\/docs\/`/g)?.map((place) => /`(\w+) serve` shows it at/.exec(place)?.[1]), ['platen']);
  });
  test('its pages are served under the strict policy, with their pictures and the search', async () => {
    for (const [name, type] of [['', 'text/html'], ['api.html', 'text/html'], ['search.json', 'application/json'], ['search.js', 'text/javascript'], ['style.css', 'text/css'], ['images/page.png', 'image/png']]) {
      const answer = await fetch(`${service.url}/docs/${name}`);
      assert.equal(answer.status, 200, name);
      assert.ok(answer.headers.get('content-type').startsWith(type), name);
      if (type === 'text/html') assert.match(answer.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'; style-src 'self'/);
      await answer.arrayBuffer();
    }
    assert.equal((await fetch(`${service.url}/docs/nowhere.html`)).status, 404);
  });
});

// Runs the shell examples of a text with the service's own address.
function shellExamples(text) {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((m) => m[1]).filter((code) => code.includes('curl'));
}

describe('examples work as printed', () => {
  let dir;
  before(() => { dir = mkdtempSync(join(tmpdir(), 'platen-')); });
  after(() => rmSync(dir, { recursive: true }));
  const run = (program, args) => execFileSync(program, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] }).toString();

  for (const [name, load] of [['llms.txt', () => document('/llms.txt')], ['llms-full.txt', () => document('/llms-full.txt')]]) {
    test(`curl examples of ${name}`, async () => {
      const examples = shellExamples(await load());
      assert.ok(examples.length > 0);
      for (const example of examples) {
        // Each command of a block, with lines that are continued.
        for (const command of example.replace(/\\\n/g, ' ').split('\n').filter((line) => line.startsWith('curl') && line.includes(service.url))) {
          const local = command.replace('curl -s', 'curl -sS --fail-with-body');
          const output = run('bash', ['-c', local]);
          const file = /-o (\S+)/.exec(command);
          if (file) assert.ok(statSync(join(dir, file[1])).size > 100, command);
          else assert.ok(output.length > 20, command);
        }
      }
    });
  }
  test('the JavaScript example', async () => {
    const code = /```js\n([\s\S]*?)```/.exec(await document('/llms-full.txt'))[1];
    writeFileSync(join(dir, 'example.mjs'), code);
    assert.match(run('node', ['example.mjs']), /^1 \[/);
  });
  test('the Python example', async (t) => {
    try {
      execFileSync('python3', ['--version'], { stdio: 'ignore' });
    } catch {
      t.skip('no python3 here');
      return;
    }
    const code = /```python\n([\s\S]*?)```/.exec(await document('/llms-full.txt'))[1];
    writeFileSync(join(dir, 'example.py'), code);
    assert.match(run('python3', ['example.py']), /1 page/);
  });
  test('the C example program uses only the public header and draws what the service draws', async () => {
    const zpl = '^XA^FO50,50^A0N,60,60^FDHello^FS^XZ';
    const png = execFileSync(resolve(process.env.BUILD || 'build', 'example_render'), { input: zpl });
    const served = await fetch(`${service.url}/api/render/png`, { method: 'POST', body: zpl, headers: { 'Content-Type': 'text/plain' } });
    assert.ok(png.equals(Buffer.from(await served.arrayBuffer())));
  });
});

// Whatever is thrown at the service, the answer is one of the documented ones.
describe('random requests', () => {
  const piece = fc.oneof(
    fc.constantFrom('^XA', '^XZ', '^FS', '^FO50,50', '^FT10,200', '^A0N,30,30', '^AD', '^FDtext^FS', '^FD12345678^FS', '^BCN,50,Y', '^BQN,2,3', '^BXN,4,200',
      '^B7N,5,3', '^BY2', '^GB100,50,3^FS', '^GC40,2^FS', '^FB200,3', '^FR', '^PQ2', '^LH10,10', '^CI28', '^FH', '^FN1', '^XFR:A.ZPL', '^DFR:A.ZPL', '^GFA,8,8,1,FF00FF00FF00FF00^FS',
      '~DGR:X.GRF,8,1,FFFFFFFFFFFFFFFF', '^XGR:X.GRF,2,2^FS', '^SN1,1,Y', '^POI', '^LRY', '^MUM', '^CFA,20', '\n', ',', '~'),
    fc.string({ maxLength: 12 }));
  // A field that prints, so that most labels show something.
  const field = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 1300 }),
    fc.constantFrom('^A0N,30,30', '^ADR', '^BCN,50,Y', '^BY3^B3N,N,40,Y', '^BQN,2,3', '^BXN,4,200', '^B7N,5,3', '^BEN,60', '^BON,4', '^FB200,2,0,C', '^FR^A0I,20,20'),
    fc.oneof(fc.constantFrom('12345678', 'HELLO', 'QA,hello', 'é漢'), fc.string({ maxLength: 20 })))
    .map(([x, y, command, data]) => `^FO${x},${y}${command}^FD${data}^FS`);
  const loose = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
  const label = fc.array(fc.oneof(field, field, piece), { maxLength: 12 }).map((parts) => `^XA${parts.join('')}^XZ`);
  const zpl = fc.oneof(loose, label, label, fc.tuple(label, label).map((pair) => pair.join('')));
  const value = fc.oneof(fc.constantFrom('0', '1', '8', '12', '24', '100', '-1', '1e9', 'true', 'false', '', 'x', '90', 'bitonal', 'grayscale', 'collapse', '2026-01-01'), fc.string({ maxLength: 6 }));
  const query = fc.dictionary(fc.constantFrom('widthMm', 'heightMm', 'dpmm', 'page', 'rotation', 'quality', 'copies', 'strict', 'download', 'filename', 'jpegQuality',
    'time', 'minModuleMm', 'width', 'index', 'other'), value, { maxKeys: 4 });
  const format = fc.constantFrom('png', 'jpeg', 'webp', 'pdf', 'json', 'base64', 'gif');
  const documented = new Set(['200', '400', '413', '414', '415', '431', '503']);

  test('every answer is documented and conforms to the schema', async () => {
    let barcodes = 0;
    await fc.assert(fc.asyncProperty(zpl, query, format, fc.boolean(), async (code, controls, output, asJson) => {
      const path = `${service.url}/api/render/${output}?${new URLSearchParams(controls)}`;
      const response = await fetch(path, asJson
        ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ zpl: code, ...(controls.page ? { page: Number(controls.page) } : {}) }) }
        : { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: code });
      assert.ok(documented.has(String(response.status)), `status ${response.status}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) {
        conforms('ErrorResponse', JSON.parse(bytes));
      } else if (output === 'json') {
        const result = JSON.parse(bytes);
        conforms('JsonResult', result);
        barcodes += result.labels.flatMap((l) => l.elements).filter((e) => e.type === 'barcode').length;
      } else if (output === 'base64') {
        conforms('Base64Result', JSON.parse(bytes));
      } else {
        const magic = { png: '\x89PNG', jpeg: '\xff\xd8\xff', webp: 'RIFF', pdf: '%PDF' }[output];
        assert.equal(bytes.toString('latin1', 0, magic.length), magic);
      }
    }), { numRuns: 400, endOnFailure: true });
    assert.ok(barcodes > 0, 'no barcode was seen');
  });
});
