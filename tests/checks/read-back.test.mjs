// Random symbols of every symbology with a reader: drawn, read back from the page's dots, compared. Modules, ratios and rotations
// vary, and every other symbol is drawn by the printer's profile. $PLATEN_READBACK: how many of each (20); tests/checks/read-back is the same with 1,000.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mod10, seeded } from '../barcodes/render.mjs';
import { program, zxing } from './reader.mjs';

const COUNT = Number(process.env.PLATEN_READBACK ?? 20);
const range = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i)).join('');
const DIGITS = range(48, 57), UPPER = range(65, 90), LOWER = range(97, 122), PRINTABLE = range(32, 126), CODE39 = `${DIGITS}${UPPER}-. $/+%`;
const mod43 = (text) => CODE39[[...text].reduce((sum, c) => sum + CODE39.indexOf(c), 0) % 43];
const code11 = (text, top) => {
    const sum = [...text].reverse().reduce((total, c, i) => total + (c === '-' ? 10 : Number(c)) * ((i % top) + 1), 0);
    return sum % 11 === 10 ? '-' : String(sum % 11);
};
const luhn = (digits) => String((10 - ([...digits].reverse().reduce((sum, d, i) => sum + (i % 2 ? Number(d) : Math.floor((d * 2) / 10) + ((d * 2) % 10)), 0) % 10)) % 10);

const field = (text) => `^FH\\^FD${[...Buffer.from(text, 'latin1')].map((c) => (/[0-9A-Za-z]/.test(String.fromCharCode(c)) ? String.fromCharCode(c) : `\\${c.toString(16).padStart(2, '0').toUpperCase()}`)).join('')}^FS`;
const plain = (command, data, want = data) => ({ command, data, want });
const trimmed = (r, alphabet, most) => r.pick(DIGITS + UPPER) + r.text(alphabet, r.between(0, most - 2)) + r.pick(DIGITS + UPPER);
const gtin = (r, first = DIGITS) => {
    const item = r.pick(first) + r.text(DIGITS, 12);
    return item + mod10(item);
};
const databar = (r, kind) => {
    const data = gtin(r, kind === 5 ? '01' : DIGITS);
    return plain(`^BR{o},${kind},${r.between(2, 4)},2`, data.slice(0, 13), `01${data}`);
};
const expanded = (r, segments) => {
    const data = `01${gtin(r)}3103${r.text(DIGITS, 6)}10${r.text(DIGITS + UPPER, r.between(1, 10))}`;
    return plain(`^BR{o},6,${r.between(2, 3)},1${segments}`, data);
};
const check = (r, most, make) => {
    const data = trimmed(r, CODE39, most);
    return make(data, mod43(data));
};

// {o}: rotation, {m}: module, {r}: ratio. `want`: what the reader must give.
const kinds = {
    'Aztec': (r) => plain(`^BO{o},${r.between(3, 5)}`, r.text(PRINTABLE, r.between(1, r.pick([20, 200])))),
    'Codabar': (r) => {
        const start = r.pick('ABCD'), stop = r.pick('ABCD'), data = r.text(`${DIGITS}-$:/.+`, r.between(3, 20));
        return plain(`^BY{m},{r}^BK{o},N,60,N,N,${start},${stop}`, data, start + data + stop);
    },
    'CODABLOCK F': (r) => plain(`^BY{m}^BB{o},${r.between(12, 30)},N,${r.between(6, 20)},,F`, r.text(DIGITS + UPPER + LOWER, r.between(30, 120))),
    'CODABLOCK A': (r) => plain(`^BY{m},{r}^BB{o},${r.between(12, 30)},N,${r.between(6, 12)},,A`, r.text(DIGITS + UPPER, r.between(30, 80))),
    'Code 11': (r) => {
        const data = r.text(`${DIGITS}-`, r.between(1, 20)), one = data + code11(data, 10);
        return plain('^BY{m},{r}^B1{o},N,60,N,N', data, one + code11(one, 9));
    },
    'Code 128, automatic': (r) => plain('^BY{m}^BC{o},60,N,N,N,A', r.text(r.pick([DIGITS, PRINTABLE, UPPER]), r.between(1, 30))),
    'Code 128, with its caption': (r) => plain(`^BY{m}^BC{o},60,Y,${r.pick('NY')},N,A`, r.text(r.pick([DIGITS, UPPER]), r.between(1, 30))),
    'GS1-128': (r) => {
        const item = gtin(r), lot = r.text(DIGITS + UPPER, r.between(1, 12)), serial = r.text(DIGITS, r.between(1, 10));
        return plain('^BY{m}^BC{o},60,N,N,N,D', `(01)${item}(10)${lot}>8(21)${serial}`, `01${item}10${lot}\x1d21${serial}`);
    },
    'Code 39': (r) => plain('^BY{m},{r}^B3{o},N,60,N,N', trimmed(r, CODE39, 20)),
    'LOGMARS': (r) => check(r, 18, (data, c) => plain('^BY{m},{r}^BL{o},60,N', data, data + c)),
    'Code 49': (r) => plain(`^BY{m}^B4{o},${r.between(8, 20)},N,A`, r.text(PRINTABLE.replace('^', ''), r.between(1, 22))),
    'Code 93': (r) => plain('^BY{m}^BA{o},60,N,N,N', r.text(CODE39, r.between(1, 25))),
    'DataBar Omnidirectional': (r) => databar(r, 1),
    'DataBar Truncated': (r) => databar(r, 2),
    'DataBar Stacked': (r) => databar(r, 3),
    'DataBar Stacked Omnidirectional': (r) => databar(r, 4),
    'DataBar Limited': (r) => databar(r, 5),
    'DataBar Expanded': (r) => expanded(r, ''),
    'DataBar Expanded Stacked': (r) => expanded(r, ',,4'),
    'Data Matrix': (r) => plain(`^BX{o},${r.between(2, 6)},200`, r.text(PRINTABLE.replace(/[~_]/g, ''), r.between(1, r.pick([20, 120])))),
    'EAN-8': (r) => {
        const data = r.text(DIGITS, 7);
        return plain('^BY{m}^B8{o},60,Y,N', data, data + mod10(data));
    },
    'EAN-13': (r) => {
        const data = r.pick('123456789') + r.text(DIGITS, 11);
        return plain('^BY{m}^BE{o},60,Y,N', data, data + mod10(data));
    },
    'UPC-A': (r) => {
        const data = r.text(DIGITS, 11);
        return plain('^BY{m}^BU{o},60,Y,N,Y', data, data + mod10(data));
    },
    'UPC-E': (r) => {
        const d = r.text(DIGITS, 6), last = d[5];
        const long = last <= '2' ? `${d.slice(0, 2)}${last}0000${d.slice(2, 5)}` : last === '3' ? `${d.slice(0, 3)}00000${d.slice(3, 5)}` : last === '4' ? `${d.slice(0, 4)}00000${d[4]}` : `${d.slice(0, 5)}0000${last}`;
        return plain('^BY{m}^B9{o},60,Y,N,Y', `0${d}`, `0${d}${mod10(`0${long}`)}`);
    },
    'UPC/EAN extension': (r) => plain('^BY{m}^BS{o},60,Y,N', r.text(DIGITS, r.pick([2, 5]))),
    'Interleaved 2 of 5': (r) => {
        const data = r.text(DIGITS, r.between(6, 30));
        return plain('^BY{m},{r}^B2{o},60,N,N,N', data, data.length % 2 ? `0${data}` : data);
    },
    'Industrial 2 of 5': (r) => plain('^BY{m},{r}^BI{o},60,N,N', r.text(DIGITS, r.between(1, 20))),
    'Standard 2 of 5': (r) => plain('^BY{m},{r}^BJ{o},60,N,N', r.text(DIGITS, r.between(1, 20))),
    'MaxiCode, mode 4': (r) => plain('^BD4', r.text(DIGITS + UPPER, r.between(6, 60))),
    'MaxiCode, mode 2': (r) => {
        const service = r.text(DIGITS, 3), country = r.text(DIGITS, 3), code = r.text(DIGITS, 9), message = r.text(DIGITS + UPPER, r.between(1, 40));
        return plain('^BD2', service + country + code + message, `${code}\x1d${country}\x1d${service}\x1d${message}`);
    },
    'MicroPDF417': (r) => plain(`^BY{m}^BF{o},${r.between(6, 8)},${r.pick([12, 21, 22, 31, 32])}`, r.text(PRINTABLE.replace('\\', ''), r.between(1, 20))),
    'MSI': (r) => {
        const data = r.text(DIGITS, r.between(1, 13));
        return plain('^BY{m},{r}^BM{o},B,60,N,N', data, data + luhn(data));
    },
    'PDF417': (r) => plain(`^BY{m}^B7{o},${r.between(6, 10)},${r.between(1, 5)},${r.between(2, 8)}`, r.text(PRINTABLE.replace('\\', ''), r.between(1, 80))),
    'PLANET': (r) => plain('^BY{m}^B5{o},60,N,N', r.text(DIGITS, r.pick([11, 13]))),
    'POSTNET': (r) => plain('^BY{m}^BZ{o},60,N,N,0', r.text(DIGITS, r.pick([5, 9, 11]))),
    'POSTNET, with its caption': (r) => plain('^BY{m}^BZ{o},60,Y,N,0', r.text(DIGITS, r.pick([5, 9, 11]))),
    'Intelligent Mail': (r) => plain('^BY{m}^BZ{o},60,N,N,3', r.pick(DIGITS) + r.pick('01234') + r.text(DIGITS, 18) + r.text(DIGITS, r.pick([0, 5, 9, 11]))),
    'Plessey': (r) => plain('^BY{m},{r}^BP{o},N,60,N,N', r.text(`${DIGITS}ABCDEF`, r.between(1, 14))),
    'TLC39': (r) => {
        const number = r.text(DIGITS, 6), serial = r.text(DIGITS + UPPER, r.between(1, 25)), extra = r.text(DIGITS + UPPER, r.between(1, 25));
        const [data, want] = r.pick([[number, number], [`${number},${serial}`, `${number},${serial}`], [`${number},${serial},${extra}`, `${number},${serial}*${extra}`]]);
        // A MicroPDF417 that is wider than the bars lies under the flag as printers draw it.
        const narrow = r.between(2, 3);
        return plain(`^BT{o},${narrow},${r.pick(['2.0', '2.5', '3.0'])},${r.between(30, 60)},${r.between(2, narrow)},${r.between(4, 6)}`, data, want);
    },
    'QR Code': (r) => {
        const data = r.text(r.pick([DIGITS, UPPER, PRINTABLE]), r.between(1, r.pick([20, 100, 400])));
        return plain(`^BQN,2,${r.between(2, 4)}`, `${r.pick('HQML')}A,${data}`, data);
    },
};

function readAll(labels, dpmm, profile) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-read-'));
    try {
        const files = labels.map((zpl, i) => {
            const file = join(folder, `${i}`);
            writeFileSync(file, Buffer.from(zpl, 'latin1'));
            return file;
        });
        const side = Math.round(2080 / dpmm), lines = [];
        for (let at = 0; at < files.length; at += 200)
            lines.push(...execFileSync(program, [...(profile === 'printer' ? ['-p'] : []), '-d', dpmm, '-w', side, '-h', side, ...files.slice(at, at + 200)].map(String), { encoding: 'latin1', maxBuffer: 1 << 28 }).trim().split('\n'));
        const results = labels.map(() => ({ outcome: 'not drawn' }));
        for (const line of lines) {
            const [file, symbology, , outcome, matches, data] = line.split(' ');
            results[Number(file.slice(folder.length + 1))] = { symbology, outcome, matches, data: data === '-' ? '' : Buffer.from(data ?? '', 'hex').toString('latin1') };
        }
        return results;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

for (const [name, make] of Object.entries(kinds)) {
    test(`${name}: ${COUNT} random symbols are read back`, (t) => {
        const r = seeded([...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 17));
        const symbols = Array.from({ length: COUNT }, () => make(r)), failures = [];
        let unread = 0;
        const labels = symbols.map((s) => `^XA^FO60,60${s.command.replace('{o}', r.pick('NRIB')).replace('{m}', r.between(2, 4)).replace('{r}', r.pick(['2.0', '2.5', '3.0']))}${field(s.data)}^XZ`);
        const ways = ['reference', 'printer'].flatMap((profile) => [8, 12, 6].map((dpmm) => ({ profile, dpmm })));
        ways.forEach(({ profile, dpmm }, k) => {
            const chosen = labels.map((_, i) => i).filter((i) => i % ways.length === k);
            readAll(chosen.map((i) => labels[i]), dpmm, profile).forEach((result, n) => {
                const { want } = symbols[chosen[n]];
                unread += result.outcome === 'no-reader';
                if (result.outcome !== 'decoded') failures.push(`${profile}, ${dpmm}: ${labels[chosen[n]]}: ${result.outcome}`);
                else if (result.data !== want) failures.push(`${profile}, ${dpmm}: ${labels[chosen[n]]}: read ${JSON.stringify(result.data)}, not ${JSON.stringify(want)}`);
                else if (result.matches !== 'matches') failures.push(`${profile}, ${dpmm}: ${labels[chosen[n]]}: ${result.matches}`);
            });
        });
        if (!zxing && unread === COUNT) return t.skip('built without zxing-cpp');
        assert.deepEqual(failures.slice(0, 5), [], `${failures.length} of ${COUNT}`);
    });
}
