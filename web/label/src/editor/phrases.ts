// The words of CodeMirror's own panels and messages.
import { say } from "../ui/language";

export function editorPhrases(): Record<string, string> {
  return {
    Find: say("Find"),
    Replace: say("Replace"),
    next: say("Next"),
    previous: say("Previous"),
    all: say("All"),
    "match case": say("Match case"),
    regexp: say("Regular expression"),
    "by word": say("Whole words"),
    replace: say("Replace"),
    "replace all": say("Replace all"),
    close: say("Close"),
    "current match": say("current match"),
    "on line": say("on line"),
    "replaced match on line $": say("replaced match on line $"),
    "replaced $ matches": say("replaced $ matches"),
    "Go to line": say("Go to line"),
    go: say("Go"),
    Completions: say("Completions"),
    Diagnostics: say("Problems"),
    "No diagnostics": say("No problems"),
    "Control character": say("Control character"),
    "Fold line": say("Fold this label"),
    "Unfold line": say("Unfold this label"),
    "folded code": say("folded label"),
    unfold: say("unfold"),
    "Folded lines": say("Folded lines"),
    "Unfolded lines": say("Unfolded lines"),
    to: say("to"),
  };
}
