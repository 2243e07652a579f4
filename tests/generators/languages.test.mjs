// Each example of docs/clients.md, and each call that the page copies, whose language is on this machine runs as printed and saves the label that the service draws.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../api/service.js';
import { page } from '../docs/pages.mjs';
import { load } from '../web/bundle.js';

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

/** Saves the program and runs it where its label.png is to be. */
async function picture(language, code) {
  const [file, ...commands] = LANGUAGES[language];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'language-'));
  try {
    fs.writeFileSync(path.join(folder, file), code);
    const env = { ...process.env, GOCACHE: path.join(folder, 'go'), GO111MODULE: 'off' };
    for (const [program, ...args] of commands) await run(program, args, { cwd: folder, env });
    return fs.readFileSync(path.join(folder, 'label.png'));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
const missingFor = (language) => {
  const missing = LANGUAGES[language].slice(1).map(([program]) => program).find((program) => !isHere(program));
  return missing && `${missing} is not installed`;
};

const { blocks } = page('docs/clients.md');
test('the page has an example for each of the eight languages', () => {
  assert.deepEqual(blocks.map(({ language }) => language).sort(), Object.keys(LANGUAGES).sort());
});

for (const { language, code } of blocks) {
  test(`the example in ${language}`, { skip: missingFor(language) }, async () => {
    const png = await picture(language, code.replaceAll('http://127.0.0.1:8080', service.url));
    assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], ['PNG', 399, 239]);
  });
}

// What the page copies for a label: every sign of its code arrives, whatever it means in the language.
const { CALLS } = await load('actions/calls');
const NAMES = { curl: 'sh', Python: 'python', JavaScript: 'js', Java: 'java', Go: 'go', PHP: 'php', 'C#': 'csharp', PowerShell: 'powershell' };
const HOSTILE = '^XA^CI28\n^FO20,20^A0N,30^FDit\'s "x" $HOME ${y} `z` \\u0041 \\n %d # <?php é € ‘q’ 漢 😀^FS\t\r\n^XZ';
for (const [name, write] of Object.entries(CALLS)) {
  const language = NAMES[name];
  test(`the call that the page copies in ${language}`, { skip: missingFor(language) }, async () => {
    const url = `${service.url}/api/render/png?widthMm=50&heightMm=30&dpmm=8`;
    const expected = Buffer.from(await (await fetch(url, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: HOSTILE })).arrayBuffer());
    const made = await picture(language, write({ url, zpl: HOSTILE, outputName: 'label.png', inputName: 'label.zpl', needsKey: false }));
    assert.ok(made.equals(expected));
  });
}
