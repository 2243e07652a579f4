// What a label is called: by its name, else by the first text on it.
import { say } from "../ui/language";
import type { Work } from "./documents";

/** The text is looked for at the beginning; a title is short. */
const REACH = 20_000;
const LONGEST = 40;

/**
 * Of ZPL the data of the first field that is no barcode; of other languages the last quoted text of a line that begins like one, or what
 * stands behind the font, the size and the place of it.
 */
function firstText(code: string): string {
  const start = code.slice(0, REACH);
  for (const [, field = "", data = ""] of start.matchAll(/\^F[OT]([^~]{0,400}?)\^F[DV]([^^~]*)/gi)) {
    if (!/\^B[^Y]/i.test(field) && /[\p{L}\p{N}]{2}/u.test(data)) return data;
  }
  const quoted = /^[ \t]*(?:A\d|TEXT|BLOCK|T\s).*"([^"]*[\p{L}\p{N}]{2}[^"]*)"\s*$/imu.exec(start);
  const plain = /^[ \t]*(?:TEXT|T)\d*\s+\S+\s+\d+\s+-?\d+\s+-?\d+\s+(.*[\p{L}\p{N}]{2}.*)$/imu;
  return (quoted ?? plain.exec(start))?.[1] ?? "";
}

/** Empty: it has neither a name nor a text. */
export function nameOrText({ name, zpl }: Pick<Work, "name" | "zpl">): string {
  if (name !== "") return name;
  const text = firstText(zpl).replace(/\\&|\s+/g, " ").trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}

export function titleOf(work: Pick<Work, "name" | "zpl">): string {
  return nameOrText(work) || say("Untitled");
}
