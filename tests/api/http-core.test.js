// The HTTP core against http.md, line by line: framing, bodies, time, work, stop, see. One named test for each statement.
import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import { ask, closes, get, post, program, Raw, sleep, SLOW, start, TESTD } from "./lib/server.js";
import { spawnSync } from "node:child_process";

const HEALTH = get("/api/health");

// An error has one shape everywhere.
function assertProblem(answer, status, code) {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers["content-type"], "application/json");
  const body = answer.json();
  assert.equal(body.ok, false);
  assert.equal(typeof body.error, "string");
  assert.match(body.code, /^[a-z0-9_]+$/);
  if (code) assert.equal(body.code, code);
}

async function refused(port, request, status, code) {
  const answer = await ask(port, request);
  assertProblem(answer, status, code);
  assert.ok(await closes(answer.raw), "the connection must be closed when the framing is in doubt");
  assert.equal(answer.raw.data.length, 0, "nothing after it may be answered");
}

describe("framing", { concurrency: 8 }, () => {
  let platen, testd;
  before(async () => {
    platen = await start("platen", ["--max-uri", "1KiB", "--max-header", "2KiB", "--log", "off"]);
    testd = await start("testd", ["--max-body", "100KiB", "--log", "off"]);
  });
  after(async () => {
    assert.equal((await platen.stop()).code, 0);
    assert.equal((await testd.stop()).code, 0);
  });

  test("a plain request is answered and the connection stays open", async () => {
    const raw = await Raw.open(platen.port);
    for (let i = 0; i < 3; i++) {
      const answer = await raw.send(HEALTH).response();
      assert.equal(answer.status, 200);
      assert.equal(answer.json().ok, true);
    }
    assert.equal(raw.closed, false);
    raw.destroy();
  });

  const smuggled = "GET /smuggled HTTP/1.1\r\nHost: test\r\n\r\n";
  test("Content-Length and Transfer-Encoding together are refused, and what follows is never read as a request", () =>
    refused(testd.port, `POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`, 400));
  test("two Content-Length fields are refused even when they agree", () =>
    refused(testd.port, `POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello${smuggled}`, 400));
  test("two Transfer-Encoding fields are refused", () =>
    refused(testd.port, `POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`, 400));
  for (const value of ["5, 5", "+5", "-1", "0x5", "5 5", "", "99999999999999999999", "5\t6", "1e3"]) {
    test(`Content-Length ${JSON.stringify(value)} is refused`, () =>
      refused(testd.port, `POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: ${value}\r\n\r\nhello${smuggled}`, 400));
  }
  for (const value of ["gzip", "gzip, chunked", "chunked, chunked", "identity", "xchunked", "chunked;q=1"]) {
    test(`Transfer-Encoding ${value} is 501 and closes`, () =>
      refused(testd.port, `POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: ${value}\r\n\r\n0\r\n\r\n${smuggled}`, 501));
  }
  test("chunked in HTTP/1.0 is refused", () =>
    refused(testd.port, "POST /echo HTTP/1.0\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400));

  test("chunked bodies are put together; extensions and trailers are read and ignored", async () => {
    const answer = await ask(
      testd.port,
      "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: Chunked\r\n\r\n" +
        "5;name=value;flag\r\nhello\r\n1 ; q=\"x\"\r\n,\r\n000006\r\n world\r\n0\r\nTrailer: yes\r\nAnother: one\r\n\r\n" + HEALTH,
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.text, "hello, world");
    assert.equal((await answer.raw.response()).status, 200, "the next request must be found after the trailers");
    answer.raw.destroy();
  });
  test("a chunked body that arrives byte by byte is the same", async () => {
    const raw = await Raw.open(testd.port);
    for (const byte of "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") {
      raw.send(byte);
      await sleep(1);
    }
    assert.equal((await raw.response()).text, "abcde");
    raw.destroy();
  });
  for (const [name, body] of Object.entries({
    "a size that is no number": "x\r\nhello\r\n0\r\n\r\n",
    "an empty size": "\r\nhello\r\n0\r\n\r\n",
    "a negative size": "-5\r\nhello\r\n0\r\n\r\n",
    "a size that overflows": "10000000000000005\r\nhello\r\n0\r\n\r\n",
    "a chunk longer than stated": "3\r\nhello\r\n0\r\n\r\n",
    "a bare LF after the size": "5\nhello\r\n0\r\n\r\n",
    "a bare LF after the data": "5\r\nhello\n0\r\n\r\n",
    "a control character in an extension": "5;a\x01\r\nhello\r\n0\r\n\r\n",
    "endless extensions": `5;${"a".repeat(20000)}\r\nhello\r\n0\r\n\r\n`,
    "endless trailers": `0\r\n${"A: b\r\n".repeat(4000)}\r\n`,
  })) {
    test(`chunked: ${name} is refused`, () =>
      refused(testd.port, `POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n${body}`, 400));
  }

  for (const [name, request] of Object.entries({
    "a bare LF in the request line": "GET / HTTP/1.1\nHost: t\r\n\r\n",
    "a bare LF after a field": "GET / HTTP/1.1\r\nHost: t\n\r\n",
    "a bare CR in a field": "GET / HTTP/1.1\r\nHost: t\r\nA: b\rc\r\n\r\n",
    "a folded field": "GET / HTTP/1.1\r\nHost: t\r\nA: b\r\n c\r\n\r\n",
    "a space before the colon": "GET / HTTP/1.1\r\nHost : t\r\n\r\n",
    "a tab before the colon": "GET / HTTP/1.1\r\nHost: t\r\nA\t: b\r\n\r\n",
    "a field without a colon": "GET / HTTP/1.1\r\nHost: t\r\nnonsense\r\n\r\n",
    "a field without a name": "GET / HTTP/1.1\r\nHost: t\r\n: b\r\n\r\n",
    "a NUL in a field": "GET / HTTP/1.1\r\nHost: t\r\nA: b\0c\r\n\r\n",
    "a control character in a field": "GET / HTTP/1.1\r\nHost: t\r\nA: b\x07\r\n\r\n",
    "a control character in the target": "GET /\x01 HTTP/1.1\r\nHost: t\r\n\r\n",
    "a byte above 127 in the target": "GET /\xe9 HTTP/1.1\r\nHost: t\r\n\r\n",
    "two spaces in the request line": "GET  / HTTP/1.1\r\nHost: t\r\n\r\n",
    "a tab in the request line": "GET\t/ HTTP/1.1\r\nHost: t\r\n\r\n",
    "a space at the end of the request line": "GET / HTTP/1.1 \r\nHost: t\r\n\r\n",
    "no version": "GET /\r\nHost: t\r\n\r\n",
    "a version that is none": "GET / HTTP/1.x\r\nHost: t\r\n\r\n",
    "a lower-case protocol": "GET / http/1.1\r\nHost: t\r\n\r\n",
    "a request line that starts with a space": " GET / HTTP/1.1\r\nHost: t\r\n\r\n",
    "the first bytes of TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no Host": "GET / HTTP/1.1\r\n\r\n",
    "two Hosts": "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
    "an empty Host": "GET / HTTP/1.1\r\nHost:\r\n\r\n",
    "a Host with a space": "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
    "a Host with a path": "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
    "a target without a slash": "GET api/health HTTP/1.1\r\nHost: t\r\n\r\n",
    "an authority as target": "CONNECT example.org:80 HTTP/1.1\r\nHost: t\r\n\r\n",
    "an asterisk with GET": "GET * HTTP/1.1\r\nHost: t\r\n\r\n",
    "a fragment in the target": "GET /#x HTTP/1.1\r\nHost: t\r\n\r\n",
  })) {
    test(`${name} is 400`, () => refused(platen.port, request, 400));
  }
  test("another version of HTTP is 505", () => refused(platen.port, "GET / HTTP/2.0\r\nHost: t\r\n\r\n", 505));
  test("an unknown expectation is 417", () => refused(platen.port, "GET / HTTP/1.1\r\nHost: t\r\nExpect: tea\r\n\r\n", 417));

  test("a malformed line is refused at once, not when the head ends", async () => {
    const began = Date.now();
    const answer = await ask(platen.port, "GET / HTTP/1.1\r\nHost: t\r\nA: b\x07");
    assertProblem(answer, 400);
    assert.ok(Date.now() - began < 1000 * SLOW);
    answer.raw.destroy();
  });
  test("a request line that is too long is 414", async () => {
    await refused(platen.port, get(`/${"a".repeat(2000)}`), 414);
    await refused(platen.port, `GET /${"a".repeat(5000)}`, 414);
  });
  test("header fields that are too large are 431", async () => {
    await refused(platen.port, get("/", `A: ${"a".repeat(3000)}\r\n`), 431);
    await refused(platen.port, `GET / HTTP/1.1\r\nHost: t\r\nA: ${"a".repeat(3000)}`, 431);
  });
  test("too many header fields are 431", () => refused(testd.port, get("/", "A: b\r\n".repeat(120)), 431));
  test("one empty line before a request is passed over", async () => {
    const answer = await ask(platen.port, `\r\n${HEALTH}`);
    assert.equal(answer.status, 200);
    answer.raw.destroy();
  });
  test("an absolute target is accepted", async () => {
    for (const target of ["http://example.org/api/health", "HTTP://example.org:8080/api/health?x=1"]) {
      const answer = await ask(platen.port, `GET ${target} HTTP/1.1\r\nHost: example.org\r\n\r\n`);
      assert.equal(answer.status, 200);
      answer.raw.destroy();
    }
    const page = await ask(platen.port, "GET http://example.org HTTP/1.1\r\nHost: example.org\r\n\r\n");
    assert.ok([200, 404].includes(page.status));
    page.raw.destroy();
  });
  test("percent-decoding is strict", async () => {
    for (const target of ["/api/%", "/api/%4", "/api/%zz", "/api/%00", "/api/health?a=%", "/api/health?%g0=1"]) {
      const answer = await ask(platen.port, get(target));
      assertProblem(answer, 400, "bad_target");
      answer.raw.destroy();
    }
    const answer = await ask(platen.port, get("/api/%68ealth"));
    assert.equal(answer.status, 200);
    answer.raw.destroy();
  });
  test("parameters of path and query are decoded", async () => {
    const answer = await ask(testd.port, get("/params/4x6/%5Exa/b%2Fc?q=a+b%26c"));
    assert.deepEqual(answer.json(), { a: "4", b: "6", rest: "^xa/b/c", query: ["q", "a b&c"] });
    answer.raw.destroy();
  });
  test("HTTP/1.0 is answered and closed; with keep-alive it stays open", async () => {
    const once = await ask(platen.port, "GET /api/health HTTP/1.0\r\n\r\n");
    assert.equal(once.status, 200);
    assert.equal(once.headers.connection, "close");
    assert.ok(await closes(once.raw));
    const kept = await ask(platen.port, "GET /api/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assert.equal(kept.headers.connection, "keep-alive");
    assert.equal((await kept.raw.send("GET /api/health HTTP/1.0\r\n\r\n").response()).status, 200);
    assert.ok(await closes(kept.raw));
  });
  test("Connection: close is honoured, in any case and in a list", async () => {
    for (const value of ["close", "Close", "foo, close ,bar"]) {
      const answer = await ask(platen.port, get("/api/health", `Connection: ${value}\r\n`));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.connection, "close");
      assert.ok(await closes(answer.raw));
    }
  });
  test("HEAD has the length and no body", async () => {
    const raw = await Raw.open(platen.port);
    const full = await raw.send(HEALTH).response();
    const head = await raw.send("HEAD /api/health HTTP/1.1\r\nHost: t\r\n\r\n").response({ head: true });
    assert.equal(head.status, 200);
    assert.equal(head.headers["content-length"], full.headers["content-length"]);
    assert.equal((await raw.send(HEALTH).response()).status, 200, "no byte of a body may come between");
    raw.destroy();
  });
  test("pipelined requests are answered in order", async () => {
    const raw = await Raw.open(testd.port);
    const paths = ["/work?ms=40", "/api/health", "/fan?n=3", "/nothing", "/work?ms=1", "/params/1x2/z", "/big?bytes=300000", "/api/health"];
    raw.send(paths.map((p) => get(p)).join("") + post("/echo", "last"));
    const answers = [];
    for (let i = 0; i < 9; i++) answers.push(await raw.response());
    assert.deepEqual(answers.map((a) => a.status), [200, 200, 200, 404, 200, 200, 200, 200, 200]);
    assert.ok("worker" in answers[0].json());
    assert.equal(answers[1].json().ok, true);
    assert.equal(answers[2].json().sum, 5);
    assert.equal(answers[5].json().rest, "z");
    assert.equal(answers[6].body.length, 300000);
    assert.equal(answers[8].text, "last");
    raw.destroy();
  });
  test("a thousand pipelined requests are all answered", async () => {
    const raw = await Raw.open(platen.port);
    raw.send(HEALTH.repeat(1000));
    for (let i = 0; i < 1000; i++) assert.equal((await raw.response()).status, 200);
    raw.destroy();
  });
  test("a half-closed client still gets its answer", async () => {
    const raw = await Raw.open(platen.port);
    raw.send(HEALTH).end();
    assert.equal((await raw.response()).status, 200);
    assert.ok(await closes(raw));
  });
});

describe("routes", { concurrency: 8 }, () => {
  let platen, testd;
  before(async () => {
    platen = await start("platen", ["--log", "off"]);
    testd = await start("testd", ["--log", "off"]);
  });
  after(async () => {
    await platen.stop();
    await testd.stop();
  });

  test("an unknown path is 404 in the shape of all errors, and the connection stays open", async () => {
    const answer = await ask(platen.port, get("/nothing/here"));
    assertProblem(answer, 404, "not_found");
    assert.equal((await answer.raw.send(HEALTH).response()).status, 200);
    answer.raw.destroy();
  });
  test("a known path with another method is 405 with Allow", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "BREW"]) {
      const answer = await ask(platen.port, `${method} /api/health HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc`);
      assertProblem(answer, 405, "method_not_allowed");
      assert.equal(answer.headers.allow, "GET, HEAD, OPTIONS");
      assert.equal((await answer.raw.send(HEALTH).response()).status, 200, "the small body was read past");
      answer.raw.destroy();
    }
  });
  test("OPTIONS answers 204 with Allow and CORS on every route, and 404 elsewhere", async () => {
    for (const path of ["/api/health", "/metrics"]) {
      const answer = await ask(platen.port, `OPTIONS ${path} HTTP/1.1\r\nHost: t\r\nOrigin: http://a.example\r\n\r\n`);
      assert.equal(answer.status, 204);
      assert.match(answer.headers.allow, /OPTIONS/);
      assert.equal(answer.headers["access-control-allow-origin"], "*");
      assert.match(answer.headers["access-control-allow-headers"], /Content-Type/);
      assert.equal(answer.headers["content-length"], undefined);
      answer.raw.destroy();
    }
    const answer = await ask(platen.port, "OPTIONS /nothing HTTP/1.1\r\nHost: t\r\n\r\n");
    assertProblem(answer, 404);
    answer.raw.destroy();
    const all = await ask(platen.port, "OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n");
    assert.equal(all.status, 204);
    all.raw.destroy();
  });
  test("a handler that fails is 500 without internals", async () => {
    const answer = await ask(testd.port, get("/bug"));
    assertProblem(answer, 500, "internal");
    answer.raw.destroy();
  });
  test("POST without a length is 411", async () => {
    const answer = await ask(testd.port, "POST /echo HTTP/1.1\r\nHost: t\r\n\r\n");
    assertProblem(answer, 411);
    answer.raw.destroy();
  });
  test("a header that a handler sets cannot split the answer", async () => {
    const answer = await ask(testd.port, get("/header?value=a%0D%0ASet-Cookie:%20b"));
    assert.equal(answer.headers["x-value"], "a??Set-Cookie: b");
    assert.equal(answer.headers["set-cookie"], undefined);
    answer.raw.destroy();
  });
  test("documents have an ETag, answer 304 to it, and come gzip-coded to those who take it", async () => {
    if (process.env.TEST_ONLY_TESTD) return;
    for (const path of ["/", "/openapi.json", "/llms.txt", "/llms-full.txt"]) {
      const raw = await Raw.open(platen.port);
      const plain = await raw.send(get(path)).response();
      assert.equal(plain.status, 200);
      assert.match(plain.headers.etag, /^"[^"]+"$/);
      const packed = await raw.send(get(path, "Accept-Encoding: br, gzip\r\n")).response();
      assert.equal(packed.headers["content-encoding"], "gzip");
      assert.equal(packed.headers.vary, "Accept-Encoding");
      assert.notEqual(packed.headers.etag, plain.headers.etag);
      assert.deepEqual(zlib.gunzipSync(packed.body), plain.body);
      for (const tag of [plain.headers.etag, packed.headers.etag, `"x", W/${plain.headers.etag}`, "*"]) {
        const same = await raw.send(get(path, `If-None-Match: ${tag}\r\n`)).response();
        assert.equal(same.status, 304);
        assert.equal(same.headers.etag, plain.headers.etag);
      }
      assert.equal((await raw.send(get(path, 'If-None-Match: "other"\r\n')).response()).status, 200);
      const refusing = await raw.send(get(path, "Accept-Encoding: gzip;q=0\r\n")).response();
      assert.equal(refusing.headers["content-encoding"], undefined);
      raw.destroy();
    }
  });
  test("security headers stand on every answer, and a policy on the page", async () => {
    for (const path of ["/api/health", "/nothing", "/metrics"]) {
      const answer = await ask(platen.port, get(path));
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.match(answer.headers["x-request-id"], /^[0-9a-f]{16}$/);
      answer.raw.destroy();
    }
    if (process.env.TEST_ONLY_TESTD) return;
    const page = await ask(platen.port, get("/"));
    assert.match(page.headers["content-security-policy"], /default-src/);
    page.raw.destroy();
  });
  test("CORS can be limited to origins or turned off", async () => {
    const listed = await start("platen", ["--cors-origins", "http://a.example, http://b.example", "--log", "off"]);
    const a = await ask(listed.port, get("/api/health", "Origin: http://b.example\r\n"));
    assert.equal(a.headers["access-control-allow-origin"], "http://b.example");
    assert.match(a.headers.vary, /Origin/);
    const c = await ask(listed.port, get("/api/health", "Origin: http://c.example\r\n"));
    assert.equal(c.headers["access-control-allow-origin"], undefined);
    for (const answer of [a, c]) answer.raw.destroy();
    await listed.stop();
    const off = await start("platen", ["--cors-origins", "off", "--log", "off"]);
    const none = await ask(off.port, get("/api/health", "Origin: http://a.example\r\n"));
    assert.equal(none.headers["access-control-allow-origin"], undefined);
    none.raw.destroy();
    await off.stop();
  });
  test("multipart parts, JSON and their faults", async () => {
    const body =
      'preamble\r\n--XX\r\nContent-Disposition: form-data; name="zpl"; filename="a \\"b\\".zpl"\r\nContent-Type: text/plain\r\n\r\n^XA\r\n--X^XZ\r\n' +
      '--XX\r\nContent-Disposition: form-data; name=page\r\n\r\n\r\n--XX--\r\nepilogue';
    const raw = await Raw.open(testd.port);
    const parts = await raw.send(post("/parts", body, "Content-Type: multipart/form-data; boundary=XX\r\n")).response();
    assert.deepEqual(parts.json(), [
      { name: "zpl", filename: 'a "b".zpl', data: "^XA\r\n--X^XZ" },
      { name: "page", filename: "", data: "" },
    ]);
    for (const [bad, type] of [
      [body, "multipart/form-data"],
      [body, "multipart/form-data; boundary=YY"],
      ["--XX\r\n\r\nx\r\n--XX--", "multipart/form-data; boundary=XX"],
      ['--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', "multipart/form-data; boundary=XX"],
      ["", "multipart/form-data; boundary=XX"],
    ]) {
      assertProblem(await raw.send(post("/parts", bad, `Content-Type: ${type}\r\n`)).response(), 400);
    }
    assert.equal((await raw.send(post("/json", '{"a":[1,2,{"b":null}]}')).response()).json().type, "an object");
    for (const bad of ["", "{", "{} x", '{"a":1,"a":2}', '"\\ud800"', '"\xff"', "1e999", "[".repeat(100), "{'a':1}", "NaN", "01"]) {
      const answer = await raw.send(post("/json", Buffer.from(bad, "latin1").toString("latin1"))).response();
      assertProblem(answer, 400, "bad_json");
    }
    raw.destroy();
  });
});

describe("bodies", { concurrency: 4 }, () => {
  let testd;
  before(async () => {
    testd = await start("testd", ["--max-body", "100KiB", "--log", "off"]);
  });
  after(() => testd.stop());

  test("a body up to the limit is taken, one byte more is not", async () => {
    const raw = await Raw.open(testd.port);
    assert.equal((await raw.send(post("/echo", "x".repeat(102400))).response()).body.length, 102400);
    assertProblem(await raw.send(post("/echo", "x".repeat(102401))).response(), 413);
    assert.ok(await closes(raw));
  });
  test("a body over the limit is 413 without reading the rest", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100000000\r\n\r\nonly this");
    assertProblem(await raw.response(), 413);
    assert.ok(await closes(raw));
  });
  test("the limit holds while a chunked body streams", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    for (let i = 0; i < 8; i++) raw.send(chunk);
    assertProblem(await raw.response(), 413);
    assert.ok(await closes(raw));
  });
  test("a stated chunk of an immense size is refused as soon as its bytes pass the limit", async () => {
    const raw = await Raw.open(testd.port);
    raw.send(`POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n${"x".repeat(150000)}`);
    assertProblem(await raw.response(), 413);
    raw.destroy();
  });
  test("Expect: 100-continue is answered before the body", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    assert.equal((await raw.response()).status, 100);
    raw.send("hello");
    const answer = await raw.response();
    assert.equal(answer.status, 200);
    assert.equal(answer.text, "hello");
    raw.destroy();
  });
  test("Expect: 100-continue with a body over the limit is refused before the body is sent", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 999999\r\nExpect: 100-continue\r\n\r\n");
    assertProblem(await raw.response(), 413);
    assert.ok(await closes(raw));
  });
  test("Expect: 100-continue to an unknown path is refused before the body is sent", async () => {
    const raw = await Raw.open(testd.port);
    raw.send("POST /nothing HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    assertProblem(await raw.response(), 404);
    assert.ok(await closes(raw));
  });
  test("a body in many small pieces arrives whole", async () => {
    const raw = await Raw.open(testd.port);
    const body = Array.from({ length: 60 }, (_, i) => `piece ${i};`).join("");
    raw.send(`POST /echo-inline HTTP/1.1\r\nHost: t\r\nContent-Length: ${body.length}\r\n\r\n`);
    for (const piece of body.match(/.{1,7}/g)) {
      raw.send(piece);
      await sleep(1);
    }
    assert.equal((await raw.response()).text, body);
    raw.destroy();
  });
  test("gzip bodies are inflated within the same limit; other codings are 415", async () => {
    const send = async (raw, path, data, coding) => {
      raw.send(`POST ${path} HTTP/1.1\r\nHost: t\r\nContent-Encoding: ${coding}\r\nContent-Length: ${data.length}\r\n\r\n`);
      raw.send(data);
      return raw.response();
    };
    const raw = await Raw.open(testd.port);
    const text = "^XA^FDhello^FS^XZ".repeat(500);
    for (const path of ["/echo", "/echo-inline"]) {
      const answer = await send(raw, path, zlib.gzipSync(text), "gzip");
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.text, text);
    }
    assertProblem(await send(raw, "/echo", zlib.gzipSync(Buffer.alloc(200000)), "gzip"), 413);
    const lying = zlib.gzipSync(Buffer.alloc(200000));
    lying.writeUInt32LE(10, lying.length - 4);
    assertProblem(await send(raw, "/echo", lying, "gzip"), 400, "bad_gzip");
    assertProblem(await send(raw, "/echo", Buffer.from("not gzip at all, really not"), "gzip"), 400, "bad_gzip");
    assertProblem(await send(raw, "/echo", Buffer.concat([zlib.gzipSync("a"), Buffer.from("x")]), "gzip"), 400, "bad_gzip");
    assertProblem(await send(raw, "/echo", Buffer.from("x"), "br"), 415);
    raw.destroy();
  });
  test("all bodies together stay within the memory set aside for them", async () => {
    const server = await start("testd", ["--max-body", "1MiB", "--max-body-memory", "300KiB", "--log", "off"]);
    const head = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 250000\r\n\r\n";
    const first = await Raw.open(server.port);
    first.send(head + "x".repeat(240000));
    await sleep(200);
    const second = await Raw.open(server.port);
    second.send(head + "x".repeat(200000));
    const answer = await second.response();
    assertProblem(answer, 503, "overloaded");
    assert.ok(answer.headers["retry-after"]);
    first.send("x".repeat(10000));
    assert.equal((await first.response()).body.length, 250000);
    first.destroy();
    const third = await ask(server.port, post("/echo", "x".repeat(200000)));
    assert.equal(third.status, 200, "memory comes back");
    third.raw.destroy();
    await server.stop();
  });
});

describe("time", { concurrency: 8 }, () => {
  const FAST = ["--header-timeout", "600ms", "--idle-timeout", "600ms", "--body-timeout", "600ms", "--write-timeout", "600ms", "--min-rate", "1KiB"];
  let testd;
  before(async () => {
    testd = await start("testd", [...FAST, "--max-body", "64MiB", "--log", "off"]);
  });
  after(() => testd.stop());
  const soon = (raw) => {
    const took = raw.closedAt - raw.openedAt;
    assert.ok(took >= 500 && took < 2500 * SLOW, `closed after ${took} ms`);
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
    raw.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 15000\r\n\r\n");
    for (let i = 0; i < 15; i++) {
      raw.send("x".repeat(1000));
      await sleep(80);
    }
    assert.equal((await raw.response()).body.length, 15000);
    raw.destroy();
  });
  test("a client that does not read its answer is closed at the write deadline", async () => {
    const socket = net.connect({ port: testd.port, host: "127.0.0.1" });
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.on("error", () => {});
    socket.pause();
    socket.write(get("/big?bytes=30000000"));
    // Another connection sees in the metrics when it was closed.
    const began = Date.now();
    let open = true;
    while (open && Date.now() - began < 5000 * SLOW) {
      await sleep(100);
      const metrics = await ask(testd.port, get("/metrics"));
      open = Number(/testd_http_timeouts_total (\d+)/.exec(metrics.text)[1]) === 0;
      metrics.raw.destroy();
    }
    assert.equal(open, false);
    socket.destroy();
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
    const server = await start("testd", ["--log", "off"]);
    const health = async (count) => {
      const times = [];
      for (let i = 0; i < count; i++) {
        const began = process.hrtime.bigint();
        const answer = await ask(server.port, HEALTH);
        assert.equal(answer.status, 200);
        times.push(Number(process.hrtime.bigint() - began) / 1e6);
        answer.raw.destroy();
      }
      return times.sort((a, b) => a - b);
    };
    const quiet = await health(100);
    const crowd = [];
    for (let i = 0; i < 1000; i++) crowd.push(await Raw.open(server.port));
    const slow = [];
    for (let i = 0; i < 200; i++) slow.push((await Raw.open(server.port)).send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100\r\n\r\n"));
    const timer = setInterval(() => slow.forEach((raw) => raw.send("x")), 1000);
    await sleep(1100);
    const loaded = await health(100);
    clearInterval(timer);
    const median = (list) => list[list.length >> 1];
    assert.ok(median(loaded) < 2 * median(quiet) + 2 * SLOW, `median ${median(quiet)} ms alone, ${median(loaded)} ms in the crowd`);
    assert.equal(crowd.filter((raw) => raw.closed).length, 0, "they are closed at their deadline, not before");
    assert.equal((await ask(server.port, post("/echo", "still here"))).text, "still here");
    [...crowd, ...slow].forEach((raw) => raw.destroy());
    await server.stop();
  });
});

describe("work", { concurrency: 4 }, () => {
  test("health is answered while all workers are busy", async () => {
    const server = await start("testd", ["--workers", "2", "--log", "off"]);
    const busy = await Promise.all([1, 2, 3, 4].map(() => Raw.open(server.port)));
    busy.forEach((raw) => raw.send(get("/work?ms=1500")));
    await sleep(100);
    const began = Date.now();
    const answer = await ask(server.port, HEALTH);
    assert.equal(answer.status, 200);
    assert.ok(Date.now() - began < 500 * SLOW);
    assert.match((await ask(server.port, get("/metrics"))).text, /testd_http_queue 2\n/);
    for (const raw of busy) assert.equal((await raw.response()).status, 200);
    busy.forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("a full queue is 429 with Retry-After at once", async () => {
    const server = await start("testd", ["--workers", "1", "--max-queue", "2", "--log", "off"]);
    const waiting = [];
    for (let i = 0; i < 3; i++) {
      waiting.push((await Raw.open(server.port)).send(get("/work?ms=800")));
      await sleep(60);
    }
    const began = Date.now();
    const answer = await ask(server.port, get("/work?ms=1"));
    assertProblem(answer, 429, "queue_full");
    assert.match(answer.headers["retry-after"], /^\d+$/);
    assert.ok(Date.now() - began < 400 * SLOW);
    assert.equal((await answer.raw.send(HEALTH).response()).status, 200, "the connection stays open");
    for (const raw of waiting) assert.equal((await raw.response()).status, 200);
    await server.stop();
  });
  test("a client that goes away cancels its queued work", async () => {
    const server = await start("testd", ["--workers", "1", "--log", "off"]);
    const first = (await Raw.open(server.port)).send(get("/work?ms=700"));
    await sleep(50);
    const leaving = [];
    for (let i = 0; i < 5; i++) leaving.push((await Raw.open(server.port)).send(get("/work?ms=5000")));
    await sleep(100);
    const last = (await Raw.open(server.port)).send(get("/work?ms=1"));
    leaving.forEach((raw) => raw.destroy());
    assert.equal((await first.response()).status, 200);
    const began = Date.now();
    assert.equal((await last.response()).status, 200);
    assert.ok(Date.now() - began < 1000 * SLOW, "nobody waits for work that nobody wants");
    assert.match((await ask(server.port, get("/metrics"))).text, /testd_http_cancelled_total 5\n/);
    await server.stop();
  });
  test("a client that goes away stops the work that has begun", async () => {
    const server = await start("testd", ["--workers", "1", "--log", "off"]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=5000"));
    await sleep(100);
    raw.destroy();
    const began = Date.now();
    assert.equal((await ask(server.port, get("/work?ms=1"))).status, 200);
    assert.ok(Date.now() - began < 2500 * SLOW);
    await server.stop();
  });
  test("a client that only ends its side while its work runs still gets its answer", async () => {
    const server = await start("testd", ["--workers", "1", "--log", "off"]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=300"));
    await sleep(100);
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
  test("sub-jobs run on idle workers and never deadlock, however many fan out at once", async () => {
    const server = await start("testd", ["--workers", "3", "--log", "off"]);
    const all = await Promise.all(Array.from({ length: 24 }, () => Raw.open(server.port)));
    all.forEach((raw) => raw.send(get("/fan?n=20")));
    for (const raw of all) assert.equal((await raw.response({ ms: 20000 })).json().sum, 2470);
    all.forEach((raw) => raw.destroy());
    await server.stop();
  });
  test("each worker has its own data", async () => {
    const server = await start("testd", ["--workers", "2", "--log", "off"]);
    const all = await Promise.all(Array.from({ length: 4 }, () => Raw.open(server.port)));
    all.forEach((raw) => raw.send(get("/work?ms=100")));
    const seen = new Set();
    for (const raw of all) seen.add((await raw.response()).json().worker);
    assert.equal(seen.size, 2);
    all.forEach((raw) => raw.destroy());
    await server.stop();
  });
});

describe("stop", { concurrency: 4 }, () => {
  test("SIGTERM stops accepting; health says 503 with ok:false; work in flight is answered; then it ends with 0", async () => {
    const server = await start("testd", ["--workers", "2"]);
    const kept = await Raw.open(server.port);
    assert.equal((await kept.send(HEALTH).response()).status, 200);
    const working = (await Raw.open(server.port)).send(get("/work?ms=700"));
    const queued = [];
    for (let i = 0; i < 3; i++) queued.push((await Raw.open(server.port)).send(get("/work?ms=100")));
    await sleep(100);
    server.child.kill("SIGTERM");
    await sleep(100);
    await assert.rejects(Raw.open(server.port), /ECONNREFUSED/);
    const health = await kept.send(HEALTH).response();
    assert.equal(health.status, 503);
    assert.equal(health.json().ok, false);
    assert.equal(health.headers.connection, "close");
    assert.ok(await closes(kept));
    const answer = await working.response();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.connection, "close");
    for (const raw of queued) assert.equal((await raw.response()).status, 200);
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.equal(server.logs.filter((line) => line.path === "/work" && line.status === 200).length, 4);
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
    await sleep(700);
    stopping = true;
    server.child.kill("SIGTERM");
    await Promise.all(clients);
    assert.equal((await server.exited).code, 0);
    assert.ok(answered > 100, `${answered} answered`);
    assert.equal(lost, 0, `${lost} lost of ${answered + lost}`);
  });
  test("a deadline ends what does not end by itself", async () => {
    const server = await start("testd", ["--drain-timeout", "300ms", "--deadline", "60s", "--log", "off"]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=60000"));
    await sleep(100);
    const began = Date.now();
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
    assert.ok(Date.now() - began < 3000 * SLOW);
    raw.destroy();
  });
  test("a second signal ends at once", async () => {
    const server = await start("testd", ["--deadline", "60s", "--log", "off"]);
    const raw = (await Raw.open(server.port)).send(get("/work?ms=60000"));
    await sleep(100);
    const began = Date.now();
    server.child.kill("SIGTERM");
    await sleep(100);
    server.child.kill("SIGINT");
    assert.equal((await server.exited).code, 1);
    assert.ok(Date.now() - began < 2000 * SLOW);
    raw.destroy();
  });
  test("all memory is given back at the end", async (t) => {
    if (!process.env.TEST_BUILD?.includes("asan")) return t.skip("only AddressSanitizer's build can tell");
    const server = await start("testd", ["--max-body", "1MiB", "--header-timeout", "1s", "--body-timeout", "1s"], { env: { ASAN_OPTIONS: "detect_leaks=1" } });
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
    await sleep(100);
    gone.destroy();
    const { code } = await server.stop(60000);
    assert.equal(code, 0, server.err);
    assert.equal(server.err, "");
    raw.destroy();
    other.destroy();
  });
  test("an idle server ends quickly", async () => {
    const server = await start("testd", ["--log", "off"]);
    const began = Date.now();
    assert.equal((await server.stop()).code, 0);
    assert.ok(Date.now() - began < 1500 * SLOW);
  });
  test("when descriptors run out, accepting backs off and recovers", async () => {
    const server = await start("testd", ["--log", "off"], { shell: "ulimit -n 40" });
    const held = [];
    for (let i = 0; i < 60; i++) {
      const raw = await Raw.open(server.port);
      held.push(raw.send("GET /api/hea")); // a begun request is not idle, so it cannot be evicted
    }
    await sleep(300);
    const cpu = () => {
      const [user, system] = fs.readFileSync(`/proc/${server.child.pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
      return Number(user) + Number(system);
    };
    const before = cpu();
    await sleep(1000);
    assert.ok(cpu() - before < 30, "it does not spin while it cannot accept");
    held.slice(0, 30).forEach((raw) => raw.destroy());
    const late = await Raw.open(server.port);
    assert.equal((await late.send(HEALTH).response({ ms: 5000 * SLOW })).status, 200);
    for (const raw of held.slice(50)) assert.equal((await raw.send("lth HTTP/1.1\r\nHost: t\r\n\r\n").response()).status, 200);
    held.forEach((raw) => raw.destroy());
    late.destroy();
    await server.stop();
  });
  test("at the cap of connections, idle ones make room and the rest is told 503", async () => {
    const server = await start("testd", ["--max-connections", "10", "--log", "off"]);
    const busy = [];
    for (let i = 0; i < 10; i++) busy.push((await Raw.open(server.port)).send("GET /api/hea"));
    await sleep(100);
    const refused = await ask(server.port, HEALTH);
    assertProblem(refused, 503, "too_many_connections");
    busy.forEach((raw) => raw.send("lth HTTP/1.1\r\nHost: t\r\n\r\n"));
    for (const raw of busy) assert.equal((await raw.response()).status, 200);
    const welcome = await ask(server.port, HEALTH);
    assert.equal(welcome.status, 200);
    [...busy, welcome.raw].forEach((raw) => raw.destroy());
    await server.stop();
  });
});

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
  const watches = async (server, expected, why) => {
    for (let i = 0; i < 250 && String(watchedNow(server)) !== String(expected); i++) await sleep(20);
    assert.deepEqual(watchedNow(server), expected, why);
  };
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
    const server = await start("testd", ["--io-threads", "2", "--workers", "1", "--log", "off"]);
    // Policies of all threads: 0 is the ordinary one, 3 is batch.
    const policies = () =>
      fs.readdirSync(`/proc/${server.child.pid}/task`).map((id) => fs.readFileSync(`/proc/${server.child.pid}/task/${id}/stat`, "utf8").split(") ")[1].split(" ")[38]);
    // Two loops and a worker; ThreadSanitizer has an ordinary thread of its own.
    const foreign = policies().length - 3;
    const ordinary = () => policies().filter((policy) => policy === "0").length - foreign;
    const [raw, other] = await openMany(server, 2);
    for (let i = 0; i < 50 && ordinary() > 0; i++) await sleep(50);
    assert.equal(ordinary(), 0);
    raw.send(get("/work?ms=1000"));
    await sleep(200);
    assert.equal(ordinary(), 2);
    assert.equal((await other.send(HEALTH).response()).status, 200);
    assert.equal((await raw.response()).status, 200);
    for (let i = 0; i < 50 && ordinary() > 0; i++) await sleep(50);
    assert.equal(ordinary(), 0);
    [raw, other].forEach((each) => each.destroy());
    await server.stop();
  });
  test("SIGTERM: work on every thread is finished and answered", async () => {
    const server = await start("testd", ["--io-threads", "3", "--workers", "6"]);
    const all = await openMany(server, 6);
    all.forEach((raw) => raw.send(get("/work?ms=400")));
    await sleep(100);
    server.child.kill("SIGTERM");
    for (const raw of all) {
      const answer = await raw.response();
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.connection, "close");
    }
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.equal(server.logs.filter((line) => line.path === "/work" && line.status === 200).length, 6);
  });
  test("a second signal ends at once also when only another thread has work left", async () => {
    const server = await start("testd", ["--io-threads", "2", "--deadline", "60s", "--log", "off"]);
    const [first, second] = await openMany(server, 2);
    second.send(get("/work?ms=60000"));
    first.destroy();
    await sleep(100);
    server.child.kill("SIGTERM");
    await sleep(300);
    assert.equal(server.child.exitCode, null, "it waits for the work");
    const began = Date.now();
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
    assert.ok(Date.now() - began < 1000 * SLOW);
    second.destroy();
  });
  test("the drain's deadline holds on every thread", async () => {
    const server = await start("testd", ["--io-threads", "2", "--drain-timeout", "300ms", "--deadline", "60s", "--log", "off"]);
    const [first, second] = await openMany(server, 2);
    second.send(get("/work?ms=60000"));
    first.destroy();
    await sleep(100);
    const began = Date.now();
    server.child.kill("SIGTERM");
    assert.equal((await server.exited).code, 1);
    assert.ok(Date.now() - began < 3000 * SLOW);
    second.destroy();
  });
});

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
    assert.ok(!server.out.includes("SECRET"));
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
    const server = await start("testd", ["--max-body", "12345", "--log", "off"]);
    const health = (await ask(server.port, HEALTH)).json();
    assert.equal(health.ok, true);
    assert.equal(health.service, "testd");
    assert.match(health.version, /^\d+\.\d+\.\d+$/);
    assert.equal(health.uptimeSeconds, 0);
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

describe("guards and configuration", { concurrency: 4 }, () => {
  test("API keys: Bearer or X-API-Key; health and documents stay open", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "keys-")), "keys");
    fs.writeFileSync(file, "# two keys\nfirst-key\n\n  second key \n");
    const server = await start("platen", ["--api-key-file", file, "--log", "off"]);
    const status = async (headers, where = "/metrics") => {
      const answer = await ask(server.port, get(where, headers));
      answer.raw.destroy();
      if (answer.status === 401) assertProblem(answer, 401, "unauthorized");
      return answer.status;
    };
    assert.equal(await status(""), 401);
    assert.equal(await status("X-API-Key: wrong\r\n"), 401);
    assert.equal(await status("X-API-Key: first-ke\r\n"), 401);
    assert.equal(await status("X-API-Key: first-keyfirst-key\r\n"), 401);
    assert.equal(await status("X-API-Key: # two keys\r\n"), 401);
    assert.equal(await status("X-API-Key:\r\n"), 401);
    assert.equal(await status("Authorization: Basic first-key\r\n"), 401);
    assert.equal(await status("X-API-Key: first-key\r\n"), 200);
    assert.equal(await status("X-API-Key: second key\r\n"), 200);
    assert.equal(await status("Authorization: Bearer first-key\r\n"), 200);
    assert.equal(await status("authorization: bearer second key\r\n"), 200);
    const open = process.env.TEST_ONLY_TESTD ? ["/api/health"] : ["/api/health", "/openapi.json", "/llms.txt", "/llms-full.txt", "/"];
    for (const where of open) assert.equal(await status("", where), 200);
    await server.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  test("the rate of a client is limited by a bucket of tokens; health is not counted", async () => {
    const server = await start("testd", ["--rate-limit", "5", "--rate-burst", "10", "--log", "off"]);
    const raw = await Raw.open(server.port);
    const statuses = [];
    for (let i = 0; i < 15; i++) {
      const answer = await raw.send(get("/work?ms=0")).response();
      statuses.push(answer.status);
      if (answer.status === 429) {
        assertProblem(answer, 429, "rate_limited");
        assert.match(answer.headers["retry-after"], /^\d+$/);
      }
    }
    const passed = statuses.filter((s) => s === 200).length;
    assert.ok(passed >= 10 && passed <= 13, statuses.join(" "));
    assert.equal((await raw.send(HEALTH).response()).status, 200);
    await sleep(700);
    assert.equal((await raw.send(get("/work?ms=0")).response()).status, 200, "tokens come back");
    raw.destroy();
    await server.stop();
  });
  test("behind a proxy the client is the last address of X-Forwarded-For, only where that is trusted", async () => {
    const run = async (flags) => {
      const server = await start("testd", ["--rate-limit", "1", "--rate-burst", "1", "--log", "off", ...flags]);
      const raw = await Raw.open(server.port);
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await raw.send(get("/work?ms=0", `X-Forwarded-For: 9.9.9.9, 10.0.0.${i}\r\n`)).response()).status);
      raw.destroy();
      await server.stop();
      return statuses;
    };
    assert.deepEqual(await run(["--trust-proxy", "on"]), [200, 200, 200]);
    assert.deepEqual(await run([]), [200, 429, 429]);
  });
  test("a bad flag or value is one clear line and exit 2", () => {
    for (const args of [
      ["--nonsense", "1"], ["--max-body", "much"], ["--max-body", "0"], ["--max-body"], ["--workers", "-1"],
      ["--idle-timeout", "15 s"], ["--log", "xml"], ["stray"], ["--listen", "nowhere"], ["--listen", "127.0.0.1:99999"],
      ["--max-uri", "99999999999999999999999"], ["--trust-proxy", "maybe"],
    ]) {
      const result = spawnSync(TESTD, ["serve", ...args], { encoding: "utf8", timeout: 10000 });
      assert.equal(result.status, 2, `${args}: ${result.stderr}`);
      assert.match(result.stderr, /^testd serve: [^\n]+\n$/, `${args}`);
      assert.equal(result.stdout, "");
    }
  });
  test("an address in use is one clear line and exit 1", async () => {
    const server = await start("testd", ["--log", "off"]);
    const result = spawnSync(TESTD, ["serve", "--listen", `127.0.0.1:${server.port}`], { encoding: "utf8", timeout: 10000 });
    assert.equal(result.status, 1);
    assert.match(result.stderr, /^testd serve: cannot listen on [^\n]+\n$/);
    await server.stop();
  });
  test("the environment sets what flags do, flags win, and no variable ends in _PORT", async () => {
    const env = { TESTD_MAX_BODY: "111KiB", TESTD_MAX_QUEUE: "7" };
    const server = await start("testd", ["--max-queue", "9", "--log", "off"], { env });
    const { limits } = (await ask(server.port, HEALTH)).json();
    assert.equal(limits.requestBodyBytes, 111 * 1024);
    assert.equal(limits.queuedRequests, 9);
    await server.stop();
    const bad = spawnSync(TESTD, ["serve"], { encoding: "utf8", env: { ...process.env, TESTD_MAX_BODY: "x" }, timeout: 10000 });
    assert.equal(bad.status, 2);
    assert.match(bad.stderr, /TESTD_MAX_BODY/);
    for (const name of process.env.TEST_ONLY_TESTD ? ["testd"] : ["platen", "hygro"]) {
      const help = spawnSync(program(name), ["serve", "--help"], { encoding: "utf8" });
      assert.equal(help.status, 0);
      const variables = [...help.stdout.matchAll(/\[([A-Z_]+)\]/g)].map((m) => m[1]);
      assert.ok(variables.length > 15);
      for (const variable of variables) assert.ok(!variable.endsWith("_PORT"), variable);
      for (const flag of ["--listen", "--max-body", "--workers", "--api-key-file"]) assert.ok(help.stdout.includes(flag));
    }
  });
  test("an IPv6 address can be listened on", async (t) => {
    const probe = net.createServer();
    const usable = await new Promise((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(0, "::1", () => probe.close(() => resolve(true)));
    });
    if (!usable) return t.skip("no IPv6 here");
    const server = await start("testd", ["--listen", "[::1]:0", "--log", "off"]);
    assert.match(server.out, /listening on http:\/\/\[::1\]:\d+/);
    await server.stop();
  });
});
