// Labels that once took the service down, hung it or filled its memory, one after the other through one worker: each is
// answered in time, and the next client's label is drawn.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { processes, start } from "../api/lib/server.js";
import { hostileLabels } from "../hostile/labels.mjs";

const LIMIT_MS = 2000, BEYOND_MS = 500;
const BUSY_MS = 60_000; // what a busy machine may add to the way there and back
const MEMORY_MIB = 256 + 64 + 8 + 8 + 40; // docs/limits.md: --max-memory, spare, glyph cache, body; and all that is there without a request
const GOOD = "^XA^FO10,10^A0N,30,30^FDnext^FS^FO10,60^BCN,50^FD12345^FS^XZ";

const peakMiB = (pid) => processes(pid).reduce((sum, p) => sum + Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${p}/status`, "utf8"))[1]) / 1024, 0);

async function ask(server, format, query, body) {
  const began = performance.now();
  const response = await fetch(`${server.url}/api/render/${format}?${new URLSearchParams(query)}`, {
    method: "POST", body: gzipSync(body), headers: { "Content-Type": "text/plain", "Content-Encoding": "gzip" } });
  const answer = Buffer.from(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
  return { status: response.status, answer, ms: performance.now() - began };
}

test("hostile labels through the service", async (t) => {
  const server = await start("platen", ["--workers", "1", "--render-timeout", `${LIMIT_MS}ms`, "--max-body", "8MiB"]);
  const good = (await ask(server, "png", {}, GOOD)).answer;
  for (const label of hostileLabels) {
    await t.test(`${label.name}: ${label.why}`, async () => {
      const { format = "png", ...query } = label.query;
      const { status, answer, ms } = await ask(server, format, query, label.zpl);
      assert.ok([200, 400, 413, 500, 503].includes(status), `${status} ${answer.toString("latin1", 0, 200)}`);
      // Of a large answer that is sent while it is made, the time in which this client reads does not count.
      const reading = answer.length > 1e6 ? 10000 : 0;
      assert.ok(ms < LIMIT_MS + BEYOND_MS + BUSY_MS + reading, `${ms} ms`);
      const next = await ask(server, "png", {}, GOOD);
      assert.equal(next.status, 200);
      assert.ok(next.answer.equals(good));
      assert.ok(peakMiB(server.child.pid) < MEMORY_MIB, `${peakMiB(server.child.pid)} MiB`);
      if (process.env.PRINT_HOSTILE) console.log(`${label.name}: ${status} in ${ms.toFixed(0)} ms, ${peakMiB(server.child.pid).toFixed(0)} MiB`);
    });
  }
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
