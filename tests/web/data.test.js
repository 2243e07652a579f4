// Tests of what comes in and goes out in other shapes: packed label code, rows of values, binary graphics, differences, sheets, first labels.
import assert from "node:assert/strict";
import test from "node:test";
import zlib from "node:zlib";
import { load } from "./bundle.js";

const m = await load("data/unpack", "data/packed", "data/packing", "data/pdf", "data/rows", "actions/binary-graphics", "documents/text-differences", "out/sheets-dialog", "draw/first-labels", "model/value", "panels/size-offer");

const LABEL = '^XA\n^FO20,20^FB300,2,0,L^FDone\\&two "three"^FS\n^XZ';
const base64 = Buffer.from(LABEL).toString("base64");

test("packed label code is unpacked, and its own backslashes stay", () => {
  const cases = {
    base64: [base64, `data:application/zpl;base64,${base64}`, base64.replace(/(.{20})/g, "$1\r\n"), Buffer.from(LABEL).toString("base64url")],
    JSON: [JSON.stringify(LABEL), JSON.stringify({ labels: [{ content: LABEL }] }), JSON.stringify([{ a: { b: base64 } }]), JSON.stringify({ body: JSON.stringify({ zpl: LABEL }) })],
    "an escaped string": [JSON.stringify(LABEL).slice(1, -1)],
    "a percent-encoded form": [`zpl=${encodeURIComponent(LABEL)}&x=1`, encodeURIComponent(LABEL)],
    "a curl command": [`curl -X POST 'http://h/' --data-raw '${LABEL}'`, `curl 'http://h/' -d '${JSON.stringify({ zpl: LABEL })}'`],
    XML: [`<?xml version="1.0"?><a><GraphicImage>${base64}</GraphicImage></a>`, `<a><zpl>${LABEL.replace(/"/g, "&quot;").replace(/\n/g, "&#xA;").replace(/\\&/g, "\\&amp;")}</zpl></a>`],
  };
  for (const [from, texts] of Object.entries(cases)) for (const text of texts) {
    assert.deepEqual(m.unpack(text), { zpl: LABEL, from }, text);
    assert.ok(m.mayBePacked(text), text);
  }
});

test("code and words as people type them are not looked at", () => {
  for (const text of [LABEL.replace("\\&", ""), "^FO20,20^FDx^FS", "~DGR:A.GRF,1,1,FF", "Hello", "12 High Street, Bath", "A-100"]) assert.ok(!m.mayBePacked(text), text);
});

test("what is not packed, or is no label, is left alone", () => {
  for (const text of [LABEL, "", "Hello", "{", '{"a":1}', Buffer.from("no label in it at all").toString("base64"), "^XA^FDa\\nb^FS^XZ", "<p>text without any label in it</p>", "curl 'http://h/'", "[".repeat(100_000)]) {
    assert.equal(m.unpack(text), undefined, text.slice(0, 60));
  }
});

test("what is long and looks like packed code is read once, not once for each place where it could begin", () => {
  const times = (text, count) => text.repeat(count);
  const texts = {
    "no end of a label": `"${times("^XA", 300_000)}`,
    "a command without an end of its body": `curl ${times(`-d "x`, 60_000)}`,
    "a request without a command": times(`-d "x `, 60_000),
    "elements without an end": `<${times(">", 300_000)}`,
    "blanks behind an escaped line end": `"^XA\\n${times(" ", 300_000)}x`,
    "blanks behind a name": `${times(" ", 300_000)}x`,
    "quotes in one element": `<a>${times("&#", 200_000)}</a>`,
  };
  for (const [what, text] of Object.entries(texts)) {
    const before = process.cpuUsage();
    assert.equal(m.unpack(text), undefined, what);
    m.mayBePacked(text);
    m.fieldNames(text);
    m.parseCsv(text);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 4e6, `${what}: ${((user + system) / 1e6).toFixed(1)} s of processor time`);
  }
});

test("a PDF whose streams have no end, or a long way before them, is read once", async () => {
  const before = process.cpuUsage();
  const head = "/FlateDecode stream\n";
  assert.equal(await m.labelCodeOf(new TextEncoder().encode(`%PDF-1.7\n${head.repeat(1000)}${"x".repeat(20_000_000)}endstream`)), undefined);
  assert.equal(await m.labelCodeOf(new TextEncoder().encode(`%PDF-1.7\n${"x".repeat(40_000_000)}${"stream\nendstream\n".repeat(1000)}`)), undefined);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 5e6, `${((user + system) / 1e6).toFixed(1)} s of processor time`);
});

// A PDF with these streams: [dictionary, bytes].
function pdfOf(...streams) {
  const parts = ["%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"];
  streams.forEach(([dictionary, bytes], i) => parts.push(`${i + 1} 0 obj\n<< ${dictionary} /Length ${bytes.length} >>\nstream\n`, bytes, "\nendstream\nendobj\n"));
  return Buffer.concat([...parts, "trailer << /Root 1 0 R >>\n%%EOF\n"].map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
}

test("label code in a PDF is found, attached or not, compressed or not, in whatever carries the PDF", async () => {
  const picture = ["/Subtype /Image /Filter /FlateDecode", zlib.deflateSync(Buffer.alloc(5000, 7))];
  const attached = ["/Type /EmbeddedFile /Filter /FlateDecode", zlib.deflateSync(Buffer.from(LABEL))];
  const plain = ["/Type /EmbeddedFile", Buffer.from(LABEL)];
  assert.equal(await m.labelCodeOf(new Uint8Array(pdfOf(picture, attached, plain))), `${LABEL}\n${LABEL}`);
  assert.equal(await m.labelCodeOf(new Uint8Array(pdfOf(picture))), undefined, "a picture only");
  const broken = pdfOf(attached);
  assert.equal(await m.labelCodeOf(new Uint8Array(broken.subarray(0, broken.length - 60))), undefined, "cut off");
  broken.fill(0, broken.indexOf("stream") + 10, broken.indexOf("endstream"));
  assert.equal(await m.labelCodeOf(new Uint8Array(broken)), undefined, "broken data");
  const packed = pdfOf(attached).toString("base64");
  for (const text of [pdfOf(plain).toString("base64"), packed, JSON.stringify({ shipment: { image: packed } }), `{"pdf":"${packed.replace(/\//g, "\\/")}"}`, packed.replace(/.{76}/g, "$&\r\n"), `<Image>${packed}</Image>`]) {
    assert.equal(m.unpack(text), undefined);
    assert.ok(m.holdsPdf(text));
    assert.deepEqual(m.pdfsIn(text).map((pdf) => Buffer.from(pdf).toString("latin1").slice(0, 8)), ["%PDF-1.7"]);
    assert.ok(m.mayBePacked(text));
    assert.deepEqual(await m.unpackText(text), { zpl: LABEL, from: "PDF" });
  }
  assert.ok(!m.holdsPdf(`^XA^FDJVBERi0x^FS^XZ`), "label code as it is");
});

test("CSV: separators, quotes, line ends, a mark at the start", () => {
  assert.deepEqual(m.parseCsv("\ufeffname;city\r\nAnn;\"Cork; \"\"old\"\"\"\r\nBo;\r\n\r\n"), { names: ["name", "city"], rows: [{ name: "Ann", city: 'Cork; "old"' }, { name: "Bo", city: "" }], wrongRow: 0, twice: undefined });
  assert.deepEqual(m.parseCsv("a\tb\n1\t2").rows, [{ a: "1", b: "2" }]);
  assert.deepEqual(m.parseCsv('a,b\n"line\nend",2').rows, [{ a: "line\nend", b: "2" }]);
  assert.deepEqual(m.parseCsv(""), { names: [], rows: [], wrongRow: 0, twice: undefined });
  // A value was in the next column's place, and labels were printed with it.
  for (const [text, row] of [["a,b\n1,2\nSmith, Ann,3", 2], ["a,b\n1", 1], ['a,b\n1,2\n"3,4\n5,6', 2], ['a,b\n1,"2\n3,4', 1]]) assert.equal(m.parseCsv(text).wrongRow, row, text);
  assert.equal(m.parseCsv("a,b, a\n1,2,3\n").twice, "a");
  assert.equal(m.parseCsv("a,b,,\n1,2,,\n").twice, undefined);
});

test("fields that ask for a value, each once", () => {
  assert.deepEqual(m.fieldNames('^FD{{name}} {{name}}^FS^FN1"city"^FS^FN2^FS^fn1"city"^FD{{a b}}^FS'), ["name", "city", "2", "a b"]);
});

test("binary graphics become hexadecimal digits, whatever bytes they have", () => {
  const raw = Uint8Array.from([...Buffer.from("^XA^GFB,4,4,1,"), 0x5e, 0x47, 0x46, 0x42, ...Buffer.from("^FS~DYR:A.GRF,B,G,2,1,"), 0, 255, ...Buffer.from("^XZ")]);
  const { bytes, converted } = m.binaryToHex(raw);
  assert.equal(Buffer.from(bytes).toString(), "^XA^GFA,4,4,1,5E474642^FS~DYR:A.GRF,A,G,2,1,00FF^XZ");
  assert.equal(converted, 2);
  for (const whole of ["^XA^GFA,4,4,1,5E474642^XZ", "^GFB,9999,1,1,ab", "^GFB,x,1,1,ab", "^GFB,", "~DY,B", "~DYa,B,G,-3,1,abc"]) {
    assert.equal(m.binaryToHex(new TextEncoder().encode(whole)).converted, 0, whole);
  }
});

test("lines of two versions: what stays, what goes, what comes", () => {
  const short = (a, b) => m.compareLines(a, b).map(({ kind, text }) => `${kind}:${text}`);
  assert.deepEqual(short("1\n2\n3", "1\n3\n4"), ["both:1", "a:2", "both:3", "b:4"]);
  assert.deepEqual(short("^XA^FDa^FS^FDb^FS^XZ", "^XA^FDa^FS^FDc^FS^XZ"), ["both:^XA", "both:^FDa^FS", "a:^FDb^FS", "b:^FDc^FS", "both:^XZ"]);
  assert.ok(m.compareLines("a\n", "a").every(({ kind }) => kind === "both"));
  const many = (mark) => Array.from({ length: 9000 }, (_, i) => `${mark}${i}`).join("\n");
  assert.equal(m.compareLines(many("a"), many("b")).length, 18_000);
});

test("as many labels on a sheet as fit", () => {
  const a4 = { width: 210, height: 297 };
  assert.deepEqual(m.bestGrid({ width: 50, height: 25 }, a4, 5, 0), { columns: 4, rows: 11 });
  assert.deepEqual(m.bestGrid({ width: 50, height: 25 }, a4, 0, 2), { columns: 4, rows: 11 });
  assert.deepEqual(m.bestGrid({ width: 100, height: 148.5 }, a4, 0, 0), { columns: 2, rows: 2 });
  assert.deepEqual(m.bestGrid({ width: 400, height: 400 }, a4, 5, 0), { columns: 1, rows: 1 });
});

test("the first labels end with a whole format", () => {
  const text = "^XA^FD1^FS^XZ\n^XA^FD2^FS^xz\n^XA^FD3^FS^XZ";
  assert.deepEqual(m.endOfFormats(text, 2), { end: text.indexOf("^xz") + 3, formats: 3 });
  assert.equal(m.endOfFormats(text, 3), undefined);
});

test("a value tells those who subscribed, until they leave", () => {
  const value = new m.Value(1);
  const seen = [];
  const leave = value.subscribe((now, before) => seen.push([now, before]));
  value.set(2);
  value.set(2);
  leave();
  value.set(3);
  assert.deepEqual(seen, [[2, 1]]);
  assert.equal(value.get(), 3);
});

test("sizes have the names that people use", () => {
  assert.equal(m.sizeName({ widthMm: 101.6, heightMm: 203.2 }, "mm"), "4 × 8 in");
  assert.equal(m.sizeName({ widthMm: 100.1, heightMm: 150.1 }, "mm"), "100 × 150 mm");
  assert.equal(m.sizeName({ widthMm: 33, heightMm: 77 }, "mm"), "33 × 77 mm");
});
