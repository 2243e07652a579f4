// The official client libraries run every tool, and read every resource and prompt, over both transports of both programs:
// version 1 begins with initialize (revision 2025-11-25), version 2 has revision 2026-07-28.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PNG } from 'pngjs';
import { startService } from '../api/service.js';
import { BUILD } from './session.mjs';
import * as modern from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const LABEL = '^XA^FO50,50^A0N,40,40^FDHello^FS^FO80,120^BY3^BCN,100,Y,N,N^FD12345678^FS^XZ';
const SIZE = { widthMm: 100, heightMm: 50 };

const LIBRARIES = {
  '2025-11-25': { make: () => new Client({ name: 'test', version: '1' }), Stdio: StdioClientTransport, Http: StreamableHTTPClientTransport },
  '2026-07-28': {
    make: () => new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    Stdio: ModernStdioClientTransport,
    Http: modern.StreamableHTTPClientTransport,
  },
};

// A connected client, and how it ends.
async function connect(revision, program, transport) {
  const { make, Stdio, Http } = LIBRARIES[revision];
  const client = make();
  if (transport === 'stdio') {
    await client.connect(new Stdio({ command: `${BUILD}/${program}`, args: ['mcp'] }));
    return { client, close: () => client.close() };
  }
  const service = await startService(program);
  await client.connect(new Http(new URL(`${service.url}/mcp`)));
  return { client, close: async () => { await client.close(); await service.stop(); } };
}

// What each tool is asked, and what its answer must be.
const text = (result) => result.content.find((entry) => entry.type === 'text').text;
const json = (result) => JSON.parse(text(result));
const CALLS = {
  render_label: [{ zpl: LABEL, ...SIZE, dpmm: 24, printerModel: 'zt411-300' }, (result) => {
    const [image] = result.content;
    assert.equal(image.type, 'image');
    assert.equal(image.mimeType, 'image/png');
    const picture = PNG.sync.read(Buffer.from(image.data, 'base64'));
    assert.equal(picture.width, 1000, 'at most 1,000 dots unless asked');
    assert.deepEqual(json(result).problems.map(({ code }) => code), ['printer_density']);
    assert.equal(json(result).widthDots, 2397);
  }],
  check_label: [{ zpl: LABEL.replace('^FO50', '^FO790'), ...SIZE }, (result) => {
    const { findings } = json(result);
    assert.deepEqual(findings.map((finding) => finding.code), ['outside_label']);
    assert.equal(findings[0].fix.edits.length, 1);
  }],
  explain_label: [{ zpl: 'N\nP1\n' }, (result) => assert.match(text(result), /N[^]*P/)],
  convert_label: [{ zpl: LABEL, dpmm: 8, targetDpmm: 12, ...SIZE }, (result) => assert.match(text(result), /\^FO75,75/)],
  compare_labels: [{ a: LABEL, b: LABEL.replace('^FO50', '^FO58'), ...SIZE }, (result) => {
    const answer = json(result);
    assert.equal(answer.same, false);
    assert.equal(answer.labels[0].changes[0].change, 'moved');
  }],
  look_up_command: [{ name: '^FB' }, (result) => assert.equal(json(result).parameters[1].name, 'lines')],
  read_barcodes: [{ zpl: LABEL, ...SIZE }, (result) => {
    const [barcode] = json(result).barcodes;
    assert.equal(barcode.data, '12345678');
    assert.equal(barcode.readable, true);
  }],
  encode_barcode_data: [{ data: '(01)09506000134352(17)261231(10)A1' }, (result) => {
    const answer = json(result);
    assert.equal(answer.elementString, '01095060001343521726123110A1');
    assert.equal(answer.digitalLink, 'https://id.gs1.org/01/09506000134352/10/A1?17=261231');
  }],
  grain_moisture: [{ grain: 'corn', ta: 25, ur: 70 }, (result) => assert.equal(json(result).moisture, 14)],
};

for (const [revision, program, transport] of Object.keys(LIBRARIES).flatMap((r) => ['platen', 'hygro'].flatMap((p) => ['stdio', 'http'].map((t) => [r, p, t])))) {
  describe(`${program} over ${transport}, revision ${revision}`, () => {
    let session;
    before(async () => { session = await connect(revision, program, transport); });
    after(() => session.close());

    test('says who it is', () => {
      assert.equal(session.client.getServerVersion().name, program);
      assert.ok(session.client.getInstructions().length > 50);
    });

    test('every tool of the list runs', async () => {
      const { tools } = await session.client.listTools();
      const expected = Object.keys(CALLS).filter((name) => (name === 'grain_moisture') === (program === 'hygro'));
      assert.deepEqual(tools.map((tool) => tool.name).sort(), expected.sort());
      for (const tool of tools) {
        assert.equal(tool.inputSchema.type, 'object', tool.name);
        for (const [name, schema] of Object.entries(tool.inputSchema.properties)) assert.ok(schema.description || schema.enum, `${tool.name}: ${name} has no description`);
        const [args, judge] = CALLS[tool.name];
        const result = await session.client.callTool({ name: tool.name, arguments: args });
        assert.ok(!result.isError, `${tool.name}: ${JSON.stringify(result)}`);
        judge(result);
      }
    });

    test('a call without its arguments tells which are missing', async () => {
      for (const { name } of (await session.client.listTools()).tools) {
        const result = await session.client.callTool({ name, arguments: {} });
        assert.equal(result.isError, true, name);
        assert.match(result.content[0].text, /'\w+'/, name);
      }
    });

    test('every resource is read', async () => {
      const { resources } = await session.client.listResources();
      assert.ok(resources.length > 0);
      for (const { uri } of resources) {
        const { contents } = await session.client.readResource({ uri });
        assert.ok(contents[0].text.length > 500, uri);
      }
      await assert.rejects(session.client.readResource({ uri: 'file:///etc/passwd' }), /There is no resource/);
      for (const { uriTemplate } of (await session.client.listResourceTemplates()).resourceTemplates) {
        const { contents } = await session.client.readResource({ uri: uriTemplate.replace('{name}', 'FO') });
        assert.equal(JSON.parse(contents[0].text).name, '^FO');
      }
    });

    test('every prompt is given', async () => {
      for (const prompt of (await session.client.listPrompts()).prompts) {
        const args = Object.fromEntries(prompt.arguments.map(({ name }) => [name, `<${name}>`]));
        const { messages } = await session.client.getPrompt({ name: prompt.name, arguments: args });
        for (const value of Object.values(args)) assert.ok(messages[0].content.text.includes(value), value);
      }
    });
  });
}
