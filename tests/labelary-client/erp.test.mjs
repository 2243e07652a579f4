// The examples for Odoo and Frappe: the functions that ask the service, run by Python as they are.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startService } from "../api/service.js";

const run = promisify(execFile);
const TWO = "^XA^FO50,50^A0N,60^FDHello^FS^XZ^XA^FO50,50^A0N,60^FDagain^FS^XZ";
let service;
before(async () => { service = await startService("platen"); });
after(() => service.stop());

/** What the program prints as JSON, with the module of the example, `host` and `zpl` at hand. */
async function python(example, program) {
  const code = `import base64, json, sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, "examples/${example}")\nimport label_preview as example\nhost, zpl = sys.argv[1:]\n${program}`;
  const { stdout } = await run("python3", ["-c", code, service.url, TWO]);
  return JSON.parse(stdout);
}

async function drawn(path, accept) {
  const answer = await fetch(`${service.url}/v1/printers/${path}`, { method: "POST", body: TWO, headers: { Accept: accept } });
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
}

test("Odoo: a PDF of all labels, a PNG of the first, and the sentence of a refusal", async () => {
  const got = await python("odoo", `
files = [base64.b64encode(example.draw(host, zpl, **options)).decode() for options in ({}, {"accept": "image/png", "dpmm": 12, "size": "3x2"})]
refusals = []
for address, options in ((host, {"dpmm": 7}), ("http://127.0.0.1:1", {})):
    try:
        example.draw(address, zpl, **options)
    except example.LabelError as error:
        refusals.append(str(error))
print(json.dumps({"files": files, "refusals": refusals}))`);
  const [pdf, png] = got.files.map((text) => Buffer.from(text, "base64"));
  assert.deepEqual(pdf, await drawn("8dpmm/labels/4x6/", "application/pdf"));
  assert.equal(pdf.toString("latin1").match(/\/Type ?\/Page\b/g).length, 2);
  assert.deepEqual(png, await drawn("12dpmm/labels/3x2/0/", "image/png"));
  assert.equal(got.refusals.length, 2);
  assert.match(got.refusals[0], /dpmm/);
  assert.match(got.refusals[1], /127\.0\.0\.1:1 does not answer/);
});

test("Frappe: the second label for a form, with their number, and the PDF", async () => {
  const got = await python("frappe", `
answer = example.data_url(host, zpl, index=1)
answer["pdf"] = base64.b64encode(example.pdf(host, zpl)).decode()
print(json.dumps(answer))`);
  assert.equal(got.labels, 2);
  assert.equal(got.image, `data:image/png;base64,${(await drawn("8dpmm/labels/4x6/1/", "image/png")).toString("base64")}`);
  assert.deepEqual(Buffer.from(got.pdf, "base64"), await drawn("8dpmm/labels/4x6/", "application/pdf"));
});
