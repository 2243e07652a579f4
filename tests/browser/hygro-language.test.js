// The grain page: languages, and that the server and the script write the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { moisture, open, visit } from './hygro-fixture.js';

describe('language', () => {
  test('follows the browser and can be switched, keeping the values', async (t) => {
    const page = await open(t, '', { locale: 'pt-BR' });
    assert.equal(await page.getAttribute('html', 'lang'), 'pt');
    assert.equal(await moisture(page), '14,0');
    await page.selectOption('#grain', 'sunflower');
    await page.fill('#ur', '55');
    await page.click('nav.lang a[data-lang="en"]');
    await page.waitForSelector('html.js[lang="en"]');
    assert.equal(await page.inputValue('#grain'), 'sunflower');
    assert.equal(await page.inputValue('#ur'), '55');
    assert.match(await page.textContent('#sentence'), /^Sunflower in air/);
  });

  test('Portuguese shows commas in result, chart, table and explanation', async (t) => {
    const page = await open(t, '?lang=pt&grain=corn&ta=25&ur=70');
    assert.match(await page.textContent('#chart .tag'), /14,0 %/);
    assert.equal(await page.textContent('#table td.here'), '14,0');
    await page.selectOption('#set', 'henderson-d245.5');
    assert.match(await page.textContent('#how'), /6,6612 × 10⁻⁵/);
    assert.doesNotMatch(await page.textContent('#table'), /\d\.\d/);
  });

  test('Spanish: every word, and the three languages keep the values', async (t) => {
    const page = await open(t, '', { locale: 'es-AR' });
    assert.equal(await page.getAttribute('html', 'lang'), 'es');
    assert.equal(await moisture(page), '14,0');
    assert.match(await page.textContent('#sentence'), /^Maíz en aire a 25\s°C y 70\s% de humedad relativa se estabiliza en 14,0\s% de humedad/);
    await page.fill('#ur', '55');
    for (const lang of ['pt', 'en', 'es']) {
      await page.click(`nav.lang a[data-lang="${lang}"]`);
      await page.waitForSelector(`html.js[lang="${lang}"]`);
      assert.equal(await page.inputValue('#ur'), '55');
      assert.equal(await page.locator('nav.lang a[aria-current]').getAttribute('data-lang'), lang);
    }
  });

  // What the script has made of the page, and the page as the server sends it: parsed by the same browser, never run.
  const written = (page, query) => page.evaluate(async (query) => {
    const texts = ['#heading', '#caption', '#value', '#basis', '#spread', '#sentence', '#asked', '#notes', '#grain', '#ta-error', '#ur-error', '#moisture-error', '#compare-title', '#compare-units', '#compare', '#table', '#table-units', '#set'];
    const read = (page) => ({
      ...Object.fromEntries(texts.map((place) => [place, page.querySelector(place).textContent])),
      // Equation, constants, source, both ratings, range; further rows are the script's alone.
      how: [0, 1, 2, 3, 4, 5].map((row) => page.querySelectorAll('#how dl > div')[row].textContent),
      title: page.title,
      csv: page.querySelector('#csv').getAttribute('href'),
      compare: [...page.querySelectorAll('#compare a')].map((a) => [new URL(a.getAttribute('href'), location.href).searchParams.toString(), a.dataset.grain, a.getAttribute('aria-current'), a.querySelector('rect').getAttribute('width')]),
      inputs: ['ta', 'ur', 'moisture'].map((id) => [id, ...['aria-invalid', 'disabled', 'value'].map((name) => page.getElementById(id).getAttribute(name))]),
    });
    const source = await (await fetch(query)).text();
    return { byScript: read(document), byServer: read(new DOMParser().parseFromString(source, 'text/html')) };
  }, query);

  test('what the server wrote and what the script writes are the same', async (t) => {
    const page = await open(t);
    for (const query of ['?grain=corn&ta=25&ur=70&lang=en', '?grain=in-shell-peanut&ta=1,5&ur=97&lang=pt', '?grain=soybean&ta=86&ur=80&taUnit=F&set=chung-pfost-d245.4&lang=pt',
      '?grain=wheat&ta=18&moisture=14&lang=en', '?grain=ear-corn&ta=1,25&moisture=14,55&lang=pt', '?grain=ear-corn&ta=-10&taUnit=F&ur=70&lang=pt', '?grain=corn&ta=&ur=70&lang=en',
      '?grain=corn&ta=25&moisture=&lang=pt', '?grain=corn&ta=25&moisture=x&lang=en', '?grain=corn&ta=25&moisture=99&lang=pt', '?grain=corn&ta=25&ur=100&lang=en', '?grain=wheat&ta=25&ur=0,1&lang=pt', '?grain=corn&ta=200&taUnit=F&ur=70&lang=en',
      '?grain=arroz&ta=25&ur=70&lang=pt', '?grain=durum&ta=77&taUnit=F&ur=70&lang=es', '?grain=quinoa&ta=25&ur=70&lang=es', '?grain=feij%C3%A3o&ta=x&ur=70&lang=pt', '?grain=corn&ta=25&ur=70&set=nothing&lang=en', '?grain=wheat&ta=5&ur=90&set=oswin-ramaj&lang=pt',
      '?grain=soybean&ta=25&moisture=30&lang=es', '?grain=corn&ta=25&ur=0,7&lang=pt', '?grain=popcorn&ta=25&moisture=14&lang=en']) {
      await visit(page, query);
      const { byScript, byServer } = await written(page, query);
      assert.deepEqual(byScript, byServer, query);
    }
  });
});
