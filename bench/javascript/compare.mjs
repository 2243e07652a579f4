// The package beside zpl-renderer-js, as a table in Markdown: node bench/javascript/compare.mjs [--runs N] [ID...]
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import zlib from "node:zlib";
import { PNG } from "pngjs";

const PACKAGES = {
  platen: path.resolve("packages/platen/dist/zpl-renderer-js.js"),
  "zpl-renderer-js": path.resolve("bench/peers/node_modules/zpl-renderer-js/dist/index.esm.js"),
};
const FILES = { platen: ["packages/platen/dist/platen.wasm", ...fs.readdirSync("packages/platen/dist").filter((name) => name.endsWith(".js")).map((name) => `packages/platen/dist/${name}`)], "zpl-renderer-js": [PACKAGES["zpl-renderer-js"]] };

// Processor time of this process in milliseconds. Unlike the clock it does not count what other programs do on the same machine.
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

// In a process of its own: how long until the package is ready, and until the first label is there.
if (process.argv[2] === "--start") {
  const begin = spent();
  const { ready } = await import(pathToFileURL(process.argv[3]).href);
  const { api } = await ready;
  const loaded = spent() - begin;
  await api.zplToBase64Async(fs.readFileSync(process.argv[4], "utf8"));
  console.log(JSON.stringify({ loaded, first: spent() - begin }));
  process.exit(0);
}

const args = process.argv.slice(2);
const at = args.indexOf("--runs");
const runs = at < 0 ? 5 : Number(args.splice(at, 2)[1]);
const data = path.join(process.env.PLATEN_SHARED ?? "../shared", "labelary");
const [head, ...lines] = fs.readFileSync(path.join(data, "index.tsv"), "utf8").trim().split("\n");
const names = head.split("\t");
const rows = lines
  .map((line) => Object.fromEntries(line.split("\t").map((value, i) => [names[i], value])))
  .filter((row) => row.page === "0" && (args.length ? args.some((word) => row.id.includes(word)) : row.group === "carrier"));
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

function ink(png) {
  const { data: pixels, width, height } = PNG.sync.read(png);
  return { width, height, dark: (x, y) => x < width && y < height && pixels[4 * (y * width + x)] < 128 };
}

// Dots with ink in both, of those with ink in one of them.
function overlap(a, b) {
  let both = 0;
  let any = 0;
  for (let y = 0; y < Math.max(a.height, b.height); y++) {
    for (let x = 0; x < Math.max(a.width, b.width); x++) {
      const [p, q] = [a.dark(x, y), b.dark(x, y)];
      both += p && q;
      any += p || q;
    }
  }
  return any ? both / any : 1;
}

const result = {};
for (const [name, file] of Object.entries(PACKAGES)) {
  const bytes = FILES[name].map((each) => fs.readFileSync(each));
  const brotli = bytes.reduce((sum, each) => sum + zlib.brotliCompressSync(each, { params: { [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } }).length, 0);
  const starts = Array.from({ length: Math.min(runs, 3) }, () => JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), "--start", file, path.join(data, rows[0].zpl)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })));
  result[name] = { raw: bytes.reduce((sum, each) => sum + each.length, 0), brotli, loaded: median(starts.map((start) => start.loaded)), first: median(starts.map((start) => start.first)), times: [], overlaps: [], failed: 0 };
}
const apis = {};
for (const [name, file] of Object.entries(PACKAGES)) apis[name] = (await (await import(pathToFileURL(file).href)).ready).api;
const ratios = [];
for (const row of rows) {
  const zpl = fs.readFileSync(path.join(data, row.zpl), "utf8");
  const reference = ink(fs.readFileSync(path.join(data, row.png)));
  const took = {};
  for (const name of Object.keys(PACKAGES)) {
    const times = [];
    try {
      for (let i = 0; i <= runs; i++) {
        const begin = spent();
        const text = await apis[name].zplToBase64Async(zpl, Number(row.widthMm), Number(row.heightMm), Number(row.dpmm));
        if (i > 0) times.push(spent() - begin); // the first one warms it up
        else result[name].overlaps.push(overlap(ink(Buffer.from(text, "base64")), reference));
      }
      took[name] = median(times);
      result[name].times.push(took[name]);
    } catch {
      result[name].failed++;
      result[name].overlaps.push(0);
    }
  }
  if (took.platen && took["zpl-renderer-js"]) ratios.push(took["zpl-renderer-js"] / took.platen);
}
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const line = (what, value) => console.log(`| ${what} | ${value(result.platen)} | ${value(result["zpl-renderer-js"])} |`);
console.log(`${rows.length} carrier labels, ${runs} runs each, node ${process.versions.node}, ${process.arch}; times are processor times\n`);
console.log("| | platen | zpl-renderer-js |\n|---|---|---|");
line("size, brotli", (r) => `${Math.round(r.brotli / 1000).toLocaleString("en")} kB`);
line("size, raw", (r) => `${Math.round(r.raw / 1000).toLocaleString("en")} kB`);
line("ready after", (r) => `${r.loaded.toFixed(0)} ms`);
line("first label after", (r) => `${r.first.toFixed(0)} ms`);
line("time of a label, median", (r) => `${median(r.times).toFixed(median(r.times) < 10 ? 2 : 0)} ms`);
line("slowest label", (r) => `${Math.max(...r.times).toFixed(1)} ms`);
line("ink overlap with the reference, mean", (r) => mean(r.overlaps).toFixed(3));
line("ink overlap with the reference, least", (r) => Math.min(...r.overlaps).toFixed(3));
line("labels that failed", (r) => r.failed);
const { createEngine } = await import("../../packages/platen/dist/index.js");
const support = (await createEngine()).commands().map((command) => command.support);
console.log(`\nplaten: ${support.length} commands known, ${support.filter((word) => word !== "none").length} of them drawn. Ratio of times: median ${median(ratios).toFixed(0)}.`);
process.exit(0);
