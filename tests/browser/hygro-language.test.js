// The grain page: languages, and that what the script takes over is the whole page of the service.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { moisture, open, settled, visit } from './hygro-fixture.js';

describe('language', () => {
  test('follows the browser and can be switched, keeping the values', async (t) => {
    const page = await open(t, '', { locale: 'pt-BR' });
    assert.equal(await page.getAttribute('html', 'lang'), 'pt');
    assert.equal(await moisture(page), '14,0');
    await page.selectOption('#grain', 'sunflower');
    await page.fill('#ur', '55');
    await settled(page);
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
    await settled(page);
    assert.match(await page.textContent('#how'), /6,6612 × 10⁻⁵/);
    assert.doesNotMatch(await page.textContent('#table'), /\d\.\d/);
  });

  test('Spanish: every word, and the three languages keep the values', async (t) => {
    const page = await open(t, '', { locale: 'es-AR' });
    assert.equal(await page.getAttribute('html', 'lang'), 'es');
    assert.equal(await moisture(page), '14,0');
    assert.match(await page.textContent('#sentence'), /^Maíz en aire a 25\s°C y 70\s% de humedad relativa se estabiliza en 14,0\s% de humedad/);
    await page.fill('#ur', '55');
    await settled(page);
    for (const lang of ['pt', 'en', 'es']) {
      await page.click(`nav.lang a[data-lang="${lang}"]`);
      await page.waitForSelector(`html.js[lang="${lang}"]`);
      assert.equal(await page.inputValue('#ur'), '55');
      assert.equal(await page.locator('nav.lang a[aria-current]').getAttribute('data-lang'), lang);
    }
  });

  // The page after the values were typed into it, and the page as the service sends it for them: parsed by the same browser, never run.
  const written = (page, query) => page.evaluate(async (query) => {
    const texts = ['#heading', '#caption', '#value', '#basis', '#spread', '#sentence', '#asked', '#notes', '#grain', '#ta-error', '#ur-error', '#moisture-error', '#compare-title', '#compare-units', '#compare', '#table', '#table-units', '#set', '#how', '#verdict'];
    const read = (page) => ({
      ...Object.fromEntries(texts.map((place) => [place, page.querySelector(place).textContent])),
      title: page.title,
      links: ['#csv', '#link', '#find a', 'nav.lang a', 'button[data-download]'].map((place) => [...page.querySelectorAll(place)].map((a) => [a.getAttribute('href'), a.getAttribute('formaction'), a.getAttribute('aria-current')])),
      states: ['#result', '#main', '#verdict', '#set-field'].map((place) => ['data-empty', 'data-nograin', 'data-verdict', 'hidden'].map((name) => page.querySelector(place).hasAttribute(name))),
      chart: page.querySelector('#chart').dataset.chart,
      compare: [...page.querySelectorAll('#compare a')].map((a) => [new URL(a.getAttribute('href'), location.href).searchParams.toString(), a.dataset.grain, a.getAttribute('aria-current'), a.querySelector('rect').getAttribute('width')]),
      inputs: ['ta', 'ur', 'moisture'].map((id) => [id, ...['aria-invalid', 'disabled'].map((name) => page.getElementById(id).getAttribute(name))]),
    });
    const source = await (await fetch(query)).text();
    return { byScript: read(document), byServer: read(new DOMParser().parseFromString(source, 'text/html')) };
  }, query);

  // Types the values of a query into the page that is open.
  const type = async (page, query) => {
    const wanted = new URLSearchParams(query);
    const unit = wanted.get('taUnit') === 'F' ? 'f' : 'c';
    const given = wanted.has('moisture') ? 'moisture' : 'ur';
    await page.selectOption('#grain', wanted.get('grain'));
    await page.click(`label[for="unit-${unit}"]`);
    await page.click(`#find a[data-find="${given === 'ur' ? 'moisture' : 'ur'}"]`);
    await page.fill(`#${given}`, wanted.get(given));
    await page.fill('#ta', wanted.get('ta'));
    await settled(page);
    if (wanted.has('set')) await page.selectOption('#set', wanted.get('set'));
    await settled(page);
  };

  test('what is typed makes the page that the service sends for it', async (t) => {
    const page = await open(t);
    const queries = { en: ['?grain=corn&ta=25&ur=70', '?grain=wheat&ta=18&moisture=14', '?grain=corn&ta=&ur=70', '?grain=corn&ta=25&moisture=x', '?grain=corn&ta=25&ur=100', '?grain=corn&ta=200&ur=70&taUnit=F', '?grain=popcorn&ta=25&moisture=14', '?grain=flaxseed&ta=25&ur=50'],
      pt: ['?grain=in-shell-peanut&ta=1,5&ur=97', '?grain=soybean&ta=86&ur=80&taUnit=F&set=chung-pfost-d245.4', '?grain=ear-corn&ta=1,25&moisture=14,55', '?grain=ear-corn&ta=-10&ur=70&taUnit=F', '?grain=corn&ta=25&moisture=', '?grain=corn&ta=25&moisture=99', '?grain=wheat&ta=25&ur=0,1', '?grain=wheat&ta=5&ur=90&set=oswin-ramaj', '?grain=corn&ta=25&ur=0,7'],
      es: ['?grain=soybean&ta=25&moisture=30', '?grain=wheat&ta=77&ur=70&taUnit=F&set=oswin-durum-d245.5'] };
    for (const [lang, list] of Object.entries(queries)) {
      await visit(page, `?grain=quinoa&lang=${lang}`);
      for (const query of list) {
        await type(page, query);
        const { byScript, byServer } = await written(page, `${query}&lang=${lang}`);
        assert.deepEqual(byScript, byServer, query);
      }
    }
  });
});
