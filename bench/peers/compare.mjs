// Times Platen, zpl-renderer-js and the compression of the finished bitmap on the same labels in one run, as ratios with spread.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const args = process.argv.slice(2);
const option = (name, fallback) => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
const runs = option('--runs', 5);
const seconds = option('--seconds', 0.4);
const data = path.join(process.env.PLATEN_SHARED ?? '../shared', 'labelary');
const build = process.env.PLATEN_BUILD ?? 'build';

const [head, ...lines] = fs.readFileSync(path.join(data, 'index.tsv'), 'utf8').trim().split('\n');
const names = head.split('\t');
const rows = lines
  .map((line) => Object.fromEntries(line.split('\t').map((v, i) => [names[i], v])))
  .filter((row) => (args.length ? args.some((a) => row.id.includes(a)) : row.group === 'carrier'));
if (rows.length === 0) throw new Error('no label is meant');

const median = (values) => {
  const v = [...values].sort((a, b) => a - b);
  return v.length % 2 ? v[(v.length - 1) / 2] : (v[v.length / 2 - 1] + v[v.length / 2]) / 2;
};
const number = (text) => Number(text.trim().split('\n').at(-1));
const sizeFlags = (row) => ['--width-mm', row.widthMm, '--height-mm', row.heightMm, '--dpmm', row.dpmm];

const { ready } = await import('zpl-renderer-js');
const { api } = await ready;

async function peer(row) {
  const zpl = fs.readFileSync(path.join(data, row.zpl), 'utf8');
  const times = [];
  for (let i = 0; i <= runs; i++) {
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    const base64 = await api.zplToBase64Async(zpl, Number(row.widthMm), Number(row.heightMm), Number(row.dpmm));
    const bytes = Buffer.from(base64, 'base64');
    // The smaller of wall and processor time: on a busy machine the one holds waiting, the other may hold helper threads.
    const used = process.cpuUsage(cpu);
    const us = Math.min(Number(process.hrtime.bigint() - start) / 1000, used.user + used.system);
    if (bytes.readUInt32BE(0) !== 0x89504e47) throw new Error('no PNG came back');
    if (i > 0) times.push(us); // the first one warms it up
  }
  return median(times);
}

function platen(row) {
  const file = path.join(data, row.zpl);
  return number(execFileSync(`${build}/platen`, ['bench', file, ...sizeFlags(row), '--seconds', String(seconds)], { encoding: 'utf8' }));
}

function floor(row) {
  const file = path.join(data, row.zpl);
  const out = execFileSync(`${build}/bench/floor`, [file, row.widthMm, row.heightMm, row.dpmm], { encoding: 'utf8' });
  const [own, libdeflate] = out.trim().split('\n').at(-1).split(' ').map(Number);
  return { own, libdeflate };
}

console.log('label                        platen us   peer us     times    own floor us  of it    libdeflate-1 us  of it');
const all = [];
for (const row of rows) {
  let p;
  try {
    p = await peer(row);
  } catch (error) {
    console.log(`${row.id.padEnd(28)} the peer failed: ${String(error).slice(0, 60)}`);
    continue;
  }
  const mine = platen(row);
  const f = floor(row);
  const result = { mine, peer: p, times: p / mine, own: mine / f.own, libdeflate: mine / f.libdeflate };
  all.push(result);
  console.log(
    `${row.id.padEnd(28)} ${mine.toFixed(1).padStart(9)} ${p.toFixed(0).padStart(9)} ${result.times.toFixed(0).padStart(9)} ` +
      `${f.own.toFixed(1).padStart(15)} ${result.own.toFixed(2).padStart(6)} ${f.libdeflate.toFixed(1).padStart(18)} ${result.libdeflate.toFixed(2).padStart(6)}`,
  );
}
const spread = (key, digits) => {
  const v = all.map((r) => r[key]).sort((a, b) => a - b);
  return `median ${median(v).toFixed(digits)}, lowest ${v[0].toFixed(digits)}, highest ${v.at(-1).toFixed(digits)}`;
};
console.log(`\n${all.length} labels, one thread, warm, ZPL to PNG bytes`);
console.log(`times faster than zpl-renderer-js:             ${spread('times', 0)}`);
console.log(`whole work / own compression alone:            ${spread('own', 2)}`);
console.log(`whole work / libdeflate level 1 alone:         ${spread('libdeflate', 2)}`);
