// Which font file has a character: by a table that the build makes of the files (coverage.ts).
import { COVERAGE, FONT_FILES } from "./coverage.js";
import type { Font } from "./types.js";

interface Run {
  from: number;
  count: number;
  file: number;
}

let runs: Run[] | undefined;

/** "gap,count,file" in base 36, one run after the other. */
function readRuns(): Run[] {
  const found: Run[] = [];
  let at = 0;
  for (const row of COVERAGE.split(";")) {
    const [gap = 0, count = 0, file = 0] = row.split(",").map((part) => Number.parseInt(part, 36));
    at += gap;
    found.push({ from: at, count, file });
    at += count;
  }
  return found;
}

/** The first of the font files, in the order of the search, that has the character. */
function fileOf(character: number): string | undefined {
  runs ??= readRuns();
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (character < run.from) high = middle;
    else if (character >= run.from + run.count) low = middle + 1;
    else return FONT_FILES[run.file];
  }
  return undefined;
}

/** Names of the files that have these characters and are not among those that are there. */
export function missingFonts(characters: Iterable<number>, there: ReadonlySet<string>, missing: Set<string>): void {
  for (const character of characters) {
    const file = fileOf(character);
    if (file !== undefined && !there.has(file)) missing.add(file);
  }
}

/** The order in which fonts are searched: that of the table, then others as they were given. */
export function inOrder(fonts: readonly Font[]): Font[] {
  const place = (font: Font): number => {
    const index = FONT_FILES.indexOf(font.name);
    return index < 0 ? FONT_FILES.length : index;
  };
  return [...fonts].sort((a, b) => place(a) - place(b));
}
