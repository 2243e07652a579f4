// The pool of workers: order, reading ahead, failures, cancelling.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { createEngine, createPool, PlatenError } from "../../packages/platen/dist/index.js";

const label = (text) => `^XA^FO50,50^A0N,60^FD${text}^FS^XZ`;
const NOTHING = "no label at all";
const SLOW = `^XA${"^FO1,1^GC4000,2000^FS".repeat(15_000)}^XZ`; // minutes, where nobody ends it
const WORKERS = 2;
let pool;
before(async () => (pool = await createPool({ workers: WORKERS, limits: { milliseconds: 0, elementsPerLabel: 20_000 } })));
after(() => pool.dispose());

test("a stream of labels gives their pictures in order; one that fails does not end the others", async () => {
  const engine = await createEngine();
  const items = [label("a"), { zpl: label("b"), options: { format: "webp" } }, NOTHING, Buffer.from(label("d")), `${label("e1")}${label("e2")}`];
  const results = [];
  for await (const result of pool.renderEach(Readable.from(items), { dpmm: 6 })) results.push(result);
  assert.deepEqual(results.map(({ index, item }) => [index, item]), items.map((item, index) => [index, item]));
  assert.equal(results[2].error.code, "no_labels");
  for (const i of [0, 1, 3, 4]) {
    const { zpl = items[i], options } = items[i];
    const expected = engine.renderAll(zpl, { dpmm: 6, ...options });
    assert.deepEqual(results[i].pages.map((page) => Buffer.from(page.data)), expected.map((page) => Buffer.from(page.data)), `item ${i}`);
  }
  assert.equal(results[4].pages.length, 2);
});

test("a result comes while the source is still open", async () => {
  let release;
  const source = (async function* () {
    yield label("first");
    await new Promise((resolve) => (release = resolve)); // until the first result is there
    yield label("second");
  })();
  const seen = [];
  for await (const { index } of pool.renderEach(source)) {
    seen.push(index);
    release?.();
  }
  assert.deepEqual(seen, [0, 1]);
});

test("no more is read than can be drawn soon, and leaving the loop ends the source", async () => {
  let read = 0;
  let ended = false;
  function* source() {
    try {
      for (;;) yield label(++read);
    } finally {
      ended = true;
    }
  }
  let taken = 0;
  for await (const { pages } of pool.renderEach(source())) {
    assert.equal(pages.length, 1);
    assert.ok(read <= ++taken + 2 * WORKERS, `${read} read, ${taken} taken`);
    if (taken === 40) break;
  }
  assert.ok(ended);
  assert.equal((await pool.render(label("after"))).pages, 1);
});

test("a slow label holds up one worker only; aborting ends it", async () => {
  const ended = new AbortController();
  let settled = false;
  const slow = pool.render(SLOW, { signal: ended.signal }).finally(() => (settled = true));
  slow.catch(() => undefined);
  for (let i = 0; i < 4; i++) await pool.render(label(i));
  assert.equal(settled, false);
  ended.abort();
  await assert.rejects(slow, (error) => error instanceof PlatenError && error.code === "cancelled");
});

test("aborting a batch throws, and the pool goes on", async () => {
  const ended = new AbortController();
  const results = pool.renderEach([label("a"), SLOW, SLOW, label("z")], { signal: ended.signal });
  assert.equal((await results.next()).value.pages.length, 1);
  const rest = results.next();
  ended.abort();
  await assert.rejects(rest, (error) => error.code === "cancelled");
  assert.equal((await pool.render(label("after"))).pages, 1);
});

test("an error of the source is the loop's", async () => {
  const source = (async function* () {
    yield label("a");
    throw new Error("the database is gone");
  })();
  await assert.rejects(async () => { for await (const each of pool.renderEach(source)) assert.ok(each.pages); }, /the database is gone/);
});

test("a wrong number of workers is refused; a pool that was disposed of says so", async () => {
  for (const workers of [0, 1.5, -1, 1e9, "2"]) await assert.rejects(createPool({ workers }), (error) => error.code === "invalid");
  const other = await createPool({ workers: 1 });
  other.dispose();
  await assert.rejects(other.render(label("a")), (error) => error.code === "disposed");
});
