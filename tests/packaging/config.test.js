// The configuration file, `config`, `health`, SIGHUP, and what a service manager is told.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { until } from "../api/lib/until.js";
import { startService } from "../api/service.js";

const BUILD = process.env.BUILD || "build";
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "config-"));
after(() => fs.rmSync(folder, { recursive: true }));
const file = (name, text) => {
  const full = path.join(folder, name);
  fs.writeFileSync(full, text);
  return full;
};
const run = (program, args, env = {}) => {
  const { PLATEN_CONFIG, HYGRO_CONFIG, ...clean } = process.env;
  return spawnSync(`${BUILD}/${program}`, args, { encoding: "utf8", env: { ...clean, ...env } });
};
// name -> [value, where it came from]
const values = (text) => Object.fromEntries(text.trim().split("\n").map((line) => {
  const found = /^(?:# )?([a-z-]+) = (.*?) +# (.*)$/.exec(line);
  assert.ok(found, line);
  return [found[1], [found[2], found[3]]];
}));

test("a flag wins over the environment, that over the file, that over the default; config says which it was", () => {
  const config = file("four.conf", "# a file\n\nmax-body = 1MiB\r\nmax-queue=7   # why\nworkers = 3\nobjects =\n");
  const result = run("platen", ["config", "--config", config, "--max-body", "3MiB"], { PLATEN_MAX_QUEUE: "9" });
  assert.equal(result.stderr, "");
  assert.equal(result.status, 0);
  const seen = values(result.stdout);
  assert.deepEqual(seen["max-body"], ["3MiB", "--max-body"]);
  assert.deepEqual(seen["max-queue"], ["9", "PLATEN_MAX_QUEUE"]);
  assert.deepEqual(seen.workers, ["3", `${config}:5`]);
  assert.deepEqual(seen["max-labels"], ["500", "default"]);
  assert.deepEqual(seen.config, [config, "--config"]);
});
test("a misspelt variable is named on standard error, with the one that it may have meant, and ends nothing", async () => {
  const env = { PLATEN_MAX_BODDY: "1MiB", PLATEN_API_KEY: "x", PLATEN_LOG_LEVEL: "debug", PLATEN_MAX_URI: "999", PLATEN_PORT: "9000", PLATEN_EMPTY: "", HYGRO_MAX_URl: "999" };
  // Those of other commands, and what Kubernetes sets for services that are called platen and platen-broker.
  const others = {
    PLATEN_BROKER: "amqp://localhost", PLATEN_WORK_LISTEN: "127.0.0.1:0", PLATEN_FONTS: "/usr/share/fonts", PLATEN_SERVICE_HOST: "10.0.0.1", PLATEN_SERVICE_PORT: "8080", PLATEN_SERVICE_PORT_HTTP: "8080",
    PLATEN_PORT_8080_TCP: "tcp://10.0.0.1:8080", PLATEN_PORT_8080_TCP_PROTO: "tcp", PLATEN_BROKER_SERVICE_HOST: "10.0.0.2", PLATEN_BROKER_PORT: "tcp://10.0.0.2:5672", PLATEN_BROKER_PORT_5672_TCP_ADDR: "10.0.0.2",
    PLATEN_PORT_A_PORT_80_TCP: "tcp://10.0.0.3:80", PLATEN_PORT_PORT_80_UDP_PROTO: "udp", PLATEN_WORK_CERT: "/cert", PLATEN_WORK_CA: "/ca", PLATEN_WORK_KEY: "/key",
  };
  const lines = (program, command) => [
    `${program} ${command}: PLATEN_API_KEY is not an option; did you mean PLATEN_API_KEY_FILE?`, `${program} ${command}: PLATEN_LOG_LEVEL is not an option; --help lists them`,
    `${program} ${command}: PLATEN_MAX_BODDY is not an option; did you mean PLATEN_MAX_BODY?`, `${program} ${command}: PLATEN_PORT is not an option; --help lists them`,
  ];
  const config = run("platen", ["config"], { ...env, ...others });
  assert.deepEqual(config.stderr.trim().split("\n").sort(), lines("platen", "config"));
  assert.equal(config.status, 0);
  assert.deepEqual(values(config.stdout)["max-uri"], ["999", "PLATEN_MAX_URI"]);
  assert.equal(values(config.stdout)["max-body"][1], "default");
  assert.equal(run("platen", ["config"], { ...others, PLATEN_PORT: "tcp://10.0.0.1:8080" }).stderr, "");
  assert.equal(run("hygro", ["config"], env).stderr, "hygro config: HYGRO_MAX_URl is not an option; did you mean HYGRO_MAX_URI?\n");
  const service = await startService("platen", ["--log", "off"], { ...env, ...others });
  assert.deepEqual(service.output().split("\n").filter((line) => / is not an option/.test(line)).sort(), lines("platen", "serve"));
  await service.stop();
});
test("variables that are nearly those of other commands are named, on one line each, and 3,000 of them are cut off", () => {
  const told = (args, env) => run("platen", args, env).stderr.trim().split("\n");
  const brokr = (command) => `platen ${command}: PLATEN_BROKR is not an option; did you mean PLATEN_BROKER?`;
  assert.deepEqual(told(["config"], { PLATEN_BROKR: "amqp://localhost" }), [brokr("config")]);
  assert.deepEqual(told(["config"], { PLATEN_WORK_ERS: "3" }), ["platen config: PLATEN_WORK_ERS is not an option; did you mean PLATEN_WORKERS?"]);
  // These have another program, which may not be there. What is an option of serve is none of theirs.
  for (const command of ["submit", "collect", "batch", "work"]) {
    const lines = told([command, "--none"], { PLATEN_BROKR: "amqp://localhost", PLATEN_MAX_BODDY: "1MiB", PLATEN_BROKER_PORT: "tcp://10.0.0.2:5672" });
    assert.deepEqual(lines.filter((line) => / is not an option/.test(line)), [brokr(command)]);
    assert.doesNotMatch(run("platen", [command, "--none"], { PLATEN_BROKER: "amqp://localhost" }).stderr, / is not an option/);
  }
  assert.deepEqual(told(["config"], { "PLATEN_A\nplaten: all is well\u001b[2J": "1" }), ["platen config: PLATEN_A?platen:?all?is?well?[2J is not an option; --help lists them"]);
  const many = told(["config"], Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`PLATEN_NONE_${i}`, "1"])));
  assert.equal(many.length, 21);
  assert.equal(many[20], "platen config: there are more variables that are not options");
});
test("every option of serve is a name of the file, and what config prints is such a file", () => {
  for (const program of ["platen", "hygro"]) {
    const help = run(program, ["serve", "--help"]).stdout;
    const names = [...help.matchAll(/^ {2}--([a-z-]+)/gm)].map((m) => m[1]).filter((name) => name !== "help");
    const first = run(program, ["config", "--max-uri", "999", "--api-key-file", "/keys/#x"]).stdout;
    assert.deepEqual(Object.keys(values(first)), names);
    const again = run(program, ["config", "--config", file(`${program}.conf`, first)]);
    assert.equal(again.stderr, "");
    for (const [name, [value]] of Object.entries(values(first))) if (name !== "config") assert.equal(values(again.stdout)[name][0], value, name);
    assert.equal(values(again.stdout)["api-key-file"][0], "/keys/#x");
  }
});
test("serve takes its options from the file that PLATEN_CONFIG or HYGRO_CONFIG names", async () => {
  for (const program of ["platen", "hygro"]) {
    const config = file("env.conf", "max-body = 12345\nlog = off\n");
    const service = await startService(program, [], { [`${program.toUpperCase()}_CONFIG`]: config });
    const health = await (await fetch(`${service.url}/api/health`)).json();
    assert.equal(health.limits.requestBodyBytes, 12345);
    await service.stop();
  }
});
test("what is wrong with a file is one line with its name and line, and status 2; a file that is not there is status 1", () => {
  const rows = [
    ["no-such = 1\n", /bad\.conf:1: there is no option 'no-such'$/],
    ["\n\nmax-body = much\n", /bad\.conf:3: max-body: 'much' is not a number of bytes/],
    ["max-body\n", /bad\.conf:1: a line is NAME = VALUE or begins with #$/],
    ["= 4\n", /bad\.conf:1: a line is/],
    ["log = off\nlog = json\n", /bad\.conf:2: 'log' is in line 1 already$/],
    ["config = other.conf\n", /bad\.conf:1: there is no option 'config'$/],
    ["listen = x\n", /--listen: 'x' is not HOST:PORT$/],
    ["cors = foo\n", /--cors: 'foo' is not an origin/],
    ["allow-host = http://x y\n", /--allow-host: .* is not a host name/],
    ["max-queue = 0\n", /bad\.conf:1: max-queue: 0 is not between 1 and 1000000$/],
    ["log = off\0\n", /is not text$/],
    [`# ${"x".repeat(2 << 20)}\n`, /larger than 1 MiB$/, 1],
    [`${"y".repeat(5000)} = 1\n`, /there is no option 'y+'$/],
  ];
  for (const [text, message, status = 2] of rows) {
    for (const command of ["config", "serve"]) {
      const result = run("hygro", [command, "--config", file("bad.conf", text)]);
      assert.match(result.stderr.trim(), message);
      assert.equal(result.stderr.trim().split("\n").length, 1);
      assert.equal(result.status, status, text.slice(0, 40));
    }
  }
  assert.equal(run("hygro", ["config", "--config", path.join(folder, "none")]).status, 1);
  assert.equal(run("hygro", ["config", "--config", folder]).status, 1);
  assert.equal(run("hygro", ["config", "word"]).status, 2);
});
test("addresses of printers are checked by config as by serve", () => {
  for (const [option, value, message] of [
    ["print-to", "x y", /--print-to: 'x y' is not HOST:PORT$/], ["print-to", "a:9100,b", /--print-to: 'b' is not HOST:PORT$/], ["print-to", `${"a".repeat(200)}:9100`, /--print-to: 'a+:9100' is not HOST:PORT$/],
    ["print-to", "a:99999", /is not HOST:PORT$/], ["forward", "x", /--forward: 'x' is not HOST:PORT$/], ["webhook", "ftp://x", /--webhook: .* is not a URL/], ["printer", "name=a,dpmm=9", /--printer: 'dpmm' is '9'/],
    ["printer-discovery", "x", /--printer-discovery: 'x' is not HOST:PORT$/], ["printer-mdns", "::1", /--printer-mdns: '::1' is not an IPv4 address/], ["printer", "json=x", /--printer: 'x' is not HOST:PORT$/],
    ["printer", "lpd=x", /--printer: 'x' is not HOST:PORT$/], ["printer", "name=a,size=auto,name=b", /--printer: 'name' is given twice for one printer$/],
  ]) {
    for (const command of ["config", "serve"]) {
      const result = run("platen", [command, "--listen", "127.0.0.1:0", "--config", file("bad.conf", `${option} = ${value}\n`)]);
      assert.match(result.stderr.trim(), message);
      assert.equal(result.status, 2, `${command} ${value}`);
    }
  }
  assert.equal(run("platen", ["config", "--print-to", "a:9100, [::1]:9100,", "--forward", "b:1", "--webhook", "http://c/d", "--printer", "127.0.0.1:9100,lpd=:515", "--printer-discovery", ":4201", "--printer-mdns", "127.0.0.1"]).status, 0);
});
test("a time without a unit is milliseconds, and config says so", () => {
  const seen = values(run("platen", ["config", "--config", file("bare.conf", "render-timeout = 10\nidle-timeout = 20s\ndrain-delay = 0\nmax-body = 10\n")]).stdout);
  assert.deepEqual(["render-timeout", "idle-timeout", "drain-delay", "max-body"].map((name) => seen[name][0]), ["10ms", "20s", "0", "10"]);
});
for (const program of ["platen", "hygro"]) {
  test(`${program}: SIGHUP ended the service; now it has the key file read anew, also one that was replaced`, async () => {
    const keys = file(`${program}.keys`, "old\n");
    const service = await startService(program, ["--api-key-file", keys, "--log", "off", "--sandbox", "on"]);
    const status = async (key) => (await fetch(`${service.url}/metrics`, { headers: { "X-API-Key": key } })).status;
    assert.equal(await status("old"), 200);
    assert.equal(await status("new"), 401);
    fs.renameSync(file("next.keys", "new\nnewer\n"), keys);
    service.child.kill("SIGHUP");
    await until(async () => (await status("new")) === 200, "the new key holds");
    assert.equal(await status("old"), 401, "a key that was taken out is refused");
    await until(() => /SIGHUP: 2 API keys read\n/.test(service.output()), "it says so");
    // What cannot be taken leaves the keys as they are.
    for (const [text, message] of [["# none\n", /holds no key; the keys stay as they were/], [null, /cannot read .*the keys stay/], ["k".repeat((1 << 20) + 1), /File too large; the keys stay/]]) {
      if (text === null) fs.rmSync(keys);
      else fs.writeFileSync(keys, text);
      service.child.kill("SIGHUP");
      await until(() => message.test(service.output()), String(message));
      assert.equal(await status("newer"), 200);
    }
    fs.writeFileSync(keys, "last\n");
    for (let i = 0; i < 300; i++) service.child.kill("SIGHUP");
    await until(async () => (await status("last")) === 200, "the last key holds");
    await service.stop();
  });
  test(`${program}: SIGHUP without a key file changes nothing`, async () => {
    const service = await startService(program, ["--log", "off"]);
    for (let i = 0; i < 10; i++) service.child.kill("SIGHUP");
    await until(async () => (await fetch(`${service.url}/api/health`)).status === 200, "it answers");
    await service.stop();
  });
  test(`${program} health: 0 while it serves, 1 while it stops or is not there`, async () => {
    const service = await startService(program, ["--log", "off", "--drain-delay", "3s"]);
    const listen = service.url.slice("http://".length);
    const well = run(program, ["health", "--listen", listen]);
    assert.equal(well.stderr, "");
    assert.equal(well.status, 0);
    assert.equal(JSON.parse(well.stdout).service, program);
    const other = run(program === "platen" ? "hygro" : "platen", ["health", "--listen", listen]);
    assert.equal(other.status, 1, "another service is not this one");
    assert.match(other.stderr, /what answers here is not (platen|hygro)/);
    const ended = new Promise((resolve) => service.child.once("exit", resolve));
    service.child.kill("SIGTERM");
    await until(() => run(program, ["health", "--listen", listen]).status === 1, "it stops");
    await ended;
    const gone = run(program, ["health", "--listen", listen]);
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /Connection refused/);
    assert.equal(run(program, ["health", "--listen", "nonsense"]).status, 2);
  });
  test(`${program} tells a service manager when it is ready and when it stops`, async () => {
    // Node has no datagram sockets of this family; Python, which meson needs, has.
    const socket = path.join(folder, `${program}.notify`);
    const listener = spawn("python3", ["-c", `import socket,sys
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound",flush=True)
for i in range(2): print(s.recv(1000).decode(),flush=True)`, socket]);
    let heard = "";
    listener.stdout.on("data", (data) => { heard += data; });
    await until(() => heard === "bound\n", "the manager listens");
    const service = await startService(program, ["--log", "off"], { NOTIFY_SOCKET: socket });
    await until(() => heard === "bound\nREADY=1\n", "it is ready");
    await service.stop();
    await until(() => heard === "bound\nREADY=1\nSTOPPING=1\n", "it stops");
  });
}

test("several --printer are one value, as of `platen serve`; `platen printer --help` names itself", () => {
  const shown = run("platen", ["config", "--printer", "name=a,listen=127.0.0.1:9101", "--printer=name=b,listen=127.0.0.1:9102"]);
  assert.deepEqual(values(shown.stdout).printer, ["name=a,listen=127.0.0.1:9101;name=b,listen=127.0.0.1:9102", "--printer"]);
  assert.match(run("platen", ["printer", "--help"]).stdout, /^usage: platen printer \[options\]/);
});
