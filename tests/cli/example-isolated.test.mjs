// examples/isolated.c: a label in a child process with a limit of time and memory. The trapped build goes wrong on purpose.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const build = process.env.PLATEN_BUILD ?? 'build';
const LABEL = '^XA^FO50,50^A0N,40,40^FDHello^FS^XZ';
const run = (program, input, args = []) => {
  const began = performance.now();
  const r = spawnSync(path.resolve(build, program), args, { input });
  return { status: r.status, out: r.stdout, err: r.stderr.toString(), ms: performance.now() - began };
};
const trapped = (name, zpl = LABEL) => run('tests/renderer/example_isolated_trapped', `^FXtrap=${name}^FS${zpl}`);

test('a good label is what platen render draws', () => {
  const expected = run('platen', LABEL, ['render', '-']).out;
  for (const r of [run('example_isolated', LABEL), trapped('none')]) {
    assert.deepEqual([r.status, r.err], [0, '']);
    assert.ok(r.out.equals(expected));
  }
});

test('no label, and a label that is bad in a harmless way', () => {
  const none = run('example_isolated', 'no label');
  assert.deepEqual([none.status, none.out.length], [1, 0]);
  assert.match(none.err, /^isolated: .+\n$/);
  assert.equal(run('example_isolated', '^XA^QQ^FO9,9^GB9,9,9^FS^XZ').status, 0);
});

for (const name of ['overflow', 'recursion', 'abort']) {
  test(`${name}: one line, and the program continues`, () => {
    const r = trapped(name);
    assert.deepEqual([r.status, r.out.length], [1, 0]);
    assert.match(r.err, /isolated: the label ended its process \(.+\)\n$/);
  });
}

test('an endless loop ends in time', () => {
  const r = trapped('loop');
  assert.deepEqual([r.status, r.out.length, r.err], [1, 0, 'isolated: the label took too long\n']);
  assert.ok(r.ms > 2000 && r.ms < 120_000, `${r.ms} ms`);
});

test('memory that is used up is an error of the library', () => {
  const r = trapped('memory', `^XA^FO9,9^GFA,20000000,20000000,1000,FF,${':'.repeat(19999)}^FS^XZ`);
  assert.deepEqual([r.status, r.out.length], [1, 0]);
  assert.match(r.err, /memory|took too long/); // a busy machine
});
