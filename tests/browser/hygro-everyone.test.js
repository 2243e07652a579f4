// The grain page for everyone: axe in both themes, narrow and wide, keyboard, without JavaScript, under a sub-path.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { describe, test } from 'node:test';
import { violations } from './axe.js';
import { api, browser, chartBox, moisture, open, service, visit } from './hygro-fixture.js';

describe('for everyone', () => {
  // Every rule on every page in every size and theme: what axe takes longest for, contrast and the sizes of targets, is just what
  // differs between them, and leaving the other rules out in some would save a tenth.
  for (const [name, viewport] of [['wide', { width: 1280, height: 900 }], ['narrow', { width: 360, height: 740 }]]) {
    test(`axe finds nothing in light and dark: ${name}`, async (t) => {
      const page = await open(t, '', { viewport });
      for (const query of ['?lang=en', '?lang=pt&grain=ear-corn&ta=1&ur=97', '?lang=en&ta=x&ur=200', '?lang=pt&grain=wheat&ta=18&moisture=14', '?lang=es&grain=arroz&ta=77&taUnit=F&ur=0,7&set=x', '?lang=es&grain=quinoa']) {
        await visit(page, query);
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(page), [], `${query} ${colorScheme}`);
        }
      }
    });
  }

  test('fits from 320 px without scrolling sideways', async (t) => {
    const page = await open(t);
    for (const width of [320, 360, 480, 768, 900, 1024, 1600]) {
      await visit(page, '?lang=pt&grain=long-grain-rice&ta=18&moisture=14&set=chung-pfost-d245.4', { viewport: { width, height: 740 } });
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
    const page = await open(t);
    for (const colorScheme of ['light', 'dark']) {
      await visit(page, '', { colorScheme });
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
    await page.waitForFunction(() => /60\s% humidity settles at 12\.4\s% moisture/.test(document.querySelector('#live').textContent));
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

  test('when the script does not come, the form still works', async () => {
    // A context of its own: the file must not come from the cache, and the browser reports the lost one as an error.
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    await page.route('**/main.js', (route) => route.abort());
    await page.goto(`${service.url}/`);
    assert.equal(await moisture(page), '14.0');
    await page.fill('#ur', '60');
    await page.waitForFunction(() => getComputedStyle(document.querySelector('.go')).opacity === '1');
    await page.click('.go');
    await page.waitForURL(/ur=60/);
    assert.equal(await moisture(page), '12.4');
    await context.close();
  });

  test('when the service does not answer, no number of other values stays, and one can ask again', async () => {
    const context = await browser.newContext({ locale: 'pt-BR' });
    const page = await context.newPage();
    await page.goto(`${service.url}/`);
    for (const lost of [(route) => route.abort(), (route) => route.fulfill({ status: 503, body: 'busy' })]) {
      await page.route('**/?*', lost);
      await page.fill('#ur', '55');
      assert.equal(await moisture(page), '–');
      assert.equal(await page.locator('#verdict > *').count(), 0);
      assert.match(await page.textContent('#sentence'), /O serviço não respondeu\. O botão Calcular pergunta de novo\./);
      assert.ok(await page.isVisible('.go'));
      await page.unroute('**/?*');
      await page.click('.go');
      assert.equal(await moisture(page), '11,7');
      assert.equal(await page.getAttribute('#verdict', 'data-verdict'), 'safe');
      assert.ok(await page.isHidden('.go'));
      await page.fill('#ur', '70');
      assert.equal(await moisture(page), '14,0');
    }
    await context.close();
  });

  test('on a slow line the point follows the pointer at once, and what comes late does not move it back', async (t) => {
    const page = await open(t, '?grain=corn&ta=25&ur=70');
    let free;
    const held = new Promise((resolve) => { free = resolve; });
    await page.route('**/?*', async (route) => { await held; await route.continue(); });
    const box = await chartBox(page);
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
    const place = () => page.locator('#chart .dot').evaluate((dot) => dot.cx.baseVal.value);
    const ur = await page.inputValue('#ur');
    const followed = await place();
    assert.ok(Math.abs(followed - box.width * 0.5) < 6, `${followed} of ${box.width}`);
    assert.equal(await page.textContent('#value'), '14.0', 'no answer has come yet');
    await page.evaluate(() => {
      window.places = [];
      new MutationObserver(() => window.places.push(document.querySelector('#chart .dot').cx.baseVal.value)).observe(document.querySelector('#chart'), { childList: true });
    });
    free();
    assert.equal(Number(await moisture(page)), (await api(`grain=corn&ta=25&ur=${ur}`)).moisture);
    await page.mouse.up();
    assert.deepEqual([...new Set(await page.evaluate(() => window.places.map(Math.round)))], [Math.round(followed)]);
    await page.unroute('**/?*');
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
    assert.equal(await moisture(page), '12.4');
    assert.ok(page.url().includes(`${prefix}/?grain=corn`));
    await page.click('nav.lang a[data-lang="pt"]');
    await page.waitForSelector('html.js[lang="pt"]');
    assert.equal(await moisture(page), '12,4');
  });
});
