// The HTTP core: draining at a signal, running out of descriptors and the cap of connections. One named test for each statement.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import zlib from "node:zlib";
import { assertProblem } from "./lib/problem.js";
import { ask, closes, get, HEALTH, HELD_WORK, metrics, openRelease, post, Raw, reaches, refusesNewConnections, sleep, start, until } from "./lib/server.js";

async function healthOf(server) {
  const { raw, status } = await ask(server.port, HEALTH);
  raw.destroy();
  return status;
}

describe("stop", { concurrency: 4 }, () => {
  test("SIGTERM stops accepting; health says 503 with ok:false; work in flight is answered; then it ends with 0", async () => {
    const server = await start("testd", ["--workers", "2", "--deadline", "15m"]);
    const kept = await Raw.open(server.port);
    assert.equal((await kept.send(HEALTH).response()).status, 200);
    const release = await openRelease(server);
    const working = (await Raw.open(server.port)).send(HELD_WORK);
    const queued = [];
    for (let i = 0; i < 3; i++) queued.push((await Raw.open(server.port)).send(HELD_WORK));
    await reaches(server, { http_workers_busy: 2, http_queue: 2 });
    server.child.kill("SIGTERM");
    await refusesNewConnections(server);
    const health = await kept.send(HEALTH).response();
    assert.equal(health.status, 503);
    assert.equal(health.json().ok, false);
    assert.equal(health.headers.connection, "close");
    assert.ok(await closes(kept));
    await release();
    const answer = await working.response();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.connection, "close");
    for (const raw of queued) assert.equal((await raw.response()).status, 200);
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.equal(server.logs.filter((line) => line.path === "/work" && line.status === 200).length, 4);
  });
  test("after SIGTERM health says 503 on new connections and requests are still answered, until the drain delay has passed", async () => {
    const server = await start("testd", ["--drain-delay", "10s"]);
    const kept = await Raw.open(server.port);
    assert.equal((await kept.send(HEALTH).response()).status, 200);
    const began = Date.now();
    server.child.kill("SIGTERM");
    await until(async () => (await healthOf(server)) === 503, "503, which a balancer that connects anew sees");
    const late = await ask(server.port, post("/echo", "still taken"));
    assert.equal(late.text, "still taken");
    assert.equal(late.headers.connection, "close", "and is asked to go elsewhere");
    const old = await kept.send(get("/work?ms=1")).response();
    assert.equal(old.status, 200);
    assert.equal(old.headers.connection, "close");
    await refusesNewConnections(server);
    assert.ok(Date.now() - began >= 10_000, "the door stayed open for the delay");
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
  test("SIGINT does not wait: who presses Ctrl-C sees it end, with what is in flight answered", async () => {
    const server = await start("testd", ["--drain-delay", "1h", "--log", "off", "--deadline", "15m"]);
    const release = await openRelease(server);
    const working = (await Raw.open(server.port)).send(HELD_WORK);
    await reaches(server, { http_workers_busy: 1 });
    server.child.kill("SIGINT");
    await refusesNewConnections(server);
    await release();
    assert.equal((await working.response()).status, 200);
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
  test("a second signal ends at once also during the drain delay", async () => {
    const server = await start("testd", ["--drain-delay", "1h", "--log", "off"]);
    server.child.kill("SIGTERM");
    await until(async () => (await healthOf(server)) === 503, "the drain delay");
    assert.equal(server.child.exitCode, null, "the delay");
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
  });
  test("a log that nobody reads does not hold up the stop", async () => {
    // The thread that cannot write leaves what it has: no leak that LeakSanitizer should look for.
    const server = await start("testd", ["--log", "json"], { env: { ASAN_OPTIONS: "detect_leaks=0" } });
    server.child.stdout.pause();
    const raw = await Raw.open(server.port);
    for (let i = 0; i < 40; i++) {
      raw.send(HEALTH.repeat(50));
      for (let k = 0; k < 50; k++) assert.equal((await raw.response()).status, 200);
    }
    raw.destroy();
    server.child.kill("SIGTERM");
    const { code } = await new Promise((resolve) => server.child.once("exit", (code) => resolve({ code })));
    // testd counts what is left behind in the builds that can tell.
    assert.ok(code === 0 || (code === 70 && process.env.TEST_BUILD), `${code}`);
    server.child.stdout.resume();
  });
  test("a subscriber that does not read its events does not hold up the stop", async () => {
    const server = await start("testd", ["--send-buffer", "16384", "--log", "off"]);
    const lazy = await Raw.open(server.port);
    lazy.socket.pause();
    lazy.send(get("/events"));
    await reaches(server, { http_event_streams: 1 });
    // One event, larger than what the kernel takes: several small ones that arrive together could be too many, and end the stream.
    (await ask(server.port, post("/publish", "e".repeat(4000000)))).raw.destroy();
    await until(async () => (await metrics(server)).http_memory_bytes > 0, "a subscriber that is behind");
    assert.equal((await metrics(server)).http_event_streams, 1, "but not too far");
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    lazy.destroy();
  });
  test("SIGTERM under load loses no accepted request", async () => {
    const server = await start("testd", ["--log", "off"]);
    let answered = 0, lost = 0, stopping = false;
    const client = async () => {
      for (;;) {
        let raw;
        try {
          raw = await Raw.open(server.port);
        } catch {
          return; // not accepted
        }
        for (;;) {
          raw.send(Math.random() < 0.5 ? get("/work?ms=5") : post("/echo", "x".repeat(3000)));
          const answer = await raw.response().catch(() => null);
          if (answer?.status === 200) answered++;
          // A connection closed before a byte of the request could be read is told by no answer at all: that is a loss
          // unless the server had said on an earlier answer that it would close.
          else lost++;
          if (!answer || answer.headers.connection === "close" || raw.closed) break;
        }
        raw.destroy();
        if (stopping) return;
      }
    };
    const clients = Array.from({ length: 32 }, client);
    await until(() => answered > 100);
    stopping = true;
    server.child.kill("SIGTERM");
    await Promise.all(clients);
    assert.equal((await server.exited).code, 0);
    assert.equal(lost, 0, `${lost} lost of ${answered + lost}`);
  });
  test("a deadline ends what does not end by itself", async () => {
    const server = await start("testd", ["--drain-timeout", "300ms", "--deadline", "15m", "--log", "off"]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
    raw.destroy();
  });
  test("a second signal ends at once", async () => {
    const server = await start("testd", ["--deadline", "15m", "--log", "off"]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    server.child.kill("SIGTERM");
    await refusesNewConnections(server);
    server.child.kill("SIGINT");
    assert.equal((await server.exited).code, 1);
    raw.destroy();
  });
  // Clients take what came before the end of such a connection for the whole answer. Nothing of it is on its way at the end: Node
  // takes a reset for an end where bytes come with it.
  for (const [how, signals] of [["a second signal", ["SIGTERM", "SIGTERM"]], ["a process that is killed", ["SIGKILL"]]]) {
    for (const line of ["HTTP/1.0", "HTTP/1.1\r\nHost: test\r\nConnection: close"]) {
      test(`${how} resets an answer that ends with its connection (${line.slice(0, 8)})`, async () => {
        const server = await start("testd", ["--drain-delay", "1h", "--heartbeat", "1h", "--log", "off"]);
        const raw = await Raw.open(server.port);
        const ended = new Promise((resolve) => {
          raw.socket.once("error", (error) => resolve(error.code));
          raw.socket.once("end", () => resolve("whole"));
        });
        await raw.send(`GET /events ${line}\r\n\r\n`).until(() => raw.data.includes("\r\n\r\n"));
        for (const [i, signal] of signals.entries()) {
          if (i > 0) await until(async () => (await healthOf(server)) === 503, "the drain delay");
          server.child.kill(signal);
        }
        assert.equal(await ended, "ECONNRESET");
        await server.exited;
        raw.destroy();
      });
    }
  }
  // Only AddressSanitizer's build can tell.
  if (process.env.TEST_BUILD?.includes("asan")) test("all memory is given back at the end", async () => {
    const server = await start("testd", ["--workers", "2", "--max-body", "1MiB", "--header-timeout", "1s", "--body-timeout", "1s"], { env: { ASAN_OPTIONS: "detect_leaks=1" } });
    const raw = await Raw.open(server.port);
    raw.send(HEALTH + get("/work?ms=1") + post("/echo", "x".repeat(100000)) + get("/big?bytes=200000") + get("/fan?n=5") + get("/nothing"));
    for (let i = 0; i < 6; i++) await raw.response();
    raw.send(post("/json", '{"a":[1]}') + post("/json", "{") + "GET /partial");
    for (let i = 0; i < 2; i++) await raw.response();
    const packed = zlib.gzipSync("text".repeat(1000));
    const other = await Raw.open(server.port);
    other.send(`POST /echo HTTP/1.1\r\nHost: t\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`).send(packed);
    await other.response();
    other.send(post("/echo", "cut off").slice(0, -3));
    (await Raw.open(server.port)).send(get("/work?ms=3000"));
    const gone = (await Raw.open(server.port)).send(get("/work?ms=3000"));
    await sleep(200);
    gone.destroy();
    const { code } = await server.stop();
    assert.equal(code, 0, server.err);
    assert.equal(server.err, "");
    raw.destroy();
    other.destroy();
  });
  test("an idle server ends with 0", async () => {
    const server = await start("testd", ["--log", "off"]);
    assert.equal((await server.stop()).code, 0);
  });
  test("a log file as large as the system allows ended the service (SIGXFSZ)", async () => {
    const log = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "platen-log-")), "log");
    const server = await start("testd", ["--log-to", "stderr"], { shell: `exec 2>'${log}'` });
    // Not before it runs: ThreadSanitizer makes files of its own at the start.
    assert.equal(spawnSync("prlimit", ["--pid", String(server.child.pid), "--fsize=16384"]).status, 0);
    const raw = await Raw.open(server.port);
    for (let i = 0; i < 400; i++) assert.equal((await raw.send(HEALTH).response()).status, 200);
    raw.destroy();
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    assert.equal(fs.statSync(log).size, 16384);
    fs.rmSync(path.dirname(log), { recursive: true });
  });
  test("when descriptors run out, accepting backs off and recovers", async () => {
    const server = await start("testd", ["--max-client-connections", "0", "--log", "off"], { shell: "ulimit -n 40" });
    const held = [];
    for (let i = 0; i < 60; i++) {
      const raw = await Raw.open(server.port);
      held.push(raw.send("GET /api/hea")); // a begun request is not idle, so it cannot be evicted
    }
    await sleep(300); // nothing tells that it cannot accept
    const cpu = () => {
      const [user, system] = fs.readFileSync(`/proc/${server.child.pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
      return Number(user) + Number(system);
    };
    const before = cpu();
    await sleep(1000);
    assert.ok(cpu() - before < 30, "it does not spin while it cannot accept");
    held.slice(0, 30).forEach((raw) => raw.destroy());
    const late = await Raw.open(server.port);
    assert.equal((await late.send(HEALTH).response()).status, 200);
    for (const raw of held.slice(50)) assert.equal((await raw.send("lth HTTP/1.1\r\nHost: t\r\n\r\n").response()).status, 200);
    held.forEach((raw) => raw.destroy());
    late.destroy();
    await server.stop();
  });
  test("at the cap of connections, idle ones make room and the rest is told 503", async () => {
    const server = await start("testd", ["--max-connections", "10", "--log", "off"]);
    const busy = [];
    for (let i = 0; i < 10; i++) busy.push((await Raw.open(server.port)).send("GET /api/hea"));
    let refused;
    await until(async () => {
      refused = await ask(server.port, HEALTH);
      refused.raw.destroy();
      return refused.status !== 200;
    }, "all ten to be accepted");
    assertProblem(refused, 503, "too_many_connections");
    busy.forEach((raw) => raw.send("lth HTTP/1.1\r\nHost: t\r\n\r\n"));
    for (const raw of busy) assert.equal((await raw.response()).status, 200);
    await sleep(1100); // idle is what nobody has used for a second
    const welcome = await ask(server.port, HEALTH);
    assert.equal(welcome.status, 200);
    [...busy, welcome.raw].forEach((raw) => raw.destroy());
    await server.stop();
  });
});
