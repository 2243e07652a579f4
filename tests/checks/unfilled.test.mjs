// What programs leave in place of data, addresses that lead nowhere, data that is there twice: each fault beside a sound label. The lists of marks and words are in tests/unit/check/test_unfilled.c.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const warnings = (label) => JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', '--width-mm', '101.6', '--height-mm', '101.6'], { input: `^XA^CI28${label}^XZ`, encoding: 'utf8' }).stdout).files[0].warnings.filter((w) => w.severity !== 'info');
const refused = (label, ...expected) => assert.deepEqual(warnings(label).map((w) => `${w.severity} ${w.code}`), expected, label);
const passes = (label) => refused(label);
const MARK = 'warning field_unbound';
const code = (data) => `^FO60,200^BY2^BCN,120,N,N,N,A^FD${data}^FS`, square = (data) => `^FO60,200^BXN,6,200^FD${data}^FS`, qr = (data) => `^FO60,200^BQN,2,5^FDMA,${data}^FS`, text = (data, x = 60, y = 60) => `^FO${x},${y}^A0N,30,30^FD${data}^FS`;
const matrix = (data) => `^FO60,200^BXN,6,200,,,,_^FD_1${data}^FS`, gs1 = (data) => `^FO40,200^BY2^BCN,120,N,N,N,D^FD${data}^FS`, item = '09501101530003';

test('words and marks in place of data, in barcodes and texts', () => {
    for (const data of ['TODO', '???', '%1$s', '#####', 'Invalid Date'])
        for (const field of [square, qr, text]) refused(field(data), MARK);
    for (const data of ['TODO EN UNO 3X1', 'Die ??? - Folge 212', 'None Such Mincemeat', '100 % Baumwolle'])
        for (const field of [square, qr, text]) passes(field(data));
});

test('an address that leads nowhere is told', () => {
    for (const address of ['http://localhost:3000/t/1', 'http://127.0.0.1/t/1', 'https:///t/1', 'https://', 'https://https://example.com/1', 'htps://example.com/1', 'https://example.com/t?id=', ' https://example.com/1'])
        refused(qr(address), MARK);
    for (const address of ['http://10.0.0.5/device/12', 'https://localhost.example.com/1', 'https://example.com/t?id=1', 'https://example.com/t?x=YWJj=', 'upi://pay?pa=x@y', 'https://example.com/t=']) passes(qr(address));
});

test('data that was scanned twice into its field is told', () => {
    for (const field of [code, square, qr]) {
        refused(field('40063813339314006381333931'), MARK);
        passes(field('4006381333931'));
    }
    passes(code('12341234'));
});

test('signs that nobody sees are told', () => {
    for (const sign of ['\uFEFF', '\u200B', '\u00A0']) refused(square(`1234${sign}5678`), 'warning charset_suspect');
    passes(square('1234-5678'));
});

test('separators that are written out are told in GS1 data', () => {
    for (const written of ['CHR(29)', '%1D', '[GS]']) assert(warnings(matrix(`01${item}10AB${written}17261231`)).some((w) => w.code === 'gs1_syntax'), written);
    passes(matrix(`01${item}10AB_117261231`));
});

test('a serial number that begins with the word before it is no other one', () => {
    const serial = (shown) => matrix(`01${item}21SN000123`) + text(shown, 220, 220);
    for (const shown of ['SN SN000123', 'S/N: SN000123', 'SN000123']) passes(serial(shown));
    refused(serial('SN SN000124'), 'warning text_differs');
});

test('a graphic whose data goes on behind its count is told', () => {
    const graphic = (total, data) => `^FO60,60^GFA,${total},${total},2,${data}^FS`;
    refused(graphic(16, 'FF00'.repeat(12)), 'warning graphic_data');
    refused(graphic(16, 'FFFF' + ':'.repeat(9)), 'warning graphic_data');
    for (const sound of ['FF00'.repeat(8), 'FFFF' + ':'.repeat(7), 'FF00'.repeat(8) + '\n', 'FF00'.repeat(8) + 'F']) passes(graphic(16, sound));
});

test('dates in an order that none can have are told', () => {
    for (const dates of ['(11)261231(13)260101', '(15)271231(17)260101', '(11)261231(17)260101', '(7007)261231260101']) refused(gs1(`(01)${item}${dates}`), 'warning gs1_value');
    for (const dates of ['(11)260101(13)261231', '(15)260101(17)271231', '(7007)260101261231', '(7007)260101260101', '(7007)260101']) passes(gs1(`(01)${item}${dates}`));
});

// Day 00 was always the last of its month, of 31 days.
test('a date whose day is 00 is not before or behind another one of its month', () => {
    for (const dates of ['(11)260400(13)260415', '(15)260400(17)260430', '(15)260415(17)260400', '(11)260430(17)260400']) passes(gs1(`(01)${item}${dates}`));
    for (const dates of ['(11)260500(17)260430', '(15)260501(17)260400']) refused(gs1(`(01)${item}${dates}`), 'warning gs1_value');
});

test('a Digital Link has each identifier once, and a lot in its path', () => {
    refused(qr(`https://example.com/01/${item}?17=261231&17=261231`), 'error gs1_identifier');
    refused(qr(`https://example.com/01/${item}?17=261231&17=261130`), 'error gs1_identifier');
    refused(qr(`https://example.com/01/${item}?10=AB1`), 'warning gs1_syntax');
    for (const path of [`01/${item}/10/AB1?17=261231`, '00/395011015300000011?02=09501101530003&37=2&10=AB1', `01/${item}/235/XYZ?10=AB1`]) passes(qr(`https://example.com/${path}`));
});
