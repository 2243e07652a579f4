// Page, API and command line say one thing of every culture: the number, whether it is in range, the verdict, its words.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { BUILD } from './lib/server.js';
import { startService } from './service.js';

const run = promisify(execFile);
const LANGS = ['en', 'pt', 'es'];
let service;
let grains;
before(async () => {
  service = await startService('hygro');
  grains = (await json('/api/grains')).grains;
});
after(() => service.stop());

const json = async (path) => (await fetch(`${service.url}${path}`)).json();
const plain = (html) => html.replace(/<[^>]*>/g, '').replace(/&#39;/g, "'").replace(/&quot;/g, '"').replace(/&amp;/g, '&');

// What the page shows: number, verdict, its sentence and the notes below the number.
async function page(query) {
  const html = await (await fetch(`${service.url}/?${query}`)).text();
  return {
    value: /<output id="value"[^>]*>([^<]*)</.exec(html)[1],
    verdict: /data-verdict="(\w+)"/.exec(html)?.[1],
    sentence: plain(/<p class="answer">(.*?)<\/p>/.exec(html)?.[1].replace('</b>', ':') ?? ''),
    notes: [.../<ul class="notes" id="notes">(.*?)<\/ul>/.exec(html)[1].matchAll(/<li>(.*?)<\/li>/g)].map((m) => plain(m[1])),
  };
}

const ABOUT_THE_POINT = ['temperature_out_of_range', 'humidity_out_of_range', 'near_pole', 'humidity_counted_as_99'];
const aboutThePoint = (answer) => answer.warnings.filter((w) => ABOUT_THE_POINT.includes(w.code)).map((w) => w.message);

async function compare({ grain, ta, lang, ...given }) {
  const [name, value] = Object.entries(given)[0];
  const query = new URLSearchParams({ grain, ta, [name]: value, lang }).toString();
  const [shown, answer, verdict] = await Promise.all([page(query), json(`/api/calculate?${query}`), json(`/api/verdict?${name === 'ur' ? query : query.replace('ta=', 'grainTa=')}`)]);
  if (!answer.ok) {
    assert.equal(shown.value, '–', query);
    // Grain that is too moist for any humidity has a verdict without a number, on the page too.
    if (name === 'moisture') assert.deepEqual([shown.verdict, shown.sentence], [verdict.verdict, verdict.sentence], query);
    return;
  }
  assert.equal(shown.value, (name === 'ur' ? answer.moisture : answer.ur).toFixed(1).replace('.', lang === 'en' ? '.' : ','), query);
  assert.equal(verdict.inRange, answer.inRange, query);
  if (name === 'ur') assert.deepEqual([verdict.moisture, verdict.air.moisture], [answer.moisture, answer.moisture], query);
  else assert.equal(verdict.ur, answer.ur, query);
  assert.equal(shown.verdict, verdict.verdict, query);
  assert.equal(shown.sentence, verdict.sentence, query);
  assert.deepEqual(aboutThePoint(verdict), aboutThePoint(answer), query);
  for (const message of aboutThePoint(answer)) assert.ok(shown.notes.includes(message), `${query}: ${message} is not among ${shown.notes}`);
}

test('every culture from -10 to 50 °C and from 1 to 99.99 %, and at the ends of its range', async () => {
  const points = [];
  for (const { id, sets } of grains) {
    const { min, max } = sets[0].range.ur;
    for (const ta of [-10, 2, 25, 50]) {
      for (const ur of [1, min - 0.1, min, 45, 64.9, 70, max, max + 0.1, 80.1, 97, 99.5, 99.99]) points.push({ grain: id, ta, ur });
      for (const moisture of [4, 13, 16, 28, 45]) points.push({ grain: id, ta, moisture });
    }
  }
  assert.ok(points.length > 1000);
  for (let i = 0; i < points.length; i += 16) await Promise.all(points.slice(i, i + 16).map((point, k) => compare({ ...point, lang: LANGS[k % 3] })));
});

test('above 99 % the page said 39.2 and the verdict 27.2', async () => {
  const query = 'grain=corn&ta=25&ur=99.99';
  const at99 = (await json('/api/calculate?grain=corn&ta=25&ur=99')).moisture;
  assert.equal((await page(query)).value, '27.2');
  assert.ok((await page(query)).notes.some((note) => /above 99 % is counted as 99 %/.test(note)));
  assert.deepEqual([at99, (await json(`/api/calculate?${query}`)).moisture, (await json(`/api/verdict?${query}`)).moisture, (await json(`/api/air?${query}`)).moisture], [27.2, 27.2, 27.2, 27.2]);
  const calc = await run(`${BUILD}/hygro`, ['calc', 'corn', '25', '99.99']);
  assert.match(calc.stdout, /^27\.2 % w\.b\.\n/);
  assert.match(calc.stderr, /above 99 % is counted as 99 %/);
  const air = await run(`${BUILD}/hygro`, ['air', '--grain', 'corn', '--ta', '25', '--ur', '100']);
  assert.match(air.stdout, /Equilibrium moisture: 27\.2 % w\.b\.[^]*above 99 % is counted as 99 %/);
  const season = await fetch(`${service.url}/api/hours?grain=corn`, { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 'ta,ur\n25,100\n25,99.99\n' });
  const { hours, warnings } = await season.json();
  assert.deepEqual(hours.map((hour) => hour.moisture), [27.2, 27.2]);
  assert.ok(warnings.some((w) => w.code === 'humidity_counted_as_99'));
});

test('popcorn is known up to 73 %: what is beyond is not said to be known', async () => {
  const air = await json('/api/verdict?grain=popcorn&ta=25&ur=80.1');
  assert.equal(air.sentence, 'No, it will spoil: Popcorn in air of 25\u00a0°C: the air between the kernels has 80.1\u00a0% humidity; from 80\u00a0% moulds grow fast. How long it keeps cannot be said: the constants do not tell its moisture there.');
  assert.deepEqual([air.inRange, air.storage], [false, null]);
  const lot = await json('/api/verdict?grain=popcorn&grainTa=25&moisture=17.2');
  assert.match(lot.sentence, /^No, it will spoil: Popcorn at 17\.2\u00a0% moisture and 25\u00a0°C: the air between the kernels has more than 73\u00a0% humidity; above 70\u00a0% moulds grow\. Unless it is dried or cooled, it keeps about 23 days\.$/);
  const keeping = await json('/api/keeping?grain=popcorn&grainTa=25&moisture=17.2');
  assert.deepEqual([keeping.band, keeping.cautiousBand, keeping.inRange], ['mould', 'mould', false]);
});
