// Browser tests of the label page with lines of megabytes: they fold to chips, so that they are never laid out, and stay whole.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { violations } from "./axe.js";
import { launch, openPage, rendered, Service, until } from "./label-fixture.js";

describe("the label page: lines of megabytes", () => {
  let service;
  let browser;
  let folder;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "platen-large-"));
    service = await Service.start();
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await service?.stop();
    await rm(folder, { recursive: true });
  });

  /** Counts the characters of the longest text that the editor gives the browser to lay out. */
  const init = () => {
    window.longestText = 0;
    const make = document.createTextNode;
    document.createTextNode = function (text) {
      window.longestText = Math.max(window.longestText, text.length);
      return make.call(document, text);
    };
  };

  const LARGE = {
    "a graphic of 1 MB on one line": [`^XA^FO10,10^GFA,500000,500000,100,${"0F".repeat(500_000)}^FS^XZ`, /^graphic, 1 MB$/],
    "field data of 3 MB": [`^XA^FO10,10^A0N,30^FD${"A".repeat(3_000_000)}^FS^XZ`, /^data, 3 MB$/],
    "100,000 fields on one line": [`^XA${"^FO1,1^FDx^FS".repeat(100_000)}^XZ`, /^rest of the line, 1\.3 MB$/],
  };
  for (const [name, [zpl, words]] of Object.entries(LARGE)) {
    test(`${name}: a chip stands for it, nothing long is laid out, and the code is whole`, async () => {
      const file = path.join(folder, "large.zpl");
      await writeFile(file, zpl);
      const view = await openPage(browser, service, { init });
      const { page } = view;
      await rendered(page);
      await page.setInputFiles("#file", file);
      const chip = page.locator("#editor .zpl-chip");
      await chip.waitFor();
      assert.match(await chip.textContent(), words);
      await page.locator("#editor .cm-content").focus();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("^FXend");
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+c");
      await until("all of it is copied", async () => (await page.evaluate(() => navigator.clipboard.readText())) === `${zpl}^FXend`);
      const longest = await page.evaluate(() => window.longestText);
      assert.ok(longest < 10_000, `a text of ${longest} characters was laid out`);
      const shown = await page.locator("#editor .cm-content").evaluate((content) => content.textContent.length);
      assert.ok(shown < 20_000, `${shown} characters are shown`);
      view.clean();
      await view.close();
    });
  }

  test("a cursor key steps over a chip, and deleting backwards there takes the data out as a whole", async () => {
    // The first label is there without the data, too: the service has something to draw all the time.
    const zpl = `^XA^FO10,10^GB90,90,9^FS^XZ^XA^FO10,10^GFA,4000,4000,40,${"0F".repeat(4000)}^FS^XZ`;
    const view = await openPage(browser, service, { storage: { zpl, name: "", settings: { widthMm: 50, heightMm: 50, dpmm: 8 } } });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .zpl-chip").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    for (let i = 0; i < "^FS^XZ".length; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Backspace");
    await page.locator("#editor .zpl-chip").waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await page.locator("#editor .zpl-chip").waitFor();
    view.clean();
    await view.close();
  });
});
