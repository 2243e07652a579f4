// Real labels are repaired by check_label's fixes alone: the fixes leave nothing of at least 30 of them, and make none worse.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { applyFixes } from './fixes.mjs';
import { StdioSession } from './session.mjs';

const ROUNDS = 12;
const shared = process.env.PLATEN_SHARED ?? '../shared';
const folders = ['zpl/corpus', 'labelary', 'labelary-more'].map((name) => path.join(shared, name));
test('real labels are repaired', { skip: !existsSync(folders[0]) && 'the labels are not there (PLATEN_SHARED)' }, async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.zpl')).map((name) => path.join(folder, name)));
  const faults = (findings) => findings.filter(({ severity }) => severity !== 'info').length;
  const worse = [];
  let fixed = 0, clean = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    let code = bytes.toString();
    if (code.length > 100_000 || !Buffer.from(code).equals(bytes)) continue; // JSON has texts only
    let { findings } = await session.json('check_label', { zpl: code });
    const before = faults(findings);
    if (!findings.some(({ fix }) => fix)) continue;
    fixed++;
    for (let round = 0; round < ROUNDS && findings.some(({ fix }) => fix); round++) {
      code = applyFixes(code, findings);
      ({ findings } = await session.json('check_label', { zpl: code }));
    }
    clean += findings.length === 0;
    if (faults(findings) > before || findings.some(({ fix }) => fix)) worse.push(`${file}: ${before}, then ${faults(findings)}`);
  }
  assert.deepEqual(worse, []);
  assert.ok(clean >= 30, `${clean} of ${fixed}`);
});
