import { pauseAfter, type RetryPauses } from '#libs/database';
import type { Clock } from '#libs/runtime';

/** Counts failed attempts to reach the mail server, and determines the pause before the next attempt. */
export class Outage {
  /** Since the mail server was last reached; 0 if there is no outage. */
  failures = 0;
  private pausedUntil = 0;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly pauses: RetryPauses,
  ) {}

  get pauseMs(): number {
    return Math.max(0, this.pausedUntil - this.clock.now().getTime());
  }

  /**
   * Counts a failed attempt, unless another attempt has failed since this one began: mails are sent over several connections, which fail together.
   *
   * @param failuresBefore `failures` when the attempt began
   */
  recordFailure(failuresBefore: number): void {
    if (this.failures > failuresBefore) return;
    this.failures += 1;
    this.pausedUntil = this.clock.now().getTime() + pauseAfter(this.failures, this.pauses);
  }

  /**
   * Ends the outage after an attempt that reached the server, unless another has failed since that one began. Returns whether an outage ended.
   *
   * @param failuresBefore `failures` when the attempt began
   */
  end(failuresBefore: number): boolean {
    if (this.failures === 0 || this.failures > failuresBefore) return false;
    this.failures = 0;
    this.pausedUntil = 0;
    return true;
  }
}
