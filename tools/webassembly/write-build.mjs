// Writes the ninja file of platen.wasm, platen-cli.wasm and platen-lsp.wasm: node tools/webassembly/write-build.mjs NATIVE_BUILD WASM_BUILD CLANG_VERSION
// The project's sources are those that meson has for libplaten and the program, so that there is one list of them.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { FREETYPE_MODULES, LIBRARIES } from "./libraries.mjs";

const [native, out, version] = process.argv.slice(2);
const root = process.cwd();
const launcher = process.env.CCACHE ?? "";

function write(name, text) {
  const file = path.join(out, name);
  if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) fs.writeFileSync(file, text);
}

const targets = JSON.parse(execFileSync("meson", ["introspect", native, "--targets"], { encoding: "utf8", maxBuffer: 1 << 26 }));
function sourcesOf(...names) {
  const found = new Set();
  for (const name of names) {
    const target = targets.find((candidate) => candidate.name === name && candidate.type === (name === "platen" ? "executable" : "static library"));
    if (!target) throw new Error(`${native} has no target ${name}: the names in meson.build and here differ`);
    for (const group of target.target_sources) {
      for (const file of [...(group.sources ?? []), ...(group.generated_sources ?? [])]) found.add(path.relative(root, file));
    }
  }
  return [...found].sort();
}

// Font files, from the assembler source of the native build: the compiler for WebAssembly takes them as they are.
function fontTable(assembler) {
  const text = fs.readFileSync(assembler, "utf8");
  const files = [...text.matchAll(/\.incbin "(.*)"/g)].map((match) => match[1]);
  const names = [...text.matchAll(/\.asciz "(.*)"/g)].map((match) => match[1]);
  let source = '// Made by tools/webassembly.\n#include "font/face/embedded.h"\n\n';
  files.forEach((file, i) => (source += `static const unsigned char font${i}[] = {\n#embed "${file}"\n};\n`));
  source += "const struct pl_embedded pl_embedded_fonts[] = {\n";
  names.forEach((name, i) => (source += `    {"${name}", font${i}, font${i} + sizeof font${i}},\n`));
  return `${source}    {0, 0, 0},\n};\n`;
}

fs.mkdirSync(path.join(out, "include"), { recursive: true });
write("include/platen-ftmodule.h", FREETYPE_MODULES);

const sources = sourcesOf("base", "platencore");
const blobs = sources.find((name) => name.endsWith("font_blobs.S"));
write("font_blobs.c", fontTable(blobs));
// Pictures and fonts to label code: not in the module, whose libraries are those that drawing needs.
const conversion = (name) => name.startsWith("src/picture/") && !name.endsWith("/graphic_code.c");
// What asks the system, and the reader in C++, have others here.
const replaced = (name) => name === blobs || conversion(name) || name.startsWith("src/os/") || name.endsWith("read_zxing.cc");
const library = [...sources.filter((name) => !replaced(name)), "src/check/read_zxing_absent.c", path.join(out, "font_blobs.c"),
  "src/answer/commands_json.c", "src/answer/models_json.c", ...["control", "control_text", "controls", "controls_json", "controls_options", "own_values", "problem"].map((name) => `src/request/${name}.c`),
  ...["jump", "one_thread", "runtime", "zint_absent"].map((name) => `apps/wasm/${name}.c`)];
const bridge = ["apps/wasm/bridge.c"];
const quiet = ["silent", "system"].map((name) => `apps/wasm/${name}.c`);
// The language server of editors, as a module of its own: the page does not need it.
const editors = [...sourcesOf("lsp").filter((name) => !/\/(loop|frame|thread)\.c$/.test(name)), "apps/platen/editors/lsp_work.c", "apps/wasm/lsp_bridge.c",
  ...["codes", "finding", "own_rules", "policy"].map((name) => `apps/platen/checking/check_${name}.c`)];
// The command line: the program's files but for those of commands that the module lacks (apps/platen/main.c).
const absent = /^apps\/platen\/(api|assistants|editors|serve|virtual_printer|(bench|broker_commands|image)\.c)|^src\/runner\/confined|label_assets\.c$|\.S$/;
const commandLine = [...sourcesOf("answer", "batch", "cli", "request", "runner", "platen").filter((name) => !absent.test(name)), "src/http/options/options.c",
  ...["render_problem", "renderer_traps", "summary"].map((name) => `src/renderer/${name}.c`), ...sources.filter((name) => /^src\/os\/(?!cores|once)/.test(name)), "apps/wasm/cli/system.c"]
  .filter((name) => !library.includes(name));

const productVersion = fs.readFileSync("VERSION", "utf8").trim();
const machine = "--target=wasm32-wasi -mbulk-memory -mnontrapping-fptoint -fvisibility=hidden -ffp-contract=off -DNDEBUG -fno-ident " +
  `'-ffile-prefix-map=${root}=.' -Wdate-time`; // the checkout's folder may have a blank in its name
const common = `-std=gnu17 -O3 -D_GNU_SOURCE -DPROJECT_VERSION=\\"${productVersion}\\" -Iapps/wasm/include -Iinclude -Isrc -Wall -Wextra -Werror -Wno-c23-extensions -Wno-tautological-constant-out-of-range-compare`;
const vendor = "-O3 -w -Iapps/wasm/include";

let text = `# Made by tools/webassembly/write-build.mjs.
builddir = ${out}
rule c
  command = ${launcher} clang-${version} ${machine} $flags -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule cc
  command = ${launcher} clang++-${version} ${machine} $flags -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule link
  command = clang-${version} --target=wasm32-wasi $flags -Wl,--max-memory=4294967296 -Wl,--stack-first -Wl,--strip-all -Wl,--gc-sections -O3 @$out.rsp -lc++ -lc++abi $libraries -o $out
  rspfile = $out.rsp
  rspfile_content = $in
rule check
  command = node tools/webassembly/check-imports.mjs $in $kind && cp $in $out

`;
// Modules compile a file with flags of their own: `folder` keeps these apart.
function compile(file, flags, objects, folder = "objects") {
  const object = path.join(out, folder, `${file.replaceAll("..", "_")}.o`);
  text += `build ${object}: ${file.endsWith(".cc") ? "cc" : "c"} ${file}\n  flags = ${flags}\n`;
  objects.push(object);
}
const jumps = "-mllvm -wasm-enable-sjlj";
const includes = [];
const shared = [], ofBridge = [], ofQuiet = [], ofEditors = [], ofCommandLine = [];
for (const [name, vendorLibrary] of Object.entries(LIBRARIES)) {
  const folder = path.join(out, "sources", name);
  const own = vendorLibrary.include.map((inside) => `-isystem${path.join(folder, inside)}`).join(" ");
  includes.push(own);
  const flags = vendorLibrary.flags.map((flag) => (/[<>"]/.test(flag) ? `'${flag}'` : flag)).join(" ");
  for (const file of vendorLibrary.files) compile(path.join(folder, file), `${vendor} -I${out}/include ${own} ${flags}`, shared);
}
const own = `${common} ${includes.join(" ")}`;
for (const file of library) compile(file, `${own} ${file.endsWith("jump.c") ? "-mexception-handling" : jumps}`, shared);
for (const file of bridge) compile(file, `${own} ${jumps}`, ofBridge);
for (const file of quiet) compile(file, `${own} ${jumps}`, ofQuiet);
for (const file of editors) compile(file, `${own} ${jumps} -Iapps/platen -Iapps/platen/checking -Iapps/platen/editors`, ofEditors, "objects-lsp");
const emulated = ["mman", "signal"]; // getpid is our own
for (const file of commandLine) compile(file, `${own} ${jumps} -Iapps/wasm/cli/include -Iapps -Iapps/platen ${[...emulated, "getpid"].map((name) => `-D_WASI_EMULATED_${name.toUpperCase()}`).join(" ")}`, ofCommandLine);

function link(name, objects, flags, libraries, kind) {
  text += `build ${out}/${name}-linked.wasm: link ${objects.join(" ")}\n  flags = ${flags}\n  libraries = ${libraries}\n`;
  text += `build ${out}/${name}.wasm: check ${out}/${name}-linked.wasm | tools/webassembly/check-imports.mjs\n  kind = ${kind}\ndefault ${out}/${name}.wasm\n`;
}
const AS_LIBRARY = "-nostartfiles -Wl,--no-entry -Wl,--import-memory -Wl,--initial-memory=8388608 -Wl,-z,stack-size=1048576 -Wl,--export=__wasm_call_ctors";
link("platen", [...shared, ...ofQuiet, ...ofBridge], AS_LIBRARY, "", "library");
link("platen-lsp", [...shared, ...ofQuiet, ...ofEditors], AS_LIBRARY, "", "library");
// The stack of a program: as large as that of a thread of the native one.
link("platen-cli", [...shared, ...ofCommandLine], "-Wl,-z,stack-size=8388608 -Wl,--initial-memory=16777216", emulated.map((name) => `-lwasi-emulated-${name}`).join(" "), "command");
write("build.ninja", text);
