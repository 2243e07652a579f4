// Every shell block of README and docs/ is run as it is printed, against started services. A comment above a block can say:
//   <!-- not run: REASON -->           the block cannot run here: a skipped test, printed with its reason
//   <!-- exit status: 0 1 0 -->        what each command ends with, if not 0
//   <!-- HTTP status: 400 -->          which errors the block's requests get
//   <!-- runs until stopped -->        each command serves: it is started, must listen, and is stopped
//   <!-- file: NAME -->               above a block of any language: the reader saves it under this name
//   <!-- output -->                    above a text or json block: what the shell block before it prints
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startService } from '../api/service.js';
import { page, userPages } from './pages.mjs';
import { outputDifferences } from './promised.mjs';
import { environment, makeScratch } from './scratch.mjs';
import { commandsOf, promisedFiles, runCommands, serveAndStop } from './shell.mjs';

const build = process.env.BUILD || 'build';
const SHELL = ['sh', 'bash', 'console'];
const MARKS = /^(not run: .{10,}|exit status: [\d ]+|HTTP status: [\d ]+|runs until stopped|file: [\w./-]+|output)$/s;
const MILLISECONDS = 300_000;

let services = [];
const ports = {};
before(async () => {
  const [platen, hygro] = await Promise.all([startService('platen', ['--printer', '127.0.0.1:0']), startService('hygro')]);
  services = [platen, hygro];
  ports[8080] = new URL(platen.url).port;
  ports[8081] = new URL(hygro.url).port;
});
after(() => Promise.all(services.map((service) => service.stop())));

/** A label of the virtual printer for the examples that ask for one. */
const printLabel = () => fetch(`${services[0].url}/api/printers/printer/print`, { method: 'POST', body: '^XA^FO50,50^A0N,40,40^FDPKG-0042^FS^XZ' });

const numbersOf = (mark, name) => new RegExp(`^${name}: ([\\d ]+)$`).exec(mark)?.[1].split(' ').map(Number);

/** Runs one block and asserts what the page promises of it. */
async function runBlock(block, shown, folder) {
  const options = { cwd: folder, env: environment({ folder, build, ports }), milliseconds: MILLISECONDS };
  const commands = commandsOf(block.code);
  if (block.mark === 'runs until stopped') {
    // Where the page names a port, another service of this machine may have it.
    for (const command of commands) {
      const free = command.replace(/#.*/, '').replace(/(=|127\.0\.0\.1|\s):?(9[0-9]{3}|8080)\b/g, (all, left) => (left === '127.0.0.1' ? '127.0.0.1:0' : `${left}127.0.0.1:0`));
      assert.equal(await serveAndStop(free, { ...options, env: { ...options.env, PLATEN_LISTEN: '127.0.0.1:0', HYGRO_LISTEN: '127.0.0.1:0' } }), '', command);
    }
    return;
  }
  // An event stream has no end of its own.
  const bounded = commands.map((command) => command.replace(/^curl -N /, 'timeout --preserve-status -s INT 2 curl -N '));
  const { out, err, late, statuses } = await runCommands(bounded, options);
  assert.ok(!late, `not done after ${MILLISECONDS} ms: ${commands[statuses.length]}`);
  const wanted = numbersOf(block.mark, 'exit status') ?? commands.map(() => 0);
  const streams = commands.map((command) => command.startsWith('curl -N '));
  statuses.forEach((status, i) => assert.ok(status === wanted[i] || streams[i], `exit status ${status}, not ${wanted[i]}: ${commands[i]}\n${out.slice(-2000)}\n${err.slice(-2000)}`));
  assert.equal(statuses.length, commands.length, err);
  const refused = [...err.matchAll(/^HTTP status (\d+)$/gm)].map((m) => Number(m[1])).filter((status) => status >= 400);
  assert.deepEqual(refused, numbersOf(block.mark, 'HTTP status') ?? [], `${block.code}\n${out.slice(-2000)}`);
  for (const [i, command] of commands.entries()) {
    if (wanted[i] !== 0) continue;
    for (const name of promisedFiles(command)) {
      const file = path.join(folder, name), stat = fs.existsSync(file) && fs.statSync(file);
      assert.ok(stat && (stat.isDirectory() ? fs.readdirSync(file).length : stat.size), `${name} was not written: ${command}`);
    }
  }
  if (shown) assert.deepEqual(outputDifferences(shown.code, shown.language, out), [], block.code);
}

const fileOf = (block) => /^file: (.+)$/.exec(block.mark)?.[1];

let count = 0;
for (const file of userPages) {
  const { blocks } = page(file);
  test(`blocks of ${file} have a language, and marks that the runner knows`, () => {
    for (const block of blocks) {
      assert.ok(block.language, `${file}:${block.line}: the block has no language (sh, text, json, …)`);
      assert.ok(!block.mark || MARKS.test(block.mark), `${file}:${block.line}: unknown mark "${block.mark}"`);
    }
  });
  const runnable = blocks.map((block, i) => ({ block, next: blocks[i + 1] })).filter(({ block }) => {
    if (!SHELL.includes(block.language)) return fileOf(block);
    const reason = /^not run: ([^]+)/.exec(block.mark)?.[1];
    // A skipped test: it is counted, and ./test prints the reason.
    if (reason) test(`${file}:${block.line}`, { skip: reason.replace(/\s+/g, ' ') }, () => {});
    return !reason;
  });
  if (!runnable.length) continue;
  test(`examples of ${file}`, async (t) => {
    const folder = makeScratch({ build, ports });
    try {
      await printLabel();
      for (const { block, next } of runnable) {
        if (fileOf(block)) {
          fs.writeFileSync(path.join(folder, fileOf(block)), block.code);
          continue;
        }
        count++;
        await t.test(`${file}:${block.line}`, () => runBlock(block, next?.mark === 'output' ? next : undefined, folder));
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
}

test('most blocks are run', (t) => {
  t.diagnostic(`${count} shell blocks run`);
  assert.ok(count >= 40, `only ${count} blocks were run`);
});

// Commands within a sentence or a table are not run, but their options must exist.
const helpOf = new Map();
function help(program, command) {
  const key = `${program} ${command}`;
  if (!helpOf.has(key)) {
    const r = spawnSync(path.resolve(build, program), [command, '--help'], { encoding: 'utf8' });
    helpOf.set(key, r.status === 0 ? r.stdout : null);
  }
  return helpOf.get(key);
}
for (const file of userPages) {
  const inline = page(file).tokens.flatMap((token) => (token.children ?? []).filter((child) => child.type === 'code_inline').map((child) => child.content));
  const commands = inline.map((code) => /^(?:build\/)?(platen|hygro) ([a-z]+)\b(.*)$/.exec(code)).filter(Boolean);
  if (!commands.length) continue;
  test(`commands in the sentences of ${file} and their options exist`, () => {
    for (const [code, program, command, rest] of commands) {
      const text = help(program, command);
      assert.ok(text, `${file}: ${code}: there is no such command`);
      for (const [, option] of rest.matchAll(/(--[a-z][a-z-]*)/g)) assert.ok(new RegExp(`${option}(?![a-z-])`).test(text), `${file}: ${code}: ${option} is not an option of ${program} ${command}`);
    }
  });
}
