// A page of another origin in Chromium, and a service with virtual printers: whatever the page tries, nothing is printed, drawn or waits.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { until } from '../api/lib/until.js';
import { startPrinters } from '../printer/printer.js';
import { DEADLINE_MS, launch } from './chromium.js';

const LABEL = '^XA^FO9,9^FDby a stranger^FS^XZ';
let p, browser, elsewhere;
before(async () => {
  elsewhere = http.createServer((request, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Elsewhere</title><body>')).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  [p, browser] = await Promise.all([startPrinters(['a'], ['--printer-pages', 'on'], ',json=127.0.0.1:0,lpd=127.0.0.1:0'), launch()]);
});
after(async () => {
  await browser?.close();
  elsewhere?.close();
  elsewhere?.closeAllConnections();
  await p?.stop();
});

const metrics = async () => (await p.fetch('/metrics')).toString();
/** What only a request that was carried out changes. */
const traces = async () => (await metrics()).split('\n').filter((line) => /^platen_(renders|labels|printer|http_queue)\w*(_total|_count)[ {]/.test(line) && !/connections/.test(line));
const refusals = async (route) => Number(new RegExp(`^platen_http_requests_total\\{route="${route.replace(/[{}]/g, '\\$&')}",.*status="403"\\} (\\d+)`, 'm').exec(await metrics())?.[1] ?? 0);

/** In the page: one try of each kind at every address. Ends when the browser has ended each. */
async function tryEverything({ base, ports, label, ms, leaveMs }) {
  const done = [];
  const settled = (start) => done.push(Promise.race([new Promise(start), new Promise((resolve) => setTimeout(resolve, ms, 'still open'))]).then((how) => ({ how, name: String(start) })));
  const posts = ['/api/printers/a/print', '/api/printers/a/reset', '/api/print?host=127.0.0.1:9', '/api/render/png', '/api/batch', '/api/zpl', '/pstprnt', '/v1/printers/8dpmm/labels/4x6/0/'];
  const gets = ['/api/printers/a/labels/next?timeout=60', '/api/printers/a/events', '/api/printers/events', `/v1/printers/8dpmm/labels/4x6/0/${label}`, '/config.html'];
  const form = new FormData();
  form.append('file', label);
  for (const where of posts) {
    for (const body of [label, new URLSearchParams({ zpl: label }), form]) settled((end) => fetch(base + where, { method: 'POST', mode: 'no-cors', body }).then(end, end));
    settled((end) => fetch(base + where, { method: 'POST', body: label }).then(end, end));
    settled((end) => fetch(base + where, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }).then(end, end));
    settled((end) => fetch(base + where, { method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer', body: label }).then(end, end));
    navigator.sendBeacon(base + where, label);
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: `f${document.forms.length}` }));
      const element = document.body.appendChild(Object.assign(document.createElement('form'), { method: 'post', action: base + where, enctype, target: frame.name }));
      element.append(Object.assign(document.createElement('input'), { name: label, value: label }));
      settled((end) => { frame.onload = end; element.submit(); });
    }
  }
  for (const where of gets) {
    settled((end) => fetch(base + where, { mode: 'no-cors' }).then(end, end));
    settled((end) => fetch(base + where).then(end, end));
    settled((end) => Object.assign(new Image(), { onload: end, onerror: end, src: base + where }));
    settled((end) => Object.assign(new Image(), { referrerPolicy: 'no-referrer', onload: end, onerror: end, src: base + where }));
    settled((end) => document.head.append(Object.assign(document.createElement('script'), { onload: end, onerror: end, src: base + where })));
    settled((end) => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', onload: end, onerror: end, href: base + where })));
    settled((end) => document.body.append(Object.assign(document.createElement('iframe'), { onload: end, src: base + where })));
    settled((end) => Object.assign(document.createElement('video'), { onerror: end, onloadeddata: end, src: base + where }));
    settled((end) => { const source = new EventSource(base + where); source.onopen = () => end('opened'); source.onerror = () => { source.close(); end('refused'); }; });
    settled((end) => { const socket = new WebSocket(base.replace('http', 'ws') + where); socket.onopen = () => end('opened'); socket.onerror = () => end('refused'); });
  }
  for (const where of ['/api/printers/a/state', '/api/printers/a/labels', '/api/printers/a/memory']) {
    for (const method of ['PUT', 'DELETE', 'POST']) settled((end) => fetch(base + where, { method, body: '{"paused":true}' }).then(end, end));
  }
  for (const port of ports) {
    for (const body of [label, '{}{"device.pause":"true"}', '! U1 setvar "device.pause" "true"\r\n']) {
      const leaving = new AbortController(); // a port that answers nothing keeps the page waiting: the bytes were sent
      settled((end) => { fetch(`http://127.0.0.1:${port}/`, { method: 'POST', mode: 'no-cors', body, signal: leaving.signal }).then(end, end); setTimeout(() => leaving.abort(), leaveMs); });
    }
  }
  return (await Promise.all(done)).filter(({ how }) => how === 'still open' || how === 'opened' || (how instanceof Response && how.type !== 'opaque')).map(({ how, name }) => `${how}: ${name}`);
}

describe('a page of another origin', () => {
  for (const [what, name] of [['of another port of this machine', '127.0.0.1'], ['of another site', 'localhost']]) {
    test(`${what} prints nothing, draws nothing and waits for nothing`, { timeout: 3 * DEADLINE_MS }, async (t) => {
      const context = await browser.newContext();
      t.after(() => context.close());
      const page = await context.newPage();
      await page.goto(`http://${name}:${elsewhere.address().port}/`);
      const earlier = await traces(), refused = await refusals('/api/printers/{name}/print');
      const through = await page.evaluate(tryEverything, { base: p.url, ports: Object.values(p.ports), label: LABEL, ms: DEADLINE_MS, leaveMs: 5000 });
      assert.deepEqual(through, []);
      // Three fetches without CORS, one with, one without a referrer, a beacon and three forms came, and all were refused. A beacon has no other sign.
      await until(async () => (await refusals('/api/printers/{name}/print')) >= refused + 9);
      assert.deepEqual(await traces(), earlier);
      const { lastSeq, paused } = await p.printer();
      assert.deepEqual({ lastSeq, paused }, { lastSeq: 0, paused: false });
    });
  }

  test('the same requests from the own page are carried out', async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${p.url}/printer`);
    const statuses = await page.evaluate(async (label) => {
      const post = async (where) => (await fetch(where, { method: 'POST', body: label })).status;
      return [await post('/api/printers/a/print'), await post('/api/render/png'), await post('/pstprnt'), (await fetch('/api/printers/a/labels/next?timeout=20')).status];
    }, LABEL);
    assert.deepEqual(statuses, [202, 200, 200, 200]);
  });
});
