// Writes the ninja file of platen.wasm: node tools/webassembly/write-build.mjs NATIVE_BUILD WASM_BUILD CLANG_VERSION
// The project's sources are those that meson has for libplaten, so that there is one list of them.
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

function introspected(name) {
  const target = targets.find((candidate) => candidate.name === name && candidate.type === "static library");
  if (!target) throw new Error(`${native} has no library ${name}: the names in meson.build and here differ`);
  return target.target_sources.flatMap((group) => [...(group.sources ?? []), ...(group.generated_sources ?? [])]).map((file) => path.relative(root, file));
}

function librarySources() {
  return [...new Set(["base", "platencore"].flatMap(introspected))].sort();
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

const sources = librarySources();
const blobs = sources.find((name) => name.endsWith("font_blobs.S"));
write("font_blobs.c", fontTable(blobs));
// Pictures and fonts to label code: not in the module, whose libraries are those that drawing needs.
const conversion = (name) => name.startsWith("src/picture/") && !name.endsWith("/graphic_code.c");
// What asks the system, and the reader in C++, have others here.
const replaced = (name) => name === blobs || conversion(name) || name.startsWith("src/os/") || name.endsWith("read_zxing.cc");
// The language server of editors, as a module of its own: the page does not need it.
const editors = [...introspected("lsp").filter((name) => !/\/(loop|frame|thread)\.c$/.test(name)), "apps/platen/editors/lsp_work.c", "apps/wasm/lsp_bridge.c",
  ...["codes", "finding", "own_rules", "policy"].map((name) => `apps/platen/checking/check_${name}.c`)];
const project = [...sources.filter((name) => !replaced(name)), "src/check/read_zxing_absent.c", path.join(out, "font_blobs.c"),
  "src/answer/commands_json.c", ...["control", "control_text", "controls", "controls_json", "controls_options", "own_values", "problem"].map((name) => `src/request/${name}.c`),
  ...["bridge", "jump", "runtime", "system", "zint_absent"].map((name) => `apps/wasm/${name}.c`)];

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
  command = clang-${version} --target=wasm32-wasi -nostartfiles -Wl,--no-entry -Wl,--import-memory -Wl,--max-memory=4294967296 -Wl,--initial-memory=8388608 -Wl,--stack-first -Wl,-z,stack-size=1048576 -Wl,--export=__wasm_call_ctors -Wl,--strip-all -Wl,--gc-sections -O3 @$out.rsp -lc++ -lc++abi -o $out
  rspfile = $out.rsp
  rspfile_content = $in
rule check
  command = node tools/webassembly/check-imports.mjs $in && cp $in $out

`;
let objects = [];
function compile(file, flags) {
  const object = path.join(out, "objects", `${file.replaceAll("..", "_")}.o`);
  text += `build ${object}: ${file.endsWith(".cc") ? "cc" : "c"} ${file}\n  flags = ${flags}\n`;
  objects.push(object);
}
const jumps = "-mllvm -wasm-enable-sjlj";
const includes = [];
for (const [name, library] of Object.entries(LIBRARIES)) {
  const folder = path.join(out, "sources", name);
  const own = library.include.map((inside) => `-isystem${path.join(folder, inside)}`).join(" ");
  includes.push(own);
  const flags = library.flags.map((flag) => (/[<>"]/.test(flag) ? `'${flag}'` : flag)).join(" ");
  for (const file of library.files) compile(path.join(folder, file), `${vendor} -I${out}/include ${own} ${flags}`);
}
const own = (file) => `${common} ${includes.join(" ")} ${file.endsWith("jump.c") ? "-mexception-handling" : jumps}`;
for (const file of project) compile(file, own(file));
const drawing = objects.filter((name) => !name.endsWith("/bridge.c.o") || name.endsWith("lsp_bridge.c.o"));
function link(name, parts) {
  text += `build ${out}/linked-${name}: link ${parts.join(" ")}\n`;
  text += `build ${out}/${name}: check ${out}/linked-${name} | tools/webassembly/check-imports.mjs\ndefault ${out}/${name}\n`;
}
link("platen.wasm", objects);
objects = [];
for (const file of editors) compile(file, `${own(file)} -Iapps/platen -Iapps/platen/checking -Iapps/platen/editors`);
link("platen-lsp.wasm", [...drawing, ...objects]);
write("build.ninja", text);
