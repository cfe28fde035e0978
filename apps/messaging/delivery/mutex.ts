/** One at a time, in the order in which they came. */
export class Turn {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn; the caller ends it by calling what it gets. */
  async take(): Promise<() => void> {
    const before = this.last;
    let end!: () => void;
    this.last = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  }
}
