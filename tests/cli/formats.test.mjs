// Every format beside the PNG, dot by dot, at odd sizes, as programs of others decode it: Poppler and MuPDF for PDF, libwebp's dwebp,
// libjpeg's djpeg. The PNG is read here, by the standard alone.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inflateSync } from 'node:zlib';

const work = mkdtempSync(join(tmpdir(), 'formats-'));
after(() => rmSync(work, { recursive: true }));
const platen = join(process.env.PLATEN_BUILD || 'build', 'platen');
const has = (program) => spawnSync(program, ['-v']).error === undefined;

function run(program, ...args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error || status !== 0) throw error || new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

// Lines at all edges, so that a row or column too many, or one that is missing, shows; and something with fine detail.
const label = join(work, 'label.zpl');
writeFileSync(label, `^XA^FO0,0^GB4000,1,1^FS^FO0,3^GB4000,1,1^FS^FO0,0^GB1,4000,1^FS^FO3,0^GB1,4000,1^FS^FO9,9^BY1^BCN,30,N^FDODD^FS
^FO9,45^BQN,2,1^FDQA,ODD SIZE^FS^FO40,60^GC25,1^FS^FO9,90^A0N,20,20^FDText^FS^XZ`);

// 1 or 8 bits of grey, not interlaced: dots of 0 to 255, row by row.
function readPng(path) {
  const file = readFileSync(path);
  let at = 8, head;
  const data = [];
  while (at < file.length) {
    const length = file.readUInt32BE(at), type = file.toString('latin1', at + 4, at + 8), body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') head = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), bits: body[8], colour: body[9], interlace: body[12] };
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  assert.equal(head.colour, 0);
  assert.equal(head.interlace, 0);
  const rows = inflateSync(Buffer.concat(data)), stride = Math.ceil((head.width * head.bits) / 8), dots = new Uint8Array(head.width * head.height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < head.height; y++) {
    const filter = rows[y * (stride + 1)], row = Uint8Array.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; i++) {
      const a = i ? row[i - 1] : 0, b = above[i], c = i ? above[i - 1] : 0, p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      row[i] += [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][filter];
    }
    for (let x = 0; x < head.width; x++) dots[y * head.width + x] = head.bits === 8 ? row[x] : (row[x >> 3] >> (7 - (x & 7))) & 1 ? 255 : 0;
    above = row;
  }
  return { width: head.width, height: head.height, dots };
}

// PGM, or PPM of colours that are all grey.
function readPnm(path) {
  const file = readFileSync(path), fields = /^P([56])\s+(?:#.*\n)?(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 100));
  assert.ok(fields, `${path} is neither PGM nor PPM`);
  const body = file.subarray(fields[0].length), dots = fields[1] === '5' ? body : body.filter((_, i) => i % 3 === 0);
  if (fields[1] === '6') assert.ok(body.every((value, i) => value === dots[Math.floor(i / 3)]), 'the picture is not grey');
  return { width: +fields[2], height: +fields[3], dots };
}

function difference(a, b, most) {
  if (a.width !== b.width || a.height !== b.height) return `${b.width} x ${b.height} instead of ${a.width} x ${a.height}`;
  let wrong = 0;
  for (let i = 0; i < a.dots.length; i++) wrong += Math.abs(a.dots[i] - b.dots[i]) > most;
  return wrong ? `${wrong} of ${a.dots.length} dots` : '';
}

const sizes = [[25.4, 25.4], [50.8, 76.2], [76.2, 25.4], [101.6, 152.4], [33.3, 41.7], [57.15, 31.75], [60, 40], [11.1, 19.05], [12.7, 12.7], [30, 90],
  [17.3, 23.9], [99.9, 13.7], [45, 45.1], [62, 29], [88.9, 36], [70.1, 70.3], [20, 30.5], [15.9, 66.6], [54, 86], [101.726, 50.1]];
const densities = [6, 8, 12, 24];
const decoders = {
  'Poppler': { format: 'pdf', program: 'pdftoppm', most: 127, decode: (from, to, { width, height }) => run('pdftoppm', '-gray', '-singlefile', '-aa', 'no', '-scale-to-x', width, '-scale-to-y', height, from, to.slice(0, -4)) },
  'Poppler, by its density': { format: 'pdf', program: 'pdftoppm', most: 127, whole: true, decode: (from, to, { dpi }) => run('pdftoppm', '-gray', '-singlefile', '-aa', 'no', '-r', dpi, from, to.slice(0, -4)) },
  'MuPDF': { format: 'pdf', program: 'mutool', most: 127, whole: true, decode: (from, to, { dpi }) => run('mutool', 'draw', '-q', '-c', 'gray', '-A', '0', '-r', dpi, '-o', to, from, '1') },
  'libwebp': { format: 'webp', program: 'dwebp', most: 0, decode: (from, to) => run('dwebp', '-quiet', '-ppm', from, '-o', to) },
  'libwebp, smooth': { format: 'webp', program: 'dwebp', quality: 'grayscale', most: 0, decode: (from, to) => run('dwebp', '-quiet', '-ppm', from, '-o', to) },
  'libjpeg': { format: 'jpeg', program: 'djpeg', quality: 'grayscale', most: 40, decode: (from, to) => run('djpeg', '-grayscale', '-pnm', '-outfile', to, from) },
};

for (const [name, d] of Object.entries(decoders)) {
  test(`${d.format}: ${name} reads the dots of the PNG at ${sizes.length} odd sizes`, { skip: has(d.program) ? false : `${d.program} is not installed` }, () => {
    const wrong = [];
    for (const [i, [w, h]] of sizes.entries()) {
      const dpmm = densities[i % 4], dpi = Math.floor(dpmm * 25.4);
      // A page of a fraction of dots has no density at which its dots are whole.
      if (d.whole && ((w / 25.4) * dpi % 1 > 1e-6 || (h / 25.4) * dpi % 1 > 1e-6)) continue;
      const options = ['--width-mm', w, '--height-mm', h, '--dpmm', dpmm, '--quality', d.quality || 'bitonal', '-q'].map(String);
      const [png, file, pnm] = ['png', d.format, 'pgm'].map((end) => join(work, `label.${end}`));
      run(platen, 'render', label, ...options, '-o', png);
      run(platen, 'render', label, ...options, '--format', d.format, '-o', file);
      const ours = readPng(png);
      d.decode(file, pnm, { width: String(ours.width), height: String(ours.height), dpi: String(dpi) });
      const found = difference(ours, readPnm(pnm), d.most);
      if (found) wrong.push(`${w} x ${h} mm at ${dpmm} dots per mm: ${found}`);
    }
    assert.deepEqual(wrong, []);
  });
}
