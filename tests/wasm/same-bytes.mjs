// Every format of every label, by the native program and by the package: equal bytes. node tests/wasm/same-bytes.mjs [--all]
// Without --all it takes the goldens and the carrier labels, in the formats and qualities of SAMPLE. Last line: "N passed, N failed".
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fontFiles } from "../../tools/webassembly/coverage.mjs";

const all = process.argv.includes("--all");
const shared = process.env.PLATEN_SHARED ?? "../shared";
const TIME = "2026-01-31T13:45:00";
const SAMPLE = [["png", "bitonal"], ["webp", "grayscale"], ["pdf", "bitonal"], ["json", "bitonal"]];
const EVERY = ["png", "jpeg", "webp", "pdf", "json", "base64"].flatMap((format) => ["bitonal", "grayscale"].map((quality) => [format, quality]));
const EXTENSIONS = { png: "png", jpeg: "jpg", webp: "webp", pdf: "pdf", json: "json", base64: "base64.json" };

const { createEngine } = await import("../../packages/platen/dist/index.js");
const fonts = fontFiles().filter((file) => fs.existsSync(file)).map((file) => ({ name: path.basename(file), data: fs.readFileSync(file) }));
const engine = await createEngine({ fonts, limits: { labels: 1_000_000, milliseconds: 0, keepBytes: 2 ** 30 } });

function labels() {
  const folders = ["tests/golden", ...(all ? ["labelary", "labelary-more", "zpl/corpus"] : ["labelary/carrier"]).map((name) => path.join(shared, name))];
  const found = [];
  for (const folder of folders) {
    if (!fs.existsSync(folder)) {
      console.log(`skipped: ${folder} is not there`);
      continue;
    }
    for (const name of fs.readdirSync(folder, { recursive: true })) if (name.endsWith(".zpl")) found.push(path.join(folder, name));
  }
  return found.sort();
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), "platen-wasm-"));
const inputs = labels().map((file, i) => {
  const link = path.join(work, `${String(i).padStart(4, "0")}.zpl`);
  fs.symlinkSync(path.resolve(file), link);
  return { file, link, stem: path.basename(link, ".zpl") };
});
let passed = 0;
let failed = 0;
let nothing = 0;

function native(format, quality) {
  const out = path.join(work, `${format}-${quality}`);
  fs.mkdirSync(out);
  try {
    execFileSync("build/platen", ["render", ...inputs.map((input) => input.link), "--out-dir", out, "-q", "-f", format, "--quality", quality, "--time", TIME, "--pages", "all", "--unlimited"], { stdio: "ignore" });
  } catch {
    // Labels that print nothing make the status 1; what counts are the files.
  }
  const files = new Map();
  for (const name of fs.readdirSync(out)) {
    const stem = name.slice(0, 4);
    files.set(stem, [...(files.get(stem) ?? []), path.join(out, name)].sort());
  }
  return files;
}

function ours(zpl, format, quality) {
  const options = { format, quality, time: TIME };
  if (["png", "jpeg", "webp"].includes(format)) return engine.renderAll(zpl, options).map((page) => Buffer.from(page.data));
  const { data } = engine.render(zpl, options);
  return [format === "pdf" ? Buffer.from(data) : Buffer.concat([data, Buffer.from("\n")])];
}

const times = { wasm: 0, labels: 0 };
for (const [format, quality] of all ? EVERY : SAMPLE) {
  const files = native(format, quality);
  for (const { file, link, stem } of inputs) {
    const expected = (files.get(stem) ?? []).map((name) => fs.readFileSync(name));
    let got = [];
    let reason = "";
    const before = performance.now();
    try {
      got = ours(fs.readFileSync(link), format, quality);
    } catch (error) {
      reason = `${error.code}: ${error.message}`;
    }
    times.wasm += performance.now() - before;
    times.labels++;
    if (expected.length === 0 && got.length === 0) nothing++;
    else if (expected.length === got.length && expected.every((bytes, i) => bytes.equals(got[i]))) passed++;
    else {
      failed++;
      console.log(`differs: ${file} as ${format}, ${quality}: ${expected.length} native files, ${got.length} of the package ${reason}`);
      if (process.env.KEEP) got.forEach((bytes, i) => fs.writeFileSync(path.join(process.env.KEEP, `${stem}-${format}-${quality}-${i}.${EXTENSIONS[format]}`), bytes));
    }
  }
}
fs.rmSync(work, { recursive: true });
console.log(`${inputs.length} labels, ${nothing} outputs that neither makes, ${(times.wasm / times.labels).toFixed(2)} ms a call`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed < 100 ? 1 : 0;
