// Whole tasks in the label page as people do them, by mouse, by keys alone and by touch; and label code of other languages.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { browser, keptWork, openPage, painted, rendered, replaceCode, serveTests, service, until } from "./label-fixture.js";

describe("the label page: whole tasks", () => {
  serveTests();

  const text = async (page) => (await keptWork(page)).zpl;
  const CARRIER = '^XA\n^FO40,40^A0N,50,50^FDNORTHWAY^FS\n^FO40,120^BY3^BCN,120,Y,N,N^FD{{tracking}}^FS\n';

  /** Moves the chosen barcode to the right: by arrow keys, or by a drag over the screen. */
  const byKeys = async (page) => {
    for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowRight");
  };
  const drag = (down, move, up) => async (page) => {
    const { x, y } = await page.evaluate(() => {
      // The middle of the ink below the text: the barcode.
      const canvas = document.getElementById("label");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let [left, right, top, bottom] = [width, 0, height, 0];
      for (let row = 0; row < height; row++) {
        for (let column = 0; column < width; column++) {
          const at = (row * width + column) * 4;
          if (data[at + 3] > 200 && data[at] < 80) [left, right, top, bottom] = [Math.min(left, column), Math.max(right, column), Math.min(top, row), Math.max(bottom, row)];
        }
      }
      const box = canvas.getBoundingClientRect();
      const scale = box.width / width;
      return { x: box.left + ((left + right) / 2) * scale, y: box.top + (top + (bottom - top) * 0.7) * scale };
    });
    // A finger chooses first: a drag beside what is chosen moves the view.
    await down(page, x, y);
    await up(page, x, y);
    await page.locator("#positions:not([hidden])").waitFor({ state: "attached" });
    await down(page, x, y);
    for (const step of [8, 20, 40]) await move(page, x + step, y);
    await up(page, x + 40, y);
  };
  const touch = (type) => async (page, x, y) => {
    page.touches ??= await page.context().newCDPSession(page);
    await page.touches.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  };
  const WAYS = {
    mouse: { press: (page, id) => page.click(id), move: drag((page, x, y) => page.mouse.move(x, y).then(() => page.mouse.down()), (page, x, y) => page.mouse.move(x, y), (page) => page.mouse.up()), options: {} },
    "keys alone": { press: (page, id) => page.locator(id).press("Enter"), move: byKeys, options: {} },
    touch: { press: (page, id) => page.tap(id), move: drag(touch("touchStart"), touch("touchMove"), touch("touchEnd")), options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } },
  };
  for (const [name, { press, move, options }] of Object.entries(WAYS)) {
    test(`from a pasted label to a fixed error, a moved barcode, 300 dpi and fifty printed rows, by ${name}`, async () => {
      const view = await openPage(browser, service, options);
      const { page } = view;
      const isPhone = options.isMobile === true;
      const show = (pane) => (isPhone ? press(page, `#tab-${pane}`) : undefined);
      await rendered(page);
      // A phone begins with the label, which is all that is in sight.
      assert.equal(await page.locator("#pane-label").isVisible() && (await page.locator("#pane-code").isHidden()), isPhone);
      await page.locator("#overlay").focus();
      await page.evaluate((given) => navigator.clipboard.writeText(given), CARRIER);
      await page.keyboard.press("Control+v");
      await page.locator("#status-problems", { hasText: /problem/ }).waitFor();
      await show("code");
      await press(page, "#status-problems");
      await press(page, "#problems .fix >> nth=0");
      await until("the error is fixed", async () => /\^XZ\s*$/.test(await text(page)));
      await show("label");
      await rendered(page);
      await press(page, "#mode-edit");
      await page.locator("#snap").waitFor();
      if (isPhone) {
        const desk = await page.locator("#desk").boundingBox();
        assert.ok(desk.height >= (740 * 2) / 3, `the label has ${desk.height} of 740 pixels`);
      }
      if (name !== "mouse" && !isPhone) for (let i = 0; i < 2; i++) await page.keyboard.press("n");
      await painted(page);
      await move(page);
      await until("the barcode moved", async () => /\^FO(?!40,)\d+,\d+\^BY3/.test(await text(page)));
      await press(page, "#mode-edit");
      await show("settings");
      await press(page, "#convert");
      await press(page, "#convert-300");
      await until("300 dpi", async () => /\^A0N,75,75/.test(await text(page)));
      await show("code");
      await press(page, "#code-menu");
      await press(page, "#fill");
      await page.fill("#fill-csv", `tracking\n${Array.from({ length: 50 }, (_, i) => `NW${1000 + i}`).join("\n")}`);
      await page.evaluate(() => (window.print = () => (window.printedPages = document.querySelectorAll(".print-area img").length)));
      await press(page, "#fill-print");
      await until("fifty pages", async () => (await page.evaluate(() => window.printedPages)) === 50);
      assert.deepEqual(await violations(page), []);
      view.clean();
      await view.close();
    });
  }

  test("code of another language is recognised, named, coloured and explained; editing on the label says that it is for ZPL", async () => {
    const view = await openPage(browser, service);
    const { page } = view;
    await rendered(page);
    for (const [code, name, word, help] of [
      ['N\nq400\n; a remark\nA50,50,0,3,1,1,N,"Hello"\nP1\n', "EPL2", "A", /^AText.*vertical/],
      ['SIZE 50 mm,30 mm\nCLS\nTEXT 50,50,"3",0,1,1,"Hello"\nPRINT 1\n', "TSPL", "TEXT", /^TEXT/],
      ["^XA^FO50,50^A0N,50^FDHello^FS^XZ", "ZPL", "^FO", /./],
    ]) {
      await replaceCode(page, code);
      await page.locator("#status-language", { hasText: name }).waitFor();
      await page.locator("#editor .zpl-command", { hasText: word }).first().waitFor();
      await until("named by its text", async () => (await page.textContent("#doc-name")) === "Hello");
      if (name === "ZPL") continue;
      for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowUp");
      await until("explained", async () => help.test(await page.textContent("#command-help")));
      await page.click("#mode-edit");
      await page.locator(".toast", { hasText: `This is ${name}` }).waitFor();
      assert.deepEqual(await violations(page), []);
    }
    view.clean();
    await view.close();
  });

  test("^POI is shown upright by one press; a graphic's chip shows it; the outline goes to a field, and a field is renamed everywhere", async () => {
    const zpl = `^XA^POI^FO50,300^GFA,2000,2000,20,${"FF".repeat(2000)}^FS\n^FO50,50^A0N,50^FN1"city"^FS\n^FO50,120^A0N,50^FN1^FDx^FS^FN2^FDy^FS^XZ`;
    const view = await openPage(browser, service, { storage: { zpl, name: "", settings: { widthMm: 100, heightMm: 60, dpmm: 8 } } });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .zpl-chip canvas:not([hidden])").waitFor();
    const isBlack = await page.evaluate(() => {
      const canvas = document.querySelector("#editor").shadowRoot.querySelector(".zpl-chip canvas");
      return canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[0] < 128;
    });
    assert.ok(isBlack, "the chip shows the black graphic");
    await page.click("#show-upright");
    await until("turned", async () => (await keptWork(page)).settings.rotation === 180);
    await page.locator("#show-upright").waitFor({ state: "detached" });
    await page.click("#code-menu");
    await page.click("#go-to");
    await page.fill("#go-to-search", "^FN 1\"city");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await page.click("#code-menu");
    await page.click("#rename-field");
    await page.fill("#field-number", "2");
    await page.keyboard.press("Enter");
    await page.locator("[role=alert]", { hasText: "Another field has the number 2" }).waitFor();
    await page.fill("#field-number", "7");
    await page.fill("#field-name", "town");
    await page.keyboard.press("Enter");
    await until("renamed", async () => /\^FN7"town"\^FS\n[^]*\^FN7\^FDx\^FS\^FN2/.test(await text(page)));
    view.clean();
    await view.close();
  });
});
