// Browser tests of the label page: taking labels away, getting them in, keeping them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { ask, browser, darkness, folder, forgetAnswer, keptWork, openPage, painted, rendered, replaceCode, serveTests, service, storedWork, TWO_LABELS, until } from "./label-fixture.js";

const OTHER_LANGUAGES = {
  epl: { code: 'N\nq400\nQ200,24\nA20,20,0,4,1,1,N,"From EPL"\nP1\n', name: "From EPL", widthMm: 50, heightMm: 25 },
  tspl: { code: 'SIZE 60 mm,40 mm\nGAP 2 mm,0\nCLS\nTEXT 20,20,"3",0,1,1,"From TSPL"\nPRINT 1,1\n', name: "From TSPL", widthMm: 60, heightMm: 40 },
  cpcl: { code: "! 0 200 200 240 1\nPAGE-WIDTH 480\nTEXT 4 0 20 20 From CPCL\nFORM\nPRINT\n", name: "From CPCL", widthMm: 60, heightMm: 30 },
};

describe("the label page: taking away and getting in", () => {
  serveTests();

  const twoLabels = { zpl: TWO_LABELS, name: "two.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } };

  async function download(page, id) {
    await page.click("#export");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`#export-${id}`)]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  }

  test("downloads are, byte for byte, what the service makes", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    await page.click("#next-label");
    await until("the second label", async () => (await page.textContent("#label-count")) === "2 of 2");
    const size = { widthMm: "101.6", heightMm: "152.4", dpmm: "8" };
    const magic = { png: "89504e470d0a1a0a", jpeg: "ffd8ff", webp: "52494646" };
    for (const format of ["png", "jpeg", "webp"]) {
      const { name, bytes } = await download(page, format);
      assert.equal(name, `two-2.${format === "jpeg" ? "jpg" : format}`);
      assert.ok(bytes.toString("hex").startsWith(magic[format]), format);
      assert.ok(bytes.equals(await ask(service, format, TWO_LABELS, { ...size, page: "1" })), `${format} differs`);
    }
    const pdf = await download(page, "pdf");
    assert.equal(pdf.name, "two.pdf");
    assert.equal(pdf.bytes.subarray(0, 5).toString(), "%PDF-");
    assert.match(pdf.bytes.toString("latin1"), /\/Count 2\b/);
    const json = JSON.parse((await download(page, "json")).bytes);
    assert.equal(json.labels.length, 2);
    assert.ok(json.labels[0].elements.length >= 2);
    const base64 = JSON.parse((await download(page, "base64")).bytes);
    assert.equal(base64.labels.length, 2);
    assert.equal(base64.labels[0].elements, undefined);
    const zpl = await download(page, "zpl");
    assert.equal(zpl.name, "two.zpl");
    assert.equal(zpl.bytes.toString(), TWO_LABELS);
    view.clean();
    await view.close();
  });

  test("the picture goes to the clipboard", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#copy-picture");
    await page.locator(".toast", { hasText: "Picture copied" }).waitFor();
    const size = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const bitmap = await createImageBitmap(await item.getType("image/png"));
      return [bitmap.width, bitmap.height];
    });
    assert.deepEqual(size, [812, 1218]);
    view.clean();
    await view.close();
  });

  test("the curl command makes the same picture", async () => {
    const zpl = "^XA^FO50,50^A0N,60,60^FDit's $HOME `x` \\ !!^FS^XZ\n";
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl, name: "it's.zpl" } });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#copy-as");
    await page.waitForSelector("#call-code");
    assert.deepEqual(await page.locator("dialog .segments label").allTextContents(), ["curl", "Python", "Java", "C#", "Go", "PHP", "JavaScript", "PowerShell"]);
    await page.click("#copy-call");
    await page.locator(".toast", { hasText: "curl" }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    await promisify(execFile)("bash", ["-c", command], { cwd: folder });
    const made = await readFile(path.join(folder, "it's.png"));
    assert.ok(made.equals(await ask(service, "png", zpl, { widthMm: "101.6", heightMm: "152.4", dpmm: "8" })));
    view.clean();
    await view.close();
  });

  test("printing shows the labels alone, each on its own page", async () => {
    const init = () => {
      window.print = () => {
        window.printed = {
          images: [...document.querySelectorAll(".print-area img")].map((image) => [image.naturalWidth, image.style.width, image.style.height]),
          pages: document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)),
        };
        window.dispatchEvent(new Event("afterprint"));
      };
    };
    const view = await openPage(browser, service, { storage: twoLabels, init });
    const { page } = view;
    await rendered(page);
    await page.keyboard.press("Control+p");
    const printed = await until("printed", () => page.evaluate(() => window.printed));
    assert.deepEqual(printed.images, [[812, "101.6mm", "152.4mm"], [812, "101.6mm", "152.4mm"]]);
    assert.match(printed.pages.join(), /101\.6mm 152\.4mm/);
    assert.equal(await page.locator(".print-area").count(), 0);
    view.clean();
    await view.close();
  });

  test("a link carries label and settings into another browser, and the server never sees it", async () => {
    const zpl = `${TWO_LABELS}^FX <img src=x onerror=alert(1)> Grüße`;
    const settings = { widthMm: 70, heightMm: 40, dpmm: 12, rotation: 90, quality: "grayscale", profile: "printer", printerModel: "zd621-300", unit: "in", verify: true };
    const sender = await openPage(browser, service, { storage: { zpl, name: "<b>shared</b>", settings } });
    await rendered(sender.page);
    await sender.page.click("#link");
    await sender.page.locator(".toast", { hasText: "Link copied" }).waitFor();
    const link = await sender.page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${service.url}#z=`));
    sender.clean();
    await sender.close();

    const receiver = await openPage(browser, service, { url: link });
    const { page } = receiver;
    await rendered(page);
    const kept = await keptWork(page);
    assert.equal(kept.zpl, zpl);
    assert.deepEqual(kept.settings, settings);
    assert.equal(await page.textContent("#doc-name"), "<b>shared</b>");
    assert.equal(await page.locator("#doc-name b").count(), 0);
    assert.equal(new URL(page.url()).hash, "");
    receiver.clean();
    await receiver.close();
  });

  test("a damaged link says so and leaves the work alone", async () => {
    const view = await openPage(browser, service, { storage: twoLabels, url: `${service.url}#z=AAAAxyz` });
    await view.page.locator(".toast", { hasText: "damaged" }).waitFor();
    assert.equal((await view.page.evaluate(() => JSON.parse(localStorage.getItem("platen.label.work")))).zpl, TWO_LABELS);
    view.clean();
    await view.close();
  });

  test("files are opened and dropped, code is pasted; other code pages are read; undo brings the old work back", async () => {
    const file = path.join(folder, "alt <i>.zpl");
    await writeFile(file, Buffer.from("^XA^FO50,50^A0N,50,50^FDGr\xfc\xdfe^FS^XZ", "latin1"));
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    await page.setInputFiles("#file", file);
    await page.locator(".toast", { hasText: "Windows-1252" }).waitFor();
    assert.equal(await page.textContent("#doc-name"), "alt <i>.zpl");
    assert.match((await keptWork(page)).zpl, /Grüße/);
    await page.locator(".toast button", { hasText: "Undo" }).click();
    await until("undone", async () => (await keptWork(page)).zpl === TWO_LABELS);

    // A picture becomes a field of the last label.
    const picture = path.join(folder, "dots.pbm");
    await writeFile(picture, "P1 8 1 11110000");
    await page.setInputFiles("#file", picture);
    await page.locator(".toast", { hasText: "dots.pbm is now a ^GF field" }).waitFor();
    assert.match((await keptWork(page)).zpl, /\^FO20,20\^GFA,1,1,1,F,\^FS\n\^XZ\s*$/);
    await page.locator(".toast button", { hasText: "Undo" }).click();
    await until("undone", async () => (await keptWork(page)).zpl === TWO_LABELS);

    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["^XA^FO10,10^A0N,50,50^FDDropped^FS^XZ"], "dropped.zpl"));
      return transfer;
    });
    await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
    await page.locator("#drop-hint").waitFor({ state: "visible" });
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await until("dropped", async () => (await page.textContent("#doc-name")) === "dropped.zpl");
    assert.match((await keptWork(page)).zpl, /Dropped/);
    assert.ok(await page.locator("#drop-hint").isHidden());

    // Pasting with the focus outside the editor opens what is pasted; inside, it goes to the cursor.
    await page.evaluate(() => navigator.clipboard.writeText("^XA^FO10,10^A0N,50,50^FDPasted^FS^XZ"));
    await page.locator("#overlay").focus();
    await page.keyboard.press("Control+v");
    await until("pasted", async () => (await page.textContent("#doc-name")) === "Pasted");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Control+v");
    await until("pasted at the cursor", async () => (await keptWork(page)).zpl.match(/Pasted/g).length === 2);
    view.clean();
    await view.close();
  });

  for (const [language, { code, name, widthMm, heightMm }] of Object.entries(OTHER_LANGUAGES)) {
    test(`${language} pasted over everything takes its place, with its size and its name; undo brings both back`, async () => {
      const view = await openPage(browser, service, { storage: twoLabels });
      const { page } = view;
      await rendered(page);
      const tab = page.locator("#documents [role=tab]");
      await page.locator("#editor .cm-line").first().click();
      await page.keyboard.press("Control+a");
      await page.evaluate((text) => navigator.clipboard.writeText(text), code);
      await page.keyboard.press("Control+v");
      await until("its size", async () => {
        const { settings } = await keptWork(page);
        return Math.round(settings.widthMm) === widthMm && Math.round(settings.heightMm) === heightMm;
      });
      assert.equal((await keptWork(page)).zpl, code);
      assert.deepEqual([await tab.count(), await page.locator(".toast").count()], [1, 0], "one label, and nothing to tell");
      assert.equal(await page.textContent("#doc-name"), name);
      assert.match(await tab.first().textContent(), new RegExp(name));
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await until("both are back", async () => {
        const { zpl, settings } = await keptWork(page);
        return zpl === TWO_LABELS && settings.widthMm === 101.6;
      });
      view.clean();
      await view.close();
    });
  }

  test("code of another language is opened, and leaves under its own name", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    const accepted = (await page.getAttribute("#file", "accept")).split(",");
    for (const [language, { code }] of Object.entries(OTHER_LANGUAGES)) {
      assert.ok(accepted.includes(`.${language}`), language);
      const file = path.join(folder, `hello.${language}`);
      await writeFile(file, code);
      await page.setInputFiles("#file", file);
      await until(`it is ${language}`, async () => (await page.textContent("#status")).includes(language.toUpperCase()));
      await page.click("#export");
      assert.match(await page.textContent("#export-zpl"), new RegExp(`^${language.toUpperCase()}`));
      await page.keyboard.press("Escape");
      const { name, bytes } = await download(page, "zpl");
      assert.deepEqual([name, bytes.toString()], [`hello.${language}`, code]);
    }
    assert.ok(accepted.includes(".prn"));
    view.clean();
    await view.close();
  });

  test("on a phone the languages of the request have room for their names", async () => {
    const view = await openPage(browser, service, { storage: twoLabels, viewport: { width: 360, height: 740 } });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#copy-as");
    await page.waitForSelector("#call-code");
    const cut = await page.evaluate(() => {
      const { left, right } = document.querySelector("dialog[open] .segments").getBoundingClientRect();
      return [...document.querySelectorAll("dialog[open] .segments label")].filter((label) => {
        const words = document.createRange();
        words.selectNodeContents(label.lastChild);
        const [box, text] = [label.getBoundingClientRect(), words.getBoundingClientRect()];
        return text.left < box.left || text.right > box.right || box.left < left || box.right > Math.min(right, innerWidth);
      }).map((label) => label.textContent);
    });
    assert.deepEqual(cut, []);
    view.clean();
    await view.close();
  });

  test("a label pasted over a sample gives its tab its name", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+a");
    await page.evaluate(() => navigator.clipboard.writeText("^XA\n^FO50,50^A0N,60,60^FDMine^FS\n^XZ\n"));
    await page.keyboard.press("Control+v");
    await until("its name", async () => /Mine/.test(await page.locator("#documents [role=tab]").first().textContent()));
    assert.equal(await page.locator("#documents [role=tab]").count(), 1);
    view.clean();
    await view.close();
  });

  test("every sample of the gallery renders without a problem", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await page.click("#samples");
    await page.locator(".sample").first().waitFor(); // the gallery's script is loaded now
    const ids = await page.locator(".sample").evaluateAll((all) => all.map((e) => e.dataset.sample));
    assert.ok(ids.length >= 8);
    await until("pictures of all samples", async () => (await page.locator(".sample img").count()) === ids.length);
    await page.keyboard.press("Escape");
    for (const id of ids) {
      await page.click("#samples");
      await forgetAnswer(page);
      await page.click(`[data-sample=${id}]`);
      await rendered(page);
      assert.match(await page.textContent("#status-problems"), /No problems/, id);
      assert.equal(await page.locator("#elements [role=option] .icon").count(), 0, `${id}: an element has a problem`);
    }
    view.clean();
    await view.close();
  });

  test("the time of a picture that came too late is not shown for the label that was opened meanwhile", async () => {
    const holdPictures = () => {
      const make = window.createImageBitmap.bind(window);
      window.held = [];
      window.createImageBitmap = async (...values) => {
        if (window.holds) await new Promise((release) => window.held.push(release));
        return make(...values);
      };
    };
    const view = await openPage(browser, service, { init: holdPictures, drawing: "service" });
    const { page } = view;
    await rendered(page);
    await page.evaluate(() => (window.holds = true));
    await replaceCode(page, "^XA^FO50,50^A0N,50,50^FDBefore^FS^XZ");
    await until("a picture that is held", () => page.evaluate(() => window.held.length === 1));
    await page.click("#samples");
    await page.locator(".sample").nth(1).click();
    await until("the picture of the sample", () => page.evaluate(() => window.held.length === 2));
    await page.evaluate(() => window.held[0]());
    await painted(page);
    assert.equal(await page.textContent("#status-time"), "–");
    await page.evaluate(() => window.held[1]());
    await rendered(page);
    view.clean();
    await view.close();
  });

  test("the last work is kept and restored, and can be cleared", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await replaceCode(page, "^XA^FO50,50^A0N,50,50^FDKept^FS^XZ");
    await page.selectOption("#preset", "4x2in");
    await until("kept", async () => /Kept/.test((await storedWork(page)).zpl));
    await page.reload();
    await rendered(page);
    assert.match(await page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-content").textContent), /Kept/);
    assert.equal(await page.inputValue("#preset"), "4x2in");
    await page.click("#clear");
    await page.locator(".toast", { hasText: "Nothing is kept" }).waitFor();
    await page.waitForTimeout(600);
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
    await page.locator("#notice", { hasText: "Type or paste" }).waitFor();
    await until("the old picture is gone", async () => (await darkness(page)) < 100);
    assert.equal(await page.locator("#elements [role=option]").count(), 0);
    await page.locator(".toast button", { hasText: "Undo" }).click();
    await until("undone", async () => (await darkness(page)) > 300);
    view.clean();
    await view.close();
  });

  test("under a sub-path behind a proxy everything works", async () => {
    const http = await import("node:http");
    const proxy = http.createServer((request, response) => {
      if (!request.url.startsWith("/labels/")) {
        response.writeHead(404).end();
        return;
      }
      const onward = http.request({ host: "127.0.0.1", port: service.port, path: request.url.slice("/labels".length), method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const view = await openPage(browser, service, { url: `http://127.0.0.1:${proxy.address().port}/labels/`, storage: twoLabels });
    await rendered(view.page);
    assert.equal(await view.page.textContent("#label-count"), "1 of 2");
    view.clean();
    await view.close();
    proxy.closeAllConnections?.();
    proxy.close();
  });
});
