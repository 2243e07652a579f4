// Doors of the virtual printer: Browser Print by the npm wrapper and by the shapes of Zebra's own JavaScript, the printer's web pages,
// discovery, --forward, --webhook, --keep.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const LABEL = '^XA^FO50,50^A0N,50^FDHello^FS^XZ';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-doors-'));
const forwarded = [], hooks = [];
let p, sink, hook, discovery;
before(async () => {
  sink = net.createServer((socket) => socket.on('data', (data) => forwarded.push(data.toString()))).listen(0, '127.0.0.1');
  hook = http.createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    hooks.push({ body, signature: request.headers['x-platen-signature'] });
    response.writeHead(hooks.length === 1 ? 500 : 204).end(); // the first try fails
  }).listen(0, '127.0.0.1');
  const free = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([once(sink, 'listening'), once(hook, 'listening'), once(free, 'listening')]);
  discovery = free.address().port;
  free.close();
  p = await startPrinters(['dock', 'gate'], ['--browser-print', 'on', '--printer-pages', 'on', '--printer-discovery', `127.0.0.1:${discovery}`,
    '--forward', `127.0.0.1:${sink.address().port}`, '--print-to', `127.0.0.1:${sink.address().port}`,
    '--webhook', `http://127.0.0.1:${hook.address().port}/hook`, '--webhook-secret', 'secret', '--keep', folder]);
});
after(async () => {
  await p?.stop();
  sink.close();
  sink.unref();
  hook.close();
  fs.rmSync(folder, { recursive: true });
});

const door = (way, options) => fetch(`http://127.0.0.1:${p.ports.dock}${way}`, options);

describe('Browser Print', () => {
  test('the npm wrapper prints and reads the status', async () => {
    const there = globalThis.fetch;
    globalThis.fetch = (url, options) => there(String(url).replace(':9100', `:${p.ports.dock}`), options);
    try {
      const { default: ZebraBrowserPrint } = createRequire(import.meta.url)('zebra-browser-print-wrapper');
      const client = new ZebraBrowserPrint();
      const printer = await client.getDefaultPrinter();
      assert.equal(printer.name, 'dock');
      assert.equal((await client.getAvailablePrinters()).length, 2);
      client.setPrinter(printer);
      assert.deepEqual(await client.checkPrinterStatus(), { isReadyToPrint: true, errors: '' });
      await p.state({ paperOut: true });
      assert.equal((await client.checkPrinterStatus()).errors, 'Paper out');
      await p.state({ paperOut: false });
      const seq = (await p.printer()).lastSeq;
      await client.print(LABEL);
      assert.equal((await p.next(seq)).zpl, LABEL);
    } finally {
      globalThis.fetch = there;
    }
  });

  test("the shapes of Zebra's own JavaScript", async () => {
    const device = await (await door('/default?type=printer')).json();
    assert.equal(device.deviceType, 'printer');
    assert.equal((await (await door('/available')).json()).printer[1].name, 'gate');
    assert.equal((await (await door('/config')).json()).application.apiLevel, 5);
    const send = (way, body) => door(way, { method: 'POST', headers: { 'Content-Type': 'text/plain;charset=UTF-8', Origin: 'https://shop.example' }, body: JSON.stringify(body) });
    const written = await send('/write', { device, data: '^XA^HH^XZ' });
    assert.equal(written.status, 200);
    assert.equal(written.headers.get('access-control-allow-origin'), 'https://shop.example');
    assert.match(await (await send('/read', { device })).text(), /DARKNESS[^]*PRINT SPEED[^]*FIRMWARE/);
    assert.equal(await (await send('/read', { device })).text(), '');
    for (const [body, code] of [[{ device, url: 'http://127.0.0.1/label.zpl', options: {} }, 'url_not_supported'], [{ device }, 'no_data']]) {
      const refused = await send('/write', body);
      assert.deepEqual([refused.status, (await refused.json()).code, refused.headers.get('access-control-allow-origin')], [400, code, 'https://shop.example']);
    }
    assert.equal((await send('/write', { device: { uid: 'none' }, data: '~HS' })).status, 403);
    assert.equal((await door('/write', { method: 'OPTIONS', headers: { Origin: 'https://shop.example' } })).status, 204);
  });

  test('the door has nothing else, and the service has no door', async () => {
    assert.equal((await door('/api/printers')).status, 404);
    assert.equal((await door('/')).status, 404);
    assert.equal((await fetch(`${p.url}/available`)).status, 404);
    assert.equal((await fetch(`${p.url}/write`, { method: 'POST', body: '{}' })).status, 404);
  });
});

describe("the printer's web pages", () => {
  test('/pstprnt prints', async () => {
    const seq = (await p.printer()).lastSeq;
    assert.equal((await fetch(`${p.url}/pstprnt`, { method: 'POST', body: LABEL })).status, 200);
    assert.equal((await p.next(seq)).zpl, LABEL);
  });

  test('/zpl gives a preview', async () => {
    const form = new URLSearchParams({ data: LABEL, dev: 'R', oname: 'UNKNOWN', otype: 'ZPL', prev: 'Preview Label', pw: '' });
    const page = await (await fetch(`${p.url}/zpl`, { method: 'POST', body: form })).text();
    const [, picture] = /<IMG SRC="([^"]+)" ALT="R:__TMP\d+\.PNG"/.exec(page);
    const png = Buffer.from(await (await fetch(`${p.url}/${picture}`)).arrayBuffer());
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.match(await (await fetch(`${p.url}/config.html`)).text(), /ZTC ZT410-203dpi[^]*FIRMWARE/);
  });

  test('/zpl: two clients with one X-Request-Id get their own labels', async () => {
    const preview = async (text) => {
      const page = await (await fetch(`${p.url}/zpl`, { method: 'POST', headers: { 'X-Request-Id': 'same' }, body: new URLSearchParams({ data: `^XA^FO9,9^FD${text}^FS^XZ` }) })).text();
      const [, seq] = /R:__TMP(\d+)\.PNG/.exec(page);
      return (await p.json(`/api/printers/dock/labels/${seq}.json`)).label.elements[0].text;
    };
    assert.equal(await preview('first'), 'first');
    assert.deepEqual(await Promise.all(['second', 'third'].map(preview)), ['second', 'third']);
  });

  test('/zpl: label code that is not encoded is taken as it is', async () => {
    const zpl = '^XA^FO9,9^FD1+1 & 2 %41 50% a&b=c^FS^XZ';
    const seq = (await p.printer()).lastSeq;
    await fetch(`${p.url}/zpl`, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `data=${zpl}&dev=R&oname=UNKNOWN&otype=ZPL&prev=Preview+Label&pw=` });
    assert.equal((await p.next(seq)).zpl, zpl);
    const refused = await fetch(`${p.url}/zpl`, { method: 'POST', body: new URLSearchParams({ data: '^XA^FDnever' }) });
    assert.deepEqual([refused.status, (await refused.json()).code], [400, 'refused']);
  });
});

test('discovery is answered', async () => {
  const socket = dgram.createSocket('udp4');
  socket.send(Buffer.from('2e2c3a010000', 'hex'), discovery, '127.0.0.1');
  const [answer] = await once(socket, 'message');
  socket.close();
  assert.equal(answer.length, 375);
  assert.equal(answer.subarray(0, 4).toString('hex'), '3a2c2e03');
  assert.equal(answer.subarray(12, 17).toString(), 'ZT410');
});

test('discovery names the address that was asked, or nobody would reach a printer that listens on all', async () => {
  const free = dgram.createSocket('udp4').bind(0, '0.0.0.0');
  await once(free, 'listening');
  const { port } = free.address();
  await new Promise((resolve) => free.close(resolve));
  const service = await startPrinters([], ['--printer', 'name=all,listen=0.0.0.0:0;name=here,listen=127.0.0.1:0', '--printer-discovery', `0.0.0.0:${port}`]);
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const answers = [];
    socket.on('message', (message, peer) => answers.push([[...message.subarray(72, 76)].join('.'), peer.address]));
    socket.send(Buffer.from('2e2c3a010000', 'hex'), port, address);
    await until(() => answers.length === 2);
    socket.close();
    assert.deepEqual(answers, [[address, address], ['127.0.0.1', address]]);
  }
  await service.stop();
});

test('jobs go on to a real printer, to the webhook and to the folder', async () => {
  const seq = (await p.printer()).lastSeq;
  await p.raw('^XA^FO9,9^FDgoes on^FS^XZ');
  const label = await p.next(seq);
  await until(() => forwarded.join('').includes('goes on'));
  await until(() => hooks.some(({ body }) => JSON.parse(body).seq === label.seq));
  for (const { body, signature } of hooks) assert.equal(signature, `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`);
  assert.equal(hooks[0].body, hooks[1].body); // tried again
  await until(() => fs.readdirSync(folder).filter((name) => name.includes(String(label.seq).padStart(8, '0')) && !name.endsWith('.new')).length === 3);
  const before = forwarded.length;
  assert.equal((await p.json(`/api/printers/dock/labels/${label.seq}/print-to?host=127.0.0.1:${sink.address().port}`, { method: 'POST', body: '' })).status, 202);
  await until(() => forwarded.length > before);
  assert.equal((await p.json(`/api/printers/dock/labels/${label.seq}/print-to?host=10.0.0.1:9100`, { method: 'POST', body: '' })).status, 403);
  assert.equal((await p.json(`/api/print?host=127.0.0.1:${sink.address().port}`, { method: 'POST', body: '^XA^FDstraight on^FS^XZ' })).status, 202);
  await until(() => forwarded.join('').includes('straight on'));
  assert.equal((await p.json('/api/print?host=10.0.0.1:9100', { method: 'POST', body: '^XA^XZ' })).status, 403);
});
