// LPrint, a label printer server that people use: it asks for the status before it prints, and prints its own raster as label code.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { HANG_MS, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const there = fs.existsSync('/usr/bin/lprint');
const skip = there ? false : 'lprint is not installed';
const build = process.env.BUILD || 'build';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-lprint-'));
const env = { ...process.env, HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: folder };
const lprint = (...args) => execFileSync('lprint', args, { encoding: 'utf8', env, timeout: HANG_MS, stdio: ['ignore', 'pipe', 'pipe'] });
let p, server;

before(async () => {
  if (!there) return;
  p = await startPrinters();
  server = spawn('lprint', ['server', '-o', 'listen-hostname=localhost', '-o', 'server-port=0', '-o', `spool-directory=${folder}/spool`, '-o', `log-file=${folder}/log`, '-o', 'log-level=debug'], { env, stdio: 'ignore' });
  await until(() => {
    try {
      lprint('add', '-d', 'zebra', '-v', `socket://127.0.0.1:${p.ports.dock}`, '-m', 'zpl_4inch-203dpi-dt');
      return true;
    } catch {
      return false; // it is not there yet
    }
  }, 'the server of lprint');
});
after(async () => {
  if (server?.kill()) await once(server, 'exit');
  await p?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const statusIs = (pattern) => until(() => pattern.test(lprint('status', '-d', 'zebra')), pattern);

test('it reads the faults and prints a picture', { skip }, async () => {
  const zpl = path.join(folder, 'a.zpl'), png = path.join(folder, 'a.png');
  fs.writeFileSync(zpl, '^XA^FO50,50^GB300,200,100^FS^XZ');
  execFileSync(`${build}/platen`, ['render', zpl, '-q', '-o', png]);
  await p.state({ paperOut: true });
  lprint('submit', '-d', 'zebra', png);
  await statusIs(/media-empty/);
  assert.equal((await p.printer()).labels, 0);
  await p.state({ paperOut: false });
  const label = await p.next(0, 300);
  assert.equal(label.refused, false);
  assert.ok(label.label.elements.some((element) => element.type === 'image'));
  lprint('submit', '-d', 'zebra', png);
  assert.ok((await p.next(label.seq, 300)).seq > label.seq);
  await statusIs(/^(?!.*media-empty)/s);
  const log = fs.readFileSync(path.join(folder, 'log'), 'latin1');
  assert.match(log, /HQES returned '\\002\\r\\n\\r\\n {2}PRINTER STATUS .*\\003'/);
  assert.match(log, /HS returned '\\002030,1,0,/);
});
