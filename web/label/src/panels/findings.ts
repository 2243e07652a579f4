// The findings about the label wherever they are shown: underlined in the editor, in the list, counted in the bar below; with their fixes.
import type { CodeEditor, PlacedDiagnostic } from "../editor/editor";
import { announce } from "../ui/messages";
import type { ProblemList } from "./problems";
import { problemsInWords, type StatusBar } from "./statusbar";

/** More underlines than this help nobody and cost time. */
const MOST_MARKS = 1000;

export class Findings {
  private found: readonly PlacedDiagnostic[] = [];
  private titleOf: (typeof import("../reference/fixes"))["titleOf"] | undefined;
  private count = 0;

  constructor(
    private readonly editor: CodeEditor,
    private readonly list: ProblemList,
    private readonly status: StatusBar,
  ) {}

  show(found: readonly PlacedDiagnostic[]): void {
    const problems = this.withFixes(found);
    this.editor.showDiagnostics(problems.slice(0, MOST_MARKS));
    this.list.show(problems);
    const count = (severity: string): number => problems.filter((problem) => problem.severity === severity).length;
    this.status.showProblems(count("error"), count("warning"), count("info"));
    this.status.setProblemsOpen(this.list.isOpen);
    if (problems.length !== this.count) announce(problemsInWords(problems.length));
    this.count = problems.length;
  }

  /** The code has no label: what was found in the text before would only mislead. */
  showNothing(): void {
    this.show([]);
    this.status.showNothing();
  }

  /** Nothing is known about the label that is shown now. */
  forget(): void {
    this.found = [];
    this.status.forget();
    this.list.show([]);
    this.count = 0;
  }

  /** The names of fixes are loaded with the first one, and all is shown again. */
  private withFixes(problems: readonly PlacedDiagnostic[]): readonly PlacedDiagnostic[] {
    this.found = problems;
    const { titleOf } = this;
    if (titleOf) return problems.map((problem) => ({ ...problem, fix: titleOf(problem) }));
    // A fix is a step to undo, so it comes with the editor's undo.
    if (problems.some(({ changes }) => changes.length > 0))
      void Promise.all([import("../reference/fixes"), this.editor.loadExtras()]).then(
        ([module]) => {
          this.titleOf = module.titleOf;
          if (this.found === problems) this.show(problems);
        },
        () => undefined,
      );
    return problems;
  }
}
