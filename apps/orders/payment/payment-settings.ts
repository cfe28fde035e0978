/** How patient the payment half is. Times in milliseconds. */
export interface PaymentSettings {
  /** Notifications that may wait for a decision. Doubtful ones may fill three quarters of it, those without a known token half. */
  backlog: number;
  /** The most of these that may carry the same token, because a buyer can read their own token and could send thousands. */
  attemptBacklog: number;
  /** Notifications that one process works on at once. Half of the places are kept for the first notification of an attempt. */
  concurrency: number;
  /** A notice that its process has not renewed for so long is taken over by another. */
  leaseMs: number;
  /** How often a process looks for work that nobody told it of. */
  pollMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
  /**
   * How long a notification may stay undecided that the provider says it did not send (which is sometimes wrong), or that came before its
   * payment.
   */
  undecidedForMs: number;
  refusedLongestRetryMs: number;
  /** Refused notifications of one attempt that are asked about again, and that are kept as evidence. */
  refusedKept: number;
  /** A notice that is not verified after so long is the admin's to know. */
  alertAfterMs: number;
  /** An attempt without an outcome after so long is reported. */
  outcomeAfterMs: number;
  reconcileEveryMs: number;
  /** How long the bytes of decided notices are kept. */
  keepNoticesMs: number;
}

/** Nest's token. */
export const PAYMENT_SETTINGS = Symbol('payment settings');
