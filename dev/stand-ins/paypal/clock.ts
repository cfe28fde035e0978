/** A clock that can be advanced, but not set back once something has happened by it. */
export class Clock {
  private offset: number;
  /** The time of a standing clock. */
  private standsAt: number | undefined;

  /** A standing clock moves only when it is advanced, for tests that count repetitions. */
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

  /** Also sets it back. */
  startAt(time: number): void {
    if (this.standsAt !== undefined) this.standsAt = time;
    else this.offset = time - Date.now();
  }

  turnTo(time: number): void {
    if (this.standsAt !== undefined) this.standsAt = Math.max(this.standsAt, time);
    else this.offset = Math.max(this.offset, time - Date.now());
  }

  /** How far it is ahead of real time, in milliseconds. */
  get ahead(): number {
    return this.standsAt === undefined ? this.offset : this.standsAt - Date.now();
  }
}
