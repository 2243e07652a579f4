// Fair shares on the printers' ports: who hoards does not shut out others, and refusals can be seen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { sleep, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const sanitized = /asan|tsan/.test(process.env.BUILD || '');
const label = (text) => `^XA^FX${'x'.repeat(2000)}^FS^FO50,50^A0N,50^FD${text}^FS^XZ`;

/** A connection that has begun a format of so many bytes and does not go on. */
async function hoard(port, bytes, from = '127.0.0.1') {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.on('close', resolve)); // true: it was reset
  await Promise.race([closed, new Promise((resolve) => socket.write(Buffer.concat([Buffer.from('^XA^FX'), Buffer.alloc(bytes, 'x')]), resolve))]);
  return { socket, closed };
}

const cpuSeconds = (pid) => fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ').slice(11, 13).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);

describe('memory', () => {
  for (const [who, from] of [['one client', () => '127.0.0.1'], ['many clients', (i) => `127.0.1.${i + 1}`]]) {
    test(`59 unfinished formats of ${who} do not refuse the jobs of others`, { skip: sanitized }, async () => {
      const p = await startPrinters(['dock', 'other']);
      const hoards = [];
      for (let i = 0; i < 59; i++) hoards.push(await hoard(p.ports.dock, 5000000, from(i)));
      for (const name of ['dock', 'other']) {
        const { lastSeq } = await p.printer(name);
        for (let i = 0; i < 10; i++) await p.raw(label(`${name}${i}`), { name });
        for (let i = 0, seq = lastSeq; i < 10; i++) {
          const got = await p.next(seq, 120, `${name}${i}`, name);
          assert.equal(got.zpl, label(`${name}${i}`));
          seq = got.seq;
        }
      }
      for (const { socket } of hoards) socket.destroy();
      await Promise.all(hoards.map(({ closed }) => closed));
      await until(async () => (await p.printer()).connections === 0);
      assert.equal((await p.printer()).inputBytes, 0);
      await p.stop();
    });
  }

  test('at its share a client loses its own largest unfinished format: reset, listed, in the log, and in ~HS', async () => {
    const p = await startPrinters(['dock'], ['--max-body', '1MiB', '--printer-client-memory', '3MiB']);
    const first = await hoard(p.ports.dock, 1000000);
    await until(async () => (await p.printer()).inputBytes >= 1000000);
    const second = await hoard(p.ports.dock, 900000), third = await hoard(p.ports.dock, 900000);
    await until(async () => (await p.printer()).inputBytes >= 2800000);
    const error = once(first.socket, 'error');
    const fourth = await hoard(p.ports.dock, 900000);
    assert.equal((await error)[0].code, 'ECONNRESET');
    const status = await p.raw('~HS');
    assert.equal(status.toString('latin1').split(',')[5], '1'); // buffer full
    const refused = await p.next(0);
    assert.deepEqual([refused.refused, refused.reason], [true, 'too much was on its way from one client at once']);
    assert.match(p.output(), /platen: printer dock: ended the connection of 127\.0\.0\.1:\d+: too much was on its way from one client at once/);
    for (const { socket } of [second, third, fourth]) socket.destroy();
    await p.stop();
  });
});

describe('the queue', () => {
  const WAITING = 256; // labels that are drawn ahead of a stopped printer
  const large = `^XA^FX${'x'.repeat(8000000)}^FS^XZ`;
  const print = (p, body) => p.json('/api/printers/dock/print', { method: 'POST', body });

  /** A printer that draws nothing: what it takes stays in its queue. */
  async function startStopped(args = []) {
    const p = await startPrinters(['dock'], args, ',lpd=127.0.0.1:0');
    await p.state({ paused: true });
    await print(p, '^XA^FDx^FS^XZ'.repeat(WAITING));
    await until(async () => { const { labelsWaiting, jobsWaiting } = await p.printer(); return labelsWaiting === WAITING && jobsWaiting === 0; });
    return p;
  }

  async function send(port, text, from) {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(text);
    return { socket, closed };
  }

  test('however much others have in the queue, a client that has nothing in it is read', { skip: sanitized }, async () => {
    const p = await startStopped();
    const others = [];
    // 32 MiB fill the queue; then each has 8 MiB and the job that goes beyond it; at 64 MiB there is no more for any of them.
    for (const [i, jobs] of [5, 7, 9].entries()) {
      others.push(await send(p.ports.dock, large.repeat(8), `127.0.0.${i + 2}`));
      await until(async () => (await p.printer()).jobsWaiting === jobs);
    }
    const mine = await send(p.ports.dock, '^XA^FO9,9^FDmine^FS^XZ', '127.0.0.9');
    await until(async () => (await p.printer()).jobsWaiting === 10);
    assert.equal((await print(p, '^XA^FO9,9^FDrequest^FS^XZ')).status, 202);
    await p.state({ paused: false });
    for (const text of ['FDmine', 'FDrequest']) assert.ok((await p.next(0, 120, text)).seq);
    for (const { socket } of [mine, ...others]) socket.destroy();
    await p.reset();
    await p.stop();
  });

  test('a whole file of LPD is not pushed into a full queue by new connections of its client', async () => {
    const p = await startStopped(['--printer-client-connections', '4']);
    const from = '127.0.0.2', labels = ['one', 'two', 'three'].map((text) => `^XA^FO9,9^FDfile-${text}^FS^XZ`).join('');
    const file = await send(p.ports['dock:LPD'], `\x02lp\n\x03${labels.length} dfA1\n${labels}`, from);
    await until(async () => (await p.printer()).inputBytes === labels.length);
    const formats = await send(p.ports.dock, '^XA^FDx^FS^XZ'.repeat(255), from);
    await until(async () => (await p.printer()).jobsWaiting === 255);
    file.socket.write('\0'); // its first format fills the queue
    await until(async () => (await p.printer()).jobsWaiting === 256);
    const newer = [];
    for (let i = 0; i < 4; i++) newer.push(await hoard(p.ports.dock, 10, from));
    await formats.closed; // whose jobs are all here
    assert.equal(await Promise.race([newer[0].closed.then(() => 'unread'), file.closed.then(() => 'file')]), 'unread');
    assert.ok((await p.printer()).jobsWaiting <= 257); // with the one that is listed as refused
    await p.state({ paused: false });
    await p.next(0, 120, 'file-three');
    const { labels: printed } = await p.json('/api/printers/dock/labels?match=file-');
    assert.deepEqual(printed.map(({ refused }) => !!refused), [false, false, false]);
    for (const { socket } of [file, ...newer]) socket.destroy();
    await p.reset();
    await p.stop();
  });

  test('requests at once do not fill the queue over its limit', { skip: sanitized }, async () => {
    const p = await startStopped(['--workers', '8']);
    const answers = await Promise.all(Array.from({ length: 12 }, () => print(p, large)));
    const taken = answers.filter(({ status }) => status === 202).length;
    assert.ok(taken >= 1 && taken <= 5, `${taken} jobs of 8 MB were taken`);
    assert.deepEqual(answers.filter(({ status }) => status !== 202).map(({ code }) => code), Array(12 - taken).fill('printer_busy'));
    await p.reset();
    await p.stop();
  });
});

describe('time', () => {
  test('a client that is silent in a format for longer than --printer-format-timeout is cut off, and the job is listed', async () => {
    const p = await startPrinters(['dock'], ['--printer-format-timeout', '300ms']);
    const idle = net.connect(p.ports.dock, '127.0.0.1'); // with nothing unfinished: it may stay
    const { closed } = await hoard(p.ports.dock, 100);
    assert.equal(await closed, true);
    const refused = await p.next(0);
    assert.equal(refused.reason, 'its client was silent for longer than --printer-format-timeout');
    idle.write('~HS');
    assert.equal((await once(idle, 'data'))[0].length, 82);
    idle.destroy();
    await p.stop();
  });

  test('a line end behind a format is nothing unfinished', async () => {
    const p = await startPrinters(['dock'], ['--printer-format-timeout', '300ms']);
    const lines = net.connect(p.ports.dock, '127.0.0.1');
    lines.write(`${label('one')}\r\n`);
    const one = await p.next(0, 120, 'one');
    const { closed } = await hoard(p.ports.dock, 100); // silent later than the other
    assert.equal(await closed, true);
    lines.write(label('two'));
    assert.equal((await p.next(one.seq, 120, 'two')).zpl, label('two'));
    lines.destroy();
    await p.stop();
  });

  test('what is whole of another language is carried out when its client was silent', async () => {
    const p = await startPrinters(['dock'], ['--printer-format-timeout', '300ms'], ',language=tspl');
    const form = net.connect(p.ports.dock, '127.0.0.1');
    form.write('DOWNLOAD F,"A.BAS"\r\nREM\r\nEOP\r\n');
    await until(async () => JSON.stringify((await p.printer()).memory).includes('A.BAS'));
    form.destroy();
    await p.stop();
  });

  for (const [what, kind, begin] of [
    ['an LPD line without its end', ':LPD', '\x02lp'],
    ['half a control file of LPD', ':LPD', '\x02lp\n\x0210 cfA1\nHost'],
    ['a data file of LPD of which no byte came', ':LPD', '\x02lp\n\x0310 dfA1\n'],
    ['a large file of LPD, after a whole format', ':LPD', `\x02lp\n\x031000000 dfA1\n${label('whole')}`],
    ['JSON of more than 64 KiB', ':JSON', `{"a":"${'x'.repeat(70000)}`],
    ['a format over --max-body', '', `^XA^FX${'x'.repeat(1200000)}`],
    ['a download over --max-body', '', `~DGR:A.GRF,9000000,10,${'F'.repeat(1200000)}`],
    ['the first byte of what may be HTTP', '', 'P'],
    ['a format behind a job that a stopped printer has', '', `${label('first')}^XA^FDhalf`],
  ]) {
    test(`silence in ${what} ends by --printer-format-timeout`, async () => {
      const p = await startPrinters(['dock'], ['--printer-format-timeout', '300ms', '--max-body', '1MiB'], ',json=127.0.0.1:0,lpd=127.0.0.1:0');
      await p.state({ paused: true });
      const socket = net.connect(p.ports[`dock${kind}`], '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.write(Buffer.from(begin, 'latin1'));
      await closed;
      assert.match(p.output(), /was silent for longer than --printer-format-timeout/);
      await p.reset();
      await p.stop();
    });
  }

  test('a client that a stopped printer does not read is not silent', async () => {
    const p = await startPrinters(['dock'], ['--printer-format-timeout', '300ms']);
    await p.state({ bufferFull: true });
    const socket = net.connect(p.ports.dock, '127.0.0.1');
    socket.write(`${label('late')}^XA`);
    const other = await hoard(p.ports.dock, 10); // also not read
    await sleep(900); // three times the limit
    assert.equal((await p.printer()).connections, 2);
    await p.state({ bufferFull: false });
    assert.equal((await p.next(0, 120, 'late')).zpl, label('late'));
    socket.destroy();
    other.socket.destroy();
    await p.stop();
  });
});

describe('connections', () => {
  test('a client beyond its share loses its own; others keep theirs', async () => {
    const p = await startPrinters(['dock'], ['--printer-client-connections', '4']);
    const other = net.connect({ port: p.ports.dock, host: '127.0.0.1', localAddress: '127.0.2.1' });
    await once(other, 'connect');
    const mine = [];
    for (let i = 0; i < 8; i++) mine.push(await hoard(p.ports.dock, 10));
    let ended = 0;
    await new Promise((resolve) => { for (const { closed } of mine) closed.then(() => { if (++ended === 4) resolve(); }); });
    await until(async () => (await p.printer()).connections === 5);
    other.write('~HS');
    assert.equal((await once(other, 'data'))[0].length, 82);
    other.destroy();
    for (const { socket } of mine) socket.destroy();
    await p.stop();
  });

  test('an idle connection of a client is not ended for those of clients that have hundreds', async () => {
    const p = await startPrinters(['dock', 'other'], ['--printer-client-connections', '300']);
    const idle = net.connect(p.ports.dock, '127.0.0.1');
    await once(idle, 'connect');
    const mine = [];
    for (let i = 0; i < 600; i++) mine.push(await hoard(p.ports.dock, 10, `127.0.3.${1 + (i % 3)}`));
    await Promise.race(mine.map(({ closed }) => closed)); // 512 to one of several printers
    idle.write('~HS');
    assert.equal((await once(idle, 'data'))[0].length, 82);
    idle.destroy();
    for (const { socket } of mine) socket.destroy();
    await p.stop();
  });

  test('refusals of a stopped printer do not queue without limit, and the log counts them all', async () => {
    const p = await startPrinters(['dock'], ['--printer-client-connections', '2']);
    await p.state({ paused: true });
    const count = 1200; // 256 labels wait to be printed, 512 jobs to be drawn
    const mine = [];
    for (let i = 0; i < count; i++) mine.push(await hoard(p.ports.dock, 10));
    await Promise.all(mine.slice(0, count - 2).map(({ closed }) => closed));
    const { jobsWaiting } = await p.printer();
    assert.ok(jobsWaiting <= 513, `${jobsWaiting} jobs wait`);
    for (const { socket } of mine) socket.destroy();
    await p.reset();
    await p.stop();
    const lines = p.output().match(/ended the connection of .*: too many/g).length;
    const others = [...p.output().matchAll(/ended (\d+) more connections/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    assert.equal(lines + others, count - 2);
  });

  /** With 100 descriptors: 48 and two for each worker are the service's own; raw connections and HTTP have 24 each. */
  async function startWithFewDescriptors() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'few-descriptors-')), build = process.env.BUILD;
    fs.writeFileSync(path.join(folder, 'platen'), `#!/bin/sh\nulimit -n 100 && exec '${path.resolve(build || 'build')}/platen' "$@"\n`, { mode: 0o755 });
    process.env.BUILD = folder;
    try {
      return await startPrinters(['dock'], ['--workers', '2']);
    } finally {
      if (build === undefined) delete process.env.BUILD;
      else process.env.BUILD = build;
      fs.rmSync(folder, { recursive: true });
    }
  }

  test('event streams of one client leave descriptors for other clients and raw connections', { skip: sanitized }, async () => {
    const p = await startWithFewDescriptors(), port = Number(new URL(p.url).port);
    const streams = Array.from({ length: 60 }, () => net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }));
    const answers = await Promise.all(streams.map(async (socket) => {
      socket.on('error', () => {}).write('GET /api/printers/dock/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const closed = new Promise((resolve) => socket.on('close', () => resolve(['closed'])));
      return String((await Promise.race([once(socket, 'data'), closed]))[0]).slice(0, 12);
    }));
    assert.equal(answers.filter((answer) => answer === 'HTTP/1.1 200').length, 10); // half of what HTTP has
    const { limits } = await p.json('/api/health');
    assert.deepEqual([limits.connections, limits.connectionsPerClient], [21, 10]); // 100 less 48, two for each worker and five for the printer
    assert.equal((await p.raw('~HS')).length, 82);
    for (const socket of streams) socket.destroy();
    await p.stop();
  });

  test('raw connections leave descriptors for HTTP', { skip: sanitized }, async () => {
    const p = await startWithFewDescriptors();
    const mine = [];
    for (let i = 0; i < 120; i++) mine.push(await hoard(p.ports.dock, 10, `127.0.3.${1 + (i % 100)}`));
    assert.equal((await fetch(`${p.url}/api/health`, { headers: { connection: 'close' } })).status, 200);
    await Promise.race(mine.map(({ closed }) => closed));
    assert.ok((await p.printer()).connections <= 21);
    for (const { socket } of mine) socket.destroy();
    await p.stop();
  });

  test('when descriptors run out, the printer does not spin, and takes connections again later', { skip: sanitized }, async () => {
    const p = await startPrinters(['dock'], ['--printer-client-connections', '0']);
    const open = fs.readdirSync(`/proc/${p.pid}/fd`).length;
    execFileSync('prlimit', ['--pid', String(p.pid), `--nofile=${open + 6}:${open + 6}`]);
    const sockets = [];
    for (let i = 0; i < 20; i++) {
      const socket = net.connect(p.ports.dock, '127.0.0.1'); // connected by the system; not all can be accepted
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write('^XA'); // a format has begun: it is not given up for another
      sockets.push(socket);
    }
    const used = cpuSeconds(p.pid);
    await sleep(1500);
    assert.ok(cpuSeconds(p.pid) - used < 0.3, `${cpuSeconds(p.pid) - used} s of processor time in 1.5 s`);
    for (const socket of sockets) socket.destroy();
    assert.equal((await p.raw('~HS')).length, 82);
    await p.stop();
  });
});
