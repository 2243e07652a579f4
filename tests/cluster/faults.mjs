// Fault runs: a batch of two submitters while workers, broker nodes, connections, submitters and collector are killed. Every id has exactly one
// result, with the bytes of `platen render`; rows that fail are tried again; an edited input is refused. Usage: node faults.mjs [--runs N] [--jobs N] [--nodes N] [--seed N] [--verbose]
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
const rows = path.join(dir, 'rows.ndjson'), right = path.join(dir, 'right'), bad = path.join(dir, 'bad.ndjson'), edited = path.join(dir, 'edited.ndjson');
const halves = [path.join(dir, 'first.ndjson'), path.join(dir, 'second.ndjson')], middle = Math.floor(jobs / 2), BAD = 5;
writeRows(rows, jobs);
writeRows(halves[0], middle);
writeRows(halves[1], jobs - middle, { from: middle });
fs.writeFileSync(bad, Array.from({ length: BAD }, (_, i) => `${JSON.stringify({ id: `bad${i}`, zpl: 'x' })}\n`).join(''));
fs.writeFileSync(edited, fs.readFileSync(halves[0], 'utf8').replace('Job 7 ', 'Job 8 '));
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
  const journal = (i) => path.join(dir, `${batch}.submitted${i}`);
  const inputs = [[halves[0], bad], [halves[1]]];
  const submitted = Promise.all(inputs.map((files, i) => again(['submit', ...files, '--batch', batch, '--time', TIME, '--join', '--journal', journal(i)], 'submittersKilled', 2)));
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
  const collect = async () => again(['collect', '--batch', batch, '-o', out, '--wait', '120s'], 'collectorsKilled', 1);
  await collected; // it may have ended before a submitter had begun
  const whole = new RegExp(`^${jobs + BAD} results, ${BAD} of them errors; \\d+ duplicates; none missing$`, 'm');
  const first = await collect();
  await nodes;
  // As its user would: an edited input is tried, and what has no good result is sent again.
  const refused = await command(['submit', edited, '--batch', batch, '--time', TIME, '--journal', journal(0)], { cwd: dir, env }).ended;
  for (let i = 0; i < inputs.length; i++) {
    const end = await again(['submit', ...inputs[i], '--batch', batch, '--time', TIME, '--journal', journal(i), '--missing-from', out], 'submittersKilled', 1);
    counts.resent += Number(/(\d+) sent/.exec(end.text)?.[1] ?? 0);
  }
  const end = await collect();
  over = true;
  await faults;
  for (const child of workers) child.kill('SIGKILL');
  await Promise.all(workers.map((child) => child.ended));
  const found = compare(right, out), failures = found.foreign.filter((name) => /^bad\d\.error\.json$/.test(name)).length, duplicates = Number(/(\d+) duplicates/.exec(end.text)?.[1] ?? -1);
  const ok = sent.every(({ code }) => code === 0) && whole.test(first.text) && whole.test(end.text) && /input was changed/.test(refused.text) && failures === BAD &&
    found.missing + found.different + (found.foreign.length - failures) === 0 && counts.resent === BAD;
  console.log(`run ${number}: ${ok ? 'ok' : 'FAILED'}: ${jobs - found.missing} of ${jobs} results, ${found.missing} missing, ${found.different} different, ${found.foreign.length - failures} foreign, ${failures} failed as they should; duplicates recognised by the last collector ${duplicates}; ` +
    `killed: ${counts.workersKilled} workers, ${counts.nodesKilled} nodes, ${counts.collectorsKilled} collectors, ${counts.submittersKilled} submitters; ${counts.cuts} connections cut; ${counts.resent} sent again; ${((Date.now() - began) / 1000).toFixed(0)} s`);
  if (!ok) console.log(...sent.map(({ text }) => text.slice(-1000)), first.text.slice(-1500), refused.text.slice(-300), end.text.slice(-1500));
  // What the results say that nobody expects, and what the workers said of these jobs.
  for (const name of found.foreign.filter((each) => !each.startsWith('bad')).slice(0, 10)) console.log(`  ${name}: ${fs.readFileSync(path.join(out, name), 'utf8').slice(0, 300).trim()}`);
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
