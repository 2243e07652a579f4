// Running a shell block of a page as a reader would: its commands in order, in one shell.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { serving, watch } from '../api/lib/children.js';

/** Is this the whole of a command? bash says so, except that it takes a line that is continued for whole. */
function isWhole(text) {
  if (/\\\n$/.test(text)) return false;
  const r = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
  return r.status === 0 && !r.stderr.includes('here-document');
}

/** The commands of a block, each with all its lines; comments and empty lines between them are left out. */
export function commandsOf(code) {
  const commands = [];
  let text = '';
  for (const line of code.trimEnd().split('\n')) {
    if (!text && /^\s*(#.*)?$/.test(line)) continue;
    text += `${line}\n`;
    if (isWhole(text)) {
      commands.push(text);
      text = '';
    }
  }
  if (text) throw new Error(`not a whole command: ${text}`);
  return commands;
}

/** Files that a command promises to write. */
export function promisedFiles(command) {
  const code = command.replace(/(^|\s)#.*$/gm, '').replace(/'[^']*'/g, (text) => (/\s|\^/.test(text) ? "''" : text.slice(1, -1)));
  return [...code.matchAll(/(?:\s-o|\s--output|\s--out-dir|\s--report|[^<>|&0-9]>)\s*([\w./-]+)/g)].map((m) => m[1]).filter((name) => name !== '-' && !name.startsWith('/dev/'));
}

/** Runs commands in one shell; answers their output and the exit status of each. */
export async function runCommands(commands, { cwd, env, milliseconds }) {
  const statuses = path.join(cwd, '.statuses');
  fs.rmSync(statuses, { force: true });
  const script = commands.map((command) => `${command}\necho $? >> "$STATUSES"\n`).join('');
  const { out, err, late } = await runScript(script, { cwd, env: { ...env, STATUSES: statuses }, milliseconds });
  const ended = fs.existsSync(statuses) ? fs.readFileSync(statuses, 'utf8').trim().split('\n').map(Number) : [];
  return { out, err, late, statuses: ended };
}

async function runScript(script, { cwd, env, milliseconds }) {
  const child = watch(spawn('bash', ['-o', 'pipefail', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
  let out = '', err = '', late = false;
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { err += data; });
  const timer = setTimeout(() => {
    late = true;
    process.kill(-child.pid, 'SIGKILL');
  }, milliseconds);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return { out, err, late };
}

/** Starts a command that serves, waits for its address, stops it; answers what went wrong, or nothing. */
export async function serveAndStop(command, { cwd, env, milliseconds }) {
  const child = watch(spawn('bash', ['-c', `exec ${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
  let output = '';
  const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)));
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const listens = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
        if (/listening on http:/.test(output)) resolve(true);
      });
    }
  });
  if ((await Promise.race([listens, ended])) === true) serving(child);
  child.kill('SIGINT');
  const status = await ended;
  clearTimeout(timer);
  return status === 0 && /listening on http:/.test(output) ? '' : `ended with ${status}: ${output}`;
}
