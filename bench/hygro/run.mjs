// Measures `hygro serve`: calculations a second at 32 connections beside health's rate, and the CPU time of a batch of 10,000.
// wrk and the service share the machine, so rounds alternate and the ratio within a round is what counts.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rounds = Number(process.argv[2] ?? 7);
const seconds = Number(process.argv[3] ?? 2);
const work = mkdtempSync(join(tmpdir(), 'hygro-bench-'));
const child = spawn('build/hygro', ['serve', '--listen', '127.0.0.1:0', '--log', 'off'], { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((resolve) => child.stdout.on('data', (data) => resolve(/http:\S+/.exec(data)[0])));

const script = join(work, 'post.lua');
writeFileSync(script, `wrk.method = "POST"\nwrk.body = '{"grain":"corn","ta":25,"ur":70}'\nwrk.headers["Content-Type"] = "application/json"\n`);

const cpuMs = () => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function load(path, ...args) {
  const before = cpuMs();
  const output = execFileSync('wrk', ['-t1', '-c32', `-d${seconds}s`, ...args, url + path], { encoding: 'utf8' });
  const requests = Number(/(\d+) requests in/.exec(output)[1]);
  if (/Non-2xx/.test(output)) throw new Error(output);
  return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1]), cpuUs: ((cpuMs() - before) * 1000) / requests };
}

const kinds = [['health', '/api/health'], ['GET one', '/api/calculate?grain=corn&ta=25&ur=70'], ['POST one', '/api/calculate', '-s', script]];
try {
  const results = [];
  load('/api/health');
  for (let round = 0; round < rounds; round++) results.push(Object.fromEntries(kinds.map(([name, path, ...args]) => [name, load(path, ...args)])));
  console.log(`32 connections, ${rounds} rounds of ${seconds} s, medians:`);
  for (const [name] of kinds) {
    const rate = median(results.map((r) => r[name].rate));
    const cpu = median(results.map((r) => r[name].cpuUs));
    const ratio = median(results.map((r) => r[name].rate / r.health.rate));
    const cpuRatio = median(results.map((r) => r.health.cpuUs / r[name].cpuUs));
    console.log(`  ${name.padEnd(10)} ${rate.toFixed(0).padStart(8)} /s   ${cpu.toFixed(2).padStart(6)} µs CPU   ${ratio.toFixed(2)} of health's rate, ${cpuRatio.toFixed(2)} by CPU`);
  }
  const ids = ['corn', 'ear-corn', 'popcorn', 'soybean', 'sorghum', 'wheat', 'barley', 'oats', 'rye', 'canola', 'sunflower', 'long-grain-rice', 'in-shell-peanut'];
  const body = JSON.stringify(Array.from({ length: 10000 }, (_, i) => ({ grain: ids[i % 13], ta: ((i * 7) % 500) / 10, ur: 10 + ((i * 13) % 850) / 10 })));
  const times = [];
  const before = cpuMs();
  for (let i = 0; i < 50; i++) {
    const started = performance.now();
    const answer = await fetch(`${url}/api/calculate`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    if ((await answer.arrayBuffer()).byteLength < 2e6 || answer.status !== 200) throw new Error('the batch was refused');
    times.push(performance.now() - started);
  }
  console.log(`batch of 10,000: ${((cpuMs() - before) / 50).toFixed(1)} ms CPU of the service, ${median(times).toFixed(1)} ms until the client has it (median of 50)`);
} finally {
  child.kill('SIGTERM');
  rmSync(work, { recursive: true });
}
