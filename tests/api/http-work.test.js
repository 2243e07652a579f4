// The HTTP core: workers, their queue, cancellation and deadlines. One named test for each statement.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertProblem } from "./lib/problem.js";
import { ask, closes, get, HEALTH, HELD_WORK, metrics, openRelease, Raw, reaches, sleep, SLOW, start, until } from "./lib/server.js";

// Work of a minute is far beyond what a test waits for: it ends only because somebody left.
const PATIENT = ["--log", "off"];

// Connections whose requests have begun and are not answered yet. Both can be over before a busy machine looks: then others are sent.
const begun = (server, request, count, hasBegun) => until(async () => {
  const all = await Promise.all(Array.from({ length: count }, () => Raw.open(server.port)));
  all.forEach((raw) => raw.send(request));
  const isAnswered = () => all.some((raw) => raw.data.length > 0);
  await until(async () => isAnswered() || hasBegun(), "a request that has begun");
  if (!isAnswered()) return all;
  all.forEach((raw) => raw.destroy());
  await reaches(server, { http_workers_busy: 0, http_queue: 0 });
  return null;
}, "requests in flight");

describe("work", { concurrency: 4 }, () => {
  test("health is answered while all workers are busy", async () => {
    const server = await start("testd", ["--workers", "2", ...PATIENT]);
    const busy = await Promise.all([1, 2, 3, 4].map(() => Raw.open(server.port)));
    busy.forEach((raw) => raw.send(get("/work?ms=900000")));
    await reaches(server, { http_workers_busy: 2, http_queue: 2 });
    const answer = await ask(server.port, HEALTH);
    assert.equal(answer.status, 200);
    assert.equal((await metrics(server)).http_queue, 2, "all of the work is still there");
    busy.forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("a full queue is 429 with Retry-After at once", async () => {
    const server = await start("testd", ["--workers", "1", "--max-queue", "2", ...PATIENT]);
    const first = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    const waiting = [];
    for (let i = 0; i < 2; i++) waiting.push((await Raw.open(server.port)).send(get("/work?ms=1")));
    await reaches(server, { http_queue: 2 });
    const answer = await ask(server.port, get("/work?ms=1"));
    assertProblem(answer, 429, "queue_full");
    assert.match(answer.headers["retry-after"], /^\d+$/);
    assert.equal((await metrics(server)).http_workers_busy, 1, "it did not wait for the work");
    assert.equal((await answer.raw.send(HEALTH).response()).status, 200, "the connection stays open");
    first.destroy();
    for (const raw of waiting) assert.equal((await raw.response()).status, 200);
    await server.stop();
  });
  // A header as behind a proxy, or another address.
  for (const [what, options, headers, from] of [
    ["by their addresses", [], ["", ""], "127.0.0.2"],
    ["behind a proxy", ["--trust-proxy", "on"], ["X-Forwarded-For: 10.0.0.1\r\n", "X-Forwarded-For: 10.0.0.2\r\n"]],
  ]) {
    const work = (ms, client) => get(`/work?ms=${ms}`, headers[client]);
    const flood = async (server, count) => {
      const all = [(await Raw.open(server.port)).send(work(900000, 0))];
      await reaches(server, { http_workers_busy: 1 });
      while (all.length <= count) all.push((await Raw.open(server.port)).send(work(900000, 0)));
      await reaches(server, { http_queue: count });
      return all;
    };
    test(`one client's many slow requests delayed those of others, ${what}`, async () => {
      const server = await start("testd", ["--workers", "1", ...options, ...PATIENT]);
      const all = await flood(server, 20);
      const mine = (await Raw.open(server.port, from)).send(work(1, 1));
      await reaches(server, { http_queue: 21 });
      all[0].destroy();
      assert.equal((await mine.response()).status, 200, "before five hours of work that came earlier");
      all.forEach((raw) => raw.destroy());
      await server.stop();
    });
    test(`a queue that one client has filled refused others, ${what}`, async () => {
      const server = await start("testd", ["--workers", "1", "--max-queue", "2", ...options, ...PATIENT]);
      const all = await flood(server, 2);
      const mine = (await Raw.open(server.port, from)).send(work(1, 1));
      await reaches(server, { http_queue: 3 });
      assertProblem(await ask(server.port, work(1, 0)), 429, "queue_full");
      assertProblem(await (await Raw.open(server.port, from)).send(work(1, 1)).response(), 429, "queue_full");
      all[0].destroy();
      assert.equal((await mine.response()).status, 200);
      all.forEach((raw) => raw.destroy());
      await server.stop();
    });
  }
  test("a client that goes away cancels its queued work", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    const first = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    const leaving = [];
    for (let i = 0; i < 5; i++) leaving.push((await Raw.open(server.port)).send(get("/work?ms=900000")));
    await reaches(server, { http_queue: 5 });
    const last = (await Raw.open(server.port)).send(get("/work?ms=1"));
    leaving.forEach((raw) => raw.destroy());
    await reaches(server, { http_cancelled_total: 5 });
    first.destroy();
    assert.equal((await last.response()).status, 200, "nobody waits for work that nobody wants");
    await server.stop();
  });
  test("a client that goes away stops the work that has begun", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    raw.destroy();
    assert.equal((await ask(server.port, get("/work?ms=1"))).status, 200);
    await server.stop();
  });
  test("a client that leaves in the moment in which it asks holds no worker", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    for (let i = 0; i < 5; i++) {
      const raw = await Raw.open(server.port);
      raw.socket.end(get("/work?ms=900000")); // the request and the end of its side in one packet
      await sleep(5);
      raw.destroy();
    }
    await reaches(server, { http_workers_busy: 0, http_queue: 0 });
    await server.stop();
  });
  test("answers in steps that have begun get a moment, also between two steps, when clients end their side", async () => {
    const server = await start("testd", ["--workers", "1", "--log", "off"]);
    const all = await begun(server, get("/stream?n=4&bytes=10&ms=20&start=0"), 3, async () => {
      const answer = await ask(server.port, get("/streams"));
      answer.raw.destroy();
      return answer.json().open === 3;
    });
    all.forEach((raw) => raw.end());
    for (const raw of all) assert.equal((await raw.response()).status, 200);
    await server.stop();
  });
  test("a client that only ends its side while its work runs still gets its answer", async () => {
    const server = await start("testd", ["--workers", "1", "--log", "off"]);
    const [raw] = await begun(server, get("/work?ms=300"), 1, async () => (await metrics(server)).http_workers_busy === 1); // within the moment that such a client gets
    raw.end();
    assert.equal((await raw.response()).status, 200);
    assert.ok(await closes(raw));
    await server.stop();
  });
  test("work has a deadline: 503", async () => {
    const server = await start("testd", ["--deadline", "100ms", "--log", "off"]);
    const answer = await ask(server.port, get("/work?ms=5000"));
    assertProblem(answer, 503, "deadline");
    assert.ok(answer.headers["retry-after"]);
    answer.raw.destroy();
    await server.stop();
  });
  test("the deadline runs from the arrival of the request, not from when a worker begins", async () => {
    const server = await start("testd", ["--workers", "1", "--deadline", "900s", "--log", "off"]);
    const first = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    const second = (await Raw.open(server.port)).send(get("/work?ms=0"));
    await reaches(server, { http_queue: 1 });
    await sleep(1000);
    first.destroy(); // now a worker begins
    const { leftMs } = (await second.response()).json();
    assert.ok(leftMs > 0 && leftMs <= 899_000, `${leftMs} ms`);
    second.destroy();
    await server.stop();
  });
  test("a request that waits is answered at its deadline, whatever the workers do", async () => {
    const server = await start("testd", ["--workers", "1", "--deadline", "300ms", "--log", "off"]);
    const stuck = (await Raw.open(server.port)).send(get(`/sleep?ms=${3000 * SLOW}`)); // looks at no clock
    await reaches(server, { http_workers_busy: 1 });
    const raw = (await Raw.open(server.port)).send(get("/work?ms=1") + HEALTH);
    assertProblem(await raw.response(), 503, "deadline");
    assert.equal((await raw.response()).status, 200, "the connection goes on");
    const now = await metrics(server);
    assert.deepEqual([now.http_workers_busy, now.http_queue], [1, 0], "the worker is still busy and nothing waits");
    [stuck, raw].forEach((each) => each.destroy());
    await server.stop();
  });
  test("sub-jobs run on idle workers and never deadlock, however many fan out at once", async () => {
    const server = await start("testd", ["--workers", "3", "--log", "off"]);
    const all = await Promise.all(Array.from({ length: 24 }, () => Raw.open(server.port)));
    all.forEach((raw) => raw.send(get("/fan?n=20")));
    for (const raw of all) assert.equal((await raw.response()).json().sum, 2470);
    all.forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("each worker has its own data", async () => {
    const server = await start("testd", ["--workers", "2", "--log", "off", "--deadline", "15m"]);
    const all = await Promise.all(Array.from({ length: 4 }, () => Raw.open(server.port)));
    const release = await openRelease(server);
    all.forEach((raw) => raw.send(HELD_WORK));
    await reaches(server, { http_workers_busy: 2 });
    await release();
    const seen = new Set();
    for (const raw of all) seen.add((await raw.response()).json().worker);
    assert.equal(seen.size, 2);
    all.forEach((raw) => raw.destroy());
    await server.stop();
  });
});
