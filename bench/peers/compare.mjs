// Platen, zpl-renderer-js and compressing alone on the same labels in one run, label by label, as ratios with spread.
import { measure, median, referenceLabels } from '../formats/measure.mjs';
import { PEER, timePeer } from './peer.mjs';

const args = process.argv.slice(2);
const option = (name, fallback) => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
const peerRuns = option('--peer-runs', 5);
const runs = option('--runs', 101);
const labels = referenceLabels(args);
if (labels.length === 0) throw new Error('no label is meant');

console.log('label                        platen us   peer us     times     encoder us  of it    libdeflate-1 us  of it');
const all = [];
for (const label of labels) {
  let peer;
  try {
    peer = await timePeer(label, peerRuns);
  } catch (error) {
    console.log(`${label.name.padEnd(28)} the peer failed: ${String(error).slice(0, 60)}`);
  }
  const [row] = measure(label, runs, 'dots png');
  const result = { whole: row.whole, times: peer && peer / row.whole, encoder: row.whole / row.encoder, floor: row.whole / row.floor };
  all.push(result);
  console.log(
    `${label.name.padEnd(28)} ${row.whole.toFixed(1).padStart(9)} ${(peer ? peer.toFixed(0) : '-').padStart(9)} ${(peer ? result.times.toFixed(0) : '-').padStart(9)} ` +
      `${row.encoder.toFixed(1).padStart(15)} ${result.encoder.toFixed(2).padStart(6)} ${row.floor.toFixed(1).padStart(18)} ${result.floor.toFixed(2).padStart(6)}`,
  );
}
console.log(`\n${all.length} labels, one thread, warm, from ZPL to the bytes of a PNG of dots; processor time, medians of ${runs} runs (${PEER}: ${peerRuns})\n`);
console.log('| | median | lowest | highest |\n|---|---|---|---|');
const spread = (title, key, digits) => {
  const v = all.map((r) => r[key]).filter((value) => value !== undefined).sort((a, b) => a - b);
  if (v.length) console.log(`| ${title} | ${median(v).toFixed(digits)} | ${v[0].toFixed(digits)} | ${v.at(-1).toFixed(digits)} |`);
};
spread("Platen's time for a label, µs", 'whole', 0);
spread(`times faster than zpl-renderer-js (${all.filter((r) => r.times).length} labels that it can draw)`, 'times', 0);
spread("whole work / Platen's encoder alone", 'encoder', 2);
spread('whole work / libdeflate level 1 on the finished bitmap alone', 'floor', 2);
