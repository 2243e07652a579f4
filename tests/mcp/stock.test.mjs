// The official inspector's command line and the official conformance tests, over both transports. The latter speak HTTP
// alone: a bridge passes their messages on to standard input.
// Those of revision 2026-07-28 (0.2.0) need Node 22: revision.test.mjs has what they check.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../api/service.js';
import { BUILD, StdioSession } from './session.mjs';

const bin = (name) => path.resolve('tests/mcp/node_modules/.bin', name);
const run = promisify(execFile);
const services = {};
let folder;
before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-'));
  for (const program of ['platen', 'hygro']) services[program] = await startService(program);
});
after(async () => {
  for (const service of Object.values(services)) await service.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'];
// The others, and why they do not apply.
const LEFT_OUT = {
  'call a tool of their own (test_simple_text …), which only a server made for the test has': ['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'],
  'the same, and the server asks the client: these tools only read, and need no sampling and no elicitation': ['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  'read a resource of their own (test://static-text …)': ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  'get a prompt of their own (test_simple_prompt …)': ['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
  'optional capabilities that the servers do not declare: logging, completions, resources.subscribe': ['logging-set-level', 'tools-call-with-logging', 'completion-complete', 'resources-subscribe', 'resources-unsubscribe'],
  'streams of events: answers are JSON, and GET is 405': ['server-sse-polling', 'server-sse-multiple-streams'],
};

test('every scenario of the conformance tests for servers is run, or has a reason', async () => {
  const { stdout } = await run(process.execPath, [bin('conformance'), 'list', '--server'], { cwd: folder });
  const all = [...stdout.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]);
  assert.deepEqual([...SCENARIOS, ...Object.values(LEFT_OUT).flat()].sort(), all.sort());
});
for (const program of ['platen', 'hygro']) {
  test(`what ${program} leaves out of the conformance tests is not declared`, async () => {
    const answer = await fetch(`${services[program].url}/mcp`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }) });
    const { capabilities } = (await answer.json()).result;
    assert.deepEqual([capabilities.logging, capabilities.completions, capabilities.resources.subscribe], [undefined, undefined, undefined]);
  });
}
for (const program of ['platen', 'hygro']) {
  for (const scenario of SCENARIOS) {
    test(`conformance of ${program}: ${scenario}`, async () => {
      const { stdout } = await run(process.execPath, [bin('conformance'), 'server', '--url', `${services[program].url}/mcp`, '--scenario', scenario], { cwd: folder });
      assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
    });
  }
}

/** A server whose answers are those of a started program: each body is a line of its input. */
async function bridge(program) {
  const session = new StdioSession(program);
  const server = http.createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const message = request.method === 'POST' ? JSON.parse(text) : {};
    if (request.method === 'POST' && message.id === undefined) session.child.stdin.write(`${text}\n`); // has no answer
    response.writeHead(message.id !== undefined ? 200 : request.method === 'POST' ? 202 : 405, { 'Content-Type': 'application/json' });
    response.end(message.id !== undefined ? JSON.stringify(await session.exchange(text)) : '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return session.stop();
    },
  };
}

for (const program of ['platen', 'hygro']) {
  test(`conformance of ${program} on standard input and output`, async (t) => {
    const bridged = await bridge(program);
    t.after(() => bridged.stop());
    for (const scenario of SCENARIOS.filter((name) => name !== 'dns-rebinding-protection')) {
      const { stdout } = await run(process.execPath, [bin('conformance'), 'server', '--url', bridged.url, '--scenario', scenario], { cwd: folder });
      assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/, scenario);
    }
  });
}

const targets = {
  'standard input and output': (program) => [path.resolve(BUILD, program), 'mcp'],
  HTTP: (program) => [`${services[program].url}/mcp`, '--transport', 'http'],
};
async function inspect(program, transport, args) {
  const { stdout } = await run(process.execPath, [bin('mcp-inspector'), '--cli', ...targets[transport](program), ...args], { cwd: folder, env: { ...process.env, HOME: folder } });
  return JSON.parse(stdout);
}

for (const transport of Object.keys(targets)) {
  test(`the inspector over ${transport}`, async () => {
    const { tools } = await inspect('platen', transport, ['--method', 'tools/list']);
    assert.ok(tools.some((tool) => tool.name === 'check_label'));
    const looked = await inspect('platen', transport, ['--method', 'tools/call', '--tool-name', 'look_up_command', '--tool-arg', 'name=^FO']);
    assert.match(looked.content[0].text, /"name":"\^FO"/);
    const read = await inspect('platen', transport, ['--method', 'resources/read', '--uri', 'platen://docs/writing-zpl']);
    assert.match(read.contents[0].text, /^# Writing ZPL/);
    const { prompts } = await inspect('platen', transport, ['--method', 'prompts/list']);
    assert.ok(prompts.some((prompt) => prompt.name === 'fix_label'));
    const moisture = await inspect('hygro', transport, ['--method', 'tools/call', '--tool-name', 'grain_moisture', '--tool-arg', 'grain=corn', 'ta=25', 'ur=70']);
    assert.equal(JSON.parse(moisture.content[0].text).moisture, 14);
  });
}
