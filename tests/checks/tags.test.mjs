// The EPC that ^RF writes to a radio tag is decoded and compared with the barcodes of the label.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
function check(label) {
    const { files } = JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', '--width-mm', '100', '--height-mm', '100'], { input: `^XA${label}^XZ`, encoding: 'utf8' }).stdout);
    return files[0].warnings.filter((w) => w.severity !== 'info').map((w) => `${w.severity} ${w.code}`);
}

// Bits of an EPC as 24 hexadecimal digits: header, filter 1, partition, and numbers with their bits.
function epc(header, partition, ...numbers) {
    let value = 0n, length = 0;
    for (const [number, bits] of [[header, 8], [1, 3], [partition, 3], ...numbers]) {
        value = (value << BigInt(bits)) | BigInt(number);
        length += bits;
    }
    assert.equal(length, 96);
    return value.toString(16).toUpperCase().padStart(24, '0');
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

test('what is no EPC of these schemes is left alone: other headers, lengths, banks and formats', () => {
    for (const field of ['^RFW,H^FDE2801160600002081234ABCD^FS', '^RFW,H^FD3034^FS', '^RFW,H^FDXYZ4257BF7194E4000001A85^FS', '^RFW,A^FD3034257BF7194E4000001A85^FS', '^RFW,H,0,12,3^FD3034257BF7194E4000001A85^FS', '^RFR,H^FN1^FS'])
        assert.deepEqual(check(field + '^FO60,200^BY3^BEN,160,N^FD5901234123457^FS'), [], field);
});
