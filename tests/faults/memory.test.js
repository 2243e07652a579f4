// Memory stays bounded: the worst single requests, alone and several at once. The numbers stand in docs/limits.md.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { processes, start } from "../api/lib/server.js";

const WORKERS = 2;
// Of the service with all its processes.
const sumMiB = (pid, field) => processes(pid).reduce((sum, p) => sum + Number(new RegExp(`${field}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${p}/status`, "utf8"))[1]) / 1024, 0);
const peakMiB = (pid) => sumMiB(pid, "VmHWM");
const label = (i) => `^XA^FO20,20^A0N,40,40^FDLabel ${i}^FS^FO20,100^BCN,80^FD${i}^FS^FO20,300^BQN,2,5^FDQA,${i}^FS^XZ`;
const many = Array.from({ length: 500 }, (_, i) => label(i)).join("");
const LARGEST = "widthMm=416&heightMm=416&dpmm=24";

const CASES = [
  ["a bitonal label of 100,000,000 dots", `png?${LARGEST}&rotation=90`, label(1), 60],
  ["a grey label of 100,000,000 dots", `png?${LARGEST}&quality=grayscale`, label(1), 64],
  ["the same as JPEG", `jpeg?${LARGEST}&quality=grayscale`, label(1), 64],
  ["the same turned", `pdf?${LARGEST}&quality=grayscale&rotation=90`, label(1), 64],
  ["the same as WebP", `webp?${LARGEST}&quality=grayscale`, label(1), 64],
  ["JSON of 500 labels", "json", many, 60],
  ["PDF of 500 labels", "pdf", many, 60],
];

for (const [name, path, body, bound] of CASES) {
  test(`${name}, four at once on two workers`, async () => {
    const server = await start("platen", ["--workers", String(WORKERS), "--render-timeout", "60s"]);
    const one = async () => {
      const response = await fetch(`${server.url}/api/render/${path}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
      assert.equal(response.status, 200, path);
      await response.arrayBuffer();
    };
    const idle = peakMiB(server.child.pid);
    assert.ok(idle < 40, `${idle} MiB idle`);
    await one();
    const single = peakMiB(server.child.pid);
    assert.ok(single < 40 + bound, `${single} MiB for one`);
    await Promise.all([one(), one(), one(), one()]);
    const peak = peakMiB(server.child.pid);
    assert.ok(peak < 40 + WORKERS * bound, `${peak} MiB for four`);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    if (process.env.PRINT_MEMORY) console.log(`${name}: idle ${idle.toFixed(0)}, one ${single.toFixed(0)}, four ${peak.toFixed(0)} MiB`);
  });
}

test("memory of large requests is given back", async () => {
  // Without the pages of files: how large the program is, is another matter.
  const nowMiB = (pid) => sumMiB(pid, "RssAnon") + sumMiB(pid, "RssShmem");
  const server = await start("platen", ["--workers", String(WORKERS), "--render-timeout", "60s"]);
  const ask = async (path, body) => {
    const response = await fetch(`${server.url}/api/render/${path}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
    await response.arrayBuffer();
  };
  for (const path of [`png?${LARGEST}&quality=grayscale`, `pdf?${LARGEST}&quality=grayscale&rotation=90`, `webp?${LARGEST}&quality=grayscale`]) {
    await Promise.all([ask(path, label(1)), ask(path, label(2)), ask(path, label(3))]);
  }
  await Promise.all([ask("json", many), ask("pdf", many), ask("png", "x".repeat(8000000))]);
  const idle = nowMiB(server.child.pid);
  assert.ok(peakMiB(server.child.pid) > 70, "the requests were large");
  assert.ok(idle < 120, `${idle} MiB right after`);
  for (let i = 0; i < 40 * WORKERS; i++) await Promise.all([ask("png", label(i)), ask("json", label(i))]);
  const later = nowMiB(server.child.pid);
  assert.ok(later < 52, `${later} MiB after small requests`);
  await server.stop();
  if (process.env.PRINT_MEMORY) console.log(`right after large requests ${idle.toFixed(0)}, after small ones ${later.toFixed(0)} MiB`);
});
