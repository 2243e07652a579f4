// Browser tests of the label page: the first picture over a slow net. It is asked for and painted by a small script of its own, and the page takes it over.
import assert from "node:assert/strict";
import http from "node:http";
import { describe, test } from "node:test";
import { browser, darkness, openPage, painted, rendered, serveTests, service, threadTime } from "./label-fixture.js";

const ROUND_TRIP_MS = 150;
const BYTES_PER_MS = 1_600_000 / 8 / 1000;
const SLOWER = 4;

describe("the label page: the first picture", () => {
  serveTests();

  /** The size of a file as a browser gets it. */
  const sizeOf = (name) =>
    new Promise((resolve, reject) => {
      http.get(new URL(name, service.url), { headers: { "Accept-Encoding": "br" } }, (response) => {
        let size = 0;
        response.on("data", (data) => (size += data.length));
        response.on("end", () => resolve(size));
      }).on("error", reject);
    });

  /** Opens the page with its own scripts held back until `release`, so that all that is on the screen is the first script's. */
  async function openHeld(options = {}) {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const view = await openPage(browser, service, {
      url: "about:blank",
      init: () => {
        // Whoever clears the canvas of the label then draws the picture, if it has one.
        window.paints = { clears: 0, pictures: 0, unpictured: 0 };
        window.pictured = new Promise((resolve) => (window.tellPictured = resolve));
        const count = (name, counter) => {
          const own = CanvasRenderingContext2D.prototype[name];
          CanvasRenderingContext2D.prototype[name] = function (...given) {
            if (this.canvas.id === "label") {
              window.paints[counter]++;
              if (counter === "clears" && window.isClear) window.paints.unpictured++;
              window.isClear = counter === "clears";
            }
            if (window.paints.pictures > 0) window.tellPictured();
            return own.apply(this, given);
          };
        };
        count("clearRect", "clears");
        count("drawImage", "pictures");
      },
      ...options,
    });
    view.troubles.length = 0; // the service is not about:blank's host
    const { page } = view;
    const asked = [];
    page.on("request", (request) => asked.push(request));
    await page.route(/\/(main|part-\w+)\.js(\?.*)?$/, async (route) => {
      await held;
      await route.continue();
    });
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    const requests = new Map();
    session.on("Network.requestWillBeSent", ({ requestId, request, initiator }) => requests.set(requestId, { name: request.url.slice(service.url.length), by: initiator.url ?? initiator.stack?.callFrames[0]?.url }));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => (requests.get(requestId).size = encodedDataLength));
    const spent = await threadTime(page);
    const start = await spent();
    await page.goto(service.url, { waitUntil: "commit" });
    await page.evaluate(() => window.pictured); // asked once: asking costs the page's time, which is measured
    await painted(page);
    return { ...view, asked, requests: [...requests.values()], seconds: (await spent()) - start, release };
  }

  const renders = (asked) => asked.filter((request) => request.url().includes("/api/render/")).map((request) => request.url());
  /** Edges of the ink, in pixels of the canvas: left, top, right, bottom. */
  const inkEdges = (page) =>
    page.evaluate(() => {
      const canvas = document.getElementById("label");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const edges = [Infinity, Infinity, -1, -1];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * 4;
          if (data[at + 3] < 200 || data[at] > 80) continue;
          edges[0] = Math.min(edges[0], x);
          edges[1] = Math.min(edges[1], y);
          edges[2] = Math.max(edges[2], x);
          edges[3] = Math.max(edges[3], y);
        }
      }
      return edges;
    });

  /** How many requests one after the other lead to this one. */
  const depth = (requests, one) => 1 + (one.by ? depth(requests, requests.find(({ name }) => service.url + name === one.by)) : 0);

  test("it is there within 2 s at 1.6 Mbit/s, 150 ms and a processor four times slower, by what it needs", async (t) => {
    const view = await openHeld();
    assert.ok((await darkness(view.page)) > 2000);
    const { requests } = view;
    const answer = requests.find(({ name }) => name.startsWith("api/render/json"));
    const roundTrips = depth(requests, answer);
    // As if all that was asked for came before the picture: the page's scripts, which are under way meanwhile, too.
    const sizes = await Promise.all(requests.map(async ({ name, size }) => size ?? sizeOf(name)));
    const bytes = sizes.reduce((a, b) => a + b);
    const milliseconds = roundTrips * ROUND_TRIP_MS + bytes / BYTES_PER_MS + SLOWER * view.seconds * 1000;
    const facts = `${roundTrips} round trips, ${bytes} bytes, ${Math.round(view.seconds * 1000)} ms of computing: ${Math.round(milliseconds)} ms`;
    t.diagnostic(facts);
    assert.equal(requests.length, 6, requests.map(({ name }) => name).join(", "));
    assert.equal(roundTrips, 3, facts);
    assert.ok(bytes < 170_000, facts);
    assert.ok(milliseconds < 2000, facts);
    await view.close();
  });

  test("what it takes in a browser that is slowed down like that is told", async (t) => {
    const view = await openPage(browser, service, { url: "about:blank" });
    const { page } = view;
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: ROUND_TRIP_MS, downloadThroughput: BYTES_PER_MS * 1000, uploadThroughput: BYTES_PER_MS * 500 });
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.addInitScript(() => {
      const draw = CanvasRenderingContext2D.prototype.drawImage;
      CanvasRenderingContext2D.prototype.drawImage = function (...given) {
        if (this.canvas.id === "label") window.firstPicture ??= performance.now();
        return draw.apply(this, given);
      };
    });
    await page.goto(service.url);
    await rendered(page);
    t.diagnostic(`first picture after ${Math.round(await page.evaluate(() => window.firstPicture))} ms, here and now`);
    await view.close();
  });

  const VIEWS = {
    "a wide window": { viewport: { width: 1280, height: 800 } },
    "a window with two columns, dark": { viewport: { width: 768, height: 1024 }, colorScheme: "dark" },
    "a phone": { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 },
    "a rotated label as a printer prints it, and an API key": {
      storage: { zpl: "^XA^CI28^FO50,50^A0N,60,60^FDGrüße €^FS^XZ", name: "", settings: { widthMm: 80, heightMm: 50, dpmm: 12, rotation: 90, profile: "printer" } },
      key: "a key",
    },
  };
  for (const [name, { key, ...options }] of Object.entries(VIEWS)) {
    test(`${name}: the page takes it over where it is; it asks for nothing twice and is blank at no time`, async () => {
      const view = await openHeld({ ...options, ...(key ? { storageState: { cookies: [], origins: [{ origin: new URL(service.url).origin, localStorage: [{ name: "platen.label.apiKey", value: key }] }] } } : {}) });
      const { page, asked } = view;
      const first = await inkEdges(page);
      view.release();
      await rendered(page);
      assert.equal(renders(asked).filter((url) => url.includes("/json")).length, 1, renders(asked).join("\n"));
      assert.equal(asked.find((request) => request.url().includes("/api/render/json")).headers()["x-api-key"], key);
      const taken = await inkEdges(page);
      assert.ok(taken.every((edge, at) => Math.abs(edge - first[at]) <= 1), `ink was at ${first}, is at ${taken}`);
      const { pictures, unpictured } = await page.evaluate(() => window.paints);
      assert.ok(pictures > 1, "the page has not painted it");
      assert.equal(unpictured, 0, "the label was painted without its picture");
      assert.deepEqual(view.troubles.filter((trouble) => !trouble.startsWith("foreign request")), []);
      await view.close();
    });
  }
});
