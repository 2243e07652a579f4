// The npm package under node: every call, limits, traps, workers, fonts, the interface of zpl-renderer-js.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { createEngine, createWorkerEngine, PlatenError } from "../../packages/platen/dist/index.js";
import * as dropIn from "../../packages/platen/dist/zpl-renderer-js.js";
import { trappingModule } from "./trapping-module.js";
import { fontFolder, loadFonts } from "../../packages/platen-fonts/index.js";

const HELLO = "^XA^FO50,50^A0N,60,60^FDHello^FS^FO50,130^BY3^BCN,120,Y,N,N^FD12345678^FS^XZ";
const PNG = [0x89, 0x50, 0x4e, 0x47];
const isPng = (bytes) => PNG.every((byte, i) => bytes[i] === byte);
const fails = (code) => (error) => error instanceof PlatenError && error.code === code;
/** The dots of a PNG of 1 or 8 bits a dot. */
function rgbaOf(file, inflate) {
  const parts = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) if (file.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const [width, height, depth] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24]];
  const rows = inflate(Buffer.concat(parts));
  const stride = Math.ceil((width * depth) / 8);
  const before = Buffer.alloc(stride);
  const dots = [];
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    const row = Buffer.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; i++) {
      const [a, b, c] = [row[i - 1] ?? 0, before[i], i > 0 ? before[i - 1] : 0];
      const nearest = [a, b, c].map((value) => Math.abs(a + b - c - value));
      const paeth = nearest[0] <= nearest[1] && nearest[0] <= nearest[2] ? a : nearest[1] <= nearest[2] ? b : c;
      row[i] += [0, a, b, (a + b) >> 1, paeth][filter];
    }
    for (let x = 0; x < width; x++) {
      const value = depth === 8 ? row[x] : row[x >> 3] & (0x80 >> (x & 7)) ? 255 : 0;
      dots.push(value, value, value, 255);
    }
    row.copy(before);
  }
  return dots;
}
/** Deep recalls, a broken downloaded font, a bomb of a graphic, code without an end. */
const HOSTILE = {
  recalls: `${Array.from({ length: 300 }, (_, i) => `^XA^DFR:F${i}.ZPL^FS^XFR:F${i + 1}.ZPL^FS^XZ`).join("")}^XA^XFR:F0.ZPL^FS^XZ`,
  itself: "^XA^DFR:A.ZPL^FS^XFR:A.ZPL^FS^FO1,1^GB9,9,9^FS^XZ^XA^XFR:A.ZPL^FS^XZ",
  font: `~DYR:BAD,A,T,3000,,${"00010000001F".padEnd(6000, "F3")}^XA^CW1,R:BAD.TTF^FO10,10^A1N,50,50^FDbroken^FS^XZ`,
  graphic: "^XA^FO1,1^GFA,99999999,99999999,9999,:Z64:eJztwTEBAAAAwqD1T20ND6AAAAAAAAAAAA:0000^FS^XZ",
  open: "^XA".repeat(50_000),
  long: `^XA^FO1,1^A0N,30^FD${"x".repeat(2_000_000)}^FS^XZ`,
};

describe("the engine", () => {
  test("gives every format, with sizes and warnings", async () => {
    const engine = await createEngine();
    const png = engine.render(HELLO);
    assert.ok(isPng(png.data));
    assert.deepEqual([png.widthPx, png.heightPx, png.pages, png.mimeType], [812, 1218, 1, "image/png"]);
    assert.deepEqual([png.warnings, png.missingFonts], [[], []]);
    assert.deepEqual([...engine.render(HELLO, { format: "jpeg" }).data.subarray(0, 2)], [0xff, 0xd8]);
    assert.equal(new TextDecoder().decode(engine.render(HELLO, { format: "webp" }).data.subarray(8, 12)), "WEBP");
    assert.equal(new TextDecoder().decode(engine.render(HELLO, { format: "pdf" }).data.subarray(0, 5)), "%PDF-");
    for (const format of ["json", "base64"]) assert.equal(JSON.parse(new TextDecoder().decode(engine.render(HELLO, { format }).data)).count, 1);
    for (const quality of ["bitonal", "grayscale"]) {
      const small = { quality, widthMm: 10, heightMm: 5 };
      const dots = engine.render("^XA^FO9,9^A0N,20^FDg^FS^XZ", { ...small, format: "rgba" });
      const { inflateSync } = await import("node:zlib");
      const file = Buffer.from(engine.render("^XA^FO9,9^A0N,20^FDg^FS^XZ", small).data);
      assert.equal(dots.data.length, dots.widthPx * dots.heightPx * 4);
      const rgba = rgbaOf(file, inflateSync);
      assert.deepEqual([...dots.data], rgba, quality);
      assert.deepEqual([...engine.render("^XA^FO9,9^A0N,20^FDg^FS^XZ", { ...small, format: "gray" }).data], rgba.filter((_, i) => i % 4 === 0), quality);
    }
    const turned = engine.render(HELLO, { rotation: 90, quality: "grayscale", dpmm: 12, widthMm: 50, heightMm: 100 });
    assert.deepEqual([turned.widthPx, turned.heightPx], [1196, 598]);
    assert.equal(engine.render("^XA^FO1,1^QQ^FS^FO1,1^GB9,9^FS^XZ").warnings[0].code, "unknown_command");
    engine.dispose();
    assert.throws(() => engine.render(HELLO), fails("disposed"));
  });

  test("the dots and the PNG, which other programs can read, are the same at every width", async () => {
    const { inflateSync } = await import("node:zlib"); // checks the sum at the end, as browsers do not
    const engine = await createEngine();
    const zpl = "^XA^FO0,0^GB3,3,3^FS^FO5,1^GB60,2,2^FS^FO1,4^A0N,14,9^FDWg8@xyz%^FS^FO0,20^GC15,3^FS^XZ";
    for (let dots = 1; dots <= 70; dots++) {
      for (const quality of ["bitonal", "grayscale"]) {
        const rotation = (dots % 4) * 90;
        const options = { quality, rotation, widthMm: (dots + 0.5) / 8, heightMm: [1.2, 9, 40.1, 64, 65][dots % 5] / 8 };
        const rgba = rgbaOf(Buffer.from(engine.render(zpl, options).data), inflateSync);
        const what = `${dots} dots, ${quality}, turned by ${rotation}`;
        assert.deepEqual([...engine.render(zpl, { ...options, format: "rgba" }).data], rgba, what);
        assert.deepEqual([...engine.render(zpl, { ...options, format: "gray" }).data], rgba.filter((_, i) => i % 4 === 0), what);
      }
    }
  });

  test("looks at the clock after each large graphic, not only after many commands", async (t) => {
    const { deflateSync } = await import("node:zlib");
    const engine = await createEngine();
    const { now } = performance;
    t.after(() => (performance.now = now));
    let looks = 0;
    performance.now = () => (looks++, now.call(performance));
    const looksFor = (graphics) => {
      looks = 0;
      const packed = deflateSync(Buffer.alloc(1_000_000, 0xa5)).toString("base64");
      const zpl = Array.from({ length: graphics }, (_, i) => `~DGR:A${i}.GRF,1000000,4000,:Z64:${packed}`).join("");
      assert.equal(engine.render(`${zpl}^XA^FO1,1^GB9,9^FS^XZ`, { widthMm: 5, heightMm: 5 }).pages, 1);
      return looks;
    };
    assert.ok(looksFor(21) - looksFor(1) >= 20);
  });

  test("gives all pages, descriptions and commands", async () => {
    const engine = await createEngine();
    const pages = engine.renderAll(`${HELLO}^XA^PQ3^FO1,1^GB99,99,9^FS^XZ`);
    assert.deepEqual(pages.map((page) => [page.page, page.copies]), [[0, 1], [1, 3], [2, 3], [3, 3]]);
    assert.equal(pages[1].data, pages[3].data);
    assert.equal(engine.renderAll("^XA^PQ3^FO1,1^GB9,9^FS^XZ", { copies: "collapse" }).length, 1);
    const described = engine.describe(HELLO, { png: false });
    assert.deepEqual(described.labels[0].elements.map((element) => element.type), ["text", "barcode"]);
    assert.equal(described.labels[0].data, undefined);
    assert.equal(engine.describe(HELLO, { verify: true }).labels[0].elements[1].symbology, "code128");
    assert.deepEqual(engine.describe("^XA^FO300,1^GB99,9^FS^XZ", { printerModel: "zq610plus-203" }).warnings.map(({ code }) => code), ["printer_width"]);
    assert.ok(engine.commands().length > 200);
    for (const { name } of engine.printerModels()) assert.ok(engine.describe(HELLO, { printerModel: name, png: false }).ok, name);
    assert.equal(engine.printerModels().find(({ name }) => name === "zq610plus-203").title, "Zebra ZQ610 Plus, 203 dpi");
    const fitted = engine.render("^XA^PW400^LL200^FO1,1^GB9,9^FS^XZ", { size: "auto" });
    assert.deepEqual([fitted.widthPx, fitted.heightPx], [400, 200]);
  });

  test("refuses options that mean nothing, and says which", async () => {
    const engine = await createEngine();
    for (const options of [{ dpmm: 99 }, { widthMm: -1 }, { rotation: 45 }, { quality: "best" }, { format: "gif" }, { page: 1.5 }, { time: "noon" }, { rules: "mine" }, { printerModel: "mine" }]) {
      assert.throws(() => engine.render(HELLO, options), fails("invalid"), JSON.stringify(options));
    }
    assert.throws(() => engine.render(HELLO, { page: 7 }), fails("not_found"));
    assert.throws(() => engine.render("nothing"), fails("no_labels"));
  });

  test("obeys its limits, and goes on", async () => {
    const engine = await createEngine({ limits: { inputBytes: 10_000, labels: 5, milliseconds: 2000, arenaBytes: 4 * 2 ** 20, memoryBytes: 48 * 2 ** 20 } });
    assert.throws(() => engine.render("x".repeat(20_000)), fails("limit"));
    assert.throws(() => engine.render("^XA^FO1,1^GB9,9^FS^XZ".repeat(6)), fails("limit"));
    assert.throws(() => engine.render("^XA^FO1,1^GB9,9^FS^XZ", { widthMm: 1200, heightMm: 1200 }), fails("memory"));
    assert.ok(isPng(engine.render(HELLO).data));
  });

  test("hostile labels give pictures or errors, and the next label is drawn", async () => {
    const engine = await createEngine({ limits: { milliseconds: 3000 } });
    for (const [name, zpl] of Object.entries(HOSTILE)) {
      try {
        engine.render(zpl);
      } catch (error) {
        assert.ok(error instanceof PlatenError && error.code !== "bug", `${name}: ${error}`);
      }
      assert.ok(isPng(engine.render(HELLO).data), `after ${name}`);
    }
  });

  test("a trap is told, and a new instance draws on", async () => {
    const wasm = trappingModule("bridge_pdf");
    const engine = await createEngine({ wasm });
    const worker = await createWorkerEngine({ wasm });
    for (let i = 0; i < 20; i++) {
      assert.throws(() => engine.render(HELLO, { format: "pdf" }), fails("trap"));
      await assert.rejects(worker.render(HELLO, { format: "pdf" }), fails("trap"));
      assert.deepEqual(engine.render(HELLO).data, (await worker.render(HELLO)).data);
    }
    worker.dispose();
  });

  test("memory does not grow over 10,000 labels", { timeout: 600_000 }, async () => {
    const engine = await createEngine({ limits: { milliseconds: 0 } });
    const draw = (i) => engine.render(`^XA^FO9,9^A0N,${20 + (i % 7)}^FD${i} ${"abc".repeat(i % 9)}^FS^FO9,50^BCN,50^FD${i}^FS^XZ`, { widthMm: 25, heightMm: 15, quality: i % 9 ? "bitonal" : "grayscale" });
    for (let i = 0; i < 1000; i++) draw(i);
    const { bytes } = engine.instance;
    for (let i = 1000; i < 10_000; i++) draw(i);
    assert.ok(engine.instance.bytes <= bytes + 2 ** 20, `${bytes} then ${engine.instance.bytes}`);
    assert.ok(engine.instance.bytes < 48 * 2 ** 20, `${engine.instance.bytes}`);
  });

  test("an instance that a large label made large is replaced", async () => {
    const engine = await createEngine({ limits: { keepBytes: 24 * 2 ** 20 } });
    engine.render("^XA^FO1,1^GB9,9^FS^XZ", { widthMm: 1200, heightMm: 1200, dpmm: 8, quality: "grayscale", rotation: 90 });
    assert.equal(engine.instance, undefined);
    assert.ok(isPng(engine.render(HELLO).data));
  });

  test("names the fonts that a label needs, and draws with them when they are there", async () => {
    const engine = await createEngine();
    const zpl = "^XA^CI28^FO50,50^A0N,60^FDПривет 中文 שלום^FS^XZ";
    const without = engine.render(zpl);
    assert.deepEqual([...without.missingFonts].sort(), ["DroidSansFallbackFull.ttf", "NotoSans-Bold.ttf", "NotoSansHebrew-Bold.ttf"]);
    assert.ok(without.warnings.some((warning) => warning.code === "glyph_missing"));
    engine.addFonts(await loadFonts(without.missingFonts));
    const withThem = engine.render(zpl);
    assert.deepEqual([withThem.missingFonts, withThem.warnings], [[], []]);
    assert.notDeepEqual(withThem.data, without.data);
  });

  test("a font that is none, or cut off, does no harm: it is named, and stays missing", async () => {
    const cyrillic = "^XA^CI28^FO50,50^A0N,60^FDПривет^FS^XZ";
    const name = "NotoSans-Bold.ttf";
    const [whole] = await loadFonts([name]);
    const broken = {
      empty: new Uint8Array(0),
      zeros: new Uint8Array(100),
      noise: new Uint8Array(5000).fill(7),
      html: new TextEncoder().encode("<!doctype html><title>Not found</title>".repeat(50)),
      cut: whole.data.subarray(0, whole.data.length >> 1),
      "cut at its end": whole.data.subarray(0, -100),
    };
    const engine = await createEngine();
    const without = engine.render(cyrillic);
    for (const [kind, data] of Object.entries(broken)) {
      assert.deepEqual((await createEngine({ fonts: [{ name, data }] })).render(cyrillic).missingFonts, [name], kind);
      assert.deepEqual(engine.addFonts([{ name, data }]), [name], kind);
      const answer = engine.render(cyrillic);
      assert.deepEqual([answer.missingFonts, answer.data], [[name], without.data], kind);
    }
    const [thai] = await loadFonts(["NotoSansThai-Bold.ttf"]);
    assert.deepEqual(engine.addFonts([{ name, data: broken.html }, thai]), [name], "the others are taken");
    assert.deepEqual(engine.render("^XA^CI28^FO50,50^A0N,60^FDไทย^FS^XZ").missingFonts, []);
    assert.deepEqual(engine.addFonts([whole]), []);
    const right = engine.render(cyrillic);
    assert.deepEqual(right.missingFonts, []);
    assert.deepEqual(engine.addFonts([{ name, data: broken.cut }]), [name]);
    assert.deepEqual(engine.render(cyrillic).data, right.data, "a broken one does not take the place of a good one");
  });

  test("the missing fonts of a page are its own; those of a document are all", async () => {
    const engine = await createEngine();
    const zpl = ["Привет", "Latin", "中文", "Привет"].map((text) => `^XA^CI28^FO50,50^A0N,60^FD${text}^FS^XZ`).join("");
    const pages = engine.renderAll(zpl, { widthMm: 50, heightMm: 20 }).map((page) => page.missingFonts);
    assert.deepEqual(pages, [["NotoSans-Bold.ttf"], [], ["DroidSansFallbackFull.ttf"], ["NotoSans-Bold.ttf"]]);
    for (const format of ["pdf", "json"]) assert.deepEqual(engine.render(zpl, { format }).missingFonts, ["NotoSans-Bold.ttf", "DroidSansFallbackFull.ttf"], format);
    assert.deepEqual(engine.describe(zpl).missingFonts, ["NotoSans-Bold.ttf", "DroidSansFallbackFull.ttf"]);
  });
});

describe("the worker engine", () => {
  test("gives the same bytes, loads fonts by itself, and ends", async () => {
    const here = await createEngine();
    const engine = await createWorkerEngine({ fontFolder });
    assert.deepEqual((await engine.render(HELLO)).data, here.render(HELLO).data);
    assert.deepEqual((await engine.renderAll(HELLO + HELLO)).length, 2);
    assert.equal((await engine.describe(HELLO)).labels.length, 1);
    assert.ok((await engine.commands()).length > 200);
    assert.ok((await engine.printerModels()).length > 10);
    assert.deepEqual((await engine.render("^XA^CI28^FO50,50^A0N,60^FD中文^FS^XZ")).missingFonts, []);
    await assert.rejects(engine.render("nothing"), fails("no_labels"));
    engine.dispose();
    await assert.rejects(engine.render(HELLO), fails("disposed"));
  });

  test("cancelling ends what is under way; what waits is drawn by a new worker", async () => {
    const engine = await createWorkerEngine({ limits: { milliseconds: 60_000 } });
    const slow = `^XA${"^FO1,1^GB5000,5000,2000^FS".repeat(19_000)}^XZ`;
    const controller = new AbortController();
    const late = engine.render(slow, { signal: controller.signal, quality: "grayscale", widthMm: 1200, heightMm: 1200 });
    const next = engine.render(HELLO);
    const gone = engine.render(HELLO, { signal: AbortSignal.abort() });
    setTimeout(() => controller.abort(), 50);
    const [, , drawn] = await Promise.all([assert.rejects(late, fails("cancelled")), assert.rejects(gone, fails("cancelled")), next]);
    assert.ok(isPng(drawn.data));
    engine.dispose();
  });

  test("a module that is not there is an error, not a silence", async () => {
    await assert.rejects(createWorkerEngine({ wasm: new URL("none.wasm", import.meta.url) }), fails("load"));
    await assert.rejects(createEngine({ wasm: new Uint8Array(8) }), fails("load"));
  });
});

describe("the interface of zpl-renderer-js", () => {
  test("that package's examples run: one label, several labels, the functions by themselves", async () => {
    const { api } = await dropIn.ready;
    const label = await api.zplToBase64Async("^XA^FO50,50^ADN,36,20^FDHello^FS^XZ");
    const bytes = Buffer.from(label, "base64");
    assert.ok(isPng(bytes));
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [812, 1624]);
    const labels = await api.zplToBase64MultipleAsync("^XA^FO50,50^ADN,36,20^FDLabel 1^FS^XZ^XA^FO50,50^ADN,36,20^FDLabel 2^FS^XZ");
    assert.equal(labels.length, 2);
    assert.notEqual(labels[0], labels[1]);
    assert.equal(await dropIn.zplToBase64Async(HELLO, 50, 25, 12), await dropIn.Render(HELLO, 50, 25, 12));
    assert.equal((await dropIn.getApi()).Render(HELLO), await dropIn.zplToBase64Async(HELLO));
    await assert.rejects(api.zplToBase64Async("no label"));
  });

  test("require() finds it, too", async () => {
    const required = createRequire(import.meta.url)("../../packages/platen/dist/zpl-renderer-js.cjs");
    const { api } = await required.ready;
    assert.deepEqual(Object.keys(required).sort(), Object.keys(dropIn).sort(), "what the types declare is there");
    assert.equal(required.ZEBRASH_VERSION, dropIn.ZEBRASH_VERSION);
    assert.equal(await required.zplToBase64Async(HELLO), await api.zplToBase64Async(HELLO));
  });
});

test("an import alone does not end a program whose module is missing", async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "platen-no-module-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.cpSync("packages/platen", folder, { recursive: true });
  fs.rmSync(path.join(folder, "dist/platen.wasm"));
  for (const [name, line] of [["a.mjs", 'const { ready } = await import("./dist/zpl-renderer-js.js");'], ["a.cjs", 'const { ready } = require("./dist/zpl-renderer-js.cjs");']]) {
    fs.writeFileSync(path.join(folder, name), `${line}\nsetTimeout(() => ready.catch((error) => console.log(error.code)), 300);`);
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder });
    assert.equal(stdout, "load\n", name);
  }
});

test("a bundler may make a plain script of the worker: it waits for nothing at its top level", async () => {
  const worker = fileURLToPath(new URL("../../packages/platen/dist/worker.js", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [worker], bundle: true, format: "iife", write: false, logLevel: "silent" });
  assert.ok(outputFiles[0].text.length > 1000);
});

test("the package has what it needs: module, types, licences, versions of the libraries", () => {
  for (const name of ["dist/index.js", "dist/index.d.ts", "dist/worker.js", "dist/platen.wasm", "licenses/freetype.txt", "licenses/harfbuzz.txt", "licenses/OFL-1.1.txt", "LICENSE", "THIRD-PARTY.md", "README.md"]) {
    assert.ok(fs.existsSync(`packages/platen/${name}`), name);
  }
  const { libraries } = JSON.parse(fs.readFileSync("packages/platen/dist/libraries.json", "utf8"));
  assert.deepEqual(Object.keys(libraries), ["freetype", "harfbuzz", "libdeflate", "zint"]);
});
