// platen diff: files, folders, pictures, tolerance, exit statuses, and input that is odd.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { PNG } from 'pngjs';
import { sleep, until } from '../api/lib/until.js';

const platen = resolve(process.env.PLATEN_BUILD || 'build', 'platen');
const work = mkdtempSync(join(tmpdir(), 'diff-'));
after(() => rmSync(work, { recursive: true }));

const A = '^XA^FO50,50^A0N,60,60^FDHello^FS^FO50,150^BY2^BCN,100,Y,N,N^FD123456^FS^XZ';
const MOVED = A.replace('FO50,50', 'FO58,54');
const write = (name, text) => {
  mkdirSync(join(work, name, '..'), { recursive: true });
  writeFileSync(join(work, name), text);
  return name;
};
write('a.zpl', A);
write('moved.zpl', MOVED);
write('two.zpl', A + A);
const run = (args, input) => spawnSync(platen, ['diff', ...args], { cwd: work, encoding: 'utf8', input, timeout: 180_000 });
function expect(status, args, input) {
  const result = run(args, input);
  assert.equal(result.status, status, `${args.join(' ')}: ${result.stdout}${result.stderr}`);
  return result;
}

test('exit 0 for the same, 1 for different, 2 for usage and what cannot be read', () => {
  assert.equal(expect(0, ['a.zpl', 'a.zpl']).stdout, 'same\n');
  assert.match(expect(1, ['a.zpl', 'moved.zpl']).stdout, /^a.zpl: label 0: different, \d+ dots only in A, \d+ only in B \(\d+\.\d\d % of the ink\)\n {2}moved {4}text \^A0 "Hello" at .*: moved by 8,4 dots \(1\.00, 0\.50 mm\)\n[^]*different\n$/);
  assert.equal(expect(1, ['a.zpl', 'moved.zpl', '-q']).stdout, '');
  for (const args of [[], ['a.zpl'], ['a.zpl', 'a.zpl', 'a.zpl'], ['-', '-'], ['a.zpl', 'a.zpl', '--tolerance', 'x'], ['a.zpl', 'a.zpl', '--tolerance', '101%'],
    ['a.zpl', 'a.zpl', '-j', '0'], ['a.zpl', 'a.zpl', '--jobs', '257'], ['a.zpl', 'a.zpl', '-j', 'x'], ['a.zpl', 'a.zpl', '--format', 'xml'], ['a.zpl', 'a.zpl', '--page', '-1'], ['a.zpl', 'a.zpl', '--size', '4x6'], ['a.zpl', 'a.zpl', '--nonsense']]) {
    assert.ok(expect(2, args).stderr.length > 10, args.join(' '));
  }
  assert.match(expect(2, ['a.zpl', 'missing.zpl']).stderr, /missing.zpl: No such file/);
  assert.match(expect(2, ['a.zpl', write('empty.zpl', '')]).stderr, /empty.zpl: there is no label in it/);
  assert.match(expect(2, ['a.zpl', '.']).stderr, /a folder can only be compared with a folder/);
});

test('standard input, and a label that one side lacks', () => {
  expect(0, ['-', 'a.zpl'], A);
  assert.match(expect(1, ['two.zpl', '-'], A).stdout, /two.zpl: label 1: only in A/);
  expect(0, ['two.zpl', 'a.zpl', '--page', '0']);
  expect(1, ['two.zpl', 'a.zpl', '--page', '1']);
  assert.match(expect(2, ['two.zpl', 'a.zpl', '--page', '2']).stderr, /no page 2/);
});

test('tolerance in dots and percent', () => {
  const { labels: [{ onlyA, onlyB, share }] } = JSON.parse(expect(1, ['a.zpl', 'moved.zpl', '--format', 'json']).stdout).files[0];
  expect(0, ['a.zpl', 'moved.zpl', '--tolerance', String(onlyA + onlyB)]);
  expect(1, ['a.zpl', 'moved.zpl', '--tolerance', String(onlyA + onlyB - 1)]);
  expect(0, ['a.zpl', 'moved.zpl', '--tolerance', `${Math.ceil(share * 100)}%`]);
  expect(1, ['a.zpl', 'moved.zpl', '--tolerance', `${Math.floor(share * 100)}%`]);
  expect(1, ['a.zpl', 'moved.zpl', '--tolerance', '100%', '--elements']);
});

test('a change that does not show is told and counts only with --elements', () => {
  write('outside.zpl', A.replace('^XZ', '^FO2000,50^A0N,60^FDunseen^FS^XZ'));
  assert.match(expect(0, ['a.zpl', 'outside.zpl']).stdout, /label 0: same, no dot differs\n {2}added {4}text \^A0 "unseen"/);
  expect(1, ['a.zpl', 'outside.zpl', '--elements']);
});

test('the picture shows three colours; several labels are numbered', () => {
  expect(1, ['a.zpl', 'moved.zpl', '--picture', 'both.png']);
  const png = PNG.sync.read(readFileSync(join(work, 'both.png')));
  const colours = new Set();
  for (let i = 0; i < png.data.length; i += 4) colours.add(png.data.toString('hex', i, i + 3));
  assert.deepEqual([...colours].sort(), ['000000', '0072b2', 'd55e00', 'ffffff']);
  expect(0, ['two.zpl', 'two.zpl', '--picture', 'pair.png']);
  assert.ok(existsSync(join(work, 'pair-1.png')) && existsSync(join(work, 'pair-2.png')));
  assert.match(expect(2, ['a.zpl', 'moved.zpl', '--picture', 'no/such/folder.png']).stderr, /folder.png/);
});

test('a golden picture: what platen render wrote is the same', () => {
  for (const options of [[], ['--dpmm', '12'], ['--width-mm', '60', '--height-mm', '40'], ['--rotation', '90'], ['--size', 'auto']]) {
    assert.equal(spawnSync(platen, ['render', 'a.zpl', '-o', 'golden.png', ...options], { cwd: work }).status, 0);
    expect(0, ['a.zpl', 'golden.png', ...options]);
    expect(1, ['golden.png', 'moved.zpl', ...options]);
  }
  assert.match(expect(1, ['a.zpl', 'golden.png']).stdout, /sizes 812 x 1218 and \d+ x \d+ dots/);
  assert.match(expect(2, ['a.zpl', write('torn.png', readFileSync(join(work, 'golden.png')).subarray(0, 60))]).stderr, /torn.png: the picture cannot be read/);
});

test('a picture is compared with one label, and a file with more is told', () => {
  assert.equal(spawnSync(platen, ['render', 'two.zpl', '-o', 'first.png'], { cwd: work }).status, 0);
  for (const more of [['--page', '1'], ['-q']]) assert.equal(expect(0, ['two.zpl', 'first.png', ...more]).stderr, '');
  assert.equal(expect(0, ['two.zpl', 'two.zpl']).stderr, '');
});

test('folders by relative name, with pictures for what differs', () => {
  for (const [name, text] of [['x/same.zpl', A], ['x/sub/moved.zpl', A], ['x/gone.zpl', A], ['x/golden.zpl', A], ['x/notes.md', 'no label'], ['y/same.zpl', A], ['y/sub/moved.zpl', MOVED], ['y/new.txt', A]]) write(name, text);
  assert.equal(spawnSync(platen, ['render', 'x/golden.zpl', '-o', 'y/golden.png'], { cwd: work }).status, 0);
  symlinkSync('..', join(work, 'x', 'loop'));
  const text = expect(1, ['x', 'y/', '--picture', 'out']).stdout;
  assert.match(text, /^gone.zpl: only in A$/m);
  assert.match(text, /^new.txt: only in B$/m);
  assert.match(text, /^sub\/moved.zpl: label 0: different/m);
  assert.match(text, /^5 compared: 2 same, 3 different, 0 unreadable$/m);
  assert.ok(existsSync(join(work, 'out/sub/moved.png')) && !existsSync(join(work, 'out/same.png')));
  const json = JSON.parse(expect(1, ['x', 'y', '--format', 'json']).stdout);
  assert.deepEqual([json.same, json.sameFiles, json.differentFiles, json.unreadableFiles], [false, 2, 3, 0]);
  assert.deepEqual(json.files.map(({ a, b, same }) => [a, b, same]), [['x/golden.zpl', 'y/golden.png', true], ['x/gone.zpl', null, false], [null, 'y/new.txt', false],
    ['x/same.zpl', 'y/same.zpl', true], ['x/sub/moved.zpl', 'y/sub/moved.zpl', false]]);
  expect(0, ['x', 'x']);
  mkdirSync(join(work, 'none'));
  assert.match(expect(2, ['none', 'none']).stderr, /no label files/);
  write('y/same.zpl', 'no label');
  assert.match(expect(2, ['x', 'y']).stdout, /1 unreadable/);
});

// The last one that was written replaced the others.
test('files that differ in their endings alone have pictures of their own; all others have the names that they had', () => {
  const epl = (text) => `N\nA50,50,0,4,1,1,N,"${text}"\nP1\n`;
  for (const [name, left, right] of [['x.zpl', A, MOVED], ['x.epl', epl('Left'), epl('Right')], ['x.txt', A + A, MOVED + MOVED], ['x-y.zpl', A, MOVED], ['y.zpl', A, MOVED], ['sub/x.zpl', A, MOVED], ['z.zpl', A, MOVED]]) {
    write(`p/${name}`, left);
    write(`q/${name}`, right);
  }
  write('p/z.epl', A); // has no partner, so no picture
  for (const [code, folder] of [['a.zpl', 'p'], ['moved.zpl', 'q']]) assert.equal(spawnSync(platen, ['render', code, '-o', `${folder}/x.zpl.png`], { cwd: work }).status, 0);
  expect(1, ['p', 'q', '--picture', 'apart']);
  const pictures = readdirSync(join(work, 'apart'), { recursive: true }).filter((name) => name.endsWith('.png')).sort();
  assert.deepEqual(pictures, ['sub/x.png', 'x-y.png', 'x.epl.png', 'x.txt-1.png', 'x.txt-2.png', 'x.zpl.png', 'x.zpl.png.png', 'y.png', 'z.png']);
});

// Pictures of several files may have one name: a-1.png is that of a-1.zpl and of the first label of a.zpl.
test('the same output, messages and pictures with any number of threads', () => {
  for (let i = 0; i < 40; i++) {
    write(`m/l${i}.zpl`, A);
    write(`n/l${i}.zpl`, i % 3 ? A.replace('FO50,50', `FO${50 + i},50`) : A);
  }
  for (const [name, left, right] of [['a.zpl', A + A, MOVED + MOVED], ['a-1.zpl', A, A.replace('Hello', 'Other')], ['a.txt', A, A.repeat(3)], ['long.zpl', A.repeat(200), MOVED.repeat(200)], ['bad.zpl', A, 'no label']]) {
    write(`m/${name}`, left);
    write(`n/${name}`, right);
  }
  write('m/gone.zpl', A);
  const results = ['1', '2', '8', '64'].flatMap((jobs) => ['text', 'json'].map((format) => {
    const out = `pictures-${jobs}-${format}`;
    const { stdout, stderr } = expect(2, ['m', 'n', '-f', format, '--picture', out, '--jobs', jobs]);
    const pictures = readdirSync(join(work, out)).sort().map((name) => [name, readFileSync(join(work, out, name), 'base64')]);
    return { format, stdout, stderr, pictures };
  }));
  assert.match(results[0].stdout, /^46 compared: 14 same, 31 different, 1 unreadable$/m);
  for (const result of results) {
    assert.deepEqual(result, { ...results[result.format === 'text' ? 0 : 1], pictures: results[0].pictures });
  }
});

test('a pair that waits for its turn does not spend the time of its files', async () => {
  // Each label says about 1 MB, and 4 MiB are kept: b.zpl waits, with labels that are not drawn yet.
  const fields = (x) => `^XA${Array.from({ length: 12000 }, (_, i) => `^FO${x + (i % 700)},${i % 1100}^GB2,2,2^FS`).join('')}^XZ`;
  for (const [name, count] of [['a.zpl', 1], ['b.zpl', 10]]) {
    write(`turn-a/${name}`, fields(0).repeat(count));
    write(`turn-b/${name}`, fields(40).repeat(count));
  }
  const began = performance.now();
  const whole = spawnSync(platen, ['diff', 'turn-a', 'turn-b', '-j', '1'], { cwd: work, maxBuffer: 1 << 28 });
  const timeout = Math.ceil(3000 + 4 * (performance.now() - began));
  assert.ok(whole.stdout.length > 8 << 20, `${whole.stdout.length} bytes`);
  const child = spawn(platen, ['diff', 'turn-a', 'turn-b', '-j', '2', '--render-timeout', `${timeout}ms`], { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = [], parts = [];
  child.stderr.on('data', (part) => errors.push(part));
  // Nobody reads until both threads have waited for longer than the time of a file.
  const sleeps = (thread) => /^State:\s+S/m.test(readFileSync(`/proc/${child.pid}/task/${thread}/status`, 'utf8'));
  let quiet = 0;
  await until(async () => {
    await sleep(50);
    const threads = readdirSync(`/proc/${child.pid}/task`);
    quiet = threads.length === 2 && threads.every(sleeps) ? quiet + 1 : 0;
    return quiet === 10;
  }, 'both threads to wait');
  await sleep(timeout);
  child.stdout.on('data', (part) => parts.push(part));
  const [status] = await once(child, 'close');
  assert.deepEqual([status, Buffer.concat(errors).toString()], [1, '']);
  assert.ok(Buffer.concat(parts).equals(whole.stdout));
});

test('odd input: bytes, many labels, many elements', () => {
  write('noise.zpl', Buffer.from(Array.from({ length: 20000 }, (_, i) => (i * 7919 + (i >> 3)) % 256)));
  assert.equal(run(['noise.zpl', 'a.zpl']).signal, null);
  write('many.zpl', A.repeat(500));
  expect(0, ['many.zpl', 'many.zpl']);
  write('fields.zpl', `^XA${Array.from({ length: 15000 }, (_, i) => `^FO${i % 700},${i % 1100}^GB2,2,2^FS`).join('')}^XZ`);
  expect(1, ['fields.zpl', 'a.zpl', '-q']);
});

test('render --size auto: the size of the picture, and of the json', () => {
  write('sized.zpl', '^XA^PW406^LL203^FO9,9^A0N,30^FDx^FS^XZ');
  const json = JSON.parse(spawnSync(platen, ['render', 'sized.zpl', '--size', 'auto', '-f', 'json', '-q'], { cwd: work, encoding: 'utf8' }).stdout);
  assert.deepEqual([json.widthMm, json.heightMm, json.widthPx, json.heightPx], [50.8, 25.4, 406, 203]);
  for (const extra of [[], ['--timeout', '20s']]) {
    assert.equal(spawnSync(platen, ['render', 'sized.zpl', '--size', 'auto', '-o', 'sized.png', ...extra], { cwd: work }).status, 0);
    const png = PNG.sync.read(readFileSync(join(work, 'sized.png')));
    assert.deepEqual([png.width, png.height], [406, 203]);
  }
});

test('a picture beside label code of the same name does not take its partner', () => {
  write('ours/x.zpl', A);
  write('theirs/x.zpl', MOVED);
  assert.equal(run(['a.zpl', 'a.zpl']).status, 0);
  const png = spawnSync(platen, ['render', 'a.zpl', '-o', 'theirs/x.png'], { cwd: work });
  assert.equal(png.status, 0);
  for (const args of [['ours', 'theirs'], ['theirs', 'ours']]) {
    const { stdout } = expect(1, args);
    assert.match(stdout, /^x.zpl: label 0: different/m);
    assert.match(stdout, /^x.png: only in [AB]$/m);
  }
});

test('labels that a picture cannot stand for are named: they were left out without a word', () => {
  assert.equal(spawnSync(platen, ['render', 'two.zpl', '-o', 'first.png'], { cwd: work }).status, 0);
  assert.match(expect(0, ['two.zpl', 'first.png']).stderr, /two.zpl: only label 0 of 2 was compared/);
  assert.match(expect(0, ['first.png', 'two.zpl']).stderr, /two.zpl: only label 0 of 2 was compared/);
  assert.equal(expect(0, ['two.zpl', 'first.png', '--page', '1']).stderr, '');
});

// Both were cut at 500 labels, and what was left was the same.
test('serial labels beyond the limit are not the same when another number was asked for', () => {
  const serial = (n) => write(`serial-${n}.zpl`, `^XA^FO20,20^A0N,30^SN1,1^FS^PQ${n}^XZ`);
  assert.equal(expect(1, ['--width-mm', '20', '--height-mm', '10', serial(600), serial(700)]).stdout, 'different\n');
  assert.equal(expect(1, ['--width-mm', '20', '--height-mm', '10', serial(500), serial(600)]).stdout, 'different\n');
  const cut = expect(0, ['--width-mm', '20', '--height-mm', '10', serial(600), write('again.zpl', '^XA^FO20,20^A0N,30^SN1,1^FS^PQ600^XZ')]);
  assert.equal(cut.stdout, 'same\n');
  assert.match(cut.stderr, /serial-600\.zpl: \^PQ asks for 600 labels.*\n.*again\.zpl: \^PQ asks for 600 labels/);
});

test('--language names the language of both', () => {
  write('label.epl', 'N\nq400\nQ200,24\nLO10,10,50,50\nP1\n');
  expect(0, ['--language', 'epl', 'label.epl', 'label.epl']);
  assert.match(expect(2, ['--language', 'zpl', 'label.epl', 'label.epl']).stderr, /there is no label in it/);
});

test('--profile draws both sides', () => {
  write('circle.zpl', '^XA^FO20,20^GC101,9^FS^XZ');
  const picture = spawnSync(platen, ['render', 'circle.zpl', '-q', '--profile', 'printer', '-o', 'printer.png'], { cwd: work, timeout: 180_000 });
  assert.equal(picture.status, 0);
  expect(1, ['circle.zpl', 'printer.png']);
  expect(0, ['circle.zpl', 'printer.png', '--profile', 'printer']);
  expect(2, ['circle.zpl', 'printer.png', '--profile', 'other']);
});
