// The HTTP core: the access log, request ids and metrics. One named test for each statement.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { ask, DEFAULT_TIMES, get, HEALTH, post, Raw, start } from "./lib/server.js";

describe("see", { concurrency: 4 }, () => {
  test("one JSON line per request: time, id, method, path, status, bytes, microseconds, labels; no query, no label code", async () => {
    const server = await start("testd");
    const raw = await Raw.open(server.port);
    await raw.send(get("/work?ms=5&zpl=SECRET", "X-Request-Id: my-id.1\r\n")).response();
    await raw.send(get("/params/1x2/SECRET")).response();
    await raw.send(post("/echo", "SECRET")).response();
    await raw.send(get("/nothing/^XASECRET")).response();
    await raw.send("BAD\r\n\r\n").response();
    raw.destroy();
    await server.stop();
    const logs = server.logs;
    assert.equal(logs.length, 5);
    assert.equal(logs[0].id, "my-id.1");
    assert.equal(logs[0].method, "GET");
    assert.equal(logs[0].path, "/work");
    assert.equal(logs[0].status, 200);
    assert.equal(logs[0].labels, 1);
    assert.ok(logs[0].us >= 5000);
    assert.ok(logs[0].bytes > 100);
    assert.ok(Math.abs(Date.parse(logs[0].time) - Date.now()) < 60000);
    assert.equal(logs[1].path, "/params/{a}x{b}/{rest*}");
    assert.equal(logs[3].path, "/nothing/");
    assert.equal(logs[4].status, 400);
    assert.match(logs[4].id, /^[0-9a-f]{16}$/); // a head that cannot be read has an id and a client, too
    assert.equal(logs[4].client, "127.0.0.1");
    assert.ok(!server.out.includes("SECRET"));
  });
  test("a line of the access log has the code of a problem, and none where there was no problem", async () => {
    const server = await start("testd", ["--max-body", "10"]);
    const raw = await Raw.open(server.port);
    await raw.send(get("/nothing")).response();
    await raw.send(get("/work?ms=0")).response();
    await raw.send(post("/echo", "x".repeat(11))).response();
    raw.destroy();
    await server.stop();
    assert.deepEqual(server.logs.map((line) => [line.status, line.code]), [[404, "not_found"], [200, undefined], [413, "body_too_large"]]);
  });
  test("a line of the access log has the name of the API key, or its line in the file, never the key", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "keys-")), "keys");
    fs.writeFileSync(file, "# of shops\nsecret1 # Porto\nsecret2\n");
    const server = await start("testd", ["--api-key-file", file]);
    const raw = await Raw.open(server.port);
    for (const key of ["secret1", "secret2", "secret3", "secret1 # Porto"]) await raw.send(get("/work?ms=0", `X-API-Key: ${key}\r\n`)).response();
    raw.destroy();
    await server.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
    assert.deepEqual(server.logs.map((line) => [line.status, line.key, line.code]), [[200, "Porto", undefined], [200, "line 3", undefined], [401, undefined, "unauthorized"], [401, undefined, "unauthorized"]]);
    assert.ok(!server.out.includes("secret"));
  });
  test("traceparent (W3C Trace Context) is in the answer and in the log; a malformed one counts as none", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736", span = "00f067aa0ba902b7", zeros = (n) => "0".repeat(n);
    const server = await start("testd");
    const raw = await Raw.open(server.port);
    const given = [
      `00-${trace}-${span}-01`, `01-${trace}-${span}-01-more`,
      `00-${trace}-${span}-01-more`, `ff-${trace}-${span}-01`, `00-${zeros(32)}-${span}-01`, `00-${trace}-${zeros(16)}-01`, `00-${trace.toUpperCase()}-${span}-01`, `00-${trace}-${span}-0`, `00-${trace}-${span}`, "",
    ];
    const answered = [];
    for (const each of given) answered.push((await raw.send(get("/work?ms=0", `traceparent: ${each}\r\n`)).response()).headers.traceparent);
    answered.push((await raw.send(get("/work?ms=0")).response()).headers.traceparent); // of an exchange that had one before
    raw.destroy();
    await server.stop();
    assert.deepEqual(answered, [given[0], given[1].slice(0, 55), ...Array(9).fill(undefined)]);
    assert.deepEqual(server.logs.map((line) => [line.trace_id, line.span_id]), [[trace, span], [trace, span], ...Array(9).fill([undefined, undefined])]);
  });
  test("the access log can go to stderr or nowhere", async () => {
    const server = await start("testd", ["--log-to", "stderr"]);
    (await ask(server.port, HEALTH)).raw.destroy();
    await server.stop();
    assert.equal(server.logs.length, 0);
    assert.match(server.err, /"path":"\/api\/health"/);
    const quiet = await start("testd", ["--log", "off"]);
    (await ask(quiet.port, HEALTH)).raw.destroy();
    await quiet.stop();
    assert.equal(quiet.logs.length, 0);
  });
  test("a log that nobody reads holds up nobody", async () => {
    const server = await start("testd");
    server.child.stdout.pause();
    const raw = await Raw.open(server.port);
    for (let i = 0; i < 20; i++) {
      raw.send(HEALTH.repeat(1000));
      for (let k = 0; k < 1000; k++) assert.equal((await raw.response()).status, 200);
    }
    raw.destroy();
    server.child.stdout.resume();
    await server.stop();
  });
  test("a request id is taken when it is clean and made otherwise", async () => {
    const server = await start("testd", ["--log", "off"]);
    assert.equal((await ask(server.port, get("/api/health", "X-Request-Id: abc-123_x.Y\r\n"))).headers["x-request-id"], "abc-123_x.Y");
    for (const bad of ["a b", "a\"b", "x".repeat(65), ""]) {
      assert.match((await ask(server.port, get("/api/health", `X-Request-Id: ${bad}\r\n`))).headers["x-request-id"], /^[0-9a-f]{16}$/);
    }
    await server.stop();
  });
  test("metrics count requests, queue, bytes and times in Prometheus's format", async () => {
    const server = await start("testd", ["--log", "off"]);
    const raw = await Raw.open(server.port);
    for (let i = 0; i < 3; i++) await raw.send(get("/work?ms=2")).response();
    await raw.send(post("/echo", "12345")).response();
    await raw.send(get("/nothing")).response();
    const { text, headers } = await raw.send(get("/metrics")).response();
    assert.match(headers["content-type"], /^text\/plain; version=0\.0\.4/);
    assert.match(text, /testd_http_requests_total\{route="\/work",method="GET",status="200"\} 3\n/);
    assert.match(text, /testd_http_requests_total\{route="none",method="any",status="404"\} 1\n/);
    assert.match(text, /testd_http_request_seconds_count\{route="\/work"\} 3\n/);
    assert.match(text, /testd_http_request_seconds_bucket\{route="\/work",le="\+Inf"\} 3\n/);
    assert.match(text, /testd_http_queue_seconds_count 4\n/);
    assert.match(text, /testd_http_request_body_bytes_total 5\n/);
    assert.match(text, /testd_http_connections 1\n/);
    const families = [...text.matchAll(/^# TYPE (\S+) /gm)].map((m) => m[1]);
    assert.equal(new Set(families).size, families.length, "each family is told once");
    for (const line of text.trimEnd().split("\n")) assert.match(line, /^(# (HELP|TYPE) |[a-z_]+(\{[^}]*(\}[^}]*)*\})? [0-9.e+]+$)/, line);
    raw.destroy();
    await server.stop();
  });
  test("the health document tells state, version, uptime and the limits in force", async () => {
    const server = await start("testd", ["--max-body", "12345", "--log", "off"], { env: DEFAULT_TIMES });
    const health = (await ask(server.port, HEALTH)).json();
    assert.equal(health.ok, true);
    assert.equal(health.service, "testd");
    assert.match(health.version, /^\d+\.\d+\.\d+$/);
    assert.ok(Number.isInteger(health.uptimeSeconds) && health.uptimeSeconds < 60);
    assert.equal(health.limits.requestBodyBytes, 12345);
    assert.equal(health.limits.connections, 4096);
    assert.equal(health.limits.queuedRequests, 1024);
    assert.equal(health.limits.uriBytes, 16384);
    assert.equal(health.limits.headerBytes, 16384);
    assert.equal(health.limits.idleTimeoutMs, 15000);
    assert.equal(health.limits.bodyTimeoutMs, 30000);
    assert.equal(health.limits.workMs, 10000);
    await server.stop();
  });
});
