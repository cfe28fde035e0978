/** The limit is never below this (or `max`, if less), however slow the handlers are: a short burst is not an overload. */
const minLimit = 100;
/** While waits are short, the limit grows by this factor with each call of `recalculate`. */
const growth = 1.2;

/**
 * How many requests a stream may hold: `max`, or as many as can be started within `maxWaitMs` if that is less. A longer queue would answer all
 * requests too late.
 */
export class QueueLimit {
  private limit: number;
  private longestWaitMs = 0;

  constructor(
    private readonly max: number,
    private readonly maxWaitMs: number,
  ) {
    this.limit = max;
  }

  recordWait(waitedMs: number): void {
    if (waitedMs > this.longestWaitMs) this.longestWaitMs = waitedMs;
  }

  recalculate(): number {
    const waitedMs = this.longestWaitMs;
    this.longestWaitMs = 0;
    const unbounded =
      waitedMs > this.maxWaitMs ? (this.limit * this.maxWaitMs) / waitedMs : this.limit * growth;
    this.limit = Math.round(Math.min(this.max, Math.max(unbounded, Math.min(minLimit, this.max))));
    return this.limit;
  }
}
