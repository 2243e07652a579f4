// Faults of many kinds do not pass, and sound labels of every symbology in every orientation are not refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack, refusedSound } from './attacks.mjs';
import { zxing } from './reader.mjs';

const skip = zxing ? false : 'built without zxing-cpp';

test('no fault passes, and no sound twin is refused', { skip }, () => {
    const result = attack(1), classes = Object.values(result);
    assert(classes.reduce((sum, c) => sum + c.faults, 0) >= 300);
    assert.deepEqual(classes.flatMap((c) => [...c.missed, ...c.alarms.map((line) => `sound: ${line}`)]), []);
});

test('sound labels give neither an error nor a warning', { skip }, () => {
    const { labels, refused } = refusedSound(1);
    assert(labels >= 300);
    assert.deepEqual(refused.map((l) => `${l.name}: ${l.body}: ${l.findings.map((f) => f.code)}`), []);
});
