export class Clock {
  private offset: number;
  private frozenAt: number | undefined;

  /** A frozen clock moves only when it is told to, so that in tests no charge or repeated notification comes unexpectedly. */
  constructor(kind: 'running' | 'frozen' = 'running', offset = 0) {
    this.offset = offset;
    if (kind === 'frozen') this.frozenAt = Date.now() + offset;
  }

  get isRunning(): boolean {
    return this.frozenAt === undefined;
  }

  now(): number {
    return this.frozenAt ?? Date.now() + this.offset;
  }

  /** Sets the clock to any time, also in the past. */
  setTo(time: number): void {
    if (this.frozenAt !== undefined) this.frozenAt = time;
    else this.offset = time - Date.now();
  }

  /** Never sets the clock back. */
  advanceTo(time: number): void {
    if (this.frozenAt !== undefined) this.frozenAt = Math.max(this.frozenAt, time);
    else this.offset = Math.max(this.offset, time - Date.now());
  }

  /** How far it is ahead of real time, in milliseconds. */
  get ahead(): number {
    return this.frozenAt === undefined ? this.offset : this.frozenAt - Date.now();
  }
}
