// Tests of pictures that become fields: which files are pictures, and where the field goes.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.js";

const { fieldInsertion, isPicture, PictureCache } = await load("actions/picture", "actions/picture-field", "preview/pictures");

function withField(code, field) {
  const { from, to, insert } = fieldInsertion(code, field);
  return code.slice(0, from) + insert + code.slice(to);
}

test("pictures are known by name or type", () => {
  for (const [name, type] of [["a.PNG", ""], ["b", "image/jpeg"], ["c.pgm", ""]]) assert.equal(isPicture({ name, type }), true);
  for (const [name, type] of [["a.zpl", ""], ["png", "text/plain"], ["a.svg", "image/svg+xml"]]) assert.equal(isPicture({ name, type }), false);
});

test("the field is the last one of the last label, or has a label of its own", () => {
  assert.equal(withField("", "F"), "^XA\nF\n^XZ\n");
  assert.equal(withField("~JA", "F"), "~JA\n^XA\nF\n^XZ\n");
  assert.equal(withField("^XA^FDa^FS^xz^XA\n^XZ\n", "F"), "^XA^FDa^FS^xz^XA\nF\n^XZ\n");
  assert.equal(withField("^xa^fda^fs^xz", "F"), "^xa^fda^fs\nF\n^xz");
  assert.equal(withField("^XA^FDß^FS^XZ", "F"), "^XA^FDß^FS\nF\n^XZ"); // longer in capitals
});

test("a picture that others wait for is not freed before they have drawn it", async () => {
  const before = globalThis.ImageBitmap;
  globalThis.ImageBitmap = class {
    isClosed = false;
    close() {
      this.isClosed = true;
    }
  };
  try {
    const cache = new PictureCache();
    const label = { data: "same" };
    const [first, second] = [new globalThis.ImageBitmap(), new globalThis.ImageBitmap()];
    cache.put(label, 0, first);
    const waiting = cache.get(label, 0).catch(() => undefined); // as the thumbnails do
    cache.put(label, 0, second);
    assert.equal((await waiting).isClosed, false);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([first.isClosed, second.isClosed], [true, false]);
  } finally {
    globalThis.ImageBitmap = before;
  }
});
