// What docs/printer.md shows, run as it is there: the commands of the API, the Node module, the pytest example.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { HANG_MS } from '../api/lib/until.js';
import { startPrinters } from './printer.js';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const text = fs.readFileSync(path.join(root, 'docs/printer.md'), 'utf8');
const blocks = (language) => [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printer-docs-'));
let p;
before(async () => { p = await startPrinters(['printer']); });
after(async () => {
  await p?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('every curl command of the API section does what it says', async () => {
  fs.writeFileSync(path.join(folder, 'label.zpl'), '^XA^FO50,50^BY3^BCN,100^FDPKG-0042^FS^XZ');
  await p.raw('^XA^FO50,50^BY3^BCN,100^FDPKG-0042^FS^XZ');
  await p.next(0);
  const commands = blocks('sh').join('').split('\n').filter((line) => line.startsWith('curl '));
  assert.ok(commands.length >= 10);
  for (const command of commands) {
    // Events do not end by themselves.
    const here = command.replaceAll('localhost:8080', p.url.replace('http://', '')).replace('curl ', `curl -sS --fail-with-body ${command.includes('/events') ? '-m 1 ' : ''}`);
    let output;
    try {
      output = execFileSync('bash', ['-c', here], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: HANG_MS });
    } catch (error) {
      assert.ok(command.includes('/events') && error.status === 28, `${here}: ${error.status} ${error.stdout}${error.stderr}`);
      continue;
    }
    if (!command.includes(' -o ')) JSON.parse(output);
  }
  assert.equal(fs.readFileSync(path.join(folder, 'label.png')).subarray(1, 4).toString(), 'PNG');
  await p.reset();
});

test('the Node module', async () => {
  const [code] = blocks('js');
  const script = path.join(folder, 'example.mjs');
  fs.writeFileSync(script, code.replace('./examples/', `${root}/examples/`).replace('http://127.0.0.1:8080', p.url));
  assert.equal(execFileSync('node', [script], { encoding: 'utf8', timeout: HANG_MS }), "[ 'Hello' ] []\n");
  const { Printer } = await import('../../examples/printer/index.js');
  const printer = new Printer(p.url, 'printer');
  await printer.state({ paused: true });
  await assert.rejects(printer.print('^XA^FO9,9^FDx^FS^XZ', { timeout: 1 }), /No such label/);
  assert.equal((await printer.state({ paused: false })).paused, false);
  const label = await printer.next({ match: '^FDx' });
  assert.equal((await printer.png(label.seq)).subarray(1, 4).toString(), 'PNG');
  await assert.rejects(printer.png(label.seq + 1), /no such label/);
  await assert.rejects(printer.state({ paper: true }), /not part of a printer's state/);
  assert.equal((await printer.reset()).labels, 0);
});

test('the pytest example', { skip: fs.existsSync('/usr/bin/py.test-3') || fs.existsSync('/usr/bin/pytest-3') ? false : 'pytest is not installed' }, () => {
  const output = execFileSync('/usr/bin/python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', path.join(root, 'examples/printer/test_printer.py')], {
    encoding: 'utf8', timeout: HANG_MS, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PLATEN_URL: p.url, PLATEN_PRINTER_PORT: String(p.ports.printer) },
  });
  assert.match(output, /1 passed/);
});
