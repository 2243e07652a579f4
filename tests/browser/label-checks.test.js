// Browser tests of the label page: barcodes are read back where that is asked for, and the inspector shows the result; a printer model's limits are findings.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { ask, browser, keptWork, openPage, rendered, serveTests, service, until } from "./label-fixture.js";

// Read; printed over, so that it cannot be; and one that has no reader, with text beside them.
const ZPL = `^XA
^FO50,50^BY2^BCN,80,N^FD12345678^FS
^FO50,250^BY2^BCN,80,N^FD87654321^FS^FO60,240^GB200,100,100^FS
^FO50,450^BON,4,N,300^FD7^FS
^FO400,50^A0N,30,30^FDBeside^FS
^XZ`;

describe("the label page: reading barcodes back", () => {
  let withReader;

  serveTests();
  before(async () => {
    const answer = await ask(service, "json", ZPL, { verify: "true" });
    withReader = JSON.parse(answer).labels[0].elements[0].decoded !== null;
  });

  const storage = { zpl: ZPL, name: "checks.zpl", settings: { widthMm: 101.6, heightMm: 101.6, dpmm: 8 } };

  test("the switch sends verify, and each barcode says whether it was read", async (t) => {
    if (!withReader) return t.skip("built without zxing-cpp");
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    const asked = [];
    page.on("request", (request) => {
      if (request.url().includes("api/render/json")) asked.push(new URL(request.url()).searchParams.get("verify"));
    });
    await rendered(page);
    const facts = async (index) => {
      await page.locator(`#element-${index}`).click();
      return page.locator(".inspector").textContent();
    };
    assert.doesNotMatch(await facts(0), /read/i);
    await page.getByRole("group", { name: "Read barcodes back" }).getByText("On").click();
    await until("the first barcode was read", async () => /Reads back as its data/.test(await facts(0)));
    assert.match(await facts(0), /Margin.*one dot/);
    assert.match(await facts(1), /Cannot be read back/);
    assert.match(await page.locator("#element-1").textContent(), /has a problem/);
    await page.click("#status-problems");
    assert.match(await page.locator("#problems").textContent(), /cannot be read back/);
    assert.match(await facts(3), /Not read back: There is no reader for Aztec runes/);
    assert.doesNotMatch(await facts(4), /read back/i);
    assert.equal(asked.at(-1), "true");
    assert.equal((await keptWork(page)).settings.verify, true);

    await page.getByRole("group", { name: "Read barcodes back" }).getByText("Off").click();
    await until("the readings are gone", async () => !/read back/i.test(await facts(1)));
    assert.equal(asked.at(-1), null);
    view.clean();
    await view.close();
  });

  test("a choice that was kept is used at once", async (t) => {
    if (!withReader) return t.skip("built without zxing-cpp");
    const view = await openPage(browser, service, { storage: { ...storage, settings: { ...storage.settings, verify: true } } });
    const { page } = view;
    await rendered(page);
    await page.locator("#element-0").click();
    await until("it was read", async () => /Reads back/.test(await page.locator(".inspector").textContent()));
    view.clean();
    await view.close();
  });
});

describe("the label page: the printer model", () => {
  serveTests();

  const storage = { zpl: "^XA\n^FO300,20^GB200,50,4^FS\n^XZ", name: "", settings: { widthMm: 101.6, heightMm: 50.8, dpmm: 8 } };
  const problems = async (page) => {
    if (await page.locator("#problems").isHidden()) await page.click("#status-problems");
    return page.locator("#problems").textContent();
  };

  test("the service's models can be chosen, and what the printer would not print is a finding", async () => {
    const view = await openPage(browser, service, { storage });
    const { page } = view;
    await rendered(page);
    const listed = await (await fetch(`${service.url}api/printer-models`)).json();
    const options = () => page.locator("#printer-model option").evaluateAll((all) => all.map(({ value, textContent }) => [value, textContent]));
    await until("the models are there", async () => (await options()).length > 1);
    assert.deepEqual(await options(), [["none", "None in particular"], ...listed.map(({ name, title }) => [name, title])]);

    await page.getByLabel("Printer model").selectOption("zq610plus-203");
    await until("the finding is counted", async () => /1/.test(await page.textContent("#status-problems")));
    assert.match(await problems(page), /head of Zebra ZQ610 Plus, 203 dpi has 384 dots.*ends 116 dots beyond/);
    assert.equal((await keptWork(page)).settings.printerModel, "zq610plus-203");
    await page.selectOption("#density", "12");
    await until("the other density is a finding, too", async () => /prints 8 dots a millimetre/.test(await problems(page)) && /ends 116 dots beyond/.test(await problems(page)));

    await page.getByLabel("Printer model").selectOption("none");
    await until("the findings are gone", () => page.locator("#problems").isHidden());
    view.clean();
    await view.close();
  });

  test("a model that was kept is used at once, and shown by its name while there is no list", async () => {
    const view = await openPage(browser, service, {
      storage: { ...storage, settings: { ...storage.settings, printerModel: "zq610plus-203" } },
      init: () => {
        const { fetch } = window;
        window.fetch = (...given) => (String(given[0]).includes("printer-models") ? new Promise((resolve) => (window.release = () => resolve(fetch(...given)))) : fetch(...given));
      },
      drawing: "service",
    });
    const { page } = view;
    await rendered(page);
    const shown = () => page.locator("#printer-model").evaluate((select) => select.selectedOptions[0].textContent);
    assert.equal(await shown(), "zq610plus-203");
    assert.match(await problems(page), /ends 116 dots beyond/);
    await page.evaluate(() => window.release());
    await until("its title is shown", async () => (await shown()) === "Zebra ZQ610 Plus, 203 dpi");
    assert.equal(await page.locator("#printer-model option[value=zq610plus-203]").count(), 1);
    view.clean();
    await view.close();
  });

  test("a kept model that the service does not have is given up: the label is drawn without one", async () => {
    const view = await openPage(browser, service, { storage: { ...storage, settings: { ...storage.settings, printerModel: "of-the-future-203" } }, drawing: "service" });
    const { page } = view;
    await rendered(page);
    assert.equal(await page.inputValue("#printer-model"), "none");
    await until("it is forgotten", async () => (await keptWork(page)).settings.printerModel === "none");
    await view.close();
  });
});
