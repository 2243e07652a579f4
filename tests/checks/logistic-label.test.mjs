// The rule set gs1-logistic-label: the label as a whole, not only its barcodes one by one.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const findings = (label, ...options) => JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', '--rules', 'gs1-logistic-label', '--width-mm', '148', '--height-mm', '210', ...options], { input: `^XA${label}^XZ`, encoding: 'utf8' }).stdout).files[0].warnings;
const check = (label, ...options) => findings(label, ...options).filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code}`);
const notes = (label, ...options) => findings(label, ...options).filter((w) => w.severity === 'info' && w.code === 'not_compared').length;

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
    assert.deepEqual(check('^FO100,900^BY4^BCN,260,Y,N,N,U^FD0034012345000000001^FS'), [], 'a case code is a GS1-128');
    assert.deepEqual(check('^FO100,900^BY4^BCN,260,Y,N,N,A^FD00340123450000000017^FS'), [...MISSING, 'warning symbology_not_allowed'], 'without FNC1 it is no SSCC');
});

test('a graphic with the SSCC: in a GS1-128 it counts, in another symbol alone it does not', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-logistic-')), file = join(folder, 'label.png');
    const graphic = (label) => {
        execFileSync(platen, ['render', '-', '-o', file, '-q', '--width-mm', '100', '--height-mm', '60'], { input: `^XA${label}^XZ` });
        return /\^GF[^^]*/.exec(execFileSync(platen, ['image', file], { encoding: 'latin1' }))[0];
    };
    try {
        const matrix = `^FO100,60${graphic('^FO60,60^BXN,8,200,,,,_^FD_100340123450000000017^FS')}^FS`;
        assert.deepEqual(check(matrix), MISSING);
        assert.deepEqual(check(matrix + bc(100, 1300, SSCC)), []);
        assert.deepEqual(check(`^FO100,60${graphic(bc(60, 60, SSCC))}^FS`), []);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
});

test('a barcode below the SSCC, by the way the label is read', () => {
    assert.deepEqual(check(bc(100, 900, SSCC) + bc(100, 1300, CONTENT)), LAYOUT);
    assert.deepEqual(check(bc(700, 100, SSCC, { turn: 'R' }) + bc(100, 100, CONTENT, { turn: 'R' })), LAYOUT);
    assert.deepEqual(check(bc(100, 300, CONTENT, { turn: 'I' }) + bc(100, 900, SSCC, { turn: 'I' })), LAYOUT);
    assert.deepEqual(check(bc(100, 100, SSCC, { turn: 'B' }) + bc(700, 100, CONTENT, { turn: 'B' })), LAYOUT);
});

test('a mirrored label is read as its mirror shows it, in each of the four turns, also where the page is turned', () => {
    const sound = { N: bc(100, 900, CONTENT) + bc(100, 1300, SSCC), R: bc(700, 100, CONTENT, { turn: 'R' }) + bc(100, 100, SSCC, { turn: 'R' }),
        I: bc(100, 900, CONTENT, { turn: 'I' }) + bc(100, 300, SSCC, { turn: 'I' }), B: bc(100, 100, CONTENT, { turn: 'B' }) + bc(700, 100, SSCC, { turn: 'B' }) };
    const exchanged = (label) => label.replace(SSCC, 'X').replace(CONTENT, SSCC).replace('X', CONTENT);
    for (const [turn, label] of Object.entries(sound))
        for (const mirror of ['^PMY', '^PMY^POI', ''])
            for (const options of [[], ['--rotation', '90']])
                assert.deepEqual([check(mirror + label, ...options), check(mirror + exchanged(label), ...options)], [[], LAYOUT], `${turn} ${mirror} ${options}`);
});

test('the SSCC behind many other GS1 barcodes is found; of more than are compared that is told, and no error', () => {
    const others = (count) => Array.from({ length: count }, (_, i) => `^FO${20 + (i % 12) * 96},${20 + Math.floor(i / 12) * 96}^BXN,3,200,,,,_^FD_10109501101530003^FS`).join('');
    const codes = (label) => check(label, '--ignore', 'module_below_minimum');
    for (const count of [31, 32, 33, 127]) assert.deepEqual(codes(others(count) + bc(100, 1350, SSCC)), [], `${count} before it`);
    assert.deepEqual(codes(others(40)), MISSING);
    assert.deepEqual([codes(others(128) + bc(100, 1350, SSCC)), notes(others(128) + bc(100, 1350, SSCC))], [[], 1]);
    assert.equal(notes(others(127) + bc(100, 1350, SSCC)), 0);
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
    const lines = (...texts) => texts.map((text, i) => `^FO100,${100 + 50 * i}^A0N,40,40^FD${text}^FS`).join(''), bare = bc(100, 1300, SSCC, { caption: 'N' });
    for (const part of ['000000', '340123', '34012345000000001', '(00)3401234500000000'])
        assert.deepEqual(check(bare + lines(part)), LAYOUT, `${part} is a part of it`);
    assert.deepEqual(check(bare + lines('(00) 3401234', '50000000017')), [], 'one text after the other');
    const line = '^FO100,400^A0N,40,40^FDSSCC 340123450000000017^FS';
    for (const cover of ['^FO90,390^GB600,60,60,W^FS', '^FO300,380^GB40,60,60,W^FS', '^FO50,300^GE700,240,120,W^FS'])
        assert.deepEqual([check(bare + line + cover), check(bare + cover + line)], [LAYOUT, []], `${cover} over it, and below it`);
    const black = '^FO90,390^GB600,60,60^FS', graphic = `^FO80,390^GFA,4800,4800,80,${'FF'.repeat(4800)}^FS`, white = '^FO95,395^GB590,50,50,W^FS';
    for (const cover of [black, graphic, '^FO50,300^GE700,240,120^FS', '^FO250,390^GB100,60,60^FS'])
        assert.deepEqual([check(bare + line + cover), check(bare + cover + line)], [LAYOUT, LAYOUT], `${cover.slice(0, 40)} over it, and below it: black on black`);
    assert.deepEqual(check(bare + black + line.replace('^FD', '^FR^FD')), [], 'white on black');
    assert.deepEqual(check(bare + black + white + line), [], 'on the white inside of a frame');
    for (const font of ['^A0N,40,200', '^A0N,80,10', '^ADN,36,20', '^A0R,40,40'])
        assert.deepEqual(check(bare + line.replace('^A0N,40,40', font).replace('SSCC 340123450000000017', '340123450000000017'), '--width-mm', '600'), [], `${font} hides nothing`);
    for (const beside of ['^FO90,390^GB600,60,3^FS', '^FO90,430^GB600,3,3^FS', '^FO90,390^GB600,60,60^FR^FS', '^FO90,460^GB600,60,60,W^FS'])
        assert.deepEqual(check(bare + line + beside), [], `${beside}: a frame, a line, a reversed box and one below it hide nothing`);
    assert.deepEqual(check(`${bc(100, 1300, SSCC)}^FO90,1562^GB900,60,60,W^FS`), LAYOUT, 'its own line');
    const content = bc(100, 900, CONTENT, { caption: 'N' }), unit = bc(100, 1300, SSCC);
    assert.deepEqual(check(unit + content + lines('CONTENT', '05901234123457', 'COUNT', '24')), [], 'each element has its own line');
    assert.deepEqual(check(unit + content + lines('COUNT', '24')), LAYOUT, 'one of two elements');
});

test('EPL2: a text or a text line that a later text or code erases is not shown', () => {
    const epl = (...lines) => JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--language', 'epl', '--format', 'json', '--rules', 'gs1-logistic-label', '--width-mm', '148', '--height-mm', '210', '--no-verify'],
        { input: `\nN\n${lines.join('\n')}\nP1\n`, encoding: 'utf8' }).stdout).files[0].warnings.map((w) => w.code).filter((code) => code === 'label_layout').length;
    const bars = (caption) => `B100,1200,0,1E,4,4,260,${caption},"00340123450000000017"`, line = 'A100,400,0,4,1,1,N,"SSCC 340123450000000017"';
    assert.deepEqual([epl(bars('N')), epl(bars('N'), line), epl(bars('B'))], [1, 0, 0]);
    for (const eraser of ['A90,400,0,4,1,1,N,"                        "', 'A200,402,0,4,1,1,N,"X"', 'B150,380,0,1,2,4,100,N,"123456"', 'B100,298,0,1,4,4,100,B,"123456789012345678901234"'])
        assert.deepEqual([epl(bars('N'), line, eraser), epl(bars('N'), eraser, line)], [1, 0], `${eraser} over it, and below it`);
    assert.deepEqual([epl(bars('B'), 'A90,1462,0,4,1,1,N,"                        "'), epl(bars('B'), 'A90,1530,0,4,1,1,N,"                        "')], [1, 0], 'over its own line, and below it');
    assert.equal(epl(bars('N'), line, 'A100,440,0,4,1,1,N,"NEXT LINE"'), 0);
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
