// The README from top to bottom on a new machine: ./run where cmocka is not installed, then ./test, which installs it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { watch } from "../api/lib/children.js";
import { before, environment, run, wholeProject, withoutCmocka } from "./lib.js";

// Nothing is optimised: how fast the programs are does not matter here.
const CFLAGS = "-O0 -w";
// Everything is installed, so nobody may want to install anything.
const NOTHING = 'echo "called: $(basename "$0") $*" >&2; exit 1';

/** Runs ./run until both services listen, ends it, returns what it said. */
function runOnce(cwd, env) {
  const child = watch(spawn("./run", { cwd, env: { ...environment, PLATEN_LISTEN: "127.0.0.1:0", HYGRO_LISTEN: "127.0.0.1:0", ...env } }));
  after(() => child.kill("SIGTERM"));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      const listening = () => (out.match(/listening on http/g) ?? []).length;
      const now = listening();
      out += data;
      if (now < 2 && listening() === 2) child.kill("SIGTERM");
    });
  }
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, out })));
}

test("./run without cmocka, then ./test with it: the unit tests are built and run", async () => {
  const checkout = wholeProject("a checkout");
  const unit = path.join(checkout, "build/tests/unit");
  const hidden = withoutCmocka();
  const PATH = before({ "apt-get": NOTHING, npm: NOTHING });

  const first = await runOnce(checkout, { ...hidden, PATH: `${hidden.PATH.split(":")[0]}:${PATH}`, CFLAGS, WERROR: "yes" });
  assert.equal(first.status, 0, first.out);
  assert.ok(fs.existsSync(path.join(checkout, "build/platen")));
  assert.ok(!fs.existsSync(unit), "cmocka is not hidden, so this tests nothing");
  const made = fs.statSync(path.join(checkout, "build/platen"));

  const second = run(checkout, "./test", ["10-unit"], { PATH, CFLAGS });
  assert.equal(second.status, 0, second.out);
  assert.match(second.out, /adding to build what was not there before: cmocka, options\n/);
  assert.deepEqual(fs.statSync(path.join(checkout, "build/platen")).ino, made.ino, "nothing is built a second time");
  const [, passed] = /\n(\d+) passed, 0 failed(?:, \d+ skipped)?\n$/.exec(second.out);
  assert.ok(Number(passed) >= 500, second.out);

  // ./run after it takes what ./test has built, and nothing is built a second time.
  assert.doesNotMatch(run(checkout, "ninja", ["-C", "build"]).out, /Compiling|Linking/);
  const third = await runOnce(checkout, { PATH, CFLAGS, WERROR: "yes" });
  assert.equal(third.status, 0, third.out);
  assert.doesNotMatch(third.out, /setting up|adding/);
});
