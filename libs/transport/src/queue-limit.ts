/** The limit is never below this (or `max`, if less), however slow the handlers are: a short burst is not an overload. */
const minLimit = 100;
/** While waits are short, the limit grows by this factor with each call of `next`. */
const growth = 1.2;

/**
 * How many requests a stream may hold: `max`, or as many as can be started within `maxWaitMs` if that is less. A longer queue would answer all
 * requests too late.
 */
export class QueueLimit {
  private limit: number;
  private longestMs = 0;

  constructor(
    private readonly max: number,
    private readonly maxWaitMs: number,
  ) {
    this.limit = max;
  }

  recordWait(waitedMs: number): void {
    if (waitedMs > this.longestMs) this.longestMs = waitedMs;
  }

  next(): number {
    const waited = this.longestMs;
    this.longestMs = 0;
    const unbounded = waited > this.maxWaitMs ? (this.limit * this.maxWaitMs) / waited : this.limit * growth;
    this.limit = Math.round(Math.min(this.max, Math.max(unbounded, Math.min(minLimit, this.max))));
    return this.limit;
  }
}
