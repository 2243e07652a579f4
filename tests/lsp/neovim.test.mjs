// Neovim, as Debian has it, with its own client and the settings of docs/editors.md: diagnostics, hover, completion,
// rename and layout.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { BUILD } from './session.mjs';

const LABEL = '^XA^DFR:A.ZPL^FS\n^FO50,50^A0N,30,30^FN1^FS\n^XZ\n^XA^XFA^FS\n^CI28^FN1^FDé😀^FS^QZ^F\n^XZ\n';

/** The settings that the page has for this version: of its two blocks of Lua the first is for 0.11 and later. */
function documented() {
  const [, minor] = /^NVIM v0\.(\d+)/.exec(spawnSync('nvim', ['--version'], { encoding: 'utf8' }).stdout) ?? [0, 99];
  const blocks = [...fs.readFileSync('docs/editors.md', 'utf8').matchAll(/```lua\n([^]*?)```/g)].map((m) => m[1]);
  assert.equal(blocks.length, 2);
  return blocks[Number(minor) >= 11 ? 0 : 1];
}

// What the editor finds goes into a file as JSON. It waits for each event, and gives up after a minute.
const SCRIPT = `
local out, minute = {}, 60000
vim.opt.swapfile = false
vim.cmd('edit ' .. vim.env.LABEL)
out.filetype = vim.bo.filetype
local id
vim.wait(minute, function()
  id = next(vim.lsp.buf_get_clients(0))
  return id ~= nil
end)
local function write()
  local file = io.open(vim.env.ANSWER, 'w')
  file:write(vim.json.encode(out))
  file:close()
end
local function ask(method, line, character, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = line, character = character },
  }, more or {})
  local answers, err = vim.lsp.buf_request_sync(0, method, params, minute)
  if not answers then error(method .. ': ' .. err) end
  if not answers[id].result then error(method .. ': ' .. vim.inspect(answers)) end
  return answers[id].result
end
vim.wait(minute, function() return vim.lsp.buf_is_attached(0, id) and vim.lsp.get_client_by_id(id).initialized end)
vim.wait(minute, function() return #vim.diagnostic.get(0) > 0 end)
out.diagnostics = vim.tbl_map(function(d) return { d.code, d.lnum, d.col } end, vim.diagnostic.get(0))
out.hover = ask('textDocument/hover', 1, 4).contents.value
out.completion = vim.tbl_map(function(i) return i.label end, ask('textDocument/completion', 4, 23).items)
-- As keys do it: the editor sends what changed. Columns are bytes.
vim.api.nvim_buf_set_text(0, 4, 21, 4, 24, {})
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', 1, 22, { newName = '7' }), 'utf-16')
out.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.lsp.util.apply_text_edits(ask('textDocument/formatting', 0, 0, { options = { tabSize = 2, insertSpaces = true } }), 0, 'utf-16')
out.formatted = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.lsp.stop_client(id)
vim.wait(minute, function() return vim.lsp.client_is_stopped(id) end)
vim.cmd('edit ' .. vim.env.OTHER)
vim.wait(minute, function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
out.other = vim.bo.filetype
write()
vim.cmd('qall!')
`;

test('Neovim', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nvim-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const [settings, script, label, other, answer] = ['init.lua', 'try.lua', 'a.zpl', 'b.tspl', 'answer.json'].map((name) => path.join(folder, name));
  fs.writeFileSync(settings, documented());
  fs.writeFileSync(script, SCRIPT);
  fs.writeFileSync(other, 'CLS\nPRINT 1\n');
  fs.writeFileSync(label, LABEL);
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder, LABEL: label, OTHER: other, ANSWER: answer, PATH: `${path.resolve(BUILD)}:${process.env.PATH}` };
  const run = spawnSync('nvim', ['--headless', '-u', settings, '-i', 'NONE', '-c', `luafile ${script}`, '-c', 'cquit!'], { env, encoding: 'utf8', timeout: 300000 });
  assert.equal(run.status, 0, `${run.stdout}${run.stderr}`);
  const out = JSON.parse(fs.readFileSync(answer, 'utf8'));
  assert.deepEqual([out.filetype, out.other], ['zpl', 'tspl']);
  // Columns of Neovim are bytes: é has two, the face four.
  assert.ok(out.diagnostics.some(([code, line, column]) => code === 'unknown_command' && line === 4 && column === Buffer.byteLength('^CI28^FN1^FDé😀^FS')), JSON.stringify(out.diagnostics));
  assert.match(out.hover, /\*\*x\*\* `50` = 6\.25 mm/);
  assert.ok(out.completion.includes('^FO') && out.completion.includes('^FD'));
  assert.deepEqual(out.renamed.filter((line) => line.includes('^FN')), ['^FO50,50^A0N,30,30^FN7^FS', '^CI28^FN7^FDé😀^FS^F']);
  assert.ok(out.formatted.includes('^FN7^FDé😀^FS'), out.formatted.join('\n'));
});
