// Label code out of files that users open or drop: UTF-8, UTF-16, or the Windows code page that old label software writes.
import { binaryToHex } from "./binary-graphics";
import { say } from "../ui/language";
import { LONG_TEXT, pause } from "../ui/pause";

export interface OpenedFile {
  name: string;
  text: string;
  /** Something the user should know, or empty. */
  remark: string;
}

export const LARGEST_FILE = 64 * 1024 * 1024;

export function decodeText(given: Uint8Array): { text: string; remark: string } {
  if (given[0] === 0xff && given[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(given), remark: "" };
  if (given[0] === 0xfe && given[1] === 0xff) return { text: new TextDecoder("utf-16be").decode(given), remark: "" };
  const { bytes, converted } = binaryToHex(given);
  const hasNul = bytes.subarray(0, 65536).includes(0);
  const graphics = converted === 0 ? "" : say("Its binary graphics are written as hexadecimal digits here; they print the same.");
  const binary = hasNul ? say("It holds binary data, which a text editor cannot keep exactly.") : "";
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), remark: binary || graphics };
  } catch {
    const remark = binary || [graphics, say("It is not UTF-8 and was read as Windows-1252.")].filter(Boolean).join(" ");
    return { text: new TextDecoder("windows-1252").decode(bytes), remark };
  }
}

/** Is there anything in it that a printer would take for label code? */
function holdsCommands(text: string): boolean {
  return /[\^~][A-Z][A-Z0-9@]/i.test(text);
}

export async function readFile(file: File): Promise<OpenedFile> {
  if (file.size > LARGEST_FILE) throw new Error(say("{file} is too large to edit here.", { file: file.name }));
  const { text, remark } = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (text.length > LONG_TEXT) await pause();
  if (text.includes("\0") && !holdsCommands(text)) throw new Error(say("{file} is neither label code nor a picture that can be read, so it was not opened.", { file: file.name }));
  return { name: file.name, text, remark };
}

const LABEL_FILE = /\.(zpl|zplii|epl|tspl|cpcl|txt|prn|lbl)$/i;

/** For folders, which hold other files, too. */
export function isLabelFile(file: File): boolean {
  return LABEL_FILE.test(file.name) && !file.name.startsWith(".");
}

/** "Pallet 7.zpl" gives "Pallet 7": the stem for the names of downloads. */
export function stemOf(name: string): string {
  const stem = name.slice(0, 500).replace(/\.[A-Za-z0-9]{1,6}$/, "").replace(/[\x00-\x1f\x7f/\\:*?"<>|]+/g, "-").replace(/^[.\s-]+|[.\s-]+$/g, "");
  return stem.slice(0, 80) || "label";
}
