// The words of CodeMirror's own panels and messages.
import { say } from "../ui/language";

export function editorPhrases(): Record<string, string> {
  return {
    Find: say("Find"),
    Replace: say("Replace"),
    next: say("next"),
    previous: say("previous"),
    all: say("all"),
    "match case": say("match case"),
    regexp: say("regexp"),
    "by word": say("by word"),
    replace: say("replace"),
    "replace all": say("replace all"),
    close: say("close"),
    "current match": say("current match"),
    "on line": say("on line"),
    "replaced match on line $": say("replaced match on line $"),
    "replaced $ matches": say("replaced $ matches"),
    "Go to line": say("Go to line"),
    go: say("go"),
    Completions: say("Completions"),
    Diagnostics: say("Problems"),
    "No diagnostics": say("No problems"),
    "Control character": say("Control character"),
  };
}
