// Dots of a picture with one bit each, without a library.
import { inflateSync } from 'node:zlib';

// One byte a dot, 0 or 255, of a PNG with one bit a dot.
export function dots(png) {
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
