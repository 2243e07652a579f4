// Browser tests of the page between two versions: kept files that are old, files that are cut off, a service that is away behind a proxy,
// a module that cannot be loaded, a worker of another version.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileServer } from "./file-server.js";
import { darkness, launch, openPage, rendered, replaceCode, Service, until } from "./label-fixture.js";

const DIST = "web/dist";
const drawer = (page) => page.textContent("#status-drawer");
const versionOf = (folder) => /main\.js\?v=(\w+)/.exec(fs.readFileSync(path.join(folder, "index.html"), "utf8"))[1];
const sha256 = (bytes) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;

/** The page as a later build would make it: another script, with the names and digests that go with it. */
function nextVersion(folder) {
  fs.cpSync(DIST, folder, { recursive: true });
  const at = (name) => path.join(folder, name);
  const edit = (name, change) => fs.writeFileSync(at(name), change(fs.readFileSync(at(name), "utf8")));
  const [version, script] = [versionOf(DIST), fs.readFileSync(at("main.js"))];
  const changed = Buffer.concat([script, Buffer.from("\nglobalThis.isNextVersion = true;")]);
  fs.writeFileSync(at("main.js"), changed);
  const later = [...version].reverse().join("");
  edit("index.html", (text) => text.replaceAll(version, later).replace("<title>", "<title>Next "));
  edit("service-worker.js", (text) => {
    assert.ok(text.includes(sha256(script)), "the service worker knows the digest of main.js");
    return text.replaceAll(version, later).replaceAll(sha256(script), sha256(changed));
  });
}

const controlled = (page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
  });

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
      await page.keyboard.type(" ");
      await page.waitForTimeout(250);
    }
    await rendered(page);
    assert.equal(await drawer(page), "Drawn by the service");
    assert.equal(fetched, 1);
    await context.close();
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
      await page.keyboard.type(" ");
      await page.waitForTimeout(300);
      return (await drawer(page)) === "Drawn here";
    });
    other = true;
    // The browser ends a worker, as it does where there is no memory.
    await page.evaluate(() => globalThis.lastWorker.dispatchEvent(new ErrorEvent("error", { message: "gone" })));
    await replaceCode(page, "^XA^FO50,50^A0N,300^FDafter^FS^XZ");
    await until("the service draws", async () => (await drawer(page)) === "Drawn by the service" && (await darkness(page)) > 5000);
    assert.ok(replaced > 0, "a worker of another version was loaded");
    await context.close();
  });
});
