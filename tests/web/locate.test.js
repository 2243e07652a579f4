// Tests of finding the command at the cursor.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.js";

const { commandAt, prefixesAt, DEFAULT_PREFIXES } = await load("zpl/locate", "zpl/lexer");

const at = (text) => {
  const position = text.indexOf("|");
  const zpl = text.replace("|", "");
  const place = commandAt(zpl, position, prefixesAt(zpl, position));
  return place && [place.name, place.parameter];
};

test("the command's name and parameters are told apart", () => {
  assert.deepEqual(at("^XA^F|O50,60^FS"), ["^FO", -1]);
  assert.deepEqual(at("^XA^FO|50,60^FS"), ["^FO", 0]);
  assert.deepEqual(at("^XA^FO50,|60^FS"), ["^FO", 1]);
  assert.deepEqual(at("^XA^FO50,60|^FS"), ["^FS", -1]);
});

test("commas in field data are data", () => {
  assert.deepEqual(at("^FDa,b,c|d^FS"), ["^FD", 0]);
});

test("the font of ^A belongs to its name", () => {
  assert.deepEqual(at("^A|0N,30,20^FD"), ["^A", -1]);
  assert.deepEqual(at("^A0|N,30,20^FD"), ["^A", 0]);
  assert.deepEqual(at("^A0N,30|,20^FD"), ["^A", 1]);
  assert.deepEqual(at("^A@N,30|,20^FD"), ["^A@", 1]);
});

test("control commands keep their tilde", () => {
  assert.deepEqual(at("~D|GR:A.GRF,8,1,FF"), ["~DG", -1]);
});

test("before any command there is none", () => {
  assert.equal(at("hello| ^XA"), undefined);
});

test("changed prefixes are followed, and names stay those of the table", () => {
  assert.deepEqual(at("^CC!!FO1,|2"), ["^FO", 1]);
  assert.deepEqual(at("^CD;^FO1;|2"), ["^FO", 1]);
  assert.deepEqual(prefixesAt("^CC!!CD;!CT@", 99), { format: "!", control: "@", delimiter: ";" });
  assert.deepEqual(prefixesAt("^FDaccess to ACCT^FS", 99), DEFAULT_PREFIXES);
});
