// Labels spoiled on purpose are found by their right code, and real labels give no false error. tests/checks/run is the same with
// 20 labels of each kind, and prints the figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReal, present } from './real.mjs';
import { zxing } from './reader.mjs';
import { spoil } from './spoiled.mjs';

test('labels spoiled on purpose give the finding of their damage, and none before', () => {
    assert.deepEqual(spoil(4).failures, []);
});

test('real labels give no error but those that were looked at', { skip: !present ? 'the labels are not there (PLATEN_SHARED)' : !zxing ? 'built without zxing-cpp' : false }, () => {
    assert.deepEqual(checkReal().differences, []);
});
