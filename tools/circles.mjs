// Finds circles of files. A file and the header of the same name count as one; one uses another if it includes its header or names a function
// that the other defines. `node tools/circles.mjs MOST FOLDER...` fails where a circle has more than MOST files.
import fs from "node:fs";
import path from "node:path";

const [most, ...folders] = process.argv.slice(2);
const files = folders.flatMap((folder) => fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name))).filter((name) => /\.[ch]$/.test(name) && !name.startsWith("apps/wasm/")); // which replaces functions of the system that others call
const unitOf = (file) => file.replace(/\.[ch]$/, "");
const text = new Map(files.map((file) => [file, fs.readFileSync(file, "utf8")]));
const units = new Set(files.map(unitOf));

// Definitions begin in the first column and have their brace there too (.clang-format).
const definedIn = new Map();
for (const [file, code] of text) {
  if (!file.endsWith(".c")) continue;
  for (const [, name] of code.matchAll(/^(?!static|#|\/)\w[^;{}=\n]*?\b(\w+)\([^;{}]*\)\n\{/gm)) definedIn.set(name, definedIn.has(name) ? null : unitOf(file));
}
for (const [name, unit] of definedIn) if (!unit) definedIn.delete(name); // of several programs: which one is meant is not known

const uses = new Map([...units].map((unit) => [unit, new Set()]));
for (const [file, code] of text) {
  const own = uses.get(unitOf(file));
  for (const [, header] of code.matchAll(/^#include "([^"]+)\.h"/gm)) {
    const unit = ["src/", "apps/platen/", `${path.dirname(file)}/`].map((root) => path.normalize(root + header)).find((name) => units.has(name));
    if (unit) own.add(unit);
  }
  if (!file.endsWith(".c")) continue;
  for (const [, name] of code.replace(/\/\/.*|"(\\.|[^"\\])*"/g, "").matchAll(/(?<!\b(?:struct|enum) )\b([a-z]\w+)\b/g)) {
    if (definedIn.has(name)) own.add(definedIn.get(name));
  }
  own.delete(unitOf(file));
}

const reach = (start) => {
  const seen = new Set();
  const waiting = [...uses.get(start)];
  while (waiting.length > 0) {
    const unit = waiting.pop();
    if (seen.has(unit)) continue;
    seen.add(unit);
    waiting.push(...uses.get(unit));
  }
  return seen;
};
const reached = new Map([...units].map((unit) => [unit, reach(unit)]));
const done = new Set();
let failed = 0;
for (const unit of [...units].sort()) {
  if (done.has(unit) || !reached.get(unit).has(unit)) continue;
  const circle = [...reached.get(unit)].filter((other) => reached.get(other).has(unit)).sort();
  circle.forEach((other) => done.add(other));
  if (circle.length <= Number(most)) continue;
  failed++;
  console.log(`a circle of ${circle.length} files, where at most ${most} are allowed:`);
  for (const from of circle) console.log(`  ${from} uses ${circle.filter((to) => uses.get(from).has(to)).join(", ")}`);
}
process.exit(failed > 0 ? 1 : 0);
