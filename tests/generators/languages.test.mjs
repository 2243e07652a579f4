// Each example of docs/clients.md whose language is on this machine runs as printed and saves the label that the service draws.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../api/service.js';
import { page } from '../docs/pages.mjs';

const run = promisify(execFile);
// The language of the block, the file that a reader saves it in, and the commands.
const LANGUAGES = {
  sh: ['label.sh', ['bash', 'label.sh']],
  python: ['label.py', ['python3', 'label.py']],
  js: ['label.mjs', ['node', 'label.mjs']],
  java: ['Label.java', ['javac', 'Label.java'], ['java', '-cp', '.', 'Label']],
  go: ['label.go', ['go', 'run', 'label.go']],
  php: ['label.php', ['php', 'label.php']],
  csharp: ['Label.cs', ['mcs', '-r:System.Net.Http.dll', 'Label.cs'], ['mono', 'Label.exe']],
  powershell: ['label.ps1', ['pwsh', '-NoProfile', '-File', 'label.ps1']],
};
const isHere = (program) => process.env.PATH.split(':').some((folder) => fs.existsSync(path.join(folder, program)));

let service;
before(async () => { service = await startService('platen'); });
after(() => service.stop());

const { blocks } = page('docs/clients.md');
test('the page has an example for each of the eight languages', () => {
  assert.deepEqual(blocks.map(({ language }) => language).sort(), Object.keys(LANGUAGES).sort());
});

for (const { language, code } of blocks) {
  const [file, ...commands] = LANGUAGES[language];
  const missing = commands.map(([program]) => program).find((program) => !isHere(program));
  test(`the example in ${language}`, { skip: missing && `${missing} is not installed` }, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'language-'));
    try {
      fs.writeFileSync(path.join(folder, file), code.replaceAll('http://127.0.0.1:8080', service.url));
      const env = { ...process.env, GOCACHE: path.join(folder, 'go'), GO111MODULE: 'off' };
      for (const [program, ...args] of commands) await run(program, args, { cwd: folder, env });
      const png = fs.readFileSync(path.join(folder, 'label.png'));
      assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], ['PNG', 399, 239]);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}
