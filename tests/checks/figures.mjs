// Both figures of the checks, for tests/checks/run.
import { checkReal, present } from './real.mjs';
import { spoil } from './spoiled.mjs';

const spoiled = spoil(Number(process.argv[2] ?? 20));
console.log(`spoiled labels: ${spoiled.found} of ${spoiled.labels} found by their code (${Object.entries(spoiled.byKind).map(([kind, n]) => `${kind} ${n}`).join(', ')})`);
spoiled.failures.forEach((line) => console.log(line));
let wrong = spoiled.failures.length;
if (present) {
    const real = checkReal();
    console.log(`real labels: ${real.labels} labels, ${real.barcodes} barcodes, ${real.read} read back; ${real.errors} errors, ${real.differences.length} of them false or missing`);
    for (const [reason, n] of Object.entries(real.unread)) console.log(`  ${n} not read: ${reason}`);
    for (const [set, counts] of Object.entries(real.counts)) console.log(`  ${set}: ${Object.entries(counts).sort().map(([code, n]) => `${code} ${n}`).join(', ')}`);
    real.differences.forEach((line) => console.log(line));
    wrong += real.differences.length;
} else {
    console.log('real labels: not there (PLATEN_SHARED)');
}
process.exit(wrong ? 1 : 0);
