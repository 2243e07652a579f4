// Peak memory of `platen serve` for one POST /api/batch of so many labels with one field, by kind of answer. The body is made while it is sent, the
// answer is thrown away while it comes.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';

const counts = process.argv.slice(2).map(Number);
if (!counts.length) counts.push(20000, 200000);
const field = (pid, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
const below = (pid) => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).flatMap((child) => [child, ...below(child)]);
const freePort = () => new Promise((resolve) => { const server = net.createServer().listen(0, '127.0.0.1', () => { const { port } = server.address(); server.close(() => resolve(port)); }); });

async function measure(answer, count) {
  const port = await freePort();
  const child = spawn('build/platen', ['serve', '--listen', `127.0.0.1:${port}`, '--log', 'off', '--drain-delay', '0', '--max-body-memory', '4GiB', '--max-client-memory', '4GiB'], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    for (let i = 0; i < 200; i++) {
      if (await fetch(`http://127.0.0.1:${port}/api/health`).then(() => true, () => false)) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const began = process.hrtime.bigint();
    let bytes = 0, i = 0;
    await new Promise((resolve, reject) => {
      const request = http.request({ port, host: '127.0.0.1', path: `/api/batch?answer=${answer}&widthMm=20&heightMm=10`, method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.on('data', (data) => { bytes += data.length; });
        response.on('end', resolve);
        response.on('error', reject);
      });
      request.on('error', reject);
      const send = () => {
        while (i < count) {
          let lines = '';
          for (const end = Math.min(count, i + 500); i < end; i++) lines += `{"id":"l${i}","zpl":"^XA^FO8,8^A0N,30^FD${i}^FS^XZ"}\n`;
          if (!request.write(lines)) { request.once('drain', send); return; }
        }
        request.end();
      };
      send();
    });
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    return { front: field(child.pid, 'VmHWM'), others: Math.max(...below(child.pid).map((pid) => field(pid, 'VmHWM'))), bytes, seconds };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

console.log('| answer | labels | bytes of the answer | peak of the front | peak of a renderer | added by a label |\n|---|---|---|---|---|---|');
for (const answer of ['ndjson', 'zip', 'pdf']) {
  let before;
  for (const count of counts) {
    const found = await measure(answer, count);
    const added = before ? `${Math.round(((found.front - before.front) * 1048576) / (count - before.count))} bytes` : '';
    console.log(`| ${answer} | ${count} | ${(found.bytes / 1e6).toFixed(0)} MB in ${found.seconds.toFixed(0)} s | ${found.front.toFixed(0)} MiB | ${found.others.toFixed(0)} MiB | ${added} |`);
    before = { ...found, count };
  }
}
