// What the service answers beside what openapi.json promises: every route and format, each status that a request can bring about, types, headers,
// bodies and examples. Whatever is answered must be described, and whatever is described of these must be answered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startService } from './service.js';

const LABEL = '^XA^FO50,50^A0N,60,60^FDHello^FS^FO50,150^BY2^BCN,100,Y,N,N^FD123456^FS^XZ';
const ODD = '^XA^QQ^FO700,50^BY3^BCN,100^FD123456^FS^FO50,50^GB300,200,5^FS^FO60,60^FR^GC99,9^FS^FO9,9^GE99,50,3^FS^FO9,9^GD50,50,3^FS'
  + '^FO50,400^FB90,1^A0N,40^FDtoo long for its block^FS^FO50,500^GFA,8,8,1,FF00FF00FF00FF00^FS^PQ2^XZ^XA^FO50,50^BQN,2,5^FDQA,x^FS^XZ';
const RECALLED = '^XA^DFR:F.ZPL^FS^FO50,50^A0N,40^FN1^FS^XZ^XA^XFR:F.ZPL^FS^FN1^FDfilled in^FS^XZ';

let openapi;
let service;
let ajv;
const seen = new Set();

before(async () => {
  service = await startService('platen');
  openapi = await (await fetch(`${service.url}/openapi.json`)).json();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'api', ...openapi });
});
after(() => service.stop());

const resolve = (node) => (node?.$ref ? node.$ref.slice(2).split('/').reduce((at, key) => at[key], openapi) : node);
const pointer = (parts) => `api#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

function validate(place, value, what) {
  const check = ajv.compile({ $ref: pointer(place) });
  assert.ok(check(value), `${what}: ${JSON.stringify(check.errors?.slice(0, 4))}\n${JSON.stringify(value)?.slice(0, 1500)}`);
}

function send(base, method, path, { headers = {}, body } = {}) {
  return new Promise((done, fail) => {
    const request = http.request(base + path, { method, headers: { ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }), ...headers } }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      if (/^text\/event-stream/.test(response.headers['content-type'])) { // it has no end
        done({ status: response.statusCode, headers: response.headers, body: Buffer.alloc(0) });
        request.destroy();
        return;
      }
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** Asks, and holds the answer against the operation of that path. */
async function ask(server, method, route, path, options = {}) {
  const operation = openapi.paths[route]?.[method.toLowerCase()];
  assert.ok(operation, `${method} ${route} is described`);
  const answer = await send(server.url, method, path, options);
  const what = `${method} ${path}: ${answer.status}`;
  const key = operation.responses[answer.status] ? String(answer.status) : 'default';
  const described = resolve(operation.responses[key]);
  assert.ok(described, `${what} is not described`);
  seen.add(`${method} ${route} ${answer.status}`);
  for (const [name, header] of Object.entries(described.headers ?? {})) {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) continue;
    const { schema } = resolve(header);
    const check = ajv.compile(schema);
    assert.ok(check(schema.type === 'integer' || schema.type === 'number' ? Number(value) : value), `${what}: ${name}: ${value}`);
    seen.add(`${method} ${route} ${name}`);
  }
  for (const name of ['content-disposition', 'x-total-count', 'x-warnings', 'x-warning-count', 'x-label-width-mm', 'x-label-height-mm', 'retry-after']) {
    const listed = Object.keys(described.headers ?? {}).map((known) => known.toLowerCase());
    if (answer.headers[name] !== undefined) assert.ok(listed.includes(name), `${what}: the header ${name} is not described`);
  }
  if (answer.body.length === 0 && answer.status === 304) return answer;
  const type = answer.headers['content-type'].split(';')[0];
  if (described.content) {
    assert.ok(described.content[type], `${what}: ${type} is not described, only ${Object.keys(described.content)}`);
    seen.add(`${method} ${route} ${answer.status} ${type}`);
    if (type === 'application/json') {
      const place = operation.responses[key].$ref ? operation.responses[key].$ref.slice(2).split('/') : ['paths', route, method.toLowerCase(), 'responses', key];
      validate([...place, 'content', type, 'schema'], JSON.parse(answer.body), what);
    }
  }
  return answer;
}

const text = { 'Content-Type': 'text/plain' };
const RENDER = '/api/render';
const FORMAT = '/api/render/{format}';
const DOOR = '/v1/printers/{dpmm}dpmm/labels/{w}x{h}';

describe('every answer is as described', () => {
  test('all formats of both render routes, with and without warnings, smooth, turned, with checks', async () => {
    for (const format of resolve(openapi.paths[FORMAT].post.parameters[0]).schema.enum) {
      for (const query of ['', '?quality=grayscale&rotation=90', '?minModuleMm=0.5&copies=collapse', '?bogus=1&download&filename=x', '?dpmm=11.5&widthMm=50&heightMm=20', '?size=auto']) {
        for (const body of [LABEL, ODD]) {
          assert.equal((await ask(service, 'POST', FORMAT, `/api/render/${format}${query}`, { headers: text, body })).status, 200);
          assert.equal((await ask(service, 'POST', RENDER, `/api/render${query}${query ? '&' : '?'}format=${format}`, { headers: text, body })).status, 200);
        }
      }
    }
  });

  test('the answers of the two JSON formats fit one of the two schemas, not both', async () => {
    for (const [format, schema, other] of [['json', 'JsonResult', 'Base64Result'], ['base64', 'Base64Result', 'JsonResult']]) {
      const value = JSON.parse((await ask(service, 'POST', FORMAT, `/api/render/${format}`, { headers: text, body: ODD })).body);
      validate(['components', 'schemas', schema], value, format);
      assert.equal(ajv.compile({ $ref: `api#/components/schemas/${other}` })(value), false);
    }
  });

  test('all properties of an element and of a finding occur', async () => {
    const value = JSON.parse((await ask(service, 'POST', FORMAT, '/api/render/json?minModuleMm=0.5&verify=true', { headers: text, body: `${ODD}^XA^FO10,^A0N,x^FDa^FS^XZ${RECALLED}^XA^FO9,9^BXN,6,80^FD123456^FS${'^FO9,400^GB9,9,9^FS'.repeat(20)}^FO300,300^BQN,2,5^FDQA,a^FS^XZ^XA^FO20,20^BXN,8,200^FDABCDEFGHIJKL^FS^FO60,60^GB12,12,12^FS^XZ` })).body);
    const elements = value.labels.flatMap((label) => label.elements);
    const { Element, Diagnostic } = openapi.components.schemas;
    assert.deepEqual(Object.keys(Element.properties).filter((name) => !elements.some((element) => name in element)), []);
    assert.deepEqual(Element.properties.type.enum.filter((type) => !elements.some((element) => element.type === type)), []);
    const checked = JSON.parse((await ask(service, 'POST', '/api/check', '/api/check?colour=red', { headers: text, body: '^XA^FO0,20^BEN,9,Y^FD5901234123450^FS^XZ' })).body);
    const findings = [...value.warnings, ...checked.findings];
    assert.deepEqual(Object.keys(Diagnostic.properties).filter((name) => !findings.some((finding) => name in finding)), []);
    assert.equal(checked.warnings.length, 1);
  });

  test('checking, and its refusals', async () => {
    const json = { 'Content-Type': 'application/json' };
    for (const [status, headers, body] of [[200, text, 'no label'], [400, json, '{"zpl":"^XA^XZ","data":[]}'], [400, json, '{'], [413, text, LABEL.repeat(501)], [415, { 'Content-Type': 'image/png' }, LABEL]])
      assert.equal((await ask(service, 'POST', '/api/check', '/api/check', { headers, body })).status, status, body.slice(0, 30));
  });

  test('refusals of the render routes', async () => {
    const wanted = [
      [400, '/api/render/png?widthMm=0', { headers: text, body: LABEL }], [400, '/api/render/gif', { headers: text, body: LABEL }],
      [400, '/api/render/png?strict', { headers: text, body: ODD }], [400, '/api/render/png?page=9', { headers: text, body: LABEL }],
      [400, '/api/render/json', { headers: { 'Content-Type': 'application/json' }, body: '{"zpl":1}' }],
      [413, '/api/render/png', { headers: text, body: '^XA^FDx^FS^XZ'.repeat(501) }],
      [414, `/api/render/png?x=${'x'.repeat(20000)}`, { headers: text, body: LABEL }],
      [415, '/api/render/png', { headers: { 'Content-Type': 'image/png' }, body: LABEL }],
      [415, '/api/render/png', { headers: { ...text, 'Content-Encoding': 'br' }, body: LABEL }],
      [431, '/api/render/png', { headers: { ...text, 'X-Long': 'x'.repeat(20000) }, body: LABEL }],
    ];
    for (const [status, path, options] of wanted) {
      assert.equal((await ask(service, 'POST', FORMAT, path, options)).status, status, path.slice(0, 60));
    }
  });

  test('comparing, and its refusals', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const wanted = [[200, { a: LABEL, b: ODD, picture: true, bogus: 1 }], [200, { a: `${LABEL}${RECALLED}`, b: LABEL, size: 'auto' }], [400, { a: LABEL }], [400, { a: LABEL, b: '' }],
      [413, { a: LABEL.repeat(501), b: LABEL }]];
    const changes = [];
    for (const [status, value] of wanted) {
      const answer = await ask(service, 'POST', '/api/compare', '/api/compare', { headers, body: JSON.stringify(value) });
      assert.equal(answer.status, status);
      if (status === 200) changes.push(...JSON.parse(answer.body).labels.flatMap((label) => label.changes ?? []));
    }
    assert.ok(changes.length > 3);
    assert.equal((await ask(service, 'POST', '/api/compare', '/api/compare', { headers: text, body: LABEL })).status, 415);
  });

  test('batches: every kind of answer, each line as described, and refusals', async () => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const body = [{ id: 'a', zpl: LABEL }, { zpl: ODD, format: 'json', bogus: 1 }, { id: 'b', zpl: '' }].map((line) => `${JSON.stringify(line)}\n`).join('');
    for (const answer of openapi.paths['/api/batch'].post.parameters[0].schema.enum) {
      const got = await ask(service, 'POST', '/api/batch', `/api/batch?errors=skip&answer=${answer}&more=1`, { headers, body });
      assert.equal(got.status, 200);
      if (answer !== 'ndjson') continue;
      for (const line of got.body.toString().trim().split('\n')) validate(['components', 'schemas', 'BatchLine'], JSON.parse(line), line.slice(0, 200));
    }
    assert.equal((await ask(service, 'POST', '/api/batch', '/api/batch?answer=x', { headers, body })).status, 400);
    assert.equal((await ask(service, 'POST', '/api/batch', '/api/batch', { headers: text, body })).status, 415);
  });

  test('conversions: code, tables, pictures, fonts, and label code at the Labelary door', async () => {
    const post = (path, query, headers, body) => ask(service, 'POST', path, `${path}${query}`, { headers: { ...text, ...headers }, body });
    const json = { Accept: 'application/json' }, picture = 'P1 8 1 10101010', font = readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf');
    for (const [query, headers] of [['?targetDpmm=12&bogus=1', {}], ['', json], ['?action=explain', {}], ['?action=explain&table=json', {}], ['?action=extract', {}],
      ['?action=extract&table=csv', {}], ['?toLanguage=epl', {}]]) assert.equal((await post('/api/zpl', query, headers, LABEL)).status, 200);
    assert.equal((await post('/api/zpl', '?action=x', {}, LABEL)).status, 400);
    for (const path of ['/api/image', '/v1/graphics']) {
      for (const headers of [{}, json]) assert.equal((await post(path, '?bogus=1', headers, picture)).status, 200);
      assert.equal((await post(path, '', {}, 'no picture')).status, 400);
    }
    for (const path of ['/api/font', '/v1/fonts']) {
      assert.equal((await post(path, '?bogus=1&chars=A', {}, font)).status, 200);
      assert.equal((await post(path, '', {}, 'no font')).status, 400);
      assert.equal((await post(path, '?chars=A', json, font)).status, 200);
    }
    const headers = { ...text, Accept: 'application/zpl', 'X-Formatter': 'On' };
    assert.equal((await ask(service, 'POST', `${DOOR}/{index}`, '/v1/printers/8dpmm/labels/4x6/0', { headers, body: LABEL })).status, 200);
    assert.equal((await ask(service, 'GET', `${DOOR}/{index}/{zpl}`, `/v1/printers/8dpmm/labels/4x6/0/${encodeURIComponent(LABEL)}`, { headers })).status, 200);
    assert.equal((await ask(service, 'POST', DOOR, '/v1/printers/8dpmm/labels/4x6', { headers, body: LABEL })).status, 200);
  });

  test('keys, rates and deadlines', async () => {
    const dir = mkdtempSync('/tmp/platen-keys-');
    writeFileSync(`${dir}/keys`, 'secret\n');
    const guarded = await startService('platen', ['--api-key-file', `${dir}/keys`, '--rate-limit', '1', '--rate-burst', '2', '--render-timeout', '1ms']);
    try {
      const key = { 'X-API-Key': 'secret' };
      assert.equal((await ask(guarded, 'POST', FORMAT, '/api/render/png', { headers: text, body: LABEL })).status, 401);
      assert.equal((await ask(guarded, 'GET', '/metrics', '/metrics')).status, 401);
      assert.equal((await ask(guarded, 'GET', '/api/health', '/api/health')).status, 200);
      const statuses = new Set();
      for (let i = 0; i < 6; i++) {
        statuses.add((await ask(guarded, 'POST', FORMAT, '/api/render/pdf?widthMm=300&heightMm=300&dpmm=24&quality=grayscale', { headers: { ...text, ...key }, body: LABEL })).status);
      }
      assert.deepEqual([...statuses].sort(), [429, 503]);
    } finally {
      await guarded.stop();
      rmSync(dir, { recursive: true });
    }
  });

  test('virtual printers', async () => {
    const real = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => real.once('listening', resolve));
    const host = `127.0.0.1:${real.address().port}`;
    real.unref(); // whatever happens, the runner does not wait for it
    const printing = await startService('platen', ['--printer', 'name=dock,listen=127.0.0.1:0', '--print-to', host]);
    const asks = (status, method, rest, options, route = rest) => ask(printing, method, `/api/printers/{name}${route}`, `/api/printers/dock${rest}`, options)
      .then((answer) => assert.equal(answer.status, status, `${method} ${rest}`));
    try {
      assert.equal((await ask(printing, 'GET', '/api/printers', '/api/printers')).status, 200);
      await asks(202, 'POST', '/print', { headers: text, body: LABEL });
      await asks(200, 'GET', '/labels/next?after=0&timeout=20', {}, '/labels/next');
      await asks(200, 'GET', '', {});
      await asks(200, 'GET', '/labels', {});
      for (const type of ['png', 'pdf', 'zpl', 'json']) await asks(200, 'GET', `/labels/1.${type}`, {}, '/labels/{file}');
      await asks(404, 'GET', '/labels/7.png', {}, '/labels/{file}');
      await asks(202, 'POST', `/labels/1/print-to?host=${host}`, {}, '/labels/{seq}/print-to');
      assert.equal((await ask(printing, 'POST', '/api/print', `/api/print?host=${host}`, { headers: text, body: LABEL })).status, 202);
      assert.equal((await ask(printing, 'POST', '/api/print', '/api/print?host=10.0.0.1:9100', { headers: text, body: LABEL })).status, 403);
      await asks(200, 'PUT', '/state', { headers: { 'Content-Type': 'application/json' }, body: '{"paused":true}' });
      await asks(400, 'PUT', '/state', { headers: { 'Content-Type': 'application/json' }, body: '{"paused":1}' });
      await asks(200, 'GET', '/events', {});
      await asks(200, 'DELETE', '/memory', {});
      await asks(200, 'POST', '/reset', {});
      await asks(200, 'DELETE', '/labels', {});
      assert.equal((await ask(printing, 'GET', '/api/printers/events', '/api/printers/events')).status, 200);
      assert.equal((await ask(printing, 'GET', '/api/printers/{name}', '/api/printers/none')).status, 404);
    } finally {
      await printing.stop();
      real.close();
    }
  });

  test('Labelary\'s addresses', async () => {
    for (const accept of ['image/png', 'application/pdf', 'application/json']) {
      const headers = { ...text, Accept: accept, 'X-Linter': 'On' };
      for (const body of [LABEL, ODD]) {
        assert.equal((await ask(service, 'POST', `${DOOR}/{index}`, '/v1/printers/8dpmm/labels/4x6/0', { headers, body })).status, 200);
        assert.equal((await ask(service, 'GET', `${DOOR}/{index}/{zpl}`, `/v1/printers/8dpmm/labels/4x6/0/${encodeURIComponent(body)}`, { headers })).status, 200);
        assert.equal((await ask(service, 'POST', DOOR, '/v1/printers/8dpmm/labels/4x6', { headers, body })).status, accept === 'image/png' ? 400 : 200);
      }
      assert.equal((await ask(service, 'POST', `${DOOR}/{index}`, '/v1/printers/8dpmm/labels/4x6/7', { headers, body: LABEL })).status, 404);
      assert.equal((await ask(service, 'GET', `${DOOR}/{index}/{zpl}`, `/v1/printers/8dpmm/labels/4x6/7/${encodeURIComponent(LABEL)}`, { headers })).status, 404);
      assert.equal((await ask(service, 'POST', `${DOOR}/{index}`, '/v1/printers/9dpmm/labels/4x6/0', { headers, body: LABEL })).status, 400);
    }
  });

  test('messages of assistants', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const post = async (body, more) => (await ask(service, 'POST', '/mcp', '/mcp', { headers: { ...headers, ...more }, body })).status;
    assert.equal(await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'), 200);
    assert.equal(await post('{'), 400);
    assert.equal(await post('{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}', { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'x' }), 404);
    assert.equal(await post('{}', { Accept: 'text/html' }), 406);
    assert.equal(await post('{}', { 'Content-Type': 'text/plain' }), 415);
  });

  test('the documents, health, metrics and the page', async () => {
    for (const path of Object.keys(openapi.paths).filter((route) => openapi.paths[route].get && !route.includes('{') && !route.startsWith('/api/printers'))) {
      const answer = await ask(service, 'GET', path, path);
      assert.equal(answer.status, 200, path);
      if (answer.headers.etag) assert.equal((await ask(service, 'GET', path, path, { headers: { 'If-None-Match': answer.headers.etag } })).status, 304, path);
    }
  });

  test('every type that a 200 is described with has been answered', () => {
    for (const [route, item] of Object.entries(openapi.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        for (const type of Object.keys(operation.responses['200']?.content ?? {})) {
          assert.ok(seen.has(`${method.toUpperCase()} ${route} 200 ${type}`), `${method} ${route} never answered ${type}`);
        }
        for (const header of Object.keys(operation.responses['200']?.headers ?? {})) {
          assert.ok(seen.has(`${method.toUpperCase()} ${route} ${header}`), `${method} ${route} never sent ${header}`);
        }
      }
    }
  });
});

describe('for code generators', () => {
  test('examples are valid and are rendered', async () => {
    for (const route of [RENDER, FORMAT, '/api/compare']) {
      for (const [type, media] of Object.entries(openapi.paths[route].post.requestBody.content)) {
        for (const { value } of Object.values(media.examples ?? {})) {
          validate(['paths', route, 'post', 'requestBody', 'content', type, 'schema'], value, `the example of ${route} ${type}`);
          const body = type === 'application/json' ? JSON.stringify(value) : value;
          assert.equal((await ask(service, 'POST', route, route.replace('{format}', 'json'), { headers: { 'Content-Type': type }, body })).status, 200);
        }
      }
    }
  });
  test('operations have names of their own, and no operation two parameters of one name', () => {
    const names = Object.values(openapi.paths).flatMap((item) => Object.values(item)).map((operation) => operation.operationId);
    assert.equal(new Set(names).size, names.length);
    for (const [route, item] of Object.entries(openapi.paths)) {
      for (const operation of Object.values(item)) {
        const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter).name);
        assert.equal(new Set(parameters).size, parameters.length, `${route}: ${parameters}`);
        const inPath = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
        assert.deepEqual((operation.parameters ?? []).map(resolve).filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name).sort(), inPath.sort());
      }
    }
  });
  test('the defaults are what the service does without the control', async () => {
    const properties = Object.entries(openapi.components.schemas.RenderRequest.properties).filter(([, schema]) => 'default' in schema);
    assert.ok(properties.length > 6);
    const plain = await ask(service, 'POST', RENDER, '/api/render?time=2026-01-01', { headers: text, body: ODD });
    for (const [name, schema] of properties) {
      validate(['components', 'schemas', 'RenderRequest', 'properties', name], schema.default, name);
      const same = await ask(service, 'POST', RENDER, `/api/render?time=2026-01-01&${name}=${schema.default}`, { headers: text, body: ODD });
      assert.ok(same.body.equals(plain.body), name);
      assert.equal(same.headers['content-disposition'], plain.headers['content-disposition'], name);
    }
  });
});
