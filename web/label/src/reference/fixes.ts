// What the fixes of findings are called. Which there are, and what they change, is the library's: src/describe/fix_table.c.
import type { PlacedDiagnostic } from "../editor/editor";
import { say } from "../ui/language";

/** Of a value that is long, the page shows the beginning. */
const MOST_SHOWN = 40;

/** Undefined: there is none. */
export function titleOf({ code, command, changes }: PlacedDiagnostic): string | undefined {
  if (changes.length === 0) return undefined;
  const text = changes
    .map(({ insert }) => insert)
    .join(" ")
    .replace(/^[\s,]+/, "")
    .trim()
    .slice(0, MOST_SHOWN);
  switch (code) {
    case "unknown_command":
      return text === "" ? say("Remove {command}", { command }) : say("Change to {command}", { command: text });
    case "host_command":
      return say("Remove {command}", { command });
    case "outside_format":
      return say("Remove the text");
    case "format_unterminated":
      return say("Add ^XZ at the end");
    case "nested_format":
      return say("Add ^XZ before it");
    case "field_unterminated":
      return say("Add ^FS");
    case "charset_suspect":
    case "gs1_syntax":
      return say("Add {code}", { code: text });
    case "outside_label":
    case "quiet_zone_at_edge":
    case "bars_cut":
    case "symbol_unreadable":
      return say("Move it into the label");
    case "module_below_minimum":
    case "ink_margin":
      return say("Make the bars wider");
    case "bars_too_low":
      return say("Make the bars higher");
    case "text_clipped":
      return say("Add a line to the block");
    default:
      return text === "" ? say("Remove the value") : say("Write {value}", { value: text });
  }
}
