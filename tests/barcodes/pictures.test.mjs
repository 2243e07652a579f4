// The pictures of docs/barcodes.md are what the program draws.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('pictures of docs/barcodes.md equal what the program draws', () => {
    const { status, stdout, stderr } = spawnSync('tools/barcode-pictures', ['--check'], { encoding: 'utf8' });
    assert.equal(status, 0, `differ (run tools/barcode-pictures):\n${stdout}${stderr}`);
});
