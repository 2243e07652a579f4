// The page of the virtual printers in Chromium.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startService } from '../api/service.js';
import { raw, startPrinters } from '../printer/printer.js';
import { violations } from './axe.js';
import { DEADLINE_MS, launch } from './chromium.js';
import { started } from './label-fixture.js';
import { smallTargets } from './touch.js';

const shots = process.env.PRINTER_SHOTS;
let p, browser;
before(async () => { [p, browser] = await Promise.all([startPrinters(['dock', 'gate']), launch()]); });
after(async () => { await browser?.close(); await p?.stop(); });

const LABEL = '^XA^FO40,40^A0N,60^FDShip to dock^FS^FO40,140^BY3^BCN,120^FDPKG-0042^FS^FO30,20^GB700,320,4^FS^XZ';

async function open(t, options = {}, ready = (page) => page.waitForFunction(() => document.getElementById('live').textContent === 'Live.'), url = p.url) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  t.after(async () => { assert.deepEqual(errors, []); await context.close(); });
  await page.goto(`${url}/printer`);
  await ready(page);
  return page;
}

describe('the page of the printers', () => {
  test('a label is there as soon as the service says so: the page waits for no timer', async (t) => {
    const page = await open(t);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000); // no timer ends from here on
    for (let i = 0; i < 3; i++) {
      await p.raw(LABEL.replace('0042', `CLOCK-${i}`));
      const { seq } = await p.next((await p.printer()).lastSeq - 1);
      await page.waitForSelector(`#labels li[data-seq="${seq}"]`, { timeout: DEADLINE_MS });
    }
  });

  for (const [name, options] of [['wide', { viewport: { width: 1280, height: 900 } }], ['phone', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }], ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }]]) {
    test(`nothing to mend for axe: ${name}`, async (t) => {
      await p.raw(`^XA^DFR:F.ZPL^FS^XZ${LABEL}`, { name: 'gate' });
      await p.raw('^XA^FDnever');
      await p.state({ paperOut: true }, 'gate');
      const page = await open(t, options);
      await page.waitForSelector('#labels li img');
      assert.deepEqual(await violations(page), []);
      if (options.hasTouch) {
        await page.click('summary >> nth=0');
        assert.deepEqual(await smallTargets(page), []);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      if (shots) await page.screenshot({ path: `${shots}/printer-${name}.png`, fullPage: true });
      await page.click('#labels button.open');
      await page.waitForSelector('dialog[open] img');
      assert.match(await page.textContent('#view-fields'), /PKG-0042/);
      assert.deepEqual(await violations(page), []);
      if (options.hasTouch) assert.deepEqual(await smallTargets(page), []);
      if (shots) await page.screenshot({ path: `${shots}/printer-${name}-label.png` });
      await page.keyboard.press('Escape');
      await p.state({ paperOut: false }, 'gate');
    });
  }

  test('faults by buttons, filter, hold, clear', async (t) => {
    const page = await open(t);
    await page.click('article[aria-label="Printer dock"] button:has-text("Paper out")');
    await page.waitForSelector('article[aria-label="Printer dock"][data-stopped]');
    assert.equal((await p.printer()).paperOut, true);
    await page.click('article[aria-label="Printer dock"] button:has-text("Paper out")');
    await page.waitForSelector('article[aria-label="Printer dock"]:not([data-stopped])');
    await p.raw('^XA^FO9,9^FDneedle^FS^XZ');
    await page.fill('#match', 'needle');
    await page.waitForFunction(() => document.querySelectorAll('#labels li').length === 1);
    await page.fill('#match', '');
    await page.click('#hold');
    const before = await page.locator('#labels li').count();
    await p.raw(LABEL);
    await page.waitForFunction(() => /paused/.test(document.getElementById('live').textContent));
    assert.ok(await page.locator('#labels li').count() >= before - 1);
    await page.click('#hold');
    await page.waitForFunction((least) => document.querySelectorAll('#labels li').length > least, before - 1);
  });

  test('Clear asks first, and an empty list does not say that nothing was printed', async (t) => {
    const page = await open(t);
    await p.raw(LABEL);
    await page.waitForSelector('#labels li');
    await page.click('#clear');
    await page.waitForSelector('#ask[open]');
    assert.match(await page.textContent('#ask-title'), /all labels of all printers/);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 320, height: 640 });
    assert.deepEqual(await smallTargets(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.click('#ask-no');
    await page.waitForSelector('#ask[open]', { state: 'hidden' });
    assert.ok((await p.labels()).labels.length > 0);
    await page.click('#clear');
    await page.click('#ask-yes');
    await page.waitForFunction(() => document.querySelectorAll('#labels li').length === 0);
    await page.waitForFunction(() => /were cleared/.test(document.getElementById('none').textContent));
    assert.deepEqual((await p.labels()).labels, []);
  });

  test('a thumbnail has an edge, and it is that of the paper', async (t) => {
    await p.raw(LABEL);
    const page = await open(t);
    const image = page.locator('#labels img').first();
    await image.evaluate((img) => img.decode());
    const { edge, shown, paper } = await image.evaluate((img) => ({ edge: getComputedStyle(img).borderTopStyle, shown: img.clientWidth / img.clientHeight, paper: img.naturalWidth / img.naturalHeight }));
    assert.equal(edge, 'solid');
    assert.ok(Math.abs(shown - paper) < 0.02, `${shown} of ${paper}`);
  });

  test('Reset asks first, and tells of no label that is gone', async (t) => {
    const page = await open(t);
    await p.raw(LABEL);
    await page.waitForFunction(() => /printed on dock/.test(document.getElementById('live').textContent));
    const reset = page.locator('article[aria-label="Printer dock"] button', { hasText: 'Reset' });
    await reset.click();
    await page.waitForSelector('#ask[open]');
    assert.match(await page.textContent('#ask-title'), /Reset dock/);
    assert.deepEqual(await violations(page), []);
    await page.click('#ask-no');
    await page.waitForSelector('#ask[open]', { state: 'hidden' });
    assert.ok((await p.labels()).labels.length > 0);
    await page.selectOption('#which', 'dock');
    await page.waitForSelector('#labels li');
    await reset.click();
    await page.click('#ask-yes');
    await page.waitForFunction(() => document.querySelectorAll('#labels li').length === 0);
    await page.waitForFunction(() => document.getElementById('live').textContent === 'Live.');
    assert.deepEqual((await p.labels()).labels, []);
  });

  test('without a printer the page says what one is and how to start it', async (t) => {
    const none = await startService('platen', ['--log', 'off']);
    t.after(() => none.stop());
    for (const options of [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }]) {
      const page = await open(t, options, (shown) => shown.waitForSelector('#start:not([hidden])'), none.url);
      assert.match(await page.textContent('#start'), /platen printer/);
      assert.ok(await page.locator('#list').isHidden());
      assert.deepEqual(await violations(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      assert.equal((await fetch(new URL(await page.getAttribute('#start a', 'href'), none.url + '/'))).status, 200);
    }
  });

  for (const [name, options] of [['wide', { viewport: { width: 1280, height: 800 } }], ['phone, touched', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }]]) {
    test(`a spare printer is made on the page, and prints: ${name}`, async (t) => {
      const spare = await startService('platen', ['--log', 'off', '--printer', 'listen=127.0.0.1:0,spare=on;listen=127.0.0.1:0,spare=on']);
      t.after(() => spare.stop());
      const page = await open(t, options, (shown) => shown.waitForSelector('#make[open]'), spare.url);
      assert.ok(await page.locator('#start').isVisible());
      assert.deepEqual(await violations(page), []);
      if (options.hasTouch) assert.deepEqual(await smallTargets(page), []);
      if (shots) await page.screenshot({ path: `${shots}/printer-make-${name.slice(0, 4)}.png`, fullPage: true });
      await page.fill('#make-name', 'a b');
      await page.click('#make-form button');
      assert.equal((await (await fetch(`${spare.url}/api/printers`)).json()).spares, 2, 'the browser refuses the name');
      await page.fill('#make-name', 'dock');
      await page.selectOption('#make-size', '100x50mm');
      await page.selectOption('#make-dpmm', '12');
      await page.click('#make-form button');
      await page.locator('[data-printer=dock]', { hasText: /100 × 50 mm, 12/ }).waitFor();
      assert.ok(await page.locator('#start').isHidden());
      const { printers: [{ port }], spares } = await (await fetch(`${spare.url}/api/printers`)).json();
      assert.equal(spares, 1);
      await page.locator('#none', { hasText: `Send label code to 127.0.0.1:${port}` }).waitFor();
      assert.deepEqual(await violations(page), []);
      await raw(port, LABEL);
      await page.waitForSelector('#labels li img');
      await page.click('#make summary');
      await page.fill('#make-name', 'dock');
      await page.click('#make-form button');
      await page.locator('#make-problem', { hasText: "There is a printer 'dock'." }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.fill('#make-name', 'gate');
      await page.click('#make-form button');
      await page.waitForSelector('[data-printer=gate]');
      await page.waitForSelector('#make', { state: 'hidden' });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });
  }

  test('Send in the editor says that the paper is out, and where to look', async (t) => {
    await p.state({ paperOut: true }, 'gate');
    t.after(() => p.state({ paperOut: false }, 'gate'));
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    await page.goto(p.url);
    await started(page);
    await page.click('#export');
    await page.click('#send-to-printer');
    await page.locator('#printer-list li', { hasText: 'gate' }).filter({ hasText: 'paper out' }).waitFor();
    await page.click('[aria-label="Send to gate"]');
    await page.locator('#printer-status', { hasText: 'gate has the label, but does not print: paper out.' }).waitFor();
    assert.equal(await page.locator('#printer-status a').getAttribute('href'), 'printer?name=gate');
    assert.deepEqual(await violations(page), []);
    await p.state({ paperOut: false }, 'gate');
    await page.locator('#printer-status', { hasText: 'Sent to gate.' }).waitFor(); // without a second press
  });

  test('fifty rows of a table are filled in and printed, and the printer is followed until they are', async (t) => {
    const { printed } = await p.printer('gate');
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    await page.addInitScript(() => localStorage.setItem('platen.label.work', JSON.stringify({ zpl: '^XA^FO40,40^A0N,60^FD{{name}}^FS^XZ', name: '', settings: {} })));
    await page.goto(p.url);
    await started(page);
    await page.click('#code-menu');
    await page.click('#fill');
    await page.fill('#fill-csv', `name\n${Array.from({ length: 50 }, (_, i) => `Row ${i + 1}`).join('\n')}`);
    await page.click('#fill-send');
    await page.click('[aria-label="Send to gate"]');
    await page.locator('[data-printer=gate]', { hasText: `${printed + 50} printed` }).waitFor();
  });

  test('in the language of the browser, or the one that was chosen in the editor', async (t) => {
    const page = await open(t, { locale: 'de-DE', viewport: { width: 360, height: 780 } }, (shown) => shown.waitForSelector('.printer'));
    await page.locator('.panel', { hasText: 'bereit' }).first().waitFor();
    // Names, addresses and data are what they are; no sentence of the page is left in English.
    const english = await page.evaluate(() => [...document.querySelectorAll('h1, h2, h3, button, label > span, .live, a')].map((element) => element.textContent.trim()).filter((text) => /\b(the|label|printer|list|open|close|connections|out)\b/i.test(text)));
    assert.deepEqual(english, []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.evaluate(() => localStorage.setItem('platen.label.language', 'fr'));
    await page.reload();
    await page.locator('h1', { hasText: 'Imprimante virtuelle' }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test('an answer that is late does not take the place of a newer one', async (t) => {
    const page = await open(t);
    await p.raw('^XA^FO9,9^FDapple^FS^XZ^XA^FO9,9^FDpear^FS^XZ');
    await page.waitForFunction(() => document.querySelectorAll('#labels li').length >= 2);
    let release;
    const late = new Promise((resolve) => { release = resolve; });
    await page.route(/match=apple/, async (route) => {
      await late;
      await route.continue();
    });
    const shown = () => page.evaluate(() => [...document.querySelectorAll('#labels li')].length);
    const asked = page.waitForRequest(/match=apple/);
    await page.fill('#match', 'apple');
    await asked;
    await page.fill('#match', 'pear');
    await page.waitForFunction(() => document.querySelectorAll('#labels li').length === 1);
    const answered = page.waitForResponse(/match=apple/);
    release();
    await answered;
    const label = await p.next((await p.printer()).lastSeq - 1);
    assert.match(label.zpl, /pear/);
    for (let i = 0; i < 10; i++) {
      assert.deepEqual([await shown(), await page.getAttribute('#labels li', 'data-seq')], [1, String(label.seq)]);
      await page.waitForTimeout(30);
    }
  });
});

describe('a service that wants a key', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-keys-'));
  fs.writeFileSync(path.join(folder, 'keys'), 'secret-key\n');
  let guarded;
  before(async () => { guarded = await startPrinters(['dock'], ['--api-key-file', path.join(folder, 'keys')]); });
  after(async () => { await guarded?.stop(); fs.rmSync(folder, { recursive: true }); });

  test('the page asks for it, keeps it for the editor too, and then shows, downloads and changes', async (t) => {
    const page = await open(t, { acceptDownloads: true }, (shown) => shown.waitForSelector('#access:not([hidden])'), guarded.url);
    assert.match(await page.textContent('#live'), /wants an API key/);
    assert.deepEqual(await violations(page), []);
    await page.fill('#api-key', 'wrong');
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.click('#access button');
    await refused;
    await page.waitForFunction(() => /wants an API key/.test(document.getElementById('live').textContent));
    await page.waitForSelector('#access:not([hidden])');
    await page.fill('#api-key', 'secret-key');
    await page.click('#access button');
    await page.waitForFunction(() => document.getElementById('live').textContent === 'Live.');
    assert.equal(await page.evaluate(() => localStorage.getItem('platen.label.apiKey')), 'secret-key');
    await guarded.raw(LABEL);
    await page.waitForFunction(() => document.querySelector('#labels li img')?.naturalWidth > 0);
    await page.click('article[aria-label="Printer dock"] button:has-text("Paper out")');
    await page.waitForSelector('article[aria-label="Printer dock"][data-stopped]');
    await page.click('#labels button.open');
    await page.waitForFunction(() => document.querySelector('dialog[open] img')?.naturalWidth > 0);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#view-actions a:has-text("PDF")')]);
    assert.equal(fs.readFileSync(await download.path()).subarray(0, 5).toString(), '%PDF-');
    await page.reload(); // it is remembered
    await page.waitForFunction(() => document.querySelector('#labels li img')?.naturalWidth > 0);
  });
});
