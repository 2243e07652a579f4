// Labels a second over one raw connection of the virtual printer, beside `platen render` with one thread, in one run:
// node bench/printer/run.mjs [LABELS]. The printer also describes and checks every label.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPrinters } from '../../tests/printer/printer.js';

const count = Number(process.argv[2] || 2000);
const label = (i) => `^XA^FO40,40^A0N,60^FDParcel ${i}^FS^FO40,140^BY3^BCN,120^FDPKG-${String(i).padStart(6, '0')}^FS^FO30,20^GB700,320,4^FS^XZ`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-printer-'));
fs.mkdirSync(path.join(folder, 'in'));
for (let i = 0; i < count; i++) fs.writeFileSync(path.join(folder, 'in', `${i}.zpl`), label(i));
const p = await startPrinters(['bench'], ['--printer-labels', String(count), '--printer-bytes', '1GiB']);
const measure = async (work) => {
  const began = process.hrtime.bigint();
  await work();
  return count / (Number(process.hrtime.bigint() - began) / 1e9);
};
const all = Buffer.from(Array.from({ length: count }, (_, i) => label(i)).join('\n'));
for (let round = 0; round < 3; round++) {
  const { lastSeq } = await p.printer();
  const printed = await measure(async () => {
    await p.raw(all);
    await p.next(lastSeq + count - 1, 60);
  });
  for (const format of ['png', 'json']) {
    const out = path.join(folder, `${format}${round}`);
    const rendered = await measure(async () => { execFileSync('build/platen', ['render', path.join(folder, 'in'), '--out-dir', out, '-q', '-j', '1', '--profile', 'printer', '-f', format]); });
    console.log(`printer ${printed.toFixed(0)} labels/s; platen render -f ${format} -j 1 ${rendered.toFixed(0)} labels/s; ratio ${(printed / rendered).toFixed(2)}`);
  }
}
await p.stop();
fs.rmSync(folder, { recursive: true });
