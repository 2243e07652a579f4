// The HTTP core: answers in steps, streams of events, and memory that slow readers hold. One named test for each statement.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { dechunk, splitHead } from "./lib/chunked.js";
import { assertProblem } from "./lib/problem.js";
import { ask, closes, get, HANG_MS, HEALTH, metrics, post, Raw, reaches, sleep, SLOW, start, until } from "./lib/server.js";

// What /stream?id=ID&n=STEPS&bytes=EACH answers.
function expected(id, steps, bytes) {
  let text = "";
  for (let i = 1; i <= steps; i++) text += `${id} ${i}\n`.repeat(bytes / 4 + 1).slice(0, bytes);
  return text;
}
const stream = (query) => get(`/stream?${query}`);
const streamsOpen = async (server) => {
  const answer = await ask(server.port, get("/streams"));
  answer.raw.destroy();
  return answer.json().open;
};
async function streamsBecome(server, count) {
  await until(async () => (await streamsOpen(server)) === count, `${count} answers in steps`);
}
// The state of every answer was given back.
const noStreams = (server) => streamsBecome(server, 0);
// Reads a chunked answer to its end.
async function chunkedAnswer(raw) {
  await raw.until(() => {
    const head = splitHead(raw.data);
    return raw.closed || (head && (head.headers["transfer-encoding"] !== "chunked" || dechunk(raw.data.subarray(head.bodyAt)).whole));
  }, HANG_MS, "the last chunk");
  const head = splitHead(raw.data);
  const { body, whole, rest } = dechunk(raw.data.subarray(head.bodyAt));
  raw.data = rest;
  return { ...head, whole, text: body.toString("latin1") };
}

describe("answers in steps", { concurrency: 4 }, () => {
  test("an answer whose length is not known is sent in chunks while it is made, and the connection goes on", async () => {
    const server = await start("testd", ["--log", "off"]);
    const raw = await Raw.open(server.port);
    raw.send(stream("id=first&n=3&bytes=1000&ms=1500") + stream("id=second&n=2&bytes=70000") + HEALTH);
    await raw.until(() => raw.data.includes("first 1\n"));
    assert.ok(!raw.data.includes("first 3\n"), "the beginning is here before the end is made");
    const first = await chunkedAnswer(raw);
    assert.equal(first.status, 200);
    assert.equal(first.headers["transfer-encoding"], "chunked");
    assert.equal(first.headers["content-length"], undefined);
    assert.equal(first.text, expected("first", 3, 1000));
    assert.equal((await chunkedAnswer(raw)).text, expected("second", 2, 70000));
    assert.equal((await raw.response()).status, 200);
    raw.destroy();
    await server.stop();
  });
  test("an answer that ends before its start is sent whole, with its length", async () => {
    const server = await start("testd", ["--log", "off"]);
    const answer = await ask(server.port, stream("id=whole&n=4&bytes=5000&start=0"));
    assert.equal(answer.headers["content-length"], "20000");
    assert.equal(answer.text, expected("whole", 4, 5000));
    answer.raw.destroy();
    await server.stop();
  });
  test("a step that fails before the start is a problem; after it the connection is cut, so that nobody takes the answer for whole", async () => {
    const server = await start("testd", ["--log", "off"]);
    const before = await ask(server.port, stream("n=4&bytes=100&fail=3&start=4"));
    assertProblem(before, 422, "failed");
    before.raw.destroy();
    const after = await Raw.open(server.port);
    after.send(stream("id=cut&n=4&bytes=100&fail=3") + HEALTH);
    assert.ok(await closes(after));
    // Clients read hexadecimal digits as the size of a chunk, whatever follows them.
    assert.match(after.data.toString("latin1"), /\r\n[^0-9a-fA-F\s;][^\r\n]*\r\n$/);
    const cut = await chunkedAnswer(after);
    assert.equal(cut.whole, false);
    assert.ok(expected("cut", 2, 100).startsWith(cut.text));
    const curl = await new Promise((resolve) => execFile("curl", ["-s", "-o", "/dev/null", `${server.url}/stream?n=4&bytes=100&fail=3`], resolve));
    assert.ok([18, 56].includes(curl?.code), `${curl?.code}`);
    await reaches(server, { http_cut_total: 2 });
    await noStreams(server);
    await server.stop();
  });
  test("HTTP/1.0 gets an answer in steps that ends with the connection", async () => {
    const server = await start("testd", ["--log", "off"]);
    const raw = await Raw.open(server.port);
    raw.send("GET /stream?id=old&n=3&bytes=50000 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assert.ok(await closes(raw));
    const head = splitHead(raw.data);
    assert.equal(head.headers["transfer-encoding"], undefined);
    assert.equal(head.headers.connection, "close");
    assert.equal(raw.data.toString("latin1", head.bodyAt), expected("old", 3, 50000));
    await server.stop();
  });
  test("HEAD of an answer in steps has its head and no body", async () => {
    const server = await start("testd", ["--log", "off"]);
    const raw = await Raw.open(server.port);
    raw.send("HEAD /stream?n=3&bytes=50000 HTTP/1.1\r\nHost: test\r\n\r\n" + HEALTH);
    const answer = await raw.response({ head: true });
    assert.equal(answer.status, 200);
    assert.equal((await raw.response()).json().ok, true);
    raw.destroy();
    await noStreams(server);
    await server.stop();
  });
  test("a slow reader holds no worker and little memory, and time in which it reads is not the answer's", async () => {
    const deadline = 4000 * SLOW; // an answer needs a small part of it, also on a busy machine
    const server = await start("testd", ["--workers", "1", "--deadline", `${deadline}ms`, "--send-buffer", "16384", "--log", "off"]);
    const slow = await Promise.all([1, 2, 3].map(() => Raw.open(server.port)));
    slow.forEach((raw, i) => {
      raw.socket.pause();
      raw.send(stream(`id=slow${i}&n=20&bytes=65536`));
    });
    await streamsBecome(server, 3);
    // They have come to a stop when nobody works on them and what they hold does not change.
    let held = -1;
    await until(async () => {
      const now = await metrics(server), before = held;
      held = now.http_memory_bytes;
      return now.http_workers_busy === 0 && now.http_queue === 0 && held > 0 && held === before;
    }, "answers that came to a stop");
    assert.ok(held < 3 * 200000, `${held} bytes are held of 4 MB`);
    assert.equal((await ask(server.port, get("/work?ms=1"))).status, 200);
    await sleep(deadline + 1000);
    slow.forEach((raw) => raw.socket.resume());
    for (const [i, raw] of slow.entries()) {
      const answer = await chunkedAnswer(raw);
      assert.ok(answer.whole, "the deadline does not run while the client reads");
      assert.equal(answer.text, expected(`slow${i}`, 20, 65536));
    }
    slow.forEach((raw) => raw.destroy());
    await reaches(server, { http_memory_bytes: 0 });
    await noStreams(server);
    await server.stop();
  });
  test("clients that leave in the middle free what their answers hold", async () => {
    const server = await start("testd", ["--workers", "2", "--send-buffer", "16384", "--log", "off"]);
    const all = await Promise.all(Array.from({ length: 20 }, () => Raw.open(server.port)));
    all.forEach((raw, i) => {
      if (i % 2) raw.socket.pause();
      raw.send(stream(`n=1000&bytes=65536&ms=${i % 3}`));
    });
    await streamsBecome(server, 20);
    all.forEach((raw, i) => (i % 4 < 2 ? raw.destroy() : raw.socket.resetAndDestroy()));
    await reaches(server, { http_memory_bytes: 0, http_workers_busy: 0 });
    await noStreams(server);
    await server.stop();
  });
  test("a small request overtakes the steps of large ones", async () => {
    const server = await start("testd", ["--workers", "1", "--deadline", "15m", "--log", "off"]);
    const large = await Promise.all([1, 2, 3].map(() => Raw.open(server.port)));
    large.forEach((raw) => raw.send(stream("n=30000&bytes=10&ms=10")));
    await streamsBecome(server, 3);
    for (let i = 0; i < 20; i++) {
      const answer = await ask(server.port, get("/work?ms=0"));
      assert.equal(answer.status, 200);
      answer.raw.destroy();
    }
    assert.equal(await streamsOpen(server), 3, "which are still being made");
    large.forEach((raw) => raw.destroy());
    await noStreams(server);
    await server.stop();
  });
  test("steps have their turn however many small requests there are", async () => {
    const server = await start("testd", ["--workers", "1", "--log", "off"]);
    let over = false;
    const crowd = Array.from({ length: 30 }, async () => {
      const raw = await Raw.open(server.port);
      while (!over) assert.equal((await raw.send(get("/work?ms=1")).response()).status, 200);
      raw.destroy();
    });
    await reaches(server, { http_workers_busy: 1 });
    const raw = (await Raw.open(server.port)).send(stream("id=turn&n=30&bytes=100"));
    assert.equal((await chunkedAnswer(raw)).text, expected("turn", 30, 100));
    over = true;
    await Promise.all(crowd);
    raw.destroy();
    await server.stop();
  });
});

describe("memory of answers", { concurrency: 4 }, () => {
  test("answers that are not read count in the budget of bodies; beyond it 503, and it comes back", async () => {
    const server = await start("testd", ["--max-body-memory", "1MiB", "--send-buffer", "16384", "--log", "off"]);
    const lazy = await Promise.all([1, 2].map(() => Raw.open(server.port)));
    lazy.forEach((raw) => {
      raw.socket.pause();
      raw.send(get("/big?bytes=500000"));
    });
    await reaches(server, { http_memory_bytes: 1000000 });
    const refused = await ask(server.port, get("/big?bytes=500000"));
    assertProblem(refused, 503, "overloaded");
    assert.ok(refused.headers["retry-after"]);
    assertProblem(await ask(server.port, post("/echo", "x".repeat(200000))), 503, "overloaded");
    assert.equal((await ask(server.port, get("/work?ms=0"))).status, 200, "small answers need none of it");
    lazy.forEach((raw) => raw.socket.resume());
    for (const raw of lazy) assert.equal((await raw.response()).body.length, 500000);
    await reaches(server, { http_memory_bytes: 0 });
    assert.equal((await ask(server.port, get("/big?bytes=500000"))).status, 200);
    lazy.forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("what a request keeps beside its body counts as long as its answer is read", async () => {
    const server = await start("testd", ["--max-body-memory", "3MiB", "--send-buffer", "16384", "--log", "off"]);
    const lazy = await Raw.open(server.port);
    lazy.socket.pause();
    lazy.send(get("/big?bytes=500000&arena=2000000"));
    await until(async () => (await metrics(server)).http_memory_bytes > 2400000);
    assert.ok((await metrics(server)).http_memory_bytes < 3145728);
    assertProblem(await ask(server.port, get("/big?bytes=5000&arena=2000000")), 503, "overloaded");
    lazy.destroy();
    await reaches(server, { http_memory_bytes: 0 });
    await server.stop();
  });
  test("one client cannot hold all of it", async () => {
    const server = await start("testd", ["--max-client-memory", "700KiB", "--send-buffer", "16384", "--log", "off"]);
    const lazy = await Raw.open(server.port);
    lazy.socket.pause();
    lazy.send(get("/big?bytes=500000"));
    await reaches(server, { http_memory_bytes: 500000 });
    assertProblem(await ask(server.port, get("/big?bytes=500000")), 503, "overloaded");
    const other = await Raw.open(server.port, "127.0.0.2");
    assert.equal((await other.send(get("/big?bytes=500000")).response()).status, 200, "another address");
    [lazy, other].forEach((raw) => raw.destroy());
    await reaches(server, { http_memory_bytes: 0 });
    assert.equal((await ask(server.port, get("/big?bytes=500000"))).status, 200);
    await server.stop();
  });
  test("the deadline for reading an answer ends with the answer", async () => {
    const server = await start("testd", ["--write-timeout", "8s", "--min-rate", "1GiB", "--idle-timeout", "60s", "--send-buffer", "16384", "--log", "off"]);
    const raw = await Raw.open(server.port);
    raw.socket.pause();
    raw.send(get("/big?bytes=400000"));
    await reaches(server, { http_memory_bytes: 400000 });
    raw.socket.resume();
    assert.equal((await raw.response()).body.length, 400000);
    await sleep(9000); // past the deadline that was armed
    assert.ok(!raw.closed, "the connection is still open");
    assert.equal((await raw.send(HEALTH).response()).status, 200);
    raw.destroy();
    await server.stop();
  });
});

describe("event streams", { concurrency: 4 }, () => {
  const opened = async (server, path = "/events?topic=1", line = "HTTP/1.1\r\nHost: test") => {
    const before = (await metrics(server)).http_event_streams;
    const raw = (await Raw.open(server.port)).send(`GET ${path} ${line}\r\n\r\n`);
    await raw.until(() => splitHead(raw.data));
    await reaches(server, { http_event_streams: before + 1 });
    return raw;
  };
  const text = (raw) => {
    const head = splitHead(raw.data);
    const bytes = raw.data.subarray(head.bodyAt);
    return head.headers["transfer-encoding"] === "chunked" ? dechunk(bytes).body.toString() : bytes.toString();
  };
  const publish = async (server, query, body) => {
    const answer = await ask(server.port, post(`/publish?${query}`, body));
    assert.equal(answer.status, 200);
    answer.raw.destroy();
  };

  test("subscribers of a topic get its events, on every thread, in order, and nobody else's", async () => {
    const server = await start("testd", ["--io-threads", "3", "--log", "off"]);
    const ones = [];
    for (let i = 0; i < 6; i++) ones.push(await opened(server, i % 2 ? "/events?topic=1" : "/events-inline?topic=1"));
    const two = await opened(server, "/events?topic=2");
    const old = await opened(server, "/events?topic=1", "HTTP/1.0");
    for (let i = 1; i <= 50; i++) await publish(server, `topic=1&id=${i}&name=label`, `event ${i}\r\nsecond line\n`);
    await publish(server, "topic=2", "other");
    const want = Array.from({ length: 50 }, (_, i) => `id: ${i + 1}\nevent: label\ndata: event ${i + 1}\ndata: second line\ndata: \n\n`).join("");
    for (const raw of [...ones, old]) {
      await raw.until(() => text(raw).includes("event 50"));
      assert.equal(text(raw), want);
      assert.equal(splitHead(raw.data).headers["content-type"], "text/event-stream");
      assert.equal(splitHead(raw.data).headers["x-accel-buffering"], "no", "nginx passes events on at once");
    }
    await two.until(() => text(two).length > 0);
    assert.equal(text(two), "data: other\n\n");
    [...ones, two, old].forEach((raw) => raw.destroy());
    await reaches(server, { http_event_streams: 0, http_memory_bytes: 0 });
    await server.stop();
  });
  test("a stream without events gets a sign of life", async () => {
    const server = await start("testd", ["--heartbeat", "100ms", "--idle-timeout", "200ms", "--log", "off"]);
    const raw = await opened(server);
    await raw.until(() => text(raw).split(":\n\n").length > 4);
    assert.match(text(raw), /^(:\n\n)+$/);
    assert.ok(!raw.closed);
    raw.destroy();
    await server.stop();
  });
  test("a subscriber that does not keep up is disconnected, and the others are not", async () => {
    const server = await start("testd", ["--send-buffer", "16384", "--log", "off"]);
    const lazy = await opened(server);
    const keen = await opened(server);
    lazy.socket.pause();
    const body = "z".repeat(20000);
    for (let i = 0; i < 400 && (await metrics(server)).http_event_streams > 1; i++) await publish(server, "topic=1", body);
    await reaches(server, { http_event_streams: 1, http_memory_bytes: 0 });
    assert.ok(!keen.closed);
    [lazy, keen].forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("when the service stops, streams end properly", async () => {
    // No sign of life comes between, however slow the machine is.
    const server = await start("testd", ["--io-threads", "2", "--heartbeat", "1h", "--log", "off"]);
    const all = [await opened(server), await opened(server), await opened(server, "/events-inline")];
    await publish(server, "topic=1", "last");
    server.child.kill("SIGTERM");
    for (const raw of all) {
      assert.ok(await closes(raw));
      const { body, whole } = dechunk(raw.data.subarray(splitHead(raw.data).bodyAt));
      assert.ok(whole, "with the last chunk");
      assert.equal(body.toString(), "data: last\n\n");
    }
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
});
