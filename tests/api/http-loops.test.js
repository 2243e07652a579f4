// The HTTP core: several threads of input and output. One named test for each statement.
import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "node:test";
import { BUILD, closes, get, HEALTH, HELD_WORK, openRelease, Raw, reaches, refusesNewConnections, sleep, start, until } from "./lib/server.js";

describe("several threads of input and output", { concurrency: 4 }, () => {
  // How many descriptors each epoll set of the program watches.
  const watchedNow = (server) => {
    const base = `/proc/${server.child.pid}`;
    const sets = [];
    for (const fd of fs.readdirSync(`${base}/fd`)) {
      try {
        if (fs.readlinkSync(`${base}/fd/${fd}`) !== "anon_inode:[eventpoll]") continue;
        const info = fs.readFileSync(`${base}/fdinfo/${fd}`, "utf8");
        sets.push(info.split("\n").filter((line) => line.startsWith("tfd:")).length);
      } catch (error) {
        // The program may close a descriptor between the listing and the look at it.
        if (error.code !== "ENOENT") throw error;
      }
    }
    return sets.sort((a, b) => a - b);
  };
  // Threads start and connections are handed over while this looks on: waits until the sets are as expected.
  const watches = (server, expected, why) => until(() => String(watchedNow(server)) === String(expected), why ?? expected);
  const openMany = async (server, count) => {
    const all = [];
    for (let i = 0; i < count; i++) {
      const raw = await Raw.open(server.port);
      assert.equal((await raw.send(HEALTH).response()).status, 200);
      all.push(raw);
    }
    return all;
  };

  test("connections are spread evenly, and all of them are counted", async () => {
    const server = await start("testd", ["--io-threads", "4", "--log", "off"]);
    const idle = [1, 1, 1, 3];
    await watches(server, idle, "each is woken by others; the first listens and hears signals too");
    const all = await openMany(server, 12);
    await watches(server, [4, 4, 4, 6]);
    const metrics = (await all[7].send(get("/metrics")).response()).body.toString();
    assert.match(metrics, /^testd_http_connections 12$/m);
    assert.match(metrics, /^testd_http_connections_total 12$/m);
    assert.match(metrics, /^testd_http_requests_total\{route="\/api\/health",method="GET",status="200"\} 12$/m);
    all.forEach((raw) => raw.destroy());
    await watches(server, idle);
    await server.stop();
  });
  test("ids stay different and each log line whole, whichever thread writes it", async () => {
    const server = await start("testd", ["--io-threads", "3"]);
    const all = await openMany(server, 9);
    for (let round = 0; round < 50; round++) {
      all.forEach((raw) => raw.send(HEALTH + get("/work?ms=0")));
      for (const raw of all) for (let i = 0; i < 2; i++) assert.equal((await raw.response()).status, 200);
    }
    all.forEach((raw) => raw.destroy());
    assert.equal((await server.stop()).code, 0);
    assert.equal(server.logs.length, 9 + 50 * 18);
    assert.equal(new Set(server.logs.map((line) => line.id)).size, server.logs.length);
  });
  test("at the cap, the connection that has been idle longest makes room, whichever thread has it", async () => {
    const server = await start("testd", ["--io-threads", "3", "--max-connections", "6", "--log", "off"]);
    const all = await openMany(server, 6);
    const order = [4, 0, 5, 1, 3, 2];
    for (const i of order) {
      assert.equal((await all[i].send(HEALTH).response()).status, 200);
      await sleep(20);
    }
    await sleep(1100); // idle is what nobody has used for a second
    const late = [];
    for (const [nth, i] of order.entries()) {
      late.push(...(await openMany(server, 1)));
      assert.ok(await closes(all[i]), `connection ${i} makes room`);
      for (const other of order.slice(nth + 1)) assert.ok(!all[other].closed, `connection ${other} stays`);
    }
    [...all, ...late].forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("they take turns with other programs while nobody computes, and come first while workers do", async () => {
    const server = await start("testd", ["--io-threads", "2", "--workers", "1", "--deadline", "15m", "--log", "off"]);
    // Policies of all threads: 0 is the ordinary one, 3 is batch.
    const policies = () =>
      fs.readdirSync(`/proc/${server.child.pid}/task`).map((id) => fs.readFileSync(`/proc/${server.child.pid}/task/${id}/stat`, "utf8").split(") ")[1].split(" ")[38]);
    const foreign = BUILD.endsWith("-tsan") ? 1 : 0; // ThreadSanitizer has an ordinary thread of its own
    const ordinary = () => policies().filter((policy) => policy === "0").length - foreign;
    const [raw, other] = await openMany(server, 2);
    // A loop that has nothing to do does not look whether the workers rest.
    const calms = () => until(async () => {
      assert.equal((await other.send(HEALTH).response()).status, 200);
      return ordinary() === 0;
    }, "threads that take turns with other programs");
    await calms();
    raw.send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    await until(() => ordinary() === 2, "threads that come first");
    assert.equal((await other.send(HEALTH).response()).status, 200);
    raw.destroy();
    await calms();
    [raw, other].forEach((each) => each.destroy());
    await server.stop();
  });
  test("SIGTERM: work on every thread is finished and answered", async () => {
    const server = await start("testd", ["--io-threads", "3", "--workers", "6", "--deadline", "15m"]);
    const all = await openMany(server, 6);
    const release = await openRelease(server);
    all.forEach((raw) => raw.send(HELD_WORK));
    await reaches(server, { http_workers_busy: 6 });
    server.child.kill("SIGTERM");
    await refusesNewConnections(server);
    await release();
    for (const raw of all) {
      const answer = await raw.response();
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.connection, "close");
    }
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.equal(server.logs.filter((line) => line.path === "/work" && line.status === 200).length, 6);
  });
  test("a second signal ends at once also when only another thread has work left", async () => {
    const server = await start("testd", ["--io-threads", "2", "--deadline", "15m", "--log", "off"]);
    const [first, second] = await openMany(server, 2);
    second.send(get("/work?ms=900000"));
    first.destroy();
    await reaches(server, { http_workers_busy: 1 });
    server.child.kill("SIGTERM");
    await refusesNewConnections(server);
    assert.equal(server.child.exitCode, null, "it waits for the work");
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
    second.destroy();
  });
  test("the drain's deadline holds on every thread", async () => {
    const server = await start("testd", ["--io-threads", "2", "--drain-timeout", "300ms", "--deadline", "15m", "--log", "off"]);
    const [first, second] = await openMany(server, 2);
    second.send(get("/work?ms=900000"));
    first.destroy();
    await reaches(server, { http_workers_busy: 1 });
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
    second.destroy();
  });
});
