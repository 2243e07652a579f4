// The npm package in hostile hands: wrong arguments, calls that cross, workers that are ended while they start, fonts that do not come.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import http from "node:http";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { createEngine, createWorkerEngine, PlatenError } from "../../packages/platen/dist/index.js";
import { fontFolder, loadFonts } from "../../packages/platen-fonts/index.js";

const HELLO = "^XA^FO50,50^A0N,60,60^FDHello^FS^XZ";
const CYRILLIC = "^XA^CI28^FO50,50^A0N,60^FDПривет^FS^XZ";
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const fails = (code) => (error) => {
  assert.ok(error instanceof PlatenError, String(error?.stack ?? error));
  assert.equal(error.code, code, error.message);
  return true;
};
const KINDS = { engine: createEngine, "worker engine": createWorkerEngine };
/** A call that never ends would otherwise end the whole run. */
const soon = (promise, milliseconds = 180_000) => {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no answer")), milliseconds)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};
/** As a promise, whichever engine it is. */
const call = async (engine, name, ...values) => soon(Promise.resolve(engine[name](...values)));

for (const [kind, create] of Object.entries(KINDS)) {
  describe(`the ${kind} is misused`, () => {
    test("code that is no code is an invalid argument, not a broken renderer", async () => {
      const engine = await create();
      for (const zpl of [undefined, null, 5, {}, [94, 88, 65]]) await assert.rejects(call(engine, "render", zpl), fails("invalid"), String(zpl));
      const { data } = await call(engine, "render", HELLO);
      const bytes = new TextEncoder().encode(HELLO);
      for (const zpl of [bytes, bytes.buffer, Buffer.from(HELLO)]) assert.deepEqual((await call(engine, "render", zpl)).data, data);
      engine.dispose();
    });

    test("bytes that were transferred to somebody else are an invalid argument", async () => {
      const engine = await create();
      const gone = () => {
        const bytes = new TextEncoder().encode(HELLO);
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        return bytes;
      };
      for (const code of [gone(), gone().buffer]) await assert.rejects(async () => call(engine, "render", code), fails("invalid"));
      await assert.rejects(async () => call(engine, "addFonts", [{ name: "a.ttf", data: gone() }]), fails("invalid"));
      engine.dispose();
    });

    test("fonts belong to the engine: their owner may transfer or change the bytes", async () => {
      const [first, second] = await loadFonts(["NotoSans-Bold.ttf", "NotoSansThai-Bold.ttf"]);
      const fonts = [first, second].map(({ name, data }) => ({ name, data: new Uint8Array(data) }));
      // Every call leaves an instance that is replaced.
      const engine = await create({ fonts: [fonts[0]], limits: { keepBytes: 0 } });
      await call(engine, "addFonts", [fonts[1]]);
      structuredClone(fonts[0].data.buffer, { transfer: [fonts[0].data.buffer] });
      fonts[1].data.fill(0);
      for (let i = 0; i < 3; i++) {
        // A cancelled call leaves a new worker.
        const controller = new AbortController();
        const cancelled = Promise.resolve(call(engine, "render", HELLO, { signal: controller.signal })).catch(() => undefined);
        controller.abort();
        await cancelled;
        const { missingFonts } = await call(engine, "render", "^XA^CI28^FO50,50^A0N,60^FDПривет ไทย^FS^XZ");
        assert.deepEqual(missingFonts, []);
      }
      engine.dispose();
    });

    test("options of wrong types are told; null is none", async () => {
      const engine = await create();
      assert.ok((await call(engine, "render", HELLO, null)).data.length > 100);
      assert.equal((await call(engine, "describe", HELLO, null)).count, 1);
      const wrong = [7, "png", { jpegQuality: 0.5 }, { jpegQuality: 500 }, { jpegQuality: "high" }, { time: 1e300 }, { time: Number.NaN }, { time: "2026-02-31T00:00:00" }, { time: "0000-12-31" }, { time: 1763370000.5 }, { dpmm: 8n }, { verify: "yes" }, { format: null }];
      for (const options of wrong) await assert.rejects(call(engine, "render", HELLO, options), fails("invalid"), String(Object.entries(options)));
      await assert.rejects(call(engine, "render", HELLO, { page: 2 ** 32 }), fails("not_found"));
      // A message is one sentence with one full stop, whether the library or a control says it.
      await assert.rejects(call(engine, "render", HELLO, { verify: "x" }), { message: `'verify' must be true or false; it is the string "x".` });
      // What was no JSON was told as "an array", and a part of a second was dropped.
      const { data } = await call(engine, "render", HELLO);
      assert.deepEqual((await call(engine, "render", HELLO, { widthMm: null, time: null, verify: undefined })).data, data);
      const told = [[{ widthMm: Number.NaN }, "'widthMm' must not be NaN."], [{ dpmm: Infinity }, "'dpmm' must not be Infinity."],
        [{ dpmm: 8n }, "'dpmm' must not be a bigint."], [{ widthMm: [] }, "'widthMm' must be a number above 0; it is an array."],
        [{ widthMm: { mm: 5 } }, "'widthMm' must be a number above 0; it is an object."],
        [{ time: 1763370000.5 }, "'time' must be a time such as 2026-11-15T09:30:00, or seconds since 1970; it is 1763370000.5."]];
      for (const [options, message] of told) await assert.rejects(call(engine, "render", HELLO, options), { message });
      await assert.rejects(call(engine, "render", HELLO, { widthMm: 1e6 }), { message: /^[A-Z][^.]*[^.]\.$/ });
      engine.dispose();
    });

    test("times are those of the service", async () => {
      const engine = await create();
      const clock = "^XA^FO9,9^A0N,50^FC%^FD%Y-%m-%d %H:%M:%S^FS^XZ";
      const draw = async (time) => (await call(engine, "render", clock, { time })).data;
      const midnight = await draw(Date.UTC(2026, 10, 15) / 1000);
      for (const time of ["2026-11-15", "2026-11-15T00:00", "2026-11-15 00:00:00", "2026-11-15T00:00:00Z"]) assert.deepEqual(await draw(time), midnight, time);
      engine.dispose();
    });

    test("limits that are no numbers are refused; endless ones are none", async () => {
      for (const limits of [{ milliseconds: Number.NaN }, { milliseconds: "5" }, { memoryBytes: -1 }, { inputBytes: "x" }, { millisecond: 5 }]) {
        await assert.rejects(soon(create({ limits })), fails("invalid"), JSON.stringify(limits));
      }
      for (const limits of [{ milliseconds: Infinity }, { milliseconds: 2 ** 40 }, { memoryBytes: Infinity }, { inputBytes: Infinity }]) {
        const engine = await soon(create({ limits }));
        assert.ok((await call(engine, "render", HELLO)).data.length > 100, JSON.stringify(limits));
        engine.dispose();
      }
    });

    test("a module of something else is an error of loading", async () => {
      for (const wasm of [EMPTY_MODULE, await WebAssembly.compile(EMPTY_MODULE), {}, 5]) await assert.rejects(soon(create({ wasm })), fails("load"));
    });

    test("fonts that cannot be taken leave the engine as it was", async () => {
      const engine = await create({ limits: { memoryBytes: 32 * 2 ** 20 } });
      const wrong = ["x", [null], [{}], [{ name: "a", data: "abc" }], [{ name: 5, data: new Uint8Array(5) }]];
      for (const fonts of wrong) await assert.rejects(async () => call(engine, "addFonts", fonts), fails("invalid"), JSON.stringify(fonts));
      const [{ data }] = await loadFonts(["NotoSansLao-Bold.ttf"]);
      const many = Array.from({ length: 70 }, (_, i) => ({ name: `font${i}.ttf`, data }));
      await assert.rejects(async () => call(engine, "addFonts", many), fails("limit"));
      await assert.rejects(async () => call(engine, "addFonts", [{ name: "large.ttf", data: new Uint8Array(40 * 2 ** 20) }]), fails("memory"));
      assert.ok((await call(engine, "render", HELLO)).data.length > 100);
      engine.dispose();
    });

    test("disposing twice is one end; every later call says so", async () => {
      const engine = await create();
      engine.dispose();
      engine.dispose();
      for (const name of ["render", "renderAll", "describe", "commands", "printerModels"]) await assert.rejects(async () => call(engine, name, HELLO), fails("disposed"), name);
      await assert.rejects(async () => call(engine, "addFonts", [{ name: "a.ttf", data: new Uint8Array(3) }]), fails("disposed"));
    });
  });
}

describe("the worker engine among many calls", () => {
  test("what cannot be sent to a worker fails alone; the next call is answered", async () => {
    const engine = await createWorkerEngine();
    await assert.rejects(call(engine, "render", HELLO, { format: () => "png" }), fails("invalid"));
    await assert.rejects(call(engine, "render", () => HELLO), fails("invalid"));
    await assert.rejects(call(engine, "render", HELLO, { signal: {} }), fails("invalid"));
    assert.ok((await call(engine, "render", HELLO, { signal: null })).data.length > 100);
    engine.dispose();
    await assert.rejects(engine.start(), fails("disposed"));
  });

  test("answers are never crossed, whatever is cancelled between them", { timeout: 600_000 }, async () => {
    const here = await createEngine();
    const engine = await createWorkerEngine();
    const label = (i) => `^XA^FO50,50^A0N,60,60^FD${i}^FS^XZ`;
    const small = { widthMm: 40, heightMm: 20 };
    let drawn = 0;
    await Promise.all(
      Array.from({ length: 150 }, async (_, i) => {
        const controller = new AbortController();
        if (i % 3 === 0) setTimeout(() => controller.abort(), i * 2);
        try {
          const { data } = await soon(engine.render(label(i), { ...small, signal: controller.signal, patience: i % 2 ? 0 : 15 }));
          assert.deepEqual(data, here.render(label(i), small).data);
          drawn++;
        } catch (error) {
          assert.ok(i % 3 === 0 && error.code === "cancelled", `${i}: ${error}`);
        }
      }),
    );
    assert.ok(drawn >= 100, `${drawn}`);
    engine.dispose();
  });

  test("bytes that their owner uses again belong to the call that had them", async () => {
    const engine = await createWorkerEngine();
    const bytes = new TextEncoder().encode(HELLO);
    const first = engine.commands(); // the others wait for it
    const drawn = engine.render(bytes);
    bytes.fill(0x20);
    await first;
    assert.deepEqual((await soon(drawn)).data, (await engine.render(HELLO)).data);
    engine.dispose();
  });

  // Each of these programs must end by itself, and in time: a worker that is left over would keep it, a promise without a timer would not.
  const program = async (lines) => {
    const start = `import { createWorkerEngine } from ${JSON.stringify(path.resolve("packages/platen/dist/index.js"))}; const HELLO = ${JSON.stringify(HELLO)};`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", start + lines], { timeout: 600_000 });
    return stdout.trim();
  };

  test("a program waits for its call, also without a time limit", async () => {
    assert.equal(await program("const engine = await createWorkerEngine({ limits: { milliseconds: 0 } }); console.log((await engine.render(HELLO)).widthPx);"), "812");
  });

  test("workers that are ended while they start leave nothing behind", async () => {
    const lines = `
      const { Worker } = await import("node:worker_threads");
      const workers = new Set();
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (...values) { if (!workers.has(this)) { workers.add(this); this.on("exit", () => workers.delete(this)); } return post.apply(this, values); };
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const engine = await createWorkerEngine();
      for (let i = 0; i < 30; i++) {
        const controller = new AbortController();
        const call = engine.render(HELLO, { signal: controller.signal });
        await pause(i * 4);
        controller.abort();
        await call.catch(() => undefined);
      }
      const ended = async (left) => { for (let i = 0; i < 1800 && workers.size > left; i++) await pause(100); return workers.size; };
      await engine.render(HELLO);
      const atWork = await ended(1);
      engine.dispose();
      console.log(atWork, await ended(0));`;
    assert.equal(await program(lines), "1 0");
  });
});

describe("fonts that come late, or not", () => {
  async function fontServer(t, answer) {
    const server = http.createServer(answer);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => (server.closeAllConnections(), server.close()));
    return `http://127.0.0.1:${server.address().port}/fonts`;
  }

  test("a font may take longer than a label", async (t) => {
    const bytes = await (await import("node:fs/promises")).readFile(new URL("NotoSans-Bold.ttf", fontFolder));
    const asked = [];
    // The folder is named without a slash at its end.
    const url = await fontServer(t, (request, response) => {
      asked.push(request.url);
      setTimeout(() => response.writeHead(200).end(bytes), 8000);
    });
    const engine = await createWorkerEngine({ fontFolder: url, limits: { milliseconds: 5000 } });
    const { missingFonts } = await soon(engine.render(CYRILLIC));
    assert.deepEqual([missingFonts, asked], [[], ["/fonts/NotoSans-Bold.ttf"]]);
    engine.dispose();
  });

  test("fonts that cannot be had are named, and the label is drawn without them", async (t) => {
    const url = await fontServer(t, (_, response) => response.writeHead(404).end());
    const engine = await createWorkerEngine({ fontFolder: url });
    assert.deepEqual((await soon(engine.render(CYRILLIC))).missingFonts, ["NotoSans-Bold.ttf"]);
    engine.dispose();
  });

  test("a host that answers everything with a page is as one that has no fonts", async (t) => {
    let asked = 0;
    const url = await fontServer(t, (_, response) => (asked++, response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Sign in</title>")));
    const engine = await createWorkerEngine({ fontFolder: url });
    for (let i = 0; i < 3; i++) assert.deepEqual((await soon(engine.render(CYRILLIC))).missingFonts, ["NotoSans-Bold.ttf"]);
    assert.equal(asked, 1, "it is not asked again at once");
    const [font] = await loadFonts(["NotoSans-Bold.ttf"]);
    assert.deepEqual(await engine.addFonts([{ name: font.name, data: new Uint8Array(100) }]), [font.name]);
    assert.deepEqual(await engine.addFonts([font]), []);
    assert.deepEqual((await soon(engine.render(CYRILLIC))).missingFonts, []);
    engine.dispose();
  });

  test("a font for which there is no memory does not keep out the others", async (t) => {
    const fs = await import("node:fs/promises");
    const large = new Uint8Array(40 * 2 ** 20);
    const url = await fontServer(t, async (request, response) => {
      const name = request.url.split("/").at(-1);
      response.writeHead(200).end(name.startsWith("Droid") ? large : await fs.readFile(new URL(name, fontFolder)));
    });
    const engine = await createWorkerEngine({ fontFolder: url, limits: { memoryBytes: 32 * 2 ** 20 } });
    const { missingFonts } = await soon(engine.render("^XA^CI28^FO50,50^A0N,60^FD中文 Привет^FS^XZ"));
    assert.deepEqual(missingFonts, ["DroidSansFallbackFull.ttf"]);
    engine.dispose();
  });
});
