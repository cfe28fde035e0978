import { PeriodicTask } from '#libs/runtime';

export interface LeasedWorkOptions<Row> {
  /** Gives up to `most` rows whose time has come, to this process alone until their leases run out. */
  lease(most: number): Promise<Row[]>;
  /** Goes on having them. */
  renew(rows: Row[]): Promise<void>;
  /** How many rows this process may have in hand at this moment. */
  most(): number;
  /** What is to be done about one. Never rejects: whatever goes wrong, it says when the row's time comes again. */
  work(row: Row): Promise<void>;
  /** Called when leasing, renewing or the work itself failed; the next look tries again. */
  failed(error: unknown, message: string): void;
  /** How often to look without being told. */
  pollMs: number;
  leaseMs: number;
}

/** One missed renewal does no harm. */
const renewalsPerLease = 4;

/**
 * The work on rows that wait in a table. Any number of processes share it; what one held that was killed is free again when its lease
 * runs out.
 */
export class LeasedWork<Row> {
  private readonly inHand = new Map<Row, Promise<void>>();
  private readonly looking: PeriodicTask;
  private readonly renewing: PeriodicTask;
  private stopped = false;

  constructor(private readonly options: LeasedWorkOptions<Row>) {
    this.looking = new PeriodicTask({
      everyMs: options.pollMs,
      run: () => this.takeWork(),
      onError: (error) => options.failed(error, 'Looking for work failed'),
    });
    this.renewing = new PeriodicTask({
      everyMs: options.leaseMs / renewalsPerLease,
      run: async () => this.inHand.size > 0 && options.renew([...this.inHand.keys()]),
      onError: (error) => options.failed(error, 'Renewing leases failed'),
    });
  }

  start(): void {
    this.looking.start();
    this.renewing.start();
    this.look();
  }

  /** Looks for work now, and once more if work arrived meanwhile. */
  look(): void {
    this.looking.runSoon();
  }

  /** Takes no more work. Resolves when what is in hand has ended; until then its leases are renewed. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking.stop();
    await Promise.all(this.inHand.values());
    await this.renewing.stop();
  }

  private async takeWork(): Promise<void> {
    const free = this.stopped ? 0 : this.options.most() - this.inHand.size;
    if (free <= 0) return;
    for (const row of await this.options.lease(free)) {
      const work = this.options
        .work(row)
        .catch((error: unknown) => this.options.failed(error, 'Work failed'))
        .finally(() => {
          this.inHand.delete(row);
          this.look();
        });
      this.inHand.set(row, work);
    }
  }
}

/**
 * Twice as long after each failure, up to a bound, and never quite the same: what failed together does not come back together.
 *
 * @returns milliseconds
 */
export function pauseAfter(
  failures: number,
  { firstRetryMs, longestRetryMs }: { firstRetryMs: number; longestRetryMs: number },
  random: () => number = Math.random,
): number {
  const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(Math.max(failures, 1) - 1, 40));
  return Math.round(pause * (0.5 + random() / 2));
}
