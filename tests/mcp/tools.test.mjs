// What tools answer to questions that are not quite right: they say what is allowed, and leave nothing out without a word.
import assert from 'node:assert/strict';
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
