// Labels that are small to send and once were large or slow to draw, by name. Each: {name, zpl, query, why}; `query` is
// what goes with it to the service (`format` is the last part of the path), `why` what it once did.
//   node tests/hostile/labels.mjs                   lists them
//   node tests/hostile/labels.mjs NAME > label.zpl  writes one
import { fileURLToPath } from 'node:url';
import { composite, contour, context, EMPTY, layout, multiple, openTypeCff, single, SQUARE, trueType, u16, u32, u8 } from './font.mjs';

const text = (...parts) => Buffer.concat(parts.map((p) => (typeof p === 'string' ? Buffer.from(p) : p)));
const download = (file, name = 'F') => `~DUR:${name}.TTF,${file.length},${file.toString('hex').toUpperCase()}\n`;
// A field in the downloaded font.
const field = (characters, size = 30, name = 'F') => text(`^XA^CI28^FO10,10^A@N,${size},${size},R:${name}.TTF^FD`, characters, '^FS^XZ\n');
const ASCII = [[0x20, 0x7e, 1]]; // glyph 1 is the space

const labels = [];
const add = (name, why, make, query = {}) => labels.push({ name, why, query, make });

// ---- fonts: outlines

add('composite-depth', 'each glyph is a composite of the next, 16,000 deep: FreeType recursed until the stack ended', () => {
  const glyphs = Array.from({ length: 16000 }, (_, i) => (i === 15999 ? SQUARE : composite([i + 1])));
  return text(download(trueType(glyphs, [[0x41, 0x5a, 0]])), field('AB'));
});

add('composite-expansion', '15 levels of three components each: one glyph took 22 s and 1.0 GB', () => {
  const glyphs = [EMPTY, ...Array.from({ length: 15 }, (_, i) => composite([i + 2, i + 2, i + 2])), EMPTY, EMPTY];
  return text(download(trueType(glyphs, [[0x41, 0x41, 1]])), field('A'));
});

add('composite-cycle', 'a glyph that is a part of itself', () => text(download(trueType([EMPTY, composite([2]), composite([1])], [[0x41, 0x42, 1]])), field('AB')));

add('composite-many', '60,000 glyph numbers of one heavy composite: each is loaded once for its advance and once to draw', () => {
  const part = contour(Array.from({ length: 1000 }, (_, i) => [i % 2 ? 900 : 0, i % 1000]));
  const heavy = composite(Array(30).fill(0));
  const end = part.length + ((4 - (part.length % 4)) % 4), whole = end + heavy.length + ((4 - (heavy.length % 4)) % 4);
  const loca = [0, ...Array.from({ length: 60000 }, (_, i) => (i % 2 ? whole : end))];
  const chars = Array.from({ length: 21000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
  return text(download(trueType([part, heavy], [[0x4e00, 0x4e00 + 59000, 1]], { loca })), field(chars));
});

// Lines from one point to many and back.
function fan(points) {
  return contour(Array.from({ length: points }, (_, i) => (i % 2 ? [500, 0] : [Math.floor((i * 1000) / points), 1000])));
}

// Lines between places all over the square.
function tangle(points) {
  return contour(Array.from({ length: points }, (_, i) => [(i * 7919) % 1000, (i * 104729) % 997]));
}

// Teeth side by side.
function comb(points) {
  return contour(Array.from({ length: points }, (_, i) => [Math.floor((i * 1000) / points), i % 2 ? 1000 : 0]));
}

const drawn = (outline, size) => text(download(trueType([EMPTY, outline], [[0x41, 0x41, 1]])), field('A', size));

add('zigzag', 'a glyph of 32,000 points at 1,000 dots: rasterising it took 15 s and could not be interrupted', () => drawn(fan(32000), 1000));

add('zigzag-large', 'the same at 20,000 dots', () => drawn(fan(32000), 20000));

add('zigzag-small', 'half of it at 500 dots', () => drawn(fan(16000), 500));

add('zigzag-grey', 'a thousand of the points for smooth output', () => drawn(fan(1000), 500), { quality: 'grayscale' });

add('comb', 'teeth that stand side by side', () => drawn(comb(16000), 500));

add('tangle', '16,000 lines all over the glyph', () => drawn(tangle(16000), 500));

add('tangle-turned', 'the same, turned and reversed', () => text(download(trueType([EMPTY, tangle(8000)], [[0x41, 0x41, 1]])), '^XA^FO10,10^FR^A@R,700,700,R:F.TTF^FDA^FS^XZ'));

add('zigzag-many', '300 sizes of a glyph of 4,000 points', () => {
  const fields = Array.from({ length: 300 }, (_, i) => `^FO0,0^A@N,${200 + i},${200 + i},R:F.TTF^FDA^FS`).join('');
  return text(download(trueType([EMPTY, fan(4000)], [[0x41, 0x41, 1]])), `^XA${fields}^XZ`);
});

add('advance-points', 'a glyph of 32,000 points, 60,000 times in a line: it was loaded for each advance, 11 s', () =>
  text(download(trueType([EMPTY, EMPTY, comb(32000)], [[0x41, 0x41, 2]])), field('A'.repeat(60000), 20)));

add('cff-subroutines', 'a charstring that calls subroutines that call subroutines: 20 million steps for a glyph', () => {
  // Level i calls level i + 1 twelve times; the last one pushes and drops. Numbers are biased by 107.
  const subroutines = Array.from({ length: 9 }, (_, i) => (i === 8 ? u8(139, 12, 18, 139, 12, 18, 11) : Buffer.concat([...Array(12).fill(u8(139 + i + 1 - 107, 29)), u8(11)])));
  const glyph = Buffer.concat([u8(139 - 107, 29), u8(14)]);
  return text(download(openTypeCff(subroutines, [u8(14), ...Array(60).fill(glyph)], [[0x41, 0x7c, 1]])), field('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'));
});

add('cmap-records', 'a font with 60,000 records of one character map, each of which is read when it is opened', () => {
  const records = 60000, segments = 2000;
  const map = Buffer.concat([u16(4, 16 + segments * 8, 0, segments * 2, 0, 0, 0), u16(...Array.from({ length: segments }, (_, i) => (i + 1 === segments ? 0xffff : i * 2 + 1))), u16(0),
    u16(...Array.from({ length: segments }, (_, i) => (i + 1 === segments ? 0xffff : i * 2))), Buffer.alloc(segments * 4)]);
  const table = Buffer.concat([u16(0, records), ...Array(records).fill(Buffer.concat([u16(3, 1), u32(4 + records * 8)])), map]);
  return text(download(trueType(glyphs, ARABIC, { tables: { cmap: table } })), field('A'));
});

// ---- fonts: layout tables

const LETTER = '\u0627'; // Arabic, so that the text is shaped
const ARABIC = [[0x627, 0x627, 1]];
const glyphs = [EMPTY, SQUARE, SQUARE, SQUARE];

add('gsub-lookups', '10,000 lookups at one offset: 61 s', () =>
  text(download(trueType(glyphs, ARABIC, { tables: { GSUB: layout('ccmp', [[1, single(1, 1)]], { same: 10000 }) } })), field(LETTER.repeat(30000))));

add('gsub-doubling', 'lookups that double every glyph: 442 MB', () =>
  text(download(trueType(glyphs, ARABIC, { tables: { GSUB: layout('ccmp', [[2, multiple(1, [1, 1])]], { same: 400 }) } })), field(LETTER.repeat(30000))));

add('gsub-context', 'one lookup with 16,000 rules that all fail late', () =>
  text(download(trueType(glyphs, ARABIC, { tables: { GSUB: layout('ccmp', [[5, context(1, 16000, 60, 3)]]) } })), field(LETTER.repeat(30000))));

add('gsub-nested', 'a rule that carries out a costly lookup a thousand times: 11 KB, more than 60 s', () => {
  const records = 1000;
  const outer = Buffer.concat([u16(1, 8, 1, 14, 1, 1, 1, 1, 4), u16(1, records), ...Array(records).fill(u16(0, 1))]);
  const GSUB = layout('ccmp', [[5, outer], [5, context(1, 300, 60, 3)]]);
  GSUB.writeUInt16BE(1, GSUB.readUInt16BE(6) + 10); // the feature has the first one alone
  return text(download(trueType(glyphs, ARABIC, { tables: { GSUB } })), field(LETTER.repeat(250)));
});

add('gsub-circle', 'a lookup whose rule carries out the lookup itself, twice', () => {
  const rule = Buffer.concat([u16(1, 8, 1, 14, 1, 1, 1, 1, 4), u16(1, 2), u16(0, 0), u16(0, 0)]);
  return text(download(trueType(glyphs, ARABIC, { tables: { GSUB: layout('ccmp', [[5, rule]]) } })), field(LETTER.repeat(30000)));
});

add('gsub-overlap', 'a table of 3 MB whose 2,000 subtables are one, with 30,000 parts that are one: checking it took half a second', () => {
  const parts = 30000, subtables = 2000;
  const subtable = Buffer.concat([u16(1, 6 + parts * 2, parts), u16(...Array(parts).fill(16 + parts * 2)), u16(2, 1, 0, parts - 1, 0), u16(1, 1)]);
  const table = layout('ccmp', [[2]]);
  const list = table.readUInt16BE(8);
  const lookup = Buffer.concat([u16(2, 0, subtables), u16(...Array(subtables).fill(6 + subtables * 2)), subtable]);
  const GSUB = Buffer.concat([table.subarray(0, list), u16(1, 4), lookup, Buffer.alloc(3000000)]);
  return text(download(trueType(glyphs, ARABIC, { tables: { GSUB } })), field(LETTER.repeat(100)));
});

add('gpos-lookups', '10,000 lookups of GPOS at one offset', () => {
  const adjust = Buffer.concat([u16(1, 8, 4, 1), u16(1, 1, 1)]);
  return text(download(trueType(glyphs, ARABIC, { tables: { GPOS: layout('mark', [[1, adjust]], { same: 10000 }) } })), field(LETTER.repeat(30000)));
});

// ---- text

add('marks', 'one Hebrew letter and 65,530 combining marks: one call of HarfBuzz took 39 s', () =>
  text('^XA^CI36^FO10,10^A0N,30,30^FD', u8(0xe0), Buffer.alloc(65530, 0xc7), '^FS^XZ'));

add('marks-mixed', 'the same with marks of all classes', () =>
  text('^XA^CI36^FO10,10^A0N,30,30^FD', u8(0xe0), Buffer.from(Array.from({ length: 65530 }, (_, i) => 0xc0 + ((i * 7) % 10))), '^FS^XZ'));

add('marks-latin', 'a Latin letter with 32,000 accents', () => text('^XA^CI28^FO10,10^A0N,30,30^FDq', '\u0308\u0330'.repeat(16000), '^FS^XZ'));

add('marks-block', 'marks in a block: laid out to measure and again to draw', () =>
  text('^XA^CI36^FO10,10^A0N,30,30^FB400,9^FD', u8(0xe0), Buffer.alloc(65530, 0xc7), '^FS^XZ'));

add('marks-vertical', 'marks below each other', () => text('^XA^CI36^FO10,10^A0N,30,30^FPV^FD', u8(0xe0), Buffer.alloc(65530, 0xc7), '^FS^XZ'));

add('scripts', 'text that alternates between scripts: all items were copied for every run, 6,000 characters took 993 MB', () =>
  text('^XA^CI28^FO10,10^A0N,30,30^FD', 'a\u05d0'.repeat(3000), '^FS^XZ'));

add('scripts-long', '20,000 characters of the same', () => text('^XA^CI28^FO10,10^A0N,30,30^FD', 'a\u0915\u05d0'.repeat(6600), '^FS^XZ'));

add('scripts-block', 'the same in a block', () => text('^XA^CI28^FO10,10^A0N,30,30^FB700,99^FD', 'a\u05d0 '.repeat(6600), '^FS^XZ'));

const ideographs = (count) => Array.from({ length: count }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');

const utf8 = (characters, block = '') => text(`^XA^CI28^FO10,10^A0N,30,30${block}^FD`, characters, '^FS^XZ');

add('bidi-brackets', '65,000 brackets, open and never closed or in pairs, around right-to-left letters', () =>
  text(utf8('\u05d0' + '('.repeat(65000)), utf8('(\u05d0)'.repeat(16000)), utf8('\u05d0' + '()'.repeat(32000))));

add('bidi-embeddings', '65,000 embeddings, overrides and isolates, one inside another', () =>
  text(utf8('\u202ba\u202e\u05d0'.repeat(16250)), utf8('\u2068!'.repeat(32500)), utf8('\u2067a('.repeat(10800) + ')\u2069'.repeat(16200))));

add('bidi-block', 'the same in blocks: the order is found for the paragraph and put to use in each line', () =>
  text(utf8('\u202ba \u202e\u05d0('.repeat(10800), '^FB400,9999'), utf8('\u2068\u05d0 '.repeat(21600), '^FB30,9999,0,L,10'), utf8('\u05d0\\&'.repeat(16000), '^FB300,9999')));

add('breaks-block', 'text without spaces in narrow blocks: marks, flags, joined emoji, Thai, and brackets that must not begin a line', () =>
  text(...['\u4e2d' + '\u3099'.repeat(20000), '\u{1f1e6}'.repeat(16000), '\u{1f468}\u200d'.repeat(9000), '\u0e40\u0e01\u0e31\u0e19'.repeat(5000), '\u4e2d' + '\uff09'.repeat(20000), '\uff08'.repeat(20000)]
    .map((characters) => utf8(characters, '^FB40,9999,0,L,20'))));

add('ideographs', '10,000 ideographs at 900 dots: glyphs off the label were rasterised and nothing looked at the clock, 21 s', () =>
  text('^XA^CI28^FO10,10^A0N,900,900^FD', ideographs(10000), '^FS^XZ'));

add('ideographs-on-label', '400 ideographs over each other at 900 dots', () =>
  text('^XA^CI28', Array.from(ideographs(400), (c) => `^FO10,10^A0N,900,900^FD${c}^FS`).join(''), '^XZ'));

add('ideographs-small', '20,000 ideographs at 60 dots in a block, turned', () =>
  text('^XA^CI28^FO10,10^A0R,60,60^FB800,2000^FD', ideographs(20000), '^FS^XZ'));

add('missing-characters', '20,000 characters that no font has', () =>
  text('^XA^CI28^FO10,10^A0N,30,30^FD', Array.from({ length: 16000 }, (_, i) => String.fromCodePoint(0xf0000 + i)).join(''), '^FS^XZ'));

add('embedded-fields', '^FE: each #1# read the source again, 12 s', () => {
  const data = '_41'.repeat(20000);
  return text(`^XA^FH^FN1^FD${data}^FS`, Array.from({ length: 20 }, () => `^FO10,10^A0N,20,20^FE^FD${'#1,F,1,1#'.repeat(6000)}^FS`).join(''), '^XZ');
});

// ---- memory

function bitmapFont(name, count, filler) {
  const glyph = (i) => `#${(0x41 + i).toString(16).toUpperCase().padStart(4, '0')}.2000.2000.0.0.10.`;
  return `~DBR:${name}.FNT,N,100,100,80,10,${count},(C),${Array.from({ length: count }, (_, i) => glyph(i)).join('')}${'0'.repeat(filler)}\n`;
}

add('bitmap-font-copies', '64 empty glyphs of 2,000 x 2,000 dots, copied 63 times by ^TO: 2.06 GB', () => {
  const names = Array.from({ length: 63 }, (_, i) => `C${i}`);
  return text(bitmapFont('F', 64, 1000000), '^XA', names.map((n) => `^TOR:F.FNT,R:${n}.FNT`).join(''), names.map((n) => `^FO1,1^A@N,100,100,R:${n}.FNT^FDA^FS`).join(''), '^XZ');
});

add('bitmap-fonts', 'seven such fonts, each with its own digits', () => {
  const names = Array.from({ length: 7 }, (_, i) => `C${i}`);
  return text(names.map((n) => bitmapFont(n, 64, 1000000)).join(''), '^XA', names.map((n) => `^FO1,1^A@N,100,100,R:${n}.FNT^FDA^FS`).join(''), '^XZ');
});

add('bitmap-font-large', 'glyphs of 2,000 x 2,000 dots, ten times as large, 500 times', () =>
  text(bitmapFont('F', 8, 1000000), '^XA^FO1,1^A@R,1000,1000,R:F.FNT^FD', 'ABCDEFGH'.repeat(64), '^FS^XZ'));

add('font-copies', 'a font of 1.4 MB, copied 63 times', () => {
  const names = Array.from({ length: 63 }, (_, i) => `C${i}`);
  const file = trueType([EMPTY, ...Array.from({ length: 8 }, () => comb(32000))], [[0x41, 0x48, 1]]);
  return text(download(file), '^XA', names.map((n) => `^TOR:F.TTF,R:${n}.TTF`).join(''), names.map((n) => `^FO1,1^A@N,10,10,R:${n}.TTF^FDABCDEFGH^FS`).join(''), '^XZ');
});

add('deleted-characters', '60 fields of 65,500 DEL, a serial number and 500 labels as json, where each DEL is six bytes twice: 991 MB', () =>
  text('^XA', ...Array.from({ length: 60 }, () => text('^FO10,10^A0N,20,20^FD', Buffer.alloc(65500, 0x7f), '^FS')), '^FO10,10^A0N,20,20^SN1,1,Y^FS^PQ500^XZ'),
{ format: 'json' });

add('serial-characters', 'the same with 60 serial numbers: each label has characters of its own', () =>
  text('^XA', ...Array.from({ length: 60 }, () => text('^FO10,10^A0N,20,20^SN', Buffer.alloc(65500, 0x7f), ',1,Y^FS')), '^PQ500^XZ'),
{ format: 'json' });

// ---- the report

add('line-numbers', '7.8 million newlines and 1,500 recalled formats with narrow barcodes: the lines were counted again for each, 110 s', () =>
  text('^XA^DFR:A.ZPL^FO10,10^BY1^BCN,20,N^FD1^FS^XZ', '\n'.repeat(7800000), '^XA', '^XFR:A.ZPL^FS^FO9,9^BY1^BCN,20,N^FD2^FS'.repeat(1500), '^XZ'),
{ format: 'json', minModuleMm: '1' });

// What is asked for is made; the largest has 8 MB.
export const hostileLabels = labels.map(({ name, why, query, make }) => {
  let made;
  return { name, why, query, get zpl() { return (made ??= make()); } };
});
export default hostileLabels;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv[2];
  if (!wanted) {
    for (const { name, why } of hostileLabels) console.log(`${name.padEnd(22)} ${why}`);
  } else {
    const found = hostileLabels.find(({ name }) => name === wanted);
    if (!found) throw new Error(`there is no label ${wanted}`);
    process.stdout.write(found.zpl);
  }
}
