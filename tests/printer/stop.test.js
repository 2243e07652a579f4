// What was accepted is printed, kept or named when the service ends: jobs answered with 202, jobs that the raw port and LPD have acknowledged, labels that wait.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { processorSeconds } from '../api/lib/processor.js';
import { HANG_MS, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const label = (text) => `^XA^FO50,50^A0N,50^FD${text}^FS^XZ`;
const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'platen-stop-'));
const deadline = { timeout: 4 * HANG_MS };
const folders = [];
after(() => { for (const dir of folders) fs.rmSync(dir, { recursive: true }); });
function temporary() {
  folders.push(folder());
  return folders.at(-1);
}

/** The texts of the labels that --keep has written, sorted. */
const kept = (dir) => fs.readdirSync(dir).filter((name) => name.endsWith('.zpl')).map((name) => /\^FD([^^]*)\^FS/.exec(fs.readFileSync(path.join(dir, name), 'latin1'))[1]).sort();

/** Sends SIGTERM and gives the exit status, and what standard error said since. */
async function end(service) {
  const before = service.output().length;
  const closed = once(service.child, 'close');
  service.child.kill('SIGTERM');
  const [status] = await closed;
  return { status, said: service.output().slice(before) };
}

const children = (pid) => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
const processes = (pid) => [pid, ...children(pid).flatMap(processes)];
const nameOf = (pid) => fs.readFileSync(`/proc/${pid}/comm`, 'latin1').trim();

/** Writes the bytes, ends its side, and goes on as soon as its own system has taken them: the printer may not have read a byte. */
async function throwIn(port, bytes) {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise((resolve) => socket.end(bytes, resolve));
}

/** What the last of `tries(boxes)` gives: each costs more to draw than the one before, until one was still being drawn when it mattered. */
async function whileDrawing(tries) {
  for (let boxes = 0; ; boxes = 2 * boxes + 20) {
    const got = await tries(boxes);
    if (got) return got;
  }
}

/** Ends it with --drain-timeout 0. False: all was printed by then, or a busy machine did not write the folder in the moment that is left. */
async function cutShort(service, state) {
  const { status, said } = await end(service);
  if (status === 3) assert.match(said, /the service ended first/);
  else assert.deepEqual([status <= 1, said], [true, '']); // 1: a connection over HTTP was cut
  return status !== 3 && fs.existsSync(path.join(state, 'dock.jobs'));
}

/** Bytes that the system of the other side has not acknowledged yet: they are not accepted. */
function unacknowledged({ localPort, remotePort }) {
  const hex = (port) => port.toString(16).toUpperCase().padStart(4, '0');
  const line = fs.readFileSync('/proc/net/tcp', 'latin1').split('\n').find((each) => new RegExp(`:${hex(localPort)} \\w+:${hex(remotePort)} `).test(each));
  return line ? parseInt(line.trim().split(/\s+/)[4], 16) : 0;
}

describe('SIGTERM', () => {
  test('all jobs that were answered with 202 are printed, with status 0', async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir, '--printer-labels', '10000']);
    const accepted = [];
    const sends = Array.from({ length: 8 }, async (_, lane) => {
      for (let i = 0; ; i++) {
        const text = `h${lane}-${i}`;
        const answer = await fetch(`${p.url}/api/printers/dock/print`, { method: 'POST', body: label(text) }).catch(() => null);
        if (!answer) return;
        await answer.arrayBuffer().catch(() => {});
        if (answer.status === 202) accepted.push(text);
        else if (answer.status !== 503) assert.fail(String(answer.status));
        if (accepted.length === 200) stopped = end(p);
      }
    });
    let stopped = null;
    await Promise.all(sends);
    const { status, said } = await stopped;
    assert.ok(accepted.length >= 200);
    assert.deepEqual([status, said], [0, '']);
    const printed = kept(dir);
    assert.deepEqual(accepted.filter((text) => !printed.includes(text)), []);
    assert.equal(new Set(printed).size, printed.length); // each once
  });

  test('a whole job on the raw port whose client has closed is printed, however early the signal comes', async () => {
    for (let round = 0; round < 4; round++) {
      const dir = temporary();
      const p = await startPrinters(['dock'], ['--keep', dir]);
      const texts = Array.from({ length: 100 }, (_, i) => `r${i}`);
      await Promise.all(texts.map((text) => throwIn(p.ports.dock, label(text))));
      const { status, said } = await end(p);
      assert.deepEqual([status, said], [0, '']);
      assert.deepEqual(kept(dir), [...texts].sort());
    }
  });

  test('a job by LPD that the port has acknowledged is printed', async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir], ',lpd=127.0.0.1:0');
    const texts = Array.from({ length: 40 }, (_, i) => `l${i}`);
    await Promise.all(texts.map((text) => throwIn(p.ports['dock:LPD'], `\x02lp\n\x03${label(text).length} dfA1\n${label(text)}\0`)));
    assert.deepEqual(await end(p), { status: 0, said: '' });
    assert.deepEqual(kept(dir), [...texts].sort());
  });

  test('a client that has closed without reading its answers loses none of its jobs', async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir]);
    const texts = Array.from({ length: 400 }, (_, i) => `q${i}`);
    const socket = net.connect(p.ports.dock, '127.0.0.1');
    await once(socket, 'connect');
    await p.state({ bufferFull: true }); // nothing is read: all of it waits in the system's buffer
    await new Promise((resolve) => socket.write(texts.map((text) => `~HS${label(text)}`).join(''), resolve));
    socket.destroy();
    await p.state({ bufferFull: false });
    assert.deepEqual(await end(p), { status: 0, said: '' });
    assert.deepEqual(kept(dir), [...texts].sort());
  });

  test('a job that is still being sent is finished; its client is answered', async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir]);
    const socket = net.connect(p.ports.dock, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('^XA^FO50,50^A0N,50^FDlate');
    await until(async () => (await p.printer()).inputBytes > 0);
    const stopped = end(p);
    await until(() => fetch(`${p.url}/api/health`).then(() => false, () => true), 'an end of new connections');
    socket.end('^FS^XZ^XA^HH^XZ');
    let answer = '';
    for await (const data of socket) answer += data;
    assert.match(answer, /PRINT WIDTH/);
    assert.deepEqual(await stopped, { status: 0, said: '' });
    assert.deepEqual(kept(dir), ['late']);
  });

  test('an idle connection ends at once; the rest of a format that does not come is told', async () => {
    const p = await startPrinters(['dock']);
    const idle = net.connect(p.ports.dock, '127.0.0.1'), half = net.connect(p.ports.dock, '127.0.0.1');
    half.on('error', () => {});
    half.write('^XA^FDhalf');
    await until(async () => (({ connections, inputBytes }) => connections === 2 && inputBytes > 0)(await p.printer()));
    const closed = once(idle.resume(), 'close');
    const { status, said } = await end(p);
    await closed;
    assert.equal(status, 0);
    assert.match(said, /^platen: printer dock: 127\.0\.0\.1:\d+ has sent 10 bytes of a job whose end did not come: not printed\n$/);
  });

  test('a refusal that waits is no loss, and is not kept', deadline, async () => {
    for (const state of [null, temporary()]) {
      const p = await startPrinters(['dock'], ['--printer-format-timeout', '100ms', ...(state ? ['--state', state] : [])]);
      await p.state({ paused: true });
      const half = net.connect(p.ports.dock, '127.0.0.1');
      half.on('error', () => {});
      half.write('^XA^FDhalf');
      await new Promise((resolve) => half.resume().on('close', resolve));
      const { status, said } = await end(p);
      assert.equal(status, 0, said);
      assert.doesNotMatch(said, /was not printed/);
      if (state) assert.ok(!fs.existsSync(path.join(state, 'dock.jobs')));
    }
  });

  test('the bytes of an unfinished job do not count answers that were not read', deadline, async () => {
    for (let taken = false; !taken;) {
      const p = await startPrinters(['dock'], ['--drain-timeout', '0ms']);
      const socket = net.connect(p.ports.dock, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.setNoDelay(true); // or the last bytes wait for an acknowledgement
      socket.pause();
      const send = (bytes) => new Promise((resolve) => socket.write(bytes, resolve));
      // More than 256 KiB of answers that are not read: then it is not read either.
      while ((await p.printer()).inputBytes <= 262144) await send('~HS'.repeat(1000));
      await send('^XA^FDhalf');
      // Mostly at once; else it is not accepted, and nobody knows when it will be: then once more.
      for (const late = performance.now() + 5000; !taken && performance.now() < late;) {
        taken = unacknowledged(socket) === 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { said } = await end(p);
      socket.destroy();
      if (taken) assert.match(said, /has sent 10 bytes of a job whose end did not come: not printed/);
    }
  });
});

describe('what cannot be printed in time', () => {
  test('is named on standard error and in the exit status', async () => {
    const p = await startPrinters(['dock'], ['--drain-timeout', '200ms']);
    await p.state({ slowMs: 3600000 });
    for (const text of ['first', 'second', 'third']) await p.raw(label(text));
    await p.next(0);
    await until(async () => (await p.printer()).labelsWaiting === 2);
    const { status, said } = await end(p);
    assert.equal(status, 3);
    const lines = said.trim().split('\n');
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /^platen: printer dock: job \d+ of 127\.0\.0\.1:\d+ \(\d+ bytes\), label 1 was not printed: the service ended first$/);
  });

  test('is not waited for where the printer is stopped', deadline, async () => {
    const p = await startPrinters(['dock'], ['--drain-timeout', '1h']);
    await p.state({ paused: true });
    await p.raw(label('waits'));
    await until(async () => (await p.printer()).labelsWaiting === 1);
    const { status } = await end(p);
    assert.equal(status, 3);
  });

  test('is kept in the folder of --state and printed at the next start, once, in order, with the memory of then', async () => {
    const state = temporary(), dir = temporary();
    let p = await startPrinters(['dock'], ['--state', state]);
    await p.raw('~DGR:X.GRF,8,1,FF81818181818 1FF^XA^DFE:F.ZPL^FO9,9^A0N,30^FN1^FS^XZ'.replace(' ', ''));
    await p.state({ paused: true });
    const drawn = ['a', 'b', 'c'].map((text) => `^XA^FO50,50^A0N,50^FD${text}^FS^FO9,99^XGR:X.GRF,1,1^FS^XZ`);
    for (const zpl of drawn) await p.raw(zpl);
    await until(async () => (await p.printer()).labelsWaiting === 3);
    assert.deepEqual(await end(p), { status: 0, said: '' });
    assert.ok(fs.existsSync(path.join(state, 'dock.jobs')));

    p = await startPrinters(['dock'], ['--state', state, '--keep', dir]);
    assert.ok(!fs.existsSync(path.join(state, 'dock.jobs')));
    let seq = 0;
    for (const zpl of drawn) {
      const got = await p.next(seq);
      assert.equal(got.zpl, zpl);
      assert.ok((await p.fetch(`/api/printers/dock/labels/${got.seq}.png`)).length > 100);
      seq = got.seq;
    }
    // Drive R: is as it was, and so is E:.
    const names = (await p.printer()).memory.map((object) => object.name);
    assert.ok(names.includes('R:X.GRF') && names.includes('E:F.ZPL'), names.join());
    assert.deepEqual(await end(p), { status: 0, said: '' });
    assert.deepEqual(kept(dir), ['a', 'b', 'c']);
  });

  const all = 2000, LARGE = ',size=8x12in,dpmm=24';
  const argsOf = (state) => ['--state', state, '--max-labels', String(all), '--printer-labels', String(all), '--printer-bytes', '1GiB'];
  const serial = (boxes) => `^XA^FO50,50^A0N,50^SN0001,1,Y^FS${'^FO1,1^GB4000,4000,1999^FS'.repeat(boxes)}^PQ${all}^XZ`;

  test('a job of many labels that is being drawn is continued where it was', deadline, async () => {
    const args = await whileDrawing(async (boxes) => {
      const state = temporary(), p = await startPrinters(['dock'], [...argsOf(state), '--drain-timeout', '0ms'], LARGE);
      await throwIn(p.ports.dock, serial(boxes));
      await until(async () => (await p.printer()).printed >= 3);
      return await cutShort(p, state) && argsOf(state);
    });
    const p = await startPrinters(['dock'], args, ',size=1x1in');
    const got = [];
    await until(async () => got.push(...(await p.labels(got.at(-1)?.seq ?? 0)).labels) && got.at(-1)?.index === all - 1);
    assert.ok(got.length <= all - 3);
    assert.deepEqual(got.map(({ index }) => index), Array.from(got, (_, i) => all - got.length + i)); // the rest, in order
    const texts = [got[0], got.at(-1)].map(async ({ seq }) => (await p.json(`/api/printers/dock/labels/${seq}.json`)).label.elements[0].text);
    assert.deepEqual(await Promise.all(texts), [String(all + 1 - got.length).padStart(4, '0'), String(all)]);
    assert.deepEqual(await end(p), { status: 0, said: '' });
  });

  test('labels and the rest of one job keep one number', deadline, async () => {
    const args = await whileDrawing(async (boxes) => {
      const state = temporary(), p = await startPrinters(['dock'], [...argsOf(state), '--drain-timeout', '0ms'], LARGE);
      await p.state({ paused: true });
      await throwIn(p.ports.dock, serial(boxes));
      const waited = await until(async () => (({ labelsWaiting }) => labelsWaiting >= 3 && labelsWaiting)(await p.printer()));
      return await cutShort(p, state) && waited < all && argsOf(state);
    });
    const p = await startPrinters(['dock'], args, ',size=1x1in');
    const got = [];
    await until(async () => got.push(...(await p.labels(got.at(-1)?.seq ?? 0)).labels) >= all);
    assert.deepEqual([...new Set(got.map(({ job }) => job))], [got[0].job]);
    await throwIn(p.ports.dock, label('another'));
    assert.ok((await p.next(got.at(-1).seq)).job > got[0].job);
    assert.deepEqual(await end(p), { status: 0, said: '' });
  });

  test('stored data that waited was taken for code of another language after a restart', deadline, async () => {
    const data = '! 0 200 200 200 1\r\nT 7 0 20 20 x\r\nFORM\r\n'.repeat(9);
    const args = await whileDrawing(async (boxes) => {
      const state = temporary(), p = await startPrinters(['dock'], [...argsOf(state), '--drain-timeout', '0ms'], `${LARGE},language=tspl`);
      await p.state({ paused: true });
      await throwIn(p.ports.dock, `CLS\r\nSET COUNTER @1 1\r\n@1="0001"\r\nTEXT 9,9,"3",0,1,1,@1\r\n${'BAR 1,1,4000,4000\r\n'.repeat(boxes)}PRINT ${all}\r\n`);
      await until(async () => (await p.printer()).labelsWaiting >= 3);
      await throwIn(p.ports.dock, `DOWNLOAD "A.BAS"\r\n${data}EOP\r\n`);
      const waits = await until(async () => (({ jobsWaiting, labelsWaiting }) => (jobsWaiting >= 2 ? 'yes' : labelsWaiting === all && 'no'))(await p.printer()));
      return await cutShort(p, state) && waits === 'yes' && argsOf(state);
    });
    const p = await startPrinters(['dock'], args, ',language=tspl,size=1x1in');
    await until(async () => (await p.printer()).jobsWaiting === 0);
    const printer = await p.printer();
    assert.deepEqual(printer.memory.filter(({ name }) => name.includes('A.BAS')).map(({ bytes }) => bytes), [data.length]);
    assert.equal(printer.refused, 0);
    assert.deepEqual(await end(p), { status: 0, said: '' });
  });

  test('POST /zpl showed the label that another client had sent before a restart', deadline, async () => {
    const args = ['--printer-pages', 'on', '--state', temporary()];
    const preview = (service, text, signal) => fetch(`${service.url}/zpl`, { method: 'POST', body: new URLSearchParams({ data: label(text) }), signal });
    let p = await startPrinters(['dock'], args);
    await p.state({ paused: true });
    const gone = new AbortController(), first = preview(p, 'of the first', gone.signal).catch(() => {});
    await until(async () => (await p.printer()).labelsWaiting === 1);
    gone.abort();
    await first;
    assert.deepEqual(await end(p), { status: 0, said: '' });
    p = await startPrinters(['dock'], args);
    assert.equal((await p.next(0)).zpl, label('of the first'));
    const [, seq] = /R:__TMP(\d+)\.PNG/.exec(await (await preview(p, 'of the second')).text());
    assert.equal((await p.json(`/api/printers/dock/labels/${seq}.json`)).zpl, label('of the second'));
    assert.deepEqual(await end(p), { status: 0, said: '' });
  });

  test('is named where the folder of --state cannot be written', { skip: process.getuid() === 0 && 'root writes everywhere' }, async () => {
    const state = temporary();
    const p = await startPrinters(['dock'], ['--state', state]);
    await p.state({ paused: true });
    await p.raw(label('waits'));
    await until(async () => (await p.printer()).labelsWaiting === 1);
    fs.chmodSync(state, 0o500);
    const { status, said } = await end(p);
    fs.chmodSync(state, 0o700);
    assert.equal(status, 3);
    assert.match(said, /was not printed/);
  });

  test('a file of kept jobs that is empty or damaged was accepted, or kept the service from starting: it is set aside', deadline, async () => {
    const state = temporary(), file = path.join(state, 'dock.jobs');
    let p = await startPrinters(['dock'], ['--state', state]);
    await p.state({ paused: true });
    await p.raw(label('waits'));
    await until(async () => (await p.printer()).labelsWaiting === 1);
    assert.deepEqual(await end(p), { status: 0, said: '' });
    const whole = fs.readFileSync(file), changed = Buffer.from(whole);
    changed[changed.indexOf('waits')] ^= 1;
    for (const [i, bytes] of [Buffer.alloc(0), Buffer.from('platen-jobs-1\n\x01'), whole.subarray(0, whole.length - 1), changed].entries()) {
      fs.writeFileSync(file, bytes);
      p = await startPrinters(['dock'], ['--state', state]);
      const aside = `${file}.damaged${i ? `-${i + 1}` : ''}`;
      assert.ok(p.output().includes(`platen: --state: ${file} is damaged: its jobs are not printed. It is now ${aside}\n`), p.output());
      assert.deepEqual(fs.readFileSync(aside), bytes);
      await p.raw(label('next'));
      assert.equal((await p.next(0)).zpl, label('next'));
      assert.deepEqual(await end(p), { status: 0, said: '' });
    }
    fs.writeFileSync(file, whole);
    p = await startPrinters(['dock'], ['--state', state]);
    assert.equal((await p.next(0)).zpl, label('waits'));
    assert.deepEqual(await end(p), { status: 0, said: '' });
    assert.deepEqual(fs.readdirSync(state).filter((name) => /jobs$|taken|new/.test(name)), []);
  });

  test('a file of memory that is too large was overwritten without a word: it is set aside; an empty one is the memory of a printer that holds nothing', deadline, async () => {
    const state = temporary(), file = path.join(state, 'dock.zpl');
    fs.writeFileSync(file, '');
    let p = await startPrinters(['dock'], ['--state', state]);
    assert.ok(!p.output().includes('--state'), p.output());
    assert.deepEqual(await end(p), { status: 0, said: '' });
    fs.truncateSync(file, 2 ** 30 + 1);
    p = await startPrinters(['dock'], ['--state', state]);
    assert.ok(p.output().includes(`platen: --state: ${file} is too large: the printer starts without what it holds. It is now ${file}.damaged\n`), p.output());
    assert.equal(fs.statSync(`${file}.damaged`).size, 2 ** 30 + 1);
    await p.raw('^XA^DFE:NEW.ZPL^FS^XZ');
    await until(() => fs.existsSync(file));
    assert.deepEqual(await end(p), { status: 0, said: '' });
  });

  test('two services with one folder of --state printed kept jobs twice: the second one does not start', deadline, async () => {
    const state = temporary();
    const p = await startPrinters(['dock'], ['--state', state]);
    await assert.rejects(startPrinters(['dock'], ['--state', state]), new RegExp(`ended with 1: platen serve: --state: another service uses the folder ${state}`));
    assert.deepEqual(await end(p), { status: 0, said: '' });
    const next = await startPrinters(['dock'], ['--state', state]);
    assert.deepEqual(await end(next), { status: 0, said: '' });
  });

  test('an accepted job that could not be drawn is named, or kept, also where the printer is paused', deadline, async () => {
    for (const state of [null, temporary()]) {
      const args = state ? ['--state', state] : [];
      let p = await startPrinters(['dock'], ['--render-timeout', '1ms', ...args], ',size=8x12in,dpmm=24');
      // The time limit is that of requests, too: on a busy machine they are tried again.
      const refused = async () => Number((await until(async () => /printer_refused_total (\d+)/.exec(await (await fetch(`${p.url}/metrics`)).text())))[1]);
      await p.raw(label('first'));
      await until(async () => (await p.next(0)).seq); // printed or refused: the printer's own first job, which may be refused as well, is done
      await until(async () => (await p.state({ paused: true })).paused);
      const before = await refused();
      await p.raw(label('slow').replace('^FS', `^FS${'^FO1,1^GB4000,4000,1999^FS'.repeat(2000)}`)); // it is closed when the job is done
      assert.equal(await refused(), before + 1);
      const { status, said } = await end(p);
      if (!state) {
        assert.equal(status, 3);
        assert.match(said, /platen: printer dock: job \d+ of 127\.0\.0\.1:\d+ \(\d+ bytes\) was not printed: .* longer than (the|its) time limit/);
        continue;
      }
      assert.deepEqual([status, said], [0, '']);
      p = await startPrinters(['dock'], args);
      const got = await p.next(0);
      assert.ok(got.refused);
      assert.match(got.reason, /longer than (the|its) time limit/);
      assert.deepEqual(await end(p), { status: 0, said: '' });
    }
  });

  test('jobs for --forward that a silent host has not taken are counted', async () => {
    const host = net.createServer((socket) => socket.pause()).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const p = await startPrinters(['dock'], ['--forward', `127.0.0.1:${host.address().port}`, '--drain-timeout', '0ms']);
    const large = `^XA^FX${'x'.repeat(4000000)}^FS^XZ`;
    for (let i = 0; i < 4; i++) await p.raw(large);
    const { status, said } = await end(p);
    host.close();
    assert.equal(status, 3);
    assert.match(said, /platen: \d jobs for --forward were not delivered: the service ended first/);
  });
});

describe('a stop that takes no longer than it may', () => {
  test('a flood of ~JR or ~JA held the stop for minutes: each looked at all before it', deadline, async () => {
    for (const command of ['~JR', '~JA', '~JR^XA^XZ', '~JA! U1 setvar "print.tone" "7"\r\n']) {
      const p = await startPrinters(['dock'], ['--drain-timeout', '0ms']);
      await p.state({ bufferFull: true }); // nothing is read: all of it waits in the system's buffers
      const sockets = Array.from({ length: 24 }, () => net.connect(p.ports.dock, '127.0.0.1').on('error', () => {}));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      for (const socket of sockets) socket.write(command.repeat(100000));
      await until(async () => (await p.printer()).connections === sockets.length);
      // What the processes have computed, as long as they are there.
      const before = processorSeconds(p.pid);
      let after = before;
      const look = setInterval(() => { after = Math.max(after, processorSeconds(p.pid)); }, 50);
      const { status, said } = await end(p);
      clearInterval(look);
      assert.ok([0, 1, 3].includes(status), String(status)); // 1: HTTP was cut; 3: there was more than could be read in time
      assert.doesNotMatch(said, /of reset/); // the next start is one
      assert.ok(after - before < 20, `${command}: ${after - before} s`);
      for (const socket of sockets) socket.destroy();
    }
  });

  test('a stopped printer that has no room for more input was waited for until --drain-timeout', deadline, async () => {
    const state = temporary(), texts = Array.from({ length: 900 }, (_, i) => `p${i}`);
    let p = await startPrinters(['dock'], ['--state', state, '--drain-timeout', '1h']);
    await p.state({ paused: true });
    const socket = net.connect(p.ports.dock, '127.0.0.1').on('error', () => {});
    socket.write(texts.map(label).join(''));
    // It is full, and stays so until half of its jobs are left; the rest waits in the system's buffer.
    await until(async () => (await p.printer()).labelsWaiting >= 256 && (await p.printer()).jobsWaiting > 128);
    assert.deepEqual(await end(p), { status: 0, said: '' });
    socket.destroy();
    p = await startPrinters(['dock'], ['--state', state, '--printer-labels', '1000']);
    await until(async () => (await p.printer()).printed >= texts.length);
    const got = [...(await p.labels(0)).labels];
    got.push(...(await p.labels(got.at(-1).seq)).labels);
    assert.equal(got.length, texts.length);
    assert.deepEqual(await end(p), { status: 0, said: '' });
  });

  test('the keeper held the listening sockets during the drain: a new service could not bind', deadline, async () => {
    const p = await startPrinters(['dock'], ['--drain-timeout', '1h']);
    await p.state({ slowMs: 3600000 });
    for (const text of ['first', 'second']) await p.raw(label(text));
    await p.next(0);
    await until(async () => (await p.printer()).labelsWaiting === 1);
    const closed = once(p.child, 'close');
    p.child.kill('SIGTERM');
    const refused = () => new Promise((resolve) => net.connect(p.ports.dock, '127.0.0.1').on('connect', function connected() { this.destroy(); resolve(false); }).on('error', () => resolve(true)));
    await until(refused);
    const other = await startPrinters([], ['--printer', `name=dock,listen=127.0.0.1:${p.ports.dock}`]);
    await other.stop();
    p.child.kill('SIGTERM'); // it has an hour otherwise
    await closed;
  });
});

describe('a second signal', () => {
  test('after the printers were closed ended with status 1, or crashed', deadline, async () => {
    for (let i = 0; i < 10; i++) {
      const p = await startPrinters(['dock'], ['--state', temporary()]);
      const closed = once(p.child, 'close');
      p.child.kill('SIGTERM');
      while (fs.readdirSync(`/proc/${p.child.pid}/task`).length > 1); // its threads have ended; nobody has taken its status yet
      p.child.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
    }
  });

  const refused = (port) => new Promise((resolve) => net.connect(port, '127.0.0.1').on('connect', function connected() { this.destroy(); resolve(false); }).on('error', () => resolve(true)));
  const healthy = (url) => fetch(`${url}/api/health`).then((answer) => answer.status === 200, () => false);
  for (const [moment, args] of [['in the drain', ['--drain-timeout', '1h']], ['in the drain delay', ['--drain-delay', '1h', '--drain-timeout', '1h']]]) {
    test(`${moment} lost all that was not printed, also with --state`, deadline, async () => {
      for (const state of [temporary(), null]) {
        const p = await startPrinters(['dock'], [...args, ...(state ? ['--state', state] : [])]);
        await p.state({ slowMs: 3600000 });
        for (const text of ['first', 'second', 'third']) await p.raw(label(text));
        await p.next(0);
        await until(async () => (await p.printer()).labelsWaiting === 2);
        const before = p.output().length, closed = once(p.child, 'close');
        p.child.kill('SIGTERM');
        await until(moment === 'in the drain' ? () => refused(p.ports.dock) : async () => !(await healthy(p.url)));
        p.child.kill('SIGTERM');
        const [status, signal] = await closed, said = p.output().slice(before);
        assert.equal(signal, null);
        if (!state) {
          assert.equal(status, 3);
          assert.equal(said.match(/^platen: printer dock: job \d+ of .*, label 1 was not printed: the service ended first$/mg)?.length, 2);
          continue;
        }
        assert.ok(status === 0 || status === 1, String(status)); // 1: HTTP was cut
        assert.equal(said, '');
        const next = await startPrinters(['dock'], ['--state', state]);
        let seq = 0;
        for (const text of ['second', 'third']) {
          const got = await next.next(seq);
          assert.equal(got.zpl, label(text));
          seq = got.seq;
        }
        assert.deepEqual(await end(next), { status: 0, said: '' });
      }
    });
  }
});

test('SIGHUP to all processes, as from a terminal that closes, ends none of them', deadline, async () => {
  const dir = temporary();
  const got = [];
  const printer = net.createServer({ allowHalfOpen: true }, (socket) => socket.on('data', (data) => got.push(data.toString())).on('end', () => socket.end()).on('error', () => {})).listen(0, '127.0.0.1');
  await once(printer, 'listening');
  const address = `127.0.0.1:${printer.address().port}`;
  const p = await startPrinters(['dock'], ['--keep', dir, '--forward', address, '--print-to', address]);
  const all = processes(p.child.pid);
  for (const name of ['platen-files', 'platen-forward', 'platen-print-to']) assert.ok(all.some((pid) => nameOf(pid) === name), name);
  for (const pid of all) process.kill(pid, 'SIGHUP');
  await p.raw(label('after'));
  const { seq } = await p.next(0);
  assert.equal((await p.json(`/api/printers/dock/labels/${seq}/print-to?host=${address}`, { method: 'POST', body: '' })).status, 202);
  const { status, said } = await end(p);
  printer.close();
  assert.equal(status, 0, said);
  assert.deepEqual(kept(dir), ['after']);
  assert.equal(got.join('').match(/FDafter/g).length, 2);
});
