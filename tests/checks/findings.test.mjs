// docs/findings.md has a section for every code, and its examples give the finding, or do not.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
const sections = new Map(readFileSync('docs/findings.md', 'utf8').split(/^## /m).slice(1).map((part) => [part.slice(0, part.indexOf('\n')), part]));

test('every code has a section', () => {
    const table = execFileSync(platen, ['commands', '--diagnostics'], { encoding: 'utf8' }), codes = [...table.matchAll(/^\| `(\w+)` \|/gm)].map((m) => m[1]);
    const ci = [...readFileSync('docs/ci.md', 'utf8').matchAll(/^\| `(file_unreadable|not_checked|ignore_invalid|rule_broken)` \|/gm)].map((m) => m[1]);
    assert.deepEqual([...sections.keys()].sort(), [...codes, ...ci].sort());
});

test('of the two examples of a section the first gives the finding, the second does not', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    let examples = 0;
    for (const [code, text] of sections) {
        const labels = [...text.matchAll(/^```zpl\n([^]*?)\n```$/gm)].map((m) => m[1]), options = /^With `([^`]+)`:$/m.exec(text)?.[1].split(' ') ?? [];
        const found = labels.map((zpl) => JSON.parse(spawnSync(platen, ['check', '-', '--config-file', '/dev/null', '--format', 'json', ...options], { input: zpl, encoding: 'utf8' }).stdout).files[0].warnings.some((w) => w.code === code));
        assert.deepEqual(found, labels.length ? [true, false] : [], code);
        examples += labels.length;
    }
    assert(examples > 50);
});
