// Clients that do everything at once, badly: cut off, trickle, pipeline, leave, do not read. The server stays up, gives every
// other client its answer, and ends cleanly with nothing to complain about.
import assert from "node:assert/strict";
import { test } from "node:test";
import zlib from "node:zlib";
import { ask, get, post, Raw, sleep, start } from "./lib/server.js";

// The same sequence of numbers each time, so that a failure can be repeated.
let seed = 20240229;
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 4294967296) * n);
};

const packed = zlib.gzipSync("x".repeat(20000)).toString("latin1");
const MENU = [
  () => get("/api/health"),
  () => get(`/work?ms=${random(20)}`),
  () => get(`/fan?n=${random(40)}`),
  () => get(`/big?bytes=${random(2000000)}`),
  () => get("/nothing"),
  () => get("/metrics"),
  () => "HEAD /big?bytes=100 HTTP/1.1\r\nHost: t\r\n\r\n",
  () => post("/echo", "y".repeat(random(100000))),
  () => post("/echo-inline", "y".repeat(random(5000))),
  () => post("/json", '{"a":[1,2]}'),
  () => `POST /echo HTTP/1.1\r\nHost: t\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n${packed}`,
  () => `POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n${"5\r\nhello\r\n".repeat(random(50))}0\r\n\r\n`,
  () => "garbage\r\n\r\n",
];

async function client(port, end) {
  while (Date.now() < end) {
    const raw = await Raw.open(port).catch(() => null);
    if (!raw) {
      await sleep(5);
      continue;
    }
    let text = "";
    for (let i = random(6); i >= 0; i--) text += MENU[random(MENU.length)]();
    const cut = random(10) < 3 ? random(text.length) : text.length;
    const slow = random(5) === 0 ? Math.min(cut, 60) : 0;
    for (let i = 0; i < slow; i++) {
      raw.send(text[i]);
      if (random(10) === 0) await sleep(1);
    }
    raw.send(text.slice(slow, cut));
    const manner = random(4);
    if (manner === 0) {
      await sleep(random(10));
      raw.destroy();
      continue;
    }
    if (manner === 1) raw.end();
    if (manner === 2) {
      raw.socket.pause();
      await sleep(random(400));
      raw.socket.resume();
    }
    await raw.waitClosed(1500).catch(() => null);
    assert.match(raw.data.toString("latin1", 0, 13), /^(HTTP\/1\.1 [2-5]\d\d |.{0,12}$)/s);
    raw.destroy();
  }
}

test("badly behaved clients, many at once", async () => {
  const server = await start("testd", [
    "--max-queue", "20", "--max-connections", "60", "--rate-limit", "100000",
    "--header-timeout", "300ms", "--body-timeout", "300ms", "--idle-timeout", "300ms", "--write-timeout", "300ms",
  ]);
  const end = Date.now() + 5000;
  await Promise.all(Array.from({ length: 80 }, () => client(server.port, end)));
  const answer = await ask(server.port, post("/echo", "still here"));
  assert.equal(answer.text, "still here");
  answer.raw.destroy();
  assert.deepEqual(await server.stop(60000), { code: 0, signal: null }, server.err);
  assert.equal(server.err, "");
  assert.ok(server.logs.length > 300, `${server.logs.length} lines in the log`);
  for (const line of server.logs) assert.ok(line.status >= 200 && line.status < 600 && line.us >= 0 && line.bytes >= 0);
});
