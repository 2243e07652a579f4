// What a row costs: labels a second with one and two workers beside `platen render -j 2` into the same kind of output, in one run, with one label a
// row: rows in groups as `platen submit` sends them, and one in each message; and the processor time of worker, broker and collector for a
// label, which other work on the machine changes less. Of several rounds in turn the best rate and the least time of each count.
// Usage: node cost.mjs [LABELS] [small|shipping|pdf|zip|folder|one...] (default 20000, all); ROUNDS=N (1); TWO=1: two workers only; ALONE=1: at real-time priority, as if nothing
// else ran here (root); ROWS=N,N,... rows a message
// (the default of `platen submit`, and 1 for a PDF)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sleep, startCluster } from './broker.mjs';
import { BUILD, command, label, worker } from './parts.mjs';

const labels = Number(process.argv[2] ?? 20000), words = process.argv.slice(3), rounds = Number(process.env.ROUNDS ?? 1);
// Those of the words that are among them, or all.
const chosen = (all) => (all.some((word) => words.includes(word)) ? all.filter((word) => words.includes(word)) : all);
const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK']));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-cost-'));
const cluster = await startCluster(1);
const url = cluster.url(cluster.nodes[0]), env = { PLATEN_BROKER: url };
let number = 0;

// A label of 50 x 25 mm with a line and a barcode, and one of 4 x 6 inches as carriers ask for.
const shipping = (i) => `^XA^CI28^FO40,40^A0N,40,40^FDSender Ltd.^FS^FO40,90^A0N,28,28^FDHarbour Road 5, 20457 Hamburg^FS^FO30,140^GB752,4,4^FS^FO40,170^A0N,50,50^FDRecipient ${i}^FS` +
  `^FO40,230^A0N,40,40^FDMain Street ${i % 900}^FS^FO40,280^A0N,40,40^FD${10000 + (i % 80000)} Town^FS^FO30,350^GB752,4,4^FS^FO60,380^BY3^BCN,160,Y,N,N^FD>;${String(i).padStart(14, '0')}^FS` +
  `^FO30,620^GB752,4,4^FS^FO60,650^BQN,2,6^FDQA,https://example.com/p/${i}^FS^FO300,660^A0N,32,32^FB440,4,8,L^FDFragile. Keep dry. Deliver to the recipient only, by ${i % 28 + 1}.12.^FS^FO30,900^GB752,280,4^FS^FO60,930^A0N,80,80^FD${i % 100}-${i % 7}^FS^XZ`;
const KINDS = { small: (i) => ({ zpl: label(i), widthMm: 50, heightMm: 25 }), shipping: (i) => ({ zpl: shipping(i) }) };

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

// With ALONE all that is measured has the cores before other programs.
const ALONE = Boolean(process.env.ALONE);
const raise = (pid) => execFileSync('chrt', ['-a', '-r', '-p', '5', String(pid)]);
function raiseBelow(pid) {
  for (const child of fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)) {
    raise(child);
    raiseBelow(child);
  }
}
if (ALONE) {
  raise(cluster.nodes[0].pid);
  raise(process.pid);
}

const OUTPUTS = { pdf: ['.pdf', ['--for-pdf']], zip: ['.zip', []], folder: ['', []] };

// From the first worker at work to the last result, with all jobs in the queue before.
async function measure(rows, [ending, more], workers, group) {
  const batch = `cost${process.pid}-${++number}`, out = path.join(dir, `out-${batch}${ending}`), starts = process.hrtime.bigint();
  const idle = busy(cluster.nodes[0].pid);
  const submitter = command(['submit', rows, '--batch', batch, '-q', ...(group ? ['--group', String(group)] : []), '--journal', path.join(dir, batch), ...more], { env });
  let submitting = 0;
  const look = setInterval(() => { submitting = busy(submitter.pid) || submitting; }, 20);
  const sent = await submitter.ended;
  clearInterval(look);
  if (sent.code !== 0) throw new Error(sent.text);
  const sending = Number(process.hrtime.bigint() - starts) / 1e9;
  const before = busy(cluster.nodes[0].pid);
  const collector = command(['collect', '--batch', batch, '-o', out, '--wait', '300s', '-q'], { env });
  await sleep(500);
  const running = Array.from({ length: workers }, () => worker(url, ['--connections', '1'], { cwd: dir }));
  while (!running.some((child) => child.text.includes('working for'))) await sleep(2);
  const began = process.hrtime.bigint();
  if (ALONE) for (const child of running) raiseBelow(child.pid); // renderers choose their own
  let collecting = 0;
  const watch = setInterval(() => { collecting = busy(collector.pid) || collecting; }, 20);
  const end = await collector.ended;
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  clearInterval(watch);
  const working = running.reduce((sum, child) => sum + busy(child.pid), 0), brokering = busy(cluster.nodes[0].pid) - before;
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(running.map((child) => child.ended));
  for (const each of [out, `${out}.parts`]) fs.rmSync(each, { recursive: true, force: true });
  if (end.code !== 0) throw new Error(end.text);
  return { rate: labels / seconds, sent: labels / sending, submitting: (submitting + before - idle) / labels, working: working / labels, brokering: brokering / labels, collecting: collecting / labels };
}

function alone(rows, [ending]) {
  const usage = path.join(dir, 'usage'), out = path.join(dir, `alone${ending}`), began = process.hrtime.bigint();
  execFileSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', '-', path.join(BUILD, 'platen'), 'render', rows, ...(ending ? ['-o', out] : ['--out-dir', out]), '-q', '-j', '2'], { stdio: ['ignore', 'ignore', fs.openSync(usage, 'w')] });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  fs.rmSync(out, { recursive: true, force: true });
  const [user, system] = fs.readFileSync(usage, 'utf8').trim().split(' ').map(Number);
  return { rate: labels / seconds, working: ((user + system) / labels) * 1e6 };
}

// Of several rounds: what other programs disturbed least.
const best = (runs, of) => Math.max(...runs.map(of)), least = (runs, of) => Math.min(...runs.map(of));
const us = (value) => Math.round(value * 10) / 10;
console.log(`${labels} labels, one a row; ${os.cpus().length} cores, which broker, workers and collector share; load of the machine before: ${os.loadavg()[0].toFixed(1)}; the best of ${rounds} rounds\n`);
console.log('| label | into | rows a message | platen render -j 2 | submit | 1 worker | 2 workers | µs of processors for a label: render; worker, broker, collector | render / all | submitting |\n|---|---|---|---|---|---|---|---|---|---|');
try {
  for (const kind of chosen(Object.keys(KINDS))) {
    const rows = path.join(dir, `${kind}.ndjson`);
    fs.writeFileSync(rows, Array.from({ length: labels }, (_, i) => `${JSON.stringify({ id: `j${i}`, ...KINDS[kind](i) })}\n`).join(''));
    for (const name of chosen(Object.keys(OUTPUTS))) {
      const output = OUTPUTS[name], groups = process.env.ROWS?.split(',').map(Number) ?? (name === 'pdf' ? [1, 0] : [0]);
      for (const group of groups) {
        const alones = [], ones = [], twos = [];
        for (let round = 0; round < rounds; round++) {
          // Before and behind: the machine may be busy with other things.
          alones.push(alone(rows, output));
          if (!process.env.TWO) ones.push(await measure(rows, output, 1, group));
          twos.push(await measure(rows, output, 2, group));
          alones.push(alone(rows, output));
        }
        const base = best(alones, (run) => run.rate), drawing = least(alones, (run) => run.working);
        const rate = (runs) => { const value = best(runs, (run) => run.rate); return runs.length ? `${Math.round(value)}/s (${(value / base).toFixed(2)})` : '-'; };
        const least2 = (key) => least(twos, (run) => run[key]), all = least(twos, (run) => run.working + run.brokering + run.collecting);
        console.log(`| ${kind} | ${name} | ${group || 'default'} | ${Math.round(base)}/s | ${Math.round(best(twos, (run) => run.sent))}/s | ${rate(ones)} | ${rate(twos)} | ${us(drawing)}; ${us(least2('working'))}, ${us(least2('brokering'))}, ${us(least2('collecting'))} | ${(drawing / all).toFixed(2)} | ${us(least2('submitting'))} |`);
      }
    }
  }
} finally {
  await cluster.stop();
  fs.rmSync(dir, { recursive: true, force: true });
}
