// Takes answers apart whose length is not told: chunks, strictly as RFC 9112 has them.

// What the service sends in place of the next chunk where it cuts an answer off: no chunk, so that no client takes the answer for whole.
const CUT_OFF = "!cut off";

// What of `data` after the head is chunks: their bytes, whether the last chunk is there, and what follows it. Throws at
// framing that is not right.
export function dechunk(data) {
  const parts = [];
  let at = 0;
  for (;;) {
    const end = data.indexOf("\r\n", at);
    if (end < 0) break;
    const line = data.toString("latin1", at, end);
    if (line === CUT_OFF && data.length === end + 2) break;
    if (!/^[0-9a-f]{1,15}$/.test(line)) throw new Error(`not the size of a chunk: ${JSON.stringify(line)}`);
    const size = parseInt(line, 16);
    if (data.length < end + 2 + size + 2) {
      parts.push(data.subarray(end + 2, end + 2 + size));
      break;
    }
    if (data.toString("latin1", end + 2 + size, end + 4 + size) !== "\r\n") throw new Error("a chunk does not end with CR LF");
    parts.push(data.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
    if (size === 0) return { body: Buffer.concat(parts), whole: true, rest: data.subarray(at) };
  }
  return { body: Buffer.concat(parts), whole: false, rest: Buffer.alloc(0) };
}

// The same for an answer that is too large to be looked through again with each piece that arrives.
export class Dechunker {
  parts = [];
  left = 0; // bytes of this chunk, with the CR LF behind it
  line = "";
  whole = false;
  rest = Buffer.alloc(0);
  take(data) {
    let at = 0;
    while (at < data.length && !this.whole) {
      if (this.left === 0) {
        this.line += String.fromCharCode(data[at++]);
        if (!this.line.endsWith("\r\n")) continue;
        if (this.line === `${CUT_OFF}\r\n` && at === data.length) return;
        if (!/^[0-9a-f]{1,15}\r\n$/.test(this.line)) throw new Error(`not the size of a chunk: ${JSON.stringify(this.line)}`);
        this.size = parseInt(this.line, 16);
        this.left = this.size + 2;
        this.line = "";
      } else if (this.left > 2) {
        const piece = data.subarray(at, at + this.left - 2);
        this.parts.push(piece);
        at += piece.length;
        this.left -= piece.length;
      } else {
        if (data[at++] !== (this.left === 2 ? 13 : 10)) throw new Error("a chunk does not end with CR LF");
        this.left--;
        this.whole = this.left === 0 && this.size === 0;
      }
    }
    this.rest = data.subarray(at);
  }
  get body() {
    return Buffer.concat(this.parts);
  }
}

// The head of the first answer in `data` and where its body begins; null when it is not there yet.
export function splitHead(data) {
  const end = data.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first, ...lines] = data.toString("latin1", 0, end).split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(": ")).toLowerCase(), line.slice(line.indexOf(": ") + 2)]));
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers, bodyAt: end + 4 };
}
