// `platen render` and the other commands when what they write is not taken: full disks, closed pipes, cut calls.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { BUILD } from "../api/lib/server.js";
import { Faults, folder } from "./faulty.js";

const LABEL = "^XA^FO50,50^A0N,40,40^FDHello^FS^FO50,120^GB200,60,5^FS^FO50,300^BCN,80^FD12345^FS^XZ";
const input = path.join(folder, "in.zpl");
fs.writeFileSync(input, LABEL);
const made = fs.mkdtempSync(path.join(folder, "out-"));
const right = new Faults().run("platen", ["render", input]).out;

for (const room of [0, 1, 100, right.length - 1]) {
  test(`-o on a disk with room for ${room} bytes`, () => {
    const faults = new Faults({ room: room + 1 });
    const out = path.join(made, `full-${room}.png`);
    const r = faults.run("platen", ["render", input, "-o", out]);
    assert.equal(r.status, 1);
    assert.equal(r.err, `platen: ${out}: No space left on device\n`);
    assert.ok(faults.get("noSpace") > 0);
    assert.deepEqual(fs.readdirSync(made), []);
  });
}

test("a file that is there keeps its content when the new one finds no room", () => {
  const out = path.join(made, "old.png");
  fs.writeFileSync(out, "old");
  assert.equal(new Faults({ room: 50 }).run("platen", ["render", input, "-o", out]).status, 1);
  assert.equal(fs.readFileSync(out, "utf8"), "old");
  fs.rmSync(out);
  assert.deepEqual(fs.readdirSync(made), []);
});

test("--out-dir: what fits is whole, what does not is not there", () => {
  const many = fs.mkdtempSync(path.join(folder, "in-"));
  const out = path.join(folder, "dir");
  for (let i = 0; i < 8; i++) fs.writeFileSync(path.join(many, `${i}.zpl`), LABEL);
  const r = new Faults({ room: right.length * 3 + 10 }).run("platen", ["render", many, "--out-dir", out, "--jobs", "1"]);
  assert.equal(r.status, 1);
  assert.match(r.err, /No space left on device\n/);
  assert.match(r.err, /3 rendered, 5 failed\n$/);
  const names = fs.readdirSync(out);
  assert.equal(names.length, 3);
  for (const name of names) assert.ok(fs.readFileSync(path.join(out, name)).equals(right));
});

test("standard output on a full device", () => {
  const full = fs.openSync("/dev/full", "w");
  for (const args of [["render", input], ["commands"], ["commands", "--json"], ["inspect", input], ["render", "--help"]]) {
    const r = new Faults().run("platen", args, { stdio: ["ignore", full, "pipe"] });
    assert.equal(r.status, 1, `platen ${args.join(" ")}`);
    assert.match(r.err, /^platen[^\n]*No space left on device\n$/, `platen ${args.join(" ")}`);
  }
  fs.closeSync(full);
});

test("a pipe that nobody reads any more", async () => {
  // The label is larger than a pipe holds, so that the writer meets the closed end.
  const big = path.join(folder, "big.zpl");
  fs.writeFileSync(big, `^XA^FO0,0^GFA,300000,300000,100,${Array.from({ length: 300000 }, (_, i) => ((i * 2654435761) >>> 24).toString(16).padStart(2, "0")).join("")}^FS^XZ`);
  const child = spawn("bash", ["-c", `trap '' PIPE; "$1" render "$2" --height-mm 400 | head -c 10 > /dev/null; echo "\${PIPESTATUS[0]}"`, "bash", path.join(BUILD, "platen"), big], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  await new Promise((resolve) => child.once("close", resolve));
  assert.equal(out.trim(), "1");
  assert.match(err, /platen: standard output: Broken pipe\n$/);
});

test("cut reads and writes change no byte", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const faults = new Faults({ seed, io: 7000 });
    const out = path.join(made, "cut.png");
    const r = faults.run("platen", ["render", input, "-o", out]);
    assert.equal(r.status, 0, r.err);
    assert.ok(fs.readFileSync(out).equals(right));
    fs.rmSync(out);
    assert.ok(new Faults({ seed, io: 7000 }).run("platen", ["render", "-"], { input: LABEL }).out.equals(right));
  }
});

const allocations = (args) => {
  const faults = new Faults();
  const { out } = faults.run("platen", args);
  return { calls: faults.get("allocCalls"), out };
};

// Fails one allocation in each run: the first, and those `step` apart after it.
function failAllocations(file, first, step) {
  const { calls, out: whole } = allocations(["render", file]);
  for (let allocAt = first; allocAt <= calls; allocAt += step) {
    const r = new Faults({ allocAt }).run("platen", ["render", file]);
    assert.equal(r.signal, null, `allocation ${allocAt}`);
    if (r.status === 0) assert.ok(r.out.equals(whole), `allocation ${allocAt}`);
    else {
      assert.equal(r.status, 1, `allocation ${allocAt}: ${r.err}`);
      assert.match(r.err, /^platen[^\n]*\n$/, `allocation ${allocAt}`);
      assert.equal(r.out.length, 0);
    }
  }
}

test("memory that runs out in `platen render`: one line and 1, or the right picture", () => failAllocations(input, 1, 23));

test("each allocation of a text that is shaped, but those before the program begins", () => {
  const file = path.join(folder, "shaped.zpl");
  fs.writeFileSync(file, "^XA^CI28^FO20,20^A0N,50,50^FDעברית हिन्दी^FS^XZ");
  failAllocations(file, allocations(["--version"]).calls + 1, 1);
});
