// Random edits end in the same findings, tokens and symbols as a fresh start with the text that they make.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { Session, URI } from './session.mjs';

const COUNT = Number(process.env.LSP_EDITS || 240); // 2,000 before a release, with another LSP_SEED each time
const SEED = Number(process.env.LSP_SEED || 20260817);
const A_LOOK = 20; // edits between two looks

// A fixed sequence: a failure repeats.
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const PIECES = ['^', '~', ',', '1', '-', 'N', '\n', '\r\n', '\r', 'é', '😀', '€', '^XA', '^XZ', '^FS', '^FDText', '^FO10,20', '^A0N,30,30', '^BCN,80,Y', '^QZ', '^CC!', '^CI28', '^FN3', '^MUM', '~DGR:A.GRF,8,1,FF', '^FX platen: ignore unknown_command', ' ', '\t'];

const CPCL_PIECES = [' ', '1', '-', '.', 'é', '\n', '\r\n', '\r', '! 0 200 200 240 1\r\n', '! U1 ', 'TEXT 4 0 1 1 ', 'ML 40\r\n', 'ENDML\r\n', 'CONCAT 9 9\r\n', 'CG 1 2 0 0 ab', 'EG 1 1 0 0 FF\r\n', 'IN-INCHES\r\n', 'IN-DOTS\r\n', 'QQ\r\n', 'PRINT\r\n', '; note\r\n'];
const EPL_PIECES = [',', '1', '-', '"', 'é', '\n', '\r\n', '\r', 'N\n', 'q400\n', 'Q200,24\n', 'A50,100,0,3,1,1,N,"x"\n', 'B10,10,0,1,2,2,60,B,"123"\n', 'GW1,1,1,2,ab', 'FS"A"\n', 'FE\n', 'ZB\n', 'QQ\n', 'P1\n', ';note\n'];
const TSPL_PIECES = [',', '1', '-', '"', 'é', '\n', '\r\n', '\r', 'CLS\n', 'SIZE 50 mm,30 mm\n', 'TEXT 1,1,"3",0,1,1,"x"\n', 'BARCODE 9,9,"128",40,1,0,2,2,"1"\n', 'BITMAP 1,1,1,2,0,ab', 'DIRECTION 1\n', 'QQ 1\n', 'PRINT 1\n', 'REM note\n'];
const KINDS = [['zpl', 'tests/golden/scene', PIECES], ['cpcl', 'tests/golden/cpcl', CPCL_PIECES], ['epl', 'tests/golden/epl', EPL_PIECES], ['tspl', 'tests/golden/tspl', TSPL_PIECES]];

/** Lines as the protocol has them. */
function lineStarts(text) {
  const starts = [0];
  for (const m of text.matchAll(/\r\n|\n|\r/g)) starts.push(m.index + m[0].length);
  return starts;
}

function position(starts, offset) {
  let line = 0;
  while (line + 1 < starts.length && starts[line + 1] <= offset) line++;
  return { line, character: offset - starts[line] };
}

// An editor never cuts a character in two, nor the end of a line.
function place(text, offset) {
  while (offset > 0 && offset < text.length && (/[\uDC00-\uDFFF]/.test(text[offset]) || (text[offset - 1] === '\r' && text[offset] === '\n'))) offset--;
  return offset;
}

function edit(text, pick, pieces) {
  const from = place(text, pick(text.length + 1));
  const to = pick(3) ? from : place(text, Math.min(text.length, from + pick(12)));
  const piece = pick(4) ? pieces[pick(pieces.length)] : '';
  const starts = lineStarts(text);
  return {
    change: { range: { start: position(starts, from), end: position(starts, to) }, text: piece },
    text: text.slice(0, from) + piece + text.slice(to),
  };
}

// Labels print the clock, too, and its digits are not equally wide.
// Where the machine is busy, what is left out for lack of time differs.
const UNHURRIED = ['--render-timeout', '900s'];
const CLOCK = { time: '2026-08-17T12:00:00' };

async function looksOf(session, uri) {
  const diagnostics = await session.checked(uri);
  return { diagnostics, tokens: await session.of('semanticTokens/full', {}, uri), symbols: await session.of('documentSymbol', {}, uri) };
}

for (const [language, folder, pieces] of KINDS) test(`${COUNT} random edits of ${language} end as a fresh start does`, async (t) => {
  const pick = random(SEED);
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(`.${language}`)).sort();
  const edited = new Session(UNHURRIED);
  t.after(() => edited.child.kill());
  await edited.start({}, CLOCK);
  for (let done = 0, version = 1; done < COUNT; ) {
    // What did not change is not read again. A quote of TSPL may be closed 8 KB later: so far before a change it is.
    const size = pick(4) ? 2000 : 24000;
    let text = '';
    while (text.length < size) text += `${fs.readFileSync(`${folder}/${files[pick(files.length)]}`, 'utf8').slice(0, 1500)}\n`;
    edited.open(text, URI, language);
    const changes = [];
    for (let i = 0; i < A_LOOK; i++, done++) {
      const one = edit(text, pick, pieces);
      text = one.text;
      changes.push(one.change);
      // One message for each key, or for several of them.
      if (pick(2)) edited.notify('textDocument/didChange', { textDocument: { uri: URI, version: ++version }, contentChanges: changes.splice(0) });
      if (pick(2)) await edited.of('foldingRange'); // the commands are read
    }
    edited.notify('textDocument/didChange', { textDocument: { uri: URI, version: ++version }, contentChanges: changes });
    const looks = await looksOf(edited, URI);
    const fresh = new Session(UNHURRIED);
    t.after(() => fresh.child.kill());
    await fresh.start({}, CLOCK);
    fresh.open(text, URI, language);
    assert.deepEqual(looks, await looksOf(fresh, URI), JSON.stringify(text));
    assert.equal(await fresh.stop(), 0);
  }
});

// A block of CPCL goes on over a line of "!" alone: reading cannot begin there.
test('text below an exclamation mark in a block of CPCL was read as commands after a key', async (t) => {
  const line = 'TEXT 4 0 1 1 hello\r\n';
  const before = `! 0 200 200 240 1\r\n${line}ML 40\r\n!\r\n${line.repeat(12)}`, behind = `${line.repeat(3)}ENDML\r\nPRINT\r\n`;
  const edited = new Session(UNHURRIED), fresh = new Session(UNHURRIED);
  t.after(() => [edited, fresh].forEach((session) => session.child.kill()));
  for (const session of [edited, fresh]) await session.start({}, CLOCK);
  edited.open(before + behind, URI, 'cpcl');
  await edited.of('foldingRange');
  const at = { line: before.split('\n').length - 1, character: 0 };
  edited.notify('textDocument/didChange', { textDocument: { uri: URI, version: 2 }, contentChanges: [{ range: { start: at, end: at }, text: 'x' }] });
  fresh.open(`${before}x${behind}`, URI, 'cpcl');
  assert.deepEqual(await edited.of('semanticTokens/full', {}, URI), await fresh.of('semanticTokens/full', {}, URI));
  assert.deepEqual([await edited.stop(), await fresh.stop()], [0, 0]);
});
