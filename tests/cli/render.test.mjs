// `platen render` and `platen bench` from the outside: files, folders, exit statuses, what goes to which stream.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';

const platen = path.resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const LABEL = '^XA^FO50,50^A0N,40,40^FDHello^FS^FO50,120^GB200,60,5^FS^XZ';
let dir;

before(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-cli-'));
});
after(() => fs.rmSync(dir, { recursive: true, force: true }));

const file = (name, content = LABEL) => {
  const full = path.join(dir, name);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, content);
  return full;
};
const run = (args, options = {}) => {
  const r = spawnSync(platen, args, { maxBuffer: 1 << 26, ...options });
  return { status: r.status, out: r.stdout, err: r.stderr.toString() };
};

// Width, height, bit depth and the number of black dots of a grey PNG without filters.
function png(bytes) {
  assert.equal(bytes.readUInt32BE(0), 0x89504e47);
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const depth = bytes[24];
  let at = 8;
  const idat = [];
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') idat.push(bytes.subarray(at + 8, at + 8 + length));
    assert.equal(zlib.crc32 ? zlib.crc32(bytes.subarray(at + 4, at + 8 + length)) : bytes.readUInt32BE(at + 8 + length), bytes.readUInt32BE(at + 8 + length));
    at += length + 12;
  }
  const rows = zlib.inflateSync(Buffer.concat(idat));
  const rowBytes = Math.ceil((width * depth) / 8);
  assert.equal(rows.length, (rowBytes + 1) * height);
  let ink = 0;
  for (let y = 0; y < height; y++) {
    assert.equal(rows[y * (rowBytes + 1)], 0);
    for (let x = 0; x < width; x++) {
      const byte = rows[y * (rowBytes + 1) + 1 + (depth === 1 ? x >> 3 : x)];
      ink += depth === 1 ? !((byte >> (7 - (x & 7))) & 1) : byte < 128;
    }
  }
  return { width, height, depth, ink };
}

test('one file goes to standard output as PNG', () => {
  const r = run(['render', file('a.zpl')]);
  assert.equal(r.status, 0);
  assert.equal(r.err, '');
  const p = png(r.out);
  assert.deepEqual([p.width, p.height, p.depth], [812, 1218, 1]);
  assert.ok(p.ink > 2000);
});

test('a profile chooses whose dots are drawn, in smooth pictures too; the default is the reference', () => {
  const circle = file('circle.zpl', '^XA^FO20,20^GC60,3^FS^XZ');
  for (const quality of ['bitonal', 'grayscale']) {
    const [without, reference, printer] = [[], ['--profile', 'reference'], ['--profile', 'printer']].map((options) => {
      const r = run(['render', circle, '-f', 'png', '--quality', quality, ...options]);
      assert.equal(r.status, 0, r.err);
      return r.out;
    });
    assert.deepEqual(without, reference);
    assert.notDeepEqual(printer, reference);
  }
});

test('standard input, sizes, density, rotation and quality', () => {
  const r = run(['render', '-', '--width-mm', '50', '--height-mm', '30', '--dpmm', '12dpmm', '--rotation', '90', '--quality', 'grayscale'], { input: LABEL });
  assert.equal(r.status, 0, r.err);
  const p = png(r.out);
  assert.deepEqual([p.width, p.height, p.depth], [359, 598, 8]);
});

test('the same input gives the same bytes', () => {
  const a = file('same.zpl', '^XA^FO50,50^A0N,40,40^FC%^FD%H:%M^FS^XZ');
  const time = ['--time', '2026-01-31T13:45:00'];
  const first = run(['render', a, ...time]);
  assert.equal(first.status, 0, first.err);
  assert.ok(first.out.equals(run(['render', a, ...time]).out));
  assert.ok(!first.out.equals(run(['render', a, '--time', '0']).out));
});

test('the output name says the format', () => {
  const a = file('b.zpl');
  const heads = { png: '\x89PNG', jpg: '\xff\xd8\xff', webp: 'RIFF', pdf: '%PDF' };
  for (const [ending, head] of Object.entries(heads)) {
    const out = path.join(dir, `b.${ending}`);
    const r = run(['render', a, '-o', out]);
    assert.equal(r.status, 0, r.err);
    assert.equal(r.out.length, 0);
    assert.ok(fs.readFileSync(out).toString('latin1').startsWith(head), ending);
  }
  // Any other name goes with -f.
  for (const name of ['plain', 'odd.out', 'tmp.Xy12']) {
    assert.equal(run(['render', a, '-o', path.join(dir, name), '-f', 'webp']).status, 0);
    assert.ok(fs.readFileSync(path.join(dir, name)).toString('latin1').startsWith('RIFF'));
  }
  assert.equal(run(['render', a, '-o', path.join(dir, 'b64.json'), '-f', 'base64']).status, 0);
});

test('-o x.gif wrote a PNG: a name that is not what would be written is refused', () => {
  const a = file('gif.zpl');
  for (const [name, more, says] of [['x.gif', [], /none of the formats png, jpeg, webp, pdf, json, base64/], ['x.gif', ['-f', 'png'], /contradicts --format png/],
    ['x.png', ['-f', 'webp'], /contradicts --format webp/], ['x.tar', [], /none of the formats/]]) {
    const out = path.join(dir, name), r = run(['render', a, '-o', out, ...more]);
    assert.equal(r.status, 2, name);
    assert.match(r.err, says);
    assert.equal(r.err.trim().split('\n').length, 1);
    assert.ok(!fs.existsSync(out));
  }
  assert.equal(run(['render', a, '-o', '/dev/null']).status, 0);
});

test('inspect failed on a folder: its label files are inspected', () => {
  file('inspected/b.zpl');
  file('inspected/a.prn');
  file('inspected/other.md');
  const r = run(['inspect', '--json', path.join(dir, 'inspected')]);
  assert.equal(r.status, 0, r.err);
  assert.deepEqual(r.out.toString().trim().split('\n').map((line) => path.basename(JSON.parse(line).file)), ['a.prn', 'b.zpl']);
  fs.mkdirSync(path.join(dir, 'nothing'));
  assert.match(run(['inspect', path.join(dir, 'nothing')]).err, /no label files/);
});

test('pages: one by number, all in files of their own, none beyond the last', () => {
  const a = file('pages.zpl', '^XA^FO9,9^GB10,10,10^FS^PQ2^XZ^XA^FO9,9^GB20,20,20^FS^XZ');
  assert.equal(png(run(['render', a, '--page', '1']).out).ink, 100);
  assert.equal(png(run(['render', a, '--page', '2']).out).ink, 400);
  const beyond = run(['render', a, '--page', '3']);
  assert.equal(beyond.status, 1);
  assert.match(beyond.err, /no page 3: the input has 3/);
  const out = path.join(dir, 'p.png');
  assert.equal(run(['render', a, '--pages', 'all', '-o', out]).status, 0);
  const inks = [1, 2, 3].map((n) => png(fs.readFileSync(path.join(dir, `p-${n}.png`))).ink);
  assert.deepEqual(inks, [100, 100, 400]);
  assert.ok(!fs.existsSync(out));
});

test('diagnostics have file, line, column and code on standard error; --quiet and --strict', () => {
  const a = file('odd.zpl', '^XA\n^FO50,50^A0N,40,40^FDx^FS\n^QQ9^FS\n^XZ');
  const r = run(['render', a]);
  assert.equal(r.status, 0);
  assert.match(r.err, /odd\.zpl:3:1: warning: .*\[unknown_command\]/);
  png(r.out);
  assert.equal(run(['render', a, '-q']).err, '');
  const strict = run(['render', a, '--strict']);
  assert.equal(strict.status, 1);
  assert.equal(strict.out.length, 0);
  assert.match(strict.err, /--strict/);
});

test('a folder and several files, in parallel, with failures counted', () => {
  for (let i = 0; i < 40; i++) file(`batch/l${i}.zpl`, `^XA^FO10,10^GB${i + 1},${i + 1},${i + 1}^FS^XZ`);
  file('batch/readme.md', 'no label');
  file('batch/empty.zpl', '');
  const out = path.join(dir, 'out');
  const r = run(['render', path.join(dir, 'batch'), '--out-dir', out, '-j', '3']);
  assert.equal(r.status, 1);
  assert.match(r.err, /empty\.zpl: there is no label in it/);
  assert.match(r.err, /40 rendered, 1 failed/);
  const made = fs.readdirSync(out).sort();
  assert.equal(made.length, 40);
  for (let i = 0; i < 40; i++) assert.equal(png(fs.readFileSync(path.join(out, `l${i}.png`))).ink, (i + 1) ** 2);
});

// What one thread says in the order of its work, several say too, whoever is done first.
function sameMessages(args, jobs = 4) {
  const alone = run([...args, '-j', '1']);
  for (let i = 0; i < 3; i++) {
    const several = run([...args, '-j', String(jobs)]);
    assert.equal(several.err, alone.err);
    assert.equal(several.status, alone.status);
  }
  return alone.err.trim().split('\n');
}

test('diagnostics of several inputs come in the order of the inputs', () => {
  // The first takes long: the others are done before it.
  const labels = (count, bad) => `^XA${bad}^FO50,50^A0N,40,40^FDx^FS^FO50,120^BEN,60^FDABC^FS^XZ`.repeat(count);
  const inputs = [file('order/slow.zpl', labels(400, '^QQ'))];
  for (let i = 0; i < 30; i++) inputs.push(i % 7 === 3 ? path.join(dir, `order/missing${i}.zpl`) : file(`order/l${i}.zpl`, labels(1, '^QQ'.repeat(i % 4))));
  const lines = sameMessages(['render', ...inputs, '--out-dir', path.join(dir, 'ordered'), '-f', 'pdf']);
  const order = lines.map((line) => inputs.findIndex((input) => line.includes(input))).filter((at) => at >= 0);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  assert.equal(new Set(order).size, 31);
  assert.equal(lines.at(-1), '27 rendered, 4 failed');
});

test('more diagnostics than are kept for later: the rest waits for its turn', () => {
  const inputs = [];
  for (let i = 1; i <= 60; i++) inputs.push(file(`much/${i}.zpl`, `^XA${'^QQ'.repeat(1000)}^FO50,50^GB9,9,9^FS^XZ`));
  const args = ['render', '-', ...inputs, '--out-dir', path.join(dir, 'much-out')];
  const alone = run([...args, '-j', '1'], { input: '^XA^QQ^FO9,9^GB9,9,9^FS^XZ' });
  assert.equal(alone.err.split('\n').length, 60003);
  // The first input comes when the others have been at work for long.
  const late = spawnSync('sh', ['-c', '(sleep 0.7; printf "^XA^QQ^FO9,9^GB9,9,9^FS^XZ") | "$@"', 'sh', platen, ...args, '-j', '3'], { maxBuffer: 1 << 26 });
  assert.equal(late.status, 0);
  assert.ok(late.stderr.toString() === alone.err);
});

test('diagnostics of one input come in the order of its labels, and end with the one that fails', () => {
  const input = file('labels.zpl', '^XA^FO50,50^BEN,60^FDABC^FS^XZ\n'.repeat(120));
  const args = ['render', input, '--pages', 'all', '-o', path.join(dir, 'in-order', 'x.png')];
  fs.mkdirSync(path.join(dir, 'in-order'));
  const lines = sameMessages(args);
  assert.deepEqual(lines.map((line) => Number(/:(\d+):\d+: error/.exec(line)[1])), Array.from({ length: 120 }, (_, i) => i + 1));
  // A folder stands where page 77 would be written.
  fs.rmSync(path.join(dir, 'in-order', 'x-077.png'));
  fs.mkdirSync(path.join(dir, 'in-order', 'x-077.png'));
  const failing = sameMessages(args);
  assert.equal(failing.length, 78);
  assert.match(failing[77], /x-077\.png: /);
});

test('wrong usage ends with 2 and one line', () => {
  const a = file('c.zpl');
  for (const args of [
    ['render'],
    ['render', a, a],
    ['render', a, '--dpmm', '0'],
    ['render', a, '--dpmm', '49'],
    ['render', a, '--width-mm', '-3'],
    ['render', a, '--width-mm', '0x10'],
    ['render', a, '--height-mm', 'nan'],
    ['render', a, '--rotation', '45'],
    ['render', a, '--quality', 'fine'],
    ['render', a, '--profile', 'labelary'],
    ['render', a, '-f', 'gif'],
    ['render', a, '--page', '-1'],
    ['render', a, '--pages', 'some'],
    ['render', a, '--time', 'tomorrow'],
    ['render', a, '--pages', 'all'],
    ['render', a, '-o', 'x.png', '--out-dir', 'y'],
    ['render', a, '--jpeg-quality', '101'],
    ['bench'],
    ['bench', a, '--seconds', '-1'],
    ['nothing'],
    [],
  ]) {
    const r = run(args);
    assert.equal(r.status, 2, args.join(' '));
    assert.equal(r.out.length, 0, args.join(' '));
    assert.ok(r.err.length > 10, args.join(' '));
  }
});

test('failures end with 1 and one line, and leave no torn file', () => {
  const a = file('d.zpl');
  const cases = [
    [['render', path.join(dir, 'missing.zpl')], /missing\.zpl: No such file/],
    [['render', dir, '--out-dir', path.join(a, 'x')], /x: Not a directory/],
    [['render', a, '-o', path.join(dir, 'no/such/folder.png')], /folder\.png: No such file/],
    [['render', a, '-o', '/dev/full'], /No space left/],
    [['render', file('none.zpl', 'no label here')], /there is no label in it/],
    [['render', a, '--width-mm', '100000', '--height-mm', '100000'], /over the limit/],
    [['render', a, '--objects', path.join(dir, 'missing')], /missing/],
  ];
  for (const [args, message] of cases) {
    const r = run(args);
    assert.equal(r.status, 1, `${args.join(' ')}: ${r.err}`);
    assert.match(r.err, message);
  }
  const full = spawnSync('sh', ['-c', `"${platen}" render "${a}" > /dev/full`]);
  assert.equal(full.status, 1);
  assert.match(full.stderr.toString(), /No space left/);
  assert.ok(!fs.readdirSync(dir).some((name) => name.endsWith('.tmp')));
});

test('objects of a folder are found on drive E:', () => {
  file('objects/FORM.ZPL', '^XA^DFE:FORM.ZPL^FS^FO20,20^GB30,30,30^FS^XZ');
  const a = file('recall.zpl', '^XA^XFE:FORM.ZPL^FS^XZ');
  const r = run(['render', a, '--objects', path.join(dir, 'objects')]);
  assert.equal(r.status, 0, r.err);
  assert.equal(png(r.out).ink, 900);
});

test('bench --verify reads barcodes back; it measured nothing of it', () => {
  const r = run(['bench', file('e.zpl'), '--runs', '2', '--verify']);
  assert.equal(r.status, 0, r.err);
});

test('bench ends with the median alone', () => {
  const r = run(['bench', file('e.zpl'), '--seconds', '0.2']);
  assert.equal(r.status, 0, r.err);
  const lines = r.out.toString().trimEnd().split('\n');
  assert.match(lines.at(-1), /^\d+\.\d+$/);
  for (const stage of ['parse', 'draw', 'encode']) assert.ok(lines.some((line) => line.startsWith(stage)), stage);
});

test('a cold start renders a label in well under a second', () => {
  const a = file('f.zpl');
  // Of processor time: the machine may be busy.
  const r = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', 'bash', platen, 'render', a], { encoding: 'utf8' });
  assert.equal(r.status, 0, r.stderr);
  const [user, system] = r.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  assert.ok(user + system < 0.25, r.stderr);
});

test('json and base64 are what the service answers, with all labels', () => {
  const two = file('two.zpl', LABEL + LABEL.replace('Hello', 'World'));
  const json = run(['render', two, '-f', 'json']);
  assert.equal(json.status, 0);
  const result = JSON.parse(json.out);
  assert.deepEqual([result.ok, result.format, result.widthPx, result.count], [true, 'json', 812, 2]);
  assert.deepEqual(result.labels.map((l) => l.elements[0].data), ['Hello', 'World']);
  const png0 = run(['render', two]).out;
  assert.ok(Buffer.from(result.labels[0].data, 'base64').equals(png0));
  const out = path.join(dir, 'two.json');
  assert.equal(run(['render', two, '-o', out]).status, 0);
  assert.equal(fs.readFileSync(out, 'utf8'), json.out.toString());
  const base64 = JSON.parse(run(['render', two, '-f', 'base64', '--dpmm', '12']).out);
  assert.deepEqual([base64.format, base64.dpmm, base64.labels.length, base64.labels[0].elements], ['base64', 12, 2, undefined]);
});

test('the command line takes the spellings that the API takes', () => {
  const plain = run(['render', file('f.zpl'), '--dpmm', '8', '--quality', 'grayscale', '--page-orientation', 'portrait', '-f', 'pdf']);
  const other = run(['render', file('f.zpl'), '--dpmm', '8DPMM', '--quality', 'GRAYSCALE', '--page-orientation', 'Portrait', '-f', 'PDF']);
  assert.equal(other.status, 0, other.err);
  assert.deepEqual(other.out, plain.out);
  assert.match(run(['render', file('f.zpl'), '--dpmm', '0.5']).err, /--dpmm '0.5': must be a number from 1 to 48/);
});

test('--dpi is refused with a pointer to --dpmm, and a density of dots per inch with the densities that there are', () => {
  for (const [option, value] of [['--dpi', '203'], ['--dpmm', '203']]) {
    const r = run(['render', file('f.zpl'), option, value]);
    assert.equal(r.status, 2);
    assert.match(r.err, /--dpmm.*6, 8, 12 and 24 are the print heads of 152, 203, 304 and 609 dpi\./);
  }
});

test('an unknown format lists the six', () => {
  const r = run(['render', file('f.zpl'), '-f', 'gif']);
  assert.equal(r.status, 2);
  assert.match(r.err, /png, jpeg, webp, pdf, json, base64/);
});

test('--strict with --pages all counts what parsing and drawing find, and writes nothing', () => {
  const good = '^XA^FO50,50^GB200,60,5^FS^XZ';
  for (const bad of ['^XA^QQ^FO50,50^GB200,60,5^FS^XZ', '^XA^FO50,50^BEN,60^FDABC^FS^XZ']) {
    const out = path.join(dir, 'strict-pages');
    fs.mkdirSync(out, { recursive: true });
    const input = file('strict.zpl', good.repeat(40) + bad);
    const refused = run(['render', input, '--pages', 'all', '--strict', '-o', path.join(out, 'x.png')]);
    assert.equal(refused.status, 1);
    assert.match(refused.err, /--strict was given/);
    assert.deepEqual(fs.readdirSync(out), []);
    const fine = run(['render', file('fine.zpl', good.repeat(40)), '--pages', 'all', '--strict', '-o', path.join(out, 'x.png')]);
    assert.deepEqual([fine.status, fine.err, fs.readdirSync(out).length], [0, '', 40]);
    // Warnings are told once.
    const lenient = run(['render', input, '--pages', 'all', '-o', path.join(out, 'y.png')]);
    assert.equal(lenient.err.trim().split('\n').length, 1);
    fs.rmSync(out, { recursive: true });
  }
});

test('inputs of one name do not overwrite each other', () => {
  const out = path.join(dir, 'clash');
  const r = run(['render', file('one/x.zpl'), file('two/x.zpl'), '--out-dir', out]);
  assert.equal(r.status, 2);
  assert.match(r.err, /one\/x\.zpl and .*two\/x\.zpl would both become .*clash\/x\.png/);
  assert.ok(!fs.existsSync(out));
});

test('the input is never overwritten by its picture', () => {
  const input = file('precious.zpl');
  fs.symlinkSync(input, path.join(dir, 'link.png'));
  for (const output of [input, path.join(dir, 'link.png')]) {
    const r = run(['render', input, '-o', output]);
    assert.equal(r.status, 2);
    assert.match(r.err, /the output is the input itself/);
  }
  assert.equal(fs.readFileSync(input, 'utf8'), LABEL);
});

test('the program says its version, and options that it does not know name the command', () => {
  const r = run(['--version']);
  assert.equal(r.status, 0);
  assert.match(r.out.toString(), /^platen \d+\.\d+\.\d+( \([0-9a-f]{12}\))?\n$/);
  for (const command of ['render', 'check', 'inspect', 'commands', 'bench']) {
    const wrong = run([command, '--bogus']);
    assert.equal(wrong.status, 2);
    assert.match(wrong.err, new RegExp(`^platen ${command}: `));
  }
});

test('a density that is no whole number', () => {
  const r = run(['render', file('d.zpl'), '--dpmm', '7.5', '--width-mm', '20', '--height-mm', '10']);
  assert.deepEqual([png(r.out).width, png(r.out).height], [150, 75]);
});

test('inspect: elements and findings are as in the service\'s json; many labels; a closed pipe', () => {
  const input = file('i.zpl', '^XA^QQ^FO50,50^BY2^BCN,60^FD123^FS^FO50,60^GB399,9,3^FS^XZ');
  const inspected = JSON.parse(run(['inspect', '--json', input]).out);
  const rendered = JSON.parse(run(['render', '-f', 'json', '-q', input]).out);
  assert.deepEqual(inspected.labels[0].elements, rendered.labels[0].elements);
  for (const warning of rendered.warnings) delete warning.fix; // descriptions have it, inspect does not
  assert.deepEqual(inspected.warnings, rendered.warnings);
  assert.match(run(['inspect', input]).out.toString(), /^.*i\.zpl: 1 label\nlabel 0: 2 elements, 1 copy, bytes 0 to \d+\n/);
  const many = file('many.zpl', LABEL.replace('Hello', 'x').repeat(900));
  assert.equal(JSON.parse(run(['inspect', '--json', many]).out).labels.length, 900);
  const piped = spawnSync('bash', ['-c', `"${platen}" inspect --json "${many}" | head -c 10; echo "\${PIPESTATUS[0]}"`]);
  assert.match(piped.stdout.toString(), /1\n$/);
  assert.match(piped.stderr.toString(), /standard output: Broken pipe/);
});
