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
    // Text that something makes unreadable; the twins are bold, reversed, struck out, framed or filled in.
    texts: { level: 'warning', make: () => ['^A0N,30,30', '^A0N,60,50', '^ADN,36,20', '^AAN,18,10', '^A0R,40,40'].flatMap((font) => {
        const text = (data, x = 100, y = 100, how = '') => `^FO${x},${y}${font}${how}^FD${data}^FS`, one = text('LOT 482133'), ground = '^FO90,90^GB600,600,300^FS';
        return [
            pair(one + text('EXP 261231'), one + text('EXP 261231', 400, 400)), pair(one + text('EXP 261231', 108, 104), one + text('LOT 482133', 101, 100)), pair(text('LOT 482133', 100, 100, '^FR').repeat(2), one + text('LOT 482133', 102, 100) + text('LOT 482133', 101, 101)),
            pair(one + ground, ground + text('LOT 482133', 100, 100, '^FR')), pair(one + '^FO90,90^GB600,600,300,W^FS', '^FO90,90^GB40,40,40^FS' + text('LOT 482133', 100, 100, '^FR')), pair(`^LRY${one}${one}`, `^LRY${ground}${one}`),
            pair(one + '^FO90,90^GFA,9000,9000,30,' + 'FF'.repeat(9000) + '^FS', one + '^FO80,80^GB620,620,3^FS'), pair(ground + one, one + `^FO90,112^GB3,3,3^FS`),
        ];
    }).concat([
        ['^FO100,200^BY3^BCN,100,Y^FD12345678^FS^FO150,305^A0N,30,30^FDSOME TEXT^FS', '^FO100,200^BY3^BCN,100,Y^FD12345678^FS^FO150,350^A0N,30,30^FDSOME TEXT^FS'],
        ['^FO100,200^BY3^BCN,100,Y^FD12345678^FS^FO150,303^GB200,40,40^FS', '^FO100,200^BY3^BCN,100,Y^FD12345678^FS^FO150,350^GB200,40,40^FS'], ['^FO100,200^BY3^BEN,160,Y^FD590123412345^FS^FO150,364^GB100,40,40,W^FS', '^FO100,200^BY3^BEN,160,Y^FD590123412345^FS^FO150,420^GB100,40,40,W^FS'],
        ['^FO50,100^A0N,40,40^FDA VERY LONG NAME OF A COMPANY GMBH^FS^FO400,100^A0N,40,40^FD12345678^FS', '^FO50,100^A0N,40,40^FDA NAME^FS^FO400,100^A0N,40,40^FD12345678^FS'],
        ['^FO50,100^FB700,3,0,L^A0N,30,30^FDFirst block of text with two long lines of words that are broken in the middle of it^FS^FO50,115^FB700,3,0,L^A0N,30,30^FDSecond block of text that has two long lines of words, too, in the same place^FS', '^FO50,100^FB700,3,0,L^A0N,30,30^FDFirst block of text with two long lines of words that are broken in the middle of it^FS^FO50,175^FB700,3,0,L^A0N,30,30^FDSecond block^FS'],
        ['^FO60,100^A0N,40,40^FDName: JOHN SMITH^FS^FO180,100^A0N,40,40^FDMARY MILLER^FS', '^FO60,100^A0N,40,40^FDName: ______________^FS^FO180,100^A0N,40,40^FDMARY MILLER^FS'], ['^FO60,100^A0N,40,40^FDEXPRESS^FS^FO60,100^A0N,40,40^FDECONOMY^FS', '^FO60,100^A0N,40,40^FD[ ] EXPRESS^FS^FO66,100^A0N,40,40^FDX^FS'],
        ['^FO60,100^A0N,60,60^FD12,99 EUR^FS^FO60,104^GB300,40,40^FS', '^FO60,100^A0N,60,60^FD12,99 EUR^FS^FO55,100^GD300,50,5,B,R^FS'], ['^FO60,100^A0N,60,60^FDgjpqy^FS^FO60,120^A0N,60,60^FDABCDEF^FS', '^FO60,100^A0N,60,60^FDgjpqy^FS^FO60,146^A0N,60,60^FDABCDEF^FS'],
        [{ raw: '\nN\nq812\nQ1218,24\nA100,100,0,4,1,1,N,"LOT 482133"\nA100,100,0,4,1,1,N,"EXP 261231"\nP1\n' }, { raw: '\nN\nq812\nQ1218,24\nA100,100,0,4,1,1,N,"LOT 482133"\nA100,150,0,4,1,1,N,"EXP 261231"\nP1\n' }],
        [{ raw: 'SIZE 101.6 mm,152.4 mm\nGAP 3 mm,0\nCLS\nTEXT 100,100,"4",0,1,1,"LOT 482133"\nTEXT 100,100,"4",0,1,1,"EXP 261231"\nPRINT 1\n' }, { raw: 'SIZE 101.6 mm,152.4 mm\nGAP 3 mm,0\nCLS\nTEXT 100,100,"4",0,1,1,"LOT 482133"\nTEXT 100,150,"4",0,1,1,"EXP 261231"\nPRINT 1\n' }],
    ].map(([fault, twin]) => pair(fault, twin))) },
    // Symbols and texts of things side by side that were exchanged or copied; a digit lost or put into a text.
    exchanged: { level: 'warning', make: (r) => {
        const items = Array.from({ length: 3 }, () => ((d) => d + mod10(d))(`4${r.text('123456789', 11)}`)), ean = (i, x, y) => `^FO${x},${y}^BY2^BEN,100,Y,N^FD${items[i]}^FS`;
        const marked = [(i, x, y) => `^FO${x},${y}^BQN,2,4^FDMA,https://id.gs1.org/01/0${items[i]}^FS`, (i, x, y) => `^FO${x},${y}^BXN,6,200,,,,_^FD_1010${items[i]}^FS`];
        const columns = (symbol, order) => order.map((k, i) => ean(i, 50 + 260 * i, 60) + symbol(k, 50 + 260 * i, 300)).join(''), rows = (symbol, order) => order.map((k, i) => ean(i, 50, 60 + 250 * i) + symbol(k, 400, 60 + 250 * i)).join('');
        const orders = [[[1, 0], [0, 1]], [[1, 2, 0], [0, 1, 2]], [[1, 0, 2], [0, 1, 2]], [[2, 1, 0], [0, 1, 2]]], codes = [r.text(DIGITS, 8), r.text(CAPITALS, 2) + r.text(DIGITS, 7)];
        const bars = (i, y) => `^FO100,${y}^BY2^BCN,100,N,N,N,A^FD${codes[i]}^FS`, square = (i, y) => `^FO100,${y}^BXN,6,200^FD${codes[i]}^FS`, text = (data, x, y) => `^FO${x},${y}^A0N,30,30^FD${data}^FS`;
        const both = (symbol, x, dy) => (a, b) => symbol(0, 100) + text(codes[a], x, 100 + dy) + symbol(1, 400) + text(`No. ${codes[b]}`, x, 400 + dy), beside = (shown) => bars(1, 100) + text(shown, 100, 205), [c] = codes, far = (number) => number.slice(0, 4) + number.slice(5);
        return [
            ...marked.flatMap((symbol) => orders.flatMap(([bad, good]) => [columns, rows].map((lay) => pair(lay(symbol, bad), lay(symbol, good))))),
            ...[both(bars, 100, 105), both(square, 220, 20)].flatMap((lay) => [[1, 0], [1, 1], [0, 0]].map(([a, b]) => pair(lay(a, b), lay(0, 1)))),
            pair(beside(far(codes[1])), beside(codes[1])), pair(beside(`${codes[1].slice(0, 5)}${(Number(codes[1][5]) + 5) % 10}${codes[1].slice(5)}`), beside(codes[1].slice(2))),
            ...['EAN-13: ', 'EAN13 ', 'GTIN-13 ', 'Code128: ', 'No.', 'Art=', 'ITF-14# '].map((word) => pair(bars(0, 100) + text(word + wrong(r, c), 100, 205), bars(0, 100) + text(word + c, 100, 205))), pair(bars(0, 100) + text(`${wrong(r, c)} KG`, 100, 205), bars(0, 100) + text(`${c} KG`, 100, 205)),
        ];
    } },
    // Figures of symbologies: wide bars, rows, characters, height of postal bars, kinds of DataBar at the point of sale.
    figures: { level: 'warning', make: (r) => {
        const item = gtin(r, 14), itf = (ratio) => `^FO60,200^BY3,${ratio}^B2N,160,Y,N,N^FD${item}^FS`, long = (serial) => `^FO40,200^BY2^BCN,120,N,N,N,D^FD(01)${item}(10)${r.text(DIGITS, 20)}${serial}^FS`;
        const databar = (kind) => `^FO100,200^BRN,${kind},3,2,60,2^FD0${r.text('123456789', 12)}^FS`, retail = { options: ['--rules', 'gs1-retail'] };
        return [
            pair(itf(2), itf(2.5)), pair(itf(2.3), itf(3)), ...[1, 2, 5].map((rows) => pair(`^FO60,200^BY3^B7N,${rows},2,3^FDABCDEFGH12345678^FS`, '^FO60,200^BY3^B7N,9,2,3^FDABCDEFGH12345678^FS')), pair('^FO60,200^BY3^BFN,3,8^FDABC123^FS', '^FO60,200^BY3^BFN,6,8^FDABC123^FS'),
            pair(long('>8(21)1234567890'), long('')), pair('^FO100,100^BZN,8,N,N,3^FD01234567094987654321^FS', '^FO100,100^BZN,26,N,N,3^FD01234567094987654321^FS'), pair('^FO100,100^BZN,16,N,N,3^FD01234567094987654321^FS', '^FO100,100^BZN,32,N,N,3^FD01234567094987654321^FS'),
            ...[2, 3, 5].map((kind) => pair(databar(kind), databar(1), retail)),
            ...['11.811', '12'].map((dpmm) => pair('^FO100,200^BY1^BCN,150,N,N,N,D^FD(01)09501101530003^FS', '^FO100,200^BY2^BCN,150,N,N,N,D^FD(01)09501101530003^FS', { options: ['--rules', 'healthcare', '--dpmm', dpmm] })),
        ];
    } },
    // Marks and words in place of data; goods that expire before they are made.
    unfilled: { level: 'warning', make: (r) => {
        const item = gtin(r, 14), code = (data) => `^FO60,200^BY2^BCN,120,N,N,N,A^FD${data}^FS`, square = (data) => `^FO60,200^BXN,6,200^FD${data}^FS`, dated = (data) => `^FO40,200^BY2^BCN,120,N,N,N,D^FD(01)${item}${data}^FS`;
        return [
            ...[code, square].flatMap((symbol) => [['{{SKU}}', '{SKU'], ['\${SKU}', '$12'], ['A-{{item.no}}', 'A-{item}'], ['null', 'NULL7'], ['undefined', 'defined'], ['NaN', 'NAN1']].map(([bad, good]) => pair(symbol(bad), symbol(good)))),
            ...[['(11)261231(17)260101', '(11)260101(17)261231'], ['(13)270101(15)261200', '(13)261200(15)261231'], ['(11)010101(17)991231', '(11)991231(17)010101']].map(([bad, good]) => pair(dated(bad), dated(good))),
        ];
    } },
    // The same faults in the other languages.
    languages: { level: 'warning', make: () => {
        const epl = (code) => ({ raw: `\nN\nq812\nQ1218,24\n${code}\nP1\n` }), tspl = (code) => ({ raw: `SIZE 101.6 mm,152.4 mm\nGAP 3 mm,0\nCLS\n${code}\nPRINT 1\n` }), cpcl = (code) => ({ raw: `! 0 200 200 1218 1\n${code}\nPRINT\n` });
        const bars = { epl: (x, module, height, data) => `B${x},100,0,1,${module},6,${height},N,"${data}"`, tspl: (x, module, height, data) => `BARCODE ${x},100,"128",${height},0,0,${module},6,"${data}"`, cpcl: (x, module, height, data) => `BARCODE 128 ${module} 1 ${height} ${x} 100 ${data}` };
        const ink = { epl: (x, w) => `\nLO${x},90,${w},140`, tspl: (x, w) => `\nBAR ${x},90,${w},140`, cpcl: (x, w) => `\nLINE ${x} 90 ${x} 230 ${w}` }, shown = { epl: (data) => `\nA200,240,0,3,1,1,N,"${data}"`, tspl: (data) => `\nTEXT 200,240,"3",0,1,1,"${data}"`, cpcl: (data) => `\nTEXT 7 0 200 240 ${data}` };
        const ean = { epl: (data) => `B100,100,0,E30,3,6,160,N,"${data}"`, tspl: (data) => `BARCODE 100,100,"EAN13",160,0,0,3,6,"${data}"`, cpcl: (data) => `BARCODE EAN13 3 1 160 100 100 ${data}` };
        return Object.entries({ epl, tspl, cpcl }).flatMap(([name, file]) => {
            const code = (x = 200, module = 3, height = 120, data = '12345678') => bars[name](x, module, height, data), sound = file(code());
            return [
                pair(file(code() + ink[name](250, 120)), file(code() + ink[name](600, 60))), pair(file(code() + ink[name](190, 6)), file(code() + ink[name](120, 6))), pair(file(code(200, 1)), sound), pair(file(code(200, 3, 10)), sound), pair(file(code(700)), sound), pair(file(code(0)), sound),
                pair(file(code() + shown[name]('12345679')), file(code() + shown[name]('12345678'))), pair(file(ean[name]('5901234123450')), file(ean[name]('5901234123457'))),
            ];
        });
    } },
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
