// The grain page: chart, table and links.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { api, chartBox, moisture, open, service, settled, visit } from './hygro-fixture.js';

describe('chart, table and links', () => {
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
    assert.match(chart.label, /Corn.*at 25 °C: from 5\.0 % at 10 % humidity to 21\.7 % at 95 %.*70 % humidity, 14\.0 % moisture/);
  });

  test('the label of the point does not lie on the curve, wherever the point is', async (t) => {
    const page = await open(t, '', { viewport: { width: 360, height: 740 } });
    for (const query of ['?grain=corn&ta=25&moisture=6.5', '?grain=corn&ta=25&moisture=3', '?grain=corn&ta=25&ur=12', '?grain=soybean&ta=25&ur=90', '?grain=corn&ta=25&ur=70']) {
      await visit(page, query);
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
    const page = await open(t, '', { viewport: { width: 360, height: 740 } });
    for (const query of ['?grain=soybean&ta=25&ur=70', '?grain=corn&ta=25&ur=70', '?grain=ear-corn&ta=5&ur=30']) {
      await visit(page, query);
      const places = (await page.locator('#chart .labels text').evaluateAll((list) => list.map((x) => Number(x.getAttribute('y'))))).sort((a, b) => a - b);
      for (let i = 1; i < places.length; i++) assert.ok(places[i] - places[i - 1] >= 14, query);
    }
  });

  test('no line runs through the labels of 65 and 70 %, whatever the point', async (t) => {
    const page = await open(t);
    for (const width of [360, 1280]) {
      for (const query of ['ta=22&ur=60', 'ta=22&ur=63', 'ta=22&ur=72', 'ta=22&ur=75', 'ta=5&ur=64', 'ta=40&ur=74']) {
        for (const grain of ['corn', 'soybean', 'canola']) {
          await visit(page, `?grain=${grain}&${query}`, { viewport: { width, height: 800 } });
          const crossed = await page.evaluate(() => {
            const inside = (box, { x, y }) => x > box.x && x < box.x + box.width && y > box.y + 2 && y < box.y + box.height - 2;
            const points = [...document.querySelectorAll('#chart .guide, #chart .curves path:not(.band)')].flatMap((line) =>
              Array.from({ length: Math.ceil(line.getTotalLength()) }, (_, at) => line.getPointAtLength(at)));
            return [...document.querySelectorAll('#chart .ticks :is(.watch, .mould)')].map((label) => points.some((point) => inside(label.getBBox(), point)));
          });
          assert.deepEqual(crossed, [false, false], `${grain} ${query} at ${width} px`);
        }
      }
    }
  });

  test('on a desk the whole chart is in view, also while one scrolls through a long verdict', async (t) => {
    const page = await open(t);
    for (const viewport of [{ width: 1280, height: 800 }, { width: 1366, height: 768 }, { width: 1920, height: 1080 }]) {
      await visit(page, '?grain=corn&ta=22&ur=60&own=15&ownTa=20', { viewport });
      for (const y of [0, 250]) {
        await page.evaluate((top) => scrollTo(0, top), y);
        const box = await chartBox(page);
        assert.ok(box.y >= 0 && box.y + box.height <= viewport.height, `${viewport.width} px, ${y} px down: ${box.y} to ${box.y + box.height}`);
      }
    }
  });

  test('the card of the chart has no empty part: a third of it was, beside a long verdict', async (t) => {
    const page = await open(t);
    for (const lang of ['en', 'pt', 'es']) {
      await visit(page, `?grain=corn&ta=22&ur=60&own=15&ownTa=20&lang=${lang}`, { viewport: { width: 1280, height: 900 } });
      for (const y of [0, 250]) {
        await page.evaluate((top) => scrollTo(0, top), y);
        const [card, caption, chart] = await Promise.all([...['.chart', '.chart figcaption'].map((each) => page.locator(each).boundingBox()), chartBox(page)]);
        assert.ok(chart.y - caption.y - caption.height < 40, `${lang}, ${y} px down: ${chart.y - caption.y - caption.height} px above the chart`);
        assert.ok(card.y + card.height - chart.y - chart.height < 40, `${lang}, ${y} px down: ${card.y + card.height - chart.y - chart.height} px below it`);
      }
      // It stays beside the form, and does not come over what is below.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const [card, tools] = await Promise.all(['.chart', '.tools'].map((each) => page.locator(each).boundingBox()));
      assert.ok(card.y + card.height <= tools.y, lang);
    }
  });

  test('dragging in the chart sets the humidity', async (t) => {
    const page = await open(t);
    const box = await chartBox(page);
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
    await settled(page);
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
      await settled(page);
      const half = await page.evaluate(() => {
        const edge = document.querySelector('#table tbody th').getBoundingClientRect().right;
        return [...document.querySelectorAll('#table thead th')].slice(1).map((th) => th.getBoundingClientRect()).filter((place) => place.left < edge - 2 && place.right > edge + 2).length;
      });
      assert.equal(half, 0, `a column lies half under the temperatures at ${ur} %`);
    }
  });

  test('from 860 px on the whole table is in view', async (t) => {
    const page = await open(t);
    for (const width of [860, 900, 1024, 1100, 1101]) {
      await visit(page, '?grain=soybean&ta=0&ur=95&lang=pt', { viewport: { width, height: 900 } });
      assert.ok(await page.evaluate(() => { const box = document.querySelector('#table'); return box.scrollWidth <= box.clientWidth; }), `${width}`);
    }
  });

  test('the address reproduces the calculation', async (t) => {
    const page = await open(t);
    await page.selectOption('#grain', 'oats');
    await settled(page);
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
    assert.match(readFileSync(await download.path(), 'utf8'), /\r\n25;5,0;/);
  });

  test('equation, constants, source and confidence are shown', async (t) => {
    const page = await open(t);
    const how = await page.textContent('#how');
    for (const part of ['Modified Chung-Pfost', 'M = -(1/B) ln[-(T + C) ln(r) / A]', 'A = 312.3', 'B = 0.16958', 'C = 30.205', 'ASAE D245.4', 'Constants traced', 'two sources', 'Agrees with published tables', 'close', 'Range', '0 to 50 °C, 10 to 95 %']) assert.ok(how.includes(part), part);
    assert.match(await page.textContent('.reference'), /technical reference.*context of the batch/);
  });

  test('the link can be copied', async (t) => {
    const page = await open(t, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('#copy');
    await page.waitForFunction(() => document.querySelector('#copy').textContent === 'Link copied.');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator('#link').evaluate((a) => a.href));
  });
});
