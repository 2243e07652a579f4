// Tests of the calls that can be copied: a real shell must hand over exactly the label's bytes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import fc from "fast-check";
import { load } from "./bundle.js";

const { curlCommand, shellQuote } = await load("actions/calls");

/** The arguments that a shell passes on, split at NUL, without running curl. */
function argumentsOf(command) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync("bash", ["-c", script]).toString().split("\0").slice(0, -1);
}

const request = (zpl, more = {}) => ({ url: "http://host:8080/sub/api/render/png?widthMm=101.6&dpmm=8", zpl, outputName: "label.png", inputName: "label.zpl", needsKey: false, ...more });

test("the arguments arrive as meant", () => {
  assert.deepEqual(argumentsOf(curlCommand(request("^XA^XZ"))), [
    "--fail",
    "http://host:8080/sub/api/render/png?widthMm=101.6&dpmm=8",
    "--header",
    "Content-Type: text/plain",
    "--output",
    "label.png",
    "--data-raw",
    "^XA^XZ",
  ]);
});

test("quotes, dollars, backslashes, exclamation marks and line ends are only text", () => {
  for (const zpl of ["it's $HOME `id` \\ \"x\" !!", "^XA\n^FDa\\&b^FS\n^XZ", "$(touch /tmp/never)", "@/etc/passwd", "-d", "'", "\\'", "a\tb"]) {
    assert.equal(argumentsOf(curlCommand(request(zpl))).at(-1), zpl);
  }
});

test("control characters are escaped, so that a terminal does not act on them", () => {
  const zpl = "^XA\u001b[31m\u0003\r\u007f'\\^XZ";
  const command = curlCommand(request(zpl));
  assert.doesNotMatch(command, /[\x00-\x09\x0b-\x1f\x7f]/);
  assert.equal(argumentsOf(command).at(-1), zpl);
});

test("any text is handed over unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary-ascii" }), (a, b) => {
      const text = (a + b).replaceAll("\0", "");
      assert.equal(execFileSync("bash", ["-c", `printf %s ${shellQuote(text)}`]).toString(), text);
    }),
    { numRuns: 40 },
  );
});

test("what is too long for one argument is read from the file", () => {
  const given = argumentsOf(curlCommand(request("x".repeat(200_000))));
  assert.deepEqual(given.slice(-2), ["--data-binary", "@label.zpl"]);
});

test("a key is never written out", () => {
  assert.match(curlCommand(request("^XA^XZ", { needsKey: true })), /"X-API-Key: \$PLATEN_API_KEY"/);
});
