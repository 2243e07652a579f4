// read-back-profiles.test.mjs: symbols that were drawn as no scanner reads them, or read back as other data than they have.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { dots } from '../printer/dots.mjs';

const platen = process.env.PLATEN || 'build/platen';
const PROFILES = ['reference', 'printer'];
function describe(zpl, ...options) {
  const { stdout, stderr } = spawnSync(platen, ['render', '-', '-f', 'json', '--verify', ...options], { input: zpl, encoding: 'utf8', timeout: 120000 });
  const answer = JSON.parse(stdout || `{"error":${JSON.stringify(stderr)}}`);
  assert.ok(answer.ok, stderr);
  return { element: answer.labels[0].elements[0], codes: answer.warnings.map(({ code }) => code) };
}
function assertReads(zpl, data) {
  for (const profile of PROFILES) {
    const { element, codes } = describe(zpl, '--profile', profile);
    assert.strictEqual(element.decoded, true, `${profile}: ${zpl}: ${codes}`);
    assert.strictEqual(element.matches, true, `${profile}: ${zpl}: ${element.decodedData}`);
    if (data !== undefined) assert.strictEqual(element.decodedData, data);
  }
}

test('TLC39: the link flag covers no module of a 2D part that is wider than the bars', () => {
  for (const [narrow, micro] of [[2, 3], [1, 2], [1, 3], [3, 4], [2, 2], [3, 2]])
    for (const turn of 'NRIB')
      assertReads(`^XA^FO150,150^BT${turn},${narrow},2,60,${micro},6^FD123456,ABCd12345678901234^FS^XZ`, '123456,ABCd12345678901234');
});
test('TLC39: at the edge of the label no turn loses dots of the flag', () => {
  for (const turn of 'NRIB') {
    const ink = (x, y) => {
      const zpl = `^XA^FO${x},${y}^BT${turn},2,2,200,2,4^FD123456,ABC123^FS^XZ`;
      const { stdout } = spawnSync(platen, ['render', '-', '-q', '-f', 'png', '--profile', 'printer', '-o', '-'], { input: zpl, timeout: 120000 });
      return dots(stdout).out.filter((dot) => dot === 0).length;
    };
    assert.strictEqual(ink(0, 0), ink(100, 100), turn);
  }
});
test('CODABLOCK A: a check character that is a blank is one', () => {
  assertReads('^XA^FO50,50^BY2^BBN,20,Y,4,,A^FD2XCBU0^FS^XZ');
  assertReads('^XA^FO50,50^BY2^BBN,20,Y,4,,A^FDABCDEF^FS^XZ');
});
test('Aztec: ones that fill the last word are no data', () => {
  assertReads('^XA^FO20,20^BON,3,N,232^FDXtW^FS^XZ', 'XtW');
  assertReads('^XA^FO20,20^BOB,3,N,99^FD5381505652150717628100n;1*[}}Q^FS^XZ', '5381505652150717628100n;1*[}}Q');
  for (const level of [0, 1, 50, 99, 102, 104, 201, 208, 222, 232])
    for (const data of ['A', '12', 'ab', 'Ab1,. ', '[x]: 7 Y', 'hello, WORLD. 99'])
      assertReads(`^XA^FO20,20^BON,3,N,${level}^FD${data}^FS^XZ`, data);
});
test('Aztec: a printer rounds the level up to whole words and adds nothing', () => {
  const side = (profile, level) => describe(`^XA^FO60,60^BON,3,N,${level}^FH^FD_80_80_80_80_80_80_80_80_80^FS^XZ`, '--profile', profile).element.width / 3;
  assert.deepStrictEqual([0, 10, 50].map((level) => side('printer', level)), [19, 15, 19]);
  assert.deepStrictEqual([0, 10, 50].map((level) => side('reference', level)), [19, 19, 19]);
});
test('^CVY: a size that no Data Matrix before ECC 200 has is a bad parameter; one beyond the largest is automatic', () => {
  for (const profile of PROFILES) {
    const panel = describe('^XA^CVY^FO60,60^BXN,4,140,9,9,6^FDABC^FS^XZ', '--profile', profile).element;
    for (const size of [8, 10, 48]) {
      const { element, codes } = describe(`^XA^CVY^FO60,60^BXN,4,0,${size}^FDABC^FS^XZ`, '--profile', profile);
      assert.ok(codes.includes('barcode_unencodable'), `${size}: ${codes}`);
      assert.deepStrictEqual([element.width, element.height], [panel.width, panel.height]);
    }
    for (const zpl of ['^XA^CVY^FO60,60^BXN,4,0,60^FDABC^FS^XZ', '^XA^FO60,60^BXN,4,0,10^FDABC^FS^XZ'])
      assert.deepStrictEqual(describe(zpl, '--profile', profile).codes.filter((code) => code.startsWith('barcode_')), ['barcode_option']);
  }
});
test('check reads what the chosen profile draws', () => {
  // The symbol of the printer's profile is narrower (see above): it ends before the last dot of this head.
  const ink = (profile) => {
    const { stdout } = spawnSync(platen, ['check', '-', '-f', 'json', '--profile', profile, '--printer-model', 'zq610plus-203'], {
      input: '^XA^FO330,60^BON,3,N,10^FH^FD_80_80_80_80_80_80_80_80_80^FS^XZ', encoding: 'utf8', timeout: 120000 });
    return stdout.includes('printer_width');
  };
  assert.deepStrictEqual(PROFILES.map(ink), [true, false]);
  assert.strictEqual(spawnSync(platen, ['check', '-', '--profile', 'other'], { input: '', timeout: 120000 }).status, 2);
});
test('linear barcodes that a printer moves onto the label are read where they are', () => {
  for (const field of ['^FT100,400^BCI,80,N^FDABC123', '^FT100,40^BCB,80,N^FDABC123', '^FT100,400^BCI,80,Y^FDABC123', '^FT60,400^BMI,B,80,N^FD12345',
    '^FT100,400^BUI,80,N^FD12345678901', '^FT100,400^BEI,80,N^FD123456789012', '^FT100,400^B5I,80,N^FD12345678901', '^FT100,400^BLI,80,N^FDABC1']) {
    const { element, codes } = describe(`^XA^BY2${field}^FS^XZ`, '--profile', 'printer');
    assert.strictEqual(element.decoded, true, `${field}: ${codes}`);
    assert.strictEqual(element.matches, true, field);
    assert.ok(!codes.includes('quiet_zone_blocked') && !codes.includes('bars_cut'), `${field}: ${codes}`);
  }
  const { element } = describe('^XA^BY2^FT100,400^BCI,80,N^FDABC123^FS^XZ', '--profile', 'printer');
  assert.deepStrictEqual([element.x, element.width, element.quietZone.x, element.quietZone.width], [0, 202, -20, 242]);
});
test('postal codes are read at every height', () => {
  const heights = Array.from({ length: 58 }, (_, i) => i + 3);
  for (const [command, data] of [['B5N,%,N,N', '12345678901'], ['BZN,%,N,N', '12345678901'], ['BZN,%,N,N,3', '01234567094987654321']]) {
    for (const module of [1, 2, 3, 4]) {
      const zpl = heights.map((height) => `^XA^BY${module}^FO60,60^${command.replace('%', height)}^FD${data}^FS^XZ`).join('');
      const { stdout } = spawnSync(platen, ['render', '-', '-f', 'json', '--verify'], { input: zpl, encoding: 'utf8', timeout: 120000, maxBuffer: 1 << 28 });
      const unread = JSON.parse(stdout).labels.flatMap(({ elements: [element] }, i) => (element.matches === true ? [] : [heights[i]]));
      assert.deepStrictEqual(unread, [], `${command}, module ${module}`);
    }
  }
});
