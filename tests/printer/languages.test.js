// Printers that read EPL2, TSPL or CPCL: what is a label, what stays for the next one, what is told of the rest.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const EPL = (text) => `N\nq400\nQ200,24\nA20,20,0,3,1,1,N,"${text}"\nP1\n`;
const TSPL = (text) => `SIZE 50 mm,25 mm\r\nGAP 2 mm,0\r\nCLS\r\nTEXT 20,20,"3",0,1,1,"${text}"\r\nPRINT 1\r\n`;
const CPCL = (text) => `! 0 200 200 200 1\r\nTEXT 4 0 20 20 ${text}\r\nPRINT\r\n`;
const ZPL = (text) => `^XA^FO20,20^A0N,30^FD${text}^FS^XZ`;
const CODE = { epl: EPL, tspl: TSPL, cpcl: CPCL, zpl: ZPL };
const TITLES = { epl: 'EPL2', tspl: 'TSPL', cpcl: 'CPCL', zpl: 'ZPL' };
const texts = (label) => label.label.elements.filter((e) => e.type === 'text').map((e) => e.text);

/** The processor time of a process and those it started. */
function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A printer of one language, with what its tests ask. */
function printerOf(language) {
  const own = { p: undefined, stay: 0 };
  before(async () => { own.p = await startPrinters(['dock'], [], `,language=${language}`); });
  after(() => own.p?.stop());
  own.all = async (count, from = 0) => {
    const list = await until(async () => { const found = (await own.p.labels(from)).labels; return found.length >= count && found; });
    return Promise.all(list.map((l) => own.p.json(`/api/printers/dock/labels/${l.seq}.json`)));
  };
  own.last = async () => (await own.p.printer()).lastSeq;
  /** Sends it, waits until all of it was carried out, and gives the labels. */
  own.send = async (pieces, count) => {
    const from = await own.last();
    await own.p.raw(pieces);
    await until(async () => { const s = await own.p.printer(); return s.jobsWaiting === 0 && s.connections === own.stay; });
    const list = await own.all(count, from);
    assert.equal(list.length, count, list.map((l) => l.reason ?? texts(l)).join(' | '));
    return list;
  };
  /** A connection that stays: what is written, and the label behind those that it has given. */
  own.open = async () => {
    let from = await own.last();
    const socket = net.connect(own.p.ports.dock, '127.0.0.1');
    await once(socket, 'connect');
    const next = async (text) => {
      from = Math.max(from, text ? await own.last() : 0);
      if (text) socket.write(text);
      const label = await own.p.next(from);
      from = label.seq;
      return label;
    };
    own.stay++;
    return { next, write: (text) => socket.write(text), end: () => { socket.destroy(); own.stay--; } };
  };
  /** Waits until the printer holds what `of` says of its memory. */
  own.holds = (of) => until(async () => of(Object.fromEntries((await own.p.printer()).memory.map((o) => [o.name, o.bytes]))));
  /** Cut at every place of a small input: the labels are the same. */
  own.cuts = async (input, wanted) => {
    const bytes = Buffer.from(input, 'latin1');
    for (let at = 1; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 23))) {
      const list = await own.send([bytes.subarray(0, at), bytes.subarray(at)], wanted.length);
      assert.deepEqual(list.map((l) => texts(l).join()), wanted, `cut at ${at}`);
    }
  };
  return own;
}

for (const language of ['epl', 'tspl', 'cpcl']) {
  describe(`a printer of ${TITLES[language]}`, () => {
    const own = printerOf(language);
    const code = CODE[language];

    test('prints a label while its client stays connected', async () => {
      const from = await own.last();
      const socket = net.connect(own.p.ports.dock, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(code('one'));
      assert.deepEqual(texts(await own.p.next(from)), ['one']);
      socket.write(code('two'));
      assert.deepEqual(texts(await own.p.next(from + 1)), ['two']);
      socket.destroy();
    });

    test('gives the same labels however the input is cut', () => own.cuts(code('one') + code('two') + code('three'), ['one', 'two', 'three']));

    test('says its language in the list, in JSON and of the printer', async () => {
      const [label] = await own.send(code('named'), 1);
      assert.equal(label.language, language);
      assert.equal((await own.p.printer()).language, language);
      assert.equal((await own.p.labels(label.seq - 1)).labels[0].language, language);
      assert.equal(label.zpl.trimEnd(), code('named').trimEnd());
      for (const ext of ['png', 'pdf', 'zpl', language]) assert.equal((await fetch(`${own.p.url}/api/printers/dock/labels/${label.seq}.${ext}`)).status, 200, ext);
    });

    test('takes it by HTTP, too', async () => {
      const from = await own.last();
      const answer = await own.p.json('/api/printers/dock/print', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: code('by HTTP') });
      assert.equal(answer.status, 202);
      assert.deepEqual(texts(await own.p.next(from)), ['by HTTP']);
    });

    test('lists code of other languages with what it looks like', async () => {
      for (const other of Object.keys(CODE).filter((l) => l !== language)) {
        const [refused] = await own.send(CODE[other]('lost'), 1);
        assert.equal(refused.reason, `this looks like ${TITLES[other]}; this printer reads ${TITLES[language]}`);
        assert.equal(refused.refused, true);
        assert.ok(refused.zpl.includes('lost'), refused.zpl);
      }
      assert.deepEqual(texts((await own.send(code('after them'), 1))[0]), ['after them']);
    });

    test('lists code of another language before its own, and prints what is behind it', async () => {
      for (const other of Object.keys(CODE).filter((l) => l !== language)) {
        const list = await own.send(`${CODE[other]('lost')}\r\n${code('own')}`, 2);
        assert.deepEqual(list.map((l) => l.reason ?? texts(l).join()), [`this looks like ${TITLES[other]}; this printer reads ${TITLES[language]}`, 'own']);
      }
    });

    test('data that is stored is of no language', async () => {
      for (const other of Object.keys(CODE).filter((l) => l !== language)) {
        const data = CODE[other]('stored'), name = `${other.toUpperCase()}.TXT`;
        const download = {
          epl: `GM"${other}"${data.length}\n${data}\n`,
          tspl: `DOWNLOAD "${name}",${data.length},${data}\r\n`,
          cpcl: `! CISDFCRC16\r\n0000\r\n${name}\r\n${data.length.toString(16)}\r\n0000\r\n${data}\r\n`,
        }[language];
        assert.deepEqual(texts((await own.send(`${download}${code('label')}`, 1))[0]), ['label']);
      }
    });

    test('bytes of a graphic are of no language', async () => {
      for (const other of Object.keys(CODE).filter((l) => l !== language)) {
        const bytes = `\n${CODE[other]('inside')}`;
        const graphic = {
          epl: `N\nGW5,5,1,${bytes.length},${bytes}\nP1\n`,
          tspl: `CLS\r\nBITMAP 5,5,1,${bytes.length},0,${bytes}\r\nPRINT 1\r\n`,
          cpcl: `! 0 200 200 240 1\r\nCG 1 ${bytes.length} 5 5 ${bytes}\r\nPRINT\r\n`,
        }[language];
        const list = await own.send(`${code('before')}${graphic}${code('behind')}`, 3);
        assert.deepEqual(list.map((l) => l.reason ?? texts(l).join()), ['before', '', 'behind'], other);
      }
    });

    test('how many jobs a request is does not depend on those that wait', async () => {
      const stored = { epl: 'FS"F"\nFE\n', tspl: 'DOWNLOAD "F.BAS"\r\nEOP\r\n', cpcl: `! DF F.FMT\r\n${code('form')}` }[language];
      const print = (body) => own.p.json('/api/printers/dock/print', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body });
      for (let i = 0; i < 3; i++) assert.deepEqual(await print(stored.repeat(40) + code('last')), { status: 202, ok: true, jobs: 41 });
      await until(async () => { const s = await own.p.printer(); return s.jobsWaiting === 0 && s.labelsWaiting === 0; });
    });

    test('lists a label whose end does not come, and forgets it', async () => {
      const cut = code('half').replace(/P(1|RINT).*$/s, '');
      const [refused] = await own.send(cut, 1);
      assert.match(refused.reason, /^the input ended before P/);
      assert.deepEqual(texts((await own.send(code('whole'), 1))[0]), ['whole']);
    });

    test('is as new after a reset', async () => {
      await own.send(code('before'), 1);
      const state = await own.p.reset();
      assert.equal(state.status, 200);
      assert.deepEqual(state.memory, []);
      assert.deepEqual(texts((await own.send(code('after'), 1))[0]), ['after']);
    });

    test('takes time in proportion to what is sent', async () => {
      // Without anything that prints: all of the work is the splitter's, and one job at the end.
      const lines = { epl: 'q400\nR0,0\nFK"X"\nV00,5,N,"x"\n', tspl: 'SIZE 50 mm,25 mm\r\nA$="x"\r\nREM "y"\r\n', cpcl: '! U1 SETMAG 1 1\r\n' }[language];
      const cost = async (bytes) => {
        const used = cpuSeconds(own.p.pid);
        await own.p.raw(Buffer.from(lines.repeat(bytes / lines.length)));
        return cpuSeconds(own.p.pid) - used;
      };
      const one = await cost(1 << 20), two = await cost(2 << 20);
      assert.ok(two <= 3 * one + 0.3, `${one} s of the front for 1 MB, ${two} s for 2 MB`);
    });
  });
}

describe('EPL2', () => {
  const own = printerOf('epl');
  const FORM = (name, text) => `FK"${name}"\nFS"${name}"\nV00,12,N,"article"\nV01,12,N,"lot"\nA20,20,0,3,1,1,N,"${text}"V00\nA20,60,0,3,1,1,N,V01\nFE\n`;

  test('forms stay for other connections; values may look like commands', async () => {
    await own.send(FORM('SHIP', 'Art. '), 0);
    const [label] = await own.send('FR"SHIP"\n?\nP1234\nP1\nP1\n', 1);
    assert.deepEqual(texts(label), ['Art. P1234', 'P1']);
    await own.cuts('FR"SHIP"\n?\nP1234\nP1\nP1\nFR"SHIP"\n?\n\nN\nP2\n', ['Art. P1234,P1', 'Art. ,N']);
  });

  test('the last form of a name is printed, never an older one', async () => {
    for (const text of ['old ', 'new ']) await own.send(FORM('SAME', text), 0);
    assert.deepEqual(texts((await own.send('FR"SAME"\n?\na\nb\nP1\n', 1))[0]), ['new a', 'b']);
    await own.send(`${FORM('SAME', 'third ')}FR"SAME"\n?\nx\ny\nP1\n${FORM('SAME', 'fourth ')}`, 1);
    assert.deepEqual(texts((await own.send('FR"SAME"\n?\na\nb\nP1\n', 1))[0]), ['fourth a', 'b']);
  });

  test('a form with PA is printed when its values are there, on an open connection', async () => {
    await own.send(FORM('AUTO', 'at once ').replace('FE', 'PA1\nFE'), 0);
    const from = await own.last();
    const socket = net.connect(own.p.ports.dock, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('FR"AUTO"\n?\na\nb\n');
    assert.deepEqual(texts(await own.p.next(from)), ['at once a', 'b']);
    socket.destroy();
  });

  test('a form counts for others from its end on, while its client stays connected', async () => {
    const open = await own.open(), text = (words) => FORM('SHARED', words);
    await own.send(text('old '), 0);
    for (const [words, before] of [['a newer one ', ''], ['the newest of all ', EPL('x').replace('P1\n', '')]]) {
      const bytes = text(words).split('\n').slice(2, -2).join('\n').length + 1;
      open.write(`${before}${text(words)}`);
      await own.holds((memory) => memory['R:SHARED.EPL'] === bytes);
      assert.deepEqual(texts((await own.send('FR"SHARED"\n?\na\nP1\nP1\n', 1))[0]), [`${words}a`, 'P1']);
    }
    // In half a label, which is never printed.
    open.write('FK"SHARED"\n');
    await own.holds((memory) => !memory['R:SHARED.EPL']);
    const from = await own.last();
    open.end();
    assert.match((await own.p.next(from)).reason, /^the input ended before P/);
    const [refused] = await own.send('FR"SHARED"\n?\nP1\n', 1);
    assert.match(refused.reason, /^nothing was drawn for this print/);
  });

  test('a form that waits with its label is known, also when another connection has printed meanwhile', async () => {
    const open = await own.open();
    const held = `N\nGG9,99,"NONE"\nA20,20,0,3,1,1,N,"first"\n${FORM('HELD', 'held ')}`;
    open.write(held);
    await until(async () => (await own.p.printer()).inputBytes >= held.length);
    await own.send(EPL('between'), 1);
    assert.deepEqual(texts(await open.next('P1\nFR"HELD"\n?\nP1\nP2\nP1\n')), ['first']);
    assert.deepEqual(texts(await open.next('')), ['held P1', 'P2']);
    open.end();
  });

  test('forms that came where nothing could be counted are known when they are stored', async () => {
    const unclear = `b1,1,Q,"${'x\n'.repeat(2500)}"y\n`;
    await own.send(`${unclear}${FORM('LATER', 'later ')}`, 1);
    await own.cuts('FR"LATER"\n?\nP1\nP2\nP1\n', ['later P1,P2']);
  });

  test('settings stay, and a print of nothing is refused', async () => {
    await own.send('q400\nQ200,24\nR100,40\nI8,A,001\n', 0);
    const [label] = await own.send('N\nA0,0,0,3,1,1,N,"\xE4"\nP1\n'.replace('\xE4', 'x'), 1);
    assert.ok(label.label.elements[0].x >= 100, 'the reference point is that of the connection before');
    for (const blank of ['P1\n', 'N\nP1\n']) {
      const [refused] = await own.send(blank, 1);
      assert.match(refused.reason, /^nothing was drawn for this print/);
    }
    await own.send('R0,0\n', 0);
    const list = await own.send(`${EPL('one')}P1\n${EPL('two')}`, 3);
    assert.deepEqual(list.map((l) => l.reason?.slice(0, 17) ?? texts(l).join()), ['one', 'nothing was drawn', 'two']);
  });

  test('counted bytes hide commands', async () => {
    const bytes = Buffer.from('\nP1\nN\nFS"X"\n?\n'.padEnd(64, '\n'), 'latin1');
    const label = Buffer.concat([Buffer.from('N\nA20,20,0,3,1,1,N,"beside"\nGW10,60,8,8,'), bytes, Buffer.from('\nP1\n')]);
    await own.cuts(label.toString('latin1'), ['beside']);
    // A graphic that is stored, with a file that begins with the line feed of PCX.
    const pcx = Buffer.alloc(128 + 2);
    pcx.set([10, 5, 1, 1, 0, 0, 0, 0, 7, 0, 0, 0]);
    pcx[65] = 1;
    pcx[66] = 2;
    pcx.set([0x0a, 0x50], 128);
    await own.send(Buffer.concat([Buffer.from(`GK"L"\nGM"L"${pcx.length}\n`), pcx, Buffer.from('\n')]), 0);
    const [with_logo] = await own.send('N\nGG10,10,"L"\nP1\n', 1);
    assert.equal(with_logo.label.elements.length, 1);
    assert.ok(!with_logo.label.warnings.some((w) => w.code === 'object_not_found'), 'the graphic is stored');
  });

  test('questions are answered, between labels at once', async () => {
    const got = await own.p.raw('UQ\n', { open: true, until: (bytes) => bytes.includes('q') });
    assert.match(got.toString(), /EPL2/);
  });

  test('commands of EPL2 that begin with a caret are no ZPL', async () => {
    assert.deepEqual(texts((await own.send(['^ee\n', `^@\n${EPL('one')}`], 1))[0]), ['one']);
  });

  test('ZPL, and EPL2 behind it: both are told', async () => {
    const list = await own.send([`${EPL('one')}N\nP1\n`, ZPL('zebra')], 3);
    assert.deepEqual(list.map((l) => l.reason ?? texts(l).join()), ['one', 'nothing was drawn for this print: the printer keeps no image from one print to the next', 'this looks like ZPL; this printer reads EPL2']);
  });

  test('many forms, long names, wrong counts and unfinished ones do no harm', async () => {
    const forms = Array.from({ length: 100 }, (_, i) => `FS"F${i}"\nV00,9,N,""\nA1,1,0,3,1,1,N,V00\nFE\n`).join('');
    await own.send(`${forms}FS"${'n'.repeat(300)}"\nGW1,1,99999999999999999999,5,`, 1);
    assert.deepEqual(texts((await own.send(EPL('still here'), 1))[0]), ['still here']);
    await own.p.reset();
    await own.send(`${forms}`, 0);
    // Of a form beyond those that are known here, the values are not counted: the label comes when the client ends.
    assert.deepEqual(texts((await own.send('FR"F99"\n?\nP1\nP1\n', 1))[0]), ['P1']);
  });
});

describe('TSPL', () => {
  const own = printerOf('tspl');

  test('settings, counters and files stay for other connections', async () => {
    await own.send('SIZE 40 mm,20 mm\r\nREFERENCE 50,10\r\nSET COUNTER @1 1\r\n@1="007"\r\n', 0);
    for (const number of ['007', '008']) {
      const [label] = await own.send('CLS\r\nTEXT 0,0,"3",0,1,1,@1\r\nPRINT 1\r\n', 1);
      assert.deepEqual(texts(label), [number]);
      assert.ok(label.label.elements[0].x >= 50, 'the reference point is that of the connection before');
    }
    await own.send('DOWNLOAD "HEAD.BAS"\r\nTEXT 0,0,"3",0,1,1,"stored"\r\nPRINT 1\r\nEOP\r\n', 0);
    assert.deepEqual(texts((await own.send('CLS\r\nRUN "HEAD.BAS"\r\n', 1))[0]), ['stored']);
    await own.p.reset();
  });

  test('a program that was sent with its size stays as it is, also with EOP inside', async () => {
    const program = 'TEXT 0,0,"3",0,1,1,"inside"\r\nPRINT 1\r\nEOP\r\nREFERENCE 300,0\r\n';
    const sizes = async () => Object.fromEntries((await own.p.printer()).memory.map((o) => [o.name, o.bytes]));
    await own.send(`DOWNLOAD "SIZED.BAS",${program.length},${program}DOWNLOAD "LINES"\r\nSIZE 40 mm,20 mm\r\nEOP\r\n`, 0);
    const before = await sizes();
    assert.equal(before['R:SIZED.BAS'], program.length);
    assert.ok(before['R:LINES'] > 0, Object.keys(before).join());
    for (const name of ['A', 'B', 'C']) await own.send(`DOWNLOAD "${name}.BAS"\r\nCLS\r\nEOP\r\n`, 0);
    const { 'R:SIZED.BAS': sized, 'R:LINES': lines } = await sizes();
    assert.deepEqual([sized, lines], [before['R:SIZED.BAS'], before['R:LINES']], 'they do not grow with each job');
    const [label] = await own.send(TSPL('beside'), 1);
    assert.ok(label.label.elements[0].x < 100, 'what is behind EOP was not carried out');
    assert.deepEqual(texts((await own.send('CLS\r\nRUN "SIZED.BAS"\r\n', 1))[0]), ['inside']);
    await own.p.reset();
  });

  test('a program is stored and run at once, on a connection that stays', async () => {
    const open = await own.open();
    const program = (text) => `CLS\r\nTEXT 0,0,"3",0,1,1,"${text}"\r\nPRINT 1\r\n`;
    assert.deepEqual(texts(await open.next(`DOWNLOAD "AT.BAS"\r\n${program('lines')}EOP\r\nRUN "AT.BAS"\r\n`)), ['lines']);
    open.write(`DOWNLOAD F,"SIZED.BAS",${program('sized').length},${program('sized')}`);
    await own.holds((memory) => memory['E:SIZED.BAS']);
    assert.deepEqual(texts(await open.next('RUN "SIZED.BAS"\r\n')), ['sized']);
    assert.deepEqual(texts(await open.next('sized\r\n')), ['sized']); // by its name alone
    // One that draws, and leaves the printing to the label around it.
    assert.deepEqual(texts(await open.next('DOWNLOAD "LOGO.BAS"\r\nTEXT 0,0,"3",0,1,1,"logo"\r\nEOP\r\nCLS\r\nRUN "LOGO.BAS"\r\nTEXT 0,80,"3",0,1,1,"label"\r\nPRINT 1\r\n')), ['logo', 'label']);
    open.end();
    await own.p.reset();
  });

  test('what is unfinished does not take the label of a program along', async () => {
    const program = (name, lines) => `DOWNLOAD "${name}.BAS"\r\n${lines}EOP\r\n`;
    await own.send(program('INNER', 'CLS\r\nTEXT 0,0,"3",0,1,1,"inner"\r\nPRINT 1\r\n') + program('OUTER', 'INNER\r\n'), 0);
    for (const call of ['OUTER\r\n', 'RUN "OUTER"\r\n', 'INNER\r\n']) {
      const list = await own.send(`${call}CLS\r\nTEXT 0,0,"3",0,1,1,"half"\r\n`, 2);
      assert.deepEqual(list.map((l) => l.reason ?? texts(l).join()), ['inner', 'the input ended before PRINT, or inside of a file']);
      assert.match(list[1].zpl, /half/);
    }
    await own.p.reset();
  });

  test('bytes of a graphic in a program may look like its end', async () => {
    const program = 'CLS\r\nBITMAP 0,0,1,7,0,\r\nEOP\r\nTEXT 0,80,"3",0,1,1,"behind"\r\nPRINT 1\r\n';
    for (const name of ['G.BAS', 'G.PRG']) {
      await own.send(`DOWNLOAD "${name}"\r\n${program}EOP\r\n`, 0);
      for (let i = 0; i < 2; i++) { // as it came, and as the printer's memory has it
        const [label] = await own.send(`RUN "${name}"\r\n`, 1);
        assert.deepEqual(label.label.elements.map((e) => e.text || e.type), ['image', 'behind']);
        await own.send(TSPL('between'), 1);
      }
    }
    await own.p.reset();
  });

  test('a job may print any number of labels that are written out', async () => {
    const many = Array.from({ length: 501 }, (_, i) => `CLS\r\nTEXT 0,0,"3",0,1,1,"n${i}"\r\nPRINT 1\r\n`).join('');
    await own.send(`DOWNLOAD "MANY.BAS",${many.length},${many}`, 0);
    const { printed } = await own.p.printer();
    await own.p.raw('RUN "MANY.BAS"\r\n');
    const state = await until(async () => { const now = await own.p.printer(); return now.jobsWaiting === 0 && now.labelsWaiting === 0 && now; });
    assert.equal(state.printed, printed + 501);
    await own.p.reset();
  });

  test('a quote without an end does not hold the labels behind it', async () => {
    const open = await own.open();
    const stray = 'CLS\r\nTEXT 20,20,"3",0,1,1,"stray\r\nPRINT 1\r\n';
    assert.deepEqual(texts(await open.next(`${stray}${TSPL('behind')}`)), ['stray']);
    assert.deepEqual(texts(await open.next('')), ['behind']);
    open.end();
    await own.cuts(`${stray}${stray}${TSPL('last')}${stray}`, ['stray', 'stray', 'last', 'stray']);
  });

  test('quotes and counted bytes hide commands', async () => {
    await own.cuts('CLS\r\nQRCODE 10,10,H,4,A,0,"a\r\nPRINT 1\r\n"\r\nTEXT 10,200,"3",0,1,1,"below \\["] PRINT"\r\nPRINT 1\r\n', ['below " PRINT']);
    await own.cuts(`CLS\r\nTEXT 10,200,"3",0,1,1,"beside"\r\nBITMAP 0,0,2,8,0,${'\r\nPRINT 1\r\n"CLS'}\r\nPRINT 1\r\n`, ['beside']);
    await own.cuts(`CLS\r\nDOWNLOAD "F.DAT",16,${'\r\nPRINT 1\r\n"CLS\n'}TEXT 10,200,"3",0,1,1,"file"\r\nPRINT 1\r\n`, ['file']);
  });

  test('what cannot be counted is one job, when its client ends', async () => {
    const odd = ['TEXT 10,10,"3",0,1,1,"no end\r\nPRINT 1\r\n', 'BITMAP 0,0,1+1,8,0,0123456789abcdef\r\nPRINT 1\r\n'];
    for (const code of odd) {
      const list = await own.send(`${TSPL('first')}CLS\r\n${code}${TSPL('last')}`, 3);
      assert.equal(texts(list.at(-1)).join(), 'last');
      assert.equal(texts(list[0]).join(), 'first');
    }
  });

  test('questions are answered at once, also inside of a label', async () => {
    const [head, tail] = TSPL('asked').split('TEXT');
    const from = await own.last();
    const got = await own.p.raw(['\x1b!?', head, '\x1b!?~!T', `TEXT${tail}`]);
    assert.equal(got.toString('latin1'), '\0\0Platen\r\n');
    const label = await own.p.next(from);
    assert.deepEqual(texts(label), ['asked']);
    assert.equal(label.zpl, TSPL('asked').trimEnd() + '\r');
    await own.p.state({ paperOut: true });
    assert.deepEqual([...(await own.p.raw('\x1b!?', { open: true, until: (bytes) => bytes.length > 0 }))], [4]);
    await own.p.state({ paperOut: false });
  });
});

describe('CPCL', () => {
  const own = printerOf('cpcl');

  test('questions of the host are answered at once and are no label code', async () => {
    const [head, tail] = CPCL('asked').split('TEXT');
    const from = await own.last();
    const got = await own.p.raw(['\x1bN\x1bh', head, '\x1bh\x1bv', `TEXT${tail}`]);
    assert.equal(got.toString('latin1'), '\0\0Platen\0');
    assert.deepEqual(texts(await own.p.next(from)), ['asked']);
    await own.p.state({ paperOut: true, headOpen: true });
    assert.deepEqual([...(await own.p.raw('\x1bh', { open: true, until: (bytes) => bytes.length > 0 }))], [6]);
    await own.p.state({ paperOut: false, headOpen: false });
  });

  test('formats stay for other connections', async () => {
    await own.send('! DF SHELF.FMT\r\n! 0 200 200 200 1\r\nTEXT 4 0 20 20 \\\\\r\nPRINT\r\n', 0);
    assert.deepEqual(texts((await own.send('! UF SHELF.FMT\r\nfilled in\r\n', 1))[0]), ['filled in']);
    await own.send('! DF PLAIN\r\n! 0 200 200 200 1\r\nTEXT 4 0 20 20 \\\\\r\nPRINT\r\n', 0);
    assert.deepEqual(texts((await own.send('! UF PLAIN\r\nother name\r\n', 1))[0]), ['other name']);
  });

  test('counted bytes hide PRINT; a block that is left open ends at it', async () => {
    await own.cuts(`! 0 200 200 200 1\r\nTEXT 4 0 20 20 beside\r\nCG 2 8 0 100 ${'\r\nPRINT\r\n\r\nPRI\r\n'}\r\nPRINT\r\n`, ['beside']);
    await own.cuts('! 0 200 200 200 1\r\nML 40\r\nTEXT 4 0 20 20\r\nfirst\r\nsecond\r\nENDML\r\nPRINT\r\n', ['first,second']);
    const next = '! 0 200 200 200 1\r\nTEXT 4 0 20 20 next\r\nPRINT\r\n';
    await own.cuts(`! 0 200 200 200 1\r\nML 40\r\nTEXT 4 0 20 20\r\nopen\r\nPRINT\r\n${next}`, ['open', 'next']);
  });

  test('bytes of a graphic in a format may look like its end, or like places for lines', async () => {
    const format = '! 0 200 200 200 1\r\nCG 1 11 0 0 \r\nPRINT\r\n\\\\\r\nTEXT 4 0 20 80 \\\\\r\nPRINT\r\n';
    for (const name of ['G.FMT', 'G']) {
      await own.send(`! DF ${name}\r\n${format}`, 0);
      for (let i = 0; i < 2; i++) {
        const [label] = await own.send(`! UF ${name}\r\nvalue\r\n`, 1);
        assert.deepEqual(label.label.elements.map((e) => e.text || e.type), ['image', 'value']);
        await own.send(CPCL('between'), 1);
      }
    }
  });

  test('a session without PRINT is listed when the next one begins', async () => {
    const open = '! 0 200 200 200 1\r\nCONCAT 20 20\r\n4 0 0 open\r\n';
    for (const pieces of [`${open}${CPCL('next')}`, [open, CPCL('next')]]) {
      const list = await own.send(pieces, 2);
      assert.deepEqual(list.map((l) => l.reason ?? texts(l).join()), ['the input ended before PRINT, or another session began', 'next']);
      assert.equal(list[0].zpl, open);
    }
  });

  test('a format prints when its lines have come, on an open connection', async () => {
    const slots = (name) => `! DF ${name}\r\n! 0 200 200 200 1\r\nTEXT 4 0 20 20 \\\\\r\nTEXT 4 0 20 80 \\\\\r\nPRINT\r\n`;
    const open = await own.open();
    for (const name of ['AUTO', 'AUTO.FMT']) {
      assert.deepEqual(texts(await open.next(`${slots(name)}! UF ${name}\r\nPRINT\r\nsecond\r\n`)), ['PRINT', 'second']);
      // As the printer's memory has it.
      await own.send(CPCL('between'), 1);
      assert.deepEqual(texts(await open.next(`! UF ${name}\r\none\r\ntwo\r\n`)), ['one', 'two']);
      assert.deepEqual(texts(await open.next(`! UF ${name}\r\nalone\r\n${CPCL('behind')}`)), ['alone']);
      assert.deepEqual(texts(await open.next('')), ['behind']);
    }
    open.end();
  });

  test('lines that begin with a tilde are no ZPL, and a line of SGD may be long', async () => {
    assert.deepEqual(texts((await own.send('~~~ RECEIPT\r\nthank you\r\n', 1))[0]), ['~~~ RECEIPT', 'thank you']);
    await own.send(`! U1 setvar "device.friendly_name" "${'n'.repeat(300)}"\r\n`, 0);
    const got = await own.p.raw(`! U1 getvar ${' '.repeat(200)}"device.friendly_name"\r\n`, { open: true, until: (bytes) => bytes.length > 2 });
    assert.match(got.toString(), /^".+"$/);
  });

  test('lines outside of sessions are a page, when their client ends', async () => {
    const [page] = await own.send('hello\r\nPRINT\r\n', 1);
    assert.deepEqual(texts(page), ['hello', 'PRINT']);
  });

  test('settings of SGD are read', async () => {
    const got = await own.p.raw('! U1 getvar "device.friendly_name"\r\n', { open: true, until: (bytes) => bytes.length > 2 });
    assert.match(got.toString(), /^".+"$/);
    assert.equal((await own.p.raw('! U1 getvar "device.languages"\r\n', { open: true, until: (bytes) => bytes.length > 2 })).toString(), '"line_print"');
  });
});

describe('a printer of ZPL', () => {
  const own = printerOf('zpl');

  test('lists code of other languages, and prints the ZPL around it', async () => {
    for (const other of ['epl', 'tspl', 'cpcl']) {
      const reason = `this looks like ${TITLES[other]}; this printer reads ZPL`;
      const list = await own.send(`${ZPL('one')}\r\n${CODE[other]('lost')}${ZPL('two')}`, 3);
      assert.deepEqual(list.map((l) => l.reason ?? texts(l).join()), ['one', reason, 'two']);
      assert.deepEqual((await own.send(CODE[other]('lost').slice(0, -2), 1)).map((l) => l.reason), [reason]);
      // On a connection that stays open, too.
      const from = await own.last();
      const socket = net.connect(own.p.ports.dock, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(CODE[other]('lost'));
      assert.equal((await own.p.next(from)).reason, reason);
      socket.destroy();
    }
  });

  test('says nothing of text that is of no language', async () => {
    await own.send(`hello\r\nworld\r\n${ZPL('one')}\r\n\r\nbye\r\n`, 1);
    await own.send(`${ZPL('one')}\r\n! U1 getvar "device.languages"\r\n${ZPL('two')}`, 2);
  });

  test('a flood of other code is one line of the list for each print, or for all', async () => {
    const from = await own.last();
    await own.p.raw(Buffer.from('SIZE 4,6\r\nCLS\r\n'.repeat(100000)));
    await until(async () => (await own.p.printer()).jobsWaiting === 0);
    const list = (await own.p.labels(from)).labels;
    assert.equal(list.length, 1);
    assert.ok(list[0].zplBytes <= 4096, `${list[0].zplBytes}`);
  });
});

for (const language of ['epl', 'tspl', 'cpcl'])
  test(`a download that does not fit the memory is listed, and labels behind it are printed: ${language}`, async (t) => {
    const p = await startPrinters(['dock'], ['--max-stored', '64KiB'], `,language=${language}`), data = 'x'.repeat(80000);
    t.after(() => p.stop());
    const download = {
      epl: `FS"F"\n${`;${'x'.repeat(99)}\n`.repeat(800)}FE\n`,
      tspl: `DOWNLOAD "A.DAT",${data.length},${data}\r\n`,
      cpcl: `! CISDFCRC16\r\n0000\r\nA.DAT\r\n${data.length.toString(16)}\r\n0000\r\n${data}\r\n`,
    }[language];
    await p.raw(download + CODE[language]('behind'));
    const refused = await p.next(0);
    assert.match(refused.reason, /not stored/);
    assert.deepEqual(texts(await p.next(refused.seq)), ['behind']);
    assert.equal((await p.printer()).refused, 1);
  });
