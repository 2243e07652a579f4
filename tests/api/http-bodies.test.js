// The HTTP core: bodies, their limits, chunks, memory and expectations. One named test for each statement.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import { assertProblem } from "./lib/problem.js";
import { ask, closes, metrics, post, Raw, sleep, start, until } from "./lib/server.js";

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
    for (const [size, status] of [[50000, 400], [200000, 413]]) {
      const lying = zlib.gzipSync(Buffer.alloc(size));
      lying.writeUInt32LE(10, lying.length - 4);
      assertProblem(await send(raw, "/echo", lying, "gzip"), status);
    }
    // Several members are one body (RFC 1952, 2.2), and their sizes count together.
    const half = Buffer.alloc(20000, "a label ");
    const members = (...parts) => Buffer.concat(parts.map((part) => zlib.gzipSync(part)));
    for (const path of ["/echo", "/echo-inline"]) assert.equal((await send(raw, path, members(half, "", half, "end"), "gzip")).text, `${half}${half}end`);
    assertProblem(await send(raw, "/echo", members(half, half, half, half, half, half), "gzip"), 413);
    assertProblem(await send(raw, "/echo", members(half, "end").subarray(0, -1), "gzip"), 400, "bad_gzip");
    assertProblem(await send(raw, "/echo", Buffer.from("not gzip at all, really not"), "gzip"), 400, "bad_gzip");
    // The end is missing, and what is last looks like a size above the limit.
    const cut = zlib.gzipSync(Buffer.alloc(50000, "a label ")).subarray(0, -9);
    cut.writeUInt32LE(cut.length * 1000, cut.length - 4);
    assertProblem(await send(raw, "/echo", cut, "gzip"), 400, "bad_gzip");
    assertProblem(await send(raw, "/echo", Buffer.concat([zlib.gzipSync("a"), Buffer.from("x")]), "gzip"), 400, "bad_gzip");
    assertProblem(await send(raw, "/echo", Buffer.from("x"), "br"), 415);
    raw.destroy();
  });
  test("all bodies together stay within the memory set aside for them", async () => {
    const server = await start("testd", ["--max-body", "1MiB", "--max-body-memory", "300KiB", "--log", "off"]);
    const head = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 250000\r\n\r\n";
    const first = await Raw.open(server.port);
    first.send(head + "x".repeat(240000));
    await until(async () => (await metrics(server)).http_memory_bytes >= 240000);
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
