// Claims of the pages (limits, exit statuses, error codes) and the proofs that the pages' sources name for them:
//   <!-- proof: tests/api/limits.test.js "distinct labels" -->        a test, by the beginning of its name; without a name the whole file
//   <!-- proof: tests/unit/font/test_bounds.c glyphs_have_bounds -->  a unit test
//   <!-- proof: src/font/face/sfnt.c MOST_PARTS -->                   a constant of the program, which is the number on the page
// Several are separated by "; ". In a line a mark is for this paragraph, list item or row; on a line of its own for all of the paragraph, list or
// table below it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const MARK = /<!-- proof: (.+?) -->/g;
const marksOf = (text) => [...text.matchAll(MARK)].flatMap((m) => m[1].split('; '));
const plain = (text) => text.replace(/<!--.*?-->/g, '').trim();
const cells = (row) => row.replace(/\\\|/g, '\u0001').split('|').slice(1, -1).map((cell) => cell.replaceAll('\u0001', '|').trim());

/** Paragraphs, list items and rows of a page: `{ line, text, proofs }`, rows also `{ header, cells }`. Code is left out: it is run. */
export function statements(source) {
  const found = [];
  let fence = '', above = [], header = null, before = '';
  source.split('\n').forEach((line, i) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence ? mark === fence : mark) fence = fence ? '' : mark;
    else if (fence) return;
    else if (!line.trim()) [above, header] = [before.startsWith('<!-- proof:') ? above : [], null];
    else if (/^<!-- proof: .+ -->$/.test(line.trim())) above = marksOf(line);
    else if (/^\|[-| :]+\|$/.test(line)) return;
    else if (line.startsWith('|') && !header) header = cells(line);
    else {
      const row = line.startsWith('|'), item = /^\s*([-*]|\d+\.) /.test(line), inline = marksOf(line);
      const last = found.at(-1);
      if (!row && !item && before.trim() && !before.startsWith('<!--') && last && last.end === i - 1 && !last.cells) { // a further line of the same paragraph
        Object.assign(last, { text: `${last.text} ${plain(line)}`, proofs: [...last.proofs, ...inline], end: i });
      } else found.push({ line: i + 1, end: i, text: plain(line), proofs: [...above, ...inline], ...(row ? { header, cells: cells(line).map(plain) } : {}) });
    }
    before = line;
  });
  return found;
}

/** Numbers of a text with their units, in bytes where the unit is one: "128 MiB", "16,777,216 dots", "100000000". */
export const numbersIn = (text) => [...text.matchAll(/(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+)(?: ?(KiB|MiB|GiB))?\b/g)].map(([, number, unit]) => Number(number.replaceAll(',', '')) * { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[unit ?? ''] || Number(number.replaceAll(',', '')));

/** The value of a #define of the sources, or null. */
export function constant(text, name) {
  const value = new RegExp(`^#define ${name}[ \\t]+(.+?)[ \\t]*(?://.*)?$`, 'm').exec(text)?.[1].replace(/\(size_t\)|\(uint64_t\)/g, '').replace(/(\d)[uUlL]+\b/g, '$1');
  return value && /^[\d\s()*+<x]+$/.test(value) ? Function(`return ${value}`)() * (name.endsWith('_MIB') ? 1024 ** 2 : 1) : null;
}

let run;
/** The test files that some suite runs. */
export function filesOfSuites() {
  if (!run) {
    const words = fs.readdirSync('tests/suites').flatMap((name) => [...fs.readFileSync(`tests/suites/${name}`, 'utf8').matchAll(/tests\/[\w*{},./-]+\.test\.m?js/g)].map((m) => m[0]));
    run = new Set(execFileSync('bash', ['-c', `printf '%s\\n' ${[...new Set(words)].join(' ')}`], { encoding: 'utf8' }).trim().split('\n'));
  }
  return run;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function testProblem(file, text, name) {
  if (file.endsWith('.c')) {
    const program = path.basename(file, '.c');
    if (!fs.readFileSync(path.join(path.dirname(file), 'meson.build'), 'utf8').includes(program.replace(/^test_/, ''))) return 'meson does not build it';
    return new RegExp(`cmocka_unit_test\\w*\\(${escaped(name)}\\b|\\bt\\(${escaped(name)}\\)`).test(text) ? '' : `it does not run ${name}`;
  }
  if (!filesOfSuites().has(file)) return 'no suite runs it';
  if (!name) return '';
  const call = new RegExp(`\\b(?:test|it|describe)\\(\\s*[\`'"]${escaped(name)}.*`).exec(text)?.[0];
  return !call ? `it has no test "${name}"` : /\bskip: (true|['"`])/.test(call) ? 'the test is skipped' : '';
}

/** What is wrong with a proof, or nothing. `numbers` are those that it must prove. */
export function proofProblem(proof, numbers = []) {
  const [, file, name = ''] = /^(\S+)(?: "?(.+?)"?)?$/.exec(proof) ?? [];
  if (!file || !fs.existsSync(file)) return `${proof}: ${file ?? proof} does not exist`;
  const text = fs.readFileSync(file, 'utf8');
  if (file.startsWith('tests/')) {
    const problem = testProblem(file, text, name);
    return problem && `${proof}: ${problem}`;
  }
  const value = constant(text, name);
  if (value === null) return `${proof}: there is no such number`;
  return numbers.includes(value) ? '' : `${proof}: it is ${value}, the page says ${numbers.join(', ')}`;
}
