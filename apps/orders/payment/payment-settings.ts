/** How patient the payment half is. Times in milliseconds. */
export interface PaymentSettings {
  /** Notices that may wait for a decision; those without a known token may fill half of it. */
  backlog: number;
  /** Notices that one process looks at at once. */
  concurrency: number;
  /** A notice that its process has not renewed for so long is taken over by another. */
  leaseMs: number;
  /** How often a process looks for work that nobody told it of. */
  pollMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
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
