// A batch is one thing with one collector: its name alone says neither which batch it is, nor what its results are, nor which row an id means.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { until } from '../api/lib/until.js';
import { sleep } from './broker.mjs';
import { ask, at, batch, cluster, deleteQueue, depth, failures, files, ndjson, pages, purgeQueue, run, says, sendAs, start, stop, url, useBroker, work } from './harness.mjs';
import { label, TIME } from './parts.mjs';

useBroker({ purges: true, prepare: async () => assert.equal((await run(['work', '--declare', 'only', '--broker', url])).code, 0) });

const one = (file, id = 'a') => ndjson(file, [{ id, zpl: label(1) }]);
const submit = (file, name, ...more) => run(['submit', file, '--batch', name, '--time', TIME, ...more]);
const collect = (name, output, ...more) => run(['collect', '--batch', name, '-o', output, '--wait', '300s', ...more]);
const journalOf = (output) => { try { return fs.readFileSync(at(`${output}/.platen-collect`), 'utf8'); } catch { return ''; } };
// Exchanges that say something of a batch or of its submitters.
const marks = async (...what) => Number(await ask(`length([1 || E <- rabbit_exchange:list_names(), lists:member(element(4, E), [${what.map((each) => `<<"platen.${each}">>`).join()}])])`));
const tokenOf = (journal) => fs.readFileSync(at(journal), 'utf8').split('\n')[0].split(' ').at(-2);

const DECLARE = 10, DELETE = 40; // methods of the class queue

// Gives a connection's data frame by frame.
function frames(take) {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (let size; ; rest = rest.subarray(size)) {
      size = rest[0] === 'A'.charCodeAt() ? 8 : rest.length < 7 ? Infinity : rest.readUInt32BE(3) + 8; // "AMQP" and its version come first
      if (rest.length < size) return;
      take(rest.subarray(0, size));
    }
  };
}

// A way to the broker on which what makes a batch's queue, or deletes it, waits until it is let through; what only asks for it does not. `loses`: the next fence does not arrive.
async function gate(queue, method = DECLARE) {
  const name = Buffer.concat([Buffer.from([queue.length]), Buffer.from(queue)]), held = [], way = { loses: false };
  const server = net.createServer((client) => {
    const broker = net.connect(cluster.nodes[0].port, '127.0.0.1');
    for (const [from, to] of [[client, broker], [broker, client]]) { from.on('error', () => {}); from.on('close', () => to.destroy()); }
    broker.pipe(client);
    let publish = Buffer.alloc(0); // waits for the headers that follow it
    client.on('data', frames((frame) => {
      const place = frame.indexOf(name), declares = place >= 6 && frame.readUInt32BE(place - 6) === (50 << 16 | method) && (frame[place + name.length] & 1) === 0; // not passive
      const data = Buffer.concat([publish, frame]), begins = frame[0] === 1 && frame.readUInt32BE(7) === (60 << 16 | 40), lost = way.loses && publish.length > 0 && frame.includes('fence');
      publish = begins ? frame : Buffer.alloc(0);
      if (lost) way.loses = false;
      else if (declares || held.length > 0) held.push([broker, data, client]);
      else if (!begins) broker.write(data);
    }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref(); // a test that fails does not close it
  return Object.assign(way, { url: `amqp://guest:guest@127.0.0.1:${server.address().port}/`, isHeld: () => held.length > 0, open() { for (const [broker, data] of held.splice(0)) broker.write(data); }, async cut() {
    const [broker, data, client] = held.splice(0)[0];
    broker.unpipe(client);
    broker.write(data);
    await until(async () => (await depth(queue)) >= 0); // the broker has done it
    client.destroy();
  }, drop() { for (const [, , client] of held.splice(0)) client.destroy(); }, close: () => server.close() });
}

test('of submitters that begin a batch at the same moment one makes it, and the others are refused', async () => {
  const name = batch(), way = await gate(`platen.results.${name}`);
  for (const each of ['early', 'late']) one(`${each}.ndjson`, each);
  const early = start(['submit', 'early.ndjson', '--batch', name, '--journal', 'early', '--broker', way.url]);
  await until(way.isHeld); // it has seen that there is no such batch
  const late = start(['submit', 'late.ndjson', '--batch', name, '--journal', 'late']);
  await Promise.race([says(late, `another program is making or deleting batch ${name}: waiting`), late.ended]);
  way.open();
  const [first, second] = [await early.ended, await late.ended];
  assert.equal(first.code, 0, first.text);
  assert.equal(second.code, 1, second.text);
  assert.match(second.text, /is there already, and late knows nothing of it: --join adds to it/);
  way.close();
  const w = work();
  assert.equal((await collect(name, 'at-once')).code, 0);
  assert.deepEqual(files('at-once'), ['early.png']);
  await stop(w);
});

test('a submitter that comes while collect --delete deletes the queue loses no row', async () => {
  const name = batch(), queue = `platen.results.${name}`, way = await gate(queue, DELETE);
  for (const id of ['a', 'b']) one(`${id}.ndjson`, id);
  assert.equal((await submit('a.ndjson', name)).code, 0);
  const w = work(), collector = start(['collect', '--batch', name, '-o', 'before', '--delete', '--broker', way.url]);
  await until(way.isHeld);
  const late = start(['submit', 'b.ndjson', '--batch', name, '--join', '--journal', 'joiner']);
  await Promise.race([says(late, `another program is making or deleting batch ${name}: waiting`), late.ended]);
  way.open();
  for (const each of [collector, late]) assert.equal((await each.ended).code, 0, each.text);
  way.close();
  assert.match(collector.text, /1 results, 0 of them errors; 0 duplicates; none missing/);
  const rest = await collect(name, 'behind');
  assert.equal(rest.code, 0, rest.text);
  assert.deepEqual([files('before'), files('behind')], [['a.png'], ['b.png']]);
  await stop(w);
});

for (const which of ['its first row', 'more rows in another run']) {
  test(`a submitter that is in the batch keeps it open before ${which}: no result goes with the queue`, async () => {
    const name = batch(), way = await gate(`platen.results.${name}`, DELETE), w = work(), output = `open${name}`;
    const journal = `${output}.in`, runs = () => (fs.existsSync(at(journal)) ? fs.readFileSync(at(journal), 'utf8').split('\tinputs ').length : 0);
    for (const id of ['a', 'b']) one(`${id}.ndjson`, id);
    assert.equal((await submit('a.ndjson', name)).code, 0);
    if (which !== 'its first row') assert.equal((await submit('b.ndjson', name, '--join', '--journal', journal)).code, 0);
    const before = runs(), inside = start(['submit', '-', '--rows', 'ndjson', '--batch', name, '--join', '--journal', journal], { stdin: 'pipe' });
    await until(() => runs() > Math.max(before, 1)); // it has entered
    const collector = start(['collect', '--batch', name, '-o', output, '--delete', '--broker', way.url]);
    await until(() => /\tok\t.*\ta\n/.test(journalOf(output)));
    await sleep(1000); // it does not end
    assert.ok(!way.isHeld(), 'it would delete the queue');
    inside.stdin.write(`${JSON.stringify({ id: 'c', zpl: label(1) })}\n`);
    await until(() => /\tok\t.*\tc\n/.test(journalOf(output)));
    inside.stdin.end();
    assert.equal((await inside.ended).code, 0, inside.text);
    await until(way.isHeld);
    way.open();
    assert.equal((await collector.ended).code, 0, collector.text);
    way.close();
    assert.deepEqual(files(output), which === 'its first row' ? ['a.png', 'c.png'] : ['a.png', 'b.png', 'c.png']);
    await stop(w);
  });
}

test('a submitter whose connection ends when it has told its end does not make its batch again', async () => {
  const name = batch(), way = await gate(`platen.entering.${name}`, DELETE), w = work();
  one('told.ndjson');
  const sender = start(['submit', 'told.ndjson', '--batch', name, '--broker', way.url]);
  await until(way.isHeld); // it has entered
  way.open();
  await until(way.isHeld); // it has told its end
  sender.kill('SIGSTOP');
  way.drop();
  const end = await collect(name, 'told', '--delete');
  assert.equal(end.code, 0, end.text);
  sender.kill('SIGCONT');
  await until(() => { way.open(); return sender.exitCode !== null; }, 'the submitter to end');
  assert.equal((await sender.ended).code, 0, sender.text);
  assert.equal(await depth(`platen.results.${name}`), -1);
  way.close();
  await stop(w);
});

test('platen batch delete waits for a submitter that enters the batch', async () => {
  const name = batch(), way = await gate(`platen.results.${name}`);
  one('entering.ndjson');
  assert.equal((await submit('entering.ndjson', name)).code, 0);
  const entering = start(['submit', 'entering.ndjson', '--batch', name, '--time', TIME, '--broker', way.url]);
  await until(way.isHeld); // it has seen the batch
  const early = await run(['batch', 'delete', name, '--wait', '1s']);
  assert.equal(early.code, 1, early.text);
  assert.match(early.text, new RegExp(`another program is making or deleting batch ${name}: run it again`));
  assert.ok((await depth(`platen.results.${name}`)) > 0);
  way.open();
  assert.equal((await entering.ended).code, 0, entering.text);
  way.close();
  assert.equal((await run(['batch', 'delete', name])).code, 0);
  assert.equal(await depth(`platen.results.${name}`), -1);
});

test('platen batch delete looks for the batch when it has its lock: one that is made meanwhile is found and deleted', async () => {
  const name = batch(), way = await gate(`platen.results.${name}`);
  one('maker.ndjson');
  const maker = start(['submit', 'maker.ndjson', '--batch', name, '--time', TIME, '--broker', way.url]);
  await until(way.isHeld); // it has the lock, and makes the batch
  const remover = start(['batch', 'delete', name]);
  await Promise.race([remover.ended, sleep(1000)]);
  assert.equal(remover.exitCode, null, remover.text);
  // It may have to make it again.
  await until(() => { way.open(); return maker.exitCode !== null; });
  assert.equal((await remover.ended).code, 0, remover.text);
  way.close();
  await run(['batch', 'delete', name]); // a submitter whose batch goes before it has ended makes it again
  assert.equal(await depth(`platen.results.${name}`), -1);
});

test('a collector whose fence is lost while it has the lock lets a submitter leave that has entered before', async () => {
  const name = batch(), queue = `platen.results.${name}`, way = await gate(`platen.entering.${name}`), w = work();
  one('a.ndjson');
  assert.equal((await submit('a.ndjson', name)).code, 0);
  const collector = start(['collect', '--batch', name, '-o', 'fenced', '--delete', '--broker', way.url]);
  await until(way.isHeld); // it asks for the lock, and reads nothing
  const inside = start(['submit', '-', '--rows', 'ndjson', '--batch', name, '--join', '--journal', 'lister'], { stdin: 'pipe' });
  await until(() => fs.existsSync(at('lister')) && fs.readFileSync(at('lister'), 'utf8').includes('\tentered\n'));
  inside.stdin.write(`${JSON.stringify({ id: 'c', zpl: label(1) })}\n`);
  way.loses = true;
  way.open();
  await until(() => !way.loses); // it has the lock
  inside.stdin.end();
  await until(() => inside.exitCode !== null, 'the submitter to leave');
  await until(() => { way.open(); return collector.exitCode !== null; }, 'the collector to end'); // it locks the batch once more
  for (const each of [inside, collector]) assert.equal((await each.ended).code, 0, each.text);
  way.close();
  assert.match(collector.text, /2 results, 0 of them errors; 0 duplicates; none missing/);
  assert.deepEqual(files('fenced'), ['a.png', 'c.png']);
  assert.equal(await depth(queue), -1);
  await stop(w);
});

for (const output of ['refused.pdf', 'refused']) {
  test(`a collector that loses the broker when it deletes the queue has all results: ${output}`, async () => {
    const name = batch(), user = `u${name}`, node = cluster.nodes[0], way = await gate(`platen.results.${name}`, DELETE), w = work();
    one('a.ndjson');
    assert.equal((await submit('a.ndjson', name, ...(output === 'refused' ? [] : ['--for-pdf']))).code, 0);
    await cluster.ctl(node, 'add_user', user, 'password');
    await cluster.ctl(node, 'set_permissions', user, '.*', '.*', '.*');
    const collector = start(['collect', '--batch', name, '-o', output, '--delete', '--broker', way.url.replace('guest:guest', `${user}:password`)]);
    await until(way.isHeld);
    await cluster.ctl(node, 'delete_user', user); // it is let in no more
    way.drop();
    await until(() => collector.exitCode !== null, 'the collector to end');
    const end = await collector.ended;
    way.close();
    assert.equal(end.code, 0, end.text);
    assert.match(end.text, new RegExp(`the queue of batch ${name} is not deleted`));
    assert.match(end.text, /1 results, 0 of them errors; 0 duplicates; none missing/);
    assert.ok((await depth(`platen.results.${name}`)) >= 0);
    assert.ok(!fs.existsSync(at('refused.pdf.parts')));
    await stop(w);
  });
}

test('a collector that was killed after its queue was deleted is told that it has all; one whose folder alone is left, that the output is there', async () => {
  const name = batch(), way = await gate(`platen.results.${name}`, DELETE), w = work();
  one('k.ndjson');
  assert.equal((await submit('k.ndjson', name, '--for-pdf')).code, 0);
  const collector = start(['collect', '--batch', name, '-o', 'k.pdf', '--delete', '--broker', way.url]);
  await until(way.isHeld);
  fs.cpSync(at('k.pdf.parts'), at('kept'), { recursive: true });
  way.open();
  assert.equal((await collector.ended).code, 0, collector.text);
  way.close();
  fs.renameSync(at('kept'), at('k.pdf.parts')); // as if it had been killed before it removed it
  const second = await collect(name, 'k.pdf', '--delete');
  assert.equal(second.code, 0, second.text);
  assert.match(second.text, /^1 results, 0 of them errors; 0 duplicates; none missing$/m);
  assert.ok(!fs.existsSync(at('k.pdf.parts')));
  fs.mkdirSync(at('k.pdf.parts'));
  const third = await run(['collect', '--batch', name, '-o', 'k.pdf', '--wait', '2s']);
  assert.equal(third.code, 1);
  assert.match(third.text, /k\.pdf is there already, and its collector has ended/);
  await stop(w);
});

test('a submitter whose connection ends while it makes its batch goes on, and so does its next run', async () => {
  for (const killed of [false, true]) {
    const name = batch(), way = await gate(`platen.results.${name}`);
    one('cut.ndjson', 'c');
    const args = ['submit', 'cut.ndjson', '--batch', name];
    let submitter = start([...args, '--broker', way.url]);
    await until(way.isHeld);
    await way.cut();
    await until(way.isHeld); // it makes the batch once more
    if (killed) {
      submitter.kill('SIGKILL');
      await submitter.ended;
      submitter = start(args);
    } else {
      way.open();
    }
    const end = await submitter.ended;
    assert.equal(end.code, 0, end.text);
    assert.match(end.text, /^1 sent/m);
    way.close();
  }
});

test('a journal is of the batch that its submitter has entered, not of another one with the same name', async () => {
  const name = batch(), queue = `platen.results.${name}`, mine = `${name}.submitted`;
  one('mine.ndjson', 'm');
  one('theirs.ndjson', 't');
  one('more.ndjson', 'n');
  assert.equal((await submit('mine.ndjson', name)).code, 0);
  assert.equal((await submit('more.ndjson', name)).code, 0); // the same batch
  const entered = `entered.${tokenOf(mine)}`;
  assert.equal(await marks(entered, `for-files.${name}`), 2);
  await purgeQueue('platen.jobs');
  await deleteQueue(queue);
  await until(async () => (await marks(entered, `for-files.${name}`)) === 0); // they go with it
  const theirs = await submit('theirs.ndjson', name, '--journal', 'theirs');
  assert.equal(theirs.code, 0, theirs.text);
  const before = await depth(queue);
  for (const more of [[], ['--join'], ['--again'], ['--missing-from', 'nowhere']]) {
    const end = await submit('more.ndjson', name, ...more);
    assert.equal(end.code, 1, more.join());
    assert.match(end.text, /is another one than that of \S+\.submitted, which was collected and deleted, or has expired/);
  }
  assert.equal(await depth(queue), before); // nothing was told to their collector
  const w = work();
  assert.equal((await collect(name, 'theirs-out')).code, 0);
  assert.deepEqual(files('theirs-out'), ['t.png']);
  await stop(w);
});

test('a journal of an older program has no mark, and its submitter goes on', async () => {
  const name = batch(), journal = at(`${name}.submitted`), w = work();
  one('older.ndjson', 'o');
  one('newer.ndjson', 'p');
  assert.equal((await submit('older.ndjson', name)).code, 0);
  fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replace(/\t(making|entered)\n/g, ''));
  await ask(`element(1, rabbit_exchange:delete(rabbit_misc:r(<<"/">>, exchange, <<"platen.entered.${tokenOf(`${name}.submitted`)}">>), false, <<"test">>))`).catch(() => {}); // what it returns is not printed
  assert.equal(await marks(`entered.${tokenOf(`${name}.submitted`)}`), 0);
  assert.equal((await submit('newer.ndjson', name)).code, 0);
  const end = await collect(name, 'older');
  assert.equal(end.code, 0, end.text);
  assert.deepEqual(files('older'), ['o.png', 'p.png']);
  assert.match(fs.readFileSync(journal, 'utf8'), /^\tentered$/m);
  await stop(w);
});

test('ids that were chosen to have the same FNV-1a are rows of their own, in a folder, too', async () => {
  const name = batch(), w = work();
  const ids = ['77kepQFQ8Kl', '!0IC=VloaY', '4Ry9Ku5xRzD', 'WU4BAmnyGXO', ...['TuOlQwsbNMC', 'cAIdTb1TtRK'].map((end) => '/'.repeat(64) + end)];
  ndjson('chosen.ndjson', ids.map((id, i) => ({ id, zpl: label(i) })));
  const sent = await submit('chosen.ndjson', name);
  assert.equal(sent.code, 0, sent.text);
  const end = await collect(name, 'chosen');
  assert.equal(end.code, 0, end.text);
  assert.equal(new Set(files('chosen').map((file) => fs.readFileSync(at(`chosen/${file}`)).toString('base64'))).size, ids.length);
  await stop(w);
});

test('a batch is for a PDF or for files: a submitter of the other kind is refused, and so is an output', async () => {
  const [pdf, plain] = [batch(), batch()], w = work();
  one('k1.ndjson', 'k1');
  one('k2.ndjson', 'k2');
  assert.equal((await submit('k1.ndjson', pdf, '--for-pdf')).code, 0);
  assert.equal((await submit('k1.ndjson', plain)).code, 0);
  for (const journal of [[], ['--join', '--journal', 'k2.journal']]) { // the same submitter, and another one
    assert.match((await submit('k2.ndjson', pdf, ...journal)).text, /was begun with --for-pdf: add it/);
    assert.match((await submit('k2.ndjson', plain, '--for-pdf', ...journal.map((each) => each.replace('k2.j', 'k3.j')))).text, /was begun without --for-pdf: leave it out/);
  }
  assert.equal((await submit('k2.ndjson', pdf, '--for-pdf')).code, 0);
  for (const output of ['kinds', 'kinds.zip']) {
    const refused = await collect(pdf, output);
    assert.equal(refused.code, 1);
    assert.match(refused.text, /the batch was sent for a PDF: -o must be a FILE\.pdf/);
  }
  assert.deepEqual(files('kinds'), []);
  const end = await collect(pdf, 'kinds.pdf');
  assert.equal(end.code, 0, end.text);
  assert.equal(pages('kinds.pdf'), 2);
  assert.equal((await collect(plain, 'kinds-plain')).code, 0);
  await stop(w);
});

// A ZIP with one stored file.
function zipOf(file, data) {
  const name = Buffer.from(file), crc = Buffer.alloc(4);
  crc.writeUInt32LE([...data].reduce((sum, byte) => { sum ^= byte; for (let i = 0; i < 8; i++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1; return sum >>> 0; }, 0xffffffff) ^ -1 >>> 0);
  const u = (...values) => Buffer.concat(values.map(([value, size]) => { const out = Buffer.alloc(size); out.writeUIntLE(value, 0, size); return out; }));
  const common = Buffer.concat([u([20, 2], [0, 2], [0, 2], [0, 4]), crc, u([data.length, 4], [data.length, 4], [name.length, 2], [0, 2])]);
  const local = Buffer.concat([u([0x04034b50, 4]), common, name, data]);
  const central = Buffer.concat([u([0x02014b50, 4], [20, 2]), common, u([0, 2], [0, 2], [0, 2], [0, 4], [0, 4]), name]);
  return Buffer.concat([local, central, u([0x06054b50, 4], [0, 4], [1, 2], [1, 2], [central.length, 4], [local.length, 4], [0, 2])]);
}

test('a result that is no part of a PDF is a failed row with its reason, and the PDF has all others', async () => {
  const name = batch(), output = 'damaged.pdf', ids = ['type', 'ending', 'part', 'good'];
  ndjson('damaged.ndjson', ids.map((id, i) => ({ id, zpl: label(i) })));
  assert.equal((await submit('damaged.ndjson', name, '--for-pdf', '--group', '1')).code, 0);
  await purgeQueue('platen.jobs');
  const collector = start(['collect', '--batch', name, '-o', output, '--wait', '300s']);
  await until(() => journalOf(`${output}.parts`).includes('closed\t'));
  const secret = fs.readFileSync(at(`${name}.submitted`), 'utf8').split('\n')[0].split(' ').at(-1);
  const listed = Object.fromEntries([...journalOf(`${output}.parts`).matchAll(/^row\t(\S+ \S+ \S+)\t(.*)$/gm)].map(([, mark, id]) => [id, mark]));
  const send = (id, ending, type, body) => {
    const [token, hash] = listed[id].split(' '), proof = createHmac('sha256', secret).update(`${token} ${hash} ${id}`).digest('hex').slice(0, 16);
    return sendAs('platen.results', name, id, body, { 'x-platen-ok': 'true', 'x-platen-ending': ending, 'x-platen-row': `${listed[id]} ${proof}`, 'x-platen-sequence': '1' }, type);
  };
  await send('type', 'part', 'image/png', 'this is no ZIP');
  await send('ending', 'png', 'image/png', 'this is for a folder');
  await send('part', 'part', 'application/zip', zipOf('1-1.part', Buffer.from('this is no PDF')));
  // The last one is drawn by a worker.
  const journal = at(`${name}.submitted`);
  await until(() => ids.slice(0, 3).every((id) => new RegExp(`\\terror\\t\\S+\\t\\S+\\t${id}$`, 'm').test(journalOf(`${output}.parts`))));
  fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replace(/^[0-9a-f]{16}\tgood\n/m, ''));
  const w = work();
  assert.equal((await submit('damaged.ndjson', name, '--for-pdf')).code, 0);
  const end = await collector.ended;
  assert.equal(end.code, 1);
  assert.match(end.text, /4 results, 3 of them errors; 0 duplicates; none missing/);
  assert.equal(pages(output), 1);
  assert.deepEqual(failures(output), ids.slice(0, 3).map((id) => `"${id}",failed,"unusable_result","The worker's result is no part of a PDF."`));
  // They are tried again, as others that have failed.
  assert.equal((await submit('damaged.ndjson', name, '--for-pdf', '--missing-from', output)).code, 0);
  const again = await collect(name, output, '--delete');
  assert.equal(again.code, 0, again.text);
  assert.equal(pages(output), 4);
  await stop(w);
});

test('a second collector of a PDF that is deleted at the end is told who has the batch, and the first one ends', async () => {
  const name = batch(), pdf = (output) => start(['collect', '--batch', name, '-o', output, '--wait', '300s', '--delete']);
  assert.equal((await submit('pair.ndjson', name, '--for-pdf')).code, 0);
  const first = pdf('first.pdf');
  await until(() => journalOf('first.pdf.parts').includes('closed\t'));
  const second = pdf('second.pdf');
  await says(second, 'another collector is at work on batch');
  const w = work(), [one, two] = await Promise.all([first.ended, second.ended]);
  assert.equal(one.code, 0, one.text);
  assert.equal(pages('first.pdf'), 40);
  assert.equal(two.code, 1);
  assert.match(two.text, /\S+:\d+ collects the batch into first\.pdf\n/);
  assert.match(two.text, new RegExp(`another collector has all rows of batch ${name}: none is left for this one`));
  assert.equal(await depth(`platen.results.${name}`), -1);
  await stop(w);
});

test('a batch that is deleted under its collector ends it, with what is missing', async () => {
  const name = batch();
  one('under.ndjson', 'u');
  assert.equal((await submit('under.ndjson', name)).code, 0);
  const collector = start(['collect', '--batch', name, '-o', 'under', '--wait', '300s']);
  await until(() => journalOf('under').includes('closed\t'));
  await deleteQueue(`platen.results.${name}`);
  const end = await collector.ended;
  assert.equal(end.code, 1);
  assert.match(end.text, /the queue was deleted or has moved/);
  assert.match(end.text, new RegExp(`batch ${name} was deleted while it was collected`));
  assert.deepEqual(failures('under'), ['"u",missing,"no_result","No result has come."']);
});

test('submit -o names an output that is there already before it sends anything', async () => {
  one('late.ndjson', 'l');
  for (const output of ['late.pdf', 'late.zip']) {
    fs.writeFileSync(at(output), 'of somebody');
    const end = await run(['submit', 'late.ndjson', '-o', output]);
    assert.equal(end.code, 2);
    assert.match(end.text, new RegExp(`${output} is there already: remove it, or name another file`));
    assert.equal(fs.readFileSync(at(output), 'utf8'), 'of somebody');
    assert.equal(await depth(`platen.results.${output}`), -1);
  }
});

test('a key that everybody can read is used, with a warning', async () => {
  const name = batch();
  one('open.ndjson');
  fs.writeFileSync(at('open.key'), 'what everybody can read\n');
  for (const [mode, warns] of [[0o644, true], [0o640, false]]) {
    fs.chmodSync(at('open.key'), mode);
    const end = await submit('open.ndjson', name, '--job-key-file', 'open.key');
    assert.equal(end.code, 0, end.text);
    assert.equal(/--job-key-file: everybody on this machine can read or write open\.key/.test(end.text), warns);
  }
});
