// The discovery documents of the grain service: valid, whole, and every example works as printed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startService } from './service.js';

const run = promisify(execFile);
let service;
let openapi;
let llms;
let ajv;
before(async () => {
  service = await startService('hygro');
  openapi = await (await fetch(`${service.url}/openapi.json`)).json();
  llms = await (await fetch(`${service.url}/llms.txt`)).text();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(openapi, 'openapi');
});
after(() => service.stop());

const pointer = (...parts) => `openapi#/${parts.map((p) => p.replaceAll('~', '~0').replaceAll('/', '~1')).map(encodeURIComponent).join('/')}`;

function assertValid(value, ...parts) {
  const validate = ajv.getSchema(pointer(...parts));
  assert.ok(validate, `no schema at ${parts.join('/')}`);
  assert.ok(validate(value), `${JSON.stringify(value).slice(0, 300)}\n${ajv.errorsText(validate.errors)}`);
}

function assertSchema(value, name) {
  assertValid(value, 'components', 'schemas', name);
}

test('openapi.json passes the linter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hygro-openapi-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi));
    const { stdout, stderr } = await run('node_modules/.bin/redocly', ['lint', '--format=stylish', join(folder, 'openapi.json')], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    assert.doesNotMatch(stdout + stderr, /warning/i);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('openapi.json describes every route and no other', async () => {
  assert.equal(openapi.openapi, '3.1.0');
  const described = Object.entries(openapi.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  const served = [...llms.matchAll(/^- `(GET|POST) (\S+)`/gm)].map((m) => `${m[1]} ${m[2]}`);
  assert.deepEqual(described.sort(), served.sort());
});

test('examples of the request are answered by what the schema says', async () => {
  const operation = openapi.paths['/api/calculate'].post;
  const { examples } = operation.requestBody.content['application/json'];
  assert.ok(Object.keys(examples).length >= 4);
  for (const { value } of Object.values(examples)) {
    assertValid(value, 'paths', '/api/calculate', 'post', 'requestBody', 'content', 'application/json', 'schema');
    const response = await fetch(`${service.url}/api/calculate`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
    assert.equal(response.status, 200);
    assertValid(await response.json(), 'paths', '/api/calculate', 'post', 'responses', '200', 'content', 'application/json', 'schema');
  }
  const printed = operation.responses['200'].content['application/json'].example;
  const answer = await fetch(`${service.url}/api/calculate?grain=corn&ta=25&ur=70`);
  assert.deepEqual(await answer.json(), printed);
});

test('answers of all routes fit their schemas', async () => {
  const get = async (path) => (await fetch(service.url + path)).json();
  assertSchema(await get('/api/grains'), 'Grains');
  assertSchema(await get('/api/table?grain=corn'), 'Table');
  assertSchema(await get('/api/table?grain=soja&set=chung-pfost-d245.4&taUnit=F&basis=dry&x=1'), 'Table');
  assertSchema(await get('/api/health'), 'HealthResponse');
  for (const query of ['', 'grain=corn', 'grain=corn&ta=x&ur=1', 'grain=corn&ta=25&ur=100', 'grain=cron&ta=25&ur=1', 'grain=corn&ta=25&ur=1&set=x', 'grain=ear-corn&ta=-30&ur=9'])
    assertSchema(await get(`/api/calculate?${query}`), 'CalculationError');
  assertSchema(await get('/nothing'), 'ErrorResponse');
  assert.throws(() => assertSchema({ ok: true }, 'Result'), /required/); // the check can fail
});

// Each block of shell commands, with the block of JSON that follows it when one does.
function examples() {
  return [...llms.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g)].map((m) => ({ command: m[1].trim(), expected: m[2]?.trim() }));
}

test('every curl example of llms.txt works as printed', async () => {
  const list = examples();
  assert.ok(list.length >= 9, `${list.length} examples`);
  for (const { command, expected } of list) {
    assert.match(command, /^curl -s /);
    const { stdout } = await run('bash', ['-c', command.replaceAll('http://127.0.0.1:8081', service.url)]);
    if (expected !== undefined) {
      assert.equal(stdout, expected, command);
      const answer = JSON.parse(stdout);
      for (const item of [answer].flat()) assertSchema(item, item.ok ? 'Result' : 'CalculationError');
    } else if (command.includes('format=csv')) {
      assert.match(stdout, /^ta_C\\ur_%,10,15,/);
    } else {
      assert.equal(JSON.parse(stdout).ok, true, command);
    }
  }
});

test('llms.txt names every field, code and culture', async () => {
  for (const field of Object.keys(openapi.components.schemas.Calculation.properties)) assert.ok(llms.includes(`\`${field}\``), field);
  for (const code of openapi.components.schemas.CalculationError.properties.code.enum) assert.ok(llms.includes(code), code);
  for (const id of openapi.components.schemas.GrainId.enum) assert.ok(llms.includes(id), id);
});

test('documents have an ETag', async () => {
  for (const path of ['/openapi.json', '/llms.txt', '/api/grains']) {
    const first = await fetch(service.url + path);
    await first.arrayBuffer();
    assert.equal((await fetch(service.url + path, { headers: { 'If-None-Match': first.headers.get('etag') } })).status, 304, path);
  }
});
