// The extension in a real Visual Studio Code: problems, help, completion, renaming, layout, preview, and the check of a folder.
// By the engine inside of the extension, by the program that `platen.path` names, and in the browser, as vscode.dev does it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { trappingModule } from '../wasm/trapping-module.js';
import { startEditor } from './editor.mjs';

const PICTURES = process.env.PICTURES; // a folder for screenshots
const FILES = {
  'a.zpl': '^XA^DFE:F.ZPL^FS^FO10,10^A0N,30,30^FN1^FS^XZ\n^XA^XFE:F.ZPL^FS^FN1^FDone^FS^XZ\n^XA\n^FO50,50^A0N,40,40^FDHello^FS^FO50,120^BY2^BCN,80,Y^FD12345678^FS\n^QZ\n^XZ\n',
  'more/b.zpl': '^XA^QQ^FO1,1^A0N,30,30^FDx^FS^XZ\n',
  'more/c.zpl2': '^XA^QQ^FO1,1^A0N,30,30^FDx^FS^XZ\n',
};

/** Until it holds: the editor's files and processes tell nobody when they change. */
async function until(holds, what) {
  for (const end = Date.now() + 120000; !(await holds()); await pause(100)) assert.ok(Date.now() < end, what);
}

function programs() {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      return [fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').join(' ')];
    } catch {
      return []; // it has ended
    }
  });
}

const WAYS = [['the engine of the extension', 'builtin', 'engine'], ['platen lsp', path.resolve('build/platen'), 'program'], ['the engine in the browser', 'builtin', 'browser']];
for (const [name, program, way] of WAYS) test(name, { timeout: 600000 }, async (t) => {
  const editor = await startEditor(FILES, { 'platen.path': program, 'editor.inlayHints.enabled': 'offUnlessPressed' }, { inBrowser: way === 'browser' });
  t.after(() => editor.stop());
  const { page, workspace } = editor;
  const file = () => fs.readFileSync(path.join(workspace, 'a.zpl'), 'utf8');
  const shot = (what) => PICTURES && page.screenshot({ path: path.join(PICTURES, `${what}-${way}.png`) });
  const goTo = async (line, column) => {
    await page.keyboard.press('Control+g');
    await page.locator('.quick-input-widget input').first().fill(`:${line}:${column}`);
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  };

  // Problems.
  await page.locator('.squiggly-warning').first().waitFor({ timeout: 120000 });
  assert.equal(programs().some((line) => line.startsWith(`${program} lsp`)), program !== 'builtin');
  assert.equal(editor.requests.some((url) => decodeURIComponent(url).includes('/dist/browser.js')), way === 'browser');

  // Preview of the label that the cursor is in.
  await goTo(4, 2);
  await editor.palette('Platen: Show preview beside the code');
  const view = page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
  const picture = view.locator('#picture');
  const size = view.locator('#size');
  await size.filter({ hasText: '812 × 1218' }).waitFor({ timeout: 120000 });
  await view.locator('#number', { hasText: 'Label 2 of 2' }).waitFor();
  await view.locator('#problems li', { hasText: 'QZ' }).waitFor();
  const dots = () => picture.evaluate((image) => [image.naturalWidth, image.naturalHeight]);
  assert.deepEqual(await dots(), [812, 1218]);
  await view.locator('#widthMm').fill('50');
  await view.locator('#heightMm').fill('25');
  await view.locator('#dpmm').selectOption('12');
  await size.filter({ hasText: '598 × 299' }).waitFor();
  await shot('preview');
  // It follows the keys.
  const before = await picture.getAttribute('src');
  await page.locator('.view-line', { hasText: 'Hello' }).click();
  await goTo(4, 25);
  await page.keyboard.type('!');
  await until(async () => (await picture.getAttribute('src')) !== before, 'the picture follows the code');
  await page.keyboard.press('Control+z');

  // A view that is opened again has the size of the settings, as its fields say.
  await page.locator('.tab', { hasText: 'Label: a.zpl' }).getByRole('button', { name: /Close/ }).click();
  await page.locator('iframe.webview').waitFor({ state: 'detached' });
  await page.locator('.view-line', { hasText: 'Hello' }).click();
  await goTo(4, 2);
  await editor.palette('Platen: Show preview beside the code');
  await size.filter({ hasText: '812 × 1218' }).waitFor();
  assert.equal(await view.locator('#widthMm').inputValue(), '');

  // Help.
  await page.locator('.view-line', { hasText: 'Hello' }).click();
  await goTo(4, 2);
  await editor.palette('Show or Focus Hover');
  await page.locator('.monaco-hover', { hasText: '^FO' }).filter({ hasText: 'mm' }).first().waitFor();
  await shot('hover');
  await page.keyboard.press('Escape');

  // Completion.
  await goTo(3, 4);
  await page.keyboard.press('Enter');
  await page.keyboard.type('^F');
  await page.locator('.suggest-widget .monaco-list-row', { hasText: '^FO' }).first().waitFor();
  await shot('completion');
  await page.keyboard.press('Escape');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Backspace');

  // Rename: the field's number in the format, and where it is recalled.
  await goTo(1, FILES['a.zpl'].indexOf('^FN1') + 4);
  await page.keyboard.press('F2');
  await page.locator('.rename-box input').fill('7');
  await page.keyboard.press('Enter');
  const saved = async (holds) => {
    await page.keyboard.press('Control+s');
    return holds(file());
  };
  await until(() => saved((text) => text === FILES['a.zpl'].replaceAll('^FN1', '^FN7')), 'both places are renamed');

  // Layout.
  await editor.palette('Format Document');
  await until(() => saved((text) => /\^FS\n *\^FO50,120/.test(text)), 'each field has a line');

  // A folder: the problems of a file that is not open.
  await editor.palette('Platen: Check all label files of the folder');
  for (const name of ['b.zpl', 'c.zpl2']) await page.locator('.markers-panel .monaco-list-row', { hasText: name }).first().waitFor();
  await shot('folder');
});

test('a program that never answers is given up and ended, and a restart gets out of it', { timeout: 600000 }, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platen-silent-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const program = path.join(folder, 'platen');
  fs.writeFileSync(program, `#!/bin/sh\n[ "$2" = --help ] && echo "usage: platen lsp" && exit\n[ -f ${folder}/good ] && exec ${path.resolve('build/platen')} lsp\nexec tail -f ${folder}/silent\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'silent'), '');
  const silent = () => programs().some((line) => line.includes(`${folder}/silent`));
  const editor = await startEditor(FILES, { 'platen.path': program });
  t.after(() => editor.stop());
  const { page } = editor;
  await until(silent, 'it is started');
  await page.locator('.notification-list-item', { hasText: 'has not answered within 30 seconds' }).waitFor({ timeout: 120000 });
  await until(() => !silent(), 'it is ended');
  fs.writeFileSync(path.join(folder, 'good'), '');
  await editor.palette('Platen: Restart the language server');
  await page.locator('.squiggly-warning').first().waitFor({ timeout: 120000 });
});

test('an engine that cannot be started is told, and a restart gets out of it', { timeout: 600000 }, async (t) => {
  const editor = await startEditor(FILES, { 'platen.path': 'builtin' });
  t.after(() => editor.stop());
  const { page } = editor;
  const problem = page.locator('.squiggly-warning').first();
  await problem.waitFor({ timeout: 120000 });
  const good = fs.readFileSync(editor.module);
  const threads = editor.threads();
  for (const broken of [Buffer.from('no module'), trappingModule('lsp_message', editor.module)]) {
    fs.writeFileSync(editor.module, broken);
    await editor.palette('Platen: Restart the language server');
    await page.locator('.notification-list-item', { hasText: 'Platen: The language server has ended' }).first().waitFor({ timeout: 120000 });
    await problem.waitFor({ state: 'detached' });
    fs.writeFileSync(editor.module, good);
    await editor.palette('Notifications: Clear All');
    await editor.palette('Platen: Restart the language server');
    await problem.waitFor({ timeout: 120000 });
  }

  // Each one is started, and ends by itself.
  fs.writeFileSync(editor.module, trappingModule('lsp_step', editor.module));
  await editor.palette('Platen: Restart the language server');
  await page.locator('.notification-list-item', { hasText: 'has ended 6 times' }).waitFor({ timeout: 120000 });
  fs.writeFileSync(editor.module, good);
  await page.locator('.notification-list-item', { hasText: 'has ended 6 times' }).getByRole('button', { name: 'Restart' }).click();
  await problem.waitFor({ timeout: 120000 });
  // Of the 11 servers since then one is left; node may have started its four threads for files.
  await until(() => editor.threads() <= threads + 4, 'the workers of servers that have ended are ended, too');
});
