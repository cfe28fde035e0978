import { DomainError } from '#libs/contracts';

/** People who mistype a few times do not have to wait. */
export const firstDelayedFailure = 5;
/** The delay doubles from one second up to this. */
const maxDelaySeconds = 15 * 60;
const forgetAfterHours = 24;
/** The count starts again after this long without an attempt. */
export const forgetAttemptsAfterSeconds = forgetAfterHours * 60 * 60;

const isForgottenSql = `attempt.last_attempt_at <= EXCLUDED.last_attempt_at - interval '${forgetAfterHours} hours'`;

/**
 * The `SET` list for `INSERT … AS attempt … ON CONFLICT DO UPDATE`. The inserted row must have `failures` 1 and the current time as
 * `last_attempt_at`; the table also needs `blocked_until`. A function, because TypeORM's `sql` tag inserts a function's result verbatim.
 */
export const countFailureSql = () => `
  failures = CASE WHEN ${isForgottenSql} THEN 1 ELSE attempt.failures + 1 END,
  last_attempt_at = EXCLUDED.last_attempt_at,
  blocked_until = EXCLUDED.last_attempt_at + make_interval(secs => CASE
    WHEN ${isForgottenSql} OR attempt.failures + 1 < ${firstDelayedFailure} THEN 0
    ELSE LEAST(${maxDelaySeconds}, power(2, LEAST(attempt.failures + 1 - ${firstDelayedFailure}, 30))) END)`;

export function blockedError(blockedUntil: Date, now: Date): DomainError {
  const waitSeconds = Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000);
  return new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, waitSeconds) });
}
