// Generators of clients read both OpenAPI descriptions; all that they make compiles, and every client calls every operation of the services.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { startService } from '../api/service.js';

const run = promisify(execFile);
const HERE = path.resolve('tests/generators');
const OUT = path.join(HERE, 'out');
const bin = (name) => path.join(HERE, 'node_modules/.bin', name);
const at = (name, ...rest) => path.join(OUT, name, ...rest);

const GENERATORS = {
  'openapi-typescript': (s) => ['openapi-typescript', at(s, 'openapi.json'), '-o', at(s, 'types.ts')],
  'swagger-typescript-api': (s) => ['swagger-typescript-api', '-p', at(s, 'openapi.json'), '-o', at(s, 'swagger'), '-n', 'api.ts'],
  'hey-api': (s) => ['openapi-ts', '-i', at(s, 'openapi.json'), '-o', at(s, 'hey'), '-c', '@hey-api/client-fetch'],
  orval: (s) => ['orval', '--input', at(s, 'openapi.json'), '--output', at(s, 'orval.ts'), '--client', 'axios-functions'],
  oazapfts: (s) => ['oazapfts', at(s, 'openapi.json'), at(s, 'oazapfts.ts')],
  'openapi-zod-client': (s) => ['openapi-zod-client', at(s, 'openapi.json'), '-o', at(s, 'zod.ts')],
};

const LABEL = '^XA^FO20,20^A0N,40^FDHello^FS^XZ';
const CSV = 'time,temperature,humidity\n00:00,20,85\n01:00,25,60\n';
const file = (text) => new File([text], 'label');
const picture = { body: { file: file('P1 8 1 10101010') } };
const font = () => ({ query: { chars: 'A' }, body: { file: file(readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf')) } });
const size = { dpmm: 8, w: 2, h: 1 };
const dock = { path: { name: 'dock' } };
let made = 0;
/** What each operation is called with; nothing for those that need nothing. */
const callsOf = (host) => ({
  render: { body: { zpl: LABEL } }, renderFormat: { path: { format: 'png' }, body: { zpl: LABEL } }, check: { body: { zpl: LABEL } }, compare: { body: { a: LABEL, b: LABEL } }, zpl: { body: { zpl: LABEL, action: 'minify' } },
  image: picture, labelaryGraphics: picture, font: font(), labelaryFonts: font(), batch: { body: { file: [file(LABEL)] }, query: { answer: 'zip' } },
  labelaryLabel: { path: { ...size, index: 0 }, body: { file: file(LABEL) } }, labelaryAll: { path: size, body: { file: file(LABEL) }, headers: { Accept: 'application/pdf' } },
  labelaryGet: { path: { ...size, index: 0, zpl: LABEL } },
  makePrinter: { body: { name: `made-${++made}` } }, // each client makes one
  printerPrint: { ...dock, body: LABEL }, printerNext: { ...dock, query: { after: 0, timeout: 60 } }, printer: dock, printerLabels: dock,
  printerLabel: { path: { name: 'dock', file: 'latest.png' } }, printerPrintTo: { path: { name: 'dock', seq: 'latest' }, query: { host } }, print: { query: { host }, body: LABEL },
  printerState: { ...dock, body: { paused: false } }, printerForget: dock, printerClear: dock, printerReset: dock, printerEvents: dock,
  mcp: { body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  calculate: { body: { grain: 'corn', ta: 25, ur: 70 } }, calculateByQuery: { query: { grain: 'corn', ta: 25, ur: 70 } }, getTable: { query: { grain: 'corn' } }, getAir: { query: { ta: 25, ur: 60 } },
  getKeeping: { query: { grain: 'corn', grainTa: 15, moisture: 18 } }, getVerdict: { query: { grain: 'corn', moisture: 14, grainTa: 20 } }, getShrink: { query: { from: 18, to: 13 } },
  postHours: { query: { grain: 'corn' }, body: { file: file(CSV) } },
});
// A label must be printed before it is asked for.
const FIRST = ['printerPrint', 'printerNext', 'printerLabel', 'printerPrintTo'];
const rank = ({ operationId }) => (FIRST.includes(operationId) ? FIRST.indexOf(operationId) : FIRST.length);

let sink;
const services = {};
const documents = {};
before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  sink = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  services.platen = await startService('platen', ['--printer', `name=dock,listen=127.0.0.1:0${';listen=127.0.0.1:0,spare=on'.repeat(12)}`, '--print-to', `127.0.0.1:${sink.address().port}`]);
  services.hygro = await startService('hygro');
  for (const [name, { url }] of Object.entries(services)) {
    documents[name] = await (await fetch(`${url}/openapi.json`)).json();
    mkdirSync(at(name), { recursive: true });
    writeFileSync(at(name, 'openapi.json'), JSON.stringify(documents[name]));
  }
});
after(async () => {
  for (const service of Object.values(services)) await service.stop();
  sink.close();
  rmSync(OUT, { recursive: true, force: true });
});

for (const [name, command] of Object.entries(GENERATORS)) {
  test(`${name} makes clients of both descriptions`, async () => {
    await Promise.all(Object.keys(services).map((service) => {
      const [program, ...args] = command(service);
      return run(bin(program), args, { cwd: HERE });
    }));
  });
}

test('all clients compile', async () => {
  await run('node_modules/.bin/tsc', ['-p', path.join(HERE, 'tsconfig.json')]).catch((error) => assert.fail(error.stdout));
});

/** [operation, route, method] in an order that works. */
const operationsOf = (service) => Object.entries(documents[service].paths)
  .flatMap(([route, item]) => Object.entries(item).map(([method, operation]) => [operation, route, method.toUpperCase()]))
  .sort(([a], [b]) => rank(a) - rank(b));

function form(body) {
  const data = new FormData();
  for (const [name, value] of Object.entries(body)) for (const item of [value].flat()) data.append(name, item, 'label');
  return data;
}

async function bundled(source, name) {
  const outfile = at('bundles', `${name}.mjs`);
  await build({ stdin: { contents: source, resolveDir: HERE }, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } });
  return import(outfile);
}

/** `unable`: operations that the generator cannot call. */
async function callAll(service, call, unable = []) {
  const calls = callsOf(`127.0.0.1:${sink.address().port}`);
  const failed = [];
  for (const [operation, route, method] of operationsOf(service)) {
    const response = await call(operation.operationId, route, method, calls[operation.operationId] ?? {}, Object.keys(operation.requestBody?.content ?? {})[0], operation);
    if (unable.includes(operation.operationId) && !response.ok) continue;
    if (!response.ok) failed.push(`${operation.operationId}: ${response.status} ${await response.text().catch(() => '')}`);
    await response.body?.cancel().catch(() => undefined); // events have no end
  }
  assert.deepEqual(failed, []);
}

const has = ({ parameters = [] }, place) => parameters.some((node) => resolved(node).in === place);
const required = ({ parameters = [] }) => parameters.map(resolved).filter((parameter) => parameter.in === 'query' && parameter.required);
const hasOptional = ({ parameters = [] }) => parameters.map(resolved).some((parameter) => !parameter.required);
const resolved = (node) => (node.$ref ? Object.values(documents).map(({ components }) => components.parameters?.[node.$ref.split('/').at(-1)]).find(Boolean) : node);
const inOrder = (route, values) => [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => values[name]);

/** Runs a call of a client that hides the answer, and tells which it was. An event stream has no end: the client gets an empty one. */
async function answered(call) {
  const real = globalThis.fetch;
  let last;
  globalThis.fetch = async (...args) => {
    const response = await real(...args);
    const events = /^text\/event-stream/.test(response.headers.get('content-type'));
    const bytes = events ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer());
    if (events) await response.body.cancel();
    last = { ok: response.ok, status: response.status, text: async () => bytes.toString() };
    return new Response(bytes, { status: response.status, headers: response.headers });
  };
  try {
    await call();
  } catch (error) {
    if (last?.ok !== false) throw error;
  } finally {
    globalThis.fetch = real;
  }
  return last;
}

for (const service of ['platen', 'hygro']) {
  test(`openapi-fetch calls every operation of ${service}`, async () => {
    const { default: createClient } = await bundled('export { default } from "openapi-fetch"', 'openapi-fetch');
    const client = createClient({ baseUrl: services[service].url });
    await callAll(service, async (id, route, method, { path: inPath, query, body, headers }, type) => {
      const options = { params: { path: inPath, query }, parseAs: 'stream', headers: { ...headers } };
      if (type) options.body = body;
      if (type === 'multipart/form-data') options.bodySerializer = form;
      else if (type === 'text/plain') Object.assign(options, { bodySerializer: (text) => text, headers: { 'Content-Type': type } });
      return (await client[method](route, options)).response;
    });
  });

  test(`the client of hey-api calls every operation of ${service}`, async () => {
    const sdk = await bundled(`export * from ${JSON.stringify(at(service, 'hey', 'sdk.gen.ts'))}; export { client } from ${JSON.stringify(at(service, 'hey', 'client.gen.ts'))};`, `hey-${service}`);
    sdk.client.setConfig({ baseUrl: services[service].url });
    await callAll(service, async (id, route, method, options) => (await sdk[id]({ ...options, parseAs: 'stream' })).response);
  });

  test(`the client of swagger-typescript-api calls every operation of ${service}`, async () => {
    const { Api } = await bundled(`export { Api } from ${JSON.stringify(at(service, 'swagger', 'api.ts'))};`, `swagger-${service}`);
    const api = new Api({ baseUrl: services[service].url });
    await callAll(service, (id, route, method, { path: inPath, query, body, headers }, type, operation) => answered(() => {
      const call = [api, ...Object.values(api)].find((group) => typeof group?.[id] === 'function')[id]; // a group may have the name of its operation
      const given = has(operation, 'query') ? [query] : [];
      if (type) given.splice(required(operation).length ? 1 : 0, 0, body);
      return call(...inOrder(route, inPath), ...given, { headers });
    }), ['labelaryLabel', 'labelaryAll', 'labelaryGet']); // it does not see two parameters in '{w}x{h}'
  });

  test(`the client of oazapfts calls every operation of ${service}`, async () => {
    const client = await bundled(`export * from ${JSON.stringify(at(service, 'oazapfts.ts'))};`, `oazapfts-${service}`);
    client.defaults.baseUrl = services[service].url;
    await callAll(service, (id, route, method, { path: inPath, query, body, headers }, type, operation) => answered(() =>
      // What is required comes one by one, the rest as an object.
      client[id](...inOrder(route, inPath), ...required(operation).map(({ name }) => query[name]), ...(type ? [body] : []), ...(hasOptional(operation) ? [query] : []), { headers })));
  });

  test(`the client of orval calls every operation of ${service}`, async () => {
    const client = await bundled(`export * from ${JSON.stringify(at(service, 'orval.ts'))}; export { default as axios } from "axios";`, `orval-${service}`);
    Object.assign(client.axios.defaults, { baseURL: services[service].url, adapter: 'fetch' });
    // It does not make forms: what is a file of a form elsewhere is the whole body here, as its types allow.
    const whole = { image: 'application/octet-stream', labelaryGraphics: 'application/octet-stream', font: 'application/octet-stream', labelaryFonts: 'application/octet-stream', labelaryLabel: 'text/plain', labelaryAll: 'text/plain', postHours: 'text/csv' };
    await callAll(service, (id, route, method, { path: inPath, query, body, headers }, type, operation) => answered(() => {
      const own = id === 'batch' ? ['application/x-ndjson', JSON.stringify({ id: 'a', zpl: LABEL })] : whole[id] ? [whole[id], body.file] : [type, body];
      const options = { headers: { ...headers, ...(type ? { 'Content-Type': own[0] } : {}) } };
      return client[id](...inOrder(route, inPath), ...(type ? [own[1]] : []), ...(has(operation, 'query') ? [query] : []), options);
    }));
  });

  test(`the client of openapi-zod-client calls every operation of ${service}, and JSON is what its schemas say`, async () => {
    const { createApiClient } = await bundled(`export * from ${JSON.stringify(at(service, 'zod.ts'))};`, `zod-${service}`);
    const strict = createApiClient(services[service].url, { validate: true }), open = createApiClient(services[service].url, { validate: 'request' });
    await callAll(service, async (id, route, method, { path: inPath, query, body, headers }, type, operation) => {
      const types = Object.keys(operation.responses[200]?.content ?? {}), events = types.includes('text/event-stream');
      const client = types.length === 1 && types[0] === 'application/json' ? strict : open;
      // It takes '{dpmm}dpmm' for the name of a parameter, and '{w}x' too.
      const params = inPath && { ...inPath, dpmmdpmm: `${inPath.dpmm}dpmm`, wx: `${inPath.w}x` };
      const config = { params, queries: query, headers, ...(events ? { responseType: 'stream' } : {}) };
      const sent = id === 'postHours' ? { file: CSV } : body;
      try {
        const data = await (type ? client[id](sent, config) : method === 'GET' ? client[id](config) : client[id](undefined, config));
        if (events) data.destroy();
        return { ok: true };
      } catch (error) {
        if (!error.response) throw error;
        return { ok: false, status: error.response.status, text: async () => JSON.stringify(error.response.data) };
      }
    }, ['batch']); // it does not make several parts of a list
  });
}
