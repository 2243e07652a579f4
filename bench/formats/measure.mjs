// What the measuring programs share: bench/formats on one label, the reference's carrier labels, medians.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const build = process.env.PLATEN_BUILD ?? 'build';
const shared = path.join(process.env.PLATEN_SHARED ?? '../shared', 'labelary');

export const median = (values) => {
  const v = [...values].sort((a, b) => a - b);
  return v.length % 2 ? v[(v.length - 1) / 2] : (v[v.length / 2 - 1] + v[v.length / 2]) / 2;
};

// label: { name, file, dimensions }. Rows of all formats and qualities, or of `only` ("dots png"); times in microseconds of processor time.
export function measure(label, runs, only = '') {
  const args = [label.file, ...label.dimensions, String(runs), ...only.split(' ').filter(Boolean)];
  const out = execFileSync(`${build}/bench/formats`, args, { encoding: 'utf8' });
  return out.trim().split('\n').map((line) => {
    const [quality, format, ...numbers] = line.split(' ');
    const [whole, encoder, floor, bytes, floorBytes] = numbers.map(Number);
    if (![whole, encoder, floor, bytes, floorBytes].every((value) => value > 0)) throw new Error(`${label.name}: no figures in '${line}'`);
    return { quality, format, whole, encoder, floor, bytes, floorBytes };
  });
}

// The carrier labels, or those whose ids hold one of the words; none where the reference's data is not there.
export function referenceLabels(words = []) {
  const index = path.join(shared, 'index.tsv');
  if (!fs.existsSync(index)) return [];
  const [head, ...lines] = fs.readFileSync(index, 'utf8').trim().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((v, i) => [names[i], v])))
    .filter((row) => (words.length ? words.some((word) => row.id.includes(word)) : row.group === 'carrier'))
    .map((row) => ({ name: row.id, file: path.join(shared, row.zpl), dimensions: [row.widthMm, row.heightMm, row.dpmm] }));
}
