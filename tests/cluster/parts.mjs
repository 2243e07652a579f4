// What the tests of the broker share: batches, workers, cuts, and the comparison with `platen render`.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

export const BUILD = path.resolve(process.env.PLATEN_BUILD ?? 'build');
export const TIME = '1750000000';
export const label = (i) => `^XA^FC%,{,#^FO20,20^A0N,30,30^FDJob ${i} %H:%M:%S^FS^FO20,60^BCN,60,Y^FD${String(i).padStart(8, '0')}^FS^XZ`;

export function writeRows(file, count, { each = 1, from = 0 } = {}) {
  const out = fs.openSync(file, 'w');
  for (let i = from; i < from + count; i++) {
    const zpl = Array.from({ length: each }, (_, k) => label(i * each + k)).join('');
    fs.writeSync(out, `${JSON.stringify({ id: `j${i}`, zpl, widthMm: 50, heightMm: 25 })}\n`);
  }
  fs.closeSync(out);
}

// Runs one of the commands; resolves with how it ended.
export function command(args, { cwd, env = {}, program = 'platen', stdin = 'ignore' } = {}) {
  const child = spawn(path.join(BUILD, program), args, { cwd, env: { ...process.env, ...env }, stdio: [stdin, 'pipe', 'pipe'] });
  child.text = '';
  child.stderr.on('data', (data) => { child.text += data; });
  child.stdout.on('data', (data) => { child.text += data; });
  child.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, text: child.text })));
  return child;
}

export const worker = (urls, args = [], options = {}) => command(['work', '--broker', urls, '--listen', '127.0.0.1:0', '--log', 'off', '--declare', '--drain-delay', '0', '--broker-heartbeat', '10s', ...args], options);

// The files that one machine would have made.
export function expect(rows, dir) {
  execFileSync(path.join(BUILD, 'platen'), ['render', rows, '--out-dir', dir, '--time', TIME, '-q']);
}

// Which ids have no result, another one, or one too many.
export function compare(expected, found) {
  const names = fs.readdirSync(expected), have = new Set(fs.readdirSync(found).filter((name) => !name.startsWith('.')));
  const wrong = names.filter((name) => have.has(name) && !fs.readFileSync(path.join(expected, name)).equals(fs.readFileSync(path.join(found, name))));
  return { missing: names.filter((name) => !have.has(name)).length, different: wrong.length, foreign: [...have].filter((name) => !fs.existsSync(path.join(expected, name))) };
}

// Connections that can be cut: a door in front of a node.
export async function door(port) {
  const sockets = new Set();
  const server = net.createServer((client) => {
    const inner = net.connect(port, '127.0.0.1');
    for (const [a, b] of [[client, inner], [inner, client]]) {
      sockets.add(a);
      a.pipe(b);
      a.on('error', () => {});
      a.on('close', () => { sockets.delete(a); b.destroy(); });
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port, cut() { const n = sockets.size / 2; for (const s of [...sockets]) s.destroy(); return n; }, close() { this.cut(); server.close(); } };
}
