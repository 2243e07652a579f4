// One value of the page that several parts show: they subscribe to it instead of each keeping a copy.

export class Value<Type> {
  private readonly listeners = new Set<(value: Type, before: Type) => void>();

  constructor(private current: Type) {}

  get(): Type {
    return this.current;
  }

  /** Tells everybody, in the order in which they subscribed. The same value again tells nobody. */
  set(value: Type): void {
    const before = this.current;
    if (value === before) return;
    this.current = value;
    for (const listener of [...this.listeners]) listener(value, before);
  }

  /** Gives the way to unsubscribe. */
  subscribe(listener: (value: Type, before: Type) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
