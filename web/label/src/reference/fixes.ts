// Fixes for findings where there is just one: a title, and the changes of the code that carry it out.
import type { Diagnostic } from "../model/result";
import { prefixesAt } from "../zpl/locate";
import { splitCommands, writeParameter, type TextChange } from "../zpl/split";
import { say } from "../ui/language";

export interface Fix {
  title: string;
  /** By the text as it is now, and the place of the finding in it; undefined: it is no longer what it was. */
  changes(text: string, from: number, to: number): TextChange[] | undefined;
}

function insertAt(at: number, insert: string): TextChange[] {
  return [{ from: at, to: at, insert }];
}

function rename(command: string, meant: string): Fix {
  return {
    title: say("Change to {command}", { command: meant }),
    changes: (text, from) => {
      const prefixes = prefixesAt(text, from);
      const sign = meant.startsWith("^") ? prefixes.format : prefixes.control;
      const old = text.slice(from + 1, from + command.length);
      if (old.toUpperCase() !== command.slice(1)) return undefined;
      return [{ from, to: from + command.length, insert: sign + meant.slice(1) }];
    },
  };
}

function writeUsed(parameter: number, used: string): Fix {
  return {
    title: say("Write {value}", { value: used }),
    changes: (text, from, to) => {
      const [command] = splitCommands(text.slice(from, to), from, prefixesAt(text, from));
      return command && command.from === from && command.parameters[parameter - 1] ? [writeParameter(command, parameter - 1, used)] : undefined;
    },
  };
}

export function fixFor(finding: Pick<Diagnostic, "code" | "command" | "message" | "parameter">, text: string): Fix | undefined {
  switch (finding.code) {
    case "unknown_command": {
      const meant = /Was (\S+) meant\?$/.exec(finding.message)?.[1];
      return meant ? rename(finding.command, meant) : undefined;
    }
    case "format_unterminated":
      return {
        title: say("Add ^XZ at the end"),
        changes: (now) => insertAt(now.length, `${now === "" || now.endsWith("\n") ? "" : "\n"}${prefixesAt(now, now.length).format}XZ\n`),
      };
    case "nested_format":
      return { title: say("Add ^XZ before it"), changes: (now, from) => insertAt(from, `${prefixesAt(now, from).format}XZ\n`) };
    case "field_unterminated":
      // The other sentence of this code is about a field that was moved, and then nobody knows which place was meant.
      if (!finding.message.startsWith("The field has no ^FS")) return undefined;
      return {
        title: say("Add ^FS"),
        changes: (now, from, to) => insertAt(from + now.slice(from, to).trimEnd().length, `${prefixesAt(now, from).format}FS`),
      };
    case "parameter_range": {
      // In another unit than dots the number that was used is not the one to write.
      const used = /; (-?\d+) was used\.$/.exec(finding.message)?.[1];
      return used !== undefined && finding.parameter > 0 && !/MU[IMDimd]/.test(text) ? writeUsed(finding.parameter, used) : undefined;
    }
    default:
      return undefined;
  }
}
