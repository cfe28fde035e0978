import { PeriodicTask } from '#libs/runtime';

export interface RetryPauses {
  firstRetryMs: number;
  longestRetryMs: number;
}

interface RetryOptions<Row> extends RetryPauses {
  /** Including the current try. */
  triesOf(row: Row): number;
  /** Makes the row due again after this pause. */
  postpone(row: Row, pauseMs: number): Promise<void>;
  /** For `onError`. */
  message: string;
}

export interface LeasedWorkOptions<Row> {
  lease(count: number): Promise<Row[]>;
  renew(rows: Row[]): Promise<void>;
  /** How many rows this process may hold at the moment. */
  capacity(): number;
  /** Without `retry`, `work` should postpone a failed row itself instead of rejecting. */
  work(row: Row): Promise<void>;
  retry?: RetryOptions<Row>;
  /**
   * Called when leasing, renewing or the work of `row` failed. Leasing and renewing are repeated. A row whose work failed is due again as `retry`
   * says, or when its lease expires.
   */
  onError(error: unknown, message: string, row?: Row): void;
  pollMs: number;
  leaseMs: number;
}

/** One missed renewal does no harm. */
const renewalsPerLease = 4;

/** Processes rows that wait in a table. Any number of processes share the work; the rows of a killed process become free when their leases expire. */
export class LeasedWork<Row> {
  private readonly inHand = new Map<Row, Promise<void>>();
  private readonly polling: PeriodicTask;
  private readonly renewing: PeriodicTask;

  constructor(private readonly options: LeasedWorkOptions<Row>) {
    this.polling = new PeriodicTask({
      everyMs: options.pollMs,
      run: () => this.takeWork(),
      onError: (error) => options.onError(error, 'Polling for work failed'),
    });
    this.renewing = new PeriodicTask({
      everyMs: options.leaseMs / renewalsPerLease,
      run: async () => this.inHand.size > 0 && options.renew([...this.inHand.keys()]),
      onError: (error) => options.onError(error, 'Renewing leases failed'),
    });
  }

  start(): void {
    this.polling.start();
    this.renewing.start();
    this.poll();
  }

  /** During a poll, polls once more after it. */
  poll(): void {
    this.polling.runSoon();
  }

  /** Takes no more work. Resolves when the current work, whose leases it still renews, has ended. */
  async stop(): Promise<void> {
    await this.polling.stop();
    await Promise.all(this.inHand.values());
    await this.renewing.stop();
  }

  private async takeWork(): Promise<void> {
    const free = this.options.capacity() - this.inHand.size;
    if (free <= 0) return;
    for (const row of await this.options.lease(free)) {
      const work = this.options
        .work(row)
        .catch((error: unknown) => this.retry(row, error))
        .catch((error: unknown) => this.options.onError(error, 'Work failed', row))
        .finally(() => {
          this.inHand.delete(row);
          this.poll();
        });
      this.inHand.set(row, work);
    }
  }

  private async retry(row: Row, error: unknown): Promise<void> {
    const { retry, onError } = this.options;
    if (!retry) throw error;
    onError(error, retry.message, row);
    await retry.postpone(row, pauseAfter(retry.triesOf(row), retry));
  }
}

/** A delay in milliseconds that doubles with each failure, up to a bound. Its jitter spreads the retries of rows that failed together. */
export function pauseAfter(
  failures: number,
  { firstRetryMs, longestRetryMs }: RetryPauses,
  random: () => number = Math.random,
): number {
  const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(Math.max(failures, 1) - 1, 40));
  return Math.round(pause * (0.5 + random() / 2));
}
