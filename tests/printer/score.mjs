// score.mjs [PLATEN]: labels drawn with the printer's profile against the hashes of a printer's own pictures, where those are at hand.
// Says what is equal, and fails where fewer labels are equal than were before. --list names those that are not.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const LEAST = { equal: 183 }; // of the labels without text; it may only rise
const RESET = '^PMN^PA0,0,0,0^FPH,0^CVN^BY2,3,100^CI27^CF0,32,0^FWN^LH0,0^LS0^LT0^PON^LRN';

const platen = process.argv[2]?.startsWith('--') ? 'build/platen' : process.argv[2] || 'build/platen', list = process.argv.includes('--list');
const folder = join(process.env.PLATEN_SHARED || '../shared', 'printer');
if (!existsSync(join(folder, 'cases.tsv'))) {
  console.log(`skipped: no pictures of a printer at ${folder}`);
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

// One byte a dot, 0 or 255, of a PNG with one bit a dot.
function dots(png) {
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20), parts = [];
  if (png[24] !== 1 || png[25] !== 0) throw new Error('not a picture of dots');
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts)), stride = (width + 7) >> 3, out = Buffer.alloc(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)], row = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    if (filter > 4) throw new Error('unknown filter');
    for (let i = 0; i < stride; i++) {
      const left = i ? row[i - 1] : 0, up = above[i], corner = i ? above[i - 1] : 0;
      const by = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      const nearest = by[0] <= by[1] && by[0] <= by[2] ? left : by[1] <= by[2] ? up : corner;
      row[i] = (row[i] + [0, left, up, (left + up) >> 1, nearest][filter]) & 255;
    }
    for (let x = 0; x < width; x++) out[y * width + x] = (row[x >> 3] >> (7 - (x & 7))) & 1 ? 255 : 0;
    above = row;
  }
  return { width, height, out };
}

const work = mkdtempSync(join(tmpdir(), 'printer-'));
const millimetres = (n) => (((n + 0.5) / 203) * 25.4).toFixed(4);
function draw(row) {
  let zpl = readFileSync(join(folder, row.zpl_file), 'latin1');
  if (row.reset !== '0') zpl = zpl.replace('^XA', `^XA^PW${row.width}^LL${row.height}${RESET}`);
  const input = join(work, 'label.zpl'), output = join(work, 'label.png');
  writeFileSync(input, zpl, 'latin1');
  const args = ['render', input, '-q', '--profile', 'printer', '--width-mm', millimetres(+row.width), '--height-mm', millimetres(+row.height),
    '--dpmm', '8', '-f', 'png', '-o', output];
  const { status, stderr } = spawnSync(platen, args, { encoding: 'utf8', timeout: 60000 });
  if (status !== 0) throw new Error(`${row.name}: ${stderr}`);
  const picture = dots(readFileSync(output));
  if (picture.width !== +row.width || picture.height !== +row.height) return 'other size';
  return createHash('sha256').update(picture.out).digest('hex');
}

let equal = 0, all = 0;
try {
  const [head, ...lines] = readFileSync(join(folder, 'cases.tsv'), 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
  for (const line of lines) {
    const row = Object.fromEntries(head.map((name, i) => [name, line[i]]));
    if (row.font !== '0' || row.printer_sha256 === '-') continue;
    all++;
    if (draw(row).startsWith(row.printer_sha256)) equal++;
    else if (list) console.log(`differs: ${row.name}`);
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`labels without text that equal the printer's: ${equal} of ${all}`);
const good = equal >= LEAST.equal;
if (!good) console.log(`there were ${LEAST.equal}; node tests/printer/score.mjs --list names the others`);
if (equal > LEAST.equal) console.log('more than tests/printer/score.mjs asks for: raise it');
console.log(`${good ? 1 : 0} passed, ${good ? 0 : 1} failed, 0 skipped`);
process.exit(good ? 0 : 1);
