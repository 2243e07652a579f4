// Starts a service on a free port for a test file and stops it afterwards. $BUILD names another build folder (sanitizers).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { serving, watch } from './lib/children.js';

export async function startService(program, args = [], env = {}) {
  const build = process.env.BUILD || 'build';
  // fetch may send on a connection in the moment in which the service closes it as idle, after a test that kept this process
  // busy: the service waits longer than any test does.
  const child = spawn(`${build}/${program}`, ['serve', '--listen', '127.0.0.1:0', '--idle-timeout', '10m', ...args], {
    // Nobody watches health while it stops, and a label has time on a busy machine.
    env: { ...process.env, PLATEN_DRAIN_DELAY: '0', HYGRO_DRAIN_DELAY: '0', PLATEN_RENDER_TIMEOUT: '15m', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watch(child);
  let output = '';
  child.stderr.on('data', (data) => { output += data; });
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data;
      const found = /listening on (http:\/\/\S+)/.exec(output);
      if (found) setImmediate(resolve, found[1]); // what it said before on the other pipe is read by then
    });
    child.once('close', (code) => reject(new Error(`${program} ended with ${code}: ${output}`)));
  });
  serving(child);
  return {
    url,
    pid: child.pid,
    child,
    output: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}: ${output.slice(-4000)}`);
    },
  };
}
