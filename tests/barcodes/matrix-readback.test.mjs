// Matrix and stacked symbols straight from the encoders, read back by zxing: random data of all kinds and lengths up to what
// the largest symbol holds, every size, error correction and option that a reader can tell apart.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { Bits, seeded } from './render.mjs';

prepareZXingModule({
    overrides: { wasmBinary: readFileSync(new URL('../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)).buffer },
});
const driver = process.env.MATRIX_MODULES ?? 'build/tests/barcodes/matrix_modules';

const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i)).join('');
const DIGITS = range(48, 57), UPPER = range(65, 90), LOWER = range(97, 122), PRINTABLE = range(32, 126);
const BYTES = range(0, 255), EDIFACT = range(32, 94), X12 = `${DIGITS}${UPPER}\r*> `;

// Data of one kind, or of changing kinds with runs long enough for every latch.
function makeData(r, length) {
    const kinds = [DIGITS, UPPER, LOWER, `${LOWER} `, PRINTABLE, BYTES, EDIFACT, X12, `${UPPER}${DIGITS}`, range(128, 255)];
    if (r.between(0, 1)) return r.text(kinds[r.between(0, kinds.length - 1)], length);
    let text = '';
    while (text.length < length) text += r.text(kinds[r.between(0, kinds.length - 1)], r.between(1, 12));
    return text.slice(0, length);
}

// Symbols of all requests: each is { width, height, bits } or an error text.
function encodeAll(requests) {
    const input = requests.map((q) => `${q.kind} ${q.options.join(' ')} ${Buffer.from(q.data, 'latin1').toString('hex')}\n`).join('');
    const lines = execFileSync(driver, { input, maxBuffer: 1 << 28, encoding: 'latin1' }).split('\n');
    return requests.map((_, i) => {
        if (lines[i].startsWith('!')) return [];
        const parts = lines[i].trim().split(' '), symbols = [];
        for (let k = 0; k < parts.length; k += 3) symbols.push({ width: +parts[k], height: +parts[k + 1], modules: parts[k + 2] });
        return symbols;
    });
}

function picture({ width, height, modules }, w, h) {
    const bits = new Bits(width * w, height * h);
    for (let y = 0; y < bits.height; y++)
        for (let x = 0; x < bits.width; x++) bits.dots[y * bits.width + x] = +modules[Math.floor(y / h) * width + Math.floor(x / w)];
    return bits.toImageData(8 * w);
}

async function read(symbol, format, w, h) {
    const found = await readBarcodes(picture(symbol, w, h), { formats: [format], tryHarder: true, tryRotate: false, tryInvert: false });
    return found.find((one) => one.isValid);
}

const text = (result) => Buffer.from(result?.bytes ?? []).toString('latin1');
const show = (q) => `${q.kind} ${q.options.join(' ')} of ${q.data.length}: ${JSON.stringify(q.data.slice(0, 60))}`;

async function check(requests, format, w, h, want = (q) => q.data) {
    const symbols = encodeAll(requests);
    for (const [i, q] of requests.entries()) {
        assert.equal(symbols[i].length, 1, `no symbol: ${show(q)}`);
        const result = await read(symbols[i][0], format, w, h);
        assert.ok(result, `not read: ${show(q)}`);
        assert.equal(text(result), want(q), show(q));
    }
    return symbols;
}

test('Data Matrix: random data of all lengths', async () => {
    const r = seeded(1), requests = [];
    for (let i = 0; i < 220; i++) requests.push({ kind: 'datamatrix', options: [0, 0, i % 3 === 0 ? 1 : 0, 0], data: makeData(r, r.between(1, i < 180 ? 60 : 700)) });
    await check(requests, 'DataMatrix', 3, 3);
});

test('Data Matrix: the most that the largest symbol holds', async () => {
    const r = seeded(2);
    const requests = [[DIGITS, 3116], [UPPER, 2335], [range(128, 255), 1555], [BYTES, 1555]].map(([alphabet, length]) => ({
        kind: 'datamatrix', options: [0, 0, 0, 0], data: r.text(alphabet, length),
    }));
    // Upper case by the look-ahead may take more than the ideal; a few less always fit.
    requests[1].data = requests[1].data.slice(0, 2330);
    const symbols = await check(requests, 'DataMatrix', 3, 3);
    for (const [symbol] of symbols) assert.equal(symbol.width, 144);
});

test('Data Matrix: every size', async () => {
    const r = seeded(3), requests = [];
    for (const side of [10, 12, 14, 16, 18, 20, 22, 24, 26, 32, 36, 40, 44, 48, 52, 64, 72, 80, 88, 96, 104, 120, 132, 144])
        requests.push({ kind: 'datamatrix', options: [side, side, 0, 0], data: r.text(DIGITS, 6) });
    for (const [rows, columns] of [[8, 18], [8, 32], [12, 26], [12, 36], [16, 36], [16, 48]])
        requests.push({ kind: 'datamatrix', options: [columns, rows, 0, 0], data: r.text(UPPER, 4) });
    const symbols = await check(requests, 'DataMatrix', 3, 3);
    for (const [i, q] of requests.entries()) assert.deepEqual([symbols[i][0].width, symbols[i][0].height], q.options.slice(0, 2));
});

test('Data Matrix: FNC1, ECI and structured append by escapes', async () => {
    const escape = '~'.charCodeAt(0);
    const [[gs1], [eci], [append]] = encodeAll([
        { kind: 'datamatrix', options: [0, 0, 0, escape], data: '~10104012345678901~110ABC' },
        { kind: 'datamatrix', options: [0, 0, 0, escape], data: 'UPPER CASE TEXT~5009\xe1\xe2\xe3 after' },
        { kind: 'datamatrix', options: [0, 0, 0, escape], data: '~2042001005part three of seven' },
    ]);
    const first = await read(gs1, 'DataMatrix', 4, 4);
    assert.equal(first.contentType, 'GS1');
    assert.equal(text(first), '0104012345678901\x1d10ABC');
    const second = await read(eci, 'DataMatrix', 4, 4);
    assert.ok(second.hasECI);
    assert.equal(second.text, 'UPPER CASE TEXT\u03b1\u03b2\u03b3 after');
    const third = await read(append, 'DataMatrix', 4, 4);
    assert.equal(text(third), 'part three of seven');
    // Codeword 42, by the standard's four bits each: place 2, counted from 0, and 17 less 10 symbols.
    assert.equal(third.sequenceIndex, 2);
    assert.equal(third.sequenceSize, 7);
});

test('PDF417: random data, sizes and security levels', async () => {
    const r = seeded(4), requests = [];
    for (let i = 0; i < 90; i++) {
        const security = r.between(0, 5);
        requests.push({ kind: 'pdf417', options: [i % 3 ? r.between(2, 14) : 0, 0, security, 0], data: makeData(r, r.between(1, 150)) });
    }
    await check(requests, 'PDF417', 2, 6);
});

test('PDF417: the most that a symbol holds, and truncated symbols', async () => {
    const r = seeded(5);
    await check(
        [
            { kind: 'pdf417', options: [16, 58, 0, 0], data: r.text(DIGITS, 2543) },
            { kind: 'pdf417', options: [16, 58, 0, 0], data: r.text(UPPER, 1850) },
            { kind: 'pdf417', options: [16, 58, 0, 0], data: r.text(range(128, 255), 1104) },
            { kind: 'pdf417', options: [29, 32, 8, 0], data: makeData(r, 300) },
            { kind: 'pdf417', options: [6, 0, 3, 1], data: 'TRUNCATED symbol 1234567890' },
        ],
        'PDF417', 2, 6,
    );
});

test('PDF417: structured append', async () => {
    const r = seeded(6), data = makeData(r, 400);
    const [symbols] = encodeAll([{ kind: 'pdf417-series', options: [8, 20, 3, 0], data }]);
    assert.ok(symbols.length > 1);
    let whole = '';
    for (const [i, symbol] of symbols.entries()) {
        const result = await read(symbol, 'PDF417', 2, 6);
        assert.ok(result, `part ${i} is not read`);
        assert.equal(result.sequenceIndex, i);
        assert.equal(result.sequenceSize, symbols.length);
        whole += text(result);
    }
    assert.equal(whole, data);
});

test('MicroPDF417: all modes and random data', async () => {
    const r = seeded(7), requests = [];
    for (let mode = 0; mode < 34; mode++) requests.push({ kind: 'micropdf417', options: [mode + 1, 0, 0, 0], data: r.text(UPPER, 3) });
    for (let i = 0; i < 60; i++) requests.push({ kind: 'micropdf417', options: [0, 0, 0, 0], data: makeData(r, r.between(1, i < 40 ? 20 : 70)) });
    requests.push({ kind: 'micropdf417', options: [33, 0, 0, 0], data: r.text(UPPER, 250) });
    requests.push({ kind: 'micropdf417', options: [33, 0, 0, 0], data: r.text(range(128, 255), 150) });
    await check(requests, 'MicroPDF417', 3, 9);
});

test('Aztec: random data of all lengths and error corrections', async () => {
    const r = seeded(8), requests = [];
    for (let i = 0; i < 120; i++)
        requests.push({ kind: 'aztec', options: [i % 2 ? r.between(5, 90) : 0, 0, 0, 0], data: makeData(r, r.between(1, i < 100 ? 40 : 400)) });
    await check(requests, 'AztecCode', 3, 3);
});

test('Aztec: every number of layers, the most that the largest holds, runes, ECI', async () => {
    const r = seeded(9), requests = [];
    for (let layers = 1; layers <= 4; layers++) requests.push({ kind: 'aztec', options: [100 + layers, 0, 0, 0], data: r.text(UPPER, 5) });
    for (let layers = 1; layers <= 32; layers++) requests.push({ kind: 'aztec', options: [200 + layers, 0, 0, 0], data: r.text(UPPER, 5) });
    requests.push({ kind: 'aztec', options: [0, 0, 0, 0], data: r.text(DIGITS, 3832) });
    requests.push({ kind: 'aztec', options: [0, 0, 0, 0], data: r.text(UPPER, 3067) });
    requests.push({ kind: 'aztec', options: [0, 0, 0, 0], data: r.text(range(128, 254), 1900) });
    await check(requests, 'AztecCode', 3, 3);
    const runes = Array.from({ length: 256 }, (_, i) => ({ kind: 'aztec', options: [300, 0, 0, 0], data: String(i) }));
    await check(runes, 'AztecRune', 5, 5, (q) => q.data.padStart(3, '0'));
    const [[eci]] = encodeAll([{ kind: 'aztec', options: [0, 1, 0, 0], data: 'x\\000009\xe1\xe2\\\\y' }]);
    assert.equal((await read(eci, 'AztecCode', 4, 4)).text, 'x\u03b1\u03b2\\y');
});
