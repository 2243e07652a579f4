// Queues, users, rights and TLS of the broker: what is missing is told, and what the documentation names is enough.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { until } from '../api/lib/until.js';
import { sleep } from './broker.mjs';
import { ask, at, batch, cluster, command, deleteQueue, depth, dir, run, says, stop, url, useBroker, work, worker } from './harness.mjs';
import { label, writeRows } from './parts.mjs';

const openssl = (...args) => execFileSync('openssl', args, { stdio: 'ignore' });
function certificates() {
  for (const name of ['ca', 'server']) openssl('genrsa', '-out', at(`${name}.key`), '2048');
  openssl('req', '-x509', '-new', '-key', at('ca.key'), '-days', '30', '-subj', '/CN=test authority', '-out', at('ca.pem'));
  openssl('req', '-new', '-key', at('server.key'), '-subj', '/CN=localhost', '-out', at('server.csr'));
  fs.writeFileSync(at('san'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  openssl('x509', '-req', '-in', at('server.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '30', '-extfile', at('san'), '-out', at('server.pem'));
  // One that ended yesterday.
  openssl('x509', '-req', '-in', at('server.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '-1', '-extfile', at('san'), '-out', at('expired.pem'));
  fs.copyFileSync(at('server.pem'), at('used.pem'));
  return { ca: at('ca.pem'), cert: at('used.pem'), key: at('server.key') };
}

useBroker({ tls: certificates, prepare: () => writeRows(at('ten.ndjson'), 10, { each: 2 }) });

test('wrong credentials and wrong addresses end the submitter at once; a worker goes on trying', async () => {
  const wrong = cluster.url(cluster.nodes[0], 'guest:other');
  for (const [address, says_, code] of [[`${wrong},${wrong}`, /ACCESS_REFUSED|closed the connection/, 1], ['http://x', /address must be/, 2], [`${url},`, /address must be/, 2]]) {
    const end = await run(['submit', 'ten.ndjson', '--batch', batch(), '--broker', address, '--wait', '10s', '--journal', `wrong-${batch()}`]);
    assert.equal(end.code, code, end.text);
    assert.match(end.text, says_);
  }
  const bad = await run(['work', '--broker', 'http://x', '--listen', '127.0.0.1:0']);
  assert.equal(bad.code, 2);
  assert.match(bad.text, /--broker: the broker's address must be/);
  // One address of several is wrong.
  assert.equal((await run(['submit', 'ten.ndjson', '--batch', batch(), '--broker', `${wrong},${url}`, '--journal', 'one-right'])).code, 0);
  fs.writeFileSync(at('password'), 'guest\n');
  assert.equal((await run(['submit', 'ten.ndjson', '--batch', batch(), '--broker', wrong, '--password-file', 'password', '--journal', 'right-one'])).code, 0);
  const w = work([], { url: wrong });
  await says(w, 'trying again');
  assert.ok(!w.text.includes('other'), w.text);
  await stop(w);
});

test('TLS: a good certificate works; an unknown authority, another name and an expired certificate are told', async () => {
  const secure = `amqps://guest:guest@localhost:${cluster.nodes[0].tlsPort}/`;
  const send = (more) => run(['submit', 'ten.ndjson', '--batch', batch(), '--broker', secure, '--wait', '30s', '--journal', `tls-${batch()}`, ...more]);
  const good = await send(['--ca', 'ca.pem']);
  assert.equal(good.code, 0, good.text);
  const unknown = await send([]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.text, /certificate has expired or is of an authority that is not trusted/);
  fs.copyFileSync(at('expired.pem'), at('used.pem'));
  await ask('ssl:clear_pem_cache()');
  const expired = await send(['--ca', 'ca.pem']);
  assert.equal(expired.code, 1);
  assert.match(expired.text, /certificate has expired/);
});

test('the queue of jobs is deleted while they are sent, or is full: none counts as sent that is not there', async () => {
  const name = batch(), prefix = `gone${process.pid}`, queue = `${prefix}.jobs`, node = cluster.nodes[0];
  const sender = command(['submit', '-', '--rows', 'ndjson', '--batch', name, '--prefix', prefix, '--group', '1'], { cwd: dir, env: { PLATEN_BROKER: url }, stdin: 'pipe' });
  const send = (from, count) => { for (let i = from; i < from + count; i++) sender.stdin.write(`${JSON.stringify({ id: `j${i}`, zpl: label(i) })}\n`); };
  send(0, 5);
  await until(async () => (await depth(queue)) === 5);
  await deleteQueue(queue);
  send(5, 5);
  sender.stdin.end();
  const end = await sender.ended;
  assert.equal(end.code, 0, end.text);
  assert.match(end.text, /a queue was deleted; it is made again/);
  await until(async () => (await depth(queue)) >= 5);
  await cluster.ctl(node, 'set_policy', 'full', `^${prefix}\\.jobs$`, '{"max-length":3}', '--apply-to', 'queues');
  const waiting = command(['submit', 'pair.ndjson', '--batch', name, '--prefix', prefix, '--journal', 'full', '--join', '--group', '1'], { cwd: dir, env: { PLATEN_BROKER: url } });
  await says(waiting, 'does not take more jobs now');
  await sleep(1000);
  assert.equal(waiting.text.split('does not take more jobs now').length, 2, waiting.text);
  await cluster.ctl(node, 'clear_policy', 'full');
  const sent = await waiting.ended;
  assert.equal(sent.code, 0, sent.text);
  // The batch was sent in two runs with other inputs: their order is kept.
  const journal = fs.readFileSync(at('full'), 'utf8');
  assert.equal(journal.split('\tinputs ').length, 2);
});

test('an exchange is missing: a worker takes no job, says why, and goes on when it is there', async () => {
  const name = batch(), prefix = `lost${process.pid}`, queue = `${prefix}.jobs`;
  assert.equal((await run(['work', '--declare', 'only', '--broker', url, '--prefix', prefix])).code, 0);
  assert.equal((await run(['submit', 'pair.ndjson', '--batch', name, '--prefix', prefix, '--journal', 'lost', '--group', '1'])).code, 0);
  await ask(`rabbit_exchange:delete(rabbit_misc:r(<<"/">>, exchange, <<"${prefix}.results">>), false, <<"test">>)`);
  const w = worker(url, ['--connections', '1', '--prefix', prefix, '--declare', 'off', '--max-deliveries', '1'], { cwd: dir });
  await says(w, 'the queues are not declared');
  await sleep(1500);
  await until(async () => (await depth(queue)) === 40); // the broker's counts lag behind
  assert.doesNotMatch(w.text, /working for/);
  assert.equal((await run(['work', '--declare', 'only', '--broker', url, '--prefix', prefix])).code, 0);
  // With the exchange the binding of the batch was lost, and the worker may be faster than the collector that binds it again.
  await until(async () => (await depth(queue)) === 0);
  assert.match((await run(['batch', 'replay', name, '--prefix', prefix])).text, /results went to their batches, 0 are left/);
  const end = await run(['collect', '--batch', name, '-o', 'lost-results', '--prefix', prefix, '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  assert.equal(await depth(`${prefix}.dead`), 0);
  await stop(w);
});

test('--declare only makes the queues and ends, however it is written', async () => {
  const prefix = `only${process.pid}`;
  const bare = await run(['work', '--declare=only', `--broker=${url}`, '--prefix', prefix, '--listen', '127.0.0.1:0']);
  assert.equal(bare.code, 0, bare.text);
  assert.equal((await run(['work', '--listen', '127.0.0.1:0'], { env: { PLATEN_WORK_DECLARE: 'only', PLATEN_WORK_BROKER: url, PLATEN_WORK_PREFIX: prefix } })).code, 0);
  assert.match((await run(['work', '--declare', 'only', '--broker', url.replace('guest:guest', 'guest:no'), '--listen', '127.0.0.1:0'])).text, /ACCESS_REFUSED/);
  // A worker that cannot listen ends; it once took jobs for ever.
  const w = work();
  await says(w, 'listening on');
  const second = await run(['work', '--broker', url, '--prefix', prefix, '--listen', /listening on http:\/\/(\S+)/.exec(w.text)[1]]);
  assert.equal(second.code, 1);
  assert.match(second.text, /Address already in use/);
  await stop(w);
});

test('deploy/broker/definitions.json makes what --declare makes, and users who can do their work once they have a password', async () => {
  const node = cluster.nodes[0], [imported, declared] = ['imported', 'declared'];
  for (const vhost of [imported, declared]) {
    await cluster.ctl(node, 'add_vhost', vhost);
    await cluster.ctl(node, 'set_permissions', '-p', vhost, 'guest', '.*', '.*', '.*');
  }
  const definitions = JSON.parse(fs.readFileSync('deploy/broker/definitions.json', 'utf8'));
  for (const each of [...definitions.exchanges, ...definitions.queues, ...definitions.bindings, ...definitions.permissions, ...definitions.policies]) each.vhost = imported;
  fs.writeFileSync(at('definitions.json'), JSON.stringify({ ...definitions, vhosts: [{ name: imported }] }));
  await cluster.ctl(node, 'import_definitions', at('definitions.json'));
  // Other arguments of a queue that is there are refused by the broker.
  for (const vhost of [imported, declared]) {
    const made = await run(['work', '--declare', 'only', '--broker', `${url.replace(/\/$/, '')}/${vhost}`]);
    assert.equal(made.code, 0, made.text);
  }
  const state = async (vhost) => Promise.all([['list_queues', 'name', 'durable', 'arguments'], ['list_exchanges', 'name', 'type', 'durable', 'arguments'], ['list_bindings', 'source_name', 'destination_name', 'routing_key']]
    .map(async ([command_, ...columns]) => (await cluster.ctl(node, command_, '-p', vhost, ...columns)).trim().split('\n').map((line) => line.replace(/\[(.+)\]/, (_, list) => list.split(/(?<=\}),/).sort().join())).sort()));
  const [a, b] = [await state(imported), await state(declared)];
  assert.equal(a[0].filter((line) => line.startsWith('platen.')).length, 9);
  assert.deepEqual(a, b);
  assert.match(await cluster.ctl(node, 'list_policies', '-p', imported), /platen-jobs\t\^platen\\\.jobs\(\\\.\[23\]\)\?\$\tqueues\t\{"max-length-bytes":10737418240\}/);
  // Nobody can log in as they are.
  const name = batch(), as = (user, password) => `${cluster.url(node, `${user}:${password}`).replace(/\/$/, '')}/${imported}`;
  writeRows(at('defined.ndjson'), 5);
  for (const password of ['', 'platen-batch']) assert.match((await run(['submit', 'defined.ndjson', '--batch', name, '--broker', as('platen-batch', password), '--wait', '5s'])).text, /ACCESS_REFUSED|closed the connection/);
  for (const user of ['platen-work', 'platen-batch']) await cluster.ctl(node, 'change_password', user, 'secret');
  const w = worker(as('platen-work', 'secret'), ['--connections', '1', '--declare', 'off'], { cwd: dir });
  const sent = await run(['submit', 'defined.ndjson', '--batch', name, '--broker', as('platen-batch', 'secret'), '--wait', '300s']);
  assert.equal(sent.code, 0, sent.text);
  const end = await run(['collect', '--batch', name, '-o', 'defined', '--broker', as('platen-batch', 'secret'), '--wait', '300s', '--delete']);
  assert.equal(end.code, 0, end.text);
  await stop(w);
});

test('the rights that docs/scale.md names are enough; where one is missing, submit and collect end at once and say which', async () => {
  const node = cluster.nodes[0], name = batch(), as = (user) => cluster.url(node, `${user}:secret`);
  await run(['work', '--declare', 'only', '--broker', url]);
  for (const user of ['hand', 'sender']) await cluster.ctl(node, 'add_user', user, 'secret');
  const right = (user, configure, write, read) => cluster.ctl(node, 'set_permissions', user, configure, write, read);
  await right('hand', '^$', '^platen\\.(results|retry(\\.[23])?|dead|cancelled)$', '^platen\\.jobs(\\.[23])?$');
  await right('sender', '^platen\\.', '^platen\\.', '^platen\\.');
  writeRows(at('rights.ndjson'), 20);
  const refused = await run(['submit', 'rights.ndjson', '--batch', name, '--broker', as('sender'), '--wait', '300s']);
  assert.equal(refused.code, 1);
  assert.match(refused.text, /ACCESS_REFUSED - (write )?access to exchange '(amq\.)?default'/);
  assert.doesNotMatch(refused.text, /trying again|gave up/);
  await right('sender', '^platen\\.', '^(platen\\..*|amq\\.default)$', '^platen\\.');
  const w = worker(as('hand'), ['--connections', '1', '--declare', 'off'], { cwd: dir });
  const sent = await run(['submit', 'rights.ndjson', '--batch', name, '--broker', as('sender'), '--wait', '300s']);
  assert.equal(sent.code, 0, sent.text);
  const end = await run(['collect', '--batch', name, '-o', 'rights', '--broker', as('sender'), '--wait', '300s']);
  assert.equal(end.code, 0, end.text);
  await right('sender', '^platen\\.', '^(platen\\..*|amq\\.default)$', '^platen\\.results$');
  const blind = await run(['collect', '--batch', name, '-o', 'blind', '--broker', as('sender'), '--wait', '300s']);
  assert.equal(blind.code, 1);
  assert.match(blind.text, /ACCESS_REFUSED/);
  assert.doesNotMatch(blind.text, /trying again|gave up/);
  await stop(w);
});
