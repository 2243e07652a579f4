// Runs bench/formats and zpl-renderer-js on the carrier labels and five kinds of our own, and prints ratios as the tables of docs/performance.md.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PEER, timePeer } from '../peers/peer.mjs';
import { labels } from './labels.mjs';
import { measure, median, referenceLabels } from './measure.mjs';

const args = process.argv.slice(2);
const option = (name, fallback) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback);
const runs = option('--runs', 15);
const peerRuns = option('--peer-runs', 3);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'formats-'));

// Of several labels: the median of each ratio.
function ratios(all) {
  return all[0].rows.map((first, i) => {
    const of = (ratio) => median(all.map(({ rows, peer }) => ratio(rows[i], rows, peer)).filter((value) => value !== undefined));
    return {
      quality: first.quality,
      format: first.format,
      whole: of((r) => r.whole),
      dots: of((r, rows) => r.whole / rows[0].whole),
      png: of((r, rows) => r.whole / rows.find((other) => other.quality === r.quality && other.format === 'png').whole),
      encoder: of((r) => r.whole / r.encoder),
      floor: of((r) => r.whole / r.floor),
      size: of((r) => r.bytes / r.floorBytes),
      peer: of((r, rows, peer) => peer && peer / r.whole),
    };
  });
}

async function measureAll(label) {
  const peer = await timePeer(label, peerRuns).catch((error) => {
    console.error(`${label.name}: the peer failed: ${String(error).slice(0, 80)}`);
  });
  return { rows: measure(label, runs), peer };
}

const kinds = [];
const carrier = referenceLabels();
if (carrier.length) kinds.push(['carrier labels, median', carrier]);
else console.log('(no reference labels: set PLATEN_SHARED)\n');
for (const name of ['one box', 'parcel', 'dense text', 'full-page graphic', '2D-heavy']) {
  const file = path.join(work, `${name.replace(/\W/g, '-')}.zpl`);
  fs.writeFileSync(file, labels[name]);
  kinds.push([name, [{ name, file, dimensions: ['101.6', '152.4', '8'] }]]);
}

console.log(`Processor time, medians of ${runs} runs; of ${PEER}'s PNG, which is compared with every format, of ${peerRuns}.\n`);
for (const [title, files] of kinds) {
  const all = [];
  for (const label of files) all.push(await measureAll(label));
  console.log(`#### ${title}\n`);
  console.log("| quality | format | µs | of dots PNG | of PNG of the quality | of the own encoder | of the floor | size of the floor's | times faster than the peer |\n|---|---|---|---|---|---|---|---|---|");
  for (const r of ratios(all))
    console.log(`| ${r.quality} | ${r.format} | ${r.whole.toFixed(0)} | ${[r.dots, r.png, r.encoder, r.floor, r.size].map((value) => value.toFixed(2)).join(' | ')} | ${r.peer ? r.peer.toFixed(0) : 'it fails'} |`);
  console.log();
}
fs.rmSync(work, { recursive: true });
