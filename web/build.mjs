// Builds one page and writes it as a C table for the server: node web/build.mjs APP WEB_FOLDER DIST_FOLDER OUTPUT.c DEPFILE
// or for any file server, without a service: node web/build.mjs label web DIST_FOLDER --static
// src/main.ts and style.css are bundled; every other file of the page's folder and of its public/ is taken as it is.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { build } from "esbuild";

const [app, webFolder, dist, output, depfile] = process.argv.slice(2);
const folder = path.join(webFolder, app);
const isStatic = output === "--static";
// The renderer as WebAssembly is part of the page where tools/wasm has made it. Its folder changes when it comes or goes.
const packageFolder = path.resolve(webFolder, "../packages/platen");
const wasm = path.join(packageFolder, "dist/platen.wasm");
const hasModule = app === "label" && fs.existsSync(wasm);
if (isStatic && !hasModule) throw new Error(`${wasm} is missing: run tools/wasm`);

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const inputs = new Set([fileURLToPath(import.meta.url)]);

function listFiles(base, relative = "") {
  const found = [];
  for (const entry of fs.readdirSync(path.join(base, relative), { withFileTypes: true })) {
    const name = path.join(relative, entry.name);
    if (entry.isDirectory()) found.push(...listFiles(base, name));
    else found.push(name);
  }
  return found;
}

fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist, { recursive: true });

const entryPoints = [{ in: path.join(folder, "src/main.ts"), out: "main" }];
const style = path.join(folder, "style.css");
if (fs.existsSync(style)) entryPoints.push({ in: style, out: "style" });
// Further pages: pages/NAME is served at /NAME, its script and style at /NAME/main.js and /NAME/style.css.
const pagesFolder = path.join(folder, "pages");
const pages = fs.existsSync(pagesFolder) ? fs.readdirSync(pagesFolder) : [];
for (const page of pages) {
  entryPoints.push({ in: path.join(pagesFolder, page, "main.ts"), out: `${page}/main` });
  entryPoints.push({ in: path.join(pagesFolder, page, "style.css"), out: `${page}/style` });
}
// What is imported on demand becomes files of its own, with names that change with their content.
const settings = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: dist,
  metafile: true,
  logLevel: "warning",
  loader: { ".zpl": "text", ".woff2": "file", ".svg": "file" },
  assetNames: "[name]-[hash]",
  external: ["*.svg"],
  define: { PLATEN_HAS_MODULE: String(hasModule), PLATEN_HAS_SERVICE: String(!isStatic), PLATEN_HAS_FONTS: String(isStatic) },
};
const built = [await build({ ...settings, entryPoints, splitting: true, chunkNames: "[name]-[hash]" })];
// The worker has a policy of its own and shares no file with the page.
const draws = path.join(folder, "src/draw/worker.ts");
if (hasModule) built.push(await build({ ...settings, entryPoints: [{ in: draws, out: "draw-worker" }] }));
for (const { metafile } of built) for (const name of Object.keys(metafile.inputs)) inputs.add(path.resolve(name));

// Files that are served as they are.
const skip = (name) => name.endsWith(".ts") || name === "tsconfig.json" || name === "style.css" || name.startsWith(".");
const plain = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && !skip(entry.name));
for (const entry of plain) {
  fs.copyFileSync(path.join(folder, entry.name), path.join(dist, entry.name));
  inputs.add(path.resolve(folder, entry.name));
}
// What main.js imports at once is fetched together with it, not after it.
function importedAtOnce(outputs, name, found = new Set()) {
  for (const { path: imported, kind } of outputs[name].imports) {
    if (kind !== "import-statement" || found.has(imported)) continue;
    found.add(imported);
    importedAtOnce(outputs, imported, found);
  }
  return found;
}
const { outputs } = built[0].metafile;
const mainScript = Object.keys(outputs).find((name) => path.resolve(name) === path.resolve(dist, "main.js"));
const indexFile = path.join(dist, "index.html");
if (fs.existsSync(indexFile)) {
  const links = [...importedAtOnce(outputs, mainScript)].map((name) => `<link rel="modulepreload" href="${path.basename(name)}" />\n    `).join("");
  fs.writeFileSync(indexFile, fs.readFileSync(indexFile, "utf8").replace('<script type="module" src="main.js">', `${links}<script type="module" src="main.js">`));
}
for (const page of pages) {
  const html = path.join(pagesFolder, page, "index.html");
  fs.copyFileSync(html, path.join(dist, page, "index.html"));
  inputs.add(path.resolve(html));
}
const publicFolder = path.join(folder, "public");
if (fs.existsSync(publicFolder)) {
  for (const name of listFiles(publicFolder)) {
    fs.mkdirSync(path.dirname(path.join(dist, name)), { recursive: true });
    fs.copyFileSync(path.join(publicFolder, name), path.join(dist, name));
    inputs.add(path.resolve(publicFolder, name));
  }
}
inputs.add(path.resolve(folder)); // a new file changes the folder
if (app === "label") inputs.add(packageFolder);
if (hasModule) {
  fs.copyFileSync(wasm, path.join(dist, "platen.wasm"));
  inputs.add(wasm);
  // Last, since it names all the others and holds their digest.
  const files = listFiles(dist).sort();
  const digest = createHash("sha256");
  for (const name of files) digest.update(name).update(fs.readFileSync(path.join(dist, name)));
  const kept = files.map((name) => (name === "index.html" ? "" : name));
  const offline = await build({
    entryPoints: [{ in: path.join(folder, "src/offline/service-worker.ts"), out: "service-worker" }],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: dist,
    metafile: true,
    define: { PLATEN_VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)), PLATEN_FILES: JSON.stringify(kept) },
  });
  for (const name of Object.keys(offline.metafile.inputs)) inputs.add(path.resolve(name));
}
if (isStatic) {
  fs.cpSync(path.resolve(webFolder, "../packages/platen-fonts/files"), path.join(dist, "fonts"), { recursive: true });
  process.exit(0);
}

// A worker has a policy of its own: only the one that draws may compile WebAssembly.
const POLICIES = { "draw-worker.js": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'" };

function bytes(name, data) {
  const lines = [];
  for (let at = 0; at < data.length; at += 32) lines.push([...data.subarray(at, at + 32)].join(","));
  return `static const unsigned char ${name}[] = {\n${lines.join(",\n")}${data.length ? "" : "0"}};\n`;
}

function blob(name, data) {
  const file = `${output}.${name}.bin`;
  fs.writeFileSync(file, data);
  return (
    `extern const unsigned char ${app}_${name}[] __attribute__((visibility("hidden")));\n#define ${name} ${app}_${name}\n` +
    `__asm__(".pushsection .rodata\\n.balign 16\\n.globl ${app}_${name}\\n.hidden ${app}_${name}\\n${app}_${name}:\\n.incbin " ${JSON.stringify(JSON.stringify(path.resolve(file)))} "\\n.popsection\\n");\n`
  );
}

let arrays = "";
let rows = "";
const names = listFiles(dist).sort();
names.forEach((name, i) => {
  const type = TYPES[path.extname(name)];
  if (!type) throw new Error(`${name}: no content type is known for this kind of file (web/build.mjs)`);
  const data = fs.readFileSync(path.join(dist, name));
  const gzip = zlib.gzipSync(data, { level: 9, memLevel: 9 });
  const packed = gzip.length < data.length * 0.9;
  const etag = createHash("sha256").update(data).digest("hex").slice(0, 16);
  const url = "/" + name.split(path.sep).join("/").replace(/\/?index\.html$/, "");
  // A large file is taken by the assembler: as numbers it would take a compiler half a minute.
  const put = data.length > 1 << 20 ? blob : bytes;
  arrays += put(`data${i}`, data) + (packed ? put(`gzip${i}`, gzip) : "");
  const policy = POLICIES[name] ? JSON.stringify(POLICIES[name]) : "NULL";
  rows += `    {${JSON.stringify(url)}, ${JSON.stringify(type)}, data${i}, ${data.length}, ${packed ? `gzip${i}, ${gzip.length}` : "NULL, 0"}, "\\"${etag}\\"", ${policy}},\n`;
});
fs.writeFileSync(
  output,
  `// Made by web/build.mjs.\n#include "http/route/assets.h"\n\nextern const struct http_asset ${app}_assets[];\nextern const size_t ${app}_asset_count;\n\n` +
    `${arrays}\nconst struct http_asset ${app}_assets[] = {\n${rows}};\nconst size_t ${app}_asset_count = ${names.length};\n`,
);
const quote = (name) => name.replaceAll(" ", "\\ ");
fs.writeFileSync(depfile, `${quote(output)}: ${[...inputs].map(quote).join(" ")}\n`);
