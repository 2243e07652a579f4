// Nothing crosses: clients with a small receive window, resets and broken reads never get another client's bytes, and always
// get their own. build/tests/httpd/crossing is that client; Node's sockets cannot choose their window.
// No second run: an answer that reaches the wrong client is never chance.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { describe, test } from "node:test";
import { BUILD, LEAKS, metrics, reaches, start } from "./lib/server.js";

const SECONDS = 3;

async function crossing(server, kind) {
  const child = spawn(path.join(BUILD, "tests/httpd/crossing"), [String(server.port), kind, String(SECONDS)]);
  let out = "";
  child.stdout.on("data", (data) => (out += data));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, out);
}

// When all have gone, nothing of theirs is left.
async function atRest(server) {
  await reaches(server, { http_memory_bytes: 0, http_workers_busy: 0, http_queue: 0, http_connections: 1 });
  const { code } = await server.stop();
  assert.equal(server.err, "");
  assert.equal(code, 0);
}

describe("nothing crosses", { concurrency: 3 }, () => {
  test("a connection that sent nothing gets nothing: pipelined requests and work behind a small window, then a reset", async () => {
    const server = await start("testd", ["--workers", "1", "--send-buffer", "4096", "--log", "off"], LEAKS);
    await crossing(server, "abandoned");
    assert.ok((await metrics(server)).http_cancelled_total > 0, "work was abandoned");
    await atRest(server);
  });
  test("a slow client that pipelines gets every answer, whole and in order", async () => {
    const server = await start("testd", ["--workers", "1", "--send-buffer", "4096", "--log", "off"], LEAKS);
    await crossing(server, "pipelined");
    await atRest(server);
  });
  test("an answer whose connection breaks while the next body is read does not go to another client", async () => {
    const server = await start("testd", ["--io-threads", "1", "--reset-reads", "7", "--log", "off"], LEAKS);
    await crossing(server, "stale");
    // Its own reads are reset too, so the metrics cannot be asked for.
    const { code } = await server.stop();
    assert.equal(server.err, "");
    assert.equal(code, 0);
  });
});
