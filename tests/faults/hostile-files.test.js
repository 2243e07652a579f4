// Fonts and pictures that were cut or changed on the way, some thousands of them, through `platen render` under AddressSanitizer.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import zlib from "node:zlib";
import { ROOT } from "../api/lib/server.js";

const platen = path.join(ROOT, "build-asan/platen");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "platen-hostile-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const BOX = "^FO1,1^GB9,9,9^FS"; // there is always something to print

function png(head, data) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}
// 60 x 40 dots of 8 bits, with every filter.
const PNG_HEAD = Buffer.from([0, 0, 0, 60, 0, 0, 0, 40, 8, 0, 0, 0, 0]);
const PNG_ROWS = Buffer.from(Array.from({ length: 61 * 40 }, (_, i) => (i % 61 === 0 ? (i / 61) % 5 : (i * 37) & 255)));
function crc(bytes) {
  let c = ~0;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}
function crc16(text) {
  let c = 0;
  for (const b of Buffer.from(text)) {
    c ^= b << 8;
    for (let k = 0; k < 8; k++) c = c & 0x8000 ? ((c << 1) ^ 0x1021) & 0xffff : (c << 1) & 0xffff;
  }
  return c.toString(16).toUpperCase().padStart(4, "0");
}
function bmp(width, height) {
  const row = Math.ceil(width / 32) * 4;
  const out = Buffer.alloc(62 + row * height, 0xa5);
  out.write("BM");
  for (const [at, value] of [[2, out.length], [6, 0], [10, 62], [14, 40], [18, width], [22, height], [26, 1 | (1 << 16)], [30, 0], [34, row * height], [38, 0], [42, 0], [46, 2], [50, 0], [54, 0], [58, 0xffffff]]) out.writeUInt32LE(value >>> 0, at);
  return out;
}
function pcx(width, height) {
  const out = Buffer.alloc(128 + height * 2, 0xc5);
  out.fill(0, 0, 128);
  out.set([10, 5, 1, 1, 0, 0, 0, 0, (width - 1) & 255, (width - 1) >> 8, (height - 1) & 255, (height - 1) >> 8]);
  out[65] = 1;
  out[66] = width / 8;
  return out;
}

const FONT_LABEL = "^XA^CI28^FO9,9^A@N,40,30,R:T.TTF^FDAbg 19%&ÄЖ^FS^FO9,99^A@R,90,90,R:T.TTF^FD@W^FS^XZ";
const hex = (bytes) => bytes.toString("hex").toUpperCase();
const download = (name, kind, extension, bytes) => `~DY${name},A,${kind},${bytes.length},0,${hex(bytes)}^XA${BOX}^FO9,9^XG${name}.${extension}^FS^XZ`;
const KINDS = {
  truetype: { bytes: fs.readFileSync("/usr/share/fonts/truetype/ocr-a/OCRA.ttf"), zpl: (b) => `~DUR:T.TTF,${b.length},${hex(b)}${FONT_LABEL}`, count: 700 },
  cff: { bytes: fs.readFileSync("/usr/share/fonts/opentype/ocr-b/OCRB.otf"), zpl: (b) => `~DUR:T.TTF,${b.length},${hex(b)}${FONT_LABEL}`, count: 500 },
  // With right checksums, so that the reader gets to what was changed.
  "png rows": { bytes: Buffer.concat([PNG_HEAD, PNG_ROWS]), zpl: (b) => download("R:P", "P", "PNG", png(b.subarray(0, 13), zlib.deflateSync(b.subarray(13)))), count: 400 },
  "png stream": { bytes: Buffer.concat([PNG_HEAD, zlib.deflateSync(PNG_ROWS)]), zpl: (b) => download("R:P", "P", "PNG", png(b.subarray(0, 13), b.subarray(13))), count: 400 },
  png: { bytes: png(PNG_HEAD, zlib.deflateSync(PNG_ROWS)), zpl: (b) => download("R:P", "P", "PNG", b), count: 200 },
  bmp: { bytes: bmp(70, 40), zpl: (b) => download("R:B", "B", "BMP", b), count: 500 },
  pcx: { bytes: pcx(64, 40), zpl: (b) => download("R:X", "X", "PCX", b), count: 500 },
  grf: { bytes: zlib.deflateSync(Buffer.alloc(800, 0x5a)), zpl: (b) => `~DGR:G.GRF,800,10,:Z64:${b.toString("base64")}:${crc16(b.toString("base64"))}^XA${BOX}^FO9,9^XGR:G.GRF,2,2^FS^XZ`, count: 300 },
  // The text of a graphic itself: repeat counts, fill signs, and what is none of them.
  acs: { bytes: Buffer.from(`^XA${BOX}^FO9,9^GFA,390,390,10,gzF,hY5:,iK!GFFHA,:::mF0,^FS^XZ`), zpl: (b) => b, count: 500 },
};

// Deterministic: the same changes in every run.
function generator(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
function changed(bytes, random) {
  const out = Buffer.from(bytes);
  const tables = Math.min(out.length, 400); // heads and tables of contents are where the sizes are
  const changes = 1 + random(6);
  for (let i = 0; i < changes; i++) {
    const at = random(random(2) ? tables : out.length);
    const kind = random(5);
    if (kind === 0) out[at] ^= 1 << random(8);
    else if (kind === 1) out[at] = random(256);
    else if (kind === 2) out.fill(random(2) ? 0xff : 0, at, Math.min(out.length, at + 1 + random(8)));
    else if (kind === 3 && at + 4 <= out.length) out.writeUInt32BE(random(2) ? 0x7fffffff : 0x80000000, at);
    else out.copyWithin(at, random(out.length), random(out.length));
  }
  return random(4) === 0 ? out.subarray(0, random(out.length)) : out;
}

for (const [name, { bytes, zpl, count }] of Object.entries(KINDS)) {
  test(`${count} changed files: ${name}`, (t) => {
    if (!fs.existsSync(platen)) return t.skip("build-asan is not built");
    const input = path.join(folder, name);
    const random = generator(name.length * 7919 + count);
    fs.mkdirSync(input);
    fs.writeFileSync(path.join(input, "whole.zpl"), zpl(bytes));
    // The whole file is taken without a warning: what follows tests its reader.
    const whole = spawnSync(platen, ["render", path.join(input, "whole.zpl"), "--strict", "--output", path.join(folder, "whole.png")], { env: { ...process.env, ASAN_OPTIONS: "detect_leaks=0" } });
    assert.deepEqual([whole.status, whole.stderr.toString()], [0, ""]);
    for (let i = 0; i < count; i++) fs.writeFileSync(path.join(input, `${i}.zpl`), zpl(changed(bytes, random)));
    const r = spawnSync(platen, ["render", input, "--out-dir", path.join(folder, `${name}-out`), "--quiet", "--width-mm", "40", "--height-mm", "30"], {
      env: { ...process.env, ASAN_OPTIONS: "detect_leaks=0:allocator_may_return_null=1", UBSAN_OPTIONS: "print_stacktrace=1:halt_on_error=1" },
      maxBuffer: 1 << 28,
      timeout: 120000,
    });
    const said = r.stderr.toString();
    assert.doesNotMatch(said, /Sanitizer|runtime error/, said.slice(0, 4000));
    assert.equal(r.signal, null);
    assert.ok(r.status === 0 || r.status === 1, `${r.status} ${said.slice(0, 400)}`);
    assert.ok(fs.existsSync(path.join(folder, `${name}-out`, "whole.png")));
    // A broken file is a finding, never a failure of the label.
    if (name !== "acs") assert.equal(fs.readdirSync(path.join(folder, `${name}-out`)).length, count + 1, said.slice(0, 400));
  });
}
