// The HTTP core: requests that wait for a topic (long polls). One named test for each statement.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertProblem } from "./lib/problem.js";
import { ask, get, HANG_MS, HEALTH, metrics, post, Raw, reaches, SLOW, start, until } from "./lib/server.js";

const PATIENT = ["--log", "off"];
const publish = (server, topic = 1) => ask(server.port, post(`/publish-inline?topic=${topic}`, "news")).then(({ raw, status }) => (raw.destroy(), assert.equal(status, 200)));

// Waits until handlers of requests that wait have run so often.
const runs = (server, wanted) => until(async () => {
  const answer = await ask(server.port, get("/waits"));
  answer.raw.destroy();
  return answer.json().runs >= wanted;
}, `run ${wanted}`);

// Some that wait, with workers that have nothing to do.
async function waiting(server, count, path = "/wait") {
  const all = [];
  const before = (await ask(server.port, get("/waits"))).json().runs;
  for (let i = 0; i < count; i++) all.push((await Raw.open(server.port)).send(get(path)));
  await runs(server, before + count);
  await reaches(server, { http_workers_busy: 0 });
  return all;
}

describe("requests that wait", { concurrency: 4 }, () => {
  test("finding 1 of issue 33: clients that leave when their long polls are woken take nobody else's requests along", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    const polls = await waiting(server, 4);
    const first = (await Raw.open(server.port)).send(get("/work?ms=900000"));
    await reaches(server, { http_workers_busy: 1 });
    const queued = [];
    for (let i = 0; i < 3; i++) queued.push((await Raw.open(server.port)).send(get("/work?ms=1")));
    await reaches(server, { http_queue: 3 });
    await publish(server); // the polls are woken, and wait for the worker
    polls.forEach((raw) => raw.socket.resetAndDestroy());
    await reaches(server, { http_cancelled_total: 4, http_queue: 3 });
    first.destroy();
    for (const raw of queued) assert.equal((await raw.response()).status, 200);
    const next = (await ask(server.port, get("/wait?events=0"))).status;
    assert.equal(next, 200, "the service goes on");
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  test("finding 1 of issue 33: a woken long poll that is overdue in the queue of a busy worker is answered, and the service goes on", async () => {
    const server = await start("testd", ["--workers", "1", "--deadline", "1s", "--log", "off"]);
    const [poll] = await waiting(server, 1);
    const busy = (await Raw.open(server.port)).send(get(`/sleep?ms=${2000 * SLOW}`)); // it does not look at the clock
    await reaches(server, { http_workers_busy: 1 });
    await publish(server);
    assertProblem(await poll.response(), 503, "deadline");
    assert.equal((await metrics(server)).http_workers_busy, 1, "the worker was still busy");
    await reaches(server, { http_workers_busy: 0 });
    busy.destroy();
    for (let i = 0; i < 20; i++) {
      const answer = await ask(server.port, get("/work?ms=0"));
      answer.raw.destroy();
      assert.equal(answer.status, 200);
    }
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  const printerless = process.env.TEST_ONLY_TESTD ? "only the test server is built" : false;
  test("finding 1 of issue 33: a service with a printer outlives clients that leave their long polls", { skip: printerless }, async () => {
    const server = await start("platen", ["--workers", "1", "--io-threads", "1", "--log", "off", "--render-timeout", "10m", "--printer", "name=a,listen=127.0.0.1:0"]);
    const printer = Number(/printer a on 127\.0\.0\.1:(\d+)/.exec(server.out + server.err)[1]);
    const events = (await Raw.open(server.port)).send(get("/api/printers/a/events"));
    await events.until(() => events.data.includes("\r\n\r\n"));
    const polls = [];
    for (let i = 0; i < 4; i++) polls.push((await Raw.open(server.port)).send(get("/api/printers/a/labels/next?timeout=300&match=never")));
    const ran = async (count) => (await metrics(server)).http_queue_seconds_count >= count;
    await until(() => ran(5)); // the stream of events and the polls
    await reaches(server, { http_workers_busy: 0 });
    const slow = "^XA" + "^FO0,0^A0N,900,900^FDWWWW^FS^FR^FO0,0^GB800,1200,600^FS".repeat(20000) + "^XZ";
    const renders = [];
    for (let i = 0; i < 3; i++) renders.push((await Raw.open(server.port)).send(post("/api/render/png", slow, "Content-Type: text/plain\r\n")));
    await reaches(server, { http_workers_busy: 1, http_queue: 2 });
    const raw = await Raw.open(printer);
    raw.send("~PP"); // the printer pauses: an event that needs no worker
    await events.until(() => /event: \w/.test(events.data.toString()));
    polls.forEach((poll) => poll.socket.resetAndDestroy());
    await reaches(server, { http_cancelled_total: 4 });
    for (const render of renders) assert.equal((await render.response({ ms: 2 * HANG_MS })).status, 200);
    assert.equal((await ask(server.port, HEALTH)).status, 200);
    raw.destroy();
    events.destroy();
    assert.equal((await server.stop()).code, 0);
  });

  test("finding 2 of issue 33: the gzip body of a waiting request is inflated once, whatever wakes it, and is counted", async () => {
    const server = await start("testd", ["--workers", "1", "--max-body", "16MiB", ...PATIENT]);
    const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]) / 1024;
    const size = 8 << 20, body = gzipSync(Buffer.alloc(size)).toString("latin1");
    const raw = (await Raw.open(server.port)).send(post("/wait?events=30", body, "Content-Encoding: gzip\r\n"));
    await runs(server, 1);
    await reaches(server, { http_workers_busy: 0, http_memory_bytes: size });
    const before = rss();
    for (let i = 2; i <= 30; i++) {
      await publish(server);
      await runs(server, i);
      await reaches(server, { http_workers_busy: 0 });
    }
    await reaches(server, { http_memory_bytes: size });
    assert.ok(rss() - before < 100, `${before} MB became ${rss()} MB`);
    await publish(server);
    const answer = await raw.response();
    assert.deepEqual(answer.json(), { ended: false, bytes: size });
    assert.equal(answer.headers["x-run"], "again", "headers of former runs are gone");
    await reaches(server, { http_memory_bytes: 0 });
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  test("finding 6 of issue 33: time in which a long poll waits is no time in the queue", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    const [raw] = await waiting(server, 1, "/wait?ms=3000");
    assert.equal((await raw.response()).json().ended, true);
    const now = await metrics(server);
    assert.equal(now.http_queue_seconds_count, 2);
    assert.ok(now.http_queue_seconds_sum < 2.5, `${now.http_queue_seconds_sum} s in the queue`);
    await server.stop();
  });

  test("a long poll is answered by what is sent to its topic, and by nothing else", async () => {
    const server = await start("testd", ["--workers", "2", ...PATIENT]);
    const [one, two] = [await Raw.open(server.port), await Raw.open(server.port)];
    one.send(get("/wait?topic=1"));
    two.send(get("/wait?topic=2"));
    await runs(server, 2);
    await publish(server, 2);
    assert.equal((await two.response()).json().ended, false);
    assert.equal(one.data.length, 0);
    await publish(server, 1);
    assert.equal((await one.response()).json().ended, false);
    await server.stop();
  });

  test("a long poll whose client has ended its side answers at once", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    const together = (await Raw.open(server.port)).send(get("/wait")).end();
    assert.equal((await together.response()).json().ended, true);
    const [later] = await waiting(server, 1);
    later.end();
    assert.equal((await later.response()).json().ended, true);
    await server.stop();
  });

  test("SIGTERM answers long polls", async () => {
    const server = await start("testd", ["--workers", "1", ...PATIENT]);
    const polls = await waiting(server, 3);
    const stopped = server.stop();
    for (const raw of polls) assert.equal((await raw.response()).json().ended, true);
    assert.deepEqual(await stopped, { code: 0, signal: null });
  });
});
