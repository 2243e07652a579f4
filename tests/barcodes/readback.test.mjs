// Random symbols of every symbology that zxing reads: rendered through the program at three densities, in several sizes and all
// rotations, and read back. Lengths go up to what the symbology (or the page) holds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { mod10, renderAll, seeded } from './render.mjs';

prepareZXingModule({
    overrides: { wasmBinary: readFileSync(new URL('../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)).buffer },
});

const DIGITS = '0123456789', UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', LOWER = UPPER.toLowerCase();
const CODE39 = `${DIGITS}${UPPER}-. $/+%`;
let PRINTABLE = '';
for (let c = 32; c < 127; c++) PRINTABLE += String.fromCharCode(c);

// Bytes as a field with ^FH: everything that is not a plain letter or digit as hexadecimal.
const field = (text) => `^FH\\^FD${[...Buffer.from(text, 'latin1')].map((c) => (/[0-9A-Za-z]/.test(String.fromCharCode(c)) ? String.fromCharCode(c) : `\\${c.toString(16).padStart(2, '0').toUpperCase()}`)).join('')}^FS`;

const module = (r, high = 4) => r.between(2, high);

// A symbol: command (with {o} for the rotation), data, what a reader must say.
const symbologies = {
    'Code 128, mode N': { format: 'Code128', make: (r) => plain(r, '^BY{m}^BC{o},60,N,N,N,N', r.text(PRINTABLE.replace('>', ''), r.between(1, 30))) },
    'Code 128, mode A': { format: 'Code128', make: (r) => plain(r, '^BY{m}^BC{o},60,N,N,N,A', mixed(r, r.between(1, 40))) },
    'Code 128, subset C by hand': {
        format: 'Code128',
        make(r) {
            const pairs = r.text(DIGITS, 2 * r.between(1, 15)), word = r.text(UPPER, r.between(1, 8));
            return { command: '^BY{m}^BC{o},60,N,N,N,N', data: `>;${pairs}>6${word}`, text: pairs + word };
        },
    },
    'Code 128, mode U': {
        format: 'Code128',
        make(r) {
            const digits = r.text(DIGITS, 19);
            return { command: '^BY{m}^BC{o},60,N,N,N,U', data: digits, text: digits + mod10(digits) };
        },
    },
    'GS1-128, mode D': {
        format: 'Code128',
        make(r) {
            const item = r.text(DIGITS, 13), lot = r.text(DIGITS + UPPER, r.between(1, 12)), serial = r.text(DIGITS, r.between(1, 10));
            const gtin = item + mod10(item);
            return { command: '^BY{m}^BC{o},60,N,N,N,D', data: `(01)${gtin}(10)${lot}>8(21)${serial}`, text: `01${gtin}10${lot}\x1d21${serial}` };
        },
    },
    'Code 39': { format: 'Code39Std', make: (r) => plain(r, '^BY{m},{r}^B3{o},N,60,N,N', trimmed(r, CODE39, 20)) },
    'Code 39 with check': {
        format: 'Code39Std',
        make(r) {
            const data = trimmed(r, CODE39, 18);
            const check = CODE39[[...data].reduce((sum, c) => sum + CODE39.indexOf(c), 0) % 43];
            return { command: '^BY{m},{r}^B3{o},Y,60,N,N', data, text: data + check };
        },
    },
    LOGMARS: {
        format: 'Code39Std',
        make(r) {
            const data = trimmed(r, CODE39, 18);
            const check = CODE39[[...data].reduce((sum, c) => sum + CODE39.indexOf(c), 0) % 43];
            return { command: '^BY{m},{r}^BL{o},60,N', data, text: data + check };
        },
    },
    'Code 93': { format: 'Code93', make: (r) => plain(r, '^BY{m}^BA{o},60,N,N,N', r.text(CODE39, r.between(1, 25))) },
    'Code 93, full ASCII by pairs': {
        format: 'Code93',
        make(r) {
            const lower = r.text(LOWER, r.between(1, 10));
            return { command: '^BY{m}^BA{o},60,N,N,N', data: [...lower].map((c) => `)${c.toUpperCase()}`).join(''), text: lower };
        },
    },
    Codabar: {
        format: 'Codabar',
        make(r) {
            const start = r.pick('ABCD'), stop = r.pick('ABCD'), data = r.text(`${DIGITS}-$:/.+`, r.between(3, 20));
            return { command: `^BY{m},{r}^BK{o},N,60,N,N,${start},${stop}`, data, text: start + data + stop };
        },
    },
    'Interleaved 2 of 5': {
        format: 'ITF',
        make(r) {
            const data = r.text(DIGITS, r.between(5, 30));
            return { command: '^BY{m},{r}^B2{o},60,N,N,N', data, text: data.length % 2 ? `0${data}` : data };
        },
    },
    'EAN-13': {
        format: 'EAN13',
        make(r) {
            const data = r.pick('123456789') + r.text(DIGITS, 11);
            return { command: '^BY{m}^BE{o},60,Y,N', data, text: data + mod10(data) };
        },
    },
    'EAN-8': {
        format: 'EAN8',
        make(r) {
            const data = r.text(DIGITS, 7);
            return { command: '^BY{m}^B8{o},60,Y,N', data, text: data + mod10(data) };
        },
    },
    'UPC-A': {
        format: 'UPCA',
        make(r) {
            const data = r.text(DIGITS, 11);
            return { command: '^BY{m}^BU{o},60,Y,N,Y', data, text: `0${data}${mod10(data)}` }; // as the reader gives it: GTIN-13
        },
    },
    'UPC-E': {
        format: 'UPCE',
        make(r) {
            const d = r.text(DIGITS, 6), last = d[5];
            const long = last <= '2' ? `${d.slice(0, 2)}${last}0000${d.slice(2, 5)}` : last === '3' ? `${d.slice(0, 3)}00000${d.slice(3, 5)}` : last === '4' ? `${d.slice(0, 4)}00000${d[4]}` : `${d.slice(0, 5)}0000${last}`;
            return { command: '^BY{m}^B9{o},60,Y,N,Y', data: `0${d}`, text: `00${long}${mod10(`0${long}`)}` };
        },
    },
    'EAN-13 with an extension': {
        format: 'EAN13',
        make(r) {
            const data = r.pick('123456789') + r.text(DIGITS, 11), more = r.text(DIGITS, r.pick([2, 5]));
            return { command: '^BY2^BEN,80,N,N', data, extra: `^FO${60 + 95 * 2 + 20},60^BSN,80,N^FD${more}^FS`, text: data + mod10(data), addOn: more, upright: true };
        },
    },
    'DataBar Omnidirectional': { format: 'DataBarOmni', make: (r) => databar(r, 1) },
    'DataBar Truncated': { format: 'DataBarOmni', make: (r) => databar(r, 2) },
    'DataBar Stacked': { format: 'DataBarStk', make: (r) => databar(r, 3) },
    'DataBar Stacked Omnidirectional': { format: 'DataBarStkOmni', make: (r) => databar(r, 4) },
    'DataBar Limited': { format: 'DataBarLtd', make: (r) => databar(r, 5) },
    'DataBar Expanded': { format: 'DataBarExp', make: (r) => expanded(r, '') },
    'DataBar Expanded Stacked': { format: 'DataBarExpStk', make: (r) => expanded(r, ',,4') },
    'QR Code, automatic': { format: 'QRCode', make: (r) => qr(r, r.pick('HQML'), r.text(PRINTABLE, r.between(1, r.pick([20, 100, 400])))) },
    'QR Code, mixed runs': { format: 'QRCode', make: (r) => qr(r, r.pick('HQML'), mixed(r, r.between(1, 200))) },
    'QR Code, bytes': {
        format: 'QRCode',
        make(r) {
            let data = '';
            for (let i = r.between(1, 60); i > 0; i--) data += String.fromCharCode(r.pick([r.between(0xa1, 0xff), r.between(32, 126)]));
            return { command: `^BQN,2,${r.between(2, 4)}`, data: `QA,${data}`, bytes: Buffer.from(data, 'latin1') };
        },
    },
    'QR Code, Kanji': {
        format: 'QRCode',
        make(r) {
            let bytes = [];
            for (let i = r.between(1, 40); i > 0; i--) bytes.push(r.between(0x88, 0x97), r.between(0xa0, 0xfc)); // kanji of level 1
            return { command: `^BQN,2,${r.between(2, 4)}`, data: `MM,K${String.fromCharCode(...bytes)}`, text: new TextDecoder('shift_jis').decode(Uint8Array.from(bytes)) };
        },
    },
    'QR Code, mixed mode with structured append': {
        format: 'QRCode',
        make(r) {
            const digits = r.text(DIGITS, r.between(1, 20)), upper = r.text(DIGITS + UPPER, r.between(1, 20)), bytes = r.text(LOWER, r.between(1, 20));
            const data = `D0304${r.text('0123456789ABCDEF', 2)},LM,N${digits},A${upper},B${String(bytes.length).padStart(4, '0')}${bytes}`;
            return { command: `^BQN,2,${r.between(2, 4)}`, data, text: digits + upper + bytes };
        },
    },
    // The reader finds model 1 up to version 6.
    'QR Code, model 1': {
        format: 'QRCode',
        make(r) {
            const level = r.pick('HQML'), data = r.text(PRINTABLE, r.between(1, { H: 54, Q: 82, M: 100, L: 130 }[level]));
            return { command: `^BQN,1,${r.between(2, 4)}`, data: `${level}A,${data}`, text: data, identifier: ']Q0' };
        },
    },
    'Data Matrix': { format: 'DataMatrix', make: (r) => plain(r, `^BX{o},${r.between(3, 5)},200`, r.text(PRINTABLE.replace('~', ''), r.between(1, r.pick([20, 120])))) },
    PDF417: { format: 'PDF417', make: (r) => plain(r, `^BY{m}^B7{o},${r.between(6, 10)},${r.between(1, 5)},${r.between(2, 8)}`, r.text(PRINTABLE.replace('\\', ''), r.between(1, 80)), 3) },
    'PDF417, truncated': { format: 'CompactPDF417', make: (r) => plain(r, `^BY{m}^B7{o},${r.between(8, 12)},${r.between(2, 5)},${r.between(3, 6)},,Y`, r.text(UPPER, r.between(10, 60)), 3) },
    MicroPDF417: { format: 'MicroPDF417', make: (r) => plain(r, `^BY{m}^BF{o},${r.between(6, 8)},${r.pick([12, 21, 22, 31, 32])}`, r.text(DIGITS + UPPER, r.between(1, 20)), 3) },
    Aztec: { format: 'Aztec', make: (r) => plain(r, `^BO{o},${r.between(3, 5)}`, r.text(PRINTABLE, r.between(1, r.pick([20, 200])))) },
    'Aztec, percent of error correction': { format: 'Aztec', make: (r) => plain(r, `^BO{o},${r.between(3, 5)},N,${r.between(10, 60)}`, r.text(PRINTABLE, r.between(1, 60))) },
    'MaxiCode, mode 4': { format: 'MaxiCode', make: (r) => ({ command: '^BD4', data: r.text(DIGITS + UPPER, r.between(6, 60)), upright: true }) },
    'MaxiCode, mode 2': {
        format: 'MaxiCode',
        make(r) {
            const service = r.text(DIGITS, 3), country = r.text(DIGITS, 3), postcode = r.text(DIGITS, 9), message = r.text(DIGITS + UPPER, r.between(1, 40));
            return { command: '^BD2', data: service + country + postcode + message, ends: message, parts: [service, country, postcode], upright: true };
        },
    },
};

function plain(r, command, data, high) {
    return { command, data, text: data, high };
}

// Runs of one kind, as real data has them.
function mixed(r, length) {
    let out = '';
    while (out.length < length) out += r.text(r.pick([DIGITS, DIGITS, UPPER, LOWER, '-/:. ', '\x01\x09\x1d']), r.between(1, 12));
    return out.slice(0, length);
}

// A reader drops blanks at the ends.
function trimmed(r, alphabet, most) {
    const ends = DIGITS + UPPER;
    return r.pick(ends) + r.text(alphabet, r.between(0, most - 2)) + r.pick(ends);
}

function databar(r, kind) {
    const data = r.pick(kind === 5 ? '01' : DIGITS) + r.text(DIGITS, 12);
    return { command: `^BR{o},${kind},${r.between(2, 4)},2`, data, text: `01${data}${mod10(data)}` };
}

function expanded(r, segments) {
    const item = r.text(DIGITS, 13), weight = r.text(DIGITS, 6), lot = r.text(DIGITS + UPPER, r.between(1, 10));
    const data = `01${item}${mod10(item)}3103${weight}10${lot}`;
    return { command: `^BR{o},6,${r.between(2, 3)},1${segments}`, data, text: data };
}

function qr(r, level, data) {
    return { command: `^BQN,2,${r.between(2, 4)}`, data: `${level}A,${data}`, text: data };
}

function label(symbol, r) {
    const rotation = symbol.upright ? 'N' : r.pick('NRIB');
    const command = symbol.command
        .replaceAll('{o}', rotation)
        .replace('{m}', String(module(r, symbol.high)))
        .replace('{r}', r.pick(['2.0', '2.5', '3.0']));
    return { zpl: Buffer.from(`^XA^FO60,60${command}${field(symbol.data)}${symbol.extra ?? ''}^XZ`, 'latin1'), command };
}

// Why a symbol is not what it should be, or nothing.
function fault(symbol, results, name) {
    if (results.length === 0) return 'not found';
    const seen = results.map((result) => result.text);
    if (symbol.bytes) return results.some((result) => Buffer.from(result.bytes).equals(symbol.bytes)) ? '' : `read ${seen}`;
    if (symbol.ends) return results.some((result) => result.text.includes(symbol.ends) && symbol.parts.every((part) => result.text.includes(part))) ? '' : `read ${seen}`;
    const want = symbol.text ?? symbol.data;
    if (symbol.identifier && !results.every((result) => result.symbologyIdentifier === symbol.identifier)) return `read as ${results[0].symbologyIdentifier}`;
    const good = results.some((result) => (symbol.addOn ? result.text.replace(/\s/g, '') === want + symbol.addOn : result.text === want));
    return good ? '' : `read ${JSON.stringify(seen)} (${name})`;
}

const COUNT = Number(process.env.PLATEN_READBACK ?? 40);

for (const [name, { format, make }] of Object.entries(symbologies)) {
    test(`${name}: ${COUNT} random symbols are read back`, async () => {
        const r = seeded([...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7));
        const symbols = Array.from({ length: COUNT }, () => make(r));
        const labels = symbols.map((symbol) => label(symbol, r));
        // A third each at 8, 12 and 6 dots per mm, on pages of about the same number of dots.
        const pages = [[8, 260], [12, 175], [6, 345]].map(([dpmm, side], k) => renderAll(labels.filter((_, i) => i % 3 === k), { widthMm: side, heightMm: side, dpmm }));
        const pictures = labels.map((_, i) => pages[i % 3][Math.floor(i / 3)]);
        const failures = [];
        for (let i = 0; i < COUNT; i++) {
            const box = pictures[i].inkBox;
            const image = pictures[i].crop(box.x, box.y, box.width, box.height).toImageData(40);
            const results = await readBarcodes(image, { formats: [format], tryHarder: true, textMode: 'Plain', maxNumberOfSymbols: 4, eanAddOnSymbol: symbols[i].addOn ? 'Read' : 'Ignore', tryDownscale: false });
            const why = fault(symbols[i], results, labels[i].command);
            if (why) failures.push(`${labels[i].command} ${JSON.stringify(symbols[i].data)}: ${why}`);
        }
        assert.deepEqual(failures, []);
    });
}
