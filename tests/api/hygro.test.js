// The grain service against its contract: calculations, refusals, batches, tables, cultures, command line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startService } from './service.js';

const run = promisify(execFile);
const HYGRO = `${process.env.BUILD || 'build'}/hygro`;
const IDS = ['corn', 'ear-corn', 'popcorn', 'soybean', 'sorghum', 'wheat', 'barley', 'oats', 'rye', 'canola', 'sunflower',
  'long-grain-rice', 'in-shell-peanut', 'dry-beans', 'lentils', 'flaxseed', 'buckwheat'];
const CORN = { grain: 'corn', ta: 25, ur: 70 };

let service;
let base;
before(async () => {
  service = await startService('hygro');
  base = service.url;
});
after(() => service.stop());

function post(body, headers = { 'Content-Type': 'application/json' }) {
  return fetch(`${base}/api/calculate`, { method: 'POST', body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), headers });
}

async function ask(body) {
  const response = await post(body);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return { status: response.status, body: await response.json() };
}

async function get(path, headers = {}) {
  const response = await fetch(base + path, { headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

async function refused(body, code, field, pattern) {
  const answer = await ask(body);
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.equal(answer.body.ok, false);
  assert.equal(answer.body.code, code, JSON.stringify(answer.body));
  assert.equal(answer.body.field, field);
  assert.match(answer.body.error, pattern ?? new RegExp(`'${field}'`));
  return answer.body;
}

describe('one calculation', () => {
  test('answers as the contract shows', async () => {
    const { status, body } = await ask(CORN);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      ok: true, grain: 'corn', name: { en: 'Corn', pt: 'Milho', es: 'Maíz' }, ta: 25, taUnit: 'C', ur: 70, moisture: 14, unit: '% w.b.',
      basis: 'wet', computed: 'moisture', spread: { low: 13.5, high: 14.7, sets: 5 }, equation: 'modified-chung-pfost', set: 'chung-pfost-d245.4',
      confidence: 'A', agreement: 'close', inRange: true, warnings: [],
    });
  });

  test('gives the spot values of every culture', async () => {
    const spots = { barley: 13.2, canola: 9, corn: 14, 'ear-corn': 15, oats: 12.9, 'long-grain-rice': 14.3, sorghum: 13.9, soybean: 12.3,
      wheat: 14.7, 'in-shell-peanut': 9.4, rye: 14.1, popcorn: 14.3, sunflower: 7.9, 'dry-beans': 14.5, lentils: 12.5, flaxseed: 9.3, buckwheat: 15 };
    for (const [grain, moisture] of Object.entries(spots)) assert.equal((await ask({ ...CORN, grain })).body.moisture, moisture, grain);
  });

  test('one decimal is written even when it is a zero', async () => {
    assert.match(await (await post(CORN)).text(), /"moisture":14\.0,/);
  });

  test('the query gives the same answer as the body', async () => {
    const byQuery = await get('/api/calculate?grain=corn&ta=25&ur=70');
    assert.equal(byQuery.status, 200);
    assert.equal(byQuery.text, await (await post(CORN)).text());
  });

  test('numbers as texts, with a point or a comma', async () => {
    for (const ta of ['25.5', '25,5', 25.5, '+25,50', '2.55e1']) {
      const { body } = await ask({ grain: 'corn', ta, ur: '70' });
      assert.equal(body.ta, 25.5);
      assert.equal(body.moisture, 14);
    }
    assert.equal((await get('/api/calculate?grain=milho&ta=25,5&ur=70%2C0')).json().moisture, 14);
  });

  test('names in English and Portuguese, whatever their case, accents, hyphens and spaces', async () => {
    const names = { Milho: 'corn', 'milho em espiga': 'ear-corn', 'MILHO PIPOCA': 'popcorn', soja: 'soybean', sorgo: 'sorghum', trigo: 'wheat',
      cevada: 'barley', aveia: 'oats', centeio: 'rye', Canola: 'canola', girassol: 'sunflower', 'arroz de grãos longos': 'long-grain-rice',
      'ARROZ DE GRAOS LONGOS': 'long-grain-rice', 'amendoim-em-casca': 'in-shell-peanut', 'Ear Corn': 'ear-corn', longgrainrice: 'long-grain-rice' };
    for (const [name, id] of Object.entries(names)) assert.equal((await ask({ ...CORN, grain: name })).body.grain, id, name);
    assert.equal((await get(`/api/calculate?grain=${encodeURIComponent('arroz de grãos longos')}&ta=25&ur=70`)).json().grain, 'long-grain-rice');
  });

  test('a model or a set chooses the constants', async () => {
    for (const [choice, set, moisture] of [
      [{ model: 'modified-henderson' }, 'henderson-d245.4', 14.2],
      [{ set: 'henderson-d245.5' }, 'henderson-d245.5', 14.7],
      [{ model: 'modified-chung-pfost' }, 'chung-pfost-d245.4', 14],
      [{ model: 'modified-oswin' }, 'oswin-d245.5-code', 14.4],
      [{ set: 'henderson-d245.4' }, 'henderson-d245.4', 14.2],
      [{ set: 'henderson-d245.4', model: 'modified-henderson' }, 'henderson-d245.4', 14.2],
    ]) {
      const { body } = await ask({ ...CORN, ...choice });
      assert.equal(body.set, set);
      assert.equal(body.moisture, moisture);
    }
    assert.equal((await ask({ grain: 'soja', ta: 25, ur: 70, model: 'modified-halsey' })).body.equation, 'modified-halsey');
  });

  test('moisture instead of ur gives the humidity', async () => {
    const { body } = await ask({ grain: 'corn', ta: 25, moisture: 14.7 });
    assert.equal(body.ur, 73.8);
    assert.deepEqual(body.spread, { low: 70.2, high: 76.7, sets: 5 });
    assert.equal(body.moisture, 14.7);
    assert.equal(body.computed, 'ur');
    const dry = (await ask({ grain: 'corn', ta: 25, moisture: '17,2', basis: 'dry' })).body;
    assert.equal(dry.ur, 73.6);
    assert.equal(dry.unit, '% d.b.');
  });

  test('dry basis and Fahrenheit', async () => {
    const { body } = await ask({ grain: 'corn', ta: 77, taUnit: 'F', ur: 70, basis: 'dry' });
    assert.equal(body.moisture, 16.3);
    assert.equal(body.basis, 'dry');
    assert.equal(body.ta, 77);
    assert.equal(body.taUnit, 'F');
  });

  test('out of the range of the constants it answers with inRange false and a warning', async () => {
    for (const [fields, code, field] of [
      [{ ta: -0.1 }, 'temperature_out_of_range', 'ta'], [{ ta: 50.1 }, 'temperature_out_of_range', 'ta'], [{ ta: -30 }, 'temperature_out_of_range', 'ta'],
      [{ ta: 80 }, 'temperature_out_of_range', 'ta'], [{ ur: 9.9 }, 'humidity_out_of_range', 'ur'], [{ ur: 95.1 }, 'humidity_out_of_range', 'ur'],
    ]) {
      const { status, body } = await ask({ ...CORN, ...fields });
      assert.equal(status, 200);
      assert.equal(body.inRange, false);
      assert.ok(body.warnings.some((w) => w.code === code && w.field === field && w.message.length > 10), JSON.stringify(body));
      assert.ok(body.moisture > 0);
    }
    for (const fields of [{ ta: 0 }, { ta: 50 }, { ur: 10 }, { ur: 95 }]) {
      const { body } = await ask({ ...CORN, ...fields });
      assert.equal(body.inRange, true);
      assert.deepEqual(body.warnings, []);
    }
  });

  test('unconfirmed constants and a near pole are said', async () => {
    const { body } = await ask({ grain: 'ear-corn', ta: 1, ur: 70 });
    assert.deepEqual(body.warnings.map((w) => w.code), ['near_pole', 'unconfirmed_constants', 'nothing_to_compare']);
    assert.equal(body.confidence, 'M');
  });

  test('unknown fields are ignored and reported', async () => {
    const { body } = await ask({ ...CORN, colour: { deep: [1, { x: null }] } });
    assert.equal(body.moisture, 14);
    assert.deepEqual(body.warnings.map((w) => [w.code, w.field]), [['unknown_field', 'colour']]);
    assert.equal((await get('/api/calculate?grain=corn&ta=25&ur=70&x=1')).json().warnings[0].field, 'x');
  });

  test('several unknown fields are counted, not only the first told', async () => {
    const { body } = await ask({ ...CORN, tb: 1, us: 2, corn: 'x' });
    assert.deepEqual(body.warnings, [{ code: 'unknown_field', field: 'tb', message: "The fields 'tb' and 2 more have no meaning here and were ignored." }]);
    assert.match((await get('/api/calculate?grain=corn&ta=25&ur=70&a=1&b=2&lang=pt')).json().warnings[0].message, /^Os campos 'a' e mais 1 não têm sentido aqui/);
  });

  test('names have no case, and a field given in two of them with different values is refused', async () => {
    const plain = (await get('/api/calculate?grain=corn&ta=25&ur=70')).json();
    assert.deepEqual((await get('/api/calculate?Grain=corn&TA=25&Ur=70')).json(), plain);
    assert.deepEqual((await ask({ GRAIN: 'corn', Ta: 25, UR: 70 })).body, plain);
    assert.equal((await get('/api/calculate?grain=corn&ta=25&TA=26&ur=70')).status, 400);
    assert.equal((await ask({ ...CORN, TA: 1 })).status, 400);
    assert.equal((await get('/api/air?TA=25&Ur=70')).status, 200);
  });

  test('a number may have any number of decimals', async () => {
    const many = `25.5${'0'.repeat(300)}1`;
    for (const text of [`{"grain":"corn","ta":${many},"ur":70}`, `{"grain":"corn","ta":${many}e0,"ur":7.${'0'.repeat(90)}e1}`, `{"grain":"corn","ta":"${many.slice(0, 96)}","ur":"70,${'0'.repeat(60)}"}`]) {
      const { status, body } = await ask(text);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.ta, body.ur, body.moisture], [25.5, 70, 14]);
    }
    assert.equal((await ask(`{"grain":"corn","ta":${'1'.repeat(400)},"ur":70}`)).body.code, 'out_of_range');
    assert.equal((await ask(`{"grain":"corn","ta":${'1'.repeat(400)}.5,"ur":70}`)).body.code, 'out_of_range');
  });

  test('numbers at the edge of what a double holds', async () => {
    assert.equal((await ask('{"grain":"corn","ta":-0.0,"ur":70}')).body.ta, 0);
    assert.equal((await ask('{"grain":"corn","set":"henderson-d245.5","ta":25,"ur":1e-320}')).body.moisture, 0);
    assert.equal((await ask('{"grain":"corn","ta":25,"ur":1e-400}')).body.code, 'out_of_range');
    assert.equal((await ask('{"grain":"corn","ta":25,"ur":99.99999999999999}')).body.inRange, false);
  });

  test('whether there is an answer does not depend on the basis: what is finite is given', async () => {
    for (const ur of [99.9, 99.99, 99.9999, 99.99999999999]) {
      const wet = await ask({ grain: 'soybean', set: 'halsey-d245.5', ta: 25, ur });
      const dry = await ask({ grain: 'soybean', set: 'halsey-d245.5', ta: 25, ur, basis: 'dry' });
      assert.deepEqual([wet.status, dry.status], [200, 200], `${ur}`);
      assert.deepEqual([wet.body.inRange, dry.body.inRange], [false, false]);
      assert.ok(wet.body.moisture <= 100 && Math.abs((100 * dry.body.moisture) / (100 + dry.body.moisture) - wet.body.moisture) < 0.051, `${ur}`);
    }
    // Nearer to saturation it would be 1082.6 % dry basis: above 99 % it is that of 99 %, and the answer says so.
    for (const ur of [99.1, 99.9, 99.99999999999]) {
      const { body } = await ask({ grain: 'soybean', set: 'halsey-d245.5', ta: 25, ur, basis: 'dry' });
      assert.deepEqual([body.ur, body.moisture, body.inRange], [ur, 203.4, false]);
      assert.ok(body.warnings.some((w) => w.code === 'humidity_counted_as_99' && w.field === 'ur'));
    }
    assert.ok(!(await ask({ grain: 'corn', ta: 25, ur: 99 })).body.warnings.some((w) => w.code === 'humidity_counted_as_99'));
  });

  test('the pole is the pole in degrees Fahrenheit too', async () => {
    const catalog = (await get('/api/grains')).json();
    let poles = 0;
    for (const culture of catalog.grains) {
      for (const set of culture.sets) {
        if (set.pole === null || set.pole < -30) continue;
        poles++;
        const fahrenheit = Math.round(((set.pole * 9) / 5 + 32) * 1e6) / 1e6;
        for (const ur of [1, 10, 50, 90, 99.9]) {
          const { status, body } = await ask({ grain: culture.id, set: set.id, ta: fahrenheit, taUnit: 'F', ur });
          assert.deepEqual([status, body.code, body.field], [400, 'out_of_range', 'ta'], `${culture.id} ${set.id} ${fahrenheit} ${ur}`);
        }
      }
    }
    assert.ok(poles > 0);
  });

  test('sentences speak in the unit and the direction that was asked', async () => {
    const { body } = await ask({ grain: 'ear-corn', ta: 20, taUnit: 'F', ur: 70 });
    assert.match(body.warnings[0].message, /outside 32 to 122 °F/);
    assert.match(body.warnings[1].message, /\(-7\.87 °F\); the moisture tends to be too high/);
    assert.match((await ask({ grain: 'ear-corn', ta: 1, moisture: 14 })).body.warnings[0].message, /\(-22\.15 °C\); the humidity tends to be too low/);
    const refusal = await refused({ grain: 'ear-corn', ta: -10, taUnit: 'F', ur: 70 }, 'out_of_range', 'ta', /above -7\.87 °F/);
    assert.deepEqual(refusal.allowed, { above: -7.87, max: 176 });
  });
});

describe('names that people type', () => {
  test('are taken as the nearest meaning, and the answer says so', async () => {
    for (const [grain, id, set] of [['arroz', 'long-grain-rice'], ['arroz em casca', 'long-grain-rice'], ['rice', 'long-grain-rice'], ['peanut', 'in-shell-peanut'], ['amendoim', 'in-shell-peanut'],
      ['durum', 'wheat', 'oswin-durum-d245.5'], ['trigo mole', 'wheat', 'henderson-soft-d245.4'], ['arroz de grãos curtos', 'long-grain-rice', 'henderson-short-d245.5'], ['amendoim descascado', 'in-shell-peanut', 'henderson-kernel-d245.4']]) {
      const { status, body } = await ask({ ...CORN, grain });
      assert.equal(status, 200, grain);
      assert.equal(body.grain, id);
      if (set) assert.equal(body.set, set);
      const note = body.warnings.find((w) => w.code === 'name_taken_as');
      assert.ok(note?.field === 'grain' && note.message.includes(`'${grain}' was taken as:`), JSON.stringify(body.warnings));
    }
    for (const grain of ['corn', 'milho', 'maíz', 'Girasol']) assert.ok(!(await ask({ ...CORN, grain })).body.warnings.some((w) => w.code === 'name_taken_as'));
    assert.match((await get('/api/table?grain=arroz&lang=pt')).json().warnings[0].message, /^'arroz' foi entendido como/);
  });

  test('crops without constants get a clear no, not another crop', async () => {
    for (const grain of ['feijão-caupi', 'peas', 'coffee', 'café', 'grão-de-bico', 'white rice', 'brown rice', 'arroz integral', 'soybean meal', 'farelo de soja']) assert.equal('nearest' in (await refused({ ...CORN, grain }, 'unknown_grain', 'grain', /no constants for it here/)), false);
    for (const grain of ['amendoim sem casca', 'shelled peanuts', 'maní pelado']) {
      const { body } = await ask({ ...CORN, grain });
      assert.equal(body.set, 'henderson-kernel-d245.4', grain);
    }
    await refused({ ...CORN, grain: 'trigo duro', lang: 'pt' }, 'unknown_grain', 'grain', /trigo durum ou trigo comum de grão duro/);
  });

  test('a humidity that looks like a fraction gets a hint', async () => {
    const { body } = await ask({ ...CORN, ur: 0.7 });
    assert.ok(body.warnings.some((w) => w.code === 'humidity_looks_like_fraction' && /70, not 0\.7/.test(w.message)));
    assert.ok(!(await ask({ ...CORN, ur: 1.5 })).body.warnings.some((w) => w.code === 'humidity_looks_like_fraction'));
  });

  test('the unit follows the language', async () => {
    for (const [lang, wet, dry] of [['en', '% w.b.', '% d.b.'], ['pt', '% b.u.', '% b.s.'], ['es', '% b.h.', '% b.s.']]) {
      assert.equal((await ask({ ...CORN, lang })).body.unit, wet);
      assert.equal((await ask({ ...CORN, lang, basis: 'dry' })).body.unit, dry);
      assert.equal((await get(`/api/table?grain=corn&lang=${lang}`)).json().unit, wet);
    }
  });
});

describe('refusals name the field and what is allowed', () => {
  test('missing fields', async () => {
    await refused({}, 'missing_field', 'grain');
    await refused({ ta: 25, ur: 70 }, 'missing_field', 'grain');
    await refused({ grain: 'corn', ur: 70 }, 'missing_field', 'ta');
    await refused({ grain: 'corn', ta: 25 }, 'missing_field', 'ur');
    await refused({ grain: 'corn', ta: null, ur: 70 }, 'missing_field', 'ta');
  });

  test('wrong types', async () => {
    for (const bad of [true, [25], { v: 25 }]) await refused({ ...CORN, ta: bad }, 'wrong_type', 'ta');
    for (const bad of [7, false, ['corn'], {}]) await refused({ ...CORN, grain: bad }, 'wrong_type', 'grain');
    await refused({ ...CORN, model: 3 }, 'wrong_type', 'model');
    await refused({ ...CORN, lang: [] }, 'wrong_type', 'lang');
  });

  test('texts that are no numbers', async () => {
    for (const bad of ['', ' ', 'abc', 'NaN', 'Infinity', '-Infinity', '0x10', '1.234,5', '25 C', '25,5,5', '٢٥']) await refused({ ...CORN, ta: bad }, 'not_a_number', 'ta');
    await refused({ ...CORN, ur: '70%' }, 'not_a_number', 'ur');
    const byQuery = await get('/api/calculate?grain=corn&ta=NaN&ur=70');
    assert.equal(byQuery.status, 400);
    assert.equal(byQuery.json().field, 'ta');
  });

  test('values out of range, with the range', async () => {
    for (const ur of [0, 100, -1, 101, 1e9, '0', '100,0']) assert.deepEqual((await refused({ ...CORN, ur }, 'out_of_range', 'ur')).allowed, { above: 0, below: 100 });
    for (const ta of [-30.01, 80.01, -1e300, 1e300]) assert.deepEqual((await refused({ ...CORN, ta }, 'out_of_range', 'ta')).allowed, { min: -30, max: 80 });
    assert.equal((await ask('{"grain":"corn","ta":1e999,"ur":70}')).body.code, 'out_of_range');
    assert.deepEqual((await refused({ ...CORN, ta: 177, taUnit: 'F' }, 'out_of_range', 'ta')).allowed, { min: -22, max: 176 });
    await refused({ grain: 'corn', ta: 25, moisture: 0 }, 'out_of_range', 'moisture');
    await refused({ grain: 'corn', ta: 25, moisture: 100 }, 'out_of_range', 'moisture');
  });

  test('the pole of the equation', async () => {
    for (const ta of [-22.15, -23, -30]) assert.deepEqual((await refused({ grain: 'ear-corn', ta, ur: 70 }, 'out_of_range', 'ta', /-22\.15 °C/)).allowed, { above: -22.15, max: 80 });
    assert.equal((await ask({ grain: 'ear-corn', ta: -22.1, ur: 70 })).status, 200);
  });

  test('no finite, positive answer', async () => {
    await refused({ grain: 'corn', ta: 25, ur: 0.01 }, 'no_answer', 'ur', /'ur'.*70, not 0\.7/);
    await refused({ grain: 'soybean', ta: 50, ur: 10, set: 'chung-pfost-d245.4' }, 'no_answer', 'ur');
    await refused({ grain: 'corn', ta: 25, moisture: 70 }, 'no_answer', 'moisture');
  });

  test('an unknown culture, with the list and the nearest', async () => {
    const error = await refused({ ...CORN, grain: 'cron' }, 'unknown_grain', 'grain', /did you mean 'corn'.*Known are: corn, ear-corn/);
    assert.equal(error.nearest, 'corn');
    assert.deepEqual(error.allowed, IDS);
    for (const grain of ['xyzzy', 'grain', 'grão', 'seeds', 'casca'])
      assert.equal('nearest' in (await refused({ ...CORN, grain }, 'unknown_grain', 'grain', new RegExp(grain))), false, grain);
    for (const [grain, nearest] of [['amendoin', 'in-shell-peanut'], ['aroz', 'long-grain-rice'], ['arroz bom', 'long-grain-rice'], ['whaet', 'wheat']])
      assert.equal((await refused({ ...CORN, grain }, 'unknown_grain', 'grain', /did you mean/)).nearest, nearest);
  });

  test('an unknown model, set, language, basis, unit', async () => {
    assert.deepEqual((await refused({ ...CORN, grain: 'popcorn', model: 'modified-oswin' }, 'unknown_model', 'model')).allowed, ['modified-henderson']);
    await refused({ ...CORN, model: 'henderson' }, 'unknown_model', 'model');
    assert.ok((await refused({ ...CORN, set: 'x' }, 'unknown_set', 'set')).allowed.includes('henderson-d245.4'));
    assert.deepEqual((await refused({ ...CORN, lang: 'de' }, 'unknown_value', 'lang')).allowed, ['en', 'pt', 'es']);
    assert.deepEqual((await refused({ ...CORN, basis: 'moist' }, 'unknown_value', 'basis')).allowed, ['wet', 'dry']);
    assert.deepEqual((await refused({ ...CORN, taUnit: 'K' }, 'unknown_value', 'taUnit')).allowed, ['C', 'F']);
  });

  test('fields that contradict each other', async () => {
    await refused({ ...CORN, moisture: 14 }, 'conflicting_fields', 'moisture');
    await refused({ ...CORN, model: 'modified-oswin', set: 'henderson-d245.5' }, 'conflicting_fields', 'set');
    const twice = await get('/api/calculate?grain=corn&ta=25&ta=26&ur=70');
    assert.equal(twice.status, 400);
    assert.equal(twice.json().code, 'repeated_field');
  });

  test('in Spanish when asked', async () => {
    await refused({ ...CORN, ur: 100, lang: 'es' }, 'out_of_range', 'ur', /El campo 'ur' debe ser mayor que 0 y menor que 100 %/);
    assert.match((await ask({ ...CORN, ta: 60, lang: 'es' })).body.warnings[0].message, /La temperatura está fuera de 0 a 50 °C/);
    assert.equal((await get('/api/table?grain=corn&format=x&lang=es')).json().error, "El campo 'format' debe ser uno de estos: json, csv.");
  });

  test('in Portuguese when asked', async () => {
    await refused({ ...CORN, ur: 100, lang: 'pt' }, 'out_of_range', 'ur', /O campo 'ur' deve ser maior que 0 e menor que 100 %/);
    assert.match((await ask({ ...CORN, ta: 60, lang: 'pt' })).body.warnings[0].message, /A temperatura está fora de 0 a 50 °C/);
  });

  // It was refused with a sentence that nobody understood.
  test('a mark of UTF-8 in front of JSON is no part of it', async () => {
    for (const body of [CORN, [CORN]]) {
      const plain = await ask(JSON.stringify(body)), marked = await ask(`\ufeff${JSON.stringify(body)}`);
      assert.equal(plain.status, 200);
      assert.deepEqual(marked, plain);
    }
    assert.equal((await ask(`${JSON.stringify(CORN)}\ufeff`)).body.code, 'invalid_json');
  });

  test('bodies that are not JSON', async () => {
    for (const bad of ['', '{', '[', 'corn', '{"grain":"corn"', '{"ta":NaN}', '{"ta":1,"ta":2}', '{} {}', '[{},]', "{'grain':'corn'}"]) {
      const { status, body } = await ask(bad);
      assert.equal(status, 400, bad);
      assert.equal(body.code, 'invalid_json', bad);
    }
    const notUtf8 = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    assert.equal(notUtf8.status, 400);
  });

  test('JSON that is no object', async () => {
    for (const other of [7, 'corn', null, true]) {
      const { status, body } = await ask(JSON.stringify(other));
      assert.equal(status, 400);
      assert.equal(body.code, 'not_an_object');
    }
  });

  test('other media types are 415; curl without a header works', async () => {
    for (const type of ['application/xml', 'multipart/form-data; boundary=x', 'image/png']) {
      const response = await post(CORN, { 'Content-Type': type });
      assert.equal(response.status, 415, type);
      assert.equal((await response.json()).code, 'unsupported_media_type');
    }
    for (const type of ['application/json; charset=utf-8', 'application/x-www-form-urlencoded', 'text/plain', 'application/vnd.grain+json'])
      assert.equal((await post(CORN, { 'Content-Type': type })).status, 200, type);
  });

  test('other methods and paths', async () => {
    const put = await fetch(`${base}/api/calculate`, { method: 'PUT', body: '{}' });
    assert.equal(put.status, 405);
    assert.match(put.headers.get('allow'), /GET.*POST/);
    assert.equal((await get('/api/nothing')).status, 404);
    const options = await fetch(`${base}/api/calculate`, { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('access-control-allow-origin'), null);
    const head = await fetch(`${base}/api/calculate?grain=corn&ta=25&ur=70`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });
});

describe('batches', () => {
  test('keep the order, with a result or an error for each item', async () => {
    const { status, body } = await ask([CORN, { grain: 'cron', ta: 25, ur: 70 }, 5, { ...CORN, grain: 'wheat' }]);
    assert.equal(status, 200);
    assert.deepEqual(body.map((item) => item.ok ? item.grain : item.code), ['corn', 'unknown_grain', 'not_an_object', 'wheat']);
    assert.deepEqual((await ask([])).body, []);
  });

  test('10,000 items are answered like 10,000 single ones', async () => {
    const items = Array.from({ length: 10000 }, (_, i) => ({ grain: IDS[i % IDS.length], ta: (i * 7) % 51, ur: 10 + ((i * 13) % 850) / 10 }));
    const { status, body } = await ask(items);
    assert.equal(status, 200);
    assert.equal(body.length, 10000);
    for (let i = 0; i < 10000; i += 617) assert.deepEqual(body[i], (await ask(items[i])).body);
  });

  test('more are refused whole', async () => {
    const { status, body } = await ask(Array(10001).fill(CORN));
    assert.equal(status, 413);
    assert.equal(body.code, 'too_many_calculations');
  });

  test('a gzip-coded batch', async () => {
    const response = await post(gzipSync(JSON.stringify([CORN, CORN])), { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
    assert.equal((await response.json()).length, 2);
  });

  test('bad JSON at the end refuses the whole batch', async () => {
    assert.equal((await ask(`[${JSON.stringify(CORN)},{"grain":]`)).body.code, 'invalid_json');
  });

  test('health stays quick while batches run', async () => {
    const body = JSON.stringify(Array(10000).fill({ grain: 'long grain ryce', ta: 25, ur: 70 }));
    let answered = 0;
    const busy = Array.from({ length: 12 }, () => post(body).then((r) => r.arrayBuffer()).then(() => answered++));
    assert.equal((await get('/api/health')).status, 200);
    assert.ok(answered < 6, `${answered} of 12 batches were answered before`);
    await Promise.all(busy);
  });
});

describe('cultures', () => {
  test('all seventeen with constants, source, range and confidence', async () => {
    const { status, headers, json } = await get('/api/grains');
    assert.equal(status, 200);
    const list = json();
    assert.deepEqual(list.grains.map((g) => g.id), IDS);
    for (const grain of list.grains) {
      for (const lang of ['en', 'pt', 'es']) assert.ok(grain.name[lang] && grain.source[lang], grain.id);
      assert.deepEqual(grain.range.ta, grain.id === 'lentils' ? { min: 5, max: 30 } : { min: 0, max: 50 });
      assert.ok(grain.range.ur.min >= 10 && grain.range.ur.min <= 35 && grain.range.ur.max >= 70 && grain.range.ur.max <= 95, grain.id);
      assert.equal(grain.sets.filter((set) => set.default).length, 1);
      assert.equal(grain.sets[0].id, grain.set);
      assert.deepEqual(grain.sets[0].constants, grain.constants);
      for (const name of [grain.id, ...Object.values(grain.name), ...grain.aliases]) assert.equal((await ask({ ...CORN, grain: name })).body.grain, grain.id, name);
    }
    assert.equal(list.grains.find((g) => g.id === 'ear-corn').confidence, 'M');
    assert.equal(list.grains.find((g) => g.id === 'in-shell-peanut').confidence, 'M');
    assert.equal((await get('/api/grains', { 'If-None-Match': headers.get('etag') })).status, 304);
  });

  test('each set answers by its id', async () => {
    for (const grain of (await get('/api/grains')).json().grains) {
      for (const set of grain.sets) {
        const { body } = await ask({ grain: grain.id, ta: 25, ur: 70, set: set.id });
        assert.equal(body.set, set.id);
        assert.equal(body.equation, set.equation);
        assert.equal(body.confidence, set.confidence);
      }
    }
  });
});

describe('tables', () => {
  test('JSON, CSV and single calculations agree', async () => {
    const table = (await get('/api/table?grain=trigo')).json();
    const csv = await get('/api/table?grain=wheat&format=csv');
    assert.match(csv.headers.get('content-type'), /^text\/csv/);
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="wheat-equilibrium-moisture.csv"');
    const rows = csv.text.trimEnd().split('\r\n').map((line) => line.split(','));
    assert.deepEqual(rows[0].slice(1).map(Number), table.ur);
    assert.deepEqual(rows.slice(1).map((row) => Number(row[0])), table.ta);
    const singles = await ask(table.ta.flatMap((ta) => table.ur.map((ur) => ({ grain: 'wheat', ta, ur }))));
    table.ta.forEach((ta, i) => table.ur.forEach((ur, k) => {
      assert.equal(Number(rows[i + 1][k + 1]), table.moisture[i][k]);
      assert.equal(singles.body[i * table.ur.length + k].moisture, table.moisture[i][k], `${ta} ${ur}`);
      assert.match(rows[i + 1][k + 1], /^\d+\.\d$/);
    }));
  });

  test('decimal comma, Fahrenheit, dry basis, another set, Accept', async () => {
    const comma = await get('/api/table?grain=corn&format=csv&decimal=comma');
    assert.match(comma.text, /^ta_C\\ur_%;10;15;.*\r\n0;8,1;9,1;/);
    const warm = (await get('/api/table?grain=corn&taUnit=F')).json();
    assert.deepEqual(warm.ta, [40, 50, 60, 70, 80, 90, 100, 110, 120]);
    const singles = (await ask(warm.ta.map((ta) => ({ grain: 'corn', ta, taUnit: 'F', ur: 70 })))).body;
    assert.deepEqual(warm.moisture.map((row) => row[12]), singles.map((single) => single.moisture));
    assert.equal((await get('/api/table?grain=corn&basis=dry')).json().moisture[5][12], 16.3);
    assert.equal((await get('/api/table?grain=corn&set=chung-pfost-d245.5')).json().moisture[5][12], 13.5);
    for (const [accept, type] of [['text/csv', 'text/csv'], ['text/csv, */*;q=0.5', 'text/csv'], ['text/csv, */*', 'application/json'], ['application/json;q=0.5, TEXT/CSV', 'text/csv'],
      ['text/csv;q=0', 'application/json'], ['text/csv;q=0.2, application/json', 'application/json'], ['application/json, text/csv', 'application/json'],
      ['text/*', 'text/csv'], ['text/*, text/csv;q=0', 'application/json']]) {
      assert.match((await get('/api/table?grain=corn', { Accept: accept })).headers.get('content-type'), new RegExp(`^${type}`), accept);
    }
    assert.equal((await get('/api/table?grain=soja&set=chung-pfost-d245.4')).json().moisture[10][0], null);
  });

  test('refusals', async () => {
    for (const [path, field, code] of [
      ['/api/table', 'grain', 'missing_field'], ['/api/table?grain=x', 'grain', 'unknown_grain'],
      ['/api/table?grain=corn&format=xlsx', 'format', 'unknown_value'], ['/api/table?grain=corn&decimal=dot', 'decimal', 'unknown_value'],
      ['/api/table?grain=x&format=csv', 'grain', 'unknown_grain'], ['/api/table?grain=corn&model=x', 'model', 'unknown_model'],
      ['/api/table?grain=corn&format=csv&format=json', 'format', 'repeated_field'], ['/api/table?grain=corn&decimal=comma&decimal=point', 'decimal', 'repeated_field'],
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 400, path);
      assert.equal(answer.json().field, field, path);
      assert.equal(answer.json().code, code, path);
    }
    assert.equal((await get('/api/table?grain=corn&format=x&lang=pt')).json().error, "O campo 'format' deve ser um destes: json, csv.");
    assert.equal((await get('/api/table?grain=corn&decimal=point&decimal=comma&lang=pt')).json().error, "O campo 'decimal' aparece mais de uma vez.");
  });

  test('fields of a single calculation are told as ignored', async () => {
    const table = (await get('/api/table?grain=corn&ta=25&ur=70')).json();
    assert.deepEqual(table.warnings.map((w) => [w.code, w.field]), [['unknown_field', 'ta']]);
    assert.deepEqual((await get('/api/table?grain=corn&lang=pt')).json().warnings, []);
  });
});

describe('the service around it', () => {
  test('health and metrics know it', async () => {
    const health = (await get('/api/health')).json();
    assert.equal(health.ok, true);
    assert.equal(health.service, 'hygro');
    const before = Number(/^hygro_calculations_total (\d+)/m.exec((await get('/metrics')).text)[1]);
    await ask([CORN, { grain: 'x' }]);
    const metrics = (await get('/metrics')).text;
    assert.equal(Number(/^hygro_calculations_total (\d+)/m.exec(metrics)[1]), before + 2);
    assert.match(metrics, /^hygro_calculations_refused_total [1-9]/m);
  });
});

describe('command line', () => {
  const calc = (...args) => run(HYGRO, ['calc', ...args]);

  test('gives the same answers as the service', async () => {
    assert.match((await calc('corn', '25', '70')).stdout, /^14\.0 % w\.b\.\n/);
    assert.match((await calc('milho', '25,5', '70', '--lang', 'pt')).stdout, /^14,0 % b\.u\.\n/);
    for (const [args, body] of [
      [['corn', '25', '70'], CORN], [['soja', '-5', '80'], { grain: 'soja', ta: -5, ur: 80 }],
      [['corn', '77', '70', '--unit=F', '--basis=dry'], { ...CORN, ta: 77, taUnit: 'F', basis: 'dry' }],
      [['corn', '25', '--moisture', '14.7'], { grain: 'corn', ta: 25, moisture: 14.7 }], [['maíz', '25', '70', '--lang', 'es'], { ...CORN, lang: 'es' }],
      [['ear corn', '25', '70', '--lang', 'pt'], { grain: 'ear corn', ta: 25, ur: 70, lang: 'pt' }],
    ]) assert.deepEqual(JSON.parse((await calc(...args, '--json')).stdout), (await ask(body)).body);
  });

  test('tables', async () => {
    assert.deepEqual(JSON.parse((await calc('rye', '--table', '--json')).stdout), (await get('/api/table?grain=rye')).json());
    assert.equal((await calc('rye', '--table', '--csv')).stdout, (await get('/api/table?grain=rye&format=csv')).text);
    assert.match((await calc('corn', '--table')).stdout, /^Corn, .*: moisture in % wet basis; columns: relative humidity in %\n[^\n]*\n[\s\S]*\n {2}25 {3}5\.0 {3}6\.1 /);
    assert.match((await calc('corn', '--table', '--basis', 'dry', '--lang', 'pt')).stdout, /^Milho, .*: teor de água do grão em % base seca; /);
    assert.deepEqual(JSON.parse((await calc('--list', '--json')).stdout), (await get('/api/grains')).json());
  });

  test('refusals go to standard error with status 1, misuse with 2', async () => {
    await assert.rejects(calc('cron', '25', '70'), (e) => e.code === 1 && /did you mean 'corn'/.test(e.stderr) && e.stdout === '');
    await assert.rejects(calc('corn', '25', '100', '--json'), (e) => e.code === 1 && JSON.parse(e.stdout).code === 'out_of_range');
    await assert.rejects(calc('corn', '25', '70', '--nonsense'), (e) => e.code === 2);
    await assert.rejects(calc(), (e) => e.code === 2);
    await assert.rejects(calc('corn', '1', '2', '3'), (e) => e.code === 2);
    for (const args of [['corn', '25', '70', '--table'], ['corn', '--table', '--moisture', '14'], ['corn', '--table', '--csv', '--json'], ['corn', '25', '70', '--csv']])
      await assert.rejects(calc(...args), (e) => e.code === 2 && e.stdout === '' && /^hygro calc: /.test(e.stderr), args.join(' '));
    assert.match((await calc('--basis', 'dry', '--moisture=13', '--', 'soybean', '25')).stdout, /^66\.7 % RH\nSoybean, 25 °C, 13 % moisture, dry basis; /);
    assert.match((await calc('--help')).stdout, /usage: hygro calc/);
  });
});
