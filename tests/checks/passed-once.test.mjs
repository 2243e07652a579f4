// Bad labels that the checks once let pass, and good labels that they once refused: each stands here beside its twin.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { processorSeconds } from '../api/lib/processor.js';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
function warnings(code, ...options) {
    const { stdout, stderr } = spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', '--width-mm', '101.6', '--height-mm', '101.6', ...options], { input: code, encoding: 'utf8' });
    assert(stdout, stderr);
    return JSON.parse(stdout).files[0].warnings.filter((w) => w.severity !== 'info');
}
const findings = (...given) => warnings(...given).map((w) => `${w.severity} ${w.code}`);
const check = (label, ...options) => findings(`^XA${label}^XZ`, ...options);
const refused = (label, ...expected) => assert.deepEqual(check(label), expected, label);
const passes = (label) => refused(label);

const gs1 = (data, y = 100) => `^FO40,${y}^BY2^BCN,120,N,N,N,D^FD${data}^FS`;
const matrix = (data, y = 400) => `^FO500,${y}^BXN,6,200,,,,_^FD_1${data}^FS`;
const qr = (data, y = 400) => `^FO100,${y}^BQN,2,5^FDMA,${data}^FS`;

test('an ordinary web address in a QR code is not taken for a GS1 Digital Link', () => {
    for (const address of ['https://example.com/401/login', 'https://example.com/2026/01/12345678', 'https://example.com/01/20261118', 'https://example.com/2026/01/20261118120000', 'https://example.com/8004/assets',
        'https://example.com/8004/12345-how-to-change-the-oil', 'https://example.com/c/8010/12345.html', 'https://example.com/cat/8013/4561234', 'https://example.com/c/401/12345678?page=2&20=1'])
        passes(qr(address));
    refused(qr('https://example.com/01/09501101530004'), 'error gs1_check_digit');
    refused(qr('https://example.com/01/9501101530003'), 'warning gs1_syntax');
    refused(qr('https://example.com/gtin/09501101530003'), 'warning gs1_syntax');
    refused(qr('https://id.gs1.org/01/12345678'), 'warning gs1_syntax', 'warning gs1_check_digit');
});

test('a carton with its own number beside pieces, and an EAN beside a UPC, are no copies', () => {
    passes('^FO80,60^BY2^BEN,100,Y,N^FD950110153000^FS^FO80,260^BXN,4,200,,,,_^FD_101095011015300032111^FS^FO260,260^BXN,4,200,,,,_^FD_101095011015300032112^FS^FO80,400^BY2,3^B2N,100,Y,N,N^FD05901234123457^FS');
    passes('^FO60,60^BY2^BEN,100,Y,N^FD501234567696^FS^FO420,60^BXN,4,200,,,,_^FD_10105012345676968^FS^FO60,500^BY2^BUN,100,Y,N,Y^FD01234567351^FS^FO420,500^BXN,4,200,,,,_^FD_10105012345676968^FS');
});

test('a slash at the end of an address does not make it a Digital Link', () => {
    for (const address of ['https://example.com/01/09501101530003/2', 'https://example.com/p/01/09501101530003/5', 'https://example.com/414/5712345678901/2']) {
        passes(qr(address));
        passes(qr(`${address}/`));
    }
});

test('three lots of one item in three symbols are one finding', () => {
    const item = '09501101530003';
    refused(gs1(`(01)${item}(10)L1`) + matrix(`01${item}10L2`) + qr(`https://id.gs1.org/01/${item}/10/L3`), 'warning keys_differ');
});

test('brackets in the bars of a GS1 symbol, and marks that are not FNC1, are refused', () => {
    const SYNTAX = 'error gs1_syntax', DOUBT = 'warning gs1_syntax', item = '09501101530003';
    refused(matrix(`(01)${item}`), SYNTAX);
    refused(`^FO40,100^BY2^BCN,120,N^FD>:>8(01)${item}^FS`, SYNTAX);
    refused(`^FO40,100^BY2^BCN,120,N,N,N,A^FD>801${item}^FS`, SYNTAX);
    for (const start of ['>;', '>:', '>9']) refused(`^FO40,100^BY2^BCN,120,N,N,N,A^FD${start}>801${item}^FS`, SYNTAX);
    for (const sent of [']C1', ']d2']) {
        refused(`^FO40,100^BY2^BCN,120,N^FD${sent}01${item}^FS`, SYNTAX);
        refused(`^FO40,100^BXN,6,200^FD${sent}01${item}^FS`, SYNTAX);
        refused(qr(`${sent}01${item}`), SYNTAX);
    }
    refused(matrix(`01${item}10AB(17)261231`), SYNTAX);
    refused(matrix(`01${item}10AB(21)5`), DOUBT); // a lot may have brackets
    refused(matrix(`01${item}(10)AB`), 'error gs1_identifier');
    refused(`^FO40,100^BXN,6,200^FD_101${item}^FS`, SYNTAX);
    refused(`^FO40,100^BXN,6,200,,,,_^FD~101${item}10AB~117261231^FS`, SYNTAX);
    refused(`^FO40,100^BXN,6,200^FD(01)${item}^FS`, DOUBT);
    refused(`^FO40,100^BXN,6,200,,,,_^FD01${item}10AB_117261231^FS`, DOUBT);
    refused(`^FO40,100^BXN,6,200^FH^FD_1D01${item}^FS`, DOUBT);
    for (const sound of [gs1(`(01)${item}`), matrix(`01${item}`), matrix(`01${item}10AB(7)`), matrix(`01${item}10AB(17)2613`), '^FO40,100^BXN,6,200^FD]C1hello^FS', '^FO40,100^BXN,6,200^FD~101' + item + '^FS', `^FO40,100^BRN,6,2,1,80,22^FD(01)${item}(10)A^FS`, qr('(01)hello'), '^FO40,100^BY3^BCN,120,N,N,N,A^FD(21)5551234^FS', '^FO40,100^BXN,6,200^FH^FD12345_1DABC^FS', '^FO40,100^BXN,6,200^FD_12345^FS'])
        passes(sound);
});

test('two symbols with the same key that say other things of it are told apart from pieces side by side', () => {
    const item = '09501101530003', unit = '395011015300000011', DIFFER = 'warning keys_differ';
    const pairs = [
        [`(01)${item}(17)261231`, `01${item}17261230`], [`(01)${item}(10)AB1`, `01${item}10AB2`], [`(01)${item}(21)AB1`, `01${item}21AB2`], ['(01)99501101530006(3103)001234', '01995011015300063103001235'],
        [`(00)${unit}(410)9501101530003`, `00${unit}4109501101530010`], [`(8018)${unit}`, '8018395011015300000028'], [`(00)${unit}(02)${item}(37)24`, `00${unit}02${item}3725`], [`(00)${unit}(02)${item}(37)24`, `00${unit}02095011015300103724`],
        [`(00)${unit}(02)${item}(37)24`, `02095011015300103724`],
    ];
    for (const [linear, square] of pairs) {
        refused(gs1(linear) + matrix(square), DIFFER);
        passes(gs1(linear) + matrix(linear.replace(/[()]/g, '')));
    }
    refused(gs1(`(01)${item}(17)261231`) + qr(`https://example.com/01/${item}?17=261230`), DIFFER);
    refused(gs1(`(01)${item}`) + gs1('(10)AB1', 250) + matrix(`01${item}10AB2`), DIFFER);
    refused(gs1(`(01)${item}(10)AB1`) + gs1(`(01)${item}(10)AB2`, 250), DIFFER);
    passes(gs1(`(01)${item}(21)1`) + gs1(`(01)${item}(21)2`, 250)); // two pieces
    passes(gs1(`(01)${item}(21)1`) + matrix(`01${item}211`) + gs1(`(01)${item}(21)2`, 250) + matrix(`01${item}212`, 600)); // each with both symbols
    passes(gs1(`(01)${item}(91)A`) + matrix(`01${item}91B`));
    passes(gs1('(01)19501101530000(10)AB1') + matrix(`01${item}10AB2`)); // the case and its content
    passes(gs1(`(01)${item}(10)AB1`) + matrix(`01${item}10AB1`) + gs1(`(01)${item}(10)AB2`, 250) + matrix(`01${item}10AB2`, 600)); // two lots, each with both symbols
});

test('several items side by side, each with its own symbols, are no difference; one that differs from its own is', () => {
    const DIFFER = 'warning keys_differ', ean = (digits, x = 60, y = 60) => `^FO${x},${y}^BY3^BEN,100,N^FD${digits}^FS`, link = (item, x = 60) => `^FO${x},300^BQN,2,4^FDMA,https://id.gs1.org/01/0${item}^FS`;
    const [a, b, c] = ['9501101530003', '9506000134352', '4006381333931'], both = (item, lot, y, square = lot) => gs1(`(01)0${item}(10)${lot}`, y) + matrix(`010${item}10${square}`, y + 130);
    passes(ean(a) + link(a) + ean(b, 450) + link(b, 450));
    passes(ean(a) + link(a) + ean(b, 450)); // the second without a link
    refused(ean(a) + link(a) + ean(b, 450) + link(c, 450), DIFFER);
    refused(ean(a) + link(b) + ean(a, 450) + link(b, 450), DIFFER); // twice the same fault
    refused(ean(a) + link(a) + link(b, 450), DIFFER);
    refused(ean(a) + gs1(`(01)0${a}`, 200) + matrix(`010${b}`) + qr(`https://id.gs1.org/01/0${b}`), DIFFER); // linear against square
    passes(both(a, 'L1', 60) + both(b, 'L2', 400));
    refused(both(a, 'L1', 60) + both(b, 'L2', 400, 'L3'), DIFFER);
    refused(both(a, 'L1', 60, 'L4') + both(b, 'L2', 400, 'L3'), DIFFER, DIFFER); // one for each item
    refused(both(a, 'L1', 60, 'L2') + both(b, 'L2', 400, 'L1'), DIFFER, DIFFER); // the lots exchanged
});

test('the link or Data Matrix of one item that was copied to the others is found', () => {
    const DIFFER = 'warning keys_differ', items = ['950110153000', '400638133393', '590123412345'], keys = ['09501101530003', '04006381333931', '05901234123457'];
    const square = (key, x) => `^FO${x},300^BXN,6,200,,,,_^FD_101${key}^FS`, link = (key, x) => `^FO${x},300^BQN,2,4^FDMA,https://id.gs1.org/01/${key}^FS`;
    const row = (symbol, step, ...order) => order.map((key, i) => `^FO${50 + step * i},60^BY2^BEN,100,Y,N^FD${items[i]}^FS` + (key === null ? '' : symbol(keys[key], 50 + step * i))).join('');
    for (const symbol of [square, link]) {
        for (const order of [[1, 1], [0, 0]]) refused(row(symbol, 400, ...order), DIFFER);
        for (const order of [[0, 1, 1], [0, 0, 2], [1, 1, 2]]) refused(row(symbol, 260, ...order), DIFFER);
        for (const order of [[0, 1, 2], [0, null, 2], [0, 1, null], [null, null, 2]]) passes(row(symbol, 260, ...order));
    }
    passes(row(link, 400, null, 1) + link(keys[1], 600)); // one item with two links beside one without any
});

test('service relations of several people on one label are no difference', () => {
    for (const ai of ['8017', '8018']) {
        passes(matrix(`${ai}395011015300000011`) + matrix(`${ai}395011015300000028`, 600));
        refused(gs1(`(${ai})395011015300000011`) + matrix(`${ai}395011015300000028`), 'warning keys_differ');
    }
});

test('a Digital Link whose last identifier has no data is checked', () => {
    refused(qr('https://id.gs1.org/01/09501101530006/21/'), 'error gs1_check_digit', 'error gs1_value');
    refused(qr('https://example.com/shop/01/09501101530003/10/?17=261231'), 'error gs1_value');
    refused(qr('https://id.gs1.org/01/'), 'error gs1_value');
    refused(qr('https://id.gs1.org/01/09501101530006/'), 'error gs1_check_digit');
    for (const address of ['https://id.gs1.org/01/09501101530003/', 'https://example.com/01/', 'https://example.com/2026/01/12/', 'https://example.com/8004/', 'https://example.com/01/09501101530006/edit/']) passes(qr(address));
});

test('GS1 data without FNC1 is told where nothing else can be meant', () => {
    const DOUBT = 'warning gs1_syntax', text = (data) => `^FO60,230^A0N,30,30^FD${data}^FS`, item = '0109501101530003', unit = '00340123450000001236';
    for (const field of ['^FO60,100^BY2^BCN,100,N,N,N,A', '^FO60,100^BXN,6,200']) {
        const plain = (data) => `${field}^FD${data}^FS`;
        for (const data of [`${item}1726123110AB12`, `${item}15261231`, `${item}1126123121S1`]) refused(plain(data), DOUBT);
        refused(plain(`${item}10AB12`) + text('(01) 0 9501101 53000 3'), DOUBT);
        refused(plain(item) + text('(01) 09501101530003'), DOUBT);
        refused(plain(unit) + text('SSCC (00) 3 4012345 000000123 6'), DOUBT);
        for (const data of [item, unit, `${item}10AB12`, `${item}17261331`, '01095011015300041726123110AB12', `${item}9826123110AB12`, `${unit}1`]) passes(plain(data)); // none of these is sure
        passes(plain(unit) + text('(00) 340123450000001243').replace('60,230', '60,600'));
    }
    refused(qr(`${item}1726123110AB12`), DOUBT);
    passes(qr(`${item}10AB12`));
});

test('day 00 of a date is the last day of its month', () => {
    const dates = (ai, one, other) => gs1(`(01)09501101530003(${ai})${one}`) + matrix(`0109501101530003${ai}${other}`);
    for (const [one, last, before] of [['261200', '261231', '261230'], ['280200', '280229', '280228'], ['270200', '270228', '270227']])
        for (const ai of ['15', '17']) {
            passes(dates(ai, one, last));
            passes(dates(ai, last, one));
            refused(dates(ai, one, before), 'warning keys_differ');
        }
});

test('a word in a Digital Link makes no error a warning', () => {
    const WORD = 'warning gs1_syntax';
    refused(qr('https://example.com/01/09501101530004/lot/AB'), 'error gs1_check_digit', WORD);
    refused(qr('https://example.com/gtin/09501101530004'), WORD, 'error gs1_check_digit');
    refused(qr('https://example.com/gtin/09501101530003?17=269931'), WORD, 'error gs1_value');
    refused(qr('https://example.com/01/09501101530003/lot/AB'), WORD);
    refused(qr('https://example.com/01/9501101530004'), WORD, 'warning gs1_check_digit'); // a short number may be something else
});

test('a tag with another serial number than a symbol is found behind a symbol without any', () => {
    const tag = '^RFW,H,2,12,1^FD3034257BF7194E4000001A85^FS', ean = '^FO40,100^BY2^BCN,120,N,N,N,D^FD(01)80614141123458^FS';
    passes(tag + ean);
    passes(tag + ean + matrix('0180614141123458216789'));
    refused(tag + ean + matrix('0180614141123458216790'), 'warning keys_differ');
});

test('TSPL: a check digit that the printer replaces is an error', () => {
    const tspl = (type, data) => warnings(`SIZE 101.6 mm,101.6 mm\nGAP 3 mm,0\nCLS\nBARCODE 60,100,"${type}",120,0,0,3,8,"${data}"\nPRINT 1\n`).map((w) => `${w.severity} ${w.code} ${w.line}:${w.column}`);
    for (const [type, digits, right] of [['ITF14', '1590123412345', '4'], ['EAN14', '1590123412345', '4'], ['DPI', '12345678901', '6'], ['DPL', '1234567890123', '6']]) {
        assert.deepEqual(tspl(type, digits + (Number(right) + 3) % 10), [`error check_digit_wrong 4:${`BARCODE 60,100,"${type}",120,0,0,3,8,"${digits}`.length + 1}`], type);
        assert.deepEqual(tspl(type, digits + right), [], type);
        assert.deepEqual(tspl(type, digits), [], type);
    }
});

test('an odd number of digits in Interleaved 2 of 5, which gets a zero before it, is a warning', () => {
    const itf = (digits, check) => `^FO100,100^BY3^B2N,120,N,N,${check}^FD${digits}^FS`;
    refused(itf('12345', 'N'), 'warning barcode_data');
    refused(itf('1234', 'Y'), 'warning barcode_data');
    refused(itf('15901234123454', 'Y'), 'error check_digit_wrong'); // the same fault once
    passes(itf('123456', 'N'));
    passes(itf('12345', 'Y'));
});

test('a GTIN-13 in mode D of ^BC, which adds a second check digit, is a warning', () => {
    refused(gs1('(01)9501101530003'), 'warning check_digit_wrong');
    refused(gs1('(01)9783161484100(10)AB12'), 'warning check_digit_wrong');
    for (const data of ['(01)09501101530003', '(01)0950110153000', '(01)9501101530001', '(01)9501101530003(3103)001250', '(01)1590123412344']) passes(gs1(data)); // without check digit; goods that are weighed
    passes(gs1('(01)9501101530003') + gs1('(3103)001250', 300));
});

test('^FE with a number that nothing gives data to is an error in a barcode', () => {
    refused('^FN1^FD12^FS^FO80,200^BY3^BCN,120,N^FE#^FD#1##2#^FS', 'error field_unbound');
    passes('^FN1^FD12^FS^FN2^FD34^FS^FO80,200^BY3^BCN,120,N^FE#^FD#1##2#^FS');
    passes('^FO80,200^A0N,30,30^FE#^FDText #1#^FS'); // a note
});

test('^FE with a part that the data does not have is a warning in a barcode', () => {
    const bars = (data, parts) => `^FN1^FD${data}^FS^FO80,200^BY3^BCN,120,N^FE#^FD${parts}^FS`, EMPTY = 'warning field_empty';
    for (const [data, parts] of [['', 'AB#1#'], ['1234', 'AB#1,5,3#'], ['', 'AB#1,B,2,2#']]) refused(bars(data, parts), EMPTY);
    for (const [data, parts] of [['1234', 'AB#1#'], ['1234', 'AB#1,4,1#'], ['1234', 'AB#1,3,9#'], ['1234', 'AB#1,B,2,2#']]) passes(bars(data, parts));
    passes('^FN1^FD^FS^FO80,200^A0N,30,30^FE#^FDText #1#^FS');
});

test('a tag without data, or with a letter that is not hexadecimal, is told', () => {
    const code = gs1('(01)80614141123458'), EMPTY = 'warning field_empty';
    for (const tag of ['^RFW,H,2,12,1^FS', '^RFW,H,2,12,1^FD^FS', '^RFW,H,2,12,1^FN3^FS', '^RFW,H,2,12,1^FN3^FS^FN3^FD^FS'])
        refused(tag + code, EMPTY);
    refused(`^RFW,H,2,12,1^FD3034257BF7194E4000001A8G^FS${code}`, 'error gs1_value');
    for (const tag of ['^RFW,H,2,12,1^FD3034257BF7194E4000001A85^FS', '^RFW,H,2,12,1^FN3^FS^FN3^FD3034257BF7194E4000001A85^FS', '^RFW,A,2,12,1^FDHELLO^FS', '^RFR,H,0,12,1^FN3^FS', '^RFW,H^SN3034257BF7194E4000001A85,1,Y^FS'])
        passes(tag + code);
});

test('a ^ or ~ at the end of field data, which is lost, is told', () => {
    const bars = (data) => `^FO80,200^BY3^BCN,120,N^FD${data}^FS`, text = (data) => `^FO80,200^A0N,30,30^FD${data}^FS`;
    for (const mark of ['~', '^', '~~']) {
        refused(bars(`AB${mark}`), 'error data_dropped');
        refused(text(`AB${mark}`), 'warning data_dropped');
    }
    for (const data of ['AB', 'A~1', '']) passes(bars('ABCD') + text(data).replace('80,200', '80,500'));
    passes(`^FX remark ~^FS${text('AB')}`);
    passes('^FO80,200^BY3^BCN,120,N^FH^FDAB_7E^FS');
});

test('a Data Matrix with FNC1 behind the name of an industry is not refused', () => {
    const square = (data) => `^FO80,200^BXN,6,200,,,,_^FD${data}^FS`;
    passes(square('A_1DEF'));
    passes(square('12_1DEF'));
    passes(square('ABC_1DEF'));
    if (zxing) refused(square('-_1DEF'), 'error symbol_data_differs'); // the reader does not send it
});

test('a text that shows nearly the number of a GS1 symbol is told, also behind a word and beside the right one', () => {
    const DIFFERS = 'warning text_differs', text = (data, y = 330) => `^FO100,${y}^A0N,30,30^FD${data}^FS`, beside = (data) => `^FO240,220^A0N,30,30^FD${data}^FS`;
    const plain = '^FO100,200^BY3^BCN,120,N,N,N,A^FD12345678^FS', captioned = '^FO100,200^BY3^BCN,120,Y,N,N,A^FD12345678^FS', square = '^FO100,200^BXN,6,200,,,,_^FD_1010950110153000310LOT13712^FS';
    const omni = '^FO60,180^BRN,1,4,2,140,2^FD0950110153000^FS', unit = '^FO60,200^BY3^BCN,120,N,N,N,D^FD(00)395011015300000011^FS', link = '^FO100,200^BQN,2,4^FDMA,https://id.gs1.org/01/09501101530003^FS';
    for (const bad of [plain + text('No. 12345679'), square + beside('GTIN 09501101530013'), square + beside('9501101530013'), square + beside('LOT: LOT1371X'), omni + text('(01)09501101530013'), unit + text('SSCC: 395011015300000012'), link + beside('GTIN 09501101530013'),
        '^FO60,200^BY3^BEN,120,N^FD9501101530003^FS' + text('9501101530003') + text('9501101530013', 365)])
        refused(bad, DIFFERS);
    for (const good of [plain + text('No. 12345678'), captioned + text('Before it: 12345677', 360), plain + text('12345678') + text('12345679', 365), square + beside('GTIN 09501101530003'), square + beside('GTIN 9501101530003'), square + beside('LOT: LOT13712'), square + beside('GTIN 19501101530000'), omni + text('(01)09501101530003'), unit + text('SSCC: 395011015300000011'),
        '^FO100,200^BXN,6,200,,,,_^FD_1010950110153000317261231^FS' + beside('Printed 26.12.30')])
        passes(good);
});

test('a text that shows the serial number of another symbol is of that one', () => {
    const square = (serial, x) => `^FO${x},200^BXN,6,200,,,,_^FD_1010950110153000321${serial}^FS`, text = '^FO240,200^A0N,30,30^FDSN ABC12346^FS';
    refused(square('ABC12345', 100) + text, 'warning text_differs');
    passes(square('ABC12345', 100) + text + square('ABC12346', 500));
});

test('beside a barcode with its own text line only a key with a wrong check digit is told', () => {
    const DIFFERS = 'warning text_differs', ean = (digits) => `^FO60,60^BY3^BEN,160,Y,N^FD${digits}^FS`, text = (data, x = 60) => `^FO${x},270^A0N,30,30^FD${data}^FS`;
    const bars = (data) => `^FO60,60^BY2^BCN,160,Y,N,N,A^FD${data}^FS`, box = '^FO80,60^BY3,3^B2N,160,Y,N,N^FD19501101530000^FS';
    refused(ean('950110153000') + text('9501101530004'), DIFFERS);
    refused(box + text('19501101530001'), DIFFERS);
    refused('^FO60,60^BY2^BCN,160,Y,N,N,D^FD(01)09501101530003(17)271231(10)LOT7788^FS' + text('(01)09501101530003 (17)271230 (10)LOT7788'), DIFFERS);
    for (const other of ['ITEM 400638133393-2', 'ART 4006381333000']) passes(ean('400638133393') + text(other));
    passes('^FO60,60^BY2,3^B2N,160,Y,N,N^FD12345670^FS' + text('12345679'));
    for (const [code, ...others] of [['001B44113AB7', 'WLAN MAC', '00:1B:44:11:3A:B8'], ['4500123456', 'DELIVERY', '4500123465'], ['12345670', 'TO', '12345678']]) passes(bars(code) + text(others[0]) + text(others[1], 240));
    passes(ean('400638133393') + text('REPLACES') + text('4006381333924', 240));
    passes(ean('400638133393') + text('REPLACES 4006381333924'));
    passes(box + text('UNIT GTIN') + text('09501101530003', 260)); // the case and its content
});

test('the number of a thing may stand beside each of its barcodes', () => {
    const text = (data, x, y) => `^FO${x},${y}^A0N,30,30^FD${data}^FS`, bars = (data, y) => `^FO60,${y}^BY2^BCN,90,N^FD${data}^FS`, sku = '40012345';
    for (const other of ['^BQN,2,5^FDMA,https://example.com/manual^FS', '^BQN,2,5^FDMA,https://example.com/40012345^FS', '^BXN,6,200^FDBOX;40012345;3/7^FS', '^BXN,5,200^FD40012345-SN482133^FS', '^BY2^BCN,90,N,N,N,A^FD40012345-7^FS', '^BXN,5,200^FD71234582^FS'])
        passes(bars(sku, 100) + text(sku, 60, 195) + `^FO60,320${other}` + text(`SKU ${sku}`, 60, 480));
    refused(bars(sku, 100) + text(sku, 60, 195) + bars('71234582', 380) + text(`SKU ${sku}`, 60, 475), 'warning text_differs');
});

test('beside a GS1 symbol with its own text line a number behind a word, or another whole key, is of something else', () => {
    const captioned = (data) => `^FO60,100^BY2^BCN,100,Y,N,N,D^FD${data}^FS`, plain = (data) => `^FO60,100^BY2^BCN,100,N,N,N,D^FD${data}^FS`, text = (data) => `^FO60,240^A0N,30,30^FD${data}^FS`, item = '(01)05901234123457';
    for (const [data, other] of [[`${item}(10)261110`, 'PACKED 261111'], [`${item}(10)20261107`, 'Packed 2026-11-08'], [`${item}(21)1000237`, 'MOTOR S/N 1000239'], ['(8004)5901234A1003', 'OLD TAG 5901234A1004'], ['(414)5901234000031', 'SUPPLIER GLN 5901234000048'], ['(414)5901234000031', '5901234000048']]) {
        passes(captioned(data) + text(other));
        refused(plain(data) + text(other).replace('240', '205'), 'warning text_differs');
    }
    refused(captioned('(414)5901234000031') + text('GLN 5901234000041'), 'warning text_differs');
});

test('a number like that of a barcode is another one where the right one is shown, whatever stands beside it', () => {
    const bars = (data) => `^FO60,100^BY2^BCN,90,N^FD${data}^FS`, text = (data, y = 195) => `^FO60,${y}^A0N,30,30^FD${data}^FS`;
    passes(bars('12345678') + text('SN 12345678 REV 2') + text('Spare for 12345671', 230));
    passes(bars('001122304434') + text('MAC1 001122304434') + text('MAC2 001122304435', 230));
    refused(bars('12345678') + text('SN 123456789 REV 2') + text('Spare for 12345671', 230), 'warning text_differs');
});

test('a wrong number is told among other numbers and lines of its text', () => {
    const bars = '^FO60,100^BY2^BCN,90,N^FD12345678^FS', text = (data) => `^FO60,195^FB600,2^A0N,30,30^FD${data}^FS`;
    for (const shown of ['SN # REV 2', 'SN # QTY 10', 'QTY 10 SN #', 'SN #\\&QTY 10', '#, 2 PCS']) {
        refused(bars + text(shown.replace('#', '12345679')), 'warning text_differs');
        passes(bars + text(shown.replace('#', '12345678')));
    }
    for (const list of ['12345671 TO 12345680', 'SN 12345678, 12345679', 'CALL 12345 678 90']) passes(bars + text(list));
});

test('right texts beside a barcode are no mistakes, whatever words are before them', () => {
    passes('^FO40,100^BXN,5,200,,,,_^FD_101095060001343521727011510270110^FS^FO160,140^A0N,30,30^FDEXP 270115^FS^FO160,180^A0N,30,30^FDLOT 270110^FS');
    passes('^FO40,100^BXN,5,200,,,,_^FD_101095060001343521727011510270110^FS^FO160,140^A0N,30,30^FDEXP 270115^FS');
    passes('^FO40,100^BY3^BCN,100,N^FD10000123^FS^FO40,215^A0N,30,30^FDNo. 10000123^FS^FO340,215^A0N,30,30^FDRef. 10000124^FS');
});

test('one end of a text may be bold', () => {
    const text = (data, x, y, turn = 'N', size = 20) => `^FO${x},${y}^A0${turn},${size},${size}^FD${data}^FS`;
    for (const [turn, x, y] of [['N', 101, 100], ['R', 100, 101]])
        for (const first of ['Order', 'Or', 'Order 45']) passes(text('Order 4500012345', 100, 100, turn) + text(first, x, y, turn));
    passes(text('Lot Typ', 100, 100) + text('Lot', 101, 100));
    passes('^FT300,100,1^A0N,20,20^FDTotal 12,50 EUR^FS^FT301,100,1^A0N,20,20^FDEUR^FS');
    for (const bad of [text('Order', 106, 100), text('Order', 158, 100), text('45000', 101, 100), text('Order', 101, 100, 'N', 28)])
        assert(check(text('Order 4500012345', 100, 100) + bad).includes('warning text_overprinted'), bad);
});

test('a line beside a symbol takes the quiet zone of that side, however long it is', () => {
    const told = (symbol, x, y, height) => warnings(`^XA^FO200,300${symbol}^FS^FO${x},${y}^GB6,${height},6^FS^XZ`).map((w) => `${w.severity} ${w.code} ${/mm (\w+)/.exec(w.message.split('of the')[2])?.[1]}`);
    for (const [symbol, top] of [['^BQN,2,6^FDMA,https://example.com/p/12345', 310], ['^BXN,8,200^FDHELLO WORLD 12345', 300], ['^BY3^B7N,12,2,3^FDHELLO PDF417 1234567890', 300]])
        for (const [y, height] of [[top + 4, 120], [top - 4, 128], [top - 4, 300], [top - 40, 300], [20, 700]]) assert.deepEqual(told(symbol, 193, y, height), ['error quiet_zone_blocked left'], `${symbol} ${y} ${height}`);
});

test('marks and words in place of data are told as programs write them', () => {
    const code = (data) => `^FO60,200^BY2^BCN,120,N,N,N,A^FD${data}^FS`, square = (data) => `^FO60,200^BXN,6,200^FD${data}^FS`;
    for (const data of ['{{ code }}', '{{sku|upper}}', '{{ item.no | upper }}', '\${ sku }', 'A-[object Object]', '[object Object]', '(null)', 'LOT(null)', 'NULL', 'nan', 'NaN', '#NAME?', '#DIV/0!', '#NUM!'])
        for (const symbol of [code, square]) refused(symbol(data), 'warning field_unbound');
    for (const data of ['{{ }}', '\${}', '[object]', 'A-NULL', 'nano', 'NANTES', 'NAME?', 'NULL-1', '#NUM'])
        for (const symbol of [code, square]) passes(symbol(data));
});

test('a text that runs two letters into another is told at every place, and a ground of dots is not', () => {
    const text = (data, x, h, turn = 'N') => `^FO${turn === 'N' ? `${x},100` : `100,${x}`}^A0${turn},${h},${h}^FD${data}^FS`;
    for (const [h, from] of [[20, 172], [24, 186], [30, 210], [40, 246], [60, 320]])
        for (const turn of ['N', 'R'])
            for (const x of [0, 1, 2]) refused(text('LOT 482133', 100, h, turn) + text('EXP 261231', from + x, h, turn), 'warning text_overprinted');
    passes(text('LOT 482133', 100, 30) + text('EXP 261231', 242, 30));
    passes(text('LOT', 100, 30) + text('EXP', 160, 30) + text('A        B', 130, 30));
    const ground = (rows, h) => `^FO80,80^GFA,${70 * (h + 40)},${70 * (h + 40)},70,${Array.from({ length: h + 40 }, (_, i) => rows[i % rows.length].repeat(70)).join('')}^FS`;
    for (const h of [24, 30, 40, 60, 80])
        for (const rows of [['88', '22'], ['FF', '00', '00', '00'], ['88', '00', '22', '00']]) passes(ground(rows, h) + text('SECURITY 12345', 100, h));
});

test('blanks in white text on black hide nothing', () => {
    const hidden = (blanks) => check(`^FO100,1300^BY4^BCN,260,N,N,N,D^FD(00)340123450000000017^FS^FO90,390^GB1000,60,60^FS^FO100,400^A0N,40,40^FR^FDSSCC${' '.repeat(blanks)}340123450000000017^FS`, '--rules', 'gs1-logistic-label', '--width-mm', '148', '--height-mm', '210', '--no-verify');
    for (const blanks of [1, 2, 4, 10]) assert.deepEqual(hidden(blanks), []);
});

test('a number that a shop gave itself, with a price in it, is no other item', () => {
    const link = '^FO400,100^BQN,2,5^FDMA,https://id.gs1.org/01/09506000134352?3103=000750^FS', ean = (digits) => `^FO40,100^BY2^BEN,100,Y,N^FD${digits}^FS`;
    passes(ean('211234500129') + link);
    passes(ean('021234500129') + link);
    refused(ean('401234567890') + link, 'warning keys_differ');
});

test('an add-on may stand seven modules behind an EAN, and nine behind a UPC', () => {
    const beside = (main, modules) => `^FO100,200^BY3${main}^FS^FO${100 + 3 * (95 + modules)},200^BY3^BSN,160,N^FD05^FS`, ean = '^BEN,160,N,N^FD977123456789', upc = '^BUN,160,N,N,Y^FD01234567890';
    passes(beside(ean, 7));
    passes(beside(upc, 9));
    assert(check(beside(ean, 4)).length > 0);
    refused(beside(upc, 7), 'warning quiet_zone_blocked');
});

test('a wrong check digit of UPC-E has the code of all others', () => {
    const upce = (digits) => `^FO100,200^BY3^B9N,160,N,N,Y^FD${digits}^FS`;
    refused(upce('01234567'), 'error check_digit_wrong');
    refused(upce('91234565'), 'error barcode_data');
    for (const digits of ['01234565', '0123456', '123456']) passes(upce(digits));
});

test('a weight inside a graphic counts for the GTIN in mode D of ^BC', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    const drawn = spawnSync(platen, ['render', '-', '-o', '-', '--format', 'png', '--width-mm', '50', '--height-mm', '50'], { input: '^XA^FO20,20^BXN,8,200,,,,_^FD_13103001250^FS^XZ' }).stdout;
    const graphic = spawnSync(platen, ['image', '-', '--at', '0,300', '--bare'], { input: drawn, encoding: 'utf8' }).stdout;
    refused(gs1('(01)9501101530003'), 'warning check_digit_wrong');
    passes(gs1('(01)9501101530003') + graphic);
});

test('regular hatching in a graphic is no barcode', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    const rows = (width, height, ink) => `^FO100,100^GFA,${width * height / 8},${width * height / 8},${width / 8},${Array.from({ length: width / 4 }, (_, i) => [0, 1, 2, 3].reduce((v, k) => v * 2 + (ink(i * 4 + k) ? 1 : 0), 0).toString(16)).join('').repeat(height)}^FS`;
    for (const [every, bar] of [[12, 3], [8, 2], [6, 2], [8, 4]]) passes(rows(320, 100, (x) => x % every < bar));
    refused(rows(320, 100, (x) => x % 12 < (x % 24 < 12 ? 2 : 6)), 'warning symbol_unreadable');
});

test('a figure that was not verified is told as such', () => {
    const messages = (code) => warnings(`^XA${code}^XZ`).filter((w) => w.code === 'bars_too_low').map((w) => w.message);
    assert.match(messages('^FO100,100^BZN,16,N,N,3^FD01234567094987654321^FS')[0], /ask for 3.175 mm, which was not verified with USPS-B-3200\.$/);
    assert.doesNotMatch(messages('^FO100,100^BY2^BCN,10,N^FD123456^FS')[0], /verified/);
});

test('marks, words and escapes that programs leave in data are told, also in texts', () => {
    const UNBOUND = 'warning field_unbound', code = (data) => `^FO60,200^BY2^BCN,120,N,N,N,A^FD${data}^FS`, square = (data) => `^FO60,200^BXN,6,200^FD${data}^FS`, text = (data) => `^FO60,200^A0N,30,30^FD${data}^FS`;
    for (const data of ['<<SKU>>', '<%= sku %>', '{% if x %}', '#{sku}', '@@SKU@@', '##SKU##', '%SKU%', '%s', '{0}', '<no value>', '%!s(MISSING)', '9.50110153E+12', '9,50110153E+12', '5E+12', 'SKU-undefined', 'R&amp;D'])
        for (const symbol of [code, square]) refused(symbol(data), UNBOUND);
    for (const data of ['<S1>', '##1##', '**', '@home', '%A%', '100%', '{x}', '12E+34Z', '1.5E+3', '3.3E-6', 'R&D', 'A&B;', 'undefinedness', 'A##', '<<1>>'])
        for (const symbol of [code, square]) passes(symbol(data));
    for (const part of ['p/undefined', 'p/null', 'p?id=null&x=1', 'p?a=1&amp;b=2', 'p/NaN']) refused(qr(`https://example.com/${part}`), UNBOUND);
    for (const part of ['p/none', 'nullable/undefined-behaviour', 'p?a=1&b=2', 'p/null-modem']) passes(qr(`https://example.com/${part}`));
    passes(qr('<item><name>R&amp;D</name></item>'));
    for (const data of ['Order {{order_no}}', 'Order \${order.no}', '[object Object]', '3&quot; pipe', '<%= name %>']) refused(text(data), UNBOUND);
    for (const data of ['<<< THIS SIDE UP >>>', '<< NEXT >>', '## 1 ##', 'null', '5.9E+12', '50% off %s', 'R&D', '{A}', '$ {x}']) passes(text(data));
    refused(code('   '), 'warning field_empty');
});

test('the escapes of ^FH without ^FH, and separators that are written out, are told', () => {
    const SYNTAX = 'error gs1_syntax', message = '[)>_1E06_1DP123_1DS99_1E_04', item = '0109501101530003';
    for (const field of ['^FO60,100^BXN,6,200', '^FO60,100^BY3^B7N,12,2,8']) {
        refused(`${field}^FD${message}^FS`, SYNTAX);
        passes(`${field}^FH^FD${message}^FS`);
    }
    refused('^FO60,100^BXN,6,200^FD[)>06P123^FS', 'warning gs1_syntax');
    for (const name of ['<GS>', '<FNC1>']) refused(matrix(`${item}10AB${name}17261231`), SYNTAX);
    refused('^FO60,100^BXN,6,200^FDA<GS>B^FS', SYNTAX);
    passes('^FO60,100^BXN,6,200^FD<GS>1</GS>^FS');
    passes(matrix(`${item}10AB_117261231`));
});

test('a Digital Link without https is told; other text with a slash is not', () => {
    for (const data of ['id.gs1.org/01/09501101530003', 'www.example.com/01/09501101530003/10/AB', 'https//id.gs1.org/01/09501101530003', 'https:/id.gs1.org/01/09501101530003']) refused(qr(data), 'warning gs1_syntax');
    for (const data of ['example.com/01/2026', 'shop.example/01/09501101530004', '01/09501101530003', 'see www.example.com/01/09501101530003', 'https://id.gs1.org/01/09501101530003']) passes(qr(data));
});

test('QR: a character in place of the comma is lost, a count of bytes that is wrong is told', () => {
    const LOST = 'error barcode_data', field = (data) => `^FO100,100^BQN,2,5^FD${data}^FS`;
    for (const data of ['QAhttps://example.com', 'MM,B0004HELLO WORLD', 'MM,B0040HELLO']) refused(field(data), LOST);
    for (const data of ['QA,https://example.com', 'MM,B0011HELLO WORLD', 'D0205E9,QM,B0005HELLO,N123', 'QM,N12345', 'QM,AHELLO']) passes(field(data));
});

test('Codabar: start and stop of the data that the command replaces are told', () => {
    const bars = (letters, data) => `^FO60,100^BY2^BKN,N,120,N,N${letters}^FD${data}^FS`;
    refused(bars(',A,A', 'A12345B'), 'error barcode_data');
    for (const [letters, data] of [[',A,B', 'A12345B'], ['', 'A12345B'], [',A,B', '12345']]) passes(bars(letters, data));
});

test('data outside of ^XA and ^XZ, and a field that the next one moves, are told', () => {
    const code = '^FO60,100^BY2^BCN,120,N^FD12345678^FS', outside = (text) => findings(text);
    assert.deepEqual(outside(`^XA${code}^XZ^FO60,300^A0N,30,30^FDLOST^FS`), ['warning outside_format']);
    assert.deepEqual(outside(`text\n^XA${code}^XZ\n${code}${code}`), ['warning outside_format']);
    for (const sound of [`^XA${code}^XZ^FS`, `text\n^XA${code}^XZ`, `^XA${code}^XZ^FD^FS`]) assert.deepEqual(outside(sound), []);
    refused('^FO60,100^A0N,30,30^FDONE^FO60,200^A0N,30,30^FS', 'warning field_unterminated');
    passes('^FO60,100^FO60,200^A0N,30,30^FDONE^FS');
});

test('a date behind EXP that the symbol beside it has otherwise is told; another date is not', () => {
    const DIFFERS = 'warning text_differs', square = '^FO40,100^BXN,5,200,,,,_^FD_101095011015300031125110117261231' + '10AB12^FS', text = (data, y = 110) => `^FO170,${y}^A0N,30,30^FD${data}^FS`;
    for (const shown of ['EXP 2026-11-30', 'EXP: 30.11.2026', 'Exp.: 11/2026', 'USE BY 2026-12-30', '(17)261130', 'EXP 301126', 'MFD 2025-11-02', 'LOT AB12 EXP 11/26', 'EXP 2026-11-30 12 30']) refused(square + text(shown), DIFFERS);
    for (const shown of ['EXP 2026-12-31', 'EXP: 31.12.2026', 'EXP 12/31/2026', 'Exp.: 12/2026', 'EXP 12/26', 'EXP 2026-12', '(17)261231', 'EXP 311226', 'EXP 31 12 26', 'MFD 2025-11-01', 'PRINTED 2026-11-30', 'EXPORT 2026-11-30', 'EXP', 'EXP 5', '2026-11-30',
        'PROD 100523', 'PROD: 20101112', 'EXP 12/26 10', 'EXP 10-20 C', 'Tel (11) 2011-12', 'EXP 31/12/69', 'BEST BY 2026-11-30']) passes(square + text(shown));
    const best = '^FO40,100^BXN,5,200,,,,_^FD_10109501101530003' + '15261220^FS';
    refused(best + text('BEST BEFORE 2026-12-30'), DIFFERS);
    for (const other of ['EXP 01/20/27', 'USE BY 25.12.26']) passes(best + text(other));
    passes(square + text('EXP 2026-11-30', 500));
    passes('^FO40,100^BXN,5,200,,,,_^FD_10109501101530003' + '17261200^FS' + text('EXP 12/2026'));
    assert(!check(square + text('EXP 2026-11-30', 250) + '^FO40,300^BXN,5,200,,,,_^FD_1010950600013435217261130^FS').includes(DIFFERS)); // that of the other symbol
});

test('a lot that has swallowed the date that a text shows is told', () => {
    const square = (data) => `^FO40,100^BXN,5,200,,,,_^FD_10109501101530003${data}^FS`, text = (data) => `^FO170,110^A0N,30,30^FD${data}^FS`;
    refused(square('10AB17261231') + text('EXP 2026-12-31'), 'warning gs1_syntax');
    refused(square('21S1117261231') + text('EXP 12/2026'), 'warning gs1_syntax');
    passes(square('10AB_117261231') + text('EXP 2026-12-31'));
    passes(square('10AB17261231') + text('LOT AB17261231'));
    passes(square('1726123110AB17261231') + text('EXP 2026-12-31'));
});

test('a text that shows the key of something else in place of that of the symbol is told', () => {
    const DIFFERS = 'warning text_differs', text = (data, y = 225) => `^FO40,${y}^A0N,30,30^FD${data}^FS`;
    refused(gs1('(01)09501101530003') + text('(01)09506000134352'), DIFFERS);
    refused(gs1('(00)395011015300000011') + text('(00) 3 4012345 000000001 7'), DIFFERS);
    for (const sound of [text('(01)09501101530003'), text('(01)09501101530003') + text('(01)09506000134352', 260), text('(01)09506000134352', 600), text('GTIN 09506000134352'), text('(01)09506000134352') + matrix('0109506000134352', 600).replace('500,600', '40,600')])
        assert.deepEqual(check(gs1('(01)09501101530003') + sound).filter((f) => f.endsWith('text_differs')), [], sound);
});

test('an ITF-14 with a wrong check digit does not pass as a Leitcode, but on a label of the post', () => {
    const itf = '^FO60,200^BY3,3^B2N,120,N,N,N^FD21348075016401^FS', ident = '^FO60,500^BY3,3^B2N,120,N,N,N^FD563102430313^FS', text = (data) => `^FO60,400^A0N,30,30^FD${data}^FS`;
    refused(itf, 'warning check_digit_wrong');
    refused(itf + text('CARTON 1'), 'warning check_digit_wrong');
    assert.deepEqual(check(itf, '--rules', 'gs1-logistics').filter((f) => f.endsWith('check_digit_wrong')), ['error check_digit_wrong']);
    for (const more of [text('DHL PAKET'), text('Leitcode 21348.075.016.40 1'), ident]) passes(itf + more);
    assert.deepEqual(check(itf, '--rules', 'dhl'), []);
});

test('hostile label code is checked in little time', () => {
    const many = (count, field) => Array.from({ length: count }, (_, i) => field(i)).join(''), before = processorSeconds(process.pid);
    check(many(1500, (i) => `^FO${i % 50},${i % 60}^A0N,40,40^FDLOT ${i}^FS`));
    check(many(600, (i) => `^FO${i % 50},${i % 60}^FB800,99^A0N,40,40^FDLOT ${'abc '.repeat(10)}^FS`));
    check(many(300, (i) => `^FO${i % 50},${i % 60}^BY2^BCN,40,Y^FDLOT${i}^FS^FO${i % 50},${i % 60}^A0N,30,30^FDLOT${i + 1}^FS`));
    check(many(60, (i) => `^FO${i * 10},60^BY2^BEN,100,Y,N^FD9501101530${10 + i}^FS^FO${i * 10},300^BQN,2,4^FDMA,https://id.gs1.org/01/09501101530003^FS`));
    const seconds = processorSeconds(process.pid) - before;
    assert(seconds < 20, `${seconds} s of processor time`);
});

// Each text with a key was looked for in all data, for each symbol: 90 kB of label code took 13 s, whatever the deadline was.
test('keys of texts are looked for once in all data, and no longer than the deadline', () => {
    const gtin = (n) => { const digits = `950110${String(n).padStart(7, '0')}`; let sum = 0; for (let i = 0; i < 13; i++) sum += Number(digits[i]) * (i % 2 ? 1 : 3); return digits + (10 - (sum % 10)) % 10; };
    const symbols = Array.from({ length: 32 }, (_, i) => `^FO${40 + (i % 8) * 90},${20 + Math.floor(i / 8) * 90}^BXN,3,200,,,,_^FD_101${gtin(i)}^FS`);
    const texts = Array.from({ length: 990 }, (_, i) => `^FO${40 + (i % 8) * 90},${70 + (i % 4) * 90}^A0N,9^FD(01)${gtin(5000 + i)}^FS`);
    const zpl = `^XA${symbols.join('')}${texts.join('')}${`^FO20,600^A0N,9^FD${'0123456789'.repeat(100)}^FS`.repeat(300)}^XZ`;
    const run = spawnSync(platen, ['check', '-', '--no-verify', '--render-timeout', '60s', '--format', 'json'], { input: zpl, maxBuffer: 1 << 28 });
    assert.ok([0, 1].includes(run.status), run.stderr.toString());
    assert.doesNotMatch(run.stdout.toString(), /render_timeout|not_checked/);
});
