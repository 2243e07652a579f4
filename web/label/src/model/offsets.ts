// Byte offsets of the service (UTF-8) to positions of the editor (UTF-16 code units), and back.

const encoder = new TextEncoder();

/** One checkpoint every so many code units keeps the map small and a lookup short. */
const STEP = 1024;

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

export class OffsetMap {
  readonly byteLength: number;
  /** Byte offset of every checkpoint; empty when all characters are one byte long. */
  private readonly checkpoints: number[] = [];
  /** Position where each checkpoint stands. */
  private readonly starts: number[] = [];

  constructor(
    private readonly text: string,
    byteLength?: number,
  ) {
    this.byteLength = byteLength ?? encoder.encode(text).length;
    if (this.byteLength === text.length) return;
    let bytes = 0;
    let nextMark = 0;
    for (let i = 0; i < text.length; ) {
      if (i >= nextMark) {
        this.checkpoints.push(bytes);
        // A surrogate pair may straddle the mark; the checkpoint then stands right after it.
        this.starts.push(i);
        nextMark += STEP;
      }
      const codePoint = text.codePointAt(i) as number;
      bytes += bytesOf(codePoint);
      i += codePoint > 0xffff ? 2 : 1;
    }
  }

  /** Position of the character that holds this byte; beyond the end: the end. */
  toPosition(byteOffset: number): number {
    if (byteOffset <= 0) return 0;
    if (byteOffset >= this.byteLength) return this.text.length;
    if (this.checkpoints.length === 0) return byteOffset;
    let low = 0;
    let high = this.checkpoints.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.checkpoints[middle] as number) <= byteOffset) low = middle;
      else high = middle - 1;
    }
    let bytes = this.checkpoints[low] as number;
    let position = this.starts[low] as number;
    while (position < this.text.length) {
      const codePoint = this.text.codePointAt(position) as number;
      const next = bytes + bytesOf(codePoint);
      if (next > byteOffset) return position;
      bytes = next;
      position += codePoint > 0xffff ? 2 : 1;
    }
    return position;
  }

  toByteOffset(position: number): number {
    const end = Math.max(0, Math.min(position, this.text.length));
    if (this.checkpoints.length === 0) return end;
    const mark = Math.min(Math.floor(end / STEP), this.checkpoints.length - 1);
    let from = mark;
    while (from > 0 && (this.starts[from] as number) > end) from--;
    let bytes = this.checkpoints[from] as number;
    for (let i = this.starts[from] as number; i < end; ) {
      const codePoint = this.text.codePointAt(i) as number;
      const width = codePoint > 0xffff ? 2 : 1;
      if (i + width > end) break;
      bytes += bytesOf(codePoint);
      i += width;
    }
    return bytes;
  }
}
