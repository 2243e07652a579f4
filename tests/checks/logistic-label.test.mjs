// The rule set gs1-logistic-label: the label as a whole, not only its barcodes one by one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
function check(label, ...options) {
    const { files } = JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', '--rules', 'gs1-logistic-label', '--width-mm', '148', '--height-mm', '210', ...options], { input: `^XA${label}^XZ`, encoding: 'utf8' }).stdout);
    return files[0].warnings.filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code}`);
}

// A GS1-128 with modules of half a millimetre, as high as GS1 asks for.
const bc = (x, y, data, { turn = 'N', height = 260, caption = 'Y', module = 4 } = {}) => `^FO${x},${y}^BY${module}^BC${turn},${height},${caption},N,N,D^FD${data}^FS`;
const SSCC = '(00)340123450000000017', CONTENT = '(02)05901234123457(37)24', MISSING = ['error symbol_missing'], LAYOUT = ['warning label_layout'];
const ADDRESS = '^FO60,60^A0N,60,60^FDExample Ltd^FS^FO60,140^GB1000,4,4^FS';

test('a label with its SSCC below is sound, in each of the four turns', () => {
    assert.deepEqual(check(ADDRESS + bc(100, 900, CONTENT) + bc(100, 1300, SSCC)), []);
    assert.deepEqual(check(bc(100, 1300, SSCC) + bc(100, 900, CONTENT)), [], 'their order in the code does not count');
    assert.deepEqual(check(bc(700, 100, CONTENT, { turn: 'R' }) + bc(100, 100, SSCC, { turn: 'R' })), []);
    assert.deepEqual(check(bc(100, 900, CONTENT, { turn: 'I' }) + bc(100, 300, SSCC, { turn: 'I' })), []);
    assert.deepEqual(check(bc(100, 100, CONTENT, { turn: 'B' }) + bc(700, 100, SSCC, { turn: 'B' })), []);
    assert.deepEqual(check(bc(100, 900, SSCC) + bc(100, 1300, SSCC)), [], 'the same SSCC twice');
    assert.deepEqual(check(bc(100, 300, SSCC) + bc(100, 900, CONTENT) + bc(100, 1300, SSCC)), [], 'the lowest of two counts');
    assert.deepEqual(check(`^FO800,100^BXN,8,200,,,,_^FD_1003401234500000000170205901234123457^FS${bc(100, 1300, SSCC)}`), ['warning gs1_partner'], 'Data Matrix beside it: only (02) without (37)');
});

test('no SSCC, or none in a GS1-128, is an error', () => {
    assert.deepEqual(check(bc(100, 900, '(01)05901234123457')), MISSING);
    assert.deepEqual(check(ADDRESS), MISSING);
    assert.deepEqual(check('^FO100,100^BXN,8,200,,,,_^FD_100340123450000000017^FS'), MISSING);
    assert.deepEqual(check('^FO100,900^BY4^BCN,260,Y,N,N,A^FD00340123450000000017^FS'), [...MISSING, 'warning symbology_not_allowed'], 'without FNC1 it is no SSCC');
});

test('a barcode below the SSCC, by the way the label is read', () => {
    assert.deepEqual(check(bc(100, 900, SSCC) + bc(100, 1300, CONTENT)), LAYOUT);
    assert.deepEqual(check(bc(700, 100, SSCC, { turn: 'R' }) + bc(100, 100, CONTENT, { turn: 'R' })), LAYOUT);
    assert.deepEqual(check(bc(100, 300, CONTENT, { turn: 'I' }) + bc(100, 900, SSCC, { turn: 'I' })), LAYOUT);
    assert.deepEqual(check(bc(100, 100, SSCC, { turn: 'B' }) + bc(700, 100, CONTENT, { turn: 'B' })), LAYOUT);
});

test('bars across those of the SSCC', () => {
    assert.deepEqual(check(bc(100, 200, CONTENT, { turn: 'R' }) + bc(100, 1300, SSCC)), LAYOUT);
});

test('each GS1-128 is also shown as text: its own line, or a text anywhere', () => {
    assert.deepEqual(check(bc(100, 1300, SSCC, { caption: 'N' })), LAYOUT);
    assert.deepEqual(check(`${bc(100, 1300, SSCC, { caption: 'N' })}^FO100,1590^A0N,40,40^FD(00) 3 4012345 000000001 7^FS`), []);
    assert.deepEqual(check(`${bc(100, 1300, SSCC, { caption: 'N' })}^FO100,400^A0N,40,40^FDSSCC 340123450000000017^FS`), []);
    assert.deepEqual(check(`${bc(100, 1300, SSCC, { caption: 'N' })}^FO100,400^A0N,40,40^FDSSCC 340123450000000024^FS`), LAYOUT, 'another number');
    assert.deepEqual(check(`${bc(100, 1300, SSCC, { caption: 'N' })}^FO100,400^A0N,40,40^FDSSCC^FS^FO100,450^A0N,40,40^FD340123450000000017^FS`), []);
});

test('sizes: module, height, length, number of characters', () => {
    assert.deepEqual(check(bc(100, 1300, SSCC, { module: 3 })), ['warning module_below_minimum']);
    assert.deepEqual(check(bc(100, 1300, SSCC, { module: 8 }), '--width-mm', '250'), ['warning module_above_maximum', ...LAYOUT]);
    assert.deepEqual(check(bc(100, 1300, SSCC, { height: 200 })), ['warning bars_too_low']);
    assert.deepEqual(check(bc(100, 300, '(02)05901234123457(37)12345678>8(400)ABCDEFGHIJ1234567890ABCD') + bc(100, 1300, SSCC), '--width-mm', '300'), LAYOUT);
    assert.deepEqual(check(bc(100, 300, '(02)05901234123457(37)12345678>8(400)1234567890123456789012') + bc(100, 1300, SSCC), '--width-mm', '300'), LAYOUT, '52 characters in 160 mm');
});

test('other rule sets say nothing of it', () => {
    assert.deepEqual(check(bc(100, 900, '(01)05901234123457', { caption: 'N' }), '--rules', 'gs1-logistics'), []);
});
