// Requests made from the OpenAPI descriptions, against both services, with virtual printers: whatever is answered is described, what is allowed is
// not refused for its shape, and what is not allowed is refused. FUZZ_REQUESTS (2000) and FUZZ_SEED (1) choose how many and which.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { startService } from './service.js';
import { Description } from './lib/description.js';
import { OMIT, Random } from './lib/fuzz-values.js';
import { Requests } from './lib/fuzz-requests.js';

const COUNT = Number(process.env.FUZZ_REQUESTS ?? 2000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const LANES = 6;

const LABELS = ['^XA^FO50,50^A0N,60,60^FDHello^FS^XZ', '^XA^FO20,20^BY2^BCN,60,Y^FD123456^FS^FO20,200^GB90,40,3^FS^XZ', '^XA^QQ^FO9,9^BQN,2,4^FDQA,x^FS^PQ2^XZ',
  '^XA^FO9,9^GFA,8,8,1,FF00FF00FF00FF00^FS^XZ^XA^FO40,40^GC60,4^FS^XZ', '^XA^FO30,30^A0N,30^FN1"name"^FS^FO30,80^FDno name^FS^XZ'];
const PICTURES = ['P1 8 2 10101010 01010101', 'P2 4 1 255 0 80 160 255'].map((text) => Buffer.from(text));
const FONT = readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf');
const CSV = 'time,temperature,humidity\n2026-11-01 00:00,20,85\n2026-11-01 01:00,25,60\n';

/** What the descriptions cannot have: names of this service, label code, files, sizes that take no time to draw. */
function knownOf(random, host) {
  const common = {
    zpl: () => random.pick(LABELS), a: () => random.pick(LABELS), b: () => random.pick(LABELS), data: () => random.pick([[{ name: 'Ann' }, { name: 'Bob' }], { name: 'Ann' }, 'name\nAnn\n']),
    widthMm: () => 10 + random.below(90), heightMm: () => 10 + random.below(90), w: () => 1 + random.below(4), h: () => 1 + random.below(4), index: () => random.below(2), page: () => random.below(2),
    timeout: () => 0, pageStart: () => 1, 'body text/plain': () => random.pick(LABELS), 'body application/zpl': () => random.pick(LABELS), 'body application/x-zpl': () => random.pick(LABELS),
    'body application/octet-stream': () => Buffer.from(random.pick(LABELS)),
    'body application/zip': () => Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'),
    'body application/x-ndjson': () => Buffer.from(`${JSON.stringify({ id: 'a', zpl: random.pick(LABELS) })}\n`),
    'body multipart/mixed': () => Buffer.from('--m\r\n\r\n^XA^FDx^FS^XZ\r\n--m--\r\n'), host: () => host, file: () => random.pick(LABELS),
  };
  const grain = { grain: () => random.pick(['corn', 'milho', 'Soja', 'long-grain-rice']), ta: () => random.pick([random.below(40), '25,5']), ur: () => random.pick([20 + random.below(60), '70.5']),
    moisture: () => 8 + random.below(10), grainTa: () => random.below(30), dewPoint: () => -5, wetBulb: () => OMIT, altitude: () => random.below(2000), fanHeat: () => random.below(4), hold: () => 0.5,
    damage: () => random.below(10), mass: () => 1 + random.below(50), from: () => 18 + random.below(5), to: () => 10 + random.below(5), airflow: () => 1, target: () => 13, set: () => OMIT, model: () => OMIT,
    taUnit: () => OMIT, temperatureColumn: () => random.pick([OMIT, 'temperature']), humidityColumn: () => random.pick([OMIT, 'humidity']), file: () => CSV, 'body text/csv': () => Buffer.from(CSV) };
  const picture = { ...common, file: () => random.pick(PICTURES), 'body application/octet-stream': () => random.pick(PICTURES), name: () => 'R:LOGO.GRF' };
  const font = { ...common, 'body application/octet-stream': () => FONT, 'body multipart/form-data': () => ({ file: FONT }), chars: () => 'AB', face: () => 0, instance: () => OMIT, name: () => 'A', path: () => 'E:NAME.TTF', unicodes: () => '0030-0039,0041' };
  const both = { ...common, page: () => 0 };
  const all = { ...common, Accept: () => random.pick(['application/pdf', 'application/json', 'application/zpl']) };
  const printer = { ...common, name: () => 'dock', file: () => random.pick(['1.png', 'latest.png', 'latest.json', 'latest.pdf', '2.zpl', 'latest']), seq: () => random.pick(['1', 'latest']) };
  const making = { ...common, name: () => random.pick(['dock', 'gate', 'ramp']), size: () => random.pick(['4x6in', '100x50mm', 'auto']) };
  return (operation, name) => {
    const table = /^(moisture|store)$/.test(operation.tags?.[0]) ? grain : operation.operationId === 'image' || operation.operationId === 'labelaryGraphics' ? picture
      : /^(font|labelaryFonts)$/.test(operation.operationId) ? font : operation.operationId === 'labelaryAll' ? all : operation.operationId === 'compare' ? both : operation.operationId === 'makePrinter' ? making : operation.tags?.includes('printers') ? printer : common;
    return table[name]?.();
  };
}

// Refusals of what is asked for, not of how: the labels, their size, the state of a printer, what no equation answers.
const MEANING = new Set(['conflicting_parameter', 'limit_exceeded', 'no_documents', 'no_labels', 'page_out_of_range', 'warnings', 'no_label', 'printer_busy', 'printer_exists', 'no_spare_printer', 'missing_field', 'conflicting_fields', 'unknown_curve']);

const agent = new http.Agent({ keepAlive: true, maxSockets: LANES });

function send(base, { method, path, headers, bytes }) {
  return new Promise((resolve, reject) => {
    const request = http.request(base + path, { agent, method, headers: { ...headers, ...(bytes ? { 'Content-Length': bytes.length } : method === 'POST' || method === 'PUT' ? { 'Content-Length': 0 } : {}) } }, (response) => {
      const parts = [];
      if (/^text\/event-stream/.test(response.headers['content-type'])) { // it has no end
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.alloc(0) });
        request.destroy();
        return;
      }
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

function complaints(description, request, answer) {
  const found = description.mismatches(request.target, answer);
  let code = '';
  if (/^application\/json/.test(answer.headers['content-type'])) code = JSON.parse(answer.body).code;
  // Labelary's errors are a sentence.
  if (answer.status === 404 && /^ERROR: Requested .* label but ZPL generated/.test(answer.body)) code = 'page_out_of_range';
  if (answer.status === 413 && /is over the limit of \d+ dots/.test(answer.body)) code = 'limit_exceeded';
  if (/fit=shrink makes the labels smaller|too little to shrink to/.test(answer.body)) code = 'page_out_of_range'; // labels larger than their sheet
  if (request.valid && answer.status >= 400 && !MEANING.has(code)) found.push(`allowed, and refused with ${answer.status} ${code}: ${answer.body.toString().slice(0, 300)}`);
  if (!request.valid && answer.status < 400) found.push(`not allowed, and answered with ${answer.status}`);
  if (answer.status === 500) found.push('status 500');
  return found;
}

async function fuzz(service, known, seed, count) {
  const random = new Random(seed);
  const description = new Description(await (await fetch(`${service.url}/openapi.json`)).json());
  const requests = new Requests(description, random, known(random));
  const tally = { sent: 0, valid: 0, statuses: {}, slow: {} };
  const problems = new Map();
  const lane = async () => {
    while (tally.sent < count) {
      const target = random.pick(description.operations);
      const request = random.chance(0.5) ? requests.valid(target) : requests.invalid(target);
      tally.sent++;
      const began = Date.now();
      const answer = await send(service.url, request);
      tally.slow[target.operation.operationId] = Math.max(tally.slow[target.operation.operationId] ?? 0, Date.now() - began);
      tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
      if (request.valid) tally.valid++;
      for (const complaint of complaints(description, request, answer)) {
        const key = `${target.method} ${target.route}: ${complaint.replace(/\d+/g, 'N').slice(0, 90)}`;
        if (!problems.has(key)) problems.set(key, { times: 0, complaint, request: `${request.method} ${request.path.slice(0, 200)} (${request.why}) ${JSON.stringify(request.headers)} ${request.bytes?.toString('latin1').slice(0, 200)}` });
        problems.get(key).times++;
      }
      // Printers that are out of paper, slow or paused make later requests wait.
      if (target.operation.operationId === 'printerState') await fetch(`${service.url}/api/printers/dock/state`, { method: 'PUT', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ paperOut: false, ribbonOut: false, headOpen: false, paused: false, bufferFull: false, silent: false, refuseConnections: false, slowMs: 0 }) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { tally, problems: [...problems].map(([key, { times, complaint, request }]) => `${times} x ${key.split(': ')[0]}: ${complaint}\n    ${request}`) };
}

for (const [program, share] of [['platen', 0.7], ['hygro', 0.3]]) {
  test(`${program} answers as it is described: ${Math.round(COUNT * share)} requests`, async (t) => {
    const real = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(real, 'listening');
    const host = `127.0.0.1:${real.address().port}`;
    const service = await startService(program, program === 'platen' ? ['--printer', 'name=dock,listen=127.0.0.1:0;listen=127.0.0.1:0,spare=on', '--print-to', host] : []);
    try {
      const { tally, problems } = await fuzz(service, (random) => knownOf(random, host), SEED, Math.round(COUNT * share));
      t.diagnostic(JSON.stringify(tally));
      assert.ok(tally.valid > tally.sent / 4 && tally.valid < tally.sent);
      assert.equal(problems.length, 0, `${problems.length} mismatches\n${problems.join('\n')}`);
    } finally {
      agent.destroy();
      await service.stop();
      real.close();
    }
  });
}
