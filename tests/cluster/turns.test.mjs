// Batches take turns: a small one waits for the beginnings of others, not for the whole of a large one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { until } from '../api/lib/until.js';
import { ask, at, batch, deleteQueue, depth, dir, files, JOBS, run, says, sendAs, stop, url, useBroker, work, worker } from './harness.mjs';
import { compare, expect, label, TIME, writeRows } from './parts.mjs';

const submit = async (file, name, more = []) => { const end = await run(['submit', file, '--batch', name, '--time', TIME, ...more]); assert.equal(end.code, 0, end.text); };
const exchange = (name) => `rabbit_misc:r(<<"/">>, exchange, <<"${name}">>)`;

useBroker({ purges: true, prepare: async () => assert.equal((await run(['work', '--declare', 'only', '--broker', url])).code, 0) });

test('a small batch behind a large one is drawn when the first thousand rows of the large one are', async () => {
  const [large, small] = [batch(), batch()], ROWS = 8000, names = (name) => files(`turns/${name}`), written = (name) => names(name).map((file) => fs.statSync(at(`turns/${name}/${file}`), { bigint: true }).mtimeNs);
  fs.mkdirSync(at('turns'));
  writeRows(at('large.ndjson'), ROWS);
  writeRows(at('small.ndjson'), 20);
  await submit('large.ndjson', large, ['--group', '100']);
  await submit('small.ndjson', small);
  assert.deepEqual(await Promise.all(JOBS.map(depth)), [11, 70, 0]); // of 100 rows each
  const w = work(['--results', 'turns']);
  await until(() => fs.existsSync(at(`turns/${small}`)) && names(small).length === 20);
  w.kill('SIGKILL');
  await w.ended;
  const last = written(small).reduce((a, b) => (a > b ? a : b)), before = written(large).filter((time) => time < last).length;
  assert.ok(before < 5000, `${before} of ${ROWS} rows came first`); // a thousand and as many in turn, or some more where the broker is slow; without turns all
});

test('rows of all queues are in the output once, each with its own bytes, and in their order', async () => {
  const name = batch(), w = work();
  writeRows(at('whole.ndjson'), 2500);
  expect(at('whole.ndjson'), at('whole-right'));
  await submit('whole.ndjson', name);
  const end = await run(['collect', '--batch', name, '-o', 'whole', '--wait', '300s', '--delete']);
  assert.match(end.text, /2500 results, 0 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(compare(at('whole-right'), at('whole')), { missing: 0, different: 0, foreign: [] });
  await stop(w);
});

test('a job that is tried again goes to the end of its own queue', async () => {
  const name = batch(), seen = 'rabbit_misc:r(<<"/">>, queue, <<"seen">>)';
  await run(['submit', 'empty.ndjson', '--batch', name]); // declares the batch
  await ask(`rabbit_amqqueue:declare(${seen}, true, false, [{<<"x-queue-type">>, longstr, <<"quorum">>}], none, <<"guest">>), rabbit_binding:add({binding, ${exchange('platen.retry.3')}, <<>>, ${seen}, []}, <<"guest">>)`);
  await sendAs('', 'platen.jobs.3', 'poison', `^FXtrap=abort^FS${label(1)}`, { 'x-platen-batch': name });
  const w = work(['--deliveries', '3'], { program: 'tests/renderer/broker_trapped' });
  await says(w, 'job poison goes to the dead letters');
  assert.equal(await depth('seen'), 2);
  await deleteQueue('seen');
  await stop(w);
});

test('queues of 1.1.0 with jobs in them: a worker says what is missing, --declare only makes it, and nothing is lost', async () => {
  const name = batch(), prefix = `older${process.pid}`;
  writeRows(at('older.ndjson'), 40);
  await submit('older.ndjson', name, ['--prefix', prefix]);
  for (const turn of [2, 3]) {
    for (const queue of ['jobs', 'retry']) await deleteQueue(`${prefix}.${queue}.${turn}`);
    await ask(`rabbit_exchange:delete(${exchange(`${prefix}.retry.${turn}`)}, false, <<"test">>)`);
  }
  const w = worker(url, ['--connections', '1', '--prefix', prefix, '--declare', 'off'], { cwd: dir });
  await says(w, 'the queues are not declared, which `platen work --declare only` does');
  assert.equal((await run(['work', '--declare', 'only', '--broker', url, '--prefix', prefix])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'older', '--prefix', prefix, '--wait', '300s']);
  assert.match(end.text, /40 results, 0 of them errors; 0 duplicates; none missing/);
  await stop(w);
});
