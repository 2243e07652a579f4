// Label code in a PDF, as some carriers' answers and print systems carry it: in a stream of the document, an attached file for example.
import { decodeText } from "../actions/files";
import { fromBase64 } from "../actions/link-codec";
import { isLabel } from "./unpack";

const MOST_STREAMS = 1000;
const LONGEST = 32 * 1024 * 1024;

/** The PDFs that a text holds as base64, wherever they are in it. */
export function pdfsIn(text: string): Uint8Array<ArrayBuffer>[] {
  return [...text.matchAll(/JVBERi0[A-Za-z0-9+/_\\\s-]*/g)].flatMap(([found]) => {
    try {
      return [fromBase64(found.replace(/\\[rn]|\\|\s|=+$/g, ""))];
    } catch {
      return [];
    }
  });
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      parts.push(step.value);
      length += step.value.length;
      if (length > LONGEST) return undefined;
    }
  } catch {
    // Bytes behind the end of the compressed data are an error here; what came before it is whole.
  } finally {
    reader.cancel().catch(() => undefined);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The dictionary in front of a stream is not longer than this. */
const LONGEST_DICTIONARY = 10_000;

/** No more than this comes out of all streams of a document. */
const MOST_BYTES = 4 * LONGEST;

/** The label code in a document's streams; undefined where there is none. */
export async function labelCodeOf(pdf: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  // A character for each byte, so that places are the same in both.
  const text = new TextDecoder("latin1").decode(pdf);
  const found: string[] = [];
  let streams = 0;
  let bytes = 0;
  const heads = /(?<!end)stream\r?\n/g;
  for (let head = heads.exec(text); head; head = heads.exec(text)) {
    if (++streams > MOST_STREAMS) break;
    const start = heads.lastIndex;
    const end = text.indexOf("endstream", start);
    if (end < 0) break;
    heads.lastIndex = end;
    const before = text.slice(Math.max(0, head.index - LONGEST_DICTIONARY), head.index);
    const dictionary = before.slice(Math.max(0, before.lastIndexOf("obj")));
    const data = pdf.slice(start, end);
    const plain = /\/(FlateDecode|Fl)\b/.test(dictionary) ? await inflate(data) : data;
    bytes += plain?.length ?? LONGEST;
    if (bytes > MOST_BYTES) break;
    const code = plain ? decodeText(plain).text.trim() : "";
    if (isLabel(code)) found.push(code);
  }
  return found.length > 0 ? found.join("\n") : undefined;
}
