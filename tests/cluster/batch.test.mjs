// `platen batch`: what a person asks of a batch, and does with it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { test } from 'node:test';
import { sleep, until } from '../api/lib/until.js';
import { alarm, ask, at, batch, cluster, countOf, deleteQueue, depth, dir, files, leaderOf, metric, ndjson, purgeQueue, run, sendAs, start, stop, url, useBroker, work, worker } from './harness.mjs';
import { label } from './parts.mjs';
import { hold } from './publish.mjs';

const good = async (args, options) => { const end = await run(args, options); assert.equal(end.code, 0, end.text); return end.text; };
const rows = (count, from = 0) => Array.from({ length: count }, (_, i) => ({ id: `r${from + i}`, zpl: label(from + i) }));
const lineOf = (text, name) => text.split('\n').find((line) => line.startsWith(name)) ?? '';
const collect = (name, output, more = []) => run(['collect', '--batch', name, '-o', output, '--wait', '300s', ...more]);

useBroker({ purges: true, prepare: () => good(['work', '--declare', 'only', '--broker', url]) });

test('list: a run that is refused is not being sent; what it had sent before is told', async () => {
  const name = batch(), state = async () => /\d {2}(\S.*?) {2,}/.exec(lineOf(await good(['batch', 'list']), name))[1];
  const send = async (...list) => { ndjson('refused.ndjson', list); return (await run(['submit', 'refused.ndjson', '--batch', name])).code; };
  const [a, b, c] = rows(3), edited = { ...a, zpl: label(9) };
  assert.equal(await send(a, b), 0);
  assert.equal(await send(edited, b), 1);
  assert.equal(await state(), 'not collected'); // all of it was sent before
  assert.equal(await send(c, edited, b), 1);
  assert.equal(await state(), 'not all sent');
  assert.match(await good(['batch', 'status', name]), /: not all sent\nrows {7}3, of 1 submitters; 1 of them have not sent all\n/);
  assert.equal(await send(a, b, c), 0);
  assert.equal(await state(), 'not collected');
});

test('list and status: rows, done, failed, waiting, who works, and what becomes of it', async () => {
  const name = batch(), other = batch();
  ndjson('s.ndjson', [...rows(20), { id: 'bad', zpl: 'x' }]);
  ndjson('o.ndjson', rows(3));
  await good(['submit', 's.ndjson', '--batch', name]);
  await good(['submit', 'o.ndjson', '--batch', other]);
  const before = await good(['batch', 'status', name]);
  assert.match(before, /^batch {6}\S+: not collected\nrows {7}21, of 1 submitters\n/);
  assert.match(before, /^queue .* no collector is at work\nall jobs {3}2 messages of all batches wait; no worker is there$/m);
  const collector = start(['collect', '--batch', name, '-o', 'status', '--wait', '300s']);
  await until(async () => /being collected\nrows {7}21,[^]*done {7}0\nfailed {5}0\nwaiting {4}21\n[^]*a collector is at work/.test((await run(['batch', 'status', name])).text));
  const w = work();
  assert.equal((await collector.ended).code, 1, collector.text);
  const end = await good(['batch', 'status', name]);
  assert.match(end, /: collected\nrows {7}21, of 1 submitters\ndone {7}20\nfailed {5}1\nwaiting {4}0\n/);
  assert.match(end, new RegExp(`^workers {4}${os.hostname()}:\\d+ \\(21\\)$`, 'm'));
  const list = await good(['batch', 'list']);
  assert.match(lineOf(list, name), /21 +20 +1 {2}collected/);
  assert.match(lineOf(list, other), /3 +0 +0 {2}not collected/);
  // What newer records have replaced is gone, and what is left is there for the next reader.
  assert.equal(await good(['batch', 'list']), list);
  await until(async () => (await depth('platen.batches')) === list.trim().split('\n').length - 1 + 1); // one has a collector
  const unknown = await run(['batch', 'status', `${name}x`]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.text, /there is no batch/);
  await stop(w);
});

test('a record that somebody else wrote is not shown', async () => {
  const name = batch();
  await sendAs('', 'platen.batches', 'submitter', '', { 'x-platen-batch': '../x', 'x-platen-rows': '1' });
  await sendAs('', 'platen.batches', 'submitter', '', { 'x-platen-batch': name, 'x-platen-rows': 'many' });
  await sendAs('', 'platen.batches', 'submitter', '', { 'x-platen-batch': name, 'x-platen-name': '../../queue' });
  await sendAs('', 'platen.batches', 'collector', '', { 'x-platen-batch': name, 'x-platen-output': 'a\x1b[31m\nb' });
  const list = await good(['batch', 'list']);
  assert.doesNotMatch(list, /\.\.\/x/);
  assert.match((await good(['batch', 'status', name])), /into a\?\[31m\?b, heard of/);
  await good(['batch', 'delete', name]);
  assert.equal(lineOf(await good(['batch', 'list']), name), '');
});

test('failed: every reason as CSV, from the output that the collector has told, while it is at work, too', async () => {
  const name = batch(), w = work();
  ndjson('f.ndjson', [...rows(2), ...Array.from({ length: 30 }, (_, i) => ({ id: `bad${i}`, zpl: 'no "label"' }))]);
  await good(['submit', 'f.ndjson', '--batch', name, '--for-pdf']);
  assert.equal((await collect(name, 'f.pdf', ['--delete'])).code, 1);
  const failed = await run(['batch', 'failed', name]);
  assert.equal(failed.code, 1);
  assert.equal(failed.text, fs.readFileSync(at('f.pdf.failed.csv'), 'utf8'));
  assert.equal(failed.text.trim().split('\n').length, 31);
  const none = await run(['batch', 'failed', batch()]);
  assert.equal(none.code, 1);
  assert.match(none.text, /-o names its output/);
  await stop(w);
});

test('retry: failed rows as the journal says, from any folder; all of them into a new output', async () => {
  const name = batch(), w = work(['--max-labels', '1']);
  fs.mkdirSync(at('elsewhere'), { recursive: true });
  ndjson('retry me.ndjson', [{ id: 'one', zpl: label(1) }, { id: 'two', zpl: label(2) + label(3) }]);
  await good(['submit', 'retry me.ndjson', '--batch', name, `--broker=${url}`]);
  assert.doesNotMatch(Buffer.from(/command (\w+)/.exec(fs.readFileSync(at(`${name}.submitted`), 'utf8'))[1], 'hex').toString(), /guest/); // no password
  assert.equal((await collect(name, 'retry')).code, 1);
  await stop(w);
  const next = work();
  const again = await good(['batch', 'retry', name, '-o', '../retry', '--journal', `../${name}.submitted`], { cwd: at('elsewhere') });
  assert.match(again, /1 sent, 1 were sent before/);
  assert.equal((await collect(name, 'retry')).code, 0);
  assert.deepEqual(files('retry'), ['one.png', 'two+1.png', 'two+2.png']);
  // The whole batch once more, in one command.
  const all = await good(['batch', 'retry', name, '--all', '-o', 'again.zip']);
  assert.match(all, /2 sent, 0 were sent before/);
  assert.ok(fs.existsSync(at('again.zip')));
  const lost = await run(['batch', 'retry', name, '-o', 'retry', '--journal', 'none']);
  assert.equal(lost.code, 1);
  assert.match(lost.text, /does not say how the batch was submitted/);
  await stop(next);
});

test('cancel: workers draw no more of the batch, submitter and collector end, others go on', async () => {
  const name = batch(), other = batch();
  ndjson('c.ndjson', rows(300));
  ndjson('d.ndjson', rows(20));
  const sender = start(['submit', '-', '--rows', 'ndjson', '--batch', name, '--group', '1'], { stdin: 'pipe' });
  sender.stdin.write(fs.readFileSync(at('c.ndjson')));
  await until(async () => (await depth('platen.jobs')) === 300);
  const collector = start(['collect', '--batch', name, '-o', 'cancelled', '--wait', '300s']);
  await until(() => fs.existsSync(at('cancelled/.platen-collect')) && fs.readFileSync(at('cancelled/.platen-collect'), 'utf8').includes('row\t'));
  assert.match(await good(['batch', 'cancel', name]), /is cancelled/);
  await good(['submit', 'd.ndjson', '--batch', other]);
  const end = await collector.ended;
  assert.equal(end.code, 1);
  assert.match(end.text, /0 results, 0 of them errors; 0 duplicates; the batch was cancelled/);
  assert.match(fs.readFileSync(at('cancelled.failed.csv'), 'utf8'), /^"r299",cancelled,"cancelled","The batch was cancelled\."$/m);
  // More rows wake the submitter, which asks once a second.
  const more = (async () => { for (let i = 300; sender.exitCode === null && !sender.stdin.destroyed; i++) { sender.stdin.write(`${JSON.stringify({ id: `r${i}`, zpl: label(i) })}\n`, () => {}); await new Promise((resolve) => setTimeout(resolve, 100)); } })();
  sender.stdin.on('error', () => {});
  assert.equal((await sender.ended).code, 1);
  assert.match(sender.text, /was cancelled: to send its rows again, remove \S+\.submitted and name another batch/);
  await more;
  // One that comes back with its journal is refused, too.
  assert.match((await run(['submit', 'c.ndjson', '--batch', name])).text, /was cancelled/);
  const w = work();
  assert.equal((await collect(other, 'others')).code, 0);
  await until(async () => (await depth('platen.jobs')) === 0);
  // What was begun before the broker had answered is drawn.
  await until(async () => (await metric(w, 'jobs_total{result="cancelled"}')) >= 200);
  assert.match(lineOf(await good(['batch', 'list']), name), / cancelled /);
  await stop(w);
});

test('a worker with the rights of 1.1.0, which may not ask for cancelled batches nor read the queues behind the first, says so and goes on', async () => {
  const name = batch(), node = cluster.nodes[0];
  await cluster.ctl(node, 'add_user', 'old', 'secret');
  await cluster.ctl(node, 'set_permissions', 'old', '^$', '^platen\\.(results|retry|dead)$', '^platen\\.jobs$');
  ndjson('r.ndjson', rows(10));
  await good(['submit', 'r.ndjson', '--batch', name]);
  const w = worker(cluster.url(node, 'old:secret'), ['--connections', '1', '--declare', 'off'], { cwd: dir });
  assert.equal((await collect(name, 'old')).code, 0);
  for (const each of [/ACCESS_REFUSED[^\n]*platen\.jobs\.2/, /ACCESS_REFUSED[^\n]*platen\.cancelled/]) await until(() => each.test(w.text));
  await stop(w);
});

test('delete: the queue and the jobs of a batch go; its name is free again', async () => {
  const name = batch();
  ndjson('x.ndjson', rows(50));
  await good(['submit', 'x.ndjson', '--batch', name]);
  const collector = start(['collect', '--batch', name, '-o', 'busy', '--wait', '300s']);
  await until(async () => /a collector is at work/.test((await run(['batch', 'status', name])).text));
  assert.match((await run(['batch', 'delete', name])).text, /a collector is at work on it/);
  collector.kill('SIGKILL');
  await collector.ended;
  await until(async () => (await run(['batch', 'delete', name])).code === 0); // the broker has noticed its end
  assert.equal(await depth(`platen.results.${name}`), -1);
  assert.equal(lineOf(await good(['batch', 'list']), name), '');
  assert.match((await run(['batch', 'delete', name])).text, /there is no such batch/);
  const w = work();
  await until(async () => (await depth('platen.jobs')) === 0);
  ndjson('y.ndjson', rows(5));
  await good(['submit', 'y.ndjson', '--batch', name]); // and its journal has gone
  assert.equal((await collect(name, 'fresh-out')).code, 0);
  assert.deepEqual(files('fresh-out'), rows(5).map(({ id }) => `${id}.png`));
  await stop(w);
});

test('delete: a journal that cannot be removed is named, and the command can be run again', async () => {
  const name = batch();
  ndjson('kept.ndjson', rows(2));
  await good(['submit', 'kept.ndjson', '--batch', name]);
  fs.mkdirSync(at('no-journal'));
  const end = await run(['batch', 'delete', name, '--journal', 'no-journal']);
  assert.equal(end.code, 1, end.text);
  assert.match(end.text, /no-journal: Is a directory/);
  assert.equal(await depth(`platen.results.${name}`), -1);
  // As where it was killed there: the records still tell whose the journal is.
  assert.match(await good(['batch', 'delete', name]), /is deleted/);
  assert.ok(!fs.existsSync(at(`${name}.submitted`)));
});

test('replay: dead letters are jobs again and their rows are waited for; results that found no batch go to it', async () => {
  const name = batch();
  ndjson('p.ndjson', [...rows(3), { id: 'poison', zpl: `^FXtrap=loop^FS${label(9)}` }]);
  await good(['submit', 'p.ndjson', '--batch', name]);
  const w = work(['--job-timeout', '8s', '--deliveries', '1'], { program: 'tests/renderer/broker_trapped' });
  assert.equal((await collect(name, 'replayed')).code, 1);
  await stop(w);
  await until(async () => (await depth('platen.dead')) === 1);
  // Of another batch: nothing is moved.
  assert.match(await good(['batch', 'replay', batch()]), /^0 dead letters are jobs again, 1 are left; 0 results/);
  await until(async () => (await depth('platen.dead')) === 1);
  const plain = work(); // to which the trap is a comment
  await until(() => plain.text.includes('working for'));
  assert.match(await good(['batch', 'replay', name]), /^1 dead letters are jobs again, 0 are left; 0 results/);
  const end = await collect(name, 'replayed');
  assert.equal(end.code, 0, end.text);
  assert.deepEqual(files('replayed'), ['poison.png', 'r0.png', 'r1.png', 'r2.png']);
  await until(async () => (await depth('platen.dead')) === 0);
  // The queue of a batch is not there when its result comes.
  const late = batch();
  ndjson('late.ndjson', rows(2));
  await stop(plain);
  await good(['submit', 'late.ndjson', '--batch', late]);
  await deleteQueue(`platen.results.${late}`);
  await purgeQueue('platen.unrouted');
  const last = work();
  await until(async () => (await depth('platen.unrouted')) === 1);
  assert.match(await good(['batch', 'replay', late]), /0 results went to their batches, 2 are left/);
  // Its submitter lists its rows again, which are drawn twice then; either result is the row's.
  await stop(last);
  await good(['submit', 'late.ndjson', '--batch', late, '--missing-from', 'nothing']);
  await purgeQueue('platen.jobs');
  // Somebody who may write to the exchange alone wants to cancel it by this way.
  const token = fs.readFileSync(at(`${late}.submitted`), 'utf8').split('\n')[0].split(' ').at(-2);
  await sendAs('platen.results', 'nobody', 'cancelled', `${token}\n`, { 'x-platen-kind': 'cancelled', 'x-platen-batch': late });
  assert.match(await good(['batch', 'replay', late]), /2 results went to their batches, 1 are left/);
  assert.equal((await collect(late, 'late')).code, 0);
  assert.deepEqual(files('late'), ['r0.png', 'r1.png']);
  await until(async () => (await depth('platen.unrouted')) === 1);
  await purgeQueue('platen.unrouted');
});

test('replay: what is left of a batch that was deleted is not sent to another one of the same name', async () => {
  const name = batch(), poison = { id: 'poison', zpl: `^FXtrap=loop^FS${label(9)}` };
  for (const queue of ['platen.dead', 'platen.unrouted']) await empty(queue);
  ndjson('old.ndjson', [poison, ...rows(2)]);
  await good(['submit', 'old.ndjson', '--batch', name]);
  const w = work(['--job-timeout', '8s', '--deliveries', '1'], { program: 'tests/renderer/broker_trapped' });
  await deleteQueue(`platen.results.${name}`); // its results find no batch
  await until(async () => (await depth('platen.dead')) === 1 && (await depth('platen.unrouted')) === 3); // the error, and two rows that became jobs of their own
  await stop(w);
  fs.unlinkSync(at(`${name}.submitted`));
  ndjson('new.ndjson', rows(3));
  await good(['submit', 'new.ndjson', '--batch', name]);
  const left = await depth('platen.unrouted');
  assert.match(await good(['batch', 'replay', name]), /^0 dead letters are jobs again, 1 are left; 0 results went to their batches, 3 are left/);
  await until(async () => (await depth('platen.dead')) === 1 && (await depth('platen.unrouted')) === left);
  const next = work(), end = await collect(name, 'same-name');
  assert.equal(end.code, 0, end.text);
  assert.deepEqual(files('same-name'), ['r0.png', 'r1.png', 'r2.png']);
  await stop(next);
  for (const queue of ['platen.dead', 'platen.unrouted']) await empty(queue);
});

test('what a reader takes is not there again, however much it was', async () => {
  await purgeQueue('platen.batches');
  const name = batch();
  for (let i = 0; i < 150; i++) await sendAs('', 'platen.batches', 'submitter', '', { 'x-platen-batch': name, 'x-platen-name': '1', 'x-platen-rows': String(i) });
  assert.match(lineOf(await good(['batch', 'list']), name), /149 /);
  await until(async () => (await countOf('platen.batches', 'checked_out')) === 0);
  assert.equal(await depth('platen.batches'), 1); // the last record; the others are replaced
});

// ---- --wait

// Also of what a reader held that has just ended.
const empty = (queue) => until(async () => (await depth(queue)) === 0 || (await purgeQueue(queue), false));
const readersOf = async (queue) => Number(await ask(`length(rabbit_amqqueue:consumers(element(2, rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"${queue}">>)))))`));
// Ends by itself: a command that waits for ever fails the test, and does not hang it.
const ends = async (args) => { const child = start(args); await until(() => child.exitCode !== null); return child.ended; };

test('replay --wait 0 ends where as many messages are left as may be, and says so', async () => {
  const name = batch();
  await purgeQueue('platen.dead');
  for (const id of ['a', 'b', 'c']) await sendAs('', 'platen.dead', id, label(1), { 'x-platen-batch': name });
  const cut = await ends(['batch', 'replay', '--wait', '0', '--most', '2']);
  assert.equal(cut.code, 1, cut.text);
  assert.match(cut.text, /2 messages at the front of the queue are left: those behind were not read/);
  assert.match(cut.text, /^0 dead letters are jobs again, 2 are left/m);
  await until(async () => (await depth('platen.dead')) === 4); // all are there, and its mark
  const whole = await ends(['batch', 'replay', '--wait', '0', '--most', '5']);
  assert.equal(whole.code, 0, whole.text);
  assert.match(whole.text, /^0 dead letters are jobs again, 3 are left/m);
  await empty('platen.dead');
  for (const most of ['0', '65536', 'x']) assert.equal((await run(['batch', 'replay', '--most', most])).code, 2);
});

const DAY = 24 * 3600 * 1000;
test('a mark that a reader left behind goes by itself: a day later than the reader would wait, as far as RabbitMQ allows', async () => {
  await purgeQueue('platen.dead');
  const reader = await hold(cluster.nodes[0].port, 'platen.dead'); // gets all that is in it
  let got = '';
  reader.on('data', (data) => { got += data.toString('latin1'); });
  const end = await ends(['batch', 'replay', '--wait', '1s']);
  assert.equal(end.code, 1, end.text);
  assert.match(end.text, /the broker did not deliver all of the queue: run it again/);
  await until(() => got.includes(`\x08${DAY + 1000}`)); // its expiration
  const long = start(['batch', 'replay', '--wait', '2000h']);
  await until(() => got.includes(`\x0a${2 ** 32 - 1}`));
  assert.equal(await depth('platen.dead'), 2); // their marks
  reader.destroy();
  assert.equal((await long.ended).code, 0, long.text);
  await empty('platen.dead');
});

test('a reader whose last acknowledgements are not answered says so', async () => {
  const name = batch(), cancel = Buffer.from([0, 60, 0, 30]); // basic.cancel: the end of reading
  await sendAs('', 'platen.batches', 'submitter', '', { 'x-platen-batch': name, 'x-platen-name': '1', 'x-platen-rows': '1' });
  // The first connection loses what its client sends from there on; the next one is whole.
  let lost = 0;
  const door = net.createServer((client) => {
    const inner = net.connect(cluster.nodes[0].port, '127.0.0.1');
    let isDeaf = false;
    inner.pipe(client);
    client.on('data', (data) => {
      isDeaf ||= lost === 0 && data.includes(cancel);
      lost += isDeaf ? data.length : 0;
      if (!isDeaf) inner.write(data);
    });
    for (const [a, b] of [[client, inner], [inner, client]]) { a.on('error', () => {}); a.on('close', () => b.destroy()); }
  });
  await new Promise((resolve) => door.listen(0, '127.0.0.1', resolve));
  const end = await run(['batch', 'list'], { env: { PLATEN_BROKER: cluster.url(door.address()) } });
  door.close();
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /^platen batch: 127\.0\.0\.1\S* is silent: what was taken out of a queue may be there again$/m);
  assert.match(lineOf(end.text, name), /1 +0 +0 {2}being sent/);
  assert.ok(lost > 0);
});

test('replay --wait 0 waits as long as it takes, as --wait alone does; two readers that get each other\'s marks end', async () => {
  for (const letters of [0, 1]) { // the broker delivers in the order of readers: with one letter before the marks each reader gets the other's
    const reader = await hold(cluster.nodes[0].port, 'platen.dead'); // gets all that is in it
    if (letters) await sendAs('', 'platen.dead', 'letter', label(1), {});
    const waiting = [];
    for (const wait of [['--wait', '0'], ['--wait']]) {
      waiting.push(start(['batch', 'replay', ...wait]));
      await until(async () => (await readersOf('platen.dead')) === 1 + waiting.length && (await depth('platen.dead')) === letters + waiting.length); // their marks
    }
    await sleep(3000);
    assert.deepEqual(waiting.map((child) => child.text), ['', '']);
    reader.destroy();
    await until(() => waiting.every((child) => child.exitCode !== null));
    for (const child of waiting) assert.equal((await child.ended).code, 0, child.text);
    assert.match(waiting.map((child) => child.text).join(''), new RegExp(`^0 dead letters are jobs again, ${letters} are left`, 'm'));
    await empty('platen.dead');
  }
});

test('retry --wait is the submitter\'s: it gives up where the broker confirms nothing', async () => {
  const name = batch();
  ndjson('w.ndjson', rows(3));
  await good(['submit', 'w.ndjson', '--batch', name, '--wait', '1h']);
  await alarm(true);
  try {
    const end = await ends(['batch', 'retry', name, '-o', 'never', '--wait', '5s']);
    assert.equal(end.code, 1);
    assert.match(end.text, /platen submit: gave up: the broker confirmed nothing for as long as --wait says/);
  } finally {
    await alarm(false);
  }
});

test('records that do not come are told as such: a batch is not unknown because somebody else reads the queue', async () => {
  const name = batch();
  ndjson('k.ndjson', rows(2));
  await good(['submit', 'k.ndjson', '--batch', name]);
  const reader = await hold(cluster.nodes[0].port, 'platen.batches');
  for (const args of [['list'], ['status', name], ['cancel', name]]) {
    const end = await ends(['batch', ...args, '--wait', '5s']);
    assert.equal(end.code, 1, end.text);
    assert.match(end.text, /did not tell all that it knows of batches/);
  }
  reader.destroy();
  await until(async () => (await run(['batch', 'list'])).text.includes(name));
});

test('delete: the lock stays while the records are waited for, however long', async () => {
  const name = batch(), log = () => fs.readdirSync(`${cluster.nodes[0].dir}/log`).map((file) => fs.readFileSync(`${cluster.nodes[0].dir}/log/${file}`, 'utf8')).join('');
  ndjson('beside.ndjson', rows(2));
  await good(['submit', 'beside.ndjson', '--batch', name]);
  const reader = await hold(cluster.nodes[0].port, 'platen.batches');
  await ask('application:set_env(rabbit, heartbeat, 3)'); // twice as long without a sign of life, and the broker ends a connection
  try {
    const end = await ends(['batch', 'delete', name, '--wait', '15s']);
    assert.equal(end.code, 1, end.text);
    assert.match(end.text, /did not tell all that it knows of batches/);
    assert.doesNotMatch(log(), /missed heartbeats/);
  } finally {
    await ask('application:set_env(rabbit, heartbeat, 60)');
    reader.destroy();
  }
  await until(async () => /is deleted/.test((await run(['batch', 'delete', name])).text));
});

test('a queue that confirms nothing does not hold platen batch for longer than --wait', async () => {
  const name = batch(), leader = leaderOf(`platen.results.${name}`);
  ndjson('q.ndjson', rows(2));
  await good(['submit', 'q.ndjson', '--batch', name]);
  await ask(`sys:suspend(${leader})`);
  try {
    const end = await ends(['batch', 'cancel', name, '--wait', '8s']);
    assert.equal(end.code, 1);
    assert.match(end.text, /confirmed nothing for as long as --wait says/);
  } finally {
    await ask(`sys:resume(${leader})`);
  }
  assert.match(await good(['batch', 'cancel', name]), /is cancelled/);
});

test('wrong usage of platen batch', async () => {
  for (const args of [[], ['frob'], ['status'], ['status', 'a', 'b'], ['status', '../a']]) assert.equal((await run(['batch', ...args])).code, 2, args.join(' '));
});
