// Label code as CUPS writes it: a page of random dots goes through rastertolabel and is drawn with every dot of it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import { cupsRaster, randomRows } from '../printer/raster.mjs';

const FILTER = '/usr/lib/cups/filter/rastertolabel', DRIVERS = '/usr/share/cups/drv/sample.drv';
let folder;
before(() => {
  assert.ok(existsSync(FILTER) && existsSync(DRIVERS), 'the package cups has rastertolabel and its drivers');
  folder = mkdtempSync(join(tmpdir(), 'cpcl-cups-'));
  execFileSync('ppdc', ['-d', folder, DRIVERS], { stdio: 'ignore' });
});
after(() => rmSync(folder, { recursive: true }));

/** The page as the filter writes it for the driver. */
function printed(driver, width, height, rows) {
  writeFileSync(join(folder, 'in.ras'), cupsRaster(width, height, rows));
  return execFileSync(FILTER, ['1', 'user', 'title', '1', '', join(folder, 'in.ras')],
    { env: { ...process.env, PPD: join(folder, `${driver}.ppd`) }, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 });
}

// With dots in the first and the last byte, so that the page has its whole size.
function fullRows(width, height) {
  const rows = randomRows(width, height);
  rows[0] |= 1, rows[rows.length - 1] |= 1;
  return rows;
}

const mm = (dots) => `${dots * 25.4 / 203}`;

// The driver for ZPL prints upside down (^POI).
for (const [driver, language, first, rotation] of [['zebracpl', 'cpcl', /^! 0 /, 0], ['zebraep2', 'epl', /^\nN\n/, 0], ['zebra', 'zpl', /^~DG[^]*\^POI/, 180]])
  for (const [width, height] of [[64, 24], [384, 200], [808, 1218]])
    test(`${language}: every dot of ${width} x ${height} is drawn`, () => {
      const rows = fullRows(width, height), code = printed(driver, width, height, rows);
      assert.match(code.toString('latin1'), first);
      writeFileSync(join(folder, 'page.prn'), code);
      const result = spawnSync('build/platen', ['render', join(folder, 'page.prn'), '--width-mm', mm(width), '--height-mm', mm(height), '--rotation', `${rotation}`, '-o', join(folder, 'page.png')], { encoding: 'utf8' });
      assert.deepEqual([result.status, result.stderr], [0, '']);
      const picture = PNG.sync.read(readFileSync(join(folder, 'page.png')));
      assert.deepEqual([picture.width, picture.height], [width, height]);
      let wrong = 0;
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          wrong += (picture.data[(y * picture.width + x) * 4] === 0) !== ((rows[y * width / 8 + (x >> 3)] >> (7 - (x & 7)) & 1) === 1);
      assert.equal(wrong, 0);
    });
