// The service under test, what it sends things to, and what the system says about its processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { numbersIn } from './labels.mjs';

export const KEY = 'the-key-of-the-chaos';
export const PRINTERS = ['a', 'b']; // a: jobs are counted; b: reset, paused, cleared

const children = (pid) => { try { return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number); } catch { return []; } };
export const descendants = (pid) => children(pid).flatMap((child) => [child, ...descendants(child)]);
const nameOf = (pid) => { try { return fs.readFileSync(`/proc/${pid}/comm`, 'latin1').trim(); } catch { return ''; } };
/** Has it not ended? One that nobody has waited for is no process any more. */
export const lives = (pid) => { try { return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8')); } catch { return false; } };
export const descriptors = (pid) => fs.readdirSync(`/proc/${pid}/fd`).length;
export const memoryMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** A printer and a web hook that jobs go on to: how often each number came. */
export async function listeners() {
  const forwarded = new Map(), hooked = new Map();
  const note = (map, numbers) => { for (const number of numbers) map.set(number, (map.get(number) ?? 0) + 1); };
  const printer = net.createServer((socket) => {
    let text = '';
    socket.on('data', (data) => { text += data.toString('latin1'); }).on('error', () => {}).on('close', () => note(forwarded, numbersIn(text)));
  }).listen(0, '127.0.0.1');
  const hook = http.createServer(async (request, response) => {
    let body = '';
    try { for await (const piece of request) body += piece; } catch { return; }
    note(hooked, numbersIn(JSON.parse(body).zpl ?? ''));
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await Promise.all([once(printer, 'listening'), once(hook, 'listening')]);
  return { forwarded, hooked, printerPort: printer.address().port, hookPort: hook.address().port, close: () => { printer.close(); hook.close(); hook.closeAllConnections(); } };
}

export function makeFolders() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'chaos-'));
  for (const name of ['keep', 'state']) fs.mkdirSync(path.join(root, name));
  fs.writeFileSync(path.join(root, 'keys'), `${KEY}\n`);
  return { root, keep: path.join(root, 'keep'), state: path.join(root, 'state'), keys: path.join(root, 'keys') };
}

export class Service {
  static async start(program, folders, outside, onEnd) {
    const service = new Service();
    const spec = PRINTERS.map((name) => `name=${name},listen=127.0.0.1:0,lpd=127.0.0.1:0,json=127.0.0.1:0,size=60x20mm`).join(';');
    service.stopping = false;
    service.output = '';
    service.child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--log', 'off', '--workers', '2', '--printer', spec, '--browser-print', 'on', '--printer-pages', 'on', '--state', folders.state, '--keep', folders.keep,
      '--forward', `127.0.0.1:${outside.printerPort}`, '--print-to', `127.0.0.1:${outside.printerPort}`, '--webhook', `http://127.0.0.1:${outside.hookPort}/`, '--api-key-file', folders.keys,
      '--render-timeout', '5s', '--header-timeout', '3s', '--body-timeout', '5s', '--idle-timeout', '5s', '--drain-delay', '0', '--drain-timeout', '60s', '--max-client-connections', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const { child } = service;
    service.ended = new Promise((resolve) => child.once('close', (code, signal) => {
      service.over = true;
      if (!service.stopping) onEnd(service, code ?? signal);
      resolve({ code, signal });
    }));
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('latin1').on('data', (data) => { service.output += data; });
    while (!service.over && !/listening on http:\/\/127\.0\.0\.1:\d+/.test(service.output)) await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), service.ended]);
    await new Promise(setImmediate); // what it said before on the other pipe is read by then
    service.port = Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(service.output)?.[1]);
    if (!service.port) throw new Error(`it did not start: ${service.output}`);
    service.ports = {};
    for (const [, name, kind, port] of service.output.matchAll(/printer (\S+)(?: \((\w+)\))? on \S+:(\d+)/g)) service.ports[kind ? `${name}:${kind}` : name] = Number(port);
    service.kills = 0;
    service.tree = new Map(); // process -> its name
    return service;
  }
  get pid() { return this.child.pid; }
  /** Processes that it has started, remembered so that the end can be checked. */
  note() { for (const pid of descendants(this.pid)) this.tree.set(pid, nameOf(pid)); return [...this.tree.keys()]; }
  /** All but renderers live as long as the service. */
  goneHelpers() { return [...this.tree].filter(([pid, name]) => name !== 'platen-renderer' && !lives(pid)).map(([, name]) => name); }
  /** A number can be another process's by now, so the name counts, too. */
  left() { return [...this.tree].filter(([pid, name]) => lives(pid) && nameOf(pid) === name).map(([pid, name]) => `${name} ${pid}`); }
  renderers() { return this.note().filter((pid) => lives(pid) && nameOf(pid) === 'platen-renderer'); }
  reports() { return /(\w+Sanitizer|runtime error:)[^]*/.exec(this.output)?.[0]; }
  async metrics() {
    const response = await fetch(`http://127.0.0.1:${this.port}/metrics`, { headers: { 'X-API-Key': KEY, Connection: 'close' } });
    const text = await response.text();
    return { text, of: (name) => Number(new RegExp(`^platen_${name} (\\S+)`, 'm').exec(text)?.[1]) };
  }
  signal(name) { this.child.kill(name); }
  async stop(ms) {
    this.note();
    this.stopping = true;
    this.signal('SIGTERM');
    const timer = setTimeout(() => { this.late = true; this.signal('SIGKILL'); }, ms);
    const end = await this.ended;
    clearTimeout(timer);
    return end;
  }
}
