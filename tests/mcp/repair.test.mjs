// Broken labels are repaired by check_label's fixes alone, applied until nothing is left: no model takes part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFixes as apply } from './fixes.mjs';
import { StdioSession } from './session.mjs';

const SIZE = { widthMm: 100, heightMm: 50 };
const ROUNDS = 12;
const TEXT = '^FO50,300^A0N,30,30^FDText^FS';
// name: the code, and arguments beside the size.
const LABELS = {
  'no end of the format': ['^XA^FO50,50^A0N,30,30^FDHello^FS'],
  'a format inside another': ['^XA^FO50,50^A0N,30,30^FDOne^FS\n^XA^FO50,50^A0N,30,30^FDTwo^FS^XZ'],
  'no end of a field': ['^XA^FO50,50^A0N,30,30^FDOne\n^FO50,100^A0N,30,30^FDTwo^FS^XZ'],
  'three fields without an end': ['^XA^FO50,50^A0N,30,30^FDOne^FO50,100^A0N,30,30^FDTwo^FO50,150^A0N,30,30^FDThree^FS^XZ'],
  'a command that is mistyped': ['^XA^F050,50^A0N,30,30^FDHello^FS' + TEXT + '^XZ'],
  'a command that does not exist': ['^XA^QX1,2^FO50,50^A0N,30,30^FDHello^FS^XZ'],
  'a number beyond its range': ['^XA^FO50,50^GB200,100,5,B,9^FS^XZ'],
  'a colour that is none': ['^XA^FO50,50^GB200,100,5,Q^FS^XZ'],
  'an orientation that is none': ['^XA^FO50,50^A0X,30,30^FDHello^FS^XZ'],
  'an alignment that is none': ['^XA^FO50,50^FB300,2,0,Q^A0N,30,30^FDHello^FS^XZ'],
  'a number with a minus sign': ['^XA^FO50,50^GB100,100,-5^FS^XZ'],
  'a QR model that is none': ['^XA^FO50,50^BQN,5,5^FDQA,HELLO^FS^XZ'],
  'text before the format': ['FOO ^XA^FO50,50^A0N,30,30^FDHi^FS^XZ'],
  'a block with an alignment beyond its range': ['^XA^FO50,50^TBN,300,0^A0N,30,30^FDHi^FS^FO50,200^GB50,50,3,B,12^FS^XZ'],
  'a question to the printer': ['^XA^HH^FO90,90^A0N,30,30^FDHi^FS^XZ'],
  'UTF-8 without ^CI28': ['^XA^FO50,50^A0N,30,30^FDGrüße aus Zürich^FS^XZ'],
  'UTF-8 in two labels': ['^XA^FO50,50^A0N,30,30^FDé^FS^XZ\n^XA^FO50,50^A0N,30,30^FDü^FS^XZ'],
  'text beyond the right edge': ['^XA^FO780,50^A0N,30,30^FDHello world^FS^XZ'],
  'text beyond the lower edge': ['^XA^FO50,395^A0N,30,30^FDHello world^FS^XZ'],
  'text beyond a corner': ['^XA^FO790,390^A0N,30,30^FDHello^FS^XZ'],
  'text above the label by ^FT': ['^XA^FT50,5^A0N,30,30^FDHello^FS^XZ'],
  'a box beyond the right edge': ['^XA^FO700,50^GB200,100,5^FS^XZ'],
  'a barcode without a quiet zone at the left': ['^XA^FO2,50^BY3^BCN,100,Y,N,N^FD12345678^FS^XZ'],
  'a barcode without a quiet zone at the right': ['^XA^FO560,50^BY3^BCN,100,Y,N,N^FD12345678^FS^XZ'],
  'a barcode that the edge cuts': ['^XA^FO700,50^BY2^BCN,100,Y,N,N^FD12345678^FS^XZ'],
  'modules of one dot': ['^XA^FO50,50^BY1^BCN,100,Y,N,N^FD12345678^FS^XZ'],
  'modules of one dot in Code 39': ['^XA^FO50,50^BY1^B3N,N,100,Y,N^FDABC123^FS^XZ'],
  'modules below the least width': ['^XA^FO50,50^BY2^BCN,100,Y,N,N^FD1234^FS^XZ', { minModuleMm: 0.37 }],
  'a wrong check digit of EAN-13': ['^XA^FO50,50^BY3^BEN,100,Y,N^FD4006381333932^FS^XZ'],
  'a wrong check digit of UPC-A': ['^XA^FO50,50^BY3^BUN,100,Y,N^FD036000291453^FS^XZ'],
  'a wrong check digit of EAN-8': ['^XA^FO50,50^BY3^B8N,100,Y,N^FD96385075^FS^XZ'],
  'a QR Code without level and mode': ['^XA^FO50,50^BQN,2,5^FDhttps://example.com/4711^FS^XZ'],
  'a wrong check digit of GS1-128': ['^XA^FO50,50^BY3^BCN,100,Y,N,N,D^FD(01)09506000134353^FS^XZ'],
  'UPC-A with too few digits': ['^XA^FO50,50^BY3^BUN,100,Y,N^FD123^FS^XZ'],
  'EAN-13 with too many digits': ['^XA^FO50,50^BY3^BEN,100,Y,N^FD40063813339311234^FS^XZ'],
  'small letters in Code 39': ['^XA^FO50,50^BY3^B3N,N,100,Y,N^FDabc^FS^XZ'],
  'a block with too few lines': ['^XA^FO90,90^FB100,1,0,L^A0N,30,30^FDHi there my friend^FS^XZ'],
  'a block with much too few lines': ['^XA^FO90,20^FB90,1,0,L^A0N,30,30^FDone two three four five six seven^FS^XZ'],
  'bars that a rule finds too low': ['^XA^FO80,50^BY3^BEN,40,Y,N^FD4006381333931^FS^XZ', { rules: 'gs1-retail' }],
  'a wrong number before the data of a graphic': ['^XA^FO50,50^GFA,8,8,1x,FFFFFFFFFFFFFFFF^FS^XZ'],
  'a wrong number in a stored graphic': ['~DYR:A,A,G,8x,1,FFFFFFFFFFFFFFFF\n^XA^FO50,50^XGR:A.GRF,1,1^FS^XZ'],
  'an EAN near the edge, whose first digit goes out with wider bars': ['^XA^FO30,80^BEN,80,Y,N^FD590123412345^FS^XZ'],
  'several things at once': ['^XA^FO790,50^A0N,30,30^FDGrüße^FS^FO2,100^BY1^BEN,100,Y,N^FD4006381333932^FS'],
  'several labels, each with something else': ['^XA^FO790,50^A0N,30,30^FDOne^FS^XZ\n^XA^FO50,50^A0X,30,30^FDTwo^FS^XZ\n^XA^FO50,50^A0N,30,30^FDThree'],
};

const names = Object.keys(LABELS);

test('there are at least 30 broken labels, and each is found broken and is repaired', async (t) => {
  assert.ok(names.length >= 30);
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  for (const name of names) {
    await t.test(name, async () => {
      const [broken, more] = LABELS[name];
      let code = broken;
      let { findings } = await session.json('check_label', { zpl: code, ...SIZE, ...more });
      assert.notEqual(findings.length, 0, 'it is not broken');
      for (let round = 0; round < ROUNDS && findings.length > 0; round++) {
        const next = apply(code, findings);
        assert.notEqual(next, code, `nothing changes: ${JSON.stringify(findings)}`);
        code = next;
        ({ findings } = await session.json('check_label', { zpl: code, ...SIZE, ...more }));
      }
      assert.deepEqual(findings, [], code);
      // It still prints what was written.
      const picture = await session.json('render_label', { zpl: code, ...SIZE });
      assert.ok(picture.labels >= 1);
    });
  }
});

// Of real labels that were read well a note's fix made some that were not.
test('a barcode is not made larger where other things are printed, nor where a unit is two dots', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const fixes = async (zpl) => (await session.json('check_label', { zpl, ...SIZE, rules: 'gs1-retail' })).findings.flatMap(({ fix }) => fix?.title ?? []);
  const narrow = '^XA^FO50,50^BY1^BCN,100,N,N,N^FD12345678^FS';
  const low = '^XA^FO80,50^BY3^BEN,40,N,N^FD4006381333931^FS';
  assert.match((await fixes(`${narrow}^XZ`)).join(), /^Write \^BY\d before \^BC$/);
  assert.match((await fixes(`${low}^XZ`)).join(), /^Make the bars \d+ dots high$/);
  for (const zpl of [
    `${narrow}^FO190,70^A0N,40^FDText^FS^XZ`, // behind the bars
    `${narrow}^FO10,30^GB780,150,2^FS^FO250,30^GB2,150,2^FS^XZ`, // a line within a frame
    `${low}^FO80,120^A0N,40^FDText^FS^XZ`, // below them
    `^XA^JMB^FO50,50^BY1^BCN,50,N,N,N^FD1234^FS^XZ`, `^XA^JMB^FO80,50^BY3^BEN,20,N,N^FD4006381333931^FS^XZ`,
  ]) assert.deepEqual(await fixes(zpl), [], zpl);
});

test('FNC1 that is missing at several places is put into each by one fix', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  for (const [data, want] of [
    ['(400)ORDER12(10)AB(17)251231', '(400)ORDER12>8(10)AB>8(17)251231'],
    ['(400)ORDER12(10)AB>8(17)251231(21)A(240)B', '(400)ORDER12>8(10)AB>8(17)251231(21)A>8(240)B'],
    ['(400)A(10)B(21)C(240)D(250)E(241)F', '(400)A>8(10)B>8(21)C>8(240)D>8(250)E(241)F'], // as many edits as a fix has room for
  ]) {
    const zpl = `^XA^FO40,50^BY1^BCN,100,N,N,N,D^FD${data}^FS^FO40,250^A0N,30,30^FD(17)^FS^XZ`;
    const { findings } = await session.json('check_label', { zpl, ...SIZE });
    const missing = findings.filter(({ code }) => code === 'gs1_syntax');
    assert.equal(missing.length, 1, data);
    assert.equal(apply(zpl, missing), zpl.replace(data, want));
  }
});

test('fixedZpl is the code with the fixes', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const zpl = '^XA^FO790,50^A0N,30,30^FDGrüße^FS^FO100,100^BY3^BEN,100,Y,N^FD4006381333932^FS^XZ';
  const { findings, fixes, fixedZpl } = await session.json('check_label', { zpl, ...SIZE, fix: true });
  assert.equal(findings.filter((finding) => finding.fix).length, fixes);
  assert.equal(fixedZpl, apply(zpl, findings));
  assert.deepEqual((await session.json('check_label', { zpl: fixedZpl, ...SIZE })).findings, []);
});

test('code that changes its own prefix is left alone', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const { findings } = await session.json('check_label', { zpl: '^XA^CC/ /FO790,50/A0N,30,30/FDHello/FS/XZ', ...SIZE });
  assert.ok(findings.length > 0 && findings.every((finding) => !finding.fix));
});

test('findings name commands of the language of the label', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  for (const [zpl, code, bars] of [
    ['SIZE 100 mm,50 mm\nCLS\nQRCODE 99,20,H,6,A,0,M1,"ABC"\nBARCODE 99,220,"25C",80,1,0,2,4,"04012345678901"\nPRINT 1\n', 'QRCODE', 'BARCODE'],
    ['! 0 200 200 400 1\r\nBARCODE QR 99 20 M 1 U 6\r\nMA,ABC\r\nENDQR\r\nBARCODE I2OF5C 2 2 80 99 220 04012345678901\r\nPRINT\r\n', 'BARCODE', 'BARCODE'],
    ['\nN\nb99,20,Q,m1,s6,"ABC"\nB99,220,0,2C,2,4,80,N,"04012345678901"\nP1\n', 'b', 'B'],
  ]) {
    const { findings } = await session.json('check_label', { zpl, widthMm: 100, heightMm: 50 });
    const commands = (name) => findings.filter((finding) => finding.code === name).map((finding) => finding.command);
    assert.deepEqual([commands('symbology_obsolete'), commands('check_digit_wrong')], [[code], [bars]]);
    for (const { command, offset, message } of findings) {
      assert.ok(zpl.startsWith(command, offset), command);
      assert.doesNotMatch(message, /[\^~][A-Z]|ZPL/);
    }
  }
});
