// make-tables.mjs [FOLDER]: writes src/font/line/bidi_table.h and src/font/line/break_table.h from the files of Unicode's character database
// (Debian's package unicode-data). The tables are part of the repository, so that every build orders and breaks text alike; a unit
// test compares the first with the database. For another version of Unicode: run this, then look at the pictures.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const unicode = process.argv[2] || '/usr/share/unicode';
const font = join(dirname(fileURLToPath(import.meta.url)), '../../src/font/line');
const LAST = 0x10ffff;

const read = (name) => readFileSync(join(unicode, name), 'utf8');
const version = /-(\d+\.\d+\.\d+)\.txt/.exec(read('extracted/DerivedBidiClass.txt'))[1];

// The value of a property for every code point. Lines "@missing" come first: they are what code points without a line have.
function property(name, names = {}) {
  const values = new Array(LAST + 1).fill(undefined);
  const rows = { missing: [], given: [] };
  for (const line of read(name).split('\n')) {
    const m = /^(# @missing: )?([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)/.exec(line);
    if (m) rows[m[1] ? 'missing' : 'given'].push([parseInt(m[2], 16), parseInt(m[3] || m[2], 16), names[m[4]] || m[4]]);
  }
  for (const [first, last, value] of [...rows.missing, ...rows.given]) values.fill(value, first, last + 1);
  return values;
}

// Ranges of code points with the same text; those where `text` gives nothing are left out.
function ranges(text) {
  const out = [];
  for (let c = 0; c <= LAST; c++) {
    const value = text(c);
    const last = out[out.length - 1];
    if (!value) continue;
    if (last && last[1] === c - 1 && last[2] === value) last[1] = c;
    else out.push([c, c, value]);
  }
  return out;
}

const hex = (n) => '0x' + n.toString(16).toUpperCase();

function lines(rows) {
  let out = '', line = '   ';
  for (const row of rows) {
    const cell = ` {${row.join(', ')}},`;
    if (line.length + cell.length > 120) {
      out += line + '\n';
      line = '   ';
    }
    line += cell;
  }
  return out + line + '\n';
}

function write(name, what, body) {
  const guard = `PL_FONT_LINE_${name.toUpperCase()}_H`;
  writeFileSync(join(font, `${name}.h`), `// ${what}
// Made by tools/unicode/make-tables.mjs from Unicode ${version}: do not change by hand.
#ifndef ${guard}
#define ${guard}

// clang-format off
${body}// clang-format on

#endif
`);
}

// ---- order: Bidi_Class but L, and the brackets of rule N0

const classes = property('extracted/DerivedBidiClass.txt', {
  Left_To_Right: 'L', Right_To_Left: 'R', Arabic_Letter: 'AL', European_Terminator: 'ET', Boundary_Neutral: 'BN',
});
const decompositions = new Map(read('UnicodeData.txt').split('\n').map((l) => l.split(';')).filter((f) => /^[0-9A-F]+$/.test(f[5] || ''))
  .map((f) => [parseInt(f[0], 16), parseInt(f[5], 16)]));
const plain = (c) => decompositions.get(c) ?? c;
const brackets = read('BidiBrackets.txt').split('\n').map((l) => /^([0-9A-F]+); ([0-9A-F]+); ([oc])/.exec(l)).filter(Boolean)
  .map((m) => ({ c: parseInt(m[1], 16), other: parseInt(m[2], 16), opens: m[3] === 'o' }))
  // Both of a pair are named by the closing one, in the form that it is canonically equal to.
  .map(({ c, other, opens }) => [hex(c), hex(plain(opens ? other : c)), opens ? 'true' : 'false']);
const bidiRows = ranges((c) => (classes[c] === 'L' ? '' : `PL_BIDI_${classes[c]}`)).map(([a, b, v]) => [hex(a), hex(b), v]);
write('bidi_table', 'The bidirectional classes of characters, and the brackets that come in pairs.',
`static const struct {
    uint32_t first, last;
    uint8_t value;
} class_rows[] = { // what is not here has class L
${lines(bidiRows)}};

static const struct {
    uint32_t c, pair; // the closing one names the pair
    bool opens;
} bracket_rows[] = {
${lines(brackets)}};
`);

// ---- lines: which East Asian characters may be at an end of a line

const breaks = property('LineBreak.txt');
const widths = property('EastAsianWidth.txt');
const categories = property('extracted/DerivedGeneralCategory.txt');
const NOT_FIRST = new Set(['CL', 'CP', 'EX', 'IS', 'SY', 'NS', 'CJ', 'BA', 'HY', 'IN', 'PO', 'GL', 'WJ']);
const NOT_LAST = new Set(['OP', 'PR', 'BB', 'GL', 'WJ']);
const HANGUL = new Set(['H2', 'H3', 'JL', 'JV', 'JT']);

function breaking(c) {
  const value = breaks[c], category = categories[c], flags = [];
  // Quotation marks open or close as their category says; those that say nothing do either.
  const quote = value === 'QU';
  if (['W', 'F', 'H'].includes(widths[c]) || HANGUL.has(value)) flags.push('EAST_ASIAN');
  if (NOT_FIRST.has(value) || (quote && category !== 'Pi')) flags.push('NOT_FIRST');
  if (NOT_LAST.has(value) || (quote && category !== 'Pf')) flags.push('NOT_LAST');
  return flags.join(' | ');
}
const breakRows = ranges(breaking).map(([a, b, v]) => [hex(a), hex(b), v]);
write('break_table', 'Characters between which a line can end without a space, and those that must not begin or end one.',
`static const struct {
    uint32_t first, last;
    uint8_t flags;
} break_rows[] = {
${lines(breakRows)}};
`);
console.log(`${bidiRows.length} ranges of classes, ${brackets.length} brackets, ${breakRows.length} ranges of breaks`);
