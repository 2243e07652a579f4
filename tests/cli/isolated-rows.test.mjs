// `platen render --timeout` of rows and of packed outputs: documents in processes of their own. A row that crashes the
// renderer or takes too long is a failed row with its reason; all others are drawn, in order.
// build/tests/renderer/platen_trapped has processes that go wrong on purpose (tests/renderer/traps.c).
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sleep, until } from '../api/lib/until.js';

const build = process.env.PLATEN_BUILD ?? 'build';
process.env.ASAN_OPTIONS ??= 'handle_segv=0'; // a crash that a trap asks for needs no report
const platen = path.resolve(build, 'platen');
const trapped = path.resolve(build, 'tests/renderer/platen_trapped');
const label = (text) => `^XA^FO20,20^A0N,40,40^FD${text}^FS^XZ`;
const trap = (name, text = name) => `^FXtrap=${name}^FS${label(text)}`;
let dir;
before(() => { dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-rows-')); });
after(() => fs.rmSync(dir, { recursive: true, force: true }));
const at = (name) => path.join(dir, name);
const file = (name, content) => { fs.mkdirSync(path.dirname(at(name)), { recursive: true }); fs.writeFileSync(at(name), content); return name; };
const run = (args, { program = trapped, ...options } = {}) => {
  const r = spawnSync(program, ['render', ...args], { maxBuffer: 1 << 28, cwd: dir, timeout: 300_000, ...options });
  return { status: r.status, out: r.stdout, err: r.stderr.toString() };
};
const ndjson = (name, rows) => file(name, rows.map((row) => `${JSON.stringify({ widthMm: 40, heightMm: 20, ...row })}\n`).join(''));
const lines = (text) => text.toString().trim().split('\n').map((l) => JSON.parse(l));
const names = (zip) => execFileSync('unzip', ['-Z1', at(zip)]).toString().trim().split('\n');
const pages = (pdf) => Number(/Pages:\s+(\d+)/.exec(execFileSync('pdfinfo', [at(pdf)]).toString())[1]);
const children = (pid) => {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number).flatMap((child) => [child, ...children(child)]);
  } catch {
    return [];
  }
};
const gone = (pid) => !fs.existsSync(`/proc/${pid}/status`);

test('the same bytes, messages and exit status as without --timeout', () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, zpl: i % 7 === 3 ? 'no label' : i % 7 === 5 ? label(i) + label('^BEN,60^FDABC') : label(i), ...(i % 5 === 1 && { colour: 'red' }), ...(i % 11 === 4 && { rotation: 5 }), ...(i % 6 === 2 && { page: 1 }) }));
  ndjson('same.ndjson', [...rows, { id: 'r0', zpl: label('twice') }]);
  file('t.zpl', '^XA^CI28^FO20,20^A0N,40,40^FD{{name}}^FS^XZ');
  file('t.csv', 'name,more\nAnn,1\nJosé,2\nx\ntoo,many,fields\n');
  for (const i of [1, 2, 3]) file(`in/l${i}.zpl`, label(i) + (i === 2 ? '^XA^FO9,9^FDb^FS^PQ3^XZ' : ''));
  execFileSync('zip', ['-q', 'codes.zip', 'in/l1.zpl', 'in/l3.zpl'], { cwd: dir });
  for (const args of [['same.ndjson', '-o', '-'], ['same.ndjson', '-o', '-', '-f', 'json'], ['same.ndjson', '-o', 'OUT/a.zip'], ['same.ndjson', '-o', 'OUT/a.pdf', '--page-size', 'A4'], ['same.ndjson', '--out-dir', 'OUT'],
    ['same.ndjson', '--out-dir', 'OUT', '-f', 'json', '--strict'], ['t.csv', '--template', 't.zpl', '-o', '-'], ['in', 'missing.zpl', '-o', 'OUT/in.pdf'], ['codes.zip', 'in/l2.zpl', '-o', 'OUT/in.zip', '-f', 'webp'], ['same.ndjson', '-o', '/dev/full'],
    ['same.ndjson', '-o', 'OUT/no/such.zip'], ['same.ndjson', '-o', '-', '--max-memory', '64KiB']]) {
    const [whole, isolated] = [[], ['--timeout', '5m']].map((more) => {
      fs.rmSync(at('OUT'), { recursive: true, force: true });
      fs.mkdirSync(at('OUT'));
      const r = run([...args, '--time', '0', ...more], { program: platen });
      const timeless = (bytes) => bytes.toString('latin1').replace(/"seconds":[\d.]+/, '');
      const files = fs.readdirSync(at('OUT')).sort().map((name) => [name, name.endsWith('.zip') ? names(`OUT/${name}`).map((entry) => [entry, timeless(execFileSync('unzip', ['-p', at(`OUT/${name}`), entry]))]) : timeless(fs.readFileSync(at(`OUT/${name}`)))]);
      return { status: r.status, out: timeless(r.out), err: r.err, files };
    });
    assert.deepEqual(isolated, whole, args.join(' '));
  }
});

// The loop ends at --timeout, which must be long enough for the others on a busy machine.
test('rows that crash, hang or take all memory fail alone, with their reason: lines, ZIP, folder, PDF, with -j 1 and -j 64', { skip: process.env.PLATEN_BUILD && 'sanitizers have no bound of memory' }, () => {
  const graphic = `^XA^FO9,9^GFA,20000000,20000000,1000,FF,${':'.repeat(19999)}^FS^XZ`;
  const bad = { 3: trap('overflow'), 8: trap('loop'), 12: trap('recursion'), 17: `^FXtrap=memory^FS${graphic}`, 19: 'no label' };
  const rows = Array.from({ length: 24 }, (_, i) => ({ id: `r${i}`, zpl: bad[i] ?? label(i) }));
  const good = rows.filter((_, i) => !bad[i]).map(({ id }) => id);
  ndjson('bad.ndjson', rows);
  const isolated = (out, jobs) => run(['bad.ndjson', ...out, '--timeout', '6s', '--max-memory', '64MiB', '-j', jobs]);
  for (const jobs of ['1', '64']) {
    const r = isolated(['-o', '-'], jobs), all = lines(r.out);
    assert.equal(r.status, 1);
    assert.deepEqual(all.slice(0, -1).map(({ id }) => id), rows.map(({ id }) => id));
    assert.deepEqual(all.filter(({ ok }) => ok).map(({ id }) => id), good);
    const problems = all.filter(({ ok }) => ok === false).map(({ status, code, error }) => [status, code, error]);
    const crashed = [500, 'render_failed', 'not rendered: the process crashed (Segmentation fault)'];
    assert.deepEqual(problems.slice(0, 3), [crashed, [503, 'render_timeout', 'Rendering took longer than the time limit.'], crashed]);
    assert.match(problems[3][2], /memory/);
    assert.equal(problems[4][1], 'no_labels');
    assert.equal(all.at(-1).summary.failed, 5);
    assert.match(r.err, /^platen: r3: not rendered: the process crashed \(Segmentation fault\)\nplaten: r8: Rendering took .*\nplaten: r12: .*\nplaten: r17: .*\nplaten: r19: .*\n19 rendered, 5 failed\n$/);
  }
  ndjson('bad.ndjson', rows.map((row, i) => (i === 8 ? { ...row, zpl: 'no label' } : row))); // the rest is quicker without it
  assert.equal(isolated(['-o', 'bad.zip'], '2').status, 1);
  assert.deepEqual(names('bad.zip'), [...good.map((id) => `${id}.png`), 'errors.ndjson', 'summary.json']);
  assert.deepEqual(lines(execFileSync('unzip', ['-p', at('bad.zip'), 'errors.ndjson'])).map(({ id }) => id), ['r3', 'r8', 'r12', 'r17', 'r19']);
  assert.equal(isolated(['-o', 'bad.pdf'], '2').status, 1);
  assert.equal(pages('bad.pdf'), 19);
  assert.equal(isolated(['--out-dir', 'bad'], '2').status, 1);
  assert.deepEqual(fs.readdirSync(at('bad')).sort(), good.map((id) => `${id}.png`).sort());
});

test('rows of CSV whose template crashes, files of a ZIP, and files into one PDF', () => {
  file('crash.zpl', '^FXtrap=abort^FS^XA^FO20,20^A0N,40,40^FD{{name}}^FS^XZ');
  file('crash.csv', 'id,name\na,Ann\nb,Bob\nc,Carl,3\n');
  const csv = run(['crash.csv', '--template', 'crash.zpl', '-o', '-', '--timeout', '5m']);
  assert.deepEqual(lines(csv.out).slice(0, 3).map(({ id, code }) => [id, code]), [['a', 'render_failed'], ['b', 'render_failed'], ['c', 'too_many_fields']]);
  for (const name of ['a', 'b', 'c']) file(`packed/${name}.zpl`, name === 'b' ? trap('recursion') : label(name));
  execFileSync('zip', ['-q', '-r', 'packed.zip', 'packed'], { cwd: dir });
  for (const input of ['packed', 'packed.zip']) {
    const pdf = run([input, '-o', 'packed.pdf', '--timeout', '5m']);
    assert.match(pdf.err, /^platen: b: not rendered: the process crashed \(Segmentation fault\)\n2 rendered, 1 failed\n$/);
    assert.equal(pages('packed.pdf'), 2);
  }
});

for (const name of ['cli-path', 'cli-size', 'cli-kind', 'cli-answer', 'cli-flood', 'cli-half', 'cli-forge', 'cli-forge-json', 'cli-copies', 'cli-orders', 'fork', 'kill']) {
  test(`${name}: a process that was taken over costs its row and says nothing of others`, { skip: process.env.PLATEN_BUILD && /fork|kill/.test(name) && 'sanitizers need these calls' }, () => {
    fs.rmSync('/tmp/platen-trap', { force: true });
    ndjson('taken.ndjson', [{ id: 'before', zpl: label(1) }, { id: 'bad', zpl: trap(name), ...(name === 'cli-forge-json' && { format: 'json' }) }, { id: 'behind', zpl: label(2) }]);
    const r = run(['taken.ndjson', '-o', '-', '--timeout', '10s', '-j', '1']), all = lines(r.out);
    assert.deepEqual(all.slice(0, 3).map(({ id, ok }) => [id, ok]), [['before', true], ['bad', false], ['behind', true]]);
    assert.equal(all.length, 4);
    assert.ok(!r.out.includes('stranger'));
    assert.ok(!fs.existsSync('/tmp/platen-trap'));
    assert.ok(!r.err.includes('\x1b'), 'a terminal gets no orders');
  });
}

test('a process can open nothing; one that an earlier row has spoilt is replaced, and so is one that keeps much memory', { skip: process.env.PLATEN_BUILD && 'sanitizers need files, and have no bound of memory' }, () => {
  const kinds = ['open', 'write', 'descriptors', 'spoil', 'none', 'leak', 'leak', 'leak', 'none', 'spoil', 'none'];
  ndjson('held.ndjson', kinds.map((kind, i) => ({ id: `${i}`, zpl: trap(kind) })));
  const r = run(['held.ndjson', '-o', '-', '--timeout', '5m', '-j', '1', '--max-memory', '64MiB']);
  assert.equal(r.status, 0, r.err);
  assert.equal(lines(r.out).length, kinds.length + 1);
});

for (const [signal, out] of [['SIGINT', ['-o', 'ended/all.zip']], ['SIGTERM', ['-o', 'ended/all.pdf']], ['SIGTERM', ['--out-dir', 'ended']], ['SIGHUP', ['--out-dir', 'ended']]]) {
  test(`${signal} with ${out[0]} ends all processes and leaves no half files`, async () => {
    fs.rmSync(at('ended'), { recursive: true, force: true });
    fs.mkdirSync(at('ended'));
    ndjson('ended.ndjson', [...Array.from({ length: 20 }, (_, i) => ({ id: `e${i}`, zpl: label(i) })), { id: 'loop', zpl: trap('loop') }, { id: 'loop2', zpl: trap('loop') }]);
    const child = spawn(trapped, ['render', 'ended.ndjson', ...out, '--timeout', '10m', '-j', '2'], { cwd: dir, detached: true, stdio: 'ignore' });
    const renderers = await until(() => { const all = children(child.pid); return all.length === 3 && all; }, 'a keeper and two that render');
    const ticks = (pid) => Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[11]);
    await until(() => renderers.slice(1).every((pid) => ticks(pid) >= 30), 'both loops');
    process.kill(-child.pid, signal);
    const [, how] = await once(child, 'exit');
    assert.equal(how, signal);
    await until(() => renderers.every(gone), 'the end of all processes');
    const made = fs.readdirSync(at('ended'));
    assert.deepEqual(made.filter((name) => !/^e\d+\.png$/.test(name)), []);
    assert.equal(made.length, out[0] === '-o' ? 0 : 20);
  });
}

test('a signal that is ignored (nohup) ends nothing', async () => {
  ndjson('nohup.ndjson', [{ id: 'a', zpl: trap('slow') }, { id: 'b', zpl: label('b') }]);
  const child = spawn('sh', ['-c', 'trap "" HUP; exec "$0" "$@"', trapped, 'render', 'nohup.ndjson', '-o', 'nohup.zip', '--timeout', '5m'], { cwd: dir, stdio: 'ignore' });
  await until(() => children(child.pid).length > 1);
  child.kill('SIGHUP');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.deepEqual(names('nohup.zip'), ['a.png', 'b.png', 'summary.json']);
});

test('a slow reader of the output is not the fault of the rows', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => ({ id: `s${i}`, zpl: label(i), widthMm: 200, heightMm: 200, format: 'json' }));
  ndjson('slow.ndjson', rows);
  const began = performance.now();
  assert.equal(run(['slow.ndjson', '-o', 'slow-all.ndjson', '--timeout', '5m']).status, 0);
  const timeout = Math.ceil(3000 + performance.now() - began);
  const child = spawn(platen, ['render', 'slow.ndjson', '-o', '-', '--timeout', `${timeout}ms`, '-j', '2'], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] });
  await sleep(timeout + 500); // nobody reads for longer than that
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  const [status] = await once(child, 'close');
  assert.equal(status, 0);
  assert.equal(lines(Buffer.concat(parts)).filter(({ ok }) => ok).length, 400);
});

test('random mixes of rows on any number of processes give exactly the expected lines, in order', () => {
  let state = Number(process.env.SEED ?? 20261119);
  const random = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 2 ** 32 * n); };
  const kinds = [['good', true], ['good', true], ['good', true], ['two', true], ['large', true], ['leak', true], ['spoil', true], ['abort', 'render_failed'], ['overflow', 'render_failed'], ['cli-kind', 'render_failed'], ['empty', 'no_labels'], ['odd', 'invalid_parameter']];
  const code = (kind, i) => ({ two: label(i) + label(-i), empty: `${i}`, large: `^XA${`^FO20,20^A0N,40,40^FD${i}^FS`.repeat(3000)}^XZ` })[kind] ?? trap(kind, i);
  for (let round = 0; round < Number(process.env.ROUNDS ?? 3); round++) {
    const chosen = Array.from({ length: 20 + random(60) }, () => kinds[random(kinds.length)]);
    ndjson('random.ndjson', chosen.map(([kind], i) => ({ id: `${kind}-${i}`, zpl: code(kind, i), ...(kind === 'odd' && { rotation: 5 }), ...(kind === 'large' && { widthMm: 200, heightMm: 200, quality: 'grayscale' }) })));
    const expected = chosen.flatMap(([kind, how], i) => Array(kind === 'two' ? 2 : 1).fill([`${kind}-${i}`, how]));
    const jobs = [1, 2, 3, 8, 64][random(5)];
    const r = run(['random.ndjson', '-o', '-', '--timeout', '5m', '-j', `${jobs}`]);
    assert.deepEqual(lines(r.out).slice(0, -1).map(({ id, ok, code: problem }) => [id, ok || problem]), expected, `round ${round}, -j ${jobs}`);
    const alone = run(['random.ndjson', '-o', '-', '-j', '1'], { program: platen }); // which has no traps
    const pictures = new Map(lines(alone.out).map((l) => [`${l.id} ${l.index}`, l.data]));
    for (const l of lines(r.out).filter(({ ok }) => ok)) assert.ok(pictures.get(`${l.id} ${l.index}`) === l.data, `the picture of ${l.id}`);
  }
});
