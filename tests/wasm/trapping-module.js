// A module with a real trap: the code of one exported function begins with `unreachable`.
import assert from "node:assert/strict";
import fs from "node:fs";

const EXPORTS = 7;
const IMPORTS = 2;
const CODE = 10;
const UNREACHABLE = 0x00;
const NOP = 0x01;
const GLOBAL_GET = 0x23;
const LOCAL_GET = 0x20;
const I32_CONST = 0x41;

export function trappingModule(name, file = "packages/platen/dist/platen.wasm") {
  const bytes = new Uint8Array(fs.readFileSync(file));
  let at = 8;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  const text = () => {
    const length = number();
    return new TextDecoder().decode(bytes.subarray(at, (at += length)));
  };
  const sections = new Map();
  while (at < bytes.length) {
    const kind = bytes[at++];
    const size = number();
    sections.set(kind, at);
    at += size;
  }
  // Functions that are imported are counted first.
  const module = new WebAssembly.Module(bytes);
  const imported = WebAssembly.Module.imports(module).filter(({ kind }) => kind === "function").length;
  assert.ok(sections.has(IMPORTS));
  at = sections.get(EXPORTS);
  let wanted = -1;
  for (let left = number(); left > 0; left--) {
    const found = text();
    const kind = bytes[at++];
    const index = number();
    if (found === name && kind === 0) wanted = index - imported;
  }
  assert.ok(wanted >= 0, `there is a function ${name}`);
  at = sections.get(CODE);
  number();
  for (let i = 0; i < wanted; i++) {
    const size = number();
    at += size;
  }
  number(); // size of this body
  for (let groups = number(); groups > 0; groups--) {
    number();
    at++;
  }
  // In the place of an instruction that gives a value: behind `unreachable` it need not be there.
  assert.ok([GLOBAL_GET, LOCAL_GET, I32_CONST].includes(bytes[at]), `the first instruction of ${name} is ${bytes[at]}`);
  const first = at++;
  number();
  bytes.fill(NOP, first, at);
  bytes[first] = UNREACHABLE;
  return bytes;
}
