// Many labels over many connections in random pieces: each is there once, in order per connection, with the bytes of `platen render`;
// and the same service again later: stored objects of drive E: are there. PRINTER_LABELS: how many (10,000 for the whole test).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startPrinters } from './printer.js';

const build = process.env.BUILD || 'build';
const LABELS = Number(process.env.PRINTER_LABELS || 400);
const CONNECTIONS = 20;

function random(seed) {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

test(`${LABELS} labels over ${CONNECTIONS} connections, the service restarted in the middle`, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-many-'));
  const state = path.join(folder, 'state'), zpl = path.join(folder, 'zpl'), png = path.join(folder, 'png');
  for (const name of [state, zpl, png]) fs.mkdirSync(name);
  const logo = '~DGE:LOGO.GRF,32,4,FFFFFFFF80000001BFFFFFFDA0000005A0000005BFFFFFFD80000001FFFFFFFF';
  const code = (connection, i) => `^XA^FO20,20^A0N,40^FDc${connection} n${i}^FS^FO20,90^BY2^BCN,80^FD${connection}-${i}^FS^FO400,20^XGE:LOGO.GRF,2,2^FS^XZ`;
  const options = ['--printer-labels', String(LABELS + 10), '--printer-bytes', '2GiB', '--state', state];
  const perConnection = LABELS / CONNECTIONS / 2;
  const got = new Map();
  for (const half of [0, 1]) {
    const p = await startPrinters(['dock'], options);
    if (half === 0) await p.raw(`${logo}^XA^XZ`);
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => {
      const next = random(connection * 31 + half);
      const whole = Buffer.from(Array.from({ length: perConnection }, (__, i) => code(connection, half * perConnection + i)).join('\r\n'));
      const pieces = [];
      for (let at = 0; at < whole.length;) {
        const n = 1 + next(next(4) ? 40 : 3000);
        pieces.push(whole.subarray(at, at + n));
        at += n;
      }
      return p.raw(pieces);
    }));
    let last = 0, missing = LABELS / 2;
    while (missing > 0) {
      const found = await p.next(last, 300);
      if (found.status === 404) assert.fail(`${missing} are missing: ${JSON.stringify(await p.printer())}`);
      const { labels, next } = await p.labels(last);
      for (const label of labels) got.set(`${half}-${label.seq}`, label); // in their order
      for (let at = 0; at < labels.length; at += 8) {
        await Promise.all(labels.slice(at, at + 8).map(async (label) => {
          label.zpl = (await p.fetch(`/api/printers/dock/labels/${label.seq}.zpl`)).toString();
          label.png = await p.fetch(`/api/printers/dock/labels/${label.seq}.png`);
        }));
      }
      missing -= labels.length;
      last = next;
    }
    assert.equal(missing, 0);
    assert.equal((await p.labels(last)).labels.length, 0);
    await p.stop();
  }
  // Each once, in order per connection.
  const seen = Array.from({ length: CONNECTIONS }, () => -1);
  for (const label of got.values()) {
    const [, connection, i] = /FDc(\d+) n(\d+)/.exec(label.zpl).map(Number);
    assert.equal(label.zpl.trim(), code(connection, i));
    assert.equal(i, ++seen[connection]);
    fs.writeFileSync(path.join(zpl, `${connection}-${i}.zpl`), logo + label.zpl);
  }
  assert.deepEqual([...new Set(seen)], [perConnection * 2 - 1]);
  execFileSync(`${build}/platen`, ['render', zpl, '--out-dir', png, '-q', '--profile', 'printer',]);
  for (const label of got.values()) {
    const [, connection, i] = /FDc(\d+) n(\d+)/.exec(label.zpl);
    assert.ok(label.png.equals(fs.readFileSync(path.join(png, `${connection}-${i}.png`))), `${connection}-${i}`);
  }
  fs.rmSync(folder, { recursive: true });
});
