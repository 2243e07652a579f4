// Numbers, marks and letters in bad labels that the checks once let pass, beside sound ones that look like them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
function check(label, ...options) {
    const { stdout, stderr } = spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', ...options], { input: `^XA${label}^XZ`, encoding: 'utf8' });
    assert(stdout, stderr);
    return JSON.parse(stdout).files[0].warnings.filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code}`);
}
const refused = (label, ...expected) => assert.deepEqual(check(label), expected, label);
const passes = (label) => refused(label);
const text = (data, y = 500) => `^FO100,${y}^A0N,30,30^FD${data}^FS`;
const code39 = (data, check_digit = 'N') => `^FO100,200^BY2,3^B3N,${check_digit},120,N,N^FD${data}^FS`;
const code128 = (data, y = 200) => `^FO100,${y}^BY2^BCN,120,N,N,N,N^FD${data}^FS`;
const square = (data, x = 100, y = 200) => `^FO${x},${y}^BXN,5,200,,,,_^FD_1${data}^FS`;
const qr = (data) => `^FO100,200^BQN,2,5^FDMA,${data}^FS`;
const WRONG = 'error check_digit_wrong', DOUBTFUL = 'warning check_digit_wrong', MARK = 'warning field_unbound', SYNTAX = 'warning gs1_syntax', DIFFER = 'warning keys_differ';


test('a PZN, an HIBC and an IMEI have the check character of their kind', () => {
    refused(code39('-27580898') + text('PZN - Apotheke', 700), WRONG);
    refused(code39('-27580898'), DOUBTFUL);
    refused(code39('-4877801') + text('PZN', 700), WRONG);
    refused(code39('+A123BJC5D6E71H'), DOUBTFUL);
    refused(code128('+A123BJC5D6E71H'), DOUBTFUL);
    refused(code128('490154203237517') + text('IMEI', 700), DOUBTFUL);
    for (const sound of [code39('-27580899'), code39('-04877800'), code39('-4877800'), code39('-12'), code39('+A123BJC5D6E71G'), code39('+A123BJC5D6E71', 'Y'), code39('+ADD-12'), code39('+12345678'), code128('490154203237518') + text('IMEI', 700), code128('490154203237517')])
        passes(sound);
});

test('a letter in place of the check digit of an EAN or UPC is a wrong one', () => {
    for (const field of ['^BEN,160,N^FD590123412345X', '^B8N,140,N^FD9031101X', '^BUN,160,N,N,Y^FD01234567890X']) refused(`^FO100,200^BY3${field}^FS`, WRONG);
    passes('^FO100,200^BY3^BEN,160,N^FD5901234123457^FS');
});

test('the number of an EAN-13 behind (01) in mode D gets a second check digit', () => {
    const gs1 = (data) => `^FO60,200^BY2^BCN,120,N,N,N,D^FD${data}^FS`;
    refused(gs1('(01)5901234123457'), DOUBTFUL);
    for (const sound of ['(01)05901234123457', '(01)0590123412345', '(01)1590123412345']) passes(gs1(sound));
});

test('a lot that ends with a date of expiry has swallowed it, if no text shows the lot', () => {
    for (const bad of ['10LOT717281130', '21SN55217281130', '10LOT71728113021A5']) refused(square(`0109501101530003${bad}`), SYNTAX);
    for (const sound of ['10LOT7_117281130', '10LOT717281330', '1017281130', '10AB17281130', '1728113010LOT717281130']) passes(square(`0109501101530003${sound}`));
    passes(square('010950110153000310LOT717281130') + text('LOT: LOT717281130'));
});

test('a QR Code with a GTIN and a date without a link is no GS1 symbol', () => {
    refused(qr('010950110153000317281130'), SYNTAX);
    for (const sound of ['0109501101530003', '01095011015300031234', 'https://id.gs1.org/01/09501101530003?17=281130']) passes(qr(sound));
});

test('^FH eats the FNC1 of a Data Matrix that is written _1, and a digit with it', () => {
    const square = (data, fh) => `^FO100,200^BXN,5,200,,,,_${fh}^FD${data}^FS`;
    refused(square('_10109501101530003', '^FH'), 'error gs1_syntax');
    refused(square('_10109501101530003_1172811301', '^FH').replace('_1172811301', '17281130'), 'error gs1_syntax');
    passes(square('_10109501101530003', ''));
    passes(square('_10109501101530003', '^FH|'));
    for (const sound of ['_10ABC', '_101234567', '_19']) passes(square(sound, '^FH'));
});

test('a letter or digit in place of the comma of ^BQ is lost', () => {
    for (const bad of ['MA123456', 'MAX23456', 'HM,B0003ABCD']) refused(`^FO100,200^BQN,2,5^FD${bad}^FS`, 'error barcode_data');
    for (const sound of ['MA,123456', 'MA 123456', 'D0102AA,MA,123456', 'MM,N123456']) passes(`^FO100,200^BQN,2,5^FD${sound}^FS`);
});

test('a text behind an identifier in brackets is compared with the element of the symbol', () => {
    refused(square('01095011015300032178706848') + text('(21)78704848', 210).replace('100,210', '240,210'), 'warning text_differs');
    passes(square('01095011015300032178706848') + text('(21)78706848', 210).replace('100,210', '240,210'));
    refused(square('010950110153000310LOT48210') + text('(10) LOT48211', 210).replace('100,210', '240,210'), 'warning text_differs');
});

test('lots of one item in three or more symbols are a list; two contradict each other', () => {
    const lots = (...names) => names.map((name, i) => square(`010950110153000310${name}`, 100, 100 + i * 180)).join('');
    passes(lots('A1', 'B2', 'C3'));
    passes(lots('A1', 'B2', 'C3', 'C3'));
    for (const bad of [lots('A1', 'B2'), lots('A1', 'A1', 'B2')]) refused(bad, DIFFER);
});

test('marks of templates that are all of the data, and in addresses', () => {
    for (const mark of ['[[SKU]]', '{sku}', '$SKU$', '__SKU__', '@SKU@', '#SKU#', '%(sku)s', 'System.Byte[]', '[SKU]']) refused(code128(mark), MARK);
    refused(`^CI28${qr('«Artikel»')}`, MARK);
    refused(qr('<SKU>'), MARK);
    for (const address of ['/{id}', '/[ID]', '/%7Bid%7D', '?id={id}', '/None']) refused(qr(`https://example.com${address}`), MARK);
    for (const sound of ['A[1]', '[A1]', '{12', '$12.50', '#12345', '@HOME', '__', 'SKU[A]']) passes(code128(sound));
    for (const address of ['/a{1}', '/[::1]', '/?a[]=1', '/%7B1%7D', '/NoneSuch']) passes(qr(`https://example.com${address}`));
    passes(qr('{"id":"A1"}'));
});

test('letters that print as wrong ones: UTF-8 without ^CI28 in a barcode, encoded twice, or lost', () => {
    const SUSPECT = 'warning charset_suspect';
    for (const symbol of [qr('Köln'), square('010950110153000310X').replace('_1010', 'Köln'), '^FO100,200^BY2^B7N,8,3,4^FDKöln^FS', code128('Köln')]) {
        refused(symbol, SUSPECT);
        passes(`^CI28${symbol}`);
    }
    for (const shown of ['KÃ¶ln', '5 Â°C', 'Donâ€™t', 'K\uFFFDln']) {
        refused(`^CI28${text(shown)}`, SUSPECT);
        refused(`^CI28${qr(shown)}`, SUSPECT);
    }
    for (const shown of ['PÃO', 'IRMÃ, 5 °C', 'Don’t', 'Âge']) passes(`^CI28${text(shown)}`);
});

const bars = (width, list, height, spoil) => { // a graphic with bars at these places; `spoil`: columns that are black
    const bytes = Math.ceil(width / 8), row = Array(bytes * 8).fill(0);
    for (const [x, w] of list) row.fill(1, x, x + w);
    const hex = (dots) => Array.from({ length: bytes * 2 }, (_, i) => parseInt(dots.slice(i * 4, i * 4 + 4).join(''), 2).toString(16)).join('').toUpperCase();
    const over = row.slice().fill(1, ...spoil), outside = Array(bytes * 8).fill(0).fill(1, ...spoil);
    return `^GFA,${bytes * (height + 60)},${bytes * (height + 60)},${bytes},${hex(outside).repeat(30)}${hex(over).repeat(height)}${hex(outside).repeat(30)}`;
};
test('a barcode in a graphic that something higher than its bars has destroyed is told', { skip: !zxing }, () => {
    const modules = '10100011010100111011001100100110111101010011101010101110010111001011100101110010100001011001101100101'.slice(0, 95), list = [];
    for (let i = 0; i < modules.length; i++) if (modules[i] === '1') list.push([40 + i * 3, 3]);
    refused(`^FO100,200${bars(380, list, 120, [150, 190])}^FS`, 'warning symbol_unreadable');
    passes(`^FO100,200${bars(380, list.filter((_, i) => i % 6 === 0), 120, [150, 190])}^FS`);
});
