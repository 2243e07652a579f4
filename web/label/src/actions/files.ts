// Text out of files that users open or drop: UTF-8, or the Windows code page that old label software writes.

export interface OpenedFile {
  name: string;
  text: string;
  /** Something the user should know, or empty. */
  remark: string;
}

const LARGEST = 64 * 1024 * 1024;

export function decodeText(bytes: Uint8Array): { text: string; remark: string } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), remark: "" };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), remark: "" };
  const hasNul = bytes.subarray(0, 65536).includes(0);
  const binary = hasNul ? "It holds binary data, which a text editor cannot keep exactly." : "";
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), remark: binary };
  } catch {
    const remark = binary || "It is not UTF-8 and was read as Windows-1252.";
    return { text: new TextDecoder("windows-1252").decode(bytes), remark };
  }
}

export async function readFile(file: File): Promise<OpenedFile> {
  if (file.size > LARGEST) throw new Error(`${file.name} is too large to edit here.`);
  const { text, remark } = decodeText(new Uint8Array(await file.arrayBuffer()));
  return { name: file.name, text, remark };
}

/** "Pallet 7.zpl" gives "Pallet 7": the stem for the names of downloads. */
export function stemOf(name: string): string {
  const stem = name.replace(/\.[A-Za-z0-9]{1,6}$/, "").replace(/[\x00-\x1f\x7f/\\:*?"<>|]+/g, "-").replace(/^[.\s-]+|[.\s-]+$/g, "");
  return stem.slice(0, 80) || "label";
}
