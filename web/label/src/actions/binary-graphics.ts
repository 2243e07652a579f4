// Graphics that a file holds as raw bytes (^GFB, ~DY with B), written as hexadecimal digits: a text editor cannot keep raw bytes, and a
// byte more or less in them takes the fields behind them for graphics.

const CARET = 0x5e;
const TILDE = 0x7e;
const COMMA = 0x2c;

/** A command with its parameters is not longer than this. */
const LONGEST_HEAD = 200;

interface RawGraphic {
  /** Where the letter that says "binary" is. */
  kind: number;
  from: number;
  to: number;
}

/** In either case; by number, since files have a million places to look at. */
function isLetter(byte: number | undefined, letter: string): boolean {
  return byte !== undefined && (byte & ~0x20) === letter.charCodeAt(0);
}

/** Places of the first `count` commas from `at` on. */
function commas(bytes: Uint8Array, at: number, count: number): number[] | undefined {
  const found: number[] = [];
  for (let i = at; i < Math.min(bytes.length, at + LONGEST_HEAD) && found.length < count; i++) if (bytes[i] === COMMA) found.push(i);
  return found.length === count ? found : undefined;
}

function numberBetween(bytes: Uint8Array, from: number, to: number): number {
  return Number(new TextDecoder("latin1").decode(bytes.subarray(from, to)).trim() || "x");
}

function graphicAt(bytes: Uint8Array, at: number): RawGraphic | undefined {
  const isNamed = (name: string): boolean => isLetter(bytes[at + 1], name[0] as string) && isLetter(bytes[at + 2], name[1] as string);
  if (bytes[at] === CARET && isNamed("GF") && isLetter(bytes[at + 3], "B")) {
    // ^GFB,bytes of data,bytes in all,bytes a row,data
    const at4 = commas(bytes, at + 3, 4);
    const count = at4 ? numberBetween(bytes, (at4[0] as number) + 1, at4[1] as number) : NaN;
    return at4 && Number.isInteger(count) ? { kind: at + 3, from: (at4[3] as number) + 1, to: (at4[3] as number) + 1 + count } : undefined;
  }
  if (bytes[at] === TILDE && isNamed("DY")) {
    // ~DYname,coding,kind of file,bytes of data,bytes a row,data
    const at5 = commas(bytes, at + 3, 5);
    const kind = at5 ? (at5[0] as number) + 1 : 0;
    if (!at5 || !isLetter(bytes[kind], "B")) return undefined;
    const count = numberBetween(bytes, (at5[2] as number) + 1, at5[3] as number);
    return Number.isInteger(count) ? { kind, from: (at5[4] as number) + 1, to: (at5[4] as number) + 1 + count } : undefined;
  }
  return undefined;
}

const DIGITS = new TextEncoder().encode("0123456789ABCDEF");

export function binaryToHex(bytes: Uint8Array): { bytes: Uint8Array; converted: number } {
  const parts: Uint8Array[] = [];
  let done = 0;
  let converted = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== CARET && bytes[at] !== TILDE) continue;
    const graphic = graphicAt(bytes, at);
    if (!graphic || graphic.to <= graphic.from || graphic.to > bytes.length) continue;
    const head = bytes.slice(done, graphic.from);
    head[graphic.kind - done] = 0x41; // A: hexadecimal digits
    const digits = new Uint8Array((graphic.to - graphic.from) * 2);
    for (let i = graphic.from, put = 0; i < graphic.to; i++) {
      const byte = bytes[i] as number;
      digits[put++] = DIGITS[byte >> 4] as number;
      digits[put++] = DIGITS[byte & 15] as number;
    }
    parts.push(head, digits);
    done = graphic.to;
    at = done - 1;
    converted++;
  }
  if (converted === 0) return { bytes, converted };
  parts.push(bytes.subarray(done));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let put = 0;
  for (const part of parts) {
    whole.set(part, put);
    put += part.length;
  }
  return { bytes: whole, converted };
}
