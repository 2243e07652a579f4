// The virtual printer over real sockets: the wire, memory, replies, faults, the API.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HANG_MS, sleep, until } from '../api/lib/until.js';
import { startService } from '../api/service.js';
import { raw, startPrinters } from './printer.js';

const build = process.env.BUILD || 'build';
const LABEL = '^XA^FO50,50^A0N,50^FDHello^FS^XZ';
let p;
before(async () => { p = await startPrinters(['dock', 'other'], ['--max-body', '1MiB', '--render-timeout', '5m'], ',json=127.0.0.1:0,lpd=127.0.0.1:0'); });
after(() => p?.stop());

const lastSeq = async () => (await p.printer()).lastSeq;

/** Sends a stopped printer more than it draws ahead. */
async function fillUp() {
  const socket = net.connect(p.ports.dock, '127.0.0.1');
  socket.on('error', () => {});
  socket.end(LABEL.repeat(258));
  const waiting = async () => {
    const { labelsWaiting, jobsWaiting } = await p.printer();
    return `${labelsWaiting} ${jobsWaiting}`;
  };
  // Jobs that wait count the one that is being drawn.
  await until(async () => (await waiting()) === '256 2');
}

function rendered(zpl) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-'));
  fs.writeFileSync(path.join(folder, 'a.zpl'), zpl);
  execFileSync(`${build}/platen`, ['render', path.join(folder, 'a.zpl'), '-q', '--profile', 'printer', '-o', path.join(folder, 'a.png')]);
  const png = fs.readFileSync(path.join(folder, 'a.png'));
  fs.rmSync(folder, { recursive: true });
  return png;
}

describe('the wire', () => {
  test('a label is the picture that platen render makes', async () => {
    const seq = await lastSeq();
    await p.raw(LABEL);
    const label = await p.next(seq);
    assert.equal(label.zpl, LABEL);
    assert.equal(label.label.elements[0].text, 'Hello');
    assert.deepEqual(await p.fetch(`/api/printers/dock/labels/${label.seq}.png`), rendered(LABEL));
    assert.equal((await p.fetch(`/api/printers/dock/labels/${label.seq}.zpl`)).toString(), LABEL);
    assert.equal((await p.fetch('/api/printers/dock/labels/latest.pdf')).subarray(0, 5).toString(), '%PDF-');
  });

  test('one byte at a time, with counted bytes that look like commands', async () => {
    const seq = await lastSeq();
    const zpl = Buffer.concat([Buffer.from('^XA^FO20,20^GFB,8,8,2,'), Buffer.from('^XZ~HS^X'), Buffer.from('^FS^FO99,99^GB9,9,9^FS^XZ')]);
    assert.equal((await p.raw([...zpl].map((byte) => Buffer.from([byte])))).length, 0);
    const label = await p.next(seq);
    assert.deepEqual(await p.fetch(`/api/printers/dock/labels/${label.seq}.png`), rendered(zpl));
    assert.equal((await p.labels(seq)).labels.length, 1);
  });

  test('a label is there while the connection stays open', async () => {
    const seq = await lastSeq();
    const socket = net.connect(p.ports.dock, '127.0.0.1');
    socket.write(LABEL);
    assert.equal((await p.next(seq)).zpl, LABEL);
    socket.write('^XA^FO9,9^FDsecond^FS^XZ^XA^FO9,9^FDthird^FS^XZ');
    assert.match((await p.next(seq, 120, 'third')).zpl, /third/);
    socket.destroy();
  });

  test('formats that print nothing are no labels, and copies are counted', async () => {
    const seq = await lastSeq();
    await p.raw('CT~~CD,~CC^~CT~^XA~TA000~JSN^LT0^MNW^MTT^PON^PMN^LH0,0^JMA^PR4,4~SD15^JUS^LRN^CI0^XZ^XA^FO9,9^FDcopies^FS^PQ7^XZ');
    const label = await p.next(seq);
    assert.equal(label.copies, 7);
    assert.equal((await p.labels(seq)).labels.length, 1);
    assert.equal((await p.printer()).settings.darkness, 15);
  });

  test('what CUPS sends: a picture, its label, its end', async () => {
    const seq = await lastSeq();
    await p.raw('~DGR:CUPS.GRF,8,2,FFFF8001800180FF^XA^FO0,0^XGR:CUPS.GRF,9,9^FS^XZ^XA^IDR:CUPS.GRF^FS^XZ');
    const label = await p.next(seq);
    assert.equal(label.label.elements.length, 1);
    assert.equal((await p.printer()).memory.some((object) => object.name === 'R:CUPS.GRF'), false);
  });

  test('bytes of two connections do not mix', async () => {
    const seq = await lastSeq();
    const one = net.connect(p.ports.dock, '127.0.0.1'), two = net.connect(p.ports.dock, '127.0.0.1');
    one.write('^XA^FO9,9^FDfirst');
    await until(async () => (await p.printer()).inputBytes > 0);
    two.end('^XA^FO9,9^FDsecond^FS^XZ');
    assert.equal((await p.next(seq)).zpl, '^XA^FO9,9^FDsecond^FS^XZ');
    one.end(' part^FS^XZ');
    assert.equal((await p.next(seq, 120, 'part')).zpl, '^XA^FO9,9^FDfirst part^FS^XZ');
  });

  test('a format that does not end, and one that is too large, are listed with their reason', async () => {
    const seq = await lastSeq();
    await p.raw('^XA^FO9,9^FDnever');
    const unfinished = await p.next(seq);
    assert.equal(unfinished.refused, true);
    assert.match(unfinished.reason, /before the format's \^XZ/);
    await p.raw(`^XA^FX${'x'.repeat(2 << 20)}^XZ${LABEL}`);
    const large = await p.next(unfinished.seq);
    assert.match(large.reason, /over the limit/);
    assert.equal((await p.next(large.seq)).zpl, LABEL);
  });

  test('HTTP on a raw port that is no door is 400 and no label', async () => {
    const seq = await lastSeq();
    assert.match((await p.raw('GET / HTTP/1.1\r\nHost: x\r\n\r\n', { open: true })).toString(), /^HTTP\/1\.1 400 /);
    assert.match((await p.raw([...'POST /x HTTP/1.1\r\n\r\n'], { open: true })).toString(), /^HTTP\/1\.1 400 /);
    assert.equal(await lastSeq(), seq);
  });

  test('garbage does no harm', async () => {
    const seq = await lastSeq();
    const garbage = Buffer.alloc(200000, 0).map((_, i) => (i * 7919 + (i >> 3) * 104729) & 255);
    await p.raw(garbage);
    await p.raw(LABEL);
    assert.equal((await p.next(seq, 120, 'Hello')).zpl, LABEL);
  });
});

describe('memory', () => {
  test('objects and settings live from job to job, until the reset', async () => {
    await p.reset();
    await p.raw('^XA^DFR:F.ZPL^FS^FO20,20^A0N,40^FN1^FS^XZ');
    await p.raw('^XA^LH60,80^PW700^XZ');
    await p.raw('^XA^XFR:F.ZPL^FS^FN1^FDdata^FS^XZ');
    const label = await p.next();
    assert.deepEqual(await p.fetch(`/api/printers/dock/labels/${label.seq}.png`), rendered('^XA^PW700^LH60,80^FO20,20^A0N,40^FDdata^FS^XZ'));
    const state = await p.printer();
    assert.equal(state.settings.printWidth, 700);
    assert.deepEqual(state.memory.map((object) => object.name), ['R:F.ZPL']);
    assert.equal((await p.fetch(`/api/printers/dock/labels/${label.seq}.pdf`)).subarray(0, 5).toString(), '%PDF-');
    await p.json('/api/printers/dock/memory?object=R:*.*', { method: 'DELETE' });
    await p.raw('~HS');
    assert.deepEqual((await p.raw('^XA^HWR:*.*^XZ')).toString().match(/^\* /gm), null);
    await p.reset();
    assert.match((await p.raw('^XA^HH^XZ')).toString(), /812 +PRINT WIDTH/);
  });

  test('a reset and DELETE answer with the memory as it is then', async () => {
    const names = (state) => state.memory.map((object) => object.name);
    await p.reset();
    await p.raw('~DGR:A.GRF,1,1,FF~DGE:B.GRF,1,1,FF^XA^XZ^XA^PW600^XZ');
    assert.deepEqual(names(await p.printer()).sort(), ['E:B.GRF', 'R:A.GRF']);
    const one = await p.json('/api/printers/dock/memory?object=R:*.*', { method: 'DELETE' });
    assert.deepEqual([one.status, names(one)], [200, ['E:B.GRF']]);
    const none = await p.reset();
    assert.deepEqual([none.status, names(none), none.settings.printWidth], [200, [], 812]);
    await p.state({ paused: true });
    await fillUp(); // what is asked for now waits
    const later = await p.json('/api/printers/dock/memory?object=R:*.*', { method: 'DELETE' });
    assert.deepEqual(later, { status: 202, ok: true });
    await p.reset();
  });

  test("a label that was held has one time, that of the printer's clock when it was drawn, in all its forms", async () => {
    await p.reset();
    await p.state({ paused: true });
    await p.raw('^XA^FO50,50^A0N,90^FC%^FD%H:%M:%S^FS^XZ');
    await until(async () => (await p.printer()).labelsWaiting > 0);
    await sleep(1500);
    await p.state({ paused: false });
    const label = await p.next();
    assert.match(label.label.elements[0].text, /^\d\d:\d\d:\d\d$/);
    await p.raw(`^XA^FO50,50^A0N,90^FD${label.label.elements[0].text}^FS^XZ`);
    const same = await p.next(label.seq);
    const form = async (seq, ext) => (await p.fetch(`/api/printers/dock/labels/${seq}.${ext}`)).toString('latin1');
    for (const ext of ['png', 'pdf']) assert.equal(await form(label.seq, ext), await form(same.seq, ext), ext);
  });

  test('one printer knows nothing of the other', async () => {
    await p.raw('~DGR:MINE.GRF,1,1,FF^XA^XZ');
    await p.raw('^XA^HWR:*.*^XZ');
    assert.match((await p.raw('^XA^HWR:*.*^XZ')).toString(), /MINE/);
    assert.doesNotMatch((await p.raw('^XA^HWR:*.*^XZ', { name: 'other' })).toString(), /MINE/);
  });

  test('~JR loses R: and what ^JUS did not save', async () => {
    await p.reset();
    await p.raw('~DGR:A.GRF,1,1,FF~DGE:B.GRF,1,1,FF^XA^PW600^JUS^PW500^XZ');
    await p.raw('~JR');
    const list = (await p.raw('^XA^HWR:*.*^XZ^XA^HWE:*.*^XZ^XA^HH^XZ')).toString();
    assert.doesNotMatch(list, /A\.GRF/);
    assert.match(list, /E:B\.GRF/);
    assert.match(list, /600 +PRINT WIDTH/);
    await p.reset();
  });
});

describe('replies', () => {
  test('status, also in lower case, inside of a format and on an open connection', async () => {
    await p.reset();
    const status = '\x02030,0,0,1218,000,0,0,0,000,0,0,0\x03\r\n\x02001,0,0,0,1,2,6,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n';
    assert.equal((await p.raw('~HS')).toString(), status);
    assert.equal((await p.raw('~hs\r\n', { open: true, until: (got) => got.length >= 82 })).toString(), status);
  });

  test('a reset that has ended is no job that waits', async () => {
    for (let i = 0; i < 200; i++) {
      const { status, state, jobsWaiting } = await p.reset();
      assert.deepEqual([status, state, jobsWaiting], [200, 'ready', 0], `reset ${i}`);
    }
  });

  test('SGD lines and JSON', async () => {
    assert.equal((await p.raw('! U1 getvar "device.languages"\r\n')).toString(), '"hybrid_xml_zpl"');
    assert.equal((await p.raw('! U1 getvar "no.such"\r\n')).toString(), '"?"');
    assert.equal((await p.raw('! U1 setvar "ezpl.print_width" "600"\r\n! U1 do "device.restore_defaults" ""\r\n')).toString(), '""');
    assert.deepEqual(JSON.parse(await p.raw('{}{"device.friendly_name":null,"head.latch":null}')), { 'device.friendly_name': 'dock', 'head.latch': 'ok' });
    assert.deepEqual(JSON.parse(await p.raw('{}{"device.friendly_name":null}', { name: 'dock:JSON' })), { 'device.friendly_name': 'dock' });
    const all = JSON.parse(await p.raw('{}{"allvalues":null}'));
    assert.ok(Object.keys(all).length > 20);
  });

  test('SGD: what was set is read back at once, and a value that cannot be is not set', async () => {
    await p.reset();
    const set = (name, value) => `! U1 setvar "${name}" "${value}"\r\n! U1 getvar "${name}"\r\n`;
    for (const [name, value, reads] of [['ezpl.print_width', '600', '600'], ['zpl.label_length', '999', '999'], ['print.tone', '12.5', '12.5'], ['media.speed', '6', '6.0'],
      ['media.printmode', 'peel off', 'peel off'], ['ezpl.media_type', 'continuous', 'continuous'], ['ezpl.print_method', 'direct thermal', 'direct thermal'],
      ['ezpl.print_width', '1', '600'], ['print.tone', '31', '12.5'], ['media.speed', 'fast', '6.0'], ['media.printmode', 'loudly', 'peel off']]) {
      assert.equal((await p.raw(set(name, value))).toString(), `"${reads}"`, `${name} ${value}`);
    }
    assert.deepEqual(JSON.parse(await p.raw('{}{"ezpl.print_width":"500","print.tone":"7"}')), { 'ezpl.print_width': '500', 'print.tone': '7.0' });
    assert.match((await p.raw('^XA^HH^XZ')).toString(), /500 +PRINT WIDTH/);
    assert.equal((await p.raw('! U1 getvar "ezpl.print_width"\r\n')).toString(), '"500"'); // also when the label code was carried out
    assert.equal((await p.raw('! U1 do "device.restore_defaults" ""\r\n! U1 getvar "ezpl.print_width"\r\n')).toString(), '"""812"');
  });

  test('SGD: a setting is kept by ~JA and read back while jobs wait', async () => {
    await p.reset();
    await p.state({ paused: true });
    await fillUp();
    assert.equal((await p.raw('! U1 setvar "ezpl.print_width" "444"\r\n! U1 getvar "ezpl.print_width"\r\n~JA! U1 getvar "ezpl.print_width"\r\n')).toString(), '"444""444"');
    await p.state({ paused: false });
    assert.match((await p.raw('^XA^HH^XZ')).toString(), /444 +PRINT WIDTH/);
    await p.reset();
  });

  test('SGD: a value that was asked for directly after a reset was that of before', async () => {
    await p.reset();
    const set = Array.from({ length: 40 }, (_, i) => `! U1 setvar "ezpl.print_width" "${400 + i}"\r\n`).join(''); // they are carried out before the reset
    const ask = '! U1 getvar "ezpl.print_width"\r\n';
    assert.equal((await p.raw(`${set}${ask}~JR${ask}`)).toString(), '"439""812"');
    assert.equal((await p.raw(`${set}${ask}! U1 setvar "device.reset" ""\r\n${ask}`)).toString(), '"439""812"');
    const [, after] = (await p.raw(`{"ezpl.print_width":"500"}{"device.reset":""}{"ezpl.print_width":null}`, { name: 'dock:JSON' })).toString().matchAll(/"ezpl.print_width":"(\d+)"/g);
    assert.equal(after[1], '812');
    assert.equal((await p.printer()).settings.printWidth, 812);
  });

  test('the JSON port obeys JSON only', async () => {
    await p.reset();
    assert.equal((await p.raw(`~HS~CC!~PP! U1 setvar "device.pause" "true"\r\n! U1 getvar "appl.name"\r\n${LABEL}^XA^FDnever`, { name: 'dock:JSON' })).length, 0);
    const state = await until(async () => { const now = await p.printer(); return now.jobsWaiting === 0 && now; }); // the reset is answered a moment before it is over
    assert.deepEqual([state.paused, state.lastSeq], [false, 0]);
    await p.raw(LABEL);
    const label = await p.next();
    assert.equal(label.zpl, LABEL); // the prefix is as it was
    assert.equal((await p.labels()).labels.length, 1);
  });

  test('^HV, ^HZ, ~HM, ~HD', async () => {
    assert.equal((await p.raw('^XA^FO9,9^FN5^FDvalue^FS^HV5,8,<,>^XZ')).toString(), '<value>');
    assert.match((await p.raw('^XA^HZA^XZ')).toString(), /<ZEBRA-ELTRON-PERSONALITY>[^]*ZT410/);
    assert.match((await p.raw('^XA^HZL^XZ')).toString(), /<OBJECT-LIST>/);
    assert.match((await p.raw('~HM')).toString(), /^\x02\d+,\d+,\d+\x03\r\n$/);
    assert.match((await p.raw('~HD')).toString(), /^Head Temp = 22\r\n/);
  });

  test('~WC prints the configuration', async () => {
    const seq = await lastSeq();
    await p.raw('~WC');
    const label = await p.next(seq);
    assert.ok(label.label.elements.some((element) => /FIRMWARE/.test(element.text)));
  });
});

describe('faults', () => {
  test('jobs wait while the printer is stopped, and queries are answered', async () => {
    await p.reset();
    await p.state({ paperOut: true, ribbonOut: true });
    await p.raw(LABEL + LABEL);
    const status = (await p.raw('~HS')).toString();
    assert.match(status, /^\x02030,1,0,/);
    assert.match(status, /001,0,0,1,1,2,6,0,00000002/);
    assert.match((await p.raw('~HQES')).toString(), /ERRORS: +1 00000000 00000003/);
    assert.match((await p.raw('^XA^HH^XZ')).toString(), /DARKNESS/);
    assert.equal((await p.labels()).labels.length, 0);
    await p.state({ paperOut: false, ribbonOut: false });
    const first = await p.next();
    assert.equal((await p.next(first.seq)).zpl, LABEL);
  });

  test('~PP and ~PS, ~JA', async () => {
    await p.reset();
    await p.raw(`~PP${LABEL}`);
    assert.equal((await p.printer()).state, 'paused');
    await p.raw(`~JA~PS^XA^FO9,9^FDafter^FS^XZ`);
    assert.equal((await p.next()).zpl, '^XA^FO9,9^FDafter^FS^XZ');
  });

  test('those who watch are told of labels that wait, and of ~JA', async () => {
    await p.reset();
    await p.state({ paperOut: true });
    const stream = await fetch(`${p.url}/api/printers/dock/events`);
    const reader = stream.body.getReader();
    let text = '';
    const told = async (waiting) => {
      const seen = () => [...text.matchAll(/event: state\ndata: (.*)\n/g)].map(([, json]) => JSON.parse(json).labelsWaiting).at(-1);
      const end = setTimeout(() => reader.cancel(), HANG_MS);
      while (seen() !== waiting) {
        const { value, done } = await reader.read();
        assert.ok(!done, `nobody was told of ${waiting} labels that wait: ${text}`);
        text += Buffer.from(value).toString();
      }
      clearTimeout(end);
    };
    await p.raw(LABEL);
    await told(1);
    await p.raw(LABEL);
    await told(2);
    await p.raw('~JA');
    await told(0);
    await reader.cancel();
    await p.reset();
  });

  test('slow, silent, refused and cut connections, a full buffer', async () => {
    await p.reset();
    await p.state({ slowMs: 300 });
    const began = Date.now();
    await p.raw(LABEL + LABEL + LABEL);
    const [a] = [await p.next()];
    const b = await p.next(a.seq);
    await p.next(b.seq);
    assert.ok(Date.now() - began >= 590);
    await p.state({ slowMs: 0, silent: true });
    assert.equal((await p.raw('~HS~HI! U1 getvar "appl.name"\r\n')).length, 0);
    await p.state({ silent: false, refuseConnections: true });
    await assert.rejects(p.raw('~HS'));
    await p.state({ refuseConnections: false });
    const open = net.connect(p.ports.dock, '127.0.0.1');
    await new Promise((resolve) => open.once('connect', resolve));
    open.write('^XA');
    const cut = new Promise((resolve) => { open.on('error', resolve); open.on('close', resolve); });
    await until(async () => (await p.printer()).inputBytes > 0);
    await p.state({ cutConnections: true });
    await cut;
    const seq = await lastSeq();
    await p.state({ bufferFull: true });
    const sent = p.raw(LABEL);
    assert.equal((await p.next(seq, 1)).status, 404);
    await p.state({ bufferFull: false });
    assert.equal((await p.next(seq)).zpl, LABEL);
    await sent;
  });

  test('slow printing ends when it is switched off, and with a reset', async () => {
    await p.reset();
    for (const end of [() => p.state({ slowMs: 0 }), () => p.reset()]) {
      await p.state({ slowMs: 3600000 });
      const seq = await lastSeq();
      await p.raw(LABEL);
      await p.next(seq);
      await end();
      const before = await lastSeq();
      await p.raw(LABEL);
      assert.equal((await p.next(before)).zpl, LABEL);
    }
  });

  test('~JR and ~JA in a request are those of the raw port', async () => {
    await p.reset();
    const print = (body) => p.json('/api/printers/dock/print', { method: 'POST', body });
    const seq = await lastSeq();
    await print('~CC!');
    await print('~JR');
    assert.equal((await print(LABEL)).jobs, 1);
    assert.equal((await p.next(seq)).zpl, LABEL);
    const printed = await lastSeq();
    await print('^XA^FO1,1^GB9,9,9^FS~JA^XZ');
    assert.equal((await p.next(printed, 1)).status, 404);
  });

  test('a stopped printer takes 256 jobs, also of one request with a thousand settings', async () => {
    await p.reset();
    await p.state({ paused: true });
    const sets = Array.from({ length: 900 }, (_, i) => [...'ezpl.print_width'].map((c, k) => (i >> k % 10 & 1 ? c.toUpperCase() : c)).join(''));
    await p.json('/api/printers/dock/print', { method: 'POST', body: LABEL.repeat(250) });
    await p.json('/api/printers/dock/print', { method: 'POST', body: `{}{${[...new Set(sets)].map((name) => `"${name}":"600"`).join(',')}}` });
    const { jobsWaiting } = await p.printer();
    assert.ok(jobsWaiting <= 257, `${jobsWaiting} with the one that is being drawn`);
    await p.reset();
  });

  test('a wrong state is told', async () => {
    assert.equal((await p.state({ paper: true })).status, 400);
    assert.equal((await p.state({ slowMs: -1 })).status, 400);
    for (const state of [0, [], null, 'paused']) assert.equal((await p.state(state)).status, 400, JSON.stringify(state));
  });
});

describe('the API', () => {
  test('events and a long poll get the same label', async () => {
    await p.reset();
    const stream = await fetch(`${p.url}/api/printers/dock/events`);
    const reader = stream.body.getReader();
    const polled = p.next(await lastSeq());
    await p.raw(LABEL);
    let text = '';
    while (!/event: label/.test(text) || !text.endsWith('\n\n')) text += Buffer.from((await reader.read()).value).toString();
    const data = JSON.parse(/event: label\ndata: (.*)/.exec(text)[1]);
    assert.equal(data.seq, (await polled).seq);
    await reader.cancel();
  });

  test('many that wait get their label, each once, and nobody waits for a worker', async () => {
    const seq = await lastSeq();
    const waiting = Array.from({ length: 50 }, () => p.next(seq, 300));
    await until(async () => Number(/^platen_http_connections (\d+)/m.exec(await p.fetch('/metrics'))[1]) > waiting.length);
    assert.equal((await p.json('/api/health')).ok, true);
    await p.raw(LABEL);
    const seqs = (await Promise.all(waiting)).map((label) => label.seq);
    assert.deepEqual([...new Set(seqs)].length, 1);
  });

  test('what is missing is 404, wrong numbers are 400', async () => {
    assert.equal((await p.json('/api/printers/none')).status, 404);
    assert.equal((await p.json('/api/printers/dock/labels/999999.png')).status, 404);
    assert.equal((await p.json('/api/printers/dock/labels?after=x')).status, 400);
    assert.equal((await p.json('/api/printers/dock/labels?limit=501')).status, 400);
    assert.equal((await p.json('/api/printers/dock/reset?memory=kept', { method: 'POST', body: '' })).status, 400);
    assert.equal((await p.next(await lastSeq(), 0)).status, 404);
  });

  test('what is called something else than label code is not printed', async () => {
    const headers = { 'Content-Type': 'application/pdf' };
    assert.equal((await p.json('/api/printers/dock/print', { method: 'POST', headers, body: LABEL })).code, 'unsupported_media_type');
    assert.equal((await p.json('/api/printers/dock/state', { method: 'PUT', headers, body: '{}' })).code, 'unsupported_media_type');
  });

  test('a printer whose buffer is full says so when its memory is to be deleted, not that memory is gone', async () => {
    const state = (bufferFull) => p.json('/api/printers/dock/state', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ bufferFull }) });
    await state(true);
    const answer = await p.json('/api/printers/dock/memory', { method: 'DELETE' });
    await state(false);
    assert.deepEqual([answer.status, answer.code], [503, 'printer_busy']);
  });

  test('a page of another origin changes nothing', async () => {
    const headers = { Origin: 'https://elsewhere.example' };
    assert.equal((await p.json('/api/printers/dock/reset', { method: 'POST', headers, body: '' })).status, 403);
    assert.equal((await p.json('/api/printers/dock/print', { method: 'POST', headers, body: LABEL })).status, 403);
  });

  test('labels by HTTP, and DELETE', async () => {
    const seq = await lastSeq();
    assert.deepEqual(await p.json('/api/printers/dock/print', { method: 'POST', body: LABEL }), { status: 202, ok: true, jobs: 1 });
    assert.equal((await p.next(seq)).zpl, LABEL);
    assert.equal((await p.json('/api/printers/dock/labels', { method: 'DELETE' })).labels, 0);
  });
});

describe('LPD', () => {
  test('a job', async () => {
    const seq = await lastSeq();
    const data = `^XA^FO9,9^FDby LPD^FS^XZ`;
    const got = await p.raw(Buffer.from(`\x02lp\n\x0212 cfA001host\nHhost\nPuser\n\0\x03${data.length} dfA001host\n${data}\0`), { name: 'dock:LPD' });
    assert.deepEqual([...got], [0, 0, 0, 0, 0]);
    assert.equal((await p.next(seq)).zpl, data);
  });

  test('a file that its sender says is not whole is not printed', async () => {
    const seq = await lastSeq();
    for (const data of [LABEL, `${LABEL}^XA^FO9,9^FDpart`]) {
      const got = await p.raw(Buffer.from(`\x02lp\n\x03${data.length} dfA001host\n${data}\x01`), { name: 'dock:LPD' });
      assert.deepEqual([...got], [0, 0, 1]);
    }
    assert.equal((await p.next(seq, 1)).status, 404);
    const large = `${'^FX comment\n'.repeat(40000)}${LABEL}`; // printed as it comes
    await p.raw(Buffer.from(`\x02lp\n\x03${large.length} dfA001host\n${large}\0`), { name: 'dock:LPD' });
    assert.match((await p.next(seq)).zpl, /Hello/);
  });
});

describe('a thousand connections', () => {
  test('those that do nothing make room, and the printer goes on', async () => {
    const sockets = [];
    for (let i = 0; i < 1100; i++) {
      const socket = net.connect(p.ports.other, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      if (i % 50 === 0) await new Promise((resolve) => socket.once('connect', resolve));
    }
    const { lastSeq } = await p.printer('other');
    await p.raw(LABEL, { name: 'other' });
    assert.equal((await p.next(lastSeq, 300, '', 'other')).zpl, LABEL);
    for (const socket of sockets) socket.destroy();
  });
});

describe('spare printers', () => {
  const SPARE = 'name=dock,listen=127.0.0.1:0,size=100x50mm,dpmm=12;listen=127.0.0.1:0,spare=on;listen=127.0.0.1:0,spare=on';
  const make = (service, body, headers = { 'Content-Type': 'application/json' }) => fetch(`${service.url}/api/printers`, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const code = async (response) => [response.status, (await response.json()).code];
  const names = async (service) => (await (await fetch(`${service.url}/api/printers`)).json()).printers.map(({ name }) => name);

  test('one is there once it was made, prints at its address, and is gone with the service', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-spare-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const service = await startService('platen', ['--log', 'off', '--state', folder, '--browser-print', 'on', '--printer', SPARE]);
    t.after(() => service.stop());
    const [, port] = /printer2 \(spare\) on 127\.0\.0\.1:(\d+)/.exec(service.output());
    assert.deepEqual(await names(service), ['dock']);
    assert.equal((await fetch(`${service.url}/api/printers/printer2`)).status, 404);
    // Its connections are closed at once: the sender may see that as an error or as an end.
    await raw(port, LABEL).catch((error) => assert.match(error.code, /ECONNRESET|EPIPE/));
    let response;
    await until(async () => (response = await make(service, { name: 'gate', size: '100x50mm', dpmm: 12 })).status !== 503); // it may not have started yet
    assert.equal(response.status, 201);
    const gate = await response.json();
    assert.deepEqual([gate.name, gate.port, gate.widthMm, gate.heightMm, gate.dpmm, gate.refuseConnections, gate.lastSeq], ['gate', Number(port), 100, 50, 12, false, 0]);
    const settings = async (name) => JSON.stringify((await (await fetch(`${service.url}/api/printers/${name}`)).json()).settings);
    await until(async () => (await settings('gate')) === (await settings('dock')));
    await raw(port, `${LABEL}^XA^DFE:F.ZPL^FS^XZ`);
    const label = await (await fetch(`${service.url}/api/printers/gate/labels/next?timeout=60`)).json();
    assert.deepEqual([label.printer, label.widthMm, label.dpmm], ['gate', 100, 12]);
    await until(async () => (await (await fetch(`${service.url}/api/printers/gate`)).json()).memory.some(({ name }) => name === 'E:F.ZPL'));
    assert.deepEqual(await names(service), ['dock', 'gate']);
    assert.deepEqual(await code(await make(service, { name: 'gate' })), [409, 'printer_exists']);
    await until(async () => (await make(service, { name: 'eltron', size: 'auto', language: 'epl' })).status === 201);
    assert.deepEqual(await code(await make(service, { name: 'more' })), [409, 'no_spare_printer']);
    await service.stop();
    assert.deepEqual(fs.readdirSync(folder).filter((name) => /^(gate|eltron|printer)/.test(name)), []);
  });

  test('what is wrong is refused, and nothing is made; without a spare printer there is nothing to make', async (t) => {
    const service = await startService('platen', ['--log', 'off', '--printer', SPARE]);
    t.after(() => service.stop());
    for (const [body, wanted, headers] of [
      [{}, [400, 'missing_parameter']],
      [{ name: '' }, [400, 'invalid_parameter']],
      [{ name: 'a/b' }, [400, 'invalid_parameter']],
      [{ name: 'events' }, [400, 'invalid_parameter']],
      [{ name: 'x'.repeat(32) }, [400, 'invalid_parameter']],
      [{ name: 'x', size: '4x6' }, [400, 'invalid_parameter']],
      [{ name: 'x', size: '2000x2000mm', dpmm: 24 }, [400, 'invalid_parameter']],
      [{ name: 'x', dpmm: 9 }, [400, 'invalid_parameter']],
      [{ name: 'x', dpmm: true }, [400, 'invalid_parameter']],
      [{ name: 'x', dpmm: '8' }, [400, 'invalid_parameter']],
      [{ name: 5 }, [400, 'invalid_parameter']],
      [{ name: 'x', listen: '0.0.0.0:9100' }, [400, 'invalid_parameter']],
      [{ name: 'dock' }, [409, 'printer_exists']],
      [[], [400, 'invalid_json']],
      ['name=x', [415, 'unsupported_media_type'], { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ['{"name":"x"}', [415, 'unsupported_media_type'], { 'Content-Type': 'text/plain' }],
      [{ name: 'x' }, [403, 'other_origin'], { 'Content-Type': 'application/json', Origin: 'https://stranger.example' }],
      [{ name: 'x' }, [403, 'other_origin'], { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' }],
    ]) assert.deepEqual(await code(await make(service, body, headers)), wanted, JSON.stringify(body));
    assert.deepEqual(await names(service), ['dock']);
    assert.deepEqual(await code(await make(p, { name: 'x' })), [409, 'no_spare_printer']);
  });

  test('what its maker leaves out is as --printer says', async (t) => {
    const service = await startService('platen', ['--log', 'off', '--printer', 'listen=127.0.0.1:0,spare=on,size=auto,model=zd621-300,language=epl;listen=127.0.0.1:0,spare=on,size=auto']);
    t.after(() => service.stop());
    let response;
    await until(async () => (response = await make(service, { name: 'a' })).status !== 503);
    const { dpmm, language, model } = await response.json();
    assert.deepEqual([response.status, dpmm, language, model], [201, 12, 'epl', 'zd621-300']);
    await until(async () => (response = await make(service, { name: 'b', size: '60x40mm' })).status !== 503);
    const { widthMm, heightMm } = await response.json();
    assert.deepEqual([widthMm, heightMm], [60, 40]);
  });

  test('of many that are asked for at once as many are made as there are', async (t) => {
    const service = await startService('platen', ['--log', 'off', '--printer', SPARE]);
    t.after(() => service.stop());
    const asked = Array.from({ length: 24 }, async (_, i) => {
      for (;;) {
        const { status } = await make(service, { name: `p${i % 12}` });
        if (status !== 503) return status; // another one was being made
        await sleep(5);
      }
    });
    const answers = await Promise.all(asked);
    assert.equal(answers.filter((status) => status === 201).length, 2, answers.join());
    assert.equal((await names(service)).length, 3);
    assert.equal(new Set(await names(service)).size, 3);
  });
});
