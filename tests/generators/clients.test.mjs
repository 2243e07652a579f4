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
const file = (text) => new Blob([text]);
const picture = { body: { file: file('P1 8 1 10101010') } };
const font = () => ({ query: { chars: 'A' }, body: { file: new Blob([readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf')]) } });
const size = { dpmm: 8, w: 2, h: 1 };
const dock = { path: { name: 'dock' } };
/** What each operation is called with; nothing for those that need nothing. */
const callsOf = (host) => ({
  render: { body: { zpl: LABEL } }, renderFormat: { path: { format: 'png' }, body: { zpl: LABEL } }, compare: { body: { a: LABEL, b: LABEL } }, zpl: { body: LABEL, query: { action: 'minify' } },
  image: picture, labelaryGraphics: picture, font: font(), labelaryFonts: font(), batch: { body: { file: [file(LABEL)] } },
  labelaryLabel: { path: { ...size, index: 0 }, body: { file: file(LABEL) } }, labelaryAll: { path: size, body: { file: file(LABEL) }, headers: { Accept: 'application/pdf' } },
  labelaryGet: { path: { ...size, index: 0, zpl: LABEL } },
  printerPrint: { ...dock, body: LABEL }, printerNext: { ...dock, query: { after: 0, timeout: 60 } }, printer: dock, printerLabels: dock,
  printerLabel: { path: { name: 'dock', file: 'latest.png' } }, printerPrintTo: { path: { name: 'dock', seq: 'latest' }, query: { host } }, print: { query: { host }, body: LABEL },
  printerState: { ...dock, body: { paused: false } }, printerForget: dock, printerClear: dock, printerReset: dock, printerEvents: dock,
  calculate: { body: { grain: 'corn', ta: 25, ur: 70 } }, calculateByQuery: { query: { grain: 'corn', ta: 25, ur: 70 } }, getTable: { query: { grain: 'corn' } }, getAir: { query: { ta: 25, ur: 60 } },
  getKeeping: { query: { grain: 'corn', grainTa: 15, moisture: 18 } }, getVerdict: { query: { grain: 'corn', moisture: 14, grainTa: 20 } }, getShrink: { query: { from: 18, to: 13 } },
  postHours: { query: { grain: 'corn' }, body: { file: file('time,temperature,humidity\n00:00,20,85\n01:00,25,60\n') } },
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
  services.platen = await startService('platen', ['--printer', 'name=dock,listen=127.0.0.1:0', '--print-to', `127.0.0.1:${sink.address().port}`]);
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
  await build({ stdin: { contents: source, resolveDir: HERE }, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' });
  return import(outfile);
}

async function callAll(service, call) {
  const calls = callsOf(`127.0.0.1:${sink.address().port}`);
  const failed = [];
  for (const [operation, route, method] of operationsOf(service)) {
    const response = await call(operation.operationId, route, method, calls[operation.operationId] ?? {}, Object.keys(operation.requestBody?.content ?? {})[0]);
    if (!response.ok) failed.push(`${operation.operationId}: ${response.status} ${await response.text().catch(() => '')}`);
    await response.body?.cancel().catch(() => undefined); // events have no end
  }
  assert.deepEqual(failed, []);
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
}
