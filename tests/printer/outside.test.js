// What leaves the printers is there or is named: files of --keep, jobs for --forward and --print-to, lines on standard error.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { mayEnd, watch } from '../api/lib/children.js';
import { until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const deadline = { timeout: 120000 };
const label = (text) => `^XA^FO50,50^A0N,50^FD${text}^FS^XZ`;
const folders = [];
after(() => { for (const dir of folders) fs.rmSync(dir, { recursive: true, force: true }); });
function temporary() {
  folders.push(fs.mkdtempSync(path.join(os.tmpdir(), 'platen-outside-')));
  return folders.at(-1);
}
async function end(service) {
  const before = service.output().length;
  const closed = once(service.child, 'close');
  service.child.kill('SIGTERM');
  const [status] = await closed;
  return { status, said: service.output().slice(before) };
}
/** A printer for --forward: what it got, and what it does with each connection. */
async function host(take) {
  const got = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    take(socket, got);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { got, address: `127.0.0.1:${server.address().port}`, close: () => server.close() };
}
/** As a printer does: takes all, and ends when its client has. */
const orderly = (socket, got) => socket.on('data', (data) => got.push(data.toString())).on('end', () => socket.end());

describe('--keep', () => {
  test('files of the service before were overwritten after a fast restart: numbers begin at 1 again', deadline, async () => {
    const dir = temporary();
    // The clock of the names has seconds: all labels of three starts in one second have the same names.
    let texts = [];
    for (let second = -1; ;) {
      const p = await startPrinters(['dock'], ['--keep', dir]);
      const text = `s${texts.length}`;
      await p.raw(label(text));
      const { time } = await p.next(0);
      await end(p);
      texts.push(text);
      const now = Math.floor(Date.parse(time) / 1000);
      if (now === second) break; // two have the same name
      second = now;
      // Otherwise the next one shall have it: the files get the name that it will have.
      for (const name of fs.readdirSync(dir).filter((each) => /^dock-\d+-00000001\.\w+$/.test(each))) {
        for (let later = 0; later < 60; later++) fs.copyFileSync(path.join(dir, name), path.join(dir, `dock-${now + later}-00000001${path.extname(name)}`));
      }
      if (texts.length === 2) break;
    }
    const all = fs.readdirSync(dir).filter((name) => name.endsWith('.zpl'));
    for (const text of texts) assert.ok(all.some((name) => fs.readFileSync(path.join(dir, name), 'latin1') === label(text)), text);
    const [second] = all.filter((name) => name.endsWith('-2.zpl'));
    assert.ok(second, all.join());
    assert.equal(JSON.parse(fs.readFileSync(path.join(dir, second.replace('zpl', 'json')))).zpl, fs.readFileSync(path.join(dir, second), 'latin1'));
    assert.ok(!fs.readdirSync(dir).some((name) => name.endsWith('.new')));
  });

  test('a folder that has gone was not noticed: no notKept, exit status 0', deadline, async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir]);
    fs.rmSync(dir, { recursive: true });
    await p.raw(label('lost'));
    const { seq } = await p.next(0);
    await until(async () => (await p.printer()).notKept === 1);
    assert.match((await p.json(`/api/printers/dock/labels/${seq}.json`)).notKept, /could not be written/);
    assert.match((await p.labels(0)).labels[0].notKept, /could not be written/);
    assert.match(await (await fetch(`${p.url}/metrics`)).text(), /platen_printer_outside_failed_total 1/);
    const { status, said } = await end(p);
    assert.equal(status, 3);
    assert.match(p.output(), /platen: cannot write \S+dock-\d+-00000001\.zpl: No such file or directory/);
    assert.match(said, /platen: 1 files of --state and --keep had not been delivered before/);
  });

  test('printer_outside_failed_total did not count the last failure before something else happened', deadline, async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir]);
    fs.rmSync(dir, { recursive: true });
    await p.raw(label('lost'));
    await until(async () => /platen_printer_outside_failed_total 1/.test(await (await fetch(`${p.url}/metrics`)).text())); // nobody asks for anything else
    assert.equal((await end(p)).status, 3);
  });

  test('JSON of more than 16 MiB was left out, and only the label said so', deadline, async () => {
    const dir = temporary();
    const p = await startPrinters(['dock'], ['--keep', dir]);
    await p.raw(`^XA^FX${'\x01'.repeat(3000000)}^FS^FO50,50^A0N,50^FDlarge^FS^XZ`); // six characters of JSON for each
    await until(async () => (await p.labels(0)).labels[0]?.notKept === 'its JSON has more than 16 MiB');
    await until(async () => (await p.printer()).notKept === 1);
    assert.match(await (await fetch(`${p.url}/metrics`)).text(), /platen_printer_outside_failed_total 1/);
    await p.raw(label('small'));
    const { status, said } = await end(p);
    assert.equal(status, 3);
    assert.match(p.output(), /platen: \S+dock-\d+-00000001\.json is not written: it would have more than 16 MiB/);
    assert.match(said, /platen: 1 files of --state and --keep had not been delivered before/);
    assert.deepEqual(fs.readdirSync(dir).map((name) => name.replace(/^dock-\d+-/, '')).sort(),
      ['00000001.png', '00000001.zpl', '00000002.json', '00000002.png', '00000002.zpl']);
  });
});

describe('--forward', () => {
  test('jobs that a host does not take counted as done, with exit status 0', deadline, async () => {
    const nobody = await host(() => {});
    nobody.close();
    const p = await startPrinters(['dock'], ['--forward', nobody.address]);
    await p.raw(label('nowhere'));
    await until(async () => (await p.printer()).notForwarded === 1);
    const { status, said } = await end(p);
    assert.equal(status, 3);
    assert.match(p.output(), /platen: printer dock: job \d+ \(\d+ bytes\) was not forwarded to 127\.0\.0\.1:\d+: Connection refused/);
    assert.match(said, /platen: 1 jobs for --forward had not been delivered before/);
  });

  test('a connection that is reset after the job was written has not delivered it', deadline, async () => {
    const rude = await host((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const p = await startPrinters(['dock'], ['--forward', rude.address]);
    await p.raw(label('reset'));
    await until(async () => (await p.printer()).notForwarded === 1);
    const { status } = await end(p);
    rude.close();
    assert.equal(status, 3);
    assert.match(p.output(), /was not forwarded to 127\.0\.0\.1:\d+: (Connection reset by peer|Broken pipe)/);
  });

  test('all jobs arrive once and in order, and the end waits for the printer to have them', deadline, async () => {
    const real = await host(orderly);
    const p = await startPrinters(['dock'], ['--forward', real.address]);
    const texts = Array.from({ length: 150 }, (_, i) => `f${i}`);
    await p.raw(texts.map(label).join(''));
    assert.deepEqual(await end(p), { status: 0, said: '' });
    real.close();
    assert.equal(real.got.join(''), texts.map(label).join(''));
  });

  test('a printer that does not end its side has them when its system has acknowledged them', deadline, async () => {
    const stubborn = await host((socket, got) => socket.on('data', (data) => got.push(data.toString())));
    const p = await startPrinters(['dock'], ['--forward', stubborn.address]);
    await p.raw(label('kept open'));
    assert.deepEqual(await end(p), { status: 0, said: '' });
    stubborn.close();
    assert.equal(stubborn.got.join(''), label('kept open'));
  });
});

describe('--forward to one who talks', () => {
  test('a byte a second of an answer held up all further jobs: two seconds are for each byte', deadline, async () => {
    const talkers = new Set();
    const slow = await host((socket, got) => {
      socket.on('data', (data) => got.push(data.toString())).on('end', () => {
        const timer = setInterval(() => socket.write('.'), 500);
        talkers.add(socket);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const p = await startPrinters(['dock'], ['--forward', slow.address]);
    await p.raw(label('one'));
    await until(() => talkers.size > 0); // the first connection has ended, on our side
    await p.raw(label('two'));
    assert.deepEqual(await end(p), { status: 0, said: '' });
    slow.close();
    assert.equal(slow.got.join(''), label('one') + label('two'));
  });
});

describe('--print-to', () => {
  test('a job that was dropped was answered with 202', deadline, async () => {
    const silent = await host((socket) => socket.pause());
    const p = await startPrinters(['dock'], ['--print-to', silent.address, '--max-body', '32MiB', '--drain-timeout', '0ms']);
    const send = () => fetch(`${p.url}/api/print?host=${silent.address}`, { method: 'POST', body: Buffer.alloc(30 << 20, 'x') });
    let answer;
    for (let i = 0; i < 8 && answer?.status !== 503; i++) answer = await send(); // 64 MiB wait at most
    assert.equal(answer.status, 503);
    assert.equal((await answer.json()).code, 'printer_busy');
    const { status, said } = await end(p);
    silent.close();
    assert.equal(status, 3);
    assert.match(said, /jobs for --print-to had not been delivered before/);
  });
});

describe('standard error', () => {
  /** A service whose standard error is a pipe that is full, and that nobody reads. */
  async function startFull(...args) {
    const fifo = path.join(temporary(), 'stderr');
    assert.equal(spawnSync('mkfifo', [fifo]).status, 0);
    const reader = fs.openSync(fifo, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const writer = fs.openSync(fifo, fs.constants.O_WRONLY), filler = fs.openSync(fifo, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
    const child = spawn(`${process.env.BUILD || 'build'}/platen`, ['serve', '--listen', '127.0.0.1:0', '--log', 'off', '--drain-delay', '0', ...args], { stdio: ['ignore', 'pipe', writer] });
    watch(child);
    fs.closeSync(writer);
    let out = '';
    await new Promise((resolve) => {
      child.stdout.on('data', (data) => {
        out += data;
        if (/listening on/.test(out)) resolve();
      });
    });
    let said = '';
    try {
      const begin = Buffer.alloc(65536);
      said = begin.toString('latin1', 0, fs.readSync(reader, begin));
    } catch (error) {
      assert.equal(error.code, 'EAGAIN'); // it said nothing
    }
    try {
      for (;;) fs.writeSync(filler, Buffer.alloc(4096, '.')); // what the service says comes on top
    } catch (error) {
      assert.equal(error.code, 'EAGAIN');
    }
    fs.closeSync(filler);
    const finish = async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const [status] = await exited;
      fs.closeSync(reader);
      return status;
    };
    return { child, said, url: /listening on (\S+)/.exec(out)[1], finish };
  }

  test('a pipe that is full and not read stopped all printers, and SIGTERM', deadline, async () => {
    const { said, url, finish } = await startFull('--printer', 'name=dock,listen=127.0.0.1:0', '--printer-client-connections', '1');
    const port = Number(/printer dock on \S+:(\d+)/.exec(said)[1]);
    // The second connection ends the first one, whose format is unfinished: a line.
    const half = net.connect(port, '127.0.0.1').on('error', () => {});
    half.write('^XA^FDhalf');
    await until(async () => (await (await fetch(`${url}/api/printers/dock`)).json()).inputBytes > 0);
    const gone = new Promise((resolve) => half.resume().on('close', resolve));
    const whole = net.connect(port, '127.0.0.1').on('error', () => {});
    whole.end(label('after'));
    await gone;
    await until(async () => (await (await fetch(`${url}/api/printers/dock`)).json()).printed > 0);
    const status = await finish();
    assert.ok(status === 0 || status === 1, String(status));
  });

  test('a pipe that is full stopped the reading of keys: a key that was removed stayed valid, and SIGTERM did nothing', deadline, async () => {
    const keys = path.join(temporary(), 'keys');
    const write = (key) => { fs.writeFileSync(`${keys}.new`, `${key}\n`); fs.renameSync(`${keys}.new`, keys); };
    const old = 'first-key-of-the-test', next = 'second-key-of-the-test', last = 'third-key-of-the-test';
    write(old);
    const { child, url, finish } = await startFull('--api-key-file', keys);
    const status = async (key) => (await fetch(`${url}/api/render/png`, { method: 'POST', body: label('x'), headers: { 'X-API-Key': key, 'Content-Type': 'text/plain' } })).status;
    assert.equal(await status(old), 200);
    for (const key of [next, last]) {
      write(key);
      child.kill('SIGHUP');
      await until(async () => (await status(key)) === 200);
    }
    assert.deepEqual([await status(old), await status(next)], [401, 401]);
    assert.equal(await finish(), 0);
  });
});

describe('the start', () => {
  test('SIGTERM between the first socket and the last step of the start lost jobs that were acknowledged', deadline, async () => {
    for (let round = 0; round < 4; round++) {
      const dir = temporary();
      const child = spawn(`${process.env.BUILD || 'build'}/platen`, ['serve', '--listen', '127.0.0.1:0', '--printer', 'name=dock,listen=127.0.0.1:0', '--keep', dir, '--log', 'off', '--drain-delay', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
      mayEnd(child);
      let err = '';
      const port = await new Promise((resolve) => {
        child.stderr.on('data', (data) => {
          err += data;
          const found = /printer dock on \S+:(\d+)/.exec(err);
          if (!found) return;
          child.kill('SIGSTOP'); // its system takes the job, it does not
          resolve(Number(found[1]));
        });
      });
      const socket = net.connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      await new Promise((resolve) => socket.end(label('early'), resolve));
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      child.kill('SIGCONT');
      const [status, signal] = await closed;
      assert.deepEqual([status, signal], [0, null], err);
      assert.equal(fs.readdirSync(dir).filter((name) => name.endsWith('.zpl')).length, 1);
    }
  });
});
