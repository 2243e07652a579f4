// Tests of the link that holds a label: round trips, and links made to do harm.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import test from "node:test";
import fc from "fast-check";
import "./streams.js";
import { load } from "./bundle.js";

const { decodeLink, encodeLink, fromBase64Url, MAX_SHARED_BYTES, toBase64Url, DEFAULT_SETTINGS } = await load(
  "actions/link-codec",
  "model/settings",
);

const work = (zpl, settings = {}) => ({ zpl, name: "label", settings: { ...DEFAULT_SETTINGS, ...settings } });
const pack = (value) => `z=${deflateRawSync(Buffer.from(value)).toString("base64url")}`;

test("label and settings come back, compressed or plain", async () => {
  const shared = work("^XA^CI28^FO1,2^FDGrüße € 😀^FS^XZ", { widthMm: 57.2, rotation: 270, quality: "grayscale", profile: "printer", printerModel: "zd621-300", unit: "in", dpmm: 12 });
  for (const compress of [true, false]) {
    const fragment = await encodeLink(shared, compress);
    assert.match(fragment, compress ? /^z=[A-Za-z0-9_-]+$/ : /^u=[A-Za-z0-9_-]+$/);
    assert.deepEqual(await decodeLink(`#${fragment}`), shared);
  }
});

test("any text survives the link", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.boolean(), async (zpl, compress) => {
      assert.equal((await decodeLink(await encodeLink(work(zpl), compress))).zpl, zpl);
    }),
    { numRuns: 40 },
  );
});

test("repetitive labels give short links", async () => {
  const zpl = "^XA" + "^FO10,10^A0N,30,30^FDText^FS\n".repeat(500) + "^XZ";
  assert.ok((await encodeLink(work(zpl), true)).length < 600);
});

test("other fragments are left alone", async () => {
  assert.equal(await decodeLink(""), undefined);
  assert.equal(await decodeLink("#section-2"), undefined);
});

test("damaged links are refused", async () => {
  const good = await encodeLink(work("^XA^XZ".repeat(50)), true);
  for (const bad of [good.slice(0, -9), "z=????", "z=", "u=AAAA", "z=AAAA", pack("[]"), pack('{"z":1}'), pack("null")]) {
    await assert.rejects(decodeLink(bad), `accepted ${bad}`);
  }
});

test("a link that inflates without end is cut off", async () => {
  const bomb = `z=${deflateRawSync(Buffer.alloc(MAX_SHARED_BYTES * 3, 0x41), { level: 9 }).toString("base64url")}`;
  await assert.rejects(decodeLink(bomb), /too much/);
});

test("settings out of a link are bounded", async () => {
  const shared = await decodeLink(
    pack(JSON.stringify({ z: "^XA^XZ", n: 7, s: { widthMm: 1e9, heightMm: -1, dpmm: "8", rotation: 45, quality: "<b>", profile: "other", printerModel: "a&b=c", unit: "ft" } })),
  );
  assert.deepEqual(shared, { zpl: "^XA^XZ", name: "", settings: DEFAULT_SETTINGS });
});

test("base64url without padding", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(fromBase64Url(toBase64Url(bytes)), bytes);
  assert.equal(toBase64Url(bytes), Buffer.from(bytes).toString("base64url"));
});
