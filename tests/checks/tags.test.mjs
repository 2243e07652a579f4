// The EPC that ^RF writes to a radio tag is decoded and compared with the barcodes of the label.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const findings = (label) => JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', '--width-mm', '100', '--height-mm', '100'], { input: `^XA${label}^XZ`, encoding: 'utf8' }).stdout).files[0].warnings;
const check = (label) => findings(label).filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code}`);
const notes = (label) => findings(label).filter((w) => w.severity === 'info' && w.code === 'not_compared').length;

// Bits of an EPC as hexadecimal digits of whole words: header, filter 1, partition, and numbers with their bits.
function epc(header, partition, ...numbers) {
    return bits(96, header, partition, ...numbers);
}
// A serial number of characters, seven bits each, as a number with its bits.
const text = (characters, length) => [[...characters].reduce((v, c) => (v << 7n) | BigInt(c.charCodeAt(0)), 0n) << BigInt(length - characters.length * 7), length];
function bits(total, header, partition, ...numbers) {
    let value = 0n, length = 0;
    for (const [number, bits] of [[header, 8], [1, 3], [partition, 3], ...numbers]) {
        value = (value << BigInt(bits)) | BigInt(number);
        length += bits;
    }
    assert.equal(length, total);
    const words = Math.ceil(total / 16);
    return (value << BigInt(words * 16 - total)).toString(16).toUpperCase().padStart(words * 4, '0');
}

const gs1 = (data) => `^FO60,200^BY2^BCN,160,N,N,N,D^FD${data}^FS`, tag = (hex) => `^RFW,H,2,12,1^FD${hex}^FS`;
const DIFFERS = ['warning keys_differ'], WRONG = ['error gs1_value'];

test('the examples of the standard: SGTIN-96 and SSCC-96 agree with their barcodes, and differ from others', () => {
    const item = tag('3034257BF7194E4000001A85'), unit = tag('3114257BF4499602D2000000');
    assert.deepEqual(check(item + gs1('(01)80614141123458(21)6789')), []);
    assert.deepEqual(check(item + gs1('(01)80614141123458')), []);
    assert.deepEqual(check(item + gs1('(01)80614141123458(21)6790')), DIFFERS);
    assert.deepEqual(check(item + gs1('(01)05901234123457(21)6789')), DIFFERS);
    assert.deepEqual(check(unit + gs1('(00)106141412345678908')), []);
    assert.deepEqual(check(unit + gs1('(00)106141412345678915')), DIFFERS);
    assert.deepEqual(check(item + gs1('(00)106141412345678908')), [], 'a key of another kind is no other number');
});

test('every partition: the tag has the GTIN of the EAN-13 beside it', () => {
    const digits = '590123412345', bits = [40, 37, 34, 30, 27, 24, 20];
    for (let partition = 0; partition < 7; partition++) {
        const company = 12 - partition, hex = epc(0x30, partition, [digits.slice(0, company), bits[partition]], [digits.slice(company) || 0, 44 - bits[partition]], [42, 38]);
        assert.deepEqual(check(tag(hex) + '^FO60,200^BY3^BEN,160,N^FD5901234123457^FS'), [], `partition ${partition}`);
        assert.deepEqual(check(tag(hex) + '^FO60,200^BY3^BEN,160,N^FD4006381333931^FS'), DIFFERS, `partition ${partition}`);
    }
});

test('GRAI-96, GIAI-96, GDTI-96, SGLN-96 and GSRN-96', () => {
    const cases = [
        [epc(0x33, 5, [614141, 24], [12345, 20], [400, 38]), '(8003)00614141123452400', '(8003)00614141123452401'],
        [epc(0x34, 5, [614141, 24], [32115400, 58]), '(8004)061414132115400', '(8004)061414132115401'],
        [epc(0x2c, 5, [614141, 24], [12345, 17], [400, 41]), '(253)0614141123452400', '(253)0614141123452401'],
        [epc(0x32, 5, [614141, 24], [12345, 17], [0, 41]), '(414)0614141123452', '(414)0614141543212'],
        [epc(0x2d, 5, [614141, 24], [1234567890, 34], [0, 24]), '(8018)061414112345678902', '(8018)061414112345678919'],
    ];
    for (const [hex, same, other] of cases)
        assert.deepEqual([check(tag(hex) + gs1(same)), check(tag(hex) + gs1(other))], [[], DIFFERS], same);
});

test('an EPC that no reader decodes is an error: partition 7, too many digits, bits behind the number', () => {
    assert.deepEqual(check(tag('303C257BF7194E4000001A85') + gs1('(01)80614141123458')), WRONG);
    assert.deepEqual(check(tag(epc(0x30, 6, [1000000, 20], [1, 24], [1, 38])) + gs1('(01)80614141123458')), WRONG);
    assert.deepEqual(check(tag(epc(0x30, 6, [999999, 20], [10000000, 24], [1, 38])) + gs1('(01)80614141123458')), WRONG);
    assert.deepEqual(check(tag('3114257BF4499602D2000001') + gs1('(00)106141412345678908')), WRONG);
});

test('SGTIN-198, GRAI-170, GIAI-202, SGLN-195 and GDTI-174: serial numbers of characters', () => {
    const cases = [
        ['3674257BF6B7A659B2C2BF100000000000000000000000000000', '(01)70614141123451(21)32a/b', '(01)70614141123451(21)32b/a'], // the standard's own
        ['3774257BF40C0E59B2C2BF1000000000000000000000', '(8003)0061414112345232a/b', '(8003)0061414112345232b/a'],
        ['3874257BF59B2C2BF10000000000000000000000000000000000', '(8004)061414132a/b', '(8004)061414132b/a'],
        ['3974257BF46072CD9615F8800000000000000000000000000000', '(414)0614141123452', '(414)0614141543212'],
        [bits(198, 0x36, 5, [614141, 24], [712345, 20], text('32a/b', 140)), '(01)70614141123451(21)32a/b', '(01)70614141123451(21)32a/c'],
        [bits(198, 0x36, 5, [614141, 24], [712345, 20], text('ABCDEFGHIJKLMNOPQRST', 140)), '(01)70614141123451(21)ABCDEFGHIJKLMNOPQRST', '(01)05901234123457(21)ABCDEFGHIJKLMNOPQRST'],
        [bits(170, 0x37, 5, [614141, 24], [12345, 20], text('32a/b', 112)), '(8003)0061414112345232a/b', '(8003)0061414112345232a/c'],
        [bits(202, 0x38, 5, [614141, 24], text('32a/b', 164)), '(8004)061414132a/b', '(8004)061414132a/c'],
        [bits(195, 0x39, 5, [614141, 24], [12345, 17], text('32a/b', 140)), '(414)0614141123452', '(414)0614141543212'],
        [bits(174, 0x3e, 5, [614141, 24], [12345, 17], text('ABCDefgh012345678', 119)), '(253)0614141123452ABCDefgh012345678', '(253)0614141123452ABCDefgh012345679'],
    ];
    const matrix = (data) => `^FO200,200^BXN,6,200,,,,_^FD_1${data.replace(/[()]/g, '')}^FS`; // they are too long for bars
    for (const [hex, same, other] of cases)
        assert.deepEqual([check(tag(hex) + matrix(same)), check(tag(hex) + matrix(other))], [[], DIFFERS], same);
    for (const wrong of [bits(198, 0x36, 7, [614141, 24], [712345, 20], text('32a', 140)), bits(198, 0x36, 5, [614141, 24], [712345, 20], text('32 a', 140)), bits(198, 0x36, 5, [614141, 24], [712345, 20], text('32\0a', 140)), bits(198, 0x36, 5, [614141, 24], [712345, 20], text('', 140)), bits(198, 0x36, 5, [614141, 24], [712345, 20], text('32a', 140)).slice(0, -1) + '1'])
        assert.deepEqual(check(tag(wrong) + gs1('(01)70614141123451')), WRONG, wrong);
});

test('the EPC comes from another field by ^FN, from a recalled format, or is its own default', () => {
    const waits = '^RFW,H,2,12,1^FN7^FS', hex = '3034257BF7194E4000001A85', right = gs1('(01)80614141123458(21)6789'), other = gs1('(01)80614141123458(21)6790');
    assert.deepEqual(check(`${waits}${right}^FN7^FD${hex}^FS`), []);
    assert.deepEqual(check(`${waits}${other}^FN7^FD${hex}^FS`), DIFFERS);
    assert.deepEqual(check(`^FN7^FD${hex}^FS${waits}${other}`), DIFFERS);
    assert.deepEqual(check(`^RFW,H,2,12,1^FN7^FD${hex}^FS${other}`), DIFFERS);
    assert.deepEqual(check(`^DFR:TAG.ZPL^FS${waits}${other}^XZ^XA^XFR:TAG.ZPL^FS^FN7^FD${hex}^FS`), DIFFERS);
    assert.deepEqual(check(`^DFR:TAG.ZPL^FS${waits}${right}^XZ^XA^XFR:TAG.ZPL^FS^FN7^FD${hex}^FS`), []);
    assert.deepEqual(check(waits + other), ['warning field_empty'], 'nothing gives data to it');
    assert.deepEqual(check(`${waits}${other}^FN7^FD${hex}^SN${hex},1,Y^FS`), [], 'it differs from label to label');
});

test('what is no EPC of these schemes is left alone: other headers, lengths, banks and formats', () => {
    for (const field of ['^RFW,H^FDE2801160600002081234ABCD^FS', '^RFW,H^FD3034^FS', '^RFW,A^FD3034257BF7194E4000001A85^FS', '^RFW,H,0,12,3^FD3034257BF7194E4000001A85^FS', '^RFR,H^FN1^FS'])
        assert.deepEqual(check(field + '^FO60,200^BY3^BEN,160,N^FD5901234123457^FS'), [], field);
});

test('a serial number that stands in another symbol, before its key or as the extension of a place', () => {
    const item = tag('3034257BF7194E4000001A85'), place = tag(epc(0x32, 5, [614141, 24], [12345, 17], [400, 41])), none = tag(epc(0x32, 5, [614141, 24], [12345, 17], [0, 41]));
    const two = (a, b) => gs1(a) + gs1(b).replace('^FO60,200', '^FO60,500');
    assert.deepEqual([check(item + two('(01)80614141123458', '(21)6789')), check(item + two('(01)80614141123458', '(21)6790'))], [[], DIFFERS]);
    assert.deepEqual([check(item + two('(21)6789', '(01)80614141123458')), check(item + two('(21)6790', '(01)80614141123458'))], [[], DIFFERS]);
    assert.deepEqual([check(item + gs1('(21)6789>8(01)80614141123458')), check(item + gs1('(21)6790>8(01)80614141123458'))], [[], DIFFERS]);
    assert.deepEqual(check(item + two('(01)80614141123458(21)6789', '(00)106141412345678908')), []);
    assert.deepEqual([check(place + gs1('(414)0614141123452(254)400')), check(place + gs1('(414)0614141123452(254)401')), check(place + gs1('(414)0614141123452'))], [[], DIFFERS, []]);
    assert.deepEqual([check(none + gs1('(414)0614141123452')), check(none + gs1('(414)0614141123452(254)400'))], [[], DIFFERS]);
});

test('an EPC with digits lost or too many is told; zeros up to the size of the memory are none', () => {
    const hex = '3034257BF7194E4000001A85', item = gs1('(01)80614141123458(21)6789'), LENGTH = ['warning gs1_value'];
    for (const wrong of [hex.slice(0, -1), hex.slice(0, -2), hex.slice(0, -4), `${hex}1234`, `${hex}0`.padEnd(68, '0')]) assert.deepEqual(check(tag(wrong) + item), LENGTH, wrong);
    assert.deepEqual(check(tag('3674257BF6B7A659B2C2BF10') + item), LENGTH, 'an SGTIN-198 of 96 bits');
    for (const right of [`${hex}0000`, `${hex}00000000`]) assert.deepEqual([check(tag(right) + item), check(tag(right) + gs1('(01)80614141123458(21)6790'))], [[], DIFFERS], right);
    for (const other of ['3034', '303132333435363738']) assert.deepEqual([check(tag(other) + item), notes(tag(other) + item)], [[], 1], `${other} may be something else: characters, or part of a number`);
});

test('the schemes of version 2: their key is compared, and what is not compared is told', () => {
    const cases = [ // the standard's own examples
        ['F73795211411234538566CB0AFC4', '(01)79521141123453', '(01)80614141123458'], ['FB342CDE795211411234538566CB0AFC4000', '(01)79521141123453', '(01)80614141123458'],
        ['F90095201234567891235000', '(00)095201234567891235', '(00)106141412345678908'], ['F2395211411234548566CB0AFC40', '(414)9521141123454', '(414)0614141123452'],
        ['F13095211411234548566CB0AFC4', '(8003)09521141123454', '(8003)00614141123452'], ['F6395211411234540458B800', '(253)9521141123454', '(253)0614141123452'],
        ['F43952114112345678906000', '(8018)952114112345678906', '(8018)061414112345678902'], ['F53952114112345678906000', '(8017)952114112345678906', '(8017)061414112345678902'],
    ];
    for (const [hex, same, other] of cases) {
        assert.deepEqual([check(tag(hex) + gs1(same)), notes(tag(hex) + gs1(same))], [[], 1], same);
        assert.deepEqual(check(tag(hex) + gs1(other)), DIFFERS, other);
    }
    for (const hex of ['FA3952114132E83C2BF10000', 'F0395211415E87A145BAFB4D19A8C0E4', 'F839521141678909509338', 'F3309521141123454010266AE27FDF35', 'F737952114112', 'F7ABCDEF0123456789ABCDEF'])
        assert.deepEqual([check(tag(hex) + gs1('(01)80614141123458')), notes(tag(hex) + gs1('(01)80614141123458'))], [[], 1], hex);
});

test('EAN and UPC without their check digit have a GTIN all the same, as UPC-E has', () => {
    const link = (gtin) => `^FO200,500^BQN,2,5^FDMA,https://id.example.com/01/${gtin}^FS`, bars = (code) => `^FO100,200^BY3^${code}^FS`;
    const symbols = { 'BEN,160,Y,N^FD590123412345': '05901234123457', 'BEN,160,Y,N^FD5901234123457': '05901234123457', 'BUN,160,Y,N,Y^FD03600029145': '00036000291452', 'B8N,160,Y,N^FD9638507': '00000096385074',
        'B9N,160,Y,N,Y^FD0123455': '00012345000058', 'B9N,160,Y,N,Y^FD01234558': '00012345000058', 'B9N,160,Y,N,Y^FD1234500005': '00012345000058' };
    for (const [code, gtin] of Object.entries(symbols))
        assert.deepEqual([check(bars(code) + link(gtin)), check(bars(code) + link('09501101530003'))], [[], DIFFERS], code);
    const item = tag('3034257BF7194E4000001A85');
    assert.deepEqual([check(item + bars('BEN,160,Y,N^FD061414112345')), check(item + bars('BEN,160,Y,N^FD590123412345'))], [[], DIFFERS]);
});
