// Virtual printers read EPL2 and TSPL: jobs, questions, graphics by count, languages one after the other, ports of one language.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startPrinters } from './printer.js';

const build = process.env.BUILD || 'build';
const ZPL = '^XA^FO50,50^A0N,50^FDzpl^FS^XZ';
const EPL = 'N\nA50,50,0,4,1,1,N,"epl"\nB50,100,0,1,2,4,80,N,"EPL-1"\nP1\n';
const TSPL = 'CLS\r\nTEXT 50,50,"3",0,1,1,"tspl"\r\nPRINT 1,1\r\n';
let p, one;
before(async () => {
  p = await startPrinters(['dock', 'fit'], ['--max-body', '1MiB'], ',size=auto');
  one = await startPrinters(['e'], [], ',language=epl');
});
after(async () => { await p?.stop(); await one?.stop(); });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-languages-'));
after(() => fs.rmSync(folder, { recursive: true }));
function rendered(code, ...args) {
  fs.writeFileSync(path.join(folder, 'a.prn'), code);
  execFileSync(`${build}/platen`, ['render', path.join(folder, 'a.prn'), '-q', '--profile', 'printer', '-o', path.join(folder, 'a.png'), ...args]);
  return fs.readFileSync(path.join(folder, 'a.png'));
}
const texts = (labels) => labels.map((label) => label.refused ? `refused: ${label.reason}` : label.label.elements[0].text);
async function printed(service, bytes, count, name) {
  let { lastSeq: seq } = await service.printer(name);
  const labels = [];
  await service.raw(bytes, { name });
  for (; labels.length < count; seq = labels.at(-1).seq) labels.push(await service.next(seq, 120, '', name));
  return labels;
}

describe('jobs', () => {
  test('an EPL2 label is the picture that platen render makes', async () => {
    const code = `q400\nQ240,24\n${EPL}`;
    const [label] = await printed(p, code, 1);
    assert.deepEqual([label.label.elements[0].text, label.label.elements[1].data], ['epl', 'EPL-1']);
    assert.deepEqual(await p.fetch(`/api/printers/dock/labels/${label.seq}.png`), rendered(code, '--size', 'auto'));
    assert.equal((await p.fetch(`/api/printers/dock/labels/${label.seq}.pdf`)).subarray(0, 5).toString(), '%PDF-');
  });

  test('byte by byte, with a graphic by count whose bytes look like commands', async () => {
    const picture = Buffer.from('\nP1\n^XA\nPRINT 1\n');
    const epl = Buffer.concat([Buffer.from(`q400\nQ240,24\nN\nGW8,8,4,${picture.length / 4},`), picture, Buffer.from('\nA50,50,0,4,1,1,N,"after"\nP1\n')]);
    const tspl = Buffer.concat([Buffer.from(`SIZE 400 dot,240 dot\nCLS\nBITMAP 8,8,4,${picture.length / 4},0,`), picture, Buffer.from('\nTEXT 50,50,"3",0,1,1,"after"\nPRINT 1\n')]);
    for (const code of [epl, tspl]) {
      const labels = await printed(p, [...code].map((byte) => Buffer.from([byte])), 1);
      assert.equal((await p.labels(labels[0].seq)).labels.length, 0);
      assert.deepEqual(await p.fetch(`/api/printers/dock/labels/${labels[0].seq}.png`), rendered(code, '--size', 'auto'));
    }
  });

  test('each P and PRINT prints, and settings hold for the jobs behind them', async () => {
    const labels = await printed(p, 'SIZE 400 dot,240 dot\n' + TSPL.repeat(3), 3);
    assert.deepEqual(texts(labels), ['tspl', 'tspl', 'tspl']);
    assert.equal(new Set(labels.map((label) => `${label.widthMm} ${label.heightMm}`)).size, 1);
    assert.ok(labels[0].widthMm > 49 && labels[0].widthMm < 51, `${labels[0].widthMm}`);
  });

  test('a stored form is there for later jobs', async () => {
    const form = 'FK"F"\nFS"F"\nV00,9,N,"name"\nA50,50,0,4,1,1,N,V00\nFE\n', use = (value) => `FR"F"\n?\n${value}\nP1\n`;
    assert.deepEqual(texts(await printed(p, form + use('one') + use('two'), 2)), ['one', 'two']);
    assert.deepEqual(texts(await printed(p, TSPL + use('three'), 2)), ['tspl', 'three'], 'and of another one, behind another language');
    await p.reset();
    assert.equal((await printed(p, `${use('gone')}LO9,9,9,9\nP1\n`, 1))[0].label.elements.length, 1, 'a reset forgets it');
  });

  test('languages one after the other on one connection', async () => {
    assert.deepEqual(texts(await printed(p, ZPL + EPL + ZPL + TSPL + EPL, 5)), ['zpl', 'epl', 'zpl', 'tspl', 'epl']);
  });

  test('a job that does not print is listed as refused', async () => {
    assert.deepEqual(texts(await printed(p, 'N\nLO10,10,50,50\n', 1)), ['refused: the input ended before the line that prints (P, PRINT)']);
  });

  test('what ZPL has stored outlives jobs of other languages', async () => {
    await printed(p, `^XA^DFR:F.ZPL^FO50,50^A0N,50^FN1^FS^XZ${EPL}${TSPL}`, 2);
    assert.deepEqual(texts(await printed(p, '^XA^XFR:F.ZPL^FN1^FDkept^FS^XZ', 1)), ['kept']);
  });

  test('over the API, too', async () => {
    const { lastSeq } = await p.printer();
    const { jobs } = await p.json('/api/printers/dock/print', { method: 'POST', body: EPL + ZPL });
    assert.equal(jobs, 2);
    const first = await p.next(lastSeq), second = await p.next(first.seq);
    assert.deepEqual(texts([first, second]), ['epl', 'zpl']);
  });
});

describe('questions', () => {
  const asked = async (question, answer, service = p) => (await service.raw(question, { until: (got) => got.length >= answer })).toString('latin1');
  test('EPL2: UQ, UF, UG', async () => {
    assert.match(await asked('q400\nUQ\r\n', 20), /^PLATEN EPL2\r\n[^]*q400/);
    assert.match(await asked('FS"F"\nA1,1,0,1,1,1,N,"x"\nFE\nUF\n', 5), /^001\r\nF/);
    assert.match(await asked('UG\n', 5), /^000\r\n/);
  });
  test('TSPL: status, model and code page, also inside of a job', async () => {
    assert.equal(await asked('\x1b!?', 1), '\0');
    assert.equal(await asked('~!T', 8), 'Platen\r\n');
    const { lastSeq } = await p.printer();
    assert.equal(await asked('CLS\nTEXT 50,50,"3",0,1,1,"asked"\n\x1b!?PRINT 1\n', 1), '\0');
    assert.deepEqual(texts([await p.next(lastSeq)]), ['asked']);
  });
});

describe('language=', () => {
  test('a port of one language takes no other', async () => {
    assert.deepEqual(texts(await printed(one, EPL, 1)), ['epl']);
    assert.match(texts(await printed(one, `${ZPL}\n`, 1))[0], /^refused: the input ended before the line that prints/);
  });
  test('a name that is none is refused at the start', () => {
    const { status, stderr } = (() => { try { execFileSync(`${build}/platen`, ['printer', '--printer', 'listen=127.0.0.1:0,language=klingon'], { stdio: 'pipe' }); return { status: 0 }; } catch (e) { return e; } })();
    assert.equal(status, 2);
    assert.match(stderr.toString(), /'language' is 'klingon', but must be auto, zpl, epl or tspl/);
  });
});
