// The HTTP core: what is a request, what is refused, and that nothing after an ambiguous body is read as one. One named test for each statement.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertProblem, refused } from "./lib/problem.js";
import { ask, closes, get, HEALTH, post, Raw, sleep, start } from "./lib/server.js";

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
    "a size followed by something that is no extension": `15 junk=1\r\n${"x".repeat(21)}\r\n0\r\n\r\n`,
    "a second size": "5 6\r\nhello\r\n0\r\n\r\n",
    "an extension without a name": "5;\r\nhello\r\n0\r\n\r\n",
    "an extension without a value": "5;a=\r\nhello\r\n0\r\n\r\n",
    "an extension with open quotes": '5;a="b\r\nhello\r\n0\r\n\r\n',
    "a trailer that is no field": `0\r\n${smuggled}`,
    "a space before a trailer's colon": "0\r\nA : b\r\n\r\n",
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
    // At the end of the time for the head it would be 408.
    const answer = await ask(platen.port, "GET / HTTP/1.1\r\nHost: t\r\nA: b\x07");
    assertProblem(answer, 400);
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
  test("half-closed clients whose requests wait for a worker get their answers", async () => {
    const testd = await start("testd", ["--workers", "1", "--log", "off"]);
    const allAnswered = async () => {
      const raws = await Promise.all(Array.from({ length: 40 }, () => Raw.open(testd.port)));
      for (const raw of raws) raw.send(get("/work?ms=2").repeat(3)).end();
      let answered = 0;
      for (const raw of raws) {
        for (let i = 0; i < 3; i++) answered += (await raw.response())?.status === 200;
        assert.ok(await closes(raw));
      }
      return answered === 120;
    };
    // Such a client has a second for each answer: where a machine is too busy for that, it is asked again.
    let whole = false;
    for (let round = 0; round < 5 && !whole; round++) whole = await allAnswered();
    assert.ok(whole);
    await testd.stop();
  });
});
