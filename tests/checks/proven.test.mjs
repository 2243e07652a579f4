// Labels that once got a wrong answer: false errors, misses, wrong data.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const skip = zxing ? false : 'built without zxing-cpp';

// The barcodes of a label and the codes of its findings.
function inspect(label, ...options) {
    const text = execFileSync(platen, ['inspect', '-', '--json', '--verify', '--width-mm', '100', '--height-mm', '100', ...options], { input: `^XA${label}^XZ`, encoding: 'utf8' });
    const { labels, warnings } = JSON.parse(text);
    return { barcodes: labels[0].elements.filter((e) => e.type === 'barcode'), codes: warnings.filter((w) => w.severity !== 'info').map((w) => w.code), warnings };
}

test('the linear part of a DataBar composite is read without its linkage flag; it was an error on every such label', { skip }, () => {
    for (const form of [1, 2, 3, 4]) {
        const { barcodes, codes } = inspect(`^FO50,50^BRN,${form},2,1,80,2^FD0950110153000|11990102^FS`);
        assert.deepEqual([barcodes[0].decodedData, barcodes[0].matches, codes], ['0109501101530003', null, []], `form ${form}`);
    }
});

test('^BR with UPC-E, and with few or many digits, is what the field says; it was an error', { skip }, () => {
    const cases = [['8', '01234500006', '01234565'], ['9', '9723809', '0000097238096'], ['7', '57120090307897', '200903078971'], ['10', '0485645545880', '55458801'], ['1', '032879886384559', '0128798863845598']];
    for (const [form, data, want] of cases) {
        const { barcodes, codes } = inspect(`^FO50,50^BRN,${form},2,1,80,2^FD${data}^FS`);
        assert.deepEqual([barcodes[0].decodedData, barcodes[0].matches], [want, true], data);
        assert(!codes.includes('symbol_data_differs'), data);
    }
});

test('a check digit that is wrong in the field of DataBar is found, at its place', () => {
    for (const form of [1, 5]) {
        const { warnings } = inspect(`^FO50,50^BRN,${form},2,1,80,2^FD09501101530009^FS`);
        const found = warnings.find((w) => w.code === 'gs1_check_digit');
        assert(found, `form ${form}`);
        assert.equal(found.column, '^XA^FO50,50^BRN,1,2,1,80,2^FD09501101530009'.length, `form ${form}`);
    }
});

// `covered` is the field, `over` what is printed in its place.
const replaced = (covered, over) => `^BY2^FO100,100${covered}^FS^FO80,90^GB600,120,120,W^FS^FO100,100${over}^FS`;

test('a symbol that reads as part of its data, or with other signs, does not match; it did', { skip }, () => {
    const cases = [
        ['^B3N,N,100,N^FDITEM12', '^B3N,N,100,N^FDITEM1'], ['^B3N,N,100,N^FD+5-3', '^B3N,N,100,N^FD-5+3'], ['^BAN,100,N^FDITEM-12', '^BAN,100,N^FDITEM12'],
        ['^BMN,A,100,N^FD1234567', '^BMN,A,100,N^FD12345'], ['^B1N,N,100,N^FD123-45', '^B1N,N,100,N^FD12345'], ['^BKN,N,100,N^FD123456', '^BKN,N,100,N^FD12345'],
    ];
    for (const [covered, over] of cases) {
        const { barcodes, codes } = inspect(replaced(covered, over));
        assert.deepEqual(barcodes.map((b) => b.matches), [false, true], covered);
        assert(codes.includes('symbol_data_differs'), covered);
    }
});

test('CODABLOCK E is read without the FNC1 before its data; it was a character more', () => {
    const { barcodes } = inspect('^BY2^FO50,50^BBN,10,Y,10,,E^FDCODABLOCK E^FS');
    assert.deepEqual([barcodes[0].decodedData, barcodes[0].matches], ['CODABLOCK E', true]);
});

test('characters that a symbology leaves out, fillers and check characters are no other data', () => {
    const fields = ['^BMN,B,80,Y^FD BM is 12 ', '^BMN,D,80,N^FD123456', '^BBN,10,Y,10,,A^FDCODABLOCK A ', '^BBN,10,N,10,,A^FDCODABLOCK-12 ', '^BBN,10,Y,,,A^FDAB ', '^BPN,N,80,Y^FDdata1', '^B5N,80,Y^FDdata1', '^BZN,80,Y^FD1-2345', '^B1N,N,80,Y^FD12-34'];
    for (const field of fields)
        assert.equal(inspect(`^BY2^FO50,50${field}^FS`).barcodes[0].matches, true, field);
});

test('more than 128 GS1 symbols: those behind them are checked, too', () => {
    const field = (i) => `^FO${20 + (i % 4) * 195},${20 * Math.floor(i / 4)}^BY1^BCN,10,N,N,N,D^FD(414)001234567890${i < 135 ? 5 : 6}^FS`;
    const { codes } = inspect(Array.from({ length: 139 }, (_, i) => field(i)).join(''));
    assert.deepEqual(codes.filter((code) => code.startsWith('gs1')), Array(4).fill('gs1_check_digit'));
});

test('^BC mode D: an element behind data of free length needs FNC1 before it', () => {
    const element = (data) => inspect(`^FO40,50^BY2^BCN,100,N,N,N,D^FD${data}^FS`);
    const { codes, warnings } = element('(01)00012345678905(10)AB(17)251231');
    assert.deepEqual(codes, ['gs1_syntax']);
    assert.equal(warnings[0].column, '^XA^FO40,50^BY2^BCN,100,N,N,N,D^FD(01)00012345678905(10)AB('.length);
    assert.deepEqual(element('(01)00012345678905(10)AB>8(17)251231').codes, []);
    assert.deepEqual(element('(01)00012345678905(17)251231(10)AB').codes, []);
});

test('EPL2: a GS1-128 with brackets and without FNC1 is an error, and that the brackets are encoded is told', () => {
    const epl = (data, text) => JSON.parse(execFileSync(platen, ['inspect', '-', '--json', '--verify', '--width-mm', '100', '--height-mm', '100'], { input: `N\nB50,50,0,1E,2,2,100,${text},"${data}"\nP1\n`, encoding: 'utf8' })).warnings.filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code} ${w.message.split(':')[0]}`);
    for (const text of ['N', 'B'])
        assert.deepEqual(epl('(01)00012345678905(10)AB(17)251231', text).sort(), ['error gs1_syntax (17)', 'warning gs1_syntax The brackets are encoded as data'], text);
});

test('^BC mode D without FNC1 is one finding, not those of what is read instead, too; other faults are told as they are meant', () => {
    const codes = (data) => inspect(`^FO40,50^BY1^BCN,100,N,N,N,D^FD${data}^FS`).codes.filter((code) => code.startsWith('gs1'));
    for (const data of ['(01)00012345678905(21)12345678901234567890(10)LOT123', '(01)00012345678905(30)12(11)250101', '(02)05901234123457(37)24(00)340123450000000017', '(01)0001234567890(10)ABCDEFGHIJKLMNOP(17)251231', '(01)00012345678905 (400)ORDER (10)AB (17)251231'])
        assert.deepEqual(codes(data), ['gs1_syntax'], data);
    assert.deepEqual(codes('(01)00012345678905(400)ORDER(17)251331').sort(), ['gs1_syntax', 'gs1_value']);
    const { warnings } = inspect('^FO40,50^BY1^BCN,100,N,N,N,D^FD(01)00012345678905(400)ORDER(10)AB(17)251231^FS');
    assert.match(warnings.find((w) => w.code === 'gs1_syntax').message, /^\(10\): .* more data of \(400\)\. It is missing before \(17\), too\.$/);
    // A separator that is written out stays in the bars, wherever FNC1 is put.
    assert.deepEqual(codes('(01)00012345678905(10)AB<GS>(17)251231'), ['gs1_syntax', 'gs1_syntax']);
});

test('a QR Code that a black box in reverse turns to white on black is read', { skip }, () => {
    const { barcodes, codes } = inspect('^FO100,100^BQN,2,6^FDQA,HELLO WORLD^FS^FO50,50^FR^GB300,300,300^FS');
    assert.deepEqual([barcodes[0].decoded, barcodes[0].quietZoneOk, codes], [true, true, []]);
});

test('more than 64 symbols white on black are read', { skip }, () => {
    const field = (i) => `^FO${20 + 70 * (i % 10)},${20 + 70 * Math.floor(i / 10)}^FR^BXN,3,200^FDAB${i}^FS`;
    const { codes } = inspect(`^FO0,0^GB799,799,799^FS${Array.from({ length: 70 }, (_, i) => field(i)).join('')}`);
    assert(!codes.includes('symbol_unreadable'));
});

test('postal codes with dots of double size (^JMB) are read', () => {
    for (const field of ['^B5N,60,N^FD12345678901', '^BZN,60,N^FD12345', '^BZN,40,N,N,3^FD01234567094987654321'])
        for (const module of [1, 2, 3])
            for (const jm of ['^JMA', '^JMB'])
                assert.equal(inspect(`${jm}^BY${module}^FO10,50${field}^FS`, '--width-mm', '250').barcodes[0].matches, true, `${jm} ${module} ${field}`);
});

test('UPC-A is no FedEx number, whatever its check digit', () => {
    assert.deepEqual(inspect('^FO50,50^BY3^BUN,100,N^FD012345678905^FS', '--rules', 'fedex').codes, ['symbology_not_allowed']);
});

test('MicroPDF417 in a series (^FM) is read; it was an error on every such label', () => {
    const data = 'STRUCTURED APPEND DATA, MORE THAN ONE SYMBOL HOLDS';
    const { barcodes, codes } = inspect(`^FM50,50,50,200,50,350,50,500^BY2^BFN,4,9^FD${data}^FS`);
    assert.deepEqual([barcodes[0].decodedData, barcodes[0].matches, codes], [data, true, []]);
});

test('a symbol of a series that ^FM leaves out is no other data: whether it matches cannot be said', { skip }, () => {
    const { barcodes, codes } = inspect(`^FM50,50,e,e,50,350,50,500^BY2^B7N,4,1,3,15,N^FD${'STRUCTURED APPEND DATA '.repeat(5)}^FS`);
    assert.deepEqual([barcodes[0].decoded, barcodes[0].matches, codes], [true, null, []]);
});

test('DataBar Expanded with a GTIN alone, which zxing-cpp does not read, is no error', () => {
    for (const data of ['(01)90012345678908', '0190012345678908', '(01)00012345678905']) {
        const { barcodes, codes } = inspect(`^FO50,50^BRN,6,2,1,80,22^FD${data}^FS`);
        assert.deepEqual([barcodes[0].decoded, typeof barcodes[0].reason, codes], [null, 'string', []], data);
    }
});

test('a MaxiCode that its data nearly fills has this data or is refused; it had other data in 144 digits', { skip }, () => {
    for (const profile of ['reference', 'printer'])
        for (const mode of [2, 4, 5, 6])
            for (let digits = 110; digits <= 148; digits += mode === 4 ? 1 : 17) {
                const address = mode === 2 ? '001840123450000' : '';
                const { barcodes, codes } = inspect(`^FO50,50^BD${mode}^FD${address}${'123456789'.repeat(17).slice(0, digits)}^FS`, '--profile', profile);
                if (!codes.includes('barcode_unencodable')) assert.equal(barcodes[0].matches, true, `${profile}, mode ${mode}, ${digits} digits`);
            }
    assert(inspect(`^FO50,50^BD4^FD${'123456789'.repeat(16)}^FS`).codes.includes('barcode_unencodable'));
});

test('a postcode that a MaxiCode cannot hold is told in both profiles; the profile printer said nothing', () => {
    for (const profile of ['reference', 'printer']) {
        assert.deepEqual(inspect('^FO50,50^BD3^FD001840;<=>?!msg^FS', '--profile', profile).codes, ['barcode_unencodable'], profile);
        assert(inspect('^FO50,50^BD3^FH^FD001840A_00C123msg^FS', '--profile', profile).codes.includes('barcode_data'), profile);
    }
});

test('a printer\'s MaxiCode that is printed over is found in smooth output, too', () => {
    for (const quality of ['bitonal', 'grayscale'])
        assert(inspect('^FO150,140^BD4^FDABCDEFGHIJ^FS^FO100,240^GB400,8,8^FS', '--profile', 'printer', '--quality', quality).codes.includes('bars_overprinted'), quality);
});

test('text across a QR Code and its quiet zone ended the program', { skip }, () => {
    assert.equal(inspect('^FO200,200^BQN,2,5^FDHA,512RTN7KGMVJM28ONC3^FS^FO220,286^A0N,44,40^FDFRAGILE^FS').barcodes.length, 1);
});

test('a PDF417 is read through thin lines across its columns, as scanners read it; it was an error', { skip }, () => {
    for (const label of ['^FO200,200^BY3^B7N,12,3,3^FD135E5IYDJUZK3JNVO4AZNQ9B14H7RBTDQLX79MOIN^FS^FO261,190^GB5,212,5,W^FS', '^FO200,200^BY2^B7N,8,5,4^FDGNMF1IW2CRUSRJJU^FS^FO263,190^GB4,172,4,B^FS']) {
        const { barcodes, codes } = inspect(label);
        assert.deepEqual([barcodes[0].matches, codes], [true, ['bars_overprinted']], label);
    }
});

test('compressed Digital Links are read: their GTIN is compared with the other barcodes, their data is checked', () => {
    // Pairs of GS1's toolkit and others: link, and what it holds.
    const links = { AN2yxDhfaiaw: ['00', '998440410914660971'], AQnYUc1gmg: ['01', '05412345000013'], AQnYUc1gmiCNV4JG: ['01', '05412345000013'], AQnYUc1gmiCNV4JGQhcNT6K6c: ['01', '05412345000013'], 'AQnYUc1gmiCNV4JGQhcNT6K6cibQCWN9Pee9tT-PQ': ['01', '05412345000013'] };
    const qr = (part) => `^FO400,300^BQN,2,5^FDMA,https://id.example.com/${part}^FS`, keys = (number, ai) => `^FO60,60^BY2^BCN,100,N,N,N,D^FD(${ai})${number}^FS`;
    const differ = (label) => inspect(label).codes.includes('keys_differ');
    for (const [part, [ai, number]] of Object.entries(links)) {
        const other = ai === '00' ? '106141412345678908' : '09501101530003';
        assert.deepEqual([differ(qr(part) + keys(number, ai)), differ(qr(part) + keys(other, ai))], [false, true], part);
    }
    for (const part of ['AQnYUc1gmA', 'AQnYUc1gmiCNV4J', 'products', 'watch', 'ABCDEFGHIJKLMNOP', 'dQw4w9WgXcQ'])
        assert.equal(differ(qr(part) + keys('09501101530003', '01')), false, `${part} is no GS1 link`);
});

test('graphic data: white rows behind its end are nothing, a mark of a template is one finding', () => {
    const codes = (data, kind = 'A', size = '8,8,2') => inspect(`^FO50,50^GF${kind},${size},${data}^FS^FO50,200^A0N,30,30^FDText^FS`).codes;
    for (const data of ['FF00F00FAA55FF00', 'FF00F00FAA55FF00,', 'FF00F00FAA55FF00,,', 'FF00F00FAA55FF00000000', 'FF00F00FAA55FF00FF', ',,,,::'])
        assert.deepEqual(codes(data), [], data);
    for (const data of ['FF00F00FAA55FF00!', 'FF00F00FAA55FF00FFFF', 'FF00F00FAA55FF00F,', 'FF00F00FAA55FF00,0F,', 'FF00F00FAA55!:', 'FF00F00FAA55FFFF:', '%A-01%', '{{logo}}', 'FF00{logo}F00FAA55FF00FFFF', 'FF00']) assert.deepEqual(codes(data), ['graphic_data'], data);
});

test('binary graphic data whose count of bytes is too large, or too small, is found', () => {
    const codes = (data, count) => inspect(`^FO50,50^GFB,${count},8,2,${data}^FS^FO50,200^A0N,30,30^FDText^FS`).codes;
    assert.deepEqual(codes('ABCDEFGH', 8), []);
    assert.deepEqual(codes('ABC^FSGH', 8), []);
    assert.deepEqual(codes('ABCDEFGH\r\n', 8), []);
    for (const data of ['ABCDEFG', 'ABCDE', 'ABCD', 'ABC', 'A', 'ABCDEFGHI']) assert.deepEqual(codes(data, 8), ['graphic_data'], data);
});
