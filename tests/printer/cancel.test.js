// A job that is being drawn ends when it is cancelled, when the printer is reset and when the service stops.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { hostileLabels } from '../hostile/labels.mjs';
import { until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const LABEL = '^XA^FO50,50^A0N,50^FDHello^FS^XZ';
const SLOW = hostileLabels.find(({ name }) => name === 'zigzag-many').zpl; // a font, and a label of it that takes longer than the time limit
let p;
before(async () => { p = await startPrinters(['dock'], ['--render-timeout', '30m', '--drain-timeout', '2s']); }); // the job itself would take longer than any of these tests waits
after(() => p?.stop());

/** Sends the slow job and waits until it is being drawn. */
async function beginSlowJob() {
  const socket = net.connect(p.ports.dock, '127.0.0.1');
  socket.on('error', () => {});
  socket.end(SLOW);
  let drawing = 0;
  await until(async () => {
    const { state, jobsWaiting } = await p.printer();
    drawing = state === 'printing' && jobsWaiting === 1 ? drawing + 1 : 0;
    return drawing === 10;
  });
}

describe('a job that is being drawn', () => {
  for (const [name, cancel] of [['~JA', () => p.raw('~JA')], ['~JR', () => p.raw('~JR')], ['a reset', () => p.reset()]]) {
    test(`ends by ${name}`, async () => {
      await beginSlowJob();
      await cancel();
      const { lastSeq } = await p.printer();
      await p.raw(LABEL);
      const label = await p.next(lastSeq, 300);
      assert.equal(label.zpl, LABEL); // and the slow one is not listed
    });
  }

  test('ends when the service stops and its time is over, and is named', async () => {
    await beginSlowJob();
    const closed = once(p.child, 'close');
    p.child.kill('SIGTERM');
    assert.equal((await closed)[0], 3);
    assert.match(p.output(), /printer dock: job \d+ of 127\.0\.0\.1:\d+ \(\d+ bytes\) was not printed: the service ended first/);
    p = null;
  });
});
