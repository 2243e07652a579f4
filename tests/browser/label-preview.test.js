// Browser tests of the label page: the preview, its ties to the code, and the controls.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, browser, darkness, forgetAnswer, openPage, painted, rendered, replaceCode, serveTests, service, TWO_LABELS, until } from "./label-fixture.js";

describe("the label page: preview and controls", () => {
  serveTests();

  const twoLabels = { zpl: TWO_LABELS, name: "two.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } };
  const marked = (page, kind) => page.evaluate((name) => [...document.querySelector("#editor").shadowRoot.querySelectorAll(`.zpl-${name}`)].map((e) => e.textContent).join(""), kind);

  test("the preview follows typing and keeps only the last answer", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    await replaceCode(page, "^XA^FO100,100^GB400,400,200^FS^XZ");
    await until("a black square", async () => (await darkness(page)) > 10_000);
    await replaceCode(page, "^XA^FO100,100^GB4,4,4^FS^XZ");
    await until("a small dot", async () => (await darkness(page)) < 400);
    await rendered(page);
    view.clean();
    await view.close();
  });

  test("a key that leaves the picture as it is and the choice of an element paint neither label nor rulers anew; a lost canvas is painted again", async () => {
    const view = await openPage(browser, service, {
      storage: { zpl: "^XA^FX ^FO50,50^A0N,60^FDsame^FS^XZ", name: "", settings: { widthMm: 60, heightMm: 30, dpmm: 8 } },
      init: () => {
        // The shadow around the label and the numbers of the rulers are what painting costs most.
        window.painted = { shadows: 0, numbers: 0, overlays: 0 };
        const count = (name, counter, counts) => {
          const own = CanvasRenderingContext2D.prototype[name];
          CanvasRenderingContext2D.prototype[name] = function (...given) {
            if (counts(this)) window.painted[counter]++;
            return own.apply(this, given);
          };
        };
        count("fillRect", "shadows", (context) => context.canvas.id === "label" && context.shadowBlur > 0);
        count("fillText", "numbers", (context) => context.canvas.id.startsWith("ruler-"));
        count("clearRect", "overlays", (context) => context.canvas.id === "overlay");
      },
    });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < "^XA^FX ".length; i++) await page.keyboard.press("ArrowRight");
    await rendered(page);
    const painting = () => page.evaluate(() => ({ ...window.painted }));
    const before = await painting();
    assert.ok(before.shadows > 0 && before.numbers > 0, JSON.stringify(before));
    for (const letter of "note") {
      await forgetAnswer(page);
      await page.keyboard.type(letter);
      await rendered(page);
    }
    await page.click("#element-0");
    await page.locator("#element-0[aria-selected=true]").waitFor();
    await painted(page);
    const after = await painting();
    assert.ok(after.overlays > before.overlays, "nothing was painted");
    assert.deepEqual({ ...after, overlays: 0 }, { ...before, overlays: 0 });
    const picture = () => page.evaluate(() => document.getElementById("label").toDataURL());
    const whole = await picture();
    await page.evaluate(() => {
      const canvas = document.getElementById("label");
      canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
      canvas.dispatchEvent(new Event("contextrestored"));
    });
    await until("it is painted again", async () => (await picture()) === whole);
    view.clean();
    await view.close();
  });

  test("at 100 % every dot is one pixel, exactly those of the PNG", async () => {
    const zpl = "^XA^FO20,20^A0N,40,40^FDDots^FS^FO150,20^BY2^BCN,60,N^FD1234^FS^XZ";
    const settings = { widthMm: 50.8, heightMm: 25.4, dpmm: 8 };
    const view = await openPage(browser, service, { storage: { zpl, name: "", settings } });
    const { page } = view;
    await rendered(page);
    await page.locator("#overlay").focus();
    await page.keyboard.press("1");
    await page.mouse.move(5, 5);
    await until("100 %", async () => (await page.textContent("#zoom")) === "100 %");
    await painted(page);
    const png = await ask(service, "png", zpl, { widthMm: "50.8", heightMm: "25.4", dpmm: "8" });
    const differences = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const reference = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      reference.drawImage(bitmap, 0, 0);
      const wanted = reference.getImageData(0, 0, bitmap.width, bitmap.height).data;
      const canvas = document.getElementById("label");
      const left = Math.round((canvas.width - bitmap.width) / 2);
      const top = Math.round((canvas.height - bitmap.height) / 2);
      let best = Infinity;
      // Centring may round either way.
      for (const [dx, dy] of [[0, 0], [-1, 0], [0, -1], [-1, -1], [1, 0], [0, 1], [1, 1]]) {
        const shown = canvas.getContext("2d").getImageData(left + dx, top + dy, bitmap.width, bitmap.height).data;
        let wrong = 0;
        for (let i = 0; i < wanted.length; i += 4) if (shown[i] !== wanted[i]) wrong++;
        best = Math.min(best, wrong);
      }
      return best;
    }, png.toString("base64"));
    assert.equal(differences, 0);

    // Enlarged, there are still only two colours on the label: nothing is smoothed.
    await page.keyboard.press("4");
    await until("400 %", async () => (await page.textContent("#zoom")) === "400 %");
    await painted(page);
    const shades = await page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return [...new Set(Array.from({ length: data.length / 4 }, (_, i) => data[i * 4]))].sort((a, b) => a - b);
    });
    assert.deepEqual(shades, [0, 255]);
    view.clean();
    await view.close();
  });

  test("zoom and pan by wheel, keys, buttons and pinch; fit brings the label back", async () => {
    const view = await openPage(browser, service, { storage: twoLabels, hasTouch: true });
    const { page } = view;
    await rendered(page);
    const zoom = async () => Number((await page.textContent("#zoom")).replace(/[^\d.]/g, ""));
    const fitted = await zoom();
    const box = await page.locator("#overlay").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -120);
    await page.keyboard.up("Control");
    await until("zoomed by wheel", async () => (await zoom()) > fitted);
    await page.click("#fit");
    await until("fitted", async () => (await zoom()) === fitted);
    await page.click("#zoom-in");
    assert.ok((await zoom()) > fitted);
    await page.click("#zoom");
    assert.equal(await zoom(), 100);

    const top = () => page.evaluate(() => {
      // The first row of the canvas that shows the label.
      const canvas = document.getElementById("label");
      const { data } = canvas.getContext("2d").getImageData(Math.floor(canvas.width / 2), 0, 1, canvas.height);
      for (let y = 0; y < canvas.height; y++) if (data[y * 4] === 255 && data[y * 4 + 3] === 255) return y;
      return -1;
    });
    await page.click("#fit");
    await painted(page);
    const before = await top();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, 40);
    await until("moved by wheel", async () => (await top()) === before - 40 || (await top()) < before);
    await page.locator("#overlay").focus();
    await page.keyboard.press("ArrowUp");
    await until("moved by key", async () => (await top()) > before - 40);
    await page.keyboard.press("0");
    await painted(page);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    await until("moved by dragging", async () => (await top()) > before + 10);

    await page.keyboard.press("0");
    await painted(page);
    const session = await view.context.newCDPSession(page);
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const fingers = (distance) => [{ x: middle.x - distance, y: middle.y, id: 1 }, { x: middle.x + distance, y: middle.y, id: 2 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(40) });
    for (const distance of [60, 90, 120]) await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(distance) });
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await until("zoomed by pinch", async () => (await zoom()) > fitted * 1.5);
    view.clean();
    await view.close();
  });

  test("two labels: thumbnails, next and previous, '2 of 2'", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    assert.equal(await page.textContent("#label-count"), "1 of 2");
    await until("thumbnails", async () => (await page.locator("#strip .thumb").count()) === 2);
    assert.ok(await page.locator("#previous-label").isDisabled());
    await page.click("#next-label");
    await until("the second label", async () => (await page.textContent("#label-count")) === "2 of 2");
    assert.match(await page.textContent("#status-labels"), /Label 2 of 2/);
    assert.equal(await page.locator("#strip .thumb").nth(1).getAttribute("aria-current"), "true");
    assert.match(await page.textContent("#elements"), /Second/);
    await page.locator("#strip .thumb").first().click();
    await until("the first label", async () => (await page.textContent("#label-count")) === "1 of 2");
    await page.locator("#overlay").focus();
    await page.keyboard.press("PageDown");
    await until("the second label by key", async () => (await page.textContent("#label-count")) === "2 of 2");
    const drawn = await page.evaluate(() =>
      [...document.querySelectorAll("#strip canvas")].map((c) => [...c.getContext("2d").getImageData(0, 0, c.width, c.height).data].some((v, i) => i % 4 === 0 && v < 100)),
    );
    assert.deepEqual(drawn, [true, true]);
    view.clean();
    await view.close();
  });

  test("copies of ^PQ are counted, not drawn a hundred times", async () => {
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl: "^XA^PQ25^FO50,50^A0N,50,50^FDx^FS^XZ" } });
    await rendered(view.page);
    assert.match(await view.page.textContent("#status-labels"), /1 label, 25 copies/);
    view.clean();
    await view.close();
  });

  test("pointing at an element shows its facts and marks its commands; a click goes there", async () => {
    const view = await openPage(browser, service, { storage: twoLabels });
    const { page } = view;
    await rendered(page);
    const answer = JSON.parse(await ask(service, "json", TWO_LABELS));
    const index = answer.labels[0].elements.findIndex((element) => element.type === "barcode");
    const element = answer.labels[0].elements[index];
    const at = await pointOf(page, answer, element);
    await page.mouse.move(at.x, at.y);
    await page.locator("#card").waitFor({ state: "visible" });
    const card = await page.textContent("#card");
    assert.match(card, /Code 128/);
    assert.match(card, /PLATEN1/);
    assert.match(card, new RegExp(`${element.width} × ${element.height} dots`));
    assert.match(card, /mm/);
    assert.match(card, /Quiet zone/);
    // The text before it holds characters of two and three bytes: the mark must still be exact.
    assert.equal(await marked(page, "hovered"), "^FO50,150^BY3^BCN,120,Y,N,N,A^FDPLATEN1^FS");
    await page.mouse.click(at.x, at.y);
    assert.equal(await marked(page, "selected"), "^FO50,150^BY3^BCN,120,Y,N,N,A^FDPLATEN1^FS");
    assert.equal(await page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-activeLine").textContent), "^FO50,150^BY3^BCN,120,Y,N,N,A^FDPLATEN1^FS");
    assert.equal(await page.locator(`#element-${index}`).getAttribute("aria-selected"), "true");
    view.clean();
    await view.close();
  });

  test("a field of a stored format: the code of the format and that of its data are marked, and a click goes to the data", async () => {
    const zpl = "^XA^DFR:T.ZPL^FS\n^FO50,50^A0N,80^FN1^FS\n^XZ\n^XA^XFR:T.ZPL^FS\n^FN1^FDhello^FS\n^XZ\n";
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl } });
    const { page } = view;
    await rendered(page);
    const answer = JSON.parse(await ask(service, "json", zpl));
    const at = await pointOf(page, answer, answer.labels[0].elements[0]);
    await page.mouse.click(at.x, at.y);
    assert.equal(await marked(page, "selected"), "^FO50,50^A0N,80^FN1^FS^FN1^FDhello^FS");
    assert.equal(await page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-activeLine").textContent), "^FN1^FDhello^FS");
    view.clean();
    await view.close();
  });

  async function pointOf(page, answer, element) {
    const box = await page.locator("#overlay").boundingBox();
    const zoom = Number((await page.textContent("#zoom")).replace(/[^\d.]/g, "")) / 100;
    return {
      x: box.x + box.width / 2 + (element.x + element.width / 2 - answer.widthPx / 2) * zoom,
      y: box.y + box.height / 2 + (element.y + element.height / 2 - answer.heightPx / 2) * zoom,
    };
  }

  test("the boxes toggle draws over the label, and shows trouble", async () => {
    const zpl = "^XA^FO700,50^BY3^BCN,100,N^FDTOOWIDE^FS^FO50,300^A0N,60,60^FDOver^FS^FO60,310^A0N,60,60^FDlap^FS^XZ";
    const view = await openPage(browser, service, { storage: { ...twoLabels, zpl } });
    const { page } = view;
    await rendered(page);
    const drawn = () => page.evaluate(() => {
      const canvas = document.getElementById("overlay");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++;
      return count;
    });
    await page.mouse.move(5, 5);
    const before = await drawn();
    await page.click("#boxes");
    await page.mouse.move(5, 5);
    await until("boxes", async () => (await drawn()) > before + 300);
    assert.equal(await page.getAttribute("#boxes", "aria-pressed"), "true");
    assert.ok((await page.locator("#elements [role=option] .icon").count()) >= 2);
    await page.locator("#element-0").click();
    assert.match(await page.textContent(".inspector"), /Runs out of the label/);
    await page.locator("#element-1").click();
    assert.match(await page.textContent(".inspector"), /Overlaps 1 other element/);
    view.clean();
    await view.close();
  });

  test("the printer's picture, and where it differs from the reference's", async () => {
    const zpl = "^XA^FO40,40^GC120,9^FS^FO220,40^GB120,80,9^FS^XZ";
    const view = await openPage(browser, service, { drawing: "service", storage: { zpl, name: "", settings: { widthMm: 50.8, heightMm: 25.4, dpmm: 8 } } });
    const { page } = view;
    await rendered(page);
    const asked = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/render/json")) asked.push(new URL(request.url()).searchParams.get("profile"));
    });
    const colours = () => page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const found = { blue: 0, orange: 0, black: 0 };
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] !== 255) continue;
        if (data[i] === 0x0b && data[i + 1] === 0x5f && data[i + 2] === 0xd6) found.blue++;
        else if (data[i] === 0xd9 && data[i + 1] === 0x48 && data[i + 2] === 0x0f) found.orange++;
        else if (data[i] + data[i + 1] + data[i + 2] === 0) found.black++;
      }
      return found;
    });
    await page.locator("#overlay").focus();
    await page.keyboard.press("1");
    await page.mouse.move(5, 5);
    await painted(page);
    assert.ok(await page.locator("#profile-legend").isHidden());
    await page.locator("input[name=profile][value=printer]").check({ force: true });
    await until("the printer's picture is asked for", () => asked.at(-1) === "printer");
    await rendered(page);
    assert.deepEqual({ ...(await colours()), black: 0 }, { blue: 0, orange: 0, black: 0 });
    await page.locator("input[name=profile][value=compare]").check({ force: true });
    await until("both are asked for", () => asked.slice(-2).join() === "printer,");
    await until("differences are marked", async () => {
      const { blue, orange, black } = await colours();
      return blue > 20 && orange > 20 && black > 3000; // of the circle some, of the box none
    });
    assert.ok(await page.locator("#profile-legend").isVisible());
    await page.locator("input[name=profile][value=reference]").check({ force: true });
    await until("nothing is marked", async () => (await colours()).blue === 0);
    view.clean();
    await view.close();
  });

  test("controls: presets, free sizes in mm and inch, density, rotation, shades", async () => {
    const view = await openPage(browser, service, { drawing: "service", storage: twoLabels });
    const { page } = view;
    await rendered(page);
    const asked = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/render/json")) asked.push(new URL(request.url()).searchParams);
    });
    await page.selectOption("#preset", "2x1in");
    await until("the preset is asked for", () => asked.at(-1)?.get("widthMm") === "50.8" && asked.at(-1)?.get("heightMm") === "25.4");
    assert.match(await page.textContent("#status-size"), /406 × 203 dots, 50.8 × 25.4 mm/);
    await page.fill("#width", "70,5");
    await until("a free size is asked for", () => asked.at(-1).get("widthMm") === "70.5");
    assert.equal(await page.inputValue("#preset"), "custom");
    await page.fill("#width", "oops");
    assert.match(await page.textContent("#size-error"), /number/);
    await page.keyboard.press("Tab");
    assert.match(await page.textContent("#size-error"), /from 1 to 2000 mm.*The size stays as it was/);
    assert.ok(await page.locator("#size-error").isVisible());
    await page.fill("#width", "101.6");
    await page.locator("#width").press("Tab");
    await page.locator("input[name=unit][value=in]").check({ force: true });
    assert.equal(await page.inputValue("#width"), "4");
    assert.match(await page.textContent("#status-size"), /4 × 1 in/);
    await page.selectOption("#density", "12");
    await until("density", () => asked.at(-1).get("dpmm") === "12");
    await page.locator("input[name=quality][value=grayscale]").check({ force: true });
    await until("shades", () => asked.at(-1).get("quality") === "grayscale");
    await rendered(page);
    const shape = () => page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let [left, right, top, bottom] = [width, 0, height, 0];
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
        const i = (y * width + x) * 4;
        if (data[i] !== 255 || data[i + 3] !== 255) continue;
        left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
      }
      return (right - left) / (bottom - top);
    });
    await until("wide", async () => (await shape()) > 1);
    await page.locator("input[name=rotation][value='90']").check({ force: true });
    await until("turned", async () => (await shape()) < 1);
    view.clean();
    await view.close();
  });
});
