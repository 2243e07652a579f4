// Turns of clients: nobody who floods a virtual printer holds up the label of another.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, test } from 'node:test';
import { sleep, until } from '../api/lib/until.js';
import { raw, startPrinters } from './printer.js';

const WAITING = 256; // labels that are drawn ahead of a stopped printer

/** A connection from another address; what it sends may never be read. */
async function flood(port, text, from = '127.0.0.2') {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(text);
  return socket;
}

describe('jobs', () => {
  const TINY = '^XA^FDx^FS^XZ';
  for (const [what, begin] of [
    ['tiny formats on the raw port', async (p) => [await flood(p.ports.dock, TINY.repeat(20000)), await flood(p.ports.dock, TINY.repeat(20000))]],
    ['tiny formats by LPD, in a file that is held', async (p) => [await flood(p.ports['dock:LPD'], `\x02lp\n\x03${TINY.length * 19000} dfA1\n${TINY.repeat(19000)}\0`)]],
    ['tiny formats by LPD, in a large file', async (p) => [await flood(p.ports['dock:LPD'], `\x02lp\n\x03${TINY.length * 40000} dfA1\n${TINY.repeat(40000)}\0`)]],
    ['a request of 10,000 formats', async (p) => { assert.equal((await p.json('/api/printers/dock/print', { method: 'POST', body: TINY.repeat(10000) })).jobs, 10000); return []; }],
  ]) {
    test(`a flood of ${what} does not hold up the label of another client`, async () => {
      const p = await startPrinters(['dock'], [], ',lpd=127.0.0.1:0');
      await p.state({ paused: true });
      const sockets = await begin(p);
      const asks = await flood(p.ports.dock, '', '127.0.0.4');
      const isFull = async () => {
        asks.resume().write('~HS');
        const answer = await Promise.race([once(asks, 'data'), sleep(2000)]); // asked again if it does not come
        return answer?.[0].toString('latin1').split(',')[5] === '1';
      };
      await until(async () => (await p.printer()).labelsWaiting >= WAITING && (await isFull()));
      const { jobsWaiting } = await p.printer();
      assert.ok(sockets.length === 0 || jobsWaiting <= 256, `${jobsWaiting} jobs wait`);
      const mine = await flood(p.ports.dock, '^XA^FO9,9^FDmine^FS^XZ', '127.0.0.3');
      await until(async () => (await p.printer()).jobsWaiting > jobsWaiting);
      await p.state({ paused: false });
      const { seq } = await p.next(0, 120, 'FDmine');
      assert.ok(seq <= WAITING + 4, `it is label ${seq}`);
      for (const socket of [mine, asks, ...sockets]) socket.resetAndDestroy();
      await p.reset();
      await p.stop();
    });
  }

  test('a setting behind a flood does not hold up the settings of another client, nor its labels after them', async () => {
    const p = await startPrinters(['dock']);
    const tone = (value) => `! U1 setvar "print.tone" "${value}"\r\n`, ask = '! U1 getvar "print.tone"\r\n';
    await p.state({ paused: true });
    const theirs = await flood(p.ports.dock, TINY.repeat(WAITING + 100) + tone(5));
    await until(async () => (await p.printer()).jobsWaiting === 101);
    const mine = await flood(p.ports.dock, `${tone(7)}^XA^FO9,9^FDmine^FS^XZ^XA^FO9,9^FDagain^FS^XZ`, '127.0.0.3');
    await until(async () => (await p.printer()).jobsWaiting === 104);
    assert.equal((await raw(p.ports.dock, ask)).toString(), '"7.0"'); // what was set last
    await p.state({ paused: false });
    for (const text of ['FDmine', 'FDagain']) {
      const { seq } = await p.next(0, 120, text);
      assert.ok(seq <= WAITING + 8, `${text} is label ${seq}`);
    }
    await until(async () => (await p.printer()).lastSeq === WAITING + 102 && (await raw(p.ports.dock, ask)).toString() === '"5.0"'); // what was drawn last
    for (const socket of [mine, theirs]) socket.resetAndDestroy();
    await p.stop();
  });

  test('a format whose labels are costly each has the time of one format, so others have their turn', async () => {
    const p = await startPrinters(['dock'], ['--render-timeout', '2s']);
    const costly = `^XA^PW800^LL1200${'^FO0,0^GB800,1200,600^FS^FO0,0^FR^GB800,1200,600^FS'.repeat(2000)}^FO9,9^SN001,1,Y^FS^PQ500,0,0^XZ`;
    const socket = await flood(p.ports.dock, costly.repeat(3));
    await until(async () => (await p.printer()).jobsWaiting > 0);
    const mine = await flood(p.ports.dock, '^XA^FO9,9^FDmine^FS^XZ', '127.0.0.3');
    const label = await p.next(0, 120, 'FDmine');
    const { labels } = await p.labels();
    const refused = labels.filter(({ refused }) => refused);
    assert.ok(label.seq && refused.length >= 1 && refused.length <= 2, JSON.stringify(refused));
    assert.match(refused[0].reason, /time limit/);
    socket.resetAndDestroy();
    mine.resetAndDestroy();
    await p.reset();
    await p.stop();
  });
});

describe('answers', () => {
  for (const [what, kind, query, answer] of [['~HS', '', '~HS', 82], ['^HH', '', '^XA^HH^XZ', 4096], ['JSON', ':JSON', '{"allvalues":null}', 8192], ['garbage and JSON', ':JSON', '{{]}x{"device":null}', 4096]]) {
    test(`a client that does not read its answers to ${what} is not read, and others are answered`, async () => {
      const p = await startPrinters(['dock', 'other'], [], ',json=127.0.0.1:0');
      const sockets = await Promise.all(Array.from({ length: 4 }, () => flood(p.ports[`dock${kind}`], query.repeat(300000))));
      let most = 0;
      for (let last = -1, same = 0; same < 20;) {
        const { inputBytes, jobsWaiting } = await p.printer('dock');
        most = Math.max(most, inputBytes);
        assert.equal((await raw(p.ports.other, '~HS')).length, 82);
        same = inputBytes === last && jobsWaiting === 0 && inputBytes > 0 ? same + 1 : 0;
        last = inputBytes;
      }
      // 256 KiB for each, and the answers to what was asked when that was reached: how many that were, the machine decides.
      assert.ok(most <= 4 * ((256 << 10) + 1000 * answer), `${most} bytes are held`);
      for (const socket of sockets) socket.resetAndDestroy();
      // Both: a connection whose end was not seen yet has more to be read, which the service would name when it ends.
      await until(async () => { const { inputBytes, connections } = await p.printer('dock'); return inputBytes === 0 && connections === 0; });
      await p.stop();
    });
  }
});

test('searches for match= in all labels do not hold up the answers of a printer', async () => {
  const p = await startPrinters(['dock']);
  const large = `^XA^FX${'x'.repeat(1000000)}^FS^FO9,9^GB9,9,9^FS^XZ`;
  for (let i = 0; i < 20; i++) await p.json('/api/printers/dock/print', { method: 'POST', body: large });
  await until(async () => (await p.printer()).labels === 20);
  const count = 40;
  let searched = 0;
  const searches = Array.from({ length: count }, async () => {
    const { labels, next, lastSeq } = await p.json(`/api/printers/dock/labels?match=xy`);
    searched++;
    assert.deepEqual([labels.length, next], [0, lastSeq]);
  });
  await Promise.race(searches);
  for (let i = 0; i < 20; i++) assert.equal((await raw(p.ports.dock, '~HS')).length, 82);
  assert.ok(searched < count, `${searched} searches were done before 20 queries`);
  await Promise.all(searches);
  await p.stop();
});
