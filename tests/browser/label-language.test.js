// Browser tests of the page's languages: each starts in its own, no English is left, switching keeps the work, phones have room, and English waits for nothing.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OTHER_LANGUAGES, readCatalog } from "../../web/texts.mjs";
import { violations } from "./axe.js";
import { browser, closed, forgetAnswer, keptWork, openPage, rendered, replaceCode, serveTests, service, TWO_LABELS, until } from "./label-fixture.js";

const LOCALES = { pt: "pt-BR", es: "es-ES", de: "de-DE", fr: "fr-FR", zh: "zh-CN" };

/** Texts of the English page that the language says differently: as they are, and those with values as patterns. */
function englishOf(name) {
  const differing = Object.entries(readCatalog(name)).filter(([key, given]) => given !== key);
  const keys = differing.map(([key]) => key.trim());
  const letters = (key) => key.replace(/\{\w+\}/g, "").replace(/[^A-Za-z]/g, "");
  // A pattern with few letters of its own fits too much.
  const patterns = keys.filter((key) => /\{\w+\}/.test(key) && letters(key).length >= 8);
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return { keys, patterns: patterns.map((key) => `^${key.split(/\{\w+\}/).map(escaped).join(".+")}$`) };
}

/** Runs in the page: what people see or hear of it. Left out is what is marked as English, the label's own data and code. */
function shownTexts() {
  const texts = new Set();
  const skipped = "[lang=en], code, pre, kbd code, .what:not(:has(small)), .data, .card-data, .doc-name, noscript";
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (element.closest(skipped) || element.closest(".cm-line, style") || !(element.checkVisibility?.() ?? true)) continue;
      for (const name of ["aria-label", "title", "placeholder", "alt", "label"]) if (element.getAttribute(name)) texts.add(element.getAttribute(name).trim());
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && node.data.trim()) texts.add(node.data.trim());
    }
  };
  walk(document);
  return [...texts];
}

async function assertTranslated(page, name, view) {
  const { keys, patterns } = englishOf(name);
  const known = new Set(keys);
  const shown = await page.evaluate(shownTexts);
  assert.ok(shown.length > 20, `${view}: ${shown.length} texts`);
  const left = shown.filter((text) => known.has(text) || patterns.some((pattern) => new RegExp(pattern).test(text)));
  assert.deepEqual(left, [], `English in ${name}, ${view}`);
}

describe("languages", () => {
  serveTests("--print-to", "127.0.0.1:9");

  const open = (options) => openPage(browser, service, options);
  const inLanguage = (name, options) => open({ locale: LOCALES[name], ...options });

  for (const name of OTHER_LANGUAGES) {
    test(`${name}: the browser's language is the page's, and no English text is left in any view`, async () => {
      const { page, clean, close } = await inLanguage(name);
      await rendered(page);
      assert.equal((await page.getAttribute("html", "lang")).slice(0, 2), name);
      await assertTranslated(page, name, "start");
      await page.evaluate(() => document.getElementById("drop-hint").removeAttribute("hidden"));
      await assertTranslated(page, name, "drop hint");
      await page.evaluate(() => document.getElementById("drop-hint").setAttribute("hidden", ""));

      for (const menu of ["export", "help", "theme", "code-menu"]) {
        await page.click(`#${menu}`);
        await page.waitForSelector(".menu");
        await assertTranslated(page, name, `menu ${menu}`);
        await page.keyboard.press("Escape");
      }
      const dialogs = [
        ["samples gallery", ["#samples"]],
        ["newcomers", ["#help", "#help-zpl"]],
        ["shortcuts", ["#help", "#help-keys"]],
        ["sheets", ["#export", "#export-sheets"]],
        ["printers", ["#export", "#send-to-printer"]],
        ["fill in", ["#code-menu", "#fill"]],
        ["compare", ["#code-menu", "#compare"]],
        ["history", ["#code-menu", "#history"]],
        ["rename", ["#code-menu", "#rename-document"]],
      ];
      for (const [view, clicks] of dialogs) {
        for (const place of clicks) await page.click(place);
        await page.waitForSelector("dialog[open]");
        if (view === "printers") await page.waitForSelector("#printer-list li");
        await assertTranslated(page, name, view);
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog[open]", { state: "detached" });
      }

      await replaceCode(page, TWO_LABELS.replace("^GB300,100,4", "^GB300,9000000,4"));
      await until("problems", async () => /\d/.test(await page.textContent("#status-problems")));
      await page.click("#status-problems");
      await page.click("#elements [role=option]:nth-child(2)");
      await page.waitForSelector("#positions:not([hidden])");
      await page.click("#properties summary");
      await page.waitForSelector("#properties fieldset");
      await assertTranslated(page, name, "problems, element, form");
      for (const tool of ["measure", "edit"]) {
        await page.click(`#mode-${tool}`);
        await page.waitForSelector("#tool-bar:not([hidden])");
        if (tool === "measure") await page.click("#guide-x");
        await assertTranslated(page, name, tool);
      }
      await page.click("#insert");
      await assertTranslated(page, name, "menu insert");
      await page.keyboard.press("Escape");
      await page.click("#align");
      await assertTranslated(page, name, "menu align");
      await page.keyboard.press("Escape");
      await page.click("#help");
      await page.click("#help-commands");
      await page.fill("#reference-search", "text");
      await page.waitForSelector("#reference details");
      await assertTranslated(page, name, "command reference");
      await page.click("#reference-close");
      await page.locator("#editor .cm-content").focus();
      await page.keyboard.press("Control+f");
      await page.waitForSelector("#editor .cm-search");
      await assertTranslated(page, name, "search panel");
      await replaceCode(page, " ");
      await page.waitForSelector("#notice:not([hidden])");
      await assertTranslated(page, name, "empty");
      clean();
      await close();
    });
  }

  test("another language is chosen in the help menu: the work stays, the choice is kept, links do not carry it", async () => {
    const { page, clean, close } = await open({ url: `${service.url}?lang=es` });
    await rendered(page);
    assert.equal(await page.getAttribute("html", "lang"), "es", "the address wins over the browser");
    await replaceCode(page, "^XA^FO20,20^A0N,40^FDkept^FS^XZ");
    await page.click("#help");
    assert.equal(await page.textContent("#language-es small"), readCatalog("es")["in use"]);
    const loaded = page.waitForEvent("load");
    await page.click("#language-de");
    await loaded;
    await rendered(page);
    assert.equal(await page.getAttribute("html", "lang"), "de");
    assert.equal(await page.textContent("#samples"), "Beispiele");
    assert.equal((await keptWork(page)).zpl, "^XA^FO20,20^A0N,40^FDkept^FS^XZ");
    assert.equal(new URL(page.url()).search, "", "the address no longer says another language");

    await page.goto(`${service.url}?lang=fr`);
    await rendered(page);
    assert.equal(await page.getAttribute("html", "lang"), "fr");
    await page.click("#link");
    const link = await until("the link", () => page.evaluate(() => navigator.clipboard.readText().then((text) => text.startsWith("http") && text)));
    assert.equal(new URL(link).search, "");
    await page.goto(service.url);
    await rendered(page);
    assert.equal(await page.getAttribute("html", "lang"), "de", "chosen before");
    await page.goto(`${service.url}?lang=xx`);
    await rendered(page);
    assert.equal(await page.getAttribute("html", "lang"), "de", "a language that the page does not have says nothing");
    clean();
    await close();
  });

  test("a browser that cannot keep the label does not lose it to another language", async () => {
    const refuse = () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    };
    const { page, close } = await open({ init: refuse, drawing: undefined });
    await rendered(page);
    await replaceCode(page, "^XA^FO20,20^A0N,40^FDnot lost^FS^XZ");
    await page.click("#help");
    await page.click("#language-de");
    await until("a word about it", async () => /no room to keep/.test(await page.textContent("#toasts")));
    assert.match(await page.textContent("#editor .cm-content"), /not lost/);
    assert.equal(await page.getAttribute("html", "lang"), "en");
    await close();
  });

  test("an English page asks for no catalog; another one for its own alone", async () => {
    const words = { pt: "Configurações", es: "Ajustes", de: "Einstellungen", fr: "Réglages", zh: "设置" };
    const catalogsIn = async (options, during = async () => undefined) => {
      const { page, close } = await open(options);
      await during(page);
      await rendered(page);
      const addresses = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js")));
      const found = new Set();
      for (const address of addresses) {
        const script = await (await fetch(address)).text();
        for (const [name, word] of Object.entries(words)) if (script.includes(`"${word}"`)) found.add(name);
      }
      await close();
      return [...found];
    };
    assert.deepEqual(await catalogsIn({}), []);
    assert.deepEqual(await catalogsIn({ locale: "ja-JP" }), [], "a language that the page does not have");
    assert.deepEqual(await catalogsIn({ locale: "fr-CA" }), ["fr"]);
  });

  test("a catalog that is slow shows no English meanwhile; one that does not come leaves an English page", async () => {
    const context = await browser.newContext({ locale: "de-DE", serviceWorkers: "block" }); // it would have the catalog from the first visit
    const page = await context.newPage();
    let catalog;
    let release;
    const held = new Promise((resolve) => (release = resolve));
    let lost = false;
    await page.route(/\.js$/, async (route) => {
      const response = await route.fetch();
      const isCatalog = (await response.text()).includes('"Einstellungen"');
      if (isCatalog) {
        catalog = true;
        if (lost) return route.abort();
        await held;
      }
      return route.fulfill({ response });
    });
    await page.goto(service.url, { waitUntil: "commit" });
    await until("the catalog is asked for", () => catalog);
    const seen = () => [...document.querySelectorAll("body :not(.unseen)")].flatMap((element) => (element.checkVisibility() ? [...element.childNodes] : [])).flatMap((node) => (node.nodeType === Node.TEXT_NODE && node.data.trim()) || []);
    assert.deepEqual(await page.evaluate(seen), ["Platen"]);
    release();
    await rendered(page);
    assert.equal(await page.textContent("#tab-settings"), "Einstellungen");

    lost = true;
    await page.goto(service.url);
    await rendered(page);
    assert.equal(await page.textContent("#tab-settings"), "Settings");
    assert.equal(await page.getAttribute("html", "lang"), "en");
    await closed(context); // scripts that are asked for later may be under way
  });

  test("numbers are written as the language does for people, and with a point for the service; axe finds nothing", async () => {
    const { page, clean, close } = await inLanguage("de", { storage: { zpl: TWO_LABELS, name: "two.zpl", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } } });
    await rendered(page);
    assert.equal(await page.inputValue("#width"), "101,6");
    assert.match(await page.textContent("#status-size"), /^812 × 1218 Punkte, 101,6 × 152,4 mm$/);
    const asked = page.waitForRequest((request) => request.url().includes("widthMm=88.5"));
    await page.fill("#width", "88,5");
    await asked;
    await forgetAnswer(page);
    await page.locator("#width").blur();
    assert.equal(await page.inputValue("#width"), "88,5");
    // Names in other languages say which one they are in.
    await page.click("#help");
    assert.equal(await page.getAttribute("#language-fr span", "lang"), "fr");
    assert.deepEqual(await violations(page), []);
    clean();
    await close();
  });

  test("at 360 pixels every language has room: nothing is cut off or wider than the window", async () => {
    for (const name of ["en", ...OTHER_LANGUAGES]) {
      const { page, clean, close } = await open({ url: `${service.url}?lang=${name}`, viewport: { width: 360, height: 740 } });
      await rendered(page);
      for (const tab of ["code", "label", "settings"]) {
        await page.click(`#tab-${tab}`);
        const wide = await page.evaluate(() => {
          const out = [];
          if (document.documentElement.scrollWidth > innerWidth) out.push(`page ${document.documentElement.scrollWidth}`);
          for (const element of document.querySelectorAll(".top .button, .tabs button, .tools .button, .segments label, .field > label, .field > span, .documents > .button")) {
            if (!element.checkVisibility()) continue;
            const { left, right } = element.getBoundingClientRect();
            if (left < 0 || right > innerWidth || element.scrollWidth > element.clientWidth + 1) out.push(`${element.textContent}: ${Math.round(left)} to ${Math.round(right)}, needs ${element.scrollWidth} of ${element.clientWidth}`);
          }
          return out;
        });
        assert.deepEqual(wide, [], `${name}, ${tab}`);
      }
      clean();
      await close();
    }
  });
});
