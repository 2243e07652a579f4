// `platen fmt`, `platen image`, `platen font` and the pages of PDFs on the command line; and whether a barcode in a picture that looks
// like a photograph can still be read after it became label code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

prepareZXingModule({
  overrides: { wasmBinary: readFileSync(new URL('../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)).buffer },
});
const work = mkdtempSync(join(tmpdir(), 'convert-'));
after(() => rmSync(work, { recursive: true }));
const platen = join(process.env.PLATEN_BUILD || 'build', 'platen');
const at = (name) => join(work, name);
function run(...args) {
  const { status, stdout, stderr } = spawnSync(platen, args, { maxBuffer: 1 << 28 });
  return { status, out: stdout.toString('latin1'), bytes: stdout, err: stderr.toString() };
}
function ok(...args) {
  const result = run(...args);
  assert.equal(result.status, 0, `${args.join(' ')}: ${result.err}`);
  return result;
}
const readPng = (name) => PNG.sync.read(readFileSync(at(name)));

// Rotation and rescaling said what they could not keep, and wrote it all the same.
test('fmt --strict writes nothing where something could not be kept', () => {
  writeFileSync(at('qr.zpl'), '^XA^FO10,10^BQN,2,4^FDMA,hello^FS^XZ');
  const refused = run('fmt', '--strict', '--rotation', '90', at('qr.zpl'));
  assert.equal(refused.status, 1);
  assert.equal(refused.out, '');
  assert.match(refused.err, /cannot be rotated/);
  assert.match(ok('fmt', '--strict', '--rotation', '180', at('qr.zpl')).out, /\^POI/);
});

// Messages about these limits lacked the code of the service's answer and the option.
test('fmt: a limit is reported with its code and its option', () => {
  writeFileSync(at('limit.zpl'), '^XA^FO1,1^FD{{v}}^FS^XZ');
  assert.match(run('fmt', '--rotation', '90', '--width-mm', '5000', '--height-mm', '5000', at('limit.zpl')).err, /\[invalid_parameter\] \(--max-dots\)/);
  writeFileSync(at('rows.csv'), 'v\n' + 'x\n'.repeat(100001));
  assert.match(run('fmt', '--fill', at('rows.csv'), at('limit.zpl')).err, /more than 100000 rows of values\. \[limit_exceeded\]\n/);
});

// A colour that tRNS makes transparent was ink.
test('image: a transparent colour of a grey or RGB PNG is no ink', () => {
  const chunk = (type, data) => {
    const head = Buffer.alloc(8), body = Buffer.from(data);
    head.writeUInt32BE(body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body, Buffer.alloc(4)]);
  };
  const png = (depth, colour, key, row) => Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', [0, 0, 0, 2, 0, 0, 0, 1, depth, colour, 0, 0, 0]), chunk('tRNS', key),
    chunk('IDAT', deflateSync(Buffer.from([0, ...row]))), chunk('IEND', [])]);
  const pictures = { grey8: png(8, 0, [0, 7], [7, 8]), grey16: png(16, 0, [1, 7], [1, 7, 1, 8]), grey1: png(1, 0, [0, 1], [0b10000000]),
    rgb8: png(8, 2, [0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0]), rgb16: png(16, 2, [0, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0]) };
  for (const [name, bytes] of Object.entries(pictures)) {
    writeFileSync(at(`${name}.png`), bytes);
    const zpl = ok('image', at(`${name}.png`), '--coding', 'hex', '--dither', 'threshold').out;
    assert.match(zpl, /\^GFA,1,1,1,40/, `${name}: ${zpl}`);
  }
});

test('fmt: to standard output, in place, as a check', () => {
  writeFileSync(at('a.zpl'), '^XA^FO1,2^GB3,4,5^FS^XZ');
  assert.equal(ok('fmt', at('a.zpl')).out, '^XA\n^FO1,2^GB3,4,5^FS\n^XZ\n');
  assert.equal(run('fmt', '--check', at('a.zpl')).status, 1);
  ok('fmt', '-w', at('a.zpl'));
  assert.equal(run('fmt', '--check', at('a.zpl')).status, 0);
  assert.equal(ok('fmt', '--minify', at('a.zpl')).out, '^XA^FO1,2^GB3,4,5^FS^XZ');
  assert.match(ok('fmt', '--explain', at('a.zpl')).out, /\^GB {2}Box or line: width 3 dots/);
  writeFileSync(at('rows.csv'), 'a,b\n1,2\n');
  writeFileSync(at('t.zpl'), '^XA^FO1,1^FD{{a}}{{b}}{{c}}^FS^XZ');
  const missing = run('fmt', '--fill', at('rows.csv'), at('t.zpl'));
  assert.equal(missing.status, 1);
  assert.equal(missing.out, '');
  assert.match(missing.err, /rows\.csv: there is no value for 'c' \(for .*t\.zpl\)/);
  writeFileSync(at('rows.csv'), 'a,b,c\n1,2,\n');
  assert.equal(ok('fmt', '--fill', at('rows.csv'), at('t.zpl')).out, '^XA\n^FO1,1^FD12^FS\n^XZ\n');
  assert.equal(run('fmt', '--to', '99', at('a.zpl')).status, 2);
  assert.equal(ok('fmt', '--explain', '--to', '12', '--minify', '--fill', at('missing.csv'), '--rotation', '90', '--language', 'tspl', at('a.zpl')).err,
    ['--minify', '--fill', '--rotation', '--language', '--to'].map((name) => `platen: ${name} has no effect with --explain; it was ignored\n`).join(''));
  assert.equal(ok('fmt', '--extract', 'csv', '--graphics', 'hex', '--rotation', '90', at('a.zpl')).err, 'platen: --graphics has no effect with --extract; it was ignored\n');
  // What HTTP names is named here, too.
  const useless = (...args) => ok(...args).err.split('\n').filter(Boolean).map((line) => /^platen: (--\S+) has no effect (?:with --\w+|on this output); it was ignored$/.exec(line)?.[1]);
  assert.deepEqual(useless('fmt', '--explain', '--width-mm', '50', '--profile', 'printer', '--time', '5', at('a.zpl')), ['--width-mm', '--profile', '--time']);
  assert.deepEqual(useless('fmt', '--extract', 'csv', '--profile', 'printer', '--time', '5', '--size', 'auto', '--quality', 'grayscale', at('a.zpl')), ['--quality']);
  assert.deepEqual(useless('fmt', '--rules', 'ups', '--size', 'auto', '--width-mm', '50', at('a.zpl')), ['--rules', '--size']);
  assert.deepEqual(useless('fmt', '--to-language', 'tspl', '--size', 'auto', at('a.zpl')), []);
  writeFileSync(at('dot.pbm'), 'P1 1 1 1');
  assert.deepEqual(useless('image', '--rules', 'ups', '--rotation', '90', at('dot.pbm')), ['--rules']);
  assert.match(ok('render', '--page-size', 'A4', '-o', at('a.png'), at('a.zpl')).err, /options of a PDF's pages have no effect on this output/);
  assert.equal(run('fmt', at('missing.zpl')).status, 1);
});

test('a picture of every kind that platen writes comes back as the same dots', () => {
  writeFileSync(at('l.zpl'), '^XA^FO20,20^A0N,60^FDPicture^FS^FO20,90^BY3^BCN,60^FD1234^FS^FO300,20^GC90,5^FS^XZ');
  const size = ['--width-mm', '60', '--height-mm', '25'];
  ok('render', at('l.zpl'), '-o', at('l.png'), ...size);
  for (const kind of ['png', 'jpeg', 'webp']) {
    ok('render', at('l.zpl'), '-o', at(`l.${kind}`), ...size);
    for (const coding of ['acs', 'hex', 'z64', 'smallest']) {
      ok('image', at(`l.${kind}`), '--coding', coding, '-o', at('back.zpl'));
      ok('render', at('back.zpl'), '-o', at('back.png'), ...size);
      assert.deepEqual(readFileSync(at('back.png')), readFileSync(at('l.png')), `${kind} as ${coding}`);
    }
  }
});

// 8 dpmm are 203 dots an inch: the picture was a dot larger than the label of the same millimetres.
test('a picture that fits millimetres is as large as a label of them', () => {
  const square = new PNG({ width: 2500, height: 2500 });
  square.data.fill(255);
  square.data.fill(0, 0, 4 * 2500); // its first row is black
  writeFileSync(at('square.png'), PNG.sync.write(square));
  for (const [dpmm, dots] of [['6', 598], ['8', 799], ['10', 1000], ['12', 1196], ['24', 2397]]) {
    const size = ['--width-mm', '100', '--height-mm', '100', '--dpmm', dpmm];
    ok('image', at('square.png'), ...size, '--exact-fit', '-o', at('square.zpl'));
    ok('render', at('square.zpl'), ...size, '-o', at('fits.png'));
    assert.equal(readPng('fits.png').width, dots);
    assert.match(readFileSync(at('square.zpl'), 'latin1'), new RegExp(`\\^GFA,\\d+,${dots * Math.ceil(dots / 8)},${Math.ceil(dots / 8)},`));
  }
});

test('a barcode in a picture like a photograph can be read after auto', async () => {
  // A label with smooth edges, twice as large as it will be, on a ground of shades with noise.
  writeFileSync(at('code.zpl'), '^XA^FO80,60^BY4^BCN,160,N^FDPHOTO-42^FS^FO80,260^BQN,2,8^FDQA,PHOTO-42^FS^XZ');
  ok('render', at('code.zpl'), '-o', at('code.png'), '--width-mm', '100', '--height-mm', '62', '--quality', 'grayscale');
  const code = readPng('code.png');
  const width = code.width + 200, height = code.height + 200, picture = new PNG({ width, height });
  let seed = 7;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      const inside = x >= 100 && y >= 100 && x < 100 + code.width && y < 100 + code.height;
      const shade = inside ? code.data[((y - 100) * code.width + x - 100) * 4] : Math.round(60 + (120 * x) / width + (seed >> 16) % 30);
      picture.data.set([shade, shade, shade, 255], (y * width + x) * 4);
    }
  }
  writeFileSync(at('photo.png'), PNG.sync.write(picture));
  for (const fit of [[], ['--width-mm', '90']]) {
    ok('image', at('photo.png'), '--dither', 'auto', ...fit, '-o', at('photo.zpl'));
    ok('render', at('photo.zpl'), '-o', at('dots.png'), '--width-mm', '130', '--height-mm', '90');
    const dots = readPng('dots.png');
    const found = await readBarcodes({ data: new Uint8ClampedArray(dots.data), width: dots.width, height: dots.height }, { tryHarder: true });
    assert.deepEqual(found.map((f) => f.text).sort(), ['PHOTO-42', 'PHOTO-42'], `fit ${fit}`);
  }
});

test('image and font refuse what they cannot read', () => {
  writeFileSync(at('bad.png'), 'no picture');
  const bad = run('image', at('bad.png'));
  assert.equal(bad.status, 1);
  assert.match(bad.err, /cannot be read: it is no PNG/);
  assert.equal(run('image').status, 2);
  assert.equal(run('image', at('l.png'), '--dither', 'x').status, 2);
  assert.match(run('font', at('bad.png')).err, /no TrueType or OpenType/);
});

// A font as a list of tables, and lists of tables as a collection.
function tablesOf(font) {
  return Array.from({ length: font.readUInt16BE(4) }, (_, i) => {
    const row = font.subarray(12 + 16 * i, 28 + 16 * i);
    return { tag: row.subarray(0, 4), sum: row.subarray(4, 8), data: font.subarray(row.readUInt32BE(8), row.readUInt32BE(8) + row.readUInt32BE(12)) };
  });
}
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
const u32 = (...values) => Buffer.concat(values.map((v) => { const b = Buffer.alloc(4); b.writeUInt32BE(v); return b; }));
function collection(fonts) {
  const parts = [];
  let at = 12 + 4 * fonts.length;
  const put = (bytes) => { parts.push(padded(bytes)); const here = at; at += padded(bytes).length; return here; };
  const places = fonts.map((font) => {
    const rows = tablesOf(font).map((t) => Buffer.concat([t.tag, t.sum, u32(put(t.data), t.data.length)]));
    return put(Buffer.concat([font.subarray(0, 12), ...rows]));
  });
  return Buffer.concat([Buffer.from('ttcf'), u32(0x10000, fonts.length, ...places), ...parts]);
}
function woff(font) {
  const tables = tablesOf(font).map((t) => ({ ...t, packed: deflateSync(t.data) })).map((t) => (t.packed.length < t.data.length ? t : { ...t, packed: t.data }));
  let at = 44 + 20 * tables.length;
  const rows = tables.map((t) => { const row = Buffer.concat([t.tag, u32(at, t.packed.length, t.data.length), t.sum]); at += padded(t.packed).length; return row; });
  const count = Buffer.alloc(4);
  count.writeUInt16BE(tables.length);
  const whole = tables.reduce((sum, t) => sum + padded(t.data).length, 12 + 16 * tables.length);
  const head = Buffer.concat([Buffer.from('wOFF'), font.subarray(0, 4), u32(at), count, u32(whole, 0x10000, 0, 0, 0, 0, 0)]);
  return Buffer.concat([head, ...rows, ...tables.map((t) => padded(t.packed))]);
}
const SANS = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
function drawnWith(file, ...options) {
  const { out } = ok('font', file, '--letter', 'Q', '--path', 'E:D.TTF', ...options);
  writeFileSync(at('drawn.zpl'), out + '^XA^FO10,10^AQN,60^FDHYi^FS^XZ', 'latin1');
  ok('render', at('drawn.zpl'), '-o', at('drawn.png'), '--width-mm', '20', '--height-mm', '10');
  return readFileSync(at('drawn.png')).toString('hex');
}

// They were refused: "it is no TrueType or OpenType file".
test('font reads WOFF, WOFF2, collections and instances of variable fonts', () => {
  const sans = readFileSync(SANS), mono = readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf');
  writeFileSync(at('mono.ttf'), mono);
  writeFileSync(at('sans.woff'), woff(sans));
  writeFileSync(at('both.ttc'), collection([sans, mono]));
  const bySans = drawnWith(SANS), byMono = drawnWith(at('mono.ttf'));
  assert.notEqual(byMono, bySans);
  assert.equal(drawnWith(at('sans.woff')), bySans);
  assert.equal(drawnWith(at('sans.woff'), '--chars', 'HYi'), bySans);
  assert.equal(drawnWith(at('both.ttc')), bySans);
  assert.equal(drawnWith(at('both.ttc'), '--face', '1'), byMono);
  assert.equal(drawnWith(at('both.ttc'), '--face', '1', '--chars', 'HYi'), byMono);
  assert.match(run('font', at('both.ttc'), '--face', '2').err, /there is no font 2/);
  const oswald = 'node_modules/@fontsource-variable/oswald/files/oswald-latin-wght-normal.woff2';
  const weights = ['ExtraLight', 'Regular', 'bold'].map((name) => drawnWith(oswald, '--instance', name));
  assert.equal(new Set([...weights, bySans]).size, 4);
  assert.equal(drawnWith(oswald), weights[1]);
  assert.match(run('font', oswald, '--instance', 'Fat').err, /no instance 'Fat'; it has ExtraLight, Light, Regular/);
  assert.match(run('font', SANS, '--instance', 'Bold').err, /it is not variable/);
  writeFileSync(at('cut.woff'), woff(sans).subarray(0, 5000));
  assert.match(run('font', at('cut.woff')).err, /WOFF data is damaged/);
});

test('fmt --utf8 with --fill reported fields as missing: the sample had other places', () => {
  writeFileSync(at('accent.zpl'), '^XA^FO10,10^A0N,30^FD\u00e9^FS^FO10,60^A0N,30^FD{{a}}^FS^XZ');
  writeFileSync(at('accent.csv'), 'a\nx\n');
  assert.match(ok('fmt', '--strict', '--utf8', '--fill', at('accent.csv'), at('accent.zpl')).out, /\^CI28[^]*\^FDx/);
});

test('font names characters that it lacks, and a restricted embedding right', () => {
  const lacking = ok('font', SANS, '--chars', 'Aa\u{13000}\u4E2D');
  assert.equal(lacking.err, 'the font lacks \u4E2D (U+4E2D), \u{13000} (U+13000)\n');
  assert.equal(ok('font', SANS, '--chars', 'Aa').err, '');
  const restricted = Buffer.from(readFileSync(SANS));
  tablesOf(restricted).find((t) => t.tag.toString() === 'OS/2').data.writeUInt16BE(2, 8);
  writeFileSync(at('restricted.ttf'), restricted);
  assert.match(ok('font', at('restricted.ttf')).err, /embedding right is "restricted"/);
});

// The warning charset_suspect had no fix that a program could make.
test('fmt --utf8 adds ^CI28 where it is missing, and nowhere else', () => {
  const written = (code) => { writeFileSync(at('u.zpl'), code); return ok('fmt', at('u.zpl'), '--utf8', '--minify'); };
  assert.equal(written('^XA^FO9,9^A0N,30^FDK\u00F6ln^FS^XZ^XA^FDx^FS^XZ').bytes.toString(), '^XA^CI28^FO9,9^A0N,30^FDK\u00F6ln^FS^XZ^XA^FDx^FS^XZ');
  for (const code of ['^XA^FDKoeln^FS^XZ', '^XA^CI27^FDK\u00F6ln^FS^XZ', '^XA^CI28^FDK\u00F6ln^FS^XZ'])
    assert.equal(written(code).bytes.toString(), code);
  assert.equal(written(Buffer.from('^XA^FDK\u00F6ln^FS^XZ', 'latin1')).out, '^XA^FDK\u00F6ln^FS^XZ');
  writeFileSync(at('t.zpl'), '^XA^FO99,99^A0N,30^FDK\u00F6ln {{v}}^FS^XZ');
  writeFileSync(at('t.csv'), 'v\nD\u00FCren\n');
  assert.equal(ok('fmt', at('t.zpl'), '--utf8', '--fill', at('t.csv'), '--rotation', '90', '--to', '16', '--strict').err, '');
  assert.match(written('^XA^FDK\u00F6ln^FS^FH^FD_81^FS^XZ').err, /escapes of \^CI0/);
});

test('fmt --fill --strict writes nothing where a value does not fit', () => {
  writeFileSync(at('v.zpl'), '^XA^FO700,20^A0N,30^FD{{v}}^FS^XZ');
  writeFileSync(at('v.csv'), 'v\nok\nmuch too long for this label\n');
  const refused = run('fmt', at('v.zpl'), '--fill', at('v.csv'), '--strict');
  assert.equal(refused.status, 1);
  assert.equal(refused.out, '');
  assert.match(refused.err, /Row 2: the field is not inside the label/);
});

// ^FOabc was written without a word.
test('fmt --fill reports values that a parameter cannot have', () => {
  writeFileSync(at('p.zpl'), '^XA^FO{{x}},20^A0N,{{h}}^FD{{v}}^FS^FO9,bad^FDx^FS^XZ');
  writeFileSync(at('p.csv'), 'x,h,v\n5,30,a\nabc,30,b\n5,30,c\n99999,30,d\n"5,6",30,e\n');
  const lines = (...options) => run('fmt', at('p.zpl'), '--fill', at('p.csv'), ...options).err.split('\n').map((line) => line.replace(/^.*?p\.zpl/, ''));
  for (const options of [[], ['--utf8', '--minify']])
    assert.deepEqual(lines(...options).filter((line) => /Row/.test(line)).sort(), [":1:4: Row 2: ^FO: x 'abc' is not a number; the default was used.",
      ":1:4: Row 4: ^FO: x '99999' is outside 0 to 32000; 32000 was used.", ":1:4: Row 5: a value has ',' and so moves the parameters behind it."].sort());
  assert.equal(run('fmt', at('p.zpl'), '--fill', at('p.csv'), '--strict').status, 1);
});

// Of the rows whose value a field cannot print only the first was named.
test('fmt --fill names every row whose value is not printed', () => {
  writeFileSync(at('q.zpl'), '^XA^FO20,20^BQN,2,4^FN1"v"^FDQA,x^FS^FO9,300^BEN,60^FD{{n}}^FS^XZ');
  writeFileSync(at('q.csv'), 'v,n\n"QA,fine",123456789012\nabcdef,12345678901x\n"QA,well",123456789012\nghijkl,12\n');
  const { err } = run('fmt', at('q.zpl'), '--fill', at('q.csv'));
  assert.deepEqual(err.match(/Row \d: the field prints something else than the value of '\w'/g), [[2, 'v'], [2, 'n'], [4, 'v']].map(([row, name]) => `Row ${row}: the field prints something else than the value of '${name}'`), err);
});

test('fmt --utf8 saw letters of the template only, not those of values', () => {
  writeFileSync(at('plain.csv'), 'v,7,other\nabc,d,\u00FC\n');
  writeFileSync(at('letters.csv'), 'v,7,other\nabc,d,x\nabc,\u00FC,x\n');
  for (const code of ['^XA^FO9,9^A0N,30^FD{{v}} {{7}}^FS^XZ', '^XA^FO9,9^A0N,30^FN7^FS^XZ', '^XA^DFR:F.ZPL^FS^FO9,9^A0N,30^FN7^FS^XZ']) {
    writeFileSync(at('l.zpl'), code);
    const made = ok('fmt', at('l.zpl'), '--fill', at('letters.csv'), '--utf8', '--strict');
    assert.match(made.out, /^\^XA\n\^CI28\n/, code);
    assert.equal(made.err, '');
    assert.doesNotMatch(ok('fmt', at('l.zpl'), '--fill', at('plain.csv'), '--utf8').out, /\^CI/, code); // that value is nowhere
    writeFileSync(at('latin.csv'), Buffer.from('v,7\nabc,\u00FC\n', 'latin1'));
    assert.doesNotMatch(ok('fmt', at('l.zpl'), '--fill', at('latin.csv'), '--utf8').out, /\^CI/, code);
  }
});

// Their commands were text between commands of ZPL: --minify wrote nothing.
test('fmt refuses label code of other languages', () => {
  writeFileSync(at('o.csv'), 'v\n1\n');
  for (const [name, code] of [['EPL2', 'N\nA50,50,0,3,1,1,N,"Hello"\nP1\n'], ['CPCL', '! 0 200 200 240 1\r\nTEXT 4 0 20 20 Hello\r\nPRINT\r\n'], ['TSPL', 'SIZE 50 mm,30 mm\nCLS\nTEXT 10,10,"3",0,1,1,"Hello"\nPRINT 1\n']]) {
    writeFileSync(at('o.txt'), code);
    for (const options of [[], ['--minify', '-w'], ['--rotation', '90'], ['--fill', at('o.csv')]]) {
      const refused = run('fmt', at('o.txt'), ...options);
      assert.deepEqual([refused.status, refused.out], [1, ''], name);
      assert.match(refused.err, new RegExp(`o\\.txt: The code is ${name}[^;]*; only ZPL II can be rewritten\\. To convert it first, set 'to_language'\\. \\[invalid_parameter\\] \\(--to-language zpl\\)\\n$`));
    }
    assert.equal(readFileSync(at('o.txt'), 'latin1'), code);
    assert.match(ok('fmt', '--extract', 'csv', at('o.txt')).out, /Hello/);
  }
});

test('fmt --explain says what commands of other languages do, with each parameter as it is taken', () => {
  for (const [code, line, values] of [
    ['SIZE 50 mm,30 mm\nCLS\nTEXT 16,24,"3",0,1,1,"Hello"\nQRCODE 9,9,H,4,A,0,M2,S7,"Q"\n@1="7"\n; note\nPRINT 1\n', 'TEXT Prints a text: x 16 dots (2.00 mm), y 24 dots (3.00 mm), font "3", rotation 0, x multiplier 1, y multiplier 1, text "Hello"', [3, 'QRCODE', 'x=9 y=9 level=H cell=4 mode=A rotation=0 options=M2 options=S7 data="Q"', undefined]],
    ['! 0 200 200 240 1\r\nTEXT 4 0 16 24 Hello\r\nB QR 9 9 M 2 U 6\r\nMA,Q\r\nENDQR\r\nPRINT\r\n', 'TEXT Text: font 4, size 0, x 16 dots (2.00 mm), y 24 dots (3.00 mm), data Hello', [2, 'BARCODE', 'type=QR x=9 y=9 M=2 U=6', 'MA,Q']],
    ['N\nA16,24,0,3,1,1,N,"Hello"\nb9,9,P,400,300,s1,"Q"\nP1\n', 'A    Text: x 16 dots (2.00 mm), y 24 dots (3.00 mm), rotation 0, font 3, horizontal multiplier 1, vertical multiplier 1, reverse N, "Hello"', [2, 'b', 'x=9 y=9 type=P width=400 height=300 options=s1', '"Q"']],
  ]) {
    writeFileSync(at('o.txt'), code);
    const lines = ok('fmt', at('o.txt'), '--explain').out.split('\n');
    assert.ok(lines.includes(line), lines.join('\n'));
    const all = JSON.parse(ok('fmt', at('o.txt'), '--explain=json').out);
    const [index, name, parameters, data] = values;
    assert.deepEqual([all[index].command, all[index].parameters.map((p) => `${p.name}=${p.value}`).join(' '), all[index].data], [name, parameters, data]);
    for (const c of all) if (c.known) assert.ok(code.startsWith(c.command === 'BARCODE' ? 'B' : c.command, c.offset), c.command);
    if (code.startsWith('SIZE')) assert.deepEqual(lines.slice(4, 6), ['@1="7" Sets a variable', ';    Comment']);
  }
  // What is no command by its name, but has a place in its language; line ends within data.
  for (const [code, expected] of [
    ['SIZE 50 mm,30 mm\nCLS\nA$="abc"\n:L\n~!T\n?!\nPRINT 1\n', ['A$="abc" Sets a variable', ':L   Mark of a program', '~!T  For the printer: obeyed at once', '?!   Not a command']],
    ['! 0 200 200 240 1\r\nB PDF-417 9 9 XD 3\r\none\r\ntwo\r\nENDPDF\r\nPRINT\r\n', ['BARCODE PDF417; its data follows in lines, up to ENDPDF: type PDF-417, x 9 dots (1.13 mm), y 9 dots (1.13 mm), XD 3, one / two', 'ENDPDF Ends the data of a PDF417']],
    ['\nFS"F"\nV00,9,N,"n"\nV00,9,N,"n"\nC0,6,N,+1,"c"\nA9,9,0,3,1,1,N,V00\n?\nFE\nFS"G"\nFE\nFR"F"\n?\nA1,2\n\nP2\nFR"G"\n?\nP3\n', ['?    Values of variables and counters, a line each', 'A1,2 Value of a variable or counter', 'P    Prints the image buffer: sets 2', 'FR   Recalls a form: name "G"', '?    Values of variables and counters, a line each', 'P    Prints the image buffer: sets 3']],
    ['\nFS"F"\nV00,9,N,"n"\nFE\nFS"G"\nV01,9,N,"m"\nFR"F"\nFE\nFR"G"\n?\nA1,2\nP9\nP3\n', ['?    Values of variables and counters, a line each', 'A1,2 Value of a variable or counter', 'P9   Value of a variable or counter', 'P    Prints the image buffer: sets 3']],
    // A form that recalls one that is stored behind it, or stored anew; the name's case does not count.
    ['\nFS"G"\nV01,9,N,"m"\nFR"F"\nFE\nFS"F"\nV00,9,N,"n"\nFE\nFR"g"\n?\nA1,2\nP9\nP3\n', ['?    Values of variables and counters, a line each', 'A1,2 Value of a variable or counter', 'P9   Value of a variable or counter', 'P    Prints the image buffer: sets 3']],
    ['\nFS"F"\nFE\nFS"G"\nFR"F"\nFR"G"\nFE\nFS"F"\nV00,9,N,"n"\nFE\nFR"G"\n?\nA1,2\nP3\n', ['?    Values of variables and counters, a line each', 'A1,2 Value of a variable or counter', 'P    Prints the image buffer: sets 3']],
    // More forms than are known.
    [`${Array.from({ length: 70 }, (_, i) => `\nFS"F${i}"\nV0${i % 2},9,N,"n"\nFR"F${i + 1}"\nFE`).join('')}\nFR"F66"\n?\nA1,2\nP9\nP3\n`, ['?    Values of variables and counters, a line each', 'A1,2 Value of a variable or counter', 'P9   Value of a variable or counter', 'P    Prints the image buffer: sets 3']],
  ]) {
    writeFileSync(at('o.txt'), code);
    const { out } = ok('fmt', at('o.txt'), '--explain');
    assert.ok(out.includes(`\n${expected.join('\n')}\n`), out);
  }
});

test('fmt of ZPL that states its size has the same dots at the same place in every language', () => {
  writeFileSync(at('s.epl'), 'N\nq400\nQ200,24\nA20,20,0,4,1,1,N,"Hello"\nB20,60,0,1,2,4,80,B,"EPL2-0001"\nP1\n');
  writeFileSync(at('s.zpl'), ok('fmt', '--to-language', 'zpl', '--strict', at('s.epl')).out);
  ok('render', '-q', at('s.epl'), '-o', at('s.png'));
  for (const [language, options] of [['tspl', []], ['epl', []], ['cpcl', []], ['cpcl', ['--size', 'auto']]]) {
    writeFileSync(at(`t.${language}`), ok('fmt', '--to-language', language, ...options, at('s.zpl')).bytes);
    ok('render', '-q', at(`t.${language}`), '-o', at('t.png'));
    assert.deepEqual(readFileSync(at('t.png')), readFileSync(at('s.png')), `${language} ${options}`);
  }
});

test('commands names the word that there is none of, and languages', () => {
  const { status, err } = run('commands', 'TEXT');
  assert.deepEqual([status, err], [1, "platen commands: ZPL II has no command 'TEXT'; try --language tspl, --language cpcl\n"]);
  assert.match(run('commands', '--language', 'epl', 'NONE').err, /EPL2 has no command 'NONE'; --language zpl, epl, tspl or cpcl/);
  assert.match(run('commands', '--language', 'foo').err, /--language 'foo' is not zpl, epl, tspl or cpcl/);
});

test('files of other languages are label files of a folder', () => {
  mkdirSync(at('all'));
  writeFileSync(at('all/a.epl'), 'N\nA50,50,0,3,1,1,N,"Hello"\nP1\n');
  writeFileSync(at('all/b.tspl'), 'SIZE 50 mm,30 mm\nCLS\nTEXT 10,10,"3",0,1,1,"Hello"\nPRINT 1\n');
  writeFileSync(at('all/c.cpcl'), '! 0 200 200 240 1\r\nTEXT 4 0 20 20 Hello\r\nPRINT\r\n');
  ok('render', '-q', at('all'), '--out-dir', at('drawn'));
  assert.deepEqual(readdirSync(at('drawn')).map((name) => name[0]).sort(), ['a', 'b', 'c']);
  assert.match(run('check', at('all')).err + run('check', at('all')).out, /3 files/);
});

test('fmt --fill -w replaced the template by its labels', () => {
  const code = '^XA^FO9,9^FD{{v}}^FS^XZ';
  writeFileSync(at('w.zpl'), code);
  writeFileSync(at('w.csv'), 'v\n1\n');
  const refused = run('fmt', at('w.zpl'), '-w', '--fill', at('w.csv'));
  assert.equal(refused.status, 2);
  assert.match(refused.err, /--write with --fill would replace the template/);
  assert.equal(readFileSync(at('w.zpl'), 'latin1'), code);
});

test('fmt: errors of values named the template, and not the file of values', () => {
  writeFileSync(at('e.zpl'), '^XA^FO{{x}},9^FDx^FS^XZ');
  for (const [text, message] of [['[{"x":}', /not valid JSON/], ['y\n1\n', /no value for 'x'/], ['x\n^1\n', /is for a parameter/], ['x\n1,2\n', /has 2 fields/], ['x,x\n1,2\n', /two columns are called 'x'/]]) {
    writeFileSync(at('e.csv'), text);
    const refused = run('fmt', at('e.zpl'), '--fill', at('e.csv'));
    assert.equal(refused.status, 1);
    assert.match(refused.err, /^platen: [^:]*e\.csv: .* \(for [^:]*e\.zpl\)\n$/);
    assert.match(refused.err, message);
  }
});

test('a font stored by ~DU and by ~DY draws the same text, and another than without it', () => {
  const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
  const text = '^XA^FO10,10^AQN,60^FDHYi^FS^XZ';
  const picture = (code) => {
    writeFileSync(at('font.zpl'), code + text, 'latin1');
    ok('render', at('font.zpl'), '-o', at('font.png'), '--width-mm', '20', '--height-mm', '10');
    return readFileSync(at('font.png')).toString('hex');
  };
  const options = ['--chars', 'HYi', '--path', 'E:D.TTF', '--letter', 'Q'];
  const byDu = picture(ok('font', font, ...options).out);
  const dy = ok('font', font, ...options, '--form', 'dy').out;
  assert.match(dy, /^\^XA~DYE:D,A,T,\d+,,[0-9A-F]+\^CWQ,E:D\.TTF\^XZ$/);
  assert.equal(picture(dy), byDu);
  assert.notEqual(picture(''), byDu);
});

test('options with something behind their value are refused', () => {
  writeFileSync(at('dot.pbm'), 'P1 1 1 1');
  assert.match(ok('image', at('dot.pbm'), '--at', '5,6').out, /\^FO5,6\^/);
  for (const place of ['5,6x', '-1,2', '5', '1,-2', '5,']) assert.equal(run('image', at('dot.pbm'), '--at', place).status, 2, place);
  assert.equal(run('font', at('dot.pbm'), '--letter', 'AB').status, 2);
});

test('pages of a PDF: many labels on a sheet, as poppler sees them', (t) => {
  writeFileSync(at('many.zpl'), Array.from({ length: 30 }, (_, i) => `^XA^FO20,20^A0N,40^FDNumber ${i + 1}^FS^XZ`).join('\n'));
  ok('render', at('many.zpl'), '-o', at('many.pdf'), '--width-mm', '38', '--height-mm', '38', '--page-size', 'Letter', '--page-orientation', 'landscape',
    '--page-margin-mm', '8', '--page-gap-mm', '2x4', '--label-border', 'solid', '--page-order', 'columns', '--cut-marks', '--pdfa', '-q');
  assert.equal(run('render', at('many.zpl'), '-o', at('x.pdf'), '--page-size', 'A6', '--page-layout', '3x3', '-q').status, 1);
  const info = spawnSync('pdfinfo', [at('many.pdf')], { encoding: 'utf8' });
  if (info.error) return t.skip('pdfinfo is missing');
  assert.match(info.stdout, /Pages: +2\n/);
  assert.match(info.stdout, /Page size: +792 x 612/);
  const text = spawnSync('pdftotext', ['-f', '2', at('many.pdf'), '-'], { encoding: 'utf8' }).stdout;
  assert.match(text, /Number 25[\s\S]*Number 30/);
  if (!spawnSync('qpdf', ['--version']).error) assert.equal(spawnSync('qpdf', ['--check', at('many.pdf')]).status, 0);
});

const EPL = 'N\nq400\nQ200,24\nA20,20,0,4,1,1,N,"Hello"\nB20,60,0,1,2,4,80,B,"EPL2-0001"\nP2\n';

test('fmt --to-language: texts and barcodes stay what they are, and what does not is named', () => {
  writeFileSync(at('a.epl'), EPL);
  const zpl = ok('fmt', '--to-language', 'zpl', '--strict', at('a.epl'));
  assert.equal(zpl.err, '');
  for (const part of [/\^FDHello\^FS/, /\^BCN,80,N,N,N,A\^FDEPL2-0001\^FS/, /\^PW400\^LL200/, /\^PQ2/]) assert.match(zpl.out, part);
  assert.doesNotMatch(zpl.out, /\^GF/);
  writeFileSync(at('a.zpl'), zpl.bytes);
  const pictures = ['a.epl', 'a.zpl'].map((name) => {
    ok('render', at(name), '--size', 'auto', '-o', at(`${name}.png`));
    return readPng(`${name}.png`);
  });
  assert.deepEqual(pictures[0].data, pictures[1].data);
  writeFileSync(at('line.epl'), 'N\nq400\nQ200,24\nLS10,10,5,200,100\nP1\n');
  const named = run('fmt', '--to-language', 'zpl', at('line.epl'));
  assert.match(named.err, /line\.epl:4:1: .*diagonal.*graphic/);
  assert.match(named.out, /\^GFA/);
  const strict = run('fmt', '--to-language', 'zpl', '--strict', at('line.epl'));
  assert.deepEqual([strict.status, strict.out], [1, '']);
});

test('fmt --units writes the same dots in millimetres or inches, and names what it does not know', () => {
  const code = '^XA\n^FO20,33^GB100,8,2^FS\n^XZ\n';
  writeFileSync(at('u.zpl'), code);
  assert.equal(ok('fmt', '--units', 'mm', '--strict', at('u.zpl')).out, '^XA\n^MUM\n^FO2.5,4.125^GB12.5,1,0.25^FS\n^MUD\n^XZ\n');
  // What is behind counted bytes that break off is left as it is, also its unit.
  writeFileSync(at('torn.zpl'), '^XA^FO40,40^GB100,8,2^FS^FO300,10^GFB,100,100,4,ab^FS^FO200,200^GB100,100,5^FS^XZ');
  assert.equal(ok('fmt', '--units', 'mm', at('torn.zpl')).out, '^XA\n^MUM\n^FO5,5^GB12.5,1,0.25^FS\n^FO37.5,1.25^MUD\n^GFB,100,100,4,ab^FS^FO200,200^GB100,100,5^FS^XZ');
  writeFileSync(at('u.mm.zpl'), ok('fmt', '--units', 'in', '--dpmm', '12', at('u.zpl')).out);
  assert.equal(ok('fmt', '--units', 'dots', '--dpmm', '12', at('u.mm.zpl')).out, code.replace('^XA', '^XA\n^MUD'));
  assert.deepEqual([run('fmt', '--units', 'feet', at('u.zpl')).status, run('fmt', '--units', 'feet', at('u.zpl')).err], [2, "platen: --units 'feet': must be one of keep, dots, mm or in\n"]);
  assert.match(run('fmt', '--units', 'mm', '--explain', at('u.zpl')).err, /--units has no effect with --explain/);
});

test('fmt --to-language: a label that is too high for a graphic is refused by name', () => {
  writeFileSync(at('tall.tspl'), 'SIZE 8 dot,70000 dot\r\nCLS\r\nBAR 0,0,8,69990\r\nPRINT 1\r\n');
  const refused = run('fmt', '--to-language', 'cpcl', at('tall.tspl'));
  assert.notEqual(refused.status, 0);
  assert.match(refused.err, /Label 1 is 70000 dots high; a graphic of CPCL has 65535 rows at most/);
});

test('fmt --to-language: a label as GW and BITMAP has the dots of ^GF', () => {
  writeFileSync(at('g.zpl'), '^XA^PW200^LL96^FO8,8^A0N,30,30^FDdots^FS^FO8,40^BCN,40,N^FD12^FS^XZ');
  const dots = (name, ...args) => (ok('render', at(name), '--width-mm', '25', '--height-mm', '12', '-o', at(`${name}.png`), ...args), readPng(`${name}.png`).data);
  const expected = dots('g.zpl');
  for (const language of ['epl', 'tspl']) {
    writeFileSync(at(`g.${language}`), ok('fmt', '--to-language', language, '--strict', '--width-mm', '25', '--height-mm', '12', at('g.zpl')).bytes);
    assert.deepEqual(dots(`g.${language}`), expected, language);
    writeFileSync(at(`${language}.zpl`), ok('fmt', '--to-language', 'zpl', '--strict', at(`g.${language}`)).bytes);
    assert.deepEqual(dots(`${language}.zpl`), expected, `${language} and back`);
  }
  assert.equal(run('fmt', '--to-language', 'klingon', at('g.zpl')).status, 2);
});
