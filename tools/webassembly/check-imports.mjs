// A WebAssembly module may ask its host for a clock and for memory, and for nothing else: node check-imports.mjs FILE
import fs from "node:fs";

const ALLOWED = new Set(["host.milliseconds", "host.seconds", "env.memory"]);
const wrong = WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync(process.argv[2])))
  .map((wanted) => `${wanted.module}.${wanted.name}`)
  .filter((name) => !ALLOWED.has(name));
if (wrong.length > 0) {
  console.error(`${process.argv[2]} asks its host for more than a clock and memory: ${wrong.join(", ")}`);
  process.exit(1);
}
