// The clients: each does one thing, well or badly, and checks every answer that is complete.
import http from 'node:http';
import net from 'node:net';
import zlib from 'node:zlib';
import { heavy, label, numberOfPicture, numbersIn, SIZE } from './labels.mjs';
import { KEY } from './world.mjs';

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
/** The connection broke before the answer was complete. Whether that may be depends on who did it. */
class Broken extends Error {}

export class Clients {
  constructor(chaos) { Object.assign(this, { chaos, agent: new http.Agent({ keepAlive: true, maxSockets: 6 }) }); }
  get service() { return this.chaos.service; }
  random(n) { return this.chaos.random(n); }
  chance(n) { return this.random(n) === 0; }
  pick(list) { return list[this.random(list.length)]; }
  check(good, what) { if (!good) this.chaos.fail(what); }

  /** leave: ms after which the client closes the connection. Resolves to the whole answer, or to null when the client left. */
  call(method, path, { body, headers = {}, leave, port = this.service.port, slowly = false } = {}) {
    return new Promise((resolve, reject) => {
      let data = body === undefined ? undefined : Buffer.from(body);
      const extra = { 'X-API-Key': KEY, ...headers };
      if (data && headers['Content-Encoding'] === 'gzip') data = zlib.gzipSync(data);
      if (data && !slowly) extra['Content-Length'] = data.length;
      const { service } = this;
      const request = http.request({ host: '127.0.0.1', port, method, path, headers: extra, agent: leave === undefined && port === service.port && this.random(3) ? this.agent : false });
      let left = false;
      const timer = leave === undefined ? undefined : setTimeout(() => { left = true; request.destroy(); resolve(null); }, leave);
      const late = setTimeout(() => { request.destroy(); reject(new Error(`${method} ${path}: no answer within 90 s`)); }, 90_000);
      const end = (settle, value) => { clearTimeout(timer); clearTimeout(late); settle(value); };
      request.on('error', (error) => end(left ? resolve : reject, left ? null : Object.assign(new Broken(`${method} ${path}: ${error.message}`), { excused: service.stopping || request.reusedSocket })));
      request.on('response', (response) => {
        const parts = [];
        response.on('data', (piece) => { parts.push(piece); if (leave && this.chance(40)) response.pause(), setTimeout(() => response.resume(), 50); });
        response.on('end', () => end(resolve, response.complete ? { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) } : null));
        response.on('error', (error) => end(left ? resolve : reject, left ? null : Object.assign(new Broken(`${method} ${path}: ${error.message}`), { excused: service.stopping })));
      });
      if (!data || !slowly) { request.end(data); return; }
      (async () => {
        const step = Math.max(1, Math.ceil(data.length / 8));
        for (let at = 0; at < data.length && !request.destroyed; at += step) { request.write(data.subarray(at, at + step)); await sleep(this.random(60)); }
        request.end();
      })();
    });
  }

  /** An answer that is no success is one of those that a busy or stopping service gives; a renderer that was killed answers 500. */
  isBusy(answer, what) {
    if (answer === null) return true;
    if ([200, 202, 204].includes(answer.status)) return false;
    let code;
    try { ({ code } = JSON.parse(answer.body)); } catch { code = answer.body.toString('latin1', 0, 80); }
    if (/^ERROR: The renderer did not survive/.test(code)) code = 'render_failed'; // the routes of Labelary answer with text
    const busy = [429, 503].includes(answer.status) || (answer.status === 500 && code === 'render_failed' && this.service.kills > 0);
    this.chaos.count(`${answer.status} ${code}`);
    this.check(busy, `${what}: ${answer.status} ${code}`);
    return true;
  }

  options(more = {}) {
    const headers = { 'Content-Type': this.pick(['text/plain', 'application/zpl', 'application/x-www-form-urlencoded']) };
    if (this.chance(3)) headers['Content-Encoding'] = 'gzip';
    return { headers, leave: this.chance(5) ? this.random(1500) : undefined, slowly: this.chance(8), ...more };
  }

  // ---- labels by request

  async render(code = label, most = 100) {
    const number = this.chaos.number(), format = this.pick(['png', 'png', 'json', 'base64', 'pdf', 'webp', 'jpeg']);
    const answer = await this.call('POST', this.chance(5) ? `/api/render?format=${format}&${SIZE}` : `/api/render/${format}?${SIZE}`, { body: code(number, most), ...this.options() });
    if (this.isBusy(answer, `render ${format}`)) return;
    if (format === 'png') this.check(numberOfPicture(answer.body) === number, `render: the picture of ${numberOfPicture(answer.body)} for ${number}`);
    if (format === 'json') this.check(numbersIn(answer.body.toString()).includes(number), `render: the description of ${numbersIn(answer.body.toString())} for ${number}`);
    if (format === 'json' || format === 'base64') {
      const { labels } = JSON.parse(answer.body);
      this.check(numberOfPicture(Buffer.from(labels[0].data, 'base64')) === number, `render ${format}: another label's picture for ${number}`);
    }
  }
  slowRender() { return this.render(heavy, 2000 + this.random(12000)); }
  async labelary() {
    const number = this.chaos.number(), code = label(number);
    const options = this.options({ headers: { 'X-Quality': 'Bitonal', 'Content-Type': 'application/x-www-form-urlencoded' } });
    const path = `/v1/printers/8dpmm/labels/2x1${this.pick(['/0', '/0/', '', '/'])}`; // without an index: all labels, as a PDF
    if (!/0/.test(path.slice(-2))) options.headers.Accept = 'application/pdf';
    const { headers } = options;
    const answer = this.chance(2) ? await this.call('GET', `${path}${path.endsWith('/') ? '' : '/'}${encodeURIComponent(code)}`, { headers }) : await this.call('POST', path, { body: code, ...options });
    if (this.isBusy(answer, path)) return;
    if (headers.Accept) this.check(answer.body.subarray(0, 5).equals(Buffer.from('%PDF-')), 'labelary: no PDF');
    else this.check(numberOfPicture(answer.body) === number, `labelary: another label for ${number}`);
  }
  async batch() {
    const numbers = Array.from({ length: 1 + this.random(60) }, () => this.chaos.number());
    const body = numbers.map((number) => `${JSON.stringify({ id: String(number), zpl: label(number) })}\n`).join('');
    const answer = await this.call('POST', `/api/batch?${SIZE}`, { body, ...this.options({ headers: { 'Content-Type': 'application/x-ndjson', ...(this.chance(4) ? { 'Content-Encoding': 'gzip' } : {}) } }) });
    if (this.isBusy(answer, 'batch')) return;
    const lines = answer.body.toString().trim().split('\n').map((line) => JSON.parse(line)), done = lines.filter(({ id }) => id);
    const { summary } = lines.at(-1);
    if (!summary) { this.check(this.service.stopping || this.service.kills > 0, 'batch: no summary'); return; }
    this.check(summary.documents === numbers.length && done.length === numbers.length, `batch: ${summary.documents} and ${done.length} of ${numbers.length} documents`);
    for (const { id, ok, data, code } of done) {
      this.check(numbers.includes(Number(id)), `batch: a stranger's document ${id}`);
      if (ok) this.check(numberOfPicture(Buffer.from(data, 'base64')) === Number(id), `batch: another label for ${id}`);
      else this.check(this.service.kills > 0 || ['render_timeout', 'overloaded', 'draining'].includes(code), `batch: ${id} failed: ${code}`);
    }
  }
  async convert() {
    const number = this.chaos.number(), code = label(number);
    const picture = Buffer.concat([Buffer.from('P4\n16 8\n'), Buffer.alloc(16, number & 255)]);
    const [path, options, holds] = this.pick([
      ['/api/zpl', this.options({ body: code }), true],
      ['/api/compare', { body: JSON.stringify({ a: { zpl: code }, b: { zpl: label(number + 1) } }), headers: { 'Content-Type': 'application/json' } }, false],
      ['/api/image', this.options({ body: picture, headers: { 'Content-Type': 'image/x-portable-bitmap' } }), false],
      ['/v1/graphics', { body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.pbm"\r\n\r\n${picture.toString('latin1')}\r\n--x--\r\n`, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }, false],
      ['/api/font', { body: 'no font', headers: { 'Content-Type': 'font/ttf' } }, false],
      ['/v1/fonts', { body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.ttf"\r\n\r\nno font\r\n--x--\r\n`, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }, false],
    ]);
    const answer = await this.call('POST', path, options);
    if (answer?.status === 400) { this.chaos.count(`400 ${path}`); return; }
    if (!this.isBusy(answer, path)) this.check(!holds || numbersIn(answer.body.toString()).includes(number), `${path}: another label for ${number}`);
  }

  async assistant() {
    const number = this.chaos.number(), id = this.random(1e9);
    const message = this.pick([
      { method: 'tools/call', params: { name: 'render_label', arguments: { zpl: label(number), widthMm: 40, heightMm: 10 } } },
      { method: 'tools/call', params: { name: 'check_label', arguments: { zpl: label(number) } } },
      { method: 'tools/list' }, { method: 'nothing' },
    ]);
    const answer = await this.call('POST', '/mcp', { body: JSON.stringify({ jsonrpc: '2.0', id, ...message }), ...this.options({ headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' } }) });
    if (this.isBusy(answer, '/mcp')) return;
    const { id: answered, result, error } = JSON.parse(answer.body), picture = result?.content?.find(({ type }) => type === 'image');
    this.check(answered === id, `/mcp: the answer to ${answered} for ${id}`);
    this.check(message.method === 'nothing' ? error : result, `/mcp ${message.method}: ${answer.body.toString('latin1', 0, 200)}`);
    if (picture) this.check(numberOfPicture(Buffer.from(picture.data, 'base64')) === number, `/mcp: another label for ${number}`);
  }

  // ---- what waits

  async longPoll() {
    const query = `timeout=${this.random(4)}${this.chance(2) ? `&match=never${this.random(9)}` : `&after=${this.random(50)}`}`;
    const answer = await this.call('GET', `/api/printers/${this.pick(['a', 'b'])}/labels/next?${query}`, { leave: this.chance(2) ? this.random(3000) : undefined });
    if (answer?.status !== 404) this.isBusy(answer, 'long poll');
  }
  /** Long polls that end, by their time or because their client leaves, while all workers are busy with slow labels. */
  async crowd() {
    const polls = Array.from({ length: 2 + this.random(4) }, () => this.call('GET', `/api/printers/a/labels/next?timeout=1&match=never`, { leave: this.chance(3) ? undefined : 600 + this.random(1500) }));
    await sleep(this.random(1000));
    const slow = Array.from({ length: 2 + this.random(4) }, () => this.call('POST', `/api/render/png?${SIZE}`, { body: heavy(this.chaos.number(), 3000 + this.random(12000)), leave: this.chance(3) ? this.random(2000) : undefined }));
    for (const answer of await Promise.all([...polls, ...slow])) if (answer?.status !== 404) this.isBusy(answer, 'crowd');
  }
  async events() {
    const path = this.pick(['/api/printers/events', '/api/printers/a/events', '/api/printers/b/events']);
    const answer = await this.call('GET', path, { headers: { Accept: 'text/event-stream' }, leave: 50 + this.random(4000) });
    if (answer !== null) this.check(this.service.stopping || [429, 503].includes(answer.status), `${path} ended by itself: ${answer?.status}`);
  }
  /** Waiting requests with a body that is coded: what it was expanded to belongs to the request, however often it runs. */
  async reset() {
    const gzip = this.random(4) ? { 'Content-Encoding': 'gzip' } : {};
    const answer = await this.call('POST', `/api/printers/b/reset${this.pick(['', '?memory=keep'])}`, { body: 'x'.repeat(this.random(2_000_000)), headers: gzip, leave: this.chance(3) ? this.random(800) : undefined });
    this.isBusy(answer, 'reset');
  }
  async change() {
    const [method, path, body] = this.pick([
      ['PUT', '/api/printers/b/state', JSON.stringify({ [this.pick(['paused', 'paperOut', 'headOpen', 'silent'])]: this.chance(2) })],
      ['PUT', '/api/printers/b/state', JSON.stringify({ slowMs: this.random(200), cutConnections: this.chance(3) })],
      ['PUT', '/api/printers/b/state', JSON.stringify({ paused: false, paperOut: false, headOpen: false, silent: false, slowMs: 0 })],
      ['DELETE', '/api/printers/b/labels'], ['DELETE', '/api/printers/b/memory'],
    ]);
    this.isBusy(await this.call(method, path, { body, headers: body ? { 'Content-Type': 'application/json' } : {} }), path);
  }

  // ---- jobs

  /** Jobs for printer a: 202 means that each will be printed once. Gives the number of the first, 0 when they were not accepted. */
  async submit(count, options) {
    const numbers = Array.from({ length: count }, () => this.chaos.sent('print'));
    const answer = await this.call('POST', '/api/printers/a/print', { body: numbers.map((number) => label(number)).join(''), ...options });
    if (this.isBusy(answer, 'print')) return 0;
    for (const number of numbers) this.chaos.accept(number, 'print');
    return numbers[0];
  }
  /** So many at once that they wait when the service is stopped. */
  burst() { return Promise.all(Array.from({ length: 6 }, () => this.submit(40, {}))).catch(() => {}); }
  async print() {
    const number = await this.submit(this.chance(4) ? 1 + this.random(40) : 1, this.options());
    if (!number || this.random(3)) return;
    const found = await this.call('GET', `/api/printers/a/labels/next?timeout=20&match=${encodeURIComponent(`id ${number}.`)}`);
    if (found?.status !== 404 && !this.isBusy(found, 'next')) this.check(numbersIn(JSON.parse(found.body).zpl).includes(number), `next: another label for ${number}`);
  }
  /** Resolves to what came back when the printer has closed in order, null when the connection broke or the client left. */
  socket(port, pieces, { leave, pause = 0 } = {}) {
    return new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      const parts = [];
      let whole = false;
      const timer = leave === undefined ? undefined : setTimeout(() => { if (this.chance(2)) socket.resetAndDestroy(); else socket.destroy(); }, leave);
      socket.on('data', (data) => parts.push(data)).on('end', () => { whole = true; }).on('error', () => { whole = false; });
      socket.on('close', (broken) => { clearTimeout(timer); resolve(whole && !broken ? Buffer.concat(parts) : null); });
      socket.on('connect', async () => {
        for (const piece of pieces) {
          if (socket.destroyed) return;
          socket.write(piece);
          if (pause) await sleep(this.random(pause));
        }
        if (leave === undefined) socket.end();
      });
    });
  }
  cut(text) {
    const at = Array.from({ length: this.random(5) }, () => this.random(text.length)).sort((x, y) => x - y);
    return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
  }
  async raw() {
    const numbers = Array.from({ length: 1 + this.random(5) }, () => this.chaos.sent('raw'));
    const { service } = this;
    const got = await this.socket(service.ports.a, this.cut(`${numbers.map((number) => label(number)).join('\n')}${this.chance(2) ? '~HS' : ''}`), { pause: this.chance(3) ? 100 : 0 });
    if (got === null) throw new Broken('a raw connection');
    if (!service.stopping) for (const number of numbers) this.chaos.accept(number, 'raw');
    this.check(got.length === 0 || got.length === 82, `raw: ${got.length} bytes came back`);
  }
  /** Begins a label and never ends it, stays a while, leaves in one way or another. What was whole may be printed. */
  async unfinished() {
    const number = this.chaos.sent('unfinished');
    await this.socket(this.service.ports[this.pick(['a', 'b', 'a:JSON'])], [this.chance(2) ? label(number) : '', '^XA^FO9,9^A0N,20^FDnever'.slice(0, 3 + this.random(22))], { leave: this.random(2500) });
  }
  async lpd() {
    const number = this.chaos.sent('lpd'), data = label(number), { service } = this;
    const control = 'Hhost\nPuser\n';
    const got = await this.socket(service.ports['a:LPD'], this.cut(`\x02lp\n\x02${control.length} cfA001host\n${control}\0\x03${data.length} dfA001host\n${data}\0`));
    if (got === null) throw new Broken('an LPD connection');
    if (got.equals(Buffer.alloc(5))) this.chaos.accept(number, 'lpd');
    else this.check(service.stopping, `lpd: ${got.toString('hex')}`);
  }
  async json() {
    const got = await this.socket(this.service.ports['b:JSON'], ['{}{"device.product_name":null,"device.pause":"false"}']);
    if (got?.length) this.check('device.product_name' in JSON.parse(got), `json: ${got}`);
  }
  async door() {
    const port = this.service.ports.b, text = { 'Content-Type': 'text/plain' };
    const [method, path, body] = this.pick([['GET', '/available'], ['GET', '/default'], ['GET', '/config'], ['POST', '/write', JSON.stringify({ data: '~HS' })], ['POST', '/read', '{}']]);
    const answer = await this.call(method, path, { port, body, headers: body ? text : {}, leave: this.chance(4) ? this.random(300) : undefined }).catch((error) => { if (!(error instanceof Broken)) throw error; return null; });
    this.isBusy(answer, path); // printer b cuts connections when a client orders it
  }
  async pages() {
    const code = label(this.chaos.number());
    const [method, path, body] = this.pick([['POST', '/pstprnt?printer=b', code], ['POST', '/printer/pstprnt?printer=b', code], ['POST', '/zpl?printer=b', `data=${code}`], ['POST', '/printer/zpl?printer=b', `data=${code}`],
      ['GET', '/png?printer=b&oname=__TMP1'], ['GET', '/printer/png?printer=b&oname=__TMP1'], ['GET', '/config.html?printer=b']]);
    const answer = await this.call(method, path, { body, leave: this.chance(4) ? this.random(3000) : undefined });
    if (![404, 400].includes(answer?.status)) this.isBusy(answer, path);
  }
  async onward() {
    const number = this.chaos.number(), host = `host=127.0.0.1:${this.chaos.outside.printerPort}`;
    const answer = this.chance(2) ? await this.call('POST', `/api/print?${host}`, { body: label(number) }) : await this.call('POST', `/api/printers/b/labels/latest/print-to?${host}`, { body: '' });
    if (answer?.status !== 404) this.isBusy(answer, 'print to');
  }

  // ---- everything else

  async look() {
    const path = this.pick(['/api/health', '/metrics', '/', '/printer', '/docs', '/docs/', '/openapi.json', '/llms.txt', '/api/commands', '/api/printers', '/api/printers/a', '/api/printers/a/labels?limit=20',
      '/api/printers/a/labels/latest.png', '/api/printers/a/labels/latest.json', '/api/printers/a/labels/latest.pdf', '/api/printers/b/labels/latest.zpl', '/nothing']);
    const answer = await this.call('GET', path, { headers: this.chance(2) ? { 'Accept-Encoding': 'gzip, br' } : {} });
    if (answer && (path.startsWith('/api/printers') || path === '/nothing') && answer.status === 404) return;
    if (answer?.status !== 301 && answer?.status !== 308 && answer?.status !== 302) this.isBusy(answer, path);
  }
  async stranger() {
    const path = this.pick(['/api/printers/a/print', '/api/printers/b/reset', '/api/render/png']);
    const answer = await this.call('POST', path, { body: label(this.chaos.number()), headers: { 'Content-Type': 'text/plain', ...this.pick([{ Origin: 'https://stranger.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) } });
    if (answer && answer.status !== 503) this.check(answer.status === 403, `${path} of a stranger: ${answer.status}`);
  }
  async rude() {
    const number = this.chaos.number(), body = label(number);
    const text = this.pick([
      'GET /api/health HTTP/1.1\r\nHost: localhost\r\n',
      `POST /api/render/png HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
      `POST /api/batch HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n`,
      `POST /api/printers/b/print HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n${'x'.repeat(30)}`,
      'nonsense\r\n\r\n', `GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\n\r\n`.repeat(1 + this.random(12)), '\0'.repeat(100),
    ]);
    await this.socket(this.service.port, this.cut(text), this.chance(3) ? { pause: 200 } : { leave: this.random(1500), pause: 50 });
  }

  /** One thing after another until `over` says so. */
  async run(over) {
    while (!over()) {
      const kind = this.pick(this.chaos.only ?? MENU);
      try {
        await this[kind]();
        this.chaos.count(kind);
      } catch (error) {
        if (!(error instanceof Broken)) { this.chaos.fail(`${kind}: ${error.stack}`); continue; }
        // A connection that breaks while nobody orders it is a failure, also when the service goes on. Its end is noticed a little later.
        if (!error.excused) await Promise.race([this.service.ended, sleep(5000)]);
        this.check(error.excused || this.service.stopping || this.service.over, `${kind}: ${error.message}`);
        this.chaos.count('broken connection');
      }
    }
  }
}

const WEIGHTS = { render: 8, slowRender: 5, labelary: 3, batch: 4, convert: 4, assistant: 3, longPoll: 10, crowd: 2, events: 4, reset: 4, change: 2, print: 8, raw: 6, unfinished: 3, lpd: 3, json: 1, door: 3, pages: 3, onward: 1, look: 4, stranger: 2, rude: 5 };
const MENU = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array(weight).fill(kind));
