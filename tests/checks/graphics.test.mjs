// Barcodes inside graphics are found in the dots, read and checked; a destroyed one is told; pictures without one give no error.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readPng, seeded } from '../barcodes/render.mjs';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const skip = zxing ? false : 'built without zxing-cpp';
const SIZE = ['--width-mm', '60', '--height-mm', '60'];

// The label as one graphic. `options`: of `platen image`.
const asGraphic = (label, ...options) => graphicOf(SIZE, label, ...options);
function graphicOf(size, label, ...options) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-graphics-')), file = join(folder, 'label.png');
    try {
        execFileSync(platen, ['render', '-', '-o', file, '-q', ...size], { input: `^XA${label}^XZ` });
        return execFileSync(platen, ['image', file, ...options], { encoding: 'latin1' });
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// The label as one graphic, turned around its middle by so many degrees, as a page that was scanned.
function slanted(label, degrees) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-graphics-')), file = join(folder, 'label.png'), turn = degrees * Math.PI / 180;
    try {
        execFileSync(platen, ['render', '-', '-o', file, '-q', ...SIZE], { input: `^XA${label}^XZ` });
        const { width, height, get } = ((bits) => ({ width: bits.width, height: bits.height, get: bits.get.bind(bits) }))(readPng(file)), pitch = Math.ceil(width / 8), rows = Buffer.alloc(pitch * height);
        for (let y = 0; y < height; y++)
            for (let x = 0; x < width; x++) {
                const u = x + 0.5 - width / 2, v = y + 0.5 - height / 2;
                if (get(Math.floor(u * Math.cos(turn) + v * Math.sin(turn) + width / 2), Math.floor(v * Math.cos(turn) - u * Math.sin(turn) + height / 2))) rows[y * pitch + (x >> 3)] |= 128 >> (x & 7);
            }
        return `^XA^FO0,0^GFA,${rows.length},${rows.length},${pitch},${rows.toString('hex').toUpperCase()}^FS^XZ`;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

function check(zpl, ...options) {
    const run = spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', ...(options.length ? options : SIZE)], { input: zpl, encoding: 'utf8' });
    assert(run.status === 0 || run.status === 1, run.stderr);
    return JSON.parse(run.stdout).files[0].warnings;
}

const found = (warnings) => warnings.filter((w) => w.code === 'graphic_barcode').map((w) => /\((\S+)\) at .* with the data (.*)\.$/s.exec(w.message).slice(1, 3).join(' '));
const bad = (warnings) => warnings.filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code}`);

const SYMBOLS = {
    'qr HTTPS://EXAMPLE.COM/12345': '^FO100,100^BQN,2,4^FDMA,HTTPS://EXAMPLE.COM/12345^FS',
    'datamatrix DATAMATRIX 12345': '^FO100,100^BXN,5,200^FDDATAMATRIX 12345^FS',
    'gs1-datamatrix 0109501101530003': '^FO100,100^BXN,5,200,,,,_^FD_10109501101530003^FS',
    'aztec AZTEC 123456': '^FO100,100^BON,5^FDAZTEC 123456^FS',
    'pdf417 PDF417 DATA 123456': '^FO60,100^BY2^B7N,8,3,4^FDPDF417 DATA 123456^FS',
    'maxicode ABCDEFGHIJ 1234': '^FO60,60^BD4^FDABCDEFGHIJ 1234^FS',
    'code128 ABC12345': '^FO60,100^BY3^BCN,100,N^FDABC12345^FS',
    'gs1-128 00106141412345678908': '^FO40,100^BY2^BCN,100,N,N,N,D^FD(00)106141412345678908^FS',
    'ean13 5901234123457': '^FO100,100^BY3^BEN,100,Y,N^FD5901234123457^FS',
    'interleaved2of5 15901234123454': '^FO60,100^BY2^B2N,100,N,N,N^FD15901234123454^FS',
    'code39 ABC-123': '^FO60,100^BY2^B3N,N,100,Y^FDABC-123^FS',
};

test('a barcode of every common kind inside a graphic is read, beside text, upright and turned', { skip }, () => {
    for (const [want, field] of Object.entries(SYMBOLS))
        for (const rotation of ['0', '90', '180', '270']) {
            if (want.startsWith('maxicode') && rotation !== '0') continue; // zxing-cpp reads it upright only
            const warnings = check(asGraphic(`${field}^FO60,330^A0N,40,40^FDSHIP TO: NOWHERE 12345^FS`, '--rotation', rotation));
            assert.deepEqual([found(warnings), bad(warnings)], [[want], []], `${want}, ${rotation}`);
        }
});

const DATABAR = {
    'databar 0109501101530003': '^FO60,100^BY3^BRN,1,3,2,100^FD0950110153000^FS',
    'databarLimited 0109501101530003': '^FO60,100^BY3^BRN,5,3,2,100^FD0950110153000^FS',
    'databarExpanded 010950110153000310LOT7': '^FO20,100^BRN,6,2,2,80,22^FD010950110153000310LOT7^FS',
    'databarStacked 0109501101530003': '^FO60,100^BRN,3,2,2,60^FD0950110153000^FS',
    'databarStackedOmni 0109501101530003': '^FO60,100^BRN,4,2,2,60^FD0950110153000^FS',
    'databarExpanded 010950110153000310LOT7A': '^FO60,10^BRN,6,2,2,40,2^FD010950110153000310LOT7A^FS', // rows of two and of four segments
    'databarExpanded 010950110153000310LOT7B': '^FO60,10^BRN,6,2,2,40,4^FD010950110153000310LOT7B^FS',
};

// zxing-cpp 1.4 of Debian ended the program by an assertion where a picture had one linear barcode twice.
test('the same barcode twice in a graphic is two, however it lies; one that something divides is one', { skip }, () => {
    const symbol = (command, data) => `^BY2${command}^FD${data}^FS`, SIDE = ['--width-mm', '90', '--height-mm', '60'];
    for (const [command, data, name] of [['^BCN,80,N,N,N,A', '12345678', 'code128'], ['^B3N,N,80,N', 'ABC1', 'code39'], ['^BEN,80,N', '5901234123457', 'ean13']]) {
        const field = symbol(command, data), turned = symbol(command.replace('N,', 'R,'), data), want = `${name} ${data}`;
        for (const both of [`^FO40,40${field}^FO40,300${field}`, `^FO20,40${field}^FO400,40${field}`, `^FO40,40${field}^FO500,40${turned}`])
            assert.deepEqual(found(check(graphicOf(SIDE, both), ...SIDE)), [want, want], both);
        const at = check(graphicOf(SIDE, `^FO500,60${turned}`), ...SIDE).find((w) => w.code === 'graphic_barcode').message.match(/at (\d+),(\d+) \((\d+)x(\d+) dots/).slice(1).map(Number);
        assert(Math.abs(at[0] - 500) < 4 && Math.abs(at[1] - 60) < 4 && at[2] > 76 && at[2] < 100, `the place of the turned ${name}: ${at}`);
        for (const divided of [`^FO40,40${field}^FO30,70^GB600,10,10^FS`, `^FO40,40${field}^FO30,70^GB600,20,20,W^FS`])
            assert.deepEqual(found(check(graphicOf(SIDE, divided), ...SIDE)), [want], divided);
    }
});

test('DataBar inside a graphic is read, upright and turned, and its check digit is checked', { skip }, () => {
    for (const [want, field] of Object.entries(DATABAR))
        for (const rotation of ['0', '90', '180', '270']) {
            const warnings = check(asGraphic(`${field}^FO60,430^A0N,40,40^FDSHIP TO: NOWHERE 12345^FS`, '--rotation', rotation));
            assert.deepEqual([found(warnings), bad(warnings)], [[want], []], `${want}, ${rotation}`);
        }
});

test('DataBar inside a graphic is read at every width of its module', { skip }, () => {
    const size = ['--width-mm', '100', '--height-mm', '60'];
    for (const [form, name, lines, modules] of [[1, 'databar', 33, [2, 3, 4, 5, 6]], [5, 'databarLimited', 15, [4, 5, 6]]])
        for (const module of modules) {
            const warnings = check(graphicOf(size, `^FO60,60^BRN,${form},${module},2,${module * lines},2^FD0950110153000^FS^FO60,400^A0N,40,40^FDSHIP TO: NOWHERE^FS`), ...size);
            assert.deepEqual([found(warnings), bad(warnings)], [[`${name} 0109501101530003`], []], `${name}, ${module} dots`);
        }
});

test('white on black inside a graphic: QR Code, Data Matrix and Aztec are read, their data is checked', { skip }, () => {
    for (const want of ['qr HTTPS://EXAMPLE.COM/12345', 'datamatrix DATAMATRIX 12345', 'gs1-datamatrix 0109501101530003', 'aztec AZTEC 123456'])
        for (const rotation of ['0', '90', '180', '270']) {
            const reversed = `^FO60,60^GB260,260,260^FS${SYMBOLS[want].replace('^FD', '^FR^FD')}^FO60,360^A0N,40,40^FDSHIP TO: NOWHERE 12345^FS`;
            const warnings = check(asGraphic(reversed, '--rotation', rotation));
            assert.deepEqual([found(warnings), bad(warnings)], [[want], []], `${want}, ${rotation}`);
        }
    assert.deepEqual(bad(check(asGraphic('^FO40,40^GB260,260,260^FS^FO100,100^BXN,5,200,,,,_^FR^FD_10109501101530004^FS'))), ['error gs1_check_digit']);
    assert.deepEqual(bad(check(asGraphic('^FO40,40^GB300,300,300^FS^FO100,100^BQN,2,6^FR^FDMA,HTTPS://EXAMPLE.COM/12345^FS^FO160,190^GB70,60,60,W^FS'))), ['error symbol_unreadable']);
});

test('white on black inside a graphic: linear symbols are told, since scanners want black bars; white boxes, lines and text are none', { skip }, () => {
    const white = (warnings) => warnings.filter((w) => w.code === 'symbol_unreadable').map((w) => /^(\w+) .*\((\S+)\) at .* white on black, with the data (.*):/.exec(`${w.severity} ${w.message}`)?.slice(1, 4).join(' ') ?? w.message);
    for (const want of ['code128 ABC12345', 'gs1-128 00106141412345678908', 'ean13 5901234123457', 'interleaved2of5 15901234123454', 'code39 ABC-123'])
        for (const rotation of ['0', '90']) {
            const warnings = check(asGraphic(`^FO10,70^GB455,160,160^FS${SYMBOLS[want].replace('^FD', '^FR^FD').replace(/\^FO\d+/, '^FO40')}^FO60,360^A0N,40,40^FDSHIP TO: NOWHERE 12345^FS`, '--rotation', rotation));
            assert.deepEqual([white(warnings), found(warnings)], [[`warning ${want}`], []], `${want}, ${rotation}`);
        }
    const lines = Array.from({ length: 40 }, (_, i) => `^FO${30 + i * 10},80^GB${2 + (i * 7) % 5},140,${2 + (i * 7) % 5},W^FS`).join('');
    for (const label of [`^FO10,70^GB455,160,160^FS${lines}`, '^FO10,70^GB455,160,160^FS^FO40,100^A0N,80,60^FR^FDFRAGILE 12345^FS'])
        assert.deepEqual(white(check(asGraphic(label))).filter((w) => w.startsWith('warning ')), []);
});

test('modules that are no whole number of dots', { skip }, () => {
    for (const want of ['qr HTTPS://EXAMPLE.COM/12345', 'pdf417 PDF417 DATA 123456', 'code128 ABC12345'])
        assert.deepEqual(found(check(asGraphic(SYMBOLS[want], '--exact-fit', '--width-mm', '83', '--height-mm', '83'), '--width-mm', '90', '--height-mm', '90')), [want]);
});

test('a destroyed barcode inside a graphic is told: an error where its kind is known', { skip }, () => {
    assert.deepEqual(bad(check(asGraphic('^FO100,100^BQN,2,6^FDMA,HTTPS://EXAMPLE.COM/12345^FS^FO160,190^GB70,60,60^FS'))), ['error symbol_unreadable']);
    assert.deepEqual(bad(check(asGraphic('^FO60,100^BY2^B7N,8,1,4^FDPDF417 DATA 123456^FS^FO150,100^GB100,56,56,W^FS'))), ['error symbol_unreadable']);
    assert.deepEqual(bad(check(asGraphic('^FO60,100^BY3^BCN,100,N^FDABC12345^FS^FO100,100^GB12,100,12^FS'))), ['warning symbol_unreadable']);
});

test('a slanted QR Code or PDF417 inside a graphic is read; one that cannot be read is one finding', { skip }, () => {
    const qr = '^FO130,130^BQN,2,6^FDMA,HTTPS://EXAMPLE.COM/12345^FS', pdf = '^FO40,180^BY2^B7N,8,3,4^FDPDF417 DATA 123456^FS';
    for (const [want, field, angles] of [['qr HTTPS://EXAMPLE.COM/12345', qr, [-45, -20, -3, 2, 5, 12, 30, 60, 89, 135]], ['pdf417 PDF417 DATA 123456', pdf, [-8, -4, -2, 2, 5, 8, 86, 94, 178]]])
        for (const degrees of angles) {
            const warnings = check(slanted(field, degrees));
            assert.deepEqual([found(warnings), bad(warnings)], [[want], []], `${want}, ${degrees} degrees`);
        }
    for (const degrees of [2, 4, 6, 7, 8]) {
        assert.deepEqual(bad(check(slanted(`${qr}^FO160,190^GB100,60,60^FS`, degrees))), ['error symbol_unreadable'], `QR Code, ${degrees} degrees`);
        assert.deepEqual(bad(check(slanted(`${pdf}^FO150,186^GB90,60,60,W^FS`, degrees))), ['error symbol_unreadable'], `PDF417, ${degrees} degrees`);
    }
    assert.deepEqual(bad(check(slanted('^FO60,200^BY2^B1N,N,120,N^FD1234567890^FS', 45))), [], 'bars at a slant are no QR Code');
});

test('a linear barcode in two parts is one finding, two of them are two', { skip }, () => {
    const symbol = (x, y) => `^FO${x},${y}^BY2^BCN,60,N^FDABC1234567890^FS`;
    for (const rotation of ['0', '90']) {
        assert.deepEqual(bad(check(asGraphic(`${symbol(40, 100)}^FO160,90^GB40,90,40,W^FS`, '--rotation', rotation))), ['warning symbol_unreadable'], rotation);
        assert.deepEqual(bad(check(asGraphic(`${symbol(40, 100)}${symbol(40, 260)}^FO160,90^GB40,300,40,W^FS`, '--rotation', rotation))), ['warning symbol_unreadable', 'warning symbol_unreadable'], rotation);
        // Side by side, nearer than they are high.
        const beside = [4, 276].map((x) => `^FO${x},100^BY2^BCN,100,N^FDABC123^FS^FO${x + 90},90^GB20,120,20,W^FS`).join('');
        assert.deepEqual(bad(check(asGraphic(beside, '--rotation', rotation))), ['warning symbol_unreadable', 'warning symbol_unreadable'], `${rotation}, side by side`);
    }
});

test('the data of a barcode inside a graphic is checked, and compared with the fields', { skip }, () => {
    const label = (gtin) => asGraphic(`^FO60,60^BXN,5,200,,,,_^FD_101${gtin}^FS`).replace('^XZ', '^FO100,300^BY2^BEN,100,N,N^FD5901234123457^FS^XZ');
    assert.deepEqual(bad(check(label('05901234123457'))), []);
    assert.deepEqual(bad(check(label('09501101530003'))), ['warning keys_differ']);
    assert.deepEqual(bad(check(asGraphic('^FO60,60^BXN,5,200,,,,_^FD_10109501101530004^FS'))), ['error gs1_check_digit']);
});

test('a field over a graphic is read once, as a field', { skip }, () => {
    const warnings = check(asGraphic('^FO20,300^A0N,40,40^FDA LETTER HEAD^FS^FO20,20^GB440,440,4^FS').replace('^XZ', '^FO100,100^BY2^BCN,100,N^FD12345678^FS^XZ'));
    assert.deepEqual([found(warnings), bad(warnings)], [[], []]);
});

test('pictures without a barcode: no error, whatever looks like finder patterns, bars or noise', { skip }, () => {
    const r = seeded(7), box = (x, y, w, h, t = Math.min(w, h)) => `^FO${x},${y}^GB${w},${h},${t}^FS`;
    const finder = (x, y, m) => box(x, y, 7 * m, 7 * m, m) + box(x + 2 * m, y + 2 * m, 3 * m, 3 * m);
    const pictures = {
        finders: Array.from({ length: 64 }, (_, i) => finder(10 + (i % 8) * 56, 10 + Math.floor(i / 8) * 56, 6)).join(''),
        finderLines: Array.from({ length: 60 }, (_, i) => `${box(10 + i * 7, 10, 1, 400)}${box(12 + i * 7, 10, 3, 400)}`).join(''),
        threeFinders: finder(50, 50, 6) + finder(230, 50, 6) + finder(50, 230, 6) + '^FO110,110^A0N,80,80^FDLOGO^FS',
        hatch: Array.from({ length: 55 }, (_, i) => box(20 + i * 8, 20, 4, 400)).join(''),
        grid: Array.from({ length: 40 }, (_, i) => box(10 + i * 11, 10, 2, 440) + box(10, 10 + i * 11, 440, 2)).join(''),
        noise: Array.from({ length: 900 }, () => box(r.between(5, 450), r.between(5, 450), r.between(1, 9), r.between(1, 9))).join(''),
        reversedText: `${box(0, 0, 470, 470)}${Array.from({ length: 10 }, (_, i) => `^FO10,${10 + i * 44}^A0N,40,30^FR^FD${r.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789', 20)}^FS`).join('')}`,
        reversedNoise: box(0, 0, 470, 470) + Array.from({ length: 900 }, () => `^FO${r.between(5, 450)},${r.between(5, 450)}^GB${r.between(1, 9)},${r.between(1, 9)},1,W^FS`).join(''),
        bars: Array.from({ length: 40 }, (_, i) => box(20 + i * 11 + r.between(0, 3), 20, r.between(2, 7), 400)).join(''),
        text: Array.from({ length: 14 }, (_, i) => `^FO10,${10 + i * 32}^A0N,30,26^FD${r.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789', 26)}^FS`).join(''),
    };
    for (const [name, label] of Object.entries(pictures)) {
        const warnings = check(asGraphic(label));
        assert.deepEqual(warnings.filter((w) => w.severity === 'error').map((w) => w.message), [], name);
        assert.deepEqual(found(warnings), [], name);
    }
});
