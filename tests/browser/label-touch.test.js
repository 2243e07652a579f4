// The label page under a finger, 360 by 640 pixels: every target of every view, menu and window is large enough, axe finds nothing, and nothing scrolls sideways, at 320 pixels either.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { browser, openPage, painted, rendered, serveTests, service, until } from "./label-fixture.js";
import { smallTargets } from "./touch.js";

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const LABEL = '^XA\n^PW812^LL406\n^FO40,40^A0N,60,60^FD{{name}}^FS\n^FO40,140^BY3^BCN,120,Y,N,N^FD12345678^FS\n^FO500,140^GB200,120,4^FS^FN1"city"^FS\n^OF9,9^FS\n^XZ\n';

describe("the label page under a finger", () => {
  serveTests();

  const open = async (zpl = LABEL, options = {}) => {
    const view = await openPage(browser, service, { storage: { zpl, name: "fields.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } }, ...PHONE, ...options });
    await rendered(view.page);
    return view;
  };

  /** All that is in sight, in one state of the page. */
  async function isGood(page, state) {
    page.setDefaultTimeout(30_000);
    await painted(page);
    const cut = await page.evaluate(() => [...document.querySelectorAll(".menu, dialog[open]")].map((one) => one.getBoundingClientRect()).filter((box) => box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth).length);
    if (cut > 0) (page.found ??= []).push(`${state}: the window cuts it off`);
    const found = (await smallTargets(page)).map((target) => `${state}: too small for a finger: ${target}`);
    found.push(...(await violations(page)).map((violation) => `${state}: ${JSON.stringify(violation)}`));
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await painted(page);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (tooWide > 0) found.push(`${state}: ${tooWide} px too wide at ${width}`);
    }
    (page.found ??= []).push(...found);
  }

  test("the three views, the lists under the code, and what is written over the label", async () => {
    const view = await open();
    const { page } = view;
    for (const pane of ["label", "settings", "code"]) {
      await page.tap(`#tab-${pane}`);
      await isGood(page, pane);
    }
    await page.tap("#status-problems");
    await page.locator("#problems .fix").first().waitFor();
    await isGood(page, "problems");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+f");
    await page.locator("#editor .cm-search").waitFor();
    const code = await page.evaluate(() => {
      const { shadowRoot } = document.getElementById("editor");
      const box = shadowRoot.querySelector(".cm-scroller").getBoundingClientRect();
      return Math.min(box.bottom, shadowRoot.querySelector(".cm-editor").getBoundingClientRect().bottom) - box.top;
    });
    assert.ok(code >= 44, `${code} pixels of the code that is searched are in sight, beside the problems`);
    await page.tap("#problems header button");
    await isGood(page, "find");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+F1");
    await page.locator("#reference details.command").first().waitFor();
    await page.fill("#reference-search", "^BC");
    await page.locator("#reference details.command[open]").waitFor();
    await isGood(page, "reference");
    await page.tap("#reference-close");
    await page.tap("#link");
    await page.locator(".toast").waitFor();
    await isGood(page, "message");
    assert.deepEqual(page.found, []);
    view.clean();
    await view.close();
  });

  test("Edit and Measure, with an element chosen, and the text in its place", async () => {
    const view = await open();
    const { page } = view;
    await page.tap("#mode-edit");
    await page.locator("#snap").waitFor();
    await isGood(page, "edit");
    await page.locator("#overlay").focus();
    await page.keyboard.press("n");
    await page.locator("#positions:not([hidden])").waitFor({ state: "attached" });
    await isGood(page, "an element is chosen");
    await page.keyboard.press("F2");
    await page.locator("#text-in-place").waitFor();
    await isGood(page, "text in place");
    await page.keyboard.press("Escape");
    await page.tap("#tab-settings");
    await isGood(page, "parameters");
    await page.tap("#tab-label");
    await page.tap("#mode-measure");
    await page.locator("#guide-x").waitFor();
    await page.tap("#guide-x");
    await isGood(page, "measure");
    assert.deepEqual(page.found, []);
    view.clean();
    await view.close();
  });

  test("in every language the tools of Edit are one row, and leave the label its room", async () => {
    for (const locale of ["en-GB", "pt-BR", "es-ES", "de-DE", "fr-FR", "zh-CN"]) {
      const view = await open(LABEL.replace("^PW812^LL406\n", ""), { locale });
      const { page } = view;
      await page.tap("#mode-edit");
      await page.locator("#snap").waitFor();
      await painted(page);
      const { height } = await page.locator("#tool-bar").boundingBox();
      assert.ok(height < 60, `${locale}: ${height} px`);
      view.clean();
      await view.close();
    }
  });

  test("several labels: thumbnails, tabs", async () => {
    const view = await open("^XA^FO40,40^A0N,60^FDa^FS^XZ".repeat(12));
    const { page } = view;
    await isGood(page, "thumbnails");
    await page.tap("#tab-code");
    await page.tap("#new-document");
    await isGood(page, "tabs");
    assert.deepEqual(page.found, []);
    view.clean();
    await view.close();
  });

  const MENUS = { export: "label", "code-menu": "code", help: "label", theme: "label", samples: "label", convert: "settings" };
  test("menus", async () => {
    const view = await open();
    const { page } = view;
    for (const [id, pane] of Object.entries(MENUS)) {
      if ((await page.locator(`#${id}`).count()) === 0) assert.fail(`there is no #${id}`);
      await page.tap(`#tab-${pane}`);
      await page.tap(`#${id}`);
      await painted(page);
      await isGood(page, `menu ${id}`);
      await page.keyboard.press("Escape");
    }
    await page.tap("#tab-label");
    for (const [id, content] of [["help-zpl", "dialog h2"], ["help-keys", "dialog h2"]]) {
      await page.tap("#help");
      await page.tap(`#${id}`);
      await page.locator(content).first().waitFor();
      await isGood(page, `window ${id}`);
      await page.keyboard.press("Escape");
    }
    assert.deepEqual(page.found, []);
    view.clean();
    await view.close();
  });

  const WINDOWS = { fill: "#fill-csv", compare: "#compare-slider", history: ".history", "go-to": "#outline", "rename-document": "#document-name", "copy-as": "#call-code", "export-sheets": "#sheet-download", "send-to-printer": "#printer-list" };
  test("windows", async () => {
    const view = await open();
    const { page } = view;
    for (const [id, content] of Object.entries(WINDOWS)) {
      await page.tap("#tab-code");
      await page.tap(/^(export|send|copy)/.test(id) ? "#export" : "#code-menu");
      await page.tap(`#${id}`);
      await page.locator(content).waitFor({ state: "attached" });
      await isGood(page, `window ${id}`);
      await page.keyboard.press("Escape");
      await until(`${id} is closed`, async () => (await page.locator("dialog").count()) === 0);
    }
    assert.deepEqual(page.found, []);
    view.clean();
    await view.close();
  });
});
