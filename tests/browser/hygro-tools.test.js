// The folded tools of the grain page: with and without JavaScript, in three languages, for everyone.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { violations } from './axe.js';
import { open, service, visit } from './hygro-fixture.js';

let folder;
let file;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'hygro-tools-'));
  file = join(folder, 'season.csv');
  const rows = Array.from({ length: 24 * 40 }, (_, i) => `2026-01-${i};${15 + (i % 24) / 2};${60 + (i % 35)}`);
  writeFileSync(file, `data;temperatura;umidade relativa\r\n${rows.join('\r\n')}\r\nx;y;z\r\n`);
});
after(() => rmSync(folder, { recursive: true }));

const answer = async (path) => (await fetch(service.url + path)).json();
const value = (page, tool, row) => page.locator(`#${tool}-result dd`).nth(row).textContent();
const ask = async (page, tool) => {
  await page.click(`#tool-${tool} button[type="submit"]:not([data-download])`);
  await page.waitForSelector(`#${tool}-result dl`);
};

for (const javaScriptEnabled of [true, false]) {
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('tools are folded until wanted, and each answers as the service does', async (t) => {
      const page = await open(t, '?grain=corn&ta=20&ur=85&lang=en', { javaScriptEnabled });
      assert.equal(await page.locator('details[data-tool][open]').count(), 0);
      await page.click('#tool-air summary');
      await page.fill('#air-fanHeat', '3');
      await ask(page, 'air');
      const air = await answer('/api/air?ta=20&ur=85&fanHeat=3&grain=corn');
      assert.equal(await value(page, 'air', 1), `${air.dewPoint.toFixed(1)} °C`);
      assert.equal(await value(page, 'air', 6), `${air.afterFan.ur.toFixed(1)} %`);
      assert.equal(await page.inputValue('#ur'), '85');
      if (!(await page.locator('#tool-keeping').getAttribute('open'))) await page.click('#tool-keeping summary');
      await page.fill('#keeping-moisture', '18');
      await page.fill('#keeping-grainTa', '15');
      await ask(page, 'keeping');
      const keeping = await answer('/api/keeping?grain=corn&ta=15&moisture=18');
      assert.match(await value(page, 'keeping', 0), new RegExp(`^${keeping.ur.toFixed(1)} %`));
      assert.match(await page.textContent('#keeping-result'), new RegExp(`about ${keeping.storage[0].days} days.*about ${keeping.storage[1].days} days`));
      await page.click('#tool-shrink summary');
      await page.fill('#shrink-from', '20');
      await page.fill('#shrink-to', '15');
      await ask(page, 'shrink');
      assert.equal(await value(page, 'shrink', 0), '5.88 %');
      assert.equal(await page.inputValue('#grain'), 'corn');
    });

    test('a file of hours gives counts, a chart and the rows that are bad', async (t) => {
      const page = await open(t, '?grain=milho&lang=pt', { javaScriptEnabled });
      await page.click('#tool-hours summary');
      await page.setInputFiles('#hours-file', file);
      await page.fill('#hours-grainTa', '12');
      await ask(page, 'hours');
      const service960 = await (await fetch(`${service.url}/api/hours?grain=corn&moisture=14&grainTa=12&detail=none`, { method: 'POST', body: readFileSync(file) })).json();
      assert.match(await value(page, 'hours', 0), new RegExp(`^${service960.summary.mean.toFixed(1).replace('.', ',')} % b\\.u\\.`));
      assert.match(await value(page, 'hours', 2), /^960 /);
      assert.match(await value(page, 'hours', 3), new RegExp(`^${service960.summary.dries} \\(`));
      assert.equal(await page.locator('#hours-result svg polyline').count(), 1);
      assert.match(await page.textContent('#hours-result .notes'), /Linha 962: a temperatura não é um número/);
    });

    test('every label of the season chart can be read on a phone: they were 8 pixels high', async (t) => {
      const page = await open(t, '?grain=corn&lang=en', { javaScriptEnabled, viewport: { width: 360, height: 800 } });
      await page.click('#tool-hours summary');
      await page.setInputFiles('#hours-file', file);
      await ask(page, 'hours');
      const heights = await page.locator('#hours-result svg text').evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
      assert.ok(heights.length >= 4, `${heights.length} labels`);
      assert.ok(Math.min(...heights) >= 11, heights.join());
    });

    test('what is wrong with a field of a tool is said there', async (t) => {
      const page = await open(t, '?lang=es', { javaScriptEnabled });
      await page.click('#tool-shrink summary');
      await page.fill('#shrink-from', 'mucho');
      await page.click('#tool-shrink button[type="submit"]');
      await page.waitForSelector('#shrink-result .error');
      assert.match(await page.textContent('#shrink-result'), /El valor de “humedad inicial, en porcentaje” debe ser un número/);
      assert.equal(await page.inputValue('#shrink-from'), 'mucho');
    });
  });
}

describe('the tools beside the rest of the page', () => {
  test('a result follows the grain, the set and its own fields', async (t) => {
    const page = await open(t, '?grain=corn&ta=15&ur=70&lang=en');
    await page.click('#tool-keeping summary');
    await ask(page, 'keeping');
    const corn = await value(page, 'keeping', 0);
    await page.selectOption('#grain', 'soybean');
    await page.waitForFunction((before) => document.querySelector('#keeping-result dd').textContent !== before, corn);
    assert.match(await value(page, 'keeping', 0), new RegExp(`^${(await answer('/api/keeping?grain=soybean&ta=15&moisture=14')).ur.toFixed(1)} %`));
    await page.fill('#keeping-moisture', '11');
    await page.waitForFunction(() => /65 %: mould hardly grows/.test(document.querySelector('#keeping-result dd').textContent));
  });

  test('changing the unit converts the fields of the tools, and says the unit behind them', async (t) => {
    const page = await open(t, '?grain=corn&ta=15&ur=70&lang=en');
    for (const tool of ['keeping', 'air']) await page.click(`#tool-${tool} summary`);
    await page.fill('#keeping-moisture', '18');
    await ask(page, 'keeping');
    const before = await value(page, 'keeping', 0);
    await page.click('label[for="unit-f"]');
    assert.equal(await page.inputValue('#keeping-grainTa'), '59');
    assert.equal(await page.inputValue('#air-ta'), '59');
    assert.equal(await page.inputValue('#air-fanHeat'), '3.6');
    assert.equal(await page.locator('#keeping-grainTa + .suffix').textContent(), '°F');
    assert.equal(await page.locator('#keeping-moisture + .suffix').textContent(), '%');
    await ask(page, 'air');
    assert.match(await value(page, 'air', 5), /^62\.6 °F$/);
    await page.click('#tool-keeping button[type="submit"]');
    await page.waitForLoadState('networkidle');
    assert.equal(await value(page, 'keeping', 0), before);
    await page.click('label[for="unit-c"]');
    assert.equal(await page.inputValue('#keeping-grainTa'), '15');
    assert.equal(await page.inputValue('#air-fanHeat'), '2');
    assert.equal(await page.locator('#air-ta + .suffix').textContent(), '°C');
  });

  test('a folded tool shows no result of the grain before, and a result names its grain', async (t) => {
    const page = await open(t, '?grain=corn&ta=15&ur=70&lang=en');
    await page.click('#tool-keeping summary');
    await ask(page, 'keeping');
    assert.equal(await page.textContent('#keeping-result p.units'), 'Corn');
    await page.click('#tool-keeping summary');
    await page.selectOption('#grain', 'soybean');
    await page.click('#tool-keeping summary');
    await page.waitForFunction(() => document.querySelector('#keeping-result p.units')?.textContent === 'Soybean');
    assert.match(await value(page, 'keeping', 0), new RegExp(`^${(await answer('/api/keeping?grain=soybean&ta=15&moisture=14')).ur.toFixed(1)} %`));
  });

  test('on a phone the chart of a season comes before the days of its plan, and a day takes one line', async (t) => {
    const page = await open(t, '?grain=corn&lang=en', { viewport: { width: 360, height: 740 } });
    const days = join(folder, 'days.csv');
    writeFileSync(days, `time,temp (C),rh\n${Array.from({ length: 24 * 31 }, (_, i) => `2026-05-${String(1 + Math.floor(i / 24)).padStart(2, '0')} ${String(i % 24).padStart(2, '0')}:00,20,${i % 24 < 12 ? 40 : 95}`).join('\n')}\n`);
    await page.click('#tool-hours summary');
    await page.setInputFiles('#hours-file', days);
    await page.selectOption('#hours-goal', 'dry');
    await page.fill('#hours-moisture', '17');
    await page.fill('#hours-grainTa', '20');
    await ask(page, 'hours');
    const rows = page.locator('#hours-result .plan > div');
    assert.equal(await rows.count(), 31);
    const chart = await page.locator('#hours-result svg').boundingBox(), first = await rows.first().boundingBox();
    assert.ok(chart.y + chart.height <= first.y, `the chart ends at ${chart.y + chart.height}, the first day is at ${first.y}`);
    const heights = await rows.evaluateAll((list) => list.map((row) => row.clientHeight));
    assert.ok(Math.max(...heights) < 50, heights.join());
  });

  test('a season with a goal says first how long to run the fan, and shows the layers of the bin', async (t) => {
    const page = await open(t, '?grain=corn&lang=en');
    for (const width of [360, 1280]) {
      await visit(page, '?grain=corn&lang=en', { viewport: { width, height: 800 } });
      await page.click('#tool-hours summary');
      await page.setInputFiles('#hours-file', file);
      await page.selectOption('#hours-goal', 'dry');
      for (const [name, text] of [['moisture', '18'], ['grainTa', '15'], ['airflow', '1.1'], ['target', '15']]) await page.fill(`#hours-${name}`, text);
      await ask(page, 'hours');
      assert.equal(await page.locator('#hours-result dt').first().textContent(), 'Hours to run the fan');
      const { bin } = await (await fetch(`${service.url}/api/hours?grain=corn&moisture=18&grainTa=15&goal=dry&airflow=1.1&target=15&detail=none`, { method: 'POST', body: readFileSync(file) })).json();
      const widths = await page.locator('#hours-result .layers .layer').evaluateAll((bars) => bars.map((bar) => bar.width.baseVal.value));
      assert.equal(widths.length, bin.layers.length);
      // The top layer is above, and a moister layer has the longer bar.
      [...bin.layers].reverse().forEach(({ moisture }, i, layers) => i > 0 && assert.ok((widths[i] - widths[i - 1]) * (moisture - layers[i - 1].moisture) >= 0, `layer ${i}`));
      const done = await page.locator('#hours-result .layers .done').count();
      assert.ok(done >= bin.layers.filter(({ moisture }) => moisture < 15).length && done <= bin.layers.filter(({ moisture }) => moisture <= 15).length, `${done} layers`);
      const heights = await page.locator('#hours-result .layers text').evaluateAll((texts) => texts.map((each) => each.getBoundingClientRect().height));
      assert.ok(heights.length >= 4 && Math.min(...heights) >= 11, heights.join());
    }
  });

  test('every hour as CSV is a download', async (t) => {
    const page = await open(t, '?grain=wheat&lang=pt');
    await page.click('#tool-hours summary');
    await page.setInputFiles('#hours-file', file);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#tool-hours button[data-download]')]);
    assert.equal(download.suggestedFilename(), 'hours.csv');
    assert.match(readFileSync(await download.path(), 'utf8'), /^row;time;hour;ta_C;ur_%;moisture_%;effect;condensation;error\r\n2;"2026-01-0";"";15,0;60,0;/);
  });

  for (const [name, viewport] of [['wide', { width: 1280, height: 900 }], ['narrow', { width: 360, height: 740 }]]) {
    test(`axe finds nothing in the open tools, and they fit: ${name}`, async (t) => {
      const page = await open(t, '', { viewport });
      for (const lang of ['en', 'pt', 'es']) {
        await visit(page, `?lang=${lang}&tool=air&air-ta=20&air-ur=85&air-fanHeat=3`);
        for (const tool of ['keeping', 'hours', 'shrink']) await page.click(`#tool-${tool} summary`);
        await page.setInputFiles('#hours-file', file);
        for (const tool of ['keeping', 'hours', 'shrink']) await ask(page, tool);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), lang);
        for (const colorScheme of lang === 'en' ? ['light', 'dark'] : ['dark']) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(page), [], `${lang} ${colorScheme}`);
        }
      }
    });
  }
});
