// The HTTP core: pages of other origins. Which names in Host are answered, and who may read answers (--cors). One named test for each statement.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { assertProblem, refused } from "./lib/problem.js";
import { ask, get, HANG_MS, HOST_CHECKED, post, program, Raw, start, TESTD } from "./lib/server.js";

const health = (host) => `GET /api/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

// Sends one request on a connection of its own.
async function once(port, text) {
  const answer = await ask(port, text);
  answer.raw.destroy();
  return answer;
}
async function assertAnswered(port, host) {
  assert.equal((await once(port, health(host))).status, 200, host);
}
async function assertNotAnswered(port, host) {
  const answer = await once(port, health(host));
  assertProblem(answer, 403, "host_not_allowed");
  assert.match(answer.json().error, /--allow-host/, host);
}
async function canListen(address) {
  const probe = net.createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(0, address, () => probe.close(() => resolve(true)));
  });
}

const LOCAL = [
  "localhost", "localhost:8080", "LOCALHOST", "localhost.", "localhost.:8080", "labels.localhost", "a.b.LocalHost:1", "127.0.0.1", "127.0.0.1:8080",
  "127.1.2.3", "127.0.0.1.", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:80", "localhost:",
];
const FOREIGN = [
  "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "evillocalhost", "127.1", "2130706433", "0x7f000001", "0.0.0.0",
  "10.0.0.1", "[::2]", "[::ffff:10.0.0.1]", "test",
];

describe("names in Host", { concurrency: 8 }, () => {
  let server;
  before(async () => {
    server = await start("platen", ["--log", "off"], { env: HOST_CHECKED });
  });
  after(() => server.stop());

  test("a service on a loopback address answers to names of this machine, with and without a port", async () => {
    for (const host of LOCAL) await assertAnswered(server.port, host);
  });
  test("a service on a loopback address answers 403 to every other name", async () => {
    for (const host of FOREIGN) await assertNotAnswered(server.port, host);
  });
  test("every route is checked, those that do not exist too", async () => {
    for (const where of ["/", "/api/health", "/metrics", "/openapi.json", "/nothing/here"])
      assertProblem(await once(server.port, `GET ${where} HTTP/1.1\r\nHost: evil.example\r\n\r\n`), 403, "host_not_allowed");
    for (const line of ["HEAD /api/health", "OPTIONS /api/health", "OPTIONS *", "DELETE /api/health"]) {
      const answer = await ask(server.port, `${line} HTTP/1.1\r\nHost: evil.example\r\n\r\n`, { head: line.startsWith("HEAD") });
      answer.raw.destroy();
      assert.equal(answer.status, 403, line);
    }
  });
  test("a request with a body is refused whole, and the connection goes on", async () => {
    const raw = await Raw.open(server.port);
    const answer = await raw.send("POST /echo HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 5\r\n\r\nhello").response();
    assertProblem(answer, 403, "host_not_allowed");
    assert.equal((await raw.send(health("localhost")).response()).status, 200);
    raw.destroy();
  });
  test("the authority of an absolute target counts as well as Host", async () => {
    const status = async (target, host) => (await once(server.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status;
    assert.equal(await status("http://localhost:8080/api/health", "127.0.0.1"), 200);
    assert.equal(await status("http://evil.example/api/health", "localhost"), 403);
    assert.equal(await status("https://evil.example:443/api/health", "localhost"), 403);
    assert.equal(await status("http://localhost/api/health", "evil.example"), 403);
  });
  test("HTTP/1.0 without Host is answered; with a foreign one it is not", async () => {
    assert.equal((await once(server.port, "GET /api/health HTTP/1.0\r\n\r\n")).status, 200);
    assert.equal((await once(server.port, "GET /api/health HTTP/1.0\r\nHost: localhost\r\n\r\n")).status, 200);
    assertProblem(await once(server.port, "GET /api/health HTTP/1.0\r\nHost: evil.example\r\n\r\n"), 403, "host_not_allowed");
    assertProblem(await once(server.port, "GET http://evil.example/api/health HTTP/1.0\r\n\r\n"), 403, "host_not_allowed");
  });
  for (const host of ["user@localhost", "localhost@evil.example", "localhost,evil.example", "localhost:x", "localhost:99999", "localhost:80:80", "::1", "[::1", "[localhost]",
    "local%68ost", "a..b", ".localhost", "localhost\\evil.example", "localhost#x", "[::1]x", "[fe80::1%25eth0]"]) {
    test(`Host ${host} is 400`, () => refused(server.port, health(host), 400, "bad_host"));
    test(`http://${host}/ as a target is 400`, () => refused(server.port, `GET http://${host}/ HTTP/1.1\r\nHost: localhost\r\n\r\n`, 400));
  }
  test("--allow-host adds names, whatever their port and case", async () => {
    const other = await start("testd", ["--log", "off", "--allow-host", "Labels.example, 10.1.2.3,[2001:db8::5]"], { env: HOST_CHECKED });
    for (const host of ["labels.example", "LABELS.example.:8080", "10.1.2.3:80", "[2001:db8::5]:80", ...LOCAL]) await assertAnswered(other.port, host);
    for (const host of ["a.labels.example", "example", "labels.example.evil", ...FOREIGN]) await assertNotAnswered(other.port, host);
    await other.stop();
  });
  test("--allow-host * answers to all names", async () => {
    const other = await start("testd", ["--log", "off", "--allow-host", "*"], { env: HOST_CHECKED });
    for (const host of ["evil.example", "localhost", "[::2]:80"]) await assertAnswered(other.port, host);
    await refused(other.port, health("a@b"), 400, "bad_host");
    await other.stop();
  });
  test("on an address that others can reach, names are checked only with --allow-host", async () => {
    const open = await start("testd", ["--log", "off", "--listen", "0.0.0.0:0"], { env: HOST_CHECKED });
    for (const host of ["evil.example", "localhost"]) await assertAnswered(open.port, host);
    await open.stop();
    const checked = await start("testd", ["--log", "off", "--listen", "0.0.0.0:0", "--allow-host", "labels.example"], { env: HOST_CHECKED });
    for (const host of ["labels.example", "localhost", "127.0.0.1"]) await assertAnswered(checked.port, host);
    await assertNotAnswered(checked.port, "evil.example");
    await checked.stop();
  });
  test("all of 127.0.0.0/8 and the loopback addresses of IPv6 are such addresses", async (t) => {
    const places = [["127.0.0.9:0", "127.0.0.9"]];
    if (await canListen("::1")) places.push(["[::1]:0", "::1"], ["[::ffff:127.0.0.1]:0", "127.0.0.1"]);
    for (const [listen, host] of places) {
      const there = await start("testd", ["--log", "off", "--listen", listen], { env: HOST_CHECKED });
      const status = async (name) => {
        const raw = await new Promise((resolve, reject) => {
          const socket = net.connect({ port: there.port, host, allowHalfOpen: true }, () => resolve(new Raw(socket, Date.now())));
          socket.once("error", reject);
        });
        const answer = await raw.send(health(name)).response();
        raw.destroy();
        return answer.status;
      };
      assert.equal(await status("localhost"), 200, listen);
      assert.equal(await status("evil.example"), 403, listen);
      await there.stop();
    }
    if (places.length === 1) t.diagnostic("no IPv6 here");
  });
  test("names are checked before keys and rates", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "keys-")), "keys");
    fs.writeFileSync(file, "the-key\n");
    const guarded = await start("testd", ["--log", "off", "--api-key-file", file, "--rate-limit", "1", "--rate-burst", "2"], { env: HOST_CHECKED });
    const work = (host, key) => once(guarded.port, `GET /work?ms=0 HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`);
    for (let i = 0; i < 30; i++) assertProblem(await work("evil.example", "wrong"), 403, "host_not_allowed");
    assert.equal((await work("localhost", "the-key")).status, 200, "no token was taken, and no wrong key was counted");
    await guarded.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  test("a list that no name can match is one clear line and exit 2", () => {
    for (const list of ["labels.example:8080", "http://labels.example", "*.example", "a b", "a,,b"]) {
      const result = spawnSync(TESTD, ["serve", "--listen", "127.0.0.1:0", "--allow-host", list], { encoding: "utf8", timeout: HANG_MS });
      assert.equal(result.status, 2, list);
      assert.match(result.stderr, /^testd serve: --allow-host: [^\n]+\n$/);
    }
  });
});

const accessControl = (answer) => Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));
const FROM_A = "Origin: http://a.example\r\n";
const preflight = (where, origin = "http://a.example") =>
  `OPTIONS ${where} HTTP/1.1\r\nHost: t\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n`;

describe("pages of other origins", { concurrency: 4 }, () => {
  test("no page of another origin may read answers unless --cors says so", async () => {
    const server = await start("platen", ["--log", "off"]);
    for (const text of [get("/api/health", FROM_A), get("/metrics", FROM_A), get("/", FROM_A), get("/nothing", FROM_A), "nonsense\r\n\r\n", preflight("/api/health"), preflight("/metrics"), preflight("*")]) {
      const answer = await once(server.port, text);
      assert.deepEqual(accessControl(answer), [], text);
      assert.doesNotMatch(answer.headers.vary ?? "", /Origin/, text);
    }
    await server.stop();
  });
  test("their requests are refused where a handler would run, and health is answered (http-strangers.test.js walks every route)", async () => {
    const server = await start("testd", ["--log", "off"]);
    assert.equal((await once(server.port, get("/api/health", FROM_A))).status, 200);
    assertProblem(await once(server.port, get("/work?ms=0", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n")), 403, "other_origin");
    assertProblem(await once(server.port, post("/echo", "x", `${FROM_A}Content-Type: text/plain\r\n`)), 403, "other_origin");
    await server.stop();
  });
  test("a refused request takes no token of the client's rate and counts as no wrong key", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "keys-")), "keys");
    fs.writeFileSync(file, "the-key\n");
    const server = await start("testd", ["--log", "off", "--api-key-file", file, "--rate-limit", "1", "--rate-burst", "2"]);
    for (let i = 0; i < 30; i++) assertProblem(await once(server.port, get("/work?ms=0", `${FROM_A}X-API-Key: wrong\r\n`)), 403, "other_origin");
    assert.equal((await once(server.port, get("/work?ms=0", "X-API-Key: the-key\r\n"))).status, 200);
    await server.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  test("OPTIONS answers 204 with Allow on every route, whatever --cors says", async () => {
    for (const flags of [[], ["--cors", "*"], ["--cors", "http://b.example"]]) {
      const server = await start("testd", ["--log", "off", ...flags]);
      for (const where of ["/api/health", "/metrics", "/echo", "*"]) {
        const answer = await once(server.port, preflight(where));
        assert.equal(answer.status, 204, where);
        assert.match(answer.headers.allow, /OPTIONS/);
      }
      await server.stop();
    }
  });
  test("--cors *: all answers say so, errors too", async () => {
    const server = await start("platen", ["--log", "off", "--cors", "*"]);
    for (const text of [get("/api/health"), get("/api/health", FROM_A), get("/nothing", FROM_A), `DELETE /api/health HTTP/1.1\r\nHost: t\r\n${FROM_A}\r\n`, get("/api/%", FROM_A)]) {
      const answer = await once(server.port, text);
      assert.equal(answer.headers["access-control-allow-origin"], "*", text);
      assert.match(answer.headers["access-control-expose-headers"], /X-Request-Id/);
      assert.doesNotMatch(answer.headers.vary ?? "", /Origin/, "the same for all");
    }
    const allowed = await once(server.port, preflight("/api/health"));
    assert.equal(allowed.headers["access-control-allow-origin"], "*");
    assert.match(allowed.headers["access-control-allow-methods"], /GET/);
    assert.match(allowed.headers["access-control-allow-headers"], /Content-Type/);
    assert.match(allowed.headers["access-control-max-age"], /^\d+$/);
    await server.stop();
  });
  test("--cors with origins: only their pages read answers, and caches are told", async () => {
    const server = await start("platen", ["--log", "off", "--cors", "http://a.example, https://b.example:8443"]);
    for (const origin of ["http://a.example", "https://b.example:8443"]) {
      for (const where of ["/api/health", "/nothing"]) {
        const answer = await once(server.port, get(where, `Origin: ${origin}\r\n`));
        assert.equal(answer.headers["access-control-allow-origin"], origin);
        assert.match(answer.headers["access-control-expose-headers"], /X-Request-Id/);
        assert.match(answer.headers.vary, /Origin/);
      }
      const allowed = await once(server.port, preflight("/api/health", origin));
      assert.equal(allowed.headers["access-control-allow-origin"], origin);
      assert.match(allowed.headers["access-control-allow-methods"], /GET/);
    }
    for (const origin of ["http://c.example", "https://a.example", "http://a.example:8080", "http://a.example.evil", "null", "", "*"]) {
      for (const text of [get("/api/health", `Origin: ${origin}\r\n`), preflight("/api/health", origin)]) {
        const answer = await once(server.port, text);
        assert.deepEqual(accessControl(answer), [], text);
        assert.match(answer.headers.vary, /Origin/);
      }
    }
    const none = await once(server.port, get("/api/health"));
    assert.deepEqual(accessControl(none), []);
    assert.match(none.headers.vary, /Origin/);
    await server.stop();
  });
  test("metrics are never for pages of other origins, whatever --cors says", async () => {
    for (const cors of ["*", "http://a.example"]) {
      const server = await start("testd", ["--log", "off", "--cors", cors]);
      const raw = await Raw.open(server.port);
      for (const text of [get("/metrics", FROM_A), preflight("/metrics"), `POST /metrics HTTP/1.1\r\nHost: t\r\n${FROM_A}Content-Length: 0\r\n\r\n`, `GET /%6detrics HTTP/1.1\r\nHost: t\r\n${FROM_A}\r\n`]) {
        const answer = await raw.send(text).response();
        assert.deepEqual(accessControl(answer), [], text);
        assert.equal(answer.headers.vary, undefined);
      }
      // The next requests on the connection are others.
      for (const where of ["/nothing", "/api/health"]) assert.equal((await raw.send(get(where, FROM_A)).response()).headers["access-control-allow-origin"], cors, where);
      raw.destroy();
      await server.stop();
    }
  });
  test("a page under a foreign name reads nothing, not even the refusal", async () => {
    const server = await start("testd", ["--log", "off", "--cors", "*"], { env: HOST_CHECKED });
    const answer = await once(server.port, `GET /api/health HTTP/1.1\r\nHost: evil.example\r\n${FROM_A}\r\n`);
    assert.equal(answer.status, 403);
    assert.deepEqual(accessControl(answer), []);
    await server.stop();
  });
  test("a value of --cors that no page can match is one clear line and exit 2", () => {
    for (const value of ["a.example", "http://a.example/", "*, http://a.example", "null", "on", "http://*.example", "http://user@a.example"]) {
      const result = spawnSync(TESTD, ["serve", "--listen", "127.0.0.1:0", "--cors", value], { encoding: "utf8", timeout: HANG_MS });
      assert.equal(result.status, 2, value);
      assert.match(result.stderr, /^testd serve: --cors: [^\n]+\n$/);
    }
  });
  if (!process.env.TEST_ONLY_TESTD) test("platen refuses --cors * beside --objects, one clear line and exit 2", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "objects-"));
    const result = spawnSync(program("platen"), ["serve", "--listen", "127.0.0.1:0", "--cors", "*", "--objects", folder], { encoding: "utf8", timeout: HANG_MS });
    assert.equal(result.status, 2);
    assert.match(result.stderr, /^platen serve: --cors '\*' with --objects [^\n]+\n$/);
    assert.equal(result.stdout, "");
    for (const flags of [["--cors", "https://a.example", "--objects", folder], ["--cors", "off", "--objects", folder], ["--cors", "*"]]) {
      const server = await start("platen", ["--log", "off", ...flags]);
      assert.equal((await server.stop()).code, 0);
    }
    fs.rmSync(folder, { recursive: true });
  });
});
