// Which elements of the shown label are chosen: the page knows one, the tools several.
import type { App } from "../app";

export class Selection {
  private chosen: number[] = [];
  private label = 0;
  readonly watchers = new Set<() => void>();

  constructor(private readonly app: App) {
    app.watchers.add(() => this.follow());
    this.follow();
  }

  get elements(): readonly number[] {
    return this.chosen;
  }

  has(element: number): boolean {
    return this.chosen.includes(element);
  }

  /** One alone, chosen on the picture. */
  set(element: number): void {
    this.chosen = element < 0 ? [] : [element];
    this.app.choose(element, "picture");
  }

  /** Adds an element, or takes it out again. */
  toggle(element: number): void {
    if (element < 0) return;
    this.chosen = this.has(element) ? this.chosen.filter((other) => other !== element) : [...this.chosen, element];
    this.app.choose(this.chosen[this.chosen.length - 1] ?? -1, "picture");
  }

  all(): void {
    this.setAll(this.app.preview.elements.map((_, index) => index));
  }

  setAll(elements: readonly number[]): void {
    this.chosen = [...elements];
    this.app.choose(this.chosen[this.chosen.length - 1] ?? -1, "picture");
  }

  /** The page has chosen: several stay several as long as that one is among them. */
  private follow(): void {
    const { chosen, preview } = this.app;
    const count = preview.elements.length;
    if (preview.index !== this.label) this.chosen = [];
    this.label = preview.index;
    this.chosen = this.chosen.filter((element) => element < count);
    if (!this.has(chosen)) this.chosen = chosen < 0 ? [] : [chosen];
    for (const watcher of this.watchers) watcher();
  }
}
