// Rules of a project's own ([rule.NAME] in its settings): each key is held, a label that keeps the rule gives no finding, and a mistake in a rule is one line with its place.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { zxing } from './reader.mjs';

const platen = resolve(process.env.PLATEN_BUILD ?? 'build', 'platen'), folder = mkdtempSync(join(tmpdir(), 'platen-own-rules-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const TRACKED = '^FO80,200^BY3^BCN,120,N^FD1Z999AA10123456784^FS', SHOWN = '^FO80,400^A0N,30,30^FD1Z 999 AA1 01 2345 6784^FS';

function check(rules, labels, name = 'label.zpl') {
    writeFileSync(join(folder, 'settings.toml'), `[check]\n${rules}`);
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), [labels].flat().map((body) => `^XA\n${body}\n^XZ\n`).join(''));
    const { stdout, stderr, status } = spawnSync(platen, ['check', name, '--config-file', 'settings.toml', '--format', 'json'], { cwd: folder, encoding: 'utf8' });
    const findings = stdout ? JSON.parse(stdout).files[0].warnings.filter((w) => w.code === 'rule_broken') : [];
    return { status, stderr, findings, messages: findings.map((f) => f.message) };
}

test('each key of a rule finds what breaks it, and nothing in a label that keeps it', { skip: zxing ? false : 'built without zxing-cpp' }, () => {
    const cases = [
        ['symbology = "qr"', TRACKED, '^FO80,200^BQN,2,5^FDMA,12345^FS', 'the label has no barcode qr.'],
        ['symbology = "code*"\ndata = "1Z*"', '^FO80,200^BY3^BCN,120,N^FD12345678^FS', TRACKED, "the data '12345678' does not match '1Z*'."],
        ['field = "text"\ndata = "FRAGILE"', TRACKED, '^FO80,400^A0N,30,30^FDFRAGILE^FS', "the label has no text field with data like 'FRAGILE'."],
        ['window-mm = "5, 20, 98, 45"', TRACKED.replace('80,200', '80,300'), TRACKED, /^Rule 'r': the field covers 10\.00, 37\.50 to .* mm, which is not inside of 5, 20, 98, 45\.$/],
        ['min-module-mm = 0.375', TRACKED.replace('^BY3', '^BY2'), TRACKED, 'the module is 0.250 mm wide; at least 0.375 mm is the rule.'],
        ['max-module-mm = 0.3', TRACKED, TRACKED.replace('^BY3', '^BY2'), 'the module is 0.375 mm wide; at most 0.300 mm is the rule.'],
        ['min-height-mm = 15', TRACKED.replace('120', '100'), TRACKED, 'the bars are 12.50 mm high; at least 15.00 mm is the rule.'],
        ['equals = "shown"\n[rule.shown]\nfield = "text"\ndata = "1Z*"', TRACKED + SHOWN.replace('6784', '6785'), TRACKED + SHOWN, "the data '1Z999AA10123456784' is not that of 'shown', '1Z 999 AA1 01 2345 6785'."],
    ];
    for (const [keys, bad, good, says] of cases) {
        const found = check(`[rule.r]\n${keys}\n`, bad);
        assert.deepEqual([found.status, found.messages.length], [1, 1], keys);
        if (says instanceof RegExp) assert.match(found.messages[0], says);
        else assert.equal(found.messages[0], `Rule 'r': ${says}`);
        assert.deepEqual(check(`[rule.r]\n${keys}\n`, good).messages, [], keys);
    }
});

test('bars of a rotated barcode are as high as they are wide on the page', () => {
    assert.deepEqual(check('[rule.r]\nmin-height-mm = 15\n', TRACKED.replace('^BCN', '^BCR')).messages, []);
    assert.equal(check('[rule.r]\nmin-height-mm = 15\n', TRACKED.replace('^BCN,120', '^BCR,100')).messages.length, 1);
});

test('a rule that is not required, or of other files, is silent; a severity is the finding\'s', () => {
    assert.deepEqual(check('[rule.r]\nsymbology = "qr"\nrequired = false\n', TRACKED).messages, []);
    assert.deepEqual(check('[rule.r]\nfiles = "other/*"\nsymbology = "qr"\n', TRACKED).messages, []);
    assert.equal(check('[rule.r]\nfiles = "other/*"\nsymbology = "qr"\n', TRACKED, 'other/label.zpl').messages.length, 1);
    const { status, findings } = check('[rule.r]\nsymbology = "qr"\nseverity = "warning"\n', TRACKED);
    assert.deepEqual([status, findings[0].severity], [0, 'warning']);
});

test('every label is held against the rules, and findings have their line; a comment ignores them', () => {
    const { findings } = check('[rule.r]\nsymbology = "code128"\nmin-height-mm = 15\n', [TRACKED, `\n${TRACKED.replace('120', '100')}`, '^FO80,80^A0N,30^FDText^FS']);
    assert.deepEqual(findings.map((f) => [f.line, f.column]), [[6, 1], [8, 1]]);
    assert.deepEqual(check('[rule.r]\nsymbology = "qr"\n', `^FX platen: ignore rule_broken -- no link here\n${TRACKED}`).messages, []);
});

test('a mistake in a rule is one line with its place, and exit status 2', () => {
    for (const [rules, says] of [
        ['[rule.r]\nsymbolgy = "qr"', /settings\.toml:3:12: a rule has no 'symbolgy'; did you mean symbology\?/],
        ['[rule.r]\nmin-height-mm = "15"', /:3:17: 'min-height-mm' must be a number/],
        ['[rule.r]\nmin-height-mm = 0', /:3:17: '0': must be a length in mm/],
        ['[rule.r]\nwindow-mm = "5, 5, 4, 60"', /'5, 5, 4, 60': must be left, top, right and bottom in mm/],
        ['[rule.r]\nwindow-mm = "5, 5"', /must be left, top, right and bottom in mm/],
        ['[rule.r]\nequals = "s"', /\[rule\.r\]: there is no rule 's'/],
        ['[rule.r]\n[rule.r]', /:3:1: \[rule\.r\] is there twice/],
        ['[rule.r]\ndata = "a"\ndata = "b"', /:4:8: 'data' is there twice/],
        ['[rule.r]\nseverity = "off"', /'off': must be error, warning or info/],
        ['[rule.r]\nfield = "box"', /'box': must be barcode or text/],
        ['[rule.]', /\[rule\.\] needs a name/],
    ]) {
        const { status, stderr } = check(rules, TRACKED);
        assert.equal(status, 2, rules);
        assert.match(stderr, says);
        assert.equal(stderr.trim().split('\n').length, 1, rules);
    }
});
