// Browser tests of the label page's manners: themes, narrow and wide windows, keyboard, screen readers, policy.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations as violationsByAxe } from "./axe.js";
import { browser, darkness, keptWork, openPage, painted, rendered, replaceCode, serveTests, service, TWO_LABELS, until } from "./label-fixture.js";

describe("the label page: manners", () => {
  serveTests();

  const settings = { widthMm: 101.6, heightMm: 152.4, dpmm: 8 };
  const storage = { zpl: `${TWO_LABELS}^QZ`, name: "two.zpl", settings };

  async function violations(page) {
    const found = await violationsByAxe(page);
    // The completion list scrolls with the arrow keys while the focus stays in the editor, as combo boxes do; axe cannot know.
    const popup = (rule) => rule.id === "scrollable-region-focusable" && rule.nodes.every((node) => node.target.some((part) => part.startsWith("#cm-ac-")));
    return found.filter((rule) => !popup(rule)).map((rule) => `${rule.id}: ${rule.nodes.map((node) => `${node.target.join(" ")} ${node.summary}`).join("; ")}`);
  }

  test("at 200 % on a small screen the label still has room, with a tool in use", async () => {
    const inInches = { ...storage, settings: { ...settings, unit: "in" } };
    const init = () => {
      const write = CanvasRenderingContext2D.prototype.fillText;
      window.written = [];
      CanvasRenderingContext2D.prototype.fillText = function (text, ...values) {
        window.written.push(text);
        return write.call(this, text, ...values);
      };
    };
    const view = await openPage(browser, service, { storage: inInches, init, viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, locale: "fr-FR" });
    const { page } = view;
    await page.click("#tab-label");
    await rendered(page);
    await page.click("#mode-edit");
    await page.locator("#tool-bar button").first().waitFor();
    const { height } = await page.locator("#overlay").boundingBox();
    assert.ok(height >= 150, `the label has ${height} pixels`);
    await page.locator("#overlay").focus();
    await page.keyboard.press("0");
    await until("it is fitted", async () => Number.parseInt(await page.textContent("#preview-tools .zoom")) >= 8);
    await page.locator("#strip .thumb").first().scrollIntoViewIfNeeded();
    assert.ok(await page.locator("#strip .thumb").first().isVisible());
    assert.match(await page.textContent("#status-place"), /in$/);
    // Numbers of the rulers are written as all others.
    const written = await page.evaluate(() => window.written);
    assert.deepEqual(written.filter((text) => /\d\.\d/.test(text)), []);
    view.clean();
    await view.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing to mend in the ${colorScheme} theme: page, menu, dialogs, list, message`, async () => {
      const view = await openPage(browser, service, { storage, colorScheme });
      const { page } = view;
      await rendered(page);
      await page.locator("#element-0").click();
      await page.click("#status-problems");
      assert.deepEqual(await violations(page), []);
      await replaceCode(page, `${storage.zpl}${"\n^FX a line^FS".repeat(200)}`); // more than the editor has room for
      await rendered(page);
      assert.deepEqual(await violations(page), []);
      await page.click("#export");
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Escape");
      await page.click("#samples");
      await until("pictures", async () => (await page.locator(".sample img").count()) >= 8);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Escape");
      await page.keyboard.press("F1");
      await page.locator("dialog").waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Escape");
      await page.locator("#overlay").focus();
      await page.keyboard.press("?");
      await page.locator("dialog", { hasText: "Keyboard shortcuts" }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Escape");
      await page.route("**/api/render/json*", (route) => route.fulfill({ status: 413, body: "{}" }));
      await page.locator("#editor .cm-content").focus();
      await page.keyboard.type("^F");
      await page.locator("#notice").waitFor();
      await page.locator("#editor .cm-tooltip-autocomplete").waitFor();
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(view.troubles.filter((trouble) => !trouble.includes("413")), []);
      await view.close();
    });

    test(`axe finds nothing to mend at 360 px in the ${colorScheme} theme`, async () => {
      const view = await openPage(browser, service, { storage, colorScheme, viewport: { width: 360, height: 740 }, hasTouch: true });
      const { page } = view;
      for (const tab of ["code", "label", "settings"]) {
        await page.click(`#tab-${tab}`);
        assert.deepEqual(await violations(page), []);
      }
      view.clean();
      await view.close();
    });
  }

  for (const [name, options] of [["wide, dark", { colorScheme: "dark" }], ["360 px, light", { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true }], ["forced colours", { forcedColors: "active" }]]) {
    test(`axe finds nothing to mend in the windows of the menus, opened by keyboard: ${name}`, async () => {
      const zpl = '^XA^PW812^LL406^FO40,40^A0N,60,60^FD{{name}}^FS^FN1"city"^FS^XZ';
      const view = await openPage(browser, service, { storage: { zpl, name: "fields.zpl", settings }, ...options });
      const { page } = view;
      await rendered(page);
      await page.locator("#use-size").waitFor({ state: "attached" });
      assert.deepEqual(await violations(page), []);
      if (options.hasTouch) await page.tap("#tab-code");
      await page.locator("#new-document").press("Enter");
      await page.keyboard.insertText("^XA^FO40,40^A0N,60,60^FDsecond^FS^XZ");
      await rendered(page);
      const ready = { fill: "#fill-csv", compare: "#compare-slider", history: ".history", "go-to": "#outline", "rename-document": "#document-name", "copy-as": "#call-code", "export-sheets": "#sheet-download", "send-to-printer": "#printer-list" };
      for (const [id, content] of Object.entries(ready)) {
        await page.locator(/^(export|send|copy)/.test(id) ? "#export" : "#code-menu").press("Enter");
        await page.locator(`#${id}`).press("Enter");
        await page.locator(content).waitFor({ state: "attached" });
        if (id === "compare") await page.locator("#compare-summary", { hasText: "differ" }).waitFor();
        if (id === "send-to-printer") await page.locator("#printer-status", { hasText: "no printer" }).waitFor();
        assert.deepEqual(await violations(page), [], id);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${id}: ${overflow} px too wide`);
        await page.keyboard.press("Escape");
        await until(`${id} is closed`, async () => (await page.locator("dialog").count()) === 0);
      }
      view.clean();
      await view.close();
    });
  }

  const brightness = (page, selector) =>
    page.evaluate((name) => {
      const [r, g, b] = getComputedStyle(document.querySelector(name)).backgroundColor.match(/\d+(\.\d+)?/g).map(Number);
      return (r + g + b) / 3;
    }, selector);

  test("dark and light follow the system until switched, and the choice is kept", async () => {
    const view = await openPage(browser, service, { storage, colorScheme: "dark" });
    const { page } = view;
    await rendered(page);
    assert.ok((await brightness(page, ".top")) < 60);
    await page.emulateMedia({ colorScheme: "light" });
    await until("light", async () => (await brightness(page, ".top")) > 200);
    await page.click("#theme");
    await page.click("#theme-dark");
    assert.ok((await brightness(page, ".top")) < 60);
    await page.reload();
    await rendered(page);
    assert.ok((await brightness(page, ".top")) < 60);
    // The label itself stays black on white.
    assert.ok((await darkness(page)) > 500);
    await page.click("#theme");
    await page.click("#theme-system");
    assert.ok((await brightness(page, ".top")) > 200);
    view.clean();
    await view.close();
  });

  test("at 360 px the panes are tabs, everything fits and works by touch", async () => {
    const view = await openPage(browser, service, { storage, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const { page } = view;
    await page.tap("#tab-code");
    assert.ok(await page.locator("#editor").isVisible());
    assert.ok(await page.locator("#pane-label").isHidden());
    await page.tap("#tab-label");
    await page.locator("#overlay").waitFor({ state: "visible" });
    assert.ok(await page.locator("#editor").isHidden());
    await until("the label is drawn", async () => (await darkness(page)) > 300);
    const box = await page.locator("#overlay").boundingBox();
    const zoom = Number((await page.textContent("#zoom")).replace(/[^\d.]/g, "")) / 100;
    await page.touchscreen.tap(box.x + box.width / 2 + (120 - 406) * zoom, box.y + box.height / 2 + (80 - 609) * zoom);
    await page.locator("#card").waitFor({ state: "visible" });
    await page.tap("#tab-settings");
    await page.locator("#preset").waitFor({ state: "visible" });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide`);
    const targets = "#actions button, #tabs button, #documents button, .tools button, #status button";
    for (const tab of ["code", "label", "settings"]) {
      await page.tap(`#tab-${tab}`);
      const small = await page.evaluate((names) => [...document.querySelectorAll(names)].filter((b) => b.offsetParent && (b.offsetWidth < 40 || b.offsetHeight < 42)).map((b) => b.id), targets);
      assert.deepEqual(small, [], tab);
    }
    // Every button above has its name in sight.
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("#actions button")].filter((b) => !b.innerText.trim()).map((b) => b.id));
    assert.deepEqual(unnamed, []);
    view.clean();
    await view.close();
  });

  test("on a phone the problems are shown with the code, whichever pane is shown", async () => {
    const zpl = "^XA^FO50,50^QQ^A0N,60,60^FDx^FS^XZ";
    const view = await openPage(browser, service, { storage: { zpl, name: "x", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } }, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const { page } = view;
    await rendered(page);
    const list = page.locator("#problems");
    for (let times = 0; times < 2; times++) {
      await page.locator("#tabs [role=tab]", { hasText: "Label" }).tap();
      await page.locator("#status-problems").tap();
      await list.waitFor({ state: "visible" });
    }
    await page.locator("#status-problems").tap();
    await list.waitFor({ state: "hidden" });
    view.clean();
    await view.close();
  });

  test("on a phone a shared link opens on the label", async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const sender = await openPage(browser, service, { storage });
    await rendered(sender.page);
    await sender.page.click("#link");
    await sender.page.locator(".toast", { hasText: "Link copied" }).waitFor();
    const url = await sender.page.evaluate(() => navigator.clipboard.readText());
    await sender.close();
    const view = await openPage(browser, service, { url, ...phone });
    await view.page.locator("#overlay").waitFor({ state: "visible" });
    assert.equal(await view.page.getAttribute("#tab-label", "aria-selected"), "true");
    await until("the label is drawn", async () => (await darkness(view.page)) > 300);
    view.clean();
    await view.close();
  });

  test("from 320 px (400 % on a small screen) to 4K nothing runs out of the window", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    for (const [width, height] of [[320, 512], [360, 640], [719, 800], [720, 800], [1079, 800], [1080, 800], [1920, 1080], [3840, 2160]]) {
      await page.setViewportSize({ width, height });
      await until("the size", () => page.evaluate((size) => innerWidth === size[0] && innerHeight === size[1], [width, height]));
      await painted(page);
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll("header button, footer > *, .tools button, .pane")]
          .filter((e) => e.offsetParent !== null)
          .map((e) => [e.id || e.className, e.getBoundingClientRect()])
          .filter(([, box]) => box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5 || box.left < -0.5)
          .map(([name]) => name),
      );
      assert.deepEqual(outside, [], `${width} × ${height}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} × ${height}: it scrolls sideways`);
    }
    view.clean();
    await view.close();
  });

  test("on an empty editor the line of help says nothing of a command that is gone", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    await rendered(page);
    await page.locator("#editor .cm-content").focus();
    await page.locator("#command-help code").waitFor();
    await page.click("#new-document");
    await until("no command", async () => /^Type \^ for the list/.test(await page.textContent("#command-help")));
    view.clean();
    await view.close();
  });

  test("typing and deleting over a selection of several lines breaks no rule of the policy", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    await rendered(page);
    const lines = TWO_LABELS.split("\n").length;
    await page.locator("#editor .cm-content").focus();
    for (let line = 1; line < lines - 2; line++) {
      await page.keyboard.press("Control+Home");
      for (let i = 0; i < Math.min(line, 3); i++) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.type(line % 2 === 0 ? "^" : "x");
    }
    await until("typed", async () => /x/.test((await keptWork(page)).zpl));
    view.clean();
    await view.close();
  });

  test("dividers move by mouse and by keys, and stay where they were put", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    const width = () => page.evaluate(() => document.getElementById("pane-code").offsetWidth);
    const start = await width();
    await page.focus("#divider-code");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await width(), start - 48);
    const box = await page.locator("#divider-code").boundingBox();
    await page.mouse.move(box.x, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 30, box.y + 100);
    await page.mouse.up();
    const dragged = await width();
    assert.ok(dragged > start - 48);
    await page.reload();
    await rendered(page);
    assert.ok(Math.abs((await width()) - dragged) <= 1);
    await page.focus("#divider-code");
    await page.keyboard.press("Enter");
    assert.equal(await width(), start);
    view.clean();
    await view.close();
  });

  test("everything is reached by keyboard: panes, menus, elements, help", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    await rendered(page);
    await page.keyboard.press("F6");
    assert.equal(await page.evaluate(() => document.activeElement.id), "editor");
    await page.keyboard.press("F6");
    assert.equal(await page.evaluate(() => document.activeElement.id), "overlay");
    await page.keyboard.press("n");
    assert.match(await page.textContent(".inspector"), /Grüße/);
    await page.keyboard.press("n");
    assert.match(await page.textContent(".inspector"), /PLATEN1/);
    await page.keyboard.press("b");
    assert.equal(await page.getAttribute("#boxes", "aria-pressed"), "true");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "editor");
    await page.keyboard.press("F6");
    await page.keyboard.press("F6");
    assert.equal(await page.evaluate(() => document.activeElement.id), "preset");
    await page.focus("#export");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.id), "export-webp");
    await page.keyboard.press("End");
    assert.equal(await page.evaluate(() => document.activeElement.id), "send-to-printer");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "export");
    // Tab leaves the editor: it is no trap.
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.id), "editor");
    const unreachable = await page.evaluate(() =>
      [...document.querySelectorAll("header button, .tools button, #pane-settings button, #pane-settings input, #pane-settings select, [role=separator], #elements")]
        .filter((e) => e.offsetParent !== null && e.tabIndex < 0)
        .map((e) => e.id || e.outerHTML),
    );
    assert.deepEqual(unreachable, []);
    view.clean();
    await view.close();
  });

  test("the newcomers' help explains ZPL, and its examples open in the editor", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    await rendered(page);
    await page.click("#help");
    await page.click("#help-zpl");
    await page.locator("dialog h3", { hasText: "A first label" }).waitFor();
    await page.locator("dialog button", { hasText: "Open this in the editor" }).first().click();
    await until("the example is in the editor", () => page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-content").textContent.includes("Hello, label")));
    await page.locator(".toast button", { hasText: "Undo" }).click();
    await until("and undone", () => page.evaluate(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-content").textContent.includes("PLATEN1")));
    view.clean();
    await view.close();
  });

  test("the policy allows no inline script or style and no other host", async () => {
    const response = await fetch(service.url);
    const policy = Object.fromEntries(response.headers.get("content-security-policy").split(";").map((part) => {
      const [name, ...values] = part.trim().split(/\s+/);
      return [name, values.join(" ")];
    }));
    assert.equal(policy["default-src"], "'none'");
    assert.equal(policy["script-src"], "'self'");
    assert.equal(policy["style-src"], "'self'");
    assert.equal(policy["connect-src"], "'self'");
    const html = await response.text();
    assert.doesNotMatch(html, /<style|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?:\/\/(?!www\.w3\.org)/);
    // Addresses are relative, so that the page may live under any path.
    assert.doesNotMatch(html, /(?:src|href)="\//);
  });

  test("on a screen with two device pixels per point the label stays sharp", async () => {
    const view = await openPage(browser, service, { storage, deviceScaleFactor: 2 });
    const { page } = view;
    await rendered(page);
    await page.click("#zoom");
    await until("100 %", async () => (await page.textContent("#zoom")) === "100 %");
    await painted(page);
    const { ratio, shades } = await page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data } = canvas.getContext("2d").getImageData(canvas.width / 2 - 100, canvas.height / 2 - 100, 200, 200);
      return { ratio: canvas.width / Math.round(canvas.getBoundingClientRect().width), shades: [...new Set(Array.from({ length: data.length / 4 }, (_, i) => data[i * 4]))].length };
    });
    assert.ok(Math.abs(ratio - 2) < 0.005, `${ratio}`);
    assert.ok(shades <= 2);
    view.clean();
    await view.close();
  });
});
