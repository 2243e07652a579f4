#!/usr/bin/env node
// `npx platen`: the program's commands that need no processes and no network, as WebAssembly.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { slashedArguments } from "./slashes.js";
import { Wasi } from "./wasi.js";

/** The folder of the package platen-fonts; empty: it is not installed. */
function fontFolder(): string {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve("platen-fonts/package.json")), "files");
  } catch {
    return "";
  }
}

function main(): number {
  const env = { ...process.env };
  // The program asks for FOLDER/noto/NAME.ttf and the like; the package has all files in one folder.
  const fonts = env["PLATEN_FONTS"] ? "" : fontFolder();
  if (fonts) env["PLATEN_FONTS"] = fonts;
  const translate = (name: string): string => (fonts && name.startsWith(`${fonts}/`) ? path.join(fonts, path.basename(name)) : name);
  const module = new WebAssembly.Module(fs.readFileSync(new URL("../platen-cli.wasm", import.meta.url)));
  return new Wasi({ args: ["platen", ...slashedArguments(process.argv.slice(2))], env, translate }).start(module);
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`platen: the WebAssembly module failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
