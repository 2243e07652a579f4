// A service with virtual printers for a test file, and raw connections to them.
import { once } from 'node:events';
import net from 'node:net';
import { startService } from '../api/service.js';

/** names: of the printers; args: further options of the service. */
export async function startPrinters(names = ['dock'], args = [], more = '') {
  const spec = names.map((name) => `name=${name},listen=127.0.0.1:0${more}`).join(';');
  const service = await startService('platen', ['--printer', spec, '--log', 'off', ...args]);
  const ports = {};
  for (const [, name, kind, port] of service.output().matchAll(/printer (\S+)(?: \((\w+)\))? on \S+:(\d+)/g)) ports[kind ? `${name}:${kind}` : name] = Number(port);
  const json = async (path, options) => {
    const response = await fetch(service.url + path, options);
    return { status: response.status, ...(await response.json()) };
  };
  return {
    ...service,
    ports,
    json,
    printer: (name = names[0]) => json(`/api/printers/${name}`),
    labels: (after = 0, name = names[0]) => json(`/api/printers/${name}/labels?limit=500&after=${after}`),
    next: (after = 0, timeout = 120, match = '', name = names[0]) => json(`/api/printers/${name}/labels/next?after=${after}&timeout=${timeout}&match=${encodeURIComponent(match)}`),
    fetch: async (path) => Buffer.from(await (await fetch(service.url + path)).arrayBuffer()),
    state: (state, name = names[0]) => json(`/api/printers/${name}/state`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(state) }),
    reset: (name = names[0]) => json(`/api/printers/${name}/reset`, { method: 'POST', body: '' }),
    raw: (pieces, options) => raw(ports[options?.name ?? names[0]], pieces, options),
  };
}

/** Sends pieces, ends its side unless `open`, and gives what came back until the printer closed, or until `until` says it is enough. */
export async function raw(port, pieces, { open = false, until } = {}) {
  const socket = net.connect(port, '127.0.0.1');
  let got = Buffer.alloc(0);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  const enough = new Promise((resolve, reject) => {
    socket.on('data', (data) => {
      got = Buffer.concat([got, data]);
      if (until?.(got)) resolve();
    });
    socket.on('close', resolve);
    socket.on('error', reject);
  });
  for (const piece of Array.isArray(pieces) ? pieces : [pieces]) {
    if (socket.destroyed) break;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), enough]);
    if (Array.isArray(pieces)) await new Promise((sent) => setImmediate(sent));
  }
  if (!open) socket.end();
  await enough;
  socket.destroy();
  return got;
}
