// `platen check` from the outside: exit statuses, settings, outputs for people and programs, the page with pictures.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import Ajv from 'ajv';

const build = process.env.PLATEN_BUILD ?? 'build';
const platen = path.resolve(build, 'platen');
const GOOD = '^XA^FO50,50^A0N,40,40^FDHello^FS^XZ';
const OUTSIDE = '^XA\n^FO700,400^GB300,50,5^FS^XZ'; // a warning: outside_label, in line 2
const BROKEN = '^XA^FO50,50^BXN,1,200,10,10^FDabcdefghijklmnopqrstuvwxyz^FS^XZ'; // an error: barcode_unencodable
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-check-'));
after(() => fs.rmSync(base, { recursive: true, force: true }));

let dir, number = 0;
beforeEach(() => {
  dir = path.join(base, String(++number));
  fs.mkdirSync(path.join(dir, '.git'), { recursive: true }); // settings above it are not looked for
});

const file = (name, content) => {
  const full = path.join(dir, name);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, content);
  return name;
};
const check = (args, options = {}) => {
  const r = spawnSync(options.program ?? platen, ['check', ...args], { cwd: dir, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 180_000, ...options });
  return { status: r.status, out: r.stdout, err: r.stderr };
};
const json = (args, options) => {
  const r = check(['--format', 'json', ...args], options);
  assert.notEqual(r.out, '', r.err);
  return { ...JSON.parse(r.out), status: r.status };
};
const codes = (result) => result.files.flatMap((f) => f.warnings.map((w) => w.code));
const oneLine = (text) => assert.equal(text.trim().split('\n').length, 1, text);

test('exit status: 0 without findings, 1 from --fail-on on, which is error; warnings alone pass', () => {
  file('good.zpl', GOOD);
  file('warning.zpl', OUTSIDE);
  file('error.zpl', BROKEN);
  file('info.zpl', `^XA^FO50,50^A0N,30,30^FN1^FS^FO9,9^GB9,9,9^FS^XZ`);
  assert.deepEqual(codes(json(['error.zpl'])), ['barcode_unencodable']);
  assert.deepEqual(codes(json(['info.zpl'])), ['field_unbound']);
  const status = (name, on) => check([name, ...(on ? ['--fail-on', on] : [])]).status;
  assert.deepEqual(['good.zpl', 'info.zpl', 'warning.zpl', 'error.zpl'].map((name) => [undefined, 'error', 'warning', 'info'].map((on) => status(name, on))),
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]]);
});

test('wrong usage is exit status 2, in one line', () => {
  file('a.zpl', GOOD);
  for (const args of [[], ['a.zpl', '--fail-on', 'fatal'], ['a.zpl', '--format', 'xml'], ['a.zpl', '--rules', 'nobody'], ['a.zpl', '--min-module-mm', '-1'],
    ['a.zpl', '--timeout', 'soon'], ['a.zpl', '--jobs', '0'], ['a.zpl', '--width-mm', '0'], ['a.zpl', '--bogus'], ['a.zpl', '--config-file', 'missing.toml']]) {
    const r = check(args);
    assert.equal(r.status, 2, args.join(' '));
    assert.equal(r.out, '');
    oneLine(r.err);
  }
  assert.equal(check(['--help']).status, 0);
});

test('codes that do not exist are refused with near matches', () => {
  file('a.zpl', GOOD);
  for (const option of ['--ignore', '--only']) {
    const r = check(['a.zpl', option, 'outside_lable']);
    assert.equal(r.status, 2);
    assert.match(r.err, new RegExp(`${option}: there is no code 'outside_lable'; did you mean outside_label`));
    assert.match(check(['a.zpl', option, 'outside_label,clipped']).err, /did you mean text_clipped\?/);
    assert.match(check(['a.zpl', option, 'qqqqqqqqqq']).err, /there is no code 'qqqqqqqqqq'\n$/);
  }
});

test('--ignore and --only, repeated and as lists', () => {
  file('a.zpl', '^XA^QQ^FO700,400^GB300,50,5^FS^FO50,50^BCN,50^FD^FS^XZ');
  assert.deepEqual(codes(json(['a.zpl'])).sort(), ['field_empty', 'outside_label', 'unknown_command']);
  const ignored = json(['a.zpl', '--ignore', 'field_empty, unknown_command', '--ignore', 'outside_label']);
  assert.deepEqual([codes(ignored), ignored.summary.ignored], [[], 3]);
  assert.deepEqual(codes(json(['a.zpl', '--only', 'field_empty', '--only', 'outside_label'])).sort(), ['field_empty', 'outside_label']);
  // A file that was not read must not pass because other codes were asked for.
  assert.deepEqual(codes(json(['missing.zpl', '--only', 'field_empty'])), ['file_unreadable']);
  assert.equal(check(['missing.zpl', '--ignore', 'file_unreadable']).status, 0);
});

test('^FX platen: ignore counts for the whole label that it is in, and for no other', () => {
  const ink = '^FO700,400^GB300,50,5^FS';
  file('a.zpl', `^XA${ink}^XZ\n^XA${ink}^fx  Platen: Ignore outside_label , unknown_command\n^QQ^XZ\n^XA^FXplaten:ignore field_empty^FS${ink}^XZ`);
  const r = json(['a.zpl']);
  assert.deepEqual(r.files[0].warnings.map((w) => [w.label, w.code]), [[0, 'outside_label'], [2, 'outside_label']]);
  assert.equal(r.summary.ignored, 2);
});

test('a comment that ignores an unknown code, or is in no label, is a warning with its place', () => {
  file('a.zpl', `${GOOD}\n^FX platen: ignore outside_label\n^XA\n^FX platen: ignore outside_labl, field_empty\n^FO9,9^GB9,9,9^FS^XZ`);
  const found = json(['a.zpl']).files[0].warnings.filter((w) => w.code === 'ignore_invalid');
  assert.deepEqual(found.map((w) => [w.line, w.column, w.label]), [[2, 1, null], [4, 19, 1]]);
  assert.match(found[1].message, /no code 'outside_labl'; did you mean outside_label\?/);
});

test('a comment that ignores nothing is a warning, and another word is no comment to Platen', () => {
  file('a.zpl', '^XA^FX platen: ignore\n^FO9,9^GB9,9,9^FS^XZ^XA^FX platen: ignored by the printer^FS^FO9,9^GB9,9,9^FS^XZ');
  const found = json(['a.zpl']).files[0].warnings;
  assert.deepEqual(found.map((w) => [w.code, w.line, w.column, w.label]), [['ignore_invalid', 1, 4, 0]]);
});

test('.platen.toml is found from a folder below, and the command line has the last word', () => {
  file('.platen.toml', '[check]\nignore = ["outside_label"]\nfail-on = "warning"\nwidth-mm = 50\n');
  file('labels/deep/a.zpl', OUTSIDE);
  file('labels/deep/b.zpl', '^XA^FO450,40^GB300,50,5^QQ^FS^XZ');
  const below = { cwd: path.join(dir, 'labels/deep') };
  let r = json(['a.zpl'], below);
  assert.deepEqual([codes(r), r.summary.ignored, r.status], [[], 1, 0]);
  assert.equal(r.summary.settingsFile, fs.realpathSync(path.join(dir, '.platen.toml')));
  assert.equal(json(['b.zpl'], below).status, 1); // --fail-on of the file
  assert.equal(json(['b.zpl', '--fail-on', 'error'], below).status, 0);
  r = json(['b.zpl', '--config-file', '/dev/null'], below);
  assert.deepEqual([r.status, r.summary.ignored, r.summary.settingsFile], [0, 0, '/dev/null']);
  assert.match(check(['b.zpl'], below).out, /\(settings: .*\.platen\.toml\)\n$/);
});

test('an ignore comment without a code is a finding', () => {
  for (const comment of ['^FX platen: ignore', '^FX platen: ignore ^FS']) {
    file('a.zpl', `^XA\n${comment}\n^FO50,50^GB9,9,9^FS^XZ`);
    const [found, ...others] = json(['a.zpl']).files[0].warnings;
    assert.deepEqual([found.code, found.line, found.column, others], ['ignore_invalid', 2, 1, []]);
    assert.match(found.message, /names no code/);
  }
});

test('--size auto and the setting of that name: the label has the size it was made for', () => {
  file('small.zpl', '^XA^PW200^LL200^FO10,10^A0N,30^FDhi^FS^XZ');
  file('settings.toml', '[check]\nsize = "auto"\n');
  assert.deepEqual(codes(json(['small.zpl'])), ['content_in_corner']);
  for (const more of [['--size', 'auto'], ['--size', 'auto', '--timeout', '20s'], ['--config-file', 'settings.toml']]) assert.deepEqual(codes(json(['small.zpl', ...more])), []);
  assert.equal(check(['small.zpl', '--size', '4x6']).status, 2);
});

test('every control that is an option of check is a setting of that name', () => {
  file('settings.toml', '[check]\nlanguage = "tspl"\nrotation = 90\n');
  file('label.prn', GOOD);
  const found = (...more) => codes(json(['label.prn', ...more]));
  assert.deepEqual(found(), []);
  assert.deepEqual(found('--config-file', 'settings.toml'), found('--language', 'tspl'));
  assert.notDeepEqual(found('--language', 'tspl'), []);
});

test('--verify takes back what the settings say', () => {
  file('over.zpl', '^XA^FO50,50^BY2^BON,4,N,300^FD7^FS^FO50,250^BY2^BEN,80^FD590123412345^FS^FO60,240^GB120,100,100^FS^XZ');
  file('settings.toml', '[check]\nverify = false\n');
  const found = (...more) => codes(json(['over.zpl', ...more]));
  assert.equal(found('--config-file', 'settings.toml').includes('symbol_unreadable'), false);
  assert.deepEqual(found('--config-file', 'settings.toml', '--verify'), found());
  assert.deepEqual(found('--verify', '--no-verify'), found('--no-verify'));
});

test('settings above the folder of a repository are not taken', () => {
  file('.platen.toml', '[check]\nfail-on = "info"\n');
  file('project/.git/HEAD', '');
  file('project/a.zpl', OUTSIDE);
  assert.equal(check(['a.zpl'], { cwd: path.join(dir, 'project') }).status, 0);
});

test('a mistake in the settings is one line with its place, and exit status 2', () => {
  file('a.zpl', GOOD);
  for (const [text, says] of [
    ['[check]\nignore = ["outside_lable"]', /settings\.toml:2:11: there is no code 'outside_lable'; did you mean outside_label/],
    ['[check]\nfail-in = "error"', /:2:11: there is no setting 'fail-in'; did you mean fail-on\?/],
    ['[check]\nverfy = true', /:2:9: there is no setting 'verfy'; did you mean verify\?/],
    ['[check]\nfail-on = 3', /:2:11: 'fail-on' must be a string/],
    ['[check]\nignore = "outside_label"', /:2:10: 'ignore' must be an array of strings/],
    ['[check]\ndpmm = 99', /:2:8: '99': must be a number from 1 to 48/],
    ['[check]\nrules = "nobody"', /:2:9: 'nobody': must be one of none, default/],
    ['[check]\ndpmm = 8\ndpmm = 8', /:3:8: 'dpmm' is there twice/],
    ['[chek]', /:1:1: there is no section \[chek\]/],
    ['dpmm = 8', /:1:8: 'dpmm' must be below \[check\]/],
    ['[check]\nverify = "no"', /:2:10: 'verify' must be true or false/],
    ['[check]\nignore = ["a" "b"]', /:2:15: a comma or \] must follow/],
    ['[check]\nfail-on = "error', /:2:17: the string has no end/],
  ]) {
    file('settings.toml', text);
    const r = check(['a.zpl', '--config-file', 'settings.toml']);
    assert.equal(r.status, 2, text);
    assert.match(r.err, says);
    oneLine(r.err);
  }
});

test('folders are searched with the folders in them; links to folders and hidden ones are not followed', () => {
  for (const name of ['in/b.zpl', 'in/sub/deep/a.prn', 'in/sub/x.TXT', 'in/.hidden/h.zpl', 'in/readme.md', 'elsewhere/e.zpl']) file(name, GOOD);
  fs.symlinkSync('..', path.join(dir, 'in/sub/loop'));
  fs.symlinkSync('../elsewhere/e.zpl', path.join(dir, 'in/link.zpl'));
  assert.deepEqual(json(['in']).files.map((f) => f.file), ['in/b.zpl', 'in/link.zpl', 'in/sub/deep/a.prn', 'in/sub/x.TXT']);
});

test('what cannot be read is a finding, and the rest is checked', () => {
  file('a.zpl', GOOD);
  fs.mkdirSync(path.join(dir, 'empty'));
  for (const more of [[], ['--timeout', '20s']]) {
    const r = json(['missing.zpl', 'empty', 'a.zpl', ...more]);
    assert.deepEqual([r.status, r.summary.files, codes(r)], [1, 3, ['file_unreadable', 'file_unreadable']]);
    assert.deepEqual(r.files.flatMap((f) => f.warnings.map((w) => w.message)), ['No such file or directory', 'no label files (*.zpl, *.epl, *.tspl, *.cpcl, *.txt, *.prn, *.lbl) in this folder']);
  }
});

test('standard input', () => {
  for (const more of [[], ['--timeout', '20s']]) {
    const r = check(['-', ...more], { input: BROKEN });
    assert.equal(r.status, 1);
    assert.match(r.out, /^standard input\n  1:\d+ +error .*\[barcode_unencodable\]/);
  }
});

test('text: grouped by file, with line, code and place in mm, and a summary always', () => {
  file('a.zpl', OUTSIDE + GOOD);
  file('b.zpl', GOOD);
  const r = check(['a.zpl', 'b.zpl']);
  assert.match(r.out, /^a\.zpl\n  2:1     warning  The field is .* \[outside_label\] \(label 1 of 2 at 87\.5, 50 mm\)\n\n2 files, 3 labels: 0 errors, 1 warning, 0 notes; passed\n$/);
  assert.equal(r.err, '');
  assert.match(check(['b.zpl']).out, /^1 file, 1 label: 0 errors, 0 warnings, 0 notes; passed\n$/);
});

test('colours only on a terminal, and not with NO_COLOR', () => {
  file('a.zpl', OUTSIDE);
  const terminal = (env) => spawnSync('script', ['-qec', `${platen} check a.zpl`, '/dev/null'], { cwd: dir, encoding: 'utf8', env: { ...process.env, TERM: 'xterm', NO_COLOR: '', ...env } }).stdout;
  assert.match(terminal({}), /\x1b\[33mwarning/);
  assert.doesNotMatch(terminal({ NO_COLOR: '1' }), /\x1b/);
  assert.doesNotMatch(terminal({ TERM: 'dumb' }), /\x1b/);
  assert.doesNotMatch(check(['a.zpl']).out, /\x1b/);
});

test('names and data cannot give a terminal orders', () => {
  file('\x1b[31mred\x07.zpl', '^XA^FO9,9^GB9,9,9^FS\x1b]0;x\x07^QQ^XZ');
  for (const format of ['text', 'github', 'junit', 'sarif', 'json']) {
    const r = check(['\x1b[31mred\x07.zpl', '--format', format]);
    assert.doesNotMatch(r.out + r.err, /[\x00-\x08\x0b-\x1f\x7f]/, format);
  }
});

test('the order of the output is that of the inputs, whatever the number of threads or processes', () => {
  for (let i = 0; i < 60; i++) file(`in/${String(i).padStart(3, '0')}.zpl`, (i % 7 ? OUTSIDE : BROKEN).repeat(1 + (i % 5) * 20));
  const all = [['-j', '1'], ['-j', '4'], ['-j', '3', '--timeout', '60s']].map((more) => check(['in', '--format', 'json', ...more]));
  assert.equal(JSON.parse(all[0].out).summary.files, 60);
  for (const other of all.slice(1)) assert.deepEqual(other, all[0]);
});

test('json: findings as the service has them, with the place in mm', () => {
  file('a.zpl', OUTSIDE);
  const [w] = json(['a.zpl']).files[0].warnings;
  assert.deepEqual([w.code, w.severity, w.line, w.column, w.label, w.command], ['outside_label', 'warning', 2, 1, 0, '^GB']);
  assert.deepEqual(w.place, { xMm: 87.5, yMm: 50, widthMm: 37.5, heightMm: 6.25 });
  const rendered = JSON.parse(spawnSync(platen, ['render', '-q', '-f', 'json', 'a.zpl'], { cwd: dir, encoding: 'utf8' }).stdout).warnings[0];
  delete rendered.fix; // descriptions have it, reports do not
  for (const key of Object.keys(rendered)) assert.deepEqual(w[key], rendered[key], key);
});

test('junit: a suite for each file, a case for each label, one failure with all that fails', () => {
  file('a & <b>.zpl', OUTSIDE + GOOD + BROKEN.replace('^XZ', '') + BROKEN.replace('^XA', '').replace('50,50', '50,250'));
  const r = check(['a & <b>.zpl', 'missing.zpl', '--format', 'junit', '-o', 'junit.xml']);
  assert.equal(r.status, 1);
  assert.equal(r.out, '');
  assert.match(r.err, /^2 files, 3 labels: 3 errors, 1 warning/);
  const script = `import sys, json, xml.etree.ElementTree as E
print(json.dumps([[s.attrib, [[c.attrib["name"], [[k.tag, k.attrib.get("type"), (k.text or "").strip().count("\\n") + 1] for k in c]] for c in s]] for s in E.parse("junit.xml").getroot()]))`;
  const parsed = JSON.parse(spawnSync('python3', ['-c', script], { cwd: dir, encoding: 'utf8' }).stdout);
  assert.deepEqual(parsed.map(([s]) => [s.name, s.tests, s.failures, s.errors, s.skipped]), [['a & <b>.zpl', '3', '1', '0', '0'], ['missing.zpl', '1', '1', '0', '0']]);
  assert.deepEqual(parsed[0][1], [['label 1', [['system-out', null, 1]]], ['label 2', []], ['label 3', [['failure', 'barcode_unencodable', 2]]]]);
  assert.deepEqual(parsed[1][1], [['file', [['failure', 'file_unreadable', 1]]]]);
});

// What the schema of SARIF 2.1.0 asks of the objects that are used, and no member that it does not have.
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } }, additionalProperties: false };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const object = (required, properties) => ({ type: 'object', required, properties, additionalProperties: false });
const SARIF = object(['version', 'runs'], {
  $schema: { type: 'string' },
  version: { const: '2.1.0' },
  runs: { type: 'array', minItems: 1, items: object(['tool'], {
    columnKind: { const: 'utf16CodeUnits' },
    tool: object(['driver'], { driver: object(['name'], { name: { type: 'string' }, version: { type: 'string' }, rules: { type: 'array', uniqueItems: true,
      items: object(['id'], { id: { type: 'string' }, shortDescription: text, defaultConfiguration: object([], { level }) }) } }) }),
    results: { type: 'array', items: object(['message'], { ruleId: { type: 'string' }, ruleIndex: { type: 'integer', minimum: -1 }, level, message: text,
      locations: { type: 'array', items: object([], { physicalLocation: object(['artifactLocation'], { artifactLocation: object([], { uri: { type: 'string', pattern: '^[A-Za-z0-9._~:/%-]+$' } }),
        region: object([], { startLine: { type: 'integer', minimum: 1 }, startColumn: { type: 'integer', minimum: 1 }, byteOffset: { type: 'integer', minimum: -1 }, byteLength: { type: 'integer', minimum: 0 } }) }) }) } }) },
    invocations: { type: 'array', items: object(['executionSuccessful'], { executionSuccessful: { type: 'boolean' }, exitCode: { type: 'integer' } }) },
  }) },
});

test('sarif: valid, with a rule for each result and paths as URIs', () => {
  file('dir é/a b.zpl', OUTSIDE);
  file('bad.zpl', BROKEN);
  const valid = new Ajv({ allErrors: true }).compile(SARIF);
  for (const args of [['.', 'missing.zpl'], ['./bad.zpl', path.join(dir, 'bad.zpl')], ['/dev/null'], ['.', '--only', 'field_empty']]) {
    const r = check([...args, '--format', 'sarif']), sarif = JSON.parse(r.out), run = sarif.runs[0];
    assert.ok(valid(sarif), JSON.stringify(valid.errors));
    assert.equal(run.invocations[0].exitCode, r.status);
    for (const result of run.results) assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
  }
  const uris = (args) => JSON.parse(check([...args, '--format', 'sarif']).out).runs[0].results.map((x) => x.locations[0].physicalLocation.artifactLocation.uri);
  assert.deepEqual(uris(['.']), ['bad.zpl', 'dir%20%C3%A9/a%20b.zpl']);
  assert.deepEqual(uris([path.join(dir, 'bad.zpl')]), [`file://${dir}/bad.zpl`]);
});

test('sarif and github: columns were bytes; they are UTF-16 code units', () => {
  // Two bytes, four bytes, and one that is no UTF-8: 1, 2 and 1 units.
  fs.writeFileSync(path.join(dir, 'wide.zpl'), Buffer.concat([Buffer.from('^XA^FXé😀', 'utf8'), Buffer.from([0xe9]), Buffer.from('^FS' + BROKEN.trim().slice(3), 'utf8')]));
  const r = check(['wide.zpl', '--format', 'sarif']), run = JSON.parse(r.out).runs[0], region = run.results[0].locations[0].physicalLocation.region;
  assert.equal(run.columnKind, 'utf16CodeUnits');
  assert.equal(region.startColumn, region.byteOffset + 1 - 1 - 2);
  assert.match(check(['wide.zpl', '--format', 'github']).out, new RegExp(`line=1,col=${region.startColumn},`));
  const [w] = json(['wide.zpl']).files[0].warnings;
  assert.equal(w.column, w.offset + 1);
});

test('github: workflow commands with escaped properties, and the summary', () => {
  file('a,b:c%.zpl', OUTSIDE);
  file('bad.zpl', BROKEN);
  const lines = check(['a,b:c%.zpl', 'bad.zpl', '--format', 'github']).out.trim().split('\n');
  assert.match(lines[0], /^::warning file=a%2Cb%3Ac%25\.zpl,line=2,col=1,title=outside_label::The field is /);
  assert.match(lines[1], /^::error file=bad\.zpl,line=1,col=\d+,title=barcode_unencodable::/);
  assert.match(lines[2], /^2 files, 2 labels: 1 error, 1 warning/);
  assert.equal(lines.length, 3);
});

test('--report: one page without script and other files, with each label once and a crop of every place', () => {
  file('a<i>.zpl', OUTSIDE + GOOD);
  file('good.zpl', GOOD);
  for (const more of [[], ['--timeout', '20s']]) {
    const r = check(['a<i>.zpl', 'good.zpl', 'missing.zpl', '--report', 'out', ...more]);
    assert.equal(r.status, 1);
    assert.deepEqual(fs.readdirSync(path.join(dir, 'out')), ['index.html']);
    const page = fs.readFileSync(path.join(dir, 'out/index.html'), 'utf8');
    assert.equal(page.match(/data:image\/png;base64,iVBORw0KGgo/g).length, 1);
    assert.equal(page.match(/<svg class="crop"/g).length, 1);
    assert.match(page, /<use href="#p0-0"\/><rect class="w" x="700" y="400" width="300" height="50"\/>/);
    assert.match(page, /<h2>a&lt;i&gt;\.zpl<\/h2>/);
    assert.match(page, /<h2>missing\.zpl<\/h2>/);
    assert.doesNotMatch(page, /good\.zpl|<script|src=|https?:/);
    assert.match(page, /prefers-color-scheme:dark/);
  }
});

test('the findings of the page are in the order of the other outputs, and its summary is on top', () => {
  file('a.zpl', '^XA\n^FO700,50^BY3^BCN,90^FD12345678^FS\n^FO700,300^BY3^BCN,90^FD12345678^FS\n^QQ\n^XZ');
  const { files: [{ warnings }] } = json(['a.zpl', '--report', 'out']);
  const page = fs.readFileSync(path.join(dir, 'out/index.html'), 'utf8');
  const places = [...page.matchAll(/<code>(\w+)<\/code><br><span class="where">line (\d+)/g)].map((found) => [found[1], Number(found[2])]);
  assert.deepEqual(places, warnings.map((w) => [w.code, w.line]));
  assert.deepEqual([...new Set(places.map((place) => place[1]))], [2, 3, 4]);
  assert.match(page, /\.summary\{order:-1/);
});

test('many labels with findings: the page has pictures of the first twenty', () => {
  file('many.zpl', OUTSIDE.repeat(50));
  check(['many.zpl', '--report', 'out']);
  const page = fs.readFileSync(path.join(dir, 'out/index.html'), 'utf8');
  assert.equal(page.match(/data:image\/png/g).length, 20);
  assert.equal(page.match(/<code>outside_label/g).length, 50);
});

test('more findings than are shown are counted', () => {
  file('many.zpl', OUTSIDE.repeat(12000));
  const r = json(['many.zpl']);
  assert.deepEqual([r.files[0].warnings.length, r.files[0].warningsLeftOut, r.summary.warning], [10000, 2000, 12000]);
  assert.match(check(['many.zpl']).out, /2000 more findings are not shown\n/);
});

test('--timeout: a file that crashes or hangs is a finding, and the others are checked', () => {
  const program = path.resolve(build, 'tests/renderer/platen_trapped');
  file('a.zpl', OUTSIDE);
  file('crash.zpl', `^FXtrap=abort^FS${GOOD}`);
  file('spin.zpl', `^FXtrap=loop^FS${GOOD}`);
  file('z.zpl', GOOD);
  const r = json(['.', '--timeout', '10s'], { program });
  assert.equal(r.status, 1);
  assert.deepEqual(r.files.map((f) => [f.file, f.warnings.map((w) => w.code).join()]), [['./a.zpl', 'outside_label'], ['./crash.zpl', 'not_checked'], ['./spin.zpl', 'not_checked'], ['./z.zpl', '']]);
  assert.match(r.files[1].warnings[0].message, /^not checked: the process crashed/);
  assert.match(r.files[2].warnings[0].message, /^not checked within 10 s \(--timeout\)$/);
});

test('--timeout: a process that was taken over writes no file, says nothing and answers nothing that is no answer', () => {
  const program = path.resolve(build, 'tests/renderer/platen_trapped'), traps = ['answer', 'flood', 'half', 'kind', 'path', 'size'];
  for (const trap of traps) file(`${trap}.zpl`, `^FXtrap=cli-${trap}^FS${GOOD}`);
  file('z.zpl', OUTSIDE);
  const r = check(['.', '--timeout', '10s', '--format', 'json'], { program }), result = JSON.parse(r.out);
  assert.equal(r.status, 1);
  assert.deepEqual(codes(result), [...traps.map(() => 'not_checked'), 'outside_label']);
  assert.doesNotMatch(r.out + r.err, /\x1b/);
  assert.ok(!fs.existsSync('/tmp/platen-trap'));
});

test('-o: the file is whole or absent, and a full disk is no success', () => {
  file('a.zpl', GOOD);
  assert.equal(check(['a.zpl', '-f', 'sarif', '-o', 'x/y.sarif']).status, 1);
  assert.equal(check(['a.zpl', '-f', 'json', '-o', 'x.json']).status, 0);
  assert.deepEqual(fs.readdirSync(dir).filter((name) => name.startsWith('x')), ['x.json']);
  assert.equal(check(['a.zpl', '-o', 'left.txt', '--report', 'no/such/folder']).status, 1);
  assert.deepEqual(fs.readdirSync(dir).filter((name) => name.startsWith('left')), []);
  const full = check(['a.zpl', '-f', 'json', '-o', '/dev/full']);
  assert.equal(full.status, 1);
  assert.match(full.err, /No space left on device/);
});

const EDGE = '^XA^FO0,200^BY3^BCN,100,N^FD12345678^FS^XZ', DIGIT = '^XA^FO300,400^BY3^B2N,160,N,N,N^FD15901234123450^FS^XZ';

test('--severity changes severities by code, file and command; the last rule counts', () => {
  file('policy/a.zpl', EDGE);
  file('policy/old/b.zpl', DIGIT);
  const levels = (...rules) => json(['policy', ...rules.flatMap((rule) => ['--severity', rule])]).files.map((f) => f.warnings.map((w) => w.severity).join());
  assert.deepEqual(levels(), ['warning', 'error']);
  assert.deepEqual(levels('quiet_zone_at_edge=error', 'check_digit_wrong=info'), ['error', 'info']);
  assert.deepEqual(levels('*=off', 'policy/old/*:*=warning'), ['', 'warning']);
  assert.deepEqual(levels('quiet_zone_at_edge@^BC=info', 'quiet_zone_at_edge@^BQ=error'), ['info', 'error']);
  for (const rule of ['check_digit_wrong', 'check_digit_wrong=fatal', 'no_such_code=info', 'a:=off']) {
    const r = check(['policy', '--severity', rule]);
    assert.equal(r.status, 2, rule);
    oneLine(r.err);
  }
  file('policy.toml', '[check]\nseverity = ["quiet_zone_at_edge=error", "policy/old/*:*=off"]\n');
  assert.equal(json(['policy', '--config-file', 'policy.toml']).summary.error, 1);
});

test('a baseline: what it has does not fail, what is new does', () => {
  file('base/a.zpl', EDGE);
  file('base/b.zpl', DIGIT);
  const written = check(['base', '--format', 'baseline', '--output', 'known.tsv']);
  assert.equal(written.status, 0, written.err);
  const known = (...more) => check(['base', '--baseline', 'known.tsv', '--fail-on', 'warning', ...more]);
  assert.equal(known().status, 0);
  assert.match(known().out, /2 in the baseline; passed/);
  file('base/b.zpl', DIGIT + DIGIT);
  assert.equal(known().status, 1);
  assert.match(known().out, /1 error, 0 warnings, 0 notes, 2 in the baseline; failed/);
  assert.equal(known('--timeout', '1m').status, 1);
  file('broken.tsv', 'no tabs');
  for (const name of ['broken.tsv', 'missing.tsv']) assert.equal(check(['base', '--baseline', name]).status, 2, name);
});

test('an inline ignore may have a reason', () => {
  file('reason.zpl', EDGE.replace('^XA', '^XA^FX platen: ignore quiet_zone_at_edge -- the label is cut wider, see ignore_invalid\n'));
  const result = json(['reason.zpl']);
  assert.deepEqual([codes(result), result.summary.ignored], [[], 1]);
});

test('--only says how many errors of other codes it does not show', () => {
  file('only.zpl', DIGIT);
  const r = check(['only.zpl', '--only', 'bars_cut']);
  assert.match(r.out, /not shown because of --only: 1 error; passed/);
  assert.equal(json(['only.zpl', '--only', 'bars_cut']).summary.errorsNotAskedFor, 1);
});

test('SARIF links to the documentation where --docs-url says where it is', () => {
  file('sarif.zpl', DIGIT);
  const rules = (...more) => JSON.parse(check(['sarif.zpl', '--format', 'sarif', ...more]).out).runs[0].tool.driver.rules;
  assert.equal(rules('--docs-url', 'https://labels.example.com/docs').find((r) => r.id === 'bars_cut').helpUri, 'https://labels.example.com/docs/findings.html#bars_cut');
  assert.equal(rules().find((r) => r.id === 'bars_cut').helpUri, undefined);
});

test('an empty file, text that is no label and a missing ^XZ fail; they passed', () => {
  for (const [name, text] of Object.entries({ 'empty.zpl': '', 'letter.txt': 'Dear customer', 'open.zpl': '^XA^FO50,50^A0N,40,40^FDText^FS' })) {
    file(name, text);
    assert.equal(check([name]).status, 1, name);
  }
});

test('--size auto warns where it guesses the size: it hid what the edge of the real label cuts off', () => {
  file('auto.zpl', '^XA^FO760,200^BY3^BCN,100,N^FD12345678^FS^XZ');
  file('sized.zpl', '^XA^PW812^LL1218^FO100,200^BY3^BCN,100,N^FD12345678^FS^XZ');
  assert.deepEqual(json(['auto.zpl', '--size', 'auto']).files[0].warnings.map((w) => `${w.severity} ${w.code}`), ['warning size_guessed']);
  assert.deepEqual(codes(json(['sized.zpl', '--size', 'auto'])), []);
  // Of another language it names that language's command.
  file('auto.cpcl', '! 0 200 200 210 1\r\nTEXT 4 0 30 40 Hello\r\nPRINT\r\n');
  assert.match(json(['auto.cpcl', '--size', 'auto']).files[0].warnings[0].message, /^(?!.*\^).*state it by PAGE-WIDTH/);
});

test('--language names the language where it is not to be recognised', () => {
  file('label.txt', 'N\nq400\nQ200,24\nLO10,10,50,50\nP1\n');
  assert.equal(check(['label.txt']).status, 0);
  assert.equal(check(['--language', 'epl', 'label.txt']).status, 0);
  assert.deepEqual(codes(json(['--language', 'zpl', 'label.txt'])), ['outside_format', 'nothing_printable']);
  assert.equal(check(['--language', 'klingon', 'label.txt']).status, 2);
});
