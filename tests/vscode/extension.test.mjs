// The extension in a real Visual Studio Code: problems, help, completion, renaming, layout, preview, and the check of a folder.
// By the engine inside of the extension, and by the program that `platen.path` names.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startEditor } from './editor.mjs';

const PICTURES = process.env.PICTURES; // a folder for screenshots
const FILES = {
  'a.zpl': '^XA^DFE:F.ZPL^FS^FO10,10^A0N,30,30^FN1^FS^XZ\n^XA^XFE:F.ZPL^FS^FN1^FDone^FS^XZ\n^XA\n^FO50,50^A0N,40,40^FDHello^FS^FO50,120^BY2^BCN,80,Y^FD12345678^FS\n^QZ\n^XZ\n',
  'more/b.zpl': '^XA^QQ^FO1,1^A0N,30,30^FDx^FS^XZ\n',
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

for (const [name, program] of [['the engine of the extension', 'builtin'], ['platen lsp', path.resolve('build/platen')]]) test(name, { timeout: 600000 }, async (t) => {
  const editor = await startEditor(FILES, { 'platen.path': program, 'editor.inlayHints.enabled': 'offUnlessPressed' });
  t.after(() => editor.stop());
  const { page, workspace } = editor;
  const file = () => fs.readFileSync(path.join(workspace, 'a.zpl'), 'utf8');
  const shot = (what) => PICTURES && page.screenshot({ path: path.join(PICTURES, `${what}-${program === 'builtin' ? 'engine' : 'program'}.png`) });
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

  // Help.
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
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'b.zpl' }).first().waitFor();
  await shot('folder');
});
