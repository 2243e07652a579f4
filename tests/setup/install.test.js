// What ./run and ./test install, and what they say where a machine does not let them. Stand-ins for apt-get, dpkg, sudo and node note
// how they were called.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { before, folder, nothingBut, programs, ROOT, run, sh, smallProject, write } from "./lib.js";

// $INSTALLED: the packages that are there. $CALLS: the file with the calls.
const DPKG_QUERY = 'for name; do :; done; case " $INSTALLED " in *" $name "*) printf "install ok installed" ;; *" half-$name "*) printf "install ok half-configured" ;; *) exit 1 ;; esac';
const NOTE = 'echo "$(basename "$0") $*" >> "$CALLS"';
const NODE = (major) => `case $1 in -p) echo ${major} ;; --version) echo v${major}.1.0 ;; esac`;
const USER = { id: "case $* in -un) echo somebody ;; *) echo 1000 ;; esac" };
const SUDO = { sudo: `${NOTE}; exec "$@"` };

/** A machine: its programs, its packages. `install(line)` runs a line of shell on it. */
function machine({ texts = {}, installed = "", list = "alpha\nbeta\n", only } = {}) {
  const dir = smallProject("machine");
  const calls = path.join(folder("calls"), "calls");
  write(dir, "tools/apt-run.txt", `# a list\n\n${list}`);
  const all = { "apt-get": NOTE, "dpkg-query": DPKG_QUERY, dpkg: NOTE, npm: NOTE, ...texts };
  const PATH = only ? nothingBut(all, only) : before(all);
  return {
    dir,
    calls: () => (fs.existsSync(calls) ? fs.readFileSync(calls, "utf8") : ""),
    install: (line = "install_packages tools/apt-run.txt", env = {}) => sh(dir, line, { PATH, CALLS: calls, INSTALLED: installed, ...env }),
  };
}
const oneSentence = (out, pattern) => {
  const errors = out.split("\n").filter((line) => line.startsWith("error: "));
  assert.equal(errors.length, 1, out);
  assert.match(errors[0], pattern);
};

test("when everything is there, nothing is called that could need the network", () => {
  const m = machine({ installed: "alpha beta" });
  const { status, out } = m.install("install_packages tools/apt-run.txt; install_npm --omit=dev; install_npm");
  assert.equal(status, 0, out);
  assert.equal(m.calls(), "");
});

test("what is missing or half configured is installed, and nothing else", () => {
  const m = machine({ installed: "alpha half-gamma", list: "alpha\nbeta\ngamma\n" });
  assert.equal(m.install().status, 0);
  assert.equal(m.calls(), "apt-get -qq update\napt-get -qq install -y --no-install-recommends beta gamma\n");
});

test("a user who is not root installs by sudo", () => {
  const m = machine({ texts: { ...USER, ...SUDO } });
  assert.equal(m.install().status, 0);
  assert.match(m.calls(), /^sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq update\napt-get -qq update\nsudo env .* install /);
});

test("neither root nor sudo: one sentence", () => {
  const m = machine({ texts: USER, only: ["bash", "dirname", "grep", "sed", "mktemp", "rm", "cat", "env"] });
  const { status, out } = m.install();
  assert.equal(status, 1);
  oneSentence(out, /only root can install packages: start this script as root, or install sudo/);
  assert.equal(m.calls(), "");
});

const LOCKED = 'echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)" >&2; exit 100';
test("apt is locked: it waits, says so once, and goes on", () => {
  for (const command of ["update", "install"]) {
    const m = machine({ texts: { "apt-get": `${NOTE}; [ "$2" != ${command} ] || [ "$(grep -c -e "-qq ${command}" "$CALLS")" -gt 2 ] || { ${LOCKED}; }` } });
    const { status, out } = m.install("LOCK_STEP=1; install_packages tools/apt-run.txt");
    assert.equal(status, 0, out);
    assert.equal(out.match(/another program has locked apt; waiting for it to end, 10 minutes at most/g).length, 1);
    assert.equal(m.calls().match(new RegExp(`-qq ${command}`, "g")).length, 3);
  }
});

test("apt stays locked: its own words, and one sentence", () => {
  const m = machine({ texts: { "apt-get": LOCKED } });
  const { status, out } = m.install("LOCK_STEP=1 LOCK_WAIT=1; install_packages tools/apt-run.txt");
  assert.equal(status, 1);
  assert.match(out, /held by process 4711/);
  oneSentence(out, /apt-get update failed/);
});

const INTERRUPTED = `echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem. " >&2; exit 100`;
test("dpkg was interrupted: it is completed first", () => {
  const m = machine({ texts: { "apt-get": `${NOTE}; [ "$2" != install ] || grep -q ^dpkg "$CALLS" || { ${INTERRUPTED}; }` } });
  const { status, out } = m.install();
  assert.equal(status, 0, out);
  assert.match(out, /running dpkg --configure -a/);
  assert.match(m.calls(), /install .*\ndpkg --configure -a\n.*install /);
});

test("dpkg cannot be completed: its own words, and one sentence", () => {
  for (const dpkg of ['echo "no space left" >&2; exit 1', "exit 0"]) {
    const m = machine({ texts: { "apt-get": `[ "$2" != install ] || { ${INTERRUPTED}; }`, dpkg } });
    const { status, out } = m.install();
    assert.equal(status, 1);
    oneSentence(out, dpkg === "exit 0" ? /apt-get could not install: alpha beta/ : /dpkg --configure -a failed/);
    assert.match(out, dpkg === "exit 0" ? /dpkg was interrupted/ : /no space left/);
  }
});

test("the archive is out of reach: one sentence", () => {
  const m = machine({ texts: { "apt-get": 'echo "E: Unable to fetch some archives" >&2; exit 100' } });
  const { status, out } = m.install();
  assert.equal(status, 1);
  assert.match(out, /Unable to fetch/);
  oneSentence(out, /is the archive of the distribution reachable/);
});

test("a system without apt: one sentence", () => {
  const { status, out } = run(smallProject("other system"), "./run", [], { PATH: nothingBut({}, ["bash", "env", "dirname", "id", "find"]) });
  assert.equal(status, 1);
  oneSentence(out, /apt-get was not found: this script is for Debian and Ubuntu; elsewhere install what tools\/apt-run.txt names/);
});

test("a package that only Debian has is asked for on Debian alone", () => {
  for (const [id, wanted] of [["debian", "beta gamma"], ["ubuntu", "beta"], ['"ubuntu"', "beta"]]) {
    const m = machine({ list: "beta\ngamma debian\n" });
    const release = write(m.dir, "os-release", `PRETTY_NAME="Some system"\nVERSION_ID="1"\nID=${id}\n`);
    assert.equal(m.install(`OS_RELEASE='${release}'; install_packages tools/apt-run.txt`).status, 0);
    assert.match(m.calls(), new RegExp(`--no-install-recommends ${wanted}\n`));
    // The suites that need Chromium are skipped where there is no package of it; on Debian they fail.
    const suite = (CHROMIUM) => m.install(`OS_RELEASE='${release}' SYSTEM_BIN=/nowhere; need_chromium; echo went on`, { CHROMIUM });
    const { status, out } = suite("");
    assert.equal(status, id === "debian" ? 1 : 0);
    assert.match(out, id === "debian" ? /^error: \/nowhere\/chromium-headless-shell is missing\n$/ : /^skipped: .*\n0 passed, 0 failed, 1 skipped\n$/);
    assert.equal(suite("/nowhere/else").status, 1);
    assert.equal(suite(process.execPath).out, "went on\n");
  }
});

test("an old Node.js before Debian's in PATH is passed over", () => {
  const m = machine({ texts: { node: NODE(16) } });
  const system = programs({ node: NODE(18) });
  const { status, out } = m.install(`SYSTEM_BIN='${system}'; install_npm && command -v node`);
  assert.equal(status, 0, out);
  assert.match(out, /Node.js: .*\/node v16.1.0 is too old, .* is used/);
  assert.equal(out.trim().split("\n").at(-1), path.join(system, "node"));
  // One that is new enough is kept.
  const kept = machine({ texts: { node: NODE(22) } }).install(`SYSTEM_BIN='${system}'; install_npm && command -v node`);
  assert.doesNotMatch(kept.out, /too old/);
  assert.notEqual(kept.out.trim().split("\n").at(-1), path.join(system, "node"));
});

test("an old Node.js does not stand in for Debian's package, a new one with npm does", () => {
  const list = "alpha\nnodejs\nnpm\n";
  const old = machine({ texts: { node: NODE(16) }, list });
  old.install();
  assert.match(old.calls(), /install .* alpha nodejs npm\n/);
  const fresh = machine({ texts: { node: NODE(20) }, list });
  fresh.install();
  assert.match(fresh.calls(), /install .* alpha\n/);
});

test("no Node.js that is new enough: one sentence", () => {
  const system = programs({ node: NODE(12) });
  for (const line of ["install_npm", "build build"]) {
    const { status, out } = machine({ texts: { node: NODE(16) } }).install(`SYSTEM_BIN='${system}'; ${line}`);
    assert.equal(status, 1);
    oneSentence(out, /Node.js 18 or newer is needed, and neither '.* v16.1.0' nor .*\/node is/);
  }
});

test("folders of root after `sudo ./run` are given to the user", (t) => {
  if (process.getuid() !== 0) return t.skip("only root can make folders of root");
  const m = machine({ texts: { ...USER, ...SUDO } });
  write(m.dir, "build/build.ninja", "");
  write(m.dir, "build-asan/tests/of-root", "");
  for (const name of ["", "build-asan", "build-asan/tests", "node_modules", "node_modules/.installed"]) fs.chownSync(path.join(m.dir, name), 1000, 1000);
  const { status, out } = m.install("own_folders");
  assert.equal(status, 0, out);
  assert.match(out, /root made build build-asan, as 'sudo .\/run' does: giving them to somebody\n/);
  assert.equal(m.calls(), "sudo chown -R 1000:1000 build build-asan\n");
  for (const name of ["build", "build/build.ninja", "build-asan/tests/of-root"]) assert.equal(fs.statSync(path.join(m.dir, name)).uid, 1000, name);
  const again = m.install("own_folders");
  assert.deepEqual([again.status, again.out], [0, ""]);
});

test("folders of root and no sudo, and a checkout that one cannot write to: one sentence", (t) => {
  if (process.getuid() !== 0) return t.skip("only root can make folders of root");
  const dir = smallProject("of root");
  const user = (PATH) => run(dir, "setpriv", ["--reuid", "65534", "--regid", "65534", "--clear-groups", "./run"], { PATH });
  const PATH = nothingBut({}, ["bash", "env", "dirname", "id", "find", "stat", "setpriv"]);
  fs.chmodSync(path.dirname(dir), 0o755);
  let { status, out } = user(PATH);
  assert.equal(status, 1);
  oneSentence(out, /belongs to root and you cannot write to it: start this script as that user/);
  write(dir, "build/build.ninja", "");
  fs.chownSync(dir, 65534, 65534);
  ({ status, out } = user(PATH));
  assert.equal(status, 1);
  oneSentence(out, /root made build node_modules, as 'sudo .\/run' does: as root, remove them/);
});

test("the lists of packages name each once, and by a name that does not change with the release", () => {
  const names = [];
  for (const list of ["run", "test", "ci"]) {
    for (const line of fs.readFileSync(path.join(ROOT, `tools/apt-${list}.txt`), "utf8").split("\n")) {
      if (!line || line.startsWith("#")) continue;
      assert.match(line, /^[a-z0-9.+-]+( debian)?$/);
      // The Dockerfile hands the list of ./run to apt-get as it is.
      if (list === "run") assert.doesNotMatch(line, / /);
      // A version in a name is a name that the next release does not have.
      assert.doesNotMatch(line, /-\d+-dev/);
      names.push(line);
    }
  }
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length > 20);
});

test("Ctrl-C during npm or the build ends with one line, and no step is reported as failed", () => {
  // A terminal signals the whole group; programs that handle the signal end with a status of their own, as npm and ninja do.
  const interrupted = 'trap "exit 1" INT; kill -INT $PPID $$; sleep 5';
  const NINJA = execFileSync("bash", ["-c", "type -P ninja"]).toString().trim();
  for (const [script, texts] of [["./run", { npm: interrupted }], ["./test", { npm: interrupted }], ["./run", { ninja: `case $* in *--quiet) ;; *) exec "${NINJA}" "$@" ;; esac; ${interrupted}` }]]) {
    const dir = smallProject("interrupted");
    write(dir, "tests/suites/10-a", "#!/bin/bash\n# Protects: nothing\n# Tier: quick\n# Seconds: 1\n");
    if (texts.npm) fs.rmSync(path.join(dir, "node_modules"), { recursive: true });
    const { status, out } = run(dir, script, [], { PATH: before({ "apt-get": "exit 1", ...texts }) });
    assert.equal(status, 130, out);
    assert.match(out, /^stopped; start again to continue$/m);
    assert.doesNotMatch(out, /error: /);
  }
});
