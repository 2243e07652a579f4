// Calls that people try first, and what each is answered. docs/first-calls.md has the same rows: a test compares them.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startService } from "./service.js";

const LABEL = "^XA^CI28^FO20,20^A0N,30^FDM\u00fcller + S\u00f6hne^FS^XZ";
const TWO = `${LABEL}^XA^FO20,20^GB100,50,3^FS^XZ`;
const object = (more = {}, zpl = LABEL) => JSON.stringify({ zpl, ...more });
const form = (fields) => new URLSearchParams(fields).toString();
const TEXT = { "content-type": "text/plain" }, JSON_TYPE = { "content-type": "application/json" }, FORM = { "content-type": "application/x-www-form-urlencoded" };
const utf16 = (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const multipart = (fields) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

// [what is sent, path, headers, body, what is answered: status, type or code, width of the picture, a note in X-Warnings, a word of the error]
const RENDER = "/api/render";
const V1 = "/v1/printers/8dpmm/labels/4x6/0/";
const PLATEN = [
  ["ZPL as `text/plain`", RENDER, TEXT, LABEL, { png: 812 }],
  ["ZPL without a content type", RENDER, { "content-type": "" }, LABEL, { png: 812 }],
  ["ZPL by `curl --data` (which calls it a form)", RENDER, FORM, LABEL, { png: 812 }],
  ["ZPL as `application/octet-stream`", RENDER, { "content-type": "application/octet-stream" }, LABEL, { png: 812 }],
  ["JSON as `application/json`", RENDER, JSON_TYPE, object({ widthMm: 50, format: "pdf" }), { type: "application/pdf" }],
  ["JSON by `curl -d` (which calls it a form)", RENDER, FORM, object({ widthMm: 50 }), { png: 399, note: /read as 'JSON'/ }],
  ["JSON without a content type", RENDER, { "content-type": "" }, object({ format: "pdf" }), { type: "application/pdf", note: /read as 'JSON'/ }],
  ["JSON as `text/plain`", RENDER, TEXT, object({ widthMm: 50 }), { png: 399, note: /read as 'JSON'/ }],
  ["JSON that is broken, as `text/plain`", RENDER, TEXT, '{"zpl": "^XA^FDx^FS^XZ",}', { status: 400, code: "invalid_json" }],
  ["JSON with a mark of UTF-8 at its start", RENDER, JSON_TYPE, `\ufeff${object({ widthMm: 50 })}`, { png: 399 }],
  ["JSON in UTF-16", RENDER, JSON_TYPE, utf16(object()), { status: 400, code: "invalid_utf8", word: /UTF-16/ }],
  ["ZPL in UTF-16", RENDER, TEXT, utf16(LABEL), { status: 400, code: "invalid_utf8", word: /UTF-16/ }],
  ["JSON without `zpl`", RENDER, JSON_TYPE, '{"code":"^XA^XZ"}', { status: 400, code: "missing_zpl", word: /'zpl'/ }],
  ["JSON with `ZPL` by `curl -d`", RENDER, FORM, JSON.stringify({ ZPL: LABEL, widthMm: 50 }), { png: 399, note: /read as 'JSON'/ }],
  ["JSON with `label` by `curl -d`", RENDER, FORM, JSON.stringify({ label: LABEL }), { status: 400, code: "missing_zpl", word: /'zpl'/ }],
  ["JSON with `data` and `DATA`", RENDER, JSON_TYPE, JSON.stringify({ zpl: LABEL, data: [{ a: "1" }], DATA: [{ a: "2" }] }), { status: 400, code: "conflicting_parameter", word: /'data' is given twice/ }],
  ["`{}` by `curl -d`", RENDER, FORM, "{}", { status: 400, code: "missing_zpl", word: /'zpl'/ }],
  ["`{ }` as `text/plain` to `/api/zpl`", "/api/zpl", TEXT, "{ }", { status: 400, code: "missing_zpl", word: /'zpl'/ }],
  ["`[]` as `text/plain`", RENDER, TEXT, "[]", { status: 400, code: "invalid_json", word: /array/ }],
  ["JSON in an array, by `curl -d`", RENDER, FORM, JSON.stringify([{ zpl: LABEL }]), { status: 400, code: "invalid_json", word: /array/ }],
  ["label code in a JSON array, by `curl -d`", RENDER, FORM, JSON.stringify([LABEL]), { status: 400, code: "invalid_json", word: /array/ }],
  ["label code in a JSON array, without a content type, to `/api/zpl`", "/api/zpl", { "content-type": "" }, JSON.stringify([LABEL]), { status: 400, code: "invalid_json", word: /array/ }],
  ["label code in a list as Python writes it", RENDER, TEXT, `['${LABEL}']`, { status: 400, code: "invalid_json" }],
  ["a multipart form whose file is a JSON array", RENDER, {}, multipart({ file: JSON.stringify([LABEL]) }), { status: 400, code: "not_label_code", word: /is JSON/ }],
  ["a JSON string as `text/plain`", RENDER, TEXT, JSON.stringify(LABEL), { status: 400, code: "invalid_json", word: /string/ }],
  ["JSON with single quotes, by `curl -d`", RENDER, FORM, `{'zpl': '${LABEL}'}`, { status: 400, code: "invalid_json" }],
  ["JSON with names without quotes, by `curl -d`", RENDER, FORM, `{zpl: "${LABEL}"}`, { status: 400, code: "invalid_json" }],
  ["JSON in a JSON string", RENDER, JSON_TYPE, object({}, object()), { status: 400, code: "not_label_code", word: /is JSON/ }],
  ["ZPL behind two NULs, which printers skip", RENDER, TEXT, Buffer.from(`\0\0${LABEL}`), { png: 812 }],
  ["ZPL in UTF-32", RENDER, TEXT, Buffer.from([0xff, 0xfe, 0, 0, 0x5e, 0, 0, 0]), { status: 400, code: "invalid_utf8", word: /UTF-32/ }],
  ["JSON that is an array", RENDER, JSON_TYPE, "[1]", { status: 400, code: "invalid_json", word: /array/ }],
  ["a form with `zpl`, encoded", RENDER, FORM, form({ zpl: LABEL, widthMm: "50" }), { png: 399 }],
  ["a form with `zpl` last", RENDER, FORM, form({ widthMm: "50", zpl: LABEL }), { png: 399 }],
  ["a form with `zpl`, not encoded", RENDER, FORM, "zpl=^XA^FO20,20^A0N,30^FDHi^FS^XZ&widthMm=50", { png: 399 }],
  ["a form with `zpl` behind `width_mm`", RENDER, FORM, form({ width_mm: "50", zpl: LABEL }), { png: 399 }],
  ["a form with `zpl` and `+` in it, not encoded", RENDER, FORM, "zpl=^XA^FO9,9^A0N,30^FD1+1^FS^XZ", { status: 400, code: "invalid_form", word: /encoded/ }],
  ["a form with `zpl` and `&` in it, not encoded", RENDER, FORM, "zpl=^XA^FO9,9^A0N,30^FDA&B^FS^XZ", { status: 400, code: "invalid_form", word: /encoded/ }],
  ["a form with `zpl` twice", RENDER, FORM, `${form({ zpl: LABEL })}&${form({ zpl: LABEL })}`, { status: 400, code: "conflicting_parameter" }],
  ["a form as `text/plain`", RENDER, TEXT, form({ zpl: LABEL, widthMm: "50" }), { png: 399, note: /read as 'a form'/ }],
  ["a form with `ZPL`", RENDER, FORM, form({ ZPL: LABEL, widthMm: "50" }), { png: 399 }],
  ["a form without a content type, `zpl` last", RENDER, { "content-type": "" }, form({ widthMm: "50", zpl: LABEL }), { png: 399, note: /read as 'a form'/ }],
  ["a form with a mark of UTF-8 at its start", RENDER, FORM, `\ufeff${form({ zpl: LABEL, widthMm: "50" })}`, { png: 399 }],
  ["a form with a broken escape", RENDER, FORM, "zpl=%5EXA%ZZ", { status: 400, code: "invalid_form" }],
  ["a multipart form with `file`", RENDER, {}, multipart({ file: LABEL, widthMm: "50" }), { png: 399 }],
  ["a multipart form without label code", RENDER, {}, multipart({ widthMm: "50" }), { status: 400, code: "missing_zpl" }],
  ["a multipart form whose file is JSON", RENDER, {}, multipart({ file: object() }), { status: 400, code: "not_label_code", word: /is JSON/ }],
  ["a multipart form whose file is UTF-16", RENDER, {}, multipart({ file: new Blob([utf16(LABEL)]) }), { status: 400, code: "invalid_utf8", word: /UTF-16/ }],
  ["ZPL behind a line of settings (`! U1 setvar`)", RENDER, TEXT, `! U1 setvar "device.languages" "zpl"\r\n${LABEL}`, { png: 812 }],
  ["TSPL with `%5E` in its data", RENDER, TEXT, 'SIZE 50 mm,30 mm\r\nCLS\r\nQRCODE 9,9,L,4,A,0,"a%5Eb"\r\nPRINT 1\r\n', { png: 400 }],
  ["ZPL that is percent-encoded", RENDER, FORM, encodeURIComponent(LABEL), { png: 812, note: /read as 'encoded label code'/ }],
  ["ZPL that is percent-encoded, at Labelary's address", V1, FORM, encodeURIComponent(LABEL), { png: 812, note: /read as/ }],
  ["`dpi=203` in the query of Labelary's address, which is not read", `${V1}?dpi=203`, TEXT, LABEL, { png: 812, note: /'dpi'/ }],
  ["JSON by `curl -d` at Labelary's address", V1, FORM, object(), { png: 812, note: /read as/ }],
  ["a form at Labelary's address", V1, FORM, form({ zpl: LABEL }), { png: 812 }],
  ["a form with `rotation` at Labelary's address, which is not read", V1, FORM, form({ zpl: LABEL, rotation: "90", format: "pdf" }), { png: 812, note: /'format' has no effect.*'rotation' has no effect/ }],
  ["a multipart form with `rotation` at Labelary's address", V1, {}, multipart({ file: LABEL, rotation: "90" }), { png: 812, note: /'rotation' has no effect/ }],
  ["JSON with `widthMm` at Labelary's address", V1, JSON_TYPE, object({ widthMm: 50, colour: "red" }), { png: 812, note: /'colour'.*'widthMm' has no effect/ }],
  ["`rotation=90` in the query of Labelary's address", `${V1}?rotation=90`, TEXT, LABEL, { png: 812, note: /'rotation' has no effect/ }],
  ["ZPL compressed with gzip", RENDER, { ...TEXT, "content-encoding": "gzip" }, gzipSync(LABEL), { png: 812 }],
  ["`text/xml`", RENDER, { "content-type": "text/xml" }, LABEL, { status: 415, code: "unsupported_media_type" }],
  ["an empty body", RENDER, TEXT, "", { status: 400, code: "missing_zpl" }],
  ["GET", RENDER, {}, undefined, { status: 405, code: "method_not_allowed", word: /POST/ }],
  ["a slash at the end", "/api/render/", TEXT, LABEL, { status: 404, code: "not_found", word: /\/api\/render\./ }],
  ["two slashes", "//api//render", TEXT, LABEL, { status: 404, code: "not_found", word: /\/api\/render\./ }],
  ["an address in capitals", "/API/RENDER", TEXT, LABEL, { status: 404, code: "not_found", word: /\/api\/render\./ }],
  ["`8DPMM` at Labelary's address", V1.replace("8dpmm", "8DPMM"), TEXT, LABEL, { status: 404, code: "not_found", word: /\/v1\/printers\/8dpmm\/labels\/4x6\/0\/\./ }],
  ["two slashes at the end of Labelary's address", `${V1}/`, TEXT, LABEL, { status: 404, code: "not_found", word: /\/v1\/printers\/8dpmm\/labels\/4x6\/0\./ }],
  ["`203dpi` at Labelary's address", V1.replace("8dpmm", "203dpi"), TEXT, LABEL, { status: 404, code: "not_found", word: /written \/v1\/printers\/8dpmm\/labels\/4x6\/0\/\.$/ }],
  ["`203DPI` and capitals at Labelary's address", "/V1/Printers/203DPI/Labels/4X6/0/", TEXT, LABEL, { status: 404, code: "not_found", word: /written \/v1\/printers\/8dpmm\/labels\/4x6\/0\/\.$/ }],
  ["`300dpi` at Labelary's address, label code in the path", `/v1/printers/300dpi/labels/4x6/0/${encodeURIComponent("^XA^FDä b^FS^XZ")}`, {}, undefined, { status: 404, code: "not_found", word: /written \/v1\/printers\/12dpmm\/labels\/4x6\/0\/%5EXA%5EFD%C3%A4%20b%5EFS%5EXZ\.$/ }],
  ["an address without `/api`", "/render", TEXT, LABEL, { status: 404, code: "not_found", word: /written \/api\/render\.$/ }],
  ["a format behind a dot", "/api/render.png", TEXT, LABEL, { status: 404, code: "not_found", word: /written \/api\/render\/png\.$/ }],
  ["a format in the path", "/api/render/pdf", TEXT, LABEL, { type: "application/pdf" }],
  ["a format in capitals", "/api/render/PDF", TEXT, LABEL, { type: "application/pdf" }],
  ["a format that does not exist", "/api/render/gif", TEXT, LABEL, { status: 400, code: "unknown_format", word: /png, jpeg, webp, pdf, json, base64/ }],
  ["a format in the path, another in the query", "/api/render/png?format=pdf", TEXT, LABEL, { png: 812, note: /'format' has one value in the path/ }],
  ["a format in the path, another in the body", "/api/render/png", JSON_TYPE, object({ format: "pdf" }), { png: 812, note: /'format' has one value in the path/ }],
  ["`jpegQuality=50` for a PNG", `${RENDER}?jpegQuality=50`, TEXT, LABEL, { png: 812, note: /'jpegQuality' is for JPEGs/ }],
  ["`X-Rotation: 90`, a header of Labelary's address", RENDER, { ...TEXT, "x-rotation": "90" }, LABEL, { png: 812, note: /'X-Rotation' has no effect/ }],
  ["`widthmm=50`", `${RENDER}?widthmm=50`, TEXT, LABEL, { png: 399 }],
  ["`width=50`", `${RENDER}?width=50`, TEXT, LABEL, { png: 399 }],
  ["`width=4in`", `${RENDER}?width=4in`, TEXT, LABEL, { status: 400, code: "invalid_parameter", word: /"4in"/ }],
  ["`dpi=203`", `${RENDER}?dpi=203`, TEXT, LABEL, { status: 400, code: "invalid_parameter", word: /'dpmm'.* 8.*203/ }],
  ["`dpmm=203`", `${RENDER}?dpmm=203`, TEXT, LABEL, { status: 400, code: "invalid_parameter", word: /from 1 to 48.* 8.*203/ }],
  ["`dpmm=12dpmm`", `${RENDER}?dpmm=12dpmm`, TEXT, LABEL, { png: 1216 }],
  ['`"dpmm":"12"` in JSON', RENDER, JSON_TYPE, object({ dpmm: "12" }), { png: 1216 }],
  ['`"widthMm":"50"` in JSON', RENDER, JSON_TYPE, object({ widthMm: "50" }), { status: 400, code: "invalid_parameter", word: /the string "50"/ }],
  ["a name that is no control: `colour=red`", `${RENDER}?colour=red`, TEXT, LABEL, { png: 812, note: /no control 'colour'/ }],
  ["`page=` without a value", `${RENDER}?page=`, TEXT, LABEL, { status: 400, code: "invalid_parameter", word: /'page'/ }],
  ["`format=` without a value", `${RENDER}?format=`, TEXT, LABEL, { status: 400, code: "unknown_format", word: /'format'/ }],
  ["`download=` without a value, which means true", `${RENDER}?download=`, TEXT, LABEL, { png: 812 }],
  ["one value twice", `${RENDER}?widthMm=50&widthMm=50`, TEXT, LABEL, { png: 399 }],
  ["two values of one name", `${RENDER}?widthMm=50&widthMm=60`, TEXT, LABEL, { status: 400, code: "conflicting_parameter" }],
  ["one value in the query, another in the body", `${RENDER}?widthMm=50`, JSON_TYPE, object({ widthMm: 60 }), { png: 399, note: /'widthMm'.*query's was used/ }],
  ["`page=1` of two labels", `${RENDER}?page=1`, TEXT, TWO, { png: 812 }],
  ["`page=2` of two labels", `${RENDER}?page=2`, TEXT, TWO, { status: 400, code: "page_out_of_range", word: /2/ }],
  ["`page=2` of a PDF", "/api/render/pdf?page=2", TEXT, TWO, { type: "application/pdf", note: /'page' is for pictures/ }],
  ["`Accept: application/pdf`", RENDER, { ...TEXT, accept: "application/pdf" }, LABEL, { type: "application/pdf" }],
  ["`Accept: application/pdf, */*;q=0.5`", RENDER, { ...TEXT, accept: "application/pdf, */*;q=0.5" }, LABEL, { type: "application/pdf" }],
  ["`Accept: application/json, text/plain, */*`, as libraries send it", RENDER, { ...TEXT, accept: "application/json, text/plain, */*" }, LABEL, { png: 812 }],
  ["`Accept` of a browser", RENDER, { ...TEXT, accept: "text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8" }, LABEL, { png: 812 }],
  ["`Accept: application/*`", RENDER, { ...TEXT, accept: "application/*" }, LABEL, { type: "application/pdf" }],
  ["`Accept: application/*, application/pdf;q=0.2`", RENDER, { ...TEXT, accept: "application/*, application/pdf;q=0.2" }, LABEL, { type: "application/json" }],
  ["`Accept: image/*, image/png;q=0.5`", RENDER, { ...TEXT, accept: "image/*, image/png;q=0.5" }, LABEL, { type: "image/jpeg" }],
  ["`Accept: application/*` at Labelary's address", V1, { ...TEXT, accept: "application/*" }, LABEL, { type: "application/pdf" }],
  ["`strict` in JSON by `curl -d`", RENDER, FORM, object({ strict: true }), { png: 812, note: /read as 'JSON'/ }],
  ["JSON by `curl -d` to `/api/zpl`", "/api/zpl", FORM, object(), { type: "application/zpl", note: /read as 'JSON'/ }],
  ["a form with `zpl` to `/api/zpl`", "/api/zpl", FORM, form({ zpl: LABEL, action: "minify" }), { type: "application/zpl" }],
  ["`action=minify&action=format` to `/api/zpl`", "/api/zpl?action=minify&action=format", TEXT, LABEL, { status: 400, code: "conflicting_parameter", word: /'action'/ }],
  ["one `action` in the query, another in the body", "/api/zpl?action=format", JSON_TYPE, object({ action: "minify" }), { type: "application/zpl", note: /'action'.*query's was used/ }],
  ["percent-encoded ZPL to `/api/zpl`", "/api/zpl", FORM, encodeURIComponent(LABEL), { type: "application/zpl", note: /read as 'encoded label code'/ }],
  ["`text/xml` to `/api/zpl`", "/api/zpl", { "content-type": "text/xml" }, LABEL, { status: 415, code: "unsupported_media_type" }],
  ["a picture as `image/x-portable-bitmap` to `/api/image`", "/api/image", { "content-type": "image/x-portable-bitmap" }, "P1 8 1 10101010", { type: "application/zpl" }],
  ["a picture as `text/xml` to `/api/image`", "/api/image", { "content-type": "text/xml" }, "P1 8 1 10101010", { status: 415, code: "unsupported_media_type" }],
  ["`name=AB` to `/api/font`", "/api/font?name=AB", { "content-type": "font/ttf" }, "no font", { status: 400, code: "invalid_parameter", word: /'name'.*one letter/ }],
  ["text that is no ZPL", RENDER, TEXT, "Hello", { status: 400, code: "no_labels" }],
];
const CALCULATE = "/api/calculate";
const CORN = { grain: "corn", ta: 25, ur: 70 };
const HYGRO = [
  ["JSON by `curl -d`", CALCULATE, FORM, JSON.stringify(CORN), { moisture: true }],
  ["JSON with a mark of UTF-8 at its start", CALCULATE, JSON_TYPE, `\ufeff${JSON.stringify(CORN)}`, { moisture: true }],
  ["a form", CALCULATE, FORM, form({ grain: "milho", ta: "25,0", ur: "70" }), { moisture: true }],
  ["numbers as strings", CALCULATE, JSON_TYPE, JSON.stringify({ ...CORN, ta: "25,0" }), { moisture: true }],
  ["JSON in UTF-16, with a mark", CALCULATE, JSON_TYPE, utf16(JSON.stringify(CORN)), { status: 400, code: "invalid_utf8", word: /UTF-16/ }],
  ["JSON in UTF-16, without a mark", CALCULATE, JSON_TYPE, utf16(JSON.stringify(CORN)).subarray(2), { status: 400, code: "invalid_utf8", word: /UTF-16/ }],
  ["a form in UTF-16", CALCULATE, FORM, utf16(form(CORN)).subarray(2), { status: 400, code: "invalid_utf8", word: /UTF-16/ }],
  ["a form as `text/plain`", CALCULATE, TEXT, form(CORN), { moisture: true }],
  ["GET with a query", `${CALCULATE}?grain=corn&ta=25&ur=70`, {}, undefined, { moisture: true }],
  ["words in capitals", `${CALCULATE}?grain=CORN&ta=77&taUnit=f&ur=70&basis=DRY&lang=EN&model=Modified-Chung-Pfost`, {}, undefined, { moisture: true }],
  ["one value twice", `${CALCULATE}?grain=corn&ta=25&ta=25&ur=70`, {}, undefined, { moisture: true }],
  ["two values of one name", `${CALCULATE}?grain=corn&ta=25&ta=26&ur=70`, {}, undefined, { status: 400, code: "repeated_field", word: /'ta'/ }],
  ["`set=` without a value", `${CALCULATE}?grain=corn&ta=25&ur=70&set=`, {}, undefined, { status: 400, code: "unknown_set", word: /'set'/ }],
  ["`altitude=` without a value, to `/api/air`", "/api/air?ta=25&ur=70&altitude=", {}, undefined, { status: 400, code: "not_a_number", word: /'altitude'/ }],
  ["an address in capitals", "/API/Calculate", JSON_TYPE, JSON.stringify(CORN), { status: 404, code: "not_found", word: /\/api\/calculate\./ }],
  ["an address without `/api`", "/calculate?grain=corn&ta=25&ur=70", {}, undefined, { status: 404, code: "not_found", word: /written \/api\/calculate\.$/ }],
  ["two values of one name, to the page", "/?ta=25&ta=26", {}, undefined, { status: 400, code: "repeated_field", word: /'ta'/ }],
  ["POST with a query", `${CALCULATE}?grain=corn`, JSON_TYPE, JSON.stringify(CORN), { status: 400, code: "unexpected_query" }],
  ["a slash at the end", "/api/calculate/", JSON_TYPE, JSON.stringify(CORN), { status: 404, code: "not_found", word: /\/api\/calculate\./ }],
  ["text that is no JSON", CALCULATE, TEXT, "corn 25 70", { status: 400, code: "invalid_json" }],
];

const services = {};
before(async () => {
  for (const name of ["platen", "hygro"]) services[name] = await startService(name);
});
after(async () => {
  for (const service of Object.values(services)) await service.stop();
});

// fetch adds a content type of its own where none is given, but not to bytes.
const ask = (service, path, headers, body) => {
  const sent = { ...headers };
  if (sent["content-type"] === "") delete sent["content-type"];
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return fetch(service.url + path, { method: body === undefined ? "GET" : "POST", headers: sent, body: bytes });
};

/** What the documentation says of an answer. */
function inWords({ status, code, type, png, note, moisture }) {
  if (status) return `${status} \`${code}\``;
  if (moisture) return "200";
  return `200 \`${type ?? "image/png"}\`${png ? `, ${png} dots wide` : ""}${note ? ", with a warning" : ""}`;
}

for (const [name, rows] of [["platen", PLATEN], ["hygro", HYGRO]]) {
  for (const [what, path, headers, body, expected] of rows) {
    test(`${name}: ${what}`, async () => {
      const response = await ask(services[name], path, headers, body);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(response.status, expected.status ?? 200, bytes.toString("latin1").slice(0, 300));
      if (expected.status) {
        const problem = JSON.parse(bytes);
        assert.equal(problem.code, expected.code);
        if (expected.word) assert.match(problem.error, expected.word);
        return;
      }
      if (expected.moisture) return assert.equal(JSON.parse(bytes).grain, "corn");
      assert.equal(response.headers.get("content-type"), expected.type ?? "image/png");
      if (expected.png) assert.equal(bytes.readUInt32BE(16), expected.png);
      const warnings = response.headers.get("x-warnings") ?? "";
      if (expected.note) assert.match(warnings, expected.note);
      else assert.equal(warnings, "");
    });
  }
}

test("a form, encoded code and JSON without its type give the same picture as the code itself", async () => {
  const picture = async (headers, body) => Buffer.from(await (await ask(services.platen, RENDER, headers, body)).arrayBuffer());
  const plain = await picture(TEXT, LABEL);
  assert.deepEqual(await picture(FORM, form({ zpl: LABEL })), plain);
  assert.deepEqual(await picture(FORM, encodeURIComponent(LABEL)), plain);
  assert.deepEqual(await picture(TEXT, object()), plain);
});

test("label code that begins like something else stays label code", async () => {
  const picture = async (body) => Buffer.from(await (await ask(services.platen, RENDER, TEXT, body)).arrayBuffer());
  const plain = await picture(LABEL);
  for (const start of ["{", "{ comment } ", "100%5E ", "zpl : ", "\0"]) assert.deepEqual(await picture(start + LABEL), plain, start);
});

test("docs/first-calls.md has these rows", () => {
  const page = fs.readFileSync("docs/first-calls.md", "utf8");
  const rows = [...PLATEN, ...HYGRO].map(([what, , , , expected]) => `| ${what} | ${inWords(expected)} |`);
  assert.deepEqual(rows.filter((row) => !page.includes(row)), []);
  assert.equal(page.split("\n").filter((line) => /^\| .* \| \d{3}\b/.test(line)).length, rows.length);
});
