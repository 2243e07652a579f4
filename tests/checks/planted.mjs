// Labels with planted faults, each beside a sound twin: how many faults `platen check` refuses, and how many sound labels it complains about.
// Every case is a label of the project's own. `level`: the severity that the class must have at least.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mod10, seeded } from '../barcodes/render.mjs';

const platen = resolve(process.env.PLATEN_CHECKED ?? join(process.env.PLATEN_BUILD ?? 'build', 'platen'));
export const DIGITS = '0123456789', CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const gtin = (r, digits) => { const item = r.text('123456789', digits - 1); return item + mod10(item); };
export const wrong = (r, number) => number.slice(0, -1) + String((Number(number.at(-1)) + r.between(1, 9)) % 10);

// Symbols with the quiet zone in dots, left, right, above and below.
const SYMBOLS = {
    code128: (r) => ({ linear: true, zone: [30, 30, 0, 0], field: `^BY3^BCN,120,N,N,N,A^FD${r.text(DIGITS + CAPITALS, 8)}^FS` }),
    gs1: (r) => ({ linear: true, zone: [30, 30, 0, 0], field: `^BY3^BCN,120,N,N,N,D^FD(01)${gtin(r, 14)}^FS` }),
    code39: (r) => ({ linear: true, zone: [20, 20, 0, 0], field: `^BY2,3^B3N,N,120,N,N^FD${r.text(DIGITS + CAPITALS, 6)}^FS` }),
    code93: (r) => ({ linear: true, zone: [30, 30, 0, 0], field: `^BY3^BAN,120,N,N,N^FD${r.text(DIGITS + CAPITALS, 8)}^FS` }),
    itf: (r) => ({ linear: true, zone: [30, 30, 0, 0], field: `^BY3,3^B2N,120,N,N,N^FD${gtin(r, 14)}^FS` }),
    ean13: (r) => ({ linear: true, zone: [33, 21, 0, 0], field: `^BY3^BEN,160,N,N^FD${gtin(r, 13)}^FS` }),
    upca: (r) => ({ linear: true, zone: [27, 27, 0, 0], field: `^BY3^BUN,160,N,N,Y^FD${gtin(r, 12)}^FS` }),
    qr: (r) => ({ zone: [20, 20, 20, 20], field: `^BQN,2,5^FDMA,${r.text(DIGITS + CAPITALS, 20)}^FS` }),
    datamatrix: (r) => ({ zone: [6, 6, 6, 6], field: `^BXN,6,200^FD${r.text(DIGITS + CAPITALS, 14)}^FS` }),
    pdf417: (r) => ({ zone: [6, 6, 6, 6], field: `^BY3^B7N,12,2,3^FD${r.text(DIGITS + CAPITALS, 30)}^FS` }),
    aztec: (r) => ({ matrix: true, zone: [0, 0, 0, 0], field: `^BON,6^FD${r.text(DIGITS + CAPITALS, 14)}^FS` }),
};
export const box = (x, y, w, h, colour = 'B') => `^FO${Math.round(x)},${Math.round(y)}^GB${Math.max(1, Math.round(w))},${Math.max(1, Math.round(h))},${Math.max(1, Math.round(Math.min(w, h)))},${colour}^FS`;
export const at = (x, y, field) => `^FO${Math.round(x)},${Math.round(y)}${field}`;

// The bars of a field that stands at 200,200.
function measure(bodies) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-planted-'));
    try {
        const files = bodies.map((body, i) => { const file = join(folder, `${i}.zpl`); writeFileSync(file, `^XA${body}^XZ`); return file; });
        return execFileSync(platen, ['inspect', '--json', ...files], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n')
            .map((line) => JSON.parse(line).labels[0].elements.find((e) => e.type === 'barcode'));
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// Cases that need to know where the bars are: symbol by symbol, by name or as `{ name, field }`.
export function placed(r, names, make) {
    const symbols = names.map((name) => (typeof name === 'string' ? { name, ...SYMBOLS[name](r) } : name)), bars = measure(symbols.map((s) => at(200, 200, s.field)));
    return symbols.flatMap((s, i) => make({ ...s, x: bars[i].x, y: bars[i].y, width: bars[i].width, height: bars[i].height }));
}
const NAMES = Object.keys(SYMBOLS), ZONED = NAMES.filter((name) => name !== 'aztec'), LINEAR = ['code128', 'gs1', 'code39', 'code93', 'itf', 'ean13', 'upca'], MATRIX = ['qr', 'datamatrix', 'aztec'];
const turned = (field) => field.replace(/(\^B[A-Z0-9])N,/, '$1R,');
export const pair = (fault, twin, options = {}) => ({ fault, twin, ...options });

const CLASSES = {
    overprint: { level: 'error', make: (r) => [
        ...placed(r, LINEAR, (s) => [0.3, 0.5].flatMap((part) => [
            pair(at(200, 200, s.field) + box(s.x + s.width * part, s.y - 2, s.width * 0.2, s.height + 4), at(200, 200, s.field) + box(s.x + s.width + 60, s.y, s.width * 0.2, s.height)),
            pair(at(200, 200, s.field) + box(s.x + s.width * part, s.y - 2, 24, s.height + 4, 'W'), at(200, 200, s.field) + box(s.x, s.y - 60, s.width, 24)),
            pair(at(200, 200, s.field) + box(s.x - 2, s.y + s.height * part * 0.4, s.width + 4, s.height * 0.7), at(200, 200, s.field) + box(s.x, s.y + s.height + 80, s.width, 20)),
        ])),
        ...placed(r, MATRIX, (s) => [
            pair(at(200, 200, s.field) + at(s.x + s.width * 0.1, s.y + s.height * 0.25, '^A0N,64,48^FDVOID^FS'), at(200, 200, s.field) + at(s.x, s.y + s.height + 60, '^A0N,64,48^FDVALID^FS')),
            pair(at(200, 200, s.field) + box(s.x + s.width * 0.25, s.y + s.height * 0.25, s.width * 0.5, s.height * 0.5), at(200, 200, s.field) + box(s.x + s.width + 60, s.y, s.width * 0.5, s.height * 0.5)),
            pair(at(200, 200, s.field) + box(s.x + s.width * 0.25, s.y + s.height * 0.25, s.width * 0.5, s.height * 0.5, 'W'), at(200, 200, s.field) + box(s.x, s.y + s.height + 60, s.width, 4)),
            pair(at(200, 200, s.field) + box(s.x, s.y, s.width * 0.4, s.height), at(200, 200, s.field) + box(s.x, s.y - 60, s.width, 6)),
        ]),
        ...placed(r, ['datamatrix'], (s) => [
            pair(at(200, 200, s.field) + box(s.x, s.y - 2, 10, s.height * 0.8, 'W'), at(200, 200, s.field) + box(s.x - 40, s.y, 10, s.height)),
            pair(at(200, 200, s.field) + box(s.x, s.y + s.height - 7, s.width * 0.8, 9, 'W'), at(200, 200, s.field) + box(s.x, s.y + s.height + 20, s.width, 9)),
        ]),
        ...placed(r, ['qr'], (s) => [[0, 0], [s.width - 35, 0], [0, s.height - 35]].map(([dx, dy]) => pair(at(200, 200, s.field) + box(s.x + dx, s.y + dy, 35, 35), at(200, 200, s.field) + box(s.x - 80, s.y, 35, 35)))),
    ] },
    quietZone: { level: 'error', make: (r) => placed(r, ZONED, (s) => [0, 1].flatMap((side) => [0.1, 0.3].map((part) => {
        const gap = Math.floor(s.zone[side] * part), far = s.zone[side] + 10;
        const ink = (distance) => box(side ? s.x + s.width + distance : s.x - distance - 8, s.y, 8, s.height);
        return pair(at(200, 200, s.field) + ink(gap), at(200, 200, s.field) + ink(far));
    }))) },
    quietZoneNarrow: { level: 'warning', make: (r) => placed(r, LINEAR, (s) => [0, 1].map((side) => {
        const ink = (distance) => box(side ? s.x + s.width + distance : s.x - distance - 8, s.y, 8, s.height);
        return pair(at(200, 200, s.field) + ink(Math.ceil(s.zone[side] * 0.7)), at(200, 200, s.field) + ink(s.zone[side] + 2));
    })) },
    quietZoneAtEdge: { level: 'warning', make: (r) => placed(r, ZONED, (s) => [
        pair(at(0, 200, s.field), at(s.zone[0] + 2, 200, s.field)),
        pair(at(812 - s.width - Math.floor(s.zone[1] / 3), 200, s.field), at(812 - s.width - s.zone[1] - 2, 200, s.field)),
        ...(s.linear ? [] : [pair(at(200, 0, s.field).replace('^BQN', '^BQN'), at(200, s.zone[2] + 12, s.field))]),
    ]) },
    cut: { level: 'error', make: (r) => [
        ...placed(r, NAMES, (s) => [0.3, 0.6, 0.9].map((part) => pair(at(812 - s.width * part, 200, s.field), at(700 - s.width, 200, s.field)))),
        ...placed(r, ['qr', 'datamatrix', 'pdf417', 'aztec'], (s) => [0.4, 0.8].map((part) => pair(at(200, 1218 - (s.y - 200) - s.height * part, s.field), at(200, 1100 - s.height, s.field)))),
        ...placed(r, LINEAR, (s) => [pair(at(200, 1218 - s.width * 0.8, turned(s.field)), at(200, 1150 - s.width, turned(s.field)))]),
        // ^PW and ^LL are the label's own edges, in the default size and with --size auto.
        ...['default', 'auto'].flatMap((size) => placed(r, ['code128', 'ean13', 'qr'], (s) => [
            pair(`^PW400^LL600${at(400 - s.width * 0.6, 200, s.field)}`, `^PW600^LL600${at(100, 200, s.field)}`, { options: size === 'auto' ? ['--size', 'auto'] : [] }),
        ])),
    ] },
    lengthExceeded: { level: 'warning', make: (r) => ['default', 'auto'].flatMap((size) => placed(r, ['code128', 'qr', 'datamatrix'], (s) => [
        pair(`^PW600^LL300${at(100, 300 - s.height * 0.5, s.field)}`, `^PW600^LL600${at(100, 200, s.field)}`, { options: size === 'auto' ? ['--size', 'auto'] : [] }),
    ])) },
    sizeGuessed: { level: 'warning', make: (r) => placed(r, ['code128', 'ean13', 'qr', 'pdf417'], (s) => [
        pair(at(760, 200, s.field), `^PW812^LL1218${at(200, 200, s.field)}`, { options: ['--size', 'auto'] }),
    ]) },
    checkDigit: { level: 'error', make: (r) => [
        ...[['^BY3^BEN,160,Y,N', 13], ['^BY3^BUN,160,Y,N,Y', 12], ['^BY3^B8N,160,Y,N', 8], ['^BY3^B2N,160,Y,N,N', 14], ['^BY3^B2N,160,Y,N,N', 14]].map(([command, digits]) => {
            const number = gtin(r, digits);
            return pair(`^FO100,200${command}^FD${wrong(r, number)}^FS`, `^FO100,200${command}^FD${number}^FS`);
        }),
        pair('^FO100,200^BY3^B9N,160,Y,N,Y^FD01234567^FS', '^FO100,200^BY3^B9N,160,Y,N,Y^FD01234565^FS'),
        pair('^FO60,200^BY3^B2N,160,Y,N,Y^FD15901234123454^FS', '^FO60,200^BY3^B2N,160,Y,N,Y^FD1590123412345^FS'),
    ] },
    gs1: { level: 'error', make: (r) => {
        const item = gtin(r, 14), unit = gtin(r, 18), carriers = [(d) => `^FO40,200^BY2^BCN,120,N,N,N,D^FD${d}^FS`, (d) => `^FO200,200^BXN,6,200,,,,_^FD_1${d.replace(/>8/g, '_1').replace(/[()]/g, '')}^FS`];
        const faults = [[`(01)${wrong(r, item)}`, `(01)${item}`], [`(00)${wrong(r, unit)}`, `(00)${unit}`], [`(01)${item}(17)261332`, `(01)${item}(17)261130`], [`(01)${item}(11)250230`, `(01)${item}(11)250228`],
            [`(01)${item}(3103)12345`, `(01)${item}(3103)001234`], [`(01)${item}(10)${'A'.repeat(21)}`, `(01)${item}(10)${'A'.repeat(18)}`], [`(01)${item}(422)9999`, `(01)${item}(422)276`], [`(05)${item}`, `(01)${item}`],
             [`(01)${item}(01)${gtin(r, 14)}`, `(01)${item}`], [`(01)${item}(7003)2613011200`, `(01)${item}(7003)2611011200`]];
        const links = [['/01/{w}', '/01/{g}'], ['/01/{g}/10/AB%', '/01/{g}/10/AB%2F1'], ['/01/{g}/17/261332', '/01/{g}?17=261130'], ['/01/{g}?17=261332', '/01/{g}?17=261130'], ['/01/{g}?3103=12', '/01/{g}?3103=001234']];
        return [
            ...faults.flatMap(([fault, twin]) => carriers.map((carrier) => pair(carrier(fault), carrier(twin)))),
            pair(`^FO60,200^BY2^BCN,120,N,N,N,D^FD(01)${item}(10)AB(17)251231^FS`, `^FO60,200^BY2^BCN,120,N,N,N,D^FD(01)${item}(10)AB>8(17)251231^FS`),
            ...links.map((both) => both.map((path) => `^FO200,200^BQN,2,5^FDMA,https://id.example.com${path.replace('{w}', wrong(r, item)).replace('{g}', item)}^FS`)).map(([fault, twin]) => pair(fault, twin)),
            pair(`^FO200,200^BQN,2,5^FDMA,>801${item}^FS`, `^FO200,200^BQN,2,5^FDMA,01${item}^FS`),
        ];
    } },
    gs1Partner: { level: 'warning', make: (r) => {
        const item = gtin(r, 14), unit = gtin(r, 18);
        return [['(10)LOT77', `(01)${item}(10)LOT77`], [`(02)${item}`, `(00)${unit}(02)${item}(37)24`], [`(01)${item}(02)${item}`, `(00)${unit}(02)${item}(37)24`]].map((both) => both.map((d) => `^FO40,200^BY2^BCN,120,N,N,N,D^FD${d}^FS`)).map(([fault, twin]) => pair(fault, twin));
    } },
    contradiction: { level: 'warning', make: (r) => {
        const a = gtin(r, 14), b = gtin(r, 14), s = gtin(r, 18), t = gtin(r, 18), e = gtin(r, 13), f = gtin(r, 13), bc = (y, d) => `^FO60,${y}^BY3^BCN,120,N,N,N,D^FD${d}^FS`;
        const link = (d) => `^FO200,500^BQN,2,5^FDMA,https://id.example.com/01/${d}^FS`, ean = (d) => `^FO100,200^BY3^BEN,160,Y,N^FD${d}^FS`;
        return [pair(bc(200, `(00)${s}`) + bc(500, `(00)${t}`), bc(200, `(00)${s}`) + bc(500, `(00)${s}`)), pair(bc(200, `(01)${a}`) + bc(500, `(01)${b}`), bc(200, `(01)${a}`) + bc(500, `(01)${a}`)),
            pair(ean(e) + link(`0${f}`), ean(e) + link(`0${e}`)), pair(ean(e) + bc(500, `(01)0${f}`), ean(e) + bc(500, `(01)0${e}`)),
            pair(`^FO60,200^BY3^B2N,160,Y,N,N^FD${a}^FS${bc(500, `(01)${b}`)}`, `^FO60,200^BY3^B2N,160,Y,N,N^FD${a}^FS${bc(500, `(01)${a}`)}`)];
    } },
    data: { level: 'error', make: () => [
        pair('^FO100,200^BY3^BEN,160,Y,N^FD59012341234A^FS', '^FO100,200^BY3^BEN,160,Y,N^FD590123412345^FS'),
        pair('^FO100,200^BY3^BEN,160,Y,N^FD5901234^FS', '^FO100,200^BY3^BEN,160,Y,N^FD5901234123457^FS'),
        pair('^FO100,200^BY3^BEN,160,Y,N^FD590123412345799^FS', '^FO100,200^BY3^BEN,160,Y,N^FD5901234123457^FS'),
        pair('^FO100,200^BY3^BUN,160,Y,N,Y^FD12345^FS', '^FO100,200^BY3^BUN,160,Y,N,Y^FD01234567890^FS'),
        pair('^FO100,200^BY3^B8N,160,Y,N^FD123456789^FS', '^FO100,200^BY3^B8N,160,Y,N^FD9638507^FS'),
        pair('^FO100,200^BY2^B3N,N,120,Y,N^FDAB_12^FS', '^FO100,200^BY2^B3N,N,120,Y,N^FDAB-12^FS'),
        pair('^FO100,200^BY2^B3N,N,120,Y,N^FDabc12^FS', '^FO100,200^BY2^B3N,N,120,Y,N^FDABC12^FS'),
        pair('^FO100,200^BY3^B2N,120,Y,N,N^FD1234AB78^FS', '^FO100,200^BY3^B2N,120,Y,N,N^FD12345678^FS'),
        pair('^FO100,200^BY3^BKN,N,120,Y,N,A,A^FD12X34^FS', '^FO100,200^BY3^BKN,N,120,Y,N,A,A^FD12-34^FS'),
        pair('^FO100,200^BY3^B1N,N,120,Y,N^FD12A34^FS', '^FO100,200^BY3^B1N,N,120,Y,N^FD12-34^FS'),
        pair('^FO100,200^BY3^BMN,A,120,Y,N^FD12A34^FS', '^FO100,200^BY3^BMN,A,120,Y,N^FD12834^FS'),
        pair('^FO100,200^BY3^BCN,120,Y,N,N,U^FD123456^FS', '^FO100,200^BY3^BCN,120,Y,N,N,U^FD0012345678901234567^FS'),
        pair('^FO100,200^BRN,1,4,2^FD123456789^FS', '^FO100,200^BRN,1,4,2^FD0950110153000^FS'),
        pair('^FO100,200^BZN,60,N,N^FD1234567^FS', '^FO100,200^BZN,60,N,N^FD12345^FS', { level: 'warning', twinMay: ['symbology_obsolete'] }),
        pair('^FO100,200^BY3^BCN,120,Y^FD^FS', '^FO100,200^BY3^BCN,120,Y^FD12345678^FS'),
        pair('^FO100,200^BQN,2,5^FD^FS', '^FO100,200^BQN,2,5^FDMA,12345678^FS'),
        pair('^FO100,200^BXN,6,200^FD^FS', '^FO100,200^BXN,6,200^FD12345678^FS'),
        pair('^FO100,100^A0N,30,30^FDText^FS^FO100,200^BY3^BCN,120,Y^FN1^FS', '^FO100,200^BY3^BCN,120,Y^FN1^FS^FN1^FD12345678^FS'),
        pair('^FO100,100^A0N,30,30^FDText^FS^FO100,200^BY3^BEN,160,Y^FN7^FS', '^FO100,200^BY3^BEN,160,Y^FN7^FS^FN7^FD590123412345^FS'),
        pair('^FO100,200^BXN,6,0^FDABC123^FS', '^FO100,200^BXN,6,200^FDABC123^FS', { level: 'warning' }),
        pair('^FO100,200^BXN,6,140^FDABC123^FS', '^FO100,200^BXN,6,200^FDABC123^FS', { level: 'warning' }),
        pair('^FO100,200^BQN,1,6^FDMA,ABC123^FS', '^FO100,200^BQN,2,6^FDMA,ABC123^FS', { level: 'warning' }),
        pair('^FO100,200^BZN,60,N,N,0^FD12345^FS', '^FO100,200^BZN,60,N,N,3^FD01234567094987654321^FS', { level: 'warning' }),
        pair('^FO100,200^A0N,40,40^FDGrüße aus Köln^FS', '^CI28^FO100,200^A0N,40,40^FDGrüße aus Köln^FS', { level: 'warning' }),
    ] },
    module: { level: 'warning', make: (r) => {
        const code = r.text(DIGITS + CAPITALS, 8);
        return [['^BY1^BCN,120,N', '^BY3^BCN,120,N'], ['^BY1^B3N,N,120,N', '^BY2^B3N,N,120,N'], ['^BY1^BAN,120,N', '^BY3^BAN,120,N'], ['^BY1^B2N,120,N,N,N', '^BY3^B2N,120,N,N,N', gtin(r, 14)], ['^BY1^BEN,160,N', '^BY3^BEN,160,N', gtin(r, 13)],
            ['^BY1^BUN,160,N', '^BY3^BUN,160,N', gtin(r, 12)], ['^BQN,2,1', '^BQN,2,4', `MA,${code}`], ['^BXN,1,200', '^BXN,4,200'], ['^BON,1', '^BON,4'], ['^BY1^B7N,8,2,3', '^BY3^B7N,12,2,3'], ['^BY1^BKN,N,120,N', '^BY3^BKN,N,120,N', '12345678'], ['^BY1^BFN,6,8', '^BY3^BFN,8,8']]
            .map(([fault, twin, data = code]) => pair(`^FO100,200${fault}^FD${data}^FS`, `^FO100,200${twin}^FD${data}^FS`));
    } },
    low: { level: 'warning', make: (r) => {
        const code = r.text(DIGITS + CAPITALS, 8);
        const kinds = [['^BY3^BCN,{h},N', code], ['^BY2^B3N,N,{h},N', code], ['^BY3^BAN,{h},N', code], ['^BY3^B2N,{h},N,N,N', gtin(r, 14)], ['^BY3^BEN,{h},N', gtin(r, 13)], ['^BY3^BUN,{h},N', gtin(r, 12)], ['^BY3^B8N,{h},N', gtin(r, 8)], ['^BY3^BKN,N,{h},N', '12345678'], ['^BY3^B1N,N,{h},N', '12345678'], ['^BY3^BMN,A,{h},N', '12345678'], ['^BY3^B9N,{h},N', '0123456']];
        return kinds.flatMap(([command, data]) => [1, 8, 24].map((h) => pair(`^FO60,200${command.replace('{h}', h)}^FD${data}^FS`, `^FO60,200${command.replace('{h}', 160)}^FD${data}^FS`)));
    } },
    text: { level: 'warning', make: () => [
        ['^FO100,200^BY3^BCN,120,N^FD12345678^FS', 100, '12345679', '12345678'], ['^FO100,200^BY3^BEN,160,N^FD590123412345^FS', 120, '5901234123475', '5 901234 123457'],
        ['^FO60,200^BY3^BCN,120,N,N,N,D^FD(00)340123450000000017^FS', 100, '(00) 3 4012345 000000009 1', '(00) 3 4012345 000000001 7'], ['^FO100,200^BXN,6,200^FDSN-48213377^FS', 100, 'SN-48213371', 'SN-48213377'],
        ['^FO100,200^BY2^B3N,N,120,N^FDPART-77812^FS', 100, 'PART-77821', 'PART-77812'],
    ].map(([code, x, bad, good]) => { const y = code.includes('160') ? 390 : 330, text = (t) => `${code}^FO${x},${y}^A0N,30,30^FD${t}^FS`; return pair(text(bad), text(good)); }) },
    carriers: { level: 'error', make: (r) => {
        const ups = (data) => data + String((10 - [...data.slice(2)].reduce((t, d, i) => t + Number(d) * (i % 2 ? 2 : 1), 0) % 10) % 10);
        const post = (digits) => String((10 - [...digits].reduce((t, d, i) => t + Number(d) * (i % 2 ? 9 : 4), 0) % 10) % 10);
        const way = '123456789', track = ups(`1Z${r.text(DIGITS, 15)}`), lead = r.text(DIGITS, 13), ident = r.text(DIGITS, 11), impb = gtin(r, 22).replace(/^../, '92'), sure = impb.slice(0, 21) + mod10(impb.slice(0, 21));
        const bc = (d, mode = 'A') => `^FO60,200^BY3^BCN,160,N,N,N,${mode}^FD${d}^FS`, itf = (d) => `^FO60,200^BY3^B2N,220,N,N,N^FD${d}^FS`, rules = (name) => ({ options: ['--rules', name] });
        const unread = (name) => ({ ...rules(name), level: 'warning' }); // their sources could not be read
        const maxi = (t) => `^FO500,500^BD2^FH^FD001840152382802[)>_1E01_1D961Z${t.slice(10)}_1DUPSN_1D${t.slice(2, 8)}_1D187_1D_1D1/1_1D10_1DN_1D_1DCITY_1DST_1E_04^FS`, full = bc(track) + maxi(track);
        const other = ups(`1Z${r.text(DIGITS, 15)}`), license = 'JJD' + '014600012345678901'.slice(0, 18);
        return [
            pair(bc(wrong(r, track)) + maxi(track), full, rules('ups')), pair(bc(track.toLowerCase()) + maxi(track), full, rules('ups')), pair(bc(track), full, { ...rules('ups'), level: 'warning' }), pair(bc(track) + maxi(other), full, { ...rules('ups'), level: 'warning' }),
            pair(itf(wrong(r, lead + post(lead))), itf(lead + post(lead)), unread('dhl')), pair(itf(wrong(r, ident + post(ident))), itf(ident + post(ident)), unread('dhl')),
            pair(bc(way + String((Number(way) % 7 + 3) % 7)), bc(way + String(Number(way) % 7)), unread('dhl')), pair(bc(license.slice(0, 14)), bc(license), unread('dhl')),
            pair(bc(`42090210${sure}`), bc(`>;>842090210>8${sure}`, 'N'), rules('usps')), pair(bc(`>;>842090210>8${wrong(r, sure)}`, 'N'), bc(`>;>842090210>8${sure}`, 'N'), rules('usps')),
            pair(bc('961234567890123456789'), bc(`9612345${gtin(r, 15)}`), rules('fedex')), pair(bc(wrong(r, gtin(r, 15))), bc(gtin(r, 15)), unread('fedex')),
        ];
    } },
    file: { level: 'error', make: () => [
        pair({ raw: '' }, { raw: '^XA^FO50,50^A0N,40,40^FDText^FS^XZ' }), pair({ raw: 'Dear customer, this is no label.\n' }, { raw: '^XA^FO50,50^A0N,40,40^FDText^FS^XZ\n' }),
        pair({ raw: '^XA^FO50,50^A0N,40,40^FDText^FS' }, { raw: '^XA^FO50,50^A0N,40,40^FDText^FS^XZ' }), pair({ raw: '\n\n' }, { raw: '\n^XA^FO50,50^A0N,40,40^FDText^FS^XZ\n' }), pair({ raw: '^XA^XZ' }, { raw: '^XA^FO50,50^GB50,50,3^FS^XZ' }),
    ] },
    unread: { level: 'error', make: (r) => placed(r, ['code128', 'qr', 'datamatrix'], (s) => [
        pair(`^PMY${at(200, 200, s.field)}${box(s.x + s.width * 0.2, s.y - 2, s.width * 0.6, s.height + 4)}`, `^PMY${at(200, 200, s.field)}`),
    ]).concat(placed(r, ['datamatrix'], (s) => [pair(`^FO200,200^BXN,6,0^FDABCDEF^FS${box(200, 200, 60, 90)}`, at(200, 200, s.field))])) },
};

// What must give no error: once it did, or a reader reads it.
export const SOUND = {
    'bearer bars that overlap an ITF-14 by one dot': '^FO100,200^BY3,3^B2N,160,N,N,N^FD15901234123454^FS^FO60,188^GB560,13,13^FS^FO60,359^GB560,13,13^FS',
    'a trailing FNC1': '^FO60,200^BY3^BCN,120,N,N,N,N^FD>;>80195012345678903>8^FS',
    'a valid Leitcode': '^FO60,200^BY3^B2N,220,N,N,N^FD21348075016401^FS',
    'a QR Code under a thin line': '^FO300,300^BQN,2,6^FDMA,HTTPS://EXAMPLE.COM/12345^FS^FO343,305^GB6,160,8^FS',
    'an EAN with its add-on at 7 modules': '^FO100,200^BY3^BEN,160,N,N^FD977123456789^FS^FO406,200^BY3^BSN,160,N^FD05^FS',
};

const SEVERITY = { none: 0, info: 1, warning: 2, error: 3 };
// The findings of all labels, by options.
export function check(labels) {
    const folder = mkdtempSync(join(tmpdir(), 'platen-planted-')), groups = Map.groupBy ? Map.groupBy(labels, (l) => JSON.stringify(l.options ?? [])) : labels.reduce((m, l) => { const k = JSON.stringify(l.options ?? []); return m.set(k, [...(m.get(k) ?? []), l]); }, new Map());
    try {
        for (const [key, list] of groups) {
            const place = join(folder, String(Math.random()).slice(2));
            mkdirSync(place);
            list.forEach((l, i) => writeFileSync(join(place, `${String(i).padStart(4, '0')}.zpl`), l.body.raw ?? `^XA${l.body}^XZ`));
            const { stdout, stderr } = spawnSync(platen, ['check', place, '--config-file', '/dev/null', '--format', 'json', ...JSON.parse(key)], { encoding: 'utf8', maxBuffer: 1 << 28 });
            if (!stdout) throw new Error(stderr);
            JSON.parse(stdout).files.forEach((file, i) => {
                list[i].findings = file.warnings;
                list[i].worst = Object.keys(SEVERITY)[Math.max(0, ...file.warnings.map((w) => SEVERITY[w.severity]))];
            });
        }
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

// By class: how many faults gave an error, a warning, nothing; how many twins gave an error or a warning; and a line for each that is wrong.
export function plant(seed = 1, classes = CLASSES) {
    const result = {};
    for (const [name, { level, make }] of Object.entries(classes)) {
        const cases = make(seeded(seed * 7919 + name.length)).map((c) => ({ ...c, level: c.level ?? level }));
        const faults = cases.map((c) => ({ body: c.fault, options: c.options, level: c.level })), twins = cases.map((c) => ({ body: c.twin, options: c.options, may: c.twinMay ?? [] }));
        check([...faults, ...twins]);
        const shown = (l) => `${l.body.raw ?? `^XA${l.body}^XZ`} ${(l.options ?? []).join(' ')} gives ${l.findings.map((f) => `${f.severity} ${f.code}`).join(', ') || 'nothing'}`;
        const missed = faults.filter((f) => SEVERITY[f.worst] < SEVERITY[f.level]), alarms = twins.filter((t) => t.findings.some((f) => f.severity !== 'info' && !t.may.includes(f.code)));
        const count = (worst) => faults.filter((f) => f.worst === worst).length;
        result[name] = { level, faults: faults.length, error: count('error'), warning: count('warning'), silent: count('none') + count('info'), missed: missed.map(shown), alarms: alarms.map(shown) };
    }
    return result;
}

export function sound() {
    const labels = Object.entries(SOUND).map(([name, body]) => ({ name, body }));
    check(labels);
    return labels.filter((l) => l.worst === 'error').map((l) => `${l.name}: ${l.findings.map((f) => `${f.severity} ${f.code}: ${f.message}`).join(', ')}`);
}

// Prints what `plant` counted; `all`: also each label that is wrong.
export function show(result, all) {
    let missed = 0, faults = 0;
    for (const [name, c] of Object.entries(result)) {
        console.log(`${name.padEnd(16)} ${c.level.padEnd(8)} of ${String(c.faults).padStart(3)}: error ${c.error}, warning ${c.warning}, silent ${c.silent}; missed ${c.missed.length}; false alarms ${c.alarms.length}`);
        if (all) [...c.missed, ...c.alarms.map((l) => `sound: ${l}`)].forEach((line) => console.log(`    ${line}`));
        missed += c.missed.length;
        faults += c.faults;
    }
    console.log(`${missed} of ${faults} missed`);
}

if (process.argv[1] === import.meta.filename) {
    show(plant(Number(process.argv[2] ?? 1)), process.argv[3]);
    sound().forEach((line) => console.log(`sound label refused: ${line}`));
}
