// Runs bench/formats on five kinds of labels and prints its ratios as tables for docs/performance.md.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { labels } from './labels.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--runs');
const runs = at < 0 ? 15 : Number(args[at + 1]);
const build = process.env.PLATEN_BUILD ?? 'build';
const shared = path.join(process.env.PLATEN_SHARED ?? '../shared', 'labelary');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'formats-'));
const size = ['101.6', '152.4', '8'];

const median = (values) => {
  const v = [...values].sort((a, b) => a - b);
  return v.length % 2 ? v[(v.length - 1) / 2] : (v[v.length / 2 - 1] + v[v.length / 2]) / 2;
};

function measure(file, dimensions) {
  const out = execFileSync(`${build}/bench/formats`, [file, ...dimensions, String(runs)], { encoding: 'utf8' });
  return out.trim().split('\n').map((line) => {
    const [quality, format, own, floor, bytes, floorBytes] = line.split(' ');
    return { quality, format, own: Number(own), floor: Number(floor), bytes: Number(bytes), floorBytes: Number(floorBytes) };
  });
}

// Of several labels: the median of each ratio.
function ratios(all) {
  return all[0].map((first, i) => {
    const rows = all.map((label) => label[i]);
    const dots = all.map((label) => label[0].own);
    const png = all.map((label) => label.find((r) => r.quality === first.quality && r.format === 'png').own);
    return {
      quality: first.quality,
      format: first.format,
      own: median(rows.map((r) => r.own)),
      dots: median(rows.map((r, k) => r.own / dots[k])),
      png: median(rows.map((r, k) => r.own / png[k])),
      floor: median(rows.map((r) => r.own / r.floor)),
      size: median(rows.map((r) => r.bytes / r.floorBytes)),
    };
  });
}

const kinds = [];
if (fs.existsSync(path.join(shared, 'index.tsv'))) {
  const [head, ...lines] = fs.readFileSync(path.join(shared, 'index.tsv'), 'utf8').trim().split('\n');
  const names = head.split('\t');
  const rows = lines.map((line) => Object.fromEntries(line.split('\t').map((v, i) => [names[i], v]))).filter((row) => row.group === 'carrier');
  kinds.push(['carrier labels, median', rows.map((row) => [path.join(shared, row.zpl), [row.widthMm, row.heightMm, row.dpmm]])]);
} else {
  console.log(`(no reference labels at ${shared})\n`);
}
for (const name of ['one box', 'parcel', 'dense text', 'full-page graphic', '2D-heavy']) {
  const file = path.join(work, `${name.replace(/\W/g, '-')}.zpl`);
  fs.writeFileSync(file, labels[name]);
  kinds.push([name, [[file, size]]]);
}

for (const [name, files] of kinds) {
  const table = ratios(files.map(([file, dimensions]) => measure(file, dimensions)));
  console.log(`### ${name}\n`);
  console.log('| quality | format | µs | of dots PNG | of PNG of the quality | of the floor | size of the floor\'s |\n|---|---|---|---|---|---|---|');
  for (const r of table)
    console.log(`| ${r.quality} | ${r.format} | ${r.own.toFixed(0)} | ${r.dots.toFixed(2)} | ${r.png.toFixed(2)} | ${r.floor.toFixed(2)} | ${r.size.toFixed(2)} |`);
  console.log();
}

if (fs.existsSync('bench/peers/node_modules/zpl-renderer-js')) {
  console.log('### beside zpl-renderer-js, PNG\n');
  console.log(execFileSync('node', ['bench/peers/compare.mjs', '--runs', '3', '--seconds', '0.2'], { encoding: 'utf8' }).trim().split('\n').slice(-4).join('\n'));
}
fs.rmSync(work, { recursive: true });
