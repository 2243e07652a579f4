// Labels spoiled on purpose, each with the code of the finding that it must give, and the same label unspoiled, which must not.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mod10, seeded } from '../barcodes/render.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const DIGITS = '0123456789', CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const other = (r, digit) => String((Number(digit) + r.between(1, 9)) % 10);

// Symbols that all kinds of damage use: `field` draws one at a place, `linear` has bars of one height.
const symbols = {
    code128: (r) => ({ linear: true, module: 3, field: `^BY3^BCN,100,N,N,N,A^FD${r.text(DIGITS + CAPITALS, 8)}^FS` }),
    code39: (r) => ({ linear: true, module: 2, field: `^BY2,3^B3N,N,100,N,N^FD${r.text(DIGITS + CAPITALS, 6)}^FS` }),
    interleaved: (r) => ({ linear: true, module: 3, field: `^BY3,3^B2N,100,N,N,N^FD${r.text(DIGITS, 12)}^FS` }),
    ean13: (r) => ({ linear: true, module: 3, field: `^BY3^BEN,100,N,N^FD${r.text('123456789', 12)}^FS` }),
    qr: (r) => ({ linear: false, module: 5, field: `^BQN,2,5^FDMA,${r.text(DIGITS + CAPITALS, 20)}^FS` }),
    datamatrix: (r) => ({ linear: false, module: 6, field: `^BXN,6,200^FD${r.text(DIGITS + CAPITALS, 14)}^FS` }),
    pdf417: (r) => ({ linear: false, module: 3, field: `^BY3^B7N,8,2,3^FD${r.text(DIGITS + CAPITALS, 30)}^FS` }),
};
const any = (r) => symbols[r.pick(Object.keys(symbols))](r);

// What is done to a label. `where`: the bars of the symbol at 200,200, as the unspoiled label has them.
const kinds = {
    overprint: {
        codes: ['bars_overprinted', 'symbol_unreadable', 'symbol_data_differs'],
        make: (r) => {
            const s = any(r);
            const clean = `^FO200,200${s.field}`;
            return { clean, spoil: (where) => {
                const width = Math.round(where.width * 0.4), x = where.x + Math.round(where.width * (0.25 + 0.2 * (r.below(1000) / 1000)));
                const height = s.linear ? where.height + 4 : Math.round(where.height * 0.8);
                return `${clean}^FO${x},${where.y - 2}^GB${width},${height},${Math.min(width, height)}^FS`;
            } };
        },
    },
    quietZone: {
        codes: ['quiet_zone_blocked', 'symbol_unreadable'],
        make: (r) => {
            const s = any(r);
            const clean = `^FO200,200${s.field}`;
            return { clean, spoil: (where) => {
                const gap = s.field.includes('^BX') ? r.between(1, 3) : r.between(2, s.module * 2 - 1), left = (r.below(1000) / 1000) < 0.5;
                const x = left ? where.x - gap - 4 : where.x + where.width + gap;
                return `${clean}^FO${x},${where.y}^GB4,${where.height},4^FS`;
            } };
        },
    },
    cut: {
        codes: ['bars_cut', 'symbol_unreadable'],
        make: (r) => {
            const s = any(r);
            return { clean: `^FO200,200${s.field}`, spoil: (where) => `^FO${812 - Math.round(where.width * (0.3 + 0.5 * (r.below(1000) / 1000)))},${200}${s.field}` };
        },
    },
    thin: {
        codes: ['module_below_minimum'], options: ['--min-module-mm', '0.24'],
        make: (r) => {
            const data = r.text(DIGITS + CAPITALS, 8);
            return { clean: `^FO200,200^BY2^BCN,100,N,N,N,A^FD${data}^FS`, spoil: () => `^FO200,200^BY1^BCN,100,N,N,N,A^FD${data}^FS` };
        },
    },
    low: {
        codes: ['bars_too_low'], options: ['--rules', 'gs1-logistics'],
        make: (r) => {
            const sscc = r.text(DIGITS, 17), data = `^BCN,{h},N,N,N,D^FD(00)${sscc}${mod10(sscc)}^FS`;
            return { clean: `^FO50,200^BY4${data.replace('{h}', '260')}`, spoil: () => `^FO50,200^BY4${data.replace('{h}', String(r.between(60, 240)))}` };
        },
    },
    gtin: {
        codes: ['check_digit_wrong'],
        make: (r) => {
            const [command, length] = r.pick([['^BEN,100,N,N', 12], ['^BUN,100,N,N,Y', 11], ['^B8N,100,N,N', 7], ['^B2N,100,N,N,N', 13]]), data = r.text('123456789', length);
            const label = (last) => `^FO200,200^BY3${command}^FD${data}${last}^FS`;
            return { clean: label(mod10(data)), spoil: () => label(other(r, mod10(data))) };
        },
    },
    gs1Key: {
        codes: ['gs1_check_digit'],
        make: (r) => {
            const [ai, length] = r.pick([['01', 13], ['00', 17]]), data = r.text(DIGITS, length);
            const carrier = r.pick([(d) => `^BY3^BCN,100,N,N,N,D^FD(${ai})${d}^FS`, (d) => `^BY3^BCN,100,N,N,N,N^FD>;>8${ai}${d}^FS`, (d) => `^BXN,5,200,,,,_^FD_1${ai}${d}^FS`]);
            return { clean: `^FO100,200${carrier(data + mod10(data))}`, spoil: () => `^FO100,200${carrier(data + other(r, mod10(data)))}` };
        },
    },
    gs1Date: {
        codes: ['gs1_value'],
        make: (r) => {
            const item = r.text(DIGITS, 13), label = (month) => `^FO100,200^BY2^BCN,100,N,N,N,D^FD(01)${item}${mod10(item)}(17)26${month}15^FS`;
            return { clean: label('11'), spoil: () => label(r.between(13, 99)) };
        },
    },
    link: {
        codes: ['gs1_check_digit'],
        make: (r) => {
            const item = r.text(DIGITS, 13), label = (last) => `^FO200,200^BQN,2,4^FDMA,https://id.example.com/01/${item}${last}^FS`;
            return { clean: label(mod10(item)), spoil: () => label(other(r, mod10(item))) };
        },
    },
    tracking: {
        codes: ['check_digit_wrong'], options: ['--rules', 'ups'],
        make: (r) => {
            const data = r.text(DIGITS, 15), sum = [...data].reduce((total, d, i) => total + Number(d) * (i % 2 ? 2 : 1), 0), digit = String((10 - (sum % 10)) % 10);
            const label = (last) => `^FO100,200^BY3^BCN,100,N,N,N,A^FD1Z${data}${last}^FS`;
            return { clean: label(digit), spoil: () => label(other(r, digit)) };
        },
    },
};

// The first label of each text: its bars and the codes found.
function inspect(labels, options) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-spoiled-'));
    try {
        const files = labels.map((body, i) => {
            const file = join(folder, `${i}.zpl`);
            writeFileSync(file, `^XA${body}^XZ`);
            return file;
        });
        const text = execFileSync(platen, ['inspect', '--json', '--verify', ...options, ...files], { encoding: 'utf8', maxBuffer: 1 << 28 });
        return text.trim().split('\n').map((line) => {
            const { labels: [label], warnings } = JSON.parse(line);
            const barcode = label.elements.find((e) => e.type === 'barcode');
            return { bars: barcode, found: warnings };
        });
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// `count` labels of each kind: how many there are, how many were found, and a line for each that was not.
export function spoil(count) {
    const result = { labels: 0, found: 0, failures: [], byKind: {} };
    for (const [name, kind] of Object.entries(kinds)) {
        const r = seeded(name.length * 7919 + count), made = Array.from({ length: count }, () => kind.make(r)), options = kind.options ?? [];
        const clean = inspect(made.map((m) => m.clean), options), labels = made.map((m, i) => m.spoil(clean[i].bars)), spoiled = inspect(labels, options);
        let found = 0;
        made.forEach((m, i) => {
            const codes = new Set(spoiled[i].found.map((f) => f.code));
            const before = clean[i].found.filter((f) => f.severity !== 'info' && f.code !== 'symbol_missing').map((f) => f.code);
            const missing = kind.codes.some((code) => codes.has(code)) ? [] : kind.codes, several = spoiled[i].found.filter((f) => f.severity !== 'info' && f.code !== 'symbol_missing').length > 1;
            if (before.length) result.failures.push(`${name}: the unspoiled label ^XA${m.clean}^XZ gives ${before}`);
            else if (missing.length) result.failures.push(`${name}: ^XA${labels[i]}^XZ does not give ${missing.join(' or ')}`);
            else if (several) result.failures.push(`${name}: one fault, several findings: ^XA${labels[i]}^XZ gives ${[...codes]}`);
            else found++;
        });
        result.labels += count;
        result.found += found;
        result.byKind[name] = found;
    }
    return result;
}
