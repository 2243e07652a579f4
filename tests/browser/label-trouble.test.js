// Browser tests of the label page when something is wrong: the service, the answer, the input, its size.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { browser, closed, darkness, keptWork, openPage, painted, rendered, replaceCode, serveTests, service, Service, storedWork, threadTime, TWO_LABELS, until } from "./label-fixture.js";

describe("the label page: when something is wrong", () => {
  serveTests();

  const work = (zpl) => ({ zpl, name: "", settings: { widthMm: 101.6, heightMm: 152.4, dpmm: 8 } });
  const SQUARE = "^XA^FO100,100^GB400,400,200^FS^XZ";

  /** Refusals show up in the console as failed requests; anything else there is a fault of the page. */
  function onlyFailedRequests(view) {
    assert.deepEqual(view.troubles.filter((trouble) => !/Failed to load resource|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE/.test(trouble)), []);
  }

  test("the service stops and starts again: nothing is lost, the preview comes back by itself", async () => {
    const view = await openPage(browser, service, { storage: work(SQUARE) });
    const { page } = view;
    await rendered(page);
    const before = await darkness(page);
    await service.stop();
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^FX still typing");
    await page.locator("#notice", { hasText: "cannot be reached" }).waitFor();
    assert.ok(await page.evaluate(() => document.getElementById("desk").classList.contains("stale")));
    assert.ok((await darkness(page)) >= before * 0.9, "the last good picture stays");
    await until("kept", async () => /still typing$/.test((await storedWork(page)).zpl));
    await service.start();
    await until("recovered", () => page.evaluate(() => document.getElementById("notice").hidden));
    assert.ok(!(await page.evaluate(() => document.getElementById("desk").classList.contains("stale"))));
    onlyFailedRequests(view);
    await view.close();
  });

  /** Answers the preview's requests with `answer` until told otherwise. */
  async function answering(page, answer) {
    const state = { count: 0, on: true };
    await page.route("**/api/render/json*", async (route) => {
      if (!state.on) return route.fallback();
      state.count++;
      return route.fulfill(answer);
    });
    return state;
  }

  const failures = [
    { name: "429", answer: { status: 429, headers: { "Retry-After": "1" }, body: '{"ok":false,"error":"busy","code":"busy"}' }, text: "busy", recovers: true },
    { name: "413", answer: { status: 413, body: '{"ok":false,"error":"The body is over 8 MiB.","code":"too_large"}' }, text: "more than the service takes", recovers: false },
    { name: "a broken answer", answer: { status: 200, contentType: "application/json", body: '{"ok":true,"labels":[{"da' }, text: "did not arrive whole", recovers: true },
    { name: "an answer of another shape", answer: { status: 200, contentType: "application/json", body: '{"hello":1}' }, text: "does not understand", recovers: true },
    { name: "500", answer: { status: 500, body: "oops" }, text: "error of its own", recovers: true },
  ];

  for (const failure of failures) {
    test(`${failure.name}: a calm message, the last picture, ${failure.recovers ? "and recovery by itself" : "and recovery on a change"}`, async () => {
      const view = await openPage(browser, service, { storage: work(SQUARE) });
      const { page } = view;
      await rendered(page);
      const state = await answering(page, failure.answer);
      await page.locator("#editor .cm-content").focus();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("^FX more"); // one change: whatever is asked for after it, the page asks by itself
      await page.locator("#notice", { hasText: failure.text }).waitFor();
      assert.ok((await darkness(page)) > 10_000, "the last good picture stays");
      assert.match((await keptWork(page)).zpl, /more$/);
      if (failure.name === "429") {
        // By the page's own clock: on a busy machine the requests arrive here more unevenly than they were sent.
        const pauses = await until("asked again", () =>
          page.evaluate(() => {
            const refused = performance.getEntriesByType("resource").filter((entry) => entry.name.includes("/api/render/json") && entry.responseStatus === 429);
            return refused.length > 1 && refused.slice(1).map((entry, i) => entry.startTime - refused[i].startTime);
          }),
        );
        assert.ok(pauses.every((pause) => pause >= 950), `Retry-After is respected: ${pauses}`);
      }
      if (!failure.recovers) {
        await page.waitForTimeout(1500); // in which the others ask again
        assert.equal(state.count, 1, "asking again would not help");
      }
      state.on = false;
      if (!failure.recovers) await page.keyboard.type("!");
      await until("recovered", () => page.evaluate(() => document.getElementById("notice").hidden));
      onlyFailedRequests(view);
      await view.close();
    });
  }

  test("an error in the label and its recovery: no label, then one again", async () => {
    const view = await openPage(browser, service, { storage: work(SQUARE) });
    const { page } = view;
    await rendered(page);
    await replaceCode(page, "^XA^FO10,10");
    await page.locator("#notice", { hasText: "Nothing to print yet" }).waitFor();
    await replaceCode(page, "^XA^FO100,100^GB100,100,50^FS^XZ");
    await until("recovered", () => page.evaluate(() => document.getElementById("notice").hidden));
    onlyFailedRequests(view);
    await view.close();
  });

  for (const [code, error, wanted] of [
    ["other_origin", "Pages of other origins may not do this.", /does not accept requests from a page at this address/],
    ["host_not_allowed", "This service does not answer to the name in this request's Host.", /does not answer to the name/],
  ]) {
    test(`a refusal that no key helps against does not ask for one: ${code}`, async () => {
      const view = await openPage(browser, service, { storage: work(SQUARE) });
      const { page } = view;
      await rendered(page);
      await answering(page, { status: 403, contentType: "application/json", body: JSON.stringify({ ok: false, error, code }) });
      await replaceCode(page, "^XA^FO10,10^GB90,90,9^FS^XZ");
      await page.locator("#notice:not([hidden])").waitFor();
      assert.match(await page.textContent("#notice"), wanted);
      assert.ok(await page.locator("#api-key").isHidden());
      onlyFailedRequests(view);
      await view.close();
    });
  }

  for (const [name, zpl] of [["no ^XA", "^FO50,50^FDx^FS"], ["DPL", "\x02L\r\nD11\r\n121100000200020Hello\r\nE\r\n"], ["plain text", "Dear Sir or Madam"]]) {
    test(`nothing can be drawn, and nobody says that there are no problems: ${name}`, async () => {
      const view = await openPage(browser, service, { storage: work(zpl) });
      const { page } = view;
      await page.locator("#notice", { hasText: "Nothing to print yet" }).waitFor();
      assert.match(await page.textContent("#status-problems"), /^Nothing to print$/);
      await replaceCode(page, SQUARE);
      await rendered(page);
      await until("no problems", async () => (await page.textContent("#status-problems")) === "No problems");
      onlyFailedRequests(view);
      await view.close();
    });
  }

  test("a service with API keys: the page asks for one, sends it, keeps it, and never writes it into the curl command", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "platen-key-"));
    await writeFile(path.join(folder, "keys"), "a-key-for-the-test\n");
    const guarded = await Service.start("--api-key-file", path.join(folder, "keys"));
    const view = await openPage(browser, guarded, { storage: work(SQUARE) });
    const { page } = view;
    await page.locator("#notice", { hasText: "API key" }).waitFor();
    await page.fill("#api-key", "a-key-for-the-test");
    await page.keyboard.press("Enter");
    await until("the label is drawn", async () => (await darkness(page)) > 10_000);
    await page.reload();
    await rendered(page);
    assert.ok((await darkness(page)) > 10_000, "the label is drawn again");
    await page.click("#export");
    await page.click("#copy-as");
    await page.click("#copy-call");
    await page.locator(".toast", { hasText: "curl" }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(command, /\$PLATEN_API_KEY/);
    assert.doesNotMatch(command, /a-key-for-the-test/);
    onlyFailedRequests(view);
    await view.close();
    await guarded.stop();
    await rm(folder, { recursive: true });
  });

  test("hostile code, names and answers never become markup", async () => {
    const evil = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';
    const view = await openPage(browser, service, { storage: { ...work(`^XA^FO50,50^A0N,30,30^FD${evil}^FS^QZ${evil}^XZ`), name: evil } });
    const { page } = view;
    await rendered(page);
    await page.click("#status-problems");
    await page.locator("#element-0").click();
    await page.locator("#element-0").hover();
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img").count(), 0);
    view.clean();
    await view.close();
  });

  test("a missing command table only takes the help away", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route("**/api/commands", (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(service.url);
    await rendered(page);
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^F");
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#editor .cm-tooltip-autocomplete").count(), 0);
    assert.ok(await page.locator("#command-help").isHidden());
    await closed(context);
  });

  test("a file of 1 MB opens, and typing in it does not lag", async () => {
    const field = (i) => `^FO${(i * 37) % 700},${(i * 53) % 1100}^A0N,20,20^FDField number ${i}^FS\n`;
    const comment = `^FX ${"a comment that makes the file long ".repeat(3)}\n`;
    let zpl = "^XA\n";
    for (let i = 0; zpl.length < 1_000_000; i++) zpl += i % 8 === 0 && i < 4000 ? field(i) : comment;
    zpl += "^XZ\n";
    assert.ok(zpl.length > 1_000_000);
    const view = await openPage(browser, service, { storage: work("^XA^XZ") });
    const { page } = view;
    await page.setInputFiles("#file", { name: "big.zpl", mimeType: "text/plain", buffer: Buffer.from(zpl) });
    await until("opened", async () => (await page.textContent("#doc-name")) === "big.zpl");
    await until("rendered", () => page.evaluate(() => document.getElementById("notice").hidden && document.querySelectorAll("#elements [role=option]").length > 100));
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    // What a key costs the page, until the frame that shows it.
    const typed = "^FX typing in a long file";
    const computed = await threadTime(page);
    const before = await computed();
    for (const key of typed) {
      await page.keyboard.press(key === " " ? "Space" : key);
      await painted(page);
    }
    const each = ((await computed()) - before) / typed.length;
    assert.ok(each < 0.1, `${(each * 1000).toFixed(0)} ms of processor time for a key`);
    const text = (selector) => page.evaluate((name) => document.querySelector("#editor").shadowRoot.querySelector(name).textContent, selector);
    assert.match(await text(".cm-activeLine"), /\^FX typing in a long file/);
    await page.keyboard.press("Control+End");
    await until("the end is in sight", async () => /\^XZ/.test(await text(".cm-content")));
    onlyFailedRequests(view);
    await view.close();
  });

  test("two thousand labels' worth of warnings do not freeze the page", async () => {
    const zpl = `^XA${"^QZ1\n".repeat(3000)}^FO50,50^A0N,30,30^FDx^FS^XZ`;
    const view = await openPage(browser, service, { storage: work(zpl) });
    const { page } = view;
    await rendered(page);
    await page.click("#status-problems");
    assert.ok((await page.locator("#problems li").count()) <= 202);
    view.clean();
    await view.close();
  });

  test("typing while an answer is under way keeps marks and problems at their places", async () => {
    const view = await openPage(browser, service, { storage: work(TWO_LABELS) });
    const { page } = view;
    await rendered(page);
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    const asked = page.waitForRequest("**/api/render/json*");
    await page.route("**/api/render/json*", async (route) => {
      await held;
      await route.fallback();
    });
    await page.locator("#editor .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("^QZ");
    await asked;
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("^FXé");
    answer();
    await until("the unknown command is underlined where it stands now", async () =>
      (await page.locator("#editor .cm-lintRange").allTextContents()).join("") === "^QZ",
    );
    view.clean();
    await view.close();
  });
});
