// What a WebAssembly module may ask its host for, and nothing else: node check-imports.mjs FILE library|command
// The library's gets a clock and memory; the command line's gets WASI's calls.
import fs from "node:fs";

const [file, kind] = process.argv.slice(2);
const ALLOWED = { library: /^(host\.milliseconds|host\.seconds|env\.memory)$/, command: /^wasi_snapshot_preview1\./ };
const wrong = WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync(file)))
  .map((wanted) => `${wanted.module}.${wanted.name}`)
  .filter((name) => !ALLOWED[kind].test(name));
if (wrong.length > 0) {
  console.error(`${file} asks its host for more than it may: ${wrong.join(", ")}`);
  process.exit(1);
}
