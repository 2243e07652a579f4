// The HTTP core: deadlines against slow clients, and that slow crowds change nothing for the others. One named test for each statement.
import assert from "node:assert/strict";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { assertProblem } from "./lib/problem.js";
import { ask, get, HEALTH, post, Raw, reaches, sleep, SLOW, start } from "./lib/server.js";

describe("time", { concurrency: 8 }, () => {
  const FAST = ["--header-timeout", "3s", "--idle-timeout", "3s", "--body-timeout", "3s", "--write-timeout", "3s", "--min-rate", "1KiB"];
  let testd;
  before(async () => {
    testd = await start("testd", [...FAST, "--max-body", "64MiB", "--log", "off"]);
  });
  after(() => testd.stop());
  const soon = (raw) => {
    const took = raw.closedAt - raw.openedAt;
    assert.ok(took >= 2900 && took < 60_000, `closed after ${took} ms`);
  };

  test("a connection that sends nothing is closed at the header deadline", async () => {
    const raw = await Raw.open(testd.port);
    await raw.waitClosed();
    soon(raw);
  });
  test("a head that trickles a byte at a time is closed at the whole-header deadline with 408", async () => {
    const raw = await Raw.open(testd.port);
    const timer = setInterval(() => raw.send("x"), 50);
    raw.send("GET /");
    assertProblem(await raw.response(), 408);
    clearInterval(timer);
    await raw.waitClosed();
    soon(raw);
  });
  test("a kept-alive connection that is silent is closed at the idle deadline", async () => {
    const raw = await Raw.open(testd.port);
    assert.equal((await raw.send(HEALTH).response()).status, 200);
    await raw.waitClosed();
    soon(raw);
  });
  test("a body that trickles a byte at a time is 408 and closed", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 1000\r\n\r\n");
    const timer = setInterval(() => raw.send("x"), 50);
    assertProblem(await raw.response(), 408);
    clearInterval(timer);
    await raw.waitClosed();
    soon(raw);
  });
  test("a chunked body that trickles a byte at a time is 408 and closed", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
    const timer = setInterval(() => raw.send("1\r\nx\r\n"), 50);
    assertProblem(await raw.response(), 408);
    clearInterval(timer);
    raw.destroy();
  });
  test("a body that is slow but above the minimum rate is taken", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 150000\r\n\r\n");
    for (let i = 0; i < 15; i++) {
      raw.send("x".repeat(10_000)); // ten seconds of the minimum rate
      await sleep(80);
    }
    assert.equal((await raw.response()).body.length, 150_000);
    raw.destroy();
  });
  test("a client that does not read its answer is closed at the write deadline", async () => {
    // A server of its own, since its metrics tell whose time ran out.
    const server = await start("testd", [...FAST, "--log", "off"]);
    const socket = net.connect({ port: server.port, host: "127.0.0.1" });
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.on("error", () => {});
    socket.pause();
    socket.write(get("/big?bytes=30000000"));
    await reaches(server, { http_timeouts_total: 1, http_connections: 1 });
    socket.destroy();
    await server.stop();
  });
  test("a client that reads slowly but above the minimum rate gets all of a large answer", async () => {
    const socket = net.connect({ port: testd.port, host: "127.0.0.1" });
    socket.write(get("/big?bytes=3000000", "Connection: close\r\n"));
    let total = 0;
    socket.on("data", (data) => {
      total += data.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    await new Promise((resolve) => socket.once("end", resolve));
    assert.ok(total > 3000000);
    socket.destroy();
  });
});

describe("slow crowds", () => {
  test("1,000 half-open connections and 200 clients that send a byte a second change nothing for the others", async () => {
    const server = await start("testd", ["--max-client-connections", "0", "--log", "off"]);
    const alone = await start("testd", ["--log", "off"]);
    const crowd = [];
    for (let i = 0; i < 1000; i++) crowd.push(await Raw.open(server.port));
    const slow = [];
    for (let i = 0; i < 200; i++) slow.push((await Raw.open(server.port)).send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100\r\n\r\n"));
    const timer = setInterval(() => slow.forEach((raw) => raw.send("x")), 1000);
    await sleep(1100);
    // By turns, so that whatever else the machine does meets both alike.
    const times = new Map([[alone, []], [server, []]]);
    for (let i = 0; i < 100; i++) {
      for (const [each, list] of times) {
        const began = process.hrtime.bigint();
        const answer = await ask(each.port, HEALTH);
        list.push(Number(process.hrtime.bigint() - began) / 1e6);
        assert.equal(answer.status, 200);
        answer.raw.destroy();
      }
    }
    clearInterval(timer);
    const [quiet, loaded] = [...times.values()].map((list) => list.sort((a, b) => a - b)[list.length / 10]); // what else runs can only make it later
    assert.ok(loaded < 2 * quiet + SLOW, `${quiet} ms alone, ${loaded} ms in the crowd`);
    assert.equal(crowd.filter((raw) => raw.closed).length, 0, "they are closed at their deadline, not before");
    assert.equal((await ask(server.port, post("/echo", "still here"))).text, "still here");
    [...crowd, ...slow].forEach((raw) => raw.destroy());
    await server.stop();
    await alone.stop();
  });
});
