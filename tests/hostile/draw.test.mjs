// Every hostile label is drawn under a deadline of a second and a memory limit: both are kept by libplaten alone, without the
// processes of the service around it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { hostileLabels } from './labels.mjs';

const program = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../build/tests/hostile/draw');
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
after(() => rmSync(folder, { recursive: true }));

const DEADLINE_MS = 1000;
// What the service grants beyond the deadline before it ends a renderer. Processor time, so that a busy machine does not count; a core
// that is shared with other work is slower all the same.
const LATE_MS = 250;
const MEMORY_MIB = 128;
const BESIDES_MIB = 24; // what is bounded otherwise: the glyph cache, HarfBuzz, encoders, the C library's heap

// These are drawn to their end in less than the second, whatever the deadline: what made them hostile is gone.
const DRAWN = new Set(['composite-depth', 'composite-expansion', 'composite-cycle', 'zigzag', 'zigzag-large', 'advance-points', 'cmap-records', 'gsub-lookups', 'gsub-context', 'gsub-overlap', 'gsub-nested', 'gsub-circle', 'gpos-lookups', 'marks',
  'marks-mixed', 'marks-latin', 'marks-block', 'marks-vertical', 'scripts', 'scripts-long', 'scripts-block', 'bidi-brackets', 'bidi-embeddings', 'bidi-block', 'breaks-block', 'ideographs', 'missing-characters', 'bitmap-font-copies', 'bitmap-font-large', 'font-copies', 'line-numbers']);

const ENDS = new Set(['ok', 'deadline', 'memory', 'limit']);

function draw({ name, zpl, query }, ms = DEADLINE_MS, mib = MEMORY_MIB) {
  const file = join(folder, `${name}.zpl`);
  writeFileSync(file, zpl);
  const words = [query.quality, query.format].filter(Boolean);
  const { status, signal, stdout } = spawnSync(program, [file, String(ms), String(mib), ...words], { encoding: 'utf8', timeout: 180_000 });
  rmSync(file);
  assert.equal(signal, null, `${name} was ended by ${signal}`);
  assert.equal(status, 0);
  const [end, took, processor, kib, , next] = stdout.trim().split(' ');
  assert.equal(next, 'same', 'the next label');
  return { end, took: Number(took), processor: Number(processor), mib: Number(kib) / 1024 };
}

for (const label of hostileLabels) {
  test(`${label.name}: ${label.why}`, () => {
    const got = draw(label, DRAWN.has(label.name) ? 20 * DEADLINE_MS : DEADLINE_MS);
    assert.ok(DRAWN.has(label.name) ? got.end === 'ok' : ENDS.has(got.end), `it ended with ${got.end}`);
    const most = DEADLINE_MS + LATE_MS;
    assert.ok(got.processor <= most, `it took ${got.processor} ms of processor time, and ${got.took} ms`);
    assert.ok(got.mib <= MEMORY_MIB + BESIDES_MIB, `it took ${Math.round(got.mib)} MiB`);
  });
}

test('parsed labels, downloaded fonts and working memory count in one limit', () => {
  const graphic = `~DGR:G.GRF,5000000,1000,${':'.repeat(5000)}`;
  const field = `^XA^FO1,1^A0N,20,20^FD${'A'.repeat(60000)}^FS^XZ`;
  const box = '^XA^FO1,1^GB9,9,9^FS^XZ';
  const end = (zpl) => draw({ name: 'one-limit', zpl, query: {} }, 20 * DEADLINE_MS, 8).end;
  assert.equal(end(graphic + box), 'ok');
  assert.equal(end(field), 'ok');
  assert.equal(end(graphic + field), 'memory');
});
