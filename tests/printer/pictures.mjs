// pictures.mjs [PLATEN]: writes docs/images/profiles.png, the label docs/images/profiles.zpl by both profiles and their difference:
// black dots are in both, blue ones only in the printer's, orange ones only in the reference's. Each dot is two pixels wide and high.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { dots } from './dots.mjs';

const platen = process.argv[2] || 'build/platen', TIMES = 2, GAP = 8;
const WHITE = [255, 255, 255], BLACK = [0, 0, 0], BLUE = [11, 95, 214], ORANGE = [217, 72, 15], GREY = [200, 200, 200];

function draw(profile) {
  const work = mkdtempSync(join(tmpdir(), 'pictures-')), output = join(work, 'label.png');
  try {
    const { status, stderr } = spawnSync(platen, ['render', 'docs/images/profiles.zpl', '-q', '--profile', profile, '--width-mm', '50.8',
      '--height-mm', '25.4', '-o', output], { encoding: 'utf8', timeout: 60000 });
    if (status !== 0) throw new Error(stderr);
    return dots(readFileSync(output));
  } finally {
    rmSync(work, { recursive: true });
  }
}

function table() {
  return Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });
}
const CRC = table();
const checksum = (bytes) => (bytes.reduce((c, b) => CRC[(c ^ b) & 255] ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]), frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(checksum(body), body.length + 4);
  return frame;
}

const reference = draw('reference'), printer = draw('printer'), { width, height } = reference;
const colours = [
  (i) => (reference.out[i] ? WHITE : BLACK),
  (i) => (printer.out[i] ? WHITE : BLACK),
  (i) => (reference.out[i] === printer.out[i] ? (printer.out[i] ? WHITE : BLACK) : printer.out[i] ? ORANGE : BLUE),
];
const total = colours.length * height * TIMES + (colours.length - 1) * GAP, palette = [WHITE, BLACK, BLUE, ORANGE, GREY];
const rows = Buffer.alloc(total * (1 + width * TIMES), palette.indexOf(GREY));
for (let y = 0; y < total; y++) {
  const part = Math.floor(y / (height * TIMES + GAP)), row = Math.floor((y % (height * TIMES + GAP)) / TIMES), at = y * (1 + width * TIMES);
  rows[at] = 0;
  if (row >= height) continue;
  for (let x = 0; x < width * TIMES; x++) rows[at + 1 + x] = palette.indexOf(colours[part](row * width + Math.floor(x / TIMES)));
}
const head = Buffer.alloc(13);
head.writeUInt32BE(width * TIMES, 0);
head.writeUInt32BE(total, 4);
head.set([8, 3, 0, 0, 0], 8);
writeFileSync('docs/images/profiles.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head),
  chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]));
