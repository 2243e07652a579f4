// Counts the instructions that labels of our own take from label code to file, by valgrind, and holds them against
// tests/instructions/counts.json within 3 %: of a label that is drawn again, and of the first one with the start of the
// program. --write: takes this machine's counts over into the file. The printer's profile may cost 5 % more than the reference's.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { labels } from '../../bench/formats/labels.mjs';

const FILE = 'tests/instructions/counts.json';
const TOLERANCE = 0.03;
const OTHER_MOST = 2.5; // times the instructions of another kind of machine
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
// The program itself says what built it; the files that every program begins with are gcc's.
const built = output('readelf', ['-p', '.comment', platen]);
const [, kind, version] = /(clang) version (\d+)/.exec(built) ?? /(GCC): \(.*?\) (\d+)/.exec(built) ?? [];
if (!kind) throw new Error(`${platen} does not say which compiler built it`);
const newer = / avx2 /.test(fs.readFileSync('/proc/cpuinfo', 'utf8')) ? ' with AVX2' : '';
const key = `${output('uname', ['-m'])}${newer} ${kind.toLowerCase()} ${version}`;
const known = JSON.parse(fs.readFileSync(FILE, 'utf8'));
const isKnown = key in known;
// Where this kind of machine has no counts yet, those of another one still show what has become much slower.
const others = isKnown ? undefined : Object.keys(known)[0];
if (others) console.log(`no counts are known for ${key}: held against those of ${others}, at most ${OTHER_MOST} times; node tests/instructions/count.mjs --write adds them`);
known[key] ??= {};

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'instructions-'));
const run = promisify(execFile);
async function collected({ file, quality, format, profile, rotation = 0 }, runs) {
  const args = ['--tool=callgrind', '--callgrind-out-file=/dev/null', platen, 'bench', file, '--quality', quality, '--profile', profile, '-f', format, '--rotation', String(rotation), '--runs', String(runs)];
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
const smooth = jobs.find(({ title }) => title === 'parcel, grayscale png');
for (const rotation of [90, 180]) jobs.push({ ...smooth, title: `parcel, turned by ${rotation} degrees, grayscale png`, rotation });
// By the profile of a printer: every label, and every format and quality of those whose rules of its own cost most.
const COSTLY = ['parcel', 'dense text', '2D-heavy', 'round shapes'];
const byPrinter = jobs
  .filter(({ title, quality }) => quality === 'bitonal' || COSTLY.some((name) => title.startsWith(`${name}, gray`)))
  .map((job) => ({ ...job, reference: job.title, title: `${job.title}, printer`, profile: 'printer' }));
// A tall ellipse, whose edge the printer knows by columns; it is compared with the reference's alone.
const tall = path.join(work, 'tall-ellipse.zpl');
fs.writeFileSync(tall, '^XA^FO10,10^GE500,1100,500^FS^XZ');
const alone = { title: 'tall ellipse, bitonal png', file: tall, quality: 'bitonal', format: 'png', profile: 'reference' };
byPrinter.push({ ...alone, reference: alone.title, title: `${alone.title}, printer`, profile: 'printer' });
const all = [...jobs, alone, ...byPrinter];
const counts = {};
const FIRST = 'with start and first run';
let next = 0;
await Promise.all(
  Array.from({ length: os.availableParallelism?.() ?? os.cpus().length }, async () => {
    while (next < all.length) {
      const job = all[next++];
      // The first run fills the caches; the difference of two numbers of runs after it has neither it nor the start of the program.
      const few = await collected(job, 1);
      counts[job.title] = Math.round(((await collected(job, 3)) - few) / 2);
      counts[`${job.title}, ${FIRST}`] = few - counts[job.title];
    }
  }),
);
fs.rmSync(work, { recursive: true });

const held = jobs.flatMap(({ title }) => [title, `${title}, ${FIRST}`]);
if (write) {
  known[key] = Object.fromEntries(held.map((title) => [title, counts[title]]));
  fs.writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`);
}
let passed = 0;
let failed = 0;
for (const title of held) {
  const was = known[others ?? key][title];
  const change = counts[title] / was - 1;
  if (was === undefined) {
    failed++;
    console.log(`not ok: ${title}: its count is not known`);
  } else if (others ? change <= OTHER_MOST - 1 : Math.abs(change) <= TOLERANCE) passed++;
  else {
    failed++;
    console.log(`not ok: ${title}: ${counts[title]} instructions, ${was} known (${(change * 100).toFixed(1)} %)`);
  }
}
for (const { title, reference } of byPrinter) {
  const ratio = counts[title] / counts[reference];
  if (ratio <= PRINTER_MOST) passed++;
  else failed++;
  if (ratio > PRINTER_MOST) console.log(`not ok: ${title}: ${ratio.toFixed(3)} times the reference's instructions, at most ${PRINTER_MOST} are allowed`);
}
if (failed) console.log('where the change is meant: node tests/instructions/count.mjs --write');
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
