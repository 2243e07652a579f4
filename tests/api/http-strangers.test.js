// Pages of strangers: every route of both services, asked as browsers ask for a page of the service itself, of another origin, of an
// origin that --cors names, and as programs ask. A new route must be in the table here.
import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { HANG_MS, start } from "./lib/server.js";

// Who is answered: "any": every page; "cors": the service's own pages and those that --cors allows; "own": only its own, whatever --cors
// says; "door": nobody here, only on a printer's port with --browser-print.
const PLATEN = {
  "/api/health": "any",
  "/docs": "any",
  "/metrics": "own",
  "/api/render": "cors",
  "/api/render/{format}": "cors",
  "/api/batch": "cors",
  "/api/check": "cors",
  "/api/compare": "cors",
  "/api/zpl": "cors",
  "/api/image": "cors",
  "/api/font": "cors",
  "/mcp": "cors",
  "/v1/graphics": "cors",
  "/v1/fonts": "cors",
  "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}": "cors",
  "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/": "cors",
  "/v1/printers/{dpmm}dpmm/labels/{w}x{h}": "cors",
  "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/": "cors",
  "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/{zpl*}": "cors",
  "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{zpl*}": "cors",
  "/api/printers": "own",
  "/api/printers/events": "own",
  "/api/printers/{name}": "own",
  "/api/printers/{name}/labels": "own",
  "/api/printers/{name}/labels/next": "own",
  "/api/printers/{name}/labels/{file}": "own",
  "/api/printers/{name}/events": "own",
  "/api/printers/{name}/memory": "own",
  "/api/printers/{name}/reset": "own",
  "/api/printers/{name}/print": "own",
  "/api/printers/{name}/labels/{seq}/print-to": "own",
  "/api/printers/{name}/state": "own",
  "/api/print": "own",
  "/pstprnt": "cors",
  "/printer/pstprnt": "cors",
  "/zpl": "cors",
  "/printer/zpl": "cors",
  "/png": "cors",
  "/printer/png": "cors",
  "/config.html": "cors",
  "/available": "door",
  "/default": "door",
  "/config": "door",
  "/write": "door",
  "/read": "door",
};
const HYGRO = {
  "/": { GET: "any", POST: "cors" },
  "/api/health": "any",
  "/mcp": "cors",
  "/metrics": "own",
  "/api/calculate": { GET: "any", POST: "cors" },
  "/api/table": "any",
  "/api/air": "any",
  "/api/keeping": "any",
  "/api/verdict": "any",
  "/api/shrink": "any",
  "/api/hours": "cors",
};
// Files and documents: the core makes their routes, all alike.
const FILES = { platen: ["/", "/printer", "/openapi.json", "/llms.txt", "/llms-full.txt", "/docs/", "/api/commands", "/api/commands/epl", "/api/commands/tspl", "/api/commands/cpcl", "/api/printer-models"], hygro: ["/openapi.json", "/llms.txt", "/api/grains"] };

const VALUES = { format: "png", dpmm: "8", w: "1", h: "1", index: "0", "zpl*": "^XA^FDx^FS^XZ", name: "a", file: "latest.json", seq: "1" };
const fill = (pattern) => pattern.replace(/\{([^}]+)\}/g, (_, name) => VALUES[name]);
const BODY = { "/api/printers/{name}/state": "{}", "/write": '{"data":"^XA^XZ"}', "/read": "{}", "/": "grain=corn", "/zpl": "data=^XA^FDx^FS^XZ", "/printer/zpl": "data=^XA^FDx^FS^XZ" };
const SIMPLE_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

const STRANGER = "https://stranger.example";
const NAMED = "https://shop.example";
/** What --cors says, and whom it allows beside the service's own pages. */
const CORS = [
  { flags: [], allows: () => false },
  { flags: ["--cors", NAMED], allows: (who) => who === "named" },
  { flags: ["--cors", "*"], allows: () => true },
];
/** who: "own" (a page of the service, a program or a person), "named" (a page of the origin that a list of --cors has) or "stranger". */
const senders = (host) => [
  { who: "own", headers: {} },
  { who: "own", headers: { Origin: `http://${host}` } },
  { who: "own", headers: { Origin: `http://${host}`, "Sec-Fetch-Site": "same-origin" } },
  { who: "own", headers: { "Sec-Fetch-Site": "same-origin" } },
  { who: "own", headers: { "Sec-Fetch-Site": "none" } },
  { who: "own", headers: { "Sec-Fetch-Mode": "cors" } }, // node's fetch
  { who: "named", headers: { Origin: NAMED } },
  { who: "named", headers: { Origin: NAMED, "Sec-Fetch-Site": "cross-site" } },
  { who: "named", headers: { Referer: `${NAMED}/dashboard`, "Sec-Fetch-Site": "cross-site" } }, // a picture
  { who: "stranger", headers: { Origin: STRANGER } },
  { who: "stranger", headers: { Origin: "null" } },
  { who: "stranger", headers: { Origin: "http://127.0.0.1:1" } },
  { who: "stranger", headers: { Origin: `http://${host}.stranger.example` } },
  { who: "stranger", headers: { Origin: STRANGER, "Sec-Fetch-Site": "cross-site" } },
  { who: "stranger", headers: { Origin: "null", "Sec-Fetch-Site": "cross-site" } },
  { who: "stranger", headers: { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" } },
  { who: "stranger", headers: { "Sec-Fetch-Site": "cross-site" } },
  { who: "stranger", headers: { "Sec-Fetch-Site": "same-site" } },
  { who: "stranger", headers: { "Sec-Fetch-Site": "cross-site", Referer: `${STRANGER}/` } },
];

const agent = new http.Agent({ keepAlive: true, maxSockets: 12 });
after(() => agent.destroy());

/** The status, the code of a problem and the headers. An event stream is left when it has begun. */
function ask(port, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const request = http.request({ host: "127.0.0.1", port, method, path, headers: { ...headers, ...length }, agent }, (response) => {
      const { statusCode: status, headers: got } = response;
      if (/event-stream/.test(got["content-type"] ?? "")) {
        resolve({ status, headers: got });
        request.destroy();
        return;
      }
      let text = "";
      response.setEncoding("latin1").on("data", (data) => (text += data)).on("error", reject);
      response.on("end", () => resolve({ status, headers: got, text, code: /^\{"ok":false,.*"code":"(\w+)"/.exec(text)?.[1] }));
    });
    request.on("error", (error) => (request.destroyed && /event-stream/.test(request.res?.headers["content-type"] ?? "") ? undefined : reject(error)));
    request.end(body);
  });
}

async function routesOf(port) {
  const { text } = await ask(port, "GET", "/metrics", {});
  return [...new Set([...text.matchAll(/_http_request_seconds_count\{route="([^"]+)"\}/g)].map(([, pattern]) => pattern))];
}

/** What only a request that was carried out changes: counters of renders, jobs, labels, and of requests that a worker took. */
async function traces(port) {
  const { text } = await ask(port, "GET", "/metrics", {});
  return text.split("\n").filter((line) => /^platen_(renders|labels|printer|http_queue)\w*(_total|_count)[ {]/.test(line));
}

for (const [service, table, flags] of [["platen", PLATEN, ["--printer", "name=a,listen=127.0.0.1:0", "--printer-pages", "on"]], ["hygro", HYGRO, []]]) {
  const skip = process.env.TEST_ONLY_TESTD ? "only testd is built" : false;
  describe(`strangers' pages and ${service}`, { skip }, () => {
    test("the table has every route of the program, and no other", async () => {
      const server = await start(service, ["--log", "off", ...flags]);
      assert.deepEqual((await routesOf(server.port)).sort(), Object.keys(table).sort());
      const documented = Object.keys(JSON.parse((await ask(server.port, "GET", "/openapi.json", {})).text).paths);
      for (const path of documented) assert.ok(FILES[service].includes(path) || Object.keys(table).some((pattern) => fill(pattern) === fill(path.replace(/\{zpl\}/, "{zpl*}"))) || path.startsWith("/v1/"), path);
      await server.stop();
    });

    for (const { flags: cors, allows } of CORS) {
      describe(cors.join(" ") || "without --cors", { concurrency: 1 }, () => {
        let server, host;
        before(async () => {
          server = await start(service, ["--log", "off", ...flags, ...cors]);
          host = `127.0.0.1:${server.port}`;
        });
        after(async () => assert.deepEqual(await server.stop(), { code: 0, signal: null }));

        /** One request as one sender sends it: answered, or refused with nothing that its page could read. */
        async function hold(kind, { who, headers }, method, path, more, body) {
          const answer = await ask(server.port, method, path, { Host: host, ...headers, ...more }, body);
          const what = `${method} ${path} ${JSON.stringify({ ...headers, ...more })}: ${answer.status} ${answer.code}`;
          const allowed = kind === "any" || kind === "door" || who === "own" || (kind === "cors" && allows(who));
          if (method === "HEAD") assert.equal(answer.status === 403, !allowed, what);
          else assert.equal(answer.code === "other_origin", !allowed, what);
          if (kind === "door") assert.equal(answer.status, 404, what);
          assert.ok(answer.status < 500, what);
          if (!allowed) assert.equal(answer.headers["access-control-allow-origin"], undefined, what);
          if (!allowed && method !== "HEAD") assert.equal(answer.status, 403, what);
        }

        for (const [pattern, kinds] of Object.entries(table)) {
          test(pattern, async () => {
            const path = fill(pattern);
            const { allow } = (await ask(server.port, "OPTIONS", path, { Host: host })).headers;
            const methods = allow.split(", ").filter((method) => method !== "OPTIONS");
            const requests = [];
            for (const sender of senders(host)) {
              for (const method of methods) {
                const kind = typeof kinds === "string" ? kinds : kinds[method === "HEAD" ? "GET" : method];
                assert.ok(kind, `${method} ${pattern} is not in the table`);
                const query = pattern.endsWith("/next") ? "?timeout=0" : "";
                if (!["POST", "PUT"].includes(method)) requests.push([kind, sender, method, path + query, {}]);
                else for (const type of [...SIMPLE_TYPES, "application/json"]) requests.push([kind, sender, method, path, { "Content-Type": type }, BODY[pattern] ?? "^XA^FDx^FS^XZ"]);
              }
            }
            await Promise.all(requests.map((request) => hold(...request)));
          });
        }

        test("files and documents", async () => {
          for (const path of FILES[service]) for (const sender of senders(host)) await hold("any", sender, "GET", path, {});
        });

        test("a preflight of a stranger gets no permission", async () => {
          for (const [pattern, kinds] of Object.entries(table)) {
            const answer = await ask(server.port, "OPTIONS", fill(pattern), { Host: host, Origin: STRANGER, "Access-Control-Request-Method": "POST" });
            const open = cors[1] === "*" && kinds !== "own";
            assert.equal(answer.status, 204, pattern);
            for (const name of ["access-control-allow-origin", "access-control-allow-methods"]) assert.equal(name in answer.headers, open, `${pattern} ${name}`);
          }
        });
      });
    }
  });
}

describe("what strangers leave behind", { skip: process.env.TEST_ONLY_TESTD ? "only testd is built" : false }, () => {
  test("nothing is printed, drawn, changed or waits after their requests to every route", { timeout: 2 * HANG_MS }, async () => {
    const server = await start("platen", ["--log", "off", "--workers", "1", "--printer", "name=a,listen=127.0.0.1:0", "--printer-pages", "on"]);
    const before = await traces(server.port);
    assert.ok(before.length > 5, "there is something to compare");
    for (const [pattern, kind] of Object.entries(PLATEN)) {
      if (kind === "any" || kind === "door") continue;
      for (const headers of [{ Origin: STRANGER }, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }]) {
        for (const method of ["GET", "POST", "PUT", "DELETE"]) {
          // A waiting request that was taken would hold the walk up for its 60 s, and an event stream is no JSON.
          const query = pattern.endsWith("/next") ? "?timeout=60" : "";
          const answer = await ask(server.port, method, fill(pattern) + query, { Host: `127.0.0.1:${server.port}`, "Content-Type": "text/plain", ...headers }, method === "GET" ? undefined : BODY[pattern] ?? "^XA^FDx^FS^XZ");
          assert.ok(answer.code === "other_origin" || answer.status === 405, `${method} ${pattern}: ${answer.status} ${answer.code}`);
        }
      }
    }
    assert.deepEqual(await traces(server.port), before);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  test("the ports of a printer take no HTTP of a page unless --browser-print opens them", { timeout: 2 * HANG_MS }, async () => {
    const PAUSE = '{}{"device.pause":"true"}';
    for (const open of [false, true]) {
      const server = await start("platen", ["--log", "off", "--printer", "name=a,listen=127.0.0.1:0,json=127.0.0.1:0,lpd=127.0.0.1:0", "--browser-print", open ? "on" : "off"]);
      const ports = [...server.err.matchAll(/printer a.* on 127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
      assert.equal(ports.length, 3);
      const page = { Origin: STRANGER, "Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain" };
      // As a browser sends it; the connection ends with it, since the ports for JSON and LPD answer nothing that is HTTP.
      const post = (port, body) => new Promise((resolve) => {
        const socket = net.connect(port, "127.0.0.1").on("error", () => {}).on("close", resolve).resume();
        socket.end(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${STRANGER}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      });
      for (const port of ports) {
        for (const body of ["^XA^FDx^FS^XZ", PAUSE, '! U1 setvar "device.pause" "true"\r\n', "~PP"]) await post(port, body);
      }
      const written = await ask(ports[0], "POST", "/write", { Host: `127.0.0.1:${ports[0]}`, ...page }, '{"data":"^XA^FDx^FS^XZ"}');
      assert.equal(written.status, open ? 200 : 400);
      const after = JSON.parse((await ask(server.port, "GET", `/api/printers/a/labels/next?timeout=${open ? 20 : 0}`, {})).text);
      assert.equal(after.seq, open ? 1 : undefined, JSON.stringify(after));
      const state = JSON.parse((await ask(server.port, "GET", "/api/printers/a", {})).text);
      assert.equal(state.lastSeq, open ? 1 : 0);
      assert.equal(state.paused, false);
      await new Promise((resolve) => net.connect(ports[1], "127.0.0.1").on("close", resolve).resume().end(PAUSE));
      assert.equal(JSON.parse((await ask(server.port, "GET", "/api/printers/a", {})).text).paused, true, "without HTTP it is obeyed");
      await server.stop();
    }
  });
});
