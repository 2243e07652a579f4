// Tests of what the page reads in label code of any language: titles, commands by line, the outline, fields to rename.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.js";

const m = await load("documents/title", "zpl/commands", "zpl/locate", "editor/outline", "edit/rename-field", "editor/long-text", "../../../node_modules/@codemirror/state/dist/index.js");

test("a label without a name is called by its first text, not by a barcode", () => {
  const title = (zpl, name = "") => m.titleOf({ zpl, name });
  assert.equal(title("^XA^FO1,1^BCN,50^FD12345^FS^FO1,9^A0N,30^FDShip\\&to^FS^XZ"), "Ship to");
  assert.equal(title("^XA^FO1,1^BY3^A0N,30^FDText^FS^XZ"), "Text", "^BY is no barcode");
  assert.equal(title("^XA^FO1,1^FDText^FS^XZ", "mine.zpl"), "mine.zpl");
  assert.equal(title('N\nq400\nB1,1,0,1,2,4,60,B,"99"\nA50,50,0,3,1,1,N,"Hello"\nP1\n'), "Hello");
  assert.equal(title('SIZE 50 mm,30 mm\nTEXT 10,10,"3",0,1,1,"Dock 7"\n'), "Dock 7");
  assert.equal(title("! 0 200 200 240 1\r\nBARCODE 128 1 1 50 20 90 12345678\r\nT180 4 0 20 20 To: Bath\r\nPRINT\r\n"), "To: Bath");
  assert.equal(title("^XA^XZ"), "Untitled");
  assert.equal(title(`^XA^FO1,1^FD${"long ".repeat(50)}^FS^XZ`).length, 40);
});

const table = new m.CommandTable();
table.fill(m.readCommands([{ name: "A" }, { name: "AUTOFR" }, { name: "B" }, { name: "b" }, { name: "BARCODE" }, { name: "TEXT" }]), "epl");
table.use("epl");

test("a command by line: the longest name, words in any case, letters as they are, parameters outside quotes", () => {
  for (const [line, name] of [["A50,1", "A"], ["AUTOFR", "AUTOFR"], ["b1,2", "b"], ["B1,2", "B"], ["text 1,2", "TEXT"], ["barcode 1", "BARCODE"], ["a1", ""], ["", ""]]) assert.equal(table.beginning(line), name, line);
  const doc = m.Text.of(["N", '  A50,60,"a,b",7']);
  const place = m.commandIn(doc, doc.length, table);
  assert.deepEqual([place.name, place.from, place.nameEnd, place.parameter], ["A", 4, 5, 3]);
  assert.equal(m.commandIn(doc, 4, table).parameter, -1);
  assert.equal(m.commandIn(doc, 0, table), undefined);
});

test("the outline has labels, fields and stored things, in order", () => {
  const zpl = new m.CommandTable();
  const doc = m.Text.of("^XA^DFR:A.ZPL^FS^FO1,1^FN1^FS^XZ\n^XA^FO1,1^FDone\\&two^FS^FO1,9^GB9,9,2^FS^XZ".split("\n"));
  assert.deepEqual(m.outlineOf(doc, zpl).map(({ command, text, isLabel }) => [command, text, isLabel]), [["^XA", "Label 1", true], ["^DF", "R:A.ZPL", false], ["^FN", "1", false], ["^XA", "Label 2", true], ["^FD", "one two", false], ["^GB", "9, 9, 2", false]]);
});

test("renaming a field changes all its places and no other; a number that is taken is refused", () => {
  const zpl = '^XA^FO1,1^FN1"a"^FS^FO2,2^FN12^FS^XZ^XA^FN1^FDx^FS^XZ';
  const apply = (changes) => [...changes].reverse().reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), zpl);
  assert.equal(apply(m.renameField(zpl, 1, 7, "b")), '^XA^FO1,1^FN7"b"^FS^FO2,2^FN12^FS^XZ^XA^FN7^FDx^FS^XZ');
  assert.equal(apply(m.renameField(zpl, 12, 12, "c")), '^XA^FO1,1^FN1"a"^FS^FO2,2^FN12"c"^FS^XZ^XA^FN1^FDx^FS^XZ');
  assert.equal(m.renameField(zpl, 1, 12, "b"), "Another field has the number 12.");
});

test("the lines of a long text are those that the editor makes of it, wherever its parts end", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    for (const last of ["", end]) {
      const text = Array.from({ length: 100_000 }, (_, i) => (i % 7 === 0 ? "" : `^FO${i},1^FDx^FS`)).join(end) + last;
      const lines = await m.linesOf(text);
      assert.ok(lines.eq(m.Text.of(text.split(/\r\n?|\n/))), JSON.stringify([end, last]));
      assert.equal(lines.toString(), text.replaceAll(end, "\n"));
    }
  }
  assert.equal((await m.linesOf("")).lines, 1);
});

test("a text is put together anew for other lines only", () => {
  const whole = new m.WholeText();
  const lines = m.Text.of(["a", "b"]);
  assert.equal(whole.of(lines), "a\nb");
  assert.equal(whole.of(lines.append(m.Text.of(["c"]))), "a\nbc");
  assert.equal(whole.of(lines), "a\nb");
});
