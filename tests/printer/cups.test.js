// CUPS prints to the virtual printer: a raw file, and text and a PDF through its own label driver. A cupsd of its own, as root, on a socket in a
// folder; without cupsd the tests are skipped.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { HANG_MS, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const there = fs.existsSync('/usr/sbin/cupsd') && process.getuid() === 0;
const skip = there ? false : 'cupsd is not installed, or this is not root';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-cups-'));
const socket = path.join(folder, 'cups.sock');
let p, cupsd;
prepareZXingModule({ overrides: { wasmBinary: fs.readFileSync(new URL('../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)).buffer } });

before(async () => {
  if (!there) return;
  for (const name of ['etc/ppd', 'spool/tmp', 'cache', 'state', 'log']) fs.mkdirSync(path.join(folder, name), { recursive: true });
  execFileSync('chmod', ['-R', '777', folder]);
  fs.writeFileSync(path.join(folder, 'cups-files.conf'), ['ServerRoot etc', 'RequestRoot spool', 'CacheDir cache', 'StateDir state', 'TempDir spool/tmp', 'AccessLog log/access', 'ErrorLog log/error', 'PageLog log/page']
    .map((line) => line.replace(/ (\S+)$/, (_, value) => ` ${path.join(folder, value)}`)).concat('User root', 'Group root', 'SystemGroup root').join('\n').replace(/^User.*\nGroup.*\n/m, ''));
  fs.writeFileSync(path.join(folder, 'cupsd.conf'), `Listen ${socket}\nLogLevel warn\nDefaultAuthType None\nWebInterface No\nBrowsing No\n<Location />\n Order allow,deny\n Allow all\n</Location>\n<Policy default>\n <Limit All>\n  Order deny,allow\n </Limit>\n</Policy>\n`);
  p = await startPrinters();
  cupsd = spawn('/usr/sbin/cupsd', ['-f', '-c', path.join(folder, 'cupsd.conf'), '-s', path.join(folder, 'cups-files.conf')], { stdio: 'ignore' });
  await until(() => fs.existsSync(socket), 'the socket of cupsd');
});
after(async () => {
  if (cupsd?.kill()) await once(cupsd, 'exit');
  await p?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const cups = (program, ...args) => execFileSync(program, ['-h', socket, ...args], { encoding: 'utf8', timeout: HANG_MS, stdio: ['ignore', 'pipe', 'pipe'] });

test('lp of a raw file', { skip }, async () => {
  cups('lpadmin', '-p', 'raw', '-E', '-v', `socket://127.0.0.1:${p.ports.dock}`, '-m', 'raw');
  const file = path.join(folder, 'label.zpl');
  fs.writeFileSync(file, '^XA^FO50,50^A0N,50^FDfrom CUPS^FS^XZ');
  cups('lp', '-d', 'raw', '-o', 'raw', file);
  assert.equal((await p.next(0, 300)).zpl, '^XA^FO50,50^A0N,50^FDfrom CUPS^FS^XZ');
});

test("text through CUPS' label driver", { skip }, async (t) => {
  try {
    cups('lpadmin', '-p', 'label', '-E', '-v', `socket://127.0.0.1:${p.ports.dock}`, '-m', 'drv:///sample.drv/zebra.ppd');
  } catch (error) {
    t.skip(`CUPS has no label driver here: ${error.stderr}`);
    return;
  }
  const { lastSeq } = await p.printer();
  const file = path.join(folder, 'text.txt');
  fs.writeFileSync(file, 'Hello from CUPS\n');
  cups('lp', '-d', 'label', file);
  const label = await p.next(lastSeq, 300); // CUPS starts five programs, and looks for fonts the first time
  assert.match(label.zpl, /CUPS\.GRF/);
  assert.ok(label.label.elements.some((element) => element.type === 'image'));
  // The driver deletes its picture in a format of its own, after the label's.
  await until(async () => (await p.printer()).memory.length === 0);
});

test("a PDF through CUPS' label driver: its barcode can be read", { skip }, async (t) => {
  try {
    cups('lpadmin', '-p', 'pdf', '-E', '-v', `socket://127.0.0.1:${p.ports.dock}`, '-m', 'drv:///sample.drv/zebra.ppd');
  } catch (error) {
    t.skip(`CUPS has no label driver here: ${error.stderr}`);
    return;
  }
  const { lastSeq } = await p.printer();
  const zpl = path.join(folder, 'pdf.zpl'), file = path.join(folder, 'label.pdf');
  fs.writeFileSync(zpl, '^XA^FO60,200^BY4^BCN,200^FDPKG-0042^FS^XZ');
  execFileSync(`${process.env.BUILD || 'build'}/platen`, ['render', zpl, '-q', '-o', file]);
  cups('lp', '-d', 'pdf', '-o', 'media=w288h432', file);
  const label = await p.next(lastSeq, 300);
  assert.match(label.zpl, /CUPS\.GRF/);
  const found = await readBarcodes(new Blob([await p.fetch(`/api/printers/dock/labels/${label.seq}.png`)]), { tryHarder: true });
  assert.deepEqual(found.map(({ text }) => text), ['PKG-0042']);
});
