// Options of conversions and of comparing: HTTP, the command line and the assistants' tools take and refuse the same values.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { HttpSession } from '../mcp/session.mjs';

const platen = resolve(process.env.PLATEN_BUILD || 'build', 'platen');
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf';
const LABEL = '^XA^FO50,50^A0N,30^FDHi^FS^XZ';
const work = mkdtempSync(join(tmpdir(), 'values-'));
let service, tools, description;
before(async () => {
  writeFileSync(join(work, 'a.zpl'), LABEL);
  writeFileSync(join(work, 'a.pbm'), 'P1 1 1 1');
  tools = await HttpSession.start('platen');
  service = tools.service;
  description = await (await fetch(`${service.url}/openapi.json`)).json();
});
after(async () => {
  await service.stop();
  rmSync(work, { recursive: true });
});

const plain = { 'Content-Type': 'text/plain' }, bytes = { 'Content-Type': 'application/octet-stream' };
const at = (name) => join(work, name);
// What a program is given for a value; null: its command line has another form for it, which the test of the subcommand has.
const OPTIONS = {
  '/api/zpl': {
    action: null, graphics: (v) => ['fmt', '--graphics', v, at('a.zpl')], targetDpmm: (v) => ['fmt', '--to', v, at('a.zpl')], toLanguage: (v) => ['fmt', '--to-language', v, at('a.zpl')],
    units: (v) => ['fmt', '--units', v, at('a.zpl')], utf8: () => ['fmt', '--utf8', at('a.zpl')], table: (v) => ['fmt', '--extract', v, at('a.zpl')], strict: null,
  },
  '/api/image': {
    dither: (v) => ['image', '--dither', v, at('a.pbm')], threshold: (v) => ['image', '--threshold', v, at('a.pbm')], coding: (v) => ['image', '--coding', v, at('a.pbm')], form: null,
    name: (v) => ['image', '--name', v, at('a.pbm')], x: (v) => ['image', '--at', `${v},0`, at('a.pbm')], y: (v) => ['image', '--at', `0,${v}`, at('a.pbm')], invert: () => ['image', '--invert', at('a.pbm')],
    trim: () => ['image', '--trim', at('a.pbm')], exactFit: () => ['image', '--exact-fit', at('a.pbm')], bare: () => ['image', '--bare', at('a.pbm')], widthMm: null, heightMm: null,
  },
  '/api/font': {
    path: (v) => ['font', '--path', v, FONT], name: (v) => ['font', '--letter', v, FONT], unicodes: (v) => ['font', '--unicodes', v, FONT], form: (v) => ['font', '--form', v, '--chars', 'A', FONT],
    face: (v) => ['font', '--face', v, '--chars', 'A', FONT], instance: (v) => ['font', '--instance', v, FONT], bare: () => ['font', '--bare', '--chars', 'A', FONT], chars: null,
  },
  '/api/compare': {
    toleranceDots: (v) => ['diff', '--tolerance', v, at('a.zpl'), at('a.zpl')], tolerancePercent: (v) => ['diff', '--tolerance', `${v}%`, at('a.zpl'), at('a.zpl')],
    elements: () => ['diff', '--elements', at('a.zpl'), at('a.zpl')], picture: null,
  },
};
const TOOLS = { graphics: 'convert_label', targetDpmm: 'convert_label', toLanguage: 'convert_label', toleranceDots: 'compare_labels', tolerancePercent: 'compare_labels', elements: 'compare_labels' };
const NUMBERS = ['0', '1', '1.0', '1.5', '10.0', '1e1', '1e3', '48', '48.5', '49', '99', '100', '101', '32000', '32001', '65535', '65536', '1e16', '9007199254740992', '-1'];

/** Values of a row, allowed ones and others. */
function valuesOf(schema) {
  if (schema.enum) return [...schema.enum.flatMap((word) => [word, word.toUpperCase(), word[0].toUpperCase() + word.slice(1), `${word}x`, ` ${word}`]), '', 'keep', '0', '1'];
  if (schema.type === 'boolean') return ['true'];
  return schema.type === 'string' ? ['', 'A', 'AB', 'R:A.GRF', 'x'.repeat(schema.maxLength), 'x'.repeat(schema.maxLength + 1)] : [...NUMBERS, '', 'x', '0x10', ' 5', '5 '];
}

/** Is a value refused as it is read? Other refusals are of what it means: a path without a drive. */
const isOfReading = (message, name) => message.startsWith(`'${name}' must be `) && /; it is /.test(message);

/** Does HTTP take the value? */
async function httpTakes(path, name, value, type) {
  const isNumber = type === 'number' || type === 'integer';
  const send = async (query, body, headers) => {
    const response = await fetch(`${service.url}${path}${query}`, { method: 'POST', body, headers });
    const answer = await response.text();
    return !(response.status === 400 && (isOfReading(JSON.parse(answer).error, name)));
  };
  const member = isNumber ? value : type === 'boolean' ? 'true' : JSON.stringify(value);
  const inJson = (members) => send('', `{${members},${JSON.stringify(name)}:${member}}`, { 'Content-Type': 'application/json' });
  const isJson = !isNumber || NUMBERS.includes(value);
  if (path === '/api/compare') return isJson ? inJson(`"a":${JSON.stringify(LABEL)},"b":${JSON.stringify(LABEL)}`) : undefined;
  const query = `?${name === 'table' ? 'action=extract&' : ''}${name}=${encodeURIComponent(value)}`;
  const body = path === '/api/zpl' ? LABEL : readFileSync(path === '/api/image' ? at('a.pbm') : FONT);
  const taken = await send(query, body, path === '/api/zpl' ? plain : bytes);
  if (path === '/api/zpl' && isJson) assert.equal(await inJson(`${name === 'table' ? '"action":"extract",' : ''}"zpl":${JSON.stringify(LABEL)}`), taken, `${name}=${value} in JSON`);
  return taken;
}

function commandTakes(args) {
  const { status, stderr } = spawnSync(platen, args, { encoding: 'utf8', timeout: 180_000 });
  assert.ok(status !== null && stderr !== undefined, args.join(' '));
  assert.equal(/must be /.test(stderr) && status === 2, status === 2, `${args.join(' ')}: ${stderr}`);
  return status !== 2;
}

async function toolTakes(tool, name, value, type) {
  const given = type === 'string' ? value : JSON.parse(value);
  const args = tool === 'compare_labels' ? { a: LABEL, b: LABEL } : { zpl: LABEL };
  return tools.tool(tool, { ...args, [name]: given }).then(() => true, (error) => !isOfReading(error.message, name));
}

for (const path of Object.keys(OPTIONS)) {
  test(`${path}: every option at every entrance`, async () => {
    const operation = description.paths[path].post;
    const rows = path === '/api/compare' ? Object.entries(description.components.schemas.CompareRequest.properties).filter(([name]) => !(name in description.components.parameters) && name !== 'a' && name !== 'b')
      : operation.parameters.filter((one) => one.name).map((one) => [one.name, one.schema]);
    assert.deepEqual(rows.map(([name]) => name).sort(), Object.keys(OPTIONS[path]).sort(), 'an option is not among these: add its command line');
    for (const [name, schema] of rows) {
      const command = OPTIONS[path][name];
      if (!command) continue;
      for (const value of valuesOf(schema)) {
        const http = await httpTakes(path, name, value, schema.type);
        const line = commandTakes(command(value));
        // A table that the action does not write is refused, by HTTP in another sentence.
        const isForeign = name === 'table' && value.toLowerCase() === 'text';
        if (http !== undefined) assert.equal(line, http && !isForeign, `${path} ${name}=${JSON.stringify(value)}: HTTP ${http ? 'takes' : 'refuses'} it`);
        const isValue = schema.type === 'string' || schema.type === 'boolean' || NUMBERS.includes(value);
        if (TOOLS[name] && isValue) assert.equal(await toolTakes(TOOLS[name], name, value, schema.type), line, `${TOOLS[name]} ${name}=${JSON.stringify(value)}`);
      }
    }
  });
}
