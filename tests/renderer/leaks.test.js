// With sanitizers (TEST_BUILD=build-asan): what renderers have drawn, refused and forgotten leaves nothing behind in them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILD, start } from "../api/lib/server.js";

const LABELS = [
  "^XA^FO10,10^A0N,30,30^FDplain^FS^FO10,60^BQN,2,4^FDQA,code^FS^XZ",
  "^XA^CI28^FO10,10^A0N,40,40^FDПривет עברית العربية हिन्दी 漢字^FS^XZ",
  `~DGR:X.GRF,800,10,${"A5".repeat(800)}^XA^FO0,0^XGR:X.GRF,2,2^FS^XZ`,
  "^XA^DFR:F^FS^FO9,9^A0N,20,20^FN1^FS^XZ^XA^XFR:F^FN1^FDa^FS^XZ^XA^XFR:F^FN1^FDb^FS^PQ3^XZ",
  "no label at all",
  "^XA^FO0,0^GFA,8,8,1,ZZ^FS^ZZ^FDbad^FS",
];

test("renderers end without leaks", { skip: !BUILD.endsWith("build-asan") && "needs the sanitized build" }, async () => {
  const server = await start("platen", ["--workers", "2", "--render-timeout", "20s"], { env: { ASAN_OPTIONS: "detect_leaks=1", PL_LOOK_FOR_LEAKS: "1" } });
  for (const format of ["png", "jpeg", "webp", "pdf", "json", "base64"]) {
    for (const [i, body] of LABELS.entries()) {
      for (const query of ["", "quality=grayscale&rotation=90", "strict=true", "page=7", "widthMm=0"]) {
        const response = await fetch(`${server.url}/api/render/${format}?${query}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
        assert.ok([200, 400, 413].includes(response.status), `${response.status} ${format} ${i} ${query}`);
        await response.arrayBuffer();
      }
    }
  }
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
