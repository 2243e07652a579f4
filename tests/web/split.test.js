// Tests of the page's view of commands and parameters: where they stand, and what writing one changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.js";

const { splitCommands, writeParameter } = await load("zpl/split");
const usual = { format: "^", control: "~", delimiter: "," };
const apply = (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to);

test("commands with the places of their parameters, without the blanks around", () => {
  const text = "^FO 50 , 60\n^A0N,30^FDa, b^FS";
  const commands = splitCommands(text, 0, usual);
  assert.deepEqual(commands.map(({ name, font }) => name + font), ["^FO", "^A0", "^FD", "^FS"]);
  assert.deepEqual(commands[0].parameters.map((p) => text.slice(p.from, p.to)), ["50", "60"]);
  assert.deepEqual(commands[2].parameters.map((p) => p.text), ["a, b"]);
});

test("writing a parameter changes nothing else, and adds the delimiters that are missing", () => {
  const text = "^XA\n^BCN , 120\n^FDx^FS";
  const barcode = splitCommands(text, 0, usual)[1];
  assert.equal(apply(text, writeParameter(barcode, 1, "90")), "^XA\n^BCN , 90\n^FDx^FS");
  assert.equal(apply(text, writeParameter(barcode, 5, "A")), "^XA\n^BCN , 120,,,,A\n^FDx^FS");
  assert.equal(apply("^GB^FS", writeParameter(splitCommands("^GB^FS", 0, usual)[0], 0, "9")), "^GB9^FS");
  assert.equal(apply("^FO,60^FS", writeParameter(splitCommands("^FO,60^FS", 0, usual)[0], 0, "9")), "^FO9,60^FS");
});

test("prefixes change on the way, and data keeps a tilde that begins no command", () => {
  const commands = splitCommands("^CC$$CD;$FO1;2$FDa ~ b$FS", 10, usual);
  assert.deepEqual(commands.map(({ name }) => name), ["^CC", "^CD", "^FO", "^FD", "^FS"]);
  assert.deepEqual(commands[2].parameters.map((p) => p.text), ["1", "2"]);
  assert.equal(commands[2].from, 18);
  assert.equal(commands[3].parameters[0].text, "a ~ b");
});

test("the data of a picture is one parameter, whatever it holds", () => {
  const [picture] = splitCommands("^GFA,8,8,1,FF,00,,FF^FS", 0, usual);
  assert.deepEqual(picture.parameters.map((p) => p.text), ["A", "8", "8", "1", "FF,00,,FF"]);
});
