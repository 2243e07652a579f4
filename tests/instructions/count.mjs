// Counts the instructions that labels of our own take from label code to file, by valgrind, and holds them against
// tests/instructions/counts.json within 3 %. --write: takes this machine's counts over into the file.
// The printer's profile may cost 5 % more than the reference's.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { labels } from '../../bench/formats/labels.mjs';

const FILE = 'tests/instructions/counts.json';
const TOLERANCE = 0.03;
const PRINTER_MOST = 1.05;
const platen = `${process.env.PLATEN_BUILD ?? 'build'}/platen`;
const write = process.argv.includes('--write');

function skip(why) {
  console.log(`skipped: ${why}`);
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

const output = (command, args) => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};
if (!output('valgrind', ['--version'])) skip('valgrind is not installed');
// Another compiler makes other instructions, and newer machines have their own of some functions (src/base/machine.h).
const compiler = process.env.CC ?? 'cc';
const kind = output(compiler, ['--version']).includes('clang') ? 'clang' : 'gcc';
const newer = / avx2 /.test(fs.readFileSync('/proc/cpuinfo', 'utf8')) ? ' with AVX2' : '';
const key = `${output('uname', ['-m'])}${newer} ${kind} ${output(compiler, ['-dumpversion']).split('.')[0]}`;
const known = JSON.parse(fs.readFileSync(FILE, 'utf8'));
if (!known[key] && !write) skip(`there are no counts for ${key}: node tests/instructions/count.mjs --write`);

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'instructions-'));
const run = promisify(execFile);
async function collected({ file, quality, format, profile }, runs) {
  const args = ['--tool=callgrind', '--callgrind-out-file=/dev/null', platen, 'bench', file, '--quality', quality, '--profile', profile, '-f', format, '--runs', String(runs)];
  const { stderr } = await run('valgrind', args);
  const found = /Collected : (\d+)/.exec(stderr);
  if (!found) throw new Error(`valgrind gave no count for ${file}: ${stderr}`);
  return Number(found[1]);
}

const jobs = [];
for (const [name, zpl] of Object.entries(labels)) {
  const file = path.join(work, `${name.replace(/\W/g, '-')}.zpl`);
  fs.writeFileSync(file, zpl);
  const formats = name === 'parcel' ? ['png', 'jpeg', 'webp', 'pdf'] : ['png'];
  for (const quality of ['bitonal', 'grayscale']) for (const format of formats) jobs.push({ title: `${name}, ${quality} ${format}`, file, quality, format, profile: 'reference' });
}
// By the profile of a printer: what costs most of its own rules.
const byPrinter = ['parcel', 'dense text', '2D-heavy', 'round shapes'].map((name) => {
  const job = jobs.find(({ title }) => title === `${name}, bitonal png`);
  return { ...job, reference: job.title, title: `${job.title}, printer`, profile: 'printer' };
});
// A tall ellipse, whose edge the printer knows by columns; it is compared with the reference's alone.
const tall = path.join(work, 'tall-ellipse.zpl');
fs.writeFileSync(tall, '^XA^FO10,10^GE500,1100,500^FS^XZ');
const alone = { title: 'tall ellipse, bitonal png', file: tall, quality: 'bitonal', format: 'png', profile: 'reference' };
byPrinter.push({ ...alone, reference: alone.title, title: `${alone.title}, printer`, profile: 'printer' });
const all = [...jobs, alone, ...byPrinter];
const counts = {};
let next = 0;
await Promise.all(
  Array.from({ length: os.availableParallelism?.() ?? os.cpus().length }, async () => {
    while (next < all.length) {
      const job = all[next++];
      // The difference of two numbers of runs has no start of the program in it.
      const few = await collected(job, 1);
      counts[job.title] = Math.round(((await collected(job, 3)) - few) / 2);
    }
  }),
);
fs.rmSync(work, { recursive: true });

if (write) {
  known[key] = Object.fromEntries(jobs.map(({ title }) => [title, counts[title]]));
  fs.writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`);
}
let passed = 0;
let failed = 0;
for (const { title } of jobs) {
  const was = known[key][title];
  const change = counts[title] / was - 1;
  const ok = Math.abs(change) <= TOLERANCE;
  if (ok) passed++;
  else failed++;
  if (!ok) console.log(`not ok: ${title}: ${counts[title]} instructions, ${was} known (${(change * 100).toFixed(1)} %)`);
}
for (const { title, reference } of byPrinter) {
  const ratio = counts[title] / counts[reference];
  if (ratio <= PRINTER_MOST) passed++;
  else failed++;
  if (ratio > PRINTER_MOST) console.log(`not ok: ${title}: ${ratio.toFixed(3)} times the reference's instructions, at most ${PRINTER_MOST} are allowed`);
}
if (failed) console.log('where the change is meant: node tests/instructions/count.mjs --write');
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
