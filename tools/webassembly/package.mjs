// Fills packages/platen/dist and packages/platen-fonts/files: node tools/webassembly/package.mjs
// Nothing of it is in the repository: it is made from build-wasm/*.wasm, packages/*/src, licenses/ and the fonts that are installed.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fontFiles } from "./coverage.mjs";
import { LIBRARIES } from "./libraries.mjs";

const version = fs.readFileSync("VERSION", "utf8").trim();
const dist = "packages/platen/dist";
const files = "packages/platen-fonts/files";

function sourceVersion(name) {
  return fs.readFileSync(`build-wasm/sources/${name}.version`, "utf8");
}

execFileSync("node", ["tools/webassembly/coverage.mjs", "packages/platen/src/coverage.ts"], { stdio: "inherit" });
fs.rmSync(dist, { recursive: true, force: true });
for (const project of ["tsconfig.json", "tsconfig.cli.json"]) execFileSync("node_modules/.bin/tsc", ["-p", `packages/platen/${project}`], { stdio: "inherit" });
for (const name of ["platen.wasm", "platen-cli.wasm"]) fs.copyFileSync(`build-wasm/${name}`, path.join(dist, name));
fs.copyFileSync("packages/platen/src/zpl-renderer-js.cjs", path.join(dist, "zpl-renderer-js.cjs"));
fs.copyFileSync(path.join(dist, "zpl-renderer-js.d.ts"), path.join(dist, "zpl-renderer-js.d.cts"));
fs.writeFileSync(
  path.join(dist, "libraries.json"),
  `${JSON.stringify({ platen: version, libraries: Object.fromEntries(Object.keys(LIBRARIES).map((name) => [name, sourceVersion(name)])) }, null, 2)}\n`,
);

// Licences go with what they are for.
for (const name of ["platen", "platen-fonts"]) {
  const folder = `packages/${name}`;
  fs.rmSync(`${folder}/licenses`, { recursive: true, force: true });
  fs.mkdirSync(`${folder}/licenses`);
  fs.copyFileSync("LICENSE", `${folder}/LICENSE`);
}
for (const name of fs.readdirSync("licenses")) fs.copyFileSync(`licenses/${name}`, `packages/platen/licenses/${name}`);
for (const [name, library] of Object.entries(LIBRARIES)) {
  fs.copyFileSync(`build-wasm/sources/${name}/${library.licencePath}`, `packages/platen/licenses/${name}.txt`);
  fs.copyFileSync(`build-wasm/sources/${name}/debian/copyright`, `packages/platen/licenses/${name}-debian-copyright.txt`);
}
fs.copyFileSync("THIRD-PARTY.md", "packages/platen/THIRD-PARTY.md");
for (const name of ["wasi-libc", "fonts-ocr-b", "fonts-ocr-a"]) fs.copyFileSync(`/usr/share/doc/${name}/copyright`, `packages/platen/licenses/${name}-debian-copyright.txt`);
for (const name of ["fonts-noto-core", "fonts-droid-fallback", "fonts-nanum"]) fs.copyFileSync(`/usr/share/doc/${name}/copyright`, `packages/platen-fonts/licenses/${name}.txt`);

fs.rmSync(files, { recursive: true, force: true });
fs.mkdirSync(files, { recursive: true });
for (const file of fontFiles()) fs.copyFileSync(file, path.join(files, path.basename(file)));
