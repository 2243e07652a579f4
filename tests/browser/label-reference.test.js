// Browser tests of the label page: the command reference, snippets, what was meant, and fixes for findings.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { browser, keptWork, openPage, rendered, serveTests, service, until } from "./label-fixture.js";

const settings = { widthMm: 100, heightMm: 100, dpmm: 8 };

describe("the label page: help with commands", () => {
  serveTests();

  async function open(zpl, options = {}) {
    const view = await openPage(browser, service, { storage: { zpl, name: "help", settings }, ...options });
    await rendered(view.page);
    return view;
  }

  const becomes = (page, wanted) => until(`the code is ${JSON.stringify(wanted)}`, async () => (await keptWork(page)).zpl === wanted);

  test("the reference is not part of the first load, opens at the command of the cursor and finds by name, purpose and parameter", async () => {
    const fetched = [];
    const view = await open("^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n");
    const { page } = view;
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await page.locator("#editor .cm-line", { hasText: "^GB" }).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+F1");
    const panel = page.locator("#reference");
    await panel.waitFor();
    const scripts = await Promise.all(fetched.filter((name) => name.endsWith(".js")).map(async (name) => (await fetch(new URL(name, service.url))).text()));
    assert.ok(scripts.some((script) => script.includes("reference-search")), `the reference came with none of ${fetched.join(" ")}`);
    assert.equal(await page.inputValue("#reference-search"), "^FO");
    assert.match(await panel.locator("details.command[open]").textContent(), /\^FO.*justification.*0 left: the field begins at x/s);
    const first = async (query) => {
      await page.fill("#reference-search", query);
      return panel.locator("details.command summary code").first().textContent();
    };
    assert.equal(await first("bc"), "^BC");
    assert.equal(await first("^a0"), "^A");
    assert.equal(await first("qr code"), "^BQ");
    assert.equal(await first("error correction damaged"), "^BQ");
    assert.equal(await first("mirror"), "^PM");
    await page.fill("#reference-search", "^OF");
    assert.match(await panel.locator("p", { hasText: "Did you mean" }).textContent(), /\^FO Top left corner/);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await until("closed, the cursor is back in the code", () => page.evaluate(() => document.getElementById("reference").hidden && document.activeElement.id === "editor"));
    view.clean();
    await view.close();
  });

  test("a snippet is inserted at the cursor, in the prefixes that hold there, as one step", async () => {
    const zpl = "^XA\n^CC$\n\n$FO9,9$GB9,9,9$FS\n$XZ\n";
    const view = await open(zpl);
    const { page } = view;
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.click("#help");
    await page.click("#help-commands");
    await page.fill("#reference-search", "a frame of 3 dots");
    await page.getByRole("button", { name: "Insert the snippet Box" }).click();
    await becomes(page, "^XA\n^CC$\n$FO50,50$GB300,150,3$FS\n\n$FO9,9$GB9,9,9$FS\n$XZ\n");
    await until("drawn", async () => (await page.locator("#elements [role=option]").count()) === 2);
    await page.keyboard.press("Control+z");
    await becomes(page, zpl);
    view.clean();
    await view.close();
  });

  /** The text of which elements ends behind where the next one's begins, on the same line. */
  const runningInto = (page, selector) =>
    page.evaluate((rows) => {
      const ofText = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getClientRects();
      };
      return [...document.querySelectorAll(rows)].filter((name) => {
        const end = Math.max(...[...ofText(name)].map(({ right }) => right));
        return end + 2 > ofText(name.nextElementSibling)[0].left;
      }).map(({ textContent }) => textContent);
    }, selector);

  const BY_LINE = 'SIZE 60 mm,40 mm\nCLS\nTEXT 20,20,"3",0,1,1,"Hello"\nBARCODE 20,60,"128",60,2,0,2,2,"12345678"\nQRCODE 320,40,M,4,A,0,"https://example.com"\nPRINT 1,1\n';

  test("a command of another language goes on a line of its own; snippets, which are ZPL, are not offered", async () => {
    const view = await open(BY_LINE);
    const { page } = view;
    await until("it is TSPL", async () => /TSPL/.test(await page.textContent("#status")));
    const insert = async (name) => {
      await page.click("#help");
      await page.click("#help-commands");
      await page.fill("#reference-search", name);
      await page.getByRole("button", { name: `Insert ${name} at the cursor` }).click();
      await page.click("#reference-close");
      await page.keyboard.press("Control+Home"); // for the next one
    };
    await page.locator("#editor .cm-line", { hasText: "CLS" }).click();
    await page.keyboard.press("End");
    await page.click("#help");
    await page.click("#help-commands");
    await page.fill("#reference-search", "");
    await page.waitForSelector("#reference details.command");
    assert.equal(await page.locator("#reference .snippets").count(), 0);
    assert.deepEqual(await runningInto(page, "#reference summary code"), []);
    await page.click("#reference-close");
    await insert("TEXT");
    await becomes(page, BY_LINE.replace("CLS\n", "CLS\nTEXT \n"));
    await insert("CLS");
    await becomes(page, `CLS\n${BY_LINE.replace("CLS\n", "CLS\nTEXT \n")}`);
    view.clean();
    await view.close();
  });

  test("an EPL command is inserted without a blank behind its name", async () => {
    const epl = 'N\nq400\nA20,20,0,4,1,1,N,"Hello"\nP1\n';
    const view = await open(epl);
    const { page } = view;
    await until("it is EPL", async () => /EPL/.test(await page.textContent("#status")));
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.click("#help");
    await page.click("#help-commands");
    await page.fill("#reference-search", "");
    await page.waitForSelector("#reference details.command");
    assert.equal(await page.locator("#reference details[open]").count(), 0, "none was named");
    await page.fill("#reference-search", "LO");
    await page.getByRole("button", { name: "Insert LO at the cursor" }).click();
    await becomes(page, `${epl}LO`);
    view.clean();
    await view.close();
  });

  for (const width of [360, 800, 1280]) {
    test(`at ${width} pixels the names in the list of elements do not run into their data`, async () => {
      const view = await open(BY_LINE, { viewport: { width, height: 800 } });
      const { page } = view;
      await until("the elements", async () => (await page.locator("#elements [role=option]").count()) === 3);
      if (width < 1080) await page.click("#tab-settings");
      await page.locator("#elements [role=option]").first().scrollIntoViewIfNeeded();
      assert.deepEqual(await runningInto(page, "#elements [role=option] > code"), []);
      view.clean();
      await view.close();
    });
  }

  const FIXES = {
    "a command that was mistyped": ["^XA\n^OF50,50^GB90,90,3^FS\n^XZ\n", "Change to ^FO", "^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n"],
    "a format without its end": ["^XA\n^FO50,50^GB90,90,3^FS\n", "Add ^XZ at the end", "^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n"],
    "a format inside another": ["^XA\n^FO50,50^GB90,90,3^FS\n^XA\n^FO9,9^GB9,9,9^FS\n^XZ\n", "Add ^XZ before it", "^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n^XA\n^FO9,9^GB9,9,9^FS\n^XZ\n"],
    "a field without its end": ["^XA\n^FO50,50^GB90,90,3\n^FO9,9^GB9,9,9^FS\n^XZ\n", "Add ^FS", "^XA\n^FO50,50^GB90,90,3^FS\n^FO9,9^GB9,9,9^FS\n^XZ\n"],
    "a number out of range": ["^XA\n^FO50,50^A0N,30^FB400,0,0,L^FDx^FS\n^XZ\n", "Write 1", "^XA\n^FO50,50^A0N,30^FB400,1,0,L^FDx^FS\n^XZ\n"],
    "other prefixes": ["^XA^CC$\n$OF50,50$GB90,90,3$FS\n$XZ\n", "Change to $FO", "^XA^CC$\n$FO50,50$GB90,90,3$FS\n$XZ\n"],
    "a command that does not exist": ["^XA\n^QX1\n^FO50,50^GB90,90,3^FS\n^XZ\n", "Remove ^QX", "^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n"],
    "outside of the label, behind other letters": ["^XA^CI28\n^FO50,50^A0N,30^FDé€^FS^FO50,9999^GB90,90,3^FS\n^XZ\n", "Move it into the label", /\^FO50,[1-9]\d{2}\^GB90,90,3\^FS\n\^XZ\n$/],
  };
  for (const [name, [zpl, title, wanted]] of Object.entries(FIXES)) {
    test(`the list of problems offers the fix, and undo takes it back: ${name}`, async () => {
      const view = await open(zpl);
      const { page } = view;
      await page.click("#status-problems");
      const fix = page.locator("#problems .fix", { hasText: title });
      await fix.waitFor();
      assert.deepEqual(await violations(page), []);
      await fix.click();
      if (typeof wanted === "string") await becomes(page, wanted);
      else await until("it is changed", async () => wanted.test((await keptWork(page)).zpl));
      await until("no problem is left", async () => (await page.textContent("#status-problems")).includes("No problems"));
      await page.locator("#editor .cm-content").focus();
      await page.keyboard.press("Control+z");
      await becomes(page, zpl);
      view.clean();
      await view.close();
    });
  }

  test("the finding in the editor offers the same fix", async () => {
    const view = await open("^XA\n^OF50,50^GB90,90,3^FS\n^XZ\n");
    const { page } = view;
    await page.click("#status-problems");
    await page.locator("#problems .fix").waitFor();
    await page.locator("#editor .cm-lintRange").first().hover();
    await page.locator("#editor .cm-diagnosticAction", { hasText: "Change to ^FO" }).click();
    await becomes(page, "^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n");
    view.clean();
    await view.close();
  });

  test("a fix follows what is typed before it, also where nobody draws", async () => {
    const view = await open("^XA\n\n^OF50,50^GB90,90,3^FS\n^XZ\n");
    const { page } = view;
    await page.click("#status-problems");
    await page.locator("#problems .fix").waitFor();
    await page.route("**/api/render*", (route) => route.abort()); // the findings stay those of the text before
    await page.locator("#editor .cm-line").nth(1).click();
    await page.keyboard.insertText("^FXé^FS");
    await page.locator("#problems .fix").click();
    await becomes(page, "^XA\n^FXé^FS\n^FO50,50^GB90,90,3^FS\n^XZ\n");
    await view.close();
  });

  test("what can mean two things has no fix", async () => {
    const view = await open("^XA\n^FO50,50^BQN,2,9,H^FDMM,AHello^FS\n^XZ\n");
    const { page } = view;
    await page.click("#status-problems");
    await page.locator("#problems li").first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await page.locator("#problems .fix").count(), 0, await page.textContent("#problems"));
    view.clean();
    await view.close();
  });

  test("in another language the reference says that its descriptions are in English", async () => {
    for (const [locale, words] of [["de-DE", "Beschreibungen und Suche sind auf Englisch."], ["en-GB", ""]]) {
      const view = await open("^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n", { locale });
      const { page } = view;
      await page.keyboard.press("Shift+F1");
      await page.locator("#reference details.command").first().waitFor();
      assert.equal((await page.locator("#reference .in-english").allTextContents()).join(), words);
      view.clean();
      await view.close();
    }
  });

  test("on a phone, in the dark and in forced colours axe finds nothing in the reference", async () => {
    for (const options of [{ viewport: { width: 360, height: 740 } }, { colorScheme: "dark" }, { forcedColors: "active" }]) {
      const view = await open("^XA\n^FO50,50^GB90,90,3^FS\n^XZ\n", options);
      const { page } = view;
      await page.keyboard.press("Shift+F1");
      await page.fill("#reference-search", "^BC");
      await page.locator("#reference details.command[open]").waitFor();
      assert.deepEqual(await violations(page), []);
      if (options.viewport) assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
      view.clean();
      await view.close();
    }
  });
});
