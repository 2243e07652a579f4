// ./test and its runners: nothing that was not run passes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { before as pathWith, environment, folder, ROOT, run, smallProject, wholeProject, write } from "./lib.js";

const SUITES = {
  "10-passes": "echo; echo 3 passed, 0 failed",
  "11-skips-some": "echo skipped: no data; echo 2 passed, 0 failed, 1 skipped",
  "12-skips-all": "echo skipped: no data; echo 0 passed, 0 failed, 1 skipped",
  "20-tests-nothing": "echo 0 passed, 0 failed, 0 skipped",
  "21-tests-nothing-old": "echo 0 passed, 0 failed",
  "22-skips-all-silently": "echo 0 passed, 0 failed, 4 skipped",
  "23-breaks-off": "echo 5 of 7; exit 0",
  "24-fails": "echo 1 passed, 2 failed; exit 1",
  "25-bad-status": "echo 1 passed, 0 failed; exit 3",
  "28-computes": "# Lane: computing\nnice; sleep 0.5; echo computed; echo 4 passed, 1 failed; exit 1",
  "30-unsteady": 'for i in 1 2 3; do echo "unsteady: $i passed in a second run" >> "$UNSTEADY_LIST"; done; echo 1 passed, 0 failed',
  "31-unsteady-too": 'echo "unsteady: 4 passed in a second run" >> "$UNSTEADY_LIST"; echo 1 passed, 0 failed',
  "29-has-a-clock": "sleep 0.2; nice; echo 2 passed, 1 failed; exit 1",
  "40-sanitized": ": build_sanitized; echo 1 passed, 0 failed",
  "41-plain": "echo 2 passed, 0 failed",
  "26-needs-a-program": '. "$(dirname "$0")/../../tools/lib.sh"; need build/nowhere; echo 1 passed, 0 failed',
};

let dir;
before(() => {
  dir = smallProject("suites");
  for (const [name, text] of Object.entries(SUITES)) write(dir, `tests/suites/${name}`, `#!/bin/bash\n${text}\n`, 0o755);
  write(dir, "tests/suites/27-not-executable", "#!/bin/bash\necho 1 passed, 0 failed\n");
});
const ends = (words, status, last, said = /./) => {
  const result = run(dir, "./test", words);
  assert.equal(result.out.trim().split("\n").at(-1), last, result.out);
  assert.equal(result.status, status, result.out);
  assert.match(result.out, said);
};

test("what passes and what is skipped with a reason adds up", () => ends(["/1"], 0, "5 passed, 0 failed, 2 skipped", /skipped: no data/));
test("a suite that tests nothing fails", () => ends(["tests-nothing"], 1, "0 passed, 2 failed", /no test was run/));
test("a suite that skips everything and does not say why fails", () => ends(["silently"], 1, "0 passed, 1 failed, 4 skipped", /every test was skipped/));
test("a suite that breaks off, or ends with a bad status, fails", () => ends(["23", "25"], 1, "1 passed, 2 failed", /5 of 7/));
test("failures are counted", () => ends(["24"], 1, "1 passed, 2 failed"));
test("a suite without its program fails and names it", () => ends(["26"], 1, "0 passed, 1 failed", /error: build\/nowhere is missing: it was not built/));
test("a suite that cannot be started fails", () => ends(["27"], 1, "0 passed, 1 failed", /[Pp]ermission denied/));
test("suites that only compute run beside the others with low priority; both count", () => {
  const { out } = run(dir, "./test", ["28", "29"]);
  const [, clock] = /has-a-clock, its output:\n(-?\d+)\n2 passed/.exec(out) ?? assert.fail(out);
  const [, computing] = /computes, its output:\n(-?\d+)\ncomputed\n4 passed/.exec(out) ?? assert.fail(out);
  // Which ends first is a matter of the machine: both begin before either has ended.
  for (const name of ["28-computes", "29-has-a-clock"]) assert.ok(out.indexOf(`==> suite ${name}\n`) < out.indexOf(", its output:"), out);
  assert.equal(out.trim().split("\n").at(-1), "6 passed, 2 failed", out);
  assert.ok(Number(computing) > Number(clock) || clock === "19", `priorities ${clock} and ${computing}`);
});
test("suites of the sanitized build come last: the suites that compute make it meanwhile", () => ends(["40", "41"], 0, "3 passed, 0 failed", /suite 41-plain: [^]*suite 40-sanitized: /));
test("a word that no suite has is an error", () => ends(["passes", "unti"], 1, "error: no suite in tests/suites has 'unti' in its name"));

// A build folder as meson leaves it, with these programs of these tests.
function unit(tests, made) {
  const build = folder("unit");
  if (tests) write(build, "meson-info/intro-tests.json", JSON.stringify(tests.map((name) => ({ name, cmd: ["x"] }))));
  for (const [name, text] of Object.entries(made)) write(build, `tests/unit/test_${name}`, `#!/bin/bash\n${text}\n`, 0o755);
  return run(ROOT, "tests/run-unit", [build]);
}
const OK = 'echo "[       OK ] a_test"';

test("run-unit counts, and runs the tests that meson knows", () => {
  const { status, out } = unit(["a", "golden_b"], { a: `${OK}; ${OK}; echo "[  SKIPPED ] b"`, golden_b: OK, removed: "exit 1" });
  assert.equal(status, 0);
  assert.match(out, /^skipped: 1 tests, [^\n]+\n3 passed, 0 failed, 1 skipped\n$/);
});
test("run-unit fails without tests, without a test's program, and when no test was run", () => {
  for (const [result, said] of [
    [unit([], { a: OK }), /has no unit tests: was it set up without cmocka/],
    [unit(null, { a: OK }), /has no unit tests/],
    [unit(["a", "b"], { a: OK }), /test_b is missing: it was not built/],
    [unit(["a"], { a: "true" }), /^0 passed, 0 failed, 0 skipped\n$/],
    [unit(["a"], { a: "exit 3" }), /FAILED .*\n0 passed, 1 failed, 0 skipped\n$/],
  ]) {
    assert.equal(result.status, 1, result.out);
    assert.match(result.out, said);
  }
});
test("run-node fails without files and when a file is missing", () => {
  for (const [files, said] of [[[], /no test file was named/], [["tests/setup/nothing-*.test.js"], /nothing-\*.test.js is missing/]]) {
    const { status, out } = run(ROOT, "tests/run-node", files);
    assert.equal(status, 1);
    assert.match(out, said);
  }
});
// A file with one test that fails in its first `times` runs.
function unsteady(times, comment = "") {
  const dir = folder("unsteady"), runs = path.join(dir, "runs"), list = path.join(dir, "list");
  write(dir, "a.test.mjs", `${comment}
import fs from "node:fs";
import { test } from "node:test";
test("steady", () => {});
test("now and then", () => {
  fs.appendFileSync(${JSON.stringify(runs)}, "x");
  if (fs.readFileSync(${JSON.stringify(runs)}).length <= ${times}) throw new Error("failed");
});
`);
  write(dir, "list", "");
  const result = run(ROOT, "tests/run-node", [path.join(dir, "a.test.mjs")], { UNSTEADY_LIST: list });
  return { ...result, runs: fs.readFileSync(runs, "utf8").length, list: fs.readFileSync(list, "utf8"), last: result.out.trim().split("\n").at(-1) };
}
test("run-node runs a failed file a second time, and says so", () => {
  const { status, out, runs, list, last } = unsteady(1);
  assert.deepEqual([status, runs, last], [0, 2, "2 passed, 0 failed, 0 skipped"], out);
  assert.match(list, /^unsteady: .*a\.test\.mjs failed, and passed in a second run\. Failed at first:\nunsteady: {3}not ok 2 - now and then\n$/);
});
test("run-node: a file that fails twice failed", () => {
  const { status, out, runs, list, last } = unsteady(2);
  assert.deepEqual([status, runs, list, last], [1, 2, "", "1 passed, 1 failed, 0 skipped"], out);
});
test("run-node: no second run where the file says so, nor after a report of a sanitizer", () => {
  for (const comment of ["// No second run: a failure is never chance", 'console.log("ERROR: AddressSanitizer: heap-use-after-free");']) {
    const { status, out, runs, last } = unsteady(1, comment);
    assert.deepEqual([status, runs, last], [1, 1, "1 passed, 1 failed, 0 skipped"], out);
  }
});
test("run-node ends a file that hangs, and it failed", () => {
  const dir = folder("hangs");
  write(dir, "a.test.mjs", 'import { test } from "node:test";\ntest("fine", () => {});\nsetInterval(() => {}, 1000);\n');
  const { status, out } = run(ROOT, "tests/run-node", [path.join(dir, "a.test.mjs")], { RUN_NODE_SECONDS: "2", RUN_NODE_AGAIN: "no" });
  assert.equal(status, 1, out);
  assert.match(out, / passed, 1 failed, 0 skipped\n$/);
});
test("run-node that is ended leaves nothing running", async () => {
  const dir = folder("ended"), started = path.join(dir, "pid");
  write(dir, "a.test.mjs", `import { spawn } from "node:child_process";\nimport fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(started)}, String(spawn("sleep", ["600"]).pid));\n`);
  const runner = spawn("tests/run-node", [path.join(dir, "a.test.mjs")], { cwd: ROOT, env: environment, stdio: "ignore" });
  const until = async (what) => {
    for (let i = 0; i < 600 && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
    return what();
  };
  assert.ok(await until(() => fs.existsSync(started) && fs.readFileSync(started, "utf8")));
  const pid = Number(fs.readFileSync(started, "utf8"));
  // A process that has ended may still be a zombie.
  const isGone = () => !fs.existsSync(`/proc/${pid}/stat`) || / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  assert.ok(!isGone());
  runner.kill("SIGTERM");
  assert.ok(await until(isGone));
});
test("unsteady files are listed at the end, and more than three fail", () => {
  ends(["30-"], 0, "1 passed, 0 failed", /unsteady: 3 passed in a second run\n1 passed, 0 failed/);
  ends(["30-", "31-"], 1, "2 passed, 1 failed", /more than 3 unsteady files/);
});

test("every suite fails where nothing was built, and says what is missing", () => {
  const checkout = wholeProject("nothing built");
  // They set up and build, and nothing comes of it.
  const PATH = pathWith({ meson: '[ "$1" != setup ] || mkdir -p "$2"', ninja: "exit 0" });
  // These run no program of the build.
  const others = ["05-style", "06-setup", "08-setup-builds", "70-web"];
  for (const suite of fs.readdirSync(path.join(checkout, "tests/suites")).filter((name) => !others.includes(name))) {
    const { status, out } = run(checkout, path.join(checkout, "tests/suites", suite), [], { PATH });
    assert.equal(status, 1, `${suite}: ${out}`);
    assert.match(out.trim().split("\n").at(-1), /^error: .*(is missing: it was not built$|has no (unit tests|fuzz targets))/, suite);
  }
});
