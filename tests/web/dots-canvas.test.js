// Tests of the rows that are written anew when the dots of a label change.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.js";

const { changedRows } = await load("draw/dots-canvas");

function dots(width, height, ...black) {
  const gray = new Uint8Array(width * height).fill(255);
  for (const [x, y] of black) gray[y * width + x] = 0;
  return { index: 0, width, height, gray };
}

test("equal dots have no rows that changed", () => {
  for (const [width, height] of [[1, 1], [3, 5], [8, 4], [7, 7]]) {
    const [first, end] = changedRows(dots(width, height, [0, 0]), dots(width, height, [0, 0]));
    assert.ok(first >= end, `${width} by ${height}`);
  }
});

test("rows from the first to the last change, wherever in them it is, and no others", () => {
  for (const [width, height] of [[1, 9], [3, 5], [5, 3], [8, 4], [13, 6], [16, 16]]) {
    const places = Array.from({ length: width * height }, (_, i) => [i % width, Math.floor(i / width)]);
    for (const a of places) {
      assert.deepEqual(changedRows(dots(width, height, a), dots(width, height)), [a[1], a[1] + 1], `${width} by ${height}: ${a}`);
      for (const b of places.filter((_, i) => i % 5 === 0)) {
        if (a[0] === b[0] && a[1] === b[1]) continue;
        assert.deepEqual(changedRows(dots(width, height, a), dots(width, height, b)), [Math.min(a[1], b[1]), Math.max(a[1], b[1]) + 1], `${width} by ${height}: ${a} ${b}`);
      }
    }
  }
});
