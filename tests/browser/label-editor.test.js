// Browser tests of the label page: opening it, and the editor.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { browser, darkness, folder, keptWork, openPage, rendered, serveTests, service, storedWork, TWO_LABELS, until } from "./label-fixture.js";

describe("the label page: opening it, and the editor", () => {
  serveTests();

  const twoLabels = { zpl: TWO_LABELS, name: "two.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } };

  test("the first visit shows a sample label, within a second of opening", async () => {
    const view = await openPage(browser, service);
    await rendered(view.page);
    const firstPaint = (page) => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    const paints = [await firstPaint(view.page)];
    assert.ok((await darkness(view.page)) > 2000);
    assert.match(await view.page.textContent("#doc-name"), /Shipping label/);
    view.clean();
    await view.close();
    // What else runs on the machine can only make it later: the earliest of some visits is the page's own.
    while (Math.min(...paints) >= 1000 && paints.length < 10) {
      const again = await openPage(browser, service);
      await rendered(again.page);
      paints.push(await firstPaint(again.page));
      await again.close();
    }
    assert.ok(Math.min(...paints) < 1000, `first paint after ${paints.join(", ")} ms`);
  });

  test("a label folds to its first line and opens again; the code stays whole", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    await rendered(view.page);
    const lines = () => view.page.locator("#editor .cm-line").count();
    const whole = await lines();
    await view.page.locator("#editor .cm-foldGutter span[title='Fold this label']").first().click();
    await until("the first label is folded", async () => (await lines()) < whole);
    assert.equal(await view.page.locator("#editor .cm-foldPlaceholder").getAttribute("aria-label"), "folded label");
    assert.equal(await view.page.locator("#editor .cm-line", { hasText: "FDSecond" }).count(), 1);
    assert.equal((await keptWork(view.page)).zpl, TWO_LABELS);
    await view.page.locator("#editor .cm-foldPlaceholder").click();
    await until("it is open again", async () => (await lines()) === whole);
    view.clean();
    await view.close();
  });

  test("what the page starts with are five files, under 140 kB compressed", async () => {
    const sizes = {};
    // The files that the page names, and those that these import before they run.
    const queue = ["", "first.js", "main.js", "style.css"];
    for (const name of queue) {
      const { stdout } = await promisify(execFile)("curl", ["-s", "-H", "Accept-Encoding: br", "-o", path.join(folder, "asset"), "-w", "%{size_download} %{http_code}", service.url + name]);
      const [size, status] = stdout.split(" ").map(Number);
      assert.equal(status, 200, name);
      sizes[name] = size;
      const script = name.endsWith(".js") ? await (await fetch(service.url + name)).text() : "";
      for (const [, part] of script.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) if (!queue.includes(part)) queue.push(part);
    }
    const total = Object.values(sizes).reduce((a, b) => a + b);
    assert.ok(total < 140_000, `${total}: ${JSON.stringify(sizes)}`);
    assert.equal(queue.length, 5, `each six files more are a round trip more: ${queue.join(", ")}`);
  });

  test("highlighting, completion and hover help come with the editor", async () => {
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl: "^XA\n^FO50,50^A0N,60,60^FDHi^FS\n^XZ\n" } });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-line span", { hasText: /^\^FO$/ }).waitFor(); // colours come after the first picture
    const colours = await page.evaluate(() =>
      [...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line span")].map((e) => `${e.textContent}:${getComputedStyle(e).color}`),
    );
    const colour = (text) => colours.find((entry) => entry.startsWith(`${text}:`))?.split(":")[1];
    assert.ok(colour("^FO") && colour("Hi") && colour("50"));
    assert.equal(new Set([colour("^FO"), colour("Hi"), colour("50")]).size, 3);

    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^G");
    await page.locator("#editor .cm-tooltip-autocomplete li", { hasText: "^GB" }).first().waitFor();
    await page.keyboard.type("B");
    await page.keyboard.press("Escape");
    await until("help on the command at the cursor", async () => (await page.textContent("#command-help")).includes("^GB"));

    await page.locator("#editor .cm-line span", { hasText: /^\^FO$/ }).hover();
    await page.locator("#editor .cm-tooltip-hover .zpl-help code", { hasText: "^FO" }).waitFor();
    view.clean();
    await view.close();
  });

  test("diagnostics are underlined, marked in the gutter and listed; a row jumps to the place, past non-ASCII text", async () => {
    const zpl = "^XA^CI28\n^FX 😀\n^FO50,50^A0N,60,60^FDGrüße €^FS\n^QZ1\n^FO50,150^A0N,60,60^FDmore^FS\n^XZ\n";
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl } });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-lintRange").first().waitFor();
    const underlined = await page.locator("#editor .cm-lintRange").allTextContents();
    assert.ok(underlined.join("").includes("^QZ"), underlined.join("|"));
    const markers = page.locator("#editor .cm-gutter-lint .cm-gutterElement:visible .cm-lint-marker");
    await until("its mark", async () => (await markers.count()) === 1);
    assert.match(await page.textContent("#status-problems"), /1 problem/);
    await page.click("#status-problems");
    await page.locator("#problems li button").first().click();
    assert.equal(await page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-activeLine").textContent), "^QZ1");
    // Mending it clears the list.
    await page.keyboard.press("End");
    for (let i = 0; i < 4; i++) await page.keyboard.press("Backspace");
    await until("no problems", async () => (await page.textContent("#status-problems")).includes("No problems"));
    view.clean();
    await view.close();
  });

  test("a command that is typed whole closes the completion", async () => {
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl: "^XA\n^FO50,50^GB9,9^FS\n" } });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^X");
    await page.locator("#editor .cm-tooltip-autocomplete").waitFor();
    await page.keyboard.type("Z");
    await until("closed", async () => (await page.locator("#editor .cm-tooltip-autocomplete").count()) === 0);
    await until("typed whole", async () => /\^XZ$/.test((await keptWork(page)).zpl));
    view.clean();
    await view.close();
  });

  test("the name goes with the text it belongs to", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    const name = () => page.textContent("#doc-name");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^FX note");
    await until("typed", async () => /note$/.test((await keptWork(page)).zpl));
    assert.equal(await name(), "two.zpl");
    await page.evaluate(() => navigator.clipboard.writeText("^XA^FO9,9^GB9,9,9^FS^XZ"));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+v");
    await until("no name any more", async () => (await name()) === "");
    assert.equal((await keptWork(page)).name, "");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await until("emptied", async () => (await keptWork(page)).zpl === "");
    assert.equal((await keptWork(page)).name, "");
    view.clean();
    await view.close();
  });

  test("the list of elements stays where it is when one of it is chosen", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    const row = page.locator("#element-2");
    const before = await row.boundingBox();
    await row.click();
    await until("chosen", async () => (await row.getAttribute("aria-selected")) === "true");
    assert.deepEqual(await row.boundingBox(), before);
    // One at the end is brought into sight beside its details.
    await page.locator("#elements").focus();
    await page.keyboard.press("End");
    const last = page.locator("#elements [aria-selected=true]");
    await until("the last one is in sight", async () => {
      const [rows, its] = [await page.locator("#elements").boundingBox(), await last.boundingBox()];
      return its.y >= rows.y - 1 && its.y + its.height <= rows.y + rows.height + 1;
    });
    view.clean();
    await view.close();
  });

  test("search and undo work in the editor", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^FX note");
    // Kept by itself, a moment after the last key.
    await until("kept", async () => /note$/.test((await storedWork(page)).zpl));
    await page.keyboard.press("Control+z");
    await until("undone", async () => !(await keptWork(page)).zpl.includes("note"));
    await page.keyboard.press("Control+f");
    await page.keyboard.type("Second");
    await page.keyboard.press("Enter");
    await page.locator("#editor .cm-searchMatch-selected").waitFor();
    view.clean();
    await view.close();
  });

  test("the cursor in a command marks its element, on whichever label it is", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-line", { hasText: "Grüße" }).click();
    await until("the text is chosen", async () => (await page.textContent(".inspector")).includes("Grüße €"));
    await page.locator("#editor .cm-line", { hasText: "^GB300" }).click();
    await until("the box of the second label is chosen", async () => {
      const text = await page.textContent(".inspector");
      return text.includes("^GB") && (await page.textContent("#label-count")) === "2 of 2";
    });
    view.clean();
    await view.close();
  });
});
