// A picture that users open or drop becomes a graphic field of the label.
import type { ServiceAccess } from "../api";

const KINDS = /\.(png|jpe?g|gif|webp|bmp|pbm|pgm)$/i;

export function isPicture(file: File): boolean {
  return KINDS.test(file.name) || /^image\/(png|jpeg|gif|webp|bmp|x-portable-(bitmap|graymap))$/.test(file.type);
}

/** The field with the picture in it, made by the service; shades beside black and white stay crisp. */
export async function pictureField(file: File, access: ServiceAccess): Promise<string> {
  const url = new URL("api/image?bare=true&dither=auto&x=20&y=20", access.base);
  const headers: Record<string, string> = { "Content-Type": "application/octet-stream" };
  if (access.apiKey !== "") headers["X-API-Key"] = access.apiKey;
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", headers, body: file, cache: "no-store", credentials: "same-origin" });
  } catch {
    throw new Error("The service cannot be reached, so the picture could not be converted.");
  }
  if (response.ok) return response.text();
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Error(body.error ?? `${file.name} could not be converted.`);
}

/** The code with the field as the last one of its last label, or in a label of its own. */
export function withField(code: string, field: string): string {
  const end = Math.max(code.lastIndexOf("^XZ"), code.lastIndexOf("^xz"));
  if (end < 0) return `${code}${code === "" || code.endsWith("\n") ? "" : "\n"}^XA\n${field}\n^XZ\n`;
  const before = code.slice(0, end);
  return `${before}${before.endsWith("\n") ? "" : "\n"}${field}\n${code.slice(end)}`;
}
