// Random gestures and edits in the label page, in two labels: what is shown in the end is what the service draws of the code, and undoing all of them gives the first code back to the byte.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, browser, forgetAnswer, keptWork, openPage, painted, rendered, serveTests, service, until } from "./label-fixture.js";

/** RANDOM_EDITS=500 RANDOM_SEED=N node --test FILE: more of them, others. */
const EDITS = Number(process.env.RANDOM_EDITS ?? 150);
const SEED = Number(process.env.RANDOM_SEED ?? 45);

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function numbersOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

describe("the label page: random edits", () => {
  serveTests();

  const LABELS = ["^XA\n^FO40,40^A0N,40,40^FDfirst^FS\n^FO40,120^BY2^BCN,60,Y,N,N^FD12345678^FS\n^FO300,40^GB120,80,4^FS\n^XZ\n", "^XA\n^FO60,60^GB200,100,6^FS\n^FO80,200^A0N,30^FDother^FS\n^XZ\n"];
  const SIZE = { widthMm: 60, heightMm: 40, dpmm: 8 };

  /** Dots of the label on the screen, at 100 %, that differ from the service's picture of the code and settings. */
  async function differences(page) {
    await page.locator("#overlay").focus();
    for (const key of ["0", "1"]) await page.keyboard.press(key);
    await page.mouse.move(5, 5);
    await until("100 %", async () => (await page.textContent("#zoom")) === "100 %");
    const { zpl, settings } = await keptWork(page);
    const png = await ask(service, "png", zpl, { widthMm: settings.widthMm, heightMm: settings.heightMm, dpmm: settings.dpmm, rotation: settings.rotation ?? 0 });
    let least = Infinity;
    await until("the picture", async () => {
      await painted(page);
      least = await page.evaluate(compare, png.toString("base64"));
      return least === 0 || (await page.evaluate(() => document.getElementById("notice").hidden));
    });
    return least;
  }

  async function compare(base64) {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const { width, height } = bitmap;
    const reference = new OffscreenCanvas(width, height).getContext("2d");
    reference.drawImage(bitmap, 0, 0);
    const wanted = reference.getImageData(0, 0, width, height).data;
    const canvas = document.getElementById("label");
    let best = Infinity;
    // Centring may round either way.
    for (const [dx, dy] of [[0, 0], [-1, 0], [0, -1], [-1, -1], [1, 0], [0, 1], [1, 1]]) {
      const shown = canvas.getContext("2d").getImageData(Math.round((canvas.width - width) / 2) + dx, Math.round((canvas.height - height) / 2) + dy, width, height).data;
      let wrong = 0;
      for (let i = 0; i < wanted.length; i += 4) if (shown[i] !== wanted[i]) wrong++;
      best = Math.min(best, wrong);
    }
    return best;
  }

  test(`after ${EDITS} of them the picture is the service's, and undo leads back to the first code`, async (t) => {
    const random = numbersOf(SEED);
    const below = (count) => Math.floor(random() * count);
    const view = await openPage(browser, service, { viewport: { width: 1700, height: 1400 }, storage: { zpl: LABELS[0], name: "one", settings: SIZE } });
    const { page } = view;
    const refused = [];
    page.on("response", async (response) => {
      if (response.status() !== 400) return;
      const { code } = await response.json().catch(() => ({ code: response.url() }));
      refused.push(code);
    });
    await rendered(page);
    await page.click("#new-document");
    await page.keyboard.insertText(LABELS[1]);
    // Small enough to be shown whole at 100 %.
    for (const [name, size] of [["width", "60"], ["height", "40"]]) {
      await page.fill(`#${name}`, size);
      await page.locator(`#${name}`).blur();
    }
    await rendered(page);
    const tabs = page.locator("#documents [role=tab]");
    /** Undo of another one also takes out the text with which it began. */
    const FIRST = [LABELS[0], ""];
    const settled = () => page.evaluate(() => document.getElementById("toasts").replaceChildren());
    const overlay = async (...keys) => {
      await page.locator("#overlay").focus();
      for (const key of keys) await page.keyboard.press(key);
    };
    const choose = () => overlay(...Array.from({ length: 1 + below(3) }, () => "n"));
    const drag = async () => {
      const box = await page.locator("#overlay").boundingBox();
      const at = () => [box.x + box.width * (0.2 + 0.6 * random()), box.y + box.height * (0.2 + 0.6 * random())];
      await page.mouse.move(...at());
      await page.mouse.down();
      for (let i = 0; i < 3; i++) await page.mouse.move(...at());
      await page.mouse.up();
    };
    const fromMenu = async (button, id) => {
      await page.click(button);
      await page.click(id);
    };
    const convert = async () => {
      const now = (await keptWork(page)).settings.dpmm;
      const ids = ["format", "minify", "turn-90", "turn-180", "to-mm", "to-dots", now === 8 ? "300" : "203"];
      const answered = page.waitForResponse(/api\/zpl/);
      await fromMenu("#convert", `#convert-${ids[below(ids.length)]}`);
      await (await answered).finished();
    };
    const GESTURES = [
      ["an arrow key", 6, async () => (await choose(), overlay(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowDown"][below(6)]))],
      ["a drag", 6, drag],
      ["insert", 3, () => fromMenu("#insert", `#insert-${["text", "block", "code128", "qr", "box", "line", "circle"][below(7)]}`)],
      ["align", 1, async () => (await choose(), fromMenu("#align", `#align-${["left", "centre", "top", "middle"][below(4)]}`))],
      ["duplicate", 2, async () => (await choose(), overlay("Control+d"))],
      ["delete", 3, async () => (await choose(), overlay("Delete"))],
      ["copy", 2, async () => (await choose(), overlay("Control+c"))],
      ["cut", 1, async () => (await choose(), overlay("Control+x"))],
      ["paste", 3, () => overlay("Control+v")],
      ["undo", 3, () => page.click("#undo", { force: true })],
      ["redo", 2, () => page.click("#redo", { force: true })],
      ["convert", 2, convert],
      ["rotation", 1, () => page.locator(`input[name=rotation][value="${90 * below(4)}"]`).check({ force: true })],
      ["another label", 2, async () => ((await tabs.count()) > 1 ? tabs.nth(below(2)).click() : undefined)],
      ["text", 2, async () => {
        await page.locator("#editor .cm-content").focus();
        await page.keyboard.press(["Control+Home", "Control+End"][below(2)]);
        await page.keyboard.insertText(["^FX a remark^FS\n", "^XA^FO9,9^A0N,20^FDmore^FS^XZ\n", "\n"][below(3)]);
      }],
    ];
    const bag = GESTURES.flatMap((gesture) => Array(gesture[1]).fill(gesture));
    await page.click("#mode-edit");
    await page.locator("#snap").waitFor();
    const done = [];
    for (let i = 0; i < EDITS; i++) {
      const [name, , act] = bag[below(bag.length)];
      done.push(name);
      await act();
      await settled();
      // Now and then somebody waits for the picture; mostly the next gesture comes before it.
      if (random() < 0.3) await painted(page);
    }
    assert.equal(await tabs.count(), 2, "no gesture opens or closes a label");
    for (const at of [0, 1]) {
      await tabs.nth(at).click();
      await page.locator("#overlay").focus();
      // So that there is something to see.
      await fromMenu("#insert", "#insert-box");
      await forgetAnswer(page);
      await page.keyboard.press("Control+Enter");
      await rendered(page);
      while (/^[2-9]|^\d\d/.test((await page.textContent("#label-count")) ?? "")) {
        await overlay("PageUp");
        await painted(page);
      }
      const wrong = await differences(page);
      const { zpl, settings } = await keptWork(page);
      assert.equal(wrong, 0, `label ${at} after ${done.join(", ")}: ${JSON.stringify(settings)} ${zpl}`);
      let steps = 0;
      while ((await page.getAttribute("#undo", "aria-disabled")) === "false") {
        await page.click("#undo");
        steps++;
      }
      t.diagnostic(`label ${at}: ${steps} steps undone`);
      const back = await keptWork(page);
      assert.equal(back.zpl, FIRST[at], `label ${at} after ${done.join(", ")}`);
      for (const [name, value] of Object.entries(SIZE)) if (at === 0) assert.equal(back.settings[name], value, name);
    }
    // Cut and delete may leave code without a label, which the service refuses to draw; the browser's console says so.
    const isRefusal = (trouble) => /status of 400/.test(trouble);
    assert.deepEqual(view.troubles.filter((trouble) => !isRefusal(trouble)), []);
    await until("the reasons", () => refused.length === view.troubles.filter(isRefusal).length);
    assert.deepEqual(refused.filter((code) => code !== "no_labels"), []);
    await view.close();
  });
});
