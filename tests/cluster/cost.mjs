// What a job costs: labels a second with one and two workers, for 1, 10 and 100 labels a job, beside `platen render`, in one run; and the processor
// time of worker, broker and collector for a job, which other work on the machine changes less. Usage: node cost.mjs [LABELS] (default 20000)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sleep, startCluster } from './broker.mjs';
import { BUILD, command, worker, writeRows } from './parts.mjs';

const labels = Number(process.argv[2] ?? 20000);
const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK']));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-cost-'));
const cluster = await startCluster(1);
const url = cluster.url(cluster.nodes[0]), env = { PLATEN_BROKER: url };
let number = 0;

// Processor time in µs of a process and all below it, with those that have ended.
function busy(pid) {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    const below = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_US + below.reduce((sum, child) => sum + busy(child), 0);
  } catch {
    return 0; // it has ended
  }
}

// From the first worker at work to the last result, with all jobs in the queue before.
async function measure(rows, jobs, workers) {
  const batch = `cost${process.pid}-${++number}`;
  const sent = await command(['submit', rows, '--batch', batch, '-q', '--journal', path.join(dir, batch)], { env }).ended;
  if (sent.code !== 0) throw new Error(sent.text);
  const collector = command(['collect', '--batch', batch, '-o', path.join(dir, `out-${batch}`), '--wait', '60s', '-q'], { env });
  await sleep(500);
  const before = busy(cluster.nodes[0].pid);
  const running = Array.from({ length: workers }, () => worker(url, ['--connections', '1'], { cwd: dir }));
  while (!running.some((child) => child.text.includes('working for'))) await sleep(2);
  const began = process.hrtime.bigint();
  let collecting = 0;
  const watch = setInterval(() => { collecting = busy(collector.pid) || collecting; }, 100);
  const end = await collector.ended;
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  clearInterval(watch);
  const working = running.reduce((sum, child) => sum + busy(child.pid), 0), brokering = busy(cluster.nodes[0].pid) - before;
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(running.map((child) => child.ended));
  fs.rmSync(path.join(dir, `out-${batch}`), { recursive: true, force: true });
  if (end.code !== 0) throw new Error(end.text);
  return { rate: labels / seconds, job: (seconds / jobs) * 1e6, working: working / jobs, brokering: brokering / jobs, collecting: collecting / jobs };
}

function alone(rows) {
  const usage = path.join(dir, 'usage'), began = process.hrtime.bigint();
  execFileSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', '-', path.join(BUILD, 'platen'), 'render', rows, '-o', '-', '-q', '-j', '1'], { stdio: ['ignore', 'ignore', fs.openSync(usage, 'w')] });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const [user, system] = fs.readFileSync(usage, 'utf8').trim().split(' ').map(Number);
  return { rate: labels / seconds, working: ((user + system) / labels) * 1e6 };
}

const us = (value) => `${Math.round(value)} µs`;
console.log(`${labels} labels of 50 x 25 mm; ${os.cpus().length} cores, which broker, workers and collector share; load of the machine before: ${os.loadavg()[0].toFixed(1)}\n`);
console.log('| labels a job | platen render, 1 thread | 1 worker | 2 workers | overhead of a job, 1 worker | processor time of a job: render, worker, broker, collector |\n|---|---|---|---|---|---|');
try {
  for (const each of [1, 10, 100]) {
    const rows = path.join(dir, `rows${each}.ndjson`), jobs = labels / each;
    writeRows(rows, jobs, { each });
    // Before and behind: the machine may be busy with other things.
    const first = alone(rows), one = await measure(rows, jobs, 1), two = await measure(rows, jobs, 2), last = alone(rows);
    const base = (first.rate + last.rate) / 2, drawing = ((first.working + last.working) / 2) * each;
    console.log(`| ${each} | ${Math.round(base)}/s | ${Math.round(one.rate)}/s (${(one.rate / base).toFixed(2)}) | ${Math.round(two.rate)}/s (${(two.rate / base).toFixed(2)}) | ${us(one.job - (each / base) * 1e6)} | ${us(drawing)}, ${us(one.working)}, ${us(one.brokering)}, ${us(one.collecting)} |`);
  }
} finally {
  await cluster.stop();
  fs.rmSync(dir, { recursive: true, force: true });
}
