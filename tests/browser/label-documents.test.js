// Browser tests of the label page: several labels open at once, each with its own text, size and history.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { browser, folder, keptWork, openPage, painted, rendered, replaceCode, serveTests, service, storedWork, TWO_LABELS, until } from "./label-fixture.js";

const label = (text) => `^XA^FO50,50^A0N,50,50^FD${text}^FS^XZ`;

describe("the label page: several labels", () => {
  serveTests();

  const work = { zpl: TWO_LABELS, name: "two.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } };
  const code = (page) => page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-content").innerText);
  const names = (page) => page.locator("#documents [role=tab]").allTextContents();

  async function drop(page, files) {
    const data = await page.evaluateHandle((given) => {
      const transfer = new DataTransfer();
      for (const [name, text] of given) transfer.items.add(new File([text], name));
      return transfer;
    }, files);
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
  }

  test("two tabs of the browser keep their own work", async () => {
    const view = await openPage(browser, service);
    const first = view.page;
    await rendered(first);
    await replaceCode(first, label("First tab"));
    await until("kept", async () => /First tab/.test((await storedWork(first)).zpl));
    const second = await view.context.newPage();
    await second.goto(service.url);
    await rendered(second);
    await replaceCode(second, label("Second tab"));
    await until("kept", async () => /Second tab/.test((await storedWork(second)).zpl));
    await first.reload();
    await rendered(first);
    assert.match(await code(first), /First tab/);
    assert.doesNotMatch(await code(first), /Second tab/);
    view.clean();
    await view.close();
  });

  test("all open labels come back after closing, in their order, named by their first text, with their pictures in the history", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await drop(page, [["one.zpl", label("One")], ["three.zpl", label("Three")]]);
    await until("opened", async () => (await page.textContent("#doc-name")) === "three.zpl");
    await page.click("#documents [role=tab] >> nth=0");
    await page.click("#new-document");
    await page.keyboard.insertText("^XA^FO9,9^BCN,50^FD12345^FS^FO50,90^A0N,50^FDSecond label^FS^XZ");
    await until("named", async () => (await names(page)).join() === "one.zpl,Second label,three.zpl");
    await page.close();
    const later = await view.context.newPage();
    await later.goto(service.url);
    await rendered(later);
    assert.deepEqual(await names(later), ["one.zpl", "Second label", "three.zpl"]);
    assert.match(await code(later), /Second label/);
    await later.click("#documents [role=tab] >> nth=2");
    assert.equal(await code(later), label("Three"));
    await later.click("#code-menu");
    await later.click("#history");
    await later.locator(".history li .list-picture img").nth(2).waitFor();
    await later.close();
    view.clean();
    await view.close();
  });

  test("a sample has a size and a history of its own: Ctrl+Z does not mix it with the label before", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("Mine"), name: "mine.zpl" } });
    const { page } = view;
    await rendered(page);
    await page.click("#samples");
    await page.click("[data-sample=product]");
    await until("opened", async () => (await page.textContent("#doc-name")) === "Product label");
    assert.equal(await page.inputValue("#width"), "60");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(300);
    // Text and size belong together, whichever label is shown.
    const kept = await keptWork(page);
    assert.equal(/Mine/.test(kept.zpl), kept.settings.widthMm === 101.6, JSON.stringify(kept.settings));
    assert.deepEqual(await names(page), ["mine.zpl", "Product label"]);
    await page.click("#documents [role=tab] >> nth=0");
    await until("back", async () => (await page.textContent("#doc-name")) === "mine.zpl");
    assert.equal(await page.inputValue("#width"), "101.6");
    assert.match((await keptWork(page)).zpl, /Mine/);
    view.clean();
    await view.close();
  });

  test("each label has its own undo, survives a reload, can be renamed and closed by the keyboard", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "one.zpl" } });
    const { page } = view;
    await rendered(page);
    await page.click("#new-document");
    await page.keyboard.insertText(label("Two"));
    await rendered(page);
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("^FX more");
    await page.locator("#documents [role=tab][aria-selected=true]").focus();
    await page.keyboard.press("ArrowLeft");
    await until("the first one", async () => (await page.textContent("#doc-name")) === "one.zpl");
    await page.keyboard.press("ArrowRight");
    await until("the second one", async () => /more/.test((await keptWork(page)).zpl));
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+z");
    await until("undone", async () => !/more/.test((await keptWork(page)).zpl));
    assert.match((await keptWork(page)).zpl, /Two/);
    await page.locator("#documents [role=tab][aria-selected=true]").focus();
    await page.keyboard.press("F2");
    await page.fill("#document-name", "second");
    await page.keyboard.press("Enter");
    await until("renamed", async () => (await names(page)).includes("second"));
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    await page.reload();
    await rendered(page);
    assert.deepEqual(await names(page), ["one.zpl", "second"]);
    assert.equal(await page.textContent("#doc-name"), "second");
    await page.locator("#documents [role=tab][aria-selected=true]").focus();
    await page.keyboard.press("Delete");
    await until("closed", async () => (await names(page)).join() === "one.zpl");
    assert.match((await keptWork(page)).zpl, /One/);
    view.clean();
    await view.close();
  });

  test("every dropped file is opened, and a folder's label files with it", async () => {
    const view = await openPage(browser, service, { storage: work });
    const { page } = view;
    await rendered(page);
    await drop(page, [["a.zpl", label("A")], ["b.zpl", label("B")]]);
    await page.locator(".toast", { hasText: "2 labels opened" }).waitFor();
    assert.deepEqual(await names(page), ["two.zpl", "a.zpl", "b.zpl"]);
    await mkdir(path.join(folder, "labels"));
    for (const name of ["x2.zpl", "x10.zpl", "notes.md"]) await writeFile(path.join(folder, "labels", name), label(name));
    await page.setInputFiles("#folder", path.join(folder, "labels"));
    await until("the folder", async () => (await names(page)).join() === "two.zpl,a.zpl,b.zpl,x2.zpl,x10.zpl");
    view.clean();
    await view.close();
  });

  test("a new file has the size that it was made for, not that of the sample before", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await page.click("#samples");
    await page.click("[data-sample=asset]");
    await until("opened", async () => (await page.inputValue("#preset")) === "2x1in");
    await drop(page, [["pallet.zpl", `^XA^PW812^LL1624^FO50,1500^A0N,50,50^FDEnd^FS^XZ`]]);
    await until("its size", async () => (await page.inputValue("#preset")) === "4x8in");
    await rendered(page);
    assert.match(await page.textContent("#status-size"), /812 × 1624 dots/);
    assert.ok(await page.locator("#notes").isHidden());
    view.clean();
    await view.close();
  });

  test("code for another size offers that size in one click and shows where it prints", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("Small") } });
    const { page } = view;
    await rendered(page);
    await replaceCode(page, "^XA^PW406^LL203^FO20,20^A0N,40,40^FDShelf^FS^XZ");
    await page.locator("#use-size", { hasText: "Use 2 × 1 in" }).waitFor();
    const dashes = () =>
      page.evaluate(() => {
        const overlay = document.getElementById("overlay");
        const { data } = overlay.getContext("2d").getImageData(0, 0, overlay.width, overlay.height);
        let painted = 0;
        for (let i = 3; i < data.length; i += 4) if (data[i] > 0) painted++;
        return painted;
      });
    await until("the print area is outlined", async () => (await dashes()) > 100); // painted in the frame after the offer
    // As the dots are: a narrow ^PW is centred like the reference, and at the left edge like the printer.
    const sides = () =>
      page.evaluate(() => {
        const overlay = document.getElementById("overlay");
        const { data } = overlay.getContext("2d").getImageData(0, 0, overlay.width, overlay.height);
        let left = overlay.width;
        let right = 0;
        for (let i = 3; i < data.length; i += 4) {
          if (data[i] === 0) continue;
          const x = (i >> 2) % overlay.width;
          left = Math.min(left, x);
          right = Math.max(right, x);
        }
        return { left, right: overlay.width - 1 - right };
      });
    const centred = await sides();
    assert.ok(Math.abs(centred.left - centred.right) <= 6, JSON.stringify(centred));
    await page.locator("input[name=profile][value=printer]").check({ force: true });
    await until("at the left edge", async () => (await sides()).left < centred.left - 20);
    await page.locator("input[name=profile][value=reference]").check({ force: true });
    await until("centred again", async () => Math.abs((await sides()).left - centred.left) <= 2);
    await page.click("#use-size");
    await until("taken", async () => (await page.inputValue("#preset")) === "2x1in");
    await page.locator("#use-size").waitFor({ state: "hidden" });
    await until("no outline", async () => (await dashes()) === 0);
    view.clean();
    await view.close();
  });

  test("under ^POI the outline of the print area is around the ink, at the other end of the label", async () => {
    const zpl = "^XA^POI^PW400^LL300^FO20,20^A0N,60,60^FDINVERTED^FS^XZ";
    const view = await openPage(browser, service, { storage: { ...work, zpl, settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } } });
    const { page } = view;
    await rendered(page);
    await page.locator("#use-size").waitFor();
    await painted(page);
    const reach = (id, isInk) =>
      page.evaluate(([name, ink]) => {
        const canvas = document.getElementById(name);
        const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let [top, bottom] = [height, 0];
        for (let i = 0; i < data.length; i += 4) {
          if (ink ? data[i] > 60 || data[i + 3] < 255 : data[i + 3] === 0) continue;
          const y = Math.floor(i / 4 / width);
          [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
        }
        return { top, bottom };
      }, [id, isInk]);
    const frame = await reach("overlay", false);
    const ink = await reach("label", true);
    assert.ok(frame.top < ink.top && frame.bottom > ink.bottom, `frame ${JSON.stringify(frame)}, ink ${JSON.stringify(ink)}`);
    view.clean();
    await view.close();
  });

  /** Holds requests for a route back until the test lets them go. */
  async function hold(page, pattern) {
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve));
    let asked = 0;
    await page.route(pattern, async (route) => {
      asked++;
      await held;
      await route.continue();
    });
    return { letGo, asked: () => asked };
  }

  const textOf = async (page, at) => {
    await page.click(`#documents [role=tab] >> nth=${at}`);
    return (await keptWork(page)).zpl;
  };

  test("a picture that takes its time goes into the label that it was dropped on, and its Undo, too", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "" } });
    const { page } = view;
    await rendered(page);
    const image = await hold(page, "**/api/image*");
    await drop(page, [["dots.pbm", "P1\n8 2\n1 0 1 0 1 0 1 0\n0 1 0 1 0 1 0 1\n"]]);
    await until("asked", () => image.asked() === 1);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("~JA");
    await page.click("#new-document");
    await page.keyboard.insertText(label("Two"));
    image.letGo();
    await page.locator(".toast", { hasText: "dots.pbm is now a ^GF field" }).waitFor();
    assert.equal((await keptWork(page)).zpl, label("Two"), "the label that is shown is another one");
    // Kept, though it is not shown: the name of the picture, too.
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    const kept = await page.evaluate(() => Object.entries(sessionStorage).filter(([key]) => key.startsWith("platen.label.document.")).map(([, value]) => JSON.parse(value)));
    const first = kept.find(({ zpl }) => zpl.includes("One"));
    assert.match(first.zpl, /^~JA[^]*\^GF[^]*\^XZ$/);
    assert.equal(first.name, "dots");
    await page.click(".toast button");
    assert.equal(await textOf(page, 1), label("Two"));
    assert.equal(await textOf(page, 0), `~JA${label("One")}`);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+z");
    await until("the editor's own undo brings it back", async () => /\^GF/.test((await keptWork(page)).zpl));
    view.clean();
    await view.close();
  });

  test("a picture for a label that was closed meanwhile goes nowhere, and the page says so", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "one.zpl" } });
    const { page } = view;
    await rendered(page);
    const image = await hold(page, "**/api/image*");
    await drop(page, [["dots.pbm", "P1\n8 1\n1 0 1 0 1 0 1 0\n"]]);
    await until("asked", () => image.asked() === 1);
    await page.locator("#documents [role=tab]").focus();
    await page.keyboard.press("Delete");
    await drop(page, [["two.zpl", label("Two")]]);
    await until("the other one", async () => (await page.textContent("#doc-name")) === "two.zpl");
    image.letGo();
    await page.locator(".toast", { hasText: "dots.pbm was not added" }).waitFor();
    assert.equal((await keptWork(page)).zpl, label("Two"));
    view.clean();
    await view.close();
  });

  test("formatting and its Undo belong to one label, whichever is shown", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "one.zpl" } });
    const { page } = view;
    await rendered(page);
    const rewriting = await hold(page, "**/api/zpl*");
    await page.click("#code-menu");
    await page.click("#format");
    await until("asked", () => rewriting.asked() === 1);
    await page.click("#new-document");
    await page.keyboard.insertText(label("One"));
    rewriting.letGo();
    await page.locator(".toast", { hasText: "Formatted" }).waitFor();
    assert.equal((await keptWork(page)).zpl, label("One"), "the same code in another label stays as it is");
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("^FX more");
    await page.click(".toast button");
    assert.equal((await keptWork(page)).zpl, `${label("One")}^FX more`, "what was typed since is not undone");
    assert.equal(await textOf(page, 0), label("One"));
    view.clean();
    await view.close();
  });

  test("one label that is too large to keep does not take the others with it, and is named", async () => {
    const init = () => {
      window.said = [];
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => node.className === "toast" && window.said.push(node.textContent)))).observe(document, { childList: true, subtree: true });
    };
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "one.zpl" }, init });
    const { page } = view;
    await rendered(page);
    await page.route("**/api/render/**", (route) => route.fulfill({ status: 400, json: { error: "none", code: "no_labels" } }));
    await drop(page, [["huge.zpl", `^XA^FX${"x".repeat(11_000_000)}^XZ`]]);
    // A message goes after some seconds, and a page that is busy with 11 MB may not be asked in that time.
    await until("the message", () => page.evaluate(() => window.said.some((text) => text.includes("no room to keep huge.zpl"))));
    await page.click("#new-document");
    await page.keyboard.insertText(label("Two"));
    await until("kept", async () => /Two/.test((await storedWork(page)).zpl));
    await page.click("#documents [role=tab] >> nth=0");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("^FX more");
    await until("kept", async () => /more/.test((await storedWork(page)).zpl));
    await page.unroute("**/api/render/**");
    await page.reload();
    await rendered(page);
    assert.deepEqual(await names(page), ["one.zpl", "Two"]);
    assert.equal(await code(page), `${label("One")}^FX more`);
    await page.click("#documents [role=tab] >> nth=1");
    assert.equal(await code(page), label("Two"));
    await view.close();
  });

  test("Clear and its Undo: history, choices and the API key come back with the labels", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "one.zpl" }, init: () => { if (!localStorage.getItem("platen.label.theme")) for (const [name, value] of [["theme", "dark"], ["apiKey", "a-key"]]) localStorage.setItem(`platen.label.${name}`, value); } });
    const { page } = view;
    await rendered(page);
    for (const name of ["Two", "Three"]) {
      await page.click("#new-document");
      await page.keyboard.insertText(label(name));
      await rendered(page);
    }
    await page.click("#documents [role=tab] >> nth=0"); // what is left becomes a version
    const versions = () =>
      page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const request = indexedDB.open("platen.label", 1);
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
              const all = request.result.transaction("versions").objectStore("versions").getAll();
              all.onsuccess = () => {
                request.result.close();
                resolve(all.result.map(({ zpl }) => zpl).sort());
              };
            };
          }),
      );
    const kept = () => page.evaluate(() => ["theme", "apiKey"].map((name) => localStorage.getItem(`platen.label.${name}`)));
    await until("three versions", async () => (await versions()).length === 3);
    const before = await versions();
    await page.click("#clear");
    await until("nothing is kept", async () => (await versions()).length === 0);
    assert.deepEqual(await kept(), [null, null]);
    await page.click(".toast button");
    await until("the history is back", async () => (await versions()).length === 3);
    assert.deepEqual(await versions(), before);
    assert.deepEqual(await kept(), ["dark", "a-key"]);
    assert.equal(await page.inputValue("#api-key"), "a-key");
    assert.equal((await names(page)).length, 3);
    view.clean();
    await view.close();
  });

  test("Clear can be undone while any open label has code, and what was written since stays", async () => {
    const view = await openPage(browser, service, { storage: { ...work, zpl: label("One"), name: "one.zpl" } });
    const { page } = view;
    await rendered(page);
    await page.click("#new-document");
    await page.click("#clear");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.insertText(label("Since"));
    await page.click(".toast button");
    await until("back", async () => (await names(page)).length === 3);
    assert.equal(await textOf(page, 0), label("One"));
    assert.equal(await textOf(page, 2), label("Since"));
    view.clean();
    await view.close();
  });
});
