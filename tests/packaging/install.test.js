// `meson install`: what it installs, and that other programs can be built with it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

const BUILD = process.env.BUILD || "build";
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "install "));
const root = path.join(folder, "root");
after(() => fs.rmSync(folder, { recursive: true }));
const run = (program, args, options = {}) => execFileSync(program, args, { encoding: "utf8", ...options });
const header = fs.readFileSync("include/platen/platen.h", "utf8").replace(/\/\/.*/g, "");
const functions = [...new Set([...header.matchAll(/\b(platen_[a-z0-9_]+)\(/g)].map((m) => m[1]))].sort();
let files, library;
const find = (name) => files.find((file) => path.basename(file) === name) ?? assert.fail(`${name} is not installed`);

before(() => {
  run("meson", ["install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", root]);
  files = run("find", [root, "!", "-type", "d"]).trim().split("\n");
  library = find("libplaten.so");
});
// A program that is built as pkg-config says, with the paths moved into the folder that stands for the root.
const compile = (compiler, source, output) => {
  const env = { ...process.env, PKG_CONFIG_PATH: path.dirname(find("platen.pc")) };
  const flags = run("pkg-config", ["--cflags", "--libs", "platen"], { env }).trim().split(/\s+/);
  const moved = flags.map((flag) => flag.replace(/^(-[IL])(\/.*)$/, (_, kind, where) => kind + path.join(root, where)));
  // pkg-config leaves out the folders in which compilers look anyway.
  const paths = [`-I${path.dirname(path.dirname(find("platen.h")))}`, `-L${path.dirname(library)}`];
  run(compiler, [source, ...moved, ...paths, "-Wall", "-Wextra", "-Werror", "-o", output]);
  return (input) => run(output, [], { input, encoding: "latin1", env: { ...process.env, LD_LIBRARY_PATH: path.dirname(library) } });
};

test("programs, manual pages, completion, header, library and pkg-config file are installed", () => {
  for (const name of ["bin/platen", "bin/hygro", "share/man/man1/platen.1", "share/man/man1/hygro.1", "share/man/man3/libplaten.3", "include/platen/platen.h",
    "share/bash-completion/completions/platen", "share/bash-completion/completions/hygro", "share/zsh/site-functions/_platen",
    "share/zsh/site-functions/_hygro", "share/fish/vendor_completions.d/platen.fish", "share/fish/vendor_completions.d/hygro.fish"])
    assert.ok(files.some((file) => file.endsWith(`/${name}`)), name);
  assert.match(find("libplaten.so.1"), /libplaten\.so\.1$/);
});
test("the library has a soname and shows exactly the functions of the header, each with a version", () => {
  assert.match(run("readelf", ["-d", library]), /SONAME.*\[libplaten\.so\.1\]/);
  const shown = run("nm", ["-D", "--defined-only", library]).trim().split("\n").map((line) => line.split(" ").at(-1)).filter((name) => !/^PLATEN_/.test(name));
  assert.deepEqual(shown.map((name) => name.replace(/@@PLATEN_1$/, "")).sort(), functions);
  for (const name of shown) assert.match(name, /@@PLATEN_1$/);
});
test("the package's list of symbols has exactly the functions of the header: a new one made the package fail", () => {
  const listed = fs.readFileSync("packaging/debian/libplaten1.symbols", "utf8").match(/^ platen_\w+(?=@)/gm).map((name) => name.trim());
  assert.deepEqual(listed.sort(), functions);
});
test("a C program builds by pkg-config and renders", () => {
  const render = compile("cc", "examples/render.c", path.join(folder, "c"));
  assert.equal(render(Buffer.from("^XA^FO50,50^GB100,100,50^FS^XZ")).slice(1, 4), "PNG");
  const { stderr } = spawnSync(path.join(folder, "c"), { input: "^XA^FO50,50^BCN^FD^FS^FO9,9^GB9,9,9^FS^XZ", encoding: "utf8", env: { ...process.env, LD_LIBRARY_PATH: path.dirname(library) } });
  assert.match(stderr, /^1:\d+: \^BC: the data of the field is empty/);
});
test("a C++ program builds with the header: it was C alone", () => {
  assert.match(compile("c++", "tests/packaging/uses.cpp", path.join(folder, "cpp"))(""), /^1 label, version \d/);
});
test("the manual pages and the completion for fish name every command and option", () => {
  for (const program of ["platen", "hygro"]) {
    const page = find(`${program}.1`);
    const read = (file) => fs.readFileSync(file, "utf8").replaceAll("\\-", "-");
    const own = read(page);
    const commands = [...run(`${BUILD}/${program}`, ["--help"]).matchAll(/^ {2}([a-z]+) {2,}/gm)].map((m) => m[1]);
    assert.ok(commands.includes("serve") && commands.includes("config"));
    for (const command of commands) {
      assert.match(own, new RegExp(`^\\.SH ${command.toUpperCase()}$`, "m"));
      // What a program beside this one does has a page of its own.
      const beside = own.includes(`.BR ${program}-${command} (1).`);
      assert.equal(beside, program === "platen" && ["work", "submit", "collect", "batch"].includes(command));
      const text = beside ? read(find(`${program}-${command}.1`)) : own;
      for (const [, option] of run(`${BUILD}/${program}`, [command, "--help"]).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)) {
        assert.match(text, new RegExp(`${option}\\b`), `${program} ${command} ${option}`);
        assert.match(fs.readFileSync(find(`${program}.fish`), "utf8"), new RegExp(`from ${command}' -l ${option.slice(2)}\\b`));
      }
    }
  }
  const library3 = fs.readFileSync(find("libplaten.3"), "utf8");
  for (const name of functions) assert.ok(library3.includes(`${name}(`), name);
});
test("bash completes commands, options, choices and files", () => {
  const complete = (...words) => run("bash", ["-c", `. "$1"; COMP_WORDS=("\${@:2}"); COMP_CWORD=$(($# - 2)); _platen; printf '%s\\n' "\${COMPREPLY[@]}"`, "bash",
    find("platen"), ...words], {}).trim().split("\n");
  files = files.filter((file) => !file.endsWith("/bin/platen")); // the other file of this name
  assert.deepEqual(complete("platen", "ren"), ["render"]);
  assert.deepEqual(complete("platen", "serve", "--log", ""), ["json", "off"]);
  assert.deepEqual(complete("platen", "render", "--format", "j"), ["jpeg", "json"]);
  assert.deepEqual(complete("platen", "render", "--rotation", ""), ["0", "90", "180", "270"]);
  assert.deepEqual(complete("platen", "render", "README"), ["README.md"]);
  assert.ok(complete("platen", "serve", "--max-").length > 10);
});
