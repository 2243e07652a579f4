// A program with build/tests/faults/libfaults.so preloaded, and the control file that steers its faults.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { watch } from "../api/lib/children.js";
import { BUILD, SERVICE_ENV, start } from "../api/lib/server.js";

const LIBRARY = path.join(BUILD, "tests/faults/libfaults.so");
// The words of the control file, as in faults.c.
const WORDS = { seed: 0, io: 1, accept: 2, alloc: 3, allocAt: 4, allocOn: 5, room: 6, noFilter: 7, noFlags: 8, allocCalls: 16, allocFailed: 17, readFaults: 18, writeFaults: 19, acceptFaults: 20, noSpace: 21 };

export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "platen-faults-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
let made = 0;

export class Faults {
  constructor(settings = {}) {
    this.file = path.join(folder, `control-${made++}`);
    fs.writeFileSync(this.file, Buffer.alloc(32 * 4));
    this.set({ seed: 1, ...settings });
  }
  set(settings) {
    const fd = fs.openSync(this.file, "r+");
    for (const [name, value] of Object.entries(settings)) {
      const word = Buffer.alloc(4);
      word.writeUInt32LE(value);
      fs.writeSync(fd, word, 0, 4, WORDS[name] * 4);
    }
    fs.closeSync(fd);
  }
  get(name) {
    return fs.readFileSync(this.file).readUInt32LE(WORDS[name] * 4);
  }
  get env() {
    return { LD_PRELOAD: LIBRARY, FAULTS_CONTROL: this.file };
  }
  run(program, args, options = {}) {
    const r = spawnSync(path.join(BUILD, program), args, { maxBuffer: 1 << 26, timeout: 180_000, ...options, env: { ...process.env, ...this.env } });
    return { status: r.status, signal: r.signal, out: r.stdout, err: r.stderr?.toString() ?? "" };
  }
  spawn(program, args, options = {}) {
    return watch(spawn(path.join(BUILD, program), args, { ...options, env: { ...process.env, ...SERVICE_ENV, ...this.env } }));
  }
  start(program, args = []) {
    return start(program, args, { env: this.env });
  }
}
