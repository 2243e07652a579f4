// TSPL as other programs write it, the barcodes read back, and BITMAP pages beside ^GF, through the command line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { labels } from 'label-printer';
import generator from 'tspl-generator';

const { Font, MeasurementSystem, TSPLPrinter } = generator;
const work = mkdtempSync(path.join(tmpdir(), 'tspl-'));
after(() => rmSync(work, { recursive: true, force: true }));

/** Runs the program; its standard output, whatever its status is. */
function platen(...args) {
  const result = spawnSync('build/platen', args, { maxBuffer: 1 << 26 });
  assert.equal(result.signal, null, String(result.stderr));
  return result.stdout;
}

let files = 0;
function saved(bytes) {
  const file = path.join(work, `${files++}.tspl`);
  writeFileSync(file, bytes, 'latin1');
  return file;
}

const language = (bytes) => JSON.parse(platen('render', '--format', 'json', '--page', '0', '-q', saved(bytes)).toString() || '{}').language;
const inspected = (bytes) => JSON.parse(platen('inspect', '--json', '--size', 'auto', saved(bytes)));
const codes = (description) => description.warnings.map((w) => w.code);

/** Findings of the checks that make a barcode unreadable, or another one. */
function unreadable(file) {
  const found = JSON.parse(platen('check', '--size', 'auto', '--format', 'json', file));
  return JSON.stringify(found).match(/"(symbol_unreadable|symbol_data_differs|symbol_not_read|barcode_unencodable|bars_cut)"/g) ?? [];
}

test('labels of tspl-generator', () => {
  const label = new TSPLPrinter(MeasurementSystem.METRIC);
  label.initialize({ width: 100, height: 60, speed: 4, density: 8, gap: 3 });
  label.addText({ x: 10, y: 10, font: Font.FONT_3, text: 'Hello World!' });
  label.addBarcode(50, 60, '128', 60, '12345678', 1);
  label.addQRCode(400, 60, 'https://example.com', 'M', 4);
  label.addBox(5, 5, 700, 400, 2).addCircle(600, 60, 60, 2).addEllipse(600, 200, 80, 50, 2);
  label.addBitmap(500, 300, 2, 2, '\x00\xff\x0f\xf0');
  label.print(2);
  const description = inspected(label.getBuffer());
  assert.equal(language(label.getBuffer()), 'tspl');
  assert.deepEqual(codes(description).filter((code) => !code.startsWith('quiet_zone')), []);
  assert.deepEqual(description.labels.map((l) => l.copies), [2]);
  const { elements } = description.labels[0];
  const text = elements.find((e) => e.type === 'text');
  assert.equal(text.text, 'Hello World!');
  const barcodes = elements.filter((e) => e.type === 'barcode');
  assert.deepEqual(barcodes.map((e) => [e.symbology, e.text]), [['code128', '12345678'], ['qr', 'https://example.com']]);
  assert.deepEqual(unreadable(saved(label.getBuffer())), []);
});

test('what tspl-generator writes that is no TSPL is reported: LINE, and letters for alignments', () => {
  const label = new TSPLPrinter(MeasurementSystem.METRIC);
  label.initialize({ width: 100, height: 60, speed: 4, density: 8, gap: 3 });
  label.addTextBlock(10, 10, 300, 100, Font.FONT_2, 'wrapped text', 0, 1, 1, 2, 'C');
  label.addLine(10, 210, 300, 210, 3);
  label.print(1);
  assert.deepEqual(codes(inspected(label.getBuffer())).sort(), ['parameter_invalid', 'unknown_command']);
});

test('labels of label-printer', async () => {
  const label = new labels.Label(60, 40);
  label.add(new labels.Text('Hello', 20, 20, false), new labels.BarCode('123456789', 20, 80, '128', 60), new labels.QRCode('https://example.com', 300, 40, 150));
  label.add(new labels.Line({ x: 10, y: 10 }, { x: 300, y: 10 }, 3), new labels.Line({ x: 10, y: 200 }, { x: 200, y: 300 }, 3));
  const parts = [];
  const device = { writeString: async (s) => parts.push(Buffer.from(s, 'latin1')), writeData: async (d) => parts.push(Buffer.from(d)) };
  await (await label.fullPrintCommand('tspl', 3, 0, 1)).writeTo(device);
  const bytes = Buffer.concat(parts);
  const description = inspected(bytes);
  assert.equal(language(bytes), 'tspl');
  assert.ok(!codes(description).includes('unknown_command'), JSON.stringify(description.warnings));
  const { elements } = description.labels[0];
  assert.deepEqual(elements.map((e) => e.type).sort(), ['barcode', 'barcode', 'box', 'line', 'text']);
  assert.deepEqual(unreadable(saved(bytes)), []);
});

test('every type of barcode is read back with its data', () => {
  const file = 'tests/golden/tspl/barcodes.tspl';
  const commands = readFileSync(file, 'latin1').split(/\r?\n/).filter((line) => /^(BARCODE|QRCODE|DMATRIX|PDF417|MPDF417|AZTEC|MAXICODE|RSS|CODABLOCK|TLC39) /.test(line));
  assert.ok(commands.length >= 39);
  const { labels: [label] } = JSON.parse(platen('inspect', '--json', '--size', 'auto', file));
  const supplements = commands.filter((line) => /\+[25]"/.test(line)).length;
  assert.equal(label.elements.filter((e) => e.type === 'barcode').length, commands.length + supplements);
  assert.deepEqual(unreadable(file), []);
});

test('modules of a barcode are those of ZPL with the same parameters', () => {
  const same = [
    ['BARCODE 40,40,"128",60,0,0,2,2,"ABC123"', '^FO40,40^BCN,60,N^BY2^FDABC123^FS', '^BY2'],
    ['BARCODE 40,40,"39",60,0,0,2,6,"ABC123"', '^FO40,40^B3N,N,60,N^FDABC123^FS', '^BY2,3'],
    ['BARCODE 40,40,"25",60,0,0,2,5,"123456"', '^FO40,40^B2N,60,N^FD123456^FS', '^BY2,2.5'],
    ['BARCODE 40,40,"93",60,0,0,3,3,"ABC123"', '^FO40,40^BAN,60,N^FDABC123^FS', '^BY3'],
    ['BARCODE 40,40,"CODA",60,0,0,2,4,"A123A"', '^FO40,40^BKN,N,60,N,N,A,A^FD123^FS', '^BY2,2'],
    ['DMATRIX 40,40,200,200,x5,"DATA"', '^FO40,40^BXN,5,200^FDDATA^FS', ''],
    ['AZTEC 40,40,0,4,"DATA"', '^FO40,40^BON,4^FDDATA^FS', ''],
  ];
  for (const [tspl, zpl, by] of same) {
    const a = platen('render', saved(`CLS\n${tspl}\nPRINT 1\n`), '--width-mm', '60', '--height-mm', '30', '--language', 'tspl', '-q');
    writeFileSync(path.join(work, 'same.zpl'), `^XA${by}${zpl}^XZ`);
    const b = platen('render', path.join(work, 'same.zpl'), '--width-mm', '60', '--height-mm', '30', '-q');
    assert.ok(a.length > 100 && a.equals(b), tspl);
  }
});

test('Chinese characters are squares: two cells wide', (t) => {
  const right = (font, count) => {
    const text = Buffer.concat([Buffer.from(`SIZE 100 mm,30 mm\nCLS\nTEXT 20,20,"${font}",0,1,1,"`), ...Array.from({ length: count }, () => Buffer.from([0xc4, 0xe3])), Buffer.from('H"\nPRINT 1\n')]);
    const description = inspected(text), [element] = description.labels[0].elements;
    return codes(description).includes('glyph_missing') ? undefined : element.x + element.width;
  };
  if (right('TSS24.BF2', 1) === undefined) return t.skip('no font with Chinese characters');
  for (const [font, cell] of [['TSS16.BF2', 16], ['TSS20.BF2', 20], ['TSS24.BF2', 24], ['TSS32.BF2', 32]])
    assert.equal(right(font, 11) - right(font, 1), 10 * cell, font);
});

const samples = path.join(process.env.PLATEN_SHARED ?? '../shared', 'languages/tspl/samples');
test('every sample is recognised as TSPL', { skip: existsSync(samples) ? false : 'there is no reference data' }, () => {
  for (const name of readdirSync(samples).filter((n) => n.endsWith('.tspl'))) {
    const bytes = readFileSync(path.join(samples, name));
    const description = inspected(bytes);
    // One is a program with a loop, which is not run: it has no label, and so no description.
    if (description.labels.length > 0) assert.equal(language(bytes), 'tspl', name);
    assert.ok(!codes(description).includes('unknown_command'), name);
  }
});
