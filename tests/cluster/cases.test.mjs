// Batches on one RabbitMQ node: the way through, and each thing that goes wrong, with its outcome.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { test } from 'node:test';
import { until } from '../api/lib/until.js';
import { sleep } from './broker.mjs';
import { alarm, at, batch, cluster, command, countOf, depth, dir, metric, run, says, sendAs, stop, stuck, url, useBroker, work } from './harness.mjs';
import { compare, expect, label, TIME, writeRows } from './parts.mjs';
import { drop } from './publish.mjs';

// All processes below one.
const descendants = (pid) => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).flatMap((child) => [Number(child), ...descendants(child)]);
// A collector's journal of a batch with one row, whose submitter has ended.
const accountOf = (name, id) => `platen-collect-2 ${name}\nrow\t${'1'.repeat(16)} ${'2'.repeat(16)} ${'3'.repeat(8)}\t${id}\nclosed\t${'1'.repeat(16)}\t1\n`;

useBroker({ prepare: () => writeRows(at('ten.ndjson'), 10, { each: 2 }) });

test('submit, two workers of which one is killed, collect killed and started again: one result each, the bytes of platen render', async () => {
  const name = batch();
  writeRows(at('rows.ndjson'), 400);
  expect(at('rows.ndjson'), at('right'));
  const [a, b] = [work(), work()];
  const collector = command(['collect', '--batch', name, '-o', 'out', '--wait', '300s'], { cwd: dir, env: { PLATEN_BROKER: url } });
  const sent = await run(['submit', 'rows.ndjson', '--batch', name, '--time', TIME]);
  assert.equal(sent.code, 0, sent.text);
  a.kill('SIGKILL');
  collector.kill('SIGKILL');
  await collector.ended;
  const end = await run(['collect', '--batch', name, '-o', 'out', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.deepEqual(compare(at('right'), at('out')), { missing: 0, different: 0, foreign: [] });
  assert.match((await run(['submit', 'rows.ndjson', '--batch', name, '--time', TIME])).text, /0 sent, 400 were sent before/);
  // Twice the same jobs: the second results are recognised.
  await run(['submit', 'rows.ndjson', '--batch', name, '--time', TIME, '--journal', 'other', '--join']);
  assert.match((await run(['collect', '--batch', name, '-o', 'out', '--wait', '300s'])).text, /400 results, 0 of them errors; \d+ duplicates; none missing/);
  assert.deepEqual(await stop(b).then(({ code }) => code), 0);
});

test('a bad job has an error result, one that is too large is refused; results as files, a ZIP and a PDF', async () => {
  const name = batch();
  fs.writeFileSync(at('odd.ndjson'), [{ id: 'good', zpl: label(1) + label(2) }, { id: 'none', zpl: 'x' }, { id: 'big', zpl: '^XA'.padEnd(9 << 20) }, { id: 'many', zpl: label(1).repeat(501) }, { id: 'a/b', zpl: label(3) }, { id: 'a_b', zpl: label(3) }].map((l) => JSON.stringify(l)).join('\n'));
  const w = work();
  const sent = await run(['submit', 'odd.ndjson', '--batch', name]);
  assert.equal(sent.code, 1);
  assert.match(sent.text, /8 MiB/);
  assert.match(sent.text, /500 labels/);
  assert.match(sent.text, /4 sent, 0 were sent before, 2 refused/);
  const end = await run(['collect', '--batch', name, '-o', 'odd', '--wait', '300s']);
  assert.equal(end.code, 1);
  assert.deepEqual(fs.readdirSync(at('odd')).sort(), ['.platen-collect', 'a%2Fb.png', 'a_b.png', 'big.error.json', 'good+1.png', 'good+2.png', 'many.error.json', 'none.error.json']);
  for (const [file, more, check] of [['two.zip', [], () => execFileSync('unzip', ['-Z1', at('two.zip')]).toString().trim().split('\n').length === 20], ['two.pdf', ['--for-pdf'], () => /Pages:\s+20/.test(execFileSync('pdfinfo', [at('two.pdf')]).toString())]]) {
    const one = batch();
    assert.equal((await run(['submit', 'ten.ndjson', '--batch', one, ...more])).code, 0);
    const packed = await run(['collect', '--batch', one, '-o', file, '--wait', '300s', '--delete']);
    assert.equal(packed.code, 0, packed.text);
    assert.ok(check(), file);
    assert.ok(!fs.existsSync(at(`${file}.parts`)));
  }
  // Sheets: what does not fit is told, nothing is lost, and another try may ask for other pages.
  const sheet = batch();
  assert.equal((await run(['submit', 'ten.ndjson', '--batch', sheet, '--for-pdf'])).code, 0);
  const small = await run(['collect', '--batch', sheet, '-o', 'sheet.pdf', '--wait', '300s', '--page-size', '20x20']);
  assert.equal(small.code, 1);
  assert.match(small.text, /platen collect: [^ ]+: 1 x 1 labels of .* need .* fit=shrink/);
  const paged = await run(['collect', '--batch', sheet, '-o', 'sheet.pdf', '--wait', '300s', '--page-size', 'A4', '--page-layout', '3x4', '--fit', 'shrink']);
  assert.equal(paged.code, 0, paged.text);
  assert.match(execFileSync('pdfinfo', [at('sheet.pdf')]).toString(), /Pages:\s+2\n[^]*A4/);
  assert.equal((await run(['collect', '--batch', sheet, '-o', 'sheet', '--page-size', 'A4'])).code, 2);
  fs.writeFileSync(at('own.ndjson'), JSON.stringify({ id: 'own', zpl: label(1), pageSize: 'A4' }));
  assert.match((await run(['submit', 'own.ndjson', '--batch', batch()])).text, /own: 'pageSize' is of the PDF that holds all documents/);
  await stop(w);
});

test('--results: each batch has its folder; a result that cannot be stored uses up no delivery; the good result of a job stays', async () => {
  const [one, two, three] = [batch(), batch(), batch()];
  fs.mkdirSync(at(`direct/${one}`), { recursive: true });
  for (const [name, age] of [['old', 7200], ['new', 0]]) {
    fs.writeFileSync(at(`direct/${one}/.platen-result-${name}.tmp`), 'torn');
    fs.utimesSync(at(`direct/${one}/.platen-result-${name}.tmp`), Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  fs.writeFileSync(at(`direct/${two}`), 'in the way of the folder');
  const w = work(['--results', 'direct', '--max-deliveries', '1', '--prefetch', '4', '--hold', '1h']);
  // Rows without ids are numbered, in each batch.
  fs.writeFileSync(at('numbered.ndjson'), [1, 2, 3].map((i) => JSON.stringify({ zpl: i === 3 ? 'x' : label(i) })).join('\n'));
  for (const name of [one, two]) assert.equal((await run(['submit', 'numbered.ndjson', '--batch', name])).code, 0);
  await says(w, 'the job waits and is tried again');
  await sleep(1500);
  fs.rmSync(at(`direct/${two}`));
  const names = (name) => fs.readdirSync(at(`direct/${name}`)).filter((each) => !each.startsWith('.')).sort();
  for (const name of [one, two]) {
    await until(() => fs.existsSync(at(`direct/${name}`)) && names(name).length === 3);
    assert.deepEqual(names(name), ['1.png', '2.png', '3.error.json']);
  }
  await until(async () => (await depth('platen.jobs')) === 0);
  assert.doesNotMatch(w.text, /dead letters/);
  assert.deepEqual(['old', 'new'].map((each) => fs.existsSync(at(`direct/${one}/.platen-result-${each}.tmp`))), [false, true]);
  // The same ids again: 1 has failed now, 3 is good now.
  fs.writeFileSync(at('turned.ndjson'), ['x', label(2), label(3)].map((zpl) => JSON.stringify({ zpl })).join('\n'));
  assert.equal((await run(['submit', 'turned.ndjson', '--batch', one, '--journal', 'turned', '--join'])).code, 0);
  await until(() => names(one).includes('3.png') && !names(one).includes('3.error.json'));
  await until(async () => (await depth('platen.jobs')) === 0);
  assert.deepEqual(names(one), ['1.png', '2.png', '3.png']);
  // So do parts of a PDF, whose names have the number of copies.
  for (const [file, zpl, result] of [['part-good', label(1).replace('^XZ', '^PQ3^XZ'), 'ok'], ['part-bad', 'x', 'error']]) {
    const done = () => metric(w, `jobs_total{result="${result}"}`), before_ = await done();
    fs.writeFileSync(at(`${file}.ndjson`), JSON.stringify({ id: 'part', zpl }));
    assert.equal((await run(['submit', `${file}.ndjson`, '--batch', three, '--for-pdf', '--journal', file, '--join'])).code, 0);
    await until(async () => (await done()) > before_);
  }
  assert.deepEqual(names(three), ['part+1-3.part']);
  // A name that leads elsewhere is no batch.
  await sendAs('', 'platen.jobs', 'up', label(1), { 'x-platen-batch': '..' });
  await says(w, 'job up goes to the dead letters: Its batch has no usable name');
  assert.ok(!fs.existsSync(at('up.png')));
  await stop(w);
});

test('a job that was delivered often is rendered while its worker holds no other', async () => {
  const name = batch(), prefix = `alone${process.pid}`, queue = `${prefix}.jobs`;
  const unacknowledged = () => countOf(queue, 'checked_out');
  const rows = (from, count) => Array.from({ length: count }, (_, i) => JSON.stringify({ id: `q${from + i}`, zpl: label(from + i) })).join('\n');
  fs.writeFileSync(at('before.ndjson'), rows(0, 20));
  fs.writeFileSync(at('behind.ndjson'), rows(20, 40));
  // Three deliveries that were not acknowledged: the broker counts them.
  fs.writeFileSync(at('suspect.ndjson'), JSON.stringify({ id: 'suspect', zpl: `^FXtrap=loop^FS${label(1)}` }));
  assert.equal((await run(['submit', 'suspect.ndjson', '--batch', name, '--prefix', prefix])).code, 0);
  for (let i = 0; i < 3; i++) await drop(cluster.nodes[0].port, queue);
  assert.equal((await run(['submit', 'before.ndjson', '--batch', name, '--prefix', prefix])).code, 0);
  assert.equal((await run(['submit', 'behind.ndjson', '--batch', name, '--prefix', prefix])).code, 0);
  // Longer than every look at the broker takes: else the job's time is over before its one delivery was seen.
  const w = work(['--prefix', prefix, '--job-timeout', '10m'], { program: 'tests/renderer/broker_trapped' });
  await stuck(w);
  await until(async () => (await unacknowledged()) === 1); // the broker's counts lag behind
  w.kill('SIGKILL');
  await w.ended;
  const other = work(['--prefix', prefix, '--deliveries', '1', '--job-timeout', '5s', '--max-deliveries', '2'], { program: 'tests/renderer/broker_trapped' });
  const end = await run(['collect', '--batch', name, '-o', 'alone', '--prefix', prefix, '--wait', '300s']);
  assert.match(end.text, /61 results, 1 of them errors/);
  assert.deepEqual(fs.readdirSync(at('alone')).filter((each) => each.endsWith('.error.json') && each !== 'suspect.error.json'), []);
  await stop(other);
});

test('a job that ends its workers takes no other jobs with it', async () => {
  const name = batch();
  // Some come first, so that the worker holds many when the killer comes.
  const rows = Array.from({ length: 30 }, (_, i) => ({ id: `q${i}`, zpl: label(i) }));
  rows.splice(8, 0, { id: 'killer', zpl: `^FXtrap=loop^FS${label(1)}` });
  fs.writeFileSync(at('killer.ndjson'), rows.map((l) => JSON.stringify(l)).join('\n'));
  assert.equal((await run(['submit', 'killer.ndjson', '--batch', name, '--group', '1'])).code, 0);
  const options = ['--max-deliveries', '5', '--job-timeout', '10m']; // more than make it a suspect; no job may end before its worker
  for (let i = 0; i < 5; i++) {
    const w = work(options, { program: 'tests/renderer/broker_trapped' });
    await stuck(w); // on the killer
    const below = descendants(w.pid);
    assert.ok(below.length > 0);
    w.kill('SIGKILL');
    await w.ended;
    await until(() => below.every((pid) => !fs.existsSync(`/proc/${pid}`))); // no renderer is left
  }
  const w = work(options, { program: 'tests/renderer/broker_trapped' });
  const end = await run(['collect', '--batch', name, '-o', 'killer', '--wait', '300s']);
  assert.match(end.text, /31 results, 1 of them errors/);
  assert.equal(JSON.parse(fs.readFileSync(at('killer/killer.error.json'))).code, 'delivered_too_often');
  await says(w, 'job killer goes to the dead letters');
  await stop(w);
});

test('a job that ends its renderers goes to the dead letters with its reason, and has an error result; others go on', async () => {
  const name = batch(), prefix = `poison${process.pid}`;
  fs.writeFileSync(at('poison.ndjson'), [{ id: 'p', zpl: `^FXtrap=abort^FS${label(1)}` }, { id: 'loop', zpl: `^FXtrap=loop^FS${label(1)}` }, { id: 'q', zpl: label(2) }].map((l) => JSON.stringify(l)).join('\n'));
  assert.equal((await run(['work', '--declare', 'only', '--broker', url, '--prefix', prefix])).code, 0);
  const w = work(['--prefix', prefix, '--deliveries', '3', '--job-timeout', '8s'], { program: 'tests/renderer/broker_trapped' });
  assert.equal((await run(['submit', 'poison.ndjson', '--batch', name, '--prefix', prefix])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'poison', '--wait', '300s', '--prefix', prefix]);
  assert.match(end.text, /3 results, 2 of them errors/);
  await says(w, 'job p goes to the dead letters'); // after its result is stored
  assert.equal(JSON.parse(fs.readFileSync(at('poison/p.error.json'))).code, 'render_failed');
  assert.equal(JSON.parse(fs.readFileSync(at('poison/loop.error.json'))).code, 'render_timeout');
  await until(async () => (await depth(`${prefix}.dead`)) === 2);
  await until(async () => (await depth(`${prefix}.jobs`)) === 0); // the broker's counts lag behind
  await stop(w);
});

test('a job may take longer than any heartbeat', async () => {
  const name = batch();
  fs.writeFileSync(at('long.ndjson'), `${JSON.stringify({ id: 'long', zpl: `^FXtrap=slow^FS${label(1)}` })}\n`);
  const child = command(['work', '--broker', url, '--listen', '127.0.0.1:0', '--log', 'off', '--connections', '1', '--broker-heartbeat', '1s', '--drain-delay', '0'], { cwd: dir, program: 'tests/renderer/broker_trapped' });
  const began = Date.now();
  assert.equal((await run(['submit', 'long.ndjson', '--batch', name])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'long', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.ok(Date.now() - began > 2500, `${Date.now() - began} ms are no test of a heartbeat of 1 s`);
  assert.equal(child.text.split('working for').length, 2, child.text);
  await stop(child);
});

test('SIGTERM: what is begun is finished, the rest is given back', async () => {
  const name = batch();
  writeRows(at('drain.ndjson'), 300, { each: 20 });
  const w = work();
  assert.equal((await run(['submit', 'drain.ndjson', '--batch', name, '--group', '1'])).code, 0);
  await says(w, 'working for');
  await sleep(100);
  assert.equal((await stop(w)).code, 0);
  // Together with the beginning, the rows and the end of the submitter; the broker's counts lag behind a little.
  await until(async () => (await depth('platen.jobs')) + (await depth(`platen.results.${name}`)) === 303);
  const other = work();
  assert.equal((await run(['collect', '--batch', name, '-o', 'drained', '--wait', '300s'])).code, 0);
  await stop(other);
});

test('the broker is absent at the start, and comes; health tells', async () => {
  const node = cluster.nodes[0];
  await cluster.ctl(node, 'stop_app');
  const child = command(['work', '--broker', url, '--listen', '127.0.0.1:0', '--log', 'off', '--connections', '1', '--declare', '--drain-delay', '0'], { cwd: dir });
  await says(child, 'trying again');
  await says(child, 'listening on');
  const base = /listening on (\S+)/.exec(child.text)[1];
  const status = (where) => new Promise((resolve) => http.get(base + where, (r) => { r.resume(); resolve(r.statusCode); }));
  assert.equal(await status('/ready'), 503);
  assert.equal(await status('/api/health'), 200);
  assert.match((await run(['collect', '--batch', batch(), '-o', 'absent', '--wait', '1s'])).text, /gave up/);
  await cluster.ctl(node, 'start_app');
  await says(child, 'working for');
  await until(async () => (await status('/ready')) === 200); // a moment after it has said so
  await stop(child);
});

test('a disk alarm: the submitter waits, says so, and goes on', async () => {
  const name = batch();
  await alarm(true);
  const child = command(['submit', 'ten.ndjson', '--batch', name, '--journal', 'alarm'], { cwd: dir, env: { PLATEN_BROKER: url } });
  await says(child, 'takes no messages for now');
  assert.equal(child.exitCode, null);
  await alarm(false);
  assert.equal((await child.ended).code, 0);
});

test('a disk alarm: a collector still takes results, which makes room', async () => {
  const name = batch(), w = work();
  writeRows(at('many.ndjson'), 700); // more than a collector holds
  assert.equal((await run(['submit', 'many.ndjson', '--batch', name, '--group', '1'])).code, 0);
  await until(async () => (await depth(`platen.results.${name}`)) === 703 && (await depth('platen.jobs')) === 0); // the beginning, rows, results, the end
  await stop(w);
  await alarm(true);
  const collector = command(['collect', '--batch', name, '-o', 'alarmed', '--wait', '300s'], { cwd: dir, env: { PLATEN_BROKER: url } });
  await until(() => fs.existsSync(at('alarmed')) && fs.readdirSync(at('alarmed')).filter((each) => each.endsWith('.png')).length === 700);
  await alarm(false);
  assert.equal((await collector.ended).code, 0, collector.text);
});

test('results of strangers name no files elsewhere, stop no collector and cost no result', async () => {
  const name = batch();
  writeRows(at('calm.ndjson'), 20, { each: 2 });
  expect(at('calm.ndjson'), at('calm-right'));
  const sent = await run(['submit', 'calm.ndjson', '--batch', name, '--time', TIME]);
  assert.equal(sent.code, 0, sent.text);
  const deflated = execFileSync('python3', ['-c', 'import zipfile,sys\nz=zipfile.ZipFile(sys.stdout.buffer,"w",zipfile.ZIP_DEFLATED)\nz.writestr("1.png","a"*5000)\nz.writestr("2.png","b"*50000)\nz.close()'], { maxBuffer: 1 << 20 });
  const ok = { 'x-platen-ok': 'true', 'x-platen-ending': 'png', 'x-platen-sequence': '1' };
  fs.mkdirSync(at('calm/j0.'), { recursive: true });
  await sendAs('platen.results', name, 'j0', 'bad', { ...ok, 'x-platen-ending': '/../../escaped' });
  await sendAs('platen.results', name, 'j1', 'not a zip', ok, 'application/zip');
  await sendAs('platen.results', name, 'j2', deflated, ok, 'application/zip');
  await sendAs('platen.results', name, '', 'x', ok);
  await sendAs('platen.results', name, 'j3', '\u001b[31mred\n', { ...ok, 'x-platen-ok': 'no', 'x-platen-ending': 'a\tb\nmanifest\t1' });
  fs.writeFileSync(at('calm/mine.tmp'), 'a file of the user');
  const w = work();
  const end = await run(['collect', '--batch', name, '-o', 'calm', '--wait', '300s']);
  await stop(w);
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /5 messages of others were dropped/);
  assert.doesNotMatch(end.text, /\u001b\[31m/);
  assert.equal(fs.readFileSync(at('calm/mine.tmp'), 'utf8'), 'a file of the user');
  assert.ok(!fs.existsSync(at('escaped')));
  for (const own of ['calm/mine.tmp', 'calm/j0.']) fs.rmSync(at(own), { recursive: true });
  assert.deepEqual(compare(at('calm-right'), at('calm')), { missing: 0, different: 0, foreign: [] });
});

test('jobs of strangers: without an id to the dead letters, with headers as large as a frame an error', async () => {
  const name = batch();
  const w = work();
  await says(w, 'working for');
  await run(['submit', 'empty.ndjson', '--batch', name]); // declares the batch
  await sendAs('', 'platen.jobs', '', label(1), { 'x-platen-batch': name });
  await sendAs('', 'platen.jobs', 'a\nb', label(1), { 'x-platen-batch': name, 'x-much': 'y'.repeat(20000) });
  await sendAs('', 'platen.jobs', 'wide', label(1), { 'x-platen-batch': name, widthMm: 'NaN', 'x-platen-sequence': '9'.repeat(20000) });
  await sendAs('', 'platen.jobs', 'paged', label(1), { 'x-platen-batch': name, format: 'pdf', pageSize: 'A4' });
  await run(['submit', 'calm.ndjson', '--batch', name, '--time', TIME]);
  const end = await run(['collect', '--batch', name, '-o', 'strange-jobs', '--wait', '300s']);
  assert.match(end.text, /20 results, 0 of them errors; 0 duplicates; none missing/);
  assert.match(end.text, /2 messages of others were dropped/); // results of 'wide' and 'paged', which no submitter has listed
  await until(() => w.text.split('goes to the dead letters: It has no id').length === 3);
  assert.doesNotMatch(w.text, /trying again/);
  await stop(w);
});

test('a result that cannot be written is not lost, and a batch whose ids are odd is packed', async () => {
  const name = batch(), ids = ['a', 'a-1', 'a+1', 'blank ', ' x', 'a/b', 'a_b', '12', '../up', 'ü'];
  fs.writeFileSync(at('ids.ndjson'), ids.map((id, i) => JSON.stringify({ id, zpl: id === 'a' ? label(1) + label(2) : label(i) })).join('\n'));
  const w = work();
  assert.equal((await run(['submit', 'ids.ndjson', '--batch', name])).code, 0);
  // No file can be put in the place of a folder.
  fs.mkdirSync(at('ids/a-1.png/inside'), { recursive: true });
  const failed = await run(['collect', '--batch', name, '-o', 'ids', '--wait', '300s']);
  assert.equal(failed.code, 1);
  assert.match(failed.text, /a-1\.png: .*directory/i);
  fs.rmSync(at('ids/a-1.png'), { recursive: true });
  const end = await run(['collect', '--batch', name, '-o', 'ids', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.equal(fs.readdirSync(at('ids')).length, 12); // with the journal
  const again = batch();
  await run(['submit', 'ids.ndjson', '--batch', again]);
  const packed = await run(['collect', '--batch', again, '-o', 'ids.zip', '--wait', '300s']);
  assert.equal(packed.code, 0, packed.text);
  assert.equal(new Set(execFileSync('unzip', ['-Z1', at('ids.zip')]).toString().trim().split('\n')).size, 11);
  await stop(w);
});

test('journals: of a batch whose name begins alike, in use elsewhere, and read for what is missing', async () => {
  const name = batch();
  writeRows(at('few.ndjson'), 3);
  fs.writeFileSync(at('plain.ndjson'), [1, 2, 3].map((i) => JSON.stringify({ zpl: label(i) })).join('\n'));
  assert.equal((await run(['submit', 'plain.ndjson', '--batch', name])).code, 0);
  // The collector has two of three results; the number of all is not an id.
  fs.mkdirSync(at('partly'));
  const journal = `platen-collect-2 ${name}\n1\tok\timage/png\tpng\t1\nclosed\t${'0'.repeat(16)}\t3\n2\tok\timage/png\tpng\t2\n3\tok\timage/p`;
  fs.writeFileSync(at('partly/.platen-collect'), journal);
  assert.match((await run(['submit', 'plain.ndjson', '--batch', name, '--missing-from', 'partly'])).text, /1 sent, 2 were sent before/);
  assert.equal(fs.readFileSync(at('partly/.platen-collect'), 'utf8'), journal);
  assert.match((await run(['collect', '--batch', name.slice(0, -1), '-o', 'partly', '--wait', '1s'])).text, /journal of something else/);
  // A second submission adds to the batch.
  assert.match((await run(['submit', 'few.ndjson', '--batch', name])).text, new RegExp(`3 sent, 0 were sent before, 0 refused; batch ${name} has 6 jobs`));
  const waiting = command(['collect', '--batch', name, '-o', 'held', '--wait', '300s'], { cwd: dir, env: { PLATEN_BROKER: url } });
  await until(() => fs.existsSync(at('held/.platen-collect')) && fs.readFileSync(at('held/.platen-collect'), 'utf8').includes('row\t')); // it has locked it
  assert.match((await run(['collect', '--batch', name, '-o', 'held', '--wait', '1s'])).text, /another program is at work/);
  const w = work();
  const end = await waiting.ended;
  assert.match(end.text, /6 results, 0 of them errors; 1 duplicates; none missing/);
  await stop(w);
  assert.match((await run(['submit', '-', '--rows', 'xml', '--batch', name])).text, /--rows: must be/);
  fs.writeFileSync(at('twice.csv'), 'id,name,name\n1,Ann,Bo\n');
  fs.writeFileSync(at('twice.zpl'), label('{{name}}'));
  const twice = await run(['submit', 'twice.csv', '--template', 'twice.zpl', '--batch', batch()]);
  assert.equal(twice.code, 1);
  assert.match(twice.text, /twice\.csv: two columns are called 'name'/);
});

test('a value with a comma that moves parameters is told', async () => {
  fs.writeFileSync(at('comma.zpl'), '^XA^FO{{x}},20^A0N,40,40^FDhi^FS^XZ');
  fs.writeFileSync(at('comma.csv'), 'id,x\nfine,5\nmoved,"5,700"\n');
  const { code, text } = await run(['submit', 'comma.csv', '--template', 'comma.zpl', '--batch', batch()]);
  assert.equal(code, 0, text);
  assert.match(text, /platen submit: moved: A value has ',' and so moves the parameters behind it\.\n2 sent/);
});

test('a collector that was killed after its ZIP was in place ends well', async () => {
  const name = batch();
  fs.mkdirSync(at('late.zip.parts'));
  fs.writeFileSync(at('late.zip'), 'PK');
  fs.writeFileSync(at('late.zip.parts/.platen-collect'), `${accountOf(name, 'gone')}1\tok\timage/png\tpng\tgone\npacked\n`);
  await run(['submit', 'empty.ndjson', '--batch', name]); // declares the batch's queue
  const end = await run(['collect', '--batch', name, '-o', 'late.zip', '--wait', '300s', '--delete']);
  assert.equal(end.code, 0, end.text);
  assert.ok(!fs.existsSync(at('late.zip.parts')));
  assert.equal(await depth(`platen.results.${name}`), -1); // it was killed before it had deleted that
  // Once more: nothing is left to collect.
  const again = await run(['collect', '--batch', name, '-o', 'late.zip', '--wait', '300s']);
  assert.equal(again.code, 1);
  assert.match(again.text, /late\.zip is there already/);
});

test('collect without a broker does not call a batch complete that may have more rows; what it has is packed when the broker is there', async () => {
  const name = batch();
  fs.mkdirSync(at('down.zip.parts'));
  fs.writeFileSync(at('down.zip.parts/one.result'), 'a picture');
  fs.writeFileSync(at('down.zip.parts/.platen-collect'), `${accountOf(name, 'one')}1\tok\tapplication/octet-stream\tpng\tone\n`);
  const down = await run(['collect', '--batch', name, '-o', 'down.zip', '--broker', 'amqp://127.0.0.1:1/', '--wait', '1s', '--delete']);
  assert.equal(down.code, 1);
  assert.match(down.text, /gave up[^]*some are missing/);
  const end = await run(['collect', '--batch', name, '-o', 'down.zip', '--wait', '10s']); // its queue was deleted
  assert.equal(end.code, 0, end.text);
  assert.equal(execFileSync('unzip', ['-p', at('down.zip'), 'one.png']).toString(), 'a picture');
});

test('an empty batch is complete; what was packed in part is removed', async () => {
  const name = batch();
  assert.equal((await run(['submit', 'empty.ndjson', '--batch', name])).code, 0);
  fs.mkdirSync(at('empty.zip.parts'));
  fs.writeFileSync(at('empty.zip.parts/.platen-result-packed.tmp'), 'PK');
  const end = await run(['collect', '--batch', name, '-o', 'empty.zip', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /0 results, 0 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(fs.readdirSync(dir).filter((each) => each.startsWith('empty.zip')), ['empty.zip']);
  assert.equal((await run(['collect', '--batch', name, '-o', 'empty', '--wait', '500ms'])).code, 1); // its end was taken
  const journal = `platen-collect-2 ${name}\nclosed\t${'1'.repeat(16)}\t0\n`;
  fs.writeFileSync(at('empty/.platen-collect'), journal);
  assert.equal((await run(['collect', '--batch', name, '-o', 'empty', '--wait', '300s'])).code, 0);
});

test('two collectors of one batch: the first gets all, the second says so, waits, and says that nothing is left for it', async () => {
  const name = batch();
  writeRows(at('later.ndjson'), 1, { from: 999 });
  assert.equal((await run(['submit', 'pair.ndjson', '--batch', name])).code, 0);
  const first = command(['collect', '--batch', name, '-o', 'pair1', '--wait', '300s'], { cwd: dir, env: { PLATEN_BROKER: url } });
  await until(() => fs.existsSync(at('pair1/.platen-collect')) && fs.readFileSync(at('pair1/.platen-collect'), 'utf8').includes('closed\t'));
  const second = command(['collect', '--batch', name, '-o', 'pair2', '--wait', '300s'], { cwd: dir, env: { PLATEN_BROKER: url } });
  await says(second, 'another collector is at work on batch');
  const w = work();
  const end = await first.ended;
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /40 results/);
  await says(second, `batch ${name} has no rows for this collector: another one has taken them`);
  // What is sent later is its own.
  assert.equal((await run(['submit', 'later.ndjson', '--batch', name, '--join', '--journal', 'later'])).code, 0);
  const last = await second.ended;
  assert.equal(last.code, 0, last.text);
  assert.match(last.text, /1 results, 0 of them errors; 0 duplicates; none missing/);
  await stop(w);
});

test('jobs that wait behind a long one are given back after --hold; the documents of a second run come behind those of the first', async () => {
  const name = batch();
  fs.writeFileSync(at('first.ndjson'), [...Array.from({ length: 4 }, (_, i) => ({ id: `z${i}`, zpl: label(i) })), { id: 'slow', zpl: `^FXtrap=loop^FS${label(1)}` }, ...Array.from({ length: 12 }, (_, i) => ({ id: `y${i}`, zpl: label(i) }))].map((l) => JSON.stringify(l)).join('\n'));
  fs.writeFileSync(at('second.ndjson'), [{ id: 'a', zpl: label(1) }, { id: 'b', zpl: label(2) }].map((l) => JSON.stringify(l)).join('\n'));
  for (const file of ['first', 'second', 'first']) assert.equal((await run(['submit', `${file}.ndjson`, '--batch', name, '--group', '1'])).code, 0);
  // Others that take less than half of --hold let it hold two; the long one does not end before this worker is killed.
  const first = work(['--hold', '6s', '--prefetch', '2', '--job-timeout', '1h'], { program: 'tests/renderer/broker_trapped' });
  await until(async () => (await metric(first, 'jobs_returned_total')) > 0);
  first.kill('SIGKILL');
  await first.ended;
  const w = work(); // to which the trap is a comment
  const end = await run(['collect', '--batch', name, '-o', 'held.zip', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  const order = execFileSync('unzip', ['-Z1', at('held.zip')]).toString().trim().split('\n');
  assert.deepEqual(order.slice(0, 5), ['z0.png', 'z1.png', 'z2.png', 'z3.png', 'slow.png']);
  assert.deepEqual(order.slice(-2), ['a.png', 'b.png']);
  await stop(w);
});

