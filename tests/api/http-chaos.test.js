// Clients that do everything at once, badly: cut off, trickle, pipeline, leave, do not read. The server stays up, gives every
// client its own answers and nothing else, each one whole or cut off at the end, and ends cleanly.
// No second run: an answer that reaches the wrong client is never chance.
import assert from "node:assert/strict";
import { test } from "node:test";
import zlib from "node:zlib";
import { dechunk, splitHead } from "./lib/chunked.js";
import { ask, LEAKS, post, Raw, sleep, start } from "./lib/server.js";

// The same sequence of numbers each time, so that a failure can be repeated.
let seed = 20240229;
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 4294967296) * n);
};

// A request with an id of its own, and what its body must be when it is answered 200. A body that is text is the whole body.
let count = 0;
function request(line, body = "", headers = "") {
  const id = `chaos-${++count}`;
  const head = `${line(id)} HTTP/1.1\r\nHost: t\r\nX-Request-Id: ${id}\r\n${headers}`;
  return { id, text: typeof body === "string" ? `${head}\r\n${body}` : `${head}\r\n${body(id)}` };
}
const getting = (path, want) => () => ({ ...request(() => `GET ${path()}`), want });
const unique = (size) => (id) => `${id} `.repeat(Math.ceil(size / (id.length + 1))).slice(0, size);
function posting(path, size, pack = (body) => [body, `Content-Length: ${Buffer.byteLength(body, "latin1")}\r\n`]) {
  return () => {
    const id = `chaos-${count + 1}`;
    const plain = unique(random(size) + 1)(id);
    const [body, headers] = pack(plain);
    return { ...request(() => `POST ${path}`, body, headers), want: plain };
  };
}
const gzip = (body) => {
  const packed = zlib.gzipSync(body).toString("latin1");
  return [packed, `Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`];
};
const chunks = (body) => [`${body.match(/.{1,700}/gs).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`, "Transfer-Encoding: chunked\r\n"];

const MENU = [
  getting(() => "/api/health", /^\{"ok":true,.*\}$/),
  getting(() => `/work?ms=${random(20)}`, /^\{"ok":true,"worker":\d+,"leftMs":\d+\}$/),
  () => {
    const n = random(40);
    return getting(() => `/fan?n=${n}`, `{"sum":${Array.from({ length: n }, (_, i) => i * i).reduce((a, b) => a + b, 0)}}`)();
  },
  () => {
    const bytes = random(2000000);
    return getting(() => `/big?bytes=${bytes}`, "x".repeat(bytes))();
  },
  () => {
    const [n, bytes, start] = [random(6) + 1, random(90000) + 1, random(3)];
    const made = request((id) => `GET /stream?id=${id}&n=${n}&bytes=${bytes}&start=${start}`);
    const want = Array.from({ length: n }, (_, i) => `${made.id} ${i + 1}\n`.repeat(bytes / 8 + 1).slice(0, bytes)).join("");
    return { ...made, want };
  },
  getting(() => "/nothing", /^never$/),
  getting(() => "/metrics", /^# HELP /),
  () => ({ ...request(() => "HEAD /big?bytes=100"), want: "", head: true }),
  posting("/echo", 100000),
  posting("/echo-inline", 5000),
  posting("/echo", 20000, gzip),
  posting("/echo", 20000, chunks),
  () => ({ ...request(() => "POST /json", '{"a":[1,2]}', "Content-Length: 11\r\n"), want: '{"type":"an object"}' }),
  () => ({ text: "garbage\r\n\r\n", bad: true }),
];

// Every byte that came must belong to the answers to these requests, in their order; only the last may be cut off.
function checkAnswers(data, requests) {
  let whole = 0;
  for (const { id, want, head, bad } of requests) {
    if (data.length === 0) return whole;
    const answer = splitHead(data);
    if (!answer) {
      assert.ok("HTTP/1.1 ".startsWith(data.toString("latin1", 0, Math.min(9, data.length))), "a head that is cut off");
      return whole;
    }
    const { status, headers, bodyAt } = answer;
    // What ends a connection before its request is understood has an id of the server's, or none.
    if (headers["x-request-id"] !== id) assert.ok(/^([0-9a-f]{16}|undefined)$/.test(headers["x-request-id"]) && [400, 408, 503].includes(status), `the answer of ${headers["x-request-id"]} where that of ${id} is due`);
    let body, rest;
    if (headers["transfer-encoding"] === "chunked") {
      const taken = dechunk(data.subarray(bodyAt));
      if (!taken.whole) {
        assert.ok(want.startsWith(taken.body.toString("latin1")), `the beginning of ${id}`);
        return whole;
      }
      ({ body, rest } = taken);
    } else {
      const length = head && headers["x-request-id"] === id ? 0 : Number(headers["content-length"]);
      body = data.subarray(bodyAt, bodyAt + length);
      rest = data.subarray(bodyAt + length);
      if (body.length < length) {
        if (status === 200 && typeof want === "string") assert.ok(want.startsWith(body.toString("latin1")), `the beginning of ${id}`);
        return whole;
      }
    }
    const text = body.toString("latin1");
    if (bad) assert.ok([400, 408, 503].includes(status), `${status} to garbage`);
    else if (status === 200 && typeof want === "string") assert.ok(text === want, `the body of ${id}: ${text.length} bytes ${text.slice(0, 60)} instead of ${want.length} ${want.slice(0, 60)}`);
    else if (status === 200) assert.match(text, want);
    else if (!head) assert.equal(JSON.parse(text).ok, false);
    whole++;
    data = rest;
    if (headers.connection === "close") break;
  }
  assert.equal(data.length, 0, `bytes that nobody asked for: ${data.toString("latin1", 0, 200)}`);
  return whole;
}

let whole = 0;
async function client(port, end) {
  // However busy the machine is, some hundred are compared.
  while (Date.now() < end || whole <= 300) {
    const raw = await Raw.open(port).catch(() => null);
    if (!raw) {
      await sleep(5);
      continue;
    }
    const requests = Array.from({ length: random(7) + 1 }, () => MENU[random(MENU.length)]());
    const text = requests.map((each) => each.text).join("");
    const cut = random(10) < 3 ? random(text.length) : text.length;
    const slow = random(5) === 0 ? Math.min(cut, 60) : 0;
    for (let i = 0; i < slow; i++) {
      raw.send(text[i]);
      await sleep(1);
    }
    raw.send(text.slice(slow, cut));
    const manner = random(6);
    if (manner === 0) raw.socket.pause();
    if (manner === 1) raw.end();
    if (manner === 2) await sleep(random(15));
    else await raw.waitClosed(random(400) + 100).catch(() => null);
    if (manner === 0) raw.socket.resume();
    whole += checkAnswers(raw.data, requests);
    if (manner === 3) raw.socket.resetAndDestroy();
    else raw.destroy();
  }
}

test("badly behaved clients, many at once: every answer is compared whole", async () => {
  const server = await start("testd", [
    "--max-queue", "20", "--max-connections", "60", "--rate-limit", "100000", "--send-buffer", "32768",
    "--header-timeout", "300ms", "--body-timeout", "300ms", "--idle-timeout", "300ms", "--write-timeout", "300ms",
  ], LEAKS);
  const end = Date.now() + 5000;
  await Promise.all(Array.from({ length: 80 }, () => client(server.port, end)));
  const answer = await ask(server.port, post("/echo", "still here"));
  assert.equal(answer.text, "still here");
  answer.raw.destroy();
  assert.deepEqual(await server.stop(), { code: 0, signal: null }, server.err);
  assert.equal(server.err, "");
  assert.ok(server.logs.length > 300, `${server.logs.length} lines in the log`);
  for (const line of server.logs) assert.ok(line.status >= 200 && line.status < 600 && line.us >= 0 && line.bytes >= 0);
});
