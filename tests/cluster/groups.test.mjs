// Rows that share a message: each is accounted for alone, whatever the others do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import { test } from 'node:test';
import { until } from '../api/lib/until.js';
import { ask, at, batch, depth, failures, files, metric, ndjson, purgeQueue, run, says, sendAs, start, stop, stuck, url, useBroker, work } from './harness.mjs';
import { compare, expect, label, TIME, writeRows } from './parts.mjs';

const TRAPPED = { program: 'tests/renderer/broker_trapped' };
const rows = (count, from = 0) => Array.from({ length: count }, (_, i) => ({ id: `r${from + i}`, zpl: label(from + i) }));
const submit = async (file, name, more = []) => { const end = await run(['submit', file, '--batch', name, '--time', TIME, ...more]); assert.equal(end.code, 0, end.text); return end.text; };
const collect = (name, output, more = []) => run(['collect', '--batch', name, '-o', output, '--wait', '300s', ...more]);
// A worker counts a job when the broker has taken its result, which is there a moment before.
const counted = (w, name, count) => until(async () => (await metric(w, name)) === count);
const MARK = `${'a'.repeat(16)} ${'b'.repeat(16)} ${'c'.repeat(8)}`;
const GROUP = 'application/x-platen-group';

useBroker({ purges: true, prepare: async () => assert.equal((await run(['work', '--declare', 'only', '--broker', url])).code, 0) });

test('rows of other controls are not drawn with those of their neighbours; a ZIP has the order of the rows; a message has as many rows as --group says', async () => {
  const name = batch(), sizes = [30, 30, 30, 40, 40, 30, 20, 20, 20, 20];
  ndjson('sizes.ndjson', sizes.map((widthMm, i) => ({ id: `s${9 - i}`, zpl: label(i) + (i === 4 ? label(40) : ''), widthMm, heightMm: 25, ...(i === 8 ? { rotation: 90 } : {}) })));
  expect(at('sizes.ndjson'), at('sizes-right'));
  await submit('sizes.ndjson', name, ['--group', '3']);
  await until(async () => (await depth('platen.jobs')) === 6); // 30 30 30, 40 40, 30, 20 20, 20 turned, 20
  const w = work();
  assert.equal((await collect(name, 'sizes')).code, 0);
  assert.deepEqual(compare(at('sizes-right'), at('sizes')), { missing: 0, different: 0, foreign: [] });
  const zipped = batch();
  await submit('sizes.ndjson', zipped);
  assert.equal((await collect(zipped, 'sizes.zip')).code, 0);
  assert.deepEqual(execFileSync('unzip', ['-Z1', at('sizes.zip')]).toString().trim().split('\n'), ['s9.png', 's8.png', 's7.png', 's6.png', 's5+1.png', 's5+2.png', 's4.png', 's3.png', 's2.png', 's1.png', 's0.png']);
  for (const value of ['0', '501', 'x', '-1']) assert.equal((await run(['submit', 'sizes.ndjson', '--batch', name, '--group', value])).code, 2, value);
  await stop(w);
});

test('without --group the first messages have 50 rows, and those of a large batch more and more', async () => {
  const name = batch();
  writeRows(at('sixty.ndjson'), 60);
  await submit('sixty.ndjson', name);
  await until(async () => (await depth('platen.jobs')) === 2);
  writeRows(at('large.ndjson'), 8000);
  await submit('large.ndjson', name, ['--join', '--journal', 'larger']);
  const messages = await depth('platen.jobs.2'); // of 7,000 rows: 140 of 50, 28 of 250
  assert.ok(messages >= 28 && messages < 80, `${messages} messages`);
  await purgeQueue('platen.jobs.2');
});

test('bad rows fail alone, are tried again alone, and their good results take the place of the errors', async () => {
  const name = batch(), w = work(['--max-labels', '1']);
  ndjson('mixed.ndjson', rows(30).map((row, i) => ({ ...row, zpl: i % 10 === 3 ? label(i) + label(100 + i) : row.zpl })));
  await submit('mixed.ndjson', name, ['--for-pdf']);
  const first = await collect(name, 'mixed.pdf');
  assert.match(first.text, /30 results, 3 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(failures('mixed.pdf').map((line) => line.split(',')[0]), ['"r3"', '"r13"', '"r23"']);
  await counted(w, 'jobs_total{result="error"}', 3);
  await counted(w, 'jobs_total{result="ok"}', 27);
  await stop(w);
  const next = work();
  assert.match(await submit('mixed.ndjson', name, ['--for-pdf', '--missing-from', 'mixed.pdf']), /3 sent, 27 were sent before/);
  const end = await collect(name, 'mixed.pdf');
  assert.equal(end.code, 0, end.text);
  assert.match(execFileSync('pdfinfo', [at('mixed.pdf')]).toString(), /Pages:\s+33/);
  assert.ok(!fs.existsSync(at('mixed.pdf.parts')));
  await stop(next);
});

test('a row that was packed as an error while others were waited for is packed with its good result, in its place', async () => {
  const name = batch(), journal = at('again.zip.parts/.platen-collect'), records = () => depth(`platen.results.${name}`);
  ndjson('again.ndjson', rows(6).map((row, i) => ({ ...row, zpl: i === 2 ? label(i) + label(100 + i) : row.zpl })));
  await submit('again.ndjson', name);
  const before = await records();
  const open = start(['submit', '-', '--rows', 'ndjson', '--batch', name, '--join', '--journal', 'opener', '--time', TIME], { stdin: 'pipe' });
  await until(async () => (await records()) > before); // it is in the batch, which is not complete before it ends
  const w = work(['--max-labels', '1']), collector = start(['collect', '--batch', name, '-o', 'again.zip', '--wait', '300s']);
  await until(() => fs.existsSync(journal) && fs.readFileSync(journal, 'utf8').split('\tok\t').length === 6 && fs.existsSync(at('again.zip.parts/.platen-result-packed.tmp')));
  await stop(w);
  const next = work();
  assert.match(await submit('again.ndjson', name, ['--missing-from', 'again.zip']), /1 sent, 5 were sent before/);
  await until(() => fs.readFileSync(journal, 'utf8').split('\tok\t').length === 7);
  open.stdin.end();
  assert.equal((await open.ended).code, 0, open.text);
  assert.equal((await collector.ended).code, 0, collector.text);
  assert.deepEqual(execFileSync('unzip', ['-Z1', at('again.zip')]).toString().trim().split('\n'), ['r0.png', 'r1.png', 'r2+1.png', 'r2+2.png', 'r3.png', 'r4.png', 'r5.png']);
  await stop(next);
});

test('a row that ends its renderer, and one that never ends, leave their group: they alone go to the dead letters, and can be replayed', async () => {
  const name = batch(), poison = rows(20);
  poison[4].zpl = `^FXtrap=abort^FS${label(4)}`;
  poison[11].zpl = `^FXtrap=loop^FS${label(11)}`;
  ndjson('poison.ndjson', poison);
  ndjson('plain.ndjson', rows(20));
  await submit('poison.ndjson', name);
  assert.equal(await depth('platen.jobs'), 1);
  const w = work(['--deliveries', '2', '--job-timeout', '8s'], TRAPPED);
  const end = await collect(name, 'poison');
  assert.match(end.text, /20 results, 2 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(failures('poison').map((line) => line.split(',').slice(0, 3).join()), ['"r4",failed,"render_failed"', '"r11",failed,"render_timeout"']);
  await until(async () => (await depth('platen.dead')) === 2 && (await depth('platen.jobs')) + (await depth('platen.retry')) === 0);
  await stop(w);
  const plain = work(); // to which the traps are comments
  await says(plain, 'working for');
  assert.match((await run(['batch', 'replay', name])).text, /^2 dead letters are jobs again, 0 are left/);
  const again = await collect(name, 'poison');
  assert.equal(again.code, 0, again.text);
  assert.equal(files('poison').length, 20);
  await stop(plain);
});

test('a group that ends its workers is split after three deliveries: the others are drawn, and the one that does it is given up', async () => {
  const name = batch(), killer = rows(30);
  killer[8] = { id: 'killer', zpl: `^FXtrap=loop^FS${label(1)}` };
  ndjson('killer.ndjson', killer);
  await submit('killer.ndjson', name);
  const options = ['--max-deliveries', '4', '--job-timeout', '10m']; // no job may end before its worker
  const collector = start(['collect', '--batch', name, '-o', 'killer', '--wait', '300s']);
  // Some times with its group, and then alone until it was delivered four times.
  let workers = 0;
  for (; collector.exitCode === null && workers < 30; workers++) {
    const w = work(options, TRAPPED);
    await stuck(w, () => collector.exitCode !== null); // on the killer
    w.kill('SIGKILL');
    await w.ended;
  }
  assert.ok(workers > 4, `${workers} workers`);
  assert.match((await collector.ended).text, /30 results, 1 of them errors/);
  assert.equal(JSON.parse(fs.readFileSync(at('killer/killer.error.json'))).code, 'delivered_too_often');
});

test('rows behind one that takes long go to other workers', async () => {
  const name = batch(), slow = rows(12);
  slow[0].zpl = `^FXtrap=slow^FS${label(0)}`; // three seconds
  ndjson('slow.ndjson', slow);
  await submit('slow.ndjson', name);
  const w = work(['--prefetch', '1'], TRAPPED);
  const end = await collect(name, 'slow');
  assert.equal(end.code, 0, end.text);
  await counted(w, 'jobs_returned_total', 11);
  await counted(w, 'jobs_total{result="ok"}', 12);
  await stop(w);
});

test('results of a group that are larger than a message of the broker come in several', async () => {
  const name = batch();
  writeRows(at('wide.ndjson'), 150);
  expect(at('wide.ndjson'), at('wide-right'));
  await submit('wide.ndjson', name);
  await ask('application:set_env(rabbit, max_message_size, 8000)');
  try {
    const w = work();
    const end = await collect(name, 'wide');
    assert.equal(end.code, 0, end.text);
    await says(w, 'larger than configured max size 8000');
    assert.deepEqual(compare(at('wide-right'), at('wide')), { missing: 0, different: 0, foreign: [] });
    await stop(w);
  } finally {
    await ask('application:set_env(rabbit, max_message_size, 134217728)');
  }
});

test('a collector that is killed again and again has each result once, in a ZIP, too', async () => {
  const name = batch(), w = work(), journal = at('often.zip.parts/.platen-collect');
  writeRows(at('often.ndjson'), 800);
  expect(at('often.ndjson'), at('often-right'));
  const lines = fs.readFileSync(at('often.ndjson'), 'utf8').split('\n');
  const sender = start(['submit', '-', '--rows', 'ndjson', '--batch', name, '--time', TIME, '--group', '20'], { stdin: 'pipe' });
  for (let i = 0; i < 4; i++) {
    sender.stdin.write(`${lines.slice(i * 200, (i + 1) * 200).join('\n')}\n`);
    const collector = start(['collect', '--batch', name, '-o', 'often.zip', '--wait', '300s']);
    await until(() => fs.existsSync(journal) && fs.readFileSync(journal, 'utf8').split('\tok\t').length === 200 * (i + 1) + 1);
    collector.kill('SIGKILL');
    await collector.ended;
    // What it had written and not noted: the next one does not count it.
    fs.appendFileSync(at('often.zip.parts/.platen-data'), 'torn');
  }
  sender.stdin.end();
  assert.equal((await sender.ended).code, 0, sender.text);
  const end = await collect(name, 'often.zip');
  assert.equal(end.code, 0, end.text);
  execFileSync('unzip', ['-q', at('often.zip'), '-d', at('often')]);
  assert.deepEqual(compare(at('often-right'), at('often')), { missing: 0, different: 0, foreign: [] });
  await stop(w);
});

test('groups of strangers: jobs that are none go to the dead letters, results that are none are dropped, and rows that nobody has listed are kept apart', async () => {
  const name = batch(), w = work();
  ndjson('calm.ndjson', rows(5));
  await submit('calm.ndjson', name);
  const row = (id, body, { length = body.length, word = 'ok png' } = {}) => `${MARK} 1 ${word} ${id.length} ${length}\n${id}${body}`;
  const headers = { 'x-platen-batch': name };
  const bad = ['', 'x', `${MARK}\n`, row('a', 'x', { word: 'error - -', length: 5 }), row('a', 'x', { word: 'error - -', length: '18446744073709551615' }), `${row('a', 'x', { word: 'error - -' })}y`, row('', 'x', { word: 'error - -' }), row('a\tb', 'x', { word: 'error - -' }), row('a', 'x', { word: 'error - -' }).repeat(501)];
  for (const [i, body] of bad.entries()) await sendAs('', 'platen.jobs', `bad${i}`, body, headers, GROUP);
  for (let i = 0; i < bad.length; i++) await says(w, `job bad${i} goes to the dead letters: It is no group of rows`);
  for (const body of bad) await sendAs('platen.results', name, 'bad', body, headers, GROUP);
  // Of no submitter; as a name that leads elsewhere; and one that a worker would not write.
  await sendAs('platen.results', name, 'r0', `${row('r0', 'forged', { word: 'ok image/png png' })}${row('r1', 'forged', { word: 'ok image/png ../../../up' })}${row('r2', 'none', { word: 'ok application/zip png' })}`, headers, GROUP);
  const end = await collect(name, 'calm');
  assert.equal(end.code, 1); // somebody else writes here
  assert.match(end.text, /5 results, 0 of them errors; 0 duplicates; none missing/);
  assert.match(end.text, new RegExp(`${bad.length + 2} messages of others were dropped`));
  assert.deepEqual(files('calm'), rows(5).map(({ id }) => `${id}.png`));
  assert.deepEqual(files('calm.foreign'), ['r0.png']);
  assert.ok(files('calm').every((file) => fs.readFileSync(at(`calm/${file}`)).subarray(1, 4).toString() === 'PNG'));
  assert.doesNotMatch(w.text, /trying again/);
  await stop(w);
});

test('a group that the broker itself gave up is replayed row by row', async () => {
  const name = batch(), w = work();
  ndjson('gone.ndjson', rows(6));
  await submit('gone.ndjson', name);
  assert.equal((await collect(name, 'gone')).code, 0);
  await purgeQueue('platen.dead');
  const listed = fs.readFileSync(at('gone/.platen-collect'), 'utf8').split('\n').filter((line) => line.startsWith('row\t')).map((line) => line.split('\t').slice(1));
  const secret = /^secret\t\w+\t(\w{32})$/m.exec(fs.readFileSync(at('gone/.platen-collect'), 'utf8'))[1];
  const proof = (mark, id) => createHmac('sha256', secret).update(`${mark.slice(0, 34)}${id}`).digest('hex').slice(0, 16);
  const body = listed.map(([mark, id], i) => `${mark} ${i + 1} error - - ${id.length} ${label(i).length} ${proof(mark, id)}\n${id}${label(i)}`).join('');
  await sendAs('', 'platen.dead', 'r0', body, { 'x-platen-batch': name, 'x-platen-row': listed[0][0], 'x-platen-group': '6', widthMm: '50', heightMm: '25' }, GROUP);
  assert.match((await run(['batch', 'replay', name])).text, /^6 dead letters are jobs again, 0 are left/);
  await counted(w, 'jobs_total{result="ok"}', 12);
  assert.match((await collect(name, 'gone')).text, /6 results, 0 of them errors; 6 duplicates; none missing/);
  await stop(w);
});
