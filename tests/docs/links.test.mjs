// Every relative link of README, docs and the packages leads to a file, and its anchor to a heading of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { allPages, page } from './pages.mjs';

const anchors = (file) => page(file).headings.map((heading) => heading.anchor);

/** What is wrong with a link, or nothing. */
function problem(file, href) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return /^(https?|mailto):/.test(href) ? '' : 'a kind of address that readers cannot follow';
  const [target, anchor] = decodeURI(href).split('#');
  const to = target ? path.join(path.dirname(file), target) : file;
  if (path.isAbsolute(target) || to.startsWith('..')) return 'it leaves the repository';
  if (!fs.existsSync(to)) return `${to} does not exist`;
  if (anchor && to.endsWith('.md') && !anchors(to).includes(anchor)) return `${to} has no heading with this anchor`;
  return '';
}

for (const file of allPages) {
  test(`links of ${file}`, () => {
    const bad = page(file).links.map(({ href, line }) => [`${file}:${line}: ${href}`, problem(file, href)]).filter(([, what]) => what);
    assert.deepEqual(bad, []);
  });
}

test('every page of docs/ is linked from the index', () => {
  const linked = page('docs/README.md').links.map(({ href }) => href.split('#')[0]);
  const missing = fs.readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md' && !linked.includes(name));
  assert.deepEqual(missing, []);
});

test('the checker finds what is wrong', () => {
  assert.match(problem('README.md', 'docs/nowhere.md'), /does not exist/);
  assert.match(problem('README.md', 'docs/limits.md#nowhere'), /no heading/);
  assert.match(problem('README.md', '#nowhere'), /no heading/);
  assert.match(problem('README.md', '../outside.md'), /leaves/);
  assert.match(problem('README.md', 'file:///etc/passwd'), /kind of address/);
  assert.equal(problem('README.md', 'docs/limits.md#memory-in-practice'), '');
});
