// Answers of many labels, which are made and sent in steps: what arrives when, what it costs, and that it is the same as a whole one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { hostileLabels } from "../hostile/labels.mjs";
import { assertProblem } from "./lib/problem.js";
import { ask, BUILD, closes, get, HANG_MS, memoryTest, metrics, post, program, Raw, reaches, ROOT, sleep, start, until } from "./lib/server.js";

const SANITIZED = !BUILD.endsWith("build"); // which has another idea of memory, and is slow
const PLAIN = path.join(ROOT, "build/platen");
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "stream-"));
after(() => fs.rmSync(dir, { recursive: true }));

const statusMiB = (server, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]) / 1024;
const rss = (server) => statusMiB(server, "VmRSS");
const peak = (server) => statusMiB(server, "VmHWM");

const range = (n) => Array.from({ length: n }, (_, i) => i);
// Some 4 ms each when drawn smoothly, and 20 kB in a PDF: choosing a mask for a QR Code takes its time.
const heavyCode = (k, i) => `^FO50,150^BQN,2,5^FDQA,${"x".repeat(900)}${k}${i}^FS`;
const heavy = (i) => `^XA^FO50,50^A0N,60,60^FDHeavy ${i}^FS${range(8).map((k) => heavyCode(k, i)).join("")}^XZ`;
const HEAVY = "/api/render/pdf?quality=grayscale";
const light = (i) => `^XA^FO50,50^A0N,60,60^FDLabel ${i}^FS^FO50,150^BY3^BCN,120,Y,N,N^FD${10000000 + i}^FS^FO50,400^GB700,300,4^FS^XZ`;
// A picture of noise that no compression makes smaller: 160,000 bytes, once in the request.
const NOISE = `~DGR:N.GRF,160000,100,${crypto.randomBytes(160000).toString("hex").toUpperCase()}`;
const noisy = (i) => `^XA^FO0,${i}^XGR:N.GRF^FS^XZ`;
const TALL = "heightMm=220";
const plain = { "Content-Type": "text/plain" };
const render = (format, zpl, headers = "") => post(`/api/render/${format}`, zpl, `Content-Type: text/plain\r\n${headers}`);

async function fetched(server, where, zpl, headers = {}) {
  const response = await fetch(server.url + where, { method: "POST", body: zpl, headers: { ...plain, ...headers } });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

// A connection that has sent a request and reads nothing until it is told to.
async function silent(server, request) {
  const raw = await Raw.open(server.port);
  raw.socket.pause();
  raw.send(request);
  return raw;
}

// fetch may send on a connection in the moment in which the service closes it as idle, after a test that kept this process busy.
const serve = (...args) => start("platen", ["--log", "off", "--idle-timeout", "10m", "--drain-delay", "0", ...args]);

async function quit(server) {
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
}

// The labels of a file on the command line, which makes them whole.
function whole(format, zpl) {
  const input = path.join(dir, `${crypto.randomUUID()}.zpl`);
  fs.writeFileSync(input, zpl);
  execFileSync(fs.existsSync(PLAIN) ? PLAIN : program("platen"), ["render", input, "--format", format, "--output", `${input}.out`, "--quiet"]);
  const bytes = fs.readFileSync(`${input}.out`);
  // The command line ends JSON with a line feed and calls its PDFs "labels".
  if (format === "pdf") return Buffer.from(bytes.toString("latin1").replace("<FEFF006C", "<FEFF004C"), "latin1");
  return bytes.subarray(0, bytes.length - 1);
}

function checkPdf(bytes, pages) {
  const file = path.join(dir, `${crypto.randomUUID()}.pdf`);
  fs.writeFileSync(file, bytes);
  execFileSync("qpdf", ["--check", file]);
  assert.match(execFileSync("pdfinfo", [file]).toString(), new RegExp(`Pages: +${pages}\n`));
}

// The server waits for its clients: no step runs, and none follows.
async function waits(server) {
  const end = Date.now() + HANG_MS;
  for (let quiet = 0; quiet < 12; quiet++) {
    const now = await metrics(server);
    if (now.http_workers_busy > 0 || now.http_queue > 0) quiet = -1;
    assert.ok(Date.now() < end, "the server still works for clients that do not read");
    await sleep(25);
  }
}

// The server has nothing left of any request.
async function restful(server) {
  await reaches(server, { http_workers_busy: 0, http_queue: 0, http_memory_bytes: 0 });
}

describe("an answer of many labels is sent while it is made", () => {
  test("its first bytes arrive while later labels are not drawn", async () => {
    const server = await serve("--workers", "2", "--render-timeout", "15m");
    const zpl = NOISE + range(100).map(noisy).join(""); // some 20 MB, more than the kernel takes
    for (const format of ["json", "base64", "pdf"]) {
      const before = (await metrics(server)).labels_total;
      const raw = await silent(server, render(`${format}?${TALL}`, zpl));
      raw.socket.once("data", () => raw.socket.pause());
      raw.socket.resume();
      await raw.until(() => raw.data.includes("\r\n\r\n") && raw.data.length > 2000);
      await waits(server);
      assert.equal((await metrics(server)).labels_total, before, `${format}: the answer is not finished`);
      raw.socket.resume();
      const answer = await raw.response({ ms: 2 * HANG_MS });
      assert.equal(answer.whole, true);
      assert.equal(answer.headers["x-total-count"], "100");
      assert.equal((await metrics(server)).labels_total, before + 100);
      raw.destroy();
    }
    await quit(server);
  });

  memoryTest("245 MB of it for each of four clients that do not read take little memory", async () => {
    const server = await serve("--workers", "2", "--render-timeout", "15m");
    const zpl = `^XA^FO0,0^GFA,360000,360000,100,${crypto.randomBytes(360000).toString("hex").toUpperCase()}^FS^PQ500^XZ`;
    await fetched(server, "/api/render/png", light(1));
    const before = rss(server);
    const clients = await Promise.all(range(4).map(() => silent(server, render("json?heightMm=460", zpl))));
    await reaches(server, { http_connections: 5 + 1 }); // with that of fetch
    await waits(server);
    assert.ok(rss(server) - before < 100, `${rss(server) - before} MiB more for four silent clients`);
    const { http_memory_bytes: told } = await metrics(server);
    assert.ok(told > 4 * 1.2e6, `${told} bytes: request and the text of the label are counted`);
    // One that reads gets all of it, and it costs no more.
    const response = await fetch(`${server.url}/api/render/json?heightMm=460`, { method: "POST", body: zpl, headers: plain });
    assert.equal(response.headers.get("transfer-encoding"), "chunked");
    let bytes = 0;
    for await (const chunk of response.body) bytes += chunk.length;
    assert.ok(bytes > 240e6, `${bytes} bytes`);
    assert.ok(peak(server) - before < 100, `${peak(server) - before} MiB more at the most`);
    clients.forEach((raw) => raw.destroy());
    await restful(server);
    await quit(server);
  });

  test("a connection goes on after it", async () => {
    const server = await serve("--render-timeout", "15m");
    const raw = await Raw.open(server.port);
    const zpl = range(300).map(light).join("");
    raw.send(render("json", zpl) + render("png", light(1)) + render("pdf", zpl) + get("/api/health"));
    const json = await raw.response();
    assert.equal(json.headers["transfer-encoding"], "chunked");
    assert.equal(json.json().labels.length, 300);
    const png = await raw.response();
    assert.equal(png.body.subarray(1, 4).toString(), "PNG");
    assert.equal(png.headers["content-length"], String(png.body.length));
    assert.equal((await raw.response()).body.subarray(0, 5).toString(), "%PDF-");
    assert.equal((await raw.response()).json().ok, true);
    raw.destroy();
    await restful(server);
    await quit(server);
  });
});

describe("a small request overtakes the labels of a batch", () => {
  for (const workers of [1, 2]) {
    test(`with --workers ${workers}`, async () => {
      const server = await serve("--workers", String(workers), "--render-timeout", "15m");
      const count = SANITIZED ? 100 : 500;
      await fetched(server, "/api/render/png", light(0));
      let ended = false;
      const batch = fetched(server, HEAVY, range(count).map(heavy).join("")).then((answer) => {
        ended = true;
        return answer;
      });
      await reaches(server, { http_workers_busy: 1 });
      // One after another: each takes less than a tenth of the batch.
      for (let i = 0; i < 10; i++) {
        assert.equal((await fetched(server, "/api/render/png", light(i))).status, 200);
        assert.equal(ended, false, "the batch is still running");
      }
      assert.equal((await batch).status, 200);
      await quit(server);
    });
  }
});

describe("the streamed JSON, base64 and PDF equal the whole ones", () => {
  // Copies, findings of parsing and of drawing, labels that are large and small.
  const mixed = NOISE
    + range(SANITIZED ? 120 : 300).map((i) => {
      const copies = i % 7 === 0 ? `^PQ${(i % 3) + 1}` : "";
      const odd = i % 11 === 0 ? "^QQ^FO700,50^BY3^BCN,100^FD123456789^FS" : "";
      return `^XA${i % 50 === 3 ? "^FO9,9^XGR:N.GRF^FS" : ""}^FO50,50^A0N,60,60^FDLabel ${i}^FS^FO50,150^BQN,2,6^FDQA,${i}^FS${odd}${copies}^XZ`;
    }).join("");
  for (const workers of [1, 2]) {
    test(`all three, with --workers ${workers}`, async () => {
      const server = await serve("--workers", String(workers), "--render-timeout", "15m");
      for (const format of ["json", "base64", "pdf"]) {
        const answer = await fetched(server, `/api/render/${format}`, mixed);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get("transfer-encoding"), "chunked");
        const want = whole(format, mixed);
        assert.equal(answer.body.length, want.length, format);
        assert.ok(answer.body.equals(want), `${format}: the bytes differ`);
        if (format === "pdf") {
          checkPdf(answer.body, Number(answer.headers.get("x-total-count")));
        } else {
          const result = JSON.parse(answer.body);
          assert.equal(result.labels.length, Number(answer.headers.get("x-total-count")));
          assert.deepEqual(result.labels.map((label) => label.index), range(result.count));
          assert.equal(result.warningsLeftOut, undefined);
        }
      }
      // A small one has its length, as ever.
      for (const format of ["json", "base64", "pdf"]) {
        const zpl = range(20).map(light).join("");
        const answer = await fetched(server, `/api/render/${format}`, zpl);
        const want = whole(format, zpl);
        assert.ok(answer.body.equals(want), format);
        assert.equal(answer.headers.get("content-length"), String(want.length));
      }
      await restful(server);
      await quit(server);
    });
  }

  test("each page is the picture that its own request gives", async () => {
    const server = await serve("--render-timeout", "15m");
    const zpl = range(150).map((i) => light(i).replace("^XZ", `^PQ${(i % 2) + 1}^XZ`)).join("");
    const result = JSON.parse((await fetched(server, "/api/render/json", zpl)).body);
    assert.equal(result.count, 225);
    for (const page of [0, 1, 2, 100, 223, 224]) {
      const { body } = await fetched(server, `/api/render/png?page=${page}`, zpl);
      assert.ok(Buffer.from(result.labels[page].data, "base64").equals(body), `page ${page}`);
    }
    await quit(server);
  });

  test("at Labelary's address, too", async () => {
    const server = await serve("--render-timeout", "15m");
    const zpl = range(400).map((i) => `^XA${range(12).map((k) => `^FO50,${50 + 60 * k}^A0N,50,50^FDLabel ${i} field ${k}^FS`).join("")}^PQ${(i % 2) + 1}^XZ`).join("");
    const door = "/v1/printers/8dpmm/labels/4x6/";
    const wish = (type) => `Accept: ${type}\r\nX-Quality: bitonal\r\n`;
    const raw = await Raw.open(server.port);
    raw.send(post(door, zpl, wish("application/json")));
    const all = await raw.response();
    assert.equal(all.headers["transfer-encoding"], "chunked");
    assert.equal(all.headers["x-total-count"], "500"); // --max-labels
    const { labels } = all.json();
    assert.equal(labels.length, 500);
    for (const page of [0, 1, 2, 499]) {
      raw.send(post(`${door}${page}/`, zpl, wish("application/json")));
      const one = await raw.response();
      assert.equal(one.headers["content-length"], String(one.body.length));
      assert.deepEqual(one.json(), { labels: [labels[page]] });
    }
    raw.send(post(door, zpl, wish("application/pdf")));
    const pdf = await raw.response();
    assert.equal(pdf.headers["transfer-encoding"], "chunked");
    assert.equal(pdf.whole, true);
    checkPdf(pdf.body, 500);
    raw.send(post(`${door}499/`, zpl, wish("application/pdf")));
    checkPdf((await raw.response()).body, 1);
    raw.send(post(`${door}500/`, zpl, wish("application/pdf")));
    const none = await raw.response();
    assert.equal(none.status, 404);
    assert.equal(none.headers["content-type"], "text/plain; charset=utf-8");
    assert.match(none.text, /^ERROR: Requested 501st label but ZPL generated only 500 labels$/);
    raw.destroy();
    await quit(server);
  });
});

test("a reader that stops in the middle holds no worker", async () => {
  const zpl = NOISE + range(60).map(noisy).join("");
  const patient = await serve("--workers", "1", "--render-timeout", "10m");
  const began = performance.now();
  const want = crypto.createHash("sha256").update((await fetched(patient, `/api/render/json?${TALL}`, zpl)).body).digest("hex");
  // Three of these answers are under way at once.
  const timeout = Math.ceil(5000 + 12 * (performance.now() - began));
  await quit(patient);
  const server = await serve("--workers", "1", "--render-timeout", `${timeout}ms`, "--write-timeout", "10m");
  const readers = await Promise.all(range(3).map(() => silent(server, render(`json?${TALL}`, zpl))));
  await waits(server);
  // They do not wait for the ten minutes of the readers.
  for (let i = 0; i < 10; i++) assert.equal((await fetched(server, "/api/render/png", light(i))).status, 200);
  // The time in which they do not read is not the answer's.
  if (!SANITIZED) await sleep(timeout);
  assert.equal((await metrics(server)).http_workers_busy, 0);
  for (const raw of readers) {
    raw.socket.resume();
    const answer = await raw.response({ ms: 2 * HANG_MS });
    assert.equal(answer.whole, true, "the answer goes on where it stopped");
    assert.equal(crypto.createHash("sha256").update(answer.body).digest("hex"), want);
    raw.destroy();
  }
  await restful(server);
  await quit(server);
});

test("a client that leaves in the middle frees everything", async () => {
  const server = await serve("--workers", "2", "--render-timeout", "15m");
  const requests = [
    render(`json?${TALL}`, NOISE + range(100).map(noisy).join("")),
    render(`pdf?${TALL}`, NOISE + range(100).map(noisy).join("")),
    post(HEAVY, range(300).map(heavy).join(""), "Content-Type: text/plain\r\n"),
    post(`${HEAVY}&strict=true`, range(300).map(heavy).join(""), "Content-Type: text/plain\r\n"),
  ];
  const leave = async (request, ms) => {
    const raw = await silent(server, request);
    await sleep(ms);
    raw.destroy();
  };
  for (const request of requests) await leave(request, 300);
  await restful(server);
  const before = rss(server);
  for (let round = 0; round < 5; round++) {
    await Promise.all(requests.flatMap((request, i) => [leave(request, 7 * round + i), leave(request, 60 * round + 10 * i)]));
  }
  await restful(server);
  await reaches(server, { http_connections: 1 });
  if (!SANITIZED) assert.ok(rss(server) - before < 40, `${rss(server) - before} MiB more than after the first ones`);
  const zpl = range(300).map(light).join("");
  assert.ok((await fetched(server, "/api/render/pdf", zpl)).body.equals(whole("pdf", zpl)), "later requests are answered");
  await restful(server);
  await quit(server);
});

test("HTTP/1.0 gets a streamed answer that ends with the connection", async () => {
  const server = await serve("--render-timeout", "15m");
  const zpl = range(400).map(light).join("");
  for (const format of ["json", "pdf"]) {
    const raw = await Raw.open(server.port);
    raw.send(`POST /api/render/${format} HTTP/1.0\r\nConnection: keep-alive\r\nContent-Type: text/plain\r\nContent-Length: ${zpl.length}\r\n\r\n${zpl}`);
    assert.ok(await closes(raw));
    const end = raw.data.indexOf("\r\n\r\n");
    const head = raw.data.toString("latin1", 0, end + 2);
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(head, /\r\nConnection: close\r\n/);
    assert.doesNotMatch(head, /Transfer-Encoding|Content-Length/i);
    assert.ok(raw.data.subarray(end + 4).equals(whole(format, zpl)), format);
    raw.destroy();
  }
  await restful(server);
  await quit(server);
});

describe("strict", () => {
  let server;
  test("a finding in the last label refuses all of them, before anything is sent", async () => {
    server = await serve("--workers", "2", "--render-timeout", "15m");
    const zpl = range(300).map(light).join("");
    // The last one is found by parsing, or only by drawing.
    for (const odd of ["^XA^QQ^FO9,9^GB9,9,9^FS^XZ", "^XA^FO790,50^BY3^BCN,100^FD12345678^FS^XZ"]) {
      for (const format of ["json", "base64", "pdf"]) {
        const answer = await ask(server.port, render(`${format}?strict=true`, zpl + odd));
        assertProblem(answer, 400, "warnings");
        const { warnings } = answer.json();
        assert.ok(warnings.length >= 1);
        assert.ok(warnings.every((warning) => warning.label === 300));
        answer.raw.destroy();
      }
    }
  });
  test("without findings the answer is the same, streamed and whole, and so is a picture", async () => {
    for (const count of [1, 30, 64, 65, 400]) {
      const zpl = range(count).map(light).join("");
      for (const format of ["json", "pdf", ...(count < 100 ? ["png", "jpeg", "webp"] : [])]) {
        const loose = await fetched(server, `/api/render/${format}`, zpl);
        const strict = await fetched(server, `/api/render/${format}?strict=true`, zpl);
        assert.equal(strict.status, 200);
        assert.ok(strict.body.equals(loose.body), `${format} of ${count}`);
        assert.equal(strict.headers.get("content-length"), loose.headers.get("content-length"));
        assert.equal(strict.headers.get("x-warnings"), null);
      }
    }
  });
  test("findings of severity info refuse nothing and stand in the answer", async () => {
    for (const count of [3, 80]) {
      const zpl = range(count).map((i) => `^XA^FO50,50^A0N,60,60^FDlabel ${i}^FS^FO50,150^A0N,20,20^FN1^FS^FO50,250^GB700,9,9^FS^XZ`).join("");
      const strict = await fetched(server, "/api/render/json?strict=true", zpl);
      assert.equal(strict.status, 200);
      assert.deepEqual(JSON.parse(strict.body).warnings.map((w) => `${w.label} ${w.severity}`), range(count).map((i) => `${i} info`));
      assert.ok(strict.body.equals((await fetched(server, "/api/render/json", zpl)).body));
    }
  });
  test("labels larger than what is kept of them are drawn again", async () => {
    const zpl = NOISE + range(20).map(noisy).join("");
    const loose = await fetched(server, `/api/render/json?${TALL}`, zpl);
    const strict = await fetched(server, `/api/render/json?${TALL}&strict=true`, zpl);
    assert.ok(strict.body.equals(loose.body));
    const one = await fetched(server, `/api/render/png?${TALL}&strict=true`, NOISE + noisy(0));
    assert.ok(one.body.equals((await fetched(server, `/api/render/png?${TALL}`, NOISE + noisy(0))).body));
    await restful(server);
    await quit(server);
  });
});

describe("findings of a streamed answer", () => {
  test("the headers hold what is known at the start, the JSON all of them", async () => {
    const server = await serve("--render-timeout", "15m");
    // Label 1 and the last have each a finding of parsing and one of drawing.
    const odd = "^QQ^FO700,50^BY3^BCN,100^FD123456789^FS";
    const zpl = range(400).map((i) => (i === 1 || i === 399 ? light(i).replace("^XZ", `${odd}^XZ`) : light(i))).join("");
    const json = await fetched(server, "/api/render/json?rules=none", zpl);
    assert.equal(json.headers.get("transfer-encoding"), "chunked");
    const { warnings } = JSON.parse(json.body);
    const first = warnings.filter((w) => w.label === 1).length;
    assert.ok(first >= 2);
    assert.equal(warnings.filter((w) => w.label === 399).length, first);
    assert.equal(warnings.length, 2 * first);
    for (const format of ["json", "base64", "pdf"]) {
      const answer = await fetched(server, `/api/render/${format}?rules=none`, zpl);
      assert.equal(answer.headers.get("x-warning-count"), String(first + 1), `${format}: what parsing found in the last label, not what drawing finds`);
      assert.equal(answer.headers.get("x-warnings").split("|").length, 5 * (first + 1));
    }
    // Whole, the headers hold all of them.
    const small = light(0) + light(1).replace("^XZ", `${odd}^XZ`);
    assert.equal((await fetched(server, "/api/render/json?rules=none", small)).headers.get("x-warning-count"), String(first));
    await quit(server);
  });
  memoryTest("more than 8 MiB of them are counted, not kept", async () => {
    const server = await serve("--render-timeout", "15m");
    const codes = (i) => `^XA^BY1${range(200).map((k) => `^FO${20 + (k % 10) * 75},${10 + Math.floor(k / 10) * 60}^B2N,30,N^FD${(i + k) % 10}0^FS`).join("")}^XZ`;
    const zpl = range(250).map(codes).join("");
    const answer = await fetched(server, "/api/render/json?minModuleMm=9", zpl);
    assert.equal(answer.status, 200);
    const result = JSON.parse(answer.body);
    const each = result.labels.map((label) => label.warnings.length);
    assert.ok(each[0] >= 200);
    assert.ok(result.warningsLeftOut > 0);
    assert.equal(result.warnings.length + result.warningsLeftOut, each.reduce((sum, n) => sum + n, 0));
    const kept = JSON.stringify(result.warnings).length;
    assert.ok(kept <= 8 << 20 && kept > 7 << 20, `${kept} bytes`);
    assert.deepEqual(result.warnings.slice(0, each[0]), result.labels[0].warnings);
    // As few in all as the last label has: the answer refuses strictly with the same list.
    const strict = await fetched(server, "/api/render/pdf?minModuleMm=9&strict=true", zpl);
    assert.equal(strict.status, 400);
    const problem = JSON.parse(strict.body);
    assert.equal(problem.warnings.length + problem.warningsLeftOut, result.warnings.length + result.warningsLeftOut);
    await restful(server);
    await quit(server);
  });
});

describe("time and memory that run out", () => {
  test("before the start they are a status, after it the connection is cut", async () => {
    const server = await serve("--workers", "1", "--render-timeout", SANITIZED ? "15s" : "5s");
    const { zpl: slow } = hostileLabels.find(({ name }) => name === "zigzag-many"); // it never ends in time
    const early = await ask(server.port, post("/api/render/pdf?quality=grayscale&strict=true", slow, "Content-Type: text/plain\r\n"), { ms: 2 * HANG_MS });
    assertProblem(early, 503, "render_timeout");
    assert.ok(early.headers["retry-after"]);
    early.raw.destroy();
    // Labels that are large and fast make the start, a slow one the end.
    const raw = await Raw.open(server.port);
    raw.send(render(`json?quality=grayscale&${TALL}`, NOISE + range(3).map(noisy).join("") + slow));
    const late = await raw.response({ ms: 2 * HANG_MS });
    assert.equal(late.status, 200);
    assert.equal(late.whole, false, "nobody takes it for whole");
    assert.ok(late.body.length > 200000);
    assert.ok(await closes(raw));
    await reaches(server, { http_cut_total: 1 });
    assert.equal((await metrics(server)).labels_total, 0, "none of them counts as answered");
    await restful(server);
    await quit(server);
  });
  test("a budget that is used up is 503, and what is there is given back", async () => {
    const server = await serve("--max-body-memory", "3MiB");
    const zpl = NOISE + range(60).map(noisy).join("");
    const readers = await Promise.all(range(12).map(() => silent(server, render(`json?${TALL}`, zpl))));
    await waits(server);
    readers.forEach((raw) => raw.socket.resume());
    const statuses = [];
    for (const raw of readers) {
      const answer = await raw.response({ ms: 2 * HANG_MS });
      statuses.push(answer === null ? "none" : answer.status === 200 ? (answer.whole ? "whole" : "cut") : answer.status);
      raw.destroy();
    }
    assert.ok(statuses.some((status) => status === 503 || status === 413), statuses.join());
    assert.ok(statuses.includes("whole"), statuses.join());
    await restful(server);
    assert.equal((await fetched(server, "/api/render/pdf", light(1))).status, 200);
    await quit(server);
  });
  test("batches that find no memory to wait in for others are made without waiting", async () => {
    const server = await serve("--workers", "1", "--max-body-memory", "6MiB", "--render-timeout", "15m");
    // A graphic of 1 MB whose text is short, drawn on labels whose pictures are small.
    const zpl = `~DGR:B.GRF,1000000,100,!${":".repeat(9999)}${range(60).map((i) => `^XA^FO${i},20^XGR:B.GRF^FS^FO50,50^A0N,40^FD${i}^FS^XZ`).join("")}`;
    const want = whole("json", zpl);
    const answers = await Promise.all(range(24).map(() => fetched(server, "/api/render/json", zpl)));
    assert.deepEqual(answers.map((answer) => answer.status), range(24).map(() => 200));
    for (const { body } of answers) assert.ok(body.equals(want));
    assert.ok(want.length < 256 << 10);
    await restful(server);
    await quit(server);
  });
});

memoryTest("after a busy time memory goes back to the system, while probes go on", async () => {
  const server = await serve();
  await fetched(server, "/api/render/json", light(0));
  const before = rss(server);
  // Answers of every length up to 256 kB beside each other: freed, they leave holes between what is still in use.
  const labels = range(200).map((i) => NOISE + noisy(i).repeat(1 + (i % 3)));
  for (let round = 0; round < 2; round++) await Promise.all(labels.map((zpl) => fetched(server, `/api/render/json?${TALL}`, zpl)));
  const busy = peak(server);
  assert.ok(busy > before + 40, `${before} MiB before, ${busy} MiB at most`);
  await until(async () => {
    (await ask(server.port, get("/api/health"))).raw.destroy();
    return rss(server) < before + 8;
  }, `less than ${before + 8} MiB`);
  await quit(server);
});
