// The grain page: calculating by typing, the same numbers as the service's, and the tasks people come with.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../api/lib/until.js';
import { api, chartBox, moisture, open, service, settled, visit } from './hygro-fixture.js';

describe('calculating', () => {
  test('the result follows the typing', async (t) => {
    const page = await open(t);
    assert.equal(await moisture(page), '14.0');
    await page.selectOption('#grain', 'soybean');
    await page.fill('#ta', '30');
    await page.fill('#ur', '80');
    assert.equal(await moisture(page), '14.8');
    assert.equal((await api('grain=soybean&ta=30&ur=80')).moisture, 14.8);
    assert.match(await page.textContent('#sentence'), /Soybean in air of 30\s°C and 80\s% humidity settles at 14\.8\s% moisture/);
    assert.match(await page.title(), /^14\.8 % · Soybean/);
    assert.equal(await page.isVisible('.go'), false);
  });

  test('decimal comma and decimal point', async (t) => {
    const page = await open(t);
    await page.fill('#ta', '20,5');
    assert.equal(await moisture(page), '14.4');
    await page.fill('#ta', '20.5');
    assert.equal(await moisture(page), '14.4');
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
      await settled(page);
      assert.equal(await page.getAttribute(`#${field}`, 'aria-invalid'), null);
    }
    assert.equal(await moisture(page), '14.0');
  });

  test('notes out of range and for unconfirmed constants are those of the service', async (t) => {
    const page = await open(t, '?grain=ear-corn&ta=1&ur=97');
    const answer = await api('grain=ear-corn&ta=1&ur=97');
    assert.deepEqual(await page.locator('#notes li').allTextContents(), answer.warnings.filter((w) => w.code !== 'nothing_to_compare').map((w) => w.message));
    for (const query of ['grain=ear-corn&ta=1&ur=97&lang=pt', 'grain=ear-corn&ta=20&taUnit=F&ur=97&lang=en', 'grain=in-shell-peanut&ta=-5&taUnit=F&ur=97&lang=pt']) {
      await visit(page, `?${query}`);
      assert.deepEqual(await page.locator('#notes li').allTextContents(), (await api(query)).warnings.filter((w) => w.code !== 'nothing_to_compare').map((w) => w.message), query);
    }
  });

  test('changing the unit keeps the temperature', async (t) => {
    const page = await open(t);
    await page.click('label[for="unit-f"]');
    assert.equal(await page.inputValue('#ta'), '77');
    assert.equal(await moisture(page), '14.0');
    await page.fill('#ta', '50');
    assert.equal(await moisture(page), String((await api('grain=corn&ta=50&taUnit=F&ur=70')).moisture));
    assert.equal(await page.textContent('#table tbody tr:first-child th'), '40');
    await page.click('label[for="unit-c"]');
    assert.equal(await page.inputValue('#ta'), '10');
  });

  test('every culture and every set shows the service\'s number', async (t) => {
    const page = await open(t, '?ta=18,3&ur=62.5');
    for (const grain of await page.locator('#grain option').evaluateAll((list) => list.map((o) => o.value))) {
      await page.selectOption('#grain', grain);
      await settled(page);
      const choice = await page.isVisible('#set');
      for (const set of await page.locator('#set option').evaluateAll((list) => list.map((o) => o.value))) {
        if (choice) await page.selectOption('#set', set);
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

describe('what the address asks for', () => {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    test(`a name that is taken as another says so ${how} JavaScript`, async (t) => {
      const page = await open(t, '?grain=arroz&ta=25&ur=70&lang=pt', { javaScriptEnabled });
      assert.equal(await page.inputValue('#grain'), 'long-grain-rice');
      assert.match(await page.textContent('#asked'), /^'arroz' foi entendido como: Arroz de grãos longos/);
      assert.equal(await moisture(page), '14,3');
    });

    test(`an unknown name shows no other grain's number ${how} JavaScript`, async (t) => {
      const page = await open(t, '?grain=quinoa&ta=25&ur=70', { javaScriptEnabled });
      assert.equal(await moisture(page), '–');
      assert.equal(await page.inputValue('#grain'), '');
      assert.match(await page.textContent('#asked'), /The grain 'quinoa' is not known/);
      assert.match(await page.textContent('#sentence'), /Choose a grain/);
      assert.equal(await page.isVisible('#table'), false);
      await page.selectOption('#grain', 'wheat');
      if (!javaScriptEnabled) await page.click('.go');
      assert.equal(await moisture(page), '14.7');
      assert.equal(await page.textContent('#asked'), '');
      assert.ok(await page.isVisible('#table'));
    });

    test(`an unknown set is not replaced without a word ${how} JavaScript`, async (t) => {
      const page = await open(t, '?grain=corn&ta=25&ur=70&set=xyz', { javaScriptEnabled });
      assert.match(await page.textContent('#asked'), /Corn has no set of constants 'xyz'; the default is used/);
      assert.equal(await moisture(page), '14.0');
    });
  }

  test('the spread is told, and drawn as a band around the isotherm', async (t) => {
    const page = await open(t, '?grain=corn&ta=10&moisture=15.5');
    assert.match(await page.textContent('#spread'), /^Expect 65\.5 to 74\.6\s%\. The cautious value is the highest: 74\.6\s%\.$/);
    assert.equal(await page.locator('#chart path.band').count(), 1);
    await visit(page, '?grain=ear-corn&ta=25&ur=70');
    assert.match(await page.textContent('#spread'), /no second trustworthy set of constants/);
    assert.equal(await page.locator('#chart path.band').count(), 0);
  });
});

describe('the verdict', () => {
  test('is the first thing of the result, follows the air and one\'s own grain, and is the service\'s', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=60', { viewport: { width: 360, height: 800 } });
    const verdict = () => page.getAttribute('#verdict', 'data-verdict');
    assert.equal(await verdict(), 'safe');
    assert.ok((await page.locator('#verdict').boundingBox()).y < (await page.locator('#value').boundingBox()).y);
    await page.fill('#ur', '90');
    await page.waitForSelector('#verdict[data-verdict="spoils"]');
    await page.click('#own-field summary');
    await page.fill('#own', '13');
    await page.fill('#ownTa', '15');
    await page.waitForSelector('#verdict .effect');
    const answer = await (await fetch(`${service.url}/api/verdict?grain=corn&ta=25&ur=90&moisture=13&grainTa=15`)).json();
    await page.waitForFunction((text) => document.querySelector('#verdict .effect').textContent === text, answer.air.sentence);
    assert.equal(await verdict(), answer.verdict);
    assert.match(page.url(), /own=13&ownTa=15/);
    await page.reload();
    assert.equal(await page.inputValue('#own'), '13');
    await page.fill('#ta', 'x');
    await page.waitForFunction(() => document.querySelector('#verdict').childElementCount === 0);
  });
});

describe('the verdict on a phone', () => {
  test('is in view without scrolling in every language, also with one\'s own grain, and one sees that its fields open', async (t) => {
    const page = await open(t, '', { viewport: { width: 360, height: 740 } });
    for (const lang of ['en', 'pt', 'es']) {
      for (const own of ['', '&own=15&ownTa=20']) {
        await visit(page, `?lang=${lang}&grain=corn&ta=22&ur=60${own}`);
        const box = await page.locator('#verdict .answer b').boundingBox();
        assert.ok(box.y + box.height < 740, `${lang}${own}: ${box.y + box.height} px`);
        assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('#own-field summary'), '::before').content), own ? '"−"' : '"+"');
      }
    }
  });
});

describe('the tasks people come with', () => {
  test('my wheat has 14 % at 18 °C: how dry must the air be?', async (t) => {
    const page = await open(t, '?grain=wheat');
    await page.fill('#ta', '18');
    await page.click('#find a[data-find="ur"]');
    await page.waitForFunction(() => document.querySelector('#ur').disabled);
    await settled(page);
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
    assert.equal(Object.keys(await shown()).length, 17);
    for (const [grain, text] of Object.entries(await shown())) assert.equal(text, `${(await api(`grain=${grain}&ta=25&ur=70`)).moisture.toFixed(1)} %`, grain);
    await page.click('#compare a[data-grain="soybean"]');
    assert.equal(await page.inputValue('#grain'), 'soybean');
    assert.equal(await moisture(page), '12.3');
    assert.equal(await page.getAttribute('#compare a[data-grain="soybean"]', 'aria-current'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.grain), 'soybean');
    assert.match(page.url(), /grain=soybean/);
    await page.fill('#ta', '-25');
    await settled(page);
    assert.equal((await shown())['ear-corn'], '–');
    assert.equal((await shown())['corn'], `${(await api('grain=corn&ta=-25&ur=70')).moisture.toFixed(1)} %`);
  });

  test('switching there and back keeps the numbers', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=70&lang=pt');
    await page.click('#find a[data-find="ur"]');
    await settled(page);
    assert.equal(await page.inputValue('#moisture'), '14,0');
    await page.click('#find a[data-find="moisture"]');
    await settled(page);
    assert.equal(await page.inputValue('#ur'), '70');
    await page.click('#find a[data-find="ur"]');
    await page.fill('#moisture', '13');
    const ur = await moisture(page);
    await page.click('#find a[data-find="moisture"]');
    await settled(page);
    assert.equal(await page.inputValue('#ur'), ur);
    assert.equal(await moisture(page), '13,0');
  });

  test('what is wrong with a moisture is said at its field', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&moisture=14');
    for (const [value, message] of [['', /Enter the moisture/], ['x', /such as 14\.5/], ['100', /above 0 and below 100/], ['99', /No humidity between/]]) {
      await page.fill('#moisture', value);
      await settled(page);
      assert.match(await page.textContent('#moisture-error'), message);
      assert.equal(await page.getAttribute('#moisture', 'aria-invalid'), 'true');
      assert.equal(await moisture(page), '–');
    }
    await page.click('#find a[data-find="moisture"]');
    await settled(page);
    assert.equal(await page.textContent('#moisture-error'), '');
    assert.equal(await moisture(page), '14.0');
  });

  test('dragging and steps move the moisture', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&moisture=14');
    await page.click('button[data-for="moisture"][data-step="0.5"]');
    assert.equal(await page.inputValue('#moisture'), '14.5');
    await page.focus('#moisture');
    await page.keyboard.press('Shift+ArrowDown');
    assert.equal(await page.inputValue('#moisture'), '12');
    // The answer to this step replaces the chart.
    const { ur } = await api('grain=corn&ta=25&moisture=12');
    await until(async () => Number(await moisture(page)) === ur);
    const box = await until(() => chartBox(page));
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
