// For the browser tests of the label page: the real service, a real Chromium, and a watch on what must never happen.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { serving, watch } from "../api/lib/children.js";
import { freePort } from "../api/lib/free-port.js";
import { DEADLINE_MS, launch } from "./chromium.js";

export { launch } from "./chromium.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.PLATEN ?? `${root}build/platen`;

/** Who draws in these tests: the service, or with LABEL_DRAWING=browser the page's own renderer, as soon as it is there. */
const DRAWING = process.env.LABEL_DRAWING || "service";

/** The service on a port of its own; it can be stopped and started again on the same one. */
export class Service {
  constructor(port) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}/`;
  }

  static async start(...options) {
    // A port that was free a moment ago may be another program's now.
    for (let tries = 3; ; tries--) {
      const service = new Service(await freePort());
      try {
        await service.start(...options);
        return service;
      } catch (error) {
        if (tries === 0) throw error;
      }
    }
  }

  async start(...options) {
    this.options = options.length > 0 ? options : (this.options ?? []);
    this.process = spawn(program, ["serve", "--listen", `127.0.0.1:${this.port}`, "--log", "off", "--idle-timeout", "10m", ...this.options], { env: { ...process.env, PLATEN_DRAIN_DELAY: "0", PLATEN_RENDER_TIMEOUT: "15m" }, stdio: ["ignore", "ignore", "pipe"] });
    watch(this.process);
    let said = "";
    this.process.stderr.on("data", (data) => (said += data));
    await until("the service answers", async () => this.process.exitCode !== null || (await fetch(`${this.url}api/health`)).ok);
    if (this.process.exitCode !== null) throw new Error(`the service ended with ${this.process.exitCode}: ${said}`);
    serving(this.process);
  }

  async stop() {
    const exited = once(this.process, "exit");
    // The second signal does not wait for kept-alive connections.
    this.process.kill("SIGTERM");
    this.process.kill("SIGTERM");
    await exited;
  }
}

/** For the tests of a file: the service, a browser, and a folder for their files. Started before the first test and gone after the last. */
export let service, browser, folder;
export function serveTests(...options) {
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "platen-page-"));
    service = await Service.start(...options);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await rm(folder, { recursive: true });
  });
}

/** Until this browser draws by itself. A page without a label loads no renderer. */
async function drawnHere(page) {
  const state = () => page.evaluate(() => ({ time: document.getElementById("status-time").textContent, drawer: document.getElementById("status-drawer").dataset.drawer, isBlank: !document.getElementById("notice").hidden }));
  await until("this browser draws", async () => {
    const { time, drawer, isBlank } = await state();
    if (drawer === "browser" || isBlank) return true;
    if (/s$/.test(time)) await page.keyboard.press("Control+Enter");
    return false;
  });
}

/**
 * Opens the page in a fresh profile. Console errors, uncaught errors, breaches of the Content-Security-Policy and requests
 * to other hosts are collected; `clean()` says that there were none.
 */
export async function openPage(browser, service, { url = service.url, storage, init, drawing = DRAWING, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(DEADLINE_MS);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  if (storage) await page.addInitScript((kept) => localStorage.setItem("platen.label.work", JSON.stringify(kept)), storage);
  if (init) await page.addInitScript(init);
  // label-offline.test.js is about the page without a service: it leaves the choice to the page.
  if (drawing === "service") await page.addInitScript((who) => sessionStorage.setItem("platen.label.drawing", who), drawing);
  const troubles = [];
  page.on("console", (message) => {
    // Reading canvases back is what these tests do, not the page.
    if (message.text().startsWith("Canvas2D: Multiple readback")) return;
    if (message.type() === "error" || message.type() === "warning") troubles.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`uncaught: ${error.stack}`));
  page.on("request", (request) => {
    const target = new URL(request.url());
    if (target.protocol.startsWith("http") && target.host !== new URL(url).host) troubles.push(`foreign request: ${target}`);
    if (target.hash) troubles.push(`fragment sent: ${target}`);
  });
  await page.goto(url);
  await started(page);
  if (drawing === "browser") await drawnHere(page);
  return {
    page,
    context,
    troubles,
    clean: () => assert.deepEqual(troubles, []),
    close: () => closed(context),
  };
}

/** Closes it without errors of requests that a route of the test still holds. */
export async function closed(context) {
  for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
}

/** Seconds of processor time that the page's main thread has computed: what a page costs, however busy the machine is. */
export async function threadTime(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
}

export async function until(what, condition) {
  const end = Date.now() + DEADLINE_MS;
  let last;
  for (;;) {
    try {
      last = await condition();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) assert.fail(`${what}: not reached, last seen ${last instanceof Error ? last.message : JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Waits until a picture is shown that is up to date. */
export async function rendered(page) {
  await until("a rendered label", () =>
    page.evaluate(() => /ms|s$/.test(document.getElementById("status-time").textContent) && document.getElementById("notice").hidden),
  );
  await painted(page);
}

/** Waits until the page's scripts run: that of the first picture starts them, maybe after the window's load event. */
export async function started(page) {
  if (await page.$("#pane-settings:empty")) await page.locator("#pane-settings > *").first().waitFor({ state: "attached" });
}

/** From here on `rendered` waits for an answer that is yet to come. */
export function forgetAnswer(page) {
  return page.evaluate(() => (document.getElementById("status-time").textContent = "–"));
}

/** Waits until what the page was told to draw in its next frame is drawn. */
export function painted(page) {
  return page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));
}

/** What the browser keeps at this moment. */
export function storedWork(page) {
  return page.evaluate(() => JSON.parse(localStorage.getItem("platen.label.work") ?? "null"));
}

/**
 * What the browser would keep if the page were left now: the surest way to the editor's whole text, of which only the
 * visible part is in the document.
 */
export async function keptWork(page) {
  await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  return storedWork(page);
}

export async function replaceCode(page, text) {
  await page.locator("#editor .cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** The service's own answer for comparison. */
export async function ask(service, format, zpl, query = {}) {
  const url = new URL(`api/render/${format}`, service.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": "text/plain" }, body: zpl });
  return Buffer.from(await response.arrayBuffer());
}

/** Share of dark dots in a region of the label canvas, in CSS pixels. */
export function darkness(page) {
  return page.evaluate(() => {
    const canvas = document.getElementById("label");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] < 80) dark++;
    return dark;
  });
}

export const TWO_LABELS = `^XA
^CI28
^FO50,50^A0N,60,60^FDGrüße €^FS
^FO50,150^BY3^BCN,120,Y,N,N,A^FDPLATEN1^FS
^XZ
^XA
^FO50,50^A0N,60,60^FDSecond^FS
^FO50,150^BQN,2,6^FDMA,second label^FS
^FO50,400^GB300,100,4^FS
^XZ
`;
