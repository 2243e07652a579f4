// Browser tests of the label page: editor, preview, both ways, controls, taking away, getting in.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ask, darkness, keptWork, launch, openPage, rendered, replaceCode, Service, TWO_LABELS, until } from "./label-fixture.js";

let service;
let browser;
let folder;

before(async () => {
  service = await Service.start();
  browser = await launch();
  folder = await mkdtemp(path.join(tmpdir(), "platen-page-"));
});

after(async () => {
  await browser?.close();
  await service?.stop();
  if (folder) await rm(folder, { recursive: true });
});

const twoLabels = { zpl: TWO_LABELS, name: "two.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } };
const marked = (page, kind) => page.evaluate((name) => [...document.querySelector("#editor").shadowRoot.querySelectorAll(`.zpl-${name}`)].map((e) => e.textContent).join(""), kind);

test("the first visit shows a sample label, within a second of opening", async () => {
  const view = await openPage(browser, service);
  await rendered(view.page);
  const paint = await view.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  assert.ok(paint < 1000, `first paint after ${paint} ms`);
  assert.ok((await darkness(view.page)) > 2000);
  assert.match(await view.page.textContent("#doc-name"), /Shipping label/);
  view.clean();
  await view.close();
});

test("all the page's files together stay under 350 kB compressed", async () => {
  const sizes = await Promise.all(
    ["", "main.js", "style.css"].map(async (name) => {
      const { stdout } = await promisify(execFile)("curl", ["-s", "-H", "Accept-Encoding: gzip", "-o", path.join(folder, "asset"), "-w", "%{size_download} %{http_code}", service.url + name]);
      const [size, status] = stdout.split(" ").map(Number);
      assert.equal(status, 200);
      return size;
    }),
  );
  assert.ok(sizes.reduce((a, b) => a + b) < 350_000, sizes.join(" + "));
});

test("highlighting, completion and hover help come with the editor", async () => {
  const view = await openPage(browser, service, { storage: { ...twoLabels, zpl: "^XA\n^FO50,50^A0N,60,60^FDHi^FS\n^XZ\n" } });
  const { page } = view;
  await rendered(page);
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
  const underlined = await page.locator("#editor .cm-lintRange").allTextContents();
  assert.ok(underlined.join("").includes("^QZ"), underlined.join("|"));
  const markers = page.locator("#editor .cm-gutter-lint .cm-gutterElement:visible .cm-lint-marker");
  assert.equal(await markers.count(), 1);
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

test("search and undo work in the editor", async () => {
  const view = await openPage(browser, service, { storage: twoLabels });
  const { page } = view;
  await rendered(page);
  await page.locator("#editor .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("^FX note");
  assert.match((await keptWork(page)).zpl, /note$/);
  await page.keyboard.press("Control+z");
  await until("undone", async () => !(await keptWork(page)).zpl.includes("note"));
  await page.keyboard.press("Control+f");
  await page.keyboard.type("Second");
  await page.keyboard.press("Enter");
  await page.locator("#editor .cm-searchMatch-selected").waitFor();
  view.clean();
  await view.close();
});

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
  await page.waitForTimeout(100);
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
  await page.waitForTimeout(100);
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
  await page.waitForTimeout(80);
  const before = await top();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, 40);
  await until("moved by wheel", async () => (await top()) === before - 40 || (await top()) < before);
  await page.locator("#overlay").focus();
  await page.keyboard.press("ArrowUp");
  await until("moved by key", async () => (await top()) > before - 40);
  await page.keyboard.press("0");
  await page.waitForTimeout(80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 30, { steps: 4 });
  await page.mouse.up();
  await until("moved by dragging", async () => (await top()) > before + 10);

  await page.keyboard.press("0");
  await page.waitForTimeout(80);
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
  assert.equal(await page.locator("#strip .thumb").count(), 2);
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

async function pointOf(page, answer, element) {
  const box = await page.locator("#overlay").boundingBox();
  const zoom = Number((await page.textContent("#zoom")).replace(/[^\d.]/g, "")) / 100;
  return {
    x: box.x + box.width / 2 + (element.x + element.width / 2 - answer.widthPx / 2) * zoom,
    y: box.y + box.height / 2 + (element.y + element.height / 2 - answer.heightPx / 2) * zoom,
  };
}

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

test("controls: presets, free sizes in mm and inch, density, rotation, shades", async () => {
  const view = await openPage(browser, service, { storage: twoLabels });
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
  assert.ok((await shape()) > 1);
  await page.locator("input[name=rotation][value='90']").check({ force: true });
  await until("turned", async () => (await shape()) < 1);
  view.clean();
  await view.close();
});

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
  await page.click("#copy-curl");
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
  const settings = { widthMm: 70, heightMm: 40, dpmm: 12, rotation: 90, quality: "grayscale", unit: "in" };
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
  assert.equal((await keptWork(page)).zpl, TWO_LABELS);

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
  assert.equal((await keptWork(page)).zpl.match(/Pasted/g).length, 2);
  view.clean();
  await view.close();
});

test("every sample of the gallery renders without a problem", async () => {
  const view = await openPage(browser, service);
  const { page } = view;
  await rendered(page);
  await page.click("#samples");
  const ids = await page.locator(".sample").evaluateAll((all) => all.map((e) => e.dataset.sample));
  assert.ok(ids.length >= 8);
  await until("pictures of all samples", async () => (await page.locator(".sample img").count()) === ids.length);
  await page.keyboard.press("Escape");
  for (const id of ids) {
    await page.click("#samples");
    await page.click(`[data-sample=${id}]`);
    await page.waitForTimeout(250);
    await rendered(page);
    assert.match(await page.textContent("#status-problems"), /No problems/, id);
    assert.equal(await page.locator("#elements [role=option] .icon").count(), 0, `${id}: an element has a problem`);
  }
  view.clean();
  await view.close();
});

test("the last work is kept and restored, and can be cleared", async () => {
  const view = await openPage(browser, service);
  const { page } = view;
  await rendered(page);
  await replaceCode(page, "^XA^FO50,50^A0N,50,50^FDKept^FS^XZ");
  await page.selectOption("#preset", "4x2in");
  await keptWork(page);
  await page.reload();
  await rendered(page);
  assert.match(await page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-content").textContent), /Kept/);
  assert.equal(await page.inputValue("#preset"), "4x2in");
  await page.click("#clear");
  await page.locator(".toast", { hasText: "Nothing is kept" }).waitFor();
  await page.waitForTimeout(600);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  await page.locator("#notice", { hasText: "Type or paste" }).waitFor();
  assert.ok((await darkness(page)) < 100, "the old picture is gone");
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
