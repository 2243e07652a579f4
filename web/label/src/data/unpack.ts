// Label code as it is found in requests, answers and logs: base64, JSON, percent-encoded, in a curl command. What is pasted is unpacked.
import { decodeText } from "../actions/files";
import { fromBase64 } from "../actions/link-codec";
import { say } from "../ui/language";

export interface Unpacked {
  zpl: string;
  /** What it was packed in, for a message: "base64". */
  from: string;
}

/** Of a large answer no more strings than this are looked at. */
const MOST_STRINGS = 10_000;
const LONGEST = 32 * 1024 * 1024;
const DEEPEST = 4;

export function isLabel(text: string): boolean {
  // In two steps: one expression for both would look for the end again from every beginning.
  const start = text.search(/\^XA/i);
  return start >= 0 && /\^XZ/i.test(text.slice(start));
}

function labelFromBase64(text: string): string | undefined {
  const body = text.replace(/^data:[^,]*;base64,/i, "").replace(/\s+/g, "");
  if (body.length < 16 || body.startsWith("JVBERi0") || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(body)) return undefined; // a PDF is for data/pdf
  try {
    const { text: decoded } = decodeText(fromBase64(body.replace(/=+$/, "")));
    return isLabel(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

function stringsOf(value: unknown, found: string[]): string[] {
  if (found.length >= MOST_STRINGS) return found;
  if (typeof value === "string") found.push(value);
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) stringsOf(part, found);
  return found;
}

function fromJson(text: string, depth: number): string | undefined {
  if (!/^[[{"]/.test(text)) return undefined;
  try {
    const labels = stringsOf(JSON.parse(text), []).flatMap((string) => (isLabel(string) && !isEscaped(string) ? [string] : (unpackAny(string.trim(), depth + 1)?.zpl ?? [])));
    return labels.length > 0 ? labels.join("\n") : undefined;
  } catch {
    return undefined;
  }
}

/** The line ends of a JSON string in the text itself, as it is copied out of a request. `\&` is ZPL. */
function isEscaped(text: string): boolean {
  return /\\(r\\)?n\s*(\^|~|\\|"?$)/.test(text.trimEnd()) || /\\u005[eE]XA/i.test(text);
}

function fromEscapes(text: string): string | undefined {
  if (!isEscaped(text)) return undefined;
  const plain = text
    .replace(/^"|"$/g, "")
    .replace(/\\(u[0-9a-fA-F]{4}|[nrtbf"/\\])/g, (whole, code: string) =>
      code.length === 5 ? String.fromCharCode(parseInt(code.slice(1), 16)) : code === "n" ? "\n" : code === "r" || code === "b" || code === "f" ? "" : code === "t" ? "\t" : /["/\\]/.test(code) ? code : whole,
    );
  return isLabel(plain) ? plain : undefined;
}

function fromPercent(text: string): string | undefined {
  if (!/%5EXA/i.test(text)) return undefined;
  const value = text.split(/[&?\s]/).find((part) => /%5EXA/i.test(part)) ?? "";
  try {
    const plain = decodeURIComponent(value.replace(/^[\w.[\]-]+=/, "").replace(/\+/g, " "));
    return isLabel(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** What is between the quote that ends at `from` and its counterpart, which is not escaped and ends a word. */
function quoted(text: string, from: number): string | undefined {
  const quote = text[from - 1] as string;
  for (let end = text.indexOf(quote, from + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    if (text[end - 1] !== "\\" && /[\s\\]|^$/.test(text[end + 1] ?? "")) return text.slice(from, end);
  }
  return undefined;
}

/** The body of a request that was copied as a command, from Postman or a browser. */
function fromCommand(text: string, depth: number): string | undefined {
  if (!/^(curl|wget|http)\b/.test(text)) return undefined;
  const option = /\s(?:--data(?:-raw|-binary|-urlencode)?|-d|--body)\s+\$?(['"])/.exec(text);
  const given = option ? quoted(text, option.index + option[0].length) : undefined;
  if (!option || given === undefined) return undefined;
  const body = given.replace(option[1] === "'" ? /'\\''/g : /\\(["\\$`])/g, option[1] === "'" ? "'" : "$1");
  return isLabel(body) && !isEscaped(body) && !/^[[{"]/.test(body.trim()) ? body : unpackAny(body.trim(), depth + 1)?.zpl;
}

/** SOAP and other XML: base64 in an element, or the code itself with its characters escaped. */
function fromXml(text: string): string | undefined {
  if (!text.startsWith("<")) return undefined;
  // What is between an element's ">" and the next "<"; the last piece has no "<" behind it.
  const contents = text.split("<").slice(1, -1).map((piece) => piece.slice(piece.indexOf(">") + 1 || piece.length));
  const labels = contents.flatMap((content) => {
    if (content.length < 16) return [];
    const plain = content
      .replace(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)))
      .replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, "&");
    return isLabel(plain) ? [plain] : (labelFromBase64(plain) ?? []);
  });
  return labels.length > 0 ? labels.join("\n") : undefined;
}

function unpackAny(text: string, depth: number): Unpacked | undefined {
  if (depth > DEEPEST) return undefined;
  const ways: [string, (given: string) => string | undefined][] = [
    ["JSON", (given) => fromJson(given, depth)],
    [say("a curl command"), (given) => fromCommand(given, depth)],
    ["XML", fromXml],
    ["base64", labelFromBase64],
    [say("a percent-encoded form"), fromPercent],
    [say("an escaped string"), fromEscapes],
  ];
  for (const [from, way] of ways) {
    const zpl = way(text);
    if (zpl !== undefined) return { zpl, from };
  }
  return undefined;
}

/** Does the text hold a PDF as base64? Then `data/pdf` looks for label code in it. */
export function holdsPdf(text: string): boolean {
  return text.length <= LONGEST && text.includes("JVBERi0") && !isLabel(text);
}

/** Undefined where the text is not packed, or not label code. */
export function unpack(text: string): Unpacked | undefined {
  return text.length > LONGEST ? undefined : unpackAny(text.trim(), 0);
}
