// What the editor gets once the first picture is there: colours, undo, keys, completion, hover help, search.
import { closeCompletion, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, invertedEffects, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Annotation, type Extension } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import type { CommandTable } from "../zpl/commands";
import { zplHelp } from "../zpl/help";
import { lineMode, zplMode } from "../zpl/mode";
import { labelFolding } from "./label-folding";
import { editorPhrases } from "./phrases";
import { settingsStep } from "./steps";

/** Undoing a change of the settings changes them back. */
const settingsHistory = invertedEffects.of((transaction) =>
  transaction.effects.filter((effect) => effect.is(settingsStep)).map((effect) => settingsStep.of({ before: effect.value.after, after: effect.value.before })),
);

/** So many steps can be undone at least: more than anybody makes between two looks at a label. */
const MOST_STEPS = 5000;

/** How many steps can be undone and redone. */
export interface Steps {
  back: number;
  forth: number;
}

export interface EditorExtras {
  extension: Extension;
  closeCompletion(view: EditorView): void;
  openSearch(view: EditorView): void;
  undo(view: EditorView): boolean;
  redo(view: EditorView): boolean;
  steps(state: EditorState): Steps;
  /** On a change: undo takes it back without what was written before it. */
  ownStep: Annotation<unknown>;
  /** The colours of the table's language. */
  showMode(view: EditorView): void;
  /** Takes up a command that was begun before all this was there. */
  resume(view: EditorView): void;
}

export function editorExtras(table: CommandTable): EditorExtras {
  const mode = new Compartment();
  const modes = new Map<string, Extension>();
  const zpl = zplMode();
  return {
    extension: [
      EditorState.phrases.of(editorPhrases()),
      history({ minDepth: MOST_STEPS }),
      settingsHistory,
      search({ top: true }),
      highlightSelectionMatches(),
      mode.of(zpl),
      zplHelp(table),
      labelFolding(),
      keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    ],
    closeCompletion,
    openSearch: openSearchPanel,
    undo,
    redo,
    steps: (state) => ({ back: undoDepth(state), forth: redoDepth(state) }),
    ownStep: isolateHistory.of("before"),
    showMode: (view) => {
      const { language, isByLine, size } = table;
      if (size === 0) return;
      const wanted = modes.get(language) ?? (isByLine ? lineMode(table) : zpl);
      modes.set(language, wanted);
      if (mode.get(view.state) !== wanted) view.dispatch({ effects: mode.reconfigure(wanted) });
    },
    resume: (view) => {
      const { head } = view.state.selection.main;
      if (view.hasFocus && /[\^~][A-Z]?$/i.test(view.state.sliceDoc(Math.max(0, head - 2), head))) startCompletion(view);
    },
  };
}
