// Tests of drawing in the page's own thread: which labels are drawn there, and when the worker gets them.
import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import { createEngine } from "../../packages/platen/dist/index.js";
import { load } from "../web/bundle.js";

const { AtOnce } = await load("draw/at-once");
const wasm = await WebAssembly.compile(fs.readFileSync(new URL("../../packages/platen/dist/platen.wasm", import.meta.url)));
const bytes = (text) => new TextEncoder().encode(text);
const SMALL = { widthMm: 30, heightMm: 20 };
const QUICK = bytes("^XA^FO9,9^A0N,30^FDquick^FS^XZ^XA^FO9,9^GB50,50,50^FS^XZ");
/** Many times the limit, in less code than is refused for its length: thousands of symbols, each another one. */
const SLOW = bytes(`^XA${Array.from({ length: 5_000 }, (_, i) => `^FO1,1^BD2^FD001840123450000[)>01${i}^FS`).join("")}^XZ`);

/** The clock of the test, since on a busy machine each label would be slow: it goes on by `step` milliseconds with each look at it. */
function ownClock(t, step = 0) {
  const { now } = performance;
  t.after(() => (performance.now = now));
  const clock = { time: performance.now(), step, looks: 0 };
  performance.now = () => (clock.looks++, (clock.time += clock.step));
  return clock;
}

test("the dots are those of the engine, of the page that is asked for", async (t) => {
  ownClock(t);
  const atOnce = await AtOnce.load(wasm, QUICK, SMALL);
  const engine = await createEngine();
  for (const page of [0, 1]) {
    const { data, widthPx, heightPx } = engine.render(QUICK, { ...SMALL, format: "gray", page });
    assert.deepEqual(atOnce.dots(QUICK, { ...SMALL, page }), { index: page, width: widthPx, height: heightPx, gray: data });
  }
});

test("what cannot be drawn here is the worker's: no label, no such page, a font that is missing", async (t) => {
  ownClock(t);
  const atOnce = await AtOnce.load(wasm, QUICK, SMALL);
  for (const [zpl, options] of [["nothing", SMALL], ["^XA^FO1,1^GB9,9^FS^XZ", { ...SMALL, page: 3 }]]) {
    assert.equal(atOnce.dots(bytes(zpl), options), undefined, zpl);
  }
  assert.ok(atOnce.dots(QUICK, SMALL), "these are no trouble for the next one");
  assert.equal(atOnce.dots(bytes("^XA^CI28^FO1,1^A0N,30^FD中^FS^XZ"), SMALL), undefined);
  assert.equal(atOnce.dots(QUICK, SMALL), undefined, "the next key would be drawn in vain, too");
});

test("a label that takes long is broken off, and the next ones are the worker's for a while", async (t) => {
  const clock = ownClock(t);
  const looks = (work) => {
    const before = clock.looks;
    work();
    return clock.looks - before;
  };
  const atOnce = await AtOnce.load(wasm, QUICK, SMALL);
  const engine = await createEngine();
  const whole = looks(() => engine.render(SLOW, { ...SMALL, format: "gray" }));
  clock.step = 1;
  const here = looks(() => assert.equal(atOnce.dots(SLOW, SMALL), undefined));
  assert.ok(here < whole / 2, `${here} of ${whole} looks at the clock`);
  clock.step = 0;
  assert.equal(atOnce.dots(QUICK, SMALL), undefined);
  clock.time += 6000;
  assert.ok(atOnce.dots(QUICK, SMALL));
});

test("a large label, and much code, are the worker's", async (t) => {
  ownClock(t);
  const comments = "^FX says nothing ^FS\n".repeat(20_000);
  const cases = [
    [QUICK, { widthMm: 101.6, heightMm: 152.4, dpmm: 24 }],
    [bytes(`${comments}^XA^FO1,1^GB9,9^FS^XZ`), SMALL],
  ];
  for (const [i, [zpl, options]] of cases.entries()) {
    const atOnce = await AtOnce.load(wasm, QUICK, SMALL);
    assert.equal(atOnce.dots(zpl, options), undefined, `case ${i}`);
  }
  const atOnce = await AtOnce.load(wasm, QUICK, SMALL);
  assert.deepEqual([atOnce.mayDraw(QUICK.length), atOnce.mayDraw(comments.length)], [true, false]);
});

test("one that was slow before the first key does not count", async (t) => {
  const clock = ownClock(t, 1);
  const atOnce = await AtOnce.load(wasm, SLOW, SMALL);
  clock.step = 0;
  assert.ok(atOnce.dots(QUICK, SMALL));
});
