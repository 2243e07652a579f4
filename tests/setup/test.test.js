// ./test and its runners: nothing that was not run passes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { until } from "../api/lib/until.js";
import { before as pathWith, copy, environment, folder, ROOT, run, smallProject, wholeProject, write } from "./lib.js";

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
  // Each waits until the other has begun.
  "28-computes": "# Lane: computing\nnice; touch begun-28; until [ -e begun-29 ]; do sleep 0.05; done; echo computed; echo 4 passed, 1 failed; exit 1",
  "29-has-a-clock": "touch begun-29; until [ -e begun-28 ]; do sleep 0.05; done; nice; echo 2 passed, 1 failed; exit 1",
  "30-slow-files": 'for i in 1 2 3 4 5 6; do echo "${i}000 $SUITE file-$i" >> "$SLOWEST_LIST"; done; echo 1 passed, 0 failed',
  // Two run at a time.
  "40-sanitized": ": build_sanitized; [ -e ended-plain ] || exit 1; echo 1 passed, 0 failed",
  "41-plain": "touch ended-plain; echo 2 passed, 0 failed",
  "41-plain-too": "touch ended-plain; echo 2 passed, 0 failed",
  "42-skips-more": "echo skipped: no data; echo skipped: no time; echo 2 passed, 0 failed, 2 skipped",
  "43-skips-unnamed": "echo skipped: no data; echo 2 passed, 0 failed, 2 skipped",
  "44-computes-long": "(ulimit -t 4; while :; do :; done) 2> /dev/null; echo 1 passed, 0 failed",
  "50-for-all": "# Build: nothing\necho 7 passed, 0 failed",
  "26-needs-a-program": '. "$(dirname "$0")/../../tools/lib.sh"; need build/nowhere; echo 1 passed, 0 failed',
};

let dir;
before(() => {
  dir = smallProject("suites");
  const head = (name) => `#!/bin/bash\n# Protects: ${name}\n# Tier: ${/-all$/.test(name) ? "all" : "quick"}\n# Seconds: 1\n`;
  for (const [name, text] of Object.entries(SUITES)) write(dir, `tests/suites/${name}`, `${head(name)}${text}\n`, 0o755);
  write(dir, "tests/suites/27-not-executable", `${head("nothing")}echo 1 passed, 0 failed\n`);
  write(dir, "tests/skips.txt", "# comment\nno data$\tthere is none\n");
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
  assert.equal(out.trim().split("\n").at(-1), "6 passed, 2 failed", out);
  assert.ok(Number(computing) > Number(clock) || clock === "19", `priorities ${clock} and ${computing}`);
});
test("./test runs the quick tier, ./test all every suite, and a name one of either", () => {
  const project = smallProject("tiers");
  for (const [name, tier] of [["10-a", "quick"], ["20-b", "all"]]) write(project, `tests/suites/${name}`, `#!/bin/bash\n# Protects: ${name}\n# Tier: ${tier}\n# Seconds: 1\necho 1 passed, 0 failed\n`, 0o755);
  const last = (...words) => run(project, "./test", words).out.trim().split("\n").at(-1);
  assert.deepEqual([last(), last("all"), last("b"), last("a", "b")], ["1 passed, 0 failed", "2 passed, 0 failed", "1 passed, 0 failed", "2 passed, 0 failed"]);
  for (const line of ["Protects", "Tier", "Seconds"]) {
    write(project, "tests/suites/30-c", ["#!/bin/bash", "# Protects: c", "# Tier: quick", "# Seconds: 1", "echo 1 passed, 0 failed", ""].filter((each) => !each.includes(line)).join("\n"), 0o755);
    assert.match(last("c"), new RegExp(`^error: tests/suites/30-c .*# ${line}:`));
  }
});
test("every suite says what it protects, its tier and its time; those of ./test take six minutes at most; CI runs every one, by its rules", () => {
  let quick = 0;
  for (const name of fs.readdirSync(path.join(ROOT, "tests/suites"))) {
    const text = fs.readFileSync(path.join(ROOT, "tests/suites", name), "utf8").split("\n").slice(0, 12).join("\n");
    for (const line of [/^# Protects: .{20}/m, /^# Tier: (quick|all)$/m, /^# Seconds: \d+$/m]) assert.match(text, line, name);
    if (/^# Tier: quick$/m.test(text)) quick += Number(/^# Seconds: (\d+)$/m.exec(text)[1]);
  }
  assert.ok(quick <= 720, `the suites of ./test may take ${quick} s, two at a time: more than six minutes`);
  assert.match(fs.readFileSync(path.join(ROOT, ".ci/run"), "utf8"), /\/test" --ci all\n$/);
});
test("progress: what is left, and the five slowest files", () => {
  ends(["10-", "11-", "30-"], 0, "6 passed, 0 failed, 1 skipped", /passed, 0 failed[^\n]+; 0 of 3 left, at most about 0 min\n/);
  ends(["30-"], 0, "1 passed, 0 failed", /the slowest files:\n +6 s +file-6 \(30-slow-files\)\n[^]+ 2 s +file-2 \(30-slow-files\)\n1 passed/);
});
test("in CI a skip that is not listed fails, and one that nobody named; elsewhere neither does", () => {
  ends(["--ci", "11-"], 0, "2 passed, 0 failed, 1 skipped");
  ends(["--ci", "42-"], 1, "2 passed, 1 failed, 2 skipped", /not in tests\/skips.txt: skipped: no time\n/);
  ends(["--ci", "43-"], 1, "2 passed, 1 failed, 2 skipped", /2 tests were skipped, and 1 lines/);
  ends(["42-", "43-"], 0, "4 passed, 0 failed, 4 skipped");
});
test("in CI a suite that outgrows its time fails", () => {
  ends(["--ci", "44-"], 1, "1 passed, 1 failed", /it has outgrown its time: 1 s in its line/);
});
test("suites of the sanitized build come last: the suites that compute make it meanwhile", () => ends(["40", "41"], 0, "5 passed, 0 failed"));
test("a word that no suite has is an error", () => ends(["passes", "unti"], 1, "error: no suite in tests/suites has 'unti' in its name"));

// A build folder as meson leaves it, with these programs of these tests.
function unit(tests, made) {
  const build = folder("unit");
  if (tests) write(build, "meson-info/intro-tests.json", JSON.stringify(tests.map((name) => ({ name, cmd: [`${build}/tests/unit/test_${name}`] }))));
  for (const [name, text] of Object.entries(made)) write(build, `tests/unit/test_${name}`, `#!/bin/bash\n${text}\n`, 0o755);
  return run(ROOT, "tests/run-unit", [build]);
}
const OK = 'echo "[       OK ] a_test"';

test("run-unit counts, and runs the tests that meson knows", () => {
  const { status, out } = unit(["a", "golden_b"], { a: `${OK}; ${OK}; for i in 1 2; do echo "[  SKIPPED ] b"; done; echo "[  SKIPPED ] 1 test(s), listed below:"`, golden_b: OK, removed: "exit 1" });
  assert.equal(status, 0);
  assert.match(out, /^skipped: test_a: b\n3 passed, 0 failed, 1 skipped\n$/);
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
test("run-node: a file that fails has failed, without a second run; so has one with a report of a sanitizer", () => {
  const dir = folder("fails");
  const runs = path.join(dir, "runs");
  const counts = `import fs from "node:fs";\nimport { test } from "node:test";\nfs.appendFileSync(${JSON.stringify(runs)}, "x");\ntest("steady", () => {});\n`;
  write(dir, "fails.test.mjs", `${counts}test("fails", () => { throw new Error("failed"); });\n`);
  write(dir, "reports.test.mjs", `${counts}console.log("==1==ERROR: AddressSanitizer: heap-use-after-free");\n`);
  for (const name of ["fails", "reports"]) {
    fs.writeFileSync(runs, "");
    const { status, out } = run(ROOT, "tests/run-node", [path.join(dir, `${name}.test.mjs`)]);
    assert.deepEqual([status, fs.readFileSync(runs, "utf8"), out.trim().split("\n").at(-1)], [1, "x", "1 passed, 1 failed, 0 skipped"], out);
  }
});
test("run-node: a before hook that fails is named before the tests that it cancelled, which count", () => {
  const dir = folder("hook");
  const tests = Array.from({ length: 100 }, (_, i) => `  test("cancelled ${i}", () => {});\n`).join("");
  write(dir, "a.test.mjs", `import { before, describe, test } from "node:test";\ndescribe("group", () => {\n  before(() => { throw new Error("the cause"); });\n${tests}});\ntest("fine", () => {});\n`);
  const { status, out } = run(ROOT, "tests/run-node", [path.join(dir, "a.test.mjs")]);
  assert.equal(status, 1, out);
  assert.match(out, /^FAILED .*\n *not ok 1 - group\n/);
  const cause = out.split("\n").findIndex((line) => line.includes("error: 'the cause'"));
  assert.ok(cause > 0 && cause < 20, out.slice(0, 2000));
  assert.match(out, /\n1 passed, 100 failed, 0 skipped\n$/);
});
test("run-node: a service that ends by itself fails the file, and so does one that is left running", () => {
  const dir = folder("ends");
  const started = (then) => `import { spawn } from "node:child_process";\nimport { once } from "node:events";\nimport { test } from "node:test";\nimport { serving, watch } from ${JSON.stringify(path.join(ROOT, "tests/api/lib/children.js"))};
test("passes", async () => {\n  const child = watch(spawn("cat"));\n  serving(child);\n  ${then};\n});\n`;
  for (const [name, then, status, said] of [
    ["stopped", 'child.kill(); await once(child, "exit")', 0, /^1 passed, 0 failed/],
    ["ended", 'child.stdin.end(); await once(child, "exit")', 1, /the service cat \(process \d+\) ended by itself: status 0, signal null/],
    ["crashed", 'child.kill("SIGSEGV"); await once(child, "exit")', 1, /ended by itself: status null, signal SIGSEGV/],
    ["left", "", 1, /cat \(process \d+\) was left running/],
  ]) {
    write(dir, `${name}.test.mjs`, started(then));
    const result = run(ROOT, "tests/run-node", [path.join(dir, `${name}.test.mjs`)]);
    assert.equal(result.status, status, result.out);
    assert.match(result.out, said);
  }
});
test("run-node ends a file that hangs, and it failed", () => {
  const dir = folder("hangs");
  write(dir, "a.test.mjs", 'import { test } from "node:test";\ntest("fine", () => {});\nsetInterval(() => {}, 1000);\n');
  const { status, out } = run(ROOT, "tests/run-node", [path.join(dir, "a.test.mjs")], { RUN_NODE_SECONDS: "2" });
  assert.equal(status, 1, out);
  assert.match(out, / passed, 1 failed, 0 skipped\n$/);
});
test("run-node that is ended leaves nothing running", async () => {
  const dir = folder("ended"), started = path.join(dir, "pid");
  write(dir, "a.test.mjs", `import { spawn } from "node:child_process";\nimport fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(started)}, String(spawn("sleep", ["600"]).pid));\n`);
  const runner = spawn("tests/run-node", [path.join(dir, "a.test.mjs")], { cwd: ROOT, env: environment, stdio: "ignore" });
  await until(() => fs.existsSync(started) && fs.readFileSync(started, "utf8"));
  const pid = Number(fs.readFileSync(started, "utf8"));
  // A process that has ended may still be a zombie.
  const isGone = () => !fs.existsSync(`/proc/${pid}/stat`) || / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  assert.ok(!isGone());
  runner.kill("SIGTERM");
  await until(isGone);
});
test("steady runs suites again and again beside busy processes, goes on where it was, and fails for what fails or is left behind", () => {
  const project = smallProject("steady");
  copy(ROOT, project, "tests/steady");
  fs.chmodSync(path.join(project, "tests/steady"), 0o755);
  const suite = (name, text) => write(project, `tests/suites/${name}`, `#!/bin/bash\n# Protects: ${name}\n# Tier: quick\n# Seconds: 1\n${text}\n`, 0o755);
  suite("10-a", "echo a >> ran; echo 2 passed, 0 failed");
  suite("20-b", "echo b >> ran; echo 1 passed, 0 failed");
  const ran = () => fs.readFileSync(path.join(project, "ran"), "utf8").trim().split("\n").sort().join("");
  const steady = (...words) => run(project, "tests/steady", words, { STEADY_BUSY: "1", STEADY_LEFT: "1" });
  const first = steady("1");
  assert.deepEqual([first.status, ran()], [0, "ab"], first.out);
  const second = steady("2");
  assert.deepEqual([second.status, ran()], [0, "aabb"], second.out);
  assert.match(second.out, /10-a +2 runs +0 failed .* 4 tests passed, 0 failed\n20-b +2 runs/);
  suite("20-b", "echo 1 passed, 1 failed; exit 1");
  assert.equal(steady("3", "b").status, 1);
  suite("20-b", "setsid sleep 600 > /dev/null 2>&1 & echo 1 passed, 0 failed");
  const left = steady("1", "--new", "b");
  assert.equal(left.status, 1, left.out);
  assert.match(left.out, /20-b +1 runs +1 failed/);
  const [, pid] = /left behind: (\d+) sleep 600/.exec(left.out) ?? assert.fail(left.out);
  process.kill(Number(pid));
});
test("every suite fails where nothing was built, and says what is missing", () => {
  const checkout = wholeProject("nothing built");
  // They set up and build, and nothing comes of it.
  const PATH = pathWith({ meson: '[ "$1" != setup ] || mkdir -p "$2"', ninja: "exit 0" });
  // These run no program of the build.
  const others = ["05-style", "08-setup-builds", "09-complexity", "70-web"];
  for (const suite of fs.readdirSync(path.join(checkout, "tests/suites")).filter((name) => !others.includes(name))) {
    const { status, out } = run(checkout, path.join(checkout, "tests/suites", suite), [], { PATH });
    assert.equal(status, 1, `${suite}: ${out}`);
    assert.match(out.trim().split("\n").at(-1), /^error: .*(is missing: it was not built$|has no (unit tests|fuzz targets))/, suite);
  }
});
