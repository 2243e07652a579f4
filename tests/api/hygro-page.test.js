// The grain page as the server makes it, and the page's own arithmetic against the service's.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { startService } from './service.js';

let service;
let folder;
let model;
before(async () => {
  service = await startService('hygro');
  folder = mkdtempSync(join(tmpdir(), 'hygro-model-'));
  const outfile = join(folder, 'model.mjs');
  await build({ entryPoints: ['web/grain/src/model.ts'], bundle: true, format: 'esm', outfile });
  model = await import(pathToFileURL(outfile).href);
});
after(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

async function page(query = '', headers = {}) {
  const response = await fetch(`${service.url}/${query}`, { headers });
  const html = await response.text();
  assert.equal(response.status, 200);
  return { html, headers: response.headers, moisture: /<output id="moisture"[^>]*>([^<]*)</.exec(html)[1] };
}

describe('without JavaScript', () => {
  test('shows a result at once, and that of the query', async () => {
    assert.equal((await page()).moisture, '14.7');
    assert.equal((await page('?grain=soybean&ta=30&ur=80')).moisture, '17.4');
    assert.equal((await page('?grain=corn&ta=77&ur=70&taUnit=F')).moisture, '14.7');
    assert.equal((await page('?grain=corn&ta=25&ur=70&set=chung-pfost-d245.5')).moisture, '13.5');
    assert.equal((await page('?grain=corn&ta=%2025,5%20&ur=70')).moisture, '14.6');
  });

  test('the form sends the names that the page reads', async () => {
    const { html } = await page();
    assert.match(html, /<form id="calc" method="get" action="\.\/">/);
    for (const name of ['grain', 'ta', 'ur', 'taUnit', 'set', 'lang']) assert.match(html, new RegExp(`name="${name}"`), name);
    assert.match(html, /<button class="go" type="submit">/);
  });

  test('keeps what was typed and says what is wrong with it', async () => {
    const wrong = await page('?grain=corn&ta=warm&ur=70');
    assert.equal(wrong.moisture, '–');
    assert.match(wrong.html, /value="warm" aria-invalid="true"/);
    assert.match(wrong.html, /<p class="error" id="ta-error">Enter a number/);
    assert.match((await page('?grain=corn&ta=25&ur=100')).html, /id="ur-error">The field &#39;ur&#39; must be above 0 and below 100 %/);
    assert.match((await page('?grain=corn&ta=&ur=70')).html, /id="ta-error">Enter the air temperature/);
    assert.match((await page('?grain=cron')).html, /<li>The grain &#39;cron&#39; is not known; did you mean &#39;corn&#39;/);
  });

  test('says when a value is out of range or unconfirmed', async () => {
    const { html } = await page('?grain=ear-corn&ta=1&ur=97');
    assert.equal((html.match(/<li>/g) ?? []).length, 3);
    assert.match(html, /The humidity lies outside 10 to 95 %/);
  });

  test('nothing from the query becomes markup', async () => {
    for (const hostile of ['"><script>alert(1)</script>', "' onfocus='x", '<b>&amp;', '{{moisture}}', '[[a|b]]']) {
      const { html } = await page(`?grain=${encodeURIComponent(hostile)}&ta=${encodeURIComponent(hostile)}&ur=${encodeURIComponent(hostile)}&set=${encodeURIComponent(hostile)}`);
      assert.ok(!html.includes('<script>alert') && !html.includes("' onfocus") && !html.includes('<b>&amp;<'), hostile);
    }
  });

  test('the table has the service\'s numbers and marks the current cell', async () => {
    const { html } = await page('?grain=wheat&ta=20&ur=65');
    const table = await (await fetch(`${service.url}/api/table?grain=wheat`)).json();
    const rows = [...html.matchAll(/<tr><th scope="row"[^>]*>(-?\d+)<\/th>(.*?)<\/tr>/g)];
    assert.deepEqual(rows.map((row) => Number(row[1])), table.ta);
    rows.forEach((row, i) => assert.deepEqual([...row[2].matchAll(/<td[^>]*>([^<]*)</g)].map((m) => Number(m[1])), table.moisture[i]));
    assert.deepEqual([...html.matchAll(/<td[^>]*aria-current="true"[^>]*>([^<]*)</g)].map((m) => m[1]), ['14.0']);
  });

  test('links reproduce the calculation and the CSV', async () => {
    const { html } = await page('?grain=oats&ta=59&ur=50,5&taUnit=F&set=chung-pfost-d245.5&lang=pt');
    const link = /id="link" href="([^"]*)"/.exec(html)[1].replaceAll('&amp;', '&');
    assert.equal(link, '?grain=oats&ta=59&ur=50%2C5&taUnit=F&set=chung-pfost-d245.5&lang=pt');
    assert.equal((await page(link)).html, html);
    const csv = /id="csv" href="([^"]*)"/.exec(html)[1].replaceAll('&amp;', '&');
    const answer = await fetch(`${service.url}/${csv}`);
    assert.match(await answer.text(), /^ta_F\\ur_%;10;/);
  });
});

describe('language', () => {
  test('by the query, then by Accept-Language, else English', async () => {
    for (const [query, accept, lang] of [
      ['', undefined, 'en'], ['', 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'], ['', 'en-US,en;q=0.9,pt;q=0.8', 'en'], ['', 'de,pt;q=0.5', 'pt'], ['', 'de,fr', 'en'],
      ['', 'pt;q=0.3, en;q=0.7', 'en'], ['?lang=pt', 'en', 'pt'], ['?lang=en', 'pt', 'en'], ['?lang=xx', 'pt', 'pt'], ['', ',;q=,=', 'en'],
    ]) {
      const { html, headers } = await page(query, accept === undefined ? {} : { 'Accept-Language': accept });
      assert.match(html, new RegExp(`<html lang="${lang}">`), `${query} ${accept}`);
      assert.equal(headers.get('content-language'), lang);
      assert.match(headers.get('vary'), /Accept-Language/);
    }
  });

  test('in Portuguese everything is', async () => {
    const { html, moisture } = await page('?lang=pt&grain=corn&ta=25&ur=70');
    assert.equal(moisture, '14,7');
    for (const text of ['Umidade de equilíbrio', 'Temperatura do ar', 'Milho', 'referência técnica', 'contexto do lote', 'Baixar CSV']) assert.ok(html.includes(text), text);
    assert.ok(!/[\[\]{}]{2}/.test(html), 'no mark of the template is left');
    assert.ok(!html.includes('Relative humidity'));
  });

  test('the sentence about the reference is there in both', async () => {
    assert.match((await page('?lang=en')).html, /technical reference.*context of the batch/);
    assert.match((await page('?lang=pt')).html, /referência técnica.*contexto do lote/);
  });
});

describe('what surrounds it', () => {
  test('a strict policy, and nothing inline or from elsewhere', async () => {
    const { html, headers } = await page();
    const policy = headers.get('content-security-policy');
    assert.match(policy, /default-src 'none'/);
    assert.ok(!policy.includes('unsafe') && !policy.includes('http'));
    assert.ok(!/<script(?![^>]*\bsrc=)/.test(html), 'no inline script');
    assert.ok(!/\son\w+=|\sstyle=|<style/.test(html), 'no inline handler or style');
    assert.ok(!/(?:src|href|action)="(?:https?:)?\//.test(html), 'only relative addresses, so that it works under a sub-path');
    for (const file of ['main.js', 'style.css', 'icon.svg']) {
      const answer = await fetch(`${service.url}/${file}`);
      assert.equal(answer.status, 200, file);
      assert.ok(!/https?:\/\/(?!www\.w3\.org\/)/.test(await answer.text()), `${file} names another host`);
    }
  });
});

describe('the page\'s own arithmetic', () => {
  test('equals the service\'s over the whole grid for every set', async () => {
    const { grains } = await (await fetch(`${service.url}/api/grains`)).json();
    let compared = 0;
    for (const grain of grains) {
      for (const set of grain.sets) {
        const points = [];
        for (let ta = -30; ta <= 80; ta += 2.5) for (let ur = 1; ur < 100; ur += 0.75) points.push({ ta, ur });
        for (let at = 0; at < points.length; at += 10000) {
          const part = points.slice(at, at + 10000);
          const response = await fetch(`${service.url}/api/calculate`, { method: 'POST', body: JSON.stringify(part.map((p) => ({ grain: grain.id, set: set.id, ...p }))) });
          (await response.json()).forEach((answer, i) => {
            const { ta, ur } = part[i];
            const own = model.calculate(grain, set, String(ta), String(ur), 'C');
            const shown = model.fixed1(own.moisture);
            assert.equal(shown === '' ? null : Number(shown), answer.ok ? answer.moisture : null, `${grain.id} ${set.id} ${ta} ${ur}`);
            assert.equal(own.nearPole, answer.ok ? answer.warnings.some((w) => w.code === 'near_pole') : own.nearPole);
            compared++;
          });
        }
      }
    }
    assert.ok(compared > 200000, `${compared}`);
  });

  test('rounds half away from zero', () => {
    for (const [value, text] of [[14.65, '14.7'], [14.649, '14.6'], [0.05, '0.1'], [0.25, '0.3'], [-0.25, '-0.3'], [-0.01, '0.0'], [9.95, '10.0'], [NaN, '']])
      assert.equal(model.fixed1(value), text);
  });

  test('reads numbers as the service does', async () => {
    for (const text of ['25', '25.5', '25,5', '+25', '-5', '.5', ',5', '5.', '1e1', '', 'abc', '1.2,3', '1,2,3', '0x10', 'NaN', 'Infinity', '25 5', '1e', '--5', '٢٥']) {
      const answer = await (await fetch(`${service.url}/api/calculate?${new URLSearchParams({ grain: 'corn', ta: text, ur: '70' })}`)).json();
      const own = model.parseNumber(text);
      assert.equal(Number.isNaN(own), answer.code === 'not_a_number', text);
      if (answer.ok) assert.equal(own, answer.ta, text);
    }
  });
});
