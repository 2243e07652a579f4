// Whatever is sent, the grain service answers 200 or 400 with what its schema says, and its numbers keep their laws.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { startService } from './service.js';

let service;
let grains;
let validAnswer;
let validError;
before(async () => {
  service = await startService('hygro');
  grains = (await (await fetch(`${service.url}/api/grains`)).json()).grains;
  const openapi = await (await fetch(`${service.url}/openapi.json`)).json();
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(openapi, 'openapi');
  const result = ajv.getSchema('openapi#/components/schemas/Result');
  validError = ajv.getSchema('openapi#/components/schemas/CalculationError');
  validAnswer = (item) => (item.ok ? result(item) : validError(item));
});
after(() => service.stop());

async function post(body) {
  const response = await fetch(`${service.url}/api/calculate`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return { status: response.status, body: await response.json() };
}

const hundreds = (low, high) => fc.integer({ min: Math.round(low * 100), max: Math.round(high * 100) }).map((n) => n / 100);
const setOf = fc.tuple(fc.nat(), fc.nat()).map(([i, k]) => {
  const grain = grains[i % grains.length];
  return { grain: grain.id, set: grain.sets[k % grain.sets.length].id };
});

test('a value in bounds has a finite answer with one decimal, or a reason', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.record({ of: setOf, ta: hundreds(-30, 80), ur: hundreds(0.01, 99.99) }), { minLength: 1, maxLength: 200 }), async (list) => {
    const { status, body } = await post(JSON.stringify(list.map(({ of, ta, ur }) => ({ ...of, ta, ur }))));
    assert.equal(status, 200);
    assert.equal(body.length, list.length);
    body.forEach((item, i) => {
      assert.ok(validAnswer(item), JSON.stringify(item));
      if (!item.ok) return assert.ok(item.code === 'no_answer' || (item.code === 'out_of_range' && item.field === 'ta'), JSON.stringify(item));
      assert.equal(item.ta, list[i].ta);
      assert.equal(item.ur, list[i].ur);
      assert.equal(Number(item.moisture.toFixed(1)), item.moisture);
      const { range } = grains.find((g) => g.id === item.grain).sets.find((k) => k.id === item.set);
      assert.equal(item.inRange, item.ta >= range.ta.min && item.ta <= range.ta.max && item.ur >= range.ur.min && item.ur <= range.ur.max);
      assert.ok(item.spread.low <= item.moisture && item.moisture <= item.spread.high, JSON.stringify(item));
    });
  }), { numRuns: 60 });
});

test('the inverse brackets what it came from', async () => {
  await fc.assert(fc.asyncProperty(setOf, hundreds(0, 50), hundreds(12, 93), async (of, ta, ur) => {
    const forward = (await post(JSON.stringify({ ...of, ta, ur }))).body;
    if (!forward.ok) return;
    const back = (await post(JSON.stringify({ ...of, ta, moisture: forward.moisture }))).body;
    assert.ok(back.ok, JSON.stringify(back));
    const [low, high] = (await post(JSON.stringify([{ ...of, ta, ur: Math.max(0.1, back.ur - 0.06) }, { ...of, ta, ur: Math.min(99.9, back.ur + 0.06) }]))).body;
    assert.ok(low.ok === false || low.moisture <= forward.moisture + 0.1, JSON.stringify([forward, back, low]));
    assert.ok(high.moisture >= forward.moisture - 0.1, JSON.stringify([forward, back, high]));
  }), { numRuns: 150 });
});

test('any JSON is answered by 200 or 400 in the right shape', async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
    const { status, body } = await post(JSON.stringify(value));
    if (Array.isArray(value)) {
      assert.equal(status, 200);
      assert.equal(body.length, value.length);
      body.forEach((item) => assert.ok(validAnswer(item), JSON.stringify(item)));
    } else {
      assert.equal(status, 400, JSON.stringify(value));
      assert.ok(validError(body), JSON.stringify(body));
    }
  }), { numRuns: 300 });
});

test('fields of any kind are answered by 200 or 400 in the right shape', async () => {
  const field = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('corn', 'soja', 'pt', 'en', 'F', 'C', 'dry', 'modified-oswin', '25,5', 25, 70, 0, 100, -40, 1e308));
  const names = ['grain', 'ta', 'ur', 'moisture', 'model', 'set', 'basis', 'taUnit', 'lang', 'other'];
  const request = fc.record(Object.fromEntries(names.map((name) => [name, field])), { requiredKeys: [] });
  await fc.assert(fc.asyncProperty(fc.array(request, { maxLength: 50 }), async (list) => {
    const { status, body } = await post(JSON.stringify(list));
    assert.equal(status, 200);
    body.forEach((item) => assert.ok(validAnswer(item), JSON.stringify(item)));
  }), { numRuns: 150 });
});

test('any bytes are answered by 200 or 400', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
    const response = await fetch(`${service.url}/api/calculate`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: bytes });
    await response.json();
    assert.ok(response.status === 400 || response.status === 200);
  }), { numRuns: 300 });
});

test('any query is answered by 200 or 400, and by the page always by 200', async () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom('corn', '25', '70', '<script>alert(1)</script>', '"><img src=x>', "'", '&amp;'));
  await fc.assert(fc.asyncProperty(text, text, text, text, async (grain, ta, ur, set) => {
    const query = new URLSearchParams({ grain, ta, ur, set }).toString();
    const answer = await fetch(`${service.url}/api/calculate?${query}`);
    assert.ok(validAnswer(await answer.json()));
    assert.ok(answer.status === 200 || answer.status === 400);
    const page = await fetch(`${service.url}/?${query}`);
    const html = await page.text();
    assert.equal(page.status, 200);
    assert.equal((html.match(/<script/g) ?? []).length, 1, 'only the page\'s own script');
    assert.ok(!html.includes('<img'));
  }), { numRuns: 200 });
});

test('names are found however they are typed', async () => {
  const spelled = fc.tuple(fc.nat(), fc.array(fc.tuple(fc.constantFrom('lower', 'upper', 'nfd'), fc.constantFrom('', ' ', '-', '\u2011', '\u00a0')), { minLength: 60, maxLength: 60 })).map(([n, ways]) => {
    const grain = grains[n % grains.length];
    const names = [grain.id, grain.name.en, grain.name.pt, grain.name.es];
    const name = [...names[n % 4]].map((c, i) => {
      const [how, gap] = ways[i % ways.length];
      const letter = how === 'upper' ? c.toUpperCase() : how === 'nfd' ? c.normalize('NFD') : c.toLowerCase();
      return letter + gap;
    }).join('');
    return { id: grain.id, name };
  });
  await fc.assert(fc.asyncProperty(spelled, async ({ id, name }) => {
    const { body } = await post(JSON.stringify({ grain: name, ta: 25, ur: 70 }));
    assert.equal(body.grain, id, `${name}: ${JSON.stringify(body)}`);
  }), { numRuns: 150 });
});
