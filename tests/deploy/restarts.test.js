// Two Platens behind each kind of balancer, restarted in turn under load from 64 connections: no request fails.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { freePort, haproxyConfig, has, nginxConfig, sleep, startPlaten, startProgram, status } from "./lib.js";
import { Load } from "./load.js";
import { startTcpBalancer } from "./tcp-balancer.js";

const CONNECTIONS = 64;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deploy-"));
after(() => fs.rmSync(folder, { recursive: true }));
const file = (name, text) => {
  const full = path.join(folder, name);
  fs.writeFileSync(full, text);
  return full;
};

async function restarts(name, startBalancer) {
  const ports = [await freePort(), await freePort()];
  const platens = await Promise.all(ports.map((port) => startPlaten(port)));
  const balancer = await startBalancer(await freePort(), ports);
  try {
    await sleep(1500); // both are known to be well
    assert.equal(await status(balancer.port, "/api/health", { "X-Forwarded-For": "192.0.2.1" }), 200);
    const load = new Load(balancer.port, CONNECTIONS);
    await sleep(1000);
    for (let i = 0; i < ports.length; i++) {
      await platens[i].stop();
      platens[i] = await startPlaten(ports[i]);
      await sleep(3000); // the balancer finds it again
    }
    const { sent, failures } = await load.stop();
    if (process.env.NUMBERS) fs.appendFileSync(process.env.NUMBERS, `${name}: ${failures.length} of ${sent} requests failed\n`);
    assert.deepEqual(failures.slice(0, 5), []);
    assert.ok(sent > 1000, `${sent} requests`);
  } finally {
    await balancer.stop();
    await Promise.all(platens.map((platen) => platen.stop()));
  }
}

test("behind HAProxy", { skip: !has("haproxy") && "haproxy is not installed" }, () =>
  restarts("HAProxy", (port, ports) => startProgram("haproxy", ["-db", "-f", file("haproxy.cfg", haproxyConfig(port, ports))], port)));
test("behind nginx", { skip: !has("nginx") && "nginx is not installed" }, () =>
  restarts("nginx", (port, ports) => startProgram("nginx", ["-c", file("nginx.conf", nginxConfig(folder, port, ports)), "-p", folder, "-e", "stderr"], port)));
test("behind a balancer of connections", () => restarts("TCP", (port, ports) => startTcpBalancer(ports)));
