import type { z } from 'zod';
import { setting } from '#libs/platform';

/** Times in milliseconds. */
export interface PaymentSettings {
  /**
   * While this many notifications wait for a decision, further ones are refused. Doubtful ones (`Lane` in `payment-notification.repository.ts`)
   * are already refused at three quarters of this number, and those of no attempt at half.
   */
  maxBacklog: number;
  /** How many notifications of one attempt may wait: a buyer can read the attempt's token and could send thousands. */
  maxAttemptBacklog: number;
  /** How many notifications a process works on at the same time. */
  concurrency: number;
  /** After this time without renewal, another process takes over a notification or a refund. */
  leaseMs: number;
  /** How often a process looks for work that is due again, or that another process has stored. */
  pollMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
  /** How long to retry a notification that came before its payment, or that the provider denies. A denial is sometimes wrong. */
  undecidedForMs: number;
  deniedLongestRetryMs: number;
  /** How many denied notifications of one attempt are verified again, and how many of its forged ones are kept as evidence. */
  deniedKept: number;
  /** A notification that is not verified after this time flags its order. */
  alertAfterMs: number;
  /** After this time, an attempt without an outcome is reported as missed, unless another inquiry is scheduled. */
  outcomeAfterMs: number;
  /** How often `PaymentReconciliationWorker` reports missed attempts and unverified notifications, and cleans up. */
  reconcileEveryMs: number;
  /** How long the bodies of decided notifications, which name the buyers, are kept. */
  keepBodiesMs: number;
}

export const PAYMENT_SETTINGS = Symbol('payment settings');

const seconds = setting.integer(1, 30 * 24 * 60 * 60);

export const paymentEnvironment = {
  /** While this many notifications wait, further ones are refused, and the provider repeats them. */
  NOTICE_BACKLOG: setting.integer(2, 1_000_000).default(5_000),
  /** The first pause before a verification or a refund is tried again, in milliseconds. Each later pause is twice as long. */
  NOTICE_RETRY_MS: setting.integer(10, 3_600_000).default(2_000),
  /** The longest of these pauses. For a notification that the provider has denied, pauses grow to six times this. */
  NOTICE_RETRY_LONGEST_MS: setting.integer(10, 86_400_000).default(600_000),
  NOTICE_REFUSED_SECONDS: seconds.default(24 * 60 * 60),
  NOTICE_ALERT_SECONDS: seconds.default(2 * 60 * 60),
  PAYMENT_OUTCOME_SECONDS: seconds.default(60 * 60),
  PAYMENT_RECONCILE_SECONDS: seconds.default(60),
  NOTICE_KEEP_DAYS: setting.integer(1, 3_650).default(180),
};

export function paymentSettings(config: z.output<z.ZodObject<typeof paymentEnvironment>>): PaymentSettings {
  return {
    maxBacklog: config.NOTICE_BACKLOG,
    maxAttemptBacklog: 200,
    concurrency: 8,
    leaseMs: 6_000,
    pollMs: 1_000,
    firstRetryMs: config.NOTICE_RETRY_MS,
    longestRetryMs: config.NOTICE_RETRY_LONGEST_MS,
    undecidedForMs: config.NOTICE_REFUSED_SECONDS * 1000,
    // Denials are almost always right, so these retries are rarer.
    deniedLongestRetryMs: config.NOTICE_RETRY_LONGEST_MS * 6,
    deniedKept: 20,
    alertAfterMs: config.NOTICE_ALERT_SECONDS * 1000,
    outcomeAfterMs: config.PAYMENT_OUTCOME_SECONDS * 1000,
    reconcileEveryMs: config.PAYMENT_RECONCILE_SECONDS * 1000,
    keepBodiesMs: config.NOTICE_KEEP_DAYS * 24 * 60 * 60 * 1000,
  };
}
