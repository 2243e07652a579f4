// The package in Chromium: as plain modules, and bundled by esbuild.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { createEngine } from "../../packages/platen/dist/index.js";
import { launch } from "../browser/chromium.js";

const HELLO = "^XA^FO50,50^A0N,60,60^FDHello^FS^XZ";
const TYPES = { ".html": "text/html", ".js": "text/javascript" };
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'";
let folder;
let server;
let browser;
let expected;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "platen-bundle-"));
  expected = Buffer.from((await createEngine()).render(HELLO).data).toString("base64");
  fs.cpSync("packages/platen/dist", path.join(folder, "plain"), { recursive: true });
  const script = (where) => `import { createEngine, createWorkerEngine } from "${where}";
    const text = (bytes) => btoa(String.fromCharCode(...bytes));
    globalThis.draw = async (zpl, options) => {
      const here = await createEngine(options?.here), there = await createWorkerEngine(options?.there);
      return [text(here.render(zpl).data), text((await there.render(zpl)).data)];
    };`;
  fs.writeFileSync(path.join(folder, "plain.html"), `<script type=module>${script("./plain/index.js")}</script>`);
  // A bundler that takes files by a loader: the module's address and a worker's script of the program's own.
  const entry = path.join(folder, "entry.js");
  fs.writeFileSync(
    entry,
    `${script(path.resolve("packages/platen/dist/index.js"))}
    import wasm from "${path.resolve("packages/platen/dist/platen.wasm")}";
    const plain = globalThis.draw;
    globalThis.draw = (zpl) => plain(zpl, { here: { wasm }, there: { wasm, worker: () => new Worker("./worker.js", { type: "module" }) } });`,
  );
  await build({ entryPoints: [entry, path.resolve("packages/platen/dist/worker.js")], bundle: true, minify: true, format: "esm", target: "es2022", outdir: path.join(folder, "bundle"), entryNames: "[name]", loader: { ".wasm": "file" }, publicPath: "/bundle/", logLevel: "error" });
  fs.writeFileSync(path.join(folder, "bundle/index.html"), `<script type=module src="./entry.js"></script>`);
  server = http.createServer((request, response) => {
    const file = path.join(folder, new URL(request.url, "http://x").pathname);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream", "Content-Security-Policy": POLICY }).end(fs.readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  fs.rmSync(folder, { recursive: true });
});

for (const [name, page] of [["plain <script type=module>", "plain.html"], ["a bundle of esbuild", "bundle/index.html"]]) {
  test(`${name} draws the same bytes, in the page and in a worker, under a strict policy`, async () => {
    const view = await browser.newPage();
    await view.goto(`http://127.0.0.1:${server.address().port}/${page}`);
    await view.waitForFunction(() => typeof globalThis.draw === "function");
    assert.deepEqual(await view.evaluate((zpl) => globalThis.draw(zpl), HELLO), [expected, expected]);
    await view.close();
  });
}
