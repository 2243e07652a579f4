// For the browser tests of the grain page: the real service, a real Chromium, and a watch on what must never happen.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { startService } from '../api/service.js';
import { DEADLINE_MS, launch } from './chromium.js';
import { until } from './label-fixture.js';

export let service;
export let browser;

before(async () => {
  service = await startService('hygro');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await service.stop();
});

// Opening a context and a page costs four times what loading the page does, and the grain page keeps nothing in the browser:
// a page that a test has done with serves the next one that asks for the same kind of context.
const idle = [];
const watches = new Map();

async function newPage(kind, options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(DEADLINE_MS);
  const page = await context.newPage();
  const watch = { kind, live: options.javaScriptEnabled !== false, base: '', problems: [], hosts: new Set() };
  page.on('pageerror', (error) => watch.problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && watch.problems.push(message.text()));
  page.on('request', (request) => watch.hosts.add(new URL(request.url()).origin));
  watches.set(page, watch);
  return page;
}

// The start page with this query, loaded afresh as in a new window; a size or theme that is named is set before it loads.
export async function visit(page, query, { viewport, colorScheme } = {}) {
  const { base, live } = watches.get(page);
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  await page.goto(base + query);
  // Drawn, if not shown: there is no chart to see while no grain is chosen.
  if (live) await page.waitForSelector('html.js #chart svg', { state: 'attached' });
}

// A page for this test. When the test is over, there must have been no errors on it and no requests to other hosts.
export async function open(t, query = '', { viewport = { width: 1200, height: 900 }, colorScheme = 'light', ...rest } = {}, base = `${service.url}/`) {
  const options = { locale: 'en-US', ...rest };
  const kind = JSON.stringify(options);
  const at = idle.findIndex((page) => watches.get(page).kind === kind);
  const page = at < 0 ? await newPage(kind, options) : idle.splice(at, 1)[0];
  const watch = watches.get(page);
  watch.base = base;
  t.after(() => {
    const { problems, hosts } = watch;
    watch.problems = [];
    watch.hosts = new Set();
    idle.push(page);
    assert.deepEqual(problems, []);
    assert.deepEqual([...hosts], [new URL(base).origin], 'requests to other hosts');
  });
  await page.mouse.move(0, 0);
  await page.emulateMedia({ media: 'screen' });
  await visit(page, query, { viewport, colorScheme });
  return page;
}

// When what the page shows is of what is in its fields.
export const settled = (page) => page.waitForSelector('main:not([data-waiting])', { state: 'attached' });
export const moisture = async (page) => {
  await settled(page);
  return page.textContent('#value');
};
export const api = async (query) => (await fetch(`${service.url}/api/calculate?${query}`)).json();
// Where the chart is. It is drawn anew where its room has changed: what was found may be gone in that moment.
export const chartBox = (page) => until('the chart has a place', () => page.locator('#chart svg').boundingBox());
