// Takes answers apart whose length is not told: chunks, strictly as RFC 9112 has them.

// What of `data` after the head is chunks: their bytes, whether the last chunk is there, and what follows it. Throws at
// framing that is not right.
export function dechunk(data) {
  const parts = [];
  let at = 0;
  for (;;) {
    const end = data.indexOf("\r\n", at);
    if (end < 0) break;
    const line = data.toString("latin1", at, end);
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

// The head of the first answer in `data` and where its body begins; null when it is not there yet.
export function splitHead(data) {
  const end = data.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first, ...lines] = data.toString("latin1", 0, end).split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(": ")).toLowerCase(), line.slice(line.indexOf(": ") + 2)]));
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers, bodyAt: end + 4 };
}
