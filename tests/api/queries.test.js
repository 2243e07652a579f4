// What a query says is done, refused or named, on every route: names that a route does not know, two values of one name, and values that the body contradicts.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { startPrinters } from "../printer/printer.js";
import { startService } from "./service.js";

const LABEL = "^XA^FO20,20^A0N,30^FDHello^FS^XZ";
const PICTURE = "P1 8 2 10101010 01010101";
const FONT = fs.readFileSync("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf");
const HYGRO = { "/api/calculate": "&grain=corn&ta=20&ur=60", "/api/table": "&grain=corn", "/api/air": "&ta=20&ur=60", "/api/keeping": "&grain=corn&grainTa=20&moisture=14",
  "/api/verdict": "&grain=corn&grainTa=20&moisture=14&ta=20&ur=60", "/api/shrink": "&from=20&to=14", "/api/hours": "&grain=corn" };
const HOURS = "time,temperature,humidity\n2026-07-01 00:00,20,85\n2026-07-01 01:00,25,60\n";
const FREE_TEXTS = ["filename", "name", "path", "unicodes", "instance", "match", "temperatureColumn", "humidityColumn"];
const JSON_TYPE = { "content-type": "application/json" };
let platen, hygro;
before(async () => {
  platen = await startPrinters(["dock"], ["--print-to", "127.0.0.1:1", "--printer-pages", "on"]);
  hygro = await startService("hygro");
});
after(async () => {
  await platen.stop();
  await hygro.stop();
});

const describe = async (service) => (await fetch(`${service.url}/openapi.json`)).json();
const form = (fields) => Object.entries(fields).reduce((data, [name, value]) => (data.append(name, value), data), new FormData());
const post = (path, body, headers = {}, service = platen) => fetch(service.url + path, { method: "POST", body, headers });
/** The address of an operation, with what it needs. */
function address(service, path, query) {
  const values = { name: "dock", dpmm: "8", w: "2", h: "1", index: "0", file: "latest.json", seq: "latest", format: "json", zpl: LABEL };
  return `${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]))}?${query}${service === hygro ? HYGRO[path] ?? "" : ""}`;
}
function sent(method, path) {
  const body = method === "get" || method === "delete" ? undefined
    : /image|graphics/.test(path) ? form({ file: PICTURE }) : /font/.test(path) ? form({ file: new Blob([FONT]) }) : /batch/.test(path) ? form({ file: LABEL }) : /hours/.test(path) ? new Blob([HOURS], { type: "text/csv" })
      : /compare/.test(path) ? JSON.stringify({ a: LABEL, b: LABEL }) : /calculate/.test(path) ? JSON.stringify({ grain: "corn", ta: 20, ur: 60 }) : /mcp/.test(path) ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : LABEL;
  const headers = typeof body === "string" && body[0] === "{" ? { ...JSON_TYPE, accept: "application/json, text/event-stream" } : /\{h\}$/.test(path) ? { accept: "application/pdf" } : {};
  return { body, headers };
}
async function refused(response, code, word) {
  const problem = await response.json();
  assert.equal(response.status, 400, JSON.stringify(problem));
  assert.equal(problem.code, code);
  assert.match(problem.error, word);
}

test("every route refuses a name that it does not know, or names it", async () => {
  await post("/api/printers/dock/print", LABEL, { "content-type": "text/plain" });
  await platen.next();
  for (const service of [platen, hygro]) {
    const { paths } = await describe(service);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!operation.responses || path === "/") continue; // pages read their own addresses
        const target = address(service, path, "colour=red"), { body, headers } = sent(method, path);
        const response = await fetch(service.url + target, { method, body, headers });
        const text = response.headers.get("content-type")?.startsWith("text/event-stream") ? "" : await response.text();
        await response.body?.cancel().catch(() => {});
        const told = (response.headers.get("x-warnings") ?? "") + (response.headers.get("content-type")?.includes("json") ? text : "");
        // A calculation that is posted has no query at all.
        if (service === hygro && method === "post" && path === "/api/calculate") {
          assert.equal(JSON.parse(text).code, "unexpected_query");
          continue;
        }
        assert.match(told, /colour/, `${method} ${target}: ${response.status} ${text.slice(0, 200)}`);
      }
    }
  }
});

test("a name without a value is refused by name, on every route; booleans are then true, and free texts not given", async () => {
  let seen = 0;
  for (const service of [platen, hygro]) {
    const { paths, components } = await describe(service);
    const resolve = (each, kind) => (each.$ref ? components[kind][each.$ref.split("/").pop()] : each);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        for (const { name, schema, in: where } of parameters.map((each) => resolve(each, "parameters"))) {
          const { type } = resolve(schema, "schemas");
          if (where !== "query" || type === "boolean" || FREE_TEXTS.includes(name) || path.endsWith("/print-to")) continue; // no label to send
          // What the route needs besides is not given twice; of the air's grain there is nothing to choose without one.
          const needs = path === "/api/air" && ["model", "set", "curve"].includes(name) ? "&grain=corn" : "";
          const target = address(service, path, `${name}=`).replace(new RegExp(`&${name}=[^&]*`), "") + needs;
          const { body, headers } = sent(method, path);
          const response = await fetch(service.url + target, { method, body, headers });
          const text = await response.text();
          assert.equal(response.status, 400, `${method} ${target}: ${text.slice(0, 200)}`);
          assert.match(text, name === "grain" ? /The grain ''/ : new RegExp(`'${name}'`), target);
          seen++;
        }
      }
    }
  }
  assert.ok(seen > 100, `${seen} parameters`);
  assert.equal((await fetch(`${platen.url}/api/printers/dock/labels?match=`)).status, 200);
  assert.match((await post("/api/render?download=", LABEL, { "content-type": "text/plain" })).headers.get("content-disposition"), /^attachment/);
});

test("a page's form may leave fields empty", async () => {
  const response = await post("/api/hours?grain=corn&detail=none", form({ file: HOURS, goal: "", taUnit: "", grainTa: "", temperatureColumn: "" }), {}, hygro);
  assert.equal(response.status, 200, await response.clone().text());
});

test("Accept goes by its weights in both services; a range takes what no entry names", async () => {
  for (const [accept, render, table] of [
    ["*/*", "image/png", "application/json"], ["application/*", "application/pdf", "application/json"], ["text/*", "image/png", "text/csv"],
    ["application/*, application/pdf;q=0.2", "application/json", "application/json"], ["*/*, image/png;q=0.1, application/json;q=0.1", "image/jpeg", "text/csv"],
    ["application/json;q=0.2, */*;q=0.1", "application/json", "application/json"], ["application/json;q=0.2, text/*;q=0.5", "application/json", "text/csv"],
  ]) {
    assert.equal((await post("/api/render", LABEL, { "content-type": "text/plain", accept })).headers.get("content-type"), render, accept);
    assert.equal((await fetch(`${hygro.url}/api/table?grain=corn`, { headers: { accept } })).headers.get("content-type").split(";")[0], table, accept);
  }
});

test("a printer is not reset, and its memory not deleted, for a name that was misspelt", async () => {
  const stored = async () => (await platen.printer()).objects?.map(({ name }) => name) ?? JSON.stringify(await platen.printer());
  await post("/api/printers/dock/print", "^XA^DFE:KEPT.ZPL^FO9,9^GB9,9^FS^XZ^XA^FO9,9^GB9,9^FS^FDseen^FS^XZ", { "content-type": "text/plain" });
  await platen.next(0, 120, "seen"); // not a label that another test has printed
  const kept = (state) => assert.match(JSON.stringify(state), /KEPT/);
  kept(await stored());
  await refused(await post("/api/printers/dock/reset?memry=keep", ""), "unknown_parameter", /'memry'.*memory/);
  await refused(await fetch(`${platen.url}/api/printers/dock/memory?objct=E:*.*`, { method: "DELETE" }), "unknown_parameter", /'objct'.*object/);
  kept(await stored());
  // Names have no case.
  assert.equal((await post("/api/printers/dock/reset?Memory=keep", "")).status, 200);
  kept(await stored());
  assert.equal((await fetch(`${platen.url}/api/printers/dock/memory?Object=E:KEPT.ZPL`, { method: "DELETE" })).status, 200);
  assert.doesNotMatch(JSON.stringify(await stored()), /KEPT/);
});

test("two values of one name are refused on every route", async () => {
  for (const [path, body, name] of [
    ["/api/zpl?action=minify&action=format", LABEL, "action"], ["/api/zpl?data=a&data=b", LABEL, "data"], ["/api/image?invert=true&invert=false", form({ file: PICTURE }), "invert"],
    ["/api/font?path=E:A.TTF&path=E:B.TTF", form({ file: "x" }), "path"], ["/api/batch?answer=zip&answer=pdf", form({ file: LABEL }), "answer"],
    ["/api/batch?errors=skip&errors=stop", form({ file: LABEL }), "errors"], ["/api/print?host=127.0.0.1:1&host=127.0.0.1:2", LABEL, "host"],
  ]) await refused(await post(path, body), "conflicting_parameter", new RegExp(`'${name}'`));
  await refused(await fetch(`${platen.url}/api/printers/dock/labels?limit=1&limit=2`), "conflicting_parameter", /'limit'/);
  assert.equal((await fetch(`${platen.url}/api/printers/dock/labels?limit=1&limit=1`)).status, 200);
  assert.equal((await post("/api/zpl?targetDpmm=12&targetDpmm=12.0", LABEL)).status, 200);
});

test("a query that contradicts the body is named, for the controls of every route", async () => {
  const zpl = (query, body) => post(`/api/zpl?${query}`, JSON.stringify({ zpl: LABEL, ...body }), JSON_TYPE);
  for (const [name, response] of [
    ["action", zpl("action=format", { action: "minify" })], ["graphics", zpl("graphics=hex", { graphics: "z64" })], ["targetDpmm", zpl("targetDpmm=12", { targetDpmm: 6 })],
    ["toLanguage", zpl("toLanguage=zpl", { toLanguage: "epl" })], ["units", zpl("units=mm", { units: "in" })], ["utf8", zpl("utf8=false", { utf8: true })], ["table", zpl("action=explain&table=text", { table: "json" })],
    ["invert", post("/api/image?invert=false", form({ file: PICTURE, invert: "true" }))],
  ]) assert.match((await response).headers.get("x-warnings") ?? "", new RegExp(`'${name}' has one value in the query and another in the body`), name);
  assert.equal((await zpl("action=minify", { action: "minify" })).headers.get("x-warnings"), null);
  const compared = await (await post("/api/compare?widthMm=50", JSON.stringify({ a: LABEL, b: LABEL, widthMm: 60 }), JSON_TYPE)).json();
  assert.deepEqual(compared.warnings.map(({ code }) => code), ["overridden_field"]);
  const line = JSON.parse((await (await post("/api/batch?widthMm=50", JSON.stringify({ zpl: LABEL, widthMm: 60 }), { "content-type": "application/x-ndjson" })).text()).split("\n")[0]);
  assert.deepEqual(line.overridden, ["widthMm"]);
});

test("no parameter of a query has a default that would win over a body, a file or Accept", async () => {
  for (const service of [platen, hygro]) {
    const description = await describe(service);
    const found = [];
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
        for (const each of parameters) {
          const parameter = each.$ref ? description.components.parameters[each.$ref.split("/").pop()] : each;
          const schema = parameter.schema.$ref ? description.components.schemas[parameter.schema.$ref.split("/").pop()] : parameter.schema;
          if (parameter.in === "query" && "default" in schema && (requestBody?.content || parameter.name === "format")) found.push(`${method} ${path} ${parameter.name}`);
        }
      }
    }
    assert.deepEqual(found.filter((each) => !/\/print-to|decimal|detail|lang|strict|basis/.test(each)), []);
  }
});

test("print routes refuse what is no label code instead of losing it", async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LABEL, "utf16le")]);
  const FORM = { "content-type": "application/x-www-form-urlencoded" };
  for (const path of ["/api/printers/dock/print", "/api/print?host=127.0.0.1:1", "/pstprnt", "/printer/pstprnt"]) {
    await refused(await post(path, JSON.stringify([LABEL]), { "content-type": "text/plain" }), "not_label_code", /is JSON/);
    await refused(await post(path, JSON.stringify({ zpl: LABEL }), FORM), "not_label_code", /is JSON/);
    await refused(await post(path, new URLSearchParams({ zpl: LABEL }).toString(), FORM), "not_label_code", /is a form/);
    await refused(await post(path, encodeURIComponent(LABEL), FORM), "not_label_code", /percent-encoded/);
    await refused(await post(path, utf16, { "content-type": "text/plain" }), "invalid_utf8", /UTF-16/);
  }
  for (const path of ["/api/printers/dock/print", "/api/print?host=127.0.0.1:1"]) {
    await refused(await post(path, "", { "content-type": "text/plain" }), "missing_zpl", /no label code/);
    await refused(await post(path, "{ }", { "content-type": "text/plain" }), "not_label_code", /is JSON/);
  }
  await refused(await post("/zpl", new URLSearchParams({ data: JSON.stringify({ zpl: LABEL }) }), FORM), "not_label_code", /is JSON/);
  for (const query of ["", "?host="]) await refused(await post(`/api/print${query}`, LABEL, { "content-type": "text/plain" }), "missing_parameter", /'host' is missing.*\?host=/);
  // Settings are asked for in JSON.
  assert.equal((await post("/api/printers/dock/print", '{}{"device.languages":null}', { "content-type": "text/plain" })).status, 202);
});

test("the path's format is the one that is named when query and body differ, too", async () => {
  const response = await post("/api/render/json?format=png", JSON.stringify({ zpl: LABEL, format: "pdf" }), JSON_TYPE);
  const { warnings } = await response.json();
  assert.deepEqual(warnings.map(({ message }) => message), ["'format' has one value in the path and another beside it; the path's was used."]);
});

test("Hygro names unknown fields where the answer is a CSV, and a decimal comma where it is JSON", async () => {
  const header = async (path, options) => (await fetch(hygro.url + path, options)).headers.get("x-warnings") ?? "";
  assert.match(await header("/api/table?grain=corn&format=csv&x=1"), /'x'/);
  assert.match(await header("/api/hours?grain=corn&format=csv&x=1", { method: "POST", body: HOURS, headers: { "content-type": "text/csv" } }), /'x'/);
  assert.match(await header("/api/grains?x=1"), /'x'/);
  assert.match(await header("/api/table?grain=corn&decimal=comma"), /'decimal'/);
  assert.equal(await header("/api/table?grain=corn&format=csv&decimal=comma"), "");
});

test("label code that a line of a batch has twice is refused, and the names of a line have no case", async () => {
  const answer = await post("/api/batch", `${JSON.stringify({ id: "twice", zpl: LABEL, ZPL: LABEL })}\n${JSON.stringify({ ID: "named", ZPL: LABEL })}\n`, { "content-type": "application/x-ndjson" });
  const [twice, named] = (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(twice.code, "conflicting_parameter", JSON.stringify(twice));
  assert.deepEqual([named.ok, named.id], [true, "named"]);
});
