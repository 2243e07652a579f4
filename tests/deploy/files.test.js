// The files of deploy/, as the programs read them that they are for.
import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { startService } from "../api/service.js";
import { freePort, haproxyConfig, has, ingressConfig, nginxConfig, openssl, run, startPlaten, startProgram, status } from "./lib.js";
import { parse } from "./manifests.js";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deploy-"));
after(() => fs.rmSync(folder, { recursive: true }));
const file = (name, text) => {
  const full = path.join(folder, name);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
  return full;
};
const needs = (program) => ({ skip: !has(program) && `${program} is not installed` });
const clean = (done) => assert.equal(done.status, 0, done.output);

test("haproxy -c takes haproxy.cfg without a warning, also with TLS", needs("haproxy"), () => {
  const text = haproxyConfig(8000, [1, 2]);
  const plain = run("haproxy", ["-c", "-f", file("haproxy.cfg", text)]);
  clean(plain);
  assert.doesNotMatch(plain.output, /WARNING|ALERT/);
  openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=labels.example.org", "-days", "2", "-keyout", `${folder}/key`, "-out", `${folder}/cert`);
  file("certs/site.pem", fs.readFileSync(`${folder}/cert`, "utf8") + fs.readFileSync(`${folder}/key`, "utf8"));
  const tls = text.replace("# bind :443 ssl crt /etc/haproxy/certs/", `bind 127.0.0.1:8443 ssl crt ${folder}/certs/`).replace("# http-request redirect", "http-request redirect");
  assert.notEqual(tls, text);
  const secure = run("haproxy", ["-c", "-f", file("haproxy-tls.cfg", tls)]);
  clean(secure);
  assert.doesNotMatch(secure.output, /WARNING|ALERT/);
});
test("nginx -t takes nginx.conf without a warning, also with nginx-tls.conf", needs("nginx"), () => {
  openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=labels.example.org", "-days", "2", "-keyout", `${folder}/n.key`, "-out", `${folder}/n.pem`);
  const tls = fs.readFileSync("deploy/nginx-tls.conf", "utf8").replace("listen 443", "listen 127.0.0.1:8443").replaceAll("/etc/ssl/labels.example.org", `${folder}/n`);
  for (const extra of ["", tls]) {
    const done = run("nginx", ["-t", "-c", file("nginx.conf", nginxConfig(folder, 8000, [1, 2], extra)), "-p", folder, "-e", "stderr"]);
    clean(done);
    assert.doesNotMatch(done.output, /\[(warn|emerg)\]/);
  }
});
for (const [program, start] of [
  ["haproxy", (port, to) => startProgram("haproxy", ["-db", "-f", file("h.cfg", haproxyConfig(port, [to, to]))], port)],
  ["nginx", (port, to) => startProgram("nginx", ["-c", file("n.conf", nginxConfig(folder, port, [to])), "-p", folder, "-e", "stderr"], port)],
]) {
  test(`${program}: long targets and bodies come through as the limits say, metrics do not`, needs(program), async () => {
    const platen = await startPlaten(await freePort(), ["--rate-limit", "10", "--rate-burst", "10"]);
    const proxy = await start(await freePort(), platen.port);
    try {
      for (const path of ["/metrics", "/%6detrics", "/metric%73"]) assert.equal(await status(proxy.port, path), 404, path);
      assert.equal(await status(platen.port, "/metrics"), 200);
      const target = (bytes) => `/v1/printers/8dpmm/labels/4x6/0/^XA^GB9,9,9^FS${"^FX".padEnd(bytes - 60, "x")}^XZ`;
      assert.equal(await status(proxy.port, target(16000)), 200, "a target of nearly 16 KiB");
      const post = async (bytes) => (await fetch(`http://127.0.0.1:${proxy.port}/api/render`, { method: "POST", body: `^XA^GB9,9,9^FS^FX${"x".repeat(bytes)}^FS^XZ`, headers: { "Content-Type": "application/zpl" } })).status;
      assert.equal(await post(8_300_000), 200, "a body of nearly 8 MiB");
      assert.equal(await post(8_400_000), 413);
      {
        // nginx stops sending a request when its answer begins: behind a proxy the service takes a body that fits whole. HAProxy streams a larger one.
        const rows = Array.from({ length: program === "nginx" ? 13 : 20 }, (_, i) => JSON.stringify({ id: `${i}`, zpl: `^XA^GB9,9,9^FS^FX${"x".repeat(600_000)}^FS^XZ` })).join("\n");
        const batch = await fetch(`http://127.0.0.1:${proxy.port}/api/batch`, { method: "POST", body: rows, headers: { "Content-Type": "application/x-ndjson" } });
        assert.deepEqual([batch.status, (await batch.text()).match(/"id":"\d+"/g)?.length], [200, rows.split("\n").length], "a large batch comes through");
      }
      // What a client says about its own address does not make it another client.
      const statuses = [];
      for (let i = 0; i < 60; i++) statuses.push(await status(proxy.port, "/api/nothing", { "X-Forwarded-For": `192.0.2.${i}` }));
      assert.ok(statuses.includes(429), statuses.join(" "));
    } finally {
      await proxy.stop();
      await platen.stop();
    }
  });
}
// A proxy may send a POST again that a machine has seen, if the route only computes. The routes are those of the running services, so a new one is here at once.
const MACHINES_NEVER_LEFT_ALONE = (text) => text.replaceAll(/^( *server 127[^;]*?)( max_fails=1 fail_timeout=2s)?;$/gm, "$1 max_fails=0;");
const startNginx = (name) => (port, text) => startProgram("nginx", ["-c", file(name, MACHINES_NEVER_LEFT_ALONE(text)), "-p", folder, "-e", "stderr"], port);
const manifests = parse(fs.readFileSync("deploy/kubernetes.yaml", "utf8"));
for (const [what, program, start, services] of [
  ["haproxy.cfg", "haproxy", (port, to) => startProgram("haproxy", ["-db", "-f", file("hr.cfg", haproxyConfig(port, to))], port), { platen: "127.0.0.1" }],
  ["nginx.conf", "nginx", (port, to) => startNginx("nr.conf")(port, nginxConfig(folder, port, to)), { platen: "127.0.0.1" }],
  ["kubernetes.yaml's Ingresses", "nginx", (port, to) => startNginx("ni.conf")(port, ingressConfig(folder, port, to, manifests)), { platen: "labels.example.org", hygro: "grain.example.org" }],
]) {
  test(`${what}: POST /api/print is not sent to a second machine, what only computes is`, needs(program), async () => {
    // Two machines that take a request and break the connection, as one does that dies in the middle.
    const seen = {};
    const machines = await Promise.all([1, 2].map(async () => {
      const server = http.createServer((request, answer) => {
        if (request.url === "/api/health") return answer.end("{}");
        seen[request.url] = (seen[request.url] ?? 0) + 1;
        request.resume().on("end", () => request.socket.destroy());
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }));
    const proxy = await start(await freePort(), machines.map((each) => each.address().port));
    try {
      for (const [service, host] of Object.entries(services)) {
        const running = await startService(service, ["--log", "off"]);
        const { paths } = await (await fetch(`${running.url}/openapi.json`)).json();
        await running.stop();
        const posts = Object.keys(paths).filter((each) => paths[each].post).map((each) => each.replace("{format}", "png").replaceAll(/\{\w+\}/g, "1"));
        const prints = posts.filter((each) => /^\/api\/print/.test(each));
        assert.deepEqual([posts.length > prints.length, prints.length > 2], [true, service === "platen"]);
        for (const where of posts) {
          await new Promise((resolve) => { // 502, or the connection breaks here too
            const request = http.request({ port: proxy.port, host: "127.0.0.1", path: where, method: "POST", agent: false, headers: { Host: host } }, (answer) => answer.resume().on("close", resolve));
            request.on("error", resolve).end("^XA^XZ");
          });
          if (prints.includes(where)) assert.equal(seen[where], 1, where);
          else assert.ok(seen[where] >= 2, `${where}: ${seen[where]}`);
        }
      }
    } finally {
      await proxy.stop();
      for (const each of machines) {
        each.closeAllConnections();
        each.close();
      }
    }
  });
}
test("both proxies wait longer for labels/next than it may take", () => {
  const longest = Number(/`timeout`: seconds \(30, up to (\d+)\)/.exec(fs.readFileSync("docs/api.md", "utf8"))[1]);
  const waits = [/labels\/next\$ \{[^}]*proxy_read_timeout (\d+)s;/.exec(fs.readFileSync("deploy/nginx.conf", "utf8")), /set-timeout server (\d+)s if \{ path_end \/labels\/next \}/.exec(fs.readFileSync("deploy/haproxy.cfg", "utf8")),
    /proxy-read-timeout: "(\d+)"/.exec(fs.readFileSync("deploy/kubernetes.yaml", "utf8"))].map((found) => Number(found[1]));
  for (const each of waits) assert.ok(each > longest, `${each}`);
});
// That of deploy/Dockerfile is a line for a shell; the image of tools/image has no shell, and a program for it.
test("the images' health checks are well for either service, and not for none", async () => {
  const command = /^HEALTHCHECK .*? CMD (.+)$/m.exec(fs.readFileSync("deploy/Dockerfile", "utf8"))[1];
  const build = path.resolve(process.env.BUILD || "build"), program = path.join(folder, "health");
  const [, flags] = /^\$\{CC:-cc\} (.+) -o "\$work\/root\/usr\/libexec\/platen\/health" packaging\/image_health\.c$/m.exec(fs.readFileSync("tools/image", "utf8"));
  clean(run(process.env.CC || "cc", [...flags.split(" "), "-o", program, "packaging/image_health.c"]));
  for (const running of ["platen", "hygro", ""]) {
    const env = { PATH: `${build}:/usr/bin:/bin`, PLATEN_LISTEN: `127.0.0.1:${await freePort()}`, HYGRO_LISTEN: `127.0.0.1:${await freePort()}` };
    const service = running && (await startService(running, ["--log", "off"]));
    if (running) env[`${running.toUpperCase()}_LISTEN`] = service.url.replace("http://", "");
    const done = [run("sh", ["-c", command], { env }), run(program, [], { env })];
    if (service) await service.stop();
    for (const each of done) assert.equal(each.status === 0, running !== "", each.output);
  }
});
test("systemd-analyze takes the units, and finds them as well confined as docs/operations.md says", needs("systemd-analyze"), () => {
  const rating = Number(/`systemd-analyze security` rates them ([\d.]+)/.exec(fs.readFileSync("docs/operations.md", "utf8"))[1]);
  for (const name of ["platen", "platen-work", "hygro"]) {
    const text = fs.readFileSync(`deploy/${name}.service.in`, "utf8").replaceAll("@bindir@", path.resolve(process.env.BUILD || "build")).replaceAll("@sysconfdir@", "/etc")
      .replace(/^Documentation=.*\n/m, ""); // the manual page is not installed here
    assert.doesNotMatch(text, /@[a-z]+@/);
    const unit = file(`${name}.service`, text);
    const verified = run("systemd-analyze", ["verify", "--man=no", unit]);
    clean(verified);
    assert.equal(verified.output.split("\n").filter((line) => line.includes(`${name}.service`)).join("\n"), "");
    const security = run("systemd-analyze", ["security", "--offline=yes", `--threshold=${Math.round(rating * 10)}`, unit]);
    clean(security);
  }
});
test("the units let I/O threads come before workers (decision 12) and renderers bound themselves", () => {
  for (const name of ["platen", "platen-work", "hygro"]) {
    const filters = [...fs.readFileSync(`deploy/${name}.service.in`, "utf8").matchAll(/^SystemCallFilter=(.*)$/gm)].map((m) => m[1]);
    assert.match(filters.at(-1), /^sched_setscheduler\b/);
    if (name !== "hygro") assert.match(filters.at(-1), /\bprlimit64\b/);
  }
});
test("the units let the services install their own filter, which systemd 252's @system-service did not", () => {
  for (const name of ["platen", "platen-work", "hygro"]) assert.match(fs.readFileSync(`deploy/${name}.service.in`, "utf8"), /^SystemCallFilter=sched_setscheduler .*\bseccomp$/m);
});
test("the units reload where procps is not installed: no /bin/kill", () => {
  for (const name of ["platen", "hygro"]) assert.match(fs.readFileSync(`deploy/${name}.service.in`, "utf8"), /^ExecReload=\/bin\/sh -c "kill -HUP \$MAINPID"$/m);
});
test("promtool takes the alert rules, and its own tests of them pass", needs("promtool"), () => {
  const done = run("promtool", ["check", "rules", "deploy/alerts.yaml"]);
  clean(done);
  clean(run("promtool", ["test", "rules", "tests/deploy/alerts.test.yaml"]));
});
test("alerts and the dashboard use metrics that the services have", async () => {
  const platen = await startPlaten(await freePort());
  await status(platen.port, "/api/nothing");
  const metrics = await (await fetch(`http://127.0.0.1:${platen.port}/metrics`)).text();
  await platen.stop();
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) => (type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])));
  for (const name of ["deploy/alerts.yaml", "deploy/grafana.json"]) {
    const used = new Set([...fs.readFileSync(name, "utf8").matchAll(/\b(?:platen|hygro)_[a-z_]+\b/g)].map((m) => m[0]));
    assert.ok(used.size > 3);
    for (const metric of used) assert.ok(known.has(metric.replace(/^hygro_/, "platen_")), `${name}: ${metric}`);
  }
  assert.ok(JSON.parse(fs.readFileSync("deploy/grafana.json", "utf8")).panels.length > 5);
});
test("no folder that was built on this machine comes into an image", () => {
  const lines = fs.readFileSync(".dockerignore", "utf8").split("\n");
  for (const line of ["/build*", "**/node_modules", ".git"]) assert.ok(lines.includes(line), line);
});
