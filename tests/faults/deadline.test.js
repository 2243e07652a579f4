// A worker at its deadline: label code that would take long is answered near --render-timeout, and the worker is free again.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../api/lib/server.js";
import { LONG_RENDERS } from "./long-renders.js";

const LIMIT_MS = 1000;
// What may come on top: reading the body, the largest single step between two looks at the clock, a busy machine.
const MORE_MS = 60_000;
let server;
before(async () => {
  server = await start("platen", ["--render-timeout", `${LIMIT_MS}ms`, "--workers", "2"]);
});
after(() => server.stop());

for (const [name, { zpl, query = "", format = "png" }] of Object.entries(LONG_RENDERS)) {
  test(name, async () => {
    const body = typeof zpl === "function" ? zpl() : zpl;
    const began = Date.now();
    const response = await fetch(`${server.url}/api/render/${format}?${query}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
    // An answer that is sent while it is made has its status already: it is cut off.
    const inPieces = response.headers.get("transfer-encoding") === "chunked";
    const bytes = Buffer.from(await response.arrayBuffer().catch((error) => (inPieces ? "cut" : Promise.reject(error))));
    const took = Date.now() - began;
    assert.ok(took < LIMIT_MS + MORE_MS, `${took} ms`);
    assert.ok([200, 413, 503].includes(response.status), `${response.status} ${bytes.toString().slice(0, 200)}`);
    if (response.status === 503) assert.equal(JSON.parse(bytes).code, "render_timeout");
  });
}

test("the workers are free afterwards", async () => {
  const began = Date.now();
  const response = await fetch(`${server.url}/api/render/png`, { method: "POST", body: "^XA^FO9,9^GB9,9,9^FS^XZ", headers: { "Content-Type": "text/plain" } });
  assert.equal(response.status, 200);
  assert.ok(Date.now() - began < MORE_MS);
});
