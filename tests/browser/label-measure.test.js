// Browser tests of the label page: measuring, guides, the distance between elements, positions in three units.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { ask, browser, openPage, painted, rendered, serveTests, service, until } from "./label-fixture.js";

const ZPL = "^XA\n^FO80,40^GB160,80,80^FS\n^FO400,200^GB80,40,40^FS\n^XZ\n";

describe("the label page: measuring", () => {
  serveTests();

  async function open(settings = {}, zpl = ZPL, options = {}) {
    const storage = { zpl, name: "boxes", settings: { widthMm: 100, heightMm: 50, dpmm: 8, ...settings } };
    const view = await openPage(browser, service, { storage, ...options });
    await rendered(view.page);
    return view;
  }

  /** Where dots of the shown label lie in the window, by what the status bar says of the pointer. */
  async function ruler(page) {
    const area = await page.locator("#overlay").boundingBox();
    const at = async (x, y) => {
      await page.mouse.move(area.x + x, area.y + y);
      await painted(page);
      return (await page.textContent("#status-place")).match(/-?[\d.]+/g).map(Number);
    };
    const [x0, y0] = await at(40, 40);
    const [x1, y1] = await at(240, 240);
    const scale = 200 / (x1 - x0);
    return {
      toWindow: (mmX, mmY) => ({ x: area.x + 40 + (mmX - x0) * scale, y: area.y + 40 + ((mmY - y0) * 200) / (y1 - y0) }),
    };
  }

  async function drag(page, from, to) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  }

  const mm = (dots) => (dots * 25.4) / 203;

  test("a drag measures between edges that it comes near, in dots, mm and inches", async () => {
    const view = await open();
    const { page } = view;
    await page.click("#mode-measure");
    await page.locator("#measured").waitFor();
    const { toWindow } = await ruler(page);
    // Half a millimetre beside the right edge of one box and the left edge of the other.
    await drag(page, toWindow(mm(240) + 0.4, mm(80)), toWindow(mm(400) - 0.4, mm(80)));
    assert.match(await page.textContent("#measured"), /\(x 160 dots, 20\.02 mm, 0\.788 in/);
    await page.keyboard.press("Escape");
    view.clean();
    await view.close();
  });

  test("without a pointer: the arrow keys measure from the corner of the chosen element", async () => {
    const view = await open();
    const { page } = view;
    await page.locator("#overlay").focus();
    await page.keyboard.press("n");
    await page.keyboard.press("m");
    await page.locator("#measured").waitFor();
    await page.locator("#overlay").focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowDown");
    assert.match(await page.textContent("#measured"), /\(x 30 dots.*; y 1 dot,.*from 80, 40 dots/);
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent("#measured"), /\(x 1 dot,.*from 110, 41 dots/);
    view.clean();
    await view.close();
  });

  test("two chosen elements show how far they are apart", async () => {
    const view = await open();
    const { page } = view;
    await page.locator("#overlay").focus();
    await page.keyboard.press("n");
    await page.locator("#positions").waitFor();
    await page.keyboard.press("Shift+N");
    await until("the gap", async () => /Gap in x16020\.020\.788.*Gap in y8010\.010\.394/.test(await page.textContent("#positions")));
    view.clean();
    await view.close();
  });

  // Which edges of the unturned label meet in the upper left corner of the screen.
  const CORNERS = { 0: ["Left", "Top"], 90: ["Left", "Bottom"], 180: ["Right", "Bottom"], 270: ["Right", "Top"] };
  for (const [degrees, [acrossEdge, downEdge]] of Object.entries(CORNERS)) {
    const rotation = Number(degrees);
    test(`rotated by ${rotation}°: ^FO is that of the code, the ink lies where pointer and rulers say`, async () => {
      const view = await open({ rotation }, "^XA^FO80,40^GB160,80,80^FS^XZ");
      const { page } = view;
      await page.locator("#overlay").focus();
      await page.keyboard.press("n");
      await page.locator("#positions tbody").nth(1).waitFor();
      const table = await page.locator("#positions tr").evaluateAll((rows) => Object.fromEntries(rows.map((row) => [row.cells[0].textContent, [...row.cells].slice(1).map((cell) => Number(cell.textContent))])));
      assert.deepEqual([table.x[0], table.y[0]], [80, 40]);
      // The pointer in the corner of the ink: what the status bar says is what the panel says.
      const area = await page.locator("#overlay").boundingBox();
      const ink = await page.evaluate(() => {
        const canvas = document.getElementById("label");
        const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let [left, top] = [Infinity, Infinity];
        const dark = (x, y) => data[(y * width + x) * 4 + 3] > 200 && data[(y * width + x) * 4] < 80;
        for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (dark(x, y)) [left, top] = [Math.min(left, x), Math.min(top, y)];
        return { left, top };
      });
      await page.mouse.move(area.x + ink.left, area.y + ink.top);
      await painted(page);
      const [x, y] = (await page.textContent("#status-place")).match(/-?[\d.]+/g).map(Number);
      assert.deepEqual([table.Left[0], table.Top[0], table.Right[0], table.Bottom[0]], [80, 40, 240, 120]);
      assert.ok(Math.abs(x - table[acrossEdge][1]) < 0.4, `${x} mm, panel ${table[acrossEdge][1]} mm`);
      assert.ok(Math.abs(y - table[downEdge][1]) < 0.4, `${y} mm, panel ${table[downEdge][1]} mm`);
      assert.ok(Math.abs(table.Left[1] / 25.4 - table.Left[2]) < 0.001 && Math.abs(mm(table.Left[0]) - table.Left[1]) < 0.01);
      view.clean();
      await view.close();
    });
  }

  test("guides are laid by buttons, moved by their field, pulled out of the rulers, and turn with the label", async () => {
    const view = await open();
    const { page } = view;
    await page.click("#mode-measure");
    await page.click("#guide-x");
    assert.equal(await page.locator("#guide-0").inputValue(), "50.05");
    await page.fill("#guide-0", "30");
    await page.keyboard.press("Tab");
    await until("moved", async () => (await page.locator("#guide-0").inputValue()) === "29.9" || (await page.locator("#guide-0").inputValue()) === "30.03");
    const { toWindow } = await ruler(page);
    // Measured from the guide: it catches.
    await drag(page, toWindow(30.3, 30), toWindow(mm(80) + 0.3, 30));
    assert.match(await page.textContent("#measured"), /\(x 1(59|60) dots/);
    const top = await page.locator("#ruler-top").boundingBox();
    await drag(page, { x: top.x + 100, y: top.y + 5 }, toWindow(20, 10));
    assert.equal(await page.locator(".guide").count(), 2);
    const fromTop = Number(await page.locator("#guide-1").inputValue());
    await page.locator("[name=rotation][value='90']").check({ force: true });
    await until("the upright guide lies level", async () => (await page.locator("#guide-0").getAttribute("aria-label")).startsWith("Level"));
    assert.ok((await page.locator("#guide-1").getAttribute("aria-label")).startsWith("Upright"));
    assert.equal(Number(await page.locator("#guide-1").inputValue()), fromTop, "a guide keeps its place on the label, as the rulers count");
    assert.deepEqual(await violations(page), []);
    await page.locator(".guides").getByText("Remove all").click();
    assert.equal(await page.locator(".guide").count(), 0);
    view.clean();
    await view.close();
  });

  test("the boxes of the panel are those of the service", async () => {
    const view = await open();
    const { page } = view;
    const answer = JSON.parse(await ask(service, "json", ZPL, { widthMm: 100, heightMm: 50, dpmm: 8 }));
    const { x, y, width, height } = answer.labels[0].elements[1];
    await page.locator("#overlay").focus();
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    await until("shown", async () => (await page.locator("#positions tr", { hasText: "Left" }).textContent()).startsWith(`Left${x}`));
    assert.ok((await page.locator("#positions tr", { hasText: "Top" }).textContent()).startsWith(`Top${y}`));
    assert.ok((await page.locator("#positions tr", { hasText: "Width" }).textContent()).startsWith(`Width${width}`));
    assert.ok((await page.locator("#positions tr", { hasText: "Height" }).textContent()).startsWith(`Height${height}`));
    view.clean();
    await view.close();
  });
});
