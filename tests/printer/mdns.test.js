// Printers announced by multicast DNS, on 127.0.0.1: found by python-zeroconf, and by a question of plain DNS.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { HANG_MS, sleep, until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const there = spawnSync('/usr/bin/python3', ['-c', 'import zeroconf']).status === 0;
// Names of this test alone: other services of the machine may answer too.
const name = `dock-${process.pid}`;
const start = () => startPrinters([name], ['--printer-mdns', '127.0.0.1'], ',lpd=127.0.0.1:0');

test('python-zeroconf sees the printer come and go', { skip: there ? false : 'python3-zeroconf is not installed' }, async () => {
  const p = await start();
  const browser = spawn('/usr/bin/python3', [new URL('browse.py', import.meta.url).pathname], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  browser.stdout.on('data', (data) => { text += data; });
  const seen = (event) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((line) => line.event === event && line.name.startsWith(`${name}.`));
  const wait = (event) => until(() => seen(event).length >= 2, `${event} of both services`);
  await wait('add');
  const raw = seen('add').find((line) => line.name === `${name}._pdl-datastream._tcp.local.`);
  assert.deepEqual([raw?.addresses, raw?.port, raw?.text.ty], [['127.0.0.1'], p.ports[name], 'Zebra ZT410']);
  assert.equal(seen('add').find((line) => line.name === `${name}._printer._tcp.local.`)?.port, p.ports[`${name}:LPD`]);
  await p.stop();
  await wait('remove');
  assert.equal(seen('remove').length, 2);
  browser.kill();
  await once(browser, 'close');
});

test('a printer that cannot be reached there is not announced, beside one that is, and rubbish is nothing', async () => {
  const hidden = `hidden-${process.pid}`;
  const [reached, p] = await Promise.all([start(), startPrinters([hidden], ['--printer-mdns', '127.0.0.2'])]); // it listens on 127.0.0.1
  const socket = dgram.createSocket('udp4');
  const answers = [];
  socket.on('message', (message) => answers.push(message.toString('latin1')));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.setMulticastInterface('127.0.0.1');
  const labels = [...'_pdl-datastream._tcp.local'.split('.')].map((label) => String.fromCharCode(label.length) + label).join('');
  // All services of this machine get each of them.
  for (const packet of ['', '\0'.repeat(12), `\0\0\0\0\0\x01\0\0\0\0\0\0${labels}\0\0\x0c\0\x01`, '\xff'.repeat(1000)]) socket.send(Buffer.from(packet, 'latin1'), 5353, '224.0.0.251');
  await until(() => answers.some((answer) => answer.includes(name)), 'an answer to the question');
  await sleep(200);
  assert.equal(answers.some((answer) => answer.includes(hidden)), false);
  assert.equal((await p.raw('~HS')).length, 82);
  socket.close();
  await Promise.all([p.stop(), reached.stop()]);
});

test('what is no address of this machine is told', () => {
  const run = (address) => spawnSync(`${process.env.BUILD || 'build'}/platen`, ['serve', '--listen', '127.0.0.1:0', '--printer', '127.0.0.1:0', '--printer-mdns', address], { encoding: 'utf8', timeout: HANG_MS });
  assert.match(run('here').stderr, /--printer-mdns: 'here' is not an IPv4 address/);
  assert.match(run('203.0.113.9').stderr, /--printer-mdns: cannot listen on 203\.0\.113\.9/);
});
