// Tests of the map between byte offsets of the service and positions of the editor.
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { load } from "./bundle.js";

const { OffsetMap } = await load("model/offsets");

test("ASCII needs no conversion", () => {
  const map = new OffsetMap("^XA^XZ");
  assert.equal(map.byteLength, 6);
  assert.equal(map.toPosition(3), 3);
  assert.equal(map.toByteOffset(4), 4);
  assert.equal(map.toPosition(99), 6);
});

test("characters of two, three and four bytes", () => {
  const text = "aß€😀b";
  const map = new OffsetMap(text);
  assert.equal(map.byteLength, 1 + 2 + 3 + 4 + 1);
  assert.deepEqual([0, 1, 3, 6, 10].map((byte) => map.toPosition(byte)), [0, 1, 2, 3, 5]);
  assert.deepEqual([0, 1, 2, 3, 5, 6].map((position) => map.toByteOffset(position)), [0, 1, 3, 6, 10, 11]);
});

test("a byte within a character stands for that character", () => {
  const map = new OffsetMap("ß€");
  assert.equal(map.toPosition(1), 0);
  assert.equal(map.toPosition(3), 1);
});

test("positions far into a long text, past many checkpoints", () => {
  const text = "ü".repeat(3000) + "^FD" + "😀".repeat(3000) + "^FS";
  const map = new OffsetMap(text);
  assert.equal(map.toPosition(6000), 3000);
  assert.equal(map.toPosition(6003 + 4 * 3000), text.length - 3);
  assert.equal(map.toByteOffset(text.length - 3), 6003 + 4 * 3000);
});

test("agrees with Buffer for every position of any text", () => {
  const text = fc.array(fc.constantFrom("a", "^", "ß", "€", "😀", "\n", "汉".repeat(700)), { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(), (value, seed) => {
      const map = new OffsetMap(value);
      const boundaries = [0];
      for (const character of value) boundaries.push(boundaries.at(-1) + character.length);
      const position = boundaries[seed % boundaries.length];
      const byte = Buffer.byteLength(value.slice(0, position));
      assert.equal(map.toByteOffset(position), byte);
      assert.equal(map.toPosition(byte), position);
    }),
  );
});
