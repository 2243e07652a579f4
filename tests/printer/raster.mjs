// Pages of dots as CUPS and IPP clients send them to label drivers: CUPS raster and PWG raster.

/** The header of 1796 bytes that both formats share, for 203 dots an inch and a bit a dot. `write` is 'writeUInt32LE' or 'writeUInt32BE'. */
function header(width, height, write) {
  const head = Buffer.alloc(1796), put = (offset, value) => head[write](value, offset);
  put(276, 203), put(280, 203); // resolution
  put(340, 1); // copies
  put(352, Math.round(width * 72 / 203)), put(356, Math.round(height * 72 / 203)); // in points
  put(372, width), put(376, height);
  put(384, 1), put(388, 1), put(392, width / 8);
  put(400, 3); // black is 1
  put(420, 1); // colours
  return head;
}

/** One page of CUPS raster, version 3, uncompressed. */
export function cupsRaster(width, height, rows) {
  return Buffer.concat([Buffer.from('3SaR'), header(width, height, 'writeUInt32LE'), rows]);
}

/** A page of PWG raster: each row once, its bytes as they are. */
export function pwgRaster(width, height, rows) {
  const head = header(width, height, 'writeUInt32BE');
  head.write('PwgRaster', 0);
  for (const offset of [452, 456, 460]) head.writeUInt32BE(1, offset);
  head.write('oe_label_4x6in', 1732);
  const parts = [Buffer.from('RaS2'), head];
  for (let y = 0; y < height; y++) parts.push(Buffer.from([0, 257 - width / 8]), rows.subarray(y * width / 8, (y + 1) * width / 8));
  return Buffer.concat(parts);
}

/** Rows of random dots with white between them, the same ones each time. */
export function randomRows(width, height) {
  const rows = Buffer.alloc(width / 8 * height);
  for (let i = 0, seed = 11; i < rows.length; i++) {
    seed = Math.imul(seed, 1103515245) + 12345 >>> 0;
    rows[i] = i % 5 ? seed >>> 16 & 255 : 0;
  }
  return rows;
}
