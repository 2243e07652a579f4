// The command line under the limits of the service: inputs that are small and once took gigabytes or minutes. Memory and processor
// time are those of the whole process, as the system counts them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';

const build = process.env.PLATEN_BUILD ?? 'build';
const platen = path.resolve(build, 'platen');
const measure = path.resolve(build, 'tests/hostile/measure');
const LIMIT_MIB = 256; // --max-memory
const BESIDES_MIB = 40; // the program itself, the glyph cache, the heap, what is read and written
const TIMEOUT = '[render_timeout] (--render-timeout)';
let dir;

before(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-limits-'));
});
after(() => fs.rmSync(dir, { recursive: true, force: true }));

const file = (name, content) => {
  fs.writeFileSync(path.join(dir, name), content);
  return name;
};
const exists = (name) => fs.existsSync(path.join(dir, name));

// {status, mib, ms, out, err}
function run(...args) {
  const r = spawnSync(measure, [platen, ...args], { cwd: dir, maxBuffer: 1 << 28, timeout: 180_000, killSignal: 'SIGKILL' });
  assert.equal(r.signal, null, 'it does not end');
  const lines = r.stderr.toString().trim().split('\n');
  const [status, kib, ms] = lines.pop().split(' ').map(Number);
  return { status, mib: kib / 1024, ms, out: r.stdout, err: lines.join('\n') };
}

function within(r, mib, ms) {
  assert.ok(r.mib <= mib, `it took ${Math.round(r.mib)} MiB`);
  assert.ok(r.ms <= ms, `it took ${r.ms} ms of processor time`);
}

const SERIAL = '^XA^FO9,9^A0N,9^SN1,1,N^FS^PQ99999999^XZ';

// Formats that recall formats: seven times seven times 400 fields in each of 90 labels.
function nested() {
  const store = (name, text) => `^XA^DFR:${name}^FS${text}^XZ`;
  return store('A', '^FDA^FS'.repeat(400)) + store('B', '^XFR:A^FS'.repeat(7)) + store('C', '^XFR:B^FS'.repeat(7)) + '^XA^XFR:C^FS^XZ'.repeat(90);
}

// A graphic of so many bytes, all of them zero.
function z64(bytes, row) {
  const data = zlib.deflateSync(Buffer.alloc(bytes), { level: 9 }).toString('base64');
  return `^GFA,${bytes},${bytes},${row},:Z64:${data}:0000^FS`;
}

// The head of a lossless WebP, and not much more.
function webp(width, height) {
  const data = Buffer.alloc(200);
  data[0] = 0x2f;
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  const whole = Buffer.alloc(4);
  whole.writeUInt32LE(data.length + 12);
  return Buffer.concat([Buffer.from('RIFF'), whole, Buffer.from('WEBPVP8L'), size, data]);
}

function bmp(width, height) {
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return head;
}

function png(width, height) {
  const chunk = (type, data) => {
    const out = Buffer.alloc(data.length + 12);
    out.writeUInt32BE(data.length);
    out.write(type, 4);
    data.copy(out, 8);
    return out; // its checksum is not looked at
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  head[9] = 6;
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', zlib.deflateSync(Buffer.alloc(100))), chunk('IEND', Buffer.alloc(0))]);
}

function gif(width, height) {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\0\0\0\0\0\x02\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head.writeUInt16LE(width, 24);
  head.writeUInt16LE(height, 26);
  return head;
}

function pcx(width, height) {
  const head = Buffer.alloc(128);
  head.set([10, 5, 1, 1]);
  head.writeUInt16LE(width - 1, 8);
  head.writeUInt16LE(height - 1, 10);
  head[65] = 1;
  head.writeUInt16LE(Math.ceil(width / 16) * 2, 66);
  return head;
}

for (const [name, args, output] of [['json', ['-f', 'json']], ['json to a file', ['-o', 'serial.json'], 'serial.json'], ['pdf', ['-o', 'serial.pdf'], 'serial.pdf'], ['one picture', ['-f', 'png']]]) {
  test(`43 bytes of ^SN with ^PQ99999999, as ${name}: they never ended, 1.15 GB after 91 s`, () => {
    const r = run('render', file('serial.zpl', SERIAL), ...args);
    assert.equal(r.status, 0, r.err);
    assert.match(r.err, /\^PQ asks for 99999999 labels; the limit of 500 labels leaves room for 500\. \[copies_cut\]/);
    within(r, BESIDES_MIB, 5000);
    if (name.startsWith('json')) assert.equal(JSON.parse(output ? fs.readFileSync(path.join(dir, output)) : r.out).labels.length, 500);
  });
}

test('^SN with ^PQ99999999 in the other commands: 500 labels', () => {
  file('serial.zpl', SERIAL);
  file('serial.ndjson', `${JSON.stringify({ id: 'a', zpl: SERIAL })}\n`);
  for (const args of [['check', 'serial.zpl'], ['inspect', 'serial.zpl'], ['diff', 'serial.zpl', 'serial.zpl'], ['fmt', 'serial.zpl', '--extract', 'csv'], ['render', 'serial.ndjson', '-o', 'serial.zip'], ['render', 'serial.zpl', '--pages', 'all', '-o', 'p.png'],
    ['render', 'serial.zpl', '-f', 'json', '--timeout', '60s'], ['bench', 'serial.zpl', '--runs', '1']]) {
    const r = run(...args);
    assert.equal(r.status, 0, `${args.join(' ')}: ${r.err}`);
    within(r, LIMIT_MIB, 30000);
  }
  assert.equal(fs.readdirSync(dir).filter((name) => /^p-\d+\.png$/.test(name)).length, 500);
});

test('4.5 kB of nested ^XF took 836 MB: the memory limit, with the sentence and code of the service', () => {
  file('nested.zpl', nested());
  for (const command of ['render', 'inspect']) {
    const r = run(command, 'nested.zpl', ...(command === 'render' ? ['-f', 'pdf'] : []));
    assert.deepEqual([r.status, r.out.length, r.err], [1, 0, 'platen: nested.zpl: The labels need more memory than the limit allows. [limit_exceeded] (--max-memory)']);
    within(r, LIMIT_MIB + BESIDES_MIB, 20000);
  }
  const r = run('check', 'nested.zpl');
  assert.equal(r.status, 1);
  assert.match(r.out.toString(), /The labels need more memory than the limit allows\. \[limit_exceeded\] \(--max-memory\) \[not_checked\]/);
  within(r, LIMIT_MIB + BESIDES_MIB, 20000);
  within(run('render', 'nested.zpl', '-f', 'pdf', '--max-memory', '32MiB'), 32 + BESIDES_MIB, 20000);
});

test('1.5 MB of Z64 took 2.0 GB: one graphic is left out, many are the limit of graphics', () => {
  file('one.zpl', `^XA^FO9,9^GB9,9,9^FS^FO0,0${z64(1000000000, 50000)}^XZ`);
  const one = run('render', 'one.zpl', '-f', 'png');
  assert.equal(one.status, 0);
  assert.match(one.err, /\^GF: a graphic of 1000000000 bytes is too large; nothing was drawn\. \[limit_reached\]/);
  within(one, BESIDES_MIB, 5000);
  const graphic = z64(20000000, 10000);
  file('many.zpl', `^XA${`^FO0,0${graphic}`.repeat(50)}^XZ`);
  const many = run('render', 'many.zpl', '-f', 'png');
  assert.equal(many.status, 1);
  assert.match(many.err, /many\.zpl: The graphics of this input take more than 67108864 bytes when decoded\. \[limit_exceeded\] \(limits: --help\)$/);
  within(many, 128 + BESIDES_MIB, 5000);
});

for (const [kind, bytes] of [['PBM of 15 bytes: 887 MB', 'P4 29800 29800\n'], ['WebP of 220 bytes: 1.26 GB', webp(16383, 16383)], ['PNG', png(20000, 20000)], ['GIF', gif(30000, 30000)], ['PCX', pcx(60000, 60000)], ['plain PPM', 'P3 30000 30000 255 1 2 3'], ['BMP', bmp(20000, 20000)]]) {
  test(`platen image of the head of a ${kind}: the dots are held against the limit before they are decoded`, () => {
    const r = run('image', file('head', bytes));
    assert.deepEqual([r.status, r.out.length], [1, 0]);
    assert.match(r.err, /^platen: head: (A picture of \d+ x \d+ dots is over the limit of 67108864 dots\. \[limit_exceeded\] \(--max-graphics\)|The graphics of this input take more than 67108864 bytes when decoded\. \[limit_exceeded\] \(limits: --help\)|the picture cannot be read: it breaks off)$/);
    within(r, 16, 2000);
  });
}

test('a head below the limit of dots takes no memory before its data is there, or what decoding takes is counted', () => {
  const raw = run('image', file('raw.pbm', 'P4 8000 8000\n'));
  assert.deepEqual([raw.status, raw.err], [1, 'platen: raw.pbm: the picture cannot be read: it breaks off']);
  within(raw, 16, 2000);
  const plain = run('image', file('plain.ppm', 'P3 8000 8000 255 1 2 3'));
  assert.deepEqual([plain.status, plain.err], [1, 'platen: plain.ppm: the picture cannot be read: it breaks off']);
  within(plain, 16, 2000);
  // Colours and the library's own copy of them are 8 bytes a dot.
  const large = run('image', file('large.webp', webp(7000, 7000)));
  assert.equal(large.status, 1);
  assert.match(large.err, /^platen: large\.webp: Decoding .* \[limit_exceeded\] \(limits: --help\)$/);
  within(large, 80, 2000);
  const small = run('image', file('small.webp', webp(4000, 4000)));
  assert.equal(small.status, 1);
  within(small, LIMIT_MIB + BESIDES_MIB, 5000);
});

// Large text, each in a size of its own: FreeType makes each letter anew.
const sizes = () => `^XA${Array.from({ length: 20000 }, (_, i) => `^FO0,0^A0N,${1000 + (i % 5000)},${900 + ((i * 7) % 3000)}^FDW^FS`).join('')}^XZ`;

test('748 kB of large text in distinct sizes took 14.5 s: the time limit, with the sentence and code of the service', () => {
  file('sizes.zpl', sizes());
  const r = run('render', 'sizes.zpl', '-q', '-o', 'sizes.png', '--render-timeout', '1s');
  assert.deepEqual([r.status, r.err], [1, `platen: sizes.zpl: Rendering took longer than the time limit. ${TIMEOUT}`]);
  within(r, 64, 1500);
  assert.ok(!exists('sizes.png'));
  for (const args of [['inspect', 'sizes.zpl'], ['diff', 'sizes.zpl', 'sizes.zpl'], ['fmt', 'sizes.zpl', '--extract', 'csv']]) {
    const other = run(...args, '--render-timeout', '500ms');
    assert.equal(other.status, args[0] === 'diff' ? 2 : 1, other.err);
    assert.ok(other.err.endsWith(`sizes.zpl: Rendering took longer than the time limit. ${TIMEOUT}`), other.err);
    within(other, 128, 1500);
  }
  const check = run('check', 'sizes.zpl', '--render-timeout', '500ms');
  assert.equal(check.status, 1);
  assert.match(check.out.toString(), /Rendering took longer than the time limit\. \[render_timeout\] \(--render-timeout\) \[not_checked\]/);
  within(check, 128, 1500);
  file('sizes.ndjson', `${JSON.stringify({ id: 'slow', zpl: sizes() })}\n${JSON.stringify({ id: 'quick', zpl: '^XA^FO9,9^GB9,9,9^FS^XZ' })}\n`);
  const rows = run('render', 'sizes.ndjson', '-q', '-o', '-', '--render-timeout', '500ms', '-j', '1');
  const [slow, quick] = rows.out.toString().split('\n').map((line) => line && JSON.parse(line));
  assert.deepEqual([rows.status, slow.code, slow.error, quick.ok], [1, 'render_timeout', 'Rendering took longer than the time limit.', true]);
});

test('the time limit is there without an option: 10 s', () => {
  const r = run('render', file('sizes.zpl', sizes()), '-q', '-f', 'png');
  assert.ok(r.err === `platen: sizes.zpl: Rendering took longer than the time limit. ${TIMEOUT}` || (r.status === 0 && r.ms < 10500), r.err);
  within(r, 64, 10500);
});

// A graphic that is enlarged and reversed again and again; each of its dots is a run of its own.
test('523 kB of ^FR^XG took 13 s: it is drawn in a few, and ends with its time', () => {
  const rows = Array.from({ length: 600 }, (_, y) => (y % 2 ? 'AA' : '55').repeat(50)).join('');
  file('reversed.zpl', `~DGR:A.GRF,30000,50,${rows}\n^XA${'^FO1,1^FR^XGR:A.GRF,2,2^FS'.repeat(17000)}^XZ`);
  const late = run('render', 'reversed.zpl', '-q', '-f', 'png', '--render-timeout', '200ms');
  assert.deepEqual([late.status, late.err], [1, `platen: reversed.zpl: Rendering took longer than the time limit. ${TIMEOUT}`]);
  within(late, 64, 700);
  const whole = run('render', 'reversed.zpl', '-q', '-f', 'png', '--unlimited');
  assert.equal(whole.status, 0, whole.err);
  within(whole, 64, 60_000);
  // Enlarging takes some ten times as long as copying the same dots, and took seven times that. Processors differ: no seconds are compared.
  const large = Array.from({ length: 1200 }, (_, y) => (y % 4 > 1 ? 'CC' : '33').repeat(100)).join('');
  file('copied.zpl', `~DGR:A.GRF,120000,100,${large}\n^XA${'^FO1,1^FR^XGR:A.GRF,1,1^FS'.repeat(17000)}^XZ`);
  const copied = run('render', 'copied.zpl', '-q', '-f', 'png', '--unlimited');
  assert.equal(copied.status, 0, copied.err);
  assert.ok(whole.ms < 25 * copied.ms, `${whole.ms} ms of processor time, ${copied.ms} ms to copy`);
});

test('a file of thousands of labels is drawn as before: only what ^PQ makes is counted', () => {
  file('rows.zpl', Array.from({ length: 3000 }, (_, i) => `^XA^FO9,9^A0N,20,20^FD${i}^FS^XZ`).join('\n'));
  const json = run('render', 'rows.zpl', '-o', 'rows.json', '--time', '0');
  assert.deepEqual([json.status, json.err], [0, '']);
  assert.equal(JSON.parse(fs.readFileSync(path.join(dir, 'rows.json'))).labels.length, 3000);
  assert.ok(fs.statSync(path.join(dir, 'rows.json')).size > 2 << 20); // more than one piece
  within(json, 64, 20000);
  const kept = run('render', 'rows.zpl', '-f', 'json', '--time', '0'); // standard output is kept until it is whole: the same bytes
  assert.ok(kept.out.equals(fs.readFileSync(path.join(dir, 'rows.json'))));
  assert.equal(run('render', 'rows.zpl', '-o', 'rows.pdf').status, 0);
  assert.ok(kept.out.equals(run('render', 'rows.zpl', '-f', 'json', '--time', '0', '--timeout', '60s').out));
  assert.equal(run('check', 'rows.zpl', '--no-verify').status, 0);
  // Labels that are written out are no copies, those of ^PQ are.
  const r = run('render', file('mixed.zpl', `${'^XA^FO9,9^GB9,9^FS^XZ'.repeat(600)}^XA^FO9,9^GB9,9^FS^PQ300^XZ^XA^FO9,9^GB8,8^FS^PQ300^XZ^XA^FO9,9^GB7,7^FS^PQ300^XZ`), '-f', 'json', '-q');
  assert.equal(JSON.parse(r.out).labels.length, 600 + 300 + 200 + 1);
});

test('an output in pieces that fails leaves nothing, and the old file', () => {
  const labels = Array.from({ length: 3000 }, (_, i) => `^XA^FO9,9^A0N,20,20^FD${i}^FS^XZ`).join('\n');
  file('half.zpl', `${labels}^XA^QQ^FO9,9^GB9,9^FS^XZ`);
  for (const name of ['half.json', 'half.pdf']) {
    file(name, 'old');
    assert.equal(run('render', 'half.zpl', '-q', '--strict', '-o', name).status, 1);
    assert.equal(fs.readFileSync(path.join(dir, name), 'utf8'), 'old');
  }
  assert.deepEqual(fs.readdirSync(dir).filter((name) => name.endsWith('.tmp')), []);
});

test('what is not written to a file is kept in memory, and bounded', () => {
  file('wide.zpl', '^XA^FO9,9^GB9,9^FS^PQ400^XZ');
  const args = ['render', 'wide.zpl', '--width-mm', '800', '--height-mm', '800', '--dpmm', '8', '--max-memory', '8MiB', '-q'];
  const kept = run(...args, '-f', 'json', '--max-copies', '100000');
  const whole = run(...args, '-o', 'wide.json', '--max-copies', '100000');
  assert.equal(whole.status, 0, whole.err);
  within(whole, 32, 20000);
  if (fs.statSync(path.join(dir, 'wide.json')).size > 8 << 20)
    assert.deepEqual([kept.status, kept.err], [1, 'platen: wide.zpl: The output is over the limit of 8388608 bytes of what is not written to a file (-o). [limit_exceeded]']);
});

test('--unlimited lifts all of them, and each option its own', () => {
  const copies = '^XA^FO9,9^GB9,9^FS^PQ2000^XZ';
  const pages = (...args) => JSON.parse(run('render', file('copies.zpl', copies), '-f', 'json', '-q', ...args).out).labels.length;
  assert.deepEqual([pages(), pages('--max-copies', '7'), pages('--max-copies', '1500'), pages('--unlimited'), pages('--unlimited', '--max-copies', '7')], [500, 7, 1500, 2000, 7]);
  // 836 MB, as before.
  const r = run('render', file('nested.zpl', nested()), '-f', 'png', '--unlimited', '-q');
  assert.equal(r.status, 0, r.err);
  assert.ok(r.mib > 500, `${r.mib}`);
  const late = ['--render-timeout', '1ms', '-f', 'png', '-q'];
  assert.equal(run('render', file('sizes.zpl', sizes().slice(0, 400000) + '^XZ'), ...late).status, 1);
  const boxes = file('boxes.zpl', `^XA${'^FO9,9^GB9,9^FS'.repeat(20001)}^XZ`);
  const left = (...args) => /limit_reached/.test(run('render', boxes, '-o', 'boxes.png', ...args).err);
  assert.deepEqual([left(), left('--max-elements', '30000'), left('--unlimited')], [true, false, false]);
  const large = ['--width-mm', '2000', '--height-mm', '1000', '-f', 'png'];
  assert.match(run('render', boxes, ...large).err, /100000000 dots/);
  assert.equal(run('render', boxes, ...large, '-o', 'large.png', '-q', '--max-dots', '200000000').status, 0);
  assert.match(run('image', file('head.pbm', 'P1 29800 29800\n'), '--unlimited').err, /it breaks off/);
});

test('wrong limits are wrong usage', () => {
  file('one.zpl', '^XA^FO9,9^GB9,9^FS^XZ');
  for (const args of [['--max-memory', '1k'], ['--max-memory', 'much'], ['--render-timeout', '0'], ['--max-copies', '0'], ['--max-dots', '-1'], ['--max-graphics', ''], ['--max-elements', 'x'], ['--max-stored', '9GiB']]) {
    for (const command of [['render', '-f', 'json'], ['check'], ['inspect'], ['fmt'], ['image'], ['font'], ['diff', 'one.zpl']]) {
      const r = run(command[0], 'one.zpl', ...command.slice(1), ...args);
      assert.equal(r.status, 2, [...command, ...args].join(' '));
      assert.ok(r.err.startsWith(`platen: ${args[0]}: `), r.err);
    }
  }
});
