// A batch is an account: `platen collect` ends when each row of each submitter has a result, and names those that have none.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { until } from '../api/lib/until.js';
import { ask, at, batch, cluster, csv, deleteQueue, depth, dir, failures, files, metric, ndjson, pages, purgeQueue, run, says, sendAs, start, stop, url, useBroker, work } from './harness.mjs';
import { compare, expect, label, TIME, writeRows } from './parts.mjs';
import { hold } from './publish.mjs';

useBroker({
  purges: true,
  prepare: async () => {
    fs.writeFileSync(at('t.zpl'), '^XA^FO20,20^A0N,30,30^FD{{name}}^FS^XZ');
    assert.equal((await run(['work', '--declare', 'only', '--broker', url])).code, 0);
  },
});

test('what a collector sent while another one had all rows does not end the batch before rows that came later', async () => {
  const name = batch(), queue = `platen.results.${name}`, w = work();
  writeRows(at('before.ndjson'), 3);
  writeRows(at('later.ndjson'), 3, { from: 3 });
  assert.equal((await run(['submit', 'before.ndjson', '--batch', name, '--time', TIME])).code, 0);
  await until(async () => (await depth('platen.jobs')) === 0);
  const other = await hold(cluster.nodes[0].port, queue); // hangs, with all that is in the queue
  const held = await depth(queue);
  const collector = start(['collect', '--batch', name, '-o', 'late', '--wait', '300s', '--delete']);
  await until(async () => (await depth(queue)) > held); // it asks whether there are rows
  assert.equal((await run(['submit', 'later.ndjson', '--batch', name, '--time', TIME, '--join', '--journal', 'later.journal'])).code, 0);
  await until(async () => (await depth('platen.jobs')) === 0);
  other.destroy();
  const end = await collector.ended;
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /6 results, 0 of them errors; 0 duplicates; none missing/);
  await stop(w);
});

test('two runs into one batch: the collector does not end with the first one', async () => {
  const name = batch(), w = work();
  writeRows(at('b.ndjson'), 50);
  writeRows(at('a.ndjson'), 700, { from: 50 });
  writeRows(at('both.ndjson'), 750);
  expect(at('both.ndjson'), at('both-right'));
  for (const file of ['b.ndjson', 'a.ndjson']) assert.equal((await run(['submit', file, '--batch', name, '--time', TIME])).code, 0);
  await until(async () => (await depth('platen.jobs')) === 0);
  const end = await run(['collect', '--batch', name, '-o', 'both', '--wait', '300s', '--delete']);
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /750 results, 0 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(compare(at('both-right'), at('both')), { missing: 0, different: 0, foreign: [] });
  await stop(w);
});

test('a submitter that was killed keeps its batch open, and a collector that waits names what is missing', async () => {
  const name = batch(), w = work();
  ndjson('first.ndjson', [{ id: 'a', zpl: label(1) }]);
  assert.equal((await run(['submit', 'first.ndjson', '--batch', name])).code, 0);
  const second = start(['submit', '-', '--rows', 'ndjson', '--batch', name, '--join', '--journal', 'second'], { stdin: 'pipe' });
  second.stdin.write(`${JSON.stringify({ id: 'b', zpl: label(2) })}\n`);
  await until(async () => fs.existsSync(at('second')) && (await depth(`platen.results.${name}`)) >= 7); // two that enter, two of rows, an end, two results
  second.kill('SIGKILL');
  await second.ended;
  const open = await run(['collect', '--batch', name, '-o', 'open', '--wait', '8s']);
  assert.equal(open.code, 1);
  assert.match(open.text, /2 results, 0 of them errors; 0 duplicates; some are missing/);
  assert.match(open.text, /1 submitters have not sent all/);
  ndjson('rest.ndjson', [{ id: 'b', zpl: label(2) }, { id: 'c', zpl: label(3) }]);
  assert.equal((await run(['submit', 'rest.ndjson', '--batch', name, '--journal', 'second'])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'open', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.deepEqual(files('open'), ['a.png', 'b.png', 'c.png']);
  await stop(w);
});

test('two submitters with one batch name: the second is refused, or joins and each row that has a taken id is named', async () => {
  const name = batch(), w = work();
  csv('large.csv', Array.from({ length: 40 }, (_, i) => `large ${i}`));
  csv('small.csv', ['small 0', 'large 1', 'small 2']);
  const send = (file, journal, more = []) => run(['submit', file, '--template', 't.zpl', '--batch', name, '--for-pdf', '--journal', journal, ...more]);
  assert.equal((await send('large.csv', 'large')).code, 0);
  for (let i = 0; i < 2; i++) { // a second try is refused, too
    const refused = await send('small.csv', 'small');
    assert.equal(refused.code, 1);
    assert.match(refused.text, /is there already, and small knows nothing of it: --join adds to it/);
  }
  assert.equal((await send('small.csv', 'small', ['--join'])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'joined.pdf', '--wait', '300s', '--delete']);
  assert.equal(end.code, 1);
  assert.match(end.text, /42 results, 2 of them errors; .* none missing/); // 'large 1' is the same row twice
  assert.equal(pages('joined.pdf'), 40);
  assert.deepEqual(failures('joined.pdf').map((line) => line.slice(0, 21)), ['"1",failed,"id_taken"', '"3",failed,"id_taken"']);
  await stop(w);
});

test('a batch that was collected in part elsewhere is not complete, and no result of it is lost', async () => {
  const name = batch(), rows = Array.from({ length: 5 }, (_, i) => ({ id: `r${i}`, zpl: label(i) }));
  ndjson('part.ndjson', rows);
  assert.equal((await run(['submit', 'part.ndjson', '--batch', name, '--group', '1'])).code, 0);
  const elsewhere = start(['collect', '--batch', name, '-o', 'part1']);
  await until(async () => (await depth(`platen.results.${name}`)) === 0); // it has taken the account
  elsewhere.kill('SIGKILL');
  await elsewhere.ended;
  const w = work();
  ndjson('more.ndjson', [{ id: 'more', zpl: label(9) }]);
  assert.equal((await run(['submit', 'more.ndjson', '--batch', name])).code, 0);
  await until(async () => (await depth(`platen.results.${name}`)) === 9); // who enters, its row, its end, and six results
  const other = await run(['collect', '--batch', name, '-o', 'part2', '--wait', '300s', '--delete']);
  assert.equal(other.code, 1);
  assert.match(other.text, /5 rows were listed to another collector/);
  assert.match(other.text, /5 results are of rows that were not listed here/);
  assert.deepEqual(files('part2.foreign'), rows.map(({ id }) => `${id}.png`));
  assert.notEqual(await depth(`platen.results.${name}`), -1); // and it is not deleted
  await stop(w);
});

test('submit --objects is refused: a job takes no objects with it', async () => {
  const refused = await run(['submit', 'empty.ndjson', '--batch', batch(), '--objects', '.']);
  assert.equal(refused.code, 2);
  assert.match(refused.text, /--objects is for `platen work`/);
  assert.doesNotMatch((await run(['submit', '--help'])).text, /--objects/);
  assert.doesNotMatch((await run(['work', '--help'])).text, /platen config/); // that is of serve
});

test('a failed row is tried again in its batch, and a good result takes the place of its error', async () => {
  const name = batch(), w = work(['--max-labels', '1']);
  ndjson('tries.ndjson', [{ id: 'one', zpl: label(1) }, { id: 'two', zpl: label(2) + label(3) }]);
  assert.equal((await run(['submit', 'tries.ndjson', '--batch', name])).code, 0);
  const first = await run(['collect', '--batch', name, '-o', 'tries', '--wait', '300s']);
  assert.equal(first.code, 1);
  assert.match(first.text, /2 results, 1 of them errors; 0 duplicates; none missing/);
  assert.match(failures('tries')[0], /^"two",failed,"/);
  await stop(w);
  // Still refused, and then by a worker that takes it.
  for (const [more, code] of [[['--max-labels', '1'], 1], [[], 0]]) {
    const next = work(more);
    const again = await run(['submit', 'tries.ndjson', '--batch', name, '--missing-from', 'tries']);
    assert.equal(again.code, 0, again.text);
    assert.match(again.text, /1 sent, 1 were sent before/);
    const end = await run(['collect', '--batch', name, '-o', 'tries', '--wait', '300s']);
    assert.equal(end.code, code, end.text);
    await stop(next);
  }
  assert.deepEqual(files('tries'), ['one.png', 'two+1.png', 'two+2.png']);
  assert.ok(!fs.existsSync(at('tries.failed.csv')));
});

test('a PDF with failed rows: all reasons are in a file beside it', async () => {
  const name = batch(), w = work();
  ndjson('half.ndjson', Array.from({ length: 80 }, (_, i) => ({ id: `h${i}`, zpl: i % 2 ? 'no "label"' : label(i) })));
  assert.equal((await run(['submit', 'half.ndjson', '--batch', name, '--for-pdf'])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'half.pdf', '--wait', '300s', '--delete']);
  assert.equal(end.code, 1);
  assert.match(end.text, /40 rows failed or are missing: half\.pdf\.failed\.csv says why/);
  assert.equal(pages('half.pdf'), 40);
  const rows = failures('half.pdf');
  assert.deepEqual(rows.map((row) => row.split(',')[0]), Array.from({ length: 40 }, (_, i) => `"h${2 * i + 1}"`));
  assert.ok(rows.every((row) => /,failed,"\w+","[A-Z].+"$/.test(row)), rows[0]);
  await stop(w);
});

test('rows that the submitter refused are failed rows of the batch, until a later run sends them', async () => {
  const name = batch(), w = work();
  const send = (rows) => { fs.writeFileSync(at('odd.csv'), `id,name\n${rows.join('\n')}\n`); return run(['submit', 'odd.csv', '--template', 't.zpl', '--batch', name, '--for-pdf']); };
  assert.equal((await send(['a,one', 'b,two,three', 'a,again', 'c,four'])).code, 1);
  const first = await run(['collect', '--batch', name, '-o', 'odd.pdf', '--wait', '300s']);
  assert.equal(first.code, 1);
  assert.match(first.text, /4 results, 2 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(failures('odd.pdf').map((line) => line.replace(/: .*/, '')), ['"b",failed,"refused","`platen submit` refused it', '"row 3",failed,"refused","`platen submit` refused it']);
  assert.equal((await send(['a,one', '"b",two', 'c,four'])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'odd.pdf', '--wait', '300s']);
  assert.match(end.text, /4 results, 1 of them errors; 0 duplicates; none missing/);
  assert.equal(pages('odd.pdf'), 3);
  assert.match(failures('odd.pdf').join(), /^"row 3",failed,"refused",[^\n]*$/);
  await stop(w);
});

test('edited input is noticed by its content, and so is another input by stdin', async () => {
  const name = batch();
  const send = (file) => run(['submit', '-', '--rows', 'csv', '--template', 't.zpl', '--batch', name], { stdin: fs.openSync(at(file)) });
  csv('before.csv', ['a', 'b', 'c']);
  csv('inserted.csv', ['new', 'a', 'b', 'c']);
  csv('other.csv', ['x', 'y', 'z']);
  csv('longer.csv', ['a', 'b', 'c', 'd']);
  assert.equal((await send('before.csv')).code, 0);
  for (const file of ['inserted.csv', 'other.csv']) {
    const refused = await send(file);
    assert.equal(refused.code, 1);
    assert.match(refused.text, /row 1: \S+ has another row with the id '1'\. The input was changed/);
    assert.match(refused.text, /0 sent/);
  }
  fs.writeFileSync(at('t2.zpl'), '^XA^FO20,20^A0N,30,30^FD{{name}}!^FS^XZ');
  assert.equal((await run(['submit', 'before.csv', '--template', 't2.zpl', '--batch', name])).code, 1);
  assert.equal((await run(['submit', 'before.csv', '--template', 't.zpl', '--batch', name, '--dpmm', '12'])).code, 1);
  assert.match((await send('longer.csv')).text, /1 sent, 3 were sent before, 0 refused; batch \S+ has 4 jobs/);
  assert.equal((await send('inserted.csv')).code, 1); // a run that is refused leaves the batch as it was
  const w = work();
  const end = await run(['collect', '--batch', name, '-o', 'edited', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.deepEqual(files('edited'), ['1.png', '2.png', '3.png', '4.png']);
  await stop(w);
});

test('a batch that was collected and deleted is not sent into nowhere by its journal', async () => {
  const name = batch(), w = work();
  ndjson('gone.ndjson', [{ id: 'a', zpl: label(1) }]);
  assert.equal((await run(['submit', 'gone.ndjson', '--batch', name])).code, 0);
  assert.equal((await run(['collect', '--batch', name, '-o', 'gone', '--wait', '300s', '--delete'])).code, 0);
  const again = await run(['submit', 'gone.ndjson', '--batch', name]);
  assert.equal(again.code, 1);
  assert.match(again.text, /was collected and deleted, or has expired/);
  await stop(w);
});

test('the queue of a batch is deleted while its rows are sent: the account is sent again', async () => {
  const name = batch(), w = work();
  const sender = start(['submit', '-', '--rows', 'ndjson', '--batch', name], { stdin: 'pipe' });
  const send = (id) => sender.stdin.write(`${JSON.stringify({ id, zpl: label(1) })}\n`);
  send('a');
  await until(async () => (await depth(`platen.results.${name}`)) === 3); // who has entered, a's row and its result
  await deleteQueue(`platen.results.${name}`);
  send('b');
  sender.stdin.end();
  assert.equal((await sender.ended).code, 0, sender.text);
  await until(async () => (await metric(w, 'jobs_total{result="ok"}')) >= 2); // the results of both are stored
  const short = await run(['collect', '--batch', name, '-o', 'short', '--wait', '3s']);
  assert.equal(short.code, 1, short.text);
  assert.deepEqual(failures('short'), ['"a",missing,"no_result","No result has come."']);
  ndjson('short.ndjson', ['a', 'b'].map((id) => ({ id, zpl: label(1) })));
  assert.equal((await run(['submit', 'short.ndjson', '--batch', name, '--missing-from', 'short'])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'short', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  await stop(w);
});

test('a forged result takes no row\'s place', async () => {
  const name = batch(), ok = { 'x-platen-ok': 'true', 'x-platen-ending': 'png' };
  ndjson('true.ndjson', [{ id: 'a', zpl: label(1) }]);
  expect(at('true.ndjson'), at('true-right'));
  assert.equal((await run(['submit', 'true.ndjson', '--batch', name, '--time', TIME])).code, 0);
  await sendAs('platen.results', name, 'a', 'forged', ok);
  const stranger = { ...ok, 'x-platen-sequence': '1', 'x-platen-row': `${'0'.repeat(16)} ${'1'.repeat(16)} ${'2'.repeat(8)}` };
  await sendAs('platen.results', name, 'a', 'forged', stranger);
  await sendAs('platen.results', name, 'a', 'forged', { ...stranger, 'x-platen-piece': `${'3'.repeat(16)} 0 99` }); // the rest will never come
  const collector = start(['collect', '--batch', name, '-o', 'true', '--wait', '300s']);
  await until(async () => (await depth(`platen.results.${name}`)) === 0); // it has taken all of that
  assert.deepEqual(fs.readdirSync(at('true')), ['.platen-collect']);
  const w = work(), end = await collector.ended;
  assert.equal(end.code, 1); // somebody else writes here
  assert.match(end.text, /1 results, 0 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(compare(at('true-right'), at('true')), { missing: 0, different: 0, foreign: [] });
  await stop(w);
});

test('who knows all of a row but has not seen its job cannot make its result, nor take part in the account', async () => {
  const name = batch(), queue = `platen.results.${name}`, ok = { 'x-platen-ok': 'true', 'x-platen-ending': 'png' };
  const collect = () => start(['collect', '--batch', name, '-o', 'proven', '--wait', '300s']);
  ndjson('proven.ndjson', ['a', 'b'].map((id, i) => ({ id, zpl: label(i) })));
  expect(at('proven.ndjson'), at('proven-right'));
  const submit = async (...more) => assert.equal((await run(['submit', 'proven.ndjson', '--batch', name, '--time', TIME, ...more])).code, 0);
  await submit();
  const [title, ...lines] = fs.readFileSync(at(`${name}.submitted`), 'utf8').split('\n'), token = title.split(' ').at(-2);
  const hashes = Object.fromEntries(lines.map((line) => line.split('\t')).filter(([hash]) => /^[0-9a-f]{16}$/.test(hash)).map(([hash, id]) => [id, hash]));
  const mark = (id) => `${token} ${hashes[id]} ${'0'.repeat(8)}`, wrong = '1'.repeat(16);
  const forge = async () => {
    await sendAs('platen.results', name, 'a', 'forged', { ...ok, 'x-platen-row': mark('a') });
    await sendAs('platen.results', name, 'a', 'forged', { ...ok, 'x-platen-row': `${mark('a')} ${wrong}` });
    await sendAs('platen.results', name, 'b', `${mark('b')} 1 ok image/png png 1 6 ${wrong}\nbforged`, {}, 'application/x-platen-group');
    await sendAs('platen.results', name, 'b', 'forged', { ...ok, 'x-platen-row': mark('b'), 'x-platen-piece': `${wrong} 0 6` });
  };
  // The jobs are lost, another one is there in the place of the first, and then they are sent again.
  await until(async () => (await depth('platen.jobs')) === 1);
  await purgeQueue('platen.jobs');
  await sendAs('', 'platen.jobs', 'b', label(7), { 'x-platen-batch': name, 'x-platen-row': mark('b') });
  await forge();
  for (const [kind, body] of [['cancelled', `${token}\n`], ['closed', ''], ['rows', `${mark('a').replace(hashes.a, wrong)}\ta\n`]]) await sendAs('platen.results', name, kind, body, { 'x-platen-kind': kind, 'x-platen-submitter': token, 'x-platen-count': '0' });
  // Somebody who may write to the queue itself, and has not the secret.
  await sendAs('', queue, 'rows', `${mark('a').replace(hashes.a, wrong)}\tz\n`, { 'x-platen-kind': 'rows', 'x-platen-submitter': token });
  await sendAs('', queue, 'again', `${mark('a')}\ta\n`, { 'x-platen-kind': 'again' });
  const first = collect();
  await until(async () => (await depth(queue)) === 0); // it has all of that in its journal
  first.kill('SIGKILL');
  await first.ended;
  assert.equal(first.text.match(/no proof of its row; it is refused/g).length, 5, first.text);
  assert.equal(first.text.match(/this is no result of a worker; it is dropped/g).length, 4, first.text);
  assert.deepEqual(files('proven'), []);
  await forge();
  await submit('--again');
  const w = work(), end = await collect().ended;
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /5 results without the proof of their row were refused/); // with that of the job
  assert.match(end.text, /2 results, 0 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(compare(at('proven-right'), at('proven')), { missing: 0, different: 0, foreign: [] });
  await stop(w);
});

test('a submitter that was begun by an older program has no secret, and goes on', async () => {
  const name = batch(), w = work();
  fs.writeFileSync(at(`${name}.submitted`), `platen-submit-2 ${name} 1750000000 ${'5'.repeat(16)}\n`);
  assert.equal((await run(['submit', 'pair.ndjson', '--batch', name])).code, 0);
  const end = await run(['collect', '--batch', name, '-o', 'elder', '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /40 results, 0 of them errors; 0 duplicates; none missing/);
  assert.doesNotMatch(fs.readFileSync(at('elder/.platen-collect'), 'utf8'), /^secret/m);
  await stop(w);
});

test('a mistyped batch name is reported; a PDF of a batch that was not sent for one is refused before its results come', async () => {
  const name = batch();
  const typo = await run(['collect', '--batch', `${name}x`, '-o', 'typo', '--wait', '5s']);
  assert.equal(typo.code, 1);
  assert.match(typo.text, new RegExp(`there is no batch ${name}x at 127\\.0\\.0\\.1`));
  assert.equal(await depth(`platen.results.${name}x`), -1); // nor is one made
  assert.ok(!(await run(['batch', 'list'])).text.includes(`${name}x`)); // or listed
  ndjson('plain.ndjson', [{ id: 'a', zpl: label(1) }]);
  assert.equal((await run(['submit', 'plain.ndjson', '--batch', name])).code, 0);
  const early = await run(['collect', '--batch', name, '-o', 'early.pdf', '--wait', '300s']); // no worker is there
  assert.equal(early.code, 1);
  assert.match(early.text, /this one was sent without it: -o must be a folder or a FILE\.zip/);
  const w = work();
  assert.equal((await run(['collect', '--batch', name, '-o', 'early.zip', '--wait', '300s'])).code, 0); // and nothing is lost
  await stop(w);
});

test('a worker with a key draws what submitters with it have sent, alone and in groups, and nothing else', async () => {
  const [known, other] = [batch(), batch()], key = ['--job-key-file', 'job.key'];
  fs.writeFileSync(at('job.key'), 'what workers and submitters know\n');
  fs.writeFileSync(at('other.key'), 'what others have made up\n');
  ndjson('key.ndjson', Array.from({ length: 3 }, (_, i) => ({ id: `k${i}`, zpl: label(i), widthMm: 50 - (i === 2) }))); // a group of two, and one alone
  const submit = (name, more = []) => run(['submit', 'key.ndjson', '--batch', name, ...more]);
  assert.equal((await submit(other)).code, 0);
  assert.equal((await submit(known, key)).code, 0);
  for (const more of [['--job-key-file', 'other.key'], ['--job-key-file', 'job.key', '--journal', `${other}.submitted`, '--batch', other]]) {
    const refused = await submit(known, more);
    assert.equal(refused.code, 1);
    assert.match(refused.text, /was begun without this key: name another batch/);
  }
  await sendAs('', 'platen.jobs', 'nobody', label(1), { 'x-platen-batch': known }); // has no mark at all
  const w = work(key), collect = (name, output) => run(['collect', '--batch', name, '-o', output, '--wait', '300s']);
  const good = await collect(known, 'known'), bad = await collect(other, 'other');
  assert.deepEqual(files('known'), ['k0.png', 'k1.png', 'k2.png'], good.text);
  assert.equal(bad.code, 1);
  assert.deepEqual(failures('other').map((line) => line.split(',').slice(0, 3).join()), ['k0', 'k1', 'k2'].map((id) => `"${id}",failed,"unknown_origin"`));
  assert.equal(await metric(w, 'job_seconds_count'), 3); // nothing else was drawn
  assert.equal(await depth('platen.dead'), 0);
  // The journal keeps what was made of the key: rows are sent again without it.
  assert.equal((await submit(known, ['--again'])).code, 0);
  await until(async () => (await metric(w, 'job_seconds_count')) === 6);
  await stop(w);
  fs.writeFileSync(at('short.key'), 'short\n');
  for (const args of [['submit', 'key.ndjson', '--batch', known], ['work']]) {
    const end = await run([...args, '--job-key-file', 'short.key']);
    assert.notEqual(end.code, 0);
    assert.match(end.text, /--job-key-file: short\.key: a key has 16 to 511 characters in one line/);
  }
});

test('a worker with a key keeps nothing of strangers: neither dead letters nor files of --results', async () => {
  const [known, other] = [batch(), batch()], key = ['--job-key-file', 'keep.key'];
  fs.writeFileSync(at('keep.key'), 'what workers and submitters know\n');
  fs.mkdirSync(at('kept'));
  await purgeQueue('platen.dead');
  ndjson('keep.ndjson', Array.from({ length: 3 }, (_, i) => ({ id: `k${i}`, zpl: label(i), widthMm: 50 - (i === 2) }))); // a group of two, and one alone
  for (const [name, more] of [[known, key], [other, []]]) assert.equal((await run(['submit', 'keep.ndjson', '--batch', name, ...more])).code, 0);
  await sendAs('', 'platen.jobs', '', label(1), { 'x-platen-batch': known });
  await sendAs('', 'platen.jobs', 'up', label(1), { 'x-platen-batch': '../up' });
  for (const body of ['', 'garbage']) await sendAs('', 'platen.jobs', 'group', body, { 'x-platen-batch': known }, 'application/x-platen-group');
  await sendAs('', 'platen.jobs', 'group', Buffer.alloc(9 << 20, 32), { 'x-platen-batch': known }, 'application/x-platen-group');
  const w = work([...key, '--results', 'kept']), end = await run(['collect', '--batch', other, '-o', 'not-kept', '--wait', '300s']);
  assert.deepEqual(failures('not-kept').map((line) => line.split(',').slice(0, 3).join()), ['k0', 'k1', 'k2'].map((id) => `"${id}",failed,"unknown_origin"`), end.text);
  await until(async () => (await metric(w, 'jobs_total{result="ok"}')) === 3 && (await metric(w, 'jobs_total{result="error"}')) === 3 + 5); // each is counted
  await until(async () => (await depth('platen.jobs')) === 0); // and acknowledged
  assert.equal(await depth('platen.dead'), 0);
  assert.deepEqual(files('kept'), [known]);
  assert.deepEqual(files(`kept/${known}`), ['k0.png', 'k1.png', 'k2.png']);
  await stop(w);
  assert.doesNotMatch(w.text, /dead letters/);
});

// ---- no job stops another

test('one result above the broker\'s max_message_size does not stop the queue', async () => {
  const name = batch();
  // Black and white in turn, which no encoder makes small; the broker takes 64 KiB.
  const noise = (seed) => { let x = seed, hex = ''; for (let i = 0; i < 400 * 1600; i++) { x = (Math.imul(x, 1103515245) + 12345) >>> 0; hex += ((x >>> 16) & 255).toString(16).padStart(2, '0'); } return `^XA^FO0,0^GFA,${400 * 1600},${400 * 1600},400,${hex}^FS^XZ`; };
  ndjson('large.ndjson', [{ id: 'large', zpl: noise(1), widthMm: 400, heightMm: 200, format: 'pdf' }, ...Array.from({ length: 60 }, (_, i) => ({ id: `s${i}`, zpl: label(i), widthMm: 50, heightMm: 25 }))]);
  assert.equal((await run(['submit', 'large.ndjson', '--batch', name, '--time', TIME])).code, 0);
  await ask('application:set_env(rabbit, max_message_size, 65536)');
  try {
    const w = work();
    // The collector is killed between two pieces, too.
    const first = start(['collect', '--batch', name, '-o', 'pieces', '--wait', '300s']);
    await until(() => fs.existsSync(at('pieces')) && fs.readdirSync(at('pieces')).some((each) => each.startsWith('.platen-piece-') || each === 'large.pdf'));
    first.kill('SIGKILL');
    await first.ended;
    const end = await run(['collect', '--batch', name, '-o', 'pieces', '--wait', '300s']);
    assert.equal(end.code, 0, end.text);
    assert.match(end.text, /61 results, 0 of them errors/);
    await says(w, 'larger than configured max size 65536');
    execFileSync('pdfinfo', [at('pieces/large.pdf')]);
    assert.ok(fs.statSync(at('pieces/large.pdf')).size > 5 * 65536);
    assert.deepEqual(fs.readdirSync(at('pieces')).filter((each) => each.startsWith('.')), ['.platen-collect']);
    // A job that is itself too large ends the submitter, with the reason.
    const job = await run(['submit', 'large.ndjson', '--batch', batch(), '--wait', '300s']);
    assert.equal(job.code, 1);
    assert.match(job.text, /larger than configured max size 65536/);
    await stop(w);
  } finally {
    await ask('application:set_env(rabbit, max_message_size, 134217728)');
  }
});

test('slow labels that are tried again do not hold back the others', async () => {
  const name = batch();
  ndjson('slow.ndjson', [...Array.from({ length: 3 }, (_, i) => ({ id: `slow${i}`, zpl: `^FXtrap=loop^FS${label(i)}` })), ...Array.from({ length: 100 }, (_, i) => ({ id: `q${i}`, zpl: label(i) }))]);
  assert.equal((await run(['submit', 'slow.ndjson', '--batch', name])).code, 0);
  const w = work(['--job-timeout', '5s', '--deliveries', '3'], { program: 'tests/renderer/broker_trapped' });
  const end = await run(['collect', '--batch', name, '-o', 'slow', '--wait', '300s']);
  assert.match(end.text, /103 results, 3 of them errors; 0 duplicates; none missing/);
  // Three tries each: all others came after the first of them.
  const journal = fs.readFileSync(at('slow/.platen-collect'), 'utf8').split('\n').filter((line) => /^\d+\t/.test(line)).map((line) => line.split('\t')[4]);
  assert.ok(journal.slice(0, 100).every((id) => id.startsWith('q')), journal.slice(0, 100).join());
  await until(async () => (await depth('platen.retry')) === 0); // the broker's counts lag behind
  await stop(w);
});

test('a worker with --results among others: the collector names where its results are', async () => {
  const name = batch();
  fs.mkdirSync(at('apart "quoted"'));
  ndjson('apart.ndjson', [{ id: 'a', zpl: label(1) }, { id: 'bad', zpl: 'x' }]);
  assert.equal((await run(['submit', 'apart.ndjson', '--batch', name])).code, 0);
  const w = work(['--results', 'apart "quoted"']);
  const end = await run(['collect', '--batch', name, '-o', 'apart-out', '--wait', '300s']);
  assert.equal(end.code, 1);
  assert.deepEqual(failures('apart-out').map((line) => line.split(',')[2]), ['"stored_elsewhere"', '"no_labels"']);
  assert.match(failures('apart-out')[0], new RegExp(`stored it in apart ""quoted""/${name}`));
  assert.deepEqual(files(`apart "quoted"/${name}`), ['a.png', 'bad.error.json']);
  for (const result of ['ok', 'error']) await until(async () => (await metric(w, `jobs_total{result="${result}"}`)) === 1);
  await stop(w);
});

test('hostile jobs: a count of deliveries that somebody wrote, a newline in an id, more label code than a job may have', async () => {
  const name = batch(), w = work();
  const mark = (id) => `${'a'.repeat(16)} ${'b'.repeat(16)} ${'c'.repeat(8)}\t${id}\n`;
  await run(['submit', 'empty.ndjson', '--batch', name]);
  await sendAs('', `platen.results.${name}`, 'rows', ['counted', 'large'].map(mark).join(''), { 'x-platen-kind': 'rows', 'x-platen-submitter': 'a'.repeat(16) });
  const headers = { 'x-platen-batch': name, 'x-platen-row': mark('').trim() };
  await sendAs('', 'platen.jobs', 'counted', label(1), { ...headers, 'x-delivery-count': '100' });
  await sendAs('', 'platen.jobs', 'two\nlines', label(1), headers);
  await sendAs('', 'platen.jobs', 'large', Buffer.alloc(20 << 20, 32), headers);
  await sendAs('', `platen.results.${name}`, 'closed', '', { 'x-platen-kind': 'closed', 'x-platen-submitter': 'a'.repeat(16), 'x-platen-count': '2' });
  const end = await run(['collect', '--batch', name, '-o', 'hostile', '--wait', '300s']);
  assert.match(end.text, /2 results, 1 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(files('hostile'), ['counted.png', 'large.error.json']);
  assert.match(failures('hostile')[0], /^"large",failed,"limit_exceeded",".*8 MiB/);
  await says(w, 'job two lines goes to the dead letters');
  await stop(w);
});

// ---- what a user meets first

test('a worker reads PLATEN_BROKER, two of them need no ports by hand, and one with a small limit starts', async () => {
  const own = (args) => start(['work', '--connections', '1', '--log', 'off', '--drain-delay', '0', ...args]);
  const workers = [own([]), own(['--max-dots', '1000'])];
  for (const w of workers) await says(w, 'working for');
  for (const w of workers) { w.kill('SIGTERM'); assert.equal((await w.ended).code, 0, w.text); }
});

test('from CSV to PDF in one command, again under the same name, and with progress as lines where there is no terminal', async () => {
  const w = work();
  csv('one.csv', Array.from({ length: 500 }, (_, i) => `row ${i}`));
  for (const wait of [['--wait', '300s'], ['--wait']]) {
    const end = await run(['submit', 'one.csv', '--template', 't.zpl', '-o', 'one.pdf', ...wait]);
    assert.equal(end.code, 0, end.text);
    assert.match(end.text, /500 sent[^]*500 results, 0 of them errors; 0 duplicates; none missing/);
    assert.equal(pages('one.pdf'), 500);
    assert.deepEqual(fs.readdirSync(dir).filter((each) => each.startsWith('one.pdf')), ['one.pdf']); // and no journal
    assert.equal(await depth('platen.results.one.pdf'), -1);
    fs.rmSync(at('one.pdf'));
  }
  await stop(w);
  // Without a worker: it waits, and says so.
  const waiting = start(['submit', 'one.csv', '--template', 't.zpl', '-o', 'two.pdf']);
  await says(waiting, '500 sent');
  await until(() => /^\[\.+\]   0 % 0 done, 0\/s$/m.test(waiting.text));
});

test('rows of a PDF that failed are tried again', async () => {
  const name = batch();
  ndjson('again.ndjson', [{ id: 'one', zpl: label(1) }, { id: 'two', zpl: label(2) + label(3) }]);
  for (const [limit, more, code, count] of [['1', [], 1, 1], ['10', ['--missing-from', 'again.pdf'], 0, 3]]) {
    const w = work(['--max-labels', limit]);
    assert.equal((await run(['submit', 'again.ndjson', '--batch', name, '--for-pdf', ...more])).code, 0);
    const end = await run(['collect', '--batch', name, '-o', 'again.pdf', '--wait', '300s', '--delete']);
    assert.equal(end.code, code, end.text);
    assert.equal(pages('again.pdf'), count);
    await stop(w);
  }
  assert.deepEqual(fs.readdirSync(dir).filter((each) => each.startsWith('again.pdf')), ['again.pdf']);
});

test('amqps on a port without TLS ends submit and collect at once, with the reason', async () => {
  const secure = url.replace('amqp:', 'amqps:');
  for (const args of [['submit', 'empty.ndjson'], ['collect', '-o', 'plain']]) {
    const end = await run([...args, '--batch', batch(), '--broker', secure]);
    assert.equal(end.code, 1);
    assert.match(end.text, /it speaks AMQP without TLS there: the address must be amqp:\/\//);
  }
});
