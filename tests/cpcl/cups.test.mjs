// CPCL as CUPS writes it: a page of random dots goes through rastertolabel and is drawn with every dot of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';

const FILTER = '/usr/lib/cups/filter/rastertolabel', DRIVERS = '/usr/share/cups/drv/sample.drv';
let folder;
before(() => {
  assert.ok(existsSync(FILTER) && existsSync(DRIVERS), 'the package cups has rastertolabel and its drivers');
  folder = mkdtempSync(join(tmpdir(), 'cpcl-cups-'));
  execFileSync('ppdc', ['-d', folder, DRIVERS], { stdio: 'ignore' });
});
after(() => rmSync(folder, { recursive: true }));

// One page of CUPS raster, version 3, uncompressed: a header of 1796 bytes and rows of a bit a dot.
function raster(width, height, rows) {
  const head = Buffer.alloc(1796);
  const put = (offset, value) => head.writeUInt32LE(value, offset);
  put(276, 203), put(280, 203); // resolution
  put(340, 1); // copies
  put(352, Math.round(width * 72 / 203)), put(356, Math.round(height * 72 / 203)); // in points
  put(372, width), put(376, height);
  put(384, 1), put(388, 1), put(392, width / 8);
  put(400, 3); // black is 1
  put(420, 1); // colours
  return Buffer.concat([Buffer.from('3SaR'), head, rows]);
}

for (const [width, height] of [[64, 24], [384, 200], [808, 1218]])
  test(`every dot of ${width} x ${height} is drawn`, () => {
    const rows = Buffer.alloc(width / 8 * height);
    for (let i = 0, seed = 11; i < rows.length; i++) {
      seed = Math.imul(seed, 1103515245) + 12345 >>> 0;
      rows[i] = i % 5 ? seed >>> 16 & 255 : 0;
    }
    rows[0] |= 1, rows[rows.length - 1] |= 1;
    writeFileSync(join(folder, 'in.ras'), raster(width, height, rows));
    const code = execFileSync(FILTER, ['1', 'user', 'title', '1', '', join(folder, 'in.ras')],
      { env: { ...process.env, PPD: join(folder, 'zebracpl.ppd') }, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 });
    writeFileSync(join(folder, 'page.cpcl'), code);
    const said = execFileSync('build/platen', ['render', join(folder, 'page.cpcl'), '--width', '101.6', '-o', join(folder, 'page.png')], { stdio: ['ignore', 'pipe', 'pipe'] });
    assert.equal(said.toString(), '');
    const picture = PNG.sync.read(readFileSync(join(folder, 'page.png')));
    let wrong = 0;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        wrong += (picture.data[(y * picture.width + x) * 4] === 0) !== ((rows[y * width / 8 + (x >> 3)] >> (7 - (x & 7)) & 1) === 1);
    assert.equal(wrong, 0);
  });
