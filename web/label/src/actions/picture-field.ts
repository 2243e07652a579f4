// A picture becomes a graphic field of a label. Loaded when there is one.
import { askService, type ServiceAccess } from "../api";
import type { OpenDocument } from "../documents/documents";
import type { OpeningHost } from "../documents/opener";
import { toast } from "../ui/messages";
import { say } from "../ui/language";
import { stemOf } from "./files";

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

/** The field goes into the label that the picture was meant for, whichever is shown when the service has made it. */
export async function addPicture(host: OpeningHost, document: OpenDocument, file: File): Promise<void> {
  const { texts } = host;
  const field = await pictureField(file, host.access);
  let wasEmpty = false;
  let added = "";
  const isAdded = texts.change(document, (text) => {
    wasEmpty = text.trim() === "";
    const insertion = fieldInsertion(text, field);
    added = insertion.insert;
    return [insertion];
  });
  if (!isAdded) throw new Error(say("{file} was not added: its label is closed.", { file: file.name }));
  if (document.name === "") host.rename(document, stemOf(file.name));
  host.touched(document);
  const undo = (): void => {
    const isUndone = texts.change(document, (text) => {
      const from = text.lastIndexOf(added);
      return from < 0 ? undefined : [{ from, to: from + added.length, insert: "" }];
    });
    if (isUndone) host.touched(document);
    else toast(say("The code has been changed meanwhile, so it stays as it is."));
  };
  toast(say("{file} is now a ^GF field.", { file: file.name }), wasEmpty ? undefined : { text: say("Undo"), run: undo });
}
