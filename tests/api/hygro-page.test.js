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
  return { html, headers: response.headers, value: /<output id="value"[^>]*>([^<]*)</.exec(html)[1] };
}

describe('without JavaScript', () => {
  test('a name longer than any, in every part of the page, ends neither the page nor the service', async () => {
    for (const name of [`corn${'-'.repeat(120)}`, `${'-'.repeat(120)}corn`, `durum${'%20'.repeat(200)}wheat`, `corn${'-'.repeat(92)}`, `corn${'-'.repeat(93)}`, 'x'.repeat(3000), `rice${'é'.repeat(60)}`]) {
      for (const rest of ['', '&ta=x', '&moisture=14', '&set=henderson-d245.4', '&taUnit=F&ta=77&ur=70', '&tool=air&air-ta=20&air-ur=70', '&tool=keeping&keeping-grainTa=20&keeping-moisture=14', `&set=${'-'.repeat(300)}`]) {
        const { html } = await page(`?grain=${name}${rest}`);
        assert.match(html, /<details id="tool-hours"/);
      }
      const form = new FormData();
      form.set('file', new Blob(['t,ur\n25,70\n']), 'a.csv');
      assert.equal((await fetch(`${service.url}/?grain=${name}`, { method: 'POST', body: form })).status, 200);
    }
    const long = await page(`?grain=corn${'-'.repeat(120)}`);
    assert.equal(long.value, '–');
    assert.match(long.html, /<li>The grain &#39;corn-*…&#39; is not known/);
    assert.equal((await page(`?grain=corn${'-'.repeat(92)}`)).value, '14.0');
  });

  test('shows a result at once, and that of the query', async () => {
    assert.equal((await page()).value, '14.0');
    assert.equal((await page('?grain=soybean&ta=30&ur=80')).value, '14.8');
    assert.equal((await page('?grain=corn&ta=77&ur=70&taUnit=F')).value, '14.0');
    assert.equal((await page('?grain=corn&ta=25&ur=70&set=chung-pfost-d245.5')).value, '13.5');
    assert.equal((await page('?grain=corn&ta=%2025,5%20&ur=70')).value, '14.0');
  });

  test('the verdict is the first thing of the result, for the air or for one\'s own grain', async () => {
    const { html } = await page('?grain=corn&ta=25&ur=85&own=15&ownTa=15');
    assert.match(html, /<ul class="notes" id="asked"><\/ul>\s*<div class="verdict" id="verdict" data-verdict="watch"><p class="question">May this grain be stored like this\?<\/p><p class="answer"><b>At the limit, watch it<\/b>/);
    assert.match(html, /This air condenses on the grain: do not blow it in\./);
    assert.match(html, /id="link" href="[^"]*own=15&amp;ownTa=15/);
    assert.match((await page('?grain=corn&ta=25&ur=60')).html, /data-verdict="safe"><p class="question">May grain be stored in this air\?/);
    assert.match((await page('?grain=corn&ta=25&ur=60&own=x')).html, /id="verdict"><p class="error">The value for “moisture of the grain/);
    assert.match((await page('?grain=corn&ta=25&ur=60&own=%22%3E%3Cb%3E')).html, /name="own"[^>]*value="&quot;&gt;&lt;b&gt;"/);
    assert.match(html, /All 17 grains in this air/);
  });

  test('the form sends the names that the page reads', async () => {
    const { html } = await page();
    assert.match(html, /<form id="calc" method="get" action="\.\/">/);
    for (const name of ['grain', 'ta', 'ur', 'moisture', 'taUnit', 'set', 'lang']) assert.match(html, new RegExp(`name="${name}"`), name);
    assert.match(html, /<button class="go" type="submit">/);
  });

  test('keeps what was typed and says what is wrong with it', async () => {
    const wrong = await page('?grain=corn&ta=warm&ur=70');
    assert.equal(wrong.value, '–');
    assert.match(wrong.html, /value="warm" aria-invalid="true"/);
    assert.match(wrong.html, /<p class="error" id="ta-error">Enter a number/);
    assert.match((await page('?grain=corn&ta=25&ur=100')).html, /id="ur-error">The humidity must be above 0 and below 100 %/);
    assert.match((await page('?grain=corn&ta=&ur=70')).html, /id="ta-error">Enter the air temperature/);
    assert.match((await page('?grain=cron')).html, /<li>The grain &#39;cron&#39; is not known; did you mean &#39;corn&#39;/);
  });

  test('a moisture in the query asks for the humidity', async () => {
    const wheat = await page('?grain=wheat&ta=18&moisture=14');
    assert.equal(wheat.value, '64.5');
    assert.match(wheat.html, /<h1 id="heading">Which air keeps the grain as it is\?/);
    assert.match(wheat.html, /id="ur-field" hidden/);
    assert.match(wheat.html, /<input id="ur"[^>]* disabled/);
    assert.doesNotMatch(wheat.html, /<input id="moisture"[^>]* disabled/);
    assert.match(wheat.html, /r = exp\(-A \/ \(T \+ C\) exp\(-B M\)\)/);
    assert.equal((await page('?grain=wheat&ta=18&moisture=14&lang=pt')).value, '64,5');
    assert.equal((await page('?grain=wheat&ta=18&moisture=14&ur=70')).value, '15.0');
    assert.equal((await page('?grain=wheat&ta=18&moisture=14&model=modified-henderson')).value, String((await (await fetch(`${service.url}/api/calculate?grain=wheat&ta=18&moisture=14&model=modified-henderson`)).json()).ur));
    for (const [moisture, message] of [['', 'Enter the moisture of the grain'], ['x', 'Enter a number, such as 14.5'], ['100', 'The moisture must be above 0'], ['99', 'No humidity between 0 and 100 %']]) {
      const { html, value } = await page(`?grain=wheat&ta=18&moisture=${moisture}`);
      assert.equal(value, '–');
      assert.match(html, new RegExp(`id="moisture-error">${message}`));
    }
  });

  test('the links between moisture and humidity keep the point', async () => {
    const there = /<a href="([^"]*)" data-find="ur"/.exec((await page('?grain=wheat&ta=18&ur=64.5&lang=pt')).html)[1].replaceAll('&amp;', '&');
    assert.equal(there, '?grain=wheat&ta=18&moisture=14%2C0&lang=pt');
    const back = /<a href="([^"]*)" data-find="moisture"/.exec((await page(there)).html)[1].replaceAll('&amp;', '&');
    assert.match(back, /^\?grain=wheat&ta=18&ur=64%2C[0-9]&lang=pt$/);
    assert.match((await page('?ta=x')).html, /<a href="\?grain=corn&amp;ta=x&amp;moisture=14&amp;lang=en" data-find="ur"/);
  });

  test('every culture is shown at the same values', async () => {
    for (const query of ['ta=8&ur=85', 'ta=18&moisture=14', 'ta=-25&ur=50', 'ta=46.4&taUnit=F&moisture=9,5']) {
      const { html } = await page(`?grain=corn&${query}`);
      const rows = [...html.matchAll(/<li><a href="([^"]*)" data-grain="([^"]*)"[^>]*>.*?<b>([^<]*)<\/b>.*?<rect width="(\d+)"/g)];
      assert.equal(rows.length, 17);
      for (const [, href, grain, shown, width] of rows) {
        const answer = await (await fetch(`${service.url}/api/calculate${href.replaceAll('&amp;', '&')}`)).json();
        assert.equal(shown, answer.ok ? `${(answer.computed === 'ur' ? answer.ur : answer.moisture).toFixed(1)} %` : '–', `${grain} ${query}`);
        assert.ok(Number(width) >= 0 && Number(width) <= 100);
      }
      assert.equal((html.match(/data-grain="[^"]*" aria-current="true"/g) ?? []).length, 1);
    }
    const odd = await page('?grain=corn&ta=25&ur=70&set=chung-pfost-d245.5');
    assert.match(odd.html, /data-grain="corn" aria-current="true"><span>Corn<\/span><b>13\.5 %/);
    assert.match((await page('?lang=pt')).html, /Amendoim em casca<\/span><small>não confirmado/);
  });

  test('says when a value is out of range or unconfirmed', async () => {
    const { html } = await page('?grain=ear-corn&ta=1&ur=97');
    assert.equal((/<ul class="notes" id="notes"[^>]*>(.*?)<\/ul>/s.exec(html)[1].match(/<li>/g) ?? []).length, 3);
    assert.match(html, /The humidity is outside 10 to 95 %/);
  });

  test('nothing from the query becomes markup', async () => {
    for (const hostile of ['"><script>alert(1)</script>', "' onfocus='x", '<b>&amp;', '{{moisture}}', '[[a|b]]']) {
      const { html } = await page(`?grain=${encodeURIComponent(hostile)}&ta=${encodeURIComponent(hostile)}&ur=${encodeURIComponent(hostile)}&model=${encodeURIComponent(hostile)}&set=${encodeURIComponent(hostile)}`);
      assert.ok(!html.includes('<script>alert') && !html.includes("' onfocus") && !html.includes('<b>&amp;<'), hostile);
      const inverse = (await page(`?moisture=${encodeURIComponent(hostile)}`)).html;
      assert.ok(!inverse.includes('<script>alert') && !inverse.includes("' onfocus") && !inverse.includes('<b>&amp;<'), hostile);
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
      ['', 'pt;q=0.3, en;q=0.7', 'en'], ['', 'es-AR,es;q=0.9,pt;q=0.5', 'es'], ['?lang=es', 'pt', 'es'], ['', 'es;q=0.4,pt;q=0.6', 'pt'], ['?lang=pt', 'en', 'pt'], ['?lang=en', 'pt', 'en'], ['?lang=xx', 'pt', 'pt'], ['', ',;q=,=', 'en'],
    ]) {
      const { html, headers } = await page(query, accept === undefined ? {} : { 'Accept-Language': accept });
      assert.match(html, new RegExp(`<html lang="${lang}">`), `${query} ${accept}`);
      assert.equal(headers.get('content-language'), lang);
      assert.match(headers.get('vary'), /Accept-Language/);
    }
  });

  test('in Portuguese everything is', async () => {
    const { html, value } = await page('?lang=pt&grain=corn&ta=25&ur=70');
    assert.equal(value, '14,0');
    for (const text of ['Teor de água de equilíbrio', 'Temperatura do ar', 'Milho', 'referência técnica', 'contexto do lote', 'Baixar CSV']) assert.ok(html.includes(text), text);
    assert.ok(!/[\[\]{}]{2}/.test(html), 'no mark of the template is left');
    assert.ok(!html.includes('Relative humidity'));
  });

  test('no page has words of the other languages', async () => {
    const own = { en: /\b(the|moisture|humidity|grain)\b/i, pt: /\b(umidade|grão|não|teor)\b/i, es: /\b(humedad|grano|cultivo|aire)\b/i };
    for (const lang of ['en', 'pt', 'es']) {
      for (const query of ['grain=corn&ta=25&ur=70', 'grain=corn&ta=60&moisture=14&tool=keeping&keeping-grainTa=20&keeping-moisture=16', 'grain=corn&ta=x&ur=70&tool=air&air-ta=20&air-ur=80&air-fanHeat=2', 'grain=corn&tool=shrink&shrink-from=x']) {
        const { html } = await page(`?lang=${lang}&${query}`);
        // Labels of programs and names of the other languages are not words of the page.
        const text = html.replace(/<nav class="lang"[\s\S]*?<\/nav>|<footer>[\s\S]*?<\/footer>|<option[\s\S]*?<\/option>|<[^>]*>/g, ' ');
        assert.match(text, own[lang]);
        for (const other of ['en', 'pt', 'es'].filter((l) => l !== lang)) assert.doesNotMatch(text, own[other], `${lang} ${query}: ${own[other].exec(text)?.[0]}`);
      }
    }
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
            const own = model.calculate(grain, set, String(ta), String(ur), 'C', 'moisture');
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

  test('equals the service\'s for the humidity too', async () => {
    const { grains } = await (await fetch(`${service.url}/api/grains`)).json();
    let compared = 0;
    for (const grain of grains) {
      for (const set of grain.sets) {
        const points = [];
        for (let ta = -30; ta <= 80; ta += 5) for (const moisture of [0.001, 0.5, 99, 99.99]) points.push({ ta, moisture });
        for (let ta = -30; ta <= 80; ta += 5) for (let moisture = 1; moisture < 45; moisture += 0.4) points.push({ ta, moisture: Number(moisture.toFixed(1)) });
        const response = await fetch(`${service.url}/api/calculate`, { method: 'POST', body: JSON.stringify(points.map((p) => ({ grain: grain.id, set: set.id, ...p }))) });
        (await response.json()).forEach((answer, i) => {
          const { ta, moisture } = points[i];
          const own = model.calculate(grain, set, String(ta), String(moisture), 'C', 'ur');
          assert.equal(own.known, answer.ok, `${grain.id} ${set.id} ${ta} ${moisture}`);
          if (answer.ok) assert.equal(Number(model.fixed1(own.ur)), answer.ur, `${grain.id} ${set.id} ${ta} ${moisture}`);
          compared++;
        });
      }
    }
    assert.ok(compared > 90000, `${compared}`);
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
