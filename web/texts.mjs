// The texts of the label page: finds them in its sources, writes languages/en.json, and says what the other catalogs lack.
//   node web/texts.mjs
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const page = fileURLToPath(new URL("label/", import.meta.url));
const catalogs = path.join(page, "languages");
/** Says what index.html brings along, whatever that is. */
const SAYS_ANY_TEXT = "src/ui/fixed-texts.ts";

export const OTHER_LANGUAGES = ["pt", "es", "de", "fr", "zh"];

export function sources() {
  const files = ["src", "pages"].flatMap((folder) => fs.readdirSync(path.join(page, folder), { recursive: true }).filter((name) => name.endsWith(".ts")).sort().map((name) => path.join(folder, name)));
  return files.map((name) => {
    const file = name.split(path.sep).join("/");
    return { file, tree: ts.createSourceFile(file, fs.readFileSync(path.join(page, file), "utf8"), ts.ScriptTarget.Latest, true) };
  });
}

export function visit(node, seen) {
  seen(node);
  ts.forEachChild(node, (child) => visit(child, seen));
}

export function placeOf(node) {
  const tree = node.getSourceFile();
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function literal(node) {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  throw new Error(`${placeOf(node)}: a text must be written out where it is said, so that this tool finds it`);
}

/** What say and sayCount are called with in a source, as entries of a catalog. */
export function textsOf(tree) {
  const texts = [];
  visit(tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
    const [first, second] = node.arguments;
    if (node.expression.text === "say") texts.push([literal(first), literal(first)]);
    if (node.expression.text === "sayCount") texts.push([literal(second), { one: literal(first), other: literal(second) }]);
  });
  return texts;
}

/** The fixed texts of a page that fixed-texts.ts translates. */
export function fixedTextsOf(html) {
  return [...html.matchAll(/aria-label="([^"]+)"|<[^>]*\sdata-say\b[^>]*>([^<]+)</g)].map(([, name, text]) => name ?? text);
}

/** The catalog of the English page: every text by itself, in the order of the sources. */
export function collectTexts() {
  const found = new Map();
  for (const { file, tree } of sources()) {
    if (file === SAYS_ANY_TEXT) continue;
    for (const [key, value] of textsOf(tree)) {
      const before = found.get(key);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value)) throw new Error(`${file}: ${key} is said with and without a count`);
      found.set(key, value);
    }
  }
  for (const html of ["index.html", "pages/printer/index.html"]) {
    for (const text of fixedTextsOf(fs.readFileSync(path.join(page, html), "utf8"))) if (!found.has(text)) found.set(text, text);
  }
  return Object.fromEntries(found);
}

export function readCatalog(name) {
  return JSON.parse(fs.readFileSync(path.join(catalogs, `${name}.json`), "utf8"));
}

function placeholders(text) {
  return [...new Set(text.match(/\{\w+\}/g))].sort().join(" ");
}

/** What is wrong with a catalog, in sentences; `plain` is the English one. */
export function problemsOf(name, catalog, plain) {
  const problems = [];
  const forms = new Intl.PluralRules(name).resolvedOptions().pluralCategories;
  for (const [key, english] of Object.entries(plain)) {
    const given = catalog[key];
    if (given === undefined) {
      problems.push(`${key}: missing`);
      continue;
    }
    if (typeof given !== typeof english) {
      problems.push(`${key}: ${typeof english === "object" ? "wants an object with a text for each plural form" : "wants one text"}`);
      continue;
    }
    if (typeof given === "object") {
      for (const form of Object.keys(given)) if (!forms.includes(form)) problems.push(`${key}: the language has no plural form ${form}`);
      // For whole millions only; there "other" serves.
      for (const form of forms) if (form !== "many" && given[form] === undefined) problems.push(`${key}: the plural form ${form} is missing`);
    }
    for (const text of typeof given === "object" ? Object.values(given) : [given]) {
      if (typeof text !== "string" || text.trim() === "") problems.push(`${key}: empty`);
      else {
        if (placeholders(text) !== placeholders(key)) problems.push(`${key}: has the values ${placeholders(key) || "none"}, its translation ${placeholders(text) || "none"}`);
        if (/^\s/.test(text) !== /^\s/.test(key) || (/\s$/.test(text) !== /\s$/.test(key) && name !== "zh")) problems.push(`${key}: begins or ends with a blank, or does not`);
        if (text.split("`").length !== key.split("`").length) problems.push(`${key}: other code in it`);
      }
    }
  }
  for (const key of Object.keys(catalog)) if (!Object.hasOwn(plain, key)) problems.push(`${key}: not used`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const plain = collectTexts();
  fs.writeFileSync(path.join(catalogs, "en.json"), `${JSON.stringify(plain, null, 2)}\n`);
  console.log(`en.json: ${Object.keys(plain).length} texts`);
  for (const name of OTHER_LANGUAGES) {
    const problems = problemsOf(name, readCatalog(name), plain);
    for (const problem of problems) console.log(`${name}.json: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
