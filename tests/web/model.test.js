// Tests of sizes, settings, answers, files and the preview's geometry.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.js";

const m = await load(
  "model/units",
  "model/settings",
  "model/result",
  "actions/files",
  "preview/geometry",
  "preview/transform",
  "preview/rulers",
  "zpl/commands",
  "samples/index",
);

test("sizes in dots are the service's", () => {
  assert.deepEqual([m.mmToDots(101.6, 8), m.mmToDots(152.4, 8)], [812, 1218]);
  assert.equal(m.mmToDots(101.6, 12), 1216);
  assert.equal(m.mmToDots(101.6, 24), 2436);
  assert.equal(m.mmToDots(101.6, 6), 608);
  assert.equal(m.mmToDots(10, 10), 100);
});

test("numbers are shown without needless zeros", () => {
  assert.deepEqual([m.trimNumber(101.6, 3), m.trimNumber(4, 2), m.trimNumber(100, 0), m.trimNumber(0.25, 1)], ["101.6", "4", "100", "0.3"]);
});

test("typed sizes take a point or a comma and nothing else", () => {
  assert.equal(m.parseSize(" 57,5 "), 57.5);
  assert.equal(m.parseSize("4"), 4);
  for (const bad of ["", "0", "-1", "1e3", "4in", "1.2.3", "NaN"]) assert.equal(m.parseSize(bad), undefined, bad);
});

test("presets are found again from their size", () => {
  for (const preset of m.SIZE_PRESETS) assert.equal(m.matchingPreset(preset.widthMm, preset.heightMm).id, preset.id);
  assert.equal(m.matchingPreset(33, 44), undefined);
});

const answer = (over = {}) => ({
  ok: true,
  widthPx: 812,
  heightPx: 1218,
  widthMm: 101.6,
  heightMm: 152.4,
  dpmm: 8,
  labels: [{ index: 0, copies: 1, data: "AAAA", sizeBytes: 3, elements: [], warnings: [] }],
  warnings: [],
  ...over,
});

test("an answer of another shape is no answer", () => {
  for (const bad of [null, 7, "x", [], {}, { ok: true }, answer({ ok: false }), answer({ labels: [] }), answer({ labels: [{}] }), answer({ widthPx: "8" })]) {
    assert.equal(m.readResult(bad), undefined);
  }
  assert.equal(m.readResult(answer()).labels.length, 1);
});

test("diagnostics of labels and of the whole are merged, each once, in order", () => {
  const one = { code: "a", severity: "error", offset: 9, length: 1, message: "later" };
  const two = { code: "b", severity: "odd", offset: 2, length: 1, message: "sooner" };
  const result = m.readResult(answer({ warnings: [one], labels: [{ data: "AAAA", warnings: [one, two] }] }));
  assert.deepEqual(result.diagnostics.map((d) => [d.code, d.severity]), [["b", "warning"], ["a", "error"]]);
});

test("overlaps count where text or bars suffer, not for lines and reversed fields", () => {
  const elements = [
    { type: "box", overlaps: [1, 2, 3] },
    { type: "box", overlaps: [0] },
    { type: "text", overlaps: [0] },
    { type: "text", reverse: true, overlaps: [0] },
  ];
  const result = m.readResult(answer({ labels: [{ data: "AAAA", elements }] }));
  assert.deepEqual(result.labels[0].elements.map((e) => e.overlaps), [[2], [], [0], []]);
});

test("files: UTF-8, Windows-1252, UTF-16, and names for downloads", () => {
  assert.deepEqual(m.decodeText(new TextEncoder().encode("Grüße")), { text: "Grüße", remark: "" });
  const old = m.decodeText(Uint8Array.of(0x47, 0xfc, 0xdf));
  assert.equal(old.text, "Güß");
  assert.match(old.remark, /Windows-1252/);
  assert.equal(m.decodeText(Uint8Array.of(0xff, 0xfe, 0x5e, 0, 0x58, 0)).text, "^X");
  assert.equal(m.stemOf("Pallet 7.zpl"), "Pallet 7");
  assert.equal(m.stemOf("../../etc/passwd"), "etc-passwd");
  assert.equal(m.stemOf(""), "label");
  assert.equal(m.stemOf("<img src=x>.txt"), "img src=x");
});

test("boxes turn with the picture", () => {
  const label = { width: 100, height: 200 };
  const box = { x: 10, y: 20, width: 30, height: 40 };
  assert.deepEqual(m.turnBox(box, label, 90), { x: 140, y: 10, width: 40, height: 30 });
  assert.deepEqual(m.turnBox(box, label, 180), { x: 60, y: 140, width: 30, height: 40 });
  assert.deepEqual(m.turnBox(box, label, 270), { x: 20, y: 60, width: 40, height: 30 });
  // Four quarter turns bring everything back.
  let turned = box;
  let size = label;
  for (let i = 0; i < 4; i++) {
    turned = m.turnBox(turned, size, 90);
    size = m.turnSize(size, 90);
  }
  assert.deepEqual(turned, box);
});

test("the smallest box under the point is the one meant", () => {
  const boxes = [
    { x: 0, y: 0, width: 100, height: 100 },
    { x: 10, y: 10, width: 20, height: 20 },
    { x: 0, y: 50, width: 100, height: 1 },
  ];
  assert.equal(m.boxAt(boxes, { x: 15, y: 15 }, 0), 1);
  assert.equal(m.boxAt(boxes, { x: 80, y: 80 }, 0), 0);
  assert.equal(m.boxAt(boxes, { x: 80, y: 53 }, 3), 2);
  assert.equal(m.boxAt(boxes, { x: 180, y: 53 }, 3), -1);
});

test("zooming keeps the dot under the pointer, fitting shows the whole label", () => {
  const view = new m.ViewTransform(20);
  view.resize({ width: 500, height: 400 }, 1);
  view.setLabel({ width: 812, height: 1218 });
  assert.ok(view.label.height * view.scale <= 360.001);
  const at = { x: 260, y: 180 };
  const before = view.toDots(at);
  view.zoomTo(4, at);
  const after = view.toDots(at);
  assert.ok(Math.abs(before.x - after.x) < 0.5 && Math.abs(before.y - after.y) < 0.5);
  view.zoomTo(1);
  assert.equal(view.scale, 1);
  assert.ok(Number.isInteger(view.offset.x) && Number.isInteger(view.offset.y));
});

test("100 % is a whole number of device pixels on every screen", () => {
  for (const ratio of [1, 1.25, 1.5, 2, 2.625, 3]) {
    const view = new m.ViewTransform(20);
    view.resize({ width: 500, height: 400 }, ratio);
    view.zoomTo(1);
    const pixels = view.scale * ratio;
    assert.ok(Math.abs(pixels - Math.round(pixels)) < 1e-9, `${pixels} at ${ratio}`);
  }
});

test("a small label is fitted at a whole multiple", () => {
  const view = new m.ViewTransform(20);
  view.resize({ width: 1000, height: 800 }, 1);
  view.setLabel({ width: 406, height: 203 });
  assert.equal(view.zoom, 2);
});

test("ruler numbers keep their distance at every zoom", () => {
  for (const unit of ["mm", "in"]) {
    for (let pixels = 0.2; pixels < 2000; pixels *= 1.3) assert.ok(m.chooseScale(pixels, unit).step * pixels >= 44 || pixels < 3, `${pixels} per ${unit}`);
  }
});

test("quiet zones are taken from the answer, where they are boxes", () => {
  const elements = [{ type: "barcode", quietZone: { x: 80, y: 100, width: 240, height: 50 } }, { type: "barcode", quietZone: 7 }, { type: "text" }];
  const result = m.readResult(answer({ labels: [{ data: "AAAA", elements }] }));
  assert.deepEqual(result.labels[0].elements.map((e) => e.quietZone), [{ x: 80, y: 100, width: 240, height: 50 }, undefined, undefined]);
});

test("the command table is read row by row", () => {
  const rows = m.readCommands([
    { name: "^FO", summary: "s", syntax: "^FOx,y", support: "full", parameters: [{ name: "x", default: 0 }] },
    { name: "two words" },
    null,
    { name: "~JA", support: "none" },
  ]);
  assert.deepEqual(rows.map((row) => [row.name, row.support, row.syntax]), [["^FO", "full", "^FOx,y"], ["~JA", "none", "~JA"]]);
  assert.deepEqual(m.readCommands({ not: "a list" }), []);
});

test("samples are whole and fit their label", () => {
  for (const sample of m.SAMPLES) {
    assert.equal(sample.zpl.match(/\^XA/g).length, sample.zpl.match(/\^XZ/g).length, sample.id);
    const width = m.mmToDots(sample.widthMm, 8);
    const height = m.mmToDots(sample.heightMm, 8);
    for (const [, x, y] of sample.zpl.matchAll(/\^FO(\d+),(\d+)/g)) {
      assert.ok(Number(x) < width && Number(y) < height, `${sample.id}: ^FO${x},${y}`);
    }
  }
});
