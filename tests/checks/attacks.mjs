// Attacks on the checks from both sides: faults of other kinds than those of planted.mjs, which must not pass, and sound labels of every symbology, which must not be
// refused. `node tests/checks/attacks.mjs [SEED [x]]` prints the counts; `x` lists what is wrong.
import { CAPITALS, DIGITS, at, box, check, gtin, pair, plant, placed, show, wrong } from './planted.mjs';
import { mod10, seeded } from '../barcodes/render.mjs';

// A field of every symbology that has a reader, with a size that every scanner likes. `n`: orientation.
export const FIELDS = {
    code128: (r, n) => `^BY3^BC${n},120,N,N,N,A^FD${r.text(DIGITS + CAPITALS, 8)}^FS`,
    gs1_128: (r, n) => `^BY3^BC${n},120,N,N,N,D^FD(01)${gtin(r, 14)}^FS`,
    code39: (r, n) => `^BY2,3^B3${n},N,120,N,N^FD${r.text(DIGITS + CAPITALS, 6)}^FS`,
    code93: (r, n) => `^BY3^BA${n},120,N,N,N^FD${r.text(DIGITS + CAPITALS, 8)}^FS`,
    codabar: (r, n) => `^BY2,3^BK${n},N,120,N,N,A,B^FD${r.text(DIGITS, 8)}^FS`,
    code11: (r, n) => `^BY3^B1${n},N,120,N,N^FD${r.text(DIGITS, 8)}^FS`,
    itf: (r, n) => `^BY3,3^B2${n},120,N,N,N^FD${gtin(r, 14)}^FS`,
    industrial: (r, n) => `^BY2,3^BI${n},120,N,N^FD${r.text(DIGITS, 8)}^FS`,
    standard: (r, n) => `^BY2,3^BJ${n},120,N,N^FD${r.text(DIGITS, 8)}^FS`,
    msi: (r, n) => `^BY2,3^BM${n},B,120,N,N,N^FD${r.text(DIGITS, 8)}^FS`,
    plessey: (r, n) => `^BY2,3^BP${n},N,120,N,N^FD${r.text(DIGITS, 8)}^FS`,
    logmars: (r, n) => `^BY2,3^BL${n},120,N^FD${r.text(DIGITS + CAPITALS, 5)}^FS`,
    ean13: (r, n) => `^BY3^BE${n},160,N,N^FD${gtin(r, 13)}^FS`,
    ean8: (r, n) => `^BY3^B8${n},140,N,N^FD${gtin(r, 8)}^FS`,
    upca: (r, n) => `^BY3^BU${n},160,N,N,Y^FD${gtin(r, 12)}^FS`,
    upce: (r, n) => `^BY3^B9${n},160,N,N,Y^FD012345${r.pick('56789')}^FS`,
    qr: (r) => `^BQN,2,5^FDMA,${r.text(DIGITS + CAPITALS, 20)}^FS`,
    datamatrix: (r, n) => `^BX${n},6,200^FD${r.text(DIGITS + CAPITALS, 14)}^FS`,
    gs1_datamatrix: (r, n) => `^BX${n},6,200,,,,_^FD_101${gtin(r, 14)}^FS`,
    aztec: (r, n) => `^BO${n},6^FD${r.text(DIGITS + CAPITALS, 14)}^FS`,
    pdf417: (r, n) => `^BY3^B7${n},12,2,3^FD${r.text(DIGITS + CAPITALS, 30)}^FS`,
    micropdf417: (r, n) => `^BY3^BF${n},8,8^FD${r.text(DIGITS + CAPITALS, 12)}^FS`,
    maxicode: (r) => `^BD4^FD${r.text(DIGITS + CAPITALS, 20)}^FS`,
    databar: (r, n) => `^BR${n},1,4,2,120,2^FD${gtin(r, 14).replace(/^./, '0').slice(0, 13)}^FS`,
    databarLimited: (r, n) => `^BR${n},5,4,2,60,2^FD0${r.text('123456789', 12)}^FS`,
    databarExpanded: (r, n) => `^BR${n},6,3,2,120,22^FD(01)9${((d) => d + mod10(`9${d}`))(r.text('123456789', 12))}(10)ABC^FS`,
    codablock: (r, n) => `^BY2^BB${n},20,Y,10,,F^FD${r.text(DIGITS + CAPITALS, 16)}^FS`,
    code49: (r, n) => `^BY3^B4${n},20,N,A^FD${r.text(DIGITS + CAPITALS, 10)}^FS`,
    tlc39: (r, n) => `^BT${n},2,3,60,4,2^FD${r.text(DIGITS, 6)},${r.text(CAPITALS, 8)}^FS`,
    intelligentMail: (r, n) => `^BZ${n},60,N,N,3^FD01234567094987654321^FS`,
};
const MATRIX = ['datamatrix', 'aztec'];
const MAY = { code49: ['bars_too_low'] };

// Every symbology at 200,200, with the place of its bars.
const each = (r, make, names = Object.keys(FIELDS)) => placed(r, names.map((name) => ({ name, field: FIELDS[name](r, 'N') })), make);
const put = (s, more, before = '') => `${before}${at(200, 200, s.field)}${more}`;
const far = (s) => box(s.x, s.y + s.height + 90, s.width, 10);

const CLASSES = {
    // Everything that can be printed over a symbol but a box of ^GB.
    otherInk: { level: 'error', make: (r) => each(r, (s) => [
        pair(put(s, `^FO${s.x},${s.y}^GC${Math.max(s.height, 60)},${Math.max(s.height, 60)}^FS^FO${s.x + s.width / 2 | 0},${s.y}^GE${s.width / 2 | 0},${s.height},${Math.min(s.height, s.width) / 2 | 0}^FS`), put(s, far(s))),
        pair(put(s, `^FO${s.x + s.width * 0.3 | 0},${s.y - 2}^GFA,${(s.height + 4) * 20},${(s.height + 4) * 20},20,${'FF'.repeat((s.height + 4) * 20)}^FS`), put(s, far(s))),
    ]) },
    // White over every symbology, and most of the height gone.
    wiped: { level: 'error', make: (r) => each(r, (s) => [
        pair(put(s, box(s.x + s.width * 0.35, s.y - 2, s.width * 0.35, s.height + 4, 'W')), put(s, box(s.x, s.y + s.height + 40, s.width, 20, 'W'))),
        pair(put(s, box(s.x - 2, s.y + s.height * 0.15, s.width + 4, s.height * 0.7, 'W')), put(s, far(s))),
    ]) },
    // Ink close to the bars of symbologies that planted.mjs does not have.
    zones: { level: 'error', make: (r) => each(r, (s) => [0, 1].map((side) => {
        const ink = (distance) => box(side ? s.x + s.width + distance : s.x - distance - 8, s.y, 8, s.height);
        return pair(put(s, ink(3)), put(s, ink(60)));
    }), ['codabar', 'code11', 'industrial', 'standard', 'msi', 'plessey', 'logmars', 'ean8', 'upce']) },
    // A second symbol, or its caption, on top of the first.
    onEachOther: { level: 'error', make: (r) => each(r, (s) => [pair(put(s, at(s.x + 20, s.y + Math.min(10, s.height / 4), FIELDS.code128(r, 'N'))), put(s, at(200, s.y + s.height + 120, FIELDS.code128(r, 'N'))))], ['code128', 'gs1_128', 'code39', 'code93', 'codabar', 'code11', 'itf', 'industrial', 'standard', 'msi', 'plessey', 'logmars', 'ean13', 'ean8', 'upca', 'upce', 'qr', 'datamatrix', 'aztec', 'pdf417', 'maxicode']) },
    // Turned symbols: ink over them, in their quiet zone, cut by the edge.
    turned: { level: 'error', make: (r) => ['R', 'I', 'B'].flatMap((n) => placed(r, ['code128', 'gs1_128', 'code39', 'itf', 'ean13', 'upca', 'datamatrix', 'aztec', 'pdf417'].map((name) => ({ name, field: FIELDS[name](r, n) })), (s) => [
        pair(put(s, box(s.x - 2, s.y + s.height * 0.3, s.width + 4, s.height * 0.4) + box(s.x + s.width * 0.3, s.y - 2, s.width * 0.4, s.height + 4)), put(s, far(s))),
        ...[n === 'I' || MATRIX.includes(s.name)].map((across) => pair(at(across ? 812 - s.width * 0.4 : 200, across ? 300 : 1218 - s.height * 0.4, s.field), at(720 - s.width, 1100 - s.height, s.field))),
    ])) },
    // Home, top and shift of the label move it over the edge.
    moved: { level: 'error', make: (r) => each(r, (s) => [
        pair(`^LH${812 - 200 - (s.width * 0.5 | 0)},0${at(200, 200, s.field)}`, `^LH10,10${at(200, 200, s.field)}`),
        pair(at(900, 200, s.field), at(200, 200, s.field)),
    ], ['code128', 'ean13', 'itf', 'code39', 'qr', 'datamatrix', 'pdf417', 'aztec', 'maxicode', 'databar']) },
    // Printed in reverse: bars that are white on black, or half of them turned over.
    reversed: { level: 'error', make: (r) => each(r, (s) => [
        pair(`${box(s.x - 60, s.y - 60, s.width + 120, s.height + 120)}^FO200,200^FR${s.field}`, put(s, '')),
        pair(put(s, `^FO${s.x + (s.width * 0.3 | 0)},${s.y - 4}^FR^GB${s.width * 0.4 | 0},${s.height + 8},${Math.min(s.width * 0.4, s.height + 8) | 0}^FS`), put(s, far(s))),
    ], ['code128', 'gs1_128', 'code39', 'code93', 'codabar', 'itf', 'ean13', 'ean8', 'upca', 'pdf417']) },
    // Data that the symbology does not have, or that another command changes.
    lost: { level: 'error', make: () => [
        ['^BY3^BEN,160,N,N^FD590123412 45^FS', '^BY3^BEN,160,N,N^FD590123412345^FS'], ['^BY3^BUN,160,N,N,Y^FD01234-67890^FS', '^BY3^BUN,160,N,N,Y^FD01234567890^FS'],
        ['^BY2^BIN,120,N,N^FD12AB56^FS', '^BY2^BIN,120,N,N^FD123456^FS'], ['^BY2^BJN,120,N,N^FD12AB56^FS', '^BY2^BJN,120,N,N^FD123456^FS'], ['^BY2^BPN,N,120,N,N^FD12XY56^FS', '^BY2^BPN,N,120,N,N^FD12AB56^FS'],
        ['^BY2^BLN,120,N^FDab#12^FS', '^BY2^BLN,120,N^FDAB-12^FS'], ['^BZN,60,N,N,3^FD0123456709498765432^FS', '^BZN,60,N,N,3^FD01234567094987654321^FS'], ['^BZN,60,N,N,3^FD01234567A94987654321^FS', '^BZN,60,N,N,3^FD01234567094987654321^FS'],
        ['^BTN,2,3,60,4,2^FDABC^FS', '^BTN,2,3,60,4,2^FD123456,ABCD1234^FS'], ['^BRN,5,4,2,60^FD9950110153000^FS', '^BRN,5,4,2,60^FD0950110153000^FS'], ['^BY3^B9N,160,N,N,Y^FD9123456^FS', '^BY3^B9N,160,N,N,Y^FD0123456^FS'],
        ['^CI28^BY2^B3N,N,120,N^FDMÜNCHEN^FS', '^CI28^BY2^B3N,N,120,N^FDMUNICH^FS'], ['^CI28^BY3^BAN,120,N^FDé12^FS', '^CI28^BY3^BAN,120,N^FDE12^FS'],
        ['^BY3^BCN,120,N^FN3^FS', '^BY3^BCN,120,N^FN3^FS^FN3^FD123456^FS'], ['^BQN,2,5^FDMA^FS', '^BQN,2,5^FDMA,1^FS'],
    ].map(([fault, twin]) => pair(`^FO100,100^A0N,30,30^FDText^FS^FO100,200${fault}`, `^FO100,100^A0N,30,30^FDText^FS^FO100,200${twin}`)) },
    // GS1 data in carriers that planted.mjs has not: DataBar, Data Matrix links, GS1-128 in mode N.
    gs1: { level: 'error', make: (r) => {
        const item = gtin(r, 14), unit = gtin(r, 18), n = (d) => `^FO40,200^BY2^BCN,120,N,N,N,N^FD>;>8${d}^FS`, x = (d) => `^FO200,200^BXN,6,200^FD${d}^FS`, d = (data) => `^FO100,200^BRN,6,2,1,80,22^FD${data}^FS`, a = (data) => `^FO200,200^BON,5^FD${data}^FS`;
        return [[n(`01${wrong(r, item)}`), n(`01${item}`)], [n(`00${wrong(r, unit)}`), n(`00${unit}`)], [n(`01${item}17261301`), n(`01${item}17261201`)], [n('99'), n('991234')], [n(`01${item}3102`), n(`01${item}3102001500`)], [n(`8008261301`), n(`01${item}80082611011230`)],
            [x(`https://id.example.com/01/${wrong(r, item)}`), x(`https://id.example.com/01/${item}`)], [x(`https://id.example.com/00/${wrong(r, unit)}`), x(`https://id.example.com/00/${unit}`)], [a(`https://id.example.com/01/${item}/21/A%Z1`), a(`https://id.example.com/01/${item}/21/A%2F1`)],
            [a(`https://id.example.com/8003/0${wrong(r, gtin(r, 13))}`), a(`https://id.example.com/8003/0${gtin(r, 13)}`)], [d(`(01)${wrong(r, `9${gtin(r, 13)}`.slice(0, 13) + '0')}(10)A`), d(`(01)${((b) => b + mod10(b))(`9${r.text(DIGITS, 12)}`)}(10)A`)],
            [d(`(01)${((b) => b + mod10(b))(`9${r.text(DIGITS, 12)}`)}(17)269931`), d(`(01)${((b) => b + mod10(b))(`9${r.text(DIGITS, 12)}`)}(17)261231`)],
            [x(`https://id.example.com/414/${wrong(r, gtin(r, 13))}`), x(`https://id.example.com/414/${gtin(r, 13)}`)], [n(`414${wrong(r, gtin(r, 13))}`), n(`414${gtin(r, 13)}`)], [n(`253${wrong(r, gtin(r, 13))}12`), n(`253${gtin(r, 13)}12`)], [n(`8018${wrong(r, unit)}`), n(`8018${unit}`)],
            [n(`01${item}426999`), n(`01${item}426276`)], [n(`01${item}80050000`), n(`01${item}8005001500`)]]
            .map(([fault, twin]) => pair(fault, twin));
    } },
    // A tag that has another number than the barcode, or none.
    tags: { level: 'warning', make: (r) => {
        const hex = (gtin14, serial) => ((0x30n << 88n) | (1n << 85n) | (5n << 82n) | (BigInt(gtin14.slice(1, 8)) << 58n) | (BigInt(gtin14[0] + gtin14.slice(8, 13)) << 38n) | BigInt(serial)).toString(16).padStart(24, '0');
        return Array.from({ length: 12 }, (_, i) => { const item = gtin(r, 14), other = gtin(r, 14), code = (d) => (i % 2 ? `^FO200,300^BXN,6,200,,,,_^FD_101${d}21${i}^FS` : `^FO40,200^BY2^BCN,120,N,N,N,D^FD(01)${d}(21)${i}^FS`); return pair(`^RFW,H^FD${hex(i % 3 ? other : item, i % 3 ? i : i + 1)}^FS${code(item)}`, `^RFW,H^FD${hex(item, i)}^FS${code(item)}`); });
    } },
    // Stored formats, serial numbers, copies: the fault is in a label that is not written out.
    formats: { level: 'error', make: (r) => [
        pair({ raw: '^XA^DFR:A.ZPL^FO100,200^BY3^BEN,160,N^FN1^FS^FO100,100^A0N,30,30^FDText^FS^XZ^XA^XFR:A.ZPL^FN2^FD590123412345^FS^XZ' }, { raw: '^XA^DFR:A.ZPL^FO100,200^BY3^BEN,160,N^FN1^FS^XZ^XA^XFR:A.ZPL^FN1^FD590123412345^FS^XZ' }),
        pair({ raw: '^XA^DFR:A.ZPL^FO100,200^BY3^BEN,160,N^FN1^FS^XZ^XA^XFR:A.ZPL^FN1^FD5901234123450^FS^XZ' }, { raw: '^XA^DFR:A.ZPL^FO100,200^BY3^BEN,160,N^FN1^FS^XZ^XA^XFR:A.ZPL^FN1^FD5901234123457^FS^XZ' }),
        pair({ raw: '^XA^DFR:A.ZPL^FO100,200^BY3^BCN,120,N^FN1^FS^FO150,190^GB200,140,140^FS^XZ^XA^XFR:A.ZPL^FN1^FD12345678^FS^XZ' }, { raw: '^XA^DFR:A.ZPL^FO100,200^BY3^BCN,120,N^FN1^FS^XZ^XA^XFR:A.ZPL^FN1^FD12345678^FS^XZ' }),
        pair('^FO100,200^BY3^BEN,160,N^SN5901234123457,1,N^FS^PQ3', '^FO100,200^BY3^BEN,160,N^SN590123412345,1,N^FS^PQ3'),
        pair('^FO600,200^BY3^BCN,120,N^SN98,1,N^FS^FO780,190^GB10,140,10^FS^PQ4', '^FO300,200^BY3^BCN,120,N^SN98,1,N^FS^PQ4'),
        pair('^FO100,200^BY3^BCN,120,N^FD12345678^FO100,500^BY3^BCN,120,N^FD^FS', '^FO100,200^BY3^BCN,120,N^FD12345678^FS^FO100,500^BY3^BCN,120,N^FD87654321^FS'),
    ] },
    // Numbers of carriers under their own rules.
    carriers: { level: 'error', make: (r) => {
        const bc = (d, mode = 'A') => `^FO60,200^BY3^BCN,160,N,N,N,${mode}^FD${d}^FS`, rules = (name, level = 'error') => ({ options: ['--rules', name], level }), s10 = (d) => { const sum = [8, 6, 4, 2, 3, 5, 9, 7].reduce((t, w, i) => t + w * Number(d[i]), 0), c = 11 - sum % 11; return c === 10 ? 0 : c === 11 ? 5 : c; };
        const post = r.text(DIGITS, 8), fed = r.text('123456789', 11), check11 = String([...fed].reverse().reduce((t, d, i) => t + Number(d) * [1, 3, 7][i % 3], 0) % 11 % 10), long = `1001901234560000${'0000'}`, imb = '^FO60,200^BZN,60,N,N,3^FD';
        return [
            pair(bc(`RA${post}${(s10(post) + 3) % 10}DE`), bc(`RA${post}${s10(post)}DE`), rules('dhl')), pair(bc(`RA${post}${(s10(post) + 4) % 10}US`), bc(`RA${post}${s10(post)}US`), rules('usps')),
            pair(bc(wrong(r, fed + check11)), bc(fed + check11), rules('fedex')), pair(bc(long + '00' + wrong(r, fed + check11)), bc(long + '00' + fed + check11), rules('fedex')), pair(bc(r.text('123456789', 16)), bc(fed + check11), rules('fedex', 'warning')),
            pair(`${imb}09234567094987654321^FS`, `${imb}01234567094987654321^FS`, rules('usps')), pair(`${imb}012345670949876543211234^FS`, `${imb}01234567094987654321^FS`, rules('usps')),
        ];
    } },
};

export const attack = (seed = 1) => plant(seed, CLASSES);

// At least 300 sound labels: every symbology in its orientations, beside text and frames, at 8 and 12 dots a millimetre; answers those with a warning or an error.
export function refusedSound(seed = 1) {
    const r = seeded(seed * 31 + 7), labels = [], upright = new Set(['qr', 'maxicode']);
    for (const [name, field] of Object.entries(FIELDS))
        for (const n of upright.has(name) ? ['N'] : ['N', 'R', 'I', 'B'])
            for (const around of ['', '^FO20,20^GB772,1178,4^FS', '^FO60,60^A0N,40,40^FDSHIP TO: ANY NAME, ANY TOWN^FS'])
                labels.push({ name: `${name} ${n}`, body: `${around}${at(160, 200, field(r, n))}`, may: MAY[name] ?? [] });
    check(labels);
    return { labels: labels.length, refused: labels.map((l) => ({ ...l, findings: l.findings.filter((f) => f.severity !== 'info' && !l.may.includes(f.code)) })).filter((l) => l.findings.length) };
}

if (process.argv[1] === import.meta.filename) {
    show(attack(Number(process.argv[2] ?? 1)), process.argv[3]);
    const { labels, refused } = refusedSound(Number(process.argv[2] ?? 1));
    console.log(`${refused.length} of ${labels} sound labels refused`);
    if (process.argv[3]) refused.forEach((l) => console.log(`    ${l.name}: ^XA${l.body}^XZ gives ${l.findings.map((f) => `${f.severity} ${f.code}: ${f.message}`).join(', ')}`));
}
