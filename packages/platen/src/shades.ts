// Dots of one byte as a canvas takes them: red, green, blue and alpha.

/** For every shade the four bytes as one number, whichever way this machine orders them. */
const colours = new Uint32Array(Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : i >> 2)).buffer);

/** Writes the dots `from` to `to` (without it) to the same places of `rgba`. */
export function fillColours(rgba: Uint32Array, gray: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) rgba[i] = colours[gray[i]!]!;
}
