// Browser tests of the label page: packed label code, values for fields, many labels, and where they go.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { violations } from "./axe.js";
import { keptWork, launch, openPage, painted, rendered, replaceCode, Service, TWO_LABELS, until } from "./label-fixture.js";

describe("the label page: data in, labels out", () => {
  let service;
  let browser;
  let printer;
  const received = [];

  before(async () => {
    printer = net.createServer((socket) => socket.on("data", (data) => received.push(data.toString()))).listen(0, "127.0.0.1");
    await once(printer, "listening");
    service = await Service.start("--print-to", `127.0.0.1:${printer.address().port}`);
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await service?.stop();
    printer?.close();
  });

  const work = (zpl, settings = {}) => ({ zpl, name: "my.zpl", settings: { widthMm: 50.8, heightMm: 25.4, dpmm: 8, ...settings } });
  const LABEL = "^XA^FO20,20^A0N,40,40^FDPacked^FS^XZ";

  async function menu(page, id) {
    await page.click("#code-menu");
    await page.click(`#${id}`);
  }

  async function download(page, action) {
    const [file] = await Promise.all([page.waitForEvent("download"), action()]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  }

  test("base64, JSON and escaped code is unpacked when it is pasted, in the editor and beside it", async () => {
    const view = await openPage(browser, service, { storage: work("^XA^FDold^FS^XZ") });
    const { page } = view;
    await rendered(page);
    const packed = [
      [Buffer.from(LABEL).toString("base64"), "base64"],
      [JSON.stringify({ shipment: { labels: [{ image: Buffer.from(LABEL).toString("base64") }] } }), "JSON"],
      [LABEL.replace(/\^FS/, "^FS\\n") + "\\n", "an escaped string"],
      [`curl --location 'http://x/' --data-raw '${LABEL}'`, "a curl command"],
    ];
    for (const [text, from] of packed) {
      await page.locator("#editor .cm-content").focus();
      await page.keyboard.press("Control+a");
      await page.evaluate((given) => navigator.clipboard.writeText(given), text);
      await page.keyboard.press("Control+v");
      await page.locator(".toast", { hasText: from }).waitFor();
      assert.equal((await keptWork(page)).zpl.replace("\n", "").trim(), LABEL, from);
    }
    await page.locator("#overlay").focus();
    await page.evaluate((given) => navigator.clipboard.writeText(given), packed[0][0]);
    await page.keyboard.press("Control+v");
    await until("opened beside", async () => (await page.locator("#documents [role=tab]").count()) === 2);
    assert.equal((await keptWork(page)).zpl, LABEL);
    view.clean();
    await view.close();
  });

  test("a PDF with label code in it is unpacked when it is pasted or opened, and one without says so", async () => {
    const view = await openPage(browser, service, { storage: work("^XA^FDold^FS^XZ") });
    const { page } = view;
    await rendered(page);
    const pdf = (text) => Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile >>\nstream\n${text}\nendstream\nendobj\n%%EOF\n`);
    const paste = async (text) => {
      await page.locator("#editor .cm-content").focus();
      await page.evaluate((given) => navigator.clipboard.writeText(given), text);
      await page.keyboard.press("Control+v");
    };
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+a");
    await paste(JSON.stringify({ label: pdf("no code").toString("base64") }));
    await page.locator(".toast", { hasText: "PDF without label code" }).waitFor();
    assert.equal((await keptWork(page)).zpl, "^XA^FDold^FS^XZ", "nothing was put into the code");
    await paste(JSON.stringify({ label: pdf(LABEL).toString("base64") }));
    await until("unpacked", async () => (await keptWork(page)).zpl === LABEL);
    await page.setInputFiles("#file", { name: "answer.pdf", mimeType: "application/pdf", buffer: pdf(LABEL.replace("^XZ", "^FX2^FS^XZ")) });
    await until("opened", async () => (await keptWork(page)).zpl.includes("^FX2"));
    view.clean();
    await view.close();
  });

  test("fields are filled in by a form, rows of CSV one by one, and all rows are printed or go into a file", async () => {
    const template = '^XA^FO20,20^A0N,40,40^FD{{name}}^FS^FO20,80^A0N,30,30^FN1"city"^FS^XZ';
    const view = await openPage(browser, service, { storage: work(template) });
    const { page } = view;
    await rendered(page);
    await menu(page, "fill");
    await page.fill("[data-field=name]", "Ann^XZ");
    await page.fill("[data-field=city]", "Bath");
    await page.locator("#fill-picture[data-row='1']").waitFor();
    await page.fill("#fill-csv", 'name;city\nBo;"Cork; old"\nCy;Dover\n');
    await until("rows", async () => (await page.textContent("#fill-count")) === "of 2");
    assert.equal(await page.inputValue("[data-field=city]"), "Cork; old");
    await page.click('[aria-label="Next row"]');
    await page.locator("#fill-picture[data-row='2']").waitFor();
    assert.equal(await page.inputValue("[data-field=name]"), "Cy");
    const zip = await download(page, () => page.click("#fill-zip"));
    assert.equal(zip.name, "my.zip");
    const names = zip.bytes.toString("latin1");
    assert.ok(names.includes("1.png") && names.includes("2.png"));
    const codes = await download(page, () => page.click("#fill-zpl"));
    assert.match(codes.bytes.toString(), /\^FDBo\^FS[^]*Cork; old[^]*\^FDCy\^FS[^]*Dover/);
    // The pages that the printer gets, counted while the print window would be open.
    await page.evaluate(() => (window.print = () => (window.printedPages = document.querySelectorAll(".print-area img").length)));
    await page.click("#fill-print");
    await until("printed", async () => (await page.evaluate(() => window.printedPages)) === 2);
    const pdf = await download(page, () => page.click("#fill-pdf"));
    assert.match(pdf.bytes.toString("latin1"), /\/Count 2\b/);
    await page.click("#fill-open");
    await until("opened", async () => (await page.textContent("#doc-name")) === "my 2");
    assert.match((await keptWork(page)).zpl, /\^FDCy\^FS[^]*Dover/);
    view.clean();
    await view.close();
  });

  test("CSV as spreadsheets save it: Windows-1252, UTF-16, and a table that is no CSV", async () => {
    const view = await openPage(browser, service, { storage: work("^XA^CI28^FO20,20^A0N,40,40^FD{{city}}^FS^XZ") });
    const { page } = view;
    await rendered(page);
    await menu(page, "fill");
    const choose = (name, buffer) => page.setInputFiles("#fill-file", { name, mimeType: "text/csv", buffer });
    await choose("windows.csv", Buffer.from("id;city\n1;M\xfcnchen \x80\n", "latin1"));
    await until("the row", async () => (await page.inputValue("[data-field=city]")) === "München €");
    assert.match(await page.textContent("#fill-status"), /Windows-1252/);
    await choose("unicode.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("id\tcity\n1\tŁódź\n", "utf16le")]));
    await until("the row", async () => (await page.inputValue("[data-field=city]")) === "Łódź");
    await choose("table.xlsx", Buffer.from("PK\x03\x04\0\0\0\0"));
    await page.locator("#fill-status", { hasText: "table.xlsx is not a CSV file" }).waitFor();
    assert.equal(await page.inputValue("[data-field=city]"), "Łódź");
    view.clean();
    await view.close();
  });

  test("closing the window ends the making of its file", async () => {
    const view = await openPage(browser, service, { storage: work("^XA^FO20,20^A0N,40,40^FD{{city}}^FS^XZ") });
    const { page } = view;
    await rendered(page);
    await menu(page, "fill");
    await page.fill("#fill-csv", `city\n${Array.from({ length: 40 }, (_, i) => `City ${i}`).join("\n")}\n`);
    await page.locator("#fill-picture[data-row='1']").waitFor();
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve));
    let asked = 0;
    await page.route("**/api/zpl*", async (route) => {
      asked++;
      await held;
      await route.continue().catch(() => undefined);
    });
    let downloads = 0;
    page.on("download", () => downloads++);
    await page.click("#fill-pdf");
    for (const id of ["fill-pdf", "fill-zip"]) assert.ok(await page.isDisabled(`#${id}`), "one file at a time");
    await until("asked", () => asked >= 4);
    await page.keyboard.press("Escape");
    letGo();
    await page.waitForTimeout(1500);
    assert.equal(asked, 4, "no more rows than were on their way");
    assert.equal(downloads, 0);
    assert.doesNotMatch(await page.textContent("#toasts"), /downloaded/);
    view.clean();
    await view.close();
  });

  test("comparing says what changed in words: height 120 → 100, not changed", async () => {
    const zpl = "^XA^CI28^FXGrüße^FS^FO20,20^A0N,40,40^FDone^FS^FO20,90^BCN,120,Y^FD123^FS^FO20,300^GB90,90,4^FS^XZ";
    const view = await openPage(browser, service, { storage: work(zpl) });
    const { page } = view;
    await rendered(page);
    await page.click("#new-document");
    await page.keyboard.insertText(zpl.replace("FDone", "FDother").replace("120,Y", "100,Y").replace("^FO20,300", "^FO28,300"));
    await rendered(page);
    await menu(page, "compare");
    const rows = page.locator(".compare-changes li");
    await until("three changes", async () => (await rows.count()) === 3);
    const words = (await rows.allTextContents()).join("\n");
    assert.match(words, /data one → other/);
    assert.match(words, /height 120 → 100/);
    assert.match(words, /moved by 1\.00, 0\.00 mm$/m);
    assert.deepEqual(await violations(page), []);
    view.clean();
    await view.close();
  });

  test("comparing: the label that was chosen last is shown, in whatever order the pictures come", async () => {
    const zpl = "^XA^FO20,20^A0N,40,40^FDone^FS^XZ^XA^FO20,20^A0N,40,40^FDtwo^FS^XZ";
    const view = await openPage(browser, service, { storage: work(zpl) });
    const { page } = view;
    await rendered(page);
    await page.click("#new-document");
    await page.keyboard.insertText(zpl.replace("one", "other"));
    await rendered(page);
    await menu(page, "compare");
    await page.locator("#compare-summary", { hasText: "dots differ" }).waitFor();
    await page.evaluate(() => {
      const decode = window.createImageBitmap;
      const held = new Promise((resolve) => (window.release = resolve));
      window.late = [];
      window.createImageBitmap = (...values) => {
        if (window.late.length === 2) return decode(...values);
        // The first label's pictures come last.
        const picture = held.then(() => decode(...values));
        window.late.push(picture);
        return picture;
      };
    });
    await page.selectOption("#compare-page", "0");
    await page.evaluate(() => document.getElementById("compare-page").dispatchEvent(new Event("change")));
    await page.selectOption("#compare-page", "1");
    await page.locator("#compare-summary", { hasText: "Both look the same." }).waitFor();
    await page.evaluate(() => (window.release(), Promise.all(window.late)));
    await painted(page);
    assert.equal(await page.textContent("#compare-summary"), "Both look the same.");
    view.clean();
    await view.close();
  });

  test("a value cannot become a command", async () => {
    const view = await openPage(browser, service, { storage: work("^XA^FO20,20^A0N,40,40^FD{{name}}^FS^XZ") });
    const { page } = view;
    await rendered(page);
    await menu(page, "fill");
    await page.fill("[data-field=name]", "a^XZ^XA^FDb");
    await page.click("#fill-open");
    await until("opened", async () => (await page.textContent("#doc-name")) === "my filled");
    await rendered(page);
    assert.equal(await page.textContent("#status-labels"), "1 label");
    view.clean();
    await view.close();
  });

  test("all labels as a ZIP of PNGs; a label by its number; thumbnails with problems are marked", async () => {
    const zpl = `${TWO_LABELS}^XA^FO390,20^A0N,60,60^FDRuns out^FS^XZ^XA^FO20,20^BEN,50^FDABC^FS^XZ`;
    const view = await openPage(browser, service, { storage: work(zpl) });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    const zip = await download(page, () => page.click("#export-zip"));
    assert.equal(zip.bytes.subarray(0, 2).toString(), "PK");
    // One picture for each label in the directory at the end.
    assert.equal(zip.bytes.toString("latin1").match(/PK\x01\x02[^]{42}my[^]*?\.png/g).length, 4);
    await page.click("#label-count");
    await page.fill("#go-to-label", "3");
    await page.keyboard.press("Enter");
    await until("the third", async () => (await page.textContent("#label-count")) === "3 of 4");
    assert.match(await page.locator(".thumb").nth(2).getAttribute("aria-label"), /has problems/);
    assert.ok(await page.locator(".thumb").nth(2).locator(".icon").isVisible());
    // A warning has the colour of warnings, which was that of errors.
    const colours = await page.evaluate(() => {
      const of = (element) => getComputedStyle(element).color;
      const tones = ["warning", "error"].map((tone) => document.body.appendChild(Object.assign(document.createElement("span"), { className: `tone-${tone}` })));
      const found = { marks: [...document.querySelectorAll(".thumb .icon")].slice(2, 4).map(of), tones: tones.map(of) };
      for (const tone of tones) tone.remove();
      return found;
    });
    assert.deepEqual(colours.marks, colours.tones);
    assert.notEqual(...colours.tones);
    view.clean();
    await view.close();
  });

  test("code is formatted and minified, one undo step each", async () => {
    const zpl = "^XA ^FO20, 20^A0N,40,40^FDa^FS^XZ";
    const view = await openPage(browser, service, { storage: work(zpl) });
    const { page } = view;
    await rendered(page);
    await menu(page, "format");
    await until("formatted", async () => (await keptWork(page)).zpl.trim() === "^XA\n^FO20,20^A0N,40,40^FDa^FS\n^XZ");
    await menu(page, "minify");
    await until("minified", async () => (await keptWork(page)).zpl.trim() === "^XA^FO20,20^A0N,40,40^FDa^FS^XZ");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await until("as before", async () => (await keptWork(page)).zpl === zpl);
    assert.equal(await page.textContent("#doc-name"), "my.zpl");
    view.clean();
    await view.close();
  });

  test("code of another language is not rewritten, and the page says what to do first", async () => {
    const cpcl = "! 0 200 200 240 1\nTEXT 4 0 20 20 Hello\nFORM\nPRINT\n";
    const view = await openPage(browser, service, { storage: work(cpcl) });
    const { page } = view;
    await rendered(page);
    await until("it is CPCL", async () => /CPCL/.test(await page.textContent("#status")));
    for (const id of ["format", "minify", "fill"]) {
      await page.evaluate(() => document.getElementById("toasts").replaceChildren());
      await menu(page, id);
      await page.locator(".toast", { hasText: "This is CPCL, and only ZPL can be rewritten. Choose Convert > To ZPL first." }).waitFor();
      assert.equal(await page.locator("dialog[open]").count(), 0);
    }
    assert.equal((await keptWork(page)).zpl, cpcl);
    view.clean();
    await view.close();
  });

  test("sheets of the PDF hold as many labels as fit", async () => {
    const view = await openPage(browser, service, { storage: work("^XA^FO20,20^A0N,40,40^FDx^FS^PQ20^XZ") });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#export-sheets");
    // 50.8 × 25.4 mm on A4 with margins of 5 mm: three beside each other, eleven rows.
    assert.equal(await page.inputValue("#sheet-columns"), "3");
    assert.equal(await page.inputValue("#sheet-rows"), "11");
    await page.check("#sheet-marks");
    const pdf = await download(page, () => page.click("#sheet-download"));
    assert.match(pdf.bytes.toString("latin1"), /\/Count 1\b/);
    assert.equal(pdf.name, "my-sheets.pdf");
    view.clean();
    await view.close();
  });

  test("the label is sent to a printer that the service may reach", async () => {
    const view = await openPage(browser, service, { storage: work(LABEL) });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#send-to-printer");
    await page.click(`[aria-label="Send to 127.0.0.1:${printer.address().port}"]`);
    await page.locator("#printer-status", { hasText: "Sent to" }).waitFor();
    await until("printed", () => received.join("").includes(LABEL));
    view.clean();
    await view.close();
  });

  test("the label is sent to a printer at the USB port, where the browser has one", async () => {
    const init = () => {
      const bulk = { endpointNumber: 2, direction: "out", type: "bulk" };
      const printer = { interfaceNumber: 1, alternates: [{ alternateSetting: 0, interfaceClass: 7, endpoints: [{ endpointNumber: 1, direction: "in", type: "bulk" }, bulk] }] };
      const calls = (window.calls = []);
      window.printed = "";
      const device = {
        productName: "ZD621",
        configuration: null,
        open: async () => void calls.push("open"),
        close: async () => void calls.push("close"),
        selectConfiguration: async () => void (device.configuration = { interfaces: [{ interfaceNumber: 0, alternates: [{ alternateSetting: 0, interfaceClass: 3, endpoints: [bulk] }] }, printer] }),
        claimInterface: async (number) => {
          calls.push(`claim ${number}`);
          if (window.held) throw new DOMException("Unable to claim interface.", "NetworkError");
        },
        releaseInterface: async (number) => void calls.push(`release ${number}`),
        transferOut: async (endpoint, data) => {
          const taken = data.slice(0, 100); // a printer may take less than it is offered
          window.printed += new TextDecoder().decode(taken);
          return { status: endpoint === 2 ? "ok" : "stall", bytesWritten: taken.length };
        },
      };
      Object.defineProperty(navigator, "usb", { value: { requestDevice: async ({ filters }) => (calls.push(JSON.stringify(filters)), device) } });
    };
    const long = LABEL.replace("^XZ", `^FX${"x".repeat(500)}^FS^XZ`);
    const view = await openPage(browser, service, { storage: work(long), init });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#send-to-printer");
    await page.click('[aria-label="Choose a printer at this computer and send"]');
    await page.locator("#printer-status", { hasText: "Sent to ZD621." }).waitFor();
    assert.equal(await page.evaluate(() => window.printed), long);
    assert.deepEqual(await page.evaluate(() => window.calls), ['[{"classCode":7}]', "open", "claim 1", "release 1", "close"]);
    await page.evaluate(() => (window.held = true));
    await page.click('[aria-label="Choose a printer at this computer and send"]');
    await page.locator("#printer-status", { hasText: "could not be sent by USB: Unable to claim interface." }).waitFor();
    assert.equal(await page.evaluate(() => window.calls.at(-1)), "close", "others can print");
    view.clean();
    await view.close();
  });

  test("on a phone the label is shared as a picture with its link", async () => {
    const init = () => {
      navigator.canShare = () => true;
      navigator.share = async (data) => (window.shared = { files: data.files.map((file) => [file.name, file.type]), url: data.url });
    };
    const view = await openPage(browser, service, { storage: work(LABEL), init, hasTouch: true, isMobile: true, viewport: { width: 360, height: 700 } });
    const { page } = view;
    await rendered(page);
    await page.click("#export");
    await page.click("#share");
    const shared = await until("shared", () => page.evaluate(() => window.shared));
    assert.deepEqual(shared.files, [["my.png", "image/png"]]);
    assert.match(shared.url, /#z=/);
    view.clean();
    await view.close();
  });

  test("versions: history lists them, compares them in text and picture, and is cleared by one button", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    await page.locator("#overlay").focus();
    await page.evaluate((given) => navigator.clipboard.writeText(given), LABEL);
    await page.keyboard.press("Control+v");
    await until("opened", async () => (await page.textContent("#doc-name")) === "Packed");
    await rendered(page);
    await replaceCode(page, LABEL.replace("20,20", "60,20"));
    await menu(page, "compare");
    await page.locator("#compare-summary", { hasText: "dots differ" }).waitFor();
    const colours = () =>
      page.evaluate(() => {
        const canvas = document.querySelector(".compare-picture");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const seen = { orange: 0, blue: 0, black: 0 };
        for (let i = 0; i < data.length; i += 4) {
          const [r, , b] = [data[i], data[i + 1], data[i + 2]];
          if (r === 0xd9) seen.orange++;
          else if (r === 0x0b && b === 0xd6) seen.blue++;
          else if (r === 0) seen.black++;
        }
        return seen;
      });
    const both = await colours();
    assert.ok(both.orange > 50 && both.blue > 50, JSON.stringify(both));
    await page.locator("#compare-slider").fill("0");
    const before = await colours();
    assert.ok(before.orange > 50 && before.blue === 0, JSON.stringify(before));
    await page.locator("#compare-slider").fill("100");
    const now = await colours();
    assert.ok(now.blue > 50 && now.orange === 0, JSON.stringify(now));
    assert.match(await page.textContent(".diff"), /20,20[^]*60,20/);
    await page.locator(".compare-changes li", { hasText: "moved by 5.0" }).waitFor();
    await page.keyboard.press("Escape");
    await menu(page, "history");
    await until("two versions", async () => (await page.locator(".history li .history-facts").count()) === 2);
    await page.locator(".history button", { hasText: "Open" }).last().click();
    await until("the earlier one", async () => (await keptWork(page)).zpl === LABEL);
    await menu(page, "history");
    await page.click("#clear-history");
    await page.locator(".history", { hasText: "Nothing yet" }).waitFor();
    const left = await page.evaluate(
      () => new Promise((done) => (indexedDB.open("platen.label").onsuccess = (event) => (event.target.result.transaction("versions").objectStore("versions").count().onsuccess = (counted) => done(counted.target.result)))),
    );
    assert.equal(left, 0);
    view.clean();
    await view.close();
  });
});
