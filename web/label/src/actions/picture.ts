// Whether a file that users open or drop is a picture.

const KINDS = /\.(png|jpe?g|gif|webp|bmp|pcx|pbm|pgm)$/i;

/** What the files begin with: a name or a type may be missing or wrong. */
const BEGINNINGS = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/, /^BM[^]{4}\0\0\0\0/, /^P[1245]\s/];

export function isPicture(file: Pick<File, "name" | "type">): boolean {
  return KINDS.test(file.name) || /^image\/(png|jpeg|gif|webp|bmp|x-portable-(bitmap|graymap))$/.test(file.type);
}

export async function holdsPicture(file: File): Promise<boolean> {
  const begin = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  return isPicture(file) || BEGINNINGS.some((beginning) => beginning.test(begin));
}
