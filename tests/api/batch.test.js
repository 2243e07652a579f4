// POST /api/batch on real sockets: every way in and out, streams in both directions, bounded memory, clients that are slow or leave.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import zlib from "node:zlib";
import { BUILD, closes, memoryTest, metrics, post, Raw, sleep, start, until } from "./lib/server.js";

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "batch-"));
after(() => fs.rmSync(dir, { recursive: true }));
const serve = (...args) => start("platen", ["--log", "off", "--idle-timeout", "10m", "--drain-delay", "0", ...args]);
const rss = (server) => Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]) / 1024;

const NDJSON = "application/x-ndjson";
const label = (i) => `^XA^FO20,20^A0N,30,30^FDLabel ${i}^FS^FO20,60^BCN,60,Y^FD${String(i).padStart(8, "0")}^FS^XZ`;
const line = (i, more = {}) => JSON.stringify({ id: `l${i}`, zpl: label(i), widthMm: 50, heightMm: 25, ...more }) + "\n";
const lines = (n, more) => Array.from({ length: n }, (_, i) => line(i, more)).join("");
// Without the lines of progress: how many there are is a matter of time.
const parsed = (text) => text.trim().split("\n").map((l) => JSON.parse(l)).filter((l) => !l.progress);

async function batch(server, body, type = NDJSON, query = "", headers = {}) {
  const response = await fetch(`${server.url}/api/batch${query}`, { method: "POST", body, headers: { "Content-Type": type, ...headers } });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

async function picture(server, zpl, format = "png") {
  const response = await fetch(`${server.url}/api/render/${format}?widthMm=50&heightMm=25`, { method: "POST", body: zpl, headers: { "Content-Type": "text/plain" } });
  return Buffer.from(await response.arrayBuffer());
}

// A request whose body and answer are streams.
function stream(server, query = "", type = NDJSON) {
  const request = http.request(`${server.url}/api/batch${query}`, { method: "POST", headers: { "Content-Type": type, "Transfer-Encoding": "chunked" }, agent: false });
  const answer = new Promise((resolve, reject) => { request.on("response", resolve); request.on("error", reject); });
  answer.catch(() => {});
  return { request, answer };
}

// The files of a ZIP whose entries are stored, by its directory at the end.
function unzip(zip) {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const files = {};
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const [size, nameLen, extra, local] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt32LE(at + 42)];
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files[zip.subarray(at + 46, at + 46 + nameLen).toString()] = zip.subarray(data, data + size);
    at += 46 + nameLen + extra;
  }
  return files;
}

// A ZIP as a program that cannot seek writes it: deflated, sizes behind the files.
function streamedZip(files) {
  const parts = [];
  for (const [name, text] of Object.entries(files)) {
    const packed = zlib.deflateRawSync(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0); head.writeUInt16LE(20, 4); head.writeUInt16LE(8, 6); head.writeUInt16LE(8, 8);
    head.writeUInt16LE(name.length, 26);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(0x08074b50, 0); tail.writeUInt32LE(crc32(Buffer.from(text)), 4); tail.writeUInt32LE(packed.length, 8); tail.writeUInt32LE(text.length, 12);
    parts.push(head, Buffer.from(name), packed, tail);
  }
  return Buffer.concat([...parts, Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18)]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe("the ways in and out", () => {
  test("NDJSON to NDJSON: a line for each label, with the bytes of /api/render, and a summary", async () => {
    const server = await serve();
    const answer = await batch(server, lines(30));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), NDJSON);
    const all = parsed(answer.body.toString());
    assert.equal(all.length, 31);
    for (const i of [0, 7, 29]) {
      assert.equal(all[i].id, `l${i}`);
      assert.deepEqual(Buffer.from(all[i].data, "base64"), await picture(server, label(i)));
    }
    assert.deepEqual({ ...all[30].summary, bytes: 0, seconds: 0 }, { documents: 30, failed: 0, labels: 30, pages: 30, bytes: 0, seconds: 0 });
    await server.stop();
  });

  test("multipart files to a ZIP: named after the files, the same bytes twice", async () => {
    const server = await serve();
    const form = () => {
      const data = new FormData();
      data.set("widthMm", "50");
      data.set("heightMm", "25");
      for (const i of [1, 2, 3]) data.append("file", new Blob([label(i)]), `box/n${i}.zpl`);
      data.append("file", new Blob([label(4) + label(5).replace("^XZ", "^PQ3^XZ")]), "two.zpl");
      return data;
    };
    const get = async () => Buffer.from(await (await fetch(`${server.url}/api/batch?answer=zip`, { method: "POST", body: form() })).arrayBuffer());
    const zip = await get(), files = unzip(zip);
    assert.deepEqual(Object.keys(files), ["n1.png", "n2.png", "n3.png", "two+1.png", "two+2.png", "summary.json"]);
    assert.deepEqual(files["n2.png"], await picture(server, label(2)));
    assert.equal(JSON.parse(files["summary.json"]).summary.pages, 7);
    const again = unzip(await get());
    assert.deepEqual(again["two+2.png"], files["two+2.png"]);
    await server.stop();
  });

  test("a ZIP whose files tell their sizes behind them, to one PDF", async () => {
    const server = await serve();
    const zip = streamedZip({ "a.zpl": label(1), "folder/": "", "folder/b.zpl": label(2) + label(3).replace("^XZ", "^PQ2^XZ") });
    const answer = await batch(server, zip, "application/zip", "?answer=pdf&widthMm=50&heightMm=25");
    assert.equal(answer.headers.get("content-type"), "application/pdf");
    const file = path.join(dir, "zip.pdf");
    fs.writeFileSync(file, answer.body);
    assert.match(execFileSync("pdfinfo", [file]).toString(), /Pages:\s+4/);
    await server.stop();
  });

  test("multipart/mixed out: each label a part with its document's id", async () => {
    const server = await serve();
    const answer = await batch(server, lines(2) + "{}\n", NDJSON, "", { Accept: "multipart/mixed" });
    const boundary = /boundary=(\S+)/.exec(answer.headers.get("content-type"))[1];
    const parts = answer.body.toString("latin1").split(`--${boundary}`);
    assert.equal(parts.length, 6); // two labels, a problem, the summary, and what is before and behind
    assert.match(parts[1], /X-Document-Id: l0\r\n/);
    const data = Buffer.from(parts[1].slice(parts[1].indexOf("\r\n\r\n") + 4, -2), "latin1");
    assert.deepEqual(data, await picture(server, label(0)));
    assert.match(parts[3], /"code":"missing_zpl"/);
    assert.match(parts[5], /^--/);
    await server.stop();
  });

  test("the boundary of multipart/mixed is random: it tells neither an address nor the clock", async () => {
    const server = await serve();
    let ones = 0n, zeros = 0n;
    for (let i = 0; i < 40; i++) {
      const answer = await batch(server, lines(1), NDJSON, "?answer=multipart");
      const bits = BigInt(`0x${/boundary=platen-([0-9a-f]{32})$/.exec(answer.headers.get("content-type"))[1]}`);
      ones |= bits;
      zeros |= ~bits & ((1n << 128n) - 1n);
    }
    // Every bit was both; by chance that fails once in 2^32 runs.
    assert.equal(ones & zeros, (1n << 128n) - 1n);
    await server.stop();
  });

  test("a format in the query that no document can have failed each of them: the request is refused", async () => {
    const server = await serve();
    for (const format of ["pdf", "base64"]) {
      const answer = await batch(server, lines(2), NDJSON, `?format=${format}`);
      assert.equal(answer.status, 400);
      assert.equal(JSON.parse(answer.body).code, "unknown_format");
    }
    assert.equal((await batch(server, lines(2), NDJSON, "?format=pdf&answer=pdf")).status, 200);
    await server.stop();
  });

  test("controls: the query wins over the line; page, strict and json as in /api/render", async () => {
    const server = await serve();
    const body = line(1, { dpmm: 12 }) + line(2, { zpl: label(2) + label(3), page: 1 }) + line(3, { strict: true, zpl: label(3) + "^XA^FO20,20^BCN,50^FD1^FS^QZ^XZ" }) +
      line(4, { format: "json" }) + line(5, { zpl: label(2), page: 1 }) + line(6, { widthMm: "wide" }) + line(7, { format: "pdf" }) + line(8, { colour: 1 });
    const all = parsed((await batch(server, body, NDJSON, "?dpmm=8&speed=1")).body.toString());
    assert.deepEqual(Buffer.from(all[0].data, "base64"), await picture(server, label(1)));
    assert.equal(all[1].index, 1);
    assert.deepEqual(Buffer.from(all[1].data, "base64"), await picture(server, label(3)));
    assert.equal(all[2].code, "warnings");
    assert.equal(all[3].label.elements[1].symbology, "code128");
    assert.deepEqual(all.slice(4, 7).map((l) => l.code), ["page_out_of_range", "invalid_parameter", "unknown_format"]);
    assert.deepEqual(all[7].unknown, ["colour"]);
    // Strict: findings of no label, of labels that are not drawn, and names that are no controls.
    const strict = parsed((await batch(server, ["junk ^QQ1\n" + label(1), "^XA^QQ^FO9,9^GB9,9^FS^XZ" + label(2), label(3)].map((zpl, i) => line(i, { strict: true, zpl, ...(i === 1 && { page: 1 }), ...(i === 2 && { colour: 1 }) })).join(""))).body.toString());
    assert.deepEqual(strict.slice(0, 3).map((l) => l.code), ["warnings", "warnings", "warnings"]);
    assert.deepEqual(all[8].summary.unknown, ["speed"]);
    await server.stop();
  });

  test("what cannot be drawn is a line of its own, and the rest goes on", async () => {
    const server = await serve();
    const all = parsed((await batch(server, `{"id":"a","zpl":"x"}\nnot json\n\n${line(1)}${line(1)}{"zpl":""}\n{"id":"\\u0001"}\n${line(2)}`)).body.toString());
    assert.deepEqual(all.slice(0, -1).map((l) => l.code ?? l.id), ["no_labels", "invalid_json", "l1", "duplicate_id", "missing_zpl", "invalid_parameter", "l2"]);
    assert.equal(all[1].id, "2");
    assert.equal(all.at(-1).summary.failed, 5);
    await server.stop();
  });

  test("in a ZIP the errors are a file; a PDF stops at the first, or skips it where that is asked for", async () => {
    const server = await serve();
    const body = line(1) + "{}\n" + line(2);
    const files = unzip((await batch(server, body, NDJSON, "?answer=zip")).body);
    assert.deepEqual(Object.keys(files), ["l1.png", "l2.png", "errors.ndjson", "summary.json"]);
    assert.equal(JSON.parse(files["errors.ndjson"]).code, "missing_zpl");
    await assert.rejects(batch(server, body, NDJSON, "?answer=pdf"));
    assert.equal((await batch(server, "{}\n" + body, NDJSON, "?answer=pdf")).status, 400);
    assert.equal((await batch(server, body, NDJSON, "?answer=pdf&errors=skip")).body.subarray(0, 5).toString(), "%PDF-");
    await server.stop();
  });

  test("a PDF that needs more than the client's share of memory is cut off; a ZIP of the same labels is whole", async () => {
    const server = await serve("--max-client-memory", "4MiB");
    await assert.rejects(batch(server, lines(5000), NDJSON, "?answer=pdf"));
    assert.equal(Object.keys(unzip((await batch(server, lines(5000), NDJSON, "?answer=zip")).body)).length, 5001);
    await server.stop();
  });

  test("errors=stop: the answer names the document that ended it and is whole; a PDF is cut off, and the log names it", async () => {
    const server = await start("platen", ["--idle-timeout", "10m", "--drain-delay", "0"]);
    const body = line(1) + "{}\n" + line(2) + lines(50);
    const all = parsed((await batch(server, body, NDJSON, "?errors=stop")).body.toString());
    assert.deepEqual(all.slice(0, -1).map((l) => l.code ?? l.id), ["l1", "missing_zpl"]);
    assert.deepEqual([all[1].id, all.at(-1).summary.documents, all.at(-1).summary.failed], ["2", 2, 1]);
    const files = unzip((await batch(server, body, NDJSON, "?errors=stop&answer=zip")).body);
    assert.deepEqual(Object.keys(files), ["l1.png", "errors.ndjson", "summary.json"]);
    assert.equal(JSON.parse(files["errors.ndjson"]).id, "2");
    const parts = (await batch(server, body, NDJSON, "?errors=stop&answer=multipart")).body.toString("latin1");
    assert.match(parts, /missing_zpl[^]*"failed":1[^]*--\r\n$/);
    // What cannot be read ends it, too.
    assert.match((await batch(server, line(1) + "x".repeat(9 << 20), NDJSON, "?errors=stop")).body.toString(), /document_too_large.*\n\{"summary":.*\n$/);
    await assert.rejects(batch(server, body, NDJSON, "?answer=pdf"));
    const log = await until(() => server.logs.find((l) => l.failedDocument));
    assert.deepEqual([log.status, log.code, log.failedDocument], [400, "missing_zpl", 2]);
    // Cut off for lack of memory, it has the status that it has before the first byte.
    const small = await start("platen", ["--drain-delay", "0", "--max-client-memory", "1MiB"]);
    const refused = await batch(small, lines(3000, { zpl: "^XA^FO9,9^GB9,9,9^FS^XZ" }), NDJSON, "?answer=pdf").catch(() => null);
    assert.ok(refused === null || refused.status === 503);
    const short = await until(() => small.logs.find((l) => l.path === "/api/batch"));
    assert.deepEqual([short.status, short.code, short.failedDocument], [503, "overloaded", undefined]);
    await small.stop();
    const counted = await (await fetch(`${server.url}/metrics`)).text();
    assert.match(counted, /http_requests_total\{route="\/api\/batch",method="POST",status="400"\} 1\n/);
    assert.doesNotMatch(counted, /route="\/api\/batch",[^\n]*status="500"/);
    await server.stop();
  });

  test("sheets: the controls of PDF pages hold for the one PDF; a label of another size begins a page; what does not fit is told", async () => {
    const server = await serve();
    const pages = (pdf) => {
      fs.writeFileSync(path.join(dir, "sheet.pdf"), pdf);
      return execFileSync("pdfinfo", ["-f", "1", "-l", "99", path.join(dir, "sheet.pdf")]).toString().match(/size:\s+[\d.]+ x [\d.]+/g).map((s) => s.match(/[\d.]+/g).map(Math.round).join("x"));
    };
    const sheet = "?answer=pdf&pageSize=A4&pageLayout=3x5";
    const a4 = "595x842";
    const whole = await batch(server, lines(20), NDJSON, sheet);
    assert.deepEqual(pages(whole.body), [a4, a4]);
    // The same file as one document of these labels gives.
    const one = await fetch(`${server.url}/api/render/pdf?widthMm=50&heightMm=25&pageSize=A4&pageLayout=3x5`, { method: "POST", body: Array.from({ length: 20 }, (_, i) => label(i)).join(""), headers: { "Content-Type": "text/plain" } });
    assert.deepEqual(whole.body, Buffer.from(await one.arrayBuffer()));
    assert.deepEqual(pages((await batch(server, lines(20), NDJSON, `${sheet}&pageStart=12`)).body), [a4, a4, a4]);
    // Other sizes in between: a page each, and the first page alone has used positions.
    const mixed = line(0) + line(1) + line(2, { widthMm: 100, heightMm: 100 }) + line(3, { widthMm: 100, heightMm: 100 }) + line(4);
    assert.deepEqual(pages((await batch(server, mixed, NDJSON, "?answer=pdf&pageSize=A4&pageStart=20")).body), [a4, a4, a4]);
    assert.deepEqual(pages((await batch(server, line(0) + line(1, { widthMm: 100 }), NDJSON, "?answer=pdf&pageLayout=2x1")).body), ["283x71", "567x71"]);
    assert.match((await batch(server, lines(2), NDJSON, "?answer=pdf&pdfa=true")).body.toString("latin1"), /pdfaid/);
    const large = await batch(server, line(0, { widthMm: 300 }), NDJSON, sheet);
    assert.equal(large.status, 400);
    assert.match(large.body.toString(), /Document 'l0': 3 x 5 labels of 300\.0 x 25\.0 mm need .* fit=shrink/);
    assert.deepEqual(pages((await batch(server, line(0, { widthMm: 300 }) + line(1), NDJSON, `${sheet}&errors=skip`)).body), [a4]);
    assert.deepEqual(pages((await batch(server, line(0, { widthMm: 300 }), NDJSON, `${sheet}&fit=shrink`)).body), [a4]);
    assert.match((await batch(server, lines(1), NDJSON, `${sheet}&pageStart=16`)).body.toString(), /cannot be at position 16/);
    // Where they cannot count they are refused, not ignored.
    for (const answer of ["zip", "ndjson", "multipart"]) {
      const refused = await batch(server, lines(1), NDJSON, `?answer=${answer}&pageSize=A4`);
      assert.deepEqual([refused.status, JSON.parse(refused.body).code], [400, "conflicting_parameter"]);
      assert.match(refused.body.toString(), /'pageSize' is of a PDF's pages: it needs 'answer=pdf'/);
    }
    assert.match((await batch(server, line(0, { cutMarks: true }), NDJSON, "?answer=pdf")).body.toString(), /'cutMarks' is of the PDF that holds all documents: give it in the query/);
    assert.match((await batch(server, line(0, { cutMarks: true }), NDJSON)).body.toString(), /"ok":false,"status":400,.*'cutMarks'/);
    await server.stop();
  });

  test("ids that look alike as names have files of their own; a document named summary does not replace the summary", async () => {
    const server = await serve();
    const ids = ["a/b", "a:b", "a_b", "a-1", "a", "../up", "summary"];
    const body = ids.map((id) => JSON.stringify({ id, zpl: id === "a" ? label(1) + label(2) : label(1) })).join("\n");
    const { body: zip } = await batch(server, body, NDJSON, "?answer=zip&format=json");
    const names = Object.keys(unzip(zip));
    assert.deepEqual(names, ["a%2Fb.json", "a%3Ab.json", "a_b.json", "a-1.json", "a+1.json", "a+2.json", "%2E.%2Fup.json", "%73ummary.json", "summary.json"]);
    await server.stop();
  });

  test("a mark before the first line is no text; hidden files of a ZIP are no documents; a ZIP that was cut is not whole", async () => {
    const server = await serve();
    assert.equal(parsed((await batch(server, "\ufeff" + lines(2))).body.toString()).at(-1).summary.failed, 0);
    const zip = streamedZip({ "a.zpl": label(1), "__MACOSX/._a.zpl": "x", ".DS_Store": "x", "b.zpl": label(2) });
    const whole = parsed((await batch(server, zip, "application/zip")).body.toString()).at(-1).summary;
    assert.deepEqual([whole.documents, whole.failed], [2, 0]);
    const cut = parsed((await batch(server, zip.subarray(0, zip.length - 22), "application/zip")).body.toString());
    assert.equal(cut.at(-2).code, "invalid_zip");
    await server.stop();
  });

  test("names of an old ZIP program: documents that differ have ids that differ, and the answer's names are UTF-8", async () => {
    const server = await serve();
    const old = (name, text) => {
      const head = Buffer.alloc(30), data = Buffer.from(text);
      head.writeUInt32LE(0x04034b50, 0); head.writeUInt32LE(crc32(data), 14); head.writeUInt32LE(data.length, 18); head.writeUInt32LE(data.length, 22); head.writeUInt16LE(name.length, 26);
      return Buffer.concat([head, Buffer.from(name, "latin1"), data]);
    };
    // Code page 437, a name that is UTF-8 without saying so, and one that is cut within its last character.
    const zip = Buffer.concat([old("M\x81ller.zpl", label(1)), old("M\x84ller.zpl", label(2)), old("\xc3\xbc.zpl", label(3)), old("%".repeat(60) + "\xc3\xbc".repeat(40) + ".zpl", label(4)), Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18)]);
    assert.deepEqual(parsed((await batch(server, zip, "application/zip")).body.toString()).slice(0, 3).map((l) => l.id), ["Müller", "Mäller", "ü"]);
    const names = Object.keys(unzip((await batch(server, zip, "application/zip", "?answer=zip")).body));
    assert.deepEqual(names.slice(0, 3), ["Müller.png", "Mäller.png", "ü.png"]);
    assert.ok(names.every((name) => !name.includes("\ufffd")), names.join());
    await server.stop();
  });

  memoryTest("each copy of a label counts in the memory of a PDF", async () => {
    const server = await serve("--max-body-memory", "32MiB");
    const copies = (n) => Array.from({ length: n }, (_, i) => line(i, { zpl: `^XA^FO20,20^GB9,9^FS^PQ500^XZ` })).join("");
    assert.equal((await batch(server, copies(10), NDJSON, "?answer=pdf")).body.subarray(-6).toString(), "%%EOF\n");
    // 500,000 pages: the connection is cut, or refused where none of it was sent yet.
    const large = await batch(server, copies(1000), NDJSON, "?answer=pdf").catch(() => null);
    assert.ok(large === null || large.status === 503, large?.body.toString("latin1", 0, 200));
    assert.ok(rss(server) < 70, `${rss(server)} MB`);
    await server.stop();
  });

  test("a body that is not what its type says is refused with the reason", async () => {
    const server = await serve();
    for (const [body, type, query, status, code] of [
      ["x", "text/plain", "", 415, "unsupported_media_type"], ["x", "application/zip", "", 400, "invalid_zip"],
      ["x", "multipart/form-data", "", 400, "invalid_multipart"], ["x", "multipart/form-data; boundary=b", "", 400, "invalid_multipart"],
      ["\n\n", NDJSON, "", 400, "no_documents"], [line(1), NDJSON, "?answer=tar", 400, "invalid_parameter"],
      [line(1), NDJSON, "?dpmm=0", 400, "invalid_parameter"], ["{}\n", NDJSON, "?answer=pdf&errors=skip", 400, "no_labels"],
    ]) {
      const answer = await batch(server, body, type, query);
      assert.deepEqual([answer.status, JSON.parse(answer.body).code], [status, code], `${type} ${body.slice(0, 20)} ${query}`);
    }
    const gzip = await batch(server, zlib.gzipSync(lines(3)), NDJSON, "", { "Content-Encoding": "gzip" });
    assert.equal(parsed(gzip.body.toString()).length, 4);
    await server.stop();
  });

  test("too many labels for one request: the error names /api/batch, which takes them", async () => {
    const server = await serve("--max-labels", "3");
    const four = [1, 2, 3, 4].map(label).join("");
    const answer = await (await fetch(`${server.url}/api/render`, { method: "POST", body: four, headers: { "Content-Type": "text/plain" } })).json();
    assert.equal(answer.code, "limit_exceeded");
    assert.match(answer.error, /\/api\/batch/);
    assert.equal(parsed((await batch(server, lines(10))).body.toString()).length, 11);
    await server.stop();
  });
});

describe("streams", () => {
  test("a document is answered before the next one is sent", async () => {
    const server = await serve();
    const { request, answer } = stream(server);
    request.write(line(0));
    const response = await answer;
    const heard = [];
    let text = "";
    response.on("data", (data) => { text += data; });
    for (let i = 0; i < 5; i++) {
      await until(() => text.split("\n").length - 1 > i);
      heard.push(JSON.parse(text.split("\n")[i]).id);
      if (i < 4) request.write(line(i + 1));
    }
    assert.deepEqual(heard, ["l0", "l1", "l2", "l3", "l4"]);
    request.end();
    await new Promise((resolve) => response.on("end", resolve));
    assert.equal(parsed(text).at(-1).summary.documents, 5);
    await server.stop();
  });

  test("a document of many labels among small ones, in order", async () => {
    const server = await serve();
    const big = Array.from({ length: 300 }, (_, i) => label(1000 + i)).join("");
    const all = parsed((await batch(server, line(0) + line(1, { zpl: big }) + line(2))).body.toString());
    assert.equal(all.length, 303);
    assert.deepEqual(all.slice(1, 301).map((l) => l.index), Array.from({ length: 300 }, (_, i) => i));
    assert.deepEqual(Buffer.from(all[257].data, "base64"), await picture(server, label(1256)));
    assert.equal(all[301].id, "l2");
    await server.stop();
  });

  test("two documents of several labels, the second with fewer than the first: the service lives on", async () => {
    const server = await serve();
    const many = (from, n) => Array.from({ length: n }, (_, i) => label(from + i)).join("");
    const all = parsed((await batch(server, line(0, { zpl: many(0, 60) }) + line(1, { zpl: many(100, 5) }) + line(2, { zpl: many(200, 2), strict: true }) + line(3, { zpl: many(300, 40), strict: true }) + line(4, { zpl: many(400, 3) }))).body.toString());
    assert.equal(all.length, 111);
    assert.deepEqual([all[64].id, all[64].index], ["l1", 4]);
    assert.deepEqual(Buffer.from(all[64].data, "base64"), await picture(server, label(104)));
    assert.deepEqual(Buffer.from(all[66].data, "base64"), await picture(server, label(201)));
    assert.deepEqual(Buffer.from(all[106].data, "base64"), await picture(server, label(339)));
    assert.deepEqual(Buffer.from(all[109].data, "base64"), await picture(server, label(402)));
    await server.stop();
  });

  // Labels that take long and give few bytes.
  const slow = (i) => `^XA^FO20,20^A0N,900,900^FD${i}^FS^XZ`;
  const slowLine = (i, n, more = {}) => line(i, { zpl: Array.from({ length: n }, (_, k) => slow(k)).join(""), widthMm: 300, heightMm: 300, quality: "grayscale", ...more });

  test("--render-timeout is the time of a document, not of each of its labels; strict does not change that", async () => {
    const server = await serve("--render-timeout", "2s", "--max-body", "1MiB", "--max-labels", "5000");
    const all = parsed((await batch(server, slowLine(0, 3000) + slowLine(1, 3000, { strict: true }) + line(2))).body.toString());
    const of = (id) => all.filter((l) => l.id === id);
    assert.equal(of("l0").at(-1).code, "render_timeout");
    assert.ok(of("l0").length < 3000);
    assert.deepEqual(of("l1").map((l) => l.code), ["render_timeout"]);
    assert.deepEqual(of("l2").map((l) => l.ok), [true]);
    await server.stop();
  });

  test("a strict check of many labels gives way to other requests", async () => {
    const server = await serve("--workers", "1", "--render-timeout", "10m");
    let ended = false;
    const check = batch(server, slowLine(0, 100, { strict: true, zpl: Array.from({ length: 100 }, (_, k) => slow(k)).join("") + "^XA^QQ^FO9,9^GB9,9^FS^XZ" })).then((answer) => { ended = true; return answer; });
    await until(async () => (await metrics(server)).http_workers_busy >= 1 || ended);
    await picture(server, label(1));
    assert.equal(ended, false);
    assert.equal(parsed((await check).body.toString())[0].code, "warnings");
    await server.stop();
  });

  memoryTest("memory is bounded whatever the size, in and out", async () => {
    const server = await serve();
    const { request, answer } = stream(server);
    const sending = (async () => {
      for (let i = 0; i < 60000; i += 200) {
        const text = Array.from({ length: 200 }, (_, k) => line(i + k)).join("");
        if (!request.write(text)) await new Promise((resolve) => request.once("drain", resolve));
      }
      request.end();
    })();
    let count = 0, tail = "";
    for await (const data of await answer) {
      count += data.toString("latin1").split("\n").length - 1;
      tail = (tail + data.toString("latin1")).slice(-2000);
    }
    await sending;
    assert.match(tail, /"summary":\{"documents":60000,"failed":0,"labels":60000/);
    assert.ok(count >= 60001);
    assert.ok(rss(server) < 40, `${rss(server)} MiB`);
    await server.stop();
  });

  test("a client that sends everything before it reads gets its answer", async () => {
    const server = await serve();
    const body = lines(12000); // 1.5 MB in, 10 MB out
    const raw = await Raw.open(server.port);
    raw.socket.pause();
    raw.send(post("/api/batch", body, `Content-Type: ${NDJSON}\r\nConnection: close\r\n`));
    await sleep(1000);
    raw.socket.resume();
    await closes(raw);
    assert.match(raw.data.toString("latin1"), /"summary":\{"documents":12000,"failed":0/);
    await server.stop();
  });

  test("a client that reads nothing is cut off, and one that leaves ends its work", async () => {
    const server = await serve("--write-timeout", "1s", "--min-rate", "1000000");
    const raw = await Raw.open(server.port);
    raw.socket.pause();
    raw.send(`POST /api/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${NDJSON}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    for (let i = 0; i < 100; i++) {
      const text = Array.from({ length: 300 }, (_, k) => line(300 * i + k)).join("");
      raw.send(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    }
    await until(async () => (await metrics(server)).http_timeouts_total >= 1);
    const { request, answer } = stream(server);
    request.on("error", () => {});
    request.write(lines(100));
    await answer;
    request.destroy();
    await until(async () => (await metrics(server)).http_connections <= 2);
    assert.equal((await fetch(`${server.url}/api/health`)).status, 200);
    raw.destroy();
    await server.stop();
  });

  test("a body that ends in the middle leaves the answer without its end", async () => {
    const server = await serve();
    const raw = await Raw.open(server.port);
    raw.send(`POST /api/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${NDJSON}\r\nContent-Length: 100000\r\n\r\n${line(0)}`);
    await until(() => raw.data.toString("latin1").includes('"id":"l0"'));
    raw.socket.end();
    await closes(raw);
    assert.ok(!raw.data.toString("latin1").includes("summary"));
    assert.ok(!raw.data.toString("latin1").endsWith("0\r\n\r\n"));
    await server.stop();
  });

  test("a client that stops sending is cut off at --body-timeout; a malformed chunk cuts at once", async () => {
    const server = await serve("--body-timeout", "500ms");
    const head = `POST /api/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${NDJSON}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const one = `${Buffer.byteLength(line(0)).toString(16)}\r\n${line(0)}\r\n`;
    const slow = await Raw.open(server.port);
    slow.send(head + one);
    await closes(slow);
    assert.match(slow.data.toString("latin1"), /"id":"l0"/);
    assert.ok(!slow.data.toString("latin1").endsWith("0\r\n\r\n"));
    const bad = await Raw.open(server.port);
    bad.send(head + one);
    await until(() => bad.data.toString("latin1").includes('"id":"l0"'));
    bad.send("xyz\r\n");
    await closes(bad);
    assert.ok(!bad.data.toString("latin1").endsWith("0\r\n\r\n"));
    await server.stop();
  });

  test("a document larger than --max-body is told, whatever the size of the batch", async () => {
    const server = await serve("--max-body", "100KiB");
    const all = parsed((await batch(server, lines(2000) + line(2000, { zpl: "^XA" + " ".repeat(200000) }) + line(1))).body.toString());
    assert.equal(all.length, 2002);
    assert.equal(all[2000].code, "document_too_large");
    assert.equal(all[2001].summary.documents, 2000);
    await server.stop();
  });

  test("a label that ends its renderer fails alone", { skip: !fs.existsSync(path.join(BUILD, "tests/renderer/platen_trapped")) }, async () => {
    const server = await start("tests/renderer/platen_trapped", ["--log", "off", "--drain-delay", "0", "--render-timeout", "60s"]);
    const all = parsed((await batch(server, line(0) + line(1, { zpl: "^FXtrap=abort^FS^XA^FO9,9^GB9,9,9^FS^XZ" }) + line(2))).body.toString());
    assert.deepEqual(all.slice(0, 3).map((l) => l.code ?? l.id), ["l0", "render_failed", "l2"]);
    await server.stop();
  });
});
