// The official inspector's command line over both transports, and the official conformance tests, which speak HTTP.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../api/service.js';
import { BUILD } from './session.mjs';

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

// Those that need no tool, resource or prompt of the test's own, no session and no stream.
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'];
for (const program of ['platen', 'hygro']) {
  for (const scenario of SCENARIOS) {
    test(`conformance of ${program}: ${scenario}`, async () => {
      const { stdout } = await run(process.execPath, [bin('conformance'), 'server', '--url', `${services[program].url}/mcp`, '--scenario', scenario], { cwd: folder });
      assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
    });
  }
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
