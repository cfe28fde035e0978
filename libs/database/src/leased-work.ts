import { PeriodicTask } from '#libs/runtime';

export interface RetryPauses {
  firstRetryMs: number;
  longestRetryMs: number;
}

interface RetryOptions<Row> extends RetryPauses {
  /** How often the row has been tried, this time included. */
  triesOf(row: Row): number;
  /** Sets the row due again after this pause, in milliseconds. */
  postpone(row: Row, pauseMs: number): Promise<void>;
  /** Passed to `failed`. */
  message: string;
}

export interface LeasedWorkOptions<Row> {
  /** Leases up to `count` due rows to this process. */
  lease(count: number): Promise<Row[]>;
  /** Renews the leases of these rows. */
  renew(rows: Row[]): Promise<void>;
  /** How many rows this process may hold at the moment. */
  capacity(): number;
  /** Processes one row. Without `retry`, it should not reject: if anything goes wrong, it sets when the row is due again. */
  work(row: Row): Promise<void>;
  /** What happens to a row whose work rejects. */
  retry?: RetryOptions<Row>;
  /**
   * Called when leasing, renewing or the work failed. Leasing and renewing are repeated; a row whose work failed is due again as `retry`
   * says, or when its lease expires. `row` is the one whose work failed.
   */
  failed(error: unknown, message: string, row?: Row): void;
  /** How often to poll. */
  pollMs: number;
  /** How long a lease lasts unless it is renewed. */
  leaseMs: number;
}

/** A single missed renewal does no harm. */
const renewalsPerLease = 4;

/**
 * Processes rows that wait in a table. Any number of processes share the work; rows held by one that was killed become free when their leases
 * expire.
 */
export class LeasedWork<Row> {
  private readonly inHand = new Map<Row, Promise<void>>();
  private readonly polling: PeriodicTask;
  private readonly renewing: PeriodicTask;

  constructor(private readonly options: LeasedWorkOptions<Row>) {
    this.polling = new PeriodicTask({
      everyMs: options.pollMs,
      run: () => this.takeWork(),
      onError: (error) => options.failed(error, 'Polling for work failed'),
    });
    this.renewing = new PeriodicTask({
      everyMs: options.leaseMs / renewalsPerLease,
      run: async () => this.inHand.size > 0 && options.renew([...this.inHand.keys()]),
      onError: (error) => options.failed(error, 'Renewing leases failed'),
    });
  }

  start(): void {
    this.polling.start();
    this.renewing.start();
    this.poll();
  }

  /** Polls now. During a poll, polls once more after it. */
  poll(): void {
    this.polling.runSoon();
  }

  /** Takes no more work. Resolves when the current work has ended; until then its leases are renewed. */
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
        .catch((error: unknown) => this.options.failed(error, 'Work failed', row))
        .finally(() => {
          this.inHand.delete(row);
          this.poll();
        });
      this.inHand.set(row, work);
    }
  }

  private async retry(row: Row, error: unknown): Promise<void> {
    const { retry, failed } = this.options;
    if (!retry) throw error;
    failed(error, retry.message, row);
    await retry.postpone(row, pauseAfter(retry.triesOf(row), retry));
  }
}

/**
 * A delay in milliseconds that doubles with each failure, up to a bound, with jitter, so that rows that failed together are not retried
 * together.
 */
export function pauseAfter(
  failures: number,
  { firstRetryMs, longestRetryMs }: RetryPauses,
  random: () => number = Math.random,
): number {
  const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(Math.max(failures, 1) - 1, 40));
  return Math.round(pause * (0.5 + random() / 2));
}
