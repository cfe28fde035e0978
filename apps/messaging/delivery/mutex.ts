/** Admits one holder at a time, in the order of the calls. */
export class Mutex {
  private last: Promise<void> = Promise.resolve();

  async acquire(): Promise<() => void> {
    const previous = this.last;
    let release!: () => void;
    this.last = new Promise((resolve) => (release = resolve));
    await previous;
    return release;
  }
}
