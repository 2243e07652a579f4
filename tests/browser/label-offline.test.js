// Browser tests of the page that draws by itself: hosted without a service, with a service that goes away, offline, broken labels, speed.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { trappingModule } from "../wasm/trapping-module.js";
import { fileServer } from "./file-server.js";
import { ask, darkness, forgetAnswer, keptWork, launch, openPage, rendered, replaceCode, Service, until as reached } from "./label-fixture.js";

const until = (condition) => reached(String(condition), condition);

const DIST = "web/dist";
const shared = process.env.PLATEN_SHARED ?? "../shared";

/** A field of its own that is typed into. */
const FIELD = "^XA^FO30,30^A0N,40^FD";
/**
 * Runs in the page. `keys` has for each key what came between its event and the picture that holds it: the time, and the tasks of
 * the page that were begun.
 */
function watchKeys() {
  globalThis.keys = [];
  let key;
  let task = 0;
  // A message to oneself begins a task after the one that is under way, before timers and frames.
  const own = new MessageChannel();
  own.port1.onmessage = () => task++;
  const mark = () => (own.port2.postMessage(0), task);
  addEventListener("keydown", () => {
    const taken = document.getElementById("status-time").textContent; // of the label before
    key = { pressed: performance.now(), task: undefined, answers: 0, answered: undefined, files: 0, taken };
  }, true);
  addEventListener("input", () => key && (key.task = mark()), true);
  // A listener of the test would be called after the page's own; the page reads what the worker says.
  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
  const heard = new WeakSet();
  Object.defineProperty(MessageEvent.prototype, "data", {
    get() {
      if (key && this.target instanceof Worker && !heard.has(this)) {
        heard.add(this);
        key.answers++;
        key.answered = mark();
      }
      return data.get.call(this);
    },
  });
  const decode = globalThis.createImageBitmap;
  globalThis.createImageBitmap = (source, ...values) => {
    if (key && source instanceof Blob) key.files++;
    return decode(source, ...values);
  };
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...values) {
    const answer = draw.apply(this, values);
    // What is painted in the task of the key, before the editor shows the letter, has it already; else it comes from the worker.
    if (key && this.canvas.id === "label" && (key.task === task || key.answers > 0)) {
      globalThis.keys.push({ ...key, time: performance.now() - key.pressed, drawn: task });
      key = undefined;
    }
    return answer;
  };
}

/** Runs in the page before it: its clock goes so slowly that no machine is too busy for what it does at once. */
function slowClock() {
  const now = performance.now.bind(performance);
  performance.now = () => now() / 100;
}

const drawer = (page) => page.textContent("#status-drawer");
const work = (zpl) => ({ zpl, name: "test.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } });
const typeAtEnd = async (page, text) => {
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
};

describe("the page draws by itself", () => {
  let host;
  let browser;

  before(async () => {
    assert.ok(fs.existsSync(path.join(DIST, "platen.wasm")), "web/dist is missing: tools/wasm makes it");
    host = await fileServer(DIST);
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await host?.stop();
  });

  test("from any file server, without a service, and says so", async () => {
    const view = await openPage(browser, undefined, { url: host.url, drawing: "" });
    await rendered(view.page);
    assert.ok((await darkness(view.page)) > 2000);
    assert.equal(await drawer(view.page), "Drawn here");
    await until(async () => (await view.page.locator("#printer-model option").count()) > 10);
    view.clean();
    await view.close();
  });

  test("all formats can be taken away", async () => {
    const view = await openPage(browser, undefined, { url: host.url, drawing: "" });
    await rendered(view.page);
    for (const format of ["png", "jpeg", "webp", "pdf", "json", "base64"]) {
      await view.page.click("#export");
      const [download] = await Promise.all([view.page.waitForEvent("download"), view.page.click(`#export-${format}`)]);
      assert.ok(fs.statSync(await download.path()).size > 500, format);
    }
    view.clean();
    await view.close();
  });

  test("what only a service can do is not offered, or the page says why it is not done", async () => {
    const view = await openPage(browser, undefined, { url: host.url, drawing: "" });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    for (const id of ["copy-as", "export-zip", "export-sheets"]) assert.equal(await page.locator(`#${id}`).count(), 0, id);
    await page.keyboard.press("Escape");
    await page.setInputFiles("#file", { name: "dots.pbm", mimeType: "image/x-portable-bitmap", buffer: Buffer.from("P1\n1 1\n1\n") });
    await page.locator(".toast", { hasText: "dots.pbm is a picture, and this page has no service" }).waitFor();
    await page.click("#mode-edit");
    await page.locator("#tool-bar button", { hasText: "Insert" }).click();
    await page.locator("#insert-box").waitFor();
    assert.equal(await page.locator("#insert-picture").count(), 0);
    await page.keyboard.press("Escape");
    await page.click("#code-menu");
    await page.click("#compare");
    await page.locator("#compare-summary", { hasText: /differ|same/ }).waitFor();
    view.clean();
    await view.close();
  });

  test("letters of other scripts are drawn with fonts that are loaded when they are needed", async () => {
    const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work("^XA^CI28^FO50,50^A0N,80^FD中文^FS^XZ") });
    await rendered(view.page);
    await until(async () => (await view.page.textContent("#status-problems")) === "No problems");
    await view.close();
  });

  test("a second visit needs no net", async () => {
    const own = await fileServer(DIST);
    const view = await openPage(browser, undefined, { url: own.url, drawing: "" });
    await rendered(view.page);
    await until(() => view.page.evaluate(() => navigator.serviceWorker.controller !== null));
    await own.stop();
    await view.page.reload();
    await rendered(view.page);
    assert.ok((await darkness(view.page)) > 2000);
    assert.equal(await drawer(view.page), "Drawn here");
    // Nor does another language, that was not used before.
    await view.page.goto(`${own.url}?lang=zh`);
    await rendered(view.page);
    assert.equal(await view.page.getAttribute("html", "lang"), "zh-Hans");
    assert.equal(await drawer(view.page), "在此绘制");
    await view.close();
  });

  test("a second visit needs no net where the host redirects, and where the page was opened by its file's name", async () => {
    const own = await fileServer(DIST);
    own.instead = (_, __, response, address) => address === "/" && (response.writeHead(302, { Location: "/index.html" }).end(), true);
    const view = await openPage(browser, undefined, { url: own.url, drawing: "" });
    await rendered(view.page);
    await until(() => view.page.evaluate(() => navigator.serviceWorker.controller !== null));
    await own.stop();
    for (const address of ["", "index.html", "?lang=de"]) {
      await view.page.goto(own.url + address);
      await rendered(view.page);
      assert.ok((await darkness(view.page)) > 2000, address);
    }
    await view.close();
  });

  test("it can be installed: manifest with a name, an icon and a start", async () => {
    const view = await openPage(browser, undefined, { url: host.url, drawing: "" });
    const href = await view.page.getAttribute("link[rel=manifest]", "href");
    const manifest = await (await fetch(new URL(href, host.url))).json();
    assert.equal(manifest.display, "standalone");
    assert.equal((await fetch(new URL(manifest.icons[0].src, host.url))).status, 200);
    await view.close();
  });

  test("a label that takes too long gives way to the next one", async () => {
    const countWorkers = () => {
      globalThis.workers = 0;
      const { Worker } = globalThis;
      globalThis.Worker = class extends Worker {
        constructor(...values) {
          super(...values);
          globalThis.workers++;
        }
      };
    };
    const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work("^XA^FO50,50^A0N,80^FDgood^FS^XZ"), init: countWorkers });
    await rendered(view.page);
    assert.equal(await view.page.evaluate(() => globalThis.workers), 1);
    // Seconds of work: thousands of symbols, each another one.
    const slow = `^XA${Array.from({ length: 19_000 }, (_, i) => `^FO1,1^BD2^FD001840123450000[)>01${i}^FS`).join("")}^XZ`;
    await view.page.evaluate((zpl) => navigator.clipboard.writeText(zpl), slow);
    await view.page.click(".cm-content");
    await view.page.keyboard.press("Control+A");
    await view.page.keyboard.press("Control+V");
    await until(async () => (await view.page.getAttribute("#desk", "aria-busy")) === "true");
    await view.page.evaluate(() => navigator.clipboard.writeText("^XA^FO50,50^A0N,200^FDback^FS^XZ"));
    await view.page.keyboard.press("Control+A");
    await view.page.keyboard.press("Control+V");
    await until(async () => (await view.page.textContent("#status-problems")) === "No problems" && (await darkness(view.page)) > 2000 && !(await view.page.isVisible("#notice")));
    assert.ok((await view.page.evaluate(() => globalThis.workers)) > 1, "the worker with the slow label was ended");
    await view.close();
  });

  test("a browser that keeps nothing and has no service workers draws as well", async () => {
    const refuse = () => {
      for (const [owner, name] of [[Navigator.prototype, "serviceWorker"], [globalThis, "localStorage"], [globalThis, "sessionStorage"], [globalThis, "indexedDB"], [globalThis, "caches"]]) {
        Object.defineProperty(owner, name, { configurable: true, get: () => { throw new DOMException("The operation is insecure.", "SecurityError"); } });
      }
    };
    const view = await openPage(browser, undefined, { url: host.url, drawing: "", init: refuse });
    await rendered(view.page);
    await replaceCode(view.page, "^XA^FO50,50^A0N,300^FDhere^FS^XZ");
    await until(async () => (await darkness(view.page)) > 5000 && !(await view.page.isVisible("#notice")));
    assert.equal(await drawer(view.page), "Drawn here");
    view.clean();
    await view.close();
  });

  test("a trap in the worker is told, and the page draws on", async () => {
    const own = await fileServer(DIST);
    const module = trappingModule("bridge_pdf");
    own.instead = (name, _, response) => name === "platen.wasm" && (response.writeHead(200, { "Content-Type": "application/wasm" }).end(module), true);
    const view = await openPage(browser, undefined, { url: own.url, drawing: "" });
    await rendered(view.page);
    await view.page.click("#export");
    await view.page.click("#export-pdf");
    await until(async () => /broke the renderer/.test(await view.page.textContent("body")));
    await replaceCode(view.page, "^XA^FO50,50^A0N,300^FDback^FS^XZ");
    await until(async () => (await darkness(view.page)) > 5000);
    assert.equal(await drawer(view.page), "Drawn here");
    await view.close();
    await own.stop();
  });

  test("a key press is in the picture before the editor shows the letter", async (t) => {
    const folder = path.join(shared, "labelary/carrier");
    if (!fs.existsSync(folder)) return t.skip(`no reference labels at ${shared}`);
    const keys = [];
    for (const name of ["ups", "dhlpaket"]) {
      const zpl = FIELD + fs.readFileSync(path.join(folder, `${name}.zpl`), "utf8").replace(/^[^]*?\^XA/, "^FS");
      const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work(zpl), init: slowClock });
      await rendered(view.page);
      await view.page.click(".cm-content");
      await view.page.keyboard.press("Control+Home");
      for (const _ of FIELD) await view.page.keyboard.press("ArrowRight");
      await view.page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300)))); // what is made ready for the first key
      await view.page.evaluate(watchKeys);
      for (let i = 1; i <= 15; i++) {
        await forgetAnswer(view.page);
        await view.page.keyboard.press("a");
        await until(async () => (await view.page.evaluate(() => globalThis.keys.length)) >= i);
        await rendered(view.page); // the rest of the answer
      }
      keys.push(...(await view.page.evaluate(() => globalThis.keys)));
      await view.close();
    }
    const atOnce = keys.filter((key) => key.answers === 0);
    // How long that takes is a matter of the machine. What is not: no pause, no frame, no file and no second answer is waited for.
    for (const key of keys) assert.deepEqual([key.answers <= 1, key.drawn === (key.answers === 0 ? key.task : key.answered), key.files], [true, true, 0], JSON.stringify(key));
    assert.ok(atOnce.length * 2 >= keys.length, `${atOnce.length} of ${keys.length} keys were drawn at once`);
  });

  test("a picture that follows keys is the one of a page that opens with the same code", async () => {
    const picture = (page) => page.evaluate(() => document.getElementById("label").toDataURL());
    const zpl = "^XA^FO30,30^A0N,40^FDtop^FS^FO30,1100^A0N,40^FDbottom^FS^XZ";
    const opened = async (text) => {
      const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work(text) });
      await rendered(view.page);
      return view;
    };
    const view = await opened(zpl);
    await view.page.click(".cm-content");
    await view.page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300))));
    let text = zpl;
    // At the top, at the bottom, there and back, and the whole label turned.
    for (const [place, keys, change] of [["top", ["x"], "topx"], ["bottom", ["y", "z"], "bottomyz"], ["topx", ["Backspace"], "top"], ["^XA", ["^", "P", "O", "I"], "^XA^POI"]]) {
      await view.page.keyboard.press("Control+Home");
      for (let i = 0; i < text.indexOf(place) + place.length; i++) await view.page.keyboard.press("ArrowRight");
      for (const key of keys) await view.page.keyboard.press(key);
      await view.page.keyboard.press("Escape"); // completion
      text = text.replace(place, change);
      const fresh = await opened(text);
      const wanted = await picture(fresh.page);
      await until(async () => (await picture(view.page)) === wanted);
      await fresh.close();
    }
    view.clean();
    await view.close();
  });

  test("keys and pictures go on where there is no memory for dots, and after a canvas was lost", async () => {
    const zpl = "^XA^FO30,30^A0N,40^FDtop^FS^FO30,1100^A0N,40^FDbottom^FS^XZ";
    const picture = (page) => page.evaluate(() => document.getElementById("label").toDataURL());
    const noMemory = () => {
      globalThis.ImageData = class {
        constructor() {
          throw new RangeError("Out of memory at ImageData creation");
        }
      };
    };
    // What a browser does when its graphics processor restarts: the canvas is blank, and an event says so.
    const collect = () => {
      const made = [];
      const { createElement } = Document.prototype;
      Document.prototype.createElement = function (name, ...more) {
        const element = createElement.call(this, name, ...more);
        if (name === "canvas") made.push(element);
        return element;
      };
      globalThis.loseCanvases = () => {
        for (const canvas of made.filter(({ width, height }) => width === 812 && height === 1218)) {
          canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
          canvas.dispatchEvent(new Event("contextlost"));
        }
      };
    };
    for (const init of [noMemory, collect]) {
      const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work(zpl), init });
      await rendered(view.page);
      await view.page.click(".cm-content");
      await view.page.keyboard.press("Control+Home");
      for (let i = 0; i < zpl.indexOf("top"); i++) await view.page.keyboard.press("ArrowRight");
      await view.page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300))));
      for (const key of "ab") {
        await forgetAnswer(view.page);
        await view.page.keyboard.press(key);
        await rendered(view.page);
        await view.page.evaluate(() => globalThis.loseCanvases?.());
      }
      await view.page.keyboard.press("c");
      const fresh = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work(zpl.replace("top", "abctop")) });
      await rendered(fresh.page);
      const wanted = await picture(fresh.page);
      await until(async () => (await picture(view.page)) === wanted);
      assert.equal((await keptWork(view.page)).zpl, zpl.replace("top", "abctop"));
      view.clean();
      await view.close();
      await fresh.close();
    }
  });

  test("an element whose command was deleted is not chosen any more, nor is the one that has its place in the list", async () => {
    const before = "^XA^FO30,30^GB50,50,3^FS^FO100,30^GB60,50,3";
    const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: work(`${before}^FS^FO200,30^GB70,50,3^FS^XZ`) });
    await rendered(view.page);
    await view.page.click(".cm-content");
    await view.page.keyboard.press("Control+Home");
    for (const _ of before) await view.page.keyboard.press("ArrowRight");
    const chosen = view.page.locator("#elements [aria-selected=true]");
    await until(async () => (await chosen.count()) === 1);
    for (const _ of "60,50,3^GB") await view.page.keyboard.press("Backspace");
    await until(async () => (await view.page.locator("#elements [role=option]").count()) === 2 && (await chosen.count()) === 0);
    view.clean();
    await view.close();
  });

  test("a large label is drawn by the worker: its dots would hold up the page", async () => {
    const count = () => {
      globalThis.formats = [];
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, ...more) {
        if (message.call?.name === "render") globalThis.formats.push(message.call.options.format);
        return postMessage.call(this, message, ...more);
      };
      globalThis.instances = 0;
      WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
        construct: (target, values) => (globalThis.instances++, new target(...values)),
      });
    };
    const large = { zpl: "^XA^FO30,30^A0N,40^FDtop^FS^XZ", name: "test.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 24 } };
    const view = await openPage(browser, undefined, { url: host.url, drawing: "", storage: large, init: count });
    await rendered(view.page);
    await view.page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300))));
    for (let i = 0; i < 3; i++) {
      await forgetAnswer(view.page);
      await typeAtEnd(view.page, "^FX");
      await rendered(view.page);
    }
    const { formats, instances } = await view.page.evaluate(() => ({ formats: globalThis.formats, instances: globalThis.instances }));
    assert.deepEqual([formats.filter((format) => format !== "rgba"), instances], [[], 0]);
    await view.close();
  });
});

describe("the page with a service and a renderer of its own", () => {
  let service;
  let browser;

  before(async () => {
    service = await Service.start();
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    if (service && service.process.exitCode === null && service.process.signalCode === null) await service.stop();
  });

  test("starts with the service, goes on by itself, and keeps drawing when the service is away", async (t) => {
    if ((await fetch(`${service.url}platen.wasm`)).status !== 200) return t.skip("the program was built without the module");
    const view = await openPage(browser, service, { drawing: "" });
    await rendered(view.page);
    await until(async () => (await drawer(view.page)) !== "");
    await typeAtEnd(view.page, " ");
    await until(async () => {
      await forgetAnswer(view.page);
      await view.page.keyboard.type(" ");
      await rendered(view.page); // the next key would begin the drawing anew
      return (await drawer(view.page)) === "Drawn here";
    });
    view.clean();
    await service.stop();
    await view.page.keyboard.press("Control+A");
    await view.page.keyboard.type("^XA^FO50,50^A0N,300^FDaway^FS^XZ");
    await until(async () => (await darkness(view.page)) > 5000);
    await until(async () => !(await view.page.isVisible("#notice"))); // the dots come before the rest of the answer
    assert.equal(await drawer(view.page), "Drawn here");
    await view.close();
  });

  test("the page of a service is kept, too: a second visit needs no service", async (t) => {
    const own = await Service.start();
    t.after(() => own.process.exitCode === null && own.process.signalCode === null && own.stop());
    if ((await fetch(`${own.url}platen.wasm`)).status !== 200) return t.skip("the program was built without the module");
    const view = await openPage(browser, own, { drawing: "" });
    await rendered(view.page);
    await until(() => view.page.evaluate(() => navigator.serviceWorker.controller !== null));
    view.clean();
    await own.stop();
    await view.page.reload();
    await replaceCode(view.page, "^XA^FO50,50^A0N,300^FDaway^FS^XZ");
    await until(async () => (await darkness(view.page)) > 5000 && !(await view.page.isVisible("#notice")));
    assert.equal(await drawer(view.page), "Drawn here");
    await view.close();
  });

  test("a service that says nothing any more is as one that is away", async (t) => {
    const own = await Service.start();
    t.after(async () => {
      own.process.kill("SIGCONT");
      await own.stop();
    });
    if ((await fetch(`${own.url}platen.wasm`)).status !== 200) return t.skip("the program was built without the module");
    const view = await openPage(browser, own, { drawing: "" });
    await rendered(view.page);
    await until(() => view.page.evaluate(() => navigator.serviceWorker.controller !== null));
    own.process.kill("SIGSTOP"); // connections are taken, and nothing is answered
    await view.page.reload();
    await rendered(view.page);
    assert.equal(await drawer(view.page), "Drawn here");
    // Nor does a label wait for ever whose fonts only the service has.
    await replaceCode(view.page, "^XA^CI28^FO50,50^A0N,300^FDПривет^FS^XZ");
    await until(async () => (await darkness(view.page)) > 5000 && !(await view.page.isVisible("#notice")));
    // The next keys do not ask it again.
    let asked = 0;
    view.page.on("request", (request) => (asked += request.url().includes("/api/") ? 1 : 0));
    const dark = await darkness(view.page);
    await replaceCode(view.page, "^XA^CI28^FO50,50^A0N,300^FDПривет!^FS^FO50,500^GB300,300,300^FS^XZ");
    await until(async () => (await darkness(view.page)) > dark + 5000 && !(await view.page.isVisible("#notice")));
    assert.equal(asked, 0);
    // Nor does a refusal, also where the service is asked first.
    const told = async () => (await view.page.isVisible("#notice")) && /Nothing to print yet/.test(await view.page.textContent("#notice"));
    await replaceCode(view.page, "no label");
    await until(told);
    await view.page.reload();
    await until(told);
    await view.close();
  });

  test("without a service the page brings along the policy of the service: only its worker may compile WebAssembly", async () => {
    const own = await Service.start();
    const sent = (await fetch(own.url)).headers.get("Content-Security-Policy");
    await own.stop();
    for (const name of fs.globSync?.("**/*.html", { cwd: DIST }) ?? ["index.html", "docs/index.html", "docs/page.html"]) {
      const [, brought] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(fs.readFileSync(path.join(DIST, name), "utf8"));
      assert.equal(brought, sent.replace("; frame-ancestors 'none'", ""), name); // a page cannot say by whom it may be framed
    }
    const host = await fileServer(DIST);
    const view = await openPage(browser, undefined, { url: host.url, drawing: "" });
    await rendered(view.page);
    assert.equal(await drawer(view.page), "Drawn here");
    view.clean();
    const compiled = await view.page.evaluate(() => WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])).then(() => "compiled", (error) => error.name));
    assert.equal(compiled, "CompileError");
    await view.close();
    await host.stop();
  });

  test("a file with letters that this browser has no font for comes from the service; without one the page says what it lacks", async (t) => {
    const own = await Service.start();
    t.after(() => own.process.exitCode === null && own.process.signalCode === null && own.stop());
    if ((await fetch(`${own.url}platen.wasm`)).status !== 200) return t.skip("the program was built without the module");
    const zpl = "^XA^CI28^FO50,50^A0N,80^FDПривет^FS^XZ";
    // Reading back is the service's, so that no preview of this browser has told which fonts the label needs.
    const kept = work(zpl);
    const view = await openPage(browser, own, { drawing: "", storage: { ...kept, settings: { ...kept.settings, verify: true } } });
    await rendered(view.page);
    await until(() => view.page.evaluate(() => navigator.serviceWorker.controller !== null)); // it comes after the module
    const take = async () => {
      await view.page.click("#export");
      const [download] = await Promise.all([view.page.waitForEvent("download"), view.page.click("#export-png")]);
      return fs.readFileSync(await download.path());
    };
    assert.equal(await drawer(view.page), "Drawn by the service");
    assert.deepEqual(await take(), await ask(own, "png", zpl));
    await own.stop();
    await take();
    await until(async () => /could not be loaded/.test(await view.page.textContent("#toasts")));
    await view.close();
  });
});
