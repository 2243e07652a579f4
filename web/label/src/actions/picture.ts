// A picture that users open or drop becomes a graphic field of the label.
import { askService, type ServiceAccess } from "../api";

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

/** The field with the picture in it, made by the service; shades beside black and white stay crisp. */
export async function pictureField(file: File, access: ServiceAccess): Promise<string> {
  const response = await askService("api/image?bare=true&dither=auto&x=20&y=20", file, "application/octet-stream", access);
  return response.text();
}

/** Puts the field as the last one into the last label of the code, or into a label of its own. */
export function fieldInsertion(code: string, field: string): { from: number; to: number; insert: string } {
  const end = Math.max(code.lastIndexOf("^XZ"), code.lastIndexOf("^xz"));
  const from = end < 0 ? code.length : end;
  const lineEnd = from === 0 || code[from - 1] === "\n" ? "" : "\n";
  return { from, to: from, insert: end < 0 ? `${lineEnd}^XA\n${field}\n^XZ\n` : `${lineEnd}${field}\n` };
}
