// Renderers that are killed and stopped from outside, at random, under the load of a hundred clients: every answer is
// right or a documented error, none is another client's, and nothing is left over.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { test } from "node:test";
import { mayEnd } from "../api/lib/children.js";
import { processes, reaches, sleep, start, until } from "../api/lib/server.js";

const CLIENTS = 100, SECONDS = Number(process.env.FAULT_SECONDS ?? 6);
const name = (pid) => fs.readFileSync(`/proc/${pid}/comm`, "utf8").trim();
const renderers = (server) => processes(server.child.pid).filter((pid) => name(pid) === "platen-renderer");
const descriptors = (pid) => fs.readdirSync(`/proc/${pid}/fd`).length;
const random = (n) => Math.floor(Math.random() * n);

function post(server, agent, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${server.url}${path}`, { agent, method: "POST", headers: { "Content-Type": "text/plain" } }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, whole: response.complete, body: Buffer.concat(chunks) }));
      response.on("error", () => resolve({ status: response.statusCode, whole: false, body: Buffer.concat(chunks) }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const label = (text) => `^XA^FO20,20^A0N,40,40^FD${text}^FS^FO20,100^BCN,80^FD${text}^FS^XZ`;

test(`renderers killed and stopped at random under ${CLIENTS} clients`, async () => {
  const server = await start("platen", ["--workers", "2", "--render-timeout", "1s", "--max-client-connections", "0", "--log", "off"]);
  const agent = new http.Agent({ keepAlive: true });
  const counts = { right: 0, failed: 0, late: 0, cut: 0 };
  // What each text looks like, drawn while nothing is killed.
  const pictures = new Map();
  for (let i = 0; i < CLIENTS; i++) pictures.set(i, (await post(server, agent, "/api/render/png", label(`C${i}`))).body);
  const before = descriptors(server.child.pid), keeper = processes(server.child.pid)[1], keeperBefore = descriptors(keeper);
  const end = Date.now() + SECONDS * 1000;
  // However busy the machine is, of each kind there are some.
  const isOver = () => Date.now() >= end && counts.right > 200 && counts.failed > 0 && counts.late > 0;

  const client = async (i) => {
    while (!isOver()) {
      const batch = random(4) === 0;
      const texts = batch ? Array.from({ length: 12 }, () => random(CLIENTS)) : [i];
      const answer = await post(server, agent, `/api/render/${batch ? "json" : "png"}`, texts.map((t) => label(`C${t}`)).join(""));
      if (answer.status === 200 && answer.whole) {
        counts.right++;
        const got = batch ? JSON.parse(answer.body).labels.map((l) => Buffer.from(l.data, "base64")) : [answer.body];
        assert.equal(got.length, texts.length);
        got.forEach((picture, k) => assert.ok(picture.equals(pictures.get(texts[k])), `client ${i}: label ${k} is another one`));
      } else if (answer.status === 200) {
        counts.cut++;
      } else {
        const { code } = JSON.parse(answer.body);
        assert.ok(["render_failed", "render_timeout", "render_failed_before", "queue_full", "overloaded"].includes(code), `${answer.status} ${code}`);
        counts[answer.status === 503 ? "late" : "failed"]++;
      }
    }
  };
  let turns = 0;
  const killer = async () => {
    while (!isOver()) {
      await sleep(20 + random(120));
      const pid = renderers(server)[random(2)];
      const stops = ++turns % 8 === 0; // and is left to the service for longer than the limit
      try {
        if (pid) process.kill(pid, stops ? "SIGSTOP" : "SIGKILL");
      } catch {
        continue; // it was ended meanwhile
      }
      if (stops) await sleep(1500);
    }
  };
  await Promise.all([killer(), ...Array.from({ length: CLIENTS }, (_, i) => client(i))]);
  // One that was stopped last is replaced when it is asked.
  for (let good = 0; good < 4; ) good = (await post(server, agent, "/api/render/png", label("C7"))).status === 200 ? good + 1 : 0;
  agent.destroy();
  const rests = () => {
    const left = processes(server.child.pid);
    return [left.length, left.filter((pid) => !alive(pid)).length, descriptors(server.child.pid) <= before, descriptors(keeper)];
  };
  await until(() => String(rests()) === String([4, 0, true, keeperBefore]), { toString: () => `${[4, 0, true, keeperBefore]}; there is ${rests()}` });
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  console.log(JSON.stringify(counts));
});

const alive = (pid) => {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const allGone = (pids) => until(() => !pids.some(alive), "the end of all processes");

for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"]) {
  test(`after ${signal} no process is left`, async () => {
    const server = await start("platen", ["--workers", "3"]);
    const all = processes(server.child.pid);
    assert.equal(all.length, 5);
    server.child.kill(signal);
    await server.exited;
    await allGone(all);
  });
}

test("signals to the whole group, as from a terminal, let the service finish its work", async () => {
  const server = await start("platen", ["--workers", "1", "--drain-timeout", "15m", "--render-timeout", "15m", "--max-labels", "5000"]);
  const agent = new http.Agent();
  const slow = post(server, agent, "/api/render/pdf", Array.from({ length: 5000 }, (_, i) => label(`S${i}`)).join(""));
  await reaches(server, { http_workers_busy: 1 });
  const all = processes(server.child.pid);
  mayEnd(server.child);
  for (const pid of all) process.kill(pid, "SIGINT");
  const answer = await slow;
  assert.equal(answer.status, 200);
  assert.ok(answer.whole);
  assert.deepEqual(await server.exited, { code: 0, signal: null });
  await allGone(all);
});

test("without its keeper the service ends at once, and says so", async () => {
  const server = await start("platen", ["--workers", "1"]);
  const all = processes(server.child.pid);
  mayEnd(server.child);
  process.kill(all[1], "SIGKILL");
  assert.equal((await server.exited).code, 1);
  assert.match(server.stderr, /the process that keeps the others has gone/);
  await allGone(all);
});

test("a keeper that stands still does not hold the service up for ever", async () => {
  const server = await start("platen", ["--workers", "1"]);
  const all = processes(server.child.pid);
  process.kill(all[1], "SIGSTOP");
  process.kill(all[2], "SIGKILL");
  mayEnd(server.child);
  post(server, new http.Agent(), "/api/render/png", label("x")).catch(() => {});
  assert.equal((await server.exited).code, 1);
  assert.match(server.stderr, /the process that keeps the others does not answer/);
  await allGone(all);
});

test("a keeper that stands still does not keep the service from ending", async () => {
  const server = await start("platen", ["--workers", "1", "--drain-delay", "0"]);
  const all = processes(server.child.pid);
  process.kill(all[1], "SIGSTOP");
  server.child.kill("SIGTERM");
  await server.exited;
  await allGone(all);
});

test("a renderer has its channel and nothing else, and no core files", async () => {
  const server = await start("platen", ["--workers", "2"]);
  for (const pid of renderers(server)) {
    const read = () => fs.readFileSync(`/proc/${pid}/status`, "utf8");
    await until(() => /^Seccomp:\s+2/m.test(read()), "a renderer that has given up its rights"); // the service listens before that
    assert.deepEqual(fs.readdirSync(`/proc/${pid}/fd`).sort(), ["0", "1", "2", "3"]);
    for (const fd of ["0", "1", "2"]) assert.equal(fs.readlinkSync(`/proc/${pid}/fd/${fd}`), "/dev/null");
    const limits = fs.readFileSync(`/proc/${pid}/limits`, "utf8");
    assert.match(limits, /^Max core file size\s+0\s+0/m);
    assert.match(limits, /^Max address space\s+\d+\s+\d+/m);
    const status = read();
    assert.match(status, /^NoNewPrivs:\s+1/m);
    assert.match(status, /^Threads:\s+1$/m);
  }
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
