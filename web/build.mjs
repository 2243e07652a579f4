// Builds one page and writes it as a C table for the server: node web/build.mjs APP WEB_FOLDER DIST_FOLDER OUTPUT.c DEPFILE
// or for any file server, without a service: node web/build.mjs label web DIST_FOLDER --static
// src/main.ts and style.css are bundled; every other file of the page's folder and of its public/ is taken as it is.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { build } from "esbuild";
import { buildSite } from "./docs/site.mjs";
import { COMPARISON } from "./mend.mjs";

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

const inputs = new Set(["./build.mjs", "./mend.mjs"].map((name) => fileURLToPath(new URL(name, import.meta.url))));

function listFiles(base, relative = "") {
  const found = [];
  for (const entry of fs.readdirSync(path.join(base, relative), { withFileTypes: true })) {
    const name = path.join(relative, entry.name);
    if (entry.isDirectory()) found.push(...listFiles(base, name));
    else found.push(name);
  }
  return found;
}

/** Where a file is served, from the root. The documentation has many files in one folder, so its index is at the folder, with the slash. */
function addressOf(name) {
  return name === "docs/index.html" ? "docs/" : name.split(path.sep).join("/").replace(/\/?index\.html$/, "");
}

fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist, { recursive: true });

const entryPoints = [{ in: path.join(folder, "src/main.ts"), out: "main" }];
const style = path.join(folder, "style.css");
if (fs.existsSync(style)) entryPoints.push({ in: style, out: "style" });
// Further pages: pages/NAME is served at /NAME, its script and style at /NAME/main.js and /NAME/style.css. They show what a service has.
const pagesFolder = path.join(folder, "pages");
const pages = !isStatic && fs.existsSync(pagesFolder) ? fs.readdirSync(pagesFolder) : [];
const furtherEntries = pages.flatMap((page) => [
  { in: path.join(pagesFolder, page, "main.ts"), out: `${page}/main` },
  { in: path.join(pagesFolder, page, "style.css"), out: `${page}/style` },
]);
// The documentation is part of the label page's service, at /docs/.
const hasDocs = app === "label";
const docsFolder = path.join(webFolder, "docs");
if (hasDocs) {
  furtherEntries.push({ in: path.join(docsFolder, "search.ts"), out: "docs/search" });
  furtherEntries.push({ in: path.join(docsFolder, "style.css"), out: "docs/style" });
}
// The page's side of the renderer and the worker's must be of one build; the worker looks at this.
let engineBuild = "";
if (hasModule) {
  const digest = createHash("sha256").update(fs.readFileSync(wasm));
  for (const name of listFiles(path.join(packageFolder, "src")).sort()) digest.update(name).update(fs.readFileSync(path.join(packageFolder, "src", name)));
  engineBuild = digest.digest("hex").slice(0, 16);
}
async function bundle(entries, more) {
  const result = await build({
    entryPoints: entries,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8", // other scripts would be three times as long
    outdir: dist,
    metafile: true,
    logLevel: "warning",
    loader: { ".zpl": "text", ".woff2": "file", ".svg": "file" },
    assetNames: "[name]-[hash]",
    external: ["*.svg"],
    define: { PLATEN_HAS_MODULE: String(hasModule), PLATEN_HAS_SERVICE: String(!isStatic), PLATEN_HAS_FONTS: String(isStatic), PLATEN_BUILD: JSON.stringify(engineBuild) },
    plugins: [COMPARISON],
    ...more,
  });
  for (const name of Object.keys(result.metafile.inputs)) inputs.add(path.resolve(name));
  return result.metafile.outputs;
}
// What import() asks for is a file of its own, and so is what several of them share.
const SPLIT = { splitting: true, chunkNames: "part-[hash]" };
const outputs = await bundle(entryPoints, SPLIT);
if (furtherEntries.length > 0) await bundle(furtherEntries, SPLIT);

// What main.js imports at once, in the order in which it runs.
function importedAtOnce(name, found = new Set()) {
  for (const { path: imported, kind } of outputs[name].imports) {
    if (kind !== "import-statement" || found.has(imported)) continue;
    importedAtOnce(imported, found);
    found.add(imported);
  }
  return found;
}
/**
 * Joins the parts that main.js imports at once: over a slow net thirty small files take five round trips, one takes one. The other scripts
 * then import from the joined one. Returns its name, or undefined where there is nothing to join.
 */
async function joinParts() {
  const scripts = Object.keys(outputs).filter((name) => name.endsWith(".js"));
  const parts = [...importedAtOnce(scripts.find((name) => path.basename(name) === "main.js"))];
  if (parts.length < 2) return parts[0] && path.basename(parts[0]);
  const digest = createHash("sha256");
  for (const name of scripts.sort()) digest.update(fs.readFileSync(name));
  const joined = `part-${digest.digest("hex").slice(0, 8).toUpperCase()}.js`;
  const names = (at) => outputs[parts[at]].exports.map((name) => ({ name, inJoined: `p${at}_${name}` }));
  const indexOf = ({ path: imported, resolveDir }) => parts.findIndex((name) => path.resolve(name) === path.resolve(resolveDir, imported));
  const again = (entries, ofPart) =>
    build({
      ...entries,
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "utf8",
      allowOverwrite: true,
      logLevel: "warning",
      plugins: [{
        name: "parts",
        setup(build) {
          // An entry is itself; of the rest only the parts are looked into.
          build.onResolve({ filter: /.*/ }, (found) => {
            if (found.kind === "entry-point") return undefined;
            const at = indexOf(found);
            return found.kind === "import-statement" && at >= 0 ? ofPart(at) : { path: found.path, external: true };
          });
          build.onLoad({ filter: /.*/, namespace: "joined" }, ({ pluginData: at }) => ({
            contents: `export { ${names(at).map(({ name, inJoined }) => `${inJoined} as ${name}`).join(", ")} } from "./${joined}";`,
          }));
        },
      }],
    });
  const all = parts.map((name, at) => `import "./${path.basename(name)}"; export { ${names(at).map(({ name, inJoined }) => `${name} as ${inJoined}`).join(", ")} } from "./${path.basename(name)}";`);
  await again({ stdin: { contents: all.join("\n"), resolveDir: dist }, outfile: path.join(dist, joined) }, (at) => ({ path: path.resolve(parts[at]) }));
  const others = scripts.filter((name) => !parts.includes(name));
  await again({ entryPoints: others.map((name) => ({ in: path.resolve(name), out: path.basename(name, ".js") })), outdir: dist }, (at) => ({ path: String(at), namespace: "joined", pluginData: at }));
  for (const name of parts) fs.rmSync(name);
  return joined;
}
const joined = await joinParts();
// The script of the first picture shares no file with the others, which are large: it is whole by itself, with only those parts of modules that it calls. It starts the others.
const first = path.join(folder, "src/first.ts");
const hasFirst = !isStatic && fs.existsSync(first);
const ONLY_CALLED = {
  name: "only-called",
  setup(build) {
    build.onResolve({ filter: /.*/ }, async ({ path: imported, pluginData, ...found }) =>
      found.kind === "entry-point" || pluginData === "seen" ? undefined : { ...(await build.resolve(imported, { ...found, pluginData: "seen" })), sideEffects: false, pluginData: undefined },
    );
  },
};
if (hasFirst) await bundle([{ in: first, out: "first" }], { plugins: [ONLY_CALLED] });
// The worker is whole by itself: its policy is another one.
if (hasModule) await bundle([{ in: path.join(folder, "src/draw/worker.ts"), out: "draw-worker" }], {});

// Files that are served as they are.
const skip = (name) => name.endsWith(".ts") || name === "tsconfig.json" || name === "style.css" || name.startsWith(".");
const plain = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && !skip(entry.name));
for (const entry of plain) {
  fs.copyFileSync(path.join(folder, entry.name), path.join(dist, entry.name));
  inputs.add(path.resolve(folder, entry.name));
}
// What main.js imports at once is fetched together with it, not after it.
const indexFile = path.join(dist, "index.html");
if (joined && fs.existsSync(indexFile)) {
  const script = '<script type="module" src="main.js">';
  const preload = (name) => `<link rel="modulepreload" href="${name}" />\n    `;
  const started = hasFirst ? `${preload("main.js")}${script.replace("main", "first")}` : script;
  fs.writeFileSync(indexFile, fs.readFileSync(indexFile, "utf8").replace(script, preload(joined) + started));
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
if (hasDocs) {
  const root = path.resolve(webFolder, "..");
  const template = path.join(docsFolder, "page.html");
  const read = buildSite({ root, out: path.join(dist, "docs"), template: fs.readFileSync(template, "utf8") });
  for (const name of read) inputs.add(path.join(root, name));
  for (const name of ["page.html", "site.mjs", "markdown.mjs"]) inputs.add(path.resolve(docsFolder, name));
}
// A host of files may not send a policy, so the pages bring it along: that of the service (src/http/route/assets.c), but for
// frame-ancestors, which only a header may have. Workers take none from a page.
const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'";
if (isStatic) {
  for (const name of listFiles(dist).filter((file) => file.endsWith(".html"))) {
    const html = fs.readFileSync(path.join(dist, name), "utf8");
    const charset = '<meta charset="utf-8" />';
    if (!html.includes(charset)) throw new Error(`${name} has no ${charset} behind which the policy could stand`);
    fs.writeFileSync(path.join(dist, name), html.replace(charset, `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}" />\n    <meta name="referrer" content="no-referrer" />`));
  }
}
inputs.add(path.resolve(folder)); // a new file changes the folder
if (app === "label") inputs.add(packageFolder);
if (hasModule) {
  fs.copyFileSync(wasm, path.join(dist, "platen.wasm"));
  inputs.add(wasm);
  if (isStatic) fs.cpSync(path.resolve(webFolder, "../packages/platen-fonts/files"), path.join(dist, "fonts"), { recursive: true });
  // Last, since it names all the others and holds their digests.
  const files = listFiles(dist).sort();
  const digest = createHash("sha256");
  for (const name of files) digest.update(name).update(fs.readFileSync(path.join(dist, name)));
  const version = digest.digest("hex").slice(0, 16);
  // The page asks for the files of its own version, so that a kept script never serves a newer page, nor the other way round.
  const page = path.join(dist, "index.html");
  const html = fs.readFileSync(page, "utf8").replace(/(href="style\.css|(?:href|src)="(?:first|main)\.js)"/g, `$1?v=${version}"`);
  if (html.split(`?v=${version}`).length !== (hasFirst ? 4 : 3)) throw new Error("index.html has no main.js and style.css to which the version could be added");
  fs.writeFileSync(page, html);
  // A visit without a net needs the page, not its documentation, nor pages of the service. A font is kept once a label has needed it.
  const isFont = (name) => name.startsWith("fonts/");
  const isKept = (name) => !isFont(name) && ![...pages, "docs"].some((other) => name.startsWith(`${other}/`));
  // Servers may add to a page; what it asks for says its version.
  const digestOf = (name) => (name.endsWith(".html") ? "" : `sha256-${createHash("sha256").update(fs.readFileSync(path.join(dist, name))).digest("base64")}`);
  const digests = (names) => JSON.stringify(Object.fromEntries(names.map((name) => [addressOf(name), digestOf(name)])));
  const offline = await build({
    entryPoints: [{ in: path.join(folder, "src/offline/service-worker.ts"), out: "service-worker" }],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: dist,
    metafile: true,
    define: { PLATEN_VERSION: JSON.stringify(version), PLATEN_FILES: digests(files.filter(isKept)), PLATEN_FONTS: digests(files.filter(isFont)) },
  });
  for (const name of Object.keys(offline.metafile.inputs)) inputs.add(path.resolve(name));
}
if (isStatic) process.exit(0);

// A worker has a policy of its own: only the one that draws may compile WebAssembly.
const POLICIES = { "draw-worker.js": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'" };

// The assembler takes the files as they are: as numbers, megabytes take a compiler half a minute.
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
  // The best quality takes seconds for a megabyte, and the module is several.
  const quality = data.length > 1 << 20 ? 9 : 11;
  const brotli = packed ? zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: data.length } }) : undefined;
  const etag = createHash("sha256").update(data).digest("hex").slice(0, 16);
  const url = `/${addressOf(name)}`;
  arrays += blob(`data${i}`, data) + (packed ? blob(`gzip${i}`, gzip) + blob(`brotli${i}`, brotli) : "");
  const policy = POLICIES[name] ? JSON.stringify(POLICIES[name]) : "NULL";
  rows += `    {${JSON.stringify(url)}, ${JSON.stringify(type)}, data${i}, ${data.length}, ${packed ? `gzip${i}, ${gzip.length}, brotli${i}, ${brotli.length}` : "NULL, 0, NULL, 0"}, "\\"${etag}\\"", ${policy}},\n`;
});
fs.writeFileSync(
  output,
  `// Made by web/build.mjs.\n#include "http/asset.h"\n\nextern const struct http_asset ${app}_assets[];\nextern const size_t ${app}_asset_count;\n\n` +
    `${arrays}\nconst struct http_asset ${app}_assets[] = {\n${rows}};\nconst size_t ${app}_asset_count = ${names.length};\n`,
);
const quote = (name) => name.replaceAll(" ", "\\ ");
fs.writeFileSync(depfile, `${quote(output)}: ${[...inputs].map(quote).join(" ")}\n`);
