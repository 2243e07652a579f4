// Every example of docs/writing-zpl.md: the wrong ones give the finding that is named, the others none. /llms-full.txt has the same text.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { startService } from '../api/service.js';
import { StdioSession } from './session.mjs';

const guide = fs.readFileSync('docs/writing-zpl.md', 'utf8');
const examples = [...guide.matchAll(/(?:Wrong \(`(\w+)`\)[^\n]*\n\n)?```zpl\n([^]*?)```/g)].map(([, finding, code]) => ({ finding, code }));

test('examples of the guide', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  assert.ok(examples.filter((example) => example.finding).length >= 7 && examples.length >= 15);
  for (const { finding, code } of examples) {
    await t.test(`${finding ?? 'right'}: ${code.trim().slice(0, 60)}`, async () => {
      const { findings } = await session.json('check_label', { zpl: code, widthMm: 100, heightMm: 50 });
      const codes = findings.map((one) => one.code);
      if (finding) assert.ok(codes.includes(finding), JSON.stringify(codes));
      else assert.deepEqual(findings, []);
    });
  }
});

// It said that right-aligned text needs a block.
test('what the guide says of right-aligned text', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const [, field, end] = /with `(\^FO[\d,]+)` the field ends at (\d+)/.exec(guide);
  const [{ left, width }] = await session.json('convert_label', { zpl: `^XA${field}^A0N,40,40^FDRight^FS^XZ`, to: 'fields' });
  assert.ok(left + width <= Number(end) && left + width > Number(end) - 8, `${left} + ${width}`);
});

// It said that mode D sets FNC1 by itself, which it does in front alone.
test('what the guide says of FNC1, of subsets, of bytes and of escapes', async (t) => {
  const session = new StdioSession('platen');
  t.after(() => session.stop());
  const read = async (field) => (await session.json('read_barcodes', { zpl: `^XA^CI28^FO60,40^BY3${field}^XZ`, widthMm: 150, heightMm: 50 })).barcodes[0]?.data;
  const said = (pattern) => pattern.exec(guide)?.[0];
  assert.equal(await read(said(/\^BCN,100,Y,N,N,D\^FD[^^]*>8[^^]*\^FS/)), '010950600013435210A1\x1d217');
  assert.equal(await read(said(/\^BCN,100,Y,N,N\^FD>;>8[^^]*\^FS/)), '010950600013435210A1');
  assert.equal(await read(said(/\^BXN,6,200,,,,_\^FD[^^]*_1217\^FS/)), '010950600013435210A1\x1d217');
  assert.equal(await read('^BCN,100,Y,N,N,A^FD>80^FS'), '>80');
  assert.equal(await read('^BCN,100,Y,N,N^FDa>0b^FS'), 'a>b');
  assert.equal(await read('^BXN,6,200,,,,_^FDa__b^FS'), 'a_b');
  assert.equal(await read('^FH^BQN,2,5^FDQA,_C3_A9^FS'), 'é');
  assert.equal(await read('^BQN,2,5^FDabcdef^FS'), 'def');
  const [{ top, height }] = await session.json('convert_label', { zpl: '^XA^FT50,100^FB300,2^A0N,30,30^FDA\\&B^FS^XZ', to: 'fields' });
  assert.ok(top < 60 && top + height > 95, 'the last of two lines stands on the baseline');
});

test('llms-full.txt has the guide, and llms.txt leads to it', async (t) => {
  const service = await startService('platen');
  t.after(() => service.stop());
  const read = async (path) => (await fetch(service.url + path)).text();
  assert.ok((await read('/llms-full.txt')).includes(guide.slice(guide.indexOf('## Units'))));
  assert.match(await read('/llms.txt'), /\/llms-full\.txt/);
  assert.match(await read('/llms.txt'), /`POST \/mcp`/);
});
