// For tests: an editor state from the same CodeMirror that the bundle holds.
import { EditorState } from "@codemirror/state";

export function makeState(doc: string): EditorState {
  return EditorState.create({ doc });
}
