// Every limit of docs/limits.md: a service with small limits, and what happens beyond each. The page itself is compared with the programs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startService } from './service.js';

const BOX = '^FO1,1^GB9,9,9^FS';
const build = process.env.BUILD || 'build';

test('metrics and health are answered within any --max-body-memory and --max-client-memory', async () => {
  const service = await startService('platen', ['--max-body-memory', '64KiB', '--max-client-memory', '1KiB']);
  for (const path of ['/metrics', '/api/health']) {
    const response = await fetch(service.url + path);
    assert.equal(response.status, 200);
    await response.text();
  }
  await service.stop();
});

describe('limits of one render', () => {
  let service;
  before(async () => {
    service = await startService('platen', ['--max-body', '20KiB', '--max-labels', '3', '--max-dots', '1000000', '--max-graphics', '4KiB',
      '--max-stored', '4KiB', '--max-elements', '10', '--max-uri', '1KiB', '--max-header', '2KiB']);
  });
  after(() => service.stop());
  const post = (path, body, headers = { 'Content-Type': 'text/plain' }) => fetch(service.url + path, { method: 'POST', body, headers });
  const json = async (body, query = '') => {
    const response = await post(`/api/render/json${query}`, body);
    return { status: response.status, body: await response.json() };
  };
  const codes = (answer) => answer.body.warnings.filter((w) => w.severity !== 'info').map((w) => w.code);

  test('body', async () => {
    const response = await post('/api/render/png', 'x'.repeat(20481));
    assert.equal(response.status, 413);
    assert.equal((await response.json()).ok, false);
    assert.equal((await post('/api/render/png', `^XA${BOX}^XZ`.padEnd(20480))).status, 200);
  });
  test('distinct labels', async () => {
    assert.equal((await json(`^XA${BOX}^XZ`.repeat(3))).status, 200);
    const over = await json(`^XA${BOX}^XZ`.repeat(4));
    assert.equal(over.status, 413);
    assert.match(over.body.error, /3/);
  });
  test('copies', async () => {
    const answer = await json(`^XA${BOX}^PQ9^XZ`);
    assert.equal(answer.body.count, 3);
    assert.deepEqual(codes(answer), ['copies_cut']);
  });
  test('dots', async () => {
    const answer = await json(`^XA${BOX}^XZ`, '?widthMm=200&heightMm=200');
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, /1000000|1,000,000/);
  });
  test('decoded graphics', async () => {
    const within = await json(`^XA^FO1,1^GFA,3000,3000,100,${'FF'.repeat(3000)}^FS^XZ`);
    assert.equal(within.status, 200);
    assert.deepEqual(codes(within), []);
    const graphic = `^FO1,1^GFA,3000,3000,100,${'FF'.repeat(3000)}^FS`;
    const over = await json(`^XA${graphic}${graphic}^XZ`);
    assert.equal(over.status, 413);
    assert.match(over.body.error, /graphics/);
    // One that states such a size is not even decoded: a finding, and the rest is drawn.
    const stated = await json(`^XA^FO1,1^GFA,5000,5000,100,FF^FS${BOX}^XZ`);
    assert.equal(stated.status, 200);
    assert.deepEqual(codes(stated), ['limit_reached']);
  });
  test('stored objects', async () => {
    const answer = await json(`~DGR:A.GRF,3000,100,${'FF'.repeat(3000)}~DGR:B.GRF,1000,100,${'FF'.repeat(1000)}~DGR:C.GRF,1000,100,${'FF'.repeat(1000)}^XA^FO1,1^XGR:A.GRF^FS^XZ`);
    assert.ok([200, 413].includes(answer.status));
    if (answer.status === 200) assert.ok(codes(answer).includes('store_full') || codes(answer).includes('limit_reached'));
  });
  test('elements', async () => {
    const answer = await json(`^XA${BOX.repeat(12)}^XZ`);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.labels[0].elements.length, 10);
    assert.ok(codes(answer).includes('limit_reached'));
  });
  test('address', async () => assert.equal((await post(`/api/render/png?filename=${'a'.repeat(2000)}`, `^XA${BOX}^XZ`)).status, 414));
  test('headers', async () =>
    assert.equal((await post('/api/render/png', `^XA${BOX}^XZ`, { 'Content-Type': 'text/plain', 'X-Long': 'a'.repeat(4000) })).status, 431));
  test('recall depth', async () => {
    const answer = await json(`^XA^DFR:A.ZPL^XFR:A.ZPL^FS${BOX}^XZ^XA^XFR:A.ZPL^FS${BOX}^XZ`);
    assert.equal(answer.status, 200);
    assert.ok(codes(answer).includes('recall_depth'));
  });
  test('sides of WebP and JPEG pictures', async () => {
    const wide = '?widthMm=17000&heightMm=1&dpmm=1';
    assert.equal((await post(`/api/render/png${wide}`, `^XA${BOX}^XZ`)).status, 200);
    assert.equal((await post(`/api/render/webp${wide}`, `^XA${BOX}^XZ`)).status, 400);
    assert.equal((await post('/api/render/jpeg?widthMm=66000&heightMm=1&dpmm=1', `^XA${BOX}^XZ`)).status, 400);
  });
  test('health shows the values in force', async () => {
    const { limits } = await (await fetch(`${service.url}/api/health`)).json();
    assert.equal(limits.requestBodyBytes, 20480);
    assert.equal(limits.labelsPerRequest, 3);
    assert.equal(limits.dotsPerLabel, 1000000);
  });
});

test('a render that takes too long is 503 with Retry-After', async () => {
  const service = await startService('platen', ['--render-timeout', '5ms']);
  try {
    const zpl = Array.from({ length: 400 }, (_, i) => `^XA^FO1,1^BQN,2,5^FDQA,${'x'.repeat(900)}${i}^FS^XZ`).join('');
    const response = await fetch(`${service.url}/api/render/pdf`, { method: 'POST', body: zpl, headers: { 'Content-Type': 'text/plain' } });
    assert.equal(response.status, 503);
    assert.ok(response.headers.get('retry-after'));
    assert.equal((await response.json()).code, 'render_timeout');
  } finally {
    await service.stop();
  }
});

test('memory of one render', async () => {
  const service = await startService('platen', ['--max-memory', '1MiB']);
  try {
    const response = await fetch(`${service.url}/api/render/png?widthMm=1000&heightMm=1000`, { method: 'POST', body: `^XA${BOX}^XZ`, headers: { 'Content-Type': 'text/plain' } });
    assert.equal(response.status, 413);
  } finally {
    await service.stop();
  }
});

test('docs/limits.md has every limiting flag with its default', () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const help = execFileSync(`${build}/platen`, ['serve', '--help']).toString();
  const flags = [...help.matchAll(/^ {2}(--(?:max|[a-z]+-timeout|min-rate|rate|glyph)[a-z-]*)[^\n]*\n[^\n]*\[default: ([^\]]*)\]/gm)];
  assert.ok(flags.length > 15);
  for (const [, flag, value] of flags) {
    const row = page.split('\n').find((line) => line.startsWith('|') && line.split('|')[1].includes(`\`${flag}\``));
    assert.ok(row, `${flag} is not in docs/limits.md`);
    assert.ok(row.includes(`| ${value} |`), `${flag}: the default is ${value}, the page says ${row}`);
  }
});
