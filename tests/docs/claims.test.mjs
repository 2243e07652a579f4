// Every limit, exit status and error code on the pages has a proof that exists and runs (proofs.mjs says how a page names it).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page, userPages } from './pages.mjs';
import { constant, numbersIn, proofProblem, statements } from './proofs.mjs';

// "400 `missing_value`", and lists: "400 `a`, `b`".
const PAIRS = /\b([45]\d\d) ((?:`[a-z]+(?:_[a-z0-9]+)*`(?:, | or )?)+)/g;
const codesOf = (text) => [...text.matchAll(/`([a-z]+(?:_[a-z0-9]+)*)`/g)].map((m) => m[1]);
const pairsOf = (text) => [...text.matchAll(PAIRS)].flatMap(([, status, codes]) => codesOf(codes).map((code) => `${status} ${code}`));
const EXIT = /\bexit(s with| status(es)?)\b[^.;]*?\b[0-9]\b|\b[0-9]\b[^.;]*\bexit status\b/i;

const isErrorRow = ({ header }) => header?.[0] === 'status' && header[1] === 'code';
const isLimitRow = ({ header }) => header?.at(-1) === 'beyond it';
const isExitRow = ({ header }) => header?.[0] === 'exit status';

/** The pairs of status and code that api.md lists; `POST /api/...` of other pages answers with them. */
const listed = new Set(statements(page('docs/api.md').text).filter(isErrorRow).flatMap((row) => row.cells[0].split(', ').flatMap((status) => codesOf(row.cells[1]).map((code) => `${status} ${code}`))));

/** What a statement claims: kind, and the numbers that a constant of the program must be. */
function claimsOf(statement) {
  const { text } = statement, found = [];
  if (isErrorRow(statement)) found.push({ kind: 'error codes' });
  else if (pairsOf(text).some((pair) => !listed.has(pair))) found.push({ kind: 'an error code that api.md does not list' });
  // Defaults of options are compared with the programs by limits.test.mjs.
  if (isLimitRow(statement) && /\d/.test(statement.cells[1]) && !statement.cells[0].startsWith('`--')) found.push({ kind: 'a limit', numbers: numbersIn(statement.cells[1]) });
  if (isExitRow(statement) || EXIT.test(text)) found.push({ kind: 'an exit status' });
  return found;
}

let count = 0;
for (const file of userPages) {
  test(`claims of ${file} have proofs`, () => {
    const wrong = [];
    for (const statement of statements(page(file).text)) {
      const at = `${file}:${statement.line}`, claims = claimsOf(statement);
      count += claims.length;
      for (const { kind } of claims) if (!statement.proofs.length) wrong.push(`${at}: ${kind} without a proof: ${statement.text.slice(0, 120)}`);
      const numbers = claims.find((claim) => claim.numbers)?.numbers ?? numbersIn(statement.text);
      // A mark above a table proves each row that its numbers are of: constants are named in the row.
      wrong.push(...statement.proofs.map((proof) => proofProblem(proof, numbers)).filter(Boolean).map((problem) => `${at}: ${problem}`));
    }
    assert.deepEqual(wrong, []);
  });
}

test('claims are found', (t) => {
  t.diagnostic(`${count} claims`);
  assert.ok(count > 90, `only ${count} claims were found`);
  assert.ok(listed.size > 70, `only ${listed.size} error codes were found`);
});

test('the checker finds what is wrong', () => {
  const claims = (text) => statements(text).flatMap(claimsOf).map(({ kind }) => kind);
  assert.deepEqual(claims('It ends with exit status 4.'), ['an exit status']);
  assert.deepEqual(claims('The answer is 400 `no_such_code`.'), ['an error code that api.md does not list']);
  assert.deepEqual(claims('The answer is 400 `missing_value`.'), []);
  assert.deepEqual(claims('| limit | value | beyond it |\n|---|---|---|\n| rows | 7 | 413 |\n| size | none | |'), ['a limit']);
  assert.deepEqual(statements('<!-- proof: a -->\n| x | y |\n|---|---|\n| 1 | 2 <!-- proof: b --> |\n| 3 | 4 |\n\nText.\nMore. <!-- proof: c -->').map(({ proofs }) => proofs), [['a', 'b'], ['a'], ['c']]);
  assert.match(proofProblem('tests/api/nowhere.test.js'), /does not exist/);
  assert.match(proofProblem('tests/deploy/restarts.test.js'), /no suite runs it/);
  assert.match(proofProblem('tests/api/limits.test.js "no such test"'), /no test/);
  assert.match(proofProblem('tests/unit/font/test_bounds.c no_such_test'), /does not run/);
  assert.equal(proofProblem('tests/api/limits.test.js "distinct labels"'), '');
  assert.match(proofProblem('src/font/face/sfnt.c MOST_PARTS', [999]), /it is 1000/);
  assert.equal(proofProblem('src/font/face/sfnt.c MOST_PARTS', [1000]), '');
  assert.equal(constant('#define A ((size_t)128 << 20) // why', 'A'), 128 * 1024 ** 2);
  assert.deepEqual(numbersIn('2,000, with 8,000 subtables of 1 MiB and 8MiB'), [2000, 8000, 1048576, 8388608]);
});
