// What grows with the number of threads: the kernel's counters of `platen render` with 1 to 16 of them, the serial part, and the memory that
// a label takes from beyond the caches. Counters and shares of processor time, so that they say the same on a busy machine.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { labels } from '../formats/labels.mjs';

const build = process.env.PLATEN_BUILD ?? 'build';
const count = Number(process.argv[2] ?? 2000);
const JOBS = [1, 2, 4, 8, 16];
const memory = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
const work = fs.mkdtempSync(path.join(memory, 'cores-'));
const run = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26, ...options });
const has = (command) => {
  try {
    run(command, ['--version']);
    return true;
  } catch {
    return false;
  }
};

// Labels of a parcel, each with a number of its own.
const label = (i) => labels.parcel.replaceAll('EX123456789012', `EX${String(i).padStart(12, '0')}`);
const one = path.join(work, 'one.zpl');
const many = path.join(work, 'many');
fs.writeFileSync(one, Array.from({ length: count }, (_, i) => label(i)).join('\n'));
fs.mkdirSync(many);
for (let i = 0; i < count; i++) fs.writeFileSync(path.join(many, `${i}.zpl`), label(i));

const out = path.join(work, 'out');
function fresh() {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out);
}
const KINDS = {
  'one file of many labels, a picture each': { args: [one, '--pages', 'all', '--out-dir', out], pictures: count },
  'many files, a picture each': { args: [many, '--out-dir', out], pictures: count },
  'many files into one ZIP': { args: [many, '-o', path.join(out, 'all.zip')], pictures: 1 },
};

function usage(kind, jobs) {
  fresh();
  const [user, system, faults, gave, taken] = run(`${build}/bench/cores`, [`${build}/platen`, 'render', ...kind.args, '-q', '-j', String(jobs)]).trim().split(' ').map(Number);
  if (fs.readdirSync(out).length !== kind.pictures) throw new Error('not all pictures were written');
  return { user, system, faults, gave, taken };
}

function futexes(kind, jobs) {
  fresh();
  const log = path.join(work, 'strace');
  run('strace', ['-f', '-c', '-e', 'trace=futex', '-o', log, `${build}/platen`, 'render', ...kind.args, '-q', '-j', String(jobs)]);
  return Number(/^.*\s(\d+)(?:\s+\d+)? futex$/m.exec(fs.readFileSync(log, 'utf8'))?.[1] ?? 0);
}

try {
  const strace = has('strace');
  for (const [title, kind] of Object.entries(KINDS)) {
    console.log(`#### ${title}: ${count} labels\n`);
    console.log('| threads | user µs a label | system µs a label | page faults a label | switches: given away, taken away | futex calls |\n|---|---|---|---|---|---|');
    for (const jobs of JOBS) {
      const u = usage(kind, jobs);
      const each = [u.user / count, u.system / count].map((value) => value.toFixed(0)).join(' | ');
      console.log(`| ${jobs} | ${each} | ${(u.faults / count).toFixed(2)} | ${u.gave}, ${u.taken} | ${strace ? futexes(kind, jobs) : '-'} |`);
    }
    console.log();
  }
  if (has('valgrind')) {
    const collected = (args, pattern) => {
      try {
        return Number(pattern.exec(run('sh', ['-c', 'exec "$0" "$@" 2>&1', 'valgrind', ...args]))[1].replaceAll(',', ''));
      } catch (error) {
        throw new Error(`valgrind gave no count: ${error}`);
      }
    };
    // Part of the instructions that one thread alone executes: reading the label code of one file.
    const small = path.join(work, 'small.zpl');
    fs.writeFileSync(small, Array.from({ length: 50 }, (_, i) => label(i)).join('\n'));
    const instructions = (args) => collected(['--tool=callgrind', '--callgrind-out-file=/dev/null', ...args], /Collected : (\d+)/);
    const bench = (runs) => [`${build}/platen`, 'bench', small, '--runs', String(runs)];
    const parse = (runs) => instructions(['--toggle-collect=platen_parse', ...bench(runs)]);
    const serial = (parse(2) - parse(1)) / (instructions(bench(2)) - instructions(bench(1)));
    console.log(`reading the label code is ${(serial * 100).toFixed(1)} % of the instructions; of one file one thread does it: at most ${[8, 16].map((n) => `${(1 / (serial + (1 - serial) / n)).toFixed(1)} times as fast on ${n} cores`).join(', ')}`);
    // With caches as this machine's; the last level as a core's part of it.
    const single = path.join(work, 'single.zpl');
    fs.writeFileSync(single, label(1));
    for (const quality of ['bitonal', 'grayscale']) {
      const misses = (runs) => collected(['--tool=cachegrind', '--cachegrind-out-file=/dev/null', '--cache-sim=yes', '--LL=1048576,16,64', `${build}/platen`, 'bench', single, '--quality', quality, '--runs', String(runs)], /LL misses:\s+([\d,]+)/);
      console.log(`${quality}: ${(((misses(11) - misses(1)) / 10) * 64 / 1000).toFixed(1)} kB a label come from beyond 1 MB of cache`);
    }
  }
} finally {
  fs.rmSync(work, { recursive: true });
}
