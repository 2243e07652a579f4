// Browser tests of the label page as a canvas: delete, duplicate, copy and paste, several at once, text in place, one history for everything.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { ask, browser, keptWork, openPage, rendered, serveTests, service, started, until } from "./label-fixture.js";

const SIZE = { widthMm: 100, heightMm: 100, dpmm: 8 };
const TWO = "^XA\n^FO100,100^A0N,60,60^FDfirst^FS\n^FO100,300^GB200,100,4^FS\n^XZ\n";

describe("the label page as a canvas", () => {
  serveTests();

  async function open(zpl, { settings = {}, ...options } = {}) {
    const view = await openPage(browser, service, { storage: { zpl, name: "canvas", settings: { ...SIZE, ...settings } }, ...options });
    await rendered(view.page);
    return view;
  }

  async function edit(page) {
    await page.click("#mode-edit");
    await page.locator("#snap").waitFor();
  }

  const text = async (page) => (await keptWork(page)).zpl;
  const becomes = (page, wanted) => until(`the code is ${JSON.stringify(wanted)}`, async () => (await text(page)) === wanted);
  const chosen = (page, count) => until(`${count} chosen`, async () => (count === 1 ? (await page.locator("#positions:not([hidden])").count()) === 1 : (await page.textContent("#positions")).includes(`${count} elements`)));
  const focused = (page, id) => until(`the focus is on ${id}`, () => page.evaluate((wanted) => document.activeElement.id === wanted, id));

  /** Where dots of the label are on the screen: the label is shown whole, at the scale that its size says. */
  async function places(page) {
    const area = await page.locator("#overlay").boundingBox();
    const { left, top, scale } = await page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const white = (x, y) => data[(y * width + x) * 4] === 255 && data[(y * width + x) * 4 + 3] === 255;
      let [left, top, right] = [width, height, 0];
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (white(x, y)) [left, top, right] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1)];
      return { left, top, scale: (right - left) / 800 };
    });
    return (x, y) => [area.x + left + x * scale, area.y + top + y * scale];
  }

  test("after Edit is pressed the keys work on the label: the focus is there", async () => {
    const view = await open(TWO);
    const { page } = view;
    await edit(page);
    await focused(page, "overlay");
    await page.keyboard.press("n");
    await chosen(page, 1);
    await page.keyboard.press("ArrowRight");
    await becomes(page, TWO.replace("^FO100,100", "^FO101,100"));
    view.clean();
    await view.close();
  });

  const DELETED = {
    "a field with its line": [TWO, 1, "^XA\n^FO100,300^GB200,100,4^FS\n^XZ\n"],
    "a field beside others on its line": ["^XA^FO9,9^GB9,9,9^FS^FO50,50^FDx^FS^XZ", 2, "^XA^FO9,9^GB9,9,9^FS^XZ"],
    "not the ^BY in it that another barcode uses": ["^XA^FO9,9^BY4^BCN,50^FD1^FS^FO9,200^BCN,50^FD2^FS^XZ", 1, "^XA^BY4^FO9,200^BCN,50^FD2^FS^XZ"],
    "the ^BY in it that nobody else uses": ["^XA^FO9,9^BY4^BCN,50^FD1^FS^FO9,200^GB9,9,9^FS^XZ", 1, "^XA^FO9,200^GB9,9,9^FS^XZ"],
    "not a ^CI that holds for what follows": ["^XA^FO9,9^CI28^A0N,30^FDa^FS^FO9,99^A0N,30^FDü^FS^XZ", 1, "^XA^CI28^FO9,99^A0N,30^FDü^FS^XZ"],
  };
  for (const [name, [zpl, at, wanted]] of Object.entries(DELETED)) {
    test(`Delete takes out ${name}, as one step`, async () => {
      const view = await open(zpl);
      const { page } = view;
      await edit(page);
      for (let i = 0; i < at; i++) await page.keyboard.press("n");
      await chosen(page, 1);
      await page.keyboard.press(at === 1 ? "Delete" : "Backspace");
      await becomes(page, wanted);
      await page.keyboard.press("Control+z");
      await becomes(page, zpl);
      view.clean();
      await view.close();
    });
  }

  test("Ctrl D puts a copy beside each chosen element and chooses the copies; Undo takes all of them back", async () => {
    const view = await open(TWO);
    const { page } = view;
    await edit(page);
    await page.keyboard.press("Control+a");
    await chosen(page, 2);
    await page.keyboard.press("Control+d");
    const both = "^XA\n^FO100,100^A0N,60,60^FDfirst^FS\n^FO120,120^A0N,60,60^FDfirst^FS\n^FO100,300^GB200,100,4^FS\n^FO120,320^GB200,100,4^FS\n^XZ\n";
    await becomes(page, both);
    await until("the copies are chosen", async () => (await page.locator("#elements [role=option]").count()) === 4 && (await page.textContent("#positions")).includes("2 elements"));
    await page.keyboard.press("Delete");
    await becomes(page, TWO);
    await page.keyboard.press("Control+z");
    await becomes(page, both);
    await page.keyboard.press("Control+z");
    await becomes(page, TWO);
    view.clean();
    await view.close();
  });

  test("copy, cut and paste, beside the original and into another label", async () => {
    const view = await open(TWO);
    const { page } = view;
    await edit(page);
    await page.keyboard.press("n");
    await chosen(page, 1);
    await page.keyboard.press("Control+c");
    await until("it is copied", async () => (await page.evaluate(() => navigator.clipboard.readText())) === "^FO100,100^A0N,60,60^FDfirst^FS");
    await page.keyboard.press("Control+v");
    await becomes(page, TWO.replace("^XZ", "^FO120,120^A0N,60,60^FDfirst^FS\n^XZ"));
    await until("the copy is chosen", async () => (await page.locator("#element-2").getAttribute("aria-selected")) === "true");
    await page.keyboard.press("Control+x");
    await becomes(page, TWO);
    await page.click("#new-document");
    await page.keyboard.insertText("^XA^FO9,9^GB9,9,9^FS^XZ");
    await rendered(page);
    await page.locator("#overlay").focus();
    await page.keyboard.press("Control+v");
    await becomes(page, "^XA^FO9,9^GB9,9,9^FS^FO120,120^A0N,60,60^FDfirst^FS^XZ");
    assert.equal(await page.locator("#documents [role=tab]").count(), 2, "no label was opened for it");
    view.clean();
    await view.close();
  });

  test("what was copied in one unit is not pasted into a label that counts in another", async () => {
    const view = await open(TWO);
    const { page } = view;
    await edit(page);
    await page.keyboard.press("n");
    await chosen(page, 1);
    await page.keyboard.press("Control+c");
    await page.click("#new-document");
    const millimetres = "^XA^MUM^FO9,9^GB9,9,1^FS^XZ";
    await page.keyboard.insertText(millimetres);
    await rendered(page);
    await page.locator("#overlay").focus();
    await page.keyboard.press("Control+v");
    await page.locator(".toast", { hasText: "another unit" }).waitFor();
    assert.equal(await text(page), millimetres);
    view.clean();
    await view.close();
  });

  test("a double-click edits the text in place: Enter takes it over, Escape does not, prefixes are refused", async () => {
    const view = await open(TWO);
    const { page } = view;
    const at = await places(page);
    await page.mouse.dblclick(...at(150, 125));
    await page.locator("#text-in-place").waitFor();
    assert.equal(await page.inputValue("#text-in-place"), "first");
    assert.deepEqual(await violations(page), []);
    await page.fill("#text-in-place", "not this");
    await page.keyboard.press("Escape");
    await page.locator("#text-in-place").waitFor({ state: "detached" });
    await focused(page, "overlay");
    assert.equal(await text(page), TWO);
    await page.keyboard.press("F2");
    await page.fill("#text-in-place", "a^b");
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "begin commands" }).waitFor();
    await page.fill("#text-in-place", "second");
    await page.keyboard.press("Enter");
    await becomes(page, TWO.replace("first", "second"));
    await page.keyboard.press("Control+z");
    await becomes(page, TWO);
    view.clean();
    await view.close();
  });

  test("the text of a field that a stored format draws is edited where its data stands", async () => {
    const zpl = "^XA^DFR:P.ZPL^FS^FO50,60^A0N,80^FN1^FS^XZ^XA^XFR:P.ZPL^FS^FN1^FDstored^FS^XZ";
    const view = await open(zpl);
    const { page } = view;
    await edit(page);
    await page.keyboard.press("n");
    await chosen(page, 1);
    await page.keyboard.press("F2");
    await page.fill("#text-in-place", "other");
    await page.keyboard.press("Enter");
    await becomes(page, zpl.replace("stored", "other"));
    view.clean();
    await view.close();
  });

  test("Shift and drag choose all that the rectangle meets", async () => {
    const view = await open(TWO);
    const { page } = view;
    await edit(page);
    const at = await places(page);
    await page.keyboard.down("Shift");
    await page.mouse.move(...at(60, 60));
    await page.mouse.down();
    await page.mouse.move(...at(200, 200), { steps: 3 });
    await page.mouse.move(...at(400, 450), { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await chosen(page, 2);
    view.clean();
    await view.close();
  });

  test("what is inserted goes to a free place", async () => {
    const zpl = "^XA^FO20,20^GB760,760,4^FS^FO40,40^GB700,300,300^FS^XZ";
    const view = await open(zpl);
    const { page } = view;
    await edit(page);
    await page.click("#insert");
    await page.click("#insert-code128");
    await until("inserted", async () => (await text(page)) !== zpl);
    const labels = JSON.parse(await ask(service, "json", await text(page), SIZE)).labels;
    assert.deepEqual(labels[0].elements[2].overlaps, []);
    assert.ok(labels[0].elements[2].y >= 340, JSON.stringify(labels[0].elements[2]));
    view.clean();
    await view.close();
  });

  for (const rotation of [0, 90]) {
    test(`what is inserted goes to where the label was clicked, or beside what lies there; the label is shown turned by ${rotation}°`, async () => {
      const view = await open("^XA\n^FO100,100^GB100,100,4^FS\n^XZ\n", { settings: { rotation } });
      const { page } = view;
      await edit(page);
      const at = await places(page);
      /** The place of the field that was just inserted, after a click on these dots of the label. */
      const inserted = async (x, y) => {
        const before = await text(page);
        await page.mouse.click(...(rotation === 0 ? at(x, y) : at(800 - y, x)));
        await page.click("#insert");
        await page.click("#insert-box");
        await until("inserted", async () => (await text(page)) !== before);
        await rendered(page);
        return (await text(page)).match(/\^FO(\d+),(\d+)\^GB200,100/g).at(-1).match(/\d+/g).map(Number);
      };
      const free = await inserted(500, 600);
      assert.ok(Math.abs(free[0] - 500) <= 3 && Math.abs(free[1] - 600) <= 3, `${free}`);
      await until("it is drawn", async () => (await page.locator("#elements [role=option]").count()) === 2);
      const taken = await inserted(150, 150);
      assert.ok(taken[0] >= 200 || taken[1] >= 200 || taken[1] <= 0, `${taken} lies on the box`);
      assert.ok(Math.hypot(taken[0] - 150, taken[1] - 150) < 120, `${taken} is far from the click`);
      view.clean();
      await view.close();
    });
  }

  test("Ctrl Z outside the editor undoes the last step, whatever it was, and Ctrl Y redoes it", async () => {
    const view = await open(TWO);
    const { page } = view;
    const density = () => page.inputValue("#density");
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^FXnote");
    await until("typed", async () => (await text(page)).endsWith("^FXnote"));
    await page.selectOption("#density", "12");
    await page.locator("#density").focus();
    await page.keyboard.press("Control+z");
    await until("the density is back", async () => (await density()) === "8");
    assert.ok((await text(page)).endsWith("^FXnote"), "the code stays");
    await page.keyboard.press("Control+y");
    await until("again", async () => (await density()) === "12");
    await page.locator("#boxes").focus();
    await page.keyboard.press("Control+z");
    await until("back", async () => (await density()) === "8");
    await page.keyboard.press("Control+z");
    await until("then what was typed", async () => (await text(page)) !== `${TWO}^FXnote`);
    await page.keyboard.press("Control+Shift+z");
    await becomes(page, `${TWO}^FXnote`);
    await page.keyboard.press("Control+Shift+z");
    await until("and the density", async () => (await density()) === "12");
    view.clean();
    await view.close();
  });

  test("a size that is typed is one step; in its field Ctrl Z is the field's own while it was written in", async () => {
    const view = await open(TWO);
    const { page } = view;
    await page.fill("#width", "");
    await page.locator("#width").pressSequentially("55.5");
    await page.keyboard.press("Enter");
    await until("the width is set", async () => (await keptWork(page)).settings.widthMm === 55.5);
    await page.click("#undo");
    await until("the width is back", async () => (await keptWork(page)).settings.widthMm === SIZE.widthMm);
    assert.equal(await page.inputValue("#width"), "100");
    view.clean();
    await view.close();
  });

  test("on a phone Undo and Redo are in reach in every view", async () => {
    const view = await open(TWO, { viewport: { width: 360, height: 740 }, hasTouch: true });
    const { page } = view;
    await page.tap("#tab-settings");
    await page.selectOption("#density", "12");
    assert.equal(await page.getAttribute("#redo", "aria-disabled"), "true");
    for (const tab of ["code", "label", "settings"]) {
      await page.tap(`#tab-${tab}`);
      const box = await page.locator("#undo").boundingBox();
      assert.ok(box.width >= 44 && box.height >= 44, JSON.stringify(box));
      await page.tap("#undo");
      await until("undone", async () => (await keptWork(page)).settings.dpmm === 8);
      await page.tap("#redo");
      await until("redone", async () => (await keptWork(page)).settings.dpmm === 12);
    }
    await page.tap("#tab-label");
    await page.tap("#mode-edit");
    await page.locator("#snap").waitFor();
    const desk = await page.locator("#desk").boundingBox();
    assert.ok(desk.height >= 740 * 0.6, `the label has ${desk.height} of 740 pixels`);
    for (const button of await page.locator("#tool-bar button:visible, #preview-tools button:visible").all()) {
      const box = await button.boundingBox();
      assert.ok(box.width >= 44 && box.height >= 44, `${await button.getAttribute("id")}: ${JSON.stringify(box)}`);
    }
    assert.deepEqual(await violations(page), []);
    view.clean();
    await view.close();
  });

  test("Convert makes the code for 300 dpi, or rotates it: code and settings are one step", async () => {
    const zpl = "^XA\n^FO100,100^A0N,60,60^FDfirst^FS\n^FO100,300^GB200,100,4^FS\n^XZ\n";
    const view = await open(zpl, { settings: { heightMm: 60 } });
    const { page } = view;
    const settings = async () => (await keptWork(page)).settings;
    await page.click("#convert");
    await page.click("#convert-300");
    await becomes(page, "^XA\n^FO150,150^A0N,90,90^FDfirst^FS\n^FO150,450^GB300,150,6^FS\n^XZ\n");
    assert.equal((await settings()).dpmm, 12);
    assert.equal(await page.inputValue("#density"), "12");
    await page.click("#undo");
    await becomes(page, zpl);
    assert.equal((await settings()).dpmm, 8);
    await page.click("#convert");
    assert.deepEqual(await violations(page), []);
    await page.click("#convert-turn-90");
    await until("rotated", async () => /\^FWR/.test(await text(page)));
    assert.deepEqual([(await settings()).widthMm, (await settings()).heightMm], [60, 100]);
    await page.click("#undo");
    await becomes(page, zpl);
    assert.deepEqual([(await settings()).widthMm, (await settings()).heightMm], [100, 60]);
    view.clean();
    await view.close();
  });

  test("Convert to another density did nothing where the code has no length: the settings change", async () => {
    const view = await openPage(browser, service, { storage: { zpl: "^XA\n^XZ\n", name: "canvas", settings: SIZE } });
    const { page } = view;
    await started(page); // nothing is drawn
    await page.click("#convert");
    await page.click("#convert-300");
    await until("the density", async () => (await page.inputValue("#density")) === "12");
    await page.click("#undo");
    await until("the density before", async () => (await page.inputValue("#density")) === "8");
    await view.close(); // without view.clean(): the service refuses to draw code without a label
  });

  test("Convert changes the unit of the code, and what is inserted or copied then is in that unit; Format and Minify are there, too", async () => {
    const zpl = "^XA\n^FO100,100^A0N,60,60^FDfirst^FS\n^FO100,300^GB200,100,4^FS\n^XZ\n";
    const view = await open(zpl);
    const { page } = view;
    const convert = async (id) => {
      await page.click("#convert");
      assert.deepEqual(await violations(page), []);
      await page.click(`#convert-${id}`);
    };
    const dots = async () => ask(service, "png", await text(page), SIZE);
    const before = await dots();
    await convert("to-mm");
    const mm = "^XA\n^MUM\n^FO12.5,12.5^A0N,7.5,7.5^FDfirst^FS\n^FO12.5,37.5^GB25,12.5,0.5^FS\n^MUD\n^XZ\n";
    await becomes(page, mm);
    assert.ok(before.equals(await dots()));
    await page.evaluate(() => document.getElementById("toasts").replaceChildren());
    await convert("to-mm");
    await page.locator(".toast", { hasText: "It is so already." }).waitFor();
    await edit(page);
    await page.click("#insert");
    await page.click("#insert-box");
    await until("inserted in millimetres", async () => /\^FO[\d.]+,[\d.]+\^GB25,12\.5,0\.375\^FS\n\^MUD\n\^XZ/.test(await text(page)));
    await page.click("#undo");
    await becomes(page, mm);
    await convert("minify");
    await becomes(page, mm.replaceAll("\n", ""));
    await convert("format");
    await becomes(page, mm);
    await convert("to-in");
    await until("in inches", async () => /\^MUI\n\^FO0\.4921,0\.4921\^A0N,0\.2953/.test(await text(page)));
    assert.ok(before.equals(await dots()));
    await convert("to-dots");
    await becomes(page, zpl.replace("^XA\n", "^XA\n^MUD\n"));
    for (let i = 0; i < 5; i++) await page.click("#undo");
    await becomes(page, zpl);
    view.clean();
    await view.close();
  });

  test("what a conversion could not keep exactly is named", async () => {
    const view = await open("^XA^FO50,50^AFN,26,13^FDbitmap^FS^XZ");
    const { page } = view;
    await page.click("#convert");
    await page.click("#convert-300");
    await page.locator(".toast button", { hasText: "Show" }).click();
    await page.locator("#convert-remarks li", { hasText: "nearest size of this font" }).waitFor();
    assert.deepEqual(await violations(page), []);
    view.clean();
    await view.close();
  });
});
