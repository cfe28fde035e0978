/** However slow the handlers are, so many may wait: a moment's crowd is no overload. */
const atLeast = 100;
/** What it grows by when nobody waits long any more, each time it is asked for. */
const growth = 1.2;

/**
 * How many requests may wait for a service: `max`, or as many as are begun within `patienceMs`. A queue that is longer than callers are patient
 * serves nobody: each request is answered too late, or dropped, and everybody gets a timeout instead of some an answer and the others
 * a refusal at once.
 */
export class QueueLimit {
  private limit: number;
  private longestMs = 0;

  constructor(
    private readonly max: number,
    private readonly patienceMs: number,
  ) {
    this.limit = max;
  }

  /** A request was taken that had waited so long. */
  note(waitedMs: number): void {
    if (waitedMs > this.longestMs) this.longestMs = waitedMs;
  }

  /** From what was noted since the last time of asking. */
  next(): number {
    const waited = this.longestMs;
    this.longestMs = 0;
    const wanted = waited > this.patienceMs ? (this.limit * this.patienceMs) / waited : this.limit * growth;
    this.limit = Math.round(Math.min(this.max, Math.max(wanted, Math.min(atLeast, this.max))));
    return this.limit;
  }
}
