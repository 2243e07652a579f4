// The list of diagnostics under the editor; a row jumps to its place.
import type { PlacedDiagnostic } from "../editor/editor";
import { button } from "../ui/controls";
import { el, replaceChildren } from "../ui/dom";
import { icon } from "../ui/icons";
import { say } from "../ui/language";

const MOST_ROWS = 200;

export class ProblemList {
  private open = false;
  private problems: readonly PlacedDiagnostic[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly lineOf: (position: number) => { line: number; column: number },
    private readonly jump: (problem: PlacedDiagnostic) => void,
    private readonly toggled: (open: boolean) => void,
    private readonly fix: (problem: PlacedDiagnostic) => void,
  ) {}

  get isOpen(): boolean {
    return this.open && this.problems.length > 0;
  }

  show(problems: readonly PlacedDiagnostic[]): void {
    this.problems = problems;
    this.render();
  }

  toggle(open = !this.open): void {
    this.open = open;
    this.render();
    this.toggled(this.isOpen);
    if (this.isOpen) this.host.querySelector<HTMLElement>("li button")?.focus();
  }

  private render(): void {
    this.host.hidden = !this.isOpen;
    if (!this.isOpen) return;
    const shown = this.problems.slice(0, MOST_ROWS);
    replaceChildren(
      this.host,
      el("header", {}, el("span", {}, say("Problems")), button({ icon: "close", label: say("Close the list of problems"), onClick: () => this.toggle(false) })),
      el(
        "ul",
        {},
        ...shown.map((problem) => {
          const { line, column } = this.lineOf(problem.from);
          return el(
            "li",
            {},
            el(
              "button",
              { type: "button", onclick: () => this.jump(problem) },
              el("span", { class: `tone-${problem.severity}` }, icon(problem.severity)),
              el("span", { class: "place" }, `${line}:${column}`),
              el("span", { lang: "en" }, problem.message),
            ),
            problem.fix ? button({ text: problem.fix, kind: "outlined fix", onClick: () => this.fix(problem) }) : null,
          );
        }),
        this.problems.length > shown.length
          ? el("li", { class: "more" }, say("and {count} more", { count: this.problems.length - shown.length }))
          : null,
      ),
    );
  }
}
