// Whatever a renderer does, the service goes on: the client of that label gets a documented error in time, and the next
// client its picture. build/tests/renderer/platen_trapped has a renderer that goes wrong on purpose.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, describe, test } from "node:test";
import { processes, reaches, sleep, start, until } from "../api/lib/server.js";

const LIMIT_MS = 4000, BUSY_MS = 60_000; // a busy machine
const good = (text) => `^XA^FO10,10^A0N,30,30^FD${text}^FS^XZ`;
const trapped = (name) => `^FXtrap=${name}^FS${good(name)}`;

async function render(server, zpl, format = "png", query = "") {
  const began = performance.now();
  const response = await fetch(`${server.url}/api/render/${format}?${query}`, { method: "POST", body: zpl, headers: { "Content-Type": "text/plain" } });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body, ms: performance.now() - began, problem: response.status === 200 ? null : JSON.parse(body) };
}

const metric = async (server, name) => Number(new RegExp(`^platen_${name} (\\d+)$`, "m").exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);

async function drawsOn(server) {
  const answer = await render(server, good("next"));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.toString("latin1", 1, 4), "PNG");
}

describe("a renderer that goes wrong", () => {
  // What must be late is asked of one, all else of a server whose limit nothing reaches on a busy machine.
  let late, server;
  before(async () => {
    [late, server] = await Promise.all([`${LIMIT_MS}ms`, "15m"].map((limit) => start("tests/renderer/platen_trapped", ["--workers", "1", "--render-timeout", limit])));
  });
  after(async () => {
    for (const each of [late, server]) assert.deepEqual(await each.stop(), { code: 0, signal: null });
  });

  // [trap, status, code, what is counted]
  const CASES = [
    ["overflow", 500, "render_failed", "died"],
    ["recursion", 500, "render_failed", "died"],
    ["abort", 500, "render_failed", "died"],
    ["loop", 503, "render_timeout", "killed"],
    ["memory", 413, "limit_exceeded", null],
    ["fork", 500, "render_failed", "died"],
    ["socket", 500, "render_failed", "died"],
    ["kill", 500, "render_failed", "died"],
    ["exec", 500, "render_failed", "died"],
    ["open", 200, null, null],
    ["write", 200, null, null],
    ["descriptors", 200, null, null],
    ["lie-sizes", 500, "render_failed", "died"],
    ["lie-shared", 503, "render_timeout", "killed"], // it says that it will send, and does not
    ["lie-pages", 500, "render_failed", "died"],
    ["lie-labels", 500, "render_failed", "died"],
    ["lie-findings", 500, "render_failed", "died"],
    ["lie-warnings", 500, "render_failed", "died"],
    ["lie-status", 500, "render_failed", "died"],
    ["lie-drawn", 500, "render_failed", "died"],
    ["lie-bools", 500, "render_failed", "died"],
    ["dribble", 503, "render_timeout", "killed"],
    ["noise", 500, "render_failed", "died"],
  ];
  for (const [name, status, code, counted] of CASES) {
    test(`${name}: ${status}, and the next label is drawn`, async () => {
      const asked = status === 503 ? late : server;
      const counts = counted ? await metric(asked, `renderer_${counted}_total`) : 0;
      const restarts = await metric(asked, "renderer_restarts_total");
      const answer = await render(asked, trapped(name), "png", name === "memory" ? "widthMm=300&heightMm=300&dpmm=24" : "");
      assert.equal(answer.status, status, answer.body.toString("latin1", 0, 200));
      assert.equal(answer.problem?.code ?? null, code);
      if (asked === late) assert.ok(answer.ms >= LIMIT_MS - 50 && answer.ms < LIMIT_MS + BUSY_MS, `${answer.ms} ms`);
      await drawsOn(asked);
      if (!counted) return;
      assert.equal(await metric(asked, `renderer_${counted}_total`), counts + 1);
      assert.equal(await metric(asked, "renderer_restarts_total"), restarts + 1);
      const id = answer.headers.get("x-request-id");
      const line = await until(() => asked.logs.find((l) => l.id === id), "its line of the log");
      assert.equal(line.renderer, counted);
      assert.doesNotMatch(JSON.stringify(line), /trap/);
      if (status === 500) assert.ok(answer.problem.error.includes(id), answer.problem.error);
    });
  }
  test("a file that is shorter than told gives what lies behind it of the same memory, not the front's", async () => {
    const answer = await render(server, trapped("lie-file"));
    assert.equal(answer.status, 200);
    assert.ok(answer.body.subarray(answer.body.indexOf("IEND") + 8).every((byte) => byte === 0));
    await drawsOn(server);
  });
  for (const format of ["json", "pdf", "base64"]) {
    test(`a label of a batch in ${format} that ends its renderer: 500`, async () => {
      const answer = await render(server, trapped("abort") + good("b").repeat(3), format, "widthMm=50");
      assert.equal(answer.status, 500);
      await drawsOn(server);
    });
  }
  for (const name of ["pdf-head", "pdf-all"]) {
    test(`${name}: a part of a PDF that is none is a 500`, async () => {
      const answer = await render(server, trapped(name), "pdf");
      assert.equal(answer.status, 500, answer.body.toString("latin1", 0, 200));
      assert.equal(answer.problem.code, "render_failed");
      await drawsOn(server);
    });
  }
  test("there are as many processes as at the start, and none is a zombie", async () => {
    await drawsOn(server);
    const all = processes(server.child.pid);
    assert.equal(all.length, 3); // front, keeper, renderer
    for (const pid of all) assert.doesNotMatch(fs.readFileSync(`/proc/${pid}/status`, "utf8"), /^State:\s+Z/m);
  });
});

test("the same label code again and again from one client has to wait, others do not", async () => {
  const server = await start("tests/renderer/platen_trapped", ["--workers", "1", "--render-timeout", "60s"]);
  for (let i = 0; i < 3; i++) assert.equal((await render(server, trapped("abort"))).status, 500, `try ${i + 1}`);
  const answer = await render(server, trapped("abort"));
  assert.equal(answer.status, 429);
  assert.equal(answer.problem.code, "render_failed_before");
  assert.ok(Number(answer.headers.get("retry-after")) >= 1);
  assert.equal((await render(server, `${trapped("abort")} `)).status, 500, "other code");
  await drawsOn(server);
  await sleep(1000 * Number(answer.headers.get("retry-after")));
  assert.equal((await render(server, trapped("abort"))).status, 500, "after the wait");
  assert.equal((await render(server, trapped("abort"))).status, 429);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test("a client that leaves does not keep a renderer that hangs", async () => {
  const server = await start("tests/renderer/platen_trapped", ["--workers", "1", "--render-timeout", "15m"]);
  const controller = new AbortController();
  const gone = fetch(`${server.url}/api/render/png`, { method: "POST", body: trapped("loop"), headers: { "Content-Type": "text/plain" }, signal: controller.signal }).catch(() => null);
  await reaches(server, { http_workers_busy: 1 });
  controller.abort();
  await gone;
  await drawsOn(server); // it does not wait for the 15 minutes
  assert.equal(await metric(server, "renderer_killed_total"), 1);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
