// For the tests of ./run, ./test and tools/lib.sh: folders that vanish, programs that stand in for real ones, and a project so small that
// it is set up in a second.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const work = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "platen setup ")));
after(() => fs.rmSync(work, { recursive: true, force: true }));

let made = 0;
/** A new folder; its name has a space, as a checkout's may. */
export function folder(name = "folder") {
  const dir = path.join(work, `${name} ${made++}`);
  fs.mkdirSync(dir);
  return dir;
}

// What whoever started the tests has set must not decide them; with NODE_TEST_CONTEXT a runner within a test says nothing.
const { CC, CFLAGS, CPPFLAGS, LDFLAGS, PKG_CONFIG, PKG_CONFIG_PATH, PKG_CONFIG_LIBDIR, NODE_TEST_CONTEXT, BUILT_LIST, ...inherited } = process.env;
export const environment = inherited;

/** Runs a command; `out` is what it said on both streams, in order. */
export function run(cwd, command, args = [], env = {}) {
  const file = path.join(work, `out-${made++}`);
  const fd = fs.openSync(file, "w");
  const { status, signal, error } = spawnSync(command, args, { cwd, env: { ...environment, ...env }, stdio: ["ignore", fd, fd], timeout: 900_000 });
  fs.closeSync(fd);
  return { status: signal ?? error?.code ?? status, out: fs.readFileSync(file, "utf8") };
}

/** Runs a line of shell with the functions of tools/lib.sh. */
export const sh = (cwd, line, env) => run(cwd, "bash", ["-c", `. tools/lib.sh; ${line}`], env);

/** A folder with these programs, texts of shell. */
export function programs(texts) {
  const dir = folder("programs");
  for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path.join(dir, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  return dir;
}

/** PATH with these programs before the real ones. */
export const before = (texts) => `${programs(texts)}:${environment.PATH}`;

/** PATH on which nothing but these programs is: texts of shell, and the names of real ones. */
export function nothingBut(texts, names) {
  const dir = programs(texts);
  for (const name of names) fs.symlinkSync(execFileSync("bash", ["-c", 'type -P "$1"', "bash", name]).toString().trim(), path.join(dir, name));
  return dir;
}

/** The environment of a machine without cmocka: meson asks pkg-config, and cmake where that is installed. */
export function withoutCmocka() {
  const dir = folder("pkgconfig");
  for (const from of execFileSync("pkg-config", ["--variable", "pc_path", "pkg-config"]).toString().trim().split(":")) {
    if (!fs.existsSync(from)) continue;
    for (const name of fs.readdirSync(from)) {
      if (name !== "cmocka.pc" && !fs.existsSync(path.join(dir, name))) fs.symlinkSync(path.join(from, name), path.join(dir, name));
    }
  }
  return { PKG_CONFIG_LIBDIR: dir, PATH: before({ cmake: "exit 1" }) };
}

export function write(dir, name, text, mode = 0o644) {
  const file = path.join(dir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
  return file;
}

export function copy(from, to, name) {
  fs.mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
  fs.copyFileSync(path.join(from, name), path.join(to, name));
}

/** A checkout of a small project that has our scripts: one program, and a second one where cmocka is. */
export function smallProject(name) {
  const dir = folder(name);
  for (const file of ["run", "test", "tools/lib.sh", "tests/run-unit", "tests/run-node", "tests/lib.sh", "meson_options.txt"]) copy(ROOT, dir, file);
  write(dir, "meson.build", `project('small', 'c')
executable('tool', 'tool.c')
cmocka = dependency('cmocka', required: get_option('tests'))
if cmocka.found()
  executable('tested', 'tool.c', dependencies: cmocka)
endif
`);
  write(dir, "tool.c", '#include <stdio.h>\nint main(void) { puts("first"); return 0; }\n');
  write(dir, "tools/apt-run.txt", "# none\n");
  for (const name of ["test", "ci"]) write(dir, `tools/apt-${name}.txt`, "# none\n");
  write(dir, "package-lock.json", "{}\n");
  // What install_npm leaves behind.
  write(dir, "node_modules/.installed", `${execFileSync("cksum", { input: "{}\n" }).toString().trim()} `);
  return dir;
}

/** A copy of this checkout as it is now, committed or not, with its npm packages and without anything built. */
export function wholeProject(name) {
  const dir = folder(name);
  // tools/wasm may be at work on what it makes.
  const made = /^(packages\/[^/]+\/(dist|files|licenses|LICENSE|THIRD-PARTY\.md)|web\/dist)$/;
  const filter = (from) => !/^(\.git|node_modules)$/.test(path.basename(from)) && !made.test(path.relative(ROOT, from));
  for (const name of fs.readdirSync(ROOT)) {
    if (!name.startsWith("build")) fs.cpSync(path.join(ROOT, name), path.join(dir, name), { recursive: true, filter });
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(dir, "node_modules"));
  return dir;
}
