// The grain page in Chromium: typing, languages, units, chart, table, links, keyboard, narrow and wide, axe in both themes.
import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { startService } from '../api/service.js';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
let service;
let browser;
before(async () => {
  service = await startService('hygro');
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});
after(async () => {
  await browser?.close();
  await service.stop();
});

// A page with what went wrong on it; closed by the test's end.
async function open(t, query = '', options = {}, base = `${service.url}/`) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  const hosts = new Set();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
    assert.deepEqual([...hosts], [new URL(base).origin], 'requests to other hosts');
  });
  await page.goto(base + query);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html.js #chart svg');
  return page;
}

const moisture = (page) => page.textContent('#value');
const api = async (query) => (await fetch(`${service.url}/api/calculate?${query}`)).json();

describe('calculating', { concurrency: 3 }, () => {
  test('the result follows the typing', async (t) => {
    const page = await open(t);
    assert.equal(await moisture(page), '14.7');
    await page.selectOption('#grain', 'soybean');
    await page.fill('#ta', '30');
    await page.fill('#ur', '80');
    assert.equal(await moisture(page), '17.4');
    assert.equal((await api('grain=soybean&ta=30&ur=80')).moisture, 17.4);
    assert.match(await page.textContent('#sentence'), /Soybean in air of 30\s°C and 80\s% humidity settles at 17\.4\s% moisture/);
    assert.match(await page.title(), /^17\.4 % · Soybean/);
    assert.equal(await page.isVisible('.go'), false);
  });

  test('decimal comma and decimal point', async (t) => {
    const page = await open(t);
    await page.fill('#ta', '25,5');
    assert.equal(await moisture(page), '14.6');
    await page.fill('#ta', '25.5');
    assert.equal(await moisture(page), '14.6');
  });

  test('what is wrong is said at its field, and the number goes away', async (t) => {
    const page = await open(t);
    for (const [field, value, message] of [
      ['ta', 'warm', /Enter a number/], ['ta', '', /Enter the air temperature/], ['ta', '200', /between -30 and 80/], ['ur', '100', /above 0 and below 100/], ['ur', '0', /above 0/], ['ur', '7o', /number/],
    ]) {
      const kept = await page.inputValue(`#${field}`);
      await page.fill(`#${field}`, value);
      assert.equal(await moisture(page), '–', `${field}=${value}`);
      assert.match(await page.textContent(`#${field}-error`), message);
      assert.equal(await page.getAttribute(`#${field}`, 'aria-invalid'), 'true');
      await page.fill(`#${field}`, kept);
      assert.equal(await page.getAttribute(`#${field}`, 'aria-invalid'), null);
    }
    assert.equal(await moisture(page), '14.7');
  });

  test('notes out of range and for unconfirmed constants are those of the service', async (t) => {
    const page = await open(t, '?grain=ear-corn&ta=1&ur=97');
    const answer = await api('grain=ear-corn&ta=1&ur=97');
    assert.deepEqual(await page.locator('#notes li').allTextContents(), answer.warnings.map((w) => w.message));
    for (const query of ['grain=ear-corn&ta=1&ur=97&lang=pt', 'grain=ear-corn&ta=20&taUnit=F&ur=97&lang=en', 'grain=in-shell-peanut&ta=-5&taUnit=F&ur=97&lang=pt']) {
      const other = await open(t, `?${query}`);
      assert.deepEqual(await other.locator('#notes li').allTextContents(), (await api(query)).warnings.map((w) => w.message), query);
    }
  });

  test('changing the unit keeps the temperature', async (t) => {
    const page = await open(t);
    await page.click('label[for="unit-f"]');
    assert.equal(await page.inputValue('#ta'), '77');
    assert.equal(await moisture(page), '14.7');
    await page.fill('#ta', '50');
    assert.equal(await moisture(page), String((await api('grain=corn&ta=50&taUnit=F&ur=70')).moisture));
    assert.equal(await page.textContent('#table tbody tr:first-child th'), '32');
    await page.click('label[for="unit-c"]');
    assert.equal(await page.inputValue('#ta'), '10');
  });

  test('every culture and every set shows the service\'s number', async (t) => {
    const page = await open(t, '?ta=18,3&ur=62.5');
    for (const grain of await page.locator('#grain option').evaluateAll((list) => list.map((o) => o.value))) {
      await page.selectOption('#grain', grain);
      for (const set of await page.locator('#set option').evaluateAll((list) => list.map((o) => o.value))) {
        if (await page.isVisible('#set')) await page.selectOption('#set', set);
        const answer = await api(`grain=${grain}&ta=18,3&ur=62.5${set ? `&set=${set}` : ''}`);
        assert.equal(Number(await moisture(page)), answer.moisture, `${grain} ${set}`);
      }
    }
  });

  test('a set that the next culture lacks is forgotten', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=70&set=chung-pfost-usda');
    assert.equal(await moisture(page), '14.5');
    await page.selectOption('#grain', 'wheat');
    assert.equal(await moisture(page), '14.7');
    assert.ok(!page.url().includes('set='));
  });
});

describe('the tasks people come with', { concurrency: 3 }, () => {
  test('my wheat has 14 % at 18 °C: how dry must the air be?', async (t) => {
    const page = await open(t, '?grain=wheat');
    await page.fill('#ta', '18');
    await page.click('#find a[data-find="ur"]');
    assert.equal(await page.textContent('#heading'), 'Which air keeps the grain as it is?');
    assert.ok(await page.isHidden('#ur') && await page.isVisible('#moisture'));
    await page.fill('#moisture', '14');
    assert.equal(await moisture(page), String((await api('grain=wheat&ta=18&moisture=14')).ur));
    assert.match(await page.textContent('#sentence'), /Wheat with 14\s% moisture stays as it is in air of 18\s°C and 64\.5\s% humidity\. Drier air dries it/);
    assert.match(await page.textContent('#basis'), /^relative humidity · the grain has 16\.3 % dry basis$/);
    assert.match(await page.textContent('#chart .tag'), /64\.5 % RH/);
    assert.match(await page.textContent('#how'), /r = exp\(.*% humidity for 1 point more moisture/s);
    assert.equal(await page.textContent('td[aria-current]'), '14.0');
    assert.match(page.url(), /\?grain=wheat&ta=18&moisture=14&lang=en$/);
    assert.match(await page.title(), /^64\.5 % · Wheat · equilibrium humidity of the air$/);
    await page.reload();
    await page.waitForSelector('html.js #chart svg');
    assert.equal(await moisture(page), '64.5');
    await page.click('nav.lang a[data-lang="pt"]');
    await page.waitForSelector('html.js[lang="pt"]');
    assert.equal(await moisture(page), '64,5');
    assert.equal(await page.inputValue('#moisture'), '14');
  });

  test('may I ventilate tonight with 8 °C and 85 %? The sentence says what happens to the grain', async (t) => {
    const page = await open(t, '?grain=wheat&ta=8&ur=85');
    assert.equal(await moisture(page), '18.9');
    assert.match(await page.textContent('#sentence'), /Moister grain dries in this air, drier grain takes up water\./);
  });

  test('corn beside soybean: every culture at the same values, a click away', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=70');
    const shown = () => page.locator('#compare a').evaluateAll((list) => Object.fromEntries(list.map((a) => [a.dataset.grain, a.querySelector('b').textContent])));
    assert.equal(Object.keys(await shown()).length, 13);
    for (const [grain, text] of Object.entries(await shown())) assert.equal(text, `${(await api(`grain=${grain}&ta=25&ur=70`)).moisture.toFixed(1)} %`, grain);
    await page.click('#compare a[data-grain="soybean"]');
    assert.equal(await page.inputValue('#grain'), 'soybean');
    assert.equal(await moisture(page), '13.3');
    assert.equal(await page.getAttribute('#compare a[data-grain="soybean"]', 'aria-current'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.grain), 'soybean');
    assert.match(page.url(), /grain=soybean/);
    await page.fill('#ta', '-25');
    assert.equal((await shown())['ear-corn'], '–');
    assert.equal((await shown())['corn'], `${(await api('grain=corn&ta=-25&ur=70')).moisture.toFixed(1)} %`);
  });

  test('switching there and back keeps the numbers', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=70&lang=pt');
    await page.click('#find a[data-find="ur"]');
    assert.equal(await page.inputValue('#moisture'), '14,7');
    await page.click('#find a[data-find="moisture"]');
    assert.equal(await page.inputValue('#ur'), '70');
    await page.click('#find a[data-find="ur"]');
    await page.fill('#moisture', '13');
    const ur = await moisture(page);
    await page.click('#find a[data-find="moisture"]');
    assert.equal(await page.inputValue('#ur'), ur);
    assert.equal(await moisture(page), '13,0');
  });

  test('what is wrong with a moisture is said at its field', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&moisture=14');
    for (const [value, message] of [['', /Enter the moisture/], ['x', /such as 14\.5/], ['100', /above 0 and below 100/], ['99', /No humidity between/]]) {
      await page.fill('#moisture', value);
      assert.match(await page.textContent('#moisture-error'), message);
      assert.equal(await page.getAttribute('#moisture', 'aria-invalid'), 'true');
      assert.equal(await moisture(page), '–');
    }
    await page.click('#find a[data-find="moisture"]');
    assert.equal(await page.textContent('#moisture-error'), '');
    assert.equal(await moisture(page), '14.7');
  });

  test('dragging and steps move the moisture', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&moisture=14');
    await page.click('button[data-for="moisture"][data-step="0.5"]');
    assert.equal(await page.inputValue('#moisture'), '14.5');
    await page.focus('#moisture');
    await page.keyboard.press('Shift+ArrowDown');
    assert.equal(await page.inputValue('#moisture'), '12');
    const box = await page.locator('#chart svg').boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    const dragged = Number(await page.inputValue('#moisture'));
    assert.ok(dragged > 13 && dragged < 18, `${dragged}`);
    assert.equal(Number(await moisture(page)), (await api(`grain=corn&ta=25&moisture=${dragged}`)).ur);
  });

  test('without JavaScript the same links and fields do it', async (t) => {
    const page = await open(t, '?grain=wheat&ta=18&ur=70', { javaScriptEnabled: false });
    await page.click('#find a[data-find="ur"]');
    assert.equal(await page.inputValue('#moisture'), '15.0');
    await page.fill('#moisture', '14');
    await page.click('.go');
    assert.equal(await moisture(page), '64.5');
    assert.ok(!page.url().includes('ur='));
    await page.click('#compare a[data-grain="barley"]');
    assert.equal(Number(await moisture(page)), (await api('grain=barley&ta=18&moisture=14')).ur);
  });

  test('on paper: dark screens print as ink on white, and the whole table fits', async (t) => {
    const page = await open(t, '?grain=wheat&ta=8&ur=85', { colorScheme: 'dark', viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const paper = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return {
        ink: getComputedStyle(document.querySelector('#value')).color,
        table: box('#table table').right <= box('.table').right && document.documentElement.scrollWidth <= window.innerWidth,
        chart: box('#chart svg').bottom <= box('.chart').bottom,
        hidden: ['.find', '.lang', '#csv', '.share', 'footer', '.step'].filter((s) => document.querySelector(s).checkVisibility()),
      };
    });
    assert.deepEqual(paper, { ink: 'rgb(35, 39, 31)', table: true, chart: true, hidden: [] });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  });
});

describe('language', { concurrency: 3 }, () => {
  test('follows the browser and can be switched, keeping the values', async (t) => {
    const page = await open(t, '', { locale: 'pt-BR' });
    assert.equal(await page.getAttribute('html', 'lang'), 'pt');
    assert.equal(await moisture(page), '14,7');
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
    assert.match(await page.textContent('#chart .tag'), /14,7 %/);
    assert.equal(await page.textContent('#table td.here'), '14,7');
    assert.match(await page.textContent('#how'), /6,6612 × 10⁻⁵/);
    assert.doesNotMatch(await page.textContent('#table'), /\d\.\d/);
  });

  test('what the server wrote and what the script writes are the same', async (t) => {
    for (const query of ['?grain=corn&ta=25&ur=70&lang=en', '?grain=in-shell-peanut&ta=1,5&ur=97&lang=pt', '?grain=soybean&ta=86&ur=80&taUnit=F&set=chung-pfost-d245.4&lang=pt',
      '?grain=wheat&ta=18&moisture=14&lang=en', '?grain=ear-corn&ta=1,25&moisture=14,55&lang=pt', '?grain=ear-corn&ta=-10&taUnit=F&ur=70&lang=pt', '?grain=corn&ta=&ur=70&lang=en',
      '?grain=corn&ta=25&moisture=&lang=pt', '?grain=corn&ta=25&moisture=x&lang=en', '?grain=corn&ta=25&moisture=99&lang=pt', '?grain=corn&ta=25&ur=100&lang=en', '?grain=wheat&ta=25&ur=0,1&lang=pt', '?grain=corn&ta=200&taUnit=F&ur=70&lang=en']) {
      const plain = await open(t, query, { javaScriptEnabled: false });
      const live = await open(t, query);
      for (const place of ['#heading', '#caption', '#value', '#basis', '#sentence', '#notes', '#ta-error', '#ur-error', '#moisture-error', '#compare-title', '#compare-units', '#compare', '#table', '#table-units', '#set']) assert.equal(await live.textContent(place), await plain.textContent(place), `${place} ${query}`);
      for (const row of ['Equation', 'Constants', 'Source', 'Confidence']) {
        const index = ['Equation', 'Constants', 'Source', 'Confidence'].indexOf(row);
        assert.equal(await live.locator('#how dl > div').nth(index).textContent(), await plain.locator('#how dl > div').nth(index).textContent(), `${row} ${query}`);
      }
      assert.equal(await live.title(), await plain.title());
      assert.equal(await live.getAttribute('#csv', 'href'), await plain.getAttribute('#csv', 'href'));
      const places = (page) => page.locator('#compare a').evaluateAll((list) => list.map((a) => [new URL(a.href).searchParams.toString(), a.dataset.grain, a.getAttribute('aria-current'), a.querySelector('rect').getAttribute('width')]));
      assert.deepEqual(await places(live), await places(plain), query);
      for (const input of ['ta', 'ur', 'moisture']) for (const name of ['aria-invalid', 'disabled', 'value']) assert.equal(await live.getAttribute(`#${input}`, name), await plain.getAttribute(`#${input}`, name), `${input} ${name} ${query}`);
    }
  });
});

describe('chart, table and links', { concurrency: 3 }, () => {
  test('the chart shows the isotherm, its neighbours and the point where they belong', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=70');
    const chart = await page.evaluate(() => {
      const point = document.querySelector('#chart .dot');
      const now = document.querySelector('#chart path.now:not(.beyond)');
      const on = now.getPointAtLength(0);
      let nearest = Infinity;
      for (let at = 0; at <= now.getTotalLength(); at += 0.5) {
        const p = now.getPointAtLength(at);
        nearest = Math.min(nearest, Math.hypot(p.x - point.cx.baseVal.value, p.y - point.cy.baseVal.value));
      }
      return { nearest, start: on.x, near: [...document.querySelectorAll('#chart path.near:not(.beyond)')].map((p) => Number(p.dataset.ta)),
        labels: [...document.querySelectorAll('#chart .labels text')].map((x) => x.textContent), label: document.querySelector('#chart svg').getAttribute('aria-label') };
    });
    assert.ok(chart.nearest < 1, `the point lies ${chart.nearest} px beside its curve`);
    assert.deepEqual(chart.near.sort((a, b) => a - b), [5, 15, 35, 45]);
    assert.ok(chart.labels.includes('25 °C') && chart.labels.includes('45 °C'));
    assert.match(chart.label, /Corn.*at 25 °C: from 4\.7 % at 10 % humidity to 21\.4 % at 95 %.*70 % humidity, 14\.7 % moisture/);
  });

  test('the label of the point does not lie on the curve, wherever the point is', async (t) => {
    for (const query of ['?grain=corn&ta=25&moisture=6.5', '?grain=corn&ta=25&moisture=3', '?grain=corn&ta=25&ur=12', '?grain=soybean&ta=25&ur=90', '?grain=corn&ta=25&ur=70']) {
      const page = await open(t, query, { viewport: { width: 360, height: 740 } });
      const crossed = await page.evaluate(() => {
        const tag = document.querySelector('#chart .tag').getBBox();
        const now = document.querySelector('#chart path.now:not(.beyond)');
        for (let at = 0; at <= now.getTotalLength(); at++) {
          const p = now.getPointAtLength(at);
          if (p.x > tag.x && p.x < tag.x + tag.width && p.y > tag.y + 4 && p.y < tag.y + tag.height - 4) return true;
        }
        return false;
      });
      assert.equal(crossed, false, query);
    }
  });

  test('labels of the curves do not overlap', async (t) => {
    for (const query of ['?grain=soybean&ta=25&ur=70', '?grain=corn&ta=25&ur=70', '?grain=ear-corn&ta=5&ur=30']) {
      const page = await open(t, query, { viewport: { width: 360, height: 740 } });
      const places = (await page.locator('#chart .labels text').evaluateAll((list) => list.map((x) => Number(x.getAttribute('y'))))).sort((a, b) => a - b);
      for (let i = 1; i < places.length; i++) assert.ok(places[i] - places[i - 1] >= 14, query);
    }
  });

  test('dragging in the chart sets the humidity', async (t) => {
    const page = await open(t);
    const box = await page.locator('#chart svg').boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    const ur = Number(await page.inputValue('#ur'));
    assert.ok(ur > 40 && ur < 60, `${ur}`);
    assert.equal(Number(await moisture(page)), (await api(`grain=corn&ta=25&ur=${ur}`)).moisture);
    await page.mouse.move(box.x + 5, box.y + 5);
    assert.equal(Number(await page.inputValue('#ur')), ur, 'moving without a pressed button changes nothing');
  });

  test('the table has the service\'s numbers and one marked cell', async (t) => {
    const page = await open(t, '?grain=rye&ta=22&ur=61');
    const table = await (await fetch(`${service.url}/api/table?grain=rye`)).json();
    const cells = await page.locator('#table tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
    assert.deepEqual(cells, table.moisture);
    assert.equal(await page.locator('td[aria-current]').count(), 1);
    assert.equal(await page.textContent('td[aria-current]'), String(table.moisture[4][10]));
    await page.fill('#ta', '70');
    assert.equal(await page.locator('td[aria-current]').count(), 0);
  });

  test('on a phone the marked cell is in view', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=90', { viewport: { width: 360, height: 740 } });
    const shown = await page.evaluate(() => {
      const cell = document.querySelector('td.here').getBoundingClientRect();
      const box = document.querySelector('#table').getBoundingClientRect();
      return cell.left >= box.left && cell.right <= box.right + 1;
    });
    assert.ok(shown);
    for (const ur of [20, 40, 55, 70, 95]) {
      await page.fill('#ur', String(ur));
      const half = await page.evaluate(() => {
        const edge = document.querySelector('#table tbody th').getBoundingClientRect().right;
        return [...document.querySelectorAll('#table thead th')].slice(1).map((th) => th.getBoundingClientRect()).filter((place) => place.left < edge - 2 && place.right > edge + 2).length;
      });
      assert.equal(half, 0, `a column lies half under the temperatures at ${ur} %`);
    }
  });

  test('from 860 px on the whole table is in view', async (t) => {
    for (const width of [860, 900, 1024, 1100, 1101]) {
      const page = await open(t, '?grain=soybean&ta=0&ur=95&lang=pt', { viewport: { width, height: 900 } });
      assert.ok(await page.evaluate(() => { const box = document.querySelector('#table'); return box.scrollWidth <= box.clientWidth; }), `${width}`);
    }
  });

  test('the address reproduces the calculation', async (t) => {
    const page = await open(t);
    await page.selectOption('#grain', 'oats');
    await page.fill('#ta', '12,5');
    await page.fill('#ur', '81');
    await page.selectOption('#set', 'oswin-d245.5');
    const result = await moisture(page);
    const link = await page.locator('#link').evaluate((a) => a.href);
    assert.equal(link, page.url());
    const again = await open(t, new URL(link).search, { locale: 'pt-BR' });
    assert.equal(await moisture(again), result);
    assert.equal(await again.inputValue('#set'), 'oswin-d245.5');
    assert.equal((await (await fetch(`${service.url}/api/calculate${new URL(link).search}`)).json()).moisture, Number(result));
  });

  test('the CSV is a download with the same numbers', async (t) => {
    const page = await open(t, '?lang=pt&grain=corn');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#csv')]);
    assert.equal(download.suggestedFilename(), 'corn-equilibrium-moisture.csv');
    assert.match(readFileSync(await download.path(), 'utf8'), /\r\n25;4,7;/);
  });

  test('equation, constants, source and confidence are shown', async (t) => {
    const page = await open(t);
    const how = await page.textContent('#how');
    for (const part of ['Modified Henderson', 'M = [-ln(1 - r) / (A (T + C))]^(1/B)', 'A = 6.6612 × 10⁻⁵', 'B = 1.9677', 'C = 42.143', 'ASAE D245.5', 'Confidence', 'two sources']) assert.ok(how.includes(part), part);
    assert.match(await page.textContent('.reference'), /technical reference.*context of the batch/);
  });

  test('the link can be copied', async (t) => {
    const page = await open(t, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('#copy');
    await page.waitForFunction(() => document.querySelector('#copy').textContent === 'Link copied.');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator('#link').evaluate((a) => a.href));
  });
});

describe('for everyone', { concurrency: 3 }, () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, viewport] of [['wide', { width: 1280, height: 900 }], ['narrow', { width: 360, height: 740 }]]) {
      test(`axe finds nothing: ${colorScheme}, ${name}`, async (t) => {
        for (const query of ['?lang=en', '?lang=pt&grain=ear-corn&ta=1&ur=97', '?lang=en&ta=x&ur=200', '?lang=pt&grain=wheat&ta=18&moisture=14']) {
          const page = await open(t, query, { colorScheme, viewport });
          const violations = await page.evaluate(`(() => { const module = undefined; ${AXE}; return window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }); })()`).then((r) => r.violations);
          assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(' ')}`), [], query);
        }
      });
    }
  }

  test('fits from 320 px without scrolling sideways', async (t) => {
    for (const width of [320, 360, 480, 768, 900, 1024, 1600]) {
      const page = await open(t, '?lang=pt&grain=long-grain-rice&ta=18&moisture=14&set=chung-pfost-d245.4', { viewport: { width, height: 740 } });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width}`);
    }
  });

  test('what one presses is at least 38 px high on a phone', async (t) => {
    const page = await open(t, '?lang=pt', { viewport: { width: 360, height: 740 } });
    const small = await page.locator('main a, button, select, nav a, .unit label').evaluateAll((list) => list.filter((node) => node.checkVisibility()).map((node) => [node.id || node.className || node.textContent.trim(), node.getBoundingClientRect().height]).filter(([name, height]) => height < 38 && name !== 'link'));
    assert.deepEqual(small, []);
  });

  test('light and dark differ', async (t) => {
    const shades = [];
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(t, '', { colorScheme });
      shades.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    assert.notEqual(shades[0], shades[1]);
  });

  test('works by keyboard alone', async (t) => {
    const page = await open(t);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.focus('#grain');
    await page.keyboard.type('Wh');
    assert.equal(await page.inputValue('#grain'), 'wheat');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'ta');
    await page.keyboard.type('18');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.inputValue('#ta'), '19');
    await page.keyboard.press('Shift+ArrowDown');
    assert.equal(await page.inputValue('#ta'), '14');
    await page.keyboard.press('Enter');
    assert.equal(await moisture(page), String((await api('grain=wheat&ta=14&ur=70')).moisture));
    await page.focus('#table');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'table');
  });

  test('the steps change the number by one and stop at the bounds', async (t) => {
    const page = await open(t, '?ta=25,5&ur=99');
    await page.click('button[data-for="ta"][data-step="1"]');
    assert.equal(await page.inputValue('#ta'), '26.5');
    await page.click('button[data-for="ur"][data-step="1"]');
    assert.equal(await page.inputValue('#ur'), '99');
    await page.click('button[data-for="ur"][data-step="-1"]');
    assert.equal(await page.inputValue('#ur'), '98');
  });

  test('the result is announced once typing pauses', async (t) => {
    const page = await open(t);
    await page.fill('#ur', '60');
    await page.waitForFunction(() => /60\s% humidity settles at 13\.0\s% moisture/.test(document.querySelector('#live').textContent));
    assert.equal(await page.getAttribute('#live', 'role'), 'status');
  });

  test('without JavaScript the form asks the server', async (t) => {
    const page = await open(t, '', { javaScriptEnabled: false });
    await page.selectOption('#grain', 'barley');
    await page.fill('#ta', '20,5');
    await page.fill('#ur', '60');
    await page.click('.go');
    assert.equal(Number(await moisture(page)), (await api('grain=barley&ta=20.5&ur=60')).moisture);
    assert.equal(await page.inputValue('#ta'), '20,5');
    assert.equal(await page.inputValue('#grain'), 'barley');
    assert.equal(await page.locator('td[aria-current]').count(), 1);
  });

  test('when the script or its data does not come, the form still works', async (t) => {
    for (const lost of ['**/main.js', '**/api/grains']) {
      const context = await browser.newContext({ locale: 'en-US' });
      t.after(() => context.close());
      const page = await context.newPage();
      await page.route(lost, (route) => route.abort());
      await page.goto(`${service.url}/`);
      assert.equal(await moisture(page), '14.7');
      await page.fill('#ur', '60');
      await page.waitForFunction(() => getComputedStyle(document.querySelector('.go')).opacity === '1');
      await page.click('.go');
      await page.waitForURL(/ur=60/);
      assert.equal(await moisture(page), '13.0');
      if (lost.includes('grains')) await page.waitForSelector('#notes li:has-text("could not be loaded")');
    }
  });

  test('works under a sub-path of another server', async (t) => {
    const prefix = '/silo/moisture';
    const proxy = createServer((req, res) => {
      if (!req.url.startsWith(`${prefix}/`)) return res.writeHead(404).end();
      const target = new URL(req.url.slice(prefix.length), service.url);
      const onward = httpRequest(target, { method: req.method, headers: { ...req.headers, host: target.host } }, (answer) => {
        res.writeHead(answer.statusCode, answer.headers);
        answer.pipe(res);
      });
      req.pipe(onward);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    t.after(() => proxy.close());
    const page = await open(t, '?grain=corn&ta=25&ur=70', {}, `http://127.0.0.1:${proxy.address().port}${prefix}/`);
    await page.fill('#ur', '60');
    assert.equal(await moisture(page), '13.0');
    assert.ok(page.url().includes(`${prefix}/?grain=corn`));
    await page.click('nav.lang a[data-lang="pt"]');
    await page.waitForSelector('html.js[lang="pt"]');
    assert.equal(await moisture(page), '13,0');
  });
});
