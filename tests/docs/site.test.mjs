// The documentation site: every address leads to a file of it, nothing needs a looser policy, every page is in the menu and in the search.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { buildSite } from '../../web/docs/site.mjs';

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
let pages;
before(() => {
  buildSite({ root: '.', out, template: fs.readFileSync('web/docs/page.html', 'utf8') });
  pages = new Map(fs.readdirSync(out).filter((name) => name.endsWith('.html')).map((name) => [name, fs.readFileSync(path.join(out, name), 'utf8')]));
});
after(() => fs.rmSync(out, { recursive: true }));

const BUNDLED = ['style.css', 'search.js']; // by esbuild, in web/build.mjs

test('every page of docs/ is there, and README', () => {
  for (const name of fs.readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'README.md')) assert.ok(pages.has(name.replace('.md', '.html')), name);
  assert.ok(pages.has('index.html') && pages.has('start.html'));
});

test('every address and anchor exists', () => {
  const bad = [];
  for (const [name, html] of pages) {
    for (const [, address] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?:|data:|mailto:)/.test(address) || BUNDLED.includes(address) || address === '../') continue;
      const [file, anchor] = address.replaceAll('&amp;', '&').split('#');
      const to = file === '' ? name : file === './' ? 'index.html' : file;
      if (!fs.existsSync(path.join(out, to)) || (anchor && !pages.get(to).includes(`id="${decodeURI(anchor)}"`))) bad.push(`${name}: ${address}`);
    }
  }
  assert.deepEqual(bad, []);
});

test('nothing that the policy refuses, and no comment of the example runner', () => {
  for (const [name, html] of pages) assert.doesNotMatch(html, /\sstyle=|<style|<script(?! type="module" src=)|\son[a-z]+=|<!-- (not run|output|exit|proof)/, name);
});

test('no table has an empty header', () => {
  for (const [name, html] of pages) assert.doesNotMatch(html, /<th[^>]*><\/th>/, name);
  assert.match(pages.get('start.html'), /<table>\s*<tbody>/);
});

test('every page is in the menu, and marked in its own', () => {
  const menu = pages.get('start.html').split('<nav')[1].split('</nav>')[0];
  for (const [name, html] of pages) {
    if (name === 'index.html') continue;
    assert.ok(menu.includes(`href="${name}"`), `${name} is not in the menu`);
    assert.ok(html.includes(`<a href="${name}" aria-current="page">`), name);
  }
});

test('every page is in the search', () => {
  const sections = JSON.parse(fs.readFileSync(path.join(out, 'search.json'), 'utf8'));
  const found = new Set(sections.map(({ address }) => address.split('#')[0]));
  for (const name of pages.keys()) assert.ok(found.has(name === 'index.html' ? './' : name), name);
  assert.ok(!sections.some(({ body }) => body.includes('<!--')), 'comments are no words');
  assert.ok(sections.some(({ heading, body }) => heading === 'Controls' && body.includes('minModuleMm')));
});

test('a link to a file that is only in the repository is text', () => {
  assert.match(pages.get('library.html'), /<span title="in the repository">examples\/render\.c<\/span>/);
});
