// zpl-renderer-js on one label: from ZPL to the bytes of a PNG, the only format that it has.
import fs from 'node:fs';
import { median } from '../formats/measure.mjs';

export const PEER = 'zpl-renderer-js 3.4.0';
let api;

// Microseconds, the median of `runs` after one to warm up. Throws where the peer cannot draw the label.
export async function timePeer(label, runs) {
  api ??= (await (await import('zpl-renderer-js')).ready).api;
  const zpl = fs.readFileSync(label.file, 'utf8');
  const times = [];
  for (let i = 0; i <= runs; i++) {
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    const base64 = await api.zplToBase64Async(zpl, ...label.dimensions.map(Number));
    const bytes = Buffer.from(base64, 'base64');
    // The smaller of wall and processor time: on a busy machine the one holds waiting, the other may hold helper threads.
    const used = process.cpuUsage(cpu);
    const us = Math.min(Number(process.hrtime.bigint() - start) / 1000, used.user + used.system);
    if (bytes.readUInt32BE(0) !== 0x89504e47) throw new Error('no PNG came back');
    if (i > 0) times.push(us);
  }
  return median(times);
}
