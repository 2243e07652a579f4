// What the tests with one broker share: a folder, the broker, commands that end with their test, and what they ask of queues and outputs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, afterEach, before } from 'node:test';
import { watch } from '../api/lib/children.js';
import { until } from '../api/lib/until.js';
import { quickDir, sleep, startCluster } from './broker.mjs';
import { publish } from './publish.mjs';
import * as parts from './parts.mjs';

export let cluster, dir, url;
export const children = new Set();
const add = (child) => { children.add(watch(child)); return child; };
let number = 0;

export const at = (name) => path.join(dir, name);
export const command = (...values) => add(parts.command(...values));
export const worker = (...values) => add(parts.worker(...values));
export const start = (args, options = {}) => command(args, { cwd: dir, env: { PLATEN_BROKER: url }, ...options });
export const run = (args, options) => start(args, options).ended;
export const work = (args = [], options = {}) => worker(options.url ?? url, ['--connections', '1', ...args], { cwd: dir, ...options });
export const stop = async (child) => { child.kill('SIGTERM'); return child.ended; };
export const batch = () => `test${process.pid}-${++number}`;
export const says = (child, text) => until(() => child.text.includes(text));
export const ask = (expression) => cluster.ask(cluster.nodes[0], expression);
// How many messages a queue has; -1: it is not there; -2: it is being made. Its leader says it, so it is so now: what rabbitmqctl says lags behind.
export const countOf = async (queue, what) => Number(await ask(`case rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"${queue}">>)) of {ok, Q} -> case ra:leader_query(amqqueue:get_pid(Q), fun rabbit_fifo:query_messages_${what}/1) of {ok, {_, N}, _} when is_integer(N) -> N; _ -> -2 end; _ -> -1 end`));
export const depth = (queue) => countOf(queue, 'total');
// The queues of jobs, in turn.
export const JOBS = ['platen.jobs', 'platen.jobs.2', 'platen.jobs.3'];
const queueOf = (queue) => `element(2, rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"${queue}">>)))`;
export const leaderOf = (queue) => `element(1, amqqueue:get_pid(${queueOf(queue)}))`;
export const deleteQueue = (queue) => ask(`rabbit_amqqueue:delete(${queueOf(queue)}, false, false, <<"test">>)`);
export const purgeQueue = (queue) => ask(`rabbit_amqqueue:purge(${queueOf(queue)})`);
// The broker has less room than it wants on its disk, and takes no messages; or it has room again.
export const alarm = async (is) => { await ask(`rabbit_disk_monitor:set_disk_free_limit("${is ? '900000GB' : '1MB'}")`); await until(async () => /disk/.test(await ask('rabbit_alarm:get_alarms()')) === is); };
// Sends a message as somebody else would who may write to the exchange.
export const sendAs = (...message) => publish(cluster.nodes[0].port, ...message);
// A number of a worker; 0 before it listens.
export const metric = async (child, name) => { const base = /listening on (\S+)/.exec(child.text)?.[1], text = base ? await (await fetch(`${base}/metrics`)).text() : ''; return Number(text.split('\n').find((line) => line.startsWith(`platen_${name} `))?.split(' ')[1] ?? 0); };

// Waits until a worker has drawn one job for 60 looks and ended none: that one takes long. A slow machine ends some in that time, and is looked at again.
export async function stuck(child, isOver = () => false) {
  for (let looks = 0, drawn = -1; looks < 60 && !isOver(); await sleep(50)) {
    const before = drawn;
    drawn = await metric(child, 'job_seconds_count');
    looks = (await metric(child, 'jobs_rendering')) === 1 && drawn === before ? looks + 1 : 0;
  }
}

export const ndjson = (file, rows) => fs.writeFileSync(at(file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
export const csv = (file, names) => fs.writeFileSync(at(file), `name\n${names.join('\n')}\n`);
export const files = (folder) => fs.readdirSync(at(folder)).filter((name) => !name.startsWith('.')).sort();
export const pages = (file) => Number(/Pages:\s+(\d+)/.exec(execFileSync('pdfinfo', [at(file)]).toString())[1]);
export const failures = (output) => fs.readFileSync(at(`${output}.failed.csv`), 'utf8').trim().split('\n').slice(1);

// For the tests of this file. `tls` makes certificates; `purges`: no test leaves jobs to the next one.
export function useBroker({ tls, prepare, purges = false } = {}) {
  before(async () => {
    dir = fs.mkdtempSync(path.join(quickDir(), 'platen-cluster-test-'));
    fs.chmodSync(dir, 0o755);
    fs.writeFileSync(at('empty.ndjson'), '');
    parts.writeRows(at('pair.ndjson'), 40);
    cluster = await startCluster(1, { tls: tls?.(), countsMs: 250, parent: quickDir() });
    url = cluster.url(cluster.nodes[0]);
    await prepare?.();
  });
  afterEach(async () => {
    // What a failed test has left would work for the next one.
    for (const child of children) child.kill('SIGKILL');
    await Promise.all([...children].map((child) => child.ended));
    children.clear();
    for (const queue of purges ? JOBS : []) await until(async () => [0, -1].includes(await depth(queue)) || (await purgeQueue(queue), false));
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await cluster?.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  });
}
