// A real Visual Studio Code (the one inside of npm's code-server) with the extension, and a browser that shows it.
import { spawn, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const CODE = process.env.CODE_SERVER || 'tests/vscode/node_modules/code-server/lib/vscode';
export const VSIX = `build-wasm/platen-${fs.readFileSync('VERSION', 'utf8').trim()}.vsix`;

/**
 * Starts it in a folder of its own. `files`: names and contents of the workspace; `settings`: of the user.
 * `inBrowser`: the extension runs in the browser, as in vscode.dev, and not in the editor's process of node.
 */
export async function startEditor(files, settings = {}, { inBrowser = false } = {}) {
  const opened = Object.keys(files)[0];
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'));
  const workspace = path.join(root, 'labels');
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    fs.writeFileSync(path.join(workspace, name), content);
  }
  const machine = path.join(root, 'data', 'data', 'Machine');
  fs.mkdirSync(machine, { recursive: true });
  const all = { 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'workbench.tips.enabled': false, 'editor.hover.delay': 100, 'window.confirmBeforeClose': 'never', ...settings };
  fs.writeFileSync(path.join(machine, 'settings.json'), JSON.stringify(all));
  if (inBrowser) {
    const user = path.join(root, 'data', 'data', 'User');
    fs.mkdirSync(user, { recursive: true });
    fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ 'remote.extensionKind': { 'platen.platen': ['web'] } }));
  }
  const extensions = path.join(root, 'extensions');
  const place = ['--extensions-dir', extensions, '--server-data-dir', path.join(root, 'data'), '--accept-server-license-terms'];
  execFileSync('node', [`${CODE}/out/server-main.js`, ...place, '--install-extension', VSIX], { stdio: 'ignore' });
  const installed = path.join(extensions, fs.readdirSync(extensions).find((name) => name.startsWith('platen.')));
  const child = spawn('node', [`${CODE}/out/server-main.js`, ...place, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--telemetry-level', 'off'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (bytes) => {
      said += bytes;
      const port = /bound to 127\.0\.0\.1:(\d+)/.exec(said);
      if (port) resolve(`http://127.0.0.1:${port[1]}`);
    });
    child.on('exit', () => reject(new Error(said)));
  });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const requests = [];
  page.context().on('request', (request) => requests.push(request.url()));
  const payload = JSON.stringify([['openFile', `vscode-remote://${new URL(address).host}${workspace}/${opened}`]]);
  await page.goto(`${address}/?folder=${workspace}&payload=${encodeURIComponent(payload)}`);
  await page.locator('.monaco-editor .view-line').first().waitFor({ timeout: 120000 });
  await page.getByRole('button', { name: 'Yes, I trust the authors' }).click({ timeout: 120000 });
  return {
    page,
    workspace,
    /** The engine of the installed extension. */
    module: path.join(installed, 'dist', 'platen-lsp.wasm'),
    requests,
    /** How many threads the process of the extensions has. */
    threads() {
      const children = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1').trim().split(' ');
      const host = children.find((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('extensionHost'));
      return fs.readdirSync(`/proc/${host}/task`).length;
    },
    async stop() {
      await browser.close();
      child.kill();
      fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
    /** A command, by its title. */
    async palette(text) {
      await page.keyboard.press('F1');
      const input = page.locator('.quick-input-widget input').first();
      await input.waitFor();
      await input.fill(`>${text}`);
      await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
      await page.keyboard.press('Enter');
      await input.waitFor({ state: 'hidden' });
    },
  };
}
