// Browser tests of the label page: editing on the label.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { ask, browser, forgetAnswer, keptWork, openPage, rendered, serveTests, service, until } from "./label-fixture.js";

const SIZE = { widthMm: 100, heightMm: 100, dpmm: 8 };

describe("the label page: editing on the label", () => {
  serveTests();

  async function open(zpl, settings = {}, options = {}) {
    const view = await openPage(browser, service, { storage: { zpl, name: "edited", settings: { ...SIZE, ...settings } }, ...options });
    const { page } = view;
    await rendered(page);
    await page.click("#mode-edit");
    await page.locator("#snap").waitFor();
    await page.locator("#overlay").focus();
    return view;
  }

  const text = async (page) => (await keptWork(page)).zpl;
  const becomes = (page, wanted) => until(`the code is ${wanted}`, async () => (await text(page)) === wanted);
  const elements = async (zpl) => JSON.parse(await ask(service, "json", zpl, SIZE)).labels.flatMap((label) => label.elements);
  const withoutNumbers = (zpl) => zpl.replace(/[\d.]+/g, "#");

  async function choose(page, times = 1) {
    for (let i = 0; i < times; i++) await page.keyboard.press("n");
    await page.locator("#positions:not([hidden])").waitFor();
  }

  /** Presses a key and waits until the code has changed and is drawn. */
  async function press(page, key) {
    const before = await text(page);
    await forgetAnswer(page);
    await page.keyboard.press(key);
    await until(`${key} changes the code`, async () => (await text(page)) !== before);
    await rendered(page);
  }

  // What moves numbers the other way, or in another unit: the ink must go where the key says.
  const LABELS = {
    "plain ^FO": "^XA\n^FO 50 , 60 ^A0N,40^FDplain^FS\n^XZ\n",
    "^LH, ^LS, ^LT": "^XA^LH30,20^LS5^LT7^FO50,60^A0N,40^FDhome^FS^XZ",
    "^FT": "^XA^FT50,160^A0N,40^FDbaseline^FS^XZ",
    "^FT, turned": "^XA^FT250,160^A0R,40^FDturned^FS^XZ",
    "^FW and right": "^XA^FWR^FO250,60,1^A0,40^FDright^FS^XZ",
    "^POI": "^XA^POI^FO50,60^BCN,60^FDinverted^FS^XZ",
    "^PMY": "^XA^PMY^FO50,60^GB80,50,4^FS^XZ",
    "^PMY and ^POI": "^XA^PMY^POI^FT50,160^GB80,50,4^FS^XZ",
    "other prefixes": "^XA^CC$$CD;$FO50;60$A0N;40$FDprefixes, all$FS$XZ",
    "a stored format": "^XA^DFR:P.ZPL^FS^FO50,60^A0N,40^FN1^FS^XZ^XA^XFR:P.ZPL^FS^FN1^FDstored^FS^XZ",
    "text before it that is not ASCII": "^XA^CI28^FXGrüße 😀^FS^FO50,60^A0N,40^FDé^FS^XZ",
    "millimetres": "^XA^MUM^FO10.5,12^GB20,10,1^FS^XZ",
    "a y that is missing": "^XA^FO50^GB80,50,4^FS^XZ",
  };
  for (const [name, zpl] of Object.entries(LABELS)) {
    test(`the arrow keys move the ink as they say: ${name}`, async () => {
      const view = await open(zpl);
      const { page } = view;
      await choose(page);
      const [before] = await elements(zpl);
      await press(page, "ArrowRight");
      await press(page, "Shift+ArrowDown");
      const moved = await text(page);
      const [after] = await elements(moved);
      assert.deepEqual([after.x - before.x, after.y - before.y], [1, 10], moved);
      assert.deepEqual([after.width, after.height], [before.width, before.height]);
      if (name !== "a y that is missing") assert.equal(withoutNumbers(moved), withoutNumbers(zpl));
      view.clean();
      await view.close();
    });
  }

  for (const rotation of [90, 180, 270]) {
    test(`shown turned by ${rotation}°: right is right on the screen`, async () => {
      const zpl = "^XA^FO300,300^GB80,50,4^FS^XZ";
      const view = await open(zpl, { rotation });
      const { page } = view;
      await choose(page);
      await press(page, "Shift+ArrowRight");
      const [after] = await elements(await text(page));
      assert.deepEqual([after.x - 300, after.y - 300], { 90: [0, -10], 180: [-10, 0], 270: [0, 10] }[rotation]);
      view.clean();
      await view.close();
    });
  }

  const REFUSED = {
    "text that follows the text before it": ["^XA^FT50,60^A0N,40^FDone^FS^FT^A0N,40^FDtwo^FS^XZ", 2, /has no x, so it follows the text before it/],
    "a field without ^FO": ["^XA^A0N,40^FDnowhere^FS^XZ", 1, /no \^FO or \^FT of its own/],
    "a number that is none": ["^XA^FO50a,60^A0N,40^FDrubbish^FS^XZ", 1, /"50a", which is not a plain number/],
  };
  for (const [name, [zpl, count, reason]] of Object.entries(REFUSED)) {
    test(`refused with the reason, the code stays: ${name}`, async () => {
      const view = await open(zpl);
      const { page } = view;
      await choose(page, count);
      await page.keyboard.press("ArrowRight");
      await until("the reason", async () => reason.test(await page.textContent("#toasts")));
      assert.equal(await text(page), zpl);
      view.clean();
      await view.close();
    });
  }

  test("a number stops at 0, and says so", async () => {
    const view = await open("^XA^FO5,60^GB80,50,4^FS^XZ");
    const { page } = view;
    await choose(page);
    await press(page, "Shift+ArrowLeft");
    await becomes(page, "^XA^FO0,60^GB80,50,4^FS^XZ");
    await page.keyboard.press("ArrowLeft");
    await until("the reason", async () => /cannot go further/.test(await page.textContent("#toasts")));
    view.clean();
    await view.close();
  });

  /** A place on the desk for dots of the unturned label, from the chosen element's handles: by the pixels of the label. */
  async function desk(page) {
    const area = await page.locator("#overlay").boundingBox();
    const place = await page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const white = (x, y) => data[(y * width + x) * 4] === 255 && data[(y * width + x) * 4 + 3] === 255;
      let [left, top, right, bottom] = [width, height, 0, 0];
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (white(x, y)) [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
      return { left, top, scale: (right - left) / 799 };
    });
    return (x, y) => ({ x: area.x + place.left + x * place.scale, y: area.y + place.top + y * place.scale });
  }

  async function drag(page, from, to) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  }

  test("a drag moves an element, catches at the edge of another, and is one step to undo", async () => {
    const zpl = "^XA\n^FO100,100^GB200,100,100^FS ^FX beside it\n^FO400,400^GB100,50,50^FS\n^XZ\n";
    const view = await open(zpl);
    const { page } = view;
    const at = await desk(page);
    // The left edge comes to lie within reach of the other's: 101 instead of 100.
    await drag(page, at(450, 425), at(152, 525));
    await until("moved", async () => /\^FO100,(49\d|50\d)\^GB100,50,50/.test(await text(page)));
    assert.ok((await text(page)).startsWith("^XA\n^FO100,100^GB200,100,100^FS ^FX beside it\n"));
    await rendered(page);
    await page.locator("#overlay").focus();
    await page.keyboard.press("Control+z");
    await becomes(page, zpl);
    await page.keyboard.press("Control+y");
    await until("again", async () => /\^FO100,/.test((await text(page)).split("\n")[2]));
    view.clean();
    await view.close();
  });

  test("a drag beside the elements still moves the label, and Escape ends a drag", async () => {
    const zpl = "^XA^FO100,100^GB200,100,100^FS^XZ";
    const view = await open(zpl);
    const { page } = view;
    const at = await desk(page);
    const from = at(200, 150);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y + 40, { steps: 4 });
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await drag(page, at(600, 600), at(620, 640));
    assert.equal(await text(page), zpl);
    view.clean();
    await view.close();
  });

  const RESIZED = {
    "box": ["^XA^FO100,100^GB200,100,4^FS^XZ", [300, 200], [350, 240], /^\^XA\^FO100,100\^GB2[45]\d,1[34]\d,4\^FS\^XZ$/],
    "inverted box": ["^XA^POI^FO100,100^GB200,100,4^FS^XZ", [499, 599], [449, 559], /^\^XA\^POI\^FO100,100\^GB2[45]\d,1[34]\d,4\^FS\^XZ$/],
    "text": ["^XA^FO100,100^A0N,80,80^FDWide^FS^XZ", undefined, [80, 40], /^\^XA\^FO100,100\^A0N,1\d\d,(1\d\d|9\d)\^FDWide\^FS\^XZ$/],
    "module width and bar height": ["^XA^FO100,100^BY2^BCN,100,N^FD123456^FS^XZ", undefined, [130, 50], /^\^XA\^FO100,100\^BY[34]\^BCN,1[45]\d,N\^FD123456\^FS\^XZ$/],
    "QR code": ["^XA^FO100,100^BQN,2,4^FDMA,hello^FS^XZ", undefined, [84, 84], /^\^XA\^FO100,100\^BQN,2,[78]\^FDMA,hello\^FS\^XZ$/],
  };
  for (const [name, [zpl, corner, by, wanted]] of Object.entries(RESIZED)) {
    test(`the corner resizes: ${name}`, async () => {
      const view = await open(zpl);
      const { page } = view;
      await choose(page);
      await page.click("#snap"); // free
      const at = await desk(page);
      const [element] = await elements(zpl);
      const from = corner ?? [element.x + element.width, element.y + element.height];
      const to = corner ? by : [from[0] + by[0], from[1] + by[1]];
      await until("handles are there", async () => (await page.locator("#tool-bar").isVisible()));
      await drag(page, at(...from), at(...to));
      await until(`${wanted} from ${await text(page)}; ${await page.textContent("#toasts")}`, async () => wanted.test(await text(page)));
      view.clean();
      await view.close();
    });
  }

  test("what has no size of its own says why: a ^BY that other barcodes use", async () => {
    const zpl = "^XA^FO100,100^BY2^BCN,100,N^FD123456^FS^FO100,300^BCN,100,N^FD123456^FS^XZ";
    const view = await open(zpl);
    const { page } = view;
    await choose(page);
    const at = await desk(page);
    const [element] = await elements(zpl);
    const [x, y] = [element.x + element.width, element.y + element.height / 2];
    await drag(page, at(x, y), at(x + 150, y));
    await until("the reason", async () => /also sets barcodes behind it/.test(await page.textContent("#toasts")));
    assert.equal(await text(page), zpl);
    view.clean();
    await view.close();
  });

  test("several are aligned in one step, by the keyboard alone", async () => {
    const zpl = "^XA\n^FO100,100^GB200,50,4^FS\n^FO150,300^GB100,50,4^FS\n^FT220,500^GB50,50,4^FS\n^XZ\n";
    const view = await open(zpl);
    const { page } = view;
    await choose(page);
    await page.keyboard.press("Shift+N");
    await page.keyboard.press("Shift+N");
    await until("three", async () => /3 elements/.test(await page.textContent("#positions")));
    await page.locator("#align").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter"); // left edges
    await becomes(page, "^XA\n^FO100,100^GB200,50,4^FS\n^FO100,300^GB100,50,4^FS\n^FT100,500^GB50,50,4^FS\n^XZ\n");
    await until("focus is back on the label", () => page.evaluate(() => document.activeElement.id === "overlay"));
    await page.keyboard.press("Control+z");
    await becomes(page, zpl);
    view.clean();
    await view.close();
  });

  test("nudges that follow each other are one step to undo", async () => {
    const zpl = "^XA^FO100,100^GB200,50,4^FS^XZ";
    const view = await open(zpl);
    const { page } = view;
    await choose(page);
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    await becomes(page, "^XA^FO105,100^GB200,50,4^FS^XZ");
    await page.keyboard.press("Control+z");
    await becomes(page, zpl);
    view.clean();
    await view.close();
  });

  test("the form names every parameter and what its letters mean; a change is written into the code alone", async () => {
    const zpl = "^XA\n^FO50,150^BY3\n^BCN,120,Y,N,N^FDPLATEN1^FS\n^XZ\n";
    const view = await open(zpl);
    const { page } = view;
    await choose(page);
    await page.click("#properties summary");
    const mode = page.locator("#properties fieldset", { hasText: "Code 128" }).getByLabel("mode");
    await mode.waitFor();
    const words = await mode.locator("option").allTextContents();
    assert.deepEqual(words.map((word) => word.split(":")[0]), ["not given", "N", "U", "A", "D"]);
    assert.match(words[3], /^A: automatic/);
    await mode.selectOption("A");
    await becomes(page, "^XA\n^FO50,150^BY3\n^BCN,120,Y,N,N,A^FDPLATEN1^FS\n^XZ\n");
    const height = page.locator("#properties").getByLabel("height").last();
    await height.fill("90");
    await height.press("Tab");
    await becomes(page, "^XA\n^FO50,150^BY3\n^BCN,90,Y,N,N,A^FDPLATEN1^FS\n^XZ\n");
    await height.fill("x");
    await height.press("Tab");
    assert.match(await page.textContent("#properties .field-error:not([hidden])"), /A number, please/);
    const data = page.locator("#properties textarea");
    await data.fill("A^B");
    await data.press("Tab");
    await until("refused", async () => (await page.locator("#properties .field-error:not([hidden])").allTextContents()).some((words) => words.includes("begin commands")));
    await data.fill("OTHER");
    await data.press("Tab");
    await becomes(page, "^XA\n^FO50,150^BY3\n^BCN,90,Y,N,N,A^FDOTHER^FS\n^XZ\n");
    assert.deepEqual(await violations(page), []);
    view.clean();
    await view.close();
  });

  test("elements from the palette are drawn, chosen, and written in the label's own prefixes", async () => {
    const zpl = "^XA\n^CC$\n$CD;\n$FO10;10$GB9;9;9$FS\n$XZ\n";
    const view = await open(zpl);
    const { page } = view;
    for (const [id, count] of [["text", 2], ["code128", 3], ["qr", 4], ["box", 5]]) {
      await page.click("#insert");
      await page.click(`#insert-${id}`);
      await until(`${count} elements`, async () => (await page.locator("#elements [role=option]").count()) === count);
    }
    const now = await text(page);
    assert.ok(now.startsWith("^XA\n^CC$\n$CD;\n$FO10;10$GB9;9;9$FS\n$FO50;50$A0N;40;40$FDText$FS\n"), now);
    assert.ok(now.endsWith("$XZ\n"));
    assert.equal((await elements(now)).length, 5);
    await until("the last one is chosen", async () => (await page.locator("#element-4").getAttribute("aria-selected")) === "true");
    await page.locator("#overlay").focus();
    await page.keyboard.press("Control+z");
    await until("one step back", async () => (await page.locator("#elements [role=option]").count()) === 4);
    view.clean();
    await view.close();
  });

  test("on a phone, in the dark and in forced colours axe finds nothing", async () => {
    for (const options of [{ viewport: { width: 360, height: 740 } }, { colorScheme: "dark" }, { forcedColors: "active" }]) {
      const view = await openPage(browser, service, { storage: { zpl: "^XA^FO50,50^BCN,90^FDAXE^FS^XZ", name: "a", settings: SIZE }, ...options });
      const { page } = view;
      await rendered(page);
      if (options.viewport) await page.click("#tab-label");
      await page.click("#mode-edit");
      await page.locator("#snap").waitFor();
      await page.locator("#overlay").focus();
      await page.keyboard.press("n");
      if (options.viewport) await page.click("#tab-settings");
      await page.click("#properties summary");
      await page.locator("#properties fieldset").first().waitFor();
      assert.deepEqual(await violations(page), []);
      if (options.viewport) assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
      view.clean();
      await view.close();
    }
  });
});
