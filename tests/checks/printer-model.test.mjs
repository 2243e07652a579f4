// printer-model.test.mjs: what a printer of a chosen model would not print is reported, by check and in the JSON description.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { startPrinters } from '../printer/printer.js';

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
  assert.match(found.message, /384 dots.* ends 1 dot beyond/);
});
test('ink that white shapes take away is none', () => {
  const label = (colour) => `^XA^FO390,10^GB100,50,5,${colour}^FS^FO5,5^GB9,9,9^FS^XZ`;
  assert.deepStrictEqual(codes(label('W'), '--printer-model', 'zq610plus-203'), []);
  assert.deepStrictEqual(codes(label('B'), '--printer-model', 'zq610plus-203'), ['printer_width']);
});
test('ink that a later field or the print width takes away is none', () => {
  const erased = (x) => `^XA^FO300,10^GB200,100,100^FS^FO${x},10^GB200,100,100,W^FS^XZ`;
  for (const quality of ['bitonal', 'grayscale']) {
    assert.deepStrictEqual(codes(erased(384), '--printer-model', 'zq610plus-203', '--quality', quality), []);
    assert.deepStrictEqual(codes(erased(385), '--printer-model', 'zq610plus-203', '--quality', quality), ['printer_width']);
  }
  for (const profile of ['reference', 'printer'])
    assert.deepStrictEqual(codes('^XA^PW384^FO300,10^GB200,100,100^FS^XZ', '--printer-model', 'zq610plus-203', '--profile', profile), []);
});
test('^PO and ^PM: what counts is where the head prints, however the picture is turned', () => {
  const label = (commands, x) => `^XA${commands}^FO${x},10^GB100,100,4^FS^XZ`; // of 812 dots
  for (const rotation of ['0', '90', '180', '270']) {
    const found = (zpl) => findings(zpl, '--printer-model', 'zq610plus-203', '--rotation', rotation).map(({ message }) => message.match(/ends (\d+) dots? beyond/)[1]);
    for (const commands of ['^POI', '^PMY']) {
      assert.deepStrictEqual(found(label(commands, 10)), ['418'], commands + rotation);
      assert.deepStrictEqual(found(label(commands, 427)), ['1'], commands + rotation);
      assert.deepStrictEqual(found(label(commands, 428)), [], commands + rotation);
      assert.deepStrictEqual(found(label(commands, 700)), [], commands + rotation);
    }
    assert.deepStrictEqual(found(label('^POI^PMY', 10)), [], rotation);
    assert.deepStrictEqual(found(label('^POI^PMY', 285)), ['1'], rotation);
  }
  // Enlarged dots: 50 to 150 are 100 to 300 of the head.
  assert.deepStrictEqual(codes('^XA^JMB^FO150,10^GB50,50,4^FS^XZ', '--printer-model', 'zq610plus-203'), ['printer_width']);
  assert.deepStrictEqual(codes('^XA^JMB^FO50,10^GB100,50,4^FS^XZ', '--printer-model', 'zq610plus-203'), []);
});
test('a label longer than the model prints is a warning, where that length is known', () => {
  const length = (model, mm) => codes(BOX(10, 100), '--printer-model', model, '--height-mm', mm, '--max-dots', '1000000000', '--dpmm', '8');
  assert.deepStrictEqual(length('zt421-203', '2591'), []);
  assert.deepStrictEqual(length('zt421-203', '3000'), ['printer_length']);
  assert.deepStrictEqual(length('zt230-203', '991'), []);
  assert.deepStrictEqual(length('zt230-203', '1000'), ['printer_length']);
  assert.deepStrictEqual(length('zd621-203', '3000'), []);
  // ^LL counts the dots of the printer: 991 mm are 7928 or 11892 of them.
  const dots = (model, ll, dpmm) => codes(`^XA^LL${ll}^FO10,10^GB100,100,4^FS^XZ`, '--printer-model', model, '--dpmm', dpmm);
  assert.deepStrictEqual(dots('zt230-203', 8000, '8'), ['printer_length']);
  assert.deepStrictEqual(dots('zt230-203', 7928, '8'), []);
  assert.deepStrictEqual(dots('zt230-300', 8000, '12'), []);
  assert.deepStrictEqual(dots('zt230-300', 12000, '12'), ['printer_length']);
  assert.deepStrictEqual(dots('zd621-203', 32000, '8'), []);
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
test('another density is reported, and the width is compared in dots, as the printer gets them', () => {
  const wide = findings(BOX(500, 400), '--printer-model', 'zd621-203', '--dpmm', '12');
  assert.deepStrictEqual(wide.map(({ code }) => code).sort(), ['printer_density', 'printer_width']);
  const { message, missingMm } = wide.find(({ code }) => code === 'printer_width');
  assert.match(message, /has 832 dots\. This field ends 68 dots beyond it/);
  assert.strictEqual(missingMm, 8.508); // at the 203 dpi of the printer, not at the 12 dots a millimetre of the picture
  assert.deepStrictEqual(codes(BOX(432, 400), '--printer-model', 'zd621-203', '--dpmm', '12'), ['printer_density']);
  assert.deepStrictEqual(codes(BOX(285, 100), '--printer-model', 'zt411-300'), ['printer_density']);
  assert.deepStrictEqual(codes(BOX(285, 100), '--printer-model', 'zt411-300', '--dpmm', '12'), []);
  assert.deepStrictEqual(codes(BOX(1200, 49), '--printer-model', 'zt411-300', '--dpmm', '12', '--width-mm', '150'), ['printer_width']);
});
test('another density is reported for every label', () => {
  const two = BOX(285, 100) + BOX(10, 100);
  assert.deepStrictEqual(findings(two, '--printer-model', 'zt411-300').map(({ code, label }) => [code, label]), [['printer_density', 0], ['printer_density', 1]]);
  const second = spawnSync(platen, ['render', '-', '-f', 'png', '-o', '-', '--page', '1', '--strict', '--printer-model', 'zt411-600'], { input: two, timeout: 120000 });
  assert.notStrictEqual(second.status, 0);
  assert.match(second.stderr.toString(), /printer_density|another density/);
});
test('commands that a model cannot carry out', () => {
  const zpl = '^XA^MTT^RS8^FO5,5^GB9,9,9^FS^XZ';
  assert.deepStrictEqual(codes(zpl, '--printer-model', 'zq620plus-203'), ['printer_command', 'printer_command']);
  assert.deepStrictEqual(codes(zpl, '--printer-model', 'zd621-203'), ['printer_command']);
  assert.deepStrictEqual(codes(zpl, '--printer-model', 'zt411-203'), []);
  const log = '~HL^XA^HL^FO5,5^GB9,9,9^FS^XZ'; // of the RFID encoder
  assert.deepStrictEqual(codes(log, '--printer-model', 'zd421-203'), ['printer_command', 'printer_command']);
  assert.deepStrictEqual(codes(log, '--printer-model', 'zt411-203'), []);
  assert.deepStrictEqual(codes('^XA^MTD^FO5,5^GB9,9,9^FS^XZ', '--printer-model', 'zq620plus-203'), []);
});
test('check reports it, fails with --fail-on warning, and the picture is the same', () => {
  const check = spawnSync(platen, ['check', '-', '--fail-on', 'warning', '--printer-model', 'zq610plus-203'], { input: BOX(285, 100), encoding: 'utf8', timeout: 120000 });
  assert.strictEqual(check.status, 1, check.stdout + check.stderr);
  assert.match(check.stdout, /printer_width/);
  const png = (...options) => spawnSync(platen, ['render', '-', '-q', '-o', '-', ...options], { input: BOX(285, 100), timeout: 120000 }).stdout;
  assert.ok(png().length > 100 && png().equals(png('--printer-model', 'zq610plus-203')));
});
test('a virtual printer tells its model and profile, and its labels what that would not print', async (t) => {
  const p = await startPrinters(['dock'], [], ',model=ZQ610Plus-203');
  t.after(() => p.stop());
  const { printers } = await p.json('/api/printers');
  assert.deepStrictEqual(printers.map(({ model, profile, dpmm }) => [model, profile, dpmm]), [['zq610plus-203', 'printer', 8]]);
  await p.raw(BOX(285, 100) + '^XA^BY2^FT100,400^BCI,80,N^FDABC123^FS^XZ');
  const told = async (after) => {
    const label = await p.next(after);
    const whole = await p.json(`/api/printers/dock/labels/${label.seq}.json`);
    return [label.seq, whole.label.warnings.map(({ code }) => code)];
  };
  const [first, wide] = await told(0);
  assert.deepStrictEqual(wide, ['printer_width']);
  // Moved onto the label: its edge is in the quiet zone, but no ink.
  assert.deepStrictEqual((await told(first))[1], ['quiet_zone_at_edge']);
});
test('a printer model that there is not: the command that lists all of them is named', () => {
  const { status, stderr } = spawnSync(platen, ['printer', '--printer', 'listen=127.0.0.1:0,model=zd621'], { encoding: 'utf8', timeout: 120000 });
  assert.notStrictEqual(status, 0);
  assert.match(stderr, /'platen render --help' lists/);
  assert.match(spawnSync(platen, ['render', '--help'], { encoding: 'utf8', timeout: 120000 }).stdout.replace(/\s+/g, ' '), /zd621-203/);
});
