// Words that a newcomer has to read twice, and what to write instead. README and docs/ are free of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page, userPages } from './pages.mjs';

const INSTEAD = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\b(is|are|be) told\b/i, 'report, return, notify'],
  [/\bgo(es)? on\b/i, 'continue'],
  [/\bstands?\b/i, 'is at, is in, means, represents'],
  [/\b(turned|turns) (by|clockwise)\b/i, 'rotate'],
  [/\bparted by\b/i, 'separated by'],
  [/\b(written|made|drawn|read) anew\b/i, 'again, rewrite'],
];

for (const file of userPages) {
  test(`plain words in ${file}`, () => {
    const found = page(file).text.split('\n').flatMap((line, i) => INSTEAD.filter(([word]) => word.test(line)).map(([word, better]) => `${file}:${i + 1}: ${word.exec(line)[0]} (better: ${better})`));
    assert.deepEqual(found, []);
  });
}

for (const stack of ['python', 'javascript', 'go', 'java', 'library']) {
  test(`docs/${stack}.md begins with a first call`, () => {
    const [first] = page(`docs/${stack}.md`).blocks;
    assert.ok(first.line <= 4 && /render/i.test(first.code), `its first code is in line ${first.line}`);
  });
}
