// `platen render --timeout`: files in processes of their own. Whatever a file does to its process, the others are
// rendered, messages keep their order, files are whole, and nothing is left running.
// build/tests/renderer/platen_trapped has processes that go wrong on purpose (tests/renderer/traps.c).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sleep, until } from '../api/lib/until.js';

const build = process.env.PLATEN_BUILD ?? 'build';
const platen = path.resolve(build, 'platen');
const trapped = path.resolve(build, 'tests/renderer/platen_trapped');
const label = (text) => `^XA^FO50,50^A0N,40,40^FD${text}^FS^FO50,120^GB200,60,5^FS^XZ`;
const trap = (name) => `^FXtrap=${name}^FS${label(name)}`;
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-isolated-'));
const at = (name) => path.join(dir, name);
const file = (name, content = label(name)) => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), content);
  return at(name);
};
const run = (program, args, options = {}) => {
  const r = spawnSync(program, args, { maxBuffer: 1 << 28, timeout: 300_000, ...options });
  return { status: r.status, signal: r.signal, out: r.stdout, err: r.stderr.toString() };
};
const isWhole = (name) => fs.readFileSync(name).subarray(-8, -4).toString('latin1') === 'IEND';
const children = (pid) => {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number).flatMap((child) => [child, ...children(child)]);
  } catch {
    return [];
  }
};
const state = (pid) => {
  try {
    return /^State:\s+(\S)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
  } catch {
    return 'gone';
  }
};

// Ends a program with its processes, also those that are stopped.
const end = (child) => {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  for (const pid of [child.pid, ...children(child.pid)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it ended with its parent
    }
  }
};

const STOPPED_MS = 60_000;
let stopped, stoppedAt; // a program that is stopped while the other tests run
after(() => {
  end(stopped); // it is there still where `before` or the last test has failed
  fs.rmSync(dir, { recursive: true, force: true });
});
before(async () => {
  stopped = spawn(platen, ['render', '-', '--timeout', `${STOPPED_MS}ms`, '-o', at('stopped.png')], { detached: true, stdio: ['pipe', 'inherit', 'pipe'] });
  await until(() => children(stopped.pid).length > 1); // the keeper and one that renders
  process.kill(-stopped.pid, 'SIGSTOP');
  stoppedAt = performance.now();
});

// The same files, bytes, messages and status as without --timeout.
function sameAsThreads(args, options = {}) {
  const results = [[], ['--timeout', '30s']].map((more, i) => {
    const out = at(`same-${i}`);
    fs.rmSync(out, { recursive: true, force: true });
    fs.mkdirSync(out);
    const r = run(platen, [...args.map((arg) => arg.replace('OUT', out)), ...more], options);
    const files = Object.fromEntries(fs.readdirSync(out).sort().map((name) => [name, fs.readFileSync(path.join(out, name)).toString('base64')]));
    return { status: r.status, out: r.out.toString('base64'), err: r.err.replaceAll(out, 'OUT'), files };
  });
  assert.deepEqual(results[1], results[0]);
  return results[0];
}

test('the same bytes, messages and exit status as without --timeout', () => {
  const time = ['--time', '0'];
  for (let i = 0; i < 30; i++) file(`plain/l${i}.zpl`, `${label(i)}${i % 5 === 2 ? '^XA^QQ^FO9,9^BEN,60^FDABC^FS^XZ' : ''}`);
  file('plain/none.zpl', 'no label');
  const several = file('several.zpl', `${label('a')}^XA^FO9,9^FDb^FS^PQ3^XZ${label('c')}`);
  const odd = file('odd.zpl', '^XA^QQ^FO9,9^BEN,60^FDABC^FS^XZ');
  for (const format of ['png', 'jpeg', 'webp', 'pdf', 'json', 'base64']) {
    const batch = sameAsThreads(['render', at('plain'), at('missing.zpl'), '--out-dir', 'OUT', '-f', format, ...time]);
    assert.deepEqual([batch.status, Object.keys(batch.files).length], [1, 30]);
    sameAsThreads(['render', several, '-f', format, ...time]);
    sameAsThreads(['render', '-', '-f', format, ...time], { input: label('stdin') });
  }
  assert.equal(Object.keys(sameAsThreads(['render', several, '--pages', 'all', '-o', 'OUT/p.png']).files).length, 5);
  assert.equal(Object.keys(sameAsThreads(['render', several, odd, '--pages', 'all', '--out-dir', 'OUT', '--strict']).files).length, 5);
  sameAsThreads(['render', several, '--page', '9']);
  sameAsThreads(['render', odd, '-q']);
  sameAsThreads(['render', several, '-o', 'OUT/no/such/folder.png']);
  sameAsThreads(['render', several, '-o', '/dev/full']);
  sameAsThreads(['render', dir, '--out-dir', 'OUT']); // no label files
  sameAsThreads(['render', at('plain'), '--out-dir', 'OUT', '--width-mm', '100000', '--height-mm', '100000']);
});

test('a batch of 20 with a crash, an endless loop and one that takes all memory: 17 are rendered, messages in order', () => {
  // Drawing the graphic takes memory, and there is none left.
  const graphic = `^XA^FO9,9^GFA,20000000,20000000,1000,FF,${':'.repeat(19999)}^FS^XZ`;
  const bad = { 4: trap('overflow'), 9: trap('loop'), 14: `^FXtrap=memory^FS${graphic}` };
  const inputs = [];
  for (let i = 0; i < 20; i++) inputs.push(file(`twenty/l${String(i).padStart(2, '0')}.zpl`, bad[i] ?? `^XA^QQ^FO9,9^GB9,9,9^FS^XZ`));
  for (const jobs of ['1', '3']) {
    const out = at(`twenty-out-${jobs}`);
    const r = run(trapped, ['render', at('twenty'), '--out-dir', out, '--timeout', '20s', '--max-memory', '64MiB', '-j', jobs]);
    assert.equal(r.status, 1);
    const lines = r.err.trim().split('\n');
    assert.equal(lines.length, 21);
    inputs.forEach((input, i) => assert.ok(lines[i].includes(input), lines[i]));
    assert.match(lines[4], /l04\.zpl: not rendered: the process crashed \(Segmentation fault\)$/);
    assert.match(lines[9], /l09\.zpl: not rendered within 20 s \(--timeout\)$/);
    assert.match(lines[14], /l14\.zpl: .*memory/);
    assert.equal(lines[20], '17 rendered, 3 failed');
    const made = fs.readdirSync(out).sort();
    assert.deepEqual(made, inputs.filter((_, i) => !bad[i]).map((input) => path.basename(input, '.zpl') + '.png'));
    for (const name of made) assert.ok(isWhole(path.join(out, name)), name);
  }
});

for (const [name, why, timeout = '5m'] of [
  ['recursion', /the process crashed/],
  ['abort', /the process crashed/],
  ['fork', process.env.PLATEN_BUILD ? / / : /the process crashed/],
  ['kill', process.env.PLATEN_BUILD ? / / : /the process crashed/],
  ['cli-path', /not rendered/],
  ['cli-size', /not rendered/],
  ['cli-kind', /not rendered/],
  ['cli-half', /not rendered within 10 s/, '10s'],
  ['cli-flood', /not rendered within 10 s/, '10s'],
]) {
  test(`${name}: the file fails, the one before it and the one after it are rendered`, () => {
    fs.rmSync('/tmp/platen-trap', { force: true });
    const out = at(`out-${name}`);
    const r = run(trapped, ['render', file('before.zpl'), file('bad.zpl', trap(name)), file('behind.zpl'), '--out-dir', out, '--timeout', timeout, '-j', '1']);
    assert.equal(r.status, 1);
    const lines = r.err.trim().split('\n');
    assert.match(lines.at(-2), why);
    assert.ok(lines.at(-2).startsWith(`platen: ${at('bad.zpl')}: `), lines.at(-2));
    assert.equal(lines.at(-1), '2 rendered, 1 failed');
    assert.deepEqual(fs.readdirSync(out).sort(), ['before.png', 'behind.png']);
    assert.ok(!fs.existsSync('/tmp/platen-trap'));
    assert.ok(!r.err.includes('\x1b'), 'a terminal gets no orders');
  });
}

test('a process can open nothing and has no other descriptors', { skip: process.env.PLATEN_BUILD && 'sanitizers need files' }, () => {
  for (const name of ['open', 'write', 'descriptors']) {
    const r = run(trapped, ['render', file(`${name}.zpl`, trap(name)), '--timeout', '5m', '-o', at('opened.png')]);
    assert.deepEqual([r.status, r.err], [0, ''], name);
  }
});

test('a file that dies in a process which an earlier one has spoilt gets another process', () => {
  const out = at('spoilt');
  const r = run(trapped, ['render', file('s1.zpl', trap('spoil')), file('s2.zpl', `^XA^QQ^FO9,9^GB9,9,9^FS^XZ`), file('s3.zpl'), '--out-dir', out, '--timeout', '5m', '-j', '1']);
  assert.equal(r.status, 0, r.err);
  assert.equal(r.err.trim().split('\n').length, 2, r.err); // the warning once, and the sum
  assert.equal(fs.readdirSync(out).length, 3);
});

test('a process that has kept much memory does not get the next file', { skip: process.env.PLATEN_BUILD && 'sanitizers have no bound of memory' }, () => {
  const inputs = [1, 2, 3].flatMap((i) => [file(`leak${i}.zpl`, trap('leak')), file(`large${i}.zpl`)]);
  const r = run(trapped, ['render', ...inputs, '--out-dir', at('leaks'), '--timeout', '5m', '--max-memory', '64MiB', '-j', '1', '--width-mm', '300', '--height-mm', '300', '--dpmm', '24', '--quality', 'grayscale']);
  assert.equal(r.status, 0, r.err);
});

test('one input: nothing on standard output, no file, and one line when it takes too long', () => {
  const loop = file('loop.zpl', trap('loop'));
  for (const format of ['png', 'pdf', 'json']) {
    const r = run(trapped, ['render', loop, '-f', format, '--timeout', '300ms']);
    assert.deepEqual([r.status, r.out.length, r.err], [1, 0, `platen: ${loop}: not rendered within 300 ms (--timeout)\n`]);
  }
  assert.equal(run(trapped, ['render', loop, '-o', at('never.png'), '--timeout', '300ms']).status, 1);
  assert.deepEqual(fs.readdirSync(dir).filter((name) => /never|\.tmp$/.test(name)), []);
});

test('input that does not come counts in the time', async () => {
  const child = spawn(platen, ['render', '-', '--timeout', '200ms'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => { said += data; });
  const [status] = await once(child, 'close');
  assert.equal(status, 1);
  assert.match(said, /^platen: -: not rendered within 200 ms/);
});

test('a named pipe is waited for', async () => {
  const pipe = at('pipe.zpl');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const child = spawn('sh', ['-c', `(sleep 0.3; printf '%s' '${label('late')}' > "${pipe}") & "${platen}" render "${pipe}" --timeout 5m -o "${at('piped.png')}"`]);
  const [status] = await once(child, 'exit');
  assert.equal(status, 0);
  assert.ok(isWhole(at('piped.png')));
  const nobody = run(platen, ['render', pipe, file('other.zpl'), '--timeout', '10s', '--out-dir', at('nobody')]);
  assert.match(nobody.err, /pipe\.zpl: not rendered within 10 s/);
  assert.match(nobody.err, /1 rendered, 1 failed/);
});

// It computes for what the wait has left of its 5 s. A slow machine gives it less than that.
test('the wait for a named pipe counts in the time of its file', () => {
  const pipe = at('slow.zpl'), times = at('times');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const r = spawnSync('bash', ['-c', `(sleep 3; printf '%s' '${trap('loop')}' > "${pipe}") & TIMEFORMAT=%U; { time "${trapped}" render "${pipe}" --timeout 5s -o "${at('slow.png')}" 2>&3; } 3>&2 2> "${times}"`], { encoding: 'utf8' });
  assert.match(r.stderr, /slow\.zpl: not rendered within 5 s/);
  assert.ok(Number(fs.readFileSync(times, 'utf8')) < 3.5, fs.readFileSync(times, 'utf8'));
});

test('a slow reader of the output is not the fault of the file', async () => {
  const input = file('large.zpl', label('x').repeat(1000));
  const began = performance.now();
  const whole = run(platen, ['render', input, '-f', 'json']).out;
  assert.ok(whole.length > 1 << 20);
  const timeout = Math.ceil(10_000 + 12 * (performance.now() - began));
  const child = spawn(platen, ['render', input, '-f', 'json', '--timeout', `${timeout}ms`], { stdio: ['ignore', 'pipe', 'inherit'] });
  await sleep(timeout + 500); // nobody reads for longer than that
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  const [status] = await once(child, 'close');
  assert.equal(status, 0);
  assert.ok(Buffer.concat(parts).equals(whole));
});

test('more messages than are kept: the rest waits for its turn, and that is not the fault of the files', () => {
  const inputs = [];
  for (let i = 1; i <= 60; i++) inputs.push(file(`much/${i}.zpl`, `^XA${'^QQ'.repeat(1000)}^FO50,50^GB9,9,9^FS^XZ`));
  const args = ['render', '-', ...inputs, '--out-dir', at('much-out')];
  const alone = run(platen, [...args, '-j', '1', '--render-timeout', '10m'], { input: label('first') });
  const late = spawnSync('sh', ['-c', `(sleep 2; printf '%s' '${label('first')}') | "$@"`, 'sh', platen, ...args, '-j', '3', '--timeout', '5m'], { maxBuffer: 1 << 26 });
  assert.equal(late.status, 0);
  assert.ok(late.stderr.toString() === alone.err);
});

test('files that have more to say than is kept of one wait in the middle of their work', async () => {
  const inputs = [];
  for (let i = 1; i <= 6; i++) inputs.push(file(`loud/${i}.zpl`, `^XA${'^FO300,300^BEN,60^FDABC^FS'.repeat(1000)}^XZ`.repeat(12)));
  const args = ['render', '-', ...inputs, '--out-dir', at('loud-out'), '-f', 'pdf'];
  const alone = run(platen, [...args, '-j', '1', '--render-timeout', '10m'], { input: label('first') });
  assert.ok(alone.err.length > 7 << 20);
  const child = spawn(platen, [...args, '-j', '3', '--timeout', '10m'], { stdio: ['pipe', 'ignore', 'pipe'] });
  const parts = [];
  child.stderr.on('data', (part) => parts.push(part));
  // The first input comes when all others wait.
  let quiet = 0;
  await until(async () => {
    await sleep(50);
    const all = [child.pid, ...children(child.pid)];
    quiet = all.length === 5 && all.every((pid) => state(pid) === 'S') ? quiet + 1 : 0;
    return quiet === 10;
  }, 'all processes to wait');
  child.stdin.end(label('first'));
  const [status] = await once(child, 'close');
  assert.equal(status, 0);
  assert.ok(Buffer.concat(parts).toString() === alone.err);
});

for (const [signal, whom] of [['SIGINT', 'the group'], ['SIGINT', 'the program'], ['SIGTERM', 'the program'], ['SIGKILL', 'the program']]) {
  test(`${signal} to ${whom} ends all processes and leaves no half files`, async (t) => {
    const out = at(`ended-${signal}-${whom}`);
    const inputs = [file('e1.zpl', trap('loop')), file('e2.zpl', trap('loop'))];
    for (let i = 0; i < 20; i++) inputs.push(file(`e/x${i}.zpl`));
    const child = spawn(trapped, ['render', ...inputs, '--out-dir', out, '--timeout', '10m', '-j', '3'], { detached: true, stdio: 'ignore' });
    t.after(() => end(child));
    await until(() => fs.existsSync(out) && fs.readdirSync(out).length === 20);
    const all = children(child.pid);
    assert.equal(all.length, 4); // a keeper and three that render
    for (const pid of all) assert.notEqual(state(pid), 'Z');
    process.kill(whom === 'the group' ? -child.pid : child.pid, signal);
    const [, how] = await once(child, 'exit');
    assert.equal(how, signal);
    await until(() => all.every((pid) => state(pid) === 'gone'), 'the end of all processes');
    const made = fs.readdirSync(out);
    assert.equal(made.length, 20);
    for (const name of made) assert.ok(isWhole(path.join(out, name)), name);
  });
}

// The program on trial waits without end where platen waits some seconds for a keeper that is stopped (trapped_keeper.c).
// In the last case the program waits for another process when the signal comes, and would report that it gets none.
for (const [what, stop] of [
  ['the keeper', ([keeper]) => process.kill(keeper, 'SIGSTOP')],
  ['the keeper, which is waited for', async ([keeper, renderer], program) => {
    process.kill(keeper, 'SIGSTOP');
    process.kill(renderer, 'SIGKILL');
    await until(() => state(renderer) === 'Z');
    for (let quiet = 0; quiet < 10; await sleep(20)) quiet = state(program) === 'S' ? quiet + 1 : 0;
  }],
]) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    test(`${signal} ends the program while ${what} stands still`, async (t) => {
      const out = at(`still-${what}-${signal}`);
      const child = spawn(trapped, ['render', file('before.zpl'), file('loop.zpl', trap('loop')), '--out-dir', out, '--timeout', '10m', '-j', '1'], { stdio: ['ignore', 'ignore', 'pipe'] });
      t.after(() => end(child));
      const parts = [];
      child.stderr.on('data', (part) => parts.push(part));
      await until(() => fs.existsSync(path.join(out, 'before.png')));
      const all = children(child.pid);
      await stop(all, child.pid);
      let how;
      child.once('close', (code, by) => { how = by ?? code; });
      child.kill(signal);
      await until(() => how !== undefined, 'the end of the program, which must not wait for its keeper');
      assert.deepEqual([how, Buffer.concat(parts).toString()], [signal, '']);
      await until(() => all.every((pid) => state(pid) === 'gone'), 'the end of all processes');
    });
  }
}

test('processes that are killed from outside cost one file each', async () => {
  const out = at('killed');
  const inputs = [file('k1.zpl', trap('loop')), file('k2.zpl'), file('k3.zpl')];
  const child = spawn(trapped, ['render', ...inputs, '--out-dir', out, '--timeout', '10m', '-j', '1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const parts = [];
  child.stderr.on('data', (part) => parts.push(part));
  const renderer = await until(() => children(child.pid)[1]);
  // In the loop when it has computed for longer than its start takes.
  const ticks = () => Number(fs.readFileSync(`/proc/${renderer}/stat`, 'utf8').split(') ')[1].split(' ')[11]);
  await until(() => ticks() >= 30);
  process.kill(renderer, 'SIGKILL');
  const [status] = await once(child, 'close');
  assert.equal(status, 1);
  assert.match(Buffer.concat(parts).toString(), /k1\.zpl: not rendered: the process crashed \(Killed\)\n2 rendered, 1 failed\n$/);
});

test('wrong usage ends with 2', () => {
  const input = file('usage.zpl');
  for (const args of [['--timeout', '0'], ['--timeout', 'soon'], ['--timeout', '2x'], ['--timeout', '25h'], ['--timeout', '-1s'], ['--max-memory', '1k'], ['--timeout', '1s', '--max-memory', '1k']]) {
    const r = run(platen, ['render', input, ...args]);
    assert.equal(r.status, 2, args.join(' '));
    assert.match(r.err, /^platen( render)?: --(timeout|max-memory)/);
  }
  for (const time of ['1500ms', '2s', '1m', '24h', '5000']) assert.equal(run(platen, ['render', input, '--timeout', time]).status, 0, time);
});

// The last one: much of the time has passed by now.
test('when all are stopped (Ctrl-Z) the time stands still', async () => {
  await sleep(Math.max(0, STOPPED_MS + 1000 - (performance.now() - stoppedAt)));
  process.kill(-stopped.pid, 'SIGCONT');
  stopped.stdin.end(label('stopped'));
  const [status] = await once(stopped, 'exit');
  assert.equal(status, 0);
  assert.ok(isWhole(at('stopped.png')));
});
