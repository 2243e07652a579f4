// `npx platen` as it is installed: the command, pipes, fonts, what WebAssembly lacks, the cost of its start. The bytes are compared by command-line.mjs.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

const NATIVE = path.resolve("build/platen");
const HELLO = "^XA^FO50,50^A0N,60^FDHello^FS^FO50,150^BY3^BCN,100^FD12345^FS^XZ";
let project, command;

before(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), "platen-npx-"));
  for (const name of ["platen", "platen-fonts"]) execFileSync("npm", ["pack", "--silent", "--pack-destination", project], { cwd: `packages/${name}` });
  fs.writeFileSync(path.join(project, "package.json"), "{}");
  const tarballs = fs.readdirSync(project).filter((name) => name.endsWith(".tgz"));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", ...tarballs], { cwd: project });
  fs.writeFileSync(path.join(project, "hello.zpl"), HELLO);
  fs.writeFileSync(path.join(project, "russian.zpl"), "^XA^CI28^FO50,50^A0N,60^FDПривет^FS^XZ");
  command = path.join(project, "node_modules/.bin/platen");
});
after(() => fs.rmSync(project, { recursive: true, force: true }));

const call = (program, args, options = {}) => spawnSync(program, args, { cwd: project, encoding: "latin1", ...options });

test("npx finds the command; it is the program of this version", () => {
  const { stdout, status, stderr } = call("npx", ["--no-install", "platen", "--version"]);
  assert.equal(status, 0, stderr);
  const version = (line) => line.split(" ").slice(0, 2).join(" "); // without the commit: one of the two may be built before the last one
  assert.equal(version(stdout), version(call(NATIVE, ["--version"]).stdout));
});

test("label code comes through a pipe, late and in pieces", async () => {
  const child = spawn(command, ["render", "-"], { cwd: project });
  const parts = [];
  child.stdout.on("data", (part) => parts.push(part));
  child.stdin.write(HELLO.slice(0, 20));
  await once(child, "spawn");
  child.stdin.end(HELLO.slice(20));
  const [status] = await once(child, "close");
  assert.equal(status, 0);
  assert.equal(Buffer.concat(parts).toString("latin1"), call(NATIVE, ["render", "-"], { input: HELLO }).stdout);
});

test("a reader that goes away is told as by the native program", async () => {
  const answers = await Promise.all(
    [command, NATIVE].map(async (program) => {
      const child = spawn(program, ["render", "-"], { cwd: project });
      let said = "";
      child.stderr.on("data", (part) => (said += part));
      child.stdout.destroy();
      await once(child.stdout, "close");
      child.stdin.end(HELLO); // it has not drawn before
      const [status] = await once(child, "close");
      return { status, said };
    }),
  );
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0].status, 1);
});

test("fonts of other scripts come from platen-fonts", () => {
  const env = { ...process.env, PLATEN_FONTS: undefined };
  const render = (program) => call(program, ["render", "russian.zpl"], { env }).stdout;
  assert.equal(render(command), render(NATIVE));
  const files = path.join(project, "node_modules/platen-fonts/files");
  fs.renameSync(files, `${files}-away`);
  assert.notEqual(render(command), render(NATIVE));
  fs.renameSync(`${files}-away`, files);
});

test("check says which barcodes it does not read; that alone is no failure", () => {
  const { status, stdout, stderr } = call(command, ["check", "hello.zpl", "-f", "json"]);
  const findings = JSON.parse(stdout).files[0].warnings;
  assert.equal(status, 0);
  assert.deepEqual(findings.map(({ code, severity }) => `${severity} ${code}`), ["info symbol_not_read"]);
  assert.match(findings[0].message, /This build of Platen has no reader for this symbology/);
  assert.match(stderr, /\nplaten check: this build does not read back Code 128, .*: a damaged one is not found\. The native program reads them\.\n$/);
  assert.equal(call(command, ["check", "hello.zpl", "--no-verify"]).stderr, call(NATIVE, ["check", "hello.zpl", "--no-verify"]).stderr);
});

test("check does not call a barcode unreadable that only the absent reader reads", () => {
  const input = "^XA^FO10,20^B0R,7,Y,23,Y,3,ID-1^FDdata1^FS^XZ";
  const codes = (program) => JSON.parse(call(program, ["check", "-", "-f", "json"], { input }).stdout).files[0].warnings.map((finding) => finding.code);
  assert.ok(!codes(NATIVE).includes("symbol_unreadable"));
  assert.ok(!codes(command).includes("symbol_unreadable") && codes(command).includes("symbol_not_read"));
});

test("what needs processes or a network is refused, and says so", () => {
  for (const [args, said] of [
    [["render", "hello.zpl", "-o", "hello.png", "--timeout", "5s"], /--timeout needs processes, and WebAssembly has none; --render-timeout/],
    [["check", "hello.zpl", "--timeout", "5s"], /--timeout needs processes/],
    [["serve"], /there is no command 'serve' in the WebAssembly build/],
  ]) {
    const { status, stderr } = call(command, args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, said);
  }
});

test("backslashes are slashes in paths of Windows, and in nothing else", async () => {
  const { slashedArguments } = await import(path.join(project, "node_modules/platen/dist/cli/slashes.js"));
  const words = ["check", "labels\\a.zpl", "--severity", "a\\[1].zpl:unknown_command=off", "--severity=b\\*=off", "-o", "out\\b.json", "--baseline=c\\d"];
  assert.deepEqual(slashedArguments(words, "win32"), ["check", "labels/a.zpl", "--severity", "a\\[1].zpl:unknown_command=off", "--severity=b\\*=off", "-o", "out/b.json", "--baseline=c/d"]);
  assert.deepEqual(slashedArguments(words, "linux"), words);
});

test("a folder whose name has a backslash has its settings", () => {
  const cwd = path.join(project, "a\\b");
  fs.mkdirSync(cwd);
  fs.writeFileSync(path.join(cwd, "unknown.zpl"), "^XA^QQ^FO1,1^A0N,30,30^FDx^FS^XZ");
  const check = (program) => call(program, ["check", "unknown.zpl", "--no-verify"], { cwd }).status;
  assert.deepEqual([check(command), check(NATIVE)], [0, 0]);
  fs.writeFileSync(path.join(cwd, ".platen.toml"), '[check]\nfail-on = "warning"\n');
  assert.deepEqual([check(command), check(NATIVE)], [1, 1]);
});

test("a module that traps is told, with status 1", () => {
  const folder = path.join(project, "broken");
  fs.cpSync(path.join(project, "node_modules/platen"), folder, { recursive: true });
  const unreachable = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 19, 2, 6, ...Buffer.from("memory"), 2, 0, 6, ...Buffer.from("_start"), 0, 0, 10, 5, 1, 3, 0, 0, 11];
  fs.writeFileSync(path.join(folder, "dist/platen-cli.wasm"), Buffer.from(unreachable));
  const { status, stderr } = call(process.execPath, [path.join(folder, "dist/cli/platen.js"), "--version"]);
  assert.equal(status, 1);
  assert.match(stderr, /the WebAssembly module failed: unreachable/);
});

test("its start costs little beyond node's own", () => {
  // Processor time of a child that ends at once, the least of several: the machine may be busy.
  const cost = (args) => {
    const script = `const { spawnSync } = require("child_process");
      spawnSync(process.execPath, ${JSON.stringify(args)}); process.stdout.write(require("fs").readFileSync("/proc/self/stat", "latin1"));`;
    const runs = Array.from({ length: 5 }, () => {
      const fields = execFileSync(process.execPath, ["-e", script], { encoding: "latin1" }).replace(/^.*\) /, "").split(" ");
      return Number(fields[13]) + Number(fields[14]); // cutime, cstime
    });
    return Math.min(...runs);
  };
  const entry = fs.realpathSync(command);
  const [node, platen] = [cost(["-e", "0"]), cost([entry, "--version"])];
  assert.ok(platen <= 3 * node, `${platen} ticks of the processor for --version, ${node} for node alone`);
});
