// Memory that runs out while a service starts: it either starts whole, or says in one line what is missing and ends with 1.
// A filter of system calls that cannot be had: it says so and serves. A damaged file on a simple file system: it is set aside.
import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { metrics, Raw } from "../api/lib/server.js";
import { Faults, folder } from "./faulty.js";
import { REQUESTS } from "./requests.js";

// The calls that fail: all of the first ones, then fewer and fewer, as most of a start reads one long document.
function calls(total) {
  const list = [];
  for (let n = 1; n <= total; n += n < 60 ? 7 : n < 300 ? 23 : 211) list.push(n);
  return list;
}

async function attempt(program, settings, probes) {
  const faults = new Faults(settings);
  const child = faults.spawn(program, ["serve", "--listen", "127.0.0.1:0", "--workers", "2"]);
  let out = "";
  let err = "";
  const timer = setTimeout(() => child.kill("SIGKILL"), 180_000);
  child.stderr.on("data", (data) => (err += data));
  const listening = new Promise((resolve) => {
    child.stdout.on("data", (data) => {
      out += data;
      if (out.includes("\n")) resolve(true);
    });
    child.once("close", () => resolve(false));
  });
  const closed = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
  let answers = null;
  let calls = 0;
  if (await listening) {
    // Only the start is looked at here.
    calls = faults.get("allocCalls");
    faults.set({ allocAt: 0, allocOn: 0 });
    answers = [];
    const port = Number(/:(\d+)\n/.exec(out)[1]);
    for (const bytes of probes) {
      const raw = await Raw.open(port);
      const { status, body } = await raw.send(bytes).response();
      answers.push(`${status} ${body.toString("base64")}`);
      raw.destroy();
    }
    child.kill("SIGTERM");
  }
  const end = await closed;
  clearTimeout(timer);
  return { ...end, err: err.replace(/^\w+ serve: running without the system call filter: .*\n/, ""), answers, calls };
}

for (const program of ["platen", "hygro"]) {
  test(`${program} that cannot have its system calls filtered says so in one line, and serves`, async () => {
    const server = await new Faults({ noFilter: 1 }).start(program);
    assert.equal((await metrics(server)).sandbox, 0);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    assert.equal(server.stderr, `${program} serve: running without the system call filter: Invalid argument\n`);
    const off = await new Faults({ noFilter: 1 }).start(program, ["--sandbox", "off"]);
    assert.deepEqual(await off.stop(), { code: 0, signal: null });
    assert.equal(off.stderr, "");
  });
  test(`${program} starts whole or not at all`, async () => {
    const probes = REQUESTS[program]().slice(0, 3);
    if (program === "platen") {
      // Fonts of the system and character sets of the C library are looked for at start only.
      probes.push(Buffer.from("POST /api/render/png HTTP/1.1\r\nHost: t\r\nContent-Type: text/plain\r\nContent-Length: 57\r\n\r\n^XA^CI15^FO10,10^A0N,40,40^FH^FD_93_FA_96_7B_82_A0^FS^XZ "));
      probes.push(Buffer.from("GET /api/commands HTTP/1.1\r\nHost: t\r\n\r\n"));
    }
    const good = await attempt(program, {}, probes);
    assert.deepEqual([good.code, good.err], [0, ""]);
    const queue = [...calls(good.calls).map((allocAt) => ({ allocAt })), ...[3, 40, 200, 1000].map((allocAt) => ({ allocAt, allocOn: 1 }))];
    let refused = 0;
    const work = async () => {
      for (let settings = queue.shift(); settings; settings = queue.shift()) {
        const run = await attempt(program, settings, probes);
        const where = `allocation ${settings.allocAt}${settings.allocOn ? " and all later ones" : ""}: ${run.err}`;
        assert.equal(run.signal, null, where);
        if (run.answers) {
          assert.equal(run.code, 0, where);
          assert.equal(run.err, "", where);
          for (const [i, answer] of run.answers.entries()) assert.ok(answer === good.answers[i], `${where} answer ${i}: ${answer.slice(0, 40)}`);
        } else {
          refused++;
          assert.equal(run.code, 1, where);
          assert.match(run.err, new RegExp(`^${program} serve: [^\n]*(memory|thread|event loop)[^\n]*\n$`, "i"), where);
        }
      }
    };
    await Promise.all([work(), work(), work()]);
    assert.ok(refused > 20);
  });
}

test("a damaged file of --state kept the service from starting on a file system without RENAME_NOREPLACE", async () => {
  const state = fs.mkdtempSync(path.join(folder, "state-"));
  const file = path.join(state, "dock.jobs");
  for (const aside of [`${file}.damaged`, `${file}.damaged-2`]) {
    fs.writeFileSync(file, "no jobs");
    const child = new Faults({ noFlags: 1 }).spawn("platen", ["serve", "--listen", "127.0.0.1:0", "--printer", "name=dock,listen=127.0.0.1:0", "--state", state]);
    let err = "";
    child.stderr.on("data", (data) => (err += data));
    const closed = once(child, "close");
    await Promise.race([once(child.stdout, "data"), closed]);
    child.kill("SIGTERM");
    assert.deepEqual(await closed, [0, null], err);
    assert.ok(err.includes(`platen: --state: ${file} is damaged: its jobs are not printed. It is now ${aside}\n`), err);
    assert.equal(fs.readFileSync(aside, "latin1"), "no jobs");
  }
});
