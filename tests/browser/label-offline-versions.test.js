// Browser tests of the page between two versions: kept files that are old, files that are cut off, a service that is away behind a proxy,
// a module that cannot be loaded, a worker of another version.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileServer } from "./file-server.js";
import { closed, darkness, forgetAnswer, launch, openPage, rendered, replaceCode, Service, until } from "./label-fixture.js";

const DIST = "web/dist";
const drawer = (page) => page.textContent("#status-drawer");
const versionOf = (folder) => /main\.js\?v=(\w+)/.exec(fs.readFileSync(path.join(folder, "index.html"), "utf8"))[1];
const sha256 = (bytes) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;

const reversed = (text) => [...text].reverse().join("");

/** The page as a later build would make it: another script, other names of all parts, and the names and digests that go with them. `renewed`: another name of the same length. */
function nextVersion(folder, renewed = reversed) {
  fs.cpSync(DIST, folder, { recursive: true });
  const at = (name) => path.join(folder, name);
  const edit = (name, change) => fs.writeFileSync(at(name), change(fs.readFileSync(at(name), "utf8")));
  const version = versionOf(DIST);
  const renamed = (text) => text.replace(/\bpart-(\w{8})\.js/g, (_, digest) => `part-${renewed(digest)}.js`);
  const digests = new Map();
  const scripts = fs.readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "service-worker.js");
  assert.ok(scripts.some((name) => name.startsWith("part-")), "the page has parts");
  for (const name of scripts) {
    const before = fs.readFileSync(at(name));
    edit(name, (text) => renamed(text) + (name === "main.js" ? "\nglobalThis.isNextVersion = true;" : ""));
    digests.set(sha256(before), sha256(fs.readFileSync(at(name))));
    fs.renameSync(at(name), at(renamed(name)));
  }
  edit("index.html", (text) => renamed(text).replaceAll(version, renewed(version)).replace("<title>", "<title>Next "));
  edit("service-worker.js", (text) => {
    for (const [before, after] of digests) {
      assert.ok(text.includes(before), "the service worker knows the digest of each script");
      text = text.replaceAll(before, after);
    }
    return renamed(text).replaceAll(version, renewed(version));
  });
}

const controlled = (page) => until("a service worker is in charge", () => page.evaluate(() => navigator.serviceWorker.controller !== null));

describe("the page between two versions", () => {
  let browser;
  let next;

  before(async () => {
    browser = await launch();
    next = fs.mkdtempSync(path.join(os.tmpdir(), "platen-next-"));
    nextVersion(next);
  });

  after(async () => {
    await browser?.close();
    fs.rmSync(next, { recursive: true, force: true });
  });

  const kept = async (host) => {
    const view = await openPage(browser, undefined, { url: host.url, drawing: "" });
    await rendered(view.page);
    await controlled(view.page);
    return view;
  };

  test("a new page gets its own scripts, not those that are kept; then it is kept itself", async () => {
    const host = await fileServer(DIST);
    const view = await kept(host);
    host.folder = next;
    await view.page.reload();
    await rendered(view.page);
    assert.equal(await view.page.evaluate(() => globalThis.isNextVersion === true), true, "the next page has the next script");
    const name = `platen-page-${versionOf(next)}`;
    await until("the next version is kept", () => view.page.evaluate(async (cache) => (await caches.has(cache)) && (await (await caches.open(cache)).keys()).length > 5, name));
    await until("its service worker is in charge", () => view.page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).waiting === null && (await navigator.serviceWorker.getRegistration()).installing === null));
    await host.stop();
    await view.page.reload();
    await rendered(view.page);
    assert.equal(await view.page.evaluate(() => globalThis.isNextVersion === true), true, "kept");
    assert.equal(await drawer(view.page), "Drawn here");
    await view.close();
  });

  /** Another version is there, and its service worker is in charge. */
  const updated = async (page, folder) => {
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await until("the other version is kept", () => page.evaluate(async (cache) => (await caches.has(cache)) && (await (await caches.open(cache)).keys()).length > 5, `platen-page-${versionOf(folder)}`));
    await until("its service worker is in charge", () =>
      page.evaluate(async () => {
        const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
        return !installing && !waiting && active.state === "activated" && navigator.serviceWorker.controller === active;
      }),
    );
  };

  test("a page that is open keeps its windows when a new version takes over, and when the old one comes back", async () => {
    const host = await fileServer(DIST);
    const view = await kept(host);
    host.folder = next;
    await updated(view.page, next);
    host.asked.length = 0;
    await view.page.click("#samples");
    await until("a window of the old version", () => view.page.isVisible(".gallery"));
    assert.equal(host.asked.some((name) => name.startsWith("part-")), false, "no part is asked of a host that has it no more");
    view.clean();
    host.folder = path.resolve(DIST);
    await updated(view.page, DIST);
    await host.stop();
    await view.page.reload();
    await rendered(view.page);
    assert.equal(await view.page.evaluate(() => globalThis.isNextVersion === true), false, "the old one is kept again");
    await view.close();
  });

  test("of older versions those stay that were in charge last, whenever they came first", async (t) => {
    const third = fs.mkdtempSync(path.join(os.tmpdir(), "platen-third-"));
    t.after(() => fs.rmSync(third, { recursive: true }));
    nextVersion(third, (text) => text.slice(1) + text[0]);
    const host = await fileServer(DIST);
    t.after(() => host.stop());
    const view = await kept(host);
    t.after(() => view.close());
    for (const folder of [next, path.resolve(DIST)]) {
      host.folder = folder;
      await updated(view.page, folder);
    }
    await view.page.evaluate(() => caches.open("platen-page-that-never-was-in-charge"));
    host.folder = third;
    await updated(view.page, third);
    const names = () => view.page.evaluate(() => caches.keys());
    await until("one is gone", async () => (await names()).length === 3);
    assert.deepEqual((await names()).sort(), [DIST, next, third].map((folder) => `platen-page-${versionOf(folder)}`).sort());
  });

  test("fonts are kept once they were needed, also over an update; a page in the place of one is not", async () => {
    const host = await fileServer(DIST);
    const cyrillic = { zpl: "^XA^CI28^FO50,50^A0N,80^FDПривет^FS^XZ", name: "test.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } };
    const view = await kept(host);
    const keptFonts = () => view.page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat().filter((url) => url.includes("/fonts/")));
    host.instead = (name, _, response) => name.endsWith(".ttf") && (response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Sign in</h1>"), true);
    await replaceCode(view.page, cyrillic.zpl);
    await until("the font was asked for", () => host.asked.includes("NotoSans-Bold.ttf"));
    await rendered(view.page);
    assert.deepEqual(await keptFonts(), []);
    host.instead = undefined;
    await view.page.reload(); // a new worker
    await until("the font is kept", async () => (await keptFonts()).length === 1);
    host.folder = next;
    await updated(view.page, next);
    await host.stop();
    const asked = host.asked.length;
    await view.page.reload();
    await rendered(view.page);
    await until("the font is kept by the next version, too", async () => (await keptFonts()).length === 2);
    assert.equal(host.asked.length, asked);
    await view.close();
  });

  test("a browser without room for a font draws with it all the same", async () => {
    const host = await fileServer(DIST);
    const view = await kept(host);
    const control = await view.context.newCDPSession(view.page);
    await control.send("Storage.overrideQuotaForOrigin", { origin: new URL(host.url).origin, quotaSize: 1 });
    const refused = await view.page.evaluate(() => caches.open("test").then((cache) => cache.put("x", new Response("x".repeat(100_000)))).then(() => "", (error) => error.name));
    assert.equal(refused, "QuotaExceededError");
    await replaceCode(view.page, "^XA^CI28^FO50,50^A0N,80^FD中文^FS^XZ");
    await until("the font was asked for", () => host.asked.includes("DroidSansFallbackFull.ttf"));
    await rendered(view.page);
    await until("no letter is missing", async () => (await view.page.textContent("#status-problems")) === "No problems");
    await view.close();
    await host.stop();
  });

  test("a version that arrives cut off is not kept; the one before serves on", async () => {
    const host = await fileServer(DIST);
    const view = await kept(host);
    host.folder = next;
    host.asked.length = 0;
    host.instead = (name, bytes, response) => {
      if (name !== "platen.wasm") return false;
      response.writeHead(200, { "Content-Type": "application/wasm" }).end(bytes.subarray(0, bytes.length / 2));
      return true;
    };
    await view.page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update().catch(() => undefined));
    await until("it was tried", () => host.asked.includes("platen.wasm"));
    await until("it was given up", () => view.page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).installing === null));
    assert.equal(await view.page.evaluate((cache) => caches.has(cache), `platen-page-${versionOf(next)}`), false);
    await host.stop();
    await view.page.reload();
    await rendered(view.page);
    assert.ok((await darkness(view.page)) > 2000);
    await view.close();
  });

  test("an error of a proxy in place of the page opens the kept one", async () => {
    const host = await fileServer(DIST);
    const view = await kept(host);
    host.instead = (name, _, response) => (response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>"), true);
    await view.page.reload();
    await rendered(view.page);
    assert.equal(await drawer(view.page), "Drawn here");
    await view.close();
    await host.stop();
  });
});

describe("the page with a service, and a renderer of its own that fails", () => {
  let service;
  let browser;
  let hasModule;

  before(async () => {
    service = await Service.start();
    browser = await launch();
    hasModule = (await fetch(`${service.url}platen.wasm`)).status === 200;
  });

  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("a module that is cut off is not fetched at every key", async (t) => {
    if (!hasModule) return t.skip("the program was built without the module");
    let fetched = 0;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route(/platen\.wasm/, (route) => {
      fetched++;
      return route.fulfill({ status: 200, contentType: "application/wasm", body: Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0]) });
    });
    await page.goto(service.url);
    await rendered(page);
    await until("it was tried", () => fetched > 0);
    await page.click(".cm-content");
    for (let i = 0; i < 8; i++) {
      await forgetAnswer(page);
      await page.keyboard.type(" ");
      await rendered(page);
    }
    assert.equal(await drawer(page), "Drawn by the service");
    assert.equal(fetched, 1);
    await closed(context);
  });

  test("a new worker of another version than the page leaves the drawing to the service", async (t) => {
    if (!hasModule) return t.skip("the program was built without the module");
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const { Worker } = globalThis;
      globalThis.Worker = class extends Worker {
        constructor(...values) {
          super(...values);
          globalThis.lastWorker = this;
        }
      };
    });
    let other = false;
    let replaced = 0;
    await page.route(/draw-worker\.js/, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      // The digest of the build is the only string of this shape.
      const changed = other ? body.replace(/"[0-9a-f]{16}"/, '"0123456789abcdef"') : body;
      if (changed !== body) replaced++;
      await route.fulfill({ response, body: changed });
    });
    await page.goto(service.url);
    await rendered(page);
    await until("this browser draws", async () => {
      await page.click(".cm-content");
      await forgetAnswer(page);
      await page.keyboard.type(" ");
      await rendered(page);
      return (await drawer(page)) === "Drawn here";
    });
    other = true;
    // The browser ends a worker, as it does where there is no memory.
    await page.evaluate(() => globalThis.lastWorker.dispatchEvent(new ErrorEvent("error", { message: "gone" })));
    await replaceCode(page, "^XA^FO50,50^A0N,300^FDafter^FS^XZ");
    await until("the service draws", async () => (await drawer(page)) === "Drawn by the service" && (await darkness(page)) > 5000);
    assert.ok(replaced > 0, "a worker of another version was loaded");
    await closed(context);
  });
});
