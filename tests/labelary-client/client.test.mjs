// The npm package "labelary", a command-line client of Labelary's API, works against Platen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { startService } from '../api/service.js';

const folder = resolve('tests/labelary-client');
const library = createRequire(join(folder, 'x.js')).resolve('labelary/lib/labelary.js');
let service;
let dir;
before(async () => {
  service = await startService('platen');
  dir = mkdtempSync(join(tmpdir(), 'platen-'));
  writeFileSync(join(dir, 'label.zpl'), '^XA^FO50,50^A0N,60,60^FDOne^FS^XZ^XA^FO50,50^A0N,60,60^FDTwo^FS^XZ');
});
after(async () => {
  rmSync(dir, { recursive: true });
  await service.stop();
});

function run(answers) {
  const code = `require(${JSON.stringify(library)}).run(${JSON.stringify({ zpl_filename: 'label.zpl', size: '4x6', density: '8dpmm', new_label_filename: 'out', ...answers })})`;
  return execFileSync('node', ['--require', join(folder, 'redirect.cjs'), '-e', code], { cwd: dir, env: { ...process.env, PLATEN_URL: service.url } }).toString();
}

test('a PNG of one label', () => {
  assert.match(run({ format: 'PNG', index: 'Single-page' }), /out\.png generated/);
  const png = readFileSync(join(dir, 'out.png'));
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [812, 1218]);
});

test('a PDF of all labels', () => {
  assert.match(run({ format: 'PDF', index: 'Multi-page' }), /out\.pdf generated/);
  assert.match(readFileSync(join(dir, 'out.pdf'), 'latin1'), /\/Count 2/);
});
