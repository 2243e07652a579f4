// The discovery documents of the grain service: valid, whole, and every example works as printed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
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
    const { stdout, stderr } = await run('node_modules/.bin/redocly', ['lint', '--skip-rule=operation-4xx-response', '--format=stylish', join(folder, 'openapi.json')], {
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

// The schema that openapi.json gives for an answer: by path, method, status (or default) and media type.
function responseSchema(path, method, status, type) {
  const responses = openapi.paths[path]?.[method]?.responses;
  assert.ok(responses, `${method} ${path} is not described`);
  const key = [String(status), 'default'].find((k) => k in responses);
  assert.ok(key, `${method} ${path} does not describe ${status}`);
  const name = responses[key].$ref?.replace('#/components/responses/', '');
  const content = name === undefined ? responses[key].content : openapi.components.responses[name].content;
  if (type === null) return assert.equal(content, undefined, `${path} ${status}`);
  assert.ok(content?.[type], `${method} ${path} ${status} does not describe ${type}`);
  return name === undefined ? ['paths', path, method, 'responses', key, 'content', type, 'schema'] : ['components', 'responses', name, 'content', type, 'schema'];
}

// Asks and holds the answer against the document; gives the status.
async function described(method, target, options = {}) {
  const response = await fetch(service.url + target, { method: method.toUpperCase(), ...options });
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0] ?? null;
  const schema = responseSchema(target.split('?')[0], method, response.status, type);
  if (schema) assertValid(type === 'application/json' ? JSON.parse(text) : text, ...schema);
  return response.status;
}

test('every route answers as openapi.json describes it: each status, media type and body', async () => {
  const json = { 'Content-Type': 'application/json' };
  const corn = { grain: 'corn', ta: 25, ur: 70 };
  const seen = new Set();
  const see = async (status, method, target, options) => {
    assert.equal(await described(method, target, options), status, `${method} ${target} ${options?.body ?? ''}`.slice(0, 200));
    seen.add(`${method} ${target.split('?')[0]} ${status}`);
  };
  const post = (status, body, headers = json) => see(status, 'post', '/api/calculate', { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), headers });

  const grains = await (await fetch(`${service.url}/api/grains`)).json();
  for (const { id, sets } of grains.grains) {
    for (const set of sets) {
      for (const basis of ['wet', 'dry']) {
        for (const rest of [{ ta: 25, ur: 70 }, { ta: -5, taUnit: 'F', ur: 99.99, lang: 'pt' }, { ta: 50, moisture: 14 }, { ta: '20,5', moisture: '8', colour: 1 }]) {
          const fields = { grain: id, set: set.id, basis, ...rest };
          const body = JSON.stringify([fields]);
          assertValid(await (await fetch(`${service.url}/api/calculate`, { method: 'POST', headers: json, body })).json(), ...responseSchema('/api/calculate', 'post', 200, 'application/json'));
          const status = await described('get', `/api/calculate?${new URLSearchParams(fields)}`);
          assert.ok(status === 200 || status === 400);
        }
      }
      await see(200, 'get', `/api/table?grain=${id}&set=${set.id}&taUnit=F&basis=dry`);
    }
  }
  await post(200, corn);
  await post(200, []);
  await post(200, [corn, {}, null, 7, { ...corn, ur: 0 }, { ...corn, grain: 'cron' }, { ...corn, set: 'x' }, { ...corn, moisture: 3 }]);
  for (const bad of ['', '{', '7', '{}', '{"grain":7}', { ...corn, ta: 'x' }, { ...corn, ta: 81 }, { ...corn, lang: 'xx' }, { ...corn, model: 'x' }]) await post(400, bad);
  await post(413, Array(10001).fill({}));
  await post(413, ' '.repeat(9 << 20));
  await post(415, corn, { 'Content-Type': 'text/html' });
  await post(415, gzipSync(JSON.stringify(corn)), { ...json, 'Content-Encoding': 'br' });
  await see(200, 'get', '/api/calculate?grain=corn&ta=25&ur=70');
  await see(400, 'get', '/api/calculate?grain=corn&ta=25&ta=26&ur=70');
  await see(400, 'get', '/api/calculate?grain=%00');
  await see(414, 'get', `/api/calculate?grain=${'x'.repeat(20000)}`);
  for (const query of ['', '?grain=corn&format=x', '?grain=corn&format=csv&format=json', '?grain=corn&decimal=x', '?grain=corn&set=x', '?grain=corn&lang=x']) await see(400, 'get', `/api/table${query}`);
  await see(200, 'get', '/api/table?grain=corn&format=csv');
  await see(200, 'get', '/api/table?grain=corn&ta=25&x=1');
  for (const path of ['/api/grains', '/openapi.json', '/llms.txt']) {
    await see(200, 'get', path);
    const etag = (await fetch(service.url + path)).headers.get('etag');
    await see(304, 'get', path, { headers: { 'If-None-Match': etag } });
  }
  for (const query of ['ta=20&ur=50', 'ta=68&taUnit=F&wetBulb=60&altitude=900&fanHeat=3&grain=arroz&lang=es', 'ta=-5&dewPoint=-9&grain=wheat', 'ta=25&ur=100&grain=corn']) await see(200, 'get', `/api/air?${query}`);
  for (const query of ['', 'ta=20', 'ta=20&ur=0', 'ta=20&ur=5&wetBulb=3', 'ta=20&ur=50&grain=cafe', 'ta=20&ur=50&grain=corn&set=x', 'ta=x&ur=1&lang=pt']) await see(400, 'get', `/api/air?${query}`);
  for (const { id } of grains.grains) for (const moisture of [6, 14, 25, 45]) await see(200, 'get', `/api/keeping?grain=${id}&ta=15&moisture=${moisture}`);
  for (const query of ['', 'grain=corn', 'grain=corn&ta=20&moisture=0', 'grain=x&ta=20&moisture=14', 'grain=corn&ta=20&moisture=14&damage=99', 'grain=ear-corn&ta=-25&moisture=14']) await see(400, 'get', `/api/keeping?${query}`);
  for (const query of ['grain=corn&moisture=14&grainTa=20', 'grain=soja&ta=25&ur=70&lang=pt', 'grain=canola&moisture=9&grainTa=10&ta=30&ur=80&taUnit=F', 'grain=ear-corn&moisture=20&grainTa=-5']) await see(200, 'get', `/api/verdict?${query}`);
  for (const query of ['', 'grain=corn', 'grain=corn&moisture=x&grainTa=1', 'grain=corn&ta=20']) await see(400, 'get', `/api/verdict?${query}`);
  for (const query of ['from=18&to=13', 'from=18&to=13&grain=corn', 'from=22&to=15&basis=dry&mass=30,5&x=1', 'from=10&to=12']) await see(200, 'get', `/api/shrink?${query}`);
  for (const query of ['', 'from=18', 'from=18&to=101', 'from=18&to=13&basis=moist', 'from=18&to=13&mass=0']) await see(400, 'get', `/api/shrink?${query}`);
  const csv = { 'Content-Type': 'text/csv' };
  const season = 'time,temperature,humidity\n1,25,70\n2,20,100\n3,x,80\n';
  await see(200, 'post', '/api/hours?grain=corn', { body: season, headers: csv });
  await see(200, 'post', '/api/hours?grain=milho&moisture=14&grainTa=10&fanHeat=2&hold=0,5&lang=pt&x=1', { body: season, headers: csv });
  await see(200, 'post', '/api/hours?grain=corn&detail=none', { body: 'temp_f;rh\n77;70', headers: csv });
  await see(400, 'post', '/api/hours?grain=corn&detail=none', { body: 'temp_f;rh', headers: csv });
  await see(200, 'post', '/api/hours?grain=corn', { body: 'date;temp_c;rh\n2024-06-01;25;70\n2024-06-02;25;70', headers: csv });
  await see(200, 'post', '/api/hours?grain=corn&moisture=18&grainTa=10&goal=dry&airflow=1&target=15', { body: 'time,temp,rh\n2024-06-01 00:00,15,60\n2024-06-01 01:00,15,60\n2024-06-01 04:00,15,60\n', headers: csv });
  await see(400, 'post', '/api/hours?grain=corn', { body: 'time,Outside temp,Inside hum\n1,15,60\n', headers: csv });
  await see(400, 'post', '/api/hours?grain=corn', { body: 'time,temp,rh\n1,x,60\n', headers: csv });
  await see(200, 'post', '/api/hours?grain=corn&format=csv&decimal=comma', { body: season, headers: csv });
  for (const query of ['', '?grain=corn&strict=true', '?grain=corn&format=x', '?grain=x', '?grain=corn&moisture=x', '?grain=corn&strict=perhaps']) await see(400, 'post', `/api/hours${query}`, { body: season, headers: csv });
  await see(400, 'post', '/api/hours?grain=corn', { body: 'nothing', headers: csv });
  await see(413, 'post', '/api/hours?grain=corn', { body: `t,ur\n${'25,70\n'.repeat(100001)}`, headers: csv });
  await see(415, 'post', '/api/hours?grain=corn', { body: '{}', headers: { 'Content-Type': 'application/json' } });
  const message = (status, body, headers = {}) => see(status, 'post', '/mcp', { body, headers: { ...json, ...headers } });
  await message(200, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  await message(202, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await message(400, '{');
  await message(400, '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'MCP-Protocol-Version': '1' });
  await message(404, '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}', { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'x' });
  await message(406, '{}', { Accept: 'text/html' });
  await message(413, ' '.repeat(9 << 20));
  await message(415, '{}', { 'Content-Type': 'text/plain' });
  await see(200, 'get', '/api/health');
  await see(200, 'get', '/metrics');
  await see(200, 'get', '/');
  await see(200, 'get', '/?grain=nothing&ta=x');
  for (const [path, item] of Object.entries(openapi.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      for (const status of Object.keys(operation.responses).filter((s) => /^\d+$/.test(s) && s !== '503'))
        assert.ok(seen.has(`${method} ${path} ${status}`), `${method} ${path} ${status} is described and was never seen`);
    }
  }
});

test('with keys asked for, 401 is answered as described', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hygro-keys-'));
  writeFileSync(join(folder, 'keys'), 'a-key-that-is-long-enough-0123456789\n');
  const guarded = await startService('hygro', ['--api-key-file', join(folder, 'keys')]);
  try {
    for (const path of Object.keys(openapi.paths)) {
      const open = openapi.paths[path].get?.security?.some((s) => Object.keys(s).length === 0) ?? false;
      const method = openapi.paths[path].get ? 'get' : 'post';
      const answer = await fetch(guarded.url + path, { method: method.toUpperCase() });
      const text = await answer.text();
      assert.equal(answer.status === 401, !open, `${path}: ${answer.status}`);
      if (!open) assertValid(JSON.parse(text), ...responseSchema(path, method, 401, 'application/json'));
    }
  } finally {
    await guarded.stop();
    rmSync(folder, { recursive: true });
  }
});

test('every command of the pages about Hygro works as printed', async () => {
  const lines = ['docs/hygro.md', 'docs/hygro-api.md', 'README.md'].flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap((m) => m[1].split('\n')).filter((line) => /^(build\/)?hygro (calc|air|keeping|shrink|verdict) /.test(line)));
  assert.ok(lines.length >= 7, `${lines.length}`);
  for (const line of lines) {
    const { stdout, stderr } = await run('bash', ['-c', line.replace(/^(build\/)?hygro/, `${process.env.BUILD || 'build'}/hygro`)]);
    assert.ok(stdout.length > 10, line);
    assert.equal(stderr, '', line);
  }
});

test('the table of scores in docs/hygro-constants.md is what the program computes', async () => {
  const { stdout } = await run(`${process.env.BUILD || 'build'}/hygro`, ['calc', '--scores']);
  assert.ok(readFileSync('docs/hygro-constants.md', 'utf8').includes(stdout), 'run hygro calc --scores and put its table into docs/hygro-constants.md');
});

test('the curl example of the README works as printed', async () => {
  const commands = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((m) => m[1].replaceAll('\\\n', ' ').split('\n')).filter((line) => line.startsWith('curl ') && line.includes('127.0.0.1:8081'));
  assert.ok(commands.length >= 1);
  for (const command of commands) {
    const { stdout } = await run('bash', ['-c', command.replaceAll('http://127.0.0.1:8081', service.url)]);
    assertSchema(JSON.parse(stdout), 'Result');
  }
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
    const { stdout } = await run('bash', ['-c', command]);
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

test('answers to GET may be cached, refusals and POST may not; with API keys only by the client', async () => {
  const QUERIES = ['/api/calculate?grain=corn&ta=25&ur=70', '/api/table?grain=corn', '/api/air?ta=25&ur=60', '/api/keeping?grain=corn&grainTa=15&moisture=18', '/api/verdict?grain=corn&moisture=14&grainTa=20', '/api/shrink?from=18&to=13'];
  const cached = async (path, init, at = service) => {
    const answer = await fetch(at.url + path, init);
    await answer.arrayBuffer();
    return answer.headers.get('cache-control');
  };
  for (const path of QUERIES) assert.equal(await cached(path), 'max-age=3600', path);
  for (const path of ['/', '/api/grains', '/openapi.json', '/llms.txt', '/style.css']) assert.equal(await cached(path), 'no-cache', path);
  assert.equal((await fetch(service.url)).headers.get('vary'), 'Accept-Language');
  for (const path of ['/api/calculate?grain=corn&ta=25&ur=170', '/api/table', '/api/health', '/metrics']) assert.equal(await cached(path), 'no-store', path);
  assert.equal(await cached('/api/calculate', { method: 'POST', body: '{"grain":"corn","ta":25,"ur":70}' }), 'no-store');
  assert.equal((await fetch(`${service.url}/api/table?grain=corn`)).headers.get('vary'), 'Accept');
  const folder = mkdtempSync(join(tmpdir(), 'hygro-'));
  writeFileSync(join(folder, 'keys'), 'a-long-enough-key\n', { mode: 0o600 });
  const guarded = await startService('hygro', ['--api-key-file', join(folder, 'keys')]);
  try {
    assert.equal(await cached(QUERIES[0], { headers: { 'X-API-Key': 'a-long-enough-key' } }, guarded), 'private, max-age=3600');
    assert.equal(await cached(QUERIES[0], {}, guarded), 'no-store');
  } finally {
    await guarded.stop();
    rmSync(folder, { recursive: true });
  }
});

test('documents have an ETag', async () => {
  for (const path of ['/openapi.json', '/llms.txt', '/api/grains']) {
    const first = await fetch(service.url + path);
    await first.arrayBuffer();
    assert.equal((await fetch(service.url + path, { headers: { 'If-None-Match': first.headers.get('etag') } })).status, 304, path);
  }
});
