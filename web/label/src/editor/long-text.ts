// A text of megabytes becomes lines of the editor in parts, and is put together from them once, not at each question about it.
import { Text } from "@codemirror/state";
import { pause } from "../ui/pause";

const PART = 500_000;

/** The lines of a text, made in parts that do not hold up the page. */
export async function linesOf(text: string): Promise<Text> {
  let lines = Text.empty;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at + PART) + 1 || text.length;
    lines = lines.append(Text.of(text.slice(at, end).split(/\r\n?|\n/)));
    at = end;
    await pause();
  }
  return lines;
}

/** The lines that were asked about last, as one text. */
export class WholeText {
  private lines: Text | undefined;
  private text = "";

  of(lines: Text): string {
    if (lines !== this.lines) {
      this.text = lines.toString();
      this.lines = lines;
    }
    return this.text;
  }
}
