// The HTTP core: API keys, rates, flags and environment. One named test for each statement.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { assertProblem } from "./lib/problem.js";
import { ask, get, HANG_MS, HEALTH, program, Raw, sleep, start, TESTD } from "./lib/server.js";

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
    const open = process.env.TEST_ONLY_TESTD ? ["/api/health"] : ["/api/health", "/openapi.json", "/llms.txt", "/llms-full.txt", "/", "/docs/", "/api/commands", "/api/commands/epl", "/api/printer-models"];
    for (const where of open) assert.equal(await status("", where), 200);
    await server.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  test("the rate of a client is limited by a bucket of tokens; health is not counted", async () => {
    const server = await start("testd", ["--rate-limit", "1", "--rate-burst", "10", "--log", "off"]);
    const raw = await Raw.open(server.port);
    const statuses = [];
    raw.send(get("/work?ms=0").repeat(15)); // all at once, so that few tokens come back in between
    for (let i = 0; i < 15; i++) {
      const answer = await raw.response();
      statuses.push(answer.status);
      if (answer.status === 429) {
        assertProblem(answer, 429, "rate_limited");
        assert.match(answer.headers["retry-after"], /^\d+$/);
      }
    }
    const passed = statuses.filter((s) => s === 200).length;
    assert.ok(passed >= 10 && passed < 15, statuses.join(" "));
    assert.equal((await raw.send(HEALTH).response()).status, 200);
    await sleep(1200);
    assert.equal((await raw.send(get("/work?ms=0")).response()).status, 200, "tokens come back");
    raw.destroy();
    await server.stop();
  });
  test("requests that are refused for another reason count for the rate too", async () => {
    const server = await start("testd", ["--rate-limit", "1", "--rate-burst", "5", "--log", "off"]);
    const raw = await Raw.open(server.port);
    const statuses = [];
    raw.send(get("/nothing").repeat(12));
    for (let i = 0; i < 12; i++) statuses.push((await raw.response()).status);
    assert.ok(statuses.includes(404) && statuses.at(-1) === 429, statuses.join(" "));
    raw.destroy();
    await server.stop();
  });
  test("behind a proxy the client is the last address of X-Forwarded-For, only where that is trusted", async () => {
    const run = async (flags) => {
      const server = await start("testd", ["--rate-limit", "1", "--rate-burst", "1", "--log", "off", ...flags]);
      const raw = await Raw.open(server.port);
      const statuses = [];
      raw.send([0, 1, 2].map((i) => get("/nothing", `X-Forwarded-For: 9.9.9.9, 10.0.0.${i}\r\n`)).join(""));
      for (let i = 0; i < 3; i++) statuses.push((await raw.response()).status);
      raw.destroy();
      await server.stop();
      return statuses;
    };
    assert.deepEqual(await run(["--trust-proxy", "on"]), [404, 404, 404]);
    assert.deepEqual(await run([]), [404, 429, 429]);
  });
  test("behind a proxy that adds a line of its own, the last entry of the last X-Forwarded-For counts, in limits and in the log", async () => {
    const server = await start("testd", ["--trust-proxy", "on", "--rate-limit", "1", "--rate-burst", "1"]);
    const raw = await Raw.open(server.port);
    const rows = [
      [200, "9.9.9.1", "10.0.0.1"],
      // What the client invents changes nothing: one client has one bucket.
      [429, "9.9.9.2", "10.0.0.1"], [429, "9.9.9.3, 9.9.9.4", "10.0.0.1"], [429, "", "10.0.0.1"], [429, "10.0.0.2", "10.0.0.1"],
      [429, "9.9.9.5", "9.9.9.6", "9.9.9.7, 10.0.0.1"],
      [200, "10.0.0.1", "10.0.0.2"],
      // The same client with a port, and the same network of IPv6.
      [429, "10.0.0.2:4711"], [200, "2001:db8::1"], [429, "2001:db8::2"],
    ];
    // All at once, so that no token comes back in between.
    raw.send(rows.map(([, ...lines]) => get("/work?ms=0", lines.map((line) => `X-Forwarded-For: ${line}\r\n`).join(""))).join(""));
    for (const [status, ...lines] of rows) assert.equal((await raw.response()).status, status, lines.join(" | "));
    raw.destroy();
    await server.stop();
    const clients = server.logs.map((line) => line.client);
    assert.deepEqual(clients, [...Array(6).fill("10.0.0.1"), "10.0.0.2", "10.0.0.2:4711", "2001:db8::1", "2001:db8::2"]);
  });
  test("a client that sends wrong keys is told to wait, and others are not", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "keys-")), "keys");
    const others = Array.from({ length: 8 }, (_, i) => `other-key-${i}`);
    fs.writeFileSync(file, ["first-key", ...others, ""].join("\n"));
    const server = await start("testd", ["--api-key-file", file, "--trust-proxy", "on", "--log", "off"]);
    const raw = await Raw.open(server.port);
    const tryKey = async (key, client = "10.0.0.1") => raw.send(get("/work?ms=0", `X-Forwarded-For: ${client}\r\n${key === undefined ? "" : `X-API-Key: ${key}\r\n`}`)).response();
    assert.equal((await tryKey("first-key")).status, 200);
    for (let i = 0; i < 100; i++) assert.equal((await tryKey(undefined)).status, 401, "a request without a key is no try");
    // Tries come back at five a second: as many as the test may have taken so far.
    const began = Date.now();
    const statuses = [];
    let told;
    for (let i = 0; i < 200; i++) {
      const answer = await tryKey(`wrong-${i}`);
      statuses.push(answer.status);
      if (answer.status === 429) told = answer;
    }
    const wrong = statuses.filter((status) => status === 401).length;
    const most = 20 + Math.ceil((Date.now() - began) / 200);
    assert.ok(wrong >= 20 && wrong <= most, `${wrong} of ${statuses.length}, at most ${most}`);
    assertProblem(told, 429, "too_many_wrong_keys");
    assert.match(told.headers["retry-after"], /^\d+$/);
    // A right key looks as a wrong one does then, or it could be guessed all the same; a key that is known from this client works on.
    // All at once, so that a try hardly comes back in between: that it does so for half of the keys is no chance.
    const refused = [];
    for (const other of others.slice(1)) {
      const keys = [...Array(30).fill("wrong"), other, "first-key"];
      raw.send(keys.map((key) => get("/work?ms=0", `X-Forwarded-For: 10.0.0.1\r\nX-API-Key: ${key}\r\n`)).join(""));
      const answers = [];
      for (let i = 0; i < keys.length; i++) answers.push((await raw.response()).status);
      assert.equal(answers.at(-1), 200);
      refused.push(answers.at(-2));
    }
    assert.ok(refused.filter((status) => status === 429).length > refused.length / 2, refused.join());
    assert.equal((await tryKey(others[0], "10.0.0.2")).status, 200);
    assert.equal((await tryKey("wrong", "10.0.0.2")).status, 401);
    assert.equal((await raw.send(HEALTH).response()).status, 200);
    await sleep(1000);
    assert.equal((await tryKey(others[0])).status, 200, "tries come back");
    raw.destroy();
    await server.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  test("the rate is checked before keys", async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "keys-")), "keys");
    fs.writeFileSync(file, "the-key\n");
    const server = await start("testd", ["--api-key-file", file, "--rate-limit", "1", "--rate-burst", "2", "--log", "off"]);
    const raw = await Raw.open(server.port);
    raw.send(get("/work?ms=0").repeat(3));
    for (let i = 0; i < 2; i++) assertProblem(await raw.response(), 401, "unauthorized");
    assertProblem(await raw.response(), 429, "rate_limited");
    raw.destroy();
    await server.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
  test("a bad flag or value is one clear line and exit 2", () => {
    for (const args of [
      ["--nonsense", "1"], ["--max-body", "much"], ["--max-body", "0"], ["--max-body"], ["--workers", "-1"],
      ["--idle-timeout", "15 s"], ["--log", "xml"], ["stray"], ["--listen", "nowhere"], ["--listen", "127.0.0.1:99999"],
      ["--max-uri", "99999999999999999999999"], ["--trust-proxy", "maybe"], ["--cors-origins", "*"],
      ["--max-client-connections", "many"], ["--drain-delay", "2 s"], ["--heartbeat", "1ms"],
    ]) {
      const result = spawnSync(TESTD, ["serve", ...args], { encoding: "utf8", timeout: HANG_MS });
      assert.equal(result.status, 2, `${args}: ${result.stderr}`);
      assert.match(result.stderr, /^testd serve: [^\n]+\n$/, `${args}`);
      assert.equal(result.stdout, "");
    }
  });
  test("an address in use is one clear line and exit 1", async () => {
    const server = await start("testd", ["--log", "off"]);
    const result = spawnSync(TESTD, ["serve", "--listen", `127.0.0.1:${server.port}`], { encoding: "utf8", timeout: HANG_MS });
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
    const bad = spawnSync(TESTD, ["serve"], { encoding: "utf8", env: { ...process.env, TESTD_MAX_BODY: "x" }, timeout: HANG_MS });
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
