// Labels spoiled on purpose are found by their right code, and real labels give no false error. tests/checks/run is the same with
// 20 labels of each kind, and prints the figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { damage } from './damaged.mjs';
import { plant, sound } from './planted.mjs';
import { checkReal, present } from './real.mjs';
import { zxing } from './reader.mjs';
import { spoil } from './spoiled.mjs';

test('labels spoiled on purpose give the finding of their damage, and none before', () => {
    assert.deepEqual(spoil(4).failures, []);
});

test('real labels give no error but those that were looked at', { skip: !present ? 'the labels are not there (PLATEN_SHARED)' : !zxing ? 'built without zxing-cpp' : false }, () => {
    assert.deepEqual(checkReal().differences, []);
});

test('planted faults are refused with the severity of their class, and their sound twins give no warning', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    const result = Object.entries(plant(1));
    assert(result.reduce((sum, [, c]) => sum + c.faults, 0) > 300);
    assert.deepEqual(result.flatMap(([name, c]) => c.missed.map((line) => `${name}: ${line}`)), []);
    assert.deepEqual(result.flatMap(([name, c]) => c.alarms.map((line) => `${name}, sound: ${line}`)), []);
});

test('labels that scanners read, and that were once refused, give no error', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    assert.deepEqual(sound(), []);
});

test('what is decided about damaged symbols is what another reader says in four of five', { skip: zxing ? false : 'built without zxing-cpp' }, async () => {
    const cases = await damage(8, 3, { others: false }), wrong = cases.filter((c) => !c.agrees && !c.byRule);
    assert(cases.some((c) => c.refused) && cases.some((c) => !c.refused));
    assert(wrong.length * 5 <= cases.length, wrong.map((c) => `${c.zpl} is ${c.refused ? 'refused, but read' : 'not refused, but not read'}`).join('\n'));
});
