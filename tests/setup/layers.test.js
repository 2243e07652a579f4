// tools/layers: an include that the table of layers forbids is reported, with its file and line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { folder, ROOT, run } from "./lib.js";

const FORBIDDEN = {
  "apps/platen/fmt.c": ["rewrite/passes.h", "picture/decode.h"],
  "apps/platen/checking/check.c": ["../serve/serve_docs.h", "serve/serve_docs.h"],
  "apps/platen/rendering/render.c": ["api/api.h"],
  "apps/broker/main.c": ["platen/api/api.h", "../platen/api/api.h", "lang/lang.h"],
  "apps/hygro/main.c": ["request/controls.h"],
  "apps/wasm/bridge.c": ["render/document.h"],
  "src/scene/dump.c": ["../lang/zpl/zpl.h", "lang/zpl/zpl.h"],
  "src/base/buf.c": ["platen/api/api.h"],
};

test("forbidden includes are reported", () => {
  const dir = folder("layers");
  for (const file of execFileSync("git", ["ls-files", "src", "apps", "tools/layers", "tools/circles.mjs"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n")) {
    if (!/\.(c|h|cc)$|^tools\//.test(file) || !fs.existsSync(path.join(ROOT, file))) continue;
    fs.mkdirSync(path.join(dir, path.dirname(file)), { recursive: true });
    fs.copyFileSync(path.join(ROOT, file), path.join(dir, file));
  }
  assert.equal(run(dir, "tools/layers").status, 0);
  const planted = [];
  for (const [file, names] of Object.entries(FORBIDDEN)) {
    for (const name of names) {
      fs.appendFileSync(path.join(dir, file), `#include "${name}"\n`);
      planted.push(`${file}:${fs.readFileSync(path.join(dir, file), "utf8").trim().split("\n").length}`);
    }
  }
  fs.appendFileSync(path.join(dir, "src/scene/box.c"), "#include <lang/zpl/zpl.h>\n");
  planted.push("src/scene/box.c:1");
  const { out, status } = run(dir, "tools/layers");
  assert.notEqual(status, 0);
  assert.deepEqual(planted.filter((place) => !out.includes(place)), []);
});
