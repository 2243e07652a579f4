// Runs the service in lives of some seconds: random clients, renderers killed, keys reloaded, stopped at rest or in the middle, started again. Last line: "N passed, N failed".
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { Clients } from './clients.mjs';
import { Ledger } from './ledger.mjs';
import { descriptors, KEY, listeners, makeFolders, memoryMiB, Service } from './world.mjs';

const { values: options } = parseArgs({ options: { program: { type: 'string' }, seconds: { type: 'string' }, kind: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' }, clients: { type: 'string', default: '14' } } });
const END_MS = 240_000; // looking for leaks takes long beside other work
const REST_MS = 60_000;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

class Chaos {
  counts = new Map();
  failures = [];
  ledger = new Ledger();
  next = 0;
  began = Date.now();
  memoryAtRest = [];
  onwardMissing = new Set();

  constructor(seed) { this.state = seed >>> 0; }
  random(n) { // mulberry32
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }
  number() { return ++this.next; }
  sent(kind) { const number = this.number(); this.ledger.sent.set(number, kind); return number; }
  accept(number, kind) { this.ledger.accepted.set(number, kind); this.count(`accepted by ${kind}`); }
  count(what) { this.counts.set(what, (this.counts.get(what) ?? 0) + 1); }
  get seconds() { return (Date.now() - this.began) / 1000; }
  fail(what) {
    this.failures.push(what);
    if (this.failures.length <= 20) console.log(`FAILED after ${this.seconds.toFixed(1)} s: ${what}`);
  }

  async start() {
    this.service = await Service.start(options.program, this.folders, this.outside, (service, how) => {
      this.dead = true;
      this.fail(`the service ended by itself: ${how}\n${service.output.slice(-6000)}`);
    });
    this.count('starts');
  }

  /** Kills and reloads, until the life is over. */
  async disturb(over) {
    while (!over()) {
      await sleep(200 + this.random(2500));
      if (over()) return;
      this.service.note();
      if (this.random(3)) {
        const renderers = this.service.renderers();
        if (renderers.length === 0) continue;
        this.service.kills++;
        try { process.kill(renderers[this.random(renderers.length)], 'SIGKILL'); this.count('renderers killed'); } catch { /* it has just been replaced */ }
      } else {
        fs.writeFileSync(this.folders.keys, this.random(2) ? `${KEY}\n` : `another\n${KEY}\n`);
        this.service.signal('SIGHUP');
        this.count('reloads');
      }
    }
  }

  /** Waits for what must come; what is missing after a minute is a failure. */
  async eventually(what, look) {
    const end = Date.now() + REST_MS;
    let missing;
    while ((missing = await look()) && Date.now() < end && !this.dead) await sleep(100);
    if (missing && !this.dead) this.fail(`${what}: ${missing}`);
  }

  async rest() {
    // Printer b may have been left paused or without paper: its jobs would wait for ever.
    const body = JSON.stringify({ paused: false, paperOut: false, headOpen: false, silent: false, slowMs: 0 });
    await fetch(`http://127.0.0.1:${this.service.port}/api/printers/b/state`, { method: 'PUT', body, headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json', Connection: 'close' } }).then((answer) => answer.text());
    await this.eventually('nothing is held at rest', async () => {
      const { of } = await this.service.metrics();
      const held = { connections: of('http_connections') - 1, queue: of('http_queue'), busy: of('http_workers_busy'), memory: of('http_memory_bytes'), streams: of('http_event_streams'), printers: of('printer_connections') };
      return Object.values(held).every((value) => value === 0) ? null : JSON.stringify(held);
    });
    await this.eventually('every accepted job was printed', () => {
      this.ledger.collect(this.folders.keep);
      const missing = this.ledger.missing();
      return missing.length ? `${missing.length} of ${this.ledger.accepted.size} were not: ${missing.slice(0, 10).map((number) => `${number} (${this.ledger.accepted.get(number)})`)}` : null;
    });
    for (const number of this.ledger.missing()) this.ledger.accepted.delete(number); // reported once
    for (const [where, map] of [['the forwarding', this.outside.forwarded], ['the web hook', this.outside.hooked]]) {
      const drawn = [...this.ledger.printed.keys()].filter((number) => !this.ledger.refused.has(number) && !this.onwardMissing.has(number));
      await this.eventually(`every printed job went on to ${where}`, () => {
        const missing = drawn.filter((number) => !map.has(number));
        return missing.length ? `${missing.length} of ${drawn.length} did not: ${missing.slice(0, 10)}` : null;
      });
      for (const number of drawn) {
        if (!map.has(number)) this.onwardMissing.add(number); // reported once
        if (map.get(number) > 1) this.fail(`job ${number} went to ${where} ${map.get(number)} times`);
        if (map.get(number) > 1) map.set(number, 1);
      }
    }
    this.memoryAtRest.push(memoryMiB(this.service.pid));
    this.descriptorsAtRest ??= descriptors(this.service.pid);
    await this.eventually('descriptors', () => { const now = descriptors(this.service.pid); return now > this.descriptorsAtRest + 2 ? `${this.descriptorsAtRest} at the first rest, ${now} now` : null; });
    this.count('rests');
  }

  /** middle: what stops it in the middle; jobs wait then. */
  async stop(middle) {
    const { service } = this;
    const { text, of } = await service.metrics().catch(() => ({ text: '', of: () => 0 }));
    for (const [, route, count] of text.matchAll(/_http_request_seconds_count\{route="([^"]+)"\} (\d+)/g)) this.routes.set(route, (this.routes.get(route) ?? 0) + Number(count));
    if (of('renderer_died_total') > service.kills) this.fail(`${of('renderer_died_total')} renderers died, ${service.kills} were killed`);
    const gone = service.goneHelpers();
    if (gone.length) this.fail(`processes have ended by themselves: ${gone}`);
    if (middle) await middle.burst();
    const { code, signal } = await service.stop(END_MS);
    if (service.late) this.fail(`it did not end within ${END_MS / 1000} s of SIGTERM`);
    else if (code !== 0) this.fail(`it ended with ${code ?? signal}${middle ? ', stopped in the middle' : ''}: ${service.output.slice(-8000)}`);
    else if (service.reports()) this.fail(service.reports().slice(0, 8000));
    const left = service.left();
    if (left.length) this.fail(`processes are left: ${left}`);
    this.count(middle ? 'stops in the middle' : 'stops at rest');
  }

  async life(seconds) {
    await this.start();
    const end = Date.now() + seconds * 1000, over = () => Date.now() >= end || this.dead || this.service.stopping;
    const middle = this.random(2) === 0;
    const clients = new Clients(this);
    const running = [this.disturb(over), ...Array.from({ length: Number(options.clients) }, () => clients.run(over))];
    while (!over()) await sleep(50);
    if (middle && !this.dead) await this.stop(clients);
    await Promise.all(running);
    clients.agent.destroy();
    if (!middle && !this.dead) { await this.rest(); if (!this.dead) await this.stop(); }
    this.ledger.collect(this.folders.keep);
    for (const failure of this.ledger.failures.splice(0)) this.fail(failure);
  }

  async run(seconds) {
    this.routes = new Map();
    this.folders = makeFolders();
    this.outside = await listeners();
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end && !this.dead && this.failures.length < 20) await this.life(Math.min(4 + this.random(12), Math.max(2, (end - Date.now()) / 1000)));
    if (!this.dead) { // what the last life left is done by one more
      await this.start();
      await this.rest();
      if (!this.dead) await this.stop();
    }
    for (const failure of this.ledger.failures.splice(0)) this.fail(failure);
    const [first, last] = [this.memoryAtRest[0], Math.max(...this.memoryAtRest.slice(1))];
    if (last > first * 1.5 + 100) this.fail(`memory at rest: ${first.toFixed()} MiB in the first life, up to ${last.toFixed()} MiB later`);
    const never = [...this.routes].filter(([, count]) => count === 0).map(([route]) => route);
    if (seconds >= 120 && !this.only && never.length) this.fail(`routes that nobody asked: ${never}`);
    this.outside.close();
    if (this.failures.length === 0) fs.rmSync(this.folders.root, { recursive: true });
    else console.log(`folders: ${this.folders.root}`);
  }

  summary(seed) {
    console.log([...this.counts].sort(([x], [y]) => (x < y ? -1 : 1)).map(([what, count]) => `${String(count).padStart(8)}  ${what}`).join('\n'));
    const { accepted, printed, refused } = this.ledger;
    console.log(`${options.kind}, seed ${seed}, ${this.seconds.toFixed()} s: ${accepted.size} jobs accepted, ${printed.size} printed, ${refused.size} of them refused after a kill; forwarded ${this.outside.forwarded.size}, web hook ${this.outside.hooked.size}; `
      + `memory at rest ${this.memoryAtRest.map((mib) => mib.toFixed()).join(' ')} MiB`);
    console.log(`${this.failures.length ? 0 : 1} passed, ${this.failures.length} failed`);
  }
}

const seed = Number(options.seed ?? Date.now() % 1_000_000);
const chaos = new Chaos(seed);
chaos.only = options.only?.split(',');
console.log(`seed ${seed}`);
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => { chaos.service?.child.kill('SIGKILL'); process.exit(130); });
await chaos.run(Number(options.seconds));
chaos.summary(seed);
process.exit(chaos.failures.length ? 1 : 0);
