// Fault runs: a batch while workers, broker nodes, connections, submitter and collector are killed. Every id has exactly one result, with the
// bytes of `platen render`. Usage: node faults.mjs [--runs N] [--jobs N] [--nodes N] [--seed N] [--verbose]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sleep, startCluster } from './broker.mjs';
import { command, compare, door, expect, TIME, worker, writeRows } from './parts.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' }, jobs: { type: 'string', default: '10000' }, nodes: { type: 'string', default: '3' }, seed: { type: 'string', default: String(Date.now() % 100000) }, verbose: { type: 'boolean', default: false } } });
const runs = Number(values.runs), jobs = Number(values.jobs), size = Number(values.nodes);
let state = Number(values.seed) >>> 0 || 1;
const random = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-faults-'));
const rows = path.join(dir, 'rows.ndjson'), right = path.join(dir, 'right');
writeRows(rows, jobs);
expect(rows, right);

console.log(`${runs} runs of ${jobs} jobs, ${size} nodes, seed ${values.seed}`);
const cluster = await startCluster(size);
const doors = [];
for (const node of cluster.nodes) doors.push(await door(node.port));
const urls = doors.map((d) => `amqp://guest:guest@127.0.0.1:${d.port}/`).join(',');
let passed = 0, failed = 0;

async function oneRun(number) {
  const began = Date.now(), out = path.join(dir, `out${number}`), batch = `faults-${process.pid}-${number}`, env = { PLATEN_BROKER: urls };
  const counts = { workersKilled: 0, nodesKilled: 0, cuts: 0, collectorsKilled: 0, submittersKilled: 0, resent: 0 };
  const all = [];
  const start = () => { const child = worker(urls, ['--connections', '1'], { cwd: dir }); all.push(child); return child; };
  const workers = [start(), start(), start()];
  let over = false;
  // The submitter and the collector are started again as often as they are killed.
  const again = async (args, key, kills) => {
    for (;;) {
      const child = command(args, { cwd: dir, env });
      if (kills-- > 0) setTimeout(() => { if (!over && child.exitCode === null) { child.kill('SIGKILL'); } }, 200 + random(1500)).unref();
      const end = await child.ended;
      if (end.signal !== 'SIGKILL') return end;
      counts[key]++;
    }
  };
  const submitted = again(['submit', rows, '--batch', batch, '--time', TIME, '--journal', path.join(dir, `${batch}.submitted`)], 'submittersKilled', 2);
  const collected = again(['collect', '--batch', batch, '-o', out, '--wait', '120s'], 'collectorsKilled', 3);
  const faults = (async () => {
    while (!over) {
      await sleep(250 + random(700));
      if (over) break;
      const which = random(workers.length);
      // One that has just been started has nothing that could be lost; on a busy machine none would ever work.
      if (!workers[which].text.includes('working for')) continue;
      workers[which].kill('SIGKILL');
      counts.workersKilled++;
      workers[which] = start();
      if (random(3) === 0) counts.cuts += doors[random(doors.length)].cut();
    }
  })();
  const nodes = (async () => {
    for (const node of cluster.nodes) {
      await sleep(300 + random(500));
      if (size < 3 && over) break;
      cluster.kill(node);
      counts.nodesKilled++;
      await sleep(300);
      await cluster.startNode(node);
    }
  })();
  const sent = await submitted;
  let end = await collected;
  await nodes;
  if (end.code !== 0) {
    // As its user would: what has no result is sent again.
    const resent = command(['submit', rows, '--batch', batch, '--time', TIME, '--journal', path.join(dir, `${batch}.again`), '--missing-from', out], { cwd: dir, env });
    counts.resent = Number(/(\d+) sent/.exec((await resent.ended).text)?.[1] ?? 0);
    end = await command(['collect', '--batch', batch, '-o', out, '--wait', '60s', '--delete'], { cwd: dir, env }).ended;
  }
  over = true;
  await faults;
  for (const child of workers) child.kill('SIGKILL');
  await Promise.all(workers.map((child) => child.ended));
  const found = compare(right, out), duplicates = Number(/(\d+) duplicates/.exec(end.text)?.[1] ?? -1);
  const ok = sent.code === 0 && end.code === 0 && found.missing + found.different + found.foreign.length === 0 && counts.resent === 0;
  console.log(`run ${number}: ${ok ? 'ok' : 'FAILED'}: ${jobs - found.missing} of ${jobs} results, ${found.missing} missing, ${found.different} different, ${found.foreign.length} foreign; duplicates recognised by the last collector ${duplicates}; ` +
    `killed: ${counts.workersKilled} workers, ${counts.nodesKilled} nodes, ${counts.collectorsKilled} collectors, ${counts.submittersKilled} submitters; ${counts.cuts} connections cut; ${counts.resent} lost and sent again; ${((Date.now() - began) / 1000).toFixed(0)} s`);
  if (!ok) console.log(sent.text.slice(-1500), end.text.slice(-1500));
  // What the results say that nobody expects, and what the workers said of these jobs.
  for (const name of found.foreign.slice(0, 10)) console.log(`  ${name}: ${fs.readFileSync(path.join(out, name), 'utf8').slice(0, 300).trim()}`);
  // Why connections ended, over all workers.
  const reasons = new Map();
  for (const child of all) for (const line of child.text.split('\n').filter((l) => l.startsWith('platen work: '))) { const key = line.replace(/\d+/g, 'N').slice(0, 150); reasons.set(key, (reasons.get(key) ?? 0) + 1); }
  if (!ok || values.verbose) for (const [line, count] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`  ${count} x ${line}`);
  fs.rmSync(out, { recursive: true, force: true });
  return ok;
}

try {
  for (let i = 1; i <= runs; i++) if (await oneRun(i)) passed++; else failed++;
} finally {
  doors.forEach((d) => d.close());
  await cluster.stop();
  fs.rmSync(dir, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
