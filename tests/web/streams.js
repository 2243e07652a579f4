// node 18 has no raw deflate among its compression streams; browsers do. Where it is missing, zlib stands in.
import { Duplex } from "node:stream";
import zlib from "node:zlib";

function missing() {
  try {
    return !new CompressionStream("deflate-raw");
  } catch {
    return true;
  }
}

const standIn = (create) =>
  class {
    constructor() {
      Object.assign(this, Duplex.toWeb(create()));
    }
  };

if (missing()) {
  globalThis.CompressionStream = standIn(zlib.createDeflateRaw);
  globalThis.DecompressionStream = standIn(zlib.createInflateRaw);
}
