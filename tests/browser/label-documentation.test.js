// The documentation at /docs/ in Chromium: reached from the page, searched, on every width, under the page's policy.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./axe.js";
import { browser, serveTests, service, started } from "./label-fixture.js";

const shots = process.env.DOCS_SHOTS;
serveTests();

async function open(t, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith("data:")) problems.push(`asked ${request.url()}`);
  });
  t.after(async () => {
    assert.deepEqual(problems, []);
    await context.close();
  });
  await page.goto(service.url + address);
  return page;
}

describe("the documentation", () => {
  test("/docs leads to /docs/, and the help menu of the page to both", async (t) => {
    const page = await open(t, "docs");
    assert.equal(new URL(page.url()).pathname, "/docs/");
    assert.equal(await page.textContent("h1"), "Documentation");
    await page.goto(service.url);
    await started(page);
    await page.click("#help");
    const [opened] = await Promise.all([page.context().waitForEvent("page"), page.click("#help-docs")]);
    await opened.waitForURL("**/docs/");
  });

  test("a finding shows its bad and its good label, drawn by the service", async (t) => {
    const page = await open(t, "docs/findings.html#bars_overprinted");
    const pictures = page.locator("h2#bars_overprinted ~ figure.label img");
    for (const [place, caption] of ["Gives the finding", "Does not give it"].entries()) {
      const picture = pictures.nth(place);
      await picture.scrollIntoViewIfNeeded();
      await picture.evaluate((img) => img.decode());
      assert.equal(await picture.evaluate((img) => img.naturalWidth), 812);
      assert.equal(await picture.evaluate((img) => img.nextElementSibling.textContent), caption);
    }
  });

  test("the search finds a control, a command and nothing; keys lead to the result", async (t) => {
    const page = await open(t, "docs/");
    await page.keyboard.press("/");
    await page.keyboard.type("minModuleMm");
    await page.waitForSelector("#results a");
    assert.match(await page.textContent("#results"), /Controls/);
    assert.match(await page.textContent("#found"), /result/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/docs\/[a-z-]+\.html/);
    await page.fill("#query", "^FO");
    await page.waitForSelector("#results a");
    assert.match(await page.textContent("#results"), /\^FO/);
    await page.fill("#query", "xyzzyplugh");
    await page.waitForSelector("#results p");
    assert.match(await page.textContent("#results"), /Nothing has all of these words/);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await page.isVisible("#results"), false);
  });

  test("a command can be copied", async (t) => {
    const page = await open(t, "docs/api.html", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.click(".copy >> nth=0");
    await page.waitForSelector('.copy:has-text("Copied")');
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^echo .*curl/s);
  });

  test("without a script it can be read", async (t) => {
    const page = await open(t, "docs/api.html", { javaScriptEnabled: false });
    assert.equal(await page.isVisible("article h1"), true);
    assert.equal(await page.isVisible("#search"), false);
    assert.equal(await page.isVisible(".menu summary") || (await page.isVisible(".menu nav")), true);
  });

  for (const [name, options] of [
    ["wide", {}],
    ["phone", { viewport: { width: 360, height: 780 } }],
  ]) {
    test(`every page fits and has nothing to fix for axe, in light and dark: ${name}`, async (t) => {
      const page = await open(t, "docs/", options);
      const addresses = ["./", ...(await page.$$eval(".menu a", (links) => links.map((link) => link.getAttribute("href"))))];
      for (const address of addresses) {
        await page.goto(`${service.url}docs/${address}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${address} is wider than the window`);
        // axe takes long: it judges those that differ in their parts.
        if (!["./", "start.html", "api.html", "barcodes.html"].includes(address)) continue;
        for (const colorScheme of name === "phone" && address !== "start.html" ? ["light"] : ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(page), [], `${address}, ${colorScheme}`);
          if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${address.replace(/\W/g, "")}.png` });
        }
      }
    });
  }
});
