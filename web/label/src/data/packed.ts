// Texts and files that hold label code in something else. Loaded when one is pasted or opened.
import { labelCodeOf, pdfsIn } from "./pdf";
import { holdsPdf, unpack, type Unpacked } from "./unpack";

/** `zpl` is empty where a PDF has no label code. Undefined: the text is not packed. */
export async function unpackText(text: string): Promise<Unpacked | undefined> {
  const found = unpack(text);
  if (found || !holdsPdf(text)) return found;
  const codes = await Promise.all(pdfsIn(text).map(labelCodeOf));
  return { zpl: codes.filter((code) => code !== undefined).join("\n"), from: "PDF" };
}

export async function unpackPdf(file: Blob): Promise<Unpacked> {
  return { zpl: (await labelCodeOf(new Uint8Array(await file.arrayBuffer()))) ?? "", from: "PDF" };
}
