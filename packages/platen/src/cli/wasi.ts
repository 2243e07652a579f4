// WASI's calls for the command line's module, on node's file system: those that the module asks for, and no others.
// Paths are the caller's own, as those of any program: there is no sandbox.
import fs from "node:fs";
import tty from "node:tty";
import { randomFillSync } from "node:crypto";
import { E, errnoOf } from "./errno.js";
import { slashed } from "./slashes.js";

/** Thrown by the module's call of exit(). */
export class Exit extends Error {
  constructor(readonly status: number) {
    super(`exit status ${status}`);
  }
}

interface OpenFile {
  /** node's number; -1: a folder. */
  fd: number;
  path: string;
  /** Of a plain file, where node has no call that seeks. Others are read and written where they are. */
  position?: bigint;
  append?: boolean;
}

const RIGHTS_ALL = 0x1fffffffn;
const RIGHT_WRITE = 1n << 6n;
const RIGHT_READ = 1n << 1n;
const RIGHTS_SEEK = (1n << 2n) | (1n << 5n);
const OPEN = { create: 1, folder: 2, exclusive: 4, truncate: 8 };
const KIND = { unknown: 0, device: 2, folder: 3, file: 4, link: 7 };
const HERE = 3; // the folder where paths begin, as apps/wasm/cli/system.c says
const BUSY_MS = 5;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Reads or writes; where a pipe that does not block is not ready, it is asked again. */
function patiently(action: () => number): number {
  for (;;) {
    try {
      return action();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EOF") return 0; // Windows, at the end of a pipe
      if (code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, BUSY_MS);
    }
  }
}

function kindOf(stat: fs.BigIntStats | fs.Dirent): number {
  if (stat.isFile()) return KIND.file;
  if (stat.isDirectory()) return KIND.folder;
  if (stat.isCharacterDevice()) return KIND.device;
  return stat.isSymbolicLink() ? KIND.link : KIND.unknown;
}

export interface WasiOptions {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** node's numbers of standard input, output and error; by default the process's own. */
  stdio?: readonly [number, number, number];
  /** Another path for one that the module opens. */
  translate?: (path: string) => string;
}

export class Wasi {
  #memory: WebAssembly.Memory | undefined;
  readonly #files = new Map<number, OpenFile>();
  readonly #listings = new Map<number, fs.Dirent[]>();
  readonly #args: Buffer[];
  readonly #env: Buffer[];
  readonly #translate: (path: string) => string;

  constructor(options: WasiOptions) {
    const text = (value: string): Buffer => Buffer.from(`${value}\0`, "utf8");
    this.#args = options.args.map(text);
    // The working folder is where paths begin, whatever the caller's shell has said.
    this.#env = Object.entries({ ...options.env, PWD: slashed(process.cwd()) }).filter(([, value]) => value !== undefined).map(([name, value]) => text(`${name}=${value}`));
    this.#translate = options.translate ?? ((name) => name);
    (options.stdio ?? [0, 1, 2]).forEach((fd, number) => this.#files.set(number, { fd, path: "" }));
    this.#files.set(HERE, { fd: -1, path: "." });
  }

  /** Runs the module's main and returns its exit status. */
  start(module: WebAssembly.Module): number {
    const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: this.#imports() });
    this.#memory = exports["memory"] as WebAssembly.Memory;
    try {
      (exports["_start"] as () => void)();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.status;
      throw error;
    }
  }

  #view(): DataView {
    return new DataView(this.#memory!.buffer);
  }

  #bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#memory!.buffer, at, size);
  }

  #file(fd: number): OpenFile {
    const file = this.#files.get(fd);
    if (!file) throw Object.assign(new Error("bad descriptor"), { code: "EBADF" });
    return file;
  }

  #path(folder: number, at: number, size: number): string {
    const name = Buffer.from(this.#bytes(at, size)).toString("utf8");
    // Not path.join, which would take away "." and slashes that mean something to the system.
    return this.#translate(folder === HERE ? name : `${this.#file(folder).path}/${name}`);
  }

  /** All of these calls return an error number; 0: done. */
  #imports(): Record<string, (...args: never[]) => number> {
    const calls: Record<string, (...args: never[]) => void> = { ...this.#ofProcess(), ...this.#ofDescriptors(), ...this.#ofPaths() };
    const safe = (call: (...args: never[]) => void) => (...args: never[]): number => {
      try {
        call(...args);
        return E.SUCCESS;
      } catch (error) {
        if (error instanceof Exit) throw error;
        return errnoOf(error);
      }
    };
    return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, safe(call)]));
  }

  #ofProcess() {
    const sizes = (texts: Buffer[], count: number, size: number): void => {
      this.#view().setUint32(count, texts.length, true);
      this.#view().setUint32(size, texts.reduce((sum, text) => sum + text.length, 0), true);
    };
    const put = (texts: Buffer[], pointers: number, at: number): void => {
      for (const text of texts) {
        this.#view().setUint32(pointers, at, true);
        this.#bytes(at, text.length).set(text);
        pointers += 4;
        at += text.length;
      }
    };
    return {
      args_sizes_get: (count: number, size: number) => sizes(this.#args, count, size),
      args_get: (pointers: number, at: number) => put(this.#args, pointers, at),
      environ_sizes_get: (count: number, size: number) => sizes(this.#env, count, size),
      environ_get: (pointers: number, at: number) => put(this.#env, pointers, at),
      clock_time_get: (clock: number, _precision: bigint, out: number) =>
        this.#view().setBigUint64(out, clock === 0 ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint(), true),
      random_get: (at: number, size: number) => void randomFillSync(this.#bytes(at, size)),
      // For pipes that are not ready: reading and writing wait for them here.
      poll_oneoff: () => {
        throw Object.assign(new Error("there is nothing to wait for"), { code: "ENOSYS" });
      },
      proc_exit: (status: number) => {
        throw new Exit(status);
      },
    };
  }

  /** Calls `move` for each part of memory until one is not filled or emptied; writes how many bytes moved. */
  #transfer(parts: number, count: number, out: number, move: (bytes: Uint8Array, done: number) => number): void {
    let done = 0;
    for (let i = 0; i < count; i++) {
      const size = this.#view().getUint32(parts + 8 * i + 4, true);
      if (size === 0) continue;
      const moved = move(this.#bytes(this.#view().getUint32(parts + 8 * i, true), size), done);
      done += moved;
      if (moved < size) break;
    }
    this.#view().setUint32(out, done, true);
  }

  #read(file: OpenFile, bytes: Uint8Array): number {
    if (file.fd < 0) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    const moved = patiently(() => fs.readSync(file.fd, bytes, 0, bytes.length, file.position ?? null));
    if (file.position !== undefined) file.position += BigInt(moved);
    return moved;
  }

  #write(file: OpenFile, bytes: Uint8Array): number {
    if (file.fd < 0) throw Object.assign(new Error("a folder"), { code: "EBADF" });
    const position = file.position === undefined || file.append ? null : Number(file.position);
    const moved = patiently(() => fs.writeSync(file.fd, bytes, 0, bytes.length, position));
    if (file.position !== undefined) file.position += BigInt(moved);
    return moved;
  }

  #putStat(out: number, stat: fs.BigIntStats): void {
    const view = this.#view();
    [stat.dev, stat.ino, BigInt(kindOf(stat)), stat.nlink, stat.size, stat.atimeNs, stat.mtimeNs, stat.ctimeNs].forEach((value, i) =>
      view.setBigUint64(out + 8 * i, BigInt.asUintN(64, value), true),
    );
  }

  #ofDescriptors() {
    return {
      fd_close: (fd: number) => {
        const file = this.#file(fd);
        this.#files.delete(fd);
        this.#listings.delete(fd);
        if (file.fd >= 0 && fd > HERE) fs.closeSync(file.fd);
      },
      fd_read: (fd: number, parts: number, count: number, out: number) => this.#transfer(parts, count, out, (bytes) => this.#read(this.#file(fd), bytes)),
      fd_write: (fd: number, parts: number, count: number, out: number) => this.#transfer(parts, count, out, (bytes) => this.#write(this.#file(fd), bytes)),
      fd_pread: (fd: number, parts: number, count: number, at: bigint, out: number) =>
        this.#transfer(parts, count, out, (bytes, done) => fs.readSync(this.#file(fd).fd, bytes, 0, bytes.length, at + BigInt(done))),
      fd_seek: (fd: number, offset: bigint, from: number, out: number) => {
        const file = this.#file(fd);
        if (file.position === undefined) throw Object.assign(new Error("it has no places"), { code: "ESPIPE" });
        const base = from === 0 ? 0n : from === 1 ? file.position : fs.fstatSync(file.fd, { bigint: true }).size;
        if (base + offset < 0n) throw Object.assign(new Error("before the beginning"), { code: "EINVAL" });
        file.position = base + offset;
        this.#view().setBigUint64(out, file.position, true);
      },
      fd_filestat_get: (fd: number, out: number) => {
        const file = this.#file(fd);
        this.#putStat(out, file.fd < 0 ? fs.statSync(file.path, { bigint: true }) : fs.fstatSync(file.fd, { bigint: true }));
      },
      fd_fdstat_get: (fd: number, out: number) => {
        const file = this.#file(fd);
        // A terminal is a device that cannot be sought in: that is how the C library knows it.
        const terminal = file.fd >= 0 && tty.isatty(file.fd);
        const kind = file.fd < 0 ? KIND.folder : terminal ? KIND.device : kindOf(fs.fstatSync(file.fd, { bigint: true }));
        const view = this.#view();
        view.setUint8(out, kind);
        view.setUint8(out + 1, 0);
        view.setUint16(out + 2, file.append ? 1 : 0, true);
        view.setUint32(out + 4, 0, true);
        view.setBigUint64(out + 8, terminal ? RIGHTS_ALL & ~RIGHTS_SEEK : RIGHTS_ALL, true);
        view.setBigUint64(out + 16, RIGHTS_ALL, true);
      },
      fd_fdstat_set_flags: (fd: number) => void this.#file(fd),
      fd_readdir: (fd: number, at: number, size: number, cookie: bigint, out: number) => {
        let entries = cookie === 0n ? undefined : this.#listings.get(fd);
        if (!entries) this.#listings.set(fd, (entries = fs.readdirSync(this.#file(fd).path, { withFileTypes: true })));
        let used = 0;
        for (let i = Number(cookie); i < entries.length && used < size; i++) {
          const entry = entries[i]!;
          const name = Buffer.from(entry.name, "utf8");
          const row = Buffer.alloc(24 + name.length);
          row.writeBigUInt64LE(BigInt(i + 1), 0);
          row.writeBigUInt64LE(1n, 8); // no file's number is needed; 0 would ask for it
          row.writeUInt32LE(name.length, 16);
          row.writeUInt8(kindOf(entry), 20);
          name.copy(row, 24);
          const part = row.subarray(0, Math.min(row.length, size - used)); // the last one may be cut: it is asked for again
          this.#bytes(at + used, part.length).set(part);
          used += part.length;
        }
        this.#view().setUint32(out, used, true);
      },
    };
  }

  #open(name: string, how: number, rights: bigint, flags: number): OpenFile {
    const stat = fs.statSync(name, { throwIfNoEntry: false, bigint: true });
    const writes = (rights & RIGHT_WRITE) !== 0n;
    if (stat?.isDirectory() && !writes) return { fd: -1, path: name };
    if (how & OPEN.folder) throw Object.assign(new Error("no folder"), { code: stat ? "ENOTDIR" : "ENOENT" });
    const c = fs.constants;
    const mode =
      (writes ? ((rights & RIGHT_READ) !== 0n ? c.O_RDWR : c.O_WRONLY) : c.O_RDONLY) |
      (how & OPEN.create ? c.O_CREAT : 0) | (how & OPEN.exclusive ? c.O_EXCL : 0) | (how & OPEN.truncate ? c.O_TRUNC : 0) |
      (flags & 1 ? c.O_APPEND : 0) | (flags & 4 ? (c.O_NONBLOCK ?? 0) : 0);
    const fd = fs.openSync(name, mode);
    const file: OpenFile = { fd, path: name, append: (flags & 1) !== 0 };
    if (!stat || stat.isFile()) file.position = 0n;
    return file;
  }

  #ofPaths() {
    return {
      path_open: (folder: number, _follow: number, at: number, size: number, how: number, rights: bigint, _inherited: bigint, flags: number, out: number) => {
        const file = this.#open(this.#path(folder, at, size), how, rights, flags);
        let fd = HERE + 1;
        while (this.#files.has(fd)) fd++;
        this.#files.set(fd, file);
        this.#view().setUint32(out, fd, true);
      },
      path_filestat_get: (folder: number, follow: number, at: number, size: number, out: number) => {
        const name = this.#path(folder, at, size);
        this.#putStat(out, follow & 1 ? fs.statSync(name, { bigint: true }) : fs.lstatSync(name, { bigint: true }));
      },
      path_create_directory: (folder: number, at: number, size: number) => fs.mkdirSync(this.#path(folder, at, size)),
      path_unlink_file: (folder: number, at: number, size: number) => fs.unlinkSync(this.#path(folder, at, size)),
      path_rename: (folder: number, at: number, size: number, toFolder: number, to: number, toSize: number) =>
        fs.renameSync(this.#path(folder, at, size), this.#path(toFolder, to, toSize)),
      path_link: (folder: number, _follow: number, at: number, size: number, toFolder: number, to: number, toSize: number) =>
        fs.linkSync(this.#path(folder, at, size), this.#path(toFolder, to, toSize)),
    };
  }
}
