// Which font file has which character: node tools/webassembly/coverage.mjs OUTPUT.ts
// The files are those of the table in src/font/face/system_fonts.c, in its order. Each character goes to the first that has it, as in the search.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = "/usr/share/fonts/truetype";

export function fontFiles() {
  const table = fs.readFileSync("src/font/face/system_fonts.c", "utf8");
  return [...table.matchAll(/^ {4}\{"([^"]+\.ttf)",/gm)].map((match) => path.join(FOLDER, match[1]));
}

// The characters of a font's Unicode map: its largest table of format 12, else of format 4.
function charactersOf(file) {
  const font = fs.readFileSync(file);
  let cmap = 0;
  for (let i = 0; i < font.readUInt16BE(4); i++) if (font.toString("latin1", 12 + 16 * i, 16 + 16 * i) === "cmap") cmap = font.readUInt32BE(12 + 16 * i + 8);
  const tables = { 4: 0, 12: 0 };
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const [platform, encoding] = [font.readUInt16BE(cmap + 4 + 8 * i), font.readUInt16BE(cmap + 6 + 8 * i)];
    const at = cmap + font.readUInt32BE(cmap + 8 + 8 * i);
    if (platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))) tables[font.readUInt16BE(at)] = at;
  }
  const found = [];
  const far = tables[12];
  if (far) {
    for (let i = 0; i < font.readUInt32BE(far + 12); i++) {
      const [from, to, glyph] = [0, 4, 8].map((offset) => font.readUInt32BE(far + 16 + 12 * i + offset));
      for (let c = from; c <= to; c++) if (glyph + c - from > 0) found.push(c);
    }
    return found;
  }
  const near = tables[4];
  const segments = font.readUInt16BE(near + 6) / 2;
  for (let i = 0; i < segments; i++) {
    const to = font.readUInt16BE(near + 14 + 2 * i);
    const from = font.readUInt16BE(near + 16 + 2 * segments + 2 * i);
    const delta = font.readUInt16BE(near + 16 + 4 * segments + 2 * i);
    const place = near + 16 + 6 * segments + 2 * i;
    const offset = font.readUInt16BE(place);
    for (let c = from; c <= to && c < 0xffff; c++) {
      const glyph = offset === 0 ? (c + delta) & 0xffff : font.readUInt16BE(place + offset + 2 * (c - from));
      if (glyph !== 0) found.push(c);
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = fontFiles();
  const owner = new Map();
  files.forEach((file, index) => {
    for (const c of charactersOf(file)) if (!owner.has(c)) owner.set(c, index);
  });
  const rows = [];
  let end = 0;
  let run;
  for (const c of [...owner.keys()].sort((a, b) => a - b)) {
    if (run && c === run.from + run.count && owner.get(c) === run.file) {
      run.count++;
      continue;
    }
    run = { from: c, count: 1, file: owner.get(c) };
    rows.push(run);
  }
  const coverage = rows.map(({ from, count, file }) => {
    const text = [from - end, count, file].map((n) => n.toString(36)).join(",");
    end = from + count;
    return text;
  });
  const names = files.map((file) => path.basename(file));
  fs.writeFileSync(
    process.argv[2],
    `// Made by tools/webassembly/coverage.mjs.\nexport const FONT_FILES: readonly string[] = ${JSON.stringify(names, null, 2)};\nexport const COVERAGE = ${JSON.stringify(coverage.join(";"))};\n`,
  );
}
