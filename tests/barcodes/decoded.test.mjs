// Symbologies that zxing does not read: random symbols through the program, their bars measured and decoded here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderAll, seeded } from './render.mjs';

const DIGITS = '0123456789';
const turns = { N: 0, R: 1, I: 2, B: 3 };
const COUNT = Number(process.env.PLATEN_READBACK ?? 40);

// Lengths of dark and light runs along a row, a dark one first.
function runsOf(picture, y) {
    const runs = [];
    let dark = 0;
    for (let x = 0; x < picture.width; x++) {
        const now = picture.get(x, y);
        if (now === dark && runs.length) runs[runs.length - 1]++;
        else if (now !== dark) runs.push(1);
        dark = now;
    }
    if (!dark && runs.length % 2 === 0) runs.pop();
    return runs;
}

// Wide runs as 1, narrow ones as 0.
const widths = (runs, module) => runs.map((run) => (run > module ? 1 : 0)).join('');

// 2 of 5 codes: five bars of each digit, two of them wide, weights 1 2 4 7 and parity.
const TWO_OF_FIVE = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'];

function bars(pattern) {
    return [...pattern].filter((_, i) => i % 2 === 0).join('');
}

function decodeIndustrial(runs, module) {
    const all = bars(widths(runs, module));
    assert.equal(all.slice(0, 3), '110');
    assert.equal(all.slice(-3), '101');
    return all.slice(3, -3).match(/.{5}/g).map((five) => TWO_OF_FIVE.indexOf(five)).join('');
}

function decodeStandard(runs, module) {
    const all = bars(widths(runs, module));
    assert.equal(all.slice(0, 2), '00');
    assert.equal(all.slice(-2), '10');
    return all.slice(2, -2).match(/.{5}/g).map((five) => TWO_OF_FIVE.indexOf(five)).join('');
}

// Code 11: five elements and a gap; start and stop are 00110.
const CODE11 = { '00001': '0', 10001: '1', '01001': '2', 11000: '3', '00101': '4', 10100: '5', '01100': '6', '00011': '7', 10010: '8', 10000: '9', '00100': '-' };

function decodeCode11(runs, module) {
    const parts = `${widths(runs, module)}0`.match(/.{6}/g).map((six) => six.slice(0, 5));
    assert.equal(parts[0], '00110');
    assert.equal(parts.at(-1), '00110');
    return parts.slice(1, -1).map((five) => CODE11[five]).join('');
}

// MSI: a bit is a bar and a space, 1 wide-narrow, 0 narrow-wide; start 1, stop narrow-wide-narrow.
function decodeMsi(runs, module) {
    const all = widths(runs, module);
    assert.equal(all.slice(0, 2), '10');
    assert.equal(all.slice(-3), '010');
    const bits = all.slice(2, -3).match(/../g).map((pair) => ({ 10: '1', '01': '0' })[pair]).join('');
    return bits.match(/.{4}/g).map((four) => parseInt(four, 2)).join('');
}

// Plessey: start 1101, lowest bit of a digit first; then the remainder, the grown bar, and 0011 backwards.
function decodePlessey(runs, module) {
    const all = widths(runs, module), bits = (text) => text.match(/../g).map((pair) => ({ 10: '1', '01': '0' })[pair]).join('');
    assert.equal(bits(all.slice(0, 8)), '1101');
    const data = bits(all.slice(8, -9)).match(/.{4}/g).map((four) => parseInt([...four].reverse().join(''), 2).toString(16).toUpperCase()).join('');
    const remainder = [...bits(all.slice(8, -9))].map(Number);
    for (let i = 0; i + 8 < remainder.length; i++)
        if (remainder[i]) [1, 1, 1, 1, 0, 1, 0, 0, 1].forEach((bit, k) => (remainder[i + k] ^= bit));
    assert.ok(remainder.every((bit) => bit === 0), 'the check remainder is not zero');
    assert.ok(runs[runs.length - 9] > runs[0], 'the terminator is not grown');
    return data.slice(0, -2);
}

// POSTNET and PLANET: bars by height between two tall ones, five to a digit.
const POSTNET = ['11000', '00011', '00101', '00110', '01001', '01010', '01100', '10001', '10010', '10100'];

function heights(picture) {
    const tall = [];
    for (let x = 0; x < picture.width; x++)
        if (picture.get(x, picture.height - 1) && !picture.get(x - 1, picture.height - 1)) tall.push(picture.get(x, 0));
    return tall;
}

function decodePostal(picture, planet) {
    const list = heights(picture);
    assert.ok(list[0] && list.at(-1), 'no frame bars');
    const digits = list.slice(1, -1).join('').match(/.{5}/g).map((five) => POSTNET.indexOf(planet ? [...five].map((bit) => 1 - bit).join('') : five));
    assert.equal(digits.reduce((sum, digit) => sum + digit, 0) % 10, 0, 'check digit');
    return digits.slice(0, -1).join('');
}

const code11Check = (text, top) => {
    let sum = 0;
    [...text].reverse().forEach((c, i) => (sum += (c === '-' ? 10 : Number(c)) * ((i % top) + 1)));
    return sum % 11 === 10 ? '-' : String(sum % 11);
};

const luhn = (digits) => {
    let sum = 0;
    [...digits].reverse().forEach((d, i) => (sum += i % 2 ? Number(d) : Math.floor((d * 2) / 10) + ((d * 2) % 10)));
    return String((10 - (sum % 10)) % 10);
};

const kinds = {
    'Code 11': {
        make: (r) => ({ command: '^B1{o},N,60,N,N', data: r.text(`${DIGITS}-`, r.between(1, 20)) }),
        decode: (runs, module) => decodeCode11(runs, module),
        expect: (data) => {
            const one = data + code11Check(data, 10);
            return one + code11Check(one, 9);
        },
    },
    'Industrial 2 of 5': { make: (r) => ({ command: '^BI{o},60,N,N', data: r.text(DIGITS, r.between(1, 20)) }), decode: decodeIndustrial },
    'Standard 2 of 5': { make: (r) => ({ command: '^BJ{o},60,N,N', data: r.text(DIGITS, r.between(1, 20)) }), decode: decodeStandard },
    'MSI without check': { make: (r) => ({ command: '^BM{o},A,60,N,N', data: r.text(DIGITS, r.between(1, 13)) }), decode: decodeMsi },
    'MSI with one check digit': { make: (r) => ({ command: '^BM{o},B,60,N,N', data: r.text(DIGITS, r.between(1, 13)) }), decode: decodeMsi, expect: (data) => data + luhn(data) },
    'MSI with two check digits': {
        make: (r) => ({ command: '^BM{o},C,60,N,N', data: r.text(DIGITS, r.between(1, 13)) }),
        decode: decodeMsi,
        expect: (data) => data + luhn(data) + luhn(data + luhn(data)),
    },
    Plessey: { make: (r) => ({ command: '^BP{o},N,60,N,N', data: r.text(`${DIGITS}ABCDEF`, r.between(1, 14)) }), decode: decodePlessey },
    POSTNET: { make: (r) => ({ command: '^BZ{o},60,N,N,0', data: r.text(DIGITS, r.pick([5, 9, 11])) }), decodePicture: (picture) => decodePostal(picture, false) },
    PLANET: { make: (r) => ({ command: '^B5{o},60,N,N', data: r.text(DIGITS, r.pick([11, 13])) }), decodePicture: (picture) => decodePostal(picture, true) },
};

for (const [name, kind] of Object.entries(kinds)) {
    test(`${name}: ${COUNT} random symbols are decoded from their bars`, () => {
        const r = seeded([...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 11));
        const symbols = Array.from({ length: COUNT }, () => ({ ...kind.make(r), module: r.between(1, 4), ratio: r.pick(['2.0', '2.5', '3.0']), rotation: r.pick('NRIB') }));
        const labels = symbols.map((s) => ({ zpl: `^XA^BY${s.module},${s.ratio}^FO30,30${s.command.replace('{o}', s.rotation)}^FD${s.data}^FS^XZ` }));
        renderAll(labels, { widthMm: 250, heightMm: 250 }).forEach((page, i) => {
            const { x, y, width, height } = page.inkBox, symbol = symbols[i];
            const picture = page.crop(x, y, width, height).unturned(turns[symbol.rotation]);
            const got = kind.decodePicture ? kind.decodePicture(picture) : kind.decode(runsOf(picture, 5), symbol.module);
            assert.equal(got, kind.expect ? kind.expect(symbol.data) : symbol.data, labels[i].zpl);
        });
    });
}

test('Intelligent Mail: the examples of USPS-B-3200', () => {
    const examples = {
        '01234567094987654321': 'ATTFATTDTTADTAATTDTDTATTDAFDDFADFDFTFFFFFTATFAAAATDFFTDAADFTFDTDT',
        '0123456709498765432101234567891': 'AADTFFDFTDADTAADAATFDTDDAAADDTDTTDAFADADDDTFFFDDTTTADFAAADFTDAADA',
    };
    const entries = Object.entries(examples);
    renderAll(entries.map(([data]) => ({ zpl: `^XA^BY2^FO30,30^BZN,60,N,N,3^FD${data}^FS^XZ` }))).forEach((page, i) => {
        const { x, y, width, height } = page.inkBox, picture = page.crop(x, y, width, height);
        let letters = '';
        for (let u = 0; u < picture.width; u += 5) letters += 'TADF'[picture.get(u, 0) + 2 * picture.get(u, height - 1)];
        assert.equal(letters, entries[i][1]);
    });
});
