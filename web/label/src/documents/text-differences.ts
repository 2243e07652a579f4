// Lines that two texts have in common, and those that only one of them has.

export interface DiffLine {
  kind: "both" | "a" | "b";
  text: string;
}

/** Beyond this many lines in the part that differs, comparing all of them would take seconds. */
const MOST_LINES = 4000;

/** One field a line: label code often has none of its own. */
function linesOf(text: string): string[] {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(\^FS|\^XA)(?=[^\n])/gi, "$1\n")
    .replace(/\n$/, "")
    .split("\n");
}

/** The longest common lines of the middle part, by its table of lengths. */
function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > MOST_LINES * MOST_LINES) return [...a.map((text) => ({ kind: "a" as const, text })), ...b.map((text) => ({ kind: "b" as const, text }))];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] = a[i] === b[j] ? (lengths[at + width + 1] as number) + 1 : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const found: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: "both", text: a[i++] as string });
      j++;
    } else if (j >= b.length || (i < a.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))) found.push({ kind: "a", text: a[i++] as string });
    else found.push({ kind: "b", text: b[j++] as string });
  }
  return found;
}

export function compareLines(textA: string, textB: string): DiffLine[] {
  const a = linesOf(textA);
  const b = linesOf(textB);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const both = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: "both", text }));
  return [...both(a.slice(0, head)), ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)), ...both(a.slice(a.length - tail))];
}
