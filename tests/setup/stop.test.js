// ./run and signals: Ctrl-C and SIGTERM end both services after they have answered what is in flight, a second one ends them at once.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { after, test } from "node:test";
import { watch } from "../api/lib/children.js";
import { freePort } from "../api/lib/free-port.js";
import { HANG_MS, sleep, until } from "../api/lib/until.js";
import { environment, ROOT } from "./lib.js";

// What a failed test leaves behind; the services have groups of their own.
const left = new Set();
after(() => left.forEach((run) => [...(run.over ? [] : [-run.child.pid]), ...run.services()].forEach((pid) => signal(pid, "SIGKILL"))));

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    assert.equal(error.code, "ESRCH");
  }
}
async function connect(port) {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}
const listens = (port) => connect(port).then((socket) => Boolean(socket.destroy()), () => false);

/** ./run in a process group of its own, which is what a terminal gives it. */
class Run {
  static async start({ command = ["./run"], ports, ready = true } = {}) {
    const run = new Run();
    run.ports = ports ?? [await freePort(), await freePort()];
    // What waits has minutes on a busy machine, and what should not wait would take as long.
    const times = { PLATEN_DRAIN_TIMEOUT: "15m", HYGRO_DRAIN_TIMEOUT: "15m", PLATEN_BODY_TIMEOUT: "15m", HYGRO_BODY_TIMEOUT: "15m" };
    // In a run of ./test its programs are not linked again: other suites start them.
    const built = process.env.BUILT_LIST ? { BUILT_LIST: process.env.BUILT_LIST } : {};
    const env = { ...environment, ...built, ...times, PLATEN_LISTEN: `127.0.0.1:${run.ports[0]}`, HYGRO_LISTEN: `127.0.0.1:${run.ports[1]}` };
    run.child = watch(spawn(command[0], command.slice(1), { cwd: ROOT, env, detached: true, stdio: ["pipe", "pipe", "pipe"] }));
    run.child.stdin.on("error", () => {});
    left.add(run);
    run.out = "";
    for (const stream of [run.child.stdout, run.child.stderr]) stream.on("data", (data) => (run.out += data));
    run.ended = once(run.child, "close").then(([code, name]) => {
      run.over = true;
      return code ?? name;
    });
    if (ready) {
      await until(async () => {
        assert.ok(!run.over, run.out);
        return (await listens(run.ports[0])) && (await listens(run.ports[1]));
      }, "both services");
    }
    return run;
  }
  /** The process of a service that made its others; numbers of processes begin anew at their end, so it need not have the lowest. */
  front(which) {
    const all = this.services().filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`:${this.ports[which]}`));
    return all.find((pid) => !all.includes(Number(/^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1])));
  }
  /** The processes of the services. */
  services() {
    const found = [];
    for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        if (words.includes("serve") && this.ports.some((port) => words.includes(`127.0.0.1:${port}`))) found.push(Number(pid));
      } catch (error) {
        assert.ok(["ENOENT", "ESRCH"].includes(error.code), error.code);
      }
    }
    return found;
  }
  async stopping() {
    await until(async () => /stopping both services/.test(this.out) && !(await listens(this.ports[0])) && !(await listens(this.ports[1])), "it to stop");
  }
  async ends(status) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, HANG_MS, "still runs")));
    assert.equal(await Promise.race([this.ended, late]), status, this.out);
    clearTimeout(timer);
    // The processes of a service that was killed end a moment after it.
    await until(() => this.services().length === 0, "the services' processes to end");
  }
}

/** A request whose body the service has begun to read. */
class Begun {
  static async send(port, path, type, body) {
    const begun = new Begun();
    begun.rest = body.slice(10);
    begun.socket = await connect(port);
    begun.text = "";
    begun.socket.on("data", (data) => (begun.text += data.toString("latin1")));
    begun.socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`);
    await until(() => begun.text.includes("HTTP/1.1 100"), "100");
    begun.socket.write(body.slice(0, 10));
    return begun;
  }
  async answer() {
    this.socket.write(this.rest);
    if (!this.socket.closed) await once(this.socket, "close");
    return Number(/HTTP\/1\.1 ([2-5]\d\d)/.exec(this.text)?.[1]);
  }
}
const inFlight = (run) =>
  Promise.all([
    Begun.send(run.ports[0], "/api/render/png", "text/plain", "^XA^FO50,50^A0N,60,60^FDstill answered^FS^XZ"),
    Begun.send(run.ports[1], "/api/calculate", "application/json", '{"grain":"corn","ta":25,"ur":70}'),
  ]);

async function answersWhatIsInFlight(run, stop) {
  const requests = await inFlight(run);
  stop();
  await run.stopping();
  for (const request of requests) assert.equal(await request.answer(), 200, run.out);
  await run.ends(0);
}

test("Ctrl-C in a terminal: what is in flight is answered, the status is 0", async () => {
  // A shell that stays between would end by the signal itself.
  const run = await Run.start({ command: ["script", "-qefc", "exec ./run", "/dev/null"] });
  await answersWhatIsInFlight(run, () => run.child.stdin.write("\x03"));
});

test("SIGINT to the whole group, SIGTERM and SIGHUP to ./run do the same", async () => {
  for (const [whom, name] of [[-1, "SIGINT"], [1, "SIGTERM"], [1, "SIGHUP"]]) {
    const run = await Run.start();
    await answersWhatIsInFlight(run, () => signal(whom * run.child.pid, name));
  }
});

test("a second Ctrl-C ends both at once", async () => {
  const run = await Run.start();
  await inFlight(run);
  signal(-run.child.pid, "SIGINT");
  await run.stopping();
  await sleep(300);
  assert.ok(!run.over, "it waits for what is in flight");
  assert.ok(run.services().length >= 2, "both are still there, and the processes of Platen");
  signal(-run.child.pid, "SIGINT");
  await run.ends(0);
  assert.match(run.out, /ending both services at once/);
});

test("idle services end without waiting", async () => {
  const run = await Run.start();
  signal(-run.child.pid, "SIGINT");
  await run.ends(0);
});

test("when one service ends by itself, the other is stopped and ./run fails", async () => {
  for (const which of [0, 1]) {
    const run = await Run.start();
    signal(run.front(which), "SIGKILL");
    await run.ends(1);
    assert.match(run.out, /error: one of the services ended by itself \(status 137\)/);
  }
});

test("when a port is taken, ./run fails and leaves nothing behind", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  for (const which of [0, 1]) {
    const ports = [await freePort(), await freePort()];
    ports[which] = taken.address().port;
    const run = await Run.start({ ports, ready: false });
    await run.ends(1);
    assert.match(run.out, /error: one of the services ended by itself/);
  }
  taken.close();
});
