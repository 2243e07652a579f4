// printer-model.test.mjs: what a printer of a chosen model would not print is reported, by check and in the JSON description.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const platen = process.env.PLATEN || 'build/platen';
function findings(zpl, ...options) {
  const { stdout, stderr } = spawnSync(platen, ['render', '-', '-f', 'json', ...options], { input: zpl, encoding: 'utf8', timeout: 120000 });
  const answer = JSON.parse(stdout || `{"error":${JSON.stringify(stderr)}}`);
  assert.ok(answer.ok, stderr);
  return answer.warnings.filter(({ code }) => code.startsWith('printer_'));
}
const codes = (...args) => findings(...args).map(({ code }) => code);
const BOX = (x, width) => `^XA^FO${x},10^GB${width},20,20^FS^XZ`;

test('ink beyond the last dot of the head is a warning, ink on that dot is none', () => {
  assert.deepStrictEqual(codes(BOX(284, 100), '--printer-model', 'zq610plus-203'), []);
  const [found, ...others] = findings(BOX(285, 100), '--printer-model', 'zq610plus-203');
  assert.strictEqual(others.length, 0);
  assert.strictEqual(found.code, 'printer_width');
  assert.strictEqual(found.severity, 'warning');
  assert.match(found.message, /384 dots.* 1 dots beyond/);
});
test('ink that white shapes take away is none', () => {
  const label = (colour) => `^XA^FO390,10^GB100,50,5,${colour}^FS^FO5,5^GB9,9,9^FS^XZ`;
  assert.deepStrictEqual(codes(label('W'), '--printer-model', 'zq610plus-203'), []);
  assert.deepStrictEqual(codes(label('B'), '--printer-model', 'zq610plus-203'), ['printer_width']);
});
test('a label longer than the model prints is a warning, where that length is known', () => {
  const length = (model, mm) => codes(BOX(10, 100), '--printer-model', model, '--height-mm', mm, '--max-dots', '1000000000', '--dpmm', '8');
  assert.deepStrictEqual(length('zt421-203', '2591'), []);
  assert.deepStrictEqual(length('zt421-203', '3000'), ['printer_length']);
  assert.deepStrictEqual(length('zt230-203', '991'), []);
  assert.deepStrictEqual(length('zt230-203', '1000'), ['printer_length']);
  assert.deepStrictEqual(length('zd621-203', '3000'), []);
});
test('the help of virtual printers names the model', () => {
  const { stdout } = spawnSync(platen, ['printer', '--help'], { encoding: 'utf8', timeout: 120000 });
  assert.match(stdout, /profile=,model=,/);
});
test('without a model, and with a wider one, the same label is good', () => {
  assert.deepStrictEqual(codes(BOX(285, 100)), []);
  assert.deepStrictEqual(codes(BOX(285, 100), '--printer-model', 'none'), []);
  assert.deepStrictEqual(codes(BOX(285, 100), '--printer-model', 'zd621-203'), []);
});
test('another density is reported instead of a width that means nothing', () => {
  assert.deepStrictEqual(codes(BOX(285, 100), '--printer-model', 'zt411-300'), ['printer_density']);
  assert.deepStrictEqual(codes(BOX(285, 100), '--printer-model', 'zt411-300', '--dpmm', '12'), []);
  assert.deepStrictEqual(codes(BOX(1200, 49), '--printer-model', 'zt411-300', '--dpmm', '12', '--width-mm', '150'), ['printer_width']);
});
test('commands that a model cannot carry out', () => {
  const zpl = '^XA^MTT^RS8^FO5,5^GB9,9,9^FS^XZ';
  assert.deepStrictEqual(codes(zpl, '--printer-model', 'zq620plus-203'), ['printer_command', 'printer_command']);
  assert.deepStrictEqual(codes(zpl, '--printer-model', 'zd621-203'), ['printer_command']);
  assert.deepStrictEqual(codes(zpl, '--printer-model', 'zt411-203'), []);
  assert.deepStrictEqual(codes('^XA^MTD^FO5,5^GB9,9,9^FS^XZ', '--printer-model', 'zq620plus-203'), []);
});
test('check reports it, fails with --fail-on warning, and the picture is the same', () => {
  const check = spawnSync(platen, ['check', '-', '--fail-on', 'warning', '--printer-model', 'zq610plus-203'], { input: BOX(285, 100), encoding: 'utf8', timeout: 120000 });
  assert.strictEqual(check.status, 1, check.stdout + check.stderr);
  assert.match(check.stdout, /printer_width/);
  const png = (...options) => spawnSync(platen, ['render', '-', '-q', '-o', '-', ...options], { input: BOX(285, 100), timeout: 120000 }).stdout;
  assert.ok(png().length > 100 && png().equals(png('--printer-model', 'zq610plus-203')));
});
