// Writes TrueType and OpenType files by hand: just enough of each table for a font to be opened, and whatever is wanted inside.

export const u8 = (...values) => Buffer.from(values);
export const u16 = (...values) => Buffer.from(values.flatMap((v) => [(v >> 8) & 255, v & 255]));
export const u32 = (...values) => Buffer.from(values.flatMap((v) => [(v >>> 24) & 255, (v >>> 16) & 255, (v >>> 8) & 255, v & 255]));

// sfnt({tag: Buffer}, head): a font file with these tables.
export function sfnt(tables, head = 0x00010000) {
  const names = Object.keys(tables).sort();
  const parts = [];
  const entries = [];
  let at = 12 + names.length * 16;
  for (const name of names) {
    const data = tables[name];
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    entries.push(Buffer.from(name), u32(0, at, data.length));
    parts.push(padded);
    at += padded.length;
  }
  return Buffer.concat([u32(head), u16(names.length, 16, 0, 0), ...entries, ...parts]);
}

const head = () => Buffer.concat([u32(0x00010000, 0x00010000, 0, 0x5f0f3cf5), u16(0, 1000), Buffer.alloc(16), u16(0, 0, 1000, 1000, 0, 8, 2, 1, 0)]);
const hhea = (metrics) => Buffer.concat([u32(0x00010000), u16(800, 0xff38, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, metrics)]);
const maxp = (glyphs) => Buffer.concat([u32(0x00010000), u16(glyphs, 65535, 65535, 65535, 65535, 2, 0, 0, 0, 0, 0, 65535, 16)]);

// cmap([[first, last, glyph of the first], ...])
export function cmap(groups) {
  const body = groups.map(([first, last, glyph]) => u32(first, last, glyph));
  const table = Buffer.concat([u16(12, 0), u32(16 + groups.length * 12, 0, groups.length), ...body]);
  return Buffer.concat([u16(0, 1, 3, 10), u32(12), table]);
}

// trueType(glyphs, groups, more): glyphs are the bodies of `glyf`; loca may be given in `more`, for glyphs that share a body.
export function trueType(glyphs, groups, { loca, advance = 500, tables = {} } = {}) {
  const bodies = glyphs.map((g) => Buffer.concat([g, Buffer.alloc((4 - (g.length % 4)) % 4)]));
  let at = 0;
  const offsets = loca ?? [0, ...bodies.map((b) => (at += b.length))];
  const count = offsets.length - 1;
  return sfnt({
    cmap: cmap(groups), glyf: Buffer.concat(bodies), head: head(), hhea: hhea(1), hmtx: Buffer.concat([u16(advance, 0), Buffer.alloc((count - 1) * 2)]),
    loca: u32(...offsets), maxp: maxp(count), ...tables,
  });
}

// A simple glyph of one contour of straight lines through [x, y] points.
export function contour(points) {
  const flags = Buffer.alloc(points.length, 1);
  const xs = [], ys = [];
  let x = 0, y = 0;
  let [x0, y0, x1, y1] = [32767, 32767, -32768, -32768];
  for (const [px, py] of points) {
    xs.push(px - x);
    ys.push(py - y);
    [x, y] = [px, py];
    [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
  }
  return Buffer.concat([u16(1, x0, y0, x1, y1, points.length - 1, 0), flags, u16(...xs), u16(...ys)]);
}

// A composite glyph of these components: numbers, or {glyph, x, y, metrics} where `metrics` takes the advance from that one.
export function composite(components) {
  const parts = components.map((c, i) => {
    const { glyph, x = 0, y = 0, metrics = false } = typeof c === 'number' ? { glyph: c } : c;
    const more = i + 1 < components.length ? 0x20 : 0;
    return Buffer.concat([u16(0x0003 | more | (metrics ? 0x0200 : 0), glyph), u16(x, y)]); // words, and they are distances
  });
  return Buffer.concat([u16(0xffff, 0, 0, 500, 500), ...parts]);
}

export const SQUARE = contour([[50, 0], [50, 500], [450, 500], [450, 0]]);
export const EMPTY = Buffer.alloc(0);

// layout(lookups, {same}): a GSUB or GPOS table with one feature that all scripts use. `lookups` are [type, subtable];
// with `same` the one lookup is listed so many times.
export function layout(feature, lookups, { same = 0 } = {}) {
  const numbers = Array.from({ length: same || lookups.length }, (_, i) => i);
  const scripts = Buffer.concat([u16(1), Buffer.from('DFLT'), u16(8), u16(4, 0), u16(0, 0xffff, 1, 0)]);
  const features = Buffer.concat([u16(1), Buffer.from(feature), u16(8), u16(0, numbers.length), u16(...numbers)]);
  const bodies = lookups.map(([type, ...subtables]) => {
    let at = 6 + subtables.length * 2;
    const offsets = subtables.map((s) => (at += s.length) - s.length);
    return Buffer.concat([u16(type, 0, subtables.length), u16(...offsets), ...subtables]);
  });
  let at = 2 + numbers.length * 2;
  const offsets = same ? numbers.map(() => at) : bodies.map((b) => (at += b.length) - b.length);
  const list = Buffer.concat([u16(numbers.length), u16(...offsets), ...bodies]);
  return Buffer.concat([u32(0x00010000), u16(10, 10 + scripts.length, 10 + scripts.length + features.length), scripts, features, list]);
}

const coverage = (glyph) => u16(1, 1, glyph);
// One glyph becomes another.
export const single = (from, to) => Buffer.concat([u16(2, 8, 1, to), coverage(from)]);
// One glyph becomes a row of them.
export const multiple = (from, to) => Buffer.concat([u16(1, 8, 1, 14), coverage(from), u16(to.length, ...to)]);
// A chain of context: `rules` rules for one glyph that all look at `glyph` so many times and then for one that never comes.
export function context(glyph, rules, look, never) {
  const rule = u16(look + 1, 0, ...Array(look - 1).fill(glyph), never);
  const set = Buffer.concat([u16(rules), u16(...Array(rules).fill(2 + rules * 2)), rule]);
  return Buffer.concat([u16(1, 8, 1, 14), coverage(glyph), set]);
}

// openTypeCff(subroutines, glyphs, groups): an OpenType file with CFF outlines; charstrings and global subroutines as bytes.
export function openTypeCff(subroutines, glyphs, groups) {
  const index = (items) => {
    if (items.length === 0) return u16(0);
    let at = 1;
    return Buffer.concat([u16(items.length), u8(4), u32(1, ...items.map((item) => (at += item.length))), ...items]);
  };
  const number = (v) => Buffer.concat([u8(29), u32(v)]);
  const header = u8(1, 0, 4, 4), names = index([Buffer.from('H')]), strings = index([]), globals = index(subroutines);
  const top = (charstrings, privates) => Buffer.concat([number(charstrings), u8(17), number(0), number(privates), u8(18)]);
  const length = header.length + names.length + index([top(0, 0)]).length + strings.length + globals.length;
  const charstrings = index(glyphs);
  const cff = Buffer.concat([header, names, index([top(length, length + charstrings.length)]), strings, globals, charstrings]);
  const count = glyphs.length;
  return sfnt({
    'CFF ': cff, cmap: cmap(groups), head: head(), hhea: hhea(1), hmtx: Buffer.concat([u16(500, 0), Buffer.alloc((count - 1) * 2)]),
    maxp: Buffer.concat([u32(0x00005000), u16(count)]),
  }, 0x4f54544f);
}
