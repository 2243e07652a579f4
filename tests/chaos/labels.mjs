// Labels that say which one they are: the number is in the text and, as squares, in the picture.
import zlib from 'node:zlib';

const BITS = 32, SQUARE = 8; // dots

/** Label code with the number; `size` in mm for requests. The squares are 256 dots wide. */
export function label(number, more = '') {
  let code = '^XA';
  for (let bit = 0; bit < BITS; bit++) if ((number / 2 ** bit) & 1) code += `^FO${bit * SQUARE},0^GB${SQUARE},${SQUARE},${SQUARE}^FS`;
  return `${code}^FO0,16^A0N,20^FDid ${number}.^FS${more}^XZ`;
}
export const SIZE = 'widthMm=40&heightMm=10';

/** Numbers of the texts in label code or in a description. */
export const numbersIn = (text) => [...text.matchAll(/id (\d+)\./g)].map(([, number]) => Number(number));

/** A label that takes long to draw. */
export const heavy = (number, fields) => label(number, '^FO0,0^FR^GB800,1200,600^FS^FO0,0^FR^GB800,1200,600^FS'.repeat(Math.ceil(fields / 2)));

/** Rows of dots of a PNG with one bit a dot, as far as `rows`: enough of it for the squares. */
function firstRows(png, rows) {
  if (png.toString('latin1', 1, 4) !== 'PNG') throw new Error('no PNG');
  const width = png.readUInt32BE(16);
  if (png[24] !== 1 || png[25] !== 0) throw new Error(`${png[24]} bits, colour type ${png[25]}`);
  const data = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const bytes = Math.ceil(width / 8), raw = zlib.inflateSync(Buffer.concat(data)), out = [];
  for (let y = 0; y < rows; y++) {
    const line = raw.subarray(y * (bytes + 1), (y + 1) * (bytes + 1)), row = Buffer.alloc(bytes), above = out[y - 1] ?? Buffer.alloc(bytes);
    for (let x = 0; x < bytes; x++) {
      const left = x > 0 ? row[x - 1] : 0, corner = x > 0 ? above[x - 1] : 0, up = above[x];
      const paeth = () => { const p = left + up - corner, a = Math.abs(p - left), b = Math.abs(p - up), c = Math.abs(p - corner); return a <= b && a <= c ? left : b <= c ? up : corner; };
      row[x] = line[x + 1] + [0, left, up, (left + up) >> 1, line[0] === 4 ? paeth() : 0][line[0]];
    }
    out.push(row);
  }
  return out;
}

/** The number that the squares of a picture say. */
export function numberOfPicture(png) {
  const row = firstRows(png, SQUARE / 2 + 1)[SQUARE / 2];
  let number = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const x = bit * SQUARE + SQUARE / 2;
    if (!(row[x >> 3] & (0x80 >> (x & 7)))) number += 2 ** bit; // 0 is black
  }
  return number;
}
