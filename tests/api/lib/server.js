// Starts a service on a free port for tests, and talks to it over raw sockets.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { serving, watch } from "./children.js";
import { Dechunker } from "./chunked.js";
import { HANG_MS, sleep, until } from "./until.js";
export { HANG_MS, sleep, until };

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const BUILD = path.resolve(ROOT, process.env.TEST_BUILD ?? "build");
export const TESTD = path.join(BUILD, "tests/httpd/testd");
// Bounds of time tell "at once" from "after a timeout", not fast from slow: machines that test may be busy, and a sanitizer
// makes everything slower.
export const SLOW = BUILD.endsWith("build") ? 4 : 8;

/** A test of memory: a sanitizer's own memory would be measured, so that the release build alone has it. */
export const memoryTest = /-(asan|tsan)$/.test(BUILD) ? () => undefined : test;

// For servers that LeakSanitizer is to look at too; it takes seconds at their end. (testd counts for itself in all tests.)
export const LEAKS = BUILD.endsWith("build-asan") ? { env: { ASAN_OPTIONS: "detect_leaks=1" } } : {};

export const program = (name) => (name === "testd" || process.env.TEST_ONLY_TESTD ? TESTD : path.join(BUILD, name));

// What services under test are started with: the tests write "Host: test", nobody watches health while a service stops, and labels,
// requests and connections have time on a busy machine.
// A flag or a variable of the test's own says otherwise; HOST_CHECKED is for tests of Host itself, DEFAULT_TIMES for those of the defaults.
const prefixes = ["TESTD", "PLATEN", "HYGRO"];
const forAll = (name, value) => Object.fromEntries(prefixes.map((prefix) => [`${prefix}_${name}`, value]));
const TIMES = ["HEADER_TIMEOUT", "IDLE_TIMEOUT", "BODY_TIMEOUT", "WRITE_TIMEOUT", "DRAIN_TIMEOUT"].flatMap((name) => prefixes.map((prefix) => `${prefix}_${name}`));
TIMES.push("PLATEN_RENDER_TIMEOUT", "TESTD_DEADLINE");
export const SERVICE_ENV = { ...forAll("ALLOW_HOST", "*"), ...forAll("DRAIN_DELAY", "0"), ...Object.fromEntries(TIMES.map((name) => [name, "15m"])) };
export const DEFAULT_TIMES = Object.fromEntries(TIMES.map((name) => [name, undefined]));
export const HOST_CHECKED = forAll("ALLOW_HOST", "");

// What a file of /proc says; nothing where the process has ended meanwhile.
export function ofProcess(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch (error) {
    if (!["ENOENT", "ESRCH"].includes(error.code)) throw error;
    return "";
  }
}

// A process with all that it has started, and those have.
export const processes = (pid) => [pid, ...ofProcess(pid, `task/${pid}/children`).split(" ").filter(Boolean).flatMap(processes)].map(Number);

export class Server {
  constructor(child) {
    this.child = child;
    this.out = "";
    this.stderr = "";
    watch(child);
    this.exited = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
  }
  get port() {
    return Number(/listening on http:\/\/\S+:(\d+)/.exec(this.out)?.[1]);
  }
  // What it said beside that this kernel has no filter of system calls.
  get err() {
    return this.stderr.replace(/^\w+ serve: running without the system call filter: .*\n/, "");
  }
  get url() {
    return `http://127.0.0.1:${this.port}`;
  }
  get logs() {
    return this.out
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  }
  async stop(ms = HANG_MS) {
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), ms);
    const result = await this.exited;
    clearTimeout(timer);
    const complaint = /were not given back|ERROR: \w+Sanitizer|runtime error:/.exec(this.err);
    if (complaint) throw new Error(this.err);
    return result;
  }
}

// start("platen", ["--workers", "1"]): resolves when it listens; rejects with what it said when it ends before that.
export function start(name, args = [], { env = {}, shell } = {}) {
  const command = [program(name), "serve", "--listen", "127.0.0.1:0", ...args];
  const options = { env: { ...process.env, ...SERVICE_ENV, ...env } };
  const child = shell
    ? spawn("bash", ["-c", `${shell}; exec "$@"`, "bash", ...command], options)
    : spawn(command[0], command.slice(1), options);
  const server = new Server(child);
  child.stderr.on("data", (data) => (server.stderr += data));
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      server.out += data;
      if (!server.port) return;
      serving(child);
      setImmediate(resolve, server); // what it said before on the other pipe is read by then
    });
    child.once("close", (code) => reject(Object.assign(new Error(`ended with ${code}: ${server.err}`), { code, err: server.err })));
    child.once("error", reject);
  });
}

// A connection that collects what arrives.
export class Raw {
  // `from`: another address of this machine, to be another client.
  static open(port, from) {
    return new Promise((resolve, reject) => {
      const began = Date.now();
      const socket = net.connect({ port, host: "127.0.0.1", localAddress: from, allowHalfOpen: true }, () => resolve(new Raw(socket, began)));
      socket.once("error", reject);
    });
  }
  constructor(socket, openedAt) {
    this.socket = socket;
    this.data = Buffer.alloc(0);
    this.closed = false;
    this.waiting = [];
    this.openedAt = openedAt; // before the server can have seen it
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      if (this.sink && !this.sink.whole) this.feed(chunk);
      else this.data = Buffer.concat([this.data, chunk]);
      this.wake();
    });
    const gone = () => {
      if (!this.closed) this.closedAt = Date.now();
      this.closed = true;
      this.wake();
    };
    socket.on("end", gone);
    socket.on("close", gone);
    socket.on("error", gone);
  }
  feed(chunk) {
    try {
      this.sink.take(chunk);
    } catch (error) {
      this.broken = error;
    }
  }
  wake() {
    for (const check of this.waiting.splice(0)) check();
  }
  send(text) {
    if (!this.socket.destroyed) this.socket.write(typeof text === "string" ? Buffer.from(text, "latin1") : text);
    return this;
  }
  // Waits until predicate() is true.
  until(predicate, ms = HANG_MS, what = "the answer") {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`waited ${ms} ms for ${what}; have ${JSON.stringify(this.data.toString("latin1").slice(0, 500))}`));
      }, ms);
      const check = () => {
        if (predicate()) {
          clearTimeout(timer);
          resolve(this);
        } else {
          this.waiting.push(check);
        }
      };
      check();
    });
  }
  // Reads one answer off the front. `head`: the answer has no body whatever its length says.
  async response({ head = false, ms } = {}) {
    await this.until(() => this.closed || this.data.includes("\r\n\r\n"), ms);
    const end = this.data.indexOf("\r\n\r\n");
    if (end < 0) return null;
    const lines = this.data.subarray(0, end).toString("latin1").split("\r\n");
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(lines[0]) ?? [];
    const headers = {};
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(": ");
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 2);
    }
    if (headers["transfer-encoding"] === "chunked" && !head) return this.chunked({ status: Number(status), headers }, end + 4, ms);
    const length = head || status === "204" || status === "304" || status === "100" ? 0 : Number(headers["content-length"]);
    await this.until(() => this.closed || this.data.length >= end + 4 + length, ms, "the body");
    const body = this.data.subarray(end + 4, end + 4 + length);
    this.data = this.data.subarray(end + 4 + length);
    return { status: Number(status), headers, body, text: body.toString("utf8"), json: () => JSON.parse(body.toString("utf8")) };
  }
  // The same where the length is not told. `whole`: the last chunk has come; the connection may also have ended before it.
  async chunked(answer, at, ms) {
    if (answer.headers["content-length"] !== undefined) throw new Error("a length beside chunks");
    const found = new Dechunker();
    found.take(this.data.subarray(at));
    this.data = Buffer.alloc(0);
    this.sink = found;
    await this.until(() => found.whole || this.closed || this.broken, ms, "the last chunk");
    this.sink = null;
    if (this.broken) throw this.broken;
    this.data = Buffer.concat([found.rest, this.data]);
    const { body, whole } = found;
    return { ...answer, body, whole, text: body.toString("utf8"), json: () => JSON.parse(body.toString("utf8")) };
  }
  waitClosed(ms) {
    return this.until(() => this.closed, ms, "the connection's end");
  }
  end() {
    this.socket.end();
    return this;
  }
  destroy() {
    this.socket.destroy();
  }
}

// Sends bytes, returns the first answer and whether the server closed the connection after it.
export async function ask(port, text, options = {}) {
  const raw = await Raw.open(port);
  raw.send(text);
  const answer = await raw.response(options);
  return { ...answer, raw };
}

// What the server counts of itself: metrics without labels, named without the program's prefix.
export async function metrics(server) {
  const answer = await ask(server.port, get("/metrics"));
  answer.raw.destroy();
  return Object.fromEntries([...answer.text.matchAll(/^[a-z]+_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
}

// Waits until the metrics have these values, instead of for a time in which that should have happened.
export async function reaches(server, expected, ms = HANG_MS) {
  let away;
  await until(async () => {
    const now = await metrics(server);
    away = Object.entries(expected).filter(([name, value]) => now[name] !== value).map(([name, value]) => `${name} ${value}, which is ${now[name]}`);
    return away.length === 0;
  }, { toString: () => away.join("; ") }, ms);
}

/** The signal to end has been heard when the port is closed. */
export const refusesNewConnections = (server) => until(async () => {
  try {
    (await Raw.open(server.port)).destroy();
  } catch (error) {
    // A reset: it came in the moment when the port was closed.
    if (!["ECONNREFUSED", "ECONNRESET"].includes(error.code)) throw error;
    return error.code === "ECONNREFUSED";
  }
  return false;
}, "a port that is closed");

export async function closes(raw, ms = HANG_MS) {
  try {
    await raw.waitClosed(ms);
    return true;
  } catch {
    return false;
  }
}

export const get = (path, headers = "") => `GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n`;
export const post = (path, body, headers = "") =>
  `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Length: ${Buffer.byteLength(body, "latin1")}\r\n${headers}\r\n${body}`;
export const HEALTH = get("/api/health");
// Work of testd that lasts until it is let go, whatever the machine's pace. Afterwards all such work ends at once.
export const HELD_WORK = get("/work?ms=0&held=1");
// To be opened before a service is stopped: it takes no new connection then.
export async function openRelease(server) {
  const raw = await Raw.open(server.port);
  await raw.send(HEALTH).response();
  return async () => {
    await raw.send(get("/let-go")).response();
    raw.destroy();
  };
}
