// Programs of a deployment, started for a test.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import { freePort } from "../api/lib/free-port.js";
import { serving, watch } from "../api/lib/children.js";
import { sleep, until } from "../api/lib/until.js";
export { freePort, sleep };

export const BUILD = process.env.BUILD || "build";
// Debian keeps daemons out of a user's PATH.
export const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
export const has = (program) => spawnSync("sh", ["-c", `command -v ${program}`], { env: { ...process.env, PATH } }).status === 0;
export const run = (program, args, options = {}) => {
  const done = spawnSync(program, args, { encoding: "utf8", env: { ...process.env, PATH }, ...options });
  return { status: done.status, output: `${done.stdout ?? ""}${done.stderr ?? ""}${done.error ?? ""}` };
};

export const status = (port, where = "/api/health", headers = {}) => new Promise((resolve) => {
  http.get({ port, host: "127.0.0.1", path: where, agent: false, headers }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  }).on("error", () => resolve(0));
});

export async function startPlaten(port, args = []) {
  const child = watch(spawn(`${BUILD}/platen`, ["serve", "--listen", `127.0.0.1:${port}`, "--log", "off", "--workers", "2", "--trust-proxy", "on", ...args], { stdio: ["ignore", "inherit", "pipe"] }));
  await until(async () => (await status(port)) === 200, "Platen to serve");
  serving(child);
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      assert.equal(code, 0, "it ends with everything answered");
    },
  };
}
export async function startProgram(program, args, port) {
  const child = watch(spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, PATH } }));
  let said = "";
  child.stderr.on("data", (data) => { said += data; });
  await until(async () => {
    if (child.exitCode !== null) assert.fail(`${program}: ${said}`);
    return (await status(port)) === 200;
  }, `${program} to serve`);
  serving(child);
  return {
    port,
    async stop() {
      if (child.kill("SIGTERM")) await once(child, "exit");
    },
  };
}
// The files of deploy/ with the addresses of the test.
export function haproxyConfig(port, ports) {
  let text = fs.readFileSync("deploy/haproxy.cfg", "utf8").replace("bind :80\n", `bind 127.0.0.1:${port}\n`);
  ports.forEach((each, i) => { text = text.replace(`10.0.0.1${i + 1}:8080`, `127.0.0.1:${each}`); });
  return text;
}
export function nginxConfig(folder, port, ports, extra = "") {
  const lines = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`).join("\n");
  return nginxAlone(folder, fs.readFileSync("deploy/nginx.conf", "utf8").replace("listen 80;", `listen 127.0.0.1:${port};\n${extra}`)
    .replace("server platen:8080 max_fails=1 fail_timeout=2s;", lines).replace("hygro:8081", "127.0.0.1:9"));
}
// What ingress-nginx makes of Ingress objects: a server for each host, for each path a location with the annotations of its Ingress.
export function ingressConfig(folder, port, ports, manifests) {
  const hosts = {};
  for (const { metadata: { annotations }, spec } of manifests.filter((each) => each.kind === "Ingress")) {
    const note = (name) => annotations[`nginx.ingress.kubernetes.io/${name}`];
    const settings = `client_max_body_size ${note("proxy-body-size")}; proxy_next_upstream ${note("proxy-next-upstream")}; proxy_read_timeout ${note("proxy-read-timeout")}s;`;
    for (const { host, http: { paths } } of spec.rules) {
      for (const { path: where, pathType, backend } of paths) {
        const places = pathType === "Exact" ? [`= ${where}`] : where === "/" ? ["/"] : [`= ${where}`, `${where}/`];
        const does = backend.service.name === "closed" ? "return 503;" : `proxy_pass http://pods; ${settings}`;
        for (const place of places) (hosts[host] ??= []).push(`location ${place} { ${does} }`);
      }
    }
  }
  const servers = Object.entries(hosts).map(([host, locations]) => `server {\nlisten 127.0.0.1:${port};\nserver_name ${host};\nproxy_http_version 1.1;\nproxy_set_header Connection "";\n${locations.join("\n")}\n}`);
  return nginxAlone(folder, `upstream pods {\n${ports.map((each) => `server 127.0.0.1:${each};`).join("\n")}\n}\n${servers.join("\n")}\n`);
}
function nginxAlone(folder, site) {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  // As root nginx would give its work to a user who cannot write here.
  const user = process.getuid() === 0 ? "user root;\n" : "";
  return `${user}daemon off;\npid ${folder}/pid;\nerror_log stderr warn;\nworker_processes 1;\nevents { worker_connections 2048; }\nhttp {\naccess_log off;\n${paths}\n${site}}\n`;
}
export const openssl = (...args) => execFileSync("openssl", args, { stdio: "ignore" });
