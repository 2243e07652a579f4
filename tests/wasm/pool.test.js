// The pool of workers: order, reading ahead, failures, cancelling.
import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
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

test("items that are no label code fail alone: a null ended the process", async () => {
  const broken = { get zpl() { throw new Error("this item is broken"); } };
  const items = [label("a"), null, undefined, 5, {}, { zpl: null }, broken, label("z")];
  const results = [];
  for await (const result of pool.renderEach(items)) results.push(result);
  assert.deepEqual(results.map(({ pages, error }) => pages?.length ?? error.code), [1, ...Array(5).fill("invalid"), "bug", 1]);
  assert.match(results[6].error.message, /this item is broken/);
});

test("a worker that cannot be started ends those that were", { timeout: 300_000 }, async (t) => {
  const workers = [];
  t.after(() => Promise.all(workers.map((worker) => worker.terminate())));
  let asked = 0;
  const worker = () => {
    if (++asked === 3) throw new Error("no worker is left");
    const made = new Worker(new URL("../../packages/platen/dist/worker.js", import.meta.url));
    workers.push(made);
    // As a browser's, which the option is for.
    return Object.assign(made, { addEventListener: (event, heard) => made.on(event, (data) => heard(event === "message" ? { data } : { message: data.message, preventDefault() {} })) });
  };
  const ends = () => Promise.all(workers.map((one) => one.threadId === -1 || once(one, "exit")));
  await assert.rejects(createPool({ workers: 4, worker }), (error) => error.code === "load" && /no worker is left/.test(error.message));
  assert.equal(workers.length, 3);
  await ends();
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
