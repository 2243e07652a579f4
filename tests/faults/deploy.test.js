// The files of deploy/ agree with the programs: every flag and variable they use exists, ports and times fit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { BUILD } from "../api/lib/server.js";

const files = Object.fromEntries(fs.readdirSync("deploy", { withFileTypes: true }).filter((each) => each.isFile()).map(({ name }) => [name, fs.readFileSync(`deploy/${name}`, "utf8")]));
const help = Object.fromEntries(["platen", "hygro"].map((name) => [name, execFileSync(path.join(BUILD, name), ["serve", "--help"]).toString()]));
help.work = execFileSync(path.join(BUILD, "platen"), ["work", "--help"]).toString();
const seconds = (program, flag) => Number(new RegExp(`--${flag}[^\\n]*\\n[^\\n]*\\[default: (\\d+)s`).exec(help[program])[1]);
// Comments say how the files are used; their commands must exist as well.
const uses = [];
for (const [name, text] of Object.entries(files)) {
  for (const line of text.split("\n")) {
    const command = /\b(platen|hygro)\W+serve\b(.*)/.exec(line);
    if (command) for (const [flag] of command[2].matchAll(/--[a-z][a-z-]*/g)) uses.push({ name, program: command[1], flag });
    if (/enableServiceLinks/.test(line)) continue; // it names what is no option
    for (const [variable, prefix] of line.matchAll(/\b(PLATEN|HYGRO)_[A-Z_]+/g)) uses.push({ name, program: variable.startsWith("PLATEN_WORK_") ? "work" : prefix.toLowerCase(), variable });
  }
}

test("flags and variables exist", () => {
  assert.ok(uses.some((use) => use.flag) && uses.some((use) => use.variable));
  for (const { name, program, flag, variable } of uses)
    assert.match(help[program], new RegExp(flag ? `^ {2}${flag}\\b` : `\\b${variable}\\b`, "m"), `${name}: ${flag ?? variable}`);
});

test("systems that stop a service wait longer than it drains", () => {
  // First it waits for those who watch its health, then for work in flight.
  const stops = (program) => seconds(program, "drain-delay") + seconds(program, "drain-timeout");
  for (const program of ["platen", "hygro"]) {
    const drain = stops(program);
    assert.ok(Number(/TimeoutStopSec=(\d+)/.exec(files[`${program}.service.in`])[1]) > drain, `${program}.service.in`);
  }
  const drain = stops("platen");
  assert.ok(Number(/terminationGracePeriodSeconds: (\d+)/.exec(files["kubernetes.yaml"])[1]) > drain, "kubernetes.yaml");
  for (const [, grace] of files["compose.yaml"].matchAll(/stop_grace_period: (\d+)s/g)) assert.ok(Number(grace) > drain, "compose.yaml");
  assert.equal([...files["compose.yaml"].matchAll(/stop_grace_period/g)].length, 2);
});

test("proxies wait longer than a render may take, and let bodies through", () => {
  const render = seconds("platen", "render-timeout");
  assert.ok(Number(/proxy_read_timeout (\d+)s/.exec(files["nginx.conf"])[1]) > render);
  assert.ok(Number(/timeout server (\d+)s/.exec(files["haproxy.cfg"])[1]) > render);
  assert.match(files["nginx.conf"], /client_max_body_size 8m;/);
  assert.match(help.platen, /--max-body[^\n]*\n[^\n]*\[default: 8MiB/);
});

test("proxies say who the client is, and services behind them believe it", () => {
  assert.match(files["nginx.conf"], /proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/);
  assert.match(files["haproxy.cfg"], /^ *option forwardfor$/m);
  for (const prefix of ["PLATEN", "HYGRO"]) assert.match(files["compose.yaml"], new RegExp(`${prefix}_TRUST_PROXY: "on"`));
  // Only the proxy is reached from outside.
  assert.equal([...files["compose.yaml"].matchAll(/^ +ports:/gm)].length, 1);
});

test("services that proxies reach under an outside name listen where names are not checked", () => {
  assert.match(files["nginx.conf"], /proxy_set_header Host \$http_host;/);
  assert.match(files.Dockerfile, /PLATEN_LISTEN=0\.0\.0\.0:8080 HYGRO_LISTEN=0\.0\.0\.0:8081/);
  assert.match(files["kubernetes.yaml"], /"--listen", "0\.0\.0\.0:8080"/);
  for (const program of ["platen", "hygro"]) assert.match(fs.readFileSync(`packaging/${program}.conf`, "utf8"), /allow-host/);
});
