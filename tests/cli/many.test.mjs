// `platen render` of many documents: rows, templates, packed outputs, what is there already.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../api/lib/until.js';

const platen = path.resolve(process.env.PLATEN_BUILD ?? 'build', 'platen');
let dir;
before(() => { dir = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-many-')); });
after(() => fs.rmSync(dir, { recursive: true, force: true }));
const at = (name) => path.join(dir, name);
const file = (name, content) => { fs.mkdirSync(path.dirname(at(name)), { recursive: true }); fs.writeFileSync(at(name), content); return at(name); };
const run = (args, options = {}) => {
  const r = spawnSync(platen, ['render', ...args], { maxBuffer: 1 << 28, cwd: dir, ...options });
  return { status: r.status, out: r.stdout, err: r.stderr.toString() };
};
const label = (i) => `^XA^FO20,20^A0N,40,40^FDLabel ${i}^FS^XZ`;
const rows = (n) => Array.from({ length: n }, (_, i) => `${JSON.stringify({ id: `r${i}`, zpl: label(i), widthMm: 40, heightMm: 20 })}\n`).join('');
const names = (zip) => execFileSync('unzip', ['-Z1', zip]).toString().trim().split('\n');
const lines = (text) => text.toString().trim().split('\n').map((l) => JSON.parse(l));

test('rows of NDJSON to a ZIP, a PDF, lines and files: the same pictures as one by one', () => {
  file('a.ndjson', rows(300));
  assert.equal(run(['a.ndjson', '-o', 'a.zip']).status, 0);
  assert.equal(names(at('a.zip')).length, 301);
  assert.equal(run(['a.ndjson', '-o', 'a.pdf']).status, 0);
  assert.match(execFileSync('pdfinfo', [at('a.pdf')]).toString(), /Pages:\s+300/);
  assert.equal(run(['a.ndjson', '--out-dir', 'files']).status, 0);
  const all = lines(run(['a.ndjson', '-o', '-', '-j', '1']).out);
  assert.equal(all.at(-1).summary.labels, 300);
  const one = run(['-', '--width-mm', '40', '--height-mm', '20'], { input: label(250) }).out;
  assert.deepEqual(Buffer.from(all[250].data, 'base64'), one);
  assert.deepEqual(fs.readFileSync(at('files/r250.png')), one);
  assert.deepEqual(execFileSync('unzip', ['-p', at('a.zip'), 'r250.png']), one);
});

test('a control of a row wins over the same option of the command line, which is for rows that say nothing', () => {
  file('wins.ndjson', `${JSON.stringify({ zpl: label(1), widthMm: 40, dpmm: 12 })}\n${JSON.stringify({ zpl: label(1) })}\n`);
  const all = run(['wins.ndjson', '--width-mm', '50', '--height-mm', '20', '--dpmm', '8', '-o', '-', '-j', '1']);
  assert.equal(all.status, 0, all.err);
  const widths = lines(all.out).slice(0, 2).map((l) => Buffer.from(l.data, 'base64').readUInt32BE(16));
  assert.deepEqual(widths, [478, 399]);
});

test('rows of CSV and of NDJSON fill a template; values are data, and a missing one fails its row', () => {
  file('t.zpl', '^XA^FO20,20^A0N,40,40^FD{{name}}^FS^FO20,70^BCN,60^FD{{ sku }}^FS^XZ');
  file('r.csv', 'id;name;sku\n1;"Smith; J";A1\n2;B^XZ;A2\n3;Carl;A3\n');
  const csv = run(['r.csv', '--template', 't.zpl', '-o', '-']);
  assert.equal(csv.status, 0, csv.err);
  const escaped = run(['-'], { input: '^XA^FO20,20^A0N,40,40^FH^FDB_5EXZ^FS^FO20,70^BCN,60^FDA2^FS^XZ' }).out;
  assert.deepEqual(Buffer.from(lines(csv.out)[1].data, 'base64'), escaped);
  const json = run(['--rows', 'ndjson', '--template', 't.zpl', '-', '-o', '-'], { input: '{"id":1,"name":"Smith; J","sku":"A1"}\n{"id":2,"name":"x"}\n' });
  assert.equal(lines(json.out)[0].data, lines(csv.out)[0].data);
  assert.equal(lines(json.out)[1].code, 'missing_value');
  assert.equal(json.status, 1);
  assert.match(json.err, /platen: 2: There is no value for 'sku'/);
  file('other.csv', 'id,title\n1,x\n');
  assert.match(run(['other.csv', '--template', 't.zpl', '-o', '-']).err, /^platen: other\.csv: There is no value for 'name'\.$/m);
  assert.match(run(['r.csv', '-o', '-']).err, /need --template/);
});

test('a row that no other way takes is refused for a template, too: an object as a value, a name twice; a column that the template of ^FN needs', () => {
  file('n.zpl', '^XA^FO20,20^A0N,40,40^FD{{name}}^FS^XZ');
  for (const [row, message] of [['{"name":"a","more":{"x":1}}', /the value of 'more' must be a string/], ['{"name":["a"]}', /the value of 'name' must be/], ['{"name":"a","name":"b"}', /"name" twice/]]) {
    const { status, err } = run(['--rows', 'ndjson', '--template', 'n.zpl', '-', '-o', '-'], { input: row });
    assert.equal(status, 1);
    assert.match(err, message);
  }
  file('fn.zpl', '^XA^FO20,20^A0N,40,40^FN3"city"^FS^XZ');
  file('fn.csv', 'id,town\n1,Bath\n2,Bonn\n');
  const { status, err } = run(['fn.csv', '--template', 'fn.zpl', '-o', '-']);
  assert.equal(status, 1);
  assert.equal(err, "platen: fn.csv: There is no value for 'city'.\n");
});

test('two columns of one name are an error that names it; columns without a name may be several', () => {
  for (const code of ['^XA^FO20,20^A0N,40,40^FD{{name}}^FS^XZ', '^XA^FO20,20^A0N,40,40^FN1"name"^FS^XZ']) {
    file('twice.zpl', code);
    file('twice.csv', 'id,name,city, name \n1,Ann,Bath,Bo\n');
    const { status, err } = run(['twice.csv', '--template', 'twice.zpl', '-o', '-']);
    assert.equal(status, 1);
    assert.equal(err, "platen: twice.csv: two columns are called 'name'\n");
    file('wide.csv', 'id,name,,\n1,Ann,,\n');
    const wide = run(['wide.csv', '--template', 'twice.zpl', '-o', '-']);
    assert.equal(wide.status, 0, wide.err);
  }
});

test('problems of rows have the codes that the API page lists for the command line', () => {
  file('slot.zpl', '^XA^FO{{x}},20^GB9,9,9^FS^XZ');
  file('slot.csv', 'id,x\na,^\nb,7\nc,7,8\n');
  const rows = run(['slot.csv', '--template', 'slot.zpl', '-o', '-']);
  assert.deepEqual(lines(rows.out).slice(0, 3).map(({ id, code }) => [id, code]), [['a', 'invalid_value'], ['b', undefined], ['c', 'too_many_fields']]);
  file('whole.zpl', label(1));
  const files = run(['absent.zpl', 'whole.zpl', '-o', '-', '--as', 'ndjson']);
  assert.deepEqual(lines(files.out).slice(0, 2).map(({ code }) => code), ['unreadable', undefined]);
  assert.deepEqual([rows.status, files.status], [1, 1]);
});

test('folders, patterns and ZIP files in, one file out; two documents of one id are told', () => {
  for (const i of [1, 2, 3]) file(`in/l${i}.zpl`, label(i) + (i === 2 ? label(9) : ''));
  assert.equal(run(['in', '-o', 'in.zip']).status, 0);
  assert.deepEqual(names(at('in.zip')), ['l1.png', 'l2+1.png', 'l2+2.png', 'l3.png', 'summary.json']);
  assert.equal(run(['in/l[12].zpl', '-o', 'in.pdf']).status, 0);
  assert.match(execFileSync('pdfinfo', [at('in.pdf')]).toString(), /Pages:\s+3/);
  execFileSync('zip', ['-q', 'codes.zip', 'in/l1.zpl', 'in/l3.zpl'], { cwd: dir });
  assert.equal(run(['codes.zip', '--out-dir', 'fromzip']).status, 0);
  assert.deepEqual(fs.readdirSync(at('fromzip')), ['l1.png', 'l3.png']);
  const twice = run(['in/l1.zpl', 'codes.zip', '-o', 'twice.zip']);
  assert.equal(twice.status, 1);
  assert.match(twice.err, /l1: another document before it has the same id/);
});

test('--skip-existing leaves out what is there, for files and for rows', () => {
  file('s.ndjson', rows(5));
  file('k/a.zpl', label(1));
  file('k/b.zpl', label(2));
  assert.equal(run(['k', '--out-dir', 'ko']).status, 0);
  fs.rmSync(at('ko/b.png'));
  const before = fs.statSync(at('ko/a.png')).mtimeMs;
  assert.match(run(['k', '--out-dir', 'ko', '--skip-existing']).err, /1 left out/);
  assert.equal(fs.statSync(at('ko/a.png')).mtimeMs, before);
  assert.ok(fs.existsSync(at('ko/b.png')));
  assert.equal(run(['s.ndjson', '--out-dir', 'so']).status, 0);
  fs.rmSync(at('so/r3.png'));
  assert.match(run(['s.ndjson', '--out-dir', 'so', '--skip-existing']).err, /^1 rendered, 0 failed, others were there already/);
});

test('sheets: the options of PDF pages hold for the PDF of all documents', () => {
  const pages = (name) => Number(/Pages:\s+(\d+)/.exec(execFileSync('pdfinfo', [at(name)]).toString())[1]);
  file('s.ndjson', rows(20));
  assert.equal(run(['s.ndjson', '-o', 's.pdf', '--page-size', 'A4', '--page-layout', '3x5', '--cut-marks']).status, 0);
  assert.equal(pages('s.pdf'), 2);
  for (const i of [1, 2, 3, 4, 5]) file(`sheet/l${i}.zpl`, label(i));
  assert.equal(run(['sheet', '-o', 'folder.pdf', '--width-mm', '40', '--height-mm', '20', '--page-layout', '2x2']).status, 0);
  assert.equal(pages('folder.pdf'), 2);
  file('wide.ndjson', `${JSON.stringify({ id: 'wide', zpl: label(1), widthMm: 300 })}\n${rows(1)}`);
  const wide = run(['wide.ndjson', '-o', 'wide.pdf', '--page-size', 'A4']);
  assert.equal(wide.status, 1);
  assert.match(wide.err, /platen: wide: 1 x 1 labels of 300\.0 x .* fit=shrink/);
  assert.match(wide.err, /1 rendered, 1 failed/);
  assert.equal(pages('wide.pdf'), 1);
  assert.equal(run(['wide.ndjson', '-o', 'shrunk.pdf', '--page-size', 'A4', '--fit', 'shrink']).status, 0);
  for (const out of [['-o', 's.zip'], ['--out-dir', 'sout'], ['-o', '-']]) assert.match(run(['s.ndjson', ...out, '--page-size', 'A4']).err, /such as --page-size, need -o FILE\.pdf/);
  file('own.ndjson', `${JSON.stringify({ id: 'own', zpl: label(1), pageSize: 'A4' })}\n`);
  assert.match(run(['own.ndjson', '-o', 'own.pdf']).err, /own: 'pageSize' is of the PDF that holds all documents: a row cannot have it/);
});

test('an output that cannot be finished is not there', () => {
  file('bad.ndjson', `${rows(3)}`);
  fs.writeFileSync(at('broken.zip'), 'PK this is none');
  assert.equal(run(['bad.ndjson', 'broken.zip', '-o', 'never.zip']).status, 1);
  assert.deepEqual(fs.readdirSync(dir).filter((n) => n.startsWith('never')), []);
  assert.equal(run(['bad.ndjson', '-o', '/dev/full']).status, 1);
});

test('a run that is killed leaves nothing but whole files, and --skip-existing goes on', async () => {
  const all = Array.from({ length: 3000 }, (_, i) => `${JSON.stringify({ id: `k${i}`, zpl: label(i), widthMm: 80, heightMm: 80 })}\n`).join('');
  file('killed.ndjson', all);
  const kill = (args, when) => new Promise((resolve) => {
    const child = spawn(platen, ['render', 'killed.ndjson', ...args], { cwd: dir, stdio: 'ignore' });
    const look = setInterval(() => { if (when()) child.kill('SIGKILL'); }, 1);
    child.on('exit', (code, signal) => { clearInterval(look); resolve(signal); });
  });
  file('killed/old.zip', 'old');
  // Its file has no name yet: it is known by the bytes that were written.
  const seen = Date.now();
  await kill(['-o', 'killed/old.zip', '-j', '1'], () => Date.now() - seen > 100);
  assert.deepEqual(fs.readdirSync(at('killed')), ['old.zip']);
  const signal = await kill(['--out-dir', 'some', '-j', '1'], () => fs.existsSync(at('some')) && fs.readdirSync(at('some')).length > 20);
  assert.equal(signal, 'SIGKILL');
  assert.ok(fs.readdirSync(at('some')).every((name) => /^k\d+\.png$/.test(name)));
  assert.equal(run(['killed.ndjson', '--out-dir', 'some', '--skip-existing']).status, 0);
  assert.equal(fs.readdirSync(at('some')).length, 3000);
  const end = Buffer.from([0xae, 0x42, 0x60, 0x82]); // of a PNG
  for (const name of fs.readdirSync(at('some'))) assert.deepEqual(fs.readFileSync(path.join(at('some'), name)).subarray(-4), end, name);
  // One that is there is replaced.
  assert.equal(run(['killed.ndjson', '-o', 'killed/old.zip']).status, 0);
  assert.equal(names(at('killed/old.zip')).length, 3001);
  assert.deepEqual(fs.readdirSync(at('killed')), ['old.zip']);
});

test('without a standard error messages are not written into the output', () => {
  file('closed.ndjson', `{"id":"bad"}\n${rows(2)}`);
  const { status } = spawnSync('sh', ['-c', `"${platen}" render closed.ndjson -o closed-out.ndjson 2>&-`], { cwd: dir });
  assert.equal(status, 1);
  assert.equal(lines(fs.readFileSync(at('closed-out.ndjson'))).length, 4);
  for (const end of ['<&-', '>&-']) assert.equal(spawnSync('sh', ['-c', `"${platen}" render - --rows ndjson -o - ${end} 2>/dev/null`], { cwd: dir }).status, 1, end);
});

test('what does not go together is told', () => {
  file('u.ndjson', rows(1));
  for (const args of [['u.ndjson', '-o', 'x.png'], ['u.ndjson', '-o', 'x.zip', '--skip-existing'], ['u.ndjson', '--pages', 'all', '-o', 'x.zip'],
    ['u.ndjson', '--as', 'tar', '-o', '-'], ['u.ndjson', '--as', 'pdf', '-o', 'x.zip'], ['-', '--rows', 'xml', '-o', '-']]) {
    assert.equal(run(args).status, 2, args.join(' '));
  }
});

test('on a terminal there is a bar with the rate', { skip: spawnSync('script', ['--version']).status !== 0 }, () => {
  file('p.ndjson', rows(3000));
  const out = spawnSync('script', ['-qec', `${platen} render p.ndjson -o p.zip`, '/dev/null'], { cwd: dir }).stdout.toString();
  assert.match(out, /\[#{24}\] 100 % 3000 done, \d+\/s/);
});

test('a quote inside a value is a character, and a row of too many fields is no label', () => {
  file('inch.zpl', '^XA^FO20,20^A0N,40,40^FD{{size}}^FS^XZ');
  file('inch.csv', 'id,size\na,5" pipe\nb,6" pipe\nc,Smith, John\nd,7"\n');
  const { status, out } = run(['inch.csv', '--template', 'inch.zpl', '-o', '-']);
  assert.equal(status, 1);
  assert.deepEqual(lines(out).slice(0, 4).map((l) => [l.id, l.ok, l.code]), [['a', true, undefined], ['b', true, undefined], ['c', false, 'too_many_fields'], ['d', true, undefined]]);
});

test('ids that look alike as names have files of their own, and --skip-existing does not mix them up', () => {
  const two = label(1) + label(2);
  const ids = ['a/b', 'a:b', 'a_b', 'a-1', 'a'];
  file('alike.ndjson', ids.map((id) => JSON.stringify({ id, zpl: id === 'a' ? two : label(id) })).join('\n'));
  assert.equal(run(['alike.ndjson', '--out-dir', 'alike']).status, 0);
  assert.deepEqual(fs.readdirSync(at('alike')).sort(), ['a%2Fb.png', 'a%3Ab.png', 'a+1.png', 'a+2.png', 'a-1.png', 'a_b.png']);
  fs.rmSync(at('alike/a+1.png'));
  assert.match(run(['alike.ndjson', '--out-dir', 'alike', '--skip-existing']).err, /^1 rendered, 0 failed/);
  assert.ok(fs.existsSync(at('alike/a+1.png')));
  assert.equal(run(['alike.ndjson', '-o', 'alike.zip']).status, 0);
  assert.equal(new Set(names(at('alike.zip'))).size, 7);
});

test('an id that cannot be one is an error, not another id', () => {
  file('long.ndjson', `${JSON.stringify({ id: 'x'.repeat(201), zpl: label(1) })}\n${JSON.stringify({ id: 'a\nb', zpl: label(1) })}\n`);
  assert.deepEqual(lines(run(['long.ndjson', '-o', '-']).out).slice(0, 2).map((l) => l.code), ['invalid_parameter', 'invalid_parameter']);
});

test('a line means the same here and in POST /api/batch: what can be an id; names that are no controls are told', () => {
  file('ids.ndjson', [true, '', null, [1], 7, 'x', undefined].map((id) => JSON.stringify({ id, zpl: label(1) })).join('\n'));
  assert.deepEqual(lines(run(['ids.ndjson', '-o', '-', '-q']).out).slice(0, 7).map((l) => [l.id, l.code]), [['1', 'invalid_parameter'], ['2', 'invalid_parameter'], ['3', 'invalid_parameter'], ['4', 'invalid_parameter'], ['7', undefined], ['x', undefined], ['7', 'duplicate_id']]);
  file('colour.ndjson', `${JSON.stringify({ id: 'a', zpl: label(1), colour: 'red', widhtMm: 20 })}\n${rows(1)}`);
  const told = run(['colour.ndjson', '-o', '-']);
  assert.equal(told.status, 0);
  assert.match(told.err, /^platen: a: There is no control 'colour'; it was ignored\.\nplaten: a: There is no control 'widhtMm'; it was ignored\.\n/);
  assert.deepEqual(lines(told.out).slice(0, 2).map((l) => l.unknown), [['colour', 'widhtMm'], undefined]);
  assert.equal(run(['colour.ndjson', '-o', '-', '--strict']).status, 1);
});

test('strict refuses in rows what it refuses in files: also what belongs to no label, or to one that is not drawn', () => {
  const codes = { outside: `junk ^QQ1\n${label(1)}`, inside: label(1).replace('^XZ', '^QQ^XZ'), other: `^XA^QQ^FO9,9^GB9,9^FS^XZ${label(2)}`, clean: label(3) };
  for (const [id, zpl] of Object.entries(codes)) {
    const page = id === 'other' ? 1 : 0;
    file('one.zpl', zpl);
    file('one.ndjson', `${JSON.stringify({ id, zpl, page })}\n`);
    const status = id === 'clean' ? 0 : 1;
    assert.equal(run(['one.zpl', '-o', 'one.png', '--strict', '--page', String(page)]).status, status, id);
    assert.equal(run(['one.ndjson', '--out-dir', 'strict', '--strict']).status, status, id);
    assert.equal(fs.existsSync(at(`strict/${id}.png`)), id === 'clean');
  }
});

test('--timeout is the time of each row', () => {
  // It would take minutes, so that the other has seconds.
  const slow = `^XA^PW800^LL1200${'^FO0,0^GB800,1200,600^FS^FO0,0^FR^GB800,1200,600^FS'.repeat(2000)}^FO9,9^SN001,1,Y^FS^PQ500,0,0^XZ`;
  file('slow.ndjson', `${JSON.stringify({ id: 'slow', zpl: slow })}\n${JSON.stringify({ id: 'quick', zpl: label(1) })}\n`);
  const { status, out } = run(['slow.ndjson', '-o', '-', '--timeout', '10s']);
  assert.equal(status, 1);
  assert.deepEqual(lines(out).slice(0, 2).map((l) => [l.id, l.ok, l.code]), [['slow', false, 'render_timeout'], ['quick', true, undefined]]);
});

// render --template refused "^" where fmt --fill escaped it: the same rows gave labels by one way and an error by the other.
test('every way of filling in values gives the same labels', () => {
  const cases = [
    ['^XA^FO20,20^A0N,40,40^FD{{v}}^FS^XZ', ['plain', 'a^XZb', '~JA', 'a_b', 'tab\tx']],
    ['^XA^FO20,20^A0N,40,40^FH^FD_41{{v}}^FS^XZ', ['plain', '_42', '^']],
    ['^XA^FO20,20^A0N,30,30^FB300,3^FD{{v}}^FS^XZ', ['one\ntwo', 'a\\&b', 'a\\b']],
    ['^XA^FO20,20^A0N,30,30^TBN,300,90^FD{{v}}^FS^XZ', ['one\ntwo', 'a<b>c']],
    ['^XA^FO20,20^BXN,4,200,,,,#^FD{{v}}^FS^XZ', ['one\ntwo', '#1#JA', '~1']],
    ['^XA^FO20,20^B7N,4^FD{{v}}^FS^XZ', ['one\ntwo', 'a\\&b']],
    ['^XA^FO20,20^A0N,40,40^FN1"v"^FS^XZ', ['plain', '^x']],
    ['^XA^CC+^XZ+XA+FO20,20+A0N,40,40+FD{{v}}+FS+XZ', ['a+b', 'a^b']],
    ['^XA^FO{{v}},20^A0N,40,40^FDx^FS^XZ', ['20', '200']],
  ];
  for (const [zpl, values] of cases) {
    file('way.zpl', zpl);
    const table = values.map((v, i) => ({ id: `i${i}`, v }));
    file('way.json', JSON.stringify(table));
    file('way.ndjson', table.map((row) => `${JSON.stringify(row)}\n`).join(''));
    file('way.csv', `v\n${values.map((v) => `"${v}"\n`).join('')}`);
    const fill = (rows) => spawnSync(platen, ['fmt', '--fill', rows, 'way.zpl'], { cwd: dir, encoding: 'utf8' });
    const codes = [fill('way.json'), fill('way.csv')];
    assert.deepEqual(codes.map((c) => [c.status, c.stdout]), Array(2).fill([0, codes[0].stdout]), zpl);
    const whole = lines(run(['-', '-f', 'json'], { input: codes[0].stdout }).out)[0].labels.map((l) => l.data);
    for (const rows of ['way.ndjson', 'way.csv']) {
      const r = run([rows, '--template', 'way.zpl', '-o', '-', '-j', '1']);
      assert.equal(r.status, 0, r.err);
      assert.deepEqual(lines(r.out).slice(0, values.length).map((l) => l.data), whole, `${zpl} ${rows}`);
    }
  }
});

// --template had a grammar of its own: what --fill left alone, or took from ^FN, it refused.
test('--template and --fill agree on what is a placeholder', () => {
  const cases = [
    ['^XA^FX use {{name}}^FS^FO20,20^A0N,40,40^FDx^FS^XZ', { a: '1' }, 0],
    ['^XA^FO20,20^A0N,40,40^FD{{}}^FS^XZ', { a: '1' }, 0],
    ['^XA^FO20,20^A0N,40,40^FDa{{b^FS^FO20,90^A0N,40,40^FDc}}d^FS^XZ', { a: '1' }, 0],
    ['^XA^FO20,20^A0N,40,40^FN7"a"^FD{{x}}^FS^XZ', { a: 'A' }, 0],
    ['^XA^FO20,20^A0N,40,40^FN1"a"^FDdef^FS^XZ', {}, 0],
    ['^XA^FO20,20^A0N,40,40^FD{{a}}^FDlast^FS^XZ', { b: '1' }, 0],
    ['^XA^FO20,20^A0N,40,40^FD{{{a}}}^FS^XZ', { a: '1', '{a': '2' }, 0],
    ['^XA^FO{{a,b}},20^A0N,40,40^FDx^FS^XZ', { 'a,b': '90' }, 0],
    ['^XA^FH{{^FO20,20^A0N,40,40^FD{{a}}^FS^XZ', { a: '{41' }, 0],
    ['^XA^FO20,20^A0N,40,40^FD{{a}}^FS^XZ', { b: '1' }, 1],
    ['^XA^FO{{x}},20^A0N,40,40^FDx^FS^XZ', { a: '1' }, 1],
  ];
  for (const [zpl, row, status] of cases) {
    file('agree.zpl', zpl);
    file('agree.ndjson', `${JSON.stringify(row)}\n`);
    const names = Object.keys(row);
    const tables = names.length ? ['agree.ndjson', 'agree.csv'] : ['agree.ndjson'];
    file('agree.csv', [names, Object.values(row)].map((r) => `${r.map((v) => `"${v}"`).join(',')}\n`).join(''));
    const fill = spawnSync(platen, ['fmt', '--fill', 'agree.ndjson', 'agree.zpl'], { cwd: dir, encoding: 'utf8' });
    assert.equal(fill.status, status, `${zpl} ${fill.stderr}`);
    for (const table of tables) {
      const r = run([table, '--template', 'agree.zpl', '-o', '-', '-j', '1']);
      assert.equal(r.status, status, `${zpl} ${table} ${r.err}`);
      if (status === 0)
        assert.equal(lines(r.out)[0].data, lines(run(['-', '-f', 'json'], { input: fill.stdout }).out)[0].labels[0].data, `${zpl} ${table}`);
    }
  }
});

// A row went through CSV, whose rows are at most 1 MiB, and the library had limits that no option changed.
test('a long value with a prefix in it fills a template, within the limits of the command line', () => {
  file('long.zpl', '^XA^FO20,20^A0N,40,40^FD{{v}}^FS^XZ');
  file('long.ndjson', `${JSON.stringify({ v: `^${'x'.repeat(1_100_000)}` })}\n`);
  const args = ['long.ndjson', '--template', 'long.zpl', '-o', '-', '-j', '1'];
  const whole = run(args);
  assert.equal(whole.status, 0, whole.err);
  const short = run([...args, '--max-memory', '2MiB']);
  assert.equal(short.status, 1);
  assert.equal(lines(short.out)[0].code, 'limit_exceeded', short.err);
});

test('bytes that are not UTF-8 in rows of CSV reach the fields that the library fills in', () => {
  file('latin.zpl', '^XA^CI27^FO20,20^A0N,40,40^FN1"v"^FS^XZ');
  file('latin.csv', Buffer.from('v\n\xe4\xf6\n', 'latin1'));
  const r = run(['latin.csv', '--template', 'latin.zpl', '-o', '-', '-j', '1']);
  assert.equal(r.status, 0, r.err);
  const one = run(['-'], { input: Buffer.from('^XA^CI27^FO20,20^A0N,40,40^FD\xe4\xf6^FS^XZ', 'latin1') }).out;
  assert.deepEqual(Buffer.from(lines(r.out)[0].data, 'base64'), one);
});

// A row of NDJSON could have 64 members, a row of CSV and of --fill 1000.
test('a row of NDJSON for a template may have as many values as one of CSV', () => {
  file('wide.zpl', '^XA^FO20,20^A0N,40,40^FD{{c999}}^FS^XZ');
  const wide = (n) => file('wide.ndjson', `${JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`c${i}`, `v${i}`])))}\n`);
  const args = ['wide.ndjson', '--template', 'wide.zpl', '-o', '-', '-j', '1'];
  wide(1000);
  const most = run(args);
  assert.equal(most.status, 0, most.err);
  assert.deepEqual(Buffer.from(lines(most.out)[0].data, 'base64'), run(['-'], { input: '^XA^FO20,20^A0N,40,40^FDv999^FS^XZ' }).out);
  wide(1001);
  assert.match(run(args).err, /The row has more than 1000 fields\./);
  file('wide.ndjson', '{"c999":\n');
  assert.match(run(args).err, /The row is not valid JSON/);
});

// The message named no row of a file of 100,000.
test('a mistake of a CSV file names its row', () => {
  file('bad.zpl', '^XA^FO20,20^A0N,40,40^FD{{v}}^FS^XZ');
  const told = (text) => {
    file('bad.csv', text);
    const { status, err } = run(['bad.csv', '--template', 'bad.zpl', '-o', '-', '-q', '-j', '1']);
    assert.equal(status, 1);
    return err;
  };
  // A value of two lines and an empty line come before it.
  const before = 'v,w\n"a\nb",1\n\nc,2\n';
  assert.equal(told(`${before}${'x,'.repeat(1999)}x\n`), 'platen: bad.csv: row 3 (line 6) has more than 1000 fields\n');
  assert.equal(told(`${before}${'x'.repeat(1048577)}\nd,3\n`), 'platen: bad.csv: row 3 (line 6) is longer than 1048576 bytes; is a quote missing?\n');
  assert.equal(told(`${before}"d""e\nf","g\nh\n`), 'platen: bad.csv: row 3 (line 6) has a quote that does not end; it opens in line 7\n');
  assert.equal(told(`${'v,'.repeat(1000)}v\n`), 'platen: bad.csv: the first row has more than 1000 fields\n');
  file('bad.csv', `${before}${'x,'.repeat(1999)}x\n`);
  const fill = spawnSync(platen, ['fmt', '--fill', at('bad.csv'), at('bad.zpl')]);
  assert.match(fill.stderr.toString(), /[Rr]ow 3 \(line 6\) has more than 1000 fields\. \[limit_exceeded\]\n/);
});

// An export that came out empty ended with 0.
test('a template without rows is an error, whatever is written', () => {
  file('none.zpl', label(1));
  for (const [name, text] of [['none.csv', ''], ['none.csv', 'id,name\n'], ['none.ndjson', '']]) {
    file(name, text);
    for (const output of [['-o', 'none.zip'], ['-o', 'lines.ndjson'], ['-o', 'none.pdf'], ['-o', '-'], ['--out-dir', 'none']]) {
      const { status, err } = run([name, '--template', 'none.zpl', ...output]);
      assert.deepEqual([status, err], [1, `platen: ${name}: there are no rows of values\n`], `${name} ${output}`);
    }
  }
  assert.ok(!fs.existsSync(at('none.zip')), 'no output is left');
  file('one.csv', 'id\na\n');
  assert.equal(run(['one.csv', 'none.csv', '--template', 'none.zpl', '-o', 'one.zip']).status, 0, 'one of several may be empty');
  assert.equal(run(['none.ndjson', '-o', 'none.zip']).status, 0, 'without a template there is nothing to fill in');
});

// The second file was refused as a duplicate, in silence with -q.
test('two files of one name make two pages of a PDF; where each needs a name the error is printed with -q too', () => {
  file('one/same.zpl', label(1));
  file('two/same.zpl', label(2));
  const pdf = run(['one/same.zpl', 'two/same.zpl', '-o', 'same.pdf']);
  assert.equal(pdf.status, 0, pdf.err);
  assert.match(execFileSync('pdfinfo', [at('same.pdf')]).toString(), /Pages:\s+2/);
  const zip = run(['-q', 'one/same.zpl', 'two/same.zpl', '-o', 'same.zip']);
  assert.equal(zip.status, 1);
  assert.match(zip.err, /same: another document before it has the same id/);
});

test('rows with warnings are counted: UTF-8 without ^CI28 was printed wrong without a word', () => {
  file('accents.zpl', '^XA^FO9,9^A0N,30^FD{{name}}^FS^XZ');
  file('accents.csv', 'name\nJosé\nAnn\n');
  const args = ['accents.csv', '--template', 'accents.zpl', '-o', 'accents.pdf'];
  assert.match(run(args).err, /^2 rendered, 0 failed\n1 of them with warnings: /);
  assert.equal(run([...args, '-q']).err, '');
});

// Nothing that is there waits for what may come: each part is written when the labels of the one before it have arrived.
for (const more of [['-j', '1'], ['-j', '2'], ['-j', '2', '--timeout', '10m']]) {
  test(`rows that come one by one are drawn and written one by one: ${more.join(' ')}`, async () => {
    const line = (id) => `${JSON.stringify({ id, zpl: label(id) })}\n`;
    file('d.zpl', '^XA^FO20,20^A0N,40,40^FD{{name}}^FS^XZ');
    file('first.ndjson', line('first'));
    const out = at(`drips${more.length}${more[1]}`);
    // What is written, and the labels that must then be there; the last part leaves a row that is not whole.
    const lines = [[line('a'), ['a']], [line('b') + line('c'), ['b', 'c']], [line('d') + line('e').slice(0, 20), ['d']], [line('e').slice(20), ['e']]];
    const table = [['id,name\n', []], ['a,1\nb,2\n', ['a', 'b']], ['c,"3\n', []], ['4"\n', ['c']]];
    for (const [name, args, parts] of [
      ['lines', ['--rows', 'ndjson', '-'], lines],
      ['behind', ['--rows', 'ndjson', 'first.ndjson', '-'], [['', ['first']], ...lines]],
      ['table', ['--rows', 'csv', '--template', 'd.zpl', '-'], table],
      ['whole', ['first.ndjson', '-'], [['', ['first']]]],
    ]) {
      for (const packed of [false, true]) {
        const where = packed ? ['-o', '-', '--as', 'ndjson'] : ['--out-dir', `${out}${name}`];
        const child = spawn(platen, ['render', ...args, ...where, ...more, '-q'], { cwd: dir, stdio: ['pipe', 'pipe', 'inherit'] });
        const ended = once(child, 'close');
        let said = '';
        child.stdout.on('data', (data) => { said += data; });
        const has = (id) => (packed ? said.includes(`{"id":"${id}"`) && said.endsWith('\n') : fs.existsSync(`${out}${name}/${id}.png`));
        for (const [text, ids] of parts) {
          if (text) child.stdin.write(text);
          await until(() => ids.every(has), `${name}: ${ids}`).catch((error) => child.kill() && assert.fail(error));
        }
        child.stdin.end(name === 'whole' ? label('whole') : '');
        assert.deepEqual(await ended, [0, null]);
      }
    }
  });
}

test('a value with a comma that moves parameters was printed without a word', () => {
  file('comma.zpl', '^XA^FO{{x}},20^A0N,40,40^FDhi^FS^XZ');
  file('comma.csv', 'id,x\nfine,5\nmoved,"5,700"\n');
  file('comma.ndjson', '{"id":"fine","x":"5"}\n{"id":"moved","x":"5,700"}\n');
  for (const rows of ['comma.csv', 'comma.ndjson']) for (const more of [[], ['--timeout', '20s']]) {
    const args = [rows, '--template', 'comma.zpl', ...more];
    assert.match(run([...args, '-o', 'comma.pdf']).err, /^2 rendered, 0 failed\n1 of them with warnings: /);
    const strict = run([...args, '--strict', '-o', 'comma.zip']);
    assert.equal(strict.status, 1);
    assert.match(strict.err, /platen: moved: there are warnings.*\n1 rendered, 1 failed/);
  }
});
