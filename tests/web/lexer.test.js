// Tests of the ZPL lexer behind the editor's colours.
import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { load } from "./bundle.js";

const { readToken, startState } = await load("zpl/lexer");

/** The tokens of a text as [kind, text] pairs, read line by line as the editor does. */
function tokens(text) {
  const state = startState();
  const found = [];
  for (const line of text.split("\n")) {
    const stream = {
      string: line,
      pos: 0,
      peek() {
        return this.string[this.pos];
      },
      next() {
        return this.string[this.pos++];
      },
      eol() {
        return this.pos >= this.string.length;
      },
    };
    while (!stream.eol()) {
      const from = stream.pos;
      const kind = readToken(stream, state);
      assert.ok(stream.pos > from, `no progress at ${from} of ${JSON.stringify(line)}`);
      assert.ok(stream.pos <= line.length, `ran past the end of ${JSON.stringify(line)}`);
      found.push([kind, line.slice(from, stream.pos)]);
    }
  }
  return found;
}

test("a field is split into commands, parameters and data", () => {
  assert.deepEqual(tokens("^XA^FO50,60^A0N,30,30^FDHello, world^FS^XZ"), [
    ["frame", "^XA"],
    ["command", "^FO"],
    ["number", "50"],
    ["delimiter", ","],
    ["number", "60"],
    ["command", "^A0"],
    ["word", "N"],
    ["delimiter", ","],
    ["number", "30"],
    ["delimiter", ","],
    ["number", "30"],
    ["command", "^FD"],
    ["data", "Hello, world"],
    ["fieldEnd", "^FS"],
    ["frame", "^XZ"],
  ]);
});

test("lower case commands are commands", () => {
  assert.deepEqual(tokens("^xa^fo1,2^xz").map(([kind]) => kind), ["frame", "command", "number", "delimiter", "number", "frame"]);
});

test("data and comments go on over line ends", () => {
  assert.deepEqual(tokens("^FDone\ntwo^FS^FXnote\nmore^FO1"), [
    ["command", "^FD"],
    ["data", "one"],
    ["data", "two"],
    ["fieldEnd", "^FS"],
    ["comment", "^FX"],
    ["comment", "note"],
    ["comment", "more"],
    ["command", "^FO"],
    ["number", "1"],
  ]);
});

test("a tilde in data ends it before the control commands of the table, and before no other name", () => {
  const table = fs.readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8");
  const control = new Set([...table.matchAll(/^\| `~([A-Z0-9]{2})`/gm)].map(([, name]) => name));
  assert.ok(control.size > 50);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (const first of letters) {
    for (const second of letters) {
      const ends = tokens(`^FDa~${first}${second}`).length > 2;
      assert.equal(ends, control.has(first + second), `~${first}${second}`);
    }
  }
});

test("a tilde in data ends it only before a control command", () => {
  assert.deepEqual(tokens("^FDa~1b~JA"), [
    ["command", "^FD"],
    ["data", "a~1b"],
    ["command", "~JA"],
  ]);
});

test("hex escapes count only after ^FH, with its own indicator, until ^FS", () => {
  assert.deepEqual(tokens("^FH^FDa_41b_4x^FS^FDa_41^FS"), [
    ["command", "^FH"],
    ["command", "^FD"],
    ["data", "a"],
    ["escape", "_41"],
    ["data", "b_4x"],
    ["fieldEnd", "^FS"],
    ["command", "^FD"],
    ["data", "a_41"],
    ["fieldEnd", "^FS"],
  ]);
  assert.deepEqual(tokens("^FH\\^FD\\41_41")[3], ["escape", "\\41"]);
});

test("^CC, ^CD and ^CT take effect at once", () => {
  assert.deepEqual(tokens("^CC!!FO1,2!CD;!FO3;4!CT@@JA"), [
    ["command", "^CC!"],
    ["command", "!FO"],
    ["number", "1"],
    ["delimiter", ","],
    ["number", "2"],
    ["command", "!CD;"],
    ["command", "!FO"],
    ["number", "3"],
    ["delimiter", ";"],
    ["number", "4"],
    ["command", "!CT@"],
    ["command", "@JA"],
  ]);
});

test("a prefix that has another role already is refused", () => {
  assert.deepEqual(tokens("^CC~^FO1").at(-2), ["command", "^FO"]);
});

test("the preamble of printer drivers does not derail the lexer", () => {
  const found = tokens("CT~~CD,~CC^~CT~\n^XA~TA000^XZ");
  assert.deepEqual(found.slice(-4), [
    ["frame", "^XA"],
    ["command", "~TA"],
    ["number", "000"],
    ["frame", "^XZ"],
  ]);
});

test("graphic data are a payload after the fourth delimiter", () => {
  assert.deepEqual(tokens("^GFA,8,8,1,FF00\nFF00^FS").slice(-4), [
    ["delimiter", ","],
    ["payload", "FF00"],
    ["payload", "FF00"],
    ["fieldEnd", "^FS"],
  ]);
  assert.deepEqual(tokens("~DGR:A.GRF,8,1,FF").at(-1), ["payload", "FF"]);
});

test("text outside any command is stray", () => {
  assert.deepEqual(tokens("hello ^XA"), [
    ["stray", "hello "],
    ["frame", "^XA"],
  ]);
});

test("^A@ names a font file, ^A takes its font letter along", () => {
  assert.deepEqual(tokens("^A@N,20")[0], ["command", "^A@"]);
  assert.deepEqual(tokens("^ADN,20")[0], ["command", "^AD"]);
});

test("any text is read to its end, and every character belongs to one token", () => {
  const piece = fc.oneof(
    fc.constantFrom("^FD", "^FS", "^FX", "^FH", "~JA", "^CC", "^CT", "^CD", "^GFA,1,1,1,", "^", "~", ",", "\n", "^A0", "_41", "^XA"),
    fc.string(),
    fc.fullUnicode ? fc.fullUnicode() : fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      assert.equal(tokens(text).map(([, part]) => part).join(""), text.replaceAll("\n", ""));
    }),
  );
});
