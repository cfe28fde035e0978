/** The limit is never below this (or `max`, if that is less), however slow the handlers are: a short burst is not an overload. */
const minLimit = 100;
/** The factor by which the limit grows with each call of `next` while waits are short. */
const growth = 1.2;

/**
 * How many requests a stream may hold: `max`, or as many as can be started within `maxWaitMs` if that is less. If requests wait longer than their
 * callers do, the queue helps nobody: all are answered too late or dropped, instead of some being answered and the others refused immediately.
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

  /** Records that a request was started after waiting this long, in ms. */
  recordWait(waitedMs: number): void {
    if (waitedMs > this.longestMs) this.longestMs = waitedMs;
  }

  /** The limit, computed from the waits since the last call. */
  next(): number {
    const waited = this.longestMs;
    this.longestMs = 0;
    const wanted = waited > this.maxWaitMs ? (this.limit * this.maxWaitMs) / waited : this.limit * growth;
    this.limit = Math.round(Math.min(this.max, Math.max(wanted, Math.min(minLimit, this.max))));
    return this.limit;
  }
}
