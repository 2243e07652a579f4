// LPrint, a label printer server that people use: it asks for the status before it prints, and prints its own raster as label code, in ZPL and EPL2.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import { HANG_MS, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';
import { pwgRaster, randomRows } from './raster.mjs';

const there = fs.existsSync('/usr/bin/lprint');
const skip = there ? false : 'lprint is not installed';
const build = process.env.BUILD || 'build';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-lprint-'));
const env = { ...process.env, HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: folder };
const lprint = (...args) => execFileSync('lprint', args, { encoding: 'utf8', env, timeout: HANG_MS, stdio: ['ignore', 'pipe', 'pipe'] });
let p, eltron, server;

before(async () => {
  if (!there) return;
  p = await startPrinters();
  eltron = await startPrinters(['dock'], [], ',language=epl');
  server = spawn('lprint', ['server', '-o', 'listen-hostname=localhost', '-o', 'server-port=0', '-o', `spool-directory=${folder}/spool`, '-o', `log-file=${folder}/log`, '-o', 'log-level=debug'], { env, stdio: 'ignore' });
  await until(() => {
    try {
      lprint('add', '-d', 'zebra', '-v', `socket://127.0.0.1:${p.ports.dock}`, '-m', 'zpl_4inch-203dpi-dt');
      return true;
    } catch {
      return false; // it is not there yet
    }
  }, 'the server of lprint');
  lprint('add', '-d', 'eltron', '-v', `socket://127.0.0.1:${eltron.ports.dock}`, '-m', 'epl2_4inch-203dpi-dt');
});
after(async () => {
  if (server?.kill()) await once(server, 'exit');
  await p?.stop();
  await eltron?.stop();
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

for (const printer of ['zebra', 'eltron'])
  test(`every dot of a page is drawn, by the driver of ${printer === 'zebra' ? 'ZPL' : 'EPL2'}`, { skip }, async () => {
    const service = printer === 'zebra' ? p : eltron, width = 808, height = 1218, row = width / 8, rows = randomRows(width, height);
    const file = path.join(folder, 'page.pwg'), { lastSeq } = await service.printer();
    fs.writeFileSync(file, pwgRaster(width, height, rows));
    lprint('submit', '-d', printer, '-o', 'document-format=image/pwg-raster', file);
    const label = await service.next(lastSeq, 300), picture = PNG.sync.read(await service.fetch(`/api/printers/dock/labels/${label.seq}.png`));
    assert.deepEqual([label.refused, label.language, picture.width, picture.height], [false, printer === 'zebra' ? 'zpl' : 'epl', 812, 1218]);
    // The driver of ZPL turns the page (^POI), and announces fewer rows than there are.
    const [, bytes, each] = /~DG[^,]*,(\d+),(\d+),/.exec(label.zpl) ?? [0, rows.length, row], sent = bytes / each, turned = /\^POI/.test(label.zpl);
    assert.ok(sent > 1200);
    let wrong = 0;
    for (let y = 0; y < sent; y++)
      for (let x = 0; x < width; x++) {
        const at = turned ? (1217 - y) * 812 + 811 - x : y * 812 + x;
        wrong += (picture.data[at * 4] === 0) !== ((rows[y * row + (x >> 3)] >> (7 - (x & 7)) & 1) === 1);
      }
    assert.equal(wrong, 0);
  });
