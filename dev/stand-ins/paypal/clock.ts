/** Time that can be turned forward, never back. */
export class Clock {
  private offset: number;
  /** Where a standing clock stands. */
  private standsAt: number | undefined;

  /** A standing one moves only when it is turned; for tests that count repetitions. */
  constructor(kind: 'running' | 'standing' = 'running', offset = 0) {
    this.offset = offset;
    if (kind === 'standing') this.standsAt = Date.now() + offset;
  }

  get runs(): boolean {
    return this.standsAt === undefined;
  }

  now(): number {
    return this.standsAt ?? Date.now() + this.offset;
  }

  turnTo(time: number): void {
    if (this.standsAt !== undefined) this.standsAt = Math.max(this.standsAt, time);
    else this.offset = Math.max(this.offset, time - Date.now());
  }

  /** How far it is ahead of the world. */
  get ahead(): number {
    return this.now() - Date.now();
  }
}
