// The HTTP core: routes, methods, conditional answers, embedded files and the discovery documents. One named test for each statement.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import { assertProblem } from "./lib/problem.js";
import { ask, get, HEALTH, post, Raw, start } from "./lib/server.js";

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
  test("OPTIONS answers 204 with Allow on every route, and 404 elsewhere", async () => {
    for (const path of ["/api/health", "/metrics"]) {
      const answer = await ask(platen.port, `OPTIONS ${path} HTTP/1.1\r\nHost: t\r\nOrigin: http://a.example\r\n\r\n`);
      assert.equal(answer.status, 204);
      assert.match(answer.headers.allow, /OPTIONS/);
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
  test("documents have an ETag, answer 304 to it, and come packed to those who take it", async () => {
    if (process.env.TEST_ONLY_TESTD) return;
    for (const path of ["/", "/openapi.json"]) {
      const raw = await Raw.open(platen.port);
      const plain = await raw.send(get(path)).response();
      assert.equal(plain.status, 200);
      assert.match(plain.headers.etag, /^"[^"]+"$/);
      const packed = await raw.send(get(path, "Accept-Encoding: br;q=0, gzip\r\n")).response();
      assert.equal(packed.headers["content-encoding"], "gzip");
      assert.equal(packed.headers.vary, "Accept-Encoding");
      assert.notEqual(packed.headers.etag, plain.headers.etag);
      assert.deepEqual(zlib.gunzipSync(packed.body), plain.body);
      for (const tag of [plain.headers.etag, packed.headers.etag, `"x", W/${plain.headers.etag}`, "*"]) {
        const same = await raw.send(get(path, `If-None-Match: ${tag}\r\n`)).response();
        assert.equal(same.status, 304);
        assert.equal(same.headers.etag, plain.headers.etag);
      }
      // Only what is in the program has a Brotli form.
      const smallest = await raw.send(get(path, "Accept-Encoding: br, gzip\r\n")).response();
      assert.equal(smallest.headers["content-encoding"], path === "/" ? "br" : "gzip");
      const unpacked = path === "/" ? zlib.brotliDecompressSync(smallest.body) : zlib.gunzipSync(smallest.body);
      assert.deepEqual(unpacked, plain.body);
      assert.equal((await raw.send(get(path, `If-None-Match: ${smallest.headers.etag}\r\n`)).response()).status, 304);
      assert.equal((await raw.send(get(path, 'If-None-Match: "other"\r\n')).response()).status, 200);
      const refusing = await raw.send(get(path, "Accept-Encoding: gzip;q=0\r\n")).response();
      assert.equal(refusing.headers["content-encoding"], undefined);
      raw.destroy();
    }
  });
  test("llms.txt calls the address that was asked, and has an ETag for each", async () => {
    if (process.env.TEST_ONLY_TESTD) return;
    for (const path of ["/llms.txt", "/llms-full.txt"]) {
      const raw = await Raw.open(platen.port);
      const ask = (host, more = "") => raw.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`).response();
      const one = await ask(`127.0.0.1:${platen.port}`), other = await ask("labels.localhost");
      assert.ok(one.body.includes(`curl -s http://127.0.0.1:${platen.port}/api/`), one.body.toString());
      assert.ok(other.body.includes("curl -s http://labels.localhost/api/"));
      assert.ok(!other.body.includes("http://127.0.0.1") && !other.body.includes("{{address}}"));
      assert.notEqual(one.headers.etag, other.headers.etag);
      assert.equal((await ask("labels.localhost", `If-None-Match: ${other.headers.etag}\r\n`)).status, 304);
      assert.equal((await ask("labels.localhost", `If-None-Match: ${one.headers.etag}\r\n`)).status, 200);
      // A proxy's word for the scheme counts with --trust-proxy alone.
      assert.ok((await ask("labels.localhost", "X-Forwarded-Proto: https\r\n")).body.includes("http://labels.localhost/api"));
      raw.destroy();
    }
    const trusting = await start("platen", ["--trust-proxy", "on", "--log", "off"]);
    const raw = await Raw.open(trusting.port);
    const answer = await raw.send("GET /llms.txt HTTP/1.1\r\nHost: labels.localhost\r\nX-Forwarded-Proto: https\r\n\r\n").response();
    assert.ok(answer.body.includes("curl -s https://labels.localhost/api/"));
    raw.destroy();
    await trusting.stop();
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
      assertProblem(answer, 400, "invalid_json");
    }
    raw.destroy();
  });
});
