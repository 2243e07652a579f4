// `npx platen` beside the native program: the same standard output, messages, files and exit status. node tests/wasm/command-line.mjs [--all]
// Without --all it takes the goldens, and few of them one by one; with it the labels of ../shared, too, each by itself. Last line: "N passed, N failed".
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Wasi } from "../../packages/platen/dist/cli/wasi.js";

const all = process.argv.includes("--all");
const shared = process.env.PLATEN_SHARED ?? "../shared";
const root = process.cwd();
const LABELS = /\.(zpl|epl|tspl|cpcl)$/;
const FIXED = ["--time", "2026-01-31T13:45:00"];
const module = new WebAssembly.Module(fs.readFileSync("packages/platen/dist/platen-cli.wasm"));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "platen-cli-"));

// Labels under short names: equal names in several folders would collide.
function gather() {
  const folders = ["tests/golden", ...(all ? ["labelary", "labelary-more", "zpl/corpus"].map((name) => path.join(shared, name)) : [])];
  fs.mkdirSync(path.join(work, "labels"));
  const found = folders.filter((folder) => {
    if (!fs.existsSync(folder)) console.log(`skipped: ${folder} is not there`);
    return fs.existsSync(folder);
  }).flatMap((folder) => fs.readdirSync(folder, { recursive: true }).filter((name) => LABELS.test(name)).map((name) => path.join(folder, name))).sort();
  return found.map((file, i) => {
    const name = `labels/${String(i).padStart(4, "0")}-${path.basename(file)}`;
    fs.copyFileSync(file, path.join(work, name));
    return name;
  });
}

/** All files of a folder with their bytes. */
function contents(folder) {
  const files = {};
  if (fs.existsSync(folder)) {
    for (const name of fs.readdirSync(folder, { recursive: true }).sort()) {
      if (fs.statSync(path.join(folder, name)).isFile()) files[name] = fs.readFileSync(path.join(folder, name)).toString("latin1");
    }
  }
  return files;
}

// Each program works in a folder of its own, `out`, which is new for each call.
function run(start, input) {
  fs.rmSync(path.join(work, "out"), { recursive: true, force: true });
  fs.mkdirSync(path.join(work, "out"));
  fs.writeFileSync(path.join(work, "input"), input ?? "");
  const answer = start(path.join(work, "input"));
  return { ...answer, files: contents(path.join(work, "out")) };
}

function native(args) {
  return (input) => {
    const { status, stdout, stderr } = spawnSync(path.join(root, "build/platen"), args, { cwd: work, input: fs.readFileSync(input), maxBuffer: 2 ** 30 });
    return { status, stdout: stdout.toString("latin1"), stderr: stderr.toString("utf8") };
  };
}

function ours(args) {
  return (input) => {
    const names = [input, path.join(work, "stdout"), path.join(work, "stderr")];
    const stdio = names.map((name, i) => fs.openSync(name, i === 0 ? "r" : "w"));
    process.chdir(work);
    let status;
    try {
      status = new Wasi({ args: ["platen", ...args], env: process.env, stdio }).start(module);
    } catch (error) {
      status = error.message; // a trap: equal to no exit status
    } finally {
      process.chdir(root);
      stdio.forEach((fd) => fs.closeSync(fd));
    }
    return { status, stdout: fs.readFileSync(names[1], "latin1"), stderr: fs.readFileSync(names[2], "utf8") };
  };
}

/** Without the time that a call took, which the summary of many documents has: of a ZIP the files before it. */
function timeless(answer) {
  const files = Object.entries(answer.files).map(([name, text]) => [name, name.endsWith(".zip") ? text.slice(0, text.lastIndexOf("PK\x03\x04")) : text.replace(/"seconds":[0-9.]+/, "")]);
  return { ...answer, stdout: answer.stdout.replace(/"seconds":[0-9.]+/, ""), files };
}

let passed = 0;
let failed = 0;
function compare(args, input) {
  const expected = timeless(run(native(args), input));
  const got = timeless(run(ours(args), input));
  const different = Object.keys(expected).filter((part) => JSON.stringify(expected[part]) !== JSON.stringify(got[part]));
  if (different.length === 0) passed++;
  else {
    failed++;
    const shown = args.length > 12 ? [...args.slice(0, 12), "…"] : args;
    console.log(`differs: platen ${shown.join(" ")}: ${different.join(", ")}`);
    for (const part of different) {
      const [a, b] = [expected[part], got[part]].map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)));
      let at = 0;
      while (at < a.length && a[at] === b[at]) at++;
      console.log(`  native  ${JSON.stringify(a.slice(Math.max(at - 40, 0), at + 120))}\n  package ${JSON.stringify(b.slice(Math.max(at - 40, 0), at + 120))}`);
    }
  }
}

const labels = gather();
const few = all ? labels : labels.filter((_, i) => i % 16 === 0);

// All files in one call.
for (const format of ["png", "jpeg", "webp", "pdf", "json", "base64"]) compare(["render", ...labels, "--out-dir", "out", "-f", format, "--pages", "all", ...FIXED]);
compare(["render", ...few, "--out-dir", "out", "--quality", "grayscale", "--rotation", "90", "--strict", ...FIXED]);
compare(["render", "labels", "-o", "out/all.pdf", "-q", "--page-size", "a4", ...FIXED]);
compare(["render", "labels", "-o", "out/all.zip", "-q", ...FIXED]);
compare(["inspect", ...few, ...FIXED]);
compare(["inspect", ...labels, "--json", "--lint", ...FIXED]);
compare(["inspect", ...few, "--scene", ...FIXED]);
for (const format of ["text", "json", "junit", "sarif", "github", "baseline"]) compare(["check", "labels", "--no-verify", "-f", format, ...FIXED]);
compare(["check", "labels", "--no-verify", "--report", "out/report", "--fail-on", "info", "--rules", "gs1-retail", ...FIXED]);
compare(["fmt", ...labels]);
compare(["fmt", "--check", ...labels]);
compare(["fmt", "--explain", ...few]);
compare(["fmt", "--extract", "csv", ...few, ...FIXED]);

// Each file by itself: its exit status.
for (const label of few) {
  compare(["render", label, "-o", "out/label.png", ...FIXED]);
  compare(["render", "-", "-f", "json", "--strict", ...FIXED], fs.readFileSync(path.join(work, label)));
  compare(["check", label, "--no-verify", "--fail-on", "warning", ...FIXED]);
  compare(["inspect", label, "--lint", ...FIXED]);
  compare(["fmt", label, "--minify", "--graphics", "z64"]);
  compare(["fmt", label, "--to", "12", "--strict", ...FIXED]);
  compare(["fmt", label, "--rotation", "90", ...FIXED]);
  compare(["fmt", label, "--units", "mm", ...FIXED]);
  compare(["fmt", label, "--to-language", "tspl", ...FIXED]);
  compare(["diff", label, few[0], "--picture", "out/both.png", ...FIXED]);
}

// Inputs of other kinds, and what goes wrong.
const TEMPLATE = "^XA^FO20,20^A0N,40^FD{{name}}^FS^BY2^FO20,90^BCN,80^FD{{code}}^FS^XZ\n";
fs.writeFileSync(path.join(work, "template.zpl"), TEMPLATE);
fs.writeFileSync(path.join(work, "rows.csv"), "id,name,code\na,Zürich,123\nb,\"one, two\",456\na,again,789\n");
fs.writeFileSync(path.join(work, "rows.ndjson"), '{"id":"x","zpl":"^XA^FO9,9^GB99,99,9^FS^XZ","dpmm":12}\n{"id":"y"}\nnot JSON\n{"id":"z","zpl":"^XA^FO9,9^GB9,9,9^FS^XZ","dmpm":6}\n');
fs.writeFileSync(path.join(work, ".platen.toml"), "");
spawnSync(path.join(root, "build/platen"), ["render", ...few, "-o", "golden.zip", "-q"], { cwd: work });
spawnSync(path.join(root, "build/platen"), ["render", few[0], "-o", "golden.png", "-q"], { cwd: work });
for (const args of [
  ["render", "rows.csv", "--template", "template.zpl", "--out-dir", "out"],
  ["render", "rows.csv", "--template", "template.zpl", "-o", "out/rows.ndjson"],
  ["render", "rows.ndjson", "-o", "out/rows.zip", ...FIXED],
  ["render", "-", "--rows", "ndjson", "--as", "ndjson", ...FIXED],
  ["render", "golden.zip", "--out-dir", "out"],
  ["render", few[0], few[1], "--out-dir", "out", "--skip-existing"],
  ["render", few[0], few[1]],
  ["render", "absent.zpl"],
  ["render", "labels/"],
  ["render", few[0], "-o", "out/label.gif"],
  ["render", few[0], "-o", "out/no/such/folder.png"],
  ["render", few[0], "-o", "/dev/full"],
  ["render", few[0], "--dpmm", "900"],
  ["render", few[0], "--dpi", "203"],
  ["render", few[0], "--max-dots", "1"],
  ["render", few[0], "--max-memory", "1MiB"],
  ["render", few[0], "--objects", "labels", "-f", "json", ...FIXED],
  ["render", few[0], "--objects", "absent"],
  ["render", "--help"],
  ["fmt", "template.zpl", "--fill", "rows.csv"],
  ["fmt", "--write", "template.zpl"],
  ["fmt", "absent.zpl"],
  ["check", "absent.zpl"],
  ["check", "out"],
  ["check", few[0], "--config-file", "absent.toml"],
  ["check", few[0], "--no-verify", "--ignore", "nonsense"],
  ["check", "--help"],
  ["diff", "labels", "labels"],
  ["diff", few[0], "golden.png", "--tolerance", "0.5%", ...FIXED],
  ["diff", few[0], "absent.zpl"],
  ["diff", few[0], few[1], "-f", "json", "--elements", ...FIXED],
  ["inspect"],
  ["commands", "--markdown"],
]) compare(args, fs.readFileSync(path.join(work, "rows.ndjson")));

fs.rmSync(work, { recursive: true });
console.log(`${labels.length} labels`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed < 100 ? 1 : 0;
