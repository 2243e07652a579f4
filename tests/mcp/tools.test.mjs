// What tools answer to questions that are not quite right: they say what is allowed, and leave nothing out without a word.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { StdioSession } from './session.mjs';

async function session(t) {
  const s = new StdioSession('platen');
  t.after(() => s.stop());
  return s;
}

// It said "must be a number from 0 to 0".
test('a text that is no string is refused as that', async (t) => {
  const s = await session(t);
  for (const [tool, name, args] of [
    ['render_label', 'zpl', { zpl: ['^XA^XZ'] }],
    ['compare_labels', 'b', { a: '^XA^XZ', b: 5 }],
    ['look_up_command', 'name', { name: {} }],
    ['encode_barcode_data', 'data', { data: true }],
  ]) await assert.rejects(s.tool(tool, args), new RegExp(`'${name}' must be a string; it is`), tool);
});

// It said that it needs ^XA.
test('convert_label says how a label of the language begins', async (t) => {
  const s = await session(t);
  await assert.rejects(s.tool('convert_label', { zpl: 'SIZE 50 mm,25 mm\nCLS\n', to: 'pdf' }), /The TSPL prints no label: it needs CLS, a command that draws, and PRINT/);
});

// It took the argument, and recognised the language all the same.
test('explain_label has no argument that it does not obey', async (t) => {
  const s = await session(t);
  const { tools } = await s.request('tools/list');
  assert.deepEqual(Object.keys(tools.find(({ name }) => name === 'explain_label').inputSchema.properties), ['zpl', 'dpmm']);
  await assert.rejects(s.tool('explain_label', { zpl: 'N\nP1\n', language: 'tspl' }), /explain_label has no argument 'language'/);
});

test('explain_label says so where nothing is to be explained', async (t) => {
  const s = await session(t);
  await assert.rejects(s.tool('explain_label', { zpl: 'Hello' }), /no command/);
});

test('look_up_command says which of several names is none', async (t) => {
  const s = await session(t);
  const [{ text }] = await s.tool('look_up_command', { name: '^FO, ^QQ ^FB' });
  const lines = text.split('\n');
  assert.deepEqual([JSON.parse(lines[0]).name, lines[1], JSON.parse(lines[2]).name, lines.length], ['^FO', "There is no command '^QQ'.", '^FB', 3]);
  await assert.rejects(s.tool('look_up_command', { name: 'TEXT' }), /^Error: ZPL II has no command for 'TEXT'.*'language' chooses another/);
});

// The word of its own description found ^BY and ^CV alone; "picture" found those first that have no effect on it, without ~DG and ^XG.
test('a search finds barcodes, several words, and the closest first', async (t) => {
  const s = await session(t);
  const find = async (search, more) => (await s.tool('look_up_command', { search, ...more }))[0].text.split('\n').map((line) => line.split(' ')[0]);
  const barcodes = await find('barcode');
  for (const name of ['^BC', '^BQ', '^BX', '^BE', '^BY']) assert.ok(barcodes.includes(name), name);
  assert.deepEqual((await find('text width')).includes('^FB'), true);
  const pictures = await find('picture');
  for (const name of ['~DG', '^XG', '^GF', '^IM']) assert.ok(pictures.slice(0, 12).includes(name), name);
  assert.match(pictures.at(-1), /^\(\d+$/, 'how many more there are');
  await assert.rejects(s.tool('look_up_command', { search: 'quiet elephant' }), /ZPL II has no command for 'quiet elephant'/);
  await assert.rejects(s.tool('look_up_command', { search: '  ' }), /Give 'name'/);
});

// "center text", "wrap text", "align right", "line break" and "rotate" found nothing, since the reference has other words.
test('a search takes the words that people use', async (t) => {
  const s = await session(t);
  const find = async (search, language) => (await s.tool('look_up_command', { search, ...(language && { language }) }))[0].text.split('\n').map((line) => line.split(' ')[0]);
  for (const [search, command, language, most = 6] of [
    ['center text', '^FB'], ['Centre', '^FB'], ['wrap text', '^FB'], ['align right', '^FB'], ['align right', '^FO'], ['right-align', '^FB'], ['line break', '^FB'], ['new line', '^FB'],
    ['rotate', '^A'], ['rotate text 90 degrees', '^A'], ['upside down', '^PO'], ['How do I rotate the label?', '^PO'], ['copies', '^PQ'], ['print 10 copies', '^PQ'], ['umlauts', '^CI'],
    ['logo', '^GF'], ['white on black text', '^FR'], ['inverted text', '^FR'], ['horizontal line', '^GB'], ['underline', '^GB'], ['border', '^GB'], ['bold', '^A'], ['font size', '^A', undefined, 12],
    ['label width', '^PW'], ['date and time', '^FC'], ['serial number', '^SN'], ['placeholder', '^FN'], ['escape caret', '^FH'], ['bar width', '^BY'], ['qr code url', '^BQ'], ['gs1 datamatrix', '^BX'],
    ['how can I center text horizontally on my label', '^FB'], ['darker', '^MD'], ['delete files', '^ID'], ['how do I draw a line', '^GB'], ['insert logo', '^GF'], ['centered', '^FB'], ['wrap long text in a box', '^FB'], ['2d barcode', '^BQ', undefined, 12], ['box', 'BOX', 'tspl', 1],
    ['center text', 'TEXT', 'tspl'], ['wrap text', 'BLOCK', 'tspl'], ['align right', 'BARCODE', 'tspl'], ['line break', 'BLOCK', 'tspl'], ['rotate text', 'TEXT', 'tspl'], ['rotation', 'TEXT', 'tspl', 12], ['copies', 'PRINT', 'tspl'], ['qr code', 'QRCODE', 'tspl'],
    ['label size', 'SIZE', 'tspl'], ['logo', 'BITMAP', 'tspl'], ['umlaut', 'CODEPAGE', 'tspl'],
    ['center text', 'CENTER', 'cpcl'], ['align right', 'RIGHT', 'cpcl'], ['line break', 'MULTILINE', 'cpcl'], ['rotate', 'TEXT90', 'cpcl'], ['copies', '!', 'cpcl'], ['logo', 'EG', 'cpcl'], ['bold', 'SETBOLD', 'cpcl'],
    ['rotate', 'A', 'epl'], ['copies', 'P', 'epl'], ['qr code', 'b', 'epl'], ['logo', 'GG', 'epl'], ['upside down', 'Z', 'epl'], ['box', 'X', 'epl'], ['placeholder', 'V', 'epl'], ['white on black', 'A', 'epl'],
  ]) assert.ok((await find(search, language)).slice(0, most).includes(command), `${search} (${language ?? 'zpl'}): ${await find(search, language)}`);
  // The digit was found in "Code 39", and as much of it as of ^PQ in parameters.
  for (const [search, commands] of [['print 3 copies', ['^PQ']], ['I want 2 copies of this label', ['^PQ']], ['interleaved 2 of 5', ['^B2']]]) assert.deepEqual(await find(search), commands, search);
  for (const [search, command] of [['draw 1 box', '^GB'], ['ean 8', '^B8'], ['code 39', '^B3'], ['code 3 of 9', '^B3'], ['2 of 5', '^B2'], ['rotate 90', '^A']]) assert.equal((await find(search))[0], command, search);
  await assert.rejects(find('3'), /no command for '3'/);
  // No command of EPL2 does these: a wrong answer is worse than none.
  for (const search of ['center text', 'wrap text']) await assert.rejects(find(search, 'epl'), /EPL2 has no command/);
});

// A row about a command that does not exist would never be found.
test('everyday words are about commands that exist', async (t) => {
  const s = await session(t);
  const source = fs.readFileSync('apps/platen/assistants/everyday_words.c', 'utf8');
  const rows = [...source.matchAll(/\{(ZPL|EPL|TSPL|CPCL), " ([^"]+) ", /g)];
  assert.ok(rows.length > 100);
  for (const [, language, commands] of rows) {
    for (const name of commands.split(' ')) {
      if (commands === '! DF') continue; // a name of two words
      const [{ text }] = await s.tool('look_up_command', { name, language: language.toLowerCase() });
      assert.ok(text.split('\n').some((line) => JSON.parse(line).name === name), name); // B and b
    }
  }
});

// The field for GS1-128 had no FNC1 behind values of free length: check_label found the error that encode_barcode_data had made.
test('each field of encode_barcode_data holds its data', async (t) => {
  const s = await session(t);
  const fields = (await s.json('encode_barcode_data', { data: '(01)09506000134352(10)AB12(17)261231' })).zpl;
  for (const form of ['code128', 'dataMatrix']) {
    const zpl = `^XA^FO60,60^BY3${fields[form]}^XZ`, size = { widthMm: 150, heightMm: 50 };
    const { findings } = await s.json('check_label', { zpl, ...size });
    assert.deepEqual(findings.filter(({ severity }) => severity !== 'info'), [], form);
    assert.equal((await s.json('read_barcodes', { zpl, ...size })).barcodes[0].data, '010950600013435210AB12\x1d17261231', form);
  }
});

test('a refusal says what the argument is, and takes no value of one that the tool has not', async (t) => {
  const s = await session(t);
  const zpl = '^XA^FO20,20^A0N,30,30^FDx^FS^XZ';
  await assert.rejects(s.tool('check_label', { zpl, width: '4in' }), /'width' must be a number above 0; it is the string "4in"\. Label width in millimetres\./);
  await assert.rejects(s.tool('convert_label', { zpl, to: 'epl' }), /Another language: toLanguage/);
  await assert.rejects(s.tool('render_label', { zpl, format: 'svg' }), /render_label has no argument 'format'/);
});

// Of `to` and `TO` the last one counted.
test('an argument that is given twice is refused', async (t) => {
  const s = await session(t);
  const zpl = '^XA^FO20,20^A0N,30,30^FDx^FS^XZ';
  for (const more of [{ ZPL: zpl }, { to: 'pdf', TO: 'zpl' }]) await assert.rejects(s.tool('convert_label', { zpl, ...more }), /'(zpl|to)' is given twice\./);
});

test('a size in inches is noticed where nothing is on the label', async (t) => {
  const s = await session(t);
  const zpl = '^XA^FO200,200^A0N,30,30^FDx^FS^XZ';
  for (const tool of ['check_label', 'render_label'])
    assert.equal((await s.tool(tool, { zpl, width: 4, height: 6 })).at(-1).text, 'widthMm and heightMm are millimetres: 4 x 6 inches are 101.6 x 152.4.', tool);
  assert.equal((await s.tool('check_label', { zpl, widthMm: 40, heightMm: 60 })).length, 1);
  assert.equal((await s.tool('check_label', { zpl: zpl.replace('200,200', '0,5'), widthMm: 4, heightMm: 6 })).length, 1);
});

// Each was hundreds of kilobytes.
test('what is told of a large label is what an assistant reads, and how much is left out', async (t) => {
  const s = await session(t);
  const fields = (size) => `^XA${Array.from({ length: 500 }, (_, i) => `^FO${(i % 10) * 80},${Math.floor(i / 10) * 24}^A0N,${size}^FD${i}^FS`).join('')}^XZ`;
  const { labels } = await s.json('compare_labels', { a: fields(20), b: fields(22) });
  assert.deepEqual([labels[0].changes.length, labels[0].changesLeftOut], [60, 440]);
  const [text, more] = await s.tool('explain_label', { zpl: fields(20) });
  assert.equal(text.text.split('\n').length, 301);
  assert.equal(more.text, '1702 more commands are left out: explain a part of the code.');
  const codes = `^XA${Array.from({ length: 70 }, (_, i) => `^FO${(i % 7) * 100 + 20},${Math.floor(i / 7) * 80 + 20}^BXN,3,200^FD${i}^FS`).join('')}^XZ`;
  const read = await s.json('read_barcodes', { zpl: codes });
  assert.deepEqual([read.barcodes.length, read.barcodesLeftOut], [60, 10]);
});
