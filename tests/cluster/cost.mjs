// What a job costs: labels a second with one and two workers, for 1, 10 and 100 labels a job, beside `platen render`. Usage: node cost.mjs [LABELS]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCluster } from './broker.mjs';
import { BUILD, command, worker, writeRows } from './parts.mjs';

const labels = Number(process.argv[2] ?? 20000);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-cost-'));
const cluster = await startCluster(1);
const url = cluster.url(cluster.nodes[0]), env = { PLATEN_BROKER: url };
let number = 0;

// From the first acknowledgement to the last result, with all jobs in the queue before.
async function measure(rows, jobs, workers) {
  const batch = `cost${process.pid}-${++number}`;
  await command(['submit', rows, '--batch', batch, '-q', '--journal', path.join(dir, batch)], { env }).ended;
  const began = Date.now();
  const running = Array.from({ length: workers }, () => worker(url, ['--connections', '1'], { cwd: dir }));
  const end = await command(['collect', '--batch', batch, '-o', path.join(dir, `out-${batch}`), '--wait', '60s', '-q', '--delete'], { env }).ended;
  const seconds = (Date.now() - began) / 1000 - 0.35; // what starting a worker takes
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(running.map((child) => child.ended));
  fs.rmSync(path.join(dir, `out-${batch}`), { recursive: true, force: true });
  if (end.code !== 0) throw new Error(end.text);
  return { rate: labels / seconds, job: (seconds / jobs) * 1e6 };
}

function alone(rows, threads) {
  const began = Date.now();
  execFileSync(path.join(BUILD, 'platen'), ['render', rows, '-o', '-', '-q', '-j', String(threads)], { maxBuffer: 1 << 30, stdio: ['ignore', 'ignore', 'ignore'] });
  return labels / ((Date.now() - began) / 1000);
}

console.log(`${labels} labels of 50 x 25 mm; ${os.cpus().length} cores, which broker, workers and collector share\n`);
console.log('| labels a job | platen render, 1 thread | 1 worker | 2 workers | overhead of a job, 1 worker |\n|---|---|---|---|---|');
try {
  for (const each of [1, 10, 100]) {
    const rows = path.join(dir, `rows${each}.ndjson`), jobs = labels / each;
    writeRows(rows, jobs, { each });
    const base = alone(rows, 1), one = await measure(rows, jobs, 1), two = await measure(rows, jobs, 2);
    console.log(`| ${each} | ${Math.round(base)}/s | ${Math.round(one.rate)}/s (${(one.rate / base).toFixed(2)}) | ${Math.round(two.rate)}/s (${(two.rate / base).toFixed(2)}) | ${Math.round(one.job - (each / base) * 1e6)} µs |`);
  }
} finally {
  await cluster.stop();
  fs.rmSync(dir, { recursive: true, force: true });
}
