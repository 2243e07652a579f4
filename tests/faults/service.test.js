// The services while reads and writes are cut short or refused, connections cannot be taken and memory runs out: every answer
// is right to the byte, a documented error, or a closed connection; afterwards everything works as before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { metrics, Raw } from "../api/lib/server.js";
import { Faults } from "./faulty.js";
import { REQUESTS } from "./requests.js";

const MEMORY_ERRORS = new Set([413, 503]);
// 429 for the queue, 500 when nothing better can be said.
const ALLOWED_ERRORS = new Set([...MEMORY_ERRORS, 429, 500]);
const PATIENCE_MS = 180_000;
// What differs from answer to answer by its nature.
const OWN = new Set(["date", "x-request-id", "connection"]);
const same = (a, b) => a.status === b.status && a.body.equals(b.body) && headers(a) === headers(b);
const headers = (answer) => JSON.stringify(Object.entries(answer.headers).filter(([name]) => !OWN.has(name)).sort());
// Ids are part of the text of errors.
const expectedErrors = (answer) => answer.status >= 400;

const settle = (promise) => promise.then((value) => value, () => null);

// One connection that sends requests one after the other. Returns how many answers were right, errors, and cut off.
async function client(server, requests, right, picks) {
  const seen = { right: 0, errors: 0, closed: 0 };
  let raw = null;
  for (const pick of picks) {
    if (!raw || raw.closed) raw = await settle(Raw.open(server.port));
    if (!raw) {
      seen.closed++;
      continue;
    }
    raw.send(requests[pick]);
    const answer = await raw.response({ ms: PATIENCE_MS });
    if (answer === null || answer.body.length < Number(answer.headers["content-length"])) {
      assert.ok(raw.closed, "an answer without an end on an open connection");
      seen.closed++;
      raw.destroy();
      raw = null;
    } else if (answer.status === right[pick].status && (expectedErrors(answer) || same(answer, right[pick]))) {
      seen.right++;
    } else {
      assert.ok(ALLOWED_ERRORS.has(answer.status), `request ${pick}: ${answer.status} ${headers(answer)} instead of ${right[pick].status} ${headers(right[pick])}; ${answer.body.length} bytes, not ${right[pick].body.length}`);
      // Labelary's door answers errors as text.
      if (answer.headers["content-type"].startsWith("text/plain")) assert.match(answer.text, /^ERROR: ./);
      else assert.equal(JSON.parse(answer.text).ok, false);
      seen.errors++;
    }
  }
  raw?.destroy();
  return seen;
}

async function crowd(server, requests, right, clients, each, from = 0) {
  const picks = (i) => Array.from({ length: each }, (_, k) => (from + i * 7 + k * 3 + (k * k) % 5) % requests.length);
  const all = await Promise.all(Array.from({ length: clients }, (_, i) => client(server, requests, right, picks(i))));
  return all.reduce((sum, one) => ({ right: sum.right + one.right, errors: sum.errors + one.errors, closed: sum.closed + one.closed }));
}

async function answers(server, requests) {
  const all = [];
  for (const bytes of requests) {
    const raw = await Raw.open(server.port);
    all.push(await raw.send(bytes).response({ ms: PATIENCE_MS }));
    raw.destroy();
  }
  return all;
}

// Asks again and again while the first, the second, … allocation fails: the answer is the right one, or says that memory lacks.
async function eachAllocation(program, bytes) {
  const faults = new Faults();
  const server = await faults.start(program, ["--workers", "1"]);
  const [right] = await answers(server, [bytes]);
  const failed = new Map();
  for (let left = 1, done = false; !done; left++) {
    const allocAt = faults.get("allocCalls") + left;
    faults.set({ allocAt });
    const [answer] = await answers(server, [bytes]);
    done = faults.get("allocCalls") < allocAt;
    if (answer && !same(answer, right)) failed.set(answer.status, (failed.get(answer.status) ?? 0) + 1);
  }
  faults.set({ allocAt: 0 });
  assert.ok(failed.size > 0);
  for (const status of failed.keys()) assert.ok(MEMORY_ERRORS.has(status), `status ${status}: ${failed.get(status)} times`);
  if (program === "platen") assert.equal((await metrics(server)).renderer_died_total, 0);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  return right;
}

// A label with warnings: an answer is counts, and the texts that are counted.
test("platen: each allocation of an answer with warnings fails once", async () => {
  const right = await eachAllocation("platen", REQUESTS.platen()[5]);
  assert.ok(JSON.parse(right.text).labels.some(({ warnings }) => warnings.length > 0));
});

test("hygro: each allocation of a page with a season fails once, which was answered with 500", async () => {
  const right = await eachAllocation("hygro", REQUESTS.hygro().at(-1));
  assert.match(right.text, /<svg class="season"/);
});

for (const program of ["platen", "hygro"]) {
  const requests = REQUESTS[program]();
  const begin = async (args = []) => {
    const faults = new Faults();
    const server = await faults.start(program, ["--workers", "2", ...args]);
    const right = await answers(server, requests);
    const refused = right.filter((answer) => answer.status !== 200).map((answer) => answer.status);
    assert.deepEqual(refused.sort(), program === "platen" ? [400, 404] : [404]);
    return { faults, server, right };
  };
  // After the faults: every request is answered right, and SIGTERM ends the service in order.
  const finish = async ({ faults, server, right }) => {
    faults.set({ io: 0, accept: 0, alloc: 0 });
    const after = await answers(server, requests);
    for (const [i, answer] of after.entries()) assert.ok(answer && (expectedErrors(right[i]) ? answer.status === right[i].status : same(answer, right[i])), `request ${i} after the faults`);
    // Whatever was lacking, an answer that says so is understood, and no label is blamed for the end of a renderer.
    if (program === "platen") assert.equal((await metrics(server)).renderer_died_total, 0);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    assert.equal(server.err, "");
  };

  test(`${program}: short counts, EINTR and EAGAIN change no answer`, async () => {
    const run = await begin();
    run.faults.set({ seed: 7, io: 3000 });
    const seen = await crowd(run.server, requests, run.right, 12, 2 * requests.length);
    assert.deepEqual([seen.errors, seen.closed], [0, 0]);
    assert.ok(run.faults.get("readFaults") > 50 && run.faults.get("writeFaults") > 50);
    await finish(run);
  });

  test(`${program}: nearly every read and write is cut`, async () => {
    const run = await begin();
    run.faults.set({ seed: 8, io: 9000 });
    const seen = await crowd(run.server, requests.slice(0, 4), run.right, 4, 4);
    assert.deepEqual([seen.errors, seen.closed], [0, 0]);
    await finish(run);
  });

  test(`${program}: connections that cannot be taken wait, and none is lost`, async () => {
    const run = await begin();
    run.faults.set({ seed: 9, accept: 4000 });
    for (let round = 0; round < 5; round++) {
      const seen = await crowd(run.server, requests, run.right, 20, 1, round);
      assert.equal(seen.errors, 0);
      assert.equal(seen.closed, 0);
    }
    assert.ok(run.faults.get("acceptFaults") > 10);
    await finish(run);
  });

  for (const [chance, seed] of [[1000, 1], [20000, 2], [200000, 3]]) {
    test(`${program}: one allocation in ${1000000 / chance} fails`, async () => {
      const run = await begin();
      run.faults.set({ seed, alloc: chance });
      const seen = await crowd(run.server, requests, run.right, 8, 3 * requests.length);
      assert.ok(run.faults.get("allocFailed") > 0);
      if (chance > 1000) assert.ok(seen.errors + seen.closed > 0);
      await finish(run);
    });
  }

  test(`${program}: everything at once, and a stop in the middle of it`, async () => {
    const run = await begin();
    run.faults.set({ seed: 11, alloc: 5000, io: 2000, accept: 1000 });
    await crowd(run.server, requests, run.right, 10, requests.length);
    run.server.child.kill("SIGTERM");
    assert.deepEqual(await run.server.exited, { code: 0, signal: null });
  });
}
