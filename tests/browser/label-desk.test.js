// Browser tests of the label page: what once went wrong on the desk. Waiting, turned labels, odd files, many pages, memory, forced colours.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { ask, browser, darkness, folder, keptWork, openPage, painted, rendered, replaceCode, serveTests, service, TWO_LABELS, until } from "./label-fixture.js";

describe("the label page: on the desk", () => {
  serveTests();

  const SQUARE = "^XA^FO100,100^GB400,400,200^FS^XZ";
  const work = (zpl, settings = {}) => ({ zpl, name: "", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8, ...settings } });

  async function file(name, content) {
    const place = path.join(folder, name);
    await writeFile(place, content);
    return place;
  }

  test("while a new file is drawn over a slow net, the label before is gone and the page says that it works", async () => {
    const view = await openPage(browser, service, { storage: work(SQUARE), drawing: "service" });
    const { page } = view;
    await until("the square", async () => (await darkness(page)) > 10_000);
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    await page.route("**/api/render/**", async (route) => {
      await held;
      await route.continue();
    });
    await page.setInputFiles("#file", await file("slow.zpl", "^XA^FO50,50^A0N,40,40^FDSlow^FS^XZ"));
    await until("its name", async () => (await page.textContent("#doc-name")) === "slow.zpl");
    await painted(page);
    assert.ok((await darkness(page)) < 100, "the square is not shown as slow.zpl");
    await page.locator("#status", { hasText: "Rendering…" }).waitFor();
    assert.doesNotMatch(await page.textContent("#status-problems"), /No problems/);
    assert.equal(await page.getAttribute("#desk", "aria-busy"), "true");
    answer();
    await rendered(page);
    assert.match(await page.textContent("#status-problems"), /No problems/);
    assert.doesNotMatch(await page.textContent("#status"), /Rendering/);
    view.clean();
    await view.close();
  });

  test("typing over a slow net fades the label that is out of date", async () => {
    const view = await openPage(browser, service, { storage: work(SQUARE), drawing: "service" });
    const { page } = view;
    await rendered(page);
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    await page.route("**/api/render/**", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("^FX more");
    await page.locator("#status", { hasText: "Rendering…" }).waitFor();
    await until("faded", () => page.evaluate(() => Number(getComputedStyle(document.getElementById("label")).opacity) < 0.6));
    answer();
    await until("at full strength", () => page.evaluate(() => Number(getComputedStyle(document.getElementById("label")).opacity) === 1));
    view.clean();
    await view.close();
  });

  test("a file with binary graphics is drawn as from the command line, with the fields behind them", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x5e, 0x58, 0x5a, 0x80, 0xc3, 0x28]);
    const zpl = Buffer.concat([Buffer.from("^XA^FO20,20^GFB,8,8,1,"), bytes, Buffer.from("^FS^FO20,60^A0N,40,40^FDBehind^FS^XZ")]);
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await page.setInputFiles("#file", await file("binary.zpl", zpl));
    await page.locator(".toast", { hasText: "hexadecimal" }).waitFor();
    await rendered(page);
    const { zpl: text, settings } = await keptWork(page);
    assert.match(text, /\^GFA,8,8,1,FF005E585A80C328\^FS\^FO20,60/);
    const size = { widthMm: settings.widthMm, heightMm: settings.heightMm };
    assert.ok((await ask(service, "png", text, size)).equals(await ask(service, "png", zpl, size)));
    assert.match(await page.textContent("#elements"), /Behind/);
    view.clean();
    await view.close();
  });

  test("a picture without a name for it becomes a field; other binary files are refused", async () => {
    const view = await openPage(browser, service, { storage: work(SQUARE) });
    const { page } = view;
    await rendered(page);
    const png = await ask(service, "png", SQUARE, { widthMm: "10", heightMm: "10" });
    await page.setInputFiles("#file", await file("picture", png));
    await page.locator(".toast", { hasText: "picture is now a ^GF field" }).waitFor();
    assert.match((await keptWork(page)).zpl, /\^GFA,/);
    await page.setInputFiles("#file", await file("archive.bin", Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 1, 0xff])));
    await page.locator(".toast", { hasText: "archive.bin is neither label code nor a picture" }).waitFor();
    assert.match((await keptWork(page)).zpl, /\^GFA,/);
    view.clean();
    await view.close();
  });

  test("all copies are printed, not only the first 200", async () => {
    const init = () => {
      window.print = () => {
        window.printed = document.querySelectorAll(".print-area img").length;
        window.dispatchEvent(new Event("afterprint"));
      };
    };
    const view = await openPage(browser, service, { storage: work("^XA^FO5,5^GB20,20,20^FS^PQ450^XZ", { widthMm: 10, heightMm: 10 }), init });
    const { page } = view;
    await rendered(page);
    await page.keyboard.press("Control+p");
    assert.equal(await until("printed", () => page.evaluate(() => window.printed)), 450);
    view.clean();
    await view.close();
  });

  test("on a turned label the pointer and the facts agree", async () => {
    for (const rotation of [90, 180, 270]) {
      const view = await openPage(browser, service, { storage: work("^XA^FO80,80^GB80,80,80^FS^XZ", { rotation }) });
      const { page } = view;
      await rendered(page);
      // The middle of the box is at 120, 120 dots of the label: 15 mm from both edges.
      const middle = () => {
        const canvas = document.getElementById("label");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let [count, x, y] = [0, 0, 0];
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] < 200 || data[i] > 80) continue;
          count++;
          x += (i / 4) % canvas.width;
          y += Math.floor(i / 4 / canvas.width);
        }
        const area = canvas.getBoundingClientRect();
        return count > 0 && { x: area.left + ((x / count) * area.width) / canvas.width, y: area.top + ((y / count) * area.height) / canvas.height };
      };
      const place = await until("the box is drawn", () => page.evaluate(middle));
      await page.mouse.move(place.x, place.y);
      const [x, y] = (await until("a place", async () => /^[\d.]+, [\d.]+ mm/.exec(await page.textContent("#status-place"))))[0].split(/[ ,]+/).map(Number);
      assert.ok(Math.abs(x - 15) < 0.5 && Math.abs(y - 15) < 0.5, `${rotation}°: ${x}, ${y}`);
      assert.match(await page.textContent("#card"), /80, 80 dots/);
      view.clean();
      await view.close();
    }
  });

  test("a turned label turns its rulers: each number stands where the code has it", async () => {
    const init = () => {
      window.numbers = [];
      const draw = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const { e, f } = this.getTransform();
        const ratio = devicePixelRatio;
        if (this.canvas.id.startsWith("ruler")) window.numbers.push([this.canvas.id, Number(text), this.canvas.id === "ruler-top" ? x - 3 : f / ratio - 3, e]);
        return draw.call(this, text, x, y);
      };
    };
    const view = await openPage(browser, service, { storage: work(SQUARE, { rotation: 90 }), init });
    const { page } = view;
    await rendered(page);
    await page.evaluate(() => (window.numbers = []));
    await page.click("#zoom-out");
    await painted(page);
    const numbers = await page.evaluate(() => window.numbers);
    // Painted more than once, each number counts where it was painted last.
    const along = (id) => [...new Map(numbers.filter(([ruler]) => ruler === id).map((entry) => [entry[1], entry])).values()].sort((a, b) => a[2] - b[2]).map(([, value]) => value);
    // Turned by 90° clockwise the label's top is on the right, and its left edge on top.
    const top = along("ruler-top");
    const left = along("ruler-left");
    assert.ok(top.length > 2 && top.every((value, i) => i === 0 || value < top[i - 1]), top.join());
    assert.ok(left.length > 2 && left.every((value, i) => i === 0 || value > left[i - 1]), left.join());
    view.clean();
    await view.close();
  });

  test("a menu that is closed in any way leaves nothing behind", async () => {
    const init = () => {
      window.listening = 0;
      const { addEventListener, removeEventListener } = EventTarget.prototype;
      const counts = (target, type) => (target === document && type === "pointerdown") || (target === window && type === "resize");
      EventTarget.prototype.addEventListener = function (type, ...rest) {
        if (counts(this ?? window, type)) window.listening++;
        return addEventListener.call(this ?? window, type, ...rest);
      };
      EventTarget.prototype.removeEventListener = function (type, ...rest) {
        if (counts(this ?? window, type)) window.listening--;
        return removeEventListener.call(this ?? window, type, ...rest);
      };
    };
    const view = await openPage(browser, service, { storage: work(SQUARE), init });
    const { page } = view;
    await rendered(page);
    const before = await page.evaluate(() => window.listening);
    await page.click("#export");
    await page.click("#export"); // its own button closes it
    assert.equal(await page.locator(".menu").count(), 0);
    assert.equal(await page.evaluate(() => window.listening), before);
    await page.click("#export");
    await page.evaluate(() => document.getElementById("help").click()); // another one takes its place
    assert.equal(await page.locator(".menu").count(), 1);
    assert.equal(await page.getAttribute("#export", "aria-expanded"), "false");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.listening), before);
    view.clean();
    await view.close();
  });

  test("a picture that could not be decoded is tried again; pictures that are not needed any more are freed", async () => {
    const init = () => {
      const decode = window.createImageBitmap;
      window.bitmaps = new Set();
      window.failing = false;
      window.createImageBitmap = async (...given) => {
        if (window.failing) throw new DOMException("no memory", "InvalidStateError");
        const bitmap = await decode(...given);
        window.bitmaps.add(bitmap);
        return bitmap;
      };
      const close = ImageBitmap.prototype.close;
      ImageBitmap.prototype.close = function () {
        window.bitmaps.delete(this);
        return close.call(this);
      };
    };
    const many = Array.from({ length: 60 }, (_, i) => `^XA^FO20,20^A0N,60,60^FD${i}^FS^XZ`).join("\n");
    const view = await openPage(browser, service, { storage: work(many, { widthMm: 30, heightMm: 20 }), init });
    const { page } = view;
    await rendered(page);
    await page.locator("#overlay").focus();
    for (let i = 1; i < 60; i++) {
      await page.keyboard.press("PageDown");
      await until(`label ${i + 1}`, async () => (await page.textContent("#label-count")) === `${i + 1} of 60`);
    }
    await until("few are kept", () => page.evaluate(() => window.bitmaps.size <= 26));
    assert.ok((await darkness(page)) > 50, "the one that is shown is not freed");

    // The pictures of the first labels are gone by now: this one is decoded anew, and fails.
    await page.evaluate(() => (window.failing = true));
    await page.keyboard.press("Home");
    await page.locator(".toast", { hasText: "could not show the picture" }).waitFor();
    await painted(page);
    assert.equal(await darkness(page), 0);
    await page.evaluate(() => (window.failing = false));
    await page.keyboard.press("PageDown");
    await until("the second label", async () => (await page.textContent("#label-count")) === "2 of 60");
    await page.keyboard.press("PageUp");
    await until("the first label", async () => (await darkness(page)) > 50);
    view.clean();
    await view.close();
  });

  test("printing twice prints once, the next time prints again, and what cannot be printed is told", async () => {
    const init = () => {
      window.prints = [];
      // Browsers on phones come back at once and say later, or never, that printing has ended.
      window.print = () => window.prints.push(document.querySelectorAll(".print-area img").length);
    };
    const view = await openPage(browser, service, { storage: work(TWO_LABELS, { rotation: 90 }), init });
    const { page } = view;
    await rendered(page);
    await page.evaluate(() => {
      for (let i = 0; i < 2; i++) window.dispatchEvent(new KeyboardEvent("keydown", { key: "p", ctrlKey: true }));
    });
    const prints = () => page.evaluate(() => window.prints);
    await until("printed", async () => (await prints()).length > 0);
    await page.waitForTimeout(500);
    assert.deepEqual(await prints(), [2]);
    await page.keyboard.press("Control+p");
    await until("printed again", async () => (await prints()).length === 2);
    assert.deepEqual(await prints(), [2, 2], "pages of the first time are gone");
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator(".print-area").count(), 0);
    await page.evaluate(() => (window.createImageBitmap = () => Promise.reject(new Error("no memory"))));
    await page.keyboard.press("Control+p");
    await page.locator(".toast", { hasText: "could not be printed" }).waitFor();
    assert.equal(await page.locator(".print-area").count(), 0);
    view.clean();
    await view.close();
  });

  test("pressing both tools while they are on their way leaves one of them", async () => {
    const view = await openPage(browser, service, { storage: work(SQUARE) });
    const { page } = view;
    await rendered(page);
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve));
    await page.route("**/*.js*", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator("#overlay").focus();
    await page.keyboard.press("m");
    await page.keyboard.press("e");
    letGo();
    await until("editing", async () => (await page.getAttribute("#mode-edit", "aria-pressed")) === "true");
    assert.equal(await page.getAttribute("#mode-measure", "aria-pressed"), "false");
    assert.equal(await page.locator("#tool-bar > *").count(), 1);
    view.clean();
    await view.close();
  });

  test("in forced colours the rulers can be read and the chosen row is seen", async () => {
    const view = await openPage(browser, service, { storage: work(TWO_LABELS), forcedColors: "active" });
    const { page } = view;
    await rendered(page);
    const shades = await page.evaluate(() => {
      const canvas = document.getElementById("ruler-top");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
      return seen.size;
    });
    assert.ok(shades > 1, "numbers on the ruler have another colour than the ruler");
    await page.click("#element-0");
    const ground = (id) => page.evaluate((row) => getComputedStyle(document.getElementById(row)).backgroundColor, id);
    assert.notEqual(await ground("element-0"), await ground("element-1"));
    view.clean();
    await view.close();
  });

  test("501 labels: the first 500 are shown, with a note", async () => {
    const many = Array.from({ length: 501 }, (_, i) => `^XA^FO5,5^A0N,20,20^FD${i + 1}^FS^XZ`).join("\n");
    const view = await openPage(browser, service, { storage: work(many, { widthMm: 15, heightMm: 8 }) });
    const { page } = view;
    await rendered(page);
    assert.equal(await page.textContent("#label-count"), "1 of 500");
    await page.locator("#notes", { hasText: "The first 500 of 501 labels are shown" }).waitFor();
    // The same after a label that was drawn at once, which is where this browser shows the dots first.
    await replaceCode(page, many.slice(0, many.indexOf("\n")));
    await until("one label", async () => (await page.textContent("#status-labels")) === "1 label");
    await rendered(page);
    await replaceCode(page, many);
    await until("the first 500", async () => (await page.textContent("#label-count")) === "1 of 500");
    assert.ok(await page.locator("#notice").isHidden());
    assert.deepEqual(view.troubles.filter((trouble) => !/Failed to load resource/.test(trouble)), []);
    await view.close();
  });
});
