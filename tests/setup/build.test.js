// build() of tools/lib.sh: a build folder is set up anew when what it was set up for has changed, and only then.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { before, copy, folder, ROOT, run, sh, smallProject, withoutCmocka, work, write } from "./lib.js";

const SET_UP = /setting up build/;
const build = (dir, options = "", env = {}) => {
  const result = sh(dir, `build build ${options}`, env);
  assert.equal(result.status, 0, result.out);
  return result.out;
};
const has = (dir, name) => fs.existsSync(path.join(dir, "build", name));
const says = (dir) => run(dir, "build/tool").out.trim();

test("the same again: nothing is set up and nothing compiled", () => {
  const dir = smallProject("same");
  assert.match(build(dir), SET_UP);
  const made = fs.statSync(path.join(dir, "build/tool"));
  assert.doesNotMatch(build(dir), SET_UP);
  assert.deepEqual(fs.statSync(path.join(dir, "build/tool")).ino, made.ino);
  // By another name of the same place it is the same place.
  fs.symlinkSync(dir, path.join(work, "link"));
  assert.doesNotMatch(run(work, "bash", ["-c", "cd link; . tools/lib.sh; build build"]).out, SET_UP);
  // A changed meson.build is ninja's business.
  fs.appendFileSync(path.join(dir, "meson.build"), "executable('other', 'tool.c')\n");
  assert.doesNotMatch(build(dir), SET_UP);
  assert.ok(has(dir, "other"));
});

test("in one run of ./test a folder is built once, whatever changes meanwhile", () => {
  const dir = smallProject("once");
  const env = { BUILT_LIST: path.join(dir, "built") };
  assert.match(build(dir, "", env), /building build/);
  fs.appendFileSync(path.join(dir, "meson.build"), "executable('other', 'tool.c')\n");
  assert.doesNotMatch(build(dir, "", env), /building build/);
  assert.ok(!has(dir, "other"));
  assert.match(build(dir), /building build/);
  assert.ok(has(dir, "other"));
});

test("other options, other flags, a set-up changed by hand", () => {
  const dir = smallProject("options");
  build(dir, "--buildtype=release");
  const ninja = () => fs.readFileSync(path.join(dir, "build/build.ninja"), "utf8");
  assert.doesNotMatch(ninja(), /-Werror/);
  assert.match(build(dir, "--buildtype=release -Dwerror=true"), /anew, since this has changed: options\n/);
  assert.match(ninja(), /-Werror/);
  assert.match(build(dir, "--buildtype=release -Dwerror=true", { CFLAGS: "-DOTHER" }), /has changed: flags\n/);
  assert.match(ninja(), /-DOTHER/);
  run(dir, "meson", ["configure", "build", "-Dwerror=false"]);
  assert.match(build(dir, "--buildtype=release -Dwerror=true", { CFLAGS: "-DOTHER" }), /has changed: meson configure\n/);
  assert.match(ninja(), /-Werror/);
});

test("what ./test has set up serves ./run; to what ./run has set up ./test adds the tests, and builds nothing a second time", () => {
  const dir = smallProject("strict");
  const lenient = '--buildtype=release "${LENIENT[@]}"';
  assert.match(build(dir, lenient, withoutCmocka()), SET_UP);
  const made = fs.statSync(path.join(dir, "build/tool"));
  assert.match(build(dir, '--buildtype=release "${STRICT[@]}"'), /adding to build what was not there before: cmocka, options\n/);
  assert.ok(has(dir, "tested"));
  assert.deepEqual(fs.statSync(path.join(dir, "build/tool")).ino, made.ino);
  assert.doesNotMatch(build(dir, lenient), /setting up|adding/);
  assert.match(fs.readFileSync(path.join(dir, "build/meson-private/cmd_line.txt"), "utf8"), /^tests = enabled$/m);
});

test("warnings are errors on the release whose compilers the code is free of warnings with", () => {
  const dir = smallProject("releases");
  for (const [release, wanted] of [["ID=debian\nVERSION_ID=\"12\"", /werror=true/], ["ID=debian\nVERSION_ID=\"13\"", /^-Dtests=enabled\n$/], ["ID=ubuntu\nVERSION_ID=\"12\"", /^-Dtests=enabled\n$/]]) {
    fs.writeFileSync(path.join(dir, "tools/lib.sh"), fs.readFileSync(path.join(ROOT, "tools/lib.sh"), "utf8").replace("OS_RELEASE=/etc/os-release", "OS_RELEASE=os-release"));
    write(dir, "os-release", `NAME="A system"\n${release}\n`);
    assert.match(sh(dir, 'echo "${STRICT[@]}"').out, wanted);
    // ./run does so too, unless it is told another compiler or other flags.
    assert.equal(sh(dir, 'echo "${LENIENT[@]}"').out.includes("werror"), /werror/.test(String(wanted)));
    for (const told of [{ CC: "clang" }, { CFLAGS: "-O0" }]) assert.equal(sh(dir, 'echo "${LENIENT[@]}"', told).out, "\n");
  }
});

test("a library that is installed after the set-up is found; one that is removed is missed", () => {
  const dir = smallProject("library");
  const hidden = withoutCmocka();
  build(dir, "", hidden);
  assert.ok(!has(dir, "tested"));
  assert.match(build(dir), /what was not there before: cmocka\n/);
  assert.ok(has(dir, "tested"));
  assert.match(build(dir, "", hidden), /has changed: cmocka\n/);
  assert.ok(!has(dir, "tested"));
  // ./test does not go on without it.
  const refused = sh(dir, 'build build "${STRICT[@]}"', hidden);
  assert.equal(refused.status, 1);
  assert.match(refused.out, /cmocka/);
  assert.match(refused.out, /\nerror: meson could not set up build\n$/);
  assert.ok(!fs.existsSync(path.join(dir, "build")));
});

test("another compiler, or another version of it", () => {
  const dir = smallProject("compiler");
  const version = (number) => `[ "$1" = --version ] && { echo "cc (Test) ${number}.0.0"; echo "Free Software Foundation"; exit; }\nexec /usr/bin/cc "$@"`;
  const PATH = before({ cc: version(98) });
  build(dir, "", { PATH });
  assert.doesNotMatch(build(dir, "", { PATH }), SET_UP);
  write(PATH.split(":")[0], "cc", `#!/bin/bash\n${version(99)}\n`);
  assert.match(build(dir, "", { PATH }), /has changed: compiler\n/);
  assert.match(build(dir, "", { PATH, CC: "clang" }), /has changed: compiler\n/);
  assert.match(fs.readFileSync(path.join(dir, "build/build.ninja"), "utf8"), /clang/);
});

test("a moved checkout builds in its new place", () => {
  const dir = smallProject("before the move");
  build(dir);
  const moved = path.join(work, "after the move");
  fs.renameSync(dir, moved);
  write(moved, "tool.c", '#include <stdio.h>\nint main(void) { puts("moved"); return 0; }\n');
  assert.match(build(moved), /has changed: place\n/);
  assert.ok(!fs.existsSync(dir), "the old place is made again");
  assert.equal(says(moved), "moved");
});

test("a copied checkout builds in its own place and leaves the other alone", () => {
  const dir = smallProject("original");
  build(dir);
  const copied = path.join(work, "a copy");
  fs.cpSync(dir, copied, { recursive: true, preserveTimestamps: true });
  write(copied, "tool.c", '#include <stdio.h>\nint main(void) { puts("copy"); return 0; }\n');
  assert.match(build(copied), /has changed: place\n/);
  assert.equal(says(copied), "copy");
  assert.equal(says(dir), "first");
  assert.doesNotMatch(build(dir), SET_UP);
});

test("a set-up that broke off is done again", () => {
  const dir = smallProject("broken off");
  build(dir);
  fs.rmSync(path.join(dir, "build/setup.facts"));
  assert.match(build(dir), SET_UP);
  fs.rmSync(path.join(dir, "build/build.ninja"));
  assert.match(build(dir), SET_UP);
  assert.equal(says(dir), "first");
});

test("the WebAssembly build in a folder with a blank: its name reaches the compiler as one argument", () => {
  const dir = folder("wasm");
  for (const file of ["meson.build", "VERSION"]) copy(ROOT, dir, file);
  const { status, out } = run(dir, "node", [path.join(ROOT, "tools/webassembly/write-build.mjs"), path.join(ROOT, "build"), "build-wasm", "19"]);
  assert.equal(status, 0, out);
  const rule = /^rule c\n {2}command = (.*)$/m.exec(fs.readFileSync(path.join(dir, "build-wasm/build.ninja"), "utf8"))[1];
  const words = run(dir, "sh", ["-c", `printf '%s\\n' ${rule}`]).out.split("\n");
  assert.ok(words.includes(`-ffile-prefix-map=${dir}=.`), words.join("\n"));
});
