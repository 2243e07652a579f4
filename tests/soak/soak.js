// Load and abuse: good, pipelined, bad, slow, huge and cut-off requests at once, with resets and half-closes. Every answer to a good or pipelined
// request is compared whole with the bytes that belong to it; afterwards memory and descriptors must be back. Last line: "N passed, N failed".
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { dechunk, splitHead } from '../api/lib/chunked.js';
import { startService } from '../api/service.js';

const seconds = Number(process.argv[2] || 600);
const connections = Number(process.argv[3] || 500);
const service = await startService('platen', ['--log', 'off', '--header-timeout', '5s', '--body-timeout', '5s', '--idle-timeout', '5s',
  '--max-connections', String(connections + 200), '--max-client-connections', '0']);
const { hostname, port } = new URL(service.url);

const counts = {};
const latencies = [];
const failures = [];
const count = (what) => { counts[what] = (counts[what] || 0) + 1; };
const fail = (what) => { if (failures.push(what) <= 20) console.log(`FAILED: ${what}`); };
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
let over = false;

// ---- what the good clients ask for, and what must come back

function label(i) {
  return `^XA^FO40,40^A0N,50,40^FDParcel ${i} of the soak test^FS^FO40,120^BY2^BCN,100,Y,N,N^FD${10000000 + i * 7919}^FS`
    + `^FO40,300^BQN,2,5^FDQA,https://example.test/${i}^FS^FO300,300^BXN,6,200^FD${'x'.repeat(i % 40)}${i}^FS^FO20,20^GB760,${600 + i},4^FS^XZ`;
}
const FORMATS = ['png', 'png', 'png', 'webp', 'json', 'pdf', 'base64'];
const work = [];
for (let i = 0; i < 60; i += 1) {
  const zpl = i % 10 === 9 ? label(i) + label(i + 1000) : label(i);
  work.push({ path: `/api/render/${FORMATS[i % FORMATS.length]}?time=2026-01-01`, zpl });
}

function request(agent, { path, zpl }, headers = {}) {
  return new Promise((resolve, reject) => {
    const req = http.request({ hostname, port, agent, path, method: 'POST', headers: { 'Content-Type': 'text/plain', 'Content-Length': Buffer.byteLength(zpl), ...headers } });
    req.on('response', (response) => {
      const parts = [];
      response.on('data', (data) => parts.push(data));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
      response.on('error', reject);
    });
    req.on('error', reject);
    req.end(zpl);
  });
}

const first = new http.Agent({ keepAlive: true, maxSockets: 1 });
for (const item of work) {
  const answer = await request(first, item);
  if (answer.status !== 200) throw new Error(`${item.path}: ${answer.status} ${answer.body}`);
  item.expected = answer.body;
}
first.destroy();

async function goodClient(seed) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let n = seed;
  while (!over) {
    n = (n * 1103515245 + 12345) % 2147483648;
    const item = work[n % work.length];
    const id = `soak-${seed}-${n}`;
    const started = process.hrtime.bigint();
    try {
      const answer = await request(agent, item, { 'X-Request-Id': id });
      if (answer.status === 429) {
        count('good, told to wait (429)');
        await sleep(200);
        continue;
      }
      latencies.push(Number(process.hrtime.bigint() - started) / 1e6);
      count('good');
      if (answer.status !== 200) fail(`a good request got ${answer.status}: ${answer.body.subarray(0, 200)}`);
      else if (!answer.body.equals(item.expected)) fail(`an answer is not the one for ${item.path}`);
      if (answer.headers['x-request-id'] !== id) fail('an answer carries the id of another request');
    } catch (error) {
      // A kept-alive connection may be closed between two requests; anything else is a lost answer.
      if (error.code === 'ECONNRESET') count('good, connection closed before the request');
      else fail(`a good request was lost: ${error.message}`);
    }
  }
  agent.destroy();
}

// ---- the others: raw bytes and what may come back

function exchange(chunks, { gap = 0, cut = false, allowed = [], wait = 20000 }) {
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    let answer = '';
    let done = false;
    const finish = () => {
      if (done) return;
      done = true;
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] || 0);
      if (allowed.length && !over && !allowed.includes(status)) fail(`status ${status} where ${allowed} was due: ${chunks[0].toString('latin1').slice(0, 60)}`);
      resolve();
    };
    socket.setTimeout(wait, finish);
    socket.on('data', (data) => { answer += data.toString('latin1'); if (/\r\n\r\n/.test(answer)) setTimeout(finish, 20); });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('connect', async () => {
      for (const chunk of chunks) {
        if (done || over) break;
        socket.write(chunk);
        if (gap) await sleep(gap);
      }
      if (cut) setTimeout(finish, Math.random() * 20);
    });
  });
}
const head = (line, ...fields) => Buffer.from(`${[line, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`);
const post = (body, type = 'text/plain', path = '/api/render/png') => Buffer.concat([head(`POST ${path} HTTP/1.1`, `Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`), Buffer.from(body)]);

const BAD = [
  () => [[post('{"zpl":', 'application/json')], { allowed: [400] }],
  () => [[post('no label here')], { allowed: [400] }],
  () => [[post(label(1), 'text/plain', '/api/render/gif')], { allowed: [400] }],
  () => [[post(label(1), 'text/plain', '/api/render/png?dpmm=x')], { allowed: [400] }],
  () => [[post(label(1), 'image/png')], { allowed: [415] }],
  () => [[head('GET /nowhere HTTP/1.1')], { allowed: [404] }],
  () => [[head('DELETE /api/render HTTP/1.1')], { allowed: [405] }],
  () => [[Buffer.from('GET / HTTP/1.1\nHost: x\n\n')], { allowed: [400] }],
  () => [[head('POST /api/render HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked')], { allowed: [400] }],
  () => [[head('POST /api/render HTTP/1.1', 'Transfer-Encoding: gzip')], { allowed: [501] }],
  () => [[head(`GET /${'a'.repeat(20000)} HTTP/1.1`)], { allowed: [414] }],
  () => [[head('GET / HTTP/1.1', `X-Long: ${'a'.repeat(20000)}`)], { allowed: [431] }],
  () => [[Buffer.from(Array.from({ length: 200 }, () => Math.floor(Math.random() * 256)))], {}],
  () => [[post(`^XA^FO0,0^GFA,99999999,99999999,100,:Z64:${'A'.repeat(2000)}:0000^FS^FO1,1^GB9,9,9^FS^XZ`)], { allowed: [200, 400, 413] }],
  () => [[post('^XA^FO1,1^GB9,9,9^FS^XZ'.repeat(600), 'text/plain', '/api/render/json')], { allowed: [413, 429] }],
];
const SLOW = [
  () => [[...Buffer.from('GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: '.padEnd(200, 'y'))].map((b) => Buffer.from([b])), { gap: 500, allowed: [0, 408] }],
  () => [[head('POST /api/render/png HTTP/1.1', 'Content-Type: text/plain', 'Content-Length: 100000'), ...Array.from({ length: 60 }, () => Buffer.from('^'))], { gap: 500, allowed: [0, 408] }],
];
const HUGE = [
  () => [[head('POST /api/render/png HTTP/1.1', 'Content-Length: 99999999'), Buffer.alloc(65536, 94)], { allowed: [0, 413] }],
  () => [[head('POST /api/render/png HTTP/1.1', 'Transfer-Encoding: chunked'), ...Array.from({ length: 10 }, () => Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, 32), Buffer.from('\r\n')]))], { allowed: [0, 413] }],
];
const CUT = [
  () => { const bytes = post(label(3)); return [[bytes.subarray(0, Math.floor(Math.random() * bytes.length))], { cut: true }]; },
  () => [[post(label(4).repeat(100), 'text/plain', '/api/render/pdf')], { cut: true }],
];

// ---- clients that pipeline, and read all, end their side, stop reading for a while, or reset the connection

// Every byte must belong to the answers to these requests, in their order; only the last may be cut off. Returns how many were whole.
function checkPipelined(data, asked) {
  let whole = 0;
  for (const { id, item } of asked) {
    if (data.length === 0) return whole;
    const head = splitHead(data);
    if (!head) return whole;
    if (head.headers['x-request-id'] !== id) {
      fail(`crossed: the answer of ${head.headers['x-request-id']} where that of ${id} is due`);
      return whole;
    }
    let body;
    let rest;
    let complete;
    if (head.headers['transfer-encoding'] === 'chunked') {
      ({ body, rest, whole: complete } = dechunk(data.subarray(head.bodyAt)));
    } else {
      const length = Number(head.headers['content-length']);
      body = data.subarray(head.bodyAt, head.bodyAt + length);
      rest = data.subarray(head.bodyAt + length);
      complete = body.length === length;
    }
    if (head.status === 200 && !body.equals(item.expected.subarray(0, body.length))) fail(`torn or crossed: the body of ${id}`);
    if (head.status === 200 && complete && body.length !== item.expected.length) fail(`torn: the body of ${id} has ${body.length} bytes`);
    if (head.status !== 200 && head.status !== 429) fail(`a pipelined request got ${head.status}: ${body.subarray(0, 200)}`);
    if (!complete) return whole;
    whole += 1;
    data = rest;
  }
  if (data.length > 0) fail(`bytes that nobody asked for: ${data.subarray(0, 100)}`);
  return whole;
}

async function pipeliningClient(seed) {
  let n = seed * 7919;
  const random = (below) => { n = (n * 1103515245 + 12345) % 2147483648; return Math.floor(n / 65536) % below; };
  while (!over) {
    const asked = Array.from({ length: 1 + random(12) }, (_, i) => ({ id: `pipe-${seed}-${n}-${i}`, item: work[random(work.length)] }));
    const bytes = Buffer.concat(asked.map(({ id, item }) => Buffer.concat([
      head(`POST ${item.path} HTTP/1.1`, 'Content-Type: text/plain', `X-Request-Id: ${id}`, `Content-Length: ${Buffer.byteLength(item.zpl)}`), Buffer.from(item.zpl)])));
    const manner = ['reads', 'reads', 'half-closes', 'pauses', 'resets'][random(5)];
    const patience = manner === 'resets' ? random(60) : 20000;
    const whole = await new Promise((resolve) => {
      const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      let parts = [];
      let size = 0;
      const finish = () => {
        clearTimeout(timer);
        if (manner === 'resets') socket.resetAndDestroy();
        else socket.destroy();
        resolve(checkPipelined(Buffer.concat(parts), asked));
        parts = [];
      };
      const timer = setTimeout(finish, patience);
      let due = 0; // bytes of the whole answers are looked at only when something new came
      socket.on('data', (data) => {
        parts.push(data);
        size += data.length;
        if (manner === 'resets' || size < due) return;
        const all = Buffer.concat(parts);
        parts = [all];
        if (checkPipelined(all, asked) === asked.length) finish();
        else due = size + 1;
      });
      socket.on('error', finish);
      socket.on('close', finish);
      socket.on('end', finish);
      socket.on('connect', () => {
        socket.write(bytes);
        if (manner === 'half-closes') socket.end();
        if (manner === 'pauses') { socket.pause(); setTimeout(() => socket.resume(), random(500)); }
      });
    });
    count(`pipelined, ${manner}: answers`);
    counts['pipelined answers compared'] = (counts['pipelined answers compared'] || 0) + whole;
    if ((manner === 'reads' || manner === 'pauses') && whole < asked.length && !over) fail(`a client that ${manner} got ${whole} of ${asked.length} answers`);
    await sleep(random(30));
  }
}

async function rudeClient(name, kinds, pause) {
  while (!over) {
    const [chunks, options] = kinds[Math.floor(Math.random() * kinds.length)]();
    await exchange(chunks, options);
    count(name);
    await sleep(pause);
  }
}

// ---- the run

const descriptors = () => readdirSync(`/proc/${service.pid}/fd`).length;
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024;
const before = { fds: descriptors(), rss: resident() };
const shares = { good: 0.45, pipelined: 0.15, bad: 0.15, slow: 0.1, huge: 0.05, cut: 0.1 };
const clients = [];
for (let i = 0; i < connections * shares.good; i += 1) clients.push(goodClient(i + 1));
for (let i = 0; i < connections * shares.pipelined; i += 1) clients.push(pipeliningClient(i + 1));
for (let i = 0; i < connections * shares.bad; i += 1) clients.push(rudeClient('bad', BAD, 50));
for (let i = 0; i < connections * shares.slow; i += 1) clients.push(rudeClient('slow', SLOW, 50));
for (let i = 0; i < connections * shares.huge; i += 1) clients.push(rudeClient('huge', HUGE, 200));
for (let i = 0; i < connections * shares.cut; i += 1) clients.push(rudeClient('cut off', CUT, 50));
console.log(`${connections} connections for ${seconds} s`);
let peak = 0;
const watch = setInterval(() => { peak = Math.max(peak, resident()); }, 500);
await sleep(seconds * 1000);
over = true;
clearInterval(watch);
await Promise.race([Promise.all(clients), sleep(30000)]);
await sleep(7000);

const after = { fds: descriptors(), rss: resident() };
let passed = 0;
const check = (what, ok) => { if (ok) passed += 1; else fail(what); };
check(`descriptors: ${before.fds} before, ${after.fds} after`, after.fds <= before.fds);
check(`resident memory: ${before.rss.toFixed(0)} MB before, ${after.rss.toFixed(0)} MB after, ${peak.toFixed(0)} MB at most`, after.rss < before.rss + 20);
const health = await fetch(`${service.url}/api/health`);
check(`health is ${health.status}`, health.status === 200);
check('good requests were answered', counts.good > seconds);
try {
  await service.stop();
  check('a clean end', true);
} catch (error) {
  fail(error.message);
}
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]?.toFixed(1);
console.log(counts);
console.log(`good requests: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${(counts.good / seconds).toFixed(0)} a second`);
console.log(`memory: ${before.rss.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${after.rss.toFixed(0)} MB after; descriptors: ${before.fds} before, ${after.fds} after`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
