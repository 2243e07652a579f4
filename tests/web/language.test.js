// Tests of the page's languages: every text is said in every language, none is left over, none is written past the catalogs.
import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import ts from "typescript";
import { collectTexts, fixedTextsOf, OTHER_LANGUAGES, placeOf, problemsOf, readCatalog, sources, textsOf, visit } from "../../web/texts.mjs";
import { load } from "./bundle.js";

const plain = collectTexts();

test("the English catalog lists every text of the sources and of index.html", () => {
  assert.ok(Object.keys(plain).length > 500);
  assert.deepEqual(readCatalog("en"), plain, "run node web/texts.mjs");
});

for (const name of OTHER_LANGUAGES) {
  test(`${name}.json has every text once, with the same values, and none that is not used`, () => {
    assert.deepEqual(problemsOf(name, readCatalog(name), plain), []);
  });

  test(`${name}.json keeps code, file names and keys of the English text`, () => {
    // Commands, options and addresses are the same in every language; {{name}} is what a label has.
    const code = (text) => (text.match(/[\^~][A-Z][A-Z0-9]\b|--[a-z-]+ [A-Z:0-9]+|\.zpl|_5E|_7E|\bF\d\b|\{\{name\}\}/g) ?? []).sort();
    for (const [key, given] of Object.entries(readCatalog(name))) {
      for (const text of typeof given === "object" ? Object.values(given) : [given]) assert.deepEqual(code(text), code(key), `${key}: ${text}`);
    }
  });
}

test("each kind of defect in a catalog is found", () => {
  const english = { Open: "Open", "of {count}": "of {count}", "{count} dots": { one: "{count} dot", other: "{count} dots" }, "see `^FO`": "see `^FO`" };
  const good = { Open: "Öffnen", "of {count}": "von {count}", "{count} dots": { one: "{count} Punkt", other: "{count} Punkte" }, "see `^FO`": "siehe `^FO`" };
  const found = (change) => problemsOf("de", { ...good, ...change }, english).join("\n");
  assert.equal(found({}), "");
  assert.match(found({ Open: undefined }), /^Open: missing$/m);
  assert.match(found({ Open: " " }), /^Open: empty$/m);
  assert.match(found({ Closed: "Zu" }), /^Closed: not used$/m);
  assert.match(found({ "of {count}": "von {anzahl}" }), /^of \{count\}: has the values \{count\}, its translation \{anzahl\}$/m);
  assert.match(found({ "{count} dots": "{count} Punkte" }), /wants an object/);
  assert.match(found({ "{count} dots": { other: "{count} Punkte" } }), /plural form one is missing/);
  assert.match(found({ "{count} dots": { one: "ein Punkt", other: "{count} Punkte" } }), /has the values \{count\}, its translation none/);
  assert.match(found({ "{count} dots": { one: "{count} Punkt", few: "{count} Punkte", other: "{count} Punkte" } }), /no plural form few/);
  assert.match(found({ "see `^FO`": "siehe ^FO" }), /other code/);
  assert.match(found({ Open: ["Öffnen"] }), /wants one text/);
});

test("texts are found in calls and in index.html, and only written-out ones are allowed", () => {
  const tree = (code) => ts.createSourceFile("x.ts", code, ts.ScriptTarget.Latest, true);
  assert.deepEqual(textsOf(tree('f(say("A"), { b: say(`B {n}`, { n }) }); sayCount("one", "many", 3); this.say("not this")')), [["A", "A"], ["B {n}", "B {n}"], ["many", { one: "one", other: "many" }]]);
  assert.throws(() => textsOf(tree("say(name)")), /x\.ts:1: a text must be written out/);
  assert.throws(() => textsOf(tree("\nsay(`a ${b}`)")), /x\.ts:2/);
  assert.deepEqual(fixedTextsOf('<nav aria-label="Views"><p class="a" data-say>Text</p><p>Platen</p></nav>'), ["Views", "Text"]);
});

/** Names of formats, symbologies and programs, and code: the same in every language. */
const SAME = /^(Platen|Labelary|PNG|JPEG|WebP|PDF|JSON|ZPL|XML|Base64|base64|label|code|text\/.*|Code 128|GS1-128|EAN-13|QR Code|Data Matrix|PDF417|GS1 Data Matrix|Code 128, EAN-13, QR Code, Data Matrix|name,city\nAnn,Bath)$/;
const NAMED = new Set(["text", "smallText", "label", "detail", "title", "about", "aria-label", "placeholder", "alt", "refusal"]);
const SPEAKING = new Set(["toast", "announce", "openDialog"]);

/** The names of its drawings are no texts. */
const isDrawing = ({ fileName }) => fileName === "src/ui/icons.ts";

/** Said, compared with a sentence of the service, or the name of a phrase of CodeMirror's. */
const isNamed = (node) => node.parent.name === node || /^say|startsWith$/.test(node.parent.expression?.getText() ?? "");

/** Strings at places from where people read them, that are not said in the language of the page. */
function unsaid(tree) {
  const found = new Set();
  const look = (node) => {
    if (!node || isDrawing(tree)) return;
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].forEach(look);
    if (ts.isBinaryExpression(node) && [ts.SyntaxKind.PlusToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(node.operatorToken.kind)) return [node.left, node.right].forEach(look);
    const written = ts.isStringLiteralLike(node) ? node.text : ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(" ") : "";
    // Units are the same everywhere, and so are commands.
    const words = written.replace(/[\^~][A-Z0-9]{2}/g, "").replace(/\b(mm|in|dpmm|ms|kB|MB|px|Platen)\b/g, "");
    if (/[A-Za-z]{2,}/.test(words) && !SAME.test(written)) found.add(`${placeOf(node)} ${node.getText()}`);
  };
  visit(tree, (node) => {
    // Wherever it is: what begins like a sentence is one.
    if (ts.isStringLiteralLike(node) && /^[A-Z][a-z]+ [a-z]+/.test(node.text) && !isNamed(node)) found.add(`${placeOf(node)} ${node.getText()}`);
    if (ts.isPropertyAssignment(node) && NAMED.has(node.name.text)) look(node.initializer);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(node.left) && /^(textContent|title|alt|placeholder)$/.test(node.left.name.text)) look(node.right);
    if (ts.isNewExpression(node) && node.expression.getText() === "RenderFailure") look(node.arguments[1]);
    if (!ts.isCallExpression(node)) return;
    const called = node.expression.getText();
    if (SPEAKING.has(called)) look(node.arguments[0]);
    if (called === "el") node.arguments.slice(2).forEach(look);
    if (/\.setAttribute$/.test(called) && node.arguments[0]?.text === "aria-label") look(node.arguments[1]);
  });
  return [...found];
}

test("no text is written past the catalogs", () => {
  assert.deepEqual(sources().flatMap(({ tree }) => unsaid(tree)), []);
  const tree = ts.createSourceFile("x.ts", 'toast("No room."); el("p", {}, a ? "Yes" : b); button({ text: `Label ${n}`, icon: "open" }); x.textContent = "Busy"; el("td", {}, "12 mm")', ts.ScriptTarget.Latest, true);
  assert.equal(unsaid(tree).length, 4);
});

const language = await load("ui/language", "ui/numbers");

test("the language is the first that the page has of those that are asked for", () => {
  assert.equal(language.languageOf([null, "ja", "pt-BR", "de"]), "pt");
  assert.equal(language.languageOf(["zh_TW"]), "zh");
  assert.equal(language.languageOf(["DE-at"]), "de");
  for (const none of [[], [null], ["ja"], ["constructor"], [""], ["deutsch"]]) assert.equal(language.languageOf(none), undefined, String(none));
});

test("English needs no catalog: values, plural forms, numbers", () => {
  assert.equal(language.say("Open"), "Open");
  assert.equal(language.say("{a} of {b}, {{name}}", { a: 1234, b: "1234" }), "1,234 of 1234, {{name}}");
  assert.equal(language.sayCount("{count} dot", "{count} dots", 1), "1 dot");
  assert.equal(language.sayCount("{count} dot of {name}", "{count} dots of {name}", 0, { name: "x" }), "0 dots of x");
  assert.equal(language.withDecimalSign("101.6 mm"), "101.6 mm");
  assert.deepEqual([language.formatLength(101.6, "mm"), language.formatLength(101.6, "in"), language.formatBytes(1234), language.formatBytes(999)], ["101.6", "4", "1.2 kB", "999 B"]);
});

test("the page's own code for files and labels writes numbers with a point in every language", () => {
  // Numbers for people come from ui/; what makes requests, code and files has no use for it.
  for (const file of ["edit/moving.ts", "zpl/split.ts", "data/rewrite.ts", "actions/calls.ts", "actions/link-codec.ts", "model/units.ts", "edit/sizing.ts"]) {
    assert.doesNotMatch(fs.readFileSync(new URL(`../../web/label/src/${file}`, import.meta.url), "utf8"), /shownNumber|withDecimalSign|formatLength|toLocaleString|Intl\./, file);
  }
});
