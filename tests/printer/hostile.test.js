// What strangers send to the virtual printer: floods, connections that hang, clients that do not read, spoiled folders, hosts that do not answer.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HANG_MS, sleep, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const build = process.env.BUILD || 'build';
const LABEL = '^XA^FO50,50^A0N,50^FDHello^FS^XZ';

/** Hexadecimal digits of so many bytes that no compression shortens. */
function noise(bytes) {
  let seed = 7;
  return Buffer.from(Array.from({ length: bytes }, () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24)).toString('hex').toUpperCase();
}

function connect(port) {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

const memoryMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
const sanitized = /asan|tsan/.test(build);

describe('connections', () => {
  let p;
  before(async () => { p = await startPrinters(['dock', 'other'], [], ',lpd=127.0.0.1:0'); });
  after(() => p?.stop());

  test('one that ends within what could be the method of HTTP is over', async () => {
    for (const text of ['P', 'GE', 'OPTIONS']) await p.raw(text);
    const seq = (await p.printer()).lastSeq;
    await p.raw(['P', LABEL]);
    assert.equal((await p.next(seq)).zpl, LABEL);
    const reset = connect(p.ports.dock);
    await once(reset, 'connect');
    reset.resetAndDestroy();
    await until(async () => (await p.printer()).connections === 0);
  });

  test('a client that does not read its answers costs little memory and no time, and reads them all later', async () => {
    const socket = connect(p.ports.dock);
    await once(socket, 'connect');
    socket.pause();
    const queries = 200000;
    socket.write('~HS'.repeat(queries));
    await until(async () => (await p.printer()).inputBytes > 262144); // then it is not read
    const used = cpuSeconds(p.pid);
    await sleep(1000);
    assert.ok(cpuSeconds(p.pid) - used < 0.2, `${cpuSeconds(p.pid) - used} s of processor time in a second`);
    assert.ok(sanitized || memoryMiB(p.pid) < 100, `${memoryMiB(p.pid)} MiB`);
    let got = 0;
    socket.resume();
    socket.on('data', (data) => { got += data.length; });
    socket.end();
    await once(socket, 'close');
    assert.equal(got, queries * 82);
  });

  test('a thousand that have begun a format do not keep others out', async () => {
    const hogs = [];
    for (let i = 0; i < 1030; i++) {
      hogs.push(connect(p.ports.dock));
      hogs[i].write('^XA');
      if (i % 50 === 0) await once(hogs[i], 'connect');
    }
    await until(async () => (await p.printer()).connections === 256); // one client's share; its oldest made room
    assert.equal((await p.raw('~HS', { name: 'other' })).length, 82);
    for (const socket of hogs) socket.destroy();
    await until(async () => (await p.printer()).connections === 0);
  });

  test('answers to a job are no answers of LPD', async () => {
    const socket = connect(p.ports['dock:LPD']);
    const job = '~HS^XA^HH^XZ';
    let got = Buffer.alloc(0);
    socket.on('data', (data) => { got = Buffer.concat([got, data]); });
    socket.end(`\x02lp\n\x03${job.length} dfA1\n${job}\0`);
    await once(socket, 'close');
    assert.deepEqual([...got], [0, 0, 0]);
  });

  test('files by LPD are bounded together, as raw jobs are', { skip: sanitized }, async () => {
    const sockets = [];
    for (let i = 0; i < 100; i++) {
      const socket = connect(p.ports['dock:LPD']);
      sockets.push(socket);
      socket.write('\x02lp\n\x030 dfA1\n^XA^FX');
      socket.write(Buffer.alloc(3900000, 'x'));
      for (let k = 0; k < 150 && !socket.destroyed && socket.writableLength > 0; k++) await sleep(20); // at the limit it is not read
    }
    const told = async () => (await p.labels()).labels.some((label) => /too much was on its way/.test(label.reason));
    await until(told);
    assert.ok(memoryMiB(p.pid) < 400, `${memoryMiB(p.pid)} MiB`);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await p.printer()).connections === 0);
  });
});

test('the PDF of a reprint whose memory is gone is 404, as that of its label', async () => {
  const p = await startPrinters(['dock'], ['--printer-bytes', '1MiB']);
  await p.raw(`~DGR:BIG.GRF,1200000,100,${noise(1200000)}^XA^FO9,9^FDfirst^FS^XZ`);
  await p.raw('^XA^FO9,9^FDsecond^FS^XZ');
  const { seq } = await p.next(0, 120, 'second');
  await p.raw('~PR');
  const { seq: reprinted } = await p.next(seq);
  for (const number of [seq, reprinted]) {
    const answer = await fetch(`${p.url}/api/printers/dock/labels/${number}.pdf`);
    assert.deepEqual([answer.status, (await answer.json()).code], [404, 'memory_dropped']);
  }
  await p.stop();
});

describe('floods', () => {
  let p;
  before(async () => { p = await startPrinters(['dock'], ['--printer-bytes', '4MiB']); });
  after(() => p?.stop());
  const print = (body) => p.json('/api/printers/dock/print', { method: 'POST', body });

  test('a request of very many formats is refused whole', async () => {
    const answer = await print('^XA^XZ'.repeat(10001));
    assert.equal(answer.status, 413);
    assert.equal(answer.code, 'too_many_formats');
    assert.equal((await print('~WC'.repeat(200000))).status, 413);
    assert.equal((await p.printer()).labels, 0);
    assert.equal((await print('^XA^XZ'.repeat(10000))).jobs, 10000);
  });

  test('configuration labels and reprints without end do not fill the memory', async () => {
    await p.reset();
    await p.raw(LABEL);
    await until(async () => (await p.printer()).printed === 1);
    await p.state({ paused: true });
    await p.raw('~PR'.repeat(300000));
    assert.ok((await p.printer()).labelsWaiting <= 256);
    await p.reset();
    await p.state({ paused: true });
    await print('~WC'.repeat(9000));
    const { jobsWaiting, labelsWaiting } = await p.printer();
    assert.ok(jobsWaiting + labelsWaiting <= 600, `${jobsWaiting} + ${labelsWaiting}`);
    assert.ok(sanitized || memoryMiB(p.pid) < 150, `${memoryMiB(p.pid)} MiB`);
    await p.reset();
  });

  test('copies that wait are counted, however many', async () => {
    await p.state({ paused: true });
    await p.raw('^XA^FO9,9^FDx^FS^PQ99999999^XZ'.repeat(60));
    await until(async () => (await p.printer()).labelsWaiting === 60 * 99999999);
    assert.match((await p.raw('~HS')).toString('latin1'), /,99999999,1,/);
    await p.reset();
  });

  test('labels drawn with a large memory that each job changes do not each keep a copy of it', { skip: sanitized }, async () => {
    await p.raw(`~DGE:FONT.GRF,300000,100,${'A5'.repeat(300000)}~DGR:BIG.GRF,300000,100,${'A5'.repeat(300000)}^XA^XZ`);
    await until(async () => (await p.printer()).memory.length === 2);
    const before = memoryMiB(p.pid);
    const { lastSeq } = await p.printer();
    await p.raw('~DGR:CUPS.GRF,8,2,FFFF8001800180FF^XA^FO0,0^XGR:CUPS.GRF,9,9^FS^XZ^XA^IDR:CUPS.GRF^FS^XZ'.repeat(40));
    await until(async () => (await p.printer()).printed === 40);
    assert.ok(memoryMiB(p.pid) - before < 20, `${memoryMiB(p.pid) - before} MiB more`);
    const { labels } = await p.labels(lastSeq);
    assert.equal(labels.length, 40);
    const first = await fetch(`${p.url}/api/printers/dock/labels/${labels[0].seq}.pdf`);
    assert.equal(first.status, 404);
    assert.equal((await first.json()).code, 'memory_dropped');
    assert.equal((await p.fetch('/api/printers/dock/labels/latest.pdf')).subarray(0, 5).toString(), '%PDF-');
    await p.reset();
  });

  test('status and pause as fast as they come', { skip: sanitized }, async () => {
    await p.raw(`${Array.from({ length: 2000 }, (_, i) => `~DGR:G${i}.GRF,2,1,FFFF`).join('')}^XA^XZ`);
    await until(async () => (await p.printer()).memory.length === 2000);
    const used = cpuSeconds(p.pid);
    assert.equal((await p.raw('~HS'.repeat(20000))).length, 20000 * 82);
    await p.raw('~PP~PS'.repeat(20000));
    assert.ok(cpuSeconds(p.pid) - used < 1.5, `${cpuSeconds(p.pid) - used} s of processor time`);
    await p.reset();
  });

  test('SGD behind a command outside of formats is answered', async () => {
    assert.equal((await p.raw('~SD10\r\n! U1 getvar "device.languages"\r\n')).toString(), '"hybrid_xml_zpl"');
  });
});

describe('the outside', () => {
  test('a webhook that hangs holds up neither --forward nor the end of the service', async () => {
    const hangs = net.createServer(() => {}).listen(0, '127.0.0.1');
    const got = [];
    // As many printers do: one job, then the connection is closed.
    const real = net.createServer((socket) => socket.on('error', () => {}).once('data', (data) => { got.push(data.toString()); socket.end(); })).listen(0, '127.0.0.1');
    await Promise.all([once(hangs, 'listening'), once(real, 'listening')]);
    const p = await startPrinters(['dock'], ['--webhook', `http://127.0.0.1:${hangs.address().port}/`, '--forward', `127.0.0.1:${real.address().port}`]);
    const jobs = Array.from({ length: 6 }, (_, i) => `^XA^FO9,9^FDjob ${i} ${'x'.repeat(20000)}^FS^XZ`);
    for (const [i, job] of jobs.entries()) {
      await p.raw(job);
      await until(() => got.length > i, `job ${i} at the next printer`);
      await sleep(50);
    }
    assert.deepEqual(got.map((job) => /job \d/.exec(job)[0]), jobs.map((job) => /job \d/.exec(job)[0]));
    await p.stop();
    hangs.close();
    real.close();
  });

  test('an object that is stored while files wait is not lost, and labels that find no room say so', { skip: sanitized }, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-'));
    const state = path.join(folder, 'state'), keep = path.join(folder, 'keep');
    for (const name of [state, keep]) fs.mkdirSync(name);
    const p = await startPrinters(['dock'], ['--state', state, '--keep', keep]);
    const children = fs.readFileSync(`/proc/${p.pid}/task/${p.pid}/children`, 'utf8').trim().split(' ').map(Number);
    const writer = children.find((pid) => fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'platen-files');
    process.kill(writer, 'SIGSTOP'); // a disk that hangs
    const large = `^XA^FX${'x'.repeat(3000000)}^FS^FO9,9^FDlarge^FS^XZ`;
    for (let i = 0; i < 14; i++) await p.raw(large);
    await until(async () => (await p.printer()).printed === 14);
    await until(async () => (await p.labels()).labels.at(-1).notKept === 'too many files waited to be written');
    await p.raw('~DGE:FIRST.GRF,1,1,FF^XA^XZ');
    await p.raw('~DGE:SECOND.GRF,1,1,FF^XA^XZ');
    await until(async () => (await p.printer()).memory.length === 2);
    process.kill(writer, 'SIGCONT');
    await assert.rejects(p.stop(), /ended with 3: [^]*platen: \d+ files of --state and --keep had not been delivered before/);
    assert.match(fs.readFileSync(path.join(state, 'dock.zpl'), 'latin1'), /FIRST\.GRF[^]*SECOND\.GRF/);
    fs.rmSync(folder, { recursive: true });
  });

  test('a label whose JSON is too large is kept without it, and says so', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-'));
    const p = await startPrinters(['dock'], ['--keep', folder]);
    await p.raw(`^XA^FX${'\x01'.repeat(3500000)}^FS^FO9,9^FDlarge^FS^XZ`); // six bytes of JSON for each
    await until(async () => (await p.printer()).printed === 1);
    await until(async () => (await p.labels()).labels[0].notKept === 'its JSON has more than 16 MiB');
    await until(() => fs.readdirSync(folder).filter((name) => /\.(zpl|png)$/.test(name)).length === 2);
    await p.raw(LABEL);
    await until(async () => (await p.printer()).printed === 2);
    assert.equal((await p.labels()).labels[1].notKept, undefined);
    await assert.rejects(p.stop(), /ended with 3: [^]*\.json is not written: it would have more than 16 MiB/);
    assert.equal(fs.readdirSync(folder).filter((name) => name.endsWith('.json')).length, 1);
    fs.rmSync(folder, { recursive: true });
  });

  test('a state that cannot be read is told at the start, and is not lost', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-'));
    const start = async (...args) => {
      const child = spawn(`${build}/platen`, ['serve', '--listen', '127.0.0.1:0', '--printer', 'name=dock,listen=127.0.0.1:0', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      let text = '';
      child.stderr.on('data', (data) => { text += data; });
      const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS);
      const [code] = await once(child, 'close');
      clearTimeout(timer);
      return { code, text };
    };
    const state = path.join(folder, 'dock.zpl');
    fs.mkdirSync(state);
    const isFolder = await start('--state', folder);
    assert.ok(isFolder.code > 0);
    assert.match(isFolder.text, /--state: cannot read .*dock\.zpl: Is a directory/);
    fs.rmdirSync(state);
    await once(spawn('mkfifo', [state]), 'close');
    assert.match((await start('--state', folder)).text, /--state: cannot read/);
    assert.match((await start('--state', path.join(folder, 'none'))).text, /--state: cannot write to the folder .*No such file/);
    assert.match((await start('--keep', path.join(folder, 'none'))).text, /--keep: cannot write to the folder/);
    fs.rmSync(folder, { recursive: true });
  });

  test('a state of rubbish does no harm', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-'));
    for (const bytes of [Buffer.from(Array.from({ length: 50000 }, (_, i) => (i * 7919 + (i >> 3) * 104729) & 255)), '', '^XA^FO9,9^FDghost^FS^XZ', '^XA^CC*', `\x02\x1eDFE:A.ZPL\x1eFS${'x'.repeat(500000)}`]) {
      fs.writeFileSync(path.join(folder, 'dock.zpl'), bytes);
      const p = await startPrinters(['dock'], ['--state', folder]);
      await p.raw(LABEL);
      assert.equal((await p.next(0)).zpl, LABEL);
      await p.stop();
    }
    fs.rmSync(folder, { recursive: true });
  });
});

test("a field of the printer's form is taken as it is where it is not encoded", async () => {
  const p = await startPrinters(['dock'], ['--printer-pages', 'on']);
  const zpl = '^XA^FO9,9^FD100% 5 50%-1 %5Z %zz %41^FS^XZ';
  await fetch(`${p.url}/zpl`, { method: 'POST', body: `dev=R&data=${zpl}` });
  assert.equal((await p.next(0)).zpl, zpl);
  await p.stop();
});
